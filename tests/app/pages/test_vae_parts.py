"""The arithmetic behind the VAE page: the map, ways between codes, worked numbers, the bound, and tests it names."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from app.figures import vae as draw
from app.figures.framing import framed
from app.widgets import digit_input
from app.widgets.formula import work
from models.generative import elbo
from pages.vae_parts import beta, between, bound, notes, prior, view
from pages.vae_parts.cell import LAYERS, work_out
from pages.vae_parts.inside import everything, reading

ROOT = Path(__file__).parents[3]


def scene(size: str = "16") -> view.Scene:
    pictures, _ = digit_input.offered()
    a, b = (digit_input.Given(pictures[i], "").input for i in (3, 8))
    vae, ae = (view.pair(name, "onnx") for name in view.NETS[size])
    return view.Scene(a, b, ("A", "B"), "onnx", vae, ae, view.judge("onnx"))


# ---------------------------------------------------------------- the map


@given(
    st.tuples(st.floats(-3, 3), st.floats(-3, 3)),
    st.floats(0.5, 9),
    st.integers(3, 25),
    st.integers(0, 10**6),
)
def test_a_place_of_the_map_is_its_code_and_back(middle, reach, cells, pick) -> None:
    place = draw.Map(middle, reach, cells)
    x, y = pick % place.side, pick // place.side % place.side
    assert np.abs(place.pixel(place.code(x, y)) - [x + 0.5, y + 0.5]).max() < 1e-2


def test_tiles_lie_where_their_codes_lie() -> None:
    place = draw.Map((0.5, -1.0), 2.0, 5)
    at = place.pixel(place.codes())
    assert np.allclose(at[0], draw.SIDE / 2) and np.allclose(at[-1], place.side - draw.SIDE / 2)
    assert at[4, 1] == at[0, 1] and at[4, 0] > at[0, 0], "row by row from the top"
    tiles = np.zeros((25, draw.SIDE, draw.SIDE))
    tiles[7] = 1
    row, column = divmod(7, 5)
    image = draw.painted(tiles, place, None, None).astype(int)
    white = image[row * draw.SIDE : (row + 1) * draw.SIDE, column * draw.SIDE : (column + 1) * draw.SIDE]
    assert white.min() > 200 and image.sum() == white.sum() + (25 - 1) * draw.SIDE**2 * int(draw.GROUND.sum())


def test_dots_have_their_class_colour_and_the_map_holds_nearly_all() -> None:
    random = np.random.default_rng(0)
    codes = random.normal(size=(400, 2)) * [1, 3] + [5, 0]
    place = draw.around(codes, 9)
    inside = (np.abs(codes - np.array(place.middle)) <= place.reach).all(1)
    assert inside.mean() >= 0.97
    image = draw.painted(np.zeros((81, 28, 28)), place, codes[:1], np.array([3]))
    x, y = place.pixel(codes[0]).astype(int)
    assert tuple(image[y, x]) == tuple(draw.class_colours(10)[3])


def test_the_ellipse_is_so_many_sigma_wide() -> None:
    line = draw.ellipse(np.array([1.0, 2.0]), np.array([0.5, 3.0]), times=2.0, points=400)
    assert np.allclose(line.max(0) - line.min(0), [2.0, 12.0], atol=1e-2)
    assert np.allclose((((line - [1, 2]) / [0.5, 3.0]) ** 2).sum(1), 4.0)


# ---------------------------------------------------------------- inputs


def test_a_picture_of_28_keeps_its_ink_whole() -> None:
    paper = np.full((300, 90, 3), 250, np.uint8)
    paper[40:260, 38:52] = 10
    found = framed(paper, draw.SIDE)
    assert found.grey.shape == (28, 28) and found.inverted and not found.empty
    rows = np.flatnonzero((found.grey > 60).any(1))
    assert 19 <= rows[-1] - rows[0] + 1 <= 21
    mass = found.grey / found.grey.sum()
    assert abs(mass.sum(1) @ (np.arange(28) + 0.5) - 14.5) < 0.6


# ---------------------------------------------------------------- ways


@pytest.mark.parametrize("size", view.SIZES)
def test_ways_begin_at_a_and_end_at_b(size: str) -> None:
    found, here = between.ways(scene(size)), scene(size)
    for name, nets in (("vae", here.vae), ("ae", here.ae)):
        ends = view.decode(nets, view.encode(nets, here.both).mean)
        for way in (f"{name}_straight", "vae_arc" if name == "vae" else "ae_straight"):
            assert np.allclose(found.pictures[way][[0, -1]], ends, atol=1e-4)
    assert np.allclose(found.pictures["pixels"][between.STEPS // 2], (here.a[0] + here.b[0]) / 2, atol=1e-6)
    assert found.lengths["vae_straight"].min() < found.lengths["vae_arc"].min() + 1e-6


def test_what_the_page_says_of_many_pairs_is_the_case() -> None:
    """The sentences: mixing pixels hardly gives a digit, both nets do; the arc helps the VAE; only its prior holds."""
    here = scene()
    found = between.middles(here)
    assert found.real > 0.9 and found.pixels < 0.03
    assert min(found.vae_straight, found.ae_straight, found.ae_arc) > 2 * found.pixels
    assert found.vae_arc > 1.5 * found.vae_straight, "the straight middle lies too near to the origin"
    shares = prior._shares("test", here)
    assert shares["vae"] > 0.1 and shares["ae"] < 0.03 and shares["fitted"] > 0.1


def test_what_the_page_says_of_two_numbers_is_the_case() -> None:
    """The judge is hardly ever sure; a standard normal misses kinds of digits that the autoencoder can paint."""
    here = scene("2")
    found = between.middles(here)
    assert max(found.vae_straight, found.vae_arc, found.ae_straight, found.ae_arc) < 0.15
    codes, labels = view.held_codes(here.ae).mean, view.held()[1]
    shares = []
    for z in (prior.normal(5, 500, 2), prior.fitted(here.ae, prior.normal(5, 500, 2))):
        nearest = labels[((codes - z[:, None]) ** 2).sum(-1).argmin(1)]
        shares.append(np.bincount(nearest, minlength=10) / len(z))
    assert np.flatnonzero(shares[0] < 0.02).tolist() == [0, 2, 6]
    assert shares[1][[0, 2, 6]].min() > 0.03


def test_pairs_are_of_two_classes_and_always_the_same() -> None:
    labels = view.held()[1]
    a, b = between.pairs(labels)
    assert len(a) == len(b) == between.PAIRS and (labels[a] != labels[b]).all()
    assert (a == between.pairs(labels)[0]).all()


# ---------------------------------------------------------------- numbers


@pytest.mark.parametrize("net", LAYERS)
@pytest.mark.parametrize("name", ["digits16", "ae2"])
def test_every_tensor_is_worked_out_from_the_one_before(net: str, name: str) -> None:
    random = np.random.default_rng(1)
    model, read = reading(view.pair(name, "onnx"), net, scene().a)
    taps = everything(model, read)
    assert set(LAYERS[net]) == set(taps)
    for tap, array in taps.items():
        for _ in range(3):
            at = tuple(int(random.integers(n)) for n in array.shape[1:])
            found = work_out(net, model.state, read, taps, tap, at)
            done = work(found.terms, found.bias, found.expected, activation=found.activation, slack=8.0)
            assert done.agrees, (tap, at, done.difference, done.bound)


@pytest.mark.parametrize("which", ["a", "b"])
def test_the_bound_is_below_the_tighter_bound_and_kl_is_what_draws_say(which: str) -> None:
    here = scene()
    found = bound._bound("test" + which, which, here, here.a if which == "a" else here.b)
    exact = float(found.kl.sum())
    sampled, error = found.sampled_kl(bound.DRAWS)
    assert abs(sampled - exact) < 4 * error
    bounds = [found.importance(2**p) for p in bound.POWERS]
    assert bounds[-1] > found.elbo
    assert bounds[0] == pytest.approx(float(found.weights.mean())), "K = 1 is the plain average"
    assert all(later >= earlier - 1e-9 for earlier, later in zip(bounds, bounds[1:], strict=False)), (
        "groups of twice as many of the same draws never give less (Jensen)"
    )
    assert found.elbo == pytest.approx(float(found.reconstruction.mean()) - exact)


def test_a_choice_made_in_one_section_moves_the_whole_page(monkeypatch) -> None:
    class Again(BaseException):
        """Stands for Streamlit's rerun of the page."""

    def again() -> None:
        raise Again

    monkeypatch.setattr(view.st, "rerun", again)
    monkeypatch.setattr(view.state, "get", lambda param: "b")
    with pytest.raises(Again):
        view.choose_one(scene(), "bound")


def test_fitted_codes_have_the_mean_and_covariance_of_the_held_out_ones() -> None:
    nets = view.pair("ae2", "onnx")
    z = prior.fitted(nets, prior.normal(3, 4000, 2))
    codes = view.held_codes(nets).mean
    assert np.allclose(z.mean(0), codes.mean(0), atol=0.2)
    assert np.allclose(np.cov(z.T), np.cov(codes.T), rtol=0.15, atol=0.3)


def test_beta_is_told_from_the_reports() -> None:
    nets = [view.pair(name, "onnx") for name in beta.TRAINED]
    assert [beta.beta_of(n) for n in nets] == ["–", "0.25", "1", "4"]
    points = [beta.held_out(n.encoder.report) for n in nets]
    assert points[0] is None
    rates = [p[0] for p in points if p]
    assert rates == sorted(rates, reverse=True), "the curve's legend reads 4, 1, 1/4 from left to right"


# ---------------------------------------------------------------- notes


def test_numbers_of_the_erratum() -> None:
    assert notes.kl_of(0, 0) == 0 and notes.kl_of(1, 0) == 0.5
    assert notes.kl_of(0, 8) > notes.kl_of(0, 4) > 20 and notes.kl_of(0, -20) > 9
    assert elbo.kl(np.zeros(1), np.array([-40.0]))[0] > notes.kl_of(0, -20)


def test_every_test_that_the_notes_name_is_there() -> None:
    for names in notes.TESTS.values():
        for file, name in names:
            tree = ast.parse((ROOT / notes.FOLDER / file).read_text("utf-8"))
            assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}

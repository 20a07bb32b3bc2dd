"""The arithmetic behind the DCGAN page: framing, worked numbers, walks, scores, and the tests that the notes name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.engine import load, run
from app.figures import dcgan as draw
from app.figures.framing import LONGER, framed, light
from models.registry import MODELS
from pages.dcgan_parts import cell, notes, view
from pages.dcgan_parts.gallery import linear, shell
from pages.dcgan_parts.losses import share, tiny
from pages.dcgan_parts.scores import Scores, padded

ROOT = Path(__file__).parents[3]
G, D = MODELS["dcgan_generator"], MODELS["dcgan_discriminator"]


# ---------------------------------------------------------------- framing


def drawn(dark_on_light: bool, height: int = 60, width: int = 200) -> np.ndarray:
    """An upright bar left of the middle."""
    image = np.full((height, width, 3), 250 if dark_on_light else 5, np.uint8)
    image[10:50, 30:40] = 10 if dark_on_light else 240
    return image


def test_ink_is_scaled_centred_and_turned_white():
    dark, light = framed(drawn(True)), framed(drawn(False))
    assert dark.inverted and not light.inverted and not dark.empty
    assert dark.grey.shape == (32, 32) and dark.input.shape == (1, 1, 32, 32)
    rows, columns = np.flatnonzero((dark.grey > 100).any(1)), np.flatnonzero((dark.grey > 100).any(0))
    assert abs(rows[-1] - rows[0] + 1 - LONGER) <= 1
    assert abs((rows[0] + rows[-1]) / 2 - 16) <= 1 and abs((columns[0] + columns[-1]) / 2 - 16) <= 1
    assert np.abs(dark.grey.astype(int) - light.grey).max() <= 12
    assert dark.input.min() >= -1 and dark.input.max() <= 1 and dark.input.dtype == np.float32


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 5000, 3), (5000, 1), (40, 40)])
def test_a_picture_of_one_grey_is_empty(shape: tuple[int, ...]):
    found = framed(np.full(shape, 128, np.uint8))
    assert found.empty and not found.grey.any()


def test_white_would_swallow_light_ink_only():
    ink = np.zeros((9, 9), np.uint8)
    ink[2:7, 4] = 255
    for tone, swallowed in ((255, True), (230, True), (180, False), (0, False)):
        picture = np.full((9, 9, 3), 128, np.uint8)
        picture[ink > 0] = tone
        assert light(picture, ink) is swallowed, tone
    assert not light(np.full((9, 9, 3), 255, np.uint8), np.zeros((9, 9), np.uint8)), "nothing is to be seen"


def test_odd_pictures_are_framed_all_the_same():
    noise = np.random.default_rng(0).integers(0, 256, (30, 500, 3), np.uint8)
    thin = np.zeros((1, 400), np.uint8)
    thin[0, 200] = 255
    for image in (noise, noise.transpose(1, 0, 2), thin, thin.T, np.eye(900, dtype=np.uint8) * 255):
        assert framed(image).grey.shape == (32, 32)


def test_a_digit_of_mnist_stays_nearly_what_it_is():
    from models.generative.digit_files import held_out_digits

    pictures, _ = held_out_digits()
    for digit in pictures[:12]:
        again = framed(np.kron(digit, np.ones((8, 8), np.uint8)))
        assert np.abs(again.grey.astype(float) - np.pad(digit, 2)).mean() < 6


# ---------------------------------------------------------------- samples, walks


def test_a_sample_depends_on_seed_and_number_alone():
    few, many = view.latents(5, 3, 64), view.latents(5, 9, 64)
    np.testing.assert_array_equal(few, many[:3])
    assert np.abs(view.latents(6, 3, 64) - few).min() >= 0 and not np.array_equal(view.latents(6, 3, 64), few)
    assert abs(float(np.concatenate([view.latents(s, 32, 64) for s in range(8)]).std()) - 1) < 0.02


def test_stops_of_a_walk_in_a_link():
    assert view.parse_stops("0,9,31") == (0, 9, 31) and view.format_stops((0, 9, 31)) == "0,9,31"
    assert view.parse_stops("") == ()
    for bad in ("1,1", "32", "-1", "a", "1,2,3,4,5,6,7"):
        with pytest.raises(ValueError):
            view.parse_stops(bad)


def test_the_straight_way_leaves_the_shell_and_the_arc_does_not():
    from app.engine.latent import walk

    ends = view.latents(7, 10, 64)[[0, 9]].astype(np.float64)
    low, high = shell(64)
    lengths = np.linalg.norm(np.random.default_rng(0).standard_normal((20_000, 64)), axis=1)
    assert abs(((lengths > low) & (lengths < high)).mean() - 0.99) < 0.003
    straight, arc = linear(ends, 24), walk(ends, 24)
    assert straight.shape == arc.shape == (25, 64)
    np.testing.assert_allclose(straight[[0, -1]], ends)
    assert np.linalg.norm(straight[12]) < low < np.linalg.norm(arc[12])


# ---------------------------------------------------------------- worked numbers


@pytest.mark.parametrize("slug", ["dcgan_generator", "dcgan_discriminator"])
def test_every_tensor_is_worked_out_as_the_net_does(slug: str):
    model = load(slug, "digits", "onnx")
    z = view.latents(1, 1, 64)
    picture = run(load("dcgan_generator", "digits", "onnx"), {"latent": z}).output
    inputs = {"latent": z} if slug == "dcgan_generator" else {"picture": picture}
    names = [spec.name for spec in model.card.taps(model.config)]
    taps = run(model, inputs, names).taps
    for name in names:
        shape = taps[name].shape
        places = (
            [(0, 0, 0)]
            if len(shape) == 2
            else [(0, 0, 0), tuple(s - 1 for s in shape[1:]), (shape[1] // 2, 1, 2)]
        )
        for at in places:
            at = (at[0], min(at[1], shape[-2] - 1), min(at[2], shape[-1] - 1)) if len(shape) == 4 else at
            if slug == "dcgan_generator":
                found = cell.generator_cell(model.state, z[0], taps, name, at)
            else:
                found = cell.discriminator_cell(model.state, picture[0], taps, name, at)
            value = sum(a * b for _, a, b in found.terms) + found.bias
            value = max(value, 0.0) if found.activation == "relu" else value
            value = float(np.tanh(value)) if found.kind == "tanh" else value
            assert abs(value - found.expected) < 1e-4 * max(1, abs(found.expected)), (name, at)


def test_an_output_cell_of_a_transposed_convolution_hears_two_by_two():
    assert draw.heard(0, 4) == [(0, 1)]  # at the edge one of the two lies outside
    assert draw.heard(3, 4) == [(2, 0), (1, 2)] and draw.heard(4, 4) == [(2, 1), (1, 3)]
    rng = np.random.default_rng(1)
    x, w = rng.standard_normal((2, 4, 4)), rng.standard_normal((2, 1, 4, 4))
    full = np.zeros((10, 10))  # stamp by stamp, then the padding cut off
    for k in range(2):
        for p in range(4):
            for q in range(4):
                full[2 * p : 2 * p + 4, 2 * q : 2 * q + 4] += x[k, p, q] * w[k, 0]
    for i in range(8):
        for j in range(8):
            terms = cell.transposed_terms(x, w, (0, i, j))
            assert abs(sum(a * b for _, a, b in terms) - full[i + 1, j + 1]) < 1e-12


# ---------------------------------------------------------------- figures and words


def test_a_sheet_knows_its_cells():
    sheet = draw.sheet(np.zeros((10, 32, 32)), 4)
    assert sheet.image.shape == (3 * 34 - 2, 4 * 34 - 2, 3)
    for i in range(10):
        x, y = sheet.corner(i)
        assert sheet.at(x, y) == sheet.at(x + 31, y + 31) == i
    assert sheet.at(130, 100) is None
    assert len(sheet.tiles([str(i) for i in range(10)])["names"]) == 10


def test_charts_are_drawn_for_any_numbers():
    edges = np.linspace(-4, 4, 41)
    counts = np.histogram(np.zeros(5), edges)[0]
    svg = draw.score_chart(
        edges, [("a", counts, draw.REAL)], [(-9.0, "<b>"), (9.0, "c")], title="t", x_name="D"
    )
    assert "&lt;b&gt;" in svg and "nan" not in svg and "▸" in svg and "◂" in svg
    bars = draw.z_bars(np.array([0.0, -5.0, 2.0]), title="t", name="z {i}: {value}", rows=2, chosen=1)
    assert bars.count("data-id") == 3 and "z 1: −5.00" in bars
    for row in (0, 3, 7):
        words = dict(input="i", kernel="k", output="o", title="t")
        assert draw.transposed_drawing(row, 0, 4, words).startswith("<svg")


def test_scores_of_both_kinds_share_their_bins():
    found = Scores(np.array([2.0, 3.0, -1.0]), np.array([-2.0, -3.0, 1.0]))
    assert found.ranked == pytest.approx(8 / 9)
    assert found.counts("real").sum() == found.counts("generated").sum() == 3
    assert padded(np.zeros((2, 28, 28), np.uint8)).shape == (2, 1, 32, 32)


def test_numbers_as_they_are_said():
    assert (
        share(-10) == "0.0000454" and share(0) == "0.5" and share(-4) == "0.018" and share(10) == "0.999955"
    )
    assert tiny(-4.54e-5) == "−4.54 · 10⁻⁵" and tiny(-0.99995) == "−0.99995" and tiny(0.5) == "0.5000"


def test_the_notes_name_tests_that_are_there():
    for named in notes.TESTS.values():
        for file, name in named:
            assert f"def {name}(" in (ROOT / notes.FOLDER / file).read_text("utf-8")


def test_E10_E11_numbers_of_the_notes():
    found = notes.figures()
    assert found.saturating == pytest.approx(-4.54e-5, rel=1e-3)
    assert found.non_saturating == pytest.approx(-0.99995, abs=1e-5)
    assert found.even == pytest.approx((-0.5, -0.5))
    assert found.undecided == pytest.approx(-2 * np.log(2))
    assert found.moved == 0 and found.moved_d > 0
    assert found.value < found.best <= 0

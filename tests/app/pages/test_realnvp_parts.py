"""RealNVP's page without the page: places of numbers, one coupling in numpy, its Jacobian, bits, the plane's film."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine import Cancel, Cancelled, load
from app.figures.printed import power_of_ten, small
from app.figures.realnvp_places import depths, lay, layers, nothing, pixels, squeeze, state_before, unsqueeze
from app.widgets.formula import work
from models.generative import flow, flow2d
from models.generative.digit_files import held_out_digits
from models.registry import MODELS
from pages.realnvp_parts import chances, coupling, plane, prior, view
from pages.realnvp_parts.view import Passage

CONFIG = MODELS["realnvp"].weights[0].config


@pytest.fixture(scope="module")
def found() -> view.Nets:
    return view.nets("onnx")


@pytest.fixture(scope="module")
def way(found: view.Nets) -> Passage:
    return view.passage(found, held_out_digits()[0][7], 3)


# ---------------------------------------------------------------- places


def test_squeezing_is_undone() -> None:
    x = np.arange(3 * 4 * 6, dtype=float).reshape(3, 4, 6)
    assert squeeze(x).shape == (12, 2, 3)
    np.testing.assert_array_equal(unsqueeze(squeeze(x)), x)
    assert squeeze(x)[4 + 2, 1, 2] == x[1, 3, 4]  # channel 4 c + 2 r + s


def test_every_number_of_every_coupling_has_its_own_pixel() -> None:
    for layer in layers(CONFIG):
        table = pixels(layer, view.SIDE)
        own = table[table >= 0]
        assert sorted(own.tolist()) == list(range(int(np.prod(layer.shape))))
        mask = lay(layer.mask, layer.group, nothing(view.SIDE))
        assert np.isnan(mask).sum() == mask.size - own.size
        assert abs(np.nansum(mask) - own.size / 2) <= layer.channels / 2  # 7 x 7 has no half


def test_the_last_moment_is_z_and_both_ways_meet(found: view.Nets, way: Passage) -> None:
    there = depths(way.taps, way.x, found.layers)
    back = depths(way.back_taps, way.again, found.layers)
    assert there.shape == (21, 28, 28)
    np.testing.assert_array_equal(there[-1], way.z[0, 0])
    np.testing.assert_array_equal(there[0], way.x[0, 0])
    assert np.abs(there - back).max() <= 1e-4 and way.error <= 1e-4 and way.changed == 0


# ---------------------------------------------------------------- one coupling


@pytest.mark.parametrize("index", [0, 5, 9, 14, 19])
def test_numpys_coupling_is_the_nets(found: view.Nets, way: Passage, index: int) -> None:
    layer = found.layers[index]
    x = state_before(way.taps, way.x, found.layers, index)
    passed = coupling.run(found.there.state, layer, x[None])
    for name, ours in (("scale", passed.scale), ("shift", passed.shift), ("state", passed.y)):
        np.testing.assert_allclose(ours, way.taps[f"coupling.{index}.{name}"], atol=2e-5, rtol=1e-4)


@pytest.mark.parametrize("index", [1, 6])
@pytest.mark.parametrize("which", ["scale", "shift"])
def test_terms_add_up(found: view.Nets, way: Passage, index: int, which: str) -> None:
    layer = found.layers[index]
    x = state_before(way.taps, way.x, found.layers, index)
    passed = coupling.run(found.there.state, layer, x[None])
    at = tuple(int(i) for i in np.argwhere(layer.mask == 0)[3])
    terms, bias = coupling.head_terms(found.there.state, layer, passed, (at[0], at[1], at[2]), which)
    expected = (passed.raw if which == "scale" else passed.shift)[(0, *at)]
    assert work(terms, bias).exact == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("index", [0, 7, 10, 13, 18])
def test_the_jacobian_is_a_triangle_whose_determinant_is_the_sum(
    found: view.Nets, way: Passage, index: int
) -> None:
    layer = found.layers[index]
    x = state_before(way.taps, way.x, found.layers, index)
    got = coupling.piece(found.there.state, layer, x, (0, layer.side // 2, layer.side // 2))
    assert len(set(got.places)) == 16 and got.stay == 8
    j = got.jacobian
    assert np.abs(j[:8, 8:]).max() < 1e-9 and np.abs(j[8:, 8:] - np.diag(np.diag(j[8:, 8:]))).max() < 1e-9
    assert np.abs(j[8:, :8]).max() > 1e-6  # what changes does hear what stays
    assert got.log_det == pytest.approx(got.from_scales, abs=1e-6)


def test_a_corner_has_its_piece_too(found: view.Nets, way: Passage) -> None:
    layer = found.layers[2]
    x = state_before(way.taps, way.x, found.layers, 2)
    for corner in ((0, 0, 0), (0, 27, 27)):
        assert corner in coupling.piece(found.there.state, layer, x, corner).places


# ---------------------------------------------------------------- bits


def test_the_log_det_is_the_sum_of_the_couplings(found: view.Nets, way: Passage) -> None:
    parts = sum(float(way.taps[f"coupling.{i}.log_det"][0]) for i in range(len(found.layers)))
    assert parts == pytest.approx(way.log_det, abs=0.05)
    assert view.bits(found.there, way.grey[None], view.noises(3, 1, (1, 28, 28)))[0] == pytest.approx(
        way.bits, abs=1e-3
    )


def test_strangers_surprise_the_flow_and_black_does_not(found: view.Nets) -> None:
    greys = held_out_digits()[0][:12]
    digits = view.bits(found.there, greys, view.noises(0, 12, (1, 28, 28)))
    others = chances.strangers(greys[0])
    bits = dict(
        zip(
            others,
            view.bits(found.there, np.stack(list(others.values())), view.noises(0, 3, (1, 28, 28))),
            strict=True,
        )
    )
    assert bits["noise"] > bits["inverted"] > 8 > digits.max() > digits.min() > bits["black"]


def test_held_out_digits_in_blocks_and_stopped(found: view.Nets, monkeypatch: pytest.MonkeyPatch) -> None:
    greys = held_out_digits()[0][:9]
    monkeypatch.setattr(view, "held_out_digits", lambda: (greys, None))
    *moments, last = view.held_out_bits(found.there, Cancel(), block=4)
    assert [m.done for m in moments] == [0, 4, 8] and last.result is not None
    whole = view.bits(found.there, greys, view.noises(0, 9, (1, 28, 28)))
    np.testing.assert_allclose(last.result, whole, atol=1e-4)
    stop = Cancel()
    running = view.held_out_bits(found.there, stop, block=4)
    next(running)
    stop.set()
    with pytest.raises(Cancelled):
        next(running)


def test_ends_of_the_walk_are_the_pictures(found: view.Nets, way: Passage) -> None:
    other = view.passage(found, held_out_digits()[0][1], 3)
    for kind in ("arc", "straight"):
        z = prior.between(way.z, other.z, kind)
        painted = view.paint(found.back, z[[0, -1]])
        assert (painted[0] == way.grey).mean() > 0.998 and (painted[1] == other.grey).mean() > 0.998
    middle = {
        k: np.linalg.norm(prior.between(way.z, other.z, k)[prior.STEPS // 2]) for k in ("arc", "straight")
    }
    assert middle["straight"] < 0.95 * middle["arc"]  # two digits: their z are alike to some degree


@pytest.mark.torch
def test_both_engines_agree(found: view.Nets) -> None:
    grey = held_out_digits()[0][5]
    one, two = (view.passage(view.nets(engine), grey, 0) for engine in ("onnx", "torch"))
    np.testing.assert_allclose(one.z, two.z, atol=1e-3)
    assert one.bits == pytest.approx(two.bits, abs=1e-4)
    assert load("realnvp", "digits", "torch").engine == "torch"


def test_words() -> None:
    assert small(0) == "0" and small(3.3e-6) == "3.3 × 10⁻⁶" and power_of_ten(-444.4) == "10⁻⁴⁴⁴"
    assert view.signed(-0.001) == "0.00" and view.signed(-1234.5, 1) == "−1,234.5"


# ---------------------------------------------------------------- the plane

PLAN = plane.Plan("moons")


def film(plan: plane.Plan, steps: int, before: plane.Film | None = None) -> plane.Film:
    *_, last = plane.train(plan, steps, before, Cancel())
    assert last.result is not None
    return last.result


def test_going_on_is_the_same_as_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plane, "FRAME", 5)
    whole, half = film(PLAN, 20), film(PLAN, 10)
    more = film(PLAN, 20, half)
    assert [m.steps for m in whole.moments] == [m.steps for m in more.moments] == [0, 5, 10, 15, 20]
    np.testing.assert_array_equal(whole.moments[-1].samples, more.moments[-1].samples)
    assert film(PLAN, 5, whole).steps == 5  # fewer steps: from the start
    assert film(plane.Plan("spiral"), 5, half).moments[0].steps == 0
    assert whole.moments[-1].loss < whole.moments[0].loss


def test_the_density_is_one_and_points_come_back() -> None:
    state = film(PLAN, 40).state
    assert plane.integral(state) == pytest.approx(1, abs=0.01)
    points = PLAN.unseen
    there = plane.there(state, points)
    assert there.shape == (8 * plane.BETWEEN + 1, len(points), 2)
    z, _ = flow2d.forward(state, points)
    np.testing.assert_allclose(there[-1], z, atol=1e-6)
    np.testing.assert_allclose(plane.back(state, z), there, atol=2e-3)


def test_lines_and_rings_end_as_they_are_in_z() -> None:
    state = flow2d.new(PLAN.points)
    for curves in (plane.net_of_lines(), plane.rings()):
        last = plane.bent(state, curves)[-1]
        for a, b in zip(last, curves, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-6)


def test_clouds() -> None:
    for name in plane.CLOUDS:
        assert plane.cloud(name, (), 0).shape == (plane.POINTS, 2)
    own = ((1.0, 0.5), (-1.0, 0.0))
    points = plane.cloud("own", own, 0)
    assert np.linalg.norm(points[:, None] - np.array(own), axis=2).min(1).max() < 0.4
    assert not np.array_equal(PLAN.points[:16], PLAN.unseen[:16])


def test_levels_that_come_back_are_the_levels_that_went() -> None:
    levels = np.arange(256, dtype=np.uint8).reshape(1, 1, 16, 16)
    x, _ = flow.stretch(levels, view.noises(0, 1, (1, 16, 16)))
    np.testing.assert_array_equal(flow.shrink(x), levels)

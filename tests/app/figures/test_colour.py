"""The colour maps: even lightness, order kept, colour-blind safe; odd numbers marked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from app.figures.colour import (
    INFINITE,
    LUT,
    NAN,
    STEPS,
    colormap,
    css_gradient,
    from_oklab,
    kind_of,
    limits_of,
    to_oklab,
)

# Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB
BLIND = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}


def as_seen(rgb: np.ndarray, blindness: str) -> np.ndarray:
    """OKLab of sRGB colours as a colour-blind reader sees them."""
    x = rgb / 255.0
    linear = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4) @ np.array(BLIND[blindness]).T
    linear = np.clip(linear, 0, 1)
    return to_oklab(255 * np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055))


def test_oklab_round_trip_and_white():
    colours = np.random.default_rng(0).integers(0, 256, (500, 3)).astype(np.uint8)
    assert np.array_equal(from_oklab(to_oklab(colours)), colours)
    assert to_oklab(np.array([255, 255, 255])) == pytest.approx([1, 0, 0], abs=1e-3)


def test_sequential_rises_evenly():
    lightness = to_oklab(LUT["sequential"])[:, 0]
    steps = np.diff(lightness)
    assert (steps > 0).all()
    assert lightness[-1] - lightness[0] > 0.75
    assert steps.std() < 0.35 * steps.mean()


def test_diverging_is_symmetric_in_lightness():
    lightness = to_oklab(LUT["diverging"])[:, 0]
    half = STEPS // 2
    assert (np.diff(lightness[:half]) > 0).all() and (np.diff(lightness[half:]) < 0).all()
    assert np.abs(lightness[:half] - lightness[half:][::-1]).max() < 0.05
    middle = LUT["diverging"][half].astype(int)
    assert middle.min() > 235 and np.ptp(middle) < 10


@pytest.mark.parametrize("blindness", BLIND)
def test_colour_blind_readers_tell_the_signs_apart(blindness):
    seen = as_seen(LUT["diverging"].astype(float), blindness)
    half = STEPS // 2
    for distance in (40, 80, 120):  # the same size, the other sign
        assert np.linalg.norm(seen[half - 1 - distance] - seen[half + distance]) > 0.09
    assert (np.diff(as_seen(LUT["sequential"].astype(float), blindness)[:, 0])[::8] > -1e-3).all()


def test_tables_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        LUT["sequential"][0] = 0


def test_ends_and_middle():
    out = colormap(np.array([-2.0, 0.0, 2.0]), "diverging")
    assert np.array_equal(out[0], LUT["diverging"][0]) and np.array_equal(out[2], LUT["diverging"][-1])
    assert np.array_equal(out[1], LUT["diverging"][STEPS // 2])
    out = colormap(np.array([3.0, 9.0]), limits=(4, 5))
    assert np.array_equal(out, LUT["sequential"][[0, -1]])


@pytest.mark.parametrize("value", [0.0, 7.5, -3.0, 1e30])
def test_constant_arrays(value):
    array = np.full((3, 4), value)
    assert np.array_equal(colormap(array)[0, 0], LUT["sequential"][0])
    out = colormap(array, "diverging")[0, 0]
    index = STEPS // 2 if value == 0 else STEPS - 1 if value > 0 else 0
    assert np.array_equal(out, LUT["diverging"][index])


def test_odd_numbers_are_marked():
    out = colormap(np.array([np.nan, np.inf, -np.inf, 1.0, 0.0]))
    assert [tuple(c) for c in out[:3]] == [NAN, INFINITE, INFINITE]
    assert np.array_equal(out[3], LUT["sequential"][-1])
    table = {tuple(c) for kind in LUT for c in LUT[kind]}
    assert NAN not in table and INFINITE not in table
    assert (colormap(np.full((2, 2), np.nan)) == NAN).all()
    assert colormap(np.zeros((0, 3))).shape == (0, 3, 3)


def test_bad_limits():
    for limits in ((1.0, 0.0), (0.0, np.inf), (np.nan, 1.0)):
        with pytest.raises(ValueError, match="limits"):
            colormap(np.zeros(3), limits=limits)


def test_limits():
    assert limits_of(np.array([-1.0, 3.0, np.nan])) == (-1.0, 3.0)
    assert limits_of(np.array([-1.0, 3.0, np.inf]), "diverging") == (-3.0, 3.0)
    assert limits_of(np.array([np.nan])) == (0.0, 0.0)
    assert limits_of(np.arange(101.0), percentile=90) == pytest.approx((10, 90))
    assert limits_of(np.arange(-100.0, 1), "diverging", percentile=90) == pytest.approx((-90, 90))
    assert kind_of(np.array([0.0, 1.0])) == "sequential" and kind_of(np.array([-0.1, 1.0])) == "diverging"


@given(
    arrays(np.float32, array_shapes(max_dims=3, max_side=5), elements=st.floats(width=32)),
    st.sampled_from(["sequential", "diverging"]),
)
def test_any_array_gets_colours(array, kind):
    out = colormap(array, kind)
    assert out.shape == (*array.shape, 3) and out.dtype == np.uint8
    finite = np.isfinite(array)
    order = np.argsort(array[finite], kind="stable")
    table = {tuple(c): i for i, c in enumerate(LUT[kind])}
    places = np.array([table[tuple(c)] for c in out[finite][order]])
    assert (np.diff(places) >= 0).all()  # colours keep the order of the numbers


def test_gradient_names_the_ends():
    css = css_gradient("sequential")
    r, g, b = LUT["sequential"][0]
    assert css.startswith(f"linear-gradient(90deg,rgb({r},{g},{b})")

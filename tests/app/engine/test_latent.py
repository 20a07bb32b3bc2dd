"""Walks in z: even turning, even length, and the pairs of vectors for which an arc is not determined."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.latent import spherical, walk

RANDOM = np.random.default_rng(0)


def between(a: np.ndarray, b: np.ndarray) -> float:
    """Angle in radians."""
    return float(np.arccos(np.clip(a @ b / np.linalg.norm(a) / np.linalg.norm(b), -1, 1)))


def test_turns_and_grows_evenly():
    a, b = RANDOM.normal(size=64), 2 * RANDOM.normal(size=64)
    path = spherical(a, b, np.linspace(0, 1, 11))
    assert path.shape == (11, 64)
    assert np.array_equal(path[0], a) and np.array_equal(path[-1], b)
    lengths = np.linalg.norm(path, axis=1)
    assert np.allclose(np.diff(lengths), (np.linalg.norm(b) - np.linalg.norm(a)) / 10)
    turns = [between(p, q) for p, q in zip(path, path[1:], strict=False)]
    assert np.allclose(turns, between(a, b) / 10)


def test_a_quarter_turn_by_hand():
    half = spherical([2.0, 0.0], [0.0, 2.0], 0.5)
    assert half.shape == (2,)
    assert np.allclose(half, [np.sqrt(2), np.sqrt(2)])


def test_the_textbook_formula():
    """Shoemake 1985: sin((1-t) w) / sin w a + sin(t w) / sin w b, for vectors of one length."""
    a, b = RANDOM.normal(size=(2, 64))
    b *= np.linalg.norm(a) / np.linalg.norm(b)
    w = between(a, b)
    for t in (0.1, 0.5, 0.9):
        expected = (np.sin((1 - t) * w) * a + np.sin(t * w) * b) / np.sin(w)
        assert np.allclose(spherical(a, b, t), expected)


def test_keeps_the_length_that_a_straight_line_loses():
    a, b = RANDOM.normal(size=(2, 64))
    shorter = min(np.linalg.norm(a), np.linalg.norm(b))
    assert np.linalg.norm((a + b) / 2) < 0.8 * shorter
    assert np.linalg.norm(spherical(a, b, 0.5)) >= shorter


@pytest.mark.parametrize("scale", [1.0, 3.0, 1 + 1e-12])
def test_parallel(scale: float):
    a = RANDOM.normal(size=64)
    for t in (0.0, 0.25, 1.0):
        assert np.allclose(spherical(a, scale * a, t), (1 + t * (scale - 1)) * a)


def test_nearly_parallel_joins_smoothly():
    a, side = np.zeros(64), np.zeros(64)
    a[0], side[1] = 1, 1
    for angle in (0.9e-4, 1.1e-4):
        b = np.cos(angle) * a + np.sin(angle) * side
        expected = np.cos(angle / 2) * a + np.sin(angle / 2) * side
        assert np.allclose(spherical(a, b, 0.5), expected, atol=1e-8)


@pytest.mark.parametrize("wobble", [0.0, 1e-9])
def test_opposite(wobble: float):
    """No shortest way: one is chosen, always the same, and it does not pass through the origin."""
    a = RANDOM.normal(size=64)
    b = -a
    b[3] += wobble
    path = spherical(a, b, np.linspace(0, 1, 21))
    assert np.array_equal(path, spherical(a, b, np.linspace(0, 1, 21)))
    assert np.allclose(np.linalg.norm(path, axis=1), np.linalg.norm(a))
    assert np.allclose([between(p, q) for p, q in zip(path, path[1:], strict=False)], np.pi / 20)
    assert np.array_equal(path[-1], b)


def test_zero():
    a, zero = RANDOM.normal(size=64), np.zeros(64)
    assert np.allclose(spherical(zero, a, 0.25), 0.25 * a)
    assert np.allclose(spherical(a, zero, 0.25), 0.75 * a)
    assert np.array_equal(spherical(zero, zero, np.linspace(0, 1, 3)), np.zeros((3, 64)))


def test_one_number():
    assert np.allclose(spherical([2.0], [-2.0], 0.25), [1.0])


@pytest.mark.parametrize(
    ("a", "b"),
    [([1.0, 2.0], [1.0]), ([[1.0]], [[1.0]]), ([], []), ([np.nan, 1.0], [1.0, 1.0]), ([1.0], [np.inf])],
)
def test_refuses(a: list, b: list):
    with pytest.raises(ValueError):
        spherical(a, b, 0.5)


def test_walk():
    stops = RANDOM.normal(size=(3, 8))
    path = walk(stops, 4)
    assert path.shape == (9, 8)
    assert np.array_equal(path[::4], stops)
    assert np.array_equal(path[:5], spherical(stops[0], stops[1], np.arange(5) / 4))
    around = walk(stops, 4, closed=True)
    assert around.shape == (12, 8)
    assert np.array_equal(around[::4], stops)
    assert np.allclose(around[-1], spherical(stops[2], stops[0], 0.75))
    for bad in (stops[:1], stops[0]):
        with pytest.raises(ValueError):
            walk(bad, 4)
    with pytest.raises(ValueError):
        walk(stops, 0)

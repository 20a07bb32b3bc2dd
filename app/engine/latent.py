"""Walks between latent vectors. numpy only."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

NEARLY_PARALLEL = 1e-4  # radians: below it the arc and the chord are the same to float precision


def spherical(a: ArrayLike, b: ArrayLike, t: ArrayLike) -> np.ndarray:
    """Points on the arc from a to b: the direction turns at an even pace, the length goes evenly from |a| to |b|.

    a, b: (n,). t: scalar -> (n,), or (T,) -> (T, n); 0 gives a and 1 gives b, exactly. Result float64.
    A straight line between two samples of a normal distribution passes too near to the origin, where the
    generator was never trained; the arc keeps the length that such samples have (White 2016, "Sampling Generative
    Networks", arXiv 1609.04468).
    Where the arc is not determined: parallel vectors and a zero vector give the straight line; opposite vectors turn
    through the axis that a uses least, always the same one.
    Raises ValueError where a and b are not vectors of one length or not finite.
    """
    start, end = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if start.ndim != 1 or start.shape != end.shape or start.size == 0:
        raise ValueError(f"two vectors of one length are needed, not {start.shape} and {end.shape}")
    if not (np.isfinite(start).all() and np.isfinite(end).all()):
        raise ValueError("a latent vector holds a number that is not finite")
    times = np.asarray(t, np.float64)
    share = times[..., None]
    length_a, length_b = np.linalg.norm(start), np.linalg.norm(end)
    straight = (1 - share) * start + share * end
    if length_a == 0 or length_b == 0 or start.size == 1:
        return straight
    u, v = start / length_a, end / length_b
    # atan2 of difference and sum is exact at both ends, where arccos of the product loses half the digits
    angle = 2 * np.arctan2(np.linalg.norm(u - v), np.linalg.norm(u + v))
    if angle < NEARLY_PARALLEL:
        return straight
    across = v - (u @ v) * u  # the part of v at right angles to u: together they span the plane of the arc
    if np.pi - angle < NEARLY_PARALLEL:
        across = np.zeros_like(u)
        across[np.argmin(np.abs(u))] = 1.0
        across -= (u @ across) * u
    across /= np.linalg.norm(across)
    turned = np.cos(share * angle) * u + np.sin(share * angle) * across
    path = ((1 - share) * length_a + share * length_b) * turned
    return np.where(share == 0, start, np.where(share == 1, end, path))


def walk(stops: ArrayLike, between: int, closed: bool = False) -> np.ndarray:
    """A path through several vectors: stops (S, n) -> (T, n), `between` steps from each stop to the next.

    T = between * (S - 1) + 1; closed comes back to the first stop without repeating it: T = between * S.
    Raises ValueError for fewer than two stops or no step.
    """
    points = np.asarray(stops, np.float64)
    if points.ndim != 2 or len(points) < 2 or between < 1:
        raise ValueError("a walk needs two stops at least, and one step between them")
    t = np.arange(between) / between
    ends = np.roll(points, -1, axis=0) if closed else points[1:]
    legs = [spherical(a, b, t) for a, b in zip(points, ends, strict=False)]
    return np.concatenate(legs if closed else [*legs, points[-1:]])

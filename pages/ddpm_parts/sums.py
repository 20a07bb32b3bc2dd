"""The numbers of the DDPM page: how near a sample is to the training pictures, the forward chain, how two paths part.

numpy only; imports no streamlit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from models.generative.schedule import Schedule, add_noise

# ---------------------------------------------------------------- a sample or a copy


@dataclass(frozen=True, eq=False)
class Bank:
    """The pictures that a model was trained on. images: uint8 (N, H, W, 3); flat: float32 (N, pixels) in [0, 1]."""

    images: np.ndarray
    flat: np.ndarray
    squares: np.ndarray  # |flat|^2


@dataclass(frozen=True)
class Usual:
    """How far real pictures are from their nearest training picture: a low one in twenty, quarters and the middle."""

    low: float
    quarter: float
    median: float
    three_quarters: float


@dataclass(frozen=True, eq=False)
class Near:
    """The training pictures nearest to one sample, nearest first: their indices and distances."""

    index: np.ndarray
    distance: np.ndarray


@lru_cache(maxsize=4)
def bank(path: Path, stamp: int) -> Bank:
    """Read the training pictures beside the weights (`images`, uint8 (N, H, W) or (N, H, W, 3)). stamp: of the file."""
    with np.load(path, allow_pickle=False) as data:
        images = np.asarray(data["images"], np.uint8)
    if images.ndim == 3:
        images = np.repeat(images[..., None], 3, -1)
    flat = _flat(images)
    return Bank(images, flat, np.square(flat).sum(1))


def _flat(images: np.ndarray) -> np.ndarray:
    """uint8 (N, H, W, 3) -> float32 (N, pixels) in [0, 1]; a grey picture counts each pixel once."""
    grey = bool((images[..., 0] == images[..., 1]).all() and (images[..., 1] == images[..., 2]).all())
    pixels = images[..., :1] if grey else images
    return pixels.reshape(len(images), -1).astype(np.float32) / 255


def nearest(known: Bank, samples: np.ndarray, count: int = 3) -> list[Near]:
    """The nearest training pictures of each sample (uint8 (n, H, W, 3)), by Euclidean distance of pixels in [0, 1]."""
    flat = samples.reshape(len(samples), -1).astype(np.float32) / 255
    if flat.shape[1] != known.flat.shape[1]:  # grey ones, whose three colours are one
        flat = samples[..., 0].reshape(len(samples), -1).astype(np.float32) / 255
    distance = _distances(known, flat)
    order = np.argsort(distance, axis=1)[:, :count]
    return [Near(i, d[i]) for i, d in zip(order, distance, strict=True)]


def _distances(known: Bank, flat: np.ndarray) -> np.ndarray:
    squares = np.square(flat).sum(1)[:, None] + known.squares[None] - 2 * flat @ known.flat.T
    return np.sqrt(np.maximum(squares, 0))


@lru_cache(maxsize=4)
def usual(path: Path, stamp: int, count: int = 300) -> Usual:
    """How far a training picture is from the nearest other one, over `count` of them: real against real."""
    known = bank(path, stamp)
    total = len(known.flat)
    chosen = np.random.default_rng(0).choice(total, min(count, total), replace=False)
    distance = _distances(known, known.flat[chosen])
    distance[np.arange(len(chosen)), chosen] = np.inf
    low, quarter, median, more = np.quantile(distance.min(1), [0.05, 0.25, 0.5, 0.75])
    return Usual(float(low), float(quarter), float(median), float(more))


# ---------------------------------------------------------------- the forward process


BINS = 400
REACH = 5.0  # histograms run from -5 to 5


@dataclass(frozen=True, eq=False)
class Chain:
    """The forward process walked step by step from one picture, many times with other noise.

    first: (T + 1, C, H, W), the first walk; counts: (T + 1, BINS), histograms of all walks' pixels, index 0 = x_0.
    residual: (T + 1, 2), mean and deviation of the noise that each x_t holds, (x_t - sqrt(alpha_bar) x_0) /
    sqrt(1 - alpha_bar). values: how many pixels stand behind each histogram.
    """

    first: np.ndarray
    counts: np.ndarray
    residual: np.ndarray
    values: int


@dataclass(frozen=True)
class Agreement:
    """Stepwise and closed form at one t. gap: the largest difference of their cumulative histograms. chance: what two
    equal distributions exceed once in a hundred tries. mean, deviation: of the stepwise noise (0 and 1 are due)."""

    gap: float
    chance: float
    mean: float
    deviation: float

    @property
    def agrees(self) -> bool:
        return self.gap <= self.chance


def draws_of(size: int) -> int:
    """How many walks for a picture of so many numbers: enough for a smooth histogram, few enough to wait for."""
    return max(2, min(16, 12_544 // size))


def walk(schedule: Schedule, x0: np.ndarray, seed: int = 0) -> Chain:
    """All T forward steps from x0 (C, H, W), one after the other (DDPM eq. 2)."""
    draws, total = draws_of(x0.size), schedule.steps
    rng = np.random.Generator(np.random.Philox(seed))
    x = np.broadcast_to(x0.astype(np.float32), (draws, *x0.shape)).copy()
    first = np.empty((total + 1, *x0.shape), np.float32)
    counts, residual = np.empty((total + 1, BINS), np.int32), np.zeros((total + 1, 2))
    z = np.empty_like(x)
    for t in range(total + 1):
        if t:
            rng.standard_normal(dtype=np.float32, out=z)
            x *= np.float32(math.sqrt(schedule.alpha[t - 1]))
            z *= np.float32(math.sqrt(schedule.beta[t - 1]))
            x += z
            level = float(schedule.alpha_bar[t - 1])
            rest = x - np.float32(math.sqrt(level)) * x0
            residual[t] = rest.mean() / math.sqrt(1 - level), rest.std() / math.sqrt(1 - level)
        first[t], counts[t] = x[0], histogram(x)
    return Chain(first, counts, residual, x.size)


def histogram(values: np.ndarray) -> np.ndarray:
    """(BINS,) counts from -REACH to REACH; what lies beyond goes into the outer bins."""
    place = ((np.asarray(values).ravel() + REACH) * (BINS / (2 * REACH))).astype(np.int32)
    return np.bincount(np.clip(place, 0, BINS - 1), minlength=BINS)


def edges(bins: int = BINS) -> np.ndarray:
    return np.linspace(-REACH, REACH, bins + 1)


def coarser(counts: np.ndarray, bins: int = 80) -> np.ndarray:
    """A histogram of BINS bins with fewer of them."""
    return counts.reshape(bins, -1).sum(1)


def jump(schedule: Schedule, x0: np.ndarray, t: int, noise: np.ndarray) -> np.ndarray:
    """x_t at once (DDPM eq. 4). t: 0 is x0 itself, T the end, as the paper counts."""
    if t == 0:
        return np.broadcast_to(x0, noise.shape).astype(np.float32)
    return np.asarray(add_noise(x0, noise, schedule.alpha_bar[t - 1]), np.float32)


def jumps(schedule: Schedule, x0: np.ndarray, t: int, seed: int = 1) -> np.ndarray:
    """Histogram (BINS,) of as many independent jumps to t as the chain has walks."""
    rng = np.random.Generator(np.random.Philox(key=[seed, t]))
    noise = rng.standard_normal((draws_of(x0.size), *x0.shape), dtype=np.float32)
    return histogram(jump(schedule, x0, t, noise))


def agreement(chain: Chain, closed: np.ndarray, t: int) -> Agreement:
    """Compare the walks at t with jumps (their histogram, of as many values)."""
    a, b = np.cumsum(chain.counts[t]) / chain.counts[t].sum(), np.cumsum(closed) / closed.sum()
    mean, deviation = chain.residual[t]
    return Agreement(
        float(np.abs(a - b).max()), 1.63 * math.sqrt(2 / chain.values), float(mean), float(deviation)
    )


# ---------------------------------------------------------------- two paths


def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Root of the mean squared difference of two paths (S, N, C, H, W), a step: (S,)."""
    return np.sqrt(np.square(a.astype(np.float64) - b).mean(axis=tuple(range(1, a.ndim))))


def same_steps(t: np.ndarray, other: np.ndarray) -> np.ndarray:
    """For each t of a path the index in `other` whose t is nearest (both fall)."""
    rising = other[::-1]
    right = np.clip(np.searchsorted(rising, t), 0, len(rising) - 1)
    left = np.maximum(right - 1, 0)
    nearer = np.where(np.abs(rising[left] - t) <= np.abs(rising[right] - t), left, right)
    return len(other) - 1 - nearer

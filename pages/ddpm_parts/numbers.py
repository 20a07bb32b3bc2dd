"""The numbers of the DDPM page: how near a sample is to the training pictures, the forward chain, how two paths part.

numpy only; imports no streamlit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from models.generative.digit_files import held_out_digits, nearest, train_digits
from models.generative.emoji_files import train_emoji
from models.generative.schedule import Schedule, add_noise

# ---------------------------------------------------------------- a sample or a copy


@dataclass(frozen=True)
class Usual:
    """How far real pictures of one class are from their nearest training picture: the lowest twentieth, the quarters
    and the middle."""

    low: float
    quarter: float
    median: float
    three_quarters: float


@dataclass(frozen=True, eq=False)
class Near:
    """The training pictures nearest to one sample, nearest first: uint8 (K, H, W, 3), their labels and distances."""

    pictures: np.ndarray
    labels: np.ndarray
    distance: np.ndarray


def known(colours: int) -> tuple[np.ndarray, np.ndarray]:
    """What the weights learned from and its labels: digits (N, 28, 28), or emoji (N, 32, 32, 3) and their mirror
    images, with which they were trained too."""
    return train_digits() if colours == 1 else train_emoji(mirrored=True)


@lru_cache(maxsize=32)
def usual(colours: int, label: int) -> Usual:
    """Real against real, by Euclidean distance of pixels in [0, 1], of one class (ones are nearer to each other than
    eights): digits that no model has seen; of the emoji, each drawing against the others."""
    if colours == 1:
        held_out, labels = held_out_digits()
        distance = nearest(held_out[labels == label], train_digits()[0])[0][:, 0]
    else:
        drawings, labels = train_emoji()
        distance = nearest(drawings[labels == label], drawings, 2)[0][:, 1]  # the nearest of all is itself
    low, quarter, median, more = np.quantile(distance, [0.05, 0.25, 0.5, 0.75])
    return Usual(float(low), float(quarter), float(median), float(more))


def neighbours(samples: np.ndarray, count: int = 3) -> list[Near]:
    """The training pictures nearest to each sample, (N, C, H, W) in [-1, 1]."""
    pictures, labels = known(samples.shape[1])
    shown = np.clip((np.moveaxis(samples, 1, -1) + 1) * 127.5, 0, 255)
    distance, index = nearest(shown if pictures.ndim == 4 else shown[..., 0], pictures, count)
    found = [pictures[i] if pictures.ndim == 4 else np.repeat(pictures[i][..., None], 3, -1) for i in index]
    return [Near(p, labels[i], d) for p, i, d in zip(found, index, distance, strict=True)]


# ---------------------------------------------------------------- the forward process


BINS = 400
REACH = 5.0  # histograms run from -5 to 5
SHOWN = 3.5  # and are drawn from -3.5 to 3.5


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


def drawn(counts: np.ndarray, bins: int = 70) -> tuple[np.ndarray, np.ndarray]:
    """The middle of a histogram with fewer bins, to be drawn, and their edges."""
    left = round(BINS * (REACH - SHOWN) / (2 * REACH))
    return counts[left : BINS - left].reshape(bins, -1).sum(1), np.linspace(-SHOWN, SHOWN, bins + 1)


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

r"""What stands around a flow of pictures: grey levels made continuous and stretched, probabilities counted in bits.

Theis, van den Oord, Bethge, "A note on the evaluation of generative models", ICLR 2016 (uniform dequantisation); Dinh
et al. 2017, section 4.1 (the logit). numpy only.

    v = level + u, u uniform in [0, 1)                         a density of v is a bound on the chance of the level
    s = a + (1 - 2 a) v / 256,   x = log(s / (1 - s))          a = 0.05, so that black and white stay finite
    bits per dimension = -(log p(x) + sum log |dx / dv|) / (D ln 2)        8 for 256 levels that are all as likely
"""

from __future__ import annotations

import numpy as np

MARGIN = 0.05
LEVELS = 256


def stretch(levels: np.ndarray, noise: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Levels 0 .. 255 (N, ...), noise in [0, 1) of the same shape -> x float32, and sum of log |dx / dv| (N,)."""
    share = MARGIN + (1 - 2 * MARGIN) * (levels.astype(np.float64) + noise) / LEVELS
    slope = np.log((1 - 2 * MARGIN) / LEVELS) - np.log(share) - np.log1p(-share)
    return np.log(share / (1 - share)).astype(np.float32), slope.reshape(len(levels), -1).sum(1)


def shrink(x: np.ndarray) -> np.ndarray:
    """Back to levels, rounded down and clipped: x (N, ...) -> uint8."""
    share = 1 / (1 + np.exp(-np.asarray(x, np.float64)))
    level = np.floor((share - MARGIN) / (1 - 2 * MARGIN) * LEVELS)
    return np.clip(level, 0, LEVELS - 1).astype(np.uint8)


def log_prior(z: np.ndarray) -> np.ndarray:
    """log N(z; 0, I): (N, ...) -> (N,)."""
    z = np.asarray(z, np.float64).reshape(len(z), -1)
    return -0.5 * (z**2 + np.log(2 * np.pi)).sum(1)


def bits_per_dim(z: np.ndarray, log_det: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """From what the flow gives and what stretching costs: z (N, ...), log |det J| (N,), slope (N,) -> (N,)."""
    total = log_prior(z) + np.asarray(log_det, np.float64) + slope
    return -total / (z[0].size * np.log(2))

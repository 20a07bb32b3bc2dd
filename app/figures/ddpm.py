"""Figures of the DDPM page: pictures of x_t, of predicted images and of noise, the sheet of a path.

numpy in, uint8 pictures out. Arrays of a path: (frames, samples, channels, rows, columns), pixels in [-1, 1].
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

NOISE_RANGE = 3.0  # noise is shown from -3 (black) to 3 (white)


def to_rgb(x: np.ndarray) -> np.ndarray:
    """(…, C, H, W) in [-1, 1], C 1 or 3 -> uint8 (…, H, W, 3); what lies outside is clipped."""
    grey = np.clip((np.asarray(x, np.float32) + 1) * 127.5, 0, 255)
    pictures = np.moveaxis(np.nan_to_num(grey) + 0.5, -3, -1).astype(np.uint8)
    return np.ascontiguousarray(np.broadcast_to(pictures, (*pictures.shape[:-1], 3)))


def noise_rgb(epsilon: np.ndarray) -> np.ndarray:
    """Noise (…, C, H, W) around 0 -> uint8 (…, H, W, 3), middle grey for 0."""
    return to_rgb(np.asarray(epsilon) / NOISE_RANGE)


def kept(count: int, most: int) -> np.ndarray:
    """Which of `count` frames are shown: all, or `most` of them evenly, the first and the last included."""
    return np.unique(np.round(np.linspace(0, count - 1, min(count, most))).astype(int))


def enlarge(image: np.ndarray, factor: int) -> np.ndarray:
    """(…, H, W, 3): every pixel as a square of `factor` pixels."""
    return image.repeat(factor, -3).repeat(factor, -2)


def grid(pictures: Sequence[Sequence[np.ndarray]], gap: int = 4, ground: int = 255) -> np.ndarray:
    """Rows of pictures of one size (H, W, 3) -> one picture, `gap` pixels of ground between and around them."""
    height, width = pictures[0][0].shape[:2]
    rows, columns = len(pictures), max(len(row) for row in pictures)
    sheet = np.full((rows * (height + gap) + gap, columns * (width + gap) + gap, 3), ground, np.uint8)
    for r, row in enumerate(pictures):
        for c, picture in enumerate(row):
            top, left = gap + r * (height + gap), gap + c * (width + gap)
            sheet[top : top + height, left : left + width] = picture
    return sheet


def sheet(x: np.ndarray, x0: np.ndarray, columns: int = 10, factor: int = 3) -> np.ndarray:
    """The path on one page: two rows a sample, x_t above and the predicted image below, from noise to the result.

    x: (S + 1, N, C, H, W) with the result last; x0: (S, N, C, H, W).
    """
    steps = kept(len(x), columns)
    shown, predicted = to_rgb(x), to_rgb(x0)
    rows = []
    for n in range(x.shape[1]):
        rows.append([enlarge(shown[s, n], factor) for s in steps])
        rows.append([enlarge(predicted[min(s, len(x0) - 1), n], factor) for s in steps])
    return grid(rows)


def beside(sample: np.ndarray, others: np.ndarray, factor: int = 3, gap: int = 6) -> np.ndarray:
    """A sample and, after a wider gap, pictures to compare it with, RGBA (H, W, 4) with clear gaps.

    sample: uint8 (H, W, 3); others: (K, H, W, 3).
    """
    height, width = sample.shape[:2]
    small = width * factor
    total = small + 3 * gap + len(others) * (small + gap) - gap
    out = np.zeros((height * factor, total, 4), np.uint8)
    for i, picture in enumerate((sample, *others)):
        left = 0 if i == 0 else small + 3 * gap + (i - 1) * (small + gap)
        out[:, left : left + small, :3] = enlarge(picture, factor)
        out[:, left : left + small, 3] = 255
    return out

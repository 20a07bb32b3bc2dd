"""Super-resolution scores: PSNR on the luminance channel, as papers report it."""

from __future__ import annotations

import numpy as np
from PIL import Image

LUMA = np.array([65.481, 128.553, 24.966], np.float64)  # ITU-R BT.601, studio range, for RGB in [0, 1]


def luma(rgb: np.ndarray) -> np.ndarray:
    """uint8 RGB (H, W, 3) -> studio-range Y (H, W), 16 .. 235, not rounded."""
    return rgb.astype(np.float64) / 255.0 @ LUMA + 16.0


def psnr_y(truth: np.ndarray, guess: np.ndarray, border: int) -> float:
    """10 log10(255^2 / MSE) in dB on Y with `border` pixels left off each side. Both uint8 (H, W, 3)."""
    if truth.shape != guess.shape:
        raise ValueError(f"shapes differ: {truth.shape} and {guess.shape}")
    error = luma(truth) - luma(guess)
    if border:
        error = error[border:-border, border:-border]
    mse = float((error**2).mean())
    return float("inf") if mse == 0 else float(10.0 * np.log10(255.0**2 / mse))


def crop_to_multiple(rgb: np.ndarray, scale: int) -> np.ndarray:
    """Cut (H, W, 3) right and below to multiples of scale."""
    height, width = rgb.shape[:2]
    return rgb[: height - height % scale, : width - width % scale]


def bicubic(rgb: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Pillow's antialiased bicubic resize of uint8 (H, W, 3) to size (height, width)."""
    return np.asarray(Image.fromarray(rgb).resize(size[::-1], Image.Resampling.BICUBIC))


def degrade(rgb: np.ndarray, scale: int) -> tuple[np.ndarray, np.ndarray]:
    """(truth, small): the picture cropped to a multiple of scale, and its bicubic reduction."""
    truth = np.ascontiguousarray(crop_to_multiple(rgb, scale))
    return truth, bicubic(truth, (truth.shape[0] // scale, truth.shape[1] // scale))


def benchmark_photos() -> dict[str, np.ndarray]:
    """The five held-out photographs that ship with scikit-image, uint8 RGB."""
    from skimage import data

    return {
        "astronaut": data.astronaut(),
        "chelsea": data.chelsea(),
        "coffee": data.coffee(),
        "rocket": data.rocket(),
        "motorcycle_left": data.stereo_motorcycle()[0],
    }

"""How near a restored picture is to the original: PSNR and SSIM on luma, as super-resolution papers report them."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

STUDIO = np.array([65.481, 128.553, 24.966])  # BT.601, RGB in [0, 1] -> Y in 16 .. 235


def luma(image: np.ndarray) -> np.ndarray:
    """(H, W, 3) uint8 or float in [0, 1] -> (H, W) Y in 16 .. 235 (studio range, unrounded)."""
    rgb = image / 255.0 if image.dtype == np.uint8 else image.astype(np.float64)
    return rgb @ STUDIO + 16.0


def _pair(a: np.ndarray, b: np.ndarray, border: int) -> tuple[np.ndarray, np.ndarray]:
    if a.shape != b.shape:
        raise ValueError(f"pictures of different size: {a.shape} and {b.shape}")
    inner = slice(border, -border or None)
    return luma(a[inner, inner]), luma(b[inner, inner])


def psnr_y(a: np.ndarray, b: np.ndarray, border: int = 0) -> float:
    """10 log10(255^2 / mean (Ya - Yb)^2) in dB, `border` pixels left off each side; inf for equal pictures.

    a, b: (H, W, 3), uint8 or float in [0, 1]. Raises ValueError for different sizes.
    """
    ya, yb = _pair(a, b, border)
    error = float(np.mean((ya - yb) ** 2))
    return float("inf") if error == 0 else float(10 * np.log10(255.0**2 / error))


def gaussian(sigma: float = 1.5, radius: int = 5) -> np.ndarray:
    """(2 radius + 1,) weights that sum to 1."""
    at = np.arange(-radius, radius + 1)
    weights = np.exp(-0.5 * (at / sigma) ** 2)
    return weights / weights.sum()


def _blur(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Weighted mean of every whole window: (H, W) -> (H - n + 1, W - n + 1)."""
    x = sliding_window_view(x, len(weights), axis=0) @ weights
    return sliding_window_view(x, len(weights), axis=1) @ weights


def ssim_y(a: np.ndarray, b: np.ndarray, border: int = 0) -> float:
    """Mean structural similarity of Y (Wang et al. 2004): Gaussian window 11x11, sigma 1.5, K = 0.01, 0.03, L = 255.

    Windows that lie wholly inside are averaged. Raises ValueError for different sizes or a side below 11 pixels.
    """
    ya, yb = _pair(a, b, border)
    if min(ya.shape) < 11:
        raise ValueError(f"SSIM needs 11 pixels a side, not {ya.shape}")
    weights = gaussian()
    c1, c2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    mean_a, mean_b = _blur(ya, weights), _blur(yb, weights)
    var_a = _blur(ya * ya, weights) - mean_a**2
    var_b = _blur(yb * yb, weights) - mean_b**2
    both = _blur(ya * yb, weights) - mean_a * mean_b
    top = (2 * mean_a * mean_b + c1) * (2 * both + c2)
    return float(np.mean(top / ((mean_a**2 + mean_b**2 + c1) * (var_a + var_b + c2))))

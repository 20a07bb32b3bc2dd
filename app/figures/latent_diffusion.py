"""Figures of the latent diffusion page: latent maps, and where a word is heard.

numpy in, uint8 pictures out. Pictures of the nets lie in [-1, 1]; latents are scaled, so of about unit size.
"""

from __future__ import annotations

import numpy as np

from app.figures.colour import colormap
from app.figures.ddpm import enlarge

REACH = 3.0  # latents are shown from -3 to 3
GAP = 150  # grey level of the line between two maps
GLOW = np.array([255.0, 176.0, 40.0])


def maps(latents: np.ndarray, reach: float = REACH) -> np.ndarray:
    """Each number as a colour: (...) -> uint8 (..., 3), white around 0."""
    return np.ascontiguousarray(colormap(latents, "diverging", (-reach, reach))[..., :3])


def mosaic(latents: np.ndarray, reach: float = REACH) -> np.ndarray:
    """Four maps (..., 4, h, w) as one picture (..., 2 h + 1, 2 w + 1, 3), row by row, a grey line between them."""
    drawn = maps(latents, reach)
    *lead, channels, height, width, _ = drawn.shape
    if channels != 4:
        raise ValueError(f"four maps make a mosaic, not {channels}")
    sheet = np.full((*lead, 2 * height + 1, 2 * width + 1, 3), GAP, np.uint8)
    for channel in range(4):
        top, left = (channel // 2) * (height + 1), (channel % 2) * (width + 1)
        sheet[..., top : top + height, left : left + width, :] = drawn[..., channel, :, :, :]
    return sheet


def glow(pictures: np.ndarray, shares: np.ndarray, peak: float) -> np.ndarray:
    """Pictures uint8 (..., H, W, 3) in dim grey, lit by shares (..., h, w), brightest from `peak` on.

    H and W are multiples of h and w.
    """
    factor = pictures.shape[-3] // shares.shape[-2]
    light = np.clip(enlarge(shares[..., None], factor) / max(peak, 1e-12), 0, 1)
    grey = pictures.astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32)
    dim = 0.55 * grey[..., None]
    return (dim + light * (0.45 * grey[..., None] + 0.55 * GLOW - dim) + 0.5).clip(0, 255).astype(np.uint8)


def heat(values: np.ndarray, factor: int = 1) -> np.ndarray:
    """Sizes (h, w), 0 or more, as colours of their own range, each place as `factor` pixels."""
    top = max(float(values.max()), 1e-12)
    return enlarge(colormap(values, "sequential", (0.0, top))[..., :3], factor)


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    """Of two pictures in [-1, 1], in dB; as training measured it, RGB in 0 .. 1."""
    error = float(np.mean(((a.astype(np.float64) - b) / 2) ** 2))
    return float("inf") if error == 0 else -10 * np.log10(error)

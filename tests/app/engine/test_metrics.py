"""PSNR and SSIM against scikit-image."""

from __future__ import annotations

import numpy as np
import pytest
from skimage.metrics import peak_signal_noise_ratio, structural_similarity

from app.engine.metrics import luma, psnr_y, ssim_y
from tests.app.engine.helpers import photo


def noisy(image: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(1).normal(0, 12, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def test_luma_is_studio_range() -> None:
    corners = np.array([[[0, 0, 0], [255, 255, 255]]], np.uint8)
    assert luma(corners) == pytest.approx(np.array([[16.0, 235.0]]), abs=1e-2)
    assert luma(corners / 255.0) == pytest.approx(luma(corners))


@pytest.mark.parametrize("border", [0, 4])
def test_equal_to_scikit_image(border: int) -> None:
    a = photo(61, 74)
    b = noisy(a)
    inner = slice(border, -border or None)
    ya, yb = luma(a)[inner, inner], luma(b)[inner, inner]
    assert psnr_y(a, b, border) == pytest.approx(peak_signal_noise_ratio(ya, yb, data_range=255), abs=1e-6)
    reference = structural_similarity(
        ya, yb, data_range=255, gaussian_weights=True, sigma=1.5, use_sample_covariance=False
    )
    assert ssim_y(a, b, border) == pytest.approx(reference, abs=1e-4)


def test_equal_pictures() -> None:
    a = photo(20, 20)
    assert psnr_y(a, a) == float("inf") and ssim_y(a, a) == pytest.approx(1.0)


def test_refuses_other_sizes() -> None:
    with pytest.raises(ValueError, match="different size"):
        psnr_y(photo(20, 20), photo(20, 21))
    with pytest.raises(ValueError, match="11 pixels"):
        ssim_y(photo(12, 12), photo(12, 12), border=1)

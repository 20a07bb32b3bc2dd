"""PSNR on luminance: against scikit-image, and the bicubic figures of the five benchmark photographs."""

from __future__ import annotations

import numpy as np
import pytest

from models.training.metrics import benchmark_photos, bicubic, crop_to_multiple, degrade, luma, psnr_y

BICUBIC_X2 = {
    "astronaut": 31.67,
    "chelsea": 35.18,
    "coffee": 30.62,
    "rocket": 32.37,
    "motorcycle_left": 30.04,
}


def test_luma_range() -> None:
    assert luma(np.zeros((1, 1, 3), np.uint8))[0, 0] == pytest.approx(16.0)
    assert luma(np.full((1, 1, 3), 255, np.uint8))[0, 0] == pytest.approx(235.0)


def test_psnr_matches_scikit_image() -> None:
    metrics = pytest.importorskip("skimage.metrics")
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 256, (24, 31, 3), dtype=np.uint8)
    guess = np.clip(truth.astype(int) + rng.integers(-9, 10, truth.shape), 0, 255).astype(np.uint8)
    theirs = metrics.peak_signal_noise_ratio(luma(truth)[4:-4, 4:-4], luma(guess)[4:-4, 4:-4], data_range=255)
    assert psnr_y(truth, guess, 4) == pytest.approx(theirs, abs=1e-9)


def test_equal_pictures_are_infinitely_close() -> None:
    picture = np.zeros((9, 9, 3), np.uint8)
    assert psnr_y(picture, picture, 2) == float("inf")


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="shapes differ"):
        psnr_y(np.zeros((8, 8, 3), np.uint8), np.zeros((8, 9, 3), np.uint8), 1)


def test_crop_and_degrade() -> None:
    picture = np.zeros((11, 14, 3), np.uint8)
    assert crop_to_multiple(picture, 4).shape == (8, 12, 3)
    truth, small = degrade(picture, 4)
    assert truth.shape == (8, 12, 3) and small.shape == (2, 3, 3)


def test_bicubic_reference_numbers() -> None:
    pytest.importorskip("skimage")
    for name, picture in benchmark_photos().items():
        truth, small = degrade(picture, 2)
        assert psnr_y(truth, bicubic(small, truth.shape[:2]), 4) == pytest.approx(BICUBIC_X2[name], abs=0.005)

"""Figures of the latent diffusion page."""

from __future__ import annotations

import numpy as np
import pytest

from app.figures import latent_diffusion as draw


def test_four_maps_stand_in_reading_order() -> None:
    latents = np.zeros((2, 4, 3, 3), np.float32)
    for channel, value in enumerate((3.0, -3.0, 0.0, 1.5)):
        latents[:, channel] = value
    sheet = draw.mosaic(latents)
    assert sheet.shape == (2, 7, 7, 3) and sheet.dtype == np.uint8
    corners = (sheet[0, 0, 0], sheet[0, 0, 6], sheet[0, 6, 0], sheet[0, 6, 6])
    for corner, value in zip(corners, (3.0, -3.0, 0.0, 1.5), strict=True):
        assert np.array_equal(corner, draw.maps(np.array([value]))[0])
    assert np.all(sheet[:, 3] == draw.GAP) and np.all(sheet[:, :, 3] == draw.GAP)
    with pytest.raises(ValueError, match="3"):
        draw.mosaic(latents[:, :3])


def test_the_heard_place_glows_and_the_rest_is_dim() -> None:
    picture = np.full((8, 8, 3), 200, np.uint8)
    shares = np.zeros((4, 4))
    shares[1, 2] = 0.5
    seen = draw.glow(picture, shares, 0.5)
    assert seen.shape == picture.shape
    lit = np.zeros((8, 8), bool)
    lit[2:4, 4:6] = True
    assert np.all(seen[~lit] == seen[0, 0]) and seen[0, 0, 0] == seen[0, 0, 2] < 200
    assert np.all(seen[lit, 0] > seen[0, 0, 0]) and np.all(seen[lit, 0] > seen[lit, 2])
    assert np.array_equal(draw.glow(picture, shares, 0.25), seen), "beyond the peak nothing is brighter"


def test_psnr_is_that_of_pixels_from_0_to_1() -> None:
    picture = np.zeros((3, 4, 4))
    assert draw.psnr(picture, picture + 0.2) == pytest.approx(20.0)
    assert draw.psnr(picture, picture) == float("inf")


def test_heat_has_its_own_range() -> None:
    values = np.array([[0.0, 1.0], [2.0, 4.0]])
    assert np.array_equal(draw.heat(values), draw.heat(10 * values))
    assert draw.heat(values, 3).shape == (6, 6, 3)
    assert draw.heat(np.zeros((2, 2))).shape == (2, 2, 3)

"""Augmented emoji batches: shapes, ranges, labels, repeatability."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.training.augment import MEAN, STD, Painter, jpeg  # noqa: E402

CLASSES = 5


def painter(seed: int = 0) -> Painter:
    rng = np.random.default_rng(3)
    drawings = {style: np.zeros((CLASSES, 48, 48, 4), np.uint8) for style in ("one", "two", "noto-png")}
    for stack in drawings.values():
        stack[:, 12:36, 12:36, :3] = rng.integers(0, 256, (CLASSES, 1, 1, 3))
        stack[:, 12:36, 12:36, 3] = 255
    drawings["two"][4] = 0  # a style that lacks a class
    return Painter(drawings, rng.integers(0, 256, (3, 64, 64, 3), dtype=np.uint8), seed)


@pytest.mark.parametrize("side", [24, 32])
def test_batch(side: int) -> None:
    pictures, labels = painter().batch(20, side, outliers=0.2)
    assert pictures.shape == (20, 3, side, side) and pictures.dtype == torch.float32
    pixels = pictures * STD + MEAN
    assert pixels.isfinite().all() and pixels.min() >= -1e-6 and pixels.max() <= 1 + 1e-6
    assert int((labels == CLASSES).sum()) == 4 and int(labels.min()) >= 0


def test_same_seed_same_batch() -> None:
    first, second = painter(7).batch(6, 24), painter(7).batch(6, 24)
    assert torch.equal(first[0], second[0]) and torch.equal(first[1], second[1])


def test_missing_drawings_are_never_taken() -> None:
    mine = painter()
    assert mine.chance[4].tolist()[1] == 0
    alpha = mine.take(torch.full((64,), 4), 48)[:, 3]
    assert (alpha.amax((1, 2)) > 0.25).all()


def test_colour_stays_under_alpha() -> None:
    mine = painter()
    rgba = mine.bend(mine.take(torch.arange(CLASSES), 24), 24)
    rgb = mine.recolour(rgba[:, :3], rgba[:, 3:])
    assert (rgb <= rgba[:, 3:] + 1e-5).all() and (rgb >= 0).all()
    rgb, alpha = mine.restyle(rgb, rgba[:, 3:])
    assert (rgb <= alpha + 1e-5).all() and alpha.max() <= 1 + 1e-5


@pytest.mark.parametrize("kind", ["photo_crops", "backgrounds", "clouds", "scribbles", "noise", "outliers"])
def test_grounds(kind: str) -> None:
    made = getattr(painter(), kind)(9, 24)
    assert made.shape == (9, 3, 24, 24) and made.min() >= 0 and made.max() <= 1 + 1e-6


def test_jpeg_keeps_a_plain_picture() -> None:
    picture = torch.full((3, 16, 16), 0.5)
    assert torch.allclose(jpeg(picture, 90), picture, atol=0.01)

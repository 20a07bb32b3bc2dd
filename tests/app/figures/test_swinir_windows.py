"""A clicked pixel must find its window and place, through padding and shift: by brute force and against the net."""

from __future__ import annotations

import numpy as np
import pytest

from app.figures.swinir_windows import (
    CLASSES,
    Windows,
    blocked_pairs,
    class_counts,
    class_of,
    crop_around,
    is_padding,
    locate,
    mask_of,
    pad,
    pieces,
    pixels_of,
    reflected,
    relative_index,
    roll,
)

SIZES = [(16, 16), (17, 30), (8, 8), (3, 21), (24, 10), (1, 1), (9, 5)]


def partition(image: np.ndarray, m: int) -> np.ndarray:
    """(H, W, ...) into (nW, N, ...), the obvious way."""
    h, w = image.shape[:2]
    return np.stack(
        [
            image[r : r + m, c : c + m].reshape(m * m, *image.shape[2:])
            for r in range(0, h, m)
            for c in range(0, w, m)
        ]
    )


@pytest.mark.parametrize("shift", [0, 4])
@pytest.mark.parametrize("size", SIZES)
def test_every_pixel_is_found_where_roll_and_partition_put_it(size: tuple[int, int], shift: int) -> None:
    height, width = size
    windows = Windows(height=height, width=width, size=8, shift=shift)
    at = np.stack(
        np.meshgrid(np.arange(windows.padded_height), np.arange(windows.padded_width), indexing="ij"), -1
    )
    cut = partition(np.roll(at, (-shift, -shift), axis=(0, 1)), 8)  # (nW, N, 2)

    assert len(cut) == windows.count
    for y in range(height):
        for x in range(width):
            place = locate(windows, x, y)
            assert cut[place.window, place.position].tolist() == [y, x]
    for window in range(windows.count):
        assert (pixels_of(windows, window) == cut[window]).all()
        outside = (cut[window][:, 0] >= height) | (cut[window][:, 1] >= width)
        assert (is_padding(windows, window) == outside).all()


def test_pixels_outside_the_picture_are_refused() -> None:
    windows = Windows(height=10, width=12, size=8)
    for x, y in ((-1, 0), (0, 10), (12, 0)):
        with pytest.raises(ValueError, match="outside"):
            locate(windows, x, y)


@pytest.mark.parametrize("size", SIZES)
def test_masks_are_those_of_the_net(size: tuple[int, int]) -> None:
    torch = pytest.importorskip("torch")
    from models.vision.swinir import pad_to_windows, relative_position_index, shift_mask

    windows = Windows(height=size[0], width=size[1], size=8, shift=4)
    theirs = shift_mask(windows.padded_height, windows.padded_width, 8, 4, like=torch.zeros(())).numpy()
    for window in range(windows.count):
        assert (mask_of(8, 4, class_of(windows, window)) == theirs[window]).all()

    image = np.random.default_rng(0).random((*size, 3), np.float32)
    padded = pad_to_windows(torch.from_numpy(image.transpose(2, 0, 1)[None]), 8).numpy()[0].transpose(1, 2, 0)
    assert (pad(image, 8) == padded).all()
    assert (relative_index(8) == relative_position_index(8).numpy()).all()


def test_blocked_pairs_of_each_class() -> None:
    assert [blocked_pairs(8, 4, kind) for kind in CLASSES] == [0, 2048, 2048, 3072]
    assert [blocked_pairs(7, 3, kind) for kind in CLASSES][0] == 0
    assert blocked_pairs(8, 0, "corner") == 0
    assert len(np.unique(pieces(8, 4, "corner"))) == 4


def test_classes_of_a_picture() -> None:
    assert class_counts(Windows(height=16, width=16, size=8, shift=4)) == dict(
        interior=1, right=1, bottom=1, corner=1
    )
    assert class_counts(Windows(height=30, width=40, size=8, shift=4)) == dict(
        interior=12, right=3, bottom=4, corner=1
    )
    assert class_counts(Windows(height=16, width=16, size=8)) == dict(interior=4, right=0, bottom=0, corner=0)


def test_reflection_and_roll() -> None:
    assert reflected(10, 16).tolist() == [*range(10), 8, 7, 6, 5, 4, 3]
    assert reflected(3, 8).tolist() == [0, 1, 2, 2, 1, 0, 0, 1]
    assert roll(np.arange(6)[:, None], 4)[:, 0].tolist() == [4, 5, 0, 1, 2, 3]


@pytest.mark.parametrize(("height", "width"), [(200, 300), (1000, 37), (37, 1000), (401, 399), (48, 4000)])
@pytest.mark.parametrize("most", [16, 64, 190, 400])
def test_crops_hold_the_pick_away_from_edges_that_are_not_the_pictures(
    height: int, width: int, most: int
) -> None:
    rng = np.random.default_rng(height + width + most)
    for x, y in zip(rng.integers(0, width, 50), rng.integers(0, height, 50), strict=True):
        crop = crop_around(height, width, int(x), int(y), 8, most)
        windows = -(-crop.height // 8) * -(-crop.width // 8)
        assert windows <= most
        if crop.whole:
            assert (crop.width, crop.height) == (width, height)
            continue
        assert crop.x % 8 == crop.y % 8 == 0
        inner_x, inner_y = crop.inside(int(x), int(y))
        assert 0 <= inner_x < crop.width and 0 <= inner_y < crop.height
        for inner, start, length, total in (
            (inner_x, crop.x, crop.width, width),
            (inner_y, crop.y, crop.height, height),
        ):
            assert start == 0 or inner >= 8
            assert start + length >= total or length - inner >= 8
        image = np.zeros((height, width, 3), np.uint8)
        assert crop.cut(image).shape == (crop.height, crop.width, 3)


def test_neighbouring_picks_share_a_crop() -> None:
    crops = {crop_around(600, 800, x, 300, 8, 190) for x in range(800)}
    assert len(crops) < 20

"""Frames on one sheet: what the browser cuts out is what was put in, within two megabytes."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from PIL import Image

from app.figures.film_strip import (
    AREA,
    LIMIT,
    SIDE,
    SMALLEST,
    Mosaic,
    Sheet,
    as_frames,
    columns_for,
    flat,
    lay_out,
    mosaic_of,
    pack,
)


def cut(sheet: Sheet, step: int) -> np.ndarray:
    """One frame, as the browser cuts it out."""
    pixels = np.asarray(Image.open(io.BytesIO(sheet.data)))
    y, x = (step // sheet.columns) * sheet.step_y, (step % sheet.columns) * sheet.step_x
    return pixels[y : y + sheet.height, x : x + sheet.width]


def noise(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, shape, np.uint8)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 200), st.integers(1, 400), st.integers(1, 400))
def test_sheets_fit_every_browser(count, width, height):
    columns = columns_for(count, width, height)
    if columns:
        assert max(columns * width, -(-count // columns) * height) <= SIDE
    else:
        assert count * width * height > SIDE  # only where it truly cannot fit


@pytest.mark.parametrize("block", [1, 8, 16])
def test_frames_stand_where_the_browser_looks(block):
    laid = lay_out(np.arange(7, dtype=np.uint8)[:, None, None] * np.ones((4, 6), np.uint8), block)
    assert laid is not None
    sheet, columns, step_x, step_y = laid
    assert step_x % block == step_y % block == 0
    for step in range(7):
        x, y = (step % columns) * step_x, (step // columns) * step_y
        assert (sheet[y : y + 4, x : x + 6] == step).all()


def test_small_frames_arrive_exactly():
    strips = [noise(50, 28, 28), noise(50, 28, 28, 3, seed=1)]
    sheets = pack(strips)
    assert {sheet.mime for sheet in sheets} == {"image/png"}
    for strip, sheet in zip(strips, sheets, strict=True):
        assert all(np.array_equal(cut(sheet, step), strip[step]) for step in (0, 13, 49))


def test_the_largest_path_of_the_pages_fits_without_shrinking():
    """200 steps, three strips, four coloured samples a frame, pure noise: nothing is harder to compress."""
    frames = noise(200, 4, 32, 32, 3)
    mosaic = mosaic_of(frames)
    strips = [flat(frames, mosaic)] * 3
    sheets = pack(strips)
    assert sum(len(sheet.data) for sheet in sheets) <= LIMIT
    assert mosaic is not None and {(s.height, s.width) for s in sheets} == {mosaic.size}


def test_neighbours_do_not_bleed_into_a_frame():
    """JPEG codes squares of 8 pixels: a frame of 28 beside a very different one keeps its own edges."""
    frames = np.zeros((40, 28, 28, 3), np.uint8)
    frames[1::2] = 255
    sheets = pack([frames], limit=9_000, pixelated=False)
    for step in (6, 7):
        assert abs(cut(sheets[0], step).astype(int) - int(frames[step, 0, 0, 0])).max() <= 2


def test_large_frames_shrink_until_they_fit():
    y, x = np.mgrid[0:480, 0:640]
    frames = np.stack([np.stack([x + i, y, x ^ y], -1).astype(np.uint8) for i in range(200)])
    sheets = pack([frames], pixelated=False)
    assert len(sheets[0].data) <= LIMIT and max(sheets[0].sheet_width, sheets[0].sheet_height) <= SIDE
    assert sheets[0].sheet_width * sheets[0].sheet_height <= 1.3 * AREA
    assert min(sheets[0].width, sheets[0].height) >= SMALLEST


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(ValueError, match="equally many"):
        pack([])
    with pytest.raises(ValueError, match="equally many"):
        pack([noise(3, 8, 8), noise(4, 8, 8)])
    with pytest.raises(ValueError, match="201 steps"):
        pack([noise(201, 8, 8)])
    with pytest.raises(ValueError, match="do not fit"):
        pack([noise(100, 32, 32)], limit=5_000)
    for bad in (np.zeros((2, 2)), np.zeros((2, 2, 2, 4)), np.zeros((0, 4, 4)), np.zeros((2, 4, 4), np.int64)):
        with pytest.raises(ValueError, match="frames"):
            as_frames(bad)


def test_shapes_of_frames():
    grey = noise(5, 4, 6)
    assert np.array_equal(as_frames(grey), grey)
    assert np.array_equal(as_frames(grey[..., None]), grey)
    assert np.array_equal(as_frames(np.repeat(grey[..., None], 3, -1)), grey)  # grey in three channels
    assert np.array_equal(as_frames(grey / 255.0), grey)
    assert as_frames(noise(5, 4, 6, 3)).shape == (5, 4, 6, 3)
    assert as_frames(np.repeat(noise(5, 2, 4, 6, 1), 3, -1)).shape == (5, 2, 4, 6, 1)


@pytest.mark.parametrize("samples", [1, 2, 3, 4, 7, 16])
def test_every_pixel_of_a_sample_is_found_again(samples):
    frames = noise(2, samples, 9, 7, 3)
    mosaic = mosaic_of(frames)
    assert isinstance(mosaic, Mosaic)
    whole = flat(frames, mosaic)
    assert whole.shape == (2, *mosaic.size, 3)
    found = set()
    for y in range(mosaic.size[0]):
        for x in range(mosaic.size[1]):
            place = mosaic.at(x, y)
            if place is not None:
                sample, dx, dy = place
                found.add(place)
                assert np.array_equal(whole[:, y, x], frames[:, sample, dy, dx])
                row, column = mosaic.corner(sample)
                assert (row + dy, column + dx) == (y, x)
    assert len(found) == samples * 9 * 7
    assert mosaic.at(-1, 0) is None and mosaic.at(10_000, 0) is None


def test_equal_frames_of_two_strips_arrive_equal():
    """Two paths that part at step 20: before it their difference is nothing, however hard they are pressed."""
    a = noise(40, 28, 28, 3)
    b = a.copy()
    b[20:] = 90  # far easier to compress
    for limit in (150_000, 40_000):
        sheets = pack([a, b], limit=limit, alike=True)
        assert sum(len(sheet.data) for sheet in sheets) <= limit
        assert len({sheet.mime for sheet in sheets}) == 1
        assert all(np.array_equal(cut(sheets[0], step), cut(sheets[1], step)) for step in range(19))

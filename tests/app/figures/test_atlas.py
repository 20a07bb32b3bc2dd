"""The sheet of all channels: the way back from a pixel to a cell, against brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from app.figures.atlas import Cell, atlas, channels_first, enlarge, mean_pool
from app.figures.colour import colormap, limits_of


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 40), st.integers(1, 9), st.integers(1, 9), st.integers(0, 3), st.sampled_from(["index", "norm"]),
    st.one_of(st.none(), st.integers(1, 12)),
)  # fmt: skip
def test_every_pixel_goes_back_to_its_cell(count, rows, cols, pad, order, columns):
    maps = np.random.default_rng(count * 100 + rows * 10 + cols).normal(size=(count, rows, cols))
    sheet = atlas(maps, pad=pad, order=order, columns=columns)
    assert sheet.reduce == 1 and sorted(sheet.order) == list(range(count))
    colours = colormap(maps, sheet.kind, sheet.limits)
    height, width = sheet.image.shape[:2]
    seen = set()
    for y, x in itertools.product(range(height), range(width)):
        cell = sheet.cell_at(x, y)
        if cell is None:
            assert sheet.image[y, x, 3] == 0
            continue
        assert sheet.image[y, x, 3] == 255
        assert np.array_equal(sheet.image[y, x, :3], colours[cell.channel, cell.row, cell.column])
        assert sheet.pixel_of(cell) == (x, y)
        seen.add(cell)
    assert len(seen) == count * rows * cols
    for x, y in ((-1, 0), (0, -1), (width, 0), (0, height)):
        assert sheet.cell_at(x, y) is None


def test_strongest_first():
    maps = np.stack([np.full((2, 2), v) for v in (1.0, -5.0, 3.0, np.nan)])
    sheet = atlas(maps, order="norm")
    assert sheet.order == (1, 2, 0, 3)
    assert sheet.limits == (-5.0, 5.0) and sheet.kind == "diverging"
    x, y = sheet.corner_of(2)
    assert sheet.cell_at(x, y) == Cell(2, 0, 0)


def test_large_maps_are_averaged_and_still_found():
    maps = np.random.default_rng(1).normal(size=(8, 65, 97)).astype(np.float32)
    sheet = atlas(maps, max_side=128)
    assert max(sheet.image.shape[:2]) <= 128 and sheet.reduce > 1
    for cell in (Cell(0, 0, 0), Cell(7, 64, 96), Cell(3, 17, 40)):
        found = sheet.cell_at(*sheet.pixel_of(cell))
        assert found is not None and found.channel == cell.channel
        assert 0 <= cell.row - found.row < sheet.reduce and 0 <= cell.column - found.column < sheet.reduce
    pooled = mean_pool(maps.astype(np.float64), sheet.reduce)
    x, y = sheet.corner_of(5)
    expected = colormap(pooled, sheet.kind, sheet.limits)[5]
    assert np.array_equal(sheet.image[y : y + sheet.tile_h, x : x + sheet.tile_w, :3], expected)


def test_mean_pool_against_brute_force():
    maps = np.random.default_rng(2).normal(size=(2, 7, 5))
    out = mean_pool(maps, 3)
    for c, i, j in itertools.product(range(2), range(3), range(2)):
        assert out[c, i, j] == pytest.approx(maps[c, 3 * i : 3 * i + 3, 3 * j : 3 * j + 3].mean())


def test_limits_are_shared_and_can_be_given():
    maps = np.stack([np.zeros((2, 2)), np.ones((2, 2))])
    assert atlas(maps).limits == limits_of(maps)
    assert atlas(maps, kind="diverging", limits=(-2, 2)).limits == (-2, 2)


def test_what_is_no_atlas():
    with pytest.raises(ValueError, match="channel, row, column"):
        atlas(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="channel, row, column"):
        atlas(np.zeros((0, 3, 3)))
    with pytest.raises(ValueError, match="do not fit"):
        atlas(np.zeros((5000, 2, 2)), max_side=16)


def test_tokens_and_maps_say_the_same():
    maps = np.random.default_rng(3).normal(size=(2, 5, 3, 4))
    a = channels_first(maps, ("batch", "channel", "row", "column"), 1)
    b = channels_first(np.moveaxis(maps, 1, -1), ("batch", "row", "column", "channel"), 1)
    assert np.array_equal(a, b) and a.shape == (5, 3, 4)
    with pytest.raises(ValueError, match="axes"):
        channels_first(maps, ("batch", "channel", "row"))


def test_description_for_the_browser():
    sheet = atlas(np.arange(24.0).reshape(6, 2, 2), columns=3, pad=1)
    tiles = sheet.tiles(lambda c: f"channel {c}")
    assert tiles["columns"] == 3 and tiles["step_x"] == 3 and tiles["names"][4] == "channel 4"
    x, y = sheet.corner_of(4)
    assert (x // tiles["step_x"], y // tiles["step_y"]) == (1, 1)


def test_enlarge_keeps_squares():
    image = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    large = enlarge(image, 100)
    assert large.shape == (100, 100, 3) and (large[:50, :50] == image[0, 0]).all()

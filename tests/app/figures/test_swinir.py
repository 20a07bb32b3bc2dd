"""Figures of the SwinIR page, by what can be counted in them."""

from __future__ import annotations

import numpy as np
import pytest

from app.figures import swinir as draw
from app.figures.overlay import Grid, Label, Polygon, Rect, fragment
from app.figures.swinir_windows import (
    CLASSES,
    Windows,
    blocked_pairs,
    class_of,
    locate,
    mask_of,
    pixels_of,
    roll,
)


@pytest.fixture
def photo() -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (20, 30, 3)).astype(np.uint8)


@pytest.mark.parametrize("shift", [0, 4])
@pytest.mark.parametrize(("height", "width"), [(16, 16), (20, 30), (8, 8), (5, 19)])
def test_pieces_cover_a_windows_pixels_and_no_others(height: int, width: int, shift: int) -> None:
    windows = Windows(height=height, width=width, size=8, shift=shift)
    for window in range(windows.count):
        covered = np.zeros((height, width), int)
        for piece in draw.pieces_of(windows, window):
            covered[piece.y : piece.y + piece.height, piece.x : piece.x + piece.width] += 1
        wanted = np.zeros((height, width), int)
        for row, column in pixels_of(windows, window):
            if row < height and column < width:
                wanted[row, column] += 1
        assert (covered == wanted).all()


def test_grid_lines_stand_where_the_windows_end() -> None:
    grid = draw.window_shapes(Windows(height=24, width=24, size=8, shift=4))[0]
    assert isinstance(grid, Grid)
    assert (grid.step, grid.offset) == (8, (4, 4))


def test_wrapped_strips_are_the_pixels_of_cut_windows() -> None:
    windows = Windows(height=20, width=30, size=8, shift=4)
    covered = np.zeros((20, 30), bool)
    for shape in draw.wrapped_shapes(windows):
        assert isinstance(shape, Rect)
        x, y = int(shape.x), int(shape.y)
        covered[y : y + int(shape.height), x : x + int(shape.width)] = True
    for y in range(20):
        for x in range(30):
            kind = class_of(windows, locate(windows, x, y).window)
            assert covered[y, x] == (kind != "interior")
    assert draw.wrapped_shapes(Windows(height=20, width=30, size=8)) == []


def test_the_film_rolls_the_picture_by_the_shift() -> None:
    image = draw.toy(np.random.default_rng(0).integers(0, 256, (200, 300, 3)).astype(np.uint8), 8)
    assert image.shape == (32, 48, 3)
    frames, moved = draw.shift_frames(image, 8, 4, zoom=6)
    assert len(frames) == len(moved) == 14
    assert moved[0] == 0 and moved[-1] == moved[-2] == 4
    assert moved == sorted(moved)
    rolled = np.repeat(np.repeat(roll(image, 4), 6, 0), 6, 1)
    inner = np.s_[20:40, 20:40]  # no line, no tint
    assert (frames[-2][inner] == rolled[inner]).all()
    assert (frames[-1][inner] == rolled[inner]).all()
    assert not (frames[-1][-20:, -20:] == rolled[-20:, -20:]).all()


def test_toy_has_whole_windows_whatever_the_picture() -> None:
    for shape in ((1, 1), (3, 700), (700, 3), (64, 64)):
        small = draw.toy(np.zeros((*shape, 3), np.uint8), 8)
        assert small.shape[0] % 8 == small.shape[1] % 8 == 0
        assert min(small.shape[:2]) >= 16 and max(small.shape[:2]) <= 48


@pytest.mark.parametrize("kind", CLASSES)
def test_masks_are_dark_where_pairs_are_silenced(kind: str) -> None:
    picture = draw.mask_picture(8, 4, kind)
    dark = (picture == draw.BLOCKED).all(axis=-1)
    assert int(dark.sum()) == blocked_pairs(8, 4, kind)
    assert (dark == (mask_of(8, 4, kind) < 0)).all()
    assert draw.piece_picture(8, 4, kind).shape == (8, 8, 3)


def test_numbers_in_cells() -> None:
    assert draw.percents(np.array([0.5, 0.004, 0.25])) == ["50", "", "25"]
    assert draw.percents(np.array([0.0156, 0.0004])) == ["1.6", ""]
    labels = draw.cell_numbers(["1", "", "", "4"], 2)
    assert [(label.x, label.y, label.text) for label in labels if isinstance(label, Label)] == [
        (0.5, 0.5, "1"),
        (1.5, 1.5, "4"),
    ]
    assert len(draw.hatch(np.array([True, False, False, True]))) == 6
    assert "<" in fragment(draw.hatch(np.ones(64, bool)), 8, 8)


def test_attention_lies_on_the_pixels_it_belongs_to() -> None:
    windows = Windows(height=20, width=15, size=8, shift=4)
    place = locate(windows, 14, 1)
    pixels = pixels_of(windows, place.window)
    weights = np.zeros(64)
    weights[place.position] = 1.0
    film = draw.attention_layer(windows, pixels, weights, 1.0)
    assert film.shape == (20, 15, 4)
    assert film[1, 14, 3] == 255
    inside = (pixels[:, 0] < 20) & (pixels[:, 1] < 15)
    assert int((film[..., 3] > 0).sum()) == int(inside.sum())


@pytest.mark.parametrize("shift", [0, 4])
@pytest.mark.parametrize(("height", "width"), [(24, 32), (20, 15), (1, 1), (8, 9)])
def test_surroundings_show_the_window_and_lead_back_to_the_picture(
    height: int, width: int, shift: int
) -> None:
    image = np.random.default_rng(1).integers(0, 256, (height, width, 3)).astype(np.uint8)
    windows = Windows(height=height, width=width, size=8, shift=shift)
    for window in range(windows.count):
        around = draw.surroundings(image, windows, window)
        for position, (row, column) in enumerate(pixels_of(windows, window)):
            x, y = around.x + position % 8, around.y + position // 8
            back = draw.unrolled(around, windows, x, y)
            if row < height and column < width:
                assert back == (column, row)
                assert (around.image[y, x] == image[row, column]).all()
            else:
                assert back is None
        film = draw.close_film(around, 8, np.full(64, 1 / 64), 1 / 64)
        assert film.shape == (*around.image.shape[:2], 4)


def test_shapes_of_a_window_move_with_it() -> None:
    shapes = draw.moved(
        [draw.cell(9, 8), Polygon(points=((0, 4), (8, 4)), closed=False), Grid(step=8)], 8, 16
    )
    assert len(shapes) == 2
    box, line = shapes
    assert isinstance(box, Rect) and (box.x, box.y) == (9, 17)
    assert isinstance(line, Polygon) and line.points == ((8, 20), (16, 20))


def test_seams_only_where_pieces_meet() -> None:
    windows = Windows(height=16, width=16, size=8, shift=4)
    assert [len(draw.seams(windows, w)) for w in range(4)] == [0, 1, 1, 2]


def test_tiles_and_the_way_back() -> None:
    maps = [np.full((4, 6, 3), i, np.uint8) for i in range(5)]
    sheet = draw.tiles(maps, gap=2, columns=3)
    assert sheet.shape == (10, 22, 3)
    for y in range(10):
        for x in range(22):
            index = draw.tile_at(x, y, 4, 6, 2, 3, 5)
            assert (sheet[y, x] == draw.BLOCKED).all() if index is None else (sheet[y, x] == index).all()


def test_heat_and_difference_pictures(photo: np.ndarray) -> None:
    assert draw.heat(np.linspace(0, 1, 64)).shape == (8, 8, 3)
    assert draw.signed_heat(np.linspace(-1, 1, 64)).shape == (8, 8, 3)
    assert (draw.heat(np.zeros(64)) == draw.heat(np.zeros(64))[0, 0]).all()
    assert draw.bias_picture(np.zeros((15, 15)), 0.0).shape == (15, 15, 3)
    assert draw.norm_picture(np.ones((5, 6))).shape == (5, 6, 3)
    assert draw.leak_picture(np.zeros((5, 6)), 0.0).shape == (5, 6, 3)

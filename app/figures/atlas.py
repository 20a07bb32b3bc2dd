"""All channels of a feature map on one sheet, and the way back from a pixel of the sheet to a cell.

Every channel is a tile at its own resolution, a line of transparent pixels between them: one picture of a few
kilobytes that the browser enlarges. Maps too large for the sheet are averaged over k x k cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.figures.colour import Kind, Limits, colormap, kind_of, limits_of

Order = Literal["index", "norm"]
MAX_SIDE = 1024  # pixels of a sheet: more than it gets on a screen


@dataclass(frozen=True)
class Cell:
    """One number of a feature map."""

    channel: int
    row: int
    column: int


@dataclass(frozen=True)
class Atlas:
    """image: uint8 (h, w, 4), gaps transparent. order: the channel of each tile, row by row.

    rows, cols: cells of one channel. tile_h, tile_w: pixels of a tile; `reduce` cells a side share one pixel.
    """

    image: np.ndarray
    order: tuple[int, ...]
    columns: int
    rows: int
    cols: int
    tile_h: int
    tile_w: int
    pad: int
    reduce: int
    kind: Kind
    limits: Limits

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell under a pixel of the sheet, None in a gap or beyond the last tile."""
        column, dx = divmod(x, self.tile_w + self.pad)
        row, dy = divmod(y, self.tile_h + self.pad)
        index = row * self.columns + column
        if x < 0 or y < 0 or column >= self.columns or index >= len(self.order):
            return None
        if dx >= self.tile_w or dy >= self.tile_h:
            return None
        return Cell(
            self.order[index], min(dy * self.reduce, self.rows - 1), min(dx * self.reduce, self.cols - 1)
        )

    def corner_of(self, channel: int) -> tuple[int, int]:
        """Upper left pixel (x, y) of a channel's tile. Raises ValueError for a channel that is not there."""
        row, column = divmod(self.order.index(channel), self.columns)
        return column * (self.tile_w + self.pad), row * (self.tile_h + self.pad)

    def pixel_of(self, cell: Cell) -> tuple[int, int]:
        """The pixel (x, y) that shows a cell."""
        x, y = self.corner_of(cell.channel)
        return x + cell.column // self.reduce, y + cell.row // self.reduce

    def tiles(self, name: Callable[[int], str]) -> dict[str, Any]:
        """The description that `picture(tiles=...)` reads, so that the words under it name channel and cell."""
        return {
            "columns": self.columns,
            "step_x": self.tile_w + self.pad,
            "step_y": self.tile_h + self.pad,
            "width": self.cols,
            "height": self.rows,
            "scale": 1 / self.reduce,
            "names": [name(channel) for channel in self.order],
        }


def channels_first(array: np.ndarray, axes: tuple[str, ...], sample: int = 0) -> np.ndarray:
    """(channel, row, column) of a feature map or of tokens, whatever the order of its axes.

    axes: one word a dimension, among them "channel", "row", "column" and maybe "batch".
    Raises ValueError where the words do not fit.
    """
    if len(axes) != array.ndim or not {"channel", "row", "column"} <= set(axes):
        raise ValueError(f"axes {axes} do not describe a feature map of shape {array.shape}")
    index: list[Any] = [slice(None)] * array.ndim
    kept = list(axes)
    for position, axis in enumerate(axes):
        if axis not in ("channel", "row", "column"):
            index[position] = sample if axis == "batch" else 0
            kept.remove(axis)
    return array[tuple(index)].transpose([kept.index(axis) for axis in ("channel", "row", "column")])


def mean_pool(maps: np.ndarray, k: int) -> np.ndarray:
    """Mean over k x k cells of (C, H, W); a part of a block at the border is the mean of what is there."""
    if k == 1:
        return maps
    c, h, w = maps.shape
    down = np.add.reduceat(np.add.reduceat(maps, np.arange(0, h, k), 1), np.arange(0, w, k), 2)
    counts = np.outer(np.diff(np.append(np.arange(0, h, k), h)), np.diff(np.append(np.arange(0, w, k), w)))
    return down / counts


def grid_columns(count: int, tile_w: int, tile_h: int, aspect: float = 1.6) -> int:
    """Tiles in a row such that the sheet's width is about `aspect` times its height."""
    best = (aspect * count * tile_h / tile_w) ** 0.5
    return int(min(count, max(1, round(best))))


def atlas(
    maps: np.ndarray,
    *,
    columns: int | None = None,
    pad: int = 1,
    kind: Kind | None = None,
    limits: Limits | None = None,
    order: Order = "index",
    max_side: int = MAX_SIDE,
) -> Atlas:
    """Draw maps (C, H, W), all in the same limits, so that tiles can be compared.

    kind, limits: of the colours; from the numbers if None. order: by channel number, or the largest L2 norm first.
    Raises ValueError for another rank, for an empty map and where not even one pixel a tile fits.
    """
    maps = np.asarray(maps)
    if maps.ndim != 3 or 0 in maps.shape:
        raise ValueError(f"an atlas needs (channel, row, column), not {maps.shape}")
    values = maps.astype(np.float64) if maps.dtype != np.float64 else maps
    count, rows, cols = values.shape
    kind = kind or kind_of(values)
    limits = limits or limits_of(values, kind)

    sequence = np.arange(count)
    if order == "norm":
        norms = np.sqrt((np.nan_to_num(values, posinf=0.0, neginf=0.0) ** 2).sum((1, 2)))
        sequence = np.argsort(-norms, kind="stable")

    reduce = 1
    while True:
        tile_h, tile_w = -(-rows // reduce), -(-cols // reduce)
        across = columns or grid_columns(count, tile_w + pad, tile_h + pad)
        across = min(across, count)
        down = -(-count // across)
        height, width = down * (tile_h + pad) - pad, across * (tile_w + pad) - pad
        if max(height, width) <= max_side:
            break
        if tile_h == tile_w == 1:
            raise ValueError(f"{count} channels do not fit into {max_side} pixels a side")
        reduce += 1

    colours = colormap(mean_pool(values, reduce), kind, limits)  # (C, tile_h, tile_w, 3)
    sheet = np.zeros((height, width, 4), np.uint8)
    for place, channel in enumerate(sequence):
        y, x = (place // across) * (tile_h + pad), (place % across) * (tile_w + pad)
        sheet[y : y + tile_h, x : x + tile_w, :3] = colours[channel]
        sheet[y : y + tile_h, x : x + tile_w, 3] = 255
    return Atlas(
        sheet, tuple(int(i) for i in sequence), across, rows, cols, tile_h, tile_w, pad, reduce, kind, limits
    )


def enlarge(image: np.ndarray, least: int = 1024) -> np.ndarray:
    """The picture with every pixel as a square, at least `least` pixels on its longer side: for a PNG file."""
    factor = max(1, -(-least // max(image.shape[:2])))
    return np.repeat(np.repeat(image, factor, 0), factor, 1)

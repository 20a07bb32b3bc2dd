"""How a large picture is cut into tiles for a network of shifted windows. Pure integer arithmetic.

The picture is first extended, as the net itself does it, right and down to whole windows by reflection. Tiles
then lie wholly inside that extended picture, their origins at multiples of the window, and overlap. Of each tile
only the middle is kept, so far from the tile's inner borders that the net's answer there does not depend on
what lies beyond them; at a true border of the picture everything is kept. Every pixel is kept exactly once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Span:
    """Along one axis: a tile covers start .. stop of the extended picture; keep_start .. keep_stop is used of it."""

    start: int
    stop: int
    keep_start: int
    keep_stop: int


@dataclass(frozen=True)
class Tile:
    rows: Span
    columns: Span

    @property
    def pixels(self) -> int:
        return (self.rows.stop - self.rows.start) * (self.columns.stop - self.columns.start)


def up_to(size: int, multiple: int) -> int:
    """The least multiple that is not below `size`."""
    return -(-size // multiple) * multiple


def reflected(size: int, extended: int) -> np.ndarray:
    """(extended,) positions 0 .. size-1 that extend an axis by reflection, symmetric where it is too short to reflect.

    The same rule as `pad_to_windows` of the model, so that a padded picture is padded alike.
    """
    at = np.arange(extended)
    if extended - size < size:
        return np.where(at < size, at, 2 * (size - 1) - at)
    at = at % (2 * size)
    return np.minimum(at, 2 * size - 1 - at)


def spans(size: int, window: int, tile: int, overlap: int) -> list[Span]:
    """Tiles along one axis of `size` pixels. tile and overlap are multiples of the window, tile > 2 * overlap.

    overlap: pixels of a tile that are given up at each side where another tile follows.
    """
    if tile % window or overlap % window or tile <= 2 * overlap:
        raise ValueError(
            f"tile {tile} and overlap {overlap} must be multiples of {window}, tile > 2 * overlap"
        )
    extended = up_to(size, window)
    if extended <= tile:
        return [Span(0, extended, 0, size)]
    step = tile - 2 * overlap
    count = -(-(extended - 2 * overlap) // step)
    # the inner cuts, spread evenly, on the window grid
    windows = (extended - 2 * overlap) // window
    cuts = [0, *(overlap + window * (i * windows // count) for i in range(1, count)), extended]
    found = []
    for a, b in zip(cuts[:-1], cuts[1:], strict=True):
        start, stop = max(0, a - overlap), min(extended, b + overlap)
        if a < size:  # a cut inside the reflected edge would keep nothing
            found.append(Span(start, stop, a, min(b, size)))
    return found


def cut(height: int, width: int, window: int, tile: int, overlap: int) -> list[Tile]:
    """All tiles, row by row. Where the whole extended picture has a tile's area at most, it is one tile."""
    if up_to(height, window) * up_to(width, window) <= tile * tile:
        whole = [Span(0, up_to(size, window), 0, size) for size in (height, width)]
        return [Tile(whole[0], whole[1])]
    return [
        Tile(rows, columns)
        for rows in spans(height, window, tile, overlap)
        for columns in spans(width, window, tile, overlap)
    ]


def reach(config: Mapping[str, Any]) -> int:
    """Pixels from a tile's border beyond which a SwinIR of these sizes gives exactly the whole picture's answer.

    Followed layer by layer: a 3x3 convolution carries a disturbance one pixel further, an unshifted layer to the
    end of its window, a shifted one to the end of its window, which ends half a window later. Rounded up to windows.
    """
    window = min(config["window_size"], config.get("img_size", 64))
    shifts = config.get("img_size", 64) > config["window_size"]
    body = {"1conv": 1, "3conv": 2}[config.get("resi_connection", "1conv")]
    far = 1  # conv_first
    for depth in config["depths"]:
        for layer in range(depth):
            half = window // 2 if shifts and layer % 2 else 0
            far = up_to(far - half, window) + half
        far += body
    far += body  # conv_after_body
    upsampler = config.get("upsampler", "")
    far += (
        1 if upsampler in ("pixelshuffledirect", "") else 3
    )  # the head's convolutions, in input pixels at most
    return up_to(far, window)

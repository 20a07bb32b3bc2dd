"""Window arithmetic of SwinIR in numpy: which pixel stands where, before and after the cyclic shift.

Liu et al., "Swin Transformer", section 3.2. The net pads the picture right and below to whole windows by
reflection, rolls it by (-shift, -shift) in every second layer, and cuts it into windows of M x M tokens row by row.
Here the same is done with coordinates, so that a clicked pixel finds its window and its place in it, and every
place finds its pixel again. Checked against torch's roll and partition by brute force in the tests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

MASKED = -100.0  # as the net adds it to the score of a pair of different pieces
CLASSES = ("interior", "right", "bottom", "corner")


@dataclass(frozen=True, kw_only=True)
class Windows:
    """The windows of one layer on one picture.

    height, width: of the picture in pixels. size: M. shift: 0 in W-MSA layers, M // 2 in SW-MSA layers.
    """

    height: int
    width: int
    size: int
    shift: int = 0

    @property
    def padded_height(self) -> int:
        return -(-self.height // self.size) * self.size

    @property
    def padded_width(self) -> int:
        return -(-self.width // self.size) * self.size

    @property
    def rows(self) -> int:
        return self.padded_height // self.size

    @property
    def columns(self) -> int:
        return self.padded_width // self.size

    @property
    def count(self) -> int:
        return self.rows * self.columns

    @property
    def tokens(self) -> int:
        """Tokens in one window, N = M^2."""
        return self.size * self.size


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a pixel stands for a layer: its window (row by row), and its position in it (0 .. N-1)."""

    window: int
    position: int


def reflected(size: int, total: int) -> np.ndarray:
    """(total,) source coordinate of each padded coordinate; total >= size.

    Reflection (the edge is not repeated); symmetric where the side is too short to reflect.
    """
    at = np.arange(total)
    if total - size < size:
        return np.where(at < size, at, 2 * (size - 1) - at)
    at = at % (2 * size)
    return np.minimum(at, 2 * size - 1 - at)


def locate(windows: Windows, x: int, y: int) -> Place:
    """Window and position of the pixel in column x and row y. Raises ValueError outside of the picture."""
    if not (0 <= x < windows.width and 0 <= y < windows.height):
        raise ValueError(f"pixel ({x}, {y}) is outside of {windows.width} x {windows.height}")
    row = (y - windows.shift) % windows.padded_height
    column = (x - windows.shift) % windows.padded_width
    m = windows.size
    return Place(
        window=(row // m) * windows.columns + column // m,
        position=(row % m) * m + column % m,
    )


def pixels_of(windows: Windows, window: int) -> np.ndarray:
    """(N, 2) row and column, in the padded picture before the roll, of each position of a window."""
    m = windows.size
    position = np.arange(windows.tokens)
    row = (window // windows.columns) * m + position // m
    column = (window % windows.columns) * m + position % m
    return np.stack(
        [(row + windows.shift) % windows.padded_height, (column + windows.shift) % windows.padded_width],
        axis=1,
    )


def is_padding(windows: Windows, window: int) -> np.ndarray:
    """(N,) True where a position holds a reflected pixel that is not of the picture itself."""
    at = pixels_of(windows, window)
    return (at[:, 0] >= windows.height) | (at[:, 1] >= windows.width)


def class_of(windows: Windows, window: int) -> str:
    """Which mask a window carries: "interior" (none), "right", "bottom" or "corner"."""
    if not windows.shift:
        return "interior"
    last_row = window // windows.columns == windows.rows - 1
    last_column = window % windows.columns == windows.columns - 1
    return CLASSES[2 * last_row + last_column]


def pieces(size: int, shift: int, kind: str) -> np.ndarray:
    """(M, M) number of the piece of each position of a window of a class: equal numbers may attend."""
    cut = (np.arange(size) >= size - shift).astype(int) if shift else np.zeros(size, int)
    down = cut if kind in ("bottom", "corner") else np.zeros(size, int)
    across = cut if kind in ("right", "corner") else np.zeros(size, int)
    return 2 * down[:, None] + across[None, :]


def mask_of(size: int, shift: int, kind: str) -> np.ndarray:
    """(N, N) of a window of a class: 0 where a query may listen to a key, -100 where not."""
    piece = pieces(size, shift, kind).ravel()
    return np.where(piece[:, None] == piece[None, :], 0.0, MASKED).astype(np.float32)


def blocked_pairs(size: int, shift: int, kind: str) -> int:
    """Pairs of query and key that the mask of a class silences: 0, 2048, 2048, 3072 for M = 8 and shift 4."""
    return int((mask_of(size, shift, kind) < 0).sum())


def class_counts(windows: Windows) -> dict[str, int]:
    """How many windows of each class a picture has, in the order of CLASSES."""
    found = dict.fromkeys(CLASSES, 0)
    for window in range(windows.count):
        found[class_of(windows, window)] += 1
    return found


def relative_index(size: int) -> np.ndarray:
    """(N, N) row of the bias table for each pair: (dy + M - 1) * (2M - 1) + dx + M - 1, d = query - key."""
    axis = np.arange(size)
    row, column = np.repeat(axis, size), np.tile(axis, size)
    dy = row[:, None] - row[None, :] + size - 1
    dx = column[:, None] - column[None, :] + size - 1
    return dy * (2 * size - 1) + dx


def roll(image: np.ndarray, shift: int) -> np.ndarray:
    """The cyclic shift of (H, W, ...): what stood at (y, x) comes to (y - shift, x - shift)."""
    return np.roll(image, (-shift, -shift), axis=(0, 1))


def pad(image: np.ndarray, size: int) -> np.ndarray:
    """Extend (H, W, ...) right and below to whole windows, as the net does."""
    height, width = image.shape[:2]
    rows = reflected(height, -(-height // size) * size)
    columns = reflected(width, -(-width // size) * size)
    return image[rows][:, columns]


# ---------------------------------------------------------------- a window-aligned crop


@dataclass(frozen=True, kw_only=True)
class Crop:
    """A part of the picture that the net is shown alone: upper left corner and size in pixels."""

    x: int
    y: int
    width: int
    height: int
    whole: bool

    def inside(self, x: int, y: int) -> tuple[int, int]:
        """A pixel of the picture in the crop's own coordinates."""
        return x - self.x, y - self.y

    def cut(self, image: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(image[self.y : self.y + self.height, self.x : self.x + self.width])


def crop_around(height: int, width: int, x: int, y: int, size: int, most: int) -> Crop:
    """At most `most` windows around pixel (x, y), beginning at multiples of the window size.

    The whole picture where it fits. Crops move in steps of half their side, so that picks near one another share
    one; the pick keeps at least a quarter of the side from every crop edge that is not the picture's own.
    """
    rows, columns = -(-height // size), -(-width // size)
    if rows * columns <= most:
        return Crop(x=0, y=0, width=width, height=height, whole=True)
    side = max(
        4, int(most**0.5) // 4 * 4
    )  # whole windows; a multiple of 4 so that half and quarter are whole too
    high, wide = min(rows, side), min(columns, side)
    if high < side:  # a flat picture leaves room for a wider crop, and a narrow one for a higher
        wide = min(columns, most // high)
    elif wide < side:
        high = min(rows, most // wide)

    def first(pick: int, total: int, part: int) -> int:
        step = max(1, part // 2)
        start = round((pick / size - part / 2) / step) * step
        return int(min(max(0, start), total - part))

    top, left = first(y, rows, high) * size, first(x, columns, wide) * size
    return Crop(
        x=left,
        y=top,
        width=min(wide * size, width - left),
        height=min(high * size, height - top),
        whole=False,
    )

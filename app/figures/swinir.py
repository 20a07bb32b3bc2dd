"""Figures of the SwinIR page: windows, the shift, masks, attention of a pixel, the bias table, leaks.

numpy in; uint8 pictures and shapes of app/figures/overlay.py out. A window is drawn as M x M pixels that the browser
enlarges, so that a click on it names a position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from app.figures.colour import colormap
from app.figures.overlay import COLOURS, Dot, Grid, Label, Polygon, Rect, Shape, Style
from app.figures.swinir_windows import Windows, class_of, pad, pieces, pixels_of, roll

PIECES = ("accent", "second", "third", "good")  # colour of each of the four pieces of a window
BLOCKED = (38, 41, 49)
THIN = Style(colour="plain", width=0.8, opacity=0.5, halo=False)


def rgb(name: str) -> tuple[int, int, int]:
    """Red, green, blue of a colour of the overlay's palette."""
    code = COLOURS[name].lstrip("#")
    return int(code[0:2], 16), int(code[2:4], 16), int(code[4:6], 16)


# ---------------------------------------------------------------- windows on the picture


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A part of a window that is of one place in the picture: its number and its box in picture pixels."""

    number: int
    x: int
    y: int
    width: int
    height: int


def pieces_of(windows: Windows, window: int) -> list[Piece]:
    """The one, two or four parts of a window, where they lie in the picture (reflected pixels cut off)."""
    number = pieces(windows.size, windows.shift, class_of(windows, window)).ravel()
    at = pixels_of(windows, window)
    found = []
    for each in np.unique(number):
        inside = at[(number == each) & (at[:, 0] < windows.height) & (at[:, 1] < windows.width)]
        if len(inside):
            (top, left), (bottom, right) = inside.min(axis=0), inside.max(axis=0)
            found.append(
                Piece(
                    number=int(each),
                    x=int(left),
                    y=int(top),
                    width=int(right - left + 1),
                    height=int(bottom - top + 1),
                )
            )
    return found


def window_shapes(windows: Windows, window: int | None = None) -> list[Shape]:
    """The grid of a layer on the picture, and the pieces of one window in their colours."""
    shapes: list[Shape] = [Grid(step=windows.size, offset=(windows.shift, windows.shift), style=THIN)]
    return shapes + ([] if window is None else window_boxes(windows, window))


def window_boxes(windows: Windows, window: int, x: int = 0, y: int = 0, scale: int = 1) -> list[Shape]:
    """A window's pieces as boxes, in a picture where the windows begin at (x, y) and pixels are `scale` wide."""
    return [
        Rect(
            x=(x + piece.x) * scale,
            y=(y + piece.y) * scale,
            width=piece.width * scale,
            height=piece.height * scale,
            style=Style(colour=PIECES[piece.number], width=2.0, fill=0.22),
        )
        for piece in pieces_of(windows, window)
    ]


def wrapped_shapes(windows: Windows) -> list[Shape]:
    """Strips of the picture whose windows join opposite edges: coloured where the roll will take them."""
    if not windows.shift:
        return []
    m, s, h, w = windows.size, windows.shift, windows.height, windows.width
    below, right = windows.padded_height - m + s, windows.padded_width - m + s
    shapes: list[Shape] = []
    for x, y, width, height, colour in (
        (0, 0, w, s, "second"),
        (0, below, w, h - below, "second"),
        (0, 0, s, h, "third"),
        (right, 0, w - right, h, "third"),
    ):
        if width > 0 and height > 0:
            style = Style(colour=colour, width=0.5, fill=0.3, halo=False)
            shapes.append(Rect(x=x, y=y, width=width, height=height, style=style))
    return shapes


# ---------------------------------------------------------------- the shift, animated


def toy(image: np.ndarray, size: int, longest: int = 6) -> np.ndarray:
    """The picture shrunk to a few windows, so that a shift of half a window can be seen: sides multiples of size."""
    height, width = image.shape[:2]
    factor = longest * size / max(height, width)
    rows = max(2, round(height * factor / size))
    columns = max(2, round(width * factor / size))
    return np.asarray(Image.fromarray(image).resize((columns * size, rows * size), Image.Resampling.LANCZOS))


def shift_frames(
    image: np.ndarray, size: int, shift: int, zoom: int = 12
) -> tuple[list[np.ndarray], list[float]]:
    """The cyclic shift in steps of a third of a pixel, then the cut into windows with their pieces.

    image: uint8 (H, W, 3), whole windows. Returns frames (zoom*H, zoom*W, 3) and how many pixels each is rolled by;
    the last frame, rolled by `shift`, shows the pieces.
    """
    big = np.repeat(np.repeat(image, zoom, axis=0), zoom, axis=1)
    frames, moved = [], []
    steps = 3 * shift
    for step in range(steps + 1):
        distance = round(step * shift * zoom / steps) if steps else 0
        frame = np.roll(big, (-distance, -distance), axis=(0, 1)).copy()
        tint(frame[frame.shape[0] - distance :, :], "second", 0.35)
        tint(frame[: frame.shape[0] - distance, frame.shape[1] - distance :], "third", 0.35)
        draw_grid(frame, size * zoom)
        if distance:
            frame[frame.shape[0] - distance - 1 : frame.shape[0] - distance + 1] = rgb("second")
            frame[:, frame.shape[1] - distance - 1 : frame.shape[1] - distance + 1] = rgb("third")
        frames.append(frame)
        moved.append(distance / zoom)
    frames.append(pieces_frame(image, size, shift, zoom))
    moved.append(float(shift))
    return frames, moved


def pieces_frame(image: np.ndarray, size: int, shift: int, zoom: int) -> np.ndarray:
    """The rolled picture with every cut window's pieces in their colours and whole windows as they are."""
    rolled = roll(image, shift)
    frame = np.repeat(np.repeat(rolled, zoom, axis=0), zoom, axis=1)
    windows = Windows(height=image.shape[0], width=image.shape[1], size=size, shift=shift)
    for window in range(windows.count):
        kind = class_of(windows, window)
        if kind == "interior":
            continue
        number = pieces(size, shift, kind)
        top, left = (window // windows.columns) * size * zoom, (window % windows.columns) * size * zoom
        part = frame[top : top + size * zoom, left : left + size * zoom]
        spread = np.repeat(np.repeat(number, zoom, axis=0), zoom, axis=1)
        for each in np.unique(number):
            part[spread == each] = mix(part[spread == each], PIECES[each], 0.45)
    draw_grid(frame, size * zoom, thick=2)
    return frame


def mix(pixels: np.ndarray, colour: str, share: float) -> np.ndarray:
    """uint8 pixels (..., 3) with `share` of a colour."""
    return (pixels * (1 - share) + np.array(rgb(colour)) * share).astype(np.uint8)


def tint(pixels: np.ndarray, colour: str, share: float) -> None:
    """`mix`, in place."""
    pixels[...] = mix(pixels, colour, share)


def draw_grid(frame: np.ndarray, step: int, thick: int = 1) -> None:
    """White lines every `step` pixels, in place; thin dark ones beside them keep them visible on white."""
    for axis in (0, 1):
        lines = frame.swapaxes(0, axis)
        for at in range(step, lines.shape[0], step):
            lines[at - thick - 1 : at + thick + 1] = lines[at - thick - 1 : at + thick + 1] // 3
            lines[at - thick : at + thick] = 255


# ---------------------------------------------------------------- masks


def mask_picture(size: int, shift: int, kind: str) -> np.ndarray:
    """(N, N, 3): row = query, column = key. Pairs of one piece in its colour, silenced pairs dark."""
    number = pieces(size, shift, kind).ravel()
    palette = np.array([rgb(name) for name in PIECES], np.uint8)
    same = number[:, None] == number[None, :]
    picture = np.where(same[..., None], palette[number][:, None, :], np.array(BLOCKED, np.uint8))
    return picture.astype(np.uint8)


def piece_picture(size: int, shift: int, kind: str) -> np.ndarray:
    """(M, M, 3): the window itself, each piece in its colour."""
    palette = np.array([rgb(name) for name in PIECES], np.uint8)
    return palette[pieces(size, shift, kind)]


def row_shapes(size: int, position: int) -> list[Shape]:
    """The row of a query in a mask picture."""
    return [Rect(x=0, y=position, width=size * size, height=1, style=Style(colour="plain", width=1.5))]


# ---------------------------------------------------------------- attention of one pixel


def heat(values: np.ndarray, limit: float | None = None) -> np.ndarray:
    """(N,) not negative -> (M, M, 3), dark = nothing, bright = the limit (by default the largest)."""
    side = round(values.size**0.5)
    top = float(values.max()) if limit is None else limit
    return colormap(values.reshape(side, side), "sequential", (0.0, top or 1.0))


def signed_heat(values: np.ndarray, limit: float | None = None) -> np.ndarray:
    """(N,) of either sign -> (M, M, 3), symmetric about 0."""
    side = round(values.size**0.5)
    top = float(np.abs(values).max()) if limit is None else limit
    return colormap(values.reshape(side, side), "diverging", (-(top or 1.0), top or 1.0))


def cell_numbers(values: Sequence[str], side: int, size: float = 10.5) -> list[Shape]:
    """A word in the middle of each cell of a grid of `side` x `side`; empty ones are left out."""
    return [
        Label(x=i % side + 0.5, y=i // side + 0.5, text=text, centred=True, size=size)
        for i, text in enumerate(values)
        if text
    ]


def percents(weights: np.ndarray) -> list[str]:
    """Percents, with one decimal where all are small; nothing where it would read zero."""
    places, least = (0, 0.005) if weights.max() >= 0.1 else (1, 0.0005)
    return [f"{100 * w:.{places}f}" if w >= least else "" for w in weights]


def hatch(cells: np.ndarray, colour: str = "plain") -> list[Shape]:
    """(N,) bool: diagonal lines over the cells that are True."""
    side = round(cells.size**0.5)
    style = Style(colour=colour, width=1.0, opacity=0.65, halo=False)
    lines: list[Shape] = []
    for i in np.flatnonzero(cells):
        x, y = int(i) % side, int(i) // side
        lines.append(Polygon(points=((x, y + 1), (x + 1, y)), closed=False, style=style))
        lines.append(Polygon(points=((x, y + 0.5), (x + 0.5, y)), closed=False, style=style))
        lines.append(Polygon(points=((x + 0.5, y + 1), (x + 1, y + 0.5)), closed=False, style=style))
    return lines


def cell(position: int, side: int, colour: str = "accent", width: float = 2.5) -> Rect:
    """A frame around one cell."""
    return Rect(
        x=position % side, y=position // side, width=1, height=1, style=Style(colour=colour, width=width)
    )


def seams(windows: Windows, window: int) -> list[Shape]:
    """Lines along which the roll joined pieces of a window, in its own M x M coordinates."""
    kind, m, cut = class_of(windows, window), windows.size, windows.size - windows.shift
    style = Style(colour="accent", width=2.0, dashed=True)
    lines: list[Shape] = []
    if kind in ("bottom", "corner"):
        lines.append(Polygon(points=((0, cut), (m, cut)), closed=False, style=style))
    if kind in ("right", "corner"):
        lines.append(Polygon(points=((cut, 0), (cut, m)), closed=False, style=style))
    return lines


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """A window and its neighbours as the layer cuts them, after padding and roll.

    image: uint8 (h, w, 3). x, y: where the window begins in it. left, top: where the image begins in the rolled,
    padded picture.
    """

    image: np.ndarray
    x: int
    y: int
    left: int
    top: int


def surroundings(image: np.ndarray, windows: Windows, window: int) -> Surroundings:
    """The window with one window's width around it, as far as the rolled picture goes."""
    m = windows.size
    row, column = (window // windows.columns) * m, (window % windows.columns) * m
    top, left = max(0, row - m), max(0, column - m)
    rolled = roll(pad(image, m), windows.shift)
    part = rolled[top : row + 2 * m, left : column + 2 * m]
    return Surroundings(image=np.ascontiguousarray(part), x=column - left, y=row - top, left=left, top=top)


def unrolled(around: Surroundings, windows: Windows, x: int, y: int) -> tuple[int, int] | None:
    """The picture's pixel (x, y) behind a pixel of the surroundings, None for a reflected one."""
    column = (around.left + x + windows.shift) % windows.padded_width
    row = (around.top + y + windows.shift) % windows.padded_height
    return (column, row) if column < windows.width and row < windows.height else None


def close_film(around: Surroundings, size: int, weights: np.ndarray, limit: float) -> np.ndarray:
    """(h, w, 4): attention over the window of the surroundings, the neighbours dimmed."""
    film = np.zeros((*around.image.shape[:2], 4), np.uint8)
    film[..., 3] = 120
    share = np.clip(weights.reshape(size, size) / (limit or 1.0), 0.0, 1.0)
    part = film[around.y : around.y + size, around.x : around.x + size]
    part[..., :3] = colormap(share, "sequential", (0.0, 1.0))
    part[..., 3] = 235
    return film


def moved(shapes: Sequence[Shape], x: float, y: float) -> list[Shape]:
    """Boxes, lines and words of a window, put where the window begins in a larger picture."""
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Polygon):
            found.append(replace(shape, points=tuple((px + x, py + y) for px, py in shape.points)))
        elif not isinstance(shape, Grid):
            found.append(replace(shape, x=shape.x + x, y=shape.y + y))
    return found


def attention_layer(windows: Windows, pixels: np.ndarray, weights: np.ndarray, limit: float) -> np.ndarray:
    """(H, W, 4): attention as a film over the picture, clear where nothing is listened to.

    pixels (N, 2): row and column of each key; weights (N,). Reflected pixels are outside and left out.
    """
    film = np.zeros((windows.height, windows.width, 4), np.uint8)
    inside = (pixels[:, 0] < windows.height) & (pixels[:, 1] < windows.width)
    share = np.clip(weights / (limit or 1.0), 0.0, 1.0)
    colours = colormap(share[None, :], "sequential", (0.0, 1.0))[0]
    at = pixels[inside]
    film[at[:, 0], at[:, 1], :3] = colours[inside]
    film[at[:, 0], at[:, 1], 3] = (110 + 145 * share[inside]).astype(np.uint8)
    return film


def pick_mark(x: int, y: int, scale: int = 1) -> Dot:
    """A ring around the picked pixel."""
    return Dot(x=(x + 0.5) * scale, y=(y + 0.5) * scale, radius=5.0, style=Style(colour="plain", width=2.0))


# ---------------------------------------------------------------- bias, features, leaks


def bias_picture(by_offset: np.ndarray, limit: float) -> np.ndarray:
    """(2M-1, 2M-1) bias by where the key lies -> picture, symmetric about 0."""
    return colormap(by_offset, "diverging", (-(limit or 1.0), limit or 1.0))


def bias_shapes(size: int) -> list[Shape]:
    """The query itself in the middle of the table."""
    return [Rect(x=size - 1, y=size - 1, width=1, height=1, style=Style(colour="accent", width=2.0))]


def tiles(maps: Sequence[np.ndarray], gap: int, columns: int) -> np.ndarray:
    """Pictures (H, W, 3) of one size side by side, `columns` in a row, `gap` pixels of dark between."""
    height, width = maps[0].shape[:2]
    rows = -(-len(maps) // columns)
    sheet = np.full((rows * (height + gap) - gap, columns * (width + gap) - gap, 3), BLOCKED, np.uint8)
    for i, each in enumerate(maps):
        y, x = (i // columns) * (height + gap), (i % columns) * (width + gap)
        sheet[y : y + height, x : x + width] = each
    return sheet


def with_margin(sheet: np.ndarray, left: int, top: int) -> np.ndarray:
    """A sheet of tiles with dark room for names at its left and above it."""
    return np.concatenate(
        [
            np.full((sheet.shape[0] + top, left, 3), BLOCKED, np.uint8),
            np.concatenate([np.full((top, sheet.shape[1], 3), BLOCKED, np.uint8), sheet], axis=0),
        ],
        axis=1,
    )


def tile_at(x: int, y: int, height: int, width: int, gap: int, columns: int, count: int) -> int | None:
    """Which of `tiles` a pixel lies in, None in a gap."""
    column, row = x // (width + gap), y // (height + gap)
    index = row * columns + column
    if x % (width + gap) >= width or y % (height + gap) >= height or index >= count:
        return None
    return int(index)


def norm_picture(norms: np.ndarray) -> np.ndarray:
    """(H, W) lengths -> picture between the 1st and the 99th hundredth, so that single peaks do not darken it."""
    low, high = np.percentile(norms, (1, 99))
    return colormap(norms, "sequential", (float(low), float(high) if high > low else float(low) + 1.0))


def leak_picture(delta: np.ndarray, limit: float) -> np.ndarray:
    """(H, W) absolute difference -> picture, bright at the limit."""
    return colormap(delta, "sequential", (0.0, limit or 1.0))

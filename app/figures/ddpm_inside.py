"""Figures of the inside of a diffusion model: skips and attention as maps, the clock as a picture, galleries.

numpy in, uint8 pictures, SVG or HTML text out. Pictures of the net are (C, H, W) in [-1, 1].
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from PIL import Image

from app.figures.colour import colormap, limits_of
from app.figures.overlay import Label, Rect, Shape, Style

# ---------------------------------------------------------------- galleries


@dataclass(frozen=True, eq=False)
class Cell:
    """One picture of a gallery: uint8 (H, W, 3), words under it, and words for those who cannot see it."""

    image: np.ndarray
    caption: str
    alt: str
    strong: bool = False


def data_uri(image: np.ndarray) -> str:
    """A small picture as a PNG inside of the page."""
    file = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(image)).save(file, "PNG", optimize=False)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")


def gallery(cells: Sequence[Cell], label: str, least: int = 96, most: int = 150, columns: int = 0) -> str:
    """Small pictures beside each other, as many in a row as there is room for, each with its words. HTML.

    least, most: CSS pixels of a picture's side. columns: that many in each row, whatever the room; 0 lets them wrap.
    """
    tracks = f"repeat({columns},minmax(0,{most}px))" if columns else f"repeat(auto-fit,minmax({least}px,1fr))"
    parts = []
    for cell in cells:
        alt = "" if cell.alt == cell.caption else cell.alt  # nobody wants to hear it twice
        edge = "outline:2px solid var(--st-primary-color,#0f766e);outline-offset:1px;" if cell.strong else ""
        parts.append(
            f'<div role="listitem" style="margin:0;max-width:{most}px;min-width:0">'
            f'<img src="{data_uri(cell.image)}" alt="{escape(alt, quote=True)}" style="display:block;width:100%;'
            f'image-rendering:pixelated;border-radius:3px;{edge}">'
            f'<div style="font-size:.8rem;line-height:1.3;margin-top:.3rem;'
            f'font-weight:{600 if cell.strong else 400};overflow-wrap:anywhere">{escape(cell.caption)}</div>'
            f"</div>"
        )
    return (
        f'<div role="list" aria-label="{escape(label, quote=True)}" style="display:grid;gap:.75rem;'
        f'grid-template-columns:{tracks};justify-content:start">{"".join(parts)}</div>'
    )


# ---------------------------------------------------------------- skips


def strength_map(features: np.ndarray) -> np.ndarray:
    """(H, W) length of the feature vector of each cell; features (C, H, W)."""
    return np.asarray(np.linalg.norm(features.astype(np.float64), axis=0))


@dataclass(frozen=True)
class Sheet:
    """Maps of several sizes as tiles of one size. image: uint8 (h, w, 4), gaps transparent. side: of a tile."""

    image: np.ndarray
    side: int
    gap: int
    columns: int
    count: int

    def corner(self, index: int) -> tuple[int, int]:
        """Upper left pixel (x, y) of a tile."""
        row, column = divmod(index, self.columns)
        return column * (self.side + self.gap), row * (self.side + self.gap)

    def at(self, x: int, y: int) -> int | None:
        """The tile under a pixel, None in a gap."""
        column, dx = divmod(x, self.side + self.gap)
        row, dy = divmod(y, self.side + self.gap)
        index = row * self.columns + column
        inside = dx < self.side and dy < self.side and column < self.columns and 0 <= index < self.count
        return index if inside else None


def skip_sheet(skips: Sequence[np.ndarray], columns: int = 3, gap: int = 3) -> Sheet:
    """Each skip (C, H, W) as a map of how strong it is where, all enlarged to the size of the largest.

    Each map has its own limits: what matters is where a skip says much, not which one has the larger numbers.
    """
    side = max(skip.shape[1] for skip in skips)
    columns = min(columns, len(skips))
    rows = -(-len(skips) // columns)
    step = side + gap
    sheet = np.zeros((rows * step - gap, columns * step - gap, 4), np.uint8)
    for i, skip in enumerate(skips):
        one = strength_map(skip)
        colours = colormap(one, "sequential", limits_of(one))[..., :3]
        y, x = (i // columns) * step, (i % columns) * step
        sheet[y : y + side, x : x + side, :3] = fit(colours, side)
        sheet[y : y + side, x : x + side, 3] = 255
    return Sheet(sheet, side, gap, columns, len(skips))


def fit(image: np.ndarray, side: int) -> np.ndarray:
    """A small square picture with every pixel repeated, to `side` pixels."""
    index = np.arange(side) * image.shape[0] // side
    return image[index][:, index]


# ---------------------------------------------------------------- attention


def attention_layer(weights: np.ndarray, height: int, width: int, peak: float) -> np.ndarray:
    """One query's weights (rows, columns) as colours over the picture: uint8 (height, width, 3)."""
    colours = colormap(weights, "sequential", (0.0, max(peak, 1e-12)))[..., :3]
    rows = np.arange(height) * weights.shape[0] // height
    columns = np.arange(width) * weights.shape[1] // width
    return colours[rows][:, columns]


def token_rect(position: int, columns: int, pixels: float, colour: str = "accent", label: str = "") -> Rect:
    """The part of the picture that a position of the map stands over; pixels: of the picture for one position."""
    row, column = divmod(position, columns)
    return Rect(
        x=column * pixels,
        y=row * pixels,
        width=pixels,
        height=pixels,
        label=label,
        style=Style(colour=colour),
    )


def entropy(weights: np.ndarray) -> np.ndarray:
    """Effective number of positions listened to: exp of the entropy over the last axis."""
    p = np.asarray(weights, np.float64)
    logs = np.log(np.where(p > 0, p, 1.0))
    return np.asarray(np.exp(-(p * logs).sum(-1)))


# ---------------------------------------------------------------- the clock


def clock_picture(values: np.ndarray, height: int = 4) -> np.ndarray:
    """(T, C) numbers as a picture: t runs to the right, channels downwards, each `height` pixels high."""
    colours = colormap(values.T, "diverging", limits_of(values, "diverging"))[..., :3]
    return colours.repeat(height, axis=0)


def clock_mark(t: int, steps: int, width: int, height: int, label: str = "") -> list[Shape]:
    """An upright frame around the current t in a picture of `width` pixels for `steps` of t."""
    x = (t + 0.5) * width / steps
    at_right = x > 0.75 * width
    shapes: list[Shape] = [
        Rect(x=x - 0.6, y=0, width=1.2, height=height, style=Style(colour="accent", width=1.6))
    ]
    if label:
        shapes.append(Label(x=x - (0.16 * width if at_right else -4), y=height * 0.16, text=label, size=13))
    return shapes


# ---------------------------------------------------------------- paths compared


def rms_by_step(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(S,) root mean square of the difference of two paths (S, C, H, W)."""
    far = a.astype(np.float64) - b.astype(np.float64)
    return np.asarray(np.sqrt((far**2).mean(axis=(1, 2, 3))))

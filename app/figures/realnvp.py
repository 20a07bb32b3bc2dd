"""Drawings of the RealNVP page: states on their way to z, bits per dimension on one axis, a flow of the plane.

numpy in, uint8 pictures or SVG text out. Numbers around 0 are drawn blue below it and orange above it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from PIL import Image, ImageDraw

from app.figures.charts import CHOSEN, FAINT, FONT, INK, NEGATIVE, POSITIVE
from app.figures.colour import LUT, colormap
from app.figures.overlay import number

REACH_OF_STATES = 3.0  # colours end here: black and white are stretched to -2.9 and 2.9
STAYS, DONE = (38, 42, 52), (150, 153, 160)
SIDE = 264  # pixels of a picture of the plane
FINE = 2
DATA, DRAWN, LINES = (16, 54, 104), (150, 58, 6), (96, 104, 120)


# ---------------------------------------------------------------- pictures of 28 x 28


def coloured(values: np.ndarray, reach: float = REACH_OF_STATES) -> np.ndarray:
    """Numbers (...,) to uint8 (..., 3): 0 is pale, beyond -reach and reach the colours end. NaN is mid-grey."""
    known = np.isfinite(values)
    colours = colormap(np.where(known, values, 0.0), "diverging", (-reach, reach)).astype(np.uint8)
    colours[~known] = DONE
    return colours


def parted(values: np.ndarray, mask: np.ndarray, reach: float) -> np.ndarray:
    """Numbers coloured where the mask is 0; dark where it is 1 (a number stays), grey where it is NaN (it is done)."""
    colours = coloured(values, reach)
    colours[mask == 1] = STAYS
    return colours


def greys(levels: np.ndarray) -> np.ndarray:
    """uint8 (..., H, W) to uint8 (..., H, W, 3)."""
    return np.repeat(levels[..., None], 3, axis=-1)


def row_of(images: Sequence[np.ndarray], gap: int = 2) -> np.ndarray:
    """Pictures (H, W, 3) of one height beside each other, grey between them."""
    between = np.full((len(images[0]), gap, 3), DONE, np.uint8)
    parts = [part for image in images for part in (between, image)]
    return np.concatenate(parts[1:], axis=1)


def matrix(values: np.ndarray, cell: int = 16) -> np.ndarray:
    """A square matrix as a picture, each number a square; colours end at its largest number."""
    reach = max(float(np.abs(values).max()), 1e-9)
    return coloured(values, reach).repeat(cell, axis=0).repeat(cell, axis=1)


# ---------------------------------------------------------------- bits per dimension

TICKS = (0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32)


def bits_chart(
    sets: Sequence[tuple[str, np.ndarray]],
    marks: Sequence[tuple[str, float]],
    *,
    title: str,
    x_name: str,
    width: int = 640,
    height: int = 300,
) -> str:
    """Histograms of bits per dimension over an axis that doubles at every tick; marks are upright lines with a name.

    sets: (name, values), two at most. marks: (name with its number, value), the first one is the reader's own.
    """
    low, high, bins = np.log2(TICKS[0]), np.log2(TICKS[-1]), 84
    edges = np.linspace(low, high, bins + 1)
    left, right, top, bottom = 8.0, width - 8.0, 26.0 + 17 * len(marks), height - 38.0

    def px(value: float) -> float:
        share = (np.log2(max(value, 1e-9)) - low) / (high - low)
        return left + (right - left) * min(max(float(share), 0.0), 1.0)

    parts, x = [], left
    for (name, values), colour in zip(sets, (NEGATIVE, POSITIVE), strict=False):
        parts.append(
            f'<rect x="{number(x)}" y="4" width="14" height="10" fill="{colour}" fill-opacity=".5"/>'
        )
        parts.append(f'<text x="{number(x + 19)}" y="14">{escape(name)}</text>')
        x += 44 + sum(13 if ord(c) > 0x2E80 else 7 for c in name)
        counts = np.histogram(np.log2(np.clip(values, TICKS[0], TICKS[-1])), edges)[0].astype(np.float64)
        share = counts / max(1.0, counts.max())
        way = [f"M{number(left)} {number(bottom)}"]
        for i, tall in enumerate(share):
            end = left + (right - left) * (i + 1) / bins
            way.append(f"V{number(bottom - (bottom - top) * tall)}H{number(end)}")
        way.append(f"V{number(bottom)}Z")
        parts.append(
            f'<path d="{"".join(way)}" fill="{colour}" fill-opacity=".3" stroke="{colour}" stroke-width="1.4"/>'
        )
    parts.append(f'<line x1="{left}" x2="{right}" y1="{bottom}" y2="{bottom}" stroke="{FAINT}"/>')
    for value in TICKS:
        anchor = "start" if value == TICKS[0] else ("end" if value == TICKS[-1] else "middle")
        parts.append(
            f'<line x1="{number(px(value))}" x2="{number(px(value))}" y1="{bottom}" y2="{bottom + 4}" stroke="{INK}"/>'
            f'<text x="{number(px(value))}" y="{bottom + 17}" text-anchor="{anchor}" class="n">{value:g}</text>'
        )
    parts.append(
        f'<text x="{number(width / 2)}" y="{height - 5}" text-anchor="middle">{escape(x_name)}</text>'
    )
    halo = 'style="paint-order:stroke;stroke:var(--st-background-color,#fff);stroke-width:4px"'
    for row, (name, value) in enumerate(marks):
        at, y = px(value), 34.0 + 17 * row
        colour, weight = (CHOSEN, "700") if row == 0 else (INK, "400")
        flip = at > width * 0.55
        words = f"{name} ▸" if value > TICKS[-1] else name
        parts.append(
            f'<line x1="{number(at)}" x2="{number(at)}" y1="{y - 4}" y2="{bottom}" stroke="{colour}" '
            f'stroke-width="{2 if row == 0 else 1.2}"/>'
            f'<text x="{number(at - 5 if flip else at + 5)}" y="{y}" text-anchor="{"end" if flip else "start"}" '
            f'font-weight="{weight}" {halo}>{escape(words)}</text>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title, quote=True)}" '
        f'style="width:100%;height:auto;max-width:{max(width, 440)}px;display:block" '
        f'font-family="{FONT}" font-size="13" fill="{INK}">'
        f"<style>.n{{font-variant-numeric:tabular-nums;font-size:12px}}</style>{''.join(parts)}</svg>"
    )


# ---------------------------------------------------------------- the plane


def density(values: np.ndarray, top: float, side: int = SIDE) -> np.ndarray:
    """Densities (rows from below, columns) to uint8 (side, side, 3), y upwards; the colours end at `top`."""
    share = np.sqrt(np.clip(values[::-1] / max(top, 1e-12), 0.0, 1.0)).astype(np.float32)
    large = np.asarray(Image.fromarray(share).resize((side, side), Image.Resampling.BICUBIC))
    return LUT["sequential"][(np.clip(large, 0.0, 1.0) * 255).astype(np.int64)].astype(np.uint8)


def places(points: np.ndarray, reach: float, side: int) -> np.ndarray:
    """Coordinates in [-reach, reach]², y up, to pixels (x, y) with y down."""
    return (np.asarray(points, np.float64) * [1, -1] / reach + 1) * 0.5 * side


def scattered(
    points: np.ndarray,
    colours: np.ndarray | tuple[int, int, int],
    reach: float,
    *,
    ground: np.ndarray | None = None,
    curves: Sequence[np.ndarray] = (),
    radius: float = 2.2,
    side: int = SIDE,
) -> np.ndarray:
    """Points (N, 2) as dots, over a picture or white, and curves (M, 2) below them; uint8 (side, side, 3).

    colours: one for all, or uint8 (N, 3).
    """
    large = side * FINE
    if ground is None:
        sheet = Image.new("RGB", (large, large), (250, 250, 248))
    else:
        sheet = Image.fromarray(ground).resize((large, large), Image.Resampling.BILINEAR)
    pen = ImageDraw.Draw(sheet)
    for curve in curves:
        pen.line([tuple(p) for p in places(curve, reach, large).tolist()], fill=LINES, width=FINE)
    each = np.broadcast_to(np.asarray(colours, np.uint8), (len(points), 3)).tolist()
    r = radius * FINE
    for (x, y), (red, green, blue) in zip(places(points, reach, large).tolist(), each, strict=True):
        pen.ellipse((x - r, y - r, x + r, y + r), fill=(red, green, blue), outline=(255, 255, 255))
    return np.asarray(sheet.resize((side, side), Image.Resampling.BOX))

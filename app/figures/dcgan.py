"""Drawings of the DCGAN page: sheets of samples, z as bars, scores of D, how a transposed convolution reads.

numpy in, uint8 pictures or SVG text out. Real is blue and generated is orange wherever the two meet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from app.figures.charts import CHOSEN, FAINT, FONT, INK, NEGATIVE, POSITIVE
from app.figures.overlay import number

REAL, GENERATED = NEGATIVE, POSITIVE
SIDE = 32  # rows and columns of a picture of the nets
GROUND = 128  # grey between pictures, visible on light and on dark


# ---------------------------------------------------------------- pictures


def to_grey(pictures: np.ndarray) -> np.ndarray:
    """Pictures in [-1, 1], any shape, to uint8 of the same shape."""
    return (np.clip(np.nan_to_num(pictures) * 0.5 + 0.5, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def frames(pictures: np.ndarray) -> np.ndarray:
    """(N, 1, H, W) or (N, H, W) in [-1, 1] to uint8 (N, H, W, 3)."""
    grey = to_grey(pictures)
    if grey.ndim == 4:
        grey = grey[:, 0]
    return np.repeat(grey[..., None], 3, axis=-1)


@dataclass(frozen=True, eq=False)
class Sheet:
    """Pictures of one size row by row. image: uint8 (h, w, 3). cell: side of one picture, gap: between two."""

    image: np.ndarray
    columns: int
    count: int
    cell: int
    gap: int

    def at(self, x: int, y: int) -> int | None:
        """Which picture a pixel of the sheet belongs to; a gap belongs to the one before it. None beyond the last."""
        step = self.cell + self.gap
        index = max(0, y) // step * self.columns + min(max(0, x) // step, self.columns - 1)
        return index if index < self.count else None

    def corner(self, index: int) -> tuple[int, int]:
        """(x, y) of the upper left pixel of a picture."""
        step = self.cell + self.gap
        return index % self.columns * step, index // self.columns * step

    def tiles(self, names: Sequence[str]) -> dict[str, Any]:
        """The description that `picture(tiles=...)` reads, so that the words under it name picture and pixel."""
        step = self.cell + self.gap
        return {
            "columns": self.columns,
            "step_x": step,
            "step_y": step,
            "width": self.cell,
            "height": self.cell,
            "scale": 1,
            "names": list(names),
        }


def sheet(pictures: np.ndarray, columns: int, gap: int = 2) -> Sheet:
    """Pictures (N, 32, 32) in [-1, 1] on a mid-grey ground, so that black pictures have an edge."""
    grey = to_grey(pictures)
    count, side = len(grey), grey.shape[1]
    rows, step = -(-count // columns), side + gap
    image = np.full((rows * step - gap, columns * step - gap), GROUND, np.uint8)
    for i, one in enumerate(grey):
        x, y = i % columns * step, i // columns * step
        image[y : y + side, x : x + side] = one
    return Sheet(np.repeat(image[..., None], 3, axis=-1), columns, count, side, gap)


# ---------------------------------------------------------------- SVG helpers


def _svg(width: float, height: float, title: str, body: str, group: bool = False) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
        f'role="{"group" if group else "img"}" aria-label="{escape(title, quote=True)}" '
        f'style="width:100%;height:auto;max-width:{max(int(width), 440)}px;display:block" '
        f'font-family="{FONT}" font-size="13" fill="{INK}">'
        f"<style>.n{{font-variant-numeric:tabular-nums;font-size:12px}}</style>{body}</svg>"
    )


def _text(x: float, y: float, words: str, anchor: str = "start", more: str = "") -> str:
    return f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" class="n" {more}>{escape(words)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = FAINT, more: str = "") -> str:
    return (
        f'<line x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}" '
        f'stroke="{colour}" {more}/>'
    )


def _legend(entries: Sequence[tuple[str, str, bool]], x: float, y: float, width: float) -> tuple[str, float]:
    """Names (name, colour, dashed) with a stroke before each, breaking into lines; returns (SVG, height used)."""
    parts, left, line = [], x, y
    for name, colour, dashed in entries:
        wide = 26 + sum(13 if ord(c) > 0x2E80 else 6.7 for c in name)
        if left > x and left + wide > width:
            left, line = x, line + 18
        dash = 'stroke-dasharray="5 3"' if dashed else ""
        parts.append(_line(left, line - 4, left + 18, line - 4, colour, f'stroke-width="3" {dash}'))
        parts.append(_text(left + 23, line, name))
        left += wide + 14
    return "".join(parts), line - y + 18


def minus(value: float, places: int = 2) -> str:
    """A number with a true minus, no sign on a zero."""
    words = f"{value:.{places}f}"
    if not words.strip("-0."):
        words = words.lstrip("-")
    return words.replace("-", "−")


# ---------------------------------------------------------------- charts


def z_bars(
    z: np.ndarray, *, title: str, name: str, chosen: int | None = None, width: int = 640, rows: int = 1
) -> str:
    """z as upright bars, positive ones up; each is a thing to click (`data-id` its index).

    name: what a bar is called aloud, with {i} and {value}. rows: bars in so many lines (for a phone).
    """
    z = np.asarray(z, np.float64)
    per, each = -(-len(z) // rows), 96.0
    limit = max(3.0, float(np.abs(z).max(initial=0)))
    step = (width - 30.0) / per
    parts = []
    for r in range(rows):
        zero = r * each + each / 2
        parts.append(_line(26, zero, width - 4, zero))
        for value in (-2, 2):
            y = zero - value / limit * (each / 2 - 8)
            parts.append(_line(26, y, width - 4, y, FAINT, 'stroke-dasharray="1 4"'))
            parts.append(_text(20, y + 4, f"{value:+d}".replace("-", "−"), "end"))
    for i, value in enumerate(z):
        r, c = divmod(i, per)
        zero, x = r * each + each / 2, 28 + c * step
        tall = abs(value) / limit * (each / 2 - 8)
        y = zero - tall if value >= 0 else zero
        colour = CHOSEN if i == chosen else (POSITIVE if value >= 0 else NEGATIVE)
        spoken = escape(name.format(i=i, value=minus(float(value))), quote=True)
        parts.append(
            f'<g data-id="{i}" aria-label="{spoken}"><title>{spoken}</title>'
            f'<rect x="{number(x)}" y="{number(r * each + 3)}" width="{number(step)}" height="{number(each - 6)}" '
            'fill="transparent"/>'
            f'<rect class="box" x="{number(x + step * 0.12)}" y="{number(y)}" width="{number(step * 0.76)}" '
            f'height="{number(max(1.0, tall))}" rx="1" fill="{colour}"/></g>'
        )
    return _svg(width, rows * each, title, "".join(parts), group=True)


def logit_place(logit: float, low: float, high: float) -> float:
    """Where a logit stands between the ends of an axis, 0..1, clipped."""
    return (min(max(logit, low), high) - low) / (high - low)


PROBABILITIES = (0.0001, 0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999)


def score_chart(
    edges: Sequence[float] | np.ndarray,
    parts: Sequence[tuple[str, np.ndarray, str]],
    marks: Sequence[tuple[float, str]],
    *,
    title: str,
    x_name: str,
    width: int = 640,
    height: int = 230,
) -> str:
    """Histograms of D over one axis of logits, written as probabilities; marks (logit, name) are upright lines.

    parts: (name, counts of the bins, colour); each is scaled to shares, so sets of different sizes compare.
    """
    edges = np.asarray(edges, np.float64)
    low, high = float(edges[0]), float(edges[-1])
    legend, used = _legend([(name, colour, False) for name, _, colour in parts], 4, 14, width)
    rows = len(marks)
    left, right, top, bottom = 8.0, width - 8.0, used + 8 + 16 * rows, height - 36.0
    shares = [np.asarray(counts, np.float64) / max(1.0, float(np.sum(counts))) for _, counts, _ in parts]
    tallest = max([float(s.max(initial=0)) for s in shares] + [1e-9])

    def px(logit: float) -> float:
        return left + (right - left) * logit_place(logit, low, high)

    out = [legend, _line(left, bottom, right, bottom)]
    for (name, _, colour), share in zip(parts, shares, strict=True):
        way = [f"M{number(px(low))} {number(bottom)}"]
        for i, value in enumerate(share):
            y = bottom - (bottom - top) * value / tallest
            way.append(f"V{number(y)}H{number(px(edges[i + 1]))}")
        way.append(f"V{number(bottom)}Z")
        out.append(
            f'<path d="{"".join(way)}" fill="{colour}" fill-opacity=".28" stroke="{colour}" stroke-width="1.6">'
            f"<title>{escape(name)}</title></path>"
        )
    last = -100.0
    for p in PROBABILITIES:
        logit = float(np.log(p / (1 - p)))
        if low <= logit <= high and px(logit) - last > 42:
            last = px(logit)
            out.append(_line(last, bottom, last, bottom + 4, INK))
            anchor = "start" if last < left + 14 else ("end" if last > right - 14 else "middle")
            out.append(_text(last, bottom + 16, f"{p:g}", anchor))
    out.append(_text((left + right) / 2, height - 4, x_name, "middle"))
    for row, (logit, name) in enumerate(marks):
        x, y = px(logit), used + 16 * row + 12
        out.append(_line(x, y - 4, x, bottom, CHOSEN, 'stroke-width="2"'))
        flip = x > (left + right) / 2
        words = f"{name} ▸" if flip and logit > high else (f"◂ {name}" if logit < low else name)
        halo = 'style="paint-order:stroke;stroke:var(--st-background-color,#fff);stroke-width:4px"'
        out.append(_text(x - 6 if flip else x + 6, y, words, "end" if flip else "start", halo))
    return _svg(width, height, title, "".join(out))


# ---------------------------------------------------------------- how a transposed convolution reads


def heard(out: int, size: int, kernel: int = 4, stride: int = 2, padding: int = 1) -> list[tuple[int, int]]:
    """(input place, place in the kernel) pairs that write output place `out`: out = stride * p - padding + u."""
    found = []
    for u in range(kernel):
        p, rest = divmod(out + padding - u, stride)
        if rest == 0 and 0 <= p < size:
            found.append((p, u))
    return found


def transposed_drawing(
    row: int,
    column: int,
    size: int,
    words: Mapping[str, str],
    width: int = 640,
    stride: int = 2,
    padding: int = 1,
) -> str:
    """Three grids: the input cells that are heard, the kernel's weights they pass through, the output cell.

    row, column: of the output cell; size: rows of the input. words: input, kernel, output, title.
    """
    rows, columns = heard(row, size, 4, stride, padding), heard(column, size, 4, stride, padding)
    big = (size - 1) * stride - 2 * padding + 4
    gap, top = 26.0, 22.0
    side = (width - 2 * gap - 8) / 3
    out = []
    colours = (POSITIVE, NEGATIVE, CHOSEN, INK)

    def grid(left: float, count: int, name: str, cells: Mapping[tuple[int, int], str]) -> None:
        cell = side / count
        out.append(_text(left, 14, name, "start", 'font-weight="600"'))
        for (r, c), colour in cells.items():
            out.append(
                f'<rect x="{number(left + c * cell)}" y="{number(top + r * cell)}" width="{number(cell)}" '
                f'height="{number(cell)}" fill="{colour}" fill-opacity=".85"/>'
            )
        ends = f"v{number(side)}", f"h{number(side)}"
        lines = "".join(
            f"M{number(left + i * cell)} {number(top)}{ends[0]}M{number(left)} {number(top + i * cell)}{ends[1]}"
            for i in range(count + 1)
        )
        out.append(
            f'<path d="{lines}" stroke="{FAINT}" fill="none" stroke-width="{1 if count <= 16 else 0.5}"/>'
        )

    pairs = [(a, b) for a in rows for b in columns]
    places = {(a[0], b[0]): colours[i % 4] for i, (a, b) in enumerate(pairs)}
    kernel = {(a[1], b[1]): colours[i % 4] for i, (a, b) in enumerate(pairs)}
    grid(4, size, words["input"], places)
    grid(4 + side + gap, 4, words["kernel"], kernel)
    grid(4 + 2 * (side + gap), big, words["output"], {(row, column): INK})
    for i, sign in enumerate(("×", "→")):
        x = 4 + side + gap / 2 + i * (side + gap)
        out.append(_text(x, top + side / 2 + 5, sign, "middle", 'style="font-size:18px"'))
    return _svg(width, top + side + 6, words["title"], "".join(out))

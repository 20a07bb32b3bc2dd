"""Lines and histograms over each other as SVG text, in the colours of the theme: see app/figures/charts.py.

Axes carry their name and a few round numbers. A value that is not finite leaves a gap in its line.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from app.figures.charts import CHOSEN, FAINT, FONT, INK, short
from app.figures.overlay import number

Range = tuple[float, float]

STROKES = {
    "accent": CHOSEN,
    "second": "var(--vt-positive,#c2622a)",
    "third": "var(--vt-negative,#2f6fb5)",
    "faint": "var(--st-gray-color,#7d818c)",
}
LEFT, RIGHT, TOP, BOTTOM = 58, 16, 10, 42  # around the field; the legend has rows of its own above
ROW, LETTER = 20, 7.2  # height of a row of the legend, width of a letter of it


@dataclass(frozen=True, eq=False)
class Line:
    """One line: x and y of equal length, the name under which it stands in the legend ("" for none)."""

    label: str
    x: Sequence[float] | np.ndarray
    y: Sequence[float] | np.ndarray
    colour: str = "accent"
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class Density:
    """One histogram: counts of the bins between the edges, drawn as its share of all."""

    label: str
    counts: Sequence[float] | np.ndarray
    colour: str = "accent"
    filled: bool = False


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """At most `most` round numbers from low to high: multiples of 1, 2 or 5 times a power of ten."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    for step in (s * power for s in (1, 2, 5, 10, 20)):
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first < most:
            return [round(k * step, 12) + 0.0 for k in range(first, last + 1)]
    return [low, high]


def told_apart(values: Sequence[float]) -> list[str]:
    """Round numbers as words, with as many figures as it takes that no two read alike."""
    words = [short(value) for value in values]
    exact = [f"{value:.12g}" for value in values]
    return words if len(set(words)) == len(words) else exact


def powers(low: float, high: float, most: int = 6) -> list[float]:
    """Powers of ten from low to high, thinned to at most `most`."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    stride = max(1, -(-(last - first + 1) // most))
    return [10.0**k for k in range(first, last + 1, stride)]


@dataclass(frozen=True)
class _Field:
    """Where numbers are drawn: the ranges of both axes and the box in pixels."""

    x: Range
    y: Range
    left: float
    right: float
    top: float
    bottom: float
    log_y: bool = False

    def px(self, value: float) -> float:
        return self.left + (self.right - self.left) * (value - self.x[0]) / (self.x[1] - self.x[0])

    def py(self, value: float) -> float:
        low, high = self.y
        if self.log_y:
            value, low, high = math.log10(max(value, 1e-300)), math.log10(low), math.log10(high)
        share = min(1.02, max(-0.02, (value - low) / (high - low)))
        return self.bottom - (self.bottom - self.top) * share


def lines(
    series: Sequence[Line],
    *,
    title: str,
    x_label: str = "",
    y_label: str = "",
    x_range: Range | None = None,
    y_range: Range | None = None,
    log_y: bool = False,
    marked: float | None = None,
    width: int = 640,
    height: int = 240,
) -> str:
    """Lines over one x axis. title: what is seen, for those who cannot see it. marked: an upright line at this x.

    log_y: the y axis in powers of ten; values that are not positive are left out.
    """
    xs = [np.asarray(line.x, np.float64) for line in series]
    ys = [np.asarray(line.y, np.float64) for line in series]
    if log_y:
        ys = [np.where(y > 0, y, np.nan) for y in ys]
    field_x = x_range or _span(xs, 0.0)
    field_y = y_range or _span(ys, 0.0 if log_y else 0.05, positive=log_y)
    labels = [(line.label, line.colour, line.dashed) for line in series if line.label]
    legend, rows = _legend(labels, width)
    field = _Field(field_x, field_y, LEFT, width - RIGHT, TOP + rows * ROW, height - BOTTOM, log_y)
    parts = [legend, _axes(field, x_label, y_label, width, height)]
    for line, x, y in zip(series, xs, ys, strict=True):
        dash = ' stroke-dasharray="5 4"' if line.dashed else ""
        parts.append(
            f'<path d="{_path(field, x, y)}" fill="none" stroke="{STROKES[line.colour]}" stroke-width="2" '
            f'stroke-linejoin="round"{dash}/>'
        )
    if marked is not None and field_x[0] <= marked <= field_x[1]:
        at = number(field.px(marked))
        parts.append(
            f'<line x1="{at}" x2="{at}" y1="{field.top}" y2="{field.bottom}" stroke="{INK}" stroke-width="1.2"/>'
        )
    return _svg(width, height, title, "".join(parts))


def densities(
    series: Sequence[Density],
    edges: Sequence[float] | np.ndarray,
    *,
    title: str,
    x_label: str = "",
    marked: float | None = None,
    width: int = 640,
    height: int = 220,
) -> str:
    """Histograms over each other, each scaled to the same area. edges: one more than there are counts."""
    at = np.asarray(edges, np.float64)
    shares = []
    for each in series:
        counts = np.asarray(each.counts, np.float64)
        if counts.shape != (at.size - 1,):
            raise ValueError(f"{counts.size} counts for {at.size - 1} bins")
        shares.append(counts / max(float(counts.sum()), 1e-12) / np.diff(at))
    top = max((float(share.max(initial=0)) for share in shares), default=0.0) or 1.0
    legend, rows = _legend([(each.label, each.colour, False) for each in series if each.label], width)
    field = _Field(
        (float(at[0]), float(at[-1])),
        (0.0, 1.06 * top),
        LEFT - 40,
        width - RIGHT,
        TOP + rows * ROW,
        height - BOTTOM,
    )
    parts = [legend, _axes(field, x_label, "", width, height, y_ticks=False)]
    for each, share in zip(series, shares, strict=True):
        stroke = STROKES[each.colour]
        x, y = np.repeat(at, 2)[1:-1], np.repeat(share, 2)
        outline = _path(field, x, y)
        if each.filled:
            floor = number(field.bottom)
            area = f"M{number(field.px(x[0]))} {floor}L{outline[1:]}L{number(field.px(x[-1]))} {floor}Z"
            parts.append(f'<path d="{area}" fill="{stroke}" fill-opacity=".22"/>')
        parts.append(f'<path d="{outline}" fill="none" stroke="{stroke}" stroke-width="1.8"/>')
    if marked is not None and field.x[0] <= marked <= field.x[1]:
        at_x = number(field.px(marked))
        parts.append(
            f'<line x1="{at_x}" x2="{at_x}" y1="{field.top}" y2="{field.bottom}" stroke="{INK}" stroke-width="1.2"/>'
        )
    return _svg(width, height, title, "".join(parts))


# ---------------------------------------------------------------- parts


def _span(arrays: Sequence[np.ndarray], margin: float, positive: bool = False) -> Range:
    """The range of all finite numbers, widened by a share of itself; never empty."""
    values = np.concatenate([array[np.isfinite(array)] for array in arrays]) if arrays else np.zeros(0)
    if not values.size:
        return (0.1, 1.0) if positive else (0.0, 1.0)
    low, high = float(values.min()), float(values.max())
    if high <= low:
        return (low / 2, low * 2) if positive else (low - 0.5, low + 0.5)
    pad = margin * (high - low)
    return low - pad, high + pad


def _path(field: _Field, x: np.ndarray, y: np.ndarray) -> str:
    """The line as a path; a gap where y is not finite."""
    parts, pen = [], "M"
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        if math.isfinite(a) and math.isfinite(b):
            parts.append(f"{pen}{number(field.px(a))} {number(field.py(b))}")
            pen = "L"
        else:
            pen = "M"
    return "".join(parts)


def _legend(labels: Sequence[tuple[str, str, bool]], width: int) -> tuple[str, int]:
    """The names of the lines above the field, in as many rows as they need; how many those are."""
    parts: list[str] = []
    x, row = 8.0, 0
    for label, colour, dashed in labels:
        letters = sum(1.8 if ord(c) > 0x2E80 else 1.0 for c in label)  # Chinese signs are wide
        room = 26 + LETTER * letters + 18
        if x + room > width and x > 8:
            x, row = 8.0, row + 1
        y = TOP + row * ROW + 4
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        parts.append(
            f'<line x1="{number(x)}" x2="{number(x + 18)}" y1="{y}" y2="{y}" stroke="{STROKES[colour]}" '
            f'stroke-width="3"{dash}/><text x="{number(x + 24)}" y="{y + 4}">{escape(label)}</text>'
        )
        x += room
    return "".join(parts), row + 1 if parts else 0


def _axes(field: _Field, x_label: str, y_label: str, width: int, height: int, y_ticks: bool = True) -> str:
    """Two lines, round numbers beside them, and their names."""
    parts = [
        f'<line x1="{field.left}" x2="{field.right}" y1="{field.bottom}" y2="{field.bottom}" stroke="{FAINT}"/>'
    ]
    across = ticks(*field.x, most=max(3, width // 90))
    for value, word in zip(across, told_apart(across), strict=True):
        x = number(field.px(value))
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="{field.bottom}" y2="{field.bottom + 4}" stroke="{INK}"/>'
            f'<text x="{x}" y="{field.bottom + 17}" text-anchor="middle" class="n">{word}</text>'
        )
    up = (powers(*field.y) if field.log_y else ticks(*field.y, most=5)) if y_ticks else []
    for value, word in zip(up, told_apart(up), strict=True):
        y = number(field.py(value))
        parts.append(
            f'<line x1="{field.left}" x2="{field.right}" y1="{y}" y2="{y}" stroke="{FAINT}" stroke-opacity=".6"/>'
            f'<text x="{field.left - 7}" y="{number(field.py(value) + 4)}" text-anchor="end" class="n">'
            f"{word}</text>"
        )
    if x_label:
        parts.append(
            f'<text x="{number((field.left + field.right) / 2)}" y="{height - 6}" text-anchor="middle">'
            f"{escape(x_label)}</text>"
        )
    if y_label:
        middle = number((field.top + field.bottom) / 2)
        parts.append(
            f'<text x="13" y="{middle}" text-anchor="middle" transform="rotate(-90 13 {middle})">'
            f"{escape(y_label)}</text>"
        )
    return "".join(parts)


def _svg(width: int, height: int, title: str, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title, quote=True)}" '
        f'style="width:100%;height:auto;max-width:{max(width, 440)}px;display:block" '
        f'font-family="{FONT}" font-size="13" fill="{INK}">'
        f"<style>.n{{font-variant-numeric:tabular-nums;font-size:12px}}</style>{body}</svg>"
    )

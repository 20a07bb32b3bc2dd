"""Small charts as SVG text: bars and histograms that follow the theme, stay crisp and need no script.

Colours are CSS variables with a fallback (`var(--st-text-color, #31333f)`); `for_file` puts the fallbacks in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from html import escape

import numpy as np

from app.figures.overlay import number

INK = "var(--st-text-color,#31333f)"
FAINT = "var(--st-border-color,#d0d3da)"
POSITIVE = "var(--vt-positive,#c2622a)"
NEGATIVE = "var(--vt-negative,#2f6fb5)"
CHOSEN = "var(--st-primary-color,#0f766e)"
FONT = "var(--st-font,system-ui,sans-serif)"

_WIDE = '<div class="wide">'
_VARIABLE = re.compile(r"var\(--[\w-]+,((?:[^()]|\([^()]*\))*)\)")


def for_file(svg: str) -> str:
    """The SVG with every CSS variable replaced by its fallback, for programs that know no variables; of a `responsive`
    chart the wide one."""
    wide = svg.removeprefix(_WIDE).partition("</div>")[0]
    return _VARIABLE.sub(r"\1", wide)


def responsive(make: Callable[[int], str], wide: int = 640, narrow: int = 340) -> str:
    """A chart at two widths; the drawing component shows the one that has room, so that letters stay legible."""
    return f'{_WIDE}{make(wide)}</div><div class="narrow">{make(narrow)}</div>'


def short(value: float) -> str:
    """A number in at most seven letters: 0.1234, 12.3, 1.2e-5."""
    if not np.isfinite(value):
        return str(value)
    if value == 0:
        return "0"
    text = f"{value:.4g}"
    return text.replace("e-0", "e-").replace("e+0", "e")


def bars(
    values: Sequence[float] | np.ndarray,
    labels: Sequence[str],
    *,
    title: str,
    chosen: int | None = None,
    ids: Sequence[str] | None = None,
    width: int = 640,
    texts: Sequence[str] | None = None,
) -> str:
    """Horizontal bars with their name on the left and their number on the right, negative ones to the left of zero.

    ids: makes each bar a thing to click (`data-id`). texts: what stands at the end of a bar instead of its number.
    """
    numbers = np.nan_to_num(np.asarray(values, np.float64), posinf=0.0, neginf=0.0)
    if len(labels) != len(numbers):
        raise ValueError(f"{len(labels)} labels for {len(numbers)} bars")
    row, top = 26, 6
    height = top * 2 + row * len(numbers)
    left, right = int(width * 0.34), int(width * 0.16)
    low, high = min(0.0, float(numbers.min(initial=0))), max(0.0, float(numbers.max(initial=0)))
    span = (high - low) or 1.0
    room = width - left - right

    def place(value: float) -> float:
        return left + room * (value - low) / span

    parts = [
        f'<line x1="{number(place(0))}" x2="{number(place(0))}" y1="{top}" y2="{height - top}" stroke="{FAINT}"/>'
    ]
    for i, (value, label) in enumerate(zip(numbers, labels, strict=True)):
        y = top + i * row
        start, end = sorted((place(0), place(float(value))))
        colour = CHOSEN if i == chosen else (POSITIVE if value >= 0 else NEGATIVE)
        text = texts[i] if texts else short(float(value))
        weight = "700" if i == chosen else "400"
        fits = max(6, (left - 14) // 7)
        clipped = label if len(label) <= fits else label[: fits - 1] + "…"
        shape = (
            f"<title>{escape(label)}: {escape(text)}</title>"
            f'<rect x="0" y="{y}" width="{width}" height="{row}" fill="transparent"/>'
            f'<rect x="{number(start)}" y="{y + 5}" width="{number(max(1.0, end - start))}" height="{row - 10}" '
            f'rx="2" fill="{colour}"/>'
            f'<text x="{left - 8}" y="{y + 17}" text-anchor="end" font-weight="{weight}">{escape(clipped)}</text>'
            f'<text x="{number(min(end + 6, width - right + 6))}" y="{y + 17}" class="n">{escape(text)}</text>'
        )
        if ids:
            spoken = escape(f"{label}: {text}", quote=True)
            parts.append(f'<g data-id="{escape(ids[i], quote=True)}" aria-label="{spoken}">{shape}</g>')
        else:
            parts.append(f"<g>{shape}</g>")
    return _svg(width, height, title, "".join(parts), group=bool(ids))


def histogram(
    array: np.ndarray,
    *,
    title: str,
    marked: float | None = None,
    bins: int = 48,
    width: int = 640,
    height: int = 130,
) -> str:
    """How the finite numbers of an array spread; a line at `marked`, the scale below."""
    values = np.asarray(array, np.float64).ravel()
    values = values[np.isfinite(values)]
    if values.size == 0:
        return _svg(width, height, title, "")
    low, high = float(values.min()), float(values.max())
    if high <= low:
        pad = max(abs(low), 1.0) * 1e-3
        low, high = low - pad, high + pad
    counts, _ = np.histogram(values, bins, (low, high))
    floor, left = height - 22, 6
    room = width - 2 * left
    step = room / bins
    tallest = max(1, int(counts.max()))

    def place(value: float) -> float:
        return left + room * (value - low) / (high - low)

    parts = []
    for i, count in enumerate(counts):
        if count:
            middle = low + (i + 0.5) * (high - low) / bins
            tall = max(1.0, (floor - 8) * (count / tallest) ** 0.5)  # a root, so that rare values can be seen
            parts.append(
                f'<rect x="{number(left + i * step + 0.5)}" y="{number(floor - tall)}" '
                f'width="{number(max(0.5, step - 1))}" height="{number(tall)}" '
                f'fill="{POSITIVE if middle >= 0 else NEGATIVE}"><title>{int(count):,}</title></rect>'
            )
    parts.append(f'<line x1="{left}" x2="{width - left}" y1="{floor}" y2="{floor}" stroke="{FAINT}"/>')
    ends = [(low, "start"), (high, "end")]
    if low < 0 < high and 0.12 < -low / (high - low) < 0.88:
        ends.append((0.0, "middle"))
        parts.append(
            f'<line x1="{number(place(0))}" x2="{number(place(0))}" y1="{floor}" y2="{floor + 4}" stroke="{INK}"/>'
        )
    for value, anchor in ends:
        parts.append(
            f'<text x="{number(place(value))}" y="{height - 6}" text-anchor="{anchor}" class="n">{short(value)}</text>'
        )
    if marked is not None and np.isfinite(marked) and low <= marked <= high:
        x = number(place(marked))
        parts.append(f'<line x1="{x}" x2="{x}" y1="2" y2="{floor}" stroke="{CHOSEN}" stroke-width="2"/>')
    return _svg(width, height, title, "".join(parts))


def _svg(width: int, height: int, title: str, body: str, group: bool = False) -> str:
    role = "group" if group else "img"
    label = escape(title, quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="{role}" aria-label="{label}" '
        f'style="width:100%;height:auto;max-width:{max(width, 440)}px;display:block" '
        f'font-family="{FONT}" font-size="13" fill="{INK}">'
        f"<style>.n{{font-variant-numeric:tabular-nums;font-size:12px}}</style>{body}</svg>"
    )

"""Drawings of what happens inside the graph embedding methods, as SVG: numpy in, text out.

A walk with its window, an alias table, the path through a Huffman tree, a table of dynamic time warping, rows of
cells, and the results of several seeds beside each other. Parts with an id can be clicked (`data-id`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from app.figures.charts import CHOSEN, FAINT, FONT, INK, short
from app.figures.colour import Kind, Limits, colormap, from_oklab, hex_of, limits_of, to_oklab
from app.figures.graph import GROUND
from app.figures.overlay import number
from app.figures.plots import STROKES, ticks

COLD, HOT = np.array([150, 156, 168]), np.array([226, 84, 0])  # ends of `heat`


def cut(text: str, letters: int) -> str:
    """The text in at most so many letters."""
    return text if len(text) <= letters else text[: max(1, letters - 1)] + "…"


def heat(values: np.ndarray, limits: Limits) -> np.ndarray:
    """uint8 (N, 3): from grey to orange, so that a node stands out of a light page and of a dark one; NaN is grey."""
    low, high = limits
    share = np.clip((np.nan_to_num(values, nan=low) - low) / ((high - low) or 1.0), 0, 1)[:, None]
    return from_oklab((1 - share) * to_oklab(COLD) + share * to_oklab(HOT))


def _svg(
    width: float, height: float, title: str, body: str, *, group: bool = False, least: float = 440
) -> str:
    """least: how wide the drawing may grow where it is narrower itself."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}" '
        f'role="{"group" if group else "img"}" aria-label="{escape(title, quote=True)}" '
        f'style="width:100%;height:auto;max-width:{number(max(width, least))}px;display:block" '
        f'font-family="{FONT}" font-size="12" fill="{INK}">'
        f"<style>.n{{font-variant-numeric:tabular-nums}}</style>{body}</svg>"
    )


def _letters_on(rgb: np.ndarray) -> str:
    """Black or white, whichever can be read on this colour."""
    r, g, b = (float(v) for v in rgb)
    return "#111111" if 0.299 * r + 0.587 * g + 0.114 * b > 150 else "#ffffff"


# ---------------------------------------------------------------- walks


def walk_strip(
    names: Sequence[str],
    colours: np.ndarray,
    *,
    title: str,
    centre: int | None = None,
    window: int = 0,
    dropped: Sequence[int] = (),
    width: int = 640,
) -> str:
    """The nodes of a walk in a row, line after line, each to be clicked (`data-id` = its place in the walk).

    colours: uint8 (steps, 3). centre: drawn with a thick ring; the places within the window have a thin one, those
    in `dropped` (window places that are left out) and all others fade.
    """
    step, tall, radius = 42.0, 46.0, 15.0
    across = max(4, int((width - 8) // step))
    rows = -(-len(names) // across)
    left_out = set(dropped)
    parts = []
    for k, name in enumerate(names):
        row, column = divmod(k, across)
        x, y = 4 + step * (column + 0.5), tall * row + 19
        inside = centre is not None and 0 < abs(k - centre) <= window and k not in left_out
        ring = f'stroke="{GROUND}" stroke-width="1"'
        if k == centre:
            ring = f'stroke="{CHOSEN}" stroke-width="4"'
        elif inside:
            ring = f'stroke="{INK}" stroke-width="2.5"'
        faded = "" if centre is None or k == centre or inside else ' opacity="0.35"'
        if k + 1 < len(names) and column + 1 < across:
            parts.append(
                f'<line x1="{number(x + radius)}" x2="{number(x + step - radius)}" y1="{number(y)}" y2="{number(y)}" '
                f'stroke="{FAINT}" stroke-width="2"/>'
            )
        parts.append(
            f'<g data-id="{k}" aria-label="{k}: {escape(name, quote=True)}"{faded}>'
            f'<circle class="box" cx="{number(x)}" cy="{number(y)}" r="{radius}" fill="{hex_of(colours[k])}" {ring}>'
            f"<title>{k}: {escape(name)}</title></circle>"
            f'<text x="{number(x)}" y="{number(y + 4)}" text-anchor="middle" font-size="10.5" '
            f'fill="{_letters_on(colours[k])}" pointer-events="none">{escape(cut(name, 4))}</text></g>'
            f'<text x="{number(x)}" y="{number(y + 26)}" text-anchor="middle" font-size="9" class="n" '
            f'opacity="0.7">{k}</text>'
        )
    return _svg(width, tall * rows + 4, title, "".join(parts), group=True)


def layered_walk(
    names: Sequence[str],
    layers: Sequence[int],
    colours: np.ndarray,
    *,
    title: str,
    axis: str,
    width: int = 640,
) -> str:
    """A walk that also climbs: steps to the right, layers upwards; a move between layers stays at its node."""
    top = max(layers, default=0)
    step = (width - 60) / max(len(names), 1)
    row = 40.0
    height = row * (top + 1) + 26
    parts = []
    for layer in range(top + 1):
        y = height - 24 - row * (layer + 0.5)
        parts.append(
            f'<line x1="46" x2="{width - 4}" y1="{number(y)}" y2="{number(y)}" stroke="{FAINT}"/>'
            f'<text x="38" y="{number(y + 4)}" text-anchor="end" class="n">{layer}</text>'
        )
    at = [(52 + step * (k + 0.5), height - 24 - row * (layer + 0.5)) for k, layer in enumerate(layers)]
    for (x, y), (z, w) in zip(at[:-1], at[1:], strict=True):
        parts.append(
            f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(z)}" y2="{number(w)}" stroke="{CHOSEN}" '
            f'stroke-width="2" opacity="0.6"/>'
        )
    radius = min(13.0, max(4.0, step / 2 - 1))
    for k, ((x, y), name) in enumerate(zip(at, names, strict=True)):
        parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{hex_of(colours[k])}" '
            f'stroke="{GROUND}"><title>{k}: {escape(name)}</title></circle>'
        )
        if radius >= 8:
            parts.append(
                f'<text x="{number(x)}" y="{number(y + 3.5)}" text-anchor="middle" font-size="9.5" '
                f'fill="{_letters_on(colours[k])}">{escape(cut(name, 3))}</text>'
            )
    parts.append(
        f'<text x="{number(width / 2)}" y="{number(height - 6)}" text-anchor="middle">{escape(axis)}</text>'
    )
    return _svg(width, height, title, "".join(parts))


# ---------------------------------------------------------------- alias tables and trees


def alias_table(
    accept: np.ndarray,
    other: np.ndarray,
    labels: Sequence[str],
    colours: np.ndarray,
    *,
    title: str,
    dart: tuple[int, float] | None = None,
    width: int = 640,
    height: int = 190,
) -> str:
    """Columns of equal height: below `accept` a column is its own, above it is its alias's.

    colours: uint8 (n, 3), one for each outcome. dart: column and height in [0, 1] of a draw.
    """
    n = len(accept)
    step = (width - 12) / max(n, 1)
    floor, tall = height - 24, height - 40
    parts = []
    for k in range(n):
        x, own = 6 + step * k, float(np.clip(accept[k], 0, 1)) * tall
        pieces = [(floor - own, own, k)] + (
            [(floor - tall, tall - own, int(other[k]))] if own < tall - 1e-6 else []
        )
        for y, high, outcome in pieces:
            share = high / tall
            parts.append(
                f'<rect x="{number(x + 1)}" y="{number(y)}" width="{number(max(step - 2, 0.8))}" '
                f'height="{number(max(high - 0.6, 0.4))}" fill="{hex_of(colours[outcome])}">'
                f"<title>{escape(labels[outcome])}: {share:.4f}</title></rect>"
            )
            if step >= 26 and high >= 15:
                parts.append(
                    f'<text x="{number(x + step / 2)}" y="{number(y + high / 2 + 4)}" text-anchor="middle" '
                    f'font-size="10.5" fill="{_letters_on(colours[outcome])}">'
                    f"{escape(cut(labels[outcome], int(step // 7)))}</text>"
                )
        if step >= 16:
            parts.append(
                f'<text x="{number(x + step / 2)}" y="{floor + 15}" text-anchor="middle" font-size="10.5">'
                f"{escape(cut(labels[k], int(step // 7)))}</text>"
            )
    if dart is not None:
        x, y = 6 + step * (dart[0] + 0.5), floor - dart[1] * tall
        parts.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="6" fill="none" stroke="#ffffff" stroke-width="5"/>'
            f'<circle cx="{number(x)}" cy="{number(y)}" r="6" fill="none" stroke="#111111" stroke-width="2.5"/>'
        )
    return _svg(width, height, title, "".join(parts))


@dataclass(frozen=True)
class Turn:
    """One inner node on the way from the root to a leaf: its number, the side taken, and how likely that side is.

    bit: 0 to the left, 1 to the right. words: what stands at the side that is not taken.
    """

    node: str
    bit: int
    probability: float
    words: str


def tree_path(turns: Sequence[Turn], leaf: str, *, title: str, width: int = 640) -> str:
    """The way down a binary tree: every turn, the branch that is left behind, and the leaf at the end."""
    row, aside = 48.0, 112.0  # aside: the room that words take on either side
    drift = np.cumsum([0, *(1 if turn.bit else -1 for turn in turns)])
    shift = min(46.0, (width - 2 * aside) / max(int(np.ptp(drift)), 1))
    height = row * (len(turns) + 1) + 16
    x = width / 2 - shift * float(drift.min() + drift.max()) / 2
    y = 26.0
    parts: list[str] = []
    for k, turn in enumerate(turns):
        side = 1 if turn.bit else -1
        nx, ny = x + side * shift, y + row
        parts.append(
            f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(x - side * 20)}" y2="{number(y + 22)}" '
            f'stroke="{FAINT}" stroke-width="2"/>'
            f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(nx)}" y2="{number(ny)}" stroke="{CHOSEN}" '
            f'stroke-width="{number(1.5 + 5 * turn.probability)}"/>'
        )
        anchor, at = ("end", x - 24) if side > 0 else ("start", x + 24)
        parts.append(
            f'<text x="{number(at)}" y="{number(y + 27)}" text-anchor="{anchor}" font-size="10.5" opacity="0.75">'
            f"{escape(turn.words)}</text>"
        )
        anchor, at = ("start", x + 16) if side > 0 else ("end", x - 16)
        parts.append(
            f'<text x="{number(at)}" y="{number(y + 4)}" text-anchor="{anchor}" class="n" font-weight="700">'
            f"{turn.bit}: {turn.probability:.4f}</text>"
            f'<circle cx="{number(x)}" cy="{number(y)}" r="10" fill="{GROUND}" stroke="{INK}" stroke-width="1.5">'
            f"<title>{k}: {escape(turn.node)}</title></circle>"
            f'<text x="{number(x)}" y="{number(y + 3.5)}" text-anchor="middle" font-size="9">'
            f"{escape(cut(turn.node, 4))}</text>"
        )
        x, y = nx, ny
    parts.append(
        f'<circle cx="{number(x)}" cy="{number(y)}" r="14" fill="{CHOSEN}"/>'
        f'<text x="{number(x)}" y="{number(y + 4)}" text-anchor="middle" font-size="10.5" fill="#ffffff">'
        f"{escape(cut(leaf, 4))}</text>"
    )
    return _svg(width, height, title, "".join(parts))


# ---------------------------------------------------------------- tables and rows


def warp_table(
    rows: Sequence[str],
    columns: Sequence[str],
    costs: np.ndarray,
    path: Sequence[tuple[int, int]],
    *,
    title: str,
) -> str:
    """A table of costs (rows, columns), each cell's number in it, the warping path outlined and joined."""
    n, m = costs.shape
    cell = 44.0 if max(n, m) <= 12 else 30.0 if max(n, m) <= 20 else 10.0
    left, top = 40.0, 24.0
    colours = colormap(costs, "sequential", (0.0, max(float(costs.max(initial=0)), 1e-9)))
    chosen = set(path)
    parts = []
    for i in range(n):
        for j in range(m):
            x, y = left + cell * j, top + cell * i
            thick = f'stroke="{CHOSEN}" stroke-width="3"' if (i, j) in chosen else f'stroke="{GROUND}"'
            parts.append(
                f'<rect x="{number(x + 1.5)}" y="{number(y + 1.5)}" width="{number(cell - 3)}" '
                f'height="{number(cell - 3)}" fill="{hex_of(colours[i, j])}" {thick}>'
                f"<title>{escape(rows[i])}, {escape(columns[j])}: {costs[i, j]:.4g}</title></rect>"
            )
            if cell >= 30:
                parts.append(
                    f'<text x="{number(x + cell / 2)}" y="{number(y + cell / 2 + 4)}" text-anchor="middle" '
                    f'font-size="10" class="n" fill="{_letters_on(colours[i, j])}">{costs[i, j]:.3g}</text>'
                )
    if cell >= 30:
        for i, word in enumerate(rows):
            parts.append(
                f'<text x="32" y="{number(top + cell * (i + 0.5) + 4)}" text-anchor="end">{escape(word)}</text>'
            )
        for j, word in enumerate(columns):
            parts.append(
                f'<text x="{number(left + cell * (j + 0.5))}" y="16" text-anchor="middle">{escape(word)}</text>'
            )
    return _svg(left + cell * m + 6, top + cell * n + 6, title, "".join(parts), least=0)


@dataclass(frozen=True, eq=False)
class Row:
    """A row of cells: what it is called, its numbers, and their colour scale (its own by default)."""

    label: str
    values: np.ndarray
    kind: Kind = "sequential"
    limits: Limits | None = None


def rows_of_cells(
    rows: Sequence[Row],
    *,
    title: str,
    names: Sequence[str] = (),
    chosen: int | None = None,
    pick: bool = False,
    width: int = 640,
) -> str:
    """Rows of coloured cells under each other. names: of the columns, shown under the pointer and where there is room.

    A row whose length differs is as wide as the others. pick: the columns can be clicked (`data-id` = the column).
    """
    left, tall, gap = 118.0, 26.0, 6.0
    parts: list[str] = []
    room = width - left - 6
    foot = 16.0 if names and room / max(len(names), 1) >= 15 else 0.0
    height = (tall + gap) * len(rows) + 6 + foot
    for r, row in enumerate(rows):
        values = np.asarray(row.values, np.float64)
        step = room / max(len(values), 1)
        colours = colormap(values, row.kind, row.limits or limits_of(values, row.kind))
        y = 4 + r * (tall + gap)
        parts.append(
            f'<text x="{number(left - 8)}" y="{number(y + 17)}" text-anchor="end">{escape(cut(row.label, 17))}</text>'
        )
        for k, value in enumerate(values.tolist()):
            where = names[k] if len(names) == len(values) else str(k)
            parts.append(
                f'<rect x="{number(left + step * k)}" y="{number(y)}" width="{number(max(step - 0.6, 0.4))}" '
                f'height="{tall}" fill="{hex_of(colours[k])}"><title>{escape(row.label)}, {escape(where)}: '
                f"{escape(short(value))}</title></rect>"
            )
    if names:
        step = room / max(len(names), 1)
        for k, name in enumerate(names):
            x = left + step * k
            if foot:
                parts.append(
                    f'<text x="{number(x + step / 2)}" y="{number(height - 4)}" text-anchor="middle" '
                    f'font-size="9.5">{escape(cut(name, max(2, int(step // 6))))}</text>'
                )
            if k == chosen:
                parts.append(
                    f'<rect x="{number(x - 0.5)}" y="2" width="{number(step)}" height="{number(height - foot - 4)}" '
                    f'fill="none" stroke="{CHOSEN}" stroke-width="2.5"/>'
                )
            if pick:
                parts.append(
                    f'<g data-id="{k}" aria-label="{escape(name, quote=True)}"><rect class="box" x="{number(x)}" '
                    f'y="2" width="{number(step)}" height="{number(height - 4)}" fill="transparent"/></g>'
                )
    return _svg(width, height, title, "".join(parts), group=pick)


# ---------------------------------------------------------------- several seeds


@dataclass(frozen=True, eq=False)
class Scores:
    """What one method reached with each seed."""

    label: str
    values: Sequence[float]
    colour: str = "accent"


def seeds(
    groups: Sequence[Scores],
    *,
    title: str,
    axis: str,
    low: float = 0.0,
    high: float = 1.0,
    marked: float | None = None,
    width: int = 640,
) -> str:
    """A dot for every seed, a bar from mean - sd to mean + sd, a line at the mean. marked: an upright line."""
    row, left, right = 34.0, 0.3 * width, 0.17 * width
    height = row * len(groups) + 44
    room = width - left - right

    def place(value: float) -> float:
        return left + room * (min(max(value, low), high) - low) / ((high - low) or 1.0)

    parts = []
    for value in ticks(low, high, most=max(3, int(room // 70))):
        x = number(place(value))
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="4" y2="{number(height - 40)}" stroke="{FAINT}" stroke-opacity=".6"/>'
            f'<text x="{x}" y="{number(height - 24)}" text-anchor="middle" class="n">{short(value)}</text>'
        )
    if marked is not None:
        x = number(place(marked))
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="4" y2="{number(height - 40)}" stroke="{INK}" stroke-dasharray="4 3"/>'
        )
    for k, group in enumerate(groups):
        y = 6 + row * (k + 0.5)
        values = np.asarray(group.values, np.float64)
        stroke = STROKES[group.colour]
        parts.append(
            f'<text x="{number(left - 10)}" y="{number(y + 4)}" text-anchor="end">'
            f"{escape(cut(group.label, max(8, int(left // 7))))}</text>"
        )
        if not values.size:
            continue
        mean, spread = float(values.mean()), float(values.std(ddof=1)) if values.size > 1 else 0.0
        start, end = place(mean - spread), place(mean + spread)
        parts.append(
            f'<rect x="{number(start)}" y="{number(y - 8)}" width="{number(max(end - start, 1))}" height="16" rx="3" '
            f'fill="{stroke}" fill-opacity=".22"/>'
            f'<line x1="{number(place(mean))}" x2="{number(place(mean))}" y1="{number(y - 11)}" '
            f'y2="{number(y + 11)}" stroke="{stroke}" stroke-width="3"/>'
        )
        parts += [
            f'<circle cx="{number(place(v))}" cy="{number(y)}" r="3.4" fill="{stroke}" stroke="{GROUND}">'
            f"<title>{escape(group.label)}: {v:.4f}</title></circle>"
            for v in values.tolist()
        ]
        words = f"{mean:.3f}" + (f" ± {spread:.3f}" if values.size > 1 else "")
        parts.append(f'<text x="{number(width - right + 10)}" y="{number(y + 4)}" class="n">{words}</text>')
    parts.append(
        f'<text x="{number(left + room / 2)}" y="{number(height - 6)}" text-anchor="middle">{escape(axis)}</text>'
    )
    return _svg(width, height, title, "".join(parts))

"""Figures of the graph networks: messages as strips of colour, one a sender, and beliefs as colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from app.figures.charts import CHOSEN, FONT, INK, short
from app.figures.colour import colormap, hex_of, limits_of
from app.figures.overlay import number

ROW, GAP, TOP = 22, 8, 22
NUMBERED = 32  # channels that carry their number


@dataclass(frozen=True, eq=False)
class Strip:
    """One row: a label, a short number before the cells, and one value a channel.

    id: makes the label a thing to click. apart: a gap above. strong: in bold.
    """

    label: str
    note: str
    values: np.ndarray
    id: str = ""
    apart: bool = False
    strong: bool = False


def strips(
    rows: Sequence[Strip],
    *,
    title: str,
    column: str,
    channels: Sequence[int],
    chosen: int,
    picked: str = "",
    width: int = 640,
) -> str:
    """Rows over common channels, all in the same colours: blue below zero, orange above.

    channels: the numbers of the columns. column: what one is called ("channel"). chosen: the channel that is framed.
    picked: id of the chosen row. Each channel is a thing to click with `data-id` "c<number>", each row by its id.
    Raises ValueError where a row has not one value for each channel.
    """
    count = len(channels)
    if any(len(row.values) != count for row in rows):
        raise ValueError("the rows of a figure of strips have one value for each channel")
    left = max(128, round(width * 0.3))
    cell = (width - left - 4) / max(count, 1)
    tops, y = [], TOP
    for row in rows:
        y += GAP if row.apart else 0
        tops.append(y)
        y += ROW
    values = np.stack([np.asarray(row.values, np.float64) for row in rows])
    colours = colormap(values, "diverging", limits_of(values, "diverging"))
    parts = []
    for row, top in zip(rows, tops, strict=True):
        parts.append(_label(row, top, left, row.id and row.id == picked))
    for c, channel in enumerate(channels):
        x = left + c * cell
        cells = "".join(
            f'<rect x="{number(x)}" y="{top + 1}" width="{number(max(cell - 0.8, 0.8))}" height="{ROW - 2}" '
            f'fill="{hex_of(colours[r, c])}">'
            f"<title>{escape(rows[r].label)}: {short(float(values[r, c]))}</title></rect>"
            for r, top in enumerate(tops)
        )
        named = (
            f'<text x="{number(x + cell / 2)}" y="14" text-anchor="middle" class="n" '
            f'font-weight="{"700" if channel == chosen else "400"}">{channel}</text>'
            if count <= NUMBERED and (cell >= 15 or c % 2 == 0)
            else ""
        )
        frame = CHOSEN if channel == chosen else "transparent"
        spoken = f"{escape(column, quote=True)} {channel}: {short(float(values[-1, c]))}"
        parts.append(
            f'<g data-id="c{channel}" aria-label="{spoken}">'
            f"{cells}{named}"
            f'<rect class="box" x="{number(x - 0.5)}" y="{TOP - 2}" width="{number(cell)}" '
            f'height="{y - TOP + 4}" fill="transparent" stroke="{frame}" stroke-width="2"/></g>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 4}" role="group" '
        f'aria-label="{escape(title, quote=True)}" '
        f'style="width:100%;height:auto;max-width:{max(width, 440)}px;display:block" '
        f'font-family="{FONT}" font-size="12" fill="{INK}">'
        f"<style>.n{{font-variant-numeric:tabular-nums;font-size:11px}}</style>{''.join(parts)}</svg>"
    )


def _label(row: Strip, top: int, left: int, picked: bool | str) -> str:
    """Name and number of a row, left of its cells."""
    room = max(4, int((left - 62) / 7))
    name = row.label if len(row.label) <= room else row.label[: room - 1] + "…"
    weight = "700" if row.strong or picked else "400"
    shape = (
        f'<rect class="box" x="1" y="{top + 1}" width="{left - 6}" height="{ROW - 2}" rx="4" fill="transparent" '
        f'stroke="{CHOSEN if picked else "transparent"}" stroke-width="1.5"/>'
        f'<text x="7" y="{top + 15}" font-weight="{weight}">{escape(name)}<title>{escape(row.label)}</title></text>'
        f'<text x="{left - 10}" y="{top + 15}" text-anchor="end" class="n">{escape(row.note)}</text>'
    )
    if not row.id:
        return f"<g>{shape}</g>"
    spoken = escape(f"{row.label} {row.note}", quote=True)
    return f'<g data-id="{escape(row.id, quote=True)}" aria-label="{spoken}">{shape}</g>'


def shares(colours: np.ndarray, belief: np.ndarray) -> np.ndarray:
    """uint8 (N, 3): a colour for each node, paler where the belief (N,) in it is weaker."""
    strength = np.clip(belief, 0, 1)[:, None] * 0.85 + 0.15
    return np.round(225 + (colours.astype(np.float64) - 225) * strength).astype(np.uint8)

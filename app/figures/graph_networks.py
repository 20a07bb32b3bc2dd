"""Figures of the graph networks: messages as strips of colour and as lines into a node, and beliefs as colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from app.figures.charts import CHOSEN, FONT, INK, short
from app.figures.colour import colormap, hex_of, limits_of
from app.figures.graph import GROUND
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
    left = max(142, round(width * 0.3))  # room for "29 (itself)" on a phone
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


# ---------------------------------------------------------------- a node and those it hears

REACH, DISC = 118, 15  # pixels: from the node to its senders, and the radius of their discs


@dataclass(frozen=True, eq=False)
class Sender:
    """A node that sends: its name, a short number on its line, the line's width in [0, 1], and its colour (3,).

    towards: the angle at which it stands, anticlockwise from the right, in radians.
    """

    node: int
    name: str
    note: str
    share: float
    colour: np.ndarray
    towards: float = 0.0


def spaced(angles: np.ndarray) -> np.ndarray:
    """Equally spaced angles in the order of the given ones, turned to lie as near to them as they can."""
    count = len(angles)
    slots = np.empty(count)
    slots[np.argsort(angles, kind="stable")] = 2 * np.pi * np.arange(count) / max(count, 1)
    turn = np.angle(np.exp(1j * (angles - slots)).sum()) if count else 0.0
    return np.asarray(slots + turn)


def hearing(
    middle: Sender, senders: Sequence[Sender], own: Sender | None, *, title: str, picked: int | None = None
) -> str:
    """A node in the middle of those that it hears. own: the message to itself, drawn as a loop. picked: a sender.

    Every sender is a thing to click, with the node's number as `data-id`.
    """
    angles = spaced(np.array([sender.towards for sender in senders], np.float64))
    wide = 2 * (REACH + 58)
    high = 2 * (REACH + 34)
    x0, y0 = wide / 2, high / 2
    lines, discs, notes = [], [], []
    for sender, angle in zip(senders, angles.tolist(), strict=True):
        x, y = x0 + REACH * 1.18 * np.cos(angle), y0 - REACH * np.sin(angle)
        lines.append(
            f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(x0)}" y2="{number(y0)}" stroke="{CHOSEN}" '
            f'stroke-width="{number(1 + 10 * sender.share)}" stroke-linecap="round" '
            f'opacity="{0.95 if sender.node == picked else 0.5}"/>'
        )
        notes.append(_written(sender.note, x0 + (x - x0) * 0.58, y0 + (y - y0) * 0.58 + 4))
        discs.append(_disc(sender, x, y, DISC, sender.node == picked))
    if own is not None:
        angle = _gap(angles)
        x, y = x0 + 30 * np.cos(angle), y0 - 30 * np.sin(angle)
        lines.append(
            f'<circle cx="{number(x)}" cy="{number(y)}" r="20" fill="none" stroke="{CHOSEN}" '
            f'stroke-width="{number(1 + 10 * own.share)}" opacity="{0.95 if middle.node == picked else 0.5}"/>'
        )
        notes.append(_written(own.note, x0 + 62 * np.cos(angle), y0 - 62 * np.sin(angle) + 4))
    centre = _disc(middle, x0, y0, DISC + 6, True, button=False)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" role="group" '
        f'aria-label="{escape(title, quote=True)}" style="width:100%;height:auto;max-width:460px;display:block" '
        f'font-family="{FONT}" font-size="11.5" fill="{INK}">{"".join([*lines, *discs, centre, *notes])}</svg>'
    )


def _gap(angles: np.ndarray) -> float:
    """The middle of the widest gap between angles; upwards where there is none."""
    if not len(angles):
        return float(np.pi / 2)
    around = np.sort(np.mod(angles, 2 * np.pi))
    gaps = np.diff(np.append(around, around[0] + 2 * np.pi))
    widest = int(gaps.argmax())
    return float(around[widest] + gaps[widest] / 2)


def _written(text: str, x: float, y: float, size: float = 11.5) -> str:
    """Letters with a rim in the colour of the ground."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="middle" font-size="{size}" stroke="{GROUND}" '
        f'stroke-width="3.5" paint-order="stroke" pointer-events="none" class="n">{escape(text)}</text>'
        if text
        else ""
    )


def _disc(sender: Sender, x: float, y: float, radius: float, framed: bool, button: bool = True) -> str:
    """A node with its name: inside where it is short, below where it is long."""
    rim, width = (CHOSEN, 3.5) if framed else (GROUND, 1)
    shape = (
        f'<circle class="box" cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" fill="{hex_of(sender.colour)}" '
        f'stroke="{rim}" stroke-width="{width}"><title>{escape(sender.name)}</title></circle>'
    )
    if len(sender.name) <= 3:
        shape += (
            f'<text x="{number(x)}" y="{number(y + 4)}" text-anchor="middle" fill="#ffffff" font-weight="600" '
            f'pointer-events="none">{escape(sender.name)}</text>'
        )
    else:
        name = sender.name if len(sender.name) <= 12 else sender.name[:11] + "…"
        shape += _written(name, x, y + radius + 12)
    if not button:
        return f"<g>{shape}</g>"
    spoken = escape(f"{sender.name} {sender.note}", quote=True)
    return f'<g data-id="{sender.node}" aria-label="{spoken}">{shape}</g>'

"""Draw by hand: points of a distribution, or strokes that become a small grey picture.

Drawing costs no rerun; what was drawn comes back, for one rerun of the fragment around it, when the pen has rested
for a moment. It is kept in the session and stays when the page is left.

    points = draw_points("gan.own", alt=t("dcgan.own.alt"))      # (N, 2) in [0, 1], y upward
    digit = draw_grey("digits.own", alt=t("digits.own.alt"))     # uint8 (28, 28), white on black

Mouse, finger, pen and keyboard: arrow keys move the pen, space puts points or lowers and lifts the pen, Backspace
takes the last stroke back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import streamlit as st

from app.figures.strokes import REACH, grey, like_mnist, points_of, read_places, write_places
from app.text import t
from app.widgets import state
from app.widgets.packing import as_uint8, content_id, encode, pack
from app.widgets.picture import component

__all__ = ["PLACES", "draw_grey", "draw_places", "draw_points", "set_strokes", "strokes"]

Mode = Literal["points", "strokes"]
Stroke = np.ndarray  # (n, 2), x and y in [0, 1], y downward

SCALE = 1000  # the browser speaks in whole thousandths of the side
SIZE = 320  # CSS pixels of a side
MOST_POINTS = 2000
MOST_STROKE_POINTS = 4000  # of a grey picture, all strokes together


# A drawn distribution in a link: what `strokes.write_places` makes of it.
PLACES = state.Param("shape", "", lambda raw: write_places(read_places(raw)))


@dataclass
class _Held:
    """What the session remembers. given, turn: what Python last put on the canvas, and how often it did."""

    strokes: tuple[Stroke, ...] = ()
    given: tuple[Stroke, ...] = ()
    turn: int = 0


def _shelf(key: str) -> str:
    return f"vitrine.draw:{key}"


def _held(key: str) -> _Held:
    held: _Held = st.session_state.setdefault(_shelf(key), _Held())
    return held


def strokes(key: str) -> tuple[Stroke, ...]:
    """What is drawn on the canvas `key` in this run, before it is shown."""
    return _held(key).strokes


def set_strokes(key: str, drawn: Sequence[Any]) -> None:
    """Put strokes on a canvas from Python, a ready-made shape say; none of them clears it."""
    held = _held(key)
    held.strokes = held.given = tuple(np.clip(np.asarray(s, np.float64).reshape(-1, 2), 0, 1) for s in drawn)
    held.turn += 1


def read(sent: Any, most: int) -> tuple[Stroke, ...] | None:
    """Strokes from the browser's message, at most `most` points; None for what our script would not send."""
    if not isinstance(sent, dict) or not isinstance(sent.get("strokes"), list):
        return None
    found, left = [], most
    for raw in sent["strokes"]:
        if not isinstance(raw, list) or len(raw) % 2:
            return None
        if not all(isinstance(v, int) and not isinstance(v, bool) and 0 <= v <= SCALE for v in raw):
            return None
        points = np.array(raw[: 2 * left], np.float64).reshape(-1, 2) / SCALE
        left -= len(points)
        if len(points):
            found.append(points)
    return tuple(found)


def _on_drawn(key: str, most: int, on_change: Callable[[], None] | None) -> Callable[[], None]:
    def drawn() -> None:
        found = read(st.session_state[key].get("drawn"), most)
        if found is None:
            return
        _held(key).strokes = found
        if on_change is not None:
            on_change()

    return drawn


def _flat(stroke: Stroke) -> list[int]:
    return [int(v) for v in np.rint(stroke * SCALE).ravel()]


def _canvas(
    key: str, mode: Mode, alt: str, most: int, size: int, background: Any, on_change: Callable[[], None] | None,
    **more: Any,
) -> tuple[Stroke, ...]:  # fmt: skip
    """Mount the canvas; returns what is on it."""
    held = _held(key)
    if key not in st.session_state and held.strokes is not held.given:
        held.given, held.turn = held.strokes, held.turn + 1  # mounted anew: the browser has forgotten
    header = more | {
        "mode": mode,
        "alt": alt,
        "most": most,
        "size": size,
        "turn": held.turn,
        "strokes": [_flat(s) for s in held.given],
        "words": {
            "undo": t("draw.undo"),
            "clear": t("draw.clear"),
            "bar": t("draw.bar"),
            "keys": t(f"draw.{mode}.keys"),
            "hint": t(f"draw.{mode}.hint"),
            "count": t(f"draw.{mode}.count", count="{count}"),
            "full": t(f"draw.{mode}.full", count="{count}"),
            "at": t("draw.at", x="{x}", y="{y}"),
            "down": t("draw.down"),
            "up": t("draw.up"),
        },
    }
    files = [] if background is None else [_background(background)]
    component("draw")(data=pack(header, files), key=key, on_drawn_change=_on_drawn(key, most, on_change))
    return held.strokes


def _background(picture: Any) -> Any:
    image = as_uint8(picture)
    return _encoded(content_id(image), image)


@st.cache_data(max_entries=12, show_spinner=False)
def _encoded(name: str, _image: np.ndarray) -> Any:
    return encode(_image)


def draw_points(
    key: str,
    *,
    alt: str,
    spread: float = 0.02,
    most: int = MOST_POINTS,
    size: int = SIZE,
    grid: int = 4,
    background: Any = None,
    on_change: Callable[[], None] | None = None,
) -> np.ndarray:
    """Points of one's own distribution, (N, 2) in [0, 1], y upward; (0, 2) before anything is drawn.

    alt: what the canvas is for. spread: standard deviation of the spray around the pen, the side being 1; 0 puts
    points exactly under it. most: points that fit in. grid: the canvas is divided into so many squares a side.
    background: a picture under the points, stretched over the canvas. on_change: called before the rerun.
    """
    return points_of(
        _canvas(key, "points", alt, most, size, background, on_change, spread=spread, grid=grid, brush=0)
    )


def draw_places(key: str, *, alt: str, on_change: Callable[[], None]) -> None:
    """A canvas for a distribution whose places go into the link (PLACES), and come back from it.

    on_change: called when something was drawn, before the rerun.
    """
    own = state.get(PLACES)
    if own and not strokes(key):  # from a link
        places = np.asarray(read_places(own)) / REACH * 0.5 + 0.5
        set_strokes(key, [np.stack([places[:, 0], 1 - places[:, 1]], axis=1)])

    def drawn() -> None:
        points = [point for stroke in strokes(key) for point in stroke]
        state.put(PLACES, write_places([((2 * x - 1) * REACH, (1 - 2 * y) * REACH) for x, y in points]))
        on_change()

    draw_points(key, alt=alt, size=280, most=600, on_change=drawn)


def draw_grey(
    key: str,
    *,
    alt: str,
    pixels: int = 28,
    brush: float = 0.09,
    mnist: bool = False,
    size: int = SIZE,
    on_change: Callable[[], None] | None = None,
) -> np.ndarray | None:
    """A small grey picture drawn by hand, uint8 (pixels, pixels), white on black; None while nothing is drawn.

    brush: width of the line, the side being 1. mnist: size and place the strokes as MNIST does its digits (28 x 28).
    """
    drawn = _canvas(
        key, "strokes", alt, MOST_STROKE_POINTS, size, None, on_change, spread=0, grid=0, brush=brush
    )
    if not drawn:
        return None
    return like_mnist(drawn, brush) if mnist else grey(drawn, pixels, brush)

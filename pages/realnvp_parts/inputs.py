"""The picture: a digit that the flow was not trained on, one drawn by hand, or a picture that was brought."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st

from app.assets.samples import DIGITS, EMOJI
from app.figures import dcgan as draw
from app.figures.framing import framed
from app.figures.overlay import Rect, Style
from app.text import t
from app.widgets import state
from app.widgets.draw import draw_grey
from app.widgets.image_input import image_input
from app.widgets.picture import Pick, picture
from models.generative.digit_files import held_out_digits
from pages.realnvp_parts.view import SIDE

EACH = 3  # digits of every class on offer
WAYS = ("digit", "draw", "picture")
WAY = state.Param("from", "digit", allowed=WAYS)
SAMPLES = DIGITS + tuple(s for s in EMOJI if s.id in ("fox", "hamburger"))
DIGIT = state.Param("digit", 3, state.parse_whole(0, 10 * EACH - 1), str)
OTHER = state.Param("other", 8, state.parse_whole(0, 10 * EACH - 1), str)


@dataclass(frozen=True, eq=False)
class Given:
    """grey: uint8 (28, 28). name: what it is called. note: what was done to it. empty: one flat tone."""

    grey: np.ndarray
    name: str
    note: str = ""
    empty: bool = False


@lru_cache(maxsize=1)
def offered() -> tuple[np.ndarray, np.ndarray]:
    """uint8 (30, 28, 28) and their labels: EACH digits of every class, a row of ten each."""
    pictures, labels = held_out_digits()
    at = np.array([np.flatnonzero(labels == digit)[i] for i in range(EACH) for digit in range(10)])
    return pictures[at], labels[at]


def given() -> Given:
    """The reader's picture."""
    way = st.segmented_control(
        t("realnvp.input.way"),
        WAYS,
        required=True,
        format_func=lambda way: t(f"realnvp.input.{way}"),
        **state.bind(WAY),
    ) or state.get(WAY)
    if way == "digit":
        pictures, labels = offered()
        chosen = digits("realnvp.digits", DIGIT, t("realnvp.input.sheet", count=len(labels)))
        return Given(pictures[chosen], t("realnvp.input.held", digit=int(labels[chosen])))
    if way == "draw":
        return _drawn()
    source = image_input("realnvp", SAMPLES)
    found = framed(source.picture.flattened(), SIDE)
    name = state.plain(source.name)
    if found.empty:
        return Given(found.grey, name, empty=True)
    return Given(found.grey, name, t("realnvp.input.inverted" if found.inverted else "realnvp.input.framed"))


def digits(key: str, param: state.Param[int], alt: str) -> int:
    """The digits on offer; a click takes one."""
    pictures, labels = offered()
    chosen = state.get(param)
    sheet = draw.sheet(pictures / 127.5 - 1.0, 10)

    def picked(pick: Pick) -> None:
        index = sheet.at(*pick)
        if index is not None:
            state.put(param, index)

    x, y = sheet.corner(chosen)
    picture(
        sheet.image,
        key,
        alt,
        overlays=[Rect(x=x, y=y, width=sheet.cell, height=sheet.cell, style=Style(width=3.0))],
        pixelated=True,
        show_pick=False,
        step=sheet.cell + sheet.gap,
        height=180,
        hint=t("realnvp.input.hint"),
        tiles=sheet.tiles(
            [t("realnvp.input.digit_n", digit=int(d), n=i // 10 + 1) for i, d in enumerate(labels)]
        ),
        on_pick=picked,
    )
    return chosen


def _drawn() -> Given:
    """The canvas; a digit stands in until something is drawn."""
    grey = draw_grey("realnvp.canvas", alt=t("realnvp.input.canvas"), mnist=True, size=220)
    if grey is None:
        pictures, labels = offered()
        at = DIGIT.default
        name = t("realnvp.input.held", digit=int(labels[at]))
        return Given(pictures[at], name, t("realnvp.input.undrawn"))
    return Given(grey, t("realnvp.input.drawn"), t("realnvp.input.drawn.as"))

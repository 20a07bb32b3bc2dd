"""A digit to work on: one that no net was trained on, one drawn by hand, or a picture that was brought.

A page with two of them gives each a key, choices and words of its own; what is done to a picture, and what is said of
it, is the same everywhere:

    way = digit_input.way(t("vae.input.way"), WAY)
    found = digit_input.take("vae.a", way, DIGIT, sheet=t("vae.input.sheet"), canvas=t("vae.input.canvas"))
    digit_input.say(found)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st

from app.assets.samples import DIGITS, Sample
from app.figures import dcgan as draw
from app.figures.framing import FLAT, framed, light
from app.figures.overlay import Rect, Style
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.draw import draw_grey
from app.widgets.image_input import Source, image_input, own_param
from app.widgets.picture import Pick, picture
from models.generative.digit_files import held_out_digits

EACH = 3  # digits of every class on offer
COUNT = 10 * EACH
SIDE = 28
WAYS = ("digit", "draw", "picture")


@dataclass(frozen=True, eq=False)
class Given:
    """grey: uint8 (28, 28). name: what it is called. note: what was done to it. empty: one flat tone."""

    grey: np.ndarray
    name: str
    note: str = ""
    empty: bool = False

    @property
    def input(self) -> np.ndarray:
        """(1, 1, 28, 28) float32 in [0, 1]."""
        return (self.grey.astype(np.float32) / 255.0)[None, None]


@lru_cache(maxsize=1)
def offered() -> tuple[np.ndarray, np.ndarray]:
    """uint8 (COUNT, 28, 28) and their labels: EACH digits of every class, a row of ten each."""
    pictures, labels = held_out_digits()
    at = np.array([np.flatnonzero(labels == digit)[i] for i in range(EACH) for digit in range(10)])
    return pictures[at], labels[at]


def way_param(name: str) -> state.Param[str]:
    return state.Param(name, "digit", allowed=WAYS)


def digit_param(name: str, first: int) -> state.Param[int]:
    return state.Param(name, first, state.parse_whole(0, COUNT - 1), str)


def way(label: str, param: state.Param[str], slot: str = "") -> str:
    """Where the digit comes from; the file of one that was brought stands in the link only while it is looked at."""

    def set_aside() -> None:
        if state.get(param) != "picture":
            state.set_aside(own_param(slot))

    way = st.segmented_control(
        label,
        WAYS,
        required=True,
        format_func=lambda way: t(f"digits.{way}"),
        **state.bind(param, on_change=set_aside),
    )
    set_aside()  # a link may name a file that is not looked at
    return way or state.get(param)


def take(
    key: str,
    way: str,
    param: state.Param[int],
    *,
    sheet: str,
    canvas: str,
    samples: Sequence[Sample] = DIGITS,
    slot: str = "",
) -> Given:
    """The digit, and below what it is chosen, drawn or brought with.

    param: which of those on offer; its default stands in until something is drawn. sheet, canvas: their alternative
    texts. slot: as in `image_input`.
    """
    if way == "digit":
        return digits(f"{key}.digits", param, sheet)
    if way == "draw":
        grey = draw_grey(f"{key}.canvas", alt=canvas, mnist=True, size=220)
        if grey is None:
            return _held(param.default, t("digits.undrawn"))
        return Given(grey, t("digits.drawn"), t("digits.drawn.as"))
    source = image_input(key, samples, slot=slot, keeps_alpha=True)
    found = framed(opaque(source), SIDE)
    note = "" if found.empty else t("digits.inverted" if found.inverted else "digits.framed")
    return Given(found.grey, state.plain(source.name), note, found.empty)


def opaque(source: Source) -> np.ndarray:
    """uint8 (H, W, 3): laid on black where its ink is light, else on white, which is said of one's own picture."""
    found = source.picture
    if found.alpha is None:
        return found.flattened()
    on_black = light(found.srgb, found.alpha)
    if source.sample_id is None:
        st.caption(t("digits.on_black" if on_black else "input.transparent"))
    return found.flattened((0, 0, 0) if on_black else (255, 255, 255))


def say(given: Given) -> None:
    """What a digit is called, and what was done to it."""
    st.caption(" ".join(part for part in (f"**{given.name}**", given.note) if part))
    if given.empty:
        st.warning(t("digits.empty", least=percent(FLAT)), icon=":material/check_box_outline_blank:")


def digits(key: str, param: state.Param[int], alt: str) -> Given:
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
        hint=t("digits.hint"),
        tiles=sheet.tiles([t("digits.digit_n", digit=int(d), n=i // 10 + 1) for i, d in enumerate(labels)]),
        on_pick=picked,
    )
    return _held(chosen, t("digits.unseen"))


def _held(index: int, note: str) -> Given:
    pictures, labels = offered()
    return Given(pictures[index], t("digits.held", digit=int(labels[index])), note)

"""The two pictures: each a held-out digit, one drawn by hand, or a picture that was brought."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st

from app.assets.samples import DIGITS
from app.figures import vae as draw
from app.figures.framing import framed
from app.figures.overlay import Rect, Style
from app.text import t
from app.widgets import state
from app.widgets.draw import draw_grey
from app.widgets.image_input import image_input
from app.widgets.picture import Pick, picture
from pages.vae_parts import view

EACH = 3  # digits of every class on offer
WAYS = ("digit", "draw", "picture")
FIRST = {"a": 3, "b": 8}  # the digits at the start


@dataclass(frozen=True, eq=False)
class Given:
    """grey: uint8 (28, 28). name: what it is called. notes: ids of what was done to it. empty: one flat tone."""

    grey: np.ndarray
    name: str
    notes: tuple[str, ...] = ()
    empty: bool = False

    @property
    def input(self) -> np.ndarray:
        """(1, 1, 28, 28) float32 in [0, 1], what the encoder reads."""
        return (self.grey.astype(np.float32) / 255.0)[None, None]


@lru_cache(maxsize=1)
def offered() -> tuple[np.ndarray, np.ndarray]:
    """uint8 (30, 28, 28) and their labels: EACH digits of every class, a row of ten each."""
    pictures, labels = view.held()
    at = np.array([np.flatnonzero(labels == digit)[i] for i in range(EACH) for digit in range(10)])
    return (pictures[at, 0] * 255 + 0.5).astype(np.uint8), labels[at]


def way_param(slot: str) -> state.Param[str]:
    return state.Param(f"from_{slot}", "digit", allowed=WAYS)


def digit_param(slot: str) -> state.Param[int]:
    return state.Param(slot, FIRST[slot], state.parse_whole(0, 10 * EACH - 1), str)


def given(slot: str) -> Given:
    """One input; slot is "a" or "b"."""
    st.subheader(t(f"vae.{slot}"), anchor=False)
    way = st.segmented_control(
        t("vae.input.way", name=t(f"vae.{slot}")),
        WAYS,
        required=True,
        format_func=lambda way: t(f"vae.input.{way}"),
        **state.bind(way_param(slot)),
    ) or state.get(way_param(slot))
    place = st.empty()
    found = {"digit": _digit, "draw": _drawn, "picture": _brought}[way](slot)
    with place.container():
        _seen(slot, found)
    return found


def _seen(slot: str, found: Given) -> None:
    """The picture as the encoder gets it."""
    picture(
        np.repeat(found.grey[..., None], 3, axis=-1),
        f"vae.seen.{slot}",
        t("vae.input.alt", name=t(f"vae.{slot}")),
        pixelated=True,
        pick=False,
        show_pick=False,
        height=168,
        hint="",
    )
    st.caption(" ".join([f"**{found.name}**", *(t(note) for note in found.notes)]))
    if found.empty:
        st.warning(t("vae.input.empty"), icon=":material/check_box_outline_blank:")


def _digit(slot: str) -> Given:
    """Thirty digits that no net was trained on; a click takes one."""
    pictures, labels = offered()
    param = digit_param(slot)
    chosen = state.get(param)
    sheet = draw.sheet(pictures / 255.0, 10)

    def picked(pick: Pick) -> None:
        index = sheet.at(*pick)
        if index is not None:
            state.put(param, index)

    x, y = sheet.corner(chosen)
    picture(
        sheet.image,
        f"vae.digits.{slot}",
        t("vae.input.sheet", name=t(f"vae.{slot}"), count=len(labels)),
        overlays=[Rect(x=x, y=y, width=sheet.cell, height=sheet.cell, style=Style(width=3.0))],
        pixelated=True,
        show_pick=False,
        step=sheet.cell + sheet.gap,
        height=180,
        hint=t("vae.input.hint"),
        tiles=sheet.tiles(
            [t("vae.input.digit_n", digit=int(d), n=i // 10 + 1) for i, d in enumerate(labels)]
        ),
        on_pick=picked,
    )
    return Given(pictures[chosen], t("vae.input.held", digit=int(labels[chosen])))


def _drawn(slot: str) -> Given:
    """The canvas; the digit of the start stands in until something is drawn."""
    grey = draw_grey(
        f"vae.canvas.{slot}", alt=t("vae.input.canvas", name=t(f"vae.{slot}")), mnist=True, size=220
    )
    if grey is None:
        pictures, labels = offered()
        at = FIRST[slot]
        return Given(pictures[at], t("vae.input.held", digit=int(labels[at])), ("vae.input.undrawn",))
    return Given(grey, t("vae.input.drawn"), ("vae.input.drawn.as",))


def _brought(slot: str) -> Given:
    """An upload, a pasted picture, a photo; framed as MNIST frames digits."""
    source = image_input(f"vae.{slot}", DIGITS, slot=f"_{slot}")
    found = framed(source.picture.flattened(), draw.SIDE)
    note = "vae.input.inverted" if found.inverted else "vae.input.framed"
    return Given(found.grey, state.plain(source.name), () if found.empty else (note,), found.empty)

"""The two pictures that the page goes between, A and B."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.text import t
from app.widgets import digit_input, state
from app.widgets.digit_input import Given
from app.widgets.picture import picture

FIRST = {"a": 3, "b": 8}  # the digits at the start


def way_param(slot: str) -> state.Param[str]:
    return digit_input.way_param(f"from_{slot}")


def digit_param(slot: str) -> state.Param[int]:
    return digit_input.digit_param(slot, FIRST[slot])


def given(slot: str) -> Given:
    """One input; slot is "a" or "b"."""
    name = t(f"vae.{slot}")
    st.subheader(name, anchor=False)
    way = digit_input.way(t("vae.input.way", name=name), way_param(slot), f"_{slot}")
    place = st.empty()
    found = digit_input.take(
        f"vae.{slot}",
        way,
        digit_param(slot),
        sheet=t("vae.input.sheet", name=name, count=digit_input.COUNT),
        canvas=t("vae.input.canvas", name=name),
        slot=f"_{slot}",
    )
    with place.container():
        picture(  # as the encoder gets it
            np.repeat(found.grey[..., None], 3, axis=-1),
            f"vae.seen.{slot}",
            t("vae.input.alt", name=name),
            pixelated=True,
            pick=False,
            show_pick=False,
            height=168,
            hint="",
        )
        digit_input.say(found)
    return found

"""Take away: the link to this view, the three pictures, and z."""

from __future__ import annotations

import streamlit as st

from app.figures import realnvp as draw
from app.text import t
from app.widgets.share import take_away
from models.generative import flow
from pages.realnvp_parts.view import Scene


def take(scene: Scene) -> None:
    """The files of the picture; the other sections have theirs where they are shown."""
    st.header(t("realnvp.take.title"), anchor="take")
    st.markdown(t("realnvp.take.about"))
    way = scene.passage
    row = draw.row_of(
        [draw.greys(way.grey), draw.coloured(way.z[0, 0]), draw.greys(flow.shrink(way.again)[0, 0])]
    )
    take_away(
        "realnvp.take",
        "realnvp-z",
        png=lambda: row.repeat(8, axis=0).repeat(8, axis=1),
        tensor=way.z[0, 0],
        axes=("row", "column"),
    )

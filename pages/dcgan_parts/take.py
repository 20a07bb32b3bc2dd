"""Take away: the link to this view, the sheet of samples, and their z."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import dcgan as draw
from app.text import t
from app.widgets.share import take_away
from pages.dcgan_parts import view
from pages.dcgan_parts.view import Scene


def take(scene: Scene) -> None:
    """The files of the samples; walk, training and the plane have theirs where they are shown."""
    st.header(t("dcgan.take.title"), anchor="take")
    st.markdown(t("dcgan.take.about"))
    sheet = draw.sheet(scene.pictures[:, 0], view.COLUMNS)
    take_away(
        "dcgan.take",
        f"dcgan-{scene.seed}",
        png=lambda: np.repeat(np.repeat(sheet.image, 4, axis=0), 4, axis=1),
        tensor=scene.z,
        axes=("sample", "latent"),
    )

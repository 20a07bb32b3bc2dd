"""Take away: the link to this view, and the two pictures with their codes."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import vae as draw
from app.text import t
from app.widgets.share import take_away
from pages.vae_parts import view
from pages.vae_parts.view import Scene


def take(scene: Scene) -> None:
    """The files of the two pictures; the other sections have theirs where they are shown."""
    st.header(t("vae.take.title"), anchor="take")
    st.markdown(t("vae.take.about"))
    code = view.encode(scene.vae, scene.both)
    made = view.decode(scene.vae, code.mean)
    sheet = draw.sheet(np.concatenate([scene.both, made])[:, 0], 2).image
    take_away(
        "vae.take",
        f"vae-{scene.vae.name}-codes",
        png=lambda: sheet.repeat(6, axis=0).repeat(6, axis=1),
        tensor=np.stack([code.mean, code.logvar], axis=1),
        axes=("picture", "mean_logvar", "latent"),
    )

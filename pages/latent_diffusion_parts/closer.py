"""Looking closer: one of five views of the chosen moment of the chosen sample. Only what is seen is computed."""

from __future__ import annotations

import streamlit as st

from app.text import t
from app.widgets import state
from pages.latent_diffusion_parts.guide import guide
from pages.latent_diffusion_parts.inside import inside
from pages.latent_diffusion_parts.language import language_view
from pages.latent_diffusion_parts.view import Scene
from pages.latent_diffusion_parts.weigh import weigh
from pages.latent_diffusion_parts.words import words

SECTIONS = {
    "words": words,
    "weigh": weigh,
    "guide": guide,
    "language": language_view,
    "inside": inside,
}
VIEW = state.Param("view", "words", allowed=tuple(SECTIONS))


def closer(scene: Scene) -> None:
    """The choice, and the chosen view."""
    st.header(t("latent_diffusion.closer"), anchor="closer")
    view = st.segmented_control(
        t("latent_diffusion.closer.choice"),
        tuple(SECTIONS),
        required=True,
        format_func=lambda v: t(f"latent_diffusion.view.{v}"),
        label_visibility="collapsed",
        **state.bind(VIEW),
    )
    if view != "language":
        st.caption(
            t(
                f"latent_diffusion.closer.{'here' if scene.moment < len(scene.frames) else 'done'}",
                n=scene.sample + 1,
                step=int(scene.path.step[scene.frame]) + 1,
                steps=scene.path.steps,
                t=scene.t + 1,
            )
        )
    SECTIONS[view or "words"](scene)

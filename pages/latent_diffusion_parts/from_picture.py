"""From a picture: drawn over with the words, or through the image VAE alone."""

from __future__ import annotations

import streamlit as st

from app.text import t
from app.widgets import state
from pages.latent_diffusion_parts.image_vae import image_vae
from pages.latent_diffusion_parts.img2img import img2img
from pages.latent_diffusion_parts.start_picture import given
from pages.latent_diffusion_parts.view import Scene

WAYS = {"img2img": img2img, "vae": image_vae}
WAY = state.Param("way", "img2img", allowed=tuple(WAYS))


def from_picture(scene: Scene) -> None:
    """The picture, and what becomes of it."""
    st.header(t("latent_diffusion.picture"), anchor="picture")
    picture = given(scene.studio)
    way = st.segmented_control(
        t("latent_diffusion.picture.choice"),
        tuple(WAYS),
        required=True,
        format_func=lambda w: t(f"latent_diffusion.way.{w}"),
        label_visibility="collapsed",
        **state.bind(WAY),
    )
    WAYS[way or "img2img"](scene, picture)

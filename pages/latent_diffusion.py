"""Latent diffusion: a word becomes a picture, in 16 x 16 places; every step and word can be looked at."""

from __future__ import annotations

import streamlit as st

from app.text import t
from app.widgets.guard import fragment
from app.widgets.header import current_engine, header
from models.registry import MODELS
from pages.latent_diffusion_parts.closer import closer
from pages.latent_diffusion_parts.from_picture import from_picture
from pages.latent_diffusion_parts.notes import notes
from pages.latent_diffusion_parts.result import result
from pages.latent_diffusion_parts.run import sampled, studio_of
from pages.latent_diffusion_parts.take import take
from pages.latent_diffusion_parts.view import Scene, choose, request_of, say_tokens, say_words

badges = header(MODELS["latent_diffusion"], t("latent_diffusion.sentence"))
studio = studio_of(current_engine())
badges.show(studio.unet)

say_words(studio)
say_tokens(studio)
choose(studio)
with st.container():  # a bar that comes and goes here moves nothing below it
    scene = sampled(studio, request_of(studio))


@fragment
def explore(scene: Scene) -> None:
    """Everything that follows the slider."""
    result(scene)
    closer(scene)


@fragment
def begin_with_a_picture(scene: Scene) -> None:
    """Its own picture, its own path."""
    from_picture(scene)


if scene is not None:
    badges.show(studio.unet, scene.path.seconds)
    explore(scene)
    begin_with_a_picture(scene)
notes(studio)
if scene is not None:
    take(scene)

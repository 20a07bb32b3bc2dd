"""DDPM: out of noise, step by step, comes a digit; every step stays under the slider."""

from __future__ import annotations

import streamlit as st

from app.engine import load
from app.text import t
from app.widgets.guard import fragment
from app.widgets.header import current_engine, header
from app.widgets.weights_choice import chosen_file, weights_choice
from models.generative.ddpm_card import CARD
from pages.ddpm_parts.branch import branch
from pages.ddpm_parts.forward import forward
from pages.ddpm_parts.inside import inside
from pages.ddpm_parts.notes import notes
from pages.ddpm_parts.play import play
from pages.ddpm_parts.result import result
from pages.ddpm_parts.takeaway import take_away
from pages.ddpm_parts.view import (
    Scene,
    choose_class,
    choose_how,
    choose_sampler,
    choose_what,
    look_now,
    request_of,
    sampled,
)

badges = header(CARD, t("ddpm.sentence"))

left, right = st.columns([3, 2], gap="large")
with right:
    weights_id = weights_choice(CARD) or CARD.weights[0].id
model = load(CARD.slug, weights_id, current_engine(), chosen_file(CARD, weights_id))
with left:
    choose_class(model)
    choose_what()
    choose_how(model)
with right:
    choose_sampler()
badges.show(model)

with st.container():  # a bar that comes and goes here moves nothing below it
    scene = sampled(model, request_of(model))


@fragment
def explore(scene: Scene) -> None:
    """Everything that follows the slider."""
    frame = result(scene)
    inside(scene, frame, look_now(scene))
    branch(scene)
    play(scene, frame, look_now(scene))


@fragment
def drown() -> None:
    """The forward process needs no path."""
    forward(model)


if scene is not None:
    badges.show(scene.model, scene.path.seconds)
    explore(scene)
drown()
notes(model)
if scene is not None:
    take_away(scene)

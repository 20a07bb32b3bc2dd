"""SwinIR: make a photograph larger, and see which pixels each pixel listened to."""

from __future__ import annotations

import streamlit as st

from app.engine import Model, load
from app.engine.upscale import scale_of
from app.images import BadImage
from app.text import t
from app.widgets.guard import fragment
from app.widgets.header import current_engine, header
from app.widgets.image_input import image_input
from app.widgets.weights_choice import chosen_file, weights_choice
from models.vision.swinir_card import CARD
from pages.swinir_parts.area import choose_area, upscaled
from pages.swinir_parts.inside import inside
from pages.swinir_parts.play import notes, play
from pages.swinir_parts.result import result, stem_of
from pages.swinir_parts.view import SAMPLES, Answer, Scene, current_block, new_source, scene_of, shrink_choice

badges = header(CARD, t("swinir.sentence"))

left, right = st.columns([3, 2], gap="large")
with left:
    source = image_input("swinir", SAMPLES, strips=True, keeps_alpha=True)
new_source(source)
with right:
    weights_id = weights_choice(CARD) or CARD.weights[0].id
    shrink_choice(source)

model = load(CARD.slug, weights_id, current_engine(), chosen_file(CARD, weights_id))
badges.show(model)


@fragment
def explore(model: Model, scene: Scene, answer: Answer, stem: str) -> None:
    """Everything that follows a picked pixel. stem: of the name of a saved file."""
    result(model, scene, answer, stem)
    inside(model, scene)
    play(model, scene)


try:
    scene = scene_of(source, scale_of(model), choose_area(model, source))
except BadImage as error:
    st.error(t(error.reason, **error.details))
    st.stop()
answer = upscaled(model, scene, current_block(model))
if answer is not None:
    badges.show(model, answer.seconds)
    explore(model, scene, answer, stem_of(source.name))
notes(model)

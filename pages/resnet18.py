"""ResNet18: name what is in a picture, then look at how it came to that."""

from __future__ import annotations

import streamlit as st

from app.assets.samples import DIGITS, EMOJI, PHOTOS
from app.engine import load
from app.text import t
from app.widgets.header import current_engine, header
from app.widgets.image_input import image_input
from app.widgets.weights_choice import chosen_file, weights_choice
from models.registry import MODELS
from pages.resnet18_parts import sections

CARD = MODELS["resnet18"]
SAMPLES = EMOJI + DIGITS + tuple(photo for photo in PHOTOS if photo.id in ("chelsea", "coffee", "flower"))

badges = header(CARD, t("resnet18.sentence"))

way_in, answer = st.columns([2, 3], gap="large")
with way_in:
    weights_id = weights_choice(CARD) or CARD.weights[0].id
    source = image_input("resnet18", SAMPLES, strips=True)

model = load(CARD.slug, weights_id, current_engine(), chosen_file(CARD, weights_id))
badges.show(model)
shown = sections.shown(model, source)
with answer:
    sections.result(shown, source)
badges.show(model, sections.seconds(shown))

sections.looked(shown)
sections.inside(shown)
sections.branches(shown)
sections.filters(shown)
sections.play(shown)
sections.one_by_one(shown)
sections.notes()
sections.take_away(shown)

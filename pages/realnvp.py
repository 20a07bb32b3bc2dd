"""RealNVP: a picture becomes noise and comes back exactly; its probability is exact too. And a flow of the plane."""

from __future__ import annotations

import streamlit as st

from app.text import t
from app.widgets import digit_input, state
from app.widgets.header import current_engine, header
from pages.realnvp_parts import chances, inputs, inside, journey, live, notes, numbers, prior, take, view
from pages.realnvp_parts.view import CARD, NOISE, Scene

badges = header(CARD, t("realnvp.sentence"))
nets = view.nets(current_engine())
badges.show(nets.there)

left, right = st.columns([2, 3], gap="large")
with left:
    given = inputs.given()
    digit_input.say(given)
scene = Scene(nets, given.name, view.passage(nets, given.grey, state.get(NOISE)))
badges.show(nets.there, scene.passage.seconds)
with right:
    journey.result(scene)
    st.button(
        t("realnvp.noise.next"),
        key="realnvp.noise.next",
        on_click=lambda: state.put(NOISE, (state.get(NOISE) + 1) % 1000),
        icon=":material/casino:",
        help=t("realnvp.noise.help"),
    )

journey.journey(scene)
with st.container():  # what stands below it is not drawn anew when its work ends
    chances.chances(scene)
prior.samples(scene)
prior.walk(scene)
numbers.numbers(scene)
with st.container():  # what stands below it is not drawn anew when its work ends
    live.live()
inside.inside(scene)
notes.notes()
take.take(scene)

"""VAE: two pictures, the way from one code to the other, the map of all codes; an autoencoder beside it."""

from __future__ import annotations

import streamlit as st

from app.text import t
from app.widgets import state
from app.widgets.header import current_engine, header
from pages.vae_parts import (
    beta,
    between,
    bound,
    inputs,
    inside,
    moons,
    noise,
    notes,
    plane,
    prior,
    take,
    view,
)
from pages.vae_parts.view import CARD, SIZE, WHICH, Scene

badges = header(CARD, t("vae_encoder.sentence"))
engine = current_engine()
size = state.get(SIZE)
vae, ae = (view.pair(name, engine) for name in view.NETS[size])
badges.show(vae.encoder)

st.markdown(t("vae.input.about"))
columns = st.columns(2, gap="large")
with columns[0]:
    a = inputs.given("a")
with columns[1]:
    b = inputs.given("b")
scene = Scene(a.input, b.input, (a.name, b.name), engine, vae, ae, view.judge(engine), state.get(WHICH))
badges.show(vae.encoder, view.encode(vae, scene.both).seconds)

st.header(t("vae.between.title"), anchor="between")
st.markdown(t("vae.between.about"))
st.segmented_control(
    t("vae.size"), view.SIZES, required=True, format_func=lambda n: t("vae.size.n", n=n), **state.bind(SIZE)
)
between.between(scene)
between.many(scene)
prior.prior(scene)
with st.container():  # what stands below it is not drawn anew when its work ends
    moons.moons()
plane.plane(scene)
noise.cloud(scene)
bound.numbers(scene)
beta.beta(scene)
inside.inside(scene)
notes.notes(scene)
take.take(scene)

"""DCGAN: pictures from 64 random numbers, the critic they were made against, and the game that trained them both."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.assets.samples import DIGITS, EMOJI, PHOTOS
from app.figures.framing import Framed, framed
from app.text import t
from app.widgets import state
from app.widgets.digit_input import opaque
from app.widgets.draw import draw_grey
from app.widgets.guard import fragment
from app.widgets.header import current_engine, header
from app.widgets.image_input import Source, image_input
from pages.dcgan_parts import gallery, inside, live, losses, notes, scores, take, timeline, view
from pages.dcgan_parts.view import CARD, SEED

SAMPLES = DIGITS + tuple(s for s in EMOJI if s.id == "fox") + tuple(s for s in PHOTOS if s.id == "chelsea")
CANVAS = "dcgan.canvas"

badges = header(CARD, t("dcgan_generator.sentence"))
engine = current_engine()
nets = view.nets(engine)
badges.show(nets.generator)

with st.container(horizontal=True, vertical_alignment="bottom", key="v-dcgan-seed"):
    st.number_input(t("dcgan.seed"), 0, view.LARGEST_SEED, step=1, width=180, **state.bind(SEED))
    st.button(
        t("dcgan.seed.next"),
        on_click=lambda: state.put(SEED, (state.get(SEED) + 1) % (view.LARGEST_SEED + 1)),
        icon=":material/casino:",
        help=t("dcgan.seed.help"),
    )
scene = view.scene(nets, state.get(SEED))
badges.show(nets.generator, scene.seconds)


def own_picture(source: Source) -> tuple[Framed, str]:
    """The drawn digit where there is one, else the picture that was brought, else the first sample."""
    drawn = draw_grey(CANVAS, alt=t("dcgan.canvas.alt"), mnist=True, size=220)
    if drawn is not None:
        return Framed(np.pad(drawn, view.EDGE), False, False), t("dcgan.own.drawn")
    return framed(opaque(source)), state.plain(source.name)


@fragment
def explore(scene: view.Scene) -> None:
    """Everything that follows the chosen sample."""
    gallery.gallery(scene)
    gallery.numbers(scene)
    gallery.stroll(scene)
    st.header(t("dcgan.ask.title"), anchor="ask")
    st.markdown(t("dcgan.ask.about"))
    way_in, canvas = st.columns([2, 1], gap="large")
    with way_in:
        source = image_input("dcgan", SAMPLES, keeps_alpha=True)
    with canvas:
        st.markdown(t("dcgan.canvas"))
        own, name = own_picture(source)
    scores.ask(scene, own, name)
    inside.inside(scene)


explore(scene)
with st.container():  # what stands below it is not drawn anew when its work ends
    timeline.timeline(scene, engine)
losses.losses()
live.live()
notes.notes()
take.take(scene)

"""A word said louder or softer: its attention multiplied, the same noise, before and after."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from app.figures.ddpm import to_rgb
from app.text import t
from app.widgets import state
from app.widgets.scrubber import Strip, scrubber
from pages.latent_diffusion_parts.run import clean, pixels, run_path
from pages.latent_diffusion_parts.view import STEP, Scene, piece_words, positions

WORD = state.Param("word", 1, state.parse_whole(0, 63), str)
FACTOR = state.Param("factor", 3.0, state.parse_number(-2.0, 6.0), state.format_number)


def choose_word(scene: Scene, suffix: str = "") -> int:
    """Which token; the views that ask for one share the choice. suffix: of the widget, where it is not the first."""
    pieces = scene.pieces
    numbers = list(range(len(pieces)))
    word = st.segmented_control(
        t("latent_diffusion.word"),
        numbers,
        format_func=lambda k: piece_words(pieces[k]),
        required=True,
        wrap=True,
        **state.bind(WORD, allowed=numbers, suffix=suffix),
    )
    return word or 0


def weigh(scene: Scene) -> None:
    """The word, its factor, and both paths under one slider."""
    st.markdown(t("latent_diffusion.weigh.about"))
    left, right = st.columns(2, gap="large")
    with left:
        word = choose_word(scene)
    with right:
        factor = st.slider(
            t("latent_diffusion.weigh.factor"), -2.0, 6.0, step=0.5, format="%g", **state.bind(FACTOR)
        )
    strength = np.ones(scene.studio.tokens)
    strength[word] = factor
    sample = scene.sample
    request = replace(
        scene.request,
        texts=(scene.text,),
        index=(sample,),
        token_strength=tuple(float(value) for value in strength),
    )
    path = run_path("latent_diffusion.weigh", scene.studio, request)
    if path is None:
        return
    before = to_rgb(pixels(scene.studio, clean(scene.path, scene.frames))[:, sample])
    after = to_rgb(pixels(scene.studio, clean(path, scene.frames))[:, 0])
    scrubber(
        [
            Strip("before", t("latent_diffusion.weigh.before"), before),
            Strip("after", t("latent_diffusion.weigh.after", factor=f"{factor:g}"), after),
        ],
        "latent_diffusion.weigh",
        positions=positions(scene.path, scene.frames),
        alt=t("latent_diffusion.weigh.alt"),
        compare=("before", "after"),
        param=STEP,
    )
    levels = np.abs(after[-1].astype(float) - before[-1]).mean()
    st.caption(
        t("latent_diffusion.weigh.change", levels=f"{levels:.1f}") + " " + t("latent_diffusion.weigh.note")
    )

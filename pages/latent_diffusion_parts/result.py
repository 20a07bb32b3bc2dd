"""The result: latents beside pixels under one slider, and what a classifier sees in the finished pictures."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import load
from app.engine.classify import class_names, classify
from app.figures import latent_diffusion as draw
from app.figures.ddpm import enlarge, to_rgb
from app.figures.printed import percent
from app.text import language, t
from app.widgets import state
from app.widgets.packing import content_id
from app.widgets.scrubber import Strip, scrubber
from pages.latent_diffusion_parts.run import clean, pixels
from pages.latent_diffusion_parts.view import (
    LOOK,
    STEP,
    Scene,
    choose_sample,
    positions,
    readouts,
)


def strips(scene: Scene) -> list[np.ndarray]:
    """x_t and the expected latents as maps, and the expected latents as pictures: (F + 1, N, H, W, 3) each."""
    path, frames = scene.path, scene.frames
    expected = clean(path, frames)
    noisy = np.concatenate([path.x[frames], path.x[-1:]])
    return [draw.mosaic(noisy), draw.mosaic(expected), to_rgb(pixels(scene.studio, expected))]


def result(scene: Scene) -> None:
    """The path under the slider, then the finished pictures with a second opinion."""
    names = ("z_t", "z_0", "x_0")
    scrubber(
        [Strip(n, t(f"latent_diffusion.strip.{n}"), f) for n, f in zip(names, strips(scene), strict=True)],
        "latent_diffusion.path",
        readouts=readouts(scene.path, scene.frames),
        positions=positions(scene.path, scene.frames),
        alt=t("latent_diffusion.path.alt", count=scene.count),
        report=True,
        param=STEP,
        pick="sample" if scene.count > 1 else False,
        on_pick=lambda pick: state.put(LOOK, pick.sample),
        hint=t("latent_diffusion.path.hint"),
    )
    st.caption(t("latent_diffusion.path.about"))
    finished = to_rgb(pixels(scene.studio, scene.path.samples))
    with st.container(horizontal=True, gap="medium", key="v-latent-cards"):
        for n in range(scene.count):
            with st.container(width=190):
                st.image(
                    enlarge(finished[n], 2), alt=t("latent_diffusion.sample.alt", n=n + 1, text=scene.text)
                )
                st.caption(verdict(scene, finished[n]))
    st.caption(t("latent_diffusion.limits"))
    choose_sample(scene)


@st.cache_data(max_entries=128, show_spinner=False)
def _seen(name: str, engine: str, _rgb: np.ndarray) -> list[tuple[int, float]]:
    return classify(load("resnet18", "emoji", engine), _rgb, 1).top


def verdict(scene: Scene, rgb: np.ndarray) -> str:
    """What the emoji classifier sees, which knows nothing of the words."""
    engine = scene.studio.unet.engine
    index, probability = _seen(content_id(rgb), engine, rgb)[0]
    name = class_names(load("resnet18", "emoji", engine), language())[index]
    return t("latent_diffusion.verdict", name=state.plain(name), percent=percent(probability))

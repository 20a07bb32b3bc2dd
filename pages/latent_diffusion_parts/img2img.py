"""From a picture: encoded, noised to a step, and denoised from there with the words (E24)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from app.engine.paint import begin, steps_left
from app.figures import latent_diffusion as draw
from app.figures.ddpm import enlarge, kept, to_rgb
from app.figures.ddpm_inside import Cell, gallery
from app.text import t
from app.widgets import state
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import film_files, take_away
from pages.latent_diffusion_parts.run import clean, pixels, run_path
from pages.latent_diffusion_parts.start_picture import Given, codes
from pages.latent_diffusion_parts.view import SHOWN, Scene, positions, readouts

STRENGTH = state.Param("strength", 0.6, state.parse_number(0.0, 1.0), state.format_number)
AT = state.Param("at", -1, state.parse_whole(-1, SHOWN), str)


def img2img(scene: Scene, picture: Given) -> None:
    """The strength, the path that is left, the result beside what was given."""
    kind = "about" if scene.heard else "about.silent"
    st.markdown(t(f"latent_diffusion.img2img.{kind}", text=state.plain(scene.heard)))
    studio = scene.studio
    strength = st.slider(
        t("latent_diffusion.img2img.strength"),
        0.0,
        1.0,
        step=0.05,
        format="%g",
        help=t("latent_diffusion.img2img.strength.help"),
        **state.bind(STRENGTH),
    )
    steps = scene.request.steps
    left = steps_left(strength, steps)
    mean, _ = codes(studio, picture)
    request = replace(scene.request, texts=(scene.text,), picture=mean[0], strength=strength)
    st.markdown(t("latent_diffusion.img2img.steps", strength=f"{strength:g}", steps=steps, left=left))
    path = run_path("latent_diffusion.img2img", studio, request)
    if path is None:
        return
    _, noisy = begin(studio, request)
    cells = [
        Cell(picture.rgb, t("latent_diffusion.img2img.given"), picture.name),
        Cell(
            to_rgb(pixels(studio, mean)[0]),
            t("latent_diffusion.img2img.encoded"),
            t("latent_diffusion.img2img.encoded"),
        ),
        Cell(
            to_rgb(pixels(studio, noisy)[0]),
            t("latent_diffusion.img2img.noised"),
            t("latent_diffusion.img2img.noised"),
        ),
        Cell(
            to_rgb(pixels(studio, path.samples)[0]),
            t("latent_diffusion.img2img.made"),
            t("latent_diffusion.img2img.made"),
            strong=True,
        ),
    ]
    st.html(gallery(cells, t("latent_diffusion.img2img.alt"), most=180, columns=4))
    if not len(path.t):
        st.caption(t("latent_diffusion.img2img.none"))
        return
    frames = kept(len(path.t), SHOWN)
    expected = clean(path, frames)
    shown = to_rgb(pixels(studio, expected)[:, 0])
    scrubber(
        [
            Strip(
                "z_t",
                t("latent_diffusion.strip.z_t"),
                draw.mosaic(np.concatenate([path.x[frames], path.x[-1:]])[:, 0]),
            ),
            Strip("x_0", t("latent_diffusion.strip.expected"), shown),
        ],
        "latent_diffusion.img2img",
        readouts=readouts(path, frames),
        positions=positions(path, frames),
        alt=t("latent_diffusion.img2img.path"),
        param=AT,
    )
    stem = f"img2img-{picture.stem}-{scene.text}-strength{strength:g}-seed{request.seed}"
    take_away(
        "latent_diffusion.img2img.take",
        stem,
        png=lambda: enlarge(shown[-1], 4),
        tensor=path.x[:, 0],
        axes=("step", "channel", "row", "column"),
        link=False,
    )
    film_files("latent_diffusion.img2img.film", stem, lambda: shown, 3.0)

"""Take away: the link, the film, the sheet of the path, its numbers."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures.ddpm import enlarge, grid, kept, to_rgb
from app.text import t
from app.widgets.share import film_files, take_away
from pages.latent_diffusion_parts.result import strips
from pages.latent_diffusion_parts.run import pixels
from pages.latent_diffusion_parts.view import Scene

COLUMNS = 8  # moments on the sheet


def film_of(noisy: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """(F, H, W, 3): of every sample the noisy latents above, the expected picture below. Both (F, N, h, w, 3)."""
    factor = expected.shape[-2] // (noisy.shape[-2] - 1)
    above = enlarge(noisy[..., :-1, :-1, :], factor)
    both = np.concatenate([above, expected], axis=2)
    return np.concatenate([both[:, n] for n in range(both.shape[1])], axis=2)


def sheet_of(expected: np.ndarray) -> np.ndarray:
    """The path on one page: a row of expected pictures (F, N, h, w, 3) a sample."""
    moments = kept(len(expected), COLUMNS)
    return grid([[enlarge(expected[m, n], 2) for m in moments] for n in range(expected.shape[1])])


def take(scene: Scene) -> None:
    """A row of buttons; files are made when a button is pressed."""
    st.header(t("latent_diffusion.take"), anchor="take")
    st.markdown(t("latent_diffusion.take.about"))
    request = scene.request
    noisy, _, expected = strips(scene)
    stem = f"latent-diffusion-{scene.text}-seed{request.seed}-{request.steps}steps"
    take_away(
        "latent_diffusion.take",
        stem,
        png=lambda: sheet_of(expected),
        tensor=scene.path.x,
        axes=("step", "sample", "channel", "row", "column"),
    )
    film_files("latent_diffusion.take.film", stem, lambda: film_of(noisy, expected), 4.0)
    st.caption(t("latent_diffusion.take.pictures"))
    pictures = to_rgb(pixels(scene.studio, scene.path.samples))
    take_away(
        "latent_diffusion.take.pictures",
        f"{stem}-pictures",
        png=lambda: grid([[enlarge(picture, 4) for picture in pictures]], gap=0),
        link=False,
    )

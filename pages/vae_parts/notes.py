"""What the study notes say of the VAE, what the paper says (E12), our tests, and the papers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from app.figures.printed import percent
from app.text import t
from models.generative import elbo
from pages.vae_parts import view
from pages.vae_parts.between import middles
from pages.vae_parts.view import Scene

PAPERS = (
    ("Kingma, Welling", view.CARD.paper.title, 2014, "1312.6114", "vae"),
    ("Burda, Grosse, Salakhutdinov", "Importance Weighted Autoencoders", 2016, "1509.00519", "iw"),
    ("Burgess et al.", "Understanding disentangling in β-VAE", 2018, "1804.03599", "beta"),
    ("Alemi et al.", "Fixing a Broken ELBO", 2018, "1711.00464", "rate"),
    ("White", "Sampling Generative Networks", 2016, "1609.04468", "arc"),
)
FOLDER = "tests/models/generative"
TESTS = {
    "E12": (
        ("test_vae.py", "test_E12_kl_keeps_the_noise_finite_and_the_mean_near_0"),
        ("test_vae.py", "test_E12_z_is_mean_plus_sigma_times_noise"),
    ),
    "moon": (
        ("test_moons.py", "test_between_two_moons_there_is_none_unless_it_was_seen"),
        ("test_moons.py", "test_with_noise_and_kl_the_middle_is_the_three_quarter_moon"),
    ),
    "bound": (
        ("test_vae.py", "test_kl_is_what_sampling_says"),
        ("test_vae.py", "test_the_bound_the_tighter_bound_and_the_truth"),
    ),
}


def kl_of(mean: float, logvar: float) -> float:
    """KL of one number of a code, in closed form."""
    return float(elbo.kl(np.array([mean]), np.array([logvar]))[0])


def notes(scene: Scene) -> None:
    """The erratum, the story of the moons, the derivation; then the papers."""
    st.header(t("vae.notes.title"), anchor="notes")
    with st.container(border=True):
        st.markdown(
            t(
                "vae.note.E12",
                zero=f"{kl_of(0, 0):g}",
                half=f"{kl_of(1, 0):g}",
                wide=f"{kl_of(0, 4):.1f}",
                wider=f"{kl_of(0, 8):.0f}",
                narrow=f"{kl_of(0, -20):.1f}",
            )
        )
        _tests("E12")
    with st.container(border=True):
        vae, ae = (view.pair(name, scene.engine) for name in view.NETS["16"])
        found = middles(replace(scene, vae=vae, ae=ae))
        st.markdown(
            t(
                "vae.note.moon",
                vae=percent(found.vae_straight),
                ae=percent(found.ae_straight),
                size=vae.latent,
            )
        )
        _tests("moon")
    with st.container(border=True):
        st.markdown(t("vae.note.derivation"))
        st.latex(
            r"\begin{aligned}\log p(x)=\;&\underbrace{\mathbb{E}_q\left[\log p(x|z)\right]"
            r"-\mathrm{KL}\left(q(z|x)\Vert p(z)\right)}_{\mathrm{ELBO}}\\"
            r"&+\mathrm{KL}\left(q(z|x)\Vert p(z|x)\right)\end{aligned}"
        )
        _tests("bound")
    st.markdown(
        "\n".join(
            f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'vae.paper.{word}')}"
            for authors, title, year, number, word in PAPERS
        )
    )


def _tests(name: str) -> None:
    """The tests that show it."""
    names = " · ".join(f"`{FOLDER}/{file}::{test}`" for file, test in TESTS[name])
    st.caption(t("vae.notes.tests", names=names))

"""What the study notes say of GANs, where they differ from the paper, our tests, and the papers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.figures.dcgan import minus
from app.text import t
from models.generative import gan2d, gan_losses
from models.registry import MODELS
from pages.dcgan_parts.losses import tiny

CARD = MODELS["dcgan_generator"]
PAPERS = (
    ("Goodfellow et al.", "Generative Adversarial Nets", 2014, "1406.2661", "gan"),
    ("Radford, Metz, Chintala", CARD.paper.title, 2016, "1511.06434", "dcgan"),
    ("White", "Sampling Generative Networks", 2016, "1609.04468", "walk"),
    ("Metz et al.", "Unrolled Generative Adversarial Networks", 2017, "1611.02163", "ring"),
    ("Kingma, Ba", "Adam: A Method for Stochastic Optimization", 2015, "1412.6980", "adam"),
)
FOLDER = "tests/models/generative"
TESTS = {
    "E10": (
        ("test_gan_losses.py", "test_E10_two_generator_losses_not_one"),
        ("test_gan_losses.py", "test_E10_the_non_saturating_loss_is_the_default"),
        ("test_gan2d.py", "test_E10_with_a_sure_d_the_saturating_loss_has_no_gradient_left"),
    ),
    "E11": (
        ("test_gan_losses.py", "test_E11_value_where_d_says_one_half"),
        ("test_gan_losses.py", "test_E11_both_terms_are_means"),
        ("test_gan_losses.py", "test_E11_a_d_step_leaves_no_gradient_in_g"),
        ("test_gan2d.py", "test_E11_d_trained_alone_comes_to_p_over_p_plus_q"),
    ),
}


@dataclass(frozen=True)
class Figures:
    """Computed when the page is shown: both gradients at logits -10 and 0; V at D = 1/2; what a D step does to G.

    value, best: V of an untrained D and of D* for the same two clouds. moved: the largest change of G's weights.
    """

    saturating: float
    non_saturating: float
    even: tuple[float, float]
    undecided: float
    moved: float
    moved_d: float
    value: float
    best: float


@st.cache_data(show_spinner=False)
def figures() -> Figures:
    """The numbers of the notes, worked out with the page's own functions."""
    at = np.array([-10.0, 0.0])
    saturating, other = (gan_losses.generator_gradient(at, loss) for loss in ("saturating", "non_saturating"))
    state, real = gan2d.new(0), gan2d.ring()
    after, seen = gan2d.d_step(state, real)
    fake = gan2d.generate(state, gan2d.noise(0, 256))
    return Figures(
        float(saturating[0]),
        float(other[0]),
        (float(saturating[1]), float(other[1])),
        gan_losses.value(np.zeros(8), np.zeros(8)),
        float(np.abs(after.generator.values - state.generator.values).max()),
        float(np.abs(after.discriminator.values - state.discriminator.values).max()),
        float(seen.value or 0.0),
        gan2d.best_value(real, fake),
    )


def _tests(erratum: str) -> None:
    """The tests that show it."""
    names = " · ".join(f"`{FOLDER}/{file}::{name}`" for file, name in TESTS[erratum])
    st.caption(t("dcgan.notes.tests", names=names))


def notes() -> None:
    """Both errata with their numbers, then the papers."""
    st.header(t("dcgan.notes.title"), anchor="notes")
    st.markdown(t("dcgan.notes.about"))
    found = figures()
    with st.container(border=True):
        st.markdown(
            t(
                "dcgan.note.E10",
                saturating=tiny(found.saturating),
                non_saturating=tiny(found.non_saturating),
                even=minus(found.even[0], 1),
            )
        )
        _tests("E10")
    with st.container(border=True):
        st.markdown(
            t(
                "dcgan.note.E11",
                undecided=minus(found.undecided, 6),
                moved=f"{found.moved:g}",
                moved_d=f"{found.moved_d:.4f}",
                value=minus(found.value, 3),
                best=minus(found.best, 3),
            )
        )
        _tests("E11")
    st.markdown(
        "\n".join(
            f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'dcgan.paper.{word}')}"
            for authors, title, year, number, word in PAPERS
        )
    )

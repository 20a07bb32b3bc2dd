"""What the study notes leave out of flows, what our tests show, and the papers."""

from __future__ import annotations

import streamlit as st

from app.text import t
from pages.realnvp_parts.view import CARD

PAPERS = (
    ("Dinh, Sohl-Dickstein, Bengio", CARD.paper.title, 2017, "1605.08803", "realnvp"),
    (
        "Kingma, Dhariwal",
        "Glow: Generative Flow with Invertible 1x1 Convolutions",
        2018,
        "1807.03039",
        "glow",
    ),
    (
        "Theis, van den Oord, Bethge",
        "A note on the evaluation of generative models",
        2016,
        "1511.01844",
        "theis",
    ),
    ("Ho et al.", "Flow++: Improving Flow-Based Generative Models", 2019, "1902.00275", "flowpp"),
    ("Nalisnick et al.", "Do Deep Generative Models Know What They Don't Know?", 2019, "1810.09136", "know"),
)
FOLDER = "tests/models/generative"
TESTS = {
    "title": (
        ("test_realnvp.py", "test_the_way_back_is_exact"),
        ("test_realnvp.py", "test_log_det_of_each_coupling_is_autograds"),
        ("test_realnvp.py", "test_levels_that_are_all_as_likely_cost_8_bits"),
        ("test_flow2d.py", "test_there_and_back_and_a_density_that_is_one"),
    ),
}


def notes() -> None:
    """The gap in the notes, the derivation, what differs from the paper; then the papers."""
    st.header(t("realnvp.notes.title"), anchor="notes")
    with st.container(border=True):
        st.markdown(t("realnvp.note.title"))
        st.latex(r"p_X(x)=p_Z\big(f(x)\big)\left\lvert\det\frac{\partial f}{\partial x}\right\rvert")
        names = " · ".join(f"`{FOLDER}/{file}::{test}`" for file, test in TESTS["title"])
        st.caption(t("realnvp.notes.tests", names=names))
    with st.container(border=True):
        st.markdown(t("realnvp.note.others"))
    with st.container(border=True):
        st.markdown(t("realnvp.note.differs"))
    st.markdown(
        "\n".join(
            f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'realnvp.paper.{word}')}"
            for authors, title, year, number, word in PAPERS
        )
    )

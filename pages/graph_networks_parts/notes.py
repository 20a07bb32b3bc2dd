"""What the study notes say about graph networks, where they are wrong, our numbers, and the tests that keep them."""

from __future__ import annotations

import streamlit as st

from app.text import t
from pages.graph_networks_parts.errata import FORMULAS, NUMBERS, TESTS, TESTS_FILE

PAPERS = (
    ("Gilmer et al.", "Neural Message Passing for Quantum Chemistry", 2017, "1704.01212", "mpnn"),
    ("Kipf, Welling", "Semi-Supervised Classification with Graph Convolutional Networks", 2017, "1609.02907", "gcn"),
    ("Hamilton, Ying, Leskovec", "Inductive Representation Learning on Large Graphs", 2017, "1706.02216", "graphsage"),
    ("Veličković et al.", "Graph Attention Networks", 2018, "1710.10903", "gat"),
    ("Brody, Alon, Yahav", "How Attentive are Graph Attention Networks?", 2022, "2105.14491", "gatv2"),
    ("Li, Han, Wu", "Deeper Insights into Graph Convolutional Networks for Semi-Supervised Learning", 2018,
     "1801.07606", "smoothing"),
)  # fmt: skip


def notes() -> None:
    """One entry an erratum: what the notes say, what is right, the number, the test. Then the papers."""
    st.header(t("graph_networks.notes"), anchor="notes")
    st.markdown(t("graph_networks.notes.about", file=TESTS_FILE))
    for erratum, numbers in NUMBERS.items():
        with st.container(border=True):
            st.markdown(f"**{erratum}** · " + t(f"graph_networks.note.{erratum}"))
            st.latex(FORMULAS[erratum])
            st.markdown(":material/calculate: " + t(f"graph_networks.note.{erratum}.number", **numbers()))
            st.caption(f"`{TESTS[erratum]}`")
    st.markdown(
        "\n".join(
            f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'graph_networks.paper.{word}')}"
            for authors, title, year, number, word in PAPERS
        )
    )

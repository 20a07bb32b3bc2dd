"""What the study notes say of graph embeddings, where that is wrong, our numbers, two of their claims tried, papers."""

from __future__ import annotations

import streamlit as st

from app.figures.printed import Printed
from app.text import t
from models.registry import METHODS
from pages.graph_embeddings_parts.claims import low_degree, named_tests, roles
from pages.graph_embeddings_parts.errata import NUMBERS, TESTS

PAPERS = (
    ("Mikolov et al.", "Distributed Representations of Words and Phrases", 2013, "1310.4546", "skipgram"),
    ("Qiu et al.", "Network Embedding as Matrix Factorization", 2018, "1710.02971", "netmf"),
)


@st.cache_data(show_spinner=False)
def _numbers() -> dict[str, dict[str, float]]:
    return {erratum: {name: float(v) for name, v in found().items()} for erratum, found in NUMBERS.items()}


def notes() -> None:
    """One entry an erratum: what the notes say, what is right, the number, the test. Then the claims and the papers."""
    st.header(t("embed_inside.notes.title"), anchor="notes")
    st.markdown(t("embed_inside.notes.about"))
    for erratum, values in _numbers().items():
        with st.container(border=True):
            words = {name: Printed(value) for name, value in values.items()}
            st.markdown(
                f"**{erratum}** · "
                + t(f"embed_inside.note.{erratum}")
                + "\n\n:material/calculate: "
                + t(f"embed_inside.note.{erratum}.number", **words)
            )
            named_tests(TESTS[erratum])
    low_degree()
    roles()
    lines = [
        f"- {card.paper.authors}: [{card.paper.title}]({card.paper.url}), {card.paper.year}. "
        + t(f"embed_inside.paper.{slug}")
        for slug, card in METHODS.items()
    ]
    lines += [
        f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'embed_inside.paper.{word}')}"
        for authors, title, year, number, word in PAPERS
    ]
    st.markdown("\n".join(lines))

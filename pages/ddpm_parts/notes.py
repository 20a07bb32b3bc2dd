"""What the study notes say about diffusion, where it is wrong, our numbers, and the tests that keep them."""

from __future__ import annotations

import streamlit as st

from app.engine import Model
from app.figures.printed import Printed
from app.text import t
from pages.ddpm_parts.errata import NUMBERS, TESTS, TESTS_FILE

PAPERS = (
    ("Ho, Jain, Abbeel", "Denoising Diffusion Probabilistic Models", 2020, "2006.11239", "ddpm"),
    ("Song, Meng, Ermon", "Denoising Diffusion Implicit Models", 2021, "2010.02502", "ddim"),
    ("Nichol, Dhariwal", "Improved Denoising Diffusion Probabilistic Models", 2021, "2102.09672", "improved"),
    ("Ho, Salimans", "Classifier-Free Diffusion Guidance", 2022, "2207.12598", "guidance"),
    ("Salimans, Ho", "Progressive Distillation for Fast Sampling of Diffusion Models", 2022, "2202.00512", "v"),
)  # fmt: skip


@st.cache_data(show_spinner=False)
def _numbers() -> dict[str, dict[str, float]]:
    return {erratum: {name: float(v) for name, v in found().items()} for erratum, found in NUMBERS.items()}


def notes(model: Model) -> None:
    """One entry an erratum: what the notes say, what is right, the number, the test. Then the papers."""
    st.header(t("ddpm_inside.notes"), anchor="notes")
    st.markdown(t("ddpm_inside.notes.about", file=TESTS_FILE))
    st.latex(model.card.formula)
    for erratum, values in _numbers().items():
        with st.container(border=True):
            st.markdown(
                f"**{erratum}** · "
                + t(f"ddpm_inside.note.{erratum}")
                + "\n\n:material/calculate: "
                + t(
                    f"ddpm_inside.note.{erratum}.number",
                    **{name: Printed(value) for name, value in values.items()},
                )
            )
            st.caption(f"`{TESTS[erratum]}`")
    lines = [
        f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'ddpm_inside.paper.{word}')}"
        for authors, title, year, number, word in PAPERS
    ]
    st.markdown("\n".join(lines))

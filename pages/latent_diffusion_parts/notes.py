"""What the study notes say of latent diffusion (E23, E24), our numbers, the tests that keep them, and the papers."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine.paint import Studio, steps_left
from app.figures.printed import percent
from app.text import t
from models.generative.schedule import named

PAPERS = (
    ("Rombach et al.", "High-Resolution Image Synthesis with Latent Diffusion Models", 2022, "2112.10752", "ldm"),
    ("Ho, Salimans", "Classifier-Free Diffusion Guidance", 2022, "2207.12598", "guidance"),
    ("Song, Meng, Ermon", "Denoising Diffusion Implicit Models", 2021, "2010.02502", "ddim"),
    ("Salimans, Ho", "Progressive Distillation for Fast Sampling of Diffusion Models", 2022, "2202.00512", "v"),
    ("Meng et al.", "SDEdit: Guided Image Synthesis and Editing with SDEs", 2022, "2108.01073", "sdedit"),
    ("Hertz et al.", "Prompt-to-Prompt Image Editing with Cross Attention Control", 2022, "2208.01626", "p2p"),
    ("Vaswani et al.", "Attention Is All You Need", 2017, "1706.03762", "attention"),
)  # fmt: skip
TESTS = {
    "E23": (
        "tests/models/test_schedule.py::test_E23_the_schedule_of_latent_diffusion_is_linear_in_the_root_of_beta",
        "tests/models/generative/test_latent_diffusion.py::test_E23_queries_come_from_the_picture_keys_from_the_words",
        "tests/models/generative/test_latent_diffusion.py::test_E23_guidance_1_is_the_conditional_model",
    ),
    "E24": (
        "tests/app/engine/test_paint.py::test_E24_img2img_denoises_int_strength_steps",
        "tests/app/engine/test_paint.py::test_E24_the_picture_is_no_input_of_the_net",
    ),
}


def alpha_bars() -> tuple[float, float]:
    """E23: what is left of the picture's variance at the end, betas linear in their root, and linear themselves."""
    straight = np.linspace(0.00085, 0.012, 1000)
    return float(named("scaled_linear").alpha_bar[-1]), float(np.prod(1 - straight))


def notes(studio: Studio) -> None:
    """The two entries, the score, the papers."""
    st.header(t("latent_diffusion.notes"), anchor="notes")
    for line in studio.unet.card.formula.split(r",\qquad "):  # on a phone they do not fit side by side
        st.latex(line)
    root, straight = alpha_bars()
    with st.container(border=True):
        st.markdown(
            t(
                "latent_diffusion.note.E23",
                root=f"{root:.7f}",
                straight=f"{straight:.7f}",
                scale=f"{studio.scale:.4g}",
                dim=int(studio.text.config["channels"]),
            )
        )
        st.caption(" · ".join(f"`{name}`" for name in TESTS["E23"]))
    with st.container(border=True):
        st.markdown(
            t("latent_diffusion.note.E24", left=steps_left(0.75, 50), none=steps_left(0.0, 50), steps=50)
        )
        st.caption(" · ".join(f"`{name}`" for name in TESTS["E24"]))
    _scores(studio)
    st.markdown(
        "\n".join(
            f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'latent_diffusion.paper.{word}')}"
            for authors, title, year, number, word in PAPERS
        )
    )


def _scores(studio: Studio) -> None:
    """What was measured after training, where the report says it."""
    score = studio.unet.report.get("score")
    if not score:
        return
    unseen = score["colours"]["pairs_never_seen_in_training"]
    st.markdown(
        t(
            "latent_diffusion.notes.score",
            share=percent(score["agrees_of_20"]),
            samples=score["samples"],
            english=percent(score["agrees_of_20_english"]),
            chinese=percent(score["agrees_of_20_chinese"]),
            ceiling=percent(score["ceiling"]["unseen_style_through_the_vae"]),
            both=percent(unseen["both"]),
        )
    )

"""What the text encoder makes of the words: who reads whom, and which words mean nearly the same to it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import run
from app.engine.paint import Studio, read
from app.figures.charts import bars, responsive
from app.figures.colour import colormap
from app.figures.ddpm import enlarge
from app.figures.ddpm_inside import Cell, gallery
from app.figures.printed import Printed, percent
from app.text import t
from app.widgets import state
from app.widgets.inside import drawing
from models.generative.words import SPECIAL
from pages.latent_diffusion_parts.run import key_of
from pages.latent_diffusion_parts.view import Scene, piece_words
from pages.latent_diffusion_parts.weigh import choose_word

TEXT_LAYER = state.Param("text_layer", 0, state.parse_whole(0, 15), str)
NEAREST = 10
AT_ONCE = 128  # words through the encoder together


def language_view(scene: Scene) -> None:
    """The heads of one layer, one word's row, and its nearest words."""
    studio, pieces = scene.studio, scene.pieces
    st.markdown(t("latent_diffusion.language.about", count=len(studio.words) - len(SPECIAL)))
    layers = list(range(int(studio.text.config["layers"])))
    left, right = st.columns(2, gap="large")
    with left:
        layer = st.segmented_control(
            t("latent_diffusion.language.layer"),
            layers,
            format_func=str,
            required=True,
            **state.bind(TEXT_LAYER, allowed=layers),
        )
    with right:
        word = choose_word(scene, "language")
    layer = layer or 0
    tokens = read(studio, [scene.text])[0].numbers[None]
    name = f"layer.{layer}.attention.weights"
    weights = run(studio.text, {"tokens": tokens}, [name]).taps[name][0][:, : len(pieces), : len(pieces)]
    cells = [
        Cell(
            enlarge(colormap(head, "sequential", (0.0, 1.0))[..., :3], 12),
            t("latent_diffusion.language.head", n=h),
            t("latent_diffusion.language.head.alt", n=h, words=", ".join(map(piece_words, pieces))),
        )
        for h, head in enumerate(weights)
    ]
    st.html(gallery(cells, t("latent_diffusion.language.heads"), most=160, columns=4))
    st.caption(t("latent_diffusion.language.heads") + " " + scene.listed)
    one, two = st.columns(2, gap="large")
    with one:
        said = t("latent_diffusion.language.row", word=piece_words(pieces[word]))
        st.markdown(said)
        row = weights[:, word].mean(0)
        texts = [percent(float(share)) for share in row]
        _bars(row, [piece_words(piece) for piece in pieces], texts, said, "latent_diffusion.language.row")
    with two:
        said = t("latent_diffusion.language.near", word=piece_words(pieces[word]))
        st.markdown(said)
        if word == 0:
            st.caption(t("latent_diffusion.language.start"))
        else:
            names, likeness = nearest(studio, pieces[word])
            texts = [f"{Printed(cosine):.2f}" for cosine in likeness]
            _bars(likeness, names, texts, said, "latent_diffusion.language.near")


def _bars(values: np.ndarray, labels: list[str], texts: list[str], title: str, key: str) -> None:
    drawing(
        responsive(lambda width: bars(values, labels, title=title, texts=texts, width=width), wide=460), key
    )


@st.cache_data(max_entries=2, show_spinner=False)
def _alone(key: str, _studio: Studio) -> np.ndarray:
    words = list(_studio.words.numbers)[len(SPECIAL) :]
    tokens = np.stack([each.numbers for each in read(_studio, words)])
    parts = [
        run(_studio.text, {"tokens": tokens[first : first + AT_ONCE]}).output[:, 1]
        for first in range(0, len(tokens), AT_ONCE)
    ]
    return np.concatenate(parts)


def nearest(studio: Studio, piece: str) -> tuple[list[str], np.ndarray]:
    """The words whose vectors, each said alone, point most nearly the same way; and the cosines."""
    words = list(studio.words.numbers)[len(SPECIAL) :]
    vectors = _alone(key_of(studio), studio).astype(np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    cosine = vectors @ vectors[words.index(piece)]
    cosine[words.index(piece)] = -np.inf
    best = np.argsort(-cosine, kind="stable")[:NEAREST]
    return [words[i] for i in best], cosine[best]

"""What the sections of the VAE page share: the nets, encoding and decoding, the judge, held-out digits and their codes.

Pictures are float32 (N, 1, 28, 28) in [0, 1], white ink on black. A code is the encoder's mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.engine import Model, load, run
from app.engine.classify import softmax
from app.engine.latent import spherical
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.packing import content_id
from models.generative import elbo
from models.generative.digit_files import held_out_digits
from models.registry import MODELS

CARD = MODELS["vae_encoder"]
SIZES = ("16", "2")
SIZE = state.Param("size", "16", allowed=SIZES)
SURE = 0.8  # from this probability on the judge counts as sure; 95 % of real digits lie above
NONE = 0.2  # below this probability of the likeliest digit the judge sees none; 0.1 is chance
NETS = {"16": ("digits16", "ae16"), "2": ("digits2", "ae2")}
WHICH = state.Param("which", "a", allowed=("a", "b"))
LARGEST_SEED = 999_999


@dataclass(frozen=True, eq=False)
class Pair:
    """An encoder and its decoder, with what their training report says."""

    name: str
    encoder: Model
    decoder: Model

    @property
    def latent(self) -> int:
        return int(self.encoder.config["latent"])

    @property
    def key(self) -> str:
        return f"{self.encoder.key}|{self.decoder.key}"


def pair(name: str, engine: str) -> Pair:
    """Raises EngineError where the weights are not here."""
    return Pair(name, load("vae_encoder", name, engine), load("vae_decoder", name, engine))


@dataclass(frozen=True, eq=False)
class Code:
    """What the encoder says of N pictures: mean and log variance, each float32 (N, d). seconds: of the run."""

    mean: np.ndarray
    logvar: np.ndarray
    seconds: float = 0.0

    @property
    def sigma(self) -> np.ndarray:
        return np.exp(0.5 * self.logvar)


@st.cache_data(max_entries=128, show_spinner=False)
def _encoded(key: str, name: str, _model: Model, _x: np.ndarray) -> tuple[np.ndarray, float]:
    trace = run(_model, {"x": _x})
    return trace.output, trace.seconds


def encode(nets: Pair, x: np.ndarray) -> Code:
    """Pictures (N, 1, 28, 28) to their codes."""
    moments, seconds = _encoded(nets.encoder.key, content_id(x), nets.encoder, x)
    return Code(moments[:, 0], moments[:, 1], seconds)


@st.cache_data(max_entries=128, show_spinner=False)
def _decoded(key: str, name: str, _model: Model, _z: np.ndarray) -> np.ndarray:
    return run(_model, {"latent": _z}).output


def logits(nets: Pair, z: np.ndarray) -> np.ndarray:
    """Codes (N, d) to logits (N, 1, 28, 28)."""
    z = np.ascontiguousarray(z, np.float32)
    return _decoded(nets.decoder.key, content_id(z), nets.decoder, z)


def decode(nets: Pair, z: np.ndarray) -> np.ndarray:
    """Codes (N, d) to chances of white (N, 1, 28, 28)."""
    return sigmoid(logits(nets, z))


def sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)), float32, without overflow."""
    return (0.5 * (1 + np.tanh(0.5 * x))).astype(np.float32)


# ---------------------------------------------------------------- the judge


def judge(engine: str) -> Model:
    """The classifier that neither net knows. Raises EngineError where it is not here."""
    return load("digit_judge", "digits", engine)


@st.cache_data(max_entries=128, show_spinner=False)
def _read(key: str, name: str, _model: Model, _pictures: np.ndarray) -> np.ndarray:
    scaled = np.ascontiguousarray(2 * _pictures - 1, np.float32)
    return softmax(run(_model, {"image": scaled}).output.astype(np.float64))


def read(model: Model, pictures: np.ndarray) -> np.ndarray:
    """Pictures (N, 1, 28, 28) in [0, 1] to the judge's probabilities (N, 10)."""
    return _read(model.key, content_id(pictures), model, pictures)


def verdict(probabilities: np.ndarray) -> str:
    """ "7 · 96%"; "no digit" where all ten are near chance, as the judge was taught for such pictures."""
    if probabilities.max() < NONE:
        return t("vae.judge.none")
    return f"{int(probabilities.argmax())} · {percent(float(probabilities.max()))}"


# ---------------------------------------------------------------- held-out digits


def held() -> tuple[np.ndarray, np.ndarray]:
    """Held-out digits as the nets read them, and their labels (N,)."""
    pictures, labels = held_out_digits()
    return pictures[:, None].astype(np.float32) / 255.0, labels


@st.cache_data(max_entries=8, show_spinner=False)
def _held_codes(key: str, _nets: Pair) -> tuple[np.ndarray, np.ndarray]:
    moments = run(_nets.encoder, {"x": held()[0]}).output
    return moments[:, 0], moments[:, 1]


def held_codes(nets: Pair) -> Code:
    """Codes of all held-out digits, computed once for each pair of nets."""
    return Code(*_held_codes(nets.key, nets))


# ---------------------------------------------------------------- ways between two codes


def straight(a: np.ndarray, b: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """(T, ...): (1 - share) a + share b at each of the shares (T,)."""
    return np.stack([elbo.lerp(a, b, float(share)) for share in shares])


def arc(a: np.ndarray, b: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """(T, d): the spherical way from code a to code b."""
    return spherical(a, b, shares)


# ---------------------------------------------------------------- the scene


@dataclass(frozen=True, eq=False)
class Scene:
    """A and B as the nets read them, (1, 1, 28, 28); what they are called; and the nets of the chosen size.

    which: the one of the two that the closer sections look at, "a" or "b", when the page ran.
    """

    a: np.ndarray
    b: np.ndarray
    names: tuple[str, str]
    engine: str
    vae: Pair
    ae: Pair
    judge: Model
    which: str = "a"

    @property
    def both(self) -> np.ndarray:
        return np.concatenate([self.a, self.b])

    @property
    def one(self) -> np.ndarray:
        """The picture that the closer sections look at."""
        return self.a if self.which == "a" else self.b


def choose_one(scene: Scene, suffix: str) -> None:
    """Which of the two a section looks at; one choice for all sections."""
    if state.get(WHICH) != scene.which:
        st.rerun()  # the whole page follows the choice, not this section alone
    st.segmented_control(
        t("vae.which"),
        ("a", "b"),
        required=True,
        format_func=lambda which: t(f"vae.{which}"),
        **state.bind(WHICH, suffix=suffix),
    )


# ---------------------------------------------------------------- words for numbers


def signed(value: float, places: int = 2) -> str:
    """A number with a true minus, no sign on a zero."""
    words = f"{value:.{places}f}"
    if not words.strip("-0."):
        words = words.lstrip("-")
    return words.replace("-", "−")

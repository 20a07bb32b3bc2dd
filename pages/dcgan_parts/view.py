"""What the sections of the DCGAN page share: the choices in the link, the nets, and the samples of a seed with scores.

Samples are numbered 0 … COUNT - 1. z of sample i depends on the seed and on i alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.engine import Model, load, run
from app.engine.classify import softmax
from app.figures.printed import percent
from app.widgets import state
from app.widgets.packing import content_id
from models.generative.dcgan_generator_card import SNAPSHOTS
from models.generative.schedule import noise
from models.registry import MODELS

CARD = MODELS["dcgan_generator"]
COUNT = 32  # samples on show
COLUMNS = 8
MOST_STOPS = 6  # of a walk
SURE = 0.8  # from this probability on the judge counts as sure; 95 % of real digits lie above
EDGE = 2  # black pixels that the GAN's pictures have around the judge's 28 x 28
LARGEST_SEED = 999_999


def parse_stops(raw: str) -> tuple[int, ...]:
    """ "0,9,17": numbers of samples, each once, at most MOST_STOPS. Raises ValueError."""
    found = tuple(int(part) for part in raw.split(",")) if raw else ()
    if len(found) > MOST_STOPS or len(set(found)) != len(found) or not all(0 <= i < COUNT for i in found):
        raise ValueError(raw)
    return found


def format_stops(stops: tuple[int, ...]) -> str:
    return ",".join(str(i) for i in stops)


SEED = state.Param("seed", 36, state.parse_whole(0, LARGEST_SEED), str)
CHOSEN = state.Param("one", 0, state.parse_whole(0, COUNT - 1), str)
STOPS: state.Param[tuple[int, ...]] = state.Param("walk", (0, 20), parse_stops, format_stops)
COORDINATE: state.Param[int | None] = state.Param(
    "z", None, lambda raw: state.parse_whole(0, 4095)(raw), lambda v: "" if v is None else str(v)
)


# ---------------------------------------------------------------- the nets


@dataclass(frozen=True, eq=False)
class Nets:
    """The generator, its discriminator, and the judge that reads digits; all on one engine."""

    generator: Model
    discriminator: Model
    judge: Model

    @property
    def latent(self) -> int:
        return int(self.generator.config["latent"])


def nets(engine: str) -> Nets:
    """Raises EngineError where one of them is not here."""
    return Nets(
        load("dcgan_generator", "digits", engine),
        load("dcgan_discriminator", "digits", engine),
        load("digit_judge", "digits", engine),
    )


def snapshot(engine: str, moment: str) -> Model:
    """The generator at one moment of its training. Raises EngineError where it is not here."""
    return load("dcgan_generator", moment, engine)


def moments() -> tuple[str, ...]:
    """Ids of the snapshots whose files are here, in the order of training."""
    return tuple(m for m in SNAPSHOTS if CARD.embedded_path(CARD.weights_by_id(m)).is_file())


# ---------------------------------------------------------------- from z to pictures and scores


def latents(seed: int, count: int, size: int) -> np.ndarray:
    """z (count, size) float32, standard normal. Row i depends on seed and i alone, as in the training's scores."""
    return np.stack([noise(seed, i, (size,)) for i in range(count)]).astype(np.float32)


@st.cache_data(max_entries=64, show_spinner=False)
def _painted(key: str, name: str, _model: Model, _z: np.ndarray) -> tuple[np.ndarray, float]:
    trace = run(_model, {"latent": _z})
    return trace.output, trace.seconds


def paint(generator: Model, z: np.ndarray) -> tuple[np.ndarray, float]:
    """z (N, latent) to pictures (N, 1, 32, 32) in [-1, 1], and the seconds that it took."""
    z = np.ascontiguousarray(z, np.float32)
    return _painted(generator.key, content_id(z), generator, z)


@st.cache_data(max_entries=64, show_spinner=False)
def _scored(key: str, name: str, _model: Model, _pictures: np.ndarray) -> np.ndarray:
    return run(_model, {"picture": _pictures}).output[:, 0]


def score(discriminator: Model, pictures: np.ndarray) -> np.ndarray:
    """Pictures (N, 1, 32, 32) to logits (N,); sigmoid of a logit is D."""
    return _scored(discriminator.key, content_id(pictures), discriminator, pictures)


def readings(judge: Model, pictures: np.ndarray) -> np.ndarray:
    """Pictures (N, 1, 32, 32) to the judge's probabilities (N, 10), not remembered; see `read`."""
    inner = np.ascontiguousarray(pictures[:, :, EDGE:-EDGE, EDGE:-EDGE])
    return softmax(run(judge, {"image": inner}).output.astype(np.float64))


@st.cache_data(max_entries=64, show_spinner=False)
def _read(key: str, name: str, _model: Model, _pictures: np.ndarray) -> np.ndarray:
    return readings(_model, _pictures)


def read(judge: Model, pictures: np.ndarray) -> np.ndarray:
    """Pictures (N, 1, 32, 32) to the judge's probabilities (N, 10); it sees the 28 x 28 in their middle."""
    return _read(judge.key, content_id(pictures), judge, pictures)


def digit_of(probabilities: np.ndarray) -> tuple[int, float]:
    """The likeliest digit and its probability."""
    digit = int(probabilities.argmax())
    return digit, float(probabilities[digit])


@dataclass(frozen=True, eq=False)
class Scene:
    """The samples of a seed: z (N, latent), pictures (N, 1, 32, 32), D's logits (N,), the judge's (N, 10)."""

    nets: Nets
    seed: int
    z: np.ndarray
    pictures: np.ndarray
    logits: np.ndarray
    readings: np.ndarray
    seconds: float

    @property
    def chosen(self) -> int:
        return state.get(CHOSEN)

    @property
    def stops(self) -> tuple[int, ...]:
        return state.get(STOPS)


def scene(found: Nets, seed: int) -> Scene:
    """Paint, score and read the samples of a seed (from memory where they were painted before)."""
    z = latents(seed, COUNT, found.latent)
    pictures, seconds = paint(found.generator, z)
    return Scene(
        found, seed, z, pictures, score(found.discriminator, pictures), read(found.judge, pictures), seconds
    )


# ---------------------------------------------------------------- words for numbers


def rounded(share: float) -> str:
    """A share of counted things: whole percent."""
    return percent(round(share, 2))

"""What the sections of the RealNVP page share: both nets, pictures on their way to z and back, bits, words for numbers.

A picture is uint8 (28, 28), white ink on black. x is the picture made continuous by noise and stretched by a logit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.engine import Cancel, Model, Progress, load, run
from app.engine.classify import softmax
from app.figures.realnvp_places import Layer, layers
from app.text import t
from app.widgets import state
from app.widgets.packing import content_id
from models.generative import flow
from models.generative.digit_files import held_out_digits
from models.registry import MODELS

CARD = MODELS["realnvp"]
SIDE = 28
LARGEST_SEED = 999_999
NOISE = state.Param("noise", 0, state.parse_whole(0, LARGEST_SEED), str)
LAYER = state.Param("layer", 6, state.parse_whole(0, 99), str)
SURE = 0.8  # from this probability on the judge counts as sure


@dataclass(frozen=True, eq=False)
class Nets:
    """The same weights both ways: x to z, and z to x. judge: a classifier that knows neither."""

    there: Model
    back: Model
    judge: Model

    @property
    def layers(self) -> tuple[Layer, ...]:
        return layers(self.there.config)


def nets(engine: str) -> Nets:
    """Raises EngineError where the weights are not here."""
    return Nets(
        load("realnvp", "digits", engine),
        load("realnvp_inverse", "digits", engine),
        load("digit_judge", "digits", engine),
    )


# ---------------------------------------------------------------- there and back


def noises(seed: int, count: int, shape: tuple[int, ...]) -> np.ndarray:
    """Uniform noise in [0, 1), (count, *shape); the n-th depends on the seed and on n alone."""
    return np.stack(
        [np.random.Generator(np.random.Philox(key=[seed, n])).random(shape) for n in range(count)]
    )


@st.cache_data(max_entries=24, show_spinner=False)
def _all(key: str, name: str, _model: Model, _inputs: Mapping[str, np.ndarray]) -> tuple:
    names = [spec.name for spec in _model.card.taps(_model.config)]
    trace = run(_model, dict(_inputs), names)
    return trace.output, dict(trace.taps), trace.seconds


def everything(model: Model, name: str, x: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray], float]:
    """One picture with all taps: output, taps, seconds. name: of the input."""
    output, taps, seconds = _all(model.key, content_id(x), model, {name: x})
    return output, taps, float(seconds)


@dataclass(frozen=True, eq=False)
class Passage:
    """One picture on its way to z, and back from that z by the other net.

    x, z, again: float32 (1, 1, 28, 28). slope: what making it continuous costs. taps, back_taps: of both nets.
    """

    grey: np.ndarray
    x: np.ndarray
    slope: float
    z: np.ndarray
    taps: Mapping[str, np.ndarray]
    again: np.ndarray
    back_taps: Mapping[str, np.ndarray]
    seconds: float

    @property
    def log_det(self) -> float:
        return float(self.taps["log_det"][0])

    @property
    def bits(self) -> float:
        return float(flow.bits_per_dim(self.z, self.taps["log_det"], np.array([self.slope]))[0])

    @property
    def error(self) -> float:
        """Largest difference of x and what came back."""
        return float(np.abs(self.again - self.x).max())

    @property
    def changed(self) -> int:
        """Pixels whose grey level did not come back."""
        return int((flow.shrink(self.again)[0, 0] != self.grey).sum())


def passage(found: Nets, grey: np.ndarray, seed: int) -> Passage:
    """There and back for one picture, with the noise of a seed."""
    x, slope = flow.stretch(grey[None, None], noises(seed, 1, (1, SIDE, SIDE)))
    z, taps, there = everything(found.there, "x", x)
    again, back_taps, back = everything(found.back, "z", z)
    return Passage(grey, x, float(slope[0]), z, taps, again, back_taps, there + back)


# ---------------------------------------------------------------- bits


def bits(model: Model, greys: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """Bits per dimension of pictures uint8 (N, 28, 28) made continuous by noise (N, 1, 28, 28), not remembered."""
    x, slope = flow.stretch(greys[:, None], noise)
    trace = run(model, {"x": x}, ["log_det"])
    return flow.bits_per_dim(trace.output, trace.taps["log_det"], slope)


@st.cache_data(max_entries=64, show_spinner=False)
def _bits(key: str, name: str, seed: int, _model: Model, _greys: np.ndarray) -> np.ndarray:
    return bits(_model, _greys, noises(seed, len(_greys), (1, SIDE, SIDE)))


def bits_of(model: Model, greys: np.ndarray, seed: int = 0) -> np.ndarray:
    """The same with the noises of a seed, one a picture; remembered."""
    greys = np.ascontiguousarray(greys)
    return _bits(model.key, content_id(greys), seed, model, greys)


def held_out_bits(model: Model, cancel: Cancel, block: int = 16) -> Iterator[Progress[np.ndarray]]:
    """Bits per dimension of every digit that no model was trained on."""
    greys, _ = held_out_digits()
    noise = noises(0, len(greys), (1, SIDE, SIDE))
    found: list[np.ndarray] = []
    for start in range(0, len(greys), block):
        yield Progress(start, len(greys))
        cancel.check()
        part = slice(start, start + block)
        found.append(bits(model, greys[part], noise[part]))
    yield Progress(len(greys), len(greys), result=np.concatenate(found))


# ---------------------------------------------------------------- from z to pictures


@st.cache_data(max_entries=48, show_spinner=False)
def _painted(key: str, name: str, _model: Model, _z: np.ndarray) -> np.ndarray:
    return flow.shrink(run(_model, {"z": _z}).output)[:, 0]


def paint(model: Model, z: np.ndarray) -> np.ndarray:
    """z (N, 1, 28, 28) to pictures uint8 (N, 28, 28)."""
    z = np.ascontiguousarray(z, np.float32)
    return _painted(model.key, content_id(z), model, z)


@st.cache_data(max_entries=48, show_spinner=False)
def _read(key: str, name: str, _model: Model, _greys: np.ndarray) -> np.ndarray:
    return softmax(
        run(_model, {"image": (_greys[:, None] / 127.5 - 1).astype(np.float32)}).output.astype(np.float64)
    )


def read(judge: Model, greys: np.ndarray) -> np.ndarray:
    """Pictures uint8 (N, 28, 28) to the judge's probabilities (N, 10)."""
    greys = np.ascontiguousarray(greys)
    return _read(judge.key, content_id(greys), judge, greys)


# ---------------------------------------------------------------- the scene, and words


@dataclass(frozen=True, eq=False)
class Scene:
    """The reader's picture on its way, what it is called, and the nets."""

    nets: Nets
    name: str
    passage: Passage


def choose_layer(scene: Scene, suffix: str) -> Layer:
    """Which coupling a section looks at; one choice for all sections."""
    found = scene.nets.layers
    index = st.select_slider(
        t("realnvp.layer"),
        range(len(found)),
        format_func=lambda i: str(i + 1),
        **state.bind(LAYER, suffix=suffix, allowed=range(len(found))),
    )
    return found[index]


def layer_words(layer: Layer) -> str:
    """ "7 · channels · 4 × 14 × 14"."""
    return t(
        "realnvp.layer.words",
        n=layer.index + 1,
        kind=t(f"realnvp.kind.{layer.kind}"),
        size=f"{layer.channels} × {layer.side} × {layer.side}",
    )


def signed(value: float, places: int = 2) -> str:
    """A number with a true minus, no sign on a zero."""
    words = f"{value:,.{places}f}"
    if not words.strip("-0.,"):
        words = words.lstrip("-")
    return words.replace("-", "−")

"""What an independent classifier reads in a picture: the judge of digits, trained on digits that no generator saw."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.engine import EngineError, Model, load, run
from app.engine.classify import softmax
from app.figures.ddpm import kept
from models.generative.digit_judge_card import CARD as JUDGE

SURE = (
    0.8  # belief in one digit: 95 % of real digits lie above, pictures of no digit below (the judge's report)
)
MOST = 48  # moments of a path that the judge is asked about


@dataclass(frozen=True)
class Verdict:
    """The judge's first choice, how sure it is of it, and the probability it gives to the class that was asked for."""

    digit: int
    probability: float
    asked: float

    @property
    def sure(self) -> bool:
        """Whether it takes the picture for a digit at all: noise and mixtures get a tenth for every class."""
        return self.probability >= SURE


def judge(engine: str) -> Model | None:
    """The judge, None where its weights are not on this machine."""
    try:
        return load(JUDGE.slug, JUDGE.weights[0].id, engine)
    except EngineError:
        return None


def probabilities(model: Model, pictures: np.ndarray) -> np.ndarray:
    """(N, 1, 28, 28) in [-1, 1] -> (N, 10)."""
    name = model.card.inputs[0].name
    clean = np.clip(np.nan_to_num(pictures), -1, 1).astype(np.float32)
    return softmax(run(model, {name: clean}).output)


def verdicts(model: Model, pictures: np.ndarray, labels: tuple[int, ...]) -> list[Verdict]:
    """One a picture. Where no class was asked for (a label beyond the digits), `asked` is that of the first choice."""
    found = probabilities(model, pictures)
    best = found.argmax(1)
    return [
        Verdict(int(b), float(p[b]), float(p[label] if label < len(p) else p[b]))
        for p, b, label in zip(found, best, labels, strict=True)
    ]


@st.cache_data(max_entries=24, show_spinner=False)
def _along(
    name: str, _model: Model, _x0: np.ndarray, labels: tuple[int, ...]
) -> tuple[np.ndarray, np.ndarray]:
    steps = kept(len(_x0), MOST)
    shown = _x0[steps].reshape(-1, *_x0.shape[2:])
    table = probabilities(_model, shown).reshape(len(steps), _x0.shape[1], -1)
    last = [
        label if label < table.shape[-1] else int(table[-1, n].argmax()) for n, label in enumerate(labels)
    ]
    return steps, np.stack([table[:, n, label] for n, label in enumerate(last)])


def along(name: str, model: Model, x0: np.ndarray, labels: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """How sure the judge is of the asked digit (or of what came out) at frames of a path.

    x0: (S, N, 1, 28, 28), what was predicted at each frame. Returns the frames (K,) and probabilities (N, K).
    """
    return _along(name, model, x0, labels)

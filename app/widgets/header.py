"""The head of a page: what it is in one sentence, and badges that say what ran, where, with which weights.

Also the engine of this session: where both engines are installed a visitor may choose, unless VITRINE_ENGINE
has chosen for everybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from string import Formatter
from typing import Any

import streamlit as st

from app.engine import EngineError, Model, available_engines, default_engine, device_name
from app.figures.printed import Printed
from app.settings import settings
from app.text import catalogue, has, language, t
from app.widgets import state
from models.card import Card

_ENGINE = "vitrine.engine"
NAMES = {"torch": "PyTorch", "onnx": "ONNX Runtime"}


# -- the engine of this session --------------------------------------------------------------------------------


def current_engine() -> str:
    """The engine that this session's runs use: the visitor's choice, else the process's default.

    Raises EngineError where VITRINE_ENGINE names one that is not installed.
    """
    chosen = st.session_state.get(_ENGINE)
    if settings().engine or chosen not in available_engines():
        return default_engine()
    return str(chosen)


def engine_choice() -> None:
    """The engine-and-device badge, with a choice where there is one."""
    try:
        engine = current_engine()
        badge = Badge(NAMES[engine], t("badge.engine"), device_name(engine))
    except EngineError as error:
        st.error(t(error.reason, **error.details))
        return
    st.html(badges_html([badge]))
    installed = available_engines()
    if settings().engine or len(installed) < 2:
        return
    key = "vitrine.engine.widget"
    if st.session_state.get(key) != engine:
        st.session_state[key] = engine

    def take_over() -> None:
        if st.session_state.get(key):
            st.session_state[_ENGINE] = st.session_state[key]

    st.segmented_control(
        t("engine.choose"),
        installed,
        format_func=lambda name: NAMES[name],
        key=key,
        on_change=take_over,
        help=t("engine.choose.help"),
    )


# -- badges ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Badge:
    """One fact: its value, what it is of (read out, and shown small), and an optional second value."""

    value: str
    label: str
    more: str = ""


def badges_html(badges: list[Badge]) -> str:
    """A definition list; every value is escaped."""
    cells = "".join(
        f"<div><dt>{escape(badge.label)}</dt><dd>{escape(badge.value)}"
        + (f" <span>{escape(badge.more)}</span>" if badge.more else "")
        + "</dd></div>"
        for badge in badges
    )
    return f'<dl class="v-badges">{cells}</dl>'


def number(value: float) -> str:
    """11 689 512 → "11.7 M", 897 → "897"."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:g}"


def duration(seconds: float) -> str:
    """Seconds as a reader would say them: "38 ms", "2.4 s"."""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def score(slug: str, report: Mapping[str, Any]) -> str:
    """The measured score of a training report as a short text; "" where the report has none.

    The sentence is the message `<slug>.score`, its placeholders the entries of the report's "score"; or
    `<slug>.score.other`, for weights that are measured in another way.
    """
    values = report.get("score")
    if not isinstance(values, Mapping):
        return ""
    for key in (f"{slug}.score", f"{slug}.score.other"):
        if has(key) and placeholders(catalogue(language())[key]) <= set(values):
            return t(key, **{n: Printed(v) if isinstance(v, float) else v for n, v in values.items()})
    return ""


def placeholders(message: str) -> set[str]:
    """The names in braces of a message."""
    return {name for _, name, _, _ in Formatter().parse(message) if name}


def model_badges(model: Model, seconds: float | None = None) -> list[Badge]:
    """Engine and device, weights and their score, parameters, and the last run's time."""
    weights = t(f"{model.card.slug}.weights.{model.weights.id}")
    badges = [
        Badge(NAMES[model.engine], t("badge.engine"), model.device),
        Badge(weights, t("badge.weights"), score(model.card.slug, model.report)),
        Badge(number(model.card.parameters(model.config)), t("badge.parameters")),
    ]
    if seconds is not None:
        badges.append(Badge(duration(seconds), t("badge.run")))
    return badges


class Badges:
    """The place of the badges, filled when the model is there and again when it has run."""

    def __init__(self) -> None:
        self._place = st.empty()

    def show(self, model: Model, seconds: float | None = None) -> None:
        self.put(model_badges(model, seconds))

    def put(self, badges: list[Badge]) -> None:
        """Other badges than those of a model, for what was trained on the spot."""
        self._place.html(badges_html(badges))


def header(card: Card, sentence: str, title: str = "") -> Badges:
    """Title, the one sentence, paper and section of the notes; returns the place of the badges.

    title: of a page that shows several models, instead of the card's.
    """
    st.title(title or card.title, anchor=False)
    st.markdown(sentence)
    paper = card.paper
    st.caption(
        t(
            "header.paper",
            title=state.plain(paper.title),
            authors=state.plain(paper.authors),
            year=paper.year,
            url=paper.url,
            section=state.plain(card.section),
        )
    )
    return Badges()

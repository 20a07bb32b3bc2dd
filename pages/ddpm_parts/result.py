"""The result of the DDPM page: the path under one slider, what the judge reads, and whether a sample is a copy."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import Model
from app.figures import ddpm as draw
from app.figures.charts import responsive
from app.figures.plots import Line, lines
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.inside import drawing
from app.widgets.scrubber import Strip, scrubber
from pages.ddpm_parts.judge import Verdict, along, judge, verdicts
from pages.ddpm_parts.numbers import Near, Usual, neighbours, usual
from pages.ddpm_parts.view import (
    LOOK,
    STEP,
    Scene,
    class_name,
    classes,
    frame_now,
    is_digits,
    position_words,
    readouts,
)

COLOURS = ("accent", "second", "third", "faint")


@st.cache_data(max_entries=8, show_spinner=False)
def _strips(name: str, _scene: Scene) -> list[np.ndarray]:
    path = _scene.path
    x = draw.to_rgb(path.x)
    nothing = np.full_like(x[-1:], 127)  # the finished picture holds no noise any more
    return [
        x,
        np.concatenate([draw.to_rgb(path.x0), x[-1:]]),
        np.concatenate([draw.noise_rgb(path.epsilon), nothing]),
    ]


@st.cache_data(max_entries=32, show_spinner=False)
def _near(name: str, _samples: np.ndarray) -> list[Near]:
    return neighbours(_samples)


@st.cache_data(max_entries=32, show_spinner=False)
def _read(name: str, _reader: Model, _samples: np.ndarray, labels: tuple[int, ...]) -> list[Verdict]:
    return verdicts(_reader, _samples, labels)


def read(reader: Model, scene: Scene) -> list[Verdict]:
    """What the judge reads in the finished pictures."""
    return _read(f"{reader.key}-{scene.id}", reader, scene.path.samples, scene.labels)


def trajectory(scene: Scene) -> int:
    """The scrubber over the whole path; the frame that it shows, the finished picture being `scene.frames`."""
    names = ("x_t", "x_0", "epsilon")
    frames = _strips(scene.id, scene)
    scrubber(
        [Strip(n, t(f"ddpm.strip.{n}"), f) for n, f in zip(names, frames, strict=True)],
        "ddpm.path",
        readouts=readouts(scene),
        positions=position_words(scene),
        alt=t("ddpm.path.alt", count=scene.count),
        report=True,
        param=STEP,
        pick="sample" if scene.count > 1 else False,
        on_pick=lambda pick: state.put(LOOK, pick.sample),
        hint=t("ddpm.path.hint"),
    )
    return frame_now(scene)


def result(scene: Scene) -> int:
    """The path, the verdicts, the neighbours; returns the kept frame looked at (the last for a finished one)."""
    frame = trajectory(scene)
    reader = judge(scene.model.engine) if is_digits(scene.model) else None
    found = read(reader, scene) if reader else None
    near = _near(scene.id, scene.path.samples)
    wide, narrow = st.columns([3, 2], gap="large") if reader else (st.container(), st.container())
    with wide, st.container(key="v-ddpm-cards"):
        for n in range(scene.count):
            _card(scene, n, found[n] if found else None, near[n])
    with narrow:
        if reader is not None:
            _when(scene, reader, frame)
        _look(scene)
        st.caption(t("ddpm.limits.digits" if is_digits(scene.model) else "ddpm.limits.emoji"))
        if reader is not None:
            _about_judge(reader)
    return min(frame, scene.frames - 1)


def _about_judge(reader: Model) -> None:
    """How far the judge can be trusted."""
    measured = reader.report.get("score", {}).get("held_out", {})
    if "accuracy" in measured:
        right, count = float(measured["accuracy"]), int(measured.get("digits", 0))
        st.caption(t("ddpm.judge", percent=percent(right), count=count))


def _look(scene: Scene) -> None:
    """Which sample the sections below are about."""
    if scene.count > 1:
        st.segmented_control(
            t("ddpm.look"),
            list(range(scene.count)),
            format_func=lambda n: t("ddpm.sample", n=n + 1),
            required=True,
            help=t("ddpm.look.help"),
            **state.bind(LOOK, allowed=list(range(scene.count))),
        )


def _card(scene: Scene, n: int, verdict: Verdict | None, near: Near) -> None:
    """One sample: its picture beside the nearest training pictures, and two sentences."""
    shown = draw.to_rgb(scene.path.samples[n])
    asked = scene.labels[n]
    picture = draw.beside(shown, near.pictures)
    if verdict is None:
        said = t("ddpm.asked", asked=class_name(scene.model, asked))
    else:
        said = verdict_words(scene.model, verdict, asked)
    kind = asked if asked < classes(scene.model) else int(near.labels[0])
    ratio = [3, 4] if verdict is None else [5, 4]  # without a judge there is no chart beside
    left, right = st.columns(ratio, gap="medium", vertical_alignment="center")
    left.image(picture, alt=t("ddpm.near.alt", n=n + 1), width=picture.shape[1])
    right.markdown(f"{t('ddpm.sample.bold', n=n + 1)} {said}")
    right.caption(near_words(near, usual(shown_colours(scene), kind)))


def shown_colours(scene: Scene) -> int:
    """Channels of the pictures: 1 for digits, 3 for emoji."""
    return int(scene.path.x.shape[2])


def verdict_words(model: Model, verdict: Verdict, asked: int) -> str:
    """What the judge reads, and whether that was asked for."""
    if not verdict.sure:
        key = "unsure"
    elif asked >= classes(model):
        key = "free"
    else:
        key = "agrees" if verdict.digit == asked else "differs"
    return t(
        f"ddpm.verdict.{key}",
        digit=verdict.digit,
        percent=percent(verdict.probability),
        asked=class_name(model, asked),
    )


def near_words(near: Near, real: Usual) -> str:
    """How far the nearest training picture is, against what is usual for real ones."""
    distance = float(near.distance[0])
    key = "copy" if distance < real.low else "usual" if distance <= 2 * real.median else "far"
    return t(
        f"ddpm.near.{key}",
        distance=f"{distance:.1f}",
        low=f"{real.low:.1f}",
        quarter=f"{real.quarter:.1f}",
        more=f"{real.three_quarters:.1f}",
    )


def _when(scene: Scene, reader: Model, frame: int) -> None:
    """At which step the judge begins to see the digit in the predicted picture."""
    steps, sure = along(f"{reader.key}-{scene.id}", reader, scene.path.x0, scene.labels)
    at = scene.path.step[steps] + 1
    series = [Line(t("ddpm.sample", n=n + 1), at, 100 * sure[n], COLOURS[n]) for n in range(scene.count)]
    st.markdown(t("ddpm.when"))
    drawing(
        responsive(
            lambda width: lines(
                series,
                title=t("ddpm.when.alt"),
                x_label=t("ddpm.when.x"),
                y_label=t("ddpm.when.y"),
                x_range=(1, max(2, scene.path.steps)),
                y_range=(0, 100),
                marked=float(scene.path.step[min(frame, scene.frames - 1)] + 1),
                width=width,
                height=250,
            )
        ),
        "ddpm.when",
    )

"""Noise schedules beside each other, and samplers beside each other, on the visitor's own sample."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from app.engine import Cancel, Model
from app.engine.diffuse import Request, sample, schedule_of
from app.figures import ddpm_inside as figures
from app.figures.charts import responsive
from app.figures.ddpm import to_rgb
from app.figures.plots import Line, lines
from app.figures.printed import significant, small
from app.text import t
from app.widgets import state
from app.widgets.inside import drawing
from app.widgets.progress import job, time_left
from models.generative.schedule import Schedule, snr
from pages.ddpm_parts.errata import drowned
from pages.ddpm_parts.judge import judge, verdicts
from pages.ddpm_parts.moment import Moment
from pages.ddpm_parts.view import Scene, is_digits, name_of, seconds_for

# ---------------------------------------------------------------- schedules

CURVES = ("alpha_bar", "beta", "snr")
CURVE: state.Param[str] = state.Param("curve", CURVES[0], allowed=CURVES)


def schedules_shown(steps: int) -> dict[str, Schedule]:
    """The two in use, and the one of the notes (E13)."""
    return {
        "linear": Schedule.linear(steps),
        "cosine": Schedule.cosine(steps),
        "notes": Schedule.linear(steps, end=0.002),
    }


COLOURS = {"linear": "accent", "cosine": "third", "notes": "second"}


def schedules(scene: Scene, m: Moment) -> None:
    """alpha-bar, beta and signal-to-noise of three schedules, and the sample under each of them."""
    st.subheader(t("ddpm_inside.schedule"), anchor=False)
    own = schedule_of(m.model)
    st.markdown(t("ddpm_inside.schedule.about", name=t(f"ddpm_inside.schedule.{own.name}")))
    curve = st.segmented_control(
        t("ddpm_inside.schedule.curve"),
        CURVES,
        required=True,
        format_func=lambda c: t(f"ddpm_inside.schedule.{c}"),
        **state.bind(CURVE),
    )
    shown = schedules_shown(own.steps)
    at = np.linspace(1, own.steps, min(own.steps, 251)).round().astype(int)  # enough for a smooth line
    values = {
        name: {"alpha_bar": one.alpha_bar, "beta": one.beta, "snr": snr(one.alpha_bar)}[curve or CURVES[0]]
        for name, one in shown.items()
    }
    series = [
        Line(t(f"ddpm_inside.schedule.{name}"), at, y[at - 1], COLOURS[name], dashed=name == "notes")
        for name, y in values.items()
    ]
    drawing(
        responsive(
            lambda width: lines(
                series,
                title=t(f"ddpm_inside.schedule.{curve}"),
                x_label="t",
                x_range=(1, own.steps),
                y_range=(0.0, 1.0) if curve == "alpha_bar" else None,
                log_y=curve != "alpha_bar",
                marked=float(m.shown_t),
                width=width,
                height=270,
            ),
            wide=760,
        ),
        "ddpm_inside:schedules",
    )
    st.caption(
        t("ddpm_inside.schedule.here", t=m.shown_t)
        + " "
        + t("ddpm_inside.join").join(
            f"{t(f'ddpm_inside.schedule.{name}')} {significant(float(y[m.t]))}" for name, y in values.items()
        )
    )
    clean = np.clip(scene.path.samples[m.sample], -1, 1)
    cells = []
    for when in sorted({m.t, own.steps - 1}):
        for name, one in shown.items():
            words = t(
                "ddpm_inside.schedule.cell",
                name=t(f"ddpm_inside.schedule.{name}"),
                t=when + 1,
                signal=f"{100 * float(np.sqrt(one.alpha_bar[when])):.1f}",
            )
            cells.append(
                figures.Cell(to_rgb(drowned(clean, when, one)), words, words, strong=name == own.name)
            )
    st.html(figures.gallery(cells, t("ddpm_inside.schedule.cells"), most=150, columns=3))
    end = {name: float(one.alpha_bar[-1]) for name, one in shown.items()}
    st.markdown(
        t(
            "ddpm_inside.schedule.says",
            linear=small(end["linear"]),
            notes=f"{end['notes']:.4f}",
            signal=f"{100 * end['notes'] ** 0.5:.0f}",
        )
    )


# ---------------------------------------------------------------- samplers

COUNTS = (5, 10, 25, 50, 100)
KINDS: tuple[tuple[str, dict[str, object]], ...] = (
    ("ddim0", dict(sampler="ddim", eta=0.0)),
    ("ddim1", dict(sampler="ddim", eta=1.0)),
    ("large", dict(sampler="ddpm", eta=0.0, variance="fixed_large")),
)


@dataclass(frozen=True)
class Series:
    """How far a series of runs is; at the end what came out of each, (N, C, H, W)."""

    done: int
    total: int
    eta: float | None
    result: np.ndarray | None = None


def ends_of(model: Model, requests: Sequence[Request], cancel: Cancel | None = None) -> Iterator[Series]:
    """Run several requests of one sample each, one after the other."""
    steps = [r.steps - (0 if r.start is None else r.start.step) for r in requests]
    total, before, seconds = sum(steps), 0, 0.0
    found: list[np.ndarray] = []
    for request, count in zip(requests, steps, strict=True):
        spent = 0.0
        for item in sample(model, request, cancel):
            if item.result is not None:
                found.append(item.result.samples[0])
            done, spent = before + item.done, item.seconds
            eta = (seconds + spent) * (total - done) / done if done else None
            yield Series(done, total, eta, np.stack(found) if len(found) == len(requests) else None)
        before, seconds = before + count, seconds + spent


def requests_of(request: Request, n: int) -> list[Request]:
    """The same noise and class under every kind of sampler and number of steps."""
    index = request.index[n] if request.index else n
    alone = replace(request, labels=(request.labels[n],), index=(index,), start=None, skip_strength=None)
    return [replace(alone, steps=count, **how) for _, how in KINDS for count in COUNTS]  # type: ignore[arg-type]


def samplers(scene: Scene, m: Moment) -> None:
    """The visitor's sample from the same noise with DDIM, DDIM as random as DDPM, and the first paper's DDPM."""
    st.subheader(t("ddpm_inside.samplers"), anchor=False)
    st.markdown(t("ddpm_inside.samplers.about"))
    requests = requests_of(scene.request, m.sample)
    outcome = job(
        "ddpm_inside:samplers",
        name_of(scene.model, requests[0], "samplers"),
        lambda cancel: ends_of(scene.model, requests, cancel),
        text=lambda item: t("ddpm_inside.samplers.progress", done=item.done, total=item.total),
        autostart=False,
        button=t("ddpm_inside.samplers.button", runs=len(requests)),
        note=t(
            "ddpm_inside.samplers.note",
            steps=sum(r.steps for r in requests),
            time=time_left(sum(seconds_for(scene.model, r) for r in requests)),
        ),
    )
    if outcome.result is None:
        return
    found = outcome.result.reshape(len(KINDS), len(COUNTS), *outcome.result.shape[1:])
    reader = judge(scene.model.engine) if is_digits(scene.model) else None
    reads = None if reader is None else verdicts(reader, outcome.result, (m.label,) * len(outcome.result))
    for k, (kind, _) in enumerate(KINDS):
        st.markdown(t(f"ddpm_inside.samplers.{kind}"))
        cells = []
        for c, count in enumerate(COUNTS):
            words = t("ddpm_inside.samplers.steps", n=count)
            if reads is not None:
                verdict = reads[k * len(COUNTS) + c]
                words += " · " + t(
                    "ddpm_inside.samplers.reads", digit=verdict.digit, p=f"{100 * verdict.probability:.0f}"
                )
            cells.append(figures.Cell(to_rgb(found[k, c]), words, words))
        st.html(figures.gallery(cells, t(f"ddpm_inside.samplers.{kind}"), most=120, columns=len(COUNTS)))
    _how_alike(found)


def _how_alike(found: np.ndarray) -> None:
    """How far each number of steps ends from the longest run, by sampler."""
    series = []
    for k, (kind, _) in enumerate(KINDS):
        far = np.sqrt(((found[k, :-1] - found[k, -1]) ** 2).mean(axis=(1, 2, 3)))
        colour = ("accent", "third", "second")[k]
        series.append(Line(t(f"ddpm_inside.samplers.{kind}.short"), list(COUNTS[:-1]), far, colour))
    drawing(
        responsive(
            lambda width: lines(
                series,
                title=t("ddpm_inside.samplers.line", n=COUNTS[-1]),
                x_label=t("ddpm_inside.samplers.x"),
                y_label=t("ddpm_inside.samplers.y"),
                y_range=(0.0, max(0.5, max(float(line.y.max()) for line in series) * 1.05)),  # type: ignore[union-attr]
                width=width,
                height=220,
            ),
            wide=640,
        ),
        "ddpm_inside:samplers.line",
    )
    st.caption(t("ddpm_inside.samplers.says", n=COUNTS[-1]))

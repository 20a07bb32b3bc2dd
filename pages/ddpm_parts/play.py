"""Play with a path: weaken or cut skips from a step on, and see what guidance adds at the chosen step.

What the noise schedules and the samplers do is drawn by compare.py, below these two.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from app.engine import run
from app.engine.diffuse import Path, branch as forked, null_label, prediction_of
from app.figures import ddpm_inside as figures
from app.figures.charts import responsive
from app.figures.colour import colormap
from app.figures.ddpm import kept, noise_rgb, to_rgb
from app.figures.plots import Line, lines
from app.figures.printed import Printed, significant, small
from app.text import t
from app.widgets import state
from app.widgets.formula import factor, latex_number
from app.widgets.inside import drawing
from app.widgets.picture import Pick, last_pick, picture
from app.widgets.progress import job
from app.widgets.scrubber import Strip, scrubber
from models.generative.schedule import to_epsilon
from pages.ddpm_parts import sums
from pages.ddpm_parts.compare import ends_of, samplers, schedules
from pages.ddpm_parts.inside import block_names
from pages.ddpm_parts.judge import judge, verdicts
from pages.ddpm_parts.moment import Moment, moment_of
from pages.ddpm_parts.numbers import same_steps
from pages.ddpm_parts.result import verdict_words
from pages.ddpm_parts.run import with_labels
from pages.ddpm_parts.view import (
    Scene,
    class_name,
    classes,
    is_digits,
    name_of,
    position_words,
    run_path,
)

# ---------------------------------------------------------------- choices, kept in the link


def parse_skips(raw: str) -> list[int]:
    """ "1,3". Raises ValueError for what is not a list of small whole numbers."""
    found = sorted({int(part) for part in raw.split(",") if part})
    if any(not 0 <= index < 100 for index in found):
        raise ValueError(raw)
    return found


def format_skips(chosen: list[int]) -> str:
    return ",".join(str(index) for index in chosen)


STRENGTHS = (0.0, 0.25, 0.5, 0.75, 1.25, 1.5, 2.0)
SKIPS: state.Param[list[int]] = state.Param("skips", [], parse_skips, format_skips)
STRENGTH = state.Param("strength", 0.0, state.parse_number(0.0, 2.0), state.format_number, allowed=STRENGTHS)
FROM = state.Param("from", 30, state.parse_whole(0, 100), str)  # per cent of the path
SHOWN: state.Param[str] = state.Param("shown", "x_0", allowed=("x_0", "x_t"))
ASKED = state.Param("asked", -1, state.parse_whole(-1, 999), str)  # -1: as the path
AMOUNT = state.Param("g", -1.0, state.parse_number(-1.0, 10.0), state.format_number)  # -1: as the path
PIXEL: state.Param[Pick | None] = state.Param("pixel", None, state.parse_pick, state.format_pick)


def play(scene: Scene, frame: int, sample: int) -> None:
    """Skips and guidance, then what schedules and samplers do."""
    m = moment_of(scene, frame, sample)
    st.header(t("ddpm_inside.play"), anchor="play")
    cut(scene, m)
    guidance(scene, m)
    schedules(scene, m)
    samplers(scene, m)


# ---------------------------------------------------------------- skips


def cut(scene: Scene, m: Moment) -> None:
    """Weaken skips from a step on, and follow both paths under one slider."""
    st.subheader(t("ddpm_inside.cut"), anchor=False)
    st.markdown(t("ddpm_inside.cut.about"))
    sources = sums.skip_sources(m.model.config)
    labels, notes = block_names(m)
    legal = list(range(len(sources)))
    chosen = [index for index in state.get(SKIPS) if index in legal]
    if chosen != state.get(SKIPS):
        state.put(SKIPS, chosen)
    st.pills(
        t("ddpm_inside.cut.skips"),
        legal,
        selection_mode="multi",
        format_func=lambda i: t("ddpm_inside.cut.skip", n=i, shape=notes[sources[i]]),
        **state.bind(SKIPS),
    )
    left, right = st.columns(2, gap="medium")
    with left:
        st.select_slider(
            t("ddpm_inside.cut.strength"),
            STRENGTHS,
            format_func=lambda v: t("ddpm_inside.cut.off") if v == 0 else f"× {v:g}",
            **state.bind(STRENGTH),
        )
    with right:
        st.slider(t("ddpm_inside.cut.from"), 0, 95, step=5, format="%d %%", **state.bind(FROM))
    fork = round(state.get(FROM) / 100 * (scene.frames - 1))
    st.caption(
        t(
            "ddpm_inside.cut.where",
            step=int(scene.path.step[fork]) + 1,
            steps=scene.path.steps,
            t=scene.shown_t(fork),
            n=m.sample + 1,
        )
    )
    if chosen:
        strength = float(state.get(STRENGTH))
        strengths = tuple(strength if i in chosen else 1.0 for i in legal)
        request = forked(scene.request, scene.path, fork, [m.sample], skip_strength=strengths)
        name = name_of(scene.model, request, scene.id, fork)
        path = run_path("ddpm_inside:cut", name, scene.model, request)
        if path is not None:
            _both(scene, m, path, fork)
    else:
        st.info(t("ddpm_inside.cut.none"), icon=":material/touch_app:")
    _each(scene, m, fork)


def _both(scene: Scene, m: Moment, other: Path, fork: int) -> None:
    """The untouched path and the changed one, their difference at each step, and what the judge reads at the ends."""
    path, s = scene.path, slice(m.sample, m.sample + 1)
    match = same_steps(path.t[fork:], other.t)
    shown = st.segmented_control(
        t("ddpm_inside.cut.show"),
        ("x_0", "x_t"),
        required=True,
        format_func=lambda v: t(f"ddpm.strip.{v}"),
        **state.bind(SHOWN),
    )
    if shown == "x_t":
        before = path.x[:, s]
        after = np.concatenate([path.x[:fork, s], other.x[:-1][match], other.x[-1:]])
    else:
        before = np.concatenate([path.x0[:, s], path.x[-1:, s]])
        after = np.concatenate([path.x0[:fork, s], other.x0[match], other.x[-1:]])
    gap = figures.rms_by_step(before[:, 0], after[:, 0])
    scrubber(
        [
            Strip("untouched", t("ddpm_inside.cut.untouched"), to_rgb(before[:, 0])),
            Strip("changed", t("ddpm_inside.cut.changed"), to_rgb(after[:, 0])),
        ],
        "ddpm_inside:cut.path",
        readouts={
            "t": [str(scene.shown_t(f)) for f in range(scene.frames + 1)],
            t("ddpm_inside.cut.gap"): [significant(float(g)) for g in gap],
        },
        positions=position_words(scene),
        alt=t("ddpm_inside.cut.alt"),
        compare=("untouched", "changed"),
        marks={fork: t("ddpm_inside.cut.mark")},
        curve=(t("ddpm_inside.cut.gap"), gap.tolist()),
        hint=t("ddpm_inside.cut.hint"),
    )
    ends = {"untouched": path.x[-1, s], "changed": other.samples}
    reader = judge(scene.model.engine) if is_digits(scene.model) else None
    if reader is not None:
        for which, pictures in ends.items():
            found = verdicts(reader, pictures, (m.label,))[0]
            says = verdict_words(scene.model, found, m.label)
            st.markdown(t("ddpm_inside.cut.end", which=t(f"ddpm_inside.cut.{which}"), says=says))
    st.caption(t("ddpm_inside.cut.says", gap=f"{float(gap[-1]):.3f}"))


def _each(scene: Scene, m: Moment, fork: int) -> None:
    """Every skip cut alone from the same step on: a run each, on demand."""
    with st.expander(t("ddpm_inside.each"), key="ddpm_inside:each", on_change="rerun") as box:
        if not box.open:
            return
        sources = sums.skip_sources(m.model.config)
        _, notes = block_names(m)
        requests = [
            forked(
                scene.request,
                scene.path,
                fork,
                [m.sample],
                skip_strength=tuple(0.0 if i == k else 1.0 for i in range(len(sources))),
            )
            for k in range(len(sources))
        ]
        name = name_of(scene.model, replace(requests[0], skip_strength=None), scene.id, fork, "each")
        outcome = job("ddpm_inside:each", name, lambda cancel: ends_of(scene.model, requests, cancel))
        if outcome.result is None:
            return
        whole = scene.path.x[-1, m.sample]
        reader = judge(scene.model.engine) if is_digits(scene.model) else None
        reads = (
            None
            if reader is None
            else verdicts(
                reader, np.concatenate([whole[None], outcome.result]), (m.label,) * (len(sources) + 1)
            )
        )
        cells = []
        for k, picture_ in enumerate([whole, *outcome.result]):
            words = (
                t("ddpm_inside.each.whole")
                if k == 0
                else t("ddpm_inside.cut.skip", n=k - 1, shape=notes[sources[k - 1]])
            )
            if k:
                gap = float(np.sqrt(((picture_ - whole) ** 2).mean()))
                words += " · " + t("ddpm_inside.each.gap", gap=f"{gap:.2f}")
            if reads is not None:
                words += " · " + t("ddpm_inside.each.reads", digit=reads[k].digit)
            cells.append(figures.Cell(to_rgb(picture_), words, words, strong=k == 0))
        st.html(figures.gallery(cells, t("ddpm_inside.each"), least=80))


# ---------------------------------------------------------------- guidance


def guidance(scene: Scene, m: Moment) -> None:
    """The same picture asked with and without a class, the difference, and what guidance makes of it."""
    st.subheader(t("ddpm_inside.guide"), anchor=False)
    st.markdown(t("ddpm_inside.guide.about"))
    null = null_label(m.model)
    own = m.label if m.label != null else 0
    legal = [-1, *range(classes(m.model))]
    left, right = st.columns(2, gap="medium")
    with left:
        asked = st.selectbox(
            t("ddpm_inside.guide.class"),
            legal,
            format_func=lambda y: (
                t("ddpm_inside.guide.same", name=class_name(m.model, own))
                if y < 0
                else class_name(m.model, y)
            ),
            **state.bind(ASKED, allowed=legal),
        )
    with right:
        amount = _amount(m)
    label = own if asked is None or asked < 0 else int(asked)
    x0, epsilon = with_labels(m, (null, label))
    apart = epsilon[1] - epsilon[0]
    guided, clean = epsilon[0] + amount * apart, x0[0] + amount * (x0[1] - x0[0])
    limit = max(float(np.abs(apart).max()), 1e-6)
    tilted = colormap(apart.mean(0), "diverging", (-limit, limit))[..., :3]
    name = state.plain(class_name(m.model, label))
    cleaner = (x0[1] - x0[0]).mean(0)
    reach = max(float(np.abs(cleaner).max()), 1e-6)
    rows = (
        ("none", noise_rgb(epsilon[0])),
        ("with", noise_rgb(epsilon[1])),
        ("difference", tilted),
        ("guided", noise_rgb(guided)),
        ("x0_none", to_rgb(x0[0])),
        ("x0_with", to_rgb(x0[1])),
        ("x0_difference", colormap(cleaner, "diverging", (-reach, reach))[..., :3]),
        ("x0_guided", to_rgb(clean)),
    )
    cells = []
    for which, image in rows:
        words = t(f"ddpm_inside.guide.{which}", name=name, g=f"{amount:g}")
        cells.append(figures.Cell(image, words, words, strong=which in ("guided", "x0_guided")))
    st.html(figures.gallery(cells, t("ddpm_inside.guide"), most=170, columns=4))
    one, two = st.columns(2, gap="large")
    with one:
        _pixel(m, epsilon, guided, amount, label, limit, tilted)
    with two:
        _guidance_by_step(scene, m, label)


def _amount(m: Moment) -> float:
    """How strong the guidance in the pictures is; at first that of the path."""
    return float(
        st.slider(
            t("ddpm_inside.guide.amount"),
            0.0,
            10.0,
            step=0.5,
            format="%g",
            **state.follow(AMOUNT, m.request.guidance),
        )
    )


def _pixel(
    m: Moment,
    epsilon: np.ndarray,
    guided: np.ndarray,
    amount: float,
    label: int,
    limit: float,
    tilted: np.ndarray,
) -> None:
    """The difference large; the picked pixel's three numbers, and the sampler's own where it used the same."""
    side = m.x.shape[-1]
    at = last_pick("ddpm_inside:guide", PIXEL, within=(side, side))
    if at is None:
        place = int(np.argmax(np.abs(epsilon[1] - epsilon[0]).mean(0)))
        at = place % side, place // side
    picture(
        tilted,
        "ddpm_inside:guide",
        t("ddpm_inside.guide.alt"),
        layer=to_rgb(m.x0[0]),
        layer_opacity=0.0,
        layer_label=t("ddpm_inside.over.x0"),
        pixelated=True,
        height=320,
        hint=t("ddpm_inside.guide.hint"),
        scale=("diverging", (-limit, limit)),
        param=PIXEL,
    )
    x, y = at
    without, with_class, made = (float(e[0, y, x]) for e in (epsilon[0], epsilon[1], guided))
    st.latex(
        r"\begin{aligned}\hat\epsilon&=\epsilon_\varnothing+g\,(\epsilon_y-\epsilon_\varnothing)\\&="
        rf"{latex_number(without)}\\&\quad+{amount:g}\,\big({latex_number(with_class)}-{factor(without)}\big)\\&="
        rf"{latex_number(made, 6)}\end{{aligned}}"
    )
    if amount == m.request.guidance and label == m.label:
        stored = float(m.epsilon[0, 0, y, x])
        st.caption(
            t(
                "ddpm_inside.guide.agreement",
                x=x,
                y=y,
                stored=f"{Printed(stored):.7g}",
                apart=small(abs(stored - made)),
            )
        )
    else:
        st.caption(t("ddpm_inside.guide.at", x=x, y=y))
    if len(guided) > 1:
        st.caption(t("ddpm_inside.guide.red"))


MOMENTS = 24  # of a path, at which the pull of the class is measured


@st.cache_data(max_entries=24, show_spinner=False)
def _pull(name: str, sample: int, label: int, _scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """Frames of a path and how large the class's part of the noise is there: rms of the difference over rms of it."""
    model, path = _scene.model, _scene.path
    frames = kept(len(path.t), MOMENTS)
    n, x, times = len(frames), path.x[frames, sample], path.t[frames].astype(np.int64)
    labels = np.repeat(np.array([null_label(model), label], np.int64), n)
    inputs = {"x": np.concatenate([x, x]), "timestep": np.tile(times, 2), "label": labels}
    output = run(model, inputs).output.astype(np.float64)
    level = np.tile(path.alpha_bar[frames], 2)[:, None, None, None]
    epsilon = to_epsilon(prediction_of(model), inputs["x"], output, level)
    apart = epsilon[n:] - epsilon[:n]
    axes = (1, 2, 3)
    return frames, np.sqrt((apart**2).mean(axes) / np.maximum((epsilon[:n] ** 2).mean(axes), 1e-12))


def _guidance_by_step(scene: Scene, m: Moment, label: int) -> None:
    """When on this path the class matters: the size of the difference at every step."""
    frames, share = _pull(scene.id, m.sample, label, scene)
    at = scene.path.step[frames] + 1
    peak = int(np.argmax(share))
    drawing(
        responsive(
            lambda width: lines(
                [Line(t("ddpm_inside.guide.share"), at, 100 * share)],
                title=t("ddpm_inside.guide.line"),
                x_label=t("ddpm_inside.guide.axis"),
                y_label="%",
                x_range=(1, max(2, scene.path.steps)),
                marked=float(scene.path.step[m.frame] + 1),
                width=width,
                height=240,
            ),
            wide=460,
        ),
        "ddpm_inside:guide.line",
    )
    st.caption(
        t(
            "ddpm_inside.guide.says",
            name=state.plain(class_name(m.model, label)),
            share=f"{100 * float(share[peak]):.0f}",
            step=int(at[peak]),
            t=scene.shown_t(int(frames[peak])),
        )
    )

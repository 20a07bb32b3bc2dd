"""A flow of the plane, trained while you watch: its density, its couplings one by one, and any point worked out."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import realnvp as draw
from app.figures.charts import responsive
from app.figures.graph import class_colours
from app.figures.overlay import Rect, Style
from app.figures.plots import Line, lines
from app.figures.printed import small
from app.figures.strokes import read_places
from app.text import t
from app.widgets import state
from app.widgets.draw import PLACES, draw_places
from app.widgets.formula import worked_sum
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.picture import picture
from app.widgets.progress import forget, job
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import film_files, take_away
from models.generative import flow2d
from pages.realnvp_parts import plane
from pages.realnvp_parts.plane import Film, Plan
from pages.realnvp_parts.view import signed

CLOUD = state.Param("cloud", "moons", allowed=plane.CLOUDS)
START = state.Param("start", 0, state.parse_whole(0, 999), str)
STEPS = state.Param("steps", plane.RUN, state.parse_whole(0, plane.MOST), str)
STATION = state.Param("station", 0, state.parse_whole(-1, 200), str)
SPOT = state.Param("spot", None, state.parse_pick, state.format_pick)
CANVAS, HELD = "realnvp.live.canvas", "realnvp.live.film"
JOB, STOPPED = "realnvp.live", "realnvp.live.stopped"  # STOPPED: the steps to go back to


def restart(steps: int = plane.RUN) -> None:
    """Another plan begins with a short training."""
    state.put(STEPS, steps)


def another() -> None:
    """Other first weights."""
    state.put(START, (state.get(START) + 1) % 1000)
    restart()


def live() -> None:
    """The whole section. Call it in the page's body: it runs a job."""
    st.header(t("realnvp.live.title"), anchor="live")
    st.markdown(t("realnvp.live.about"))
    _cloud()
    plan = Plan(state.get(CLOUD), read_places(state.get(PLACES)), state.get(START))
    stopped: int | None = st.session_state.pop(STOPPED, None)
    if stopped is not None:
        state.put(STEPS, stopped)
    steps = state.get(STEPS)
    buttons = st.container()
    before: Film | None = st.session_state.get(HELD)
    outcome = job(
        JOB,
        (plan, steps),
        lambda cancel: plane.train(plan, steps, before, cancel),
        text=lambda item: t("realnvp.live.progress", done=item.done, total=item.total),
    )
    if outcome.result is not None:
        st.session_state[HELD] = before = outcome.result
    with buttons:
        _buttons(steps, trained=before is not None and before.plan == plan)
    if before is None or before.plan != plan:
        return
    if outcome.state == "cancelled":  # what there was stays, also in the link
        forget(JOB, (plan, steps))
        st.session_state[STOPPED] = before.steps
        st.rerun()
    if stopped is not None:
        st.info(t("progress.cancelled"))
    _training(before)
    _couplings(before)
    _spot(before)


def _cloud() -> None:
    """Which points are learned; a canvas for one's own."""
    name = st.pills(
        t("realnvp.live.cloud"),
        plane.CLOUDS,
        required=True,
        wrap=True,
        format_func=lambda n: t(f"realnvp.live.cloud.{n}"),
        **state.bind(CLOUD, on_change=restart),
    )
    if name != "own":
        return
    draw_places(CANVAS, alt=t("realnvp.live.canvas"), on_change=restart)
    if not state.get(PLACES):
        st.caption(t("realnvp.live.own"))


def _buttons(steps: int, trained: bool) -> None:
    """trained: whether there is something to go on from; else a press would begin a longer training from nothing."""
    with st.container(horizontal=True, vertical_alignment="center", key="v-realnvp-live"):
        st.button(
            t("realnvp.live.more", steps=plane.RUN),
            key="realnvp.live.more",
            type="primary",
            disabled=steps >= plane.MOST or not trained,
            on_click=restart,
            args=(min(plane.MOST, steps + plane.RUN),),
            icon=":material/play_arrow:",
            help=t("realnvp.live.more.help", most=plane.MOST),
        )
        st.button(
            t("realnvp.live.another"), key="realnvp.live.another", on_click=another, icon=":material/casino:"
        )


def densities(film: Film) -> np.ndarray:
    """The density at every moment with the unseen points left out, (S, SIDE, SIDE, 3); one scale for all."""
    top = float(np.percentile(film.moments[-1].density, 99.5))
    return np.stack([draw.density(m.density, top) for m in film.moments])


@fragment
def _training(film: Film) -> None:
    """Every moment: the density, samples, the loss."""
    points = film.plan.points[:400]
    grounds = densities(film)
    data = draw.scattered(points, draw.DATA, plane.REACH)
    drawn = [draw.scattered(m.samples, draw.DRAWN, plane.REACH, ground=data) for m in film.moments]
    left, right = st.columns([3, 2], gap="large")
    with left:
        scrubber(
            [
                Strip("density", t("realnvp.live.strip.density"), grounds),
                Strip("samples", t("realnvp.live.strip.samples"), np.stack(drawn)),
            ],
            "realnvp.live.moments",
            readouts={t("realnvp.live.loss"): [signed(m.loss, 3) for m in film.moments]},
            positions=[t("realnvp.live.at", steps=m.steps) for m in film.moments],
            alt=t("realnvp.live.alt", cloud=t(f"realnvp.live.cloud.{film.plan.name}")),
            fps=6,
            pixelated=False,
            height=264,
        )
    with right:
        x = [m.steps for m in film.moments]
        drawing(
            responsive(
                lambda width: lines(
                    [Line(t("realnvp.live.loss"), x, [m.loss for m in film.moments])],
                    title=t("realnvp.live.chart"),
                    x_label=t("realnvp.live.x"),
                    width=width,
                ),
                wide=440,
            ),
            "realnvp.live.loss",
        )
    points = film.plan.unseen
    z, _ = flow2d.forward(film.state, points)
    error = float(np.abs(flow2d.inverse(film.state, z) - points).max())
    with st.container(horizontal=True, key="v-realnvp-live-numbers"):
        st.metric(
            t("realnvp.live.integral"),
            f"{plane.integral(film.state):.4f}",
            help=t("realnvp.live.integral.help"),
        )
        st.metric(t("realnvp.live.error"), small(error), help=t("realnvp.live.error.help", count=len(points)))
        st.metric(t("realnvp.live.loss"), signed(film.moments[-1].loss, 3), help=t("realnvp.live.loss.help"))
    stem = f"realnvp-plane-{film.plan.name}-{film.steps}"
    take_away(
        "realnvp.live.take", stem, png=lambda: grounds[-1], tensor=film.moments[-1].samples,
        axes=("point", "coordinate"), link=False,
    )  # fmt: skip
    if len(film.moments) > 1:
        film_files(
            "realnvp.live.save",
            stem,
            lambda: np.concatenate([grounds, np.stack(drawn)], axis=2),
            seconds=len(drawn) / 6,
        )


@fragment
def _couplings(film: Film) -> None:
    """Points and lines at every place between x and z."""
    st.subheader(t("realnvp.live.couplings.title"), anchor=False)
    st.markdown(t("realnvp.live.couplings.about", count=len(film.state.couplings)))
    data = film.plan.points[:400]
    middle = data - data.mean(0)
    angle = np.arctan2(middle[:, 1], middle[:, 0]) / (2 * np.pi) % 1
    colours = class_colours(8)[np.minimum((angle * 8).astype(np.int64), 7)]
    dots = plane.there(film.state, data)
    nets = plane.bent(film.state, plane.net_of_lines())
    noise = np.random.Generator(np.random.Philox(key=[9, 0])).standard_normal((400, 2)).astype(np.float32)
    samples = plane.back(film.state, noise)
    rings = plane.bent(film.state, plane.rings())
    count = len(film.state.couplings)
    names = [t("realnvp.at.x"), *(t("realnvp.at.k", n=k) for k in range(1, count)), t("realnvp.at.z")]
    positions = [
        names[i // plane.BETWEEN]
        if i % plane.BETWEEN == 0
        else t("realnvp.live.between", n=i // plane.BETWEEN + 1)
        for i in range(len(dots))
    ]
    scrubber(
        [
            Strip(
                "there",
                t("realnvp.live.strip.there"),
                np.stack(
                    [
                        draw.scattered(p, colours, plane.INNER, curves=n)
                        for p, n in zip(dots, nets, strict=True)
                    ]
                ),
            ),
            Strip(
                "back",
                t("realnvp.live.strip.back"),
                np.stack(
                    [
                        draw.scattered(p, draw.DRAWN, plane.INNER, curves=r)
                        for p, r in zip(samples, rings, strict=True)
                    ]
                ),
            ),
        ],
        "realnvp.live.couplings",
        positions=positions,
        alt=t("realnvp.live.couplings.alt"),
        fps=8,
        start=0,
        pixelated=False,
        height=330,
        param=STATION,
        hint=t("realnvp.live.couplings.hint"),
    )
    st.caption(t("realnvp.live.couplings.legend"))


@fragment
def _spot(film: Film) -> None:
    """A clicked place: its z, and its density as a sum."""
    st.subheader(t("realnvp.live.spot.title"), anchor=False)
    left, right = st.columns([2, 3], gap="large")
    side = draw.SIDE
    first = draw.places(film.plan.points[:1], plane.REACH, side)[0]
    pick = state.get(SPOT) or (int(first[0]), int(first[1]))
    pick = min(max(pick[0], 0), side - 1), min(max(pick[1], 0), side - 1)
    with left:
        picture(
            densities(film)[-1],
            "realnvp.spot",
            t("realnvp.live.spot.alt"),
            overlays=[Rect(x=pick[0] - 3, y=pick[1] - 3, width=7, height=7, style=Style(width=2.0))],
            show_pick=False,
            step=8,
            height=330,
            hint=t("realnvp.live.spot.hint"),
            on_pick=lambda found: state.put(SPOT, found),
        )
    x = np.array([[(pick[0] + 0.5) / side * 2 - 1, 1 - (pick[1] + 0.5) / side * 2]], np.float32) * np.float32(
        plane.REACH
    )
    passed = flow2d.passages(film.state, x)
    z, total = passed[-1][0][0], float(passed[-1][1][0])
    steps = np.diff([float(log_det[0]) for _, log_det in passed])
    prior = -0.5 * float((z.astype(np.float64) ** 2).sum()) - flow2d.LOG_2PI
    again = flow2d.inverse(film.state, passed[-1][0])[0]
    with right:
        st.markdown(
            t(
                "realnvp.live.spot.says",
                x=f"({signed(float(x[0, 0]))}, {signed(float(x[0, 1]))})",
                z=f"({signed(float(z[0]))}, {signed(float(z[1]))})",
                error=small(float(np.abs(again - x[0]).max())),
                density=f"{np.exp(prior + total):.3g}",
            )
        )
        worked_sum(
            [
                (r"\log\mathcal{N}(z;0,I)", prior, 1.0),
                (r"-2\log\sigma", -2 * float(np.log(film.state.spread)), 1.0),
                *((rf"s_{{{k + 1}}}", float(s), 1.0) for k, s in enumerate(steps)),
            ],
            0.0,
            float(flow2d.log_density(film.state, x)[0]),
            symbol=r"\log p(x)",
            shown=12,
            slack=8.0,
        )

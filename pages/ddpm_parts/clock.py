"""How the U-Net is told the time: the sinusoid of t, what it adds in each block, and what happens if it is lied to."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine.diffuse import null_label, schedule_of
from app.figures import ddpm_inside as figures
from app.figures.charts import responsive
from app.figures.colour import limits_of
from app.figures.ddpm import to_rgb
from app.figures.overlay import Rect, Style
from app.figures.plots import Line, lines
from app.figures.printed import small
from app.text import t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.inside import drawing
from app.widgets.picture import Pick, picture
from pages.ddpm_parts import sums
from pages.ddpm_parts.moment import Moment
from pages.ddpm_parts.run import taps_at, told
from pages.ddpm_parts.view import class_name

WIDE = 500  # columns of the pictures of all t
BLOCK: state.Param[str] = state.Param("adds", "mid.resnet.0")
CHANNEL = state.Param("channel", -1, state.parse_whole(-1, 4095), str)
OTHER_TIMES = (1, 150, 400, 700, 1000)  # as the paper counts


def times(steps: int) -> np.ndarray:
    """The t of each column: evenly from the first to the last."""
    return np.linspace(0, steps - 1, min(WIDE, steps)).round().astype(int)


def clock(m: Moment) -> None:
    """Three looks: the sinusoid of every t, what a block adds to its channels, the same picture told other times."""
    st.markdown(t("ddpm_inside.clock.about", t=m.shown_t, told=m.t))
    _sinusoid(m)
    _adds(m)
    _lies(m)


def _sinusoid(m: Moment) -> None:
    steps, channels = schedule_of(m.model).steps, m.model.config["block_out_channels"][0]
    values = sums.sinusoid(times(steps), channels)
    image = figures.clock_picture(values, max(4, 200 // channels))
    picture(
        image,
        "ddpm_inside:sinusoid",
        t("ddpm_inside.clock.alt", channels=channels, steps=steps, t=m.shown_t),
        overlays=figures.clock_mark(m.t, steps, image.shape[1], image.shape[0]),
        pixelated=True,
        pick=False,
        show_pick=False,
        height=320,
        hint="",
        scale=("diverging", (-1.0, 1.0)),
    )
    st.caption(t("ddpm_inside.clock.hint", steps=steps, half=channels // 2))


def block_words(m: Moment, name: str) -> str:
    """ "down 14 × 14", "middle, second", of a residual block."""
    side, level = m.x.shape[-1], 0
    for block, feed in sums.wiring(m.model.config).items():
        level += {"down": 1, "up": -1}.get(feed.kind, 0)
        if block == name:
            break
    same = [n for n in sums.resnets(m.model.config) if n.split(".")[:-1] == name.split(".")[:-1]]
    words = t(f"ddpm_inside.way.{name.split('.')[0]}", cells=side >> level)
    return words + (t("ddpm_inside.way.nth", n=same.index(name) + 1) if len(same) > 1 else "")


@st.cache_data(max_entries=32, show_spinner=False)
def _shifts(key: str, prefix: str, label: int, steps: int, channels: int, _m: Moment) -> np.ndarray:
    return sums.shifts(_m.model.state, prefix, times(steps), label, channels)


def _adds(m: Moment) -> None:
    """u(t) of one block: all channels over all t as a picture, one of them as a line, and its sum at this t."""
    st.subheader(t("ddpm_inside.adds"), anchor=False)
    st.markdown(t("ddpm_inside.adds.about"))
    names = sums.resnets(m.model.config)
    block = st.selectbox(
        t("ddpm_inside.adds.block"),
        names,
        format_func=lambda name: block_words(m, name),
        width=320,
        **state.bind(BLOCK, allowed=names),
    )
    steps, first = schedule_of(m.model).steps, m.model.config["block_out_channels"][0]
    prefix = sums.wiring(m.model.config)[block].prefix
    mine = _shifts(m.model.key, prefix, m.label, steps, first, m)  # (T, C)
    count = mine.shape[1]
    spread = np.ptp(mine, axis=0)
    channel = state.get(CHANNEL)
    channel = channel if 0 <= channel < count else int(np.argmax(spread))
    height = max(3, 256 // count)
    image = figures.clock_picture(mine, height)

    def picked(pick: Pick) -> None:
        state.put(CHANNEL, pick[1] // height)

    frame = Rect(x=0, y=channel * height, width=image.shape[1], height=height, style=Style(width=1.6))
    left, right = st.columns(2, gap="large")
    with left:
        picture(
            image,
            "ddpm_inside:adds",
            t("ddpm_inside.adds.alt", channels=count),
            overlays=[frame, *figures.clock_mark(m.t, steps, image.shape[1], image.shape[0])],
            pixelated=True,
            show_pick=False,
            step=height,
            height=260,
            hint=t("ddpm_inside.adds.hint", count=count),
            scale=("diverging", limits_of(mine, "diverging")),
            on_pick=picked,
        )
    with right:
        _one_channel(m, prefix, channel, mine)
    found = taps_at(m, ("embedding", f"{block}.shift"))
    _agreement(m, prefix, found[f"{block}.shift"][0], spread)
    with st.expander(t("ddpm_inside.adds.worked", channel=channel, t=m.shown_t)):
        made = sums.sum_of(m.model.state, m.model.config, found, f"{block}.shift", {"channel": channel}, m.x)
        assert made is not None
        worked_sum(
            made.terms, made.bias, made.expected, symbol=made.symbol, formula=made.formula, slack=made.slack
        )


def _one_channel(m: Moment, prefix: str, channel: int, mine: np.ndarray) -> None:
    """One channel's shift over t, for the asked class and for none."""
    steps, first = schedule_of(m.model).steps, m.model.config["block_out_channels"][0]
    null = null_label(m.model)
    at = times(steps) + 1
    series = [Line(class_name(m.model, m.label), at, mine[:, channel], "accent")]
    if m.label != null:
        none = _shifts(m.model.key, prefix, null, steps, first, m)
        series.append(Line(t("ddpm_inside.no_class"), at, none[:, channel], "second", dashed=True))
    drawing(
        responsive(
            lambda width: lines(
                series,
                title=t("ddpm_inside.adds.line", channel=channel),
                x_label="t",
                y_label=t("ddpm_inside.adds.y", channel=channel),
                x_range=(1, steps),
                marked=float(m.shown_t),
                width=width,
                height=230,
            ),
            wide=460,
        ),
        "ddpm_inside:adds.line",
    )


def _agreement(m: Moment, prefix: str, stored: np.ndarray, spread: np.ndarray) -> None:
    """The numbers of the picture are the net's own: compared at this t."""
    first = m.model.config["block_out_channels"][0]
    again = sums.shifts(m.model.state, prefix, m.t, m.label, first)
    st.caption(
        t(
            "ddpm_inside.adds.agreement",
            apart=small(float(np.abs(again - stored).max())),
            least=f"{float(spread.min()):.2f}",
            most=f"{float(spread.max()):.2f}",
        )
    )


def _lies(m: Moment) -> None:
    """The same noisy picture told other times: what the net then takes for the clean picture, and for noise."""
    st.subheader(t("ddpm_inside.lies"), anchor=False)
    st.markdown(t("ddpm_inside.lies.about"))
    steps = schedule_of(m.model).steps
    said = sorted({*(min(time, steps) for time in OTHER_TIMES), m.shown_t})
    x0, epsilon = told(m, [time - 1 for time in said])
    cells = [
        figures.Cell(
            to_rgb(m.x[0]), t("ddpm_inside.lies.x", t=m.shown_t), t("ddpm_inside.lies.x", t=m.shown_t)
        )
    ]
    for time, clean, noise in zip(said, x0, epsilon, strict=True):
        words = t(
            "ddpm_inside.lies.true" if time == m.shown_t else "ddpm_inside.lies.told",
            t=time,
            noise=f"{float(noise.std()):.2f}",
        )
        cells.append(figures.Cell(to_rgb(clean), words, words, strong=time == m.shown_t))
    st.html(figures.gallery(cells, t("ddpm_inside.lies"), least=80))
    st.caption(t("ddpm_inside.lies.reading"))

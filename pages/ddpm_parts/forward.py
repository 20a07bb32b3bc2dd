"""The forward process on a picture of one's own: any t at once in closed form, beside the walk of t single steps."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.assets.samples import DIGITS, EMOJI, PHOTOS
from app.engine import Model
from app.engine.diffuse import noise, schedule_of
from app.figures import ddpm as draw
from app.figures.charts import responsive
from app.figures.plots import Density, densities
from app.figures.printed import significant
from app.images import BadImage, Picture, resize
from app.text import t
from app.widgets import state
from app.widgets.image_input import Source, image_input
from app.widgets.inside import drawing
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import take_away
from models.generative.schedule import Schedule, named, snr
from pages.ddpm_parts.numbers import Chain, agreement, drawn, jump, jumps, walk

SIDE = 64  # pixels: large enough to know a face, small enough for a thousand steps at once
EVERY = 10  # steps between two frames of the film
FIRST = 150  # the t that is shown at first
KEY = "ddpm.forward.film"
SAMPLES = (
    *(s for s in PHOTOS if s.id == "chelsea"),
    *EMOJI[:2],
    *DIGITS,
    *(s for s in PHOTOS if s.id == "flower"),
)


# ---------------------------------------------------------------- which t


def grid_of(total: int, extra: int | None) -> list[int]:
    """The t of the film's frames, 0 (the picture itself) to T, and one more that was asked for."""
    return sorted({*range(0, total + 1, EVERY), *(() if extra is None else (extra,))})


state.known("t")


def at_param(grid: list[int], total: int) -> state.Param[int]:
    """The frame that is shown; in the link stands its t. A t between the frames means the nearest one."""

    def parse(raw: str) -> int:
        wanted = state.parse_whole(0, total)(raw)
        return min(range(len(grid)), key=lambda i: abs(grid[i] - wanted))

    first = min(range(len(grid)), key=lambda i: abs(grid[i] - FIRST))
    return state.Param("t", first, parse, lambda i: str(grid[min(i, len(grid) - 1)]))


def _grid(total: int) -> list[int]:
    """The grid of this session: it has the t that the link or the number box asked for."""
    shelf = "ddpm.forward.extra"
    if shelf not in st.session_state:
        try:
            st.session_state[shelf] = state.parse_whole(0, total)(st.query_params.get("t", "")[:20])
        except (ValueError, OverflowError):
            st.session_state[shelf] = None
    return grid_of(total, st.session_state[shelf])


def _jump_to(total: int, widget: str) -> None:
    """The number box has changed: its t becomes a frame of the film, and is shown."""
    value = st.session_state.get(widget)
    if value is None:
        return
    st.session_state["ddpm.forward.extra"] = int(value)
    grid = grid_of(total, int(value))
    state.put(at_param(grid, total), grid.index(int(value)))


# ---------------------------------------------------------------- the picture and its chain


def square(picture: Picture) -> np.ndarray:
    """The middle of a picture as the noise gets it: (3, SIDE, SIDE) float32 in [-1, 1]."""
    rgb = picture.flattened()
    height, width = rgb.shape[:2]
    side = min(height, width)
    top, left = (height - side) // 2, (width - side) // 2
    small = resize(rgb[top : top + side, left : left + side], (SIDE, SIDE), "lanczos")
    return np.asarray(small, np.float32).transpose(2, 0, 1) / 127.5 - 1


@st.cache_resource(max_entries=6, show_spinner=False)
def _walked(name: str, schedule: str, total: int, _x0: np.ndarray) -> Chain:
    return walk(named(schedule, total), _x0)


@st.cache_data(max_entries=6, show_spinner=False)
def _frames(
    name: str, schedule: str, grid: tuple[int, ...], _x0: np.ndarray, _chain: Chain
) -> list[np.ndarray]:
    """The film: closed form with one and the same noise at every t, and the walk."""
    s = named(schedule, len(_chain.first) - 1)
    one = noise(0, 0, _x0.shape)
    closed = np.stack([jump(s, _x0, at, one) for at in grid])
    return [draw.to_rgb(closed), draw.to_rgb(_chain.first[list(grid)])]


def forward(model: Model) -> None:
    """The section. Call it in a fragment of its own."""
    schedule = schedule_of(model)
    st.header(t("ddpm.forward"), anchor=False)
    st.markdown(t("ddpm.forward.about"))
    st.latex(r"x_t=\sqrt{\bar\alpha_t}\,x_0+\sqrt{1-\bar\alpha_t}\,\epsilon")
    left, right = st.columns([2, 3], gap="large")
    with left:
        source = image_input("ddpm.forward", SAMPLES, camera=False)
    try:
        x0 = square(source.picture)
    except BadImage as error:
        st.error(t(error.reason, **error.details))
        return
    with right:
        _film(schedule, source, x0)


def _film(schedule: Schedule, source: Source, x0: np.ndarray) -> None:
    """Both ways to x_t under one slider, then how well they agree at the t shown."""
    total = schedule.steps
    with st.spinner(t("ddpm.forward.walking"), show_time=False):
        chain = _walked(source.sha, schedule.name, total, x0)
    grid = _grid(total)
    param = at_param(grid, total)
    at = grid[min(state.get(param), len(grid) - 1)]
    _number_box(total, at)
    closed, stepwise = _frames(source.sha, schedule.name, tuple(grid), x0, chain)
    levels = [1.0 if g == 0 else float(schedule.alpha_bar[g - 1]) for g in grid]
    scrubber(
        [
            Strip("closed", t("ddpm.forward.closed"), closed),
            Strip("steps", t("ddpm.forward.steps"), stepwise),
        ],
        KEY,
        readouts={
            t("ddpm.read.alpha_bar"): [significant(level) for level in levels],
            t("ddpm.read.snr"): [significant(float(s)) for s in snr(np.array(levels))],
        },
        positions=[f"t = {g}" for g in grid],
        alt=t("ddpm.forward.alt"),
        report=True,
        param=param,
        hint=t("ddpm.forward.hint"),
    )
    _agreement(schedule, x0, chain, at)
    take_away(
        "ddpm.forward",
        f"ddpm-forward-t{at}",
        png=lambda: np.concatenate([draw.enlarge(f[grid.index(at)], 4) for f in (closed, stepwise)], axis=1),
        tensor=lambda: np.stack([jump(schedule, x0, at, noise(0, 0, x0.shape)), chain.first[at]]),
        axes=("closed_stepwise", "channel", "row", "column"),
    )


def _number_box(total: int, at: int) -> None:
    """Any t by its number."""
    widget = "ddpm.forward.t"
    if st.session_state.get(widget) != at:
        st.session_state[widget] = at
    st.number_input(
        t("ddpm.forward.jump", total=total), 0, total, step=1, key=widget, width=220,
        on_change=_jump_to, args=(total, widget),
    )  # fmt: skip


def _agreement(schedule: Schedule, x0: np.ndarray, chain: Chain, at: int) -> None:
    """The histograms of both ways at t, and the numbers that compare them."""
    if at == 0:
        st.caption(t("ddpm.forward.zero"))
        return
    closed = jumps(schedule, x0, at)
    found = agreement(chain, closed, at)
    drawing(
        responsive(
            lambda width: densities(
                [
                    Density(t("ddpm.forward.closed"), drawn(closed)[0], "third", filled=True),
                    Density(t("ddpm.forward.steps"), drawn(chain.counts[at])[0], "second"),
                ],
                drawn(closed)[1],
                title=t("ddpm.forward.histogram"),
                x_label=t("ddpm.forward.value"),
                width=width,
                height=190,
            )
        ),
        "ddpm.forward.histogram",
    )
    st.markdown(
        t(
            "ddpm.forward.agrees" if found.agrees else "ddpm.forward.apart",
            t=at,
            gap=f"{100 * found.gap:.2f}",
            chance=f"{100 * found.chance:.2f}",
            mean=f"{found.mean:+.3f}".replace("-", "−"),
            deviation=f"{found.deviation:.3f}",
            values=f"{chain.values:,}",
        )
    )

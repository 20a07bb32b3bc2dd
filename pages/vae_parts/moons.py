"""The notes' half moon and full moon, tried: trained on the two alone or on every phase; with noise or without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st

from app.engine import Cancel, Progress
from app.figures.charts import responsive
from app.figures.plots import Line, lines
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.progress import job
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import film_files, take_away
from models.generative import moons as tried
from models.generative.moons import Recipe

STEPS = 25
SHARES = np.linspace(0, 1, STEPS)
MIDDLE = STEPS // 2
NETS = {
    "ae_two": Recipe(phases=2, noisy=False),
    "vae_two": Recipe(phases=2, noisy=True),
    "ae_all": Recipe(phases=tried.PHASES, noisy=False),
    "vae_all": Recipe(phases=tried.PHASES, noisy=True),
}
COLOURS = {"ae_two": ("second", True), "vae_two": ("accent", True), "ae_all": ("second", False)} | {
    "vae_all": ("accent", False)
}
AT = state.Param("moon", MIDDLE, state.parse_whole(0, STEPS - 1), str)


@dataclass(frozen=True, eq=False)
class Skies:
    """By net: pictures (STEPS, SIDE, SIDE), the nearest moon's lit share (STEPS,) and how far off it is (STEPS,)."""

    pictures: dict[str, np.ndarray]
    lit: dict[str, np.ndarray]
    off: dict[str, np.ndarray]


@lru_cache(maxsize=len(NETS))
def way_of(recipe: Recipe) -> np.ndarray:
    """(STEPS, SIDE, SIDE): trained once a process: the same recipe gives the same net. Do not write into it."""
    return tried.way(tried.train(recipe), SHARES)


def trained(cancel: Cancel) -> Iterator[Progress[Skies]]:
    """Train all four, one after the other."""
    pictures, lit, off = {}, {}, {}
    for i, (name, recipe) in enumerate(NETS.items()):
        yield Progress(i, len(NETS))
        cancel.check()
        pictures[name] = way_of(recipe)
        lit[name], off[name] = tried.nearest_phase(pictures[name])
    yield Progress(len(NETS), len(NETS), result=Skies(pictures, lit, off))


def moons() -> None:
    """The section. Call it in the page's body: it runs a job."""
    st.header(t("vae.moons.title"), anchor="moons")
    st.markdown(t("vae.moons.about", phases=tried.PHASES))
    outcome = job(
        "vae.moons",
        tuple(NETS.values()),
        trained,
        text=lambda item: t("vae.moons.progress", done=item.done, total=item.total),
    )
    if outcome.result is not None:
        _shown(outcome.result)


@fragment
def _shown(found: Skies) -> None:
    """The way through the phases by each net."""
    names = {name: t(f"vae.moons.{name}") for name in NETS}
    strips = [Strip(name, names[name], found.pictures[name].astype(np.float32)) for name in NETS]
    scrub = scrubber(
        strips,
        "vae.moons.way",
        readouts={
            names[name]: [
                t("vae.moons.nearest", lit=percent(float(a)), off=f"{b:.2f}")
                for a, b in zip(found.lit[name], found.off[name], strict=True)
            ]
            for name in NETS
        },
        positions=[t("vae.moons.at", share=percent(s), lit=percent((1 + s) / 2)) for s in SHARES],
        alt=t("vae.moons.alt"),
        start=MIDDLE,
        report=True,
        marks={MIDDLE: t("vae.between.middle")},
        loop=True,
        height=180,
        param=AT,
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        drawing(
            responsive(lambda width: chart(found, names, float(SHARES[scrub.step]), width), wide=560),
            "vae.moons.chart",
        )
    with right:
        st.markdown(
            t(
                "vae.moons.says",
                **{name: f"{found.off[name].max():.2f}" for name in NETS},
                ae_lit=percent(float(found.lit["ae_all"][MIDDLE])),
                vae_lit=percent(float(found.lit["vae_all"][MIDDLE])),
            )
        )
    sheet = np.concatenate([strip.frames for strip in strips], axis=2)
    grey = (np.clip(sheet, 0, 1) * 255 + 0.5).astype(np.uint8)
    with st.container(horizontal=True, key="v-vae-moons-take"):
        take_away(
            "vae.moons.take",
            "vae-moons",
            png=lambda: grey[:: STEPS // 8].reshape(-1, grey.shape[2]).repeat(6, axis=0).repeat(6, axis=1),
            tensor=np.stack([found.pictures[name] for name in NETS]),
            axes=("net", "step", "row", "column"),
            link=False,
        )
        film_files("vae.moons.film", "vae-moons", lambda: grey.repeat(6, axis=1).repeat(6, axis=2), STEPS / 8)


def chart(found: Skies, names: dict[str, str], marked: float, width: int) -> str:
    """How far each net's picture is from the nearest real moon, along the way."""
    return lines(
        [Line(names[name], SHARES, found.off[name], *COLOURS[name]) for name in NETS],
        title=t("vae.moons.chart"),
        x_label=t("vae.moons.x"),
        y_label=t("vae.moons.y"),
        marked=marked,
        width=width,
    )

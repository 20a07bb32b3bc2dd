"""From A to B: four ways between the two pictures under one slider, and what many pairs of digits say of the middle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.figures import vae as draw
from app.figures.charts import bars, responsive
from app.figures.plots import Line, lines
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import film_files, take_away
from pages.vae_parts import view
from pages.vae_parts.view import Pair, Scene

STEPS = 33
SHARES = np.linspace(0, 1, STEPS)
AT = state.Param("at", STEPS // 2, state.parse_whole(0, STEPS - 1), str)
WAYS = ("vae_straight", "vae_arc", "ae_straight", "pixels")
COLOURS = {"vae_straight": "accent", "vae_arc": "third", "ae_straight": "second", "pixels": "faint"}
PAIRS = 400  # of held-out digits, of two different classes each
SEED = 4


@dataclass(frozen=True, eq=False)
class Ways:
    """pictures: by way, (STEPS, 1, 28, 28); readings: by way, (STEPS, 10); lengths: of the codes, by way, (STEPS,)."""

    pictures: dict[str, np.ndarray]
    readings: dict[str, np.ndarray]
    lengths: dict[str, np.ndarray]


def ways(scene: Scene) -> Ways:
    """All four ways from A to B."""
    codes: dict[str, tuple[Pair, np.ndarray]] = {}
    for name, nets in (("vae", scene.vae), ("ae", scene.ae)):
        a, b = view.encode(nets, scene.both).mean
        codes[f"{name}_straight"] = nets, view.straight(a, b, SHARES)
        if name == "vae":
            codes["vae_arc"] = nets, view.arc(a, b, SHARES)
    pictures = {way: view.decode(nets, z) for way, (nets, z) in codes.items()}
    pictures["pixels"] = view.straight(scene.a[0], scene.b[0], SHARES).astype(np.float32)
    return Ways(
        {way: pictures[way] for way in WAYS},
        {way: view.read(scene.judge, pictures[way]) for way in WAYS},
        {way: np.linalg.norm(z, axis=1) for way, (_, z) in codes.items()},
    )


@fragment
def between(scene: Scene) -> None:
    """The walk. The choice of the size of the code belongs to the whole page and stands above it."""
    found = ways(scene)
    names = {way: t(f"vae.way.{way}") for way in WAYS}
    readouts = {
        t("vae.between.judge", way=names[way]): [view.verdict(p) for p in found.readings[way]] for way in WAYS
    }
    readouts |= {
        t("vae.between.length", way=names[way]): [f"{v:.2f}" for v in found.lengths[way]]
        for way in ("vae_straight", "vae_arc")
    }
    strips = [Strip(way, names[way], draw.frames(found.pictures[way])) for way in WAYS]
    scrub = scrubber(
        strips,
        "vae.between",
        readouts=readouts,
        positions=[t("vae.between.share", a=percent(1 - s), b=percent(s)) for s in SHARES],
        alt=t("vae.between.alt"),
        start=STEPS // 2,
        report=True,
        marks={0: t("vae.a"), STEPS // 2: t("vae.between.middle"), STEPS - 1: t("vae.b")},
        loop=True,
        height=210,
        param=AT,
    )
    left, right = st.columns([3, 2], gap="large")
    with left:
        series = [Line(names[way], SHARES, found.readings[way].max(1), COLOURS[way]) for way in WAYS]
        drawing(
            responsive(
                lambda width: lines(
                    series,
                    title=t("vae.between.chart"),
                    x_label=t("vae.between.x"),
                    y_label=t("vae.between.y"),
                    y_range=(0.0, 1.0),
                    marked=float(SHARES[scrub.step]),
                    width=width,
                ),
                wide=560,
            ),
            "vae.between.chart",
        )
    with right:
        middle = STEPS // 2
        st.markdown(
            t(
                "vae.between.says",
                **{way: view.verdict(found.readings[way][middle]) for way in WAYS},
            )
        )
        if scene.vae.latent > 2:  # only in many dimensions do normal codes keep about one length
            st.markdown(
                t(
                    "vae.between.lengths",
                    straight=f"{found.lengths['vae_straight'][middle]:.2f}",
                    arc=f"{found.lengths['vae_arc'][middle]:.2f}",
                    usual=f"{np.linalg.norm(view.held_codes(scene.vae).mean, axis=1).mean():.2f}",
                )
            )
        st.caption(t("vae.between.ends"))
    stem = f"vae-{scene.vae.name}-walk"
    sheets = np.concatenate([strip.frames for strip in strips], axis=2)
    with st.container(horizontal=True, key="v-vae-between-take"):
        take_away(
            "vae.between.take",
            stem,
            png=lambda: contact(sheets),
            tensor=np.stack([found.pictures[way][:, 0] for way in WAYS]),
            axes=("way", "step", "row", "column"),
            link=False,
        )
        film_files("vae.between.film", stem, lambda: sheets.repeat(4, axis=1).repeat(4, axis=2), STEPS / 12)


def contact(frames: np.ndarray, most: int = 11) -> np.ndarray:
    """Some steps side by side, the ways under each other, enlarged. frames (STEPS, 28, 28 * ways, 3)."""
    chosen = np.linspace(0, len(frames) - 1, most).round().astype(int)
    columns = [np.concatenate(np.split(frames[i], len(WAYS), axis=1), axis=0) for i in chosen]
    return np.concatenate(columns, axis=1).repeat(4, axis=0).repeat(4, axis=1)


# ---------------------------------------------------------------- many pairs


@dataclass(frozen=True)
class Middles:
    """Shares of PAIRS pairs of held-out digits at whose middle the judge is sure; real: of the digits themselves."""

    vae_straight: float
    vae_arc: float
    ae_straight: float
    ae_arc: float
    pixels: float
    real: float
    grey_vae: float
    grey_ae: float


def pairs(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """PAIRS pairs of indices whose labels differ, always the same."""
    random = np.random.Generator(np.random.PCG64(SEED))
    a, b = random.integers(0, len(labels), (2, 4 * PAIRS))
    differ = np.flatnonzero(labels[a] != labels[b])[:PAIRS]
    return a[differ], b[differ]


@st.cache_data(max_entries=8, show_spinner=False)
def _middles(key: str, _scene: Scene) -> Middles:
    pictures, labels = view.held()
    a, b = pairs(labels)

    def sure(middle: np.ndarray) -> float:
        return float((view.read(_scene.judge, middle).max(1) >= view.SURE).mean())

    found, grey = {}, {}
    for name, nets in (("vae", _scene.vae), ("ae", _scene.ae)):
        codes = view.held_codes(nets).mean
        line = view.decode(nets, (codes[a] + codes[b]) / 2)
        bow = np.stack([view.arc(codes[i], codes[j], np.array(0.5)) for i, j in zip(a, b, strict=True)])
        found[f"{name}_straight"], found[f"{name}_arc"] = sure(line), sure(view.decode(nets, bow))
        grey[f"grey_{name}"] = float(((line > 0.2) & (line < 0.8)).mean())
    mixed = ((pictures[a] + pictures[b]) / 2).astype(np.float32)
    return Middles(**found, **grey, pixels=sure(mixed), real=sure(pictures))


def middles(scene: Scene) -> Middles:
    """Computed once for each pair of nets."""
    return _middles(f"{scene.vae.key}|{scene.ae.key}|{scene.judge.key}", scene)


def many(scene: Scene) -> None:
    """What one pair shows may be luck; four hundred are not."""
    st.subheader(t("vae.many.title", count=PAIRS), anchor=False)
    found = middles(scene)
    shown = ("vae_straight", "vae_arc", "ae_straight", "ae_arc", "pixels")
    values = [getattr(found, name) for name in shown]
    left, right = st.columns([3, 2], gap="large")
    with left:
        drawing(
            responsive(
                lambda width: bars(
                    values,
                    [t(f"vae.way.{name}.short") for name in shown],
                    title=t("vae.many.chart"),
                    width=width,
                    texts=[percent(v) for v in values],
                ),
                wide=560,
            ),
            "vae.many.chart",
        )
    with right:
        st.markdown(t("vae.many.about", count=PAIRS, sure=percent(view.SURE), real=percent(found.real)))
        better = "ae" if found.ae_straight > found.vae_straight else "vae"
        if scene.vae.latent == 2:  # both blur: the judge's doubts say nothing of the middle
            better = "two"
        values_of = {name: percent(getattr(found, name)) for name in shown}
        st.markdown(t(f"vae.many.{better}", **values_of))

"""How the generator learned: the same z through the snapshots of its training, and the numbers of each moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from app.engine import Cancel, Progress
from app.figures import dcgan as draw
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
from models.generative.dcgan_generator_card import SNAPSHOTS
from models.generative.gan_losses import sigmoid
from pages.dcgan_parts import view
from pages.dcgan_parts.view import Scene

SHOWN = 16  # samples a moment
ACROSS = 8
MOMENT = state.Param("moment", -1, state.parse_whole(-1, len(SNAPSHOTS) - 1), str)


@dataclass(frozen=True, eq=False)
class Past:
    """What the snapshots paint of the same z.

    pictures (moments, SHOWN, 1, 32, 32); d (moments,): mean D of the finished discriminator; sure (moments,): share
    of which the judge is sure; different (moments,): how many digits occur.
    """

    moments: tuple[str, ...]
    pictures: np.ndarray
    d: np.ndarray
    sure: np.ndarray
    different: np.ndarray


def relive(scene: Scene, engine: str, moments: Sequence[str], cancel: Cancel) -> Iterator[Progress[Past]]:
    """Paint the first SHOWN samples with every snapshot, one after the other."""
    from app.engine import run

    z, nets = scene.z[:SHOWN], scene.nets
    pictures = []
    for i, moment in enumerate(moments):
        yield Progress(i, len(moments))
        cancel.check()
        pictures.append(run(view.snapshot(engine, moment), {"latent": z}).output)
    flat = np.concatenate(pictures)
    shape = (len(moments), len(z))
    logits = run(nets.discriminator, {"picture": flat}).output[:, 0].reshape(shape)
    readings = view.readings(nets.judge, flat).reshape(*shape, -1)
    result = Past(
        tuple(moments),
        np.stack(pictures),
        sigmoid(logits).mean(axis=1),
        (readings.max(axis=-1) >= view.SURE).mean(axis=1),
        np.array([len(set(row.argmax(axis=-1))) for row in readings]),
    )
    yield Progress(len(moments), len(moments), result=result)


def noted(report: Mapping[str, Any], moments: Sequence[str]) -> list[Mapping[str, Any]]:
    """What the training report says of each moment, {} where it says nothing."""
    entries = report.get("snapshots")
    known = {e.get("id"): e for e in entries if isinstance(e, Mapping)} if isinstance(entries, list) else {}
    return [known.get(moment, {}) for moment in moments]


def number(entry: Mapping[str, Any], name: str) -> float:
    """A number of a report's entry, nan where there is none."""
    value = entry.get(name)
    return float(value) if isinstance(value, int | float) else float("nan")


def timeline(scene: Scene, engine: str) -> None:
    """The snapshots in the scrubber, and what was measured at each. Call it in the page's body: it runs a job."""
    st.header(t("dcgan.time.title"), anchor="time")
    st.markdown(t("dcgan.time.about", count=SHOWN, moments=len(view.moments())))
    moments = view.moments()
    if not moments:
        st.info(t("dcgan.time.none"))
        return
    keys = tuple(view.snapshot(engine, moment).key for moment in moments)
    outcome = job(
        "dcgan.time",
        (scene.seed, keys, scene.nets.discriminator.key),
        lambda cancel: relive(scene, engine, moments, cancel),
        text=lambda item: t("dcgan.time.progress", done=item.done, total=item.total),
    )
    if outcome.result is not None:
        _shown(scene, outcome.result)


@fragment
def _shown(scene: Scene, past: Past) -> None:
    """What a finished job is shown as; the scrubber's step reruns only this."""
    entries = noted(scene.nets.generator.report, past.moments)
    count = len(past.moments)
    steps = [number(entry, "step") for entry in entries]
    known = np.isfinite(steps).all()
    readouts = {
        t("dcgan.time.d"): [percent(float(v)) for v in past.d],
        t("dcgan.time.sure"): [view.rounded(float(v)) for v in past.sure],
        t("dcgan.time.different"): [str(v) for v in past.different],
    }
    for name in ("d_real", "d_fake"):
        values = [number(entry, name) for entry in entries]
        if np.isfinite(values).any():
            readouts[t(f"dcgan.time.{name}")] = [percent(v) if np.isfinite(v) else "–" for v in values]
    positions = [
        t("dcgan.time.at", step=f"{int(step):,}") if np.isfinite(step) else t("dcgan.time.moment", n=i + 1)
        for i, step in enumerate(steps)
    ]
    sheets = np.stack([draw.sheet(moment[:, 0], ACROSS).image for moment in past.pictures])
    left, right = st.columns([3, 2], gap="large")
    with left:
        scrub = scrubber(
            [Strip("samples", "", sheets)],
            "dcgan.time",
            readouts=readouts,
            positions=positions,
            alt=t("dcgan.time.alt"),
            fps=3,
            param=MOMENT,
            report=True,
            height=200,
        )
    with right:
        x = np.arange(1, count + 1)
        series = [
            Line(t("dcgan.time.sure"), x, past.sure, "accent"),
            Line(t("dcgan.time.d"), x, past.d, "faint"),
        ]
        for name, colour in (("d_real", "third"), ("d_fake", "second")):
            values = [number(entry, name) for entry in entries]
            if np.isfinite(values).any():
                series.append(Line(t(f"dcgan.time.{name}"), x, values, colour))
        drawing(
            responsive(
                lambda width: lines(
                    series,
                    title=t("dcgan.time.chart"),
                    x_label=t("dcgan.time.x"),
                    y_range=(0.0, 1.0),
                    marked=scrub.step + 1,
                    width=width,
                ),
                wide=460,
            ),
            "dcgan.time.chart",
        )
        st.caption(t("dcgan.time.numbers" if known else "dcgan.time.unnoted"))
        if past.d[0] > 0.5:
            st.caption(t("dcgan.time.forgot", d=percent(float(past.d[0]))))
    stem = f"dcgan-training-{scene.seed}"
    take_away(
        "dcgan.time.take",
        stem,
        png=lambda: np.concatenate(list(sheets), axis=0).repeat(2, axis=0).repeat(2, axis=1),
        tensor=np.stack([past.d, past.sure, past.different.astype(np.float64)], axis=1),
        axes=("moment", "number"),
        link=False,
    )
    film_files("dcgan.time.film", stem, lambda: sheets, seconds=count / 3)

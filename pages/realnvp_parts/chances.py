"""Exact bits per dimension: the reader's picture among digits, and what it costs to make grey levels continuous."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import realnvp as draw
from app.figures.charts import histogram, responsive
from app.figures.printed import percent
from app.text import t
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.picture import picture
from app.widgets.progress import job
from app.widgets.share import take_away
from pages.realnvp_parts import view
from pages.realnvp_parts.prior import drawn
from pages.realnvp_parts.view import Scene

NOISES = 48  # of the same picture


def strangers(grey: np.ndarray) -> dict[str, np.ndarray]:
    """Pictures that no digit is, and one that is hardly a picture: name to uint8 (28, 28)."""
    random = np.random.Generator(np.random.Philox(key=[11, 0]))
    return {
        "black": np.zeros_like(grey),
        "inverted": (255 - grey).astype(np.uint8),
        "noise": random.integers(0, 256, grey.shape).astype(np.uint8),
    }


def chances(scene: Scene) -> None:
    """Call it in the page's body: it runs a job."""
    st.header(t("realnvp.chances.title"), anchor="bits")
    st.markdown(t("realnvp.chances.about"))
    st.latex(
        r"\begin{aligned}\text{bits/dim}&=-\frac{\log p(v)}{784\,\ln 2}\\"
        r"\log p(v)&=\log\mathcal{N}(z;0,I)\\&+\textstyle\sum_k\log\lvert\det J_k\rvert\\"
        r"&+\textstyle\sum_i\log\lvert\mathrm{d}x_i/\mathrm{d}v_i\rvert\end{aligned}"
    )
    outcome = job(
        "realnvp.held",
        (scene.nets.there.key,),
        lambda cancel: view.held_out_bits(scene.nets.there, cancel),
        text=lambda item: t("realnvp.chances.progress", done=item.done, total=item.total),
    )
    if outcome.result is not None:
        _shown(scene, outcome.result)
    dequantisation(scene)


def _named(name: str, bits: float) -> tuple[str, float]:
    """What a mark says, and where it stands."""
    return t("realnvp.stranger.bits", name=name, bits=f"{bits:.2f}"), bits


def _shown(scene: Scene, held: np.ndarray) -> None:
    """The chart with its marks."""
    greys = strangers(scene.passage.grey)
    others = view.bits_of(scene.nets.there, np.stack(list(greys.values())))
    own = view.bits_of(scene.nets.there, drawn(scene.nets, 1.0))
    marks = [_named(scene.name, scene.passage.bits)]
    named = [_named(t(f"realnvp.stranger.{name}"), float(v)) for name, v in zip(greys, others, strict=True)]
    known = [*named, (t("realnvp.stranger.even"), 8.0)]
    marks += sorted(known, key=lambda mark: -mark[1])  # so that no line runs through another one's name
    chart = responsive(
        lambda width: draw.bits_chart(
            [
                (t("realnvp.chances.held", count=len(held)), held),
                (t("realnvp.chances.samples", count=len(own)), own),
            ],
            marks,
            title=t("realnvp.chances.chart"),
            x_name=t("realnvp.bits"),
            width=width,
        ),
        wide=760,
    )
    drawing(chart, "realnvp.chances")
    black, inverted, noise = (float(v) for v in others)
    st.markdown(
        t(
            "realnvp.chances.says",
            mean=f"{held.mean():.2f}",
            sd=f"{held.std():.2f}",
            place=percent(float((held <= scene.passage.bits).mean())),
            own=f"{own.mean():.2f}",
        )
    )
    st.markdown(
        t(
            "realnvp.chances.strangers",
            black=f"{black:.2f}",
            least=f"{held.min():.2f}",
            inverted=f"{inverted:.1f}",
            noise=f"{noise:.0f}",
        )
    )
    picture(
        draw.row_of([draw.greys(grey) for grey in greys.values()]),
        "realnvp.strangers",
        t("realnvp.stranger.alt"),
        pixelated=True,
        pick=False,
        show_pick=False,
        height=112,
        hint="",
    )
    st.caption(" · ".join(words for words, _ in named))
    take_away(
        "realnvp.chances.take",
        "realnvp-bits-per-dim",
        svg=lambda: chart,
        tensor=held,
        axes=("digit",),
        link=False,
    )


@fragment
def dequantisation(scene: Scene) -> None:
    """The same picture with many noises."""
    st.subheader(t("realnvp.noises.title"), anchor="dequantisation")
    st.markdown(t("realnvp.noises.about", count=NOISES))
    greys = np.repeat(scene.passage.grey[None], NOISES, axis=0)
    found = view.bits_of(scene.nets.there, greys, seed=1)
    dims = scene.passage.grey.size
    nats = -found * dims * np.log(2)
    top = nats.max()
    tighter = -(top + np.log(np.exp(nats - top).mean())) / (dims * np.log(2))
    drawing(
        responsive(
            lambda width: histogram(
                found, title=t("realnvp.noises.chart"), marked=float(found.mean()), bins=24, width=width
            ),
            wide=760,
        ),
        "realnvp.noises",
    )
    with st.container(horizontal=True, key="v-realnvp-noises"):
        st.metric(t("realnvp.noises.mean"), f"{found.mean():.4f}", help=t("realnvp.noises.mean.help"))
        st.metric(t("realnvp.noises.spread"), f"{found.std():.4f}")
        st.metric(
            t("realnvp.noises.tighter"), f"{tighter:.4f}", help=t("realnvp.noises.tighter.help", count=NOISES)
        )
    st.caption(t("realnvp.noises.says", nats=f"{found.std() * dims * np.log(2):.0f}"))

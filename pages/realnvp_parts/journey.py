"""The picture, its z and what comes back; and every coupling between them, both ways, in the scrubber."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import realnvp as draw
from app.figures.printed import percent, power_of_ten, small
from app.figures.realnvp_places import depths, lay, nothing
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import legend
from app.widgets.picture import picture
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import film_files
from models.generative import flow
from pages.realnvp_parts import view
from pages.realnvp_parts.view import Passage, Scene, layer_words, signed

DEPTH = state.Param("depth", 6, state.parse_whole(-1, 200), str)


def result(scene: Scene) -> None:
    """Three pictures and the numbers of the way there and back."""
    way = scene.passage
    images = (draw.greys(way.grey), draw.coloured(way.z[0, 0]), draw.greys(flow.shrink(way.again)[0, 0]))
    picture(
        draw.row_of(images),
        "realnvp.result",
        t("realnvp.result.alt"),
        pixelated=True,
        pick=False,
        show_pick=False,
        height=200,
        hint="",
    )
    st.caption(t("realnvp.result.says"))
    with st.container(horizontal=True, key="v-realnvp-result"):
        st.metric(t("realnvp.bits"), f"{way.bits:.3f}", help=t("realnvp.bits.help"))
        st.metric(t("realnvp.error"), small(way.error), help=t("realnvp.error.help"))
        st.metric(t("realnvp.changed"), t("realnvp.of", part=way.changed, all=way.grey.size))
        st.metric(t("realnvp.log_det"), signed(way.log_det, 1), help=t("realnvp.log_det.help"))
        inside = float((np.abs(way.z) < 1).mean())
        st.metric(t("realnvp.inside"), percent(inside), help=t("realnvp.inside.help"))
    total = way.bits * way.grey.size
    st.caption(t("realnvp.chance", total=f"{total:,.0f}", power=power_of_ten(-total * float(np.log10(2)))))


def parts(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """mask, s and t of every coupling at their pixels, each (K, 28, 28); NaN where numbers are done."""
    taps, done = scene.passage.taps, nothing(view.SIDE)
    found = [
        [
            lay(array, layer.group, done)
            for array in (
                layer.mask,
                taps[f"coupling.{layer.index}.scale"][0],
                taps[f"coupling.{layer.index}.shift"][0],
            )
        ]
        for layer in scene.nets.layers
    ]
    mask, scale, shift = (np.stack(column) for column in zip(*found, strict=True))
    return mask, scale, shift


def running(way: Passage, count: int) -> np.ndarray:
    """Sum of log |det J| after 0, 1, … couplings: (count + 1,)."""
    each = [float(way.taps[f"coupling.{i}.log_det"][0]) for i in range(count)]
    return np.concatenate([[0.0], np.cumsum(each)])


@fragment
def journey(scene: Scene) -> None:
    """The scrubber over the couplings."""
    st.header(t("realnvp.journey.title"), anchor="journey")
    st.markdown(t("realnvp.journey.about", count=len(scene.nets.layers)))
    way, found = scene.passage, scene.nets.layers
    there = depths(way.taps, way.x, found)
    back = depths(way.back_taps, way.again, found)
    mask, scale, shift = parts(scene)
    blank = np.full((1, *mask.shape[1:]), np.nan)
    mask = np.concatenate([blank, mask])
    sums = running(way, len(found))
    bits = flow.bits_per_dim(there, sums, np.full(len(there), way.slope))
    each = np.concatenate([[0.0], np.diff(sums)])
    strips = [
        Strip("there", t("realnvp.strip.there"), draw.coloured(there)),
        Strip("back", t("realnvp.strip.back"), draw.coloured(back)),
        Strip("scale", t("realnvp.strip.scale"), draw.parted(np.concatenate([blank, scale]), mask, 1.0)),
        Strip(
            "shift",
            t("realnvp.strip.shift"),
            draw.parted(np.concatenate([blank, shift]), mask, 3.0),
        ),
    ]
    n = len(found) // 5
    scrubber(
        strips,
        "realnvp.journey",
        readouts={
            t("realnvp.read.layer"): ["–", *(layer_words(layer) for layer in found)],
            t("realnvp.read.each"): [signed(float(v), 1) for v in each],
            t("realnvp.read.sum"): [signed(float(v), 1) for v in sums],
            t("realnvp.read.bits"): [f"{v:.3f}" for v in bits],
            t("realnvp.read.difference"): [
                small(float(np.abs(a - b).max())) for a, b in zip(there, back, strict=True)
            ],
        },
        positions=[
            t("realnvp.at.x"),
            *(t("realnvp.at.k", n=k) for k in range(1, len(found))),
            t("realnvp.at.z"),
        ],
        marks={
            n: t("realnvp.mark.squeeze", k=n),
            2 * n: t("realnvp.mark.split", k=2 * n),
            3 * n: t("realnvp.mark.squeeze", k=3 * n),
            4 * n: t("realnvp.mark.split", k=4 * n),
        },
        curve=(t("realnvp.read.bits"), [float(v) for v in bits]),
        alt=t("realnvp.journey.alt"),
        fps=4,
        height=220,
        param=DEPTH,
        hint=t("realnvp.journey.hint"),
    )
    legend("diverging", (-draw.REACH_OF_STATES, draw.REACH_OF_STATES))
    st.caption(t("realnvp.journey.legend"))
    worst = int(np.abs(there - back).reshape(len(there), -1).max(1).argmax())
    st.markdown(
        t(
            "realnvp.journey.says",
            start=f"{bits[0]:.2f}",
            end=f"{bits[-1]:.2f}",
            best=int(np.argmin(np.diff(bits))) + 1,
            worst=worst,
            error=small(float(np.abs(there - back).max())),
        )
    )
    film_files(
        "realnvp.journey.film",
        "realnvp-there-and-back",
        lambda: (
            np.concatenate([draw.coloured(there), draw.coloured(there)[::-1]])
            .repeat(8, axis=1)
            .repeat(8, axis=2)
        ),
        seconds=len(there) / 2,
    )

"""Inside the flow at the reader's picture, either way: the drawing of its layers, and any of its tensors."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import realnvp as draw
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import architecture, tap_view, taps_of_block
from pages.realnvp_parts.view import Scene

WAYS = ("there", "back")
WAY = state.Param("net", "there", allowed=WAYS)
BLOCK = state.Param("block", "")
TAP = state.Param("tap", "scale", allowed=("scale", "shift", "log_det", "state", "z", "x"))


def liveliest(maps: np.ndarray) -> int:
    """The channel of (C, H, W) with the largest variance: half of them are 0 where channels take turns."""
    return int(maps.reshape(len(maps), -1).var(axis=1).argmax())


@fragment
def inside(scene: Scene) -> None:
    """The section."""
    st.header(t("realnvp.inside.title"), anchor="inside")
    st.markdown(t("realnvp.inside.about"))
    way = st.segmented_control(
        t("realnvp.inside.way"),
        WAYS,
        required=True,
        format_func=lambda w: t(f"realnvp.inside.{w}"),
        **state.bind(WAY),
    ) or state.get(WAY)
    model = scene.nets.there if way == "there" else scene.nets.back
    taps = scene.passage.taps if way == "there" else scene.passage.back_taps
    block = architecture(model.card, model.config, f"realnvp.{way}", selected="coupling.4", param=BLOCK)
    specs = {spec.name.split(".")[-1]: spec for spec in taps_of_block(model.card, model.config, block)}
    if not specs:
        kind = block.split(".")[0]
        st.caption(t(f"realnvp.inside.{kind if kind in ('squeeze', 'split') else 'input'}"))
        return
    if len(specs) > 1:
        name = st.segmented_control(
            t("realnvp.inside.tap"), list(specs), required=True, **state.bind(TAP, allowed=tuple(specs))
        )
    else:
        name = next(iter(specs))
    spec = specs[name or next(iter(specs))]
    key = f"realnvp.{way}.{spec.name}"
    if spec.kind == "feature_map":
        st.session_state.setdefault(f"{key}.channel", liveliest(taps[spec.name][0]))
    tap_view(
        model,
        spec,
        taps[spec.name],
        key,
        image=draw.greys(scene.passage.grey) if spec.kind == "feature_map" else None,
    )
    st.caption(t("realnvp.inside.numbers"))

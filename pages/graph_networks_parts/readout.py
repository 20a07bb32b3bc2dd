"""What a message passing network says of the whole graph: the readout, and how much of it each node gives."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures.charts import bars, responsive
from app.text import t
from app.widgets.tensor import drawing, source_of
from pages.graph_networks_parts.forward import readout as read_out
from pages.graph_networks_parts.view import Scene, inside_at, look_now, say_moment

BARS = 12
SOURCES = {
    "sum": "models.graph.message_passing:SumReadout",
    "set2set": "models.graph.message_passing:Set2Set",
}
FORMULAS = {
    "sum": r"R=\sum_i h_i",
    "set2set": r"a_i=\mathrm{softmax}_i(h_i\cdot q),\quad r=\sum_i a_i h_i,\quad q'=\mathrm{LSTM}([q,r]),\quad R=[q,r]",
}


def readout(scene: Scene) -> None:
    """The whole section; only for message passing."""
    kind = str(scene.config.get("readout", "sum"))
    st.header(t("graph_networks.readout"), anchor="readout")
    st.markdown(t(f"graph_networks.readout.about.{kind}"))
    st.latex(FORMULAS[kind])
    seen = inside_at(scene, look_now(scene))
    say_moment(scene, seen)
    layers = int(scene.config["layers"])
    h = seen.taps[f"layers.{layers - 1}.out"].astype(np.float64)
    weights = {n: v.astype(np.float64) for n, v in seen.state.items() if n.startswith("readout.")}
    found, share = read_out(scene.config, weights, h)
    size = share if kind == "set2set" else np.linalg.norm(h, axis=1)
    order = np.argsort(-size, kind="stable")[:BARS]
    drawing(
        responsive(
            lambda width: bars(
                size[order],
                [scene.graph.names[v] for v in order],
                title=t(f"graph_networks.readout.bars.{kind}"),
                width=width,
            )
        ),
        "graph_networks.readout.bars",
    )
    st.caption(
        t(f"graph_networks.readout.bars.{kind}") + " " + t("graph_networks.readout.most", n=len(order))
    )
    stored = seen.taps["readout"].astype(np.float64)
    st.caption(
        ":material/check: "
        + t(
            "graph_networks.readout.check",
            channels=len(stored),
            difference=f"{np.abs(stored - found).max():.1e}",
            by=t(f"graph_networks.by.{seen.by}"),
        )
    )
    source = source_of(SOURCES[kind])
    if source is not None:
        with st.expander(t("inside.source", path=source.path, line=source.line)):
            st.code(source.text, language="python")

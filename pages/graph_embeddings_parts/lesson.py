"""One step of negative sampling with its numbers; and what is chosen for it: the other node, the draw."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.text import t
from app.widgets import state
from app.widgets.graph_view import NODE
from pages.graph_embeddings_parts import proximity
from pages.graph_embeddings_parts.scene import Scene, agreement, plain

OTHER: state.Param[int | None] = state.Param("pair", None, parse=NODE.parse, format=NODE.format)
DRAW = state.Param("ns_draw", 0, state.parse_whole(0, 9999), str)


def other_node(scene: Scene, otherwise: int) -> int:
    """The other node of a pair: the picked one, or `otherwise` where none was or it is the chosen node itself."""
    chosen = state.get(OTHER)
    return chosen if chosen is not None and chosen < scene.graph.count and chosen != scene.node else otherwise


def draw_again() -> None:
    state.put(DRAW, (state.get(DRAW) + 1) % 10_000)


def show_lesson(scene: Scene, vector: np.ndarray, contexts: np.ndarray, nodes: np.ndarray) -> None:
    """Every term of one step's loss with its numbers, and the slope checked by a small step.

    vector: of the node, (d,). contexts: (N, d). nodes: the true context first, then the drawn ones.
    """
    found = proximity.lesson(vector, contexts, nodes)
    st.latex(r"L=-\log\sigma(\vec u_c^{\prime\top}\vec u)-\sum_{n}\log\sigma(-\vec u_n^{\prime\top}\vec u)")
    st.latex(
        r"\frac{\partial L}{\partial\vec u}=-\sum_{n}\big(y_n-\sigma(\vec u_n^{\prime\top}\vec u)\big)\,\vec u'_n"
    )
    st.dataframe(
        {
            t("embed_inside.lesson.node"): scene.names(nodes),
            "y": [int(v) for v in found.label],
            "u′·u": [round(float(v), 4) for v in found.dot],
            "σ(u′·u)": [round(float(v), 4) for v in found.sure],
            "y − σ": [round(float(v), 4) for v in found.pull],
            t("embed_inside.lesson.loss"): [
                round(float(-proximity.log_sigmoid(d if y else -d)), 4)
                for d, y in zip(found.dot, found.label, strict=True)
            ],
        },
        hide_index=True,
    )
    st.markdown(
        t("embed_inside.lesson.says", loss=f"{found.loss:.4f}", name=plain(scene.name(int(nodes[0]))))
    )
    st.caption(t("embed_inside.lesson.slope"))
    agreement(float((found.gradient**2).sum()), found.numeric)

"""What became of the chosen node: its class probabilities, and who lies near it beside who is its neighbour."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures.charts import bars, responsive
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.tensor import drawing
from models.graph.nearest import nearest
from pages.graph_networks_parts.view import Scene

NEAREST = 8
CLASSES = 8


def neighbours_of(scene: Scene, node: int) -> set[int]:
    """Every node with an edge to or from this one."""
    graph = scene.graph
    ends = {int(v) for v in graph.neighbours(node)} | {int(v) for v in graph.reversed().neighbours(node)}
    return ends - {node}


def near_in_embedding(scene: Scene, node: int, look: int) -> tuple[list[int], np.ndarray]:
    """The nodes of the most similar embeddings, as many as neighbours but at least three, and their cosines."""
    count = min(max(3, len(neighbours_of(scene, node))), NEAREST)
    nodes, likeness = nearest(scene.vectors[look], node, count)
    return nodes.tolist(), likeness


def node_panel(scene: Scene, node: int, look: int) -> None:
    """Two columns: how the network decides, and the company of the node."""
    st.markdown(t("graph_networks.chosen", name=state.plain(scene.graph.names[node])))
    left, right = st.columns(2, gap="medium")
    with left:
        if scene.labelled:
            _belief(scene, node, look)
        else:
            st.caption(t("graph_networks.chosen.unlabelled"))
    with right:
        _company(scene, node, look)


def _belief(scene: Scene, node: int, look: int) -> None:
    """The probabilities of the classes."""
    belief = scene.beliefs(look)[node]
    order = np.argsort(-belief, kind="stable")[:CLASSES]
    labels = scene.graph.labels
    true = -1 if labels is None else int(labels[node])
    names = [scene.class_name(int(c)) + (" ✓" if c == true else "") for c in order]
    drawing(
        responsive(
            lambda width: bars(
                belief[order],
                names,
                title=t("graph_networks.belief"),
                chosen=0,
                texts=[percent(float(value)) for value in belief[order]],
                width=width,
            )
        ),
        "graph_networks.belief",
    )
    st.caption(t("graph_networks.belief.note"))


def _company(scene: Scene, node: int, look: int) -> None:
    """The neighbours in the graph, and the nodes nearest in the embedding, those in both in bold."""
    names = scene.graph.names
    mine = neighbours_of(scene, node)
    near, likeness = near_in_embedding(scene, node, look)
    listed = sorted(mine)[:20]
    in_graph = ", ".join(
        f"**{state.plain(names[v])}**" if v in near else state.plain(names[v]) for v in listed
    ) + ("" if len(mine) <= len(listed) else f" … (+{len(mine) - len(listed)})")
    in_space = ", ".join(
        (f"**{state.plain(names[v])}**" if v in mine else state.plain(names[v])) + f" {value:.2f}"
        for v, value in zip(near, likeness, strict=True)
    )
    st.markdown(t("graph_networks.company.graph", n=len(mine), listed=in_graph or "–"))
    st.markdown(t("graph_networks.company.embedding", n=len(near), listed=in_space))
    st.caption(t("graph_networks.company.note", both=sum(v in mine for v in near), n=len(near)))

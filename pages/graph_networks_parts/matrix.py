"""The numbers on the edges as a matrix: the adjacency, with loops, and divided by degrees in both ways (E37, E40)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.figures.colour import colormap, limits_of
from app.text import t
from app.widgets import state
from app.widgets.picture import Dot, picture
from pages.graph_networks_parts.forward import Edges, degrees, gat_edges, gcn_edges, matrix, normalised
from pages.graph_networks_parts.view import Scene, inside_at, look_now, node_now, round_now

CELL = state.Param("cell", None, state.parse_pick, state.format_pick)
HEAD = state.Param("head", 0, state.parse_whole(0, 15), str)
MOST = 160  # nodes of a matrix that is drawn
KINDS = {
    "gcn": ("symmetric", "row", "loops", "adjacency"),
    "graphsage": ("mean", "adjacency"),
    "gat": ("attention", "adjacency"),
    "message_passing": ("adjacency",),
}
FORMULAS = {
    "adjacency": r"A_{ij}=w_{ij}",
    "loops": r"\tilde A=A+I",
    "row": r"\tilde D^{-1}\tilde A,\qquad \tilde D_{ii}=\textstyle\sum_j\tilde A_{ij}",
    "symmetric": r"\hat A=\tilde D^{-\frac12}\tilde A\,\tilde D^{-\frac12},"
    r"\qquad \tilde D_{ii}=\textstyle\sum_j\tilde A_{ij}",
    "mean": r"D^{-1}A,\qquad D_{ii}=|\mathcal N(i)|",
    "attention": r"\alpha_{ij}=\mathrm{softmax}_j(e_{ij})",
}


state.known("matrix")


def kind_param(net: str) -> state.Param[str]:
    """Which matrix; the net's own stands in no link."""
    return state.Param("matrix", KINDS[net][0])


@dataclass(frozen=True, eq=False)
class Table:
    """The shown part of a matrix. nodes: int64 (n,), in the order of rows and columns. values: (n, n). degree: (N,)."""

    nodes: np.ndarray
    values: np.ndarray
    degree: np.ndarray
    sums: np.ndarray


def order_of(scene: Scene, node: int) -> np.ndarray:
    """The nodes that are shown: all, class by class; of a large graph the node and those around it."""
    graph = scene.graph
    nodes = np.arange(graph.count)
    if graph.count > MOST:
        near = np.union1d(scene.edges.source[scene.edges.arriving(node)], [node])
        ring = np.isin(scene.edges.target, near)
        wider = np.setdiff1d(scene.edges.source[ring], near)
        nodes = np.concatenate([near, wider])[:MOST]
    if graph.labels is None:
        return nodes
    return nodes[np.argsort(graph.labels[nodes], kind="stable")]


def coefficients(scene: Scene, kind: str, look: int, head: int) -> tuple[Edges, np.ndarray]:
    """The edges and a number on each of them."""
    edges = scene.edges
    if kind == "adjacency":
        return edges, edges.weight
    if kind == "mean":
        degree = np.bincount(edges.target, minlength=edges.count)
        return edges, 1 / degree[edges.target]
    if kind == "attention":
        weights = inside_at(scene, look).taps[f"layers.{round_now(scene)}.weights"]
        return gat_edges(edges)[0], weights[:, min(head, weights.shape[1] - 1)].astype(np.float64)
    looped = gcn_edges(edges, scene.config.get("loops", "keep"))
    if kind == "loops":
        return looped, looped.weight
    if kind == "row":
        return looped, looped.weight / degrees(looped)[looped.target]
    return looped, normalised(looped)


def table_of(scene: Scene, kind: str, look: int, head: int, node: int) -> Table:
    """The part of the matrix around a node."""
    edges, values = coefficients(scene, kind, look, head)
    nodes = order_of(scene, node)
    place = np.full(edges.count, -1)
    place[nodes] = np.arange(len(nodes))
    kept = (place[edges.target] >= 0) & (place[edges.source] >= 0)
    part = Edges(place[edges.source[kept]], place[edges.target[kept]], values[kept], len(nodes))
    sums = np.bincount(edges.target, weights=values, minlength=edges.count)
    return Table(nodes, matrix(part, values[kept]), degrees(edges), sums)


def adjacency(scene: Scene) -> None:
    """The whole section."""
    st.header(t("graph_networks.matrix"), anchor="matrix")
    st.markdown(t(f"graph_networks.matrix.about.{scene.net}"))
    kinds = KINDS[scene.net]
    kind = kinds[0]
    if len(kinds) > 1:
        st.segmented_control(
            t("graph_networks.matrix.kind"),
            kinds,
            format_func=lambda word: t(f"graph_networks.matrix.{word}"),
            required=True,
            label_visibility="collapsed",
            **state.bind(kind_param(scene.net), kinds),
        )
        kind = state.get(kind_param(scene.net), kinds)
    st.latex(FORMULAS[kind])
    look, node = look_now(scene), node_now(scene)
    table = table_of(scene, kind, look, state.get(HEAD), node)
    left, right = st.columns([3, 2], gap="medium")
    count = len(table.nodes)
    with left:
        at = state.get(CELL)
        column, row = at if at is not None and max(at) < count else _first(table, node)
        mapped = colormap(np.sqrt(table.values), "sequential")
        picture(
            mapped,
            "graph_networks.matrix.picture",
            t("graph_networks.matrix.alt", count=count),
            marks=[Dot(x=column + 0.5, y=row + 0.5)],
            pixelated=True,
            show_pick=False,
            hint=t("graph_networks.matrix.hint"),
            param=CELL,
        )
        if count < scene.graph.count:
            st.caption(t("graph_networks.matrix.part", count=count, all=f"{scene.graph.count:,}"))
    with right:
        _cell(scene, kind, table, row, column)
        _facts(kind, table)


def _first(table: Table, node: int) -> tuple[int, int]:
    """The cell that is worked out at first: the node's row, its strongest other column."""
    row = int(np.flatnonzero(table.nodes == node)[0])
    others = table.values[row].copy()
    others[row] = -1
    return int(others.argmax()), row


def _cell(scene: Scene, kind: str, table: Table, row: int, column: int) -> None:
    """One number of the matrix with its parts."""
    i, j = int(table.nodes[row]), int(table.nodes[column])
    value, names = float(table.values[row, column]), scene.graph.names
    st.markdown(
        t(
            "graph_networks.matrix.cell",
            i=state.plain(names[i]),
            j=state.plain(names[j]),
            value=f"{value:.6g}",
        )
    )
    if not value:
        st.markdown(t("graph_networks.matrix.zero"))
        return
    weight = _weight(scene, i, j)
    if kind == "symmetric":
        di, dj = _loop_degrees(scene)[[i, j]]
        st.latex(
            rf"\hat a_{{ij}}=\frac{{{weight:.4g}}}{{\sqrt{{{di:.4g}\cdot{dj:.4g}}}}}={weight / (di * dj) ** 0.5:.6g}"
        )
    elif kind == "row":
        di = float(_loop_degrees(scene)[i])
        st.latex(
            rf"\frac{{\tilde a_{{ij}}}}{{\tilde d_i}}=\frac{{{weight:.4g}}}{{{di:.4g}}}={weight / di:.6g}"
        )
    elif kind == "mean":
        st.latex(rf"\frac{{1}}{{|\mathcal N(i)|}}={value:.6g}")
    if kind in ("symmetric", "row", "loops"):
        plain, counted = degrees(scene.edges)[i], _loop_degrees(scene)[i]
        st.caption(
            t(
                "graph_networks.matrix.degree",
                name=state.plain(names[i]),
                plain=f"{plain:g}",
                counted=f"{counted:g}",
            )
        )


def _loop_degrees(scene: Scene) -> np.ndarray:
    return degrees(gcn_edges(scene.edges, scene.config.get("loops", "keep")))


def _weight(scene: Scene, i: int, j: int) -> float:
    """ã_ij."""
    looped = gcn_edges(scene.edges, scene.config.get("loops", "keep"))
    at = (looped.target == i) & (looped.source == j)
    return float(looped.weight[at].sum())


def _facts(kind: str, table: Table) -> None:
    """What holds for the whole matrix: its rows' sums, and where its powers go."""
    low, high = limits_of(table.sums)
    st.markdown(t("graph_networks.matrix.sums", low=f"{low:.4g}", high=f"{high:.4g}"))
    if kind == "symmetric" and len(table.nodes) == len(table.degree):
        values = table.values
        if np.allclose(values, values.T):
            top = np.sort(np.abs(np.linalg.eigvalsh(values)))[::-1]
            second = float(top[1]) if len(top) > 1 else 0.0
            st.markdown(t("graph_networks.matrix.eigen", first=f"{top[0]:.6f}", second=f"{second:.4f}"))
    elif kind == "row":
        st.markdown(t("graph_networks.matrix.row.note"))

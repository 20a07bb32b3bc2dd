"""The network drawn from its card; a click on a block shows its tensors, and each of their numbers worked out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

from app.figures.charts import responsive
from app.figures.graph_networks import Strip, strips
from app.text import t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.graph_view import NODE
from app.widgets.inside import architecture, axis_word, drawing, explain, taps_of_block
from app.widgets.share import take_away
from app.widgets.tensor import numbers_line
from models.card import TapSpec
from pages.graph_networks_parts.cells import Cell, cell_latex, cell_sum
from pages.graph_networks_parts.forward import Edges, gat_edges, gcn_edges
from pages.graph_networks_parts.messages import SENDER
from pages.graph_networks_parts.view import (
    CHANNEL,
    Scene,
    Seen,
    inside_at,
    look_now,
    node_now,
    say_moment,
    tap_at,
)

BLOCK: state.Param[str] = state.Param("block", "layers.0")
state.known("tap")
ROWS, COLUMNS = 40, 40


def inside(scene: Scene) -> None:
    """The whole section."""
    st.header(t("graph_networks.inside"), anchor="inside")
    st.markdown(t("graph_networks.inside.about"))
    block = architecture(scene.card, scene.config, "graph_networks.blocks", param=BLOCK)
    specs = {spec.name: spec for spec in taps_of_block(scene.card, scene.config, block)}
    if not specs:
        st.caption(t("graph_networks.inside.input"))
        return
    names = list(specs)
    chosen = state.Param("tap", names[-1])  # a block's result is its own first look
    if len(names) > 1:
        st.segmented_control(
            t("graph_networks.inside.tensor"),
            names,
            format_func=lambda name: name.rsplit(".", 1)[-1],
            required=True,
            **state.bind(chosen, names),
        )
    spec = specs[state.get(chosen, names)]
    seen = inside_at(scene, look_now(scene))
    say_moment(scene, seen)
    array = tap_at(scene, seen, spec.name)
    if array is None:
        st.info(t("graph_networks.inside.large"), icon=":material/info:")
        return
    explain(spec, array)
    _table(scene, seen, spec, array)
    take_away(
        "graph_networks.inside.take",
        f"{scene.net}-{spec.name}",
        tensor=lambda: array,
        axes=spec.axes,
        link=False,
    )


def edges_of(scene: Scene, spec: TapSpec) -> Edges:
    """The edges that the rows of a tap stand for."""
    if spec.axes[0] == "edge":
        return scene.edges
    return (
        gat_edges(scene.edges)[0]
        if scene.net == "gat"
        else gcn_edges(scene.edges, scene.config.get("loops", "keep"))
    )


def rows_of(scene: Scene, spec: TapSpec, node: int) -> np.ndarray:
    """int64: the rows of a tap that are shown: messages that arrive at the node, or nodes (all, or those around it)."""
    if spec.axes[0] in ("edge", "message"):
        return edges_of(scene, spec).arriving(node)[:ROWS]
    if spec.axes[0] != "node":
        return np.zeros(1, np.int64)
    graph = scene.graph
    if graph.count <= ROWS:
        nodes = np.arange(graph.count)
    else:
        nodes = np.union1d([node], scene.edges.source[scene.edges.arriving(node)][: ROWS - 1])
    return nodes if graph.labels is None else nodes[np.argsort(graph.labels[nodes], kind="stable")]


def row_names(scene: Scene, spec: TapSpec, rows: np.ndarray, node: int) -> list[str]:
    """What the rows are called."""
    names = scene.graph.names
    if spec.axes[0] == "node":
        return [names[v] for v in rows]
    if spec.axes[0] in ("edge", "message"):
        source = edges_of(scene, spec).source[rows]
        return [t("graph_networks.itself", name=names[v]) if v == node else names[v] for v in source]
    return [axis_word(spec.axes[0])]


def _columns(values: np.ndarray, chosen: int) -> list[int]:
    """The columns that are shown: all, or those of the largest numbers."""
    if values.shape[1] <= COLUMNS:
        return list(range(values.shape[1]))
    order = np.argsort(-np.abs(values).max(0), kind="stable")
    return sorted({chosen, *order[: COLUMNS - 1].tolist()})


def _table(scene: Scene, seen: Seen, spec: TapSpec, array: np.ndarray) -> None:
    """The tensor as rows of colours around the chosen node, and the chosen number worked out."""
    node = node_now(scene)
    by_row = spec.axes[0] in ("node", "edge", "message")
    flat = array.reshape(len(array), -1) if by_row else array.reshape(1, -1)
    rows = rows_of(scene, spec, node)
    if not len(rows):
        st.info(t("graph_networks.alone"))
        return
    place = _chosen_row(scene, spec, rows, node)
    row = int(rows[place])
    column = state.get(CHANNEL)
    if not 0 <= column < flat.shape[1]:
        column = int(np.abs(flat[row]).argmax())
    numbers_line(array)
    _strips(scene, spec, flat[rows], rows, place, column, node)
    cell = Cell(spec.name, row, column)
    names = row_names(scene, spec, rows, node)
    st.markdown(
        t(
            "graph_networks.inside.cell",
            row=state.plain(names[place]),
            column=column,
            value=f"{float(flat[row, column]):.8g}",
        )
    )
    latex = cell_latex(scene, seen, cell)
    if latex:
        st.latex(latex)
    found = cell_sum(scene, seen, cell)
    if found is not None:
        worked_sum(
            found.terms,
            found.bias,
            float(flat[row, column]),
            symbol=found.symbol,
            formula=found.formula,
            activation=found.activation,
            slack=found.slack,
        )


def _chosen_row(scene: Scene, spec: TapSpec, rows: np.ndarray, node: int) -> int:
    """Which of the shown rows is worked out: the node's own, or the chosen sender's."""
    if spec.axes[0] == "node":
        return int(np.flatnonzero(rows == node)[0])
    if spec.axes[0] in ("edge", "message"):
        at = np.flatnonzero(edges_of(scene, spec).source[rows] == state.get(SENDER))
        return int(at[0]) if len(at) else 0
    return 0


def _strips(
    scene: Scene, spec: TapSpec, values: np.ndarray, rows: np.ndarray, place: int, column: int, node: int
) -> None:
    columns = _columns(values, column)
    names = row_names(scene, spec, rows, node)
    ids = _ids(scene, spec, rows)
    drawn = [Strip(name, "", values[k, columns], ids[k]) for k, name in enumerate(names)]

    def take(part: str) -> None:
        number = int(part[1:])
        params: dict[str, state.Param[Any]] = {"c": CHANNEL, "s": SENDER, "n": NODE}
        state.put(params[part[0]], number)

    drawing(
        responsive(
            lambda width: strips(
                drawn,
                title=t("graph_networks.strips.alt"),
                column=axis_word(spec.axes[-1]),
                channels=columns,
                chosen=column,
                picked=ids[place],
                width=width,
            )
        ),
        "graph_networks.inside.strips",
        selected=f"c{column}",
        on_pick=take,
    )
    word = {"node": "nodes", "edge": "messages", "message": "messages"}.get(spec.axes[0], "whole")
    st.caption(t(f"graph_networks.inside.rows.{word}", name=state.plain(scene.graph.names[node])))


def _ids(scene: Scene, spec: TapSpec, rows: np.ndarray) -> Sequence[str]:
    if spec.axes[0] == "node":
        return [f"n{v}" for v in rows]
    if spec.axes[0] in ("edge", "message"):
        return [f"s{v}" for v in edges_of(scene, spec).source[rows]]
    return [""]

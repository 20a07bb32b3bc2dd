"""Inside SDNE: a row of the adjacency matrix, what becomes of it layer by layer, and the three terms of the loss."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from app.figures import embed as draw
from app.figures.charts import bars, responsive
from app.figures.graph import Marks
from app.figures.printed import Printed
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number, worked_sum
from app.widgets.graph_view import graph_view
from app.widgets.inside import drawing
from models.graph import sdne
from pages.graph_embeddings_parts import proximity
from pages.graph_embeddings_parts.lesson import OTHER, other_node
from pages.graph_embeddings_parts.scene import (
    Scene,
    agreement,
    code,
    latex_name,
    not_yet,
    plain,
    too_large,
)

SHOWN = 48  # columns of a row that are drawn
LISTED = 10  # edges of one chart
TWINS = 8  # nodes with the very same row that are named
MOST_NODES = 3000  # whose whole reconstruction is worked out while the page waits


def weights_of(scene: Scene) -> sdne.Weights | None:
    """The trained weights by name; None, and a sentence, while there are none."""
    found = {} if scene.run is None else scene.run.tables
    if not found:
        not_yet()
        return None
    return dict(found)


def row_of(scene: Scene, rows: Any, node: int) -> np.ndarray:
    """float64 (N,): x of a node."""
    dense: np.ndarray = rows[[node]].toarray()[0].astype(np.float64)
    return dense


def columns(x: np.ndarray, term: np.ndarray) -> np.ndarray:
    """The columns that are drawn: all of a small graph, else the neighbours and the costliest, in their order."""
    if len(x) <= SHOWN:
        return np.arange(len(x))
    weight = term + 1e6 * (x > 0)
    return np.sort(np.argsort(-weight, kind="stable")[:SHOWN])


# ---------------------------------------------------------------- a row


def row(scene: Scene) -> None:
    """x, what the decoder makes of it, the weight of every miss, and one cell worked out."""
    st.markdown(t("embed_inside.row.about"))
    weights = weights_of(scene)
    if weights is None:
        return
    rows = sdne.rows(scene.graph)
    x, beta = row_of(scene, rows, scene.node), float(scene.setting("beta", 10.0))
    acts = sdne.forward(weights, rows[[scene.node]])
    again = acts["decoder.1"][0].astype(np.float64)
    b = np.where(x > 0, beta, 1.0)
    term = ((again - x) * b) ** 2
    shown = columns(x, term)
    other = other_node(scene, int(np.argmax(term)))
    left, right = st.columns([2, 3], gap="large")
    with left:
        graph_view(
            scene.graph,
            "embed_inside:row.graph",
            place=scene.place,
            colours=draw.heat(again, (0.0, 1.0)),
            words=[f"{v:.3f}" for v in again],
            marks=Marks(chosen=scene.node, near=scene.graph.neighbours(scene.node).tolist()),
            alt=t("embed_inside.row.alt", name=scene.name(scene.node)),
        )
        st.caption(t("embed_inside.row.graph"))
    with right:
        _cells(scene, (x, again, b, term), shown, other)
        _row_sum(scene, x, again, b, term)
    _cell_worked(scene, weights, acts, other, x, again, b)
    code("models.graph.sdne:second_order", "models.graph.sdne:forward")


def _cells(
    scene: Scene,
    parts: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    shown: np.ndarray,
    other: int,
) -> None:
    """Four rows of cells under each other; a click on a column picks it."""
    x, again, b, term = (part[shown] for part in parts)
    rows = (
        draw.Row("x", x, limits=(0.0, 1.0)),
        draw.Row("x̂", again, limits=(0.0, 1.0)),
        draw.Row("b", b),
        draw.Row("((x̂ − x) b)²", term),
    )
    place = np.flatnonzero(shown == other)
    names = scene.names(shown)

    def strips(width: int) -> str:
        return draw.rows_of_cells(
            rows,
            title=t("embed_inside.row.cells", name=scene.name(scene.node)),
            names=names,
            chosen=int(place[0]) if len(place) else None,
            pick=True,
            width=width,
        )

    drawing(
        responsive(strips),
        "embed_inside:cells",
        selected=str(int(place[0])) if len(place) else None,
        on_pick=lambda k: state.put(OTHER, int(shown[int(k)])),
    )
    if len(shown) < scene.graph.count:
        st.caption(t("embed_inside.row.some", count=len(shown), all=f"{scene.graph.count:,}"))
    st.caption(t("embed_inside.row.hint"))


def _row_sum(scene: Scene, x: np.ndarray, again: np.ndarray, b: np.ndarray, term: np.ndarray) -> None:
    """What this row adds to the loss, and how much of that comes from its edges."""
    edges = float(term[x > 0].sum())
    st.latex(
        r"\sum_j\big((\hat x_{ij}-x_{ij})\,b_{ij}\big)^2="
        rf"\underbrace{{{latex_number(edges)}}}_{{x_{{ij}}>0}}+"
        rf"\underbrace{{{latex_number(float(term[x == 0].sum()))}}}_{{x_{{ij}}=0}}={latex_number(float(term.sum()), 6)}"
    )
    if (x > 0).any():
        made = again.astype(np.float32)[None]
        stored, _ = sdne.second_order(sdne.rows(scene.graph)[[scene.node]], made, float(b.max()))
        agreement(float(term.sum()), stored)


def _cell_worked(
    scene: Scene,
    weights: sdne.Weights,
    acts: dict[str, np.ndarray],
    other: int,
    x: np.ndarray,
    again: np.ndarray,
    b: np.ndarray,
) -> None:
    """One number of the reconstruction: the decoder's last sum, its sigmoid, and the cost of the miss."""
    i, j = (latex_name(scene.name(v)) for v in (scene.node, other))
    names = {"one": plain(scene.name(scene.node)), "two": plain(scene.name(other))}
    st.subheader(t("embed_inside.line.worked", **names), anchor=False)
    hidden, last = acts["decoder.0"][0], weights["decoder.1.weight"][:, other]
    terms = [(rf"h_{{{k}}}", float(a), float(w)) for k, (a, w) in enumerate(zip(hidden, last, strict=True))]
    worked = worked_sum(terms, float(weights["decoder.1.bias"][other]), symbol="z", shown=6)
    made = float(proximity.sigmoid(worked.exact))
    st.latex(
        rf"\hat x({i},{j})=\sigma(z)={latex_number(made, 5)},\qquad x({i},{j})={latex_number(float(x[other]))},"
        rf"\qquad b={latex_number(float(b[other]))}"
    )
    st.latex(
        rf"\big((\hat x-x)\,b\big)^2=\big(({latex_number(made, 4)}-{latex_number(float(x[other]))})"
        rf"\cdot{latex_number(float(b[other]))}\big)^2={latex_number(((made - x[other]) * b[other]) ** 2, 5)}"
    )
    agreement(made, float(again[other]))


# ---------------------------------------------------------------- through the layers


def forward(scene: Scene) -> None:
    """The row on its way through the net: in, down to the code, and out again."""
    st.markdown(t("embed_inside.forward.about"))
    weights = weights_of(scene)
    if weights is None or scene.vectors is None:
        return
    rows = sdne.rows(scene.graph)
    x = row_of(scene, rows, scene.node)
    acts = {
        name: act[0].astype(np.float64) for name, act in sdne.forward(weights, rows[[scene.node]]).items()
    }
    term = (acts["decoder.1"] - x) ** 2
    shown = columns(x, term)
    strips = [draw.Row("x", x[shown], limits=(0.0, 1.0))]
    for name, act in acts.items():
        word = t(f"embed_inside.forward.{name}", n=len(act))
        strips.append(draw.Row(word, act[shown] if name == "decoder.1" else act, limits=(0.0, 1.0)))

    def chart(width: int) -> str:
        title = t("embed_inside.forward.alt", name=scene.name(scene.node))
        return draw.rows_of_cells(strips, title=title, width=width)

    drawing(responsive(chart, wide=760), "embed_inside:forward")
    st.latex(r"\vec y^{(k)}=\sigma\big(\vec y^{(k-1)}W^{(k)}+\vec b^{(k)}\big)")
    stored = scene.vectors[scene.node].astype(np.float64)
    apart = int(np.argmax(np.abs(acts["encoder.1"] - stored)))
    st.caption(t("embed_inside.forward.code", n=len(stored), k=apart))
    agreement(float(acts["encoder.1"][apart]), float(stored[apart]))
    _twins(scene, rows)
    code("models.graph.sdne:forward", "models.graph.sdne:encode")


def _twins(scene: Scene, rows: Any) -> None:
    """Nodes with the very same row, which have the very same code whatever the weights are."""
    assert scene.vectors is not None
    mine = scene.graph.neighbours(scene.node)
    same = [
        int(v)
        for v in np.flatnonzero(scene.graph.degree == len(mine))
        if v != scene.node
        and np.array_equal(scene.graph.neighbours(int(v)), mine)
        and np.array_equal(scene.graph.weights_of(int(v)), scene.graph.weights_of(scene.node))
    ]
    if not same:
        st.markdown(t("embed_inside.forward.none", name=plain(scene.name(scene.node))))
        return
    gap = float(np.abs(scene.vectors[same] - scene.vectors[scene.node]).max())
    others = t("embed_inside.join").join(plain(scene.name(v)) for v in same[:TWINS])
    st.markdown(
        t(
            "embed_inside.forward.twins",
            name=plain(scene.name(scene.node)),
            others=others,
            apart=f"{Printed(gap):.1e}",
        )
    )


# ---------------------------------------------------------------- the three terms


def terms(scene: Scene) -> None:
    """The loss of the whole graph in its three parts, and the edges that pull their ends together hardest."""
    st.markdown(t("embed_inside.terms.about"))
    weights = weights_of(scene)
    if weights is None or scene.run is None:
        return
    if scene.graph.count > MOST_NODES:
        too_large(MOST_NODES, "nodes")
        return
    graph, config = scene.graph, scene.run.config
    rows = sdne.rows(graph)
    found, _ = sdne.loss_and_gradient(weights, rows, sdne.ties(graph), config)
    parts = (found.second, found.first, found.regular)
    labels = [t(f"embed_inside.terms.{name}") for name in ("second", "first", "regular")]
    left, right = st.columns([2, 3], gap="large")
    with left:
        texts = [f"{v:.4g}" for v in parts]
        chart = bars(np.array(parts), labels, title=t("embed_inside.terms.alt"), texts=texts, width=440)
        drawing(chart, "embed_inside:terms")
        st.latex(rf"\mathcal L={'+'.join(latex_number(v) for v in parts)}={latex_number(found.total, 6)}")
    with right:
        y = sdne.forward(weights, rows)["encoder.1"].astype(np.float64)
        pull = _pull(scene, y)
        order = np.argsort(-pull, kind="stable")[:LISTED]
        st.markdown(t("embed_inside.terms.pull"))
        ends = [f"{scene.name(int(graph.source[e]))} – {scene.name(int(graph.target[e]))}" for e in order]
        values = [f"{pull[e]:.4f}" for e in order]
        title = t("embed_inside.terms.pull.alt")
        drawing(bars(pull[order], ends, title=title, texts=values, width=520), "embed_inside:pull")
    st.latex(r"\mathcal L_{1st}=\sum_{i,j}s_{ij}\,\|\vec y_i-\vec y_j\|^2=2\,\mathrm{tr}(Y^\top L\,Y)")
    st.caption(t("embed_inside.terms.twice"))
    ways = 1 if graph.directed else 2  # an undirected edge stands in the sum from both ends
    loops = graph.source == graph.target
    agreement(float(config.alpha * ways * pull[~loops].sum()), found.first)
    _without_beta(scene, weights, rows)
    code("models.graph.sdne:loss_and_gradient", "models.graph.sdne:first_order")


def _pull(scene: Scene, y: np.ndarray) -> np.ndarray:
    """float64 (E,): s_ij |y_i - y_j|² of every edge."""
    graph = scene.graph
    apart = ((y[graph.source] - y[graph.target]) ** 2).sum(1)
    pull: np.ndarray = graph.weight / graph.data.mean() * apart
    return pull


def _without_beta(scene: Scene, weights: sdne.Weights, rows: Any) -> None:
    """How well the rows come back, on edges and elsewhere: what beta is for."""
    again = sdne.forward(weights, rows)["decoder.1"].astype(np.float64)
    x = rows.toarray()
    st.markdown(
        t(
            "embed_inside.terms.beta",
            beta=f"{float(scene.setting('beta', 10.0)):g}",
            edges=f"{float(again[x > 0].mean()):.3f}",
            others=f"{float(again[x == 0].mean()):.3f}",
            share=f"{100 * float((x > 0).mean()):.1f}",
        )
    )

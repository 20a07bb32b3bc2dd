"""The result of the graph embeddings page: the graph beside its vectors, and whom the vectors put beside a node."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine.layout import steps_from
from app.engine.project import pca
from app.figures.graph import Marks
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.cloud import Cloud, cloud
from app.widgets.graph_input import Source
from app.widgets.graph_view import NODE, graph_view, last_node
from app.widgets.header import Badge, duration
from models.graph.graph import Graph
from models.graph.nearest import asked, kept_neighbours, nearest
from pages.graph_embeddings_parts.run import Run, Scene
from pages.graph_embeddings_parts.view import (
    NO_LINES,
    STEP,
    colour_now,
    colours_now,
    hover_words,
    legend_now,
    measure_of,
    title_of,
    together,
)

GRAPH, CLOUD = "embeddings.graph", "embeddings.cloud"
NEAREST = 8  # nodes that are listed
LISTED = 20  # neighbours in the graph that are named
WIDTH = 480  # pixels of half a page


def badges(run: Run) -> list[Badge]:
    """What ran, for how long, and how far the loss fell."""
    known = run.losses[np.isfinite(run.losses)]
    facts = [
        Badge(
            title_of(run.method),
            t("graph_embeddings.badge.method"),
            t("graph_embeddings.badge.dims", dim=run.vectors.shape[2]),
        ),
        Badge(
            duration(run.seconds),
            t("graph_embeddings.badge.trained"),
            t("graph_embeddings.badge.moments", n=run.moments),
        ),
    ]
    if len(known):
        first = t("graph_embeddings.badge.from", first=f"{known[0]:.3g}")
        facts.append(Badge(f"{known[-1]:.3g}", t("graph_embeddings.badge.loss"), first))
    return facts


# ---------------------------------------------------------------- words of a moment


def step_now(run: Run) -> int:
    """The moment under the slider: 0 … S - 1."""
    step = state.get(STEP)
    return run.moments - 1 if step < 0 else min(step, run.moments - 1)


def moment_words(run: Run) -> list[str]:
    """What each moment is called."""
    later = [t("graph_embeddings.moment", epoch=epoch) for epoch in run.epochs[1:]]
    return [t("graph_embeddings.moment.start"), *later]


@st.cache_data(max_entries=32, show_spinner=False)
def kept_at_each(name: str, measure: str, _graph: Graph, _run: Run) -> list[tuple[float, float]]:
    """How many graph neighbours are among the nearest, at each moment; and by chance."""
    return [kept_neighbours(_graph, vectors, measure_of(_run.method)) for vectors in _run.vectors]


def kept_of(scene: Scene) -> list[tuple[float, float]]:
    return kept_at_each(scene.name, measure_of(scene.run.method), scene.graph, scene.run)


def readouts(scene: Scene) -> dict[str, list[str]]:
    losses = ["–" if np.isnan(loss) else f"{loss:.3f}" for loss in scene.run.losses.tolist()]
    kept = [percent(share) for share, _ in kept_of(scene)]
    return {t("graph_embeddings.read.loss"): losses, t("graph_embeddings.read.kept"): kept}


def curve(run: Run) -> tuple[str, list[float]] | None:
    """The loss over the slider; the untrained moment has none of its own and takes the first one's height."""
    known = np.flatnonzero(np.isfinite(run.losses))
    if not len(known):
        return None
    return t("graph_embeddings.read.loss"), [run.losses[i] if np.isfinite(run.losses[i]) else run.losses[known[0]]
                                             for i in range(run.moments)]  # fmt: skip


# ---------------------------------------------------------------- the two pictures


def marks_of(graph: Graph, node: int, near: np.ndarray) -> Marks:
    """A picked node, its edges, and the ranks of the nodes nearest to it in the embedding."""
    mine = graph.neighbours(node)
    return Marks(
        chosen=node,
        near=[int(v) for v in near],
        spokes={int(v): 0.15 for v in mine if v != node},
        notes={int(v): str(rank + 1) for rank, v in enumerate(near)},
    )


def edges_of(graph: Graph) -> np.ndarray:
    """int64 (E, 2)."""
    return np.stack([graph.source, graph.target], axis=1)


def graph_alone(source: Source, place: np.ndarray) -> None:
    """The graph while nothing has been learned of it."""
    graph = source.graph
    left, _ = st.columns(2, gap="medium")
    with left:
        graph_view(
            graph,
            GRAPH,
            place=place,
            alt=graph_alt(graph),
            colours=colours_now(source),
            words=hover_words(source),
            label_names=source.label_names,
            tallest=0.9,
            width=WIDTH,
        )


def graph_alt(graph: Graph) -> str:
    return t("graph_embeddings.graph.alt", nodes=f"{graph.count:,}", edges=f"{graph.edges:,}")


def result(scene: Scene) -> None:
    """Graph and cloud side by side, and the neighbours of the picked node in both."""
    graph, run = scene.graph, scene.run
    node, step = last_node(graph), step_now(run)
    marks, near = None, None
    if node is not None:
        near = nearest(run.vectors[step], node, min(NEAREST, graph.count - 1), measure_of(run.method))
        marks = marks_of(graph, node, near[0])
    left, right = st.columns(2, gap="medium", vertical_alignment="top")
    with left:
        graph_view(
            graph,
            GRAPH,
            place=scene.place,
            alt=graph_alt(graph),
            colours=colours_now(scene.source),
            words=hover_words(scene.source),
            marks=marks,
            tallest=0.9,
            width=WIDTH,
        )
        _says(scene)
    with right:
        cloud(
            [Cloud(run.method, "", scene.points)],
            CLOUD,
            alt=t(
                "graph_embeddings.cloud.alt",
                nodes=f"{graph.count:,}",
                moments=run.moments,
                method=title_of(run.method),
            ),
            names=graph.names,
            words=hover_words(scene.source),
            colours=colours_now(scene.source),
            legend=legend_now(scene.source),
            edges=None if state.get(NO_LINES) else edges_of(graph),
            positions=moment_words(run),
            readouts=readouts(scene),
            curve=curve(run),
            marks=marks,
            report=True,
            step_param=STEP,
            pick_param=NODE,
        )
    if node is None or near is None:
        st.info(t("graph_embeddings.near.hint"), icon=":material/touch_app:")
    else:
        _neighbours(scene, node, near[0], near[1], moment_words(run)[step])


def _says(scene: Scene) -> None:
    """What the pictures can and cannot say."""
    dim = scene.run.vectors.shape[2]
    share = float(pca(scene.run.final)[1].sum()) if scene.projection == "pca" else 0.0
    words = [
        t(f"graph_embeddings.projection.{scene.projection}.says", share=percent(share), dim=dim),
        t("graph_embeddings.projection.turned"),
    ]
    if scene.graph.labels is not None:
        words.append(t("graph_embeddings.colours.unused"))
    if colour_now(scene.source) == "degree":
        least, most = int(scene.graph.degree.min()), int(scene.graph.degree.max())
        says = "says" if least < most else "same"
        words.append(t(f"graph_embeddings.colours.degree.{says}", least=least, most=most))
    st.caption(together(words))
    share, chance = kept_of(scene)[-1]
    said = [t("graph_embeddings.kept", share=percent(share), chance=percent(chance))]
    if scene.run.method == "struc2vec":
        said.append(t("graph_embeddings.kept.roles"))
    some = len(asked(scene.graph.count))
    if some < scene.graph.count:
        said.append(t("graph_embeddings.kept.sampled", n=some))
    st.markdown(together(said))


def _neighbours(scene: Scene, node: int, near: np.ndarray, values: np.ndarray, moment: str) -> None:
    """The neighbours of a node in the graph beside those in the embedding."""
    graph, name = scene.graph, plain_name(scene.source, node)
    mine = graph.neighbours(node)
    mine = mine[mine != node]
    left, right = st.columns([2, 3], gap="large")
    with left:
        st.markdown(t("graph_embeddings.near.graph", name=name, names=names_of(scene.source, mine)))
        hits, chance = int(np.isin(near, mine).sum()), len(near) * len(mine) / max(1, graph.count - 1)
        st.markdown(t("graph_embeddings.near.agree", count=len(near), hits=hits, name=name, chance=chance))
        st.caption(t("graph_embeddings.near.legend"))
    with right:
        st.markdown(t("graph_embeddings.near.title", name=name, moment=moment))
        table = {
            t("graph_embeddings.near.rank"): list(range(1, len(near) + 1)),
            t("graph_embeddings.near.node"): [graph.names[v] for v in near],
        }
        if graph.labels is not None:
            table[t("graph_embeddings.near.label")] = [scene.source.label_of(int(v)) for v in near]
        measure = measure_of(scene.run.method)
        table[t(f"graph_embeddings.near.{measure}")] = [
            f"{abs(v) if measure == 'distance' else v:.3f}" for v in values
        ]
        steps = steps_from(graph, node)[near].tolist()
        table[t("graph_embeddings.near.steps")] = [
            str(s) if s >= 0 else t("graph_embeddings.near.apart") for s in steps
        ]
        st.dataframe(table, hide_index=True, width="stretch")


def plain_name(source: Source, node: int) -> str:
    """A node's name for Markdown, and its label where it has one."""
    label = source.label_of(node)
    name = state.plain(source.graph.names[node])
    return f"{name} ({state.plain(label)})" if label else name


def names_of(source: Source, nodes: np.ndarray) -> str:
    """Names in a row, at most LISTED of them."""
    if not len(nodes):
        return t("graph_embeddings.near.none")
    shown = ", ".join(state.plain(source.graph.names[v]) for v in nodes[:LISTED])
    rest = len(nodes) - LISTED
    return f"{shown} {t('graph_embeddings.near.more', n=rest)}" if rest > 0 else shown

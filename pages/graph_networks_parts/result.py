"""The result: what the network calls every node, and how its embedding came about, epoch by epoch."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

from app.engine import Cancel, EngineError, Progress, project as projection
from app.figures.colour import colormap
from app.figures.graph import Marks, class_colours, node_colours
from app.figures.graph_networks import shares
from app.figures.printed import percent
from app.text import language, t
from app.widgets import state
from app.widgets.cloud import Cloud, cloud
from app.widgets.graph_view import NODE, graph_view, last_node
from app.widgets.progress import job
from app.widgets.results import Results
from models.graph.graph import NONE
from pages.graph_networks_parts.node import near_in_embedding, neighbours_of, node_panel
from pages.graph_networks_parts.view import HALF, LOOK, Scene, look_now, node_now, shown

PROJECTION: state.Param[str] = state.Param("projection", "pca", allowed=("pca", "tsne", "umap"))
POINTS: Results[np.ndarray] = Results(64 * 2**20)
AT_ONCE = 2_000_000  # numbers that are projected by PCA while the page waits
ROLES = ("none", "train", "validation", "test")
ROLE_COLOURS = np.array([[140, 146, 158], [0, 114, 178], [214, 170, 0], [213, 94, 0]], np.uint8)


# ---------------------------------------------------------------- the embedding in the plane


def choose_projection() -> str:
    """PCA, t-SNE or UMAP, as far as they are installed."""
    there = projection.available()
    if len(there) < 2:
        return there[0]
    st.segmented_control(
        t("graph_networks.projection"),
        there,
        format_func=lambda method: t(f"graph_networks.projection.{method}"),
        required=True,
        help=t("graph_networks.projection.help"),
        **state.bind(PROJECTION, there),
    )
    return state.get(PROJECTION, there)


def projected(scene: Scene, method: str) -> np.ndarray | None:
    """float32 (S, N, 2): the embedding of every moment in the plane; None while it is worked on."""
    name = f"{scene.key}-{method}"
    found = POINTS.get(name)
    if found is not None:
        return found

    def start(cancel: Cancel) -> Iterator[Progress[np.ndarray]]:
        for item in projection.project(scene.vectors, method, cancel=cancel):
            if item.result is not None:
                POINTS.put(name, item.result)
            yield item

    if method == "pca" and scene.vectors.size <= AT_ONCE:
        try:
            for _ in start(Cancel()):
                pass
        except EngineError as error:
            st.error(t(error.reason, **error.details))
        return POINTS.get(name)
    words = t("graph_networks.projecting")
    outcome = job("graph_networks.project", name, start, text=lambda _: words)
    if method == "umap" and outcome.state == "running":
        st.caption(t("graph_input.umap"))
    return outcome.result


# ---------------------------------------------------------------- colours and words of nodes

state.known("colour", "colour_label", "colour_degree")


def colour_choices(scene: Scene) -> tuple[str, ...]:
    """What the nodes of this scene can be coloured by."""
    if scene.labelled:
        return ("predicted", "label", "belief", "role", "degree")
    return ("label", "degree") if scene.graph.labels is not None else ("degree",)


def colour_param(scene: Scene) -> state.Param[str]:
    """The visitor's choice among them, its own for every set of choices: a graph without labels changes nothing of
    how one with labels is shown. The first of them stands in no link."""
    choices = colour_choices(scene)
    return state.Param("colour" if scene.labelled else f"colour_{choices[0]}", choices[0], allowed=choices)


def colour_now(scene: Scene) -> str:
    return state.get(colour_param(scene))


def colours_of(scene: Scene, look: int) -> np.ndarray:
    """uint8 (N, 3) by the visitor's choice."""
    by, graph = colour_now(scene), scene.graph
    if by == "degree":
        return colormap(np.log1p(graph.degree.astype(np.float64)))
    if by == "label":
        return node_colours(graph)
    if by == "role":
        assert scene.run is not None
        return ROLE_COLOURS[scene.run.split]
    belief = scene.beliefs(look)
    plain = class_colours(belief.shape[1])[belief.argmax(1)]
    if by == "predicted":
        return plain
    classes = belief.shape[1]
    return shares(plain, (belief.max(1) - 1 / classes) / max(1 - 1 / classes, 1e-9))


def legend_of(scene: Scene) -> list[tuple[str, np.ndarray]]:
    """Names and colours for the legend."""
    by = colour_now(scene)
    if by == "degree":
        return []
    if by == "role":
        return [
            (t(f"graph_networks.role.{role}"), ROLE_COLOURS[n])
            for n, role in enumerate(ROLES)
            if n or _unused(scene)
        ]
    names = scene.source.label_names[:20]
    return list(zip(names, class_colours(len(names)), strict=True))


def _unused(scene: Scene) -> bool:
    return scene.run is not None and bool((scene.run.split == 0).any())


def words_of(scene: Scene, look: int) -> list[str]:
    """What stands under the pointer at each node: its label, what the network calls it, its part in the training."""
    return _words(scene.key, look, language(), scene)


@st.cache_data(max_entries=24, show_spinner=False)
def _words(key: str, look: int, language: str, _scene: Scene) -> list[str]:
    scene = _scene
    graph = scene.graph
    if not scene.labelled:
        return [scene.source.label_of(v) for v in range(graph.count)]
    assert scene.run is not None
    belief = scene.beliefs(look)
    best, labels, names = belief.argmax(1), graph.labels, scene.source.label_names
    assert labels is not None
    said = []
    for v in range(graph.count):
        true = names[labels[v]] if labels[v] != NONE else t("graph_input.label.none")
        said.append(
            t(
                "graph_networks.node",
                label=true,
                predicted=names[best[v]],
                percent=f"{100 * belief[v, best[v]]:.0f}",
                role=t(f"graph_networks.role.{ROLES[scene.run.split[v]]}"),
            )
        )
    return said


# ---------------------------------------------------------------- the section


def result(scene: Scene, points: np.ndarray | None) -> None:
    """The graph beside the embedding, both at the moment under the slider."""
    st.header(t("graph_networks.result"), anchor="result")
    look = look_now(scene)
    _says(scene, look)
    choices = colour_choices(scene)
    if len(choices) > 1:
        st.segmented_control(
            t("graph_networks.colour"),
            choices,
            format_func=lambda by: t(f"graph_networks.colour.{by}"),
            required=True,
            **state.bind(colour_param(scene)),
        )
    colours, words, graph = colours_of(scene, look), words_of(scene, look), scene.graph
    shown().look, shown().colours = look, colours
    node = last_node(graph)
    marks = Marks(chosen=node, near=[] if node is None else sorted(neighbours_of(scene, node)))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(t("graph_networks.graph"))
        graph_view(
            graph,
            "graph_networks.view",
            colours=colours,
            words=words,
            marks=marks,
            alt=t("graph_networks.graph.alt", nodes=f"{graph.count:,}"),
            tallest=0.9,
            width=HALF,
        )
    with right:
        st.markdown(t("graph_networks.embedding", n=scene.vectors.shape[2]))
        if points is not None:
            _cloud(scene, points, colours, words, marks)
    node_panel(scene, node_now(scene), look)


def _cloud(scene: Scene, points: np.ndarray, colours: np.ndarray, words: list[str], marks: Marks) -> None:
    graph = scene.graph
    losses = losses_of(scene)
    near = [] if marks.chosen is None else near_in_embedding(scene, marks.chosen, look_now(scene))[0]
    readouts = {}
    if scene.run is not None:
        readouts[t("graph_networks.loss")] = [f"{v:.3f}" for v in losses]
        for n, role in enumerate(ROLES[1:]):
            column = scene.run.accuracy[:, n]
            if np.isfinite(column).any():
                readouts[t(f"graph_networks.accuracy.{role}")] = [percent(float(v)) for v in column]
    cloud(
        [Cloud(scene.net, scene.card.title, points, near=near)],
        "graph_networks.cloud",
        alt=t("graph_networks.embedding.alt", nodes=f"{graph.count:,}", moments=scene.moments),
        names=graph.names,
        words=words,
        colours=colours,
        legend=legend_of(scene),
        edges=np.stack([graph.source, graph.target], axis=1),
        positions=[t("graph_networks.epoch", n=int(n)) for n in scene.epochs],
        readouts=readouts,
        curve=(t("graph_networks.loss"), losses) if scene.moments > 1 else None,
        marks=Marks(chosen=marks.chosen),
        report=True,
        step_param=LOOK,
        pick_param=NODE,
    )


def losses_of(scene: Scene) -> list[float]:
    """The loss at each moment; at the start the first one measured."""
    if scene.run is None or not len(scene.run.loss):
        return [0.0] * scene.moments
    return [float(scene.run.loss[max(0, int(epoch) - 1)]) for epoch in scene.epochs]


def _says(scene: Scene, look: int) -> None:
    """How well the network does, in a sentence, and what its numbers are to be measured by."""
    if scene.origin == "untrained":
        st.markdown(t("graph_networks.says.untrained"))
        return
    epoch = int(scene.epochs[look])
    walks = scene.settings is not None and scene.settings.objective == "walks"
    if walks:
        st.markdown(t("graph_networks.says.walks", epoch=epoch))
    if not scene.labelled:
        return
    assert scene.run is not None and scene.graph.labels is not None
    labels, split = scene.graph.labels, scene.run.split
    right = scene.logits[look].argmax(1) == labels
    unseen = (split >= 2) & (labels != NONE)
    seen = split == 1
    if not unseen.any():
        st.markdown(t("graph_networks.says.all", right=int(right[seen].sum()), count=int(seen.sum())))
        return
    counts = np.bincount(labels[seen], minlength=len(scene.source.label_names))
    usual = float((labels[unseen] == np.bincount(labels[unseen]).argmax()).mean())
    st.markdown(
        t(
            "graph_networks.says.means" if walks else "graph_networks.says.labels",
            epoch=epoch,
            right=int(right[unseen].sum()),
            count=int(unseen.sum()),
            percent=percent(float(right[unseen].mean())),
            known=int(counts.sum()),
            usual=percent(usual),
        )
    )
    _test_alone(right, unseen, split == 3)


def _test_alone(right: np.ndarray, unseen: np.ndarray, test: np.ndarray) -> None:
    """How well it does on the test nodes, where the unseen ones are not all of them."""
    test = test & unseen
    if test.any() and test.sum() < unseen.sum():
        st.caption(
            t(
                "graph_networks.says.test",
                right=int(right[test].sum()),
                count=int(test.sum()),
                percent=percent(float(right[test].mean())),
            )
        )

"""Over-smoothing, measured: what averaging alone does to any signal, and what training makes of depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import streamlit as st

from app.engine import Cancel, train_gnn
from app.engine.train_gnn import Progress, Smoothing
from app.figures.charts import responsive
from app.figures.colour import colormap
from app.figures.graph import Marks
from app.figures.plots import Line, lines
from app.text import t
from app.widgets import state
from app.widgets.graph_view import graph_view
from app.widgets.guard import fragment
from app.widgets.progress import job
from app.widgets.tensor import drawing
from models.graph.smoothing import dirichlet_energy, mean_pairwise_distance
from models.graph.task import projected
from pages.graph_networks_parts.forward import Edges, gcn_edges, normalised, sum_at
from pages.graph_networks_parts.view import (
    HALF,
    Scene,
    as_recorded,
    config_now,
    node_now,
    settings_now,
    variant_now,
)

POWER = state.Param("power", 2, state.parse_whole(0, 64), str)
MOST = 64  # rounds of averaging
LARGE = 20_000  # edges beyond which fewer rounds are made
SIGNALS = 16
COMPARED = 1200  # nodes whose directions are compared with each other


def powers(edges: Edges, signal: np.ndarray, rounds: int) -> np.ndarray:
    """float64 (rounds + 1, N, d): a signal (N, d) after 0, 1, 2 … times Â, nothing learned in between."""
    looped = gcn_edges(edges)
    norm = normalised(looped)[:, None]
    steps = [np.asarray(signal, np.float64)]
    for _ in range(rounds):
        steps.append(sum_at(steps[-1][looped.source] * norm, looped.target, edges.count))
    return np.stack(steps)


def limit_of(edges: Edges, signal: np.ndarray) -> np.ndarray:
    """float64 (N, d): where the powers end on a connected undirected graph, u uᵀ signal with u ∝ D~^1/2 1."""
    u = np.sqrt(1 + np.bincount(edges.target, weights=edges.weight, minlength=edges.count))
    u = u / np.linalg.norm(u)
    return np.outer(u, u @ signal)


@st.cache_data(max_entries=16, show_spinner=False)
def _averaged(key: str, node: int, rounds: int, _edges: Edges) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The spread of one node's 1 (rounds + 1, N), and distance and energy (rounds + 1,) of random signals."""
    one = np.zeros((_edges.count, 1))
    one[node] = 1
    spread = powers(_edges, one, rounds)[..., 0]
    many = powers(_edges, projected(_edges.count, SIGNALS), rounds)
    nodes = np.arange(_edges.count)
    if _edges.count > COMPARED:
        nodes = np.random.default_rng(0).choice(nodes, COMPARED, replace=False)
    distance = np.array([mean_pairwise_distance(h[nodes], unit=True) for h in many])
    unit = [h / max(float(np.linalg.norm(h)), 1e-300) for h in many]
    energy = np.array([dirichlet_energy(h, _edges.source, _edges.target, _edges.weight) for h in unit])
    return spread, distance, energy


def averaging(scene: Scene) -> None:
    """Averaging without learning: it follows the picked node."""
    st.header(t("graph_networks.smoothing"), anchor="smoothing")
    st.markdown(t("graph_networks.smoothing.about"))
    _averaging(scene)


def depths(scene: Scene) -> None:
    """Nets of several depths, in the body of the page: training them is a job."""
    st.subheader(t("graph_networks.smoothing.trained"), anchor=False)
    st.markdown(t("graph_networks.smoothing.trained.about", net=scene.card.title))
    found = _depths(scene)
    if found is not None:
        _show(found)


@fragment
def _averaging(scene: Scene) -> None:
    """What the slider moves."""
    rounds = MOST if len(scene.edges.source) <= LARGE else 16
    node = node_now(scene)
    spread, distance, energy = _averaged(scene.source.key, node, rounds, scene.edges)
    names = scene.graph.names
    left, right = st.columns(2, gap="medium")
    with left:
        st.slider(t("graph_networks.smoothing.power"), 0, rounds, **state.bind(POWER, range(rounds + 1)))
        power = state.get(POWER, range(rounds + 1))
        graph_view(
            scene.graph,
            "graph_networks.smoothing.graph",
            colours=colormap(np.sqrt(np.abs(spread[power])), "sequential"),
            words=[f"{value:.4f}" for value in spread[power]],
            marks=Marks(),
            alt=t("graph_networks.smoothing.alt", name=names[node], power=power),
            tallest=0.9,
            width=HALF,
        )
        reached = int((spread[power] > 0).sum())
        st.caption(
            t(
                "graph_networks.smoothing.reached",
                name=state.plain(names[node]),
                power=power,
                n=reached,
                count=len(names),
            )
        )
    with right:
        k = np.arange(rounds + 1)
        for values, word in ((distance, "distance"), (energy, "energy")):
            series = [Line("", k, values)]
            drawing(
                responsive(
                    lambda width, series=series, word=word: lines(  # type: ignore[misc]
                        series,
                        title=t(f"graph_networks.smoothing.{word}"),
                        x_label=t("graph_networks.smoothing.rounds"),
                        y_label=t(f"graph_networks.smoothing.{word}.short"),
                        log_y=True,
                        marked=float(power),
                        width=width,
                        height=210,
                    )
                ),
                f"graph_networks.smoothing.{word}",
            )
        st.markdown(
            t(
                "graph_networks.smoothing.says",
                power=power,
                first=f"{distance[0]:.3g}",
                now=f"{distance[power]:.3g}",
                percent=f"{100 * distance[power] / max(distance[0], 1e-300):.2g}",
            )
        )


def _depths(scene: Scene) -> Smoothing | None:
    """Nets of several depths, trained here or recorded."""
    graph, net = scene.graph, scene.net
    if as_recorded() and not variant_now(net):
        found = train_gnn.recorded_smoothing(net, graph)
        if found is not None:
            st.caption(t("graph_networks.smoothing.recorded"))
            return found
    if not train_gnn.available():
        st.info(t("graph_networks.smoothing.no_torch"), icon=":material/info:")
        return None
    if graph.labels is None:
        st.info(t("graph_networks.no_labels.short"), icon=":material/info:")
        return None
    config = {name: value for name, value in config_now(net).items() if name != "layers"}
    settings = replace(settings_now(net, graph), objective="labels")

    def start(cancel: Cancel) -> Iterator[Progress]:
        return train_gnn.smoothing(net, graph, settings, cancel=cancel, config=config)

    outcome = job(
        "graph_networks.smoothing",
        (net, scene.source.key, repr(config), repr(settings)),
        start,
        text=lambda item: t("graph_networks.smoothing.progress", done=item.done, total=item.total),
        autostart=False,
        button=t("graph_networks.smoothing.start"),
        note=t("graph_networks.smoothing.note"),
    )
    return outcome.result


def _show(found: Smoothing) -> None:
    """Distance and accuracy over depth."""
    x = np.array(found.depths)
    left, right = st.columns(2, gap="medium")
    distances = [
        Line(t("graph_networks.smoothing.before"), x, found.untrained_distance, "faint", True),
        Line(t("graph_networks.smoothing.after"), x, found.distance, "accent"),
    ]
    accuracy = [
        Line(t("graph_networks.role.train"), x, 100 * found.accuracy[:, 0], "faint", True),
        Line(t("graph_networks.role.test"), x, 100 * found.accuracy[:, 2], "accent"),
    ]
    for column, series, word in ((left, distances, "distance"), (right, accuracy, "accuracy")):
        with column:
            drawing(
                responsive(
                    lambda width, series=series, word=word: lines(  # type: ignore[misc]
                        series,
                        title=t(f"graph_networks.smoothing.depth.{word}"),
                        x_label=t("graph_networks.smoothing.layers"),
                        y_label=t(f"graph_networks.smoothing.{word}.short"),
                        y_range=(0.0, 105.0) if word == "accuracy" else None,
                        width=width,
                        height=240,
                    )
                ),
                f"graph_networks.smoothing.depth.{word}",
            )
    rows = [
        f"| {depth} | {found.untrained_distance[i]:.3f} | {found.distance[i]:.3f} ± {found.distance_sd[i]:.3f} "
        f"| {found.energy[i]:.2e} | {100 * found.accuracy[i, 2]:.0f} ± {100 * found.test_sd[i]:.0f} |"
        for i, depth in enumerate(found.depths)
    ]
    with st.expander(t("graph_networks.smoothing.table")):
        head = " | ".join(
            t(f"graph_networks.smoothing.column.{word}")
            for word in ("depth", "before", "after", "energy", "test")
        )
        st.markdown(f"| {head} |\n|---:|---:|---:|---:|---:|\n" + "\n".join(rows))
    st.caption(t("graph_networks.smoothing.seeds", n=len(found.seeds)))

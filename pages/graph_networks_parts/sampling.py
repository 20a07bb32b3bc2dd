"""GraphSAGE reads a sample of the neighbours: which nodes that are, and what it costs in accuracy."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures.charts import responsive
from app.figures.graph import Marks
from app.figures.plots import Line, lines
from app.text import t
from app.widgets import state
from app.widgets.graph_view import graph_view
from app.widgets.tensor import drawing
from models.graph.graph import Graph
from models.neighbours import Sample, sample
from pages.graph_networks_parts.forward import Arrays, Config, sampled_embedding
from pages.graph_networks_parts.view import HALF, Scene, Seen, inside_at, look_now, node_now, say_moment

FAN = state.Param("fan", 3, state.parse_whole(1, 25), str)
DRAW = state.Param("draw", 0, state.parse_whole(0, 9999), str)
FANS = (1, 2, 3, 5, 10, 25)
DRAWS = 40
UNREAD = (214, 217, 222)
HOPS = np.array([[15, 118, 110], [213, 94, 0], [0, 114, 178], [204, 121, 167], [120, 94, 240]], np.uint8)


def draw(graph: Graph, node: int, fan: int, layers: int, seed: int) -> Sample:
    """What one node reads in all rounds when it reads at most `fan` neighbours of each node."""
    rows = graph.reversed()
    rng = np.random.default_rng([seed, node])
    return sample(rows.indptr, rows.indices, np.array([node]), [fan] * layers, rng)


def hops_of(drawn: Sample) -> dict[int, int]:
    """Node -> the round, counted back from the node itself (0), in which it is first read."""
    found: dict[int, int] = {}
    counts = [hop.count for hop in reversed(drawn.hops)]  # 1, then as many as each round back needs
    for place, v in enumerate(drawn.nodes.tolist()):
        found[v] = next((k for k, count in enumerate(counts) if place < count), len(counts))
    return found


def errors(
    config: Config, state_: Arrays, x: np.ndarray, graph: Graph, node: int, seeds: int = DRAWS
) -> np.ndarray:
    """(len(FANS),): the mean distance of a node's sampled embedding from the full one, as a share of its length."""
    most = int(graph.reversed().degree.max(initial=1)) + 1
    layers = int(config["layers"])
    exact = sampled_embedding(config, state_, x, draw(graph, node, most, layers, 0))[0]
    found = []
    for fan in FANS:
        each = [
            np.linalg.norm(
                sampled_embedding(config, state_, x, draw(graph, node, fan, layers, seed))[0] - exact
            )
            for seed in range(seeds)
        ]
        found.append(float(np.mean(each)))
    return np.array(found) / max(float(np.linalg.norm(exact)), 1e-12)


@st.cache_data(max_entries=64, show_spinner=False)
def _errors(name: str, node: int, seeds: int, _scene: Scene, _seen: Seen) -> np.ndarray:
    state_ = {n: v.astype(np.float64) for n, v in _seen.state.items()}
    return errors(_scene.config, state_, _scene.x.astype(np.float64), _scene.graph, node, seeds)


def sampling(scene: Scene) -> None:
    """The whole section; only for GraphSAGE."""
    st.header(t("graph_networks.sampling"), anchor="sampling")
    st.markdown(t("graph_networks.sampling.about"))
    seen = inside_at(scene, look_now(scene))
    say_moment(scene, seen)
    graph, node, layers = scene.graph, node_now(scene), int(scene.config["layers"])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider(t("graph_networks.sampling.fan"), 1, 25, width=320, **state.bind(FAN))
        st.button(
            t("graph_networks.sampling.again"),
            key="graph_networks.sampling.again",
            icon=":material/casino:",
            on_click=lambda: state.put(DRAW, (state.get(DRAW) + 1) % 10_000),
        )
    fan = state.get(FAN)
    drawn = draw(graph, node, fan, layers, state.get(DRAW))
    full = draw(graph, node, int(graph.reversed().degree.max(initial=1)) + 1, layers, 0)
    hops = hops_of(drawn)
    colours = np.tile(np.array(UNREAD, np.uint8), (graph.count, 1))
    for v, hop in hops.items():
        colours[v] = HOPS[min(hop, len(HOPS) - 1)]
    left, right = st.columns(2, gap="medium")
    with left:
        first = drawn.hops[-1]  # what the node itself reads, in the last round
        near = {int(drawn.nodes[s]): 0.35 for s in first.source}
        graph_view(
            graph,
            "graph_networks.sampling.graph",
            colours=colours,
            marks=Marks(chosen=node, near=[v for v, hop in hops.items() if hop], spokes=near),
            alt=t("graph_networks.sampling.alt", name=graph.names[node], n=len(hops)),
            tallest=0.9,
            width=HALF,
        )
    with right:
        st.markdown(
            t(
                "graph_networks.sampling.says",
                name=state.plain(graph.names[node]),
                layers=layers,
                read=len(drawn.nodes),
                messages=sum(len(hop.source) for hop in drawn.hops),
                all=len(full.nodes),
                all_messages=sum(len(hop.source) for hop in full.hops),
                count=graph.count,
            )
        )
        z = sampled_embedding(scene.config, seen.state, scene.x.astype(np.float64), drawn)[0]
        exact = seen.taps[f"layers.{layers - 1}.out"][node].astype(np.float64)
        off = float(np.linalg.norm(z - exact)) / max(float(np.linalg.norm(exact)), 1e-12)
        st.markdown(t("graph_networks.sampling.off", percent=f"{100 * off:.1f}"))
        seeds = DRAWS if len(full.nodes) <= 400 and scene.config["aggregator"] != "lstm" else 8
        found = _errors(f"{scene.key}-{seen.look}", node, seeds, scene, seen)
        drawing(
            responsive(
                lambda width: lines(
                    [Line("", np.array(FANS), 100 * found)],
                    title=t("graph_networks.sampling.chart"),
                    x_label=t("graph_networks.sampling.x"),
                    y_label=t("graph_networks.sampling.y"),
                    y_range=(0.0, max(1.0, 105 * float(found.max()))),
                    marked=float(fan),
                    width=width,
                    height=220,
                )
            ),
            "graph_networks.sampling.errors",
        )
        st.caption(t("graph_networks.sampling.mean", draws=seeds))

"""Walks for the page, drawn by the functions that training draws them with; and those of a training, drawn again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from models.graph import deepwalk, node2vec, skipgram, struc2vec
from models.graph.graph import Graph
from pages.graph_embeddings_parts.scene import Scene

MOST_PLACES = 1_500_000  # nodes on walks that are drawn again while the page waits
MOST_COMPARED = 150  # nodes of a graph whose structural distances are worked out again


@dataclass(frozen=True, eq=False)
class Choice:
    """The next step of a walk. neighbours, weight (unnormalised), probability: (degree,) each.

    kind: (degree,) 0 back, 1 near, 2 away of each neighbour; None where the walk does not remember its last step.
    """

    neighbours: np.ndarray
    weight: np.ndarray
    probability: np.ndarray
    kind: np.ndarray | None = None


def choice_at(scene: Scene, before: int | None, now: int, p: float, q: float) -> Choice:
    """What a walk that came from `before` (None: it starts here) chooses among at `now`."""
    graph = scene.graph
    if scene.method != "node2vec" or before is None:
        return Choice(graph.neighbours(now), graph.weights_of(now), deepwalk.transitions(graph, now))
    following = graph.neighbours(now)
    came = np.full_like(following, before)
    kind = np.where(following == before, 0, np.where(graph.has_edge(came, following), 1, 2))
    weight = graph.weights_of(now) * node2vec.bias(graph, came, following, p, q)
    return Choice(following, weight, node2vec.transitions(graph, before, now, p, q), kind)


def drawn_from(scene: Scene, start: int, many: int, length: int, p: float, q: float, seed: int) -> np.ndarray:
    """int64 (many, length): walks from a node; -1 after the end of a walk. start -1: `many` walks from every node."""
    found: np.ndarray = _drawn(scene.graph, scene.source.key, start, many, length, p, q, seed)
    return found


@st.cache_data(show_spinner=False, max_entries=64)
def _drawn(
    _graph: Graph, key: str, start: int, many: int, length: int, p: float, q: float, seed: int
) -> np.ndarray:
    """key: names the graph in the cache."""
    starts = np.tile(np.arange(_graph.count), many) if start < 0 else np.full(many, start)
    rng = np.random.default_rng(seed)
    if p == q == 1:
        return deepwalk.walk_from(_graph, starts, length, rng)
    return node2vec.walk_from(_graph, starts, length, p, q, rng)


# ---------------------------------------------------------------- the walks of a training


def walks_of(method: str, graph: Graph, config: Any) -> Iterator[np.ndarray]:
    """Blocks int (N, length), -1 after a walk's end: those of the training."""
    if method == "node2vec":
        return node2vec.random_walks(graph, config.walks, config.length, config.p, config.q, config.seed)
    if method == "struc2vec":
        context = struc2vec.context_graph(graph.count, struc2vec.distances(graph, config))
        return struc2vec.random_walks(context, config.walks, config.length, config.stay, config.seed)
    return deepwalk.random_walks(graph, config.walks, config.length, config.seed)


@st.cache_data(show_spinner=False, max_entries=32)
def _frequency(method: str, _graph: Graph, key: str, _config: Any, said: str) -> np.ndarray:
    """int64 (N,): how often each node stands on the walks. key, said: name graph and config in the cache."""
    found = np.zeros(_graph.count, dtype=np.int64)
    for block in walks_of(method, _graph, _config):
        found += skipgram.frequencies(block, _graph.count)
    return found


def frequency_of(scene: Scene) -> np.ndarray | None:
    """How often each node stands on the walks that were trained on; None where that would take long."""
    run = scene.run
    if run is None or (scene.method == "struc2vec" and scene.graph.count > MOST_COMPARED):
        return None
    if scene.graph.count * run.config.walks * run.config.length > MOST_PLACES:
        return None
    found: np.ndarray = _frequency(scene.method, scene.graph, scene.source.key, run.config, repr(run.config))
    return found

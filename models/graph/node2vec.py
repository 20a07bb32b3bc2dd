"""node2vec: DeepWalk with walks that can be told to stay near their start or to lead away from it. numpy only.

Grover and Leskovec, "node2vec: Scalable Feature Learning for Networks", KDD 2016, section 3.2.

A walk that came from t to v goes on to a neighbour x of v with probability proportional to

    w_vx · α(t, x),    α = 1/p   where x = t          (back)
                           1     where t has an edge to x
                           1/q   otherwise            (away from t)

The first step goes by w alone. q > 1 keeps the walk near its start, as breadth-first search does; q < 1 leads it away,
as depth-first search does; p > 1 makes turning back rare. With p = q = 1 it is DeepWalk's walk.
The paper's settings: 10 walks of 80 nodes, window 10, dim 128, negative sampling, p and q in {0.25, 0.5, 1, 2, 4}.

Drawing: as in the paper, one alias table for each edge (t, v) over the neighbours of v, all built at once. That takes
Σ degree² cells; a graph with more than `CELLS` draws from the tables by w, one for each node, and takes the draw
with probability α / max α, else draws again: the same distribution (Yang et al., "KnightKing", SOSP 2019).
In a directed graph α looks for an edge t → x, as d_tx in the paper does; the released code looks for x → t.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from models.graph import deepwalk, skipgram
from models.graph.alias import Alias
from models.graph.graph import Graph
from models.graph.method import Step, require_ranges

CELLS = 1_000_000  # of the alias tables of all edges: a few tenths of a second to build


@dataclass(frozen=True, kw_only=True)
class Config(skipgram.WalkConfig):
    """Settings of node2vec. p: how unwilling a walk is to turn back. q: how unwilling to lead away."""

    p: float = 1.0
    q: float = 1.0
    loss: Literal["hs", "ns"] = "ns"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_ranges(self, {"p": (0.01, 100), "q": (0.01, 100)})


def bias(graph: Graph, previous: np.ndarray, following: np.ndarray, p: float, q: float) -> np.ndarray:
    """α(t, x), float64: previous and following are nodes t and x, of the same shape."""
    near = np.where(graph.has_edge(previous, following), 1.0, 1 / q)
    return np.where(following == previous, 1 / p, near)


def transitions(graph: Graph, previous: int | None, node: int, p: float, q: float) -> np.ndarray:
    """float64 (degree,): the probability of each of `graph.neighbours(node)` to be next, for a walk that came from
    `previous` (None: that starts at `node`)."""
    weights = graph.weights_of(node)
    if previous is not None:
        following = graph.neighbours(node)
        weights = weights * bias(graph, np.full_like(following, previous), following, p, q)
    return weights / weights.sum()


def edge_tables(graph: Graph, p: float, q: float) -> Alias:
    """Alias tables of the second order: row e, for the edge e = (t, v) of the graph's rows, has a cell for each
    neighbour of v, in their order."""
    onward, edge = graph.entries(graph.indices)
    indptr = np.concatenate([[0], np.cumsum(graph.degree[graph.indices])])
    alpha = bias(graph, graph.row[edge], graph.indices[onward], p, q)
    return Alias.of_rows(indptr, graph.data[onward] * alpha)


def walk_from(
    graph: Graph, starts: np.ndarray, length: int, p: float, q: float, rng: np.random.Generator
) -> np.ndarray:
    """int32 (S, length): a walk from each of the starts (S,), -1 after its end."""
    first = Alias.of_rows(graph.indptr, graph.data)
    return _walk(graph, first, _onward(graph, first, p, q), starts, length, rng)


def random_walks(
    graph: Graph, walks: int, length: int, p: float, q: float, seed: int = 0
) -> Iterator[np.ndarray]:
    """`walks` times a block int32 (N, length) with one walk from every node, -1 after its end."""
    rng, first = deepwalk.walk_rng(seed), Alias.of_rows(graph.indptr, graph.data)
    onward = _onward(graph, first, p, q)
    for _ in range(walks):
        yield _walk(graph, first, onward, np.arange(graph.count), length, rng)


Onward = Callable[[np.random.Generator, np.ndarray], np.ndarray]
"""For walks that came along these edges of the graph's rows, (S,), the edges they take next."""


def _onward(graph: Graph, first: Alias, p: float, q: float) -> Onward:
    small = int((graph.degree[graph.indices]).sum()) <= CELLS
    return _by_tables(graph, p, q) if small else _by_rejection(graph, first, p, q)


def _by_tables(graph: Graph, p: float, q: float) -> Onward:
    tables = edge_tables(graph, p, q)

    def onward(rng: np.random.Generator, edge: np.ndarray) -> np.ndarray:
        cell = tables.draw_rows(rng, edge) - tables.indptr[edge]
        return graph.indptr[graph.indices[edge]] + cell

    return onward


def _by_rejection(graph: Graph, first: Alias, p: float, q: float) -> Onward:
    most = max(1 / p, 1.0, 1 / q)

    def onward(rng: np.random.Generator, edge: np.ndarray) -> np.ndarray:
        taken = np.empty_like(edge)
        left = np.arange(len(edge))
        while len(left):
            came = edge[left]
            drawn = first.draw_rows(rng, graph.indices[came])
            alpha = bias(graph, graph.row[came], graph.indices[drawn], p, q)
            good = rng.random(len(left)) * most < alpha
            taken[left[good]] = drawn[good]
            left = left[~good]
        return taken

    return onward


def _walk(
    graph: Graph, first: Alias, onward: Onward, starts: np.ndarray, length: int, rng: np.random.Generator
) -> np.ndarray:
    walks = np.full((len(starts), length), -1, dtype=np.int32)
    walks[:, 0] = at = np.asarray(starts, dtype=np.int64)
    walker, edge = np.arange(len(starts)), np.zeros(len(starts), dtype=np.int64)
    for place in range(1, length):
        going = graph.degree[at] > 0
        walker, at, edge = walker[going], at[going], edge[going]
        edge = first.draw_rows(rng, at) if place == 1 else onward(rng, edge)
        at = graph.indices[edge]
        walks[walker, place] = at
    return walks


def train(graph: Graph, config: Config) -> Iterator[Step]:
    """Walks and trains; see `models.graph.method.Step`."""
    walked = random_walks(graph, config.walks, config.length, config.p, config.q, config.seed)
    share = graph.count * config.length
    pieces = ((share, block) for block in walked)
    yield from skipgram.train(pieces, share * config.walks, graph.count, config)

"""The arithmetic behind the views of Struc2vec: rings, all structural distances as a table, look-alikes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.graph import struc2vec
from models.graph.graph import Graph


@dataclass(frozen=True, eq=False)
class Level:
    """Ring k of two nodes: the members of each, their sequences, how these are laid onto each other, and f_k."""

    first: np.ndarray
    second: np.ndarray
    a: struc2vec.Sequence
    b: struc2vec.Sequence
    warp: struc2vec.Warp
    f: float


def levels(graph: Graph, u: int, v: int, layers: int, opt1: bool) -> list[Level]:
    """Rings 0 … layers of two nodes, as far as both have one, and f_k summed up. Directions do not matter."""
    graph = graph.undirected()
    away = struc2vec.hops(graph, np.array([u, v]), layers)
    found: list[Level] = []
    f = 0.0
    for k in range(layers + 1):
        first, second = (np.flatnonzero(row == k) for row in away)
        if not (len(first) and len(second)):
            break
        a, b = (struc2vec.sequence(graph.degree[ring], opt1) for ring in (first, second))
        warp = struc2vec.dtw(a, b)
        f += warp.cost
        found.append(Level(first, second, a, b, warp, f))
    return found


def longest_ring(graph: Graph, u: int, v: int, layers: int) -> int:
    """The most nodes that a ring of one of the two has: what `levels` takes grows with its square."""
    away = struc2vec.hops(graph.undirected(), np.array([u, v]), layers)
    return int(max(np.bincount(row[row >= 0]).max() for row in away))


def table_of(found: struc2vec.Distances, count: int) -> np.ndarray:
    """float64 (K, N, N): f_k of every two nodes, 0 of a node with itself, NaN where it is not defined."""
    table = np.full((len(found.f), count, count), np.nan)
    first, second = found.pairs.T
    table[:, first, second] = table[:, second, first] = found.f
    table[:, np.arange(count), np.arange(count)] = 0.0
    return table


def depths(graph: Graph, layers: int) -> np.ndarray:
    """int64 (N,): the last ring of each node, at most `layers`."""
    away = struc2vec.hops(graph.undirected(), np.arange(graph.count), layers)
    deepest: np.ndarray = away.max(axis=1).astype(np.int64)
    return deepest


def last(table: np.ndarray) -> np.ndarray:
    """float64 (N, N): f_k of every two nodes at the last layer where it is defined."""
    found = table[0].copy()
    for layer in table[1:]:
        found = np.where(np.isnan(layer), found, layer)
    return found


def look_alikes(table: np.ndarray, depth: np.ndarray) -> np.ndarray:
    """int64 (N,): the class of each node, 0 the largest; nodes of one class have equally many rings and f = 0."""
    same = (last(table) == 0) & (depth[:, None] == depth)
    _, number, sizes = np.unique(same.argmax(axis=1), return_inverse=True, return_counts=True)
    rank = np.empty_like(sizes)
    rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
    classes: np.ndarray = rank[number]
    return classes


@dataclass(frozen=True)
class Alike:
    """Mean cosine of learned vectors: of look-alikes, of neighbours in the graph, of all pairs. NaN without pairs."""

    same: float
    joined: float
    everyone: float


def alike(graph: Graph, vectors: np.ndarray, classes: np.ndarray) -> Alike:
    """Over all pairs of different nodes."""
    unit = vectors.astype(np.float64)
    unit /= np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-12)
    cosine = unit @ unit.T
    first, second = np.triu_indices(graph.count, 1)
    cosine = cosine[first, second]
    same = classes[first] == classes[second]
    joined = graph.has_edge(first, second) | graph.has_edge(second, first)

    def mean(mask: np.ndarray) -> float:
        return float(cosine[mask].mean()) if mask.any() else float("nan")

    return Alike(mean(same), mean(joined), float(cosine.mean()) if len(cosine) else float("nan"))


def nearest(table: np.ndarray, depth: np.ndarray, away: np.ndarray, node: int) -> int:
    """The node most like this one: as many rings and the smallest f; of several the one farthest from it.

    away: int (N,), edges from the node, negative where no way leads there: that is farther than all others.
    """
    f = last(table)[node] + 1e6 * (depth != depth[node])
    f[node] = np.inf
    alike = np.flatnonzero(f <= f.min() + 1e-12)
    far = np.where(away < 0, len(away), away)[alike]
    return int(alike[np.argmax(far)])


def heavy(f: np.ndarray, node: int) -> tuple[int, float]:
    """Gamma of a node in a layer, how many of its edges weigh more than the layer's mean; and that mean. f: (N, N)."""
    weight = np.exp(-f)
    first, second = np.triu_indices(len(f), 1)
    mean = float(np.nanmean(weight[first, second]))
    mine = np.delete(weight[node], node)
    return int((mine > mean).sum()), mean

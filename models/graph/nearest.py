"""Who is near whom in an embedding, and how well that agrees with the graph or with another embedding. numpy only.

The measure is "cosine", of the angle between two vectors, as the skip-gram methods and LINE use them; or "distance",
Euclid's, where vectors are made for it (SDNE's Laplacian term pulls them together). Larger always means nearer:
a distance is counted negative.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from models.graph.graph import Graph

Measure = Literal["cosine", "distance"]
CELLS = 200_000  # of a table of likenesses: of a larger graph only some nodes are asked
FEWEST = 20  # but not fewer than so many
TIE = 1e-6  # nodes whose likeness differs by less, relative to its size, are equally near


def likeness(vectors: np.ndarray, node: int | np.ndarray, measure: Measure = "cosine") -> np.ndarray:
    """float32 (N,), or (Q, N) for Q nodes: how near every node is to the given one. To a vector of zeros none is near.

    vectors: (N, d).
    """
    x: np.ndarray = np.asarray(vectors, dtype=np.float32)
    if measure == "cosine":
        length = np.linalg.norm(x, axis=1, keepdims=True)
        x = x / np.where(length > 0, length, 1)
        cosine: np.ndarray = np.clip(x[node] @ x.T, -1, 1)
        return cosine
    squares = np.square(x).sum(1)
    apart = squares[node][..., None] + squares - 2 * (x[node] @ x.T)
    return -np.sqrt(np.maximum(apart, 0))


def nearest(
    vectors: np.ndarray, node: int, k: int, measure: Measure = "cosine"
) -> tuple[np.ndarray, np.ndarray]:
    """The k nodes nearest to one, itself left out, and their likeness; ties in the order of the nodes."""
    near = likeness(vectors, node, measure)
    order = np.argsort(-near, kind="stable")
    order = order[order != node][:k]
    return order, near[order]


def kept_neighbours(graph: Graph, vectors: np.ndarray, measure: Measure = "cosine") -> tuple[float, float]:
    """The mean share of the `degree` nearest nodes that are neighbours in the graph, over the nodes `asked`; by chance.

    1: every node's neighbours are nearer than all others. Nodes equally near share the last places. Self-loops and
    nodes without neighbours are left out; a directed edge counts from its start.
    """
    nodes, near = _table(vectors, measure)
    ordered = np.sort(near, axis=1)
    shares, chances = [], []
    for row, node in enumerate(nodes.tolist()):
        mine = graph.neighbours(node)
        mine = mine[mine != node]
        if not len(mine):
            continue
        last = ordered[row, -len(mine)]  # the farthest of the `degree` nearest
        slack = TIE * max(1.0, abs(float(last)))
        above, tied = near[row] > last + slack, np.abs(near[row] - last) <= slack
        places = (len(mine) - np.count_nonzero(above)) / np.count_nonzero(
            tied
        )  # for each of those equally near
        shares.append((np.count_nonzero(above[mine]) + places * np.count_nonzero(tied[mine])) / len(mine))
        chances.append(len(mine) / (graph.count - 1))
    return (float(np.mean(shares)), float(np.mean(chances))) if shares else (0.0, 0.0)


def shared_neighbours(
    first: np.ndarray, second: np.ndarray, k: int, measures: tuple[Measure, Measure] = ("cosine", "cosine")
) -> tuple[float, float]:
    """The mean share of the k nearest nodes that two embeddings (N, d) of one graph have in common; and by chance.

    Over the nodes `asked`.
    """
    k = min(k, len(first) - 1)
    if k < 1:
        return 0.0, 0.0
    tops = []
    for vectors, measure in zip((first, second), measures, strict=True):
        near = _table(vectors, measure)[1]
        tops.append(np.argsort(-near, axis=1, kind="stable")[:, :k])
    common = [len(np.intersect1d(a, b)) for a, b in zip(*tops, strict=True)]
    return float(np.mean(common)) / k, k / (len(first) - 1)


def asked(count: int) -> np.ndarray:
    """int64 (Q,), ascending: which of N nodes the means are taken over, all of a small graph, else some evenly."""
    most = min(count, max(FEWEST, CELLS // count))
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.int64))


def _table(vectors: np.ndarray, measure: Measure) -> tuple[np.ndarray, np.ndarray]:
    """The nodes that are asked, and how near all nodes are to each of them, itself never: float32 (Q, N)."""
    nodes = asked(len(vectors))
    near = likeness(vectors, nodes, measure)
    near[np.arange(len(nodes)), nodes] = -np.inf
    return nodes, near

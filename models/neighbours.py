"""Which neighbours GraphSAGE reads: a few of each node, drawn anew for every batch. numpy only.

Hamilton, Ying and Leskovec, "Inductive Representation Learning on Large Graphs", NeurIPS 2017 (algorithm 2, lines 1
to 7).
Differs from the paper: a node with fewer neighbours than the sample's size gives each of them once (the paper draws
with replacement).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Hop:
    """The edges that one layer reads: int64 (E,) numbers within the sample; only the first `count` nodes go on."""

    source: np.ndarray
    target: np.ndarray
    count: int


@dataclass(frozen=True)
class Sample:
    """What a few nodes need of a graph. nodes: int64 (n,), the wanted ones first. hops: one a layer, in order."""

    nodes: np.ndarray
    hops: tuple[Hop, ...]


def sample_neighbours(
    indptr: np.ndarray, indices: np.ndarray, nodes: np.ndarray, size: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """At most `size` neighbours of each node, drawn without replacement and in random order.

    indptr, indices: the rows of edges that arrive (of an undirected graph: its rows).
    Returns (position in `nodes`, neighbour), int64 (E,) each, row after row.
    """
    degree = indptr[nodes + 1] - indptr[nodes]
    row = np.repeat(np.arange(len(nodes)), degree)
    rank = np.arange(len(row)) - np.repeat(np.cumsum(degree) - degree, degree)  # 0 … degree-1 in every row
    neighbour = indices[np.repeat(indptr[nodes], degree) + rank]
    shuffled = np.lexsort((rng.random(len(row)), row))  # rows stay in order, entries within a row do not
    kept = shuffled[rank < size]
    return row[kept], neighbour[kept]


def sample(
    indptr: np.ndarray, indices: np.ndarray, batch: np.ndarray, sizes: Sequence[int], rng: np.random.Generator
) -> Sample:
    """Algorithm 2, lines 1 to 7: from the wanted nodes (each once) back to all that they read.

    sizes: how many neighbours a node reads in each layer, the first layer first.
    """
    nodes, hops = np.asarray(batch, dtype=np.int64), []
    for size in reversed(sizes):
        count = len(nodes)
        target, neighbour = sample_neighbours(indptr, indices, nodes, size, rng)
        nodes = np.concatenate([nodes, np.setdiff1d(neighbour, nodes)])
        order = np.argsort(nodes)
        hops.append(Hop(order[np.searchsorted(nodes, neighbour, sorter=order)], target, count))
    return Sample(nodes, tuple(reversed(hops)))

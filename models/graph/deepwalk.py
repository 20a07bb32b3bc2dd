"""DeepWalk: nodes that often meet on random walks get similar vectors. numpy only.

Perozzi, Al-Rfou, Skiena, "DeepWalk: Online Learning of Social Representations", KDD 2014, algorithms 1 and 2.

    P(next = v | at u) = w_uv / Σ_x w_ux        (1 / degree where edges have no weights)

γ walks of t nodes start at every node; skip-gram with a window of w nodes then learns from them (models/graph/
skipgram.py). The paper's settings are γ 80, t 40, w 10, dim 128, hierarchical softmax; those of the released code,
which are the defaults here, γ 10, t 40, w 5, dim 64.

Differs from the paper: all starts walk side by side, and skip-gram begins when the walks are done, for the Huffman
tree needs their frequencies. A walk that reaches a node without a way out ends there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from models.graph import skipgram
from models.graph.alias import Alias
from models.graph.graph import Graph
from models.graph.method import Step


@dataclass(frozen=True, kw_only=True)
class Config(skipgram.WalkConfig):
    """Settings of DeepWalk; see `skipgram.WalkConfig`."""


def transitions(graph: Graph, node: int) -> np.ndarray:
    """float64 (degree,): the probability of each of `graph.neighbours(node)` to be the next on the walk."""
    weights = graph.weights_of(node)
    return weights / weights.sum()


def walk_from(graph: Graph, starts: np.ndarray, length: int, rng: np.random.Generator) -> np.ndarray:
    """int32 (S, length): a walk from each of the starts (S,), -1 after its end."""
    return _walk(graph, Alias.of_rows(graph.indptr, graph.data), starts, length, rng)


def random_walks(graph: Graph, walks: int, length: int, seed: int = 0) -> Iterator[np.ndarray]:
    """`walks` times a block int32 (N, length) with one walk from every node, -1 after its end."""
    rng, table = walk_rng(seed), Alias.of_rows(graph.indptr, graph.data)
    for _ in range(walks):
        yield _walk(graph, table, np.arange(graph.count), length, rng)


def _walk(
    graph: Graph, table: Alias, starts: np.ndarray, length: int, rng: np.random.Generator
) -> np.ndarray:
    walks = np.full((len(starts), length), -1, dtype=np.int32)
    walks[:, 0] = at = np.asarray(starts, dtype=np.int64)
    walker = np.arange(len(starts))
    for place in range(1, length):
        going = graph.degree[at] > 0
        walker, at = walker[going], at[going]
        at = graph.indices[table.draw_rows(rng, at)]
        walks[walker, place] = at
    return walks


def walk_rng(seed: int) -> np.random.Generator:
    """The generator of the walks, apart from the one of the training: another loss leaves the walks as they are."""
    return np.random.default_rng(seed).spawn(2)[0]


def train(graph: Graph, config: Config) -> Iterator[Step]:
    """Walks and trains; see `models.graph.method.Step`."""
    walked = random_walks(graph, config.walks, config.length, config.seed)
    share = graph.count * config.length
    yield from skipgram.train(((share, block) for block in walked), share * config.walks, graph.count, config)

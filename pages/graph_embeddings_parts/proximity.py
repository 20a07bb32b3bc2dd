"""The arithmetic behind the views of LINE: what both orders say of a pair, and what one training step does to it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.graph.evaluate import common_neighbours
from models.graph.graph import Graph

PAIRS = 200_000  # looked at when there are more


def sigmoid(x: np.ndarray | float) -> np.ndarray:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * np.asarray(x, np.float64))))


def log_sigmoid(x: np.ndarray | float) -> np.ndarray:
    """log of the sigmoid, without overflow."""
    return -np.logaddexp(0.0, -np.asarray(x, np.float64))


def softmax(scores: np.ndarray) -> np.ndarray:
    """float64 like the scores (n,); sums to 1."""
    raised = np.exp(np.asarray(scores, np.float64) - np.max(scores))
    return raised / raised.sum()


@dataclass(frozen=True, eq=False)
class Lesson:
    """One step of negative sampling, worked out: the context c of node i, and K nodes that are told to be none.

    nodes, label (1 for c, 0 otherwise), dot = u'_n · u_i, sure = sigmoid(dot), pull = label - sure: (K + 1,) each.
    loss = -log s(u'_c · u_i) - sum log s(-u'_n · u_i). gradient (d,): of the loss in u_i, -sum pull u'_n.
    numeric: the loss's slope along the gradient, by a small step both ways, to be compared with |gradient|².
    """

    nodes: np.ndarray
    label: np.ndarray
    dot: np.ndarray
    sure: np.ndarray
    pull: np.ndarray
    loss: float
    gradient: np.ndarray
    numeric: float


def lesson(vector: np.ndarray, contexts: np.ndarray, nodes: np.ndarray, step: float = 1e-4) -> Lesson:
    """vector: u_i (d,). contexts: u' (N, d). nodes: int (K + 1,), the true context first."""
    u, others = np.asarray(vector, np.float64), np.asarray(contexts, np.float64)[nodes]
    label = (np.arange(len(nodes)) == 0).astype(np.float64)

    def loss(at: np.ndarray) -> float:
        return float(-log_sigmoid(np.where(label > 0, 1, -1) * (others @ at)).sum())

    dot = others @ u
    sure = sigmoid(dot)
    pull = label - sure
    gradient = -(pull[:, None] * others).sum(0)
    size = float(np.linalg.norm(gradient)) or 1.0
    along = gradient / size
    numeric = (loss(u + step * along) - loss(u - step * along)) / (2 * step) * size
    return Lesson(nodes, label, dot, sure, pull, loss(u), gradient, numeric)


@dataclass(frozen=True)
class Kinds:
    """Mean cosine of two kinds of pairs in some vectors: joined without a common neighbour, and twins without an edge.

    NaN where there are none. tied, twins: how many such pairs were looked at.
    """

    tied: int
    twins: int
    cosine_tied: float
    cosine_twins: float
    cosine_all: float


def kinds(graph: Graph, vectors: np.ndarray, seed: int = 0) -> Kinds:
    """Twins share at least half of their neighbours (Jaccard), and two or more. Of more than PAIRS pairs, a sample."""
    graph = graph.undirected()
    first, second = _pairs(graph.count, seed)
    pairs = np.stack([first, second], 1)
    shared = common_neighbours(graph, pairs)
    joined = graph.has_edge(first, second)
    union = graph.degree[first] + graph.degree[second] - shared
    tied = joined & (shared == 0)
    twins = ~joined & (shared >= 2) & (2 * shared >= union)
    unit = np.asarray(vectors, np.float64)
    unit = unit / np.maximum(np.linalg.norm(unit, axis=1, keepdims=True), 1e-12)
    cosine = np.einsum("md,md->m", unit[first], unit[second])

    def mean(mask: np.ndarray) -> float:
        return float(cosine[mask].mean()) if mask.any() else float("nan")

    return Kinds(int(tied.sum()), int(twins.sum()), mean(tied), mean(twins), float(cosine.mean()))


def _pairs(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    if count * (count - 1) // 2 <= PAIRS:
        first, second = np.triu_indices(count, 1)
        return first, second
    rng = np.random.default_rng(seed)
    first, second = rng.integers(count, size=(2, PAIRS))
    keep = first != second
    return first[keep], second[keep]


def apart(p_hat: np.ndarray, p: np.ndarray) -> float:
    """KL(p_hat || p) over the entries where p_hat is not zero."""
    there = p_hat > 0
    return float((p_hat[there] * np.log(p_hat[there] / p[there])).sum())

r"""LINE: vectors that keep who is joined (first order) and who has the same neighbours (second order). numpy only.

Tang et al., "LINE: Large-scale Information Network Embedding", WWW 2015.

    first order    p_1(v_i, v_j) = σ(u_i·u_j)                           O_1 = -Σ_(i,j)∈E w_ij log p_1(v_i, v_j)
    second order   p_2(v_j | v_i) = exp(u'_j·u_i) / Σ_k exp(u'_k·u_i)   O_2 = -Σ_(i,j)∈E w_ij log p_2(v_j | v_i)

u_i is the vector of a node, u'_j its vector as a context, that is, as somebody's neighbour; the embedding is u. Both
are trained on edges drawn in proportion to their weights (so that no gradient is multiplied by a weight), each told
apart from K nodes drawn from P_n(v) ∝ d_v^0.75 (equations 7 and 8):

    log σ(u'_j·u_i) + Σ_k log σ(-u'_n_k·u_i)          first order: u in place of u'

Without the second term the first order would be content with u -> infinity. The two are trained apart, brought to
length 1 and put side by side (section 4.1.3).

Differs from the paper and its code: some edges are taken in one step (see `_Learner`), with the sum of their gradients,
where the authors' threads overwrite each other; eight edges share their K negatives, which changes no expectation and
spares most of the memory traffic (Ji et al., "Parallelizing Word2Vec in Shared and Distributed Memory", 2016); the
sigmoid is exact, not a table; in a directed graph d counts the edges of both ends, as in the code (with the out-degree
of the paper nothing would push back from a node that no edge leaves). The first order of a directed graph is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from models.graph.alias import Alias
from models.graph.graph import Graph
from models.graph.method import Step, require_ranges, snapshot_marks
from models.graph.rows import add_rows

Array = NDArray[np.float32]
Order = Literal["first", "second", "both"]

SHARED = 8  # edges in a row that are told apart from the same negatives
BLOCK = 1024  # edges drawn at once; a batch is a block or a part of one
STEP_BLOCKS = 3200  # between two steps, divided by dim
HITS = 32  # how often a batch may touch its busiest node, on average
HUB = 1000  # second-hop edges do not run over nodes with more neighbours than this


@dataclass(frozen=True, kw_only=True)
class Config:
    """Settings of LINE; the defaults are the paper's, except for `dim` and `samples`.

    dim: numbers of a node's vector, an even one for "both", half of it for each order.
    samples: edges drawn for each order, made a multiple of SHARED; None: `default_samples(graph)`.
    negatives: K. lr: of the first sample, falling to 0 in proportion to the samples left. power: P_n ∝ d^power.
    second_hop: nodes with fewer neighbours are given their neighbours' neighbours, see `with_second_hop`; 0: none.
    Raises ValueError for values out of range.
    """

    dim: int = 64
    order: Order = "both"
    samples: int | None = None
    negatives: int = 5
    lr: float = 0.025
    power: float = 0.75
    second_hop: int = 0
    seed: int = 0
    snapshots: int = 40

    def __post_init__(self) -> None:
        require_ranges(
            self,
            {
                "dim": (1, 1024),
                "negatives": (1, 50),
                "lr": (1e-5, 1),
                "power": (0, 2),
                "second_hop": (0, 100),
                "snapshots": (1, 1000),
            },
        )
        if self.order not in ("first", "second", "both"):
            raise ValueError(f"order is {self.order!r}; it must be first, second or both.")
        if self.order == "both" and self.dim % 2:
            raise ValueError(f"dim is {self.dim}; with both orders, half of it for each, it must be even.")
        if self.samples is not None and self.samples < 1:
            raise ValueError(f"samples is {self.samples}; at least one edge must be drawn.")

    @property
    def orders(self) -> tuple[Literal["first", "second"], ...]:
        return ("first", "second") if self.order == "both" else (self.order,)


@dataclass(frozen=True, eq=False)
class Tables:
    """What one order has learned: u and u', float32 (N, d) each, in the first order one and the same array."""

    vertex: Array
    context: Array


def default_samples(graph: Graph) -> int:
    """Edges to draw for each order: 150 passes, at least what a small graph needs, for a large one fewer passes."""
    return int(np.clip(150 * graph.edges, 60_000, max(10_000_000, 10 * graph.edges)))


def train(graph: Graph, config: Config) -> Iterator[Step]:
    """Train and report; `done` counts the drawn edges of all orders, `epoch` each order's passes over the edges.

    vectors: u of the order; with both, each order's u with rows of length 1, side by side: (N, dim). In the last step
    also context, u' of the second order (of the first: u), and tables, each order's u by its name as it was trained.
    A node that no drawn edge can start from keeps a u of 0.
    Raises ValueError for a graph without edges, and for a directed graph where the first order is asked for.
    """
    learners = _learners(graph, config)
    samples = -(-(config.samples or default_samples(graph)) // SHARED) * SHARED
    total = samples * len(learners)
    yield Step(0, total, None, _embedding(learners))
    blocks = -(-samples // BLOCK)
    snapshots = snapshot_marks(blocks, config.snapshots)
    stride = max(STEP_BLOCKS // config.dim, 1)
    for start, stop in pairwise(np.union1d(snapshots, np.arange(stride, blocks, stride)).tolist()):
        first, last = start * BLOCK, min(stop * BLOCK, samples)
        losses = [learner.learn(first, last, samples) for learner in learners]
        yield Step(
            last * len(learners),
            total,
            loss=float(np.mean(losses)),
            vectors=_embedding(learners) if stop in snapshots else None,
            epoch=last / graph.edges,
            context=learners[-1].tables.context.copy() if stop == blocks else None,
            tables={each.order: each.tables.vertex.copy() for each in learners} if stop == blocks else None,
        )


# ---------------------------------------------------------------- one step


def gradients(u: Array, v: Array, n: Array) -> tuple[Array, Array, Array, Array]:
    """The gradients of the loss in the vectors of drawn edges and negatives, and the loss of each edge.

    u, v: (G, S, d), the two ends of G groups of S edges; v are the ends as contexts. n: (G, K, d), the negatives of
    each group, from all of which each of its edges is told apart:

        loss = -log σ(v·u) - Σ_k log σ(-n_k·u)
        ∂loss/∂u = (σ(v·u) - 1) v + Σ_k σ(n_k·u) n_k    ∂loss/∂v = (σ(v·u) - 1) u    ∂loss/∂n_k = Σ σ(n_k·u) u

    Returns those three, shaped as u, v and n, and the loss (G, S).
    """
    near = _odds(-np.einsum("gsd,gsd->gs", u, v))  # odds against the edge
    far = _odds(u @ n.transpose(0, 2, 1))  # odds for each negative, (G, S, K)
    loss = np.log1p(near) + np.log1p(far).sum(2)
    near, far = -near / (1 + near), far / (1 + far)
    return near[..., None] * v + far @ n, near[..., None] * u, far.transpose(0, 2, 1) @ u, loss


def _odds(scores: Array) -> Array:
    return np.exp(np.clip(scores, -80, 80))


class _Learner:
    """One order in training. `tables` change in place; the same seed and blocks give the same numbers.

    Edges of a batch do not see each other's change. A batch is so small that it touches no node much more than HITS
    times on average: at the paper's learning rate so many gradients do not overshoot.
    """

    def __init__(self, graph: Graph, order: Literal["first", "second"], dim: int, config: Config) -> None:
        self.order = order
        self.config = config
        self.rng = np.random.default_rng([config.seed, ("first", "second").index(order)])
        self.tail, self.head = graph.row, graph.indices
        self.edges = Alias.of(graph.data)
        chances = noise(graph, config.power)
        self.noise = Alias.of(chances)
        vertex = ((self.rng.random((graph.count, dim)) - 0.5) / dim).astype(np.float32)
        vertex[graph.degree == 0] = 0
        self.tables = Tables(vertex, vertex if order == "first" else np.zeros_like(vertex))
        ends = np.bincount(self.head, weights=graph.data, minlength=graph.count) / graph.data.sum()
        tails = graph.strength / graph.strength.sum()
        busiest = np.max(ends + config.negatives * chances + (tails if order == "first" else 0))
        self.batch = int(np.clip(HITS / busiest, 2 * SHARED, BLOCK)) // SHARED * SHARED

    def learn(self, start: int, stop: int, samples: int) -> float:
        """Train on the samples from `start`, a multiple of BLOCK, to `stop` of all `samples`; their mean loss."""
        loss = 0.0
        for first in range(start, stop, BLOCK):
            many = min(BLOCK, stop - first)
            drawn = self.edges.draw(self.rng, many)
            tail, head = self.tail[drawn].reshape(-1, SHARED), self.head[drawn].reshape(-1, SHARED)
            negatives = self.noise.draw(self.rng, (len(tail), self.config.negatives))
            for at in range(0, len(tail), self.batch // SHARED):
                part = slice(at, at + self.batch // SHARED)
                lr = self.config.lr * max(1 - (first + at * SHARED) / samples, 1e-4)
                loss += self._step(tail[part], head[part], negatives[part], lr)
        return loss / (stop - start)

    def _step(self, tail: np.ndarray, head: np.ndarray, negatives: np.ndarray, lr: float) -> float:
        """Descend by G groups of edges, (G, S), with the negatives of each, (G, K); the sum of their losses."""
        vertex, context = self.tables.vertex, self.tables.context
        dim = vertex.shape[1]
        du, dv, dn, loss = gradients(vertex.take(tail, 0), context.take(head, 0), context.take(negatives, 0))
        add_rows(vertex, tail.ravel(), -lr, du.reshape(-1, dim))
        add_rows(
            context,
            np.concatenate([head.ravel(), negatives.ravel()]),
            -lr,
            np.concatenate([dv.reshape(-1, dim), dn.reshape(-1, dim)]),
        )
        return float(loss.sum())


def _learners(graph: Graph, config: Config) -> list[_Learner]:
    if not graph.edges:
        raise ValueError("LINE learns from edges, and this graph has none.")
    if graph.directed and "first" in config.orders:
        raise ValueError(
            "First-order proximity is defined for undirected graphs only, and this graph is directed: choose the "
            "second order, or read the graph as undirected."
        )
    if config.second_hop:
        graph = with_second_hop(graph, config.second_hop)
    return [_Learner(graph, order, config.dim // len(config.orders), config) for order in config.orders]


def _embedding(learners: list[_Learner]) -> Array:
    if len(learners) == 1:
        return learners[0].tables.vertex.copy()
    return np.concatenate([unit(learner.tables.vertex) for learner in learners], axis=1)


def unit(vectors: Array) -> Array:
    """Each row brought to length 1; a row of zeros stays."""
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(length > 0, length, 1)).astype(np.float32)


# ---------------------------------------------------------------- what is drawn


def noise(graph: Graph, power: float = 0.75) -> NDArray[np.float64]:
    """P_n, float64 (N,), proportional to d^power; d sums a node's weights, of a directed graph those that arrive too.

    A node without edges is never drawn.
    """
    d = graph.strength
    if graph.directed:
        d = d + graph.reversed().strength
    chances = np.where(d > 0, d, 1) ** power * (d > 0)
    return chances / chances.sum()


def with_second_hop(graph: Graph, below: int) -> Graph:
    """The graph with second-hop edges at nodes of fewer than `below` neighbours (section 4.3).

    Such a node i is joined to the neighbours j of its neighbours k, the strongest first, until it has `below`:

        w_ij = Σ_k w_ik w_kj / d_k

    Edges that exist keep their weights. Neighbours k with more than HUB neighbours are passed over: each of them
    would add thousands of edges of hardly any weight.
    """
    low = np.flatnonzero((graph.degree > 0) & (graph.degree < below))
    found = [_second_hop(graph, low[at : at + 1024], below) for at in range(0, len(low), 1024)]
    if not found:
        return graph
    i, j, w = (np.concatenate(parts) for parts in zip(*found, strict=True))
    if not graph.directed:  # found from both ends: the same weight twice
        low_end, high_end = np.minimum(i, j), np.maximum(i, j)
        once = np.unique(low_end * graph.count + high_end, return_index=True)[1]
        i, j, w = low_end[once], high_end[once], w[once]
    return Graph.of(
        np.concatenate([graph.source, i]),
        np.concatenate([graph.target, j]),
        np.concatenate([graph.weight, w]),
        names=graph.names,
        directed=graph.directed,
        labels=graph.labels,
        label_names=graph.label_names,
        features=graph.features,
    )


def _second_hop(graph: Graph, low: np.ndarray, below: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The edges (i, j, w) that these nodes are given, none of which the graph has."""
    entry, owner = graph.entries(low)
    i, k, w = low[owner], graph.indices[entry], graph.data[entry]
    small = (graph.degree[k] <= HUB) & (graph.degree[k] > 0)
    i, k, w = i[small], k[small], w[small]
    entry, path = graph.entries(k)
    i, j = i[path], graph.indices[entry]
    w = w[path] * graph.data[entry] / graph.strength[k[path]]
    new = (i != j) & ~graph.has_edge(i, j)
    keys, number = np.unique(i[new] * graph.count + j[new], return_inverse=True)
    w = np.bincount(number, weights=w[new], minlength=len(keys))
    i, j = np.divmod(keys, graph.count)
    order = np.lexsort((j, -w, i))  # each node's strongest first
    i, j, w = i[order], j[order], w[order]
    rank = np.arange(len(i)) - np.searchsorted(i, i)
    keep = rank < below - graph.degree[i]
    return i[keep], j[keep], w[keep]


# ---------------------------------------------------------------- the probabilities, for looking at


def joint_probability(u_i: Array, u_j: Array) -> NDArray[np.float64]:
    """p_1 = σ(u_i·u_j) of vectors (…, d): (…,). Equation 1."""
    return 1 / (1 + np.exp(-np.einsum("...d,...d->...", u_i, u_j, dtype=np.float64)))


def conditional_probability(u_i: Array, context: Array) -> NDArray[np.float64]:
    """p_2(· | v_i) over all contexts (N, d) for vectors (…, d): (…, N), which sums to 1. Equation 4."""
    scores = np.asarray(u_i, np.float64) @ np.asarray(context, np.float64).T
    raised = np.exp(scores - scores.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def first_order_objective(graph: Graph, vertex: Array) -> float:
    """O_1 = -Σ w_ij log p_1(v_i, v_j) over the edges, each once. Equation 3."""
    p = joint_probability(vertex[graph.source], vertex[graph.target])
    return float(-(graph.weight * np.log(p)).sum())


def second_order_objective(graph: Graph, vertex: Array, context: Array) -> float:
    """O_2 = -Σ w_ij log p_2(v_j | v_i) over the rows (an edge from both ends). Equation 6; for small graphs."""
    p = conditional_probability(vertex, context)
    return float(-(graph.data * np.log(p[graph.row, graph.indices])).sum())

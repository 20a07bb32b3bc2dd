r"""Skip-gram on walks: from sequences of nodes to vectors. DeepWalk, node2vec and Struc2vec share it. numpy only.

Mikolov et al., "Distributed Representations of Words and Phrases and their Compositionality", NeurIPS 2013,
section 2; Perozzi et al., "DeepWalk", KDD 2014, section 4.2.2.

For a node u and a node v that stands near it on a walk, with h_u the vector of u:

    hierarchical softmax   loss = -Σ_j log σ(s_j · w_j · h_u)      over the inner nodes j of v's path in the Huffman
                                                                   tree, s_j = +1 to the left, -1 to the right
    negative sampling      loss = -log σ(w_v · h_u) - Σ_k log σ(-w_n · h_u)      n ~ frequency^0.75, K of them

Both are logistic regressions on a few rows of a second table w (inner nodes, or contexts), so one function makes the
step for both. Plain SGD, the rate falling linearly from lr to lr / 250, as in word2vec, with these differences:

- Pairs are taken in random order and in batches of about 4 N, so that numpy works on many at once. The gradients of a
  batch are summed, as if its pairs came one after the other. A row that a batch meets m > 1 / lr times (a hub, the
  root of the tree) takes one step along the mean of its m gradients instead: the sum, all of it from the same
  point, would overshoot.
- The window shrinks at random to 1 … window at each place, as in word2vec and both released codes (algorithm 2 of
  DeepWalk takes it whole): a node o places away is used with probability 1 - (o - 1) / window.
- A negative that is the true context is left out, as in word2vec. Frequent nodes are not thinned out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from models.graph.alias import Alias
from models.graph.method import Step, require_ranges, snapshot_marks

LR_FLOOR = 1 / 250  # of lr, at the end: word2vec's 0.025 to 0.0001
NOISE_POWER = 0.75
DENSE = 500  # up to this many nodes the full table of scores is faster than the rows that a batch needs
WORK = 3_000_000  # multiplications between two steps: a few hundredths of a second
CHUNK = 100_000  # places on walks whose pairs are held at once
TRAINED = 8  # a place on a walk costs about this many times as much to train as to walk


@dataclass(frozen=True, kw_only=True)
class WalkConfig:
    """What the three methods that train skip-gram on walks can be told. Raises ValueError outside the limits.

    dim: length of the vectors. walks: how many start at each node. length: nodes on a walk. window: how far apart
    two nodes of a pair may stand. epochs: passes over the walks. loss: "hs" hierarchical softmax or "ns" negative
    sampling. negatives: K. lr: the rate of the first step. snapshots: at most so many copies of the vectors.
    """

    dim: int = 64
    walks: int = 10
    length: int = 40
    window: int = 5
    epochs: int = 1
    loss: Literal["hs", "ns"] = "hs"
    negatives: int = 5
    lr: float = 0.025
    seed: int = 0
    snapshots: int = 40

    def __post_init__(self) -> None:
        require_ranges(
            self,
            {
                "dim": (1, 512),
                "walks": (1, 1000),
                "length": (2, 1000),
                "window": (1, self.length),
                "epochs": (1, 1000),
                "negatives": (1, 100),
                "lr": (1e-6, 1),
                "seed": (0, 2**32 - 1),
                "snapshots": (1, 1000),
            },
        )
        if self.loss not in ("hs", "ns"):
            raise ValueError(f"loss is {self.loss!r}; it must be 'hs' or 'ns'.")


# ------------------------------------------------------------ pairs


class Pairs(NamedTuple):
    """Pairs of a walk's window, each (P,): the node, its context, and how many places apart they stand."""

    node: np.ndarray
    context: np.ndarray
    apart: np.ndarray


def window_pairs(walks: np.ndarray, window: int, rng: np.random.Generator | None = None) -> Pairs:
    """All pairs of nodes at most `window` places apart, both ways round; with `rng` windows shrink at random.

    walks: int (W, L), a walk that ended early filled up with -1.
    """
    reach = None if rng is None else rng.integers(1, window + 1, walks.shape)
    nodes, contexts, aparts = [], [], []
    for apart in range(1, min(window, walks.shape[1] - 1) + 1):
        here, there = walks[:, :-apart], walks[:, apart:]
        for node, context, place in (
            (here, there, np.s_[:, :-apart]),
            (there, here, np.s_[:, apart:]),
        ):
            use = there >= 0  # a walk never goes on after its end
            if reach is not None:
                use = use & (reach[place] >= apart)
            nodes.append(node[use])
            contexts.append(context[use])
            aparts.append(np.full(len(nodes[-1]), apart))
    if not nodes:
        empty = np.zeros(0, dtype=np.int64)
        return Pairs(empty, empty, empty)
    return Pairs(*map(np.concatenate, (nodes, contexts, aparts)))


def frequencies(walks: np.ndarray, count: int) -> np.ndarray:
    """int64 (N,): how often each node stands on the walks."""
    return np.bincount(walks[walks >= 0], minlength=count)


# ------------------------------------------------------------ the Huffman tree


class Tree(NamedTuple):
    """A Huffman tree over N nodes, which are its leaves; its inner nodes are 0 … N - 2, the root N - 2.

    paths: int32 (N, longest), the inner nodes from the root to each leaf's parent, -1 beyond.
    left: bool (N, longest), whether the path goes left from there. lengths: int64 (N,).
    """

    paths: np.ndarray
    left: np.ndarray
    lengths: np.ndarray


def huffman(frequency: np.ndarray) -> Tree:
    """The tree in which frequent nodes have short paths. frequency: (N,), not negative, N ≥ 2.

    The two rarest trees become one until one is left; leaves in order of frequency and inner nodes in order of
    making are two queues that are sorted already, as in word2vec.c.
    """
    count = len(frequency)
    if count < 2:
        raise ValueError("a Huffman tree needs two nodes or more")
    order = np.argsort(frequency, kind="stable")
    weights = [*frequency[order].tolist(), *([float("inf")] * (count - 1))]
    parent, is_left = np.zeros(2 * count - 1, dtype=np.int64), np.zeros(2 * count - 1, dtype=bool)
    leaf, inner = 0, count
    for new in range(count, 2 * count - 1):
        pair = []
        for _ in range(2):
            if leaf < count and weights[leaf] <= weights[inner]:
                pair.append(leaf)
                leaf += 1
            else:
                pair.append(inner)
                inner += 1
        weights[new] = weights[pair[0]] + weights[pair[1]]
        parent[pair] = new
        is_left[pair[0]] = True
    # all leaves climb at once; the steps are then turned round, so that each path begins at the root
    climbing, steps, lefts = np.arange(count), [], []
    root = 2 * count - 2
    while (on_the_way := climbing < root).any():
        steps.append(np.where(on_the_way, parent[climbing] - count, -1))
        lefts.append(on_the_way & is_left[climbing])
        climbing = np.where(on_the_way, parent[climbing], root)
    upward, left = np.stack(steps, axis=1), np.stack(lefts, axis=1)
    lengths = (upward >= 0).sum(axis=1)
    place = lengths[:, None] - 1 - np.arange(upward.shape[1])
    rows = np.arange(count)[:, None]
    paths = np.where(place >= 0, upward[rows, place], -1)
    left = (place >= 0) & left[rows, place]
    back = np.argsort(order)
    return Tree(paths[back].astype(np.int32), left[back], lengths[back])


def path_probabilities(tree: Tree, h: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """float64 (N,): p(v | u) = Π_j σ(± w_j · h_u) for each leaf v; they sum to 1.

    h: (dim,), the vector of u. inner: (N - 1, dim), the vectors of the inner nodes.
    """
    scores = (inner.astype(np.float64) @ h.astype(np.float64))[tree.paths]
    steps = np.where(tree.paths >= 0, _sigmoid(np.where(tree.left, scores, -scores)), 1)
    return steps.prod(axis=1)


# ------------------------------------------------------------ one step of SGD


class Samples(NamedTuple):
    """Logistic samples of B pairs, L to a pair: row `inputs` of h meets rows `outputs` of w.

    inputs: int (B,). outputs: int (B, L). targets: float32 (B, L), 1 where the two should go together, else 0.
    valid: bool (B, L), False where a pair has fewer samples.
    """

    inputs: np.ndarray
    outputs: np.ndarray
    targets: np.ndarray
    valid: np.ndarray


def gradients(
    h: np.ndarray, w: np.ndarray, samples: Samples
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The loss summed over the samples, and its gradient to both tables, summed too.

    h: float32 (N, dim). w: float32 (C, dim). Gives the loss, the gradients (N, dim) and (C, dim), and how many
    samples met each row, (N,) and (C,). With more rows than `DENSE` allows only those that are met are touched, by
    the same sums in another order.
    """
    dense = len(h) <= DENSE and len(w) <= DENSE
    return _dense(h, w, samples) if dense else _sparse(h, w, samples)


def _dense(
    h: np.ndarray, w: np.ndarray, samples: Samples
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """By the table of all scores (N, C), which is one matrix product, as are both gradients."""
    shape = len(h), len(w)
    cell = (samples.inputs[:, None] * len(w) + samples.outputs)[samples.valid]
    loss, slope = _logistic((h @ w.T).ravel()[cell], samples.targets[samples.valid])
    slopes = np.bincount(cell, weights=slope, minlength=shape[0] * shape[1]).reshape(shape).astype(np.float32)
    met = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    return loss, slopes @ w, slopes.T @ h, met.sum(axis=1), met.sum(axis=0)


def _sparse(
    h: np.ndarray, w: np.ndarray, samples: Samples
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """By the rows that the samples name, summed by sparse matrix products."""
    from scipy.sparse import csr_array

    (u, c, targets, valid), pairs = samples, len(samples.inputs)
    h_u, w_c = h.take(u, axis=0), w.take(c, axis=0)  # (B, dim), (B, L, dim)
    scores = np.matmul(w_c, h_u[:, :, None])[:, :, 0]
    slope = np.zeros_like(scores)
    loss, slope[valid] = _logistic(scores[valid], targets[valid])
    own = csr_array((np.ones(pairs, h.dtype), u, np.arange(pairs + 1)), (pairs, len(h)))
    named = csr_array(
        (slope.ravel(), np.where(valid, c, 0).ravel(), np.arange(0, slope.size + 1, c.shape[1])),
        (pairs, len(w)),
    )
    to_h = own.T @ np.matmul(slope[:, None, :], w_c)[:, 0]
    met_h = np.bincount(u, weights=valid.sum(axis=1), minlength=len(h))
    return loss, to_h, named.T @ h_u, met_h, np.bincount(c[valid], minlength=len(w))


def _logistic(scores: np.ndarray, targets: np.ndarray) -> tuple[float, np.ndarray]:
    """Summed loss -log σ(± score), and its slope σ(score) - target."""
    against = np.where(targets > 0, -scores, scores)
    loss = np.maximum(against, 0) + np.log(1 + np.exp(-np.abs(against)))  # log(1 + exp(x)) without overflow
    return float(loss.sum(dtype=np.float64)), _sigmoid(scores) - targets


def _sigmoid(x: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-x)), by tanh so that nothing overflows."""
    return 0.5 * np.tanh(0.5 * x) + 0.5


def step(h: np.ndarray, w: np.ndarray, samples: Samples, lr: float) -> float:
    """One step of SGD on both tables, in place; gives the summed loss from before it."""
    loss, to_h, to_w, met_h, met_w = gradients(h, w, samples)
    for table, gradient, met in ((h, to_h, met_h), (w, to_w, met_w)):
        rate = np.minimum(lr, 1 / np.maximum(met, 1)).astype(np.float32)
        table -= rate[:, None] * gradient
    return loss


# ------------------------------------------------------------ the training


class HierarchicalSoftmax:
    """Samples along the Huffman paths of the contexts."""

    def __init__(self, frequency: np.ndarray) -> None:
        self.tree = huffman(frequency)
        self.rows = len(frequency) - 1
        self.mean_length = float(np.average(self.tree.lengths, weights=np.maximum(frequency, 1)))

    def samples(self, node: np.ndarray, context: np.ndarray, rng: np.random.Generator) -> Samples:
        paths = self.tree.paths[context]
        return Samples(node, paths, self.tree.left[context].astype(np.float32), paths >= 0)


class NegativeSampling:
    """Each context, and nodes drawn by frequency^0.75 that should not go with it."""

    def __init__(self, frequency: np.ndarray, negatives: int) -> None:
        self.noise = Alias.of(np.maximum(frequency, 1e-12) ** NOISE_POWER)
        self.rows = len(frequency)
        self.negatives = negatives
        self.mean_length = negatives + 1.0

    def samples(self, node: np.ndarray, context: np.ndarray, rng: np.random.Generator) -> Samples:
        drawn = self.noise.draw(rng, (len(node), self.negatives))
        valid = np.ones((len(node), self.negatives + 1), dtype=bool)
        valid[:, 1:] = drawn != context[:, None]
        targets = np.zeros(valid.shape, dtype=np.float32)
        targets[:, 0] = 1
        return Samples(node, np.concatenate([context[:, None], drawn], axis=1), targets, valid)


def start_vectors(count: int, dim: int, rng: np.random.Generator) -> np.ndarray:
    """float32 (N, dim), uniform in ±1 / (2 dim), word2vec's start; the second table starts at 0."""
    return ((rng.random((count, dim), dtype=np.float32) - 0.5) / dim).astype(np.float32)


def batch_size(count: int) -> int:
    """Pairs in a batch: about 4 for each node."""
    return int(np.clip(4 * count, 128, 8192))


def train(
    preparation: Iterable[tuple[int, np.ndarray | None]], work: int, count: int, config: WalkConfig
) -> Iterator[Step]:
    """Collects walks, then trains on them; work is counted in places walked, a trained place being `TRAINED` of them.

    preparation: pieces of work, each with its share of `work` and the walks it gave, int (W, length), or None.
    count: N. A graph without a single pair (no edges) keeps its start vectors.
    """
    rng = np.random.default_rng(config.seed).spawn(2)[1]
    h = start_vectors(count, config.dim, rng)
    total = work + TRAINED * config.epochs * count * config.walks * config.length
    yield Step(0, total, None, h.copy())
    done, blocks = 0, []
    for share, walks in preparation:
        done += share
        yield Step(min(done, work), total, None, None)
        if walks is not None:
            blocks.append(walks)
    walks = np.concatenate(blocks)
    if count < 2 or not (walks[:, 1] >= 0).any():
        yield Step(total, total, None, h.copy(), float(config.epochs), np.zeros_like(h))
        return
    yield from _trained(h, walks, work, total, config, rng)


def _trained(
    h: np.ndarray, walks: np.ndarray, work: int, total: int, config: WalkConfig, rng: np.random.Generator
) -> Iterator[Step]:
    frequency = frequencies(walks, len(h))
    loss: HierarchicalSoftmax | NegativeSampling = (
        HierarchicalSoftmax(frequency)
        if config.loss == "hs"
        else NegativeSampling(frequency, config.negatives)
    )
    w = np.zeros((loss.rows, config.dim), dtype=np.float32)
    marks = work + snapshot_marks(total - work, config.snapshots)[1:]
    batch = batch_size(len(h))
    dense = len(h) * loss.rows if len(h) <= DENSE else 0
    pairs_a_step = WORK * batch / (config.dim * (loss.mean_length * batch + dense))
    summed, pairs = 0.0, 0
    for share, node, context in _batches(walks, config, batch, rng):
        lr = config.lr * (1 - share * (1 - LR_FLOOR))
        summed += step(h, w, loss.samples(node, context, rng), lr)
        pairs += len(node)
        done = work + int(share * (total - work))
        if done < total and (done >= marks[0] or pairs >= pairs_a_step):
            yield Step(
                done, total, summed / pairs, h.copy() if done >= marks[0] else None, share * config.epochs
            )
            summed, pairs = 0.0, 0
            marks = marks[marks > done]
    yield Step(total, total, summed / pairs if pairs else None, h.copy(), float(config.epochs), w.copy())


def _batches(
    walks: np.ndarray, config: WalkConfig, batch: int, rng: np.random.Generator
) -> Iterator[tuple[float, np.ndarray, np.ndarray]]:
    """Batches of pairs in random order, each with the share of the training that is done when it is: up to 1."""
    chunk = max(1, CHUNK // walks.shape[1])
    places = len(walks) * config.epochs
    for epoch in range(config.epochs):
        shuffled = rng.permutation(len(walks))
        for start in range(0, len(walks), chunk):
            rows = shuffled[start : start + chunk]
            node, context, _ = window_pairs(walks[rows], config.window, rng)
            order = rng.permutation(len(node))
            node, context = node[order].astype(np.int64), context[order].astype(np.int64)
            for first in range(0, len(node), batch):
                last = min(first + batch, len(node))
                share = (epoch * len(walks) + start + len(rows) * last / len(node)) / places
                yield share, node[first:last], context[first:last]

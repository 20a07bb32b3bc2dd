r"""How good an embedding of a graph is: link prediction and node classification. numpy, and scikit-learn's regression.

Link prediction, as in Grover and Leskovec, "node2vec", KDD 2016, section 4.4: some edges are hidden, the method is
trained on the rest, and its vectors must rank the hidden edges above as many pairs that were never edges.

    AUC = P(score of a hidden edge > score of a non-edge), a tie counting one half
    AP  = Σ over thresholds of (recall gained) · precision

Node classification, as in Perozzi et al., "DeepWalk", KDD 2014, section 5: a logistic regression learns the labels of
some nodes from their vectors and is asked for the others'. Every number stands beside what needs no embedding at all:
the number of common neighbours and chance; the largest class.

Differs from the papers: hidden edges never part the graph or isolate a node (a random spanning forest stays, so that
a sparse graph hides fewer than it was asked for, and the result says how many); each node has one label, so that micro
F1 is the accuracy; the regression is multinomial, not one against the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np

from models.graph.graph import NONE, Graph
from models.graph.method import Step, require_range

Train = Callable[[Graph, int], Iterator[Step]]
"""(graph, seed) -> steps: a method with its settings, for instance
``lambda graph, seed: line.train(graph, replace(config, seed=seed, snapshots=1))``."""

SCORES = ("dot", "cosine", "hadamard")  # what vectors say of a pair: ways to score it, see `pair_scores`
BASELINES = ("common_neighbours", "random")
MOST_TRAINED = 20_000  # pairs of each kind that the Hadamard regression learns from
CHUNK = 1 << 20  # neighbours looked up at once by `common_neighbours`


# ---------------------------------------------------------------- results


@dataclass(frozen=True)
class Spread:
    """Mean and standard deviation (n - 1 below) over seeds; the deviation of a single seed is 0."""

    mean: float
    sd: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        many = len(values)
        return cls(float(np.mean(values)), float(np.std(values, ddof=1)) if many > 1 else 0.0)


@dataclass(frozen=True)
class LinkScores:
    """One seed of link prediction. auc, average_precision: by name, first SCORES, then BASELINES.

    hidden: edges held out; asked: how many the share stands for. Fewer are hidden where the others hold the graph
    together.
    """

    seed: int
    hidden: int
    asked: int
    auc: dict[str, float]
    average_precision: dict[str, float]


@dataclass(frozen=True)
class ClassScores:
    """One seed of node classification. micro, macro: F1 of the regression; majority_…: of always the largest class.

    trained, tested: nodes on either side of the split.
    """

    seed: int
    trained: int
    tested: int
    micro: float
    macro: float
    majority_micro: float
    majority_macro: float


@dataclass(frozen=True)
class DegreeScores:
    """How the nodes of one range of degrees fare: low <= degree < high. right: share classified rightly, over seeds."""

    low: int
    high: int
    nodes: int
    right: Spread


Scores = TypeVar("Scores", LinkScores, ClassScores)


@dataclass(frozen=True)
class Moment(Generic[Scores]):
    """Where an evaluation over several seeds stands: `done` rises from 0 to 1; a result for every finished seed."""

    done: float
    results: tuple[Scores, ...]


# ---------------------------------------------------------------- link prediction


@dataclass(frozen=True, eq=False)
class Split:
    """A graph with some edges hidden. graph: all nodes and the remaining edges.

    hidden, non_edges: int64 (M, 2) each, pairs of different nodes; those of an undirected graph have the smaller
    number first. asked: how many were to be hidden, M or more.
    """

    graph: Graph
    hidden: np.ndarray
    non_edges: np.ndarray
    asked: int


def split_edges(graph: Graph, share: float = 0.2, seed: int = 0) -> Split:
    """Hide a share of the edges at random, and draw as many pairs that are no edges.

    Components stay components: a random spanning forest is never hidden, nor are loops.
    Raises ValueError where no edge can be hidden or no pair is free.
    """
    require_range("The share of hidden edges", share, 0.0, 1.0)
    rng = np.random.default_rng(seed)
    spare = np.flatnonzero(~spanning_forest(graph, rng) & (graph.source != graph.target))
    asked = max(round(share * np.count_nonzero(graph.source != graph.target)), 1)
    if not len(spare):
        raise ValueError(
            "No edge can be hidden: without any one of them a part of the graph would be cut off. "
            "Link prediction needs a graph with cycles."
        )
    hidden = np.sort(rng.permutation(spare)[:asked])
    non_edges = draw_non_edges(graph, len(hidden), rng)
    if not len(non_edges):
        raise ValueError("Every two nodes of this graph are joined, so there is no pair to tell edges from.")
    keep = np.ones(graph.edges, dtype=bool)
    keep[hidden] = False
    pairs = np.stack([graph.source[hidden], graph.target[hidden]], axis=1)
    return Split(graph.keep_edges(keep), pairs, non_edges, asked)


def spanning_forest(graph: Graph, rng: np.random.Generator) -> np.ndarray:
    """bool (E,): edges that hold every component together without a cycle, chosen at random.

    Borůvka's algorithm on random weights: each round every part takes its lightest edge that leads out of it.
    """
    rank = rng.permutation(graph.edges)  # the weights: all different, so that no cycle arises
    edge_of = np.argsort(rank)
    part = np.arange(graph.count)
    chosen = np.zeros(graph.edges, dtype=bool)
    while True:
        a, b = part[graph.source], part[graph.target]
        out = np.flatnonzero(a != b)
        if not len(out):
            return chosen
        lightest = np.full(graph.count, graph.edges)
        np.minimum.at(lightest, a[out], rank[out])
        np.minimum.at(lightest, b[out], rank[out])
        parts = np.flatnonzero(lightest < graph.edges)
        edge = edge_of[lightest[parts]]
        chosen[edge] = True
        joined = np.arange(graph.count)
        joined[parts] = np.where(a[edge] == parts, b[edge], a[edge])
        # two parts that took the same edge point at each other; the smaller becomes the root of all that hang on them
        mutual = parts[(joined[joined[parts]] == parts) & (parts < joined[parts])]
        joined[mutual] = mutual
        while not np.array_equal(joined, joined[joined]):
            joined = joined[joined]
        part = joined[part]


def draw_non_edges(
    graph: Graph, many: int, rng: np.random.Generator, avoid: np.ndarray | None = None
) -> np.ndarray:
    """int64 (M, 2): different pairs of different nodes without an edge, each set of M equally likely.

    M = `many`, or all that there are where they are fewer. avoid: pairs (K, 2) that are not drawn either.
    A pair of an undirected graph has the smaller number first.
    """
    count = graph.count
    ends = np.stack([graph.source, graph.target], axis=1)
    if avoid is not None:
        ends = np.concatenate([ends, avoid if graph.directed else np.sort(avoid, axis=1)])
    taken = np.unique(ends[ends[:, 0] != ends[:, 1]] @ np.array([count, 1]))
    pairs = count * (count - 1) // (1 if graph.directed else 2)
    free = pairs - len(taken)
    many = min(many, free)
    if (
        2 * free < pairs or 3 * many > free
    ):  # so crowded that the table of all pairs is hardly longer than `taken`
        u, v = np.nonzero(~np.eye(count, dtype=bool)) if graph.directed else np.triu_indices(count, 1)
        keys = np.setdiff1d(u * count + v, taken, assume_unique=True)
    else:
        keys = np.empty(0, dtype=np.int64)
        while len(keys) < many:
            u, v = rng.integers(count, size=(2, 2 * many))
            if not graph.directed:
                u, v = np.minimum(u, v), np.maximum(u, v)
            keys = np.union1d(keys, np.setdiff1d((u * count + v)[u != v], taken))
    keys = rng.permutation(keys)[:many]
    return np.stack(np.divmod(keys, count), axis=1)


def pair_scores(vectors: np.ndarray, pairs: np.ndarray, kind: str = "dot") -> np.ndarray:
    """float64 (M,): the dot product or the cosine of the vectors (N, d) of each pair (M, 2); 0 where a vector is 0."""
    vectors = np.asarray(vectors, dtype=np.float64)
    if kind == "cosine":
        length = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors = vectors / np.where(length > 0, length, 1)
    elif kind != "dot":
        raise ValueError(f"A pair is scored by dot or cosine, not by {kind!r}.")
    return np.einsum("md,md->m", vectors[pairs[:, 0]], vectors[pairs[:, 1]])


def hadamard_scores(
    vectors: np.ndarray, split: Split, pairs: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """float64 (M,): log-odds that a pair is an edge, by a regression on the elementwise product of its two vectors.

    It learns from the remaining edges and as many other pairs; no pair that is asked about later is among them.
    """
    graph = split.graph
    known = np.stack([graph.source, graph.target], axis=1)
    known = rng.permutation(known[known[:, 0] != known[:, 1]])[:MOST_TRAINED]
    others = draw_non_edges(graph, len(known), rng, avoid=np.concatenate([split.hidden, split.non_edges]))
    if not len(others):  # nothing to tell edges from: no opinion
        return np.zeros(len(pairs))
    learned = np.concatenate([known, others])
    vectors = np.asarray(vectors, dtype=np.float64)
    products = vectors[learned[:, 0]] * vectors[learned[:, 1]]
    asked = vectors[pairs[:, 0]] * vectors[pairs[:, 1]]
    is_edge = np.arange(len(learned)) < len(known)
    model, scaled = _regression(products, is_edge, asked)
    return np.asarray(model.decision_function(scaled), dtype=np.float64)


def common_neighbours(graph: Graph, pairs: np.ndarray) -> np.ndarray:
    """float64 (M,): how many neighbours both nodes of each pair (M, 2) have; directions do not matter."""
    graph = graph.undirected()
    degree = graph.degree
    swap = degree[pairs[:, 0]] > degree[pairs[:, 1]]
    few, many = np.where(swap[:, None], pairs[:, ::-1], pairs).T  # the shorter row is looked up in the longer
    found = np.zeros(len(pairs))
    bounds = np.searchsorted(np.cumsum(degree[few]), np.arange(CHUNK, degree[few].sum() + CHUNK, CHUNK))
    for start, stop in zip(np.r_[0, bounds], np.r_[bounds, len(pairs)], strict=True):
        entry, owner = graph.entries(few[start:stop])
        pair, neighbour = start + owner, graph.indices[entry]
        shared = graph.has_edge(many[pair], neighbour) & (neighbour != few[pair]) & (neighbour != many[pair])
        found += np.bincount(pair[shared], minlength=len(pairs))
    return found


def auc(positive: np.ndarray, negative: np.ndarray) -> float:
    """Area under the ROC curve: how often a positive's score is above a negative's, ties counting one half."""
    negative = np.sort(negative)
    below = np.searchsorted(negative, positive, side="left")
    not_above = np.searchsorted(negative, positive, side="right")
    return float((below + not_above).mean() / (2 * len(negative)))


def average_precision(positive: np.ndarray, negative: np.ndarray) -> float:
    """Σ (recall gained at a threshold) · (precision there), over all thresholds, equal scores at one threshold."""
    threshold, gained = np.unique(positive, return_counts=True)
    hits = np.cumsum(gained[::-1])[::-1]  # positives at or above each threshold
    alarms = len(negative) - np.searchsorted(np.sort(negative), threshold, side="left")
    return float((gained * hits / (hits + alarms)).sum() / len(positive))


def link_scores(vectors: np.ndarray, split: Split, seed: int = 0) -> LinkScores:
    """What vectors (N, d) that were trained on `split.graph` say of the hidden edges, beside the baselines."""
    rng = np.random.default_rng(seed)
    pairs = np.concatenate([split.hidden, split.non_edges])
    scores = {
        "dot": pair_scores(vectors, pairs, "dot"),
        "cosine": pair_scores(vectors, pairs, "cosine"),
        "hadamard": hadamard_scores(vectors, split, pairs, rng),
        "common_neighbours": common_neighbours(split.graph, pairs),
        "random": rng.random(len(pairs)),
    }
    many = len(split.hidden)
    return LinkScores(
        seed,
        hidden=many,
        asked=split.asked,
        auc={name: auc(s[:many], s[many:]) for name, s in scores.items()},
        average_precision={name: average_precision(s[:many], s[many:]) for name, s in scores.items()},
    )


def link_prediction(
    train: Train, graph: Graph, seeds: Sequence[int], share: float = 0.2
) -> Iterator[Moment[LinkScores]]:
    """Hide edges, train on the rest, score: for every seed anew, which sets the split and the training.

    Yields as often as `train` does; stop iterating to cancel. Raises ValueError as `split_edges` and `train` do.
    """

    def one(seed: int) -> Iterator[Step | LinkScores]:
        split = split_edges(graph, share, seed)
        vectors = yield from _last_vectors(train(split.graph, seed))
        yield link_scores(vectors, split, seed)

    return _over_seeds(one, seeds)


# ---------------------------------------------------------------- node classification


def split_nodes(labels: np.ndarray, share: float = 0.5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """int64 numbers of the nodes to learn from and of those to be asked about, each class shared out alike.

    labels: int (N,), NONE for nodes that take no part. A class of two or more has nodes on both sides; a single node
    is learned from. Raises ValueError where fewer than two classes have two nodes.
    """
    require_range("The share of nodes to learn from", share, 0.0, 1.0)
    rng = np.random.default_rng(seed)
    known, asked = [], []
    for label in np.unique(labels[labels != NONE]):
        nodes = rng.permutation(np.flatnonzero(labels == label))
        many = max(min(round(share * len(nodes)), len(nodes) - 1), 1)
        known.append(nodes[:many])
        asked.append(nodes[many:])
    if sum(len(nodes) > 0 for nodes in asked) < 2:
        raise ValueError(
            "Node classification needs at least two labels that stand on two nodes each: one to learn from, one to "
            "be asked about."
        )
    return np.sort(np.concatenate(known)), np.sort(np.concatenate(asked))


def f1(truth: np.ndarray, predicted: np.ndarray) -> tuple[float, float]:
    """Micro and macro F1 of labels (M,): over all nodes (the accuracy), and the mean of each class's own.

    F1 of a class = 2 TP / (2 TP + FP + FN). Classes: all that occur in either array.
    """
    right = truth == predicted
    classes = np.union1d(truth, predicted)
    each = [
        2
        * np.count_nonzero(right & (truth == c))
        / (np.count_nonzero(truth == c) + np.count_nonzero(predicted == c))
        for c in classes
    ]
    return float(right.mean()), float(np.mean(each))


def _asked(
    vectors: np.ndarray, labels: np.ndarray, share: float, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes learned from, nodes asked about, and what a regression that learned from the former says of the latter."""
    known, asked = split_nodes(labels, share, seed)
    vectors = np.asarray(vectors, dtype=np.float64)
    model, scaled = _regression(vectors[known], labels[known], vectors[asked])
    return known, asked, model.predict(scaled)


def class_scores(vectors: np.ndarray, labels: np.ndarray, share: float = 0.5, seed: int = 0) -> ClassScores:
    """Logistic regression from vectors (N, d) to labels (N,) on one split. Raises ValueError as `split_nodes` does."""
    known, asked, said = _asked(vectors, labels, share, seed)
    micro, macro = f1(labels[asked], said)
    names, sizes = np.unique(labels[known], return_counts=True)
    plain_micro, plain_macro = f1(labels[asked], np.full(len(asked), names[sizes.argmax()]))
    return ClassScores(seed, len(known), len(asked), micro, macro, plain_micro, plain_macro)


def node_classification(
    vectors: np.ndarray, labels: np.ndarray, share: float, seeds: Sequence[int]
) -> Iterator[ClassScores]:
    """The same vectors on a split for every seed: how much a score depends on which nodes were asked."""
    for seed in seeds:
        yield class_scores(vectors, labels, share, seed)


def scores_by_degree(
    vectors: np.ndarray,
    labels: np.ndarray,
    degree: np.ndarray,
    bounds: Sequence[int],
    share: float,
    seeds: Sequence[int],
) -> tuple[DegreeScores, ...]:
    """Node classification told apart by degree (N,), in the ranges between successive bounds; empty ranges left out.

    A range is empty also where no split asked for one of its nodes. Raises ValueError as `split_nodes` does.
    """
    right: list[list[float]] = [[] for _ in bounds[1:]]
    for seed in seeds:
        _, asked, said = _asked(vectors, labels, share, seed)
        for number, (low, high) in enumerate(pairwise(bounds)):
            here = (degree[asked] >= low) & (degree[asked] < high)
            if here.any():
                right[number].append(float((said == labels[asked])[here].mean()))
    nodes = [
        int(np.count_nonzero((degree >= low) & (degree < high) & (labels != NONE)))
        for low, high in pairwise(bounds)
    ]
    return tuple(
        DegreeScores(low, high, many, Spread.of(shares))
        for (low, high), many, shares in zip(pairwise(bounds), nodes, right, strict=True)
        if shares
    )


def trained_node_classification(
    train: Train, graph: Graph, seeds: Sequence[int], share: float = 0.5
) -> Iterator[Moment[ClassScores]]:
    """Train and classify for every seed anew, which sets the training and the split: the whole spread of a method.

    Yields as often as `train` does; stop iterating to cancel. Raises ValueError for a graph without labels, and as
    `split_nodes` and `train` do.
    """
    labels = graph.labels
    if labels is None:
        raise ValueError("Node classification needs labels, and this graph has none.")
    split_nodes(labels, share)  # what cannot be classified is said before anything is trained

    def one(seed: int) -> Iterator[Step | ClassScores]:
        vectors = yield from _last_vectors(train(graph, seed))
        yield class_scores(vectors, labels, share, seed)

    return _over_seeds(one, seeds)


# ---------------------------------------------------------------- shared


def _last_vectors(steps: Iterator[Step]) -> Generator[Step, None, np.ndarray]:
    """Pass the steps on; return the last vectors, for `yield from`."""
    vectors: np.ndarray | None = None
    for step in steps:
        if step.vectors is not None:
            vectors = step.vectors
        yield step
    if vectors is None:
        raise ValueError("the training yielded no vectors")
    return vectors


def _over_seeds(one: Callable[[int], Iterator[Any]], seeds: Sequence[int]) -> Iterator[Moment[Any]]:
    """Run `one` for each seed, its steps and then its result, and say after each how far all of them are."""
    results: tuple[Any, ...] = ()
    yield Moment(0.0, results)
    for number, seed in enumerate(seeds):
        for found in one(seed):
            if isinstance(found, Step):
                yield Moment((number + found.done / found.total) / len(seeds), results)
            else:
                results = (*results, found)
        yield Moment((number + 1) / len(seeds), results)


def _regression(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> tuple[Any, np.ndarray]:
    """scikit-learn's logistic regression fitted to rows (K, d), and the rows it will be asked about, scaled alike.

    One shift and one factor for all columns: the penalty then means the same for every method, however long its
    vectors are, and their geometry is kept.
    """
    from sklearn.linear_model import LogisticRegression

    middle = known.mean(0)
    size = np.sqrt(((known - middle) ** 2).mean()) or 1.0
    model = LogisticRegression(max_iter=1000).fit((known - middle) / size, labels)
    return model, (asked - middle) / size

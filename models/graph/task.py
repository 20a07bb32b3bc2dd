"""Node classification on a graph: what a net reads, which labels it is told, how it is trained. numpy only.

A net is told the labels of a few nodes of each class and sees the whole graph (transductive, semi-supervised: Kipf and
Welling, ICLR 2017, section 1); the labels of all others are only for measuring.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.graph.graph import Graph

IDENTITY_NODES = 2000  # up to so many nodes each has a feature of its own,
IDENTITY_NUMBERS = 50_000_000  # and up to so many numbers in the messages of a layer that gathers them
PROJECTED = 64  # features of a node where there are more
UNUSED, TRAIN, VALIDATION, TEST = range(4)
OBJECTIVES = ("labels", "walks")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a net is trained.

    known: nodes of each class whose labels are told. seed: names the split, the first weights, dropout and samples.
    snapshots: how many moments are kept beside the untrained net. objective: "labels" (cross entropy) or "walks", by
    which GraphSAGE brings nodes together that meet on walks, without labels (Hamilton et al. 2017, equation 1).
    sizes: neighbours that GraphSAGE reads in each layer, the first layer first; () for all. batch: nodes (of "walks":
    pairs) of one step where neighbours are drawn; otherwise a step sees the whole graph.
    """

    epochs: int = 200
    lr: float = 0.01
    weight_decay: float = 5e-4
    seed: int = 0
    known: int = 4
    snapshots: int = 40
    objective: str = "labels"
    sizes: tuple[int, ...] = ()
    batch: int = 256


@dataclass(frozen=True, eq=False)
class Features:
    """x: float32 (N, F), what a net is told of each node. kind: "own", "identity" or "random"."""

    x: np.ndarray
    kind: str


def features(graph: Graph) -> Features:
    """The graph's own features; else one for each node; of a large or dense graph, `projected` ones."""
    if graph.features is not None:
        return Features(graph.features, "own")
    if graph.count <= IDENTITY_NODES and graph.count * len(graph.indices) <= IDENTITY_NUMBERS:
        return Features(np.eye(graph.count, dtype=np.float32), "identity")
    return Features(projected(graph.count, PROJECTED), "random")


def projected(count: int, width: int, seed: int = 0) -> np.ndarray:
    """float32 (count, width): the identity thrown onto `width` random directions, which keeps its distances nearly.

    Rows are normal with variance 1 / width (Johnson and Lindenstrauss); node v has the same row in every graph.
    """
    return np.random.default_rng(seed).normal(0, width**-0.5, (count, width)).astype(np.float32)


def inputs(graph: Graph, x: np.ndarray) -> dict[str, np.ndarray]:
    """What the nets read: x (N, F) float32; source, target (M,) int64 and weight (M,) float32.

    Messages run along directed edges; an undirected edge carries one each way, a loop one in all.
    """
    return {
        "x": np.ascontiguousarray(x, dtype=np.float32),
        "source": graph.row,
        "target": graph.indices,
        "weight": graph.data.astype(np.float32),
    }


def split(graph: Graph, known: int, seed: int) -> np.ndarray:
    """int8 (N,): UNUSED (a node without label), TRAIN, VALIDATION or TEST.

    Of each class at most `known` nodes, and at most half, are for training, at least one; a third of the rest is for
    validation.
    """
    parts = np.full(graph.count, UNUSED, dtype=np.int8)
    if graph.labels is None:
        return parts
    rng = np.random.default_rng(seed)
    for label in range(len(graph.label_names)):
        nodes = rng.permutation(np.flatnonzero(graph.labels == label))
        train = min(known, max(1, len(nodes) // 2))
        validation = train + (len(nodes) - train) // 3
        parts[nodes[:train]] = TRAIN
        parts[nodes[train:validation]] = VALIDATION
        parts[nodes[validation:]] = TEST
    return parts


def accuracies(logits: np.ndarray, labels: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """float64 (3,): the share of right answers in TRAIN, VALIDATION and TEST; NaN for a part without nodes.

    logits: (N, C). labels: (N,). parts: (N,), as `split` gives them.
    """
    right = logits.argmax(1) == labels if logits.shape[1] else np.zeros(len(logits), bool)
    return np.array(
        [
            right[parts == part].mean() if (parts == part).any() else np.nan
            for part in (TRAIN, VALIDATION, TEST)
        ]
    )

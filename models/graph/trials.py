"""What is measured of a graph network's training: one run moment by moment, scores over seeds, nets of every depth.

Each function is a generator that works an epoch between two `Tick`s and returns its result at the end, so that whoever
consumes it may show how far it is, let others take a turn, or stop. numpy only; torch is loaded when training begins.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from models.graph.evaluate import f1
from models.graph.graph import Graph
from models.graph.smoothing import dirichlet_energy, mean_pairwise_distance
from models.graph.task import TEST, TRAIN, Settings, accuracies, features, split

if TYPE_CHECKING:
    from models.graph.training import Epoch, Moment

STATE_BYTES = 32e6  # up to which the weights of every moment are kept
SMALL = 200_000  # numbers in a layer's messages below which a second thread costs more than it brings


@dataclass(frozen=True)
class Tick:
    """After one more epoch: epochs done over all trainings, and the loss of this one (NaN before the first)."""

    done: int
    loss: float


@dataclass(frozen=True, eq=False)
class Run:
    """A training, at S moments of E epochs.

    config: complete. x: (N, F) float32, what the net was told of each node; kind: how, see `task.features`.
    split: int8 (N,), 0 not used, 1 training, 2 validation, 3 test. epochs: int64 (S,), 0 is the untrained net.
    vectors: (S, N, d) float32, the embedding. logits: (S, N, C) float32. loss: (E,) float32, the mean of each epoch.
    validation_loss: (S,). accuracy: (S, 3), training, validation, test; NaN where there is no such node.
    states: the weights by name at every moment, or only the last where they are large or recorded.
    seconds: from the first epoch to the last. weights: id of the embedded weights whose training was recorded; "" where
    it was trained just now.
    """

    net: str
    config: Mapping[str, Any]
    settings: Settings
    x: np.ndarray
    kind: str
    split: np.ndarray
    epochs: np.ndarray
    vectors: np.ndarray
    logits: np.ndarray
    loss: np.ndarray
    validation_loss: np.ndarray
    accuracy: np.ndarray
    states: tuple[Mapping[str, np.ndarray], ...]
    seconds: float
    weights: str = ""


@dataclass(frozen=True, eq=False)
class Scores:
    """F1 on the test nodes by seed, (K,) each: of the net, of logistic regression that reads only a node's own
    features, and of always naming the largest class. A seed names the split and the training. tested: nodes."""

    seeds: tuple[int, ...]
    tested: int
    micro: np.ndarray
    macro: np.ndarray
    logistic_micro: np.ndarray
    logistic_macro: np.ndarray
    majority_micro: np.ndarray
    majority_macro: np.ndarray


@dataclass(frozen=True, eq=False)
class Smoothing:
    """How alike the nodes have become in nets of D depths, each the mean over the seeds.

    distance: (D,), mean distance of two nodes' embeddings, brought to length 1. energy: (D,), the Dirichlet energy of
    the embedding scaled to length 1. accuracy: (D, 3), training, validation, test. distance_sd, test_sd: (D,), over the
    seeds. untrained_distance, untrained_energy: (D,), of the same nets before training. The embedding is what the last
    layer or the head reads, of a GCN or GAT of depth 1 its logits.
    """

    depths: tuple[int, ...]
    seeds: tuple[int, ...]
    distance: np.ndarray
    distance_sd: np.ndarray
    energy: np.ndarray
    accuracy: np.ndarray
    test_sd: np.ndarray
    untrained_distance: np.ndarray
    untrained_energy: np.ndarray


def one_run(
    net: str, config: Mapping[str, Any], graph: Graph, settings: Settings, threads: int = 1
) -> Generator[Tick, None, Run]:
    """Train once and keep `settings.snapshots` moments beside the untrained net. config: complete."""
    start = time.perf_counter()
    told, parts = features(graph), split(graph, settings.known, settings.seed)
    labels = graph.labels if graph.labels is not None else np.full(graph.count, -1)
    losses: list[float] = []
    kept: list[tuple[int, Moment]] = []
    for epoch in _fit(net, config, graph, told.x, parts, settings, threads):
        if epoch.number:
            losses.append(epoch.loss)
        if epoch.moment is not None:
            kept.append((epoch.number, epoch.moment))
        yield Tick(epoch.number, epoch.loss)
    moments = [moment for _, moment in kept]
    states = tuple(moment.state for moment in moments)
    held = sum(value.nbytes for state in states for value in state.values())
    return Run(
        net=net,
        config=config,
        settings=settings,
        x=told.x,
        kind=told.kind,
        split=parts,
        epochs=np.array([number for number, _ in kept], np.int64),
        vectors=np.stack([moment.vectors for moment in moments]),
        logits=np.stack([moment.logits for moment in moments]),
        loss=np.array(losses, np.float32),
        validation_loss=np.array([moment.validation_loss for moment in moments], np.float32),
        accuracy=np.stack([accuracies(moment.logits, labels, parts) for moment in moments]),
        states=states if held <= STATE_BYTES else states[-1:],
        seconds=time.perf_counter() - start,
    )


def over_seeds(
    net: str,
    config: Mapping[str, Any],
    graph: Graph,
    settings: Settings,
    seeds: Sequence[int],
    threads: int = 1,
) -> Generator[Tick, None, Scores]:
    """Train once for every seed and measure on the test nodes. Raises ValueError for a graph without labels."""
    if graph.labels is None:
        raise ValueError("Scores need labels, and this graph has none.")
    x, labels, done = features(graph).x, graph.labels, 0
    largest = int(np.bincount(labels[labels >= 0]).argmax())
    rows = []
    for seed in seeds:
        parts = split(graph, settings.known, seed)
        train, test = parts == TRAIN, parts == TEST
        one = replace(settings, seed=seed, snapshots=1)
        logits = np.zeros((graph.count, 1), np.float32)
        for epoch in _fit(net, config, graph, x, parts, one, threads):
            if epoch.moment is not None:
                logits = epoch.moment.logits
            yield Tick(done + epoch.number, epoch.loss)
        done += settings.epochs
        answers = (
            logits[test].argmax(1),
            _logistic(x[train], labels[train], x[test]),
            np.full(int(test.sum()), largest),
        )
        rows.append([f1(labels[test], answer) for answer in answers])
    table = np.array(rows)  # (K, 3, 2)
    return Scores(
        seeds=tuple(seeds),
        tested=int(test.sum()),
        micro=table[:, 0, 0],
        macro=table[:, 0, 1],
        logistic_micro=table[:, 1, 0],
        logistic_macro=table[:, 1, 1],
        majority_micro=table[:, 2, 0],
        majority_macro=table[:, 2, 1],
    )


def over_depths(
    net: str,
    config: Mapping[str, Any],
    graph: Graph,
    settings: Settings,
    depths: Sequence[int],
    seeds: Sequence[int],
    threads: int = 1,
) -> Generator[Tick, None, Smoothing]:
    """Train a net of every depth for every seed; config: complete, its `layers` are replaced."""
    x, both, done = features(graph).x, graph.undirected(), 0
    labels = graph.labels if graph.labels is not None else np.full(graph.count, -1)
    apart = np.zeros((len(depths), len(seeds), 2, 2))  # untrained and trained; distance and energy
    right = np.zeros((len(depths), len(seeds), 3))
    for i, depth in enumerate(depths):
        for k, seed in enumerate(seeds):
            parts, one = split(graph, settings.known, seed), replace(settings, seed=seed, snapshots=1)
            for epoch in _fit(net, {**config, "layers": depth}, graph, x, parts, one, threads):
                if epoch.moment is not None:
                    z, trained = epoch.moment.vectors, int(epoch.number > 0)
                    energy = dirichlet_energy(z, both.row, both.indices, both.data, unit=True)
                    apart[i, k, trained] = mean_pairwise_distance(z, unit=True), energy
                    right[i, k] = accuracies(epoch.moment.logits, labels, parts)
                yield Tick(done + epoch.number, epoch.loss)
            done += settings.epochs
    mean = apart.mean(1)
    return Smoothing(
        depths=tuple(depths),
        seeds=tuple(seeds),
        distance=mean[:, 1, 0],
        distance_sd=_sd(apart)[:, 1, 0],
        energy=mean[:, 1, 1],
        accuracy=right.mean(1),
        test_sd=_sd(right)[:, 2],
        untrained_distance=mean[:, 0, 0],
        untrained_energy=mean[:, 0, 1],
    )


def _fit(
    net: str,
    config: Mapping[str, Any],
    graph: Graph,
    x: np.ndarray,
    parts: np.ndarray,
    settings: Settings,
    threads: int,
) -> Iterator[Epoch]:
    """The epochs of one training."""
    from models.graph.training import fit

    work = (len(graph.indices) + graph.count) * config["hidden"] * config.get("heads", 1)
    return fit(net, config, graph, x, parts, settings, 1 if work < SMALL else threads)


def _logistic(known: np.ndarray, labels: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """Labels of rows (M, F), by scikit-learn's logistic regression from rows (K, F) whose labels are known."""
    from sklearn.linear_model import LogisticRegression

    return np.asarray(LogisticRegression(max_iter=1000).fit(known, labels).predict(asked))


def _sd(values: np.ndarray) -> np.ndarray:
    """Standard deviation over axis 1 (n - 1 below); 0 of a single value."""
    return values.std(1, ddof=1) if values.shape[1] > 1 else np.zeros_like(values[:, 0])

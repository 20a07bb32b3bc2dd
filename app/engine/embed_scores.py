"""Scores of embedding methods over several seeds: hidden edges and hidden labels, one method after the other.

The evaluation itself is models/graph/evaluate.py; this is the loop around it, which says how far it is, takes turns
with everybody else's trainings and stops when asked to. numpy, and scikit-learn where the evaluation runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.engine import Cancel
from app.engine.embed import steps_of, turn
from models.graph import evaluate
from models.graph.evaluate import ClassScores, DegreeScores, LinkScores
from models.graph.graph import Graph
from models.graph.method import Step

Task = Literal["links", "labels"]
Result = tuple[LinkScores, ...] | tuple[ClassScores, ...] | tuple[tuple[DegreeScores, ...], ...]


@dataclass(frozen=True, eq=False)
class Trial:
    """A method with its settings on a graph. name: under which its results come back."""

    name: str
    method: str
    settings: Mapping[str, Any]
    graph: Graph

    @property
    def signature(self) -> tuple[str, str, str, tuple[tuple[str, Any], ...]]:
        """The same for the same work."""
        return self.name, self.graph.key, self.method, tuple(sorted(self.settings.items()))


@dataclass(frozen=True)
class Progress:
    """After `done` of `total` parts of a thousand: seconds so far and to go, the trial at work, and at the end the
    results of every trial by its name, one for each seed."""

    done: int
    total: int
    seconds: float
    eta: float | None
    name: str
    result: dict[str, Result] | None = None


def refusal(graph: Graph, task: Task, share: float) -> str:
    """Message id of why this graph cannot be evaluated so, "" where it can."""
    if task == "labels":
        if graph.labels is None:
            return "embed_inside.evaluate.no_labels"
        try:
            evaluate.split_nodes(graph.labels, share)
        except ValueError:
            return "embed_inside.evaluate.few_labels"
        return ""
    try:
        evaluate.split_edges(graph, share)
    except ValueError:
        return "embed_inside.evaluate.no_edges"
    return ""


def scores(
    trials: Sequence[Trial], task: Task, share: float, seeds: Sequence[int], cancel: Cancel
) -> Iterator[Progress]:
    """Train and evaluate each trial with each seed. share: of edges to hide, or of labels to learn from.

    Raises Cancelled, and BadRequest as training does.
    """

    def moments(trial: Trial) -> Iterator[evaluate.Moment[Any]]:
        def train(graph: Graph, seed: int) -> Iterator[Step]:
            return _steps(trial, graph, seed)

        if task == "links":
            return evaluate.link_prediction(train, trial.graph, seeds, share)
        return evaluate.trained_node_classification(train, trial.graph, seeds, share)

    return _one_by_one(trials, moments, cancel)


def scores_by_degree(
    trials: Sequence[Trial], bounds: Sequence[int], share: float, seeds: Sequence[int], cancel: Cancel
) -> Iterator[Progress]:
    """Train each trial with each seed and classify its nodes, told apart by degree: see `evaluate.scores_by_degree`."""

    def moments(trial: Trial) -> Iterator[evaluate.Moment[Any]]:
        graph = trial.graph
        found: list[tuple[DegreeScores, ...]] = []
        assert graph.labels is not None
        for number, seed in enumerate(seeds):
            vectors = np.zeros((graph.count, 1), np.float32)
            for step in _steps(trial, graph, seed):
                vectors = vectors if step.vectors is None else step.vectors
                yield evaluate.Moment((number + step.done / step.total) / len(seeds), tuple(found))
            found.append(
                evaluate.scores_by_degree(vectors, graph.labels, graph.degree, bounds, share, (seed,))
            )
        yield evaluate.Moment(1.0, tuple(found))

    return _one_by_one(trials, moments, cancel)


def _steps(trial: Trial, graph: Graph, seed: int) -> Iterator[Step]:
    return steps_of(trial.method, graph, {**trial.settings, "seed": seed}, snapshots=1)


def _one_by_one(
    trials: Sequence[Trial], moments: Callable[[Trial], Iterator[evaluate.Moment[Any]]], cancel: Cancel
) -> Iterator[Progress]:
    """Every moment of every trial in a turn of its own; the last item has all results."""
    began = time.monotonic()
    found: dict[str, Result] = {}
    for number, trial in enumerate(trials):
        rest = moments(trial)
        while True:
            with turn(cancel):
                moment = next(rest, None)
            if moment is None:
                break
            found[trial.name] = moment.results
            done = (number + moment.done) / len(trials)
            seconds = time.monotonic() - began
            eta = seconds * (1 - done) / done if done > 0 else None
            yield Progress(round(1000 * done), 1000, seconds, eta, trial.name)
    yield Progress(1000, 1000, time.monotonic() - began, 0.0, trials[-1].name, found)

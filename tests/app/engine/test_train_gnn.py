"""Live training behind the engine's border: limits, turns, cancelling, and what was recorded."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from app import engine
from app.engine import Cancel, Cancelled, as_user, train_gnn
from app.engine.base import finish
from app.engine.train_gnn import BadRequest, Run, Settings, check, inside, recorded, train
from app.text import catalogue
from models.graph.graph import Graph
from models.graph.samples import build, karate, miserables, sbm
from models.graph.task import inputs
from models.registry import MODELS

pytestmark = pytest.mark.torch
NETS = ("gcn", "graphsage", "gat", "message_passing")
SHORT = Settings(epochs=30, snapshots=5)


def test_progress_runs_to_the_run():
    items = list(train("gcn", {}, karate(), SHORT))
    assert items[0].done == 0 and items[0].result is None and items[-1].done == items[-1].total == 30
    assert all(a.done <= b.done for a, b in pairwise(items))
    assert [len(item.loss) for item in items] == [item.done for item in items]
    run = items[-1].result
    assert isinstance(run, Run) and run.epochs.tolist() == [0, 6, 12, 18, 24, 30]
    assert run.config["in_features"] == 34 and run.config["num_classes"] == 2 and run.kind == "identity"


@pytest.mark.parametrize("net", NETS)
def test_every_net_learns_karate_by_its_defaults(net: str):
    run = finish(train(net, {}, karate(), Settings(snapshots=4)))
    assert run.accuracy[-1, 0] == 1 and run.accuracy[-1, 2] >= 0.8
    assert run.loss[-20:].mean() < 0.5 * run.loss[0]  # dropout makes single epochs jump


def test_a_graph_of_ones_own():
    """Directed, weighted, a loop, an isolated node, nodes without label, features given."""
    rng = np.random.default_rng(0)
    graph = Graph.of(
        [0, 1, 2, 2, 3], [1, 2, 2, 3, 0], [1, 2, 3, 0.5, 1.0], count=6, directed=True,
        labels=[0, 1, 0, 1, -1, 0], label_names=["a", "b"], features=rng.normal(size=(6, 3)),
    )  # fmt: skip
    for net in NETS:
        run = finish(train(net, {"layers": 3}, graph, SHORT))
        assert run.kind == "own" and run.config["in_features"] == 3
        assert np.isfinite(run.vectors).all() and np.isfinite(run.loss).all()


@pytest.mark.parametrize(
    ("net", "config", "graph", "settings", "reason"),
    [
        ("gcn", {}, karate().with_labels(None), {}, "no_labels"),
        ("gcn", {}, karate().with_labels(np.zeros(34), ["a", "b"]), {}, "one_class"),
        ("gcn", {}, Graph.of([], [], count=3), {"objective": "walks"}, "graphsage_only"),
        ("gat", {}, karate(), {"sizes": (3, 3)}, "graphsage_only"),
        ("graphsage", {}, Graph.of([], [], count=3), {"objective": "walks"}, "no_edges"),
        ("graphsage", {}, karate(), {"sizes": (3,)}, "sizes"),
        ("graphsage", {}, karate(), {"sizes": (3, 0)}, "range"),
        ("gcn", {"heads": 2}, karate(), {}, "unknown"),
        ("gcn", {"layers": 0}, karate(), {}, "range"),
        ("gcn", {"layers": 2.5}, karate(), {}, "range"),
        ("gcn", {"loops": "twice"}, karate(), {}, "choice"),
        ("gcn", {}, karate(), {"epochs": 10**9}, "range"),
        ("gcn", {}, karate(), {"lr": float("nan")}, "range"),
        ("gcn", {}, karate(), {"seed": True}, "range"),
        ("gcn", {}, karate(), {"objective": "magic"}, "choice"),
        ("message_passing", {"form": "edge network", "hidden": 256}, sbm(10, 100), {}, "too_large"),
    ],
)
def test_what_cannot_be_is_said_at_once(net: str, config: Any, graph: Graph, settings: Any, reason: str):
    with pytest.raises(BadRequest) as caught:
        check(net, config, graph, Settings(**settings))
    assert caught.value.reason == f"train_gnn.{reason}"
    for language in ("en", "zh"):
        assert catalogue(language)[caught.value.reason].format(**caught.value.details)


def test_without_torch_there_is_a_sentence_and_the_recorded_run(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(train_gnn, "available_engines", lambda: ("onnx",))
    with pytest.raises(BadRequest) as caught:
        next(train("gcn", {}, karate()))
    assert caught.value.reason == "train_gnn.needs_torch"
    assert recorded("gcn", karate()) is not None


def test_fewer_moments_are_kept_of_a_large_graph(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(train_gnn, "VECTOR_BYTES", 4 * 34 * 18 * 4)
    run = finish(train("gcn", {}, karate(), SHORT))
    assert run.epochs.tolist() == [0, 10, 20, 30]


# ---------------------------------------------------------------- two users, and giving up


def in_threads(*calls: Any) -> list[Any]:
    """What each call gave, run at the same time."""
    found: list[Any] = [None] * len(calls)

    def work(i: int) -> None:
        with as_user(f"user {i}"):
            try:
                found[i] = calls[i]()
            except BaseException as error:
                found[i] = error

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_two_at_once_give_what_each_gives_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(train_gnn, "TURN_SECONDS", 0.0)  # a turn for each epoch
    jobs: list[tuple[Any, ...]] = [
        ("gat", {}, karate(), SHORT),
        ("graphsage", {}, karate(), replace(SHORT, seed=3, sizes=(5, 5), batch=3)),
    ]
    alone = [finish(train(*job)) for job in jobs]
    together = in_threads(*(lambda job=job: finish(train(*job)) for job in jobs))
    for one, other in zip(alone, together, strict=True):
        assert isinstance(other, Run), other
        assert np.array_equal(one.vectors, other.vectors) and np.array_equal(one.loss, other.loss)


def test_both_can_be_cancelled_and_the_turn_is_free_again():
    cancels = [Cancel(), Cancel()]

    def watched(cancel: Cancel) -> None:
        for item in train("gcn", {}, karate(), Settings(epochs=5000), cancel):
            if item.done:
                cancel.set()

    found = in_threads(*(lambda cancel=cancel: watched(cancel) for cancel in cancels))
    assert all(isinstance(error, Cancelled) for error in found), found
    assert finish(train("gcn", {}, karate(), Settings(epochs=2))).loss.shape == (2,)


# ---------------------------------------------------------------- several trainings


def test_scores_and_depths_report_progress_over_all_trainings():
    for steps in (
        train_gnn.scores("gcn", {}, karate(), Settings(epochs=5), seeds=(0, 1, 2)),
        train_gnn.smoothing("gcn", karate(), Settings(epochs=5), depths=(1, 2, 3), seeds=(0,)),
    ):
        items = list(steps)
        assert all(a.done <= b.done for a, b in pairwise(items)) and items[-1].total == 15 == items[-1].done
        assert items[-1].result is not None
    with pytest.raises(BadRequest):
        next(train_gnn.smoothing("gcn", karate(), depths=(1, 99)))


# ---------------------------------------------------------------- recorded, embedded, inside


EMBEDDED = [(net, weights.id) for net in NETS for weights in MODELS[net].weights if weights.offered]


@pytest.mark.parametrize(("net", "weights_id"), EMBEDDED)
def test_a_recorded_run_is_that_of_the_weights(net: str, weights_id: str):
    """The embedded weights, on either engine, give the last logits and embedding of the recorded run."""
    graph = build(weights_id.split("_")[0])
    run = recorded(net, graph, weights_id)
    assert run is not None and run.weights == weights_id and run.epochs[-1] == run.settings.epochs
    assert len(run.loss) == run.settings.epochs and len(run.vectors) == len(run.epochs)
    given = inputs(graph, run.x)
    feeds = {spec.name: given[spec.name] for spec in MODELS[net].inputs}
    for name in ("torch", "onnx"):
        output = engine.run(engine.load(net, weights_id, name), feeds).output
        assert np.abs(output - run.logits[-1]).max() <= 0.02 * max(1, np.abs(output).max())
    taps = inside(net, run.config, run.states[-1], run.x, graph, ["logits"])
    assert np.abs(taps["logits"] - output).max() < 1e-3
    answers = run.logits[-1].argmax(1)
    assert graph.labels is not None
    assert (answers == graph.labels)[run.split == 3].mean() == pytest.approx(run.accuracy[-1, 2], abs=1e-6)


def test_only_the_very_graph_has_a_recorded_run():
    assert recorded("gcn", karate()).weights == "karate"
    assert recorded("gcn", sbm()).weights == "sbm"
    assert recorded("gcn", sbm(seed=1)) is None and recorded("gcn", miserables()) is None
    assert recorded("gcn", karate(four=True)) is None  # the same edges, other labels
    assert recorded("gcn", karate(), "sbm") is None


@pytest.mark.parametrize("net", NETS)
def test_recorded_scores_and_depths(net: str):
    scores, depths = train_gnn.recorded_scores(net, karate()), train_gnn.recorded_smoothing(net, karate())
    assert scores is not None and len(scores.micro) == len(scores.seeds) == 10
    assert scores.micro.mean() >= 0.9 > scores.logistic_micro.mean() + 0.2
    assert depths is not None and len(depths.distance) == len(depths.depths) == 8
    assert train_gnn.recorded_scores(net, miserables()) is None
    assert train_gnn.recorded_smoothing(net, miserables()) is None

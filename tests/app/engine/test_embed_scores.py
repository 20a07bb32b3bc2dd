"""Evaluations of embedding methods: several methods and seeds in one piece of work that can be stopped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine import Cancel, Cancelled
from app.engine.embed import BadRequest
from app.engine.embed_scores import Trial, refusal, scores, scores_by_degree
from models.graph import deepwalk, evaluate
from models.graph.evaluate import ClassScores, LinkScores
from models.graph.samples import barbell, karate, tree

SMALL = {"dim": 8, "walks": 2, "length": 10}


def trials(*names: str) -> list[Trial]:
    return [Trial(name, "deepwalk", SMALL, karate()) for name in names]


@pytest.mark.parametrize("task", ["links", "labels"])
def test_results_are_those_of_the_evaluation_itself(task):
    items = list(scores(trials("a", "b"), task, 0.3, (0, 4), Cancel()))
    done = [item.done for item in items]
    assert done == sorted(done) and done[-1] == items[-1].total
    assert {item.name for item in items} == {"a", "b"} and all(item.result is None for item in items[:-1])
    found = items[-1].result
    assert found is not None and found["a"] == found["b"]
    config = deepwalk.Config(dim=8, walks=2, length=10, snapshots=1)

    def train(graph, seed):
        return deepwalk.train(graph, replace(config, seed=seed))

    alone = evaluate.link_prediction if task == "links" else evaluate.trained_node_classification
    *_, last = alone(train, karate(), (0, 4), 0.3)
    assert found["a"] == last.results
    assert isinstance(found["a"][0], LinkScores if task == "links" else ClassScores)


def test_scores_by_degree_have_a_result_for_every_seed_and_range():
    *_, last = scores_by_degree(trials("a"), (1, 4, 100), 0.5, (0, 1, 2), Cancel())
    assert last.result is not None and last.done == last.total
    ranges = [[(each.low, each.high) for each in seed] for seed in last.result["a"]]
    assert ranges == [[(1, 4), (4, 100)]] * 3


def test_an_evaluation_stops_when_asked_to():
    cancel = Cancel()
    work = scores(trials("a", "b"), "links", 0.2, tuple(range(10)), cancel)
    next(work)
    cancel.set()
    with pytest.raises(Cancelled):
        next(work)


def test_a_bad_setting_is_said():
    bad = Trial("a", "deepwalk", {"dim": -1}, karate())
    with pytest.raises(BadRequest):
        list(scores([bad], "links", 0.2, (0,), Cancel()))


def test_what_cannot_be_asked_is_said_before_anything_is_trained():
    assert refusal(karate(), "links", 0.2) == refusal(karate(), "labels", 0.5) == ""
    assert refusal(tree(), "links", 0.2) == "embed_inside.evaluate.no_edges"
    assert refusal(karate().with_labels(None), "labels", 0.5) == "embed_inside.evaluate.no_labels"
    alone = barbell(3, 0).with_labels(np.array([0, 0, 0, 0, 0, 1]), ["a", "b"])
    assert refusal(alone, "labels", 0.5) == "embed_inside.evaluate.few_labels"

"""Training embeddings behind the engine's border: what comes back, what is refused, taking turns, stopping."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.engine import Cancel, Cancelled, as_user, embed
from app.engine.base import finish
from app.engine.embed import Progress, Run, defaults, guess_for, name_of, seconds_for, steps_of, train
from app.engine.embed_settings import (
    KNOBS,
    MOMENTS,
    MOST_ALL_PAIRS,
    MOST_BYTES,
    MOST_NODES,
    BadRequest,
    config_of,
    knobs,
)
from app.engine.queue import FairQueue
from app.text import LANGUAGES, catalogue
from models.graph.graph import Graph
from models.graph.samples import barbell, karate
from models.registry import METHODS

ALL = sorted(METHODS)
SMALL: dict[str, dict[str, Any]] = {
    "deepwalk": {"dim": 8, "walks": 2, "length": 10},
    "node2vec": {"dim": 8, "walks": 2, "length": 10},
    "struc2vec": {"dim": 8, "walks": 2, "length": 10},
    "line": {"dim": 8, "samples": 10**5},
    "sdne": {"dim": 8},
}
GRAPH = karate()


def said(error: BadRequest) -> list[str]:
    """The sentence of a refusal, in every language."""
    return [catalogue(code)[error.reason].format_map(error.details) for code in LANGUAGES]


def test_there_are_knobs_for_every_method():
    assert set(KNOBS) == set(METHODS) == set(SMALL)


@pytest.mark.parametrize("method", ALL)
def test_a_run_begins_untrained_and_ends_with_what_the_method_itself_learns(method):
    items = list(train(method, GRAPH, SMALL[method]))
    run = items[-1].result
    assert isinstance(run, Run) and all(item.result is None for item in items[:-1])
    assert [item.done for item in items] == sorted(item.done for item in items)
    assert items[-1].done == items[-1].total == run.total and items[-1].eta == 0
    own = [step.vectors for step in steps_of(method, GRAPH, SMALL[method]) if step.vectors is not None]
    assert run.vectors.dtype == np.float32 and run.vectors.shape == (len(own), GRAPH.count, 8)
    assert 2 < run.moments <= MOMENTS + 1
    assert np.array_equal(run.vectors, np.stack(own)) and np.array_equal(run.final, own[-1])
    assert not np.array_equal(run.vectors[0], run.final)
    assert len(run.done) == len(run.epochs) == len(run.losses) == run.moments
    assert run.done[0] == 0 and run.done[-1] == run.total and (np.diff(run.epochs) >= 0).all()
    assert np.isnan(run.losses[0]) and np.isfinite(run.losses[1:]).any()
    assert len(items[-1].losses) == run.moments - 1
    assert 0 < run.seconds <= items[-1].seconds + 1


@pytest.mark.parametrize("method", ALL)
def test_the_mean_loss_of_a_stretch_weighs_every_step_by_its_work(method):
    run = finish(train(method, GRAPH, SMALL[method]))
    before, sums, counts, wanted = 0, 0.0, 0, []
    for step in steps_of(method, GRAPH, SMALL[method]):
        if step.loss is not None and step.done > before:
            sums, counts = sums + step.loss * (step.done - before), counts + step.done - before
        before = step.done
        if step.vectors is not None:
            wanted.append(sums / counts if counts else np.nan)
            sums, counts = 0.0, 0
    assert np.allclose(run.losses, wanted, equal_nan=True)


@pytest.mark.parametrize("method", ALL)
def test_every_default_and_every_limit_is_taken(method):
    offered = knobs(method)
    start = defaults(method)
    assert set(start) == {knob.name for knob in offered}
    for knob in offered:
        assert knob.takes(start[knob.name]), knob
        for value in knob.options or (knob.low, knob.high):
            config_of(method, GRAPH, {knob.name: value})
    lows = {k.name: k.options[0] if k.options else k.low for k in offered}
    highs = {k.name: k.options[-1] if k.options else k.high for k in offered}
    config_of(method, GRAPH, lows)
    config_of(method, GRAPH, highs)


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("method", "settings", "reason"),
    [
        ("word2vec", {}, "embed.method"),
        ("deepwalk", {"p": 1.0}, "embed.setting"),
        ("deepwalk", {"dim": 1}, "embed.number"),
        ("deepwalk", {"dim": 7}, "embed.number"),
        ("deepwalk", {"dim": 2.5}, "embed.number"),
        ("deepwalk", {"walks": True}, "embed.number"),
        ("deepwalk", {"lr": float("nan")}, "embed.number"),
        ("deepwalk", {"seed": -1}, "embed.number"),
        ("deepwalk", {"loss": "softmax"}, "embed.choice"),
        ("node2vec", {"p": 0.3}, "embed.choice"),
        ("line", {"order": "third"}, "embed.choice"),
    ],
)
def test_settings_that_cannot_be_followed_are_refused_in_a_sentence(method, settings, reason):
    with pytest.raises(BadRequest) as refused:
        next(train(method, GRAPH, settings))
    assert refused.value.reason == reason
    assert all(said(refused.value))


def large(nodes: int) -> Graph:
    return Graph.of(np.arange(nodes - 1), np.arange(1, nodes))


@pytest.mark.parametrize(
    ("method", "graph", "settings", "reason"),
    [
        ("deepwalk", Graph.of([], [], count=3), {}, "embed.no_edges"),
        ("sdne", large(MOST_NODES["sdne"] + 1), {}, "embed.many_nodes"),
        ("struc2vec", large(MOST_NODES["struc2vec"] + 1), {}, "embed.many_nodes"),
        ("struc2vec", large(MOST_ALL_PAIRS + 1), {"opt2": "off"}, "embed.many_nodes"),
        ("deepwalk", large(100_000), {"walks": 80}, "embed.many_places"),
        ("deepwalk", large(100_000), {"dim": 256}, "embed.too_large"),
        ("line", Graph.of([0, 1], [1, 2], directed=True), {"order": "both"}, "embed.directed_first_order"),
    ],
)
def test_graphs_that_cannot_be_taken_are_refused_before_any_work(method, graph, settings, reason):
    with pytest.raises(BadRequest) as refused:
        next(train(method, graph, settings))
    assert refused.value.reason == reason
    assert all(said(refused.value))


def test_the_second_order_takes_a_directed_graph():
    graph = Graph.of([0, 1, 2], [1, 2, 0], directed=True)
    assert config_of("line", graph, {"order": "second"}).order == "second"


def test_of_a_large_graph_fewer_moments_are_kept():
    small, large_ = config_of("line", GRAPH, {"dim": 128}), config_of("line", large(50_000), {"dim": 128})
    assert small.snapshots == MOMENTS
    assert 1 <= large_.snapshots < MOMENTS
    assert 4 * 50_000 * 128 * (large_.snapshots + 1) <= MOST_BYTES


def test_what_the_method_itself_refuses_becomes_a_sentence(monkeypatch):
    def refuses(graph: Graph, config: Any) -> Iterator[Any]:
        if graph.count:
            raise ValueError("this graph is odd.")
        yield

    monkeypatch.setattr("app.engine.embed_settings._parts", lambda method: (refuses, dict))
    with pytest.raises(BadRequest) as refused:
        next(embed.start("line", GRAPH, None))
    assert refused.value.reason == "embed.refused" and "odd" in said(refused.value)[0]


# ---------------------------------------------------------------- names and times


def test_a_name_says_method_graph_and_settings():
    config = config_of("deepwalk", GRAPH)
    names = {
        name_of("deepwalk", GRAPH, config),
        name_of("deepwalk", barbell(), config),
        name_of("deepwalk", GRAPH, replace(config, seed=1)),
        name_of("node2vec", GRAPH, config),
    }
    assert len(names) == 4
    assert name_of("deepwalk", karate(), config_of("deepwalk", karate())) in names


@pytest.mark.parametrize("method", ALL)
def test_more_to_do_is_said_to_take_longer(method, monkeypatch):
    monkeypatch.setattr("app.engine.embed._pace", {})
    graph = barbell()
    more = {"samples": 10**7} if method == "line" else {"epochs": 2 * defaults(method)["epochs"]}
    longer = seconds_for(method, graph, config_of(method, graph, more))
    assert longer > seconds_for(method, graph, config_of(method, graph)) > 0


def test_a_small_training_says_nothing_of_a_large_one(monkeypatch):
    """A quick small one made a large one look short: it began by itself, and took minutes."""
    monkeypatch.setattr(embed, "_pace", {})
    monkeypatch.setattr(embed, "GUESS", {"deepwalk": 1.0})
    small = config_of("deepwalk", GRAPH, SMALL["deepwalk"])
    other = barbell(30)
    large = config_of("deepwalk", other)
    guessed = guess_for("deepwalk", other, large)
    assert guessed > 10 * guess_for("deepwalk", GRAPH, small)
    finish(train("deepwalk", GRAPH, SMALL["deepwalk"]))
    assert seconds_for("deepwalk", GRAPH, small) < 100, "it was measured"
    assert seconds_for("deepwalk", other, large) == guess_for("deepwalk", other, large) == guessed


# ---------------------------------------------------------------- several visitors


def test_two_trainings_at_once_are_as_each_alone_and_take_turns():
    alone = [finish(train(m, GRAPH, SMALL[m])).final for m in ("deepwalk", "line")]
    found: dict[str, np.ndarray] = {}
    order: list[str] = []
    ready = threading.Barrier(2)

    def work(method: str) -> None:
        with as_user(method):
            ready.wait()
            for item in train(method, GRAPH, SMALL[method]):
                order.append(method)
                if item.result is not None:
                    found[method] = item.result.final

    threads = [threading.Thread(target=work, args=(m,)) for m in ("deepwalk", "line")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert np.array_equal(found["deepwalk"], alone[0]) and np.array_equal(found["line"], alone[1])
    first_end = min(max(i for i, m in enumerate(order) if m == method) for method in found)
    assert len(set(order[: first_end + 1])) == 2, "the second one began before the first one had ended"


def test_two_trainings_can_both_be_stopped():
    stopped: list[str] = []
    flags = {"a": Cancel(), "b": Cancel()}

    def work(user: str) -> None:
        with as_user(user):
            try:
                for item in train("line", GRAPH, {"samples": 10**8}, flags[user]):
                    if item.done:
                        flags[user].set()
            except Cancelled:
                stopped.append(user)

    threads = [threading.Thread(target=work, args=(user,)) for user in flags]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(stopped) == ["a", "b"]
    assert finish(train("deepwalk", GRAPH, SMALL["deepwalk"])).moments > 2, "the queue is free again"


def test_stopped_while_it_waits_for_its_turn():
    flag = Cancel()
    with embed.turn():
        thread_found: list[type] = []

        def work() -> None:
            with as_user("other"):
                try:
                    next(train("deepwalk", GRAPH, SMALL["deepwalk"], flag))
                except Cancelled as error:
                    thread_found.append(type(error))

        thread = threading.Thread(target=work)
        thread.start()
        flag.set()
        thread.join(30)
    assert thread_found == [Cancelled]


def test_a_full_queue_is_said(monkeypatch):
    monkeypatch.setattr(embed, "_turns", FairQueue(0))
    with embed.turn(), pytest.raises(BadRequest) as refused, as_user("other"):
        next(train("deepwalk", GRAPH, SMALL["deepwalk"]))
    assert refused.value.reason == "embed.busy" and all(said(refused.value))


def test_a_training_that_never_ends_is_an_error():
    with pytest.raises(RuntimeError):
        finish(iter([Progress(1, 2, 0.1, 0.1)]))

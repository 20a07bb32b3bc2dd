"""Graphs as inputs, on both engines: no edge at all, a single node, loops, isolated nodes, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app import engine
from models.card import ModelCard
from models.graph.task import projected
from tests.close import ENGINES, distance
from tests.contract.helpers import CARDS

NETS = [(card, weights.id) for card in CARDS if card.family == "graph" for weights in card.weights]
each_net = pytest.mark.parametrize(("card", "weights_id"), NETS, ids=[f"{c.slug}-{w}" for c, w in NETS])

GRAPHS = {
    "no edge": (4, [], []),
    "one node": (1, [], []),
    "one node and its loop": (1, [0], [0]),
    "isolated, loop, both ways, parallel": (6, [0, 1, 1, 2, 3, 3, 3], [1, 0, 1, 2, 0, 0, 3]),
    "a star with more neighbours than an LSTM reads": (40, list(range(1, 40)), [0] * 39),
}


def feeds_of(
    card: ModelCard, features: int, graph: tuple[int, list[int], list[int]]
) -> dict[str, np.ndarray]:
    count, source, target = graph
    given: dict[str, Any] = {
        "x": projected(count, features),
        "source": np.array(source, np.int64),
        "target": np.array(target, np.int64),
        "weight": np.linspace(0.5, 2, len(source)).astype(np.float32),
    }
    return {spec.name: given[spec.name] for spec in card.inputs}


@pytest.mark.torch
@each_net
def test_any_graph_runs_alike_on_both_engines(card: ModelCard, weights_id: str):
    models = [engine.load(card.slug, weights_id, name) for name in ("torch", "onnx")]
    names = [spec.name for spec in card.taps(models[0].config)]
    for graph in GRAPHS.values():
        feeds = feeds_of(card, models[0].config["in_features"], graph)
        ours, theirs = (engine.run(model, feeds, names) for model in models)
        for name in names:
            assert distance(ours.taps[name], theirs.taps[name]) <= ENGINES, (name, graph)
        said = engine.tap_shapes(models[0], {name: array.shape for name, array in feeds.items()}, names)
        assert said == {name: array.shape for name, array in ours.taps.items()}


@each_net
def test_a_graph_that_is_none_is_refused(card: ModelCard, weights_id: str):
    model = engine.load(card.slug, weights_id, "onnx")
    good = feeds_of(card, model.config["in_features"], GRAPHS["isolated, loop, both ways, parallel"])
    for name, wrong in {
        "source": good["source"] + 6,  # a node that is not there
        "target": good["target"][:-1],  # one end is missing
        "x": good["x"][:, :-1],
    }.items():
        with pytest.raises(engine.EngineError) as caught:
            engine.run(model, good | {name: wrong})
        assert (caught.value.reason, caught.value.details["name"]) == ("engine.input", name)

"""The script that makes the graph networks' weights, and what its committed reports say."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.card import ModelCard, Weights
from models.graph.samples import build
from models.graph.task import Settings
from models.registry import MODELS
from models.training import graph_nets
from models.weights_io import load_weights

TRAINED = [(MODELS[net], w) for net in graph_nets.NETS for w in MODELS[net].weights if w.offered]
IDS = [f"{card.slug}-{weights.id}" for card, weights in TRAINED]


def report(card: ModelCard, weights: Weights) -> dict[str, Any]:
    return dict(json.loads(card.report_path(weights).read_text("utf-8")))


@pytest.mark.parametrize(("card", "weights"), TRAINED, ids=IDS)
def test_report(card: ModelCard, weights: Weights):
    """Ten seeds, far above what needs no graph; the badge's numbers follow from those of the seeds."""
    said = report(card, weights)
    graph = build(said["graph"]["sample"])
    assert said["graph"]["key"] == graph.key and said["graph"]["labels"] == list(graph.label_names)
    assert said["config"] == dict(weights.config)
    assert said["settings"] == json.loads(json.dumps(dataclasses.asdict(Settings())))
    score, micro = said["score"], np.array(said["scores"]["micro"])
    assert len(micro) == score["seeds"] == 10
    assert score["accuracy"] == pytest.approx(micro.mean(), abs=1e-4)
    assert score["sd"] == pytest.approx(micro.std(ddof=1), abs=1e-4)
    assert score["accuracy"] >= 0.8 and score["accuracy"] > score["logistic"] + 0.25
    assert score["majority"] == pytest.approx(1 / len(graph.label_names), abs=0.01)


@pytest.mark.parametrize("net", graph_nets.NETS)
def test_depth_smooths(net: str):
    """In every net sixteen rounds leave the nodes alike, trained or not, and the answers near chance."""
    said = report(MODELS[net], MODELS[net].weights[0])["smoothing"]
    two, sixteen = said["depths"].index(2), said["depths"].index(16)
    for name in ("distance", "untrained_distance"):
        assert said[name][sixteen] < 0.15 * said[name][two], name
    assert said["accuracy"][two][2] >= 0.85 and said["accuracy"][sixteen][2] <= 0.6


def test_the_script_writes_all_that_belongs_to_a_set_of_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class Elsewhere(ModelCard):
        @property
        def folder(self) -> Path:
            return tmp_path / self.slug

    given = MODELS["gcn"]
    fields = {field.name: getattr(given, field.name) for field in dataclasses.fields(given)}
    card = Elsewhere(**fields)
    monkeypatch.setattr(graph_nets, "SETTINGS", Settings(epochs=3, snapshots=2))
    monkeypatch.setattr(graph_nets, "SEEDS", (0, 1))
    monkeypatch.setattr(graph_nets, "DEPTHS", (1, 2))
    monkeypatch.setattr(graph_nets, "DEPTH_EPOCHS", 2)
    graph_nets.trained(card, card.weights_by_id("karate"), smoothing=True)
    graph_nets.untrained(card, card.weights_by_id("untrained"))
    names = sorted(path.name for path in card.folder.iterdir())
    assert names == [
        "karate.json", "karate.safetensors", "karate_run.npz", "untrained.json", "untrained.safetensors",
    ]  # fmt: skip
    run = np.load(card.folder / "karate_run.npz", allow_pickle=False)
    assert run["vectors"].shape == (3, 34, 16) and run["vectors"].dtype == np.float16
    assert report(card, card.weights_by_id("karate"))["smoothing"]["depths"] == [1, 2]
    shipped = load_weights(MODELS["gcn"].embedded_path(given.weights_by_id("untrained")))
    for name, value in load_weights(card.folder / "untrained.safetensors").items():
        assert np.array_equal(value, shipped[name]), name  # the same random numbers every time

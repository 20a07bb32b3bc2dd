"""Training of graph networks: the same numbers whoever else trains, torch_geometric's losses, and its scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.graph.graph import Graph
from models.graph.samples import karate, sbm
from models.graph.task import TEST, TRAIN, Settings, accuracies, features, inputs, split
from models.graph.training import Epoch, SeededDropout, Trainer, fit, seeded
from models.graph.trials import one_run, over_depths, over_seeds
from models.training.graph_nets import finished

SIZES = dict(in_features=34, hidden=16, num_classes=2, layers=2)
CONFIGS: dict[str, dict[str, Any]] = {
    "gcn": SIZES,
    "graphsage": SIZES,
    "gat": SIZES | dict(hidden=4, heads=4),
    "message_passing": SIZES,
}
SHORT = Settings(epochs=12, snapshots=3)


def epochs(net: str, graph: Graph, settings: Settings, **changes: Any) -> list[Epoch]:
    config = CONFIGS[net] | dict(in_features=graph.count, num_classes=len(graph.label_names)) | changes
    parts = split(graph, settings.known, settings.seed)
    return list(fit(net, config, graph, features(graph).x, parts, settings))


def last_state(steps: list[Epoch]) -> Mapping[str, np.ndarray]:
    assert steps[-1].moment is not None
    return steps[-1].moment.state


def test_the_untrained_net_comes_first_and_moments_are_even():
    steps = epochs("gcn", karate(), SHORT)
    assert [step.number for step in steps] == list(range(13))
    assert [step.number for step in steps if step.moment is not None] == [0, 4, 8, 12]
    assert np.isnan(steps[0].loss) and all(np.isfinite(step.loss) for step in steps[1:])
    moment = steps[-1].moment
    assert moment is not None and moment.vectors.shape == (34, 16) and moment.logits.shape == (34, 2)


@pytest.mark.parametrize("net", CONFIGS)
def test_nothing_that_others_do_changes_a_training(net: str):
    """Another training takes every second epoch, and somebody draws from torch's shared generator."""
    alone = epochs(net, karate(), SHORT)
    config = CONFIGS[net]
    parts = split(karate(), SHORT.known, SHORT.seed)
    other = replace(SHORT, seed=7)
    ours, theirs = (
        fit(net, config, karate(), np.eye(34, dtype=np.float32), parts, s) for s in (SHORT, other)
    )
    together = []
    for step in ours:
        together.append(step)
        next(theirs)
        torch.rand(3)
    assert [a.loss for a in alone[1:]] == [b.loss for b in together[1:]]
    for name, value in last_state(alone).items():
        assert np.array_equal(value, last_state(together)[name]), name


def test_another_seed_is_another_training():
    losses = [[e.loss for e in epochs("gcn", karate(), replace(SHORT, seed=s))[1:]] for s in (0, 1)]
    assert losses[0] != losses[1]


def test_dropout_keeps_the_mean_and_is_nothing_in_eval():
    drop = SeededDropout(0.25, torch.Generator().manual_seed(0))
    x = torch.ones(200, 200)
    assert drop(x).unique().tolist() == pytest.approx([0, 4 / 3])
    assert float(drop(x).mean()) == pytest.approx(1, abs=0.02)
    assert torch.equal(drop.eval()(x), x)


# ---------------------------------------------------------------- against torch_geometric


class Peer(nn.Module):
    """Two layers of torch_geometric's, as its examples stack them; dropout in front of each, as in ours."""

    def __init__(self, net: str, graph: Graph, dropout: float):
        super().__init__()
        import torch_geometric.nn as pyg

        narrow, classes = graph.count, len(graph.label_names)
        self.net, self.dropout = net, dropout
        self.head: nn.Module = nn.Identity()
        if net == "gcn":
            self.layers = nn.ModuleList([pyg.GCNConv(narrow, 16), pyg.GCNConv(16, classes)])
        elif net == "gat":
            drop = dict(dropout=dropout)
            self.layers = nn.ModuleList(
                [pyg.GATConv(narrow, 4, 4, **drop), pyg.GATConv(16, classes, concat=False, **drop)]
            )
        else:
            self.layers = nn.ModuleList([pyg.SAGEConv(narrow, 16), pyg.SAGEConv(16, 16)])
            self.head = nn.Linear(16, classes)

    def forward(self, x: Tensor, index: Tensor) -> Tensor:
        for i, layer in enumerate(self.layers):
            x = layer(F.dropout(x, self.dropout, self.training), index)
            if i == 0:
                x = F.elu(x) if self.net == "gat" else F.relu(x)
            if self.net == "graphsage":
                x = F.normalize(x)  # after σ (algorithm 1, line 7)
        return self.head(x)


NAMES = {
    "gcn": {"linear.weight": "lin.weight", "bias": "bias"},
    "gat": {
        "scores.linear.weight": "lin.weight",
        "scores.attend_source": "att_src",
        "scores.attend_target": "att_dst",
        "bias": "bias",
    },
    "graphsage": {
        "self_linear.weight": "lin_r.weight",
        "neighbour_linear.weight": "lin_l.weight",
        "neighbour_linear.bias": "lin_l.bias",
    },
}


def peer_from(net: str, ours: nn.Module, graph: Graph) -> Peer:
    """The peer with our weights and no dropout."""
    peer = Peer(net, graph, 0.0)
    state, shapes = ours.state_dict(), peer.state_dict()
    moved = {f"head.{k}": state[f"head.{k}"] for k in ("weight", "bias") if net == "graphsage"}
    for i in range(2):
        for our, their in NAMES[net].items():
            name = f"layers.{i}.{their}"
            moved[name] = state[f"layers.{i}.{our}"].reshape(shapes[name].shape)
    peer.load_state_dict(moved)
    return peer


def peer_losses(peer: nn.Module, graph: Graph, parts: np.ndarray, count: int) -> list[float]:
    """Train the peer: Adam, the whole graph at once, as `Settings()` says."""
    settings = Settings()
    optimiser = torch.optim.Adam(peer.parameters(), lr=settings.lr, weight_decay=settings.weight_decay)
    given = inputs(graph, features(graph).x)
    x, index = torch.from_numpy(given["x"]), torch.tensor(np.stack([given["source"], given["target"]]))
    known = torch.from_numpy(np.flatnonzero(parts == TRAIN))
    labels = torch.tensor(graph.labels)
    losses = []
    peer.train()
    for _ in range(count):
        loss = F.cross_entropy(peer(x, index)[known], labels[known])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    return losses


@pytest.mark.parametrize("net", NAMES)
def test_losses_are_torch_geometrics_epoch_by_epoch(net: str):
    """From the same weights, without dropout."""
    pytest.importorskip("torch_geometric")
    graph, settings = karate(), Settings(epochs=30)
    config, parts = CONFIGS[net] | dict(dropout=0.0), split(graph, 4, 0)
    trainer = Trainer(net, config, graph, features(graph).x, parts, settings)
    peer = peer_from(net, trainer.net, graph)
    ours = [trainer.epoch() for _ in range(30)]
    assert ours == pytest.approx(peer_losses(peer, graph, parts, 30), abs=1e-4)
    assert ours[-1] < 0.7 * ours[0]


@pytest.mark.slow
@pytest.mark.parametrize("sample", [karate, sbm])
@pytest.mark.parametrize("net", NAMES)
def test_scores_lie_within_the_spread_of_torch_geometrics(net: str, sample: Any):
    """Mean test accuracy over five seeds: splits alike, weights and dropout drawn by each library itself."""
    pytest.importorskip("torch_geometric")
    graph, seeds = sample(), range(5)
    config = CONFIGS[net] | dict(in_features=graph.count, num_classes=len(graph.label_names))
    ours = finished(over_seeds(net, config, graph, Settings(epochs=100), seeds)).micro
    theirs = []
    assert graph.labels is not None
    for seed in seeds:
        torch.manual_seed(seed)
        peer, parts = Peer(net, graph, 0.5), split(graph, 4, seed)
        peer_losses(peer, graph, parts, 100)
        given = inputs(graph, features(graph).x)
        index = torch.tensor(np.stack([given["source"], given["target"]]))
        with torch.inference_mode():
            logits = peer.eval()(torch.from_numpy(given["x"]), index).numpy()
        theirs.append(accuracies(logits, graph.labels, parts)[2])
    spread = max(float(np.std(theirs, ddof=1)), float(ours.std(ddof=1)), 0.02)
    assert abs(ours.mean() - np.mean(theirs)) <= 2 * spread, (ours, theirs)


# ---------------------------------------------------------------- GraphSAGE: drawn neighbours, walks


def test_drawing_everybody_is_the_whole_graph():
    whole = epochs("graphsage", karate(), SHORT, dropout=0.0)
    drawn = epochs("graphsage", karate(), replace(SHORT, sizes=(99, 99)), dropout=0.0)
    assert [e.loss for e in drawn[1:]] == pytest.approx([e.loss for e in whole[1:]], abs=1e-5)


def test_few_drawn_neighbours_still_learn_and_give_other_losses():
    whole = epochs("graphsage", sbm(), Settings(epochs=60, snapshots=1), dropout=0.0)
    drawn = epochs("graphsage", sbm(), Settings(epochs=60, snapshots=1, sizes=(4, 3), batch=5), dropout=0.0)
    assert [e.loss for e in drawn[1:4]] != pytest.approx([e.loss for e in whole[1:4]], abs=1e-5)
    assert drawn[-1].moment is not None
    parts = split(sbm(), 4, 0)
    labels = sbm().labels
    assert labels is not None
    assert accuracies(drawn[-1].moment.logits, labels, parts)[2] > 0.6  # by chance 1/3


def test_walks_bring_communities_together_without_labels():
    """Mean cosine within a block against across, untrained and trained; no label takes part."""
    graph = sbm(inside=0.4, between=0.01)
    steps = epochs("graphsage", graph, Settings(epochs=60, snapshots=1, objective="walks"), dropout=0.0)
    assert graph.labels is not None
    same = graph.labels[:, None] == graph.labels[None]
    gaps = []
    for step in (steps[0], steps[-1]):
        assert step.moment is not None
        z = step.moment.vectors
        cosine = z @ z.T  # of length 1
        gaps.append(cosine[same].mean() - cosine[~same].mean())
    assert gaps[1] > 0.4 and gaps[1] > 1.5 * gaps[0], gaps
    assert steps[-1].loss < steps[1].loss
    bare = list(
        fit(
            "graphsage", CONFIGS["graphsage"] | dict(in_features=90, num_classes=1), graph.with_labels(None),
            features(graph).x, np.zeros(90, np.int8), Settings(epochs=1, objective="walks"),
        )
    )  # fmt: skip
    assert bare[-1].moment is not None and bare[-1].moment.logits.shape == (90, 0)


def test_walks_survive_dead_ends_and_isolated_nodes():
    graph = Graph.of([0, 1, 3], [1, 2, 0], count=6, directed=True)
    config = SIZES | dict(in_features=6, num_classes=1)
    settings = Settings(epochs=2, objective="walks")
    parts = split(graph, 1, 0)
    steps = list(fit("graphsage", config, graph, np.eye(6, dtype=np.float32), parts, settings))
    assert np.isfinite([step.loss for step in steps[1:]]).all()


# ---------------------------------------------------------------- trials


def test_a_run_keeps_what_the_epochs_gave():
    graph = karate()
    run = finished(one_run("gcn", CONFIGS["gcn"], graph, SHORT))
    steps = epochs("gcn", graph, SHORT)
    assert run.loss.tolist() == pytest.approx([step.loss for step in steps[1:]])
    assert run.epochs.tolist() == [0, 4, 8, 12]
    assert run.vectors.shape == (4, 34, 16) and run.logits.shape == (4, 34, 2) and len(run.states) == 4
    assert run.accuracy.shape == (4, 3) and np.isfinite(run.validation_loss).all()
    net = seeded(Trainer("gcn", CONFIGS["gcn"], graph, run.x, run.split, SHORT).net, torch.Generator())
    net.load_state_dict({name: torch.from_numpy(value) for name, value in run.states[1].items()})
    given = inputs(graph, run.x)
    with torch.inference_mode():
        logits = net.eval()(*(torch.tensor(given[name]) for name in ("x", "source", "target", "weight")))
    assert np.array_equal(logits.numpy(), run.logits[1])  # the state of a moment gives that moment's logits


def test_scores_over_seeds_by_hand():
    graph, settings = karate(), Settings(epochs=20)
    found = finished(over_seeds("gcn", CONFIGS["gcn"], graph, settings, (3, 5)))
    assert found.seeds == (3, 5) and found.micro.shape == (2,)
    for k, seed in enumerate(found.seeds):
        run = finished(one_run("gcn", CONFIGS["gcn"], graph, replace(settings, seed=seed)))
        assert found.micro[k] == pytest.approx(run.accuracy[-1, 2])
        assert found.tested == np.count_nonzero(run.split == TEST)
    assert found.majority_micro == pytest.approx([0.5, 0.5])  # karate's clubs are of one size
    assert found.logistic_micro.max() <= 0.7  # a number of its own says nothing of another node
    with pytest.raises(ValueError, match="labels"):
        finished(over_seeds("gcn", CONFIGS["gcn"], graph.with_labels(None), settings, (0,)))


@pytest.mark.slow
def test_deep_gcns_smooth_everything_away_and_are_wrong():
    """Li, Han and Wu 2018: with depth the nodes become alike, and then no training tells them apart."""
    settings = Settings(epochs=60)
    found = finished(over_depths("gcn", CONFIGS["gcn"], karate(), settings, (2, 16), (0, 1)))
    assert found.untrained_distance[1] < 0.05 * found.untrained_distance[0]
    assert found.untrained_energy[1] < 0.05 * found.untrained_energy[0]
    assert found.distance[1] < 0.5 * found.distance[0]
    assert found.accuracy[1, 2] < found.accuracy[0, 2] - 0.2

"""Every number that the graph networks page works out again is the network's own, whatever net, node and channel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from app.widgets.formula import Worked, work
from models.graph.gat import GAT, GATConfig
from models.graph.gcn import GCN, GCNConfig
from models.graph.graph import Graph
from models.graph.graphsage import GraphSAGE, GraphSAGEConfig
from models.graph.message_passing import MPNN, MessagePassingConfig
from models.neighbours import sample
from models.taps import record
from pages.graph_networks_parts import forward as again, rounds
from pages.graph_networks_parts.attention import entropies, orders
from pages.graph_networks_parts.cells import Cell, cell_latex, cell_sum
from pages.graph_networks_parts.forward import Edges
from pages.graph_networks_parts.rounds import Sum
from pages.graph_networks_parts.view import Seen
from tests.close import PARITY, distance

CASES: dict[str, tuple[str, Callable[[], nn.Module]]] = {
    "gcn": ("gcn", lambda: GCN(GCNConfig.tiny())),
    "gcn add": ("gcn", lambda: GCN(GCNConfig.tiny(loops="add", layers=1))),
    "gat": ("gat", lambda: GAT(GATConfig.tiny())),
    "gat v2": ("gat", lambda: GAT(GATConfig.tiny(version=2, edge_weights=True))),
    "gat deep": ("gat", lambda: GAT(GATConfig.tiny(edge_weights=True, layers=3))),
    "sage mean": ("graphsage", lambda: GraphSAGE(GraphSAGEConfig.tiny())),
    "sage max": ("graphsage", lambda: GraphSAGE(GraphSAGEConfig.tiny(aggregator="max", normalise=False))),
    "sage lstm": ("graphsage", lambda: GraphSAGE(GraphSAGEConfig.tiny(aggregator="lstm", most=2))),
    "mpnn": ("message_passing", lambda: MPNN(MessagePassingConfig.tiny())),
    "mpnn edge": (
        "message_passing",
        lambda: MPNN(MessagePassingConfig.tiny(form="edge network", readout="set2set")),
    ),
}
# directed and weighted; 2 has a loop, 5 no edge
GRAPH = Graph.of(
    [0, 1, 2, 2, 3, 4, 0], [1, 2, 2, 3, 1, 3, 4], [1.0, 0.5, 2.0, 1.5, 3.0, 0.25, 1.0], count=6, directed=True
)
EDGES = Edges.of(GRAPH)


class Ran(NamedTuple):
    """A net that ran on the graph, with weights and biases that are not just 0."""

    net: str
    model: Any
    config: dict[str, Any]
    state: dict[str, np.ndarray]
    x: np.ndarray
    taps: dict[str, np.ndarray]


def tensors(edges: Edges) -> tuple[Tensor, Tensor, Tensor]:
    return torch.tensor(edges.source), torch.tensor(edges.target), torch.tensor(edges.weight).float()


@pytest.fixture(scope="module", params=CASES)
def ran(request: pytest.FixtureRequest) -> Ran:
    net, make = CASES[request.param]
    torch.manual_seed(0)
    model: Any = make().eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=0.5)
    x = torch.randn(GRAPH.count, 5)
    with torch.no_grad(), record() as taps:
        model(x, *tensors(EDGES))
    state = {name: value.numpy() for name, value in model.state_dict().items()}
    return Ran(
        net, model, asdict(model.config), state, x.numpy(), {name: tap.numpy() for name, tap in taps.items()}
    )


def reads(ran: Ran, layer: int) -> np.ndarray:
    name = rounds.before_tap(ran.net, layer)
    return ran.taps[name] if name else ran.x


def every_round(ran: Ran) -> list[rounds.Round]:
    return [
        rounds.round_of(ran.net, ran.config, ran.state, reads(ran, k), EDGES, k, node)
        for k in range(ran.config["layers"])
        for node in range(GRAPH.count)
    ]


def worked(found: Sum, expected: float) -> Worked:
    return work(found.terms, found.bias, expected, activation=found.activation, slack=found.slack)


def test_numpy_gives_every_tap_of_the_net(ran: Ran) -> None:
    taps = again.forward(ran.net, ran.config, ran.state, ran.x.astype(np.float64), EDGES)
    assert taps.keys() == ran.taps.keys()
    assert set(rounds.needed(ran.net, ran.config)) <= taps.keys()
    for name, tap in taps.items():
        assert distance(tap, ran.taps[name]) <= PARITY, name


def test_a_round_at_one_node_is_the_layer_there(ran: Ran) -> None:
    for made in every_round(ran):
        assert (
            distance(made.out, ran.taps[rounds.out_tap(ran.net, ran.config, made.layer)][made.node]) <= PARITY
        )
        tap = rounds.gathered_tap(ran.net, made.layer)
        if tap:
            assert distance(made.gathered, ran.taps[tap][made.node]) <= PARITY
        assert np.allclose(made.message, made.coefficient * made.value)
        looped = ran.net in ("gcn", "gat")
        senders = set(EDGES.source[EDGES.arriving(made.node)]) | ({made.node} if looped else set())
        if ran.config.get("aggregator") != "lstm":  # which reads two at most here
            assert set(made.sender) == senders and (
                looped or len(made.sender) == len(EDGES.arriving(made.node))
            )


def test_every_worked_sum_is_the_number_of_the_net(ran: Ran) -> None:
    checked = 0
    for made in every_round(ran):
        feature = [str(f) for f in range(len(made.h))]
        out = ran.taps[rounds.out_tap(ran.net, ran.config, made.layer)][made.node]
        for channel, stored in enumerate(out):
            found = rounds.update_sum(made, ran.config, ran.state, channel, feature)
            assert worked(found, float(stored)).agrees, (made.layer, made.node, channel)
            wrong = worked(found, float(stored) + 1e-2)
            assert not wrong.agrees
            checked += 1
        tap = rounds.value_tap(ran.net, made.layer)
        for channel in range(made.value.shape[1]):
            gathered = rounds.gather_sum(made, ran.config, channel, str)
            if gathered is not None:
                assert worked(gathered, float(made.gathered[channel])).agrees
            for m, sender in enumerate(made.sender):
                value = rounds.value_sum(made, ran.config, ran.state, m, channel, feature)
                if value is not None:
                    stored = ran.taps[tap][sender].reshape(-1)[channel] if tap else made.value[m, channel]
                    assert worked(value, float(stored)).agrees
    assert checked


def test_every_number_of_every_tap_is_worked_out_again(ran: Ran) -> None:
    """But an LSTM's and set2set's own states, and the loops that GAT leaves out."""
    scene: Any = SimpleNamespace(
        net=ran.net, config=ran.config, graph=GRAPH, edges=EDGES, x=ran.x, run=None, card=None
    )
    seen = Seen(ran.taps, ran.state, "torch", 0)
    for name, tap in ran.taps.items():
        flat = tap.reshape(len(tap), -1) if tap.ndim > 1 or name == "norm" else tap.reshape(1, -1)
        skipped = 0
        for row, column in np.ndindex(flat.shape):
            found = cell_sum(scene, seen, Cell(name, row, column))
            if found is None:
                skipped += 1
                continue
            assert worked(found, float(flat[row, column])).agrees, (name, row, column)
            assert cell_latex(scene, seen, Cell(name, row, column)) or name != "norm"
        word = name.split(".")[-1]
        if word == "aggregated" and ran.config["aggregator"] == "lstm":
            assert skipped == flat.size
        elif name == "readout" and ran.config["readout"] == "set2set":
            assert skipped == flat.size / 2  # the LSTM's state q; r is a sum
        elif ran.net in ("gcn", "gat") and word in ("norm", "scores", "weights", "messages"):
            assert skipped <= flat.shape[1]  # one row: the listed loop of GAT, the added one of GCN beside it
        else:
            assert not skipped, name


def test_the_sampled_embedding_is_the_net_on_the_sample(ran: Ran) -> None:
    if ran.net != "graphsage":
        return
    rows = GRAPH.reversed()
    drawn = sample(rows.indptr, rows.indices, np.array([3, 1]), [1] * 2, np.random.default_rng(0))
    with torch.no_grad():
        expected = ran.model.embed(torch.from_numpy(ran.x[drawn.nodes]), drawn.hops)
    found = again.sampled_embedding(ran.config, ran.state, ran.x.astype(np.float64), drawn)
    assert distance(found, expected) <= PARITY


def test_shares_of_attention_add_up_and_their_entropy_lies_between_0_and_1(ran: Ran) -> None:
    if ran.net != "gat":
        return
    looped, left_out = again.gat_edges(EDGES)
    for k in range(ran.config["layers"]):
        weights = ran.taps[f"layers.{k}.weights"].astype(np.float64)
        assert np.allclose(again.sum_at(weights, looped.target, looped.count), 1, atol=1e-5)
        assert (
            (entropies(looped, left_out, weights) >= 0) & (entropies(looped, left_out, weights) <= 1 + 1e-6)
        ).all()
    equal = (~left_out).astype(np.float64)[:, None]
    equal = equal / again.sum_at(equal, looped.target, looped.count)[looped.target]
    assert entropies(looped, left_out, equal) == pytest.approx([1.0])


@pytest.mark.parametrize("version", [1, 2])
def test_gat_of_version_1_has_one_order_of_senders_and_version_2_has_many(version: int) -> None:
    """Brody et al. 2022, theorem 1: static attention."""
    torch.manual_seed(3)
    model = GAT(GATConfig.tiny(version=version, in_features=12)).eval()
    state = {name: value.double().numpy() for name, value in model.state_dict().items()}
    target, source = (side.ravel() for side in np.indices((12, 12)))
    every = Edges(source, target, np.ones(144), 12)
    _, scores = again.gat_scores(asdict(model.config), state, 0, np.eye(12), every)
    counts = [orders(np.round(scores[:, head].reshape(12, 12), 12)) for head in range(2)]
    assert counts == [1, 1] if version == 1 else min(counts) > 1

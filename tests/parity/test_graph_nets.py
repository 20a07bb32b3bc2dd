"""GCN, GraphSAGE, GAT and message passing give what torch_geometric's layers give with the same weights.

Every graph has an isolated node and a node with a loop; one is directed, one has no edge at all.
"""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from models.graph.gat import GATConfig, GATLayer, with_loops as gat_loops
from models.graph.gcn import GCN, GCNConfig
from models.graph.graphsage import GraphSAGEConfig, LSTMAggregator, SAGELayer
from models.graph.message_passing import MessagePassing, MessagePassingConfig, Set2Set
from models.taps import record
from tests.close import PARITY, distance

pyg = pytest.importorskip("torch_geometric.nn")

COUNT, FEATURES = 9, 5
Edges = tuple[Tensor, Tensor, Tensor]


def edges(kind: str) -> Edges:
    """source, target, weight: node 3 has a loop, node 8 no edge."""
    pairs = [(0, 1), (0, 2), (1, 2), (2, 4), (3, 3), (3, 4), (4, 5), (5, 6), (6, 7), (4, 7), (4, 0)]
    if kind == "empty":
        pairs = []
    if kind == "undirected":
        pairs += [(b, a) for a, b in pairs if a != b]
    source, target = torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2).T.contiguous()
    weight = 0.25 + 2 * torch.rand(len(pairs), generator=torch.Generator().manual_seed(1))
    return source, target, weight


def features() -> Tensor:
    return torch.randn(COUNT, FEATURES, generator=torch.Generator().manual_seed(2))


def random_weights(module: nn.Module) -> nn.Module:
    """Every parameter random, biases included."""
    torch.manual_seed(0)
    for parameter in module.parameters():
        nn.init.normal_(parameter, 0, 0.5)
    return module.eval()


def copy(pairs: dict[str, str], ours: nn.Module, theirs: nn.Module) -> None:
    """Our parameters from theirs, {our name: their name}; all of ours must be named."""
    state = theirs.state_dict()
    shapes = {name: value.shape for name, value in ours.state_dict().items()}
    ours.load_state_dict({name: state[other].reshape(shapes[name]) for name, other in pairs.items()})
    ours.eval()


each_kind = pytest.mark.parametrize("kind", ["directed", "undirected", "empty"])


@each_kind
def test_gcn(kind: str):
    source, target, weight = edges(kind)
    first = random_weights(pyg.GCNConv(FEATURES, 6))
    second = random_weights(pyg.GCNConv(6, 3))
    ours = GCN(GCNConfig.tiny()).eval()
    for layer, theirs in zip(ours.layers, (first, second), strict=True):
        copy({"linear.weight": "lin.weight", "bias": "bias"}, layer, theirs)
    x, index = features(), torch.stack([source, target])
    with torch.inference_mode(), record() as taps:
        hidden = first(x, index, weight).relu()
        assert distance(ours(x, source, target, weight), second(hidden, index, weight)) <= PARITY
    assert distance(taps["layers.0.out"], hidden) <= PARITY


@each_kind
@pytest.mark.parametrize("aggregator", ["mean", "max"])
@pytest.mark.parametrize("normalise", [False, True])
def test_graphsage(kind: str, aggregator: str, normalise: bool):
    source, target, _ = edges(kind)
    theirs = random_weights(
        pyg.SAGEConv(FEATURES, 6, aggr=aggregator, normalize=normalise, project=aggregator == "max")
    )
    ours = SAGELayer(
        GraphSAGEConfig.tiny(aggregator=aggregator, normalise=normalise), FEATURES, True, "layer"
    )
    names = {
        "self_linear.weight": "lin_r.weight",
        "neighbour_linear.weight": "lin_l.weight",
        "neighbour_linear.bias": "lin_l.bias",
    }
    if aggregator == "max":
        names |= {"aggregate.linear.weight": "lin.weight", "aggregate.linear.bias": "lin.bias"}
    copy(names, ours, theirs)
    with torch.inference_mode():
        expected = theirs(features(), torch.stack([source, target]))
        assert distance(ours(features(), source, target), expected) <= PARITY


LSTM = {
    "cell.weight_ih": "lstm.weight_ih_l0",
    "cell.weight_hh": "lstm.weight_hh_l0",
    "cell.bias_ih": "lstm.bias_ih_l0",
    "cell.bias_hh": "lstm.bias_hh_l0",
}


@each_kind
def test_lstm_aggregator_node_by_node(kind: str):
    """One node at a time torch_geometric pads nothing, and both read the same neighbours."""
    source, target, _ = edges(kind)
    theirs = random_weights(pyg.LSTMAggregation(FEATURES, FEATURES))
    ours = LSTMAggregator(FEATURES, most=9)
    copy(LSTM, ours, theirs)
    with torch.inference_mode():
        got = ours(features(), source, target, COUNT)
        for node in range(COUNT):
            messages = features()[source[target == node]]
            if len(messages):
                one = theirs(messages, torch.zeros(len(messages), dtype=torch.int64), dim_size=1)
                assert distance(got[node], one[0]) <= PARITY, node
            else:
                assert got[node].eq(0).all()


def test_lstm_layer_where_all_nodes_have_equally_many_neighbours():
    """With unequal numbers torch_geometric's LSTM runs on over the zeros that fill up the shorter rows; ours stops."""
    node = torch.arange(COUNT)
    source = torch.stack([(node + step) % COUNT for step in (1, 3, 4)], 1).flatten()
    target = node.repeat_interleave(3)
    theirs = random_weights(pyg.SAGEConv(FEATURES, 6, aggr="lstm"))
    ours = SAGELayer(GraphSAGEConfig.tiny(aggregator="lstm", normalise=False), FEATURES, True, "layer")
    names = {"aggregate." + our: "aggr_module." + their for our, their in LSTM.items()}
    names |= {"self_linear.weight": "lin_r.weight"}
    names |= {f"neighbour_linear.{part}": f"lin_l.{part}" for part in ("weight", "bias")}
    copy(names, ours, theirs)
    with torch.inference_mode():
        expected = theirs(features(), torch.stack([source, target]))
        assert distance(ours(features(), source, target), expected) <= PARITY


@each_kind
@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("edge_weights", [False, True])
@pytest.mark.parametrize("last", [False, True])
def test_gat(kind: str, version: int, edge_weights: bool, last: bool):
    source, target, weight = edges(kind)
    layer = pyg.GATConv if version == 1 else pyg.GATv2Conv
    theirs = random_weights(
        layer(FEATURES, 4, heads=2, concat=not last, edge_dim=1 if edge_weights else None)
    )
    ours = GATLayer(GATConfig.tiny(version=version, edge_weights=edge_weights), FEATURES, 4, last, "layer")
    state = theirs.state_dict()
    if version == 1:
        names = {"linear.weight": "lin.weight", "attend_source": "att_src", "attend_target": "att_dst"}
        if edge_weights:  # only the product of their two vectors counts
            state["edge"] = (state["lin_edge.weight"].view(2, 4) * state["att_edge"][0]).sum(-1)
            names |= {"attend_edge": "edge"}
    else:
        names = {"linear.weight": "lin_l.weight", "linear.bias": "lin_l.bias", "attend": "att"}
        names |= {"target_linear.weight": "lin_r.weight", "target_linear.bias": "lin_r.bias"}
        names |= {"edge": "lin_edge.weight"} if edge_weights else {}
    shapes = {name: value.shape for name, value in ours.state_dict().items()}
    converted = {f"scores.{our}": state[their] for our, their in names.items()} | {"bias": state["bias"]}
    ours.load_state_dict({name: value.reshape(shapes[name]) for name, value in converted.items()})
    ours.eval()

    x, index = features(), torch.stack([source, target])
    with torch.inference_mode(), record() as taps:
        out = ours(x, *gat_loops(source, target, weight, COUNT))
        expected, (pairs, alpha) = theirs(
            x, index, weight[:, None] if edge_weights else None, return_attention_weights=True
        )
    assert distance(out, expected if last else nn.functional.elu(expected)) <= PARITY
    kept = torch.cat([source != target, torch.ones(COUNT, dtype=torch.bool)])
    assert distance(taps["layer.weights"][kept], alpha) <= PARITY
    assert taps["layer.weights"][~kept].eq(0).all()
    assert torch.equal(pairs[0][-COUNT:], torch.arange(COUNT))  # theirs has the own loops last, as ours


@each_kind
def test_message_passing_linear(kind: str):
    source, target, weight = edges(kind)
    theirs = random_weights(pyg.GraphConv(6, 6))
    ours = MessagePassing(MessagePassingConfig.tiny(), "layer")
    names = {"message.linear.weight": "lin_rel.weight", "update.linear.bias": "lin_rel.bias"}
    copy(names | {"update.linear.weight": "lin_root.weight"}, ours, theirs)
    h = torch.randn(COUNT, 6)
    with torch.inference_mode():
        expected = theirs(h, torch.stack([source, target]), weight).relu()
        assert distance(ours(h, source, target, weight), expected) <= PARITY


@each_kind
def test_message_passing_edge_network(kind: str):
    source, target, weight = edges(kind)
    ours = MessagePassing(MessagePassingConfig.tiny(form="edge network"), "layer")
    random_weights(ours)
    theirs = pyg.NNConv(6, 6, ours.message.edge, aggr="add", root_weight=False, bias=False)
    gru = nn.GRU(6, 6)
    gru.load_state_dict({f"{name}_l0": value for name, value in ours.update.cell.state_dict().items()})
    h = torch.randn(COUNT, 6)
    with torch.inference_mode(), record() as taps:
        m = theirs(h, torch.stack([source, target]), weight[:, None])
        expected = gru(m[None], h[None])[0][0]
        assert distance(ours(h, source, target, weight), expected) <= PARITY
    assert distance(taps["layer.gathered"], m) <= PARITY


def test_set2set():
    theirs = random_weights(pyg.aggr.Set2Set(6, processing_steps=3))
    ours = Set2Set(MessagePassingConfig.tiny())
    copy(LSTM, ours, theirs)
    h = torch.randn(COUNT, 6)
    with torch.inference_mode():
        assert distance(ours(h), theirs(h, torch.zeros(COUNT, dtype=torch.int64))[0]) <= PARITY

"""The graph networks against dense matrices, against loops, and against what the papers say must hold."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from torch import Tensor, nn

from models.edges import max_at, softmax_at, sum_at
from models.graph.gat import GAT, GATConfig, GATLayer, with_loops as gat_loops
from models.graph.gcn import GCN, GCNConfig, normalised, with_loops
from models.graph.graph import Graph
from models.graph.graphsage import (
    GraphSAGE,
    GraphSAGEConfig,
    SAGELayer,
    unsupervised_loss,
)
from models.graph.message_passing import MPNN, MessagePassingConfig
from models.graph.samples import karate
from models.graph.smoothing import dirichlet_energy, mean_pairwise_distance
from models.neighbours import sample, sample_neighbours
from models.taps import record, taps_of
from tests.close import PARITY, distance

MODELS = {
    "message_passing": lambda: MPNN(MessagePassingConfig.tiny()),
    "message_passing edge network": lambda: MPNN(
        MessagePassingConfig.tiny(form="edge network", readout="set2set")
    ),
    "gcn": lambda: GCN(GCNConfig.tiny()),
    "graphsage mean": lambda: GraphSAGE(GraphSAGEConfig.tiny()),
    "graphsage max": lambda: GraphSAGE(GraphSAGEConfig.tiny(aggregator="max")),
    "gat": lambda: GAT(GATConfig.tiny()),
    "gat v2": lambda: GAT(GATConfig.tiny(version=2, edge_weights=True)),
}
Edges = tuple[Tensor, Tensor, Tensor]


def made(name: str) -> nn.Module:
    torch.manual_seed(0)
    return MODELS[name]().eval()


def edge_list(graph: Graph) -> Edges:
    """source, target, weight (M,): both directions of an undirected graph's edges."""
    return torch.from_numpy(graph.row), torch.tensor(graph.indices), torch.tensor(graph.data).float()


def path() -> Edges:
    """0 - 1 - 2."""
    return torch.tensor([0, 1, 1, 2]), torch.tensor([1, 0, 2, 1]), torch.ones(4)


def looped() -> tuple[Edges, int]:
    """Six nodes, directed and weighted: 2 has a loop, 5 no edge."""
    source, target = torch.tensor([[0, 1, 2, 2, 3, 4, 0], [1, 2, 2, 3, 1, 3, 4]])
    return (source, target, torch.tensor([1.0, 0.5, 2.0, 1.5, 3.0, 0.25, 1.0])), 6


def dense(edges: Edges, count: int) -> Tensor:
    """A (N, N): row i holds the weights of the edges that arrive at i."""
    source, target, weight = edges
    matrix = torch.zeros(count, count)
    matrix[target, source] = weight
    return matrix


# ---------------------------------------------------------------- the notes' errata


def test_E37_the_degree_counts_the_self_loop():
    source, target, weight = path()
    _, looped_target, looped_weight = with_loops(source, target, weight, 3)
    assert sum_at(looped_weight, looped_target, 3).tolist() == [2, 3, 2]
    assert sum_at(weight, target, 3).tolist() == [1, 2, 1]


def test_E38_all_nodes_change_at_once():
    """h_i' from the neighbours' h, never from their h'; changing node after node gives something else."""
    model: Any = MPNN(MessagePassingConfig.tiny(layers=1)).eval()
    edges, x = path(), torch.randn(3, 5)
    with torch.no_grad(), record() as taps:
        model(x, *edges)
        layer, matrix = model.layers[0], dense(edges, 3)
        own, other = layer.update.linear, layer.message.linear
        h = taps["encoded"]
        at_once = (own(h) + other(matrix @ h)).relu()
        in_place = h.clone()
        for i in range(3):
            in_place[i] = (own(in_place[i]) + other(matrix[i] @ in_place)).relu()
    assert distance(taps["layers.0.out"], at_once) <= PARITY
    assert distance(taps["layers.0.out"], in_place) > 1e-2


def one_by_one(x: list[float]) -> Tensor:
    """A GCN layer with W = 1, no bias and no activation, on the path 0 - 1 - 2."""
    model: Any = GCN(GCNConfig(in_features=1, num_classes=1, layers=1)).eval()
    nn.init.ones_(model.layers[0].linear.weight)
    with torch.no_grad():
        return model(torch.tensor(x, dtype=torch.float32)[:, None], *path())[:, 0]


def test_E39_the_whole_matrix_of_nodes_is_multiplied():
    out = one_by_one([1, 2, 3])
    assert out.numpy() == pytest.approx([1.316497, 2.299660, 2.316497], abs=1e-5)
    a = dense(path(), 3) + torch.eye(3)
    root = a.sum(1).rsqrt().diag()
    assert distance(out, root @ a @ root @ torch.tensor([1.0, 2, 3])) <= PARITY
    # the notes' line, with h_i for H, sees no neighbour: a node alone would be scaled by 1 / d~_i
    assert distance(out, torch.tensor([1.0, 2, 3]) / torch.tensor([2.0, 3, 2])) > 0.1


def test_E40_the_normalisation_is_symmetric_and_not_by_rows():
    a = dense(path(), 3) + torch.eye(3)
    by_rows = (a / a.sum(1, keepdim=True)) @ torch.tensor([1.0, 2, 3])
    assert by_rows.tolist() == pytest.approx([1.5, 2.0, 2.5])
    assert distance(one_by_one([1, 2, 3]), by_rows) > 0.05


# ---------------------------------------------------------------- dense forms


@pytest.mark.parametrize("loops", ["keep", "add"])
def test_gcn_equals_the_matrix_form(loops: str):
    edges, count = looped()
    model: Any = GCN(GCNConfig.tiny(loops=loops)).eval()
    features, a = torch.randn(count, 5), dense(edges, count)
    x = features
    a = a + (torch.eye(count) if loops == "add" else torch.diag((a.diagonal() == 0).float()))
    root = a.sum(1).rsqrt().diag()
    with torch.no_grad():
        for i, layer in enumerate(model.layers):
            nn.init.normal_(layer.bias)
            x = root @ a @ root @ layer.linear(x.relu() if i else x) + layer.bias
        assert distance(model(features, *edges), x) <= PARITY


@pytest.mark.parametrize("aggregator", ["mean", "max"])
def test_graphsage_equals_a_loop_over_nodes(aggregator: str):
    edges, count = looped()
    layer: Any = SAGELayer(GraphSAGEConfig.tiny(aggregator=aggregator), 5, False, "layer").eval()
    x, a = torch.randn(count, 5), dense(edges, count) > 0
    with torch.no_grad():
        seen = x if aggregator == "mean" else layer.aggregate.linear(x).relu()
        rows = []
        for i in range(count):
            near = seen[a[i]]
            total = (
                torch.zeros(5) if not len(near) else near.mean(0) if aggregator == "mean" else near.amax(0)
            )
            both = torch.cat([layer.self_linear.weight, layer.neighbour_linear.weight], 1)  # W [h, h_N]
            h = (both @ torch.cat([x[i], total]) + layer.neighbour_linear.bias).relu()
            rows.append(h / h.norm().clamp(min=1e-12))
        out = layer(x, *edges[:2])
    assert distance(out, torch.stack(rows)) <= PARITY
    length = out.norm(dim=1)
    assert ((length - 1).abs().lt(1e-5) | length.eq(0)).all()


def test_graphsage_lstm_reads_at_most_so_many_in_the_order_given():
    edges, count = looped()
    layer: Any = SAGELayer(GraphSAGEConfig.tiny(aggregator="lstm", most=2), 5, True, "layer").eval()
    x = torch.randn(count, 5)
    with torch.no_grad(), record() as taps:
        layer(x, *edges[:2])
        for i in range(count):
            state = (torch.zeros(1, 5), torch.zeros(1, 5))
            for j in edges[0][edges[1] == i][:2]:
                state = layer.aggregate.cell(x[j][None], state)
            assert distance(taps["layer.aggregated"][i], state[0][0]) <= PARITY


@pytest.mark.parametrize("version", [1, 2])
def test_gat_equals_dense_attention(version: int):
    edges, count = looped()
    torch.manual_seed(1)
    layer: Any = GATLayer(GATConfig.tiny(version=version), 5, 4, False, "layer").eval()
    x, on_graph = torch.randn(count, 5), (dense(edges, count) > 0) | torch.eye(count, dtype=torch.bool)
    with torch.no_grad(), record() as taps:
        out = layer(x, *gat_loops(*edges, count))
        s = layer.scores
        values = s.linear(x).view(count, 2, 4)
        if version == 1:
            both = (values * s.attend_target).sum(-1)[:, None] + (values * s.attend_source).sum(-1)[None]
            e = nn.functional.leaky_relu(both, 0.2)  # (N, N, heads)
        else:
            asked = s.target_linear(x).view(count, 2, 4)
            e = (nn.functional.leaky_relu(asked[:, None] + values[None], 0.2) * s.attend).sum(-1)
        alpha = e.masked_fill(~on_graph[:, :, None], -torch.inf).softmax(1)
        expected = nn.functional.elu(torch.einsum("ijh,jhc->ihc", alpha, values).flatten(1) + layer.bias)
    assert distance(out, expected) <= PARITY

    table = torch.zeros(count, count, 2)
    source, target, _, left_out = gat_loops(*edges, count)
    table[target[~left_out], source[~left_out]] = taps["layer.weights"][~left_out]
    assert distance(table.sum(1), torch.ones(count, 2)) <= PARITY  # rows sum to 1
    assert table[~on_graph].eq(0).all()  # and are 0 off the graph
    assert taps["layer.weights"][left_out].eq(0).all()


def test_gat_without_a_is_the_mean_of_neighbours_and_self():
    edges, count = looped()
    layer: Any = GATLayer(GATConfig.tiny(), 5, 4, True, "layer").eval()
    nn.init.zeros_(layer.scores.attend_source)
    nn.init.zeros_(layer.scores.attend_target)
    x, near = torch.randn(count, 5), ((dense(edges, count) > 0) | torch.eye(count, dtype=torch.bool)).float()
    with torch.no_grad():
        out = layer(x, *gat_loops(*edges, count))
        values = layer.scores.linear(x).view(count, 2, 4).mean(1)
    assert distance(out, (near / near.sum(1, keepdim=True)) @ values) <= PARITY


def test_gat_v2_can_rank_neighbours_differently_for_different_nodes_and_gat_cannot():
    """In GAT the order of neighbours by score is the order of g_j, for every i (Brody et al., theorem 1)."""
    torch.manual_seed(0)
    count = 8
    target, source = torch.meshgrid(torch.arange(count), torch.arange(count), indexing="ij")
    x, weight = torch.randn(count, 5), torch.ones(count**2)
    best: dict[int, set[int]] = {}
    for version in (1, 2):
        layer = GATLayer(GATConfig.tiny(version=version), 5, 4, False, "layer").eval()
        with torch.no_grad():
            _, scores = layer.scores(x, source.flatten(), target.flatten(), weight)
        best[version] = set(scores[:, 0].view(count, count).argmax(1).tolist())
    assert len(best[1]) == 1
    assert len(best[2]) > 1


# ---------------------------------------------------------------- properties


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    count = draw(st.integers(1, 8))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node, st.floats(0.125, 8, width=32)), max_size=16))
    source, target, weight = np.array(edges, dtype=float).reshape(-1, 3).T
    return Graph.of(source.astype(int), target.astype(int), weight, count=count, directed=draw(st.booleans()))


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=12, deadline=None)
@given(graph=graphs(), seed=st.integers(0, 2**16))
def test_permuted_nodes_and_shuffled_edges_permute_the_output(name: str, graph: Graph, seed: int):
    """… and leave the readout as it is."""
    model, random = made(name), torch.Generator().manual_seed(seed)
    source, target, weight = edge_list(graph)
    x = torch.randn(graph.count, 5, generator=random)
    new = torch.randperm(graph.count, generator=random)  # node v becomes new[v]
    shuffle = torch.randperm(len(source), generator=random)
    with torch.inference_mode():
        with record(["readout"]) as before:
            out = model(x, source, target, weight)
        moved = torch.empty_like(x)
        moved[new] = x
        with record(["readout"]) as after:
            again = model(moved, new[source][shuffle], new[target][shuffle], weight[shuffle])
    assert distance(again[new], out) <= PARITY
    for tap in before:
        assert distance(after[tap], before[tap]) <= PARITY


@pytest.mark.parametrize("name", MODELS)
def test_gradients_are_finite_with_isolated_nodes_and_loops(name: str):
    (source, target, weight), count = looped()
    model = made(name).train()
    weight.requires_grad_()
    model(torch.randn(count, 5), source, target, weight).square().sum().backward()
    found = {key: p.grad for key, p in model.named_parameters() if p.grad is not None}
    assert found and all(gradient.isfinite().all() for gradient in found.values())
    assert weight.grad is None or weight.grad.isfinite().all()


@pytest.mark.parametrize("name", [*MODELS, "graphsage lstm"])
def test_every_tap_is_met_and_its_axes_fit(name: str):
    model: Any = made(name) if name in MODELS else GraphSAGE(GraphSAGEConfig.tiny(aggregator="lstm")).eval()
    edges, count = looped()
    with torch.inference_mode(), record() as tensors:
        out = model(torch.randn(count, 5), *edges)
    assert out.shape == (count, 3)
    taps = taps_of(model)
    assert set(tensors) == set(taps)
    assert model.config.embedding in taps
    assert len({id(value) for value in tensors.values()}) == len(taps)  # one tensor has one name in a graph
    for key, value in tensors.items():
        assert value.dim() == len(taps[key].axes), key
        if taps[key].axes[0] == "node":
            assert len(value) == count, key


@pytest.mark.parametrize(
    "bad",
    [
        lambda: GCNConfig(loops="twice"),
        lambda: GCNConfig(layers=0),
        lambda: GraphSAGEConfig(aggregator="median"),
        lambda: GATConfig(version=3),
        lambda: MessagePassingConfig(form="gated"),
        lambda: MessagePassingConfig(readout="mean"),
    ],
)
def test_configs_refuse_what_is_not_there(bad):
    with pytest.raises(ValueError, match=r"must be one of|at least one"):
        bad()


# ---------------------------------------------------------------- parts


def test_sums_maxima_and_softmax_at_targets():
    target, values = torch.tensor([2, 0, 2]), torch.tensor([[1.0, 5], [2, 0], [4, -1]])
    assert sum_at(values, target, 4).tolist() == [[2, 0], [0, 0], [5, 4], [0, 0]]
    assert max_at(values, target, 4, 0.0).tolist() == [[2, 0], [0, 0], [4, 5], [0, 0]]
    scores = torch.tensor([1000.0, -torch.inf, 1000.0, 3.0])
    assert softmax_at(scores, torch.tensor([1, 1, 1, 0]), 2).tolist() == [0.5, 0, 0.5, 1]


def test_nothing_arriving_at_a_node_is_no_division_by_zero():
    source, target = torch.tensor([0]), torch.tensor([1])
    assert normalised(source, target, torch.ones(1), 2).tolist() == [0]  # node 0 has d = 0


def test_a_sample_of_everything_gives_the_whole_graphs_embedding():
    graph = karate()
    model = GraphSAGE(GraphSAGEConfig.tiny(layers=2)).eval()
    x, batch = torch.randn(graph.count, 5), np.array([33, 0, 11])
    with torch.inference_mode():
        with record([model.config.embedding]) as taps:
            model(x, *edge_list(graph))
        taken = sample(graph.indptr, graph.indices, batch, [99, 99], np.random.default_rng(0))
        z = model.embed(x[taken.nodes], taken.hops)
    assert distance(z, taps[model.config.embedding][batch]) <= PARITY


def test_samples_are_small_and_uniform():
    graph, rng = karate(), np.random.default_rng(0)
    taken = sample(graph.indptr, graph.indices, np.array([0, 33]), [4, 3], rng)
    assert taken.nodes[:2].tolist() == [0, 33] and len(set(taken.nodes.tolist())) == len(taken.nodes)
    assert [hop.count for hop in taken.hops][-1] == 2
    for hop, size in zip(taken.hops, [4, 3], strict=True):
        assert graph.has_edge(taken.nodes[hop.source], taken.nodes[hop.target]).all()
        degree = graph.degree[taken.nodes[: hop.count]]
        assert np.array_equal(np.bincount(hop.target, minlength=hop.count), np.minimum(degree, size))
    drawn = np.concatenate(
        [sample_neighbours(graph.indptr, graph.indices, np.array([0]), 4, rng)[1] for _ in range(2000)]
    )
    counts = np.bincount(drawn, minlength=34)[graph.neighbours(0)]  # 16 neighbours, 500 times each
    assert counts.sum() == 8000
    assert ((counts - 500) ** 2 / 500).sum() < 37.7  # χ² with 15 degrees of freedom, p = 0.001


def test_unsupervised_loss_by_hand():
    u, v = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 1.0]])
    negatives = torch.tensor([[[0.0, 1.0], [2.0, 0.0]]])
    expected = -np.log(1 / (1 + np.exp(-1))) - np.log(0.5) - np.log(1 / (1 + np.exp(2)))
    assert float(unsupervised_loss(u, v, negatives)) == pytest.approx(expected, abs=1e-6)


# ---------------------------------------------------------------- over-smoothing


def test_mean_pairwise_distance_by_hand_and_in_pieces():
    assert mean_pairwise_distance(np.array([[0, 0], [3, 4], [3, 4]])) == pytest.approx(10 / 3)
    assert mean_pairwise_distance(np.array([[1, 0], [0, 9]]), unit=True) == pytest.approx(2**0.5)
    assert mean_pairwise_distance(np.ones((5, 3))) == mean_pairwise_distance(np.ones((1, 3))) == 0
    rows = np.random.default_rng(0).normal(size=(1500, 3))
    difference = np.linalg.norm(rows[:, None] - rows[None], axis=-1)
    assert mean_pairwise_distance(rows) == pytest.approx(difference.sum() / (1500 * 1499), rel=1e-6)


def test_powers_of_the_gcn_matrix_smooth_everything_away():
    """Â^k x ends in the span of D~^1/2 1: scaled by it, all nodes of a connected graph are the same."""
    graph = karate()
    edges = edge_list(graph)
    source, target, weight = with_loops(*edges, graph.count)
    norm = normalised(source, target, weight, graph.count)
    h = torch.randn(graph.count, 3, generator=torch.Generator().manual_seed(0)) + 1
    starts, ends, weights = (part.numpy() for part in edges)
    spread, energy = [], []
    for _ in range(60):
        spread.append(mean_pairwise_distance(h.numpy() / np.sqrt(1 + graph.strength)[:, None]))
        energy.append(dirichlet_energy(h.numpy(), starts, ends, weights))
        h = sum_at(h[source] * norm[:, None], target, graph.count)
    assert all(later <= earlier + 1e-9 for earlier, later in pairwise(energy))
    assert spread[-1] < 0.02 * spread[0] and energy[-1] < 1e-3 * energy[0]


def test_a_deeper_gcn_tells_its_nodes_less_apart():
    graph = karate()
    torch.manual_seed(0)
    model = GCN(GCNConfig(layers=16, hidden=16)).eval()
    with torch.inference_mode(), record() as taps:
        model(torch.eye(34), *edge_list(graph))
    distances = [mean_pairwise_distance(taps[f"layers.{i}.out"].numpy(), unit=True) for i in (0, 4, 14)]
    assert distances[0] > 2 * distances[1] > 4 * distances[2]

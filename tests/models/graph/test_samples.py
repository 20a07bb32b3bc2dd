"""The sample graphs are the ones of the literature, and the generators keep their promises."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from models.graph import samples


def to_networkx(graph):
    other = nx.DiGraph() if graph.directed else nx.Graph()
    other.add_nodes_from(graph.names)
    other.add_weighted_edges_from(
        (graph.names[u], graph.names[v], w)
        for u, v, w in zip(graph.source, graph.target, graph.weight, strict=True)
    )
    return other


def test_karate_is_zacharys():
    ours, theirs = samples.karate(weighted=True), nx.karate_club_graph()
    assert all(ours.adjacency()[u, v] == w for u, v, w in theirs.edges(data="weight"))
    assert ours.edges == theirs.number_of_edges() and set(samples.karate().weight) == {1.0}
    clubs = [theirs.nodes[v]["club"] for v in theirs]
    assert [ours.label_names[c] for c in ours.labels] == clubs


def test_miserables_and_davis_are_networkx():
    theirs = nx.les_miserables_graph()
    assert {frozenset(e): w for *e, w in to_networkx(samples.miserables()).edges(data="weight")} == {
        frozenset(e): w for *e, w in theirs.edges(data="weight")
    }
    theirs = nx.davis_southern_women_graph()
    assert {frozenset(e) for e in to_networkx(samples.davis()).edges} == {frozenset(e) for e in theirs.edges}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (samples.barbell(6, 4), nx.barbell_graph(6, 4)),
        (samples.barbell(5, 0), nx.barbell_graph(5, 0)),
        (samples.tree(3, 3), nx.balanced_tree(3, 3)),
        (samples.grid(4, 7), nx.convert_node_labels_to_integers(nx.grid_2d_graph(4, 7))),
    ],
)
def test_regular_graphs_are_networkx(ours, theirs):
    ours = nx.relabel_nodes(to_networkx(ours), int)
    assert {frozenset(e) for e in ours.edges} == {frozenset(e) for e in theirs.edges}


def test_mirror_nodes_of_the_barbell_share_a_label():
    graph = samples.barbell(10, 10)
    mirror = np.arange(graph.count)[::-1]
    assert graph.labels is not None
    assert np.array_equal(graph.labels, graph.labels[mirror])
    assert np.array_equal(graph.adjacency(), graph.adjacency()[mirror][:, mirror])
    assert [graph.label_names[c] for c in graph.labels[8:12]] == ["clique", "gate", "path 1", "path 2"]


def test_one_side_of_a_group_shares_neighbours_but_no_edge():
    graph = samples.orders(groups=3, size=4)
    A = graph.adjacency()
    left = np.flatnonzero(graph.labels == 2)
    right = np.flatnonzero(graph.labels == 3)
    assert not A[np.ix_(left, left)].any() and A[np.ix_(left, right)].all()
    assert ((A @ A)[np.ix_(left, left)] >= 4).all()
    assert not (A @ A)[np.ix_(left[1:], right[1:])].any()


def test_block_model_has_its_probabilities():
    graph = samples.sbm(blocks=3, size=200, inside=0.2, between=0.01, seed=4)
    within = graph.labels[graph.source] == graph.labels[graph.target]
    pairs_in, pairs_out = 3 * 200 * 199 / 2, 3 * 200 * 200
    for found, pairs, p in ((within.sum(), pairs_in, 0.2), ((~within).sum(), pairs_out, 0.01)):
        assert abs(found - pairs * p) < 4 * np.sqrt(pairs * p * (1 - p))
    assert not np.any(graph.source == graph.target) and set(graph.weight) == {1.0}


def test_pairs_are_numbered_without_gaps():
    u, v = samples._pair(np.arange(4950))
    assert set(zip(u, v, strict=True)) == {(a, b) for b in range(100) for a in range(b)}
    big = np.array([10**12, 10**12 + 1])
    u, v = samples._pair(big)
    assert np.array_equal(v * (v - 1) // 2 + u, big) and np.all((u >= 0) & (u < v))


@pytest.mark.parametrize("mixing", [0.0, 0.2, 0.6])
def test_lfr_mixes_as_asked(mixing):
    graph = samples.lfr(count=2000, degree=12, mixing=mixing, seed=1)
    across = graph.labels[graph.source] != graph.labels[graph.target]
    assert abs(across.mean() - mixing) < 0.05
    assert abs(graph.degree.mean() - 12) < 1 and graph.degree.max() > 60
    assert set(graph.weight) == {1.0} and not np.any(graph.source == graph.target)
    assert graph.labels is not None
    assert np.bincount(graph.labels).min() >= 10


@pytest.mark.parametrize("name", samples.SAMPLES)
def test_every_sample_is_repeatable_and_as_large_as_expected(name):
    graph = samples.build(name)
    assert graph.key == samples.build(name).key
    expected = samples.expected_edges(name, {})
    assert not expected or 0.7 * graph.edges <= expected <= 1.4 * graph.edges
    for parameter in samples.SAMPLES[name].parameters:
        assert parameter.low <= parameter.default <= parameter.high
    smallest = samples.build(name, **{p.name: p.low for p in samples.SAMPLES[name].parameters})
    assert smallest.count > 1


def test_values_are_kept_within_their_limits():
    assert samples.settled("grid", {"rows": 1e9, "columns": -4, "other": 3}) == {"rows": 200, "columns": 2}
    with pytest.raises(TypeError):
        samples.build("grid", hight=3)

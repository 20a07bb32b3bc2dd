"""The graph as arrays, against networkx and against itself."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from models.graph.graph import NONE, Graph

edge_lists = st.integers(1, 12).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.floats(0.0625, 50)),
            max_size=40,
        ),
        st.booleans(),
    )
)


def made(n, edges, directed):
    source, target, weight = np.array(edges, dtype=float).reshape(-1, 3).T
    return Graph.of(source.astype(int), target.astype(int), weight, count=n, directed=directed)


@settings(max_examples=60, deadline=None)
@given(edge_lists)
def test_rows_hold_every_edge_with_its_summed_weight(case):
    n, edges, directed = case
    graph = made(n, edges, directed)
    expected = np.zeros((n, n))
    for u, v, w in edges:
        expected[u, v] += w
        if not directed and u != v:
            expected[v, u] += w
    assert np.allclose(graph.adjacency(), expected)
    assert graph.edges == (
        len({(u, v) for u, v, _ in edges}) if directed else np.count_nonzero(np.triu(expected))
    )
    for v in range(n):
        assert graph.neighbours(v).tolist() == np.flatnonzero(expected[v]).tolist()
        assert np.allclose(graph.weights_of(v), expected[v][expected[v] > 0])
    assert np.array_equal(graph.degree, np.count_nonzero(expected, axis=1))
    assert np.allclose(graph.strength, expected.sum(1))
    assert np.allclose(graph.weight[graph.edge], graph.data)
    u, v = (axis.ravel() for axis in np.indices((n, n)))
    assert np.array_equal(graph.has_edge(u, v), expected.ravel() > 0)
    assert np.array_equal(graph.reversed().adjacency(), graph.adjacency().T)


@settings(max_examples=60, deadline=None)
@given(edge_lists)
def test_components_are_networkx_components(case):
    n, edges, directed = case
    other = nx.Graph()
    other.add_nodes_from(range(n))
    other.add_edges_from((u, v) for u, v, _ in edges)
    found = made(n, edges, directed).components
    parts = sorted(nx.connected_components(other), key=len, reverse=True)
    assert {frozenset(np.flatnonzero(found == c)) for c in range(len(parts))} == set(map(frozenset, parts))
    sizes = np.bincount(found)
    assert np.all(np.diff(sizes) <= 0)


def test_self_loops_isolated_nodes_and_both_directions():
    graph = Graph.of([0, 1, 1, 2, 2], [1, 0, 1, 3, 3], [1, 2, 3, 4, 5], count=5)
    assert list(zip(graph.source, graph.target, graph.weight, strict=True)) == [
        (0, 1, 3),
        (1, 1, 3),
        (2, 3, 9),
    ]
    assert graph.degree.tolist() == [1, 2, 1, 1, 0]
    one_way = Graph.of([0, 1, 1, 2, 2], [1, 0, 1, 3, 3], [1, 2, 3, 4, 5], count=5, directed=True)
    assert one_way.weight.tolist() == [1, 2, 3, 9]
    assert one_way.degree.tolist() == [1, 2, 1, 0, 0]
    assert one_way.undirected().key == graph.key


def test_edges_can_be_taken_out_and_nodes_picked():
    graph = Graph.of([0, 1, 2], [1, 2, 3], labels=[0, 1, 0, NONE], label_names=["a", "b"], names="wxyz")
    rest = graph.keep_edges(np.array([True, False, True]))
    assert rest.names == graph.names and rest.source.tolist() == [0, 2] and rest.labels is not None
    part = graph.subgraph(np.array([3, 2]))
    assert part.names == ("z", "y") and part.source.tolist() == [0] and part.target.tolist() == [1]
    assert part.labels.tolist() == [NONE, 0]
    assert graph.with_labels(None).labels is None


def test_key_is_the_content():
    one, two = Graph.of([0, 1], [1, 2]), Graph.of([2, 0], [1, 1])
    assert one.key == two.key
    assert len({one.key, Graph.of([0, 1], [1, 2], 2.0).key, Graph.of([0, 1], [1, 2], directed=True).key}) == 3


def test_arrays_are_read_only():
    graph = Graph.of([0], [1])
    for array in (graph.source, graph.weight, graph.indices, graph.data):
        with pytest.raises(ValueError):
            array[0] = 7


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (dict(source=[0], target=[5], count=3), "3 nodes"),
        (dict(source=[-1], target=[0]), "node"),
        (dict(source=[0], target=[1], weight=0.0), "positive"),
        (dict(source=[0], target=[1], weight=[np.inf]), "finite"),
        (dict(source=[0], target=[1], names=["a", "a"]), "same name"),
        (dict(source=[0], target=[1], labels=[0, 1], label_names=["x"]), "label"),
        (dict(source=[0], target=[1], labels=[0], label_names=["x"]), "labels"),
        (dict(source=[0], target=[1], features=np.full((2, 3), np.nan)), "features"),
    ],
)
def test_what_makes_no_graph_is_refused(arguments, word):
    with pytest.raises(ValueError, match=word):
        Graph.of(**arguments)


def test_no_edges_at_all():
    graph = Graph.of([], [], count=3)
    assert graph.edges == 0 and graph.degree.tolist() == [0, 0, 0] and not graph.weighted
    assert graph.components.tolist() == [0, 1, 2] and not graph.has_edge(np.array([0]), np.array([1])).any()
    assert Graph.of([], []).count == 0

"""The walks of DeepWalk and node2vec go where their papers say, as often as they say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import chisquare

from models.graph import deepwalk, node2vec, samples
from models.graph.graph import Graph


@st.composite
def graphs(draw):
    """Weighted graphs, directed or not, with loops, isolated nodes and dead ends."""
    count = draw(st.integers(1, 8))
    node = st.integers(0, count - 1)
    edges = draw(st.lists(st.tuples(node, node, st.sampled_from([0.5, 1.0, 3.0])), max_size=20))
    source, target, weight = zip(*edges, strict=True) if edges else ((), (), ())
    return Graph.of(source, target, list(weight), count=count, directed=draw(st.booleans()))


def followed(walks: np.ndarray, count: int) -> np.ndarray:
    """(N, N): how often a walk went from u to v."""
    here, there = walks[:, :-1].ravel(), walks[:, 1:].ravel()
    table = np.zeros((count, count))
    np.add.at(table, (here[there >= 0], there[there >= 0]), 1)
    return table


def fits(seen: np.ndarray, probability: np.ndarray) -> bool:
    """χ² at 1 in 10 000, things that must not be seen apart."""
    can = probability > 0
    if seen[~can].any():
        return False
    return can.sum() < 2 or chisquare(seen[can], seen.sum() * probability[can]).pvalue > 1e-4


@pytest.mark.parametrize("graph", [samples.karate(), samples.karate(weighted=True), samples.davis()])
def test_deepwalk_steps_are_one_over_degree_or_by_weight(graph):
    seen = followed(np.concatenate(list(deepwalk.random_walks(graph, 60, 40, seed=3))), graph.count)
    for node in range(graph.count):
        expected = graph.weights_of(node) / graph.strength[node]
        np.testing.assert_allclose(deepwalk.transitions(graph, node), expected)
        assert fits(seen[node, graph.neighbours(node)], expected)
    if not graph.weighted:
        np.testing.assert_allclose(deepwalk.transitions(graph, 0), 1 / graph.degree[0])


@given(graphs(), st.integers(2, 12), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_walks_follow_edges_and_end_only_where_nothing_leads_on(graph, length, seed):
    blocks = [
        *deepwalk.random_walks(graph, 2, length, seed),
        *node2vec.random_walks(graph, 2, length, 0.5, 2.0, seed),
    ]
    for block in blocks:
        assert block.shape == (graph.count, length) and np.array_equal(block[:, 0], np.arange(graph.count))
        here, there = block[:, :-1], block[:, 1:]
        assert graph.has_edge(here[there >= 0], there[there >= 0]).all()
        ended = (there < 0) & (here >= 0)
        assert not graph.degree[here[ended]].any() and (there[here < 0] < 0).all()


def one_of_each_kind() -> Graph:
    """t = 0, v = 1: back to 0, on to 2 that t knows too, or away to 3."""
    return Graph.of([0, 0, 1, 1], [1, 2, 2, 3])


def test_node2vec_transitions_of_the_paper():
    graph = one_of_each_kind()
    found = node2vec.transitions(graph, 0, 1, p=0.25, q=4)
    np.testing.assert_allclose(found, [0.7619, 0.1905, 0.0476], atol=5e-5)
    np.testing.assert_allclose(node2vec.transitions(graph, None, 1, p=0.25, q=4), 1 / 3)


def test_edge_tables_hold_the_transitions():
    graph = samples.karate(weighted=True)
    tables = node2vec.edge_tables(graph, 0.5, 2)
    given_by_tables = tables.probabilities()
    for edge in range(0, len(graph.indices), 7):
        expected = node2vec.transitions(graph, int(graph.row[edge]), int(graph.indices[edge]), 0.5, 2)
        np.testing.assert_allclose(given_by_tables[tables.indptr[edge] : tables.indptr[edge + 1]], expected)


@pytest.mark.parametrize("cells", [node2vec.CELLS, 0], ids=["tables", "rejection"])
@pytest.mark.parametrize(("p", "q"), [(0.25, 4.0), (4.0, 0.25), (1.0, 1.0)])
def test_node2vec_walks_follow_the_transitions(monkeypatch, cells, p, q):
    monkeypatch.setattr(node2vec, "CELLS", cells)
    graph = samples.karate(weighted=True)
    starts = np.repeat(np.arange(graph.count), 150)
    walks = node2vec.walk_from(graph, starts, 40, p, q, np.random.default_rng(1))
    t, v, x = walks[:, :-2].ravel(), walks[:, 1:-1].ravel(), walks[:, 2:].ravel()
    for previous, node in ((0, 1), (33, 32), (11, 0), (0, 11), (2, 8)):
        came = (t == previous) & (v == node)
        seen = np.bincount(x[came], minlength=graph.count)[graph.neighbours(node)]
        assert came.sum() > 50 and fits(seen, node2vec.transitions(graph, previous, node, p, q))


@given(graphs())
@settings(max_examples=40, deadline=None)
def test_p_and_q_of_one_make_deepwalk(graph):
    for edge in range(len(graph.indices)):
        previous, node = int(graph.row[edge]), int(graph.indices[edge])
        if graph.degree[node]:
            np.testing.assert_allclose(
                node2vec.transitions(graph, previous, node, 1, 1), deepwalk.transitions(graph, node)
            )


def test_small_q_leads_away_and_large_q_stays():
    """The notes' two words, measured: how far from its start, in edges, a walk has come after six steps."""
    graph = samples.grid(15, 15)
    start = np.full(4000, 15 * 7 + 7)
    rng = np.random.default_rng(0)

    def distance(p, q):
        end = node2vec.walk_from(graph, start, 7, p, q, rng)[:, -1]
        return np.abs(np.array(np.divmod(end, 15)) - 7).sum(axis=0).mean()

    away, plain, near = distance(4, 0.25), distance(1, 1), distance(0.25, 4)
    assert away > plain + 0.5 > near + 1


def test_walks_depend_on_the_seed_alone():
    graph = samples.karate()
    one, same, other = (next(deepwalk.random_walks(graph, 1, 20, seed)) for seed in (5, 5, 6))
    assert np.array_equal(one, same) and not np.array_equal(one, other)


def test_a_walk_can_start_anywhere():
    graph, rng = samples.karate(), np.random.default_rng(0)
    for walks in (
        deepwalk.walk_from(graph, np.array([4, 4, 7]), 5, rng),
        node2vec.walk_from(graph, np.array([4, 4, 7]), 5, 1, 2, rng),
    ):
        assert walks.shape == (3, 5) and walks[:, 0].tolist() == [4, 4, 7]

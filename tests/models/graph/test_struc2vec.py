"""Struc2vec's distances are the paper's, and nodes with the same surroundings come to the same place."""

from __future__ import annotations

import functools

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from scipy.stats import chisquare

from models.graph import deepwalk, samples, struc2vec
from models.graph.graph import Graph
from models.graph.struc2vec import Config, Sequence, sequence

degrees = st.lists(st.integers(0, 9), min_size=1, max_size=6).map(np.array)


def by_hand(a: Sequence, b: Sequence) -> float:
    """DTW as it is defined: the cheapest of all the ways to lay two sequences onto each other."""

    @functools.cache
    def way(i: int, j: int) -> float:
        if i < 0 or j < 0:
            return 0 if i == j else np.inf
        large, small = max(a.degree[i], b.degree[j]), min(a.degree[i], b.degree[j])
        price = (large / small - 1) * max(a.times[i], b.times[j])
        return price + min(way(i - 1, j - 1), way(i - 1, j), way(i, j - 1))

    return way(len(a.degree) - 1, len(b.degree) - 1)


@given(st.lists(st.tuples(degrees, degrees), min_size=1, max_size=8), st.booleans())
@settings(max_examples=60, deadline=None)
def test_dtw_is_brute_force_alone_and_in_blocks(pairs, opt1):
    sequences = [sequence(d, opt1) for pair in pairs for d in pair]
    first, second = np.arange(0, len(sequences), 2), np.arange(1, len(sequences), 2)
    expected = [by_hand(sequences[i], sequences[j]) for i, j in zip(first, second, strict=True)]
    found = np.full(len(first), np.nan)
    for block, costs in struc2vec.dtw_costs(sequences, first, second):
        found[block] = costs
    np.testing.assert_allclose(found, expected, atol=1e-12)
    for i, j, cost in zip(first, second, expected, strict=True):
        warp = struc2vec.dtw(sequences[i], sequences[j])
        np.testing.assert_allclose([warp.cost, warp.table[-1, -1]], cost, atol=1e-12)
        steps = np.diff(warp.path, axis=0)
        assert (steps >= 0).all() and (steps <= 1).all() and steps.any(axis=1).all()
        assert warp.path[0].tolist() == [0, 0]
        assert (warp.path[-1] + 1).tolist() == list(warp.table.shape)


def test_degree_1_against_3_costs_2():
    assert struc2vec.degree_cost(np.array([1.0]), np.array([3.0])) == 2
    star = Graph.of([0, 0, 0], [1, 2, 3])
    found = struc2vec.distances(star, Config(layers=0))
    assert found.f[0, found.pairs.tolist().index([0, 1])] == 2


def test_opt1_counts_equal_degrees_together():
    found = sequence(np.array([3, 1, 3, 3, 2, 1]), opt1=True)
    assert found.degree.tolist() == [1, 2, 3] and found.times.tolist() == [2, 1, 3]
    assert sequence(np.array([3, 1, 3])).degree.tolist() == [1, 3, 3]


@pytest.mark.parametrize("opt1", [False, True])
@pytest.mark.parametrize("opt2", ["off", "on"])
def test_mirror_nodes_of_the_barbell_have_no_distance_in_any_layer(opt1, opt2):
    graph = samples.barbell(10, 10)
    found = struc2vec.distances(graph, Config(layers=30, opt1=opt1, opt2=opt2))
    assert len(found.f) == 14  # the diameter is 13
    mirrored = (found.pairs.sum(axis=1) == graph.count - 1) & (found.pairs[:, 0] >= 9)
    assert mirrored.sum() == 6
    f = found.f[:, mirrored]
    assert (f[np.isfinite(f)] == 0).all()
    assert found.f[0].max() > 0


@given(st.integers(0, 30))
@settings(max_examples=15, deadline=None)
def test_rings_are_the_shortest_ways_of_networkx(seed):
    theirs = nx.gnp_random_graph(14, 0.15, seed=seed)
    graph = Graph.of(*np.array(theirs.edges, dtype=int).reshape(-1, 2).T, count=14)
    found = struc2vec.hops(graph, np.arange(14), 20)
    for node, lengths in nx.all_pairs_shortest_path_length(theirs):
        assert {v: int(k) for v, k in enumerate(found[node]) if k >= 0} == dict(lengths)
        assert struc2vec.ring(graph, node, 1).tolist() == sorted(theirs[node])


@given(st.integers(0, 30))
@settings(max_examples=10, deadline=None)
def test_distances_add_up_ring_by_ring(seed):
    theirs = nx.gnp_random_graph(9, 0.25, seed=seed)
    graph = Graph.of(*np.array(theirs.edges, dtype=int).reshape(-1, 2).T, count=9)
    found = struc2vec.distances(graph, Config(layers=4, opt1=False))
    for (u, v), f in zip(found.pairs, found.f.T, strict=True):
        total = 0.0
        for k in range(len(f)):
            rings = [graph.degree[struc2vec.ring(graph, node, k)] for node in (u, v)]
            if not all(map(len, rings)):
                assert np.isnan(f[k:]).all()
                break
            total += by_hand(*map(sequence, rings))
            np.testing.assert_allclose(f[k], total, atol=1e-9)


def test_context_graph_weighs_by_distance_and_moves_by_gamma():
    graph = samples.karate()
    found = struc2vec.distances(graph, Config(layers=3))
    context = struc2vec.context_graph(graph.count, found)
    for k in range(context.layers):
        known = np.isfinite(found.f[k])
        weight = np.exp(-found.f[k][known])
        for node in (0, 11, 33):
            ends = found.pairs[known]
            own = (ends == node).any(axis=1)
            others, probability = context.neighbours(k, node)
            assert sorted(others) == sorted(ends[own].sum(axis=1) - node)
            by_other = dict(zip(others, probability, strict=True))
            for other, w in zip(ends[own].sum(axis=1) - node, weight[own], strict=True):
                np.testing.assert_allclose(by_other[other], w / weight[own].sum())
            gamma = np.log((weight[own] > weight.mean()).sum() + np.e)
            if own.any() and 0 < k < context.layers - 1 and len(context.neighbours(k + 1, node)[0]):
                np.testing.assert_allclose(context.up[k, node], gamma / (gamma + 1))
    assert (context.up[0] == 1).all() and not context.up[-1].any()


def test_walks_step_by_the_weights_of_their_layer():
    graph = samples.karate()
    context = struc2vec.context_graph(graph.count, struc2vec.distances(graph, Config(layers=3)))
    starts = np.zeros(20_000, dtype=int)
    walks, layers = struc2vec.walk_from(context, starts, 2, 0.3, np.random.default_rng(0))
    for layer in range(3):
        others, probability = context.neighbours(layer, 0)
        seen = np.bincount(walks[layers[:, 1] == layer, 1], minlength=graph.count)[others]
        often = seen.sum() * probability >= 5
        seen, expected = (
            np.append(part[often], part[~often].sum() + 1e-9) for part in (seen, seen.sum() * probability)
        )
        assert chisquare(seen, expected).pvalue > 1e-4
    assert np.isclose((layers[:, 1] == 0).mean(), 0.3, atol=0.12)  # at least those that stayed at once


def likeness(vectors: np.ndarray | None) -> np.ndarray:
    assert vectors is not None
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit @ unit.T


def test_mirror_nodes_of_the_barbell_coincide_and_with_deepwalk_they_do_not():
    """A path node's nearest node is its mirror, and the two cliques are one cloud; DeepWalk sees who is near whom."""
    graph = samples.barbell(10, 10)
    mirror, path, clique = np.arange(graph.count)[::-1], np.arange(9, 21), np.flatnonzero(graph.labels == 0)
    *_, last = struc2vec.train(graph, Config())
    alike = likeness(last.vectors)
    assert np.array_equal((alike - 9 * np.eye(graph.count)).argmax(axis=1)[path], mirror[path])
    assert alike[path, mirror[path]].min() > 0.9
    assert alike[np.ix_(clique, clique)].mean() > 0.95
    assert alike[graph.labels[:, None] != graph.labels].mean() < 0.3
    *_, last = deepwalk.train(graph, deepwalk.Config())
    alike = likeness(last.vectors)
    assert alike[clique, mirror[clique]].mean() < 0.3

"""Nearest nodes: against loops, on vectors made so that the answer is known, and with ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from models.graph.graph import Graph
from models.graph.nearest import asked, kept_neighbours, likeness, nearest, shared_neighbours
from models.graph.samples import karate

RANDOM = np.random.default_rng(3).normal(size=(34, 8)).astype(np.float32)


@pytest.mark.parametrize("measure", ["cosine", "distance"])
def test_likeness_is_what_a_loop_says(measure):
    for u in (0, 7):
        for v in range(34):
            a, b = RANDOM[u].astype(float), RANDOM[v].astype(float)
            if measure == "cosine":
                wanted = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
            else:
                wanted = -np.linalg.norm(a - b)
            assert likeness(RANDOM, u, measure)[v] == pytest.approx(wanted, abs=2e-3 if u == v else 1e-5)
    many = likeness(RANDOM, np.array([0, 7]), measure)
    assert np.allclose(many[1], likeness(RANDOM, 7, measure), atol=2e-3 if measure == "distance" else 1e-6)


def test_nearest_leaves_itself_out_and_a_zero_vector_is_near_to_none():
    vectors = np.array([[1, 0], [2, 0], [1, 1], [0, 0], [-1, 0]], np.float32)
    nodes, values = nearest(vectors, 0, 10)
    assert nodes.tolist() == [1, 2, 3, 4]
    assert values == pytest.approx([1, np.sqrt(0.5), 0, -1])
    assert nearest(vectors, 0, 1, "distance")[0].tolist() == [1]


def test_vectors_made_of_the_graph_keep_every_neighbour():
    """Rows of A + (largest eigenvalue) I have inner products that single out neighbours on a ring of cliques."""
    cliques = Graph.of([0, 0, 1, 3, 3, 4], [1, 2, 2, 4, 5, 5])
    vectors = np.repeat(np.eye(2, dtype=np.float32), 3, axis=0)
    assert kept_neighbours(cliques, vectors) == pytest.approx((1.0, 2 / 5))
    apart = np.tile(np.eye(3, dtype=np.float32), (2, 1))  # the twin in the other clique is the nearest
    share, _ = kept_neighbours(cliques, apart)
    assert share == pytest.approx(
        0.25
    )  # one place goes to the twin, the other to one of four ties, two of them right


def test_nodes_that_all_coincide_keep_as_many_as_chance():
    graph = karate()
    share, chance = kept_neighbours(graph, np.ones((34, 4), np.float32))
    assert share == pytest.approx(chance)
    assert chance == pytest.approx(2 * 78 / 34 / 33)


def test_random_vectors_keep_about_as_many_as_chance_and_loops_and_lone_nodes_are_left_out():
    graph = Graph.of([0, 1, 1], [1, 1, 2], count=5)
    vectors = np.array([[1, 0], [1, 0.1], [1, 0.2], [0, 1], [0, -1]], np.float32)
    assert kept_neighbours(graph, vectors)[1] == pytest.approx(np.mean([1, 2, 1]) / 4)
    found = [kept_neighbours(karate(), np.random.default_rng(s).normal(size=(34, 16)))[0] for s in range(40)]
    assert np.mean(found) == pytest.approx(2 * 78 / 34 / 33, abs=0.02)


@given(seed=st.integers(0, 1000), k=st.integers(1, 40))
@settings(max_examples=25, deadline=None)
def test_shared_neighbours(seed, k):
    rng = np.random.default_rng(seed)
    first, second = rng.normal(size=(2, 12, 4)).astype(np.float32)
    turn, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    assert shared_neighbours(first, first @ turn * 3, k)[0] == pytest.approx(
        1
    )  # turning and scaling change nothing
    share, chance = shared_neighbours(first, second, k)
    assert share == shared_neighbours(second, first, k)[0]
    assert 0 <= share <= 1 and chance == min(k, 11) / 11
    wanted = np.mean(
        [
            len({*nearest(first, v, k)[0].tolist()} & {*nearest(second, v, k)[0].tolist()}) / min(k, 11)
            for v in range(12)
        ]
    )
    assert share == pytest.approx(wanted)


def test_a_large_graph_is_asked_in_samples():
    vectors = np.random.default_rng(0).normal(size=(2000, 4)).astype(np.float32)
    graph = Graph.of(np.arange(1999), np.arange(1, 2000))
    share, chance = kept_neighbours(graph, vectors)
    assert 0 <= share < 0.05 and chance == pytest.approx(2 / 1999, rel=0.02)
    assert 20 <= len(asked(2000)) < 2000 and len(asked(10**5)) == 20
    assert asked(400).tolist() == list(range(400))

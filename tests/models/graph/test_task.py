"""What a net is told of a graph: features, inputs, and which labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from models.graph.graph import NONE, Graph
from models.graph.samples import karate, sbm
from models.graph.task import (
    IDENTITY_NODES,
    PROJECTED,
    TEST,
    TRAIN,
    UNUSED,
    VALIDATION,
    accuracies,
    features,
    inputs,
    projected,
    split,
)


def labelled(labels: list[int], classes: int) -> Graph:
    names = [str(c) for c in range(classes)]
    return Graph.of([], [], count=len(labels), labels=labels, label_names=names)


@given(
    labels=st.lists(st.integers(NONE, 3), min_size=1, max_size=60),
    known=st.integers(1, 9),
    seed=st.integers(0, 99),
)
def test_every_labelled_node_has_one_part_and_few_of_each_class_are_told(
    labels: list[int], known: int, seed: int
):
    parts = split(labelled(labels, 4), known, seed)
    assert np.array_equal(parts == UNUSED, np.array(labels) == NONE)
    for label in set(labels) - {NONE}:
        mine = parts[np.array(labels) == label]
        train, asked = int((mine == TRAIN).sum()), int((mine != TRAIN).sum())
        assert 1 <= train <= known
        assert train <= max(1, asked)
        assert np.count_nonzero(mine == VALIDATION) == asked // 3


def test_a_seed_names_a_split():
    graph = sbm()
    assert np.array_equal(split(graph, 4, 1), split(graph, 4, 1))
    assert not np.array_equal(split(graph, 4, 1), split(graph, 4, 2))
    assert np.bincount(split(graph, 4, 0)).tolist() == [0, 12, 24, 54]
    assert not split(graph.with_labels(None), 4, 0).any()


def test_features_are_the_graphs_own_or_name_each_node():
    graph = karate()
    assert features(graph).kind == "identity"
    assert np.array_equal(features(graph).x, np.eye(34))
    own = np.arange(6, dtype=np.float32).reshape(3, 2)
    told = features(Graph.of([0], [1], count=3, features=own))
    assert told.kind == "own" and np.array_equal(told.x, own)
    many = features(Graph.of([], [], count=IDENTITY_NODES + 1))
    assert many.kind == "random" and many.x.shape == (IDENTITY_NODES + 1, PROJECTED)
    dense = features(sbm(2, 300, 0.9, 0.5))  # 600 nodes, 250 thousand messages
    assert dense.kind == "random" and dense.x.shape == (600, PROJECTED)


def test_projected_features_nearly_keep_the_distances_of_the_identity():
    x = projected(300, 256)
    lengths = np.linalg.norm(x[:, None] - x[None], axis=-1)[np.triu_indices(300, 1)]
    assert abs(lengths.mean() - 2**0.5) < 0.02 and lengths.std() < 0.1
    assert np.array_equal(projected(400, 256)[:300], x)  # node v has the same row in every graph


def test_messages_run_both_ways_along_an_undirected_edge_and_once_along_the_others():
    for directed, expected in (
        (False, {(0, 1, 2), (1, 0, 2), (1, 2, 3), (2, 1, 3), (2, 2, 4)}),
        (True, {(0, 1, 2), (1, 2, 3), (2, 2, 4)}),
    ):
        given_ = inputs(Graph.of([0, 1, 2], [1, 2, 2], [2.0, 3.0, 4.0], directed=directed), np.eye(3))
        found = list(zip(given_["source"], given_["target"], given_["weight"], strict=True))
        assert len(found) == len(expected) and set(found) == expected
        assert given_["weight"].dtype == given_["x"].dtype == np.float32


def test_accuracies_by_hand():
    logits = np.array([[2, 1], [0, 1], [5, 4], [0, 3]])
    labels, parts = np.array([0, 0, 1, 1]), np.array([TRAIN, TRAIN, TEST, UNUSED])
    assert accuracies(logits, labels, parts) == pytest.approx([0.5, np.nan, 0.0], nan_ok=True)

"""The notes' two words under node2vec, homophily and structural equivalence, tried with data.

Nodes that are close do come out alike, whatever p and q. Nodes in the same place of the graph, but far apart, do
not: the walks of node2vec stay where they are, and its q moves that only a little. Struc2vec finds them.
"""

from __future__ import annotations

import numpy as np
import pytest

from models.graph import node2vec, samples, struc2vec
from models.graph.graph import Graph
from tests.models.graph.scores import same_label_auc


def by_node2vec(graph: Graph, q: float) -> np.ndarray | None:
    *_, last = node2vec.train(graph, node2vec.Config(q=q, dim=16, epochs=2))
    return last.vectors


def by_struc2vec(graph: Graph) -> np.ndarray | None:
    *_, last = struc2vec.train(graph, struc2vec.Config(dim=16, epochs=2))
    return last.vectors


@pytest.mark.parametrize("q", [0.25, 1.0, 4.0])
def test_node2vec_puts_communities_together_and_not_roles(q):
    novel = samples.miserables()
    vectors = by_node2vec(novel, q)
    assert same_label_auc(vectors, novel.labels) > 0.9  # communities
    assert (
        same_label_auc(vectors, degree_class(novel)) < 0.65
    )  # leading and minor characters: little above chance
    barbell = samples.barbell(10, 10)  # the same place at either end
    assert same_label_auc(by_node2vec(barbell, q), barbell.labels) < 0.75


def test_struc2vec_puts_roles_together_and_not_communities():
    novel = samples.miserables()
    vectors = by_struc2vec(novel)
    assert same_label_auc(vectors, degree_class(novel)) > 0.75
    assert same_label_auc(vectors, novel.labels) < 0.7
    barbell = samples.barbell(10, 10)
    assert same_label_auc(by_struc2vec(barbell), barbell.labels) > 0.98


def degree_class(graph: Graph) -> np.ndarray:
    """Few, some or many neighbours: a third of the nodes each."""
    return np.digitize(graph.degree, np.quantile(graph.degree, [1 / 3, 2 / 3]))

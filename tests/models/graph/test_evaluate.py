"""Evaluation of embeddings: against scikit-learn, networkx and brute force, and what must hold of every split."""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from models.graph import evaluate
from models.graph.evaluate import (
    BASELINES,
    SCORES,
    LinkScores,
    Spread,
    auc,
    average_precision,
    class_scores,
    common_neighbours,
    draw_non_edges,
    f1,
    link_prediction,
    link_scores,
    node_classification,
    pair_scores,
    scores_by_degree,
    spanning_forest,
    split_edges,
    split_nodes,
    trained_node_classification,
)
from models.graph.graph import NONE, Graph
from models.graph.method import Step
from models.graph.samples import barbell, karate, sbm, tree

random_graphs = st.builds(
    lambda n, m, directed, seed: Graph.of(
        *np.random.default_rng(seed).integers(n, size=(2, m)), count=n, directed=directed
    ),
    st.integers(2, 14),
    st.integers(0, 60),
    st.booleans(),
    st.integers(0, 1000),
)


def pairs_of(array: np.ndarray) -> set[tuple[int, int]]:
    return set(map(tuple, array.tolist()))


def edges_of(graph: Graph) -> set[tuple[int, int]]:
    return set(zip(graph.source.tolist(), graph.target.tolist(), strict=True))


def spectral(graph: Graph, seed: int) -> Iterator[Step]:
    """A stand-in for a method: the leading eigenvectors, after some steps that say nothing."""
    yield Step(0, 2, None, np.zeros((graph.count, 8), np.float32))
    yield Step(1, 2, 0.5, None)
    values, vectors = np.linalg.eigh(graph.undirected().adjacency())
    found = vectors[:, -8:] * np.sqrt(np.abs(values[-8:]))
    yield Step(2, 2, 0.4, found.astype(np.float32))


# ---------------------------------------------------------------- splits


@settings(max_examples=80, deadline=None)
@given(random_graphs, st.integers(0, 99))
def test_a_spanning_forest_holds_every_component_without_a_cycle(graph: Graph, seed: int):
    chosen = spanning_forest(graph, np.random.default_rng(seed))
    forest = graph.keep_edges(chosen)
    assert np.array_equal(forest.components > 0, graph.components > 0)
    assert forest.components.max(initial=0) == graph.components.max(initial=0)
    assert chosen.sum() == graph.count - (graph.components.max(initial=0) + 1)


@settings(max_examples=80, deadline=None)
@given(random_graphs, st.floats(0.05, 0.95), st.integers(0, 99))
def test_a_split_hides_edges_and_keeps_every_component(graph: Graph, share: float, seed: int):
    try:
        split = split_edges(graph, share, seed)
    except ValueError as refused:
        forest = np.count_nonzero(spanning_forest(graph, np.random.default_rng(0)))
        loops = np.count_nonzero(graph.source == graph.target)
        complete = graph.count * (graph.count - 1) // (1 if graph.directed else 2)
        assert forest == graph.edges - loops or graph.edges - loops == complete
        assert str(refused).endswith((".", "from."))
        return
    hidden, others, rest = pairs_of(split.hidden), pairs_of(split.non_edges), edges_of(split.graph)
    assert hidden | rest == edges_of(graph) and not hidden & rest
    assert len(hidden) == len(split.hidden) <= split.asked
    assert len(others) == len(split.non_edges) <= len(hidden)
    assert not others & edges_of(graph)
    assert all(u != v and (graph.directed or u < v) for u, v in hidden | others)
    assert np.array_equal(split.graph.components, graph.components)
    again = split_edges(graph, share, seed)
    assert np.array_equal(again.hidden, split.hidden) and np.array_equal(again.non_edges, split.non_edges)


def test_a_split_says_how_many_edges_were_asked_for():
    split = split_edges(karate(), 0.2, seed=3)
    assert len(split.hidden) == split.asked == 16 == len(split.non_edges)
    greedy = split_edges(karate(), 0.9, seed=3)
    assert greedy.asked == 70 and len(greedy.hidden) == 78 - 33  # a spanning tree of 34 nodes stays


def test_what_cannot_be_split_is_said():
    with pytest.raises(ValueError, match="needs a graph with cycles"):
        split_edges(tree(2, 3))
    with pytest.raises(ValueError, match="Every two nodes"):
        split_edges(Graph.of([0, 0, 1], [1, 2, 2]))
    with pytest.raises(ValueError, match="must be between 0 and 1"):
        split_edges(karate(), 1.5)


@settings(max_examples=60, deadline=None)
@given(random_graphs, st.integers(0, 40), st.integers(0, 99))
def test_non_edges_are_none_and_all_where_they_are_few(graph: Graph, many: int, seed: int):
    rng = np.random.default_rng(seed)
    avoid = rng.integers(graph.count, size=(5, 2))
    found = pairs_of(draw_non_edges(graph, many, rng, avoid))
    free = {(u, v) for u in range(graph.count) for v in range(graph.count) if u != v} - edges_of(graph)
    free -= pairs_of(avoid if graph.directed else np.sort(avoid, axis=1))
    if not graph.directed:
        free = {(u, v) for u, v in free if u < v}
    assert found <= free and len(found) == min(many, len(free))


def test_non_edges_are_drawn_evenly():
    """χ² over all free pairs, on either way of drawing; 0.999 of the distribution."""
    for graph, many in ((barbell(4, 4), 40), (sbm(2, 10, 0.2, 0.1), 20)):
        rng = np.random.default_rng(0)
        rounds = 1500
        seen = np.zeros((graph.count, graph.count))
        for _ in range(rounds):
            u, v = draw_non_edges(graph, many, rng).T
            seen[u, v] += 1
        free = np.triu(graph.adjacency() == 0, 1)
        share = many / free.sum()
        expected, cells = rounds * share, free.sum()
        chi2 = ((seen[free] - expected) ** 2 / (expected * (1 - share))).sum() * (cells - 1) / cells
        assert abs(chi2 - (cells - 1)) < 3.3 * np.sqrt(2 * (cells - 1))
        assert not seen[~free].any()


# ---------------------------------------------------------------- numbers


few_scores = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=30)  # with many ties


@settings(max_examples=150, deadline=None)
@given(few_scores, few_scores)
def test_auc_and_average_precision_are_scikit_learns(positive: list[float], negative: list[float]):
    truth = np.r_[np.ones(len(positive)), np.zeros(len(negative))]
    both = np.r_[positive, negative]
    assert auc(np.array(positive), np.array(negative)) == pytest.approx(roc_auc_score(truth, both))
    assert average_precision(np.array(positive), np.array(negative)) == pytest.approx(
        average_precision_score(truth, both)
    )


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=40))
def test_f1_is_scikit_learns(labels: list[tuple[int, int]]):
    truth, predicted = np.array(labels).T
    assert f1(truth, predicted) == pytest.approx(
        (f1_score(truth, predicted, average="micro"), f1_score(truth, predicted, average="macro"))
    )


@settings(max_examples=60, deadline=None)
@given(random_graphs, st.integers(0, 99))
def test_common_neighbours_are_networkx_s(graph: Graph, seed: int):
    pairs = draw_non_edges(graph, 30, np.random.default_rng(seed))
    other = nx.Graph()
    other.add_nodes_from(range(graph.count))
    other.add_edges_from(edges_of(graph))
    expected = [len(list(nx.common_neighbors(other, u, v))) for u, v in pairs.tolist()]
    assert common_neighbours(graph, pairs).tolist() == expected


def test_common_neighbours_in_pieces(monkeypatch: pytest.MonkeyPatch):
    graph = sbm(2, 40, 0.3, 0.1)
    pairs = draw_non_edges(graph, 200, np.random.default_rng(0))
    whole = common_neighbours(graph, pairs)
    monkeypatch.setattr(evaluate, "CHUNK", 50)
    assert np.array_equal(common_neighbours(graph, pairs), whole) and whole.max() > 3


def test_scores_of_pairs():
    vectors = np.array([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]], np.float32)
    pairs = np.array([[0, 1], [0, 2]])
    assert pair_scores(vectors, pairs).tolist() == [8.0, 0.0]
    assert pair_scores(vectors, pairs, "cosine") == pytest.approx([0.8, 0.0])
    with pytest.raises(ValueError, match="dot or cosine"):
        pair_scores(vectors, pairs, "l1")


def test_the_spread_is_a_sample_s():
    assert Spread.of([1.0, 2.0, 3.0]) == Spread(2.0, 1.0)
    assert Spread.of([0.7]) == Spread(0.7, 0.0)


# ---------------------------------------------------------------- link prediction


def test_vectors_that_know_the_graph_find_its_hidden_edges():
    graph = sbm(3, 30, 0.4, 0.02, seed=1)
    split = split_edges(graph, 0.2)
    block = np.eye(3)[graph.labels]  # a hidden edge is nearly always within a block
    found = link_scores(block, split)
    assert list(found.auc) == [*SCORES, *BASELINES] == list(found.average_precision)
    assert min(found.auc["dot"], found.auc["cosine"], found.auc["hadamard"]) > 0.75
    assert found.auc["common_neighbours"] > 0.75
    assert 0.35 < found.auc["random"] < 0.65
    nothing = link_scores(np.zeros((graph.count, 4)), split)
    assert nothing.auc["dot"] == nothing.auc["cosine"] == nothing.auc["hadamard"] == 0.5


def test_the_regression_never_sees_a_pair_that_is_asked_about(monkeypatch: pytest.MonkeyPatch):
    split = split_edges(karate(), 0.3)
    asked = pairs_of(np.concatenate([split.hidden, split.non_edges]))
    drawn: list[np.ndarray] = []

    def watched(*args, **kwargs):
        drawn.append(draw_non_edges(*args, **kwargs))
        return drawn[-1]

    monkeypatch.setattr(evaluate, "draw_non_edges", watched)
    link_scores(np.random.default_rng(0).normal(size=(34, 4)), split)
    assert len(drawn) == 1 and len(drawn[0]) == split.graph.edges
    assert not pairs_of(drawn[0]) & (asked | edges_of(split.graph))


def test_link_prediction_trains_anew_for_every_seed_and_without_the_hidden_edges():
    graph = karate()
    seen: list[tuple[int, int]] = []

    def train(part: Graph, seed: int) -> Iterator[Step]:
        seen.append((part.edges, seed))
        return spectral(part, seed)

    moments = list(link_prediction(train, graph, (5, 6, 7), share=0.25))
    assert seen == [(78 - 20, 5), (78 - 20, 6), (78 - 20, 7)]
    done = [moment.done for moment in moments]
    assert done[0] == 0 and done[-1] == 1 and np.all(np.diff(done) >= 0)
    results = moments[-1].results
    assert [r.seed for r in results] == [5, 6, 7] and results[0].auc != results[1].auc
    assert [len(moment.results) for moment in moments] == sorted(len(moment.results) for moment in moments)
    assert results == list(link_prediction(spectral, graph, (5, 6, 7), share=0.25))[-1].results
    assert isinstance(results[0], LinkScores) and results[0].hidden == results[0].asked == 20


def test_an_evaluation_is_cancelled_by_leaving_it():
    closed: list[bool] = []

    def train(part: Graph, seed: int) -> Iterator[Step]:
        try:
            yield from spectral(part, seed)
        finally:
            closed.append(True)

    moments = link_prediction(train, karate(), (0, 1))
    next(moments), next(moments)
    moments.close()  # type: ignore[attr-defined]
    assert closed == [True]


# ---------------------------------------------------------------- node classification


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(NONE, 3), min_size=1, max_size=40), st.floats(0.05, 0.95), st.integers(0, 99))
def test_a_split_of_nodes_has_every_class_on_both_sides(labels: list[int], share: float, seed: int):
    array = np.array(labels)
    names, sizes = np.unique(array[array != NONE], return_counts=True)
    if (sizes > 1).sum() < 2:
        with pytest.raises(ValueError, match="two labels"):
            split_nodes(array, share, seed)
        return
    known, asked = split_nodes(array, share, seed)
    assert sorted([*known, *asked]) == np.flatnonzero(array != NONE).tolist()
    assert set(array[known]) == set(names) and set(array[asked]) == set(names[sizes > 1])


def test_classification_from_vectors_and_the_majority():
    graph = sbm(3, 30, seed=2)
    labels = graph.labels
    assert labels is not None
    rng = np.random.default_rng(0)
    good = np.eye(3)[labels] + 0.2 * rng.normal(size=(90, 3))
    found = class_scores(good, labels)
    assert found.micro > 0.95 and found.macro > 0.95 and (found.trained, found.tested) == (45, 45)
    assert found.majority_micro == pytest.approx(1 / 3) and found.majority_macro == pytest.approx(1 / 6)
    scaled = class_scores(1e-4 * good + 7, labels)  # neither a factor nor a shift matters
    assert (scaled.micro, scaled.macro) == (found.micro, found.macro)
    noise = [s.micro for s in node_classification(rng.normal(size=(90, 3)), labels, 0.5, range(10))]
    assert 0.2 < np.mean(noise) < 0.47


def test_scores_by_degree_are_those_of_each_range():
    graph = sbm(2, 40, 0.3, 0.02, seed=3)
    labels = graph.labels
    assert labels is not None
    vectors = np.where(graph.degree[:, None] >= 12, np.eye(2)[labels], 0.5)  # only these can be told
    bounds = (0, 12, 100, 200)
    low, high = scores_by_degree(vectors, labels, graph.degree, bounds, 0.5, range(5))
    assert (low.low, low.high, high.low, high.high) == (0, 12, 12, 100)
    assert low.nodes + high.nodes == 80
    assert high.right == Spread(1.0, 0.0) and low.right.mean < 0.8 and low.right.sd > 0


def test_trained_classification_says_what_is_missing_before_it_trains():
    def never(part: Graph, seed: int) -> Iterator[Step]:
        raise AssertionError("trained")

    with pytest.raises(ValueError, match="needs labels"):
        trained_node_classification(never, karate().with_labels(None), (0,))
    results = list(trained_node_classification(spectral, karate(), (0, 1, 2)))[-1].results
    assert [r.seed for r in results] == [0, 1, 2]
    assert Spread.of([r.micro for r in results]).mean > 0.8

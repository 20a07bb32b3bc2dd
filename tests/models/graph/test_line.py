"""LINE: the notes' errata, the gradient against autograd's, what is drawn, and what the two orders learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings, strategies as st

from models.graph import line
from models.graph.evaluate import class_scores, scores_by_degree
from models.graph.graph import Graph
from models.graph.line import (
    BLOCK,
    Config,
    conditional_probability,
    first_order_objective,
    joint_probability,
    noise,
    second_order_objective,
    train,
    unit,
    with_second_hop,
)
from models.graph.method import Step
from models.graph.rows import add_rows
from models.graph.samples import barbell, karate, lfr, line_figure, orders, sbm

SMALL = Config(dim=8, samples=3 * BLOCK)


def end(graph: Graph, config: Config) -> Step:
    *_, step = train(graph, config)
    return step


def last(graph: Graph, config: Config) -> np.ndarray:
    vectors = end(graph, config).vectors
    assert vectors is not None
    return vectors


# ---------------------------------------------------------------- the notes' errata


def test_E30_the_joint_probability_is_symmetric_and_for_undirected_graphs():
    """The notes leave out the index of the first vector, and what W is."""
    u_i, u_j = np.array([1.0, 0.0], np.float32), np.array([1.0, 1.0], np.float32)
    assert joint_probability(u_i, u_j) == pytest.approx(0.731059, abs=1e-6)
    assert joint_probability(u_i, u_j) == joint_probability(u_j, u_i)
    graph = karate(weighted=True)
    vertex = last(graph, replace(SMALL, order="first"))
    assert first_order_objective(graph, vertex) == pytest.approx(
        -sum(
            w * np.log(1 / (1 + np.exp(-vertex[i] @ vertex[j])))
            for i, j, w in zip(graph.source, graph.target, graph.weight, strict=True)
        )
    )
    directed = Graph.of([0, 1], [1, 2], directed=True)
    for order in ("first", "both"):
        with pytest.raises(ValueError, match="undirected graphs only"):
            next(train(directed, Config(order=order)))
    first = line._learners(graph, replace(SMALL, order="first"))[0].tables
    assert first.context is first.vertex  # one vector a node, on both sides of the edge


def test_E31_the_conditional_probability_has_context_vectors_and_sums_to_one():
    """The notes: exp(u_j·u_i) / Σ exp(-u·u_j), without context vectors and with another sign below."""
    u_0 = np.array([1.0, 0.0])
    contexts = np.array([[0.5, 0.0], [0.0, -1.0], [2.0, 0.0]])
    p = conditional_probability(u_0, contexts)
    assert p == pytest.approx([0.16425, 0.09962, 0.73612], abs=1e-5)
    assert p.sum() == pytest.approx(1)
    notes = np.exp(contexts @ u_0) / np.exp(-contexts @ u_0).sum()
    assert abs(notes.sum() - 1) > 1
    second = end(karate(), replace(SMALL, order="second"))
    assert second.context is not None and second.vectors is not None
    assert not np.allclose(second.context, second.vectors)
    assert not np.any(
        line._learners(karate(), replace(SMALL, order="second"))[0].tables.context
    )  # starts at 0


def test_E32_the_weighted_divergence_is_the_log_likelihood_and_a_constant():
    """The notes break the brackets of O_2, call it O_1 and leave λ_i open: with λ_i = d_i it is -Σ w log p_2."""
    graph = Graph.of([0, 0, 1], [1, 2, 2], [1.0, 2.5, 4.0])
    rng = np.random.default_rng(0)
    vertex, context = rng.normal(size=(2, 3, 4)).astype(np.float32)
    p = conditional_probability(vertex, context)
    d = graph.strength
    divergence = entropy = 0.0
    for i in range(3):
        empirical = graph.weights_of(i) / d[i]
        divergence += d[i] * (empirical * np.log(empirical / p[i, graph.neighbours(i)])).sum()
        entropy -= d[i] * (empirical * np.log(empirical)).sum()
    assert second_order_objective(graph, vertex, context) == pytest.approx(divergence + entropy, abs=1e-6)


def test_E33_negatives_and_edges_are_drawn_as_the_paper_says():
    """The notes say nothing of the optimisation: negatives ∝ d^0.75, edges ∝ w; within 2 % of all draws."""
    graph = karate(weighted=True)
    learner = line._learners(graph, SMALL)[0]
    draws = 100_000
    d = graph.adjacency().sum(1)
    expected = d**0.75 / (d**0.75).sum()
    drawn = np.bincount(learner.noise.draw(learner.rng, draws), minlength=graph.count) / draws
    assert np.abs(drawn - expected).sum() < 0.02
    edges = np.bincount(learner.edges.draw(learner.rng, draws), minlength=2 * graph.edges) / draws
    assert np.abs(edges - graph.data / graph.data.sum()).sum() < 0.05
    chi2 = draws * ((edges - graph.data / graph.data.sum()) ** 2 * graph.data.sum() / graph.data).sum()
    assert abs(chi2 - 155) < 4 * np.sqrt(2 * 155)
    defaults = Config()
    assert (defaults.negatives, defaults.lr, defaults.power) == (5, 0.025, 0.75)
    # the degree counts every edge once at each end, in a directed graph both the leaving and the arriving
    assert noise(graph, 1.0) == pytest.approx(d / d.sum())
    one_way = Graph.of([0, 0], [1, 2], [1.0, 3.0], count=4, directed=True)
    assert noise(one_way, 1.0) == pytest.approx([4 / 8, 1 / 8, 3 / 8, 0])


def test_E34_parts_are_brought_to_length_one_before_they_are_joined():
    graph = karate()
    vectors = last(graph, SMALL)
    halves = vectors[:, :4], vectors[:, 4:]
    for half in halves:
        assert np.linalg.norm(half, axis=1) == pytest.approx(np.ones(34), abs=1e-6)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.full(34, np.sqrt(2)), abs=1e-6)
    alone = [replace(SMALL, order="first", dim=4), replace(SMALL, order="second", dim=4)]
    for config, half in zip(alone, halves, strict=True):  # trained apart
        assert np.allclose(unit(last(graph, config)), half, atol=1e-6)


# ---------------------------------------------------------------- the gradient


@pytest.mark.parametrize("order", ["first", "second"])
def test_a_step_descends_the_gradient_of_autograd(order):
    """With nodes that stand several times in a batch, on both sides, and as their own negatives."""
    graph = Graph.of([0, 0, 1, 3], [1, 2, 2, 3], count=5)
    learner = line._learners(graph, Config(dim=6, order=order, negatives=3))[0]
    rng = np.random.default_rng(1)
    start = rng.normal(size=(2, 5, 6)).astype(np.float32)
    learner.tables.vertex[:] = start[0]
    if order == "second":
        learner.tables.context[:] = start[1]
    tail, head = np.array([[0, 0, 3], [1, 2, 0]]), np.array([[1, 2, 3], [0, 0, 1]])
    negatives = np.array([[4, 1, 0], [2, 2, 2]])  # of each group of three edges
    loss = learner._step(tail, head, negatives, lr=0.1)

    vertex = torch.tensor(start[0], dtype=torch.float64, requires_grad=True)
    context = vertex if order == "first" else torch.tensor(start[1], dtype=torch.float64, requires_grad=True)
    expected = torch.zeros((), dtype=torch.float64)
    for group in range(2):
        for i, j in zip(tail[group], head[group], strict=True):
            expected = expected - F.logsigmoid(context[j] @ vertex[i])
            for n in negatives[group]:
                expected = expected - F.logsigmoid(-context[n] @ vertex[i])
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-5)
    moved = [(learner.tables.vertex, vertex, start[0])]
    moved += [(learner.tables.context, context, start[1])] if order == "second" else []
    for ours, theirs, before in moved:
        assert theirs.grad is not None
        assert ours == pytest.approx(before - 0.1 * theirs.grad.numpy(), abs=2e-6)


def test_scores_beyond_the_range_of_exp_have_finite_gradients():
    u = np.full((1, 2, 4), 30.0, np.float32)
    v, n = np.stack([-u[0, 0], u[0, 0]])[None], u[:, :1]
    du, dv, dn, loss = line.gradients(u, v, n)
    assert du[0] == pytest.approx(np.array([[60.0] * 4, [30.0] * 4]))  # of the first: -1 v + 1 n
    assert dv[0] == pytest.approx(np.array([[-30.0] * 4, [0.0] * 4])) and dn == pytest.approx(
        np.full((1, 1, 4), 60.0)
    )
    assert loss[0] == pytest.approx([160, 80])


def test_rows_that_go_to_the_same_place_add_up():
    rng = np.random.default_rng(0)
    table, rows = rng.normal(size=(5, 3)).astype(np.float32), rng.normal(size=(40, 3)).astype(np.float32)
    index = rng.integers(5, size=40)
    expected = table.copy()
    np.add.at(expected, index, 0.5 * rows)
    add_rows(table, index, 0.5, rows)
    assert table == pytest.approx(expected, abs=1e-5)
    add_rows(table, index[:0], 0.5, rows[:0])
    assert table == pytest.approx(expected, abs=1e-5)


# ---------------------------------------------------------------- training


def test_training_reports_and_repeats():
    graph = sbm()
    samples = 10 * BLOCK + 8
    config = Config(dim=16, samples=samples, snapshots=4)
    steps = list(train(graph, config))
    total = 2 * samples
    done = [step.done for step in steps]
    assert done[0] == 0 and done[-1] == total and np.all(np.diff(done) > 0)
    assert {step.total for step in steps} == {total}
    assert steps[0].loss is None and all(step.loss is not None and step.loss > 0 for step in steps[1:])
    assert steps[-1].epoch == pytest.approx(samples / graph.edges)
    shown = [step.vectors for step in steps if step.vectors is not None]
    assert len(shown) == 5 and all(v.dtype == np.float32 and v.shape == (90, 16) for v in shown)
    assert not np.allclose(shown[0], shown[1])
    assert steps[-1].context.shape == (90, 8)
    again = last(graph, replace(config, snapshots=1))  # how often it is looked at changes nothing
    assert np.array_equal(again, shown[-1])
    assert not np.allclose(last(graph, replace(config, seed=1)), again)
    parts = steps[-1].tables
    assert parts is not None and list(parts) == ["first", "second"] and steps[1].tables is None
    assert np.allclose(np.hstack([unit(u) for u in parts.values()]), again)


def test_nodes_without_edges_stay_at_zero_and_directed_graphs_have_a_second_order():
    graph = Graph.of([0, 1, 2], [1, 2, 0], count=4, directed=True)
    vectors = last(graph, replace(SMALL, order="second"))
    assert np.isfinite(vectors).all() and not vectors[3].any() and vectors[:3].any(axis=1).all()
    lonely = last(Graph.of([0, 1, 2, 2], [1, 2, 0, 2], count=4), SMALL)  # and a loop
    assert np.isfinite(lonely).all() and not lonely[3].any()
    with pytest.raises(ValueError, match="has none"):
        next(train(Graph.of([], [], count=3), SMALL))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"dim": 0}, "dim is 0"),
        ({"dim": 7}, "must be even"),
        ({"order": "third"}, "must be first, second or both"),
        ({"samples": 0}, "at least one edge"),
        ({"negatives": 0}, "negatives is 0"),
        ({"lr": float("nan")}, "lr is nan"),
    ],
)
def test_settings_out_of_range_are_said(wrong, said):
    with pytest.raises(ValueError, match=said):
        Config(**wrong)


def test_the_figure_of_the_paper():
    """Figure 1: 6 and 7 have a strong tie, so they are alike in first order; 5 and 6 share friends: second order."""
    graph = line_figure()
    five, six, seven = 4, 5, 6
    config = Config(dim=16, samples=60_000)
    first = unit(last(graph, replace(config, order="first")))
    second = unit(last(graph, replace(config, order="second")))
    assert first[six] @ first[seven] > first[five] @ first[six]
    assert second[five] @ second[six] > second[six] @ second[seven]


def test_first_order_joins_what_second_order_tells_apart():
    """On `orders` the two sides of a group are joined but share no neighbour."""
    graph = orders(4, 5)
    labels = graph.labels
    assert labels is not None
    scores = {}
    for order in ("first", "second"):
        vectors = last(graph, Config(dim=32, order=order, samples=60_000))
        scores[order] = np.mean([class_scores(vectors, labels, 0.5, seed).micro for seed in range(5)])
    assert scores["second"] > 0.95 > 0.75 > scores["first"]


# ---------------------------------------------------------------- nodes of low degree


def weighted_graph(n: int, m: int, directed: bool, seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    source, target = rng.integers(n, size=(2, m))
    return Graph.of(source, target, rng.random(m) + 0.1, count=n, directed=directed)


random_graphs = st.builds(
    weighted_graph, st.integers(2, 10), st.integers(0, 25), st.booleans(), st.integers(0, 1000)
)


@settings(max_examples=100, deadline=None)
@given(random_graphs, st.integers(1, 6))
def test_second_hop_edges_are_those_of_the_definition(graph: Graph, below: int):
    a = graph.adjacency()
    d = np.where(graph.strength > 0, graph.strength, 1)
    two = a @ (a / d[:, None])
    expected = a.copy()
    for i in np.flatnonzero((graph.degree > 0) & (graph.degree < below)):
        new = [j for j in np.flatnonzero(two[i]) if j != i and not a[i, j]]
        for j in sorted(new, key=lambda j: (-round(two[i, j], 12), j))[: below - graph.degree[i]]:
            expected[i, j] = two[i, j]
            if not graph.directed:
                expected[j, i] = two[i, j]
    assert np.allclose(with_second_hop(graph, below).adjacency(), expected)


def test_second_order_is_bad_at_nodes_of_low_degree_and_the_second_hop_helps():
    """What the notes say and the paper answers (sections 5.4 and 4.3), by the share of nodes classified rightly."""
    graph = lfr(600, degree=5, mixing=0.25)
    labels = graph.labels
    assert labels is not None
    right = []
    for below in (0, 10):
        vectors = last(graph, Config(dim=32, order="second", second_hop=below))
        low, _, high = scores_by_degree(vectors, labels, graph.degree, (1, 4, 8, 1000), 0.5, range(4))
        right.append((low.right.mean, high.right.mean))
    (few, many), (helped, _) = right
    assert few < many - 0.1 and helped > few + 0.05


def test_second_hop_leaves_the_others_alone_and_passes_over_hubs():
    graph = barbell(5, 4)
    assert with_second_hop(graph, 1) is graph
    more = with_second_hop(graph, 3)
    assert more.edges > graph.edges and more.degree.min() >= 3
    star = Graph.of(np.zeros(line.HUB + 1, dtype=int), np.arange(1, line.HUB + 2))
    assert with_second_hop(star, 5).edges == star.edges

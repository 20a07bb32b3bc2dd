"""Skip-gram's gradients are autograd's, its tree is Huffman's, and its vectors are as good as gensim's."""

from __future__ import annotations

import heapq
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from gensim.models import Word2Vec
from hypothesis import given, settings, strategies as st

from models.graph import deepwalk, node2vec, samples, skipgram, struc2vec
from models.graph.graph import Graph
from models.graph.skipgram import HierarchicalSoftmax, NegativeSampling
from tests.models.graph.scores import same_label_auc

FREQUENCY = np.array([5, 1, 1, 40, 7, 7, 0, 3])


def tables(rows: int, dim: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    h, w = (rng.normal(size=(n, dim)).astype(np.float32) for n in (len(FREQUENCY), rows))
    return h, w


def pairs() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return rng.integers(len(FREQUENCY), size=50), rng.integers(len(FREQUENCY), size=50)


# ------------------------------------------------------------ gradients


def autograd(h: np.ndarray, w: np.ndarray, loss_of) -> tuple[float, np.ndarray, np.ndarray]:
    h_t, w_t = (torch.tensor(part, dtype=torch.float64, requires_grad=True) for part in (h, w))
    loss = loss_of(h_t, w_t)
    loss.backward()
    return float(loss.detach()), h_t.grad.numpy(), w_t.grad.numpy()


def negative_sampling_loss(samples_):
    """-log σ(w_v · h_u) - Σ_k log σ(-w_n · h_u), pair by pair; a negative that is the context does not count."""

    def loss(h, w):
        total = torch.zeros((), dtype=torch.float64)
        for u, (v, *drawn) in zip(samples_.inputs, samples_.outputs, strict=True):
            total = total - F.logsigmoid(w[v] @ h[u])
            for n in drawn:
                if n != v:
                    total = total - F.logsigmoid(-(w[n] @ h[u]))
        return total

    return loss


def hierarchical_loss(node, context, tree):
    """-log p(v | u), p the product along the path."""

    def loss(h, w):
        total = torch.zeros((), dtype=torch.float64)
        for u, v in zip(node, context, strict=True):
            for place in range(tree.lengths[v]):
                score = w[tree.paths[v, place]] @ h[u]
                total = total - F.logsigmoid(score if tree.left[v, place] else -score)
        return total

    return loss


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize("kind", ["hs", "ns"])
def test_gradients_are_autograds(monkeypatch, kind, dense):
    monkeypatch.setattr(skipgram, "DENSE", 500 if dense else 0)
    node, context = pairs()
    loss: HierarchicalSoftmax | NegativeSampling
    if kind == "hs":
        loss = HierarchicalSoftmax(FREQUENCY)
        given_samples = loss.samples(node, context, np.random.default_rng(2))
        loss_of = hierarchical_loss(node, context, loss.tree)
    else:
        loss = NegativeSampling(FREQUENCY, 4)
        given_samples = loss.samples(node, context, np.random.default_rng(2))
        loss_of = negative_sampling_loss(given_samples)
    h, w = tables(loss.rows)
    ours, to_h, to_w, met_h, met_w = skipgram.gradients(h, w, given_samples)
    theirs, expected_h, expected_w = autograd(h, w, loss_of)
    np.testing.assert_allclose(ours, theirs, rtol=1e-5)
    np.testing.assert_allclose(to_h, expected_h, atol=1e-5)
    np.testing.assert_allclose(to_w, expected_w, atol=1e-5)
    assert met_h.sum() == met_w.sum() == given_samples.valid.sum()


def test_a_step_is_plain_sgd_and_no_row_goes_further_than_its_mean_gradient():
    loss = NegativeSampling(FREQUENCY, 4)
    given_samples = loss.samples(*pairs(), np.random.default_rng(2))
    h, w = tables(loss.rows)
    _, to_h, to_w, met_h, met_w = skipgram.gradients(h, w, given_samples)
    for lr in (1e-3, 0.1):
        h_after, w_after = h.copy(), w.copy()
        skipgram.step(h_after, w_after, given_samples, lr)
        for before, after, gradient, met in ((h, h_after, to_h, met_h), (w, w_after, to_w, met_w)):
            rate = np.minimum(lr, 1 / np.maximum(met, 1))[:, None]
            np.testing.assert_allclose(after, before - rate * gradient, atol=1e-6)
    assert met_w.max() > 10 and met_w.max() * 1e-3 < 1  # the first rate is below the bound, the second above


def test_large_scores_do_not_overflow():
    node, context = pairs()
    loss = NegativeSampling(FREQUENCY, 4)
    h, w = (300 * part for part in tables(loss.rows))
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        found = skipgram.gradients(h, w, loss.samples(node, context, np.random.default_rng(0)))
    assert all(np.isfinite(part).all() for part in found)


# ------------------------------------------------------------ Huffman


def optimal_cost(frequency: list[int]) -> int:
    """Σ frequency · length of a Huffman code, by the heap of the textbook."""
    heap, cost = list(frequency), 0
    heapq.heapify(heap)
    while len(heap) > 1:
        both = heapq.heappop(heap) + heapq.heappop(heap)
        cost += both
        heapq.heappush(heap, both)
    return cost


@given(st.lists(st.integers(0, 50), min_size=2, max_size=40))
@settings(deadline=None)
def test_the_tree_is_huffmans_and_its_probabilities_sum_to_1(frequency):
    frequency = np.array(frequency)
    tree = skipgram.huffman(frequency)
    assert (frequency * tree.lengths).sum() == optimal_cost(frequency.tolist())
    assert np.isclose((0.5**tree.lengths).sum(), 1)  # Kraft
    assert ((tree.paths >= 0).sum(axis=1) == tree.lengths).all()
    assert (tree.paths[:, 0] == len(frequency) - 2).all()
    ways = {tuple(zip(path[:n], left[:n], strict=True)) for path, left, n in zip(*tree, strict=True)}
    assert len(ways) == len(frequency)
    rng = np.random.default_rng(0)
    inner = rng.normal(size=(len(frequency) - 1, 5)) * 3
    np.testing.assert_allclose(skipgram.path_probabilities(tree, rng.normal(size=5), inner).sum(), 1)


def test_path_probabilities_are_what_the_loss_takes_the_logarithm_of():
    loss = HierarchicalSoftmax(FREQUENCY)
    h, w = tables(loss.rows)
    for v in range(len(FREQUENCY)):
        one = loss.samples(np.array([2]), np.array([v]), np.random.default_rng(0))
        probability = skipgram.path_probabilities(loss.tree, h[2], w)[v]
        np.testing.assert_allclose(skipgram.gradients(h, w, one)[0], -np.log(probability), rtol=1e-5)


# ------------------------------------------------------------ pairs and negatives


@given(st.integers(2, 9), st.integers(1, 10), st.lists(st.integers(1, 9), min_size=1, max_size=4))
@settings(deadline=None)
def test_pairs_are_all_places_within_the_window(length, window, ends):
    walks = np.full((len(ends), length), -1)
    for row, end in enumerate(ends):
        walks[row, :end] = np.arange(row, row + min(end, length))
    expected = sorted(
        (int(walk[i]), int(walk[j]), abs(i - j))
        for walk in walks
        for i in range(length)
        for j in range(length)
        if 0 < abs(i - j) <= window and walk[i] >= 0 and walk[j] >= 0
    )
    found = skipgram.window_pairs(walks, window)
    assert sorted(zip(*(part.tolist() for part in found), strict=True)) == expected


def test_a_shrunk_window_takes_near_nodes_more_often():
    walks = np.tile(np.arange(40), (2000, 1))
    found = skipgram.window_pairs(walks, 5, np.random.default_rng(0))
    for apart in range(1, 6):
        places = 2 * len(walks) * (40 - apart)
        share = (found.apart == apart).sum() / places
        assert abs(share - (1 - (apart - 1) / 5)) < 0.01


def test_negatives_are_drawn_by_frequency_to_the_power_of_three_quarters():
    loss = NegativeSampling(FREQUENCY, 10)
    node = np.zeros(20_000, dtype=int)
    outputs = loss.samples(node, node, np.random.default_rng(0)).outputs[:, 1:]
    expected = FREQUENCY**0.75 / (FREQUENCY**0.75).sum()
    np.testing.assert_allclose(np.bincount(outputs.ravel(), minlength=8) / outputs.size, expected, atol=4e-3)


# ------------------------------------------------------------ trainings

METHODS = [
    (deepwalk, {}),
    (deepwalk, {"loss": "ns"}),
    (node2vec, {"p": 0.5, "q": 2.0}),
    (struc2vec, {"layers": 3}),
]


@pytest.mark.parametrize(("method", "settings_"), METHODS)
def test_steps_keep_their_promises(method, settings_):
    graph = samples.karate()
    config = method.Config(dim=8, walks=3, length=20, snapshots=7, epochs=2, **settings_)
    steps = list(method.train(graph, config))
    assert steps[0].done == 0 and steps[-1].done == steps[-1].total
    assert all(a.done <= b.done and a.total == b.total and a.epoch <= b.epoch for a, b in pairwise(steps))
    shown = [step for step in steps if step.vectors is not None]
    assert len(shown) == 8 and shown[0] is steps[0] and shown[-1] is steps[-1]
    trained = np.array([step.epoch for step in shown])
    np.testing.assert_allclose(trained, np.linspace(0, 2, 8), atol=0.15)
    assert all(s.vectors.shape == (34, 8) and s.vectors.dtype == np.float32 for s in shown)
    assert steps[-1].context.shape == (33 if config.loss == "hs" else 34, 8)
    losses = [step.loss for step in steps if step.loss is not None]
    assert losses[-1] < losses[0]
    again = [step for step in method.train(graph, config) if step.vectors is not None]
    assert all(np.array_equal(a.vectors, b.vectors) for a, b in zip(shown, again, strict=True))
    *_, other = method.train(graph, method.Config(dim=8, walks=3, length=20, seed=1, **settings_))
    assert not np.array_equal(other.vectors, steps[-1].vectors)


@pytest.mark.parametrize(
    "graph",
    [
        Graph.of([], [], count=1),
        Graph.of([], [], count=4),
        Graph.of([0], [0]),
        Graph.of([0, 1], [1, 2], directed=True),
        Graph.of([0, 3], [1, 3], count=6),
    ],
    ids=["one node", "no edges", "a loop", "dead ends", "isolated nodes"],
)
@pytest.mark.parametrize(("method", "settings_"), METHODS)
def test_awkward_graphs_train(method, settings_, graph):
    steps = list(method.train(graph, method.Config(dim=4, walks=2, length=5, window=3, **settings_)))
    assert steps[-1].done == steps[-1].total and np.isfinite(steps[-1].vectors).all()


@pytest.mark.parametrize(
    "wrong",
    [
        {"dim": 0},
        {"walks": 0},
        {"length": 1},
        {"window": 0},
        {"window": 41},
        {"lr": float("nan")},
        {"seed": -1},
    ],
)
def test_settings_out_of_their_limits_are_refused(wrong):
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} is .* must be between"):
        deepwalk.Config(**wrong)
    with pytest.raises(ValueError, match="'hs' or 'ns'"):
        deepwalk.Config(loss="softmax")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="p is 0"):
        node2vec.Config(p=0)


# ------------------------------------------------------------ how good the vectors are


def test_two_cliques_joined_by_an_edge_separate():
    graph = samples.barbell(8, 0)
    for config in (deepwalk.Config(), deepwalk.Config(loss="ns")):
        *_, last = deepwalk.train(graph, config)
        assert same_label_auc(last.vectors, np.repeat([0, 1], 8)) == 1


@pytest.mark.parametrize("loss", ["hs", "ns"])
@pytest.mark.parametrize("name", ["karate", "sbm"])
def test_scores_are_within_the_spread_of_gensim_on_the_same_walks(name, loss):
    """Five seeds each, the same walks, dimension, window, epochs and rates."""
    graph = samples.karate() if name == "karate" else samples.sbm(3, 30, 0.15, 0.05, seed=1)
    ours, theirs = [], []
    for seed in range(5):
        config = deepwalk.Config(loss=loss, epochs=3, seed=seed)
        *_, last = deepwalk.train(graph, config)
        ours.append(same_label_auc(last.vectors, graph.labels))
        walks = np.concatenate(list(deepwalk.random_walks(graph, config.walks, config.length, seed)))
        model = Word2Vec(
            [[str(v) for v in walk] for walk in walks],
            vector_size=config.dim,
            window=config.window,
            epochs=config.epochs,
            sg=1,
            hs=int(loss == "hs"),
            negative=0 if loss == "hs" else config.negatives,
            alpha=config.lr,
            min_alpha=config.lr * skipgram.LR_FLOOR,
            sample=0,  # gensim thins out frequent words unless it is told not to
            min_count=0,
            workers=1,
            seed=seed,
        )
        theirs.append(same_label_auc(model.wv[[str(v) for v in range(graph.count)]], graph.labels))
    print(f"{name} {loss}: ours {np.round(ours, 3)}, gensim {np.round(theirs, 3)}")
    spread = max(np.ptp(theirs), 0.01)
    assert min(theirs) - spread < np.mean(ours) < max(theirs) + spread


RECORDED = json.loads((Path(__file__).parent / "pecanpy.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("peer", RECORDED["scores"], ids=lambda peer: "{graph} p={p} q={q}".format(**peer))
def test_scores_are_within_the_spread_of_pecanpy(peer):
    """Node2vec of the same settings, five seeds each; PecanPy's are recorded by tests/record_pecanpy.py."""
    graph = samples.karate() if peer["graph"] == "karate" else samples.sbm(3, 30, 0.15, 0.05, seed=1)
    ours = []
    for seed in range(len(peer["auc"])):
        config = node2vec.Config(p=peer["p"], q=peer["q"], seed=seed, **RECORDED["settings"])
        *_, last = node2vec.train(graph, config)
        ours.append(same_label_auc(last.vectors, graph.labels))
    print(f"{peer}: ours {np.round(ours, 3)}")
    spread = max(np.ptp(peer["auc"]), 0.01)
    assert min(peer["auc"]) - spread < np.mean(ours) < max(peer["auc"]) + spread

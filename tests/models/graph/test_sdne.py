"""SDNE: the notes' errata, the gradient against autograd's, and what the autoencoder learns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st
from scipy.sparse import csr_array

from models.graph.evaluate import auc, class_scores
from models.graph.graph import Graph
from models.graph.method import Step
from models.graph.samples import build, karate, miserables, orders, sbm
from models.graph.sdne import (
    Config,
    Weights,
    _Net,
    encode,
    first_order,
    forward,
    loss_and_gradient,
    rows,
    second_order,
    ties,
    train,
)

SMALL = Config(dim=4, hidden=6, epochs=5, snapshots=3)


def end(graph: Graph, config: Config) -> Step:
    *_, step = train(graph, config)
    return step


def last(graph: Graph, config: Config) -> np.ndarray:
    vectors = end(graph, config).vectors
    assert vectors is not None
    return vectors


def sparse(dense: Any) -> Any:
    return csr_array(np.asarray(dense, np.float32))


# ---------------------------------------------------------------- the notes' errata


def test_E35_the_penalty_is_elementwise():
    """The notes write (X̂ - X) B, a matrix product: another number."""
    x = np.array([[0, 1], [1, 0]])
    x_hat = np.array([[0.2, 0.6], [0.7, 0.1]], np.float32)
    b = np.where(x > 0, 5, 1)
    found, _ = second_order(sparse(x), x_hat, beta=5)
    assert found == pytest.approx(6.30, abs=1e-5)
    assert found == pytest.approx((((x_hat - x) * b) ** 2).sum(), abs=1e-5)
    assert (((x_hat - x) @ b) ** 2).sum() == pytest.approx(5.60, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 9), st.integers(0, 1000))
def test_E36_the_first_order_term_is_twice_the_trace_with_the_laplacian(count: int, seed: int):
    rng = np.random.default_rng(seed)
    s = rng.random((count, count)) * (rng.random((count, count)) < 0.5)
    s = s + s.T
    y = rng.normal(size=(count, 3)).astype(np.float32)
    laplacian = np.diag(s.sum(1)) - s
    found, _ = first_order(sparse(s), y)
    assert found == pytest.approx(2 * np.trace(y.T @ laplacian @ y), rel=1e-4, abs=1e-4)
    assert found == pytest.approx(
        sum(s[i, j] * ((y[i] - y[j]) ** 2).sum() for i in range(count) for j in range(count)),
        rel=1e-4,
        abs=1e-4,
    )


def test_E36_alpha_weighs_the_first_order_and_nu_the_weights():
    """As in the paper; the released code names them the other way round and drops the sum of squares."""
    graph = karate()
    weights = _Net(34, SMALL, np.random.default_rng(0)).weights
    base = replace(SMALL, alpha=1.0, nu=1e-3)
    found, _ = loss_and_gradient(weights, rows(graph), ties(graph), base)
    more, _ = loss_and_gradient(weights, rows(graph), ties(graph), replace(base, alpha=3.0, nu=2e-3))
    squares = sum((w**2).sum() for name, w in weights.items() if name.endswith("weight"))
    assert found.regular == pytest.approx(1e-3 / 2 * squares, rel=1e-5)
    assert (more.second, more.first, more.regular) == pytest.approx(
        (found.second, 3 * found.first, 2 * found.regular)
    )
    assert found.total == pytest.approx(found.second + found.first + found.regular)


# ---------------------------------------------------------------- the gradient


def torch_loss(
    weights: dict[str, torch.Tensor], x: np.ndarray, s: np.ndarray, config: Config
) -> torch.Tensor:
    """Equation 7, written once more from the paper, dense and in float64."""
    b = torch.from_numpy(np.where(x > 0, config.beta, 1.0))
    x_hat = torch.from_numpy(x)
    for layer in ("encoder.0", "encoder.1", "decoder.0", "decoder.1"):
        x_hat = torch.sigmoid(x_hat @ weights[f"{layer}.weight"] + weights[f"{layer}.bias"])
        if layer == "encoder.1":
            y = x_hat
    apart = ((y[:, None] - y[None]) ** 2).sum(2)
    squares = sum((w**2).sum() for name, w in weights.items() if name.endswith("weight"))
    second = (((x_hat - torch.from_numpy(x)) * b) ** 2).sum()
    return second + config.alpha * (torch.from_numpy(s) * apart).sum() + config.nu / 2 * squares


@pytest.mark.parametrize("directed", [False, True])
def test_the_gradient_is_autograd_s(directed: bool):
    rng = np.random.default_rng(1)
    source, target = rng.integers(12, size=(2, 30))  # with loops
    graph = Graph.of(source, target, rng.random(30) + 0.1, count=12, directed=directed)
    config = replace(SMALL, alpha=0.7, beta=4.0, nu=0.05)
    weights: Weights = _Net(12, config, rng).weights
    for name, array in weights.items():
        if name.endswith("bias"):
            array[:] = rng.normal(size=array.shape)
    found, gradient = loss_and_gradient(weights, rows(graph), ties(graph), config)
    theirs = {k: torch.tensor(v, dtype=torch.float64, requires_grad=True) for k, v in weights.items()}
    s = graph.adjacency() / graph.data.mean()
    expected = torch_loss(theirs, (s > 0).astype(float), s, config)
    expected.backward()
    assert found.total == pytest.approx(expected.item(), rel=1e-5)
    assert gradient.keys() == weights.keys()
    for name, tensor in theirs.items():
        assert tensor.grad is not None
        assert gradient[name] == pytest.approx(tensor.grad.numpy(), rel=1e-4, abs=1e-4), name


def test_batches_stand_for_the_whole():
    """The mean over all pairs of rows, scaled as in training, is the loss and the gradient of all rows together."""
    graph = karate().subgraph(np.arange(8))
    config = replace(SMALL, alpha=0.5, nu=0.0)
    weights = _Net(8, config, np.random.default_rng(0)).weights
    x, s = rows(graph), ties(graph)
    pairs = [np.array([i, j]) for i in range(8) for j in range(i)]
    parts = [
        loss_and_gradient(weights, x[p], s[p][:, p], config, per_row=8 / 2, per_pair=8 * 7 / 2) for p in pairs
    ]
    whole, gradient = loss_and_gradient(weights, x, s, config)
    assert np.mean([loss.second for loss, _ in parts]) == pytest.approx(whole.second, rel=1e-5)
    assert np.mean([loss.first for loss, _ in parts]) == pytest.approx(whole.first, rel=1e-4)
    for name, exact in gradient.items():
        assert np.mean([g[name] for _, g in parts], axis=0) == pytest.approx(
            exact, abs=1e-4 * float(np.abs(exact).max())
        )


def test_adam_is_torch_s():
    config = replace(SMALL, lr=0.02)
    net = _Net(5, config, np.random.default_rng(0))
    ours = net.weights
    theirs = {k: torch.tensor(v, dtype=torch.float64, requires_grad=True) for k, v in ours.items()}
    adam = torch.optim.Adam(list(theirs.values()), lr=0.02)
    rng = np.random.default_rng(1)
    for _ in range(4):
        gradient = {k: rng.normal(size=v.shape).astype(np.float32) for k, v in ours.items()}
        net.step(gradient, config.lr)
        for name, tensor in theirs.items():
            tensor.grad = torch.tensor(gradient[name], dtype=torch.float64)
        adam.step()
    for name, tensor in theirs.items():
        assert ours[name] == pytest.approx(tensor.detach().numpy(), abs=1e-5)


# ---------------------------------------------------------------- training


def test_training_reports_and_repeats():
    graph = sbm()
    config = replace(SMALL, batch=40, epochs=4)
    steps = list(train(graph, config))
    done = [step.done for step in steps]
    assert len(steps) == 1 + 4 * 3 and done[-1] == 4 * 90 and np.all(np.diff(done) == 30)
    assert {step.total for step in steps} == {4 * 90} and steps[-1].epoch == 4
    assert steps[0].loss is None and all(step.loss is not None and step.loss > 0 for step in steps[1:])
    shown = [step.vectors for step in steps if step.vectors is not None]
    assert len(shown) == 4 and all(v.shape == (90, 4) and v.dtype == np.float32 for v in shown)
    assert all(((v > 0) & (v < 1)).all() for v in shown)
    assert np.array_equal(last(graph, replace(config, snapshots=1)), shown[-1])
    assert not np.allclose(last(graph, replace(config, seed=1)), shown[-1])
    weights = steps[-1].tables
    assert weights is not None and steps[-2].tables is None
    assert np.allclose(encode(dict(weights), rows(graph)), shown[-1], atol=1e-6)
    assert [w.shape for w in weights.values()] == [(90, 6), (6,), (6, 4), (4,), (4, 6), (6,), (6, 90), (90,)]


def test_it_learns_to_draw_the_rows():
    graph = karate()
    step = end(graph, Config())
    assert step.tables is not None
    drawn = forward(dict(step.tables), rows(graph))["decoder.1"]
    a = graph.adjacency() > 0
    assert drawn[a].mean() > 0.8  # beta makes it err towards too many edges rather than too few
    assert auc(drawn[a], drawn[~a]) > 0.85


def test_beta_makes_the_ones_worth_keeping_and_alpha_draws_neighbours_together():
    graph = karate()
    a = graph.adjacency() > 0

    def of(**settings: float) -> tuple[float, float]:
        """Mean x̂ on edges, and how far apart neighbours' codes are as a share of all codes."""
        step = end(graph, replace(Config(epochs=60, dim=8), **settings))  # type: ignore[arg-type]
        assert step.tables is not None and step.vectors is not None
        drawn = forward(dict(step.tables), rows(graph))["decoder.1"]
        apart = ((step.vectors[:, None] - step.vectors[None]) ** 2).sum(2)
        return float(drawn[a].mean()), float(apart[a].mean() / apart.mean())

    assert of(beta=10.0)[0] > of(beta=1.0)[0] + 0.2
    assert of(alpha=10.0)[1] < of(alpha=0.0)[1] - 0.1


def test_what_the_codes_know():
    for graph, least in ((sbm(), 0.9), (orders(), 0.9), (miserables(), 0.75)):
        labels = graph.labels
        assert labels is not None
        vectors = last(graph, Config())
        assert np.mean([class_scores(vectors, labels, 0.5, seed).micro for seed in range(4)]) > least


def test_odd_graphs():
    lonely = last(Graph.of([0, 1, 2, 2], [1, 2, 0, 2], count=5), SMALL)  # two nodes alone, and a loop
    assert np.isfinite(lonely).all() and np.array_equal(lonely[3], lonely[4])
    directed = last(Graph.of([0, 1], [1, 2], directed=True), SMALL)
    assert np.isfinite(directed).all()
    ragged = last(
        build("tree", branching=2, height=3), replace(SMALL, batch=2)
    )  # a batch of one node among them
    assert np.isfinite(ragged).all()
    with pytest.raises(ValueError, match="has none"):
        next(train(Graph.of([], [], count=3), SMALL))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"dim": 0}, "dim is 0"),
        ({"beta": 0.5}, "beta is 0.5"),
        ({"nu": -1.0}, "nu is -1"),
        ({"batch": 1}, "batch is 1"),
    ],
)
def test_settings_out_of_range_are_said(wrong: dict[str, Any], said: str):
    with pytest.raises(ValueError, match=said):
        Config(**wrong)

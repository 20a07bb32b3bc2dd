"""Projections: distances survive alignment, PCA and t-SNE agree with scikit-learn, and nothing unlearnt is shown."""

from __future__ import annotations

import importlib.util
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE

from app.engine import project as module
from app.engine.base import Cancel, Cancelled, EngineError
from app.engine.project import (
    METHODS,
    affinities,
    available,
    check,
    divergence,
    key_moments,
    pca,
    perplexity_of,
    procrustes,
    project,
    upright,
)
from app.text import t, using


def groups(nodes: int, seed: int = 0, classes: int = 3, numbers: int = 16) -> tuple[np.ndarray, np.ndarray]:
    """Vectors (N, d) of well separated classes, and the classes."""
    rng = np.random.default_rng(seed)
    labels = np.arange(nodes) % classes
    return rng.normal(size=(classes, numbers))[labels] + 0.5 * rng.normal(size=(nodes, numbers)), labels


def training(nodes: int, moments: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """(S, N, d) from random vectors to those of `groups`, and the classes."""
    end, labels = groups(nodes, seed)
    begin = 0.3 * np.random.default_rng(seed + 1).normal(size=end.shape)
    share = np.linspace(0, 1, moments)[:, None, None]
    return (1 - share) * begin + share * end, labels


def ends(vectors: np.ndarray, method: str, seed: int = 0) -> np.ndarray:
    *_, last = project(vectors, method, seed)
    assert last.result is not None and last.done == last.total
    return last.result


def distances(points: np.ndarray) -> np.ndarray:
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def agreement(points: np.ndarray, labels: np.ndarray) -> float:
    """The share of nodes whose nearest other node is of their class."""
    apart = distances(points)
    np.fill_diagonal(apart, np.inf)
    return float((labels[apart.argmin(1)] == labels).mean())


# ---------------------------------------------------------------- alignment


@given(st.integers(0, 10_000), st.booleans(), st.integers(2, 40))
def test_a_turned_mirrored_and_shifted_copy_is_turned_back(seed, mirrored, nodes):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(nodes, 2)) * [3, 1]
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    copy = points * [1, -1 if mirrored else 1] @ turn + rng.normal(size=2)
    np.testing.assert_allclose(procrustes(copy, points), points, atol=1e-9)


@given(st.integers(0, 10_000))
def test_no_other_rotation_lies_nearer(seed):
    rng = np.random.default_rng(seed)
    points, onto = rng.normal(size=(20, 2)), rng.normal(size=(20, 2))
    moved = procrustes(points, onto)
    np.testing.assert_allclose(distances(moved), distances(points), atol=1e-9)
    best = ((moved - onto) ** 2).sum()
    centred = points - points.mean(0)
    for angle in np.linspace(0, 2 * np.pi, 50):
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        for mirror in (1, -1):
            assert best <= ((centred * [1, mirror] @ turn + onto.mean(0) - onto) ** 2).sum() + 1e-9


@given(st.integers(0, 10_000))
def test_upright_points_lie_and_are_always_held_the_same_way(seed):
    rng = np.random.default_rng(seed)
    points = rng.gamma(1.0, size=(30, 2)) * [4, 1]
    held = upright(points)
    assert held[:, 0].var() >= held[:, 1].var() and abs((held[:, 0] * held[:, 1]).sum()) < 1e-6
    np.testing.assert_allclose(upright(points * [-1, 1] + 5), held, atol=1e-6)


# ---------------------------------------------------------------- PCA


@pytest.mark.parametrize(("nodes", "numbers"), [(40, 7), (9, 30), (12, 12), (5, 2)])
def test_pca_is_that_of_scikit_learn(nodes, numbers):
    vectors = np.random.default_rng(nodes).normal(size=(nodes, numbers)) * np.arange(1, numbers + 1)
    points, shares = pca(vectors)
    peer = PCA(2, svd_solver="full").fit(vectors)
    theirs = peer.transform(vectors)
    theirs *= np.sign((theirs * points).sum(0))
    np.testing.assert_allclose(points, theirs, atol=1e-8)
    np.testing.assert_allclose(shares, peer.explained_variance_ratio_, atol=1e-10)


@pytest.mark.parametrize("shape", [(1, 1), (1, 8), (2, 8), (6, 1), (6, 8)])
def test_pca_of_little_or_of_equal_vectors_is_finite(shape):
    points, shares = pca(np.ones(shape))
    assert (points == 0).all() and points.shape == (shape[0], 2) and (shares == 0).all()
    points, shares = pca(np.random.default_rng(0).normal(size=shape))
    assert np.isfinite(points).all() and 0 <= shares.sum() <= 1 + 1e-9


def test_each_moment_of_pca_keeps_its_own_distances():
    vectors, _ = training(30, 6)
    points = ends(vectors, "pca")
    assert points.dtype == np.float32 and np.abs(points).max() == pytest.approx(1)
    scales = [distances(points[k]).sum() / distances(pca(vectors[k])[0]).sum() for k in range(len(vectors))]
    np.testing.assert_allclose(scales, scales[0], rtol=1e-5)  # one scale for all moments
    for k in range(len(vectors)):
        np.testing.assert_allclose(distances(points[k]), distances(pca(vectors[k])[0]) * scales[0], atol=1e-5)


def test_moments_that_differ_by_a_rotation_stand_still():
    vectors, _ = groups(25)
    rng = np.random.default_rng(3)
    turns = [np.linalg.qr(rng.normal(size=(16, 16)))[0] for _ in range(5)]
    points = ends(np.stack([vectors @ turn for turn in turns]), "pca")
    np.testing.assert_allclose(points, np.broadcast_to(points[-1], points.shape), atol=1e-5)


# ---------------------------------------------------------------- t-SNE


def test_affinities_are_those_of_the_definition():
    vectors, _ = groups(24)
    perplexity = perplexity_of(24)
    squares = distances(vectors) ** 2
    conditional = np.zeros((24, 24))
    for i in range(24):
        low, high = 1e-6, 1e6
        others = np.arange(24) != i
        for _ in range(200):  # 2^H falls with the width's inverse
            beta = np.sqrt(low * high)
            p = np.exp(-beta * (squares[i, others] - squares[i, others].min()))
            p /= p.sum()
            entropy = -(p * np.log(np.maximum(p, 1e-300))).sum()
            low, high = (beta, high) if entropy > np.log(perplexity) else (low, beta)
        conditional[i, others] = p
        assert np.exp(entropy) == pytest.approx(perplexity, rel=1e-6)
    np.testing.assert_allclose(affinities(vectors, perplexity), (conditional + conditional.T) / 48, atol=1e-9)


@settings(max_examples=30)
@given(st.integers(5, 120), st.integers(0, 1000))
def test_affinities_are_symmetric_and_sum_to_one(nodes, seed):
    vectors = np.random.default_rng(seed).normal(size=(nodes, 4))
    joint = affinities(vectors, perplexity_of(nodes))
    assert joint.sum() == pytest.approx(1) and (joint == joint.T).all() and (np.diag(joint) == 0).all()


def test_the_descent_follows_the_gradient_of_the_divergence():
    vectors, _ = groups(12)
    joint = affinities(vectors, perplexity_of(12))
    start = np.random.default_rng(0).normal(size=(12, 2))
    start -= start.mean(0)
    slope = np.zeros_like(start)
    for at in np.ndindex(*start.shape):
        step = np.zeros_like(start)
        step[at] = 1e-5
        slope[at] = (divergence(joint, start + step) - divergence(joint, start - step)) / 2e-5
    first = next(module._descend(joint, start, 1, 0))
    np.testing.assert_allclose((start - first) / (50 * 0.8), slope, atol=2e-5)  # rate, and the first gain


def test_tsne_is_as_good_as_that_of_scikit_learn():
    vectors, labels = groups(100)
    joint = affinities(vectors, perplexity_of(100))
    start = pca(vectors)[0]
    start = (start / start[:, 0].std() * 1e-4).astype(np.float32)
    peer = TSNE(method="exact", perplexity=perplexity_of(100), init=start, max_iter=500)
    theirs = divergence(joint, peer.fit_transform(vectors.astype(np.float32)))
    assert theirs == pytest.approx(peer.kl_divergence_, rel=0.02)  # one P for both
    clock = module._Clock(None)
    *_, points = module._tsne_from(vectors, None, clock)
    assert isinstance(points, np.ndarray)
    assert divergence(joint, points) <= 1.05 * theirs
    assert agreement(points, labels) > 0.95


def test_what_was_not_learnt_is_not_shown():
    """The first moment starts from the points of later ones, and yet shows no class that its vectors do not have."""
    vectors, labels = training(60, 8)
    points = ends(vectors, "tsne")
    assert agreement(points[-1], labels) > 0.95
    by_itself = agreement(ends(vectors[:1], "tsne")[0], labels)
    assert agreement(points[0], labels) <= max(by_itself, 1 / 3) + 0.15


def test_moments_of_tsne_move_little_where_vectors_do():
    vectors, _ = groups(60)
    rng = np.random.default_rng(1)
    points = ends(np.stack([vectors + 0.01 * rng.normal(size=vectors.shape) for _ in range(4)]), "tsne")
    size = float(np.sqrt((points[-1] ** 2).mean()))
    for before, after in pairwise(points):
        assert np.sqrt(((after - before) ** 2).mean()) < 0.25 * size


# ---------------------------------------------------------------- UMAP


class StubUmap:
    """umap.UMAP that only turns its start, and remembers how it was asked."""

    asked: list[dict[str, object]] = []

    def __init__(self, **settings):
        StubUmap.asked.append(settings)

    def fit_transform(self, vectors):
        start = StubUmap.asked[-1]["init"]
        assert isinstance(start, np.ndarray) and len(start) == len(vectors)
        return start[:, ::-1] * 2 + 5


def test_umap_starts_from_the_moment_after_and_is_turned_onto_it(monkeypatch):
    stub = type("Module", (), {"UMAP": StubUmap})
    monkeypatch.setitem(sys.modules, "umap", stub)
    monkeypatch.setattr(module, "available", lambda: METHODS)
    StubUmap.asked.clear()
    vectors, _ = training(20, 3)
    points = ends(vectors, "umap", seed=9)
    assert [asked["n_epochs"] for asked in StubUmap.asked] == [200, 80, 80]
    assert all(asked["random_state"] == 9 and asked["n_neighbors"] == 15 for asked in StubUmap.asked)
    np.testing.assert_allclose(points[0], 4 * points[2], atol=1e-5)  # doubled twice, turned back each time


@pytest.mark.torch
@pytest.mark.slow
def test_umap_finds_the_classes():
    assert available() == METHODS
    vectors, labels = training(60, 3)
    points = ends(vectors, "umap")
    assert points.shape == (3, 60, 2) and np.isfinite(points).all()
    assert agreement(points[-1], labels) > 0.95
    assert agreement(points[0], labels) < 0.7


# ---------------------------------------------------------------- any input


@pytest.mark.parametrize("method", ["pca", "tsne"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 2, 4), (2, 4, 1), (2, 5, 3), (1, 9, 1)])
def test_small_and_equal_vectors_give_finite_points(method, shape):
    assert ends(np.ones(shape), method).shape == (*shape[:2], 2)
    points = ends(np.random.default_rng(0).normal(size=shape).astype(np.float32), method)
    assert np.isfinite(points).all() and np.abs(points).max() <= 1 + 1e-6


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_the_same_vectors_give_the_same_points_and_progress_ascends(method):
    vectors, _ = training(20, 4)
    items = list(project(vectors, method))
    assert [item.done for item in items] == sorted(item.done for item in items)
    assert all(item.result is None for item in items[:-1]) and items[-1].done == items[-1].total
    assert all(0 < item.done <= item.total for item in items[1:])
    assert items[-1].result is not None
    np.testing.assert_array_equal(ends(vectors, method), items[-1].result)


@pytest.mark.parametrize("method", ["pca", "tsne"])
def test_cancelling_stops_at_once(method):
    cancel = Cancel()
    work = project(training(20, 4)[0], method, cancel=cancel)
    next(work)
    cancel.set()
    with pytest.raises(Cancelled):
        next(work)


@given(st.integers(1, 200), st.integers(5, 5000))
def test_key_moments_hold_both_ends(moments, nodes):
    chosen = key_moments(moments, nodes)
    assert chosen[0] == 0 and chosen[-1] == moments - 1
    assert (np.diff(chosen) > 0).all() and len(chosen) <= moments
    assert len(chosen) >= min(moments, module.LEAST_MOMENTS)
    if nodes <= 300:
        assert len(chosen) == moments


def test_moments_between_two_projected_ones_lie_between_their_points(monkeypatch):
    monkeypatch.setattr(module, "key_moments", lambda moments, nodes: np.array([0, 4, 6]))
    points = ends(training(12, 7)[0], "tsne")
    np.testing.assert_allclose(points[1], 0.75 * points[0] + 0.25 * points[4], atol=1e-5)
    np.testing.assert_allclose(points[5], (points[4] + points[6]) / 2, atol=1e-5)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_cannot_be_done_is_said_before_any_work(language, monkeypatch):
    with using(language):
        with pytest.raises(EngineError) as too_many:
            check("tsne", 3001)
        assert "3,000" in t(too_many.value.reason, **too_many.value.details)
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
        assert available() == ("pca", "tsne")
        with pytest.raises(EngineError) as missing:
            next(project(np.zeros((1, 9, 2)), "umap"))
        assert "UMAP" in t(missing.value.reason, **missing.value.details)
        with pytest.raises(EngineError) as diverged:
            next(project(np.full((1, 9, 2), np.inf)))
        assert t(diverged.value.reason, **diverged.value.details)
    with pytest.raises(ValueError, match="no projection"):
        check("mds", 3)
    with pytest.raises(ValueError, match="moments, nodes, numbers"):
        next(project(np.zeros((3, 2))))

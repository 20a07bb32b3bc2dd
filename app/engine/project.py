"""Embeddings on a page: vectors of d numbers become points, at every moment of a training, and stay comparable.

Each moment is projected by itself, the last one first; the one before is then turned onto the one after it, so that
what moves on the page moved in the training:

- PCA: each moment has axes of its own, the two of largest variance.
- t-SNE (van der Maaten and Hinton 2008), exact, in numpy. The last moment starts from its PCA, every other from the
  points of the one after it, drawn together first: which nodes come to lie side by side is decided by its own vectors.
- UMAP (McInnes, Healy and Melville 2018) by umap-learn, which only the full installation has; it starts likewise.

A rotation, a reflection and a shift cannot change a distance (`procrustes`); one scale is common to all moments. For
t-SNE and UMAP of large graphs only some moments are projected, and points go straight from one to the next.
"""

from __future__ import annotations

import importlib.util
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np

from app.engine.base import Cancel, EngineError, Progress

METHODS = ("pca", "tsne", "umap")
MOST_NODES = {"pca": 250_000, "tsne": 3_000, "umap": 20_000}
FEWEST = 5  # nodes that t-SNE and UMAP need: fewer have no neighbourhoods, and PCA stands in
WORK = 5e9  # pairs of nodes that t-SNE looks at for the moments before the last, all iterations counted
LEAST_MOMENTS = 8  # that are projected however large the graph is
ITERATIONS = 400  # of t-SNE's last moment by itself, the first half of them exaggerated
EXAGGERATION = 4.0
FURTHER = 100  # of every moment, from the points of the one after it (of the last from its own) ...
CLOSER = (
    0.3  # ... drawn together: nodes pass one another more easily, and old clusters fall apart where they may
)
EPOCHS, FURTHER_EPOCHS = 200, 80  # of UMAP

_umap_lock = threading.Lock()  # numba's own threads do not bear two callers


def available() -> tuple[str, ...]:
    """The methods that this installation has."""
    return METHODS if importlib.util.find_spec("umap") else METHODS[:-1]


def check(method: str, nodes: int) -> None:
    """Raises EngineError where a method is not installed or cannot take so many nodes, ValueError if unknown."""
    if method not in METHODS:
        raise ValueError(f"no projection {method!r}; there is {METHODS}")
    if method not in available():
        raise EngineError("project.umap_missing")
    if nodes > MOST_NODES[method]:
        names = {"tsne": "t-SNE", "umap": "UMAP", "pca": "PCA"}
        raise EngineError(
            "project.too_many", method=names[method], nodes=f"{nodes:,}", limit=f"{MOST_NODES[method]:,}"
        )


def project(
    vectors: np.ndarray, method: str = "pca", seed: int = 0, cancel: Cancel | None = None
) -> Iterator[Progress[np.ndarray]]:
    """Points of every moment; the last item has them: float32 (S, N, 2) in [-1, 1], x to the right, y up, one scale.

    vectors: floats (S, N, d). seed: of UMAP's choices; PCA and t-SNE make none.
    Raises EngineError (see `check`; also for numbers that are not finite), ValueError for other shapes, Cancelled
    where `cancel` is set.
    """
    vectors = np.asarray(vectors)
    if vectors.ndim != 3 or 0 in vectors.shape:
        raise ValueError(f"vectors are (moments, nodes, numbers), not {vectors.shape}")
    moments, nodes, _ = vectors.shape
    check(method, nodes)
    if not np.isfinite(vectors).all():
        raise EngineError("project.not_finite")
    clock = _Clock(cancel)
    if method == "pca" or nodes < FEWEST:
        clock.total = moments
        yield from _each(vectors, np.arange(moments), lambda x, _: _pca_only(x, clock), clock)
        return
    chosen = key_moments(moments, nodes)
    if method == "tsne":
        clock.total = ITERATIONS + FURTHER * len(chosen)
        yield from _each(vectors, chosen, lambda x, begin: _tsne_from(x, begin, clock), clock)
    else:
        clock.total = EPOCHS + FURTHER_EPOCHS * (len(chosen) - 1)
        yield from _each(vectors, chosen, lambda x, begin: _umap_from(x, begin, seed, clock), clock)


def key_moments(moments: int, nodes: int) -> np.ndarray:
    """Which moments t-SNE and UMAP project, ascending: all of a small graph, fewer of a large one, both ends always."""
    afford = 1 + int(WORK / FURTHER / nodes**2)
    count = min(moments, max(LEAST_MOMENTS, afford))
    return np.unique(np.rint(np.linspace(0, moments - 1, count)).astype(np.int64))


class _Clock:
    """How far the work is, and whether it is still wanted."""

    def __init__(self, cancel: Cancel | None) -> None:
        self.cancel, self.start, self.done, self.total = cancel, time.monotonic(), 0, 1

    def tick(self, steps: int = 1) -> Progress[np.ndarray]:
        if self.cancel is not None:
            self.cancel.check()
        self.done = min(self.done + steps, self.total)
        seconds = time.monotonic() - self.start
        eta = seconds / self.done * (self.total - self.done) if self.done else None
        return Progress(self.done, self.total, seconds, eta)

    def end(self, result: np.ndarray) -> Progress[np.ndarray]:
        return Progress(self.total, self.total, time.monotonic() - self.start, 0.0, result)


Work = Iterator[Progress[np.ndarray] | np.ndarray]  # progress, and points (N, 2) at the end


def _each(
    vectors: np.ndarray, chosen: np.ndarray, work: Callable[[np.ndarray, np.ndarray | None], Work], clock: _Clock
) -> Iterator[Progress[np.ndarray]]:  # fmt: skip
    """Project the chosen moments from the last to the first, each turned onto the one after it."""
    places = np.empty((len(chosen), vectors.shape[1], 2))
    after: np.ndarray | None = None
    for k in range(len(chosen) - 1, -1, -1):
        for item in work(np.asarray(vectors[chosen[k]], dtype=np.float64), after):
            if isinstance(item, Progress):
                yield item
            else:
                after = upright(item) if after is None else procrustes(item, after)
        assert after is not None, "work ends with points"
        places[k] = after
    yield clock.end(_one_scale(_filled(places, chosen, len(vectors))))


def _filled(places: np.ndarray, chosen: np.ndarray, moments: int) -> np.ndarray:
    """(S, N, 2): the moments between two chosen ones on the straight line between them."""
    if len(chosen) == moments:
        return places
    at = np.interp(np.arange(moments), chosen, np.arange(len(chosen)))
    low = np.minimum(at.astype(np.int64), len(chosen) - 2)
    share = (at - low)[:, None, None]
    return (1 - share) * places[low] + share * places[low + 1]


def _one_scale(places: np.ndarray) -> np.ndarray:
    """float32: every moment around its own centre, the farthest coordinate of all at 1."""
    places = places - places.mean(1, keepdims=True)
    return (places / (float(np.abs(places).max()) or 1.0)).astype(np.float32)


# ---------------------------------------------------------------- one moment onto another


def procrustes(points: np.ndarray, onto: np.ndarray) -> np.ndarray:
    """float64 (N, 2): points turned, mirrored and shifted to lie nearest to `onto` in the sum of squares.

    Distances between them stay as they are: nothing is scaled (Schönemann 1966, the orthogonal problem).
    """
    points, onto = np.asarray(points, np.float64), np.asarray(onto, np.float64)
    centre = onto.mean(0)
    moved = points - points.mean(0)
    u, _, v = np.linalg.svd(moved.T @ (onto - centre))
    return moved @ (u @ v) + centre


def upright(points: np.ndarray) -> np.ndarray:
    """float64 (N, 2): centred, the longest direction lying, and always the same of the four ways to hold that."""
    points = np.asarray(points, np.float64)
    points = points - points.mean(0)
    _, axes = np.linalg.eigh(points.T @ points)
    return _signed(points @ axes[:, ::-1])


def _signed(points: np.ndarray) -> np.ndarray:
    """Each axis mirrored so that its third moment is not negative: the longer tail points right and up."""
    tail = (points**3).sum(0)
    return points * np.where(tail < -1e-9 * (np.abs(points) ** 3).sum(0), -1.0, 1.0)


# ---------------------------------------------------------------- PCA


def pca(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first two principal components of (N, d): points float64 (N, 2) and their shares of the variance (2,).

    Vectors that are all alike lie in one point, and vectors of one number on a line.
    """
    centred = np.asarray(vectors, np.float64)
    centred = centred - centred.mean(0)
    count, numbers = centred.shape
    points = np.zeros((count, 2))
    axes = min(2, numbers, count)
    if numbers <= count:
        values, basis = np.linalg.eigh(centred.T @ centred)  # (d, d)
        points[:, :axes] = centred @ basis[:, ::-1][:, :axes]
    else:
        values, basis = np.linalg.eigh(centred @ centred.T)  # (N, N): the same points, the smaller matrix
        points[:, :axes] = (basis * np.sqrt(np.maximum(values, 0)))[:, ::-1][:, :axes]
    shares = np.zeros(2)
    total = float((centred**2).sum())
    if total > 0:
        shares[:axes] = np.maximum(values[::-1][:axes], 0) / total
    return _signed(points), shares


def _pca_only(vectors: np.ndarray, clock: _Clock) -> Work:
    points, _ = pca(vectors)
    yield clock.tick()
    yield points


# ---------------------------------------------------------------- t-SNE


def _squares(points: np.ndarray) -> np.ndarray:
    """(N, N): squared distances, 0 on the diagonal."""
    lengths = np.einsum("ij,ij->i", points, points)
    squares = lengths[:, None] + lengths[None, :] - 2 * (points @ points.T)
    np.maximum(squares, 0, out=squares)
    np.fill_diagonal(squares, 0)
    return squares


def perplexity_of(nodes: int) -> float:
    """30, the usual one, and less where there are not three times as many nodes."""
    return min(30.0, (nodes - 1) / 3)


def affinities(vectors: np.ndarray, perplexity: float) -> np.ndarray:
    """float64 (N, N): t-SNE's symmetric joint probabilities p_ij; all together 1.

    Each node's Gaussian is as wide as makes the perplexity 2^H of its neighbours the given one, by bisection over the
    3 × perplexity nearest ones (van der Maaten 2014); what is farther counts nothing.
    """
    nodes = len(vectors)
    squares = _squares(vectors)
    np.fill_diagonal(squares, np.inf)
    reach = min(nodes - 1, int(3 * perplexity + 1))
    near = np.argpartition(squares, reach - 1, axis=1)[:, :reach]  # (N, K)
    away = np.take_along_axis(squares, near, 1)
    away -= away.min(1, keepdims=True)
    away /= max(float(away.mean()), 1e-300)  # any unit: the width follows
    width, low, high = np.ones(nodes), np.zeros(nodes), np.full(nodes, np.inf)  # width = 1 / 2 sigma²
    for _ in range(60):
        weight = np.exp(-away * width[:, None])
        total = weight.sum(1)
        entropy = np.log(total) + width * (away * weight).sum(1) / total
        wide = entropy > np.log(perplexity)
        low, high = np.where(wide, width, low), np.where(wide, high, width)
        width = np.where(np.isinf(high), width * 2, (low + high) / 2)
        width = np.minimum(width, 1e9)  # neighbours at one distance: their entropy never falls
    weight = np.exp(-away * width[:, None])
    joint = np.zeros((nodes, nodes))
    np.put_along_axis(joint, near, weight / weight.sum(1, keepdims=True), 1)
    return (joint + joint.T) / (2 * nodes)


def divergence(joint: np.ndarray, points: np.ndarray) -> float:
    """Kullback and Leibler's KL(P‖Q) in nats, what t-SNE makes small."""
    q = 1 / (1 + _squares(np.asarray(points, np.float64)))
    np.fill_diagonal(q, 0)
    q /= q.sum()
    here = joint > 0
    return float((joint[here] * np.log(joint[here] / np.maximum(q[here], 1e-300))).sum())


def _descend(
    joint: np.ndarray, points: np.ndarray, iterations: int, exaggerated: int
) -> Iterator[np.ndarray]:
    """Gradient descent with momentum and a gain for each coordinate; float32 (N, 2) after each iteration.

    exaggerated: first iterations, in which p_ij counts four times, so that clusters form before they spread.
    """
    nodes = len(points)
    p = joint.astype(np.float32)
    y = points.astype(np.float32)
    moving, gain = np.zeros_like(y), np.ones_like(y)
    q, pull = np.empty_like(p), np.empty_like(p)
    left, right = np.ones((nodes, 4), np.float32), np.ones((nodes, 4), np.float32)
    rate = np.float32(max(nodes / 48, 50.0))  # Belkina and others 2019
    for step in range(iterations):
        lengths = np.einsum("ij,ij->i", y, y)
        left[:, :2], left[:, 2] = -2 * y, lengths + 1
        right[:, :2], right[:, 3] = y, lengths
        np.matmul(left, right.T, out=q)  # 1 + |y_i - y_j|², in one pass over the pairs
        np.maximum(q, 1, out=q)
        np.reciprocal(q, out=q)  # Student's t
        np.fill_diagonal(q, 0)
        early = step < exaggerated
        np.multiply(q, np.float32(-1 / (EXAGGERATION if early else 1)) / q.sum(), out=pull)
        pull += p
        pull *= q  # (p_ij - q_ij / Z) q_ij, exaggeration divided out
        ends = pull @ right[:, :3]  # Σ_j pull_ij (y_j, 1)
        slope = np.float32(4 * (EXAGGERATION if early else 1)) * (ends[:, 2:] * y - ends[:, :2])
        gain = np.maximum(np.where(slope * moving < 0, gain + 0.2, gain * 0.8), 0.01).astype(np.float32)
        moving = np.float32(0.5 if early else 0.8) * moving - rate * gain * slope
        y = y + moving
        y -= y.mean(0)
        yield y


def _tsne_from(vectors: np.ndarray, begin: np.ndarray | None, clock: _Clock) -> Work:
    """t-SNE from the points of the moment after this one, or from PCA for the last moment."""
    joint = affinities(vectors, perplexity_of(len(vectors)))
    yield clock.tick(0)
    points = begin
    if points is None:
        start = pca(vectors)[0]
        for moved in _descend(
            joint, start / (float(start[:, 0].std()) or 1.0) * 1e-4, ITERATIONS, ITERATIONS // 2
        ):
            points = moved.astype(np.float64)
            yield clock.tick()
    assert points is not None, "iterations are at least one"
    for moved in _descend(joint, CLOSER * points, FURTHER, 0):
        points = moved.astype(np.float64)
        yield clock.tick()
    yield points


# ---------------------------------------------------------------- UMAP


def _umap_from(vectors: np.ndarray, begin: np.ndarray | None, seed: int, clock: _Clock) -> Work:
    """UMAP from the points of the moment after this one, or from PCA for the last moment."""
    yield clock.tick(0)
    import umap  # slow to import: numba compiles

    epochs = EPOCHS if begin is None else FURTHER_EPOCHS
    start = pca(vectors)[0] if begin is None else begin
    with _umap_lock:
        fit = umap.UMAP(
            n_neighbors=min(15, len(vectors) - 1),
            init=start.astype(np.float32),
            n_epochs=epochs,
            random_state=seed,
            n_jobs=1,
        )
        points = fit.fit_transform(vectors.astype(np.float32))
    yield clock.tick(epochs)
    yield np.asarray(points, np.float64)

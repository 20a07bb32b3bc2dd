"""Where the nodes of a graph are drawn. numpy only, so that it is there on every installation and can be cancelled.

Components are arranged one by one and then set side by side, the largest first. Up to EXACT nodes a component is
arranged by stress majorisation: the distance on the page follows the number of steps between two nodes
(Gansner, Koren, North 2004). Larger ones start from pivot MDS (Brandes, Pich 2006), then springs along the edges pull
and all nodes repel each other; the repulsion is summed on a mesh by FFT, so that a step costs E + N + mesh and not N².

The same graph and seed give the same positions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from app.engine.base import Cancel, Progress
from models.graph.graph import Graph

EXACT = 600  # nodes up to which all pairs are looked at
MESH = 128  # cells a side of the mesh that sums the repulsion
PIVOTS = 30
STEPS = 120  # of the forces; fewer where a graph is very large
GAP = 1.0  # between components, in edge lengths


def layout(graph: Graph, seed: int = 0, cancel: Cancel | None = None) -> Iterator[Progress[np.ndarray]]:
    """Arrange the nodes; the last item has the positions. Raises Cancelled where `cancel` is set.

    The positions are float32 (N, 2) in [0, 1], x to the right, y up, both of one scale.
    """
    start = time.monotonic()
    component = graph.components
    order = np.argsort(component, kind="stable")
    sizes = np.bincount(component)
    many = int(np.count_nonzero(sizes > 1))
    first = np.concatenate([[0], np.cumsum(sizes)])
    whole = graph.undirected()
    steps = max(20, min(STEPS, 24_000_000 // max(1, graph.edges + graph.count)))
    total = sum(steps if size > EXACT else 1 for size in sizes[:many])
    boxes: list[np.ndarray] = []
    done = 0
    for c in range(many):
        nodes = order[first[c] : first[c + 1]]
        part = whole if len(nodes) == graph.count else _part(whole, nodes)
        if part.count <= EXACT:
            boxes.append(_upright(_stress(part, cancel)))
            done += 1
        else:
            for moved in _forces(part, steps, seed, cancel):
                place, done = moved, done + 1
                seconds = time.monotonic() - start
                yield Progress(done, total, seconds, seconds / done * (total - done))
            boxes.append(_upright(place))
        if cancel is not None:
            cancel.check()
    alone = graph.count - first[many]
    if alone:  # nodes without neighbours, as a block
        boxes.append(_block(int(alone)))
    places = np.zeros((graph.count, 2))
    places[order] = _side_by_side(boxes)
    seconds = time.monotonic() - start
    yield Progress(total, total, seconds, 0.0, _fitted(places))


def positions(graph: Graph, seed: int = 0) -> np.ndarray:
    """The result of `layout` at once, for small graphs and scripts."""
    for item in layout(graph, seed):
        if item.result is not None:
            return item.result
    raise AssertionError("layout ends with a result")


def _part(graph: Graph, nodes: np.ndarray) -> Graph:
    """A component by itself. Looks at its own rows only, so that many components cost no more than one."""
    new = np.arange(len(nodes))
    start, degree = graph.indptr[nodes], graph.degree[nodes]
    row = np.repeat(new, degree)
    at = np.arange(degree.sum()) - np.repeat(np.cumsum(degree) - degree, degree) + np.repeat(start, degree)
    column = np.searchsorted(nodes, graph.indices[at])  # nodes ascend
    once = row <= column
    return Graph.of(row[once], column[once], count=len(nodes))


# ---------------------------------------------------------------- distances


def steps_from(graph: Graph, node: int) -> np.ndarray:
    """int32 (N,): the number of edges on the shortest path from a node to each, -1 where there is no path."""
    steps = np.full(graph.count, -1, dtype=np.int32)
    steps[node] = 0
    edge_of, indptr, indices = np.array([node]), graph.indptr, graph.indices
    level = 0
    while len(edge_of):
        level += 1
        begin, degree = indptr[edge_of], indptr[edge_of + 1] - indptr[edge_of]
        at = (
            np.arange(degree.sum()) - np.repeat(np.cumsum(degree) - degree, degree) + np.repeat(begin, degree)
        )
        reached = indices[at]
        reached = reached[steps[reached] < 0]
        steps[reached] = level
        edge_of = np.unique(reached)
    return steps


def _classical(distances: np.ndarray) -> np.ndarray:
    """(N, 2): classical scaling of distances to K pivots (N, K); K = N is classical multidimensional scaling."""
    squares = distances.astype(np.float64) ** 2
    centred = squares - squares.mean(0) - squares.mean(1, keepdims=True) + squares.mean()
    values, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, -2:][:, ::-1] if len(values) > 1 else np.repeat(vectors, 2, 1)
    signs = np.sign(axes[np.abs(axes).argmax(0), range(axes.shape[1])])
    place = -centred @ (axes * np.where(signs == 0, 1, signs))
    spread = place.std()
    return place / spread * distances.std() if spread > 0 else place


# ---------------------------------------------------------------- small components


def _stress(graph: Graph, cancel: Cancel | None, rounds: int = 150) -> np.ndarray:
    """(N, 2): stress majorisation with weights d⁻², from classical scaling."""
    count = graph.count
    if count == 2:
        return np.array([[0.0, 0.0], [1.0, 0.0]])
    distances = np.array([steps_from(graph, v) for v in range(count)], dtype=np.float64)
    np.fill_diagonal(distances, 1)
    weight = distances**-2
    np.fill_diagonal(weight, 0)
    angle = np.arange(count) * 2.399963  # breaks the symmetry of nodes that scaling lays on one spot
    place = _classical(distances) + 0.05 * np.stack([np.cos(angle), np.sin(angle)], 1)
    laplacian = np.diag(weight.sum(1)) - weight
    inverse = np.linalg.pinv(laplacian)
    before = np.inf
    for step in range(rounds):
        if cancel is not None and step % 10 == 0:
            cancel.check()
        apart = np.sqrt(np.maximum(_squares(place), 1e-12))
        pull = weight * distances / apart
        np.fill_diagonal(pull, 0)
        place = inverse @ (pull.sum(1)[:, None] * place - pull @ place)
        stress = float((weight * (distances - apart) ** 2).sum())
        if before - stress < 1e-5 * stress:
            break
        before = stress
    return place


def _squares(place: np.ndarray) -> np.ndarray:
    """(N, N): squared distances of points."""
    lengths = (place**2).sum(1)
    return lengths[:, None] + lengths[None, :] - 2 * place @ place.T


# ---------------------------------------------------------------- large components


def _forces(graph: Graph, steps: int, seed: int, cancel: Cancel | None) -> Iterator[np.ndarray]:
    """(N, 2) after each step: springs of length one along edges, repulsion between all nodes."""
    rng = np.random.default_rng(seed)
    count = graph.count
    place = _pivot_scaling(graph, cancel)
    side = np.sqrt(count)  # room for all: about one node a unit of area
    place *= side / 4 / max(float(place.std()), 1e-9)
    place += rng.normal(size=(count, 2)) * 0.02 * side
    source, target = graph.source, graph.target
    mass = np.sqrt(graph.degree + 1.0)  # hubs need more room
    mass /= mass.mean()
    pull = 1.0 / np.sqrt(np.maximum(graph.degree[source], 1) * np.maximum(graph.degree[target], 1)) ** 0.5
    field = _Mesh(MESH)
    for step in range(steps):
        if cancel is not None:
            cancel.check()
        force = field.repulsion(place, mass)
        along = (place[target] - place[source]) * pull[:, None]
        for axis in (0, 1):
            force[:, axis] += np.bincount(source, along[:, axis], count) - np.bincount(
                target, along[:, axis], count
            )
        force -= 0.02 * (place - place.mean(0))
        length = np.sqrt((force**2).sum(1, keepdims=True))
        heat = side / 12 * (1 - step / steps) ** 1.5 + 0.02
        place = place + force * np.minimum(0.5, heat / np.maximum(length, 1e-12))
        yield place


def _pivot_scaling(graph: Graph, cancel: Cancel | None) -> np.ndarray:
    """(N, 2): classical scaling by the distances to pivots, each the farthest from those before."""
    nearest = np.full(graph.count, np.iinfo(np.int32).max, dtype=np.int32)
    pivot, columns = int(graph.degree.argmax()), []
    for _ in range(PIVOTS):
        if cancel is not None:
            cancel.check()
        columns.append(steps_from(graph, pivot))
        np.minimum(nearest, columns[-1], out=nearest)
        pivot = int(nearest.argmax())
    return _classical(np.stack(columns, 1))


class _Mesh:
    """Repulsion mass_u mass_v / distance between all points, summed on a mesh of cells a side by FFT."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        offset = np.fft.fftfreq(2 * cells, 1 / (2 * cells))
        x, y = offset[None, :], offset[:, None]
        soft = x**2 + y**2 + 1.0  # a cell's own nodes do not throw each other out
        self.kernel = [np.fft.rfft2(axis / soft) for axis in (x + 0 * y, y + 0 * x)]

    def repulsion(self, place: np.ndarray, mass: np.ndarray) -> np.ndarray:
        """(N, 2): the force on each point, in the units of `place`."""
        cells = self.cells
        low = place.min(0)
        unit = float((place.max(0) - low).max()) / (cells - 1.001) or 1.0
        at = (place - low) / unit
        corner = np.minimum(at.astype(np.int64), cells - 2)
        part = at - corner
        width = 2 * cells
        shares = []
        grid = np.zeros(width * width)
        for dy in (0, 1):
            for dx in (0, 1):
                share = np.abs(1 - dx - part[:, 0]) * np.abs(1 - dy - part[:, 1])
                cell = (corner[:, 1] + dy) * width + corner[:, 0] + dx
                shares.append((cell, share))
                grid += np.bincount(cell, share * mass, width * width)
        spectrum = np.fft.rfft2(grid.reshape(width, width))
        force = np.empty_like(place)
        for axis, kernel in enumerate(self.kernel):
            field = np.fft.irfft2(spectrum * kernel, s=(width, width)).ravel()
            force[:, axis] = sum(field[cell] * share for cell, share in shares)
        return force * mass[:, None] / unit


# ---------------------------------------------------------------- the page


def _upright(place: np.ndarray) -> np.ndarray:
    """The same shape, its longest direction lying, its lower left corner at the origin."""
    place = place - place.mean(0)
    _, axes = np.linalg.eigh(place.T @ place)
    axes = axes[:, ::-1]
    axes = axes * np.where(axes[np.abs(axes).argmax(0), [0, 1]] < 0, -1, 1)
    place = place @ axes
    return place - place.min(0)


def _block(count: int) -> np.ndarray:
    """(count, 2): nodes without neighbours in rows."""
    across = max(1, round(np.sqrt(2 * count)))
    y, x = np.divmod(np.arange(count), across)
    return np.stack([x, y], 1) * 0.6


def _side_by_side(boxes: list[np.ndarray]) -> np.ndarray:
    """All components on one page: rows filled from the left, each box as it comes."""
    sizes = np.array([box.max(0) + GAP for box in boxes])
    across = max(float(sizes[:, 0].max()), 1.3 * float(np.sqrt(sizes.prod(1).sum())))
    x = y = height = 0.0
    placed = []
    for box, (wide, high) in zip(boxes, sizes, strict=True):
        if x and x + wide > across:
            x, y, height = 0.0, y - height, 0.0
        placed.append(box + [x, y - high])
        x, height = x + wide, max(height, high)
    return np.concatenate(placed)


def _fitted(place: np.ndarray) -> np.ndarray:
    """float32: shifted and scaled so that the longer side is 1 and the shorter one is centred in 0 … 1."""
    low, high = place.min(0), place.max(0)
    side = float((high - low).max()) or 1.0
    return ((place - (low + high) / 2) / side + 0.5).astype(np.float32)

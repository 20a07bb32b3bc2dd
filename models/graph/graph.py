"""A graph as arrays: what every method of the notes' section 6 starts from. numpy only.

Nodes are the numbers 0 … N-1, each with a name. An edge is stored once, as (source, target, weight). An undirected
graph keeps its edges with source ≤ target, and its rows hold each of them from both ends; a directed graph's rows
hold the edges that leave a node. A self-loop stands once in its row. Parallel edges are one edge with the sum of
their weights. Nodes without edges stay.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

NONE = -1  # the label of a node that has none


@dataclass(frozen=True, eq=False)
class Graph:
    """N nodes and E edges; make one with `Graph.of`, which merges and sorts. The arrays are read-only.

    names: N names, each once. source, target: int64 (E,). weight: float64 (E,), positive and finite.
    labels: int64 (N,), the index of each node's name in `label_names` or NONE; None where the graph has no labels.
    features: float32 (N, F) or None.
    Raises ValueError where an array has another shape or holds what it must not.
    """

    names: tuple[str, ...]
    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    directed: bool = False
    labels: np.ndarray | None = None
    label_names: tuple[str, ...] = ()
    features: np.ndarray | None = None

    def __post_init__(self) -> None:
        _check(self)
        for array in (self.source, self.target, self.weight, self.labels, self.features):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def of(
        cls,
        source: np.ndarray | Sequence[int],
        target: np.ndarray | Sequence[int],
        weight: np.ndarray | Sequence[float] | float = 1.0,
        *,
        count: int | None = None,
        names: Sequence[str] | None = None,
        directed: bool = False,
        labels: np.ndarray | Sequence[int] | None = None,
        label_names: Sequence[str] = (),
        features: np.ndarray | None = None,
    ) -> Graph:
        """A graph from edges in any order, (E,) each; parallel edges are summed.

        count: how many nodes there are, at least one more than the largest index. names: "0", "1", … by default.
        """
        ends = np.array([source, target], dtype=np.int64).reshape(2, -1)
        weights = np.array(np.broadcast_to(np.asarray(weight, dtype=np.float64), ends.shape[1:]))
        if count is None:
            count = len(names) if names is not None else int(ends.max(initial=-1)) + 1
        if ends.size and not 0 <= ends.min() <= ends.max() < count:
            raise ValueError(
                f"an edge ends at node {ends.max()} or {ends.min()}, but there are {count} nodes"
            )
        if not directed:
            ends.sort(axis=0)
        ends, weights = _merged(ends, weights, count)
        return cls(
            names=tuple(map(str, range(count))) if names is None else tuple(names),
            source=ends[0],
            target=ends[1],
            weight=weights,
            directed=directed,
            labels=None if labels is None else np.array(labels, dtype=np.int64),
            label_names=tuple(label_names),
            features=None if features is None else np.array(features, dtype=np.float32),
        )

    # ------------------------------------------------------------ sizes and rows

    @property
    def count(self) -> int:
        """N, the number of nodes."""
        return len(self.names)

    @property
    def edges(self) -> int:
        """E, the number of edges, each counted once."""
        return len(self.source)

    @cached_property
    def _rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """indptr (N+1,), indices (M,), data (M,), edge (M,): the rows sorted by neighbour."""
        source, target = self.source, self.target
        edge = np.arange(self.edges)
        if not self.directed:
            back = np.flatnonzero(source != target)
            source, target = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
            edge = np.concatenate([edge, back])
        order = np.argsort(source * self.count + target, kind="stable")
        indptr = np.zeros(self.count + 1, dtype=np.int64)
        np.cumsum(np.bincount(source, minlength=self.count), out=indptr[1:])
        edge = edge[order]
        rows = (indptr, target[order], self.weight[edge], edge)
        for array in rows:
            array.setflags(write=False)
        return rows

    @property
    def indptr(self) -> np.ndarray:
        """int64 (N+1,): the neighbours of v are indices[indptr[v]:indptr[v+1]]."""
        return self._rows[0]

    @property
    def indices(self) -> np.ndarray:
        """int64 (M,): the neighbours, row after row, each row ascending. M = 2E - loops where undirected, else E."""
        return self._rows[1]

    @property
    def data(self) -> np.ndarray:
        """float64 (M,): the weight of each entry of `indices`."""
        return self._rows[2]

    @property
    def edge(self) -> np.ndarray:
        """int64 (M,): which edge (of source, target, weight) each entry of `indices` is."""
        return self._rows[3]

    @cached_property
    def row(self) -> np.ndarray:
        """int64 (M,): whose row each entry of `indices` stands in; (row, indices) is the edge list of a GNN."""
        return np.repeat(np.arange(self.count), np.diff(self.indptr))

    @cached_property
    def degree(self) -> np.ndarray:
        """int64 (N,): how many neighbours each row holds (of a directed graph: edges that leave)."""
        return np.diff(self.indptr)

    @cached_property
    def strength(self) -> np.ndarray:
        """float64 (N,): the sum of each row's weights, the d_i of LINE."""
        return np.bincount(self.row, weights=self.data, minlength=self.count)

    @property
    def weighted(self) -> bool:
        """Whether the weights differ from each other."""
        return bool(self.edges and np.ptp(self.weight) > 0)

    def neighbours(self, node: int) -> np.ndarray:
        """int64 (degree,): the neighbours of a node, ascending."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def weights_of(self, node: int) -> np.ndarray:
        """float64 (degree,): the weights of the edges to `neighbours(node)`."""
        return self.data[self.indptr[node] : self.indptr[node + 1]]

    def entries(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Several rows (K,) at once: int64 (M',) places in `indices`, row after row, and whose row each place is in.

        indices[entry] are the neighbours of nodes[owner].
        """
        lengths = self.degree[nodes]
        owner = np.repeat(np.arange(len(nodes)), lengths)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self.indptr[nodes[owner]] + within, owner

    def position(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """int64 like `source`: where in `indices` each edge stands, -1 where there is no such edge."""
        wanted = np.asarray(source, dtype=np.int64) * self.count + np.asarray(target, dtype=np.int64)
        if not len(self._keys):
            return np.full(wanted.shape, -1)
        at = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return np.where(self._keys[at] == wanted, at, -1)

    def has_edge(self, source: np.ndarray, target: np.ndarray) -> np.ndarray:
        """bool like `source`: whether an edge leads from each source to its target."""
        return self.position(source, target) >= 0

    @cached_property
    def _keys(self) -> np.ndarray:
        return self.row * self.count + self.indices

    # ------------------------------------------------------------ other graphs from this one

    def adjacency(self) -> np.ndarray:
        """float64 (N, N): A[u, v] is the weight of the edge from u to v. For small graphs."""
        matrix = np.zeros((self.count, self.count))
        matrix[self.row, self.indices] = self.data
        return matrix

    def undirected(self) -> Graph:
        """The same nodes; an edge both ways becomes one with the sum of the weights."""
        return self if not self.directed else self._with_edges(self.source, self.target, self.weight, False)

    def reversed(self) -> Graph:
        """The same nodes with every edge turned round; an undirected graph itself."""
        return self._with_edges(self.target, self.source, self.weight, True) if self.directed else self

    def keep_edges(self, keep: np.ndarray) -> Graph:
        """The same nodes with some of the edges: a mask (E,) or the edges' numbers."""
        return self._with_edges(self.source[keep], self.target[keep], self.weight[keep], self.directed)

    def subgraph(self, nodes: np.ndarray) -> Graph:
        """The given nodes, in the given order, and the edges between them."""
        nodes = np.asarray(nodes, dtype=np.int64)
        new = np.full(self.count, -1)
        new[nodes] = np.arange(len(nodes))
        keep = (new[self.source] >= 0) & (new[self.target] >= 0)
        return Graph.of(
            new[self.source[keep]],
            new[self.target[keep]],
            self.weight[keep],
            names=[self.names[v] for v in nodes],
            directed=self.directed,
            labels=None if self.labels is None else self.labels[nodes],
            label_names=self.label_names,
            features=None if self.features is None else self.features[nodes],
        )

    def with_labels(self, labels: np.ndarray | None, label_names: Sequence[str] = ()) -> Graph:
        labels = None if labels is None else np.array(labels, dtype=np.int64)
        return replace(self, labels=labels, label_names=tuple(label_names))

    def _with_edges(
        self, source: np.ndarray, target: np.ndarray, weight: np.ndarray, directed: bool
    ) -> Graph:
        return Graph.of(
            source,
            target,
            weight,
            names=self.names,
            directed=directed,
            labels=self.labels,
            label_names=self.label_names,
            features=self.features,
        )

    # ------------------------------------------------------------ what may be asked of it

    @cached_property
    def components(self) -> np.ndarray:
        """int64 (N,): the number of each node's component, the largest component being 0. Directions do not matter."""
        root = np.arange(self.count)
        source, target = self.source, self.target
        while True:  # each round hangs roots below smaller roots, then shortens every path to its root
            low = np.minimum(root[source], root[target])
            before = root.copy()
            np.minimum.at(root, root[source], low)
            np.minimum.at(root, root[target], low)
            while not np.array_equal(root, root[root]):
                root = root[root]
            if np.array_equal(root, before):
                break
        _, number, sizes = np.unique(root, return_inverse=True, return_counts=True)
        rank = np.empty_like(sizes)
        rank[np.argsort(-sizes, kind="stable")] = np.arange(len(sizes))
        return rank[number]

    @cached_property
    def key(self) -> str:
        """SHA-256 of everything the graph holds: the same for the same graph, whatever file it came from."""
        digest = hashlib.sha256(f"{self.count} {self.edges} {self.directed}".encode())
        for text in (self.names, self.label_names):
            digest.update("\0".join(text).encode("utf-8", "surrogatepass") + b"\1")
        for array in (self.source, self.target, self.weight, self.labels, self.features):
            digest.update(b"\1" if array is None else np.ascontiguousarray(array).tobytes() + b"\2")
        return digest.hexdigest()


def _merged(ends: np.ndarray, weight: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Edges (2, E) sorted by source and target, parallel ones as one with the summed weight."""
    keys = ends[0] * count + ends[1]
    order = np.argsort(keys, kind="stable")
    keys, ends, weight = keys[order], ends[:, order], weight[order]
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    if len(first) < len(keys):
        ends, weight = ends[:, first], np.add.reduceat(weight, first)
    return np.ascontiguousarray(ends), weight


def _check(graph: Graph) -> None:
    count, edges = len(graph.names), len(graph.source)
    if len(set(graph.names)) != count:
        raise ValueError("two nodes have the same name")
    for name, array, kind, shape in (
        ("source", graph.source, np.int64, (edges,)),
        ("target", graph.target, np.int64, (edges,)),
        ("weight", graph.weight, np.float64, (edges,)),
        ("labels", graph.labels, np.int64, (count,)),
        ("features", graph.features, np.float32, (count, -1)),
    ):
        if array is None:
            continue
        if array.dtype != kind or array.ndim != len(shape) or array.shape[0] != shape[0]:
            raise ValueError(f"{name} is {array.dtype} {array.shape}, not {np.dtype(kind)} {shape}")
    for ends in (graph.source, graph.target):
        if edges and (ends.min() < 0 or ends.max() >= count):
            raise ValueError("an edge ends at a node that is not there")
    if not np.all(np.isfinite(graph.weight) & (graph.weight > 0)):
        raise ValueError("weights must be positive and finite")
    if graph.labels is not None and not np.all(
        (graph.labels >= NONE) & (graph.labels < len(graph.label_names))
    ):
        raise ValueError("a label has no name")
    if graph.features is not None and not np.all(np.isfinite(graph.features)):
        raise ValueError("features must be finite")

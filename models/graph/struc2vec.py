r"""Struc2vec: nodes with the same surroundings get similar vectors, however far apart they are. numpy only.

Ribeiro, Saverese, Figueiredo, "struc2vec: Learning Node Representations from Structural Identity", KDD 2017,
section 3.

    R_k(u)       nodes exactly k edges away from u;  s(R_k(u)) their degrees, sorted
    f_k(u, v)  = f_{k-1}(u, v) + DTW(s(R_k(u)), s(R_k(v))),  cost of degrees a, b: max(a, b) / min(a, b) - 1
    w_k(u, v)  = e^{-f_k(u, v)}                    edges of layer k of the context graph
    w(u_k → u_{k+1}) = log(Γ_k(u) + e),  w(u_k → u_{k-1}) = 1
                                                   Γ_k(u): edges of u in layer k that weigh more than the layer's mean

f_k is defined where both rings have nodes. A walk stays in its layer with probability `stay` and steps along w_k
there, otherwise it changes the layer; the nodes it steps on are its sentence. Skip-gram learns from these walks.
The paper's settings: 10 walks of 80 nodes, window 10, dim 128, 5 epochs, hierarchical softmax; its three
optimisations are `opt1` (equal degrees of a ring counted together), `opt2` (only nodes of similar degree are compared,
log n on either side) and `layers` (OPT3).

Differs from the paper: with `opt2` nodes of equal degree are ordered by the degrees around them, so that the log n
that are compared are the most alike. A node without edges has the degree 1/2: the ratio would not be defined. From the
released code: it adds 0.5 to every degree in the ratio, and at the first layer it may choose to go down and then stays.
Weights and directions of edges do not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from models.graph import skipgram
from models.graph.alias import Alias
from models.graph.deepwalk import walk_rng
from models.graph.graph import Graph
from models.graph.method import Step, require_ranges

ALL_PAIRS = 500  # up to this many nodes "auto" compares every pair
BLOCK = 4096  # pairs of sequences that are compared at once,
CELLS = 400_000  # with at most so many numbers on an anti-diagonal
ROUNDS = 6  # of sums over neighbours that put nodes of equal degree in order
WAYS = 2_000_000  # edges that are followed at once when rings are looked for


@dataclass(frozen=True, kw_only=True)
class Config(skipgram.WalkConfig):
    """Settings of Struc2vec. layers: rings 0 … layers are compared. stay: see above. opt1, opt2: see above;
    opt2 "auto" is on beyond `ALL_PAIRS` nodes."""

    layers: int = 6
    stay: float = 0.3
    opt1: bool = True
    opt2: Literal["auto", "on", "off"] = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        require_ranges(self, {"layers": (0, 100), "stay": (0.05, 0.95)})
        if self.opt2 not in ("auto", "on", "off"):
            raise ValueError(f"opt2 is {self.opt2!r}; it must be 'auto', 'on' or 'off'.")


# ------------------------------------------------------------ rings


def hops(graph: Graph, sources: np.ndarray, most: int) -> np.ndarray:
    """int16 (S, N): edges on the shortest way from each source to each node; -1 beyond `most` or out of reach."""
    found = np.full((len(sources), graph.count), -1, dtype=np.int16)
    walker, node = np.arange(len(sources)), np.asarray(sources, dtype=np.int64)
    found[walker, node] = 0
    for k in range(1, most + 1):
        entry, owner = graph.entries(node)
        walker, node = walker[owner], graph.indices[entry]
        new = found[walker, node] < 0
        found[walker[new], node[new]] = k
        walker, node = np.nonzero(found == k)
        if not len(node):
            break
    return found


def ring(graph: Graph, node: int, k: int) -> np.ndarray:
    """int64: the nodes of R_k(node), ascending."""
    return np.flatnonzero(hops(graph, np.array([node]), k)[0] == k)


class Sequence(NamedTuple):
    """The degrees of a ring, ascending, each with how often it is there (always 1 without `opt1`): float64 (L,)."""

    degree: np.ndarray
    times: np.ndarray


def sequence(degrees: np.ndarray, opt1: bool = False) -> Sequence:
    """The sequence of a ring whose nodes have these degrees."""
    degrees = np.sort(np.where(degrees > 0, degrees, 0.5))
    if opt1:
        return Sequence(*(part.astype(np.float64) for part in np.unique(degrees, return_counts=True)))
    return Sequence(degrees, np.ones(len(degrees)))


def degree_cost(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """max(a, b) / min(a, b) - 1: 0 for equal degrees, and 1 against 2 costs as much as 10 against 20."""
    return np.maximum(a, b) / np.minimum(a, b) - 1


# ------------------------------------------------------------ dynamic time warping


class Warp(NamedTuple):
    """How two sequences are laid onto each other. cost: the sum along the path. path: int64 (steps, 2), positions
    in both. table: float64 (A, B), the cheapest way to each pair of positions."""

    cost: float
    path: np.ndarray
    table: np.ndarray


def dtw(a: Sequence, b: Sequence) -> Warp:
    """The cheapest way from both beginnings to both ends that goes on in one sequence or in both at each step.

    A pair of positions costs `degree_cost` times the larger of their `times`.
    """
    price = degree_cost(a.degree[:, None], b.degree) * np.maximum(a.times[:, None], b.times)
    table = np.full((len(a.degree) + 1, len(b.degree) + 1), np.inf)
    table[0, 0] = 0
    for i, j in np.ndindex(price.shape):
        table[i + 1, j + 1] = price[i, j] + min(table[i, j], table[i, j + 1], table[i + 1, j])
    at = price.shape
    path = [at]
    while at != (1, 1):
        i, j = at
        at = min(((i - 1, j - 1), (i - 1, j), (i, j - 1)), key=lambda place: table[place])
        path.append(at)
    return Warp(float(table[-1, -1]), np.array(path[::-1]) - 1, table[1:, 1:])


def dtw_costs(
    sequences: list[Sequence], first: np.ndarray, second: np.ndarray
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The cost of `dtw` for many pairs of sequences (P,), block by block: which pairs, and their costs."""
    lengths = np.array([len(s.degree) for s in sequences])
    both = lengths[first] + lengths[second]
    order = np.argsort(both, kind="stable")
    while len(order):
        block = order[:BLOCK]
        fitting = max(1, CELLS // int(both[block[-1]]))  # pairs of long sequences come in smaller blocks
        block = block[:fitting]
        yield block, _block_costs(sequences, first[block], second[block])
        order = order[len(block) :]


def _block_costs(sequences: list[Sequence], first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """(P,): all pairs go along their anti-diagonals together; a shorter pair is done earlier and then goes on idly."""
    a, a_times, a_length = _padded([sequences[i] for i in first])
    b, b_times, b_length = _padded([sequences[i] for i in second])
    rows, columns, pairs = len(a), len(b), len(first)
    costs = np.zeros(pairs)
    # way[i + 1]: the cheapest way to position i of the first and s - i of the second; [0] is the border
    way = np.full((rows + 1, pairs), np.inf)
    before = np.full((rows + 1, pairs), np.inf)
    before[0] = 0  # only the pair of both beginnings is reached from here
    for s in range(rows + columns - 1):
        low, high = max(0, s - columns + 1), min(rows, s + 1)
        at_b = s - np.arange(low, high)
        price = degree_cost(a[low:high], b[at_b]) * np.maximum(a_times[low:high], b_times[at_b])
        cheapest = np.minimum(way[low:high], way[low + 1 : high + 1])
        np.minimum(cheapest, before[low:high], out=cheapest)
        following = np.full((rows + 1, pairs), np.inf)
        following[low + 1 : high + 1] = price + cheapest
        before, way = way, following
        ended = np.flatnonzero(a_length + b_length - 2 == s)
        costs[ended] = way[a_length[ended], ended]
    return costs


def _padded(sequences: list[Sequence]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Degrees and times (longest, P), 1 beyond a sequence's end, and the lengths (P,)."""
    lengths = np.array([len(s.degree) for s in sequences])
    degrees, times = (np.ones((lengths.max(), len(sequences))) for _ in range(2))
    column, row = (
        np.repeat(np.arange(len(sequences)), lengths),
        np.concatenate([np.arange(n) for n in lengths]),
    )
    degrees[row, column] = np.concatenate([s.degree for s in sequences])
    times[row, column] = np.concatenate([s.times for s in sequences])
    return degrees, times, lengths


# ------------------------------------------------------------ structural distances


class Distances(NamedTuple):
    """pairs: int64 (P, 2), u < v. f: float64 (K, P), f_k of each pair, NaN where a ring is empty."""

    pairs: np.ndarray
    f: np.ndarray


def compared_pairs(graph: Graph, config: Config) -> np.ndarray:
    """int64 (P, 2): the pairs of nodes, u < v, that are compared."""
    count = graph.count
    if config.opt2 == "off" or (config.opt2 == "auto" and count <= ALL_PAIRS):
        return np.stack(np.triu_indices(count, 1), axis=1)
    keys: list[np.ndarray] = [graph.degree]
    for _ in range(min(config.layers, ROUNDS)):
        keys.append(np.bincount(graph.row, weights=keys[-1][graph.indices], minlength=count))
    order = np.lexsort(keys[::-1])
    reach = min(int(np.ceil(np.log2(count))), count - 1)
    pairs = np.concatenate([np.stack([order[:-gap], order[gap:]], axis=1) for gap in range(1, reach + 1)])
    return np.sort(pairs, axis=1)


class Rings:
    """The sequences of the rings of all nodes, those that are equal kept once.

    sequences: all different ones. of_node: int64 (layers + 1, N), which of them each node has in each layer, -1 for an
    empty ring.
    """

    def __init__(self, graph: Graph, config: Config) -> None:
        self.graph, self.layers, self.opt1 = graph, config.layers, config.opt1
        self.sequences: list[Sequence] = []
        self.of_node = np.full((config.layers + 1, graph.count), -1)
        self._known: dict[bytes, int] = {}

    def fill(self) -> Iterator[int]:
        """Looks at every node; yields how many were looked at since before."""
        chunk = max(1, WAYS // max(len(self.graph.indices), self.graph.count))
        for start in range(0, self.graph.count, chunk):
            sources = np.arange(start, min(start + chunk, self.graph.count))
            self._add(sources)
            yield len(sources)

    def _add(self, sources: np.ndarray) -> None:
        away = hops(self.graph, sources, self.layers)
        row, node = np.nonzero(away >= 0)
        base = int(self.graph.degree.max()) + 1
        key = np.sort((row * (self.layers + 1) + away[row, node]) * base + self.graph.degree[node])
        starts = np.flatnonzero(np.diff(key // base, prepend=-1))
        rows, layers = np.divmod(key[starts] // base, self.layers + 1)
        for source, layer, degrees in zip(
            sources[rows], layers, np.split(key % base, starts[1:]), strict=True
        ):
            number = self._known.setdefault(degrees.tobytes(), len(self.sequences))
            if number == len(self.sequences):
                self.sequences.append(sequence(degrees, self.opt1))
            self.of_node[layer, source] = number


def distances(graph: Graph, config: Config) -> Distances:
    """f_k for k = 0 … layers, fewer where no two nodes have others so far away."""
    graph = graph.undirected()
    rings, pairs = Rings(graph, config), compared_pairs(graph, config)
    for _ in rings.fill():
        pass
    return Distances(pairs, np.stack([f for _, f in _compare(rings, pairs) if f is not None]))


def _compare(rings: Rings, pairs: np.ndarray) -> Iterator[tuple[int, np.ndarray | None]]:
    """f_0, f_1, … of the pairs, each float64 (P,); None after a piece of work in between. With each, how many pairs
    are done since before: the layers' pairs in all, in layers that are empty too."""
    f, layers = np.zeros(len(pairs)), len(rings.of_node)
    for k, of_node in enumerate(rings.of_node):
        both = np.flatnonzero((of_node[pairs] >= 0).all(axis=1))
        if k > 0 and not len(both):
            yield len(pairs) * (layers - k), None
            return
        # many nodes share a sequence: each two different ones are compared once
        asked, which = np.unique(np.sort(of_node[pairs[both]], axis=1), axis=0, return_inverse=True)
        costs, left = np.zeros(len(asked)), len(pairs)
        for block, found in dtw_costs(rings.sequences, asked[:, 0], asked[:, 1]):
            costs[block] = found
            share = len(pairs) * len(block) // len(asked)
            left -= share
            yield share, None
        further = np.full(len(pairs), np.nan)
        further[both] = f[both] + costs[which.reshape(-1)]
        f = further
        yield left, f


# ------------------------------------------------------------ the context graph and its walks


@dataclass(frozen=True, eq=False)
class Context:
    """The layers of the context graph. Row k N + u holds the edges of node u in layer k.

    indptr: int64 (K N + 1,). indices: int64 (M,), the other node. f: float64 (M,), f_k, the weight being e^-f.
    up: float64 (K, N), the probability of going up when the layer changes: 1 in the first layer, 0 in the last and
    where the node has no edges one layer up.
    """

    layers: int
    count: int
    indptr: np.ndarray
    indices: np.ndarray
    f: np.ndarray
    up: np.ndarray

    def neighbours(self, layer: int, node: int) -> tuple[np.ndarray, np.ndarray]:
        """The nodes that `node` may step to in this layer, and the probability of each."""
        row = slice(*self.indptr[layer * self.count + node :][:2])
        weights = np.exp(self.f[row].min(initial=np.inf) - self.f[row])
        return self.indices[row], weights / weights.sum()


def context_graph(count: int, found: Distances) -> Context:
    """The context graph of N nodes by their distances."""
    layers = len(found.f)
    layer, pair = np.nonzero(np.isfinite(found.f))
    f = found.f[layer, pair]
    u, v = found.pairs[pair].T
    row = np.concatenate([layer * count + u, layer * count + v])
    order = np.argsort(row, kind="stable")
    indptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=layers * count))])
    row, other, both = row[order], np.concatenate([v, u])[order], np.concatenate([f, f])[order]
    weight = np.exp(-both)
    edges = np.bincount(row // count, minlength=layers)
    mean = np.bincount(row // count, weights=weight, minlength=layers) / np.maximum(edges, 1)
    heavy = np.bincount(row[weight > mean[row // count]], minlength=layers * count).reshape(layers, count)
    there = np.diff(indptr).reshape(layers, count) > 0
    upward = np.log(heavy + np.e)
    up = upward / (upward + 1)
    up[0] = 1
    up[:-1][~there[1:]] = 0
    up[-1] = 0
    return Context(layers, count, indptr, other, both, up)


def random_walks(
    context: Context, walks: int, length: int, stay: float, seed: int = 0
) -> Iterator[np.ndarray]:
    """`walks` times a block int32 (N, length): the nodes that a walk from every node, begun in layer 0, steps on."""
    rng, table = walk_rng(seed), _table(context)
    for _ in range(walks):
        yield _walk(context, table, np.arange(context.count), length, stay, rng)[0]


def walk_from(
    context: Context, starts: np.ndarray, length: int, stay: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """int32 (S, length) twice: a walk from each of the starts (S,), and the layer in which each node was stepped on."""
    return _walk(context, _table(context), starts, length, stay, rng)


def _table(context: Context) -> Alias:
    """Alias tables of all rows; each row's largest weight is made 1, or far apart nodes would weigh 0."""
    sizes = np.diff(context.indptr)
    least = np.full(len(sizes), np.inf)
    rows = np.flatnonzero(sizes)
    if len(rows):
        least[rows] = np.minimum.reduceat(context.f, context.indptr[rows])
    return Alias.of_rows(context.indptr, np.exp(np.repeat(least, sizes) - context.f))


def _walk(
    context: Context, table: Alias, starts: np.ndarray, length: int, stay: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    walks, layers = (np.full((len(starts), length), -1, dtype=np.int32) for _ in range(2))
    walks[:, 0], layers[:, 0] = starts, 0
    walker = np.arange(len(starts)) if context.count > 1 else np.zeros(0, dtype=np.int64)
    at, layer = np.asarray(starts, dtype=np.int64)[walker], np.zeros(len(walker), dtype=np.int64)
    place = np.ones(len(walker), dtype=np.int64)
    while len(walker):
        steps = rng.random(len(walker)) < stay
        stepping, moving = np.flatnonzero(steps), np.flatnonzero(~steps)
        at[stepping] = context.indices[table.draw_rows(rng, layer[stepping] * context.count + at[stepping])]
        walks[walker[stepping], place[stepping]] = at[stepping]
        layers[walker[stepping], place[stepping]] = layer[stepping]
        place[stepping] += 1
        goes_up = rng.random(len(moving)) < context.up[layer[moving], at[moving]]
        layer[moving] = np.maximum(layer[moving] + np.where(goes_up, 1, -1), 0)
        if (place == length).any():
            walker, at, layer, place = (part[place < length] for part in (walker, at, layer, place))
    return walks, layers


def train(graph: Graph, config: Config) -> Iterator[Step]:
    """Compares, walks and trains; see `models.graph.method.Step`."""
    graph = graph.undirected()
    pairs = compared_pairs(graph, config)
    work = graph.count * _ring_work(graph) + len(pairs) * (config.layers + 1)
    work += graph.count * config.walks * config.length
    yield from skipgram.train(_prepare(graph, pairs, config), work, graph.count, config)


def _ring_work(graph: Graph) -> int:
    """What looking for one node's rings takes: about a place on a walk for 20 edges."""
    return 1 + len(graph.indices) // 20


def _prepare(graph: Graph, pairs: np.ndarray, config: Config) -> Iterator[tuple[int, np.ndarray | None]]:
    """Pieces of work, and walks; a pair that is compared in one layer counts like a place on a walk."""
    rings = Rings(graph, config)
    for nodes in rings.fill():
        yield nodes * _ring_work(graph), None
    layers = []
    for share, f in _compare(rings, pairs):
        if f is not None:
            layers.append(f)
        yield share, None
    context = context_graph(graph.count, Distances(pairs, np.stack(layers)))
    for block in random_walks(context, config.walks, config.length, config.stay, config.seed):
        yield block.size, block

"""Graphs to start from: three that are in every textbook, and generators with parameters. numpy only.

`SAMPLES` lists them; `build("sbm", blocks=4)` makes one. The same parameters give the same graph, always.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from models.graph.graph import Graph

# W. W. Zachary, "An Information Flow Model for Conflict and Fission in Small Groups", 1977: row i lists the members
# after i with whom member i + 1 met outside the club, and in how many places they met.
KARATE = (
    "2 3 4 5 6 7 8 9 11 12 13 14 18 20 22 32|3 4 8 14 18 20 22 31|4 8 9 10 14 28 29 33|8 13 14|7 11|7 11 17|17||"
    "31 33 34|34||||34|33 34|33 34|||33 34|34|33 34||33 34|26 28 30 33 34|26 28 32|32|30 34|34|32 34|33 34|33 34|"
    "33 34|34|"
)
KARATE_WEIGHTS = (
    "4 5 3 3 3 3 2 2 2 3 1 3 2 2 2 2|6 3 4 5 1 2 2 2|3 4 5 1 3 2 2 2|3 3 3|2 3|5 3 3|3||3 3 4|2||||3|3 2|3 4|||1 2|"
    "1|3 1||2 3|5 4 3 5 4|2 3 2|7|4 2|4|2 2|4 2|3 3|4 4|5|"
)
KARATE_CLUB = (
    "0000000001000011001010111111111111"  # who stayed with the teacher (0), who left with the president
)
KARATE_FOUR = "1111333101311100310101002200200200"  # the four communities of Kipf & Welling, figure 1


# D. E. Knuth, "The Stanford GraphBase", 1993: row i lists the characters after i who share a chapter with i, and in
# how many chapters where it is more than one.
MISERABLES_NAMES = (
    "Napoleon Myriel MlleBaptistine MmeMagloire CountessDeLo Geborand Champtercier Cravatte Count OldMan Valjean "
    "Labarre Marguerite MmeDeR Isabeau Gervais Listolier Tholomyes Fameuil Blacheville Favourite Dahlia Zephine "
    "Fantine MmeThenardier Thenardier Cosette Javert Fauchelevent Bamatabois Perpetue Simplice Scaufflaire Woman1 "
    "Judge Champmathieu Brevet Chenildieu Cochepaille Pontmercy Boulatruelle Eponine Anzelma Woman2 "
    "MotherInnocent Gribier MmeBurgon Jondrette Gavroche Gillenormand Magnon MlleGillenormand MmePontmercy "
    "MlleVaubois LtGillenormand Marius BaronessT Mabeuf Enjolras Combeferre Prouvaire Feuilly Courfeyrac Bahorel "
    "Bossuet Joly Grantaire MotherPlutarch Gueulemer Babet Claquesous Montparnasse Toussaint Child1 Child2 Brujon "
    "MmeHucheloup"
)
MISERABLES = (
    "1|2:8 3:10 4 5 6 7 8:2 9 10:5|3:6 10:3|10:3|||||||11 12 13 14 15 23:9 24:7 25:12 26:31 27:17 28:8 29:2 31:3 "
    "32 33:2 34:3 35:3 36:2 37:2 38:2 43:3 44 48 49:2 51:2 55:19 58:4 64 68 69 70 71 72||23:2||||17:4 18:4 19:4 "
    "20:3 21:3 22:3 23:3|18:4 19:4 20:3 21:3 22:3 23:3 26 55|19:4 20:3 21:3 22:3 23:3|20:4 21:3 22:3 23:3|21:5 "
    "22:4 23:4|22:4 23:4|23:4|24:2 25 27:5 29 30 31:2|25:13 26:4 27 41:2 42 50 68 69 70|26 27:5 39 40 41:3 42:2 "
    "48 55:2 68:5 69:6 70:4 71 75:3|27 43 49:3 51:2 54 55:21 72:2|28 29 31 33 43 48 58:6 68 69:2 70 71 72|44:3 "
    "45:2|34:2 35:2 36 37 38|31:2||||35:3 36:2 37:2 38:2|36:2 37:2 38:2|37:2 38:2|38:2||52 55||42:2 55:5 57 62 "
    "68 69 70 71 75|||||47 48:2||55:4 57 58:7 59:6 60 61:2 62:7 63:5 64:5 65:3 66 68 69 71 73:2 74:2 75 76|50 "
    "51:9 54 55:12 56||52 53 54:2 55:6|||55|56 57 58:7 59:5 61 62:9 63 64:5 65:2||58 59:2 61 62:2 63:2 64 65 "
    "67:3|59:15 60:4 61:6 62:17 63:4 64:10 65:5 66:3 70 76|60:2 61:5 62:13 63:5 64:9 65:5 66|61:2 62:3 63:2 64:2 "
    "65:2 66|62:6 63:3 64:6 65:5 66|63:6 64:12 65:5 66:2 76|64:4 65:5 66 76|65:7 66:3 76|66:2 76|76||69:6 70:4 "
    "71:2 75:3|70:4 71:2 75:3|71:2 75|75||74:3|||"
)
# Communities of the highest modularity (0.567) in twenty runs of Louvain's method; they are found, not given.
MISERABLES_GROUPS = "44444444440030003333333322000533005555502220001110200000011111111111222201121"

# A. Davis, B. B. Gardner, M. R. Gardner, "Deep South", 1941: which of fourteen events each woman went to.
DAVIS = {
    "Evelyn Jefferson": "11111101100000",
    "Laura Mandeville": "11101111000000",
    "Theresa Anderson": "01111111100000",
    "Brenda Rogers": "10111111000000",
    "Charlotte McDowd": "00111010000000",
    "Frances Anderson": "00101101000000",
    "Eleanor Nye": "00001111000000",
    "Pearl Oglethorpe": "00000101100000",
    "Ruth DeSand": "00001011100000",
    "Verne Sanderson": "00000011100100",
    "Myra Liddel": "00000001110100",
    "Katherina Rogers": "00000001110111",
    "Sylvia Avondale": "00000011110111",
    "Nora Fayette": "00000110111111",
    "Helen Lloyd": "00000011011100",
    "Dorothy Murchison": "00000001100000",
    "Olivia Carleton": "00000000101000",
    "Flora Price": "00000000101000",
}


@dataclass(frozen=True)
class Parameter:
    """A slider of a generator: whole numbers where `step` is one, otherwise fractions."""

    name: str
    default: float
    low: float
    high: float
    step: float = 1

    @property
    def whole(self) -> bool:
        return isinstance(self.step, int)


@dataclass(frozen=True)
class Sample:
    """A graph on offer.

    build: takes the parameters by name. edges: about how many edges the graph of these parameters has, known before
    it is made; None for a graph without parameters. Label names are message words ("path 1": the word and a number).
    """

    id: str
    build: Callable[..., Graph]
    parameters: tuple[Parameter, ...] = ()
    edges: Callable[..., float] | None = None


def karate(weighted: bool = False, four: bool = False) -> Graph:
    """34 members of a karate club, 78 friendships; labels: the two clubs it split into, or four communities."""
    rows = [list(map(int, row.split())) for row in KARATE.split("|")]
    source = [v for v, row in enumerate(rows) for _ in row]
    target = [u - 1 for row in rows for u in row]
    places = [int(w) for row in KARATE_WEIGHTS.split("|") for w in row.split()]
    return Graph.of(
        source,
        target,
        places if weighted else 1.0,
        names=[str(v + 1) for v in range(34)],
        labels=[int(c) for c in (KARATE_FOUR if four else KARATE_CLUB)],
        label_names=[f"group {k + 1}" for k in range(4)] if four else ["Mr. Hi", "Officer"],
    )


def miserables(weighted: bool = True) -> Graph:
    """77 characters of Les Misérables, joined where they share a chapter. Labels: communities, found by modularity."""
    rows = [[part.partition(":") for part in row.split()] for row in MISERABLES.split("|")]
    return Graph.of(
        [v for v, row in enumerate(rows) for _ in row],
        [int(u) for row in rows for u, _, _ in row],
        [float(chapters or 1) if weighted else 1.0 for row in rows for _, _, chapters in row],
        names=MISERABLES_NAMES.split(),
        labels=[int(c) for c in MISERABLES_GROUPS],
        label_names=[f"group {k + 1}" for k in range(6)],
    )


def davis() -> Graph:
    """18 women and the 14 events they went to: a bipartite graph. Labels: woman or event."""
    went = np.array([[int(mark) for mark in row] for row in DAVIS.values()])
    woman, event = np.nonzero(went)
    women, events = went.shape
    return Graph.of(
        woman,
        women + event,
        names=[*DAVIS, *(f"E{k + 1}" for k in range(events))],
        labels=np.repeat([0, 1], [women, events]),
        label_names=["woman", "event"],
    )


def orders(groups: int = 4, size: int = 5) -> Graph:
    """First against second order: a ring of groups, in each of which all of the left know all of the right.

    Two nodes of one side have the same neighbours but no edge between them; left and right have edges but hardly a
    neighbour in common. First-order proximity draws the sides together, second-order proximity parts them.
    Labels: "left 1", "right 1", …
    """
    a, b = (side.ravel() for side in np.divmod(np.arange(size * size), size))
    start = 2 * size * np.arange(groups)
    bridges = start[: groups if groups > 2 else groups - 1]
    source = np.concatenate(
        [(start[:, None] + a).ravel(), bridges + size]
    )  # from a right to the next group's left
    target = np.concatenate([(start[:, None] + size + b).ravel(), (bridges + 2 * size) % (2 * size * groups)])
    return Graph.of(
        source,
        target,
        count=2 * size * groups,
        labels=np.repeat(np.arange(2 * groups), size),
        label_names=[f"{side} {g + 1}" for g in range(groups) for side in ("left", "right")],
    )


def line_figure() -> Graph:
    """Ten nodes in the manner of figure 1 of the LINE paper: 5 and 6 share four friends, 6 and 7 have a strong tie."""
    pairs = [(v, u) for u in (5, 6) for v in (1, 2, 3, 4)] + [(6, 7), (7, 8), (7, 9), (7, 10)]
    source, target = np.array(pairs).T - 1
    weight = np.where((source == 5) & (target == 6), 8.0, 1.0)
    return Graph.of(source, target, weight, names=[str(v + 1) for v in range(10)])


def grid(rows: int = 8, columns: int = 8) -> Graph:
    """A square lattice. Labels: corner, border or inside."""
    number = np.arange(rows * columns).reshape(rows, columns)
    source = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    target = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    y, x = np.divmod(number.ravel(), columns)
    ends = ((y == 0) | (y == rows - 1)).astype(int) + ((x == 0) | (x == columns - 1))
    return Graph.of(
        source, target, count=rows * columns, labels=2 - ends, label_names=["corner", "border", "inside"]
    )


def tree(branching: int = 2, height: int = 5) -> Graph:
    """A full tree: node 0 is the root. Labels: the level."""
    sizes = np.array([branching**level for level in range(height + 1)])
    child = np.arange(1, sizes.sum())
    return Graph.of(
        (child - 1) // branching,
        child,
        count=int(sizes.sum()),
        labels=np.repeat(np.arange(height + 1), sizes),
        label_names=[f"level {level}" for level in range(height + 1)],
    )


def barbell(clique: int = 10, path: int = 10) -> Graph:
    """Two cliques joined by a path of `path` nodes (0: by one edge). Labels: the distance class.

    Node v mirrors node N-1-v. Nodes 0 … clique-1 are the left clique, the last of them holds the path.
    """
    count = 2 * clique + path
    first, second = np.triu_indices(clique, 1)
    chain = np.arange(clique - 1, clique + path)
    source = np.concatenate([first, first + clique + path, chain])
    target = np.concatenate([second, second + clique + path, chain + 1])
    from_end = np.minimum(np.arange(count), np.arange(count)[::-1])
    labels = np.maximum(from_end - (clique - 2), 0)
    names = ["clique", "gate"] + [f"path {k + 1}" for k in range(labels.max() - 1)]
    return Graph.of(source, target, count=count, labels=labels, label_names=names)


def sbm(blocks: int = 3, size: int = 30, inside: float = 0.3, between: float = 0.02, seed: int = 0) -> Graph:
    """Stochastic block model: an edge with probability `inside` within a block, `between` across. Labels: the block."""
    rng = np.random.default_rng(seed)
    sources, targets = [], []
    for a in range(blocks):
        for b in range(a, blocks):
            pairs = size * (size - 1) // 2 if a == b else size * size
            chosen = _distinct(rng, pairs, rng.binomial(pairs, inside if a == b else between))
            u, v = _pair(chosen) if a == b else (chosen // size, chosen % size)
            sources.append(u + a * size)
            targets.append(v + b * size)
    labels = np.repeat(np.arange(blocks), size)
    return Graph.of(
        np.concatenate(sources),
        np.concatenate(targets),
        count=blocks * size,
        labels=labels,
        label_names=[f"group {k + 1}" for k in range(blocks)],
    )


def lfr(
    count: int = 200,
    degree: float = 8.0,
    mixing: float = 0.2,
    degree_exponent: float = 2.5,
    size_exponent: float = 1.5,
    seed: int = 0,
) -> Graph:
    """Communities of unequal sizes and nodes of unequal degrees (Lancichinetti, Fortunato, Radicchi 2008).

    Degrees and community sizes follow power laws; `mixing` is the share of a node's edges that leave its community.
    Edges are drawn by the configuration model; the few that would be loops or parallel after some exchanges are
    left out, so that the mean degree comes out slightly lower. Labels: the community.
    """
    rng = np.random.default_rng(seed)
    degrees = _degrees(rng, count, min(degree, count / 4), max(int(count / 5), 3), degree_exponent)
    inner = np.round((1 - mixing) * degrees).astype(np.int64)
    sizes = _community_sizes(rng, count, max(10, int(degree)), max(count // 4, 12), size_exponent)
    community = _assign(rng, inner, sizes)
    inner = np.minimum(inner, sizes[community] - 1)
    pairs = [
        _configuration(rng, np.repeat(members, inner[members]), None)
        for members in (np.flatnonzero(community == c) for c in range(len(sizes)))
    ]
    pairs.append(_configuration(rng, np.repeat(np.arange(count), degrees - inner), community))
    source, target = np.concatenate(pairs, axis=1)
    return Graph.of(
        source,
        target,
        count=count,
        labels=community,
        label_names=[f"group {c + 1}" for c in range(len(sizes))],
    )


def _power_law(rng: np.random.Generator, many: int, low: float, high: float, exponent: float) -> np.ndarray:
    """float64 (many,) in [low, high] with density proportional to x^-exponent."""
    a, b = low ** (1 - exponent), high ** (1 - exponent)
    return (a + rng.random(many) * (b - a)) ** (1 / (1 - exponent))


def _degrees(rng: np.random.Generator, count: int, mean: float, most: int, exponent: float) -> np.ndarray:
    """int64 (count,): power-law degrees of about this mean; the lower bound is found by halving."""
    chance = rng.random(count)
    low, high = 0.5, float(mean)
    for _ in range(40):
        least = (low + high) / 2
        a, b = least ** (1 - exponent), float(most) ** (1 - exponent)
        found = (a + chance * (b - a)) ** (1 / (1 - exponent))
        low, high = (least, high) if found.mean() < mean else (low, least)
    return np.maximum(np.round(found), 1).astype(np.int64)


def _community_sizes(
    rng: np.random.Generator, count: int, least: int, most: int, exponent: float
) -> np.ndarray:
    """int64 (C,): sizes that sum to `count`, the largest first."""
    sizes: list[int] = []
    while sum(sizes) < count:
        sizes.append(int(_power_law(rng, 1, least, most + 1, exponent)[0]))
    sizes[-1] -= sum(sizes) - count
    if sizes[-1] < least and len(sizes) > 1:  # too small to stand alone
        sizes[0] += sizes.pop()
    return np.sort(np.array(sizes, dtype=np.int64))[::-1]


def _assign(rng: np.random.Generator, inner: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """int64 (N,): a community for each node, at random among those with room that exceed its inner degree."""
    community = np.empty(len(inner), dtype=np.int64)
    room = sizes.copy()
    for node in np.argsort(-inner, kind="stable"):  # the largest degrees have the least choice
        fits = np.flatnonzero((room > 0) & (sizes > inner[node]))
        if not len(fits):
            fits = np.flatnonzero(room == room.max())
        chosen = fits[np.searchsorted(np.cumsum(room[fits]), rng.random() * room[fits].sum(), side="right")]
        community[node] = chosen
        room[chosen] -= 1
    return community


def _configuration(rng: np.random.Generator, stubs: np.ndarray, apart: np.ndarray | None) -> np.ndarray:
    """int64 (2, E): the stubs paired at random, without loops and parallel edges, and across communities `apart`.

    Pairs that break the rule exchange ends with good ones for some rounds; those that remain are dropped.
    """
    stubs = rng.permutation(stubs)
    pairs = stubs[: len(stubs) // 2 * 2].reshape(2, -1)
    for _ in range(20):
        bad = _breaks_the_rule(pairs, apart)
        if not len(bad):
            break
        mixed = np.union1d(bad, rng.integers(pairs.shape[1], size=len(bad)))
        pairs[1, mixed] = rng.permutation(pairs[1, mixed])
        turned = mixed[rng.random(len(mixed)) < 0.5]
        pairs[:, turned] = pairs[::-1, turned]
    return np.delete(pairs, _breaks_the_rule(pairs, apart), axis=1)


def _breaks_the_rule(pairs: np.ndarray, apart: np.ndarray | None) -> np.ndarray:
    """int64: the numbers of the pairs that are loops, parallel to an earlier one or within a community."""
    low, high = np.sort(pairs, axis=0)
    bad = np.ones(len(low), dtype=bool)
    bad[np.unique(low * (high.max(initial=0) + 1) + high, return_index=True)[1]] = False
    bad |= low == high
    if apart is not None:
        bad |= apart[low] == apart[high]
    return np.flatnonzero(bad)


def _distinct(rng: np.random.Generator, below: int, many: int) -> np.ndarray:
    """int64 (many,): different numbers in [0, below), every set equally likely; memory goes with `many` alone."""
    if 3 * many > below:
        return rng.permutation(below)[:many]
    chosen = np.unique(rng.integers(below, size=many))
    while len(chosen) < many:
        chosen = np.unique(np.concatenate([chosen, rng.integers(below, size=many - len(chosen))]))
    return chosen


def _pair(number: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs u < v by their number v(v-1)/2 + u."""
    v = ((1 + np.sqrt(1 + 8 * number.astype(np.float64))) / 2).astype(np.int64)
    v -= v * (v - 1) // 2 > number
    v += v * (v + 1) // 2 <= number
    return number - v * (v - 1) // 2, v


SAMPLES: Mapping[str, Sample] = {
    sample.id: sample
    for sample in (
        Sample("karate", karate),
        Sample("miserables", miserables),
        Sample("davis", davis),
        Sample("line", line_figure),
        Sample(
            "orders",
            orders,
            (Parameter("groups", 4, 2, 12), Parameter("size", 5, 2, 30)),
            lambda groups, size: groups * (size * size + 1),
        ),
        Sample(
            "barbell",
            barbell,
            (Parameter("clique", 10, 3, 40), Parameter("path", 10, 0, 40)),
            lambda clique, path: clique * (clique - 1) + path + 1,
        ),
        Sample(
            "sbm",
            sbm,
            (
                Parameter("blocks", 3, 2, 10),
                Parameter("size", 30, 5, 1000, 5),
                Parameter("inside", 0.3, 0.01, 1.0, 0.01),
                Parameter("between", 0.02, 0.0, 0.5, 0.005),
                Parameter("seed", 0, 0, 999),
            ),
            lambda blocks, size, inside, between, seed: (
                blocks * size * (inside * (size - 1) + between * (blocks - 1) * size) / 2
            ),
        ),
        Sample(
            "lfr",
            lfr,
            (
                Parameter("count", 200, 50, 20_000, 50),
                Parameter("degree", 8.0, 3.0, 30.0, 0.5),
                Parameter("mixing", 0.2, 0.0, 0.9, 0.05),
                Parameter("degree_exponent", 2.5, 2.05, 4.0, 0.05),
                Parameter("size_exponent", 1.5, 1.05, 3.0, 0.05),
                Parameter("seed", 0, 0, 999),
            ),
            lambda count, degree, **_: count * degree / 2,
        ),
        Sample(
            "grid",
            grid,
            (Parameter("rows", 8, 2, 200), Parameter("columns", 8, 2, 200)),
            lambda rows, columns: 2 * rows * columns,
        ),
        Sample(
            "tree",
            tree,
            (Parameter("branching", 2, 2, 5), Parameter("height", 5, 1, 8)),
            lambda branching, height: branching ** (height + 1) / (branching - 1),
        ),
    )
}


def settled(sample: str, values: Mapping[str, float]) -> dict[str, float]:
    """Every parameter of a sample: the given values within their limits, defaults for the rest."""
    found: dict[str, float] = {}
    for parameter in SAMPLES[sample].parameters:
        value = min(max(values.get(parameter.name, parameter.default), parameter.low), parameter.high)
        found[parameter.name] = int(value) if parameter.whole else float(value)
    return found


def expected_edges(sample: str, values: Mapping[str, float]) -> float:
    """About how many edges `build` would make, known before it is called; 0 for a sample without parameters."""
    edges = SAMPLES[sample].edges
    return 0.0 if edges is None else float(edges(**settled(sample, values)))


def build(sample: str, **values: float) -> Graph:
    """The graph of a sample; parameters that are not given have their defaults.

    Raises KeyError for a sample and TypeError for a parameter that there is not.
    """
    unknown = values.keys() - {parameter.name for parameter in SAMPLES[sample].parameters}
    if unknown:
        raise TypeError(f"{sample} has no parameter {sorted(unknown)}")
    return SAMPLES[sample].build(**settled(sample, values))

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
KARATE_CLUB = "0000000001000011001010111111111111"  # who stayed with the teacher (0), who left with the president
KARATE_FOUR = "1111333101311100310101002200200200"  # the four communities of Kipf & Welling, figure 1


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
    """A graph on offer. build: takes the parameters by name."""

    id: str
    build: Callable[..., Graph]
    parameters: tuple[Parameter, ...] = ()


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
        label_names=["1", "2", "3", "4"] if four else ["Mr. Hi", "Officer"],
    )


def barbell(clique: int = 10, path: int = 10) -> Graph:
    """Two cliques joined by a path of `path` nodes (0: by one edge). Labels: the distance class, equal for mirror nodes.

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
        label_names=[str(k + 1) for k in range(blocks)],
    )


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
        Sample("barbell", barbell, (Parameter("clique", 10, 3, 40), Parameter("path", 10, 0, 40))),
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
        ),
    )
}


def build(sample: str, **values: float) -> Graph:
    """The graph of a sample; parameters that are not given have their defaults. Raises KeyError for unknown ones."""
    return SAMPLES[sample].build(**values)

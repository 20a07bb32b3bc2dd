"""The arithmetic behind the views of the walking methods: frequencies against probabilities, pairs counted exactly.

Plain numpy over the methods' own functions, quick enough to be computed while the page is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.graph.graph import Graph

FAR = -1  # the distance of a node that cannot be reached


def distances(graph: Graph, start: int) -> np.ndarray:
    """int64 (N,): how many edges lie between each node and the start, FAR where no way leads there."""
    found = np.full(graph.count, FAR)
    found[start], ring, away = 0, np.array([start]), 0
    while ring.size:
        away += 1
        reached = np.unique(np.concatenate([graph.neighbours(int(v)) for v in ring]))
        ring = reached[found[reached] == FAR]
        found[ring] = away
    return found


def mean_distance(graph: Graph, start: int, walks: np.ndarray) -> np.ndarray:
    """float64 (length,): how far walks (W, length) are from their start after each step; NaN where all have ended."""
    away = distances(graph, start)
    alive = walks >= 0
    total = np.where(alive, away[np.where(alive, walks, 0)], 0).sum(0)
    return np.where(alive.any(0), total / np.maximum(alive.sum(0), 1), np.nan)


def visits(graph: Graph, walks: np.ndarray) -> np.ndarray:
    """float64 (N,): the share of all steps of walks (W, length), their start left out, that each node got."""
    seen = walks[:, 1:]
    count = np.bincount(seen[seen >= 0], minlength=graph.count).astype(np.float64)
    return count / max(count.sum(), 1.0)


@dataclass(frozen=True)
class Fit:
    """Drawn frequencies against probabilities: Pearson's chi-square, its degrees of freedom, and what 999 of
    1000 honest samples stay below; and the largest difference of a frequency."""

    chi2: float
    freedom: int
    bound: float
    apart: float
    draws: int

    @property
    def fits(self) -> bool:
        return self.chi2 <= self.bound


def fit(counts: np.ndarray, probability: np.ndarray) -> Fit:
    """counts, probability: (n,) each. Outcomes that are expected less than once are taken together."""
    draws = int(counts.sum())
    expected = probability * draws
    apart = float(np.abs(counts / max(draws, 1) - probability).max(initial=0.0))
    rare = expected < 1
    if rare.any():
        expected = np.append(expected[~rare], expected[rare].sum())
        counts = np.append(counts[~rare], counts[rare].sum())
    kept = expected > 1e-9
    chi2 = float(((counts[kept] - expected[kept]) ** 2 / expected[kept]).sum())
    freedom = max(int(kept.sum()) - 1, 0)
    return Fit(chi2, freedom, chi2_bound(freedom), apart, draws)


def chi2_bound(freedom: int, z: float = 3.0902) -> float:
    """The 99.9 % quantile of chi-square, by Wilson and Hilferty's cube (1931); 0 without a degree of freedom."""
    if freedom < 1:
        return 0.0
    share = 2 / (9 * freedom)
    return float(freedom * (1 - share + z * share**0.5) ** 3)


def exact_contexts(graph: Graph, node: int, length: int, window: int, reduced: bool) -> np.ndarray:
    """float64 (N,), sums to 1: how often each node is a context of this one, over first-order walks from every node.

    A walk at i goes to j with P_ij = w_ij / d_i. With m_r(i) the expected number of places of one walk at i that still
    have r steps before them, node c is met r steps after the centre v m_r(v) (P^r)_vc times, and r steps before it
    m_r(c) (P^r)_cv times. reduced: word2vec draws each centre's window from 1 … window, which leaves a lag r with
    the share (window - r + 1) / window. Only vectors are multiplied: O(window · edges + length · edges).
    """
    strength = np.where(graph.strength > 0, graph.strength, 1.0)
    share = graph.data / strength[graph.row]

    def onwards(mass: np.ndarray) -> np.ndarray:  # mass P
        return np.bincount(graph.indices, weights=mass[graph.row] * share, minlength=graph.count)

    def back(values: np.ndarray) -> np.ndarray:  # P values
        return np.bincount(graph.row, weights=share * values[graph.indices], minlength=graph.count)

    places = [np.ones(graph.count)]
    for _ in range(length - 1):
        places.append(onwards(places[-1]))
    ahead = np.cumsum(places, axis=0)  # ahead[k]: expected visits among the first k + 1 places
    after = np.zeros(graph.count)
    after[node] = 1.0
    before = after.copy()
    found = np.zeros(graph.count)
    for lag in range(1, min(window, length - 1) + 1):
        after, before = onwards(after), back(before)
        mass = ahead[length - 1 - lag]
        weight = (window - lag + 1) / window if reduced else 1.0
        found += weight * (mass[node] * after + mass * before)
    total = found.sum()
    return found / total if total > 0 else found

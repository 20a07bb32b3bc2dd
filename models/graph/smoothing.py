"""Over-smoothing: how alike the nodes of a graph have become after so many layers. numpy only.

Li, Han and Wu, "Deeper Insights into Graph Convolutional Networks for Semi-Supervised Learning", AAAI 2018
(theorem 1: Â^k x ends in the span of D~^1/2 1 on a connected graph), and
Cai and Wang, "A Note on Over-Smoothing for Graph Neural Networks", 2020 (definition 3.1, the Dirichlet energy).
"""

from __future__ import annotations

import numpy as np


def mean_pairwise_distance(h: np.ndarray, unit: bool = False) -> float:
    """Mean of ||h_i - h_j|| over all pairs i < j; 0 for fewer than two nodes.

    h: (N, d). unit: rows are brought to length 1 first (a row of zeros stays), so that only directions count.
    """
    h = np.asarray(h, dtype=np.float64)
    if unit:
        length = np.linalg.norm(h, axis=1, keepdims=True)
        h = h / np.where(length > 0, length, 1)
    count = len(h)
    if count < 2:
        return 0.0
    h = h - h.mean(0)  # distances stay, rounding shrinks
    square = (h**2).sum(1)
    total = 0.0
    for start in range(0, count, 1024):  # a few rows of the (N, N) table at a time
        rows = slice(start, start + 1024)
        table = square[rows, None] + square[None, :] - 2 * h[rows] @ h.T
        at = np.arange(start, min(start + 1024, count))
        table[at - start, at] = 0
        total += np.sqrt(table.clip(min=0)).sum()
    return float(total / (count * (count - 1)))


def dirichlet_energy(
    h: np.ndarray, source: np.ndarray, target: np.ndarray, weight: np.ndarray, unit: bool = False
) -> float:
    """1/2 Σ over edges of w_ij ||h_i / sqrt(1 + d_i) - h_j / sqrt(1 + d_j)||², d_i = Σ_j w_ij.

    h: (N, d). source, target, weight: (E,), each edge from both ends. It is 0 where Â's powers end.
    unit: the whole of h is brought to length 1 first (zeros stay), so that its scale does not count: then 0 to 2.
    """
    h = np.asarray(h, dtype=np.float64)
    if unit:
        h = h / (np.linalg.norm(h) or 1.0)
    degree = np.bincount(target, weights=weight, minlength=len(h))
    scaled = h / np.sqrt(1 + degree)[:, None]
    return float(0.5 * (weight * ((scaled[source] - scaled[target]) ** 2).sum(1)).sum())

"""How good an embedding of a labelled graph is, in one number without a classifier. numpy only."""

from __future__ import annotations

import numpy as np


def same_label_auc(vectors: np.ndarray | None, labels: np.ndarray | None) -> float:
    """How often two nodes of one label have a larger cosine than two of different labels; 0.5 by chance."""
    assert vectors is not None and labels is not None
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    u, v = np.triu_indices(len(labels), 1)
    rank = (unit @ unit.T)[u, v].argsort().argsort() + 1
    same = labels[u] == labels[v]
    return float((rank[same].mean() - (same.sum() + 1) / 2) / (~same).sum())

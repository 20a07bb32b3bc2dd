"""What the five embedding methods have in common: the step that their trainings yield, and its pacing.

DeepWalk, LINE, node2vec, Struc2vec and SDNE are each a module with a frozen dataclass ``Config`` and a generator
``train(graph, config) -> Iterator[Step]``. The generator works for about 0.15 s at most between two steps and keeps
nothing outside itself: whoever consumes it may show each step, let another user's training take a turn, or stop
iterating, which is how a training is cancelled. The same graph and the same config give the same numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Step:
    """One report of a training.

    ``done`` of ``total`` counts in the method's own unit (pairs, edges, rows), never decreases, and the last step
    has ``done == total``. ``loss`` is the mean over the samples since the step before, None where none were
    trained. ``vectors`` is a copy of the embedding, float32 (N, dim): untrained in the first step, then at no more
    than ``config.snapshots`` evenly spaced moments, the last of them the end; None in between. ``epoch`` counts
    the passes over the data so far. ``context``, in the last step of the methods that have one, is their second
    table, float32: the context vectors (N, dim), or the inner nodes of hierarchical softmax (N - 1, dim). ``tables``,
    in the last step too, holds what else was learned, by name: each order's own vectors, or the weights of a net.
    """

    done: int
    total: int
    loss: float | None
    vectors: np.ndarray | None
    epoch: float = 0.0
    context: np.ndarray | None = None
    tables: Mapping[str, np.ndarray] | None = None


def snapshot_marks(total: int, snapshots: int) -> np.ndarray:
    """The values of ``done`` at which a training copies its vectors: int64, rising, 0 first and ``total`` last.

    Besides the untrained start there are at most ``snapshots`` moments, evenly spaced.
    """
    if total < 1 or snapshots < 1:
        raise ValueError(f"A training needs work and a snapshot at its end; got {total} and {snapshots}.")
    return np.unique(np.linspace(0, total, min(snapshots, total) + 1).round().astype(np.int64))


def require_range(name: str, value: float, low: float, high: float) -> None:
    """ValueError with a sentence unless ``low <= value <= high`` (a NaN is refused too)."""
    if not low <= value <= high:
        raise ValueError(f"{name} is {value:g}; it must be between {low:g} and {high:g}.")


def require_ranges(config: object, limits: Mapping[str, tuple[float, float]]) -> None:
    """`require_range` for each named field of a config."""
    for name, (low, high) in limits.items():
        require_range(name, getattr(config, name), low, high)

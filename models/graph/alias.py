"""Drawing from a discrete distribution in constant time: Walker's alias method, for many distributions at once.

Walker, "An Efficient Method for Generating Discrete Random Variables with General Distributions", ACM TOMS 1977.

A distribution over n things becomes n cells of equal width. Cell i is given to i up to the share `accept[i]`, and the
rest of it to `other[i]`: a draw takes a cell, then one of the two. The tables are filled by one sweep, written with
cumulative sums (after Hübschle-Schneider and Sanders, "Parallel Weighted Random Sampling", 2019, section 3.3): the
light things, one after the other, are filled up from the excess of the heavy ones; a heavy thing that has given more
than its excess becomes light by the last gift, and is filled up from the next heavy one. numpy only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Alias:
    """Alias tables of R distributions, one after the other as in the rows of a graph.

    indptr: int64 (R + 1,), row r holds the cells indptr[r]:indptr[r + 1]. accept: float64 (M,) in [0, 1].
    other: int64 (M,), a cell of the same row.
    """

    indptr: np.ndarray
    accept: np.ndarray
    other: np.ndarray

    @classmethod
    def of(cls, weights: np.ndarray) -> Alias:
        """The table of one distribution: (n,) weights, not negative, any sum above 0."""
        return cls.of_rows(np.array([0, len(weights)]), weights)

    @classmethod
    def of_rows(cls, indptr: np.ndarray, weights: np.ndarray) -> Alias:
        """The tables of all rows. weights: (M,), not negative and finite, each row that has cells with a sum above 0.

        Raises ValueError for other weights.
        """
        indptr, weights = np.asarray(indptr, dtype=np.int64), np.asarray(weights, dtype=np.float64)
        sizes = np.diff(indptr)
        row = np.repeat(np.arange(len(sizes)), sizes)
        sums = np.bincount(row, weights=weights, minlength=len(sizes))
        if not (np.isfinite(sums).all() and (weights >= 0).all() and (sums[sizes > 0] > 0).all()):
            raise ValueError("weights to draw by must be finite, not negative and not all 0")
        return cls(indptr, *_swept(weights * sizes[row] / sums[row], row))

    def draw(self, rng: np.random.Generator, size: int | tuple[int, ...]) -> np.ndarray:
        """int64 of shape `size`: things drawn from the first distribution."""
        return self.draw_rows(rng, np.zeros(size, dtype=np.int64))

    def draw_rows(self, rng: np.random.Generator, rows: np.ndarray) -> np.ndarray:
        """int64 like `rows`: for each row asked for, one of its cells, as a position in the arrays of all rows.

        Each row asked for must have cells.
        """
        sizes = self.indptr[rows + 1] - self.indptr[rows]
        place = rng.random(rows.shape) * sizes  # whole part: the cell; the rest: where in the cell
        inside = place.astype(np.int64)
        cell = self.indptr[rows] + inside
        return np.where(place - inside < self.accept[cell], cell, self.other[cell])

    def probabilities(self) -> np.ndarray:
        """float64 (M,): what the tables give to each thing; each row sums to 1."""
        sizes = np.repeat(np.diff(self.indptr), np.diff(self.indptr))
        given = np.bincount(self.other, weights=(1 - self.accept) / sizes, minlength=len(sizes))
        return self.accept / sizes + given


def _swept(scaled: np.ndarray, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """accept and other (M,) for weights scaled so that each row has the mean 1.

    Deficits and excesses of a row have the same sum, so that one cumulative sum serves all rows; its rounding, which
    could lead over a row's end, is cut off there.
    """
    accept, other = np.ones(len(scaled)), np.arange(len(scaled))
    if not len(scaled):
        return accept, other
    largest = np.maximum.reduceat(scaled, np.flatnonzero(np.diff(row, prepend=-1)))
    largest = np.repeat(largest, np.bincount(row)[np.unique(row)])
    is_heavy = (scaled >= 1) | (scaled == largest)  # rounding may leave a row of equal weights below its mean
    light, heavy = np.flatnonzero(~is_heavy), np.flatnonzero(is_heavy)
    if not len(light):
        return accept, other
    until, excess = np.cumsum(1 - scaled[light]), np.cumsum(np.maximum(scaled[heavy] - 1, 0))
    before = np.concatenate([[0.0], until[:-1]])  # what the light things ahead of each one have been given
    # light: from the first heavy thing of its row that is not exhausted
    starts = np.searchsorted(row[heavy], np.arange(row[-1] + 2))
    giver = np.searchsorted(excess, before, side="right")
    giver = np.clip(giver, starts[row[light]], starts[row[light] + 1] - 1)
    accept[light], other[light] = scaled[light], heavy[giver]
    # heavy, except the last of a row: its last gift may have led over its excess
    giving = np.flatnonzero(row[heavy][:-1] == row[heavy][1:])
    last = np.searchsorted(before, excess[giving], side="left") - 1
    gave = (last >= 0) & (row[light[last]] == row[heavy[giving]])
    accept[heavy[giving]] = 1 - np.clip(np.where(gave, until[last] - excess[giving], 0), 0, 1)
    other[heavy[giving]] = heavy[giving + 1]
    return accept, other

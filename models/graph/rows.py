"""Adding many rows into a table, some of them into the same place: the scatter of every embedding's gradient.

scipy.sparse, which scikit-learn needs anyway; `np.add.at` on rows takes about ten times as long.
"""

from __future__ import annotations

import numpy as np


def add_rows(
    table: np.ndarray,
    index: np.ndarray,
    factor: np.ndarray,
    rows: np.ndarray,
    row: np.ndarray | None = None,
) -> None:
    """table[index[m]] += factor[m] · rows[row[m]] for every m, in place; equal indices add up.

    table: float32 (N, d). index: int (M,). factor: float32 (M,). rows: float32 (R, d). row: int (M,); without it
    R = M and every row is used once, in order. No array of (M, d) is made: a sorted index is a sparse matrix of as
    many rows as there are different places.
    """
    from scipy.sparse import csr_array

    order = np.argsort(index, kind="stable")
    place = index[order]
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    matrix = csr_array(
        (factor[order], order if row is None else row[order], np.append(starts, len(order))),
        shape=(len(starts), len(rows)),
    )
    table[place[starts]] += matrix @ rows

"""Adding many rows into a table, some of them into the same place: the scatter of every embedding's gradient.

scipy.sparse, which scikit-learn needs anyway; `np.add.at` on rows takes about ten times as long.
"""

from __future__ import annotations

import numpy as np


def add_rows(table: np.ndarray, index: np.ndarray, factor: float, rows: np.ndarray) -> None:
    """table[index[m]] += factor · rows[m] for every m, in place; equal indices add up.

    table: float32 (N, d). index: int (M,). rows: float32 (M, d). A sorted index is a sparse matrix with as many rows
    as there are different places.
    """
    from scipy.sparse import csr_array

    short = (
        index.astype(np.uint16) if len(table) <= 1 << 16 else index
    )  # 16 bits are sorted by radix, in no time
    order = np.argsort(short, kind="stable")
    place = index[order]
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    factors = np.full(len(order), factor, rows.dtype)
    matrix = csr_array((factors, order, np.append(starts, len(order))), shape=(len(starts), len(rows)))
    table[place[starts]] += matrix @ rows

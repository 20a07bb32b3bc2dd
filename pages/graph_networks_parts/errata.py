"""The numbers behind the corrections of the study notes' section on graph networks, on the path 0 - 1 - 2.

Plain numpy, worked out while the page is drawn. The same facts are asserted for the models in the tests.
"""

from __future__ import annotations

import numpy as np

from models.graph.graph import Graph
from pages.graph_networks_parts.forward import Edges, degrees, gcn_edges, matrix, normalised

TESTS = {
    "E37": "test_E37_the_degree_counts_the_self_loop",
    "E38": "test_E38_all_nodes_change_at_once",
    "E39": "test_E39_the_whole_matrix_of_nodes_is_multiplied",
    "E40": "test_E40_the_normalisation_is_symmetric_and_not_by_rows",
}
TESTS_FILE = "tests/models/graph/test_nets.py"
FORMULAS = {
    "E37": r"\tilde A=A+I=\begin{pmatrix}1&1&0\\1&1&1\\0&1&1\end{pmatrix},\qquad \tilde D=\mathrm{diag}(2,3,2)",
    "E38": r"h_i^{(l+1)}=\sigma\Big(W_1^{(l)}h_i^{(l)}+\sum_{j\in\mathcal N(i)}W_2^{(l)}h_j^{(l)}\Big)",
    "E39": r"\begin{aligned}H'&=\sigma\big(\tilde D^{-\frac12}\tilde A\tilde D^{-\frac12}HW\big)\\"
    r"h_i'&=\sigma\Big(\sum_{j\in\mathcal N(i)\cup i}\frac{h_jW}{\sqrt{\tilde d_i\tilde d_j}}\Big)\end{aligned}",
    "E40": r"\tilde D^{-\frac12}\tilde A\tilde D^{-\frac12}\;\neq\;\tilde D^{-1}\tilde A",
}
PATH = Graph.of([0, 1], [1, 2])
X = np.array([1.0, 2.0, 3.0])


def written(values: np.ndarray, digits: int = 6) -> str:
    """(1.316497, 2.299660, 2.316497)"""
    return "(" + ", ".join(f"{value:.{digits}f}".rstrip("0").rstrip(".") for value in values) + ")"


def loops_counted() -> dict[str, str]:
    """E37: the degrees with and without the loop."""
    edges = Edges.of(PATH)
    return {"right": written(degrees(gcn_edges(edges))), "notes": written(degrees(edges))}


def at_once() -> dict[str, str]:
    """E38: h_i' = h_i + Σ_j h_j (all W = 1) of all nodes at once, and changed one after the other in place."""
    a = matrix(Edges.of(PATH), PATH.data)
    in_place = X.copy()
    for i in range(3):
        in_place[i] += a[i] @ in_place
    return {"right": written(X + a @ X), "notes": written(in_place)}


def whole_matrix() -> dict[str, str]:
    """E39: the layer with W = 1 and no σ, and the notes' line read as it stands, with h_i for H."""
    looped = gcn_edges(Edges.of(PATH))
    table = matrix(looped, normalised(looped))
    return {"right": written(table @ X), "notes": written(table.diagonal() * X)}


def symmetric() -> dict[str, str]:
    """E40: the symmetric form and the form by rows."""
    looped = gcn_edges(Edges.of(PATH))
    rows = matrix(looped, looped.weight / degrees(looped)[looped.target])
    return {"right": written(matrix(looped, normalised(looped)) @ X), "notes": written(rows @ X)}


NUMBERS = {"E37": loops_counted, "E38": at_once, "E39": whole_matrix, "E40": symmetric}

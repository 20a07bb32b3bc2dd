"""The numbers behind the corrections of the study notes' section on graph embeddings, worked out by our own methods.

Plain numpy, quick enough to be computed while the page is drawn. The same facts are asserted in the tests.
"""

from __future__ import annotations

import numpy as np

from models.graph import line, sdne
from models.graph.graph import Graph
from models.graph.samples import karate
from pages.graph_embeddings_parts.proximity import apart

DRAWS = 100_000  # of a distribution that is shown
FOLDER = "tests/models/graph"
TESTS = {
    "E30": ("test_line.py::test_E30_the_joint_probability_is_symmetric_and_for_undirected_graphs",),
    "E31": ("test_line.py::test_E31_the_conditional_probability_has_context_vectors_and_sums_to_one",),
    "E32": ("test_line.py::test_E32_the_weighted_divergence_is_the_log_likelihood_and_a_constant",),
    "E33": ("test_line.py::test_E33_negatives_and_edges_are_drawn_as_the_paper_says",),
    "E34": ("test_line.py::test_E34_parts_are_brought_to_length_one_before_they_are_joined",),
    "E35": ("test_sdne.py::test_E35_the_penalty_is_elementwise",),
    "E36": (
        "test_sdne.py::test_E36_the_first_order_term_is_twice_the_trace_with_the_laplacian",
        "test_sdne.py::test_E36_alpha_weighs_the_first_order_and_nu_the_weights",
    ),
}


def one_index() -> dict[str, float]:
    """E30: p1 of u_i = (1, 0) and u_j = (1, 1), both ways round; W of karate's weights."""
    u = np.array([[1.0, 0.0], [1.0, 1.0]], np.float32)
    there, back = line.joint_probability(u, u[::-1])
    graph = karate(weighted=True)
    return {"p": there, "back": back, "total": graph.weight.sum(), "edges": graph.edges}


def contexts() -> dict[str, float]:
    """E31: p2 over three contexts, its sum, and the sum of what the notes print."""
    u = np.array([1.0, 0.0], np.float32)
    context = np.array([[0.5, 0.0], [0.0, -1.0], [2.0, 0.0]], np.float32)
    p = line.conditional_probability(u, context)
    scores = context.astype(np.float64) @ u
    printed = np.exp(scores) / np.exp(-scores).sum()
    return {"a": p[0], "b": p[1], "c": p[2], "total": p.sum(), "printed": printed.sum()}


def divergence() -> dict[str, float]:
    """E32: sum of d_i KL(p^_2 || p_2) less the entropy that no embedding changes, and -sum w log p_2."""
    graph = Graph.of([0, 1, 0], [1, 2, 2], [1.0, 2.0, 3.0])
    rng = np.random.default_rng(0)
    vertex, context = rng.normal(size=(2, 3, 2)).astype(np.float32)
    p = line.conditional_probability(vertex, context)
    said = graph.adjacency() / graph.strength[:, None]
    weighted = sum(graph.strength[i] * apart(said[i], p[i]) for i in range(3))
    entropy = float((graph.data * np.log(said[graph.row, graph.indices])).sum())
    objective = line.second_order_objective(graph, vertex, context)
    return {"left": weighted - entropy, "right": objective, "apart": abs(weighted - entropy - objective)}


def negatives() -> dict[str, float]:
    """E33: O_1 of karate where all vectors are the same and ever longer; how far drawn negatives are from d^0.75."""
    graph = karate()
    same = np.ones((graph.count, 2), np.float32)
    short, long = (line.first_order_objective(graph, s * same) for s in (1.0, 4.0))
    chance = line.noise(graph)
    drawn = line.Alias.of(chance).draw(np.random.default_rng(0), DRAWS)
    share = np.bincount(drawn, minlength=graph.count) / DRAWS
    power = graph.degree**0.75
    return {
        "short": short,
        "long": long,
        "apart": float(np.abs(share - power / power.sum()).max()),
        "largest": float(chance.max()),
        "flat": 1 / graph.count,
    }


def halves() -> dict[str, float]:
    """E34: lengths of a half and of both together; the weight of a second-hop edge over a node with two neighbours."""
    vectors = np.random.default_rng(0).normal(size=(5, 8)).astype(np.float32)
    half = line.unit(vectors)
    both = np.concatenate([half, line.unit(vectors[:, ::-1])], 1)
    path = Graph.of([0, 1], [1, 2], [3.0, 1.0])
    hop = line.with_second_hop(path, 2)
    place = int(hop.position(np.array([0]), np.array([2]))[0])
    return {
        "half": float(np.linalg.norm(half, axis=1).mean()),
        "both": float(np.linalg.norm(both, axis=1).mean()),
        "before": float(np.linalg.norm(vectors, axis=1).std()),
        "hop": float(hop.data[place]),
    }


def hadamard() -> dict[str, float]:
    """E35: the reconstruction loss with the elementwise product, and with the matrix product that the notes print."""
    x, again = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[0.2, 0.6], [0.7, 0.1]])
    b = np.where(x > 0, 5.0, 1.0)
    pair = Graph.of([0], [1])
    right, _ = sdne.second_order(sdne.rows(pair), again.astype(np.float32), 5.0)
    return {"right": right, "notes": float((((again - x) @ b) ** 2).sum())}


def laplacian() -> dict[str, float]:
    """E36: the first-order sum over all pairs, and 2 tr(Y' L Y) as training has it, which divides s by its mean."""
    rng = np.random.default_rng(0)
    s = np.triu(rng.random((6, 6)), 1)
    s += s.T
    y = rng.normal(size=(6, 3)).astype(np.float32)
    pairs = float((s * ((y[:, None] - y[None]).astype(np.float64) ** 2).sum(-1)).sum())
    first, second = np.triu_indices(6, 1)
    graph = Graph.of(first, second, s[first, second])
    trace = graph.data.mean() * sdne.first_order(sdne.ties(graph), y)[0]
    return {"pairs": pairs, "trace": trace, "apart": abs(pairs - trace)}


NUMBERS = {
    "E30": one_index,
    "E31": contexts,
    "E32": divergence,
    "E33": negatives,
    "E34": halves,
    "E35": hadamard,
    "E36": laplacian,
}

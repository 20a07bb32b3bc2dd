"""The arithmetic behind the sections inside the embedding methods, against brute force and known numbers."""

from __future__ import annotations

import itertools
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from models.graph import line, skipgram, struc2vec
from models.graph.graph import Graph
from models.graph.samples import barbell, karate, orders
from pages.graph_embeddings_parts import claims, errata, proximity, structure, walks
from pages.graph_embeddings_parts.scene import latex_name

ROOT = Path(__file__).parents[3]


def connected(seed: int, count: int = 7) -> Graph:
    """A weighted graph in which every node has a neighbour."""
    rng = np.random.default_rng(seed)
    extra = rng.integers(count, size=(2, 6))
    extra = extra[:, extra[0] != extra[1]]
    source, target = np.concatenate([[np.arange(count - 1), np.arange(1, count)], extra], axis=1)
    return Graph.of(source, target, rng.random(len(source)) + 0.2)


# ---------------------------------------------------------------- walks


def test_distances_are_those_of_networkx():
    graph = karate()
    known = nx.single_source_shortest_path_length(nx.karate_club_graph(), 5)
    np.testing.assert_array_equal(walks.distances(graph, 5), [known[v] for v in range(34)])
    apart = Graph.of([0], [1], count=3)
    np.testing.assert_array_equal(walks.distances(apart, 0), [0, 1, walks.FAR])


def test_mean_distance_and_visits_of_walks_that_end():
    path = Graph.of([0, 1], [1, 2], directed=True)
    drawn = np.array([[0, 1, 2, -1], [0, 1, -1, -1]])
    np.testing.assert_allclose(walks.mean_distance(path, 0, drawn), [0, 1, 2, np.nan])
    np.testing.assert_allclose(walks.visits(path, drawn), [0, 2 / 3, 1 / 3])


def every_walk(graph: Graph, length: int) -> list[tuple[tuple[int, ...], float]]:
    """All walks of so many nodes from every node, with their probabilities (each start has 1)."""
    share = graph.adjacency() / graph.strength[:, None]
    found = []
    for nodes in itertools.product(range(graph.count), repeat=length):
        chance = float(np.prod([share[a, b] for a, b in itertools.pairwise(nodes)]))
        if chance:
            found.append((nodes, chance))
    return found


@pytest.mark.parametrize("reduced", [False, True])
def test_exact_contexts_are_those_of_all_walks(reduced: bool):
    graph, length, window = connected(0, 5), 5, 3
    counted = np.zeros(graph.count)
    for nodes, chance in every_walk(graph, length):
        for a, b in itertools.permutations(range(length), 2):
            lag = abs(a - b)
            if lag <= window and nodes[a] == 2:
                counted[nodes[b]] += chance * ((window - lag + 1) / window if reduced else 1)
    found = walks.exact_contexts(graph, 2, length, window, reduced)
    np.testing.assert_allclose(found, counted / counted.sum(), atol=1e-12)


def test_chi_square_bound_and_fit():
    for freedom, known in ((1, 10.828), (9, 27.877), (33, 63.870)):  # scipy.stats.chi2.ppf(0.999, freedom)
        assert walks.chi2_bound(freedom) == pytest.approx(known, rel=0.04)
    share = np.array([0.5, 0.3, 0.2])
    good = walks.fit(np.array([5030, 2980, 1990]), share)
    bad = walks.fit(np.array([5400, 2700, 1900]), share)
    assert good.fits and not bad.fits and good.freedom == 2
    assert bad.apart == pytest.approx(0.04) and good.draws == 10_000
    assert walks.fit(np.array([7]), np.array([1.0])).freedom == 0


# ---------------------------------------------------------------- proximity


def test_a_lesson_has_the_gradient_that_line_trains_with():
    rng = np.random.default_rng(1)
    u, contexts = rng.normal(size=4).astype(np.float32), rng.normal(size=(6, 4)).astype(np.float32)
    nodes = np.array([2, 5, 0, 5])
    found = proximity.lesson(u, contexts, nodes)
    down, _, _, loss = line.gradients(u[None, None], contexts[nodes[None, :1]], contexts[nodes[None, 1:]])
    assert found.loss == pytest.approx(float(loss[0, 0]), rel=1e-5)
    np.testing.assert_allclose(found.gradient, down[0, 0], atol=1e-5)
    np.testing.assert_allclose(found.gradient, -found.pull @ contexts[nodes], atol=1e-6)
    assert found.numeric == pytest.approx(float((found.gradient**2).sum()), rel=1e-6)


def test_ties_and_twins_of_the_graph_that_is_made_of_them():
    graph = orders(groups=3, size=4)
    side = np.asarray(graph.labels)
    same = np.eye(6)[side]  # a vector for each side: twins coincide, ties are at right angles
    found = proximity.kinds(graph, same)
    assert found.cosine_twins == pytest.approx(1.0) and found.cosine_tied == pytest.approx(0.0)
    assert found.twins == 6 * 6 and found.tied == graph.edges
    none = proximity.kinds(Graph.of([0], [1]), np.eye(2))
    assert none.twins == 0 and np.isnan(none.cosine_twins)


def test_probabilities_do_not_overflow():
    assert proximity.sigmoid(np.array([-1e4, 0, 1e4])).tolist() == [0, 0.5, 1]
    assert proximity.log_sigmoid(-1e4) == -1e4 and proximity.log_sigmoid(1e4) == 0
    assert proximity.softmax(np.array([1e4, 1e4])).tolist() == [0.5, 0.5]


# ---------------------------------------------------------------- the Huffman path


def test_the_turns_multiply_to_the_probability_of_the_leaf():
    from app.text import using
    from pages.graph_embeddings_parts.inside_skipgram import turns_of

    rng = np.random.default_rng(2)
    graph = barbell(4, 3)
    tree = skipgram.huffman(graph.degree)
    h, inner = rng.normal(size=5), rng.normal(size=(graph.count - 1, 5))
    chance = skipgram.path_probabilities(tree, h, inner)
    assert chance.sum() == pytest.approx(1)
    with using("en"):
        for leaf in range(graph.count):
            turns, _ = turns_of(tree, graph.degree, h, inner, leaf)
            assert np.prod([turn.probability for turn in turns]) == pytest.approx(chance[leaf])
            beyond = sum(int(turn.words.split(" ")[0]) for turn in turns)
            assert beyond == graph.count - 1, "every other leaf is left behind at exactly one turn"


# ---------------------------------------------------------------- structure


def test_rings_of_two_nodes_add_up_to_the_distances_of_the_training():
    graph = barbell(4, 3)
    config = struc2vec.Config(layers=5, opt2="off")
    found = structure.table_of(struc2vec.distances(graph, config), graph.count)
    for u, v in ((0, 1), (0, 5), (3, 7), (4, 6)):
        for level, f in zip(structure.levels(graph, u, v, 5, True), found[:, u, v], strict=False):
            assert level.f == pytest.approx(f)


def test_look_alikes_of_the_barbell_are_its_mirror_images():
    graph = barbell(5, 4)
    found = struc2vec.distances(graph, struc2vec.Config(layers=8, opt2="off"))
    table, depth = structure.table_of(found, graph.count), structure.depths(graph, 8)
    classes = structure.look_alikes(table, depth)
    labels = np.asarray(graph.labels)
    np.testing.assert_array_equal(classes[:, None] == classes, labels[:, None] == labels)
    assert classes[0] == 0, "the largest class is the cliques' own nodes"
    for node in (1, 6):  # of the clique's nodes, which are all alike, one at the other end
        other = structure.nearest(table, depth, walks.distances(graph, node), node)
        assert labels[other] == labels[node] and other >= graph.count // 2
    assert np.isfinite(structure.last(table)).all()


def test_heavy_edges_are_those_above_the_mean_of_their_layer():
    f = -np.log(np.array([[1, 0.5, 0.1], [0.5, 1, 0.3], [0.1, 0.3, 1]]))
    gamma, mean = structure.heavy(f, 0)
    assert gamma == 1 and mean == pytest.approx(0.3) and structure.heavy(f, 2)[0] == 0
    f[0, 1] = f[1, 0] = np.nan  # not joined on this floor
    gamma, mean = structure.heavy(f, 1)
    assert gamma == 1 and mean == pytest.approx(0.2)


def test_vectors_that_follow_the_classes_are_said_to():
    graph = barbell(4, 0)
    classes = np.array([0, 0, 0, 1, 1, 0, 0, 0])
    found = structure.alike(graph, np.eye(2)[classes].astype(np.float32), classes)
    assert found.same == pytest.approx(1)
    assert found.joined == pytest.approx(7 / 13) and found.everyone == pytest.approx(16 / 28)


# ---------------------------------------------------------------- errata


def test_the_numbers_of_the_notes():
    found = {name: of() for name, of in errata.NUMBERS.items()}
    assert found["E30"]["p"] == pytest.approx(0.731059, abs=1e-6) == found["E30"]["back"]
    assert found["E31"]["a"] == pytest.approx(0.16425, abs=1e-5)
    assert found["E31"]["total"] == pytest.approx(1) and abs(found["E31"]["printed"] - 1) > 0.1
    assert found["E32"]["apart"] < 1e-6
    assert found["E33"]["long"] < 1e-9 < found["E33"]["short"] and found["E33"]["apart"] < 0.005
    assert found["E34"]["both"] == pytest.approx(2**0.5) and found["E34"]["hop"] == pytest.approx(0.75)
    assert found["E35"]["right"] == pytest.approx(6.30) and found["E35"]["notes"] == pytest.approx(5.60)
    assert found["E36"]["apart"] < 1e-5 * found["E36"]["pairs"]


@pytest.mark.parametrize(("said", "names"), [*errata.TESTS.items(), *claims.TESTS.items()])
def test_the_tests_that_the_notes_name_are_there(said: str, names: tuple[str, ...]):
    for name in names:
        file, _, test = name.partition("::")
        assert f"def {test}(" in (ROOT / errata.FOLDER / file).read_text("utf-8")
        assert said in test


# ---------------------------------------------------------------- names in formulas


def test_a_name_in_a_formula_is_the_name():
    assert latex_name("Mr. Hi") == r"\text{Mr. Hi}" and latex_name("节点") == r"\text{节点}"
    assert latex_name("<b>a_b") == r"\text{\textless{}b\textgreater{}a\_b}"
    assert latex_name("$x^2\\}") == r"\text{\$x\textasciicircum{}2\textbackslash{}\}}"
    assert latex_name("verylongnodename1") != latex_name("verylongnodename2")
    assert "…" in latex_name("verylongnodename1") and latex_name("\n") == r"\text{·}"

"""What the graph networks page computes by itself: matrices, averaging, samples, errata, figures. No network needed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from app.figures.graph_networks import Sender, Strip, hearing, shares, spaced, strips
from models.graph.graph import Graph
from models.graph.samples import barbell, karate
from pages.graph_networks_parts.errata import FORMULAS, NUMBERS, TESTS, TESTS_FILE
from pages.graph_networks_parts.forward import (
    Edges,
    degrees,
    gcn_edges,
    matrix,
    normalised,
    softmax_at,
    sum_at,
)
from pages.graph_networks_parts.rounds import tex
from pages.graph_networks_parts.sampling import draw, hops_of
from pages.graph_networks_parts.scores import spread
from pages.graph_networks_parts.smoothing import limit_of, powers

ROOT = Path(__file__).parents[3]


def edges_of(graph: Graph) -> Edges:
    return Edges.of(graph)


def test_the_matrix_on_edges_is_the_dense_one() -> None:
    graph = karate(weighted=True)
    looped = gcn_edges(edges_of(graph))
    a = graph.adjacency() + np.eye(34)
    root = np.diag(a.sum(1) ** -0.5)
    assert np.allclose(matrix(looped, normalised(looped)), root @ a @ root)
    assert np.allclose(degrees(looped), a.sum(1))
    top = np.linalg.eigvalsh(root @ a @ root)
    assert top[-1] == pytest.approx(1) and abs(top[0]) < 1


def test_powers_end_in_the_direction_of_the_roots_of_the_degrees() -> None:
    """Li, Han and Wu 2018, theorem 1."""
    edges = edges_of(karate())
    signal = np.random.default_rng(0).normal(size=(34, 3))
    steps = powers(edges, signal, 300)
    looped = gcn_edges(edges)
    dense = matrix(looped, normalised(looped))
    assert np.allclose(steps[2], dense @ dense @ signal)
    assert np.allclose(steps[-1], limit_of(edges, signal), atol=1e-8)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(-3, 3, width=32)), max_size=20))
def test_sums_and_shares_at_targets_are_those_of_a_loop(rows: list[tuple[int, int, float]]) -> None:
    target = np.array([row[1] for row in rows], np.int64)
    values = np.array([[row[2], 1.0] for row in rows], np.float64).reshape(-1, 2)
    total = sum_at(values, target, 6)
    for node in range(6):
        assert np.allclose(total[node], values[target == node].sum(0))
    share = softmax_at(values, target, 6)
    assert np.allclose(sum_at(share, target, 6)[np.unique(target)], 1)


@pytest.mark.parametrize("fan", [1, 3, 25])
def test_a_sample_reads_at_most_so_many_neighbours_and_only_neighbours(fan: int) -> None:
    graph = karate()
    drawn = draw(graph, 0, fan, 2, seed=4)
    hops = hops_of(drawn)
    assert hops[0] == 0 and max(hops.values()) <= 2
    assert drawn.nodes[0] == 0 and len(hops) == len(set(drawn.nodes.tolist()))
    for hop in drawn.hops:
        counts = np.bincount(hop.target, minlength=hop.count)
        assert (counts <= fan).all()
        assert graph.has_edge(drawn.nodes[hop.target], drawn.nodes[hop.source]).all()
    first = {v for v, hop in hops.items() if hop == 1}
    assert first <= set(graph.neighbours(0).tolist()) and len(first) == min(fan, 16)
    other = draw(graph, 0, fan, 2, seed=5)
    assert fan == 25 or not np.array_equal(np.sort(other.nodes), np.sort(drawn.nodes))


def test_a_directed_sample_reads_what_arrives() -> None:
    graph = Graph.of([0, 1], [1, 2], directed=True)
    assert hops_of(draw(graph, 2, 5, 2, 0)) == {2: 0, 1: 1, 0: 2}
    assert hops_of(draw(graph, 0, 5, 2, 0)) == {0: 0}


def test_the_numbers_of_the_errata() -> None:
    """As ERRATA's own: E37 (2, 3, 2), E39 and E40 by Kipf and Welling's formula."""
    numbers = {erratum: found() for erratum, found in NUMBERS.items()}
    assert numbers["E37"] == {"right": "(2, 3, 2)", "notes": "(1, 2, 1)"}
    assert numbers["E38"] == {"right": "(3, 6, 5)", "notes": "(3, 8, 11)"}
    assert numbers["E39"]["right"] == numbers["E40"]["right"] == "(1.316497, 2.29966, 2.316497)"
    assert numbers["E40"]["notes"] == "(1.5, 2, 2.5)"
    text = (ROOT / TESTS_FILE).read_text("utf-8")
    assert NUMBERS.keys() == TESTS.keys() == FORMULAS.keys()
    assert all(f"def {name}(" in text for name in TESTS.values())


def test_strips_have_one_cell_a_channel_and_can_be_clicked() -> None:
    rows = [Strip("a <b>", "0.5", np.array([1.0, -1.0]), "s3"), Strip("sum", "", np.zeros(2), apart=True)]
    svg = strips(rows, title="t", column="channel", channels=[4, 7], chosen=7, picked="s3")
    assert re.findall(r'data-id="(\w+)"', svg) == ["s3", "c4", "c7"]
    assert "a &lt;b&gt;" in svg and "<b>" not in svg
    assert svg.count("<title>") == 2 + 4  # each label, each cell
    with pytest.raises(ValueError, match="one value for each channel"):
        strips(rows, title="t", column="channel", channels=[1, 2, 3], chosen=1)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-3.1, 3.1), min_size=1, max_size=16))
def test_senders_stand_apart_in_the_order_of_their_directions(angles: list[float]) -> None:
    given_ = np.array(angles)
    slots = spaced(given_)
    order = np.argsort(given_, kind="stable")
    steps = np.diff(slots[order])
    assert np.allclose(steps, 2 * np.pi / len(angles))


def test_a_node_and_those_it_hears() -> None:
    colour = np.array([0, 114, 178], np.uint8)
    senders = [Sender(v, f"<n{v}>", f"0.{v}", v / 4, colour, float(v)) for v in range(1, 4)]
    me = Sender(0, "me", "", 0.0, colour)
    svg = hearing(me, senders, Sender(0, "me", "0.9", 1.0, colour), title="t", picked=2)
    assert re.findall(r'data-id="(\d+)"', svg) == ["1", "2", "3"]
    assert "&lt;n1&gt;" in svg and "<n1>" not in svg and "0.9" in svg
    assert "0.9" not in hearing(me, [], None, title="t")


def test_a_surer_belief_has_more_colour() -> None:
    colours = np.array([[0, 114, 178]] * 2, np.uint8)
    weak, strong = shares(colours, np.array([0.0, 1.0])).astype(int)
    assert np.abs(strong - [0, 114, 178]).max() <= 1 and (weak > strong).all()


def test_names_of_nodes_are_harmless_in_formulas() -> None:
    assert tex(r"\frac{1}$x_2") == r"\text{frac1x\_2}"
    assert tex("{}") == r"\text{?}"
    assert tex("冉阿让") == r"\text{冉阿让}"


def test_spread_is_mean_and_deviation_in_per_cent() -> None:
    assert spread(np.array([0.9, 1.0])) == "95.0 ± 7.1"
    assert spread(np.array([0.5])) == "50.0 ± 0.0"


def test_the_barbell_takes_long_to_forget() -> None:
    """Two cliques and a path between them: averaging hardly crosses it."""
    one = np.zeros((30, 1))
    one[0] = 1
    assert powers(edges_of(barbell()), one, 5)[-1, 20:].sum() == 0

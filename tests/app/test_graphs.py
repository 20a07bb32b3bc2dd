"""Graph files: every form gives the graph it was written from, and everything else a sentence."""

from __future__ import annotations

import io
import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings as hypothesis_settings, strategies as st

from app.graphs import BadGraph, labelled, read, with_node_table
from app.text import catalogue
from models.graph.graph import Graph
from models.graph.samples import karate
from tests.hostile_graphs import hostile_graphs

CASES = hostile_graphs()


@pytest.mark.parametrize(("name", "data", "expected"), CASES, ids=[name for name, *_ in CASES])
def test_hostile_file(name, data, expected):
    if expected.refused:
        with pytest.raises(BadGraph) as caught:
            read(data)
        assert caught.value.reason == expected.refused
        for language in ("en", "zh"):
            assert catalogue(language)[caught.value.reason].format_map(caught.value.details)
        return
    found = read(data)
    graph = found.graph
    assert (graph.count, graph.edges, graph.directed) == (expected.nodes, expected.edges, expected.directed)
    assert {note.id for note in found.notes} == set(expected.notes)
    for note in found.notes:
        for language in ("en", "zh"):
            assert catalogue(language)[note.id].format_map(note.details)


@hypothesis_settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda text: text.encode("utf-8", "replace")),
        st.text("ab01,;\t \n\"'.-#<>/={}[]:e", max_size=120).map(str.encode),
        st.sampled_from([data for _, data, _ in CASES if len(data) < 2000]).flatmap(
            lambda data: st.tuples(st.integers(0, max(0, len(data) - 1)), st.binary(max_size=3)).map(
                lambda cut: data[: cut[0]] + cut[1] + data[cut[0] + 1 :]
            )
        ),
    )
)
def test_any_bytes_are_a_graph_or_a_sentence(data):
    try:
        graph = read(data).graph
    except BadGraph as error:
        assert catalogue("en")[error.reason].format_map(error.details)
    else:
        assert graph.count >= 2 and graph.edges >= 1 and np.all(graph.weight > 0)


names = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=6)
graphs = st.lists(names, min_size=2, max_size=7, unique=True).flatmap(
    lambda chosen: st.tuples(
        st.just(chosen),
        st.lists(
            st.tuples(st.sampled_from(chosen), st.sampled_from(chosen), st.sampled_from([0.5, 1.0, 2.25])),
            min_size=1,
            max_size=14,
            unique_by=lambda edge: frozenset(edge[:2]),
        ).filter(lambda edges: any(u != v for u, v, _ in edges)),
        st.booleans(),
    )
)


def as_networkx(case):
    chosen, edges, directed = case
    graph = nx.DiGraph() if directed else nx.Graph()
    graph.add_nodes_from(chosen, kind="x")
    graph.add_weighted_edges_from(edges)
    return graph


def as_dict(graph: Graph):
    return {
        (graph.names[u], graph.names[v]) if graph.directed else frozenset((graph.names[u], graph.names[v])): w
        for u, v, w in zip(graph.source, graph.target, graph.weight, strict=True)
    }


def expected_dict(graph):
    return {(u, v) if graph.is_directed() else frozenset((u, v)): w for u, v, w in graph.edges(data="weight")}


def graphml(graph):
    return "\n".join(nx.generate_graphml(graph)).encode()


def gexf(graph):
    return "\n".join(nx.generate_gexf(graph)).encode()


def node_link(graph):
    return json.dumps(nx.node_link_data(graph, edges="links")).encode()


@hypothesis_settings(max_examples=25, deadline=None)
@given(graphs, st.sampled_from([graphml, gexf, node_link]))
def test_what_networkx_writes_comes_back(case, write):
    original = as_networkx(case)
    found = read(write(original)).graph
    assert found.directed == original.is_directed()
    assert set(found.names) == set(original)
    assert as_dict(found) == expected_dict(original)


@hypothesis_settings(max_examples=25, deadline=None)
@given(graphs, st.sampled_from(",;\t"), st.booleans())
def test_edge_lists_come_back(case, mark, header):
    _, edges, directed = case
    lines = [mark.join(("source", "target", "weight"))] * header + [
        mark.join(map(str, edge)) for edge in edges
    ]
    original = as_networkx((sorted({v for u, w, _ in edges for v in (u, w)}), edges, directed))
    if not header and (len(edges) in (1, 3) or any(u in "sourcetargetfromtoweightw" for u, *_ in edges)):
        return  # a header or a small matrix could be meant
    found = read("\n".join(lines).encode(), directed=directed).graph
    assert as_dict(found) == expected_dict(original)


@hypothesis_settings(max_examples=25, deadline=None)
@given(graphs)
def test_named_matrices_come_back(case):
    original = as_networkx(case)
    order = list(original)
    if len(order) < 3:
        return
    matrix = nx.to_numpy_array(original, nodelist=order)
    lines = [",".join(["", *order])]
    lines += [",".join([name, *map(str, row)]) for name, row in zip(order, matrix, strict=True)]
    found = read("\n".join(lines).encode(), directed=original.is_directed()).graph
    assert found.names == tuple(order)
    assert as_dict(found) == expected_dict(original)


def test_labels_from_attributes_columns_and_tables():
    zachary = nx.karate_club_graph()
    found = read(graphml(zachary))
    assert found.label == "club"
    ours = karate()
    assert [found.graph.label_names[c] for c in found.graph.labels] == [
        ours.label_names[c] for c in ours.labels
    ]
    assert labelled(found, "").graph.labels is None

    columns = read(b"source,target,source_team,target_team\na,b,red,blue\nb,c,blue,red\n")
    assert columns.graph.label_names == ("blue", "red") and columns.graph.labels.tolist() == [1, 0, 1]

    table = b"node,score,colour\na,1,x\nb,2,y\nz,3,x\n"
    with_table = with_node_table(read(b"a,b\nb,c\n"), table)
    assert with_table.graph.label_names == ("1", "2") and with_table.graph.labels.tolist() == [0, 1, -1]
    assert labelled(with_table, "colour").graph.label_names == ("x", "y")
    assert "graph.note.table_unknown" in {note.id for note in with_table.notes}
    with pytest.raises(BadGraph, match="graph.table.nothing"):
        with_node_table(read(b"a,b\nb,c\n"), b"node,colour\nq,x\nr,y\n")

    matrix = read(b"n,a,b,c,team\na,0,1,0,x\nb,1,0,1,y\nc,0,1,0,x\n")
    assert matrix.kind == "matrix" and matrix.graph.label_names == ("x", "y")
    defaults = read(CASES[[name for name, *_ in CASES].index("plain.graphml")][1])
    assert defaults.graph.label_names == ("blue", "red") and defaults.graph.labels.tolist() == [1, 0, 1]
    assert defaults.graph.weight.tolist() == [2.5, 1.0]


def test_names_are_what_the_file_calls_them():
    assert read(CASES[[name for name, *_ in CASES].index("plain.gexf")][1]).graph.names == ("Ann", "Bo", "Cy")


def test_numbers_sort_as_numbers():
    table = "node,group\n" + "\n".join(f"{v},{v % 11}" for v in range(22))
    graph = with_node_table(read("\n".join(f"{v},{v + 1}" for v in range(21)).encode()), table.encode()).graph
    assert graph.label_names == tuple(map(str, range(11)))


@pytest.mark.parametrize(
    ("variable", "reason"),
    [
        ("VITRINE_MAX_GRAPH_EDGES", "graph.too_many_edges"),
        ("VITRINE_MAX_GRAPH_NODES", "graph.too_many_nodes"),
        ("VITRINE_MAX_UPLOAD_MB", "graph.too_many_bytes"),
    ],
)
def test_limits_come_from_the_environment(monkeypatch, variable, reason):
    path = "\n".join(f"{v},{v + 1}" for v in range(100))
    both_ways = path + "\n" + "\n".join(f"{v + 1},{v}" for v in range(100))
    monkeypatch.setenv("VITRINE_MAX_GRAPH_EDGES", "100")
    assert read(both_ways.encode()).graph.edges == 100
    monkeypatch.setenv(variable, "0.0001" if variable.endswith("MB") else "50")
    for data in (path.encode(), graphml(nx.path_graph(101)), node_link(nx.path_graph(101))):
        with pytest.raises(BadGraph) as caught:
            read(data)
        assert caught.value.reason == reason


@pytest.mark.slow
def test_a_hundred_thousand_edges():
    rng = np.random.default_rng(0)
    ends = rng.integers(20_000, size=(100_000, 2))
    buffer = io.StringIO()
    np.savetxt(buffer, ends, fmt="%d", delimiter=",")
    graph = read(buffer.getvalue().encode()).graph
    assert graph.edges == len({tuple(sorted(pair)) for pair in ends.tolist()})

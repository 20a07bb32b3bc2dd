"""The graph: a sample at once, sliders, a refused file changes nothing, a link asks for its file, nodes are picked."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.text import t
from app.widgets import graph_view
from app.widgets.graph_input import ALL, GRAPHS, SHA, slider_param
from models.graph import samples
from models.graph.graph import Graph


def page() -> None:
    import streamlit as st

    from app.widgets import graph_input, graph_view, state

    state.enter("try")
    for name in ("bytes", "table"):
        if name in st.session_state:
            data = st.session_state.pop(name)
            if name == "bytes":
                graph_input._take("in", data, "my *file*.csv")
            else:
                brought = graph_input.GRAPHS.get(state.user_token(), state.get(graph_input.OWN))
                assert brought is not None
                graph_input._take_table("in", brought, data)
    source = graph_input.graph_input("in")
    place = graph_view.places(source.graph)
    if place is not None:
        words = [source.label_of(v) for v in range(source.graph.count)]
        node = graph_view.graph_view(source.graph, "drawn", words=words, label_names=source.label_names)
        st.markdown(f"picked {node}")
    g = source.graph
    st.markdown(
        f"now {source.sample_id} {g.count} {g.edges} {g.directed} {'/'.join(source.label_names) or '-'}"
    )


def start(**query: str) -> AppTest:
    app = AppTest.from_function(page, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def bring(app: AppTest, data: bytes, name: str = "bytes") -> AppTest:
    app.session_state[name] = data
    return app.run()


def now(app: AppTest) -> list[str]:
    assert not app.exception
    return next(m.value for m in app.markdown if m.value.startswith("now")).split(" ", 5)[1:]


def test_every_sample_in_one_visit():
    app = start()
    assert now(app)[:3] == ["karate", "34", "78"] and "graph" not in app.query_params
    for name in ALL:
        app.button_group[0].set_value(name).run()
        assert now(app)[0] == name and int(now(app)[1]) == samples.build(name).count
        assert any(t(f"graph_input.sample.{name}.about") == c.value for c in app.caption)


def test_labels_are_in_the_language_of_the_page():
    assert now(start(graph="barbell"))[4].startswith("clique/gate/path 1")
    assert now(start(graph="barbell", lang="zh"))[4].startswith("团/出口/路径 1")


def test_sliders_change_the_graph_and_stand_in_the_link():
    app = start(graph="grid", grid_rows="3")
    assert now(app)[1] == str(3 * 8)
    app.slider[1].set_value(5).run()
    assert now(app)[1] == "15" and app.query_params["grid_columns"] == "5"
    assert now(start(graph="grid", grid_rows="1e99"))[1] == "64"


def test_a_generator_may_not_exceed_the_limit(monkeypatch):
    monkeypatch.setenv("VITRINE_MAX_GRAPH_EDGES", "500")
    app = start(graph="sbm")
    before = now(app)
    app.slider[1].set_value(1000).run()
    assert app.warning and now(app) == before, "the last graph stays"


def test_ones_own_graph_and_a_refused_one():
    app = bring(start(), b"source,target\na,b\nb,c\na,b\n")
    mine = now(app)
    assert mine[:4] == ["None", "3", "2", "False"] and len(app.query_params["graph_sha"]) == SHA
    assert app.button_group[0].value is None, "no sample is lit beside it"
    bring(app, b"a,b,1\nb,c,much\nc,a,2\n")
    assert now(app) == mine
    assert app.error[0].value == t("graph.bad_weight_in_line", value="much", line="2")
    app.toggle[0].set_value(True).run()
    assert now(app)[3] == "True" and app.query_params["directed"] == "1"
    bring(app, b"node,kind\na,x\nb,y\nc,x\n", "table")
    assert now(app)[4] == "x/y" and now(app)[3] == "True"
    app.toggle[0].set_value(False).run()
    assert now(app)[3:] == ["False", "x/y"]
    app.button_group[0].set_value("davis").run()
    assert now(app)[0] == "davis" and "graph_sha" not in app.query_params
    assert app.button_group[0].value == "davis"


def test_labels_are_chosen_from_the_attributes():
    graph = nx.karate_club_graph()
    nx.set_node_attributes(graph, {v: v % 3 for v in graph}, "third")
    app = bring(start(), "\n".join(nx.generate_graphml(graph)).encode())
    assert now(app)[4] == "Mr. Hi/Officer" and not app.toggle
    app.selectbox[0].set_value("third").run()
    assert now(app)[4] == "0/1/2"
    app.selectbox[0].set_value("").run()
    assert now(app)[4] == "-"


def test_a_link_asks_for_its_file_and_knows_it():
    data = b"a,b\nb,c\nc,d\n"
    first = bring(start(), data)
    sha = first.query_params["graph_sha"]
    sha = sha[0] if isinstance(sha, list) else sha
    GRAPHS._items.clear()  # every AppTest has the same session id
    app = start(graph_sha=sha, directed="1")
    assert now(app)[0] == "karate" and app.info[0].value == t("graph_input.link.ask", sha=sha)
    bring(app, data)
    assert now(app)[:4] == ["None", "4", "3", "True"] and not app.info and not app.warning
    GRAPHS._items.clear()
    app = start(graph_sha=sha)
    bring(app, b"a,b\n")
    assert app.warning and now(app)[1] == "2"
    app = start(graph_sha="0" * SHA)
    app.button(key="in.without").click().run()
    assert not app.info and "graph_sha" not in app.query_params


def test_a_picked_node_comes_from_the_link_and_must_be_there():
    def picked(app):
        return next(m.value for m in app.markdown if m.value.startswith("picked"))

    assert picked(start(node="7")) == "picked 7"
    assert picked(start(node="34")) == "picked None"
    assert picked(start(node="-1")) == "picked None"


def test_a_large_graph_is_arranged_in_the_background(monkeypatch):
    monkeypatch.setattr(graph_view, "AT_ONCE", 50)
    monkeypatch.setattr(graph_view.drawn, "SVG_NODES", 50)
    graph_view._places.clear()
    app = start(graph="lfr")
    for _ in range(100):
        if any(m.value.startswith("picked") for m in app.markdown):
            break
        app.run()
    assert now(app)[0] == "lfr" and any(m.value.startswith("picked") for m in app.markdown)


def test_places_are_cached_and_bounded(monkeypatch):
    monkeypatch.setattr(graph_view, "CACHED", 34 * 8 * 2)
    graph_view._places.clear()
    graphs = [samples.karate(), samples.miserables(), Graph.of(np.arange(9), np.arange(1, 10))]
    for graph in graphs:
        graph_view.places(graph)
    assert graph_view.places(graphs[2]) is graph_view.places(graphs[2])
    assert graphs[0].key not in graph_view._places


@pytest.mark.parametrize("name", [name for name in ALL if samples.SAMPLES[name].parameters])
def test_a_link_restores_every_parameter(name):
    for parameter in samples.SAMPLES[name].parameters:
        param = slider_param(name, parameter)
        for value in (parameter.low, parameter.default, parameter.high):
            assert param.parse(param.format(value)) == value
        with pytest.raises(ValueError):
            param.parse(str(parameter.high * 2 + 1))

"""Inside the embedding methods: every view renders in both languages, and what it says is recomputed here."""

from __future__ import annotations

import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app.engine.embed import Run
from app.text import LANGUAGES, t
from models.graph.graph import Graph
from models.registry import METHODS
from pages.graph_embeddings_parts import inside, inside_walks


def finished(method: str, graph: Graph, **settings: object) -> Run:
    """A short training of a method, as the page's engine keeps it."""
    from importlib import import_module

    from app.engine.embed import _Kept

    module = import_module(f"models.graph.{method}")
    config = module.Config(**settings)
    kept = _Kept()
    for step in module.train(graph, config):
        kept.add(step)
    return kept.run(method, config, 0.1)


def odd() -> Graph:
    """Directed and weighted, with a loop, a node that nothing leaves, one alone, and names that need care."""
    source, target = [0, 1, 2, 2, 3, 0, 1, 4], [1, 2, 0, 3, 4, 3, 0, 4]
    names = ["a_b*", "$x$", "<b>", "节点", "e" * 60, "f`", "alone"]
    return Graph.of(
        [*source, 3], [*target, 5], [1, 2, 0.5, 1, 3, 1, 0.1, 1, 1], count=7, names=names, directed=True
    )


def page() -> None:
    import streamlit as st

    from app.widgets import state
    from app.widgets.graph_input import Source
    from models.graph import samples
    from pages.graph_embeddings_parts.inside import inside
    from tests.app.pages.test_graph_embeddings_inside import finished, odd

    state.enter("try")
    method, sample = st.session_state["method"], st.session_state.get("sample", "karate")
    graph = odd() if sample == "odd" else samples.build(sample)
    source = Source(graph, sample, sample, graph.label_names)
    run = None
    if st.session_state.get("trained", True):
        if "run" not in st.session_state:
            st.session_state["run"] = finished(method, graph, **st.session_state.get("settings", {}))
        run = st.session_state["run"]
    inside(method, source, run)


def start(method: str, view: str, lang: str = "en", **held: object) -> AppTest:
    app = AppTest.from_function(page, default_timeout=60)
    app.query_params["lang"] = lang
    app.query_params["inside"] = view
    app.session_state["method"] = method
    if "node" in held:
        app.query_params["node"] = str(held.pop("node"))
    for name, value in held.items():
        app.session_state[name] = value
    return app.run()


SETTINGS: dict[str, dict[str, Any]] = {
    "line": {"dim": 16, "samples": 40_000, "snapshots": 2},
    "deepwalk": {"dim": 16, "walks": 4, "length": 20, "snapshots": 2},
    "node2vec": {"dim": 16, "walks": 4, "length": 20, "snapshots": 2, "p": 0.5, "q": 2.0},
    "sdne": {"dim": 8, "hidden": 16, "epochs": 40, "snapshots": 2},
    "struc2vec": {"dim": 16, "walks": 4, "length": 20, "snapshots": 2},
}
VIEWS = [(method, view) for method, views in inside.VIEWS.items() for view in views]


@pytest.mark.parametrize(("number", "method", "view"), [(k, *each) for k, each in enumerate(VIEWS)])
def test_every_view_renders_and_agrees_with_itself(number: int, method: str, view: str):
    """No exception, no missing sentence (under pytest that is one), and every comparison on it holds."""
    app = start(method, view, sorted(LANGUAGES)[number % 2], settings=SETTINGS[method])
    assert not app.exception
    said = [c.value for c in app.caption]
    assert app.markdown and not [words for words in said if words.startswith(":material/warning:")]


@pytest.mark.parametrize(("number", "method", "view"), [(k, *each) for k, each in enumerate(VIEWS)])
def test_every_view_renders_on_an_odd_graph(number: int, method: str, view: str):
    """With nodes that nothing leaves picked in turn, and no common ground for some of the arithmetic."""
    settings = SETTINGS[method] | ({"order": "second", "samples": 2000} if method == "line" else {})
    app = start(method, view, sorted(LANGUAGES)[number % 2], sample="odd", settings=settings, node=number % 7)
    assert not app.exception
    assert not [c.value for c in app.caption if c.value.startswith(":material/warning:")]


@pytest.mark.parametrize("method", inside.VIEWS)
def test_a_view_waits_for_the_training(method: str):
    view = list(inside.VIEWS[method])[-1]
    app = start(method, view, trained=False)
    assert not app.exception
    assert [i.value for i in app.info] == [t("embed_inside.not_yet")]


def test_what_a_large_graph_does_without_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside_walks, "MANY_EDGES", 77)  # one fewer than karate has
    app = start("deepwalk", "walk", trained=False)
    assert not app.exception
    assert [i.value for i in app.info] == [t("embed_inside.too_large.edges", limit="77")]
    assert t("embed_inside.far.title") not in [s.value for s in app.subheader]


# ---------------------------------------------------------------- evaluation, notes


def evaluated() -> None:
    import streamlit as st

    from app.widgets import state
    from app.widgets.graph_input import Source
    from models.graph import samples
    from pages.graph_embeddings_parts.inside import evaluation

    state.enter("try")
    graph = samples.build(st.session_state["sample"])
    source = Source(graph, "", None, graph.label_names)
    evaluation(source, "deepwalk", {"dim": 8, "walks": 2, "length": 10})


def evaluate(**query: str) -> AppTest:
    app = AppTest.from_function(evaluated, default_timeout=60)
    app.session_state["sample"] = query.pop("sample", "karate")
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def pressed(app: AppTest) -> AppTest:
    """The start button, and the result that follows it."""
    app.button[0].click().run()
    for _ in range(100):
        if app.dataframe or app.exception:
            return app
        time.sleep(0.2)
        app.run()
    raise AssertionError("no result")


@pytest.mark.parametrize(("task", "rows"), [("links", 5), ("labels", 2)])
def test_an_evaluation_shows_every_score_and_baseline(task: str, rows: int):
    app = evaluate(ev_task=task, ev_seeds="3", lang="zh" if task == "labels" else "en")
    assert not app.exception and not app.dataframe
    pressed(app)
    assert not app.exception
    table = app.dataframe[0].value
    assert len(table) == rows and table.shape[1] == 3 + 3, "mean, deviation and three seeds of each"


def test_what_cannot_be_evaluated_is_said():
    app = evaluate(sample="tree", ev_task="links")
    assert [i.value for i in app.info] == [t("embed_inside.evaluate.no_edges")] and not app.button
    app = evaluate(sample="line", ev_task="labels")
    assert [i.value for i in app.info] == [t("embed_inside.evaluate.no_labels")]


def noted() -> None:
    from app.widgets import state
    from pages.graph_embeddings_parts.inside import notes

    state.enter("try")
    notes()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_notes_name_every_erratum_and_paper(lang: str):
    app = AppTest.from_function(noted, default_timeout=60)
    app.query_params["lang"] = lang
    app.run()
    assert not app.exception
    said = "\n".join(m.value for m in app.markdown)
    assert all(f"**E{n}**" in said for n in range(30, 37))
    assert all(card.paper.title in said for card in METHODS.values()) and len(METHODS) == 5
    assert len(app.button) == 2, "both claims wait for a press"

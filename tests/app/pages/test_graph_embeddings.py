"""The page of graph embeddings: what stands there before any click, its choices, links, refusals, comparison, files."""

from __future__ import annotations

import io
import zipfile
from functools import partial

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from app.engine.base import finish
from app.engine.embed import train
from app.engine.embed_settings import knobs
from app.engine.film import film
from app.engine.layout import positions
from app.engine.project import procrustes, project
from app.text import t, using
from app.widgets.graph_input import Source
from models.graph.graph import Graph
from models.graph.nearest import asked, kept_neighbours, likeness
from models.graph.samples import build
from models.registry import METHODS
from pages.graph_embeddings_parts import compare, run, takeaway, view
from pages.graph_embeddings_parts.run import RUNS, Scene
from tests.app.pages.driver import opened, settled, visit, words

start = partial(opened, "graph_embeddings")


def choose(page: AppTest, kind: str, key: str, value: object) -> AppTest:
    next(w for w in page.get(kind) if w.key == f"graph_embeddings.{key}").set_value(value)
    return settled(page)


def compared(page: AppTest) -> bool:
    """Whether two clouds stand side by side."""
    return "vitrine.steps:embeddings.compare" in page.session_state


def address(page: AppTest) -> dict[str, str]:
    return {name: value[0] if isinstance(value, list) else value for name, value in page.query_params.items()}


# ---------------------------------------------------------------- the first look


def test_a_result_stands_before_any_click(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch)
    assert page.title[0].value == t("nav.graph_embeddings")
    assert not page.error
    said = words(page)
    assert METHODS["deepwalk"].paper.url in said
    assert t("graph_embeddings.near.hint") in said
    for header in ("result", "compare", "take"):
        assert t(f"graph_embeddings.{header}") in said
    assert not address(page), "defaults do not stand in the address"


def test_everything_comes_back_from_a_link_and_in_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    link = {"graph": "barbell", "barbell_path": "4", "method": "line", "dim": "16", "seed": "3"}
    link |= {
        "line_order": "second",
        "line_samples": "100000",
        "line_negatives": "7",
        "node": "2",
        "moment": "5",
    }
    link |= {
        "projection": "tsne",
        "colours": "degree",
        "lines": "0",
        "with": "deepwalk",
        "deepwalk_walks": "3",
    }
    with using("zh"):
        page = start(monkeypatch, lang="zh", **link)
        assert not page.error
        said = words(page)
        assert t("graph_embeddings.projection.tsne.says") in said
        graph = build("barbell", path=4)
        name = graph.names[2]
        assert t("graph_embeddings.near.title", name="§", moment="").split("§")[0] in said and name in said
        assert compared(page)
    found = [r for r in map(RUNS.get, list(page.session_state["embeddings.last"].values())) if r is not None]
    config = found[0].config
    assert (config.dim, config.seed, config.order, config.samples, config.negatives) == (
        16,
        3,
        "second",
        10**5,
        7,
    )
    here = address(page)
    for name, value in link.items():  # the link stays what it was
        assert here[name] == value


@pytest.mark.parametrize(
    "link",
    [
        {"method": "word2vec"},
        {"dim": "7"},
        {"dim": "100000"},
        {"seed": "-1"},
        {"deepwalk_walks": "x"},
        {"moment": "77777"},
        {"node": "99999"},
        {"projection": "lda"},
        {"with": "deepwalk"},
    ],
)
def test_what_a_link_cannot_have_is_the_default(
    monkeypatch: pytest.MonkeyPatch, link: dict[str, str]
) -> None:
    page = start(monkeypatch, **link)
    assert not page.error
    assert t("graph_embeddings.take") in words(page)


# ---------------------------------------------------------------- choices


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_trains_by_a_click(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    page = start(monkeypatch, dim="8")
    if method != "deepwalk":
        page = choose(page, "button_group", "method", method)
    if any(b.key == "embeddings.train.start" for b in page.button):
        next(b for b in page.button if b.key == "embeddings.train.start").click()
        page = settled(page)
    assert not page.error
    said = words(page)
    assert t(f"graph_embeddings.method.{method}") in said
    assert t("graph_embeddings.take") in said
    last = RUNS.get(page.session_state["embeddings.last"][build("karate").key])
    assert last is not None and last.method == method and last.vectors.shape[1:] == (34, 8)


def test_every_knob_has_its_words_and_a_widget(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, method="node2vec", dim="8", node2vec_walks="2")
    keys = {
        w.key for kind in ("slider", "select_slider", "number_input", "button_group") for w in page.get(kind)
    }
    for knob in knobs("node2vec"):
        assert f"graph_embeddings.{view.param_of('node2vec', knob).name}" in keys


def test_negatives_wait_until_they_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, dim="8", deepwalk_walks="2")

    def idle() -> bool:
        return bool(next(s for s in page.slider if s.key == "graph_embeddings.deepwalk_negatives").disabled)

    assert idle()
    page = choose(page, "button_group", "deepwalk_loss", "ns")
    assert not idle()


def test_another_graph_brings_its_own_training(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, dim="8", deepwalk_walks="2", node="33")
    page = choose(page, "button_group", "graph", "barbell")
    assert not page.error
    assert build("barbell").key in page.session_state["embeddings.last"]
    assert t("graph_embeddings.near.hint") in words(page), "node 33 is not there any more"


def test_a_large_graph_is_arranged_while_the_page_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    link = {
        "graph": "grid",
        "grid_rows": "50",
        "grid_columns": "40",
        "method": "line",
        "line_samples": "30000",
    }
    page = visit("graph_embeddings", monkeypatch, **(link | {"dim": "4"})).run()
    assert not page.error and not page.exception, "while it is arranged and trained"
    page = settled(page)
    assert not page.error and t("graph_embeddings.take") in words(page)
    assert t("graph_embeddings.kept.sampled", n=len(asked(2000))) in words(page)


def test_a_graph_without_labels_changes_nothing_of_the_colours_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = build("line")
    assert graph.labels is None
    least, most = int(graph.degree.min()), int(graph.degree.max())
    degree = t("graph_embeddings.colours.degree.says", least=least, most=most)
    page = start(monkeypatch, dim="8", graph="line", method="line", line_samples="30000")
    assert degree in words(page) and "colours" not in "".join(address(page))
    page = choose(page, "button_group", "graph", "karate")
    assert t("graph_embeddings.colours.unused") in words(page)
    assert t("graph_embeddings.colours.degree.says", least=1, most=17) not in words(page)
    assert "colours" not in "".join(address(page))


def test_colours_tell_every_small_degree_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "colour_now", lambda source: "degree")
    graph = Graph.of([0, 1, 2, 3], [1, 2, 0, 4], count=6)  # degrees 2, 2, 2, 1, 1, 0
    colours = view.colours_now(Source(graph, "", None, ()))
    assert len({tuple(colour) for colour in colours.tolist()}) == 3


def test_a_long_training_waits_for_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "AT_ONCE", 0.0)
    page = start(monkeypatch, dim="6", deepwalk_walks="2")
    said = words(page)
    assert t("graph_embeddings.untrained") in said
    assert t("graph_embeddings.estimate", time="§").split("§")[0] in said
    next(b for b in page.button if b.key == "embeddings.train.start").click()
    page = settled(page)
    assert t("graph_embeddings.take") in words(page)
    page = choose(page, "number_input", "seed", 5)
    assert t("graph_embeddings.before", method="DeepWalk") in words(page), "the result before stays"
    assert t("graph_embeddings.take") in words(page)


def test_a_method_that_cannot_take_the_graph_says_so_and_the_result_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(run.config_of.__globals__["MOST_NODES"], "sdne", 10)
    page = start(monkeypatch, dim="8", deepwalk_walks="2")
    page = choose(page, "button_group", "method", "sdne")
    limits = {"method": "SDNE", "nodes": "34", "most": "10"}
    assert [e.value for e in page.error] == [t("embed.many_nodes", **limits)]
    assert t("graph_embeddings.before", method="DeepWalk") in words(page)


def test_without_umap_pca_is_shown_and_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.engine.project.available", lambda: ("pca", "tsne"))
    page = start(monkeypatch, dim="8", deepwalk_walks="2", projection="umap")
    said = words(page)
    assert t("project.umap_missing") in said
    assert t("graph_embeddings.projection.pca.says", share="§", dim=8).split("§")[0] in said


@pytest.mark.parametrize("name", sorted(view.RECIPES))
def test_a_recipe_sets_up_a_view(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    page = start(monkeypatch, dim="8", node="3", moment="2", projection="tsne")
    next(b for b in page.button if b.key == f"embeddings.recipe.{name}").click()
    page = settled(page)
    assert not page.error
    recipe, here = view.RECIPES[name], address(page)
    assert here["graph"] == recipe.graph and here.get("method", "deepwalk") == recipe.method
    assert not {"node", "moment", "projection"} & set(here)
    assert here.get("with") == recipe.other
    assert compared(page) == (recipe.other is not None)


# ---------------------------------------------------------------- comparison


def test_the_same_method_with_another_seed_is_the_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, dim="8", deepwalk_walks="2", node="0")
    before = words(page)
    assert t("graph_embeddings.compare.seeds") not in before
    page = choose(page, "button_group", "with", "seed")
    said = words(page)
    assert t("graph_embeddings.compare.seeds") in said
    assert t("graph_embeddings.compare.other_seed", method="DeepWalk") in said


def test_the_two_orders_of_line_draw_other_nodes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the graph made for it: first order keeps neighbours, second order joins the sides that have no edges."""
    graph = build("orders")
    ends = {
        order: finish(train("line", graph, {"order": order, "dim": 16})).final
        for order in ("first", "second")
    }
    same_side = graph.labels[:, None] == graph.labels
    np.fill_diagonal(same_side, False)
    kept = {order: kept_neighbours(graph, v)[0] for order, v in ends.items()}
    alike = {order: likeness(v, np.arange(graph.count))[same_side].mean() for order, v in ends.items()}
    assert kept["first"] > kept["second"] + 0.2
    assert alike["second"] > 0.8


def test_a_cloud_is_turned_onto_the_other_as_a_whole() -> None:
    rng = np.random.default_rng(0)
    onto = rng.normal(size=(5, 20, 2)).astype(np.float32)
    angle = 2.0
    spin = np.array([[np.cos(angle), np.sin(angle)], [np.sin(angle), -np.cos(angle)]])  # with a reflection
    found = compare.turned((3 * onto @ spin).astype(np.float32), onto)
    assert np.allclose(found, 3 * (onto - 0), atol=1e-4), "turned back, neither scaled nor shifted"
    assert np.allclose(procrustes(found[-1], onto[-1] * 3), onto[-1] * 3, atol=1e-4)


# ---------------------------------------------------------------- files


@pytest.fixture(scope="module")
def scene() -> Scene:
    graph = build("davis")
    made = finish(train("deepwalk", graph, {"dim": 6, "walks": 2}))
    *_, last = project(made.vectors)
    assert last.result is not None
    source = Source(graph, "Southern women", "davis", ("woman", "event"))
    return Scene(source, positions(graph), "name", made, last.result, "pca")


def test_the_files_hold_the_trained_vectors(scene: Scene) -> None:
    embedding = takeaway.embedding_of(scene)
    data = np.load(
        io.BytesIO(takeaway.as_npz(embedding, scene.run.vectors, scene.run.epochs)), allow_pickle=False
    )
    assert np.array_equal(data["vectors"], scene.run.final) and np.array_equal(
        data["moments"], scene.run.vectors
    )
    assert '"method": "deepwalk"' in str(data["about"]) and '"walks": 2' in str(data["about"])
    assert b"Evelyn Jefferson,woman," in takeaway.as_csv(embedding)
    with zipfile.ZipFile(io.BytesIO(takeaway.as_projector(embedding))) as archive:
        assert len(archive.read("tensors.tsv").splitlines()) == scene.graph.count


def test_the_film_shows_every_moment_in_one_frame(scene: Scene) -> None:
    frames = takeaway.frames_of(scene, np.zeros((scene.graph.count, 3), np.uint8))
    assert frames.shape[0] == scene.run.moments and frames.dtype == np.uint8
    assert not np.array_equal(frames[0], frames[-1])
    with Image.open(io.BytesIO(film(frames, "GIF"))) as picture:
        assert picture.n_frames > 2  # type: ignore[attr-defined]

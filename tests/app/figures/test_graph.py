"""Drawings of graphs: well formed, every node once, marks on top, clicks found again."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from app.engine.layout import positions
from app.figures import graph as drawing
from app.figures.graph import Frame, Marks
from models.graph import samples
from models.graph.graph import Graph

SVG = "{http://www.w3.org/2000/svg}"


def parsed(graph, **options):
    text = drawing.svg(graph, positions(graph), title="a & b", **options)
    return ElementTree.fromstring(text.replace("var(--", "(--")), text


@pytest.mark.parametrize("name", samples.SAMPLES)
def test_every_node_can_be_clicked_once(name):
    graph = samples.build(name)
    root, text = parsed(graph)
    ids = [part.get("data-id") for part in root.iter(f"{SVG}g") if part.get("data-id")]
    assert sorted(map(int, ids)) == list(range(graph.count))
    assert len(text) < 200_000
    _, _, width, height = map(float, root.get("viewBox").split())
    for circle in root.iter(f"{SVG}circle"):
        assert 0 <= float(circle.get("cx")) <= width and 0 <= float(circle.get("cy")) <= height


def test_names_from_a_file_are_words_and_not_markup():
    graph = Graph.of([0, 1], [1, 2], names=['<script>"x"</script>', "&amp;", "a" * 400])
    root, text = parsed(graph, words=["</svg>", "", "c"])
    assert "<script>" not in text and root.get("aria-label") == "a & b"
    assert "a" * 200 not in text
    assert "<b>" not in drawing.legend(["<b>x"], drawing.class_colours(1))


def test_directed_edges_have_heads_and_loops_are_seen():
    root, _ = parsed(Graph.of([0, 1, 2], [1, 0, 2], [1, 5, 1], directed=True), pick=False)
    heads = [path for path in root.iter(f"{SVG}path") if path.get("stroke") == "none"]
    assert len(heads) == 1 and heads[0].get("d").count("Z") == 2
    hollow = [circle for circle in root.iter(f"{SVG}circle") if circle.get("class") != "box"]
    assert len(hollow) == 1
    assert root.get("role") == "img" and not any(part.get("data-id") for part in root.iter())


def test_marks_stand_on_top_and_the_rest_fades():
    graph = samples.karate()
    near = graph.neighbours(0).tolist()
    root, _ = parsed(
        graph, marks=Marks(chosen=0, near=near, spokes=dict.fromkeys(near, 0.5), notes={1: "0.25"})
    )
    order = [int(part.get("data-id")) for part in root.iter(f"{SVG}g") if part.get("data-id")]
    assert set(order[-1 - len(near) :]) == {0, *near}
    faded = [
        int(part.get("data-id"))
        for part in root.iter(f"{SVG}g")
        if part.get("data-id") and part.find(f"{SVG}circle").get("opacity")
    ]
    assert set(faded) == set(range(34)) - {0, *near}
    assert len(list(root.iter(f"{SVG}line"))) == len(near)
    assert "0.25" in [part.text for part in root.iter(f"{SVG}text")]


def test_a_walk_is_drawn_step_by_step():
    root, _ = parsed(samples.barbell(), marks=Marks(walk=[0, 1, 0, 9, 10]))
    assert len(list(root.iter(f"{SVG}line"))) == 4
    assert {"0", "1", "3", "4"} <= {part.text for part in root.iter(f"{SVG}text") if part.get("font-weight")}


def test_a_click_finds_its_node():
    graph = samples.lfr()
    place = positions(graph)
    frame = Frame.around(place, 640)
    for v in (0, 50, 199):
        assert drawing.nearest(place, frame, *frame.pixels(place)[v]) == v
    assert drawing.nearest(place, frame, -500, -500) is None


def test_a_picture_has_the_frame_s_size_and_samples_its_edges():
    graph = samples.sbm(blocks=4, size=300, inside=0.15, between=0.01)
    place = positions(graph)
    seen = drawing.picture(
        graph, place, marks=Marks(chosen=3, near=graph.neighbours(3).tolist(), walk=[3, 4])
    )
    frame = Frame.around(place, 900)
    assert seen.shape == (frame.height, frame.width, 3) and seen.dtype == np.uint8
    assert len(drawing.sampled_edges(graph, 500)) == 500
    assert len(np.unique(seen.reshape(-1, 3), axis=0)) > 50
    dark = drawing.picture(graph, place, dark=True)
    assert dark[0, 0].sum() < 100 < seen[0, 0].sum()


def test_colours_tell_classes_apart():
    colours = drawing.class_colours(30)
    assert len(np.unique(colours, axis=0)) == 30
    graph = samples.karate().with_labels(np.full(34, -1), [])
    assert np.all(drawing.node_colours(graph) == drawing.PLAIN)
    assert drawing.node_colours(graph, np.linspace(0, 1, 34)).shape == (34, 3)


def test_odd_shapes_have_a_frame():
    for graph in (Graph.of([], [], count=1), Graph.of([0], [1]), Graph.of([], [], count=4)):
        place = positions(graph)
        text = drawing.svg(graph, place, title="x")
        assert "nan" not in text and drawing.picture(graph, place).size
    assert np.allclose(drawing.fitted(np.zeros((3, 2))), 0.5)

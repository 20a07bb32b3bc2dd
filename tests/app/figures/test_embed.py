"""Drawings inside the embedding methods: well-formed, complete, and telling what they are given."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from app.figures import embed as draw
from app.figures.graph import class_colours
from models.graph.alias import Alias

NASTY = 'a<b>&"c"'


def parsed(svg: str) -> ElementTree.Element:
    """Raises where the text is no XML; the title is there for those who cannot see."""
    root = ElementTree.fromstring(svg)
    assert root.get("aria-label") == NASTY
    return root


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in parsed(svg).iter() if node.tag.endswith("}text")]


def test_a_walk_has_a_thing_to_click_for_every_place():
    svg = draw.walk_strip([NASTY] * 30, class_colours(30), title=NASTY, centre=3, window=2, width=360)
    assert re.findall(r'data-id="(\d+)"', svg) == [str(k) for k in range(30)]
    assert svg.count('opacity="0.35"') == 30 - 5 and svg.count('stroke-width="4"') == 1
    parsed(draw.walk_strip([], class_colours(0), title=NASTY))


def test_the_areas_of_an_alias_table_are_the_probabilities():
    share = np.array([0.5, 0.2, 0.2, 0.1])
    table = Alias.of(share)
    svg = draw.alias_table(
        table.accept, table.other, list("abcd"), class_colours(4), title=NASTY, dart=(1, 0.5)
    )
    area = dict.fromkeys("abcd", 0.0)
    for node in parsed(svg).iter():
        if node.tag.endswith("}rect"):
            name, part = str(node[0].text).split(": ")
            area[name] += float(part) / 4
    np.testing.assert_allclose(list(area.values()), share, atol=1e-3)


def test_a_path_down_a_tree_says_every_turn():
    turns = [draw.Turn("8", 1, 0.25, "3 nodes"), draw.Turn("5", 0, 0.75, NASTY)]
    for width in (340, 640):
        said = texts(draw.tree_path(turns, "leaf", title=NASTY, width=width))
        assert {"1: 0.2500", "0: 0.7500", "3 nodes", NASTY, "leaf"} <= set(said)


def test_a_deep_path_stays_on_the_page():
    turns = [draw.Turn(str(k), 1, 0.5, "") for k in range(40)]
    for bits in (1, 0):
        svg = draw.tree_path([draw.Turn(t.node, bits, 0.5, "") for t in turns], "x", title=NASTY, width=360)
        x = [float(v) for v in re.findall(r'cx="([-\d.]+)"', svg)]
        assert min(x) >= 0 and max(x) <= 360


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (3, 12), (18, 4), (40, 30)])
def test_a_warp_table_outlines_its_path(rows: int, columns: int):
    path = [(min(k, rows - 1), min(k, columns - 1)) for k in range(max(rows, columns))]
    cells = np.arange(rows * columns, dtype=float).reshape(rows, columns)
    svg = draw.warp_table(["1"] * rows, ["2"] * columns, cells, path, title=NASTY)
    assert svg.count('stroke-width="3"') == len(set(path))
    assert len([n for n in parsed(svg).iter() if n.tag.endswith("}rect")]) == rows * columns


def test_rows_of_cells_of_different_lengths():
    rows = [draw.Row("x", np.array([0.0, 1, 0])), draw.Row(NASTY, np.array([-1.0, 2]), "diverging")]
    svg = draw.rows_of_cells(rows, title=NASTY, names=["a", "b", "c"], chosen=1, pick=True)
    assert re.findall(r'data-id="(\d)"', svg) == ["0", "1", "2"]
    assert {"a", "b", "c"} <= set(texts(svg))


def test_seeds_say_mean_and_deviation():
    groups = [draw.Scores("ours", [0.5, 0.7]), draw.Scores(NASTY, [0.25], "faint"), draw.Scores("none", [])]
    said = texts(draw.seeds(groups, title=NASTY, axis="AUC", marked=0.5))
    assert "0.600 ± 0.141" in said and "0.250" in said and "AUC" in said


def test_a_walk_through_layers_keeps_to_them():
    svg = draw.layered_walk(list("abc"), [0, 1, 1], class_colours(3), title=NASTY, axis="step")
    y = [float(v) for v in re.findall(r'cy="([\d.]+)"', svg)]
    assert y[0] > y[1] == y[2]


def test_heat_goes_from_grey_to_orange():
    found = draw.heat(np.array([0.0, 0.5, 2.0, np.nan]), (0.0, 1.0)).astype(int)
    np.testing.assert_allclose(found[[0, 2]], [draw.COLD, draw.HOT], atol=1)
    assert (found[3] == found[0]).all() and found[0][0] < found[1][0] < found[2][0]
    assert (draw.heat(np.zeros(2), (0.0, 0.0)) == found[0]).all()

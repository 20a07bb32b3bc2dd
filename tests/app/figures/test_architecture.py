"""The drawing of the blocks: nothing overlaps, every edge is drawn, groups close and open."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings, strategies as st

from app.figures.architecture import (
    Box,
    collapse,
    columns_of,
    distances,
    draw,
    groups,
    main_line,
    parent_of,
    rounded,
)
from app.figures.charts import for_file
from models.card import Block
from models.registry import MODELS

SVG = "{http://www.w3.org/2000/svg}"
CASES = [(slug, weights.id) for slug, card in MODELS.items() for weights in card.weights]


def overlap(a: Box, b: Box) -> bool:
    return not (
        a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
    )


def paths(svg: str) -> list[str]:
    root = ET.fromstring(svg)
    return [p.get("d", "") for p in root.findall(f"{SVG}path")]


def check(blocks: tuple[Block, ...], **options: object) -> None:
    drawing = draw(blocks, **options)  # type: ignore[arg-type]
    for (_, a), (_, b) in itertools.combinations(drawing.boxes.items(), 2):
        assert not overlap(a, b)
    for box in drawing.boxes.values():
        assert box.x >= 0 and box.y >= 0
        assert box.x + box.width <= drawing.width and box.y + box.height <= drawing.height
    drawn = paths(drawing.svg)
    assert len(drawn) == len(drawing.edges)
    for (source, name), path in zip(drawing.edges, drawn, strict=True):
        numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", path)]
        xs = [n for n in numbers if n >= 0]
        assert xs, (source, name)
        x, y = numbers[0], numbers[1]
        box = drawing.boxes[source]
        assert box.x - 0.1 <= x <= box.x + box.width + 0.1 and box.y - 0.1 <= y <= box.y + box.height + 0.1
    shown = re.findall(r'data-id="([^"]*)"', drawing.svg)
    assert sorted(shown) == sorted(drawing.boxes)


@pytest.mark.parametrize(("slug", "weights"), CASES)
@pytest.mark.parametrize("across", [2, 3, 6])
def test_every_card(slug, weights, across):
    card = MODELS[slug]
    blocks = card.blocks(card.weights_by_id(weights).config)
    heads = groups(blocks)
    check(blocks, across=across)
    check(blocks, across=across, opened=frozenset(heads))
    for head in list(heads)[:2]:
        check(blocks, across=across, opened={head}, selected=head, title=card.title)


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_any_acyclic_graph(data):
    count = data.draw(st.integers(1, 14))
    blocks = []
    for i in range(count):
        feeders = data.draw(st.sets(st.integers(0, i - 1), max_size=3)) if i else set()
        blocks.append(Block(name=f"n{i}", inputs=tuple(f"n{j}" for j in sorted(feeders)), kind="conv"))
    check(tuple(blocks), across=data.draw(st.integers(1, 7)))


def straight_pieces(path: str) -> list[tuple[float, float, float, float]]:
    """The level and upright pieces of a path (its rounded corners left out)."""
    at = (0.0, 0.0)
    pieces = []
    for command, rest in re.findall(r"([MLQHV])([^MLQHV]*)", path):
        n = [float(v) for v in re.findall(r"-?\d+\.?\d*", rest)]
        end = {"H": (n[0], at[1]), "V": (at[0], n[0])}.get(command, (n[-2], n[-1]) if len(n) > 1 else at)
        if command in "LHV":
            pieces.append((*at, *end))
        at = end
    return pieces


@pytest.mark.parametrize(("slug", "weights"), CASES)
@pytest.mark.parametrize("across", [2, 6])
def test_no_line_runs_through_a_block(slug, weights, across):
    card = MODELS[slug]
    blocks = card.blocks(card.weights_by_id(weights).config)
    for opened in (frozenset(), frozenset(list(groups(blocks))[:1])):
        drawing = draw(blocks, across=across, opened=opened)
        for (source, name), path in zip(drawing.edges, paths(drawing.svg), strict=True):
            for x0, y0, x1, y1 in straight_pieces(path):
                low_x, high_x = sorted((x0, x1))
                low_y, high_y = sorted((y0, y1))
                for other, box in drawing.boxes.items():
                    if other in (source, name):
                        continue
                    crosses = (
                        low_x < box.x + box.width - 1 and high_x > box.x + 1
                        and low_y < box.y + box.height - 1 and high_y > box.y + 1
                    )  # fmt: skip
                    assert not crosses, f"{source} -> {name} runs through {other}"


def test_groups_of_swinir_close_and_open():
    card = MODELS["swinir"]
    config = dict(card.weights[0].config) | {"depths": (4, 4), "num_heads": (2, 2)}
    blocks = card.blocks(config)
    assert groups(blocks) == {f"rstb.{i}": tuple(f"rstb.{i}.layer.{j}" for j in range(4)) for i in range(2)}
    closed = {node.name: node for node in collapse(blocks)}
    assert "rstb.0.layer.0" not in closed and closed["rstb.0"].hidden == 4
    assert closed["rstb.0"].inputs == ("conv_first", "mask")
    assert closed["rstb.1"].inputs == ("rstb.0", "mask")
    half = {node.name: node for node in collapse(blocks, {"rstb.1"})}
    assert half["rstb.1"].hidden == 0 and half["rstb.1.layer.0"].inputs == ("rstb.0",)
    assert set(half["rstb.1"].inputs) == {"rstb.1.layer.3", "rstb.0"}
    assert len(collapse(blocks, {"rstb.0", "rstb.1"})) == len(blocks)


def test_parent_is_a_whole_dotted_prefix():
    names = frozenset({"rstb.1", "rstb.10", "a"})
    assert parent_of("rstb.10.layer.0", names) == "rstb.10"
    assert parent_of("rstb.1", names) is None
    assert parent_of("ab.c", names) is None


def test_columns_follow_the_longest_way():
    blocks = [
        Block(name="a", inputs=(), kind="input"),
        Block(name="b", inputs=("a",), kind="conv"),
        Block(name="c", inputs=("b", "a"), kind="add"),
        Block(name="side", inputs=("a",), kind="mask"),
    ]
    nodes = collapse(blocks)
    assert columns_of(nodes) == [["a"], ["b", "side"], ["c"]]
    assert main_line(nodes) == ("a", "b", "c")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_distances_against_brute_force(data):
    count = data.draw(st.integers(1, 9))
    order = data.draw(st.permutations(range(count)))  # the card need not be sorted
    feeders = {
        i: sorted(data.draw(st.sets(st.integers(0, i - 1), max_size=3))) if i else [] for i in range(count)
    }
    blocks = [Block(name=f"n{i}", inputs=tuple(f"n{j}" for j in feeders[i]), kind="conv") for i in order]

    def ways(i: int) -> list[list[int]]:
        return [[*way, i] for j in feeders[i] for way in ways(j)] or [[i]]

    nodes = collapse(blocks)
    far = distances(nodes)
    for i in range(count):
        assert far[f"n{i}"] == max(len(way) for way in ways(i)) - 1
    line = main_line(nodes)
    assert len(line) - 1 == max(far.values())
    assert [int(name[1:]) for name in line] in ways(int(line[-1][1:]))


def test_hit_boxes():
    drawing = draw(MODELS["resnet18"].blocks({}))
    for name, box in drawing.boxes.items():
        assert drawing.block_at(*box.middle) == name
    assert drawing.block_at(-5, -5) is None


def test_mistakes_in_a_card_are_named():
    with pytest.raises(ValueError, match="'nobody'"):
        draw([Block(name="a", inputs=("nobody",), kind="conv")])
    loop = [Block(name="a", inputs=("b",), kind="conv"), Block(name="b", inputs=("a",), kind="conv")]
    with pytest.raises(ValueError, match="cycle"):
        distances(collapse(loop))
    with pytest.raises(ValueError, match="at least one"):
        draw([])


def test_labels_are_escaped_and_the_file_needs_no_variables():
    blocks = [Block(name='x"<', inputs=(), kind="conv", label="<b>&")]
    drawing = draw(blocks, labels={}, notes={'x"<': "a<b"}, title='"quoted"')
    ET.fromstring(drawing.svg)
    assert "<b>" not in drawing.svg
    file = for_file(drawing.svg)
    assert "var(" not in file
    ET.fromstring(file)


def test_rounded_path():
    assert rounded([(0, 0), (10, 0)]) == "M0 0L10 0"
    assert rounded([(0, 0), (0, 0), (20, 0), (20, 20)], 5) == "M0 0L15 0Q20 0 20 5L20 20"

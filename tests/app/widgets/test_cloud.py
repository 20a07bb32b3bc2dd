"""What Python knows of a cloud: how points are coded and sampled, what is sent again, and what is believed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from app.figures.graph import Marks
from app.text import using
from app.widgets import cloud as module, steps
from app.widgets.cloud import Cloud, CloudState, cloud, frames_of, last_cloud, sample_of, shown_edges
from app.widgets.packing import unpack

DEMO = Path(__file__).with_name("demo_cloud.py")


class Page:
    """A session without a page, and the messages that a browser would have got."""

    def __init__(self) -> None:
        self.session: dict[str, Any] = {}
        self.messages: list[bytes] = []

    def mount(self, data: bytes, key: str, **_: Any) -> None:
        self.messages.append(data)
        self.session.setdefault(key, {})

    @property
    def last(self) -> tuple[dict[str, Any], list[bytes]]:
        return unpack(self.messages[-1])


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    found = Page()
    monkeypatch.setattr(streamlit, "session_state", found.session)
    monkeypatch.setattr(module, "component", lambda *names: found.mount)
    return found


def walk(moments: int, nodes: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(moments, nodes, 2)).cumsum(0).astype(np.float32)


# ---------------------------------------------------------------- coding


@given(st.integers(0, 10_000), st.integers(1, 5), st.integers(1, 30), st.floats(-3, 3), st.floats(0.01, 50))
def test_coded_points_are_the_points(seed, moments, nodes, power, stretch):
    points = walk(moments, nodes, seed).astype(np.float64) * [10.0**power, 10.0**power * stretch] + 7
    (frame,) = frames_of([points])
    coded = frame.coded(points).astype(np.float64) / 65535
    assert coded.min() >= 0 and coded[..., 0].max() <= 1 and coded[..., 1].max() <= frame.ratio + 1e-4
    assert module.FLATTEST <= frame.ratio <= 1
    back = (coded - [0.5, frame.ratio / 2]) * [frame.side, -frame.side] + frame.middle
    np.testing.assert_allclose(back, points, atol=frame.side / 65535)  # y is turned, both axes have one scale


def test_clouds_side_by_side_have_one_shape_and_each_its_own_scale():
    flat, tall = walk(3, 20) * [9, 1], walk(3, 20, 1) * [0.001, 0.002]
    first, second = frames_of([flat, tall])
    assert first.ratio == second.ratio == 1 and first.side > 100 * second.side
    (alone,) = frames_of([flat])
    assert alone.ratio == module.FLATTEST


def test_one_point_stands_in_the_middle():
    (frame,) = frames_of([np.full((2, 1, 2), 5.0)])
    np.testing.assert_allclose(frame.coded(np.full((2, 1, 2), 5.0)) / 65535, 0.5, atol=1e-4)


# ---------------------------------------------------------------- sampling


def test_a_small_graph_is_drawn_whole():
    sample = sample_of(4000, 82, keep=[5])
    assert len(sample.base) == 4000 and len(sample.extra) == 0
    assert (sample.places() == np.arange(4000)).all()


@given(st.integers(1, 30_000), st.integers(1, 400), st.lists(st.integers(-5, 31_000), max_size=8))
def test_a_sample_fits_stays_and_keeps_what_is_marked(count, moments, keep):
    sample = sample_of(count, moments, keep)
    again = sample_of(count, moments)
    assert (sample.base == again.base).all() and len(again.extra) == 0  # a pick resends no positions
    assert 4 * moments * len(sample.base) <= module.MOST_BYTES and len(sample.base) <= module.MOST_POINTS
    assert len(np.unique(sample.shown)) == len(sample.shown)
    assert {v for v in keep if 0 <= v < count} <= set(sample.shown.tolist())
    assert (sample.places()[sample.shown] == np.arange(len(sample.shown))).all()


def test_edges_are_those_between_nodes_that_are_drawn():
    sample = sample_of(20_000, 82, keep=[3, 4])
    rng = np.random.default_rng(0)
    edges = rng.integers(0, 20_000, (200_000, 2))
    lines = shown_edges(edges, sample)
    assert len(lines) == module.MOST_EDGES and lines.dtype == np.uint16
    there = {tuple(edge) for edge in edges.tolist()}
    assert all(tuple(sample.shown[line].tolist()) in there for line in lines[::50])
    assert len(shown_edges(np.array([[0, 0], [0, 1]]), sample_of(3, 1))) == 1  # a loop is no line


# ---------------------------------------------------------------- messages


def test_a_message_stays_below_two_megabytes(page):
    clouds = [Cloud(name, name, walk(41, 20_000)) for name in "ab"]
    words = ["一个很长的说明" * 20] * 20_000
    edges = np.random.default_rng(0).integers(0, 20_000, (50_000, 2))
    with using("zh"):
        cloud(clouds, "c", alt="x", words=words, names=words, edges=edges, marks=Marks(near=range(500)))
    assert 1_000_000 < len(page.messages[0]) < 2_000_000
    header, files = page.last
    assert header["base"] == 4000 and header["extra"] > 300
    assert len(json.loads(files[4])) == 4000 + header["extra"]
    assert "20,000" in header["words"]["hint"]  # it says how many are drawn


def test_files_hold_what_the_browser_reads(page):
    points = walk(5, 7)
    colours = np.arange(21, dtype=np.uint8).reshape(7, 3)
    edges = np.array([[0, 1], [5, 6]])
    cloud(
        [Cloud("a", "A", points), Cloud("b", "B", points[:2], near=[6])],
        "c",
        alt="x",
        names=list("abcdefg"),
        colours=colours,
        edges=edges,
        marks=Marks(chosen=2, near=[1], spokes={3: 0.5, 99: 1.0}, notes={4: "n"}),
    )
    header, files = page.last
    assert [c["moments"] for c in header["clouds"]] == [5, 2] and header["count"] == 5
    assert [len(f) for f in files] == [5 * 7 * 4, 0, 2 * 7 * 4, 0, len(files[4]), 21, 8, 28]
    assert json.loads(files[4])[2] == ["c", ""]
    assert np.frombuffer(files[5], np.uint8).reshape(7, 3).tolist() == colours.tolist()
    assert np.frombuffer(files[6], "<u2").reshape(2, 2).tolist() == edges.tolist()
    assert np.frombuffer(files[7], "<u4").tolist() == list(range(7))
    assert (header["chosen"], header["near"], header["spokes"], header["notes"]) == (
        2,
        [[1], [1, 6]],
        [[3, 0.5]],
        [[4, "n"]],
    )


def test_a_pick_sends_neither_positions_nor_names_again(page):
    clouds = [Cloud("a", "A", walk(41, 9000))]
    cloud(clouds, "c", alt="x")
    cloud(clouds, "c", alt="x")
    assert page.messages[1] == page.messages[0]  # Streamlit then sends nothing
    node = int(np.setdiff1d(np.arange(9000), sample_of(9000, 41).base)[0])
    cloud(clouds, "c", alt="x", marks=Marks(chosen=node))
    header, files = page.last
    assert header["extra"] == 1 and header["chosen"] == 4000
    assert [len(f) for f in files[:2]] == [0, 41 * 4]
    assert len(page.messages[2]) < 200_000
    steps.on_need("c")()  # a tab that has lost the files asks for them
    cloud(clouds, "c", alt="x", marks=Marks(chosen=node))
    assert len(page.last[1][0]) == 41 * 4000 * 4


def test_other_colours_send_only_colours(page):
    clouds = [Cloud("a", "A", walk(41, 500))]
    cloud(clouds, "c", alt="x")
    cloud(clouds, "c", alt="x", colours=np.full((500, 3), 9, np.uint8))
    assert [len(f) for f in page.last[1]] == [0, 0, 0, 1500, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"names": ["a"]}, "1 names for 4 nodes"),
        ({"words": ["a"] * 5}, "5 words for 4 nodes"),
        ({"colours": np.zeros((3, 3), np.uint8)}, "3 colours for 4 nodes"),
        ({"positions": ["a"]}, "1 values of 'positions' for 3 steps"),
        ({"readouts": {"loss": ["a"]}}, "1 values of 'loss' for 3 steps"),
        ({"curve": ("loss", [1.0])}, "1 values of 'loss' for 3 steps"),
    ],
)
def test_wrong_numbers_of_words_are_refused(page, arguments, words):
    with pytest.raises(ValueError, match=words):
        cloud([Cloud("a", "", walk(3, 4))], "c", alt="x", **arguments)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (np.zeros((3, 4)), "moments, nodes, 2"),
        (np.zeros((0, 4, 2)), "moments, nodes, 2"),
        (np.zeros((201, 4, 2)), "at most 200"),
        (np.full((2, 4, 2), np.nan), "finite"),
    ],
)
def test_wrong_points_are_refused(points, words):
    with pytest.raises(ValueError, match=words):
        Cloud("a", "", points)


def test_clouds_of_different_nodes_are_refused(page):
    with pytest.raises(ValueError, match="the same nodes"):
        cloud([Cloud("a", "", walk(3, 4)), Cloud("b", "", walk(3, 5))], "c", alt="x")


# ---------------------------------------------------------------- what comes back


@pytest.mark.parametrize(
    ("sent", "node", "step"),
    [
        ({"node": 3, "step": 1}, 3, 1),
        ({"node": -1, "step": 0}, None, 0),  # let go
        ({"node": 4, "step": 1}, None, 1),
        ({"node": 3, "step": 99}, 3, 2),
        ({"node": "3", "step": 1}, 0, 2),
        ({"node": True, "step": 1}, 0, 2),
        ({"node": 3}, 0, 2),
        ([3, 1], 0, 2),
        (None, 0, 2),
    ],
)
def test_picks_are_looked_at_before_they_are_believed(page, sent, node, step):
    cloud([Cloud("a", "", walk(3, 4))], "c", alt="x")
    steps.recall("c", 3, -1, None).pick = 0
    page.session["c"] = {"pick": sent}
    told: list[int | None] = []
    module._on_pick("c", 4, None, None, told.append)()
    assert last_cloud("c") == CloudState(step, node)
    assert cloud([Cloud("a", "", walk(3, 4))], "c", alt="x") == CloudState(step, node)
    assert told == ([] if step == 2 and node == 0 else [node])


def test_there_is_no_state_before_the_first_sight(page):
    assert last_cloud("c") is None


def words(page: AppTest) -> str:
    return " | ".join(text.value for text in page.text)


def test_the_link_restores_moment_and_node_and_python_moves_the_slider():
    page = AppTest.from_file(str(DEMO), default_timeout=60)
    page.query_params["step"], page.query_params["node"] = "20", "5"
    page.run()
    assert not page.exception and "one step 20 node 5" in words(page)
    next(b for b in page.button if b.label == "moment 7").click().run()
    assert "one step 7 node 5" in words(page)
    page.session_state[steps.shelf("pair")].pick = 12
    page.run()
    assert "pair step 0 node 12" in words(page) and not page.exception


@pytest.mark.parametrize("node", ["34", "-1", "999999999999", "x", ""])
def test_odd_nodes_in_the_link_are_no_errors(node):
    page = AppTest.from_file(str(DEMO), default_timeout=60)
    page.query_params["node"] = node
    page.run()
    assert not page.exception and "one step 40 node None" in words(page)

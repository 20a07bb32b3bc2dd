"""What Python knows of a scrubber: steps, picks, and what is sent again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import streamlit
from hypothesis import given, strategies as st
from streamlit.testing.v1 import AppTest

from app.figures.film_strip import Mosaic
from app.widgets import scrubber as module, steps
from app.widgets.packing import Encoded, unpack
from app.widgets.scrubber import Pick, Scrub, Strip, last_scrub, scrubber, set_step
from app.widgets.steps import resolve

DEMO = Path(__file__).with_name("demo_scrubber.py")


@given(st.integers(-300, 300), st.integers(1, 200))
def test_a_step_is_always_within(step, count):
    found = resolve(step, count)
    assert 0 <= found < count
    if 0 <= step < count:
        assert found == step
    if -count <= step < 0:
        assert found == count + step


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A session without a page."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr(streamlit, "session_state", kept)
    return kept


def test_the_last_step_stays_the_last(session):
    held = steps.recall("film", 60, -1, None)
    assert (held.step, held.turn) == (59, 0)
    session["film"] = {}  # mounted
    assert steps.recall("film", 30, -1, None).step == 29
    held.step = 10
    assert steps.recall("film", 60, -1, None).step == 10
    assert steps.recall("film", 5, -1, None).step == 4
    set_step("film", 2)
    assert last_scrub("film") == Scrub(2) and held.turn == 1
    assert last_scrub("other") is None


def test_a_new_mount_begins_where_the_old_one_stood(session):
    held = steps.recall("film", 60, 0, None)
    session["film"] = {}
    held.step = 33
    assert steps.recall("film", 60, 0, None).start == 0  # the browser knows its step
    del session["film"]
    assert steps.recall("film", 60, 0, None).start == 33


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ({"strip": "x", "x": 0, "y": 0, "step": 3}, Pick("x", 0, 0, 0)),
        ({"strip": "x", "x": 29, "y": 30, "step": 3}, Pick("x", 0, 1, 3)),
        ({"strip": "x", "x": 28, "y": 0, "step": 3}, None),  # between two samples
        ({"strip": "x", "x": 57, "y": 0, "step": 3}, None),
        ({"strip": "x", "x": -1, "y": 0, "step": 3}, None),
        ({"strip": "?", "x": 0, "y": 0, "step": 3}, None),
        ({"strip": "x", "x": "0", "y": 0, "step": 3}, None),
        ({"strip": "x", "x": 0, "y": 0}, None),
        (["x", 0, 0], None),
        (None, None),
    ],
)
def test_picks_are_looked_at_before_they_are_believed(session, sent, expected):
    held = steps.recall("film", 10, 0, None)
    session["film"] = {"pick": sent}
    told: list[Pick] = []
    module._on_pick("film", {"x": Mosaic(4, 28, 28, 2)}, {"x": (57, 57)}, None, told.append, 1)()
    assert held.pick == expected
    assert told == ([expected] if expected else [])
    assert held.step == (3 if expected else 0)  # a pick brings the step that was looked at


def test_a_place_of_several_pixels_is_picked_as_one(session):
    held = steps.recall("film", 10, 0, None)
    session["film"] = {"pick": {"strip": "x", "x": 56, "y": 8, "step": 3}}
    module._on_pick("film", {"x": None}, {"x": (64, 64)}, None, None, 8)()
    assert held.pick == Pick("x", 7, 1, 0)
    strips = [module.Strip("x", "x", np.zeros((1, 64, 64), np.uint8))]
    assert module._on_frame(held.pick, strips, [None], 8) == {"strip": "x", "point": [56, 8]}


@pytest.mark.parametrize(
    ("sent", "step"), [({"at": 4}, 4), ({"at": 99}, 9), ({"at": -5}, 0), ({"at": "4"}, 2), (4, 2)]
)
def test_steps_are_looked_at_before_they_are_believed(session, sent, step):
    held = steps.recall("film", 10, 2, None)
    session["film"] = {"step": sent}
    steps.on_step("film", None)()
    assert held.step == step


def test_sheets_are_sent_once(session):
    held = steps.recall("film", 10, 0, None)
    files = [Encoded(b"sheet", "image/png", 1, 1, "a")]

    def sizes(header: dict[str, Any], *sheets: Encoded) -> list[int]:
        return [len(part) for part in unpack(steps.message(held, header, sheets or files))[1]]

    assert sizes({"mark": 1}) == [5]
    assert sizes({"mark": 1}) == [5]  # the very same message: Streamlit sends nothing
    assert sizes({"mark": 2}) == [0]
    assert sizes({"mark": 2}) == [0]
    assert sizes({"mark": 2}, Encoded(b"other", "image/png", 1, 1, "b")) == [5]
    assert sizes({"mark": 3}, Encoded(b"other", "image/png", 1, 1, "b")) == [0]
    steps.on_need("film")()  # a browser that lacks them asks
    assert sizes({"mark": 3}, Encoded(b"other", "image/png", 1, 1, "b")) == [5]


def test_wrong_numbers_of_words_and_strips_are_refused(session):
    strips = [Strip("a", "", np.zeros((3, 8, 8))), Strip("b", "", np.zeros((3, 9, 9)))]
    with pytest.raises(ValueError, match="2 values of 'SNR' for 3 steps"):
        scrubber(strips[:1], "film", readouts={"SNR": ["1", "2"]})
    with pytest.raises(ValueError, match="no two strips"):
        scrubber(strips, "film", compare=("a", "b"))
    with pytest.raises(ValueError, match="no two strips"):
        scrubber(strips[:1], "film", compare=("a", "c"))
    with pytest.raises(ValueError, match="equally many"):
        scrubber([strips[0], Strip("b", "", np.zeros((4, 8, 8)))], "film")


def test_curves_stand_the_odd_numbers():
    assert steps.heights([1.0, 2.0, 3.0]) == [0.0, 0.5, 1.0]
    assert steps.heights([2.0, 2.0]) == [0.0, 0.0]
    assert steps.heights([float("nan"), 0.0, float("inf"), 4.0]) == [0.0, 0.0, 1.0, 1.0]
    assert steps.heights([float("inf")]) == [0.0]


def words(page: AppTest) -> str:
    return " | ".join(text.value for text in page.text)


def test_the_link_restores_the_step_and_python_moves_it():
    page = AppTest.from_file(str(DEMO), default_timeout=60)
    page.query_params["step"] = "20"
    page.run()
    assert not page.exception and "path step 20 pick None" in words(page)
    next(b for b in page.button if b.label == "step 7").click().run()
    assert "path step 7 pick None" in words(page)
    next(x for x in page.toggle if x.label == "half as many").set_value(True).run()
    assert "path step 7 pick None" in words(page)
    page.session_state["vitrine.steps:many"].pick = Pick("two", 1, 2, 3)
    page.run()
    assert "many pick ('two', 1, 2, 3)" in words(page) and not page.exception


@pytest.mark.parametrize("step", ["60", "99999", "-1", "-70", "x", ""])
def test_odd_steps_in_the_link_are_no_errors(step):
    page = AppTest.from_file(str(DEMO), default_timeout=60)
    page.query_params["step"] = step
    page.run()
    assert not page.exception
    assert f"path step {0 if step == '-70' else 59} pick None" in words(page)

"""What Python believes of a drawing, and keeps of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.widgets.draw import read

DEMO = Path(__file__).with_name("demo_draw.py")


def test_strokes_are_read():
    found = read({"strokes": [[0, 0, 1000, 500], [], [250, 750]]}, 10)
    assert found is not None and [s.tolist() for s in found] == [[[0, 0], [1, 0.5]], [[0.25, 0.75]]]
    assert read({"strokes": []}, 10) == ()


def test_no_more_points_than_fit_in():
    found = read({"strokes": [[1, 1] * 7, [2, 2] * 7, [3, 3] * 7]}, 10)
    assert found is not None and [len(s) for s in found] == [7, 3]


@pytest.mark.parametrize(
    "sent",
    [None, 3, [], {}, {"strokes": 3}, {"strokes": [3]}, {"strokes": [[1]]}, {"strokes": [[1, "2"]]}]
    + [{"strokes": [[1, 1001]]}, {"strokes": [[-1, 0]]}, {"strokes": [[0.5, 0.5]]}, {"strokes": [[True, 0]]}],
)
def test_what_our_script_would_not_send_is_nothing(sent):
    assert read(sent, 10) is None


def test_a_shape_from_python_comes_back_with_y_upward():
    page = AppTest.from_file(str(DEMO), default_timeout=60).run()
    shown = [text.value for text in page.text]
    assert not page.exception and "points 0 around None" in shown and "digit none" in shown
    next(b for b in page.button if b.label == "ring").click().run()
    assert "points 100 around [0.5, 0.5]" in [text.value for text in page.text]
    held = page.session_state["vitrine.draw:exact"]
    held.strokes = (np.array([[0.25, 0.1]]),)
    page.session_state["vitrine.draw:digit"].strokes = (np.array([[0.5, 0.1], [0.5, 0.9]]),)
    page.run()
    shown = [text.value for text in page.text]
    assert "exact [[0.25, 0.9]]" in shown and any(text.startswith("digit (28, 28)") for text in shown)

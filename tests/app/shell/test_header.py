"""Badges say what ran; the engine is chosen by the process, or else by the visitor."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.engine import available_engines
from app.text import t, using
from app.widgets import header

ROOT = Path(__file__).resolve().parents[3]


def test_badges_are_escaped_and_named():
    made = header.badges_html([header.Badge("<b>x</b>", "Weights & score", '"30 dB"')])
    assert "<b>" not in made and "&lt;b&gt;x" in made and "Weights &amp; score" in made
    assert made.count("<dt>") == made.count("<dd>") == 1


@pytest.mark.parametrize(
    ("value", "shown"), [(897, "897"), (11_689_512, "11.7 M"), (268_000, "268 k"), (28_013_059, "28 M")]
)
def test_numbers_are_short(value, shown):
    assert header.number(value) == shown


def test_times_are_short():
    assert header.duration(0.0384) == "38 ms"
    assert header.duration(2.44) == "2.4 s"


def test_a_score_without_a_report_is_nothing():
    assert header.score("resnet18", {}) == ""
    assert header.score("nothing", {"score": {"top1": 0.5}}) == ""
    with using("zh"):
        assert header.score("swinir", {"score": {}}) == ""


def home(monkeypatch: pytest.MonkeyPatch, engine: str) -> AppTest:
    monkeypatch.setenv("VITRINE_ENGINE", engine)
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=60).run()
    assert not app.exception
    return app


def test_the_process_chooses_for_everybody(monkeypatch):
    app = home(monkeypatch, "onnx")
    assert not [b for b in app.button_group if b.key == "vitrine.engine.widget"]


def test_an_engine_that_is_not_there_is_a_sentence(monkeypatch):
    app = home(monkeypatch, "abacus")
    assert app.error[0].value == t("engine.unknown", engine="abacus")
    assert app.title[0].value == t("home.title")


@pytest.mark.skipif(len(available_engines()) < 2, reason="one engine here")
def test_a_visitor_may_choose(monkeypatch):
    app = home(monkeypatch, "")
    app.button_group(key="vitrine.engine.widget").set_value("torch").run()
    assert app.session_state["vitrine.engine"] == "torch"
    app.button_group(key="vitrine.engine.widget").set_value(None).run()
    assert app.session_state["vitrine.engine"] == "torch"
    assert not app.exception

"""The page of every model: both engines, both languages, on its first sample and on a bad file."""

from __future__ import annotations

import re
import time

import pytest
from streamlit.testing.v1 import AppTest

from app.navigation import title_of
from app.text import LANGUAGES, catalogue, using
from models.card import Card
from models.registry import heads
from tests.imports import ROOT

HEADS = heads()
# where the uploader stands behind a choice: the link that makes it
UPLOAD = {"vae": {"from_a": "picture"}, "realnvp": {"from": "picture"}}
ENGINES = [pytest.param("torch", marks=pytest.mark.torch), "onnx"]


def finished(app: AppTest, limit: float = 180) -> AppTest:
    """Run until no work is under way. Fails on an exception or an untranslated message."""
    end = time.monotonic() + limit
    app.run()
    while app.get("progress") and time.monotonic() < end:
        time.sleep(0.3)
        app.run()
    assert not app.get("progress"), "the work did not end"
    assert not app.exception, [e.message for e in app.exception]
    return app


def opened(card: Card, engine: str, language: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("VITRINE_ENGINE", engine)
    monkeypatch.setenv("VITRINE_STRICT_TEXT", "1")
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=180)
    app.query_params["lang"] = language
    app.switch_page(str(ROOT / "pages" / f"{card.page}.py"))
    return finished(app)


def words(app: AppTest) -> str:
    return "\n".join(
        str(e.value) for e in (*app.title, *app.header, *app.subheader, *app.markdown, *app.caption)
    )


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("card", HEADS, ids=lambda card: card.slug)
def test_page(card: Card, engine: str, language: str, monkeypatch: pytest.MonkeyPatch):
    """It shows its result before anything is touched; a bad file gets a sentence and the result stays."""
    with using(language):  # AppTest writes the names of options in this thread
        walk(card, engine, language, monkeypatch)


def walk(card: Card, engine: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(card, engine, language, monkeypatch)
    say = catalogue(language)
    assert app.title[0].value == title_of(card)
    shared = f"{card.page}.sentence"  # of a page that shows several of a kind
    assert say[shared if shared in say else f"{card.slug}.sentence"] in words(app)
    assert not app.error
    headers = [header.value for header in app.header]
    assert len(headers) >= 3, "result, inside, play and notes"

    if card.page in UPLOAD:
        for name, value in UPLOAD[card.page].items():
            app.query_params[name] = value
        finished(app)
    app.file_uploader[0].upload("holiday.jpg", b"\xff\xd8\xff\xe0 broken", "image/jpeg")
    finished(app)
    sentences = [error.value for error in app.error]
    assert len(sentences) == 1
    area = "graph." if card.family == "graph" else "image."
    known = [value for key, value in say.items() if key.startswith(area)]
    assert any(re.fullmatch(re.sub(r"\\\{.*?\\\}", ".+", re.escape(value)), sentences[0]) for value in known)
    assert [header.value for header in app.header] == headers, "the result is gone"

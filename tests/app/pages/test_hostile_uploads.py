"""The thirteen uploads on both pages, one after the other in one visit: a sentence or a result, and no end of it."""

from __future__ import annotations

import hashlib

import pytest
from streamlit.testing.v1 import AppTest

from app.images import BadImage, decode
from app.text import t, using
from app.widgets.image_input import SHA
from models import checkpoints
from models.registry import MODELS
from tests.app.pages.driver import sound, visit
from tests.hostile import hostile_files, photo, saved


@pytest.mark.parametrize(("slug", "language"), [("swinir", "en"), ("resnet18", "zh")])
def test_thirteen_uploads_in_one_visit(monkeypatch: pytest.MonkeyPatch, slug: str, language: str) -> None:
    card = MODELS[slug]
    if checkpoints.locate(card, card.weights[0]) is None:
        pytest.skip("the embedded weights are not in this checkout")
    with using(language):  # AppTest words the options of a page outside of it
        thirteen(visit(card.page, monkeypatch, lang=language))


def thirteen(page: AppTest) -> None:
    sound(page.run())
    shown = ""
    last = ("good.png", saved(photo(), "PNG"))
    for name, data in [*((n, d) for n, d, _ in hostile_files()), last]:
        sound(page.file_uploader[0].upload(name, data, "application/octet-stream").run())
        sentences = [str(part.value) for part in (*page.error, *page.caption)]
        try:
            picture = decode(data, name)
        except BadImage as error:
            assert t(error.reason, **error.details) in sentences, name
        else:
            shown = hashlib.sha256(data).hexdigest()[:SHA]
            assert not page.error, [e.value for e in page.error]
            assert all(t(note) in sentences for note in picture.notes), name
        assert page.query_params.get("sha", [""]) in (shown, [shown]), f"{name}: the picture that is shown"
    assert not page.error

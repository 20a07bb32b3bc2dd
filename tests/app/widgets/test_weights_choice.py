"""The choice of weights: what is said, what a dropped file does, what a refused one does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save
from streamlit.testing.v1 import AppTest

from app.text import t, using
from models import checkpoints
from models.vision.swinir_card import CARD

WANTED = "lightweight_x2"


def script() -> None:
    import streamlit as st

    from app.widgets.weights_choice import weights_choice
    from models.vision.swinir_card import CARD

    st.code(str(weights_choice(CARD)))


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AppTest:
    monkeypatch.setenv("VITRINE_CACHE", str(tmp_path))
    app = AppTest.from_function(script, default_timeout=60)
    app.query_params["weights"] = WANTED
    app.run()
    assert not app.exception, [e.message for e in app.exception]
    return app


def drop(page: AppTest, data: bytes, name: str = "mine.safetensors") -> AppTest:
    page.file_uploader[0].set_value((name, data, "application/octet-stream")).run()
    assert not page.exception, [e.message for e in page.exception]
    return page


def test_weights_that_are_away_are_offered_but_not_fetched(page: AppTest) -> None:
    assert page.code[0].value == "None"
    assert any(
        t("choice.get", name=t(f"swinir.weights.{WANTED}"), host="github.com") == m.value
        for m in page.markdown
    )
    assert any(button.label == t("choice.download") for button in page.button) or page.info
    assert page.selectbox[0].value == WANTED


def test_a_dropped_file_is_checked_and_used(page: AppTest) -> None:
    shapes = checkpoints.expected_shapes(CARD, CARD.weights_by_id(WANTED))
    drop(page, save({name: np.zeros(shape, np.float32) for name, shape in shapes.items()}))
    assert not page.error
    assert page.code[0].value == WANTED
    assert not page.file_uploader


@pytest.mark.parametrize(
    ("data", "name"),
    [(b"no tensors at all", "mine.safetensors"), (b"", "mine.safetensors"), (b"PK\x03\x04", "x.pth")],
)
def test_a_refused_file_is_explained_once_and_changes_nothing(page: AppTest, data: bytes, name: str) -> None:
    drop(page, data, name)
    assert len(page.error) == 1
    assert page.code[0].value == "None"
    page.run()
    assert not page.error


def test_wrong_shapes_are_named(page: AppTest) -> None:
    shapes = checkpoints.expected_shapes(CARD, CARD.weights_by_id("x2"))
    drop(page, save({name: np.zeros(shape, np.float32) for name, shape in shapes.items()}))
    assert len(page.error) == 1
    assert page.code[0].value == "None"


def test_every_set_of_weights_has_a_name_in_both_languages() -> None:
    for code in ("en", "zh"):
        with using(code):
            assert len({t(f"swinir.weights.{w.id}") for w in CARD.weights}) == len(CARD.weights)

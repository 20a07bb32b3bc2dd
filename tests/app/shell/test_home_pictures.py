"""The home page's pictures are those that the shipped weights make."""

from __future__ import annotations

import numpy as np
import pytest

from app import render_home
from models.registry import MODELS


def test_every_model_has_a_painter():
    assert set(render_home.PAINTERS) == {slug for slug, card in MODELS.items() if not card.part_of}


def test_the_pictures_are_current():
    for slug, (weights_id, _) in render_home.PAINTERS.items():
        card = MODELS[slug]
        if not card.embedded_path(card.weights_by_id(weights_id)).is_file():
            pytest.skip(f"no weights of {slug}")
    assert render_home.differences("onnx") == []


def test_another_picture_is_noticed(monkeypatch):
    if not (render_home.FOLDER / "swinir.webp").is_file():
        pytest.skip("not rendered")
    monkeypatch.setattr(render_home, "paint", lambda slug, engine=None: np.zeros((432, 720, 3), np.uint8))
    assert len(render_home.differences()) >= 2

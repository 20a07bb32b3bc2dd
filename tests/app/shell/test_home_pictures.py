"""The home page's pictures are those that the shipped weights make."""

from __future__ import annotations

import numpy as np

from app import render_home
from models.registry import heads


def test_every_model_has_a_painter():
    painted = [*render_home.PAINTERS, *render_home.METHOD_PAINTERS]
    assert sorted(painted) == sorted(card.slug for card in heads())


def test_the_pictures_are_current():
    assert render_home.differences("onnx") == []


def test_another_picture_is_noticed(monkeypatch):
    monkeypatch.setattr(render_home, "paint", lambda slug, engine=None: np.zeros((432, 720, 3), np.uint8))
    assert len(render_home.differences()) >= 2

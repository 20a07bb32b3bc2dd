"""The score on a badge is said in words that the report can fill, or not at all."""

from __future__ import annotations

import pytest

from app.text import using
from app.widgets.header import score


@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_score_of_another_kind_has_its_own_sentence(code: str):
    with using(code):
        assert "98.4%" in score("ddpm", {"score": {"agreement": 0.984}})
        assert "84%" in score("ddpm", {"score": {"nearest_in_group": 0.835}})


def test_a_score_without_words_is_not_shown():
    assert score("ddpm", {"score": {"unheard_of": 1.0}}) == ""
    assert score("ddpm", {}) == "" and score("digit_judge", {"score": {"top1": 0.99}}) == ""

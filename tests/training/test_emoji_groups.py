"""The groups of drawings: what a pattern lets in, how a drawing is fitted, what is held out."""

from __future__ import annotations

import re

import numpy as np
import pytest

pytest.importorskip("torch")

from models.training import emoji_groups
from models.training.emoji import HELD_OUT_STYLE

GROUPS = {group.en: group for group in emoji_groups.GROUPS}


@pytest.mark.parametrize(
    ("group", "inside", "outside"),
    [
        (
            "hearts",
            "red heart|revolving hearts|heart with arrow|heart on fire",
            "love letter|heart decoration",
        ),
        ("clocks", "three o’clock|ten-thirty", "alarm clock|hourglass done"),
        ("moons", "crescent moon|full moon face", "sun|star"),
        ("cars", "oncoming taxi|racing car|ambulance", "bicycle|train|police car light"),
        ("animal faces", "panda|tiger face|cat with wry smile", "zebra|paw prints|guide dog"),
        ("fish and whales", "spouting whale|tropical fish|shark", "crab|jellyfish|spiral shell"),
        ("weather", "sun behind cloud|cloud with rain|star|rainbow", "tornado|shooting star|snowman"),
        ("yellow faces", "winking face", "rolling on the floor laughing|face in clouds"),
    ],
)
def test_patterns(group: str, inside: str, outside: str) -> None:
    rule = re.compile(GROUPS[group].pattern)
    assert all(rule.fullmatch(label) for label in inside.split("|"))
    assert not any(rule.fullmatch(label) for label in outside.split("|"))


def test_members_follow_subgroup_and_pattern() -> None:
    entries: list[dict] = [
        {"label": "red heart", "subgroup": 1, "order": 2, "hexcode": "2764"},
        {"label": "broken heart", "subgroup": 1, "order": 1, "hexcode": "1F494"},
        {"label": "heart suit", "subgroup": 2, "order": 3, "hexcode": "2665"},
        {"label": "a flag", "hexcode": "1F3F4"},
    ]
    found = emoji_groups.members(entries, {1: "heart", 2: "game"})
    hearts = found[[g.en for g in emoji_groups.GROUPS].index("hearts")]
    assert [e["label"] for e in hearts] == ["broken heart", "red heart"]
    assert sum(map(len, found)) == 2


def test_groups_have_two_languages_and_an_icon() -> None:
    assert len(emoji_groups.GROUPS) == 10
    for group in emoji_groups.GROUPS:
        assert group.en and group.icon and re.search("[\u4e00-\u9fff]", group.zh)
    assert HELD_OUT_STYLE not in emoji_groups.STYLES


def test_a_drawing_is_cut_fitted_and_laid_on_white() -> None:
    rgba = np.zeros((100, 100, 4), np.uint8)
    rgba[40:60, 10:90] = (255, 0, 0, 255)
    made = emoji_groups.fitted(rgba)
    red = (made[..., 1] < 128) & (made[..., 0] > 200)
    rows, columns = np.flatnonzero(red.any(1)), np.flatnonzero(red.any(0))
    assert made.shape == (32, 32, 3) and columns[0] == 1 and columns[-1] == 30
    assert len(rows) in (7, 8) and abs(rows.mean() - 15.5) <= 0.5
    assert (made[0] == 255).all() and (made[-1] == 255).all()


def test_a_tenth_is_held_out_and_always_the_same() -> None:
    first, again = emoji_groups.held_out_members([7, 40, 21]), emoji_groups.held_out_members([7, 40, 21])
    assert [len(h) for h in first] == [1, 4, 2]
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))

"""The class rule on a miniature table, and the committed list."""

from __future__ import annotations

import pytest

from models.training import emoji

SUBGROUP_NAMES = {
    1: "animal-mammal",
    2: "animal-bird",
    3: "food-fruit",
    4: "transport-ground",
    5: "tool",
    9: "flag",
}


def entry(order: int, subgroup: int, label: str, tags: str = "", **extra: object) -> dict:
    return {
        "order": order,
        "subgroup": subgroup,
        "label": label,
        "tags": tags.split(),
        "hexcode": f"1F{order:03X}",
        **extra,
    }


TABLE = [
    entry(1, 1, "dog face", "pet puppy"),
    entry(2, 1, "dog", "animal"),
    entry(3, 1, "fox"),
    entry(4, 1, "wolf", skins=[]),
    entry(5, 2, "dove", "bird peace"),
    entry(6, 3, "melon"),
    entry(7, 3, "watermelon"),
    entry(8, 3, "red apple", "healthy round"),
    entry(9, 3, "pear", "healthy round sweet"),
    entry(10, 4, "bus"),
    entry(11, 9, "chequered flag"),
    entry(12, 5, "hammer"),
    entry(13, 5, "axe", hexcode="1F00D-200D-1F00E"),
]


def chosen(quota: dict[str, int], absent: tuple[str, ...] = ()) -> list[str]:
    present = {emoji.plain(e["hexcode"]) for e in TABLE if e["label"] not in absent}
    return [e["label"] for e in emoji.choose_classes(TABLE, SUBGROUP_NAMES, present, quota)]


LARGE = {"animals": 9, "food": 9, "transport": 9, "things": 9}


def test_rule_drops_twins_skins_sequences_and_other_groups() -> None:
    assert chosen(LARGE) == ["dog face", "fox", "dove", "melon", "red apple", "bus", "hammer"]


def test_subgroups_take_turns() -> None:
    assert chosen({**LARGE, "animals": 2}) == ["dog face", "dove", "melon", "red apple", "bus", "hammer"]


def test_absent_drawing_lets_the_next_one_in() -> None:
    assert "watermelon" in chosen(LARGE, absent=("melon",))


@pytest.mark.parametrize(
    ("label", "noun"),
    [
        ("green apple", "apple"),
        ("dog face", "dog"),
        ("ear of corn", "ear"),
        ("T-shirt", "shirt"),
        ("fox", "fox"),
    ],
)
def test_head_noun(label: str, noun: str) -> None:
    assert emoji.head_noun(label) == noun


def test_code_points_are_compared_without_selector_and_zeros() -> None:
    assert emoji.plain("0023-FE0F-20E3") == "23-20e3"
    assert emoji.slug("woman’s sandal") == "womans-sandal"


def test_committed_list() -> None:
    classes = emoji.load_classes()
    assert 100 <= len(classes) <= 130
    assert len({row["code"] for row in classes}) == len(classes)
    assert all(row["en"] and row["zh"] for row in classes)
    nouns = [emoji.head_noun(row["en"]) for row in classes]
    assert len(set(nouns)) == len(nouns)


def test_held_out_style_is_not_trained_on() -> None:
    assert emoji.HELD_OUT_STYLE not in emoji.TRAINING_STYLES


def test_iconify_document() -> None:
    table = {"width": 10, "height": 20, "icons": {"dot": {"body": '<circle r="1"/>'}}}
    assert 'viewBox="0 0 10 20"' in emoji.svg_of(table, "dot")

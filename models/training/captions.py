"""What is said of a drawing: captions in English and Chinese, with a colour, a ground, a way of drawing.

    things          emoji_things.tsv: code point, English names, Chinese names; the first name is the usual one
    "blue cat on yellow", "a red heart line drawing", "蓝色的猫黄色背景"

A tenth of the pairs of thing and colour (one generator, PCG64, SEED) is never drawn for training: whether the model can
put together what it has never seen together is measured on those. Now and then a kind ("animal", "水果") stands for one
of its members.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from models.generative.words import pieces_of
from models.training import emoji

SEED = 20261130
THINGS_FILE = Path(__file__).with_name("emoji_things.tsv")


@dataclass(frozen=True)
class Colour:
    """English and Chinese word; rgb of a ground; whether drawings are tinted with it too."""

    en: str
    zh: str
    rgb: tuple[int, int, int]
    tint: bool = True


COLOURS = (
    Colour("red", "红色", (226, 60, 50)),
    Colour("orange", "橙色", (248, 150, 50)),
    Colour("yellow", "黄色", (252, 214, 70)),
    Colour("green", "绿色", (84, 176, 84)),
    Colour("blue", "蓝色", (66, 128, 220)),
    Colour("purple", "紫色", (146, 84, 196)),
    Colour("pink", "粉色", (248, 160, 196)),
    Colour("black", "黑色", (24, 24, 28), tint=False),
    Colour("grey", "灰色", (170, 174, 182), tint=False),
    Colour("white", "白色", (255, 255, 255), tint=False),
)
WHITE = len(COLOURS) - 1
TINTS = tuple(i for i, c in enumerate(COLOURS) if c.tint)
COLOUR_WORDS = frozenset(c.en for c in COLOURS)

KINDS = (  # English, Chinese, how emojibase's subgroups begin
    ("animal", "动物", ("animal-",)),
    ("fruit", "水果", ("food-fruit",)),
    ("vegetable", "蔬菜", ("food-vegetable",)),
    ("food", "食物", ("food-prepared", "food-asian", "food-sweet")),
    ("flower", "花", ("plant-flower",)),
    ("vehicle", "交通工具", ("transport-",)),
)


@dataclass(frozen=True)
class Thing:
    """code: plain code point. en, zh: names, the usual one first. kind: index in KINDS, or -1."""

    code: str
    en: tuple[str, ...]
    zh: tuple[str, ...]
    kind: int

    @property
    def coloured(self) -> bool:
        """Whether its name already says a colour: then it is not tinted."""
        return any(word in COLOUR_WORDS for name in self.en for word in name.split())


@cache
def things() -> tuple[Thing, ...]:
    """The things there are words for, in the order of the file."""
    names = json.loads((emoji.fetch("words") / "meta" / "groups.json").read_text())["subgroups"]
    subgroup = {emoji.plain(e["hexcode"]): names.get(str(e.get("subgroup")), "") for e in emoji.words("en")}
    found = []
    for line in THINGS_FILE.read_text(encoding="utf-8").splitlines():
        code, english, chinese = line.split("\t")
        kind = next((i for i, (_, _, starts) in enumerate(KINDS) if subgroup[code].startswith(starts)), -1)
        found.append(Thing(code, tuple(english.split(",")), tuple(chinese.split(",")), kind))
    return tuple(found)


def unseen_pairs(count: int, seed: int = SEED) -> np.ndarray:
    """(count, len(TINTS)) bool: pairs of thing and tint that training never draws."""
    return np.random.Generator(np.random.PCG64(seed)).random((count, len(TINTS))) < 0.1


@dataclass(frozen=True)
class Facts:
    """What can be said of one picture. tint: index in COLOURS, or -1. ground: index in COLOURS."""

    thing: Thing
    tint: int
    ground: int
    line: bool


def english(facts: Facts, name: str, *, ground: bool, article: bool) -> str:
    parts = ["a"] if article else []
    if facts.tint >= 0:
        parts.append(COLOURS[facts.tint].en)
    parts.append(name)
    if ground:
        parts.append(f"on {COLOURS[facts.ground].en}")
    if facts.line:
        parts.append("line drawing")
    return " ".join(parts)


def chinese(facts: Facts, name: str, *, ground: bool, article: bool) -> str:
    text = "一个" if article else ""
    if facts.tint >= 0:
        text += COLOURS[facts.tint].zh + "的"
    text += name
    if ground:
        text += COLOURS[facts.ground].zh + "背景"
    return text + ("线稿" if facts.line else "")


def caption(facts: Facts, random: np.random.Generator) -> str:
    """One of the many ways to say it: either language, any name, with or without article and white ground."""
    in_english = random.random() < 0.5
    names = facts.thing.en if in_english else facts.thing.zh
    name = names[0] if random.random() < 0.6 else names[int(random.integers(len(names)))]
    if facts.thing.kind >= 0 and random.random() < 0.04:
        english_kind, chinese_kind, _ = KINDS[facts.thing.kind]
        name = english_kind if in_english else chinese_kind
    ground = facts.ground != WHITE or random.random() < 0.15
    article = random.random() < 0.2
    return (english if in_english else chinese)(facts, name, ground=ground, article=article)


def vocabulary_pieces(more: Sequence[str] = ("the", "an")) -> list[str]:
    """Every piece that a caption may hold, sorted."""
    texts = [name for thing in things() for name in (*thing.en, *thing.zh)]
    texts += [word for colour in COLOURS for word in (colour.en, colour.zh)]
    texts += [word for kind in KINDS for word in kind[:2]]
    texts += ["a on line drawing", "一个的背景线稿", *more]
    return sorted({piece for text in texts for piece in pieces_of(text)})


def tinted(rgba: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """Draw in shades of one colour: black, the colour, white by lightness. uint8 (..., 4) -> the same."""
    light = (rgba[..., :3].astype(np.float32) @ np.array([0.299, 0.587, 0.114], np.float32) / 255) ** 1.6
    tone = np.array(colour, np.float32)
    below = light[..., None] * 2 * tone
    above = tone + (light[..., None] * 2 - 1) * (255 - tone)
    shaded = np.where(light[..., None] < 0.5, below, above)
    return np.concatenate([np.clip(shaded, 0, 255).round().astype(np.uint8), rgba[..., 3:]], axis=-1)


def usual_name(code: str) -> str:
    """The first English name of a thing. Raises StopIteration for a code that is none."""
    return next(thing.en[0] for thing in things() if thing.code == code)

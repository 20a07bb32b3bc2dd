"""What is said of a drawing: captions in English and Chinese, with a colour, a ground, a way of drawing.

    things          emoji_things.tsv: code point, English names, Chinese names, kind; the first name is the usual one
    "blue cat on yellow", "a red heart line drawing", "蓝色的猫黄色背景"

A tenth of the pairs of thing and colour (one generator, PCG64, SEED) is never drawn for training: whether the model can
put together what it has never seen together is measured on those. Now and then a kind ("animal", "水果") stands for one
of its members.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from models.generative.words import pieces_of

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

KINDS = {
    "animal": "动物",
    "fruit": "水果",
    "vegetable": "蔬菜",
    "food": "食物",
    "flower": "花",
    "vehicle": "交通工具",
}


@dataclass(frozen=True)
class Thing:
    """code: plain code point. en, zh: names, the usual one first. kind: a key of KINDS, or empty."""

    code: str
    en: tuple[str, ...]
    zh: tuple[str, ...]
    kind: str

    @property
    def coloured(self) -> bool:
        """Whether its name already says a colour: then it is not tinted."""
        return any(word in COLOUR_WORDS for name in self.en for word in name.split())


@cache
def things() -> tuple[Thing, ...]:
    """The things there are words for, in the order of the file."""
    rows = (line.split("\t") for line in THINGS_FILE.read_text(encoding="utf-8").splitlines())
    return tuple(
        Thing(code, tuple(english.split(",")), tuple(chinese.split(",")), "" if kind == "-" else kind)
        for code, english, chinese, kind in rows
    )


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
    if facts.thing.kind and random.random() < 0.04:
        name = facts.thing.kind if in_english else KINDS[facts.thing.kind]
    ground = facts.ground != WHITE or random.random() < 0.15
    article = random.random() < 0.2
    return (english if in_english else chinese)(facts, name, ground=ground, article=article)


def vocabulary_pieces(more: Sequence[str] = ("the", "an")) -> list[str]:
    """Every piece that a caption may hold, sorted."""
    texts = [name for thing in things() for name in (*thing.en, *thing.zh)]
    texts += [word for colour in COLOURS for word in (colour.en, colour.zh)]
    texts += [word for kind in KINDS.items() for word in kind]
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

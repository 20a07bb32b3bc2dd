"""Drawn emoji at 32 pixels in ten groups that look alike within: what the pretty diffusion weights learn from.

    python -m models.training.emoji_groups      # write emoji_train.npz, which the app shows beside samples

Rule: emojibase's subgroups, of which a group keeps the emoji whose English label matches its pattern (below), in every
style that draws them in colour. A drawing is cut to what is drawn, fitted into 30 of 32 pixels and laid on white.
Of each group a tenth of the emoji (in all styles), chosen by one generator (PCG64, SEED), is held out.
Fluent's flat style, held out elsewhere in this project, is not used.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor, nn

from models.training import emoji, samples
from models.training.common import WEIGHTS
from models.training.photos import cache_dir

SEED = 20261130
SIDE, INNER = 32, 30
STYLES = ("twemoji", "noto", "noto-png", "noto-v1", "emojione", "emojione-v1", "fxemoji")
FILE = WEIGHTS / "ddpm" / "emoji_train.npz"


@dataclass(frozen=True, kw_only=True)
class Group:
    """One class. icon: its emoji. pattern: what a label must match, whole."""

    en: str
    zh: str
    icon: str
    subgroups: tuple[str, ...]
    pattern: str = r".*"


GROUPS = (
    Group(
        en="yellow faces",
        zh="笑脸与表情",
        icon="😀",
        subgroups=(
            "face-smiling",
            "face-affection",
            "face-tongue",
            "face-neutral-skeptical",
            "face-sleepy",
            "face-glasses",
            "face-concerned",
        ),
        pattern=r"(?!rolling|face in clouds|face exhaling).*",
    ),
    Group(
        en="animal faces",
        zh="动物头像",
        icon="🐼",
        subgroups=("cat-face", "animal-mammal", "animal-amphibian", "animal-reptile"),
        pattern=r".* face|.* cat|cat .*|wolf|fox|raccoon|lion|boar|hamster|bear|polar bear|koala|panda|frog",
    ),
    Group(en="hearts", zh="爱心", icon="❤️", subgroups=("heart",), pattern=r".*hearts?|heart (?!d|e).*"),
    Group(en="fruit", zh="水果", icon="🍓", subgroups=("food-fruit",)),
    Group(en="flowers", zh="花朵", icon="🌸", subgroups=("plant-flower",), pattern=r"(?!rosette).*"),
    Group(en="clocks", zh="钟面", icon="🕒", subgroups=("time",), pattern=r".*(o’clock|-thirty)"),
    Group(en="moons", zh="月亮", icon="🌙", subgroups=("sky-weather",), pattern=r".*moon.*"),
    Group(
        en="weather",
        zh="天气",
        icon="⛅",
        subgroups=("sky-weather",),
        pattern=r"sun( .*)?|cloud( .*)?|(glowing )?star|rainbow|umbrella.*|snowflake",
    ),
    Group(
        en="cars",
        zh="车辆",
        icon="🚗",
        subgroups=("transport-ground",),
        pattern=(
            r"(oncoming )?(bus|police car|taxi|automobile)|trolleybus|minibus|ambulance|fire engine|"
            r"sport utility vehicle|pickup truck|delivery truck|articulated lorry|tractor|racing car"
        ),
    ),
    Group(
        en="fish and whales",
        zh="鱼和鲸",
        icon="🐠",
        subgroups=("animal-marine",),
        pattern=r".*whale|dolphin|orca|fish|tropical fish|blowfish|shark",
    ),
)

# ---------------------------------------------------------------- choosing


def members(entries: list[dict], names: Mapping[int, str]) -> list[list[dict]]:
    """Entries of emojibase of each group, in its order. names: subgroup number -> name."""
    chosen: list[list[dict]] = []
    for group in GROUPS:
        rule = re.compile(group.pattern)
        found = [
            e
            for e in entries
            if names.get(e.get("subgroup", -1)) in group.subgroups and rule.fullmatch(e["label"])
        ]
        chosen.append(sorted(found, key=lambda e: e.get("order", 1 << 30)))
    return chosen


def held_out_members(counts: list[int], seed: int = SEED) -> list[np.ndarray]:
    """Indices of the held-out emoji of each group: a tenth, at least one."""
    rng = np.random.Generator(np.random.PCG64(seed))
    return [np.sort(rng.permutation(count)[: max(1, count // 10)]) for count in counts]


# ---------------------------------------------------------------- drawing


def fitted(rgba: np.ndarray) -> np.ndarray:
    """uint8 (S, S, 4) -> uint8 (32, 32, 3): what is drawn, its longer side on 30 pixels, centred on white."""
    drawn = np.argwhere(rgba[..., 3] > 12)
    (top, left), (bottom, right) = drawn.min(0), drawn.max(0) + 1
    cut = Image.fromarray(np.ascontiguousarray(rgba[top:bottom, left:right]))
    scale = INNER / max(cut.size)
    size = tuple(max(1, round(edge * scale)) for edge in cut.size)
    white = Image.new("RGBA", cut.size, "white")
    white.alpha_composite(cut)
    small = white.convert("RGB").resize((size[0], size[1]), Image.Resampling.LANCZOS, reducing_gap=None)
    picture = Image.new("RGB", (SIDE, SIDE), "white")
    picture.paste(small, ((SIDE - size[0]) // 2, (SIDE - size[1]) // 2))
    return np.asarray(picture)


@dataclass(frozen=True)
class Drawn:
    """pictures uint8 (N, 32, 32, 3) on white; labels (N,): the group; held (N,) bool; style (N,): index in STYLES."""

    pictures: np.ndarray
    labels: np.ndarray
    held: np.ndarray
    style: np.ndarray


@cache
def drawn() -> Drawn:
    """All drawings, from the cache or drawn anew."""
    file = cache_dir() / "emoji_groups.npz"
    if not file.exists():
        names = json.loads((emoji.fetch("words") / "meta" / "groups.json").read_text())["subgroups"]
        drawings = emoji.Drawings()
        chosen = members(emoji.words("en"), {int(k): v for k, v in names.items()})
        held_out = held_out_members([len(group) for group in chosen])
        rows: list[tuple[np.ndarray, int, bool, int]] = []
        for label, group in enumerate(chosen):
            for i, entry in enumerate(group):
                for style, name in enumerate(STYLES):
                    source = drawings.find(name, entry["hexcode"], entry["label"])
                    if source is not None:
                        rows.append((fitted(emoji.draw(source)), label, i in held_out[label], style))
        columns = dict(
            zip(("pictures", "labels", "held", "style"), map(np.array, zip(*rows, strict=True)), strict=True)
        )
        np.savez_compressed(file, allow_pickle=False, **columns)
    with np.load(file) as stored:
        return Drawn(stored["pictures"], stored["labels"], stored["held"], stored["style"])


# ---------------------------------------------------------------- batches


def batches() -> Callable[[torch.Generator, int], tuple[Tensor, Tensor]]:
    """Training drawings, mirrored half of the time and shifted by up to a pixel; a group's share is the square root
    of its size, so that small groups are not drowned."""
    whole = drawn()
    keep = ~whole.held
    pictures = torch.from_numpy(whole.pictures[keep].transpose(0, 3, 1, 2).copy()).float() / 127.5 - 1
    labels = torch.from_numpy(whole.labels[keep])
    padded = F.pad(pictures, (1, 1, 1, 1), value=1.0)
    chance = torch.bincount(labels).float().rsqrt()[labels]

    def batch_of(rng: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        chosen = torch.multinomial(chance, count, replacement=True, generator=rng)
        top, left, mirror = (torch.randint(n, (count,), generator=rng).tolist() for n in (3, 3, 2))
        cut = [
            padded[i, :, y : y + SIDE, x : x + SIDE].flip(2)
            if m
            else padded[i, :, y : y + SIDE, x : x + SIDE]
            for i, y, x, m in zip(chosen.tolist(), top, left, mirror, strict=True)
        ]
        return torch.stack(cut), labels[chosen]

    return batch_of


# ---------------------------------------------------------------- report


def facts() -> dict[str, Any]:
    """What the report says of classes and data."""
    whole = drawn()
    counts = np.bincount(whole.labels[~whole.held], minlength=len(GROUPS))
    used = [emoji.PACKAGES[key] for key in (*(s for s in STYLES if s in emoji.PACKAGES), "words")]
    return {
        "classes": [
            {"en": g.en, "zh": g.zh, "emoji": g.icon, "drawings": int(n)}
            for g, n in zip(GROUPS, counts, strict=True)
        ],
        "data": [
            {"package": p.name, "version": p.version, "licence": p.licence, "author": p.author} for p in used
        ],
        "styles": list(STYLES),
        "split": "models/training/emoji_groups.py: a tenth of each group's emoji, in all styles, is held out",
        "trained_on": int((~whole.held).sum()),
        "augmentation": "mirrored half of the time, shifted by up to a pixel",
        "licence": "CC-BY-SA-4.0",
        "neighbours": {"real": distances(whole.pictures[whole.held])[0]},
    }


def flat(pictures: np.ndarray) -> np.ndarray:
    """uint8 (N, 32, 32, 3) -> float32 (N, 3072) in 0 .. 1."""
    return pictures.reshape(len(pictures), -1).astype(np.float32) / 255.0


def neighbours(pictures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distance to the nearest training drawing or its mirror image, and that drawing's group. uint8 (N, 32, 32, 3)."""
    whole = drawn()
    train, labels = whole.pictures[~whole.held], whole.labels[~whole.held]
    among = np.concatenate([flat(train), flat(train[:, :, ::-1])])
    mine = flat(pictures)
    table = (mine**2).sum(1)[:, None] + (among**2).sum(1) - 2 * mine @ among.T
    best = table.argmin(1)
    return np.sqrt(((mine - among[best]) ** 2).sum(1)), np.tile(labels, 2)[best]


def distances(pictures: np.ndarray) -> tuple[dict[str, float], np.ndarray]:
    """5 % quantile, median and least of the distances to the nearest training drawing, and all of them."""
    found = neighbours(pictures)[0]
    return {
        "low": round(float(np.quantile(found, 0.05)), 4),
        "median": round(float(np.median(found)), 4),
        "least": round(float(found.min()), 4),
    }, found


def score(
    model: nn.Module, recipe: samples.Sampled, guidance: float, count: int = 500, seed: int = samples.SEED
) -> dict[str, Any]:
    """Is the nearest training drawing of the group asked for, how varied are samples, are they copies?"""
    count = min(count, 500)
    whole = drawn()
    asked = np.arange(count) % len(GROUPS)
    made = samples.ddim(model, recipe, asked, steps=50, guidance=guidance, seed=seed)
    as_bytes = ((made.transpose(0, 2, 3, 1) + 1) * 127.5).round().astype(np.uint8)
    held, held_labels = whole.pictures[whole.held], whole.labels[whole.held]
    by_neighbour, held_by_neighbour = neighbours(as_bytes)[1], neighbours(held)[1]
    (real, real_all), (mine, mine_all) = distances(held), distances(as_bytes)
    return {
        "metric": "share of samples whose nearest training drawing is of the group asked for",
        "samples": count,
        "sampler": "DDIM, 50 steps, eta 0",
        "guidance": guidance,
        "seed": seed,
        "nearest_in_group": round(float((by_neighbour == asked).mean()), 4),
        "nearest_in_group_by_class": [
            round(float((by_neighbour == asked)[asked == k].mean()), 3) for k in range(len(GROUPS))
        ],
        "nearest_in_group_of_held_out_drawings": round(float((held_by_neighbour == held_labels).mean()), 4),
        "diversity": "mean pairwise distance of pixels within a group over that of the training drawings",
        "diversity_pixels": samples.diversity(
            flat(as_bytes), asked, flat(whole.pictures[~whole.held]), whole.labels[~whole.held]
        ),
        "copies": {
            "distance": "Euclidean over pixels in 0 .. 1, to the nearest training drawing or its mirror image",
            "real": real,
            "samples": mine,
            "samples_below_real_5_percent": round(float((mine_all < np.quantile(real_all, 0.05)).mean()), 4),
            "samples_below_real_median": round(float((mine_all < np.median(real_all)).mean()), 4),
        },
    }


def write_file(columns: int = 40, quality: int = 60) -> None:
    """Write the training drawings for the app: one lossy WebP atlas in an npz."""
    whole = drawn()
    pictures, labels = whole.pictures[~whole.held], whole.labels[~whole.held]
    rows = -(-len(pictures) // columns)
    padded = np.full((rows * columns, SIDE, SIDE, 3), 255, np.uint8)
    padded[: len(pictures)] = pictures
    grid = padded.reshape(rows, columns, SIDE, SIDE, 3).transpose(0, 2, 1, 3, 4)
    buffer = io.BytesIO()
    Image.fromarray(grid.reshape(rows * SIDE, columns * SIDE, 3)).save(
        buffer, "WEBP", quality=quality, method=6
    )
    with FILE.open("wb") as file:
        np.savez(
            file,
            atlas=np.frombuffer(buffer.getvalue(), np.uint8),
            columns=np.int64(columns),
            labels=labels.astype(np.uint8),
            licence=np.array(
                "Twemoji CC-BY-4.0; Noto Apache-2.0; EmojiOne 1 CC-BY-SA-4.0; EmojiTwo CC-BY-4.0; "
                "Firefox OS Apache-2.0: shown under CC-BY-SA-4.0"
            ),
        )
    print(FILE.name, len(labels), "drawings,", FILE.stat().st_size, "bytes")


if __name__ == "__main__":
    write_file()

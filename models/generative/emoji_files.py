"""The drawings from which the emoji weights learned, to look for neighbours of a sample among them.

1 221 drawings of 32x32 pixels on white, lightly compressed. Twemoji (CC-BY-4.0), Noto (Apache-2.0), EmojiOne
(CC-BY-SA-4.0 and CC-BY-4.0) and Firefox OS (Apache-2.0): models/weights/ATTRIBUTION.md. Training also saw them
mirrored, so a neighbour should be looked for among both: `train_emoji(mirrored=True)`.
Written by `python -m models.training.emoji_groups`.
"""

from __future__ import annotations

import io
from functools import cache

import numpy as np
from PIL import Image

from models.generative.digit_files import FOLDER

SIDE = 32
TRAIN_FILE = FOLDER / "emoji_train.npz"


@cache
def train_emoji(mirrored: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """pictures uint8 (N, 32, 32, 3) and labels int64 (N,), the group. mirrored: and the mirror images after them.

    Read once; do not write into the arrays.
    """
    with np.load(TRAIN_FILE, allow_pickle=False) as file:
        labels, columns = file["labels"].astype(np.int64), int(file["columns"])
        atlas = np.asarray(Image.open(io.BytesIO(file["atlas"].tobytes())).convert("RGB"))
    tiles = atlas.reshape(-1, SIDE, columns, SIDE, 3).transpose(0, 2, 1, 3, 4).reshape(-1, SIDE, SIDE, 3)
    pictures = np.ascontiguousarray(tiles[: len(labels)])
    if mirrored:
        return np.concatenate([pictures, pictures[:, :, ::-1]]), np.concatenate([labels, labels])
    return pictures, labels

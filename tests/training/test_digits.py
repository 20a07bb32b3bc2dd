"""Digits: the rule that divides them, the files that ship, and the distances that tell a sample from a copy."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from models.generative import digit_files, emoji_files

# of the pictures as they ship: a change of the rule or of its seed would move digits between the halves
TRAIN, HELD_OUT = 4506, 496


def test_every_digit_is_in_one_part_only() -> None:
    digits = pytest.importorskip("models.training.digits")
    labels = np.repeat(np.arange(4), [30, 41, 20, 55])
    parts = digits.split_indices(labels)
    together = np.sort(np.concatenate(list(parts.values())))
    assert np.array_equal(together, np.arange(len(labels)))
    for label in range(4):
        counts = {name: int((labels[chosen] == label).sum()) for name, chosen in parts.items()}
        halves = counts["judge_train"] + counts["judge_held"], counts["train"] + counts["held"]
        assert abs(halves[0] - halves[1]) <= 1
        assert counts["held"] == halves[1] // 10 and counts["judge_held"] == halves[0] // 10


def test_the_split_is_the_same_for_ever() -> None:
    digits = pytest.importorskip("models.training.digits")
    labels = np.repeat(np.arange(10), 20)
    parts = digits.split_indices(labels)
    listed = ",".join(f"{name}:{chosen.tolist()}" for name, chosen in sorted(parts.items()))
    assert hashlib.sha256(listed.encode()).hexdigest().startswith("9d0cb055edbf9c54")
    other = digits.split_indices(labels, seed=1)
    assert not np.array_equal(other["train"], parts["train"])


def test_digits_that_ship() -> None:
    pictures, labels = digit_files.train_digits()
    held, held_labels = digit_files.held_out_digits()
    assert pictures.shape == (TRAIN, 28, 28) and pictures.dtype == np.uint8 and len(labels) == TRAIN
    assert held.shape == (HELD_OUT, 28, 28) and len(held_labels) == HELD_OUT
    assert set(labels) == set(held_labels) == set(range(10))
    assert pictures.max() == 255 and np.median(pictures) == 0  # white ink on black
    distance, index = digit_files.nearest(held, pictures)
    assert distance.min() > 0.5  # no held-out digit is among the training digits
    assert (labels[index[:, 0]] == held_labels).mean() > 0.9  # labels fit the pictures


def test_drawings_that_ship() -> None:
    pictures, labels = emoji_files.train_emoji()
    both, twice = emoji_files.train_emoji(mirrored=True)
    assert pictures.shape[1:] == (32, 32, 3) and pictures.dtype == np.uint8 and len(labels) == len(pictures)
    assert set(labels) == set(range(10)) and np.bincount(labels).min() >= 30
    assert pictures[:, 0].mean() > 245  # on white
    assert np.array_equal(both[len(pictures)], pictures[0, :, ::-1]) and np.array_equal(
        twice[: len(labels)], labels
    )


def test_atlas_keeps_sixteen_greys(tmp_path: Path) -> None:
    digits = pytest.importorskip("models.training.digits")
    pictures = np.random.default_rng(0).integers(0, 256, (103, 28, 28), dtype=np.uint8)
    path = tmp_path / "digits.npz"
    with path.open("wb") as file:
        atlas = np.frombuffer(digits.atlas_of(pictures), np.uint8)
        np.savez(file, atlas=atlas, columns=np.int64(digits.COLUMNS), labels=np.arange(103, dtype=np.uint8))
    back, labels = digit_files.read_digits(path)
    assert np.array_equal(labels, np.arange(103)) and back.shape == pictures.shape
    assert np.abs(back.astype(int) - pictures).max() <= 9


def test_nearest_is_exact_and_ordered() -> None:
    rng = np.random.default_rng(1)
    among = rng.integers(0, 256, (50, 28, 28), dtype=np.uint8)
    pictures = np.concatenate([among[[7]], rng.integers(0, 256, (4, 28, 28), dtype=np.uint8)])
    distance, index = digit_files.nearest(pictures, among, count=3, block=2)
    assert index[0, 0] == 7 and distance[0, 0] == 0
    all_of_them = np.sqrt(((pictures[:, None] / 255.0 - among / 255.0) ** 2).sum((2, 3)))
    assert np.allclose(distance, np.sort(all_of_them, axis=1)[:, :3], atol=1e-5)

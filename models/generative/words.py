"""How a text becomes numbers: English words and Chinese characters of one small fixed list. numpy only.

Marks of writing separate words and are otherwise ignored. What the list does not hold, digits and pictures such as
emoji among it, is reported, never guessed, but for an English plural, which is read as its singular, and for another
spelling of the same word.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PAD, START = 0, 1  # behind the end of a text; before its first word
SPECIAL = ("<pad>", "<start>")
PIECE = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]+|\d+|[^\w\s]")
SPELLED = {"gray": "grey"}


@dataclass(frozen=True)
class Encoded:
    """numbers (length,) int64: START, the known pieces, PAD. pieces: the word of each number that is not PAD.

    unknown: pieces that the list does not hold; cut: known pieces for which there was no room.
    """

    numbers: np.ndarray
    pieces: tuple[str, ...]
    unknown: tuple[str, ...]
    cut: tuple[str, ...]

    @property
    def kept(self) -> np.ndarray:
        """(length,) int64: 1 where there is a token to be read."""
        return (self.numbers != PAD).astype(np.int64)


def pieces_of(text: str) -> list[str]:
    """'A red-hot 猫! ☂' -> ['a', 'red', 'hot', '猫', '☂']. Letters of double width are letters."""
    found = PIECE.findall(unicodedata.normalize("NFKC", text).lower())
    return [piece for piece in found if piece[0].isalnum() or unicodedata.category(piece) == "So"]


@dataclass(frozen=True)
class Vocabulary:
    """The list: number of each piece."""

    numbers: Mapping[str, int]

    @classmethod
    def of(cls, pieces: Sequence[str]) -> Vocabulary:
        """Numbers in the order given, behind the special ones. Raises ValueError where a piece stands twice."""
        numbers = {piece: i for i, piece in enumerate((*SPECIAL, *pieces))}
        if len(numbers) != len(SPECIAL) + len(pieces):
            raise ValueError("a piece stands twice in the vocabulary")
        return cls(numbers)

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        """From a text file, one piece a line."""
        return cls.of(path.read_text(encoding="utf-8").split())

    def __len__(self) -> int:
        return len(self.numbers)

    def known(self, piece: str) -> str | None:
        """The piece under which the list holds it: itself, its other spelling, its singular; None where not."""
        piece = SPELLED.get(piece, piece)
        endings = ("", "s", "es") if piece.isascii() else ("",)
        for ending in endings:
            stem = piece.removesuffix(ending)
            if piece.endswith(ending) and stem in self.numbers:
                return stem
        return None

    def encode(self, text: str, length: int) -> Encoded:
        """Numbers of a text for a net that reads `length` tokens. The empty text is START alone."""
        found = [(piece, self.known(piece)) for piece in pieces_of(text)]
        known = [stem for _, stem in found if stem is not None]
        room = known[: length - 1]
        numbers = np.full(length, PAD, np.int64)
        numbers[0] = START
        numbers[1 : 1 + len(room)] = [self.numbers[stem] for stem in room]
        return Encoded(
            numbers,
            (SPECIAL[START], *room),
            tuple(piece for piece, stem in found if stem is None),
            tuple(known[length - 1 :]),
        )

"""Where the numbers of a flow stand on the picture: couplings, squeezing, and every moment laid out as 28 x 28. numpy.

Arrays of one picture, without a batch axis: (C, H, W). A number of a coupling belongs to one pixel; `lay` puts all
numbers of a moment at their pixels, those that are done already among them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.generative.realnvp_card import couplings


@dataclass(frozen=True)
class Layer:
    """Where a coupling stands. group: 0 to 4, each with one size and one kind of mask."""

    index: int
    channels: int
    side: int
    kind: str
    group: int

    @property
    def mask(self) -> np.ndarray:
        """float64 (C, H, W), 1 where a number stays."""
        shape = (self.channels, self.side, self.side)
        parity = self.index % 2
        if self.kind == "checkerboard":
            row, column = np.indices((self.side, self.side))
            return np.broadcast_to((row + column + parity) % 2, shape).astype(np.float64)
        half = (np.arange(self.channels) < self.channels // 2) == (parity == 0)
        return np.broadcast_to(half[:, None, None], shape).astype(np.float64)

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.channels, self.side, self.side


def layers(config: Mapping[str, Any]) -> tuple[Layer, ...]:
    """All couplings, from x to z."""
    each = config["couplings"]
    return tuple(Layer(i, c, side, kind, i // each) for i, c, side, _, kind in couplings(config))


# ---------------------------------------------------------------- numbers at their pixels


def squeeze(x: np.ndarray) -> np.ndarray:
    """(C, H, W) -> (4 C, H / 2, W / 2): channel 4 c + 2 r + s holds the pixels (2 i + r, 2 j + s)."""
    c, h, w = x.shape
    return x.reshape(c, h // 2, 2, w // 2, 2).transpose(0, 2, 4, 1, 3).reshape(4 * c, h // 2, w // 2)


def unsqueeze(x: np.ndarray) -> np.ndarray:
    """Undo `squeeze`."""
    c, h, w = x.shape
    return x.reshape(c // 4, 2, 2, h, w).transpose(0, 3, 1, 4, 2).reshape(c // 4, 2 * h, 2 * w)


def lay(part: np.ndarray, group: int, done: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """The numbers that a group of couplings still works on, and those split off before it, as (28, 28).

    done: what the two splits took away, each as large as what they left.
    """
    if group == 4:
        part = np.concatenate([done[1], part])
    if group >= 3:
        part = unsqueeze(part)
    if group >= 2:
        part = np.concatenate([done[0], part])
    return (unsqueeze(part) if group >= 1 else part)[0]


def nothing(side: int, value: float = np.nan) -> tuple[np.ndarray, np.ndarray]:
    """What stands for numbers that are done. side: of the whole picture."""
    return np.full((2, side // 2, side // 2), value), np.full((4, side // 4, side // 4), value)


def pixels(layer: Layer, whole: int) -> np.ndarray:
    """int64 (whole, whole): which number of the coupling stands at each pixel, -1 where it is done."""
    own = np.arange(np.prod(layer.shape), dtype=np.float64).reshape(layer.shape)
    return lay(own, layer.group, nothing(whole, -1.0)).astype(np.int64)


def state_before(
    taps: Mapping[str, np.ndarray], x: np.ndarray, found: Sequence[Layer], index: int
) -> np.ndarray:
    """What coupling `index` reads, (C, H, W), from the taps of the way there."""
    if index == 0:
        return x[0]
    before = taps[f"coupling.{index - 1}.state"][0]
    layer, last = found[index], found[index - 1]
    if layer.group == last.group:
        return before
    if layer.group in (1, 3):
        return squeeze(before)
    return before[len(before) // 2 :]


def depths(taps: Mapping[str, np.ndarray], x: np.ndarray, found: Sequence[Layer]) -> np.ndarray:
    """Every number at its pixel after 0, 1, … couplings: (K + 1, 28, 28)."""
    n = len(found) // 5
    done = tuple(
        part[: len(part) // 2]
        for part in (taps[f"coupling.{2 * n - 1}.state"][0], taps[f"coupling.{4 * n - 1}.state"][0])
    )
    after = [
        lay(taps[f"coupling.{layer.index}.state"][0], layer.group, (done[0], done[1])) for layer in found
    ]
    return np.stack([x[0, 0], *after])

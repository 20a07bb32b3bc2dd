"""A picture of one's own as the nets of the digits have to see it: small, white ink on black, as MNIST frames digits.

MNIST's rule (LeCun, Cortes, Burges, http://yann.lecun.com/exdb/mnist): the ink is scaled so that its longer side is 20
pixels, and its centre of mass is put into the middle of the field. numpy and Pillow only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

LONGER = 20  # pixels of the ink's longer side
INK = 0.25  # of the contrast: what is brighter belongs to the drawing
FLAT = 0.04  # of full contrast: a picture with less shows nothing
AFTER_MIDDLE = (
    0.5  # of a pixel: the mean digit of MNIST has its centre of mass in pixel 14 of 28, counted from 0
)
LIGHT = 0.8  # mean brightness of ink that is laid on black, not on white
WORKING = 256  # pixels: longest side while the ink is sought


@dataclass(frozen=True, eq=False)
class Framed:
    """grey: uint8 (side, side). inverted: the ink was dark on light. empty: there was nothing to see."""

    grey: np.ndarray
    inverted: bool
    empty: bool

    @property
    def input(self) -> np.ndarray:
        """(1, 1, side, side) float32 in [-1, 1], what a GAN's discriminator reads."""
        return (self.grey.astype(np.float32) / 127.5 - 1.0)[None, None]


def luma(image: np.ndarray) -> np.ndarray:
    """uint8 (H, W) or (H, W, 3) to float64 (H, W) in [0, 1] (Rec. 601 weights)."""
    values = image.astype(np.float64) / 255.0
    return values if values.ndim == 2 else values @ [0.299, 0.587, 0.114]


def light(image: np.ndarray, alpha: np.ndarray) -> bool:
    """Whether white would swallow what can be seen of a partly transparent picture. alpha: uint8 (H, W)."""
    share = alpha.astype(np.float64)
    return float((luma(image) * share).sum()) > LIGHT * float(share.sum())


def shrunk(image: np.ndarray) -> np.ndarray:
    """At most WORKING pixels a side, aspect kept (a side never falls below one pixel)."""
    height, width = image.shape[:2]
    scale = WORKING / max(height, width)
    if scale >= 1:
        return image
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return np.asarray(Image.fromarray(image).resize(size, Image.Resampling.BOX))


def framed(image: np.ndarray, side: int = 32) -> Framed:
    """uint8 (H, W) or (H, W, 3) of any size to side x side greys; side is at least LONGER."""
    grey = luma(shrunk(image))
    border = np.concatenate([grey[0], grey[-1], grey[:, 0], grey[:, -1]])
    inverted = bool(np.median(border) > 0.5)
    ink = 1.0 - grey if inverted else grey
    ground = float(np.median(1.0 - border if inverted else border))
    contrast = float(ink.max()) - ground
    if contrast < FLAT:
        return Framed(np.zeros((side, side), np.uint8), inverted, True)
    ink = np.clip((ink - ground) / contrast, 0.0, 1.0)
    rows, columns = np.flatnonzero((ink > INK).any(1)), np.flatnonzero((ink > INK).any(0))
    cut = ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    scale = LONGER / max(cut.shape)
    size = max(1, round(cut.shape[1] * scale)), max(1, round(cut.shape[0] * scale))
    small = Image.fromarray((cut * 255.0 + 0.5).astype(np.uint8)).resize(size, Image.Resampling.BICUBIC)
    return Framed(_centred(np.asarray(small), side), inverted, False)


def _centred(small: np.ndarray, side: int) -> np.ndarray:
    """Put a drawing (h, w) with its centre of mass into the middle of the field, moved back where it would leave it."""
    height, width = small.shape
    mass = small.astype(np.float64)
    total = mass.sum() or 1.0
    middle = side / 2 + AFTER_MIDDLE
    top = round(middle - float(mass.sum(1) @ (np.arange(height) + 0.5)) / total)
    left = round(middle - float(mass.sum(0) @ (np.arange(width) + 0.5)) / total)
    top, left = min(max(top, 0), side - height), min(max(left, 0), side - width)
    field = np.zeros((side, side), np.uint8)
    field[top : top + height, left : left + width] = small
    return field

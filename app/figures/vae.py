"""Drawings of the VAE page: sheets of digits, the map of a code of two numbers, the ellipse of a posterior.

numpy in, uint8 pictures or points out. Pictures of the nets lie in [0, 1], white ink on black.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from app.figures import dcgan
from app.figures.graph import class_colours

SIDE = 28
DIMMED = 0.62  # of the map's brightness while dots lie on it
INK = np.array([252.0, 240.0, 216.0])
GROUND = np.array([18.0, 22.0, 30.0])


def frames(pictures: np.ndarray) -> np.ndarray:
    """(N, 1, H, W) or (N, H, W) in [0, 1] to uint8 (N, H, W, 3)."""
    return dcgan.frames(2.0 * pictures - 1.0)


def sheet(pictures: np.ndarray, columns: int) -> dcgan.Sheet:
    """Pictures (N, H, W) in [0, 1] row by row, with a grey gap between them."""
    return dcgan.sheet(2.0 * pictures - 1.0, columns)


@dataclass(frozen=True)
class Map:
    """The square of codes (z1, z2) around a middle, cut into cells x cells tiles; z2 grows upwards.

    reach: half a side. The middle of every tile is the code that it is decoded from.
    """

    middle: tuple[float, float]
    reach: float
    cells: int

    @property
    def side(self) -> int:
        """Pixels of a side."""
        return self.cells * SIDE

    def codes(self) -> np.ndarray:
        """(cells², 2) float32: the codes of the tiles, row by row from the top."""
        at = (np.arange(self.cells) + 0.5) / self.cells * 2 - 1
        across, up = np.meshgrid(at, -at)
        grid = np.stack([across, up], axis=-1).reshape(-1, 2) * self.reach
        return (grid + np.array(self.middle)).astype(np.float32)

    def pixel(self, codes: np.ndarray) -> np.ndarray:
        """Codes (..., 2) to places (x, y) of the picture, float64."""
        share = (np.asarray(codes, np.float64) - np.array(self.middle)) / self.reach
        return (share * np.array([1.0, -1.0]) + 1) / 2 * self.side

    def code(self, x: float, y: float) -> np.ndarray:
        """The inverse of `pixel`, at the middle of a pixel: (2,) float32."""
        share = np.array([x + 0.5, y + 0.5]) / self.side * 2 - 1
        return (share * np.array([1.0, -1.0]) * self.reach + np.array(self.middle)).astype(np.float32)


def around(codes: np.ndarray, cells: int, share: float = 99.0) -> Map:
    """A map that holds nearly all codes (N, 2): a square around the middle of them."""
    low, high = np.percentile(codes, [(100 - share) / 2, (100 + share) / 2], axis=0)
    middle = (low + high) / 2
    reach = float((high - low).max()) / 2 * 1.08
    return Map((float(middle[0]), float(middle[1])), max(reach, 1e-3), cells)


def painted(tiles: np.ndarray, place: Map, codes: np.ndarray | None, labels: np.ndarray | None) -> np.ndarray:
    """The decoded tiles (cells², H, W) in [0, 1] as one picture; codes (N, 2) as dots in their class's colour."""
    n = place.cells
    grey = tiles.reshape(n, n, SIDE, SIDE).transpose(0, 2, 1, 3).reshape(place.side, place.side)
    level = np.clip(grey, 0, 1)[..., None] * (1.0 if codes is None else DIMMED)
    image = (GROUND + (INK - GROUND) * level + 0.5).astype(np.uint8)
    if codes is None or labels is None:
        return image
    canvas = Image.fromarray(image)
    pen = ImageDraw.Draw(canvas)
    colours = class_colours(10)
    for (x, y), label in zip(place.pixel(codes).tolist(), labels.tolist(), strict=True):
        red, green, blue = (int(v) for v in colours[label])
        pen.ellipse((x - 4, y - 4, x + 4, y + 4), fill=(red, green, blue), outline=(12, 14, 18))
    return np.asarray(canvas)


def ellipse(mean: np.ndarray, sigma: np.ndarray, times: float = 2.0, points: int = 48) -> np.ndarray:
    """(points, 2): the line of `times` standard deviations of a normal with independent parts. mean, sigma (2,)."""
    angle = np.linspace(0, 2 * np.pi, points, endpoint=False)
    return mean + times * sigma * np.stack([np.cos(angle), np.sin(angle)], axis=-1)

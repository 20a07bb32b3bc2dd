"""Points of the plane over a surface of probabilities, as small pictures for a film. numpy in, uint8 out.

Blue is where D is near 1 (it says real), orange where it is near 0. Real points are dark blue, generated ones dark
orange, both with a light rim, so that they differ in lightness from any surface below them.
"""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageDraw

from app.figures.colour import colormap

SIDE = 264  # pixels of a frame
FINE = 2  # points are drawn so much larger and shrunk: smooth edges
PALE = 0.45  # how far the surface is mixed with white, so that points stand out
REAL, GENERATED, RIM, ARROW = (16, 54, 104), (150, 58, 6), (255, 255, 255), (70, 30, 10)


def surface(values: np.ndarray, side: int = SIDE) -> np.ndarray:
    """Probabilities (rows from below, columns) to uint8 (side, side, 3), smoothly enlarged, y upwards."""
    image = Image.fromarray(values[::-1].astype(np.float32)).resize((side, side), Image.Resampling.BICUBIC)
    colours = colormap(0.5 - np.clip(np.asarray(image), 0.0, 1.0), "diverging", (-0.5, 0.5))
    return (colours + PALE * (255.0 - colours)).astype(np.uint8)


def contour(values: np.ndarray, image: np.ndarray, level: float = 0.5) -> np.ndarray:
    """The picture with a thin dark line where the surface crosses a level: the places that D cannot decide."""
    side = len(image)
    large = Image.fromarray(values[::-1].astype(np.float32)).resize((side, side), Image.Resampling.BICUBIC)
    above = np.asarray(large) > level
    edge = np.zeros_like(above)
    edge[:, 1:] |= above[:, 1:] != above[:, :-1]
    edge[1:] |= above[1:] != above[:-1]
    drawn = image.copy()
    drawn[edge] = (drawn[edge] * 0.45).astype(np.uint8)
    return drawn


def places(points: np.ndarray, reach: float, side: int) -> np.ndarray:
    """Coordinates in [-reach, reach]², y up, to pixels (x, y) with y down."""
    return (np.asarray(points, np.float64) * [1, -1] / reach + 1) * 0.5 * side


def dots(points: np.ndarray, reach: float, colour: tuple[int, int, int], side: int = SIDE) -> Image.Image:
    """Points on a transparent ground, RGBA of side x side."""
    return _drawn(points, None, reach, colour, side)


def pushed(points: np.ndarray, pull: np.ndarray, reach: float, side: int = SIDE) -> Image.Image:
    """Generated points, each with a stroke towards where it is pulled, RGBA of side x side."""
    return _drawn(points, pull, reach, GENERATED, side)


def _drawn(
    points: np.ndarray, pull: np.ndarray | None, reach: float, colour: tuple[int, int, int], side: int
) -> Image.Image:
    large, radius = side * FINE, 2.6 * FINE
    sheet = Image.new("RGBA", (large, large), (*colour, 0))
    pen = ImageDraw.Draw(sheet)
    at = places(points, reach, large)
    if pull is not None:
        ends = at + arrows(pull, reach, large)
        for start, end in zip(at.tolist(), ends.tolist(), strict=True):
            pen.line((*start, *end), fill=(*ARROW, 190), width=FINE)
    for x, y in at.tolist():
        box = (x - radius, y - radius, x + radius, y + radius)
        pen.ellipse(box, fill=(*colour, 255), outline=(*RIM, 210), width=FINE)
    return sheet.resize((side, side), Image.Resampling.BOX)


def arrows(pull: np.ndarray, reach: float, side: int, longest: float = 0.22) -> np.ndarray:
    """Directions in pixels: the strongest is `longest` in the plane's units, weak ones keep a root of their share."""
    size = np.linalg.norm(pull, axis=1, keepdims=True)
    top = float(size.max(initial=0))
    if not np.isfinite(top) or top <= 0:
        return np.zeros_like(pull, dtype=np.float64)
    return pull / np.maximum(size, 1e-12) * np.sqrt(size / top) * longest * [1, -1] / reach * 0.5 * side


def laid(ground: np.ndarray, *sheets: Image.Image) -> np.ndarray:
    """Sheets of points over a surface, one after the other, uint8 (side, side, 3)."""
    base = Image.fromarray(ground).convert("RGBA")
    for sheet in sheets:
        base.alpha_composite(sheet)
    return np.asarray(base.convert("RGB"))

"""What was drawn with a pen, as points or as a small grey picture.

A stroke is an array (n, 2) of x and y in [0, 1], y downward as on a screen. Places are those of a plot instead: in
[-REACH, REACH]², y upward.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

REACH = 1.6
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
MOST_PLACES = 96  # of a drawing, in a link
OVER = 8  # a grey picture is drawn so many times larger and averaged: soft edges


def points_of(strokes: Sequence[np.ndarray]) -> np.ndarray:
    """All points (N, 2) in [0, 1], y upward as in a plot."""
    if not strokes:
        return np.zeros((0, 2))
    points = np.concatenate([np.asarray(s, np.float64).reshape(-1, 2) for s in strokes])
    return np.stack([points[:, 0], 1.0 - points[:, 1]], -1)


def grey(strokes: Sequence[np.ndarray], size: int = 28, brush: float = 0.09) -> np.ndarray:
    """White strokes on black, uint8 (size, size). brush: width of the line, the side of the picture being 1."""
    side = size * OVER
    picture = Image.new("L", (side, side))
    pen, radius = ImageDraw.Draw(picture), max(0.5, brush * side / 2)
    for stroke in strokes:
        places = [(float(x) * side, float(y) * side) for x, y in stroke]
        if len(places) > 1:
            pen.line(places, fill=255, width=round(2 * radius), joint="curve")
        for x, y in places:
            pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=255)
    return np.asarray(picture.reduce(OVER))


def like_mnist(strokes: Sequence[np.ndarray], brush: float = 0.09) -> np.ndarray:
    """The strokes as MNIST holds its digits, uint8 (28, 28): 20 pixels large, centred by mass; black for none.

    The recipe is the one of MNIST's authors (http://yann.lecun.com/exdb/mnist/): aspect kept, anti-aliased.
    """
    drawn = [np.asarray(s, np.float64).reshape(-1, 2) for s in strokes if len(s)]
    if not drawn:
        return np.zeros((28, 28), np.uint8)
    everything = np.concatenate(drawn)
    low, high = everything.min(0), everything.max(0)
    middle, extent = (low + high) / 2, float((high - low).max())
    # the pen grows and shrinks with the digit, within what MNIST's pens do
    width = float(np.clip(brush * 20 / 28 / (extent + brush), 0.07, 0.12))
    scale = (20 / 28 - width) / max(extent, 1e-6)
    centred = [(s - middle) * scale + 0.5 for s in drawn]
    picture = grey(centred, 28, width).astype(np.float64)
    rows, columns = np.mgrid[0:28, 0:28] + 0.5
    mass = picture.sum()
    off = np.array([(picture * columns).sum() / mass, (picture * rows).sum() / mass]) / 28 - 0.5
    edge = 0.5 - 10 / 28  # the digit stays within the picture
    return grey([s - np.clip(off, -edge, edge) for s in centred], 28, width)


def write_places(places: Sequence[tuple[float, float]]) -> str:
    """Places in [-REACH, REACH]² as two letters each, at most MOST_PLACES of them, thinned evenly."""
    count = min(len(places), MOST_PLACES)
    keep: list[int] = np.linspace(0, len(places) - 1, count).round().astype(int).tolist() if count else []
    cells = [np.clip(np.round((np.asarray(places[i]) / REACH + 1) * 31.5), 0, 63).astype(int) for i in keep]
    return "".join(LETTERS[c] for cell in cells for c in cell)


def read_places(raw: str) -> tuple[tuple[float, float], ...]:
    """The inverse of `write_places`, to 1/32 of the reach. Raises ValueError."""
    if len(raw) % 2 or len(raw) > 2 * MOST_PLACES or not set(raw) <= set(LETTERS):
        raise ValueError(raw)
    values = [(LETTERS.index(c) / 31.5 - 1) * REACH for c in raw]
    return tuple(zip(values[::2], values[1::2], strict=True))

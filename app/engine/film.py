"""A trajectory as a file that plays anywhere: animated WebP (small, exact colours) or GIF (opens everywhere).

film(frames_of(path, samples=[0, 1]), "GIF")

There is no MP4: a codec for it would be larger than the rest of the app, and players smear the noise it shows.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence

import numpy as np
from PIL import Image

from app.engine.base import EngineError
from app.engine.diffuse import Path

FORMATS = ("GIF", "WEBP")
MIME = {"GIF": "image/gif", "WEBP": "image/webp"}
AREA = 100_000  # small pictures are enlarged by whole pixels to about so many
LONG_SIDE = 720  # but no side beyond this
MAX_SIDE = 4096
MAX_FRAMES = 100  # more only make the file larger: this many play at 20 a second
LEAST_MS = 20  # browsers slow a frame down that is shorter
GAP = 1  # white pixels between pictures, before enlarging
NOISE_RANGE = 3.0  # epsilon of -3 is black, of 3 white


def film(
    frames: np.ndarray, format: str = "WEBP", seconds: float = 5.0, hold: float = 1.5, scale: int = 0
) -> bytes:
    """The file of an endless film.

    frames: (S, H, W) or (S, H, W, 3) uint8; of more than 100, 100 are taken evenly. seconds: how long all frames take;
    hold: how much longer the last one stays. scale: whole enlargement of the pixels, 0 for one that suits a screen.
    Raises EngineError("diffuse.film") for no frames or too large ones, ("diffuse.choice") for another format.
    """
    frames = np.asarray(frames)
    if format not in FORMATS:
        raise EngineError("diffuse.choice", name="format", value=format, known=", ".join(FORMATS))
    grey_or_colour = frames.ndim == 3 or (frames.ndim == 4 and frames.shape[3] == 3)
    if frames.dtype != np.uint8 or not grey_or_colour or not frames.size or max(frames.shape[1:3]) > MAX_SIDE:
        raise EngineError("diffuse.film", least=1, most=MAX_SIDE)
    frames = frames[evenly(len(frames), MAX_FRAMES)]
    times = durations(len(frames), seconds, hold)
    frames, times = merged(frames, times)
    scale = scale or enlargement(*frames.shape[1:3])
    pictures = [_picture(frame, scale, format) for frame in frames]
    rest = {"save_all": True, "append_images": pictures[1:], "duration": times, "loop": 0}
    buffer = io.BytesIO()
    if format == "WEBP":
        pictures[0].save(buffer, "WEBP", lossless=True, quality=0, method=0, **rest)
    else:
        pictures[0].save(buffer, "GIF", optimize=False, disposal=1, **rest)
    return buffer.getvalue()


def evenly(count: int, most: int) -> np.ndarray:
    """Indices of at most so many of `count` frames, the first and the last among them."""
    return np.linspace(0, count - 1, min(count, most)).round().astype(int)


def durations(count: int, seconds: float, hold: float) -> list[int]:
    """Milliseconds of each frame, in the hundredths of a second that GIF knows; together seconds + hold."""
    ends = np.round(np.arange(1, count + 1) * max(seconds * 100 / count, LEAST_MS / 10)).astype(int)
    ends[-1] += round(hold * 100)
    return (10 * np.diff(ends, prepend=0)).tolist()


def merged(frames: np.ndarray, times: Sequence[int]) -> tuple[np.ndarray, list[int]]:
    """Equal frames in a row as one that lasts as long, as GIF stores them anyway."""
    kept: list[int] = []
    lasting: list[int] = []
    for i, ms in enumerate(times):
        if kept and np.array_equal(frames[kept[-1]], frames[i]):
            lasting[-1] += ms
        else:
            kept.append(i)
            lasting.append(ms)
    return frames[kept], lasting


def enlargement(height: int, width: int) -> int:
    """Whole factor that brings a picture to about 100 000 pixels, and its longer side to no more than 720."""
    return max(1, min(round(math.sqrt(AREA / (height * width))), LONG_SIDE // max(height, width)))


def _picture(frame: np.ndarray, scale: int, format: str) -> Image.Image:
    picture = Image.fromarray(frame)
    if format == "GIF" and picture.mode == "RGB":
        # one palette a frame, from its own pixels before they are enlarged; speckles of dithering would look like noise
        picture = picture.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    elif format == "WEBP":
        picture = picture.convert("RGB")
    size = (picture.width * scale, picture.height * scale)
    return picture.resize(size, Image.Resampling.NEAREST)


# ---------------------------------------------------------------- frames of a path


def frames_of(path: Path, samples: Sequence[int] | None = None, show: Sequence[str] = ("x",)) -> np.ndarray:
    """A path as pictures, (S + 1, H, W, 3) uint8, or (S + 1, H, W) where the model is grey.

    One row for each of `show` ("x", "x0", "epsilon"), one column for each of `samples` (all by default). The last
    frame is the finished picture, beside the last x0 and epsilon.
    """
    chosen = list(range(path.x.shape[1])) if samples is None else list(samples)
    rows = []
    for what in show:
        values = getattr(path, what)[:, chosen]
        if what != "x":
            values = np.concatenate([values, values[-1:]])
        rows.append(_row(to_pixels(values / NOISE_RANGE if what == "epsilon" else values)))
    gap = np.full((len(rows[0]), GAP, *rows[0].shape[2:]), 255, np.uint8)
    return np.concatenate([part for row in rows for part in (gap, row)][1:], axis=1)


def to_pixels(x: np.ndarray) -> np.ndarray:
    """(..., C, H, W) in [-1, 1] -> (..., H, W) grey or (..., H, W, 3) uint8, clipped and rounded."""
    y = np.clip((x + 1) * 127.5, 0, 255).round().astype(np.uint8)
    return y[..., 0, :, :] if x.shape[-3] == 1 else np.moveaxis(y, -3, -1)


def _row(pictures: np.ndarray) -> np.ndarray:
    """(S, N, H, W[, 3]) -> (S, H, N * W + gaps[, 3])."""
    gap = np.full((len(pictures), pictures.shape[2], GAP, *pictures.shape[4:]), 255, np.uint8)
    columns = [part for i in range(pictures.shape[1]) for part in (gap, pictures[:, i])]
    return np.concatenate(columns[1:], axis=2)

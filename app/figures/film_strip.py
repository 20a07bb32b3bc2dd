"""Frames on their way to the browser: every step of a path on one sheet, so that a slider needs no server.

A strip is what stands at one place of the page while the step changes: x_t, say, or the predicted x_0. Its frames
lie row by row on a sheet, one file a strip, all files together at most `LIMIT` bytes. Small nets make pictures of
28 pixels and noise hardly compresses: such frames go at their own size, as PNG where that fits, and the browser
enlarges them.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

LIMIT = 2_000_000  # bytes of all sheets of one scrubber
MAX_STEPS = 200
SIDE = 8192  # longest side of a sheet: every browser's canvas takes it
AREA = 12_000_000  # pixels of all sheets: the memory of a small phone
SMALLEST = 24  # pixels: smaller frames show nothing any more
LADDER = ((92, 0), (85, 0), (76, 2), (64, 2), (50, 2))  # JPEG quality, and Pillow's chroma subsampling
GAP = 128  # the grey between the samples of a frame, visible on light and on dark


@dataclass(frozen=True, eq=False)
class Strip:
    """What stands at one place while the step changes.

    id: names it in a pick. label: the words over it. frames: one picture a step, uint8 or floats in [0, 1]:
    (S, H, W) grey, (S, H, W, 1 or 3), or (S, N, H, W, 1 or 3) for N samples side by side in each frame.
    """

    id: str
    label: str
    frames: Any


@dataclass(frozen=True)
class Mosaic:
    """How N samples of height x width lie in a frame: row by row, `gap` pixels apart."""

    count: int
    height: int
    width: int
    columns: int
    gap: int = 1

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of the frame."""
        rows = -(-self.count // self.columns)
        return (
            rows * (self.height + self.gap) - self.gap,
            self.columns * (self.width + self.gap) - self.gap,
        )

    def corner(self, sample: int) -> tuple[int, int]:
        """(row, column) of a sample's first pixel."""
        row, column = divmod(sample, self.columns)
        return row * (self.height + self.gap), column * (self.width + self.gap)

    def at(self, x: int, y: int) -> tuple[int, int, int] | None:
        """(sample, x, y) of a pixel of the frame, counted from the sample's corner; None between samples."""
        column, dx = divmod(x, self.width + self.gap)
        row, dy = divmod(y, self.height + self.gap)
        sample = row * self.columns + column
        if min(x, y) < 0 or column >= self.columns or sample >= self.count:
            return None
        return (sample, dx, dy) if dx < self.width and dy < self.height else None


@dataclass(frozen=True)
class Sheet:
    """The frames of a strip in one file.

    columns: frames a row. width, height: of a frame as packed. step_x, step_y: from one frame to the next.
    """

    data: bytes
    mime: str
    columns: int
    width: int
    height: int
    step_x: int
    step_y: int
    sheet_width: int
    sheet_height: int


def columns_of(samples: int) -> int:
    """Samples side by side in a frame: a row of up to three, else about a square."""
    return samples if samples <= 3 else int(np.ceil(np.sqrt(samples)))


def mosaic_of(frames: np.ndarray, columns: int | None = None) -> Mosaic | None:
    """The layout of frames (S, N, H, W, C); None for frames of one picture each."""
    if frames.ndim != 5:
        return None
    _, n, height, width, _ = frames.shape
    return Mosaic(n, height, width, columns or columns_of(n), max(1, round(min(height, width) / 28)))


def as_frames(frames: Any) -> np.ndarray:
    """uint8 (S, H, W) where all is grey, else (S, H, W, 3); (S, N, H, W, 1 or 3) keeps its samples.

    Raises ValueError for other shapes and types, and for nothing at all.
    """
    array = np.asarray(frames)
    if np.issubdtype(array.dtype, np.floating):
        array = (np.clip(np.nan_to_num(array), 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)
    elif array.dtype == np.bool_:
        array = array.astype(np.uint8) * 255
    if array.dtype != np.uint8:
        raise ValueError(f"frames hold uint8, bool or floats in [0, 1], not {array.dtype}")
    if 0 in array.shape or array.ndim not in (3, 4, 5) or (array.ndim > 3 and array.shape[-1] not in (1, 3)):
        raise ValueError(
            f"frames are (S, H, W), (S, H, W, 1 or 3) or (S, N, H, W, 1 or 3), not {array.shape}"
        )
    if array.ndim > 3 and array.shape[-1] == 3 and (array[..., :1] == array).all():
        array = array[..., :1]
    return array[..., 0] if array.ndim == 4 and array.shape[-1] == 1 else array


def flat(frames: np.ndarray, mosaic: Mosaic | None) -> np.ndarray:
    """Frames of one picture each: (S, N, H, W, C) laid out as the mosaic says."""
    if mosaic is None:
        return frames
    steps, channels = frames.shape[0], frames.shape[-1]
    out = np.full((steps, *mosaic.size, channels), GAP, np.uint8)
    for sample in range(mosaic.count):
        y, x = mosaic.corner(sample)
        out[:, y : y + mosaic.height, x : x + mosaic.width] = frames[:, sample]
    return out[..., 0] if channels == 1 else out


def columns_for(count: int, width: int, height: int) -> int:
    """Frames in a row such that the sheet is about square and no side exceeds SIDE; 0 where none fits."""
    best, best_side = 0, float("inf")
    for columns in range(1, count + 1):
        side = max(columns * width, -(-count // columns) * height)
        if side <= SIDE and side < best_side:
            best, best_side = columns, side
    return best


def lay_out(frames: np.ndarray, block: int) -> tuple[np.ndarray, int, int, int] | None:
    """(sheet, columns, step_x, step_y): frames row by row; None where no sheet takes them.

    block: JPEG codes squares of so many pixels: a frame is drawn out to whole ones, lest neighbours bleed into it.
    """
    count, h, w = frames.shape[:3]
    step_x, step_y = -(-w // block) * block, -(-h // block) * block
    columns = columns_for(count, step_x, step_y)
    if not columns:
        return None
    spread = [(0, 0), (0, step_y - h), (0, step_x - w)] + [(0, 0)] * (frames.ndim - 3)
    wide = np.pad(frames, spread, mode="edge")
    sheet = np.zeros((-(-count // columns) * step_y, columns * step_x, *frames.shape[3:]), np.uint8)
    for i, frame in enumerate(wide):
        y, x = (i // columns) * step_y, (i % columns) * step_x
        sheet[y : y + step_y, x : x + step_x] = frame
    return sheet, columns, step_x, step_y


def _encode(frames: np.ndarray, quality: int | None, chroma: int = 0) -> Sheet | None:
    """One sheet as JPEG of a quality, as PNG for None; None where no sheet takes the frames."""
    grey = frames.ndim == 3
    laid = lay_out(frames, 1 if quality is None else 16 if chroma and not grey else 8)
    if laid is None:
        return None
    sheet, columns, step_x, step_y = laid
    out = io.BytesIO()
    if quality is None:
        Image.fromarray(sheet).save(out, "PNG", compress_level=4)
    else:
        Image.fromarray(sheet).save(out, "JPEG", quality=quality, subsampling=0 if grey else chroma)
    height, width = frames.shape[1:3]
    mime = "image/png" if quality is None else "image/jpeg"
    return Sheet(out.getvalue(), mime, columns, width, height, step_x, step_y, sheet.shape[1], sheet.shape[0])


def _scaled(frames: np.ndarray, scale: float) -> np.ndarray:
    if scale >= 1.0:
        return frames
    h, w = (max(1, int(side * scale)) for side in frames.shape[1:3])
    return np.stack([np.asarray(Image.fromarray(f).resize((w, h), Image.Resampling.LANCZOS)) for f in frames])


def _tries(
    frames: Sequence[np.ndarray], exact: bool, alike: bool, limit: int
) -> Iterator[list[Sheet] | None]:
    """All strips at falling quality: PNG first where it may fit, and kept where it is the smaller file."""
    small = [exact or f.size <= 300_000 for f in frames]
    png = [
        _encode(f, None) if s and f.size <= 4 * limit else None for f, s in zip(frames, small, strict=True)
    ]
    if all(sheet is not None for sheet in png):
        yield [sheet for sheet in png if sheet is not None]
    for quality, chroma in LADDER:
        made = [_encode(f, quality, chroma) for f in frames]
        if any(sheet is None for sheet in made):
            yield None
            return
        yield [
            a if a is not None and not alike and len(a.data) <= len(b.data) else b
            for a, b in zip(png, made, strict=True)
            if b is not None
        ]


def pack(
    strips: Sequence[np.ndarray], limit: int = LIMIT, pixelated: bool = True, alike: bool = False
) -> list[Sheet]:
    """The sheets of strips (S, H, W) or (S, H, W, 3), together at most `limit` bytes.

    Quality falls first, for all strips alike, then the size of the frames. pixelated: pixels are shown as squares,
    so PNG is tried even where it is large. alike: one file format for all strips, so that equal frames of two of them
    are equal when they arrive. Raises ValueError for no strips, for strips of different or too many
    steps, and where even frames of SMALLEST pixels do not fit.
    """
    counts = {len(s) for s in strips}
    if len(counts) != 1:
        raise ValueError(f"a scrubber needs strips of equally many frames, not {sorted(counts)}")
    if max(counts) > MAX_STEPS:
        raise ValueError(f"{max(counts)} steps are more than the {MAX_STEPS} that a scrubber shows")
    area = sum(s.shape[0] * s.shape[1] * s.shape[2] for s in strips)
    scale = min(1.0, (AREA / area) ** 0.5)
    while True:
        sized = [_scaled(s, scale) for s in strips]
        size = 0
        for sheets in _tries(sized, pixelated, alike, limit):
            size = 0 if sheets is None else sum(len(sheet.data) for sheet in sheets)
            if sheets is not None and size <= limit:
                return sheets
        # bytes go about with the area; aim a little lower
        scale *= min(0.9, max(0.4, 0.95 * (limit / size) ** 0.5)) if size else 0.8
        if min(min(s.shape[1:3]) for s in strips) * scale < SMALLEST:
            raise ValueError(f"{max(counts)} frames of {len(strips)} strips do not fit into {limit} bytes")

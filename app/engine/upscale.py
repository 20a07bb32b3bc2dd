"""Upscale a picture of any size with a super-resolution model: tile by tile, with progress, bounded memory.

for step in upscale(model, image):
    print(step.done, step.total, step.eta)
step.result  # (scale*H, scale*W, 3) uint8
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from app.engine import Cancel, EngineError, Model, run
from app.engine.tiles import Span, Tile, cut, reach, reflected, up_to
from app.settings import settings

TILE_BYTES = 400e6  # what a tile's activations may take at once; the promise is 600 MB above idle
CPU_TILE, CUDA_TILE = 320, 384  # larger ones gain nothing (measured), and progress would come in bigger steps
OVERLAP = 32  # at most so many pixels of a tile are given up at an inner border; see `overlap_of`


@dataclass(frozen=True)
class Plan:
    """What upscaling will take. tiles: each with the rows and columns it reads and keeps. seconds_estimate: from a
    measured tile of this model on this machine, nobody else waiting."""

    tiles: list[Tile]
    output_bytes: int
    seconds_estimate: float
    megapixels: float  # of the output
    tile: int
    overlap: int


@dataclass(frozen=True)
class Progress:
    """After `done` of `total` tiles: seconds so far, seconds still to go, and at the end the result."""

    done: int
    total: int
    seconds: float
    eta: float
    result: np.ndarray | None = None


def scale_of(model: Model) -> int:
    return int(model.config["scale"])


def window_of(model: Model) -> int:
    return model.card.inputs[0].multiple_of


def overlap_of(model: Model) -> int:
    """Pixels of a tile to give up at each inner border: a window and two pixels a layer, at most 32.

    Beyond `reach` (40 for the embedded weights, 160 for the classical ones) the answer is exactly the whole picture's,
    but a border's trace fades long before. The largest difference to the whole at the overlap chosen, in 1/255, on
    photographs and on black-and-white noise: embedded x2 (24) 0.001 and 0.003, where 16 gives 0.05 and 0.22;
    lightweight and classical (32) with random weights that make attention sharp 0.02.
    """
    window = window_of(model)
    wanted = min(OVERLAP, window + 2 * sum(model.config["depths"]), reach(model.config))
    return up_to(wanted, window)


def bytes_per_pixel(model: Model) -> float:
    """Memory that a run takes for each pixel of its input, from the sizes of what lives at once in float32.

    In a layer: scores and weights of every head, eight times the tokens (qkv, the MLP's middle, copies). In the head:
    two maps at the output's size. The factor is measured: ONNX Runtime's arena rounds up, PyTorch keeps more.
    """
    config = model.config
    window, dim = min(config["window_size"], config.get("img_size", 64)), config["embed_dim"]
    layer = 2 * max(config["num_heads"]) * window * window + 8 * dim
    wide = config["upsampler"] in ("pixelshuffle", "nearest+conv")
    head = 2 * config.get("num_feat", 64) * scale_of(model) ** 2 + 3 * dim if wide else 0
    return 4 * max(layer, head) * (1.4 if model.engine == "onnx" else 2.1)


def tile_of(model: Model, overlap: int) -> int:
    """Side of a tile: as large as memory lets it be and as serves speed; settings may say otherwise."""
    window = window_of(model)
    wanted = settings().tile
    if not wanted:
        on_cpu = model.device == "CPU"
        by_memory = min(CPU_TILE, math.sqrt(TILE_BYTES / bytes_per_pixel(model))) if on_cpu else CUDA_TILE
        wanted = int(min(by_memory, math.sqrt(settings().max_run_megapixels * 1e6)))
    return max(wanted // window * window, 2 * overlap + window)


def measure(model: Model) -> float:
    """Seconds for each pixel of a tile: of the last tile that was run, or else of a small one run now."""
    if "seconds_per_pixel" not in model.notes:
        for side in (4 * window_of(model), 8 * window_of(model)):
            seconds = run(model, {"image": np.full((1, 3, side, side), 0.5, np.float32)}).seconds
            model.notes["seconds_per_pixel"] = seconds / side**2
            if seconds > 0.2:  # a large net: do not keep the user waiting for a better guess
                break
    return float(model.notes["seconds_per_pixel"])


def plan(height: int, width: int, model: Model, tile: int | None = None, overlap: int | None = None) -> Plan:
    """How a picture of this size would be upscaled, and how long that takes.

    Raises EngineError("upscale.too_large") where the output has more megapixels than settings allow.
    """
    scale = scale_of(model)
    megapixels, limit = height * width * scale**2 / 1e6, settings().max_output_megapixels
    if megapixels > limit:
        raise EngineError(
            "upscale.too_large",
            megapixels=round(megapixels, 1),
            limit=limit,
            input_limit=round(limit / scale**2, 1),
        )
    overlap = overlap_of(model) if overlap is None else overlap
    tile = tile_of(model, overlap) if tile is None else tile
    tiles = cut(height, width, window_of(model), tile, overlap)
    seconds = measure(model) * sum(t.pixels for t in tiles)
    return Plan(tiles, height * width * scale**2 * 3, seconds, megapixels, tile, overlap)


def upscale(
    model: Model,
    image: np.ndarray,
    cancel: Cancel | None = None,
    mask_strength: float = 1.0,
    tile: int | None = None,
    overlap: int | None = None,
) -> Iterator[Progress]:
    """Upscale an image (H, W, 3), uint8 or float in [0, 1]. Yields after every tile; the last item has the result.

    The result is uint8 (scale*H, scale*W, 3), equal to the whole picture run at once. With mask_strength below 1 the
    shifted windows of a tile's own edge leak into each other, so that only a picture of one tile equals the whole.
    Each tile is one turn in the model's queue. Raises Cancelled, EngineError as `plan` and `run` do.
    """
    if image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise EngineError("engine.input", name="image", problem=f"shape {image.shape}, not (H, W, 3)")
    height, width = image.shape[:2]
    todo = plan(height, width, model, tile, overlap)
    scale, window = scale_of(model), window_of(model)
    start = time.perf_counter()
    yield Progress(0, len(todo.tiles), 0.0, todo.seconds_estimate)
    if cancel is not None:
        cancel.check()
    rows, columns = reflected(height, up_to(height, window)), reflected(width, up_to(width, window))
    result = np.empty((height * scale, width * scale, 3), np.uint8)
    strength = np.float32(mask_strength)
    total = sum(t.pixels for t in todo.tiles)
    pixels = 0
    for done, part in enumerate(todo.tiles, 1):
        r, c = part.rows, part.columns
        piece = image[np.ix_(rows[r.start : r.stop], columns[c.start : c.stop])]
        trace = run(model, {"image": to_net(piece), "mask_strength": strength}, cancel=cancel)
        model.notes["seconds_per_pixel"] = trace.seconds / part.pixels
        kept = trace.output[0][:, inside(r, scale), inside(c, scale)]
        result[outside(r, scale), outside(c, scale)] = to_picture(kept)
        del trace, kept  # before the next tile
        pixels += part.pixels
        seconds = time.perf_counter() - start
        eta = seconds * (total - pixels) / pixels
        yield Progress(done, len(todo.tiles), seconds, eta, result if done == len(todo.tiles) else None)


def inside(span: Span, scale: int) -> slice:
    """What is kept of a tile, in pixels of the tile's output."""
    return slice((span.keep_start - span.start) * scale, (span.keep_stop - span.start) * scale)


def outside(span: Span, scale: int) -> slice:
    """Where that lies in the whole output."""
    return slice(span.keep_start * scale, span.keep_stop * scale)


def to_net(image: np.ndarray) -> np.ndarray:
    """(H, W, 3) uint8 or float in [0, 1] -> (1, 3, H, W) float32 in [0, 1]."""
    x = image.transpose(2, 0, 1)[None].astype(np.float32)
    return x / np.float32(255) if image.dtype == np.uint8 else x


def to_picture(x: np.ndarray) -> np.ndarray:
    """(3, H, W) float in [0, 1] -> (H, W, 3) uint8, clipped and rounded."""
    y = np.clip(x.transpose(1, 2, 0), 0.0, 1.0) * np.float32(255) + np.float32(0.5)
    return y.astype(np.uint8)


def pad(image: np.ndarray, multiple: int) -> np.ndarray:
    """Extend (H, W, 3) right and down to whole windows by reflection, as the model does; crop the result yourself."""
    rows, columns = (reflected(size, up_to(size, multiple)) for size in image.shape[:2])
    return image[np.ix_(rows, columns)]


def upscale_alpha(alpha: np.ndarray, scale: int) -> np.ndarray:
    """Alpha channel (H, W) uint8 enlarged by Lanczos, (scale*H, scale*W) uint8."""
    from PIL import Image

    height, width = alpha.shape
    return np.asarray(
        Image.fromarray(alpha).resize((width * scale, height * scale), Image.Resampling.LANCZOS)
    )

"""Upscaling tile by tile: equal to the whole, bounded in memory, with progress, cancelled when asked."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from app.engine import Cancel, Cancelled, EngineError, Model, load, run
from app.engine.base import finish
from app.engine.upscale import (
    overlap_of,
    pad,
    plan,
    scale_of,
    tile_of,
    to_net,
    to_picture,
    upscale,
    upscale_alpha,
)
from models.registry import MODELS
from tests.app.engine.helpers import photo, shipped

Tiny = Callable[[str, str], Model]
ROOT = Path(__file__).parents[3]
SWINIR = MODELS["swinir"]


def at_once(model: Model, image: np.ndarray) -> np.ndarray:
    """The whole picture in one run, float, (3, sH, sW)."""
    height, width = (size * scale_of(model) for size in image.shape[:2])
    return run(model, {"image": to_net(pad(image, 8))}).output[0, :, :height, :width]


def as_floats(model: Model, image: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> np.ndarray:
    """Tiled without rounding: (sH, sW, 3) float, by letting every tile's pixels through as they are."""
    import app.engine.upscale as module

    made: list[np.ndarray] = []

    def keep(x: np.ndarray) -> np.ndarray:
        made.append(x.transpose(1, 2, 0).copy())
        return np.zeros_like(made[-1], np.uint8)

    with monkeypatch.context() as patch:
        patch.setattr(module, "to_picture", keep)
        for _ in upscale(model, image):
            pass
    scale = scale_of(model)
    result = np.full((image.shape[0] * scale, image.shape[1] * scale, 3), np.nan, np.float32)
    for part, pixels in zip(plan(image.shape[0], image.shape[1], model).tiles, made, strict=True):
        r, c = part.rows, part.columns
        result[r.keep_start * scale : r.keep_stop * scale, c.keep_start * scale : c.keep_stop * scale] = (
            pixels
        )
    return result


@pytest.mark.parametrize("weights_id", ["x2", pytest.param("lightweight_x2", marks=pytest.mark.slow)])
def test_tiled_equals_whole_within_a_grey_level_everywhere(
    weights_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """451 x 300 pixels at the app's own tile and overlap; embedded and random official layout."""
    own = SWINIR.embedded_path(SWINIR.weights_by_id(weights_id))
    file = own if own.exists() else shipped(SWINIR, weights_id, tmp_path)
    model = load("swinir", weights_id, "onnx", weights_file=file)
    image = photo(300, 451)
    assert len(plan(300, 451, model).tiles) > 1
    whole = at_once(model, image)
    difference = np.abs(as_floats(model, image, monkeypatch) - whole.transpose(1, 2, 0)) * 255
    print(f"{weights_id}: largest difference {difference.max():.4f}/255")
    assert difference.max() < 0.5  # so that no rounded value is off by more than one


@pytest.mark.parametrize("engine", [pytest.param("torch", marks=pytest.mark.torch), "onnx"])
def test_tiled_equals_whole_on_both_engines(tiny: Tiny, engine: str) -> None:
    model = tiny("swinir", engine)
    image = photo(93, 150)
    whole = to_picture(at_once(model, image)).astype(int)
    for tile, overlap in ((48, 16), (56, 24)):
        tiled = finish(upscale(model, image, tile=tile, overlap=overlap))
        assert tiled.dtype == np.uint8 and np.abs(tiled - whole).max() <= 1
    assert np.array_equal(finish(upscale(model, image)), whole)


@pytest.mark.parametrize("size", [(1, 1), (1, 50), (7, 3), (8, 8), (9, 200)])
def test_any_size(tiny: Tiny, size: tuple[int, int]) -> None:
    model = tiny("swinir", "onnx")
    image = photo(*size)
    result = finish(upscale(model, image, tile=48, overlap=16))
    assert result.shape == (2 * size[0], 2 * size[1], 3)
    assert np.abs(result.astype(int) - to_picture(at_once(model, image))).max() <= 1


def test_floats_and_bytes_alike(tiny: Tiny) -> None:
    model, image = tiny("swinir", "onnx"), photo(20, 30)
    assert np.array_equal(finish(upscale(model, image)), finish(upscale(model, image / 255.0)))
    for wrong in (image[..., 0], image[..., :2], image[:0]):
        with pytest.raises(EngineError) as caught:
            finish(upscale(model, wrong))
        assert caught.value.reason == "engine.input"


def test_mask_strength_reaches_the_net(tiny: Tiny) -> None:
    model, image = tiny("swinir", "onnx"), photo(24, 32)
    leaky = finish(upscale(model, image, mask_strength=0.0))
    expected = run(model, {"image": to_net(image), "mask_strength": np.float32(0)}).output[0]
    assert np.array_equal(leaky, to_picture(expected))
    assert not np.array_equal(leaky, finish(upscale(model, image)))


def test_progress_and_estimate(tiny: Tiny) -> None:
    model, image = tiny("swinir", "onnx"), photo(120, 130)
    todo = plan(120, 130, model, tile=64, overlap=16)
    assert todo.seconds_estimate > 0 and todo.output_bytes == 240 * 260 * 3
    assert todo.megapixels == pytest.approx(0.0624)
    steps = list(upscale(model, image, tile=64, overlap=16))
    assert [step.done for step in steps] == list(range(len(todo.tiles) + 1))
    assert steps[0].eta == pytest.approx(todo.seconds_estimate) and steps[0].result is None
    assert steps[-1].eta == 0 and steps[-1].result is not None and steps[-1].total == len(todo.tiles)
    assert all(a.seconds <= b.seconds for a, b in zip(steps, steps[1:], strict=False))


def test_cancel_between_tiles(tiny: Tiny) -> None:
    cancel = Cancel()
    steps = upscale(tiny("swinir", "onnx"), photo(120, 130), cancel=cancel, tile=64, overlap=16)
    assert next(steps).done == 0 and next(steps).done == 1
    cancel.set()
    with pytest.raises(Cancelled):
        next(steps)


def test_too_large_is_said_before_anything_is_done(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny("swinir", "onnx")
    monkeypatch.setenv("VITRINE_MAX_OUTPUT_MEGAPIXELS", "1")
    image = np.broadcast_to(np.zeros((1, 1, 3), np.uint8), (501, 501, 3))
    start = time.monotonic()
    with pytest.raises(EngineError) as caught:
        finish(upscale(model, image))
    assert caught.value.reason == "upscale.too_large" and time.monotonic() - start < 0.5
    assert caught.value.details == {"megapixels": 1.0, "limit": 1.0, "input_limit": 0.2}
    assert plan(500, 500, model).megapixels == 1.0


def test_tile_of_every_layout_leaves_room_for_the_picture(tmp_path: Path, tiny: Tiny) -> None:
    """Whatever the card's layout, a tile is on the grid and more than half of its side is kept."""
    model = tiny("swinir", "onnx")
    for weights in SWINIR.weights:
        model.config = dict(weights.config)
        overlap = overlap_of(model)
        tile = tile_of(model, overlap)
        assert tile % 8 == overlap % 8 == 0 and tile >= 2 * overlap + 8 and tile**2 <= 1e6, weights.id


def test_alpha_is_enlarged() -> None:
    alpha = np.zeros((10, 12), np.uint8)
    alpha[:, 6:] = 255
    large = upscale_alpha(alpha, 3)
    assert large.shape == (30, 36) and large[0, 0] == 0 and large[-1, -1] == 255


MEMORY = """
import sys, threading, time
from pathlib import Path
import numpy as np
import app.engine.upscale as module
from app.engine import Trace, load, run
from app.engine.base import finish
def resident():
    fields = Path("/proc/self/status").read_text().split()
    return int(fields[fields.index("VmRSS:") + 1]) * 1024
model = load("swinir", "x2", weights_file=Path(sys.argv[1]), engine="onnx")
height, width, ends = (int(argument) for argument in sys.argv[2:])
image = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
finish(module.upscale(model, image[:64, :64]))
total, done = len(module.plan(height, width, model).tiles), [0]
def at_the_ends(model, inputs, **rest):
    done[0] += 1
    if ends and ends < done[0] <= total - ends:
        return Trace(inputs["image"].repeat(2, 2).repeat(2, 3), {}, 0.1)
    return run(model, inputs, **rest)
module.run = at_the_ends
idle, peak, over = resident(), [0], threading.Event()
def watch():
    while not over.wait(0.005):
        peak[0] = max(peak[0], resident())
threading.Thread(target=watch, daemon=True).start()
result = finish(module.upscale(model, image))
over.set()
assert done[0] == total
print(idle, peak[0], result.nbytes)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the resident size from /proc")
@pytest.mark.parametrize("height, width, ends", [(1000, 1000, 0), (4000, 6000, 4)], ids=["1MP", "24MP"])
def test_memory(height: int, width: int, ends: int, tmp_path: Path) -> None:
    """Peak resident size is at most idle + 600 MB + twice the output, sampled every 5 ms in a process of its own.

    At 24 megapixels the net runs on the first and last `ends` tiles, when nothing and when all of the output is
    written; between them the pixels are only repeated, which would otherwise take a quarter of an hour.
    """
    file = shipped(SWINIR, "x2", tmp_path)
    command = [sys.executable, "-c", MEMORY, str(file), str(height), str(width), str(ends)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=560)
    assert done.returncode == 0, done.stderr
    idle, peak, output = (int(x) for x in done.stdout.split())
    print(f"idle {idle / 1e6:.0f} MB, peak {peak / 1e6:.0f} MB, output {output / 1e6:.0f} MB")
    assert peak <= idle + 600e6 + 2 * output

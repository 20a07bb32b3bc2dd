"""The cutting plan: every pixel once, origins on the window grid, far enough from a tile's inner borders."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

from app.engine.tiles import cut, reach, reflected, spans, up_to
from models.build import build
from models.registry import MODELS
from models.vision.swinir import pad_to_windows

SWINIR = MODELS["swinir"]


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, int, int, int]:
    """size, window, tile, overlap"""
    window = draw(st.sampled_from([1, 4, 7, 8]))
    overlap = window * draw(st.integers(0, 8))
    tile = 2 * overlap + window * draw(st.integers(1, 12))
    return draw(st.integers(1, 900)), window, tile, overlap


@settings(deadline=None)
@given(cases())
def test_every_pixel_is_kept_once_and_origins_lie_on_the_grid(case: tuple[int, int, int, int]) -> None:
    size, window, tile, overlap = case
    extended = up_to(size, window)
    kept = np.zeros(size, int)
    for span in spans(size, window, tile, overlap):
        assert 0 <= span.start <= span.keep_start < span.keep_stop <= span.stop <= extended
        assert span.start % window == 0 and span.stop % window == 0 and span.stop - span.start <= tile
        assert span.start == 0 or span.keep_start - span.start >= overlap
        assert span.stop == extended or span.stop - span.keep_stop >= overlap
        kept[span.keep_start : span.keep_stop] += 1
    assert (kept == 1).all()


@settings(deadline=None)
@given(cases(), st.integers(1, 120))
def test_tiles_cover_the_picture_once(case: tuple[int, int, int, int], height: int) -> None:
    width, window, tile, overlap = case
    kept = np.zeros((height, width), int)
    tile = max(tile, 2 * overlap + 2 * window, width // 12 // window * window)  # not thousands of them
    tiles = cut(height, width, window, tile, overlap)
    for part in tiles:
        kept[
            part.rows.keep_start : part.rows.keep_stop, part.columns.keep_start : part.columns.keep_stop
        ] += 1
        assert part.pixels <= max(tile * tile, 1) or len(tiles) == 1
    assert (kept == 1).all()


def test_a_small_picture_is_one_tile_whatever_its_sides() -> None:
    assert len(cut(40, 400, 8, 128, 32)) == 1
    assert len(cut(129, 129, 8, 128, 32)) > 1


@pytest.mark.parametrize("tile, overlap", [(60, 8), (64, 12), (64, 32)])
def test_refuses_a_plan_off_the_grid(tile: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="multiples of 8"):
        spans(300, 8, tile, overlap)


@settings(deadline=None)
@given(st.integers(1, 40), st.sampled_from([4, 7, 8]))
def test_reflection_is_the_models_own(size: int, window: int) -> None:
    line = torch.arange(size, dtype=torch.float32).view(1, 1, 1, size).expand(1, 1, window, size)
    padded = pad_to_windows(line, window)[0, 0, 0].numpy()
    assert np.array_equal(reflected(size, up_to(size, window)), padded)


CONFIGS = [
    dict(SWINIR.tiny),
    dict(SWINIR.tiny) | dict(window_size=8),
    dict(SWINIR.tiny) | dict(depths=(3, 6), upsampler="pixelshuffledirect"),
    dict(SWINIR.tiny) | dict(resi_connection="3conv", upsampler="nearest+conv", scale=4),
    dict(SWINIR.tiny) | dict(upsampler="", scale=1),
    dict(SWINIR.tiny) | dict(img_size=4),  # windows that do not shift
]


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_beyond_its_reach_a_border_changes_nothing(config: dict) -> None:
    """A strip cut in two: in float64, beyond `reach` from the cut the answers are the whole strip's."""
    torch.manual_seed(0)
    model, scale = build(SWINIR, config).double(), config["scale"]
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3.0).add_(0.1 * torch.randn_like(parameter))  # sharp attention carries far
        far, window = reach(config), min(config["window_size"], config["img_size"])
        at = up_to(far + 16, window)
        strip = torch.rand(1, 3, 2 * window, 2 * at, dtype=torch.float64)
        whole, left, right = model(strip), model(strip[..., :at]), model(strip[..., at:])
    size = whole.abs().max()
    keep = (at - far) * scale
    assert (whole[..., :keep] - left[..., :keep]).abs().max() < 1e-12 * size
    assert (whole[..., -keep:] - right[..., -keep:]).abs().max() < 1e-12 * size
    assert (
        whole[..., : at * scale] - left
    ).abs().max() > 1e-3 * size  # and a border does change what is near

"""SwinIR gives what the authors' architecture gives (as packaged by spandrel), hidden states included."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from models.checkpoints.swinir_keys import our_key
from models.taps import record
from models.vision.swinir import SwinIR, SwinIRConfig, shift_mask
from models.vision.swinir_card import CARD
from tests.close import PARITY, distance

importlib.import_module("spandrel.architectures.SwinIR")
Reference: Any = importlib.import_module("spandrel.architectures.SwinIR.__arch.SwinIR").SwinIR


def pair(config: SwinIRConfig) -> tuple[SwinIR, nn.Module]:
    """Ours and theirs with the same random weights, biases and norms moved off their start."""
    torch.manual_seed(0)
    theirs = Reference(
        img_size=config.img_size,
        in_chans=config.in_chans,
        embed_dim=config.embed_dim,
        depths=list(config.depths),
        num_heads=list(config.num_heads),
        window_size=config.window_size,
        mlp_ratio=config.mlp_ratio,
        upscale=config.scale,
        img_range=config.img_range,
        upsampler=config.upsampler,
        resi_connection=config.resi_connection,
    ).eval()
    for parameter in theirs.parameters():
        parameter.data += torch.randn_like(parameter) * 0.05
    renamed = {our_key(key, config.upsampler): value for key, value in theirs.state_dict().items()}
    ours = SwinIR(config).eval()
    ours.load_state_dict(
        {key: value for key, value in renamed.items() if key}
    )  # strict: every tensor has its place
    return ours, theirs


CONFIGS = {
    "classical_x2": dict(upsampler="pixelshuffle", scale=2),
    "classical_x3": dict(upsampler="pixelshuffle", scale=3),
    "classical_x4": dict(upsampler="pixelshuffle", scale=4),
    "classical_x8": dict(upsampler="pixelshuffle", scale=8),
    "lightweight_x2": dict(upsampler="pixelshuffledirect", scale=2),
    "lightweight_x3": dict(upsampler="pixelshuffledirect", scale=3),
    "lightweight_x4": dict(upsampler="pixelshuffledirect", scale=4),
    "real_x4": dict(upsampler="nearest+conv", scale=4),
    "real_x4_large": dict(upsampler="nearest+conv", scale=4, resi_connection="3conv"),
    "gray_denoise": dict(upsampler="", scale=1, in_chans=1),
    "colour_denoise": dict(upsampler="", scale=1),
    "jpeg": dict(upsampler="", scale=1, in_chans=1, img_range=255.0),
}


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize("size", [(24, 16), (22, 27), (5, 9)])
def test_output(name: str, size: tuple[int, int]):
    # num_feat is fixed to 64 in the reference
    config = SwinIRConfig.tiny(**({"num_feat": 64} | CONFIGS[name]))
    ours, theirs = pair(config)
    x = torch.rand(2, config.in_chans, *size)
    with torch.inference_mode():
        expected = (
            theirs(x) if min(size) > 5 else theirs(symmetric(x, config))[:, :, : size[0] * config.scale]
        )
        assert distance(ours(x)[..., : expected.shape[3]], expected[..., : size[1] * config.scale]) <= PARITY


def symmetric(x: Tensor, config: SwinIRConfig) -> Tensor:
    """Pad a side of 5 to 8 by hand where the reference can only reflect: rows 3, 2, 1 for a window of 4."""
    assert config.window_size == 4 and x.shape[2] == 5
    return torch.cat([x, x[:, :, [3, 2, 1]]], dim=2)


@pytest.mark.parametrize("name", ["classical_x2", "real_x4_large"])
def test_every_hidden_state(name: str):
    """Shallow features, each layer, each RSTB and the deep features; attention weights of a shifted layer."""
    config = SwinIRConfig.tiny(**({"num_feat": 64} | CONFIGS[name]))
    ours, theirs = pair(config)
    x = torch.rand(1, 3, 24, 20)
    expected: dict[str, Tensor] = {}

    def keep(module: str, ours: str, shape: str) -> None:
        def hook(_module: nn.Module, _input: object, output: Tensor) -> None:
            expected[ours] = output.unflatten(1, (24, 20)) if shape == "tokens" else output

        theirs.get_submodule(module).register_forward_hook(hook)

    keep("conv_first", "shallow", "picture")
    keep("conv_after_body", "deep", "picture")
    for i, depth in enumerate(config.depths):
        keep(f"layers.{i}", f"rstb.{i}.out", "tokens")
        for j in range(depth):
            block = f"layers.{i}.residual_group.blocks.{j}"
            keep(block, f"rstb.{i}.layer.{j}.out", "tokens")
            keep(f"{block}.attn.softmax", f"rstb.{i}.layer.{j}.attn.weights", "attention")
    with torch.inference_mode():
        theirs(x)
        with record() as taps:
            ours(x)
    assert len(expected) == 2 + len(config.depths) + 2 * sum(config.depths)
    for key, value in expected.items():
        got = taps[key]
        if key.endswith("weights"):
            got = got.flatten(0, 1)  # (B * windows, heads, N, N)
        assert distance(got, value) <= PARITY, key


@pytest.mark.parametrize("size", [(8, 8), (24, 40), (64, 64)])
def test_mask_is_the_reference_s(size: tuple[int, int]):
    theirs = Reference(img_size=64, embed_dim=12, depths=[2], num_heads=[2], window_size=8, upscale=2)
    block = theirs.layers[0].residual_group.blocks[1]
    like = torch.zeros(())
    assert torch.equal(shift_mask(*size, 8, 4, like), block.calculate_mask(size))


def test_no_shift_where_the_picture_is_one_window():
    """A training size not above the window: windows shrink to it and nothing shifts."""
    config = SwinIRConfig.tiny(img_size=4, window_size=8, num_feat=64, num_heads=(2, 2))
    ours, theirs = pair(config)
    x = torch.rand(1, 3, 8, 8)
    assert config.effective_window == 4 and config.shift_of(1) == 0
    with torch.inference_mode():
        assert distance(ours(x), theirs(x)) <= PARITY


@pytest.mark.parametrize("weights", [w for w in CARD.weights if w.origin == "official"], ids=lambda w: w.id)
def test_official_checkpoints_fit(weights):
    """Keys and shapes of the published layout map one to one onto ours, at full size, without values."""
    config = SwinIRConfig(**weights.config)
    with torch.device("meta"):
        ours = SwinIR(config).state_dict()
    theirs = official_shapes(config)
    mapped = {our_key(key, config.upsampler): shape for key, shape in theirs.items()}
    mapped.pop(None, None)
    assert mapped == {key: tuple(value.shape) for key, value in ours.items()}


def official_shapes(config: SwinIRConfig) -> dict[str, tuple[int, ...]]:
    """State dict of the reference at these sizes (its buffers included), by shape."""
    model = Reference(
        img_size=config.img_size,
        embed_dim=config.embed_dim,
        depths=list(config.depths),
        num_heads=list(config.num_heads),
        window_size=config.window_size,
        mlp_ratio=config.mlp_ratio,
        upscale=config.scale,
        upsampler=config.upsampler,
        resi_connection=config.resi_connection,
    )
    return {key: tuple(value.shape) for key, value in model.state_dict().items()}

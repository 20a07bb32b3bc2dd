"""SwinIR where the study notes differ from the paper and the authors' code: one test for each erratum.

The authors' code is JingyunLiang/SwinIR, models/network_swinir.py and main_test_swinir.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from models.checkpoints.swinir_keys import our_key
from models.taps import record
from models.vision.swinir import (
    HEADS,
    RGB_MEAN,
    SwinIR,
    SwinIRConfig,
    SwinLayer,
    pad_to_windows,
    shift_mask,
    window_partition,
)
from models.vision.swinir_card import CLASSICAL, LIGHTWEIGHT, parameters

GRAY_DENOISE: dict[str, Any] = dict(CLASSICAL, scale=1, in_chans=1, upsampler="")
REAL_LARGE: dict[str, Any] = dict(
    CLASSICAL,
    scale=4,
    embed_dim=240,
    depths=(6,) * 9,
    num_heads=(8,) * 9,
    upsampler="nearest+conv",
    resi_connection="3conv",
)
JPEG: dict[str, Any] = dict(
    CLASSICAL, scale=1, in_chans=1, upsampler="", window_size=7, img_size=126, img_range=255.0
)

NOTHING = 1e-30  # exp(-100) is 4e-44, the least that float32 can hold beside 0


def count(model: nn.Module) -> int:
    return sum(p.numel() for p in model.parameters())


def shifted_layer(window_size: int = 8) -> SwinLayer:
    """One SW-MSA layer alone, shift = half a window."""
    torch.manual_seed(0)
    config = SwinIRConfig.tiny(window_size=window_size, img_size=64, num_heads=(3, 3))
    layer = SwinLayer(config, num_heads=3, layer=1, drop_path=0.0, name="layer").eval()
    assert layer.shift == window_size // 2
    return layer


def dependence(layer: SwinLayer, mask: Tensor | None, row: int, column: int) -> Tensor:
    """(16, 16) size of the gradient of the output at (row, column) by each input token."""
    x = torch.randn(1, 16, 16, 12, requires_grad=True)
    layer(x, mask)[0, row, column].square().sum().backward()
    assert x.grad is not None
    return x.grad[0].abs().sum(-1)


def test_E66_sizes_of_the_published_models() -> None:
    classical = SwinIR(SwinIRConfig(**CLASSICAL | dict(scale=4)))
    lightweight = SwinIR(SwinIRConfig(**LIGHTWEIGHT | dict(scale=4)))
    tables = sum(p.numel() for name, p in lightweight.named_parameters() if "bias_table" in name)

    assert count(classical) == parameters(CLASSICAL | dict(scale=4)) == 11_900_199
    assert count(lightweight) == parameters(LIGHTWEIGHT | dict(scale=4)) == 929_628
    assert count(lightweight) - tables == 897_228  # the number in the paper's table
    assert classical.rstb[0].layers[0].mlp.fc1.out_features == 2 * 180  # mlp_ratio 2, not 4


def test_E67_mask_blocks_pairs_of_different_pieces() -> None:
    mask = shift_mask(16, 16, window_size=8, shift=4, like=torch.zeros(()))
    blocked = (mask < 0).sum(dim=(1, 2)).tolist()

    assert blocked == [0, 2048, 2048, 3072]
    assert mask.unique().tolist() == [-100.0, 0.0]


def test_E67_masked_layer_sees_only_its_own_corner() -> None:
    layer = shifted_layer()
    mask = shift_mask(16, 16, window_size=8, shift=4, like=torch.zeros(()))

    gradient = dependence(layer, mask, 15, 15)
    seen = (gradient > NOTHING).nonzero().tolist()
    assert seen == [[row, column] for row in range(12, 16) for column in range(12, 16)]  # 4x4 of 16 tokens
    assert gradient[0, 0] < NOTHING

    unmasked = dependence(layer, None, 15, 15)  # the notes' layer: no mask is ever passed
    assert int((unmasked > NOTHING).sum()) == 64
    assert unmasked[0, 0] > 1e-6  # it hears the opposite corner of the picture


def test_E67_mask_follows_the_actual_size() -> None:
    """A mask made for one size must not be kept for another."""
    model = SwinIR(SwinIRConfig.tiny()).eval()
    for height, width in ((16, 16), (24, 8), (8, 32)):
        with torch.no_grad(), record({"mask"}) as tensors:
            model(torch.rand(1, 3, height, width))
        windows = (height // 4) * (width // 4)
        assert tensors["mask"].shape == (windows, 16, 16)
        assert int((tensors["mask"][-1] < 0).sum()) == 16 * 16 - 4 * 4 * 4  # the corner: four pieces of 4


def test_E68_any_size_is_padded_and_cropped() -> None:
    config = SwinIRConfig.tiny(window_size=8, img_size=64, scale=4)
    with torch.no_grad():
        y = SwinIR(config).eval()(torch.rand(1, 3, 65, 62))
    assert y.shape == (1, 3, 260, 248)

    whole = torch.rand(1, 3, 64, 16)
    assert pad_to_windows(whole, 8) is whole

    padded = pad_to_windows(torch.arange(10.0).view(1, 1, 1, 10), 8)[0, 0, 0]
    assert padded.tolist() == [*range(10), 8, 7, 6, 5, 4, 3]  # reflection: the edge itself is not repeated

    with pytest.raises(RuntimeError):  # the notes: view() into windows without padding
        window_partition(torch.rand(1, 65, 62, 12), 8)


def test_E69_small_maps_are_not_shifted() -> None:
    config = SwinIRConfig.tiny(window_size=8, img_size=8)
    assert config.effective_window == 8
    assert [config.shift_of(layer) for layer in range(4)] == [0, 0, 0, 0]
    assert SwinIRConfig.tiny(window_size=8, img_size=4).effective_window == 4
    assert SwinIRConfig.tiny(window_size=8, img_size=16).shift_of(1) == 4


def test_E70_norms_stand_where_the_authors_put_them() -> None:
    model = SwinIR(SwinIRConfig.tiny())
    keys = list(model.state_dict())

    assert our_key("patch_embed.norm.weight", "pixelshuffle") == "embed_norm.weight"
    assert {"embed_norm.weight", "embed_norm.bias", "norm.weight", "norm.bias"} <= set(keys)
    assert not [key for key in keys if key.startswith("rstb.") and "norm" in key and ".layers." not in key]
    assert len([m for m in model.modules() if isinstance(m, nn.LayerNorm)]) == 2 + 2 * sum(
        model.config.depths
    )


def test_E71_upsamplers() -> None:
    def head(**changes: object) -> nn.Module:
        config = SwinIRConfig.tiny(num_feat=64, **changes)
        return HEADS[config.upsampler](config)

    def shuffles(module: nn.Module) -> list[int]:
        return [m.upscale_factor for m in module.modules() if isinstance(m, nn.PixelShuffle)]

    def convs(module: nn.Module) -> list[tuple[int, int]]:
        return [(m.in_channels, m.out_channels) for m in module.modules() if isinstance(m, nn.Conv2d)]

    assert shuffles(head(scale=4)) == [2, 2]  # never one step of 4
    assert shuffles(head(scale=8)) == [2, 2, 2]
    assert shuffles(head(scale=3)) == [3]
    assert convs(head(scale=4)) == [(12, 64), (64, 256), (64, 256), (64, 3)]
    assert convs(head(scale=3)) == [(12, 64), (64, 576), (64, 3)]
    assert convs(head(scale=4, upsampler="pixelshuffledirect")) == [(12, 3 * 16)]
    assert shuffles(head(scale=4, upsampler="nearest+conv")) == []
    assert convs(head(scale=4, upsampler="nearest+conv")) == [(12, 64), (64, 64), (64, 64), (64, 64), (64, 3)]
    assert convs(head(scale=1, upsampler="")) == [(12, 3)]
    with pytest.raises(ValueError, match="5"):
        head(scale=5)


def test_E72_mean_is_taken_off_and_put_back() -> None:
    gray = SwinIR(SwinIRConfig.tiny(scale=1, upsampler="", in_chans=1))
    color = SwinIR(SwinIRConfig.tiny(scale=1, upsampler=""))
    for model in (gray, color):
        for parameter in model.parameters():
            nn.init.zeros_(parameter)

    x = torch.rand(1, 1, 16, 20)
    with torch.no_grad():
        assert torch.equal(gray(x), x)  # all weights 0: the input itself
        rgb = torch.rand(1, 3, 16, 20)
        assert torch.allclose(color(rgb), rgb, atol=1.2e-7, rtol=0)  # but for the rounding of -mean +mean
    assert color.mean.flatten().tolist() == pytest.approx(RGB_MEAN)
    assert gray.mean.flatten().tolist() == [0.0]  # RGB only

    torch.manual_seed(0)
    by_255 = SwinIR(SwinIRConfig.tiny(scale=1, upsampler="", in_chans=1, img_range=255.0)).eval()
    seen: list[Tensor] = []
    by_255.conv_first.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    with torch.no_grad():
        by_255(x)
    assert torch.allclose(seen[0][:, :, :, :20], x * 255.0)


def test_E73_denoising_and_training_parts() -> None:
    assert parameters(GRAY_DENOISE) == count(SwinIR(SwinIRConfig(**GRAY_DENOISE))) == 11_497_681
    assert parameters(REAL_LARGE) == count(SwinIR(SwinIRConfig(**REAL_LARGE))) == 28_013_059
    assert SwinIRConfig(**JPEG).effective_window == 7
    assert SwinIRConfig(**JPEG).shift_of(1) == 3

    torch.manual_seed(0)
    model = SwinIR(SwinIRConfig(embed_dim=60, depths=(3, 3), num_heads=(6, 6), drop_path=0.1))
    rates = [layer.drop_path.rate for rstb in model.rstb for layer in rstb.layers]
    assert rates == pytest.approx(np.linspace(0, 0.1, 6).tolist())
    qkv = model.rstb[0].layers[0].attn.qkv
    assert qkv.bias is not None
    assert float(qkv.weight.detach().std()) == pytest.approx(0.02, rel=0.05)


def test_E74_one_resolution_and_the_roll() -> None:
    model = SwinIR(SwinIRConfig.tiny()).eval()
    with torch.no_grad(), record() as tensors:
        model(torch.rand(1, 3, 20, 24))
    tokens = [x for name, x in tensors.items() if name.endswith(".out") and ".attn" not in name]
    assert {x.shape[1] * x.shape[2] for x in tokens} == {20 * 24}  # H*W tokens in every block, no merging
    assert 224 * 224 == 50_176  # tokens at patch size 1, as here
    assert (224 // 16) ** 2 == 196  # tokens of a ViT-B/16

    rows = torch.arange(16).view(16, 1).expand(16, 16)
    rolled = torch.roll(rows, (-4, -4), dims=(0, 1))
    assert rolled[-4:, 0].tolist() == [0, 1, 2, 3]  # the top strip arrives at the bottom, not in the middle
    windows = window_partition(rolled[None, :, :, None].float(), 8)[0, :, :, 0]
    assert windows[0].unique().tolist() == [4, 5, 6, 7, 8, 9, 10, 11]  # true neighbours
    assert windows[2].unique().tolist() == [0, 1, 2, 3, 12, 13, 14, 15]  # opposite edges, hence the mask

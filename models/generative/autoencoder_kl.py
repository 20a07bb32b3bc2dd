"""The image VAE of latent diffusion: a picture becomes a small stack of maps, four numbers a place, and comes back.

Rombach et al., "High-Resolution Image Synthesis with Latent Diffusion Models", CVPR 2022 (section 3.1; arXiv
2112.10752); the block design is that of Esser et al., "Taming Transformers", CVPR 2021.

    encoder   x -> conv_in -> [resnet x layers, halve] x levels -> resnet, attention, resnet -> norm, SiLU, conv_out
              -> quant_conv = (mean, log variance) of every latent number
    decoder   z -> post_quant_conv -> conv_in -> resnet, attention, resnet -> [resnet x (layers + 1), double] x levels
              -> norm, SiLU, conv_out = picture

z = mean + exp(logvar / 2) * noise while training; diffusion works on scaling_factor * z, whose spread is about 1.
Tensor names and arithmetic follow diffusers' AutoencoderKL; encoder and decoder are two nets, since whoever writes a
word needs only the second. Together their tensors are those of one AutoencoderKL.
Differs from the paper: no adversarial and no perceptual loss, few channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")
EPS = 1e-6
LOGVAR = (-30.0, 20.0)  # diffusers' clamp


@dataclass(frozen=True, kw_only=True)
class AutoencoderConfig:
    """Sizes of the pair. Sides of a picture are multiples of `factor`. scaling_factor: 1 / spread of the latents."""

    in_channels: int = 3
    latent_channels: int = 4
    block_out_channels: tuple[int, ...] = (16, 32, 64)
    layers_per_block: int = 1
    norm_num_groups: int = 8
    sample_size: int = 64
    scaling_factor: float = 1.0

    def __post_init__(self) -> None:
        if any(c % self.norm_num_groups for c in self.block_out_channels):
            raise ValueError(f"channels must be multiples of norm_num_groups, {self.norm_num_groups}")

    @classmethod
    def tiny(cls, **changes: object) -> AutoencoderConfig:
        """A preset for tests: the same levels, few channels."""
        small: dict = dict(block_out_channels=(8, 16, 16), norm_num_groups=4, sample_size=16)
        return cls(**(small | changes))

    @property
    def factor(self) -> int:
        """Pixels of a side that become one latent place."""
        return 2 ** (len(self.block_out_channels) - 1)


# ---------------------------------------------------------------- blocks


class ResnetBlock(nn.Module):
    """x + conv(SiLU(GN(conv(SiLU(GN(x)))))): DDPM's residual block without time."""

    def __init__(self, in_channels: int, out_channels: int, config: AutoencoderConfig, name: str):
        super().__init__()
        groups = config.norm_num_groups
        self.norm1 = nn.GroupNorm(groups, in_channels, eps=EPS)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        self.norm2 = nn.GroupNorm(groups, out_channels, eps=EPS)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1)
        if in_channels != out_channels:
            self.conv_shortcut: nn.Module = nn.Conv2d(in_channels, out_channels, 1)
        else:
            self.conv_shortcut = nn.Identity()
        self.tap_hidden = Tap(f"{name}.hidden", PICTURE, "feature_map")
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W) -> (B, C', H, W)
        hidden = self.tap_hidden(self.conv1(F.silu(self.norm1(x))))
        return self.tap_out(self.conv_shortcut(x) + self.conv2(F.silu(self.norm2(hidden))))


class PlaceAttention(nn.Module):
    """x + proj(softmax(Q K^T / sqrt(C)) V) with one head: every place reads from every other."""

    def __init__(self, channels: int, config: AutoencoderConfig, name: str):
        super().__init__()
        self.scale = channels**-0.5
        self.group_norm = nn.GroupNorm(config.norm_num_groups, channels, eps=EPS)
        self.to_q = nn.Linear(channels, channels)
        self.to_k = nn.Linear(channels, channels)
        self.to_v = nn.Linear(channels, channels)
        self.to_out = nn.ModuleList([nn.Linear(channels, channels)])
        self.tap_weights = Tap(f"{name}.weights", ("batch", "head", "query", "key"), "attention")
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W)
        b, c, h, w = x.shape
        places = self.group_norm(x).flatten(2).transpose(1, 2)  # (B, N, C), N = H * W, row by row
        q, k, v = self.to_q(places), self.to_k(places), self.to_v(places)
        scores = ((q * self.scale) @ k.transpose(1, 2)).unsqueeze(1)  # (B, 1, N, N)
        weights = self.tap_weights(scores.softmax(dim=-1))
        y = self.to_out[0](weights[:, 0] @ v)  # (B, N, C)
        return self.tap_out(x + y.transpose(1, 2).reshape(b, c, h, w))


class Downsample(nn.Module):
    """Halve the sides: a 3x3 convolution of stride 2, padded below and to the right only."""

    def __init__(self, channels: int, name: str):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, stride=2)
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W) -> (B, C, H/2, W/2)
        return self.tap_out(self.conv(F.pad(x, (0, 1, 0, 1))))


class Upsample(nn.Module):
    """Double the sides: repeat each pixel, then a 3x3 convolution."""

    def __init__(self, channels: int, name: str):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W) -> (B, C, 2H, 2W)
        return self.tap_out(self.conv(F.interpolate(x, scale_factor=2.0, mode="nearest")))


class DownLevel(nn.Module):
    """One resolution on the way down: residual blocks, then halve (not the last)."""

    def __init__(self, in_channels: int, channels: int, last: bool, config: AutoencoderConfig, name: str):
        super().__init__()
        self.resnets = resnets(in_channels, channels, config.layers_per_block, config, name)
        self.downsamplers = nn.ModuleList([] if last else [Downsample(channels, f"{name}.sample")])

    def forward(self, x: Tensor) -> Tensor:
        for block in (*self.resnets, *self.downsamplers):
            x = block(x)
        return x


class UpLevel(nn.Module):
    """One resolution on the way up: residual blocks, one more than on the way down, then double (not the last)."""

    def __init__(self, in_channels: int, channels: int, last: bool, config: AutoencoderConfig, name: str):
        super().__init__()
        self.resnets = resnets(in_channels, channels, config.layers_per_block + 1, config, name)
        self.upsamplers = nn.ModuleList([] if last else [Upsample(channels, f"{name}.sample")])

    def forward(self, x: Tensor) -> Tensor:
        for block in (*self.resnets, *self.upsamplers):
            x = block(x)
        return x


def resnets(
    in_channels: int, channels: int, count: int, config: AutoencoderConfig, name: str
) -> nn.ModuleList:
    """The residual blocks of a level: the first changes the channels."""
    return nn.ModuleList(
        ResnetBlock(in_channels if j == 0 else channels, channels, config, f"{name}.resnet.{j}")
        for j in range(count)
    )


class Middle(nn.Module):
    """Residual block, attention, residual block at the smallest size."""

    def __init__(self, channels: int, config: AutoencoderConfig):
        super().__init__()
        self.resnets = resnets(channels, channels, 2, config, "mid")
        self.attentions = nn.ModuleList([PlaceAttention(channels, config, "mid.attention.0")])

    def forward(self, x: Tensor) -> Tensor:
        return self.resnets[1](self.attentions[0](self.resnets[0](x)))


class EncoderBody(nn.Module):
    """AutoencoderKL's `encoder`: picture (B, in_channels, H, W) -> (B, 2 z, H / f, W / f)."""

    def __init__(self, config: AutoencoderConfig):
        super().__init__()
        channels = config.block_out_channels
        last = len(channels) - 1
        self.conv_in = nn.Conv2d(config.in_channels, channels[0], 3, padding=1)
        entering = (channels[0], *channels[:-1])
        self.down_blocks = nn.ModuleList(
            DownLevel(entering[i], wide, i == last, config, f"down.{i}") for i, wide in enumerate(channels)
        )
        self.mid_block = Middle(channels[-1], config)
        self.conv_norm_out = nn.GroupNorm(config.norm_num_groups, channels[-1], eps=EPS)
        self.conv_out = nn.Conv2d(channels[-1], 2 * config.latent_channels, 3, padding=1)
        self.tap_in = Tap("conv_in", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:
        x = self.tap_in(self.conv_in(x))
        for level in self.down_blocks:
            x = level(x)
        return self.conv_out(F.silu(self.conv_norm_out(self.mid_block(x))))


class DecoderBody(nn.Module):
    """AutoencoderKL's `decoder`: latents (B, z, h, w) -> picture (B, in_channels, f h, f w)."""

    def __init__(self, config: AutoencoderConfig):
        super().__init__()
        channels = tuple(reversed(config.block_out_channels))
        last = len(channels) - 1
        self.conv_in = nn.Conv2d(config.latent_channels, channels[0], 3, padding=1)
        self.mid_block = Middle(channels[0], config)
        entering = (channels[0], *channels[:-1])
        self.up_blocks = nn.ModuleList(
            UpLevel(entering[i], wide, i == last, config, f"up.{i}") for i, wide in enumerate(channels)
        )
        self.conv_norm_out = nn.GroupNorm(config.norm_num_groups, channels[-1], eps=EPS)
        self.conv_out = nn.Conv2d(channels[-1], config.in_channels, 3, padding=1)
        self.tap_in = Tap("conv_in", PICTURE, "feature_map")

    def forward(self, z: Tensor) -> Tensor:
        x = self.mid_block(self.tap_in(self.conv_in(z)))
        for level in self.up_blocks:
            x = level(x)
        return self.conv_out(F.silu(self.conv_norm_out(x)))


# ---------------------------------------------------------------- the two nets


class ImageEncoder(nn.Module):
    """Picture (B, in_channels, H, W) in [-1, 1] -> moments (B, 2 z, H / f, W / f): z means, then z log variances."""

    def __init__(self, config: AutoencoderConfig):
        super().__init__()
        self.config = config
        self.encoder = EncoderBody(config)
        self.quant_conv = nn.Conv2d(2 * config.latent_channels, 2 * config.latent_channels, 1)
        self.tap_mean = Tap("mean", PICTURE, "feature_map")
        self.tap_logvar = Tap("logvar", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:
        mean, logvar = self.quant_conv(self.encoder(x)).chunk(2, dim=1)  # (B, z, h, w) each
        return torch.cat([self.tap_mean(mean), self.tap_logvar(logvar.clamp(*LOGVAR))], dim=1)


class ImageDecoder(nn.Module):
    """Latents (B, z, h, w), not scaled -> picture (B, in_channels, f h, f w), about [-1, 1]."""

    def __init__(self, config: AutoencoderConfig):
        super().__init__()
        self.config = config
        self.post_quant_conv = nn.Conv2d(config.latent_channels, config.latent_channels, 1)
        self.decoder = DecoderBody(config)
        self.tap_out = Tap("output", PICTURE, "feature_map")

    def forward(self, z: Tensor) -> Tensor:
        return self.tap_out(self.decoder(self.post_quant_conv(z)))

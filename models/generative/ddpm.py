"""DDPM: the U-Net that looks at a noisy picture and says what in it is noise.

Ho, Jain, Abbeel, "Denoising Diffusion Probabilistic Models", NeurIPS 2020 (appendix B; arXiv 2006.11239), with a
learned class embedding and a null class, for classifier-free guidance (Ho & Salimans 2022, arXiv 2207.12598).

    time, label -> embedding (C,) which every residual block adds to its channels
    x -> conv_in -> [level: resnet (+ attention), halve] x levels -> resnet, attention, resnet
      -> [level: (join a skip, resnet (+ attention)) x (layers + 1), double] x levels -> norm, SiLU, conv_out

Tensor names and arithmetic follow diffusers' UNet2DModel, so its weights load as they are.
Reads downward: time embedding, residual block, attention, resampling, the levels, the whole net. The schedule and
the samplers are in models/generative/schedule.py: the net only predicts.
Differs from the study notes: the net is told the step t (E22), without which it could not know how much noise there is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")
VECTOR = ("batch", "channel")


@dataclass(frozen=True, kw_only=True)
class UNetConfig:
    """Sizes of one U-Net. Label `num_classes` is the null class: "no class in particular".

    attention: which levels have self-attention (the middle always has). sample_size: side of the pictures it was
    trained on; any rows and columns that halve evenly at every level but the last will do.
    """

    in_channels: int = 1
    sample_size: int = 28
    block_out_channels: tuple[int, ...] = (32, 64, 64)
    layers_per_block: int = 1
    attention: tuple[bool, ...] = (False, True, True)
    norm_num_groups: int = 8
    attention_head_dim: int = 16
    num_classes: int = 10

    def __post_init__(self) -> None:
        channels, groups, head = self.block_out_channels, self.norm_num_groups, self.attention_head_dim
        if len(channels) != len(self.attention):
            raise ValueError("block_out_channels and attention must have one entry for each level")
        if any(c % groups for c in channels):
            raise ValueError(f"channels must be multiples of norm_num_groups, {groups}")
        attending = [c for c, has in zip(channels, self.attention, strict=True) if has]
        if any(c % head for c in (*attending, channels[-1])):
            raise ValueError(f"channels with attention must be multiples of attention_head_dim, {head}")

    @classmethod
    def tiny(cls, **changes: object) -> UNetConfig:
        """A preset for tests: the same levels and skips, few channels."""
        small: dict = dict(
            sample_size=8,
            block_out_channels=(8, 16, 16),
            norm_num_groups=4,
            attention_head_dim=8,
            num_classes=3,
        )
        return cls(**(small | changes))

    @property
    def embedding_channels(self) -> int:
        return 4 * self.block_out_channels[0]

    @property
    def num_skips(self) -> int:
        """One after conv_in, one after each block of the way down, one after each halving."""
        levels = len(self.block_out_channels)
        return 1 + levels * self.layers_per_block + levels - 1


class BlockSizes(Protocol):
    """What a residual block asks of the sizes of its net."""

    @property
    def norm_num_groups(self) -> int: ...
    @property
    def embedding_channels(self) -> int: ...


# ---------------------------------------------------------------- time


class TimeEmbedding(nn.Module):
    """Two linear layers over the sinusoid of t (appendix B; the sinusoid is the Transformer's)."""

    def __init__(self, channels: int, out_channels: int):
        super().__init__()
        half = channels // 2
        self.frequencies: Tensor
        exponent = -math.log(10000) * torch.arange(half, dtype=torch.float32) / half
        self.register_buffer("frequencies", torch.exp(exponent), persistent=False)  # 1 ... 1/10000
        self.linear_1 = nn.Linear(channels, out_channels)
        self.linear_2 = nn.Linear(out_channels, out_channels)
        self.tap_sinusoid = Tap("time.sinusoid", VECTOR, "vector")
        self.tap_out = Tap("time.embedding", VECTOR, "vector")

    def forward(self, timestep: Tensor) -> Tensor:  # (B,) -> (B, out_channels)
        angle = timestep[:, None].to(self.frequencies.dtype) * self.frequencies  # (B, C/2)
        sinusoid = self.tap_sinusoid(torch.cat([angle.cos(), angle.sin()], dim=1))  # (B, C)
        return self.tap_out(self.linear_2(F.silu(self.linear_1(sinusoid))))


# ---------------------------------------------------------------- residual block


class ResnetBlock(nn.Module):
    """x + conv(SiLU(GN(conv(SiLU(GN(x))) + shift))), where shift, one number a channel, comes from time and class.

    The shortcut is x itself, or a 1x1 convolution of it where the channels change.
    """

    def __init__(self, in_channels: int, out_channels: int, config: BlockSizes, name: str):
        super().__init__()
        self.norm1 = nn.GroupNorm(config.norm_num_groups, in_channels)
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, padding=1)
        self.time_emb_proj = nn.Linear(config.embedding_channels, out_channels)
        self.norm2 = nn.GroupNorm(config.norm_num_groups, out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1)
        if in_channels != out_channels:
            self.conv_shortcut: nn.Module = nn.Conv2d(in_channels, out_channels, 1)
        else:
            self.conv_shortcut = nn.Identity()
        self.tap_shift = Tap(f"{name}.shift", VECTOR, "vector")
        self.tap_hidden = Tap(f"{name}.hidden", PICTURE, "feature_map")
        self.tap_norm = Tap(f"{name}.norm", PICTURE, "feature_map")
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor, embedding: Tensor) -> Tensor:  # (B, C, H, W), (B, E) -> (B, C', H, W)
        shift = self.tap_shift(self.time_emb_proj(F.silu(embedding)))  # (B, C')
        hidden = self.tap_hidden(self.conv1(F.silu(self.norm1(x))) + shift[:, :, None, None])
        normed = self.tap_norm(F.silu(self.norm2(hidden)))
        return self.tap_out(self.conv_shortcut(x) + self.conv2(normed))


# ---------------------------------------------------------------- attention


class SelfAttention(nn.Module):
    """x + proj(softmax(Q K^T / sqrt(d)) V): every pixel of the map reads from every other (appendix B)."""

    def __init__(self, channels: int, config: UNetConfig, name: str):
        super().__init__()
        self.heads = channels // config.attention_head_dim
        self.scale = config.attention_head_dim**-0.5
        self.group_norm = nn.GroupNorm(config.norm_num_groups, channels)
        self.to_q = nn.Linear(channels, channels)
        self.to_k = nn.Linear(channels, channels)
        self.to_v = nn.Linear(channels, channels)
        self.to_out = nn.ModuleList([nn.Linear(channels, channels)])

        per_head = ("batch", "head", "position", "channel")
        self.tap_q = Tap(f"{name}.q", per_head, "heads")
        self.tap_k = Tap(f"{name}.k", per_head, "heads")
        self.tap_v = Tap(f"{name}.v", per_head, "heads")
        self.tap_weights = Tap(f"{name}.weights", ("batch", "head", "query", "key"), "attention")
        self.tap_heads = Tap(f"{name}.heads", per_head, "heads")
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def split(self, x: Tensor) -> Tensor:
        """(B, N, C) -> (B, heads, N, d), d = C / heads."""
        b, n, c = x.shape
        return x.view(b, n, self.heads, c // self.heads).transpose(1, 2)

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W)
        b, c, h, w = x.shape
        pixels = self.group_norm(x).flatten(2).transpose(1, 2)  # (B, N, C), N = H * W, row by row
        q = self.tap_q(self.split(self.to_q(pixels)))  # (B, heads, N, d)
        k = self.tap_k(self.split(self.to_k(pixels)))
        v = self.tap_v(self.split(self.to_v(pixels)))
        weights = self.tap_weights(((q * self.scale) @ k.transpose(2, 3)).softmax(dim=-1))  # (B, heads, N, N)
        heads = self.tap_heads(weights @ v)  # (B, heads, N, d)
        y = self.to_out[0](heads.transpose(1, 2).reshape(b, h * w, c))  # (B, N, C)
        return self.tap_out(x + y.transpose(1, 2).reshape(b, c, h, w))


# ---------------------------------------------------------------- resampling


class Downsample(nn.Module):
    """Halve the sides: a 3x3 convolution of stride 2."""

    def __init__(self, channels: int, name: str):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, stride=2, padding=1)
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W) -> (B, C, H/2, W/2)
        return self.tap_out(self.conv(x))


class Upsample(nn.Module):
    """Double the sides: repeat each pixel, then a 3x3 convolution, which leaves no checkerboard."""

    def __init__(self, channels: int, name: str):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W) -> (B, C, 2H, 2W)
        return self.tap_out(self.conv(F.interpolate(x, scale_factor=2.0, mode="nearest")))


# ---------------------------------------------------------------- levels


class DownLevel(nn.Module):
    """One resolution on the way down: resnets, each with attention where the level has it, then halve (not the last).

    in_channels: what enters each resnet. Returns also what the way up will join: every output on the way.
    """

    def __init__(
        self,
        in_channels: list[int],
        channels: int,
        attention: bool,
        last: bool,
        config: UNetConfig,
        name: str,
    ):
        super().__init__()
        self.resnets, self.attentions = pairs(in_channels, channels, attention, config, name)
        self.downsamplers = nn.ModuleList([] if last else [Downsample(channels, f"{name}.sample")])

    def forward(self, x: Tensor, embedding: Tensor) -> tuple[Tensor, list[Tensor]]:  # (B, C, H, W)
        skips = []
        for resnet, attention in zip(self.resnets, self.attentions, strict=True):
            x = attention(resnet(x, embedding))
            skips.append(x)
        for downsample in self.downsamplers:
            x = downsample(x)
            skips.append(x)
        return x, skips


class UpLevel(nn.Module):
    """One resolution on the way up: join a skip, resnet (and attention), layers + 1 times, then double (not the last).

    in_channels: what enters each resnet, its skip's channels included. Of the skips the last made is joined first.
    """

    def __init__(
        self,
        in_channels: list[int],
        channels: int,
        attention: bool,
        last: bool,
        config: UNetConfig,
        name: str,
    ):
        super().__init__()
        self.resnets, self.attentions = pairs(in_channels, channels, attention, config, name)
        self.upsamplers = nn.ModuleList([] if last else [Upsample(channels, f"{name}.sample")])

    def forward(self, x: Tensor, skips: list[Tensor], embedding: Tensor) -> Tensor:
        for resnet, attention, skip in zip(self.resnets, self.attentions, reversed(skips), strict=True):
            x = torch.cat([x, skip], dim=1)  # (B, C + C_skip, H, W)
            x = attention(resnet(x, embedding))
        for upsample in self.upsamplers:
            x = upsample(x)
        return x


def pairs(
    in_channels: list[int], channels: int, attention: bool, config: UNetConfig, name: str
) -> tuple[nn.ModuleList, nn.ModuleList]:
    """The residual blocks of a level and what follows each: attention, or nothing."""
    resnets = [ResnetBlock(c, channels, config, f"{name}.resnet.{j}") for j, c in enumerate(in_channels)]
    attentions = [
        SelfAttention(channels, config, f"{name}.attention.{j}") if attention else nn.Identity()
        for j in range(len(in_channels))
    ]
    return nn.ModuleList(resnets), nn.ModuleList(attentions)


class Middle(nn.Module):
    """Residual block, attention, residual block at the smallest size."""

    def __init__(self, channels: int, config: UNetConfig):
        super().__init__()
        self.resnets = nn.ModuleList(
            ResnetBlock(channels, channels, config, f"mid.resnet.{j}") for j in range(2)
        )
        self.attentions = nn.ModuleList([SelfAttention(channels, config, "mid.attention.0")])

    def forward(self, x: Tensor, embedding: Tensor) -> Tensor:  # (B, C, H, W)
        x = self.attentions[0](self.resnets[0](x, embedding))
        return self.resnets[1](x, embedding)


# ---------------------------------------------------------------- the net


class UNet(nn.Module):
    """Predict the noise in x_t (or v, or x_0: as the weights were trained).

    forward: x (B, in_channels, H, W), H and W multiples of 2^(levels - 1), clean pictures in [-1, 1];
    timestep (B,) int64 in 0 .. T-1 (0 is the paper's t = 1); label (B,) int64 in 0 .. num_classes, the last
    for no class. skip_strength: (num_skips,), what multiplies each skip before it is joined, an intervention;
    None is all ones, at no cost. Returns (B, in_channels, H, W).
    """

    def __init__(self, config: UNetConfig):
        super().__init__()
        self.config = config
        channels, layers = config.block_out_channels, config.layers_per_block
        last = len(channels) - 1
        self.conv_in = nn.Conv2d(config.in_channels, channels[0], 3, padding=1)
        self.time_embedding = TimeEmbedding(channels[0], config.embedding_channels)
        self.class_embedding = nn.Embedding(config.num_classes + 1, config.embedding_channels)

        skips = [channels[0]]  # channels of every skip, in the order in which they are made
        self.down_blocks = nn.ModuleList()
        for i, wide in enumerate(channels):
            entering = [skips[-1], *[wide] * (layers - 1)]
            attention = config.attention[i]
            self.down_blocks.append(DownLevel(entering, wide, attention, i == last, config, f"down.{i}"))
            skips += [wide] * (layers + (i < last))

        self.mid_block = Middle(channels[-1], config)

        self.up_blocks = nn.ModuleList()
        below = channels[-1]
        for i, wide in enumerate(reversed(channels)):
            entering = [(below if j == 0 else wide) + skips.pop() for j in range(layers + 1)]
            attention = config.attention[last - i]
            self.up_blocks.append(UpLevel(entering, wide, attention, i == last, config, f"up.{i}"))
            below = wide

        self.conv_norm_out = nn.GroupNorm(config.norm_num_groups, channels[0])
        self.conv_out = nn.Conv2d(channels[0], config.in_channels, 3, padding=1)

        self.tap_label = Tap("label.embedding", VECTOR, "vector")
        self.tap_embedding = Tap("embedding", VECTOR, "vector")
        self.tap_skips = nn.ModuleList(
            Tap(f"skip.{i}", PICTURE, "feature_map") for i in range(config.num_skips)
        )
        self.tap_final = Tap("final", PICTURE, "feature_map")
        self.tap_output = Tap("output", PICTURE, "feature_map")

    def embed(self, timestep: Tensor, label: Tensor) -> Tensor:
        """(B, E): when it is and what it shall be, as one vector."""
        return self.tap_embedding(self.time_embedding(timestep) + self.tap_label(self.class_embedding(label)))

    def forward(
        self, x: Tensor, timestep: Tensor, label: Tensor, skip_strength: Tensor | None = None
    ) -> Tensor:
        embedding = self.embed(timestep, label)

        x = self.conv_in(x)  # (B, C, H, W)
        skips = [x]
        for level in self.down_blocks:
            x, made = level(x, embedding)
            skips += made

        if skip_strength is not None:
            skips = [skip * skip_strength[i] for i, skip in enumerate(skips)]
        skips = [tap(skip) for tap, skip in zip(self.tap_skips, skips, strict=True)]

        x = self.mid_block(x, embedding)  # (B, C, H/4, W/4) with three levels

        each = self.config.layers_per_block + 1
        for level in self.up_blocks:
            x = level(x, skips[-each:], embedding)
            skips = skips[:-each]

        final = self.tap_final(F.silu(self.conv_norm_out(x)))  # (B, C, H, W)
        return self.tap_output(self.conv_out(final))

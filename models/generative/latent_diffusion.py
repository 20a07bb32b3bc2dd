"""Latent diffusion: the U-Net that cleans the image VAE's latents while it reads the words.

Rombach et al., "High-Resolution Image Synthesis with Latent Diffusion Models", CVPR 2022 (section 3.3; arXiv
2112.10752), with classifier-free guidance (Ho & Salimans 2022, arXiv 2207.12598).

    words -> context (B, L, D), from models/generative/text_encoder.py
    t, mean of the context -> embedding (C,) which every residual block adds to its channels, as DDPM's time and class
    x -> conv_in -> [level: resnet (+ transformer), halve] x levels -> resnet, transformer, resnet
      -> [level: (join a skip, resnet (+ transformer)) x (layers + 1), double] x levels -> norm, SiLU, conv_out

    transformer, at every place of a map:
        h = h + self-attention(LN(h))               the places read each other
        h = h + cross-attention(LN(h), context)     Q from the picture, K and V from the words
        h = h + W (a * GELU(b)),  [a, b] = W' LN(h)

Tensor names and arithmetic follow diffusers' UNet2DConditionModel with class_embed_type "simple_projection", so its
weights load as they are. Time embedding, residual blocks and resampling are DDPM's. Schedule and samplers are in
models/generative/schedule.py.
Differs from the paper: small, and the text encoder, which as the paper's is trained with the U-Net, smaller still. The
mean of the words goes to the residual blocks as well, as in SDXL (Podell et al. 2023): without it so short a training
does not get as far as listening to the words.
Differs from the study notes: the text is no fixed CLIP (E23); an image to start from is no input of the net (E24).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.generative.ddpm import Downsample, ResnetBlock, TimeEmbedding, Upsample
from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")
VECTOR = ("batch", "channel")
TOKENS = ("batch", "position", "channel")
FORBIDDEN = -10000.0  # diffusers' score of a key that must not be read


@dataclass(frozen=True, kw_only=True)
class LatentUNetConfig:
    """Sizes of one U-Net. attention: which levels have transformers (the middle always has one).

    sample_size: side of the latents it was trained on; any sides that halve evenly at every level but the last will do.
    max_tokens: length of the context; num_attention_heads: of every transformer.
    """

    in_channels: int = 4
    sample_size: int = 16
    block_out_channels: tuple[int, ...] = (64, 96)
    layers_per_block: int = 1
    attention: tuple[bool, ...] = (False, True)
    num_attention_heads: int = 4
    cross_attention_dim: int = 96
    norm_num_groups: int = 8
    max_tokens: int = 16

    def __post_init__(self) -> None:
        channels, groups, heads = self.block_out_channels, self.norm_num_groups, self.num_attention_heads
        if len(channels) != len(self.attention):
            raise ValueError("block_out_channels and attention must have one entry for each level")
        if any(c % groups for c in channels):
            raise ValueError(f"channels must be multiples of norm_num_groups, {groups}")
        attending = [c for c, has in zip(channels, self.attention, strict=True) if has]
        if any(c % heads for c in (*attending, channels[-1])):
            raise ValueError(f"channels with attention must be multiples of num_attention_heads, {heads}")

    @classmethod
    def tiny(cls, **changes: object) -> LatentUNetConfig:
        """A preset for tests: the same levels and blocks, few channels."""
        small: dict = dict(
            sample_size=8,
            block_out_channels=(8, 16),
            norm_num_groups=4,
            num_attention_heads=2,
            cross_attention_dim=12,
            max_tokens=6,
        )
        return cls(**(small | changes))

    @property
    def embedding_channels(self) -> int:
        return 4 * self.block_out_channels[0]


# ---------------------------------------------------------------- transformer


class Attention(nn.Module):
    """softmax(Q K^T / sqrt(d)) V over heads; K and V from the places themselves, or from the words."""

    def __init__(self, channels: int, context_channels: int, heads: int, name: str, key: str):
        super().__init__()
        self.heads = heads
        self.scale = (channels // heads) ** -0.5
        self.to_q = nn.Linear(channels, channels, bias=False)
        self.to_k = nn.Linear(context_channels, channels, bias=False)
        self.to_v = nn.Linear(context_channels, channels, bias=False)
        self.to_out = nn.ModuleList([nn.Linear(channels, channels)])
        self.tap_weights = Tap(f"{name}.weights", ("batch", "head", "query", key), "attention")
        self.tap_out = Tap(f"{name}.out", TOKENS, "tokens")

    def split(self, x: Tensor) -> Tensor:
        """(B, N, C) -> (B, heads, N, d), d = C / heads."""
        b, n, c = x.shape
        return x.view(b, n, self.heads, c // self.heads).transpose(1, 2)

    def forward(
        self, x: Tensor, context: Tensor, bias: Tensor | None = None, strength: Tensor | None = None
    ) -> Tensor:
        """x (B, N, C), context (B, L, D), bias (B, 1, 1, L) added to the scores, strength (L,) times the weights."""
        b, n, c = x.shape
        q, k, v = self.split(self.to_q(x)), self.split(self.to_k(context)), self.split(self.to_v(context))
        scores = (q * self.scale) @ k.transpose(2, 3)  # (B, heads, N, L)
        weights = (scores if bias is None else scores + bias).softmax(dim=-1)
        if strength is not None:
            weights = weights * strength
        heads = self.tap_weights(weights) @ v  # (B, heads, N, d)
        return self.tap_out(self.to_out[0](heads.transpose(1, 2).reshape(b, n, c)))


class GatedLinear(nn.Module):
    """a * GELU(b), where [a, b] = W x + b' (Shazeer 2020, GEGLU). diffusers calls its layer `proj`."""

    def __init__(self, channels: int, hidden: int):
        super().__init__()
        self.proj = nn.Linear(channels, 2 * hidden)

    def forward(self, x: Tensor) -> Tensor:
        value, gate = self.proj(x).chunk(2, dim=-1)
        return value * F.gelu(gate)


class FeedForward(nn.Module):
    """Two layers with a gate between, four times as wide."""

    def __init__(self, channels: int):
        super().__init__()
        self.net = nn.ModuleList(
            [GatedLinear(channels, 4 * channels), nn.Identity(), nn.Linear(4 * channels, channels)]
        )

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.net:
            x = layer(x)
        return x


class TransformerBlock(nn.Module):
    """The places read each other, then the words, then think for themselves. Each part adds to what was there."""

    def __init__(self, channels: int, config: LatentUNetConfig, name: str):
        super().__init__()
        heads, words = config.num_attention_heads, config.cross_attention_dim
        self.norm1 = nn.LayerNorm(channels)
        self.attn1 = Attention(channels, channels, heads, f"{name}.self", "key")
        self.norm2 = nn.LayerNorm(channels)
        self.attn2 = Attention(channels, words, heads, f"{name}.cross", "token")
        self.norm3 = nn.LayerNorm(channels)
        self.ff = FeedForward(channels)

    def forward(self, h: Tensor, context: Tensor, bias: Tensor, strength: Tensor | None) -> Tensor:
        normed = self.norm1(h)  # (B, N, C)
        h = h + self.attn1(normed, normed)
        h = h + self.attn2(self.norm2(h), context, bias, strength)
        return h + self.ff(self.norm3(h))


class SpatialTransformer(nn.Module):
    """A map as a row of places, one transformer block over it, and back: x + proj_out(block(proj_in(GN(x))))."""

    def __init__(self, channels: int, config: LatentUNetConfig, name: str):
        super().__init__()
        self.norm = nn.GroupNorm(config.norm_num_groups, channels, eps=1e-6)
        self.proj_in = nn.Conv2d(channels, channels, 1)
        self.transformer_blocks = nn.ModuleList([TransformerBlock(channels, config, name)])
        self.proj_out = nn.Conv2d(channels, channels, 1)
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor, context: Tensor, bias: Tensor, strength: Tensor | None) -> Tensor:
        b, c, h, w = x.shape
        places = self.proj_in(self.norm(x)).flatten(2).transpose(1, 2)  # (B, N, C), N = H * W, row by row
        for block in self.transformer_blocks:
            places = block(places, context, bias, strength)
        return self.tap_out(x + self.proj_out(places.transpose(1, 2).reshape(b, c, h, w)))


# ---------------------------------------------------------------- levels


@dataclass(frozen=True)
class Said:
    """What every block is told.

    time: step and mean word (B, E). context: words (B, L, D). bias: scores of words not to be read. strength: of each.
    """

    time: Tensor
    context: Tensor
    bias: Tensor
    strength: Tensor | None


class Level(nn.Module):
    """Residual blocks, each followed by a transformer where the level has them. in_channels: what enters each."""

    def __init__(
        self, in_channels: list[int], channels: int, attention: bool, config: LatentUNetConfig, name: str
    ):
        super().__init__()
        count = range(len(in_channels))
        self.resnets = nn.ModuleList(
            ResnetBlock(in_channels[j], channels, config, f"{name}.resnet.{j}") for j in count
        )
        self.attentions = nn.ModuleList(
            SpatialTransformer(channels, config, f"{name}.attention.{j}") for j in count if attention
        )

    def run(self, j: int, x: Tensor, said: Said) -> Tensor:
        """The j-th residual block and what follows it."""
        x = self.resnets[j](x, said.time)
        if len(self.attentions):
            x = self.attentions[j](x, said.context, said.bias, said.strength)
        return x


class DownLevel(Level):
    """One resolution on the way down, then halve (not the last). Returns also what the way up will join."""

    def __init__(
        self,
        in_channels: list[int],
        channels: int,
        attention: bool,
        last: bool,
        config: LatentUNetConfig,
        name: str,
    ):
        super().__init__(in_channels, channels, attention, config, name)
        self.downsamplers = nn.ModuleList([] if last else [Downsample(channels, f"{name}.sample")])

    def forward(self, x: Tensor, said: Said) -> tuple[Tensor, list[Tensor]]:
        skips = []
        for j in range(len(self.resnets)):
            x = self.run(j, x, said)
            skips.append(x)
        for downsample in self.downsamplers:
            x = downsample(x)
            skips.append(x)
        return x, skips


class UpLevel(Level):
    """One resolution on the way up: join a skip each time, last made first, then double (not the last)."""

    def __init__(
        self,
        in_channels: list[int],
        channels: int,
        attention: bool,
        last: bool,
        config: LatentUNetConfig,
        name: str,
    ):
        super().__init__(in_channels, channels, attention, config, name)
        self.upsamplers = nn.ModuleList([] if last else [Upsample(channels, f"{name}.sample")])

    def forward(self, x: Tensor, skips: list[Tensor], said: Said) -> Tensor:
        for j, skip in enumerate(reversed(skips)):
            x = self.run(j, torch.cat([x, skip], dim=1), said)  # (B, C + C_skip, H, W)
        for upsample in self.upsamplers:
            x = upsample(x)
        return x


class Middle(nn.Module):
    """Residual block, transformer, residual block at the smallest size."""

    def __init__(self, channels: int, config: LatentUNetConfig):
        super().__init__()
        self.resnets = nn.ModuleList(
            ResnetBlock(channels, channels, config, f"mid.resnet.{j}") for j in range(2)
        )
        self.attentions = nn.ModuleList([SpatialTransformer(channels, config, "mid.attention.0")])

    def forward(self, x: Tensor, said: Said) -> Tensor:
        x = self.attentions[0](self.resnets[0](x, said.time), said.context, said.bias, said.strength)
        return self.resnets[1](x, said.time)


# ---------------------------------------------------------------- the net


class LatentUNet(nn.Module):
    """Predict v (or the noise, or x_0: as the weights were trained) in scaled latents, told the step and the words.

    forward: x (B, in_channels, H, W), H and W multiples of 2^(levels - 1); timestep (B,) int64 in 0 .. T-1;
    context (B, max_tokens, cross_attention_dim); kept (B, max_tokens) int64, 1 where a token is to be read, 0 where the
    text had ended. token_strength: (max_tokens,), what multiplies the attention to each token, an intervention (Hertz
    et al. 2022, prompt-to-prompt, "re-weighting"); None is all ones, at no cost. Returns (B, in_channels, H, W).
    """

    def __init__(self, config: LatentUNetConfig):
        super().__init__()
        self.config = config
        channels, layers = config.block_out_channels, config.layers_per_block
        last = len(channels) - 1
        self.conv_in = nn.Conv2d(config.in_channels, channels[0], 3, padding=1)
        self.time_embedding = TimeEmbedding(channels[0], config.embedding_channels)
        self.class_embedding = nn.Linear(config.cross_attention_dim, config.embedding_channels)

        skips = [channels[0]]  # channels of every skip, in the order in which they are made
        self.down_blocks = nn.ModuleList()
        for i, wide in enumerate(channels):
            entering = [skips[-1], *[wide] * (layers - 1)]
            has = config.attention[i]
            self.down_blocks.append(DownLevel(entering, wide, has, i == last, config, f"down.{i}"))
            skips += [wide] * (layers + (i < last))

        self.mid_block = Middle(channels[-1], config)

        self.up_blocks = nn.ModuleList()
        below = channels[-1]
        for i, wide in enumerate(reversed(channels)):
            entering = [(below if j == 0 else wide) + skips.pop() for j in range(layers + 1)]
            has = config.attention[last - i]
            self.up_blocks.append(UpLevel(entering, wide, has, i == last, config, f"up.{i}"))
            below = wide

        self.conv_norm_out = nn.GroupNorm(config.norm_num_groups, channels[0])
        self.conv_out = nn.Conv2d(channels[0], config.in_channels, 3, padding=1)
        self.tap_words = Tap("words.mean", VECTOR, "vector")
        self.tap_embedding = Tap("embedding", VECTOR, "vector")
        self.tap_in = Tap("conv_in", PICTURE, "feature_map")
        self.tap_out = Tap("output", PICTURE, "feature_map")

    def embed(self, timestep: Tensor, context: Tensor, weight: Tensor) -> Tensor:
        """Step and mean of the words as one vector: (B,), (B, L, D), (B, L) with 0 where not to be read -> (B, E)."""
        mean = (context * weight[:, :, None]).sum(1) / weight.sum(1, keepdim=True).clamp(min=1)
        return self.tap_embedding(self.time_embedding(timestep) + self.class_embedding(self.tap_words(mean)))

    def forward(
        self,
        x: Tensor,
        timestep: Tensor,
        context: Tensor,
        kept: Tensor,
        token_strength: Tensor | None = None,
    ) -> Tensor:
        read = kept.to(x.dtype)
        bias = (1 - read)[:, None, None, :] * FORBIDDEN  # (B, 1, 1, L)
        said = Said(self.embed(timestep, context, read), context, bias, token_strength)

        x = self.tap_in(self.conv_in(x))
        skips = [x]
        for level in self.down_blocks:
            x, made = level(x, said)
            skips += made

        x = self.mid_block(x, said)

        count = self.config.layers_per_block + 1
        for level in self.up_blocks:
            joined, skips = skips[-count:], skips[:-count]
            x = level(x, joined, said)
        return self.tap_out(self.conv_out(F.silu(self.conv_norm_out(x))))

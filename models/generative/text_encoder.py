"""The text encoder of latent diffusion: word numbers become vectors that know their neighbours.

Vaswani et al., "Attention Is All You Need", NeurIPS 2017, the encoder, in the pre-LN form (Xiong et al. 2020). Rombach
et al. 2022 (section 4.3) train such a transformer together with the U-Net; Stable Diffusion puts CLIP's in its place.

    tokens -> word vectors + position vectors -> [h + attention(LN(h)), h + MLP(LN(h))] x layers -> LN = context

No token reads the padding behind the end of the text. How a text becomes numbers is in models/generative/words.py.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch.nn.functional as F
from torch import Tensor, nn

from models.generative.words import PAD
from models.taps import Tap

TOKENS = ("batch", "token", "channel")
FORBIDDEN = -10000.0  # score of a key that must not be read


@dataclass(frozen=True, kw_only=True)
class TextEncoderConfig:
    """Sizes of the encoder."""

    vocab_size: int = 1000
    max_tokens: int = 16
    channels: int = 96
    layers: int = 2
    heads: int = 4

    def __post_init__(self) -> None:
        if self.channels % self.heads:
            raise ValueError(f"channels must be a multiple of heads, {self.heads}")

    @classmethod
    def tiny(cls, **changes: object) -> TextEncoderConfig:
        """A preset for tests."""
        small: dict = dict(vocab_size=20, max_tokens=6, channels=12, layers=2, heads=2)
        return cls(**(small | changes))


class WordAttention(nn.Module):
    """softmax(Q K^T / sqrt(d)) V over heads: each token reads every token of the text."""

    def __init__(self, config: TextEncoderConfig, name: str):
        super().__init__()
        self.heads = config.heads
        self.scale = (config.channels // config.heads) ** -0.5
        self.to_q = nn.Linear(config.channels, config.channels)
        self.to_k = nn.Linear(config.channels, config.channels)
        self.to_v = nn.Linear(config.channels, config.channels)
        self.to_out = nn.Linear(config.channels, config.channels)
        self.tap_weights = Tap(f"{name}.weights", ("batch", "head", "query", "token"), "attention")

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:  # (B, L, C), (B, 1, 1, L) -> (B, L, C)
        b, n, c = x.shape
        q, k, v = (
            layer(x).view(b, n, self.heads, c // self.heads).transpose(1, 2)
            for layer in (self.to_q, self.to_k, self.to_v)
        )  # (B, heads, L, d)
        weights = self.tap_weights(((q * self.scale) @ k.transpose(2, 3) + bias).softmax(dim=-1))
        return self.to_out((weights @ v).transpose(1, 2).reshape(b, n, c))


class Layer(nn.Module):
    """h + attention(LN(h)), then h + MLP(LN(h))."""

    def __init__(self, config: TextEncoderConfig, name: str):
        super().__init__()
        self.norm1 = nn.LayerNorm(config.channels)
        self.attention = WordAttention(config, f"{name}.attention")
        self.norm2 = nn.LayerNorm(config.channels)
        self.linear1 = nn.Linear(config.channels, 4 * config.channels)
        self.linear2 = nn.Linear(4 * config.channels, config.channels)
        self.tap_out = Tap(f"{name}.out", TOKENS, "tokens")

    def forward(self, h: Tensor, bias: Tensor) -> Tensor:
        h = h + self.attention(self.norm1(h), bias)
        return self.tap_out(h + self.linear2(F.gelu(self.linear1(self.norm2(h)))))


class TextEncoder(nn.Module):
    """tokens (B, max_tokens) int64, PAD behind the end of the text -> context (B, max_tokens, channels)."""

    def __init__(self, config: TextEncoderConfig):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.channels)
        self.position_embedding = nn.Embedding(config.max_tokens, config.channels)
        self.layers = nn.ModuleList(Layer(config, f"layer.{i}") for i in range(config.layers))
        self.final_norm = nn.LayerNorm(config.channels)
        self.tap_embedding = Tap("words", TOKENS, "tokens")
        self.tap_out = Tap("context", TOKENS, "tokens")

    def forward(self, tokens: Tensor) -> Tensor:
        positions = self.position_embedding.weight[None]  # (1, L, C)
        h = self.tap_embedding(self.token_embedding(tokens) + positions)  # (B, L, C)
        ended = (tokens == PAD).to(h.dtype)
        bias = (ended * FORBIDDEN)[:, None, None, :]  # (B, 1, 1, L)
        for layer in self.layers:
            h = layer(h, bias)
        return self.tap_out(self.final_norm(h))

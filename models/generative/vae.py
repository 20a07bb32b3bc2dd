"""A variational autoencoder of digits, and the plain autoencoder beside it: the same two nets, trained differently.

Kingma & Welling, "Auto-Encoding Variational Bayes", ICLR 2014 (arXiv 1312.6114).

    encoder   x (B, 1, 28, 28) in [0, 1] -> two convolutions, two linear layers -> mean and log variance of z
    decoder   z (B, d) -> two linear layers, (double, convolution) twice, convolution -> a logit for every pixel
    z = mean + exp(logvar / 2) * epsilon,    x ~ Bernoulli(sigmoid(logits))

In the weights called `ae` the log variance is fixed at -20, as good as no noise: that is an autoencoder. The bound that
is trained, its KL term and its tighter relative are in models/generative/elbo.py.
Differs from the paper: convolutions instead of one hidden layer of 500. Differs from the study notes: the noise has the
size that the encoder gives it, and the KL term keeps it from shrinking (E12).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")
VECTOR = ("batch", "unit")


@dataclass(frozen=True, kw_only=True)
class VAEConfig:
    """Sizes of the pair. latent: numbers of z. Pictures are sample_size x sample_size, a multiple of 4."""

    latent: int = 2
    channels: tuple[int, int] = (16, 32)
    hidden: int = 56
    sample_size: int = 28

    def __post_init__(self) -> None:
        if self.sample_size % 4:
            raise ValueError("sample_size must be a multiple of 4")

    @classmethod
    def tiny(cls, **changes: object) -> VAEConfig:
        """A preset for tests."""
        small: dict = dict(latent=3, channels=(4, 6), hidden=8, sample_size=8)
        return cls(**(small | changes))

    @property
    def side(self) -> int:
        """Rows of the smallest maps."""
        return self.sample_size // 4


class Encoder(nn.Module):
    """Digits (B, 1, H, W) in [0, 1] -> moments (B, 2, d): the mean, then the log variance of each latent number."""

    def __init__(self, config: VAEConfig):
        super().__init__()
        self.config = config
        first, second = config.channels
        self.conv1 = nn.Conv2d(1, first, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(first, second, 3, stride=2, padding=1)
        self.hidden = nn.Linear(second * config.side**2, config.hidden)
        self.mean = nn.Linear(config.hidden, config.latent)
        self.logvar = nn.Linear(config.hidden, config.latent)
        self.tap_conv1 = Tap("conv1", PICTURE, "feature_map")
        self.tap_conv2 = Tap("conv2", PICTURE, "feature_map")
        self.tap_hidden = Tap("hidden", VECTOR, "vector")
        self.tap_mean = Tap("mean", ("batch", "latent"), "vector")
        self.tap_logvar = Tap("logvar", ("batch", "latent"), "vector")

    def forward(self, x: Tensor) -> Tensor:
        x = self.tap_conv1(F.silu(self.conv1(x)))  # (B, C1, H/2, W/2)
        x = self.tap_conv2(F.silu(self.conv2(x)))  # (B, C2, H/4, W/4)
        h = self.tap_hidden(F.silu(self.hidden(x.flatten(1))))  # (B, hidden)
        mean, logvar = self.tap_mean(self.mean(h)), self.tap_logvar(self.logvar(h))
        return torch.stack([mean, logvar], dim=1)  # (B, 2, d)


class Decoder(nn.Module):
    """Latents (B, d) -> logits (B, 1, H, W): sigmoid of a logit is the pixel's chance of being white."""

    def __init__(self, config: VAEConfig):
        super().__init__()
        self.config = config
        first, second = config.channels
        self.linear1 = nn.Linear(config.latent, config.hidden)
        self.linear2 = nn.Linear(config.hidden, second * config.side**2)
        self.conv1 = nn.Conv2d(second, first, 3, padding=1)
        self.conv2 = nn.Conv2d(first, first, 3, padding=1)
        self.conv_out = nn.Conv2d(first, 1, 3, padding=1)
        self.tap_hidden = Tap("hidden", VECTOR, "vector")
        self.tap_maps = Tap("maps", PICTURE, "feature_map")
        self.tap_conv1 = Tap("conv1", PICTURE, "feature_map")
        self.tap_conv2 = Tap("conv2", PICTURE, "feature_map")
        self.tap_out = Tap("logits", PICTURE, "feature_map")

    def forward(self, z: Tensor) -> Tensor:
        h = self.tap_hidden(F.silu(self.linear1(z)))  # (B, hidden)
        side = self.config.side
        x = self.tap_maps(F.silu(self.linear2(h)).view(-1, self.config.channels[1], side, side))
        x = self.tap_conv1(F.silu(self.conv1(double(x))))  # (B, C1, H/2, W/2)
        x = self.tap_conv2(F.silu(self.conv2(double(x))))  # (B, C1, H, W)
        return self.tap_out(self.conv_out(x))


def double(x: Tensor) -> Tensor:
    """Each pixel four times: (B, C, H, W) -> (B, C, 2H, 2W)."""
    return F.interpolate(x, scale_factor=2.0, mode="nearest")

"""DCGAN: a generator that paints a picture from 64 random numbers, and a discriminator that judges pictures.

Goodfellow et al., "Generative Adversarial Nets", NeurIPS 2014 (arXiv 1406.2661): the game of the two nets.
Radford, Metz, Chintala, "Unsupervised Representation Learning with Deep Convolutional Generative Adversarial
Networks", ICLR 2016 (arXiv 1511.06434): the layers.

    z (64) -> 4x4 -> 8x8 -> 16x16 -> 32x32 picture      transposed 4x4 convolutions, BN, ReLU, tanh at the end
    32x32 picture -> 16x16 -> 8x8 -> 4x4 -> logit       strided 4x4 convolutions, BN, LeakyReLU(0.2)

The layers are those of pytorch/examples dcgan/main.py with one halving less, for pictures of 32x32 pixels. The
discriminator returns the logit; sigmoid(logit) is D(x), the probability that x is real.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")
SIDE = 32  # rows and columns of a picture


@dataclass(frozen=True, kw_only=True)
class GeneratorConfig:
    """latent: length of z. width: channels at 16x16; each smaller size has twice as many. channels: of the picture."""

    latent: int = 64
    width: int = 20
    channels: int = 1

    @classmethod
    def tiny(cls, **changes: int) -> GeneratorConfig:
        """A preset for tests."""
        return cls(**({"latent": 8, "width": 4} | changes))


@dataclass(frozen=True, kw_only=True)
class DiscriminatorConfig:
    """width: channels at 16x16; each smaller size has twice as many. channels: of the picture."""

    width: int = 32
    channels: int = 1

    @classmethod
    def tiny(cls, **changes: int) -> DiscriminatorConfig:
        """A preset for tests."""
        return cls(**({"width": 4} | changes))


def start_small(module: nn.Module) -> None:
    """Weights drawn as the DCGAN paper draws them: N(0, 0.02), the gain of batch norms N(1, 0.02)."""
    if isinstance(module, nn.Conv2d | nn.ConvTranspose2d):
        nn.init.normal_(module.weight, 0.0, 0.02)
    elif isinstance(module, nn.BatchNorm2d):
        nn.init.normal_(module.weight, 1.0, 0.02)
        nn.init.zeros_(module.bias)


class Up(nn.Module):
    """ReLU(BN(transposed conv(x))): one step towards the picture. (B, C, H, W) -> (B, C', 2H, 2W)

    first: the step from z as a 1x1 picture to 4x4 (stride 1, no padding) instead of a doubling.
    """

    def __init__(self, in_channels: int, out_channels: int, name: str, *, first: bool = False):
        super().__init__()
        stride, padding = (1, 0) if first else (2, 1)
        self.conv = nn.ConvTranspose2d(in_channels, out_channels, 4, stride, padding, bias=False)
        self.bn = nn.BatchNorm2d(out_channels)
        self.tap_conv = Tap(f"{name}.conv", PICTURE, "feature_map")
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:
        return self.tap_out(F.relu(self.bn(self.tap_conv(self.conv(x)))))


class Down(nn.Module):
    """LeakyReLU(BN(conv(x)), 0.2): one step towards the verdict. (B, C, H, W) -> (B, C', H/2, W/2)

    norm=False leaves the batch norm out, as the paper does in the first layer.
    """

    def __init__(self, in_channels: int, out_channels: int, name: str, *, norm: bool = True):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 4, stride=2, padding=1, bias=False)
        self.bn: nn.Module = nn.BatchNorm2d(out_channels) if norm else nn.Identity()
        self.tap_conv = Tap(f"{name}.conv", PICTURE, "feature_map")
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:
        return self.tap_out(F.leaky_relu(self.bn(self.tap_conv(self.conv(x))), 0.2))


class Generator(nn.Module):
    """Paint pictures.

    forward: latent (B, latent), standard normal. Returns pictures (B, channels, 32, 32) in [-1, 1].
    """

    def __init__(self, config: GeneratorConfig):
        super().__init__()
        self.config = config
        width = config.width
        self.project = Up(config.latent, 4 * width, "project", first=True)
        self.up1 = Up(4 * width, 2 * width, "up1")
        self.up2 = Up(2 * width, width, "up2")
        self.paint = nn.ConvTranspose2d(width, config.channels, 4, stride=2, padding=1, bias=False)
        self.tap_paint = Tap("paint", PICTURE, "feature_map")
        self.tap_picture = Tap("picture", PICTURE, "feature_map")
        self.apply(start_small)

    def forward(self, latent: Tensor) -> Tensor:
        x = self.project(latent[:, :, None, None])  # (B, latent, 1, 1) -> (B, 4w, 4, 4)
        x = self.up2(self.up1(x))  # (B, 2w, 8, 8) -> (B, w, 16, 16)
        return self.tap_picture(torch.tanh(self.tap_paint(self.paint(x))))  # (B, channels, 32, 32)


class Discriminator(nn.Module):
    """Judge pictures.

    forward: picture (B, channels, 32, 32) in [-1, 1]. Returns the logit (B, 1), positive where it looks real.
    The last 4x4 convolution covers the whole 4x4 map, so it is one weighted sum; it is written as such, and its
    sixteen places are the tap `evidence`: how much each region of the picture speaks for "real".
    """

    def __init__(self, config: DiscriminatorConfig):
        super().__init__()
        self.config = config
        width = config.width
        self.down1 = Down(config.channels, width, "down1", norm=False)
        self.down2 = Down(width, 2 * width, "down2")
        self.down3 = Down(2 * width, 4 * width, "down3")
        self.score = nn.Conv2d(4 * width, 1, 4, bias=False)
        self.tap_evidence = Tap("evidence", PICTURE, "feature_map")
        self.tap_logit = Tap("logit", ("batch", "class"), "logits")
        self.apply(start_small)

    def forward(self, picture: Tensor) -> Tensor:
        x = self.down3(self.down2(self.down1(picture)))  # (B, w, 16, 16) -> (B, 2w, 8, 8) -> (B, 4w, 4, 4)
        evidence = self.tap_evidence((x * self.score.weight).sum(dim=1, keepdim=True))  # (B, 1, 4, 4)
        return self.tap_logit(evidence.sum(dim=(2, 3)))  # (B, 1)

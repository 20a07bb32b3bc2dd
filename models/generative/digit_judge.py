"""The judge of drawn digits: a small convolutional classifier whose features also measure how far two sets are apart.

No paper of its own: batch-normalised 3x3 convolutions (Ioffe & Szegedy 2015, arXiv 1502.03167), and instead of a mean
over positions a learned weight for each of the 7 x 7 (Chen et al., "MobileFaceNets", 2018, section 3.2; arXiv
1804.07573). It was trained on digits that no generator has seen, so it can judge theirs.

    picture 28x28 -> conv, conv /2, conv /2, conv -> weigh the 7x7 positions -> features (64) -> fc -> 10 logits
"""

from __future__ import annotations

from dataclasses import dataclass

import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")
SIDE = 28


@dataclass(frozen=True, kw_only=True)
class DigitJudgeConfig:
    """width: channels of the first convolution; the later ones have twice, then four times as many."""

    num_classes: int = 10
    width: int = 16

    @classmethod
    def tiny(cls, **changes: int) -> DigitJudgeConfig:
        """A preset for tests."""
        return cls(**({"width": 2} | changes))


class ConvBlock(nn.Module):
    """ReLU(BN(conv3x3(x)))."""

    def __init__(self, in_channels: int, out_channels: int, stride: int, name: str):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, 3, stride=stride, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(out_channels)
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:  # (B, C, H, W) -> (B, C', H/stride, W/stride)
        return self.tap_out(F.relu(self.bn(self.conv(x))))


class DigitJudge(nn.Module):
    """Say which digit a picture shows.

    forward: x (B, 1, 28, 28) in [-1, 1], white ink on black. Returns logits (B, num_classes); their softmax is the
    judge's belief. Tap `features` (B, 4 * width): what distances between sets of pictures are measured in.
    """

    def __init__(self, config: DigitJudgeConfig):
        super().__init__()
        self.config = config
        width = config.width
        self.conv1 = ConvBlock(1, width, 1, "conv1")
        self.conv2 = ConvBlock(width, 2 * width, 2, "conv2")
        self.conv3 = ConvBlock(2 * width, 4 * width, 2, "conv3")
        self.conv4 = ConvBlock(4 * width, 4 * width, 1, "conv4")
        self.weigh = nn.Conv2d(4 * width, 4 * width, SIDE // 4, groups=4 * width, bias=False)
        self.bn = nn.BatchNorm2d(4 * width)
        self.fc = nn.Linear(4 * width, config.num_classes)
        self.tap_features = Tap("features", ("batch", "channel"), "vector")
        self.tap_logits = Tap("logits", ("batch", "class"), "logits")

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv2(self.conv1(x))  # (B, 2w, 14, 14)
        x = self.conv4(self.conv3(x))  # (B, 4w, 7, 7)
        features = F.relu(self.bn(self.weigh(x))).flatten(1)  # (B, 4w)
        return self.tap_logits(self.fc(self.tap_features(features)))  # (B, num_classes)

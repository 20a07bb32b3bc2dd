"""ResNet18: eight basic blocks that learn what to add to their input.

He et al., "Deep Residual Learning for Image Recognition", CVPR 2016 (table 1, equations 1 and 2; arXiv 1512.03385).

    image -> 7x7 conv, pool -> 4 stages of 2 BasicBlocks (64, 128, 256, 512 channels) -> mean -> fc

Tensor names follow torchvision, so its weights load as they are.
Differs from the study notes: the 1x1 projection shortcut also carries the stride and a batch norm, and with
F = 0 a block returns ReLU(x), which is the identity only where x >= 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")


@dataclass(frozen=True, kw_only=True)
class ResNet18Config:
    """width: channels of the first stage; each later stage doubles them."""

    num_classes: int = 1000
    width: int = 64

    @classmethod
    def tiny(cls, **changes: int) -> ResNet18Config:
        """A preset for tests."""
        return cls(**({"num_classes": 7, "width": 8} | changes))


class BasicBlock(nn.Module):
    """ReLU(F(x) + shortcut(x)), F = BN(conv3x3(ReLU(BN(conv3x3(x))))) (figure 2, equations 1 and 2).

    The shortcut is x itself, or BN(conv1x1(x)) where the stride or the channels change.
    residual_strength, shortcut_strength: scalars that multiply the two branches, an intervention; None leaves
    them as they are, at no cost. The taps show what enters the sum.
    """

    def __init__(self, in_channels: int, out_channels: int, stride: int, name: str):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channels, out_channels, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(out_channels)
        self.conv2 = nn.Conv2d(out_channels, out_channels, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(out_channels)
        self.downsample: nn.Module = nn.Identity()
        if stride != 1 or in_channels != out_channels:
            self.downsample = nn.Sequential(
                nn.Conv2d(in_channels, out_channels, 1, stride=stride, bias=False),
                nn.BatchNorm2d(out_channels),
            )
        self.tap_hidden = Tap(f"{name}.hidden", PICTURE, "feature_map")
        self.tap_residual = Tap(f"{name}.residual", PICTURE, "feature_map")
        self.tap_shortcut = Tap(f"{name}.shortcut", PICTURE, "feature_map")
        self.tap_out = Tap(f"{name}.out", PICTURE, "feature_map")

    def forward(
        self, x: Tensor, residual_strength: Tensor | None = None, shortcut_strength: Tensor | None = None
    ) -> Tensor:  # (B, C, H, W)
        hidden = self.tap_hidden(F.relu(self.bn1(self.conv1(x))))  # (B, C', H/stride, W/stride)
        residual = self.bn2(self.conv2(hidden))
        shortcut = self.downsample(x)
        if residual_strength is not None:
            residual = residual * residual_strength
        if shortcut_strength is not None:
            shortcut = shortcut * shortcut_strength
        return self.tap_out(F.relu(self.tap_residual(residual) + self.tap_shortcut(shortcut)))


def stage(in_channels: int, out_channels: int, stride: int, name: str) -> nn.Sequential:
    """Two basic blocks; the first carries the stride."""
    return nn.Sequential(
        BasicBlock(in_channels, out_channels, stride, f"{name}.0"),
        BasicBlock(out_channels, out_channels, 1, f"{name}.1"),
    )


class ResNet18(nn.Module):
    """Classify an image.

    forward: x (B, 3, H, W), normalised as the weights ask, H and W > 32. Returns logits (B, num_classes).
    residual_strength, shortcut_strength: (8,), what multiplies F(x) and the shortcut of each block; None is all ones.
    """

    def __init__(self, config: ResNet18Config):
        super().__init__()
        self.config = config
        width = config.width
        self.conv1 = nn.Conv2d(3, width, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.layer1 = stage(width, width, 1, "layer1")
        self.layer2 = stage(width, 2 * width, 2, "layer2")
        self.layer3 = stage(2 * width, 4 * width, 2, "layer3")
        self.layer4 = stage(4 * width, 8 * width, 2, "layer4")
        self.fc = nn.Linear(8 * width, config.num_classes)

        self.tap_stem = Tap("stem", PICTURE, "feature_map")
        self.tap_pool = Tap("pool", PICTURE, "feature_map")
        self.tap_features = Tap("features", ("batch", "channel"), "vector")
        self.tap_logits = Tap("logits", ("batch", "class"), "logits")

        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight, mode="fan_out", nonlinearity="relu")

    def forward(
        self, x: Tensor, residual_strength: Tensor | None = None, shortcut_strength: Tensor | None = None
    ) -> Tensor:
        x = self.tap_stem(F.relu(self.bn1(self.conv1(x))))  # (B, 64, H/2, W/2)
        x = self.tap_pool(F.max_pool2d(x, 3, stride=2, padding=1))  # (B, 64, H/4, W/4)
        # (B, 64, H/4, W/4) -> (B, 128, H/8, W/8) -> (B, 256, H/16, W/16) -> (B, 512, H/32, W/32), two blocks each
        for i, block in enumerate((*self.layer1, *self.layer2, *self.layer3, *self.layer4)):
            residual = None if residual_strength is None else residual_strength[i]
            shortcut = None if shortcut_strength is None else shortcut_strength[i]
            x = block(x, residual, shortcut)
        features = self.tap_features(torch.mean(x, dim=(2, 3)))  # (B, 512)
        return self.tap_logits(self.fc(features))  # (B, num_classes)

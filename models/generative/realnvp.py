r"""RealNVP: a net that can be run backwards, so that it both draws and tells the exact probability of a picture.

Dinh, Sohl-Dickstein, Bengio, "Density estimation using Real NVP", ICLR 2017 (arXiv 1605.08803); the normalisation that
is set by the first batch is Glow's (Kingma & Dhariwal 2018, section 3.1).

    log p(x) = log N(z; 0, I) + sum over layers of log |det J|,      z = f(x)
    coupling   y_1 = x_1,   y_2 = x_2 * exp(s(x_1)) + t(x_1),        log |det J| = sum s(x_1)
    undone     x_1 = y_1,   x_2 = (y_2 - t(y_1)) * exp(-s(y_1))      whatever s and t are

    28 x 28      4 couplings, checkerboard; squeeze 2 x 2 pixels into channels; 4 couplings, halves of the channels;
    4 x 14 x 14  half of the channels is done; 4 checkerboard; squeeze; 4 by channels;
    8 x 7 x 7    half is done; 4 checkerboard; the rest is done

z is kept as a picture, each number at the pixel that it stands for. x are grey levels made continuous and stretched by
a logit (models/generative/flow.py says how, and counts bits).
The net runs either way with the same weights: `RealNVP` from x to z, `RealNVPInverse` from z to x.
Differs from the paper: few couplings, small nets within them, and Glow's normalisation instead of batch norm.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import Tap

PICTURE = ("batch", "channel", "row", "column")


@dataclass(frozen=True, kw_only=True)
class RealNVPConfig:
    """Sizes. couplings: in a row with one kind of mask. hidden: channels within the couplings at each size."""

    sample_size: int = 28
    couplings: int = 4
    hidden: tuple[int, int, int] = (24, 48, 48)

    def __post_init__(self) -> None:
        if self.sample_size % 4:
            raise ValueError("sample_size must be a multiple of 4")

    @classmethod
    def tiny(cls, **changes: object) -> RealNVPConfig:
        """A preset for tests."""
        small: dict = dict(sample_size=8, couplings=2, hidden=(4, 6, 6))
        return cls(**(small | changes))

    @property
    def dims(self) -> int:
        """Numbers of a picture, and of its z."""
        return self.sample_size**2


class ActNorm(nn.Module):
    """y = (x + bias) * exp(log_scale) for each channel. log |det J| = rows * columns * sum of log_scale."""

    def __init__(self, channels: int):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(1, channels, 1, 1))
        self.log_scale = nn.Parameter(torch.zeros(1, channels, 1, 1))

    @torch.no_grad()
    def fit(self, x: Tensor) -> None:
        """Set both so that a batch comes out with mean 0 and spread 1 (Glow's first batch)."""
        self.bias.copy_(-x.mean((0, 2, 3), keepdim=True))
        self.log_scale.copy_(-torch.log(x.std((0, 2, 3), keepdim=True) + 1e-3))

    def log_det(self, x: Tensor) -> Tensor:
        """The same for every picture: (1,)."""
        return self.log_scale.sum().view(1) * (x.shape[2] * x.shape[3])

    def forward(self, x: Tensor) -> Tensor:
        return (x + self.bias) * self.log_scale.exp()

    def undo(self, y: Tensor) -> Tensor:
        return y * (-self.log_scale).exp() - self.bias


class Coupling(nn.Module):
    """Normalise, then one affine coupling. Half of the numbers stay as they are and say what happens to the others.

    kind: "checkerboard" or "channel". parity: which half stays. side: rows and columns.
    """

    def __init__(self, index: int, channels: int, side: int, hidden: int, kind: str, parity: int):
        super().__init__()
        self.norm = ActNorm(channels)
        self.conv1 = nn.Conv2d(channels, hidden, 3, padding=1)
        self.conv2 = nn.Conv2d(hidden, hidden, 3, padding=1)
        self.conv3 = nn.Conv2d(hidden, 2 * channels, 3, padding=1)
        self.reach = nn.Parameter(torch.full((1, channels, 1, 1), 0.5))  # how large s can be
        self.mask: Tensor
        self.register_buffer("mask", mask_of(kind, channels, side, parity), persistent=False)
        name = f"coupling.{index}"
        self.tap_scale = Tap(f"{name}.scale", PICTURE, "feature_map")
        self.tap_shift = Tap(f"{name}.shift", PICTURE, "feature_map")
        self.tap_log_det = Tap(f"{name}.log_det", ("batch",), "vector")
        self.tap_state = Tap(f"{name}.state", PICTURE, "feature_map")

    def scale_and_shift(self, stays: Tensor) -> tuple[Tensor, Tensor]:
        """s and t, 0 where the numbers stay. stays (B, C, H, W), 0 where they do not."""
        h = F.silu(self.conv2(F.silu(self.conv1(stays))))
        raw, shift = self.conv3(h).chunk(2, dim=1)
        changed = 1 - self.mask
        return self.tap_scale(self.reach * torch.tanh(raw) * changed), self.tap_shift(shift * changed)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """x (B, C, H, W) -> y, log |det J| of normalisation and coupling (B,)."""
        constant = self.norm.log_det(x)
        x = self.norm(x)
        scale, shift = self.scale_and_shift(x * self.mask)
        log_det = self.tap_log_det(scale.sum((1, 2, 3)) + constant)
        return self.tap_state(x * scale.exp() + shift), log_det

    def undo(self, y: Tensor) -> tuple[Tensor, Tensor]:
        """y -> x, and the log |det J| that forward would have said of it. The taps show what forward's show."""
        y = self.tap_state(y)
        scale, shift = self.scale_and_shift(y * self.mask)
        x = self.norm.undo((y - shift) * (-scale).exp())
        log_det = self.tap_log_det(scale.sum((1, 2, 3)) + self.norm.log_det(x))
        return x, log_det


def mask_of(kind: str, channels: int, side: int, parity: int) -> Tensor:
    """1 where a number stays: (1, 1, side, side) a checkerboard, (1, channels, 1, 1) half of the channels."""
    if kind == "checkerboard":
        row, column = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
        return ((row + column + parity) % 2).float()[None, None]
    if kind == "channel":
        half = (torch.arange(channels) < channels // 2).float()
        return (half if parity == 0 else 1 - half).view(1, channels, 1, 1)
    raise ValueError(f"there is no mask {kind!r}; there is checkerboard, channel")


@dataclass(frozen=True)
class Plan:
    """What stands where: ("couple", index), ("squeeze", 0), ("split", 0) in the order from x to z."""

    what: str
    index: int = 0


class Flow(nn.Module):
    """The layers, and both ways through them."""

    def __init__(self, config: RealNVPConfig):
        super().__init__()
        self.config = config
        self.couplings = nn.ModuleList(
            Coupling(i, channels, side, hidden, kind, i % 2)
            for i, (channels, side, hidden, kind) in enumerate(sizes(config))
        )
        self.tap_log_det = Tap("log_det", ("batch",), "vector")

    def blocks(self) -> list[Coupling]:
        """The couplings, from x to z."""
        return list(self.couplings)  # type: ignore[arg-type]

    def plan(self) -> list[Plan]:
        n = self.config.couplings
        run = [[Plan("couple", k * n + j) for j in range(n)] for k in range(5)]
        squeeze, split = [Plan("squeeze")], [Plan("split")]
        return [*run[0], *squeeze, *run[1], *split, *run[2], *squeeze, *run[3], *split, *run[4]]

    def to_z(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """x (B, 1, H, W) -> z of the same shape, log |det J| (B,)."""
        done: list[Tensor] = []
        couplings = self.blocks()
        total = x.new_zeros(1)
        for layer in self.plan():
            if layer.what == "couple":
                x, log_det = couplings[layer.index](x)
                total = total + log_det
            elif layer.what == "squeeze":
                x = F.pixel_unshuffle(x, 2)  # (B, C, H, W) -> (B, 4C, H/2, W/2)
            else:
                first, x = x.chunk(2, dim=1)
                done.append(first)
        return self.gather([*done, x]), self.tap_log_det(total)

    def gather(self, parts: list[Tensor]) -> Tensor:
        """What was done earlier, later and last as one picture (B, 1, H, W): each number of z at its pixel."""
        x, done = parts[-1], parts[:-1]
        for layer in reversed(self.plan()):
            if layer.what == "squeeze":
                x = F.pixel_shuffle(x, 2)
            elif layer.what == "split":
                x = torch.cat([done.pop(), x], dim=1)
        return x

    def scatter(self, z: Tensor) -> list[Tensor]:
        """Undo `gather`."""
        parts = []
        for layer in self.plan():
            if layer.what == "squeeze":
                z = F.pixel_unshuffle(z, 2)
            elif layer.what == "split":
                first, z = z.chunk(2, dim=1)
                parts.append(first)
        return [*parts, z]

    def to_x(self, z: Tensor) -> tuple[Tensor, Tensor]:
        """z (B, 1, H, W) -> x of the same shape, log |det J| of the way from x to z (B,)."""
        *done, x = self.scatter(z)
        total = z.new_zeros(1)
        couplings = self.blocks()
        for layer in reversed(self.plan()):
            if layer.what == "couple":
                x, log_det = couplings[layer.index].undo(x)
                total = total + log_det
            elif layer.what == "squeeze":
                x = F.pixel_shuffle(x, 2)
            else:
                x = torch.cat([done.pop(), x], dim=1)
        return x, self.tap_log_det(total)


def sizes(config: RealNVPConfig) -> Iterator[tuple[int, int, int, str]]:
    """Channels, side, hidden channels and mask of every coupling, from x to z."""
    side, n = config.sample_size, config.couplings
    groups = (
        (1, side, config.hidden[0], "checkerboard"),
        (4, side // 2, config.hidden[1], "channel"),
        (2, side // 2, config.hidden[1], "checkerboard"),
        (8, side // 4, config.hidden[2], "channel"),
        (4, side // 4, config.hidden[2], "checkerboard"),
    )
    for group in groups:
        yield from [group] * n


class RealNVP(Flow):
    """Stretched grey levels (B, 1, H, W) -> z (B, 1, H, W); the tap `log_det` is log |det J|."""

    def __init__(self, config: RealNVPConfig):
        super().__init__(config)
        self.tap_z = Tap("z", PICTURE, "feature_map")

    def forward(self, x: Tensor) -> Tensor:
        return self.tap_z(self.to_z(x)[0])


class RealNVPInverse(Flow):
    """z (B, 1, H, W) -> stretched grey levels (B, 1, H, W). The same tensors as RealNVP."""

    def __init__(self, config: RealNVPConfig):
        super().__init__(config)
        self.tap_x = Tap("x", PICTURE, "feature_map")

    def forward(self, z: Tensor) -> Tensor:
        return self.tap_x(self.to_x(z)[0])

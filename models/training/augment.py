"""Emoji pictures by the batch: drawings pasted on backgrounds, bent, recoloured and spoiled, all in torch.

The aim is a classifier that knows a thing by its shape in a drawing style it has never seen, so colours, outlines
and shading are shaken hard. `Painter.batch` also mixes in pictures of no emoji at all (label `num_classes`):
photographs, noise, scribbles, bare backgrounds.
"""

from __future__ import annotations

import io
import math

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor

MEAN, STD = 0.5, 0.25  # normalisation of pixels in [0, 1], the same for the three channels
STYLE_WEIGHTS = {
    "noto-png": 0.4,
    "noto": 0.7,
    "openmoji-line": 0.5,
}  # others 1: no family of styles dominates

# Rows are Y, I, Q of the NTSC colour space; a hue change is a rotation of (I, Q).
YIQ = torch.tensor([[0.299, 0.587, 0.114], [0.596, -0.274, -0.322], [0.211, -0.523, 0.312]])
RGB_OF_YIQ = torch.linalg.inv(YIQ)


class Painter:
    """Makes training batches.

    drawings: {style: uint8 (classes, S, S, 4)}; photographs: uint8 (N, P, P, 3), used as backgrounds and outliers.
    """

    def __init__(self, drawings: dict[str, np.ndarray], photographs: np.ndarray, seed: int):
        self.styles = list(drawings)
        stack = torch.from_numpy(np.stack([drawings[s] for s in self.styles])).permute(0, 1, 4, 2, 3)
        self.drawings = torch.stack(
            [premultiplied(style) for style in stack]
        )  # (styles, classes, 4, S, S) uint8
        self.halves = torch.stack(
            [halved(style) for style in self.drawings]
        )  # (styles, classes, 4, S/2, S/2)
        self.num_classes = stack.shape[1]
        there = (stack[:, :, 3].amax((2, 3)) > 0).float()  # (styles, classes)
        self.chance = there.T * torch.tensor([STYLE_WEIGHTS.get(s, 1.0) for s in self.styles])
        self.photographs = torch.from_numpy(photographs).permute(0, 3, 1, 2).contiguous()  # (N, 3, P, P)
        self.rng = torch.Generator().manual_seed(seed)

    # -------------------------------------------------- random numbers

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        return torch.rand(shape, generator=self.rng) * (high - low) + low

    def normal(self, *shape: int) -> Tensor:
        return torch.randn(shape, generator=self.rng)

    def integers(self, high: int, *shape: int) -> Tensor:
        return torch.randint(high, shape, generator=self.rng)

    def some(self, size: int, probability: float) -> Tensor:
        """(size, 1, 1, 1) of 0 and 1."""
        return (self.uniform(size, 1, 1, 1) < probability).float()

    # -------------------------------------------------- parts

    def take(self, labels: Tensor, side: int) -> Tensor:
        """Premultiplied RGBA (B, 4, T, T) of the classes, in random styles; some mix two styles."""
        first = torch.multinomial(self.chance[labels], 1, generator=self.rng)[:, 0]
        second = torch.multinomial(self.chance[labels], 1, generator=self.rng)[:, 0]
        rgba = self.picked(first, labels, side)
        mixed = (self.uniform(len(labels)) < 0.15).nonzero()[:, 0]
        if len(mixed):
            other = self.picked(second[mixed], labels[mixed], side)
            share = self.uniform(len(mixed), 1, 1, 1, low=0.3, high=0.7)
            rgba[mixed] = rgba[mixed] * share + other * (1 - share)
        return rgba

    def picked(self, styles: Tensor, labels: Tensor, side: int) -> Tensor:
        """(B, 4, T, T) in [0, 1]: the drawings, or halves where those are large enough for `side`."""
        source = self.halves if 2 * side <= self.drawings.shape[-1] else self.drawings
        return source[styles, labels].float().div_(255.0)

    def bend(self, rgba: Tensor, side: int) -> Tensor:
        """Random rotation, scale, stretch, shear, shift and mirror; out comes (B, 4, side, side)."""
        size = len(rgba)
        angle = self.normal(size) * math.radians(14)
        scale = self.uniform(size, low=0.62, high=1.12)
        stretch = torch.exp(self.normal(size) * 0.09)
        shear = self.normal(size) * 0.08
        mirror = torch.where(self.uniform(size) < 0.4, -1.0, 1.0)
        room = (1.15 - scale).clamp(0.05)
        shift = self.uniform(size, 2, low=-1, high=1) * room[:, None]
        cos, sin = torch.cos(angle), torch.sin(angle)
        turn = torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)  # (B, 2, 2)
        skew = torch.stack(
            [
                torch.stack([mirror / stretch, shear], 1),
                torch.stack([torch.zeros(size), stretch], 1),
            ],
            1,
        )
        matrix = skew @ turn / scale[:, None, None]
        theta = torch.cat([matrix, -(matrix @ shift[:, :, None])], 2)  # output place -> source place
        grid = F.affine_grid(theta, [size, 4, side, side], align_corners=False)
        return F.grid_sample(rgba, grid, mode="bilinear", padding_mode="zeros", align_corners=False)

    def recolour(self, rgb: Tensor, alpha: Tensor) -> Tensor:
        """Hue, saturation, contrast, brightness, grey, swapped channels, negative; rgb premultiplied by alpha."""
        size = len(rgb)
        hue = self.normal(size) * 0.25 + (self.uniform(size) < 0.25) * self.uniform(size, low=-3.1, high=3.1)
        saturation = self.uniform(size, low=0.4, high=1.5) * (self.uniform(size) > 0.1)  # one in ten is grey
        cos, sin = torch.cos(hue) * saturation, torch.sin(hue) * saturation
        turn = torch.zeros(size, 3, 3)
        turn[:, 0, 0] = 1.0
        turn[:, 1, 1], turn[:, 1, 2], turn[:, 2, 1], turn[:, 2, 2] = cos, -sin, sin, cos
        matrix = RGB_OF_YIQ @ turn @ YIQ
        swap = self.uniform(size) < 0.08
        order = torch.argsort(self.uniform(size, 3), dim=1)
        permutation = F.one_hot(order, 3).float()
        matrix = torch.where(swap[:, None, None], permutation @ matrix, matrix)
        gain = self.uniform(size, 1, 1, low=0.6, high=1.3)
        gain = torch.where(self.uniform(size, 1, 1) < 0.03, -gain, gain)
        matrix = matrix * gain
        lift = (1 - gain) * self.uniform(
            size, 1, 1, low=0.2, high=0.8
        )  # (B, 1, 1): contrast about a random grey
        flat = matrix @ rgb.flatten(2) + lift * alpha.flatten(2)
        out = flat.view_as(rgb)
        return torch.minimum(out.clamp_min(0.0), alpha)

    def restyle(self, rgb: Tensor, alpha: Tensor) -> tuple[Tensor, Tensor]:
        """Draw outlines, darken inner edges, shade, posterise: what drawing styles differ in."""
        size, side = len(rgb), rgb.shape[-1]
        wide = F.max_pool2d(alpha, 3, 1, 1)
        if self.uniform(1) < 0.5:
            wide = F.max_pool2d(wide, 3, 1, 1)
        ring = (wide - alpha) * self.some(size, 0.25)
        ink = self.uniform(size, 3, 1, 1) * self.some(size, 0.5) + self.some(size, 0.2)
        rgb, alpha = rgb + ring * ink.clamp(0, 1), alpha + ring

        grey = rgb.mean(1, keepdim=True)
        edge = F.max_pool2d(grey, 3, 1, 1) + F.max_pool2d(-grey, 3, 1, 1)  # local contrast, >= 0
        strength = self.some(size, 0.25) * self.uniform(size, 1, 1, 1, low=0.5, high=2.5)
        rgb = rgb * (1 - (edge * strength).clamp(0, 1))

        ramp = torch.linspace(-1, 1, side)
        slope = self.normal(size, 2, 1, 1) * 0.25 * self.some(size, 0.4)
        shade = slope[:, :1] * ramp[:, None] + slope[:, 1:] * ramp
        rgb = torch.minimum((rgb * (1 + shade)).clamp_min(0), alpha)

        levels = 3 + 4 * self.uniform(size, 1, 1, 1)
        posterised = torch.round(rgb * levels) / levels
        rgb = torch.where(self.some(size, 0.1) > 0, torch.minimum(posterised, alpha), rgb)
        return rgb, alpha

    def photo_crops(self, size: int, side: int) -> Tensor:
        """(size, 3, side, side): squares cut out of the photographs at random zoom."""
        picked = self.integers(len(self.photographs), size)
        longest = self.photographs.shape[-1]
        zoom = torch.exp(self.uniform(size, low=math.log(side / longest), high=0.0))
        theta = torch.zeros(size, 2, 3)
        theta[:, 0, 0] = zoom * torch.where(self.uniform(size) < 0.5, -1.0, 1.0)
        theta[:, 1, 1] = zoom
        theta[:, :, 2] = self.uniform(size, 2, low=-1, high=1) * (1 - zoom)[:, None]
        grid = F.affine_grid(theta, [size, 3, side, side], align_corners=False)
        photos = self.photographs[picked].float().div_(255.0)
        return F.grid_sample(photos, grid, mode="bilinear", padding_mode="reflection", align_corners=False)

    def backgrounds(self, size: int, side: int) -> Tensor:
        """(size, 3, side, side): plain (often white), a gradient, cloudy noise, or a photograph."""
        colour = self.uniform(size, 3, 1, 1)
        colour = torch.where(self.some(size, 0.25) > 0, torch.ones(()), colour)
        colour = torch.where(self.some(size, 0.08) > 0, torch.zeros(()), colour)
        ground = colour.expand(size, 3, side, side).clone()
        kind = self.uniform(size)
        for member in (kind < 0.15).nonzero()[:, 0]:
            ramp = torch.linspace(0, 1, side)
            slope = self.uniform(2, low=-1, high=1)
            field = (slope[0] * ramp[:, None] + slope[1] * ramp).clamp(-1, 1).abs()
            ground[member] = ground[member] * (1 - field) + self.uniform(3, 1, 1) * field
        cloudy = ((kind >= 0.15) & (kind < 0.25)).nonzero()[:, 0]
        if len(cloudy):
            ground[cloudy] = self.clouds(len(cloudy), side)
        photos = (kind > 0.75).nonzero()[:, 0]
        if len(photos):
            ground[photos] = self.photo_crops(len(photos), side)
        return ground

    def clouds(self, size: int, side: int) -> Tensor:
        """Smooth colour noise at a random scale."""
        cells = 2 + int(self.integers(14, 1))
        noise = self.uniform(size, 3, 1, 1) + 0.3 * self.normal(size, 3, cells, cells)
        return F.interpolate(noise, (side, side), mode="bilinear", align_corners=False).clamp(0, 1)

    def scribbles(self, size: int, side: int) -> Tensor:
        """Thick random curves, light on dark or dark on light: like handwriting, but no letters."""
        out = torch.zeros(size, 1, side, side)
        axis = (torch.arange(side) + 0.5) / side
        for i in range(size):
            strokes = 1 + int(self.integers(3, 1))
            width = float(self.uniform(1, low=0.015, high=0.05))
            t = torch.linspace(0, 1, 24)[:, None]
            nearest = torch.full((side, side), 9.0)
            for _ in range(strokes):
                p = self.uniform(4, 2, low=0.12, high=0.88)  # a cubic Bezier curve
                at = (
                    (1 - t) ** 3 * p[0]
                    + 3 * t * (1 - t) ** 2 * p[1]
                    + 3 * t**2 * (1 - t) * p[2]
                    + t**3 * p[3]
                )
                across, down = (axis[:, None] - at[:, 0]) ** 2, (axis[:, None] - at[:, 1]) ** 2
                nearest = torch.minimum(nearest, (down[:, None] + across[None]).amin(-1).sqrt())
            out[i, 0] = ((width - nearest) * side / 2 + 0.5).clamp(0, 1)
        ink, paper = self.uniform(size, 3, 1, 1), self.uniform(size, 3, 1, 1)
        plain = self.some(size, 0.6)
        light = self.some(size, 0.5)
        ink, paper = ink * (1 - plain) + light * plain, paper * (1 - plain) + (1 - light) * plain
        return out * ink + (1 - out) * paper

    def outliers(self, size: int, side: int) -> Tensor:
        """(size, 3, side, side) without an emoji: photographs, bare grounds, scribbles, noise."""
        pictures = self.photo_crops(size, side)
        kind = self.uniform(size)
        for low, high, make in (
            (0.5, 0.65, self.scribbles),
            (0.65, 0.75, self.backgrounds),
            (0.75, 0.85, self.clouds),
            (0.85, 1.0, self.noise),
        ):
            members = ((kind >= low) & (kind < high)).nonzero()[:, 0]
            if len(members):
                pictures[members] = make(len(members), side)
        return pictures

    def noise(self, size: int, side: int) -> Tensor:
        """Independent pixels, uniform or normal, in grey or in colour."""
        uniform = self.uniform(size, 3, side, side)
        normal = (self.uniform(size, 3, 1, 1) + 0.25 * self.normal(size, 3, side, side)).clamp(0, 1)
        pictures = torch.where(self.some(size, 0.5) > 0, uniform, normal)
        return torch.where(self.some(size, 0.3) > 0, pictures[:, :1].expand(-1, 3, -1, -1), pictures)

    def spoil(self, pictures: Tensor) -> Tensor:
        """Blur, lower resolution, noise, a covered rectangle, JPEG."""
        size, side = len(pictures), pictures.shape[-1]
        soft = F.avg_pool2d(F.pad(pictures, (1, 1, 1, 1), mode="replicate"), 3, 1)
        share = self.some(size, 0.3) * self.uniform(size, 1, 1, 1)
        pictures = pictures + (soft - pictures) * share
        coarse = (self.uniform(size) < 0.08).nonzero()[:, 0]
        if len(coarse):
            small = F.interpolate(pictures[coarse], scale_factor=0.5, mode="area")
            pictures[coarse] = F.interpolate(small, (side, side), mode="bilinear", align_corners=False)
        sigma = self.some(size, 0.25) * self.uniform(size, 1, 1, 1, low=0.01, high=0.1)
        pictures = (pictures + sigma * self.normal(size, 3, side, side)).clamp(0, 1)
        for i in (self.uniform(size) < 0.15).nonzero()[:, 0].tolist():
            height, width = (int(v) for v in self.uniform(2, low=side / 8, high=side / 2.5))
            top, left = int(self.integers(side - height, 1)), int(self.integers(side - width, 1))
            pictures[i, :, top : top + height, left : left + width] = self.uniform(3, 1, 1)
        for i in (self.uniform(size) < 0.05).nonzero()[:, 0].tolist():
            pictures[i] = jpeg(pictures[i], quality=int(self.integers(60, 1)) + 25)
        return pictures

    # -------------------------------------------------- batches

    def emoji(self, labels: Tensor, side: int) -> Tensor:
        """Augmented pictures (B, 3, side, side) in [0, 1] of the given classes."""
        rgba = self.bend(self.take(labels, side), side)
        rgb, alpha = rgba[:, :3], rgba[:, 3:]
        rgb = self.recolour(rgb, alpha)
        rgb, alpha = self.restyle(rgb, alpha)
        ground = self.backgrounds(len(labels), side)
        if self.uniform(1) < 0.3:  # a soft shadow under some of them
            shadow = F.avg_pool2d(F.pad(alpha, (4, 0, 4, 0)), 5, 1)[..., :side, :side]
            ground = ground * (1 - 0.5 * shadow * self.some(len(labels), 0.5))
        return self.spoil((rgb + (1 - alpha) * ground).clamp(0, 1))

    def batch(self, size: int, side: int, outliers: float = 0.12) -> tuple[Tensor, Tensor]:
        """(pictures (B, 3, side, side), normalised; labels (B,), `num_classes` for a picture of no emoji)."""
        none = round(size * outliers)
        labels = self.integers(self.num_classes, size - none)
        pictures = [self.emoji(labels, side)]
        if none:
            pictures.append(self.outliers(none, side))
        labels = torch.cat([labels, torch.full((none,), self.num_classes)])
        return normalise(torch.cat(pictures)), labels


def premultiplied(rgba: Tensor) -> Tensor:
    """uint8 (N, 4, S, S) with its colours multiplied by alpha."""
    colour = rgba[:, :3].float() * (rgba[:, 3:].float() / 255.0)
    return torch.cat([colour.round().byte(), rgba[:, 3:]], dim=1)


def halved(rgba: Tensor) -> Tensor:
    """uint8 (N, 4, S, S) -> (N, 4, S/2, S/2)."""
    return F.avg_pool2d(rgba.float(), 2).round().byte()


def normalise(pictures: Tensor) -> Tensor:
    """[0, 1] -> about unit variance."""
    return (pictures - MEAN) / STD


def jpeg(picture: Tensor, quality: int) -> Tensor:
    """(3, H, W) through JPEG and back."""
    raw = picture.mul(255).round().byte().permute(1, 2, 0).numpy()
    buffer = io.BytesIO()
    Image.fromarray(raw).save(buffer, "JPEG", quality=quality)
    return torch.from_numpy(np.array(Image.open(buffer))).permute(2, 0, 1).float() / 255

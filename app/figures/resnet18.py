"""Figures of the ResNet18 page: receptive fields, filters, the two branches of a block, class activation maps.

numpy in; arrays, PIL-ready pictures, SVG or HTML text out. Imports neither streamlit nor torch.
Layer sizes are those of He et al., "Deep Residual Learning for Image Recognition", CVPR 2016, table 1.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

import numpy as np
from PIL import Image

from app.figures.charts import CHOSEN, FAINT, FONT, INK, POSITIVE, short
from app.figures.overlay import Label, number
from app.figures.printed import percent
from models.cnn.resnet18_card import BLOCKS

# ---------------------------------------------------------------- receptive fields


@dataclass(frozen=True)
class Layer:
    """A convolution or pooling: name, kernel k, stride s, padding p (all square)."""

    name: str
    kernel: int
    stride: int
    padding: int


@dataclass(frozen=True)
class Field:
    """What one cell can see: cell i reads the input pixels first + i·stride ... first + i·stride + size − 1.

    `first` is negative where padding is read. The same along rows and columns.
    """

    size: int
    stride: int
    first: int

    def span(self, index: int) -> tuple[int, int]:
        """First and last pixel that cell `index` can see, both inclusive, not yet cut to the picture."""
        start = self.first + index * self.stride
        return start, start + self.size - 1

    def centre(self, index: int) -> float:
        """Middle of the span, in pixels (0 is the middle of the first pixel)."""
        return self.first + index * self.stride + (self.size - 1) / 2

    def cell_at(self, pixel: float, cells: int) -> int:
        """The cell, of `cells`, whose centre lies nearest to a pixel."""
        index = round((pixel - self.centre(0)) / self.stride)
        return min(max(index, 0), cells - 1)


PIXEL = Field(1, 1, 0)


def grow(field: Field, layer: Layer) -> Field:
    """The field after one more layer: r' = r + (k − 1)·j, a' = a − p·j, j' = j·s (r size, j stride, a first)."""
    return Field(
        size=field.size + (layer.kernel - 1) * field.stride,
        stride=field.stride * layer.stride,
        first=field.first - layer.padding * field.stride,
    )


@cache
def path_to(tap: str) -> tuple[Layer, ...]:
    """The layers from the image to a feature map, along the branch that sees most.

    Raises KeyError for a tap that is not a feature map.
    """
    layers = [Layer("conv1", 7, 2, 3)]
    if tap == "stem":
        return tuple(layers)
    layers.append(Layer("maxpool", 3, 2, 1))
    if tap == "pool":
        return tuple(layers)
    for block in BLOCKS:
        stride = 2 if block in ("layer2.0", "layer3.0", "layer4.0") else 1
        first, second = Layer(f"{block}.conv1", 3, stride, 1), Layer(f"{block}.conv2", 3, 1, 1)
        if tap == f"{block}.hidden":
            return (*layers, first)
        if tap == f"{block}.shortcut":
            return (*layers, Layer(f"{block}.downsample", 1, stride, 0)) if stride > 1 else tuple(layers)
        layers += [first, second]
        if tap in (f"{block}.residual", f"{block}.out"):
            return tuple(layers)
    raise KeyError(tap)


@cache
def field_of(tap: str) -> Field:
    """Receptive field of a cell of a feature map (for pool and blocks through every layer on the way)."""
    field = PIXEL
    for layer in path_to(tap):
        field = grow(field, layer)
    return field


def field_steps(tap: str) -> list[tuple[Layer, Field, Field]]:
    """Every layer on the way with the field before and after it."""
    steps, field = [], PIXEL
    for layer in path_to(tap):
        after = grow(field, layer)
        steps.append((layer, field, after))
        field = after
    return steps


def whole(value: int) -> str:
    """A whole number with a true minus sign."""
    return f"{value:d}".replace("-", "−")


def size_formula(tap: str) -> str:
    """LaTeX of the size with this map's numbers put in: 1 + Σ (k − 1)·j, equal neighbours gathered."""
    parts: list[list[int]] = []  # how often, k - 1, j
    for layer, before, _ in field_steps(tap):
        if layer.kernel == 1:
            continue
        if parts and parts[-1][1:] == [layer.kernel - 1, before.stride]:
            parts[-1][0] += 1
        else:
            parts.append([1, layer.kernel - 1, before.stride])
    terms = [rf"{k}\cdot{j}" if n == 1 else rf"{n}\,({k}\cdot{j})" for n, k, j in parts]
    return "r=1+" + "+".join(terms) + f"={field_of(tap).size}"


def clipped(span: tuple[int, int], size: int) -> tuple[int, int]:
    """The part of a span inside a picture of `size` pixels, both ends inclusive."""
    return max(span[0], 0), min(span[1], size - 1)


# ---------------------------------------------------------------- pictures


def denormalise(x: np.ndarray, mean: Sequence[float], std: Sequence[float]) -> np.ndarray:
    """The picture that the net saw: x (3, H, W) normalised -> uint8 (H, W, 3)."""
    picture = x * np.reshape(std, (3, 1, 1)) + np.reshape(mean, (3, 1, 1))
    return np.rint(np.clip(picture, 0, 1) * 255).astype(np.uint8).transpose(1, 2, 0)


def upsample(values: np.ndarray, height: int, width: int) -> np.ndarray:
    """Bilinear resampling of a map (h, w) to (height, width), cell centres over their parts of the picture."""
    picture = Image.fromarray(np.ascontiguousarray(values, dtype=np.float32))
    return np.asarray(picture.resize((width, height), Image.Resampling.BILINEAR))


def enlarge(image: np.ndarray, least: int) -> np.ndarray:
    """A small uint8 picture, each pixel repeated until its shorter side has at least `least` pixels."""
    factor = max(1, -(-least // min(image.shape[:2])))
    return image.repeat(factor, axis=0).repeat(factor, axis=1)


# Five points of matplotlib's "inferno" (CC0), dark to light: evidence reads as light in both themes.
HEAT = np.array([(0, 0, 4), (87, 16, 110), (188, 55, 84), (249, 142, 9), (252, 255, 164)], dtype=np.float64)


def heat(values: np.ndarray) -> np.ndarray:
    """Values in [0, 1] (…) -> RGB (…, 3) as floats 0–255."""
    at = np.clip(values, 0, 1) * (len(HEAT) - 1)
    low = np.minimum(at.astype(int), len(HEAT) - 2)
    part = (at - low)[..., None]
    return HEAT[low] * (1 - part) + HEAT[low + 1] * part


def cam_overlay(image: np.ndarray, cam: np.ndarray, opacity: float = 0.75) -> np.ndarray:
    """A class activation map over the picture.

    image: uint8 (H, W, 3). cam: (h, w), at least 0; its largest value becomes the lightest colour. Where the map
    is 0 the picture shows darkened and grey, so that colour is evidence and nothing else. Returns uint8 (H, W, 3).
    """
    height, width = image.shape[:2]
    peak = float(cam.max())
    strength = np.clip(upsample(cam / peak if peak > 0 else np.zeros_like(cam), height, width), 0, 1)
    grey = image.astype(np.float64) @ np.array([0.299, 0.587, 0.114])
    base = np.repeat((0.12 + 0.62 * grey / 255)[..., None] * 255, 3, axis=2)
    mix = (opacity * strength**0.5)[..., None]
    return np.rint(base * (1 - mix) + heat(strength) * mix).clip(0, 255).astype(np.uint8)


def share_labels(shares: np.ndarray, side: int) -> list[Label]:
    """What each position adds, written in the middle of its part of a picture of `side` pixels."""
    rows, columns = shares.shape
    size = 13.0 if columns <= 4 else 10.0
    return [
        Label(
            x=(j + 0.5) * side / columns,
            y=(i + 0.5) * side / rows,
            text=f"{shares[i, j]:+.2f}".replace("-", "−"),
            centred=True,
            size=size,
        )
        for i in range(rows)
        for j in range(columns)
    ]


@dataclass(frozen=True)
class Sheet:
    """Small pictures in a grid. image: uint8 (H, W, 3). cell: side of one in pixels, gap between them."""

    image: np.ndarray
    columns: int
    count: int
    cell: int
    gap: int

    def at(self, x: float, y: float) -> int | None:
        """Number of the picture at a pixel, None in the empty end of the last row."""
        pitch = self.cell + self.gap
        column, row = int(x // pitch), int(y // pitch)
        index = row * self.columns + column
        return index if 0 <= column < self.columns and 0 <= index < self.count else None

    def corner(self, index: int) -> tuple[int, int]:
        """Upper left pixel (x, y) of picture `index`."""
        pitch = self.cell + self.gap
        return self.gap + index % self.columns * pitch, self.gap + index // self.columns * pitch


def filter_sheet(weights: np.ndarray, columns: int = 8, scale: int = 6, gap: int = 4) -> Sheet:
    """First-layer filters as colour pictures.

    weights: (N, 3, k, k). Each filter is shown about mid-grey (0) and scaled by its own largest |w|.
    """
    count, _, side, _ = weights.shape
    peak = np.abs(weights).reshape(count, -1).max(axis=1).reshape(-1, 1, 1, 1)
    about_grey = 0.5 + 0.5 * weights / np.where(peak > 0, peak, 1)
    tiles = np.rint(about_grey * 255).astype(np.uint8).transpose(0, 2, 3, 1)
    tiles = tiles.repeat(scale, axis=1).repeat(scale, axis=2)
    cell, rows = side * scale, -(-count // columns)
    sheet = np.full((gap + rows * (cell + gap), gap + columns * (cell + gap), 3), 24, np.uint8)
    found = Sheet(sheet, columns, count, cell, gap)
    for i, tile in enumerate(tiles):
        x, y = found.corner(i)
        sheet[y : y + cell, x : x + cell] = tile
    return found


# ---------------------------------------------------------------- the two branches


@dataclass(frozen=True)
class Balance:
    """One block's two branches, over all channels and positions.

    residual, shortcut: the norms ‖F(x)‖ and ‖s(x)‖. cosine: of the angle between them (below 0 the block takes away).
    cut: share of the sum that ReLU sets to 0. change: ‖y − s(x)‖ / ‖s(x)‖ after the ReLU.
    """

    block: str
    residual: float
    shortcut: float
    cosine: float
    cut: float
    change: float

    @property
    def ratio(self) -> float:
        """‖F(x)‖ / ‖s(x)‖, infinite where the shortcut is zero and the residual is not."""
        if self.shortcut:
            return self.residual / self.shortcut
        return float("inf") if self.residual else 0.0


def balance(block: str, residual: np.ndarray, shortcut: np.ndarray) -> Balance:
    """Norms, angle and ReLU share of a block. residual, shortcut: same shape, what enters the sum."""
    f, s = residual.astype(np.float64).ravel(), shortcut.astype(np.float64).ravel()
    # sums of products without BLAS, whose threads would wait for each other on a busy machine
    norm_f, norm_s = float((f * f).sum()) ** 0.5, float((s * s).sum()) ** 0.5
    total = f + s
    step = np.maximum(total, 0) - s
    return Balance(
        block=block,
        residual=norm_f,
        shortcut=norm_s,
        cosine=float((f * s).sum()) / (norm_f * norm_s) if norm_f and norm_s else 0.0,
        cut=float(np.mean(total <= 0)),
        change=float((step * step).sum()) ** 0.5 / norm_s if norm_s else float("inf"),
    )


@dataclass(frozen=True)
class Series:
    """One colour of a column chart: its name and a value for each group."""

    name: str
    colour: str
    values: Sequence[float]


def panel(
    groups: Sequence[str],
    series: Sequence[Series],
    *,
    top: int,
    width: int,
    height: int,
    peak: float,
    chosen: str = "",
    line: tuple[float, str] | None = None,
    texts: Callable[[float], str] | None = None,
) -> str:
    """Grouped columns in a box whose upper edge is at `top`: SVG without its frame.

    peak: the value at the upper edge. line: a dotted line at a value, with its name. texts: writes a number on
    every column. The chosen group stands on a tint.
    """
    floor, room = top + height, height - 16
    pitch = width / len(groups)
    bar = min(26.0, 0.72 * pitch / len(series))

    def y(value: float) -> float:
        return floor - room * min(max(value, 0.0) / peak, 1.0)

    parts: list[str] = []
    for g, group in enumerate(groups):
        middle = (g + 0.5) * pitch
        if group == chosen:
            parts.append(
                f'<rect x="{number(g * pitch + 2)}" y="{top - 4}" width="{number(pitch - 4)}" height="{height + 4}" '
                f'rx="4" fill="{CHOSEN}" fill-opacity=".13"/>'
            )
        for i, one in enumerate(series):
            value = float(one.values[g])
            x = middle + (i - len(series) / 2) * bar
            shown = value if np.isfinite(value) else peak
            parts.append(
                f'<rect x="{number(x + 1)}" y="{number(y(shown))}" width="{number(bar - 2)}" '
                f'height="{number(max(0.8, floor - y(shown)))}" rx="1.5" fill="{one.colour}">'
                f"<title>{escape(group)}: {escape(one.name)} {short(value)}</title></rect>"
            )
            if texts is not None:
                parts.append(
                    f'<text x="{number(x + bar / 2)}" y="{number(y(shown) - 4)}" text-anchor="middle" class="n">'
                    f"{escape(texts(value))}</text>"
                )
    parts.append(f'<line x1="0" x2="{width}" y1="{floor}" y2="{floor}" stroke="{FAINT}"/>')
    if line is not None:
        at = number(y(line[0]))
        parts.append(
            f'<line x1="0" x2="{width}" y1="{at}" y2="{at}" stroke="{INK}" stroke-dasharray="2 4" opacity=".7"/>'
            f'<text x="{width}" y="{number(y(line[0]) - 5)}" text-anchor="end" class="n">{escape(line[1])}</text>'
        )
    return "".join(parts)


def names_below(
    groups: Sequence[str], y: int, width: int, top: int, said: Sequence[str], chosen: str = ""
) -> str:
    """The groups' names under a chart, each with the whole column above it as a thing to click."""
    pitch = width / len(groups)
    parts = []
    for g, (group, words) in enumerate(zip(groups, said, strict=True)):
        weight = "700" if group == chosen else "400"
        short_name = group.removeprefix("layer") if pitch < 56 else group
        parts.append(
            f'<g data-id="{escape(group, quote=True)}" aria-label="{escape(words, quote=True)}">'
            f'<rect x="{number(g * pitch)}" y="{top}" width="{number(pitch)}" height="{y - top + 8}" '
            f'fill="transparent" class="box" rx="4"/>'
            f'<text x="{number((g + 0.5) * pitch)}" y="{y}" text-anchor="middle" font-weight="{weight}">'
            f"{escape(short_name)}</text></g>"
        )
    return "".join(parts)


def key_line(series: Sequence[Series], y: int) -> str:
    """The colours' names in one line."""
    parts, x = [], 2.0
    for one in series:
        parts.append(
            f'<rect x="{number(x)}" y="{y - 10}" width="11" height="11" rx="2" fill="{one.colour}"/>'
            f'<text x="{number(x + 16)}" y="{y}">{escape(one.name)}</text>'
        )
        x += 34 + 7.6 * sum(2 if ord(c) > 0x2E80 else 1 for c in one.name)
    return "".join(parts)


def chart(width: int, height: int, title: str, body: str) -> str:
    """The frame of a column chart."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="group" '
        f'aria-label="{escape(title, quote=True)}" style="width:100%;height:auto;max-width:{width}px" '
        f'font-family="{FONT}" font-size="13" fill="{INK}">'
        f"<style>.n{{font-variant-numeric:tabular-nums;font-size:12px}}</style>{body}</svg>"
    )


ADDS, PASSES, RATIO = CHOSEN, "var(--vt-passes,#8d949b)", POSITIVE


def balance_chart(
    blocks: Sequence[Balance], labels: dict[str, str], picked: str = "", width: int = 640
) -> str:
    """‖F(x)‖ beside ‖shortcut‖ for every block, and below their ratio with a line at 1. SVG, blocks clickable.

    labels: the words "residual", "shortcut", "ratio", "title".
    """
    names = [b.block for b in blocks]
    norms = [
        Series(labels["residual"], ADDS, [b.residual for b in blocks]),
        Series(labels["shortcut"], PASSES, [b.shortcut for b in blocks]),
    ]
    ratios = [Series(labels["ratio"], RATIO, [b.ratio for b in blocks])]
    highest = max([*norms[0].values, *norms[1].values, 1e-9])
    largest = max([1.1, *(r for r in ratios[0].values if np.isfinite(r))])
    said = [
        f"{b.block}: {labels['residual']} {short(b.residual)}, {labels['shortcut']} {short(b.shortcut)}, "
        f"{labels['ratio']} {short(b.ratio)}"
        for b in blocks
    ]
    body = (
        key_line(norms, 14)
        + panel(names, norms, top=24, width=width, height=150, peak=highest, chosen=picked)
        + key_line(ratios, 206)
        + panel(
            names,
            ratios,
            top=214,
            width=width,
            height=110,
            peak=largest,
            chosen=picked,
            line=(1.0, ""),
            texts=lambda v: f"{v:.2f}",
        )
        + names_below(names, 344, width, 20, said, picked)
    )
    return chart(width, 354, labels["title"], body)


# ---------------------------------------------------------------- what a change does to the answer


def circuit(
    blocks: Sequence[str],
    no_f: Collection[str],
    no_x: Collection[str],
    labels: Mapping[str, str],
    columns: int = 8,
    width: int = 880,
) -> str:
    """The chain of blocks with both branches drawn, each one a switch (`data-id` "f:block" and "x:block"). SVG.

    The shortcut is the straight wire, F(x) the box above it; they meet in ⊕. What is off is dashed and faint.
    labels: "residual", "shortcut", "on", "off", "title".
    """
    pitch, row_height = width / columns, 116
    parts: list[str] = []
    for i, block in enumerate(blocks):
        left, top = (i % columns) * pitch, (i // columns) * row_height
        parts.append(_links(left, top + 76, pitch, block, last=i == len(blocks) - 1))
        for kind, word, off, inner in (
            ("f", labels["residual"], block in no_f, _residual_branch(left, top, pitch, block in no_f)),
            ("x", labels["shortcut"], block in no_x, _shortcut_branch(left, top + 76, pitch, block in no_x)),
        ):
            said = escape(f"{block}, {word}: {labels['off' if off else 'on']}", quote=True)
            parts.append(f'<g data-id="{kind}:{block}" aria-label="{said}">{inner}</g>')
    rows = -(-len(blocks) // columns)
    return chart(width, rows * row_height, labels["title"], "".join(parts))


FORK, JOIN = 10, 14  # where a block's wire forks, from its left end, and meets again, from its right end


def _wire(path: str, off: bool) -> str:
    how = 'stroke-width="1.4" stroke-dasharray="2 4" opacity=".45"' if off else 'stroke-width="2"'
    return f'<path d="{path}" fill="none" stroke="{INK}" {how}/>'


def _links(left: float, wire: float, pitch: float, block: str, last: bool) -> str:
    """The wire into a block, the sum at its end, the wire out of it, and its name below."""
    fork, join, end = left + FORK, left + pitch - JOIN, left + pitch
    out = _wire(f"M{number(join + 9)} {number(wire)}H{number(end)}", False)
    plus = f"M{number(join - 5)} {number(wire)}h10M{number(join)} {number(wire - 5)}v10"
    return (
        _wire(f"M{number(left)} {number(wire)}H{number(fork)}", False)
        + (f'<g opacity=".4">{out}</g>' if last else out)
        + f'<circle cx="{number(join)}" cy="{number(wire)}" r="9" fill="none" stroke="{INK}" stroke-width="1.6"/>'
        + f'<path d="{plus}" stroke="{INK}" stroke-width="1.6"/>'
        + f'<text x="{number((fork + join) / 2)}" y="{number(wire + 28)}" text-anchor="middle" class="n">'
        + f"{escape(block)}</text>"
    )


def _residual_branch(left: float, top: float, pitch: float, off: bool) -> str:
    """The box F(x) and the wire through it."""
    fork, join, wire, box_y, box_h = left + FORK, left + pitch - JOIN, top + 76, top + 14, 30
    box_x, box_w, middle = fork + 9, join - fork - 18, top + 29
    path = (
        f"M{number(fork)} {number(wire)}V{number(middle)}H{number(box_x)}"
        f"M{number(box_x + box_w)} {number(middle)}H{number(join)}V{number(wire - 9)}"
    )
    fill = "transparent" if off else CHOSEN
    edge = 'stroke-dasharray="3 4" stroke-opacity=".7"' if off else 'stroke-width="1.6"'
    letters = 'opacity=".5" text-decoration="line-through"' if off else ""
    return (
        _wire(path, off)
        + f'<rect x="{number(box_x)}" y="{number(box_y)}" width="{number(box_w)}" height="{box_h}" rx="5" class="box" '
        + f'fill="{fill}" fill-opacity=".16" stroke="{CHOSEN}" {edge}/>'
        + f'<text x="{number(box_x + box_w / 2)}" y="{number(box_y + 20)}" text-anchor="middle" {letters}>F(x)</text>'
    )


def _shortcut_branch(left: float, wire: float, pitch: float, off: bool) -> str:
    """The straight wire, with a target of finger size around it, and a cross where it is cut."""
    fork, join = left + FORK, left + pitch - JOIN
    target = (
        f'<rect x="{number(fork + 2)}" y="{number(wire - 13)}" width="{number(join - fork - 12)}" height="26" rx="5" '
        'fill="transparent" class="box"/>'
    )
    cross = (
        f'<text x="{number((fork + join) / 2)}" y="{number(wire + 5)}" text-anchor="middle" fill="{POSITIVE}" '
        'font-size="16" font-weight="700">×</text>'
    )
    return target + _wire(f"M{number(fork)} {number(wire)}H{number(join - 9)}", off) + (cross if off else "")


def removal_chart(
    blocks: Sequence[str],
    without: Mapping[str, Sequence[float]],
    whole: float,
    labels: dict[str, str],
    width: int = 640,
) -> str:
    """Probability of one class with a branch of one block taken out, for each block in turn. SVG, blocks clickable.

    without: "residual" and "shortcut" -> a probability a block. whole: with nothing taken out.
    labels: the words "residual", "shortcut", "whole", "title".
    """
    series = [
        Series(labels["residual"], ADDS, without["residual"]),
        Series(labels["shortcut"], PASSES, without["shortcut"]),
    ]
    said = [
        f"{block}: {labels['residual']} {percent(without['residual'][i])}, "
        f"{labels['shortcut']} {percent(without['shortcut'][i])}"
        for i, block in enumerate(blocks)
    ]
    peak = max(1e-6, whole, *without["residual"], *without["shortcut"])
    body = (
        key_line(series, 14)
        + panel(
            blocks,
            series,
            top=28,
            width=width,
            height=170,
            peak=peak,
            line=(whole, f"{labels['whole']} {percent(whole)}"),
        )
        + names_below(blocks, 218, width, 24, said)
    )
    return chart(width, 228, labels["title"], body)


# ---------------------------------------------------------------- the answer itself


FILL, GOOD, BAD = "#2f8f84", "#2f8f84", "#c2622a"  # readable on both themes' paper


@dataclass(frozen=True)
class Bar:
    """One class of the answer: name, icon (a data URI, "" for none), probability, and that before a change."""

    name: str
    icon: str
    probability: float
    before: float | None = None


def answer_html(bars: Sequence[Bar], label: str) -> str:
    """The most probable classes as bars, in HTML that follows the theme's text colour. label: for screen readers."""
    rows = []
    pictured = any(bar.icon for bar in bars)
    for i, bar in enumerate(bars):
        weight = "600" if i == 0 else "400"
        tick = ""
        if bar.before is not None:
            tick = (
                f'<div style="position:absolute;top:-2px;bottom:-2px;left:{100 * bar.before:.2f}%;width:2px;'
                'background:currentColor;opacity:.75"></div>'
            )
        picture = (
            f'<img src="{escape(bar.icon, quote=True)}" alt="" width="32" height="32">' if bar.icon else ""
        )
        emoji = f'<div style="grid-row:span 2;height:32px">{picture}</div>' if pictured else ""
        rows.append(
            f'<div role="listitem" style="display:grid;grid-template-columns:{"32px " if pictured else ""}1fr auto;'
            f'gap:0 .6em;align-items:center;margin:.42em 0">{emoji}'
            f'<div style="font-weight:{weight};line-height:1.25;overflow-wrap:anywhere">{escape(bar.name)}</div>'
            f'<div style="font-variant-numeric:tabular-nums;font-weight:{weight}">{escape(percent(bar.probability))}'
            f'</div><div style="position:relative;grid-column:{2 if pictured else 1} / -1;height:.5em;'
            'border-radius:.25em;background:color-mix(in srgb, currentColor 13%, transparent);margin-top:.15em">'
            f'<div style="width:{max(100 * bar.probability, 0.4):.2f}%;height:100%;border-radius:.25em;'
            f'background:{FILL}"></div>{tick}</div></div>'
        )
    return f'<div role="list" aria-label="{escape(label)}" style="max-width:34rem">{"".join(rows)}</div>'


def score_html(score: float, threshold: float, span: float, inside: str, outside: str, here: str) -> str:
    """Where a picture's score stands against the threshold below which it is called unfamiliar.

    span: half the width of the scale, in units of the score. inside, outside, here: words. Theme-aware HTML.
    """
    at = 50 + 50 * float(np.clip((score - threshold) / span, -1, 1)) * 0.96
    colour = GOOD if score >= threshold else BAD
    shift = "0" if at < 18 else "-100%" if at > 82 else "-50%"
    return (
        '<div style="max-width:34rem;margin:.3em 0 .2em;font-size:.875rem">'
        f'<div style="position:relative;height:1.5em"><span style="position:absolute;left:{at:.1f}%;'
        f'transform:translateX({shift});font-weight:600;white-space:nowrap">{escape(here)}</span></div>'
        '<div style="position:relative;height:.7em;border-radius:.35em;'
        f'background:linear-gradient(90deg,{BAD}66 0 50%,{GOOD}66 50% 100%)">'
        '<div style="position:absolute;left:50%;top:-.2em;bottom:-.2em;width:2px;background:currentColor;'
        'opacity:.7"></div>'
        f'<div style="position:absolute;left:{at:.1f}%;top:50%;width:1em;height:1em;border-radius:50%;'
        f"transform:translate(-50%,-50%);background:{colour};border:2px solid currentColor;"
        'box-sizing:border-box"></div></div>'
        '<div style="display:flex;justify-content:space-between;gap:1em;margin-top:.35em;opacity:.8">'
        f'<span>{escape(outside)}</span><span style="text-align:right">{escape(inside)}</span></div></div>'
    )

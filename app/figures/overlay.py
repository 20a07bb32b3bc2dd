"""Vector drawings over a picture: grids, rectangles, polygons, dots and labels, as SVG.

Coordinates are image pixels: (0, 0) is the upper left corner of the first pixel, (0.5, 0.5) its middle.
The same shapes are laid over the picture in the browser and written into the SVG a user takes away. Widths,
radii and letters are in screen pixels, so they stay the same at any zoom: in the browser they follow the custom
property `--u` (image pixels for one screen pixel), in a file they are multiplied out.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from PIL import Image

# Okabe and Ito's colour-blind safe set, by role. Every stroke is drawn over a dark halo, so it shows on any photo.
COLOURS = {
    "accent": "#ffb000",
    "second": "#56b4e9",
    "third": "#d98cc0",
    "good": "#2fcf9f",
    "bad": "#ff6a3d",
    "plain": "#ffffff",
    "dark": "#16181d",
}
HALO = "#101216"


@dataclass(frozen=True, kw_only=True)
class Style:
    """colour: a key of COLOURS or a CSS colour. width: stroke in screen pixels. fill: opacity of the inside."""

    colour: str = "accent"
    width: float = 2.0
    opacity: float = 1.0
    fill: float = 0.0
    dashed: bool = False
    halo: bool = True

    @property
    def css(self) -> str:
        return COLOURS.get(self.colour, self.colour)


@dataclass(frozen=True, kw_only=True)
class Grid:
    """Lines every `step` pixels, beginning at `offset` (x, y). The size is that of the picture."""

    step: float
    offset: tuple[float, float] = (0.0, 0.0)
    style: Style = Style(width=1.0, opacity=0.85, colour="plain")


@dataclass(frozen=True, kw_only=True)
class Rect:
    """A rectangle with its upper left corner at (x, y); `label` is written at that corner."""

    x: float
    y: float
    width: float
    height: float
    label: str = ""
    style: Style = Style()


@dataclass(frozen=True, kw_only=True)
class Polygon:
    """A closed line through points (x, y); `closed=False` leaves it open."""

    points: tuple[tuple[float, float], ...]
    closed: bool = True
    style: Style = Style()


@dataclass(frozen=True, kw_only=True)
class Dot:
    """A ring around (x, y). For the middle of pixel (column, row) pass column + 0.5, row + 0.5."""

    x: float
    y: float
    radius: float = 5.0
    label: str = ""
    style: Style = Style()


@dataclass(frozen=True, kw_only=True)
class Label:
    """Words at (x, y), above and to the right of it unless `below`; `centred`: in the middle of (x, y).

    size: height of the letters in screen pixels.
    """

    x: float
    y: float
    text: str
    below: bool = False
    centred: bool = False
    size: float = 12.0
    style: Style = Style(colour="plain")


Shape = Grid | Rect | Polygon | Dot | Label


def number(value: float) -> str:
    """A short decimal without exponent: 3 rather than 3.0, at most three places."""
    text = f"{float(value):.3f}".rstrip("0").rstrip(".")
    return "0" if text in ("", "-0") else text


def length(value: float, unit: float | None) -> str:
    """A length in screen pixels: bound to `--u` in the browser (unit None), multiplied out in a file."""
    return f"calc(var(--u,1)*{number(value)}px)" if unit is None else f"{number(value * unit)}px"


def grid_lines(size: float, step: float, offset: float) -> list[float]:
    """Where lines stand on a side of `size` pixels, both ends left out."""
    if step <= 0:
        raise ValueError(f"a grid needs a positive step, not {step}")
    first = offset % step
    count = max(0, int(np.ceil((size - first) / step)))
    return [at for i in range(count) if 0 < (at := first + i * step) < size]


def stroked(path: str, style: Style, unit: float | None, filled: bool = True) -> str:
    """A path twice: a dark halo below, the colour above. `path` is an SVG element without its closing `/>`."""
    fill = (
        f"fill:{escape(style.css)};fill-opacity:{number(style.fill)}"
        if style.fill and filled
        else "fill:none"
    )
    dash = ""
    if style.dashed:
        dash = f";stroke-dasharray:{length(5, unit)} {length(4, unit)}"
    join = "stroke-linejoin:round;stroke-linecap:round"
    over = (
        f'{path} style="{fill};stroke:{escape(style.css)};stroke-width:{length(style.width, unit)};'
        f'opacity:{number(style.opacity)};{join}{dash}"/>'
    )
    if not style.halo:
        return over
    under = (
        f'{path} style="fill:none;stroke:{HALO};stroke-width:{length(style.width + 1.6, unit)};'
        f'opacity:{number(0.55 * style.opacity)};{join}"/>'
    )
    return under + over


def words(
    x: float,
    y: float,
    text: str,
    style: Style,
    unit: float | None,
    below: bool = False,
    centred: bool = False,
    height: float = 12.0,
) -> str:
    """Letters with a halo, `height` screen pixels high, four pixels off the point or centred on it."""
    size, gap = length(height, unit), length(4, unit)
    if centred:
        return (
            f'<text x="{number(x)}" y="{number(y)}" style="font:600 {size} system-ui,sans-serif;'
            f"fill:{escape(style.css)};stroke:{HALO};stroke-width:{length(2.4, unit)};stroke-linejoin:round;"
            f'paint-order:stroke;text-anchor:middle;dominant-baseline:central">{escape(text)}</text>'
        )
    drop = 14 if below else -4
    if unit is None:
        move = f";transform:translate({gap},calc(var(--u,1)*{drop}px))"
    else:  # many programs know no CSS transform: move the point itself
        x, y, move = x + 4 * unit, y + drop * unit, ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" style="font:600 {size} system-ui,sans-serif;fill:{escape(style.css)};'
        f"stroke:{HALO};stroke-width:{length(3, unit)};stroke-linejoin:round;paint-order:stroke"
        f'{move}">{escape(text)}</text>'
    )


def fragment(shapes: Iterable[Shape], width: float, height: float, unit: float | None = None) -> str:
    """SVG elements of the shapes over a picture of width × height pixels, without the outer <svg>.

    unit: image pixels for one screen pixel, or None to let the browser decide through `--u`.
    """
    parts: list[str] = []
    for shape in shapes:
        if isinstance(shape, Grid):
            lines = "".join(
                f"M{number(x)} 0V{number(height)}" for x in grid_lines(width, shape.step, shape.offset[0])
            ) + "".join(
                f"M0 {number(y)}H{number(width)}" for y in grid_lines(height, shape.step, shape.offset[1])
            )
            if lines:
                parts.append(stroked(f'<path d="{lines}"', shape.style, unit, filled=False))
        elif isinstance(shape, Rect):
            box = " ".join(
                f'{k}="{number(v)}"'
                for k, v in (("x", shape.x), ("y", shape.y), ("width", shape.width), ("height", shape.height))
            )
            parts.append(stroked(f"<rect {box}", shape.style, unit))
            if shape.label:
                parts.append(words(shape.x, shape.y, shape.label, shape.style, unit, below=True))
        elif isinstance(shape, Polygon):
            points = " ".join(f"{number(x)},{number(y)}" for x, y in shape.points)
            name = "polygon" if shape.closed else "polyline"
            parts.append(stroked(f'<{name} points="{points}"', shape.style, unit, filled=shape.closed))
        elif isinstance(shape, Dot):
            circle = f'<circle cx="{number(shape.x)}" cy="{number(shape.y)}"'
            if unit is not None:
                circle += f' r="{number(shape.radius * unit)}"'
            drawn = stroked(circle, shape.style, unit)
            if unit is None:  # r as a CSS property follows --u
                drawn = drawn.replace('style="', f'style="r:{length(shape.radius, None)};')
            parts.append(drawn)
            if shape.label:
                parts.append(words(shape.x, shape.y, shape.label, shape.style, unit))
        else:
            parts.append(
                words(shape.x, shape.y, shape.text, shape.style, unit, shape.below, shape.centred, shape.size)
            )
    return "".join(parts)


def png_bytes(image: np.ndarray) -> bytes:
    """PNG file of a uint8 picture (H, W), (H, W, 3) or (H, W, 4)."""
    out = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(image)).save(out, "PNG", compress_level=6)
    return out.getvalue()


def to_svg(
    image: np.ndarray,
    overlays: Sequence[Shape] = (),
    marks: Sequence[Shape] = (),
    *,
    pixelated: bool = False,
    title: str = "",
    shown_width: float = 800.0,
) -> str:
    """A whole SVG file: the picture inside as PNG, the shapes as vectors over it.

    image: uint8 (H, W), (H, W, 3) or (H, W, 4). shown_width: the width on screen that stroke widths are meant for.
    """
    height, width = image.shape[:2]
    unit = width / shown_width
    data = base64.b64encode(png_bytes(image)).decode("ascii")
    smooth = ' style="image-rendering:pixelated"' if pixelated else ""
    head = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{number(shown_width)}" height="{number(shown_width * height / width)}">{head}'
        f'<image width="{width}" height="{height}" preserveAspectRatio="none"{smooth} '
        f'href="data:image/png;base64,{data}"/>{fragment([*overlays, *marks], width, height, unit)}</svg>\n'
    )

"""Numbers to colours: a sequential and a diverging map, built here, readable by the colour-blind.

Both maps are walked in OKLab (Ottosson 2020, https://bottosson.github.io/posts/oklab/), where equal steps look
equal. The sequential one rises evenly in lightness from ink to pale yellow, so it also reads in grey. The
diverging one falls evenly from its light middle to blue on the left and orange-brown on the right, a pair that
every common colour blindness tells apart. What is no number gets colours of neither map.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

Kind = Literal["sequential", "diverging"]
Limits = tuple[float, float]

STEPS = 256
NAN = (255, 0, 200)  # not a number
INFINITE = (0, 255, 60)  # plus or minus infinity

_SEQUENTIAL = ("#0d0b2b", "#2f3a8c", "#1f7f99", "#55b57c", "#c9d765", "#fdf6c4")
_LEFT = ("#f7f6f2", "#a9c9e8", "#5596d0", "#1f5fa8", "#0f3468")  # from zero down
_RIGHT = ("#f7f6f2", "#f2c39b", "#df8447", "#b04e12", "#6a2a06")  # from zero up

_LINEAR_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LMS_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def to_oklab(rgb: np.ndarray) -> np.ndarray:
    """sRGB in [0, 255], (..., 3), to OKLab (lightness 0..1, a, b)."""
    x = np.asarray(rgb, np.float64) / 255.0
    linear = np.where(x <= 0.04045, x / 12.92, ((x + 0.055) / 1.055) ** 2.4)
    return np.cbrt(linear @ _LINEAR_TO_LMS.T) @ _LMS_TO_LAB.T


def from_oklab(lab: np.ndarray) -> np.ndarray:
    """OKLab to sRGB uint8, what lies outside of it clipped."""
    lms = (np.asarray(lab, np.float64) @ np.linalg.inv(_LMS_TO_LAB).T) ** 3
    linear = np.clip(lms @ np.linalg.inv(_LINEAR_TO_LMS).T, 0.0, 1.0)
    x = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return (np.clip(x, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def _walk(anchors: tuple[str, ...], steps: int) -> np.ndarray:
    """Colours (steps, 3) through the anchors, lightness changing by the same amount at every step."""
    lab = to_oklab(np.array([[int(a[i : i + 2], 16) for i in (1, 3, 5)] for a in anchors]))
    lightness = np.linspace(lab[0, 0], lab[-1, 0], steps)
    order = np.argsort(lab[:, 0])
    a, b = (np.interp(lightness, lab[order, 0], lab[order, i]) for i in (1, 2))
    return from_oklab(np.stack([lightness, a, b], -1))


def _tables() -> dict[str, np.ndarray]:
    half = STEPS // 2
    left, right = _walk(_LEFT, half), _walk(_RIGHT, half)
    tables = {"sequential": _walk(_SEQUENTIAL, STEPS), "diverging": np.concatenate([left[::-1], right])}
    for table in tables.values():
        table.flags.writeable = False
    return tables


LUT: dict[str, np.ndarray] = _tables()


def limits_of(array: np.ndarray, kind: Kind = "sequential", percentile: float = 100.0) -> Limits:
    """(low, high) of the finite numbers; symmetric about zero for a diverging map; (0, 0) where there is none.

    percentile: below 100, that share of |x| (or of x, one side each) lies within the limits and the rest is cut.
    """
    values = np.asarray(array, np.float64)
    values = values[np.isfinite(values)]
    if values.size == 0:
        return 0.0, 0.0
    if kind == "diverging":
        size = np.abs(values)
        top = float(size.max() if percentile >= 100 else np.percentile(size, percentile))
        return -top, top
    if percentile >= 100:
        return float(values.min()), float(values.max())
    low, high = np.percentile(values, [100 - percentile, percentile])
    return float(low), float(high)


def kind_of(array: np.ndarray) -> Kind:
    """Which map suits these numbers: diverging where some are negative."""
    values = np.asarray(array)
    return "diverging" if bool((values[np.isfinite(values)] < 0).any()) else "sequential"


def colormap(array: np.ndarray, kind: Kind = "sequential", limits: Limits | None = None) -> np.ndarray:
    """Colours uint8 (..., 3) of numbers (...).

    limits: (low, high) of the map; those of the array if None. Numbers outside take the end's colour. Where the
    limits meet, everything at them takes the lowest colour (the middle one of a diverging map).
    """
    values = np.asarray(array, np.float64)
    low, high = limits_of(values, kind) if limits is None else (float(limits[0]), float(limits[1]))
    if not (np.isfinite(low) and np.isfinite(high)) or high < low:
        raise ValueError(f"limits must be finite and in order, not {(low, high)}")
    finite = np.isfinite(values)
    shown = np.where(finite, values, low)
    if high > low:
        half = 0.5 * high - 0.5 * low  # halves, because high - low may overflow
        at = np.clip((0.5 * np.clip(shown, low, high) - 0.5 * low) / half, 0.0, 1.0)
    else:
        middle = 0.5 if kind == "diverging" else 0.0
        at = np.where(shown > high, 1.0, np.where(shown < low, 0.0, middle))
    index = np.minimum((at * STEPS).astype(np.int64), STEPS - 1)
    colours = LUT[kind][index]
    colours[np.isnan(values)] = NAN
    colours[np.isinf(values)] = INFINITE
    return colours


def css_gradient(kind: Kind, stops: int = 17) -> str:
    """A CSS gradient of a map from left to right."""
    table = LUT[kind]
    picked = table[np.linspace(0, STEPS - 1, stops).round().astype(int)]
    return "linear-gradient(90deg," + ",".join(f"rgb({r},{g},{b})" for r, g, b in picked) + ")"


def hex_of(rgb: np.ndarray) -> str:
    r, g, b = (int(v) for v in rgb)
    return f"#{r:02x}{g:02x}{b:02x}"

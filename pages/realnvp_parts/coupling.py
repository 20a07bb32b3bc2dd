"""One coupling written out again in numpy: s and t, any number of it, its Jacobian by brute force. No Streamlit.

    x' = gamma (x + b),   y = x' where the mask is 1,   y = x' e^s + t where it is 0,   [a, t] = net(mask x'),
    s = reach tanh(a)

Arrays of one picture, without a batch axis: (C, H, W). Where its numbers stand: app/figures/realnvp_places.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.figures.realnvp_places import Layer
from app.widgets.formula import Term

State = Mapping[str, np.ndarray]
PATCHES = {1: (4, 4), 2: (2, 4), 4: (2, 2), 8: (1, 2)}  # channels: rows and columns that make 16 numbers
SMALL = 1e-5  # of the central differences, in float64


# ---------------------------------------------------------------- the coupling


def conv(x: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """3 x 3 with padding 1: x (B, K, H, W), weight (C, K, 3, 3) -> (B, C, H, W)."""
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    out = np.tensordot(windows, weight, axes=([1, 4, 5], [1, 2, 3]))
    return np.moveaxis(out, 3, 1) + bias[None, :, None, None]


def silu(x: np.ndarray) -> np.ndarray:
    return x * 0.5 * (1 + np.tanh(0.5 * x))


@dataclass(frozen=True, eq=False)
class Passed:
    """All numbers of a coupling for a batch: x', the last hidden layer, a, s, t, y; each float64 (B, C, H, W)."""

    normed: np.ndarray
    hidden: np.ndarray
    raw: np.ndarray
    scale: np.ndarray
    shift: np.ndarray
    y: np.ndarray


def tensors(state: State, index: int) -> dict[str, np.ndarray]:
    """The weights of one coupling, float64, under their short names."""
    start = f"couplings.{index}."
    return {
        name.removeprefix(start): v.astype(np.float64) for name, v in state.items() if name.startswith(start)
    }


def run(state: State, layer: Layer, x: np.ndarray) -> Passed:
    """x (B, C, H, W) through normalisation and coupling, in float64."""
    w = tensors(state, layer.index)
    normed = (x.astype(np.float64) + w["norm.bias"]) * np.exp(w["norm.log_scale"])
    hidden = silu(conv(normed * layer.mask, w["conv1.weight"], w["conv1.bias"]))
    hidden = silu(conv(hidden, w["conv2.weight"], w["conv2.bias"]))
    out = conv(hidden, w["conv3.weight"], w["conv3.bias"])
    raw, shift = out[:, : layer.channels], out[:, layer.channels :]
    changed = 1 - layer.mask
    scale, shift = w["reach"] * np.tanh(raw) * changed, shift * changed
    return Passed(normed, hidden, raw, scale, shift, normed * np.exp(scale) + shift)


def gamma(state: State, layer: Layer, channel: int) -> tuple[float, float]:
    """gamma and b of the normalisation of one channel."""
    w = tensors(state, layer.index)
    return float(np.exp(w["norm.log_scale"][0, channel, 0, 0])), float(w["norm.bias"][0, channel, 0, 0])


def head_terms(
    state: State, layer: Layer, passed: Passed, at: tuple[int, int, int], which: str
) -> tuple[tuple[Term, ...], float]:
    """Every term of a ("scale") or t ("shift") at one number, from the last hidden layer; and the bias."""
    w = tensors(state, layer.index)
    c, i, j = at
    c += layer.channels if which == "shift" else 0
    hidden, weight = passed.hidden[0], w["conv3.weight"]
    inside = range(layer.side)
    terms = tuple(
        (rf"W_{{{c},{k},{m},{n}}}h_{{{k},{i + m - 1},{j + n - 1}}}", float(weight[c, k, m, n]), float(h))
        for k in range(len(hidden))
        for m in range(3)
        for n in range(3)
        if i + m - 1 in inside and j + n - 1 in inside
        for h in (hidden[k, i + m - 1, j + n - 1],)
    )
    return terms, float(w["conv3.bias"][c])


# ---------------------------------------------------------------- its Jacobian, by brute force


@dataclass(frozen=True, eq=False)
class Piece:
    """16 numbers that lie together, those that stay first.

    jacobian (16, 16): row y, column x, by central differences. log_det: of it, by elimination (slogdet).
    from_scales: what the formula says, the sum of s and of log gamma. stay: how many stay.
    """

    places: tuple[tuple[int, int, int], ...]
    stay: int
    jacobian: np.ndarray
    log_det: float
    from_scales: float


def piece(state: State, layer: Layer, x: np.ndarray, at: tuple[int, int, int]) -> Piece:
    """The Jacobian of a coupling, cut down to 16 numbers around one: all others are held still. x (C, H, W)."""
    rows, columns = PATCHES[layer.channels]
    top = min(max(at[1] - rows // 2, 0), layer.side - rows)
    left = min(max(at[2] - columns // 2, 0), layer.side - columns)
    mask = layer.mask
    found = [
        (c, top + i, left + j) for c in range(layer.channels) for i in range(rows) for j in range(columns)
    ]
    found.sort(key=lambda p: mask[p] == 0)
    index = tuple(np.array(found).T)
    moved = np.repeat(x.astype(np.float64)[None], 2 * len(found), axis=0)
    for n, p in enumerate(found):
        moved[(2 * n, *p)] += SMALL
        moved[(2 * n + 1, *p)] -= SMALL
    y = run(state, layer, moved).y[(slice(None), *index)]  # (32, 16)
    jacobian = ((y[0::2] - y[1::2]) / (2 * SMALL)).T
    scale = run(state, layer, x[None]).scale[0][index]
    norms = np.array([np.log(gamma(state, layer, c)[0]) for c, _, _ in found])
    stay = int(mask[index].sum())
    log_det = float(np.linalg.slogdet(jacobian)[1])
    return Piece(tuple(found), stay, jacobian, log_det, float(scale.sum() + norms.sum()))

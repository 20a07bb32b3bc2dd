"""The numbers that the SwinIR page shows, as small pure functions over numpy arrays.

Pictures: uint8 (H, W, 3). Attention follows the paper's equation: A = softmax(Q K^T / sqrt(d) + B + M), O = A V.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.figures.swinir_windows import Windows, class_of, is_padding, locate, mask_of, pixels_of

ATTENTION_PARTS = ("q", "k", "v", "bias", "scores", "weights", "out")


# ---------------------------------------------------------------- what the picture itself suffers from


def blockiness(image: np.ndarray) -> float:
    """How much steeper steps across the borders of 8 x 8 blocks are than other steps: about 1 for a clean picture.

    A sign of strong JPEG compression (of this picture at its own size; a resized one hides its blocks). Photographs
    gave 0.97 to 1.09 clean, and 1.2 to 2.4 after JPEG at quality 18 to 60.
    """
    grey = image.astype(np.float32).mean(axis=2)
    if min(grey.shape) < 24:
        return 1.0
    border = inner = 0.0
    for axis in (0, 1):
        steps = np.abs(np.diff(grey, axis=axis)).mean(axis=1 - axis)
        at = np.arange(len(steps)) % 8 == 7
        border += float(steps[at].mean())
        inner += float(steps[~at].mean())
    return border / inner if inner > 1e-6 else 1.0


BLOCKY = 1.3  # blockiness from which the page warns


# ---------------------------------------------------------------- attention of one pixel


@dataclass(frozen=True, kw_only=True)
class Attention:
    """What one pixel of one layer did: everything of its query, in its window, for every head.

    query (heads, d); keys, values (heads, N, d); bias, scores, weights (heads, N); out (heads, d): the taps.
    mask (N,): 0 or -100. padding (N,): True where the key is a reflected pixel. pixels (N, 2): row, column of each
    key in the padded picture. kind: class of the window. weights are those of the tap, after the mask.
    """

    windows: Windows
    window: int
    position: int
    kind: str
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    bias: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    out: np.ndarray
    mask: np.ndarray
    padding: np.ndarray
    pixels: np.ndarray

    @property
    def heads(self) -> int:
        return int(self.query.shape[0])

    @property
    def size(self) -> int:
        return self.windows.size

    @property
    def silenced(self) -> np.ndarray:
        """(N,) True where the mask forbids the key."""
        return self.mask < 0


def attention_at(
    taps: Mapping[str, np.ndarray], block: str, windows: Windows, x: int, y: int, strength: float = 1.0
) -> Attention:
    """Cut what belongs to pixel (x, y) out of a layer's taps `<block>.attn.<part>` (batch of one).

    strength: what the mask was multiplied by in this run.
    """
    place = locate(windows, x, y)
    w, p = place.window, place.position
    q, k, v, bias, scores, weights, out = (taps[f"{block}.attn.{part}"] for part in ATTENTION_PARTS)
    kind = class_of(windows, w)
    return Attention(
        windows=windows,
        window=w,
        position=p,
        kind=kind,
        query=q[0, w, :, p].copy(),
        keys=k[0, w].copy(),
        values=v[0, w].copy(),
        bias=bias[:, p].copy(),
        scores=scores[0, w, :, p].copy(),
        weights=weights[0, w, :, p].copy(),
        out=out[0, w, :, p].copy(),
        mask=mask_of(windows.size, windows.shift, kind)[p] * np.float32(strength),
        padding=is_padding(windows, w),
        pixels=pixels_of(windows, w),
    )


def softmax(scores: np.ndarray) -> np.ndarray:
    """Over the last axis, in float64."""
    shifted = np.exp(scores.astype(np.float64) - scores.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def scores_of(attention: Attention, head: int) -> np.ndarray:
    """(N,) q·k / sqrt(d) + B, worked out again from the taps q, k and B in float64."""
    query = attention.query[head].astype(np.float64)
    return np.asarray(
        attention.keys[head].astype(np.float64) @ query / np.sqrt(query.size)
        + attention.bias[head].astype(np.float64)
    )


def weights_of(attention: Attention, head: int) -> np.ndarray:
    """(N,) softmax(q·k / sqrt(d) + B + M), worked out again."""
    return softmax(scores_of(attention, head) + attention.mask.astype(np.float64))


def unmasked_weights(attention: Attention, head: int) -> np.ndarray:
    """(N,) what the weights would be had the mask not been added: who was silenced, and by how much."""
    return softmax(attention.scores[head])


def head_terms(attention: Attention, head: int, channel: int) -> np.ndarray:
    """(N,) the terms A_ij * v_j of output channel `channel` of a head, in float64."""
    return np.asarray(
        attention.weights[head].astype(np.float64) * attention.values[head][:, channel].astype(np.float64)
    )


def largest(terms: np.ndarray, most: int = 8) -> np.ndarray:
    """Indices of the terms that are largest in absolute value, largest first."""
    return np.argsort(-np.abs(terms), kind="stable")[:most]


def entropy(weights: np.ndarray) -> float:
    """Effective number of pixels listened to: exp of the entropy, 1 (one pixel) .. N (all alike)."""
    p = weights[weights > 0].astype(np.float64)
    return float(np.exp(-(p * np.log(p)).sum()))


# ---------------------------------------------------------------- bias table


def bias_table_key(block: str) -> str:
    """State dict name of a layer's bias table: "rstb.0.layer.1" -> "rstb.0.layers.1.attn.…"."""
    return f"{block.replace('.layer.', '.layers.')}.attn.relative_position_bias_table"


def bias_by_offset(table: np.ndarray) -> np.ndarray:
    """((2M-1)^2, heads) -> (heads, 2M-1, 2M-1), [.., M-1+dy, M-1+dx] for the key dy below and dx right of the query.

    The table counts query minus key, so both axes are turned round.
    """
    side = round(len(table) ** 0.5)
    return np.asarray(table.reshape(side, side, -1).transpose(2, 0, 1)[:, ::-1, ::-1])


# ---------------------------------------------------------------- features and leaks


def norm_map(tokens: np.ndarray) -> np.ndarray:
    """Length of each pixel's feature vector: (1, H, W, C) -> (H, W)."""
    return np.asarray(np.linalg.norm(tokens[0].astype(np.float64), axis=-1))


@dataclass(frozen=True, kw_only=True)
class Leak:
    """What changed when the mask was weakened. All of outputs in [0, 1].

    largest, mean: of |difference|, the largest of the three channels at each pixel. changed: share of pixels above
    1/255. edge_share: share of the whole difference that lies within one window of the picture's four sides;
    edge_area: what share of the picture that band is.
    """

    largest: float
    mean: float
    changed: float
    edge_share: float
    edge_area: float


def difference(masked: np.ndarray, unmasked: np.ndarray) -> np.ndarray:
    """(H, W) largest absolute difference of the channels; outputs (1, 3, H, W)."""
    return np.asarray(np.abs(masked - unmasked)[0].max(axis=0))


def leak(delta: np.ndarray, band: int) -> Leak:
    """Numbers of a difference map (H, W); band: width of the edge band in output pixels."""
    inner = np.zeros(delta.shape, bool)
    inner[band : delta.shape[0] - band, band : delta.shape[1] - band] = True
    total = float(delta.sum(dtype=np.float64))
    return Leak(
        largest=float(delta.max()),
        mean=float(delta.mean(dtype=np.float64)),
        changed=float((delta > 1 / 255).mean()),
        edge_share=float(delta[~inner].sum(dtype=np.float64)) / total if total else 0.0,
        edge_area=float((~inner).mean()),
    )


def plain_minus(words: str) -> str:
    """A formatted number as it is printed: with a true minus, and no minus before a zero ("-0.0" → "0.0")."""
    if words.startswith("-") and not words.strip("-0."):
        return words[1:]
    return words.replace("-", "−")


def signed(value: float, places: int) -> str:
    """A difference with its sign: "+2.75", "−0.10"; "±0.00" where it would read zero."""
    words = f"{value:+.{places}f}"
    return f"±{words[1:]}" if not words.strip("+-0.") else words.replace("-", "−")


def score_words(value: float) -> str:
    """A number for a cell, one decimal; a plain 0 where it would read "-0.0" or "0.0"."""
    words = f"{value:.1f}"
    return plain_minus(words) if words.strip("-0.") else "0"

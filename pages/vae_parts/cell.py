"""How one number inside the encoder or the decoder comes about: every term, from the tensor before it. numpy only.

Encoder's convolutions 3x3, stride 2, padding 1:
    a[c, i, j] = b[c] + sum over k, m, n of W[c, k, m, n] x[k, 2i+m-1, 2j+n-1]
Decoder's 3x3, padding 1, the first two after every pixel was made four: u[k, i, j] = x[k, i // 2, j // 2]
Linear layers: h[c] = b[c] + sum over k of W[c, k] x[k]. All but mean, logvar and logits end in SiLU.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.widgets.formula import Activation, Term

State = Mapping[str, np.ndarray]
Place = tuple[int, ...]  # (channel, row, column), or (index,) of a vector
LAYERS = {  # tap -> (the layer's weights, the tap or input before it)
    "encoder": {
        "conv1": ("conv1", "x"),
        "conv2": ("conv2", "conv1"),
        "hidden": ("hidden", "conv2"),
        "mean": ("mean", "hidden"),
        "logvar": ("logvar", "hidden"),
    },
    "decoder": {
        "hidden": ("linear1", "latent"),
        "maps": ("linear2", "hidden"),
        "conv1": ("conv1", "maps"),
        "conv2": ("conv2", "conv1"),
        "logits": ("conv_out", "conv2"),
    },
}
PLAIN = ("mean", "logvar", "logits")


@dataclass(frozen=True)
class Worked:
    """Sum of terms + bias, then the activation; expected: the net's own number. kind: "conv", "doubled" or "linear"."""

    kind: str
    terms: tuple[Term, ...]
    bias: float
    expected: float
    activation: Activation


def conv_terms(x: np.ndarray, weight: np.ndarray, at: Place, stride: int) -> tuple[Term, ...]:
    """x (K, H, W), weight (C, K, 3, 3). What lies in the padding is 0 and left out."""
    c, i, j = at
    rows = [(m, stride * i + m - 1) for m in range(3) if 0 <= stride * i + m - 1 < x.shape[1]]
    columns = [(n, stride * j + n - 1) for n in range(3) if 0 <= stride * j + n - 1 < x.shape[2]]
    return tuple(
        (rf"W_{{{c},{k},{m},{n}}}x_{{{k},{p},{q}}}", float(weight[c, k, m, n]), float(x[k, p, q]))
        for k in range(len(x))
        for m, p in rows
        for n, q in columns
    )


def linear_terms(x: np.ndarray, weight: np.ndarray, c: int) -> tuple[Term, ...]:
    """x (K,), weight (C, K)."""
    return tuple((rf"W_{{{c},{k}}}x_{{{k}}}", float(weight[c, k]), float(x[k])) for k in range(len(x)))


def work_out(net: str, state: State, inputs: State, taps: State, tap: str, at: Place) -> Worked:
    """One number of "encoder" or "decoder". inputs, taps: arrays of one sample, batch axis first."""
    layer, source = LAYERS[net][tap]
    x = (inputs[source] if source in inputs else taps[source])[0].astype(np.float64)
    weight, bias, expected = state[f"{layer}.weight"], state[f"{layer}.bias"], float(taps[tap][0][at])
    activation: Activation = "" if tap in PLAIN else "silu"
    if weight.ndim == 2:
        index = at[0] if tap != "maps" else int(np.ravel_multi_index(at, taps[tap].shape[1:]))
        terms = linear_terms(x.reshape(-1), weight, index)
        return Worked("linear", terms, float(bias[index]), expected, activation)
    doubled = net == "decoder" and tap != "logits"
    if doubled:
        x = x.repeat(2, axis=1).repeat(2, axis=2)
    terms = conv_terms(x, weight, at, 2 if net == "encoder" else 1)
    return Worked("doubled" if doubled else "conv", terms, float(bias[at[0]]), expected, activation)

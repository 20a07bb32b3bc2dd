"""How one number inside G or D comes about: every term of it, from the tensor before and the weights. numpy only.

Transposed convolution 4x4, stride 2, padding 1:  a[c, i, j] = sum over k, p, q of x[k, p, q] W[k, c, i+1-2p, j+1-2q]
where both places in the kernel lie in 0..3. The first one (from z): a[c, i, j] = sum over k of z[k] W[k, c, i, j].
Convolution 4x4, stride 2, padding 1:             a[c, i, j] = sum over k, u, v of W[c, k, u, v] x[k, 2i+u-1, 2j+v-1]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from app.figures.dcgan import heard
from app.widgets.formula import Activation, Term

EPS = 1e-5  # of every BatchNorm2d
SLOPE = 0.2  # of LeakyReLU
State = Mapping[str, np.ndarray]
Place = tuple[int, int, int]  # channel, row, column


@dataclass(frozen=True)
class Worked:
    """Sum of terms + bias, then the activation; expected: the net's own number. kind: how it is told.

    kind: "transposed", "from_z", "conv", "norm_relu", "norm_leaky", "leaky", "tanh", "evidence" or "logit".
    slack: for numbers that went through more roundings than the sum.
    """

    kind: str
    terms: tuple[Term, ...]
    expected: float
    bias: float = 0.0
    activation: Activation = ""
    slack: float = 1.0


def before(tap: str) -> str:
    """The tap that a tap is computed from ("latent" and "picture" are inputs); of the generator."""
    chain = {"project.conv": "latent", "up1.conv": "project.out", "up2.conv": "up1.out", "paint": "up2.out"}
    chain |= {f"{block}.out": f"{block}.conv" for block in ("project", "up1", "up2")}
    return chain["paint" if tap == "paint" else tap] if tap != "picture" else "paint"


def read_by(tap: str) -> str:
    """The same of the discriminator."""
    chain = {"down1.conv": "picture", "down2.conv": "down1.out", "down3.conv": "down2.out"}
    chain |= {f"down{i}.out": f"down{i}.conv" for i in (1, 2, 3)}
    return (chain | {"evidence": "down3.out", "logit": "evidence"})[tap]


def folded(state: State, norm: str, channel: int) -> tuple[float, float]:
    """Batch norm of one channel as scale and shift: scale = gamma / sqrt(var + eps), shift = beta - mean scale."""
    gamma, beta, mean, var = (
        float(state[f"{norm}.{part}"][channel]) for part in ("weight", "bias", "running_mean", "running_var")
    )
    scale = gamma / float(np.sqrt(var + EPS))
    return scale, beta - mean * scale


def transposed_terms(x: np.ndarray, weight: np.ndarray, cell: Place) -> tuple[Term, ...]:
    """x (K, H, W), weight (K, C, 4, 4). One term for each input channel and each input place that is heard."""
    c, i, j = cell
    found = []
    for p, u in heard(i, x.shape[1]):
        for q, v in heard(j, x.shape[2]):
            for k in range(len(x)):
                label = rf"x_{{{k},{p},{q}}}W_{{{k},{c},{u},{v}}}"
                found.append((label, float(x[k, p, q]), float(weight[k, c, u, v])))
    return tuple(found)


def conv_terms(x: np.ndarray, weight: np.ndarray, cell: Place) -> tuple[Term, ...]:
    """x (K, H, W), weight (C, K, 4, 4). What lies in the padding is 0 and left out."""
    c, i, j = cell
    rows = [(u, 2 * i + u - 1) for u in range(4) if 0 <= 2 * i + u - 1 < x.shape[1]]
    columns = [(v, 2 * j + v - 1) for v in range(4) if 0 <= 2 * j + v - 1 < x.shape[2]]
    return tuple(
        (rf"W_{{{c},{k},{u},{v}}}x_{{{k},{m},{n}}}", float(weight[c, k, u, v]), float(x[k, m, n]))
        for k in range(len(x))
        for u, m in rows
        for v, n in columns
    )


def generator_cell(state: State, z: np.ndarray, taps: State, tap: str, cell: Place) -> Worked:
    """One number of the generator. z (latent,); taps: arrays (1, C, H, W) of `tap` and of `before(tap)`."""
    c, i, j = cell
    expected = float(taps[tap][0, c, i, j])
    if tap == "picture":
        return Worked("tanh", ((r"a", float(taps["paint"][0, c, i, j]), 1.0),), expected)
    block = tap.split(".")[0]
    if tap.endswith(".out"):
        scale, shift = folded(state, f"{block}.bn", c)
        a = float(taps[f"{block}.conv"][0, c, i, j])
        return Worked("norm_relu", ((r"\gamma/\sigma\cdot a", scale, a),), expected, shift, "relu", 8.0)
    if block == "project":
        weight = state["project.conv.weight"]
        terms = tuple((rf"z_{{{k}}}", float(z[k]), float(weight[k, c, i, j])) for k in range(len(z)))
        return Worked("from_z", terms, expected)
    weight = state["paint.weight" if tap == "paint" else f"{block}.conv.weight"]
    return Worked("transposed", transposed_terms(taps[before(tap)][0], weight, cell), expected)


def discriminator_cell(state: State, picture: np.ndarray, taps: State, tap: str, cell: Place) -> Worked:
    """One number of the discriminator. picture (1, 32, 32); taps: arrays of `tap` and of `read_by(tap)`."""
    if tap == "logit":
        places = taps["evidence"][0, 0]
        terms = tuple(
            (rf"e_{{{i},{j}}}", float(places[i, j]), 1.0)
            for i in range(len(places))
            for j in range(len(places))
        )
        return Worked("logit", terms, float(taps[tap][0, 0]))
    c, i, j = cell
    expected = float(taps[tap][0, c, i, j])
    if tap == "evidence":
        weight, x = state["score.weight"], taps["down3.out"][0]
        terms = tuple((rf"x_{{{k}}}", float(x[k, i, j]), float(weight[0, k, i, j])) for k in range(len(x)))
        return Worked("evidence", terms, expected)
    block = tap.split(".")[0]
    if tap.endswith(".conv"):
        x = picture if block == "down1" else taps[read_by(tap)][0]
        return Worked("conv", conv_terms(x, state[f"{block}.conv.weight"], cell), expected)
    a = float(taps[f"{block}.conv"][0, c, i, j])
    scale, shift = (1.0, 0.0) if block == "down1" else folded(state, f"{block}.bn", c)
    slope = 1.0 if scale * a + shift > 0 else SLOPE
    kind = "leaky" if block == "down1" else "norm_leaky"
    return Worked(kind, ((r"\gamma/\sigma\cdot a", slope * scale, a),), expected, slope * shift, "", 8.0)

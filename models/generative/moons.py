r"""The study notes' two moons, tried: an autoencoder and a VAE with one number as code, trained on the spot. numpy.

The notes (section 4.2) train on a full moon and a half moon and ask what lies half-way between the two codes. Here the
same two nets are trained on those two pictures alone, or on every phase from half to full.

    h = tanh((x - 1/2) E + e),  mu = h m + m0,  log sigma^2 = h l + l0,  z = mu + sigma epsilon
    g = tanh(z D + d),  logits = g W + w;   loss = cross entropy summed over pixels + beta KL   (mean over pictures)

The autoencoder is the same without noise and without KL.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

SIDE = 16
HIDDEN = 16
PHASES = 14  # pictures where every phase is trained on
FINE = 4  # samples of a pixel's side, for smooth edges
HALF, FULL = 0.5, 1.0
MIDDLE = 0.5  # taken off the greys that the encoder reads
Net = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Recipe:
    """phases: how many pictures, evenly from half to full moon. noisy: a VAE, else an autoencoder."""

    phases: int = 2
    noisy: bool = True
    beta: float = 1.0
    steps: int = 600
    lr: float = 0.01
    seed: int = 0


def moon(lit: float) -> np.ndarray:
    """(SIDE, SIDE) float64 in [0, 1]: a moon of which the share `lit` is seen, growing from the right."""
    at = (np.arange(SIDE * FINE) + 0.5) / (SIDE * FINE) * 2 - 1
    x, y = np.meshgrid(at / 0.86, at / 0.86)
    rim = np.sqrt(np.clip(1 - y**2, 0, None))
    inside = (x**2 + y**2 <= 1) & (x >= (1 - 2 * lit) * rim)
    return inside.reshape(SIDE, FINE, SIDE, FINE).mean((1, 3))


def pictures(phases: int) -> np.ndarray:
    """(phases, SIDE²): from half to full."""
    return np.stack([moon(lit).ravel() for lit in np.linspace(HALF, FULL, phases)])


def new(seed: int) -> dict[str, np.ndarray]:
    """An untrained net, float64."""
    random = np.random.Generator(np.random.PCG64(seed))
    pixels = SIDE**2

    def weights(rows: int, columns: int, scale: float) -> np.ndarray:
        return scale * random.standard_normal((rows, columns))

    return {
        "E": weights(pixels, HIDDEN, 0.5 / SIDE),
        "e": np.zeros(HIDDEN),
        "m": weights(HIDDEN, 1, 0.5 / HIDDEN**0.5),
        "m0": np.zeros(1),
        "l": np.zeros((HIDDEN, 1)),
        "l0": np.full(1, -2.0),
        "D": weights(1, HIDDEN, 1.0),
        "d": weights(1, HIDDEN, 0.5)[0],
        "W": weights(HIDDEN, pixels, 0.5 / HIDDEN**0.5),
        "w": np.zeros(pixels),
    }


def encode(net: Net, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pictures (N, P) to mean and log variance, (N, 1) each."""
    h = np.tanh((x - MIDDLE) @ net["E"] + net["e"])
    return h @ net["m"] + net["m0"], h @ net["l"] + net["l0"]


def decode(net: Net, z: np.ndarray) -> np.ndarray:
    """Codes (N, 1) to chances of white (N, P)."""
    return _sigmoid(np.tanh(z @ net["D"] + net["d"]) @ net["W"] + net["w"])


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 0.5 * (1 + np.tanh(0.5 * a))


def loss_and_gradient(
    net: Net, x: np.ndarray, epsilon: np.ndarray, recipe: Recipe
) -> tuple[float, dict[str, np.ndarray]]:
    """x (N, P), epsilon (N, 1): the loss in nats and its gradient by every parameter."""
    n = len(x)
    h = np.tanh((x - MIDDLE) @ net["E"] + net["e"])
    mean, logvar = h @ net["m"] + net["m0"], h @ net["l"] + net["l0"]
    sigma = np.exp(0.5 * logvar) if recipe.noisy else np.zeros_like(logvar)
    z = mean + sigma * epsilon
    g = np.tanh(z @ net["D"] + net["d"])
    a = g @ net["W"] + net["w"]
    loss = float((np.logaddexp(0, a) - x * a).sum()) / n
    d_a = (_sigmoid(a) - x) / n
    d_g = d_a @ net["W"].T * (1 - g**2)
    d_z = d_g @ net["D"].T
    d_mean, d_logvar = d_z, np.zeros_like(logvar)
    if recipe.noisy:
        loss += recipe.beta * float(0.5 * (mean**2 + sigma**2 - 1 - logvar).sum()) / n
        d_mean = d_z + recipe.beta * mean / n
        d_logvar = 0.5 * d_z * sigma * epsilon + 0.5 * recipe.beta * (sigma**2 - 1) / n
    d_h = (d_mean @ net["m"].T + d_logvar @ net["l"].T) * (1 - h**2)
    return loss, {
        "E": (x - MIDDLE).T @ d_h,
        "e": d_h.sum(0),
        "m": h.T @ d_mean,
        "m0": d_mean.sum(0),
        "l": h.T @ d_logvar,
        "l0": d_logvar.sum(0),
        "D": z.T @ d_g,
        "d": d_g.sum(0),
        "W": g.T @ d_a,
        "w": d_a.sum(0),
    }


def train(recipe: Recipe) -> dict[str, np.ndarray]:
    """Adam on all pictures at once, fresh noise at every step; the same recipe gives the same net."""
    x = pictures(recipe.phases)
    x = np.tile(x, (max(1, PHASES // len(x)), 1))  # two pictures get as many draws of noise as PHASES do
    net = new(recipe.seed)
    random = np.random.Generator(np.random.PCG64(recipe.seed + 1))
    first = {name: np.zeros_like(value) for name, value in net.items()}
    second = {name: np.zeros_like(value) for name, value in net.items()}
    for step in range(1, recipe.steps + 1):
        _, gradient = loss_and_gradient(net, x, random.standard_normal((len(x), 1)), recipe)
        rate = recipe.lr * min(1.0, 2.0 * (1 - step / (recipe.steps + 1)))  # falls in the second half
        for name, slope in gradient.items():
            first[name] = 0.9 * first[name] + 0.1 * slope
            second[name] = 0.99 * second[name] + 0.01 * slope**2
            step_size = first[name] / (1 - 0.9**step) / (np.sqrt(second[name] / (1 - 0.99**step)) + 1e-8)
            net[name] = net[name] - rate * step_size
    return net


def way(net: Net, shares: np.ndarray) -> np.ndarray:
    """(T, SIDE, SIDE): decoded codes on the straight line from the half moon's code to the full moon's."""
    ends, _ = encode(net, pictures(2))
    z = (1 - shares)[:, None] * ends[0] + shares[:, None] * ends[1]
    return decode(net, z).reshape(-1, SIDE, SIDE)


def nearest_phase(shown: np.ndarray, fine: int = 101) -> tuple[np.ndarray, np.ndarray]:
    """The moon that each picture (T, SIDE, SIDE) is most like: its lit share, and the root mean square difference."""
    every = pictures(fine)
    off = np.sqrt(((shown.reshape(len(shown), 1, -1) - every) ** 2).mean(-1))
    best = off.argmin(1)
    return np.linspace(HALF, FULL, fine)[best], off[np.arange(len(shown)), best]

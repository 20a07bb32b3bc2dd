r"""The losses of a GAN, their gradients and the optimum. numpy only; everything takes logits.

Goodfellow et al., "Generative Adversarial Nets", NeurIPS 2014 (equation 1, propositions 1 and 2, section 3).

    V(D, G) = E[log D(x)] + E[log(1 - D(G(z)))]         the discriminator climbs V
    saturating      L_G = E[log(1 - D(G(z)))]           the generator descends V itself
    non-saturating  L_G = E[-log D(G(z))]               same fixed point, strong gradient where D is sure
    for a fixed G   D* = p / (p + q),  V(D*, G) = -2 ln 2 + 2 JSD(p, q)

D = sigmoid(logit). Differs from the study notes: the two generator losses are two losses, never one (E10), and both
terms of V are means over a batch (E11).
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Loss = Literal["non_saturating", "saturating"]
LOSSES: tuple[Loss, ...] = ("non_saturating", "saturating")

Array = NDArray[np.floating[Any]]

UNDECIDED = -2 * math.log(2)  # V where D says 1/2 to everything


def sigmoid(logit: ArrayLike) -> Array:
    """1 / (1 + exp(-logit)), without overflow. Any shape; float32 stays float32."""
    x = _floating(logit)
    return 0.5 * (1 + np.tanh(0.5 * x))


def log_d(logit: ArrayLike) -> Array:
    """log D = -log(1 + exp(-logit)), exact for any logit."""
    x = _floating(logit)
    return -np.logaddexp(np.zeros_like(x), -x)


def log_not_d(logit: ArrayLike) -> Array:
    """log(1 - D) = -log(1 + exp(logit))."""
    x = _floating(logit)
    return -np.logaddexp(np.zeros_like(x), x)


def value(real: ArrayLike, fake: ArrayLike) -> float:
    """V, from the logits of real and of generated pictures: means over both batches. At most 0."""
    return float(log_d(real).mean() + log_not_d(fake).mean())


def generator_loss(fake: ArrayLike, loss: Loss = "non_saturating") -> Array:
    """The generator's loss of each generated picture; that of a batch is the mean. ValueError for another loss."""
    if loss == "saturating":
        return log_not_d(fake)
    if loss == "non_saturating":
        return -log_d(fake)
    raise ValueError(f"no loss {loss!r}; there is {LOSSES}")


def generator_gradient(fake: ArrayLike, loss: Loss = "non_saturating") -> Array:
    """dL/dlogit of each generated picture: -D (saturating) or D - 1 (non-saturating), both in (-1, 0)."""
    if loss == "saturating":
        return -sigmoid(fake)
    if loss == "non_saturating":
        return -sigmoid(-_floating(fake))
    raise ValueError(f"no loss {loss!r}; there is {LOSSES}")


def discriminator_gradients(real: ArrayLike, fake: ArrayLike) -> tuple[Array, Array]:
    """d(-V)/dlogit of every real and every generated picture: (D - 1) / n for real ones, D / m for the others."""
    on_real, on_fake = _floating(real), _floating(fake)
    return -sigmoid(-on_real) / on_real.size, sigmoid(on_fake) / on_fake.size


def optimum(p: ArrayLike, q: ArrayLike) -> Array:
    """D* = p / (p + q) (proposition 1), and 1/2 where both are 0 and any D is as good."""
    real, fake = np.broadcast_arrays(_floating(p), _floating(q))
    total = real + fake
    return np.divide(real, total, out=np.full_like(total, 0.5), where=total > 0)


def jensen_shannon(p: ArrayLike, q: ArrayLike) -> float:
    """Jensen-Shannon divergence in nats, 0 to ln 2, of two histograms on one grid (each is scaled to sum 1)."""
    real, fake = _floating(p), _floating(q)
    real, fake = real / real.sum(), fake / fake.sum()
    middle = (real + fake) / 2

    def kl(a: Array) -> float:
        seen = a > 0
        return float((a[seen] * np.log(a[seen] / middle[seen])).sum())

    return (kl(real) + kl(fake)) / 2


def best_value(p: ArrayLike, q: ArrayLike) -> float:
    """V(D*, G) = -2 ln 2 + 2 JSD(p, q) (theorem 1): what no discriminator can exceed; -2 ln 2 only where p = q."""
    return UNDECIDED + 2 * jensen_shannon(p, q)


def _floating(x: ArrayLike) -> Array:
    array = np.asarray(x)
    return array if np.issubdtype(array.dtype, np.floating) else array.astype(np.float64)

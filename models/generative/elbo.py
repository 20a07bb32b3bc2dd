r"""The VAE's bound and its parts, and ways between two codes. numpy only.

Kingma & Welling 2014 (eq. 3 and 10, appendix B); Burda, Grosse, Salakhutdinov, "Importance Weighted Autoencoders", ICLR
2016 (eq. 8); Shoemake 1985 (slerp).

    ELBO = E_q[log p(x|z)] - KL(q(z|x) || N(0, I))   <=   log mean_k [p(x|z_k) p(z_k) / q(z_k|x)]   <=   log p(x)

Sums over pixels and latent numbers, in nats. Pixels are grey levels in [0, 1], read as chances of white.
"""

from __future__ import annotations

import numpy as np

LOG_2PI = float(np.log(2 * np.pi))


def kl(mean: np.ndarray, logvar: np.ndarray) -> np.ndarray:
    """KL(N(mean, exp(logvar)) || N(0, I)) in closed form, of each latent number: same shape, never negative."""
    return 0.5 * (mean**2 + np.exp(logvar) - 1 - logvar)


def reparameterise(mean: np.ndarray, logvar: np.ndarray, epsilon: np.ndarray) -> np.ndarray:
    """z = mean + sigma * epsilon: the noise comes from outside, so that gradients pass mean and sigma."""
    return mean + np.exp(0.5 * logvar) * epsilon


def log_normal(z: np.ndarray, mean: np.ndarray | float = 0.0, logvar: np.ndarray | float = 0.0) -> np.ndarray:
    """log N(z; mean, exp(logvar)), summed over the last axis."""
    return -0.5 * (LOG_2PI + logvar + (z - mean) ** 2 / np.exp(logvar)).sum(-1)


def log_bernoulli(logits: np.ndarray, x: np.ndarray) -> np.ndarray:
    """log p(x|z) = sum over pixels of x log s + (1 - x) log(1 - s), s = sigmoid(logit). (N, 1, H, W) -> (N,)."""
    each = x * logits - np.logaddexp(0.0, logits)
    return each.reshape(len(each), -1).sum(1)


def log_weights(
    reconstruction: np.ndarray, z: np.ndarray, mean: np.ndarray, logvar: np.ndarray
) -> np.ndarray:
    """log [p(x|z) p(z) / q(z|x)] of samples: reconstruction (...), the others (..., d) -> (...)."""
    return reconstruction + log_normal(z) - log_normal(z, mean, logvar)


def importance_bound(weights: np.ndarray) -> np.ndarray:
    """log of the mean of exp(weights) over the first axis, (K, ...) -> (...). K = 1 estimates the ELBO."""
    top = weights.max(0)
    return top + np.log(np.exp(weights - top).mean(0))


def lerp(a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """The straight way: (1 - share) a + share b."""
    return (1 - share) * a + share * b


def slerp(a: np.ndarray, b: np.ndarray, share: float) -> np.ndarray:
    """Along the arc from a to b, lengths changing evenly; straight where they point the same way or opposite ways.

    a, b (d,). In many dimensions normal codes lie near a sphere, and the straight way leaves it for the middle.
    """
    long_a, long_b = float(np.linalg.norm(a)), float(np.linalg.norm(b))
    if min(long_a, long_b) == 0:
        return lerp(a, b, share)
    cosine = float(np.clip((a / long_a) @ (b / long_b), -1, 1))
    angle = np.arccos(cosine)
    if np.sin(angle) < 1e-6:
        return lerp(a, b, share)
    direction = (np.sin((1 - share) * angle) * (a / long_a) + np.sin(share * angle) * (b / long_b)) / np.sin(
        angle
    )
    return direction * ((1 - share) * long_a + share * long_b)

"""The VAE's bound against sampling, ways between codes, the nets' shapes, and an erratum of the notes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from models.generative import elbo
from models.generative.vae import Decoder, Encoder, VAEConfig
from models.taps import record

RANDOM = np.random.default_rng(0)


def test_kl_is_what_sampling_says() -> None:
    mean, logvar = np.array([0.5, -1.2, 0.0]), np.array([0.3, -2.0, 0.0])
    z = elbo.reparameterise(mean, logvar, RANDOM.standard_normal((400_000, 3)))
    sampled = elbo.log_normal(z, mean, logvar) - elbo.log_normal(z)
    assert elbo.kl(mean, logvar).sum() == pytest.approx(sampled.mean(), rel=0.01)


def test_kl_is_torchs() -> None:
    mean, logvar = RANDOM.normal(size=(2, 4, 5))
    ours = torch.distributions.kl_divergence(
        torch.distributions.Normal(torch.from_numpy(mean), torch.from_numpy(np.exp(logvar / 2))),
        torch.distributions.Normal(0.0, 1.0),
    )
    assert np.allclose(elbo.kl(mean, logvar), ours.numpy())


def test_log_bernoulli_is_minus_the_cross_entropy() -> None:
    logits, x = RANDOM.normal(0, 30, (3, 1, 4, 4)), RANDOM.random((3, 1, 4, 4))
    entropy = F.binary_cross_entropy_with_logits(
        torch.from_numpy(logits), torch.from_numpy(x), reduction="none"
    )
    assert np.allclose(elbo.log_bernoulli(logits, x), -entropy.sum((1, 2, 3)).numpy())


def linear_model() -> tuple[np.ndarray, np.ndarray, float]:
    """A model whose log p(x) is known: z ~ N(0, I), x = W z + N(0, 0.5^2)."""
    return RANDOM.normal(size=(6, 2)), RANDOM.normal(size=6), 0.25


def test_the_bound_the_tighter_bound_and_the_truth() -> None:
    """ELBO <= bound by k samples <= bound by more <= log p(x), which this linear model has in closed form."""
    w, x, noise = linear_model()
    covariance = w @ w.T + noise * np.eye(6)
    _, determinant = np.linalg.slogdet(covariance)
    truth = -0.5 * (6 * elbo.LOG_2PI + determinant + x @ np.linalg.solve(covariance, x))
    precision = np.eye(2) + w.T @ w / noise
    mean = np.linalg.solve(precision, w.T @ x / noise) + 0.1  # near the posterior, but not it
    logvar = -np.log(np.diag(precision))
    z = elbo.reparameterise(mean, logvar, RANDOM.standard_normal((64, 20_000, 2)))
    reconstruction = elbo.log_normal(
        np.broadcast_to(x, (*z.shape[:2], 6)), z @ w.T, np.log(noise * np.ones(6))
    )
    weights = elbo.log_weights(reconstruction, z, mean, logvar)
    bound = float(reconstruction.mean() - elbo.kl(mean, logvar).sum())
    by = {k: float(elbo.importance_bound(weights[:k]).mean()) for k in (1, 8, 64)}
    assert by[1] == pytest.approx(bound, abs=0.05)
    assert bound < by[8] < by[64] <= truth + 0.02
    assert by[64] == pytest.approx(truth, abs=0.1)


def test_the_bound_is_the_truth_where_q_is_the_posterior() -> None:
    w, x, noise = linear_model()
    precision = np.eye(2) + w.T @ w / noise
    _, vectors = np.linalg.eigh(precision)
    w = w @ vectors  # turn z so that the posterior has no correlation
    precision = np.diag(np.eye(2) + w.T @ w / noise)
    mean, logvar = (w.T @ x / noise) / precision, -np.log(precision)
    z = elbo.reparameterise(mean, logvar, RANDOM.standard_normal((50, 2)))
    reconstruction = elbo.log_normal(np.broadcast_to(x, (50, 6)), z @ w.T, np.log(noise * np.ones(6)))
    assert np.ptp(elbo.log_weights(reconstruction, z, mean, logvar)) < 1e-9


def test_E12_kl_keeps_the_noise_finite_and_the_mean_near_0() -> None:
    zero = np.zeros(1)
    assert elbo.kl(zero, zero) == 0 and elbo.kl(zero + 1, zero) == 0.5
    growing = elbo.kl(np.zeros(5), np.array([0.0, 2.0, 4.0, 8.0, 16.0]))
    assert np.all(np.diff(growing) > 0) and growing[-1] > 1e6, "noise is not stretched without limit"
    assert elbo.kl(zero, zero - 20) > 9, "and not shrunk to nothing either"


def test_E12_z_is_mean_plus_sigma_times_noise() -> None:
    epsilon = RANDOM.standard_normal((200_000, 1))
    z = elbo.reparameterise(np.array([2.0]), np.array([np.log(9.0)]), epsilon)
    assert z.mean() == pytest.approx(2, abs=0.03) and z.std() == pytest.approx(3, abs=0.03)
    silent = elbo.reparameterise(np.array([2.0]), np.array([-20.0]), epsilon)
    assert np.abs(silent - 2).max() < 1e-3, "without noise it is an autoencoder again"


# ---------------------------------------------------------------- ways between codes

codes = arrays(np.float64, 6, elements=st.floats(-3, 3, width=32))


@given(codes, codes, st.floats(0, 1))
def test_ways_end_where_they_should(a: np.ndarray, b: np.ndarray, share: float) -> None:
    for way in (elbo.lerp, elbo.slerp):
        assert np.allclose(way(a, b, 0.0), a, atol=1e-6) and np.allclose(way(a, b, 1.0), b, atol=1e-6)
        assert np.allclose(way(a, b, share), way(b, a, 1 - share), atol=1e-5)


def test_slerp_stays_on_the_sphere_lerp_does_not() -> None:
    a, b = np.array([2.0, 0.0]), np.array([0.0, 2.0])
    assert np.linalg.norm(elbo.slerp(a, b, 0.5)) == pytest.approx(2)
    assert np.linalg.norm(elbo.lerp(a, b, 0.5)) == pytest.approx(2**0.5)
    assert np.linalg.norm(elbo.slerp(a, 3 * b, 0.5)) == pytest.approx(4), "lengths change evenly"
    assert np.allclose(elbo.slerp(a, -a, 0.5), 0), "no arc is the shortest between opposite codes: straight"


# ---------------------------------------------------------------- the nets


@torch.no_grad()
def test_shapes_and_taps() -> None:
    config = VAEConfig.tiny()
    torch.manual_seed(0)
    encoder, decoder = Encoder(config).eval(), Decoder(config).eval()
    x = torch.rand(5, 1, 8, 8)
    with record(["mean", "logvar"]) as taps:
        moments = encoder(x)
    assert moments.shape == (5, 2, 3)
    assert torch.equal(moments[:, 0], taps["mean"]) and torch.equal(moments[:, 1], taps["logvar"])
    assert decoder(moments[:, 0]).shape == (5, 1, 8, 8)
    assert torch.allclose(encoder(x[:1]), moments[:1], atol=1e-6), "each digit by itself"


def test_about_100_000_parameters_each() -> None:
    for latent in (2, 16):
        for net in (Encoder(VAEConfig(latent=latent)), Decoder(VAEConfig(latent=latent))):
            assert 80_000 < sum(p.numel() for p in net.parameters()) < 120_000


def test_sides_must_halve_twice() -> None:
    with pytest.raises(ValueError, match="multiple of 4"):
        VAEConfig(sample_size=30)

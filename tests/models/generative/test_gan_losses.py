"""The losses of a GAN: their numbers, their gradients against autograd, and what the notes say about them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from models.generative import gan_losses
from models.generative.dcgan import Discriminator, DiscriminatorConfig, Generator, GeneratorConfig

LOGITS = np.linspace(-12, 12, 49)


# ---------------------------------------------------------------- E10


@pytest.mark.parametrize(
    ("logit", "saturating", "non_saturating"),
    [(-10.0, -4.5398e-5, -0.9999546), (0.0, -0.5, -0.5), (10.0, -0.9999546, -4.5398e-5)],
)
def test_E10_two_generator_losses_not_one(logit: float, saturating: float, non_saturating: float):
    """dL/dlogit: where D is sure (logit -10), one loss has no gradient left and the other has all of it."""
    assert gan_losses.generator_gradient(logit, "saturating") == pytest.approx(saturating, rel=1e-4)
    assert gan_losses.generator_gradient(logit, "non_saturating") == pytest.approx(non_saturating, rel=1e-4)


def test_E10_the_two_losses_order_pictures_alike_but_have_other_values():
    """Both fall as D(G(z)) rises, so they want the same; H(1, D(G(z))) is the non-saturating one only."""
    saturating = gan_losses.generator_loss(LOGITS, "saturating")
    non_saturating = gan_losses.generator_loss(LOGITS, "non_saturating")
    assert (np.diff(saturating) < 0).all() and (np.diff(non_saturating) < 0).all()
    assert (saturating < 0).all() and (non_saturating > 0).all()
    cross_entropy = F.binary_cross_entropy_with_logits(
        torch.from_numpy(LOGITS), torch.ones(len(LOGITS), dtype=torch.float64), reduction="none"
    )
    assert np.allclose(non_saturating, cross_entropy.numpy())


def test_E10_the_non_saturating_loss_is_the_default():
    assert np.array_equal(gan_losses.generator_loss(LOGITS), -gan_losses.log_d(LOGITS))
    assert np.array_equal(
        gan_losses.generator_gradient(LOGITS), gan_losses.generator_gradient(LOGITS, "non_saturating")
    )


# ---------------------------------------------------------------- E11


def test_E11_value_where_d_says_one_half():
    assert gan_losses.value(np.zeros(7), np.zeros(3)) == pytest.approx(-1.386294, abs=1e-6)
    assert abs(gan_losses.UNDECIDED + 2 * math.log(2)) < 1e-12


def test_E11_both_terms_are_means():
    """A batch said twice changes nothing, and the sizes of the two batches do not weigh the terms."""
    real, fake = np.array([2.0, -1.0]), np.array([0.5, -3.0, 1.0])
    expected = np.log(1 / (1 + np.exp(-real))).mean() + np.log(1 - 1 / (1 + np.exp(-fake))).mean()
    assert gan_losses.value(real, fake) == pytest.approx(expected)
    assert gan_losses.value(np.tile(real, 5), fake) == pytest.approx(expected)


def test_E11_a_d_step_leaves_no_gradient_in_g():
    """With G(z) detached every gradient of G is None; without, the step of D would push G the wrong way."""
    torch.manual_seed(0)
    g, d = Generator(GeneratorConfig.tiny()), Discriminator(DiscriminatorConfig.tiny())
    real, z = torch.rand(4, 1, 32, 32) * 2 - 1, torch.randn(4, 8)

    def d_loss(fake: torch.Tensor) -> torch.Tensor:
        return -(F.logsigmoid(d(real)).mean() + F.logsigmoid(-d(fake)).mean())

    d_loss(g(z).detach()).backward()
    assert all(p.grad is None for p in g.parameters())
    assert all(p.grad is not None and p.grad.abs().max() > 0 for p in d.parameters())
    d_loss(g(z)).backward()
    assert all(p.grad is not None for p in g.parameters())


def test_E11_the_optimum_is_p_over_p_plus_q():
    """No other D on a line of 41 places has a larger V; and V(D*) = -2 ln 2 + 2 JSD."""
    x = np.linspace(-4, 4, 41)
    p, q = np.exp(-((x - 1) ** 2) / 2), np.exp(-((x + 1) ** 2))
    p, q = p / p.sum(), q / q.sum()

    def v(d: np.ndarray) -> float:
        return float((p * np.log(d) + q * np.log(1 - d)).sum())

    best = gan_losses.optimum(p, q)
    assert v(best) == pytest.approx(gan_losses.best_value(p, q))
    random = np.random.default_rng(0)
    for _ in range(100):
        other = np.clip(best + 0.1 * random.normal(size=best.shape), 1e-3, 1 - 1e-3)
        assert v(other) < v(best)


def test_E11_the_bound_is_reached_where_the_two_are_alike_only():
    p = np.array([0.1, 0.2, 0.3, 0.4])
    assert gan_losses.best_value(p, p) == pytest.approx(gan_losses.UNDECIDED)
    assert gan_losses.best_value(p, p[::-1]) > gan_losses.UNDECIDED
    assert gan_losses.best_value([1, 0], [0, 1]) == pytest.approx(0)  # apart: D can be sure of everything
    assert gan_losses.optimum(p, p) == pytest.approx(np.full(4, 0.5))


# ---------------------------------------------------------------- the numbers


@pytest.mark.parametrize("loss", gan_losses.LOSSES)
def test_generator_gradient_is_autograds(loss: gan_losses.Loss):
    logits = torch.from_numpy(LOGITS).requires_grad_()
    lost = F.logsigmoid(-logits) if loss == "saturating" else -F.logsigmoid(logits)
    assert np.allclose(gan_losses.generator_loss(LOGITS, loss), lost.detach().numpy(), atol=1e-12)
    (gradient,) = torch.autograd.grad(lost.sum(), logits)
    assert np.allclose(gan_losses.generator_gradient(LOGITS, loss), gradient.numpy(), atol=1e-12)


def test_discriminator_gradients_are_autograds():
    real, fake = (torch.randn(n, dtype=torch.float64, requires_grad=True) for n in (5, 9))
    v = F.logsigmoid(real).mean() + F.logsigmoid(-fake).mean()
    expected = torch.autograd.grad(-v, (real, fake))
    ours = gan_losses.discriminator_gradients(real.detach().numpy(), fake.detach().numpy())
    for a, b in zip(ours, expected, strict=True):
        assert np.allclose(a, b.numpy(), atol=1e-12)


def test_extreme_logits_overflow_nowhere():
    with np.errstate(all="raise", under="ignore"):
        far = np.array([-1e4, 1e4], np.float32)
        assert np.array_equal(gan_losses.sigmoid(far), [0, 1])
        assert np.array_equal(gan_losses.log_d(far), [-1e4, 0])
        assert np.array_equal(gan_losses.log_not_d(far), [0, -1e4])
        assert gan_losses.sigmoid(far).dtype == np.float32


def test_optimum_where_nothing_is():
    assert np.array_equal(gan_losses.optimum([0, 1, 0], [0, 0, 1]), [0.5, 1, 0])
    assert gan_losses.jensen_shannon([3, 0], [0, 5]) == pytest.approx(math.log(2))


def test_an_unknown_loss_is_named():
    for function in (gan_losses.generator_loss, gan_losses.generator_gradient):
        with pytest.raises(ValueError, match="hinge"):
            function(0.0, "hinge")  # type: ignore[arg-type]

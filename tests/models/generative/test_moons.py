"""The two moons: shapes of moons, gradients against autograd, and what the page says of the picture between."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.generative import moons
from models.generative.moons import PHASES, Recipe


@pytest.mark.parametrize("lit", [0.5, 0.6, 0.75, 0.9, 1.0])
def test_so_much_of_the_moon_is_lit(lit: float) -> None:
    assert moons.moon(lit).sum() / moons.moon(1.0).sum() == pytest.approx(lit, abs=0.02)


@pytest.mark.parametrize("noisy", [True, False])
def test_gradients_are_autograds(noisy: bool) -> None:
    random = np.random.default_rng(3)
    net = {k: v + 0.1 * random.standard_normal(v.shape) for k, v in moons.new(1).items()}
    x, epsilon = moons.pictures(5), random.standard_normal((5, 1))
    recipe = Recipe(noisy=noisy, beta=0.7)
    loss, gradient = moons.loss_and_gradient(net, x, epsilon, recipe)
    p = {k: torch.tensor(v, requires_grad=True) for k, v in net.items()}
    pixels = torch.tensor(x)
    h = torch.tanh((pixels - 0.5) @ p["E"] + p["e"])
    mean, logvar = h @ p["m"] + p["m0"], h @ p["l"] + p["l0"]
    z = mean + torch.exp(logvar / 2) * torch.tensor(epsilon) if noisy else mean
    logits = torch.tanh(z @ p["D"] + p["d"]) @ p["W"] + p["w"]
    entropy = torch.nn.functional.binary_cross_entropy_with_logits(logits, pixels, reduction="sum") / 5
    kl = 0.5 * (mean**2 + logvar.exp() - 1 - logvar).sum() / 5
    total = entropy + (0.7 * kl if noisy else 0.0)
    total.backward()
    assert loss == pytest.approx(total.item())
    for name, tensor in p.items():
        expected = np.zeros(tensor.shape) if tensor.grad is None else tensor.grad.numpy()
        np.testing.assert_allclose(gradient[name], expected, atol=1e-9)


def test_a_moon_is_nearest_to_itself() -> None:
    lit, off = moons.nearest_phase(np.stack([moons.moon(0.6), moons.moon(0.95)]))
    np.testing.assert_allclose(lit, [0.6, 0.95], atol=0.02)
    assert off.max() < 0.03


@pytest.mark.parametrize("noisy", [True, False])
def test_between_two_moons_there_is_none_unless_it_was_seen(noisy: bool) -> None:
    """Also that training is the same every time."""
    shares = np.linspace(0, 1, 25)
    two = moons.train(Recipe(phases=2, noisy=noisy))
    again = moons.train(Recipe(phases=2, noisy=noisy))
    assert all((two[name] == again[name]).all() for name in two)
    _, off = moons.nearest_phase(moons.way(two, shares))
    assert off[[0, -1]].max() < 0.05 and off.max() > 0.15, "the ends are moons, something between is not"
    _, seen = moons.nearest_phase(moons.way(moons.train(Recipe(phases=PHASES, noisy=noisy)), shares))
    assert seen.max() < 0.12


@pytest.mark.parametrize("seed", range(3))
def test_with_noise_and_kl_the_middle_is_the_three_quarter_moon(seed: int) -> None:
    """Without them the phases are all there, but their codes lie unevenly: at the page's seed the middle is far off."""
    middle = np.array([0.5])
    net = moons.train(Recipe(phases=PHASES, noisy=True, seed=seed))
    assert moons.nearest_phase(moons.way(net, middle))[0][0] == pytest.approx(0.75, abs=0.06)
    plain = moons.train(Recipe(phases=PHASES, noisy=False))
    assert abs(moons.nearest_phase(moons.way(plain, middle))[0][0] - 0.75) > 0.09

"""The GAN in the plane: gradients and Adam against torch's, determinism, and what it learns or fails to learn."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from models.generative import gan2d, gan_losses
from models.generative.gan2d import COLLAPSES, COVERS, Net, Recipe, State
from tests.close import PARITY, distance

RING = gan2d.ring()


# ---------------------------------------------------------------- against torch


class Double:
    """A net in torch, float64, its parameters one flat leaf as ours are."""

    def __init__(self, net: Net):
        self.sizes = net.sizes
        self.values = torch.from_numpy(net.values.astype(np.float64)).requires_grad_()

    def __call__(self, x: Tensor) -> Tensor:
        start = 0
        for i, (a, b) in enumerate(zip(self.sizes, self.sizes[1:], strict=False)):
            w = self.values[start : start + a * b].reshape(a, b)
            x = x @ w + self.values[start + a * b : start + a * b + b]
            start += a * b + b
            if i < len(self.sizes) - 2:
                x = F.leaky_relu(x, 0.2)
        return x


def d_loss(d: Double, real: Tensor, fake: Tensor) -> Tensor:
    return -(F.logsigmoid(d(real)).mean() + F.logsigmoid(-d(fake)).mean())


def g_loss(d: Double, fake: Tensor, loss: str) -> Tensor:
    return F.logsigmoid(-d(fake)).mean() if loss == "saturating" else -F.logsigmoid(d(fake)).mean()


def doubles(state: State) -> tuple[Double, Double]:
    return Double(state.generator), Double(state.discriminator)


def arrays(*shapes: tuple[int, int], seed: int = 0) -> list[np.ndarray]:
    random = np.random.default_rng(seed)
    return [random.normal(size=shape).astype(np.float32) for shape in shapes]


def tensor(array: np.ndarray) -> Tensor:
    return torch.from_numpy(array.astype(np.float64))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("latent", "dims"), [(2, 2), (1, 1), (3, 2)])
def test_gradient_of_d_is_autograds(seed: int, latent: int, dims: int):
    state = gan2d.new(seed, hidden=16, latent=latent, dims=dims)
    real, fake = arrays((40, dims), (24, dims), seed=seed)
    ours, numbers = gan2d.d_gradient(state, real, fake)
    _, d = doubles(state)
    lost = d_loss(d, tensor(real), tensor(fake))
    (theirs,) = torch.autograd.grad(lost, d.values)
    assert distance(ours, theirs) <= PARITY
    assert numbers.loss == pytest.approx(lost.item(), abs=1e-5)
    assert numbers.value == -numbers.loss
    assert numbers.gradient == pytest.approx(float(theirs.norm()), rel=1e-4)
    assert numbers.d_real == pytest.approx(torch.sigmoid(d(tensor(real))).mean().item(), abs=1e-5)


@pytest.mark.parametrize("loss", gan_losses.LOSSES)
@pytest.mark.parametrize("seed", range(3))
def test_gradient_of_g_is_autograds(seed: int, loss: gan_losses.Loss):
    state = gan2d.new(seed, hidden=16)
    (z,) = arrays((40, 2), seed=seed)
    ours, numbers = gan2d.g_gradient(state, z, loss)
    g, d = doubles(state)
    lost = g_loss(d, g(tensor(z)), loss)
    (theirs,) = torch.autograd.grad(lost, g.values)
    assert distance(ours, theirs) <= PARITY
    assert float(np.abs(ours).max()) > 1e-3
    assert numbers.loss == pytest.approx(lost.item(), abs=1e-5)
    assert numbers.d_real is None and numbers.value is None


@pytest.mark.parametrize("loss", gan_losses.LOSSES)
def test_pull_is_minus_the_gradient_at_each_point(loss: gan_losses.Loss):
    state = gan2d.new(4)
    (points,) = arrays((30, 2))
    _, d = doubles(state)
    x = tensor(points).requires_grad_()
    (theirs,) = torch.autograd.grad(len(points) * g_loss(d, x, loss), x)
    assert distance(gan2d.pull(state, points, loss), -theirs) <= PARITY


def test_adam_is_torchs():
    net = gan2d.new(0, hidden=8).discriminator
    theirs = torch.from_numpy(net.values.copy()).requires_grad_()
    adam = torch.optim.Adam([theirs], lr=0.01, betas=gan2d.BETAS)
    for i in range(20):
        (gradient,) = arrays((1, net.values.size), seed=i)
        theirs.grad = torch.from_numpy(gradient[0])
        adam.step()
        net = gan2d._adam(net, gradient[0], 0.01)
    assert distance(net.values, theirs.detach()) <= PARITY
    assert net.steps == 20


# ---------------------------------------------------------------- E11, and a state that never changes


def test_E11_a_d_step_leaves_g_alone_and_a_g_step_leaves_d_alone():
    state = gan2d.new(0)
    after_d, _ = gan2d.d_step(state, RING)
    assert after_d.generator is state.generator
    assert not np.array_equal(after_d.discriminator.values, state.discriminator.values)
    after_g, _ = gan2d.g_step(after_d)
    assert after_g.discriminator is after_d.discriminator
    assert not np.array_equal(after_g.generator.values, after_d.generator.values)
    assert (after_g.discriminator.steps, after_g.generator.steps, after_g.drawn) == (1, 1, 2)


def test_nothing_is_written_to():
    state = gan2d.new(0)
    before = state.generator.values.copy(), state.discriminator.values.copy()
    real = RING.copy()
    gan2d.play(state, real, COVERS, 3)
    assert np.array_equal(state.generator.values, before[0])
    assert np.array_equal(state.discriminator.values, before[1])
    assert np.array_equal(real, RING)
    later, _, _ = gan2d.play(state, real, COVERS, 1)
    for net in (state.generator, later.generator, later.discriminator):
        for array in (net.values, net.mean, net.square):
            with pytest.raises(ValueError):
                array[0] = 1


def test_the_same_seed_gives_the_same_numbers():
    def played(seed: int) -> State:
        return gan2d.play(gan2d.new(seed), RING, COVERS, 5)[0]

    assert np.array_equal(played(3).generator.values, played(3).generator.values)
    assert not np.array_equal(played(3).generator.values, played(4).generator.values)
    assert np.array_equal(gan2d.noise(3, 10), gan2d.noise(3, 10))
    assert np.array_equal(gan2d.noise(3, 10)[:4], gan2d.noise(3, 4))


def test_by_hand_is_the_same_as_played():
    by_hand = gan2d.new(1)
    recipe = Recipe(loss="saturating", d_steps=3, g_steps=2)
    for _ in range(2):
        for _ in range(3):
            by_hand, seen_by_d = gan2d.d_step(by_hand, RING, lr=recipe.lr_d, batch=recipe.batch)
        for _ in range(2):
            by_hand, seen_by_g = gan2d.g_step(by_hand, recipe.loss, lr=recipe.lr_g, batch=recipe.batch)
    played, d_numbers, g_numbers = gan2d.play(gan2d.new(1), RING, recipe, 2)
    assert np.array_equal(played.generator.values, by_hand.generator.values)
    assert (d_numbers, g_numbers) == (seen_by_d, seen_by_g)


@pytest.mark.parametrize("bad", [np.zeros((0, 2)), np.zeros((4, 3)), np.zeros(4), np.array([[np.nan, 0.0]])])
def test_bad_points_are_refused(bad: np.ndarray):
    for step in (lambda: gan2d.d_step(gan2d.new(0), bad), lambda: gan2d.play(gan2d.new(0), bad, COVERS)):
        with pytest.raises(ValueError):
            step()


@pytest.mark.parametrize("changes", [dict(d_steps=0), dict(g_steps=0)])
def test_a_round_needs_both(changes: dict[str, Any]):
    with pytest.raises(ValueError):
        gan2d.play(gan2d.new(0), RING, replace(COVERS, **changes))


def test_one_drawn_point_is_enough():
    state, numbers, _ = gan2d.play(gan2d.new(0), [[0.5, -0.5]], COVERS, 2)
    assert np.isfinite(state.generator.values).all() and numbers.value is not None and numbers.value <= 0


# ---------------------------------------------------------------- the optimum


def identity() -> Net:
    """A net of ours that returns what it is given: LeakyReLU(x) - LeakyReLU(-x) = 1.2 x, twice."""
    pair = np.array([[1, -1], [-1, 1]]) / 1.2
    parts = [1, -1, 0, 0, *pair.ravel(), 0, 0, 1 / 1.2, -1 / 1.2, 0]
    values = np.array(parts, np.float32)
    return Net((1, 2, 2, 1), values, np.zeros_like(values), np.zeros_like(values))


def bell(x: np.ndarray, mean: float, width: float) -> np.ndarray:
    return np.exp(-(((x - mean) / width) ** 2) / 2) / (width * np.sqrt(2 * np.pi))


def test_E11_d_trained_alone_comes_to_p_over_p_plus_q():
    """G fixed to N(0, 1), the data N(1.5, 0.7): D approaches D*, and V its bound -2 ln 2 + 2 JSD, from below."""
    state = replace(gan2d.new(0, latent=1, dims=1), generator=identity())
    z = gan2d.noise(0, 100, 1)
    assert np.allclose(gan2d.generate(state, z), z, atol=1e-6)
    real = 1.5 + 0.7 * np.random.default_rng(0).normal(size=(20_000, 1))
    x = np.linspace(-2, 3, 101)
    p, q = bell(x, 1.5, 0.7), bell(x, 0, 1)
    best = gan_losses.optimum(p, q)

    def error(state: State) -> float:
        return float(np.abs(gan2d.discriminate(state, x[:, None]) - best).mean())

    untrained = error(state)
    for _ in range(600):
        state, _ = gan2d.d_step(state, real)
    assert error(state) < 0.04 < untrained
    wide = np.linspace(-8, 8, 4001)
    bound = gan_losses.best_value(bell(wide, 1.5, 0.7), bell(wide, 0, 1))
    z = gan2d.noise(1, 20_000, 1)
    reached = gan_losses.value(gan2d.logits(state, real), gan2d.logits(state, z))
    assert bound - 0.05 < reached < bound + 0.02


def test_kernel_densities():
    points = np.random.default_rng(0).normal(size=(300, 2)).astype(np.float32)
    at = np.random.default_rng(1).normal(size=(20, 2))
    square = ((points[None] - at[:, None]) ** 2).sum(-1)
    expected = np.exp(-square / (2 * 0.3**2)).mean(1) / (2 * np.pi * 0.3**2)
    assert np.allclose(gan2d.density(points, at, 0.3), expected, rtol=1e-3)
    alone = gan2d.density(points, points, 0.3, without_itself=True)
    square = ((points[None] - points[:, None]) ** 2).sum(-1)
    bells = np.exp(-square / (2 * 0.3**2))
    expected = (bells.sum(1) - 1) / 299 / (2 * np.pi * 0.3**2)
    assert np.allclose(alone, expected, rtol=1e-3, atol=1e-5)
    side = np.linspace(-8, 8, 200)
    plane = np.stack(np.meshgrid(side, side), -1).reshape(-1, 2)
    assert gan2d.density(points, plane, 0.3).sum() * (side[1] - side[0]) ** 2 == pytest.approx(1, abs=1e-3)


def test_the_drawn_optimum():
    """1 on the real cloud, 0 on the made one, 1/2 where both or neither are; the bound follows."""
    random = np.random.default_rng(0)
    real = 0.1 * random.normal(size=(400, 2)) + [1, 0]
    fake = 0.1 * random.normal(size=(400, 2)) - [1, 0]
    ours = gan2d.optimum(real, fake, np.array([[1, 0], [-1, 0], [0, 5], [0, 0]]))
    assert np.allclose(ours, [1, 0, 0.5, 0.5], atol=0.01)
    assert gan2d.best_value(real, fake) == pytest.approx(0, abs=0.01)
    assert gan2d.best_value(real, real - [0, 0.01]) == pytest.approx(gan_losses.UNDECIDED, abs=0.05)


# ---------------------------------------------------------------- what it learns


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("loss", gan_losses.LOSSES)
def test_learns_the_mean_of_a_gaussian(seed: int, loss: gan_losses.Loss):
    real = 1.5 + 0.5 * np.random.default_rng(0).normal(size=(2000, 1))
    state = gan2d.new(seed, latent=1, dims=1, hidden=16)
    z = gan2d.noise(9, 2000, 1)
    assert abs(gan2d.generate(state, z).mean() - 1.5) > 0.5
    state, _, _ = gan2d.play(state, real, Recipe(loss=loss, batch=128), 600)
    assert float(gan2d.generate(state, z).mean()) == pytest.approx(1.5, abs=0.2)


def test_E10_with_a_sure_d_the_saturating_loss_has_no_gradient_left():
    """D is trained alone until it is sure; then what each loss leaves for G to follow."""
    state = gan2d.new(0)
    far = RING + np.float32(4)
    for _ in range(100):
        state, numbers = gan2d.d_step(state, far)
    assert numbers.d_fake < 0.05
    z = gan2d.noise(0, 256)
    gradients = {loss: gan2d.g_gradient(state, z, loss)[1].gradient for loss in gan_losses.LOSSES}
    assert gradients["non_saturating"] > 20 * gradients["saturating"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_the_usual_recipe_finds_all_eight_modes(seed: int):
    """1000 rounds, with the page's smaller batches too."""
    state, _, _ = gan2d.play(gan2d.new(seed), RING, replace(COVERS, batch=256 if seed else 128), 1000)
    assert gan2d.modes_found(gan2d.generate(state, gan2d.noise(9, 1000))) == 8


@pytest.mark.parametrize("seed", range(5))
def test_a_hasty_generator_collapses(seed: int):
    """Most of the time the made points are one small cloud: one mode or none, a fraction of the ring's spread."""
    state, z = gan2d.new(seed), gan2d.noise(9, 500)
    state, _, _ = gan2d.play(state, RING, COLLAPSES, 120)
    modes, spread = [], []
    for _ in range(12):
        state, _, _ = gan2d.play(state, RING, COLLAPSES, 10)
        points = gan2d.generate(state, z)
        modes.append(gan2d.modes_found(points))
        spread.append(float(np.sqrt(points.var(axis=0).sum())))
    assert np.median(modes) <= 1
    assert np.median(spread) < 0.5 * float(np.sqrt(RING.var(axis=0).sum()))


def test_counting_modes():
    assert gan2d.modes_found(RING) == 8
    assert gan2d.modes_found(RING[::8]) == 1
    assert gan2d.modes_found(np.zeros((100, 2))) == 0

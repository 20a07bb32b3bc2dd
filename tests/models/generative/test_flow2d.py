"""The flow in the plane: gradients against torch's, there and back, a density that is one, and that it learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.generative import flow2d, gan2d
from models.generative.flow2d import State
from tests.close import PARITY, distance

CLOUDS = {
    "moons": flow2d.moons(512),
    "ring": gan2d.ring(512),
    "spiral": flow2d.spiral(512),
    "squares": flow2d.squares(512),
}


@pytest.fixture(scope="module")
def trained() -> State:
    return flow2d.train(flow2d.new(CLOUDS["moons"], 3), CLOUDS["moons"], 250, lr=4e-3)


def torchs_loss(state: State, tensors: list[torch.Tensor], points: np.ndarray) -> torch.Tensor:
    """The same loss written for autograd, in float64."""
    x = (torch.from_numpy(points).double() - torch.from_numpy(state.centre).double()) / state.spread
    log_det = torch.full((len(points),), -2 * float(np.log(state.spread)), dtype=torch.float64)
    for i in range(len(state.couplings)):
        w1, b1, w2, b2, w3, b3 = tensors[6 * i : 6 * i + 6]
        a, b = x[:, i % 2], x[:, 1 - i % 2]
        out = torch.tanh(torch.tanh(a[:, None] @ w1 + b1) @ w2 + b2) @ w3 + b3
        s = flow2d.REACH * torch.tanh(out[:, 0] / flow2d.REACH)
        moved = b * s.exp() + out[:, 1]
        x = torch.stack([a, moved] if i % 2 == 0 else [moved, a], dim=1)
        log_det = log_det + s
    return (0.5 * x.square().sum(1) + flow2d.LOG_2PI - log_det).mean()


def test_gradients_are_autograds(trained: State) -> None:
    points = CLOUDS["moons"][:64]
    tensors = [torch.from_numpy(v).double().requires_grad_() for c in trained.couplings for v in c.tensors()]
    loss = torchs_loss(trained, tensors, points)
    loss.backward()
    found, said = flow2d.gradient(trained, points)
    assert said == pytest.approx(loss.item(), abs=1e-5)
    for mine, theirs in zip(found, tensors, strict=True):
        assert distance(mine, theirs.grad) <= PARITY


def test_log_det_is_autograds(trained: State) -> None:
    point = CLOUDS["moons"][:1]
    step = 1e-3
    columns = [
        (flow2d.forward(trained, point + d)[0] - flow2d.forward(trained, point - d)[0])[0] / (2 * step)
        for d in step * np.eye(2, dtype=np.float32)
    ]
    measured = np.log(abs(np.linalg.det(np.stack(columns).astype(float))))
    assert flow2d.forward(trained, point)[1][0] == pytest.approx(measured, abs=0.02)


@pytest.mark.parametrize("cloud", CLOUDS.values(), ids=CLOUDS.keys())
def test_there_and_back_and_a_density_that_is_one(cloud: np.ndarray) -> None:
    state = flow2d.train(flow2d.new(cloud), cloud, 150, lr=4e-3)
    z, _ = flow2d.forward(state, cloud)
    assert np.abs(flow2d.inverse(state, z) - cloud).max() <= 1e-4
    axis = np.linspace(-5, 5, 401)
    places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    mass = np.exp(flow2d.log_density(state, places).astype(float)).sum() * (axis[1] - axis[0]) ** 2
    assert mass == pytest.approx(1, abs=0.01)


def test_passages_meet_the_way_back(trained: State) -> None:
    cloud = CLOUDS["moons"][:50]
    there = flow2d.passages(trained, cloud)
    back = flow2d.inverse_passages(trained, there[-1][0])
    assert len(there) == len(trained.couplings) + 1 and len(back) == len(there) + 1
    for (x, _), y in zip(there, reversed(back[:-1]), strict=True):
        assert np.abs(x - y).max() <= 1e-4
    assert np.abs(back[-1] - cloud).max() <= 1e-4


def test_it_learns(trained: State) -> None:
    cloud = CLOUDS["moons"]
    before = -flow2d.log_density(flow2d.new(cloud, 3), cloud).mean()
    after = -flow2d.log_density(trained, cloud).mean()
    assert after < before - 0.3
    sampled = flow2d.sample(trained, 2000, seed=5)
    middle = np.abs(sampled).max(1) < 0.08  # between the two moons there is nothing
    assert middle.mean() < 0.03


def test_an_untrained_flow_is_the_identity_but_for_shift_and_scale() -> None:
    cloud = 3 * CLOUDS["ring"] + 5
    state = flow2d.new(cloud)
    z, _ = flow2d.forward(state, cloud)
    assert np.allclose(z.mean(0), 0, atol=1e-5) and z.std(0).mean() == pytest.approx(1, abs=1e-3)


def test_steps_are_repeated_and_leave_the_old_state_alone() -> None:
    cloud = CLOUDS["spiral"]
    start = flow2d.new(cloud, 9)
    kept = [v.copy() for c in start.couplings for v in c.tensors()]
    one, two = flow2d.train(start, cloud, 5), flow2d.train(start, cloud, 5)
    for a, b in zip(one.couplings, two.couplings, strict=True):
        assert all(np.array_equal(x, y) for x, y in zip(a.tensors(), b.tensors(), strict=True))
    assert all(
        np.array_equal(x, y)
        for x, y in zip(kept, [v for c in start.couplings for v in c.tensors()], strict=True)
    )
    resumed = flow2d.train(flow2d.train(start, cloud, 2), cloud, 3)
    assert np.array_equal(resumed.couplings[0].w2, one.couplings[0].w2)


def test_bad_points() -> None:
    for bad in (np.zeros((5, 3)), np.zeros((1, 2)), np.array([[0.0, np.nan], [1, 2]])):
        with pytest.raises(ValueError, match="point"):
            flow2d.new(bad)

"""RealNVP: the way back, the determinant against autograd's Jacobian, and bits that are counted right."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from models.generative import flow
from models.generative.realnvp import Flow, RealNVP, RealNVPConfig, RealNVPInverse, mask_of
from models.taps import record
from models.training import realnvp as training

TINY = RealNVPConfig.tiny()


def net(config: RealNVPConfig = TINY, kind: type[Flow] = RealNVP) -> Flow:
    """Random weights everywhere, normalisations that do something."""
    torch.manual_seed(0)
    model = kind(config)
    for coupling in model.blocks():
        nn.init.normal_(coupling.norm.bias, 0, 0.3)
        nn.init.normal_(coupling.norm.log_scale, 0, 0.2)
        nn.init.normal_(coupling.conv3.weight, 0, 0.2)
    return model.double().eval()


def pictures(config: RealNVPConfig = TINY, batch: int = 3) -> torch.Tensor:
    torch.manual_seed(1)
    return torch.randn(batch, 1, config.sample_size, config.sample_size).double()


@torch.no_grad()
@pytest.mark.parametrize("config", [TINY, RealNVPConfig()], ids=["tiny", "digits"])
def test_the_way_back_is_exact(config: RealNVPConfig) -> None:
    model, x = net(config).float(), pictures(config).float()
    z, log_det = model.to_z(x)
    back, same = model.to_x(z)
    assert z.shape == x.shape
    assert (back - x).abs().max() <= 1e-4
    assert torch.allclose(log_det, same, rtol=1e-5, atol=1e-3)


def test_log_det_is_autograds() -> None:
    model, x = net(), pictures(batch=1)
    with record() as taps:
        _, log_det = model.to_z(x)
    jacobian = torch.autograd.functional.jacobian(
        lambda v: model.to_z(v.view(1, 1, 8, 8))[0].flatten(), x.flatten()
    )
    assert torch.linalg.slogdet(jacobian)[1].item() == pytest.approx(log_det.item(), abs=1e-9)
    parts = sum(taps[f"coupling.{i}.log_det"].item() for i in range(len(model.blocks())))
    assert parts == pytest.approx(log_det.item(), abs=1e-9)


@pytest.mark.parametrize("index", range(10))
def test_log_det_of_each_coupling_is_autograds(index: int) -> None:
    coupling = net().blocks()[index]
    channels, side = coupling.norm.bias.shape[1], [8, 4, 4, 2, 2][index // 2]
    torch.manual_seed(2)
    x = torch.randn(1, channels, side, side).double()
    jacobian = torch.autograd.functional.jacobian(lambda v: coupling(v.view_as(x))[0].flatten(), x.flatten())
    assert torch.linalg.slogdet(jacobian)[1].item() == pytest.approx(coupling(x)[1].item(), abs=1e-9)
    off_diagonal = jacobian - torch.diag(torch.diag(jacobian))
    assert (off_diagonal.abs() > 0).any(), "the changed half reads the other"


@torch.no_grad()
def test_half_of_the_numbers_pass_a_coupling_unchanged() -> None:
    for coupling in net().blocks():
        channels = coupling.norm.bias.shape[1]
        side = coupling.mask.shape[2] if coupling.mask.shape[2] > 1 else 4
        x = torch.randn(2, channels, side, side).double()
        stays = coupling.mask.expand_as(x[:1]).bool().expand_as(x)
        assert torch.equal(coupling(x)[0][stays], coupling.norm(x)[stays])
        assert stays.double().mean() == 0.5


@torch.no_grad()
def test_the_two_cards_share_their_weights() -> None:
    there, back = net(), net(kind=RealNVPInverse)
    back.load_state_dict(there.state_dict())
    x = pictures()
    with record() as on_the_way:
        z = there(x)
    with record() as on_the_way_back:
        again = back(z)
    assert torch.allclose(again, x)
    for name, tensor in on_the_way.items():
        if name.startswith("coupling"):
            assert torch.allclose(on_the_way_back[name], tensor), f"either way the same {name}"


@torch.no_grad()
def test_the_first_batch_sets_the_normalisations() -> None:
    model = RealNVP(TINY)
    x = 3 + 2 * pictures(batch=64).float()
    training.start(model, x)
    z, _ = model.to_z(x)
    assert abs(float(z.mean())) < 0.05 and float(z.std()) == pytest.approx(1, abs=0.05)
    before = model.blocks()[0].norm.bias.clone()
    model.to_z(x + 1)
    assert torch.equal(before, model.blocks()[0].norm.bias), "set once"


@torch.no_grad()
def test_a_number_of_z_stands_at_its_pixel() -> None:
    """With couplings that change nothing, z is the picture."""
    model, x = RealNVP(TINY), pictures().float()
    for coupling in model.blocks():
        nn.init.zeros_(coupling.conv3.weight)
        nn.init.zeros_(coupling.conv3.get_parameter("bias"))
    assert torch.equal(model.to_z(x)[0], x)
    assert torch.equal(model.gather(model.scatter(x)), x)


def test_masks() -> None:
    board = mask_of("checkerboard", 1, 4, 0)[0, 0]
    assert board.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
    assert torch.equal(board + mask_of("checkerboard", 1, 4, 1)[0, 0], torch.ones(4, 4))
    assert mask_of("channel", 4, 2, 0).flatten().tolist() == [1, 1, 0, 0]
    assert mask_of("channel", 4, 2, 1).flatten().tolist() == [0, 0, 1, 1]
    with pytest.raises(ValueError, match="no mask"):
        mask_of("rows", 1, 4, 0)
    with pytest.raises(ValueError, match="multiple of 4"):
        RealNVPConfig(sample_size=30)


# ---------------------------------------------------------------- grey levels


def test_levels_survive_stretching() -> None:
    levels = np.arange(256, dtype=np.uint8).reshape(1, 1, 16, 16)
    for u in (0.0, 0.5, 0.999):
        x, _ = flow.stretch(levels, np.full(levels.shape, u))
        assert np.array_equal(flow.shrink(x + (1e-6 if u == 0 else 0)), levels)


def test_slope_is_the_derivative() -> None:
    levels, step = np.array([[3.0, 128.0, 250.0]]), 1e-3
    low, slope = flow.stretch(levels, np.full(levels.shape, 0.5))
    high, _ = flow.stretch(levels, np.full(levels.shape, 0.5 + step))
    measured = np.log((high.astype(float) - low) / step).sum()
    assert slope[0] == pytest.approx(measured, abs=0.02)


def test_levels_that_are_all_as_likely_cost_8_bits() -> None:
    """A density of v that is 1 / 256 everywhere: its flow maps v to normal numbers by their quantiles."""
    from scipy.special import ndtri

    random = np.random.default_rng(0)
    v = random.integers(256, size=(200, 300)) + random.random((200, 300))
    z = ndtri(v / 256)
    log_slope = -np.log(256) + 0.5 * (z**2 + np.log(2 * np.pi))  # d z / d v
    bits = flow.bits_per_dim(z, np.zeros(200), log_slope.sum(1))
    assert bits == pytest.approx(8, abs=1e-6)

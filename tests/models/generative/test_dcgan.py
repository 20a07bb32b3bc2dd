"""The nets of DCGAN: shapes, a transposed convolution by brute force, how the weights start."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from models.generative.dcgan import Discriminator, DiscriminatorConfig, Generator, GeneratorConfig, Up
from models.taps import record
from tests.close import PARITY, distance


def transposed_convolution(x: np.ndarray, w: np.ndarray, stride: int, padding: int) -> np.ndarray:
    """Every input place stamps its kernel onto the output: x (B, K, H, W), w (K, C, k, k), then the rim is cut."""
    b, _, height, width = x.shape
    _, channels, k, _ = w.shape
    full = np.zeros((b, channels, (height - 1) * stride + k, (width - 1) * stride + k))
    for i in range(height):
        for j in range(width):
            stamp = np.einsum("bk,kcmn->bcmn", x[:, :, i, j], w)
            full[:, :, i * stride : i * stride + k, j * stride : j * stride + k] += stamp
    return full[:, :, padding : full.shape[2] - padding, padding : full.shape[3] - padding]


@pytest.mark.parametrize(("first", "size"), [(True, (1, 1)), (False, (3, 2))])
def test_one_step_up_by_brute_force(first: bool, size: tuple[int, int]):
    torch.manual_seed(0)
    up = Up(3, 2, "up", first=first).eval()
    assert up.bn.running_mean is not None and up.bn.running_var is not None
    up.bn.running_mean.uniform_(-0.5, 0.5)
    up.bn.running_var.uniform_(0.5, 2)
    nn.init.uniform_(up.bn.weight, 0.5, 1.5)
    nn.init.uniform_(up.bn.bias, -0.5, 0.5)
    x = torch.randn(2, 3, *size)
    with torch.no_grad(), record() as taps:
        up(x)
    w = up.conv.weight.detach().numpy().astype(np.float64)
    expected = transposed_convolution(x.numpy().astype(np.float64), w, *((1, 0) if first else (2, 1)))
    assert distance(taps["up.conv"], expected) <= PARITY
    mean, var, gain, shift = (
        value.detach().numpy().reshape(1, -1, 1, 1).astype(np.float64)
        for value in (up.bn.running_mean, up.bn.running_var, up.bn.weight, up.bn.bias)
    )
    normed = (expected - mean) / np.sqrt(var + up.bn.eps) * gain + shift
    assert distance(taps["up.out"], np.maximum(normed, 0)) <= PARITY


def test_the_formula_on_the_card():
    """a[c, i] = sum over places m of x[m] W[c, i + 1 - 2m], where the kernel has such a place."""
    x, w = (
        np.random.default_rng(0).normal(size=(1, 2, 3, 3)),
        np.random.default_rng(1).normal(size=(2, 2, 4, 4)),
    )
    expected = transposed_convolution(x, w, 2, 1)
    for c, i, j in np.ndindex(2, 6, 6):
        total = 0.0
        for k, m, n in np.ndindex(2, 3, 3):
            u, v = i + 1 - 2 * m, j + 1 - 2 * n
            if 0 <= u < 4 and 0 <= v < 4:
                total += x[0, k, m, n] * w[k, c, u, v]
        assert total == pytest.approx(expected[0, c, i, j])


def test_sizes_on_the_way():
    g, d = Generator(GeneratorConfig()).eval(), Discriminator(DiscriminatorConfig()).eval()
    with torch.no_grad(), record() as taps:
        d(g(torch.randn(3, 64)))
    shapes = {name: tuple(value.shape[1:]) for name, value in taps.items()}
    assert shapes == {
        "project.conv": (80, 4, 4),
        "project.out": (80, 4, 4),
        "up1.conv": (40, 8, 8),
        "up1.out": (40, 8, 8),
        "up2.conv": (20, 16, 16),
        "up2.out": (20, 16, 16),
        "paint": (1, 32, 32),
        "picture": (1, 32, 32),
        "down1.conv": (32, 16, 16),
        "down1.out": (32, 16, 16),
        "down2.conv": (64, 8, 8),
        "down2.out": (64, 8, 8),
        "down3.conv": (128, 4, 4),
        "down3.out": (128, 4, 4),
        "evidence": (1, 4, 4),
        "logit": (1,),
    }
    assert taps["picture"].abs().max() <= 1


def test_weights_start_as_in_the_paper():
    torch.manual_seed(0)
    for net in (Generator(GeneratorConfig()), Discriminator(DiscriminatorConfig())):
        kernels = torch.cat([p.detach().flatten() for p in net.parameters() if p.ndim == 4])
        assert float(kernels.mean()) == pytest.approx(0, abs=1e-3)
        assert float(kernels.std()) == pytest.approx(0.02, rel=0.02)
        for module in net.modules():
            if isinstance(module, nn.BatchNorm2d):
                assert float(module.weight.detach().mean()) == pytest.approx(1, abs=0.02)
                assert module.bias.eq(0).all()


def test_the_receptive_field_that_the_words_name():
    """One place of the last map reads 22x22 pixels."""
    d = Discriminator(DiscriminatorConfig.tiny()).eval()
    x = torch.randn(1, 1, 32, 32, requires_grad=True)
    with record(["down3.conv"]) as taps:
        d(x)
    taps["down3.conv"][0, :, 2, 2].sum().backward()
    assert x.grad is not None
    rows, columns = np.nonzero(x.grad[0, 0].numpy())
    assert [int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1] == [22, 22]

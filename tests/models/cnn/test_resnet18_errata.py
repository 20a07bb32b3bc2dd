"""Where the study notes on ResNet differ from the papers: one test for each erratum."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from models.cnn.resnet18 import BasicBlock
from models.taps import record


def without_residual(block: BasicBlock) -> BasicBlock:
    """F(x) = 0: the last batch norm's scale and shift are zero."""
    nn.init.zeros_(block.bn2.weight)
    nn.init.zeros_(block.bn2.bias)
    return block.eval()


def test_E06_with_F_zero_the_block_is_relu_and_not_the_identity() -> None:
    block = without_residual(BasicBlock(4, 4, 1, "block"))
    x = torch.linspace(-1, 1, 4 * 6 * 6).reshape(1, 4, 6, 6)
    with torch.no_grad(), record() as taps:
        y = block(x)
    assert torch.equal(taps["block.residual"], torch.zeros_like(x))
    # the sum before the last activation is the identity, what the block returns is not
    assert torch.equal(taps["block.residual"] + taps["block.shortcut"], x)
    assert torch.equal(y, x.relu())
    with torch.no_grad():
        assert block(torch.full((1, 4, 6, 6), -1.0)).eq(0).all()  # 0, not −1


def test_E06_pre_activation_would_be_the_identity() -> None:
    """He et al. 2016: y = x + F(ReLU(BN(x))) with F = 0 gives x for any sign."""

    class PreActivation(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.bn, self.conv = nn.BatchNorm2d(4), nn.Conv2d(4, 4, 3, padding=1, bias=False)
            nn.init.zeros_(self.conv.weight)

        def forward(self, x: Tensor) -> Tensor:
            return x + self.conv(self.bn(x).relu())

    x = torch.full((1, 4, 6, 6), -1.0)
    assert torch.equal(PreActivation().eval()(x), x)


def test_E07_the_projection_carries_the_stride_and_a_batch_norm() -> None:
    block = BasicBlock(64, 128, 2, "block").eval()
    x = torch.randn(1, 64, 56, 56)
    with torch.no_grad(), record() as taps:
        block(x)
    assert taps["block.shortcut"].shape == (1, 128, 28, 28)
    convolution, norm = block.downsample.children()
    assert isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d)
    assert convolution.kernel_size == (1, 1) and convolution.stride == (2, 2)
    # a 1×1 convolution that only changes the channels leaves 56×56, which cannot be added to 28×28
    only_channels = nn.Conv2d(64, 128, 1, bias=False)
    assert only_channels(x).shape == (1, 128, 56, 56)
    with pytest.raises(RuntimeError):
        only_channels(x) + taps["block.residual"]


def test_E07_where_nothing_changes_the_shortcut_is_the_input_itself() -> None:
    block = BasicBlock(8, 8, 1, "block").eval()
    x = torch.randn(2, 8, 14, 14)
    with torch.no_grad(), record() as taps:
        block(x)
    assert torch.equal(taps["block.shortcut"], x)


def plain_net(depth: int, width: int, norm: bool) -> nn.Sequential:
    """A 3×3 convolutional net without shortcuts, as in section 4.2 of the paper, all at one size; `depth` weights."""
    layers: list[nn.Module] = []
    for i in range(depth - 1):
        layers.append(nn.Conv2d(3 if i == 0 else width, width, 3, padding=1, bias=not norm))
        if norm:
            nn.init.kaiming_normal_(layers[-1].weight, mode="fan_out", nonlinearity="relu")  # type: ignore[arg-type]
            layers.append(nn.BatchNorm2d(width))
        layers.append(nn.ReLU())
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 10))


def first_and_last_gradient(net: nn.Sequential) -> tuple[float, float]:
    """Gradient norms of the first and the last convolution after one backward pass on noise."""
    generator = torch.Generator().manual_seed(1)
    x, y = torch.randn(16, 3, 16, 16, generator=generator), torch.arange(16) % 10
    nn.functional.cross_entropy(net.train()(x), y).backward()
    norms = [
        float(m.weight.grad.norm()) for m in net if isinstance(m, nn.Conv2d) and m.weight.grad is not None
    ]
    return norms[0], norms[-1]


def test_E63_gradients_of_a_deep_plain_net_with_batch_norm_do_not_vanish() -> None:
    """56 layers without any shortcut: batch norm keeps the first layer's gradient far from 0 (section 4.1)."""
    torch.manual_seed(0)
    first, last = first_and_last_gradient(plain_net(56, 16, norm=True))
    assert first > 1e-2
    assert first > 0.1 * last


def test_E63_what_vanishing_gradients_look_like() -> None:
    """The same net without batch norm, at PyTorch's default initial weights: the first layer gets nothing."""
    torch.manual_seed(0)
    first, last = first_and_last_gradient(plain_net(56, 16, norm=False))
    assert first < 1e-9 * max(last, 1e-30) or first < 1e-12

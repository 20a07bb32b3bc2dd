"""Receptive fields by brute force: one lit pixel at a time through the torch model."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from app.figures.resnet18 import clipped, field_of
from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.taps import record

SIDE = 256
CELLS = [
    ("stem", 0), ("stem", 60), ("pool", 1), ("pool", 63),
    ("layer1.0.hidden", 0), ("layer1.1.out", 30), ("layer2.0.shortcut", 7), ("layer2.0.residual", 7),
    ("layer2.1.out", 0), ("layer3.0.shortcut", 8), ("layer3.0.out", 15), ("layer3.1.shortcut", 8),
    ("layer4.0.hidden", 4), ("layer4.1.out", 0), ("layer4.1.out", 7),
]  # fmt: skip


@pytest.fixture(scope="module")
def reach() -> dict[str, np.ndarray]:
    """For every feature map (pixel, cell): whether lighting that pixel of the middle row or column moves the cell.

    With positive weights, zero biases and a black picture nothing is cut by a ReLU and no maximum hides a pixel.
    A picture lit along one whole row (for rows) or column (for columns) must give the same answer; rows are tested.
    """
    torch.manual_seed(0)
    net = ResNet18(ResNet18Config.tiny(width=1)).eval()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.fill_(0.1 if parameter.ndim > 1 else 0.0)
        for module in net.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.weight.fill_(1.0)
        pictures = torch.zeros(SIDE, 3, SIDE, 9 * 4)
        pictures[torch.arange(SIDE), :, torch.arange(SIDE), :] = 1.0
        with record() as taps:
            net(pictures)
    return {name: x.sum(dim=(1, 3)).gt(0).numpy() for name, x in taps.items() if x.ndim == 4}


@pytest.mark.parametrize(("tap", "cell"), CELLS)
def test_the_field_is_exactly_what_moves_the_cell(reach: dict[str, np.ndarray], tap: str, cell: int) -> None:
    pixels = np.flatnonzero(reach[tap][:, cell])
    first, last = clipped(field_of(tap).span(cell), SIDE)
    assert (pixels[0], pixels[-1]) == (first, last)
    if tap.endswith(".shortcut") or not tap.startswith("layer"):
        return  # strided branches may skip pixels between
    assert len(pixels) == last - first + 1


def test_every_cell_of_every_map(reach: dict[str, np.ndarray]) -> None:
    for tap, moved in reach.items():
        for cell in range(moved.shape[1]):
            pixels = np.flatnonzero(moved[:, cell])
            assert (pixels[0], pixels[-1]) == clipped(field_of(tap).span(cell), SIDE), (tap, cell)

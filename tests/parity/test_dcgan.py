"""DCGAN's two nets give what the layers of pytorch/examples dcgan/main.py give, hidden states included.

No library ships those layers, so they stand here in the order of that file, with one halving less (32x32 pictures).
"""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from models.generative.dcgan import Discriminator, DiscriminatorConfig, Generator, GeneratorConfig
from models.taps import record
from tests.close import PARITY, distance


def reference_generator(latent: int, width: int, channels: int) -> nn.Sequential:
    return nn.Sequential(
        nn.ConvTranspose2d(latent, width * 4, 4, 1, 0, bias=False),
        nn.BatchNorm2d(width * 4),
        nn.ReLU(True),
        nn.ConvTranspose2d(width * 4, width * 2, 4, 2, 1, bias=False),
        nn.BatchNorm2d(width * 2),
        nn.ReLU(True),
        nn.ConvTranspose2d(width * 2, width, 4, 2, 1, bias=False),
        nn.BatchNorm2d(width),
        nn.ReLU(True),
        nn.ConvTranspose2d(width, channels, 4, 2, 1, bias=False),
        nn.Tanh(),
    )


def reference_discriminator(width: int, channels: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(channels, width, 4, 2, 1, bias=False),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(width, width * 2, 4, 2, 1, bias=False),
        nn.BatchNorm2d(width * 2),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(width * 2, width * 4, 4, 2, 1, bias=False),
        nn.BatchNorm2d(width * 4),
        nn.LeakyReLU(0.2, inplace=True),
        nn.Conv2d(width * 4, 1, 4, 1, 0, bias=False),
        nn.Sigmoid(),
    )


GENERATOR_KEYS = {
    0: "project.conv",
    1: "project.bn",
    3: "up1.conv",
    4: "up1.bn",
    6: "up2.conv",
    7: "up2.bn",
    9: "paint",
}
DISCRIMINATOR_KEYS = {
    0: "down1.conv",
    2: "down2.conv",
    3: "down2.bn",
    5: "down3.conv",
    6: "down3.bn",
    8: "score",
}
GENERATOR_TAPS = {
    0: "project.conv",
    2: "project.out",
    3: "up1.conv",
    5: "up1.out",
    6: "up2.conv",
    8: "up2.out",
    9: "paint",
    10: "picture",
}
DISCRIMINATOR_TAPS = {
    0: "down1.conv",
    1: "down1.out",
    2: "down2.conv",
    4: "down2.out",
    5: "down3.conv",
    7: "down3.out",
    8: "logit",
}


def randomise(model: nn.Module, seed: int) -> nn.Module:
    """Weights of ordinary size, and batch norms that do something."""
    random = torch.Generator().manual_seed(seed)
    for module in model.modules():
        if isinstance(module, nn.Conv2d | nn.ConvTranspose2d):
            nn.init.normal_(module.weight, 0, 0.1, generator=random)
        elif isinstance(module, nn.BatchNorm2d):
            assert module.running_mean is not None and module.running_var is not None
            module.running_mean.normal_(0, 0.1, generator=random)
            module.running_var.uniform_(0.5, 2, generator=random)
            nn.init.uniform_(module.weight, 0.5, 1.5, generator=random)
            nn.init.normal_(module.bias, 0, 0.1, generator=random)
    return model


def converted(theirs: nn.Sequential, keys: dict[int, str]) -> dict[str, Tensor]:
    """Their state dict, "3.weight" becoming "up1.conv.weight"."""
    state = theirs.state_dict()
    return {
        f"{keys[int(name.split('.')[0])]}.{name.split('.', 1)[1]}": value for name, value in state.items()
    }


def steps(theirs: nn.Sequential, x: Tensor) -> list[Tensor]:
    """What each layer of theirs returns; copied, since the next may work in place."""
    found = []
    for layer in theirs:
        x = layer(x)
        found.append(x.clone())
    return found


@pytest.mark.parametrize("training", [False, True], ids=["eval", "train"])
@pytest.mark.parametrize(("latent", "width", "channels"), [(64, 20, 1), (100, 8, 3)])
def test_generator(latent: int, width: int, channels: int, training: bool):
    theirs = reference_generator(latent, width, channels)
    randomise(theirs, 0).train(training)
    ours = Generator(GeneratorConfig(latent=latent, width=width, channels=channels)).train(training)
    ours.load_state_dict(converted(theirs, GENERATOR_KEYS))
    z = torch.randn(5, latent, generator=torch.Generator().manual_seed(1))
    with torch.no_grad(), record() as taps:
        ours(z)
    with torch.no_grad():
        expected = steps(theirs, z[:, :, None, None])
    assert set(GENERATOR_TAPS.values()) == set(taps)
    for i, name in GENERATOR_TAPS.items():
        assert distance(taps[name], expected[i]) <= PARITY, name


@pytest.mark.parametrize("training", [False, True], ids=["eval", "train"])
@pytest.mark.parametrize(("width", "channels"), [(32, 1), (8, 3)])
def test_discriminator(width: int, channels: int, training: bool):
    theirs = reference_discriminator(width, channels)
    randomise(theirs, 2).train(training)
    ours = Discriminator(DiscriminatorConfig(width=width, channels=channels)).train(training)
    ours.load_state_dict(converted(theirs, DISCRIMINATOR_KEYS))
    x = torch.rand(5, channels, 32, 32, generator=torch.Generator().manual_seed(3)) * 2 - 1
    with torch.no_grad(), record() as taps:
        d = torch.sigmoid(ours(x))
    with torch.no_grad():
        expected = steps(theirs, x)
    assert set(DISCRIMINATOR_TAPS.values()) | {"evidence"} == set(taps)
    for i, name in DISCRIMINATOR_TAPS.items():
        assert distance(taps[name], expected[i].reshape(taps[name].shape)) <= PARITY, name
    assert distance(d, expected[-1].reshape(d.shape)) <= PARITY
    assert distance(taps["evidence"].sum(dim=(1, 2, 3)), expected[8].flatten()) <= PARITY

"""ResNet18 gives what torchvision's gives, hidden states included."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn
from torchvision.models import resnet18

from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.taps import record
from tests.close import PARITY, distance


def reference(classes: int = 1000) -> nn.Module:
    """torchvision's model with random weights and batch norms that do something."""
    torch.manual_seed(0)
    model = resnet18(num_classes=classes).eval()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            assert module.running_mean is not None and module.running_var is not None
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 2)
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.1)
    return model


def hidden_states(model: nn.Module, x: Tensor) -> dict[str, Tensor]:
    """Outputs of torchvision's stem, pool, blocks and mean under our taps' names."""
    names = {"relu": "stem", "maxpool": "pool", "avgpool": "features"}
    names |= {f"layer{i}.{j}": f"layer{i}.{j}.out" for i in range(1, 5) for j in range(2)}
    names |= {f"layer{i}.{j}.bn2": f"layer{i}.{j}.residual" for i in range(1, 5) for j in range(2)}
    names |= {f"layer{i}.0.downsample": f"layer{i}.0.shortcut" for i in range(2, 5)}
    found: dict[str, Tensor] = {}
    for theirs, ours in names.items():

        def keep(_module: nn.Module, _input: object, output: Tensor, ours: str = ours) -> None:
            found[ours] = output.clone()  # their next activation works in place

        model.get_submodule(theirs).register_forward_hook(keep)
    found["logits"] = model(x)
    found["features"] = found["features"].flatten(1)
    return found


@pytest.mark.parametrize("shape", [(1, 3, 96, 96), (2, 3, 65, 130)])
def test_output_and_every_stage(shape: tuple[int, ...]):
    theirs = reference()
    ours = ResNet18(ResNet18Config()).eval()
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(shape)
    with torch.inference_mode():
        expected = hidden_states(theirs, x)
        with record() as taps:
            ours(x)
    for name, value in expected.items():
        assert distance(taps[name], value) <= PARITY, name


def test_same_keys_and_shapes():
    theirs, ours = reference(7).state_dict(), ResNet18(ResNet18Config(num_classes=7)).state_dict()
    assert {k: v.shape for k, v in theirs.items()} == {k: v.shape for k, v in ours.items()}


def test_gradients_agree():
    """Grad-CAM rests on them."""
    theirs = reference(5)
    ours = ResNet18(ResNet18Config(num_classes=5)).eval()
    ours.load_state_dict(theirs.state_dict())
    x = torch.randn(1, 3, 64, 64)
    gradients = []
    for model in (ours, theirs):
        leaf = x.clone().requires_grad_()
        model(leaf)[0, 2].backward()
        gradients.append(leaf.grad)
    assert distance(*gradients) <= PARITY

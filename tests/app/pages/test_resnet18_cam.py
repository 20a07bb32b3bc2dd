"""Class activation maps against autograd written out here, on random weights, both engines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine import EngineError, Model, gradient_input, load, run
from app.engine.classify import grad_cam
from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.registry import MODELS
from models.taps import record
from models.weights_io import save_weights
from pages.resnet18_parts.view import LAST, STAGE_ENDS

CARD = MODELS["resnet18"]
CONFIG = dict(CARD.weights_by_id("emoji").config)


@pytest.fixture(scope="module")
def net() -> ResNet18:
    torch.manual_seed(5)
    net = ResNet18(ResNet18Config(**CONFIG))
    with torch.no_grad():
        for module in net.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.bias.uniform_(-0.3, 0.3)
                module.running_mean.uniform_(-0.3, 0.3)
                module.running_var.uniform_(0.5, 1.5)
    return net.eval()


@pytest.fixture(scope="module")
def models(net: ResNet18, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Model]:
    path = Path(tmp_path_factory.mktemp("weights")) / "random.safetensors"
    state = {name: value.numpy() for name, value in net.state_dict().items() if value.is_floating_point()}
    save_weights(path, state, float32=set(state))
    return {engine: load("resnet18", "emoji", engine, weights_file=path) for engine in ("torch", "onnx")}


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    return np.random.default_rng(0).normal(size=(1, 3, 96, 96)).astype(np.float32)


def by_autograd(net: ResNet18, x: np.ndarray, tap: str, target: int) -> np.ndarray:
    """Selvaraju et al., equations 1 and 2: alpha_c = mean_ij dz/dA_cij, map = ReLU(sum_c alpha_c A_c)."""
    with torch.enable_grad(), record([tap]) as taps:
        z = net(torch.from_numpy(x).requires_grad_())[0, target]
    (slope,) = torch.autograd.grad(z, taps[tap])
    alpha = slope[0].mean(dim=(1, 2), keepdim=True)
    return (alpha * taps[tap][0]).sum(0).relu().detach().numpy()


@pytest.mark.parametrize("tap", STAGE_ENDS)
@pytest.mark.parametrize("target", [0, 77])
def test_the_map_is_autograds_at_every_stage(net, models, x, tap: str, target: int) -> None:
    expected = by_autograd(net, x, tap, target)
    found = grad_cam(models["torch"], x, tap, target)
    assert found.shape == expected.shape and expected.max() > 0
    assert np.abs(found - expected).max() <= 1e-4 * max(1.0, np.abs(expected).max())
    assert np.abs(found - expected).max() <= 1e-4 * np.abs(expected).max()  # the maps themselves are small


@pytest.mark.parametrize("target", [0, 77, 119])
def test_onnx_has_the_last_stage_in_closed_form(net, models, x, target: int) -> None:
    expected = by_autograd(net, x, LAST, target)
    found = grad_cam(models["onnx"], x, LAST, target)
    assert np.abs(found - expected).max() <= 1e-4 * np.abs(expected).max()


def test_onnx_says_that_earlier_stages_need_torch(models, x) -> None:
    with pytest.raises(EngineError) as error:
        grad_cam(models["onnx"], x, STAGE_ENDS[0], 0)
    assert error.value.reason == "engine.needs_torch"


def test_influence_stays_within_the_receptive_field(models, x) -> None:
    from app.figures.resnet18 import clipped, field_of

    tap, cell = "layer2.0.out", (3, 2, 9)
    found = np.abs(gradient_input(models["torch"], {"image": x}, tap, (0, *cell))[0]).sum(0)
    assert found.shape == (96, 96)
    field = field_of(tap)
    (y0, y1), (x0, x1) = (clipped(field.span(i), 96) for i in cell[1:])
    inside = found[y0 : y1 + 1, x0 : x1 + 1]
    assert np.isclose(inside.sum(), found.sum()) and (found > 0).any() == (
        run(models["torch"], {"image": x}, [tap]).taps[tap][0][cell] > 0
    )


@pytest.mark.parametrize("engine", ["torch", "onnx"])
def test_the_intervention_on_both_engines(net, models, x, engine: str) -> None:
    ones, off = np.ones(8, np.float32), np.array([1, 1, 0, 1, 1, 0.5, 1, 1], np.float32)
    plain = run(models[engine], {"image": x}).output
    same = run(models[engine], {"image": x, "residual_strength": ones, "shortcut_strength": ones}).output
    assert np.abs(plain - same).max() <= 1e-5 * np.abs(plain).max()
    changed = run(models[engine], {"image": x, "residual_strength": off, "shortcut_strength": ones}).output
    with torch.no_grad():
        expected = net(torch.from_numpy(x), torch.from_numpy(off), torch.from_numpy(ones)).numpy()
    assert np.abs(changed - expected).max() <= 1e-4 * max(1.0, np.abs(expected).max())
    assert np.abs(changed - plain).max() > 1e-3

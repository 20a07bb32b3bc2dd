"""Preparation as torchvision's, a prediction with its doubts, Grad-CAM."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch
from PIL import Image
from torchvision.models import ResNet18_Weights

from app.engine import EngineError, Model, run
from app.engine.classify import (
    cam_closed_form,
    class_names,
    classify,
    frame_box,
    framed,
    grad_cam,
    in_domain,
    log_sum_exp,
    prepare,
)
from models.registry import MODELS
from tests.app.engine.helpers import photo

Tiny = Callable[[str, str], Model]
RESNET = MODELS["resnet18"]
STAGES = ("layer1.1.out", "layer2.1.out", "layer3.1.out", "layer4.1.out")


@pytest.mark.parametrize("size", [(300, 451), (451, 300), (256, 256), (97, 640), (224, 225), (31, 33)])
def test_imagenet_preparation_is_torchvisions(size: tuple[int, int]) -> None:
    image = photo(*size)
    expected = ResNet18_Weights.IMAGENET1K_V1.transforms()(Image.fromarray(image))[None].numpy()
    got = prepare(image, RESNET.weights_by_id("imagenet").preprocess)
    assert got.shape == (1, 3, 224, 224) and got.dtype == np.float32
    assert np.abs(got - expected).max() < 1e-6


def test_the_frame_is_the_middle_of_the_picture() -> None:
    preprocess = dict(size=64, mean=(0, 0, 0), std=(1, 1, 1))
    assert frame_box(100, 200, preprocess) == (50.0, 0.0, 150.0, 100.0)
    assert frame_box(100, 200, preprocess | dict(resize=80)) == (60.0, 10.0, 140.0, 90.0)
    assert framed(photo(100, 200), preprocess).shape == (64, 64, 3)


@pytest.mark.parametrize("engine", ["torch", "onnx"])
def test_prediction(tiny: Tiny, engine: str) -> None:
    model = tiny("resnet18", engine)
    found = classify(model, photo(90, 120), count=3)
    logits = run(model, {"image": prepare(photo(90, 120), model.preprocess)}).output[0]
    probabilities = torch.softmax(torch.from_numpy(logits), 0).numpy()
    assert [index for index, _ in found.top] == list(np.argsort(-probabilities)[:3])
    assert [p for _, p in found.top] == pytest.approx(np.sort(probabilities)[::-1][:3], abs=1e-6)
    assert found.energy == pytest.approx(float(torch.logsumexp(torch.from_numpy(logits), 0)), abs=1e-5)
    assert found.in_domain is None and found.seconds > 0
    with pytest.raises(EngineError):
        classify(model, photo(90, 120)[..., 0])


def test_in_domain_follows_the_report() -> None:
    logits = np.array([1.0, 3.0, 2.0], np.float32)
    energy = log_sum_exp(logits)
    assert in_domain(logits, {}) is None and in_domain(logits, {"ood": {"score": "energy"}}) is None
    assert in_domain(logits, {"ood": {"score": "energy", "threshold": energy - 0.1}}) is True
    assert in_domain(logits, {"ood": {"score": "energy", "threshold": energy + 0.1}}) is False
    assert in_domain(logits, {"ood": {"score": "max_logit", "threshold": 2.9}}) is True
    assert in_domain(logits, {"ood": {"score": "max_logit", "threshold": 3.1}}) is False
    assert log_sum_exp(np.array([1e4, 1e4])) == pytest.approx(1e4 + np.log(2))


def test_class_names(tiny: Tiny) -> None:
    model = tiny("resnet18", "onnx")
    assert class_names(model) == []
    model.report["classes"] = [{"emoji": "🐶", "en": "dog face", "zh": "狗脸"}, "cat"]
    assert class_names(model) == ["dog face", "cat"] and class_names(model, "zh")[0] == "狗脸"


# ---------------------------------------------------------------- Grad-CAM


def test_closed_form_is_grad_cam_of_the_last_stage(tiny: Tiny) -> None:
    on_torch, on_onnx = tiny("resnet18", "torch"), tiny("resnet18", "onnx")
    x = prepare(photo(90, 120), on_torch.preprocess)
    for target in range(3):
        by_gradient = grad_cam(on_torch, x, "layer4.1.out", target)
        assert by_gradient.max() > 0
        for model in (on_torch, on_onnx):
            features = run(model, {"image": x}, ["layer4.1.out"]).taps["layer4.1.out"][0]
            closed = cam_closed_form(features, model.state["fc.weight"], target)
            assert np.abs(closed - by_gradient).max() <= 1e-4 * max(1.0, by_gradient.max())
        assert np.abs(grad_cam(on_onnx, x, "layer4.1.out", target) - by_gradient).max() <= 1e-4


@pytest.mark.parametrize("stage", STAGES)
def test_grad_cam_is_autograds_at_every_stage(tiny: Tiny, stage: str) -> None:
    """Against a network cut in two by hand: features of the stage as a leaf, the rest run on them."""
    model = tiny("resnet18", "torch")
    x = prepare(photo(90, 120), model.preprocess)
    net = model.runner.model  # type: ignore[attr-defined]
    index = STAGES.index(stage) + 1
    with torch.no_grad():
        y = torch.nn.functional.max_pool2d(torch.relu(net.bn1(net.conv1(torch.from_numpy(x)))), 3, 2, 1)
        for i in range(1, index + 1):
            y = getattr(net, f"layer{i}")(y)
    leaf = y.clone().requires_grad_(True)
    z = leaf
    for i in range(index + 1, 5):
        z = getattr(net, f"layer{i}")(z)
    net.fc(z.mean(dim=(2, 3)))[0, 1].backward()
    assert leaf.grad is not None
    alpha = leaf.grad[0].mean(dim=(1, 2), keepdim=True)
    expected = torch.relu((alpha * leaf[0]).sum(0)).detach().numpy()
    got = grad_cam(model, x, stage, 1)
    assert got.shape == expected.shape and np.abs(got - expected).max() <= 1e-4 * max(1.0, expected.max())


def test_other_stages_need_torch(tiny: Tiny) -> None:
    model = tiny("resnet18", "onnx")
    with pytest.raises(EngineError) as caught:
        grad_cam(model, prepare(photo(90, 120), model.preprocess), "layer3.1.out", 0)
    assert caught.value.reason == "engine.needs_torch"


def test_a_thread_of_pixels_is_cut_before_it_is_enlarged() -> None:
    """1 x 40 million pixels are legal; scaled to 224 x 9 billion they are not."""
    line = np.broadcast_to(np.full((1, 1, 3), 7, np.uint8), (1, 40_000_000, 3))
    x = prepare(line, RESNET.weights_by_id("imagenet").preprocess)
    assert x.shape == (1, 3, 224, 224) and np.ptp(x[0, 0]) == 0
    assert frame_box(1, 40_000_000, dict(size=1))[2] == 20_000_000.5

"""The embedded weights reproduce the scores on their cards, on ONNX Runtime, from what is in the repository."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from models.registry import MODELS

BICUBIC_X2 = {
    "astronaut": 31.67,
    "chelsea": 35.18,
    "coffee": 30.62,
    "rocket": 32.37,
    "motorcycle_left": 30.04,
}
GAIN = {"x2": 1.6, "x4": 0.8}  # dB over bicubic, at least


def report(slug: str, weights_id: str) -> dict[str, Any]:
    card = MODELS[slug]
    return json.loads(card.report_path(card.weights_by_id(weights_id)).read_text("utf-8"))


# ---------------------------------------------------------------- SwinIR


def test_bicubic_is_the_published_baseline():
    from app.engine.metrics import psnr_y
    from models.training.metrics import benchmark_photos, bicubic, degrade

    for name, photo in benchmark_photos().items():
        truth, small = degrade(photo, 2)
        assert psnr_y(truth, bicubic(small, truth.shape[:2]), 4) == pytest.approx(BICUBIC_X2[name], abs=0.006)


@pytest.mark.slow
@pytest.mark.parametrize("weights_id", ["x2", "x4"])
def test_swinir_gain(weights_id: str):
    """PSNR over bicubic on the five scikit-image photographs, through the app's own tiled upscaling."""
    from app import engine
    from app.engine.metrics import psnr_y
    from app.engine.upscale import finish, upscale
    from models.training.metrics import benchmark_photos, bicubic, degrade

    card = report("swinir", weights_id)["score"]
    model = engine.load("swinir", weights_id, "onnx")
    scale = model.config["scale"]
    gains = []
    for name, photo in benchmark_photos().items():
        truth, small = degrade(photo, scale)
        result = finish(upscale(model, small))
        base = psnr_y(truth, bicubic(small, truth.shape[:2]), 4)
        ours = psnr_y(truth, result, 4)
        assert ours == pytest.approx(card["images"][name]["swinir"], abs=0.03), name
        gains.append(ours - base)
    assert np.mean(gains) == pytest.approx(card["mean_gain"], abs=0.03)
    assert np.mean(gains) >= GAIN[weights_id]

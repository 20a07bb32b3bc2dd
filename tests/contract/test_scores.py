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
    from app.engine.base import finish
    from app.engine.metrics import psnr_y
    from app.engine.upscale import upscale
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


# ---------------------------------------------------------------- ResNet18


def held_out() -> tuple[np.ndarray, np.ndarray]:
    """Pictures (N, 96, 96, 3) uint8 and their classes (N,): the drawings never trained on, on each of their grounds."""
    import io

    from PIL import Image

    stored = np.load(MODELS["resnet18"].folder / "heldout.npz", allow_pickle=False)
    tile, columns, margin, side = (int(stored[name]) for name in ("tile", "columns", "margin", "side"))
    atlas = Image.open(io.BytesIO(stored["atlas"].tobytes()))
    pictures = []
    for ground in stored["grounds"]:
        for label in map(int, stored["labels"]):
            left, top = label % columns * tile, label // columns * tile
            drawing = atlas.crop((left, top, left + tile, top + tile))
            picture = Image.new("RGB", (side, side), tuple(map(int, ground)))
            picture.paste(drawing, (margin, margin), drawing)
            pictures.append(np.asarray(picture))
    return np.stack(pictures), np.tile(stored["labels"], len(stored["grounds"]))


@pytest.mark.slow
def test_resnet18_on_a_style_it_never_saw():
    """Top-1, top-5 and the share of drawings taken for familiar, through the app's own preparation and engine."""
    from app import engine
    from app.engine.classify import prepare

    card = report("resnet18", "emoji")
    model = engine.load("resnet18", "emoji", "onnx")
    pictures, labels = held_out()
    x = np.concatenate([prepare(picture, model.preprocess) for picture in pictures])
    logits = np.concatenate([engine.run(model, {"image": part}).output for part in np.array_split(x, 12)])
    best = np.argsort(-logits, axis=1)[:, :5]
    assert len(labels) == card["score"]["pictures"]
    assert (best[:, 0] == labels).mean() == pytest.approx(card["score"]["top1"], abs=0.006)
    assert (best == labels[:, None]).any(axis=1).mean() == pytest.approx(card["score"]["top5"], abs=0.006)
    assert (best[:, 0] == labels).mean() >= 0.5

    energy = np.log(np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1)) + logits.max(axis=1)
    kept = (energy >= card["ood"]["threshold"]).mean()
    assert kept >= card["ood"]["keeps"] - 0.01
    assert min(card["ood"]["flags"].values()) >= 0.8

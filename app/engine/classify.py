"""Classify a picture, say how sure, and show where the net looked.

prediction = classify(model, image)
prediction.top  # [(class index, probability), ...]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from app.engine import Cancel, EngineError, Model, gradient, run


@dataclass(frozen=True)
class Prediction:
    """top: (class index, probability), best first. logits: (classes,). energy: log sum exp of the logits, high on
    pictures like those of the training. in_domain: whether the report's score reaches its threshold, None without one.
    """

    top: list[tuple[int, float]]
    logits: np.ndarray
    energy: float
    in_domain: bool | None
    seconds: float


def prepare(image: np.ndarray, preprocess: Mapping[str, Any]) -> np.ndarray:
    """(H, W, 3) uint8 -> (1, 3, S, S) float32: shorter side to `resize`, middle S x S, normalised.

    preprocess: size, mean, std, and resize (default: size). As torchvision's presets do it on a Pillow picture:
    antialiased bilinear, the longer side cut down to a whole pixel, the crop's corner rounded.
    """
    return normalise(framed(image, preprocess), preprocess)


def framed(image: np.ndarray, preprocess: Mapping[str, Any]) -> np.ndarray:
    """(H, W, 3) uint8 -> (S, S, 3) uint8: the part of the picture that the net sees, at its size."""
    size = int(preprocess["size"])
    short = int(preprocess.get("resize", size))
    image = middle(image, 16)
    height, width = image.shape[:2]
    new = (
        (short, max(1, int(short * height / width)))
        if width <= height
        else (max(1, int(short * width / height)), short)
    )
    picture = Image.fromarray(image).resize(new, Image.Resampling.BILINEAR)
    left, top = round((picture.width - size) / 2.0), round((picture.height - size) / 2.0)
    return np.asarray(picture.crop((left, top, left + size, top + size)))


def middle(image: np.ndarray, ratio: int) -> np.ndarray:
    """The middle of an image whose longer side is more than `ratio` times the shorter; any other as it is.

    Scaled up whole, a picture one pixel wide and a million long would fill the memory, only to be cropped.
    """
    height, width = image.shape[:2]
    keep = ratio * min(height, width)
    top, left = max(0, (height - keep) // 2), max(0, (width - keep) // 2)
    return image[top : top + min(height, keep), left : left + min(width, keep)]


def normalise(framed_image: np.ndarray, preprocess: Mapping[str, Any]) -> np.ndarray:
    """(S, S, 3) uint8 -> (1, 3, S, S) float32: (x / 255 - mean) / std."""
    mean, std = (np.array(preprocess[name], np.float32).reshape(3, 1, 1) for name in ("mean", "std"))
    x = framed_image.transpose(2, 0, 1).astype(np.float32) / np.float32(255)
    return ((x - mean) / std)[None]


def frame_box(height: int, width: int, preprocess: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) in pixels of the picture: what `framed` keeps, to draw it on the original."""
    size = int(preprocess["size"])
    ratio = min(height, width) / int(preprocess.get("resize", size))
    side = size * ratio
    left, top = (width - side) / 2, (height - side) / 2
    return left, top, left + side, top + side


def softmax(x: np.ndarray) -> np.ndarray:
    """Over the last axis."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def log_sum_exp(x: np.ndarray) -> float:
    peak = float(x.max())
    return peak + float(np.log(np.exp(x.astype(np.float64) - peak).sum()))


def in_domain(logits: np.ndarray, report: Mapping[str, Any]) -> bool | None:
    """Whether the report's score of these logits reaches its threshold; None where the report has none.

    report["ood"]: {"score": "energy" (log sum exp of the logits) or "max_logit", "threshold": number}.
    """
    rule = report.get("ood") or {}
    if rule.get("threshold") is None:
        return None
    score = float(logits.max()) if rule.get("score") == "max_logit" else log_sum_exp(logits)
    return score >= float(rule["threshold"])


def classify(model: Model, image: np.ndarray, count: int = 5, cancel: Cancel | None = None) -> Prediction:
    """The `count` likeliest classes of a picture (H, W, 3) uint8. Raises as `run` does."""
    if image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
        raise EngineError("engine.input", name="image", problem=f"shape {image.shape}, not (H, W, 3)")
    trace = run(model, {"image": prepare(image, model.preprocess)}, cancel=cancel)
    logits = trace.output[0]
    probabilities = softmax(logits)
    best = np.argsort(-probabilities, kind="stable")[:count]
    top = [(int(i), float(probabilities[i])) for i in best]
    return Prediction(top, logits, log_sum_exp(logits), in_domain(logits, model.report), trace.seconds)


# ---------------------------------------------------------------- where it looked


def cam_closed_form(features: np.ndarray, fc_weight: np.ndarray, target: int) -> np.ndarray:
    """Grad-CAM of the stage before mean and fc, without a gradient: ReLU(sum_c W[target, c] / (H W) * A_c).

    features: (C, H, W), fc_weight: (classes, C). Returns (H, W) float32, not scaled.
    Since z = W mean(A) + b, d z_target / d A_cij = W[target, c] / (H W) everywhere.
    Selvaraju et al. 2017, section 3.1.
    """
    height, width = features.shape[1:]
    weights = fc_weight[target] / np.float32(height * width)
    return np.maximum(np.tensordot(weights, features, axes=1), 0.0).astype(np.float32)


def grad_cam(model: Model, x: np.ndarray, tap: str, target: int) -> np.ndarray:
    """ReLU(sum_c alpha_c A_c), alpha_c = mean over positions of d z_target / d A_c (Selvaraju et al. 2017, eq. 1, 2).

    x: prepared input (1, 3, S, S). Returns (H, W) float32, not scaled. On ONNX Runtime the last feature map has its
    closed form; for any other tap EngineError("engine.needs_torch").
    """
    features = run(model, {"image": x}, taps=[tap]).taps[tap][0]
    if model.engine != "torch":
        maps = [spec.name for spec in model.card.taps(model.config) if spec.kind == "feature_map"]
        if tap == maps[-1] and "fc.weight" in model.state:
            return cam_closed_form(features, model.state["fc.weight"], target)
        raise EngineError("engine.needs_torch")
    alpha = gradient(model, {"image": x}, tap, target)[0].mean(axis=(1, 2))
    return np.maximum(np.tensordot(alpha, features, axes=1), 0.0).astype(np.float32)


def class_names(model: Model, language: str = "en") -> list[str]:
    """Names of the classes in the order of the logits; [] where they are not known.

    From the training report: report["classes"] is a list of {"emoji": sign, "en": name, "zh": name} or of names.
    ImageNet's thousand come with the app.
    """
    classes = model.report.get("classes")
    if classes:
        return [
            entry if isinstance(entry, str) else str(entry.get(language) or entry["en"]) for entry in classes
        ]
    if model.weights.id == "imagenet":
        from models.checkpoints.imagenet_classes import imagenet_classes

        return list(imagenet_classes(language))
    return []

"""Sample a diffusion model in bulk, and measure digits: is it the digit asked for, how varied, and is it a copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn

from models.generative import schedule
from models.generative.ddpm import UNetConfig
from models.generative.digit_files import nearest
from models.training import digit_judge, digits

SEED = 7  # of scores; settings were looked at with other seeds


class Sampled(Protocol):
    """What of a recipe the sampler reads."""

    @property
    def config(self) -> UNetConfig: ...
    @property
    def schedule(self) -> str: ...
    @property
    def prediction(self) -> str: ...


@torch.inference_mode()
def ddim(
    model: nn.Module,
    recipe: Sampled,
    labels: np.ndarray,
    *,
    steps: int,
    guidance: float,
    seed: int,
    batch: int = 50,
) -> np.ndarray:
    """One sample for each label by DDIM (eta 0, trailing steps): float32 (N, C, H, W) in [-1, 1].

    guidance: 1 is the conditional model alone; above it the prediction is pushed away from the null class's.
    """
    config = recipe.config
    shape = (config.in_channels, config.sample_size, config.sample_size)
    plan = schedule.named(recipe.schedule, 1000)
    visited = schedule.timesteps(plan, steps)
    out = np.empty((len(labels), *shape), np.float32)
    for first in range(0, len(labels), batch):
        asked = torch.from_numpy(np.asarray(labels[first : first + batch], np.int64))
        null = torch.full_like(asked, config.num_classes)
        x = np.stack([schedule.noise(seed, first + i, shape) for i in range(len(asked))])
        for i, t in enumerate(visited):
            before = int(visited[i + 1]) if i + 1 < len(visited) else -1
            predicted = guided(model, torch.from_numpy(x), int(t), asked, null, guidance)
            step = schedule.ddim_step(
                plan, recipe.prediction, predicted.numpy(), x, int(t), before, consistent=True
            )
            x = step.previous.astype(np.float32)
        out[first : first + batch] = x
    return np.clip(out, -1, 1)


def guided(model: nn.Module, x: Tensor, t: int, asked: Tensor, null: Tensor, guidance: float) -> Tensor:
    """null + guidance * (asked - null), in one batch of twice the size; guidance 1 needs no null."""
    if guidance == 1:
        return model(x, torch.full_like(asked, t), asked)
    both = model(torch.cat([x, x]), torch.full((2 * len(x),), t), torch.cat([asked, null]))
    with_class, without = both.chunk(2)
    return without + guidance * (with_class - without)


def to_bytes(pictures: np.ndarray) -> np.ndarray:
    """(N, 1, H, W) in [-1, 1] -> uint8 (N, H, W)."""
    return ((np.clip(pictures[:, 0], -1, 1) + 1) * 127.5).round().astype(np.uint8)


def mean_pairwise(vectors: np.ndarray) -> float:
    """Mean Euclidean distance over all pairs of rows. vectors (N, D)."""
    flat = vectors.reshape(len(vectors), -1).astype(np.float64)
    square = (flat**2).sum(1)
    table = np.sqrt(np.maximum(square[:, None] + square - 2 * flat @ flat.T, 0))
    return float(table[np.triu_indices(len(flat), 1)].mean())


def diversity(made: np.ndarray, asked: np.ndarray, real: np.ndarray, labels: np.ndarray) -> dict[str, Any]:
    """Mean pairwise distance within each class, of samples over that of real ones. (N, ...) vectors and labels (N,)."""
    ratios = [
        mean_pairwise(made[asked == k]) / mean_pairwise(real[labels == k])
        for k in range(int(asked.max()) + 1)
    ]
    return {
        "ratio": round(float(np.mean(ratios)), 4),
        "least": round(min(ratios), 4),
        "by_class": [round(r, 3) for r in ratios],
    }


def neighbour_distances(pictures: np.ndarray, among: np.ndarray) -> dict[str, float]:
    """Distances to the nearest of `among` (pixels in 0 .. 1): 5 % quantile and median. uint8 (N, 28, 28) each."""
    found = nearest(pictures, among)[0][:, 0]
    return {
        "low": round(float(np.quantile(found, 0.05)), 4),
        "median": round(float(np.median(found)), 4),
        "least": round(float(found.min()), 4),
    }


def copies(pictures: np.ndarray, parts: digits.Split) -> dict[str, Any]:
    """Are samples nearer to the training digits than unseen real digits are?"""
    real = nearest(parts.held.pictures, parts.train.pictures)[0][:, 0]
    made = nearest(pictures, parts.train.pictures)[0][:, 0]
    return {
        "distance": "Euclidean over pixels in 0 .. 1, to the nearest of the training digits",
        "real": neighbour_distances(parts.held.pictures, parts.train.pictures),
        "samples": neighbour_distances(pictures, parts.train.pictures),
        "samples_below_real_5_percent": round(float((made < np.quantile(real, 0.05)).mean()), 4),
        "samples_below_real_median": round(float((made < np.median(real)).mean()), 4),
        "samples_below_real_least": round(float((made < real.min()).mean()), 4),
    }


def frechet(one: np.ndarray, two: np.ndarray) -> float:
    """Frechet distance of two sets of features (N, D), each taken as a Gaussian."""
    mean_gap = ((one.mean(0) - two.mean(0)) ** 2).sum()
    a, b = np.cov(one, rowvar=False), np.cov(two, rowvar=False)
    values, vectors = np.linalg.eigh(a)
    root = vectors @ np.diag(np.sqrt(np.maximum(values, 0))) @ vectors.T
    middle = np.sqrt(np.maximum(np.linalg.eigvalsh(root @ b @ root), 0)).sum()
    return float(mean_gap + np.trace(a) + np.trace(b) - 2 * middle)


def measure_digits(pictures: np.ndarray, asked: np.ndarray) -> dict[str, Any]:
    """Everything about samples (N, 1, 28, 28) that were asked to be digits `asked` (N,)."""
    judge, parts = digit_judge.load_judge(), digits.split()
    made = torch.from_numpy(pictures)
    held = torch.from_numpy(digits.to_net(parts.held.pictures))
    verdict = digit_judge.logits_of(judge, made).argmax(1).numpy()
    features, real = digit_judge.features_of(judge, made), digit_judge.features_of(judge, held)
    as_bytes = to_bytes(pictures)
    return {
        "agreement": round(float((verdict == asked).mean()), 4),
        "agreement_by_class": [
            round(float((verdict == asked)[asked == k].mean()), 3) for k in range(int(asked.max()) + 1)
        ],
        "diversity_pixels": diversity(as_bytes, asked, parts.held.pictures, parts.held.labels),
        "diversity_features": diversity(features, asked, real, parts.held.labels),
        "frechet_features": round(frechet(features, real), 3),
        "copies": copies(as_bytes, parts),
    }


def score_digits(
    model: nn.Module, recipe: Sampled, guidance: float, count: int = 1000, seed: int = SEED
) -> dict[str, Any]:
    """The card's numbers: `count` samples, as many of each digit, 50 DDIM steps."""
    asked = np.arange(count) % 10
    pictures = ddim(model, recipe, asked, steps=50, guidance=guidance, seed=seed)
    return {
        "metric": "the judge's agreement with the digit asked for",
        "samples": count,
        "sampler": "DDIM, 50 steps, eta 0",
        "guidance": guidance,
        "seed": seed,
        "diversity": "mean pairwise distance within a class over that of held-out digits",
    } | measure_digits(pictures, asked)


def brief(score: Mapping[str, Any]) -> dict[str, Any]:
    """The main numbers of a score."""
    short = {k: score[k] for k in ("agreement", "nearest_in_group", "frechet_features") if k in score}
    for name in ("diversity_pixels", "diversity_features"):
        if name in score:
            short[name] = score[name]["ratio"]
    return short

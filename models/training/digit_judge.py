"""Train the judge of digits: a small classifier on the half of the digits that no generative model sees.

    python -m models.training.digit_judge --minutes 3

Pictures are turned, sheared, scaled and shifted a little, and some made grainy. An eighth of every batch are pictures
of no digit (noise of any grain, greys, two digits mixed, a digit's tiles shuffled); for these every class alike is the
right answer, so that the judge is not sure of what it never saw (outlier exposure, Hendrycks et al. 2019). It is
scored on the held-out tenth of its half, and once more on the training part of the other half, which it never saw.
"""

from __future__ import annotations

import argparse
import copy
import json
from dataclasses import asdict

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.generative.digit_judge import DigitJudge, DigitJudgeConfig
from models.training import digits
from models.training.common import (
    WEIGHTS,
    Clock,
    average_into,
    learning_rate,
    machine,
    ramp,
    read_back,
    today,
    write_report,
    write_weights,
)

FOLDER = WEIGHTS / "digit_judge"
SEED = 20261130
BATCH, OUTLIERS = 128, 16
PEAK_LR, WARM_UP, DECAY, EMA, SMOOTHING, GRAIN = 4e-3, 100, 0.05, 0.998, 0.02, 0.15
CONFIDENT = 0.8


def bend(pictures: Tensor, rng: torch.Generator) -> Tensor:
    """A small random affine map of each picture (B, 1, H, W) in [-1, 1]: up to 12 degrees, 10 %, 2 pixels."""
    count = len(pictures)

    def uniform(limit: float) -> Tensor:
        return (torch.rand(count, generator=rng) * 2 - 1) * limit

    angle, shear = uniform(0.21), uniform(0.2)
    wide, high = 1 + uniform(0.1), 1 + uniform(0.1)
    cos, sin = angle.cos(), angle.sin()
    step = 2 / pictures.shape[-1]  # one pixel in the grid's units
    top = torch.stack([cos * wide, (shear * cos - sin) * high, uniform(2 * step)], 1)
    bottom = torch.stack([sin * wide, (shear * sin + cos) * high, uniform(2 * step)], 1)
    grid = F.affine_grid(torch.stack([top, bottom], 1), list(pictures.shape), align_corners=False)
    return F.grid_sample(pictures + 1, grid, align_corners=False) - 1  # outside is black


def grainy(pictures: Tensor, rng: torch.Generator) -> Tensor:
    """Every second picture with some noise, clipped to [-1, 1]."""
    strength = torch.rand(len(pictures), 1, 1, 1, generator=rng) * GRAIN
    strength[::2] = 0
    return (pictures + strength * torch.randn(pictures.shape, generator=rng)).clamp(-1, 1)


def no_digits(digits_: Tensor, count: int, rng: torch.Generator) -> Tensor:
    """Pictures (count, 1, 28, 28) of no digit, made from noise and from digits (N, 1, 28, 28), N >= 2 count."""
    made = []
    for i in range(count):
        one, two = digits_[2 * i], digits_[2 * i + 1]
        kind = i % 5
        chance = torch.rand(3, generator=rng)
        if kind < 2:  # noise, fine to coarse, of any brightness and contrast
            side = int(torch.randint(2, 29, (1,), generator=rng))
            noise = torch.randn(1, 1, side, side, generator=rng)
            wide = F.interpolate(noise, size=(28, 28), mode="bilinear", align_corners=False)[0]
            made.append(wide * chance[0] + 1.6 * chance[1] - 1)
        elif kind == 2:  # one grey, or a slope of greys
            slope = torch.linspace(-1, 1, 28)[None, :, None] * (chance[0] - 0.5) * 2
            made.append((slope + 2 * chance[1] - 1).expand(1, 28, 28))
        elif kind == 3:  # two digits half and half
            share = 0.35 + 0.3 * chance[0]
            made.append(share * one + (1 - share) * two.flip(1 + int(chance[1] > 0.5)))
        else:  # the sixteen tiles of a digit in another order
            tiles = one.view(4, 7, 4, 7).permute(0, 2, 1, 3).reshape(16, 7, 7)
            mixed = tiles[torch.randperm(16, generator=rng)].view(4, 4, 7, 7)
            made.append(mixed.permute(0, 2, 1, 3).reshape(1, 28, 28))
    return torch.stack(made).clamp(-1, 1)


def loss_of(logits: Tensor, labels: Tensor, outliers: int) -> Tensor:
    """Cross entropy; the last `outliers` rows should give every class the same belief."""
    known = F.cross_entropy(logits[: len(labels)], labels, label_smoothing=SMOOTHING, reduction="sum")
    unsure = -logits[len(logits) - outliers :].log_softmax(1).mean(1).sum()
    return (known + unsure) / len(logits)


@torch.inference_mode()
def logits_of(judge: nn.Module, pictures: Tensor, batch: int = 500) -> Tensor:
    """pictures (N, 1, 28, 28) in [-1, 1] -> (N, 10)."""
    return torch.cat([judge(pictures[i : i + batch]) for i in range(0, len(pictures), batch)])


@torch.inference_mode()
def features_of(judge: DigitJudge, pictures: Tensor, batch: int = 500) -> np.ndarray:
    """What the last layer reads: float64 (N, 64)."""
    kept: list[Tensor] = []
    hook = judge.tap_features.register_forward_hook(lambda _m, _i, out: kept.append(out))
    try:
        logits_of(judge, pictures, batch)
    finally:
        hook.remove()
    return torch.cat(kept).double().numpy()


def load_judge() -> DigitJudge:
    """The judge as it ships."""
    judge = DigitJudge(DigitJudgeConfig())
    read_back(FOLDER / "digits.safetensors", judge)
    return judge


def accuracy(judge: nn.Module, part: digits.Digits) -> float:
    logits = logits_of(judge, torch.from_numpy(digits.to_net(part.pictures)))
    return float((logits.argmax(1).numpy() == part.labels).mean())


def share_sure(judge: nn.Module, pictures: np.ndarray) -> float:
    """Share of pictures (N, 1, 28, 28) of one class of which the judge is sure."""
    belief = logits_of(judge, torch.from_numpy(pictures)).softmax(1).max(1).values
    return float((belief >= CONFIDENT).float().mean())


def strangers(part: digits.Digits) -> np.ndarray:
    """Pictures of no digit that training did not show, made from held-out digits."""
    rng = torch.Generator().manual_seed(SEED + 1)
    order = torch.randperm(len(part), generator=rng)
    return no_digits(torch.from_numpy(digits.to_net(part.pictures))[order], len(part) // 2, rng).numpy()


def train(minutes: float) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(SEED)
    rng = torch.Generator().manual_seed(SEED)
    part = digits.split().judge_train
    pictures, labels = torch.from_numpy(digits.to_net(part.pictures)), torch.from_numpy(part.labels)
    judge = DigitJudge(DigitJudgeConfig())
    average = copy.deepcopy(judge).eval()
    optimiser = torch.optim.AdamW(judge.parameters(), weight_decay=DECAY)
    clock, step, running = Clock(minutes), 0, 0.0
    while clock.progress < 1:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, clock.progress, PEAK_LR, WARM_UP)
        chosen = torch.randint(len(labels), (BATCH - OUTLIERS,), generator=rng)
        strange = torch.randint(len(labels), (2 * OUTLIERS,), generator=rng)
        shown = torch.cat(
            [grainy(bend(pictures[chosen], rng), rng), no_digits(pictures[strange], OUTLIERS, rng)]
        )
        loss = loss_of(judge(shown), labels[chosen], OUTLIERS)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        average_into(average, judge, ramp(step, EMA))
        step += 1
        running = loss.item() if running == 0 else 0.98 * running + 0.02 * loss.item()
        clock.advance()
        if step % 200 == 0:
            print({"step": step, "seconds": round(clock.spent), "loss": round(running, 4)}, flush=True)
    finish(average, step, clock.spent)


def finish(average: nn.Module, step: int, spent: float) -> None:
    """Write the averaged weights as float16, read them back, score what was read."""
    path = FOLDER / "digits.safetensors"
    write_weights(path, average, int8=False, metadata={"model": "digit_judge"})
    judge, parts = load_judge(), digits.split()
    report = {
        "id": "digits",
        "model": "digit_judge",
        "config": asdict(judge.config),
        "parameters": sum(p.numel() for p in judge.parameters()),
        "data": [digits.source()],
        "split": "models/training/digits.py; this model: the judge's half",
        "trained_on": len(parts.judge_train),
        "augmentation": "turns to 12 degrees, shear 0.2, scale 10 %, shifts of 2 pixels, grain",
        "outliers": f"{OUTLIERS} of {BATCH} pictures show no digit, with every class alike as the answer",
        "script": "models/training/digit_judge.py",
        "seed": SEED,
        "steps": step,
        "batch": BATCH,
        "minutes": round(spent / 60, 1),
        "machine": machine(),
        "date": today(),
        "licence": "MIT",
        "score": {
            "metric": "top-1 accuracy",
            "held_out": {
                "accuracy": round(accuracy(judge, parts.judge_held), 4),
                "digits": len(parts.judge_held),
            },
            "digits_of_the_generative_half": {
                "accuracy": round(accuracy(judge, parts.train), 4),
                "digits": len(parts.train),
            },
            "sure": {
                "of": f"a belief of {CONFIDENT:g} or more in one class",
                "held_out_digits": round(share_sure(judge, digits.to_net(parts.judge_held.pictures)), 4),
                "no_digits": round(share_sure(judge, strangers(parts.judge_held)), 4),
            },
        },
    }
    write_report(path.with_suffix(".json"), report)
    print(json.dumps(report["score"], indent=2))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=3.0)
    train(parser.parse_args().minutes)


if __name__ == "__main__":
    main()

"""Train the embedded diffusion weights on a CPU, within a fixed time: handwritten digits, and drawn emoji.

    python -m models.training.ddpm digits --minutes 40
    python -m models.training.ddpm emoji --minutes 45
    python -m models.training.ddpm digits --score-only      # write and score the last saved state again

Ho et al. 2020 with a class embedding that is dropped now and then, for classifier-free guidance (Ho & Salimans 2022).
For the first two fifths of the time the loss is weighted by min(SNR, 5) (Hang et al. 2023), which soon gives the large
shapes; then it is the paper's plain one, which cleans up. The steps of a batch are spread evenly over 0 .. T-1, and
what ships is a moving average of the weights. A run continues from its state file.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

from models.generative import ddpm, schedule
from models.generative.ddpm import UNet, UNetConfig
from models.training import digits, emoji_groups, samples
from models.training.common import (
    WEIGHTS,
    Clock,
    average_into,
    learning_rate,
    machine,
    ramp,
    read_back,
    run_folder,
    save_state,
    today,
    write_report,
    write_weights,
)

FOLDER = WEIGHTS / "ddpm"
STEPS = 1000
WARM_UP, SNR_CAP, CAPPED = 150, 5.0, 0.4  # CAPPED: share of the time in which the loss is weighted


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """One training. batch_of(rng, count) -> pictures (B, C, H, W) in [-1, 1] and labels (B,)."""

    config: UNetConfig
    schedule: str
    prediction: str
    batch: int
    peak_lr: float
    ema: float
    dropped: float
    seed: int
    guidance: float
    int8: bool
    make: Callable[[], Callable[[torch.Generator, int], tuple[Tensor, Tensor]]]


def digit_batches() -> Callable[[torch.Generator, int], tuple[Tensor, Tensor]]:
    """The generative half's training digits as they are."""
    part = digits.split().train
    pictures, labels = torch.from_numpy(digits.to_net(part.pictures)), torch.from_numpy(part.labels)

    def batch_of(rng: torch.Generator, count: int) -> tuple[Tensor, Tensor]:
        chosen = torch.randint(len(labels), (count,), generator=rng)
        return pictures[chosen], labels[chosen]

    return batch_of


RECIPES = {
    "digits": Recipe(
        config=UNetConfig(block_out_channels=(16, 48, 64)),
        schedule="linear",
        prediction="epsilon",
        batch=48,
        peak_lr=2e-3,
        ema=0.999,
        dropped=0.1,
        seed=20261130,
        guidance=1.5,
        int8=True,
        make=digit_batches,
    ),
    "emoji": Recipe(
        config=UNetConfig(
            in_channels=3,
            sample_size=32,
            block_out_channels=(32, 48, 64),
            num_classes=len(emoji_groups.GROUPS),
        ),
        schedule="cosine",
        prediction="v",
        batch=24,
        peak_lr=2e-3,
        ema=0.999,
        dropped=0.1,
        seed=20261130,
        guidance=2.0,
        int8=True,
        make=emoji_groups.batches,
    ),
}

# ---------------------------------------------------------------- training


class QuickAttention(ddpm.SelfAttention):
    """The same function with the softmax fused: nothing is tapped while training."""

    def forward(self, x: Tensor) -> Tensor:
        b, c, h, w = x.shape
        pixels = self.group_norm(x).flatten(2).transpose(1, 2)
        q, k, v = (self.split(layer(pixels)) for layer in (self.to_q, self.to_k, self.to_v))
        heads = nn.functional.scaled_dot_product_attention(q, k, v, scale=self.scale)
        y = self.to_out[0](heads.transpose(1, 2).reshape(b, h * w, c))
        return x + y.transpose(1, 2).reshape(b, c, h, w)


def quicken(model: UNet) -> UNet:
    """Let the attention blocks of a net take the fused path."""
    for module in model.modules():
        if isinstance(module, ddpm.SelfAttention):
            module.__class__ = QuickAttention
    return model


@torch.no_grad()
def start_calm(model: UNet) -> None:
    """Every residual branch and the output begin at zero (as the released DDPM code does)."""
    for module in model.modules():
        if isinstance(module, ddpm.ResnetBlock):
            module.conv2.weight.zero_()
        elif isinstance(module, ddpm.SelfAttention):
            nn.init.zeros_(module.to_out[0].get_parameter("weight"))
    model.conv_out.weight.zero_()


def spread_steps(count: int, rng: torch.Generator) -> Tensor:
    """(count,) int64, one step from each of `count` equal slices of 0 .. STEPS-1, in random order."""
    slices = torch.randperm(count, generator=rng)
    return ((slices + torch.rand(count, generator=rng)) * (STEPS / count)).long().clamp_(max=STEPS - 1)


def target_and_weight(prediction: str, x0: Tensor, noise: Tensor, alpha_bar: Tensor) -> tuple[Tensor, Tensor]:
    """What the net shall say, and the weight of its squared error: min(SNR, 5) of the x0 error. alpha_bar (B,)."""
    level = alpha_bar.view(-1, 1, 1, 1)
    snr = alpha_bar / (1 - alpha_bar)
    if prediction == "epsilon":
        return noise, snr.clamp(max=SNR_CAP) / snr
    if prediction == "v":
        return level.sqrt() * noise - (1 - level).sqrt() * x0, snr.clamp(max=SNR_CAP) / (snr + 1)
    return x0, snr.clamp(max=SNR_CAP)


def loss_of(
    model: nn.Module,
    recipe: Recipe,
    pictures: Tensor,
    labels: Tensor,
    levels: Tensor,
    rng: torch.Generator,
    weighted: bool,
) -> Tensor:
    """Squared error of one batch at random steps, weighted or plain. levels: alpha_bar (STEPS,)."""
    count = len(pictures)
    t = spread_steps(count, rng)
    noise = torch.randn(pictures.shape, generator=rng)
    alpha_bar = levels[t]
    level = alpha_bar.view(-1, 1, 1, 1)
    x_t = level.sqrt() * pictures + (1 - level).sqrt() * noise
    dropped = torch.rand(count, generator=rng) < recipe.dropped
    asked = torch.where(dropped, torch.full_like(labels, recipe.config.num_classes), labels)
    target, weight = target_and_weight(recipe.prediction, pictures, noise, alpha_bar)
    error = (model(x_t, t, asked).float() - target).square().mean((1, 2, 3))
    return (weight * error).mean() if weighted else error.mean()


def train(name: str, minutes: float, write_every: float) -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    recipe = RECIPES[name]
    torch.manual_seed(recipe.seed)
    rng = torch.Generator().manual_seed(recipe.seed)
    batch_of = recipe.make()
    levels = torch.from_numpy(schedule.named(recipe.schedule, STEPS).alpha_bar.copy()).float()
    model = quicken(UNet(recipe.config))
    start_calm(model)
    average = copy.deepcopy(model).eval()
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.99), weight_decay=0.0)
    step, spent, running = 0, 0.0, 0.0
    state_file = run_folder(f"ddpm-{name}") / "state.pt"
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent, running = state["step"], state["spent"], state["loss"]
        rng.manual_seed(recipe.seed + step)
    clock, saved = Clock(minutes, spent), time.monotonic()
    preview(name, recipe, average, step, clock.spent)
    while clock.progress < 1:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, clock.progress, recipe.peak_lr, WARM_UP, floor=0.02)
        pictures, labels = batch_of(rng, recipe.batch)
        loss = loss_of(model, recipe, pictures, labels, levels, rng, clock.progress < CAPPED)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        average_into(average, model, ramp(step, recipe.ema))
        step += 1
        running = loss.item() if running == 0 else 0.99 * running + 0.01 * loss.item()
        clock.advance()
        if step % 100 == 0:
            print({"step": step, "seconds": round(clock.spent), "loss": round(running, 5)}, flush=True)
        if time.monotonic() - saved > write_every * 60 or clock.progress >= 1:
            state = {"model": model.state_dict(), "average": average.state_dict()}
            state |= {
                "optimiser": optimiser.state_dict(),
                "step": step,
                "spent": clock.spent,
                "loss": running,
            }
            save_state(state_file, state)
            preview(name, recipe, average, step, clock.spent)
            saved = time.monotonic()
            clock.tick = saved  # looking does not count


# ---------------------------------------------------------------- looking and scoring


def describe(name: str, recipe: Recipe, step: int, spent: float) -> dict[str, Any]:
    """The report's part that does not depend on scores."""
    report: dict[str, Any] = {
        "id": name,
        "model": "ddpm",
        "config": asdict(recipe.config),
        "preprocess": {"schedule": recipe.schedule, "prediction": recipe.prediction, "steps": STEPS},
        "guidance": recipe.guidance,
        "parameters": sum(p.numel() for p in UNet(recipe.config).parameters()),
    }
    report |= digits_facts() if name == "digits" else emoji_groups.facts()
    return report | {
        "script": "models/training/ddpm.py",
        "seed": recipe.seed,
        "steps": step,
        "batch": recipe.batch,
        "loss": f"squared error of {recipe.prediction}; in the first {CAPPED:.0%} of the time weighted by min(SNR, 5)",
        "label_dropped": recipe.dropped,
        "average": recipe.ema,
        "minutes": round(spent / 60, 1),
        "machine": machine(),
        "date": today(),
    }


def digits_facts() -> dict[str, Any]:
    names = "零一二三四五六七八九"
    parts = digits.split()
    return {
        "classes": [{"en": str(i), "zh": names[i]} for i in range(10)],
        "data": [digits.source()],
        "split": "models/training/digits.py; this model: the generative half",
        "trained_on": len(parts.train),
        "licence": "MIT",
        "neighbours": {"real": samples.neighbour_distances(parts.held.pictures, parts.train.pictures)},
    }


@torch.inference_mode()
def preview(name: str, recipe: Recipe, average: nn.Module, step: int, spent: float) -> None:
    """Write the average as it is now (unscored) and a sheet of its samples into the run's folder."""
    model = average.eval()
    write_weights(
        FOLDER / f"{name}.safetensors",
        model,
        int8=recipe.int8,
        metadata={"model": "ddpm", "unfinished": "yes"},
    )
    write_report(FOLDER / f"{name}.json", describe(name, recipe, step, spent) | {"unfinished": True})
    labels = np.tile(np.arange(recipe.config.num_classes), 4)
    pictures = samples.ddim(model, recipe, labels, steps=20, guidance=recipe.guidance, seed=1)
    sheet(pictures, recipe.config.num_classes, run_folder(f"ddpm-{name}") / f"sheet-{step:06d}.png")


def sheet(pictures: np.ndarray, columns: int, path: Path, zoom: int = 2) -> None:
    """pictures (N, C, H, W) in [-1, 1] as a grid."""
    count, channels, height, width = pictures.shape
    rows = -(-count // columns)
    grid = np.zeros((rows * columns, channels, height, width), np.float32)
    grid[:count] = np.clip(pictures, -1, 1)
    grid = grid.reshape(rows, columns, channels, height, width).transpose(0, 3, 1, 4, 2)
    image = ((grid.reshape(rows * height, columns * width, channels) + 1) * 127.5).round().astype(np.uint8)
    picture = Image.fromarray(image[..., 0] if channels == 1 else image)
    picture.resize((picture.width * zoom, picture.height * zoom), Image.Resampling.NEAREST).save(path)


def averaged(name: str) -> tuple[UNet, int, float]:
    """The averaged net of the last saved state, its step and seconds."""
    state = torch.load(run_folder(f"ddpm-{name}") / "state.pt", weights_only=True)
    model = UNet(RECIPES[name].config)
    model.load_state_dict(state["average"])
    return model.eval(), state["step"], state["spent"]


def scored(name: str) -> Callable[..., dict[str, Any]]:
    return samples.score_digits if name == "digits" else emoji_groups.score


def finish(name: str, guidance: float | None, count: int) -> None:
    """Write the averaged weights, read them back, score what was read."""
    torch.set_num_threads(1)
    recipe = RECIPES[name]
    strength = recipe.guidance if guidance is None else guidance
    model, step, spent = averaged(name)
    path = FOLDER / f"{name}.safetensors"
    write_weights(path, model, int8=recipe.int8, metadata={"model": "ddpm"})
    report = describe(name, recipe, step, spent) | {"guidance": strength}
    report["score"] = scored(name)(read_back(path, quicken(UNet(recipe.config))), recipe, strength, count)
    write_report(path.with_suffix(".json"), report)
    print(json.dumps(report["score"], indent=2), flush=True)


def compare_formats(name: str, count: int) -> None:
    """Score the same samples made by int8 and by float16 weights, and add both to the report."""
    torch.set_num_threads(1)
    recipe, path = RECIPES[name], FOLDER / f"{name}.safetensors"
    report = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    model = averaged(name)[0]
    formats: dict[str, Any] = {"samples": count, "shipped": "int8" if recipe.int8 else "float16"}
    for kind in ("int8", "float16"):
        trial = run_folder(f"ddpm-{name}") / f"{kind}.safetensors"
        write_weights(trial, model, int8=kind == "int8", metadata={"model": "ddpm"})
        net = read_back(trial, quicken(UNet(recipe.config)))
        numbers = scored(name)(net, recipe, report["guidance"], count, seed=samples.SEED + 1)
        formats[kind] = samples.brief(numbers) | {"bytes": trial.stat().st_size}
    report["formats"] = formats
    write_report(path.with_suffix(".json"), report)
    print(json.dumps(formats, indent=2), flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=RECIPES)
    parser.add_argument("--minutes", type=float, default=40.0)
    parser.add_argument("--write-every", type=float, default=8.0, help="minutes between saved states")
    parser.add_argument("--score-only", action="store_true")
    parser.add_argument("--train-only", action="store_true")
    parser.add_argument("--formats", type=int, help="only compare int8 with float16, on so many samples")
    parser.add_argument("--guidance", type=float)
    parser.add_argument("--count", type=int, default=1000)
    args = parser.parse_args(arguments)
    if args.formats:
        compare_formats(args.name, args.formats)
        return
    if not args.score_only:
        train(args.name, args.minutes, args.write_every)
    if not args.train_only:
        finish(args.name, args.guidance, args.count)


if __name__ == "__main__":
    main()

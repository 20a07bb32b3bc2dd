"""Train RealNVP on digits, on a CPU, within a fixed time.

    python -m models.training.realnvp --minutes 60     # train (or go on), then score and write

The exact log likelihood of dequantised, stretched digits is raised (models/generative/flow.py); noise is drawn anew in
every batch, and digits are shifted by up to a pixel: to spread over nine places costs at most log2(9) / 784 = 0.004
bits per dimension. What ships is a moving average of the weights. A run continues from its state file.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch import Tensor, nn

from models.generative import flow
from models.generative.realnvp import Flow, RealNVP, RealNVPConfig
from models.training import digits
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

RUN = "realnvp"
FOLDER = WEIGHTS / "realnvp"  # the way back has the same tensors
CONFIG = RealNVPConfig()
SEED, SCORE_SEED = 20261130, 7
BATCH, PEAK_LR, WARM_UP, EMA, DECAY = 48, 2e-3, 100, 0.999, 1e-4
DRAWS = 8  # of the dequantising noise, in the score


@torch.no_grad()
def start(model: Flow, x: Tensor) -> None:
    """Every coupling begins as the identity; every normalisation is set by what the first batch brings it."""
    for coupling in model.blocks():
        nn.init.zeros_(coupling.conv3.weight)
        nn.init.zeros_(coupling.conv3.get_parameter("bias"))
    hooks = [
        coupling.norm.register_forward_pre_hook(lambda norm, inputs: norm.fit(inputs[0]))
        for coupling in model.blocks()
    ]
    model.to_z(x)
    for hook in hooks:
        hook.remove()


def nats(model: Flow, x: Tensor) -> Tensor:
    """log p(x) of stretched pictures (B,), with gradients."""
    z, log_det = model.to_z(x)
    return log_det - 0.5 * (z.square() + float(np.log(2 * np.pi))).sum((1, 2, 3))


def train(minutes: float, write_every: float) -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    pictures = digits.split().train.pictures[:, None]
    model = RealNVP(CONFIG).to(memory_format=torch.channels_last)
    random = np.random.Generator(np.random.PCG64(SEED))
    padded = np.pad(pictures, ((0, 0), (0, 0), (1, 1), (1, 1)))
    start(model, batch_of(padded, random, 256)[0])
    average = copy.deepcopy(model).eval()
    optimiser = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.99), weight_decay=DECAY)
    step, spent, running = 0, 0.0, 0.0
    state_file = run_folder(RUN) / "state.pt"
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["spent"]
        random = np.random.Generator(np.random.PCG64([SEED, step]))
    clock, saved = Clock(minutes, spent), time.monotonic()
    while clock.progress < 1:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, clock.progress, PEAK_LR, WARM_UP, floor=0.01)
        x, slope = batch_of(padded, random, BATCH)
        with torch.autocast("cpu", dtype=torch.bfloat16):  # products in 16 bits, sums and weights in 32
            log_p = nats(model, x.contiguous(memory_format=torch.channels_last))
        bits = -(log_p + slope) / (CONFIG.dims * float(np.log(2)))
        optimiser.zero_grad()
        bits.mean().backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        average_into(average, model, ramp(step, EMA))
        step += 1
        running = bits.mean().item() if step == 1 else 0.98 * running + 0.02 * bits.mean().item()
        clock.advance()
        if step % 100 == 0:
            print({"step": step, "seconds": round(clock.spent), "bits": round(running, 4)}, flush=True)
        if time.monotonic() - saved > write_every * 60 or clock.progress >= 1:
            state = {"model": model.state_dict(), "average": average.state_dict()}
            state |= {"optimiser": optimiser.state_dict(), "step": step, "spent": clock.spent}
            save_state(state_file, state)
            publish(average, describe(step, clock.spent) | {"unfinished": True})
            sheet(average, step)
            saved = time.monotonic()
            clock.tick = saved  # looking does not count


def batch_of(padded: np.ndarray, random: np.random.Generator, count: int) -> tuple[Tensor, Tensor]:
    """Stretched digits (B, 1, 28, 28), and what stretching costs each (B,). padded (N, 1, 30, 30): room to shift."""
    places = zip(random.integers(len(padded), size=count), random.integers(3, size=(count, 2)), strict=True)
    chosen = np.stack([padded[i, :, top : top + 28, left : left + 28] for i, (top, left) in places])
    x, slope = flow.stretch(chosen, random.random(chosen.shape))
    return torch.from_numpy(x), torch.from_numpy(slope).float()


@torch.inference_mode()
def sheet(model: Flow, step: int, temperature: float = 0.8) -> None:
    """64 samples."""
    z = torch.randn(64, 1, 28, 28, generator=torch.Generator().manual_seed(1)) * temperature
    levels = flow.shrink(model.to_x(z)[0].numpy())[:, 0]
    image = levels.reshape(4, 16, 28, 28).transpose(0, 2, 1, 3).reshape(112, 448)
    Image.fromarray(image).resize((896, 224)).save(run_folder(RUN) / f"sheet-{step:06d}.png")


@torch.inference_mode()
def score(model: Flow) -> dict[str, Any]:
    """Bits per dimension of held-out and of training digits, and how exactly the way back undoes the way there."""
    parts = digits.split()
    random = np.random.Generator(np.random.PCG64(SCORE_SEED))
    found: dict[str, Any] = {
        "metric": "bits per dimension, 28 x 28 grey levels of 256; a bound, by uniform dequantisation",
        "preprocess": f"(level + u) / 256, then logit of {flow.MARGIN} + {1 - 2 * flow.MARGIN} of it",
        "noise_draws": DRAWS,
        "seed": SCORE_SEED,
    }
    for name, part in (("held_out", parts.held), ("trained_on", parts.train)):
        pictures = part.pictures[:: max(1, len(part) // 500), None]
        each = []
        for _ in range(DRAWS):
            x, slope = flow.stretch(pictures, random.random(pictures.shape))
            z, log_det = model.to_z(torch.from_numpy(x))
            each.append(flow.bits_per_dim(z.numpy(), log_det.numpy(), slope).mean())
        found[name] = {"digits": len(pictures), "bits_per_dim": round(float(np.mean(each)), 4)}
    found["bits_per_dim"] = found["held_out"]["bits_per_dim"]
    back = model.to_x(z)[0].numpy()
    found["inverse_error"] = {
        "largest": float(np.abs(back - x).max()),
        "levels_changed": int((flow.shrink(back) != pictures).sum()),
    }
    return found


def describe(step: int, spent: float) -> dict[str, Any]:
    """The report's part that does not depend on scores."""
    return {
        "id": "digits",
        "model": RUN,
        "config": asdict(CONFIG),
        "parameters": sum(p.numel() for p in RealNVP(CONFIG).parameters()),
        "data": [digits.source()],
        "split": "models/training/digits.py; this model: the generative half",
        "trained_on": len(digits.split().train),
        "licence": "MIT",
        "script": "models/training/realnvp.py",
        "seed": SEED,
        "steps": step,
        "batch": BATCH,
        "loss": "bits per dimension",
        "average": EMA,
        "minutes": round(spent / 60, 1),
        "machine": machine(),
        "date": today(),
    }


def publish(model: Flow, report: dict[str, Any]) -> None:
    """Write weights and report for both ways."""
    write_weights(FOLDER / "digits.safetensors", model, int8=True, metadata={"model": RUN})
    write_report(FOLDER / "digits.json", report)


def finish() -> None:
    """Write the averaged weights, read them back, score what was read."""
    torch.set_num_threads(1)
    state = torch.load(run_folder(RUN) / "state.pt", weights_only=True)
    model = RealNVP(CONFIG)
    model.load_state_dict(state["average"])
    report = describe(state["step"], state["spent"])
    publish(model, report)
    shipped = RealNVP(CONFIG)
    read_back(FOLDER / "digits.safetensors", shipped)
    report["score"] = score(shipped.eval())
    publish(model, report)
    print(json.dumps(report["score"], indent=2), flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--write-every", type=float, default=4.0, help="minutes between saved states")
    parser.add_argument("--score-only", action="store_true")
    args = parser.parse_args(arguments)
    if not args.score_only:
        train(args.minutes, args.write_every)
    finish()


if __name__ == "__main__":
    main()

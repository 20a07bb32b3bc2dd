"""Train the embedded SwinIR weights on photographs, on a CPU, within a fixed time.

    python -m models.training.swinir --scale 2 --minutes 50
    python -m models.training.swinir --scale 4 --minutes 25 --start x2

The learning rate follows the clock, not the step count: a cosine that reaches zero when the minutes are over,
however fast the machine is. Training begins above bicubic, because the last convolution is first fitted by least
squares. A run writes its state every two minutes and goes on from there when started again. At the end the
averaged weights go to models/weights/swinir/x<scale>.safetensors with a card beside them, and the five
scikit-image photographs are scored, once. Settings are chosen on `photos.VALIDATION`.
"""

from __future__ import annotations

import argparse
import copy
import json
import math
import platform
import time
from dataclasses import asdict
from datetime import date
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.taps import record
from models.training import photos
from models.training.metrics import benchmark_photos, bicubic, degrade, psnr_y
from models.vision.swinir import SwinIR, SwinIRConfig
from models.weights_io import load_weights, save_weights

WEIGHTS = Path(__file__).parents[1] / "weights" / "swinir"
SEED = 20261130
PATCH = 32  # side of a training patch before upscaling
BATCH = 8
BORDER = 4
PEAK_LR, WARM_UP = 1.2e-3, 300  # steps of warm-up
EMA = 0.999
EXACT_FROM = 0.9  # share of the time after which bfloat16 gives way to float32
LUMA_WEIGHTS = (0.299, 0.587, 0.114)


def config_for(scale: int) -> SwinIRConfig:
    return SwinIRConfig(
        scale=scale,
        embed_dim=48,
        depths=(2, 2, 2, 2),
        num_heads=(3, 3, 3, 3),
        window_size=8,
        mlp_ratio=2.0,
        upsampler="pixelshuffledirect",
        img_size=PATCH,
    )


# ---------------------------------------------------------------- data


class Patches:
    """Random aligned pairs of patches, more often where bicubic upscaling fails."""

    def __init__(self, pictures: dict[str, np.ndarray], scale: int, seed: int, patch: int = PATCH):
        self.scale, self.patch = scale, patch
        self.rng = np.random.default_rng(seed)
        self.pairs = [degrade(picture, scale) for picture in pictures.values()]
        places, weights = [], []
        for i, (truth, small) in enumerate(self.pairs):
            if min(small.shape[:2]) < patch:
                continue
            error = (truth.astype(np.float32) - bicubic(small, truth.shape[:2]).astype(np.float32)) ** 2
            rows, cols, loss = patch_means(error.mean(axis=2), patch * scale, step=patch * scale // 4)
            weight = np.clip(np.sqrt(loss), 0.0, 20.0) + 0.5
            weight /= math.sqrt(weight.sum())  # a large, rich photograph counts more, but not in proportion
            places.append(np.stack([np.full_like(rows, i), rows // scale, cols // scale], axis=1))
            weights.append(weight)
        self.places = np.concatenate(places)  # (M, 3): picture, row, column of the small patch
        self.cumulative = np.cumsum(np.concatenate(weights))

    def batch(self, size: int) -> tuple[Tensor, Tensor]:
        """small (B, 3, P, P) and truth (B, 3, sP, sP) in [0, 1], flipped and turned at random."""
        at = np.searchsorted(self.cumulative, self.rng.random(size) * self.cumulative[-1])
        small_patches, true_patches = [], []
        for picture, row, col in self.places[at]:
            truth, small = self.pairs[picture]
            jitter = self.rng.integers(0, self.patch // 4, 2)
            row = min(row + jitter[0], small.shape[0] - self.patch)
            col = min(col + jitter[1], small.shape[1] - self.patch)
            s, p = self.scale, self.patch
            a = small[row : row + p, col : col + p]
            b = truth[row * s : (row + p) * s, col * s : (col + p) * s]
            turns, mirror = int(self.rng.integers(4)), int(self.rng.integers(2))
            a, b = np.rot90(a, turns), np.rot90(b, turns)
            if mirror:
                a, b = a[:, ::-1], b[:, ::-1]
            small_patches.append(a)
            true_patches.append(b)
        return to_tensor(np.stack(small_patches)), to_tensor(np.stack(true_patches))


def patch_means(error: np.ndarray, side: int, step: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mean of error (H, W) over squares of `side` at a grid of `step`: (rows, columns, means), each (M,)."""
    total = np.zeros((error.shape[0] + 1, error.shape[1] + 1))
    total[1:, 1:] = error.cumsum(0, dtype=np.float64).cumsum(1)
    tops, lefts = (np.arange(0, size - side + 1, step) for size in error.shape)
    rows, cols = np.repeat(tops, len(lefts)), np.tile(lefts, len(tops))
    sums = total[rows + side, cols + side] - total[rows, cols + side]
    sums = sums - total[rows + side, cols] + total[rows, cols]
    return rows, cols, sums / side**2


def to_tensor(images: np.ndarray) -> Tensor:
    """uint8 (B, H, W, 3) -> float (B, 3, H, W) in [0, 1]."""
    return torch.from_numpy(np.ascontiguousarray(images.transpose(0, 3, 1, 2))).float().div_(255.0)


# ---------------------------------------------------------------- model


def fit_head(model: SwinIR, patches: Patches, batches: int = 48, ridge: float = 1e-5) -> None:
    """Least squares for the last convolution: the best linear map from fused features to sub-pixels."""
    head, scale = model.head.conv, model.config.scale
    assert isinstance(head, nn.Conv2d) and head.bias is not None
    size = head.in_channels * 9 + 1
    gram = torch.zeros(size, size, dtype=torch.float64)
    cross = torch.zeros(size, head.out_channels, dtype=torch.float64)
    with torch.no_grad():
        for _ in range(batches):
            small, truth = patches.batch(BATCH)
            with record(["fused"]) as taps:
                model(small)
            x = F.unfold(taps["fused"], 3, padding=1)  # (B, 9C, P*P)
            x = F.pad(x, (0, 0, 0, 1), value=1.0).permute(0, 2, 1).reshape(-1, size).double()
            y = F.pixel_unshuffle(truth - model.mean, scale)  # (B, 3s^2, P, P)
            y = y.flatten(2).permute(0, 2, 1).reshape(-1, head.out_channels).double()
            gram += x.T @ x
            cross += x.T @ y
        gram += ridge * gram.diagonal().mean() * torch.eye(size, dtype=torch.float64)
        solution = torch.linalg.solve(gram, cross).T.float()  # (3s^2, 9C + 1)
        head.weight.copy_(solution[:, :-1].reshape(head.weight.shape))
        head.bias.copy_(solution[:, -1])


def new_model(scale: int, patches: Patches, start: Path | None) -> SwinIR:
    """A model that already upscales a little better than bicubic; its body is new, or another scale's."""
    torch.manual_seed(SEED)
    model = SwinIR(config_for(scale))
    if start is None:
        last = model.conv_after_body
        assert isinstance(last, nn.Conv2d)
        with torch.no_grad():
            model.conv_first.weight.mul_(3.0)  # features of about unit size
            last.weight.mul_(0.05)
    else:
        state = {k: torch.from_numpy(v) for k, v in load_weights(start).items() if not k.startswith("head.")}
        missing, unknown = model.load_state_dict(state, strict=False)
        assert not unknown and all(k.startswith("head.") for k in missing), (missing, unknown)
    fit_head(model, patches)
    return model


def upscale(model: SwinIR, small: np.ndarray) -> np.ndarray:
    """uint8 (h, w, 3) -> uint8 (s*h, s*w, 3)."""
    with torch.inference_mode():
        y = model(to_tensor(small[None]))[0].clamp(0, 1).mul(255.0).round()
    return y.byte().permute(1, 2, 0).numpy()


def score(model: SwinIR, pictures: dict[str, np.ndarray]) -> dict[str, tuple[float, float]]:
    """(PSNR of bicubic, PSNR of the model) on Y in dB for each picture."""
    scale, result = model.config.scale, {}
    for name, picture in pictures.items():
        truth, small = degrade(picture, scale)
        base = psnr_y(truth, bicubic(small, truth.shape[:2]), BORDER)
        result[name] = (base, psnr_y(truth, upscale(model, small), BORDER))
    return result


def mean_gain(scores: dict[str, tuple[float, float]]) -> float:
    return float(np.mean([ours - base for base, ours in scores.values()]))


def centre(picture: np.ndarray, side: int = 320) -> np.ndarray:
    top, left = ((size - min(size, side)) // 2 for size in picture.shape[:2])
    return picture[top : top + side, left : left + side]


# ---------------------------------------------------------------- training


def charbonnier(guess: Tensor, truth: Tensor) -> Tensor:
    """mean sqrt(d^2 + eps^2) on RGB, and half as much on luminance."""
    difference = guess.float() - truth
    y = (difference * difference.new_tensor(LUMA_WEIGHTS).view(1, 3, 1, 1)).sum(1)
    return (difference**2 + 1e-6).sqrt().mean() + 0.5 * (y**2 + 1e-6).sqrt().mean()


def learning_rate(step: int, progress: float, peak: float) -> float:
    return peak * min(1.0, (step + 1) / WARM_UP) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, progress)))


def train(scale: int, minutes: float, start: Path | None, threads: int) -> None:
    torch.set_num_threads(threads)
    run = photos.cache_dir() / "runs" / f"swinir-x{scale}"
    run.mkdir(parents=True, exist_ok=True)
    log = (run / "log.jsonl").open("a")
    patches = Patches(photos.load_photos("train"), scale, SEED)
    validation = {name: centre(picture) for name, picture in photos.load_photos("validation").items()}

    model = new_model(scale, patches, start)
    average = copy.deepcopy(model).eval()
    optimiser = torch.optim.AdamW(model.parameters(), lr=PEAK_LR, betas=(0.9, 0.99), weight_decay=1e-4)
    peak = PEAK_LR if start is None else PEAK_LR * 2 / 3
    step, spent = 0, 0.0
    state_file = run / "state.pt"
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["spent"]
        patches.rng = np.random.default_rng(SEED + step)

    def report(loss: float) -> None:
        line = {"step": step, "seconds": round(spent), "loss": round(loss, 5)}
        line["validation_gain_db"] = round(mean_gain(score(average, validation)), 4)
        log.write(json.dumps(line) + "\n")
        log.flush()
        print(line, flush=True)

    if step == 0:
        report(float("nan"))
    budget, tick = minutes * 60.0, time.monotonic()
    saved, running = tick, 0.0
    while spent < budget:
        progress = spent / budget
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, progress, peak)
        small, truth = patches.batch(BATCH)
        with torch.autocast("cpu", torch.bfloat16, enabled=progress < EXACT_FROM):
            guess = model(small)
        loss = charbonnier(guess, truth)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        decay = min(EMA, (1 + step) / (10 + step))
        with torch.no_grad():
            for mine, new in zip(average.parameters(), model.parameters(), strict=True):
                mine.lerp_(new, 1 - decay)
        running = loss.item() if running == 0.0 else 0.99 * running + 0.01 * loss.item()
        now = time.monotonic()
        spent, tick = spent + now - tick, now
        if now - saved > 120 or spent >= budget:
            saved = now
            state = {
                "model": model.state_dict(),
                "average": average.state_dict(),
                "step": step,
                "spent": spent,
            }
            torch.save(state | {"optimiser": optimiser.state_dict()}, state_file.with_suffix(".new"))
            state_file.with_suffix(".new").replace(state_file)
            report(running)
    finish(average, scale, start, step, spent, mean_gain(score(average, validation)))


def sources() -> list[dict]:
    """Package, version, licence and number of the photographs trained on."""
    index = json.loads((photos.cache_dir() / "photos" / "index.json").read_text())
    trained = [entry["package"] for entry in index if entry["name"] not in photos.VALIDATION]
    return [
        {
            "package": deb.name,
            "version": deb.version,
            "licence": deb.licence,
            "photographs": trained.count(deb.name),
        }
        for deb in photos.DEBS
        if deb.name in trained
    ]


def finish(
    model: SwinIR, scale: int, start: Path | None, step: int, spent: float, validation_gain: float
) -> None:
    """Write the weights as float16, read them back, score what was read, write the card."""
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    path = WEIGHTS / f"x{scale}.safetensors"
    state = {name: value.numpy() for name, value in model.state_dict().items()}
    save_weights(path, state, {"model": "swinir", "scale": str(scale)})
    model.load_state_dict({k: torch.from_numpy(v) for k, v in load_weights(path).items()})
    scores = score(model, benchmark_photos())
    card = {
        "id": f"x{scale}",
        "model": "swinir",
        "config": asdict(model.config),
        "parameters": sum(p.numel() for p in model.parameters()),
        "data": sources(),
        "validation": sorted(photos.VALIDATION),
        "started_from": start.name if start else None,
        "script": "models/training/swinir.py",
        "seed": SEED,
        "steps": step,
        "batch": f"{BATCH} patches of {PATCH}x{PATCH}",
        "minutes": round(spent / 60, 1),
        "machine": f"2 cores, {platform.machine()}, no GPU",
        "date": date.today().isoformat(),
        "protocol": "crop to a multiple of the scale, Pillow bicubic reduction, studio-range Y, 4 px border off",
        "validation_gain_db": round(validation_gain, 3),
        "score": {
            "metric": "PSNR on Y, dB",
            "photographs": "scikit-image, held out",
            "images": {n: {"bicubic": round(a, 3), "swinir": round(b, 3)} for n, (a, b) in scores.items()},
            "mean_bicubic": round(float(np.mean([a for a, _ in scores.values()])), 3),
            "mean_swinir": round(float(np.mean([b for _, b in scores.values()])), 3),
            "mean_gain": round(mean_gain(scores), 3),
        },
    }
    path.with_suffix(".json").write_text(json.dumps(card, indent=2) + "\n")
    print(json.dumps(card["score"], indent=2))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", type=int, default=2, choices=(2, 4))
    parser.add_argument("--minutes", type=float, default=50.0)
    parser.add_argument("--start", help="id of finished weights whose body to start from, for example x2")
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    start = WEIGHTS / f"{args.start}.safetensors" if args.start else None
    train(args.scale, args.minutes, start, args.threads)


if __name__ == "__main__":
    main()

"""Train the embedded ResNet18 weights on drawn emoji, on a CPU, within a fixed time.

    python -m models.training.resnet18 --minutes 36     # train, then score once and write the weights
    python -m models.training.resnet18 --score-only     # write again from the last saved state

Nine drawing styles are trained on; Fluent's flat style is never read before the final score. A tenth or so of
every batch shows no emoji at all. For these, one constant logit of 0 stands beside the 120 classes and is the right
answer, so that log sum exp of the logits becomes the log-odds of "this is one of the classes": the score by which
the page tells strangers from emoji (energy score, Liu et al. 2020). Two thirds of the time the pictures are 64
pixels wide, then 96; the schedule follows the clock. A run resumes from its state file.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import math
import platform
import time
from datetime import date
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor, nn

from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.training import emoji, photos
from models.training.augment import MEAN, STD, Painter, normalise
from models.training.common import average_into
from models.weights_io import load_weights, save_weights

WEIGHTS = Path(__file__).parents[1] / "weights" / "resnet18"
SEED = 20261130
SMALL, SIDE = 64, 96  # pixels; the first stage trains on small pictures
SWITCH = 0.62  # share of the time spent on them
BATCH = {SMALL: 96, SIDE: 64}
PEAK_LR, WARM_UP, DECAY = 1.5e-3, 100, 0.05
SMOOTHING = 0.05
EMA = 0.998
OUTLIERS = 0.12
KEPT = 0.95  # share of emoji that the threshold lets through
MARGIN = 6  # pixels left around a held-out drawing of 96 - 2 * 6
GROUNDS = {"white": (255, 255, 255), "grey": (226, 230, 238), "dark": (40, 44, 52), "warm": (250, 204, 128)}


# ---------------------------------------------------------------- data


def photo_squares(names: str, side: int = 256) -> np.ndarray:
    """Photographs as squares, uint8 (N, side, side, 3). names: "train", or "strangers", every fourth one."""
    pictures = photos.load_photos("train") | photos.load_photos("validation")
    ordered = sorted(pictures)
    strangers = set(ordered[::4])
    wanted = [n for n in ordered if (n in strangers) == (names == "strangers")]
    squares = []
    for name in wanted:
        picture = Image.fromarray(pictures[name])
        edge = min(picture.size)
        left, top = (picture.width - edge) // 2, (picture.height - edge) // 2
        square = picture.crop((left, top, left + edge, top + edge)).resize(
            (side, side), Image.Resampling.BICUBIC
        )
        squares.append(np.asarray(square))
    return np.stack(squares)


def training_drawings() -> dict[str, np.ndarray]:
    rendered = emoji.render_all()
    return {style: rendered[style] for style in emoji.TRAINING_STYLES}


def on_ground(
    rgba: np.ndarray, colour: tuple[int, int, int], side: int = SIDE, margin: int = MARGIN
) -> np.ndarray:
    """Paste a drawing, uint8 (S, S, 4), centred on a plain ground: uint8 (side, side, 3)."""
    inner = side - 2 * margin
    drawing = Image.fromarray(rgba).resize((inner, inner), Image.Resampling.BOX)
    picture = Image.new("RGB", (side, side), colour)
    picture.paste(drawing, (margin, margin), drawing)
    return np.asarray(picture)


def to_tensor(pictures: np.ndarray) -> Tensor:
    """uint8 (B, H, W, 3) -> normalised (B, 3, H, W)."""
    return normalise(torch.from_numpy(np.ascontiguousarray(pictures.transpose(0, 3, 1, 2))).float() / 255)


def strangers() -> dict[str, np.ndarray]:
    """Pictures of no emoji, uint8 (N, 96, 96, 3): other photographs than in training, MNIST digits, noise."""
    rng = np.random.default_rng(SEED)
    crops = []
    for square in photo_squares("strangers", 384):
        for _ in range(8):
            edge = int(rng.integers(SIDE, 385))
            top, left = rng.integers(0, 385 - edge, 2)
            crop = Image.fromarray(square[top : top + edge, left : left + edge])
            crops.append(np.asarray(crop.resize((SIDE, SIDE), Image.Resampling.BICUBIC)))
    handwritten = emoji.digits()
    picked = handwritten[rng.permutation(len(handwritten))[:300]]
    white_on_black = [
        np.asarray(Image.fromarray(d).resize((SIDE, SIDE), Image.Resampling.BICUBIC)) for d in picked
    ]
    grey = np.stack(white_on_black)
    grey[::2] = 255 - grey[::2]  # half of them black on white
    uniform = rng.integers(0, 256, (150, SIDE, SIDE, 3), dtype=np.uint8)
    normal = np.clip(rng.normal(128, 50, (150, SIDE, SIDE, 3)), 0, 255).astype(np.uint8)
    return {
        "photographs": np.stack(crops),
        "mnist_digits": np.repeat(grey[..., None], 3, axis=3),
        "noise": np.concatenate([uniform, normal]),
    }


# ---------------------------------------------------------------- loss


def open_set_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross entropy over the classes and one constant logit 0, which is right where label = num_classes."""
    extended = torch.cat([logits, logits.new_zeros(len(logits), 1)], dim=1)  # (B, classes + 1)
    return F.cross_entropy(extended, labels, label_smoothing=SMOOTHING)


def energy(logits: Tensor) -> Tensor:
    """-log sum exp of the logits (B,): low for emoji, high for strangers."""
    return -torch.logsumexp(logits, dim=1)


def learning_rate(step: int, progress: float) -> float:
    return PEAK_LR * min(1.0, (step + 1) / WARM_UP) * 0.5 * (1.0 + math.cos(math.pi * min(1.0, progress)))


# ---------------------------------------------------------------- training


@torch.inference_mode()
def logits_of(model: nn.Module, pictures: np.ndarray, batch: int = 64) -> Tensor:
    """uint8 (N, H, W, 3) -> (N, classes), in float32."""
    model.eval()
    return torch.cat([model(to_tensor(pictures[i : i + batch])) for i in range(0, len(pictures), batch)])


def validate(model: nn.Module, painter: Painter, side: int, batches: int = 3) -> tuple[float, float]:
    """Top-1 on fresh augmentations of the training styles, and the share of outliers with no class above 0.5."""
    rng = painter.rng
    painter.rng = torch.Generator().manual_seed(1)  # the same pictures every time
    right = seen = quiet = others = 0
    model.eval()
    with torch.inference_mode():
        for _ in range(batches):
            pictures, labels = painter.batch(96, side, OUTLIERS)
            logits = model(pictures)
            inside = labels < painter.num_classes
            right += int((logits.argmax(1) == labels)[inside].sum())
            seen += int(inside.sum())
            quiet += int((energy(logits)[~inside] > 0).sum())
            others += int((~inside).sum())
    painter.rng = rng
    return right / seen, quiet / max(1, others)


@torch.no_grad()
def refresh_batch_norm(model: nn.Module, painter: Painter, batches: int = 16) -> None:
    """Measure the running statistics afresh for averaged weights."""
    norms = [m for m in model.modules() if isinstance(m, nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None  # a plain mean over the batches
    model.train()
    for _ in range(batches):
        model(painter.batch(BATCH[SIDE], SIDE, OUTLIERS)[0])
    for norm in norms:
        norm.momentum = 0.1
    model.eval()


def train(minutes: float, threads: int) -> None:
    torch.set_num_threads(threads)
    torch.manual_seed(SEED)
    run = photos.cache_dir() / "runs" / "resnet18-emoji"
    run.mkdir(parents=True, exist_ok=True)
    log = (run / "log.jsonl").open("a")
    painter = Painter(training_drawings(), photo_squares("train"), SEED)
    model = ResNet18(ResNet18Config(num_classes=painter.num_classes)).to(memory_format=torch.channels_last)
    average = copy.deepcopy(model).eval()
    plain = [p for p in model.parameters() if p.ndim < 2]
    weighty = [p for p in model.parameters() if p.ndim >= 2]
    optimiser = torch.optim.AdamW(
        [{"params": weighty, "weight_decay": DECAY}, {"params": plain, "weight_decay": 0.0}]
    )
    step, spent, seen = 0, 0.0, 0
    state_file = run / "state.pt"
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent, seen = state["step"], state["spent"], state["seen"]
        painter.rng.manual_seed(SEED + step)

    budget, tick = minutes * 60.0, time.monotonic()
    saved, running = tick, 0.0
    while spent < budget:
        progress = spent / budget
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, progress)
        side = SMALL if progress < SWITCH else SIDE
        pictures, labels = painter.batch(BATCH[side], side, OUTLIERS)
        model.train()
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(pictures.contiguous(memory_format=torch.channels_last))
        loss = open_set_loss(logits.float(), labels)
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimiser.step()
        step, seen = step + 1, seen + len(labels)
        average_into(average, model, min(EMA, (1 + step) / (10 + step)))
        running = loss.item() if running == 0.0 else 0.97 * running + 0.03 * loss.item()
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
            torch.save(
                state | {"optimiser": optimiser.state_dict(), "seen": seen}, state_file.with_suffix(".new")
            )
            state_file.with_suffix(".new").replace(state_file)
            top1, quiet = validate(average, painter, side)
            line = {"step": step, "seconds": round(spent), "side": side, "loss": round(running, 4)}
            line |= {"validation_top1": round(top1, 4), "outliers_found": round(quiet, 4)}
            log.write(json.dumps(line) + "\n")
            log.flush()
            print(line, flush=True)
    finish(threads)


# ---------------------------------------------------------------- the end


def held_out() -> tuple[np.ndarray, np.ndarray]:
    """Fluent drawings on every ground: uint8 (G * classes, 96, 96, 3), and labels (G * classes,)."""
    drawings = emoji.render_all()[emoji.HELD_OUT_STYLE]
    pictures = np.stack([on_ground(d, colour) for colour in GROUNDS.values() for d in drawings])
    return pictures, np.tile(np.arange(len(drawings)), len(GROUNDS))


def top(logits: Tensor, labels: np.ndarray, k: int) -> float:
    best = logits.topk(k, dim=1).indices
    return float((best == torch.from_numpy(labels)[:, None]).any(1).float().mean())


def report(model: nn.Module) -> dict:
    """Every number of the card: held-out top-1 and top-5, threshold, and the rates of strangers found."""
    pictures, labels = held_out()
    logits = logits_of(model, pictures)
    classes = logits.shape[1]
    energies = energy(logits).numpy()
    threshold = float(np.quantile(energies, KEPT))
    even = labels % 2 == 0
    from_even = float(np.quantile(energies[even], KEPT))  # how far such a threshold holds on unseen classes
    by_ground = {
        name: round(top(logits[i * classes : (i + 1) * classes], labels[:classes], 1), 4)
        for i, name in enumerate(GROUNDS)
    }
    found = {
        name: float((energy(logits_of(model, p)).numpy() > threshold).mean())
        for name, p in strangers().items()
    }
    return {
        "top1": round(top(logits, labels, 1), 4),
        "top5": round(top(logits, labels, 5), 4),
        "top1_by_ground": by_ground,
        "pictures": len(labels),
        "threshold": {
            "score": "energy: -log sum exp of the logits; above the threshold means unlike the training data",
            "value": round(threshold, 4),
            "calibrated_on": "held-out drawings, all grounds",
            "kept": round(float((energies <= threshold).mean()), 4),
            "kept_on_odd_classes_by_a_threshold_from_even_ones": round(
                float((energies[~even] <= from_even).mean()), 4
            ),
        },
        "strangers_found": {name: round(rate, 4) for name, rate in found.items()},
    }


def out_of_domain(score: dict) -> dict:
    """The rule as the app reads it: a picture is familiar where log sum exp of its logits reaches the threshold."""
    found = score["strangers_found"]
    return {
        "score": "energy",
        "threshold": -score["threshold"]["value"],
        "keeps": score["threshold"]["kept"],
        "flags": {"photos": found["photographs"], "digits": found["mnist_digits"], "noise": found["noise"]},
    }


def write_held_out(path: Path) -> None:
    """The held-out drawings, as one lossless WebP atlas of 96-pixel RGBA tiles (12 a row), in an npz of bytes."""
    drawings = emoji.render_all()[emoji.HELD_OUT_STYLE]
    inner = SIDE - 2 * MARGIN
    tiles = [np.asarray(Image.fromarray(d).resize((inner, inner), Image.Resampling.BOX)) for d in drawings]
    rows = [np.concatenate(tiles[i : i + 12], axis=1) for i in range(0, len(tiles), 12)]
    buffer = io.BytesIO()
    Image.fromarray(np.concatenate(rows)).save(buffer, "WEBP", lossless=True, exact=True, method=6)
    np.savez(
        path,
        atlas=np.frombuffer(buffer.getvalue(), np.uint8),
        tile=np.int64(inner),
        columns=np.int64(12),
        margin=np.int64(MARGIN),
        side=np.int64(SIDE),
        labels=np.arange(len(tiles)),
        grounds=np.array(list(GROUNDS.values()), np.uint8),
        licence=np.array("Fluent Emoji (flat), Microsoft, MIT; npm fluentui-emoji 1.3.0"),
    )


def finish(threads: int) -> None:
    """Round the averaged weights to int8, write them, and score what was written."""
    torch.set_num_threads(threads)
    state_file = photos.cache_dir() / "runs" / "resnet18-emoji" / "state.pt"
    saved = torch.load(state_file, weights_only=True)
    classes = emoji.load_classes()
    model = ResNet18(ResNet18Config(num_classes=len(classes)))
    model.load_state_dict(saved["average"])
    painter = Painter(training_drawings(), photo_squares("train"), SEED + 1)
    refresh_batch_norm(model, painter)
    pictures, labels = held_out()
    logits = logits_of(model, pictures)
    before = {"top1": round(top(logits, labels, 1), 4), "top5": round(top(logits, labels, 5), 4)}

    WEIGHTS.mkdir(parents=True, exist_ok=True)
    path = WEIGHTS / "emoji.safetensors"
    state = {
        k: v.contiguous().numpy()
        for k, v in model.state_dict().items()
        if not k.endswith("num_batches_tracked")
    }
    heavy = {k for k, v in state.items() if v.ndim >= 2}
    save_weights(path, state, {"model": "resnet18", "id": "emoji"}, int8=heavy, float32=set(state) - heavy)
    loaded = {k: torch.from_numpy(v) for k, v in load_weights(path).items()}
    model.load_state_dict(loaded, strict=False)
    after = report(model)
    write_held_out(WEIGHTS / "heldout.npz")
    packages = [emoji.PACKAGES[s] for s in emoji.PACKAGES if s not in ("fluent", "mnist")]
    card = {
        "id": "emoji",
        "model": "resnet18",
        "config": {"num_classes": len(classes), "width": 64},
        "parameters": sum(p.numel() for p in model.parameters()),
        "input": {
            "size": SIDE,
            "mean": [MEAN] * 3,
            "std": [STD] * 3,
            "range": "RGB in [0, 1], then (x - mean) / std",
        },
        "data": [
            {"package": p.name, "version": p.version, "licence": p.licence, "author": p.author}
            for p in packages
        ],
        "backgrounds": [{"package": d.name, "version": d.version, "licence": d.licence} for d in photos.DEBS],
        "styles": list(emoji.TRAINING_STYLES),
        "held_out": {
            "style": "Fluent Emoji, flat; npm fluentui-emoji 1.3.0; MIT",
            "grounds": {name: list(colour) for name, colour in GROUNDS.items()},
            "strangers": "crops of photographs not trained on, MNIST digits (never trained on), "
            "uniform and normal pixel noise (of a kind trained on)",
        },
        "script": "models/training/resnet18.py",
        "seed": SEED,
        "steps": saved["step"],
        "pictures_seen": saved["seen"],
        "minutes": round(saved["spent"] / 60, 1),
        "machine": f"2 cores, {platform.machine()}, no GPU",
        "date": date.today().isoformat(),
        "storage": "int8 with one scale for each output channel; batch norm and biases float32",
        "bytes": path.stat().st_size,
        "score": after,
        "ood": out_of_domain(after),
        "score_before_int8": before,
        "classes": classes,
    }
    text = json.dumps(card, indent=2, ensure_ascii=False)
    path.with_suffix(".json").write_text(text + "\n")
    print(
        json.dumps(
            {k: card[k] for k in ("steps", "minutes", "bytes", "score", "score_before_int8")}, indent=1
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=36.0)
    parser.add_argument("--threads", type=int, default=1, help="one is best where cores are shared")
    parser.add_argument("--score-only", action="store_true", help="only write and score the last saved state")
    args = parser.parse_args()
    if args.score_only:
        finish(args.threads)
    else:
        train(args.minutes, args.threads)


if __name__ == "__main__":
    main()

"""What the trainers of the generative models share: averaging, the clock, states on disk, reports."""

from __future__ import annotations

import json
import math
import platform
import signal
import threading
import time
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from models.training.photos import cache_dir
from models.weights_io import load_weights, save_weights

WEIGHTS = Path(__file__).parents[1] / "weights"


@torch.no_grad()
def average_into(average: nn.Module, model: nn.Module, decay: float) -> None:
    """average <- decay * average + (1 - decay) * model; counters are copied."""
    for mine, new in zip(average.state_dict().values(), model.state_dict().values(), strict=True):
        if mine.is_floating_point():
            mine.lerp_(new, 1 - decay)
        else:
            mine.copy_(new)


def ramp(step: int, decay: float) -> float:
    """Decay of the moving average, short at first: the random start is soon forgotten."""
    return min(decay, (1 + step) / (10 + step))


def learning_rate(step: int, progress: float, peak: float, warm_up: int, floor: float = 0.0) -> float:
    """Linear warm-up over steps, then a half cosine over the progress 0 .. 1 down to floor * peak."""
    cosine = 0.5 * (1.0 + math.cos(math.pi * min(1.0, max(0.0, progress))))
    return peak * min(1.0, (step + 1) / warm_up) * (floor + (1.0 - floor) * cosine)


class Clock:
    """Seconds of wall time of a run that may be continued. `progress` is the share of the budget spent.

    A step that took longer than PAUSE was a stopped process, which does not count.
    """

    PAUSE = 30.0

    def __init__(self, minutes: float, spent: float = 0.0):
        self.budget, self.spent, self.tick = minutes * 60.0, spent, time.monotonic()

    def advance(self) -> float:
        now = time.monotonic()
        gap, self.tick = now - self.tick, now
        self.spent += gap if gap < self.PAUSE else 0.0
        return self.spent

    @property
    def progress(self) -> float:
        return self.spent / self.budget


def asked_to_stop() -> threading.Event:
    """Set once the process is told to end (SIGTERM), so that a training can save its state before it does."""
    asked = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: asked.set())
    return asked


def run_folder(name: str) -> Path:
    folder = cache_dir() / "runs" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def save_state(path: Path, state: Mapping[str, Any]) -> None:
    """Write a training state so that a break in between leaves the old one."""
    torch.save(dict(state), path.with_suffix(".new"))
    path.with_suffix(".new").replace(path)


def numpy_state(model: nn.Module) -> dict[str, np.ndarray]:
    """Floating-point tensors of a net by name (a batch norm's counter is left out)."""
    return {
        name: value.detach().cpu().contiguous().numpy()
        for name, value in model.state_dict().items()
        if value.is_floating_point()
    }


def heavy(state: Mapping[str, np.ndarray], at_least: int = 512) -> list[str]:
    """Names that are worth rounding to int8: matrices and convolutions."""
    return [name for name, value in state.items() if value.ndim >= 2 and value.size >= at_least]


def write_weights(path: Path, model: nn.Module, *, int8: bool, metadata: Mapping[str, str]) -> None:
    """Write a net's weights, heavy ones as int8 where asked; a reader never sees half a file."""
    state = numpy_state(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    save_weights(fresh, state, metadata, int8=heavy(state) if int8 else ())
    fresh.chmod(0o644)
    fresh.replace(path)


def read_back(path: Path, model: nn.Module) -> nn.Module:
    """Load written weights into a net: scores are measured on what ships."""
    state = {name: torch.from_numpy(value) for name, value in load_weights(path).items()}
    missing, unknown = model.load_state_dict(state, strict=False)
    if unknown or any("num_batches_tracked" not in name for name in missing):
        raise ValueError(f"{path.name}: missing {missing}, unknown {unknown}")
    return model.eval()


def write_report(path: Path, report: Mapping[str, Any]) -> None:
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)


def machine() -> str:
    return f"one thread, {platform.machine()}, no GPU"


def today() -> str:
    return date.today().isoformat()

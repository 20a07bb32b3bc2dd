"""Limits and choices of one process, read from VITRINE_* environment variables.

`settings()` gives the current ones; the environment is parsed again only where it has changed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

PREFIX = "VITRINE_"


def cores() -> int:
    """CPU cores this process may use: its affinity, and no more than a container's quota pays for."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        return max(1, min(count, int(quota) // int(period)))
    except (OSError, ValueError):  # no such file, or the quota is "max"
        return count


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Each field is set by VITRINE_<FIELD> in capitals; the defaults suit one small machine.

    engine: "torch", "onnx" or "" (torch where CUDA is, otherwise onnx). language: "en", "zh" or "" (the browser's).
    threads: intra-op threads of one model, 0 for every core. cache: where downloaded weights go.
    model_memory_mb: models kept in memory at once. queue_length: runs that may wait for one model.
    max_taps_mb: tensors one run may show. max_run_megapixels: pixels one run of a net takes untiled.
    tile: side of an upscaling tile in pixels, 0 to choose by model.
    """

    engine: str = ""
    language: str = ""
    threads: int = 0
    cache: Path = Path("~/.cache/vitrine")
    model_memory_mb: float = 1024.0
    queue_length: int = 64
    max_taps_mb: float = 64.0
    max_run_megapixels: float = 1.0
    max_input_megapixels: float = 40.0
    max_output_megapixels: float = 100.0
    max_upload_mb: float = 50.0
    max_graph_edges: int = 1_000_000
    max_graph_nodes: int = 250_000
    min_input_side: int = 1
    tile: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "engine", self.engine.lower())
        object.__setattr__(self, "cache", self.cache.expanduser())
        object.__setattr__(self, "threads", self.threads or cores())

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Settings:
        """Raises ValueError naming the variable whose value is not of its kind."""
        found: dict[str, object] = {}
        for field in fields(cls):
            name = PREFIX + field.name.upper()
            text = environment.get(name, "").strip()
            if not text:
                continue
            kind: type = type(field.default)
            try:
                value = kind(text)
            except ValueError:
                raise ValueError(f"{name} must be of type {kind.__name__}, not {text!r}") from None
            if isinstance(value, int | float) and not value >= 0:
                raise ValueError(f"{name} must not be negative, but is {text!r}")
            found[field.name] = value
        return cls(**found)  # type: ignore[arg-type]


@lru_cache(maxsize=8)
def _read(items: frozenset[tuple[str, str]]) -> Settings:
    return Settings.read(dict(items))


def settings() -> Settings:
    """The settings of this process."""
    return _read(frozenset((k, v) for k, v in os.environ.items() if k.startswith(PREFIX)))

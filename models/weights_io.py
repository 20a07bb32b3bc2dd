"""Read and write the embedded weights: safetensors, numpy only, small.

A tensor is stored as float32, float16, or int8 with one float32 scale for each output channel:
`name` (int8) and `name.scale` (out,), value = name * scale[:, None, ...]. Loading always gives float32.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

SCALE = ".scale"


class BadWeights(ValueError):
    """A weights file that cannot be used. `reason` is a message id, `details` its numbers and names."""

    def __init__(self, reason: str, **details: object):
        super().__init__(f"{reason}: {details}")
        self.reason, self.details = reason, details


def quantise(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Symmetric int8 by output channel. weight (out, ...) -> int8 of the same shape, scale (out,)."""
    peak = np.abs(weight.reshape(len(weight), -1)).max(axis=1)
    scale = np.where(peak > 0, peak / 127.0, 1.0).astype(np.float32)
    steps = np.rint(weight / scale.reshape(-1, *[1] * (weight.ndim - 1)))
    return np.clip(steps, -127, 127).astype(np.int8), scale


def save_weights(
    path: Path | str,
    state: Mapping[str, np.ndarray],
    metadata: Mapping[str, str] | None = None,
    int8: Collection[str] = (),
    float32: Collection[str] = (),
) -> None:
    """Write a state dict: the names in `int8` quantised, those in `float32` exact, the rest as float16."""
    stored: dict[str, np.ndarray] = {}
    for name, value in state.items():
        if name in int8:
            stored[name], stored[name + SCALE] = quantise(value)
        else:
            stored[name] = np.ascontiguousarray(value, dtype=np.float32 if name in float32 else np.float16)
    save_file(stored, str(path), metadata=dict(metadata or {}))


def read_tensors(path: Path | str) -> dict[str, np.ndarray]:
    """Tensors of a safetensors file as stored. Raises BadWeights("weights.unreadable") where it is not one."""
    try:
        with safe_open(str(path), framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 (not a dict)
    except (SafetensorError, OSError, ValueError, TypeError) as error:
        raise BadWeights("weights.unreadable", detail=str(error)) from error


def load_weights(path: Path | str) -> dict[str, np.ndarray]:
    """Weights as float32 by name, int8 ones scaled back. Raises BadWeights where the file is not safetensors."""
    stored = read_tensors(path)
    state: dict[str, np.ndarray] = {}
    for name, value in stored.items():
        if name.endswith(SCALE) and name.removesuffix(SCALE) in stored:
            continue
        if value.dtype == np.int8:
            if name + SCALE not in stored:
                raise BadWeights("weights.unreadable", detail=f"{name} has no scale")
            scale = stored[name + SCALE].reshape(-1, *[1] * (value.ndim - 1))
            state[name] = value.astype(np.float32) * scale
        else:
            state[name] = value.astype(np.float32)
    return state


def check_state(state: Mapping[str, np.ndarray], expected: Mapping[str, tuple[int, ...]]) -> None:
    """Raise BadWeights naming the first missing, unknown or misshapen tensors (at most three of each)."""
    missing = [name for name in expected if name not in state][:3]
    unknown = [name for name in state if name not in expected][:3]
    if missing or unknown:
        raise BadWeights(
            "weights.wrong_keys", missing=", ".join(missing) or "-", unknown=", ".join(unknown) or "-"
        )
    for name, shape in expected.items():
        if tuple(state[name].shape) != tuple(shape):
            raise BadWeights(
                "weights.wrong_shape", name=name, got=tuple(state[name].shape), expected=tuple(shape)
            )

"""Random weights for any graph, with norms and statistics that are not trivial. numpy only."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from models.card import ModelCard
from models.onnx_bytes import external_shapes, read_bytes
from models.weights_io import save_weights


def random_state(shapes: Mapping[str, tuple[int, ...]], seed: int = 0) -> dict[str, np.ndarray]:
    """Weights that keep activations of about unit size, so that every tap says something."""
    rng = np.random.default_rng(seed)
    state: dict[str, np.ndarray] = {}
    for name, shape in sorted(shapes.items()):
        noise = rng.standard_normal(shape)
        if name.endswith("running_var"):
            value = rng.uniform(0.5, 2.0, shape)
        elif name.endswith("bias_table"):
            value = 0.5 * noise
        elif len(shape) > 1:
            value = noise / np.sqrt(np.prod(shape[1:]))
        else:
            value = 0.1 * noise + (1.0 if "weight" in name else 0.0)
        state[name] = value.astype(np.float32)
    return state


def random_weights(graph: Path, path: Path, seed: int = 0) -> Path:
    """A weights file, exact in float32, for a graph whose tensors are left out."""
    state = random_state(external_shapes(read_bytes(graph)), seed)
    save_weights(path, state, float32=state)
    return path


def shipped(card: ModelCard, weights_id: str, folder: Path, seed: int = 0) -> Path:
    """Random weights for one of the shipped graphs, in `folder`."""
    path = folder / f"{card.slug}-{weights_id}-{seed}.safetensors"
    return (
        path if path.exists() else random_weights(card.graph_path(card.weights_by_id(weights_id)), path, seed)
    )


def photo(height: int, width: int, seed: int = 0) -> np.ndarray:
    """(H, W, 3) uint8: smooth shapes, hard edges and noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width]
    waves = [128 + 90 * np.sin(y / rng.uniform(3, 25) + x / rng.uniform(3, 25)) for _ in range(3)]
    image = np.stack(waves, axis=-1) + rng.normal(0, 10, (height, width, 3))
    image[(x // 13 + y // 17) % 5 == 0] = rng.uniform(0, 255, 3)
    return np.clip(image, 0, 255).astype(np.uint8)

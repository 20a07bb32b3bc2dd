"""Read an official checkpoint and give its tensors our names, float32, every key and shape checked.

safetensors are read with numpy alone. A .pth is a pickle: it is opened only by `torch.load(weights_only=True)`,
which rebuilds tensors and refuses everything else, and only where torch is installed.
"""

from __future__ import annotations

import importlib.util
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from models.card import ModelCard, Weights
from models.checkpoints import swinir_keys
from models.onnx_bytes import external_shapes, read_bytes
from models.weights_io import BadWeights, check_state, load_weights

MAX_BYTES = 1 << 30
NESTED = (
    "params_ema",
    "params",
    "state_dict",
    "model",
)  # where training scripts put the tensors; EMA comes first


def torch_is_here() -> bool:
    """Whether .pth files can be read. Does not import torch."""
    try:
        return importlib.util.find_spec("torch") is not None
    except (ImportError, ValueError):
        return False


def expected_shapes(card: ModelCard, weights: Weights) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor that the model needs, from its shipped graph (or, without one, from torch).

    Raises BadWeights("weights.no_graph") where neither is there.
    """
    path = card.graph_path(weights)
    if path.is_file():
        return external_shapes(read_bytes(path))
    if not torch_is_here():
        raise BadWeights("weights.no_graph", slug=card.slug, weights=weights.id)
    import torch

    from models.build import build

    with torch.device("meta"):  # sizes only, no numbers
        state = build(card, dict(weights.config)).state_dict()
    return {name: tuple(value.shape) for name, value in state.items() if value.is_floating_point()}


def read_checkpoint(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a safetensors or .pth file under their own names. What the file is, its first bytes say.

    Raises BadWeights: "weights.empty", "weights.too_large", "weights.unknown_file", "weights.unreadable",
    "weights.pth_needs_torch", "weights.pth_refused".
    """
    size = path.stat().st_size
    if size == 0:
        raise BadWeights("weights.empty")
    if size > MAX_BYTES:
        raise BadWeights("weights.too_large", megabytes=round(size / 1e6), limit=round(MAX_BYTES / 1e6))
    with path.open("rb") as file:
        head = file.read(16)
    if head.startswith(b"PK\x03\x04"):
        _check_archive(path)
        return _read_pth(path)
    if head.startswith(b"\x80"):  # the form before torch 1.6: one bare pickle
        return _read_pth(path)
    if head[8:9] == b"{":
        return load_weights(path)
    raise BadWeights("weights.unknown_file")


def _check_archive(path: Path) -> None:
    """A torch archive is a zip of uncompressed members, one of them data.pkl; nothing in it can swell up."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise BadWeights("weights.unreadable", detail=str(error)) from error
    if not any(member.filename.endswith("data.pkl") for member in members):
        raise BadWeights("weights.unknown_file")
    swollen = sum(member.file_size for member in members) > MAX_BYTES
    if swollen or any(member.compress_type != zipfile.ZIP_STORED for member in members):
        raise BadWeights("weights.pth_refused")


def _read_pth(path: Path) -> dict[str, np.ndarray]:
    try:
        import torch
    except ImportError:
        raise BadWeights("weights.pth_needs_torch") from None
    try:
        loaded: Any = torch.load(path, map_location="cpu", weights_only=True)
        for name in NESTED:
            if isinstance(loaded, Mapping) and isinstance(loaded.get(name), Mapping):
                loaded = loaded[name]
                break
        if not isinstance(loaded, Mapping):
            raise BadWeights("weights.unknown_file")
        tensors = {str(name): value for name, value in loaded.items() if isinstance(value, torch.Tensor)}
        return {
            name: (value.detach().float() if value.is_floating_point() else value.detach())
            .contiguous()
            .numpy()
            for name, value in tensors.items()
        }
    except BadWeights:
        raise
    except (
        Exception
    ) as error:  # a damaged file fails in many ways; a file with code in it names the forbidden global
        forbidden = "GLOBAL" in str(error) or "unrecognized" in str(error)
        raise BadWeights(
            "weights.pth_refused" if forbidden else "weights.unreadable", detail=type(error).__name__
        ) from error


def swinir_name(name: str, config: Mapping[str, Any]) -> str | None:
    try:
        return swinir_keys.our_key(name, config["upsampler"])
    except ValueError:  # "upsample." and then no number: a name of no SwinIR
        return name


def torchvision_name(name: str, config: Mapping[str, Any]) -> str | None:
    """ResNet18 has torchvision's names; the counter of training batches is no weight."""
    return None if name.endswith("num_batches_tracked") else name


LAYOUTS: dict[str, Callable[[str, Mapping[str, Any]], str | None]] = {
    "swinir": swinir_name,
    "torchvision": torchvision_name,
}


def to_ours(card: ModelCard, weights: Weights, tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Tensors under official names or ours, as float32 under ours.

    Raises BadWeights: "weights.wrong_keys", "weights.wrong_shape", "weights.not_finite", each naming a tensor.
    """
    expected = expected_shapes(card, weights)
    rename = LAYOUTS[weights.layout]
    prefix = "module." if tensors and all(name.startswith("module.") for name in tensors) else ""
    state: dict[str, np.ndarray] = {}
    for name, value in tensors.items():
        bare = name.removeprefix(prefix)
        ours = bare if bare in expected else rename(bare, weights.config)
        if ours is None:
            continue
        if ours in state:
            raise BadWeights("weights.wrong_keys", missing="-", unknown=name)
        state[ours] = value
    check_state(state, expected)
    state = {name: np.ascontiguousarray(state[name], dtype=np.float32) for name in expected}
    for name, value in state.items():
        if not np.isfinite(value).all():
            raise BadWeights("weights.not_finite", name=name)
    return state

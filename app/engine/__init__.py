"""Run a model and see inside it, as numpy arrays, on PyTorch or on ONNX Runtime.

    model = load("resnet18", "emoji")
    trace = run(model, {"image": x}, taps=["layer4.1.out"])
    trace.output, trace.taps["layer4.1.out"], trace.seconds

Importing this imports neither engine. Every failure a user can cause is an EngineError whose reason is a message id.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import json
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from app.engine.base import Cancel, Cancelled, EngineError, Model, Progress, Runner, Trace
from app.engine.queue import FairQueue, LeftQueue, QueueFull, as_user, current_user
from app.settings import settings
from models.card import ModelCard, Weights
from models.registry import MODELS
from models.weights_io import BadWeights, load_weights

__all__ = [
    "Cancel",
    "Cancelled",
    "EngineError",
    "Model",
    "Progress",
    "Trace",
    "as_user",
    "available_engines",
    "current_user",
    "default_engine",
    "device_name",
    "gradient",
    "gradient_input",
    "load",
    "run",
    "tap_bytes",
    "tap_shapes",
    "unload_all",
]

MB = 1e6

# ---------------------------------------------------------------- which engine


def _installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def available_engines() -> tuple[str, ...]:
    """The engines that are installed: ("torch", "onnx"), or one of them. Imports neither."""
    packages = {"torch": "torch", "onnx": "onnxruntime"}
    return tuple(name for name, package in packages.items() if _installed(package))


@cache
def _nvidia_devices() -> int:
    """CUDA devices by the driver itself: it answers in milliseconds, where importing torch takes seconds."""
    for library in ("libcuda.so.1", "nvcuda.dll"):
        try:
            driver = ctypes.CDLL(library)
            count = ctypes.c_int(0)
            if driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0:
                return count.value
        except (OSError, AttributeError):
            continue
    return 0


def default_engine() -> str:
    """VITRINE_ENGINE, else torch where it finds CUDA, else onnx (torch where onnxruntime is missing).

    Raises EngineError("engine.unknown") for another word, ("engine.not_installed") where none or not that one is there.
    """
    wanted, installed = settings().engine, available_engines()
    if wanted:
        return _checked(wanted)
    if not installed:
        raise EngineError("engine.not_installed", engine="onnx")
    if "torch" in installed and _nvidia_devices() > 0:
        from app.engine import torch_engine

        if torch_engine.has_cuda():
            return "torch"
    return "onnx" if "onnx" in installed else "torch"


def _checked(engine: str) -> str:
    if engine not in ("torch", "onnx"):
        raise EngineError("engine.unknown", engine=engine)
    if engine not in available_engines():
        raise EngineError("engine.not_installed", engine=engine)
    return engine


def device_name(engine: str) -> str:
    """ "CPU", or "CUDA · NVIDIA …" for torch on a GPU. Imports torch only where there is an NVIDIA driver."""
    if _checked(engine) == "torch" and _nvidia_devices() > 0:
        from app.engine import torch_engine

        return torch_engine.device_name()
    return "CPU"


# ---------------------------------------------------------------- loading


class _Cache:
    """Models by key, at most so many bytes, the least recently used dropped first. One load for one key."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._models: OrderedDict[tuple[Any, ...], Future[Model]] = OrderedDict()

    def get(self, key: tuple[Any, ...], make: Callable[[], Model]) -> Model:
        with self._lock:
            future = self._models.get(key)
            mine = future is None
            if future is None:
                future = self._models[key] = Future()
            self._models.move_to_end(key)
        if not mine:
            return future.result()
        try:
            model = make()
        except BaseException as error:
            with self._lock:
                self._models.pop(key, None)  # the next to ask tries again
            future.set_exception(error)
            raise
        future.set_result(model)
        self._shrink(key)
        return model

    def _shrink(self, newest: tuple[Any, ...]) -> None:
        limit = settings().model_memory_mb * MB
        with self._lock:
            ready = {k: f.result().nbytes for k, f in self._models.items() if f.done() and not f.exception()}
            total = sum(ready.values())
            for key, nbytes in ready.items():  # oldest first
                if total <= limit:
                    break
                if key != newest:
                    del self._models[key]
                    total -= nbytes

    def models(self) -> list[Model]:
        with self._lock:
            return [f.result() for f in self._models.values() if f.done() and not f.exception()]

    def clear(self) -> None:
        with self._lock:
            self._models.clear()


_cache = _Cache()


def unload_all() -> None:
    """Forget every model in memory (those in use live on until they are let go)."""
    _cache.clear()


def loaded() -> list[Model]:
    """The models in memory, least recently used first."""
    return _cache.models()


def load(
    slug: str,
    weights_id: str,
    engine: str | None = None,
    weights_file: Path | None = None,
    graph_file: Path | None = None,
    config: Mapping[str, Any] | None = None,
) -> Model:
    """A model ready to run, from memory where it is there already; shared by all threads.

    weights_file, graph_file, config: instead of those of the card (tests, or a file of the same sizes).
    Raises KeyError for a slug or id that is in no card; EngineError "weights.not_here", "engine.no_graph",
    "engine.not_installed", "weights.unreadable", "weights.wrong_keys", "weights.wrong_shape".
    """
    card = MODELS[slug]
    weights = card.weights_by_id(weights_id)
    engine = default_engine() if engine is None else _checked(engine)
    file = weights_file or find_weights(card, weights)
    if file is None or not file.is_file():
        raise EngineError("weights.not_here", slug=slug, weights=weights_id)
    graph = graph_file or card.graph_path(weights)
    if engine == "onnx" and not graph.is_file():
        raise EngineError("engine.no_graph", slug=slug, weights=weights_id)
    report_file = file.with_suffix(".json") if weights.origin == "embedded" else None
    threads = settings().threads
    key = (slug, weights_id, engine, threads, _stamp(file), _stamp(graph), _stamp(report_file), repr(config))
    return _cache.get(key, lambda: _make(card, weights, engine, file, graph, report_file, config, threads))


def _stamp(path: Path | None) -> tuple[str, int, int] | None:
    if path is None or not path.is_file():
        return None
    stat = path.stat()
    return str(path), stat.st_mtime_ns, stat.st_size


def find_weights(card: ModelCard, weights: Weights) -> Path | None:
    """The weights file on this machine, or None: beside the card if embedded, in the cache if official."""
    if weights.origin == "embedded":
        path = card.embedded_path(weights)
        return path if path.is_file() else None
    from models import checkpoints

    locate = getattr(checkpoints, "locate", None)
    return None if locate is None else locate(card, weights)


def read_report(path: Path | None) -> dict[str, Any]:
    """The training report beside a weights file; {} where there is none."""
    if path is None or not path.is_file():
        return {}
    report = json.loads(path.read_text("utf-8"))
    return report if isinstance(report, dict) else {}


def _make(
    card: ModelCard,
    weights: Weights,
    engine: str,
    file: Path,
    graph: Path,
    report_file: Path | None,
    config: Mapping[str, Any] | None,
    threads: int,
) -> Model:
    report = read_report(report_file)
    said = {name: tuple(v) if isinstance(v, list) else v for name, v in report.get("config", {}).items()}
    sizes = dict(config) if config is not None else {**weights.config, **said}
    runner: Runner
    try:
        state = load_weights(file)
        if engine == "torch":
            from app.engine import torch_engine

            runner = torch_engine.TorchRunner(card, sizes, state, threads)
            device = torch_engine.device_name()
        else:
            from app.engine.onnx_engine import OnnxRunner

            runner, device = OnnxRunner(graph, state, threads), "CPU"
    except BadWeights as error:
        raise EngineError(error.reason, **error.details) from error
    held = sum(array.nbytes for array in state.values())
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    return Model(
        card=card,
        weights=weights,
        engine=engine,
        device=device,
        config=sizes,
        preprocess={**weights.preprocess, **report.get("preprocess", {})},
        report=report,
        state=state,
        # ONNX Runtime keeps packed copies of its own in each of the two sessions
        nbytes=held if device == "CPU" and engine == "torch" else 3 * held,
        key=f"{card.slug}-{weights.id}-{engine}-{device}-{digest[:16]}",
        runner=runner,
        queue=FairQueue(settings().queue_length),
    )


# ---------------------------------------------------------------- running


def run(
    model: Model,
    inputs: Mapping[str, ArrayLike],
    taps: Collection[str] = (),
    cancel: Cancel | None = None,
) -> Trace:
    """Run the net once, in this user's turn. Optional scalars not given take the card's default.

    inputs: float arrays by name, axes as the card says. taps: names to keep, in all at most the limit of settings.
    Raises Cancelled; EngineError "engine.input", "engine.too_large", "engine.unknown_tap", "engine.taps_too_large",
    "engine.busy".
    """
    feeds = checked_inputs(model, inputs)
    if taps:
        size, limit = tap_bytes(model, {n: a.shape for n, a in feeds.items()}, taps), settings().max_taps_mb
        if size > limit * MB:
            raise EngineError("engine.taps_too_large", megabytes=round(size / MB, 1), limit=limit)
    with _turn(model, cancel):
        start = time.perf_counter()
        output, kept = model.runner.run(feeds, taps, cancel)
        seconds = time.perf_counter() - start
    return Trace(output, kept, seconds)


def gradient(model: Model, inputs: Mapping[str, ArrayLike], tap: str, target: int) -> np.ndarray:
    """d output[0, target] / d tap, of the tap's shape (torch only).

    Raises EngineError("engine.needs_torch") on ONNX Runtime, otherwise as `run`.
    """
    feeds = _differentiable(model, inputs, tap)
    with _turn(model):
        return model.runner.gradient(feeds, tap, target)


def gradient_input(
    model: Model, inputs: Mapping[str, ArrayLike], tap: str, index: tuple[int, ...]
) -> np.ndarray:
    """d tap[index] / d image, of the image's shape (torch only): what one cell depends on. Raises as `gradient`."""
    feeds = _differentiable(model, inputs, tap)
    with _turn(model):
        return model.runner.gradient_input(feeds, tap, index)


def _differentiable(model: Model, inputs: Mapping[str, ArrayLike], tap: str) -> dict[str, np.ndarray]:
    if model.engine != "torch":
        raise EngineError("engine.needs_torch")
    _check_taps(model, [tap])
    return checked_inputs(model, inputs)


@contextmanager
def _turn(model: Model, cancel: Cancel | None = None) -> Iterator[None]:
    """Hold this user's turn at the model. Raises EngineError("engine.busy"), Cancelled."""
    try:
        with model.queue.turn(cancel):
            yield
    except QueueFull as error:
        raise EngineError("engine.busy", waiting=error.waiting) from error
    except LeftQueue:
        raise Cancelled from None


def checked_inputs(model: Model, inputs: Mapping[str, ArrayLike]) -> dict[str, np.ndarray]:
    """Inputs as contiguous arrays of the card's types, defaults filled in.

    Raises EngineError "engine.input", "engine.too_large".
    """
    feeds: dict[str, np.ndarray] = {}
    lengths: dict[str, int] = {}  # an axis that several inputs have is of one length
    for spec in model.card.inputs:
        if (
            spec.default is not None
        ):  # an intervention: of its own fixed shape, filled with the default if not given
            given = np.asarray(inputs.get(spec.name, np.full(spec.shape, spec.default)), np.float32)
            if given.shape != spec.shape:
                raise EngineError("engine.input", name=spec.name, problem=f"shape {given.shape}")
            feeds[spec.name] = given
            continue
        if spec.name not in inputs:
            raise EngineError("engine.input", name=spec.name, problem="missing")
        array = np.ascontiguousarray(inputs[spec.name], dtype=spec.dtype)
        if array.ndim != len(spec.axes):
            raise EngineError(
                "engine.input", name=spec.name, problem=f"shape {array.shape}, axes {spec.axes}"
            )
        fixed = spec.fixed(model.config)
        for axis, size in zip(spec.axes, array.shape, strict=True):
            wanted = fixed.get(axis, lengths.setdefault(axis, size))
            if size != wanted:
                raise EngineError("engine.input", name=spec.name, problem=f"{axis} {size}, not {wanted}")
            if axis in ("row", "column") and (size < spec.minimum or size % spec.multiple_of):
                problem = f"{axis} {size}, at least {spec.minimum} and a multiple of {spec.multiple_of}"
                raise EngineError("engine.input", name=spec.name, problem=problem)
        if (
            spec.dtype == "int64"
            and array.size
            and not 0 <= array.min() <= array.max() < spec.limit(model.config, lengths)
        ):
            problem = f"a value outside 0 to {spec.limit(model.config, lengths) - 1}"
            raise EngineError("engine.input", name=spec.name, problem=problem)
        if {"row", "column"} <= set(spec.axes):
            pixels, limit = (
                array.size / array.shape[spec.axes.index("channel")],
                settings().max_run_megapixels,
            )
            if pixels > limit * 1e6:
                raise EngineError("engine.too_large", megapixels=round(pixels / 1e6, 2), limit=limit)
        feeds[spec.name] = array
    unknown = set(inputs) - set(feeds)
    if unknown:
        raise EngineError("engine.input", name=min(unknown), problem="unknown")
    return feeds


# ---------------------------------------------------------------- how large taps are

SAME = ("batch", "node", "edge")
GROWS = ("row", "column")
PLACES = (
    "position",
    "query",
    "key",
)  # of a whole map, a number that grows with its area; of a window it is fixed


def _check_taps(model: Model, taps: Collection[str]) -> None:
    known = {spec.name for spec in model.card.taps(model.config)}
    for name in taps:
        if name not in known:
            raise EngineError("engine.unknown_tap", name=name)


def _probe(model: Model) -> tuple[dict[str, int], dict[str, tuple[int, ...]]]:
    """Sizes of a small input's axes and the shape of every tap for it: one run, kept with the model."""
    with model.lock:
        if "probe" not in model.notes:
            sizes: dict[str, int] = {}
            feeds: dict[str, np.ndarray] = {}
            for spec in model.card.inputs:
                if spec.default is not None:
                    feeds[spec.name] = np.full(spec.shape, spec.default, np.float32)
                    continue
                least = max(spec.minimum, 64 if spec.multiple_of == 1 else 2 * spec.multiple_of)
                fixed = spec.fixed(model.config)
                for axis in spec.axes:
                    sizes.setdefault(axis, 1 if axis == "batch" else fixed.get(axis, least))
                # one axis may have another fixed size in another input: channels of a picture and of a context
                shape = tuple(fixed.get(axis, sizes[axis]) for axis in spec.axes)
                feeds[spec.name] = np.zeros(shape, spec.dtype)
            names = [spec.name for spec in model.card.taps(model.config)]
            _, kept = model.runner.run(feeds, names, None)
            model.notes["probe"] = sizes, {name: array.shape for name, array in kept.items()}
        return model.notes["probe"]


def tap_shapes(
    model: Model, shapes: Mapping[str, tuple[int, ...]], taps: Collection[str]
) -> dict[str, tuple[int, ...]]:
    """Shape of each tap for inputs of these shapes, before they are run.

    Rows and columns of a tap follow the input's by a fixed stride, its windows or, without windows, its positions
    follow the input's area; its batch, nodes and edges are the input's, its messages one for each edge and one for
    each node; every other axis is the same for any input. The ratios come from one small run.
    """
    _check_taps(model, taps)
    before, probed = _probe(model)
    now: dict[str, int] = {}
    for entry in model.card.inputs:
        if entry.default is None:
            now.update(zip(entry.axes, shapes[entry.name], strict=True))
    found: dict[str, tuple[int, ...]] = {}
    for spec in model.card.taps(model.config):
        if spec.name not in taps:
            continue
        shape = []
        for axis, size in zip(spec.axes, probed[spec.name], strict=True):
            if axis in SAME:
                size = now[axis]
            elif axis == "message":
                size = now["edge"] + now["node"]
            elif axis in GROWS and axis in now:
                size = math.ceil(size * now[axis] / before[axis])
            elif axis == "window" or (
                axis in PLACES and "row" in now and "batch" in spec.axes and "window" not in spec.axes
            ):
                size = math.ceil(size * now["row"] * now["column"] / (before["row"] * before["column"]))
            shape.append(size)
        found[spec.name] = tuple(shape)
    return found


def tap_bytes(model: Model, shapes: Mapping[str, tuple[int, ...]], taps: Collection[str]) -> int:
    """Bytes of these taps (float32) for inputs of these shapes. Raises EngineError("engine.unknown_tap")."""
    return sum(4 * math.prod(shape) for shape in tap_shapes(model, shapes, taps).values())

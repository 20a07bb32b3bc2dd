"""Train graph networks on any graph while somebody watches, or give back what was recorded of a training.

    for progress in train("gcn", {"hidden": 16}, graph, Settings(epochs=200)):
        print(progress.done, progress.loss[-1:])
    progress.result.vectors  # (S, N, 16): the nodes' embedding, moment by moment

Training needs torch, which is loaded when it begins; everything else here is numpy. Trainings of several visitors, of
graph embeddings too, take turns of about a tenth of a second, and each gives what it would give alone. Without torch
there are the recorded runs.
"""

from __future__ import annotations

import importlib
import json
import math
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from app.engine import Cancel, EngineError, available_engines
from app.engine.embed import turn
from app.settings import settings as limits
from models.card import ModelCard
from models.graph import trials
from models.graph.graph import NONE, Graph
from models.graph.task import OBJECTIVES, Settings, features, inputs
from models.graph.trials import Run, Scores, Smoothing, Tick
from models.registry import MODELS
from models.weights_io import load_weights

__all__ = [
    "BadRequest",
    "Progress",
    "Run",
    "Scores",
    "Settings",
    "Smoothing",
    "available",
    "check",
    "complete",
    "inside",
    "recorded",
    "recorded_scores",
    "recorded_smoothing",
    "scores",
    "smoothing",
    "train",
]

TURN_SECONDS = 0.1
VECTOR_BYTES = 64e6  # of all snapshots of a run; fewer moments are kept of a large graph
TRAINING_BYTES = 2e9  # what a step may hold, by estimate

# what may be chosen of each net, beside what the graph settles
DEFAULTS: Mapping[str, Mapping[str, Any]] = {
    "gcn": dict(hidden=16, layers=2, dropout=0.5, loops="keep"),
    "graphsage": dict(hidden=16, layers=2, dropout=0.5, aggregator="mean", most=25, normalise=True),
    "gat": dict(
        hidden=4, layers=2, dropout=0.5, heads=4, out_heads=1, version=1, slope=0.2, edge_weights=False
    ),
    "message_passing": dict(hidden=16, layers=2, form="linear", edge_hidden=16, readout="sum", looks=3),
}
RANGES: Mapping[str, tuple[float, float]] = dict(
    hidden=(1, 256), layers=(1, 32), dropout=(0, 0.95), heads=(1, 16), out_heads=(1, 16), slope=(0, 1),
    most=(1, 100), edge_hidden=(1, 64), looks=(1, 10),
    epochs=(1, 5000), lr=(1e-6, 1), weight_decay=(0, 1), seed=(0, 2**31), known=(1, 10_000),
    snapshots=(1, 200), batch=(1, 100_000),
)  # fmt: skip
CHOICES: Mapping[str, tuple[Any, ...]] = dict(
    loops=("keep", "add"),
    aggregator=("mean", "max", "lstm"),
    version=(1, 2),
    form=("linear", "edge network"),
    readout=("sum", "set2set"),
    normalise=(False, True),
    edge_weights=(False, True),
    objective=OBJECTIVES,
)
REALS = ("dropout", "slope", "lr", "weight_decay")


class BadRequest(EngineError):
    """A training that cannot be; `reason` is one of the messages train_gnn.*."""


# ---------------------------------------------------------------- what comes back


@dataclass(frozen=True, eq=False)
class Progress:
    """After `done` of `total` epochs: seconds so far and to go, the losses of a single training (done,), at the end the
    result."""

    done: int
    total: int
    seconds: float
    eta: float | None
    loss: np.ndarray
    result: Any = None


# ---------------------------------------------------------------- limits


def available() -> bool:
    """Whether torch is installed, without loading it."""
    return "torch" in available_engines()


def complete(net: str, config: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """Every entry of the net's config: those given, defaults, and the numbers that the graph settles.

    Raises BadRequest for an entry or a value that there is not.
    """
    known = DEFAULTS[net]
    for name, value in config.items():
        if name not in known:
            raise BadRequest("train_gnn.unknown", name=name, net=MODELS[net].title, known=", ".join(known))
        _check_value(name, value)
    classes = len(graph.label_names) if graph.labels is not None else 0
    return {
        **known,
        **config,
        "in_features": features(graph).x.shape[1],
        "num_classes": max(1, classes),
    }


def check(net: str, config: Mapping[str, Any], graph: Graph, settings: Settings) -> dict[str, Any]:
    """The complete config of a training that can be. Raises BadRequest before anything is done."""
    if not available():
        raise BadRequest("train_gnn.needs_torch")
    whole = complete(net, config, graph)
    for name in ("epochs", "lr", "weight_decay", "seed", "known", "snapshots", "batch", "objective"):
        _check_value(name, getattr(settings, name))
    if net != "graphsage" and (settings.objective == "walks" or settings.sizes):
        raise BadRequest("train_gnn.graphsage_only", net=MODELS[net].title)
    if settings.sizes and len(settings.sizes) != whole["layers"]:
        raise BadRequest("train_gnn.sizes", count=len(settings.sizes), layers=whole["layers"])
    if any(not isinstance(size, int) or size < 1 for size in settings.sizes):
        raise BadRequest("train_gnn.range", name="sizes", value=min(settings.sizes), least=1, most=10_000)
    if settings.objective == "walks":
        if not graph.edges:
            raise BadRequest("train_gnn.no_edges")
    else:
        _check_labels(graph)
    size, limit = bytes_of_a_step(net, whole, graph, settings), TRAINING_BYTES
    if size > limit:
        raise BadRequest(
            "train_gnn.too_large", megabytes=round(size / 1e6), limit=round(limit / 1e6), edges=graph.edges
        )
    return whole


def _check_value(name: str, value: Any) -> None:
    if name in CHOICES:
        if value not in CHOICES[name]:
            known = ", ".join(map(str, CHOICES[name]))
            raise BadRequest("train_gnn.choice", name=name, value=value, known=known)
        return
    least, most = RANGES[name]
    kinds = int | float | np.integer | np.floating if name in REALS else int | np.integer
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        raise BadRequest("train_gnn.range", name=name, value=value, least=least, most=most)


def _check_labels(graph: Graph) -> None:
    present = np.unique(graph.labels if graph.labels is not None else NONE)
    present = present[present != NONE]
    if len(present) == 0:
        raise BadRequest("train_gnn.no_labels")
    if len(present) == 1:
        raise BadRequest("train_gnn.one_class", label=graph.label_names[int(present[0])])


def bytes_of_a_step(net: str, config: Mapping[str, Any], graph: Graph, settings: Settings) -> int:
    """About what one step of training holds: the tensors of every layer that its gradient needs."""
    messages, nodes, wide = len(graph.indices) + graph.count, graph.count, config["hidden"]
    of_node = config["in_features"] + 4 * wide
    if net == "gcn":
        of_message = 2.0 * wide
    elif net == "gat":
        of_message = 3.0 * config["heads"] * (wide + 2) * config["version"]
        of_node += 4 * config["heads"] * wide
    elif net == "message_passing":
        of_message = 3.0 * wide if config["form"] == "linear" else 3.0 * wide**2
    else:  # GraphSAGE gathers before it multiplies: the first layer's messages are as wide as the features
        of_message = 2.0 * (config["in_features"] / config["layers"] + wide)
        reached = settings.batch
        for size in settings.sizes:
            reached = min(nodes, reached * (size + 1))
        if settings.sizes:
            messages, nodes = min(messages, reached * max(settings.sizes)), reached
    if config.get("aggregator") == "lstm":
        of_node += 10 * config["most"] * max(wide, min(config["in_features"], 512))
    return int(4 * config["layers"] * (messages * of_message + nodes * of_node))


# ---------------------------------------------------------------- turns


def _watched(
    work: Generator[Tick, None, Any], total: int, cancel: Cancel | None, losses: bool = False
) -> Iterator[Progress]:
    """The work in turns of about a tenth of a second; the last item has its result. Raises Cancelled."""
    yield Progress(0, total, 0.0, None, np.zeros(0, np.float32))
    importlib.import_module("models.graph.training")  # loads torch, before anybody's turn is taken
    start, result, done = time.perf_counter(), None, 0
    seen: list[float] = []
    while result is None:
        with turn(cancel):
            begin = time.perf_counter()
            while True:
                if cancel is not None:
                    cancel.check()
                try:
                    tick = next(work)
                except StopIteration as end:
                    result = end.value
                    break
                done = tick.done
                if losses and not math.isnan(tick.loss):
                    seen.append(tick.loss)
                if time.perf_counter() - begin >= TURN_SECONDS:
                    break
        seconds = time.perf_counter() - start
        eta = seconds / done * (total - done) if done else None
        yield Progress(done, total, seconds, eta, np.array(seen, np.float32), result)


# ---------------------------------------------------------------- training


def train(
    net: str,
    config: Mapping[str, Any],
    graph: Graph,
    settings: Settings | None = None,
    cancel: Cancel | None = None,
) -> Iterator[Progress]:
    """Train a net; the last item has the `Run`.

    net: slug of its card. config: entries of the net's config, see `DEFAULTS`; what is left out has its default.
    Raises BadRequest; Cancelled; EngineError("embed.busy") where too many trainings wait.
    """
    settings = settings or Settings()
    whole = check(net, config, graph, settings)
    width = whole["hidden"] * whole.get("heads", 1) + whole["num_classes"]
    room = max(2, int(VECTOR_BYTES // max(1, 4 * graph.count * width)) - 1)
    kept = replace(settings, snapshots=min(settings.snapshots, room))
    work = trials.one_run(net, whole, graph, kept, limits().threads)
    yield from _watched(work, settings.epochs, cancel, losses=True)


def scores(
    net: str,
    config: Mapping[str, Any],
    graph: Graph,
    settings: Settings | None = None,
    seeds: Sequence[int] = tuple(range(10)),
    cancel: Cancel | None = None,
) -> Iterator[Progress]:
    """Train once for every seed and measure on the test nodes; the last item has the `Scores`. Raises as `train`."""
    settings = settings or Settings()
    whole = check(net, config, graph, settings)
    _check_labels(graph)
    work = trials.over_seeds(net, whole, graph, settings, seeds, limits().threads)
    yield from _watched(work, settings.epochs * len(seeds), cancel)


def smoothing(
    net: str,
    graph: Graph,
    settings: Settings | None = None,
    depths: Sequence[int] = (1, 2, 3, 4, 6, 8, 12, 16),
    cancel: Cancel | None = None,
    config: Mapping[str, Any] | None = None,
    seeds: Sequence[int] = (0, 1, 2),
) -> Iterator[Progress]:
    """Train nets of every depth, for every seed; the last item has the `Smoothing`. Raises as `train`."""
    settings = settings or Settings()
    for depth in depths:
        whole = check(net, {**(config or {}), "layers": depth}, graph, settings)
    work = trials.over_depths(net, whole, graph, settings, depths, seeds, limits().threads)
    yield from _watched(work, settings.epochs * len(depths) * len(seeds), cancel)


def inside(
    net: str,
    config: Mapping[str, Any],
    state: Mapping[str, np.ndarray],
    x: np.ndarray,
    graph: Graph,
    names: Sequence[str],
) -> dict[str, np.ndarray]:
    """Taps by name of a net with these weights on a graph, in eval mode, by torch. Raises BadRequest without it."""
    if not available():
        raise BadRequest("train_gnn.needs_torch")
    card = MODELS[net]
    runner = importlib.import_module("app.engine.torch_engine").TorchRunner(
        card, config, state, limits().threads
    )
    given = inputs(graph, x)
    _, kept = runner.run({spec.name: given[spec.name] for spec in card.inputs}, list(names), None)
    return dict(kept)


# ---------------------------------------------------------------- what was recorded


def _report(card: ModelCard, weights_id: str) -> dict[str, Any]:
    path = card.report_path(card.weights_by_id(weights_id))
    return dict(json.loads(path.read_text("utf-8"))) if path.is_file() else {}


def _recorded_id(net: str, graph: Graph, variant: str) -> str:
    """The embedded weights that were trained on exactly this graph; "" where there are none."""
    for weights in MODELS[net].weights:
        if not weights.offered or variant not in ("", weights.id):
            continue
        if _report(MODELS[net], weights.id).get("graph", {}).get("key") == graph.key:
            return weights.id
    return ""


def recorded(net: str, graph: Graph, variant: str = "") -> Run | None:
    """The recorded training of the embedded weights that belong to this very graph, or None.

    variant: an id of the card's weights, "" for the first that fits. Needs no torch.
    """
    weights_id = _recorded_id(net, graph, variant)
    return _read_run(net, weights_id) if weights_id else None


def run_path(net: str, weights_id: str) -> Path:
    return MODELS[net].folder / f"{weights_id}_run.npz"


@lru_cache(maxsize=32)
def _read_run(net: str, weights_id: str) -> Run:
    card = MODELS[net]
    report = _report(card, weights_id)
    stored = np.load(run_path(net, weights_id), allow_pickle=False)
    said = report["settings"]
    arrays = {
        name: stored[name].astype(np.float32) for name in ("vectors", "logits", "loss", "validation_loss")
    }
    return Run(
        net=net,
        config=report["config"],
        settings=Settings(**{**said, "sizes": tuple(said["sizes"])}),
        x=stored["x"].astype(np.float32),
        kind=report["features"],
        split=stored["split"],
        epochs=stored["epochs"].astype(np.int64),
        accuracy=stored["accuracy"].astype(np.float64),
        states=(load_weights(card.embedded_path(card.weights_by_id(weights_id))),),
        seconds=report["training"]["seconds"],
        weights=weights_id,
        **arrays,
    )


def recorded_smoothing(net: str, graph: Graph) -> Smoothing | None:
    """What `smoothing` gave on this very graph when the embedded weights were made, or None."""
    weights_id = _recorded_id(net, graph, "")
    said = _report(MODELS[net], weights_id).get("smoothing") if weights_id else None
    if said is None:
        return None
    arrays = {name: np.array(value) for name, value in said.items() if name not in ("depths", "seeds")}
    return Smoothing(tuple(said["depths"]), tuple(said["seeds"]), **arrays)


def recorded_scores(net: str, graph: Graph, variant: str = "") -> Scores | None:
    """What `scores` gave on this very graph when the embedded weights were made, or None."""
    weights_id = _recorded_id(net, graph, variant)
    said = _report(MODELS[net], weights_id).get("scores") if weights_id else None
    if said is None:
        return None
    arrays = {name: np.array(value) for name, value in said.items() if name not in ("seeds", "tested")}
    return Scores(tuple(said["seeds"]), said["tested"], **arrays)

"""What may be set of the five graph embedding methods, within which limits, and how large a training that makes.

Everything a visitor can ask for is checked here before any work is done. numpy only.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.engine.base import EngineError
from models.graph.graph import Graph
from models.graph.method import Step
from models.registry import METHODS

MOMENTS = 40  # that are kept of a training, beside its start; fewer where the graph is large
MOST_BYTES = 160_000_000  # of all kept moments together
MOST_SEED = 2**31 - 1
MOST_NODES = {"sdne": 5000, "struc2vec": 20_000}  # of the methods that look at more than edges
MOST_ALL_PAIRS = 1000  # of Struc2vec where every pair is compared: half a million, in every layer
MOST_PLACES = 60_000_000  # on all walks together, which are held in memory


class BadRequest(EngineError):
    """A training that is not begun; `reason` is one of the messages embed.*."""


@dataclass(frozen=True)
class Knob:
    """A setting of a method: one of `options`, or a number from low to high (whole where `step` is).

    first: whether it stands beside the method; the others are folded away.
    """

    name: str
    low: float = 0
    high: float = 0
    step: float = 1
    options: tuple[str, ...] | tuple[float, ...] = ()
    first: bool = False

    @property
    def whole(self) -> bool:
        numbers = self.options or (self.step,)
        return all(isinstance(n, int) for n in numbers)

    def takes(self, value: Any) -> bool:
        """Whether a value is of the right kind and within the limits."""
        if self.options:
            return value in self.options
        kinds = int if self.whole else int | float
        if isinstance(value, bool) or not isinstance(value, kinds) or not self.low <= value <= self.high:
            return False
        return not self.whole or (value - self.low) % self.step == 0

    def check(self, value: Any) -> None:
        """Raises BadRequest for a value that it does not take."""
        if self.takes(value):
            return
        if self.options:
            known = ", ".join(map(str, self.options))
            raise BadRequest("embed.choice", name=self.name, value=value, known=known)
        limits = {"least": f"{self.low:g}", "most": f"{self.high:g}", "step": f"{self.step:g}"}
        raise BadRequest("embed.number", name=self.name, value=value, **limits)


# ---------------------------------------------------------------- what each method offers

DIM = Knob("dim", 2, 256, 2, first=True)
SEED = Knob("seed", 0, MOST_SEED)
_WALKS = (Knob("walks", 1, 80, first=True), Knob("length", 10, 120, 10, first=True))
_SKIP_GRAM = (
    Knob("window", 1, 10),
    Knob("epochs", 1, 50),
    Knob("loss", options=("hs", "ns")),
    Knob("negatives", 1, 20),
    Knob("lr", 0.001, 1.0, 0.001),
)
_BIASES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0)

KNOBS: Mapping[str, tuple[Knob, ...]] = {
    "deepwalk": (*_WALKS, *_SKIP_GRAM),
    "line": (
        Knob("order", options=("first", "second", "both"), first=True),
        Knob("samples", options=(0, 3 * 10**4, 10**5, 3 * 10**5, 10**6, 3 * 10**6, 10**7, 3 * 10**7, 10**8)),
        Knob("negatives", 1, 20),
        Knob("second_hop", 0, 50),
        Knob("lr", 0.001, 1.0, 0.001),
    ),
    "node2vec": (
        Knob("p", options=_BIASES, first=True),
        Knob("q", options=_BIASES, first=True),
        *_WALKS,
        *_SKIP_GRAM,
    ),
    "struc2vec": (
        Knob("layers", 0, 12, first=True),
        *_WALKS,
        Knob("stay", 0.05, 0.95, 0.05),
        Knob("opt2", options=("auto", "on", "off")),
        *_SKIP_GRAM,
    ),
    "sdne": (
        Knob("epochs", 10, 1000, 10, first=True),
        Knob("beta", 1.0, 50.0, 1.0, first=True),
        Knob("alpha", options=(0.0, 0.01, 0.1, 0.2, 1.0, 10.0), first=True),
        Knob("hidden", options=(16, 32, 64, 128, 256, 512)),
        Knob("nu", options=(0.0, 1e-5, 1e-4, 1e-3, 1e-2)),
        Knob("batch", options=(32, 128, 512, 2048)),
        Knob("lr", 0.001, 0.1, 0.001),
    ),
}
"""Of LINE's samples 0 stands for as many as suit the graph."""


@cache
def _parts(method: str) -> tuple[Callable[[Graph, Any], Iterator[Step]], type]:
    """The function that trains and the class of its settings, by the method's card."""
    module, function, config = METHODS[method].module.split(":")
    found = importlib.import_module(module)
    return getattr(found, function), getattr(found, config)


def knobs(method: str) -> tuple[Knob, ...]:
    """Everything that may be set of a method, what is common to all first."""
    _known(method)
    return (DIM, *KNOBS[method], SEED)


def defaults(method: str) -> dict[str, Any]:
    """The value of every knob that is not turned."""
    _known(method)
    config = _parts(method)[1]()
    found = {knob.name: getattr(config, knob.name) for knob in knobs(method)}
    return {name: 0 if value is None else value for name, value in found.items()}


def _known(method: str) -> None:
    if method not in METHODS:
        raise BadRequest("embed.method", name=method, known=", ".join(METHODS))


# ---------------------------------------------------------------- from settings to a training


def config_of(
    method: str, graph: Graph, settings: Mapping[str, Any] | None = None, snapshots: int | None = None
) -> Any:
    """The method's own Config of these settings; what is not given has its default.

    snapshots: moments to keep, by default as many as MOST_BYTES allow and MOMENTS at most.
    Raises BadRequest for a setting that there is not or outside its limits, and for a graph that is too large or has
    no edges, or of a kind that the method does not know.
    """
    chosen = {**defaults(method), **(settings or {})}
    offered = {knob.name: knob for knob in knobs(method)}
    for name, value in chosen.items():
        if name not in offered:
            raise BadRequest("embed.setting", name=name, known=", ".join(offered))
        offered[name].check(value)
    _check_graph(method, graph, chosen)
    fit = MOST_BYTES // (4 * graph.count * chosen["dim"]) - 1
    if fit < 1:
        most = MOST_BYTES // (8 * chosen["dim"])
        raise BadRequest("embed.too_large", nodes=f"{graph.count:,}", dim=chosen["dim"], most=f"{most:,}")
    kept = max(1, min(MOMENTS, fit)) if snapshots is None else snapshots
    if chosen.get("samples") == 0:
        chosen["samples"] = None
    try:
        return _parts(method)[1](**chosen, snapshots=kept)
    except ValueError as error:
        raise BadRequest("embed.refused", sentence=str(error)) from error


def _check_graph(method: str, graph: Graph, chosen: Mapping[str, Any]) -> None:
    if not graph.edges:
        raise BadRequest("embed.no_edges")
    most = MOST_ALL_PAIRS if chosen.get("opt2") == "off" else MOST_NODES.get(method)
    if most is not None and graph.count > most:
        title = METHODS[method].title
        raise BadRequest("embed.many_nodes", method=title, nodes=f"{graph.count:,}", most=f"{most:,}")
    if "walks" in chosen:
        places = graph.count * chosen["walks"] * chosen["length"]
        if places > MOST_PLACES:
            raise BadRequest("embed.many_places", places=f"{places:,}", most=f"{MOST_PLACES:,}")
    if graph.directed and chosen.get("order") in ("first", "both"):
        raise BadRequest("embed.directed_first_order")


def start(method: str, graph: Graph, config: Any) -> Iterator[Step]:
    """The method's own training. Raises BadRequest, at its first step, where the method refuses the graph."""
    steps = _parts(method)[0](graph, config)
    while True:
        try:
            step = next(steps)
        except StopIteration:
            return
        except ValueError as error:
            raise BadRequest("embed.refused", sentence=str(error)) from error
        yield step


# ---------------------------------------------------------------- how large a training is


def size_of(method: str, graph: Graph, config: Any) -> float:
    """About how many multiplications a training takes, to tell a short one from a long one before it begins."""
    return _SIZES[method](graph, config)


def _of_walks(graph: Graph, config: Any) -> float:
    pairs = graph.count * config.walks * config.length * (config.window + 1) * config.epochs
    rows = math.log2(max(2, graph.count)) if config.loss == "hs" else 1 + config.negatives
    dense = graph.count / 4 if graph.count <= 500 else 0
    return float(pairs * config.dim * (rows + dense) + 200 * graph.count * config.walks * config.length)


def _of_line(graph: Graph, config: Any) -> float:
    from models.graph.line import default_samples

    return float((config.samples or default_samples(graph)) * (1 + config.negatives) * config.dim)


def _of_struc2vec(graph: Graph, config: Any) -> float:
    others = graph.count if graph.count <= 500 and config.opt2 != "on" else 2 * math.log2(max(2, graph.count))
    return _of_walks(graph, config) + 2000.0 * graph.count * others * (1 + config.layers)


def _of_sdne(graph: Graph, config: Any) -> float:
    steps = config.epochs * math.ceil(graph.count / config.batch)
    return 6.0 * graph.count**2 * config.hidden * config.epochs + 2e7 * steps


_SIZES: Mapping[str, Callable[[Graph, Any], float]] = {
    "deepwalk": _of_walks,
    "line": _of_line,
    "node2vec": _of_walks,
    "struc2vec": _of_struc2vec,
    "sdne": _of_sdne,
}

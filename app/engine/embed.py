"""Train one of the five graph embedding methods on a graph, step by step, and keep how the vectors moved.

    for progress in train("deepwalk", karate(), {"dim": 32}):
        print(progress.done, progress.total, progress.eta)
    progress.result.vectors  # (S, N, 32): the untrained start first, the trained vectors last

Every step takes its own turn in one queue of the process, so that several visitors' trainings move on side by side,
and a training that was cancelled, or whose tab has gone, stops between two steps. numpy only.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.base import Cancel, Cancelled
from app.engine.embed_settings import BadRequest, config_of, defaults, size_of, start
from app.engine.queue import FairQueue, LeftQueue, QueueFull
from models.graph.graph import Graph
from models.graph.method import Step

__all__ = [
    "BadRequest",
    "Progress",
    "Run",
    "defaults",
    "guess_for",
    "name_of",
    "seconds_for",
    "steps_of",
    "train",
    "turn",
]

QUEUE_LENGTH = 64  # trainings that may wait for a turn
# Seconds a multiplication before anything was measured: SDNE multiplies large matrices, the others gather rows.
GUESS = {"deepwalk": 2e-9, "line": 1e-8, "node2vec": 2e-9, "struc2vec": 2e-9, "sdne": 3e-11}

_turns = FairQueue(QUEUE_LENGTH)
# Seconds of a processor for a multiplication, of the last training of a method and a size: see `_class`.
_pace: dict[tuple[str, int], float] = {}


# ---------------------------------------------------------------- what comes back


@dataclass(frozen=True, eq=False)
class Run:
    """A finished training: S kept moments of N vectors, the untrained ones first.

    vectors: float32 (S, N, d). done: int64 (S,), in the method's own unit, of `total`. epochs: float64 (S,), passes
    over the data so far. losses: float64 (S,), the mean loss since the moment before; NaN where nothing was trained.
    context, parts: the method's second table and what else it learned, see `models.graph.method.Step`. config: the
    method's own.
    seconds: of work, without waiting for turns.
    """

    method: str
    config: Any
    vectors: np.ndarray
    done: np.ndarray
    epochs: np.ndarray
    losses: np.ndarray
    total: int
    seconds: float
    context: np.ndarray | None = None
    parts: Mapping[str, np.ndarray] | None = None

    @property
    def final(self) -> np.ndarray:
        """float32 (N, d): the trained vectors."""
        last: np.ndarray = self.vectors[-1]
        return last

    @property
    def moments(self) -> int:
        """S."""
        return len(self.vectors)

    @property
    def tables(self) -> dict[str, np.ndarray]:
        """What else was learned, by name: "inner" nodes of a Huffman tree or "context" vectors, and `parts`."""
        found = dict(self.parts or {})
        if self.context is not None:
            found["inner" if getattr(self.config, "loss", "") == "hs" else "context"] = self.context
        return found


@dataclass(frozen=True, eq=False)
class Progress:
    """After `done` of `total`, in the method's own unit. losses: the mean of each trained stretch up to now."""

    done: int
    total: int
    seconds: float
    eta: float | None
    epoch: float = 0.0
    losses: tuple[float, ...] = ()
    result: Run | None = None


# ---------------------------------------------------------------- the training


def name_of(method: str, graph: Graph, config: Any) -> str:
    """Names what a training makes: the same for the same method, graph and settings."""
    return hashlib.blake2b(f"{method} {graph.key} {config!r}".encode(), digest_size=12).hexdigest()


def guess_for(method: str, graph: Graph, config: Any) -> float:
    """About how many seconds a training will take on any machine: always the same for the same training."""
    return size_of(method, graph, config) * GUESS[method]


def seconds_for(method: str, graph: Graph, config: Any) -> float:
    """About how long a training will take here where nothing else is going on, from the last one of this method that
    was about as large (small ones stay in a processor's cache and say nothing of large ones)."""
    size = size_of(method, graph, config)
    return size * _pace.get((method, _class(size)), GUESS[method])


def _class(size: float) -> int:
    """Trainings that differ less than about tenfold."""
    return round(math.log10(max(size, 1.0)))


def steps_of(
    method: str, graph: Graph, settings: Mapping[str, Any] | None = None, *, snapshots: int | None = None
) -> Iterator[Step]:
    """The method's own steps for checked settings, without turns. Raises BadRequest at once."""
    return start(method, graph, config_of(method, graph, settings, snapshots))


@contextmanager
def turn(cancel: Cancel | None = None) -> Iterator[None]:
    """This user's turn among all trainings. Raises Cancelled; BadRequest("embed.busy") where too many wait."""
    if cancel is not None:
        cancel.check()
    try:
        with _turns.turn(cancel):
            yield
    except QueueFull as error:
        raise BadRequest("embed.busy", waiting=error.waiting) from error
    except LeftQueue:
        raise Cancelled from None


def train(
    method: str, graph: Graph, settings: Mapping[str, Any] | None = None, cancel: Cancel | None = None
) -> Iterator[Progress]:
    """Train, a step of the method for each item; the last one has the result.

    Raises BadRequest before any work for what cannot be trained; Cancelled.
    """
    config = config_of(method, graph, settings)
    steps = start(method, graph, config)
    begin, work, cpu = time.monotonic(), 0.0, 0.0
    kept, ended = _Kept(), False
    while not ended:
        with turn(cancel):
            started, at = time.perf_counter(), time.thread_time()
            step = next(steps)
            work, cpu = work + time.perf_counter() - started, cpu + time.thread_time() - at
        kept.add(step)
        ended = step.done >= step.total
        seconds = time.monotonic() - begin
        eta = seconds / step.done * (step.total - step.done) if step.done else None
        result = kept.run(method, config, work) if ended else None
        yield Progress(step.done, step.total, seconds, eta, step.epoch, tuple(kept.losses[1:]), result)
    size = size_of(method, graph, config)
    _pace[method, _class(size)] = cpu / size


class _Kept:
    """The moments of a training so far, and the mean loss between them."""

    def __init__(self) -> None:
        self.vectors: list[np.ndarray] = []
        self.done: list[int] = []
        self.epochs: list[float] = []
        self.losses: list[float] = []
        self._before, self._sum, self._counted = 0, 0.0, 0
        self._last: Step | None = None

    def add(self, step: Step) -> None:
        trained = step.done - self._before
        if step.loss is not None and trained > 0:
            self._sum, self._counted = self._sum + step.loss * trained, self._counted + trained
        self._before, self._last = step.done, step
        if step.vectors is not None:
            self.vectors.append(step.vectors)
            self.done.append(step.done)
            self.epochs.append(step.epoch)
            self.losses.append(self._sum / self._counted if self._counted else np.nan)
            self._sum, self._counted = 0.0, 0

    def run(self, method: str, config: Any, seconds: float) -> Run:
        assert self._last is not None
        return Run(
            method=method,
            config=config,
            vectors=np.stack(self.vectors),
            done=np.array(self.done, dtype=np.int64),
            epochs=np.array(self.epochs),
            losses=np.array(self.losses),
            total=self._last.total,
            seconds=seconds,
            context=self._last.context,
            parts=self._last.tables,
        )

"""What both engines share: a loaded model, the trace of a run, cancellation, and errors a page can say.

numpy only; imports neither torch nor onnxruntime nor streamlit.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from app.engine.queue import FairQueue
from models.card import ModelCard, Weights


@dataclass(frozen=True)
class Trace:
    """One run: the model's output, the taps that were asked for by name, and the seconds it took (queue excluded)."""

    output: np.ndarray
    taps: dict[str, np.ndarray]
    seconds: float


R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")


class Item(Protocol[R_co]):
    """What a generator of long work yields; only the last one has a result."""

    @property
    def result(self) -> R_co | None: ...


@dataclass(frozen=True)
class Progress(Generic[R]):
    """After `done` of `total` steps: seconds so far, seconds to go where they are known, and at the end the result.

    Work that has more to tell on its way yields a class of its own.
    """

    done: int
    total: int
    seconds: float = 0.0
    eta: float | None = None
    result: R | None = None


def finish(items: Iterator[Item[R]]) -> R:
    """Do long work to its end and give the result."""
    result: R | None = None
    for item in items:
        result = item.result
    if result is None:
        raise RuntimeError("the work ended without a result")
    return result


class Cancelled(Exception):
    """The user stopped the work, or the tab is gone."""


class EngineError(Exception):
    """A failure to be said to the user: `reason` is a message id, `details` fill its placeholders."""

    def __init__(self, reason: str, **details: object):
        super().__init__(f"{reason} {details}" if details else reason)
        self.reason, self.details = reason, details


class Cancel:
    """A flag that stops work: set by a button, or found set by a callable (for instance "is the session gone?").

    Once set it stays set. The callable is asked from the thread that runs and from a watching one.
    """

    def __init__(self, poll: Callable[[], bool] | None = None):
        self._event, self._poll = threading.Event(), poll

    def set(self) -> None:
        self._event.set()

    def is_set(self) -> bool:
        if not self._event.is_set() and self._poll is not None and self._poll():
            self._event.set()
        return self._event.is_set()

    def check(self) -> None:
        """Raises Cancelled if set."""
        if self.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> bool:
        """Wait at most so long for set(); the callable is asked once at the end."""
        return self._event.wait(seconds) or self.is_set()


class Runner(Protocol):
    """What an engine provides for one model."""

    def run(
        self, feeds: Mapping[str, np.ndarray], taps: Collection[str], cancel: Cancel | None
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """Output and wanted taps as float32 arrays. Raises Cancelled."""

    def gradient(self, feeds: Mapping[str, np.ndarray], tap: str, target: int) -> np.ndarray:
        """d output[0, target] / d tap, of the tap's shape."""

    def gradient_input(self, feeds: Mapping[str, np.ndarray], tap: str, index: tuple[int, ...]) -> np.ndarray:
        """d tap[index] / d input, of the first input's shape."""


@dataclass(eq=False)
class Model:
    """A model in memory, shared by every user of the process.

    config: real sizes (the card's, with the training report's on top). preprocess: how its input is made.
    report: the training report, {} where there is none. state: float32 weights by name, read only.
    nbytes: memory it is counted with. key: names weights, engine and device; use it in cache keys.
    """

    card: ModelCard
    weights: Weights
    engine: str
    device: str
    config: dict[str, Any]
    preprocess: dict[str, Any]
    report: dict[str, Any]
    state: dict[str, np.ndarray]
    nbytes: int
    key: str
    runner: Runner
    queue: FairQueue
    lock: threading.Lock = field(default_factory=threading.Lock)
    notes: dict[str, Any] = field(default_factory=dict)  # measured once: speed, shapes of taps


@contextmanager
def watched(cancel: Cancel | None, stop: Callable[[], None]) -> Iterator[None]:
    """Call `stop` from another thread as soon as `cancel` is set while the body runs."""
    if cancel is None:
        yield
        return
    cancel.check()
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.05):
            if cancel.is_set():
                stop()
                return

    thread = threading.Thread(target=watch, daemon=True, name="vitrine-cancel")
    thread.start()
    try:
        yield
    finally:
        done.set()

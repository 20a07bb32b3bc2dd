"""Taps: how a model shows its inside.

A `Tap` is an identity layer with a name. While a recorder is open in the current context it also keeps
what passes through it. Eager torch and `torch.onnx.export` run the same line of model code, so every tap
is one named array in both engines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from torch import Tensor, nn

_recorder: ContextVar[Recorder | None] = ContextVar("tap_recorder", default=None)


class Recorder:
    """Keeps the tensors of the wanted taps, by name, in the order in which they were met.

    check: called at every tap, wanted or not; what it raises ends the run (a user who gave up).
    """

    def __init__(self, names: Collection[str] | None = None, check: Callable[[], None] | None = None):
        self.names = None if names is None else frozenset(names)
        self.check = check
        self.tensors: dict[str, Tensor] = {}

    def keep(self, name: str, x: Tensor) -> None:
        if self.check is not None:
            self.check()
        if self.names is None or name in self.names:
            self.tensors[name] = x


class Tap(nn.Module):
    """Returns its input unchanged; a recorder, if one is open, keeps it under `name`.

    axes: one word for each dimension, for example ("batch", "window", "head", "query", "key").
    kind: which view draws it ("feature_map", "attention", "tokens", "heads", "mask", "vector", "logits", "nodes",
    "edges").
    """

    def __init__(self, name: str, axes: tuple[str, ...], kind: str):
        super().__init__()
        self.name, self.axes, self.kind = name, axes, kind

    def forward(self, x: Tensor) -> Tensor:
        recorder = _recorder.get()
        if recorder is not None:
            recorder.keep(self.name, x)
        return x

    def extra_repr(self) -> str:
        return f"{self.name!r}, axes={self.axes}"


@contextmanager
def record(
    names: Collection[str] | None = None, check: Callable[[], None] | None = None
) -> Iterator[dict[str, Tensor]]:
    """Collect tap tensors in this context only (a thread or task never sees another's).

    names: the taps to keep, or None for all. check: called at every tap. Yields the dict that fills as the model runs.
    """
    recorder = Recorder(names, check)
    token = _recorder.set(recorder)
    try:
        yield recorder.tensors
    finally:
        _recorder.reset(token)


def taps_of(model: nn.Module) -> dict[str, Tap]:
    """Every tap of a model by name. Raises ValueError where two taps share a name."""
    found: dict[str, Tap] = {}
    for module in model.modules():
        if isinstance(module, Tap):
            if module.name in found:
                raise ValueError(f"two taps are called {module.name!r}")
            found[module.name] = module
    return found

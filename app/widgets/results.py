"""Results of long work that visitors may share, because they follow from their name alone."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Generic, TypeVar

from app.widgets.progress import size_of

R = TypeVar("R")


class Results(Generic[R]):
    """Finished work of the process by name, bounded by the bytes of its arrays; the least recently used goes first.

    The newest always stays, whatever its size. Thread safe.
    """

    def __init__(self, limit: int = 192 * 2**20):
        self._limit, self._lock = limit, threading.Lock()
        self._items: OrderedDict[str, R] = OrderedDict()

    def get(self, name: str) -> R | None:
        with self._lock:
            if name in self._items:
                self._items.move_to_end(name)
            return self._items.get(name)

    def put(self, name: str, result: R) -> None:
        with self._lock:
            self._items[name] = result
            self._items.move_to_end(name)
            total = sum(size_of(item) for item in self._items.values())
            for old in list(self._items)[:-1]:
                if total <= self._limit:
                    break
                total -= size_of(self._items.pop(old))

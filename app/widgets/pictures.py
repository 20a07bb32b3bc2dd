"""What visitors brought, pictures and graphs: in memory only, bounded, and apart from Streamlit's session state.

A disconnected session lives on for a while; what it brought may not. So pictures stand on one shelf of the process:
each session keeps its current picture and a few earlier ones, the process a limited number of bytes in all, and
the least recently used go first. A picture that went is asked for again by its hash, as a link's picture is.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from app.images import Picture
from app.widgets import sessions

PER_SESSION = 192 * 2**20  # bytes of decoded pictures beyond the current one are dropped
IN_ALL = 768 * 2**20


class Kept(Protocol):
    """What stands on a shelf: known by the SHA-256 of its file, and as large as it says."""

    @property
    def sha(self) -> str: ...
    @property
    def nbytes(self) -> int: ...


T = TypeVar("T", bound=Kept)


@dataclass(frozen=True, eq=False)
class Brought:
    """A picture and the name of its file. The name is shown to the one who brought it, and nowhere else."""

    picture: Picture
    name: str

    @property
    def sha(self) -> str:
        return self.picture.sha

    @property
    def nbytes(self) -> int:
        alpha = self.picture.alpha
        return self.picture.rgb.nbytes + (0 if alpha is None else alpha.nbytes)


class Shelf(Generic[T]):
    """Things by (session, hash), least recently used first. Thread safe."""

    def __init__(self, per_session: int = PER_SESSION, in_all: int = IN_ALL):
        self._per_session, self._in_all = per_session, in_all
        self._lock = threading.Lock()
        self._items: OrderedDict[tuple[str, str], T] = OrderedDict()

    def put(self, session: str, brought: T) -> None:
        """Keep a thing; the newest always stays, whatever its size."""
        key = (session, brought.sha)
        sessions.watch(session)
        with self._lock:
            self._items.pop(key, None)
            self._items[key] = brought
            self._drop([k for k in self._items if k[0] == session], self._per_session, key)
            self._drop(list(self._items), self._in_all, key)

    def get(self, session: str, sha: str) -> T | None:
        """The session's thing whose hash begins with `sha`, or None."""
        with self._lock:
            for key in reversed(self._items):
                if key[0] == session and sha and key[1].startswith(sha):
                    self._items.move_to_end(key)
                    return self._items[key]
        return None

    def forget(self, session: str) -> None:
        """Drop what a session brought."""
        with self._lock:
            for key in [k for k in self._items if k[0] == session]:
                del self._items[key]

    @property
    def nbytes(self) -> int:
        with self._lock:
            return sum(item.nbytes for item in self._items.values())

    def _drop(self, keys: list[tuple[str, str]], limit: int, newest: tuple[str, str]) -> None:
        total = sum(self._items[k].nbytes for k in keys)
        for key in keys:
            if total <= limit:
                return
            if key != newest:
                total -= self._items.pop(key).nbytes


SHELF: Shelf[Brought] = Shelf()
sessions.on_gone(SHELF.forget)

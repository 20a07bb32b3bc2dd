"""One fair, bounded queue a model: users take turns, run by run.

A turn goes to the users in rotation, however many runs each has waiting, so that one user's hundred tiles do not
hold up another's single picture. Past the bound a run is refused at once instead of waiting for ever.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

_user: ContextVar[str | None] = ContextVar("vitrine_user", default=None)


class Flag(Protocol):
    def is_set(self) -> bool: ...


class QueueFull(Exception):
    """So many runs wait already."""

    def __init__(self, waiting: int):
        super().__init__(f"{waiting} runs are waiting")
        self.waiting = waiting


class LeftQueue(Exception):
    """Cancelled while waiting."""


@contextmanager
def as_user(token: str) -> Iterator[None]:
    """Runs inside belong to this user (a session's id). Without it each thread counts as one user."""
    reset = _user.set(token)
    try:
        yield
    finally:
        _user.reset(reset)


def current_user() -> str:
    return _user.get() or f"thread-{threading.get_ident()}"


class _Ticket:
    def __init__(self) -> None:
        self.granted = threading.Event()


class FairQueue:
    """Turns for one resource. `bound`: runs that may wait at once, over all users."""

    def __init__(self, bound: int):
        self.bound = bound
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[_Ticket]] = {}  # in rotation order: the first user is next
        self._busy = False

    @property
    def waiting(self) -> int:
        with self._lock:
            return self._count()

    def _count(self) -> int:
        return sum(len(tickets) for tickets in self._waiting.values())

    def _grant(self) -> None:
        """Give the turn to the next user, if it is free. The lock is held."""
        if self._busy or not self._waiting:
            return
        user = next(iter(self._waiting))
        tickets = self._waiting.pop(user)
        ticket = tickets.popleft()
        if tickets:
            self._waiting[user] = tickets  # to the end of the rotation
        self._busy = True
        ticket.granted.set()

    def _release(self) -> None:
        with self._lock:
            self._busy = False
            self._grant()

    def _leave(self, user: str, ticket: _Ticket) -> None:
        """Take a ticket back; where its turn came at the same moment, pass the turn on."""
        with self._lock:
            if ticket.granted.is_set():
                self._busy = False
            else:
                tickets = self._waiting[user]
                tickets.remove(ticket)
                if not tickets:
                    del self._waiting[user]
            self._grant()

    @contextmanager
    def turn(self, cancel: Flag | None = None) -> Iterator[None]:
        """Wait for a turn and hold it. Raises QueueFull at once, LeftQueue when cancelled while waiting."""
        user, ticket = current_user(), _Ticket()
        with self._lock:
            if self._busy and self._count() >= self.bound:
                raise QueueFull(self._count())
            self._waiting.setdefault(user, deque()).append(ticket)
            self._grant()
        try:
            while not ticket.granted.wait(None if cancel is None else 0.05):
                if cancel is not None and cancel.is_set():
                    raise LeftQueue
        except BaseException:
            self._leave(user, ticket)
            raise
        try:
            yield
        finally:
            self._release()

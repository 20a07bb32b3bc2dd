"""Which visitors are still there. A closed tab closes its socket, and Streamlit's session is no longer active."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

TTL = 60.0  # seconds after which what a closed tab brought is forgotten (a reload within them finds nothing lost)
_EVERY = 5.0

_lock = threading.Lock()
_gone_since: dict[str, float | None] = {}
_callbacks: list[Callable[[str], None]] = []
_thread: threading.Thread | None = None


def alive(session: str) -> bool:
    """Whether the tab of this session is connected. True where no server runs (scripts, AppTest)."""
    from streamlit import runtime

    if not session or not runtime.exists():
        return True
    return runtime.get_instance().is_active_session(session)


def on_gone(callback: Callable[[str], None]) -> None:
    """Have `callback(session)` called for every watched session that has been gone for TTL."""
    with _lock:
        if callback not in _callbacks:
            _callbacks.append(callback)


def watch(session: str) -> None:
    """Look after a session that something is kept for."""
    global _thread
    if not session:
        return
    with _lock:
        _gone_since.setdefault(session, None)
        if _thread is None:
            _thread = threading.Thread(target=_look, daemon=True, name="vitrine-sessions")
            _thread.start()


def sweep(now: float, is_alive: Callable[[str], bool] = alive) -> list[str]:
    """One look at every watched session; returns those that are forgotten now."""
    with _lock:
        sessions, callbacks = list(_gone_since), list(_callbacks)
    forgotten = []
    for session in sessions:
        here = is_alive(session)
        with _lock:
            since = _gone_since.get(session)
            if here:
                _gone_since[session] = None
            elif since is None:
                _gone_since[session] = now
            elif now - since >= TTL:
                _gone_since.pop(session, None)
                forgotten.append(session)
    for session in forgotten:
        for callback in callbacks:
            callback(session)
    return forgotten


def _look() -> None:
    global _thread
    while True:
        time.sleep(_EVERY)
        sweep(time.monotonic())
        with _lock:
            if not _gone_since:
                _thread = None
                return

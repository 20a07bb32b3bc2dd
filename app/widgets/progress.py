"""Long work: it runs in a thread of its own, the page shows how far it is, and it can be stopped.

    outcome = job("upscale", (picture.sha, model.key), lambda cancel: upscale(model, rgb, cancel))
    if outcome.result is not None:
        show(outcome.result)

The work is a generator: its items carry `done`, `total` and `eta`, the last one `result`. A page has at most one
running job for each key and session; a new signature stops the old one. When the tab is closed the work is told
to stop within seconds. Results stay in the process, bounded by bytes, so that going back to an earlier picture
finds its result.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeVar

import numpy as np
import streamlit as st

from app.engine import Cancel, Cancelled, as_user
from app.text import language, t, using
from app.widgets import guard, sessions, state

R = TypeVar("R")
State = Literal["idle", "running", "done", "cancelled", "failed"]

POLL = 0.4  # seconds between two looks
QUICK = 0.25  # seconds that a page waits before it shows a bar at all
GRACE = 2.5  # seconds a tab may be gone before its work stops: a lost connection comes back sooner
RESULT_BYTES = 768 * 2**20


class Item(Protocol):
    """What a generator of long work yields."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def eta(self) -> float | None: ...


@dataclass(frozen=True)
class Outcome(Generic[R]):
    """Where the work stands. result: set once the state is "done". item: the last one the work yielded."""

    state: State
    result: R | None = None
    seconds: float = 0.0
    item: Any = None


@dataclass(eq=False)
class Job:
    """One run of the work, written by its thread and read by the page."""

    session: str
    signature: Hashable
    cancel: Cancel = field(init=False)
    state: State = "running"
    item: Any = None
    result: Any = None
    error: BaseException | None = None
    number: str = ""  # under which an unforeseen error was logged
    started: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    finished: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.cancel = Cancel(tab_gone(self.session))

    @property
    def outcome(self) -> Outcome[Any]:
        return Outcome(self.state, self.result, self.seconds, self.item)


def tab_gone(session: str, grace: float = GRACE) -> Callable[[], bool]:
    """A question for Cancel: has the session's tab been gone for so many seconds?"""
    last_seen = time.monotonic()

    def gone() -> bool:
        nonlocal last_seen
        now = time.monotonic()
        if sessions.alive(session):
            last_seen = now
        return now - last_seen > grace

    return gone


def size_of(result: Any) -> int:
    """Bytes of the arrays and byte strings in a result."""
    if isinstance(result, np.ndarray):
        return result.nbytes
    if isinstance(result, bytes | bytearray):
        return len(result)
    if isinstance(result, Mapping):
        return sum(size_of(value) for value in result.values())
    if isinstance(result, list | tuple):
        return sum(size_of(value) for value in result)
    if dataclasses.is_dataclass(result) and not isinstance(result, type):
        return sum(size_of(getattr(result, f.name)) for f in dataclasses.fields(result))
    return 64


Slot = tuple[str, str]  # session, and the page's key of the work


class Desk:
    """The jobs of the process by slot, and their results. Thread safe."""

    def __init__(self, limit: int = RESULT_BYTES):
        self._limit = limit
        self._lock = threading.Lock()
        self._running: dict[Slot, Job] = {}
        self._done: OrderedDict[tuple[Slot, Hashable], Job] = OrderedDict()

    def find(self, slot: Slot, signature: Hashable) -> Job | None:
        """The job of this signature, running or ended; another one that runs in the slot is told to stop."""
        with self._lock:
            job = self._running.get(slot)
            if job is not None and job.signature == signature:
                return job
            if job is not None:
                job.cancel.set()
                del self._running[slot]
            ended = self._done.get((slot, signature))
            if ended is not None:
                self._done.move_to_end((slot, signature))
            return ended

    def start(self, slot: Slot, signature: Hashable, work: Callable[[Cancel], Iterator[Any]]) -> Job:
        """Run the work in a thread; what ran in this slot is told to stop."""
        job = Job(slot[0], signature)
        with self._lock:
            before = self._running.get(slot)
            if before is not None:
                before.cancel.set()
            self._running[slot] = job
            self._done.pop((slot, signature), None)
        sessions.watch(slot[0])
        code = language()  # the thread has no session of its own to ask
        threading.Thread(
            target=self._run, args=(slot, job, work, code), daemon=True, name=f"vitrine-job-{slot[1]}"
        ).start()
        return job

    def forget(self, session: str) -> None:
        """Stop and drop everything of a session."""
        with self._lock:
            for slot in [s for s in self._running if s[0] == session]:
                self._running.pop(slot).cancel.set()
            for key in [k for k in self._done if k[0][0] == session]:
                del self._done[key]

    def drop(self, slot: Slot, signature: Hashable) -> None:
        """Forget how a job ended, so that it may be started again."""
        with self._lock:
            self._done.pop((slot, signature), None)

    def _run(self, slot: Slot, job: Job, work: Callable[[Cancel], Iterator[Any]], code: str) -> None:
        end: State = "cancelled"
        try:
            with as_user(slot[0] or "nobody"), using(code):
                for item in work(job.cancel):
                    result = getattr(item, "result", None)
                    if result is not None:
                        job.result = result
                    job.item = dataclasses.replace(item, result=None) if _has_result(item) else item
                    job.seconds = time.monotonic() - job.started
                    job.cancel.check()
            if job.result is not None or not job.cancel.is_set():
                end = "done"
        except Cancelled:
            job.result = None
        except Exception as error:
            end, job.error, job.result = "failed", error, None
            if not hasattr(error, "reason"):
                job.number = guard.report(error)
        job.seconds = time.monotonic() - job.started
        job.state = end
        with self._lock:
            if self._running.get(slot) is job:
                del self._running[slot]
                self._done[(slot, job.signature)] = job
                self._shrink()
        job.finished.set()

    def _shrink(self) -> None:
        total = sum(size_of(job.result) for job in self._done.values())
        for key in list(self._done)[:-1]:  # the newest stays
            if total <= self._limit and len(self._done) <= 256:
                return
            total -= size_of(self._done.pop(key).result)


def _has_result(item: Any) -> bool:
    return (
        dataclasses.is_dataclass(item)
        and not isinstance(item, type)
        and getattr(item, "result", None) is not None
    )


DESK = Desk()
sessions.on_gone(DESK.forget)


# -- on the page ------------------------------------------------------------------------------------------------


def job(
    key: str,
    signature: Hashable,
    start: Callable[[Cancel], Iterator[Any]],
    *,
    text: Callable[[Any], str] | None = None,
    autostart: bool = True,
    button: str = "",
    note: str = "",
) -> Outcome[Any]:
    """Start the work, or show how far it is, or give its result.

    signature: everything that the result depends on; another signature is other work. start: makes the generator;
    it runs in another thread and must not call Streamlit. text: the sentence beside the bar for an item.
    autostart: False waits for a press of the button, with `note` (an estimate, say) above it.
    A failure is said by itself. Call it in the body of a page: the page runs again when the work ends.
    """
    slot = (state.user_token(), f"{state.page()}.{key}")

    def begin() -> None:
        DESK.start(slot, signature, start)

    found = DESK.find(slot, signature)
    if found is None and autostart:
        found = DESK.start(slot, signature, start)
    if found is None:
        if note:
            st.markdown(note)
        st.button(
            button or t("progress.start"),
            key=f"{key}.start",
            type="primary",
            on_click=begin,
        )
        return Outcome("idle")
    if found.state == "running" and time.monotonic() - found.started < QUICK:
        found.finished.wait(QUICK)
    with (
        st.container()
    ):  # also where it stays empty, so that nothing below moves, or is drawn anew, as a bar goes
        if found.state == "running":
            _watch(key, found, text)
        elif found.state in ("cancelled", "failed"):
            _say(found)
            st.button(t("progress.again"), key=f"{key}.again", on_click=begin)
    return found.outcome


def forget(key: str, signature: Hashable) -> None:
    """Forget how the work ended: the next `job` starts it again, or waits for a press."""
    DESK.drop((state.user_token(), f"{state.page()}.{key}"), signature)


def time_left(seconds: float) -> str:
    """How long a reader has to wait, in words."""
    if seconds < 90:
        return t("progress.seconds", n=max(1.0, seconds))
    return t("progress.minutes", n=seconds / 60)


def line(item: Any, text: Callable[[Any], str] | None = None) -> tuple[float, str]:
    """Fraction done in [0, 1] and the sentence beside the bar. item None: nothing has been yielded yet."""
    if item is None:
        return 0.0, t("progress.preparing")
    total = max(0, int(item.total))
    fraction = min(1.0, max(0.0, item.done / total)) if total else 0.0
    words = text(item) if text is not None else t("progress.step", done=item.done, total=total)
    eta = getattr(item, "eta", None)
    if eta is not None and 0 < eta < float("inf"):
        words = f"{words} · {t('progress.eta', time=time_left(eta))}"
    return fraction, words


@guard.fragment(run_every=POLL)
def _watch(key: str, running: Job, text: Callable[[Any], str] | None) -> None:
    if running.finished.is_set():
        st.rerun()
    fraction, words = line(running.item, text)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(fraction, text=words)
        st.button(t("progress.cancel"), key=f"{key}.cancel", on_click=running.cancel.set, width="content")


def _say(ended: Job) -> None:
    error = ended.error
    if ended.state == "cancelled":
        st.info(t("progress.cancelled"))
    elif error is not None and hasattr(error, "reason"):
        st.error(t(error.reason, **getattr(error, "details", {})))
    else:
        st.error(t("error.unexpected", number=ended.number), icon=":material/healing:")

"""What the session remembers of a component whose slider moves through steps, and what it sends to the browser.

Shared by `scrubber` and `cloud`. The step lives in the browser; Python knows the one it last asked for and the one
that was last told. Files travel once: the next message leaves out those that the browser has.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from app.widgets import state
from app.widgets.packing import Encoded, pack

MOST_STEPS = 200


@dataclass
class Held:
    """What is remembered of one component. start, turn: the last step that Python asked for, and how often.

    sent: ids of the last message's files; known: those that the tab had before it, so that they went without bytes;
    header: a hash of its header.
    """

    start: int
    step: int
    count: int
    turn: int = 0
    pick: Any = None
    sent: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    header: str = ""


def shelf(key: str) -> str:
    """Where the session keeps it."""
    return f"vitrine.steps:{key}"


def last(key: str) -> Held | None:
    """What is remembered of the component `key`; None before it has been shown."""
    found: Held | None = st.session_state.get(shelf(key))
    return found


def resolve(step: int, count: int) -> int:
    """A step within 0 … count - 1; negative ones count from the end."""
    return min(max(0, step + count if step < 0 else step), count - 1)


def set_step(key: str, step: int, param: state.Param[int] | None = None) -> None:
    """Move a slider from Python, before it is drawn; -1 is the last step."""
    held = last(key)
    if param is not None:
        state.put(param, step)
    elif held is not None:
        _turn(held, step)


def _turn(held: Held, step: int) -> None:
    held.start, held.step, held.turn = step, resolve(step, held.count), held.turn + 1


def recall(key: str, count: int, start: int, param: state.Param[int] | None) -> Held:
    """The session's memory, brought up to date with the link and with a path of another length."""
    wanted = start if param is None else state.get(param)
    held = last(key)
    if held is None:
        held = st.session_state[shelf(key)] = Held(wanted, resolve(wanted, count), count)
        return held
    if count != held.count:  # the browser does the same: the last step stays the last
        held.step = count - 1 if held.step == held.count - 1 else min(held.step, count - 1)
        held.count = count
    if param is not None and resolve(wanted, count) != held.step:
        _turn(held, wanted)
    if key not in st.session_state:  # mounted anew: the browser has forgotten its step
        held.start = held.step
    return held


def reported(held: Held, step: int, param: state.Param[int] | None) -> None:
    """Take over a step from the browser; the last one stands in the link as the param's own -1."""
    held.step = resolve(max(0, step), held.count)
    if param is not None:
        last_one = held.step == held.count - 1 and param.default == -1
        state.put(param, -1 if last_one else held.step)


def on_step(key: str, param: state.Param[int] | None) -> Callable[[], None]:
    """The callback of the trigger `step`."""

    def moved() -> None:
        sent = st.session_state[key].get("step")
        if isinstance(sent, dict) and isinstance(sent.get("at"), int):  # else not sent by our own script
            reported(st.session_state[shelf(key)], sent["at"], param)

    return moved


def on_need(key: str) -> Callable[[], None]:
    """The callback of the trigger `need`: this tab has lost the files."""

    def needed() -> None:
        held: Held = st.session_state[shelf(key)]
        held.sent, held.header = (), ""

    return needed


def message(held: Held, header: dict[str, Any], files: Sequence[Encoded]) -> bytes:
    """The bytes of the mount. Files that this tab has stay at home.

    The same header is sent the same way again: Streamlit then sends nothing. A browser that lacks a file asks.
    """
    ids = tuple(f.id for f in files)
    digest = hashlib.blake2b(repr(header).encode(), digest_size=12).hexdigest()
    if digest != held.header or ids != held.sent:
        held.known = tuple(name for name in ids if name in held.sent)
        held.header, held.sent = digest, ids
    return pack(header, files, known=held.known)


def checked(name: str, values: Sequence[Any], count: int) -> list[Any]:
    """The values as a list. Raises ValueError where there is not one for each step."""
    if len(values) != count:
        raise ValueError(f"{len(values)} values of {name!r} for {count} steps")
    return list(values)


def heights(values: Sequence[float]) -> list[float]:
    """Heights in [0, 1] between the smallest and the largest finite number."""
    numbers = np.asarray(values, np.float64)
    finite = numbers[np.isfinite(numbers)]
    if not finite.size:
        return [0.0] * len(numbers)
    low, high = float(finite.min()), float(finite.max())
    scaled = (np.nan_to_num(numbers, nan=low, posinf=high, neginf=low) - low) / ((high - low) or 1.0)
    return [round(float(v), 4) for v in scaled]

"""What a page remembers, and the link that restores it.

A `Param` is one thing a visitor can choose (a model, a sample, a layer, a picked pixel). Its value lives in
the session under the name of the page, so that it survives a switch of pages, and in the query string, so
that the address of the page restores the very same view. `bind` ties a Streamlit widget to it:

    MODEL = Param("model", default="x2")
    chosen = st.selectbox(t("swinir.model"), ids, **bind(MODEL, allowed=ids))

and `get` / `put` serve what is not a Streamlit widget. The link is believed once: a value in the query string
that this session has not seen before wins over the session; afterwards the session is the truth, because a
query string that comes in with a later run may be one click old. The browser's Back and Forward are another matter:
Streamlit says when a run comes from them, and then the address is believed in all its parts. A value that cannot be
read, or is not allowed, falls back to the default, and `refused` remembers it; a parameter that no choice is called by
goes out of the address.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

import streamlit as st

from app import text
from app.settings import settings

T = TypeVar("T")
N = TypeVar("N", int, float)

_PAGE = "vitrine.page"
_VALUE = "vitrine.value"
_NOTHING = object()
_pending: ContextVar[dict[str, str | None] | None] = ContextVar("address", default=None)
_ASKED = "vitrine.asked"  # names of the choices that the last whole run asked for
_REFUSED = "vitrine.refused"  # what the link of this page asked for and cannot have, by name
_PUT = "vitrine.put"  # whether a callback has written to the address since the last run
_WRITTEN = "vitrine.written"
# A run that follows at once (a job has ended) makes Streamlit drop what it had not sent of the run before, the values
# of new widgets among them; the browser would then take a slider's lowest value and report that as a choice. So one
# is told its value in every run of so many seconds after it was set. Not for ever: that would fight a drag.
SURELY = 15.0
_LONGEST = 200  # characters of a query value that are looked at
_SHOWN = 40  # characters of a refused one that are said
_FEW = 12  # choices that are still told one by one
_known: set[str] = set()  # what choices are called, on any page


@dataclass(frozen=True)
class Param(Generic[T]):
    """One choice of a page.

    name: the query parameter. parse: from the link's text; ValueError, KeyError, IndexError or OverflowError
    mean "not readable". format: back to text; the two must be inverse. allowed: the legal values, where they
    are fixed.
    """

    name: str
    default: T
    parse: Callable[[str], T] = str  # type: ignore[assignment]
    format: Callable[[T], str] = str
    allowed: Collection[T] | None = None

    def __post_init__(self) -> None:
        known(self.name)


def known(*names: str) -> None:
    """Say what choices are called that are made later than their module is imported, such as those of a result.

    A link may name them before a page asks for them; what is not known stays in no address.
    """
    _known.update(names)


@dataclass
class _Held:
    """A value in the session and every text by which a link has named it so far.

    restore: the visitor went back or forward in the browser, and the value has not been taken from the address yet.
    text: how the address has it, None where it is left out. linked: how this run's link put it, "" where it did not.
    """

    value: Any
    seen: set[str] = field(default_factory=set)
    restore: bool = False
    text: str | None = None
    linked: str = ""


@dataclass(frozen=True)
class Refused:
    """A value of the link that cannot be had. rule: a key of app/text, with its words, that says what can."""

    name: str
    value: str
    rule: str
    details: Mapping[str, str]


# -- readers for the common kinds of values ----------------------------------------------------------------


class Unfit(ValueError):
    """A choice cannot be read from this text. rule: a key of app/text that says what can be; details: its words."""

    def __init__(self, rule: str, **details: str):
        super().__init__(rule)
        self.rule, self.details = rule, details


def parse_flag(raw: str) -> bool:
    """ "1" or "0". Raises Unfit otherwise."""
    if raw not in ("0", "1"):
        raise Unfit("link.choice", choices="0, 1")
    return raw == "1"


def format_flag(value: bool) -> str:
    return "1" if value else "0"


def _within(low: N, high: N, read: Callable[[str], N], rule: str, raw: str) -> N:
    try:
        value = read(raw)
        if low <= value <= high:  # nan lies nowhere
            return value
    except (ValueError, OverflowError):
        pass
    raise Unfit(rule, least=_plainly(low), most=_plainly(high))


def parse_number(low: float, high: float) -> Callable[[str], float]:
    """A reader of a finite number within [low, high]; outside it is not readable (Unfit)."""
    return partial(_within, low, high, float, "link.number")


def format_number(value: float) -> str:
    return f"{value:g}"


def parse_whole(low: int, high: int) -> Callable[[str], int]:
    """A reader of a whole number within [low, high] (Unfit otherwise)."""
    return partial(_within, low, high, int, "link.whole")


def _plainly(value: float) -> str:
    return str(value) if isinstance(value, int) else format_number(value)


def parse_pick(raw: str) -> tuple[int, int] | None:
    """ "x,y" in picture pixels, both from 0 to 10⁶ (ValueError otherwise); the empty text is no pick."""
    if not raw:
        return None
    x, y = (int(part) for part in raw.split(","))
    if not (0 <= x <= 10**6 and 0 <= y <= 10**6):
        raise ValueError(raw)
    return x, y


def format_pick(pick: tuple[int, int] | None) -> str:
    return "" if pick is None else f"{pick[0]},{pick[1]}"


# -- the choices of the current page -----------------------------------------------------------------------


def enter(page: str) -> None:
    """Called by the entry point before a page runs: the choices that follow belong to this page."""
    if st.session_state.get(_PAGE) != page:
        st.session_state[_REFUSED] = {}
    st.session_state[_PAGE] = page
    if _went_back():
        shelf: dict[str, _Held] = st.session_state.get(f"{_VALUE}:{page}", {})
        for held in shelf.values():
            held.restore = True


def _went_back() -> bool:
    """Whether this run comes from the browser's Back or Forward. Streamlit before 1.67 does not tell: then False."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    return bool(getattr(get_script_run_ctx(suppress_warning=True), "is_history_navigation", False))


def page() -> str:
    """Name of the page that runs, "" outside of one."""
    return str(st.session_state.get(_PAGE, ""))


def get(param: Param[T], allowed: Collection[T] | None = None) -> T:
    """Current value of a choice on this page.

    allowed: the legal values of this moment (the layers of the chosen model, say); the default, or the first
    of them where the default is not among them, stands in for a value that is no longer legal.
    """
    held = _held(param)
    _believe(param, held)
    legal = allowed if allowed is not None else param.allowed
    if legal is not None and held.value not in legal:
        if held.linked:
            _refuse(param, held.linked, _among(param, legal))
        held.value = _stand_in(param, legal)
    _write(param, held)
    current: T = held.value
    return current


def put(param: Param[T], value: T) -> None:
    """Set a choice of this page; the address follows."""
    held = _held(param)
    raw = st.query_params.get(param.name)
    if raw is not None:
        held.seen.add(raw)  # the choice is newer than the link
    held.value, held.restore, held.linked = value, False, ""
    _refusals().pop(param.name, None)
    _write(param, held)


def set_aside(param: Param[Any]) -> None:
    """Leave a choice out of the address while nothing reads it; the session keeps it, and `get` brings it back."""
    held = _held(param)
    _believe(param, held)
    if not _went_back():  # an address written then would throw the visitor forward again
        _write(param, held, leave_out=True)


def bind(
    param: Param[T],
    allowed: Collection[T] | None = None,
    *,
    suffix: str = "",
    on_change: Callable[[], None] | None = None,
) -> dict[str, Any]:
    """Keyword arguments (`key`, `on_change`) that tie a Streamlit widget to a choice.

    Give the widget no `value` or `index` of its own. suffix tells apart two widgets of one choice. on_change
    is called after the choice has been taken over.
    """
    key = widget_key(param, suffix)
    _tell(key, get(param, allowed))
    anything: Param[Any] = param

    def take_over() -> None:
        value = st.session_state.get(key)
        with one_address(part=True):
            if value is not None or param.default is None:  # pills and segmented controls may be switched off
                put(anything, value)
            if on_change is not None:
                on_change()

    return {"key": key, "on_change": take_over}


def follow(param: Param[Any], leader: int | float) -> dict[str, Any]:
    """`bind` for a number that is the leader's until the visitor chooses another: a seed "as it was".

    A negative choice, the param's default, says "as the leader": so the leader's own value never stands in the link.
    """
    key = widget_key(param)
    chosen = get(param)
    _tell(key, leader if chosen < 0 else chosen)

    def take_over() -> None:
        value = st.session_state.get(key)
        if value is not None:
            put(param, param.default if value == leader else type(param.default)(value))

    return {"key": key, "on_change": take_over}


def _tell(key: str, value: Any) -> None:
    """Set a widget where it shows something else, and again in the runs that follow at once (see SURELY)."""
    written: dict[str, float] = st.session_state.setdefault(_WRITTEN, {})
    if st.session_state.get(key, _NOTHING) != value:
        written[key] = time.monotonic()
    if time.monotonic() - written.get(key, -SURELY) < SURELY:
        st.session_state[key] = value


def widget_key(param: Param[Any], suffix: str = "") -> str:
    """Key of the widget that `bind` ties to a choice of this page."""
    return ".".join(part for part in (page() or "page", param.name, suffix) if part)


def refused() -> list[Refused]:
    """What this page's link asked for and cannot have, until the visitor chooses that, or leaves the page."""
    return list(_refusals().values())


def forget(param: Param[Any]) -> None:
    """Back to the default; the address follows."""
    put(param, param.default)


def user_token() -> str:
    """Names this visitor in the engine's fair queue: Streamlit's session id, "" outside of a session."""
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    context = get_script_run_ctx(suppress_warning=True)
    return context.session_id if context is not None else ""


def plain(words: str) -> str:
    """A text from outside (a file name, a title) so that Markdown shows it as it is."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]()<>#+-.!|~$:&" else c for c in words)


# -- language ----------------------------------------------------------------------------------------------

known(text.PARAMETER)


def sync_language() -> str:
    """Bring the session's language and the link's together; called once a run by the entry point."""
    fresh = text.SESSION_KEY not in st.session_state
    code = text.language()
    raw = st.query_params.get(text.PARAMETER)
    seen: set[str] = st.session_state.setdefault(f"{text.SESSION_KEY}.seen", set())
    if _went_back():
        if raw is not None and raw in text.LANGUAGES:
            text.set_language(raw)
        return text.language()  # an address written now would throw the visitor forward again
    if raw is not None and raw in text.LANGUAGES and raw not in seen and not fresh:
        text.set_language(raw)
        code = raw
    seen.update(part for part in (raw, code) if part)
    spoken = text.best_language(settings().language or st.context.locale)
    if code != (raw or spoken):
        st.query_params[text.PARAMETER] = code
    return code


# -- inside ------------------------------------------------------------------------------------------------


def _held(param: Param[Any]) -> _Held:
    shelf: dict[str, _Held] = st.session_state.setdefault(f"{_VALUE}:{page()}", {})
    if param.name not in shelf:
        shelf[param.name] = _Held(param.default)
    return shelf[param.name]


def _believe(param: Param[Any], held: _Held) -> None:
    """Take over from the address what this session has not seen there before, or all of it after Back and Forward."""
    raw = st.query_params.get(param.name)
    if held.restore and raw is None:
        held.value = param.default
    if raw is not None and (held.restore or raw not in held.seen):
        held.seen.add(raw)
        value, unfit = _read(param, raw)
        if unfit is None or held.restore:
            held.value = value
        held.linked = raw if unfit is None else ""
        _refusals().pop(param.name, None)
        if unfit is not None:
            _refuse(param, raw, unfit)
    held.restore = False


def _read(param: Param[T], raw: str) -> tuple[T, Unfit | None]:
    """The value; where the text is not readable, the default and what would be."""
    unfit = Unfit("link.unreadable") if param.allowed is None else _among(param, param.allowed)
    try:
        value = param.parse(raw[: _LONGEST + 1])
        if len(raw) <= _LONGEST:
            return value, None
    except Unfit as said:
        unfit = said
    except (ValueError, KeyError, IndexError, OverflowError, TypeError):
        pass
    return param.default, unfit


def _among(param: Param[Any], legal: Collection[Any]) -> Unfit:
    if len(legal) > _FEW:
        return Unfit("link.unreadable")
    named = (param.format(value) for value in legal if value is not None)
    return Unfit("link.choice", choices=", ".join(filter(None, named)))


def _refusals() -> dict[str, Refused]:
    found: dict[str, Refused] = st.session_state.setdefault(_REFUSED, {})
    return found


def _refuse(param: Param[Any], raw: str, unfit: Unfit) -> None:
    _refusals()[param.name] = Refused(param.name, raw[:_SHOWN], unfit.rule, unfit.details)


def _stand_in(param: Param[T], legal: Collection[T]) -> T:
    return param.default if param.default in legal or not legal else next(iter(legal))


def _write(param: Param[Any], held: _Held, leave_out: bool = False) -> None:
    """Bring the query string up to date. A default is left out, which keeps addresses short."""
    wanted = None if leave_out or held.value == param.default else param.format(held.value)
    held.text = wanted
    pending = _pending.get()
    current = st.query_params.get(param.name)
    if pending is not None:
        if wanted is not None:
            held.seen.add(wanted)
        pending[param.name] = wanted
    elif wanted is None:
        if current is not None:
            del st.query_params[param.name]
            st.session_state[_PUT] = True
    elif wanted != current:
        held.seen.add(wanted)
        st.query_params[param.name] = wanted
        st.session_state[_PUT] = True


@contextmanager
def one_address(part: bool = False) -> Iterator[None]:
    """What the body changes in the query string is written once, at its end.

    Each write is an entry in the browser's history; a page that settles five choices on its first run should not
    cost its reader five presses of Back. part: the body is a fragment's, which asks for few of the page's choices.
    After a whole run nothing is left in the address that no choice is called by.
    """
    if _pending.get() is not None:
        yield
        return
    pending: dict[str, str | None] = {}
    token = _pending.set(pending)
    ended = False
    try:
        yield
        ended = True
    finally:
        _pending.reset(token)
        before = st.query_params.to_dict()
        after = {name: value for name, value in (before | pending).items() if value is not None}
        put_before = st.session_state.pop(_PUT, False)
        if not part:
            for held in st.session_state.get(f"{_VALUE}:{page()}", {}).values():
                held.linked = ""  # what is not allowed from now on was not this link's fault
            st.session_state[_ASKED] = tuple(pending)
            if ended and not _went_back():  # a page that stopped early has not asked for all that it reads
                after = {name: value for name, value in after.items() if name in _known}
        elif put_before or after != before:
            after = _caught_up(after)
        if after != before:
            st.query_params.from_dict(after)


def _caught_up(address: dict[str, str]) -> dict[str, str]:
    """An address with the other choices of the page as the session has them.

    A run comes with the browser's address, which lacks what runs before it wrote when presses follow fast. A whole run
    sets all choices anew; a fragment would write the old ones back. A text that no one has read yet stays.
    """
    shelf: dict[str, _Held] = st.session_state.get(f"{_VALUE}:{page()}", {})
    found = dict(address)
    for name in st.session_state.get(_ASKED, ()):
        held, raw = shelf.get(name), address.get(name)
        if held is None or held.restore or (raw is not None and raw not in held.seen):
            continue
        if held.text is None:
            found.pop(name, None)
        else:
            found[name] = held.text
    return found


def values() -> Mapping[str, Any]:
    """Every choice of this page that has been made or asked for, by name."""
    shelf: dict[str, _Held] = st.session_state.get(f"{_VALUE}:{page()}", {})
    return {name: held.value for name, held in shelf.items()}

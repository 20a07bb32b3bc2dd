"""Every sentence a user reads, one catalogue a language.

A catalogue is the union of the modules of `app/text/<language>/`, each with `MESSAGES: dict[str, str]`; they
are found by listing the package, so an area is added by adding a file to every language. Keys are dotted
message ids (`"swinir.title"`), placeholders are named (`"{done} of {total} tiles"`) and may carry a format
(`"{n:,}"`); a brace that is meant as a brace is doubled.

The language belongs to the session, never to the process: two visitors of one server may read two languages.
It is, in this order, what `using` set in the current context (scripts, background threads), what the visitor
chose in this session, what the link says (`?lang=zh`), what the browser asks for, and English.
"""

from __future__ import annotations

import logging
import os
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "zh": "中文"})
DEFAULT = "en"
PARAMETER = "lang"
SESSION_KEY = "vitrine.language"

_context_language: ContextVar[str | None] = ContextVar("language", default=None)
_log = logging.getLogger("vitrine.text")


@cache
def catalogue(code: str) -> Mapping[str, str]:
    """Every message of one language. Raises ValueError where two areas define one key."""
    package = import_module(f"{__name__}.{code}")
    found: dict[str, str] = {}
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        messages: dict[str, str] = import_module(f"{package.__name__}.{module.name}").MESSAGES
        twice = found.keys() & messages.keys()
        if twice:
            raise ValueError(f"{package.__name__}.{module.name} defines again: {sorted(twice)}")
        found |= messages
    return MappingProxyType(found)


def t(key: str, /, **values: Any) -> str:
    """The message `key` in the current language, its placeholders filled with `values`.

    A key that is missing raises KeyError under pytest or with VITRINE_STRICT_TEXT set; otherwise the reader
    gets the English message, or the key where there is none.
    """
    code = language()
    message = catalogue(code).get(key)
    if message is None:
        if _strict():
            raise KeyError(f"no message {key!r} in {code!r}")
        _log.warning("no message %r in %r", key, code)
        message = catalogue(DEFAULT).get(key, key)
    try:
        return message.format_map(values)
    except (KeyError, IndexError, ValueError):
        if _strict():
            raise
        _log.warning("the values of %r do not fit its message", key)
        return message


def has(key: str) -> bool:
    """Whether the current language has this message."""
    return key in catalogue(language())


def language() -> str:
    """Code of the language of this context or session: "en" or "zh"."""
    chosen = _context_language.get()
    if chosen is not None:
        return chosen
    session = _session()
    if session is None:
        return DEFAULT
    if session.get(SESSION_KEY) not in LANGUAGES:
        session[SESSION_KEY] = _asked_for()
    return session[SESSION_KEY]


def set_language(code: str) -> None:
    """Choose the language of this session. Raises ValueError for a language without a catalogue."""
    if code not in LANGUAGES:
        raise ValueError(f"no catalogue for {code!r}; there is {sorted(LANGUAGES)}")
    session = _session()
    if session is not None:
        session[SESSION_KEY] = code


@contextmanager
def using(code: str) -> Iterator[None]:
    """Use a language in this context whatever the session says (scripts, tests, background threads)."""
    if code not in LANGUAGES:
        raise ValueError(f"no catalogue for {code!r}; there is {sorted(LANGUAGES)}")
    token = _context_language.set(code)
    try:
        yield
    finally:
        _context_language.reset(token)


def best_language(locale: str | None) -> str:
    """The catalogue that suits a browser's locale such as "zh-CN"; English where none does."""
    code = (locale or "").replace("_", "-").split("-")[0].strip().lower()
    return code if code in LANGUAGES else DEFAULT


def _session() -> Any:
    """Streamlit's session state where this thread runs a page, else None. Never imports Streamlit itself."""
    if "streamlit" not in sys.modules:
        return None
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    import streamlit as st

    return st.session_state


def _asked_for() -> str:
    """The language of a new session: from the link, else VITRINE_LANGUAGE, else from the browser."""
    import streamlit as st

    from app.settings import settings

    linked = st.query_params.get(PARAMETER)
    if linked is not None and linked in LANGUAGES:
        return linked
    return best_language(settings().language or st.context.locale)


def _strict() -> bool:
    return "PYTEST_CURRENT_TEST" in os.environ or bool(os.environ.get("VITRINE_STRICT_TEXT"))

"""Unexpected failures end in a polite sentence, not in a traceback, and the app lives on.

What goes wrong in a known way (a bad picture, weights that are not here) is answered where it happens. This is
for the rest: the visitor gets an error number, the log gets the number, the kind of exception and the lines it
passed through. Its message is not logged, because it may quote what the visitor put in.
"""

from __future__ import annotations

import functools
import logging
import os
import secrets
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import streamlit as st

from app.engine import EngineError, as_user
from app.text import t
from app.widgets.state import one_address, user_token

P = ParamSpec("P")
R = TypeVar("R")

_log = logging.getLogger("vitrine")


@contextmanager
def guard(part: bool = False) -> Iterator[None]:
    """Runs the body as this visitor and turns an exception into a sentence. part: the body is a fragment.

    Under pytest the exception is raised, unless VITRINE_POLITE_ERRORS is set. An EngineError that no one answered
    says its own sentence.
    """
    try:
        with as_user(user_token()), one_address(part):
            yield
    except EngineError as error:
        st.error(t(error.reason, **error.details), icon=":material/info:")
    except Exception as error:  # Streamlit's stop and rerun are BaseExceptions and pass
        if "PYTEST_CURRENT_TEST" in os.environ and not os.environ.get("VITRINE_POLITE_ERRORS"):
            raise
        st.error(t("error.unexpected", number=report(error)), icon=":material/healing:")


def report(error: BaseException) -> str:
    """Log an exception without its message; returns the number it was logged under."""
    number = secrets.token_hex(3)
    where = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)[-12:]))
    _log.error("error %s: %s at\n%s", number, type(error).__qualname__, where)
    return number


def fragment(function: Callable[P, R] | None = None, *, run_every: float | None = None) -> Any:
    """`st.fragment` whose failures are guarded too: a fragment reruns without the entry point around it."""

    def wrap(inner: Callable[P, R]) -> Callable[P, R | None]:
        @functools.wraps(inner)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R | None:
            result: list[R] = []  # empty where the guard caught something
            with guard(part=True):
                result.append(inner(*args, **kwargs))
            return result[0] if result else None

        wrapped: Callable[P, R | None] = st.fragment(guarded, run_every=run_every)
        return wrapped

    return wrap if function is None else wrap(function)

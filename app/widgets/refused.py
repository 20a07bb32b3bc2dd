"""What a link asks for and cannot have: said to the visitor, until something else is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from app.widgets import state

LONGEST = 40  # characters of a refused value that are shown


def refused(key: str, params: Mapping[str, state.Param[Any]]) -> dict[str, str]:
    """By name in the link, the values that cannot be had. key: where they are remembered, one for each page.

    Call it before any choice is read: reading mends the link.
    """
    kept: dict[str, str] = st.session_state.setdefault(key, {})
    for name, param in params.items():
        raw = st.query_params.get(name)
        if raw is not None and not state.readable(param, raw):
            kept[name] = raw[:LONGEST]
    for name in list(kept):
        if state.get(params[name]) != params[name].default:
            del kept[name]
    return kept

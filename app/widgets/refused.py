"""What a link asks for and cannot have is said above the page."""

from __future__ import annotations

import streamlit as st

from app.text import t
from app.widgets import state


def say_refused() -> None:
    """One box with a sentence for each. Call it after the page has read its choices."""
    sentences = [
        t(refusal.rule, name=refusal.name, value=state.plain(refusal.value), **refusal.details)
        for refusal in state.refused()
    ]
    if sentences:
        st.info("  \n".join([*sentences, t("link.left_out")]), icon=":material/link:")

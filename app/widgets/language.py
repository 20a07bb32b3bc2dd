"""The language switch."""

from __future__ import annotations

import streamlit as st

from app.text import LANGUAGES, PARAMETER, language, set_language, t


def language_choice(place: str) -> None:
    """English or 中文; `place` tells apart several switches on one screen."""
    key = f"vitrine.language.{place}"
    current = language()
    if st.session_state.get(key) != current:
        st.session_state[key] = current

    def take_over() -> None:
        chosen = st.session_state.get(key)
        if chosen:  # a second click on the chosen one switches it off: keep the language
            set_language(chosen)
            st.query_params[PARAMETER] = chosen

    st.segmented_control(
        t("shell.language"),
        tuple(LANGUAGES),
        format_func=lambda code: LANGUAGES[code],
        key=key,
        on_change=take_over,
        label_visibility="collapsed",
    )

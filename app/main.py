"""Entry point: `streamlit run app/main.py` from the repository root.

Page config, theme, language, navigation, the engine badge; then the chosen page runs inside a guard.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:  # Streamlit puts only the folder of this file on the path
    sys.path.insert(0, str(ROOT))

import streamlit as st  # noqa: E402

from app.navigation import pages_by_title  # noqa: E402
from app.text import t  # noqa: E402
from app.widgets import header, state, style  # noqa: E402
from app.widgets.guard import guard  # noqa: E402
from app.widgets.language import language_choice  # noqa: E402
from app.widgets.refused import say_refused  # noqa: E402

st.set_page_config(
    page_title="Vitrine",
    page_icon=str(ROOT / "app" / "assets" / "favicon.png"),  # a material icon would come from a CDN
    layout="wide",
    initial_sidebar_state="auto",
    menu_items={"Get help": None, "Report a bug": None, "About": None},
)
code = state.sync_language()
style.apply()

page = st.navigation(pages_by_title(ROOT), expanded=True)
state.enter(page.url_path or "home")

with st.container(key="vitrine-topbar", horizontal=True, horizontal_alignment="right"):
    language_choice("top")  # shown where the side bar is folded away: on a phone

with st.sidebar:
    language_choice("side")
    header.engine_choice()
    st.caption(t("shell.privacy"))
    style.tell_browser(code)

above = st.container()
try:
    with guard():
        page.run()
finally:  # also where a page stops early
    with above:
        say_refused()

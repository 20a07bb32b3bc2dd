"""The few rules of style that Streamlit's theme cannot say. Colours come from the theme's own variables."""

from __future__ import annotations

import streamlit as st

RULES = """<style>
dl.v-badges { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: 0; padding: 0; }
.v-badges div { display: flex; flex-direction: column; min-width: 0; }
.v-badges dt { font-size: .74rem; letter-spacing: .04em; opacity: .78; margin: 0; font-weight: 400; }
.v-badges dd { margin: 0; margin-inline-start: 0; padding: 0; font-size: .95rem;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.v-badges dd span { opacity: .8; font-size: .85rem; margin-inline-start: .25em; }
[data-testid="stMainBlockContainer"] { max-width: 76rem; padding-top: 3.2rem; padding-bottom: 3rem; }
p.v-lead { font-family: "Source Serif", Georgia, "Songti SC", "Noto Serif CJK SC", serif; font-style: italic;
  font-size: 1.3rem; margin: 0; opacity: .85; }
p.v-lead:lang(zh) { font-style: normal; }
[data-testid="stMarkdownContainer"] p { text-wrap: pretty; }
[data-testid="stSliderThumbValue"], [data-testid="stSliderThumbValue"] p { white-space: nowrap; }
[data-testid="stCaptionContainer"] { opacity: .8; }
[data-testid="stBaseButton-primary"], [data-testid="stBaseButton-primary"] * { color: Canvas; }
.katex-display { overflow-x: auto; overflow-y: hidden; }
[class*="st-key-vitrine-topbar"] { display: none; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding: 4.4rem 1rem 2.5rem; }
  [class*="st-key-vitrine-topbar"] { display: flex; }
  h1 { font-size: 1.8rem !important; }
  .katex-display { font-size: .82em; }
}
@media (prefers-reduced-motion: reduce) { * { scroll-behavior: auto !important; } }
</style>"""


def apply() -> None:
    """Called once a run by the entry point."""
    st.html(RULES)


def tell_browser(code: str) -> None:
    """Names the page's language to screen readers, hyphenation and fonts: Streamlit always says English."""
    st.html(f"<script>document.documentElement.lang = '{code}'</script>", unsafe_allow_javascript=True)

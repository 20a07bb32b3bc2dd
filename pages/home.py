"""Home: what Vitrine is, and every model with a picture of its own inside."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from app import navigation
from app.engine import read_report
from app.text import language, t
from app.widgets.header import number, score
from models.card import Card, ModelCard

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "app" / "assets" / "home"


def facts(card: Card) -> str:
    """Size and score of a model; of a method, that it is trained on the spot."""
    if not isinstance(card, ModelCard):
        return t("home.trained_live")
    first = card.weights[0]
    report = read_report(card.report_path(first))
    config = {**first.config, **report.get("config", {})}
    said = [t("home.parameters", n=number(card.parameters(config))), score(card.slug, report)]
    return " · ".join(fact for fact in said if fact)


def exhibit(card: Card) -> None:
    """One page: its picture, name, sentence, size and score, and the way in."""
    with st.container(border=True, height="stretch"):
        picture = PICTURES / f"{card.slug}.webp"
        if picture.is_file():
            st.image(str(picture), alt=t(f"home.{card.slug}.alt"), width="stretch")
        else:
            st.caption(t("home.not_rendered"))
        title = navigation.title_of(card)
        st.subheader(title, anchor=False)
        st.markdown(t(f"home.{card.slug}.sentence"))
        st.caption(facts(card))
        st.page_link(
            navigation.page_of(card, ROOT),
            label=t("home.open", title=title),
            icon=":material/arrow_forward:",
        )


st.title(t("home.title"), anchor=False)
st.html(f'<p class="v-lead" lang="{language()}">{escape(t("home.lead"))}</p>')
st.markdown(t("home.about"))

st.header(t("home.rooms"), anchor=False)
cards = navigation.listed(ROOT)
for row in range(0, len(cards), 3):
    columns = st.columns(3 if len(cards) > 2 else 2, gap="medium")
    for column, card in zip(columns, cards[row : row + len(columns)], strict=False):
        with column:
            exhibit(card)

st.header(t("home.note"), anchor=False)
for step in ("input", "inside", "play", "take"):
    st.markdown(t(f"home.step.{step}"))

"""Which pages there are: home, and one for every card of the registry whose page exists, grouped by family."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from app.text import has, t
from models.card import Card
from models.registry import heads

ICONS = {
    "cnn": ":material/filter_center_focus:",
    "recurrent": ":material/cycle:",
    "generative": ":material/blur_on:",
    "attention": ":material/hub:",
    "vision": ":material/grid_view:",
    "language": ":material/notes:",
    "multimodal": ":material/perm_media:",
    "graph": ":material/share:",
}


def page_path(card: Card, root: Path) -> Path:
    return root / "pages" / f"{card.page}.py"


def title_of(card: Card) -> str:
    """What a page is called: by its card, or in words of its own where it shows several of a kind."""
    own = f"nav.{card.page}"
    return t(own) if has(own) else card.title


def listed(root: Path) -> tuple[Card, ...]:
    """The cards that have a page, in the registry's order; a planned page is not listed. One card for one page."""
    found: dict[str, Card] = {}
    for card in heads():
        if page_path(card, root).is_file():
            found.setdefault(card.page, card)
    return tuple(found.values())


def page_of(card: Card, root: Path) -> Any:
    """The st.Page of a card; equal paths give equal pages, so a link to it may be made anywhere."""
    return st.Page(
        page_path(card, root),
        title=title_of(card),
        icon=ICONS.get(card.family, ":material/category:"),
        url_path=card.page,
    )


def pages_by_title(root: Path) -> dict[str, list[Any]]:
    """Argument of st.navigation: pages under the title of their family."""
    home = st.Page(root / "pages" / "home.py", title=t("home.nav"), icon=":material/museum:", default=True)
    groups: dict[str, list[Any]] = {"": [home]}
    for card in listed(root):
        groups.setdefault(t(f"family.{card.family}"), []).append(page_of(card, root))
    return groups

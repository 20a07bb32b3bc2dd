"""Inside the embedding methods in a browser: picks by pointer and by keyboard, a narrow page, accessibility."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import App, beyond_baseline, overflow, settle

VIEWS = (
    ("deepwalk", "pairs"),
    ("node2vec", "walk"),
    ("line", "second"),
    ("struc2vec", "rings"),
    ("sdne", "row"),
)


TRAINED = 300_000  # milliseconds that a training may take on a machine that has other things to do


def block(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key.replace(':', '-').replace('.', '-')}").first


def part(page: Page, key: str, name: str) -> Locator:
    """A thing to click in a drawing, as wide as the page shows it."""
    found = block(page, key).locator(f"[data-id='{name}']:visible").first
    found.scroll_into_view_if_needed()
    return found


def wait(page: Page) -> None:
    page.wait_for_timeout(400)
    settle(page, limit=150)


def test_a_clicked_node_starts_the_walk_and_a_bar_chooses_the_context(app: App) -> None:
    page = app.open("/graph_embeddings")
    block(page, "embed_inside:walk").locator("svg").first.wait_for(timeout=TRAINED)
    part(page, "embed_inside:walk", "11").click()
    page.wait_for_url(re.compile("node=11"), timeout=60_000)
    wait(page)
    page = app.open("/graph_embeddings", inside="loss", node="11")
    block(page, "embed_inside:contexts.of").locator("svg").first.wait_for(timeout=TRAINED)
    bar = block(page, "embed_inside:contexts.of").locator("[data-id]:visible").nth(2)
    name = bar.get_attribute("data-id")
    bar.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"pair={name}"), timeout=60_000)


@pytest.mark.parametrize(("number", "method", "view"), [(k, *each) for k, each in enumerate(VIEWS)])
def test_every_method_on_a_phone(app: App, number: int, method: str, view: str) -> None:
    page = app.open(
        "/graph_embeddings",
        lang=("en", "zh")[number % 2],
        dark=bool(number % 3),
        width=390,
        method=method,
        inside=view,
    )
    page.locator("[class*='st-key-embed_inside'] svg:visible").first.wait_for(timeout=TRAINED)
    wait(page)
    assert overflow(page) <= 0
    assert beyond_baseline(page) == []

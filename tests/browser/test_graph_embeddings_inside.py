"""Inside the embedding methods in a browser: picks by pointer and by keyboard, a narrow page, accessibility."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import App, settle
from tests.browser.driver import block, fits, linked, part

VIEWS = (
    ("deepwalk", "pairs"),
    ("node2vec", "walk"),
    ("line", "second"),
    ("struc2vec", "rings"),
    ("sdne", "row"),
)


TRAINED = 300_000  # milliseconds that a training may take on a machine that has other things to do


def test_a_clicked_node_starts_the_walk_and_a_bar_chooses_the_context(app: App) -> None:
    page = app.open("/graph_embeddings")
    block(page, "embed_inside:walk").locator("svg").first.wait_for(timeout=TRAINED)
    part(page, "embed_inside:walk", "11").click()
    linked(page, "node=11")
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
    settle(page)
    fits(page)

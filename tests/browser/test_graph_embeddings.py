"""Graph embeddings in a browser: the cloud moves without a rerun, picks join both pictures, files, all screens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from app.text import t, using
from models.registry import METHODS
from tests.browser.conftest import App, settle
from tests.browser.driver import (
    LOOKS,
    PATIENCE,
    another,
    block,
    fits,
    in_view,
    linked,
    part,
    pixels,
    rest,
    runs,
    slider,
    takes,
    watch_runs,
)

QUICK: dict[str, Any] = {"dim": "8", "deepwalk_walks": "4"}


def cloud(page: Page, key: str = "embeddings.cloud") -> Locator:
    """The canvas of a cloud that has been drawn."""
    canvas = block(page, key).locator("canvas").first
    canvas.wait_for(timeout=120_000)
    return in_view(canvas)


def test_the_cloud_moves_without_a_rerun_and_the_moment_stays_in_the_link(app: App) -> None:
    page = app.open("/graph_embeddings", **QUICK)
    end = pixels(cloud(page))
    watch_runs(page)
    slider(page, "embeddings.cloud").focus()
    page.keyboard.press("Home")
    another(cloud(page), end)
    assert runs(page) <= 1  # told once it rests, never moment by moment
    linked(page, "moment=0")
    untrained = t("graph_embeddings.moment.start")
    block(page, "embeddings.cloud").get_by_text(untrained).first.wait_for()
    again = takes(app, page)
    cloud(again)
    block(again, "embeddings.cloud").get_by_text(untrained).first.wait_for()


@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_click_on_the_graph_asks_the_cloud_for_the_neighbours(app: App, code: str) -> None:
    page = app.open("/graph_embeddings", lang=code, **QUICK)
    before = pixels(cloud(page))
    with using(code):
        page.get_by_text(t("graph_embeddings.near.hint")).wait_for()
        part(page, "embeddings.graph", "33").click()
        linked(page, "node=33")
        page.get_by_text(t("graph_embeddings.near.legend")).wait_for()
        another(cloud(page), before)
        block(page, "embeddings.cloud").locator("[tabindex='0']").first.focus()
        page.keyboard.press("Escape")  # lets it go
        page.get_by_text(t("graph_embeddings.near.hint")).wait_for()
        linked(page, without="node=")


def test_a_method_is_one_click_away_and_its_formula_fits_a_phone(app: App) -> None:
    page = app.open("/graph_embeddings", width=390, **QUICK)
    cloud(page)
    for method in METHODS:
        block(page, "graph_embeddings.method").get_by_text(METHODS[method].title, exact=True).click()
        page.get_by_text(t(f"graph_embeddings.method.{method}")).wait_for()
        page.locator(".v-badges").filter(has_text=METHODS[method].title).first.wait_for(timeout=120_000)
        settle(page)
        cloud(page)
        formula = page.locator(".katex-display").first
        edges = """e => [...e.querySelectorAll('.base')].map(part => part.getBoundingClientRect()).flatMap(
            box => [box.left, box.right])"""
        found = formula.evaluate(edges)
        assert min(found) >= 0 and max(found) <= 390, (method, found)


def test_a_long_training_shows_how_far_it_is_and_is_stopped(app: App) -> None:
    page = app.open("/graph_embeddings", method="line", line_samples="100000000", dim="64")
    block(page, "embeddings.train.start").locator("button").first.click(timeout=60_000)
    stop = block(page, "embeddings.train.cancel").locator("button").first
    stop.wait_for()
    page.get_by_role("progressbar").first.wait_for()
    block(page, "embeddings.graph").locator("svg").first.wait_for()  # all of the page is there
    stop.click()
    page.get_by_text(t("progress.cancelled")).wait_for()
    settle(page)
    block(page, "embeddings.graph").locator("svg").first.wait_for()


def test_a_cloud_is_not_drawn_anew_by_a_bar_that_goes(app: App) -> None:
    page = app.open("/graph_embeddings", graph="sbm", **QUICK)
    cloud(page).evaluate("canvas => { canvas.known = true; }")
    name = t("graph_embeddings.projection.tsne")
    block(page, "graph_embeddings.projection").get_by_text(name, exact=True).click()
    page.get_by_role("progressbar").first.wait_for()
    page.get_by_text(t("graph_embeddings.projection.tsne.says")).wait_for(timeout=PATIENCE)
    assert cloud(page).evaluate("canvas => canvas.known") is True


def test_a_recipe_puts_two_clouds_under_one_slider(app: App) -> None:
    page = app.open("/graph_embeddings", **QUICK)
    cloud(page)
    block(page, "embeddings.recipe.roles").locator("button").first.click()
    linked(page, "with=deepwalk", "graph=barbell")
    cloud(page, "embeddings.compare")
    assert block(page, "embeddings.compare").locator("canvas").count() == 2
    assert block(page, "embeddings.compare").locator("input[type=range]").count() == 1


def test_back_leads_to_the_graph_before_and_then_out_of_the_page(app: App) -> None:
    page = app.open("/", width=1440)
    page.get_by_role("link", name=t("nav.graph_embeddings")).first.click()
    cloud(page)
    chips = block(page, "graph_embeddings.graph")
    for graph in ("barbell", "tree"):
        chips.get_by_text(t(f"graph_input.sample.{graph}"), exact=True).click()
        linked(page, f"graph={graph}")
        rest(page)
    page.go_back()
    page.wait_for_url("**graph=barbell*")
    page.get_by_text(t("graph_input.sample.barbell.about")).wait_for()
    rest(page)
    assert "graph=barbell" in page.url
    page.go_back()
    page.get_by_text(t("graph_input.sample.karate.about")).wait_for()
    rest(page)
    assert "graph=" not in page.url
    page.go_back()
    page.get_by_text(t("graph_embeddings.near.hint")).wait_for(state="detached")
    assert "graph_embeddings" not in page.url


def test_the_files_come(app: App) -> None:
    page = app.open("/graph_embeddings", **QUICK)
    cloud(page)
    for name, check in (
        ("csv", table),
        ("npz", numbers),
        ("word2vec", text),
        ("projector", zipped),
        ("film", gif),
    ):
        button = block(page, f"embeddings.take.{name}").locator("button").first
        with page.expect_download() as download:
            button.click()
        check(Path(download.value.path()).read_bytes(), Path(download.value.path()))


def table(data: bytes, path: Path) -> None:
    assert len(data.splitlines()) == 35


def numbers(data: bytes, path: Path) -> None:
    found: Any = np.load(path, allow_pickle=False)
    assert found["vectors"].shape == (34, 8) and found["moments"].shape[1:] == (34, 8)


def text(data: bytes, path: Path) -> None:
    assert data.startswith(b"34 8\n")


def zipped(data: bytes, path: Path) -> None:
    assert data.startswith(b"PK")


def gif(data: bytes, path: Path) -> None:
    assert data.startswith(b"GIF8")


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(
    app: App, code: str, dark: bool, widths: tuple[int, int]
) -> None:
    choices = QUICK | {"node": "0", "with": "seed"}
    page = app.open("/graph_embeddings", width=widths[0], dark=dark, lang=code, **choices)
    cloud(page, "embeddings.compare")
    settle(page)
    fits(page, widths)

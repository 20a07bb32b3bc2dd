"""Graph embeddings in a browser: the cloud moves without a rerun, picks join both pictures, files, all screens."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from app.text import t, using
from models.registry import METHODS
from tests.browser.conftest import App, beyond_baseline, overflow, settle

QUICK: dict[str, Any] = {"dim": "8", "deepwalk_walks": "4"}
RUNS = """() => {
    window.runs = 0;
    const app = document.querySelector("[data-testid='stApp']");
    new MutationObserver(() => {
        if (app.getAttribute('data-test-script-state') === 'running') window.runs++;
    }).observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
}"""


def block(page: Page, key: str) -> Locator:
    return page.locator(f".st-key-{key.replace('.', '-')}").first


def cloud(page: Page, key: str = "embeddings.cloud") -> Locator:
    """The canvas of a cloud that has been drawn."""
    canvas = block(page, key).locator("canvas").first
    canvas.wait_for(timeout=120_000)
    canvas.scroll_into_view_if_needed()
    return canvas


def picture(page: Page, key: str = "embeddings.cloud") -> str:
    """What the canvas shows, as a data URI."""
    return str(cloud(page, key).evaluate("canvas => canvas.toDataURL()"))


def wait(page: Page, milliseconds: int = 400) -> None:
    page.wait_for_timeout(milliseconds)
    settle(page, limit=150)


def test_the_cloud_moves_without_a_rerun_and_the_moment_stays_in_the_link(app: App) -> None:
    page = app.open("/graph_embeddings", **QUICK)
    end = picture(page)
    page.evaluate(RUNS)
    knob = block(page, "embeddings.cloud").locator("input[type=range]")
    knob.focus()
    page.keyboard.press("Home")
    page.wait_for_timeout(120)
    assert picture(page) != end
    assert page.evaluate("window.runs") <= 1  # told once it rests, never moment by moment
    wait(page, 700)
    assert "moment=0" in page.url
    untrained = t("graph_embeddings.moment.start")
    block(page, "embeddings.cloud").get_by_text(untrained).first.wait_for()
    again = app.open(page.url.removeprefix(app.servers("onnx").url))
    cloud(again)
    block(again, "embeddings.cloud").get_by_text(untrained).first.wait_for()


@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_click_on_the_graph_asks_the_cloud_for_the_neighbours(app: App, code: str) -> None:
    page = app.open("/graph_embeddings", lang=code, **QUICK)
    before = picture(page)
    with using(code):
        page.get_by_text(t("graph_embeddings.near.hint")).wait_for()
        node = block(page, "embeddings.graph").locator("[data-id='33']:visible").first
        node.scroll_into_view_if_needed()
        node.click()
        wait(page)
        assert "node=33" in page.url
        legend = page.get_by_text(t("graph_embeddings.near.legend"))
        legend.wait_for()
        assert picture(page) != before
        cloud(page)
        block(page, "embeddings.cloud").locator("[tabindex='0']").first.focus()
        page.keyboard.press("Escape")  # lets it go
        wait(page)
        page.get_by_text(t("graph_embeddings.near.hint")).wait_for()
        assert "node=" not in page.url


@pytest.mark.parametrize("method", sorted(METHODS))
def test_a_method_is_one_click_away(app: App, method: str) -> None:
    page = app.open("/graph_embeddings", **QUICK)
    cloud(page)
    block(page, "graph_embeddings.method").get_by_text(METHODS[method].title, exact=True).click()
    wait(page)
    page.get_by_text(t(f"graph_embeddings.method.{method}")).wait_for()
    cloud(page)
    shown = page.locator(".v-badges").filter(has_text=METHODS[method].title)
    shown.first.wait_for(timeout=120_000)


def test_a_long_training_shows_how_far_it_is_and_is_stopped(app: App) -> None:
    page = app.open("/graph_embeddings", method="line", line_samples="100000000", dim="64")
    block(page, "embeddings.train.start").locator("button").first.click(timeout=60_000)
    stop = block(page, "embeddings.train.cancel").locator("button").first
    stop.wait_for(timeout=60_000)
    stop.click()
    page.get_by_text(t("progress.cancelled")).wait_for(timeout=30_000)
    settle(page)
    block(page, "embeddings.graph").locator("svg").first.wait_for()


def test_a_recipe_puts_two_clouds_under_one_slider(app: App) -> None:
    page = app.open("/graph_embeddings", **QUICK)
    cloud(page)
    block(page, "embeddings.recipe.roles").locator("button").first.click()
    wait(page)
    cloud(page, "embeddings.compare")
    assert block(page, "embeddings.compare").locator("canvas").count() == 2
    assert block(page, "embeddings.compare").locator("input[type=range]").count() == 1
    assert "with=deepwalk" in page.url and "graph=barbell" in page.url


def test_back_leads_to_the_graph_before_and_then_out_of_the_page(app: App) -> None:
    page = app.open("/", width=1440)
    page.get_by_role("link", name=t("nav.graph_embeddings")).first.click()
    cloud(page)
    chips = block(page, "graph_embeddings.graph")
    for graph in ("barbell", "tree"):
        chips.get_by_text(t(f"graph_input.sample.{graph}"), exact=True).click()
        page.wait_for_url(f"**graph={graph}*")
        wait(page, 1000)
    page.go_back()
    page.wait_for_url("**graph=barbell*")
    page.get_by_text(t("graph_input.sample.barbell.about")).wait_for()
    wait(page, 1000)
    assert "graph=barbell" in page.url
    page.go_back()
    page.get_by_text(t("graph_input.sample.karate.about")).wait_for()
    wait(page, 1000)
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
        button.scroll_into_view_if_needed()
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


def test_the_formula_of_every_method_fits_a_phone(app: App) -> None:
    page = app.open("/graph_embeddings", width=390, **QUICK)
    for method in METHODS:
        block(page, "graph_embeddings.method").get_by_text(METHODS[method].title, exact=True).click()
        page.get_by_text(t(f"graph_embeddings.method.{method}")).wait_for()
        formula = page.locator(".katex-display").first
        edges = """e => [...e.querySelectorAll('.base')].map(part => part.getBoundingClientRect()).flatMap(
            box => [box.left, box.right])"""
        page.wait_for_timeout(500)
        found = formula.evaluate(edges)
        assert min(found) >= 0 and max(found) <= 390, (method, found)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_it_fits_the_screen_and_is_open_to_everybody(app: App, width: int, dark: bool) -> None:
    code = "zh" if dark else "en"
    choices = QUICK | {"node": "0", "with": "seed"}
    page = app.open("/graph_embeddings", width=width, dark=dark, lang=code, **choices)
    cloud(page, "embeddings.compare")
    settle(page)
    assert overflow(page) <= 0
    assert beyond_baseline(page) == []

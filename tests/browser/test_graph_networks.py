"""The graph networks page in a browser: a clicked node is heard everywhere, the slider moves the embedding, files."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Locator, Page

from app.text import t, using
from tests.browser.conftest import App
from tests.browser.driver import another, block, fits, in_view, linked, part, pixels, runs, slider, watch_runs


def node(page: Page, key: str, number: int) -> Locator:
    found = block(page, key).locator(f"[data-id='{number}']").first
    return in_view(found)


@pytest.mark.parametrize(
    ("engine", "code"),
    [("onnx", "en"), ("onnx", "zh"), pytest.param("torch", "en", marks=pytest.mark.torch)],
)
def test_a_clicked_node_is_heard_in_every_section(app: App, engine: str, code: str) -> None:
    page = app.open("/graph_networks", engine=engine, lang=code)
    with using(code):
        node(page, "graph_networks.view", 11).click()  # member 12 knows only member 1
        linked(page, "node=11")
        words = t("graph_networks.stage.message.about", name="12", n=2, round=1, channels=16)
        page.get_by_text(re.sub(r"\*\*", "", words)).wait_for()
        page.get_by_text(t("graph_networks.stage.update")).first.click()
        linked(page, "stage=update")
        agrees = t("formula.agrees", difference="§", bound="§").split("§")[1]
        page.get_by_text(agrees).first.wait_for()
        assert not page.get_by_text(t("formula.differs", difference="§", bound="§").split("§")[1]).count()
        part(page, "graph_networks.strips", "c3").click()
        linked(page, "channel=3")


def test_a_node_is_picked_by_keyboard(app: App) -> None:
    page = app.open("/graph_networks")
    node(page, "graph_networks.view", 5).focus()
    page.keyboard.press("Enter")
    linked(page, "node=5")


def test_the_slider_moves_the_embedding_without_a_rerun_and_is_remembered(app: App) -> None:
    page = app.open("/graph_networks")
    knob = slider(page, "graph_networks.cloud")
    canvas = block(page, "graph_networks.cloud").locator("canvas").first
    last = pixels(canvas)
    watch_runs(page)
    knob.focus()
    page.keyboard.press("Home")
    another(canvas, last)
    linked(page, "look=0")
    assert runs(page) <= 4
    page.get_by_text(
        t("graph_networks.says.labels", epoch=0, right=0, count=0, percent=0, known=0, usual=0)[:13]
    ).wait_for()


def test_the_matrix_answers_a_click(app: App) -> None:
    page = app.open("/graph_networks", cell="3,4")
    picture = block(page, "graph_networks.matrix.picture").locator("img.base").first
    in_view(picture)
    box = picture.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.5)
    linked(page, "cell=", without="cell=3,4")


@pytest.mark.torch
def test_it_is_trained_here(app: App) -> None:
    page = app.open("/graph_networks", engine="torch", epochs="60")
    page.get_by_text(t("graph_networks.badge.trained")).first.wait_for(timeout=300_000)
    assert "epochs=60" in page.url


def test_the_files_come(app: App) -> None:
    page = app.open("/graph_networks", net="gat")
    for name in ("SVG", "PNG", "CSV", "NPZ", "weights"):
        button = block(page, f"graph_networks.take.{name}").locator("button").first
        with page.expect_download() as download:
            button.click()
        path = Path(download.value.path())
        assert path.stat().st_size > 200
        if name == "NPZ":
            assert np.load(path, allow_pickle=False)["vectors"].shape[1:] == (34, 16)


@pytest.mark.parametrize("net", ["gcn", "graphsage", "gat", "message_passing"])
@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)], ids=["wide-light", "narrow-dark"])
def test_it_fits_the_screen_and_is_open_to_everybody(app: App, net: str, width: int, dark: bool) -> None:
    page = app.open("/graph_networks", net=net, width=width, dark=dark, lang="zh" if dark else "en", node="2")
    fits(page)

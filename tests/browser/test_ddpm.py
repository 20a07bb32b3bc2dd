"""DDPM in a browser: the slider moves the pictures without a rerun, another seed another picture, branch, forward."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page

from app.text import t, using
from tests.browser.conftest import App, settle
from tests.browser.driver import (
    LOOKS,
    another,
    block,
    fits,
    linked,
    painted,
    pixels,
    rest,
    runs,
    slider,
    takes,
    watch_runs,
)


def canvas(page: Page, key: str, strip: int = 0) -> Locator:
    return block(page, key).locator("canvas").nth(strip)


def frames(page: Page, key: str, strip: int = 0) -> str:
    """What a canvas of a scrubber shows, as a data URI."""
    return pixels(canvas(page, key, strip))


def test_the_slider_moves_the_pictures_without_a_rerun_and_its_rest_is_in_the_link(app: App) -> None:
    page = app.open("/ddpm", steps="10")
    knob = slider(page, "ddpm.path")
    finished = frames(page, "ddpm.path")
    watch_runs(page)
    knob.focus()
    page.keyboard.press("Home")
    painted(page)
    noise = frames(page, "ddpm.path")
    assert noise != finished
    box = knob.bounding_box()
    assert box is not None
    y, seen = box["y"] + box["height"] / 2, {noise}
    page.mouse.move(box["x"] + 8, y)
    page.mouse.down()
    for i in range(1, 11):
        page.mouse.move(box["x"] + 8 + (box["width"] - 16) * i / 10, y)
        painted(page)
        seen.add(frames(page, "ddpm.path"))
    assert len(seen) >= 8
    page.mouse.up()
    rest(page)
    # a rest after the drag is reported once or twice (the fragment below follows), never each of the ten moves
    assert runs(page) <= 4
    knob.focus()
    page.keyboard.press("Home")
    linked(page, "step=0")
    assert frames(page, "ddpm.path") == noise
    again = takes(app, page)
    slider(again, "ddpm.path")
    assert frames(again, "ddpm.path") == noise


def test_another_seed_brings_another_picture_and_so_does_a_class(app: App) -> None:
    page = app.open("/ddpm", steps="10")
    slider(page, "ddpm.path")
    first = frames(page, "ddpm.path")
    block(page, "ddpm.dice").locator("button").first.click()
    linked(page, "seed=")
    slider(page, "ddpm.path")
    second = another(canvas(page, "ddpm.path"), first)
    block(page, "ddpm.class").get_by_text("8", exact=True).click()
    linked(page, "class=8")
    slider(page, "ddpm.path")
    another(canvas(page, "ddpm.path"), second)


@pytest.mark.parametrize(
    ("engine", "code"),
    [("onnx", "en"), ("onnx", "zh"), pytest.param("torch", "en", marks=pytest.mark.torch)],
)
def test_a_branch_leaves_the_path_where_it_was_told_to(app: App, engine: str, code: str) -> None:
    page = app.open("/ddpm", engine=engine, lang=code, steps="10", step="3")
    with using(code):
        block(page, "ddpm.branch.here").locator("button").first.click()
        page.get_by_text(t("ddpm.branch.after"), exact=True).first.wait_for(timeout=120_000)
        linked(page, "branch=3")
        knob = slider(page, "ddpm.branch.path")
        knob.focus()
        page.keyboard.press("End")
        painted(page)
        assert frames(page, "ddpm.branch.path", 0) != frames(page, "ddpm.branch.path", 1)
        page.keyboard.press("Home")
        painted(page)
        assert frames(page, "ddpm.branch.path", 0) == frames(page, "ddpm.branch.path", 1)
        block(page, "ddpm.branch.drop").locator("button").first.click()
        page.get_by_text(t("ddpm.branch.hint")).wait_for(timeout=60_000)


def test_a_long_run_is_stopped_and_the_picture_stays(app: App) -> None:
    page = app.open("/ddpm", steps="10", samples="4", guidance="3")
    knob = page.get_by_test_id("stSlider").filter(has_text=t("ddpm.steps")).get_by_role("slider")
    knob.focus()
    page.keyboard.press("End")
    stop = block(page, "ddpm.sample.cancel").locator("button").first
    stop.wait_for(timeout=60_000)
    block(page, "ddpm.path").locator("canvas").first.wait_for(timeout=60_000)
    stop.click()
    page.get_by_text(t("progress.cancelled")).wait_for()
    settle(page)
    block(page, "ddpm.path").locator("canvas").first.wait_for()


def test_the_files_come_and_the_film_plays(app: App) -> None:
    page = app.open("/ddpm", steps="10")
    for name, check in (("GIF", film), ("WEBP", film), ("PNG", sheet), ("NPZ", numbers)):
        button = block(page, f"ddpm.take.{name}").locator("button").first
        with page.expect_download() as download:
            button.click()
        check(Path(download.value.path()))


def film(path: Path) -> None:
    with Image.open(path) as picture:
        assert picture.n_frames >= 8  # type: ignore[attr-defined]


def sheet(path: Path) -> None:
    with Image.open(path) as picture:
        assert picture.width > 800


def numbers(path: Path) -> None:
    data: Any = np.load(path, allow_pickle=False)
    assert data["x"].shape == (11, 2, 1, 28, 28)


def test_a_picture_drowns_under_the_slider(app: App) -> None:
    page = app.open("/ddpm", steps="10", t="137")
    knob = slider(page, "ddpm.forward.film")
    block(page, "ddpm.forward.film").get_by_text("t = 137").first.wait_for()
    knob.focus()
    page.keyboard.press("Home")
    painted(page)
    assert frames(page, "ddpm.forward.film", 0) == frames(page, "ddpm.forward.film", 1)
    page.keyboard.press("End")
    painted(page)
    assert frames(page, "ddpm.forward.film", 0) != frames(page, "ddpm.forward.film", 1)
    linked(page, "t=1000")


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(
    app: App, code: str, dark: bool, widths: tuple[int, int]
) -> None:
    choices: dict[str, Any] = {"steps": "10", "branch": "4", "branch_class": "8", "samples": "4"}
    fits(app.open("/ddpm", width=widths[0], dark=dark, lang=code, **choices), widths)

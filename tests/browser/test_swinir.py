"""SwinIR in a browser: upload a photograph, see it beat bicubic, click it, look inside; both engines and languages."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from app.engine.metrics import psnr_y
from app.images import resize, shrink
from app.text import t, using
from tests.browser.conftest import App, settle
from tests.browser.driver import LOOKS, block, fits, in_view, linked, rest, slider, takes


@pytest.fixture(scope="module")
def coffee() -> np.ndarray:
    return np.asarray(pytest.importorskip("skimage.data").coffee())


def stage(page: Page, key: str):
    """The picture of a widget, by its key."""
    return block(page, key).locator(".stage")


def click(page: Page, key: str, x: float, y: float) -> None:
    """Click a picture at a share of its width and height, and wait until the page has answered."""
    picture = stage(page, key)
    in_view(picture)
    box = picture.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    rest(page)


def upload(page: Page, image: np.ndarray, path: Path) -> None:
    Image.fromarray(image).save(path)
    page.locator('input[type="file"]').first.set_input_files(str(path))
    page.get_by_text(path.name).first.wait_for(timeout=60_000)
    settle(page, limit=120)


def saved(page: Page, fmt: str) -> Image.Image:
    """The file behind "save the large picture"."""
    page.get_by_role("button", name=t("swinir.save")).click()
    with page.expect_download() as download:
        page.locator(f".st-key-swinir-save-{fmt} button").click()
    page.keyboard.press("Escape")
    return Image.open(io.BytesIO(Path(download.value.path()).read_bytes()))


def window_of(page: Page) -> str:
    """The line that names the picked pixel's window."""
    start = t("swinir.place", window=0, count=0, kind="", row=0, column=0).split("*")[0].strip()
    return page.get_by_test_id("stCaptionContainer").filter(has_text=start).first.inner_text()


@pytest.mark.parametrize(
    ("engine", "code"),
    [("onnx", "en"), ("onnx", "zh"), pytest.param("torch", "en", marks=pytest.mark.torch)],
)
def test_a_photograph_is_upscaled_and_looked_into(
    app: App, coffee: np.ndarray, tmp_path: Path, engine: str, code: str
) -> None:
    page = app.open("/swinir", engine=engine, lang=code)
    small, truth = shrink(coffee, 2)
    with using(code):
        upload(page, small, tmp_path / "small.png")
        size = t("swinir.size", width=300, height=200, wide=600, high=400).replace("*", "")
        page.get_by_text(size).wait_for(timeout=120_000)
        settle(page, limit=120)

        result = saved(page, "PNG")
        assert result.size == (600, 400)
        ours = psnr_y(truth, np.asarray(result.convert("RGB")), 4)
        bicubic = psnr_y(truth, resize(small, (600, 400), "bicubic"), 4)
        assert ours > bicubic + 1.0
        assert saved(page, "JPEG").format == "JPEG"

        before, picture = window_of(page), stage(page, "swinir.window").screenshot()
        click(page, "swinir.result", 0.62, 0.7)
        after = window_of(page)
        assert before != after
        assert picture != stage(page, "swinir.window").screenshot()
        assert "at=" in page.url
        click(page, "swinir.where", 0.5, 0.5)
        assert window_of(page) != after


def test_a_large_picture_is_shrunk_and_scored(app: App, coffee: np.ndarray, tmp_path: Path) -> None:
    page = app.open("/swinir")
    upload(page, coffee, tmp_path / "coffee.png")
    page.get_by_text(t("swinir.shrink_first")).click()
    settle(page, limit=120)
    page.get_by_text(t("swinir.psnr"), exact=True).wait_for(timeout=120_000)
    over = page.get_by_test_id("stMetricDelta").first.inner_text()
    assert t("swinir.method.bicubic") in over
    assert over.strip().lstrip("↑").strip().startswith("+")


def test_the_keyboard_picks_too_and_the_link_restores_it(app: App) -> None:
    page = app.open("/swinir", at="20,20", layer="rstb.0.layer.1")
    before = window_of(page)
    picture = stage(page, "swinir.result")
    picture.focus()
    for key in ("ArrowRight", "Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowDown", "Enter"):
        page.keyboard.press(key)
    linked(page, "at=", without="at=20,20")
    after = window_of(page)
    assert before != after
    assert window_of(takes(app, page)) == after


def test_the_shift_is_a_film_and_the_mask_can_be_dropped(app: App) -> None:
    page = app.open("/swinir", inside="windows")
    film = block(page, "swinir.shift")
    slider(page, "swinir.shift").focus()
    first = film.locator("canvas").screenshot()
    page.keyboard.press("End")
    film.get_by_text(t("swinir.shift.cut")).wait_for()
    assert film.locator("canvas").screenshot() != first
    block(page, "swinir.drop").locator("button").click()
    linked(page, "mask=0")
    page.get_by_text(t("swinir.leak.largest")).wait_for()


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(
    app: App, code: str, dark: bool, widths: tuple[int, int]
) -> None:
    fits(app.open("/swinir", width=widths[0], dark=dark, lang=code, at="159,103", mask="0"), widths)


@pytest.mark.parametrize("view", ["windows", "bias", "features", "network"])
def test_every_view_fits_the_screen_and_is_open_to_everybody(app: App, view: str) -> None:
    fits(app.open("/swinir", width=390, inside=view), (390, 1440))

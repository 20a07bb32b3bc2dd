"""The ways in and the ways out, with a keyboard, a clipboard and a closed tab."""

from __future__ import annotations

import base64
import io
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page

from app.assets.samples import PHOTOS
from app.text import catalogue
from tests.browser.conftest import ROOT, App, Server, beyond_baseline, overflow, serve, settle

EN = catalogue("en")


@pytest.fixture(scope="module")
def pulse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pulse") / "pulse"


@pytest.fixture(scope="module")
def demo(pulse: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve(
        ROOT / "tests" / "browser" / "demo_shell.py",
        tmp_path_factory.mktemp("demo") / "log",
        arguments=("--", str(pulse)),
    )
    yield server
    server.stop()


def now(page: Page, words: str) -> None:
    """Wait until the page's current picture is this one."""
    page.get_by_text(f"now {words}").wait_for()
    settle(page, quiet=0.3)


def jpeg() -> bytes:
    out = io.BytesIO()
    Image.fromarray(np.random.default_rng(0).integers(0, 256, (40, 60, 3), np.uint8)).save(out, "JPEG")
    return out.getvalue()


def test_pictures_come_in(app: App, demo: Server, tmp_path: Path):
    page = app.open(base=demo.url, width=390, height=1400)
    now(page, PHOTOS[0].id)
    assert overflow(page) <= 0
    assert beyond_baseline(page) == []

    second = page.get_by_role("button", name=EN[PHOTOS[1].alt])
    second.focus()
    page.keyboard.press("Enter")
    now(page, PHOTOS[1].id)
    assert second.get_attribute("aria-pressed") == "true"
    assert f"sample={PHOTOS[1].id}" in page.url

    upload = page.get_by_test_id("stFileUploader").locator("input[type=file]")
    picture = tmp_path / "mine.jpg"
    picture.write_bytes(jpeg())
    upload.set_input_files(picture)
    now(page, "mine.jpg")
    linked = page.url
    assert "sha=" in linked

    text = tmp_path / "text.png"
    text.write_text("no picture")
    upload.set_input_files(text)
    page.get_by_text(EN["image.text"]).wait_for()
    now(page, "mine.jpg")

    page.evaluate(
        """async (data) => {
            const blob = await (await fetch('data:image/jpeg;base64,' + data)).blob();
            const clipboardData = new DataTransfer();
            clipboardData.items.add(new File([blob], 'x.jpg', {type: 'image/jpeg'}));
            document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData, bubbles: true}));
        }""",
        base64.b64encode(PHOTOS[2].path.read_bytes()).decode(),
    )
    now(page, EN["input.paste.name"])

    other = app.open(base=demo.url, path="/?" + linked.split("?")[1])
    now(other, PHOTOS[1].id)
    other.get_by_text(EN["input.link.without"]).wait_for()
    other.get_by_test_id("stFileUploader").locator("input[type=file]").set_input_files(picture)
    now(other, "mine.jpg")
    assert other.url == linked


def test_the_camera_is_asked_for_only_when_wanted(app: App, demo: Server):
    page = app.open(base=demo.url)
    assert page.get_by_test_id("stCameraInput").count() == 0
    page.get_by_text(EN["input.camera"], exact=True).click()
    page.get_by_test_id("stCameraInput").wait_for()


def test_things_are_taken_away(app: App, demo: Server, tmp_path: Path):
    page = app.open(base=demo.url, sample=PHOTOS[1].id)
    now(page, PHOTOS[1].id)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name=EN["share.link"]).click()
    page.get_by_text(EN["share.link.done"]).wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert f"sample={PHOTOS[1].id}" in link and "lang=en" in link

    files: dict[str, Path] = {}
    ours = page.get_by_test_id("stDownloadButton")
    for name in ("PNG", "SVG", "NPZ", "CSV", EN["share.chart.svg"], EN["share.chart.png"]):
        button = (
            ours.filter(has_text=name)
            if len(name) == 3
            else page.get_by_role("button", name=name, exact=True)
        )
        with page.expect_download() as download:
            button.click()
        files[name] = tmp_path / f"{len(files)}-{download.value.suggested_filename}"
        download.value.save_as(files[name])
    assert Image.open(files["PNG"]).size == Image.open(PHOTOS[1].path).size
    with np.load(files["NPZ"], allow_pickle=False) as saved:
        assert saved["values"].shape == (8, 9, 3) and saved["axes"].tolist() == ["row", "column", "channel"]
    assert len(files["CSV"].read_text().splitlines()) == 8 * 9 * 3 + 1
    chart = files[EN["share.chart.svg"]].read_text("utf-8")
    assert chart.startswith("<svg") and chart.count('class="point"') == 2
    assert Image.open(files[EN["share.chart.png"]]).size[1] == 480


def beats(pulse: Path, limit: float = 20.0) -> bool:
    """Whether the work goes on: it touches the file five times a second."""
    before, end = pulse.stat().st_mtime_ns, time.monotonic() + limit
    while time.monotonic() < end:
        time.sleep(0.1)
        if pulse.stat().st_mtime_ns != before:
            return True
    return False


def falls_silent(pulse: Path, limit: float) -> bool:
    """Whether within so many seconds the work stops for two whole ones."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if not beats(pulse, 2.0):
            return True
    return False


def test_work_is_watched_cancelled_and_ends_with_its_tab(app: App, demo: Server, pulse: Path):
    page = app.open(base=demo.url)
    page.get_by_role("button", name=EN["progress.start"]).click()
    page.get_by_role("progressbar").wait_for()
    page.get_by_text("of 100").wait_for()
    assert beats(pulse)
    page.get_by_role("button", name=EN["progress.cancel"]).click()
    page.get_by_text(EN["progress.cancelled"]).wait_for()
    assert falls_silent(pulse, 10)
    page.get_by_role("button", name=EN["progress.again"]).click()
    page.get_by_text("of 100").wait_for()
    assert beats(pulse)
    page.close()
    assert falls_silent(pulse, 12), "the work goes on although the tab is closed"

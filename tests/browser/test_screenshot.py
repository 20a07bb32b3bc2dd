"""The README's picture: the SwinIR page as a visitor sees it. VITRINE_SCREENSHOT=1 writes it anew."""

from __future__ import annotations

import io
import os

from PIL import Image

from tests.browser.conftest import ROOT, App, settle

FILE = ROOT / ".github" / "screenshot.webp"
WIDTH, HEIGHT = 1440, 2040


def test_the_picture_of_the_readme_can_be_taken(app: App):
    page = app.open("/swinir", width=WIDTH, height=HEIGHT, lang="en")
    stage = page.locator(".stage.picks").first
    stage.wait_for()
    settle(page)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    assert shot.size == (WIDTH, HEIGHT)
    assert len(set(shot.resize((48, 68)).getdata())) > 200, "the page is empty"
    if os.environ.get("VITRINE_SCREENSHOT"):
        FILE.parent.mkdir(exist_ok=True)
        shot.resize((WIDTH * 3 // 4, HEIGHT * 3 // 4), Image.Resampling.LANCZOS).save(
            FILE, quality=88, method=6
        )
    with Image.open(FILE) as kept:
        assert kept.size == (WIDTH * 3 // 4, HEIGHT * 3 // 4)

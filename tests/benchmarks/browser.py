"""From the click to the changed picture, as a user of the page waits for it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, ROOT, chromium, serve, settle

# Time from the release of the button to the frame in which another picture of the page has changed and is decoded.
WATCH = """() => {
  const pictures = (root) => [...root.querySelectorAll('*')].flatMap(
    (e) => [...(e.tagName === 'IMG' && e.src ? [e] : []), ...(e.shadowRoot ? pictures(e.shadowRoot) : [])]);
  const shown = () => pictures(document).map((i) => i.src).join();
  const before = shown();
  let start = 0;
  addEventListener('pointerup', () => { start = performance.now(); }, {capture: true, once: true});
  window.pictureAfterClick = new Promise((resolve) => {
    const look = () => start && shown() !== before && pictures(document).every((i) => i.complete)
      ? resolve(performance.now() - start) : requestAnimationFrame(look);
    look();
  });
}"""


def click_to_picture(slug: str, engine: str, clicks: int) -> list[float]:
    """Milliseconds of each of so many clicks on the first picture of a page, at places far from one another."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = serve(ROOT / "app" / "main.py", Path(folder) / "log", VITRINE_ENGINE=engine)
        chrome = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        try:
            page = chrome.new_page(viewport={"width": 1440, "height": 900})
            page.set_default_timeout(60_000)
            page.goto(f"{server.url}/{slug}")
            page.get_by_role("heading", level=1).first.wait_for()
            stage = page.locator(".stage.picks").first
            stage.wait_for()
            settle(page)
            return [one_click(page, turn) for turn in range(clicks + 2)][2:]
        finally:
            chrome.close()
            server.stop()


def one_click(page: Page, turn: int) -> float:
    stage = page.locator(".stage.picks").first
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    assert box is not None
    page.evaluate(WATCH)
    across, down = (0.15 + 0.7 * ((0.37 * turn) % 1), 0.15 + 0.7 * ((0.61 * turn) % 1))
    page.mouse.click(box["x"] + across * box["width"], box["y"] + down * box["height"])
    waited = float(page.evaluate("window.pictureAfterClick"))
    settle(page)
    return waited

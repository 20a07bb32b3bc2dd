"""From the click to the changed picture, and frames while a slider is dragged, as a user of the page sees them."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page, WebSocket, sync_playwright

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


# ---------------------------------------------------------------- dragging through steps

DEMOS = ROOT / "tests" / "app" / "widgets"
SLIDER = ".track input:visible"
# what is dragged, the page with it, the tab it is in, the handle
RIDES = (
    (
        "scrubber, its slider",
        DEMOS / "demo_scrubber.py",
        "path",
        SLIDER,
    ),  # three strips of four samples, 60 steps
    ("scrubber, its picture", DEMOS / "demo_scrubber.py", "path", ".stage:visible"),
    ("cloud of 34 nodes, its slider", DEMOS / "demo_cloud.py", "one", SLIDER),  # 41 moments
    ("two clouds of 4000 nodes and edges, their slider", DEMOS / "demo_cloud.py", "many", SLIDER),
)
SMOOTH = 30.0  # distinct frames a second: the bar


@dataclass(frozen=True)
class Dragged:
    """What one drag showed. rates: distinct frames in each full second. reruns: messages to Streamlit."""

    what: str
    rates: list[int]
    reruns: int

    @property
    def median(self) -> int:
        return sorted(self.rates)[len(self.rates) // 2]

    @property
    def passed(self) -> bool:
        return self.median >= SMOOTH and self.reruns == 0

    def row(self) -> str:
        bar = f"≥ {SMOOTH:.0f}: {'yes' if self.passed else 'NO'}"
        return f"| {self.what} | {self.median} | {min(self.rates)} to {max(self.rates)} | {self.reruns} | {bar} |"


def dragged(seconds: int = 5) -> list[Dragged]:
    """Distinct frames a second while the mouse drags a slider or a picture to and fro."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        try:
            return [ride(chrome, Path(folder), *of, seconds) for of in RIDES]
        finally:
            chrome.close()


def ride(
    chrome: Browser, folder: Path, what: str, script: Path, tab: str, handle: str, seconds: int
) -> Dragged:
    server = serve(script, folder / "log")
    try:
        page = chrome.new_page(viewport={"width": 1440, "height": 1000})
        sent: list[object] = []

        def opened(socket: WebSocket) -> None:
            socket.on("framesent", lambda message: sent.append(message))

        page.on("websocket", opened)
        page.goto(server.url)
        page.locator("output:visible").filter(has_text="/").wait_for(timeout=60_000)
        page.get_by_role("tab", name=tab).click()
        settle(page)
        found = one_drag(page, what, page.locator(handle).first, sent, seconds)
        page.close()
        return found
    finally:
        server.stop()


def one_drag(page: Page, what: str, handle: Locator, sent: list[object], seconds: int) -> Dragged:
    box = handle.bounding_box()
    assert box is not None
    y, left, room = box["y"] + box["height"] / 2, box["x"] + 8, box["width"] - 16
    page.mouse.move(left + room, y)
    page.mouse.down()
    page.evaluate("() => { globalThis.__vitrine.frames.length = 0 }")
    before, start, moves = len(sent), time.monotonic(), 0
    while time.monotonic() - start < seconds:
        page.mouse.move(left + room * abs((moves * 0.019) % 2 - 1), y)
        moves += 1
    frames = page.evaluate("() => globalThis.__vitrine.frames")
    reruns = len(sent) - before
    page.mouse.up()
    settle(page)
    new = [b[0] for a, b in zip(frames, frames[1:], strict=False) if a[1] != b[1]]
    first = frames[0][0] if frames else 0.0
    return Dragged(
        what, [sum(i <= (at - first) / 1000 < i + 1 for at in new) for i in range(seconds)], reruns
    )

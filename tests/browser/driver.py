"""What the browser tests do with a page: find its parts by their keys, wait for frames and addresses, see all looks."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page

from app.text import LANGUAGES, t, using
from tests.browser.conftest import App, beyond_baseline, overflow, settle

PATIENCE = 180_000  # milliseconds that a training may take on a machine that has other things to do

# Each look is loaded once, at its first width, and then made as wide as the second.
LOOKS = pytest.mark.parametrize(
    ("code", "dark", "widths"),
    [("en", False, (1440, 390)), ("zh", True, (390, 1440))],
    ids=["en-light", "zh-dark"],
)

RUNS = """() => {
    window.runs = 0;
    const app = document.querySelector("[data-testid='stApp']");
    new MutationObserver(() => {
        if (app.getAttribute('data-test-script-state') === 'running') window.runs++;
    }).observe(app, {attributes: true, attributeFilter: ['data-test-script-state']});
}"""

TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

# One moment, whatever the load: the server is told of a step that rests, so nothing is until the slider is let go.
SCRUB = """async (slider, value) => {
    const calls = __vitrine.calls;
    slider.value = value;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const spent = __vitrine.calls - calls;
    slider.dispatchEvent(new Event('change', {bubbles: true}));
    return spent;
}"""

ANOTHER = """(canvas, before) => new Promise((done, fail) => {
    const end = performance.now() + 20000;
    const look = () => {
        const now = canvas.toDataURL();
        if (now !== before) return done(now);
        if (performance.now() > end) return fail(new Error('the picture stays as it is'));
        requestAnimationFrame(look);
    };
    look();
})"""


def block(page: Page, key: str) -> Locator:
    """The part of the page that has a key; Streamlit's class names know only letters, digits, "-" and "_"."""
    return page.locator(f".st-key-{re.sub('[^a-zA-Z0-9_-]', '-', key)}").first


def in_view(locator: Locator) -> Locator:
    """Scroll to it, also while the page is still being built and may put another element in its place."""
    locator.evaluate("node => node.scrollIntoViewIfNeeded()")
    return locator


def part(page: Page, key: str, name: str) -> Locator:
    """A thing to click in a drawing, as wide as the page shows it."""
    found = block(page, key).locator(f"[data-id='{name}']:visible").first
    return in_view(found)


def slider(page: Page, key: str) -> Locator:
    """The slider of a scrubber or a cloud."""
    found = block(page, key).locator("input[type=range]").first
    return in_view(found)


def canvases(page: Page, label: str) -> Locator:
    """The canvases of the scrubber whose pictures are named so."""
    return page.locator(f"canvas[aria-label^='{label}']")


def pixels(canvas: Locator) -> str:
    """A canvas' picture as a data URL."""
    return str(canvas.evaluate("c => c.toDataURL()"))


def another(canvas: Locator, before: str) -> str:
    """Wait until a canvas shows another picture than before."""
    return str(canvas.evaluate(ANOTHER, before))


def scrub(slider: Locator, value: int) -> int:
    """Drag a slider to a place. How often our components were called until that was drawn."""
    return int(slider.evaluate(SCRUB, value))


def painted(page: Page) -> None:
    """Wait until what was asked for by the last key or move is on the screen."""
    page.evaluate(TWO_FRAMES)


def watch_runs(page: Page) -> None:
    """Count the runs of the script from now on, in `window.runs`."""
    page.evaluate(RUNS)


def runs(page: Page) -> int:
    return int(page.evaluate("window.runs"))


def linked(page: Page, *words: str, without: str = "") -> None:
    """Wait until the address has these words, and not that one, and the page is at rest."""
    page.wait_for_function(
        """([words, without]) => {
            const said = decodeURIComponent(location.search);
            return words.every((each) => said.includes(each)) && !(without && said.includes(without));
        }""",
        arg=[words, without],
        timeout=PATIENCE,
    )
    settle(page, limit=PATIENCE / 1000)


def rest(page: Page) -> None:
    """Wait until a click is answered that leaves nothing in the address and nothing certain on the page."""
    page.wait_for_timeout(400)
    settle(page, limit=PATIENCE / 1000)


def fits(page: Page, widths: tuple[int, ...] = ()) -> None:
    """At the page's width, and at each of these, nothing is wider than the screen and axe is content."""
    for width in widths or (0,):
        size = page.viewport_size
        assert size is not None
        if width and width != size["width"]:
            page.set_viewport_size({"width": width, "height": size["height"]})
            painted(page)
            settle(page)
        assert overflow(page) <= 0, width
        assert beyond_baseline(page) == [], width


def takes(app: App, page: Page) -> Page:
    """Another visitor who was sent the page's address: all of it can be had."""
    found = app.open(page.url.removeprefix(app.servers("onnx").url))
    for code in LANGUAGES:
        with using(code):
            assert not found.get_by_text(t("link.left_out")).count()
    return found

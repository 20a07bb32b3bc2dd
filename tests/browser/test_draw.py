"""The drawing canvas in Chromium: what is drawn comes back once the pen rests, by pointer, touch and keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.conftest import ROOT, Server, beyond_baseline, overflow, serve, settle

DEMO = ROOT / "tests" / "app" / "widgets" / "demo_draw.py"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve(DEMO, tmp_path_factory.mktemp("demo") / "demo.log", VITRINE_STRICT_TEXT="1")
    yield server
    server.stop()


def stage(page: Page) -> Locator:
    return page.locator(".stage:visible").first


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    page.wait_for_timeout(400)
    stage(page).wait_for()


def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """A place of the canvas, y upward, on the screen."""
    box = stage(page).bounding_box()
    assert box is not None
    return box["x"] + x * box["width"], box["y"] + (1 - y) * box["height"]


def drag(page: Page, *places: tuple[float, float]) -> None:
    page.mouse.move(*at(page, *places[0]))
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*at(page, *place), steps=12)
    page.mouse.up()


def told(page: Page, pattern: str) -> re.Match[str]:
    found = page.get_by_text(re.compile(pattern))
    found.wait_for(timeout=20_000)
    match = re.fullmatch(pattern, str(found.text_content()))
    assert match is not None
    return match


@pytest.mark.parametrize("width", [390, 1200])
def test_points_are_sprayed_along_the_way(app, demo, width):
    page = app.open(base=demo.url, width=width)
    drag(page, (0.2, 0.7), (0.6, 0.7))
    match = told(page, r"points (\d+) around \[(.+), (.+)\]")
    count = int(match[1])
    assert 25 <= count <= 45  # one each 14 thousandths of the way, and six where the pen came down
    assert float(match[2]) == pytest.approx(0.38, abs=0.06)
    assert float(match[3]) == pytest.approx(0.7, abs=0.02)
    assert page.get_by_text(f"Points: {count}", exact=True).is_visible()
    page.get_by_role("button", name="Clear").first.click()
    told(page, "points 0 around None")
    page.get_by_role("button", name="Undo").first.click()  # clearing can be taken back
    told(page, rf"points {count} around .*")
    page.get_by_role("button", name="Undo").first.click()
    told(page, "points 0 around None")
    assert page.get_by_role("button", name="Undo").first.is_disabled()
    assert overflow(page) <= 0


def test_no_more_than_fits_in(app, demo):
    page = app.open(base=demo.url)
    drag(page, (0.1, 0.1), *([(0.9, 0.1), (0.9, 0.9), (0.1, 0.9), (0.1, 0.1)] * 2))
    told(page, r"points 300 around .*")
    assert page.get_by_text("Points: 300, no more fit in").is_visible()


def test_shapes_from_python_and_a_page_that_was_left(app, demo):
    page = app.open(base=demo.url)
    page.get_by_role("button", name="ring").click()
    told(page, r"points 100 around \[0.5, 0.5\]")
    settle(page)
    page.mouse.click(*at(page, 0.9, 0.9))
    told(page, r"points 106 around .*")
    settle(page)
    for _ in range(2):
        page.get_by_text("gone", exact=True).click()
        page.wait_for_timeout(300)
        settle(page)
    told(page, r"points 106 around .*")
    page.get_by_text("Points: 106", exact=True).wait_for()
    page.mouse.click(*at(page, 0.1, 0.1))
    told(page, r"points 112 around .*")


def test_keyboard_alone(app, demo):
    page = app.open(base=demo.url)
    tab(page, "exact")
    stage(page).focus()
    for key in ("Shift+ArrowLeft", "Shift+ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    told(page, r"exact \[\[0.4, 0.62\]\]")
    settle(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    told(page, r"exact \[\[0.4, 0.62\], \[0.42, 0.62\]\]")
    assert page.locator(".live").nth(1).text_content() == "x 42% · y 62%"
    page.keyboard.press("Backspace")
    told(page, r"exact \[\[0.4, 0.62\]\]")
    settle(page)
    tab(page, "digit")
    stage(page).focus()
    page.keyboard.press("Space")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Space")
    told(page, r"digit \(28, 28\) \d+ white")
    assert page.get_by_text("Strokes: 1").is_visible()


def test_a_digit_of_two_strokes(app, demo):
    page = app.open(base=demo.url)
    tab(page, "digit")
    drag(page, (0.5, 0.9), (0.5, 0.1))
    first = int(told(page, r"digit \(28, 28\) (\d+) white")[1])
    assert 40 <= first <= 80  # 22 pixels long, 2.5 wide
    settle(page)
    drag(page, (0.2, 0.1), (0.8, 0.1))
    page.get_by_text("Strokes: 2").wait_for()
    page.get_by_text(re.compile(rf"digit \(28, 28\) (?!{first} )")).wait_for()
    assert int(told(page, r"digit \(28, 28\) (\d+) white")[1]) > first
    page.get_by_role("button", name="Undo").last.click()
    told(page, rf"digit \(28, 28\) {first} white")


def test_touch(browser: Browser, demo):
    context = browser.new_context(viewport={"width": 390, "height": 900}, has_touch=True, is_mobile=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda e: problems.append(str(e)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.goto(demo.url)
    stage(page).wait_for(timeout=30_000)
    settle(page)
    session = context.new_cdp_session(page)
    y = [0.8, 0.65, 0.5, 0.35, 0.2]  # downward: the page must not scroll instead
    for i, kind in enumerate(("touchStart", *["touchMove"] * 4, "touchEnd")):
        points = [] if kind == "touchEnd" else [dict(zip("xy", at(page, 0.5, y[i]), strict=True))]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(40)
    match = told(page, r"points (\d+) around \[(.+), (.+)\]")
    assert int(match[1]) >= 25 and float(match[2]) == pytest.approx(0.5, abs=0.03)
    context.close()
    assert not problems


@pytest.mark.parametrize(("dark", "width"), [(False, 1440), (True, 390)])
def test_nothing_serious_for_axe(app, demo, dark, width):
    page = app.open(base=demo.url, width=width, dark=dark)
    for name in ("points", "exact", "digit"):
        tab(page, name)
        drag(page, (0.2, 0.3), (0.7, 0.6))
        settle(page)
        assert beyond_baseline(page) == []
        assert overflow(page) <= 0


def test_the_words_follow_the_language(app, demo):
    page = app.open(base=demo.url, lang="zh")
    assert page.get_by_role("button", name="清空").first.is_visible()
    assert "方向键" in (stage(page).get_attribute("aria-label") or "")

"""The picture widgets in Chromium: the pixel that is clicked comes back, and dragging costs no rerun."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.conftest import ROOT, App, Server, Traffic, beyond_baseline, overflow, serve, settle

DEMO = ROOT / "tests" / "app" / "widgets" / "demo_views.py"
WIDTH, HEIGHT = 160, 120  # of the demo's picture
WIDTHS = (390, 1440)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve(DEMO, tmp_path_factory.mktemp("demo") / "demo.log", VITRINE_STRICT_TEXT="1")
    yield server
    server.stop()


def stage(page: Page, index: int = 0) -> Locator:
    return page.locator(".stage:visible").nth(index)


def on_screen(page: Page, x: float, y: float, index: int = 0) -> tuple[float, float]:
    """Where a place of the picture is on the screen: its sheet may be enlarged and moved."""
    box = stage(page, index).locator(".sheet").bounding_box()
    assert box is not None
    return box["x"] + x * box["width"] / WIDTH, box["y"] + y * box["height"] / HEIGHT


def expect(page: Page, text: str) -> None:
    page.get_by_text(text, exact=True).wait_for(timeout=20_000)


def counted(app: App, demo: Server, width: int = 1440, tab: str = "") -> tuple[Page, Traffic]:
    """A page of the demo whose messages are counted (from `armed` on)."""
    page, traffic = app.watched(base=demo.url, height=1200, width=width)
    if tab:
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(500)
    traffic.armed = True
    return page, traffic


@pytest.mark.parametrize("width", WIDTHS)
def test_the_clicked_pixel_comes_back(app, demo, width):
    page = app.open(base=demo.url, height=1200, width=width)
    for x, y in ((0, 0), (159, 119), (33, 70), (101, 7)):
        page.mouse.click(*on_screen(page, x + 0.5, y + 0.5))
        expect(page, f"photo pick ({x}, {y})")
    assert page.get_by_text("picked: x 101 · y 7").is_visible()
    assert overflow(page) <= 0


@pytest.mark.parametrize("width", WIDTHS)
def test_zoomed_and_panned_pixels_come_back(app, demo, width):
    page = app.open(base=demo.url, height=1200, width=width)
    for name, (x, y) in (
        ("Zoom ×4", (80, 60)),
        ("Zoom 1:1", (12, 100)),
        ("Zoom ×2", (81, 61)),
        ("Fit", (5, 5)),
    ):
        stage(page).locator("xpath=..").get_by_role("button", name=name).click()
        page.wait_for_timeout(150)
        page.mouse.click(*on_screen(page, x + 0.5, y + 0.5))
        expect(page, f"photo pick ({x}, {y})")
    stage(page).locator("xpath=..").get_by_role("button", name="Zoom ×4").click()
    page.wait_for_timeout(150)
    before = on_screen(page, 0, 0)
    box = stage(page).bounding_box()
    assert box is not None
    if box["width"] < 4 * WIDTH - 1:  # there is room to drag the picture
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] - 60, middle[1] - 40, steps=5)
        page.mouse.up()
        page.wait_for_timeout(200)
        assert on_screen(page, 0, 0) != before
        expect(page, "photo pick (5, 5)")  # a drag is no pick
        x = int((box["x"] + box["width"] * 0.5 - on_screen(page, 0, 0)[0]) / 4)
        y = int((box["y"] + box["height"] * 0.5 - on_screen(page, 0, 0)[1]) / 4)
        page.mouse.click(*on_screen(page, x + 0.5, y + 0.5))
        expect(page, f"photo pick ({x}, {y})")


def test_edges_of_a_pixel_belong_to_it(app, demo):
    page = app.open(base=demo.url, height=1200)
    stage(page).locator("xpath=..").get_by_role("button", name="Zoom ×4").click()
    page.wait_for_timeout(150)
    left, top = on_screen(page, 70, 50)
    for dx, dy, expected in ((0, 0, (70, 50)), (3, 3, (70, 50)), (4, 4, (71, 51)), (-1, -1, (69, 49))):
        page.mouse.click(
            int(left + 0.999) + dx, int(top + 0.999) + dy
        )  # whole CSS pixels, as a mouse sends them
        expect(page, f"photo pick {expected}")


@pytest.mark.parametrize("width", WIDTHS)
def test_keyboard_alone(app, demo, width):
    page = app.open(base=demo.url, height=1200, width=width)
    page.mouse.click(*on_screen(page, 40.5, 30.5))
    expect(page, "photo pick (40, 30)")
    stage(page).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowRight", "Shift+ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    at = stage(page).locator("xpath=..").locator(".live")
    assert at.text_content() == "x 49 · y 23"
    page.keyboard.press("Enter")
    expect(page, "photo pick (49, 23)")
    settle(page)
    focused = page.evaluate(
        "() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;"
        " return e?.className }"
    )
    assert "stage" in focused  # the focus outlives the rerun
    for _ in range(3):
        page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Enter")
    expect(page, "photo pick (25, 23)")
    page.keyboard.press("+")
    pressed = stage(page).locator("xpath=..").locator("button[aria-pressed='true']")
    assert pressed.text_content() == "1:1"


def test_touch(browser: Browser, demo):
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda e: problems.append(str(e)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.goto(demo.url)
    stage(page).wait_for(timeout=30_000)
    settle(page)
    page.touchscreen.tap(*on_screen(page, 120.5, 80.5))
    expect(page, "photo pick (120, 80)")
    page.get_by_role("tab", name="two").tap()
    page.wait_for_timeout(600)
    box = stage(page).bounding_box()
    assert box is not None
    session = context.new_cdp_session(page)
    y = box["y"] + box["height"] / 2
    points = [box["x"] + box["width"] * share for share in (0.5, 0.45, 0.38, 0.3, 0.2)]
    for kind, x in (("touchStart", points[0]), *(("touchMove", x) for x in points[1:]), ("touchEnd", None)):
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [] if x is None else [{"x": x, "y": y}]},
        )
        page.wait_for_timeout(40)
    assert abs(float(page.locator(".split:visible").input_value()) - 20) <= 2
    assert page.get_by_text("pair pick None").is_visible()
    context.close()
    assert not problems


@pytest.mark.parametrize("width", WIDTHS)
def test_the_divider_moves_without_a_rerun_and_a_click_picks(app, demo, width):
    page, traffic = counted(app, demo, width, tab="two")
    picture = stage(page)
    slider = page.locator(".split:visible")

    def shown() -> float:
        clip = picture.locator(".layer").evaluate("e => getComputedStyle(e).clipPath")
        return 100 - float(clip.split()[1].rstrip("%")) if "%" in clip else 100.0

    assert shown() == pytest.approx(50, abs=0.5)
    slider.focus()
    for key, expected in (("Home", 0), ("ArrowRight", 1), ("End", 100), ("PageDown", 90)):
        page.keyboard.press(key)
        page.wait_for_timeout(80)
        assert shown() == pytest.approx(expected, abs=0.6)
    assert slider.get_attribute("aria-valuetext") == "90% nearest"
    box = picture.bounding_box()
    assert box is not None
    y = box["y"] + box["height"] * 0.6
    page.mouse.move(box["x"] + box["width"] * 0.9, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.25, y, steps=12)
    page.mouse.up()
    page.wait_for_timeout(150)
    assert shown() == pytest.approx(25, abs=1)
    assert traffic.sent == 0
    page.mouse.click(*on_screen(page, 77.5, 41.5))
    expect(page, "pair pick (77, 41)")
    assert shown() == pytest.approx(25, abs=1)  # a click leaves the divider, and so does the rerun
    for name in ("Zoom ×4", "Zoom ×2"):
        picture.locator("xpath=..").get_by_role("button", name=name).click()
        page.wait_for_timeout(150)
        x, y2 = on_screen(page, 78.5, 42.5)
        page.mouse.click(x, y2)
        expect(page, "pair pick (78, 42)")
        page.mouse.click(*on_screen(page, 80.5, 40.5))
        expect(page, "pair pick (80, 40)")


def test_a_rerun_decodes_nothing_again_and_the_link_restores_the_pick(app, demo):
    page = app.open(base=demo.url, height=1200, at="33,70")
    expect(page, "photo pick (33, 70)")
    page.wait_for_function("() => globalThis.__vitrine?.decoded >= 4")  # every picture of every tab
    settle(page)
    decoded = page.evaluate("() => globalThis.__vitrine.decoded")
    page.get_by_role("button", name="rerun").click()
    expect(page, "runs 2")
    settle(page)
    assert page.evaluate("() => globalThis.__vitrine.decoded") == decoded


def test_pixels_come_again_when_they_are_lost(app, demo):
    page = app.open(base=demo.url, height=1200)
    stage(page).wait_for(timeout=30_000)
    settle(page)
    page.evaluate("() => globalThis.__vitrine_files.clear()")
    page.get_by_role("tab", name="two").click()
    gone = page.evaluate("() => globalThis.__vitrine.cleaned")
    page.get_by_role("button", name="remount").click()
    page.wait_for_timeout(300)
    settle(page)
    page.get_by_role("tab", name="one").click()
    page.wait_for_timeout(500)
    assert page.evaluate("() => globalThis.__vitrine.cleaned") > gone
    shown = stage(page).locator(".base").evaluate("e => e.complete && e.naturalWidth")
    assert shown == WIDTH


def test_blocks_by_keyboard_and_click(app, demo):
    page = app.open(base=demo.url, height=1200)
    page.get_by_role("tab", name="blocks").click()
    page.locator("[data-id='rstb.1']:visible").click()
    expect(page, "block rstb.1")
    page.locator("[data-id='rstb.1.layer.0']:visible").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page, "block rstb.1.layer.1")
    assert page.locator("[data-id='rstb.1.layer.1']:visible").get_attribute("aria-pressed") == "true"


def test_cell_of_a_feature_map(app, demo):
    page = app.open(base=demo.url, height=1200, wide="1")
    page.get_by_role("tab", name="taps").click()
    page.wait_for_timeout(500)
    sheet = stage(page)
    box = sheet.bounding_box()
    assert box is not None
    # 40 tiles of 24 x 32 cells, a pixel between them: channel 9 stands in the second row
    columns = round((box["width"] / box["height"]) * 25 * 6 / 33)
    k = box["width"] / (columns * 33 - 1)
    row, column = divmod(9, columns)
    page.mouse.click(box["x"] + (column * 33 + 5.5) * k, box["y"] + (row * 25 + 3.5) * k)
    page.get_by_text("seen {'channel': 9, 'row': 3, 'column': 5}").wait_for()


@pytest.mark.parametrize(("dark", "width"), [(False, 1440), (True, 390)])
def test_nothing_serious_for_axe(app, demo, dark, width):
    page = app.open(base=demo.url, height=1200, width=width, dark=dark)
    for tab in ("one", "two", "taps", "blocks"):
        page.get_by_role("tab", name=tab).click()
        page.wait_for_timeout(700)
        settle(page)
        assert beyond_baseline(page) == []
        assert overflow(page) <= 0


def test_the_words_follow_the_language(app, demo):
    page = app.open(base=demo.url, height=1200, lang="zh")
    assert "方向键" in (stage(page).get_attribute("aria-label") or "")
    assert page.get_by_role("button", name="适应").first.is_visible()


def test_frontend_files_load_nothing_from_elsewhere():
    for path in (Path(ROOT) / "app" / "widgets" / "frontend").iterdir():
        text = path.read_text("utf-8")
        assert "//" not in text.replace("http://www.w3.org/", "").replace("// ", ""), path.name
        assert "eval(" not in text and "document.cookie" not in text

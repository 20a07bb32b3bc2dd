"""The scrubber in Chromium: steps, numbers and pictures move together, and nothing is sent until it is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.conftest import ROOT, App, Server, Traffic, beyond_baseline, overflow, serve, settle
from tests.browser.driver import in_view, painted

DEMO = ROOT / "tests" / "app" / "widgets" / "demo_scrubber.py"
WIDTHS = (390, 1440)
STEPS, SIDE, FRAME = 60, 28, 57  # of the demo's path: two samples and a pixel between them

# One new step for each animation frame: what the page can do, the driver left out.
EVERY_FRAME = """() => new Promise((done) => {
    const slider = [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.track input'))
        .find((e) => e?.getClientRects().length);
    const painted = globalThis.__vitrine.frames, start = performance.now(), first = painted.length;
    let i = 0;
    const move = (now) => {
        const seconds = (now - start) / 1000;
        if (seconds > 1.5 && i > 20) return done({ticks: i, seconds, steps: painted.slice(first).map((f) => f[1])});
        slider.value = (i += 1) % 60;
        slider.dispatchEvent(new Event('input'));
        requestAnimationFrame(move);
    };
    requestAnimationFrame(move);
})"""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = serve(DEMO, tmp_path_factory.mktemp("demo") / "demo.log", VITRINE_STRICT_TEXT="1")
    yield server
    server.stop()


def watched(app: App, demo: Server, width: int = 1440) -> tuple[Page, Traffic]:
    page, traffic = app.watched(base=demo.url, height=1200, width=width)
    ready(page)
    traffic.armed = True
    return page, traffic


def ready(page: Page) -> None:
    """Until the scrubber of the open tab shows a step."""
    settle(page)
    page.locator("output:visible").filter(has_text="/").wait_for()


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    page.wait_for_timeout(400)
    page.locator("output:visible").filter(has_text="/").wait_for()


def slider(page: Page) -> Locator:
    return page.locator(".track input:visible")


def stage(page: Page, index: int = 0) -> Locator:
    return page.locator(".stage:visible").nth(index)


def on_screen(page: Page, index: int, x: float, y: float, side: int = FRAME) -> tuple[float, float]:
    box = stage(page, index).bounding_box()
    assert box is not None
    return box["x"] + x * box["width"] / side, box["y"] + y * box["height"] / side


def pixels(page: Page, index: int = 0) -> str:
    return str(page.locator("canvas:visible").nth(index).evaluate("c => c.toDataURL()"))


def expect(page: Page, text: str) -> None:
    page.get_by_text(text, exact=True).wait_for(timeout=20_000)


def beyond(page: Page, step: int) -> None:
    """Wait until the slider has gone past a step."""
    look = "const look = () => +slider.value > step ? done() : requestAnimationFrame(look); look();"
    slider(page).evaluate(f"(slider, step) => new Promise(done => {{ {look} }})", step)


def shown(page: Page) -> tuple[str, list[str]]:
    """The words of the step, and the readouts."""
    painted(page)
    return str(page.locator("output:visible").text_content()), page.locator("dd:visible").all_text_contents()


@pytest.mark.parametrize("width", WIDTHS)
def test_keys_move_pictures_and_numbers_together(app, demo, width):
    page, traffic = watched(app, demo, width)
    assert shown(page) == ("t = 0 · 60 / 60", ["1.000", "10000.00"])  # the last step at first
    slider(page).focus()
    looks = [[pixels(page, strip) for strip in range(3)]]
    for key, words, alpha in (
        ("Home", "t = 59 · 1 / 60", "0.000"),
        ("ArrowRight", "t = 58 · 2 / 60", "0.017"),
        ("End", "t = 0 · 60 / 60", "1.000"),
        ("ArrowLeft", "t = 1 · 59 / 60", "0.983"),
    ):
        page.keyboard.press(key)
        found, numbers = shown(page)
        assert (found, numbers[0]) == (words, alpha)
        assert slider(page).get_attribute("aria-valuetext") == words
        looks.append([pixels(page, strip) for strip in range(3)])
    for strip in range(3):
        assert len({look[strip] for look in looks}) == 4  # End shows the first look again
    name = "Four rings come out of noise, noisy x, t = 1"
    page.locator(f"canvas[aria-label*='{name}']:visible").first.wait_for()
    expect(page, "path step 58 pick None")  # told once it rested
    settle(page)
    assert traffic.sent <= 4 and "step=58" in page.url
    assert overflow(page) <= 0


def test_dragging_shows_many_frames_and_no_rerun(app, demo):
    page, traffic = watched(app, demo)
    drags = (("slider", slider(page), (1, 0)), ("picture", stage(page), (0, 1)))  # back, and forth again
    for what, dragged, (start, end) in drags:
        box = dragged.bounding_box()
        assert box is not None
        y = box["y"] + box["height"] / 2
        left, room = box["x"] + 8, box["width"] - 16
        page.evaluate("() => { globalThis.__vitrine.frames.length = 0 }")
        settle(page)
        before = traffic.sent
        page.mouse.move(left + room * start, y)
        page.mouse.down()
        for move in range(1, 51):
            page.mouse.move(left + room * (start + (end - start) * move / 50), y)
            painted(page)  # a busy machine paints less often than the mouse moves
        steps = {step for _, step in page.evaluate("() => globalThis.__vitrine.frames")}
        print(f"\nscrubber, dragging the {what}: {len(steps)} of {STEPS} steps in 50 moves")
        assert traffic.sent == before
        page.mouse.up()
        assert len(steps) >= 40
        expect(page, f"path step {slider(page).input_value()} pick None")


def test_every_animation_frame_shows_its_step(app, demo):
    """A page that is painted shows a new step each time: slow machines paint less often, but skip nothing."""
    page, traffic = watched(app, demo)
    found = page.evaluate(EVERY_FRAME)
    steps = found["steps"]
    distinct = sum(a != b for a, b in zip(steps, steps[1:], strict=False))
    print(
        f"\nscrubber: {distinct / found['seconds']:.0f} distinct frames/s, "
        f"{distinct} of {found['ticks']} animation frames showed a new step"
    )
    assert distinct >= 0.9 * found["ticks"] - 2
    assert traffic.sent == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_a_picked_pixel_names_strip_sample_and_step(app, demo, width):
    page, traffic = watched(app, demo, width)
    slider(page).focus()
    page.keyboard.press("Home")
    for strip, name, (x, y), pick in (
        (0, "x_t", (0, 0), (0, 0, 0)),
        (1, "x_0", (28 + 1, 27), (0, 27, 1)),
        (2, "eps", (56, 56), (27, 27, 3)),
        (0, "x_t", (3, 40), (3, 11, 2)),
    ):
        in_view(stage(page, strip))
        page.mouse.click(*on_screen(page, strip, x + 0.5, y + 0.5))
        expect(page, f"path step 0 pick {(name, *pick)}")
    assert page.get_by_text("picked: noisy x · sample 3 · x 3 · y 11").is_visible()
    settle(page)
    sent = traffic.sent
    page.mouse.click(*on_screen(page, 0, 28.5, 10.5))  # between two samples there is nothing to pick
    page.wait_for_timeout(300)
    assert traffic.sent == sent
    mark = page.locator(".box:visible")
    assert mark.count() == 1
    got, stood = mark.bounding_box(), on_screen(page, 0, 3.5, 40.5)
    assert got is not None
    assert got["x"] + got["width"] / 2 == pytest.approx(stood[0], abs=1)
    assert got["y"] + got["height"] / 2 == pytest.approx(stood[1], abs=1)


def test_picking_by_keyboard(app, demo):
    page, _ = watched(app, demo)
    page.mouse.click(*on_screen(page, 1, 26.5, 5.5))
    expect(page, "path step 59 pick ('x_0', 26, 5, 0)")
    stage(page, 1).focus()
    for key in ("ArrowRight", "ArrowRight", "Shift+ArrowDown", "ArrowUp"):  # over the gap to the next sample
        page.keyboard.press(key)
    assert page.locator(".live").first.text_content() == "predicted x₀ · sample 2 · x 0 · y 8"
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    expect(page, "path step 58 pick ('x_0', 0, 8, 1)")
    settle(page)
    focused = page.evaluate(
        "() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;"
        " return e?.className }"
    )
    assert "stage" in focused  # the focus outlives the rerun
    page.keyboard.press("Escape")
    assert page.locator(".cross:visible").count() == 0


def test_whole_samples(app, demo):
    page, _ = watched(app, demo)
    tab(page, "many")
    page.mouse.click(*on_screen(page, 1, 50.5, 10.5, 65))
    expect(page, "many pick ('two', 17, 10, 1)")
    assert page.get_by_text("picked: two · sample 2", exact=True).is_visible()
    stage(page, 1).focus()
    page.keyboard.press("ArrowDown")
    assert page.locator(".live").nth(2).text_content() == "two · sample 4"
    page.keyboard.press("Enter")
    page.get_by_text(re.compile(r"many pick \('two', \d+, \d+, 3\)")).wait_for()


def test_touch(browser: Browser, demo):
    context = browser.new_context(viewport={"width": 390, "height": 900}, has_touch=True, is_mobile=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda e: problems.append(str(e)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.goto(demo.url)
    page.get_by_role("heading", level=1).first.wait_for(timeout=30_000)
    ready(page)
    page.touchscreen.tap(*on_screen(page, 0, 10.5, 40.5))
    expect(page, "path step 59 pick ('x_t', 10, 11, 2)")
    settle(page)
    session = context.new_cdp_session(page)
    x, y = on_screen(page, 0, 50, 20)
    for kind, dx in (
        ("touchStart", 0),
        *(("touchMove", dx) for dx in (-20, -50, -80, -120)),
        ("touchEnd", None),
    ):
        points = [] if dx is None else [{"x": x + dx, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(40)
    page.get_by_text(re.compile(r"path step \d\d pick \('x_t', 10, 11, 2\)")).wait_for()
    assert 20 <= int(slider(page).input_value()) <= 40  # half of 240 pixels is half of the path
    expect(page, f"path step {slider(page).input_value()} pick ('x_t', 10, 11, 2)")
    assert overflow(page) <= 0
    context.close()
    assert not problems


def test_play_pause_and_the_end(app, demo):
    page, traffic = watched(app, demo)
    page.get_by_role("button", name="Play").click()  # from the last step it starts anew
    beyond(page, 2)
    page.get_by_role("button", name="Pause").click()
    painted(page)
    value = int(slider(page).input_value())
    assert 2 <= value < 59
    page.wait_for_timeout(300)
    assert int(slider(page).input_value()) == value
    expect(page, f"path step {value} pick None")
    slider(page).focus()
    page.keyboard.press("Space")
    beyond(page, value)
    page.keyboard.press("Space")
    for _ in range(5):
        page.keyboard.press("PageDown")
    for _ in range(8):
        page.keyboard.press("PageDown")
    settle(page)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()  # it stops by itself at the end
    assert slider(page).input_value() == "59"
    tab(page, "pair")
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(500)
    sent = traffic.sent
    page.get_by_role("tab", name="path").click()
    page.wait_for_timeout(400)
    tab(page, "pair")
    assert page.get_by_role("button", name="Play").is_visible()  # a tab that is left stands still
    assert traffic.sent == sent


def test_the_difference_of_two_strips(app, demo):
    page, _ = watched(app, demo)
    tab(page, "pair")
    read = "c => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data]"
    a, b, both = (page.locator("canvas:visible").nth(i).evaluate(read) for i in range(3))
    assert page.locator("figcaption:visible").all_text_contents() == ["one", "other", "difference"]
    assert all(abs(abs(a[i] - b[i]) - both[i]) <= 1 for i in range(len(a)) if i % 4 != 3)


def test_python_moves_the_slider_and_other_frames_keep_the_step(app, demo):
    page, traffic = watched(app, demo)
    page.get_by_role("button", name="step 7").click()
    expect(page, "path step 7 pick None")
    settle(page)
    assert slider(page).input_value() == "7" and "step=7" in page.url
    before = pixels(page)
    page.get_by_text("other seed").click()
    settle(page)
    page.wait_for_timeout(300)
    assert slider(page).input_value() == "7" and pixels(page) != before
    slider(page).focus()
    page.keyboard.press("End")
    expect(page, "path step 59 pick None")
    settle(page)
    assert "step=" not in page.url
    page.get_by_text("half as many").click()
    expect(page, "path step 29 pick None")  # the last stays the last
    settle(page)
    page.wait_for_timeout(300)
    assert shown(page)[0] == "t = 0 · 30 / 30"
    page.get_by_role("button", name="step 7").click()
    expect(page, "path step 7 pick None")
    settle(page)
    assert slider(page).input_value() == "7"
    assert traffic.sent > 0


def test_step_and_pick_outlive_a_page_that_was_left(app, demo):
    page = app.open(base=demo.url, height=1200, step="20")
    ready(page)
    assert slider(page).input_value() == "20"
    page.mouse.click(*on_screen(page, 0, 40.5, 10.5))
    expect(page, "path step 20 pick ('x_t', 11, 10, 1)")
    slider(page).focus()
    page.keyboard.press("ArrowRight")
    expect(page, "path step 21 pick ('x_t', 11, 10, 1)")
    settle(page)
    decoded = page.evaluate("() => globalThis.__vitrine.decoded")
    page.get_by_role("button", name="rerun").click()
    expect(page, "runs 2")
    settle(page)
    assert page.evaluate("() => globalThis.__vitrine.decoded") == decoded  # a rerun decodes nothing
    page.get_by_text("gone", exact=True).click()
    expect(page, "nothing here")
    page.get_by_text("gone", exact=True).click()
    expect(page, "path step 21 pick ('x_t', 11, 10, 1)")
    ready(page)
    assert slider(page).input_value() == "21"
    assert page.get_by_text("picked: noisy x · sample 2 · x 11 · y 10").is_visible()
    assert page.locator(".box:visible").count() == 1


def test_sheets_travel_once_and_again_when_they_are_lost(app, demo):
    page, traffic = watched(app, demo)
    whole = max(traffic.received)
    assert 100_000 < whole < 2_200_000
    traffic.received[:] = [0]
    page.mouse.click(*on_screen(page, 0, 5.5, 5.5))
    expect(page, "path step 59 pick ('x_t', 5, 5, 0)")
    settle(page)
    print(f"\nscrubber: {whole} bytes at first, {max(traffic.received)} for a pick")
    assert max(traffic.received) < 60_000
    # a tab that has lost the bytes asks for them
    page.evaluate("() => globalThis.__vitrine_files.clear()")
    page.get_by_text("gone", exact=True).click()
    expect(page, "nothing here")
    page.get_by_text("gone", exact=True).click()
    ready(page)
    assert "t = 0" in shown(page)[0]


@pytest.mark.parametrize(("dark", "width"), [(False, 1440), (True, 390)])
def test_nothing_serious_for_axe(app, demo, dark, width):
    page = app.open(base=demo.url, height=1200, width=width, dark=dark)
    ready(page)
    for name in ("path", "pair", "many"):
        tab(page, name)
        assert beyond_baseline(page) == []
        assert overflow(page) <= 0
        # hidden until now: pictures have their size, side by side or wrapped
        boxes = [c.bounding_box() for c in page.locator("canvas:visible").all()]
        assert all(box and box["width"] > 100 for box in boxes)
        rows = {round(box["y"]) for box in boxes if box}
        assert len(rows) == (2 if width == 390 else 1)


def test_the_words_follow_the_language(app, demo):
    page = app.open(base=demo.url, height=1200, lang="zh")
    ready(page)
    assert page.get_by_role("button", name="播放").first.is_visible()
    assert "方向键" in (stage(page).get_attribute("aria-label") or "")

"""The cloud in Chromium: points, numbers and pictures move together, smoothly, and nothing is sent unasked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.browser.conftest import ROOT, App, Server, Traffic, beyond_baseline, overflow, serve, settle
from tests.browser.driver import in_view, painted

DEMO = ROOT / "tests" / "app" / "widgets" / "demo_cloud.py"
WIDTHS = (390, 1440)
MOMENTS = 41

# The memory of the cloud that is on the screen.
STATE = """const S = [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.v'))
    .find((e) => e?._state?.figures && e.getClientRects().length)._state;"""

# One new place for each animation frame: what the page can do, the driver left out.
EVERY_FRAME = """() => new Promise((done) => {
    const slider = [...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.track input'))
        .find((e) => e?.getClientRects().length);
    const painted = globalThis.__vitrine.frames, start = performance.now(), first = painted.length;
    let i = 0;
    slider.step = 'any';
    const move = (now) => {
        const seconds = (now - start) / 1000;
        if (seconds > 1.5 && i > 20) return done({ticks: i, seconds, places: painted.slice(first).map((f) => f[1])});
        slider.value = ((i += 1) * 0.37) % 40;
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


def watched(app: App, demo: Server, width: int = 1440, **query: Any) -> tuple[Page, Traffic]:
    page, traffic = app.watched(base=demo.url, height=1200, width=width, **query)
    ready(page)
    traffic.armed = True
    return page, traffic


def ready(page: Page) -> None:
    """Until the cloud of the open tab shows a moment."""
    settle(page)
    page.locator("output:visible").filter(has_text="/").wait_for()
    still(page)


def still(page: Page) -> None:
    """Until no point moves."""
    page.wait_for_function(
        "() => {" + STATE + "return S.pos === S.target && !S.playing && !S.morph && !S.frame}"
    )


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()
    page.wait_for_timeout(400)
    ready(page)


def slider(page: Page) -> Locator:
    return page.locator(".track input:visible")


def stage(page: Page, index: int = 0) -> Locator:
    return page.locator(".stage:visible").nth(index)


def at(page: Page, node: int, index: int = 0) -> tuple[float, float]:
    """Where a node stands on the screen."""
    in_view(stage(page, index))
    x, y = page.evaluate(
        f"() => {{ {STATE} const {{xy}} = S.figures[{index}]; return [xy[{2 * node}], xy[{2 * node + 1}]] }}"
    )
    box = stage(page, index).bounding_box()
    assert box is not None
    return box["x"] + x, box["y"] + y


def ground(page: Page, index: int = 0) -> tuple[float, float]:
    """The corner of a picture that is farthest from any node."""
    x, y = page.evaluate(
        f"""() => {{ {STATE} const {{xy, width, height}} = S.figures[{index}];
        const corners = [[6, 6], [width - 6, 6], [6, height - 6], [width - 6, height - 6]];
        const room = ([x, y]) => Math.min(...S.drawn.names.map((_, i) => Math.hypot(xy[2*i] - x, xy[2*i+1] - y)));
        return corners.sort((a, b) => room(b) - room(a))[0] }}"""
    )
    box = stage(page, index).bounding_box()
    assert box is not None
    return box["x"] + x, box["y"] + y


def pixels(page: Page, index: int = 0) -> str:
    still(page)
    return str(page.locator("canvas:visible").nth(index).evaluate("c => c.toDataURL()"))


def expect(page: Page, text: str) -> None:
    page.get_by_text(text, exact=True).wait_for(timeout=20_000)


def memory(page: Page, name: str) -> Any:
    return page.evaluate(f"() => {{ {STATE} return S.{name} }}")


@pytest.mark.parametrize("width", WIDTHS)
def test_keys_move_points_and_numbers_together(app, demo, width):
    page, traffic = watched(app, demo, width)
    assert page.locator("output:visible").text_content() == "epoch 5.0 · 41 / 41"  # the last moment at first
    slider(page).focus()
    looks = [pixels(page)]
    for key, words, loss in (
        ("Home", "epoch 0.0 · 1 / 41", "1.000"),
        ("ArrowRight", "epoch 0.1 · 2 / 41", "0.928"),
        ("End", "epoch 5.0 · 41 / 41", "0.050"),
        ("ArrowLeft", "epoch 4.9 · 40 / 41", "0.054"),
    ):
        page.keyboard.press(key)
        looks.append(pixels(page))
        assert page.locator("output:visible").text_content() == words
        assert page.locator("dd:visible").all_text_contents() == [loss]
        assert slider(page).get_attribute("aria-valuetext") == words
    assert len(set(looks)) == 4 and looks[0] == looks[3]  # End shows the first look again
    name = "The club falls apart into two groups, DeepWalk, epoch 4.9"
    page.locator(f"canvas[aria-label*='{name}']:visible").first.wait_for()
    expect(page, "one step 39 node None")  # told once it rested
    settle(page)
    assert traffic.sent <= 4 and "step=39" in page.url
    assert overflow(page) <= 0


def test_dragging_is_smooth_and_sends_nothing(app, demo):
    page, traffic = watched(app, demo)
    for what, box in (("slider", slider(page).bounding_box()), ("picture", stage(page).bounding_box())):
        assert box is not None
        y = box["y"] + (box["height"] / 2 if what == "slider" else 6)
        left, room = box["x"] + 8, box["width"] - 16
        page.evaluate("() => { globalThis.__vitrine.frames.length = 0 }")
        settle(page)
        before = traffic.sent
        page.mouse.move(left + room, y)
        page.mouse.down()
        for move in range(60):
            page.mouse.move(left + room * abs((move * 0.031) % 2 - 1), y)
            painted(page)  # a busy machine paints less often than the mouse moves
        places = {round(frame[1], 3) for frame in page.evaluate("() => globalThis.__vitrine.frames")}
        assert traffic.sent == before
        page.mouse.up()
        still(page)
        assert len(places) > 20 and any(place % 1 for place in places)  # also between two moments
        value = slider(page).input_value()
        assert value.isdigit() and memory(page, "pos") == int(value)  # it comes to rest on one
        expect(page, f"one step {value} node None")


@pytest.mark.parametrize("name", ["one", "pair", "many"])
def test_every_animation_frame_shows_its_place(app, demo, name):
    """A page that is painted shows a new place each time: slow machines paint less often, but skip nothing."""
    page, traffic = watched(app, demo)
    if name != "one":
        tab(page, name)
        traffic.sent = 0
    found = page.evaluate(EVERY_FRAME)
    places = found["places"]
    distinct = sum(a != b for a, b in zip(places, places[1:], strict=False))
    print(
        f"\ncloud {name}: {distinct / found['seconds']:.0f} distinct frames/s, "
        f"{distinct} of {found['ticks']} animation frames showed a new place"
    )
    assert distinct >= 0.9 * found["ticks"] - 2
    assert traffic.sent == 0


@pytest.mark.parametrize("width", WIDTHS)
def test_a_node_is_pointed_at_picked_and_let_go(app, demo, width):
    page, traffic = watched(app, demo, width)
    sent = traffic.sent
    page.mouse.move(*at(page, 33))
    tip = page.locator(".tip:visible")
    tip.wait_for()
    assert tip.text_content() == "34degree 17" and traffic.sent == sent
    page.mouse.click(*at(page, 33))
    expect(page, "one step 40 node 33")
    settle(page)
    assert "node=33" in page.url and page.get_by_text("picked: 34 · degree 17").is_visible()
    assert memory(page, "meta.near")[0] and memory(page, "chosen") == 33
    page.mouse.click(*ground(page))
    expect(page, "one step 40 node None")
    settle(page)
    assert "node=" not in page.url and memory(page, "chosen") == -1


def test_picking_by_keyboard(app, demo):
    page, _ = watched(app, demo)
    page.mouse.click(*at(page, 0))
    expect(page, "one step 40 node 0")
    settle(page)
    stage(page).focus()
    page.keyboard.press("ArrowRight")
    aloud = page.locator(".live").first
    right = memory(page, "cross")
    assert right > 0 and at(page, right)[0] > at(page, 0)[0]
    assert str(aloud.text_content()).startswith(f"{right + 1} · degree")
    page.keyboard.press("ArrowLeft")
    assert memory(page, "cross") != right
    page.keyboard.type("3")
    page.keyboard.type("4")  # a name that is typed is found
    assert aloud.text_content() == "34 · degree 17"
    page.keyboard.press("PageUp")
    page.keyboard.press("Enter")
    expect(page, "one step 39 node 33")
    settle(page)
    focused = page.evaluate(
        "() => { let e = document.activeElement; while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;"
        " return e?.className }"
    )
    assert "stage" in focused  # the focus outlives the rerun
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Escape")  # first the pointer goes ...
    assert memory(page, "cross") == -1 and memory(page, "chosen") == 33
    page.keyboard.press("Escape")  # ... then the node
    expect(page, "one step 39 node None")


def test_touch(browser: Browser, demo):
    context = browser.new_context(viewport={"width": 390, "height": 900}, has_touch=True, is_mobile=True)
    page = context.new_page()
    problems: list[str] = []
    page.on("pageerror", lambda e: problems.append(str(e)))
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.goto(demo.url)
    page.get_by_role("heading", level=1).first.wait_for(timeout=30_000)
    ready(page)
    x, y = at(page, 16)
    page.touchscreen.tap(x, y)
    expect(page, "one step 40 node 16")
    settle(page)
    session = context.new_cdp_session(page)
    x, y = ground(page)
    way = -1 if x > 195 else 1
    if way == 1:
        x += 150
        way = -1
    for kind, far in (
        ("touchStart", 0),
        *(("touchMove", far) for far in (20, 50, 80, 120)),
        ("touchEnd", None),
    ):
        points = [] if far is None else [{"x": x + way * far, "y": y}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        page.wait_for_timeout(40)
    still(page)
    value = int(slider(page).input_value())
    assert 15 <= value <= 35  # a third of the picture's width is about a third of the way
    expect(page, f"one step {value} node 16")
    assert overflow(page) <= 0
    context.close()
    assert not problems


def test_play_pause_and_the_end(app, demo):
    page, traffic = watched(app, demo)
    page.get_by_role("button", name="Play").click()  # from the last moment it starts anew
    page.wait_for_function("() => {" + STATE + "return S.playing && S.pos > 3 && S.pos < 38}")
    page.get_by_role("button", name="Pause").click()
    still(page)
    value = int(slider(page).input_value())
    assert 3 <= value < 40
    expect(page, f"one step {value} node None")
    slider(page).focus()
    page.keyboard.press("Space")
    page.wait_for_function("(v) => {" + STATE + "return S.pos > v + 1}", arg=value)
    page.keyboard.press("Space")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Space")
    page.get_by_role("button", name="Play").wait_for()  # it stops by itself at the end
    still(page)
    assert slider(page).input_value() == "40"
    tab(page, "pair")
    page.get_by_role("button", name="Play").click()
    page.wait_for_timeout(300)
    sent = traffic.sent
    page.get_by_role("tab", name="one").click()
    page.wait_for_timeout(400)
    tab(page, "pair")
    assert page.get_by_role("button", name="Play").is_visible()  # a tab that is left stands still
    assert traffic.sent == sent


def test_less_motion_shows_whole_moments_only(app, demo):
    page = app.open(base=demo.url, height=1200)
    page.emulate_media(reduced_motion="reduce")
    ready(page)
    page.evaluate("() => { globalThis.__vitrine.frames.length = 0 }")
    slider(page).focus()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    page.wait_for_function("() => {" + STATE + "return S.pos > 4}")
    page.keyboard.press("Space")
    still(page)
    assert all(frame[1] % 1 == 0 for frame in page.evaluate("() => globalThis.__vitrine.frames"))


def test_a_class_stands_out(app, demo):
    page, traffic = watched(app, demo)
    before = pixels(page)
    button = page.get_by_role("button", name="Officer")
    button.click()
    page.mouse.move(2, 2)
    assert button.get_attribute("aria-pressed") == "true" and pixels(page) != before
    faded = memory(page, "figures[0].faded")
    assert 0 < faded < 34
    button.focus()
    page.keyboard.press("Space")  # presses the button and does not play
    assert button.get_attribute("aria-pressed") == "false" and not memory(page, "playing")
    assert pixels(page) == before and traffic.sent == 0


def test_two_clouds_go_through_one_time_and_point_at_one_node(app, demo):
    page, traffic = watched(app, demo)
    tab(page, "pair")
    assert page.locator("figcaption:visible").all_text_contents() == ["DeepWalk", "SDNE"]
    first = [pixels(page, n) for n in (0, 1)]
    sent = traffic.sent
    slider(page).focus()
    page.keyboard.press("End")
    last = [pixels(page, n) for n in (0, 1)]
    assert all(a != b for a, b in zip(first, last, strict=True))  # 41 moments and 17
    page.mouse.move(*at(page, 11, 1))
    assert page.locator(".tip:visible b").all_text_contents() == [memory(page, "drawn.texts[11][0]")] * 2
    for index in (0, 1):
        tip, node = page.locator(".tip:visible").nth(index).bounding_box(), at(page, 11, index)
        assert tip is not None and tip["x"] - 20 < node[0] < tip["x"] + tip["width"] + 20
    assert memory(page, "meta.near") == [[], [3, 4]] and traffic.sent == sent


def test_python_moves_the_slider_and_other_points_keep_the_moment(app, demo):
    page, _ = watched(app, demo)
    page.get_by_role("button", name="moment 7").click()
    expect(page, "one step 7 node None")
    settle(page)
    before = pixels(page)
    assert slider(page).input_value() == "7" and "step=7" in page.url
    page.get_by_text("other training").click()
    settle(page)
    page.wait_for_timeout(800)
    assert pixels(page) != before and slider(page).input_value() == "7"


def test_moment_and_node_outlive_a_page_that_was_left(app, demo):
    page, traffic = watched(app, demo, step="20", node="5")
    assert slider(page).input_value() == "20" and memory(page, "chosen") == 5
    decoded = page.evaluate("() => globalThis.__vitrine.decoded")
    page.get_by_role("button", name="rerun").click()
    expect(page, "runs 2")
    settle(page)
    assert page.evaluate("() => globalThis.__vitrine.decoded") == decoded  # a rerun decodes nothing
    page.evaluate("() => globalThis.__vitrine_files.clear()")  # a tab that has lost the files asks for them
    page.get_by_text("gone", exact=True).click()
    expect(page, "nothing here")
    page.get_by_text("gone", exact=True).click()
    expect(page, "one step 20 node 5")
    ready(page)
    assert slider(page).input_value() == "20" and memory(page, "chosen") == 5
    assert page.get_by_text("picked: 6 · degree 4").is_visible()


def test_very_many_nodes_travel_once(app, demo):
    page, traffic = watched(app, demo)
    whole = max(traffic.received)
    assert 1_000_000 < whole < 2_000_000
    tab(page, "many")
    assert page.get_by_text("4,000 of 6,000 nodes are drawn.").is_visible()
    traffic.received[:] = [0]
    node = 1000
    page.mouse.click(*at(page, node))
    page.get_by_text(re.compile(r"many step 40 node \d+")).wait_for()
    settle(page)
    print(f"\ncloud: {whole} bytes at first, {max(traffic.received)} for a pick")
    assert max(traffic.received) < 100_000


@pytest.mark.parametrize(("dark", "width"), [(False, 1440), (True, 390)])
def test_nothing_serious_for_axe(app, demo, dark, width):
    page = app.open(base=demo.url, height=1200, width=width, dark=dark, node="0")
    ready(page)
    for name in ("one", "pair", "many"):
        tab(page, name)
        assert beyond_baseline(page) == []
        assert overflow(page) <= 0
        # hidden until now: pictures have their size, side by side or one under the other
        boxes = [c.bounding_box() for c in page.locator("canvas:visible").all()]
        assert all(box and box["width"] > 250 for box in boxes)
        rows = {round(box["y"]) for box in boxes if box}
        assert len(rows) == (len(boxes) if width == 390 else 1)


def test_the_words_follow_the_language(app, demo):
    page = app.open(base=demo.url, height=1200, lang="zh")
    ready(page)
    assert page.get_by_role("button", name="播放").first.is_visible()
    assert "方向键" in (stage(page).get_attribute("aria-label") or "")
    assert page.get_by_text("点击或轻触选取节点").first.is_visible()

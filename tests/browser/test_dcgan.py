"""DCGAN in a browser: a sample is looked at, the walk scrubs without a rerun, D and G step, a digit is drawn."""

from __future__ import annotations

import pytest

from app.text import t, using
from tests.browser.conftest import settle
from tests.browser.driver import LOOKS, canvases, fits, in_view, linked, painted, pixels, scrub


def seen(page) -> dict[str, int]:
    """How often our components were called; the frames that they drew."""
    found = page.evaluate("() => ({calls: __vitrine.calls, frames: __vitrine.frames.length})")
    return {name: int(value) for name, value in found.items()}


def test_a_click_looks_closer_and_the_walk_scrubs_in_the_browser(app) -> None:
    page = app.open("/dcgan")
    sheet = page.get_by_alt_text(t("dcgan.sheet.alt", count=32, seed=36))
    box = sheet.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 3.5 / 8, box["y"] + box["height"] * 1.5 / 4)
    linked(page, "one=11")
    assert page.get_by_role("heading", name=t("dcgan.closer", n=11), exact=True).is_visible()

    walk = canvases(page, t("dcgan.walk.alt"))
    in_view(walk.first)
    settle(page)
    assert walk.count() == 2
    slider = page.locator(".st-key-dcgan-walk input[type='range']")
    before = [pixels(walk.nth(i)) for i in (0, 1)]
    assert scrub(slider, 6) == 0, "scrubbing costs no rerun"
    after = [pixels(walk.nth(i)) for i in (0, 1)]
    assert all(a != b for a, b in zip(before, after, strict=True))
    linked(page, "at=6")
    assert [pixels(walk.nth(i)) for i in (0, 1)] == after


@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_step_of_d_and_a_step_of_g_change_the_picture(app, code: str) -> None:
    page = app.open("/dcgan", lang=code)
    with using(code):
        alt = t("dcgan.live.alt", target=t("dcgan.live.target.ring"))
        canvas = canvases(page, alt)
        in_view(canvas.first)
        settle(page)
        pictures = [pixels(canvas.first)]
        for word, told in ((t("dcgan.live.d"), "d1"), (t("dcgan.live.g"), "d1-g1")):
            page.get_by_role("button", name=word, exact=True).click()
            linked(page, f"story=K1n43-{told}")
            pictures.append(pixels(canvas.first))
        assert len(set(pictures)) == 3

        page.get_by_role("button", name=t("dcgan.live.run", rounds=400), exact=True).click()
        linked(page, "-r400")
        first = seen(page)
        page.wait_for_function(
            "n => __vitrine.frames.length > n + 3", arg=first["frames"]
        )  # it plays by itself
        assert seen(page)["calls"] == first["calls"]
        pause = page.locator(".st-key-dcgan-live-film .play")
        pause.click()
        painted(page)
        still = pixels(canvas.first)
        page.wait_for_timeout(400)
        assert pixels(canvas.first) == still


def test_a_drawn_digit_is_judged(app) -> None:
    page = app.open("/dcgan")
    canvas = page.locator(f"[aria-label^='{t('dcgan.canvas.alt')}']").first
    in_view(canvas)
    settle(page)
    box = canvas.bounding_box()
    assert box is not None
    x, y, w, h = box["x"], box["y"], box["width"], box["height"]
    page.mouse.move(x + w / 2, y + 0.15 * h)
    page.mouse.down()
    for i in range(12):
        page.mouse.move(x + w / 2, y + (0.15 + 0.06 * i) * h)
    page.mouse.up()
    page.get_by_text(t("dcgan.own.drawn"), exact=True).wait_for()


def test_the_film_is_a_file_that_plays(app, tmp_path) -> None:
    from PIL import Image

    page = app.open("/dcgan")
    button = page.get_by_role("button", name=t("share.film", kind="GIF")).first
    with page.expect_download() as download:
        button.click()
    file = tmp_path / "walk.gif"
    download.value.save_as(file)
    with Image.open(file) as film:
        assert film.format == "GIF" and getattr(film, "n_frames", 1) >= 10


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(app, code: str, dark: bool, widths) -> None:
    page = app.open("/dcgan", lang=code, width=widths[0], dark=dark, one="3", z="5", evidence="1")
    with using(code):
        page.get_by_role("heading", name=t("dcgan.take.title")).first.wait_for()
    settle(page)
    fits(page, widths)

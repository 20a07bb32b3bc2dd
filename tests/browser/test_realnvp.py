"""RealNVP in a browser: to noise and back without a rerun, a pixel's number, a flow that is trained further."""

from __future__ import annotations

import pytest

from app.text import t, using
from tests.browser.conftest import settle
from tests.browser.driver import LOOKS, canvases, fits, in_view, linked, painted, pixels, scrub


def ready(page) -> None:
    """The jobs have ended: unseen digits are counted, the plane's flow is trained."""
    page.locator(".st-key-realnvp-live-couplings").wait_for(timeout=180_000)
    page.locator(".st-key-realnvp-chances").wait_for(timeout=180_000)
    settle(page)


@pytest.mark.parametrize("code", ["en", "zh"])
def test_to_noise_and_back_costs_no_rerun(app, code: str) -> None:
    page = app.open("/realnvp", lang=code)
    ready(page)
    with using(code):
        canvas = canvases(page, t("realnvp.journey.alt"))
        in_view(canvas.first)
        settle(page)
        assert canvas.count() == 4
        slider = page.locator(".st-key-realnvp-journey input[type='range']")
        slider.focus()
        page.keyboard.press("Home")
        painted(page)
        start = [pixels(canvas.nth(i)) for i in range(2)]
        assert scrub(slider, 5) == 0
        later = [pixels(canvas.nth(i)) for i in range(2)]
        assert scrub(slider, 0) == 0
        assert [pixels(canvas.nth(i)) for i in range(2)] == start
        assert later[0] != start[0] and later[1] != start[1]


def test_a_pixel_is_picked_and_training_goes_on(app) -> None:
    page = app.open("/realnvp")
    ready(page)
    picture = page.get_by_alt_text(t("realnvp.numbers.alt", n=7))
    in_view(picture)
    settle(page)
    box = picture.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 10.5 / 28, box["y"] + box["height"] * 13.5 / 28)
    linked(page, "pixel=10,13")
    page.get_by_role("button", name=t("realnvp.live.more", steps=300), exact=True).click()
    linked(page, "steps=600")
    page.get_by_text(t("realnvp.live.at", steps=600)).first.wait_for(timeout=180_000)


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(app, code: str, dark: bool, widths) -> None:
    page = app.open("/realnvp", lang=code, width=widths[0], dark=dark)
    ready(page)
    fits(page, widths)

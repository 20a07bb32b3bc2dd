"""The VAE page in a browser: two uploaded pictures and the way between them, in both languages and on both engines."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw

from app.text import t, using
from tests.browser.conftest import settle
from tests.browser.driver import LOOKS, canvases, fits, in_view, linked, pixels, scrub

LINES = {"seven.png": ((20, 20), (70, 20), (40, 105)), "one.png": ((45, 12), (45, 108))}


def drawn(name: str) -> bytes:
    """Dark strokes on light paper, as a photographed sheet would be."""
    canvas = Image.new("RGB", (90, 120), (244, 241, 235))
    ImageDraw.Draw(canvas).line(LINES[name], fill=(25, 25, 60), width=9)
    out = io.BytesIO()
    canvas.save(out, "PNG")
    return out.getvalue()


@pytest.mark.parametrize("engine", ["onnx", pytest.param("torch", marks=pytest.mark.torch)])
@pytest.mark.parametrize("code", ["en", "zh"])
def test_from_one_uploaded_picture_to_the_other(app, engine: str, code: str) -> None:
    page = app.open("/vae", engine=engine, lang=code, from_a="picture", from_b="picture")
    with using(code):
        uploads = page.locator("input[type='file']")
        uploads.nth(1).wait_for(state="attached")
        assert uploads.count() == 2
        for i, name in enumerate(LINES):
            file = {"name": name, "mimeType": "image/png", "buffer": drawn(name)}
            uploads.nth(i).set_input_files(file)
            linked(page, "sha_a=" if i == 0 else "sha_b=")
            page.locator("strong", has_text=name).first.wait_for()
        assert page.get_by_text(t("digits.inverted")).count() == 2

        canvases(page, t("vae.moons.alt")).first.wait_for(
            state="attached", timeout=120_000
        )  # no work under way
        walk = canvases(page, t("vae.between.alt"))
        in_view(walk.first)
        settle(page)
        assert walk.count() == 4
        slider = page.locator(".st-key-vae-between input[type='range']")
        slider.focus()
        page.keyboard.press("Home")
        linked(page, "at=0")
        begin = [pixels(walk.nth(i)) for i in range(4)]
        assert scrub(slider, 32) == 0, "scrubbing costs no rerun"
        linked(page, "at=32")
        end = [pixels(walk.nth(i)) for i in range(4)]
        assert all(a != b for a, b in zip(begin, end, strict=True))
        assert end[0] == end[1], "straight or on the arc, the VAE ends at the code of B"
        for _ in range(16):
            page.keyboard.press("ArrowLeft")
        linked(page, without="at=")  # the middle is the default
        middle = [pixels(walk.nth(i)) for i in range(4)]
        assert len({*middle, *begin, *end}) >= 10, "four different middles, and ends of their own"
        page.get_by_text(t("vae.between.middle")).first.wait_for()


def test_a_click_on_a_digit_and_on_the_map(app) -> None:
    page = app.open("/vae")
    sheet = page.get_by_alt_text(t("vae.input.sheet", name=t("vae.b"), count=30))
    box = sheet.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 4.5 / 10, box["y"] + box["height"] * 1.5 / 3)
    linked(page, "b=14")
    page.locator("strong", has_text=t("digits.held", digit=4)).wait_for()

    map_ = page.get_by_alt_text(t("vae.plane.alt", net=t("vae.net.digits2"), cells=21))
    in_view(map_)
    settle(page)
    box = map_.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 4)
    linked(page, "zv=")
    one = page.get_by_alt_text(t("vae.plane.one.alt")).first
    assert one.is_visible()


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(app, code: str, dark: bool, widths) -> None:
    page = app.open("/vae", lang=code, width=widths[0], dark=dark, from_a="draw")
    with using(code):
        page.get_by_role("heading", name=t("vae.take.title")).first.wait_for()
    settle(page)
    fits(page, widths)

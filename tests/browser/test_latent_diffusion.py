"""The latent diffusion page in a browser: a word, the slider, a place that listens, a list to pick from, a phone."""

from __future__ import annotations

import pytest

from app.text import t, using
from tests.browser.conftest import settle
from tests.browser.driver import LOOKS, canvases, fits, in_view, linked, pixels, scrub, slider

KEY = "latent_diffusion.path"


@pytest.mark.parametrize("engine", ["onnx", pytest.param("torch", marks=pytest.mark.torch)])
@pytest.mark.parametrize("code", ["en", "zh"])
def test_a_word_becomes_a_picture_and_the_slider_goes_through_it(app, engine: str, code: str) -> None:
    page = app.open("/latent_diffusion", engine=engine, lang=code, steps="5", samples="1")
    with using(code):
        box = page.get_by_role("textbox", name=t("latent_diffusion.text"))
        box.fill("red car" if code == "en" else "红色的车")
        box.press("Enter")
        linked(page, "text=")
        path = canvases(page, t("latent_diffusion.path.alt", count=1))
        in_view(path.first)
        settle(page)
        assert path.count() == 3
        way = slider(page, KEY)
        assert scrub(way, 0) == 0, "scrubbing costs no rerun"
        noise = [pixels(path.nth(i)) for i in range(3)]
        assert scrub(way, 5) == 0
        made = [pixels(path.nth(i)) for i in range(3)]
        assert all(a != b for a, b in zip(noise, made, strict=True))
        page.get_by_text(t("latent_diffusion.words.about")).first.wait_for()


def test_a_click_asks_what_a_place_listens_to(app) -> None:
    page = app.open("/latent_diffusion", steps="5", samples="1", text="red car")
    maps = canvases(page, t("latent_diffusion.words.alt", count=3))
    in_view(maps.first)
    settle(page)
    assert maps.count() == 4, "the picture, the start and two words"
    box = maps.nth(2).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] * 0.29, box["y"] + box["height"] * 0.54)
    linked(page, "place=2,4")
    page.get_by_text(t("latent_diffusion.words.place", row=4, column=2)).first.wait_for()
    said = t("scrubber.at_cell", strip="red", x=2, y=4)
    page.get_by_text(t("scrubber.picked", at=said)).first.wait_for()


def test_a_thing_is_picked_from_the_list_which_then_goes_away(app) -> None:
    page = app.open("/latent_diffusion", steps="5", samples="1")
    page.get_by_role("button", name=t("latent_diffusion.names", count=214)).click()
    page.get_by_role("radio", name="rocket", exact=True).or_(
        page.get_by_role("button", name="rocket", exact=True)
    ).first.click()
    linked(page, "text=rocket")
    page.get_by_text(t("latent_diffusion.names.about", colours="")[:40]).first.wait_for(state="hidden")
    assert page.get_by_role("textbox", name=t("latent_diffusion.text")).input_value() == "rocket"


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(app, code: str, dark: bool, widths) -> None:
    view = "guide" if dark else "words"
    page = app.open(
        "/latent_diffusion", lang=code, width=widths[0], dark=dark, view=view, steps="5", samples="2"
    )
    with using(code):
        page.get_by_role("heading", name=t("latent_diffusion.take")).first.wait_for()
    settle(page)
    fits(page, widths)

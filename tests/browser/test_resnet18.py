"""ResNet18 in a browser: upload an emoji and a photograph, see what a cell sees, cut a branch."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.assets.samples import FOLDER
from app.text import t, using
from tests.browser.conftest import settle
from tests.browser.driver import LOOKS, fits, in_view, linked


def upload(page, path: Path) -> None:
    page.locator('input[type="file"]').first.set_input_files(str(path))
    page.get_by_text(path.name, exact=False).first.wait_for()
    settle(page)


def says(page) -> str:
    """The headline of the answer."""
    return page.get_by_role("heading", level=2).first.inner_text()


@pytest.mark.parametrize("code", ["en", "zh"])
def test_an_emoji_and_a_photograph(app, code: str) -> None:
    page = app.open("/resnet18", lang=code)
    with using(code):
        before = says(page)
        assert (
            before
            and page.get_by_role("list", name=t("resnet18.bars.alt")).get_by_role("listitem").count() == 5
        )
        upload(page, FOLDER / "emoji" / "elephant.png")
        page.get_by_text(t("resnet18.cut.none", width=160, height=160, side=96)).wait_for()
        page.get_by_text(t("resnet18.ood.inside")).wait_for()
        upload(page, FOLDER / "chelsea.jpg")
        page.get_by_text(t("resnet18.cut", width=451, height=300, side=96, kept="67")).wait_for()
        page.get_by_text(t("resnet18.ood.outside")).wait_for()


def test_a_click_moves_the_receptive_field(app) -> None:
    page = app.open("/resnet18", block="layer1.1", tap="layer1.1.out", cell="3,3")
    in_view(page.get_by_text(t("resnet18.number.title")))
    settle(page)
    box = page.locator("img.base[alt*='receptive field']")
    first = box.get_attribute("alt")
    assert first is not None and "row 3, column 3" in first
    in_view(box)
    place = box.bounding_box()
    assert place is not None
    page.mouse.click(place["x"] + 0.8 * place["width"], place["y"] + 0.25 * place["height"])
    linked(page, "cell=", without="cell=3,3")
    assert box.get_attribute("alt") != first
    # the rectangle is drawn, and holds the point that was clicked
    assert page.get_by_text("43 × 43").first.is_visible()


def test_cutting_a_branch_in_the_drawing(app) -> None:
    page = app.open("/resnet18")
    switch = page.get_by_role(
        "button", name=f"layer1.1, {t('resnet18.play.residual')}: {t('resnet18.play.on')}"
    )
    switch = switch.locator("visible=true").first
    in_view(switch)
    switch.press("Enter")  # by keyboard
    linked(page, "no_f=layer1.1")
    off = f"layer1.1, {t('resnet18.play.residual')}: {t('resnet18.play.off')}"
    assert page.get_by_role("button", name=off).locator("visible=true").count() == 1
    page.get_by_role("button", name=t("resnet18.play.reset")).click()
    linked(page, without="no_f")


def test_quick_clicks_are_all_taken(app) -> None:
    """Four branches cut within one rerun of the page."""
    page = app.open("/resnet18")
    names = ["layer1.0", "layer2.1", "layer3.0", "layer4.1"]
    on = f"{t('resnet18.play.residual')}: {t('resnet18.play.on')}"
    switches = [
        page.get_by_role("button", name=f"{name}, {on}").locator("visible=true").first for name in names
    ]
    in_view(switches[0])
    for handle in [switch.element_handle() for switch in switches]:
        handle.dispatch_event("click")
    linked(page, *names)


@LOOKS
def test_it_fits_the_screen_and_is_open_to_everybody(app, code: str, dark: bool, widths) -> None:
    page = app.open("/resnet18", lang=code, width=widths[0], dark=dark)
    with using(code):
        page.get_by_text(t("resnet18.take.title")).first.wait_for()
    settle(page)
    fits(page, widths)

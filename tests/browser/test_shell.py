"""Home in a browser: both languages, light and dark, wide and narrow, without a console error, open to everybody."""

from __future__ import annotations

import pytest

from app.text import catalogue
from models.registry import heads
from tests.browser.conftest import App, settle
from tests.browser.driver import fits


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("code", ["en", "zh"])
def test_home(app: App, code: str, dark: bool):
    widths = (1440, 390) if dark == (code == "zh") else (390, 1440)
    page = app.open(lang=code, width=widths[0], dark=dark)
    say = catalogue(code)
    page.get_by_text(say["home.note"]).first.wait_for()  # stands below the pictures
    settle(page)
    assert page.evaluate("document.documentElement.lang") == code
    for card in heads():
        assert page.get_by_alt_text(say[f"home.{card.slug}.alt"]).count() == 1
    fits(page, widths)
    background = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert background == ("rgb(20, 23, 26)" if dark else "rgb(251, 250, 247)")


def test_the_browser_chooses_the_language_and_the_switch_changes_it(app: App):
    page = app.open(locale="zh-CN", width=390)
    page.get_by_text(catalogue("zh")["home.about"]).wait_for()
    page.get_by_test_id("stMain").get_by_role("radio", name="English").click()
    page.get_by_text(catalogue("en")["home.about"]).wait_for()
    assert "lang=en" in page.url
    page.reload()
    page.get_by_text(catalogue("en")["home.about"]).wait_for()


def test_pages_are_reached_by_their_links_and_keep_the_language(app: App):
    page = app.open(lang="zh")
    links = page.get_by_test_id("stSidebarNavLink")
    for number in range(links.count()):
        links.nth(number).click()
        settle(page)
        page.get_by_role("heading", level=1).first.wait_for()
        assert page.evaluate("document.documentElement.lang") == "zh"
        assert page.get_by_text(catalogue("zh")["shell.privacy"]).count() == 1


def test_a_bad_link_shows_home(app: App):
    page = app.open(lang="☃", model="../..", sha="x" * 300)
    page.get_by_text(catalogue("en")["home.about"]).wait_for()

"""The app from its entry point: home in both languages, the language switch, bad links, the polite error."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app import navigation
from app.text import LANGUAGES, catalogue
from models.registry import heads

ROOT = Path(__file__).resolve().parents[3]


def start(**query: str) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    return "\n".join(
        str(e.value) for e in [*app.title, *app.header, *app.subheader, *app.markdown, *app.caption]
    )


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_home_speaks_the_language_of_the_link(code):
    app = start(lang=code)
    say = catalogue(code)
    assert app.title[0].value == say["home.title"]
    assert say["home.about"] in words(app)
    for card in navigation.listed(ROOT):
        assert say[f"home.{card.slug}.sentence"] in words(app)
    other = catalogue({"en": "zh", "zh": "en"}[code])
    assert other["home.about"] not in words(app)


def test_the_switch_changes_the_words_and_the_link():
    app = start()
    assert catalogue("en")["home.about"] in words(app)
    app.button_group(key="vitrine.language.side").set_value("zh").run()
    assert not app.exception
    assert catalogue("zh")["home.about"] in words(app)
    assert app.query_params["lang"] in ("zh", ["zh"])
    app.button_group(key="vitrine.language.top").set_value("en").run()
    assert catalogue("en")["home.about"] in words(app)
    app.button_group(key="vitrine.language.top").set_value(None).run()  # pressed once more
    assert catalogue("en")["home.about"] in words(app)
    assert not app.exception


@pytest.mark.parametrize("bad", ["", "xx", "zh-CN", "☃", "a" * 5000, "../../etc", "{}", "%00"])
def test_a_bad_link_is_no_error(bad):
    app = start(lang=bad, model=bad, sample=bad, sha=bad, layer=bad, pick=bad)
    assert catalogue("en")["home.about"] in words(app)


def test_only_pages_that_exist_are_listed(tmp_path):
    (tmp_path / "pages").mkdir()
    assert navigation.listed(tmp_path) == ()
    card = heads()[0]
    (tmp_path / "pages" / f"{card.page}.py").touch()
    assert navigation.listed(tmp_path) == (card,)


def test_every_page_file_belongs_to_a_card():
    pages = {p.stem for p in (ROOT / "pages").glob("*.py")} - {"home", "__init__"}
    assert pages <= {card.page for card in heads()}


def broken() -> None:
    import streamlit as st

    from app.widgets.guard import fragment, guard

    @fragment
    def part() -> None:
        raise ValueError("the visitor's secret 2")

    with guard():
        part()
        st.markdown("still here")
        raise ValueError("the visitor's secret 1")


def test_an_unforeseen_error_is_a_sentence_with_a_number(monkeypatch, caplog):
    monkeypatch.setenv("VITRINE_POLITE_ERRORS", "1")
    with caplog.at_level(logging.ERROR, "vitrine"):
        app = AppTest.from_function(broken).run()
    assert not app.exception
    assert app.markdown[0].value == "still here"
    assert len(app.error) == 2
    records = [r.getMessage() for r in caplog.records if r.name == "vitrine"]
    assert len(records) == 2
    for record, shown in zip(records, app.error, strict=True):
        assert record.split()[1].rstrip(":") in shown.value
        assert "ValueError" in record
    assert not any("the visitor's secret" in r.split(" at\n")[0] for r in records)
    app.run()
    assert app.markdown[0].value == "still here"


def test_streamlit_stays_local_and_quiet():
    import tomllib

    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["browser"]["gatherUsageStats"] is False
    assert config["server"]["fileWatcherType"] == "none"
    assert config["client"]["showErrorDetails"] == "none"
    assert "http" not in (ROOT / ".streamlit" / "config.toml").read_text("utf-8")
    for path in [
        *(ROOT / "app").rglob("*.py"),
        *(ROOT / "app").rglob("*.js"),
        *(ROOT / "app").rglob("*.css"),
    ]:
        source = path.read_text("utf-8")
        for cdn in ("googleapis", "gstatic", "jsdelivr", "unpkg", "cdnjs"):
            assert cdn not in source, path
    assert ":material/" not in str(
        next(line for line in (ROOT / "app" / "main.py").read_text().splitlines() if "page_icon" in line)
    ), "Streamlit fetches a material favicon from the net"

"""Both languages say the same things, everything that is asked for is there, and nothing is there in vain."""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from app.text import LANGUAGES, best_language, catalogue, has, t, using
from models.registry import MODELS, heads

ROOT = Path(__file__).resolve().parents[3]
KEY = re.compile(r"[a-z0-9_]+(\.[A-Za-z0-9_+-]+)+")
TEMPLATE = re.compile(r"[a-z0-9_]+(\.([a-z0-9_]|\{\})+)+")  # an f-string that makes message ids
ASKS = {"t", "has"}  # calls whose first argument is a message id
RAISES = {"BadGraph", "BadImage", "EngineError", "BadWeights"}  # exceptions whose first argument is one

# Message ids that are put together at run time from the start on, with {} for what is filled in. An f-string that
# begins with its area (f"home.{slug}.alt") needs no entry: it stands for every message that it fits.
DYNAMIC = {
    "{}.weights.{}",  # the name of each set of weights
    "{}.weights.{}.about",
    "{}.score",
    "{}.score.other",
    "{}.tap.{}",  # a card's `text`
    "image.sample.{}",  # a sample's `alt`
}


def sources() -> list[Path]:
    """The code that speaks: app without its catalogues, pages, and the cards."""
    files = [*(ROOT / "app").rglob("*.py"), *(ROOT / "pages").rglob("*.py"), *(ROOT / "models").rglob("*.py")]
    return sorted(
        f for f in files if ROOT / "app" / "text" not in f.parents and "weights" not in f.parts[:-1]
    )


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def called(node: ast.Call) -> str:
    """The last name of what is called: t of text.t(…)."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def pattern(node: ast.JoinedStr) -> str:
    """An f-string with {} for what is filled in."""
    return "".join(str(v.value) if isinstance(v, ast.Constant) else "{}" for v in node.values)


def matches(template: str, key: str) -> bool:
    return re.fullmatch(re.escape(template).replace(r"\{\}", ".+"), key) is not None


def asked(path: Path) -> Iterator[tuple[int, ast.expr]]:
    """(line, first argument) of every call in a file that names a message."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and called(node) in ASKS | RAISES and node.args:
            first = node.args[0]
            branches = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
            for branch in branches:
                yield node.lineno, branch


def placeholders(message: str) -> dict[str, str]:
    """Name → format of each placeholder. Raises ValueError for a message that is no format."""
    fields = [
        (name, spec or "") for _, name, spec, _ in string.Formatter().parse(message) if name is not None
    ]
    return dict(fields)


def test_both_languages_have_the_same_messages():
    english, chinese = catalogue("en"), catalogue("zh")
    assert set(LANGUAGES) == {"en", "zh"}
    assert english.keys() - chinese.keys() == set(), "not said in Chinese"
    assert chinese.keys() - english.keys() == set(), "not said in English"


def test_the_placeholders_are_the_same():
    for key, message in catalogue("en").items():
        assert placeholders(message).keys() == placeholders(catalogue("zh")[key]).keys(), key


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_messages_are_well_formed(code):
    for key, message in catalogue(code).items():
        assert KEY.fullmatch(key), key
        assert message, key
        assert message.strip() == message or not plain_words(message), key
        for name in placeholders(message):
            assert name.isidentifier(), f"{key}: {{{name}}} would let a value be looked into"


def test_chinese_is_chinese():
    """A message of words that is the same in both languages was forgotten."""
    for key, message in catalogue("en").items():
        same = catalogue("zh")[key] == message
        words = re.findall(r"[a-z]{4,}", re.sub(r"\{.*?\}|\$.*?\$|`.*?`", "", message))
        assert not (same and len(words) > 2), f"{key}: {message}"


def test_every_message_that_is_asked_for_is_there():
    missing = []
    for path in sources():
        for line, node in asked(path):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if node.value not in catalogue("en"):
                    missing.append(f"{path.relative_to(ROOT)}:{line} {node.value}")
            elif isinstance(node, ast.JoinedStr) and pattern(node) not in DYNAMIC:
                found = pattern(node)
                if found.startswith("{}") or "." not in found.split("{}")[0]:
                    missing.append(f"{path.relative_to(ROOT)}:{line} {found!r} is not in DYNAMIC")
                elif not any(matches(found, key) for key in catalogue("en")):
                    missing.append(f"{path.relative_to(ROOT)}:{line} {found!r} fits no message")
    assert not missing, "\n".join(missing)


def test_every_message_is_asked_for():
    constants = {
        node.value
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and KEY.fullmatch(node.value)
    }
    built = {
        pattern(node)
        for path in sources()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.JoinedStr) and TEMPLATE.fullmatch(pattern(node))
    }
    unused = [
        key
        for key in catalogue("en")
        if key not in constants and not any(matches(each, key) for each in DYNAMIC | built)
    ]
    assert not unused, "\n".join(unused)


def test_cards_have_their_words():
    wanted = set()
    for head in heads():
        wanted |= {f"family.{head.family}", f"home.{head.slug}.sentence", f"home.{head.slug}.alt"}
    for card in MODELS.values():
        for weights in card.weights:
            if weights.offered:
                wanted.add(f"{card.slug}.weights.{weights.id}")
            wanted |= {tap.text for tap in card.taps(weights.config)}
    missing = sorted(wanted - catalogue("en").keys())
    assert not missing, "\n".join(missing)


def speaking_calls(path: Path) -> Iterator[tuple[int, str]]:
    """(line, sentence) of every literal text handed to Streamlit."""
    for node in ast.walk(tree(path)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        root: ast.expr = node.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if not (isinstance(root, ast.Name) and root.id in {"st", "column", "place", "container"}):
            continue
        arguments = [
            *node.args,
            *(k.value for k in node.keywords if k.arg in {"label", "help", "placeholder", "caption", "alt"}),
        ]
        if node.func.attr == "latex":
            continue
        for argument in arguments:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield node.lineno, argument.value
            elif isinstance(argument, ast.JoinedStr):
                yield node.lineno, pattern(argument)


def plain_words(text: str) -> list[str]:
    """Words of a text that a reader would read: no mark-up, icons, formulas, style, names of options."""
    text = re.sub(r"<style>.*</style>|<[^>]*>", " ", text, flags=re.DOTALL)
    text = re.sub(r":material/\w+:|\{[^}]*\}|\$[^$]*\$|[\w-]+[._][\w.-]+", " ", text)
    return re.findall(r"[A-Za-z]{2,}|[\u4e00-\u9fff]", text)


def test_no_sentence_stands_in_the_code():
    """One word may be a name (PNG); two are a sentence, and one Chinese character is too."""
    spoken = []
    for path in sources():
        for line, text in speaking_calls(path):
            words = plain_words(text)
            if (len(words) >= 2 and " " in text) or any(word > "\u4e00" for word in words):
                spoken.append(f"{path.relative_to(ROOT)}:{line} {text!r}")
    assert not spoken, "\n".join(spoken)


def test_a_sentence_in_the_code_would_be_found():
    assert plain_words("<b>Choose a file</b>") == ["Choose", "file"]
    assert plain_words("<style>a { color: red }</style>") == []
    assert plain_words("选择") == ["选", "择"]


# -- t itself ---------------------------------------------------------------------------------------------------


def test_the_language_is_that_of_the_context():
    assert t("shell.language") == "Language"
    with using("zh"):
        assert t("shell.language") == "语言"
        assert has("shell.language")
    assert t("shell.language") == "Language"


def test_a_missing_message_raises_here_and_is_shown_as_its_key_to_readers(monkeypatch):
    with pytest.raises(KeyError):
        t("no.such.message")
    with pytest.raises(KeyError):
        t("home.open")  # its placeholder is not filled
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    assert t("no.such.message") == "no.such.message"
    assert "{title}" in t("home.open")


def test_a_value_is_not_read_as_a_message():
    assert "{number}" in t("home.open", title="{number}")


def test_the_browser_chooses():
    for locale, code in (
        ("zh-CN", "zh"),
        ("zh_TW", "zh"),
        ("en-GB", "en"),
        ("fr", "en"),
        ("", "en"),
        (None, "en"),
    ):
        assert best_language(locale) == code


def test_two_threads_read_two_languages():
    import threading

    together, seen = threading.Barrier(8), {}

    def read(code: str, number: int) -> None:
        with using(code):
            together.wait()
            seen[number] = {t("shell.language") for _ in range(500)}

    threads = [threading.Thread(target=read, args=(("en", "zh")[i % 2], i)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(seen[i] == {("Language", "语言")[i % 2]} for i in range(8))

"""What the page tests share: a page is opened as a visitor does, run until its work is done, and read."""

from __future__ import annotations

import io
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).parents[3]
ENGINES = ["onnx", pytest.param("torch", marks=pytest.mark.torch)]


def visit(slug: str, monkeypatch: pytest.MonkeyPatch, engine: str = "onnx", **query: str) -> AppTest:
    """A page by its link, before its first run."""
    monkeypatch.setenv("VITRINE_ENGINE", engine)
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=300)
    for name, value in query.items():
        app.query_params[name] = value
    app.switch_page(str(ROOT / "pages" / f"{slug}.py"))
    return app


def opened(slug: str, monkeypatch: pytest.MonkeyPatch, engine: str = "onnx", **query: str) -> AppTest:
    """A page by its link, once its work is done."""
    return settled(visit(slug, monkeypatch, engine, **query))


def settled(app: AppTest) -> AppTest:
    """Run, until no work is under way."""
    return checked(app.run())


def checked(app: AppTest) -> AppTest:
    """Run again where work is under way, until it is done."""
    end = time.monotonic() + 300
    while sound(app).get("progress"):
        assert time.monotonic() < end, "the work did not end"
        time.sleep(0.3)
        app.run()
    return app


def sound(app: AppTest) -> AppTest:
    assert not app.exception, [e.message for e in app.exception]
    return app


def words(app: AppTest) -> str:
    """All that the page says."""
    parts = (app.title, app.header, app.subheader, app.markdown, app.caption, app.info, app.warning)
    return "\n".join(str(each.value) for part in parts for each in part)


def refused(app: AppTest) -> str:
    """What the page says of its link."""
    return "\n".join(str(info.value) for info in app.info if info.icon == ":material/link:").replace("\\", "")


def metric(app: AppTest, label: str) -> str:
    return str(next(m.value for m in app.metric if m.label == label))


def asked(app: AppTest, name: str) -> str:
    """A parameter of the address: one that a run wrote comes as it is, one that a test gave as a list."""
    value = app.query_params[name]
    return value if isinstance(value, str) else value[0]


def png(array: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(array).save(out, "PNG")
    return out.getvalue()

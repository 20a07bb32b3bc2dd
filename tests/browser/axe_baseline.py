"""Writes axe_baseline.json, axe's serious findings on bare Streamlit: `python -m tests.browser.axe_baseline`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, BASELINE, App, chromium, serious, serve, settle


def main() -> None:
    folder = Path(tempfile.mkdtemp())  # no config there: Streamlit as it comes
    server = serve(
        Path(__file__).with_name("bare.py").resolve(),
        folder / "log",
        folder,
        STREAMLIT_BROWSER_GATHER_USAGE_STATS="false",
        STREAMLIT_SERVER_HEADLESS="true",
    )
    found = set()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
            app = App(browser, lambda engine: server)
            for width in (1440, 390):
                for dark in (False, True):
                    page = app.open(width=width, dark=dark)
                    settle(page)
                    found |= set(serious(page))
            app.close()
            browser.close()
    finally:
        server.stop()
    BASELINE.write_text(json.dumps(sorted(found), indent=1) + "\n", "utf-8")
    print(BASELINE.read_text("utf-8"))


if __name__ == "__main__":
    main()

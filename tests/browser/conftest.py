"""The app in a browser: a server for each engine, Chromium, a page that tells on console errors, and axe.

    def test_something(app):
        page = app.open("/swinir", lang="zh", engine="onnx", width=390, dark=True)
        page.get_by_role(...)

Two workers may run at a time, each with servers and a Chromium of its own. What a test waits for it therefore names: a
frame that is drawn, a word in the address, a text on the page; never a time that is long enough on a quiet machine.

At its end a test fails for every console error, failed request and answer of 400 or more that its pages met.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
BASELINE = Path(__file__).with_name("axe_baseline.json")
# Opened at the address of a page, Streamlit's client first asks below that address where its server is, gets two 404s
# and then asks at the root: every multipage app does, and no setting changes it.
PROBE = re.compile(r"//[^/]+/[^/]+/_stcore/(health|host-config)$")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in Path(item.fspath).parents:
            item.add_marker(pytest.mark.browser)


def chromium() -> str | None:
    """The system's Chromium, or what VITRINE_CHROMIUM names; None leaves it to playwright's own."""
    return os.environ.get("VITRINE_CHROMIUM") or next(
        (
            found
            for name in ("chromium", "chromium-browser", "google-chrome")
            if (found := shutil.which(name))
        ),
        None,
    )


def free_port() -> int:
    """A port that nobody listens on. Two workers that ask at the same moment are never given the same one."""
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    own = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    while True:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = int(s.getsockname()[1])
        if port // 2 % workers == own:  # Linux prefers odd ones
            return port


@dataclass
class Server:
    """A running `streamlit run`, as the README starts it."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path
    pid: int = field(init=False)

    def __post_init__(self) -> None:
        self.pid = self.process.pid

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()


def serve(
    script: Path, log: Path, folder: Path = ROOT, arguments: tuple[str, ...] = (), **environment: str
) -> Server:
    """Start an app on a free port, with the config of `folder`, and wait until it answers."""
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*command, "--server.address", "127.0.0.1", *arguments],
            cwd=folder,
            env={"OMP_NUM_THREADS": "2"} | os.environ | environment,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    server = Server(f"http://127.0.0.1:{port}", process, log)
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=1):
                return server
        except OSError:
            if process.poll() is not None:
                break
            time.sleep(0.1)
    server.stop()
    raise RuntimeError(f"the app did not start:\n{log.read_text('utf-8', 'replace')[-3000:]}")


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Server]]:
    """servers("onnx"), servers("torch") or servers("") for the default: one of each, started when first asked for."""
    running: dict[str, Server] = {}

    def get(engine: str = "onnx") -> Server:
        if engine not in running:
            log = tmp_path_factory.mktemp("server") / f"{engine or 'default'}.log"
            running[engine] = serve(
                ROOT / "app" / "main.py", log, VITRINE_ENGINE=engine, VITRINE_STRICT_TEXT="1"
            )
        return running[engine]

    yield get
    for server in running.values():
        server.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield browser
        browser.close()


class App:
    """Opens pages of the app and remembers what went wrong in them."""

    def __init__(self, browser: Browser, servers: Callable[[str], Server]):
        self.browser, self.servers = browser, servers
        self.problems: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(
        self,
        path: str = "/",
        *,
        engine: str = "onnx",
        width: int = 1440,
        height: int = 900,
        dark: bool = False,
        locale: str = "en-US",
        base: str = "",
        watch: Callable[[Page], object] | None = None,
        **query: str,
    ) -> Page:
        """A new tab of a new visitor, once the page has run. query: parameters of the address.

        watch: called with the tab before it goes to the address, to hear all that is sent.
        """
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            locale=locale,
            accept_downloads=True,
        )
        self.contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", self._console)
        page.on("pageerror", lambda e: self.problems.append(f"exception: {e}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        if watch:
            watch(page)
        page.goto(f"{base or self.servers(engine).url}{path}" + (f"?{urlencode(query)}" if query else ""))
        page.get_by_role("heading", level=1).first.wait_for()
        settle(page)
        return page

    def _console(self, message: Any) -> None:
        if message.type == "error" and not PROBE.search(message.location.get("url", "")):
            self.problems.append(f"console: {message.text}")

    def _answered(self, response: Any) -> None:
        if response.status >= 400 and not PROBE.search(response.url):
            self.problems.append(f"{response.status}: {response.url}")

    def _failed(self, request: Any) -> None:
        if request.failure != "net::ERR_ABORTED":  # a navigation or a closed page
            self.problems.append(f"request failed: {request.url} {request.failure}")

    def close(self) -> None:
        for context in self.contexts:
            context.close()

    def watched(self, **options: Any) -> tuple[Page, Traffic]:
        """A page as `open` opens it, and what goes to and fro between it and Streamlit."""
        traffic = Traffic()
        return self.open(watch=traffic.listen, **options), traffic


@pytest.fixture
def app(browser: Browser, servers: Callable[[str], Server]) -> Iterator[App]:
    opened = App(browser, servers)
    yield opened
    opened.close()
    assert not opened.problems, "\n".join(opened.problems)


class Traffic:
    """Messages to Streamlit (each is a rerun) and the sizes of those from it, from `armed` on."""

    def __init__(self) -> None:
        self.sent, self.received, self.armed = 0, [0], False

    def listen(self, page: Page) -> None:
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framesent", self._sent)
        socket.on("framereceived", lambda data: self.received.append(len(data)))

    def _sent(self, _: object) -> None:
        self.sent += self.armed


def settle(page: Page, quiet: float = 0.6, limit: float = 60.0) -> None:
    """Wait until Streamlit has not been running for a while."""
    end, still = time.monotonic() + limit, time.monotonic()
    while time.monotonic() < end:
        state = page.locator("[data-testid='stApp']").get_attribute("data-test-script-state")
        busy = state not in ("notRunning", None)
        if busy:
            still = time.monotonic()
        elif time.monotonic() - still > quiet:
            return
        page.wait_for_timeout(100)


def overflow(page: Page) -> int:
    """By how many pixels the page is wider than the screen."""
    return int(
        page.evaluate(
            """() => {
                const main = document.querySelector("[data-testid='stMain']") ?? document.documentElement;
                return Math.max(main.scrollWidth - main.clientWidth,
                                document.documentElement.scrollWidth - document.documentElement.clientWidth);
            }"""
        )
    )


# -- accessibility ----------------------------------------------------------------------------------------------

Finding = tuple[str, str]  # axe's rule, and the data-testid of the nearest Streamlit element


def serious(page: Page) -> dict[Finding, str]:
    """axe's serious and critical findings, each with one piece of HTML as an example."""
    from axe_playwright_python.sync_playwright import Axe

    found: dict[Finding, str] = {}
    for violation in Axe().run(page).response["violations"]:
        if violation["impact"] not in ("serious", "critical"):
            continue
        for node in violation["nodes"]:
            target = node["target"][0]
            selector = target[0] if isinstance(target, list) else target
            place = page.evaluate(
                "s => document.querySelector(s)?.closest('[data-testid]')?.dataset.testid ?? ''", selector
            )
            found.setdefault(
                (violation["id"], place), f"{node['html'][:200]} | {node['failureSummary'][:200]}"
            )
    return found


def beyond_baseline(page: Page) -> list[str]:
    """Serious findings that a bare Streamlit page does not have."""
    known = {tuple(entry) for entry in json.loads(BASELINE.read_text("utf-8"))}
    return [
        f"{rule} in {place}: {html}"
        for (rule, place), html in serious(page).items()
        if (rule, place) not in known
    ]

"""Size of an installation, and the time from starting the process to its first page in Chromium.

    python -m tests.first_page requirements-slim.txt=.venv-slim/bin/python requirements.txt=.venv/bin/python

Each argument is a requirements file and a Python that has it installed. Needs playwright in this Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import ARGUMENTS, ROOT, chromium, free_port

# Run in the Python that is measured: the sizes of a requirements file's packages and of all that they need.
SIZE = """
import sys
from importlib.metadata import distribution
from pathlib import Path
from packaging.requirements import Requirement

def requirements(file):
    for line in Path(file).read_text().splitlines():
        if line.startswith("-r "):
            yield from requirements(line[3:].strip())
        elif line and not line.startswith("#"):
            yield Requirement(line)

sizes, todo = {}, list(requirements(sys.argv[1]))
seen = set()
while todo:
    wanted = todo.pop()
    for extra in ("", *wanted.extras):
        if (wanted.name, extra) in seen:
            continue
        seen.add((wanted.name, extra))
        package = distribution(wanted.name)
        files = (file.locate() for file in package.files or [])
        sizes[package.name] = sum(file.stat().st_size for file in files if file.is_file())
        for needed in map(Requirement, package.requires or []):
            if needed.marker is None or needed.marker.evaluate({"extra": extra}):
                todo.append(needed)
print(round(sum(sizes.values()) / 1e6))
"""


def megabytes(requirements: str, python: str) -> int:
    """What the packages of a requirements file, and all that they need, take on disk."""
    done = subprocess.run(
        [python, "-c", SIZE, requirements], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return int(done.stdout)


def seconds(python: str, browser: Browser, path: str) -> tuple[float, float]:
    """From the start of the process: until the port answers, and until a page shows its heading."""
    port = free_port()
    with tempfile.TemporaryFile() as log:
        start = time.perf_counter()
        server = subprocess.Popen(
            [python, "-m", "streamlit", "run", "app/main.py", "--server.port", str(port)],
            cwd=ROOT,
            stdout=log,
            stderr=log,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        try:
            while True:
                try:
                    urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=1).close()
                    break
                except OSError:
                    if server.poll() is not None or time.perf_counter() - start > 120:
                        raise
                    time.sleep(0.05)
            healthy = time.perf_counter() - start
            page = browser.new_page()
            page.set_default_timeout(120_000)
            page.goto(f"http://127.0.0.1:{port}{path}")
            page.get_by_role("heading", level=1).first.wait_for()
            shown = time.perf_counter() - start
            page.close()
            return healthy, shown
        finally:
            server.terminate()
            server.wait(20)


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        browser.new_page().goto("about:blank")  # so that the browser's own start is not counted
        for argument in sys.argv[1:]:
            requirements, _, python = argument.partition("=")
            runs = sorted(seconds(str(Path(python).absolute()), browser, "/") for _ in range(3))
            healthy, shown = runs[1]
            size = megabytes(requirements, str(Path(python).absolute()))
            print(
                f"{requirements}: {size} MB on disk; answers {healthy:.1f} s after its start, "
                f"first page after {shown:.1f} s (median of 3)",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main()

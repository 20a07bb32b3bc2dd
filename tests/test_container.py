"""The Dockerfile's lines, run without Docker: what it copies is enough, what it starts answers its health check."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.imports import ROOT, closure


def instructions(word: str) -> list[str]:
    """What follows each instruction of this kind in the Dockerfile, continued lines joined."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text("utf-8"))
    return re.findall(rf"^{word} (.*)$", text, re.MULTILINE)


def copied() -> list[str]:
    return [line.split()[0] for line in instructions("COPY")]


def test_slim_by_default_and_not_as_root():
    assert instructions("ARG") == ["REQUIREMENTS=requirements-slim.txt"]
    assert instructions("USER") == ["vitrine"]
    assert (ROOT / "requirements.txt").exists()  # the build argument of the CUDA image
    (health,) = instructions("HEALTHCHECK")
    assert "/_stcore/health" in health


def test_what_is_copied_is_not_ignored():
    kept = {line.removeprefix("!") for line in (ROOT / ".dockerignore").read_text().splitlines()}
    assert set(copied()) <= kept


def test_no_page_needs_the_training_code():
    pages = [f"pages.{path.stem}" for path in (ROOT / "pages").glob("*.py")]
    assert not any("training" in name for page in [*pages, "app.main"] for name in closure(page))


@pytest.mark.slow
def test_start_line_answers_the_health_check(tmp_path: Path):
    """In a folder with nothing but what is copied, on a free port instead of 8501."""
    for name in copied():
        for source in ROOT.glob(name):
            if source.is_dir():
                shutil.copytree(
                    source, tmp_path / source.name, ignore=shutil.ignore_patterns("__pycache__", "training")
                )
            else:
                shutil.copy(source, tmp_path)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    start = [word.replace("8501", port) for word in json.loads(instructions("CMD")[0])]
    check = json.loads(instructions("HEALTHCHECK")[0].partition("CMD ")[2].replace("8501", port))
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {
        "VITRINE_CACHE": str(tmp_path / "cache")
    }
    log = tmp_path / "log"
    with log.open("wb") as out:
        server = subprocess.Popen(
            [sys.executable, *start[1:]], cwd=tmp_path, env=environment, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        for _ in range(120):
            health = subprocess.run([sys.executable, *check[1:]], capture_output=True, check=False)
            if health.returncode == 0:
                break
            assert server.poll() is None, "the server has ended"
            time.sleep(0.5)
        assert health.returncode == 0, health.stderr.decode()
        assert "external IP" not in log.read_text(), "a server outside was asked for this machine's address"
    finally:
        server.terminate()
        server.wait(20)

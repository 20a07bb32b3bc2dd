"""The README says what is so: its tables, its commands, its examples, its links."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.imports import ROOT
from tests.readme import README, filled

TEXT = README.read_text("utf-8")


def blocks(kind: str) -> list[str]:
    """Contents of the fenced blocks of one language."""
    return re.findall(rf"```{kind}\n(.*?)```", TEXT, re.DOTALL)


def test_tables_follow_the_settings_and_the_cards():
    assert filled(TEXT) == TEXT, "run: python -m tests.readme"


def test_two_commands_set_it_up():
    assert blocks("sh")[:2] == ["python3 app/install.py start\n", "python3 app/install.py test\n"]
    assert TEXT.count("```sh\npython3 app/install.py") == 2


def test_every_variable_of_the_source_is_named():
    hidden = {
        "VITRINE_STRICT_TEXT",
        "VITRINE_POLITE_ERRORS",
        "VITRINE_TRAINING_CACHE",
    }  # tests and training only
    named = set()
    for folder in ("app", "pages", "models"):
        for file in (ROOT / folder).rglob("*.py"):
            named |= set(re.findall(r"VITRINE_[A-Z_]+[A-Z]", file.read_text("utf-8")))
    assert named - hidden <= set(re.findall(r"VITRINE_[A-Z_]+[A-Z]", TEXT))


def test_links_and_pictures_are_there():
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        if not target.startswith(("http:", "https:")):
            assert (ROOT / target).exists(), target


def test_named_modules_and_files_are_there():
    for module in re.findall(r"python -m ([a-z0-9_.]+)", TEXT):
        path = ROOT / module.replace(".", "/")
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module
    for file in re.findall(r"requirements[a-z-]*\.txt", TEXT):
        assert (ROOT / file).exists()


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_python_examples(number: int, tmp_path: Path):
    """Run as printed, beside photo.jpg and edges.csv, with no torch loaded where none is asked for."""
    from PIL import Image

    Image.open(ROOT / "app" / "assets" / "coffee.jpg").resize((96, 64)).save(tmp_path / "photo.jpg")
    (tmp_path / "edges.csv").write_text("Valjean,Cosette\nValjean,Javert\nCosette,Marius\n", "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", blocks("python")[number]],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "VITRINE_ENGINE": "onnx"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    sizes = {"photo_x2.png": (192, 128), "2026.png": (4 * 28 * 8, 28 * 8)}
    saved = re.findall(r'save\("(.+?)"\)', blocks("python")[number])
    for name in saved:
        assert Image.open(tmp_path / name).size == sizes[name]
    assert saved or done.stdout.strip()

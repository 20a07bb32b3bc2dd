"""What every test shares: in the slim installation the files that need torch are left out."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

# Threads that wait sleep: spinning ones slow a busy machine. Two workers share the cores: one thread each.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("VITRINE_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1" if "PYTEST_XDIST_WORKER" in os.environ else "2")
os.environ.setdefault("STREAMLIT_BROWSER_GATHER_USAGE_STATS", "false")

from tests.imports import ROOT, closure, tops

OPTIONAL = (
    "torch",
    "torchvision",
    "torch_geometric",
    "spandrel",
    "diffusers",
    "gensim",
    "skimage",
    "onnx",
    "onnxscript",
    "hypothesis",
    "networkx",
    "playwright",
    "psutil",
)
MISSING = {name for name in OPTIONAL if importlib.util.find_spec(name) is None}


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out a test file that imports a package which the slim installation does not have."""
    if "torch" not in MISSING or collection_path.suffix != ".py" or not collection_path.is_relative_to(ROOT):
        return None
    module = ".".join(collection_path.relative_to(ROOT).with_suffix("").parts)
    return True if MISSING & tops(closure(module)) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if "torch" in MISSING:
        for item in items:
            if item.get_closest_marker("torch"):
                item.add_marker(pytest.mark.skip(reason="torch is not installed"))

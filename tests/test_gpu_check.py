"""The GPU check runs here too, on the CPU, and needs no more than the three packages that it names."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.gpu_check import distance, layouts
from tests.imports import ROOT, closure, imports_of, sources, tops


def test_it_needs_three_packages():
    cards = {card.module.split(":")[0] for card, _ in layouts()}
    needed = tops(frozenset().union(closure("tests.gpu_check"), *(closure(card) for card in cards)))
    needed |= tops(imports_of("tests.gpu_check"))
    ours = {name.partition(".")[0] for name in sources()}
    assert needed - set(sys.stdlib_module_names) - ours == {"torch", "numpy", "onnxruntime"}


@pytest.mark.slow
def test_it_passes():
    command = [sys.executable, "-m", "tests.gpu_check", "--quick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "agree" in done.stdout


def test_distance_notices():
    import numpy as np

    one = np.ones(3)
    assert distance(one, one) == 0
    assert distance(one, np.ones(4)) == distance(one * np.nan, one) == float("inf")
    assert distance(one * 1001, one * 1000) == pytest.approx(1e-3)

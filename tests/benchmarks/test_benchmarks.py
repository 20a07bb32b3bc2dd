"""The benchmarks run, and measure what they say. What they found on an idle machine stands in RESULTS.md."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
import torch
from torch import nn

from models.taps import Tap, record
from tests.benchmarks.cases import CASES, without_taps
from tests.benchmarks.timing import Comparison, compare


def test_ratio_is_taken_pair_by_pair():
    found = Comparison("a / b", [1.0, 2.0, 30.0], [2.0, 2.0, 10.0], target=1.0)
    assert found.ratios == [0.5, 1.0, 3.0]
    assert found.ratio == 1.0 and found.passed
    assert not Comparison("a / b", [3.0, 3.0], [2.0, 2.0], target=1.1).passed
    assert "≤ 1.00: yes" in found.row() and found.row().count("|") == 8


def test_compare_alternates_and_warms_up():
    calls: list[str] = []
    found = compare("x", lambda: calls.append("o"), lambda: calls.append("p"), pairs=4)
    assert "".join(calls) == "opop" + "op" + "po" + "op" + "po"
    assert len(found.ours) == len(found.peer) == 4
    slow = compare("y", lambda: time.sleep(0.02), lambda: None, pairs=3)
    assert min(slow.ours) >= 20 > max(slow.peer)


def test_taps_are_really_taken_out():
    model = nn.Sequential(nn.Linear(2, 2), Tap("y", ("batch", "channel"), "vector"))
    bare = without_taps(model)
    x = torch.ones(1, 2)
    with record() as tensors:
        assert torch.equal(bare(x), model[0](x))
    assert tensors == {} and any(isinstance(m, Tap) for m in model)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_every_case_runs(name: str, tmp_path: Path):
    for result in CASES[name](tmp_path, pairs=2, quick=True):
        assert result.ratio > 0

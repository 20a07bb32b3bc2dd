"""What the report of the digit flow says, and that it is the case on held-out digits of the repository."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from models.card import WEIGHTS_ROOT
from models.generative import flow
from models.generative.digit_files import HELD_OUT_FILE, read_digits
from models.registry import MODELS


def report() -> dict[str, Any]:
    return json.loads((WEIGHTS_ROOT / "realnvp" / "digits.json").read_text(encoding="utf-8"))


def test_both_ways_have_the_same_tensors() -> None:
    there, back = (MODELS[slug] for slug in ("realnvp", "realnvp_inverse"))
    for one, other in zip(there.weights, back.weights, strict=True):
        assert there.embedded_path(one) == back.embedded_path(other)
        assert there.report_path(one) == back.report_path(other)
    files = [path for card in (there, back) for path in card.folder.glob("*")]
    assert sum(path.stat().st_size for path in files) <= 0.55e6


def test_it_is_finished_and_better_than_nothing() -> None:
    score = report()["score"]
    assert "unfinished" not in report()
    assert (
        score["held_out"]["digits"] == 496 and score["held_out"]["bits_per_dim"] < 2.0
    )  # grey noise costs 8
    assert score["inverse_error"]["largest"] <= 1e-4
    assert "logit" in score["preprocess"] and "dequantisation" in score["metric"]


def test_held_out_digits_again() -> None:
    """Bits per dimension and the way back, through ONNX Runtime, from the package's levels as they ship (16 greys).

    Fewer greys change the picture a little, hence the bits: no more than by a tenth.
    """
    from app import engine

    digits, _ = read_digits(HELD_OUT_FILE)
    levels = digits[:200, None]
    noise = np.random.default_rng(0).random(levels.shape)
    x, slope = flow.stretch(levels, noise)
    there, back = (engine.load(slug, "digits", "onnx") for slug in ("realnvp", "realnvp_inverse"))
    trace = engine.run(there, {"x": x}, ["log_det"])
    bits = flow.bits_per_dim(trace.output, trace.taps["log_det"], slope).mean()
    assert bits == pytest.approx(report()["score"]["held_out"]["bits_per_dim"], rel=0.1)
    again = engine.run(back, {"z": trace.output}, ["log_det"])
    assert np.abs(again.output - x).max() <= 1e-3
    assert np.allclose(again.taps["log_det"], trace.taps["log_det"], atol=0.05)
    assert (flow.shrink(again.output) == levels).mean() > 0.9999

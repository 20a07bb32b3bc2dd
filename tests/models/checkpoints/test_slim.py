"""Without torch: a dropped safetensors file under the official names runs on ONNX Runtime; a .pth is explained."""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from app import engine
from models import checkpoints
from models.checkpoints import store
from models.vision.swinir_card import CARD
from models.weights_io import BadWeights

WEIGHTS = CARD.weights_by_id("lightweight_x2")


@pytest.fixture(autouse=True)
def no_torch(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setenv("VITRINE_CACHE", str(tmp_path / "cache"))


def official_name(ours: str) -> str:
    """The authors' name of one of our tensors, for the lightweight layout."""
    for pattern, theirs in (
        (r"^embed_norm\.", "patch_embed.norm."),
        (r"^rstb\.(\d+)\.layers\.(\d+)\.", r"layers.\1.residual_group.blocks.\2."),
        (r"^rstb\.(\d+)\.conv\.", r"layers.\1.conv."),
        (r"^head\.conv\.", "upsample.0."),
    ):
        ours = re.sub(pattern, theirs, ours)
    return ours


def official_state() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(0)
    shapes = checkpoints.expected_shapes(CARD, WEIGHTS)
    state = {official_name(n): 0.05 * draw.standard_normal(s, np.float32) for n, s in shapes.items()}
    assert len(state) == len(shapes) and not any(name.startswith(("rstb", "head")) for name in state)
    state["layers.0.residual_group.blocks.1.attn_mask"] = np.zeros((64, 64, 64), np.float32)
    state["layers.0.residual_group.blocks.1.attn.relative_position_index"] = np.zeros((64, 64), np.int64)
    return state


def test_a_dropped_safetensors_runs() -> None:
    with pytest.raises(engine.EngineError) as caught:
        engine.load("swinir", WEIGHTS.id, "onnx")
    assert caught.value.reason == "weights.not_here"
    state = official_state()
    path = checkpoints.accept(CARD, WEIGHTS, save(state))
    model = engine.load("swinir", WEIGHTS.id, "onnx", path)
    assert np.array_equal(model.state["rstb.0.conv.bias"], state["layers.0.conv.bias"])
    trace = engine.run(model, {"image": np.full((1, 3, 8, 16), 0.5, np.float32)})
    assert trace.output.shape == (1, 3, 16, 32) and np.isfinite(trace.output).all()
    assert checkpoints.locate(CARD, WEIGHTS) is None


def test_a_pth_is_explained(tmp_path: Path) -> None:
    assert checkpoints.obstacle(WEIGHTS) == "weights.pth_needs_torch"
    with pytest.raises(BadWeights, match=r"weights\.pth_needs_torch"):
        list(checkpoints.download(CARD, WEIGHTS))
    file = tmp_path / "official.pth"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("official/data.pkl", b"\x80\x02}.")
    for source in (file, file.read_bytes(), b"\x80\x02}."):
        with pytest.raises(BadWeights, match=r"weights\.pth_needs_torch"):
            checkpoints.accept(CARD, WEIGHTS, source)


def test_other_weights_are_told_apart() -> None:
    state = official_state()
    other = CARD.weights_by_id("lightweight_x3")
    with pytest.raises(BadWeights) as caught:
        checkpoints.accept(CARD, other, save(state))
    assert caught.value.reason == "weights.wrong_shape" and caught.value.details["name"] == "head.conv.weight"
    with pytest.raises(BadWeights) as caught:
        checkpoints.accept(CARD, CARD.weights_by_id("classical_x2"), save(state))
    assert caught.value.reason == "weights.wrong_keys"
    assert not store.path_of(CARD, other).exists()

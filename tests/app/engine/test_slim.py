"""With torch not to be had, both models run on ONNX Runtime, and `import app` stays light."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from models.registry import MODELS
from tests.app.engine.helpers import shipped

ROOT = Path(__file__).parents[3]

BLOCK = """
import sys
class NoTorch:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "torchvision", "onnx", "onnxscript"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, NoTorch())
"""

RUN = """
import sys
from pathlib import Path
import numpy as np
from app.engine import EngineError, available_engines, default_engine, gradient, load, run
from app.engine.classify import cam_closed_form, classify, grad_cam, prepare
from app.engine.base import finish
from app.engine.upscale import upscale
assert available_engines() == ("onnx",) and default_engine() == "onnx"
swinir, resnet = Path(sys.argv[1]), Path(sys.argv[2])
image = np.random.default_rng(0).integers(0, 256, (21, 34, 3), dtype=np.uint8)
model = load("swinir", "x2", weights_file=swinir)
assert finish(upscale(model, image)).shape == (42, 68, 3)
taps = run(model, {"image": np.zeros((1, 3, 16, 16), np.float32)}, ["rstb.0.layer.1.attn.weights", "mask"]).taps
assert taps["mask"].shape == (4, 64, 64)
model = load("resnet18", "emoji", weights_file=resnet)
assert len(classify(model, image).top) == 5
assert grad_cam(model, prepare(image, model.preprocess), "layer4.1.out", 0).shape == (3, 3)
try:
    load("resnet18", "emoji", "torch", weights_file=resnet)
except EngineError as error:
    assert error.reason == "engine.not_installed"
else:
    raise SystemExit("torch was not blocked")
assert "torch" not in sys.modules and "streamlit" not in sys.modules
print("fine")
"""


def python(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_both_models_run_without_torch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VITRINE_ENGINE", raising=False)
    files = [
        str(shipped(MODELS[slug], name, tmp_path)) for slug, name in (("swinir", "x2"), ("resnet18", "emoji"))
    ]
    assert python(BLOCK + RUN, *files).strip() == "fine"


def test_importing_app_loads_nothing() -> None:
    code = "import sys, app; print(sorted({m.partition('.')[0] for m in sys.modules}))"
    loaded = python(code)
    for heavy in ("numpy", "PIL", "torch", "onnxruntime", "streamlit"):
        assert f"'{heavy}'" not in loaded


def test_importing_the_engine_loads_no_engine() -> None:
    code = "import sys, app.engine, app.engine.upscale, app.engine.classify; print(sorted(sys.modules))"
    loaded = python(code)
    for heavy in ("torch", "onnxruntime", "streamlit", "onnx"):
        assert f"'{heavy}'" not in loaded

"""Official files become ours: same outputs as the reference, and every bad file answered by a message id."""

from __future__ import annotations

import hashlib
import importlib
import io
import json
import os
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import torchvision
from safetensors.numpy import save as as_safetensors
from torch import nn

from models import checkpoints
from models.card import ModelCard, Weights
from models.checkpoints import convert, store
from models.checkpoints.__main__ import main
from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.cnn.resnet18_card import CARD as RESNET18
from models.registry import MODELS
from models.vision.swinir import SwinIR, SwinIRConfig
from models.vision.swinir_card import CARD as SWINIR
from models.weights_io import BadWeights, load_weights, save_weights

importlib.import_module("spandrel.architectures.SwinIR")
Reference: Any = importlib.import_module("spandrel.architectures.SwinIR.__arch.SwinIR").SwinIR

SMALL = dict(embed_dim=12, depths=(2, 2), num_heads=(2, 3), window_size=4, img_size=16)
LAYOUTS: list[dict[str, Any]] = [
    dict(upsampler="pixelshuffle", scale=2),
    dict(upsampler="pixelshuffle", scale=3),
    dict(upsampler="pixelshuffle", scale=8),
    dict(upsampler="pixelshuffledirect", scale=4),
    dict(upsampler="nearest+conv", scale=2),
    dict(upsampler="nearest+conv", scale=4, resi_connection="3conv"),
]


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("VITRINE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def swinir_weights(**config: Any) -> Weights:
    weights = SWINIR.weights_by_id("classical_x2")
    return replace(weights, id="small", graph="no-such-graph", config=SMALL | dict(mlp_ratio=2.0) | config)


def resnet_weights() -> Weights:
    weights = RESNET18.weights_by_id("imagenet")
    return replace(weights, id="small", graph="no-such-graph", config=dict(num_classes=7, width=8))


def their_swinir(upsampler: str, scale: int, resi_connection: str = "1conv") -> nn.Module:
    torch.manual_seed(scale)
    theirs = Reference(
        upscale=scale,
        mlp_ratio=2.0,
        upsampler=upsampler,
        resi_connection=resi_connection,
        **{k: list(v) if isinstance(v, tuple) else v for k, v in SMALL.items()},
    ).eval()
    with torch.no_grad():
        for parameter in theirs.parameters():
            parameter.add_(0.02 * torch.randn_like(parameter))
    return theirs


def saved(state: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


def numpy_state(model: nn.Module) -> dict[str, np.ndarray]:
    return {name: value.contiguous().numpy() for name, value in model.state_dict().items()}


def our_state() -> dict[str, np.ndarray]:
    torch.manual_seed(0)
    return numpy_state(ResNet18(ResNet18Config(num_classes=7, width=8)))


def accepted(card: ModelCard, weights: Weights, source: bytes | Path) -> dict[str, torch.Tensor]:
    path = checkpoints.accept(card, weights, source)
    assert checkpoints.locate(card, weights) is None, "numbers that nothing proves are nobody else's"
    return {name: torch.from_numpy(value) for name, value in load_weights(path).items()}


def close(a: torch.Tensor, b: torch.Tensor) -> None:
    assert (a - b).abs().max() <= 1e-5 * max(1.0, float(b.abs().max()))


@pytest.mark.parametrize("config", LAYOUTS, ids=lambda c: "-".join(map(str, c.values())))
@pytest.mark.parametrize("container", ["params", "params_ema", "bare", "safetensors"])
def test_swinir_equals_the_reference(config: dict[str, Any], container: str) -> None:
    theirs = their_swinir(**config)
    weights = swinir_weights(**config)
    state = theirs.state_dict()
    if container == "safetensors":
        source = as_safetensors(numpy_state(theirs))
    else:
        source = saved(state if container == "bare" else {container: state})
    ours = SwinIR(SwinIRConfig(**weights.config)).eval()
    ours.load_state_dict(accepted(SWINIR, weights, source), strict=True)
    x = torch.rand(2, 3, 16, 24)
    with torch.no_grad():
        close(ours(x), theirs(x))


def test_of_two_sets_the_averaged_one_is_taken() -> None:
    config = LAYOUTS[4]
    theirs, other = their_swinir(**config), their_swinir(**config)
    for parameter in other.parameters():
        nn.init.zeros_(parameter)
    source = saved({"params": other.state_dict(), "params_ema": theirs.state_dict()})
    state = accepted(SWINIR, swinir_weights(**config), source)
    assert torch.equal(state["conv_first.weight"], theirs.state_dict()["conv_first.weight"])


@pytest.mark.parametrize("prefix", ["", "module."])
@pytest.mark.parametrize("kind", ["pth", "safetensors", "legacy"])
def test_resnet18_equals_torchvision(prefix: str, kind: str) -> None:
    torch.manual_seed(0)
    theirs = torchvision.models.resnet18(weights=None).eval()
    for module in theirs.modules():
        if isinstance(module, nn.BatchNorm2d):
            mean, variance = module.running_mean, module.running_var
            assert mean is not None and variance is not None
            nn.init.normal_(mean, std=0.1)
            nn.init.uniform_(variance, 0.5, 2)
    state = {prefix + name: value for name, value in theirs.state_dict().items()}
    if kind == "safetensors":
        source = as_safetensors({name: value.contiguous().numpy() for name, value in state.items()})
    elif kind == "pth":
        source = saved(state)
    else:
        buffer = io.BytesIO()
        torch.save(state, buffer, _use_new_zipfile_serialization=False)
        source = buffer.getvalue()
    ours = ResNet18(ResNet18Config(num_classes=1000)).eval()
    found = accepted(RESNET18, RESNET18.weights_by_id("imagenet"), source)
    missing = ours.load_state_dict(found, strict=False)
    assert all(name.endswith("num_batches_tracked") for name in missing.missing_keys)
    assert missing.unexpected_keys == []
    x = torch.rand(1, 3, 64, 64)
    with torch.no_grad():
        close(ours(x), theirs(x))


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_other_precisions_become_float32(dtype: type) -> None:
    state: dict[str, np.ndarray] = {
        name: value.astype(dtype) for name, value in our_state().items() if value.dtype.kind == "f"
    }
    found = accepted(RESNET18, resnet_weights(), as_safetensors(state))
    assert all(value.dtype == torch.float32 for value in found.values())


def test_our_own_int8_files_are_read(tmp_path: Path) -> None:
    state = {name: value for name, value in our_state().items() if value.dtype.kind == "f"}
    save_weights(tmp_path / "a.safetensors", state, int8=["fc.weight"])
    found = accepted(RESNET18, resnet_weights(), tmp_path / "a.safetensors")
    assert np.abs(found["fc.weight"].numpy() - state["fc.weight"]).max() < 0.01


def changed(**change: np.ndarray | None) -> bytes:
    state = our_state() | {name.replace("__", "."): value for name, value in change.items()}
    return as_safetensors({name: value for name, value in state.items() if value is not None})


class Bomb:
    """Runs a command when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[[str], int], tuple[str]]:
        return os.system, ("touch pwned",)


def zipped(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, body in members.items():
            archive.writestr(name, body)
    return buffer.getvalue()


def header(entry: dict[str, object], length: int | None = None, body: bytes = b"") -> bytes:
    text = json.dumps(entry).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + body


NAN = np.full((7, 64), np.nan, np.float32)
GOOD_PTH = saved({"fc.weight": torch.zeros(7, 64)})
BAD: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "weights.empty"),
    "text": (b"these are no weights at all", "weights.unknown_file"),
    "picture": (b"\x89PNG\r\n\x1a\n" + bytes(64), "weights.unknown_file"),
    "zip of something": (zipped({"word/document.xml": b"<x/>"}), "weights.unknown_file"),
    "missing": (changed(fc__bias=None), "weights.wrong_keys"),
    "unknown": (changed(extra=np.zeros(3, np.float32)), "weights.wrong_keys"),
    "misshapen": (changed(fc__weight=np.zeros((8, 64), np.float32)), "weights.wrong_shape"),
    "transposed": (changed(fc__weight=np.zeros((64, 7), np.float32)), "weights.wrong_shape"),
    "scalar": (changed(fc__weight=np.zeros((), np.float32)), "weights.wrong_shape"),
    "not finite": (changed(fc__weight=NAN), "weights.not_finite"),
    "int8 without scale": (changed(fc__weight=np.zeros((7, 64), np.int8)), "weights.unreadable"),
    "another model": (as_safetensors(numpy_state(their_swinir("pixelshuffle", 2))), "weights.wrong_keys"),
    "cut safetensors": (changed()[:-100], "weights.unreadable"),
    "cut header": (changed()[:60], "weights.unreadable"),
    "huge header": (header({}, 1 << 60), "weights.unreadable"),
    "overlong tensor": (
        header(
            {"fc.weight": dict(dtype="F32", shape=[1 << 30, 1 << 30], data_offsets=[0, 8])}, body=bytes(8)
        ),
        "weights.unreadable",
    ),
    "cut pth": (GOOD_PTH[:-200], "weights.unreadable"),
    "damaged pth": (GOOD_PTH.replace(b"fc.weight", b"fc.\x00eight", 1)[:400], "weights.unreadable"),
    "pth with code": (saved({"fc.weight": Bomb()}), "weights.pth_refused"),
    "legacy pickle": (b"\x80\x04\x95" + bytes(30), "weights.unreadable"),
    "pth of a list": (saved([torch.zeros(3)]), "weights.unknown_file"),
    "pth without tensors": (saved({"epoch": 3}), "weights.wrong_keys"),
    "compressed pth": (
        zipped({"archive/data.pkl": bytes(10_000_000)}, zipfile.ZIP_DEFLATED),
        "weights.pth_refused",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_answered(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    good = checkpoints.accept(RESNET18, resnet_weights(), changed())
    before = good.read_bytes()
    source, reason = BAD[name]
    file = tmp_path / "dropped.bin"
    file.write_bytes(source)
    for given in (source, file):
        with pytest.raises(BadWeights) as caught:
            checkpoints.accept(RESNET18, resnet_weights(), given)
        assert caught.value.reason == reason, caught.value
    assert good.read_bytes() == before, "the weights that were there stay"
    assert [path.name for path in good.parent.iterdir()] == [good.name], "nothing is left behind"
    assert not (tmp_path / "pwned").exists(), "nothing in the file was run"


def test_only_a_proven_file_becomes_official() -> None:
    given = changed()
    proven = replace(resnet_weights(), sha256=hashlib.sha256(given).hexdigest()[:8])
    path = checkpoints.accept(RESNET18, proven, given)
    assert checkpoints.locate(RESNET18, proven) == path
    other = changed()
    unproven = replace(resnet_weights(), id="unproven", sha256="00000000")
    path = checkpoints.accept(RESNET18, unproven, other)
    assert checkpoints.locate(RESNET18, unproven) is None and path.parent.name == "dropped"


def test_dropped_files_do_not_pile_up(tmp_path: Path) -> None:
    for i in range(6):
        file = tmp_path / f"{i}.safetensors"
        file.write_bytes(b"")
        os.utime(file, (i, i))
    store.keep_newest(tmp_path, 4)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["2", "3", "4", "5"]


def test_errors_name_the_tensor() -> None:
    with pytest.raises(BadWeights) as caught:
        checkpoints.accept(RESNET18, resnet_weights(), BAD["misshapen"][0])
    assert caught.value.details == dict(name="fc.weight", got=(8, 64), expected=(7, 64))
    with pytest.raises(BadWeights) as caught:
        checkpoints.accept(RESNET18, resnet_weights(), BAD["unknown"][0])
    assert caught.value.details == dict(missing="-", unknown="extra")


def test_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "MAX_BYTES", 1000)
    with pytest.raises(BadWeights) as caught:
        checkpoints.accept(RESNET18, resnet_weights(), changed())
    assert caught.value.reason == "weights.too_large"


def test_names_that_almost_look_official() -> None:
    assert convert.swinir_name("upsample.x", dict(upsampler="pixelshuffle")) == "upsample.x"
    assert convert.swinir_name("upsample.x.weight", dict(upsampler="pixelshuffle")) == "upsample.x.weight"


class TestWithoutTorch:
    @pytest.fixture(autouse=True)
    def no_torch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.pth = saved(dict(ResNet18(ResNet18Config(num_classes=7, width=8)).state_dict()))
        self.ours = changed()
        self.shapes = convert.expected_shapes(RESNET18, resnet_weights())
        monkeypatch.setitem(sys.modules, "torch", None)
        monkeypatch.setattr(convert, "expected_shapes", lambda card, weights: self.shapes)

    def test_a_pth_says_how_to_convert_it(self) -> None:
        with pytest.raises(BadWeights) as caught:
            checkpoints.accept(RESNET18, resnet_weights(), self.pth)
        assert caught.value.reason == "weights.pth_needs_torch"

    def test_safetensors_work(self) -> None:
        checkpoints.accept(RESNET18, resnet_weights(), self.ours)

    def test_shapes_come_from_the_graph_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.undo()
        monkeypatch.setitem(sys.modules, "torch", None)
        shapes = convert.expected_shapes(RESNET18, RESNET18.weights_by_id("imagenet"))
        assert shapes["fc.weight"] == (1000, 512)
        with pytest.raises(BadWeights) as caught:
            convert.expected_shapes(RESNET18, resnet_weights())
        assert caught.value.reason == "weights.no_graph"


OFFICIAL = [(card, w) for card in MODELS.values() for w in card.weights if w.origin == "official"]


@pytest.mark.parametrize(
    ("card", "weights"), OFFICIAL, ids=lambda x: getattr(x, "id", getattr(x, "slug", ""))
)
def test_shipped_graphs_expect_the_models_weights(card: ModelCard, weights: Weights) -> None:
    assert card.graph_path(weights).is_file()
    built = convert.expected_shapes(card, replace(weights, graph="no-such-graph"))
    assert convert.expected_shapes(card, weights) == built
    assert weights.layout in convert.LAYOUTS and weights.licence
    assert weights.url.startswith("https://") and weights.url.endswith(".pth")


def test_convert_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = their_swinir("pixelshuffledirect", 4)
    (tmp_path / "a.pth").write_bytes(saved({"params": theirs.state_dict()}))
    assert main(["convert", str(tmp_path / "a.pth"), str(tmp_path / "b.safetensors")]) == 0
    assert "b.safetensors" in capsys.readouterr().out
    weights = swinir_weights(upsampler="pixelshuffledirect", scale=4)
    state = accepted(SWINIR, weights, tmp_path / "b.safetensors")
    assert torch.equal(state["conv_first.weight"], theirs.state_dict()["conv_first.weight"])
    (tmp_path / "c.pth").write_bytes(b"no weights")
    assert main(["convert", str(tmp_path / "c.pth"), str(tmp_path / "d.safetensors")]) == 1
    assert not (tmp_path / "d.safetensors").exists()


def test_looking_for_weights_imports_neither_torch_nor_a_client() -> None:
    code = (
        "import sys; from models import checkpoints; from models.registry import MODELS; "
        "card = MODELS['resnet18']; [checkpoints.locate(card, w) for w in card.weights]; "
        "checkpoints.obstacle(card.weights[-1]); print({'torch', 'requests'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "set()"

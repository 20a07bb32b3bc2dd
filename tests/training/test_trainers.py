"""Parts of the two trainers that need no data, and the reports that they wrote."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

torch = pytest.importorskip("torch")

from models.training import resnet18, swinir  # noqa: E402
from models.weights_io import load_weights, quantise, save_weights  # noqa: E402

WEIGHTS = Path(swinir.__file__).parents[1] / "weights"


def picture(height: int = 96, width: int = 120) -> np.ndarray:
    rng = np.random.default_rng(5)
    small = Image.fromarray(rng.integers(0, 256, (height // 4, width // 4, 3), dtype=np.uint8))
    return np.asarray(small.resize((width, height), Image.Resampling.BICUBIC))


def test_quantised_weights_are_half_a_step_away_at_most(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    weight = rng.normal(size=(6, 4, 3, 3)).astype(np.float32)
    weight[2] = 0
    _, scale = quantise(weight)
    save_weights(
        tmp_path / "w.safetensors", {"w": weight, "b": weight[:, 0, 0, 0]}, int8=("w",), float32=("b",)
    )
    back = load_weights(tmp_path / "w.safetensors")
    assert (np.abs(back["w"] - weight) <= scale[:, None, None, None] / 2 + 1e-7).all()
    assert (back["b"] == weight[:, 0, 0, 0]).all() and (back["w"][2] == 0).all()


def test_patch_means_are_box_means() -> None:
    error = np.random.default_rng(1).random((13, 17))
    rows, cols, means = swinir.patch_means(error, side=8, step=4)
    for row, col, mean in zip(rows, cols, means, strict=True):
        assert mean == pytest.approx(error[row : row + 8, col : col + 8].mean())


@pytest.mark.parametrize("scale", [2, 4])
def test_patches_are_aligned_pairs(scale: int) -> None:
    patches = swinir.Patches({"a": picture()}, scale, seed=0, patch=8)
    small, truth = patches.batch(5)
    assert small.shape == (5, 3, 8, 8) and truth.shape == (5, 3, 8 * scale, 8 * scale)
    reduced = torch.nn.functional.avg_pool2d(truth, scale)
    assert (reduced - small).abs().mean() < 0.08  # the same place, turned and mirrored alike


def test_fitted_head_beats_bicubic() -> None:
    from models.vision.swinir import SwinIR, SwinIRConfig

    torch.manual_seed(0)
    model = SwinIR(SwinIRConfig.tiny(embed_dim=28, num_heads=(2, 2), upsampler="pixelshuffledirect"))
    with torch.no_grad():
        model.conv_after_body.get_parameter("weight").mul_(0.05)
    patches = swinir.Patches({"a": picture()}, 2, seed=0, patch=16)
    swinir.fit_head(model, patches, batches=6)
    assert swinir.mean_gain(swinir.score(model, {"a": picture()})) > 0


def test_learning_rate_ends_at_zero() -> None:
    assert swinir.learning_rate(10**6, 0.0, 1e-3) == pytest.approx(1e-3)
    assert swinir.learning_rate(10**6, 1.0, 1e-3) == pytest.approx(0.0, abs=1e-9)
    assert resnet18.learning_rate(0, 0.0) < resnet18.PEAK_LR / 50


def test_open_set_loss_rewards_silence_on_strangers() -> None:
    quiet, loud = torch.full((1, 4), -6.0), torch.tensor([[6.0, -6.0, -6.0, -6.0]])
    nobody, first = torch.tensor([4]), torch.tensor([0])
    assert resnet18.open_set_loss(quiet, nobody) < resnet18.open_set_loss(loud, nobody)
    assert resnet18.open_set_loss(loud, first) < resnet18.open_set_loss(quiet, first)
    assert resnet18.energy(loud) < resnet18.energy(quiet)


def test_pasting_keeps_the_ground() -> None:
    drawing = np.zeros((32, 32, 4), np.uint8)
    drawing[8:24, 8:24] = (255, 0, 0, 255)
    pasted = resnet18.on_ground(drawing, (10, 20, 30), side=40, margin=4)
    assert pasted.shape == (40, 40, 3)
    assert tuple(pasted[0, 0]) == (10, 20, 30) and tuple(pasted[20, 20]) == (255, 0, 0)


# ---------------------------------------------------------------- the committed files


@pytest.mark.parametrize(("name", "least"), [("x2", 1.6), ("x4", 0.8)])
def test_swinir_report(name: str, least: float) -> None:
    report = json.loads((WEIGHTS / "swinir" / f"{name}.json").read_text())
    assert report["score"]["mean_gain"] >= least
    assert set(report["score"]["images"]) == {"astronaut", "chelsea", "coffee", "rocket", "motorcycle_left"}


def test_emoji_report_and_held_out_atlas() -> None:
    report = json.loads((WEIGHTS / "resnet18" / "emoji.json").read_text(encoding="utf-8"))
    stored = np.load(WEIGHTS / "resnet18" / "heldout.npz", allow_pickle=False)
    tile, columns = int(stored["tile"]), int(stored["columns"])
    atlas = Image.open(io.BytesIO(stored["atlas"].tobytes()))
    assert atlas.mode == "RGBA" and atlas.size == (tile * columns, tile * len(report["classes"]) // columns)
    assert report["score"]["pictures"] == len(stored["grounds"]) * len(stored["labels"])
    assert (WEIGHTS / "resnet18" / "emoji.safetensors").stat().st_size <= 11_800_000


def test_emoji_score_is_reproduced_on_white() -> None:
    """From the two committed files alone: the weights and the held-out atlas."""
    from models.cnn.resnet18 import ResNet18, ResNet18Config

    report = json.loads((WEIGHTS / "resnet18" / "emoji.json").read_text(encoding="utf-8"))
    stored = np.load(WEIGHTS / "resnet18" / "heldout.npz", allow_pickle=False)
    tile, columns, margin, side = (int(stored[k]) for k in ("tile", "columns", "margin", "side"))
    atlas = Image.open(io.BytesIO(stored["atlas"].tobytes()))
    pictures = []
    for i in stored["labels"]:
        left, top = int(i) % columns * tile, int(i) // columns * tile
        drawing = atlas.crop((left, top, left + tile, top + tile))
        page = Image.new("RGB", (side, side), tuple(int(v) for v in stored["grounds"][0]))
        page.paste(drawing, (margin, margin), drawing)
        pictures.append(np.asarray(page))
    model = ResNet18(ResNet18Config(num_classes=len(report["classes"])))
    state = {
        k: torch.from_numpy(v) for k, v in load_weights(WEIGHTS / "resnet18" / "emoji.safetensors").items()
    }
    model.load_state_dict(state, strict=False)
    logits = resnet18.logits_of(model, np.stack(pictures))
    found = resnet18.top(logits, stored["labels"], 1)
    assert found == pytest.approx(report["score"]["top1_by_ground"]["white"], abs=0.009)

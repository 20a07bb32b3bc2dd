"""The numbers of the ResNet18 page against the torch model itself."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from app.engine.classify import cam_closed_form
from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.cnn.resnet18_card import BLOCKS
from models.taps import record
from pages.resnet18_parts import view

ROOT = Path(__file__).parents[3]
State = dict[str, np.ndarray]


@pytest.fixture(scope="module")
def seen() -> tuple[ResNet18, State, np.ndarray, State]:
    """A small net with telling batch norm statistics: (net, its state, x (3, 96, 96), taps without batch)."""
    torch.manual_seed(3)
    net = ResNet18(ResNet18Config.tiny()).eval()
    with torch.no_grad():
        for module in net.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.weight.uniform_(0.5, 1.5)
                module.bias.uniform_(-0.3, 0.3)
                module.running_mean.uniform_(-0.3, 0.3)
                module.running_var.uniform_(0.5, 1.5)
        x = torch.randn(1, 3, 96, 96)
        with record() as taps:
            net(x)
    state = {name: value.numpy() for name, value in net.state_dict().items()}
    return net, state, x[0].numpy(), {name: value[0].numpy() for name, value in taps.items()}


@pytest.mark.parametrize("tap", view.FEATURE_MAPS)
@pytest.mark.parametrize("where", ["corner", "middle"])
def test_a_cell_worked_out_again_is_the_cell(seen, tap: str, where: str) -> None:
    _, state, x, taps = seen
    channels, rows, columns = taps[tap].shape
    cell = (1, 0, columns - 1) if where == "corner" else (channels - 1, rows // 2, columns // 2)
    found = view.worked_cell(state, x, taps, tap, cell)
    assert found.stored == float(taps[tap][cell])
    assert abs(found.difference) < 1e-5 * max(1.0, abs(found.stored))
    assert len(found.names) == len(found.left) == len(found.right) == len(found.terms)


def test_a_padded_maximum_has_only_real_terms(seen) -> None:
    _, state, x, taps = seen
    assert len(view.worked_cell(state, x, taps, "pool", (0, 0, 0)).terms) == 4


def test_unknown_taps_and_missing_inputs_are_key_errors(seen) -> None:
    _, state, x, taps = seen
    with pytest.raises(KeyError):
        view.worked_cell(state, x, taps, "features", (0, 0, 0))
    with pytest.raises(KeyError):
        view.worked_cell(state, x, {"layer2.0.hidden": taps["layer2.0.hidden"]}, "layer2.0.hidden", (0, 0, 0))


def test_a_logit_by_channel_and_by_position(seen) -> None:
    _, state, _, taps = seen
    for target in range(7):
        stored = float(taps["logits"][target])
        by_channel = view.worked_logit(state, taps["features"], target, stored)
        by_position = view.worked_evidence(state, taps[view.LAST], target, stored)
        assert abs(by_channel.difference) < 1e-5 and abs(by_position.difference) < 1e-5
        positive = np.maximum(view.evidence(state, taps[view.LAST], target), 0)
        assert np.allclose(positive, cam_closed_form(taps[view.LAST], state["fc.weight"], target), atol=1e-6)


def test_term_names_count_from_the_middle() -> None:
    names = view.term_names(2, 3)
    assert (
        len(names) == 18
        and names[0] == "c0 (−1, −1)"
        and names[4] == "c0 (0, 0)"
        and names[17] == "c1 (+1, +1)"
    )
    assert view.term_names(2, 1) == ("c0", "c1")


def test_hesitation() -> None:
    assert view.entropy_classes(np.array([1.0, 0.0])) == pytest.approx(1)
    assert view.entropy_classes(np.full(8, 1 / 8)) == pytest.approx(8)


def test_taking_branches_out(seen) -> None:
    net, _, x, _ = seen
    batch = torch.from_numpy(x)[None]

    def logits_of(residual: np.ndarray, shortcut: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return np.asarray(net(batch, torch.from_numpy(residual), torch.from_numpy(shortcut))[0])

    found = view.removals(logits_of, target=2)
    assert [(r.block, r.branch) for r in found] == [(b, p) for p in ("residual", "shortcut") for b in BLOCKS]
    assert all(0 <= r.probability <= r.winner_probability <= 1 for r in found)


def test_strengths_of_one_change_nothing_and_zero_takes_the_branch_out(seen) -> None:
    net, _, x, taps = seen
    batch, ones = torch.from_numpy(x)[None], torch.ones(8)
    with torch.no_grad():
        assert torch.equal(net(batch), net(batch, ones, ones))
        with record() as changed:
            net(batch, torch.from_numpy(view.strengths(("layer1.0",))), ones)
    assert changed["layer1.0.residual"].eq(0).all()
    assert np.array_equal(
        changed["layer1.0.out"][0].numpy(), taps["pool"]
    )  # ReLU(x) of what is positive already


def test_every_trained_class_has_its_drawing_and_both_names() -> None:
    entries = json.loads((ROOT / "models" / "training" / "emoji_classes.json").read_text("utf-8"))
    assert len(entries) >= 100
    for entry in entries:
        assert entry["en"] and entry["zh"]
        assert view.ClassLabel(entry["en"], entry["code"]).icon.startswith("data:image/webp;base64,"), entry
    assert view.icon("../../secret") == "" and view.ClassLabel("tench").icon == ""


def test_terms_are_named_in_latex() -> None:
    assert view.latex_name("c12 (−1, +1)") == r"c_{12}\,(-1, +1)"
    assert view.latex_name("R (0, 0)") == r"R\,(0, 0)" and view.latex_name("c3") == "c_{3}"

"""Figures of the ResNet18 page: arithmetic and pictures, numpy only."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from app.figures import resnet18 as figures
from models.checkpoints.imagenet_classes import imagenet_classes
from pages.resnet18_parts.view import FEATURE_MAPS


def test_receptive_field_sizes_are_the_published_ones() -> None:
    """Araujo et al. 2019, "Computing receptive fields", give 435 for ResNet18's last map; strides are the paper's."""
    assert figures.field_of("stem") == figures.Field(7, 2, -3)
    assert figures.field_of("pool") == figures.Field(11, 4, -5)
    sizes = {
        name: figures.field_of(f"{name}.1.out").size for name in ("layer1", "layer2", "layer3", "layer4")
    }
    assert sizes == {"layer1": 43, "layer2": 99, "layer3": 211, "layer4": 435}
    assert figures.field_of("layer4.1.out").stride == 32


def test_a_projection_sees_less_than_the_residual_branch() -> None:
    shortcut, residual = figures.field_of("layer2.0.shortcut"), figures.field_of("layer2.0.residual")
    assert shortcut.stride == residual.stride == 8
    assert shortcut.size == figures.field_of("layer1.1.out").size < residual.size
    assert figures.field_of("layer1.1.shortcut") == figures.field_of("layer1.0.out")


@pytest.mark.parametrize("tap", FEATURE_MAPS)
def test_steps_end_at_the_field(tap: str) -> None:
    steps = figures.field_steps(tap)
    assert steps[0][1] == figures.PIXEL and steps[-1][2] == figures.field_of(tap)
    assert all(after == figures.grow(before, layer) for layer, before, after in steps)


def test_only_feature_maps_have_a_field() -> None:
    with pytest.raises(KeyError):
        figures.field_of("logits")


def test_cell_at_is_the_nearest_centre() -> None:
    field = figures.field_of("layer3.1.out")
    for cell in range(6):
        assert field.cell_at(field.centre(cell), 6) == cell
    assert field.cell_at(-50, 6) == 0 and field.cell_at(1000, 6) == 5


def test_span_is_cut_to_the_picture() -> None:
    assert figures.clipped((-3, 3), 96) == (0, 3)
    assert figures.clipped((90, 130), 96) == (90, 95)


def test_denormalise_undoes_the_preprocessing() -> None:
    picture = np.random.default_rng(0).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    mean, std = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
    x = (picture.transpose(2, 0, 1) / 255 - np.reshape(mean, (3, 1, 1))) / np.reshape(std, (3, 1, 1))
    assert np.array_equal(figures.denormalise(x, mean, std), picture)


def test_filters_are_grey_where_zero_and_can_be_found_again() -> None:
    weights = np.zeros((10, 3, 7, 7), np.float32)
    weights[3, 0, 0, 0] = -2.0
    sheet = figures.filter_sheet(weights, columns=4, scale=2, gap=3)
    for index in range(10):
        x, y = sheet.corner(index)
        assert sheet.at(x, y) == index and sheet.at(x + sheet.cell - 1, y + sheet.cell - 1) == index
    assert sheet.at(*(v + 1 for v in sheet.corner(11))) is None
    x, y = sheet.corner(0)
    assert np.array_equal(sheet.image[y, x], (128, 128, 128))
    x, y = sheet.corner(3)
    assert np.array_equal(sheet.image[y, x], (0, 128, 128))


def test_cam_overlay_lights_the_strongest_place_and_leaves_the_rest_grey() -> None:
    cam = np.zeros((3, 3), np.float32)
    cam[0, 2] = 4.0
    shown = figures.cam_overlay(np.full((60, 60, 3), 90, np.uint8), cam).astype(int)
    assert shown.shape == (60, 60, 3)
    lower_left = shown[50, 5]
    assert lower_left.max() - lower_left.min() == 0
    assert shown[8, 52].sum() > shown[30, 30].sum()
    nothing = figures.cam_overlay(np.full((20, 20, 3), 90, np.uint8), np.zeros((3, 3)))
    assert np.ptp(nothing) == 0


def test_balance_by_hand() -> None:
    found = figures.balance("b", np.array([[3.0, -4.0]]), np.array([[0.0, 2.0]]))
    assert (found.residual, found.shortcut, found.ratio) == (5.0, 2.0, 2.5)
    assert found.cosine == pytest.approx(-8 / 10)
    assert found.cut == 0.5  # 3 + 0 > 0, -4 + 2 <= 0
    assert found.change == pytest.approx(np.hypot(3, 2) / 2)
    nothing = figures.balance("b", np.ones(3), np.zeros(3))
    assert nothing.ratio == float("inf") and nothing.cosine == 0


LABELS = dict(residual="F", shortcut="x", ratio="F/x", title="<title>", whole="w", on="on", off="off")


def test_charts_hold_one_part_a_block_and_escape_their_words() -> None:
    blocks = [figures.balance(b, np.ones(2), np.full(2, 2.0)) for b in ("layer1.0", "layer1.1")]
    without = {"residual": (0.1, 0.2), "shortcut": (0.3, 0.0)}
    for svg in (
        figures.balance_chart(blocks, LABELS, picked="layer1.1"),
        figures.removal_chart(("layer1.0", "layer1.1"), without, 0.9, LABELS),
    ):
        ElementTree.fromstring(svg)
        assert svg.count("data-id=") == 2
    endless = figures.balance("layer1.0", np.ones(2), np.zeros(2))
    ElementTree.fromstring(figures.balance_chart([endless], LABELS))


@pytest.mark.parametrize("columns", [8, 4])
def test_circuit_has_two_switches_a_block_and_says_their_state(columns: int) -> None:
    blocks = [f"layer{i}.{j}" for i in range(1, 5) for j in range(2)]
    svg = figures.circuit(blocks, ["layer1.0"], ["layer2.1"], LABELS, columns=columns)
    switches = [e for e in ElementTree.fromstring(svg).iter() if "data-id" in e.attrib]
    assert {e.attrib["data-id"] for e in switches} == {f"{kind}:{b}" for kind in "fx" for b in blocks}
    off = {e.attrib["data-id"] for e in switches if e.attrib["aria-label"].endswith("off")}
    assert off == {"f:layer1.0", "x:layer2.1"}


def test_answer_escapes_what_it_is_given() -> None:
    shown = figures.answer_html([figures.Bar("<script>", "data:x", 0.5, before=0.25)], "a & b")
    assert "<script>" not in shown and "a &amp; b" in shown and "50%" in shown and 'src="data:x"' in shown
    assert "<img" not in figures.answer_html([figures.Bar("tench", "", 0.5)], "a")
    shown = figures.score_html(1.0, 4.0, 6.0, "in", "<b>", "here")
    assert "<b>" not in shown and "here" in shown


@pytest.mark.parametrize("tap", FEATURE_MAPS)
def test_size_formula_adds_up(tap: str) -> None:
    left, total = figures.size_formula(tap).removeprefix("r=").rsplit("=", 1)
    assert total == str(figures.field_of(tap).size)
    assert sum(np.prod([int(n) for n in re.findall(r"\d+", part)]) for part in left.split("+")) == int(total)


def test_imagenet_names_stand_in_the_official_order() -> None:
    en, zh = imagenet_classes("en"), imagenet_classes("zh")
    assert len(en) == len(zh) == 1000 and len(set(en)) == len(set(zh)) == 1000
    for index, english, chinese in (
        (0, "tench", "丁鲷"),
        (207, "golden retriever", "金毛寻回犬"),
        (285, "Egyptian cat", "埃及猫"),
    ):
        assert en[index] == english and zh[index] == chinese
    assert en[999] == "toilet tissue" and zh[999] == "卫生纸" and zh[963] == "披萨" and zh[508] == "电脑键盘"

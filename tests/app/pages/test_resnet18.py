"""The ResNet18 page: both languages, both engines, its widgets' effects, bad input, links."""

from __future__ import annotations

import importlib.util
from functools import partial

import numpy as np
import pytest

from app.text import t, using
from models.registry import MODELS
from tests.app.pages.driver import ENGINES, checked, opened, png, words

start = partial(opened, "resnet18")

CARD = MODELS["resnet18"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_the_page_stands_before_any_click(monkeypatch, engine: str, code: str) -> None:
    app = start(monkeypatch, engine, lang=code)
    assert app.title[0].value == "ResNet18"
    assert not app.error
    with using(code):
        assert [h.value for h in app.header[1:]] == [
            t(f"resnet18.{part}.title")
            for part in ("cam", "inside", "branches", "filters", "play", "notes", "take")
        ]
        shown = words(app)
        assert t("resnet18.notes.title") in shown
        stages = [s for s in app.segmented_control if s.label == t("resnet18.cam.stage")]
        assert bool(stages) == (engine == "torch")
        assert (t("resnet18.cam.torch") in shown) == (engine == "onnx")


def test_another_class_is_explained(monkeypatch) -> None:
    app = start(monkeypatch)
    classes = next(p for p in app.pills if p.label == t("resnet18.cam.class"))
    first, second = classes.options[0], classes.options[1]
    assert t("resnet18.logit.lead", name=first) in words(app)
    checked(classes.select(second).run())
    assert t("resnet18.logit.lead", name=second) in words(app)


def test_a_link_restores_the_view(monkeypatch) -> None:
    app = start(
        monkeypatch,
        sample="bus",
        block="layer3.0",
        tap="layer3.0.residual",
        channel="5",
        cell="2,4",
        pair="layer4.1",
        no_f="layer2.1",
        terms="channel",
    )
    shown = words(app)
    assert t("resnet18.number.lead", channel=5, row=4, column=2) in shown
    assert t("resnet18.tap.residual") in shown
    assert t("resnet18.branches.identity") in shown
    assert "layer3.0.residual" in shown
    assert "2,4" in app.query_params["cell"] and "layer3.0" in app.query_params["block"]


@pytest.mark.parametrize(
    "query",
    [
        dict(block="nothing", tap="evil", channel="-1", cell="a,b", pair="layer9.9", no_f="<b>", stage="x"),
        dict(channel="9999", cell="900,900", filter="9999", **{"class": "9998"}),
        dict(weights="none", sample="none", terms="none", no_x="layer1.0,,layer1.0"),
    ],
)
def test_a_broken_link_falls_back(monkeypatch, query: dict[str, str]) -> None:
    app = start(monkeypatch, **query)
    assert not app.error and len(app.header) == 8


def test_the_other_taps(monkeypatch) -> None:
    for block in ("image", "stem", "pool", "mean", "fc"):
        app = start(monkeypatch, block=block)
        assert not app.error and len(app.header) == 8, block


def test_taking_a_branch_out_changes_the_answer(monkeypatch) -> None:
    app = start(monkeypatch, no_f="layer1.0,layer2.0,layer3.0,layer4.0", no_x="layer1.1")
    back = next(b for b in app.button if b.label == t("resnet18.play.reset"))
    assert not back.disabled
    checked(back.click().run())
    assert next(b for b in app.button if b.label == t("resnet18.play.reset")).disabled
    assert "no_f" not in app.query_params and "no_x" not in app.query_params


def test_a_file_of_ones_own_and_a_bad_one(monkeypatch) -> None:
    app = start(monkeypatch)
    noise = np.random.default_rng(1).integers(0, 256, (40, 120, 3), np.uint8)
    uploader = app.file_uploader[0]
    checked(uploader.upload("noise.png", png(noise), "image/png").run())
    assert t("resnet18.cut", width=120, height=40, side=96, kept="33") in words(app)
    uploader = app.file_uploader[0]
    checked(uploader.upload("broken.png", b"no picture at all", "image/png").run())
    assert app.error and t("resnet18.cut", width=120, height=40, side=96, kept="33") in words(app)


def test_pictures_of_one_pixel_and_of_one_line(monkeypatch) -> None:
    app = start(monkeypatch)
    for shape in ((1, 1, 3), (10, 3000, 3)):
        data = png(np.full(shape, 128, np.uint8))
        checked(app.file_uploader[0].upload("thin.png", data, "image/png").run())
        assert not app.error and len(app.header) == 8


def test_official_weights_are_offered_not_fetched(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("VITRINE_CACHE", str(tmp_path))
    app = start(monkeypatch, weights="imagenet")
    with_torch = importlib.util.find_spec("torch") is not None
    labels = [b.label for b in app.button]
    assert (t("choice.download") in labels) == with_torch
    assert len(app.header) == 8  # meanwhile the embedded ones answer


def test_what_was_measured_is_said(monkeypatch) -> None:
    from app.engine import load

    report = load("resnet18", "emoji", "onnx").report
    app = start(monkeypatch, sample="chelsea")
    assert [w.value for w in app.warning] == [t("resnet18.ood.outside")]
    app = start(monkeypatch, sample="fox")
    assert [s.value for s in app.success] == [t("resnet18.ood.inside")]
    flags = {name: f"{100 * report['ood']['flags'][name]:.0f}" for name in ("photos", "digits", "noise")}
    assert t("resnet18.ood.rates", keeps=f"{100 * report['ood']['keeps']:.0f}", **flags) in words(app)


@pytest.mark.torch
def test_every_stage_and_the_real_influence_on_torch(monkeypatch) -> None:
    for stage in ("layer1.1.out", "layer3.1.out"):
        app = start(
            monkeypatch, "torch", stage=stage, influence="1", block="layer3.0", tap="layer3.0.residual"
        )
        rows = 24 if stage == "layer1.1.out" else 6
        assert t("resnet18.cam.size", rows=rows, columns=rows) in words(app)
        assert next(w for w in app.toggle if w.label == t("resnet18.field.effect")).value


def test_what_nobody_chose_stays_out_of_the_link(monkeypatch) -> None:
    app = start(monkeypatch)
    assert not {"channel", "cell", "pair_channel", "class", "place"} - {"class"} & set(app.query_params)
    channel = next(n for n in app.number_input if n.label == t("inside.channel"))
    checked(channel.set_value((int(channel.value or 0) + 1) % 64).run())
    assert "channel" in app.query_params and "cell" not in app.query_params

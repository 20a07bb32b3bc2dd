"""The VAE page: both languages, both engines, what its choices do, links good and bad, two pictures of one's own."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from PIL import Image, ImageDraw

from app.text import t, using
from app.widgets.draw import _Held
from models.registry import MODELS
from pages.vae_parts import view
from tests.app.pages.driver import ENGINES, checked, metric, opened, png, words

start = partial(opened, "vae")

HEADS = ("between", "prior", "moons", "plane", "noise", "bound", "beta", "inside", "notes", "take")


def paper(*line: tuple[int, int]) -> bytes:
    """Dark strokes on light paper."""
    canvas = Image.new("RGB", (90, 120), (244, 241, 235))
    ImageDraw.Draw(canvas).line(line, fill=(25, 25, 60), width=9)
    return png(np.asarray(canvas))


SEVEN = paper((20, 20), (70, 20), (40, 105))
ONE = paper((45, 12), (45, 108))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_the_page_stands_before_any_click(monkeypatch, engine: str, code: str) -> None:
    app = start(monkeypatch, engine, lang=code)
    assert app.title[0].value == "VAE" and not app.error
    with using(code):
        assert [h.value for h in app.header] == [t(f"vae.{part}.title") for part in HEADS]
        shown = words(app)
        assert t("vae_encoder.sentence") in shown and t("vae.between.ends") in shown
        assert t("digits.held", digit=3) in shown and t("digits.held", digit=8) in shown
    assert set(app.query_params) <= {"lang"}, "what nobody chose stays out of the link"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_two_uploads_are_framed_and_encoded(monkeypatch, engine: str, code: str) -> None:
    app = start(monkeypatch, engine, lang=code, from_a="picture", from_b="picture")
    assert len(app.file_uploader) == 2
    before = metric(app, "ELBO")
    checked(app.file_uploader[0].upload("seven.png", SEVEN, "image/png").run())
    checked(app.file_uploader[1].upload("one.png", ONE, "image/png").run())
    with using(code):
        shown = words(app)
        assert r"**seven\.png**" in shown and r"**one\.png**" in shown
        assert shown.count(t("digits.inverted")) == 2
    assert metric(app, "ELBO") != before
    assert {"sha_a", "sha_b"} <= set(app.query_params)
    with using(code):  # an option is set by its words
        checked(app.segmented_control(key="vae.from_a").set_value("digit").run())
    assert "sha_a" not in app.query_params and "sha_b" in app.query_params, "a file that is not looked at"
    with using(code):
        checked(app.segmented_control(key="vae.from_a").set_value("picture").run())
    assert "sha_a" in app.query_params and r"**seven\.png**" in words(app)


def test_a_bad_file_leaves_the_picture_before(monkeypatch) -> None:
    app = start(monkeypatch, from_a="picture")
    checked(app.file_uploader[0].upload("seven.png", SEVEN, "image/png").run())
    elbo = metric(app, "ELBO")
    checked(app.file_uploader[0].upload("broken.png", b"no picture", "image/png").run())
    assert len(app.error) == 1 and metric(app, "ELBO") == elbo
    checked(app.file_uploader[0].upload("flat.png", png(np.full((9, 9), 7, np.uint8)), "image/png").run())
    assert [w.value for w in app.warning] == [t("digits.empty", least="4%")]


@pytest.mark.parametrize(("tone", "ground"), [(255, "digits.on_black"), (40, "input.transparent")])
def test_ink_on_a_transparent_ground_is_seen_whatever_its_tone(monkeypatch, tone: int, ground: str) -> None:
    app = start(monkeypatch, from_a="picture")
    picture = np.zeros((40, 30, 4), np.uint8)
    picture[5:35, 13:17] = (tone, tone, tone, 255)
    checked(app.file_uploader[0].upload("ink.png", png(picture), "image/png").run())
    assert not app.warning and t(ground) in words(app)
    assert sum(t(key) in words(app) for key in ("digits.on_black", "input.transparent")) == 1


def test_a_drawn_digit_takes_part(monkeypatch) -> None:
    app = start(monkeypatch, from_b="draw", which="b")
    assert t("digits.undrawn") in words(app)
    before = metric(app, "ELBO")
    stroke = np.stack([np.full(9, 0.5), np.linspace(0.1, 0.9, 9)], axis=1)
    app.session_state["vitrine.draw:vae.b.canvas"] = _Held((stroke,), (stroke,), 1)
    checked(app.run())
    assert t("digits.drawn") in words(app) and metric(app, "ELBO") != before


def test_choices_follow_the_link_and_change_what_is_shown(monkeypatch) -> None:
    app = start(
        monkeypatch,
        size="2",
        a="17",
        b="1",
        at="3",
        which="b",
        k="0",
        seed="9",
        stretch="20",
        zv="100,90",
        codes="0",
        net="decoder",
        of="ae",
        block="logits",
        channel="0",
        cell="14,14",
    )
    shown = words(app)
    two = t(
        "vae.many.two", **dict.fromkeys(("vae_straight", "ae_straight", "vae_arc", "ae_arc", "pixels"), "")
    )[:60]
    assert two in shown and t("digits.held", digit=7) in shown
    assert t("vae.bound.importance", count=1) in {m.label for m in app.metric}
    assert t("vae.number.conv", place="0, 14, 14", terms=9 * 16) in shown
    before = metric(app, "ELBO")
    checked(app.segmented_control(key="vae.which.bound").set_value("a").run())
    assert metric(app, "ELBO") != before
    checked(app.select_slider(key="vae.k").set_value(9).run())
    assert t("vae.bound.importance", count=512) in {m.label for m in app.metric}
    checked(app.segmented_control(key="vae.size").set_value("16").run())
    assert two not in words(app)


@pytest.mark.parametrize(
    "query",
    [
        dict(
            size="3", a="99", b="-1", at="7777", which="c", k="44", seed="-4", stretch="x", zv="1", za="9,9,9"
        ),
        dict(zv="99999,99999", net="evil", block="nothing", channel="9999", cell="900,900", of="gan"),
        dict(from_a="x", from_b="picture", sha_b="zz", sample_b="none", codes="7"),
    ],
)
def test_a_broken_link_falls_back(monkeypatch, query: dict[str, str]) -> None:
    app = start(monkeypatch, **query)
    assert not app.error and len(app.header) == len(HEADS)


def test_a_link_asks_for_the_picture_that_did_not_travel(monkeypatch) -> None:
    app = start(monkeypatch, from_a="picture", sha_a="0123456789abcdef")
    assert t("input.link.ask", sha="0123456789abcdef") in {i.value for i in app.info}


@pytest.mark.parametrize("net", ["encoder", "decoder"])
def test_every_tensor_of_a_net_can_be_looked_at(monkeypatch, net: str) -> None:
    app = start(monkeypatch, net=net)
    card = MODELS[f"vae_{net}"]
    config = card.weights[0].config
    for block in (b.name for b in card.blocks(config)):
        app.query_params["block"] = block
        checked(app.run())
        taps = [spec for spec in card.taps(config) if spec.block == block]
        assert not app.error and len(app.header) == len(HEADS), block
        assert (t("vae.number.title") in words(app)) == bool(taps)


@pytest.mark.torch
def test_both_engines_walk_the_same_way() -> None:
    from app.widgets import digit_input
    from pages.vae_parts import between

    pictures, _ = digit_input.offered()
    a, b = (digit_input.Given(pictures[i], "").input for i in (7, 1))
    found = []
    for engine in ("onnx", "torch"):
        vae, ae = (view.pair(name, engine) for name in view.NETS["16"])
        found.append(between.ways(view.Scene(a, b, ("", ""), engine, vae, ae, view.judge(engine))))
    for way in between.WAYS:
        np.testing.assert_allclose(found[0].pictures[way], found[1].pictures[way], atol=1e-4)
        np.testing.assert_allclose(found[0].readings[way], found[1].readings[way], atol=1e-3)

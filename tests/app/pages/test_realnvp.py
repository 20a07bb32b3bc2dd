"""The RealNVP page: both languages, both engines, what its choices do, links good and bad, pictures of one's own."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest

from app.engine import Progress
from app.figures.strokes import write_places
from app.text import t, using
from app.widgets.draw import _Held
from models.registry import MODELS
from pages.realnvp_parts import live, plane
from tests.app.pages.driver import ENGINES, asked, checked, metric, opened, png, visit, words

assert live.STEPS.default == plane.RUN, "imported before a test shortens it"
start = partial(opened, "realnvp", steps="20")

HEADS = ("journey", "chances", "samples", "walk", "numbers", "live", "inside", "notes", "take")


@pytest.fixture(autouse=True)
def short_trainings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plane, "FRAME", 10)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_the_page_stands_before_any_click(monkeypatch, engine: str, code: str) -> None:
    app = start(monkeypatch, engine, lang=code)
    assert app.title[0].value == "RealNVP" and not app.error
    with using(code):
        assert [h.value for h in app.header] == [t(f"realnvp.{part}.title") for part in HEADS]
        assert t("realnvp.sentence") in words(app)
        assert metric(app, t("realnvp.changed")) == t("realnvp.of", part=0, all=784)
        assert abs(float(metric(app, t("realnvp.live.integral"))) - 1) <= 0.01
        one, other = (metric(app, t(f"realnvp.jacobian.{name}")) for name in ("brute", "sum"))
        assert float(one) == pytest.approx(float(other), abs=1e-6)
    assert {"steps", "lang"} >= set(app.query_params), "what nobody chose stays out of the link"


def test_other_noise_costs_other_bits(monkeypatch) -> None:
    app = start(monkeypatch)
    before = metric(app, t("realnvp.bits"))
    checked(app.button(key="realnvp.noise.next").click().run())
    assert asked(app, "noise") == "1" and metric(app, t("realnvp.bits")) != before


def test_training_goes_on_from_where_it_was(monkeypatch) -> None:
    monkeypatch.setattr(plane, "RUN", 20)
    app = start(monkeypatch)
    first = app.session_state["realnvp.live.film"]
    checked(app.button(key="realnvp.live.more").click().run())
    second = app.session_state["realnvp.live.film"]
    assert asked(app, "steps") == "40" and second.steps == 40
    assert second.moments[: len(first.moments)] == first.moments, "kept, not trained again"
    checked(app.button(key="realnvp.live.another").click().run())
    assert app.session_state["realnvp.live.film"].plan.seed == 1


def endless(plan, steps, before, cancel):
    """A training that goes on until it is stopped."""
    while True:
        yield Progress(0, steps)
        time.sleep(0.02)
        cancel.check()


def test_stopping_keeps_what_was_trained_before(monkeypatch) -> None:
    """A training of more steps that never ends is stopped: pictures, numbers and the link stay at 20."""
    monkeypatch.setattr(plane, "RUN", 30)  # 50 steps: no other test has trained so many
    app = start(monkeypatch)
    first, quick = app.session_state["realnvp.live.film"], plane.train
    monkeypatch.setattr(plane, "train", endless)
    app.button(key="realnvp.live.more").click().run()
    assert app.get("progress") and metric(app, t("realnvp.live.integral")), (
        "what there was is still to be seen"
    )
    app.button(key="realnvp.live.cancel").click().run()
    end = time.monotonic() + 60
    while app.get("progress"):
        assert time.monotonic() < end
        time.sleep(0.1)
        app.run()
    assert t("progress.cancelled") in words(app) and metric(app, t("realnvp.live.integral"))
    assert app.session_state["realnvp.live.film"] is first and asked(app, "steps") == "20"
    monkeypatch.setattr(plane, "train", quick)
    checked(app.button(key="realnvp.live.more").click().run())
    assert t("progress.cancelled") not in words(app)
    assert asked(app, "steps") == "50" and app.session_state["realnvp.live.film"].steps == 50


def test_a_longer_training_waits_for_the_first(monkeypatch) -> None:
    """Pressed before, it would begin anew, and longer."""
    monkeypatch.setattr(plane, "train", endless)
    app = visit("realnvp", monkeypatch, steps="70").run()
    assert app.button(key="realnvp.live.more").disabled
    app.button(key="realnvp.live.cancel").click().run()
    assert app.button(key="realnvp.live.more").disabled


def test_a_link_restores_the_view(monkeypatch) -> None:
    raw = write_places([(0.5, 0.5), (-0.5, 0.2), (0.0, -1.0)])
    app = start(
        monkeypatch,
        digit="14",
        other="2",
        noise="3",
        depth="4",
        seed="9",
        temperature="1",
        way="straight",
        layer="12",
        pixel="9,9",
        what="shift",
        cloud="own",
        shape=raw,
        net="back",
        block="coupling.3",
        tap="shift",
    )
    shown = words(app)
    assert f"**{t('digits.held', digit=4)}**" in shown
    assert "13 · " in shown and "coupling.3.shift" in shown
    assert len(app.session_state["realnvp.live.film"].plan.own) == 3


@pytest.mark.parametrize(
    "query",
    [
        dict(
            digit="99",
            other="-1",
            noise="x",
            depth="900",
            seed="-4",
            temperature="9",
            way="round",
            layer="77",
        ),
        dict(
            pixel="900,1", what="u", cloud="cube", shape="!", start="-1", steps="77777", station="x", spot="1"
        ),
        dict(net="evil", block="nothing", tap="x", sample="none", sha="zz", pixel="0,0", spot="9999,9999"),
    ],
)
def test_a_broken_link_falls_back(monkeypatch, query: dict[str, str]) -> None:
    monkeypatch.setattr(plane, "RUN", 20)
    app = start(monkeypatch, **query)
    assert not app.error and len(app.header) == len(HEADS)


def test_every_block_and_every_number_can_be_looked_at(monkeypatch) -> None:
    app = start(monkeypatch)
    card = MODELS["realnvp"]
    for block in (b.name for b in card.blocks(card.weights[0].config)):
        if block.split(".")[-1] in ("0", "1", "9", "19", "input", "output"):
            app.query_params["block"] = block
            checked(app.run())
            assert not app.error and len(app.header) == len(HEADS), block
    for layer, what in (("0", "y"), ("5", "x"), ("19", "shift"), ("10", "scale")):
        app.query_params["layer"], app.query_params["what"] = layer, what
        checked(app.run())
        assert not app.error and not app.warning, (layer, what)
        agreed = words(app).count(t("formula.agrees", difference="|", bound="|").split("|")[0])
        assert agreed == (1 if what == "scale" else 2), (layer, what)


def test_a_picture_of_ones_own_and_a_bad_one(monkeypatch) -> None:
    app = start(monkeypatch, **{"from": "picture"})
    paper = np.full((90, 60, 3), 245, np.uint8)
    paper[20:70, 28:34] = 20
    checked(app.file_uploader[0].upload("one.png", png(paper), "image/png").run())
    assert t("digits.inverted") in words(app) and r"**one\.png**" in words(app)
    checked(app.file_uploader[0].upload("broken.png", b"no picture", "image/png").run())
    assert len(app.error) == 1 and r"**one\.png**" in words(app)
    checked(app.file_uploader[0].upload("flat.png", png(np.full((9, 9), 7, np.uint8)), "image/png").run())
    assert [w.value for w in app.warning] == [t("digits.empty", least="4%")]


def test_a_drawn_digit(monkeypatch) -> None:
    app = start(monkeypatch, **{"from": "draw"})
    assert t("digits.undrawn") in words(app)
    stroke = np.stack([np.full(9, 0.5), np.linspace(0.1, 0.9, 9)], axis=1)
    app.session_state["vitrine.draw:realnvp.canvas"] = _Held((stroke,), (stroke,), 1)
    checked(app.run())
    assert f"**{t('digits.drawn')}**" in words(app)

"""The DCGAN page: both languages, both engines, what its choices do, links good and bad, pictures of one's own."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.figures.strokes import like_mnist, write_places
from app.text import t, using
from app.widgets.draw import _Held
from models.registry import MODELS
from pages.dcgan_parts import plane, view
from tests.app.pages.driver import ENGINES, asked, checked, metric, opened, png, words

start = partial(opened, "dcgan")

HEADS = ("walk", "ask", "inside", "time", "loss", "live", "notes", "take")


def press(app: AppTest, key: str) -> AppTest:
    return checked(app.button(key=key).click().run())


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_the_page_stands_before_any_click(monkeypatch, engine: str, code: str) -> None:
    app = start(monkeypatch, engine, lang=code)
    assert app.title[0].value == "DCGAN" and not app.error
    with using(code):
        assert [h.value for h in app.header] == [t(f"dcgan.{part}.title") for part in HEADS]
        shown = words(app)
        assert t("dcgan_generator.sentence") in shown and t("dcgan.closer", n=0) in shown
        assert t("dcgan.own", name=r"digit\.png") in shown
    chosen = {"channel", "cell", "tap", "block", "story", "moment", "at", "one", "walk", "seed"}
    assert not chosen & set(app.query_params), "what nobody chose stays out of the link"


def test_another_seed_gives_other_samples(monkeypatch) -> None:
    app = start(monkeypatch)
    before = metric(app, t("dcgan.d"))
    checked(app.number_input(key="dcgan.seed").set_value(12).run())
    assert asked(app, "seed") == "12" and metric(app, t("dcgan.d")) != before
    checked(next(b for b in app.button if b.label == t("dcgan.seed.next")).click().run())
    assert asked(app, "seed") == "13"


def test_stops_of_the_walk_come_and_go(monkeypatch) -> None:
    app = start(monkeypatch, one="5")
    press(app, "dcgan.walk.in")
    assert asked(app, "walk") == "0,20,5"
    press(app, "dcgan.walk.out")
    assert "walk" not in app.query_params
    app = start(monkeypatch, walk="3", one="3")
    assert [i.value for i in app.info] == [t("dcgan.walk.few")]


def test_a_link_restores_the_view(monkeypatch) -> None:
    app = start(
        monkeypatch,
        seed="3",
        one="4",
        walk="1,2,3",
        at="24",
        z="17",
        net="discriminator",
        block="down3",
        tap="down3.out",
        channel="6",
        cell="2,1",
        s="0",
        target="moons",
        k="2",
        story="K2n43-r12-d3",
    )
    shown = words(app)
    assert t("dcgan.closer", n=4) in shown
    assert t("dcgan.number.norm_leaky", channel=6, row=1, column=2, terms=1) in shown
    assert t("dcgan.loss.says.even", d="0.5", ratio="1") in shown
    game = app.session_state["dcgan.live.game"]
    assert (game.name, game.now.d_steps, game.now.g_steps) == ("moons", 2 * 12 + 3, 12)
    assert "z 17" in shown


@pytest.mark.parametrize(
    "query",
    [
        dict(seed="-1", one="99", walk="1,1", z="-3", net="evil", block="nothing", tap="x", channel="9999"),
        dict(cell="900,900", channel="70", s="99", target="circle", k="0", story="K1n43-r99999", at="77777"),
        dict(z="9999", shape="!", target="own", loss="none", lrd="8", pace="7", moment="55", story="r1"),
        dict(
            net="discriminator", block="up1", tap="up1.conv", sample="none", sha="zz", at="9000", walk="0,31"
        ),
    ],
)
def test_a_broken_link_falls_back(monkeypatch, query: dict[str, str]) -> None:
    app = start(monkeypatch, **query)
    assert not app.error and len(app.header) == len(HEADS)


def test_every_tensor_of_both_nets_can_be_looked_at(monkeypatch) -> None:
    app = start(monkeypatch)
    for net in ("generator", "discriminator"):
        card = MODELS[f"dcgan_{net}"]
        config = card.weights[0].config
        for block in (b.name for b in card.blocks(config)):
            for tap in [s.name for s in card.taps(config) if s.block == block] or [""]:
                for name, value in (("net", net), ("block", block), ("tap", tap)):
                    app.query_params[name] = value
                checked(app.run())
                assert not app.error and len(app.header) == len(HEADS), (block, tap)
                assert (t("dcgan.number.title") in words(app)) == bool(tap)
                assert not tap or tap in words(app)


def test_stepping_by_hand_and_playing(monkeypatch) -> None:
    app = start(monkeypatch)
    press(app, "dcgan.move.d")
    game = app.session_state["dcgan.live.game"]
    assert (game.now.d_steps, game.now.g_steps, len(game.film)) == (1, 0, 2)
    press(app, "dcgan.move.g")
    press(app, "dcgan.move.r")
    assert asked(app, "story") == "K1n43-d1-g1-r1"
    checked(app.slider(key="dcgan.k").set_value(3).run())
    press(app, "dcgan.run")
    game = app.session_state["dcgan.live.game"]
    assert len(game.film) == plane.FRAMES + 1 and game.now.g_steps == 2 + plane.FRAMES * 10
    assert game.now.d_steps == 2 + 3 * plane.FRAMES * 10
    press(app, "dcgan.restart")
    assert app.session_state["dcgan.live.game"].fresh and "story" not in app.query_params


def test_the_recipe_for_collapse(monkeypatch) -> None:
    app = start(monkeypatch, lang="en")
    press(app, "dcgan.recipe.collapses")
    now = app.session_state["dcgan.live.game"].now
    assert now.covered < 0.5
    assert "**Collapse:**" in words(app)
    assert asked(app, "lrg") == "6" and asked(app, "pace") == "5"


def test_a_distribution_of_ones_own(monkeypatch) -> None:
    app = start(monkeypatch, target="own")
    assert t("dcgan.live.own") in words(app)
    raw = write_places([(0.5, 0.5), (-0.5, 0.2), (0.0, -1.0)])
    app = start(monkeypatch, target="own", shape=raw)
    game = app.session_state["dcgan.live.game"]
    assert len(game.own) == 3 and t("dcgan.live.own") not in words(app)
    near = np.linalg.norm(game.aim.points[:, None] - np.array(game.own), axis=2).min(1)
    assert near.max() < 0.2


def test_a_picture_of_ones_own_and_a_bad_one(monkeypatch) -> None:
    app = start(monkeypatch)
    paper = np.full((90, 60, 3), 245, np.uint8)
    paper[20:70, 28:34] = 20
    checked(app.file_uploader[0].upload("one.png", png(paper), "image/png").run())
    assert t("dcgan.own.inverted") in words(app) and t("dcgan.own", name=r"one\.png") in words(app)
    checked(app.file_uploader[0].upload("broken.png", b"no picture", "image/png").run())
    assert len(app.error) == 1 and t("dcgan.own", name=r"one\.png") in words(app)
    checked(app.file_uploader[0].upload("flat.png", png(np.full((9, 9), 7, np.uint8)), "image/png").run())
    assert [w.value for w in app.warning] == [t("dcgan.own.empty")]


def test_a_drawn_digit_is_asked_about(monkeypatch) -> None:
    app = start(monkeypatch)
    stroke = np.stack([np.full(9, 0.5), np.linspace(0.1, 0.9, 9)], axis=1)
    app.session_state["vitrine.draw:dcgan.canvas"] = _Held((stroke,), (stroke,), 1)
    checked(app.run())
    assert t("dcgan.own", name=t("dcgan.own.drawn")) in words(app)
    assert like_mnist([stroke]).max() > 200


@pytest.mark.torch
def test_both_engines_give_the_same_samples_and_scores(monkeypatch) -> None:
    scenes = [view.scene(view.nets(engine), 11) for engine in ("onnx", "torch")]
    np.testing.assert_allclose(scenes[0].pictures, scenes[1].pictures, atol=1e-4)
    np.testing.assert_allclose(scenes[0].logits, scenes[1].logits, atol=1e-3)
    np.testing.assert_allclose(scenes[0].readings, scenes[1].readings, atol=1e-3)

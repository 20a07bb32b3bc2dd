"""The graph networks page: recorded, trained and untrained networks, links good and bad, both languages and engines."""

from __future__ import annotations

import io
from functools import partial

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.engine import train_gnn
from app.figures.printed import percent
from app.text import t, using
from app.widgets import state
from app.widgets.inside import taps_of_block
from app.widgets.progress import Outcome
from models.registry import MODELS
from pages.graph_networks_parts import attention, matrix, messages, result, sampling, scores, smoothing, view
from pages.graph_networks_parts.takeaway import as_csv, as_npz, as_weights
from pages.graph_networks_parts.view import Scene
from tests.app.pages.driver import ENGINES, opened, settled, words

start = partial(opened, "graph_networks")

VARIANTS = [
    ("gcn", {}),
    ("graphsage", {}),
    ("graphsage", {"aggregator": "max"}),
    ("graphsage", {"aggregator": "lstm"}),
    ("gat", {}),
    ("gat", {"version": "2"}),
    ("message_passing", {}),
    ("message_passing", {"form": "edge network"}),
]
SCENES: list[Scene] = []


@pytest.fixture(autouse=True)
def scenes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the page shows is kept, so that it can be looked into."""
    SCENES.clear()
    made = view.scene_of

    def kept(*arguments: object) -> Scene:
        SCENES.append(made(*arguments))  # type: ignore[arg-type]
        return SCENES[-1]

    monkeypatch.setattr(view, "scene_of", kept)


def said(page: AppTest, key: str) -> bool:
    """Whether a message stands on the page, whatever its placeholders are filled with."""
    pieces = [piece.split("}")[-1] for piece in t_raw(key).split("{")]
    return max(pieces, key=len).strip() in words(page)


def t_raw(key: str) -> str:
    from app.text import catalogue, language

    return catalogue(language())[key]


def sums(page: AppTest) -> list[bool]:
    """Whether each worked sum on the page agrees with the network's own number."""
    starts = {":material/check:": True, ":material/warning:": False}
    said_ = [str(caption.value) for caption in page.caption]
    known = (t("formula.agrees", difference="§", bound="§"), t("formula.differs", difference="§", bound="§"))
    ends = tuple(sentence.split("§")[1].split("§")[0] for sentence in known)
    return [starts[c.split(" ")[0]] for c in said_ if c.split(" ")[0] in starts and any(e in c for e in ends)]


def press(page: AppTest, key: str) -> AppTest:
    next(b for b in page.button if b.key == key).click()
    return settled(page)


# ---------------------------------------------------------------- the first look


@pytest.mark.parametrize("which", ENGINES)
def test_a_recorded_network_stands_before_any_click(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    page = start(monkeypatch, which)
    assert page.title[0].value == t("nav.graph_networks") and not page.error
    scene = SCENES[-1]
    assert scene.origin == "recorded" and scene.net == "gcn" and scene.moments > 20
    assert said(page, "graph_networks.recorded") and said(page, "graph_networks.says.labels")
    test = scene.run.split == 3
    right = int((scene.logits[-1].argmax(1) == scene.graph.labels)[test].sum())
    share = percent(right / int(test.sum()))
    alone = t("graph_networks.says.test", right=right, count=int(test.sum()), percent=share)
    assert alone in words(page), "the validation nodes are not counted among the test nodes"
    for header in ("result", "messages", "matrix", "smoothing", "scores", "notes", "take"):
        assert t(f"graph_networks.{header}") in words(page)
    assert not page.query_params.keys() & names_of_params(), "defaults do not stand in the address"
    assert sums(page) == [True, True]  # of the round, and of the tensor


def names_of_params() -> set[str]:
    modules = (view, result, messages, matrix, attention, sampling, smoothing, scores)
    return {p.name for module in modules for p in vars(module).values() if isinstance(p, state.Param)}


@pytest.mark.parametrize(
    ("net", "more"), VARIANTS, ids=lambda v: v if isinstance(v, str) else "-".join(v.values())
)
@pytest.mark.parametrize("stage", messages.STAGES)
def test_every_network_is_recomputed_at_every_stage(
    monkeypatch: pytest.MonkeyPatch, net: str, more: dict[str, str], stage: str
) -> None:
    for number in ("1", "2"):
        page = start(monkeypatch, net=net, stage=stage, round=number, node="8", **more)
        assert not page.error and SCENES[-1].origin == "recorded"
        assert all(sums(page)) and (stage != "update" or len(sums(page)) == 2)
        assert said(page, "graph_networks.check")
        made = messages.round_of(
            net,
            SCENES[-1].config,
            SCENES[-1].states[-1],
            view.inside_at(SCENES[-1], SCENES[-1].moments - 1).reads(SCENES[-1], int(number) - 1),
            SCENES[-1].edges,
            int(number) - 1,
            8,
        )
        own = {"gcn", "gat"} & {net}
        assert len(made.sender) == 5 + bool(own), "node 9 of the karate club has five neighbours"


@pytest.mark.parametrize("net", view.NETS)
def test_every_block_shows_its_tensors(monkeypatch: pytest.MonkeyPatch, net: str) -> None:
    card = MODELS[net]
    start(monkeypatch, net=net)
    config = SCENES[-1].config
    for block in card.blocks(config):
        page = start(monkeypatch, net=net, block=block.name)
        specs = taps_of_block(card, config, block.name)
        assert not page.error and all(sums(page))
        if specs:
            assert t(specs[-1].text) in words(page)
        else:
            assert t("graph_networks.inside.input") in words(page)


def test_the_recorded_embedding_is_that_of_the_embedded_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    start(monkeypatch)
    scene = SCENES[-1]
    seen = view.inside_at(scene, scene.moments - 1)
    assert np.abs(seen.taps["logits"] - scene.logits[-1]).max() < 5e-3
    assert np.abs(seen.taps["layers.0.out"] - scene.vectors[-1]).max() < 5e-3


# ---------------------------------------------------------------- links


def test_in_chinese_with_everything_from_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    link = {"net": "gat", "node": "2", "round": "2", "stage": "update", "channel": "1", "look": "7"}
    link |= {"colour": "belief", "matrix": "adjacency", "cell": "3,4", "power": "5"}
    with using("zh"):
        page = start(monkeypatch, lang="zh", **link)
        assert not page.error
        assert t("graph_networks.attention") in words(page)
        assert said(page, "graph_networks.last_weights.recorded")
        assert t("graph_networks.matrix.cell", i="§", j="", value="").split("§")[0] in words(page)
    for name, value in link.items():  # the link stays what it was
        found = page.query_params[name]
        assert (found[0] if isinstance(found, list) else found) == value


def test_nonsense_in_a_link_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = {
        "net": "gin",
        "layers": "99",
        "hidden": "7",
        "node": "1000000",
        "round": "8",
        "stage": "x",
        "channel": "500",
    }
    odd |= {
        "look": "998",
        "head": "15",
        "cell": "99,99",
        "power": "64",
        "from": "77",
        "lr": "nan",
        "known": "-1",
    }
    page = start(monkeypatch, **odd)
    assert not page.error and SCENES[-1].net == "gcn" and SCENES[-1].origin == "recorded"


# ---------------------------------------------------------------- without torch, without labels


def test_without_torch_another_graph_shows_an_untrained_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_gnn, "available", lambda: False)
    page = start(monkeypatch, graph="grid")
    assert not page.error and SCENES[-1].origin == "untrained"
    assert said(page, "graph_networks.no_torch") and said(page, "graph_networks.says.untrained")
    assert said(page, "graph_networks.check") and said(page, "graph_networks.smoothing.no_torch")
    assert not [b for b in page.button if b.key == "graph_networks.train.here"]


def test_without_torch_the_block_model_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train_gnn, "available", lambda: False)
    page = start(monkeypatch, graph="sbm", look="3")
    assert SCENES[-1].origin == "recorded" and not page.error
    assert len(SCENES[-1].source.label_names) == 3


@pytest.mark.parametrize("net", view.NETS)
def test_a_graph_without_labels(monkeypatch: pytest.MonkeyPatch, net: str) -> None:
    monkeypatch.setattr(train_gnn, "available", lambda: False)
    page = start(monkeypatch, net=net, graph="line")
    assert not page.error and SCENES[-1].origin == "untrained"


# ---------------------------------------------------------------- trained here


@pytest.mark.torch
def test_other_settings_are_trained_here_and_every_epoch_has_its_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = start(monkeypatch, epochs="40", known="6", look="2")
    scene = SCENES[-1]
    assert scene.origin == "trained" and scene.run is not None and not page.error
    assert len(scene.states) == scene.moments and scene.epochs[-1] == 40
    assert (scene.run.split == 1).sum() == 12
    early, late = view.inside_at(scene, 2), view.inside_at(scene, scene.moments - 1)
    assert early.look == 2 and np.abs(early.taps["logits"] - scene.logits[2]).max() < 1e-5
    assert np.abs(late.taps["logits"] - scene.logits[-1]).max() < 1e-5
    assert not said(page, "graph_networks.last_weights.trained")
    assert said(page, "graph_networks.check")


@pytest.mark.torch
def test_the_recorded_training_can_be_made_here_and_left_again(monkeypatch: pytest.MonkeyPatch) -> None:
    page = press(start(monkeypatch), "graph_networks.train.here")
    assert SCENES[-1].origin == "trained" and SCENES[-1].run is not None
    press(page, "graph_networks.recorded.again")
    assert SCENES[-1].origin == "recorded"


@pytest.mark.torch
def test_the_training_before_stays_while_another_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, epochs="30")
    first = SCENES[-1].run
    seed = next(w for w in page.number_input if w.key == "graph_networks.seed")
    seed.set_value(3)
    monkeypatch.setattr(view, "job", lambda *_, **__: Outcome("cancelled"))
    page.run()
    assert not page.exception and SCENES[-1].run is first
    assert t("graph_networks.before") in words(page)


@pytest.mark.torch
def test_graphsage_learns_from_walks_without_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, net="graphsage", graph="line", epochs="20")
    scene = SCENES[-1]
    assert scene.origin == "trained" and not scene.labelled and not page.error
    assert said(page, "graph_networks.says.walks") and said(page, "graph_networks.sampling")


# ---------------------------------------------------------------- take away


def test_files_hold_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    start(monkeypatch, graph="sbm")
    scene = SCENES[-1]
    rows = as_csv(scene, 5).decode().splitlines()
    assert len(rows) == 91 and rows[0].startswith("node,label,predicted,belief,z0")
    assert float(rows[1].split(",")[4]) == pytest.approx(float(scene.vectors[5, 0, 0]), rel=1e-6, abs=1e-9)
    arrays = np.load(io.BytesIO(as_npz(scene)), allow_pickle=False)
    assert arrays["vectors"].shape == scene.vectors.shape and len(arrays["names"]) == 90
    weights = np.load(io.BytesIO(as_weights(scene)), allow_pickle=False)
    assert set(weights.files) == set(scene.states[-1])

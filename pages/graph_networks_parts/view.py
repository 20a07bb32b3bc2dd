"""What a visitor of the graph networks page can choose, all of it in the link; the scene that follows; its runs.

A scene is a network on a graph: with the embedded weights and their recorded training where there are some, trained
here where PyTorch is there, and otherwise with the weights of a network that has learned nothing yet.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import streamlit as st

from app.engine import Cancel, Model, device_name, load, run, train_gnn
from app.engine.train_gnn import Progress, Run, Settings
from app.text import t
from app.widgets import state
from app.widgets.graph_input import Source
from app.widgets.graph_view import last_node
from app.widgets.header import NAMES, Badge, Badges, current_engine, duration, number
from app.widgets.progress import job
from app.widgets.results import Results
from models.card import ModelCard
from models.graph.graph import Graph
from models.graph.task import inputs, projected
from models.registry import MODELS
from pages.graph_networks_parts.forward import Edges, forward
from pages.graph_networks_parts.rounds import before_tap, needed

HALF = 460  # pixels of a drawing that has half of the page
NETS = ("message_passing", "gcn", "graphsage", "gat")
FIRST = "gcn"
MOST_SEED = 9999

NET: state.Param[str] = state.Param("net", FIRST, allowed=NETS)
LAYERS = state.Param("layers", 2, state.parse_whole(1, 8), str)
HIDDEN = state.Param("hidden", 16, state.parse_whole(2, 64), str, allowed=(4, 8, 16, 32, 64))
AGGREGATOR: state.Param[str] = state.Param("aggregator", "mean", allowed=("mean", "max", "lstm"))
HEADS = state.Param("heads", 4, state.parse_whole(1, 8), str, allowed=(1, 2, 4, 8))
VERSION = state.Param("version", 1, state.parse_whole(1, 2), str, allowed=(1, 2))
FORM: state.Param[str] = state.Param("form", "linear", allowed=("linear", "edge network"))
OBJECTIVE: state.Param[str] = state.Param("objective", "labels", allowed=("labels", "walks"))
EPOCHS = state.Param("epochs", 200, state.parse_whole(10, 1000), str)
RATE = state.Param("lr", 0.01, state.parse_number(0.0001, 0.5), state.format_number)
DROPOUT = state.Param("drop", 0.5, state.parse_number(0.0, 0.9), state.format_number)
DECAY = state.Param("decay", 5e-4, state.parse_number(0.0, 0.1), state.format_number)
KNOWN = state.Param("known", 4, state.parse_whole(1, 50), str)
SEED = state.Param("seed", 0, state.parse_whole(0, MOST_SEED), str)
HERE = state.Param("here", False, state.parse_flag, state.format_flag)  # train anew though a run is recorded

LOOK = state.Param("look", -1, state.parse_whole(-1, 999), str)  # the moment of the training, -1: the last
ROUND = state.Param("round", 1, state.parse_whole(1, 8), str)
CHANNEL = state.Param("channel", -1, state.parse_whole(-1, 9999), str)  # -1: the one with the largest number

MOST_NUMBERS = 8_000_000  # of a list of messages that is shown
AT_ONCE = 6000  # nodes and edges that are trained on without being asked


# ---------------------------------------------------------------- what is chosen


def config_now(net: str) -> dict[str, Any]:
    """The network's own settings; sizes that follow from the graph are added by the training."""
    config: dict[str, Any] = {"layers": state.get(LAYERS), "hidden": state.get(HIDDEN)}
    if net != "message_passing":
        config["dropout"] = state.get(DROPOUT)
    if net == "graphsage":
        config["aggregator"] = state.get(AGGREGATOR)
    elif net == "gat":
        heads = state.get(HEADS)
        config |= {"heads": heads, "hidden": max(1, config["hidden"] // heads), "version": state.get(VERSION)}
    elif net == "message_passing":
        form = state.get(FORM)
        config |= {"form": form, "readout": "set2set" if form == "edge network" else "sum"}
    return config


def settings_now(net: str, graph: Graph) -> Settings:
    """How the network is trained."""
    walks = net == "graphsage" and (state.get(OBJECTIVE) == "walks" or graph.labels is None)
    return Settings(
        epochs=state.get(EPOCHS),
        lr=state.get(RATE),
        weight_decay=state.get(DECAY),
        seed=state.get(SEED),
        known=state.get(KNOWN),
        objective="walks" if walks else "labels",
    )


def variant_now(net: str) -> str:
    """The id of the recorded weights of another form of the network; "" for the usual one."""
    if net == "graphsage" and state.get(AGGREGATOR) != "mean":
        return f"karate_{state.get(AGGREGATOR)}"
    if net == "gat" and state.get(VERSION) == 2:
        return "karate_v2"
    if net == "message_passing" and state.get(FORM) == "edge network":
        return "karate_edge"
    return ""


def as_recorded() -> bool:
    """Whether everything else stands as it was when the recorded runs were made."""
    params: tuple[state.Param[Any], ...] = (
        LAYERS, HIDDEN, HEADS, OBJECTIVE, EPOCHS, RATE, DROPOUT, DECAY, KNOWN, SEED,
    )  # fmt: skip
    return all(state.get(param) == param.default for param in params)


# ---------------------------------------------------------------- the scene


@dataclass(frozen=True, eq=False)
class Scene:
    """A network on a graph, at S moments of its training.

    origin: "recorded" (embedded weights), "trained" (here, now) or "untrained". model: of the embedded weights.
    states: one a moment, or only the last. epochs (S,), vectors (S, N, d), logits (S, N, C). run: None if untrained.
    """

    net: str
    source: Source
    config: Mapping[str, Any]
    x: np.ndarray
    states: tuple[Mapping[str, np.ndarray], ...]
    epochs: np.ndarray
    vectors: np.ndarray
    logits: np.ndarray
    origin: str
    key: str
    model: Model | None = None
    run: Run | None = None
    settings: Settings | None = None

    @property
    def graph(self) -> Graph:
        return self.source.graph

    @property
    def card(self) -> ModelCard:
        return MODELS[self.net]

    @property
    def moments(self) -> int:
        return len(self.epochs)

    @cached_property
    def edges(self) -> Edges:
        return Edges.of(self.graph)

    @property
    def labelled(self) -> bool:
        """Whether the network has learned the graph's labels."""
        return self.run is not None and self.graph.labels is not None and self.logits.shape[2] > 0

    def state_at(self, look: int) -> Mapping[str, np.ndarray] | None:
        """The weights of a moment; None where only the last were kept."""
        return self.states[look] if len(self.states) == self.moments else None

    def class_name(self, number: int) -> str:
        return self.source.label_names[number]

    def beliefs(self, look: int) -> np.ndarray:
        """float64 (N, C): the probabilities of the classes."""
        logits = self.logits[look].astype(np.float64)
        power = np.exp(logits - logits.max(1, keepdims=True))
        return np.asarray(power / power.sum(1, keepdims=True))


@dataclass(frozen=True, eq=False)
class Seen:
    """The inside of a scene at one moment: taps by name, the weights, and who ran them: "onnx", "torch" or "numpy"."""

    taps: Mapping[str, np.ndarray]
    state: Mapping[str, np.ndarray]
    by: str
    look: int

    def reads(self, scene: Scene, layer: int) -> np.ndarray:
        """(N, F): what a layer reads."""
        name = before_tap(scene.net, layer)
        return self.taps[name] if name else scene.x


@dataclass
class Shown:
    """What the visitor sees of a scene just now. A file asked for later holds this; the slider does not rerun its
    button."""

    look: int = -1
    colours: np.ndarray | None = None


def shown() -> Shown:
    """The one of this session."""
    found: Shown = st.session_state.setdefault("graph_networks.shown", Shown())
    return found


def look_now(scene: Scene) -> int:
    """The moment under the slider."""
    look = state.get(LOOK)
    return scene.moments - 1 if look < 0 else min(look, scene.moments - 1)


def round_now(scene: Scene) -> int:
    """The layer that is looked into, from 0."""
    return min(state.get(ROUND), int(scene.config["layers"])) - 1


def default_node(scene: Scene) -> int:
    """Where a first look is worth most: among nodes with a few neighbours the one whose class is least sure."""
    degree = scene.graph.degree
    few = np.flatnonzero((degree >= 3) & (degree <= 10))
    if not len(few):
        return int(degree.argmax())
    if not scene.labelled:
        return int(few[degree[few].argmax()])
    return int(few[scene.beliefs(scene.moments - 1)[few].max(1).argmin()])


def node_now(scene: Scene) -> int:
    """The node that is looked at: the picked one, else the default."""
    node = last_node(scene.graph)
    return default_node(scene) if node is None else node


INSIDES: Results[Seen] = Results(64 * 2**20)
RUNS: Results[Run] = Results()


def inside_at(scene: Scene, look: int) -> Seen:
    """The inside of a scene at a moment; at the last one where that moment's weights were not kept."""
    if scene.state_at(look) is None:
        look = scene.moments - 1
    return _ran(scene, look, needed(scene.net, scene.config))


def tap_at(scene: Scene, seen: Seen, name: str) -> np.ndarray | None:
    """Any tap of the network at a moment; None for a list of messages that is too long to be kept."""
    if name in seen.taps:
        return seen.taps[name]
    wide = int(scene.config["hidden"]) * int(scene.config.get("heads", 1))
    if (len(scene.edges.source) + scene.graph.count) * wide > MOST_NUMBERS:
        return None
    return _ran(scene, seen.look, (name,)).taps[name]


def _ran(scene: Scene, look: int, names: tuple[str, ...]) -> Seen:
    """The wanted taps at a moment whose weights are there."""
    weights, last = scene.state_at(look), look == scene.moments - 1
    weights = scene.states[-1] if weights is None else weights
    name = f"{scene.key}-{look}-{scene.model.key if scene.model else ''}-{names}"
    found = INSIDES.get(name)
    if found is not None:
        return found
    if scene.model is not None and last:
        fed = inputs(scene.graph, scene.x)
        trace = run(scene.model, {spec.name: fed[spec.name] for spec in scene.card.inputs}, names)
        seen = Seen(trace.taps | {"logits": trace.output}, scene.model.state, scene.model.engine, look)
    elif train_gnn.available() and (scene.origin == "trained" or "torch" in sys.modules):
        taps = train_gnn.inside(scene.net, scene.config, weights, scene.x, scene.graph, names)
        seen = Seen(taps, weights, "torch", look)
    else:
        taps = forward(scene.net, scene.config, weights, scene.x.astype(np.float32), scene.edges)
        seen = Seen({n: taps[n] for n in names}, weights, "numpy", look)
    INSIDES.put(name, seen)
    return seen


# ---------------------------------------------------------------- how a scene comes to be


def scene_of(net: str, source: Source) -> Scene:
    """The scene of this moment's choices. A training shows its bar here and brings the scene when it ends."""
    graph, variant = source.graph, variant_now(net)
    recorded = train_gnn.recorded(net, graph, variant) if as_recorded() else None
    if recorded is not None and not (state.get(HERE) and train_gnn.available()):
        _offer_training()
        model = load(net, recorded.weights, current_engine())
        return _with_run(net, source, recorded, "recorded", model)
    if recorded is not None:
        st.button(
            t("graph_networks.recorded.again"),
            key="graph_networks.recorded.again",
            icon=":material/history:",
            on_click=lambda: state.put(HERE, False),
        )
    found = _trained(net, source) or _before(net, source)
    return _untrained(net, source) if found is None else _with_run(net, source, found, "trained", None)


def _before(net: str, source: Source) -> Run | None:
    """The last training of this network on this graph: it stays while another one runs, and where it was stopped."""
    kept = st.session_state.get("graph_networks.last")
    if kept is None or kept[:2] != (net, source.key):
        return None
    found = RUNS.get(kept[2])
    if found is not None:
        st.caption(t("graph_networks.before"))
    return found


def _with_run(net: str, source: Source, found: Run, origin: str, model: Model | None) -> Scene:
    return Scene(
        net=net,
        source=source,
        config={**train_gnn.DEFAULTS[net], **found.config},
        x=found.x,
        states=found.states,
        epochs=found.epochs,
        vectors=found.vectors,
        logits=found.logits,
        origin=origin,
        key=_name(net, source.key, origin, dict(found.config), found.settings),
        model=model,
        run=found,
        settings=found.settings,
    )


def _name(*parts: object) -> str:
    return hashlib.blake2b(repr(parts).encode(), digest_size=12).hexdigest()


def _offer_training() -> None:
    """A recorded run says so, and can be made again here where PyTorch is there."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(t("graph_networks.recorded"), width="stretch")
        if train_gnn.available():
            st.button(
                t("graph_networks.train.here"),
                key="graph_networks.train.here",
                icon=":material/model_training:",
                on_click=lambda: state.put(HERE, True),
            )


def _trained(net: str, source: Source) -> Run | None:
    """A run made here: from memory, or by a job whose bar is shown; None while it runs and where it cannot run."""
    graph = source.graph
    if not train_gnn.available():
        st.info(t("graph_networks.no_torch"), icon=":material/info:")
        return None
    config, settings = config_now(net), settings_now(net, graph)
    if graph.labels is None and settings.objective == "labels":
        st.info(t("graph_networks.no_labels"), icon=":material/info:")
        return None
    name = _name(net, source.key, config, settings)
    found = RUNS.get(name)
    if found is not None:
        st.session_state["graph_networks.last"] = (net, source.key, name)
        return found

    def start(cancel: Cancel) -> Iterator[Progress]:
        for item in train_gnn.train(net, config, graph, settings, cancel):
            if item.result is not None:
                RUNS.put(name, item.result)
            yield item

    outcome = job(
        "graph_networks.train",
        name,
        start,
        text=_progress_words,
        autostart=graph.count + graph.edges <= AT_ONCE or state.get(HERE),
        button=t("graph_networks.train"),
        note=t("graph_networks.train.note", nodes=f"{graph.count:,}", edges=f"{graph.edges:,}"),
    )
    if outcome.result is not None:
        st.session_state["graph_networks.last"] = (net, source.key, name)
    return outcome.result


def _progress_words(item: Progress) -> str:
    if not len(item.loss):
        return t("graph_networks.progress.torch")
    loss = float(item.loss[-1])
    return t("graph_networks.progress", done=item.done, total=item.total, loss=f"{loss:.3f}")


def _untrained(net: str, source: Source) -> Scene:
    """A network that has learned nothing yet, with the visitor's graph projected on the features it reads."""
    model = load(net, "untrained", current_engine())
    x = projected(source.graph.count, int(model.config["in_features"]))
    fed = inputs(source.graph, x)
    config = {**train_gnn.DEFAULTS[net], **model.config}
    names = needed(net, config)
    trace = run(model, {spec.name: fed[spec.name] for spec in MODELS[net].inputs}, names)
    taps = trace.taps | {"logits": trace.output}
    layers = int(config["layers"])
    last = layers - 2 if net in ("gcn", "gat") else layers - 1
    return Scene(
        net=net,
        source=source,
        config=config,
        x=x,
        states=(model.state,),
        epochs=np.zeros(1, np.int64),
        vectors=taps[f"layers.{last}.out"][None],
        logits=trace.output[None],
        origin="untrained",
        key=_name(net, source.key, "untrained"),
        model=model,
    )


def say_moment(scene: Scene, seen: Seen) -> None:
    """A word where the numbers below are not those of the moment under the slider."""
    if seen.look != look_now(scene):
        st.caption(
            ":material/info: "
            + t(
                f"graph_networks.last_weights.{scene.origin}",
                epoch=int(scene.epochs[seen.look]),
                look=int(scene.epochs[look_now(scene)]),
            )
        )


def show_badges(badges: Badges, scene: Scene) -> None:
    """What ran where: the embedded weights, or what was trained here."""
    if scene.model is not None:
        badges.show(scene.model)
        return
    assert scene.run is not None
    epochs = t("graph_networks.badge.epochs", n=int(scene.epochs[-1]))
    badges.put(
        [
            Badge(NAMES["torch"], t("badge.engine"), device_name("torch")),
            Badge(t("graph_networks.badge.trained"), t("badge.weights"), epochs),
            Badge(number(scene.card.parameters(scene.config)), t("badge.parameters")),
            Badge(duration(scene.run.seconds), t("graph_networks.badge.training")),
        ]
    )


# ---------------------------------------------------------------- the controls


def choose_net() -> None:
    """Which of the four networks."""
    st.segmented_control(
        t("graph_networks.net"),
        NETS,
        format_func=lambda net: MODELS[net].title,
        required=True,
        label_visibility="collapsed",
        **state.bind(NET),
    )


def choose_how(net: str) -> None:
    """The network's sizes; how it is trained stands in the expander."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.slider(
            t("graph_networks.layers"), 1, 8, help=t("graph_networks.layers.help"), **state.bind(LAYERS)
        )
    with right:
        st.select_slider(
            t("graph_networks.hidden"),
            (4, 8, 16, 32, 64),
            help=t("graph_networks.hidden.help"),
            **state.bind(HIDDEN),
        )
    _choose_kind(net)
    with st.expander(t("graph_networks.how")):
        _choose_training(net)


def _choose_kind(net: str) -> None:
    """What only this network has."""
    if net == "graphsage":
        st.segmented_control(
            t("graph_networks.aggregator"),
            ("mean", "max", "lstm"),
            format_func=lambda kind: t(f"graph_networks.aggregator.{kind}"),
            required=True,
            help=t("graph_networks.aggregator.help"),
            **state.bind(AGGREGATOR),
        )
    elif net == "gat":
        left, right = st.columns(2, gap="medium")
        left.segmented_control(
            t("graph_networks.version"),
            (1, 2),
            format_func=lambda v: "GAT" if v == 1 else "GATv2",
            required=True,
            help=t("graph_networks.version.help"),
            **state.bind(VERSION),
        )
        right.segmented_control(
            t("graph_networks.heads"), (1, 2, 4, 8), required=True, help=t("graph_networks.heads.help"),
            **state.bind(HEADS),
        )  # fmt: skip
    elif net == "message_passing":
        st.segmented_control(
            t("graph_networks.form"),
            ("linear", "edge network"),
            format_func=lambda form: t(f"graph_networks.form.{form.replace(' ', '_')}"),
            required=True,
            help=t("graph_networks.form.help"),
            **state.bind(FORM),
        )


def _choose_training(net: str) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        st.slider(t("graph_networks.known"), 1, 50, help=t("graph_networks.known.help"), **state.bind(KNOWN))
        st.slider(t("graph_networks.epochs"), 10, 1000, step=10, **state.bind(EPOCHS))
        st.number_input(t("graph_networks.seed"), 0, MOST_SEED, step=1, **state.bind(SEED))
    with right:
        st.select_slider(
            t("graph_networks.rate"),
            sorted({0.001, 0.003, 0.01, 0.03, 0.1, state.get(RATE)}),
            format_func=lambda rate: f"{rate:g}",
            **state.bind(RATE),
        )
        if net != "message_passing":
            st.slider(t("graph_networks.dropout"), 0.0, 0.9, step=0.05, format="%g", **state.bind(DROPOUT))
        st.select_slider(
            t("graph_networks.decay"),
            sorted({0.0, 1e-5, 5e-5, 5e-4, 5e-3, 0.05, state.get(DECAY)}),
            format_func=lambda rate: f"{rate:g}",
            help=t("graph_networks.decay.help"),
            **state.bind(DECAY),
        )
    if net == "graphsage":
        st.segmented_control(
            t("graph_networks.objective"),
            ("labels", "walks"),
            format_func=lambda word: t(f"graph_networks.objective.{word}"),
            required=True,
            help=t("graph_networks.objective.help"),
            **state.bind(OBJECTIVE),
        )

"""The card of GraphSAGE: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, ModelCard, Paper, TapSpec
from models.graph.gcn_card import CARD as GCN, INPUTS, KARATE, LOGITS, SBM, embedded

MODULE = "models.graph.graphsage"
AGGREGATE = {
    "mean": r"\frac{1}{|N(i)|}\sum_{j\in N(i)}h_j",
    "max": r"\max_{j\in N(i)}\mathrm{ReLU}(W_p h_j+b_p)",
    "lstm": r"\mathrm{LSTM}(h_{j_1},h_{j_2},\ldots)",
}


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""

    def tap(name: str, kind: str, block: str, text: str, formula: str, source: str) -> TapSpec:
        axes = ("node", "class" if kind == "logits" else "channel")
        return TapSpec(
            name=name, axes=axes, kind=kind, block=block, text=f"graphsage.tap.{text}", formula=formula,
            source=f"{MODULE}:{source}",
        )  # fmt: skip

    aggregator = config.get("aggregator", "mean")
    forward = "SAGELayer.forward"
    found: list[TapSpec] = []
    for i in range(config["layers"]):
        block, last = f"layers.{i}", i == config["layers"] - 1
        inner = r"W_{\mathrm{self}}h_i+W_{\mathrm{neigh}}h_{N(i)}+b"
        update = rf"u_i={inner}" if last else rf"u_i=\mathrm{{ReLU}}\left({inner}\right)"
        if config.get("normalise", True):
            update += r",\quad h_i'=\frac{u_i}{\lVert u_i\rVert}"
        gathered = f"h_{{N(i)}}={AGGREGATE[aggregator]}"
        found.append(
            tap(f"{block}.aggregated", "nodes", block, f"aggregated.{aggregator}", gathered, forward)
        )
        found.append(tap(f"{block}.out", "nodes", block, "out", update, forward))
    return (*found, tap("logits", "logits", "head", "logits", r"z_i=V h_i+c", "GraphSAGE.forward"))


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: every layer reads the edges."""
    found = [
        Block(name="edges", inputs=(), kind="input", label="N(i)"),
        Block(name="x", inputs=(), kind="input", label=f"H · N×{config['in_features']}"),
    ]
    before = "x"
    for i in range(config["layers"]):
        name, label = f"layers.{i}", f"W [h, {config.get('aggregator', 'mean')}] → {config['hidden']}"
        found.append(Block(name=name, inputs=(before, "edges"), kind="conv", label=label))
        before = name
    classes = config["num_classes"]
    return (*found, Block(name="head", inputs=(before,), kind="linear", label=f"Linear → {classes}"))


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    hidden, total = config["hidden"], 0
    for i in range(config["layers"]):
        width = hidden if i else config["in_features"]
        total += 2 * width * hidden + hidden
        total += {"mean": 0, "max": width**2 + width, "lstm": 8 * width**2 + 8 * width}[
            config.get("aggregator", "mean")
        ]
    return total + hidden * config["num_classes"] + config["num_classes"]


CARD = ModelCard(
    slug="graphsage",
    title="GraphSAGE",
    family=GCN.family,
    section=GCN.section,
    paper=Paper(
        title="Inductive Representation Learning on Large Graphs",
        authors="Hamilton, Ying, Leskovec",
        year=2017,
        url="https://arxiv.org/abs/1706.02216",
    ),
    module=f"{MODULE}:GraphSAGE:GraphSAGEConfig",
    inputs=INPUTS[:3],  # weights of edges are not used
    output=LOGITS,
    weights=(
        embedded("karate", KARATE),
        embedded("karate_max", KARATE | dict(aggregator="max")),
        embedded("karate_lstm", KARATE | dict(aggregator="lstm")),
        embedded("sbm", SBM),
        embedded("untrained", KARATE, graph="karate", offered=False),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"h_i'=\sigma\left(W\left[h_i,\ \mathrm{AGG}\{h_j,\ j\in N(i)\}\right]\right)",
    page=GCN.page,
    part_of=GCN.slug,
    tiny=dict(in_features=5, hidden=6, num_classes=3, layers=2, most=4, aggregator="lstm"),
)

"""The card of the message-passing network: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, ModelCard, Paper, TapSpec
from models.graph.gcn_card import CARD as GCN, INPUTS, KARATE, LOGITS, SBM, embedded

MODULE = "models.graph.message_passing"
MESSAGE = {
    "linear": r"m_{ij}=e_{ij}\,W_2h_j",
    "edge network": r"m_{ij}=h_j^\top A(e_{ij})",
}
UPDATE = {
    "linear": r"h_i'=\mathrm{ReLU}\left(W_1h_i+b+m_i\right)",
    "edge network": r"h_i'=\mathrm{GRU}(h_i,\ m_i)",
}
READOUT = {
    "sum": r"R=\sum_i h_i",
    "set2set": r"R=[q,\ r],\quad r=\sum_i a_ih_i,\quad a=\mathrm{softmax}(h_i\cdot q)",
}


def form_of(config: Mapping[str, Any]) -> str:
    return str(config.get("form", "linear"))


def readout_of(config: Mapping[str, Any]) -> str:
    return str(config.get("readout", "sum"))


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""

    def tap(
        name: str, axes: tuple[str, ...], kind: str, block: str, text: str, formula: str, source: str
    ) -> TapSpec:
        return TapSpec(
            name=name, axes=axes, kind=kind, block=block, text=f"message_passing.tap.{text}", formula=formula,
            source=f"{MODULE}:{source}",
        )  # fmt: skip

    form, readout = form_of(config), readout_of(config)
    short = {"linear": "linear", "edge network": "edge"}[form]
    nodes, layer, net = ("node", "channel"), "MessagePassing.forward", "MPNN.forward"
    found = [tap("encoded", nodes, "nodes", "encode", "encoded", r"h_i=W_0x_i+b_0", net)]
    for i in range(config["layers"]):
        block = f"layers.{i}"
        found += [
            tap(
                f"{block}.messages", ("edge", "channel"), "edges", block, f"messages.{short}", MESSAGE[form], layer
            ),
            tap(f"{block}.gathered", nodes, "nodes", block, "gathered", r"m_i=\sum_{j\in N(i)}m_{ij}", layer),
            tap(f"{block}.out", nodes, "nodes", block, f"out.{short}", UPDATE[form], layer),
        ]  # fmt: skip
    return (
        *found,
        tap("readout", ("channel",), "vector", "readout", f"readout.{readout}", READOUT[readout], net),
        tap("logits", ("node", "class"), "logits", "head", "logits", r"z_i=V h_i+c", net),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: rounds of messages, then what a node and what the whole graph says."""
    hidden = config["hidden"]
    found = [
        Block(name="edges", inputs=(), kind="input", label="e_ij"),
        Block(name="x", inputs=(), kind="input", label=f"X · N×{config['in_features']}"),
        Block(name="encode", inputs=("x",), kind="linear", label=f"Linear → {hidden}"),
    ]
    before = "encode"
    for i in range(config["layers"]):
        name = f"layers.{i}"
        found.append(Block(name=name, inputs=(before, "edges"), kind="conv", label=f"M, Σ, U → {hidden}"))
        before = name
    return (
        *found,
        Block(name="readout", inputs=(before,), kind="pool", label=f"R · {readout_of(config)}"),
        Block(name="head", inputs=(before,), kind="linear", label=f"Linear → {config['num_classes']}"),
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    hidden, classes = config["hidden"], config["num_classes"]
    if form_of(config) == "linear":
        layer = 2 * hidden**2 + hidden
    else:
        width = config.get("edge_hidden", 16)
        layer = 2 * width + (width + 1) * hidden**2 + 6 * hidden**2 + 6 * hidden
    readout = 12 * hidden**2 + 8 * hidden if readout_of(config) == "set2set" else 0
    encode = config["in_features"] * hidden + hidden
    return encode + config["layers"] * layer + readout + hidden * classes + classes


CARD = ModelCard(
    slug="message_passing",
    title="Message passing (MPNN)",
    family=GCN.family,
    section=GCN.section,
    paper=Paper(
        title="Neural Message Passing for Quantum Chemistry",
        authors="Gilmer, Schoenholz, Riley, Vinyals, Dahl",
        year=2017,
        url="https://arxiv.org/abs/1704.01212",
    ),
    module=f"{MODULE}:MPNN:MessagePassingConfig",
    inputs=INPUTS,
    output=LOGITS,
    weights=(
        embedded("karate", KARATE),
        embedded("karate_edge", KARATE | dict(form="edge network", readout="set2set")),
        embedded("sbm", SBM),
        embedded("untrained", KARATE, graph="karate", offered=False),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"m_i=\sum_{j\in N(i)}M(h_i,h_j,e_{ij}),\quad h_i'=U(h_i,m_i),\quad y=R(\{h_i\})",
    page=GCN.page,
    part_of=GCN.slug,
    tiny=dict(
        in_features=5,
        hidden=6,
        num_classes=3,
        layers=2,
        form="edge network",
        edge_hidden=4,
        readout="set2set",
    ),
    errata=("E38",),
)

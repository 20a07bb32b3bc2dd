"""The card of GCN: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

MODULE = "models.graph.gcn"
SECTION = "A6.2 Graph neural networks"
PAGE = "graph_networks"

# what every graph network reads; a message runs from source to target
INPUTS = (
    InputSpec(name="x", axes=("node", "feature"), dynamic=("node",), sizes={"feature": "in_features"}),
    InputSpec(name="source", axes=("edge",), dynamic=("edge",), dtype="int64", below="node"),
    InputSpec(name="target", axes=("edge",), dynamic=("edge",), dtype="int64", below="node"),
    InputSpec(name="weight", axes=("edge",), dynamic=("edge",)),
)
LOGITS = InputSpec(name="logits", axes=("node", "class"), dynamic=("node",), sizes={"class": "num_classes"})
KARATE = dict(in_features=34, num_classes=2, hidden=16, layers=2)
SBM = dict(in_features=90, num_classes=3, hidden=16, layers=2)


def embedded(id: str, config: Mapping[str, Any], graph: str = "", offered: bool = True) -> Weights:
    """Weights that models/training/graph_nets.py made in seconds, on a graph that is here too."""
    return Weights(
        id=id,
        origin="embedded",
        config=config,
        graph=graph or id,
        licence="MIT",
        offered=offered,
    )


def layer_sizes(config: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Features in and out of each layer."""
    sizes = [config["in_features"], *[config["hidden"]] * (config["layers"] - 1), config["num_classes"]]
    return list(zip(sizes, sizes[1:], strict=False))


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""

    def tap(name: str, axes: tuple[str, ...], kind: str, block: str, formula: str, source: str) -> TapSpec:
        text = f"gcn.tap.{name.split('.')[-1]}"
        return TapSpec(
            name=name, axes=axes, kind=kind, block=block, text=text, formula=formula,
            source=f"{MODULE}:{source}",
        )  # fmt: skip

    norm = (
        r"\hat a_{ij}=\frac{\tilde a_{ij}}{\sqrt{\tilde d_i\,\tilde d_j}},"
        r"\quad \tilde A=A+I,\quad \tilde d_i=\sum_j\tilde a_{ij}"
    )
    found = [tap("norm", ("message",), "edges", "norm", norm, "normalised")]
    forward = "GraphConvolution.forward"
    for i in range(config["layers"]):
        block, last = f"layers.{i}", i == config["layers"] - 1
        total = r"b+\sum_{j\in N(i)\cup \{i\}}m_{ij}"
        found += [
            tap(f"{block}.transformed", ("node", "channel"), "nodes", block, r"t_j=W\,h_j", forward),
            tap(f"{block}.messages", ("message", "channel"), "edges", block, r"m_{ij}=\hat a_{ij}\,t_j", forward),
            tap("logits", ("node", "class"), "logits", block, f"z_i={total}", forward)
            if last
            else tap(
                f"{block}.out", ("node", "channel"), "nodes", block,
                rf"h_i'=\mathrm{{ReLU}}\left({total}\right)", forward,
            ),
        ]  # fmt: skip
    return tuple(found)


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: the edges are weighed once, and every layer reads the weights."""
    found = [
        Block(name="edges", inputs=(), kind="input", label="A"),
        Block(name="norm", inputs=("edges",), kind="mask", label="D̃⁻¹ᐟ² (A + I) D̃⁻¹ᐟ²"),
        Block(name="x", inputs=(), kind="input", label=f"H · N×{config['in_features']}"),
    ]
    before = "x"
    for i, (_, wide) in enumerate(layer_sizes(config)):
        name = f"layers.{i}"
        label = f"Â H W + b → {wide}" if i == config["layers"] - 1 else f"ReLU(Â H W + b) → {wide}"
        found.append(Block(name=name, inputs=(before, "norm"), kind="conv", label=label))
        before = name
    return tuple(found)


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    return sum(narrow * wide + wide for narrow, wide in layer_sizes(config))


CARD = ModelCard(
    slug="gcn",
    title="GCN",
    family="graph",
    section=SECTION,
    paper=Paper(
        title="Semi-Supervised Classification with Graph Convolutional Networks",
        authors="Kipf, Welling",
        year=2017,
        url="https://arxiv.org/abs/1609.02907",
    ),
    module=f"{MODULE}:GCN:GCNConfig",
    inputs=INPUTS,
    output=LOGITS,
    weights=(
        embedded("karate", KARATE),
        embedded("sbm", SBM),
        embedded("untrained", KARATE, graph="karate", offered=False),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"H'=\sigma\left(\tilde D^{-1/2}\tilde A\,\tilde D^{-1/2}HW\right)",
    page=PAGE,
    tiny=dict(in_features=5, hidden=6, num_classes=3, layers=2),
    errata=("E37", "E39", "E40"),
)

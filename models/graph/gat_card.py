"""The card of GAT: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, ModelCard, Paper, TapSpec
from models.graph.gcn_card import CARD as GCN, INPUTS, KARATE, LOGITS, SBM, embedded

MODULE = "models.graph.gat"
HEADS = dict(hidden=4, heads=4)  # 16 numbers a node, as the other nets have
SCORE = {
    1: r"e_{ij}=\mathrm{LeakyReLU}\left(a_t^\top W h_i+a_s^\top W h_j\right)",
    2: r"e_{ij}=a^\top\mathrm{LeakyReLU}\left(W_t h_i+W_s h_j\right)",
}


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""

    def tap(name: str, axes: tuple[str, ...], kind: str, block: str, text: str, formula: str) -> TapSpec:
        return TapSpec(
            name=name, axes=axes, kind=kind, block=block, text=f"gat.tap.{text}", formula=formula,
            source=f"{MODULE}:GATLayer.forward",
        )  # fmt: skip

    version = config.get("version", 1)
    per_head, wide = ("message", "head"), ("message", "head", "channel")
    values = r"g_j=W h_j" if version == 1 else r"g_j=W_s h_j+b_s"
    weights = r"\alpha_{ij}=\frac{\exp e_{ij}}{\sum_{k\in N(i)\cup \{i\}}\exp e_{ik}}"
    found: list[TapSpec] = []
    for i in range(config["layers"]):
        block, last = f"layers.{i}", i == config["layers"] - 1
        found += [
            tap(f"{block}.values", ("node", "head", "channel"), "nodes", block, "values", values),
            tap(f"{block}.scores", per_head, "edges", block, f"scores.{version}", SCORE[version]),
            tap(f"{block}.weights", per_head, "edges", block, "weights", weights),
            tap(f"{block}.messages", wide, "edges", block, "messages", r"m_{ij}=\alpha_{ij}\,g_j"),
        ]
        mean = r"z_i=b+\frac1H\sum_{h=1}^{H}\sum_j m_{ij}^{h}"
        concatenated = r"\left[\textstyle\sum_j m_{ij}^{1},\ldots,\sum_j m_{ij}^{H}\right]"
        side_by_side = rf"h_i'=\mathrm{{ELU}}\left(b+{concatenated}\right)"
        if last:
            found.append(tap("logits", ("node", "class"), "logits", block, "logits", mean))
        else:
            found.append(tap(f"{block}.out", ("node", "channel"), "nodes", block, "out", side_by_side))
    return tuple(found)


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: every layer reads the edges."""
    found = [
        Block(name="edges", inputs=(), kind="input", label="N(i), i"),
        Block(name="x", inputs=(), kind="input", label=f"H · N×{config['in_features']}"),
    ]
    before = "x"
    for i in range(config["layers"]):
        last = i == config["layers"] - 1
        heads = config.get("out_heads", 1) if last else config["heads"]
        wide = config["num_classes"] if last else config["hidden"]
        found.append(
            Block(
                name=f"layers.{i}", inputs=(before, "edges"), kind="attention", label=f"α · {heads} × {wide}"
            )
        )
        before = f"layers.{i}"
    return tuple(found)


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    total, narrow = 0, config["in_features"]
    edges = config.get("edge_weights", False)
    for i in range(config["layers"]):
        last = i == config["layers"] - 1
        heads = config.get("out_heads", 1) if last else config["heads"]
        channels = config["num_classes"] if last else config["hidden"]
        wide = heads * channels
        if config.get("version", 1) == 1:
            total += narrow * wide + 2 * wide + (heads if edges else 0)
        else:
            total += 2 * (narrow * wide + wide) + wide + (wide if edges else 0)
        total += channels if last else wide
        narrow = wide
    return total


CARD = ModelCard(
    slug="gat",
    title="GAT",
    family=GCN.family,
    section=GCN.section,
    paper=Paper(
        title="Graph Attention Networks",
        authors="Veličković, Cucurull, Casanova, Romero, Liò, Bengio",
        year=2018,
        url="https://arxiv.org/abs/1710.10903",
    ),
    module=f"{MODULE}:GAT:GATConfig",
    inputs=INPUTS,
    output=LOGITS,
    weights=(
        embedded("karate", KARATE | HEADS),
        embedded("karate_v2", KARATE | HEADS | dict(version=2)),
        embedded("sbm", SBM | HEADS),
        embedded("untrained", KARATE | HEADS, graph="karate", offered=False),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"\alpha_{ij}=\mathrm{softmax}_j\ \mathrm{LeakyReLU}\left(a^\top[Wh_i,Wh_j]\right),"
    r"\quad h_i'=\sigma\Big(\sum_j\alpha_{ij}Wh_j\Big)",
    page=GCN.page,
    part_of=GCN.slug,
    tiny=dict(
        in_features=5, hidden=4, num_classes=3, heads=2, out_heads=2, layers=2, version=2, edge_weights=True
    ),
)

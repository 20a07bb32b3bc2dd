"""The card of DCGAN's discriminator: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, TapSpec, Weights
from models.generative.dcgan_generator_card import CARD as GENERATOR, MODULE, PICTURE, SIDE


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them. The names do not depend on the sizes."""

    def tap(
        name: str, block: str, text: str, formula: str, source: str, axes: tuple[str, ...] = PICTURE
    ) -> TapSpec:
        return TapSpec(
            name=name,
            axes=axes,
            kind="feature_map" if axes == PICTURE else "logits",
            block=block,
            text=f"dcgan_discriminator.tap.{text}",
            formula=formula,
            source=f"{MODULE}:{source}",
        )

    conv = r"a_{c,i,j}=\sum_{k,m,n}W_{c,k,m,n}\,x_{k,\,2i+m-1,\,2j+n-1}"
    leaky = r"y=\max(a,\,0.2\,a)"
    normed = r"y=\max(b,\,0.2\,b),\quad b=\mathrm{BN}(a)"
    found = []
    for block in ("down1", "down2", "down3"):
        found.append(tap(f"{block}.conv", block, f"{block}.conv", conv, "Down.forward"))
        formula = leaky if block == "down1" else normed
        found.append(tap(f"{block}.out", block, "out", formula, "Down.forward"))
    evidence = r"e_{i,j}=\sum_k W_{k,i,j}\,x_{k,i,j}"
    logit = r"s=\sum_{i,j}e_{i,j},\quad D(x)=\frac{1}{1+e^{-s}}"
    return (
        *found,
        tap("evidence", "score", "evidence", evidence, "Discriminator.forward"),
        tap("logit", "score", "logit", logit, "Discriminator.forward", ("batch", "class")),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain."""
    width = config["width"]
    chain = (
        ("picture", "input", ""),
        ("down1", "conv", f"Conv → {width}×16×16"),
        ("down2", "conv", f"Conv → {2 * width}×8×8"),
        ("down3", "conv", f"Conv → {4 * width}×4×4"),
        ("score", "linear", "Conv → logit"),
    )
    return tuple(
        Block(name=name, inputs=(chain[i - 1][0],) if i else (), kind=kind, label=label)
        for i, (name, kind, label) in enumerate(chain)
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    width = config["width"]
    first = 16 * config["channels"] * width
    second = 32 * width**2 + 4 * width
    third = 128 * width**2 + 8 * width
    return first + second + third + 64 * width


CARD = ModelCard(
    slug="dcgan_discriminator",
    title="DCGAN discriminator",
    family="generative",
    section=GENERATOR.section,
    paper=GENERATOR.paper,
    module=f"{MODULE}:Discriminator:DiscriminatorConfig",
    inputs=(
        InputSpec(
            name="picture",
            axes=PICTURE,
            dynamic=("batch",),
            sizes={"channel": "channels", "row": SIDE, "column": SIDE},
        ),
    ),
    output=InputSpec(name="logit", axes=("batch", "class"), dynamic=("batch",), sizes={"class": 1}),
    weights=(
        Weights(
            id="digits",
            origin="embedded",
            config=dict(width=32, channels=1),
            graph="digits",
            preprocess=dict(mean=(0.5,), std=(0.5,), size=SIDE),
            licence="MIT",
        ),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"D^*(x)=\frac{p(x)}{p(x)+q(x)}",
    page="dcgan",
    part_of="dcgan_generator",
    tiny=dict(width=4, channels=1),
    errata=("E10", "E11"),
)

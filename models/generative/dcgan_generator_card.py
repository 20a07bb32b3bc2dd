"""The card of DCGAN's generator: weights, snapshots of its training, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

PICTURE = ("batch", "channel", "row", "column")
MODULE = "models.generative.dcgan"
SIDE = 32

DIGITS: dict[str, Any] = dict(latent=64, width=20, channels=1)
SNAPSHOTS = tuple(f"s{i:02}" for i in range(12))  # the same net at twelve moments, from untrained to last


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them. The names do not depend on the sizes."""

    def tap(name: str, block: str, text: str, formula: str, source: str) -> TapSpec:
        return TapSpec(
            name=name,
            axes=PICTURE,
            kind="feature_map",
            block=block,
            text=f"dcgan_generator.tap.{text}",
            formula=formula,
            source=f"{MODULE}:{source}",
        )

    sums = {
        "project": r"a_{c,i,j}=\sum_k z_k\,W_{k,c,i,j}",
        "up1": r"a_{c,i,j}=\sum_{k,m,n}x_{k,m,n}\,W_{k,c,\,i+1-2m,\,j+1-2n}",
        "up2": r"a_{c,i,j}=\sum_{k,m,n}x_{k,m,n}\,W_{k,c,\,i+1-2m,\,j+1-2n}",
    }
    found = []
    for block, formula in sums.items():
        found.append(tap(f"{block}.conv", block, f"{block}.conv", formula, "Up.forward"))
        found.append(tap(f"{block}.out", block, "out", r"y=\mathrm{ReLU}(\mathrm{BN}(a))", "Up.forward"))
    return (
        *found,
        tap("paint", "paint", "paint", sums["up1"], "Generator.forward"),
        tap("picture", "paint", "picture", r"G(z)=\tanh(a)", "Generator.forward"),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain."""
    width = config["width"]
    chain = (
        ("latent", "input", ""),
        ("project", "conv", f"ConvT → {4 * width}×4×4"),
        ("up1", "conv", f"ConvT → {2 * width}×8×8"),
        ("up2", "conv", f"ConvT → {width}×16×16"),
        ("paint", "conv", f"ConvT → {config['channels']}×{SIDE}×{SIDE}"),
    )
    return tuple(
        Block(name=name, inputs=(chain[i - 1][0],) if i else (), kind=kind, label=label)
        for i, (name, kind, label) in enumerate(chain)
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    sizes = (config["latent"], 4 * config["width"], 2 * config["width"], config["width"])
    total = sum(16 * a * b + 2 * b for a, b in zip(sizes, sizes[1:], strict=False))
    return total + 16 * config["width"] * config["channels"]


CARD = ModelCard(
    slug="dcgan_generator",
    title="DCGAN",
    family="generative",
    section="A4.1 GAN",
    paper=Paper(
        title="Unsupervised Representation Learning with Deep Convolutional Generative Adversarial Networks",
        authors="Radford, Metz, Chintala",
        year=2016,
        url="https://arxiv.org/abs/1511.06434",
    ),
    module=f"{MODULE}:Generator:GeneratorConfig",
    inputs=(
        InputSpec(name="latent", axes=("batch", "latent"), dynamic=("batch",), sizes={"latent": "latent"}),
    ),
    output=InputSpec(
        name="picture",
        axes=PICTURE,
        dynamic=("batch",),
        sizes={"channel": "channels", "row": SIDE, "column": SIDE},
    ),
    weights=(
        Weights(
            id="digits",
            origin="embedded",
            config=DIGITS,
            graph="digits",
            preprocess=dict(mean=(0.5,), std=(0.5,), size=SIDE),
            licence="MIT",
        ),
        *(
            Weights(
                id=moment,
                origin="embedded",
                config=DIGITS,
                graph="digits",
                preprocess=dict(mean=(0.5,), std=(0.5,), size=SIDE),
                licence="MIT",
                offered=False,
            )
            for moment in SNAPSHOTS
        ),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=(
        r"\min_G\max_D\ \mathbb{E}_{x\sim p}\left[\log D(x)\right]"
        r"+\mathbb{E}_{z}\left[\log\left(1-D(G(z))\right)\right]"
    ),
    page="dcgan",
    tiny=dict(latent=8, width=4, channels=1),
    errata=("E10", "E11"),
)

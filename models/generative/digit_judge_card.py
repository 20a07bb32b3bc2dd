"""The card of the judge of drawn digits, which stands on DDPM's page. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

PICTURE = ("batch", "channel", "row", "column")
MODULE = "models.generative.digit_judge"
SIDE = 28


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them. The names do not depend on the sizes."""
    convs = tuple(
        TapSpec(
            name=f"conv{i}.out",
            axes=PICTURE,
            kind="feature_map",
            block=f"conv{i}",
            text="digit_judge.tap.conv",
            formula=r"y=\mathrm{ReLU}(\mathrm{BN}(W*x))",
            source=f"{MODULE}:ConvBlock.forward",
        )
        for i in range(1, 5)
    )
    return (
        *convs,
        TapSpec(
            name="features",
            axes=("batch", "channel"),
            kind="vector",
            block="weigh",
            text="digit_judge.tap.features",
            formula=r"f_c=\mathrm{ReLU}\left(\mathrm{BN}\left(\sum_{i,j}w_{cij}\,y_{cij}\right)\right)",
            source=f"{MODULE}:DigitJudge.forward",
        ),
        TapSpec(
            name="logits",
            axes=("batch", "class"),
            kind="logits",
            block="fc",
            text="digit_judge.tap.logits",
            formula=r"z=Wf+b",
            source=f"{MODULE}:DigitJudge.forward",
        ),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain."""
    width = config["width"]
    chain = (
        ("image", "input", ""),
        ("conv1", "conv", f"Conv 3×3, BN, ReLU: {width} × 28 × 28"),
        ("conv2", "conv", f"Conv 3×3 /2, BN, ReLU: {2 * width} × 14 × 14"),
        ("conv3", "conv", f"Conv 3×3 /2, BN, ReLU: {4 * width} × 7 × 7"),
        ("conv4", "conv", f"Conv 3×3, BN, ReLU: {4 * width} × 7 × 7"),
        ("weigh", "pool", f"Weigh 7 × 7, BN, ReLU: {4 * width}"),
        ("fc", "linear", f"Linear: {config['num_classes']}"),
    )
    return tuple(
        Block(name=name, inputs=(chain[i - 1][0],) if i else (), kind=kind, label=label)
        for i, (name, kind, label) in enumerate(chain)
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    width, classes = config["width"], config["num_classes"]
    sizes = (1, width, 2 * width, 4 * width, 4 * width)
    total = sum(9 * a * b + 2 * b for a, b in zip(sizes, sizes[1:], strict=False))
    return total + 4 * width * (SIDE // 4) ** 2 + 2 * 4 * width + 4 * width * classes + classes


CARD = ModelCard(
    slug="digit_judge",
    title="Digit judge",
    family="generative",
    section="A4.4 Diffusion",
    paper=Paper(
        title="Batch Normalization: Accelerating Deep Network Training by Reducing Internal Covariate Shift",
        authors="Ioffe, Szegedy",
        year=2015,
        url="https://arxiv.org/abs/1502.03167",
    ),
    module=f"{MODULE}:DigitJudge:DigitJudgeConfig",
    inputs=(
        InputSpec(
            name="image",
            axes=PICTURE,
            dynamic=("batch",),
            sizes={"channel": 1, "row": SIDE, "column": SIDE},
        ),
    ),
    output=InputSpec(
        name="logits", axes=("batch", "class"), dynamic=("batch",), sizes={"class": "num_classes"}
    ),
    weights=(
        Weights(
            id="digits",
            origin="embedded",
            config=dict(num_classes=10, width=16),
            graph="digits",
            preprocess=dict(mean=(0.5,), std=(0.5,), size=SIDE),
            licence="MIT",
        ),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"p(y\mid x)=\mathrm{softmax}(Wf(x)+b)",
    page="ddpm",
    part_of="ddpm",
    tiny=dict(num_classes=10, width=2),
)

"""The card of ResNet18: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

STAGES = ("layer1", "layer2", "layer3", "layer4")
BLOCKS = tuple(f"{stage}.{i}" for stage in STAGES for i in range(2))
PICTURE = ("batch", "channel", "row", "column")
MODULE = "models.cnn.resnet18"

IMAGENET = dict(mean=(0.485, 0.456, 0.406), std=(0.229, 0.224, 0.225))


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them. The names do not depend on the sizes."""

    def tap(
        name: str, block: str, kind: str, axes: tuple[str, ...], text: str, formula: str, source: str
    ) -> TapSpec:
        return TapSpec(
            name=name,
            axes=axes,
            kind=kind,
            block=block,
            text=f"resnet18.tap.{text}",
            formula=formula,
            source=f"{MODULE}:{source}",
        )

    stem = r"\mathrm{ReLU}(\mathrm{BN}(W_{7\times7}*x))"
    found = [
        tap("stem", "stem", "feature_map", PICTURE, "stem", stem, "ResNet18.forward"),
        tap("pool", "pool", "feature_map", PICTURE, "pool", r"\max_{3\times3}", "ResNet18.forward"),
    ]
    for block in BLOCKS:
        for part, formula in (
            ("hidden", r"h=\mathrm{ReLU}(\mathrm{BN}(W_1*x))"),
            ("residual", r"F(x)=\mathrm{BN}(W_2*h)"),
            ("shortcut", r"x\ \text{or}\ \mathrm{BN}(W_s*x)"),
            ("out", r"y=\mathrm{ReLU}(F(x)+x)"),
        ):
            found.append(
                tap(f"{block}.{part}", block, "feature_map", PICTURE, part, formula, "BasicBlock.forward")
            )
    mean = r"f_c=\frac1{HW}\sum_{i,j}y_{cij}"
    return (
        *found,
        tap("features", "mean", "vector", ("batch", "channel"), "features", mean, "ResNet18.forward"),
        tap("logits", "fc", "logits", ("batch", "class"), "logits", r"z=W f+b", "ResNet18.forward"),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain of basic blocks, each fed by the one before (its shortcut is inside the block)."""
    names = ("image", "stem", "pool", *BLOCKS, "mean", "fc")
    kinds = dict(image="input", stem="conv", pool="pool", mean="pool", fc="linear")
    labels = dict(stem="Conv 7×7, BN, ReLU", pool="Max pool 3×3", mean="Mean", fc="Linear")
    return tuple(
        Block(
            name=name,
            inputs=names[i - 1 : i] if i else (),
            kind=kinds.get(name, "block"),
            label=labels.get(name, "" if name == "image" else f"BasicBlock {name}"),
        )
        for i, name in enumerate(names)
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    width, classes = config.get("width", 64), config["num_classes"]
    total = 3 * width * 49 + 2 * width
    channels = width
    for i in range(4):
        wide = width * 2**i
        for block in range(2):
            total += 9 * channels * wide + 9 * wide * wide + 4 * wide
            if block == 0 and channels != wide:
                total += channels * wide + 2 * wide
            channels = wide
    return total + channels * classes + classes


CARD = ModelCard(
    slug="resnet18",
    title="ResNet18",
    family="cnn",
    section="A2.3 ResNet",
    paper=Paper(
        title="Deep Residual Learning for Image Recognition",
        authors="He, Zhang, Ren, Sun",
        year=2015,
        url="https://arxiv.org/abs/1512.03385",
    ),
    module=f"{MODULE}:ResNet18:ResNet18Config",
    inputs=(
        InputSpec(
            name="image",
            axes=PICTURE,
            dynamic=("batch", "row", "column"),
            sizes={"channel": 3},
            minimum=33,
        ),
        # interventions: what multiplies F(x) and the shortcut of each block before the two are added
        InputSpec(name="residual_strength", axes=("block",), default=1.0, shape=(len(BLOCKS),)),
        InputSpec(name="shortcut_strength", axes=("block",), default=1.0, shape=(len(BLOCKS),)),
    ),
    output=InputSpec(name="logits", axes=("batch", "class"), dynamic=("batch",)),
    weights=(
        # num_classes and preprocessing follow the training report beside the weights
        Weights(
            id="emoji",
            origin="embedded",
            config=dict(num_classes=120),
            graph="emoji",
            preprocess=dict(mean=(0.5, 0.5, 0.5), std=(0.25, 0.25, 0.25), size=96),
            licence="CC-BY-SA-4.0",
        ),
        Weights(
            id="imagenet",
            origin="official",
            config=dict(num_classes=1000),
            graph="imagenet",
            preprocess=IMAGENET | dict(size=224, resize=256),
            url="https://download.pytorch.org/models/resnet18-f37072fd.pth",
            size=46_830_571,
            sha256="f37072fd",
            licence="BSD-3-Clause",
            layout="torchvision",
        ),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"y=\mathrm{ReLU}\left(F(x)+x\right)",
    page="resnet18",
    tiny=dict(num_classes=7, width=8),
    errata=("E06", "E07", "E63"),
)

"""The card of RealNVP the other way, from z to pictures: the same tensors. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from models.card import Block, InputSpec, ModelCard, TapSpec
from models.generative.realnvp_card import (
    MODULE,
    PAGE,
    PAPER,
    PICTURE,
    SECTION,
    SIZES,
    TINY,
    WEIGHTS,
    blocks as blocks_from_x_to_z,
    coupling_taps,
    parameters,
    tap,
    total,
)


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""
    x = tap("x", PICTURE, "feature_map", "output", r"x=f^{-1}(z)", "RealNVPInverse.forward")
    return (*coupling_taps(config, "back"), total("back"), x)


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing of the way there, turned round."""
    there = blocks_from_x_to_z(config)
    feeds: dict[str, list[str]] = {block.name: [] for block in there}
    for block in there:
        for name in block.inputs:
            feeds[name].append(block.name)
    names = {"input": "output", "output": "input"}
    turned = []
    for block in reversed(there):
        inputs = tuple(names.get(name, name) for name in feeds[block.name])
        kind = names.get(block.kind, "upsample" if block.kind == "pool" else block.kind)
        label = block.label.replace("Squeeze", "Unsqueeze").replace("Split", "Join")
        turned.append(Block(name=names.get(block.name, block.name), inputs=inputs, kind=kind, label=label))
    return tuple(turned)


CARD = ModelCard(
    slug="realnvp_inverse",
    title="RealNVP, inverse",
    family="generative",
    section=SECTION,
    paper=PAPER,
    module=f"{MODULE}:RealNVPInverse:RealNVPConfig",
    inputs=(InputSpec(name="z", axes=PICTURE, dynamic=("batch",), sizes=SIZES),),
    output=InputSpec(
        name="x",
        axes=PICTURE,
        dynamic=("batch",),
        sizes=SIZES,
    ),
    weights=tuple(replace(weights, tensors_of="realnvp") for weights in WEIGHTS),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"x=f^{-1}(z),\quad z\sim\mathcal{N}(0,I)",
    page=PAGE,
    tiny=TINY,
    part_of="realnvp",
)

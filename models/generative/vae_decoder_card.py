"""The card of the digit VAE's decoder: taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, TapSpec
from models.generative.vae_encoder_card import MODULE, PAGE, PAPER, PICTURE, SECTION, TINY, VECTOR, WEIGHTS

CONV = r"b_c+\sum_{k,m,n}W_{ckmn}\,u_{k,\,i+m-1,\,j+n-1}"
DOUBLED = r"u_{kij}=x_{k,\lfloor i/2\rfloor,\lfloor j/2\rfloor}"


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""
    rows = (
        ("hidden", VECTOR, "vector", r"h=\mathrm{SiLU}(W z+b)"),
        ("maps", PICTURE, "feature_map", r"x=\mathrm{SiLU}(W h+b)"),
        ("conv1", PICTURE, "feature_map", rf"y_{{cij}}=\mathrm{{SiLU}}\left({CONV}\right),\quad {DOUBLED}"),
        ("conv2", PICTURE, "feature_map", rf"y_{{cij}}=\mathrm{{SiLU}}\left({CONV}\right),\quad {DOUBLED}"),
        ("logits", PICTURE, "feature_map", rf"a_{{cij}}={CONV.replace('u_', 'x_')}"),
    )
    return tuple(
        TapSpec(
            name=name,
            axes=axes,
            kind=kind,
            block=name,
            text=f"vae_decoder.tap.{name}",
            formula=formula,
            source=f"{MODULE}:Decoder.forward",
        )
        for name, axes, kind, formula in rows
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain."""
    first, second = config["channels"]
    side = config["sample_size"]
    chain = (
        ("latent", "input", f"z: {config['latent']}"),
        ("hidden", "linear", f"Linear → {config['hidden']}"),
        ("maps", "linear", f"Linear → {second}×{side // 4}×{side // 4}"),
        ("conv1", "conv", f"×2, Conv 3×3 → {first}×{side // 2}×{side // 2}"),
        ("conv2", "conv", f"×2, Conv 3×3 → {first}×{side}×{side}"),
        ("logits", "conv", f"Conv 3×3 → 1×{side}×{side}"),
    )
    return tuple(
        Block(name=name, inputs=(chain[i - 1][0],) if i else (), kind=kind, label=label)
        for i, (name, kind, label) in enumerate(chain)
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    first, second = config["channels"]
    flat, hidden = second * (config["sample_size"] // 4) ** 2, config["hidden"]
    convs = (9 * second + 1) * first + (9 * first + 1) * first + 9 * first + 1
    return (config["latent"] + 1) * hidden + (hidden + 1) * flat + convs


CARD = ModelCard(
    slug="vae_decoder",
    title="VAE",
    family="generative",
    section=SECTION,
    paper=PAPER,
    module=f"{MODULE}:Decoder:VAEConfig",
    inputs=(
        InputSpec(name="latent", axes=("batch", "latent"), dynamic=("batch",), sizes={"latent": "latent"}),
    ),
    output=InputSpec(
        name="logits",
        axes=PICTURE,
        dynamic=("batch",),
        sizes={"channel": 1, "row": "sample_size", "column": "sample_size"},
    ),
    weights=WEIGHTS,
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=(
        r"z=\mu+\sigma\odot\epsilon,\quad\epsilon\sim\mathcal{N}(0,I),"
        r"\qquad p(x|z)=\prod_i s_i^{x_i}(1-s_i)^{1-x_i}"
    ),
    page=PAGE,
    tiny=TINY,
    part_of="vae_encoder",
    errata=("E12",),
)

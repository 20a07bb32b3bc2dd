"""The card of the image VAE's decoder: taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, TapSpec
from models.generative.autoencoder_kl_encoder_card import (
    CONV,
    MODULE,
    PAGE,
    PAPER,
    PICTURE,
    SECTION,
    TINY,
    WEIGHTS,
    chain_blocks,
    chain_parameters,
    chain_taps,
    conv,
    tap,
)


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap of a decoder of these sizes, in the order in which the model meets them."""
    return (
        *chain_taps(config, "up", "DecoderBody"),
        tap("output", PICTURE, "feature_map", "output", "picture", CONV, "ImageDecoder.forward"),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain."""
    nodes = chain_blocks(config, "up")
    return (
        Block(name="input", inputs=(), kind="input", label=f"z: {config['latent_channels']}"),
        *nodes,
        Block(name="conv_out", inputs=(nodes[-1].name,), kind="conv", label="GN, SiLU, Conv 3×3"),
        Block(name="output", inputs=("conv_out",), kind="output"),
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a decoder of these sizes, counted without building it."""
    channels, z = config["block_out_channels"], config["latent_channels"]
    ends = conv(z, channels[-1]) + 2 * channels[0] + conv(channels[0], config["in_channels"])
    return chain_parameters(config, "up") + ends + conv(z, z, 1)


CARD = ModelCard(
    slug="autoencoder_kl_decoder",
    title="Image VAE, decoder",
    family="generative",
    section=SECTION,
    paper=PAPER,
    module=f"{MODULE}:ImageDecoder:AutoencoderConfig",
    inputs=(
        InputSpec(
            name="latent",
            axes=PICTURE,
            dynamic=("batch", "row", "column"),
            sizes={"channel": "latent_channels"},
        ),
    ),
    output=InputSpec(
        name="output", axes=PICTURE, dynamic=("batch", "row", "column"), sizes={"channel": "in_channels"}
    ),
    weights=WEIGHTS,
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"x\approx D(z/s)",
    page=PAGE,
    tiny=TINY,
    part_of="latent_diffusion",
    errata=("E23",),
)

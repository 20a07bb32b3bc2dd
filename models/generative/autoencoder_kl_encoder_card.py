"""The card of the image VAE's encoder, and what it shares with the decoder's. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

PICTURE = ("batch", "channel", "row", "column")
PAIRS = ("batch", "head", "query", "key")
MODULE = "models.generative.autoencoder_kl"
SECTION = "A4.4.3 Latent diffusion"
PAGE = "latent_diffusion"

EMOJI: dict[str, Any] = dict(
    in_channels=3,
    latent_channels=4,
    block_out_channels=(32, 48, 64),
    layers_per_block=1,
    norm_num_groups=8,
    sample_size=64,
    scaling_factor=1.0,  # what the training report says stands above it
)
TINY: dict[str, Any] = EMOJI | dict(block_out_channels=(8, 16, 16), norm_num_groups=4, sample_size=16)
FACTOR = 4  # of three levels, as in every entry above
PAPER = Paper(
    title="High-Resolution Image Synthesis with Latent Diffusion Models",
    authors="Rombach, Blattmann, Lorenz, Esser, Ommer",
    year=2022,
    url="https://arxiv.org/abs/2112.10752",
)
WEIGHTS = (
    Weights(
        id="emoji",
        origin="embedded",
        config=EMOJI,
        graph="emoji",
        preprocess=dict(mean=(0.5,) * 3, std=(0.5,) * 3, size=64),
        licence="CC-BY-SA-4.0",
    ),
)
RESNET = (
    ("hidden", r"h=\mathrm{conv}(\mathrm{SiLU}(\mathrm{GN}(x)))"),
    ("out", r"y=x+\mathrm{conv}(\mathrm{SiLU}(\mathrm{GN}(h)))"),
)
ATTENTION = (
    ("weights", PAIRS, "attention", r"A=\mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt C}\right)"),
    ("out", PICTURE, "feature_map", r"y=x+AVW_O+b_O"),
)
CONV = r"y_{cij}=b_c+\sum_{k,m,n}W_{ckmn}\,x_{k,\,i+m-1,\,j+n-1}"
DOWN = r"y_{cij}=b_c+\sum_{k,m,n}W_{ckmn}\,x_{k,\,2i+m,\,2j+n}"
UP = r"y=\mathrm{conv}(x_{\lfloor i/2\rfloor,\lfloor j/2\rfloor})"
MIDDLE = ("mid.resnet.0", "mid.attention.0", "mid.resnet.1")


def tap(
    name: str, axes: tuple[str, ...], kind: str, block: str, text: str, formula: str, source: str
) -> TapSpec:
    return TapSpec(
        name=name,
        axes=axes,
        kind=kind,
        block=block,
        text=f"autoencoder_kl.tap.{text}",
        formula=formula,
        source=f"{MODULE}:{source}",
    )


def chain(config: Mapping[str, Any], way: str) -> list[tuple[str, int, int]]:
    """Blocks between conv_in and conv_out: name, channels in and out. way: "down" (encoder) or "up" (decoder)."""
    channels = tuple(config["block_out_channels"])
    if way == "up":
        channels = channels[::-1]
    count = config["layers_per_block"] + (way == "up")
    coming, levels = channels[0], []
    for i, wide in enumerate(channels):
        for j in range(count):
            levels.append((f"{way}.{i}.resnet.{j}", coming, wide))
            coming = wide
        if i < len(channels) - 1:
            levels.append((f"{way}.{i}.sample", wide, wide))
    smallest = config["block_out_channels"][-1]
    middle = [(name, smallest, smallest) for name in MIDDLE]
    return [*levels, *middle] if way == "down" else [*middle, *levels]


def chain_taps(config: Mapping[str, Any], way: str, body: str) -> tuple[TapSpec, ...]:
    """The taps of conv_in and of every block."""
    found = [tap("conv_in", PICTURE, "feature_map", "conv_in", "conv_in", CONV, f"{body}.forward")]
    for name, enters, leaves in chain(config, way):
        if ".resnet." in name:
            for part, formula in RESNET:
                if part == "out" and enters != leaves:
                    formula = formula.replace("y=x+", "y=W_s x+")
                source = "ResnetBlock.forward"
                found.append(
                    tap(f"{name}.{part}", PICTURE, "feature_map", name, f"resnet.{part}", formula, source)
                )
        elif ".attention." in name:
            for part, axes, kind, formula in ATTENTION:
                source = "PlaceAttention.forward"
                found.append(tap(f"{name}.{part}", axes, kind, name, f"attention.{part}", formula, source))
        else:
            source, formula = ("Downsample.forward", DOWN) if way == "down" else ("Upsample.forward", UP)
            found.append(tap(f"{name}.out", PICTURE, "feature_map", name, way, formula, source))
    return tuple(found)


def chain_blocks(config: Mapping[str, Any], way: str) -> list[Block]:
    """The drawing of conv_in and of every block, one behind the other."""
    kinds = {"resnet": "block", "attention": "attention", "sample": "pool" if way == "down" else "upsample"}
    labels = {
        "resnet": "ResNet block",
        "attention": "Self-attention",
        "sample": "Conv 3×3 /2" if way == "down" else "×2, Conv 3×3",
    }
    nodes, before = [Block(name="conv_in", inputs=("input",), kind="conv", label="Conv 3×3")], "conv_in"
    for name, _, leaves in chain(config, way):
        what = next(part for part in kinds if f".{part}" in name)
        nodes.append(Block(name=name, inputs=(before,), kind=kinds[what], label=f"{labels[what]}: {leaves}"))
        before = name
    return nodes


def conv(a: int, b: int, kernel: int = 3) -> int:
    """Numbers of a convolution with its bias."""
    return a * b * kernel * kernel + b


def chain_parameters(config: Mapping[str, Any], way: str) -> int:
    """Numbers of every block between conv_in and conv_out."""
    total = 0
    for name, a, b in chain(config, way):
        if ".resnet." in name:
            total += 2 * a + conv(a, b) + 2 * b + conv(b, b) + (conv(a, b, 1) if a != b else 0)
        elif ".attention." in name:
            total += 2 * a + 4 * conv(a, a, 1)
        else:
            total += conv(a, a)
    return total


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap of an encoder of these sizes, in the order in which the model meets them."""
    source = "ImageEncoder.forward"
    return (
        *chain_taps(config, "down", "EncoderBody"),
        tap("mean", PICTURE, "feature_map", "output", "mean", r"\mu_{cij}", source),
        tap("logvar", PICTURE, "feature_map", "output", "logvar", r"\log\sigma^2_{cij}", source),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain."""
    nodes = chain_blocks(config, "down")
    return (
        Block(name="input", inputs=(), kind="input"),
        *nodes,
        Block(name="conv_out", inputs=(nodes[-1].name,), kind="conv", label="GN, SiLU, Conv 3×3, Conv 1×1"),
        Block(name="output", inputs=("conv_out",), kind="output"),
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of an encoder of these sizes, counted without building it."""
    channels, z = config["block_out_channels"], config["latent_channels"]
    ends = conv(config["in_channels"], channels[0]) + 2 * channels[-1] + conv(channels[-1], 2 * z)
    return chain_parameters(config, "down") + ends + conv(2 * z, 2 * z, 1)


CARD = ModelCard(
    slug="autoencoder_kl_encoder",
    title="Image VAE, encoder",
    family="generative",
    section=SECTION,
    paper=PAPER,
    module=f"{MODULE}:ImageEncoder:AutoencoderConfig",
    inputs=(
        InputSpec(
            name="x",
            axes=PICTURE,
            dynamic=("batch", "row", "column"),
            sizes={"channel": "in_channels"},
            multiple_of=FACTOR,
            minimum=FACTOR,
        ),
    ),
    # of each place first all means, then all log variances
    output=InputSpec(name="moments", axes=PICTURE, dynamic=("batch", "channel", "row", "column")),
    weights=WEIGHTS,
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"z=s\left(\mu(x)+\sigma(x)\odot\epsilon\right)",
    page=PAGE,
    tiny=TINY,
    part_of="latent_diffusion",
    errata=("E23",),
)

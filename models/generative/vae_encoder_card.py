"""The card of the digit VAE's encoder: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

PICTURE = ("batch", "channel", "row", "column")
VECTOR = ("batch", "unit")
LATENT = ("batch", "latent")
MODULE = "models.generative.vae"
SECTION = "A4.2 VAE"
PAGE = "vae"
SIDE = 28

SIZES: dict[str, Any] = dict(channels=(16, 32), hidden=56, sample_size=SIDE)
LATENTS = {"digits16": 16, "ae16": 16, "digits2": 2, "ae2": 2, "beta025": 16, "beta4": 16}
TINY: dict[str, Any] = dict(latent=3, channels=(4, 6), hidden=8, sample_size=8)
PAPER = Paper(
    title="Auto-Encoding Variational Bayes",
    authors="Kingma, Welling",
    year=2014,
    url="https://arxiv.org/abs/1312.6114",
)
WEIGHTS = tuple(
    Weights(
        id=name,
        origin="embedded",
        config=SIZES | dict(latent=latent),
        graph=f"latent{latent}",
        preprocess=dict(mean=(0.0,), std=(1.0,), size=SIDE),
        licence="MIT",
    )
    for name, latent in LATENTS.items()
)
CONV = r"\mathrm{SiLU}\!\left(b_c+\sum_{k,m,n}W_{ckmn}\,x_{k,\,2i+m-1,\,2j+n-1}\right)"


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""
    rows = (
        ("conv1", PICTURE, "feature_map", rf"h_{{cij}}={CONV}"),
        ("conv2", PICTURE, "feature_map", rf"h_{{cij}}={CONV}"),
        ("hidden", VECTOR, "vector", r"h=\mathrm{SiLU}(W x+b)"),
        ("mean", LATENT, "vector", r"\mu=W_\mu h+b_\mu"),
        ("logvar", LATENT, "vector", r"\log\sigma^2=W_\sigma h+b_\sigma"),
    )
    return tuple(
        TapSpec(
            name=name,
            axes=axes,
            kind=kind,
            block=name,
            text=f"vae_encoder.tap.{name}",
            formula=formula,
            source=f"{MODULE}:Encoder.forward",
        )
        for name, axes, kind, formula in rows
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain that ends in two."""
    first, second = config["channels"]
    side = config["sample_size"]
    return (
        Block(name="input", inputs=(), kind="input"),
        Block(
            name="conv1",
            inputs=("input",),
            kind="conv",
            label=f"Conv 3×3 /2 → {first}×{side // 2}×{side // 2}",
        ),
        Block(
            name="conv2",
            inputs=("conv1",),
            kind="conv",
            label=f"Conv 3×3 /2 → {second}×{side // 4}×{side // 4}",
        ),
        Block(name="hidden", inputs=("conv2",), kind="linear", label=f"Linear → {config['hidden']}"),
        Block(name="mean", inputs=("hidden",), kind="linear", label=f"μ: {config['latent']}"),
        Block(name="logvar", inputs=("hidden",), kind="linear", label=f"log σ²: {config['latent']}"),
        Block(name="output", inputs=("mean", "logvar"), kind="output"),
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    first, second = config["channels"]
    flat, hidden, latent = second * (config["sample_size"] // 4) ** 2, config["hidden"], config["latent"]
    convs = 9 * first + first + 9 * first * second + second
    return convs + (flat + 1) * hidden + 2 * (hidden + 1) * latent


CARD = ModelCard(
    slug="vae_encoder",
    title="VAE",
    family="generative",
    section=SECTION,
    paper=PAPER,
    module=f"{MODULE}:Encoder:VAEConfig",
    inputs=(
        InputSpec(
            name="x",
            axes=PICTURE,
            dynamic=("batch",),
            sizes={"channel": 1, "row": "sample_size", "column": "sample_size"},
        ),
    ),
    # the mean, then the log variance
    output=InputSpec(
        name="moments",
        axes=("batch", "moment", "latent"),
        dynamic=("batch",),
        sizes={"moment": 2, "latent": "latent"},
    ),
    weights=WEIGHTS,
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=(
        r"\begin{aligned}\log p(x)\ge{}&\mathbb{E}_{q(z|x)}\left[\log p(x|z)\right]\\"
        r"&-\mathrm{KL}\left(q(z|x)\,\Vert\,\mathcal{N}(0,I)\right)\end{aligned}"
    ),
    page=PAGE,
    tiny=TINY,
    errata=("E12",),
)

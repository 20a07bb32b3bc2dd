"""The card of latent diffusion's text encoder: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

TOKENS = ("batch", "token", "channel")
PAIRS = ("batch", "head", "query", "token")
MODULE = "models.generative.text_encoder"
EMOJI: dict[str, Any] = dict(vocab_size=666, max_tokens=16, channels=96, layers=2, heads=4)
TINY: dict[str, Any] = dict(vocab_size=20, max_tokens=6, channels=12, layers=2, heads=2)


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""

    def tap(
        name: str, axes: tuple[str, ...], kind: str, block: str, text: str, formula: str, source: str
    ) -> TapSpec:
        return TapSpec(
            name=name,
            axes=axes,
            kind=kind,
            block=block,
            text=f"text_encoder.tap.{text}",
            formula=formula,
            source=f"{MODULE}:{source}",
        )

    scores = r"A=\mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt d}\right)"
    out = r"h'=h+\mathrm{MHA}(\mathrm{LN}(h)),\quad y=h'+\mathrm{MLP}(\mathrm{LN}(h'))"
    found = [tap("words", TOKENS, "tokens", "embedding", "words", r"h_i=E_{w_i}+P_i", "TextEncoder.forward")]
    for i in range(config["layers"]):
        name = f"layer.{i}"
        found += [
            tap(
                f"{name}.attention.weights",
                PAIRS,
                "attention",
                name,
                "weights",
                scores,
                "WordAttention.forward",
            ),
            tap(f"{name}.out", TOKENS, "tokens", name, "out", out, "Layer.forward"),
        ]
    return (
        *found,
        tap("context", TOKENS, "tokens", "output", "context", r"c=\mathrm{LN}(h)", "TextEncoder.forward"),
    )


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a chain."""
    names = [f"layer.{i}" for i in range(config["layers"])]
    return (
        Block(name="input", inputs=(), kind="input", label="Tokens"),
        Block(name="embedding", inputs=("input",), kind="linear", label=f"Embedding: {config['channels']}"),
        *(
            Block(
                name=name,
                inputs=(before,),
                kind="attention",
                label=f"Transformer layer, {config['heads']} heads",
            )
            for name, before in zip(names, ["embedding", *names], strict=False)
        ),
        Block(name="output", inputs=(names[-1],), kind="output", label="LN"),
    )


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    c = config["channels"]
    layer = 4 * (c * c + c) + 4 * c + (c * 4 * c + 4 * c) + (4 * c * c + c)
    return (config["vocab_size"] + config["max_tokens"]) * c + config["layers"] * layer + 2 * c


CARD = ModelCard(
    slug="text_encoder",
    title="Text encoder",
    family="generative",
    section="A4.4.3 Latent diffusion",
    paper=Paper(
        title="Attention Is All You Need",
        authors="Vaswani, Shazeer, Parmar, Uszkoreit, Jones, Gomez, Kaiser, Polosukhin",
        year=2017,
        url="https://arxiv.org/abs/1706.03762",
    ),
    module=f"{MODULE}:TextEncoder:TextEncoderConfig",
    inputs=(
        InputSpec(
            name="tokens",
            axes=("batch", "token"),
            dynamic=("batch",),
            sizes={"token": "max_tokens"},
            dtype="int64",
            below="vocab_size",
        ),
    ),
    output=InputSpec(
        name="context",
        axes=TOKENS,
        dynamic=("batch",),
        sizes={"token": "max_tokens", "channel": "channels"},
    ),
    weights=(Weights(id="emoji", origin="embedded", config=EMOJI, graph="emoji", licence="CC-BY-SA-4.0"),),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"c=\mathrm{Transformer}(E_w+P)",
    page="latent_diffusion",
    tiny=TINY,
    part_of="latent_diffusion",
    errata=("E23",),
)

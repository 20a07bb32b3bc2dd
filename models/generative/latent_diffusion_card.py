"""The card of latent diffusion's U-Net: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, TapSpec, Weights
from models.generative.autoencoder_kl_encoder_card import PAPER, SECTION
from models.generative.ddpm_card import RESNET, SAMPLE, parts

PICTURE = ("batch", "channel", "row", "column")
VECTOR = ("batch", "channel")
PLACES = ("batch", "position", "channel")
MODULE = "models.generative.latent_diffusion"
DDPM = "models.generative.ddpm"

TOKENS = 16
EMOJI: dict[str, Any] = dict(
    in_channels=4,
    sample_size=16,
    block_out_channels=(64, 96),
    layers_per_block=1,
    attention=(False, True),
    num_attention_heads=4,
    cross_attention_dim=96,
    norm_num_groups=8,
    max_tokens=TOKENS,
)
TINY: dict[str, Any] = EMOJI | dict(
    sample_size=8,
    block_out_channels=(8, 16),
    norm_num_groups=4,
    num_attention_heads=2,
    cross_attention_dim=12,
)
TIME = (
    (
        "time.sinusoid",
        "sinusoid",
        r"s=\left[\cos(t\,\omega_k),\ \sin(t\,\omega_k)\right],\quad \omega_k=10000^{-2k/C}",
    ),
    ("time.embedding", "time", r"W_2\,\mathrm{SiLU}(W_1 s+b_1)+b_2"),
)
TRANSFORMER = (
    ("self.weights", ("batch", "head", "query", "key"), "attention",
     r"A=\mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt d}\right)", "Attention.forward"),
    ("self.out", PLACES, "tokens", r"o=AVW_O+b_O", "Attention.forward"),
    ("cross.weights", ("batch", "head", "query", "token"), "attention",
     r"A=\mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt d}\right)\odot g,\quad Q=hW_Q,\ K=cW_K", "Attention.forward"),
    ("cross.out", PLACES, "tokens", r"o=AVW_O+b_O,\quad V=cW_V", "Attention.forward"),
    ("out", PICTURE, "feature_map", r"y=x+\mathrm{conv}(h)", "SpatialTransformer.forward"),
)  # fmt: skip
CONV = r"y_{cij}=b_c+\sum_{k,m,n}W_{ckmn}\,x_{k,\,i+m-1,\,j+n-1}"


def tap(
    name: str, axes: tuple[str, ...], kind: str, block: str, text: str, formula: str, source: str
) -> TapSpec:
    return TapSpec(
        name=name, axes=axes, kind=kind, block=block, text=f"latent_diffusion.tap.{text}",
        formula=formula, source=source,
    )  # fmt: skip


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap of a U-Net of these sizes, in the order in which the model meets them."""
    found = [
        tap(name, VECTOR, "vector", "time", text, formula, f"{DDPM}:TimeEmbedding.forward")
        for name, text, formula in TIME
    ]
    embed = f"{MODULE}:LatentUNet.embed"
    mean, both = r"\bar c=\frac{1}{n}\sum_{i\le n}c_i", r"e=W_2\,\mathrm{SiLU}(W_1 s+b_1)+b_2+W_c\bar c+b_c"
    found.append(tap("words.mean", VECTOR, "vector", "time", "words", mean, embed))
    found.append(tap("embedding", VECTOR, "vector", "time", "embedding", both, embed))
    found.append(
        tap("conv_in", PICTURE, "feature_map", "conv_in", "conv_in", CONV, f"{MODULE}:LatentUNet.forward")
    )
    for part in parts(config):
        if part.kind == "resnet":
            for name, axes, kind, formula in RESNET:
                if name == "out" and part.enters != part.leaves:
                    formula = r"y=W_s x+\mathrm{conv}(n)"
                source = f"{DDPM}:ResnetBlock.forward"
                found.append(
                    tap(f"{part.name}.{name}", axes, kind, part.name, f"resnet.{name}", formula, source)
                )
        elif part.kind == "attention":
            for name, shape, kind, formula, method in TRANSFORMER:
                text = f"transformer.{name}"
                found.append(
                    tap(f"{part.name}.{name}", shape, kind, part.name, text, formula, f"{MODULE}:{method}")
                )
        else:
            source, formula = SAMPLE[part.kind]
            found.append(
                tap(
                    f"{part.name}.out",
                    PICTURE,
                    "feature_map",
                    part.name,
                    part.kind,
                    formula,
                    f"{DDPM}:{source}",
                )
            )
    output = r"v_\theta(x_t,t,c)"
    return (
        *found,
        tap("output", PICTURE, "feature_map", "output", "output", output, f"{MODULE}:LatentUNet.forward"),
    )


KINDS = {"resnet": "block", "attention": "attention", "down": "pool", "up": "upsample"}
LABELS = {
    "resnet": "ResNet block",
    "attention": "Transformer",
    "down": "Conv 3×3 /2",
    "up": "×2, Conv 3×3",
}


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: a resnet is fed by what comes before, by its skip if it joins one, and by time; a transformer
    by what comes before and by the words."""
    nodes = [
        Block(name="input", inputs=(), kind="input", label="zₜ"),
        Block(name="step", inputs=(), kind="input", label="t"),
        Block(name="words", inputs=(), kind="input", label="Context"),
        Block(name="time", inputs=("step", "words"), kind="linear", label="MLP(t) + mean word"),
        Block(name="conv_in", inputs=("input",), kind="conv", label="Conv 3×3"),
    ]
    last = "conv_in"
    for part in parts(config):
        more = {"resnet": (part.joins, "time"), "attention": ("words",)}.get(part.kind, ())
        nodes.append(
            Block(
                name=part.name,
                inputs=tuple(name for name in (part.before, *more) if name),
                kind=KINDS[part.kind],
                label=f"{LABELS[part.kind]}: {part.leaves}",
            )
        )
        last = part.name
    nodes += [
        Block(name="conv_out", inputs=(last,), kind="conv", label="GN, SiLU, Conv 3×3"),
        Block(name="output", inputs=("conv_out",), kind="output"),
    ]
    return tuple(nodes)


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    first, pixels = config["block_out_channels"][0], config["in_channels"]
    wide, words = 4 * first, config["cross_attention_dim"]

    def conv(a: int, b: int, kernel: int = 3) -> int:
        return a * b * kernel * kernel + b

    total = conv(first, wide, 1) + conv(wide, wide, 1) + conv(words, wide, 1)  # time, mean word
    total += conv(pixels, first) + 2 * first + conv(first, pixels)
    for part in parts(config):
        a, b = part.enters, part.leaves
        if part.kind == "resnet":
            total += 2 * a + conv(a, b) + conv(wide, b, 1) + 2 * b + conv(b, b)
            total += conv(a, b, 1) if a != b else 0
        elif part.kind == "attention":
            own, cross = 3 * a * a + conv(a, a, 1), a * a + 2 * a * words + conv(a, a, 1)
            forward = conv(a, 8 * a, 1) + conv(4 * a, a, 1)
            total += 2 * a + 2 * conv(a, a, 1) + 6 * a + own + cross + forward
        else:
            total += conv(a, b)
    return total


CARD = ModelCard(
    slug="latent_diffusion",
    title="Latent diffusion",
    family="generative",
    section=SECTION,
    paper=PAPER,
    module=f"{MODULE}:LatentUNet:LatentUNetConfig",
    inputs=(
        InputSpec(
            name="x",
            axes=PICTURE,
            dynamic=("batch", "row", "column"),
            sizes={"channel": "in_channels"},
            multiple_of=2,
            minimum=2,
        ),
        InputSpec(name="timestep", axes=("batch",), dynamic=("batch",), dtype="int64", below=1000),
        InputSpec(
            name="context",
            axes=("batch", "token", "channel"),
            dynamic=("batch",),
            sizes={"token": "max_tokens", "channel": "cross_attention_dim"},
        ),
        # 1 where a token is to be read, 0 behind the end of the text
        InputSpec(
            name="kept",
            axes=("batch", "token"),
            dynamic=("batch",),
            sizes={"token": "max_tokens"},
            dtype="int64",
            below=2,
        ),
        # an intervention: what multiplies the attention to each token
        InputSpec(name="token_strength", axes=("token",), default=1.0, shape=(TOKENS,)),
    ),
    output=InputSpec(
        name="output", axes=PICTURE, dynamic=("batch", "row", "column"), sizes={"channel": "in_channels"}
    ),
    weights=(
        # schedule, prediction and guidance follow the training report beside the weights
        Weights(
            id="emoji",
            origin="embedded",
            config=EMOJI,
            graph="emoji",
            preprocess=dict(size=16, schedule="scaled_linear", prediction="v", steps=1000),
            licence="CC-BY-SA-4.0",
        ),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=(
        r"\hat v=v_\theta(z_t,t,\varnothing)+w\left(v_\theta(z_t,t,c)-v_\theta(z_t,t,\varnothing)\right)"
        r",\qquad x=D(z_0/s)"
    ),
    page="latent_diffusion",
    tiny=TINY,
    errata=("E23", "E24"),
)

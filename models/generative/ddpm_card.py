"""The card of DDPM's U-Net: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

PICTURE = ("batch", "channel", "row", "column")
VECTOR = ("batch", "channel")
PER_HEAD = ("batch", "head", "position", "channel")
PAIRS = ("batch", "head", "query", "key")
MODULE = "models.generative.ddpm"

DIGITS: dict[str, Any] = dict(
    in_channels=1,
    sample_size=28,
    block_out_channels=(16, 48, 64),
    layers_per_block=1,
    attention=(False, True, True),
    norm_num_groups=8,
    attention_head_dim=16,
    num_classes=10,
)
EMOJI: dict[str, Any] = DIGITS | dict(in_channels=3, sample_size=32, block_out_channels=(32, 48, 64))
TINY: dict[str, Any] = DIGITS | dict(
    sample_size=8, block_out_channels=(8, 16, 16), norm_num_groups=4, attention_head_dim=8, num_classes=3
)
SKIPS = 6  # of three levels with one layer each, as in every entry above


# ---------------------------------------------------------------- what stands where


@dataclass(frozen=True, kw_only=True)
class Part:
    """One block between conv_in and conv_out: what it is, what feeds it, its channels, its skips."""

    name: str
    kind: str  # "resnet", "attention", "down", "up"
    before: str
    enters: int  # channels, the joined skip's included
    leaves: int
    joins: str = ""  # the block whose skip it reads
    gives: int | None = None  # number of the skip that its output is


def parts(config: Mapping[str, Any]) -> Iterator[Part]:
    """The blocks of a U-Net of these sizes, in the order in which the model runs them."""
    channels, layers = tuple(config["block_out_channels"]), config["layers_per_block"]
    last = len(channels) - 1
    before, coming = "conv_in", channels[0]
    skips = [(before, coming)]

    for i, wide in enumerate(channels):
        for j in range(layers):
            attention = config["attention"][i]
            gives = len(skips)
            name = f"down.{i}.resnet.{j}"
            yield Part(
                name=name, kind="resnet", before=before, enters=coming, leaves=wide,
                gives=None if attention else gives,
            )  # fmt: skip
            before, coming = name, wide
            if attention:
                name = f"down.{i}.attention.{j}"
                yield Part(name=name, kind="attention", before=before, enters=wide, leaves=wide, gives=gives)
                before = name
            skips.append((before, wide))
        if i < last:
            name = f"down.{i}.sample"
            yield Part(name=name, kind="down", before=before, enters=wide, leaves=wide, gives=len(skips))
            before = name
            skips.append((before, wide))

    for name, kind in (
        ("mid.resnet.0", "resnet"),
        ("mid.attention.0", "attention"),
        ("mid.resnet.1", "resnet"),
    ):
        yield Part(name=name, kind=kind, before=before, enters=coming, leaves=coming)
        before = name

    for i, wide in enumerate(reversed(channels)):
        for j in range(layers + 1):
            giver, joined = skips.pop()
            name = f"up.{i}.resnet.{j}"
            yield Part(
                name=name, kind="resnet", before=before, enters=coming + joined, leaves=wide,
                joins=giver,
            )  # fmt: skip
            before, coming = name, wide
            if config["attention"][last - i]:
                name = f"up.{i}.attention.{j}"
                yield Part(name=name, kind="attention", before=before, enters=wide, leaves=wide)
                before = name
        if i < last:
            name = f"up.{i}.sample"
            yield Part(name=name, kind="up", before=before, enters=wide, leaves=wide)
            before = name


# ---------------------------------------------------------------- taps

ATTENTION = r"A=\mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt d}\right)"
TIME = (
    ("time.sinusoid", "sinusoid", r"s=\left[\cos(t\,\omega_k),\ \sin(t\,\omega_k)\right],\quad \omega_k=10000^{-2k/C}",
     "TimeEmbedding.forward"),
    ("time.embedding", "time", r"W_2\,\mathrm{SiLU}(W_1 s+b_1)+b_2", "TimeEmbedding.forward"),
    ("label.embedding", "label", r"E_y", "UNet.embed"),
    ("embedding", "embedding", r"e=W_2\,\mathrm{SiLU}(W_1 s+b_1)+b_2+E_y", "UNet.embed"),
)  # fmt: skip
RESNET = (
    ("shift", VECTOR, "vector", r"u=W_e\,\mathrm{SiLU}(e)+b_e"),
    ("hidden", PICTURE, "feature_map", r"h=\mathrm{conv}(\mathrm{SiLU}(\mathrm{GN}(x)))+u"),
    ("norm", PICTURE, "feature_map", r"n=\mathrm{SiLU}(\mathrm{GN}(h))"),
    ("out", PICTURE, "feature_map", r"y=x+\mathrm{conv}(n)"),
)
HEADS = (
    ("q", PER_HEAD, "heads", r"Q=XW_Q+b_Q"),
    ("k", PER_HEAD, "heads", r"K=XW_K+b_K"),
    ("v", PER_HEAD, "heads", r"V=XW_V+b_V"),
    ("weights", PAIRS, "attention", ATTENTION),
    ("heads", PER_HEAD, "heads", r"O=AV"),
    ("out", PICTURE, "feature_map", r"y=x+OW_O+b_O"),
)
SAMPLE = {
    "down": ("Downsample.forward", r"y_{cij}=b_c+\sum_{k,m,n}W_{ckmn}\,x_{k,\,2i+m-1,\,2j+n-1}"),
    "up": ("Upsample.forward", r"y=\mathrm{conv}(x_{\lfloor i/2\rfloor,\lfloor j/2\rfloor})"),
}


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap of a U-Net of these sizes, in the order in which the model meets them."""

    def tap(
        name: str, axes: tuple[str, ...], kind: str, block: str, text: str, formula: str, source: str
    ) -> TapSpec:
        return TapSpec(
            name=name,
            axes=axes,
            kind=kind,
            block=block,
            text=f"ddpm.tap.{text}",
            formula=formula,
            source=f"{MODULE}:{source}",
        )

    found = [
        tap(name, VECTOR, "vector", "time", text, formula, source) for name, text, formula, source in TIME
    ]
    todo = list(parts(config))
    givers = {0: "conv_in"} | {part.gives: part.name for part in todo if part.gives is not None}
    for part in todo:
        if part.name == "mid.resnet.0":  # strength is applied when the way down is done
            for k, giver in givers.items():
                text, formula = "skip", r"\mathrm{skip}_k=g_k\,x_k"
                found.append(tap(f"skip.{k}", PICTURE, "feature_map", giver, text, formula, "UNet.forward"))
        if part.kind == "resnet":
            for name, axes, kind, formula in RESNET:
                if name == "out" and part.enters != part.leaves:
                    formula = r"y=W_s x+\mathrm{conv}(n)"
                text, source = f"resnet.{name}", "ResnetBlock.forward"
                found.append(tap(f"{part.name}.{name}", axes, kind, part.name, text, formula, source))
        elif part.kind == "attention":
            for name, axes, kind, formula in HEADS:
                text, source = f"attention.{name}", "SelfAttention.forward"
                found.append(tap(f"{part.name}.{name}", axes, kind, part.name, text, formula, source))
        else:
            source, formula = SAMPLE[part.kind]
            found.append(
                tap(f"{part.name}.out", PICTURE, "feature_map", part.name, part.kind, formula, source)
            )
    final = r"f=\mathrm{SiLU}(\mathrm{GN}(x))"
    output = r"\epsilon_\theta(x_t,t,y)_{cij}=b_c+\sum_{k,m,n}W_{ckmn}\,f_{k,\,i+m-1,\,j+n-1}"
    return (
        *found,
        tap("final", PICTURE, "feature_map", "conv_out", "final", final, "UNet.forward"),
        tap("output", PICTURE, "feature_map", "output", "output", output, "UNet.forward"),
    )


# ---------------------------------------------------------------- the drawing

KINDS = {"resnet": "block", "attention": "attention", "down": "pool", "up": "upsample"}
LABELS = {
    "resnet": "ResNet block",
    "attention": "Self-attention",
    "down": "Conv 3×3 /2",
    "up": "×2, Conv 3×3",
}


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: nodes in order. A resnet is fed by what comes before, by its skip if it joins one, and by time."""
    nodes = [
        Block(name="input", inputs=(), kind="input"),
        Block(name="step", inputs=(), kind="input", label="t, y"),
        Block(name="time", inputs=("step",), kind="linear", label="Sinusoid, MLP, + class"),
        Block(name="conv_in", inputs=("input",), kind="conv", label="Conv 3×3"),
    ]
    last = "conv_in"
    for part in parts(config):
        feeds = (part.before, part.joins, "time") if part.kind == "resnet" else (part.before,)
        nodes.append(
            Block(
                name=part.name,
                inputs=tuple(name for name in feeds if name),
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


# ---------------------------------------------------------------- sizes


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""
    first, pixels = config["block_out_channels"][0], config["in_channels"]
    wide = 4 * first

    def conv(a: int, b: int, kernel: int = 3) -> int:
        return a * b * kernel * kernel + b

    total = conv(first, wide, 1) + conv(wide, wide, 1) + (config["num_classes"] + 1) * wide  # time and class
    total += conv(pixels, first) + 2 * first + conv(first, pixels)
    for part in parts(config):
        a, b = part.enters, part.leaves
        if part.kind == "resnet":
            total += 2 * a + conv(a, b) + conv(wide, b, 1) + 2 * b + conv(b, b)
            total += conv(a, b, 1) if a != b else 0
        elif part.kind == "attention":
            total += 2 * a + 4 * conv(a, a, 1)
        else:
            total += conv(a, b)
    return total


CARD = ModelCard(
    slug="ddpm",
    title="DDPM",
    family="generative",
    section="A4.4 Diffusion",
    paper=Paper(
        title="Denoising Diffusion Probabilistic Models",
        authors="Ho, Jain, Abbeel",
        year=2020,
        url="https://arxiv.org/abs/2006.11239",
    ),
    module=f"{MODULE}:UNet:UNetConfig",
    inputs=(
        InputSpec(
            name="x",
            axes=PICTURE,
            dynamic=("batch", "row", "column"),
            sizes={"channel": "in_channels"},
            multiple_of=4,
            minimum=4,
        ),
        InputSpec(name="timestep", axes=("batch",), dynamic=("batch",), dtype="int64", below=1000),
        # the last label is the null class: no class in particular
        InputSpec(name="label", axes=("batch",), dynamic=("batch",), dtype="int64", below="num_classes + 1"),
        # an intervention: what multiplies each skip before it is joined
        InputSpec(name="skip_strength", axes=("skip",), default=1.0, shape=(SKIPS,)),
    ),
    output=InputSpec(
        name="output", axes=PICTURE, dynamic=("batch", "row", "column"), sizes={"channel": "in_channels"}
    ),
    weights=(
        # schedule, prediction and classes follow the training report beside the weights
        Weights(
            id="digits",
            origin="embedded",
            config=DIGITS,
            graph="digits",
            preprocess=dict(
                mean=(0.5,), std=(0.5,), size=28, schedule="linear", prediction="epsilon", steps=1000
            ),
            licence="MIT",
        ),
        Weights(
            id="emoji",
            origin="embedded",
            config=EMOJI,
            graph="emoji",
            preprocess=dict(
                mean=(0.5,) * 3, std=(0.5,) * 3, size=32, schedule="cosine", prediction="v", steps=1000
            ),
            licence="CC-BY-SA-4.0",
        ),
    ),
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=(
        r"x_t=\sqrt{\bar\alpha_t}\,x_0+\sqrt{1-\bar\alpha_t}\,\epsilon,"
        r"\qquad\epsilon\approx\epsilon_\theta(x_t,t,y)"
    ),
    page="ddpm",
    tiny=TINY,
    errata=("E13", "E14", "E15", "E16", "E17", "E18", "E19", "E20", "E21", "E22"),
)

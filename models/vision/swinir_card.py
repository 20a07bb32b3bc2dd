"""The card of SwinIR: sizes of every published layout we load, its taps and its drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

EMBEDDED: dict[str, Any] = dict(
    embed_dim=48,
    depths=(2, 2, 2, 2),
    num_heads=(3, 3, 3, 3),
    window_size=8,
    mlp_ratio=2.0,
    upsampler="pixelshuffledirect",
    img_size=64,
)
CLASSICAL: dict[str, Any] = dict(
    embed_dim=180,
    depths=(6, 6, 6, 6, 6, 6),
    num_heads=(6, 6, 6, 6, 6, 6),
    window_size=8,
    mlp_ratio=2.0,
    upsampler="pixelshuffle",
    img_size=64,
)
LIGHTWEIGHT: dict[str, Any] = dict(
    embed_dim=60,
    depths=(6, 6, 6, 6),
    num_heads=(6, 6, 6, 6),
    window_size=8,
    mlp_ratio=2.0,
    upsampler="pixelshuffledirect",
    img_size=64,
)
REAL: dict[str, Any] = CLASSICAL | dict(upsampler="nearest+conv")
REAL_LARGE: dict[str, Any] = REAL | dict(
    embed_dim=240, depths=(6,) * 9, num_heads=(8,) * 9, resi_connection="3conv"
)

TINY: dict[str, Any] = dict(
    embed_dim=12,
    depths=(2, 2),
    num_heads=(2, 3),
    window_size=4,
    mlp_ratio=2.0,
    upsampler="pixelshuffle",
    img_size=16,
    num_feat=8,
    scale=2,
)

RELEASE = "https://github.com/JingyunLiang/SwinIR/releases/download/v0.0"

# Bytes, where a mirror of the release states them; the others are learnt from the server's reply.
SIZES = dict(
    classical_x2=67_277_475, classical_x3=68_016_035, lightweight_x2=17_147_989, real_large_x4=142_473_939
)


def official(weights_id: str, config: Mapping[str, Any], file: str) -> Weights:
    """A checkpoint of the authors' release. They publish no hash: the first download is recorded and held to."""
    return Weights(
        id=weights_id,
        origin="official",
        config=dict(config),
        graph=weights_id,
        url=f"{RELEASE}/{file}",
        size=SIZES.get(weights_id, 0),
        licence="Apache-2.0",
        layout="swinir",
    )


WEIGHTS = (
    Weights(id="x2", origin="embedded", config=EMBEDDED | dict(scale=2), graph="x2", licence="CC-BY-SA-4.0"),
    Weights(id="x4", origin="embedded", config=EMBEDDED | dict(scale=4), graph="x4", licence="CC-BY-SA-4.0"),
    *(
        official(
            f"classical_x{scale}",
            CLASSICAL | dict(scale=scale),
            f"001_classicalSR_DF2K_s64w8_SwinIR-M_x{scale}.pth",
        )
        for scale in (2, 3, 4, 8)
    ),
    *(
        official(
            f"lightweight_x{scale}",
            LIGHTWEIGHT | dict(scale=scale),
            f"002_lightweightSR_DIV2K_s64w8_SwinIR-S_x{scale}.pth",
        )
        for scale in (2, 3, 4)
    ),
    *(
        official(
            f"real_x{scale}",
            REAL | dict(scale=scale),
            f"003_realSR_BSRGAN_DFO_s64w8_SwinIR-M_x{scale}_GAN.pth",
        )
        for scale in (2, 4)
    ),
    official(
        "real_large_x4", REAL_LARGE | dict(scale=4), "003_realSR_BSRGAN_DFOWMFC_s64w8_SwinIR-L_x4_GAN.pth"
    ),
)

HEAD_LABELS = {
    "pixelshuffle": "Conv, PixelShuffle, Conv",
    "pixelshuffledirect": "Conv 3×3, PixelShuffle",
    "nearest+conv": "Nearest ×2, Conv",
    "": "Conv 3×3, + input",
}
ATTENTION = r"A=\mathrm{softmax}\!\left(\frac{QK^{\top}}{\sqrt d}+B+M\right)"


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap of a SwinIR of these sizes, in the order in which the model meets them."""
    module = "models.vision.swinir"
    picture = ("batch", "channel", "row", "column")
    tokens = ("batch", "row", "column", "channel")
    per_head = ("batch", "window", "head", "position", "channel")
    pairs = ("batch", "window", "head", "query", "key")
    found = [
        TapSpec(
            name="shallow",
            axes=picture,
            kind="feature_map",
            block="conv_first",
            text="swinir.tap.shallow",
            formula=r"F_0=H_{SF}(I_{LQ})",
            source=f"{module}:SwinIR.forward",
        ),
        TapSpec(
            name="mask",
            axes=("window", "query", "key"),
            kind="mask",
            block="mask",
            text="swinir.tap.mask",
            formula=r"M_{ij}=\begin{cases}0&\text{same piece}\\-100&\text{otherwise}\end{cases}",
            source=f"{module}:shift_mask",
        ),
    ]
    for i, depth in enumerate(config["depths"]):
        for j in range(depth):
            block = f"rstb.{i}.layer.{j}"
            attention = f"{module}:WindowAttention.forward"
            for part, axes, kind, formula in (
                ("q", per_head, "heads", r"Q=XW_Q+b_Q"),
                ("k", per_head, "heads", r"K=XW_K+b_K"),
                ("v", per_head, "heads", r"V=XW_V+b_V"),
                ("bias", ("head", "query", "key"), "attention", r"B_{ij}=\hat B_{\Delta(i,j)}"),
                ("scores", pairs, "attention", r"S=\frac{QK^{\top}}{\sqrt d}+B"),
                ("weights", pairs, "attention", ATTENTION),
                ("out", per_head, "heads", r"O=AV"),
            ):
                found.append(
                    TapSpec(
                        name=f"{block}.attn.{part}",
                        axes=axes,
                        kind=kind,
                        block=block,
                        text=f"swinir.tap.{part}",
                        formula=formula,
                        source=f"{module}:WindowAttention.bias" if part == "bias" else attention,
                    )
                )
            found.append(
                TapSpec(
                    name=f"{block}.out",
                    axes=tokens,
                    kind="tokens",
                    block=block,
                    text="swinir.tap.layer",
                    formula=r"X'=X+\mathrm{(S)W\text{-}MSA}(\mathrm{LN}(X)),\quad X''=X'+\mathrm{MLP}(\mathrm{LN}(X'))",
                    source=f"{module}:SwinLayer.forward",
                )
            )
        found.append(
            TapSpec(
                name=f"rstb.{i}.out",
                axes=tokens,
                kind="tokens",
                block=f"rstb.{i}",
                text="swinir.tap.rstb",
                formula=r"F_i=\mathrm{conv}(H_{STL}(F_{i-1}))+F_{i-1}",
                source=f"{module}:RSTB.forward",
            )
        )
    for name, formula in (("deep", r"F_{DF}=\mathrm{conv}(\mathrm{LN}(F_K))"), ("fused", r"F_0+F_{DF}")):
        found.append(
            TapSpec(
                name=name,
                axes=picture,
                kind="feature_map",
                block="conv_after_body" if name == "deep" else "add",
                text=f"swinir.tap.{name}",
                formula=formula,
                source=f"{module}:SwinIR.forward",
            )
        )
    return tuple(found)


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: nodes in order, each with what feeds it. Layers of an RSTB are nodes `rstb.i.layer.j`."""
    nodes = [
        Block(name="image", inputs=(), kind="input"),
        Block(name="conv_first", inputs=("image",), kind="conv", label="Conv 3×3"),
        Block(name="mask", inputs=("image",), kind="mask", label="Shift mask"),
    ]
    last = "conv_first"
    for i, depth in enumerate(config["depths"]):
        entry = last
        for j in range(depth):
            name = f"rstb.{i}.layer.{j}"
            shifted = j % 2 == 1 and config["img_size"] > config["window_size"]
            nodes.append(
                Block(
                    name=name,
                    inputs=(last, "mask") if shifted else (last,),
                    kind="attention",
                    label="SW-MSA" if shifted else "W-MSA",
                )
            )
            last = name
        nodes.append(
            Block(name=f"rstb.{i}", inputs=(last, entry), kind="add", label=f"RSTB {i + 1}: conv + skip")
        )
        last = f"rstb.{i}"
    nodes += [
        Block(name="conv_after_body", inputs=(last,), kind="conv", label="LN, Conv 3×3"),
        Block(name="add", inputs=("conv_after_body", "conv_first"), kind="add", label="+"),
        Block(name="head", inputs=("add",), kind="upsample", label=HEAD_LABELS[config["upsampler"]]),
        Block(name="output", inputs=("head",), kind="output"),
    ]
    return tuple(nodes)


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it (1conv and 3conv bodies)."""
    dim, window = config["embed_dim"], min(config["window_size"], config["img_size"])
    hidden, chans, scale = int(dim * config["mlp_ratio"]), config.get("in_chans", 3), config["scale"]
    feat = config.get("num_feat", 64)

    def conv(c_in: int, c_out: int, kernel: int = 3) -> int:
        return c_in * c_out * kernel * kernel + c_out

    def linear(c_in: int, c_out: int) -> int:
        return conv(c_in, c_out, 1)

    body = conv(dim, dim)
    if config.get("resi_connection", "1conv") == "3conv":
        body = conv(dim, dim // 4) + conv(dim // 4, dim // 4, 1) + conv(dim // 4, dim)
    layer = 4 * dim + linear(dim, 3 * dim) + linear(dim, dim) + linear(dim, hidden) + linear(hidden, dim)
    total = conv(chans, dim) + 4 * dim + body
    for depth, heads in zip(config["depths"], config["num_heads"], strict=True):
        total += depth * (layer + (2 * window - 1) ** 2 * heads) + body
    factors = [3] if scale == 3 else [2] * (scale.bit_length() - 1)
    if config["upsampler"] == "pixelshuffle":
        total += conv(dim, feat) + sum(conv(feat, feat * r * r) for r in factors) + conv(feat, chans)
    elif config["upsampler"] == "pixelshuffledirect":
        total += conv(dim, chans * scale * scale)
    elif config["upsampler"] == "nearest+conv":
        total += conv(dim, feat) + (len(factors) + 1) * conv(feat, feat) + conv(feat, chans)
    else:
        total += conv(dim, chans)
    return total


CARD = ModelCard(
    slug="swinir",
    title="SwinIR",
    family="vision",
    section="B SwinIR",
    paper=Paper(
        title="SwinIR: Image Restoration Using Swin Transformer",
        authors="Liang, Cao, Sun, Zhang, Van Gool, Timofte",
        year=2021,
        url="https://arxiv.org/abs/2108.10257",
    ),
    module="models.vision.swinir:SwinIR:SwinIRConfig",
    inputs=(
        InputSpec(
            name="image",
            axes=("batch", "channel", "row", "column"),
            dynamic=("batch", "row", "column"),
            sizes={"channel": 3},
            multiple_of=8,
            minimum=8,
        ),
        InputSpec(name="mask_strength", axes=(), default=1.0),
    ),
    output=InputSpec(
        name="upscaled", axes=("batch", "channel", "row", "column"), dynamic=("batch", "row", "column")
    ),
    weights=WEIGHTS,
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=ATTENTION + "V",
    page="swinir",
    tiny=TINY,
    errata=("E66", "E67", "E68", "E69", "E70", "E71", "E72", "E73", "E74"),
)

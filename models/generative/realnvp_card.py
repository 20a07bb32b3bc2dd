"""The card of RealNVP, from pictures to z: weights, taps and drawing. Imports no torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from models.card import Block, InputSpec, ModelCard, Paper, TapSpec, Weights

PICTURE = ("batch", "channel", "row", "column")
MODULE = "models.generative.realnvp"
SECTION = "A4.3 Flow"
PAGE = "realnvp"

DIGITS: dict[str, Any] = dict(sample_size=28, couplings=4, hidden=(24, 48, 48))
TINY: dict[str, Any] = dict(sample_size=8, couplings=2, hidden=(4, 6, 6))
SIZES: dict[str, int | str] = {"channel": 1, "row": "sample_size", "column": "sample_size"}
PAPER = Paper(
    title="Density estimation using Real NVP",
    authors="Dinh, Sohl-Dickstein, Bengio",
    year=2017,
    url="https://arxiv.org/abs/1605.08803",
)
WEIGHTS = (
    # stretched grey levels: models/generative/flow.py
    Weights(
        id="digits",
        origin="embedded",
        config=DIGITS,
        graph="digits",
        preprocess=dict(size=28, margin=0.05, levels=256),
        licence="MIT",
    ),
)
GROUPS = (  # what one number of channels becomes, and the mask, in the order from x to z
    (1, 1, "checkerboard"),
    (4, 2, "channel"),
    (2, 2, "checkerboard"),
    (8, 4, "channel"),
    (4, 4, "checkerboard"),
)
SCALE = r"s=r\tanh\left(a\right)(1-m),\quad[a,t]=\mathrm{net}(m\odot\gamma(x+b))"
SHIFT = r"t=t_\theta(m\odot\gamma(x+b))\,(1-m)"
LOG_DET = r"\log\lvert\operatorname{det}J\rvert=\sum_{c,i,j}s_{cij}+HW\sum_c\log\gamma_c"
STATE = {  # the same picture on either way: made by the coupling, or about to be undone
    "there": r"y=x'\odot e^{s}+t,\quad x'=\gamma(x+b)",
    "back": r"y,\quad x=\frac{(y-t)\odot e^{-s}}{\gamma}-b",
}


def couplings(config: Mapping[str, Any]) -> Iterator[tuple[int, int, int, int, str]]:
    """Index, channels, side, hidden channels and mask of every coupling, from x to z."""
    index = 0
    for channels, shrink, kind in GROUPS:
        hidden = config["hidden"][(1, 2, 4).index(shrink)]
        for _ in range(config["couplings"]):
            yield index, channels, config["sample_size"] // shrink, hidden, kind
            index += 1


def tap(name: str, axes: tuple[str, ...], kind: str, block: str, formula: str, source: str) -> TapSpec:
    return TapSpec(
        name=name,
        axes=axes,
        kind=kind,
        block=block,
        text=f"realnvp.tap.{name.split('.')[-1]}",
        formula=formula,
        source=f"{MODULE}:{source}",
    )


def coupling_taps(config: Mapping[str, Any], way: str) -> list[TapSpec]:
    """The taps of the couplings in the order in which they are met. way: "there" or "back"."""
    indices = [index for index, *_ in couplings(config)]
    method = "Coupling.forward" if way == "there" else "Coupling.undo"
    found = []
    for index in indices if way == "there" else reversed(indices):
        name = f"coupling.{index}"
        inner = "Coupling.scale_and_shift"
        state = tap(f"{name}.state", PICTURE, "feature_map", name, STATE[way], method)
        inside = [
            tap(f"{name}.scale", PICTURE, "feature_map", name, SCALE, inner),
            tap(f"{name}.shift", PICTURE, "feature_map", name, SHIFT, inner),
            tap(f"{name}.log_det", ("batch",), "vector", name, LOG_DET, method),
        ]
        found += [*inside, state] if way == "there" else [state, *inside]
    return found


def total(way: str) -> TapSpec:
    formula = r"\log\lvert\operatorname{det}J\rvert=\sum_k\log\lvert\operatorname{det}J_k\rvert"
    return tap(
        "log_det", ("batch",), "vector", "output", formula, "Flow.to_z" if way == "there" else "Flow.to_x"
    )


def taps(config: Mapping[str, Any]) -> tuple[TapSpec, ...]:
    """Every tap, in the order in which the model meets them."""
    z = tap("z", PICTURE, "feature_map", "output", r"z=f(x)", "RealNVP.forward")
    return (*coupling_taps(config, "there"), total("there"), z)


def blocks(config: Mapping[str, Any]) -> tuple[Block, ...]:
    """The drawing: couplings, squeezes and splits in a row; what is split off goes to the output."""
    nodes = [Block(name="input", inputs=(), kind="input")]
    before, done = "input", []
    last_group = -1
    for index, channels, side, _, kind in couplings(config):
        group = index // config["couplings"]
        if group != last_group and group in (1, 3):
            nodes.append(
                Block(
                    name=f"squeeze.{group // 2}",
                    inputs=(before,),
                    kind="pool",
                    label=f"Squeeze: {channels}×{side}×{side}",
                )
            )
            before = nodes[-1].name
        if group != last_group and group in (2, 4):
            nodes.append(
                Block(
                    name=f"split.{group // 2 - 1}",
                    inputs=(before,),
                    kind="block",
                    label=f"Split: {channels}×{side}×{side}",
                )
            )
            before = nodes[-1].name
            done.append(before)
        last_group = group
        nodes.append(
            Block(name=f"coupling.{index}", inputs=(before,), kind="block", label=f"Coupling, {kind}")
        )
        before = nodes[-1].name
    return (*nodes, Block(name="output", inputs=(*done, before), kind="output", label="z"))


def parameters(config: Mapping[str, Any]) -> int:
    """Number of parameters of a model of these sizes, counted without building it."""

    def conv(a: int, b: int) -> int:
        return 9 * a * b + b

    return sum(
        3 * channels + conv(channels, hidden) + conv(hidden, hidden) + conv(hidden, 2 * channels)
        for _, channels, _, hidden, _ in couplings(config)
    )


CARD = ModelCard(
    slug="realnvp",
    title="RealNVP",
    family="generative",
    section=SECTION,
    paper=PAPER,
    module=f"{MODULE}:RealNVP:RealNVPConfig",
    inputs=(
        InputSpec(
            name="x",
            axes=PICTURE,
            dynamic=("batch",),
            sizes=SIZES,
        ),
    ),
    output=InputSpec(name="z", axes=PICTURE, dynamic=("batch",), sizes=SIZES),
    weights=WEIGHTS,
    taps=taps,
    blocks=blocks,
    parameters=parameters,
    formula=r"\log p(x)=\log\mathcal{N}(f(x);0,I)+\sum_k\log\lvert\operatorname{det}J_k\rvert",
    page=PAGE,
    tiny=TINY,
)

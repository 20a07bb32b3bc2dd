"""One number of the U-Net worked out again: from which taps and weights it comes, as a sum of products.

Pure functions over numpy arrays. `wiring` says what every block reads; `needed` which taps a sum takes; `sum_of`
makes it. Weights carry the names of the state dict, which are diffusers'.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

EPSILON = 1e-5  # of every group norm
Term = tuple[str, float, float]
Arrays = Mapping[str, np.ndarray]
Times = np.ndarray | Sequence[int] | int


@dataclass(frozen=True)
class Feed:
    """What a block reads: taps joined along the channels. prefix: of its weights' names. kind: how it computes."""

    taps: tuple[str, ...]
    prefix: str
    kind: str  # "resnet", "attention", "down", "up"


def wiring(config: Mapping[str, Any]) -> dict[str, Feed]:
    """Feed of every block, in the order in which the net runs them."""
    levels, layers = len(config["block_out_channels"]), config["layers_per_block"]
    attention = config["attention"]
    found: dict[str, Feed] = {}
    now, skips = "skip.0", ["skip.0"]

    def level(name: str, prefix: str, count: int, attends: bool, joins: bool) -> None:
        nonlocal now
        for j in range(count):
            taps = (now, skips.pop()) if joins else (now,)
            found[f"{name}.resnet.{j}"] = Feed(taps, f"{prefix}.resnets.{j}", "resnet")
            now = f"{name}.resnet.{j}.out"
            if attends:
                found[f"{name}.attention.{j}"] = Feed((now,), f"{prefix}.attentions.{j}", "attention")
                now = f"{name}.attention.{j}.out"
            if not joins:
                skips.append(f"skip.{len(skips)}")

    for i in range(levels):
        level(f"down.{i}", f"down_blocks.{i}", layers, attention[i], joins=False)
        if i < levels - 1:
            found[f"down.{i}.sample"] = Feed((now,), f"down_blocks.{i}.downsamplers.0", "down")
            now = f"down.{i}.sample.out"
            skips.append(f"skip.{len(skips)}")
    for j in range(2):
        found[f"mid.resnet.{j}"] = Feed((now,), f"mid_block.resnets.{j}", "resnet")
        now = f"mid.resnet.{j}.out"
        if j == 0:
            found["mid.attention.0"] = Feed((now,), "mid_block.attentions.0", "attention")
            now = "mid.attention.0.out"
    for i in range(levels):
        level(f"up.{i}", f"up_blocks.{i}", layers + 1, attention[levels - 1 - i], joins=True)
        if i < levels - 1:
            found[f"up.{i}.sample"] = Feed((now,), f"up_blocks.{i}.upsamplers.0", "up")
            now = f"up.{i}.sample.out"
    return found


def skip_sources(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The block that gives each skip; with strength 1, "skip.3" is that block's output."""
    order = wiring(config)
    last = len(config["block_out_channels"]) - 1
    found = ["conv_in"]
    for i in range(last + 1):
        for j in range(config["layers_per_block"]):
            attention = f"down.{i}.attention.{j}"
            found.append(attention if attention in order else f"down.{i}.resnet.{j}")
        if i < last:
            found.append(f"down.{i}.sample")
    return tuple(found)


def attentions(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the attention blocks, in the order of the net."""
    return tuple(name for name, feed in wiring(config).items() if feed.kind == "attention")


def resnets(config: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the residual blocks, in the order of the net."""
    return tuple(name for name, feed in wiring(config).items() if feed.kind == "resnet")


# ---------------------------------------------------------------- small pieces, in float64


def silu(x: np.ndarray) -> np.ndarray:
    x = np.asarray(x, np.float64)
    return np.asarray(x / (1 + np.exp(-x)))


def softmax(scores: np.ndarray) -> np.ndarray:
    """Over the last axis."""
    shifted = np.exp(np.asarray(scores, np.float64) - np.max(scores, axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def group_norm(x: np.ndarray, weight: np.ndarray, bias: np.ndarray, groups: int) -> np.ndarray:
    """(C, H, W), normalised over each group of channels."""
    x = np.asarray(x, np.float64)
    grouped = x.reshape(groups, -1)
    mean, variance = grouped.mean(1, keepdims=True), grouped.var(1, keepdims=True)
    normal = ((grouped - mean) / np.sqrt(variance + EPSILON)).reshape(x.shape)
    gain, offset = weight.astype(np.float64)[:, None, None], bias.astype(np.float64)[:, None, None]
    return np.asarray(normal * gain + offset)


def sinusoid(t: Times, channels: int) -> np.ndarray:
    """(…, channels): cosines, then sines, of t times 1 … 1/10000 in equal ratios."""
    half = channels // 2
    frequencies = np.exp(-np.log(10000) * np.arange(half) / half)
    angle = np.asarray(t, np.float64)[..., None] * frequencies
    return np.concatenate([np.cos(angle), np.sin(angle)], axis=-1)


def time_embedding(state: Arrays, t: Times, channels: int) -> np.ndarray:
    """(…, E): what the two linear layers make of the sinusoid."""
    w1, b1, w2, b2 = (
        state[f"time_embedding.{name}"].astype(np.float64)
        for name in ("linear_1.weight", "linear_1.bias", "linear_2.weight", "linear_2.bias")
    )
    return np.asarray(silu(sinusoid(t, channels) @ w1.T + b1) @ w2.T + b2)


def shifts(state: Arrays, prefix: str, t: Times, label: int, channels: int) -> np.ndarray:
    """(…, C): what a residual block adds to each of its channels when it is told t and the label."""
    embedding = time_embedding(state, t, channels) + state["class_embedding.weight"][label].astype(np.float64)
    weight = state[f"{prefix}.time_emb_proj.weight"].astype(np.float64)
    return np.asarray(silu(embedding) @ weight.T + state[f"{prefix}.time_emb_proj.bias"].astype(np.float64))


def window(x: np.ndarray, row: int, column: int, stride: int = 1, size: int = 3) -> np.ndarray:
    """(C, size, size): what a padded convolution reads for one cell of its output; zeros outside."""
    pad = size // 2
    padded = np.pad(np.asarray(x, np.float64), ((0, 0), (pad, pad), (pad, pad)))
    top, left = row * stride, column * stride
    return padded[:, top : top + size, left : left + size]


def conv_terms(weight: np.ndarray, piece: np.ndarray) -> list[Term]:
    """weight (C, k, k) of one output channel, piece (C, k, k) of its input; label: channel, place from the middle."""
    k = weight.shape[-1]
    return [
        (
            rf"c{c}" if k == 1 else rf"c{c},\,{dy - k // 2:+d}{dx - k // 2:+d}",
            float(weight[c, dy, dx]),
            float(piece[c, dy, dx]),
        )
        for c in range(weight.shape[0])
        for dy in range(k)
        for dx in range(k)
    ]


# ---------------------------------------------------------------- sums


@dataclass(frozen=True)
class Sum:
    """A number as a sum of products. expected: what the net has there. slack: of `formula.work`."""

    terms: list[Term]
    bias: float
    expected: float
    symbol: str
    formula: str
    slack: float = 8.0


Cell = Mapping[str, int]  # "channel", "row", "column", or "head", "query", "key", …


def needed(config: Mapping[str, Any], tap: str) -> tuple[str, ...] | None:
    """The taps that a number of `tap` is made from; None where it is no sum of products that could be shown.

    Normed maps (`norm`, `final`) depend on whole groups of channels; the inner skips are copies of a block's output.
    """
    fixed: dict[str, tuple[str, ...]] = {
        "skip.0": ("skip.0",),
        "output": ("final", "output"),
        "time.embedding": ("time.sinusoid", "time.embedding"),
        "embedding": ("time.embedding", "label.embedding", "embedding"),
    }
    if tap in fixed:
        return fixed[tap]
    block, _, part = tap.rpartition(".")
    feed = wiring(config).get(block)
    if feed is None or part == "norm":
        return None
    if part == "shift":
        return ("embedding", tap)
    if feed.kind == "attention":
        sources: dict[str, tuple[str, ...]] = {
            "q": feed.taps,
            "k": feed.taps,
            "v": feed.taps,
            "weights": (f"{block}.q", f"{block}.k"),
            "heads": (f"{block}.weights", f"{block}.v"),
            "out": (f"{block}.heads", *feed.taps),
        }
        return (*sources[part], tap)
    if part == "hidden":
        return (*feed.taps, f"{block}.shift", tap)
    if feed.kind == "resnet":
        return (*feed.taps, f"{block}.norm", tap)
    return (*feed.taps, tap)


def sum_of(
    state: Arrays, config: Mapping[str, Any], taps: Arrays, tap: str, cell: Cell, x: np.ndarray
) -> Sum | None:
    """The number at `cell` of `tap` as a sum. taps: those of `needed`, with the batch. x: (1, C, H, W), the input.

    None where the tap is no sum (see `needed`; attention weights are a softmax of `scores`).
    """
    if needed(config, tap) is None or tap.endswith(".weights"):
        return None
    c = cell.get("channel", 0)
    if tap == "time.embedding":
        first = {
            name: state[f"time_embedding.linear_1.{name}"].astype(np.float64) for name in ("weight", "bias")
        }
        inner = silu(first["weight"] @ taps["time.sinusoid"][0].astype(np.float64) + first["bias"])
        return _linear(
            state, "time_embedding.linear_2", c, inner, taps[tap][0, c], "e^t_c",
            r"e^t_c=\sum_k W^{(2)}_{ck}\,\mathrm{SiLU}\big(W^{(1)}s+b^{(1)}\big)_k+b^{(2)}_c",
        )  # fmt: skip
    if tap == "embedding":
        parts = (("time.embedding", r"e^t_c"), ("label.embedding", r"E_{yc}"))
        terms = [(name, 1.0, float(taps[part][0, c])) for part, name in parts]
        return Sum(terms, 0.0, float(taps[tap][0, c]), "e_c", r"e_c=e^t_c+E_{yc}")
    if tap in ("skip.0", "output"):
        name, source, read = (
            ("conv_in", x[0], "x_t") if tap == "skip.0" else ("conv_out", taps["final"][0], "f")
        )
        formula = rf"y_{{cij}}=\sum_{{k,m,n}}W_{{ckmn}}\,({read})_{{k,\,i+m-1,\,j+n-1}}+b_c"
        return _conv(
            state, name, c, source, cell, float(taps[tap][0, c, cell["row"], cell["column"]]), formula
        )
    block, _, part = tap.rpartition(".")
    feed = wiring(config)[block]
    if part == "shift":
        return _linear(
            state, f"{feed.prefix}.time_emb_proj", c, silu(taps["embedding"][0]), taps[tap][0, c], "u_c",
            r"u_c=\sum_k W_{ck}\,\mathrm{SiLU}(e_k)+b_c",
        )  # fmt: skip
    groups = config["norm_num_groups"]
    if feed.kind == "attention":
        return _attention(state, feed, taps, block, part, cell, groups)
    source = np.concatenate([taps[name][0] for name in feed.taps])
    expected = float(taps[tap][0, c, cell["row"], cell["column"]])
    if feed.kind == "down":
        formula = r"y_{cij}=\sum_{k,m,n}W_{ckmn}\,x_{k,\,2i+m-1,\,2j+n-1}+b_c"
        return _conv(state, f"{feed.prefix}.conv", c, source, cell, expected, formula, stride=2)
    if feed.kind == "up":
        doubled = source.repeat(2, axis=1).repeat(2, axis=2)
        formula = r"y_{cij}=\sum_{k,m,n}W_{ckmn}\,x_{k,\lfloor(i+m-1)/2\rfloor,\lfloor(j+n-1)/2\rfloor}+b_c"
        return _conv(state, f"{feed.prefix}.conv", c, doubled, cell, expected, formula)
    return _resnet(state, feed, taps, block, part, cell, source, groups)


def _linear(
    state: Arrays, prefix: str, row: int, inner: np.ndarray, expected: float, symbol: str, formula: str
) -> Sum:
    """One output of a linear layer."""
    weight, bias = state[f"{prefix}.weight"][row], float(state[f"{prefix}.bias"][row])
    terms = [(rf"k={k}", float(weight[k]), float(inner[k])) for k in range(len(inner))]
    return Sum(terms, bias, float(expected), symbol, formula)


def _conv(
    state: Arrays,
    prefix: str,
    channel: int,
    source: np.ndarray,
    cell: Cell,
    expected: float,
    formula: str,
    stride: int = 1,
) -> Sum:
    """One output of a 3x3 convolution."""
    terms = conv_terms(
        state[f"{prefix}.weight"][channel], window(source, cell["row"], cell["column"], stride)
    )
    return Sum(terms, float(state[f"{prefix}.bias"][channel]), expected, "y_{cij}", formula)


def _resnet(
    state: Arrays,
    feed: Feed,
    taps: Arrays,
    block: str,
    part: str,
    cell: Cell,
    source: np.ndarray,
    groups: int,
) -> Sum:
    """A number of `hidden` or `out` of a residual block that reads `source` (C, H, W)."""
    c, row, column = cell["channel"], cell["row"], cell["column"]
    expected = float(taps[f"{block}.{part}"][0, c, row, column])
    if part == "hidden":
        norm = (state[f"{feed.prefix}.norm1.weight"], state[f"{feed.prefix}.norm1.bias"])
        read = silu(group_norm(source, *norm, groups))
        formula = r"h_{cij}=\sum_{k,m,n}W_{ckmn}\,\mathrm{SiLU}(\mathrm{GN}(x))_{k,\,i+m-1,\,j+n-1}+u_c+b_c"
        made = _conv(state, f"{feed.prefix}.conv1", c, read, cell, expected, formula)
        terms = [*made.terms, ("u_c", 1.0, float(taps[f"{block}.shift"][0, c]))]
        return Sum(terms, made.bias, expected, "h_{cij}", formula)
    own = r"y_{cij}=\sum_{k,m,n}W_{ckmn}\,n_{k,\,i+m-1,\,j+n-1}"
    made = _conv(state, f"{feed.prefix}.conv2", c, taps[f"{block}.norm"][0], cell, expected, own)
    if f"{feed.prefix}.conv_shortcut.weight" not in state:
        terms = [*made.terms, ("x_{cij}", 1.0, float(source[c, row, column]))]
        return Sum(terms, made.bias, expected, "y_{cij}", own + r"+x_{cij}+b_c")
    weight = state[f"{feed.prefix}.conv_shortcut.weight"][c, :, 0, 0]
    terms = [
        *made.terms,
        *((rf"x_{{{k}}}", float(weight[k]), float(source[k, row, column])) for k in range(len(source))),
    ]
    bias = made.bias + float(state[f"{feed.prefix}.conv_shortcut.bias"][c])
    return Sum(terms, bias, expected, "y_{cij}", own + r"+\sum_k W^s_{ck}\,x_{kij}+b_c+b^s_c")


def _attention(
    state: Arrays, feed: Feed, taps: Arrays, block: str, part: str, cell: Cell, groups: int
) -> Sum:
    """A number of q, k, v, of what a head gathers, or of the block's output."""
    if part == "heads":
        h, p, d = cell["head"], cell["position"], cell["channel"]
        weights, values = taps[f"{block}.weights"][0, h, p], taps[f"{block}.v"][0, h, :, d]
        terms = [(rf"j={j}", float(weights[j]), float(values[j])) for j in range(len(weights))]
        stored = float(taps[f"{block}.heads"][0, h, p, d])
        return Sum(terms, 0.0, stored, "o_{id}", r"o_{id}=\sum_j A_{ij}\,v_{jd}", slack=2.0)
    source = taps[feed.taps[0]][0]
    if part == "out":
        c, row, column = cell["channel"], cell["row"], cell["column"]
        gathered = taps[f"{block}.heads"][0, :, row * source.shape[2] + column].reshape(-1)
        formula = r"y_{cij}=x_{cij}+\sum_k W^O_{ck}\,o_{ij,k}+b_c"
        stored = float(taps[f"{block}.out"][0, c, row, column])
        made = _linear(state, f"{feed.prefix}.to_out.0", c, gathered, stored, "y_{cij}", formula)
        terms = [*made.terms, ("x_{cij}", 1.0, float(source[c, row, column]))]
        return Sum(terms, made.bias, stored, "y_{cij}", formula)
    h, p, d = cell["head"], cell["position"], cell["channel"]
    norm = (state[f"{feed.prefix}.group_norm.weight"], state[f"{feed.prefix}.group_norm.bias"])
    pixels = group_norm(source, *norm, groups).reshape(len(source), -1)[:, p]
    tap = taps[f"{block}.{part}"]
    return _linear(
        state, f"{feed.prefix}.to_{part}", h * tap.shape[-1] + d, pixels, tap[0, h, p, d], rf"{part}_{{id}}",
        rf"{part}_{{id}}=\sum_k W^{part.upper()}_{{dk}}\,\mathrm{{GN}}(x)_{{ik}}+b_d",
    )  # fmt: skip


def scores(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """(N,) q·k / sqrt(d) of one query (d,) with every key (N, d), in float64."""
    return np.asarray(k.astype(np.float64) @ q.astype(np.float64) / np.sqrt(q.size))

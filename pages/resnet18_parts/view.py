"""The numbers of the ResNet18 page: worked formulas, class evidence by position, what taking a branch out does.

numpy only. Arrays of one picture: feature maps (C, H, W), the prepared input (3, S, S).
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.assets.samples import FOLDER
from app.engine import Model
from app.engine.classify import softmax
from models.checkpoints.imagenet_classes import imagenet_classes
from models.cnn.resnet18_card import BLOCKS

EPS = 1e-5  # of every BatchNorm2d
State = Mapping[str, np.ndarray]

FEATURE_MAPS = (
    "stem",
    "pool",
    *(f"{b}.{p}" for b in BLOCKS for p in ("hidden", "residual", "shortcut", "out")),
)
STAGE_ENDS = ("layer1.1.out", "layer2.1.out", "layer3.1.out", "layer4.1.out")
LAST = "layer4.1.out"


def input_of(block: str) -> str:
    """The tap that feeds a block."""
    at = BLOCKS.index(block)
    return "pool" if at == 0 else f"{BLOCKS[at - 1]}.out"


def has_projection(block: str) -> bool:
    """Whether the shortcut of a block is a 1×1 convolution with batch norm (stride 2) instead of x itself."""
    return block in ("layer2.0", "layer3.0", "layer4.0")


# ---------------------------------------------------------------- names of the classes


ICONS = FOLDER / "emoji" / "classes"


@dataclass(frozen=True)
class ClassLabel:
    """What a class is called, and the code points of its emoji in hexadecimal ("" for an ImageNet class)."""

    name: str
    code: str = ""

    @property
    def icon(self) -> str:
        """A small drawing of the emoji as a data URI: the same on machines without an emoji font. "" for none."""
        return icon(self.code) if self.code else ""


@lru_cache(maxsize=256)
def icon(code: str) -> str:
    """The drawing of one class (48 pixels, Noto style), "" where we have none."""
    path = ICONS / f"{code}.webp"
    if not code.replace("-", "").isalnum() or not path.is_file():
        return ""
    return "data:image/webp;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def class_labels(model: Model, language: str) -> tuple[ClassLabel, ...]:
    """One label a logit: from the training report (its `classes`), else ImageNet's, else numbers."""
    count = int(model.config["num_classes"])
    entries = model.report.get("classes") or []
    if len(entries) == count:
        return tuple(
            ClassLabel(str(entry.get(language) or entry["en"]), str(entry.get("code", "")))
            for entry in entries
        )
    if count == 1000:
        return tuple(ClassLabel(name) for name in imagenet_classes(language))
    return tuple(ClassLabel(f"#{i}") for i in range(count))


# ---------------------------------------------------------------- one number, worked out


@dataclass(frozen=True)
class Worked:
    """How one number comes about: value = outer(Σ left·right + bias).

    left, right: the factors of each term (a weight and an activation; right is 1 where the terms are plain sums).
    names: what each term is, for example "c 12 (−1, +1)". bias: added once. outer: "relu", "max", "mean" or "".
    stored: what the net itself computed. scale: the terms are divided by it ("mean").
    """

    names: tuple[str, ...]
    left: np.ndarray
    right: np.ndarray
    bias: float
    outer: str
    stored: float
    scale: float = 1.0

    @property
    def terms(self) -> np.ndarray:
        return self.left.astype(np.float64) * self.right.astype(np.float64) / self.scale

    @property
    def plain(self) -> bool:
        """Whether the terms are numbers rather than products."""
        return bool(np.all(self.left == 1))

    @property
    def before(self) -> float:
        """The value before the outer function."""
        return float(self.terms.max() if self.outer == "max" else self.terms.sum() + self.bias)

    @property
    def value(self) -> float:
        return max(self.before, 0.0) if self.outer == "relu" else self.before

    @property
    def difference(self) -> float:
        return self.value - self.stored


def folded(state: State, conv: str, norm: str, channel: int) -> tuple[np.ndarray, float]:
    """One output channel of convolution and batch norm as one convolution: w' = γ/√(σ²+ε)·w, b' = β − μ·γ/√(σ²+ε).

    Returns w' (C_in, k, k) and b'.
    """
    gamma, beta, mean, var = (
        float(state[f"{norm}.{part}"][channel]) for part in ("weight", "bias", "running_mean", "running_var")
    )
    factor = gamma / np.sqrt(var + EPS)
    return state[f"{conv}.weight"][channel].astype(np.float64) * factor, beta - mean * factor


def patch(
    x: np.ndarray, row: int, column: int, kernel: int, stride: int, padding: int, fill: float = 0.0
) -> np.ndarray:
    """What cell (row, column) of a layer reads: (C, k, k), `fill` where it reads the padding."""
    channels, height, width = x.shape
    found = np.full((channels, kernel, kernel), fill, np.float64)
    top, left = row * stride - padding, column * stride - padding
    rows = slice(max(top, 0), min(top + kernel, height))
    columns = slice(max(left, 0), min(left + kernel, width))
    found[:, rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] = x[
        :, rows, columns
    ]
    return found


def term_names(channels: int, kernel: int, channel_names: Sequence[str] = ()) -> tuple[str, ...]:
    """ "c12 (−1, +1)": input channel and offset (row, column) from the middle of the kernel."""
    middle = kernel // 2

    def offset(v: int) -> str:
        return "0" if v == middle else f"{v - middle:+d}".replace("-", "−")

    prefix = channel_names or [f"c{c}" for c in range(channels)]
    if kernel == 1:
        return tuple(prefix)
    return tuple(
        f"{name} ({offset(u)}, {offset(v)})" for name in prefix for u in range(kernel) for v in range(kernel)
    )


def latex_name(name: str) -> str:
    """ "c12 (−1, +1)" as LaTeX; R, G, B and c are set upright as they are."""
    head, _, offset = name.replace("−", "-").partition(" ")
    if head[:1] == "c" and head[1:].isdigit():
        head = f"c_{{{head[1:]}}}"
    return rf"{head}\,{offset}" if offset else head


def convolved(
    state: State,
    conv: str,
    norm: str,
    x: np.ndarray,
    cell: tuple[int, int, int],
    stride: int,
    padding: int,
    outer: str,
    stored: float,
    channel_names: Sequence[str] = (),
) -> Worked:
    """A cell (channel, row, column) of convolution + batch norm (+ ReLU), batch norm folded into the weights."""
    channel, row, column = cell
    weight, bias = folded(state, conv, norm, channel)
    seen = patch(x, row, column, weight.shape[1], stride, padding)
    names = term_names(len(weight), weight.shape[1], channel_names)
    return Worked(names, weight.ravel(), seen.ravel(), bias, outer, stored)


def worked_cell(
    state: State, x: np.ndarray, taps: Mapping[str, np.ndarray], tap: str, cell: tuple[int, int, int]
) -> Worked:
    """How one number of a feature map comes about.

    x: (3, S, S), the prepared input. taps: feature maps (C, H, W), the tap's own and that which it is computed from.
    cell: (channel, row, column). Raises KeyError for a tap that is not a feature map.
    """
    if tap not in FEATURE_MAPS:
        raise KeyError(tap)
    channel, row, column = cell
    stored = float(taps[tap][channel, row, column])
    if tap == "stem":
        return convolved(state, "conv1", "bn1", x, cell, 2, 3, "relu", stored, ("R", "G", "B"))
    if tap == "pool":
        seen = patch(taps["stem"][channel : channel + 1], row, column, 3, 2, 1, fill=-np.inf).ravel()
        real = np.isfinite(seen)
        names = tuple(n for n, keep in zip(term_names(1, 3, (f"c{channel}",)), real, strict=True) if keep)
        return Worked(names, np.ones(int(real.sum())), seen[real], 0.0, "max", stored)
    block, part = tap.rsplit(".", 1)
    before, stride = taps.get(input_of(block)), 2 if has_projection(block) else 1
    if part == "hidden":
        return convolved(
            state, f"{block}.conv1", f"{block}.bn1", _need(before), cell, stride, 1, "relu", stored
        )
    if part == "residual":
        return convolved(
            state, f"{block}.conv2", f"{block}.bn2", taps[f"{block}.hidden"], cell, 1, 1, "", stored
        )
    if part == "shortcut":
        if has_projection(block):
            down = f"{block}.downsample"
            return convolved(state, f"{down}.0", f"{down}.1", _need(before), cell, stride, 0, "", stored)
        source = float(_need(before)[channel, row, column])
        return Worked((f"x, c{channel}",), np.ones(1), np.array([source]), 0.0, "", stored)
    parts = [float(taps[f"{block}.{p}"][channel, row, column]) for p in ("residual", "shortcut")]
    return Worked(("F(x)", "s(x)"), np.ones(2), np.array(parts), 0.0, "relu", stored)


def _need(array: np.ndarray | None) -> np.ndarray:
    if array is None:
        raise KeyError("the feature map that this one is computed from is not there")
    return array


def worked_logit(state: State, features: np.ndarray, target: int, stored: float) -> Worked:
    """z = Σ_c w_c·f_c + b over the channels of the mean. features: (C,)."""
    names = tuple(f"c{c}" for c in range(len(features)))
    return Worked(names, state["fc.weight"][target], features, float(state["fc.bias"][target]), "", stored)


def evidence(state: State, last: np.ndarray, target: int) -> np.ndarray:
    """What every position adds to a logit: (H, W) with z = Σ_ij evidence_ij + b.

    last: (C, H, W), the last feature map. Its positive part is the class activation map.
    """
    weight = state["fc.weight"][target].astype(np.float64)
    return np.tensordot(weight, last.astype(np.float64), axes=1) / (last.shape[1] * last.shape[2])


def worked_evidence(state: State, last: np.ndarray, target: int, stored: float) -> Worked:
    """The same logit as a sum over positions instead of channels."""
    values = evidence(state, last, target)
    names = tuple(f"({i}, {j})" for i in range(values.shape[0]) for j in range(values.shape[1]))
    return Worked(names, np.ones(values.size), values.ravel(), float(state["fc.bias"][target]), "", stored)


# ---------------------------------------------------------------- how sure


def entropy_classes(probabilities: np.ndarray) -> float:
    """Between how many classes the net hesitates: exp of the entropy, 1 (certain) .. number of classes."""
    p = probabilities[probabilities > 0].astype(np.float64)
    return float(np.exp(-(p * np.log(p)).sum()))


# ---------------------------------------------------------------- the intervention


def strengths(off: Sequence[str]) -> np.ndarray:
    """(8,) ones, 0 for the named blocks."""
    return np.array([0.0 if block in off else 1.0 for block in BLOCKS], np.float32)


@dataclass(frozen=True)
class Removal:
    """The answer with one branch of one block taken out."""

    block: str
    branch: str
    probability: float
    winner: int
    winner_probability: float


def removals(logits_of: Callable[[np.ndarray, np.ndarray], np.ndarray], target: int) -> list[Removal]:
    """Take out F(x), then the shortcut, of every block in turn (16 runs).

    logits_of: (residual strengths (8,), shortcut strengths (8,)) -> logits (classes,).
    """
    ones, found = strengths(()), []
    for branch in ("residual", "shortcut"):
        for block in BLOCKS:
            off = strengths((block,))
            p = softmax(logits_of(off, ones) if branch == "residual" else logits_of(ones, off))
            winner = int(p.argmax())
            found.append(Removal(block, branch, float(p[target]), winner, float(p[winner])))
    return found

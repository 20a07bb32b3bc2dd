r"""SDNE: an autoencoder of a graph's rows whose code keeps neighbours near. numpy only, gradients written out.

Wang, Cui and Zhu, "Structural Deep Network Embedding", KDD 2016.

    x_i = the row of node i in the adjacency matrix      y^(k) = σ(y^(k-1) W^(k) + b^(k))      x_i -> y_i -> x̂_i

    L = L_2nd + α L_1st + ν L_reg                                                                 (equation 7)
    L_2nd = ||(X̂ - X) ⊙ B||²_F      b_ij = β where s_ij > 0, else 1                               (equation 3)
    L_1st = Σ_ij s_ij ||y_i - y_j||² = 2 tr(Yᵀ L Y)     with L the Laplacian of S                   (equation 5)
    L_reg = ½ Σ_k (||W^(k)||²_F + ||Ŵ^(k)||²_F)

y_i, the middle layer, is the embedding. Nodes with the same neighbours have the same x and so the same y: second order;
L_1st draws joined nodes together: first order. A row is mostly zeros, and B makes the few ones worth keeping.

Differs from the paper: Adam from random weights, in place of stochastic gradient descent after a pre-training as a deep
belief network. X says who is joined, 0 or 1: a sigmoid reaches no further than 1, and of weights divided by the largest
most would vanish; weights speak in L_1st, where their mean is 1. As in the authors' code, a batch of rows brings those
pairs of L_1st of which it has both ends; here they are scaled up to the whole sum. X is kept sparse; X̂ is not, so that
a graph of N nodes takes time in proportion to N² · hidden.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.graph.graph import Graph
from models.graph.method import Step, require_ranges, snapshot_marks

Array = NDArray[np.float32]
Weights = dict[str, Array]
"""By name, in the order of the layers: "encoder.0.weight" (in, out), "encoder.0.bias" (out,), …, "decoder.1.bias"."""

BETAS = (0.9, 0.999)  # of Adam
TINY = 1e-8


@dataclass(frozen=True, kw_only=True)
class Config:
    """Settings of SDNE. N -> hidden -> dim -> hidden -> N, as the paper has it for its larger graphs.

    alpha, beta, nu: as above; beta = 1 treats zeros and ones alike. lr: Adam's step. batch: rows of a step.
    Raises ValueError for values out of range.
    """

    dim: int = 32
    hidden: int = 128
    alpha: float = 0.2
    beta: float = 10.0
    nu: float = 1e-4
    epochs: int = 200
    lr: float = 0.005
    batch: int = 512
    seed: int = 0
    snapshots: int = 40

    def __post_init__(self) -> None:
        require_ranges(
            self,
            {
                "dim": (1, 1024),
                "hidden": (1, 4096),
                "alpha": (0, 1000),
                "beta": (1, 1000),
                "nu": (0, 1),
                "epochs": (1, 100_000),
                "lr": (1e-5, 1),
                "batch": (2, 65_536),
                "snapshots": (1, 1000),
            },
        )


@dataclass(frozen=True)
class Losses:
    """The three terms, already with α and ν, as sums over all rows."""

    second: float
    first: float
    regular: float

    @property
    def total(self) -> float:
        return self.second + self.first + self.regular


def train(graph: Graph, config: Config) -> Iterator[Step]:
    """Train and report; `done` counts rows, `loss` is L of a batch divided by its rows.

    vectors: Y, float32 (N, dim), in (0, 1). tables, in the last step: the weights by name.
    Raises ValueError for a graph without edges.
    """
    if not graph.edges:
        raise ValueError("SDNE learns to draw a graph's edges, and this graph has none.")
    rng = np.random.default_rng(config.seed)
    x, s, count = rows(graph), ties(graph), graph.count
    net = _Net(count, config, rng)
    total = count * config.epochs
    yield Step(0, total, None, encode(net.weights, x))
    batches = -(-count // config.batch)
    snapshots = set(snapshot_marks(config.epochs * batches, config.snapshots).tolist())
    number = done = 0
    for _ in range(config.epochs):
        order = rng.permutation(count) if batches > 1 else np.arange(count)
        for nodes in np.array_split(order, batches):
            many = len(nodes)
            found, gradient = loss_and_gradient(
                net.weights,
                x[nodes],
                s[nodes][:, nodes],
                config,
                per_row=count / many,
                per_pair=count * (count - 1) / max(many * (many - 1), 1),
            )
            net.step(gradient, config.lr)
            number, done = number + 1, done + many
            yield Step(
                done,
                total,
                loss=found.total / count,
                vectors=encode(net.weights, x) if number in snapshots else None,
                epoch=done / count,
                tables={k: v.copy() for k, v in net.weights.items()} if done == total else None,
            )


def rows(graph: Graph) -> Any:
    """X as a scipy.sparse CSR array, float32 (N, N): 1 where an edge leads from a node (row) to another."""
    from scipy.sparse import csr_array

    ones = np.ones(len(graph.data), np.float32)
    return csr_array((ones, graph.indices, graph.indptr), shape=(graph.count, graph.count))


def ties(graph: Graph) -> Any:
    """S as a scipy.sparse CSR array, float32 (N, N): the weights, brought to the mean 1."""
    from scipy.sparse import csr_array

    data = (graph.data / graph.data.mean()).astype(np.float32)
    return csr_array((data, graph.indices, graph.indptr), shape=(graph.count, graph.count))


# ---------------------------------------------------------------- the net


def _sizes(count: int, config: Config) -> dict[str, tuple[int, ...]]:
    """Shapes of the weights by name."""
    inner = (count, config.hidden, config.dim)
    shapes: dict[str, tuple[int, ...]] = {}
    for side, sizes in (("encoder", inner), ("decoder", inner[::-1])):
        for k, (a, b) in enumerate(pairwise(sizes)):
            shapes[f"{side}.{k}.weight"] = (a, b)
            shapes[f"{side}.{k}.bias"] = (b,)
    return shapes


def _views(flat: Array, shapes: dict[str, tuple[int, ...]]) -> Weights:
    """The named parts of one flat array."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    return {
        name: part.reshape(shape)
        for (name, shape), part in zip(shapes.items(), np.split(flat, ends[:-1]), strict=True)
    }


class _Net:
    """The weights, views of one flat array, and what Adam (Kingma and Ba 2015, algorithm 1) remembers of them."""

    def __init__(self, count: int, config: Config, rng: np.random.Generator) -> None:
        shapes = _sizes(count, config)
        self.flat = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.weights = _views(self.flat, shapes)
        for name, array in self.weights.items():
            if name.endswith("weight"):  # Glorot and Bengio 2010, the form for sigmoids
                array[:] = rng.uniform(-1, 1, array.shape) * 4 * np.sqrt(6 / sum(array.shape))
        self.mean, self.square = np.zeros_like(self.flat), np.zeros_like(self.flat)
        self.steps = 0

    def step(self, gradient: Weights, lr: float) -> None:
        g = np.concatenate([gradient[name].ravel() for name in self.weights])
        b1, b2 = BETAS
        self.steps += 1
        self.mean += (1 - b1) * (g - self.mean)
        self.square += (1 - b2) * (g * g - self.square)
        size = np.sqrt(self.square * np.float32(1 / (1 - b2**self.steps))) + TINY
        self.flat -= np.float32(lr / (1 - b1**self.steps)) * self.mean / size


def _layers(weights: Weights) -> list[str]:
    return [name.removesuffix(".weight") for name in weights if name.endswith(".weight")]


def forward(weights: Weights, x: Any) -> dict[str, Array]:
    """What every layer says of rows x (R, N), sparse or dense: by the layer's name, "encoder.0" … "decoder.1" = x̂."""
    found: dict[str, Array] = {}
    for name in _layers(weights):
        scores = np.asarray(x @ weights[f"{name}.weight"], np.float32) + weights[f"{name}.bias"]
        x = found[name] = _sigmoid(scores)
    return found


def encode(weights: Weights, x: Any) -> Array:
    """Y, float32 (R, dim), of rows x (R, N)."""
    return forward({k: v for k, v in weights.items() if k.startswith("encoder")}, x)["encoder.1"]


def _sigmoid(x: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.maximum(x, -80))), np.float32)


# ---------------------------------------------------------------- the loss


def second_order(x: Any, x_hat: Array, beta: float) -> tuple[float, Array]:
    """||(X̂ - X) ⊙ B||²_F and its gradient in X̂, of sparse rows x (R, N) and what was made of them (R, N).

    ⊙ is elementwise, not a matrix product. Off the edges the gradient 2 (X̂ - X) ⊙ B ⊙ B is 2 X̂.
    """
    row, column = np.repeat(np.arange(x.shape[0]), np.diff(x.indptr)), x.indices
    made = x_hat[row, column]
    missed = made - x.data
    slope = 2 * x_hat
    slope[row, column] = 2 * beta**2 * missed
    return float((x_hat**2).sum() - (made**2).sum() + beta**2 * (missed**2).sum()), slope


def first_order(s: Any, y: Array) -> tuple[float, Array]:
    """Σ_ij s_ij ||y_i - y_j||² and its gradient in y, of sparse s (R, R) and codes y (R, d).

    2 tr(Yᵀ L Y) where s is symmetric. The gradient in y_i is 2 Σ_j (s_ij + s_ji) (y_i - y_j).
    """
    both = s + s.T
    pull = both.sum(1)[:, None] * y - both @ y
    return float((y * pull).sum()), 2 * pull


def loss_and_gradient(
    weights: Weights, x: Any, s: Any, config: Config, per_row: float = 1.0, per_pair: float = 1.0
) -> tuple[Losses, Weights]:
    """L and its gradient in every weight, from rows x (R, N) and the ties s (R, R) among their nodes.

    per_row, per_pair: how many times L_2nd and L_1st are taken, where the rows stand for more than themselves.
    """
    acts = forward(weights, x)
    second, slope_x = second_order(x, acts["decoder.1"], config.beta)
    first, slope_y = first_order(s, acts["encoder.1"])
    gradient: Weights = {}
    regular = 0.0
    names = _layers(weights)
    up = np.float32(per_row) * slope_x
    for number in range(len(names) - 1, -1, -1):
        name, act = names[number], acts[names[number]]
        if name == "encoder.1":
            up = up + np.float32(config.alpha * per_pair) * slope_y
        up = up * act * (1 - act)  # through the sigmoid
        w = weights[f"{name}.weight"]
        read = acts[names[number - 1]] if number else x
        gradient[f"{name}.weight"] = np.asarray(read.T @ up, np.float32) + np.float32(config.nu) * w
        gradient[f"{name}.bias"] = up.sum(0)
        regular += 0.5 * float((w**2).sum())
        if number:
            up = up @ w.T
    return Losses(per_row * second, config.alpha * per_pair * first, config.nu * regular), gradient

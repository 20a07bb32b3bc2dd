"""GCN: every node takes the mean of itself and its neighbours, weighted by their degrees.

Kipf and Welling, "Semi-Supervised Classification with Graph Convolutional Networks", ICLR 2017 (equation 2,
section 3.1; arXiv 1609.02907).

    matrix form   H' = σ(D~^-1/2 A~ D~^-1/2 H W)    A~ = A + I, D~ = the row sums of A~, the loop counted
    node form     h_i' = σ(Σ over j in N(i) and i of a~_ij h_j W / sqrt(d~_i d~_j))

A is given as edges: a_ij is the weight of the edge from j to i, so that messages run along the edges of a directed
graph and d~_i counts what arrives. An undirected graph lists each edge from both ends.
Differs from the study notes: H is the whole matrix, A is the adjacency and A~ = A + I, and d~ counts the loop.
Differs from the paper: a bias after the sum, as in its authors' code, and a node that has a loop already keeps it
as it is and gets no second one (`loops="add"` is A + I to the letter).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.edges import at, sum_at
from models.taps import Tap

LOOPS = ("keep", "add")


@dataclass(frozen=True, kw_only=True)
class GCNConfig:
    """Sizes of one GCN; the defaults are the paper's for a graph whose features are its own 34 node numbers.

    loops: "keep" gives a loop of weight 1 to nodes that have none, "add" adds 1 to the loop of every node.
    """

    in_features: int = 34
    hidden: int = 16
    num_classes: int = 2
    layers: int = 2
    dropout: float = 0.5
    loops: str = "keep"

    def __post_init__(self) -> None:
        if self.layers < 1:
            raise ValueError("a GCN has at least one layer")
        if self.loops not in LOOPS:
            raise ValueError(f"loops must be one of {LOOPS}, not {self.loops!r}")

    @classmethod
    def tiny(cls, **changes: object) -> GCNConfig:
        """A preset for tests."""
        small: dict = dict(in_features=5, hidden=6, num_classes=3)
        return cls(**(small | changes))

    @property
    def embedding(self) -> str:
        """The tap that shows the nodes' embedding: what the last layer reads, or the logits of a single layer."""
        return f"layers.{self.layers - 2}.out" if self.layers > 1 else "logits"


def with_loops(
    source: Tensor, target: Tensor, weight: Tensor, count: int, loops: str = "keep"
) -> tuple[Tensor, Tensor, Tensor]:
    """A~ as edges, (E + N,) each: the E edges as they are, then a loop at every node.

    With "keep" the added loop of a node that had one weighs 0.
    """
    added = weight.new_ones(count)  # (N,)
    if loops == "keep":
        added = (sum_at((source == target).to(weight.dtype), target, count) == 0).to(weight.dtype)
    node = torch.arange(count, device=source.device)
    return torch.cat([source, node]), torch.cat([target, node]), torch.cat([weight, added])


def normalised(source: Tensor, target: Tensor, weight: Tensor, count: int) -> Tensor:
    """(E,): a_ij / sqrt(d_i d_j) for the edge from j to i, where d is what arrives at a node; 0 where d is 0."""
    degree = sum_at(weight, target, count)  # (N,)
    inverse_root = torch.where(degree > 0, degree, torch.inf).rsqrt()
    return at(inverse_root, target) * weight * at(inverse_root, source)


class GraphConvolution(nn.Module):
    """h_i' = σ(b + Σ_j â_ij W h_j), σ = ReLU, or nothing in the last layer (equation 2)."""

    def __init__(self, in_features: int, out_features: int, last: bool, name: str):
        super().__init__()
        self.last = last
        self.linear = nn.Linear(in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.zeros(out_features))
        nn.init.xavier_uniform_(self.linear.weight)
        self.tap_transformed = Tap(f"{name}.transformed", ("node", "channel"), "nodes")
        self.tap_messages = Tap(f"{name}.messages", ("message", "channel"), "edges")
        self.tap_out = Tap(f"{name}.out", ("node", "channel"), "nodes")
        if last:
            self.tap_out = Tap("logits", ("node", "class"), "logits")

    def forward(self, h: Tensor, source: Tensor, target: Tensor, norm: Tensor) -> Tensor:
        """h: (N, F). source, target, norm: (M,), the edges of Â. Returns (N, F')."""
        transformed = self.tap_transformed(self.linear(h))  # (N, F')
        messages = self.tap_messages(at(transformed, source) * norm[:, None])  # (M, F')
        total = sum_at(messages, target, h.shape[0]) + self.bias  # (N, F')
        return self.tap_out(total if self.last else F.relu(total))


class GCN(nn.Module):
    """Classify the nodes of a graph.

    forward: x (N, in_features), source and target (E,) int64, weight (E,). Returns logits (N, num_classes).
    Taps of messages have E + N rows: one for each edge, then one for each node's own loop.
    """

    def __init__(self, config: GCNConfig):
        super().__init__()
        self.config = config
        sizes = [config.in_features, *[config.hidden] * (config.layers - 1), config.num_classes]
        self.layers = nn.ModuleList(
            GraphConvolution(sizes[i], sizes[i + 1], i == config.layers - 1, f"layers.{i}")
            for i in range(config.layers)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.tap_norm = Tap("norm", ("message",), "edges")

    def forward(self, x: Tensor, source: Tensor, target: Tensor, weight: Tensor) -> Tensor:
        source, target, weight = with_loops(
            source, target, weight, x.shape[0], self.config.loops
        )  # (E + N,) each
        norm = self.tap_norm(normalised(source, target, weight, x.shape[0]))  # (E + N,), once for all layers
        for layer in self.layers:
            x = layer(self.dropout(x), source, target, norm)
        return x

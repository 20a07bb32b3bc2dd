"""GraphSAGE: every node joins what it is with a summary of its (sampled) neighbours.

Hamilton, Ying and Leskovec, "Inductive Representation Learning on Large Graphs", NeurIPS 2017 (algorithms 1 and 2,
equations 1 and 3; arXiv 1706.02216).

    h_N(i) = AGGREGATE({h_j, j in N(i)})
    h_i'   = σ(W [h_i, h_N(i)])            W in two halves, W_self h_i + W_neigh h_N(i) + b
    h_i'   = h_i' / ||h_i'||

Aggregators: the mean, the largest entry of ReLU(W_p h_j + b) ("pooling"), or the last state of an LSTM that reads
the neighbours one after the other. Weights of edges are not used, as in the paper.
N(i) are the nodes with an edge to i. A node without neighbours aggregates to 0.
Which neighbours are read is drawn in `models.neighbours`.
Differs from the paper: no σ in the last layer, after which a linear layer classifies, as in its authors' code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.edges import at, max_at, sum_at
from models.neighbours import Hop
from models.taps import Tap


@dataclass(frozen=True, kw_only=True)
class GraphSAGEConfig:
    """Sizes of one GraphSAGE.

    aggregator: "mean", "max" or "lstm". most: how many neighbours of a node the LSTM reads at most (the paper's
    largest sample). normalise: every layer ends on the unit sphere.
    """

    in_features: int = 34
    hidden: int = 16
    num_classes: int = 2
    layers: int = 2
    aggregator: str = "mean"
    most: int = 25
    normalise: bool = True
    dropout: float = 0.5

    def __post_init__(self) -> None:
        if self.layers < 1:
            raise ValueError("a GraphSAGE has at least one layer")
        if self.aggregator not in AGGREGATORS:
            raise ValueError(f"aggregator must be one of {sorted(AGGREGATORS)}, not {self.aggregator!r}")

    @classmethod
    def tiny(cls, **changes: object) -> GraphSAGEConfig:
        """A preset for tests."""
        small: dict = dict(in_features=5, hidden=6, num_classes=3, most=4)
        return cls(**(small | changes))

    @property
    def embedding(self) -> str:
        """The tap that shows the nodes' embedding: what the head reads."""
        return f"layers.{self.layers - 1}.out"


# ---------------------------------------------------------------- aggregators


class MeanAggregator(nn.Module):
    """The mean of the neighbours (section 3.3)."""

    def __init__(self, features: int, most: int):
        super().__init__()

    def forward(self, h: Tensor, source: Tensor, target: Tensor, count: int) -> Tensor:
        """h: (N, F). Returns (count, F)."""
        degree = sum_at(torch.ones_like(target), target, count)  # (count,)
        return sum_at(at(h, source), target, count) / degree.clamp(min=1)[:, None]


class MaxAggregator(nn.Module):
    """max over j of ReLU(W_p h_j + b), entry by entry (equation 3); never below 0, and 0 without neighbours."""

    def __init__(self, features: int, most: int):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, h: Tensor, source: Tensor, target: Tensor, count: int) -> Tensor:
        return max_at(at(F.relu(self.linear(h)), source), target, count, start=0.0)


class LSTMAggregator(nn.Module):
    """The state of an LSTM after a node's last neighbour; it depends on their order (section 3.3).

    The neighbours are read in the order of the edge list, at most `most` of them. Every step reads the t-th
    neighbour of all nodes at once; nodes that have no t-th neighbour keep their state.
    """

    def __init__(self, features: int, most: int):
        super().__init__()
        self.most = most
        self.cell = nn.LSTMCell(features, features)

    def forward(self, h: Tensor, source: Tensor, target: Tensor, count: int) -> Tensor:
        degree = sum_at(torch.ones_like(target), target, count)  # (count,)
        first = degree.cumsum(0) - degree  # where each node's neighbours start once edges are sorted
        place = torch.arange(target.shape[0], device=target.device)
        order = (target * target.shape[0] + place).argsort()  # by target, then by place in the list
        neighbour = torch.cat(
            [at(source, order), source.new_zeros(1)]
        )  # (E + 1,), the last stands for nobody
        state = cell = h.new_zeros(count, h.shape[1])
        for t in range(self.most):
            there = (t < degree)[:, None]  # (count, 1)
            x = at(h, at(neighbour, (first + t).clamp(max=neighbour.shape[0] - 1)))  # (count, F)
            new_state, new_cell = self.cell(x, (state, cell))
            state, cell = torch.where(there, new_state, state), torch.where(there, new_cell, cell)
        return state


AGGREGATORS: dict[str, type[MeanAggregator | MaxAggregator | LSTMAggregator]] = {
    "mean": MeanAggregator,
    "max": MaxAggregator,
    "lstm": LSTMAggregator,
}


# ---------------------------------------------------------------- the model


class SAGELayer(nn.Module):
    """h_i' = σ(W_self h_i + W_neigh h_N(i) + b), then to length 1 (algorithm 1, lines 4 to 7)."""

    def __init__(self, config: GraphSAGEConfig, in_features: int, last: bool, name: str):
        super().__init__()
        self.normalise, self.last = config.normalise, last
        self.aggregate = AGGREGATORS[config.aggregator](in_features, config.most)
        self.self_linear = nn.Linear(in_features, config.hidden, bias=False)
        self.neighbour_linear = nn.Linear(in_features, config.hidden)
        self.tap_aggregated = Tap(f"{name}.aggregated", ("node", "channel"), "nodes")
        self.tap_out = Tap(f"{name}.out", ("node", "channel"), "nodes")

    def forward(self, h: Tensor, source: Tensor, target: Tensor, count: int | None = None) -> Tensor:
        """h: (N, F). count: only the first nodes go on (those of a sample), None for all. Returns (count, F')."""
        own = h if count is None else h[:count]
        aggregated = self.tap_aggregated(self.aggregate(h, source, target, own.shape[0]))  # (count, F)
        out = self.self_linear(own) + self.neighbour_linear(aggregated)  # (count, F')
        if not self.last:
            out = F.relu(out)
        if self.normalise:
            out = F.normalize(out, dim=-1)
        return self.tap_out(out)


class GraphSAGE(nn.Module):
    """Classify the nodes of a graph.

    forward: x (N, in_features), source and target (E,) int64, weight (E,), not used. Returns logits (N, num_classes).
    """

    def __init__(self, config: GraphSAGEConfig):
        super().__init__()
        self.config = config
        self.layers = nn.ModuleList(
            SAGELayer(
                config, config.hidden if i else config.in_features, i == config.layers - 1, f"layers.{i}"
            )
            for i in range(config.layers)
        )
        self.dropout = nn.Dropout(config.dropout)
        self.head = nn.Linear(config.hidden, config.num_classes)
        self.tap_logits = Tap("logits", ("node", "class"), "logits")

    def forward(self, x: Tensor, source: Tensor, target: Tensor, weight: Tensor | None = None) -> Tensor:
        for layer in self.layers:
            x = layer(self.dropout(x), source, target)
        return self.tap_logits(self.head(x))

    def embed(self, x: Tensor, hops: Sequence[Hop]) -> Tensor:
        """z of the wanted nodes of a sample, (count, hidden). x: (n, in_features), the rows of `Sample.nodes`."""
        for layer, hop in zip(self.layers, hops, strict=True):
            source, target = torch.from_numpy(hop.source), torch.from_numpy(hop.target)
            x = layer(self.dropout(x), source.to(x.device), target.to(x.device), hop.count)
        return x


def unsupervised_loss(u: Tensor, v: Tensor, negatives: Tensor) -> Tensor:
    """-log σ(z_u · z_v) - Σ_n log σ(-z_u · z_n), the mean over pairs (equation 1).

    u, v: (B, d), nodes that meet on a walk. negatives: (B, Q, d), drawn nodes; Q times their mean is their sum.
    """
    near = F.logsigmoid((u * v).sum(-1))  # (B,)
    far = F.logsigmoid(-(negatives @ u[:, :, None])[:, :, 0])  # (B, Q)
    return -(near + far.sum(-1)).mean()

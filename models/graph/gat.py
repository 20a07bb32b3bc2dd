"""GAT: every node decides how much it listens to each neighbour.

Veličković et al., "Graph Attention Networks", ICLR 2018 (equations 1 to 6; arXiv 1710.10903), and
Brody, Alon and Yahav, "How Attentive are Graph Attention Networks?", ICLR 2022 (equation 7; arXiv 2105.14491).

    GAT     e_ij = LeakyReLU(aᵀ [W h_i, W h_j]) = LeakyReLU(f_i + g_j)
    GATv2   e_ij = aᵀ LeakyReLU(W_t h_i + W_s h_j)        the order of neighbours may differ from node to node
    α_ij = softmax over j in N(i) and i of e_ij,    h_i' = σ(Σ_j α_ij W h_j)    (GATv2: W_s h_j)

Heads are concatenated in hidden layers (σ = ELU) and averaged in the last. N(i) are the nodes with an edge to i.
Differs from the papers: a bias after the sum, as in the authors' code. A loop of the graph is not used beside the
node's own: its weight α is 0. With `edge_weights` the score also knows the weight of the edge.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.edges import at, softmax_at, sum_at
from models.taps import Tap


@dataclass(frozen=True, kw_only=True)
class GATConfig:
    """Sizes of one GAT; heads, width, slope and dropout are the paper's for citation graphs.

    hidden: channels of each head. out_heads: heads of the last layer. version: 1 is GAT, 2 is GATv2.
    """

    in_features: int = 34
    hidden: int = 8
    num_classes: int = 2
    layers: int = 2
    heads: int = 8
    out_heads: int = 1
    version: int = 1
    slope: float = 0.2
    edge_weights: bool = False
    dropout: float = 0.6

    def __post_init__(self) -> None:
        if self.layers < 1:
            raise ValueError("a GAT has at least one layer")
        if self.version not in SCORES:
            raise ValueError(f"version must be one of {sorted(SCORES)}, not {self.version!r}")

    @classmethod
    def tiny(cls, **changes: object) -> GATConfig:
        """A preset for tests."""
        small: dict = dict(in_features=5, hidden=4, num_classes=3, heads=2, out_heads=2)
        return cls(**(small | changes))

    @property
    def embedding(self) -> str:
        """The tap that shows the nodes' embedding: what the last layer reads, or the logits of a single layer."""
        return f"layers.{self.layers - 2}.out" if self.layers > 1 else "logits"


def with_loops(
    source: Tensor, target: Tensor, weight: Tensor, count: int
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """The edges, then each node's own loop, (E + N,) each, and which of them are left out: the listed loops.

    An own loop weighs the mean of what arrives from others.
    """
    node = torch.arange(count, device=source.device)
    left_out = source == target  # (E,)
    others = (~left_out).to(weight.dtype)
    degree = sum_at(others, target, count).clamp(min=1)  # (N,)
    own = sum_at(weight * others, target, count) / degree
    return (
        torch.cat([source, node]),
        torch.cat([target, node]),
        torch.cat([weight, own]),
        torch.cat([left_out, torch.zeros_like(node, dtype=torch.bool)]),
    )


class Scores(nn.Module):
    """e_ij = LeakyReLU(a_tᵀ W h_i + a_sᵀ W h_j (+ a_eᵀ W_e w_ij)) (GAT, equation 3)."""

    def __init__(self, config: GATConfig, in_features: int, heads: int, channels: int):
        super().__init__()
        self.heads, self.channels, self.slope = heads, channels, config.slope
        self.linear = nn.Linear(in_features, heads * channels, bias=False)
        self.attend_source = nn.Parameter(torch.empty(heads, channels))
        self.attend_target = nn.Parameter(torch.empty(heads, channels))
        nn.init.xavier_uniform_(self.linear.weight)
        nn.init.xavier_uniform_(self.attend_source)
        nn.init.xavier_uniform_(self.attend_target)
        if config.edge_weights:
            self.attend_edge = nn.Parameter(torch.zeros(heads))  # a_eᵀ W_e: one number a head

    def forward(self, h: Tensor, source: Tensor, target: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        """h: (N, F). Returns W h (N, heads, C) and e (M, heads)."""
        values = self.linear(h).view(-1, self.heads, self.channels)  # (N, heads, C)
        from_source = (values * self.attend_source).sum(-1)  # (N, heads)
        from_target = (values * self.attend_target).sum(-1)
        scores = at(from_target, target) + at(from_source, source)  # (M, heads)
        if hasattr(self, "attend_edge"):
            scores = scores + weight[:, None] * self.attend_edge
        return values, F.leaky_relu(scores, self.slope)


class ScoresV2(nn.Module):
    """e_ij = aᵀ LeakyReLU(W_t h_i + W_s h_j (+ W_e w_ij)) (GATv2, equation 7)."""

    def __init__(self, config: GATConfig, in_features: int, heads: int, channels: int):
        super().__init__()
        self.heads, self.channels, self.slope = heads, channels, config.slope
        self.linear = nn.Linear(in_features, heads * channels)  # W_s
        self.target_linear = nn.Linear(in_features, heads * channels)  # W_t
        self.attend = nn.Parameter(torch.empty(heads, channels))
        for linear in (self.linear, self.target_linear):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)
        nn.init.xavier_uniform_(self.attend)
        if config.edge_weights:
            self.edge = nn.Parameter(torch.zeros(heads, channels))  # W_e

    def forward(self, h: Tensor, source: Tensor, target: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
        """h: (N, F). Returns W_s h (N, heads, C) and e (M, heads)."""
        values = self.linear(h).view(-1, self.heads, self.channels)  # (N, heads, C)
        asked = self.target_linear(h).view(-1, self.heads, self.channels)
        pairs = at(asked, target) + at(values, source)  # (M, heads, C)
        if hasattr(self, "edge"):
            pairs = pairs + weight[:, None, None] * self.edge
        return values, (F.leaky_relu(pairs, self.slope) * self.attend).sum(-1)


SCORES: dict[int, type[Scores | ScoresV2]] = {1: Scores, 2: ScoresV2}


class GATLayer(nn.Module):
    """h_i' = ELU(b + Σ_j α_ij W h_j), heads side by side; in the last layer their mean, without ELU."""

    def __init__(self, config: GATConfig, in_features: int, channels: int, last: bool, name: str):
        super().__init__()
        heads = config.out_heads if last else config.heads
        self.last = last
        self.scores = SCORES[config.version](config, in_features, heads, channels)
        self.bias = nn.Parameter(torch.zeros(channels if last else heads * channels))
        self.dropout = nn.Dropout(config.dropout)
        self.tap_values = Tap(f"{name}.values", ("node", "head", "channel"), "nodes")
        self.tap_scores = Tap(f"{name}.scores", ("message", "head"), "edges")
        self.tap_weights = Tap(f"{name}.weights", ("message", "head"), "edges")
        self.tap_messages = Tap(f"{name}.messages", ("message", "head", "channel"), "edges")
        self.tap_out = Tap(f"{name}.out", ("node", "channel"), "nodes")
        if last:
            self.tap_out = Tap("logits", ("node", "class"), "logits")

    def forward(self, h: Tensor, source: Tensor, target: Tensor, weight: Tensor, left_out: Tensor) -> Tensor:
        """h: (N, F). source, target, weight, left_out: (M,), as `with_loops` gives them. Returns (N, F')."""
        values, scores = self.scores(h, source, target, weight)
        values, scores = self.tap_values(values), self.tap_scores(scores)  # (N, heads, C), (M, heads)
        scores = scores.masked_fill(left_out[:, None], -torch.inf)
        weights = self.tap_weights(softmax_at(scores, target, h.shape[0]))  # (M, heads)
        messages = self.tap_messages(at(values, source) * self.dropout(weights)[:, :, None])  # (M, heads, C)
        total = sum_at(messages, target, h.shape[0])  # (N, heads, C)
        if self.last:
            return self.tap_out(total.mean(1) + self.bias)  # (N, C)
        return self.tap_out(F.elu(total.flatten(1) + self.bias))  # (N, heads * C)


class GAT(nn.Module):
    """Classify the nodes of a graph.

    forward: x (N, in_features), source and target (E,) int64, weight (E,). Returns logits (N, num_classes).
    Taps of messages have E + N rows: one for each edge, then one for each node's own loop.
    """

    def __init__(self, config: GATConfig):
        super().__init__()
        self.config = config
        wide = config.heads * config.hidden
        self.layers = nn.ModuleList()
        for i in range(config.layers):
            last = i == config.layers - 1
            channels = config.num_classes if last else config.hidden
            self.layers.append(
                GATLayer(config, wide if i else config.in_features, channels, last, f"layers.{i}")
            )
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, source: Tensor, target: Tensor, weight: Tensor) -> Tensor:
        source, target, weight, left_out = with_loops(source, target, weight, x.shape[0])  # (E + N,) each
        for layer in self.layers:
            x = layer(self.dropout(x), source, target, weight, left_out)
        return x

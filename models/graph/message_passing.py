"""Message passing: every node sends along its edges, adds up what arrives, and changes.

Gilmer et al., "Neural Message Passing for Quantum Chemistry", ICML 2017 (equations 1 to 3; arXiv 1704.01212).

    m_i  = Σ over j in N(i) of M(h_i, h_j, e_ij)
    h_i' = U(h_i, m_i)
    y    = R({h_i})

The study notes' "general GNN" is one choice of M and U: h_i' = σ(W_1 h_i + Σ_j W_2 h_j). The paper's own is the
other: M = A(e_ij) h_j with a net A that makes a matrix of the edge, and U a GRU.
Here e_ij is the weight of the edge from j to i. Every layer has its own M and U, and all nodes change at once.
Differs from the study notes: layers are numbered, edges have features, and there is a readout.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.edges import at, sum_at
from models.taps import Tap


@dataclass(frozen=True, kw_only=True)
class MessagePassingConfig:
    """Sizes of one message-passing network.

    form: "linear" (the notes' M and U) or "edge network" (Gilmer et al.). edge_hidden: width of the net A.
    readout: "sum" or "set2set", which looks at the nodes `looks` times.
    """

    in_features: int = 34
    hidden: int = 16
    num_classes: int = 2
    layers: int = 2
    form: str = "linear"
    edge_hidden: int = 16
    readout: str = "sum"
    looks: int = 3

    def __post_init__(self) -> None:
        if self.layers < 1:
            raise ValueError("a message-passing network has at least one layer")
        if self.form not in FORMS:
            raise ValueError(f"form must be one of {sorted(FORMS)}, not {self.form!r}")
        if self.readout not in READOUTS:
            raise ValueError(f"readout must be one of {sorted(READOUTS)}, not {self.readout!r}")

    @classmethod
    def tiny(cls, **changes: object) -> MessagePassingConfig:
        """A preset for tests."""
        small: dict = dict(in_features=5, hidden=6, num_classes=3, edge_hidden=4)
        return cls(**(small | changes))

    @property
    def embedding(self) -> str:
        """The tap that shows the nodes' embedding: what the head reads."""
        return f"layers.{self.layers - 1}.out"


# ---------------------------------------------------------------- M: what an edge carries


class LinearMessage(nn.Module):
    """M = e_ij W_2 h_j."""

    def __init__(self, config: MessagePassingConfig):
        super().__init__()
        self.linear = nn.Linear(config.hidden, config.hidden, bias=False)

    def forward(self, receiver: Tensor, sender: Tensor, weight: Tensor) -> Tensor:
        """receiver, sender: (E, F), the nodes at the ends. weight: (E,). Returns (E, F)."""
        return weight[:, None] * self.linear(sender)


class EdgeNetworkMessage(nn.Module):
    """M = A(e_ij) h_j, A a small net that makes an F x F matrix of each edge (section 5, "Edge Network")."""

    def __init__(self, config: MessagePassingConfig):
        super().__init__()
        self.hidden = config.hidden
        self.edge = nn.Sequential(
            nn.Linear(1, config.edge_hidden), nn.ReLU(), nn.Linear(config.edge_hidden, config.hidden**2)
        )

    def forward(self, receiver: Tensor, sender: Tensor, weight: Tensor) -> Tensor:
        matrix = self.edge(weight[:, None]).view(-1, self.hidden, self.hidden)  # (E, F, F)
        return (sender[:, None, :] @ matrix)[:, 0, :]  # (E, F)


# ---------------------------------------------------------------- U: what a node becomes


class AddUpdate(nn.Module):
    """U = ReLU(W_1 h_i + b + m_i)."""

    def __init__(self, config: MessagePassingConfig):
        super().__init__()
        self.linear = nn.Linear(config.hidden, config.hidden)

    def forward(self, h: Tensor, m: Tensor) -> Tensor:  # (N, F) both
        return F.relu(self.linear(h) + m)


class GRUUpdate(nn.Module):
    """U = GRU(h_i, m_i): h_i is the state, m_i the input."""

    def __init__(self, config: MessagePassingConfig):
        super().__init__()
        self.cell = nn.GRUCell(config.hidden, config.hidden)

    def forward(self, h: Tensor, m: Tensor) -> Tensor:  # (N, F) both
        return self.cell(m, h)


FORMS: dict[str, tuple[type[LinearMessage | EdgeNetworkMessage], type[AddUpdate | GRUUpdate]]] = {
    "linear": (LinearMessage, AddUpdate),
    "edge network": (EdgeNetworkMessage, GRUUpdate),
}


class MessagePassing(nn.Module):
    """One round: gather the ends of each edge, make the messages, add them at the targets, update the nodes."""

    def __init__(self, config: MessagePassingConfig, name: str):
        super().__init__()
        message, update = FORMS[config.form]
        self.message, self.update = message(config), update(config)
        self.tap_messages = Tap(f"{name}.messages", ("edge", "channel"), "edges")
        self.tap_gathered = Tap(f"{name}.gathered", ("node", "channel"), "nodes")
        self.tap_out = Tap(f"{name}.out", ("node", "channel"), "nodes")

    def forward(self, h: Tensor, source: Tensor, target: Tensor, weight: Tensor) -> Tensor:
        """h: (N, F). source, target, weight: (E,). Returns (N, F)."""
        receiver, sender = at(h, target), at(h, source)  # (E, F)
        messages = self.tap_messages(self.message(receiver, sender, weight))  # (E, F)
        gathered = self.tap_gathered(sum_at(messages, target, h.shape[0]))  # (N, F)
        return self.tap_out(self.update(h, gathered))


# ---------------------------------------------------------------- R: what the whole graph says


class SumReadout(nn.Module):
    """R = Σ_i h_i."""

    def __init__(self, config: MessagePassingConfig):
        super().__init__()

    def forward(self, h: Tensor) -> Tensor:  # (N, F) -> (F,)
        return h.sum(0)


class Set2Set(nn.Module):
    """Look at all nodes a few times, each time where an LSTM's state q points (Vinyals et al. 2016, equations 3 to 7).

    a_i = softmax over i of h_i · q,  r = Σ_i a_i h_i,  q' = LSTM([q, r]). Returns [q, r].
    """

    def __init__(self, config: MessagePassingConfig):
        super().__init__()
        self.looks = config.looks
        self.cell = nn.LSTMCell(2 * config.hidden, config.hidden)

    def forward(self, h: Tensor) -> Tensor:  # (N, F) -> (2F,)
        state = cell = h.new_zeros(1, h.shape[1])
        seen = h.new_zeros(1, 2 * h.shape[1])  # (1, 2F): q and r
        for _ in range(self.looks):
            state, cell = self.cell(seen, (state, cell))  # (1, F)
            attention = (h @ state[0]).softmax(0)  # (N,)
            seen = torch.cat([state, (attention @ h)[None]], dim=1)
        return seen[0]


READOUTS: dict[str, type[SumReadout | Set2Set]] = {"sum": SumReadout, "set2set": Set2Set}


# ---------------------------------------------------------------- the model


class MPNN(nn.Module):
    """Classify the nodes of a graph, and say something of the whole.

    forward: x (N, in_features), source and target (E,) int64, weight (E,). Returns logits (N, num_classes).
    The readout, (F,) or (2F,), is a tap.
    """

    def __init__(self, config: MessagePassingConfig):
        super().__init__()
        self.config = config
        self.encode = nn.Linear(config.in_features, config.hidden)
        self.layers = nn.ModuleList(MessagePassing(config, f"layers.{i}") for i in range(config.layers))
        self.readout = READOUTS[config.readout](config)
        self.head = nn.Linear(config.hidden, config.num_classes)
        self.tap_encoded = Tap("encoded", ("node", "channel"), "nodes")
        self.tap_readout = Tap("readout", ("channel",), "vector")
        self.tap_logits = Tap("logits", ("node", "class"), "logits")

    def forward(self, x: Tensor, source: Tensor, target: Tensor, weight: Tensor) -> Tensor:
        h = self.tap_encoded(self.encode(x))  # (N, F)
        for layer in self.layers:
            h = layer(h, source, target, weight)
        self.tap_readout(self.readout(h))
        return self.tap_logits(self.head(h))

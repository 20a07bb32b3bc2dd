"""The training of graph networks against torch_geometric's, epoch by epoch, on a graph of 10⁵ edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.graph.graph import Graph
from models.graph.task import TRAIN, Settings, features, inputs, split
from models.graph.training import Trainer
from tests.benchmarks.timing import Comparison, compare
from tests.close import distance

CLASSES = 7
LOSSES = 1e-4  # between the two libraries, after some epochs from the same weights without dropout


def random_graph(nodes: int, edges: int) -> Graph:
    """Undirected, every pair of ends alike, each once; the labels mean nothing, half of them will be told."""
    rng = np.random.default_rng(0)
    ends = rng.integers(nodes, size=(2, edges))
    ends = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    labels, names = rng.integers(CLASSES, size=nodes), [str(c) for c in range(CLASSES)]
    return Graph.of(*ends, count=nodes, labels=labels, label_names=names)


class PeerGCN(nn.Module):
    """torch_geometric's example for Cora: two GCNConv that keep the normalisation, dropout before each."""

    def __init__(self, features: int, hidden: int, dropout: float):
        from torch_geometric.nn import GCNConv

        super().__init__()
        self.first = GCNConv(features, hidden, cached=True)
        self.second = GCNConv(hidden, CLASSES, cached=True)
        self.dropout = dropout

    def forward(self, x: Tensor, edges: Tensor) -> Tensor:
        h = F.relu(self.first(F.dropout(x, self.dropout, self.training), edges))
        return self.second(F.dropout(h, self.dropout, self.training), edges)


def peer_epoch(
    peer: nn.Module, x: Tensor, edges: Tensor, known: Tensor, labels: Tensor
) -> Callable[[], float]:
    settings = Settings()
    optimiser = torch.optim.Adam(peer.parameters(), lr=settings.lr, weight_decay=settings.weight_decay)
    peer.train()

    def epoch() -> float:
        loss = F.cross_entropy(peer(x, edges)[known], labels[known])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        return float(loss.detach())

    return epoch


def gcn_epochs(folder: Path, pairs: int, quick: bool = False) -> Iterator[Comparison]:
    """One epoch of training: the app's own trainer against torch_geometric on an edge list and on a CSR matrix."""
    from torch_geometric.utils import to_torch_csr_tensor

    nodes, edges, hidden = (500, 2500, 16) if quick else (20_000, 100_000, 16)
    graph, settings = random_graph(nodes, edges), Settings()
    told = features(graph).x if not quick else np.random.default_rng(1).random((nodes, 64), np.float32)
    parts = split(graph, graph.count, 0)
    given = inputs(graph, told)
    x = torch.from_numpy(given["x"].copy())
    index = torch.tensor(np.stack([given["source"], given["target"]]))
    known, labels = torch.from_numpy(np.flatnonzero(parts == TRAIN)), torch.tensor(graph.labels)
    config: dict[str, Any] = dict(in_features=64, hidden=hidden, num_classes=CLASSES, layers=2)

    def pair(dropout: float, listed: Tensor) -> tuple[Callable[[], float], Callable[[], float]]:
        ours = Trainer("gcn", config | {"dropout": dropout}, graph, told, parts, settings)
        peer = PeerGCN(64, hidden, dropout)
        state = ours.net.state_dict()
        renamed = {"first": "layers.0", "second": "layers.1"}
        peer.load_state_dict(
            {
                f"{their}.{part}": state[f"{our}.{name}"]
                for their, our in renamed.items()
                for part, name in (("lin.weight", "linear.weight"), ("bias", "bias"))
            }
        )
        return ours.epoch, peer_epoch(peer, x, listed, known, labels)

    csr = to_torch_csr_tensor(index.flip(0), size=(nodes, nodes))
    for name, listed in (("edge list", index), ("CSR matrix", csr)):
        ours, theirs = pair(0.0, listed)
        assert distance([ours() for _ in range(5)], [theirs() for _ in range(5)]) <= LOSSES
        ours, theirs = pair(0.5, listed)
        yield compare(
            f"GCN, {graph.edges:,} edges, one epoch: ours / torch_geometric, {name}",
            ours,
            theirs,
            pairs,
            target=1.0,
        )

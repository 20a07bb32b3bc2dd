"""Train a graph network on one graph, epoch by epoch.

    for epoch in fit("gcn", config, graph, x, parts, Settings(epochs=200)):
        print(epoch.number, epoch.loss)

The same arguments give the same numbers, whoever else trains in the process meanwhile: nothing random is drawn from
torch's shared generator. Always on the CPU, where sums have one order.

Adam; cross entropy over the nodes whose labels are told (Kipf and Welling 2017, equation 10), whole graph or with drawn
neighbours (GraphSAGE, algorithm 2), or GraphSAGE's loss over pairs of nodes that meet on walks (equation 1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.build import build
from models.graph.graph import Graph
from models.graph.graphsage import GraphSAGE, unsupervised_loss
from models.graph.method import snapshot_marks
from models.graph.task import TRAIN, VALIDATION, Settings, inputs
from models.neighbours import sample
from models.registry import MODELS
from models.taps import record

WALK = 5  # nodes of a walk (Hamilton et al., section 4)
NEGATIVES = 20  # drawn for each step (the paper's Q)
PAIRS = 4096  # of one epoch of walks, at most
EVERYBODY = 2**31  # a sample's size that leaves no neighbour out


@dataclass(frozen=True, eq=False)
class Moment:
    """The net at one moment, in eval mode.

    vectors: float32 (N, d), the tap that its config calls the embedding. logits: float32 (N, C).
    validation_loss: cross entropy, NaN where there is nothing to validate. state: the weights by name.
    """

    vectors: np.ndarray
    logits: np.ndarray
    validation_loss: float
    state: dict[str, np.ndarray]


@dataclass(frozen=True)
class Epoch:
    """number: epochs trained so far, 0 for the untrained net. loss: the epoch's mean, NaN at 0.
    moment: at those epochs that are kept."""

    number: int
    loss: float
    moment: Moment | None


class SeededDropout(nn.Module):
    """Dropout that draws from a generator of its own: what others draw meanwhile changes nothing.

    One random byte decides for one number, so that p is taken to the nearest 1/256: several times faster than torch's.
    """

    def __init__(self, p: float, generator: torch.Generator):
        super().__init__()
        self.below, self.generator = round(256 * p), generator

    def forward(self, x: Tensor) -> Tensor:
        if not self.training or self.below == 0:
            return x
        words = torch.empty(-(-x.numel() // 8), dtype=torch.int64)
        words.random_(-(2**63), None, generator=self.generator)
        kept = words.view(torch.uint8)[: x.numel()].view(x.shape).ge(self.below)
        return x * kept * (256 / (256 - self.below))


def seeded(net: nn.Module, generator: torch.Generator) -> nn.Module:
    """The net with fresh weights (Glorot and Bengio 2010; vectors 0) and dropout, all drawn from this generator."""
    for parameter in net.parameters():
        if parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter, generator=generator)
        else:
            nn.init.zeros_(parameter)
    for module in list(net.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.Dropout):
                setattr(module, name, SeededDropout(child.p, generator))
    return net


def state_of(net: nn.Module) -> dict[str, np.ndarray]:
    """A copy of the weights by name."""
    return {name: value.detach().numpy().copy() for name, value in net.state_dict().items()}


class Trainer:
    """One net, one graph, one optimiser; `epoch` trains once, `moment` looks at the net as it is."""

    def __init__(
        self,
        net: str,
        config: Mapping[str, Any],
        graph: Graph,
        x: np.ndarray,
        parts: np.ndarray,
        settings: Settings,
    ):
        card = MODELS[net]
        self.graph, self.settings = graph, settings
        self.generator = torch.Generator().manual_seed(settings.seed)
        self.random = np.random.default_rng(settings.seed)
        self.net: Any = seeded(build(card, config), self.generator)
        feeds = inputs(graph, x)
        self.feeds = [torch.from_numpy(feeds[spec.name].copy()) for spec in card.inputs]
        self.x = self.feeds[0]
        labels = graph.labels if graph.labels is not None else np.full(graph.count, -1)
        self.labels = torch.from_numpy(labels.copy())
        self.train = torch.from_numpy(np.flatnonzero(parts == TRAIN))
        self.validation = torch.from_numpy(np.flatnonzero(parts == VALIDATION))
        self.optimiser = torch.optim.Adam(
            self.net.parameters(), lr=settings.lr, weight_decay=settings.weight_decay
        )
        arriving = graph.reversed()
        self.indptr, self.indices = arriving.indptr, arriving.indices

    def moment(self) -> Moment:
        name: str = self.net.config.embedding
        self.net.eval()
        with torch.inference_mode(), record([name]) as taps:
            logits = self.net(*self.feeds)
        vectors = taps[name].numpy().copy()
        if self.settings.objective == "walks":
            logits = self.by_class_means(taps[name])
        checked = float("nan")
        if len(self.validation) and logits.shape[1]:
            checked = float(F.cross_entropy(logits[self.validation], self.labels[self.validation]))
        return Moment(vectors, logits.numpy().copy(), checked, state_of(self.net))

    def by_class_means(self, z: Tensor) -> Tensor:
        """(N, C): minus the squared distance to the mean embedding of each class's known nodes."""
        classes = len(self.graph.label_names) if len(self.train) else 0
        near = torch.zeros(len(z), classes)
        for label in range(classes):
            members = self.train[self.labels[self.train] == label]
            if len(members):
                near[:, label] = -(z - z[members].mean(0)).square().sum(1)
            else:
                near[:, label] = -1e9
        return near

    def epoch(self) -> float:
        """Train once; the mean loss."""
        self.net.train()
        if self.settings.objective == "walks":
            losses = list(self.pairs_epoch())
        elif self.settings.sizes:
            losses = list(self.sampled_epoch())
        else:
            logits = self.net(*self.feeds)
            losses = [self.step(F.cross_entropy(logits[self.train], self.labels[self.train]))]
        return float(np.mean(losses))

    def step(self, loss: Tensor) -> float:
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self.optimiser.step()
        return float(loss.detach())

    # ------------------------------------------------------------ drawn neighbours

    def embed(self, nodes: np.ndarray) -> Tensor:
        """z (n, d) of these nodes, each once, from a fresh sample of their neighbourhoods."""
        assert isinstance(self.net, GraphSAGE)
        sizes = self.settings.sizes or (EVERYBODY,) * self.net.config.layers
        taken = sample(self.indptr, self.indices, nodes, sizes, self.random)
        return self.net.embed(self.x[torch.from_numpy(taken.nodes)], taken.hops)

    def sampled_epoch(self) -> Iterator[float]:
        order = self.random.permutation(self.train.numpy())
        for start in range(0, len(order), self.settings.batch):
            nodes = order[start : start + self.settings.batch]
            logits = self.net.head(self.embed(nodes))
            yield self.step(F.cross_entropy(logits, self.labels[torch.from_numpy(nodes)]))

    def pairs_epoch(self) -> Iterator[float]:
        """Pairs of a walk's first node and those after it; nodes of high degree are drawn more often as negatives."""
        first, later = self.pairs()
        degree = np.bincount(self.graph.indices, minlength=self.graph.count) + self.graph.degree
        chance = degree**0.75 / (degree**0.75).sum()
        for start in range(0, len(first), self.settings.batch):
            rows = slice(start, start + self.settings.batch)
            negatives = self.random.choice(self.graph.count, NEGATIVES, p=chance)
            wanted, place = np.unique(
                np.concatenate([first[rows], later[rows], negatives]), return_inverse=True
            )
            z = self.embed(wanted)[torch.from_numpy(place)]
            u, v, far = z.split([len(first[rows]), len(later[rows]), NEGATIVES])
            yield self.step(unsupervised_loss(u, v, far.expand(len(u), -1, -1)))

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """int64 (P,) each, in random order, from one uniform walk for each of some nodes that have an edge."""
        starts = self.random.permutation(np.flatnonzero(self.graph.degree))[: PAIRS // (WALK - 1)]
        walk = [starts]
        for _ in range(WALK - 1):
            at = walk[-1]
            degree = self.graph.degree[at]
            step = (self.random.random(len(at)) * degree).astype(np.int64)
            place = np.minimum(self.graph.indptr[at] + step, len(self.graph.indices) - 1)
            walk.append(np.where(degree > 0, self.graph.indices[place], at))  # a dead end stays
        first, later = np.tile(starts, WALK - 1), np.concatenate(walk[1:])
        order = self.random.permutation(np.flatnonzero(first != later))
        return first[order], later[order]


def fit(
    net: str,
    config: Mapping[str, Any],
    graph: Graph,
    x: np.ndarray,
    parts: np.ndarray,
    settings: Settings,
    threads: int = 1,
) -> Iterator[Epoch]:
    """The untrained net, then every epoch. Stop iterating to stop training.

    config: complete. x: float32 (N, F). parts: (N,), as `task.split` gives them. threads: of this thread's torch.
    """
    if torch.get_num_threads() != threads:
        torch.set_num_threads(threads)  # counted for each thread anew; another number sums in another order
    trainer = Trainer(net, config, graph, x, parts, settings)
    kept = set(snapshot_marks(settings.epochs, settings.snapshots).tolist())
    yield Epoch(0, float("nan"), trainer.moment())
    for number in range(1, settings.epochs + 1):
        loss = trainer.epoch()
        yield Epoch(number, loss, trainer.moment() if number in kept else None)

"""Graph embeddings against their peers, in samples a second."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from models.graph import line
from models.graph.evaluate import auc, draw_non_edges
from models.graph.graph import Graph
from models.graph.samples import sbm
from tests.benchmarks.timing import Comparison, compare

Tables = tuple[np.ndarray, np.ndarray]  # vectors and context vectors, (N, d) each
NEGATIVES = 5
BATCH = 1024  # of the peer in torch


class Ours:
    def __init__(self, graph: Graph, dim: int, samples: int) -> None:
        self.graph = graph
        self.config = line.Config(dim=dim, order="second", samples=samples, negatives=NEGATIVES, snapshots=1)

    def train(self) -> Tables:
        *_, step = line.train(self.graph, self.config)
        assert step.vectors is not None and step.context is not None
        return step.vectors, step.context


class InTorch:
    """As one would write it: two embeddings with sparse gradients, SparseAdam."""

    def __init__(self, graph: Graph, dim: int, samples: int) -> None:
        self.tail, self.head = torch.tensor(graph.row), torch.tensor(graph.indices)
        self.chances = torch.tensor(line.noise(graph))
        self.dim, self.steps = dim, samples // BATCH

    def train(self) -> Tables:
        vertex = nn.Embedding(len(self.chances), self.dim, sparse=True)
        context = nn.Embedding(len(self.chances), self.dim, sparse=True)
        nn.init.uniform_(vertex.weight, -0.5 / self.dim, 0.5 / self.dim)
        nn.init.zeros_(context.weight)
        optimizer = torch.optim.SparseAdam([vertex.weight, context.weight], lr=0.01)
        for _ in range(self.steps):
            drawn = torch.randint(len(self.tail), (BATCH,))
            others = torch.multinomial(self.chances, BATCH * NEGATIVES, replacement=True)
            u = vertex(self.tail[drawn])
            near = (u * context(self.head[drawn])).sum(1)
            far = torch.einsum("bd,bkd->bk", u, context(others.view(BATCH, NEGATIVES)))
            loss = -F.logsigmoid(near).mean() - F.logsigmoid(-far).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return vertex.weight.detach().numpy(), context.weight.detach().numpy()


class Gensim:
    """word2vec on sentences of two words, an edge each: a sample in either direction.

    The sentences are made and the words counted before the clock starts.
    """

    def __init__(self, graph: Graph, dim: int, samples: int) -> None:
        from gensim.models import Word2Vec

        drawn = np.random.default_rng(0).integers(graph.edges, size=samples // 2)
        ends = np.stack([graph.source[drawn], graph.target[drawn]], axis=1)
        self.sentences = [[graph.names[u], graph.names[v]] for u, v in ends.tolist()]
        self.names = graph.names
        self.model: Any = Word2Vec(
            vector_size=dim, window=1, sg=1, negative=NEGATIVES, sample=0, min_count=0, workers=1
        )
        self.model.build_vocab(self.sentences)

    def train(self) -> Tables:
        self.model.train(self.sentences, total_examples=len(self.sentences), epochs=1)
        place = [self.model.wv.key_to_index.get(name, 0) for name in self.names]
        return self.model.wv.vectors[place], self.model.syn1neg[place]


def tells_edges(graph: Graph, tables: Tables) -> float:
    """How often u'·u of an edge is above that of a pair that is none: whether something was learned."""
    vertex, context = tables
    others = draw_non_edges(graph, graph.edges, np.random.default_rng(0))
    edge = np.einsum("md,md->m", vertex[graph.source], context[graph.target])
    none = np.einsum("md,md->m", vertex[others[:, 0]], context[others[:, 1]])
    return auc(edge, none)


def rated(result: Comparison, samples: int) -> Comparison:
    """The same with both sides' samples a second in its name."""
    ours, peer = (samples / statistics.median(times) for times in (result.ours, result.peer))
    return replace(result, name=f"{result.name} ({ours:,.0f} / {peer:,.0f} thousand samples a second)")


def line_samples(folder: Path, pairs: int, quick: bool = False) -> Iterator[Comparison]:
    """Second-order LINE with five negatives, one thread: numpy, torch, gensim."""
    small = sbm(3, 30, 0.3, 0.02)
    blocks, samples = (10, 20 * BATCH) if quick else (100, 200 * BATCH)
    graph = sbm(blocks, 100, 0.2, 0.0001 * blocks / 100)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        for dim in (32, 128):
            name = f"LINE, {graph.count:,} nodes, {graph.edges:,} edges, {dim} numbers, {samples:,} samples"
            for peer, who, target in (
                (InTorch, "torch with SparseAdam", 1.0),
                (Gensim, "gensim's word2vec on edges", None),
            ):
                for side in (Ours, peer):
                    assert tells_edges(small, side(small, dim, 300 * BATCH).train()) > 0.8
                result = compare(
                    f"{name}: ours / {who}",
                    Ours(graph, dim, samples).train,
                    peer(graph, dim, samples).train,
                    pairs,
                    target=target,
                )
                yield rated(result, samples)
    finally:
        torch.set_num_threads(threads)

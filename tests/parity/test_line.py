"""Second-order LINE against gensim's word2vec: skip-gram on sentences of two words, an edge each.

The same objective but for one thing: gensim leaves out a negative that is the edge's own end.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from gensim.models import Word2Vec

from models.graph.evaluate import Spread, class_scores, link_scores, split_edges
from models.graph.graph import Graph
from models.graph.line import Config, train
from models.graph.samples import karate, sbm

CONFIG = Config(dim=16, order="second", samples=100_000, snapshots=1)
SEEDS = range(5)


def ours(graph: Graph, seed: int) -> np.ndarray:
    *_, step = train(graph, replace(CONFIG, seed=seed))
    assert step.vectors is not None
    return step.vectors


def word2vecs(graph: Graph, seed: int) -> np.ndarray:
    assert CONFIG.samples is not None
    rng = np.random.default_rng(seed)
    drawn = rng.integers(graph.edges, size=CONFIG.samples // 2)  # a sentence is a sample in either direction
    ends = np.stack([graph.source[drawn], graph.target[drawn]], axis=1)
    model: Any = Word2Vec(
        [[graph.names[u], graph.names[v]] for u, v in ends.tolist()],
        vector_size=CONFIG.dim,
        window=1,
        sg=1,
        negative=CONFIG.negatives,
        ns_exponent=CONFIG.power,
        alpha=CONFIG.lr,
        sample=0,
        min_count=1,
        epochs=1,
        workers=1,
        seed=seed + 1,
    )
    return np.stack([model.wv[name] for name in graph.names])


@pytest.mark.parametrize("name", ["karate", "sbm"])
def test_scores_are_not_below_those_of_word2vec_on_the_edges(name: str):
    """Node classification and link prediction: the mean over seeds is within the seeds' spread, or above."""
    graph = karate() if name == "karate" else sbm(3, 30, 0.3, 0.05, seed=1)
    labels = graph.labels
    assert labels is not None
    split = split_edges(graph, 0.2, seed=1)
    found = {}
    for method in (ours, word2vecs):
        whole = [class_scores(method(graph, seed), labels, 0.5, seed).micro for seed in SEEDS]
        hidden = [link_scores(method(split.graph, seed), split, seed).auc["dot"] for seed in SEEDS]
        found[method.__name__] = Spread.of(whole), Spread.of(hidden)
    for we, they in zip(found["ours"], found["word2vecs"], strict=True):
        assert we.mean >= they.mean - max(we.sd, they.sd, 0.01)

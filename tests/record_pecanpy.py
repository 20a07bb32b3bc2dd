"""Records PecanPy's node2vec scores into tests/models/graph/pecanpy.json, which test_skipgram.py compares ours with.

PecanPy pins numpy below 2, so it cannot stand in requirements-test.txt beside the rest. In an environment of its own:

    python -m venv pecanpy && pecanpy/bin/pip install "pecanpy==2.0.9" "numpy<2"
    NUMBA_DISABLE_JIT=1 pecanpy/bin/python -m tests.record_pecanpy        (compiling takes longer than these walks)

Its walks, its own start of the vectors, and the word2vec it uses (gensim), with frequent nodes not thinned out.
"""

from __future__ import annotations

import json
import platform
from importlib.metadata import version
from pathlib import Path

from gensim.models import Word2Vec
from pecanpy import pecanpy

from models.graph import samples
from models.graph.graph import Graph
from tests.models.graph.scores import same_label_auc

TARGET = Path(__file__).parent / "models" / "graph" / "pecanpy.json"
SEEDS = 5
SETTINGS = {"dim": 64, "walks": 10, "length": 40, "window": 5, "epochs": 3, "negatives": 5}
BIASES = [(1.0, 1.0), (0.25, 4.0), (4.0, 0.25)]
GRAPHS = {
    "karate": lambda: samples.karate(),
    "sbm": lambda: samples.sbm(3, 30, 0.15, 0.05, seed=1),
}


def score(graph: Graph, p: float, q: float, seed: int) -> float:
    names = [str(v) for v in range(graph.count)]
    theirs = pecanpy.DenseOTF.from_mat(
        graph.adjacency(), names, p=p, q=q, workers=1, verbose=False, random_state=seed
    )
    # its length counts steps, ours nodes
    walks = theirs.simulate_walks(SETTINGS["walks"], SETTINGS["length"] - 1)
    model = Word2Vec(
        walks,
        vector_size=SETTINGS["dim"],
        window=SETTINGS["window"],
        epochs=SETTINGS["epochs"],
        negative=SETTINGS["negatives"],
        sg=1,
        sample=0,
        min_count=0,
        workers=1,
        seed=seed,
    )
    return same_label_auc(model.wv[names], graph.labels)


def main() -> None:
    scores = [
        {
            "graph": name,
            "p": p,
            "q": q,
            "auc": [round(score(build(), p, q, seed), 4) for seed in range(SEEDS)],
        }
        for name, build in GRAPHS.items()
        for p, q in BIASES
    ]
    versions = {name: version(name) for name in ("pecanpy", "gensim", "numpy")}
    versions["python"] = platform.python_version()
    report = {"versions": versions, "settings": SETTINGS, "scores": scores}
    TARGET.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

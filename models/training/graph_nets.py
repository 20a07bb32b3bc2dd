"""Train the embedded weights of the graph networks, record the trainings and measure over seeds: seconds each.

    python -m models.training.graph_nets                 # all of them
    python -m models.training.graph_nets gcn:karate      # one

Every net is trained on a sample that is here too, told four labels of each class. Written beside the weights: the
report with the scores of ten seeds (each another split and another training), the recorded run that an installation
without torch shows, and for the first weights of a net the over-smoothing against depth.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from models.build import build
from models.card import ModelCard, Weights
from models.graph import samples
from models.graph.task import TEST, TRAIN, VALIDATION, Settings
from models.graph.training import seeded, state_of
from models.graph.trials import Run, Scores, Tick, one_run, over_depths, over_seeds
from models.registry import MODELS
from models.training.common import machine, today, write_report
from models.weights_io import save_weights

R = TypeVar("R")
NETS = ("gcn", "graphsage", "gat", "message_passing")
SEEDS = tuple(range(10))
DEPTHS, DEPTH_SEEDS, DEPTH_EPOCHS = (1, 2, 3, 4, 6, 8, 12, 16), (0, 1, 2), 100
SETTINGS = Settings()
PARTS = {"training": TRAIN, "validation": VALIDATION, "test": TEST}


def finished(work: Generator[Tick, None, R]) -> R:
    """Do the work and give what it returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def lists(result: Any) -> dict[str, Any]:
    """A result as numbers and lists, rounded to what can be told apart."""
    return {
        name: np.round(value, 5).tolist() if isinstance(value, np.ndarray) else value
        for name, value in dataclasses.asdict(result).items()
    }


def write(card: ModelCard, weights: Weights, state: Mapping[str, np.ndarray]) -> None:
    """The weights as float16."""
    path = card.embedded_path(weights)
    save_weights(path, state)
    path.chmod(0o644)


def write_run(run: Run, path: Path) -> None:
    """The recorded run: vectors and logits as float16, the rest small."""
    np.savez_compressed(
        path,
        x=run.x.astype(np.float16),
        split=run.split,
        epochs=run.epochs.astype(np.int32),
        vectors=run.vectors.astype(np.float16),
        logits=run.logits.astype(np.float16),
        loss=run.loss,
        validation_loss=run.validation_loss,
        accuracy=run.accuracy.astype(np.float32),
    )


def score(found: Scores) -> dict[str, Any]:
    """What the badge says."""
    return {
        "accuracy": round(float(found.micro.mean()), 4),
        "sd": round(float(found.micro.std(ddof=1)), 4),
        "macro_f1": round(float(found.macro.mean()), 4),
        "logistic": round(float(found.logistic_micro.mean()), 4),
        "majority": round(float(found.majority_micro.mean()), 4),
        "seeds": len(found.seeds),
        "tested": found.tested,
    }


def trained(card: ModelCard, weights: Weights, smoothing: bool) -> None:
    """Train one set of weights and write it with all that belongs to it."""
    sample = weights.id.split("_")[0]
    graph = samples.build(sample)
    config = dict(weights.config)
    run = finished(one_run(card.slug, config, graph, SETTINGS))
    found = finished(over_seeds(card.slug, config, graph, SETTINGS, SEEDS))
    report: dict[str, Any] = {
        "slug": card.slug,
        "weights": weights.id,
        "config": config,
        "graph": {
            "sample": sample,
            "key": graph.key,
            "nodes": graph.count,
            "edges": graph.edges,
            "labels": list(graph.label_names),
        },
        "features": run.kind,
        "settings": dataclasses.asdict(SETTINGS),
        "training": {
            "date": today(),
            "torch": torch.__version__,
            "seconds": round(run.seconds, 2),
            "machine": machine(),
            "nodes": {name: int((run.split == part).sum()) for name, part in PARTS.items()},
        },
        "score": score(found),
        "scores": lists(found),
    }
    if smoothing:
        shorter = dataclasses.replace(SETTINGS, epochs=DEPTH_EPOCHS)
        series = over_depths(card.slug, config, graph, shorter, DEPTHS, DEPTH_SEEDS)
        report["smoothing"] = lists(finished(series))
    card.folder.mkdir(parents=True, exist_ok=True)
    write(card, weights, run.states[-1])
    write_run(run, card.folder / f"{weights.id}_run.npz")
    write_report(card.report_path(weights), report)
    print(card.slug, weights.id, f"{run.seconds:.1f} s", report["score"], flush=True)


def untrained(card: ModelCard, weights: Weights) -> None:
    """Random weights, to run the layers on any graph: x is then `task.projected`, 34 numbers a node."""
    net = seeded(build(card, weights.config), torch.Generator().manual_seed(0))
    write(card, weights, state_of(net))
    report = {"slug": card.slug, "weights": weights.id, "config": dict(weights.config), "features": "random"}
    write_report(card.report_path(weights), report)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("which", nargs="*", help="slug:weights, for example gcn:karate (default: all)")
    args = parser.parse_args()
    torch.set_num_threads(1)
    for net in NETS:
        card = MODELS[net]
        for number, weights in enumerate(card.weights):
            if args.which and f"{net}:{weights.id}" not in args.which:
                continue
            if weights.offered:
                trained(card, weights, smoothing=number == 0)
            else:
                untrained(card, weights)


if __name__ == "__main__":
    main()

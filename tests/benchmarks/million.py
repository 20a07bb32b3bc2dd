"""LINE on a graph of a million edges, in a process of its own: how fast, how much memory, how often it reports.

python -m tests.benchmarks.million        # one row of the table in RESULTS.md; fails above 4 GB
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import numpy as np

from models.graph import line
from models.graph.graph import Graph

NODES, EDGES, DIM = 100_000, 1_000_000, 128
MOST = 4.0  # GB
HEADER = (
    "| graph | samples | samples a second | peak memory, GB | reports | longest wait, s | target |\n"
    "|---|---|---|---|---|---|---|"
)


def graph_of(nodes: int, edges: int) -> Graph:
    """A random graph with weights; half the ends are drawn towards the first nodes, so that degrees differ widely."""
    rng = np.random.default_rng(0)
    source = (nodes * rng.random(edges) ** 2).astype(np.int64)
    return Graph.of(source, rng.integers(nodes, size=edges), rng.random(edges) + 0.1, count=nodes)


def measure(nodes: int = NODES, edges: int = EDGES, dim: int = DIM) -> tuple[str, bool]:
    """The row, and whether the peak memory of this whole process stays below the limit."""
    graph = graph_of(nodes, edges)
    config = line.Config(dim=dim, order="both", samples=graph.edges, snapshots=5)
    waits, start = [], time.perf_counter()
    before = start
    for step in line.train(graph, config):  # noqa: B007
        now = time.perf_counter()
        waits.append(now - before)
        before = now
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # kilobytes on Linux
    row = (
        f"| {nodes:,} nodes, {graph.edges:,} edges, {dim} numbers a node | {step.done:,} "
        f"| {step.done / (before - start):,.0f} | {peak:.2f} | {len(waits)} | {max(waits[1:]):.2f} "
        f"| ≤ {MOST:.0f} GB: {'yes' if peak <= MOST else 'NO'} |"
    )
    return row, peak <= MOST


def in_its_own_process() -> str:
    """The row of `measure`. Raises CalledProcessError where the limit is missed."""
    command = [sys.executable, "-m", "tests.benchmarks.million"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    found, passed = measure()
    print(found)
    sys.exit(0 if passed else 1)

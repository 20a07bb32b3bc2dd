"""Fair comparison of two ways to do the same: interleaved pairs, and the distribution of their ratio."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """Milliseconds of each of the pairs, ours and the peer's."""

    name: str
    ours: list[float]
    peer: list[float]
    target: float | None = None  # the ratio must not be above it

    @property
    def ratios(self) -> list[float]:
        return [a / b for a, b in zip(self.ours, self.peer, strict=True)]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def passed(self) -> bool:
        return self.target is None or self.ratio <= self.target

    def row(self) -> str:
        """One line of the table: medians, the ratio's median and quartiles, the target."""
        low, _, high = statistics.quantiles(self.ratios, n=4)
        target = "" if self.target is None else f"≤ {self.target:.2f}: {'yes' if self.passed else 'NO'}"
        return (
            f"| {self.name} | {statistics.median(self.ours):.1f} | {statistics.median(self.peer):.1f} "
            f"| {self.ratio:.3f} | {low:.3f} to {high:.3f} | {len(self.ours)} | {target} |"
        )


HEADER = "| ours / peer | ours, ms | peer, ms | ratio | quartiles | pairs | target |\n|---|---|---|---|---|---|---|"


SETTLE = 0.05  # seconds; OpenMP's workers spin on for milliseconds after torch's last operation


def milliseconds(call: Callable[[], object]) -> float:
    """Time of one call, begun when the threads of whatever ran before have gone to sleep."""
    time.sleep(SETTLE)
    start = time.perf_counter()
    call()
    return 1e3 * (time.perf_counter() - start)


def compare(
    name: str,
    ours: Callable[[], object],
    peer: Callable[[], object],
    pairs: int,
    target: float | None = None,
) -> Comparison:
    """Time both in turns, who goes first alternating, after each has run twice."""
    for call in (ours, peer, ours, peer):
        call()
    times: dict[str, list[float]] = {"ours": [], "peer": []}
    for turn in range(pairs):
        order = [("ours", ours), ("peer", peer)]
        for who, call in order if turn % 2 == 0 else order[::-1]:
            times[who].append(milliseconds(call))
    return Comparison(name, times["ours"], times["peer"], target)

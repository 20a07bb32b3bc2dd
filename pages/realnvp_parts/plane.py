"""The page's flow of points in the plane: clouds, training in moments, and where points are between couplings.

No Streamlit here. A film begins untrained; the same cloud, seed and number of steps give the same film.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine import Cancel, Progress
from models.generative import flow2d
from models.generative.flow2d import State

CLOUDS = ("moons", "spiral", "squares", "own")
REACH = 1.9  # of the pictures of clouds: coordinates lie in [-REACH, REACH]²
INNER = 3.4  # of the pictures between couplings, where clouds have mean 0 and spread 1
POINTS, UNSEEN, SAMPLES = 1024, 512, 320
FRAME = 20  # steps from one moment to the next
RUN, MOST = 300, 1800  # steps a press adds, and how many there may be
CELLS = 49  # of a moment's density, a side
FINE, FAR = 181, 5.0  # of the integral: places a side, half a side
BETWEEN = 4  # pictures from one coupling to the next


def cloud(name: str, own: Sequence[tuple[float, float]], seed: int, count: int = POINTS) -> np.ndarray:
    """(count, 2) float32. own: places of one's own drawing; empty falls back to the moons."""
    if name == "spiral":
        return flow2d.spiral(count, seed=seed)
    if name == "squares":
        return flow2d.squares(count, seed=seed)
    if name == "own" and len(own):
        random = np.random.Generator(np.random.Philox(key=[seed, 5]))
        at = np.asarray(own, np.float32)[random.integers(len(own), size=count)]
        return (at + 0.05 * random.standard_normal((count, 2))).astype(np.float32)
    return flow2d.moons(count, seed=seed)


@dataclass(frozen=True)
class Plan:
    """What is learned from which start."""

    name: str
    own: tuple[tuple[float, float], ...] = ()
    seed: int = 0

    @property
    def points(self) -> np.ndarray:
        return cloud(self.name, self.own, 0)

    @property
    def unseen(self) -> np.ndarray:
        return cloud(self.name, self.own, 1, UNSEEN)


@dataclass(frozen=True, eq=False)
class Moment:
    """loss: mean -log p of unseen points, nats. density (CELLS, CELLS): rows are y from below. samples (SAMPLES, 2)."""

    steps: int
    loss: float
    density: np.ndarray
    samples: np.ndarray


@dataclass(frozen=True, eq=False)
class Film:
    """The moments of a training, and the flow at its end."""

    plan: Plan
    moments: tuple[Moment, ...]
    state: State

    @property
    def steps(self) -> int:
        return self.state.steps


def grid(cells: int, reach: float) -> np.ndarray:
    """(cells², 2) places, row by row from below."""
    axis = np.linspace(-reach, reach, cells, dtype=np.float32)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


def moment(state: State, unseen: np.ndarray) -> Moment:
    density = np.exp(flow2d.log_density(state, grid(CELLS, REACH))).reshape(CELLS, CELLS)
    loss = -float(flow2d.log_density(state, unseen).mean())
    return Moment(state.steps, loss, density, flow2d.sample(state, SAMPLES))


def integral(state: State) -> float:
    """The density summed over a square far larger than the cloud: 1 but for what lies outside and between places."""
    cell = (2 * FAR / (FINE - 1)) ** 2
    return float(np.exp(flow2d.log_density(state, grid(FINE, FAR)).astype(np.float64)).sum() * cell)


def train(plan: Plan, steps: int, before: Film | None, cancel: Cancel) -> Iterator[Progress[Film]]:
    """Go on from a film of the same plan with fewer steps, else from untrained."""
    points, unseen = plan.points, plan.unseen
    if before is not None and before.plan == plan and before.steps <= steps:
        state, moments = before.state, list(before.moments)
    else:
        state = flow2d.new(points, plan.seed)
        moments = [moment(state, unseen)]
    while state.steps < steps:
        yield Progress(state.steps, steps)
        cancel.check()
        state = flow2d.train(state, points, min(FRAME, steps - state.steps))
        moments.append(moment(state, unseen))
    yield Progress(steps, steps, result=Film(plan, tuple(moments), state))


# ---------------------------------------------------------------- between couplings


def along(stations: Sequence[np.ndarray]) -> np.ndarray:
    """Stations (K + 1) x (N, 2) to (K * BETWEEN + 1, N, 2): a coupling moves one coordinate, straight."""
    parts = [
        (1 - s) * a + s * b
        for a, b in zip(stations, stations[1:], strict=False)
        for s in np.arange(BETWEEN) / BETWEEN
    ]
    return np.stack([*parts, stations[-1]])


def there(state: State, points: np.ndarray) -> np.ndarray:
    """Points from x to z, each (N, 2) at every picture between; x is shifted and scaled first."""
    return along([x for x, _ in flow2d.passages(state, points)])


def back(state: State, z: np.ndarray) -> np.ndarray:
    """z on its way back, in the order from x to z."""
    return along(flow2d.inverse_passages(state, z)[-2::-1])


def net_of_lines(step: float = 0.5, reach: float = 3.0, fine: int = 49) -> list[np.ndarray]:
    """Straight lines of the z plane, upright and level."""
    at, run = np.arange(-reach, reach + step / 2, step), np.linspace(-reach, reach, fine)
    level = [np.stack([run, np.full(fine, y)], axis=1) for y in at]
    return level + [line[:, ::-1] for line in level]


def rings(fine: int = 97) -> list[np.ndarray]:
    """Circles of radius 1, 2 and 3 around the middle of z."""
    angle = np.linspace(0, 2 * np.pi, fine)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return [r * circle for r in (1, 2, 3)]


def bent(state: State, curves: Sequence[np.ndarray]) -> list[list[np.ndarray]]:
    """Curves of the z plane as they lie at every picture between, from x to z."""
    ends = np.cumsum([len(c) for c in curves])[:-1]
    return [np.split(moved, ends) for moved in back(state, np.concatenate(curves))]

r"""A flow of points in the plane, small enough to be trained on the spot. numpy only, gradients written out.

Dinh et al., "Density estimation using Real NVP", ICLR 2017: affine couplings whose two coordinates take turns.

    coupling   (a, b) -> (a, b exp(s(a)) + t(a)),    log |det J| = s(a),    then a and b change places
    undone     (a, b) -> (a, (b - t(a)) exp(-s(a)))
    [s, t]     = a net of one number: two hidden layers of tanh; s = REACH tanh(raw / REACH)
    loss       = -mean log p(x) = mean [ |z|^2 / 2 + log 2 pi - sum s ]

A `State` never changes: a step returns a new one, so any moment can be kept, compared or taken up again, and the same
seed and steps always give the same numbers. Points are first shifted and scaled to mean 0 and spread 1 (`fit`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.floating]
REACH = 2.5  # |s| stays below: a coupling stretches by e^2.5 = 12 at most
BETAS = (0.9, 0.99)  # of Adam
TINY = 1e-8
LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class Coupling:
    """Weights of the net of one coupling: 1 -> H -> H -> 2."""

    w1: Array
    b1: Array
    w2: Array
    b2: Array
    w3: Array
    b3: Array

    def tensors(self) -> tuple[Array, ...]:
        return (self.w1, self.b1, self.w2, self.b2, self.w3, self.b3)


@dataclass(frozen=True, eq=False)
class State:
    """A moment of training. centre (2,), spread: of the points it was made for. memory: what Adam remembers."""

    couplings: tuple[Coupling, ...]
    centre: Array
    spread: float
    seed: int
    memory: tuple[tuple[Array, Array], ...]
    steps: int = 0


@dataclass(frozen=True)
class Numbers:
    """What a step saw before it moved: mean -log p of its batch in nats, norm of the gradient."""

    loss: float
    gradient: float


def new(points: ArrayLike, seed: int = 0, *, couplings: int = 8, hidden: int = 32) -> State:
    """An untrained flow, the identity but for the shift and scale of the points. Raises ValueError for bad points."""
    data = _checked(points)
    random = np.random.Generator(np.random.Philox(key=[seed, 0]))
    made = tuple(_new_coupling(hidden, random) for _ in range(couplings))
    memory = tuple((np.zeros_like(v), np.zeros_like(v)) for c in made for v in c.tensors())
    spread = float(max(data.std(0).mean(), 1e-3))
    return State(made, data.mean(0).astype(np.float32), spread, seed, memory)


def _new_coupling(hidden: int, random: np.random.Generator) -> Coupling:
    def normal(a: int, b: int, spread: float) -> Array:
        return (random.standard_normal((a, b)) * spread).astype(np.float32)

    return Coupling(
        normal(1, hidden, 1.5),
        random.uniform(-2, 2, hidden).astype(np.float32),
        normal(hidden, hidden, hidden**-0.5),
        np.zeros(hidden, np.float32),
        np.zeros((hidden, 2), np.float32),
        np.zeros(2, np.float32),
    )


# ---------------------------------------------------------------- there and back


def _net(coupling: Coupling, a: Array) -> tuple[Array, Array, Array, Array, Array]:
    """s, t, and what the way back needs: hidden layers and tanh of s. a (N,) -> (N,), (N,), (N, H), (N, H), (N,)."""
    h1 = np.tanh(a[:, None] * coupling.w1 + coupling.b1)
    h2 = np.tanh(h1 @ coupling.w2 + coupling.b2)
    out = h2 @ coupling.w3 + coupling.b3
    bent = np.tanh(out[:, 0] / REACH)
    return REACH * bent, out[:, 1], h1, h2, bent


def forward(state: State, points: ArrayLike) -> tuple[Array, Array]:
    """Points (N, 2) -> z (N, 2), log |det J| (N,), the scaling of the points included."""
    *_, (z, log_det) = passages(state, points)
    return z, log_det


def passages(state: State, points: ArrayLike) -> list[tuple[Array, Array]]:
    """Where the points are before the first coupling and after each one, and log |det J| so far."""
    x: Array = (np.asarray(points, np.float32) - state.centre) / np.float32(state.spread)
    log_det: Array = np.full(len(x), -2 * np.log(state.spread), np.float32)
    found = [(x, log_det)]
    for i, coupling in enumerate(state.couplings):
        a, b = x[:, i % 2], x[:, 1 - i % 2]
        s, t, *_ = _net(coupling, a)
        x = _pair(a, b * np.exp(s) + t, i)
        log_det = log_det + s
        found.append((x, log_det))
    return found


def _pair(a: Array, b: Array, i: int) -> Array:
    """The coordinates in their places: of coupling i, a is coordinate i mod 2."""
    return np.stack([a, b] if i % 2 == 0 else [b, a], axis=1)


def inverse(state: State, z: ArrayLike) -> Array:
    """z (N, 2) -> points (N, 2)."""
    return inverse_passages(state, z)[-1]


def inverse_passages(state: State, z: ArrayLike) -> list[Array]:
    """z, then where the points are after each coupling is undone, then the points themselves."""
    x = np.asarray(z, np.float32)
    found = [x]
    for i in range(len(state.couplings) - 1, -1, -1):
        a, b = x[:, i % 2], x[:, 1 - i % 2]
        s, t, *_ = _net(state.couplings[i], a)
        x = _pair(a, (b - t) * np.exp(-s), i)
        found.append(x)
    return [*found, x * np.float32(state.spread) + state.centre]


def log_density(state: State, points: ArrayLike) -> Array:
    """log p of points (N, 2) -> (N,), in nats."""
    z, log_det = forward(state, points)
    return -0.5 * (z * z).sum(1) - LOG_2PI + log_det


def sample(state: State, n: int, seed: int = 0) -> Array:
    """n points."""
    random = np.random.Generator(np.random.Philox(key=[seed, 1]))
    return inverse(state, random.standard_normal((n, 2), dtype=np.float32))


# ---------------------------------------------------------------- training


def gradient(state: State, points: Array) -> tuple[list[Array], float]:
    """Gradient of the mean -log p in every tensor, coupling by coupling, and the loss itself."""
    n = np.float32(len(points))
    x: Array = (points - state.centre) / np.float32(state.spread)
    log_det: Array = np.full(len(x), -2 * np.log(state.spread), np.float32)
    kept = []
    for i, coupling in enumerate(state.couplings):
        a, b = x[:, i % 2], x[:, 1 - i % 2]
        s, t, h1, h2, bent = _net(coupling, a)
        kept.append((a, b, s, h1, h2, bent))
        x = _pair(a, b * np.exp(s) + t, i)
        log_det = log_det + s
    loss = float((0.5 * (x * x).sum(1) + LOG_2PI - log_det).mean())

    towards: Array = x / n  # d loss / d x
    found: list[list[Array]] = []
    for i in range(len(state.couplings) - 1, -1, -1):
        coupling, (a, b, s, h1, h2, bent) = state.couplings[i], kept[i]
        of_a, of_b = towards[:, i % 2], towards[:, 1 - i % 2]
        stretched = of_b * np.exp(s)
        of_s = stretched * b - 1 / n
        of_out = np.stack([of_s * (1 - bent**2), of_b], axis=1)  # (N, 2)
        of_h2 = (of_out @ coupling.w3.T) * (1 - h2**2)
        of_h1 = (of_h2 @ coupling.w2.T) * (1 - h1**2)
        found.append(
            [
                a[None, :] @ of_h1,
                of_h1.sum(0),
                h1.T @ of_h2,
                of_h2.sum(0),
                h2.T @ of_out,
                of_out.sum(0),
            ]
        )
        towards = _pair(of_a + (of_h1 @ coupling.w1.T)[:, 0], stretched, i)
    return [tensor for group in reversed(found) for tensor in group], loss


def step(
    state: State, points: ArrayLike, *, lr: float = 2e-3, batch: int = 256, largest: float = 5.0
) -> tuple[State, Numbers]:
    """One Adam step on `batch` of the points, drawn with replacement; a longer gradient than `largest` is shortened."""
    data = _checked(points)
    random = np.random.Generator(np.random.Philox(key=[state.seed, 2 + state.steps]))
    found, loss = gradient(state, data[random.integers(len(data), size=batch)])
    norm = float(np.sqrt(sum(float((g * g).sum()) for g in found)))
    short = np.float32(min(1.0, largest / max(norm, TINY)))
    b1, b2 = BETAS
    steps = state.steps + 1
    memory, values = [], []
    old = [v for c in state.couplings for v in c.tensors()]
    for value, (mean, square), g in zip(old, state.memory, found, strict=True):
        g = g * short
        mean = b1 * mean + (1 - b1) * g
        square = b2 * square + (1 - b2) * g * g
        size = np.sqrt(square / (1 - b2**steps)) + TINY
        values.append((value - lr / (1 - b1**steps) * mean / size).astype(np.float32))
        memory.append((mean.astype(np.float32), square.astype(np.float32)))
    couplings = tuple(Coupling(*values[k : k + 6]) for k in range(0, len(values), 6))
    return replace(state, couplings=couplings, memory=tuple(memory), steps=steps), Numbers(loss, norm)


def train(state: State, points: ArrayLike, rounds: int, *, lr: float = 2e-3, batch: int = 256) -> State:
    """Several steps."""
    for _ in range(rounds):
        state, _ = step(state, points, lr=lr, batch=batch)
    return state


def _checked(points: ArrayLike) -> Array:
    data = np.asarray(points, np.float32)
    if data.ndim != 2 or data.shape[1] != 2 or len(data) < 2:
        raise ValueError(f"at least two points of shape (N, 2) are needed, not {data.shape}")
    if not np.isfinite(data).all():
        raise ValueError("a point is not finite")
    return data


# ---------------------------------------------------------------- clouds to learn


def moons(n: int = 1024, width: float = 0.08, seed: int = 0) -> Array:
    """Two half circles that reach into each other."""
    random = np.random.Generator(np.random.Philox(key=[seed, 0]))
    angle = np.pi * random.random(n)
    upper = np.arange(n) % 2 == 0
    x = np.where(upper, np.cos(angle) - 0.5, 0.5 - np.cos(angle))
    y = np.where(upper, np.sin(angle) - 0.25, 0.25 - np.sin(angle))
    return (np.stack([x, y], axis=1) + width * random.standard_normal((n, 2))).astype(np.float32)


def spiral(n: int = 1024, turns: float = 1.5, width: float = 0.04, seed: int = 0) -> Array:
    """One arm that winds outwards."""
    random = np.random.Generator(np.random.Philox(key=[seed, 0]))
    share = np.sqrt(random.random(n))
    angle = 2 * np.pi * turns * share
    arm = share[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return (1.2 * arm + width * random.standard_normal((n, 2))).astype(np.float32)


def squares(n: int = 1024, seed: int = 0) -> Array:
    """The black fields of a 4 x 4 board."""
    random = np.random.Generator(np.random.Philox(key=[seed, 0]))
    row = random.integers(4, size=n)
    column = 2 * random.integers(2, size=n) + row % 2
    corner = np.stack([column, row], axis=1)
    return ((corner + random.random((n, 2))) / 2 - 1).astype(np.float32)

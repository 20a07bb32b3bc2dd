r"""A GAN of points in the plane, small enough to be stepped by hand. numpy only, gradients written out.

Goodfellow et al., "Generative Adversarial Nets", NeurIPS 2014, algorithm 1.

    G: z -> 2 hidden layers -> point            D: point -> 2 hidden layers -> logit, D = sigmoid(logit)
    h' = LeakyReLU_0.2(h W + b), the last layer is linear

    D step: descend  -V = -mean log D(x) - mean log(1 - D(G(z)))     with G held fixed
    G step: descend  mean log(1 - D(G(z)))  or  mean -log D(G(z))    with D held fixed

Both with Adam. A `State` never changes: a step returns a new one, so any moment can be kept, compared or taken up
again, and the same seed and steps always give the same numbers.
Differs from the paper: Adam for gradient descent with momentum; a round may have several G steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from models.generative import gan_losses
from models.generative.gan_losses import Loss

Array = NDArray[np.float32]
SLOPE = 0.2  # of LeakyReLU where its input is negative
BETAS = (0.5, 0.999)  # of Adam; 0.5 as in the DCGAN paper: a long memory makes the two nets circle each other
TINY = 1e-8


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How a round of training goes: d_steps steps of D, then g_steps steps of G.

    lr_d, lr_g: Adam's step sizes. batch: points a step sees, of each kind.
    """

    loss: Loss = "non_saturating"
    d_steps: int = 1
    g_steps: int = 1
    lr_d: float = 2e-3
    lr_g: float = 1e-3
    batch: int = 256


# On the ring of `ring()`: all eight centres within 1000 rounds; or, with a generator that moves much faster than the
# discriminator can follow, within 120 rounds one small cloud that jumps from place to place.
COVERS = Recipe()
COLLAPSES = Recipe(lr_d=2e-4, lr_g=1e-2)


@dataclass(frozen=True, eq=False)
class Net:
    """One multilayer perceptron and what Adam remembers of it, each in one flat float32 array that nothing writes to.

    sizes: units of every layer, input and output included. steps: how many it has taken.
    """

    sizes: tuple[int, ...]
    values: Array
    mean: Array
    square: Array
    steps: int = 0

    def layers(self) -> list[tuple[Array, Array]]:
        """Weights (in, out) and biases (out,) of each layer, views of `values`."""
        return _layers(self.sizes, self.values)


@dataclass(frozen=True, eq=False)
class State:
    """A moment of the game. drawn: batches drawn so far, so that the next one is known."""

    generator: Net
    discriminator: Net
    seed: int
    drawn: int = 0

    @property
    def latent(self) -> int:
        return self.generator.sizes[0]

    @property
    def dims(self) -> int:
        return self.generator.sizes[-1]


@dataclass(frozen=True)
class Numbers:
    """What a step saw before it moved. d_real, value: None after a G step, which looks at no real point.

    d_real, d_fake: mean D of real and of made points. value: V. loss: what was descended. gradient: its norm.
    """

    d_real: float | None
    d_fake: float
    value: float | None
    loss: float
    gradient: float


# ---------------------------------------------------------------- perceptrons


def _layers(sizes: Sequence[int], flat: Array) -> list[tuple[Array, Array]]:
    found, start = [], 0
    for a, b in pairwise(sizes):
        middle = start + a * b
        found.append((flat[start:middle].reshape(a, b), flat[middle : middle + b]))
        start = middle + b
    return found


def _new_net(sizes: tuple[int, ...], random: np.random.Generator) -> Net:
    """He's initialisation, N(0, 2 / inputs); biases small so that the bends of the units are spread out."""
    parts = []
    for a, b in pairwise(sizes):
        parts.append((random.standard_normal((a, b)) * np.sqrt(2 / a)).ravel())
        parts.append(random.uniform(-0.5, 0.5, b) if b != sizes[-1] else np.zeros(b))
    values = np.concatenate(parts).astype(np.float32)
    zeros = np.zeros_like(values)
    return Net(sizes, _frozen(values), _frozen(zeros), _frozen(zeros))


def _frozen(array: NDArray[Any]) -> Array:
    array.flags.writeable = False
    return array


def _forward(net: Net, x: Array) -> tuple[Array, list[Array]]:
    """Output (N, out), and what each layer read: [(N, in), ...]."""
    read = []
    layers = net.layers()
    for i, (w, b) in enumerate(layers):
        read.append(x)
        x = x @ w
        x += b
        if i < len(layers) - 1:
            x = np.maximum(x, SLOPE * x)
    return x, read


def _backward(net: Net, read: list[Array], out: Array) -> tuple[Array, Array]:
    """Gradients of the parameters (flat, as `values`) and of the input (N, in), from that of the output."""
    flat = np.empty_like(net.values)
    slots = _layers(net.sizes, flat)
    for i in range(len(slots) - 1, -1, -1):
        w, _ = net.layers()[i]
        slot_w, slot_b = slots[i]
        np.matmul(read[i].T, out, out=slot_w)
        out.sum(axis=0, out=slot_b)
        out = out @ w.T
        if i:  # what this layer read left a LeakyReLU, which keeps the sign
            out = np.where(read[i] > 0, out, SLOPE * out)
    return flat, out


def _adam(net: Net, gradient: Array, lr: float) -> Net:
    """One Adam step (Kingma & Ba 2015, algorithm 1)."""
    b1, b2 = BETAS
    steps = net.steps + 1
    mean = b1 * net.mean + (1 - b1) * gradient
    square = b2 * net.square + (1 - b2) * gradient * gradient
    size = np.sqrt(square * (1 / (1 - b2**steps))) + TINY
    values = net.values - (lr / (1 - b1**steps)) * mean / size
    return Net(net.sizes, _frozen(values), _frozen(mean), _frozen(square), steps)


# ---------------------------------------------------------------- the game


def new(seed: int = 0, *, hidden: int = 32, latent: int = 2, dims: int = 2) -> State:
    """An untrained pair of nets. dims: coordinates of a point (1 for points on a line)."""
    random = np.random.Generator(np.random.Philox(key=[seed, 0]))
    generator = _new_net((latent, hidden, hidden, dims), random)
    discriminator = _new_net((dims, hidden, hidden, 1), random)
    return State(generator, discriminator, seed)


def noise(seed: int, n: int, latent: int = 2) -> Array:
    """Standard normal z (n, latent), always the same for a seed: to watch the same points move."""
    random = np.random.Generator(np.random.Philox(key=[seed, 1]))
    return random.standard_normal((n, latent), dtype=np.float32)


def generate(state: State, z: ArrayLike) -> Array:
    """Points G(z): (N, latent) -> (N, dims)."""
    return _forward(state.generator, np.asarray(z, np.float32))[0]


def logits(state: State, points: ArrayLike) -> Array:
    """The discriminator's logit of each point: (N, dims) -> (N,)."""
    return _forward(state.discriminator, np.asarray(points, np.float32))[0][:, 0]


def discriminate(state: State, points: ArrayLike) -> Array:
    """D of each point, in (0, 1): (N, dims) -> (N,)."""
    return gan_losses.sigmoid(logits(state, points))


def pull(state: State, points: ArrayLike, loss: Loss = "non_saturating") -> Array:
    """Where a made point would go to look more real: -dL/dpoint, (N, dims) -> (N, dims)."""
    out, read = _forward(state.discriminator, np.asarray(points, np.float32))
    return -_backward(state.discriminator, read, gan_losses.generator_gradient(out, loss))[1]


def d_gradient(state: State, real: Array, fake: Array) -> tuple[Array, Numbers]:
    """Gradient of -V in D's parameters, for these real and made points (N, dims), (M, dims)."""
    out, read = _forward(state.discriminator, np.concatenate([real, fake]))
    on_real, on_fake = out[: len(real)], out[len(real) :]
    gradient, _ = _backward(
        state.discriminator, read, np.concatenate(gan_losses.discriminator_gradients(on_real, on_fake))
    )
    v = gan_losses.value(on_real, on_fake)
    d_real, d_fake = float(gan_losses.sigmoid(on_real).mean()), float(gan_losses.sigmoid(on_fake).mean())
    return gradient, Numbers(d_real, d_fake, v, -v, _norm(gradient))


def g_gradient(state: State, z: Array, loss: Loss) -> tuple[Array, Numbers]:
    """Gradient of the generator's loss in G's parameters, for these z (N, latent)."""
    points, read_g = _forward(state.generator, z)
    out, read_d = _forward(state.discriminator, points)
    towards = gan_losses.generator_gradient(out, loss) / np.float32(len(z))
    gradient, _ = _backward(state.generator, read_g, _backward(state.discriminator, read_d, towards)[1])
    lost = float(gan_losses.generator_loss(out, loss).mean())
    return gradient, Numbers(None, float(gan_losses.sigmoid(out).mean()), None, lost, _norm(gradient))


def d_step(
    state: State, real: ArrayLike, *, lr: float = Recipe.lr_d, batch: int = Recipe.batch
) -> tuple[State, Numbers]:
    """One step of the discriminator; the generator of the new state is the very same object.

    real: the points to be learned (N, dims), of which `batch` are drawn, with replacement where there are fewer.
    Raises ValueError for points of another form or none.
    """
    points = _checked(state, real)
    random = _random(state)
    fake = generate(state, random.standard_normal((batch, state.latent), dtype=np.float32))
    gradient, numbers = d_gradient(state, points[random.integers(len(points), size=batch)], fake)
    stepped = _adam(state.discriminator, gradient, lr)
    return replace(state, discriminator=stepped, drawn=state.drawn + 1), numbers


def g_step(
    state: State, loss: Loss = "non_saturating", *, lr: float = Recipe.lr_g, batch: int = Recipe.batch
) -> tuple[State, Numbers]:
    """One step of the generator; the discriminator of the new state is the very same object."""
    z = _random(state).standard_normal((batch, state.latent), dtype=np.float32)
    gradient, numbers = g_gradient(state, z, loss)
    return replace(state, generator=_adam(state.generator, gradient, lr), drawn=state.drawn + 1), numbers


def play(state: State, real: ArrayLike, recipe: Recipe, rounds: int = 1) -> tuple[State, Numbers, Numbers]:
    """Rounds of the game; also what the last D step and the last G step saw.

    Raises ValueError where a round has no D step or no G step.
    """
    if min(rounds, recipe.d_steps, recipe.g_steps) < 1:
        raise ValueError("a round needs a step of D and a step of G")
    points = _checked(state, real)
    for _ in range(rounds):
        for _ in range(recipe.d_steps):
            state, seen_by_d = d_step(state, points, lr=recipe.lr_d, batch=recipe.batch)
        for _ in range(recipe.g_steps):
            state, seen_by_g = g_step(state, recipe.loss, lr=recipe.lr_g, batch=recipe.batch)
    return state, seen_by_d, seen_by_g


def _random(state: State) -> np.random.Generator:
    """The random numbers of the next batch: counted, so that they depend on seed and position only."""
    return np.random.Generator(np.random.Philox(key=[state.seed, 2 + state.drawn]))


def _checked(state: State, real: ArrayLike) -> Array:
    points = np.asarray(real, np.float32)
    if points.ndim != 2 or points.shape[1] != state.dims or len(points) == 0:
        raise ValueError(f"points of shape (N, {state.dims}) are needed, not {points.shape}")
    if not np.isfinite(points).all():
        raise ValueError("a point is not finite")
    return points


def _norm(gradient: Array) -> float:
    return float(np.sqrt(gradient @ gradient))


# ---------------------------------------------------------------- the optimum


def density(points: ArrayLike, at: ArrayLike, width: float = 0.12, *, without_itself: bool = False) -> Array:
    """Kernel density: the mean of a normal bell of this width on each point. (N, dims), (M, dims) -> (M,).

    without_itself: `at` are the points themselves, and each is left out of its own density.
    """
    unit = np.float32(np.sqrt(0.5) / width)
    x, y = np.asarray(points, np.float32) * unit, np.asarray(at, np.float32) * unit
    bells = np.concatenate([y, -(y * y).sum(1, keepdims=True), np.ones((len(y), 1), np.float32)], axis=1) @ (
        np.concatenate([2 * x, np.ones((len(x), 1), np.float32), -(x * x).sum(1, keepdims=True)], axis=1).T
    )  # -|x - y|^2 in one product
    np.exp(bells, out=bells)
    if without_itself:
        np.fill_diagonal(bells, 0.0)
    norm = (len(x) - without_itself) * (2 * np.pi * width**2) ** (x.shape[1] / 2)
    return bells.sum(1) / norm


def optimum(
    real: ArrayLike, fake: ArrayLike, at: ArrayLike, width: float = 0.12, floor: float = 1e-3
) -> Array:
    """D* = p / (p + q) at some places, from kernel densities of both clouds: (N, dims), (M, dims), (K, dims) -> (K,).

    floor: density that both are given everywhere, so that D* fades to 1/2 where neither cloud is.
    """
    p, q = density(real, at, width), density(fake, at, width)
    return gan_losses.optimum(p + floor, q + floor)


def best_value(real: ArrayLike, fake: ArrayLike, width: float = 0.12) -> float:
    """V(D*, G) = -2 ln 2 + 2 JSD(p, q) of the two clouds, from the same kernel densities: what D can reach at best.

    A mean over the points with each left out of its own density; near -2 ln 2 where the clouds are alike.
    """
    log_real = np.log(_share(real, fake, width)).mean()
    log_fake = np.log(_share(fake, real, width)).mean()
    return float(log_real + log_fake)


def _share(own: ArrayLike, other: ArrayLike, width: float) -> NDArray[Any]:
    """Own density as a share of both, at the own points."""
    p, q = density(own, own, width, without_itself=True), density(other, own, width)
    return (p + 1e-9) / (p + q + 2e-9)


# ---------------------------------------------------------------- what the clouds look like


def ring(n: int = 512, modes: int = 8, radius: float = 1.0, width: float = 0.06, seed: int = 0) -> Array:
    """Points around `modes` centres on a circle, evenly shared: the usual test of whether a GAN finds them all."""
    random = np.random.Generator(np.random.Philox(key=[seed, 0]))
    angle = 2 * np.pi * (np.arange(n) % modes) / modes
    centres = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return (centres + width * random.standard_normal((n, 2))).astype(np.float32)


def modes_found(fake: ArrayLike, modes: int = 8, radius: float = 1.0, reach: float = 0.25) -> int:
    """How many centres of a ring have a fair part of the points near them: a quarter of an even share at least."""
    points = np.asarray(fake, np.float64)
    angle = 2 * np.pi * np.arange(modes) / modes
    centres = radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    near = np.linalg.norm(points[:, None] - centres, axis=2) < reach
    return int((near.mean(axis=0) >= 0.25 / modes).sum())

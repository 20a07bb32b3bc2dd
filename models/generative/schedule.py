"""Diffusion's arithmetic: noise schedules, the forward process, the three predictions, and one step back.

Ho et al. 2020, "Denoising Diffusion Probabilistic Models" (DDPM); Song et al. 2021, "Denoising Diffusion Implicit
Models" (DDIM); Nichol & Dhariwal 2021 (cosine schedule, spaced steps); Salimans & Ho 2022 (v).

    x_t = sqrt(alpha_bar_t) x_0 + sqrt(1 - alpha_bar_t) epsilon,   alpha_bar_t = prod_{i<=t} (1 - beta_i)

The papers count steps 1 … T. Here t = 0 … T-1 as in the released code, so that `beta[0]` is the papers' beta_1, and
t = -1 stands for the clean image, where alpha_bar is 1.

numpy only. Functions work in the precision of the schedule (float64 as made here) and take any array shape.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

PREDICTIONS = ("epsilon", "v", "x0")
SCHEDULES = ("linear", "cosine", "scaled_linear")
SPACINGS = ("leading", "trailing", "linspace")
VARIANCES = ("fixed_small", "fixed_large")

# ---------------------------------------------------------------- schedules


@dataclass(frozen=True, eq=False)
class Schedule:
    """beta, alpha = 1 - beta and alpha_bar = their product up to t: each (T,), read only, index t = 0 … T-1."""

    name: str
    beta: np.ndarray
    alpha: np.ndarray
    alpha_bar: np.ndarray

    @classmethod
    def of(cls, beta: np.ndarray, name: str = "own") -> Schedule:
        """From any beta (T,) with values in (0, 1). Raises ValueError for others."""
        beta = np.array(beta, np.float64)
        if beta.ndim != 1 or not beta.size or not np.all((beta > 0) & (beta < 1)):
            raise ValueError("beta must be a list of numbers between 0 and 1")
        alpha = 1 - beta
        alpha_bar = np.cumprod(alpha)
        for array in (beta, alpha, alpha_bar):
            array.flags.writeable = False
        return cls(name, beta, alpha, alpha_bar)

    @classmethod
    def linear(cls, steps: int = 1000, start: float = 1e-4, end: float = 0.02) -> Schedule:
        """beta from `start` to `end` in equal steps (DDPM, section 4; the released code ends at 0.02)."""
        return cls.of(np.linspace(start, end, steps), "linear")

    @classmethod
    def cosine(cls, steps: int = 1000, offset: float = 0.008, largest: float = 0.999) -> Schedule:
        """alpha_bar follows cos^2 (Nichol & Dhariwal 2021, eq. 17); beta is at most `largest`."""

        def level(u: np.ndarray) -> np.ndarray:
            return np.cos((u + offset) / (1 + offset) * math.pi / 2) ** 2

        u = np.arange(steps + 1) / steps
        return cls.of(np.minimum(1 - level(u[1:]) / level(u[:-1]), largest), "cosine")

    @classmethod
    def scaled_linear(cls, steps: int = 1000, start: float = 0.00085, end: float = 0.012) -> Schedule:
        """sqrt(beta) in equal steps: latent diffusion's (Rombach et al. 2022; its code calls this "linear")."""
        return cls.of(np.linspace(math.sqrt(start), math.sqrt(end), steps) ** 2, "scaled_linear")

    @property
    def steps(self) -> int:
        """T."""
        return len(self.beta)

    def alpha_bar_at(self, t: int) -> np.floating:
        """alpha_bar_t; 1 for t = -1, the clean image. Raises IndexError beyond T-1."""
        return self.alpha_bar.dtype.type(1) if t < 0 else self.alpha_bar[t]

    def alpha_bar_before(self, t: int) -> np.floating:
        """alpha_bar_{t-1}, 1 for t = 0."""
        return self.alpha_bar_at(t - 1)


def named(name: str, steps: int = 1000) -> Schedule:
    """The schedule of one of SCHEDULES. Raises ValueError for another name."""
    if name not in SCHEDULES:
        raise ValueError(f"there is no schedule {name!r}; there is {', '.join(SCHEDULES)}")
    if name == "scaled_linear":
        return Schedule.scaled_linear(steps)
    return Schedule.linear(steps) if name == "linear" else Schedule.cosine(steps)


def snr(alpha_bar: np.ndarray) -> np.ndarray:
    """Signal-to-noise ratio of variances, alpha_bar / (1 - alpha_bar); infinite for a clean image."""
    alpha_bar = np.asarray(alpha_bar, np.float64)
    with np.errstate(divide="ignore"):
        return alpha_bar / (1 - alpha_bar)


def timesteps(schedule: Schedule | int, count: int, spacing: str = "trailing") -> np.ndarray:
    """Which t a sampler of `count` steps visits, (count,) int64, falling. Lin et al. 2023, table 2.

    "trailing" begins at T-1, where training's noisiest images are; "leading" ends at 0; "linspace" does both.
    Raises ValueError unless 1 <= count <= T.
    """
    total = schedule if isinstance(schedule, int) else schedule.steps
    if not 1 <= count <= total:
        raise ValueError(f"{count} steps of a schedule of {total}: from 1 to {total} are possible")
    if spacing == "trailing":
        t = np.round(total - np.arange(count) * (total / count)) - 1
    elif spacing == "leading":
        t = (np.arange(count) * (total // count))[::-1]
    elif spacing == "linspace":
        t = np.round(np.linspace(0, total - 1, count))[::-1]
    else:
        raise ValueError(f"there is no spacing {spacing!r}; there is {', '.join(SPACINGS)}")
    return t.astype(np.int64)


def last_steps(visited: np.ndarray, strength: float) -> np.ndarray:
    """The part of a sampler's steps that img2img runs: the last int(strength * steps) of them.

    The given picture is noised to the first of these and denoised from there; strength 1 keeps next to nothing of it,
    strength 0 runs no step. As in latent diffusion's img2img script. Raises ValueError for a strength beyond 0 .. 1.
    """
    if not 0 <= strength <= 1:
        raise ValueError(f"a strength of {strength}: from 0 to 1 are possible")
    count = int(strength * len(visited))
    return visited[len(visited) - count :]


# ---------------------------------------------------------------- forward


def add_noise(x0: np.ndarray, noise: np.ndarray, alpha_bar: float | np.floating | np.ndarray) -> np.ndarray:
    """x_t in closed form, DDPM eq. 4: sqrt(alpha_bar) x0 + sqrt(1 - alpha_bar) noise.

    `noise` is the noise of all steps together, which is what the net learns to find, not that of step t.
    alpha_bar: a number, or an array that broadcasts against x0.
    """
    return np.sqrt(alpha_bar) * x0 + np.sqrt(1 - alpha_bar) * noise


def forward_step(schedule: Schedule, x: np.ndarray, noise: np.ndarray, t: int) -> np.ndarray:
    """x_t from x_{t-1} and the noise of this one step, DDPM eq. 2: sqrt(1 - beta_t) x_{t-1} + sqrt(beta_t) noise."""
    return np.sqrt(schedule.alpha[t]) * x + np.sqrt(schedule.beta[t]) * noise


# ---------------------------------------------------------------- what the net predicts


def to_x0(
    prediction: str, x_t: np.ndarray, output: np.ndarray, alpha_bar: float | np.floating | np.ndarray
) -> np.ndarray:
    """The clean image that an output at x_t means. prediction: "epsilon" (DDPM eq. 15), "v" or "x0"."""
    if prediction == "x0":
        return output
    if prediction == "epsilon":
        return (x_t - np.sqrt(1 - alpha_bar) * output) / np.sqrt(alpha_bar)
    if prediction == "v":
        return np.sqrt(alpha_bar) * x_t - np.sqrt(1 - alpha_bar) * output
    raise _unknown(prediction)


def to_epsilon(
    prediction: str, x_t: np.ndarray, output: np.ndarray, alpha_bar: float | np.floating | np.ndarray
) -> np.ndarray:
    """The noise in x_t that an output means: with "x0", (x_t - sqrt(alpha_bar) x0) / sqrt(1 - alpha_bar)."""
    if prediction == "epsilon":
        return output
    if prediction == "x0":
        return (x_t - np.sqrt(alpha_bar) * output) / np.sqrt(1 - alpha_bar)
    if prediction == "v":
        return np.sqrt(alpha_bar) * output + np.sqrt(1 - alpha_bar) * x_t
    raise _unknown(prediction)


def to_v(
    prediction: str, x_t: np.ndarray, output: np.ndarray, alpha_bar: float | np.floating | np.ndarray
) -> np.ndarray:
    """The velocity v = sqrt(alpha_bar) epsilon - sqrt(1 - alpha_bar) x0 that an output at x_t means."""
    if prediction == "v":
        return output
    if prediction == "epsilon":
        return (output - np.sqrt(1 - alpha_bar) * x_t) / np.sqrt(alpha_bar)
    if prediction == "x0":
        return (np.sqrt(alpha_bar) * x_t - output) / np.sqrt(1 - alpha_bar)
    raise _unknown(prediction)


def _unknown(prediction: str) -> ValueError:
    return ValueError(f"there is no prediction {prediction!r}; there is {', '.join(PREDICTIONS)}")


# ---------------------------------------------------------------- one step back


class Gaussian(NamedTuple):
    """mean: an array; variance: one number for every cell of it."""

    mean: np.ndarray
    variance: np.floating


class Step(NamedTuple):
    """previous: the less noisy image; x0, epsilon: the clean image (clipped where asked) and noise predicted at x_t."""

    previous: np.ndarray
    x0: np.ndarray
    epsilon: np.ndarray


def posterior(
    schedule: Schedule, x0: np.ndarray, x_t: np.ndarray, t: int, before: int | None = None
) -> Gaussian:
    """q(x_before | x_t, x0), DDPM eq. 6-7. before: the next t of a sampler that leaps, by default t - 1.

    With alpha = alpha_bar_t / alpha_bar_before and beta = 1 - alpha:
    mean = (sqrt(alpha_bar_before) beta x0 + sqrt(alpha) (1 - alpha_bar_before) x_t) / (1 - alpha_bar_t),
    variance = (1 - alpha_bar_before) / (1 - alpha_bar_t) beta: 0 for the last step.
    """
    now, then, alpha = _levels(schedule, t, before)
    of_x0 = np.sqrt(then) * (1 - alpha) / (1 - now)
    of_x_t = np.sqrt(alpha) * (1 - then) / (1 - now)
    return Gaussian(of_x0 * x0 + of_x_t * x_t, (1 - then) / (1 - now) * (1 - alpha))


def _levels(schedule: Schedule, t: int, before: int | None) -> tuple[np.floating, np.floating, np.floating]:
    """alpha_bar at t and at `before`, and the alpha of the leap between them."""
    then = schedule.alpha_bar_at(t - 1 if before is None else before)
    now = schedule.alpha_bar[t]
    return now, then, now / then


def ddpm_step(
    schedule: Schedule,
    prediction: str,
    output: np.ndarray,
    x_t: np.ndarray,
    t: int,
    before: int | None = None,
    noise: np.ndarray | None = None,
    variance: str = "fixed_small",
    clip: bool = True,
) -> Step:
    """One step of DDPM, algorithm 2: posterior mean at the predicted x0, plus sigma times noise.

    output: what the net said of x_t at t. before: the t to go to (t - 1 by default; below 0 is the clean image).
    variance: sigma^2, "fixed_large" beta or "fixed_small" the posterior's; neither is learned. At the last step there
    is no noise. clip: x0 to [-1, 1], as the released sampler does.
    """
    if variance not in VARIANCES:
        raise ValueError(f"there is no variance {variance!r}; there is {', '.join(VARIANCES)}")
    now, then, alpha = _levels(schedule, t, before)
    epsilon = to_epsilon(prediction, x_t, output, now)
    x0 = to_x0(prediction, x_t, output, now)
    if clip:
        x0 = np.clip(x0, -1, 1)
    mean, smaller = posterior(schedule, x0, x_t, t, before)
    if noise is not None and then < 1:
        mean = mean + np.sqrt(1 - alpha if variance == "fixed_large" else smaller) * noise
    return Step(mean, x0, epsilon)


def ddim_step(
    schedule: Schedule,
    prediction: str,
    output: np.ndarray,
    x_t: np.ndarray,
    t: int,
    before: int | None = None,
    eta: float = 0.0,
    noise: np.ndarray | None = None,
    clip: bool = True,
    consistent: bool = False,
) -> Step:
    """One step of DDIM, eq. 12 and 16: towards the predicted x0, along the predicted noise, plus eta times noise.

    eta 0 needs no noise and makes the path a function of x_T; eta 1 is DDPM with "fixed_small".
    before, clip: as `ddpm_step`. consistent: the direction uses the noise that fits the clipped x0 and x_t instead of
    the predicted one.
    Raises ValueError where eta > 0 comes without noise.
    """
    now, then, alpha = _levels(schedule, t, before)
    epsilon = to_epsilon(prediction, x_t, output, now)
    x0 = to_x0(prediction, x_t, output, now)
    if clip:
        x0 = np.clip(x0, -1, 1)
    along = to_epsilon("x0", x_t, x0, now) if consistent else epsilon
    sigma = now.dtype.type(eta) * np.sqrt((1 - then) / (1 - now) * (1 - alpha))
    previous = np.sqrt(then) * x0 + np.sqrt(1 - then - sigma**2) * along
    if eta > 0 and then < 1:
        if noise is None:
            raise ValueError("eta above 0 needs noise")
        previous = previous + sigma * noise
    return Step(previous, x0, epsilon)


# ---------------------------------------------------------------- noise


def noise(seed: int, index: int, shape: tuple[int, ...], t: int | None = None) -> np.ndarray:
    """Standard normal noise of one sample: `shape` float32, the same for ever for the same numbers.

    It is counted, not drawn: Philox under the key `seed`, from a counter that holds `index` (which sample) and `t`
    (which step; None for the start x_T). So a sample's noise depends on nothing else: no batch, order, engine or other
    user. The uniform numbers become normal by Box & Muller here rather than by numpy's `standard_normal`, whose stream
    may change between versions: a link with a seed must keep its picture.
    seed, index: 0 … 2^63 - 1.
    """
    count = math.prod(shape)
    start = np.array([0, 0, 0 if t is None else t + 1, index], np.uint64)
    bits = np.random.Philox(counter=start, key=np.array([seed, 0], np.uint64)).random_raw(count + count % 2)
    uniform = ((bits >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53  # inside (0, 1)
    radius, angle = np.sqrt(-2 * np.log(uniform[::2])), 2 * math.pi * uniform[1::2]
    normal = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])
    return normal[:count].reshape(shape).astype(np.float32)

"""Draw pictures with a diffusion model, one step at a time, and keep the path from noise to picture.

    for progress in sample(model, Request(labels=(3, 3, 7), seed=1, steps=50)):
        print(progress.done, progress.total, progress.eta)
    progress.result.samples  # (3, C, H, W) in [-1, 1]

The loop is numpy and the same for both engines; only the net's prediction comes from them. Each step takes its own
turn in the model's queue, so several visitors move on side by side, and a cancelled run frees the model at once.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from app.engine import Cancel, EngineError, Model, Trace, run
from models.generative.schedule import (
    SPACINGS,
    VARIANCES,
    Schedule,
    Step,
    add_noise,
    ddim_step,
    ddpm_step,
    forward_step,
    named,
    noise,
    snr,
    timesteps,
)

__all__ = [
    "BadRequest",
    "Condition",
    "Forward",
    "Frame",
    "Path",
    "Plan",
    "Progress",
    "Request",
    "Start",
    "branch",
    "check",
    "check_plan",
    "forward_path",
    "guided",
    "inside",
    "noises",
    "one_of",
    "noise",
    "null_label",
    "sample",
    "schedule_of",
    "walk",
    "within",
]

MAX_SAMPLES = 16
MIN_STEPS = 5
MAX_GUIDANCE = 20.0
MAX_STRENGTH = 10.0
MAX_SEED = 2**53  # what a browser's number box can hold
SAMPLERS = ("ddim", "ddpm")

KEPT_FRAMES = 199  # with the finished picture as many as the scrubber shows
KEPT_BYTES = 64e6  # 16 emoji keep 108 frames; everything smaller its 199

# ---------------------------------------------------------------- what is asked for, what comes back


@dataclass(frozen=True, eq=False)
class Start:
    """Go on from here instead of from noise. step: which of the request's steps is next; x: (B, C, H, W) before it."""

    step: int
    x: np.ndarray


@dataclass(frozen=True)
class Request:
    """What to draw.

    labels: the class of each sample, 1 to 16; the null class (`null_label`) asks for none. seed: names all noise.
    steps: 5 to T. sampler: "ddim", where eta 0 … 1 says how much of DDPM's noise is added, or "ddpm", with `variance`
    "fixed_small" (good at any number of steps) or "fixed_large" (the first paper's; needs nearly all of them).
    guidance g: prediction without class + g (prediction with class - prediction without), so that 1 is the class
    alone and 0 no class. clip: hold the predicted x0 in [-1, 1]; DDIM then goes along the noise that fits it, without
    which guidance thickens strokes. spacing: which t are visited, see `timesteps`.
    start: go on from a step of another path. skip_strength: factors of the net's skips, from step `skip_from` on.
    index: the number under which each sample's noise is counted, by default 0, 1, …: one of a batch can be drawn alone.
    """

    labels: tuple[int, ...]
    seed: int = 0
    steps: int = 50
    eta: float = 0.0
    guidance: float = 2.0
    sampler: str = "ddim"
    clip: bool = True
    start: Start | None = None
    skip_strength: tuple[float, ...] | None = None
    skip_from: int = 0
    spacing: str = "trailing"
    variance: str = "fixed_small"
    index: tuple[int, ...] = ()


class Plan(Protocol):
    """How a path is walked, whatever the net is told: fields as in Request."""

    @property
    def seed(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def eta(self) -> float: ...
    @property
    def guidance(self) -> float: ...
    @property
    def sampler(self) -> str: ...
    @property
    def clip(self) -> bool: ...
    @property
    def spacing(self) -> str: ...
    @property
    def variance(self) -> str: ...


@dataclass(frozen=True, eq=False)
class Condition:
    """What a net is told beside x and t: its inputs by name.

    asked, without: arrays (B, ...), with what is wished for and without it. always: inputs that know no batch.
    """

    asked: Mapping[str, np.ndarray]
    without: Mapping[str, np.ndarray]
    always: Mapping[str, np.ndarray]

    def sides(self, guidance: float) -> tuple[Mapping[str, np.ndarray], ...]:
        """What has to be evaluated: one of them where guidance is 0 or 1 or both are equal, else asked and without."""
        if guidance == 0:
            return (self.without,)
        equal = all(np.array_equal(array, self.without[name]) for name, array in self.asked.items())
        return (self.asked,) if guidance == 1 or equal else (self.asked, self.without)


@dataclass(frozen=True, eq=False)
class Frame:
    """One step at t: x before it, and the x0 and epsilon that the net found in x (guidance included, x0 clipped where
    asked); arrays (B, C, H, W) float32."""

    step: int
    t: int
    alpha_bar: float
    x: np.ndarray
    x0: np.ndarray
    epsilon: np.ndarray


@dataclass(frozen=True, eq=False)
class Path:
    """The way from noise to picture: S frames kept of all steps, evenly, always the first and the last.

    step, t, alpha_bar, snr: (S,), step being its number in the request. x: (S + 1, B, C, H, W) float32, x[k] before
    kept step k, x[-1] the samples. x0, epsilon: (S, B, C, H, W), what the net found in x[k]. seconds: all steps.
    steps: how many the request has in all.
    """

    step: np.ndarray
    t: np.ndarray
    alpha_bar: np.ndarray
    snr: np.ndarray
    x: np.ndarray
    x0: np.ndarray
    epsilon: np.ndarray
    seconds: float
    steps: int

    @property
    def samples(self) -> np.ndarray:
        """(B, C, H, W), pixels about [-1, 1]."""
        return self.x[-1]

    def frame_of_step(self, step: int) -> int:
        """Which kept frame is nearest to a step of the request."""
        return int(np.argmin(np.abs(self.step - step)))


@dataclass(frozen=True)
class Progress:
    """After `done` of `total` steps: seconds so far, seconds to go (None before anything was measured), the step just
    made, and at the end the path."""

    done: int
    total: int
    seconds: float
    eta: float | None
    result: Path | None = None
    frame: Frame | None = None


class BadRequest(EngineError):
    """A request that no model can follow; `reason` is one of the messages diffuse.*."""


# ---------------------------------------------------------------- what the model says of itself


def schedule_of(model: Model) -> Schedule:
    """The noise schedule the weights were trained with."""
    return named(str(model.preprocess.get("schedule", "linear")), int(model.preprocess.get("steps", 1000)))


def prediction_of(model: Model) -> str:
    """What the net puts out: "epsilon", "v" or "x0"."""
    return str(model.preprocess.get("prediction", "epsilon"))


def null_label(model: Model) -> int:
    """The label that asks for no class."""
    return int(model.config.get("num_classes", 10))


def sample_shape(model: Model) -> tuple[int, int, int]:
    """(C, H, W) of the pictures it was trained on."""
    side = int(model.config["sample_size"])
    return int(model.config["in_channels"]), side, side


def skips_of(model: Model) -> int:
    """How many skips the net has; 0 where they cannot be scaled."""
    return next((spec.shape[0] for spec in model.card.inputs if spec.name == "skip_strength"), 0)


# ---------------------------------------------------------------- limits


def check(model: Model, request: Request) -> None:
    """Raises BadRequest for what cannot be drawn, before anything is done."""
    samples, null = len(request.labels), null_label(model)
    within("diffuse.samples", samples, 1, MAX_SAMPLES, whole=True)
    for label in request.labels:
        within("diffuse.label", label, 0, null, whole=True)
    check_plan(model, request, request.index, samples)
    if request.start is not None:
        within("diffuse.start", request.start.step, 0, request.steps - 1, whole=True)
        wanted, given = (samples, *sample_shape(model)), np.shape(request.start.x)
        if given != wanted or not np.all(np.isfinite(request.start.x)):
            raise BadRequest("diffuse.start_picture", given=str(given), wanted=str(wanted))
    if request.skip_strength is not None:
        if len(request.skip_strength) != skips_of(model):
            raise BadRequest("diffuse.skips", count=len(request.skip_strength), skips=skips_of(model))
        for strength in request.skip_strength:
            within("diffuse.skip", strength, -MAX_STRENGTH, MAX_STRENGTH)
        within("diffuse.start", request.skip_from, 0, request.steps - 1, whole=True)


def check_plan(model: Model, plan: Plan, index: Sequence[int], samples: int) -> None:
    """Raises BadRequest where the plan, or the numbers of the samples' noise, cannot be followed."""
    within("diffuse.seed", plan.seed, 0, MAX_SEED, whole=True)
    within("diffuse.steps", plan.steps, MIN_STEPS, schedule_of(model).steps, whole=True)
    within("diffuse.eta", plan.eta, 0, 1)
    within("diffuse.guidance", plan.guidance, 0, MAX_GUIDANCE)
    one_of("sampler", plan.sampler, SAMPLERS)
    one_of("spacing", plan.spacing, SPACINGS)
    one_of("variance", plan.variance, VARIANCES)
    if index and len(index) != samples:
        raise BadRequest("diffuse.index", count=len(index), samples=samples)
    for number in index:
        within("diffuse.seed", number, 0, MAX_SEED, whole=True)


def within(reason: str, value: Any, least: float, most: float, whole: bool = False) -> None:
    """Raises BadRequest unless value is a number (whole: a whole one) from least to most."""
    kinds = int | np.integer if whole else int | float | np.integer | np.floating
    if isinstance(value, bool) or not isinstance(value, kinds) or not least <= value <= most:
        raise BadRequest(reason, value=value, least=least, most=most)


def one_of(name: str, value: str, known: Sequence[str]) -> None:
    """Raises BadRequest unless value is known."""
    if value not in known:
        raise BadRequest("diffuse.choice", name=name, value=value, known=", ".join(known))


# ---------------------------------------------------------------- the loop


def sample(model: Model, request: Request, cancel: Cancel | None = None) -> Iterator[Progress]:
    """Draw, a step for each item; the last one has the result.

    What comes out depends on the request and the weights alone: x is rounded to float32 between steps, so a path
    continued from any of its frames ends in exactly the same picture.
    Raises BadRequest; Cancelled; EngineError as `run`.
    """
    check(model, request)
    index = request.index or tuple(range(len(request.labels)))
    if request.start is None:
        first, x = 0, noises(request.seed, index, sample_shape(model))
    else:
        first, x = request.start.step, np.ascontiguousarray(request.start.x, np.float32)

    def told(step: int) -> Condition:
        strength = request.skip_strength if step >= request.skip_from else None
        return _condition(model, request.labels, strength)

    yield from walk(model, request, told, x, first, index, cancel)


def walk(
    model: Model,
    plan: Plan,
    told: Callable[[int], Condition],
    x: np.ndarray,
    first: int,
    index: Sequence[int],
    cancel: Cancel | None = None,
) -> Iterator[Progress]:
    """From x (B, C, H, W) before step `first` to the end of the plan; told: what the net hears at each step.

    index: the numbers of the samples' noise. Raises Cancelled; EngineError as `run`.
    """
    schedule, prediction = schedule_of(model), prediction_of(model)
    visited = timesteps(schedule, plan.steps, plan.spacing)
    total = plan.steps - first
    kept = _Kept(total, x.shape)
    evaluations = len(x) * len(told(first).sides(plan.guidance)) if total else 0
    begin = time.perf_counter()
    rate = model.notes.get("seconds_per_sample_step")
    yield Progress(0, total, 0.0, None if rate is None else rate * total * evaluations)
    for done in range(total):
        if cancel is not None:
            cancel.check()
        step = first + done
        t = int(visited[step])
        before = int(visited[step + 1]) if step + 1 < plan.steps else -1
        started = time.perf_counter()
        output = guided(model, x, t, told(step), plan.guidance, cancel)
        made = _step(plan, schedule, prediction, output, x, t, before, index)
        x0, epsilon = made.x0.astype(np.float32), made.epsilon.astype(np.float32)
        frame = Frame(step, t, float(schedule.alpha_bar[t]), x, x0, epsilon)
        kept.add(done, frame)
        x = made.previous.astype(np.float32)
        now = time.perf_counter()
        model.notes["seconds_per_sample_step"] = (now - started) / evaluations
        seconds = now - begin
        result = kept.path(x, seconds, plan.steps) if done + 1 == total else None
        yield Progress(done + 1, total, seconds, seconds * (total - done - 1) / (done + 1), result, frame)


def predict(
    model: Model,
    x: np.ndarray,
    t: int,
    labels: Sequence[int],
    guidance: float = 1.0,
    skip_strength: Sequence[float] | None = None,
    cancel: Cancel | None = None,
) -> np.ndarray:
    """What the net says of x (B, C, H, W) at t, with guidance: (B, C, H, W) float64."""
    return guided(model, x, t, _condition(model, labels, skip_strength), guidance, cancel)


def guided(
    model: Model, x: np.ndarray, t: int, condition: Condition, guidance: float, cancel: Cancel | None = None
) -> np.ndarray:
    """What the net says of x (B, C, H, W) at t, with guidance: (B, C, H, W) float64.

    Both sides of guidance go through the net in one batch; where they would be equal there is one.
    Ho & Salimans 2022: this mixes outputs, which is the same whether they are epsilon, v or x0.
    """
    sides = condition.sides(guidance)
    inputs = {name: np.concatenate([side[name] for side in sides]) for name in sides[0]}
    inputs |= {
        **condition.always,
        "x": np.concatenate([np.asarray(x, np.float32)] * len(sides)),
        "timestep": np.full(len(x) * len(sides), t, np.int64),
    }
    output = run(model, inputs, (), cancel).output.astype(np.float64)
    if len(sides) == 1:
        return output
    asked, without = np.split(output, 2)
    return without + guidance * (asked - without)


def _condition(
    model: Model, labels: Sequence[int] | np.ndarray, skip_strength: Sequence[float] | None
) -> Condition:
    asked = np.asarray(labels, np.int64)
    always = {} if skip_strength is None else {"skip_strength": np.array(skip_strength, np.float32)}
    return Condition({"label": asked}, {"label": np.full_like(asked, null_label(model))}, always)


def inside(
    model: Model,
    x: np.ndarray,
    t: int,
    label: int | Sequence[int],
    taps: Collection[str],
    skip_strength: Sequence[float] | None = None,
) -> Trace:
    """The net run once on x (B, C, H, W) at t for one label (or one a sample), with these taps. Raises as `run`."""
    labels = np.broadcast_to(np.asarray(label, np.int64), (len(x),))
    condition = _condition(model, labels, skip_strength)
    inputs = {**condition.asked, **condition.always}
    inputs |= {"x": np.asarray(x, np.float32), "timestep": np.full(len(x), t, np.int64)}
    return run(model, inputs, taps)


def _step(
    plan: Plan,
    schedule: Schedule,
    prediction: str,
    output: np.ndarray,
    x: np.ndarray,
    t: int,
    before: int,
    index: Sequence[int],
) -> Step:
    """The sampler's step from t to `before`."""
    noisy = before >= 0 and (plan.sampler == "ddpm" or plan.eta > 0)
    extra = noises(plan.seed, index, x.shape[1:], t) if noisy else None
    if plan.sampler == "ddpm":
        return ddpm_step(schedule, prediction, output, x, t, before, extra, plan.variance, clip=plan.clip)
    # the direction follows the clipped x0, as in guided-diffusion: else guidance thickens every stroke (measured: the
    # judge agrees with 67 % of guided digits instead of nearly all)
    eta = plan.eta if noisy else 0.0
    return ddim_step(schedule, prediction, output, x, t, before, eta, extra, plan.clip, consistent=plan.clip)


def noises(seed: int, index: Sequence[int], shape: tuple[int, ...], t: int | None = None) -> np.ndarray:
    """Noise of each sample by its number, (len(index), *shape) float32: at the start, or of the step at t."""
    return np.stack([noise(seed, i, shape, t) for i in index])


class _Kept:
    """The frames of a path, in arrays that are there from the beginning, so that nothing is held twice at the end."""

    def __init__(self, total: int, shape: tuple[int, ...]):
        frame_bytes = 3 * 4 * math.prod(shape)
        count = min(total, KEPT_FRAMES, max(2, int(KEPT_BYTES // frame_bytes)))
        self.places = {int(i): k for k, i in enumerate(np.linspace(0, total - 1, count).round())}
        self.t, self.step = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.alpha_bar = np.zeros(count)
        self.x = np.empty((count + 1, *shape), np.float32)
        self.x0, self.epsilon = (np.empty((count, *shape), np.float32) for _ in range(2))

    def add(self, done: int, frame: Frame) -> None:
        """Keep the frame that was made after `done` others, if it is one of those to keep."""
        k = self.places.get(done)
        if k is not None:
            self.t[k], self.step[k], self.alpha_bar[k] = frame.t, frame.step, frame.alpha_bar
            self.x[k], self.x0[k], self.epsilon[k] = frame.x, frame.x0, frame.epsilon

    def path(self, samples: np.ndarray, seconds: float, steps: int) -> Path:
        self.x[-1] = samples
        ratio = snr(self.alpha_bar)
        return Path(self.step, self.t, self.alpha_bar, ratio, self.x, self.x0, self.epsilon, seconds, steps)


# ---------------------------------------------------------------- branches


def branch(
    request: Request, path: Path, frame: int, samples: Sequence[int] | None = None, **changes: Any
) -> Request:
    """The request that goes on from a kept frame of a path: unchanged it ends in the same samples, exactly.

    samples: which of the batch (all by default). changes: fields of Request, such as `seed` or `labels`.
    """
    chosen = list(range(len(request.labels))) if samples is None else list(samples)
    index = request.index or tuple(range(len(request.labels)))
    kept = {
        "labels": tuple(request.labels[i] for i in chosen),
        "index": tuple(index[i] for i in chosen),
        "start": Start(int(path.step[frame]), path.x[frame][chosen]),
    }
    return replace(request, **{**kept, **changes})


# ---------------------------------------------------------------- the forward process


@dataclass(frozen=True, eq=False)
class Forward:
    """A picture drowning in noise, twice: t, alpha_bar, snr (S,); chain, closed (S, *shape) float32.

    chain: x_t made step by step, each step with noise of its own. closed: x_t in one go from the picture and one
    noise, the same for all t. They are different draws of the same distribution.
    """

    t: np.ndarray
    alpha_bar: np.ndarray
    snr: np.ndarray
    chain: np.ndarray
    closed: np.ndarray


def forward_path(
    image: np.ndarray, schedule: Schedule, seed: int, keep: int = KEPT_FRAMES, index: int = 0
) -> Forward:
    """Noise a picture of any shape, pixels in [-1, 1], through all T steps; `keep` of them are kept, evenly.

    index: which sample's noise is used, as in `noise`.
    """
    x0 = np.asarray(image, np.float64)
    total = schedule.steps
    kept = np.linspace(0, total - 1, max(1, min(total, keep))).round().astype(int)
    wanted = set(kept.tolist())
    chain: list[np.ndarray] = []
    x = x0
    for t in range(total):
        x = forward_step(schedule, x, noise(seed, index, x0.shape, t), t)
        if t in wanted:
            chain.append(x.astype(np.float32))
    alpha_bar = schedule.alpha_bar[kept]
    closed = add_noise(x0, noise(seed, index, x0.shape), alpha_bar.reshape(-1, *[1] * x0.ndim))
    return Forward(kept, alpha_bar, snr(alpha_bar), np.stack(chain), closed.astype(np.float32))


def forward_at(image: np.ndarray, schedule: Schedule, t: int, seed: int, index: int = 0) -> np.ndarray:
    """x_t of a picture in closed form, float32: what `forward_path` has in `closed`, for any t."""
    x0 = np.asarray(image, np.float64)
    return add_noise(x0, noise(seed, index, x0.shape), schedule.alpha_bar[t]).astype(np.float32)

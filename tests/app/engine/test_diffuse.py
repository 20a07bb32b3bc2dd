"""Sampling: what comes out depends on the request alone, several users move side by side, and any step can be left."""

from __future__ import annotations

import threading
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.engine import Cancel, Cancelled, EngineError, Model, as_user, load
from app.engine.base import finish
from app.engine.diffuse import (
    KEPT_BYTES,
    KEPT_FRAMES,
    MAX_SEED,
    BadRequest,
    Request,
    Start,
    branch,
    check,
    forward_at,
    forward_path,
    inside,
    noise,
    null_label,
    predict,
    sample,
    sample_shape,
    schedule_of,
)
from app.engine.queue import FairQueue
from app.text import catalogue
from models.generative.schedule import named, snr, to_epsilon
from models.registry import MODELS
from tests.app.engine.helpers import shipped

DDPM = MODELS["ddpm"]
ENGINES = [pytest.param("torch", marks=pytest.mark.torch), "onnx"]
Tiny = Callable[[str, str], Model]
Feeds = Mapping[str, np.ndarray]


class Fake:
    """A net written as a function of its inputs; notes every run. `meanwhile` is called inside of each."""

    def __init__(
        self, says: Callable[[Feeds], np.ndarray], meanwhile: Callable[[int], None] = lambda n: None
    ):
        self.says, self.meanwhile = says, meanwhile
        self.runs: list[Feeds] = []

    def run(self, feeds: Feeds, taps: Any, cancel: Cancel | None) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        self.runs.append(dict(feeds))
        self.meanwhile(len(self.runs))
        return self.says(feeds).astype(np.float32), {}

    def gradient(self, feeds: Feeds, tap: str, target: int) -> np.ndarray:
        raise NotImplementedError

    def gradient_input(self, feeds: Feeds, tap: str, index: tuple[int, ...]) -> np.ndarray:
        raise NotImplementedError


def fake(runner: Fake, side: int = 8, channels: int = 1, **preprocess: Any) -> Model:
    config = dict(DDPM.tiny) | {"sample_size": side, "in_channels": channels}
    said = {"schedule": "linear", "prediction": "epsilon", "steps": 1000} | preprocess
    weights = DDPM.weights[0]
    return Model(
        DDPM, weights, "onnx", "CPU", config, said, {}, {}, 0, "fake", runner=runner, queue=FairQueue(64)
    )  # fmt: skip


def nothing(feeds: Feeds) -> np.ndarray:
    return np.zeros_like(feeds["x"])


def arrays(path: Any) -> list[np.ndarray]:
    return [path.step, path.t, path.alpha_bar, path.x, path.x0, path.epsilon]


def same(a: Any, b: Any) -> bool:
    """Bit for bit."""
    return all(np.array_equal(x, y) for x, y in zip(arrays(a), arrays(b), strict=True))


# ---------------------------------------------------------------- what comes out


def test_path_and_progress(tiny: Tiny) -> None:
    model = tiny("ddpm", "onnx")
    steps = list(sample(model, Request(labels=(0, 3), seed=4, steps=20)))
    assert [s.done for s in steps] == list(range(21)) and {s.total for s in steps} == {20}
    assert steps[0].frame is None and steps[-1].eta == 0
    assert all(a.seconds <= b.seconds for a, b in zip(steps, steps[1:], strict=False))
    assert [s.result is None for s in steps] == [True] * 20 + [False]
    again = next(iter(sample(model, Request(labels=(0,), steps=20))))
    assert again.eta is not None and again.eta > 0  # measured by now
    path = steps[-1].result
    shape = (2, *sample_shape(model))
    assert path.x.shape == (21, *shape) and path.x0.shape == path.epsilon.shape == (20, *shape)
    assert {a.dtype for a in (path.x, path.x0, path.epsilon)} == {np.dtype(np.float32)}
    assert path.t[0] == 999 and path.t[-1] == 49 and path.step.tolist() == list(range(20))
    assert np.array_equal(path.alpha_bar, schedule_of(model).alpha_bar[path.t])
    assert np.array_equal(path.snr, snr(path.alpha_bar)) and path.seconds > 0 and path.steps == 20
    assert np.array_equal(path.samples, path.x[20]) and np.all(np.isfinite(path.x))
    assert np.abs(path.x0).max() <= 1  # clipped
    for progress, k in zip(steps[1:], range(20), strict=True):
        frame = progress.frame
        assert (frame.step, frame.t) == (k, path.t[k])
        assert np.array_equal(frame.x, path.x[k]) and np.array_equal(frame.x0, path.x0[k])
    assert np.array_equal(path.x[0], np.stack([noise(4, i, shape[1:]) for i in range(2)]))


@pytest.mark.parametrize(
    "prediction, how",
    [
        ("epsilon", dict(steps=1000, sampler="ddpm", variance="fixed_large")),
        ("epsilon", dict(steps=1000, sampler="ddpm", variance="fixed_small")),
        ("epsilon", dict(steps=1000, eta=0.0)),
        ("x0", dict(steps=250, eta=0.6, spacing="leading")),
        ("v", dict(steps=250, eta=0.0, spacing="linspace")),
        ("v", dict(steps=250, eta=1.0)),
    ],
    ids=str,
)
def test_the_right_net_draws_the_right_distribution(prediction: str, how: dict[str, Any]) -> None:
    """Where pixels are independent N(0.3, 0.2^2), the best prediction is known in closed form, and samples must have
    that mean and deviation: 4 x 1024 of them, within five standard errors and what finite steps cost."""
    mean, sigma = 0.3, 0.2
    schedule = named("linear")

    def best(feeds: Feeds) -> np.ndarray:
        x, a = feeds["x"].astype(float), schedule.alpha_bar[feeds["timestep"]].reshape(-1, 1, 1, 1)
        variance = a * sigma**2 + 1 - a
        x0 = mean + np.sqrt(a) * sigma**2 / variance * (x - np.sqrt(a) * mean)
        eps = np.sqrt(1 - a) / variance * (x - np.sqrt(a) * mean)
        return {"epsilon": eps, "x0": x0, "v": np.sqrt(a) * eps - np.sqrt(1 - a) * x0}[prediction]

    model = fake(Fake(best), side=32, prediction=prediction)
    path = finish(sample(model, Request(labels=(0,) * 4, seed=1, clip=False, guidance=1, **how)))
    n, found = path.samples.size, path.samples.astype(float)
    print(f"{prediction} {how}: mean {found.mean():.4f}, deviation {found.std():.4f}")
    assert found.mean() == pytest.approx(mean, abs=5 * sigma / np.sqrt(n) + 0.003)
    assert found.std() == pytest.approx(sigma, rel=5 / np.sqrt(2 * n) + 0.03)


def test_only_the_smaller_variance_suits_few_steps() -> None:
    """With 20 steps of DDPM the larger variance leaves noise in the picture."""

    def best(feeds: Feeds) -> np.ndarray:  # of data that is 0 everywhere: all of x is noise
        a = named("linear").alpha_bar[feeds["timestep"]].reshape(-1, 1, 1, 1)
        return feeds["x"] / np.sqrt(1 - a)

    model = fake(Fake(best), side=32)
    ask = Request(labels=(0,), seed=1, steps=20, sampler="ddpm", guidance=1)
    paths = {v: finish(sample(model, replace(ask, variance=v))) for v in ("fixed_small", "fixed_large")}
    late = {v: float(path.x[-2].std()) for v, path in paths.items()}
    wanted = np.sqrt(1 - paths["fixed_small"].alpha_bar[-1])
    print(f"deviation before the last step {late}, {wanted:.3f} by definition")
    assert late["fixed_small"] == pytest.approx(wanted, rel=0.15) and late["fixed_large"] > 1.1 * wanted


def test_guidance(tiny: Tiny) -> None:
    model = tiny("ddpm", "onnx")
    x = noise(1, 0, (2, *sample_shape(model)))
    null = null_label(model)
    asked, none = predict(model, x, 500, (0, 2)), predict(model, x, 500, (null, null))
    assert np.abs(asked - none).max() > 1e-4
    for guidance in (0.5, 2.0, 7.5):
        expected = none + guidance * (asked - none)
        assert np.abs(predict(model, x, 500, (0, 2), guidance) - expected).max() < 1e-4
    assert np.array_equal(predict(model, x, 500, (0, 2), 0), none)
    assert np.array_equal(predict(model, x, 500, (null, null), 5.0), none)
    mixed = predict(model, x, 500, (0, null), 3.0)
    assert np.abs(mixed[1] - none[1]).max() < 1e-5


def test_guidance_is_one_batch() -> None:
    runner = Fake(nothing)
    model = fake(runner)
    for guidance, labels, batch in (
        (2, (0, 1), 4),
        (1, (0, 1), 2),
        (0, (0, 1), 2),
        (2, (3, 3), 2),
        (2, (3, 1), 4),
    ):
        runner.runs.clear()
        finish(sample(model, Request(labels=labels, steps=5, guidance=guidance)))
        assert [len(feeds["x"]) for feeds in runner.runs] == [batch] * 5, (guidance, labels)
        assert all(feeds["timestep"].dtype == feeds["label"].dtype == np.int64 for feeds in runner.runs)


def test_steps_go_where_the_list_goes() -> None:
    """7 steps do not divide 1000: each step must lead to the next t of the list, and the last one to the picture."""
    runner = Fake(nothing)
    path = finish(sample(fake(runner), Request(labels=(0,), steps=7, guidance=1, clip=False)))
    assert (
        [int(feeds["timestep"][0]) for feeds in runner.runs]
        == path.t.tolist()
        == [999, 856, 713, 570, 428, 285, 142]
    )
    levels = [*np.sqrt(path.alpha_bar), 1.0]
    for k in range(7):  # with epsilon 0, x is only scaled
        assert path.x[k + 1] == pytest.approx(path.x[k] * levels[k + 1] / levels[k], rel=1e-5)


@pytest.mark.parametrize("how", [dict(eta=0.0), dict(eta=0.7), dict(sampler="ddpm")], ids=str)
def test_a_sample_of_a_batch_alone(tiny: Tiny, how: dict[str, Any]) -> None:
    """Its noise is counted under its own number, so that it is the same picture, but for the rounding of batches."""
    model = tiny("ddpm", "onnx")
    together = finish(sample(model, Request(labels=(0, 1, 2, 3), seed=9, steps=10, **how)))
    alone = finish(sample(model, Request(labels=(2,), seed=9, steps=10, index=(2,), **how)))
    assert np.abs(alone.samples[0] - together.samples[2]).max() < 1e-3
    other = finish(sample(model, Request(labels=(2,), seed=9, steps=10, **how)))
    assert np.abs(other.samples[0] - together.samples[2]).max() > 1e-2


# ---------------------------------------------------------------- reproducible


@pytest.mark.torch
@pytest.mark.parametrize("weights_id", ["digits", "emoji"])
@pytest.mark.parametrize("how", [dict(eta=0.0), dict(eta=1.0), dict(sampler="ddpm", guidance=3.0)], ids=str)
def test_seeds_reproduce_across_engines(weights_id: str, how: dict[str, Any], tmp_path: Path) -> None:
    """After 50 steps within 1e-3, with the embedded weights."""
    weights = DDPM.weights_by_id(weights_id)
    file = DDPM.embedded_path(weights)
    if not file.is_file():
        file = shipped(DDPM, weights_id, tmp_path)
    ask = Request(labels=(0, 1, 7, 9), seed=31, steps=50, **how)
    paths = [
        finish(sample(load("ddpm", weights_id, engine, weights_file=file), ask))
        for engine in ("torch", "onnx")
    ]
    difference = np.abs(paths[0].x - paths[1].x).max()
    print(f"{weights_id} {how}: largest difference between engines {difference:.1e}")
    assert np.abs(paths[0].samples - paths[1].samples).max() <= 1e-3
    assert paths[0].samples.std() > 0.05 and np.abs(paths[0].samples[0] - paths[0].samples[1]).max() > 0.1


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_request_gives_the_same_bits(tiny: Tiny, engine: str) -> None:
    model = tiny("ddpm", engine)
    ask = Request(labels=(0, 1), seed=5, steps=10, eta=0.5)
    path = finish(sample(model, ask))
    assert same(path, finish(sample(model, ask)))
    for change in (
        dict(seed=6),
        dict(labels=(0, 2)),
        dict(eta=0.6),
        dict(guidance=2.5),
        dict(sampler="ddpm"),
    ):
        other = finish(sample(model, replace(ask, **change)))
        assert not np.array_equal(path.samples, other.samples), change
    assert np.array_equal(path.x[0], finish(sample(model, replace(ask, labels=(3, 3)))).x[0])  # same start


@pytest.mark.parametrize("engine", ENGINES)
def test_two_users_at_once_get_what_each_gets_alone(
    tiny: Tiny, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Different seeds, classes and samplers; every frame bit for bit; and the two were really side by side."""
    model = tiny("ddpm", engine)
    asks = {
        "anna": Request(labels=(0, 1, 2), seed=1, steps=25, eta=1.0),
        "bao": Request(labels=(3, 2), seed=2, steps=25, sampler="ddpm", guidance=1.0),
    }
    alone = {user: finish(sample(model, ask)) for user, ask in asks.items()}
    order: list[int] = []
    real = model.runner.run

    def noted(feeds: Feeds, taps: Any, cancel: Cancel | None) -> Any:
        order.append(len(feeds["x"]))
        return real(feeds, taps, cancel)

    monkeypatch.setattr(model.runner, "run", noted)
    together: dict[str, Any] = {}
    ready = threading.Barrier(2)

    def work(user: str) -> None:
        with as_user(user):
            ready.wait(10)
            together[user] = finish(sample(model, asks[user]))

    threads = [threading.Thread(target=work, args=(user,)) for user in asks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    for user in asks:
        assert same(together[user], alone[user]), user
    turns = sum(a != b for a, b in zip(order, order[1:], strict=False))
    print(f"{engine}: {turns} changes between the users in {len(order)} steps")
    assert len(order) == 50 and turns >= 10


# ---------------------------------------------------------------- cancelled


def free(queue: FairQueue) -> bool:
    """Nobody waits, and a turn is given at once."""
    with queue.turn(Cancel(poll=lambda: True)):  # refused were it busy
        return queue.waiting == 0


def test_cancelled_at_step_100_of_1000_frees_the_engine(tiny: Tiny) -> None:
    """Another user waits for a turn at that moment; the engine is free within a second, and no step runs after it."""
    model, cancel = tiny("ddpm", "onnx"), Cancel()
    events: list[str] = []
    at_100, ended = threading.Event(), threading.Event()

    def long() -> None:
        with as_user("long"):
            try:
                for progress in sample(model, Request(labels=(0, 1, 2, 3), steps=1000), cancel):
                    if progress.done == 100:
                        at_100.set()
                        assert cancel.wait(30)
                        events.append("cancelled")
                    elif progress.done > 100:
                        events.append("went on")
            except Cancelled:
                events.append("stopped")
            ended.set()

    thread = threading.Thread(target=long)
    thread.start()
    assert at_100.wait(120)
    begin = time.monotonic()
    cancel.set()
    assert ended.wait(30)
    seconds = time.monotonic() - begin
    thread.join(5)
    assert events == ["cancelled", "stopped"] and free(model.queue)
    with as_user("other"):
        finish(sample(model, Request(labels=(0,), steps=5)))
    print(f"free {1000 * seconds:.0f} ms after the press")
    assert seconds < 1


def test_cancelled_in_the_middle_of_a_step() -> None:
    """The press comes while the net runs: that run ends, none follows."""
    cancel = Cancel()
    runner = Fake(nothing, meanwhile=lambda n: cancel.set() if n == 100 else None)
    model = fake(runner)
    done = []
    with pytest.raises(Cancelled):
        for progress in sample(model, Request(labels=(0,), steps=1000), cancel):
            done.append(progress.done)
            if progress.done == 100:
                assert cancel.is_set()
    assert done[-1] == 100 and len(runner.runs) == 100 and free(model.queue)


def test_cancelled_while_another_has_the_turn() -> None:
    model, cancel = fake(Fake(nothing)), Cancel()
    ended: list[str] = []

    def wait() -> None:
        try:
            finish(sample(model, Request(labels=(0,), steps=5), cancel))
        except Cancelled:
            ended.append("cancelled")

    with model.queue.turn():
        thread = threading.Thread(target=wait)
        thread.start()
        end = time.monotonic() + 10
        while model.queue.waiting == 0 and time.monotonic() < end:
            time.sleep(0.002)
        cancel.set()
        thread.join(10)
        assert ended == ["cancelled"] and model.queue.waiting == 0
    assert free(model.queue)


def test_a_path_left_alone_holds_nothing() -> None:
    model = fake(Fake(nothing))
    steps = sample(model, Request(labels=(0,), steps=100))
    for _ in range(5):
        next(steps)
    assert free(model.queue)  # between two steps too
    steps.close()  # type: ignore[attr-defined]
    assert free(model.queue)


# ---------------------------------------------------------------- branches and interventions


@pytest.mark.parametrize("how", [dict(eta=0.0), dict(eta=0.7), dict(sampler="ddpm")], ids=str)
def test_branch_unchanged_continues_exactly(tiny: Tiny, how: dict[str, Any]) -> None:
    model = tiny("ddpm", "onnx")
    ask = Request(labels=(0, 1, 2), seed=3, steps=12, **how)
    path = finish(sample(model, ask))
    for frame in (0, 5, 11):
        steps = list(sample(model, branch(ask, path, frame)))
        assert steps[-1].total == 12 - frame
        rest = steps[-1].result
        assert np.array_equal(rest.x, path.x[frame:]) and np.array_equal(rest.x0, path.x0[frame:])
        assert np.array_equal(rest.step, path.step[frame:]) and np.array_equal(rest.t, path.t[frame:])
    one = finish(sample(model, branch(ask, path, 5, samples=[2])))
    assert np.abs(one.samples[0] - path.samples[2]).max() < 1e-3
    twice = branch(branch(ask, path, 2, samples=[2, 0]), one, 0, samples=[0])
    assert twice.index == (2,) and twice.labels == (2,)


def test_branch_with_another_seed_or_class(tiny: Tiny) -> None:
    model = tiny("ddpm", "onnx")
    ask = Request(labels=(0, 1), seed=3, steps=12, eta=1.0)
    path = finish(sample(model, ask))
    for change in (dict(seed=4), dict(labels=(2, 3)), dict(guidance=5.0)):
        other = finish(sample(model, branch(ask, path, 6, **change)))
        assert np.array_equal(other.x[0], path.x[6]) and not np.array_equal(other.samples, path.samples)
    still = replace(ask, eta=0.0)  # without new noise a seed changes nothing any more
    path = finish(sample(model, still))
    other = finish(sample(model, branch(still, path, 6, seed=4)))
    assert np.array_equal(other.samples, path.samples)


@pytest.mark.parametrize("engine", ENGINES)
def test_skip_strength_from_a_step_on(tiny: Tiny, engine: str) -> None:
    model = tiny("ddpm", engine)
    ask = Request(labels=(0, 1), seed=3, steps=10)
    plain = finish(sample(model, ask))
    ones = finish(sample(model, replace(ask, skip_strength=(1.0,) * 6)))
    assert np.abs(ones.x - plain.x).max() < 1e-4
    cut = finish(sample(model, replace(ask, skip_strength=(1, 1, 0, 1, 1, 1), skip_from=4)))
    assert np.array_equal(cut.x[:5], plain.x[:5])
    assert all(np.abs(cut.x[k] - plain.x[k]).max() > 1e-4 for k in range(5, 11))
    same_cut = finish(sample(model, branch(ask, plain, 4, skip_strength=(1, 1, 0, 1, 1, 1))))
    assert np.array_equal(same_cut.x, cut.x[4:])


def test_inside(tiny: Tiny) -> None:
    model = tiny("ddpm", "onnx")
    ask = Request(labels=(0, 1), seed=3, steps=10, guidance=1.0)
    path = finish(sample(model, ask))
    trace = inside(model, path.x[4], int(path.t[4]), ask.labels, ["skip.0", "mid.attention.0.weights"])
    assert np.abs(trace.output - path.epsilon[4]).max() < 1e-4 or model.preprocess["prediction"] != "epsilon"
    assert trace.taps["skip.0"].shape[0] == 2
    assert trace.taps["mid.attention.0.weights"].sum(axis=-1) == pytest.approx(1, abs=1e-5)
    half = inside(model, path.x[4, :1], 500, 2, ["skip.0"], skip_strength=(0.5,) + (1,) * 5).taps["skip.0"]
    whole = inside(model, path.x[4, :1], 500, 2, ["skip.0"]).taps["skip.0"]
    assert half == pytest.approx(whole / 2, abs=1e-6)


# ---------------------------------------------------------------- bounds


def test_a_thousand_steps_keep_200_frames_at_most() -> None:
    assert KEPT_FRAMES + 1 <= 200  # the finished picture is one more
    model = fake(Fake(nothing))
    path = finish(sample(model, Request(labels=(0,), steps=1000)))
    assert len(path.t) == len(path.x0) == len(path.epsilon) == KEPT_FRAMES and len(path.x) == KEPT_FRAMES + 1
    assert path.step[0] == 0 and path.step[-1] == 999 and path.t[0] == 999 and path.t[-1] == 0
    assert set(np.diff(path.step)) <= {5, 6} and path.steps == 1000
    assert path.frame_of_step(0) == 0 and path.frame_of_step(999) == KEPT_FRAMES - 1
    for k in (0, 77, KEPT_FRAMES - 1):
        assert path.frame_of_step(int(path.step[k])) == k
    middle = finish(sample(model, branch(Request(labels=(0,), steps=1000), path, 100)))
    assert middle.step[0] == path.step[100] and middle.step[-1] == 999 and len(middle.t) == KEPT_FRAMES


def test_memory_is_bounded() -> None:
    """16 samples of 32 x 32 x 3 over 1000 steps: what is kept, and the most that is ever held by numpy."""
    runner = Fake(nothing, meanwhile=lambda n: runner.runs.clear())  # which would hold every x
    model = fake(runner, side=32, channels=3)
    ask = Request(labels=(0,) * 16, steps=1000, guidance=1, index=tuple(range(16)))
    tracemalloc.start()
    try:
        path = finish(sample(model, ask))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    held = path.x.nbytes + path.x0.nbytes + path.epsilon.nbytes
    print(f"{len(path.t)} frames, {held / 1e6:.1f} MB; peak {peak / 1e6:.1f} MB")
    assert held <= KEPT_BYTES + path.samples.nbytes and peak <= KEPT_BYTES + 12e6
    assert path.step[0] == 0 and path.step[-1] == 999


NAN = float("nan")
BAD: list[tuple[dict[str, Any], str]] = [
    (dict(labels=()), "diffuse.samples"),
    (dict(labels=(0,) * 17), "diffuse.samples"),
    (dict(labels=(0, 4)), "diffuse.label"),
    (dict(labels=(-1,)), "diffuse.label"),
    (dict(labels=(1.5,)), "diffuse.label"),
    (dict(labels=(True,)), "diffuse.label"),
    (dict(seed=-1), "diffuse.seed"),
    (dict(seed=MAX_SEED + 1), "diffuse.seed"),
    (dict(steps=4), "diffuse.steps"),
    (dict(steps=1001), "diffuse.steps"),
    (dict(steps=50.0), "diffuse.steps"),
    (dict(eta=-0.1), "diffuse.eta"),
    (dict(eta=1.1), "diffuse.eta"),
    (dict(eta=NAN), "diffuse.eta"),
    (dict(guidance=-1), "diffuse.guidance"),
    (dict(guidance=NAN), "diffuse.guidance"),
    (dict(guidance=1e9), "diffuse.guidance"),
    (dict(sampler="euler"), "diffuse.choice"),
    (dict(spacing="log"), "diffuse.choice"),
    (dict(variance="learned"), "diffuse.choice"),
    (dict(index=(0, 1)), "diffuse.index"),
    (dict(index=(-1,)), "diffuse.seed"),
    (dict(start=Start(50, np.zeros((1, 1, 8, 8)))), "diffuse.start"),
    (dict(start=Start(-1, np.zeros((1, 1, 8, 8)))), "diffuse.start"),
    (dict(start=Start(0, np.zeros((2, 1, 8, 8)))), "diffuse.start_picture"),
    (dict(start=Start(0, np.full((1, 1, 8, 8), NAN))), "diffuse.start_picture"),
    (dict(skip_strength=(1.0,) * 5), "diffuse.skips"),
    (dict(skip_strength=(1.0,) * 5 + (NAN,)), "diffuse.skip"),
    (dict(skip_strength=(1.0,) * 5 + (99.0,)), "diffuse.skip"),
    (dict(skip_strength=(1.0,) * 6, skip_from=50), "diffuse.start"),
]


@pytest.mark.parametrize("change, reason", BAD, ids=[f"{r}-{i}" for i, (_, r) in enumerate(BAD)])
def test_bad_requests_are_refused_before_anything_runs(change: dict[str, Any], reason: str) -> None:
    runner = Fake(nothing)
    ask = replace(Request(labels=(0,)), **change)
    for refused in (lambda: finish(sample(fake(runner), ask)), lambda: check(fake(runner), ask)):
        with pytest.raises(BadRequest) as caught:
            refused()
        assert isinstance(caught.value, EngineError) and caught.value.reason == reason and not runner.runs
        for language in ("en", "zh"):
            assert catalogue(language)[reason].format_map(caught.value.details)


def test_the_bounds_themselves_are_allowed() -> None:
    model = fake(Fake(nothing))
    for change in (dict(steps=5), dict(steps=1000), dict(eta=1), dict(seed=MAX_SEED), dict(labels=(3,) * 16)):
        check(model, replace(Request(labels=(0,)), **change))
    assert hash(Request(labels=(0,))) == hash(Request(labels=(0,)))


# ---------------------------------------------------------------- the forward process


def kolmogorov(a: np.ndarray, b: np.ndarray) -> float:
    """Largest distance of two empirical distribution functions."""
    both = np.concatenate([a, b])
    both.sort()
    steps = [np.searchsorted(np.sort(x), both, side="right") / len(x) for x in (a, b)]
    return float(np.abs(steps[0] - steps[1]).max())


@pytest.mark.parametrize("name", ["linear", "cosine"])
def test_stepwise_and_closed_form_agree_in_distribution(name: str) -> None:
    """10 000 draws of one pixel of 0.6 at several t: means, deviations, and the whole distribution (Kolmogorov and
    Smirnov), each within what chance allows once in a million."""
    n, x0, schedule = 10_000, 0.6, named(name)
    path = forward_path(np.full(n, x0), schedule, seed=11, keep=1000)
    five = 5.0  # standard errors
    for t in (0, 9, 99, 499, 999):
        a, b = path.chain[t].astype(float), path.closed[t].astype(float)
        mean, sigma = x0 * np.sqrt(schedule.alpha_bar[t]), np.sqrt(1 - schedule.alpha_bar[t])
        distance = kolmogorov(a, b)
        limit = 2.7 * np.sqrt(2 / n)
        print(
            f"{name} t {t:3d}: mean {a.mean():.4f} {b.mean():.4f} ({mean:.4f}), deviation {a.std():.4f} "
            f"{b.std():.4f} ({sigma:.4f}), KS {distance:.4f} (limit {limit:.4f})"
        )
        for found in (a, b):
            assert found.mean() == pytest.approx(mean, abs=five * sigma / np.sqrt(n))
            assert found.std() == pytest.approx(sigma, rel=five / np.sqrt(2 * n))
        assert distance < limit
        if t > 0:  # two draws, not one
            assert abs(np.corrcoef(a, b)[0, 1]) < five / np.sqrt(n)


def test_forward_path_of_a_picture() -> None:
    schedule = named("linear")
    image = np.linspace(-1, 1, 3 * 32 * 32).reshape(3, 32, 32)
    path = forward_path(image, schedule, seed=2)
    assert (
        path.chain.shape == path.closed.shape == (KEPT_FRAMES, 3, 32, 32) and path.chain.dtype == np.float32
    )
    assert path.t[0] == 0 and path.t[-1] == 999 and np.array_equal(path.alpha_bar, schedule.alpha_bar[path.t])
    for k in (0, 57, -1):
        assert np.array_equal(forward_at(image, schedule, int(path.t[k]), seed=2), path.closed[k])
    assert np.abs(path.chain[0] - image).max() < 0.06  # beta_1 is small
    left = to_epsilon("x0", path.chain[-1], image, schedule.alpha_bar[999])
    assert abs(left.mean()) < 5 / np.sqrt(image.size) and left.std() == pytest.approx(
        1, rel=5 / np.sqrt(2 * image.size)
    )
    assert np.array_equal(forward_path(image, schedule, seed=2, keep=10).chain[-1], path.chain[-1])
    assert not np.array_equal(forward_path(image, schedule, seed=3, keep=10).chain[-1], path.chain[-1])

"""Both engines: the same numbers, nobody else's tensors, clear refusals, prompt cancellation."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
import torch

import app.engine as engine_module
from app.engine import (
    Cancel,
    Cancelled,
    EngineError,
    Model,
    gradient,
    gradient_input,
    load,
    loaded,
    run,
    tap_bytes,
    tap_shapes,
    unload_all,
)
from app.engine.onnx_engine import OnnxRunner
from models.registry import MODELS
from models.taps import record
from models.weights_io import load_weights, save_weights

Tiny = Callable[[str, str], Model]
SLUGS, ENGINES = ("swinir", "resnet18"), ("torch", "onnx")
SIZES = [(1, 24, 40), (3, 40, 64)]


def picture(slug: str, batch: int, height: int, width: int, seed: int = 0) -> dict[str, np.ndarray]:
    height, width = (height, width) if slug == "swinir" else (height + 17, width + 9)
    return {"image": np.random.default_rng(seed).random((batch, 3, height, width), dtype=np.float32)}


def near(a: np.ndarray, b: np.ndarray, tolerance: float = 1e-4) -> bool:
    return a.shape == b.shape and bool(np.abs(a - b).max() <= tolerance * max(1.0, np.abs(b).max()))


def names_of(model: Model) -> list[str]:
    return [spec.name for spec in model.card.taps(model.config)]


# ---------------------------------------------------------------- the same numbers


@pytest.mark.parametrize("slug", SLUGS)
def test_torch_equals_onnx_on_output_and_every_tap(tiny: Tiny, slug: str) -> None:
    ours, theirs = tiny(slug, "torch"), tiny(slug, "onnx")
    for batch, height, width in SIZES:
        inputs = picture(slug, batch, height, width)
        a, b = run(ours, inputs, names_of(ours)), run(theirs, inputs, names_of(theirs))
        assert near(a.output, b.output) and a.output.dtype == b.output.dtype == np.float32
        assert set(a.taps) == set(b.taps) == set(names_of(ours))
        wrong = [name for name in a.taps if not near(a.taps[name], b.taps[name])]
        assert not wrong


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("slug", SLUGS)
def test_plain_equals_tapped(tiny: Tiny, slug: str, engine: str) -> None:
    model = tiny(slug, engine)
    inputs = picture(slug, 2, 24, 40)
    plain, tapped = run(model, inputs), run(model, inputs, names_of(model)[-3:])
    assert plain.taps == {} and len(tapped.taps) == 3 and plain.seconds > 0
    assert near(plain.output, tapped.output, 1e-5)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_tap_on_the_output_is_the_output(tiny: Tiny, engine: str) -> None:
    trace = run(tiny("resnet18", engine), picture("resnet18", 2, 24, 40), ["logits"])
    assert np.array_equal(trace.taps["logits"], trace.output)


@pytest.mark.parametrize("engine", ENGINES)
def test_optional_inputs(tiny: Tiny, engine: str) -> None:
    model = tiny("swinir", engine)
    inputs = picture("swinir", 1, 24, 40)
    given = inputs | {"mask_strength": np.float32(1)}
    assert np.array_equal(run(model, inputs).output, run(model, given).output)
    dropped = run(model, inputs | {"mask_strength": 0.0}).output
    assert not near(run(model, inputs).output, dropped, 1e-3)


# ---------------------------------------------------------------- one model, many threads


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("slug", SLUGS)
def test_eight_threads_on_one_model_get_their_own_tensors(tiny: Tiny, slug: str, engine: str) -> None:
    model = tiny(slug, engine)
    names = names_of(model)
    wanted = [names[i % len(names)] for i in range(0, 40, 5)]  # every thread looks at another tap
    inputs = [picture(slug, 1 + i % 2, 24, 40 + 8 * (i % 3), seed=i) for i in range(8)]
    alone = [run(model, inputs[i], [wanted[i]]) for i in range(8)]
    wrong: list[tuple[int, str]] = []
    start = threading.Barrier(8)

    def work(i: int) -> None:
        start.wait()
        for _ in range(6):
            trace = run(model, inputs[i], [wanted[i]])
            if set(trace.taps) != {wanted[i]}:
                wrong.append((i, "taps"))
            elif not near(trace.taps[wanted[i]], alone[i].taps[wanted[i]], 1e-5):
                wrong.append((i, wanted[i]))
            elif not near(trace.output, alone[i].output, 1e-5):
                wrong.append((i, "output"))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("engine", ENGINES)
def test_threads_outside_the_queue_get_their_own_tensors_too(tiny: Tiny, engine: str) -> None:
    """The queue lets one run in at a time; the runners do not need it to keep users apart."""
    model = tiny("resnet18", engine)
    inputs = [picture("resnet18", 1, 24, 40, seed=i) for i in range(8)]
    feeds = [engine_module.checked_inputs(model, entry) for entry in inputs]
    alone = [model.runner.run(feed, ["layer4.1.out"], None) for feed in feeds]
    wrong: list[int] = []

    def work(i: int) -> None:
        for _ in range(6):
            output, taps = model.runner.run(feeds[i], ["layer4.1.out"], None)
            if not near(output, alone[i][0], 1e-5) or not near(
                taps["layer4.1.out"], alone[i][1]["layer4.1.out"], 1e-5
            ):
                wrong.append(i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---------------------------------------------------------------- loading


def test_loaded_once_by_many_threads(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    made, make = [], engine_module._make

    def slow(*args: object) -> Model:
        made.append(args)
        time.sleep(0.2)
        return make(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(engine_module, "_make", slow)
    got: list[Model] = []
    threads = [threading.Thread(target=lambda: got.append(tiny("resnet18", "onnx"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1 and len({id(model) for model in got}) == 1


def test_a_failed_load_is_tried_again(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(engine_module, "load_weights", lambda path: {})
        with pytest.raises(EngineError) as caught:
            tiny("resnet18", "onnx")
        assert caught.value.reason == "weights.wrong_keys"
    assert run(tiny("resnet18", "onnx"), picture("resnet18", 1, 24, 40)).output.shape == (1, 7)


def test_least_recently_used_goes_first(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = tiny("resnet18", "torch"), tiny("swinir", "torch")
    assert tiny("resnet18", "torch") is first  # used again: swinir is now the oldest
    monkeypatch.setenv("VITRINE_MODEL_MEMORY_MB", str((first.nbytes + 3.5 * second.nbytes) / 1e6))
    third = tiny("swinir", "onnx")
    assert loaded() == [first, third]
    monkeypatch.setenv("VITRINE_MODEL_MEMORY_MB", "0")
    last = tiny("resnet18", "onnx")
    assert loaded() == [last]  # the newest stays even where it alone is too large
    run(first, picture("resnet18", 1, 24, 40))  # one that is still held works on


def test_key_names_weights_engine_and_device(tiny: Tiny, tiny_folder: Path, tmp_path: Path) -> None:
    a, b = tiny("resnet18", "torch"), tiny("resnet18", "onnx")
    state = load_weights(tiny_folder / "resnet18.safetensors")
    state["fc.bias"] = state["fc.bias"] + 1
    save_weights(tmp_path / "other.safetensors", state, float32=state)
    other = load(
        "resnet18",
        "emoji",
        "onnx",
        weights_file=tmp_path / "other.safetensors",
        graph_file=tiny_folder / "resnet18.onnx.gz",
        config=MODELS["resnet18"].tiny,
    )
    assert len({a.key, b.key, other.key}) == 3 and a.nbytes > 0


def test_the_report_beside_the_weights_has_the_last_word(tiny_folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "w.safetensors"
    file.write_bytes((tiny_folder / "resnet18.safetensors").read_bytes())
    (tmp_path / "w.json").write_text(
        '{"config": {"num_classes": 7, "width": 8}, "preprocess": {"size": 64}, "score": {"top1": 0.5}}'
    )
    model = load("resnet18", "emoji", "torch", weights_file=file)
    assert model.config["num_classes"] == 7 and model.preprocess["size"] == 64 and "mean" in model.preprocess
    assert model.report["score"]["top1"] == 0.5


def refused(reason: str, action: Callable[[], object]) -> Mapping[str, object]:
    with pytest.raises(EngineError) as caught:
        action()
    assert caught.value.reason == reason
    return caught.value.details


def test_what_loading_refuses(
    tiny: Tiny, tiny_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, weights = tiny_folder / "resnet18.onnx.gz", tiny_folder / "resnet18.safetensors"

    def with_files(weights: Path, graph: Path, engine: str = "onnx") -> Callable[[], object]:
        sizes = MODELS["resnet18"].tiny
        return lambda: load("resnet18", "emoji", engine, weights_file=weights, graph_file=graph, config=sizes)

    refused("weights.not_here", with_files(tmp_path / "none", graph))
    refused("engine.no_graph", with_files(weights, tmp_path / "none"))
    (tmp_path / "cut.onnx.gz").write_bytes(graph.read_bytes()[:1000])
    refused("engine.bad_graph", with_files(weights, tmp_path / "cut.onnx.gz"))
    (tmp_path / "text.onnx").write_text("a graph, honestly")
    refused("engine.bad_graph", with_files(weights, tmp_path / "text.onnx"))
    (tmp_path / "bad.safetensors").write_bytes(weights.read_bytes()[:5000])
    for engine in ENGINES:
        refused("weights.unreadable", with_files(tmp_path / "bad.safetensors", graph, engine))
    state = load_weights(weights)
    state["fc.weight"] = state["fc.weight"][:5]
    save_weights(tmp_path / "shape.safetensors", state)
    for engine in ENGINES:
        details = refused("weights.wrong_shape", with_files(tmp_path / "shape.safetensors", graph, engine))
        assert details["name"] == "fc.weight"
    refused("engine.unknown", lambda: load("resnet18", "emoji", "jax", weights_file=weights))
    with pytest.raises(KeyError):
        load("resnet18", "nothing")
    monkeypatch.setattr(engine_module, "available_engines", lambda: ("onnx",))
    refused("engine.not_installed", lambda: load("resnet18", "emoji", "torch", weights_file=weights))
    monkeypatch.setenv("VITRINE_ENGINE", "torch")
    refused("engine.not_installed", engine_module.default_engine)
    monkeypatch.setenv("VITRINE_ENGINE", "onnx")
    assert engine_module.default_engine() == "onnx" and engine_module.device_name("onnx") == "CPU"


# ---------------------------------------------------------------- what a run refuses


@pytest.mark.parametrize("engine", ENGINES)
def test_what_running_refuses(tiny: Tiny, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny("swinir", engine)
    good = picture("swinir", 1, 24, 40)
    refused("engine.input", lambda: run(model, {}))
    refused("engine.input", lambda: run(model, {"image": good["image"][0]}))
    refused("engine.input", lambda: run(model, {"image": good["image"][..., :-1]}))
    refused("engine.input", lambda: run(model, {"image": good["image"][:, :2]}))
    refused("engine.input", lambda: run(model, good | {"mask_strength": np.ones(2)}))
    refused("engine.input", lambda: run(model, good | {"picture": good["image"]}))
    refused("engine.unknown_tap", lambda: run(model, good, ["nothing"]))
    monkeypatch.setenv("VITRINE_MAX_RUN_MEGAPIXELS", "0.0005")
    assert refused("engine.too_large", lambda: run(model, good))["limit"] == 0.0005


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("slug", SLUGS)
def test_sizes_of_taps_are_known_before_the_run(
    tiny: Tiny, slug: str, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny(slug, engine)
    names = names_of(model)
    for size in SIZES:
        inputs = picture(slug, *size)
        shapes = {"image": inputs["image"].shape}
        taps = run(model, inputs, names).taps
        assert tap_shapes(model, shapes, names) == {name: taps[name].shape for name in names}
        total = sum(array.nbytes for array in taps.values())
        assert tap_bytes(model, shapes, names) == total
    limit = total / 2e6
    monkeypatch.setenv("VITRINE_MAX_TAPS_MB", str(limit))
    details = refused("engine.taps_too_large", lambda: run(model, inputs, names))
    assert details == {"megabytes": round(total / 1e6, 1), "limit": limit}
    run(model, inputs, names[-1:])  # the other way to say it: fewer of them


# ---------------------------------------------------------------- cancelling


def slow_inputs() -> dict[str, np.ndarray]:
    return {"image": np.random.default_rng(0).random((6, 3, 392, 392), dtype=np.float32)}


@pytest.mark.parametrize("engine", ENGINES)
def test_cancel_inside_a_run(tiny: Tiny, engine: str) -> None:
    model = tiny("swinir", engine)
    run(model, {"image": slow_inputs()["image"][:, :, :32, :32]})
    cancel = Cancel()
    at = [0.0]

    def stop() -> None:
        at[0] = time.monotonic()
        cancel.set()

    timer = threading.Timer(0.3, stop)
    timer.start()
    with pytest.raises(Cancelled):
        run(model, slow_inputs(), cancel=cancel)
    assert at[0] > 0, "the run ended before it was cancelled"
    assert time.monotonic() - at[0] < 2.0  # one second on a machine with nothing else to do
    assert run(model, picture("swinir", 1, 24, 40), cancel=Cancel()).output.shape == (1, 3, 48, 80)


@pytest.mark.parametrize("engine", ENGINES)
def test_cancelled_before_it_starts(tiny: Tiny, engine: str) -> None:
    gone = Cancel(poll=lambda: True)
    with pytest.raises(Cancelled):
        run(tiny("swinir", engine), picture("swinir", 1, 24, 40), cancel=gone)


def test_cancel_while_another_user_runs(tiny: Tiny) -> None:
    model, cancel = tiny("resnet18", "onnx"), Cancel()
    with model.queue.turn():
        threading.Timer(0.1, cancel.set).start()
        start = time.monotonic()
        with pytest.raises(Cancelled):
            run(model, picture("resnet18", 1, 24, 40), cancel=cancel)
        assert time.monotonic() - start < 1.1


def test_busy(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRINE_QUEUE_LENGTH", "0")
    unload_all()
    model = tiny("resnet18", "onnx")
    with model.queue.turn():
        details = refused("engine.busy", lambda: run(model, picture("resnet18", 1, 24, 40)))
    assert details == {"waiting": 0}


# ---------------------------------------------------------------- gradients


def test_gradient_is_the_slope(tiny: Tiny) -> None:
    """d z / d features is the row of fc; d tap / d image agrees with a finite difference."""
    model = tiny("resnet18", "torch")
    inputs = picture("resnet18", 1, 40, 40)
    assert near(gradient(model, inputs, "features", 2)[0], model.state["fc.weight"][2], 1e-6)
    index = (0, 3, 1, 1)
    slope = gradient_input(model, inputs, "layer2.0.residual", index)
    assert slope.shape == inputs["image"].shape
    net = copy.deepcopy(model.runner.model).double()  # type: ignore[attr-defined]
    x = torch.from_numpy(inputs["image"]).double()
    direction = torch.from_numpy(np.random.default_rng(0).standard_normal(slope.shape))
    values = []
    for step in (1e-6, -1e-6):
        with torch.no_grad(), record(["layer2.0.residual"]) as taps:
            net(x + step * direction)
        values.append(float(taps["layer2.0.residual"][index]))
    expected = float((torch.from_numpy(slope) * direction).sum())
    assert (values[0] - values[1]) / 2e-6 == pytest.approx(expected, rel=1e-4)


def test_no_gradient_on_onnx(tiny: Tiny) -> None:
    model = tiny("resnet18", "onnx")
    refused("engine.needs_torch", lambda: gradient(model, picture("resnet18", 1, 24, 40), "features", 0))
    refused(
        "engine.needs_torch",
        lambda: gradient_input(model, picture("resnet18", 1, 24, 40), "features", (0, 0)),
    )


# ---------------------------------------------------------------- the plain path


def test_the_tapped_session_is_made_when_first_needed(tiny: Tiny) -> None:
    runner = tiny("swinir", "onnx").runner
    assert isinstance(runner, OnnxRunner) and runner._tapped is None
    model = tiny("swinir", "onnx")
    run(model, picture("swinir", 1, 24, 40))
    assert runner._tapped is None
    run(model, picture("swinir", 1, 24, 40), ["deep"])
    assert runner._tapped is not None


# ---------------------------------------------------------------- what is shipped


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("slug, weights_id", [("swinir", "x2"), ("swinir", "x4"), ("resnet18", "emoji")])
def test_embedded_weights_load_and_run(slug: str, weights_id: str, engine: str) -> None:
    model = load(slug, weights_id, engine)
    assert set(model.weights.config) <= set(model.config) and model.key.startswith(f"{slug}-{weights_id}")
    assert np.isfinite(run(model, picture(slug, 1, 24, 40)).output).all()
    unload_all()


def test_a_run_in_any_thread_has_the_threads_of_the_settings(
    tiny: Tiny, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PyTorch counts its workers for each thread anew; jobs run in threads of their own."""
    monkeypatch.setenv("VITRINE_THREADS", "3")
    model, seen = tiny("resnet18", "torch"), []

    def work() -> None:
        torch.set_num_threads(1)
        run(model, {"image": np.zeros((1, 3, 64, 64), np.float32)})
        seen.append(torch.get_num_threads())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(60)
    assert seen == [3]

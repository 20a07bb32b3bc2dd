"""Torch and ONNX Runtime give the same output and the same taps, for any batch and any legal size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app import engine
from app.engine import onnx_engine
from models import onnx_bytes
from models.card import ModelCard, Weights
from models.export import export
from models.weights_io import load_weights, save_weights
from tests.close import ENGINES, distance
from tests.contract.helpers import (
    CARDS,
    EMBEDDED,
    EMBEDDED_IDS,
    EVERY_WEIGHTS,
    WEIGHTS_IDS,
    build,
    config_of,
    examples,
    shake,
    sizes,
    state_of,
)

GRAPH_BYTES = 600_000  # the largest a shipped graph may be


@pytest.fixture(autouse=True)
def room_for_every_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page shows few taps at once; here they are all compared."""
    monkeypatch.setenv("VITRINE_MAX_TAPS_MB", "2000")


def assert_same(ours: engine.Trace, theirs: engine.Trace) -> None:
    """Output and every tap within the engines' tolerance."""
    assert distance(ours.output, theirs.output) <= ENGINES
    assert set(ours.taps) == set(theirs.taps)
    for name, value in ours.taps.items():
        assert distance(value, theirs.taps[name]) <= ENGINES, name


@pytest.fixture(scope="module", params=CARDS, ids=lambda card: card.slug)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """A tiny model of each card on both engines, its graph exported just now."""
    card: ModelCard = request.param
    folder = tmp_path_factory.mktemp(card.slug)
    graph, weights = folder / "tiny.onnx", folder / "tiny.safetensors"
    export(card, dict(card.tiny), graph)
    state = state_of(shake(build(card, card.tiny)))
    save_weights(weights, state, float32=list(state))
    first = card.weights[0].id
    return tuple(
        engine.load(card.slug, first, name, weights_file=weights, graph_file=graph, config=card.tiny)
        for name in ("torch", "onnx")
    )


@pytest.mark.slow
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("which", [0, 1], ids=["small", "large"])
def test_output_and_every_tap(pair, batch: int, which: int):
    torch_model, onnx_model = pair
    card = torch_model.card
    inputs = {k: v.numpy() for k, v in examples(card, card.tiny, batch, sizes(card)[which]).items()}
    names = [spec.name for spec in card.taps(card.tiny)]
    ours, theirs = (engine.run(model, inputs, names) for model in pair)
    assert set(ours.taps) == set(names)
    assert_same(ours, theirs)


@pytest.mark.slow
def test_sizes_of_taps_are_known_before_the_run(pair):
    card, model = pair[1].card, pair[1]
    names = [spec.name for spec in card.taps(card.tiny)]
    for batch, size in zip((1, 3), sizes(card), strict=True):
        inputs = {k: v.numpy() for k, v in examples(card, card.tiny, batch, size).items()}
        taps = engine.run(model, inputs, names).taps
        said = engine.tap_shapes(model, {name: array.shape for name, array in inputs.items()}, names)
        assert said == {name: taps[name].shape for name in names}


@pytest.mark.slow
def test_numbers_that_name_nothing_are_refused(pair):
    """A class or a step that the model does not have, on either engine, before anything is run."""
    for model in pair:
        card = model.card
        inputs = {k: v.numpy() for k, v in examples(card, card.tiny, 2, sizes(card)[0]).items()}
        required = [spec for spec in card.inputs if spec.default is None]
        lengths = {a: n for spec in required for a, n in zip(spec.axes, inputs[spec.name].shape, strict=True)}
        for spec in required:
            for wrong in (-1, spec.limit(card.tiny, lengths)) if spec.dtype == "int64" else ():
                with pytest.raises(engine.EngineError) as caught:
                    engine.run(model, inputs | {spec.name: np.full_like(inputs[spec.name], wrong)})
                assert (caught.value.reason, caught.value.details["name"]) == ("engine.input", spec.name)


@pytest.mark.slow
def test_plain_path_equals_the_tapped_one(pair):
    """The session without taps is fused otherwise; optional inputs may be left out."""
    card = pair[0].card
    required = [spec.name for spec in card.inputs if spec.default is None]
    inputs = {k: v.numpy() for k, v in examples(card, card.tiny, 2, sizes(card)[0]).items() if k in required}
    outputs = [engine.run(model, inputs).output for model in pair]
    tapped = engine.run(pair[1], inputs, [card.taps(card.tiny)[0].name]).output
    assert distance(outputs[0], outputs[1]) <= ENGINES
    assert distance(outputs[1], tapped) <= ENGINES


# ---------------------------------------------------------------- the graphs that are shipped


@pytest.mark.parametrize(("card", "weights"), EVERY_WEIGHTS, ids=WEIGHTS_IDS)
def test_shipped_graph(card: ModelCard, weights: Weights):
    """It holds no weights, names the model's tensors with their shapes, and has the card's taps as outputs."""
    path = card.graph_path(weights)
    assert path.is_file(), f"python -m models.export {card.slug}:{weights.id}"
    assert path.stat().st_size < GRAPH_BYTES
    config = config_of(card, weights)
    graph = onnx_bytes.read_bytes(path)
    meta = build(card, config, device="meta").state_dict()
    expected = {name: tuple(value.shape) for name, value in meta.items() if value.is_floating_point()}
    assert onnx_bytes.external_shapes(graph) == expected
    taps = [spec.name for spec in card.taps(config) if spec.name != card.output.name]
    assert onnx_bytes.output_names(graph) == [card.output.name, *taps]
    values = sum(4 * int(np.prod(shape)) for shape in expected.values())
    assert len(graph) < 5e6 + values / 2, "the weights are inside"


@pytest.mark.parametrize(("card", "weights"), EVERY_WEIGHTS, ids=WEIGHTS_IDS)
def test_shipped_graph_is_valid_onnx(card: ModelCard, weights: Weights):
    onnx = pytest.importorskip("onnx")
    model = onnx.load_from_string(onnx_bytes.read_bytes(card.graph_path(weights)))
    inputs = {value.name: value for value in model.graph.input}
    assert set(inputs) == {spec.name for spec in card.inputs}
    for spec in card.inputs:
        dims = inputs[spec.name].type.tensor_type.shape.dim
        assert len(dims) == len(spec.axes)
        for axis, dim in zip(spec.axes, dims, strict=True):
            assert bool(dim.dim_param) == (axis in spec.dynamic), f"{spec.name} {axis}"
    stored = sum(len(i.raw_data) for i in model.graph.initializer)
    assert stored < 2e6, "more than constants inside"
    for note in ("/", "\\"):
        leaks = [n.name for n in model.graph.node if n.doc_string and note in n.doc_string]
        assert not leaks, "the exporter's notes are inside"


def one_of_a_layout() -> list[tuple[ModelCard, Weights]]:
    """Of weights that differ in scale or classes only, the last: the others' graphs are checked by structure."""
    chosen = {}
    for card, weights in EVERY_WEIGHTS:
        layout = {k: v for k, v in weights.config.items() if k not in ("scale", "num_classes")}
        chosen[card.slug, repr(sorted(layout.items()))] = card, weights
    return list(chosen.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("card", "weights"), one_of_a_layout(), ids=[f"{card.slug}-{w.id}" for card, w in one_of_a_layout()]
)
def test_shipped_graph_runs_and_equals_torch(card: ModelCard, weights: Weights, tmp_path: Path):
    """With random weights of the real sizes: what was shipped is the model as it is now."""
    file = tmp_path / "random.safetensors"
    state = state_of(shake(build(card, weights.config), seed=1))
    save_weights(file, state, float32=list(state))
    inputs = {k: v.numpy() for k, v in examples(card, weights.config, 1, sizes(card)[0]).items()}
    names = [spec.name for spec in card.taps(weights.config)]
    torch_model, onnx_model = (
        engine.load(card.slug, weights.id, name, weights_file=file, config=weights.config)
        for name in ("torch", "onnx")
    )
    assert_same(engine.run(torch_model, inputs, names), engine.run(onnx_model, inputs, names))
    engine.unload_all()


def test_weights_of_other_sizes_are_refused(tmp_path: Path):
    for card in CARDS:
        state = state_of(build(card, card.tiny))
        file = tmp_path / f"{card.slug}.safetensors"
        save_weights(file, state)
        for name in ("torch", "onnx"):
            with pytest.raises(engine.EngineError) as caught:
                engine.load(card.slug, card.weights[0].id, name, weights_file=file)
            assert caught.value.reason in ("weights.wrong_keys", "weights.wrong_shape")


# ---------------------------------------------------------------- embedded weights


@pytest.mark.parametrize(("card", "weights"), EMBEDDED, ids=EMBEDDED_IDS)
def test_embedded_weights(card: ModelCard, weights: Weights):
    """Small, with a report beside them, and the same on both engines."""
    path = card.embedded_path(weights)
    assert path.is_file() and card.report_path(weights).is_file()
    config = config_of(card, weights)
    weights_here = load_weights(path)
    room = 200 * len(weights_here)  # for the file's own list of names and shapes
    assert path.stat().st_size < 2.2 * card.parameters(config) + room, "larger than float16"
    assert all(np.isfinite(value).all() for value in weights_here.values())
    inputs = {k: v.numpy() for k, v in examples(card, config, 2, sizes(card)[1]).items()}
    names = [spec.name for spec in card.taps(config)]
    ours, theirs = (
        engine.run(engine.load(card.slug, weights.id, name), inputs, names) for name in ("torch", "onnx")
    )
    assert_same(ours, theirs)


def test_onnx_engine_needs_no_onnx_package():
    assert not hasattr(onnx_engine, "onnx")

"""Write the ONNX graph of a model without its weights.

One graph serves every set of weights of the same sizes: initializers keep their `state_dict` names and are left
external, to be bound when a session is made. Every tap is a named output after the model's own; the engine
drops those outputs from the plain session, so the plain path pays nothing for them.

    python -m models.export                 # every graph of the registry that is missing
    python -m models.export swinir:x2 --force
"""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn

from models.build import build
from models.card import ModelCard
from models.examples import example
from models.registry import MODELS
from models.taps import record, taps_of


class WithTaps(nn.Module):
    """The model, returning (output, tap, tap, ...) in the order of `names`. Keeps the parameters' names."""

    def __init__(self, model: nn.Module, names: list[str]):
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        with record(self.names) as tensors:
            output = self.model(*inputs)
        return (output, *(tensors[name] for name in self.names))


def example_and_shapes(
    card: ModelCard, config: dict[str, Any]
) -> tuple[tuple[Tensor, ...], tuple[dict, ...]]:
    """An example of every input of the card, and which of its axes may have any (legal) size."""
    shared = {"batch": torch.export.Dim("batch", min=1, max=4096)}  # axes that several inputs have
    shared |= {axis: torch.export.Dim(axis, min=1, max=2**24) for axis in ("node", "edge")}
    examples: list[Tensor] = []
    shapes: list[dict] = []
    for spec in card.inputs:
        if spec.default is not None:
            examples.append(torch.full(spec.shape, spec.default))
            shapes.append({})
            continue
        windowed = "window_size" in config
        multiple = min(config["window_size"], config["img_size"]) if windowed else spec.multiple_of
        lengths = {"batch": 2, "node": 7, "edge": 11}
        dims: dict[int, Any] = {}
        for position, axis in enumerate(spec.axes):
            if axis in shared:
                dims[position] = shared[axis]
            elif axis in spec.dynamic:
                least = -(-spec.minimum // multiple) if multiple > 1 else spec.minimum
                free = torch.export.Dim(axis, min=1 if multiple > 1 else least, max=65536 // multiple)
                dims[position] = multiple * free if multiple > 1 else free
                lengths[axis] = multiple * (2 + position) if multiple > 1 else spec.minimum + 16 * position
        examples.append(torch.from_numpy(example(spec, config, lengths)))
        shapes.append(dims)
    return tuple(examples), tuple(shapes)


def export(card: ModelCard, config: dict[str, Any], path: Path) -> None:
    """Write the graph of a model of these sizes to `path`, tensors of its state dict left external.

    optimize=False keeps every initializer under its own name and value: with the exporter's own folding a batch
    norm would be merged into the convolution of the same name, and bound weights would then be silently wrong.
    """
    model = build(card, config)
    names = [spec.name for spec in card.taps(config)]
    if set(names) != set(taps_of(model)):
        raise ValueError(f"the card of {card.slug} and its model name different taps")
    names = [name for name in names if name != card.output.name]  # a tap on the output is the output
    examples, shapes = example_and_shapes(card, config)
    with torch.no_grad():
        program = torch.export.export(WithTaps(model, names), examples, dynamic_shapes={"inputs": shapes})
        onnx_program = torch.onnx.export(
            program,
            input_names=[spec.name for spec in card.inputs],
            output_names=[card.output.name, *names],
            dynamo=True,
            optimize=False,
            verbose=False,
        )
    assert onnx_program is not None
    write_graph(strip(onnx_program.model_proto, weight_names(model)), path)


def write_graph(proto: onnx.ModelProto, path: Path) -> None:
    """Write a graph, gzip, so that the same graph always gives the same bytes (no time stamp)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(proto.SerializeToString(deterministic=True), compresslevel=9, mtime=0))


def weight_names(model: nn.Module) -> set[str]:
    """Tensors that a weights file holds: floating parameters and persistent buffers."""
    return {name for name, value in model.state_dict().items() if value.is_floating_point()}


def strip(proto: onnx.ModelProto, weights: set[str]) -> onnx.ModelProto:
    """Take the weights' values and the exporter's notes out of a graph; drop the wrapper's `model.` prefix."""
    graph = proto.graph
    prefix = "model."
    renamed = {i.name: i.name.removeprefix(prefix) for i in graph.initializer if i.name.startswith(prefix)}
    for node in graph.node:
        node.input[:] = [renamed.get(name, name) for name in node.input]
        node.ClearField("metadata_props")
        node.ClearField("doc_string")
    left = set(weights)
    for initializer in graph.initializer:
        initializer.name = renamed.get(initializer.name, initializer.name)
        if initializer.name in weights:
            left.discard(initializer.name)
            initializer.ClearField("raw_data")
            initializer.data_location = onnx.TensorProto.EXTERNAL
            del initializer.external_data[:]
            initializer.external_data.add(key="location", value="weights")
    if left:
        raise ValueError(f"tensors that did not become initializers: {sorted(left)}")
    del graph.value_info[:]
    graph.ClearField("metadata_props")
    proto.ClearField("metadata_props")
    proto.ClearField("functions")
    return proto


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the shipped ONNX graphs.")
    parser.add_argument("which", nargs="*", help="slug:weights, for example swinir:x2 (default: all)")
    parser.add_argument("--force", action="store_true", help="write even where the file exists")
    args = parser.parse_args()
    for card in MODELS.values():
        for weights in card.weights:
            path = card.graph_path(weights)
            if args.which and f"{card.slug}:{weights.id}" not in args.which:
                continue
            if path.exists() and not args.force:
                continue
            export(card, dict(weights.config), path)
            print(f"{path}  {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()

"""Shipped ONNX graphs: gzip, without weights, every tap an output after the model's own. Imports no torch."""

from __future__ import annotations

import gzip
from pathlib import Path

import onnx


def write_graph(proto: onnx.ModelProto, path: Path) -> None:
    """Write a graph so that the same graph always gives the same bytes (no time stamp)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(proto.SerializeToString(deterministic=True), compresslevel=9, mtime=0))


def read_graph(path: Path) -> onnx.ModelProto:
    """Read a shipped graph. Raises FileNotFoundError where there is none."""
    proto = onnx.ModelProto()
    proto.ParseFromString(gzip.decompress(path.read_bytes()))
    return proto


def plain(proto: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph with the model's output only, so that a session may fuse through every tap."""
    copy = onnx.ModelProto()
    copy.CopyFrom(proto)
    del copy.graph.output[1:]
    return copy


def expected_shapes(proto: onnx.ModelProto) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor that must be bound before the graph can run."""
    return {
        tensor.name: tuple(tensor.dims)
        for tensor in proto.graph.initializer
        if tensor.data_location == onnx.TensorProto.EXTERNAL
    }

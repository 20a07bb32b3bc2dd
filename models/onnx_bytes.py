"""Read and trim an ONNX file by its wire format, so that the slim install does without the onnx package.

An ONNX file is a protobuf message: fields, each a key (number << 3 | type) and a value. We need three things:
the names of a graph's outputs, its external tensors with their shapes, and the same file with fewer outputs.
Numbers of fields are those of onnx.proto3: ModelProto.graph 7; GraphProto.initializer 5, output 12;
ValueInfoProto.name 1; TensorProto.dims 1, name 8, data_location 14.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

GRAPH, INITIALIZER, OUTPUT = 7, 5, 12
VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True)
class Field:
    """One field: its number, its value, and where it stands (start of its key, end of its value)."""

    number: int
    value: int | memoryview
    start: int
    end: int


def read_bytes(path: Path) -> bytes:
    """Bytes of a shipped graph, gzip or not. Raises OSError, or ValueError where the gzip is damaged."""
    data = path.read_bytes()
    try:
        return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    except (EOFError, OSError, zlib.error) as error:
        raise ValueError(str(error)) from error


def read_varint(data: memoryview, at: int) -> tuple[int, int]:
    """Value of a base-128 number and the position after it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def write_varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def fields(data: memoryview) -> Iterator[Field]:
    """The fields of a message in order. Raises ValueError where the bytes are not one."""
    at = 0
    while at < len(data):
        start = at
        try:
            key, at = read_varint(data, at)
            value: int | memoryview
            if key & 7 == VARINT:
                value, at = read_varint(data, at)
            else:
                size = {FIXED64: 8, FIXED32: 4}.get(key & 7)
                if size is None:
                    if key & 7 != BYTES:
                        raise ValueError(f"wire type {key & 7}")
                    size, at = read_varint(data, at)
                value, at = data[at : at + size], at + size
        except IndexError:
            raise ValueError("the file ends inside a field") from None
        if at > len(data):
            raise ValueError("the file ends inside a field")
        yield Field(key >> 3, value, start, at)


def _text(message: memoryview, number: int) -> str:
    return next(
        (bytes(f.value).decode() for f in fields(message) if f.number == number and not _is_int(f)), ""
    )


def _is_int(field: Field) -> bool:
    return isinstance(field.value, int)


def _messages(message: memoryview, number: int) -> list[memoryview]:
    return [f.value for f in fields(message) if f.number == number and isinstance(f.value, memoryview)]


def graph_of(model: bytes) -> memoryview:
    """The graph inside a model file. Raises ValueError where there is none."""
    found = _messages(memoryview(model), GRAPH)
    if len(found) != 1:
        raise ValueError("not an ONNX model: it holds no graph")
    return found[0]


def output_names(model: bytes) -> list[str]:
    """Names of the graph's outputs, the model's own first."""
    return [_text(value_info, 1) for value_info in _messages(graph_of(model), OUTPUT)]


def external_shapes(model: bytes) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor that the file leaves out (to be bound at load)."""
    shapes: dict[str, tuple[int, ...]] = {}
    for tensor in _messages(graph_of(model), INITIALIZER):
        dims: list[int] = []
        name, external = "", False
        for field in fields(tensor):
            if field.number == 1 and isinstance(field.value, int):
                dims.append(field.value)
            elif field.number == 1 and isinstance(field.value, memoryview):  # packed
                at = 0
                while at < len(field.value):
                    size, at = read_varint(field.value, at)
                    dims.append(size)
            elif field.number == 8 and isinstance(field.value, memoryview):
                name = bytes(field.value).decode()
            elif field.number == 14:
                external = field.value == 1
        if external:
            shapes[name] = tuple(dims)
    return shapes


def keep_first_output(model: bytes) -> bytes:
    """The same model with its first output only: what led to the others alone is no longer computed."""
    data = memoryview(model)
    out = bytearray()
    for field in fields(data):
        if field.number != GRAPH or not isinstance(field.value, memoryview):
            out += data[field.start : field.end]
            continue
        graph, first = bytearray(), True
        for inner in fields(field.value):
            if inner.number == OUTPUT and not first:
                continue
            first = first and inner.number != OUTPUT
            graph += field.value[inner.start : inner.end]
        out += write_varint(GRAPH << 3 | BYTES) + write_varint(len(graph)) + graph
    return bytes(out)

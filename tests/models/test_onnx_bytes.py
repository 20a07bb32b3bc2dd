"""Reading and trimming graphs by wire format says what the onnx package says."""

from __future__ import annotations

import onnx
import pytest
from hypothesis import given, settings, strategies as st

from models.onnx_bytes import (
    external_shapes,
    fields,
    keep_first_output,
    output_names,
    read_bytes,
    read_varint,
    write_varint,
)
from models.registry import MODELS

SHIPPED = [
    path
    for card in MODELS.values()
    for path in (card.graph_path(entry) for entry in card.weights)
    if path.exists()
]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_as_the_onnx_package_reads_it(path) -> None:
    data = read_bytes(path)
    proto = onnx.ModelProto.FromString(data)
    assert output_names(data) == [output.name for output in proto.graph.output]
    assert external_shapes(data) == {
        tensor.name: tuple(tensor.dims)
        for tensor in proto.graph.initializer
        if tensor.data_location == onnx.TensorProto.EXTERNAL
    }
    del proto.graph.output[1:]
    assert onnx.ModelProto.FromString(keep_first_output(data)) == proto


@given(st.integers(0, 2**64 - 1))
def test_varint_there_and_back(value: int) -> None:
    data = memoryview(write_varint(value) + b"\xff")
    assert read_varint(data, 0) == (value, len(data) - 1)


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        found = list(fields(memoryview(data)))
    except ValueError:
        return
    assert b"".join(data[field.start : field.end] for field in found) == data


def test_damaged_files_are_refused(tmp_path) -> None:
    whole = SHIPPED[0].read_bytes()
    for name, data in (("cut.gz", whole[:500]), ("flipped.gz", whole[:300] + b"\0\0\0\0" + whole[304:])):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError):
            read_bytes(tmp_path / name)
    plain = read_bytes(SHIPPED[0])
    for data in (b"", plain[:1000], b"<svg>no</svg>"):
        with pytest.raises(ValueError):
            output_names(data)

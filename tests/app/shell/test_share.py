"""The files that are taken away hold what was shown."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from app.widgets import share


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 1, 3, 4)])
def test_csv_says_every_number_exactly(shape):
    values = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    lines = share.as_csv(values, ("row", "column")).decode().splitlines()
    assert lines[0].split(",")[-1] == "value" and len(lines[0].split(",")) == len(shape) + 1
    assert len(lines) == values.size + 1
    for line in lines[1:]:
        *index, value = line.split(",")
        assert np.float32(value) == values[tuple(int(i) for i in index)]


def test_csv_is_limited(monkeypatch):
    monkeypatch.setattr(share, "CSV_ROWS", 10)
    lines = share.as_csv(np.arange(12), ()).decode().splitlines()
    assert lines[0] == "axis0,value" and len(lines) == 12 and lines[-1] == "# 10 of 12"


def test_npz_needs_no_pickle():
    values = np.arange(6, dtype=np.float32).reshape(1, 2, 3)
    with np.load(io.BytesIO(share.as_npz(values, ("batch", "row", "column"))), allow_pickle=False) as file:
        assert np.array_equal(file["values"], values)
        assert file["axes"].tolist() == ["batch", "row", "column"]


def test_png_is_the_pixels():
    rgb = np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)
    for figure in (rgb, Image.fromarray(rgb), share.as_png(rgb)):
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(share.as_png(figure)))), rgb)


def test_file_names_are_tame():
    assert share.file_stem("rstb.0 / layer 1 · 注意力") == "rstb.0-layer-1"
    assert share.file_stem("../../x") == "x"
    assert share.file_stem("…") == "vitrine"
    assert len(share.file_stem("a" * 500)) == 80

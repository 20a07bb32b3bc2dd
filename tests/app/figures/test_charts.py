"""Bars and histograms: well-formed, to scale, legible without the browser's variables."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra.numpy import arrays

from app.figures.charts import bars, for_file, histogram, responsive, short

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_are_to_scale_and_keep_their_side_of_zero():
    svg = bars([4.0, 2.0, -1.0], ["a", "b", "<c>"], title="t", ids=["0", "1", "2"], chosen=1)
    root = ET.fromstring(svg)
    groups = root.findall(f"{SVG}g")
    assert [g.get("data-id") for g in groups] == ["0", "1", "2"]
    drawn = [g.findall(f"{SVG}rect")[1] for g in groups]
    lengths = [float(r.get("width", 0)) for r in drawn]
    assert lengths[0] == pytest.approx(2 * lengths[1], rel=1e-2) == pytest.approx(4 * lengths[2], rel=1e-2)
    zero = float(root.find(f"{SVG}line").attrib["x1"])
    assert float(drawn[0].get("x", 0)) == pytest.approx(zero, abs=0.01)
    assert float(drawn[2].get("x", 0)) + lengths[2] == pytest.approx(zero, abs=0.01)
    assert groups[1].findall(f"{SVG}text")[0].get("font-weight") == "700"


def test_bars_of_nothing_odd_or_mismatched():
    ET.fromstring(bars([], [], title="none"))
    ET.fromstring(bars([np.nan, np.inf, 0.0], ["a", "b", "c"], title="odd"))
    with pytest.raises(ValueError, match="2 labels for 1"):
        bars([1.0], ["a", "b"], title="t")


@settings(deadline=None, max_examples=60)
@given(arrays(np.float32, st.integers(0, 60), elements=st.floats(width=32)))
def test_any_array_has_a_histogram(array):
    root = ET.fromstring(histogram(array, title="t", marked=0.5))
    counts = [int(r.find(f"{SVG}title").text.replace(",", "")) for r in root.findall(f"{SVG}rect")]
    assert sum(counts) == np.isfinite(array).sum()


def test_a_file_needs_no_variables():
    for svg in (bars([1.0, -1.0], ["a", "b"], title="t"), histogram(np.arange(9.0), title="t")):
        file = for_file(svg)
        assert "var(" not in file and ET.fromstring(file) is not None


def test_two_widths():
    html = responsive(lambda width: histogram(np.arange(9.0), title="t", width=width))
    assert 'class="wide"' in html and 'viewBox="0 0 340 ' in html
    file = ET.fromstring(for_file(html))
    assert file.tag == f"{SVG}svg" and file.get("viewBox", "").startswith("0 0 640 "), (
        "a file has the wide one alone"
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.12345, "0.1235"), (1e-7, "1e-7"), (-12345678, "-1.235e7"), (np.inf, "inf")],
)
def test_short_numbers(value, text):
    assert short(value) == text

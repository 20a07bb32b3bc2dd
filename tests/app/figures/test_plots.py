"""Lines and histograms as SVG: sound XML, points where they belong, gaps, legends that fit."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from app.figures.charts import for_file
from app.figures.plots import Density, Line, densities, lines, powers, ticks, told_apart


def paths(svg: str) -> list[str]:
    tree = ElementTree.fromstring(svg)
    return [str(e.get("d")) for e in tree.iter() if e.tag.endswith("path")]


def points(path: str) -> np.ndarray:
    return np.array([[float(v) for v in pair] for pair in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", path)])


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0, 1000, [0, 200, 400, 600, 800, 1000]),
        (-1, 1, [-1, -0.5, 0, 0.5, 1]),
        (0, 0, [0]),
        (1, 25, [5, 10, 15, 20, 25]),
    ],
)
def test_ticks_are_round(low: float, high: float, wanted: list[float]) -> None:
    assert ticks(low, high) == wanted
    assert len(ticks(low, high * 0.37, 4)) <= 4


def test_a_narrow_axis_still_has_more_than_one_number() -> None:
    assert ticks(1, 25, 3) == [10, 20]


def test_numbers_that_lie_close_read_differently() -> None:
    assert told_apart(ticks(-177.12, -176.88, 5)) == ["-177.1", "-177.05", "-177", "-176.95", "-176.9"]
    assert told_apart([0.0, 0.5, 1.0]) == ["0", "0.5", "1"]


def test_powers_of_ten() -> None:
    assert powers(1e-5, 1e4) == [1e-5, 1e-3, 1e-1, 1e1, 1e3]


def test_a_line_goes_through_its_points_and_leaves_a_gap() -> None:
    svg = lines(
        [Line("a < b", [0, 1, 2, 3, 4], [0, 1, np.nan, 1, 0])],
        title="t",
        x_label="x",
        y_label="y",
        marked=2.0,
    )
    (path,) = paths(svg)
    assert path.count("M") == 2
    at = points(path)
    assert np.allclose(np.diff(at[:2, 0]), (at[-1, 0] - at[0, 0]) / 4)
    assert at[0, 1] > at[1, 1]  # up is up
    assert "a &lt; b" in svg
    assert "var(" not in for_file(svg)


def test_a_logarithmic_axis_has_equal_steps_for_equal_factors() -> None:
    svg = lines([Line("", [0, 1, 2, 3], [1e-2, 1, 100, 0])], title="t", log_y=True)
    at = points(paths(svg)[0])
    assert len(at) == 3
    assert at[0, 1] - at[1, 1] == pytest.approx(at[1, 1] - at[2, 1], abs=0.2)


def test_histograms_have_the_same_area_and_refuse_wrong_bins() -> None:
    edges = np.linspace(-1, 1, 5)
    svg = densities(
        [Density("few", [1, 0, 0, 1]), Density("many", [50, 0, 0, 50], "second")], edges, title="t"
    )
    few, many = (points(p) for p in paths(svg))
    assert np.allclose(few, many)
    with pytest.raises(ValueError, match="3 counts"):
        densities([Density("", [1, 2, 3])], edges, title="t")


def test_a_narrow_legend_takes_more_rows() -> None:
    series = [Line(f"a rather long name {i}", [0, 1], [0, 1]) for i in range(4)]
    assert (
        points(paths(lines(series, title="t", width=340))[0])[:, 1].min()
        > points(paths(lines(series, title="t", width=1200))[0])[:, 1].min()
    )


def test_nothing_at_all_is_still_a_picture() -> None:
    assert ElementTree.fromstring(lines([], title="t")) is not None
    assert ElementTree.fromstring(lines([Line("", [1, 1], [2, 2])], title="t")) is not None

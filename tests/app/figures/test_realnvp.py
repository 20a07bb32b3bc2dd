"""Drawings of the RealNVP page."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np

from app.figures import realnvp as draw


def test_what_stays_and_what_is_done_have_colours_of_their_own() -> None:
    mask = np.array([[1.0, 0.0, np.nan]])
    image = draw.parted(np.array([[0.0, 0.0, np.nan]]), mask, 1.0)
    assert tuple(image[0, 0]) == draw.STAYS and tuple(image[0, 2]) == draw.DONE
    assert image[0, 1].min() > 240  # 0 is pale
    blue, orange = draw.coloured(np.array([-9.0, 9.0]))
    assert blue[2] > blue[0] and orange[0] > orange[2]


def test_marks_of_the_chart_are_named_and_stay_inside() -> None:
    svg = draw.bits_chart(
        [("digits", np.array([1.0, 1.5, 2.0])), ("samples", np.array([2.0]))],
        [("mine & yours: 1.20", 1.2), ("far", 500.0), ("near", 0.001)],
        title="bits",
        x_name="bits/dim",
        width=340,
    )
    root = ET.fromstring(svg)
    words = ["".join(e.itertext()) for e in root.iter() if e.tag.endswith("text")]
    assert "mine & yours: 1.20" in words and "far ▸" in words
    lines = [float(e.attrib["x1"]) for e in root.iter() if e.tag.endswith("line")]
    assert min(lines) >= 8 and max(lines) <= 332


def test_densities_rise_from_dark_to_light_with_y_upwards() -> None:
    values = np.zeros((9, 9))
    values[0] = 1.0  # the lowest row
    image = draw.density(values, 1.0).astype(int).sum(-1)
    assert image[-4].mean() > image[4].mean() + 200


def test_points_stand_where_they_belong() -> None:
    image = draw.scattered(np.array([[1.0, 1.0]]), (200, 0, 0), 2.0)
    dark = np.argwhere(image[..., 1] < 100)
    row, column = dark.mean(0)
    assert abs(row - draw.SIDE / 4) < 2 and abs(column - 3 * draw.SIDE / 4) < 2

"""Shapes over a picture: well-formed, in the right place, the same in the browser and in a file."""

from __future__ import annotations

import base64
import io
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from hypothesis import given, strategies as st
from PIL import Image

from app.figures.overlay import (
    COLOURS,
    Dot,
    Grid,
    Label,
    Polygon,
    Rect,
    Shape,
    Style,
    fragment,
    grid_lines,
    number,
    to_svg,
)

SVG = "{http://www.w3.org/2000/svg}"
SHAPES: list[Shape] = [
    Grid(step=8, offset=(4, 4)),
    Rect(x=1.5, y=2, width=8, height=8, label='a<b & "c"'),
    Polygon(points=((0, 0), (5, 0), (5, 5)), style=Style(fill=0.3, dashed=True)),
    Polygon(points=((0, 0), (5, 0), (5, 5)), closed=False),
    Dot(x=3.5, y=4.5, label="dot"),
    Label(x=2, y=9, text="<script>alert(1)</script>"),
    Label(x=2, y=9, text="middle", centred=True, size=20),
]


def test_a_file_holds_the_picture_and_every_shape():
    rng = np.random.default_rng(0)
    for image in (rng.integers(0, 256, (20, 30, 3), np.uint8), rng.integers(0, 256, (20, 30, 4), np.uint8)):
        svg = to_svg(image, SHAPES, [Dot(x=1, y=1)], pixelated=True, title="A <title>")
        root = ET.fromstring(svg)
        assert root.get("viewBox") == "0 0 30 20"
        assert "var(" not in svg and "calc(" not in svg and "<script>" not in svg
        href = root.find(f"{SVG}image").get("href", "")
        data = base64.b64decode(href.split(",", 1)[1])
        assert np.array_equal(np.asarray(Image.open(io.BytesIO(data))), image)
        assert len(root.findall(f"{SVG}text")) == 4
        assert root.find(f"{SVG}title").text == "A <title>"


def test_browser_and_file_draw_the_same_shapes():
    for shape in SHAPES:
        screen = ET.fromstring(f"<g>{fragment([shape], 30, 20)}</g>")
        file = ET.fromstring(f"<g>{fragment([shape], 30, 20, unit=0.5)}</g>")
        assert [node.tag for node in screen] == [node.tag for node in file]
        for a, b in zip(screen, file, strict=True):
            if a.tag != "text":
                same = set(a.keys()) - {"style", "r"}
                assert all(a.get(key) == b.get(key) for key in same)
    assert "--u" in fragment([SHAPES[1]], 30, 20) and "--u" not in fragment([SHAPES[1]], 30, 20, unit=1)


def test_widths_follow_the_unit():
    one = fragment([Rect(x=0, y=0, width=4, height=4, style=Style(width=2, halo=False))], 8, 8, unit=0.25)
    assert "stroke-width:0.5px" in one


@given(st.integers(1, 300), st.integers(1, 64), st.integers(-70, 70))
def test_grid_lines_against_brute_force(size, step, offset):
    expected = [at for at in range(1, size) if (at - offset) % step == 0]
    assert grid_lines(size, step, offset) == expected


def test_grid_without_a_line_draws_nothing_and_a_step_of_zero_is_a_mistake():
    assert fragment([Grid(step=50)], 30, 20) == ""
    with pytest.raises(ValueError, match="positive"):
        fragment([Grid(step=0)], 30, 20)


@given(st.floats(-1e6, 1e6))
def test_numbers_have_no_exponent_and_keep_three_places(value):
    text = number(value)
    assert re.fullmatch(r"-?\d+(\.\d{1,3})?", text)
    assert float(text) == pytest.approx(value, abs=5.1e-4)


def test_roles_and_free_colours():
    assert Style(colour="bad").css == COLOURS["bad"] and Style(colour="#123456").css == "#123456"
    assert (
        '"'
        not in fragment([Dot(x=0, y=0, style=Style(colour='red"/><x'))], 5, 5)
        .split("style=")[1][1:]
        .split('"/>')[0]
    )

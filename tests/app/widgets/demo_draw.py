"""A page with canvases to draw on, for AppTest and the browser tests: `streamlit run` this file."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np
import streamlit as st

from app.widgets.draw import draw_grey, draw_points, set_strokes
from app.widgets.picture import picture


@st.fragment
def points() -> None:
    if st.button("ring"):
        angles = np.linspace(0, 2 * np.pi, 100, endpoint=False)
        set_strokes("points", [np.stack([0.5 + 0.3 * np.cos(angles), 0.5 + 0.3 * np.sin(angles)], -1)])
    found = draw_points("points", alt="Your own distribution", most=300)
    middle = [round(float(v), 2) for v in found.mean(0)] if len(found) else None
    st.text(f"points {len(found)} around {middle}")


@st.fragment
def exact() -> None:
    back = np.linspace(0, 1, 64)[None] * np.ones((64, 1))
    found = draw_points("exact", alt="Exact points", spread=0, grid=0, background=back)
    st.text(f"exact {[[round(float(v), 2) for v in point] for point in found[:4]]}")


@st.fragment
def digit() -> None:
    found = draw_grey("digit", alt="A digit")
    st.text("digit none" if found is None else f"digit {found.shape} {int((found > 127).sum())} white")
    if found is not None:
        picture(found, "seen", "What the network would see", pixelated=True, pick=False, height=112, hint="")


st.session_state.runs = st.session_state.get("runs", 0) + 1
st.title("Drawing")
if st.toggle("gone"):
    st.text("nothing here")
else:
    first, second, third = st.tabs(["points", "exact", "digit"])
    with first:
        points()
    with second:
        exact()
    with third:
        digit()
st.text(f"runs {st.session_state.runs}")

"""A page with every picture widget once, for AppTest and the browser tests: `streamlit run` this file."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np
import streamlit as st

from app.widgets import state
from app.widgets.picture import (
    Dot,
    Grid,
    Label,
    Polygon,
    Style,
    before_after,
    last_pick,
    picture,
    scrubber,
    window_rect,
)

PHOTO = state.Param("at", None, state.parse_pick, state.format_pick)


def scene(height: int = 120, width: int = 160) -> np.ndarray:
    """A picture with soft and hard parts: waves, a disc, a checkerboard."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    waves = 0.5 + 0.5 * np.sin(x / 7 + y / 11)
    disc = ((x - width * 0.62) ** 2 + (y - height * 0.45) ** 2) < (height * 0.28) ** 2
    board = ((x // 6 + y // 6) % 2) * (x < width * 0.3)
    rgb = np.stack([0.25 + 0.6 * waves, 0.4 + 0.4 * y / height, 0.75 - 0.5 * x / width], -1)
    rgb[disc] = (0.94, 0.78, 0.35)
    rgb[board > 0] = (0.15, 0.2, 0.3)
    return (rgb * 255).astype(np.uint8)


def turning(count: int = 40, size: int = 160) -> list[np.ndarray]:
    """Frames of a disc that goes round."""
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    frames = []
    for i in range(count):
        angle = 2 * np.pi * i / count
        near = np.hypot(x - size * (0.5 + 0.3 * np.cos(angle)), y - size * (0.5 + 0.3 * np.sin(angle)))
        light = np.clip(1.2 - near / (size * 0.25), 0, 1)
        frames.append(
            (np.stack([light, 0.6 * light + 0.2 * x / size, 0.4 + 0.3 * y / size], -1) * 255).astype(np.uint8)
        )
    return frames


@st.fragment
def single() -> None:
    at = last_pick("photo", PHOTO)
    shapes = [
        Grid(step=8),
        Polygon(points=((20, 60), (60, 60), (60, 100), (20, 100)), style=Style(colour="second", fill=0.2)),
        Dot(x=99.5, y=54.5, label="disc", style=Style(colour="third")),
        Label(x=4, y=20, text="W-MSA"),
    ]
    if at is not None:
        shapes.append(window_rect(at, 8, "window"))
    picture(
        scene(), "photo", "Waves, a disc and a checkerboard", overlays=shapes, zoom=True, step=8, param=PHOTO
    )
    st.text(f"photo pick {at}")


@st.fragment
def heat() -> None:
    y, x = np.mgrid[0:15, 0:20]
    light = np.exp(-((x - 12) ** 2 + (y - 6) ** 2) / 12)
    layer = np.stack([light, light * 0.4, 0 * light, light], -1)
    at = picture(scene(), "heat", "The same scene with a warm spot", layer=layer)
    st.text(f"heat pick {at}")


@st.fragment
def pair() -> None:
    small = scene()[::4, ::4]
    at = before_after(small, scene(), "pair", "The scene before and after", ("nearest", "network"))
    st.text(f"pair pick {at}")


@st.fragment
def frames() -> None:
    step = scrubber(turning(), "turn", [f"{9 * i}°" for i in range(40)], "A light going round", report=True)
    st.text(f"step {step}")


st.set_page_config(layout="wide" if "wide" in st.query_params else "centered")
st.session_state.runs = st.session_state.get("runs", 0) + 1
st.title("Views")
st.button("rerun")
first, second, third = st.tabs(["one", "two", "three"])
with first:
    single()
    heat()
with second:
    pair()
with third:
    frames()
st.text(f"runs {st.session_state.runs}")

"""A page with every picture widget once, for AppTest and the browser tests: `streamlit run` this file."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np
import streamlit as st

from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.inside import architecture, tap_view
from app.widgets.picture import (
    Dot,
    Grid,
    Label,
    Polygon,
    Shape,
    Style,
    before_after,
    last_pick,
    picture,
    window_rect,
)
from models.card import TapSpec
from models.registry import MODELS

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


@st.fragment
def single() -> None:
    at = last_pick("photo", PHOTO)
    shapes: list[Shape] = [
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


def tensors() -> dict[str, tuple[TapSpec, np.ndarray]]:
    """One made-up tensor of each kind."""
    rng = np.random.default_rng(0)
    y, x = np.mgrid[0:24, 0:32].astype(np.float32)
    waves = np.stack([np.sin(x / (2 + c % 7) + y / (3 + c // 7) + c) * (0.3 + c / 40) for c in range(40)])[
        None
    ]
    near = -(
        (np.arange(64)[:, None] // 8 - np.arange(64) // 8) ** 2
        + (np.arange(64)[:, None] % 8 - np.arange(64) % 8) ** 2
    )
    scores = near / 6 + rng.normal(0, 0.6, (1, 12, 3, 64, 64))
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    piece = np.arange(64) // 32
    mask = np.zeros((12, 64, 64), np.float32)
    mask[3::4] = np.where(piece[:, None] == piece, 0, -100)
    picture_axes, pairs = ("batch", "channel", "row", "column"), ("batch", "window", "head", "query", "key")

    def spec(name: str, axes: tuple[str, ...], kind: str) -> TapSpec:
        return TapSpec(
            name=name,
            axes=axes,
            kind=kind,
            block=name,
            text="picture.hint",
            formula=r"y=F(x)+x",
            source="models.vision.swinir:shift_mask",
        )

    ramp = np.arange(128, dtype=np.float32)
    shares = np.zeros((1, 2, 64, 16), np.float32)
    shares[..., :3] = np.array([0.25, 0.125, 0.625])

    return {
        "feature_map": (spec("stem", picture_axes, "feature_map"), waves.astype(np.float32)),
        "tokens": (spec("out", ("batch", "row", "column", "channel"), "tokens"), np.moveaxis(waves, 1, -1)),
        "attention": (spec("weights", pairs, "attention"), weights.astype(np.float32)),
        "places": (spec("out", ("batch", "position", "channel"), "tokens"), ramp.reshape(1, 64, 2)),
        "words": (spec("out", ("batch", "token", "channel"), "tokens"), ramp.reshape(1, 16, 8)),
        "listening": (spec("cross", ("batch", "head", "query", "token"), "attention"), shares),
        "reading": (spec("self", ("batch", "head", "query", "token"), "attention"), shares[:, :, :16]),
        "mask": (spec("mask", ("window", "query", "key"), "mask"), mask),
        "heads": (
            spec("q", ("batch", "window", "head", "position", "channel"), "heads"),
            rng.normal(size=(1, 12, 3, 64, 16)).astype(np.float32),
        ),
        "vector": (
            spec("features", ("batch", "channel"), "vector"),
            rng.normal(size=(1, 512)).astype(np.float32),
        ),
        "logits": (
            spec("logits", ("batch", "class"), "logits"),
            rng.normal(size=(1, 120)).astype(np.float32),
        ),
        "nodes": (
            spec("values", ("node", "head", "channel"), "nodes"),
            np.arange(900 * 2 * 4, dtype=np.float32).reshape(900, 2, 4),
        ),
        "edges": (spec("norm", ("message",), "edges"), rng.random(70).astype(np.float32)),
    }


@st.fragment
def taps() -> None:
    everything = tensors()
    kind = st.segmented_control("kind", list(everything), default="feature_map", key="kind") or "feature_map"
    spec, array = everything[kind]
    labels = ["(start)", "red", "car"] if "token" in spec.axes else None
    seen = tap_view(None, spec, array, f"tap-{kind}", image=scene(), labels=labels)
    st.text(f"seen {dict(seen.at)} {seen.value}")


@st.fragment
def blocks() -> None:
    slug = st.segmented_control("model", list(MODELS), default="swinir", key="slug") or "swinir"
    card = MODELS[slug]
    name = architecture(card, card.weights[0].config, f"blocks-{slug}")
    st.text(f"block {name}")
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 576)).astype(np.float32)
    terms = [(rf"w_{{{i}}}x_{{{i}}}", float(u), float(v)) for i, (u, v) in enumerate(zip(a, b, strict=True))]
    worked_sum(terms, 0.25, float(np.float32(a @ b + np.float32(0.25))), formula=r"y=\sum_i w_ix_i+b")


st.set_page_config(layout="wide" if "wide" in st.query_params else "centered")
st.session_state.runs = st.session_state.get("runs", 0) + 1
st.title("Views")
st.button("rerun")
if st.button("remount"):  # another place in the page: the browser builds the pictures anew
    st.session_state.moved = not st.session_state.get("moved", False)
if st.session_state.get("moved"):
    st.container().text("moved")
first, second, third, fourth = st.tabs(["one", "two", "taps", "blocks"])
with first.container() if st.session_state.get("moved") else first:
    single()
    heat()
with second:
    pair()
with third:
    taps()
with fourth:
    blocks()
st.text(f"runs {st.session_state.runs}")

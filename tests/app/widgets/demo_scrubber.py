"""A page with scrubbers, for AppTest and the browser tests: `streamlit run` this file."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np
import streamlit as st

from app.widgets import state
from app.widgets.scrubber import Strip, scrubber

STEP = state.Param("step", -1, int, str)
STEPS, SIDE = 60, 28


def digits(seed: int, count: int = STEPS, samples: int = 4) -> dict[str, np.ndarray]:
    """A path from noise to four rings: x_t, x_0 and epsilon, each (S, N, 28, 28, 1) uint8."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:SIDE, 0:SIDE] - SIDE / 2 + 0.5
    rings = (
        np.stack([np.exp(-((np.hypot(x, y * (1 + 0.2 * n)) - 6 - n) ** 2) / 4) for n in range(samples)]) * 2
        - 1
    )
    noise = rng.normal(size=rings.shape)
    kept = np.linspace(0, 1, count)[:, None, None, None]
    x_t = np.sqrt(kept) * rings + np.sqrt(1 - kept) * noise
    x_0 = kept**0.3 * rings - (1 - kept**0.3)
    return {
        name: (np.clip(value / 2 + 0.5, 0, 1) * 255).astype(np.uint8)[..., None]
        for name, value in (("x_t", x_t), ("x_0", x_0), ("eps", (x_t - np.sqrt(kept) * x_0) / 3))
    }


def colour(count: int = 200, side: int = 32) -> np.ndarray:
    """Coloured noise that settles, (S, 4, side, side, 3): hardly compressible."""
    rng = np.random.default_rng(1)
    y, x = np.mgrid[0:side, 0:side] / side
    end = np.stack([np.stack([x, y, (x + y) / 2 * n / 4], -1) for n in range(4)])
    kept = np.linspace(0, 1, count)[:, None, None, None, None]
    return (np.clip(kept * end + (1 - kept) * rng.random((count, *end.shape)), 0, 1) * 255).astype(np.uint8)


@st.fragment
def path() -> None:
    st.session_state.fragments = st.session_state.get("fragments", 0) + 1
    count = STEPS // 2 if st.toggle("half as many") else STEPS
    found = digits(int(st.toggle("other seed")), count)
    if st.button("step 7"):
        state.put(STEP, 7)
    alpha = np.linspace(0, 1, count)
    seen = scrubber(
        [Strip("x_t", "noisy x", found["x_t"]), Strip("x_0", "predicted x₀", found["x_0"])]
        + [Strip("eps", "predicted ε", found["eps"])],
        "path",
        readouts={"ᾱ": [f"{a:.3f}" for a in alpha], "SNR": [f"{a / (1.0001 - a):.2f}" for a in alpha]},
        positions=[f"t = {count - 1 - i}" for i in range(count)],
        alt="Four rings come out of noise",
        report=True,
        pick=True,
        marks={10: "branch"},
        curve=("ᾱ", list(alpha)),
        param=STEP,
    )
    st.text(f"path step {seen.step} pick {seen.pick and tuple(seen.pick)}")
    st.text(f"path runs {st.session_state.fragments}")


@st.fragment
def pair() -> None:
    a, b = digits(3)["x_t"][:, 0], digits(4)["x_t"][:, 0]
    seen = scrubber(
        [Strip("a", "one", a), Strip("b", "other", b)], "pair", compare=("a", "b"), start=0, loop=True
    )
    st.text(f"pair step {seen.step}")


@st.fragment
def many() -> None:
    found = colour()
    seen = scrubber(
        [Strip(name, name, found) for name in ("one", "two", "three")],
        "many",
        pick="sample",
        hint="Choose a sample",
    )
    st.text(f"many pick {seen.pick and tuple(seen.pick)}")


st.set_page_config(layout="wide" if "wide" in st.query_params else "centered")
st.session_state.runs = st.session_state.get("runs", 0) + 1
st.title("Scrubbers")
st.button("rerun")
if st.toggle("gone"):
    st.text("nothing here")
else:
    first, second, third = st.tabs(["path", "pair", "many"])
    with first:
        path()
    with second:
        pair()
    with third:
        many()
st.text(f"runs {st.session_state.runs}")

"""A page with clouds, for AppTest and the browser tests: `streamlit run` this file."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np
import streamlit as st

from app.figures.graph import class_colours, node_colours
from app.widgets import state
from app.widgets.cloud import Cloud, Marks, cloud, set_step
from app.widgets.graph_view import NODE, last_node
from models.graph.samples import build

STEP = state.Param("step", -1, int, str)
MOMENTS = 41


def training(labels: np.ndarray, seed: int, moments: int = MOMENTS) -> np.ndarray:
    """(S, N, 2): points that leave a small ball and gather by class, each with a wobble of its own."""
    rng = np.random.default_rng(seed)
    classes = int(labels.max()) + 1
    angle = labels / classes * 2 * np.pi + seed
    end = 3 * np.stack([np.cos(angle), 0.7 * np.sin(angle)], 1) + rng.normal(size=(len(labels), 2)) * 0.6
    begin = rng.normal(size=(len(labels), 2)) * 0.3
    share = (np.linspace(0, 1, moments) ** 1.5)[:, None, None]
    wobble = np.sin(7 * share + rng.uniform(0, 6, (1, len(labels), 1))) * (1 - share) * 0.5
    return (begin + share * (end - begin) + wobble).astype(np.float32)


@st.fragment
def one() -> None:
    st.session_state.fragments = st.session_state.get("fragments", 0) + 1
    graph = build("karate")
    assert graph.labels is not None
    points = training(graph.labels, int(st.toggle("other training")))
    if st.button("moment 7"):
        set_step("one", 7, STEP)
    loss = np.exp(-np.linspace(0, 3, MOMENTS))
    node = last_node(graph)
    near = [] if node is None else graph.neighbours(node).tolist()
    seen = cloud(
        [Cloud("karate", "DeepWalk", points)],
        "one",
        alt="The club falls apart into two groups",
        names=graph.names,
        words=[f"degree {d}" for d in graph.degree],
        colours=node_colours(graph),
        legend=[("Mr Hi", class_colours(2)[0]), ("Officer", class_colours(2)[1])],
        edges=np.stack([graph.source, graph.target], 1),
        positions=[f"epoch {m / 8:.1f}" for m in range(MOMENTS)],
        readouts={"loss": [f"{value:.3f}" for value in loss]},
        curve=("loss", list(loss)),
        marks=Marks(near=near),
        report=True,
        step_param=STEP,
        pick_param=NODE,
    )
    st.text(f"one step {seen.step} node {seen.node}")
    st.text(f"one runs {st.session_state.fragments}")


@st.fragment
def pair() -> None:
    graph = build("miserables")
    labels = graph.labels if graph.labels is not None else np.arange(graph.count) % 3
    seen = cloud(
        [
            Cloud("a", "DeepWalk", training(labels, 1)),
            Cloud("b", "SDNE", training(labels, 2, 17), near=[3, 4]),
        ],
        "pair",
        alt="Two methods",
        names=graph.names,
        colours=node_colours(graph),
        edges=np.stack([graph.source, graph.target], 1),
        start=0,
    )
    st.text(f"pair step {seen.step} node {seen.node}")


@st.fragment
def many() -> None:
    count = 6000
    labels = np.arange(count) % 5
    rng = np.random.default_rng(0)
    seen = cloud(
        [Cloud("a", "one", training(labels, 1)), Cloud("b", "other", training(labels, 2))],
        "many",
        alt="Very many nodes",
        colours=class_colours(5)[labels],
        edges=rng.integers(0, count, (20_000, 2)),
    )
    st.text(f"many step {seen.step} node {seen.node}")


st.set_page_config(layout="wide" if "wide" in st.query_params else "centered")
st.session_state.runs = st.session_state.get("runs", 0) + 1
st.title("Clouds")
st.button("rerun")
if st.toggle("gone"):
    st.text("nothing here")
else:
    first, second, third = st.tabs(["one", "pair", "many"])
    with first:
        one()
    with second:
        pair()
    with third:
        many()
st.text(f"runs {st.session_state.runs}")

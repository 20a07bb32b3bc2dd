"""Two trainings of one graph side by side under one slider, and how far they agree on who is near whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from app.engine import EngineError
from app.engine.embed_settings import MOST_SEED
from app.engine.project import procrustes
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.cloud import Cloud, cloud
from app.widgets.graph_view import NODE, last_node
from app.widgets.guard import fragment
from app.widgets.header import duration
from models.graph.nearest import kept_neighbours, nearest, shared_neighbours
from pages.graph_embeddings_parts.result import NEAREST, colours_now, hover_words, legend_now, plain_name
from pages.graph_embeddings_parts.run import Asked, Run, Scene, projected, trained
from pages.graph_embeddings_parts.view import (
    OFFERED,
    ORDERS,
    OTHER,
    SEED,
    measure_of,
    settings_of,
    title_of,
    together,
)


@dataclass(frozen=True, eq=False)
class Pair:
    """The page's scene, and another training of the same graph with its points, turned onto the scene's."""

    scene: Scene
    name: str
    run: Run
    title: str
    points: np.ndarray


def compare(scene: Scene) -> None:
    """The whole section. Call it in the page's body: a training may begin."""
    st.header(t("graph_embeddings.compare"), anchor="compare")
    st.markdown(t("graph_embeddings.compare.about"))
    other = _choose(scene.run.method)
    if other is None:
        return
    pair = _pair(scene, other)
    if pair is not None:
        _side_by_side(pair, state.get(NODE))


def _choose(method: str) -> str | None:
    """With what to compare; None while nothing is chosen."""
    offered = [*(m for m in OFFERED if m != method), *_orders(method), SEED]
    legal = [None, *offered]
    st.pills(
        t("graph_embeddings.compare.with", method=title_of(method)),
        offered,
        format_func=lambda other: _title(method, other),
        wrap=True,
        **state.bind(OTHER, allowed=legal),
    )
    return state.get(OTHER, allowed=legal)


def _orders(method: str) -> list[str]:
    """LINE may be compared with itself: the orders that it is not trained with now."""
    return [order for order in ORDERS if order != settings_of(method)["order"]] if method == "line" else []


def _title(method: str, other: str) -> str:
    if other in OFFERED:
        return title_of(other)
    if other in ORDERS:
        return t(f"graph_embeddings.compare.{other}", method=title_of(method))
    return t("graph_embeddings.compare.other_seed", method=title_of(method))


def _settings(method: str, other: str) -> Mapping[str, Any]:
    """The other method's own settings; or the same ones with another order, or the next seed."""
    if other in OFFERED:
        return settings_of(other)
    settings = settings_of(method)
    if other in ORDERS:
        return {**settings, "order": other}
    return {**settings, "seed": settings["seed"] + 1 if settings["seed"] < MOST_SEED else 0}


def _pair(scene: Scene, other: str) -> Pair | None:
    method = other if other in OFFERED else scene.run.method
    try:
        asked = Asked.of(method, scene.graph, _settings(method, other))
    except EngineError as error:
        st.error(t(error.reason, **error.details))
        return None
    with st.container():  # a bar that comes and goes here moves nothing below it
        run = trained("embeddings.other", asked)
        if run is None:
            return None
        points, _ = projected("embeddings.other.project", asked.name, run, scene.projection)
    return Pair(scene, asked.name, run, _title(method, other), turned(points, scene.points))


def turned(points: np.ndarray, onto: np.ndarray) -> np.ndarray:
    """float32 (S, N, 2): all moments by the one rotation or reflection that brings the last one nearest to the last of
    the other's."""
    last = points[-1].astype(np.float64)
    spread, wanted = float(last.std()) or 1.0, float(onto[-1].std()) or 1.0
    target = procrustes(
        last * (wanted / spread), onto[-1]
    )  # one size, so that large clouds do not decide alone
    u, _, v = np.linalg.svd((last - last.mean(0)).T @ (target - target.mean(0)))
    return (points @ (u @ v)).astype(np.float32)


@fragment
def _side_by_side(pair: Pair, node: int | None) -> None:
    if state.get(NODE) != node:
        st.rerun()  # the whole page follows the pick
    scene, graph = pair.scene, pair.scene.graph
    node = last_node(graph)
    k = min(NEAREST, graph.count - 1)
    runs = {title_of(scene.run.method): scene.run, pair.title: pair.run}
    near: list[np.ndarray] = [np.zeros(0, np.int64)] * 2
    if node is not None:
        near = [nearest(run.final, node, k, measure_of(run.method))[0] for run in runs.values()]
    clouds = [
        Cloud(f"{n}", title, points, near=[int(v) for v in close])
        for n, (title, points, close) in enumerate(zip(runs, (scene.points, pair.points), near, strict=True))
    ]
    cloud(
        clouds,
        "embeddings.compare",
        alt=t(
            "graph_embeddings.compare.alt", nodes=f"{graph.count:,}", first=clouds[0].title, second=pair.title
        ),
        names=graph.names,
        words=hover_words(scene.source),
        colours=colours_now(scene.source),
        legend=legend_now(scene.source),
        pick_param=NODE,
    )
    _agreement(pair, k)
    if node is not None:
        _lists(pair, node, k, near)


@st.cache_data(max_entries=32, show_spinner=False)
def _shared(names: tuple[str, str], k: int, _first: Run, _second: Run) -> tuple[float, float]:
    measures = (measure_of(_first.method), measure_of(_second.method))
    return shared_neighbours(_first.final, _second.final, k, measures)


@st.cache_data(max_entries=32, show_spinner=False)
def _kept(name: str, _scene: Scene, _run: Run) -> float:
    return kept_neighbours(_scene.graph, _run.final, measure_of(_run.method))[0]


def _agreement(pair: Pair, k: int) -> None:
    """How many nearest nodes the two name in common, and how many of each one's are neighbours in the graph."""
    scene = pair.scene
    share, chance = _shared((scene.name, pair.name), k, scene.run, pair.run)
    said = [t("graph_embeddings.compare.shared", k=k, share=percent(share), chance=percent(chance))]
    if pair.run.config == replace(scene.run.config, seed=pair.run.config.seed):
        said.append(t("graph_embeddings.compare.seeds"))
    st.markdown(together(said))
    for title, name, run in (
        (title_of(scene.run.method), scene.name, scene.run),
        (pair.title, pair.name, pair.run),
    ):
        st.markdown(
            "- "
            + t(
                "graph_embeddings.compare.kept",
                method=title,
                share=percent(_kept(name, scene, run)),
                time=duration(run.seconds),
            )
        )


def _lists(pair: Pair, node: int, k: int, near: list[np.ndarray]) -> None:
    """The two lists of a node's nearest, and what they have in common."""
    source = pair.scene.source
    titles = [title_of(pair.scene.run.method), pair.title]
    name = plain_name(source, node)
    for column, title, nodes in zip(st.columns(2, gap="large"), titles, near, strict=True):
        with column:
            st.markdown(f"**{t('graph_embeddings.compare.node', name=name, method=title)}**")
            st.markdown(
                "\n".join(f"{rank + 1}. {plain_name(source, int(v))}" for rank, v in enumerate(nodes))
            )
    common = [v for v in near[0].tolist() if v in near[1]]
    if common:
        names = ", ".join(plain_name(source, v) for v in common)
        st.markdown(t("graph_embeddings.compare.common", names=names))
    else:
        st.markdown(t("graph_embeddings.compare.none", k=k))

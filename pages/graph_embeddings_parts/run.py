"""Trainings and projections of the graph embeddings page: found on a shelf, or done now with a bar."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from app.engine import Cancel, EngineError, Progress
from app.engine.embed import Progress as Training, Run, guess_for, name_of, seconds_for, train
from app.engine.embed_settings import config_of
from app.engine.project import check, project
from app.text import t
from app.widgets.graph_input import Source
from app.widgets.progress import job, time_left
from app.widgets.results import Results
from models.graph.graph import Graph
from pages.graph_embeddings_parts.view import title_of

RUNS: Results[Run] = Results()
POINTS: Results[np.ndarray] = Results(64 * 2**20)
AT_ONCE = 5.0  # seconds of training, by a guess that never changes, that begin by themselves
LAST = "embeddings.last"  # per graph the name of the training that was shown last


@dataclass(frozen=True, eq=False)
class Scene:
    """What the page shows: a graph, where its nodes stand, a training of it, and its points in the plane.

    name: of the training, for caches. points: float32 (S, N, 2). projection: of these points, which may lag behind the
    visitor's choice.
    """

    source: Source
    place: np.ndarray
    name: str
    run: Run
    points: np.ndarray
    projection: str

    @property
    def graph(self) -> Graph:
        return self.source.graph


@dataclass(frozen=True, eq=False)
class Asked:
    """A training that somebody wants: checked, and named."""

    method: str
    graph: Graph
    settings: Mapping[str, Any]
    config: Any
    name: str

    @classmethod
    def of(cls, method: str, graph: Graph, settings: Mapping[str, Any]) -> Asked:
        """Raises BadRequest for what cannot be trained."""
        config = config_of(method, graph, settings)
        return cls(method, graph, settings, config, name_of(method, graph, config))


def trained(key: str, asked: Asked) -> Run | None:
    """The run that was asked for; None while it trains, waits for a press, or was stopped.

    Call it in the page's body.
    """
    found = RUNS.get(asked.name)
    if found is not None:
        return found
    seconds = seconds_for(asked.method, asked.graph, asked.config)

    def begin(cancel: Cancel) -> Iterator[Training]:
        for item in train(asked.method, asked.graph, asked.settings, cancel):
            if item.result is not None:
                RUNS.put(asked.name, item.result)
            yield item

    outcome = job(
        key,
        asked.name,
        begin,
        text=_how_far,
        autostart=guess_for(asked.method, asked.graph, asked.config) <= AT_ONCE,
        button=t("graph_embeddings.train"),
        note=t("graph_embeddings.estimate", time=time_left(seconds)),
    )
    return outcome.result


def _how_far(item: Training) -> str:
    if not item.losses:
        return t("graph_embeddings.progress.begins")
    return t("graph_embeddings.progress", epoch=item.epoch, loss=item.losses[-1])


def trained_or_before(source: Source, method: str, settings: Mapping[str, Any]) -> tuple[str, Run] | None:
    """The chosen training with its name; until it is done the one before on this graph; None where there was none."""
    shown: dict[str, str] = st.session_state.setdefault(LAST, {})
    try:
        asked = Asked.of(method, source.graph, settings)
        run = trained("embeddings.train", asked)
    except EngineError as error:
        st.error(t(error.reason, **error.details))
        run = None
    if run is not None:
        shown[source.key] = asked.name
        return asked.name, run
    name = shown.get(source.key, "")
    before = RUNS.get(name)
    if before is None:
        st.info(t("graph_embeddings.untrained"))
        return None
    st.caption(t("graph_embeddings.before", method=title_of(before.method)))
    return name, before


# ---------------------------------------------------------------- projections


def projected(key: str, name: str, run: Run, projection: str) -> tuple[np.ndarray, str]:
    """Points float32 (S, N, 2) of a run, and the projection that they are of: PCA until another one is ready.

    Call it in the page's body.
    """
    if projection != "pca":
        try:
            check(projection, run.vectors.shape[1])
        except EngineError as error:
            st.info(t(error.reason, **error.details))
            projection = "pca"
    found = _points(key, name, run, projection)
    if found is not None:
        return found, projection
    fallback = POINTS.get(f"{name} pca")
    if fallback is None:
        *_, last = project(run.vectors)
        assert last.result is not None
        fallback = last.result
        POINTS.put(f"{name} pca", fallback)
    return fallback, "pca"


def _points(key: str, name: str, run: Run, projection: str) -> np.ndarray | None:
    shelf = f"{name} {projection}"
    found = POINTS.get(shelf)
    if found is not None:
        return found

    def begin(cancel: Cancel) -> Iterator[Progress[np.ndarray]]:
        for item in project(run.vectors, projection, cancel=cancel):
            if item.result is not None:
                POINTS.put(shelf, item.result)
            yield item

    title = t(f"graph_embeddings.projection.{projection}")
    outcome = job(
        key,
        shelf,
        begin,
        text=lambda item: t(
            "graph_embeddings.projection.running", name=title, done=item.done, total=item.total
        ),
    )
    if projection == "umap" and outcome.state == "running":
        st.caption(t("graph_input.umap"))
    return outcome.result

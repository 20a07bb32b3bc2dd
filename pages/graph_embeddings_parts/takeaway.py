"""Take away: the link, the vectors in four forms, the cloud as a drawing and as a film."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import numpy as np
import streamlit as st

from app.engine.embedding_files import Embedding, as_csv, as_npz, as_projector, as_word2vec
from app.engine.film import MIME, film
from app.figures import graph as drawn
from app.figures.charts import for_file
from app.text import t
from app.widgets.share import as_png, copy_link, file_button, file_stem
from pages.graph_embeddings_parts.result import step_now
from pages.graph_embeddings_parts.run import Scene
from pages.graph_embeddings_parts.view import colours_now, title_of

WIDTH = 640  # pixels of the film and of the drawing


def embedding_of(scene: Scene) -> Embedding:
    """What goes into the files."""
    run = scene.run
    about = {
        "method": run.method,
        "graph": scene.source.sample_id or scene.source.name,
        "seconds": run.seconds,
    }
    return Embedding(scene.graph, run.final, scene.source.label_names, about | dataclasses.asdict(run.config))


def take_away(scene: Scene) -> None:
    """A row of buttons; every file is made when its button is pressed."""
    st.header(t("graph_embeddings.take"), anchor=False)
    st.markdown(t("graph_embeddings.take.about"))
    run, graph, colours = scene.run, scene.graph, colours_now(scene.source)
    embedding, step = embedding_of(scene), step_now(run)
    name = scene.source.sample_id or "graph"
    stem = file_stem(f"{run.method}-{name}-dim{run.vectors.shape[2]}-seed{run.config.seed}")
    place = drawn.fitted(scene.points[step])
    with st.container(horizontal=True, vertical_alignment="center", key="v-take-embeddings"):
        copy_link("embeddings.take.link")
        _button("CSV", "csv", lambda: as_csv(embedding), f"{stem}.csv", "text/csv")
        _button(
            "NPZ", "npz", lambda: as_npz(embedding, run.vectors, run.epochs), f"{stem}.npz", "application/zip"
        )
        _button("word2vec", "word2vec", lambda: as_word2vec(embedding), f"{stem}.txt", "text/plain")
        _button(
            "TensorBoard",
            "projector",
            lambda: as_projector(embedding, stem),
            f"{stem}.zip",
            "application/zip",
        )
        if drawn.is_small(graph):
            title = title_of(run.method)
            _button("SVG", "svg", lambda: for_file(_svg(scene, place, colours, title)).encode(), f"{stem}.svg",
                    "image/svg+xml")  # fmt: skip
        else:
            _button("PNG", "svg", lambda: as_png(drawn.picture(graph, place, colours=colours, edges=False)),
                    f"{stem}.png", "image/png")  # fmt: skip
        _button(
            "GIF",
            "film",
            lambda: film(frames_of(scene, colours), "GIF", seconds=4.0),
            f"{stem}.gif",
            MIME["GIF"],
        )


def _svg(scene: Scene, place: np.ndarray, colours: np.ndarray, title: str) -> str:
    return drawn.svg(scene.graph, place, title=title, colours=colours, edges=False, pick=False, width=WIDTH)


def frames_of(scene: Scene, colours: np.ndarray) -> np.ndarray:
    """uint8 (S, H, W, 3): the cloud at every moment, all in one frame."""
    points = scene.points
    moments, nodes = points.shape[:2]
    place = drawn.fitted(points.reshape(-1, 2)).reshape(moments, nodes, 2)
    frame = drawn.Frame.around(place.reshape(-1, 2), WIDTH)
    return np.stack([drawn.picture(scene.graph, p, colours=colours, edges=False, frame=frame) for p in place])


def _button(label: str, what: str, data: Callable[[], bytes], file: str, mime: str) -> None:
    file_button(f"embeddings.take.{what}", label, t(f"graph_embeddings.take.{what}"), data, file, mime)

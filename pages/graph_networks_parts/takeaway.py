"""Take away: the link, the graph as it is coloured, the embedding at every moment, the weights."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from app.figures import graph as drawn
from app.figures.charts import for_file
from app.text import t
from app.widgets.graph_view import places
from app.widgets.share import as_png, copy_link, file_button, file_stem
from pages.graph_networks_parts.view import Scene, shown


def as_csv(scene: Scene, look: int) -> bytes:
    """One row a node: its name, its label, what the network calls it and how surely, its embedding."""
    out = io.StringIO()
    table = csv.writer(out)
    width = scene.vectors.shape[2]
    table.writerow(["node", "label", "predicted", "belief", *(f"z{k}" for k in range(width))])
    belief = scene.beliefs(look) if scene.labelled else None
    names, labels = scene.graph.label_names, scene.graph.labels
    for v, name in enumerate(scene.graph.names):
        label = names[labels[v]] if labels is not None and labels[v] >= 0 else ""
        said = ("", "") if belief is None else (names[int(belief[v].argmax())], f"{belief[v].max():.6f}")
        table.writerow([name, label, *said, *(f"{z:.9g}" for z in scene.vectors[look, v])])
    return out.getvalue().encode()


def as_npz(scene: Scene) -> bytes:
    """Every moment without pickle: epochs (S,), vectors (S, N, d), logits (S, N, C), names, x, and the training."""
    out = io.BytesIO()
    arrays: dict[str, Any] = {
        "epochs": scene.epochs,
        "vectors": scene.vectors,
        "logits": scene.logits,
        "names": np.array(scene.graph.names, np.str_),
        "x": scene.x,
    }
    if scene.run is not None:
        run = scene.run
        arrays |= {"split": run.split, "loss": run.loss, "accuracy": run.accuracy}
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def as_weights(scene: Scene) -> bytes:
    """The last weights by name, as NPZ without pickle."""
    out = io.BytesIO()
    arrays: dict[str, Any] = dict(scene.states[-1])
    np.savez_compressed(out, **arrays)
    return out.getvalue()


def take_away(scene: Scene) -> None:
    """A row of buttons; every file is made when its button is pressed."""
    st.header(t("graph_networks.take"), anchor="take")
    st.markdown(t("graph_networks.take.about"))
    now = shown()  # read when a button is pressed: the slider moves on without drawing these anew
    stem = file_stem(f"{scene.net}-{scene.source.sample_id or 'graph'}")
    place = places(scene.graph)
    title = t("graph_networks.graph.alt", nodes=f"{scene.graph.count:,}")
    with st.container(horizontal=True, vertical_alignment="center", key="v-take-graph_networks"):
        copy_link("graph_networks.take.link")
        if place is not None:
            graph = scene.graph
            if drawn.is_small(graph):
                _button(
                    "SVG",
                    lambda: for_file(
                        drawn.svg(graph, place, title=title, colours=now.colours, pick=False)
                    ).encode(),
                    f"{stem}.svg",
                    "image/svg+xml",
                )
            _button(
                "PNG",
                lambda: as_png(drawn.picture(graph, place, colours=now.colours)),
                f"{stem}.png",
                "image/png",
            )
        _button("CSV", lambda: as_csv(scene, now.look), f"{stem}.csv", "text/csv")
        _button("NPZ", lambda: as_npz(scene), f"{stem}.npz", "application/zip")
        _button("weights", lambda: as_weights(scene), f"{stem}-weights.npz", "application/zip")


def _button(word: str, data: Callable[[], bytes], file: str, mime: str) -> None:
    key = f"graph_networks.take.{word}"
    file_button(
        key, t(f"graph_networks.take.{word}"), t(f"graph_networks.take.{word}.help"), data, file, mime
    )

"""Inside an embedding method: one of its views, live on the current graph. And the ways to the other two sections."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from app.text import t
from app.widgets import state
from app.widgets.graph_view import NODE, places
from app.widgets.guard import fragment
from pages.graph_embeddings_parts import (
    inside_line,
    inside_sdne,
    inside_skipgram,
    inside_struc2vec,
    inside_walks,
)
from pages.graph_embeddings_parts.evaluate import evaluation
from pages.graph_embeddings_parts.notes import notes
from pages.graph_embeddings_parts.scene import Scene, start_node

if TYPE_CHECKING:
    from app.engine.embed import Run
    from app.widgets.graph_input import Source

View = Callable[[Scene], None]
VIEWS: Mapping[str, Mapping[str, View]] = {
    "deepwalk": {"walk": inside_walks.walk, "pairs": inside_walks.pairs, "loss": inside_skipgram.loss},
    "node2vec": {"walk": inside_walks.walk, "pairs": inside_walks.pairs, "loss": inside_skipgram.loss},
    "line": {
        "first": inside_line.first,
        "second": inside_line.second,
        "training": inside_line.training,
        "orders": inside_line.orders,
    },
    "struc2vec": {
        "rings": inside_struc2vec.rings,
        "layers": inside_struc2vec.layers,
        "mirror": inside_struc2vec.mirror,
        "loss": inside_skipgram.loss,
    },
    "sdne": {"row": inside_sdne.row, "forward": inside_sdne.forward, "terms": inside_sdne.terms},
}

__all__ = ["evaluation", "inside", "notes"]


state.known("inside")


def view_param(method: str) -> state.Param[str]:
    """Which view is looked at; the first one of the method does not stand in the link."""
    return state.Param("inside", next(iter(VIEWS[method])))


def inside(method: str, source: Source, run: Run | None) -> None:
    """The section "Inside". Call it in the body of the page: it makes its own fragment.

    run: None while there is none; then the views that need what was learned say so.
    """
    if not VIEWS.get(method):
        return
    st.header(t("embed_inside.title"), anchor="inside")
    place = places(source.graph)
    if place is not None and source.graph.edges:
        _views(method, source, run, place, state.get(NODE))


@fragment
def _views(method: str, source: Source, run: Run | None, place: np.ndarray, node: int | None) -> None:
    if state.get(NODE) != node:
        st.rerun()  # the whole page follows the pick, not this section alone
    views = VIEWS[method]
    view = st.segmented_control(
        t("embed_inside.view"),
        tuple(views),
        required=True,
        format_func=lambda v: t(f"embed_inside.view.{v}"),
        label_visibility="collapsed",
        **state.bind(view_param(method), allowed=tuple(views)),
    )
    scene = Scene(method, source, run, place, start_node(source.graph))
    views[view or next(iter(views))](scene)

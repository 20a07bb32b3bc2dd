"""A graph on the page: arranged in the background where that takes time, drawn by its size, its nodes to be clicked."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
import streamlit as st

from app.engine.layout import layout, positions
from app.figures import graph as drawn
from app.figures.graph import Frame, Marks
from app.text import t
from app.widgets import state
from app.widgets.picture import Pick, picture
from app.widgets.progress import job
from app.widgets.tensor import drawing
from models.graph.graph import Graph

AT_ONCE = 1500  # nodes and edges together that are arranged while the page waits
CACHED = 64 * 2**20  # bytes of positions that the process keeps
WIDTH = 640

_lock = threading.Lock()
_places: OrderedDict[str, np.ndarray] = OrderedDict()


def _parse_node(raw: str) -> int | None:
    """ "" or a number from 0 to 10⁷ (ValueError otherwise)."""
    if not raw:
        return None
    node = int(raw)
    if not 0 <= node < 10**7:
        raise ValueError(raw)
    return node


NODE: state.Param[int | None] = state.Param(
    "node", None, parse=_parse_node, format=lambda node: "" if node is None else str(node)
)


def last_node(graph: Graph, param: state.Param[int | None] = NODE) -> int | None:
    """The node that was last picked, also in this very run; None before the first pick or where it is not there."""
    node = state.get(param)
    return node if node is not None and node < graph.count else None


def places(graph: Graph, key: str = "layout") -> np.ndarray | None:
    """float32 (N, 2): where the nodes stand; None while a large graph is still being arranged (a bar shows how far).

    Call it in the body of a page, not in a fragment: the page runs again when the arranging ends.
    """
    name = graph.key
    with _lock:
        if name in _places:
            _places.move_to_end(name)
            return _places[name]
    if graph.count + graph.edges <= AT_ONCE:
        found: np.ndarray | None = positions(graph)
    else:
        words = t("graph_input.layout.step")
        outcome = job(
            key, ("layout", name), lambda cancel: layout(graph, cancel=cancel), text=lambda _: words
        )
        found = outcome.result
    if found is not None:
        with _lock:
            _places[name] = found
            while sum(place.nbytes for place in _places.values()) > CACHED and len(_places) > 1:
                _places.popitem(last=False)
    return found


def graph_view(
    graph: Graph,
    key: str,
    *,
    place: np.ndarray | None = None,
    alt: str = "",
    colours: np.ndarray | None = None,
    words: Sequence[str] | None = None,
    marks: Marks | None = None,
    edges: bool = True,
    pick: bool = True,
    param: state.Param[int | None] = NODE,
    on_pick: Callable[[int], None] | None = None,
    label_names: Sequence[str] = (),
    tallest: float = 0.8,
    width: int = WIDTH,
) -> int | None:
    """Show a graph; the last picked node comes back, None before the first pick.

    place: (N, 2) in [0, 1], by default from the cache of `places` (arranged at once if it is not there). alt: what can
    be seen, for those who cannot. colours, words, marks, edges: see app.figures.graph. param: keeps the pick in the
    link. on_pick: called with the node before the rerun. label_names: a legend below, where the colours are labels.
    width: about the pixels that there is room for, of which the sizes of circles and names follow.
    """
    place = _there(graph) if place is None else place
    alt = alt or t("graph_input.drawing.alt", nodes=f"{graph.count:,}", edges=f"{graph.edges:,}")

    def taken(node: int) -> None:
        if 0 <= node < graph.count:
            state.put(param, node)
            if on_pick is not None:
                on_pick(node)

    if drawn.is_small(graph):
        chosen = last_node(graph, param)
        svg = drawn.svg(
            graph,
            place,
            title=alt,
            colours=colours,
            words=words,
            marks=marks,
            edges=edges,
            pick=pick,
            width=width,
            tallest=tallest,
        )
        selected = None if chosen is None else str(chosen)
        drawing(svg, key, selected=selected, on_pick=(lambda name: taken(int(name))) if pick else None)
    else:
        image = drawn.picture(graph, place, colours=colours, marks=marks, edges=edges, tallest=tallest)
        frame = Frame.around(place, image.shape[1], tallest)

        def clicked(at: Pick) -> None:
            node = drawn.nearest(place, frame, at[0], at[1])
            if node is not None:
                taken(node)

        picture(image, key, alt, pick=pick, show_pick=False, hint="", on_pick=clicked)
        shown = len(drawn.sampled_edges(graph))
        if edges and shown < graph.edges:
            st.caption(t("graph_input.drawing.sampled", shown=f"{shown:,}", edges=f"{graph.edges:,}"))
    if label_names:
        table = drawn.class_colours(len(label_names))
        st.html(drawn.legend(label_names[:20], table, rest=max(0, len(label_names) - 20)))
    return last_node(graph, param)


def _there(graph: Graph) -> np.ndarray:
    with _lock:
        found = _places.get(graph.key)
    return positions(graph) if found is None else found

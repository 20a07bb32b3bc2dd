"""What every section inside an embedding method starts from, and what all of them say in the same way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from app.figures.graph import node_colours
from app.figures.printed import Printed, small
from app.text import t
from app.widgets import state
from app.widgets.graph_view import NODE
from app.widgets.inside import source_of
from models.graph.graph import Graph

if TYPE_CHECKING:
    from app.engine.embed import Run
    from app.widgets.graph_input import Source

EXACT = 1e-5  # two ways to the same float32 number may differ by so much, relative to its size or to 1


@dataclass(frozen=True, eq=False)
class Scene:
    """The graph, the method, what it learned (None while it trains), where the nodes stand, and the chosen one."""

    method: str
    source: Source
    run: Run | None
    place: np.ndarray
    node: int

    @property
    def graph(self) -> Graph:
        return self.source.graph

    @property
    def vectors(self) -> np.ndarray | None:
        """float32 (N, d): the trained embedding."""
        return None if self.run is None else self.run.vectors[-1]

    def table(self, name: str) -> np.ndarray | None:
        """One of the tables that the training leaves besides the embedding; None where it has none of this name."""
        if self.run is None:
            return None
        return self.run.tables.get(name)

    def setting(self, name: str, otherwise: Any) -> Any:
        """One setting of what was trained; `otherwise` while nothing is."""
        return otherwise if self.run is None else getattr(self.run.config, name, otherwise)

    def name(self, node: int) -> str:
        return self.graph.names[node]

    def names(self, nodes: np.ndarray) -> list[str]:
        return [self.graph.names[int(v)] for v in nodes]

    def colours(self) -> np.ndarray:
        """uint8 (N, 3): by label."""
        return node_colours(self.graph)


def start_node(graph: Graph) -> int:
    """The picked node; before the first pick the one with the most neighbours."""
    node = state.get(NODE)
    if node is not None and node < graph.count:
        return node
    return int(np.argmax(graph.degree))


def plain(name: str) -> str:
    """A node's name as Markdown shows it."""
    return state.plain(name if len(name) <= 40 else name[:39] + "…")


ESCAPED = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
} | {c: f"\\{c}" for c in "{}$%#&_"}


def latex_name(name: str) -> str:
    """A node's name inside a formula; of a long one the beginning and the end, which is where names differ."""
    kept = "".join(c for c in name if c.isprintable())
    if len(kept) > 14:
        kept = f"{kept[:8]}…{kept[-5:]}"
    return rf"\text{{{''.join(ESCAPED.get(c, c) for c in kept) or '·'}}}"


def fit_words(fits: bool) -> str:
    """The sign before a comparison: it holds, or it does not."""
    return ":material/check: " if fits else ":material/warning: "


def agreement(again: float, stored: float) -> None:
    """Say a number that was worked out twice, and by how much the two differ."""
    apart = abs(again - stored)
    fits = apart <= EXACT * max(1.0, abs(stored))
    st.caption(
        fit_words(fits)
        + t(
            "embed_inside.agreement",
            again=f"{Printed(again):.7g}",
            stored=f"{Printed(stored):.7g}",
            apart=small(apart),
        )
    )


def not_yet() -> None:
    """What a view says that needs a finished training while there is none."""
    st.info(t("embed_inside.not_yet"), icon=":material/hourglass_top:")


def too_large(limit: int, unit: str) -> None:
    """What a view says that would not be quick on so large a graph. unit: "nodes" or "edges"."""
    st.info(t(f"embed_inside.too_large.{unit}", limit=f"{limit:,}"), icon=":material/zoom_out_map:")


def code(*names: str) -> None:
    """The lines of our own source that do what was just shown."""
    for name in names:
        source = source_of(name)
        if source is not None:
            with st.expander(t("inside.source", path=source.path, line=source.line)):
                st.code(source.text, language="python")

"""The node that is listened to, in the middle of those that it hears; a click on one of them listens there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.figures.graph_networks import Sender, hearing
from app.text import t
from app.widgets import state
from app.widgets.graph_view import NODE, places
from app.widgets.tensor import drawing
from pages.graph_networks_parts.result import colours_of
from pages.graph_networks_parts.view import Scene

MOST = 16  # senders that are drawn


def listening(
    scene: Scene,
    key: str,
    node: int,
    senders: Sequence[int],
    widths: np.ndarray,
    notes: Sequence[str],
    *,
    look: int,
    title: str,
    picked: int | None = None,
) -> None:
    """senders: the strongest first, maybe the node itself too. widths: (M,) in [0, 1]. notes: M short numbers."""
    names, colours, place = scene.graph.names, colours_of(scene, look), places(scene.graph)
    shown = list(range(len(senders)))[:MOST]
    shown += [m for m, v in enumerate(senders) if v == node and m >= MOST]

    def made(v: int, note: str, width: float) -> Sender:
        away = (0.0, 0.0) if place is None else (place[v] - place[node]).tolist()
        return Sender(v, names[v], note, width, colours[v], float(np.arctan2(away[1], away[0])))

    every = [made(int(senders[m]), notes[m], float(widths[m])) for m in shown]
    own = next((sender for sender in every if sender.node == node), None)
    others = [sender for sender in every if sender.node != node]
    svg = hearing(made(node, "", 0.0), others, own, title=title, picked=picked)
    drawing(svg, key, on_pick=lambda name: state.put(NODE, int(name)))
    if len(senders) > len(every):
        st.caption(t("graph_networks.more_senders", n=len(senders) - len(every)))

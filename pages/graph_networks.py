"""Graph networks: what every node hears from its neighbours, round by round, and what it learns from it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.text import t
from app.widgets import state
from app.widgets.graph_input import graph_input
from app.widgets.graph_view import places
from app.widgets.guard import fragment
from app.widgets.header import header
from models.registry import MODELS
from pages.graph_networks_parts.attention import attention
from pages.graph_networks_parts.inside import inside
from pages.graph_networks_parts.matrix import adjacency
from pages.graph_networks_parts.messages import messages
from pages.graph_networks_parts.notes import notes
from pages.graph_networks_parts.readout import readout
from pages.graph_networks_parts.result import choose_projection, projected, result
from pages.graph_networks_parts.sampling import sampling
from pages.graph_networks_parts.scores import evaluation
from pages.graph_networks_parts.smoothing import averaging, depths
from pages.graph_networks_parts.takeaway import take_away
from pages.graph_networks_parts.view import NET, Scene, choose_how, choose_net, scene_of, show_badges

net = state.get(NET)
badges = header(MODELS[net], t("graph_networks.sentence"), t("nav.graph_networks"))
choose_net()
st.markdown(t(f"graph_networks.about.{net}"))
left, right = st.columns([3, 2], gap="large")
with left:
    source = graph_input("graph_networks")
with right:
    choose_how(net)
    method = choose_projection()

with st.container():  # a bar that comes and goes here moves nothing below it
    scene = scene_of(net, source)
    place = places(source.graph)
    points = projected(scene, method)
show_badges(badges, scene)


@fragment
def explore(scene: Scene, points: np.ndarray | None) -> None:
    """Everything that follows the slider and the picked node."""
    result(scene, points)
    messages(scene)
    inside(scene)
    adjacency(scene)
    if scene.net == "message_passing":
        readout(scene)
    if scene.net == "gat":
        attention(scene)
    if scene.net == "graphsage":
        sampling(scene)
    averaging(scene)


if place is not None:
    explore(scene, points)
depths(scene)
evaluation(scene)
notes()
if place is not None:
    take_away(scene)

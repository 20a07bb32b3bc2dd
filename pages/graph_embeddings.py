"""Graph embeddings: five methods learn vectors of a graph's nodes while the visitor watches."""

from __future__ import annotations

import streamlit as st

from app.text import t
from app.widgets import state
from app.widgets.graph_input import graph_input
from app.widgets.graph_view import NODE, places
from app.widgets.guard import fragment
from app.widgets.header import header
from models.registry import METHODS
from pages.graph_embeddings_parts.compare import compare
from pages.graph_embeddings_parts.inside import evaluation, inside, notes
from pages.graph_embeddings_parts.result import badges, graph_alone, result
from pages.graph_embeddings_parts.run import Scene, projected, trained_or_before
from pages.graph_embeddings_parts.takeaway import take_away
from pages.graph_embeddings_parts.view import (
    METHOD,
    NO_LINES,
    PROJECTION,
    choose_colours,
    choose_method,
    choose_projection,
    choose_settings,
    offer_recipes,
    settings_of,
)

facts = header(METHODS[state.get(METHOD)], t("graph_embeddings.sentence"), t("nav.graph_embeddings"))

offer_recipes()
left, right = st.columns(2, gap="large")
with left:
    source = graph_input("graph")
with right:
    method = choose_method()
    choose_settings(method)
settings = settings_of(method)
st.latex(METHODS[method].formula)

st.header(t("graph_embeddings.result"), anchor="result")
st.markdown(t("graph_embeddings.result.about"))
with st.container():  # a bar that comes and goes here moves nothing below it
    place = places(source.graph)
    found = trained_or_before(source, method, settings)

scene: Scene | None = None
if found is not None and place is not None:
    name, run = found
    facts.put(badges(run))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        choose_projection()
        choose_colours(source)
        st.toggle(t("graph_embeddings.edges"), **state.bind(NO_LINES))
    with st.container():  # here, too
        points, projection = projected("embeddings.project", name, run, state.get(PROJECTION))
    scene = Scene(source, place, name, run, points, projection)
elif place is not None:
    graph_alone(source, place)


@fragment
def explore(scene: Scene, node: int | None) -> None:
    """Everything that follows the slider."""
    if state.get(NODE) != node:
        st.rerun()  # the sections below follow the pick, too
    result(scene)


if scene is not None:
    explore(scene, state.get(NODE))
if place is not None:  # it draws the graph, too
    inside(method, source, None if scene is None or scene.run.method != method else scene.run)
if scene is not None:
    compare(scene)
evaluation(source, method, settings)
notes()
if scene is not None:
    take_away(scene)

"""What a visitor of the graph embeddings page can choose, all of it in the link: method, settings, how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from app.engine.embed_settings import Knob, defaults, knobs
from app.engine.project import METHODS as PROJECTIONS
from app.figures.graph import class_colours, node_colours
from app.text import language, t
from app.widgets import state
from app.widgets.graph_input import OWN, Source, sample_param
from app.widgets.graph_view import NODE
from models.graph.nearest import Measure
from models.registry import METHODS

HEAD = "deepwalk"
OFFERED = tuple(METHODS)
METHOD: state.Param[str] = state.Param("method", HEAD, allowed=OFFERED)
PROJECTION: state.Param[str] = state.Param("projection", "pca", allowed=PROJECTIONS)
COLOURS: state.Param[str] = state.Param("colours", "label", allowed=("label", "degree", "plain"))
BARE: state.Param[str] = state.Param("colours_bare", "degree", allowed=("degree", "plain"))  # without labels
# Whether the edges are left out of the cloud. Off at first, as Streamlit's toggle is: one that began switched on was
# now and then reported as switched off by a browser that had not been told yet.
NO_LINES = state.Param(
    "lines", False, lambda raw: not state.parse_flag(raw), lambda off: state.format_flag(not off)
)
SEED = "seed"  # to compare with: the same method and settings, another seed
ORDERS = ("first", "second", "both")  # of LINE
OTHER: state.Param[str | None] = state.Param(
    "with", None, format=str, allowed=(None, *OFFERED, *ORDERS, SEED)
)
STEP = state.Param("moment", -1, state.parse_whole(-1, 999), str)  # the moment under the slider, -1: the end
SHARED = {"dim", "seed"}  # settings that are the same for every method


def together(sentences: Sequence[str]) -> str:
    """Sentences one after the other, as the language sets them."""
    return ("" if language() == "zh" else " ").join(sentences)


def title_of(method: str) -> str:
    return METHODS[method].title


def measure_of(method: str) -> Measure:
    """In which sense two vectors of a method are near."""
    return "distance" if method == "sdne" else "cosine"


# ---------------------------------------------------------------- ready-made views


@dataclass(frozen=True)
class Recipe:
    """A graph, a method and what to compare it with, which together show something."""

    graph: str
    method: str
    other: str | None
    order: str = ""


RECIPES = {
    "groups": Recipe("miserables", "deepwalk", None),
    "roles": Recipe("barbell", "struc2vec", "deepwalk"),
    "orders": Recipe("orders", "line", "second", order="first"),
}


def offer_recipes() -> None:
    """Buttons that set up a view worth seeing."""
    st.markdown(t("graph_embeddings.recipes"))
    with st.container(horizontal=True, gap="small"):
        for name in RECIPES:
            st.button(
                t(f"graph_embeddings.recipe.{name}"),
                key=f"embeddings.recipe.{name}",
                help=t(f"graph_embeddings.recipe.{name}.help"),
                on_click=_cook,
                args=(RECIPES[name],),
                width="content",
            )


def _cook(recipe: Recipe) -> None:
    state.forget(OWN)
    state.put(sample_param(), recipe.graph)
    state.put(METHOD, recipe.method)
    state.put(OTHER, recipe.other)
    for param in (NODE, STEP, COLOURS, BARE, PROJECTION):
        state.forget(param)
    if recipe.order:
        order = next(knob for knob in knobs(recipe.method) if knob.name == "order")
        state.put(param_of(recipe.method, order), recipe.order)


# ---------------------------------------------------------------- settings


def _reader(knob: Knob) -> Callable[[str], Any]:
    """Reads a setting from the link (ValueError where it is none that the knob takes)."""

    def parse(raw: str) -> Any:
        kind = str if knob.options and isinstance(knob.options[0], str) else int if knob.whole else float
        value = kind(raw)
        if not knob.takes(value):
            raise ValueError(raw)
        return value

    return parse


def param_of(method: str, knob: Knob) -> state.Param[Any]:
    """The choice of one setting: dimensions and seed for all methods, everything else by method."""
    name = knob.name if knob.name in SHARED else f"{method}_{knob.name}"
    default = defaults(method if knob.name not in SHARED else HEAD)[knob.name]
    return state.Param(name, default, _reader(knob), _written)


def _written(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


# a link names those of the method to compare with, which are asked for when the first one has been trained
state.known(*(param_of(method, knob).name for method in OFFERED for knob in knobs(method)))


def settings_of(method: str) -> dict[str, Any]:
    """The chosen settings of a method."""
    return {knob.name: state.get(param_of(method, knob)) for knob in knobs(method)}


def choose_method() -> str:
    """Which method, and what it does in a sentence."""
    st.pills(
        t("graph_embeddings.method"),
        OFFERED,
        format_func=title_of,
        required=True,
        wrap=True,
        **state.bind(METHOD),
    )
    method = state.get(METHOD)
    st.markdown(t(f"graph_embeddings.method.{method}"))
    return method


def choose_settings(method: str) -> None:
    """The few settings that matter most, and the others folded away."""
    first = [knob for knob in knobs(method) if knob.first]
    rest = [knob for knob in knobs(method) if not knob.first]
    _rows(method, first)
    with st.expander(t("graph_embeddings.more")):
        _rows(method, rest)


def _rows(method: str, several: list[Knob]) -> None:
    for start in range(0, len(several), 2):
        for column, knob in zip(st.columns(2, gap="medium"), several[start : start + 2], strict=False):
            with column:
                _widget(method, knob)


def _widget(method: str, knob: Knob) -> None:
    label, help_ = t(f"graph_embeddings.knob.{knob.name}"), t(f"graph_embeddings.knob.{knob.name}.help")
    bound = state.bind(param_of(method, knob))
    if knob.options and isinstance(knob.options[0], str):
        st.segmented_control(
            label,
            knob.options,
            format_func=lambda option: t(f"graph_embeddings.{knob.name}.{option}"),
            required=True,
            help=help_,
            **bound,
        )
    elif knob.options:
        st.select_slider(label, knob.options, format_func=_in_figures(knob), help=help_, **bound)
    elif knob.name in ("seed", "lr"):
        kind = int if knob.whole else float
        st.number_input(
            label,
            kind(knob.low),
            kind(knob.high),
            step=kind(knob.step),
            format=None if knob.whole else "%.3f",
            help=help_,
            **bound,
        )
    else:
        idle = knob.name == "negatives" and settings_of(method).get("loss") == "hs"
        kind = int if knob.whole else float
        st.slider(
            label, kind(knob.low), kind(knob.high), step=kind(knob.step), help=help_, disabled=idle, **bound
        )


def _in_figures(knob: Knob) -> Callable[[float], str]:
    """How a number of a scale is written: 10 000 000 as 10M."""

    def written(value: float) -> str:
        if knob.name == "samples" and value == 0:
            return t("graph_embeddings.samples.auto")
        return f"{value / 1e6:g}M" if value >= 1e6 else f"{value / 1e3:g}k" if value >= 1e4 else f"{value:g}"

    return written


# ---------------------------------------------------------------- how it is shown


def choose_projection() -> None:
    """Which two directions of the many are seen."""
    st.segmented_control(
        t("graph_embeddings.projection"),
        PROJECTIONS,
        format_func=lambda name: t(f"graph_embeddings.projection.{name}"),
        required=True,
        help=t("graph_embeddings.projection.help"),
        **state.bind(PROJECTION),
    )


def colour_param(source: Source) -> state.Param[str]:
    """The choice of colours, one for graphs with labels and one for those without: neither changes the other."""
    return BARE if source.graph.labels is None else COLOURS


def colour_now(source: Source) -> str:
    return state.get(colour_param(source))


def choose_colours(source: Source) -> None:
    """By what the nodes are coloured."""
    param = colour_param(source)
    st.segmented_control(
        t("graph_embeddings.colours"),
        tuple(param.allowed or ()),
        format_func=lambda name: t(f"graph_embeddings.colours.{name}"),
        required=True,
        **state.bind(param),
    )


def colours_now(source: Source) -> np.ndarray:
    """uint8 (N, 3)."""
    graph, chosen = source.graph, colour_now(source)
    if chosen == "degree":
        return node_colours(graph, np.log1p(graph.degree))
    return node_colours(graph if chosen == "label" else graph.with_labels(None))


def legend_now(source: Source) -> list[tuple[str, np.ndarray]]:
    """Names and colours of the labels, where nodes are coloured by them and there are few enough to read."""
    names = source.label_names
    if colour_now(source) != "label" or len(names) > 20:
        return []
    return list(zip(names, class_colours(len(names)), strict=True))


def hover_words(source: Source) -> list[str]:
    """What is said of each node under the pointer, after its name: its label."""
    return [source.label_of(v) for v in range(source.graph.count)]

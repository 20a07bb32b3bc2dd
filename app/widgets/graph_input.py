"""A graph to work on: a sample or a generator one click away, or one's own by upload.

There is always a graph: the first sample at the start, and whatever was there before when a file is refused. The link
carries a sample with its parameters, or the beginning of the hash of a file of one's own; such a file never travels,
so the page asks for it and takes it when the hash is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import streamlit as st

from app.graphs import BadGraph, GraphFile, labelled, read, with_node_table
from app.settings import settings
from app.text import has, t
from app.widgets import sessions, state
from app.widgets.image_input import SHA, answer, forget_answer, parse_sha, show_answer, uploader_words
from app.widgets.pictures import Shelf
from models.graph import samples
from models.graph.graph import Graph

ALL = tuple(samples.SAMPLES)


@dataclass(frozen=True, eq=False)
class Source:
    """The current graph. sample_id: None for a graph of one's own. name: for the reader, in plain words.

    label_names: of the graph's labels, in the language of the page. key: the same for the same graph.
    """

    graph: Graph
    name: str
    sample_id: str | None
    label_names: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.graph.key

    def label_of(self, node: int) -> str:
        """The label of a node in words, "" where the graph has no labels."""
        if self.graph.labels is None:
            return ""
        number = int(self.graph.labels[node])
        return self.label_names[number] if number >= 0 else t("graph_input.label.none")


@dataclass(frozen=True, eq=False)
class BroughtGraph:
    """A graph of one's own: the file as it was read, its bytes (to read it again with directions) and its name."""

    file: GraphFile
    data: bytes
    name: str
    directed: bool = False
    by_label: dict[str, GraphFile] = field(default_factory=dict)

    @property
    def sha(self) -> str:
        return self.file.sha

    @property
    def nbytes(self) -> int:
        graph = self.file.graph
        return len(self.data) + 100 * graph.count + 120 * graph.edges  # names; both directions of every edge

    def with_label(self, attribute: str) -> GraphFile:
        if attribute not in self.by_label:
            self.by_label[attribute] = labelled(self.file, attribute)
        return self.by_label[attribute]


GRAPHS: Shelf[BroughtGraph] = Shelf()
sessions.on_gone(GRAPHS.forget)

OWN = state.Param("graph_sha", "", parse=parse_sha)
DIRECTED = state.Param("directed", False, parse=state.parse_flag, format=state.format_flag)
LABELS = state.Param("labels", "")


def sample_param(offered: Sequence[str] = ALL) -> state.Param[str]:
    """The choice of the sample; the first one offered is the default."""
    return state.Param("graph", offered[0], allowed=tuple(offered))


def slider_param(sample: str, parameter: samples.Parameter) -> state.Param[float]:
    """The choice of one parameter of a generator."""
    name = f"{sample}_{parameter.name}"
    if parameter.whole:
        parse = state.parse_whole(int(parameter.low), int(parameter.high))
        return state.Param(name, int(parameter.default), parse=parse, format=str)
    number = state.parse_number(parameter.low, parameter.high)
    return state.Param(name, parameter.default, parse=number, format=state.format_number)


def graph_input(key: str, offered: Sequence[str] = ALL) -> Source:
    """Show the ways in and return the current graph. offered: ids of samples, the first is there at once."""
    chosen = sample_param(offered)
    wanted = state.get(OWN)
    brought = GRAPHS.get(state.user_token(), wanted)

    def another() -> None:
        state.forget(OWN)
        forget_answer(key)

    bound = state.bind(chosen, on_change=another)
    if brought is not None:
        st.session_state[bound["key"]] = None  # no sample is looked at
    st.pills(
        t("graph_input.sample"),
        offered,
        format_func=lambda sample: t(f"graph_input.sample.{sample}"),
        wrap=True,
        **bound,
    )
    sample = state.get(chosen)
    values = {} if brought else _sliders(sample)
    _upload(key, brought)
    _say(key, wanted, brought)
    source = _of_sample(key, sample, values) if brought is None else _of_file(key, brought)
    st.caption(_facts(source.graph))
    return source


# -- samples ----------------------------------------------------------------------------------------------------


def _sliders(sample: str) -> dict[str, float]:
    """The parameters of a generator, two in a row."""
    parameters = samples.SAMPLES[sample].parameters
    values: dict[str, float] = {}
    for start in range(0, len(parameters), 2):
        for column, parameter in zip(st.columns(2), parameters[start : start + 2], strict=False):
            kind = int if parameter.whole else float
            values[parameter.name] = column.slider(
                t(f"graph_input.parameter.{parameter.name}"),
                kind(parameter.low),
                kind(parameter.high),
                step=kind(parameter.step),
                **state.bind(slider_param(sample, parameter)),
            )
    return values


@lru_cache(maxsize=12)
def _built(sample: str, values: tuple[tuple[str, float], ...]) -> Graph:
    return samples.build(sample, **dict(values))


def _of_sample(key: str, sample: str, values: dict[str, float]) -> Source:
    edges, limit = samples.expected_edges(sample, values), settings().max_graph_edges
    if edges > limit:
        st.warning(t("graph_input.too_large", edges=f"{edges:,.0f}", limit=f"{limit:,}"))
        values = st.session_state.get(f"{key}.last.{sample}", {})  # the last graph that was not too large
    else:
        st.session_state[f"{key}.last.{sample}"] = values
    graph = _built(sample, tuple(sorted(values.items())))
    st.caption(t(f"graph_input.sample.{sample}.about"))
    names = tuple(_in_words(name) for name in graph.label_names)
    return Source(graph, t(f"graph_input.sample.{sample}"), sample, names)


def _in_words(label: str) -> str:
    """A sample's label in the language of the page: a word, or a word and a number."""
    word, _, number = label.partition(" ")
    key = f"graph_input.label.{word}"
    return t(key, n=number) if has(key) else label


# -- one's own --------------------------------------------------------------------------------------------------


def _upload(key: str, brought: BroughtGraph | None) -> None:
    limits = settings()
    round_ = st.session_state.setdefault(
        f"{key}.round", 0
    )  # a new key empties the uploader: its copy is let go
    widget, table = f"{key}.upload.{round_}", f"{key}.table.{round_}"

    def uploaded() -> None:
        file = st.session_state.get(widget)
        if file is not None:
            _take(key, file.getvalue(), file.name)

    def labelled_by() -> None:
        file = st.session_state.get(table)
        if file is not None and brought is not None:
            _take_table(key, brought, file.getvalue())

    with st.container(key=f"v-ways-{key}"):
        uploader_words()
        st.file_uploader(
            t("graph_input.upload"),
            key=widget,
            on_change=uploaded,
            max_upload_size=max(1, round(2 * limits.max_upload_mb)),
            help=t(
                "graph_input.upload.help",
                limit=f"{limits.max_upload_mb:g}",
                edges=f"{limits.max_graph_edges:,}",
            ),
        )
        if brought is None:
            return
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if brought.file.attributes:
                names = ["", *brought.file.attributes]
                st.selectbox(
                    t("graph_input.labels"),
                    names,
                    format_func=lambda name: name or t("graph_input.labels.none"),
                    **state.bind(LABELS, names),
                )
            if not brought.file.says_direction:
                help_ = t("graph_input.directed.help")
                st.toggle(t("graph_input.directed"), help=help_, **state.bind(DIRECTED))
        with st.expander(t("graph_input.table")):
            st.file_uploader(
                t("graph_input.table"), key=table, on_change=labelled_by, help=t("graph_input.table.help")
            )


def _take(key: str, data: bytes, name: str) -> None:
    """Take a file over as the current graph, or keep the old one and say why."""
    st.session_state[f"{key}.round"] = st.session_state.get(f"{key}.round", 0) + 1
    forget_answer(key)
    asked = state.get(OWN)
    expected = bool(asked) and GRAPHS.get(state.user_token(), asked) is None
    directed = expected and state.get(DIRECTED)  # a link's own choices hold for the file it asks for
    try:
        file = read(data, directed=directed or None)
    except BadGraph as error:
        answer(key, "error", t(error.reason, **error.details))
        return
    if expected and not file.sha.startswith(asked):
        answer(key, "warning", t("graph_input.link.other", name=state.plain(name)))
        expected = False
    GRAPHS.put(state.user_token(), BroughtGraph(file, data, name, directed))
    state.put(OWN, file.sha[:SHA])
    if not (expected and state.get(LABELS) in file.attributes):
        state.put(LABELS, file.label)
    if not expected:
        state.put(DIRECTED, False)


def _take_table(key: str, brought: BroughtGraph, data: bytes) -> None:
    st.session_state[f"{key}.round"] = st.session_state.get(f"{key}.round", 0) + 1
    forget_answer(key)
    try:
        file = with_node_table(brought.file, data)
    except BadGraph as error:
        answer(key, "error", t(error.reason, **error.details))
        return
    GRAPHS.put(state.user_token(), replace(brought, file=file, by_label={}))
    state.put(LABELS, file.label)


def _of_file(key: str, brought: BroughtGraph) -> Source:
    directed = not brought.file.says_direction and state.get(DIRECTED)
    if directed != brought.directed:
        file = read(brought.data, directed=directed)
        file = replace(file, attributes={**brought.file.attributes, **file.attributes})
        brought = replace(brought, file=file, directed=directed, by_label={})
        GRAPHS.put(state.user_token(), brought)
    file = brought.with_label(state.get(LABELS, ["", *brought.file.attributes]))
    for note in file.notes:
        st.caption(t(note.id, **{name: _shown(value) for name, value in note.details.items()}))
    return Source(file.graph, brought.name, None, file.graph.label_names)


# -- what is said -----------------------------------------------------------------------------------------------


def _shown(value: object) -> object:
    return state.plain(value) if isinstance(value, str) else value


def _facts(graph: Graph) -> str:
    """How large the graph is and of what kind, in one line."""
    words = [t("graph_input.counts", nodes=f"{graph.count:,}", edges=f"{graph.edges:,}")]
    if graph.directed:
        words.append(t("graph_input.kind.directed"))
    if graph.weighted:
        words.append(t("graph_input.kind.weighted"))
    components = int(graph.components.max()) + 1
    if components > 1:
        words.append(t("graph_input.kind.components", n=f"{components:,}"))
    if graph.labels is not None:
        words.append(t("graph_input.kind.labels", n=len(graph.label_names)))
    return " · ".join(words)


def _say(key: str, wanted: str, brought: BroughtGraph | None) -> None:
    """The answer to the last file, and the question for a link's graph."""
    show_answer(key, ":material/hub:")
    if brought is not None:
        st.caption(t("graph_input.current", name=state.plain(brought.name)))
    elif wanted:
        st.info(t("graph_input.link.ask", sha=wanted), icon=":material/link:")
        st.button(t("graph_input.link.without"), key=f"{key}.without", on_click=state.forget, args=(OWN,))

"""What a node hears in one round: its messages one by one, their aggregate, its update, every number worked out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.figures.charts import responsive, short
from app.figures.graph_networks import Strip, strips
from app.text import t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.tensor import drawing, source_of
from pages.graph_networks_parts.forward import lstm_states
from pages.graph_networks_parts.listening import listening
from pages.graph_networks_parts.rounds import (
    Round,
    Sum,
    alpha_latex,
    gather_sum,
    gathered_tap,
    loop_degrees,
    norm_latex,
    out_tap,
    round_of,
    tex,
    update_sum,
    value_sum,
    value_tap,
)
from pages.graph_networks_parts.view import (
    CHANNEL,
    ROUND,
    Scene,
    Seen,
    inside_at,
    look_now,
    node_now,
    round_now,
    say_moment,
)

STAGES = ("message", "aggregate", "update")
STAGE: state.Param[str] = state.Param("stage", "message", allowed=STAGES)
SENDER = state.Param("from", -1, state.parse_whole(-1, 10**7), str)  # -1: the one with the longest message
ROWS = 12  # messages that are drawn by themselves
COLUMNS = 40  # channels that are drawn
SOURCES = {
    "message_passing": "models.graph.message_passing:MessagePassing.forward",
    "gcn": "models.graph.gcn:GraphConvolution.forward",
    "graphsage": "models.graph.graphsage:SAGELayer.forward",
    "gat": "models.graph.gat:GATLayer.forward",
}
FORMULAS = {
    "message_passing": r"h_i'=\mathrm{ReLU}\Big(W_1h_i+b+\sum_{j\in\mathcal N(i)}w_{ij}\,W_2h_j\Big)",
    "edge": r"h_i'=\mathrm{GRU}\Big(h_i,\;\sum_{j\in\mathcal N(i)}h_j\,A(w_{ij})\Big)",
    "gcn": r"h_i'=\mathrm{ReLU}\Big(b+\sum_{j\in\mathcal N(i)\cup i}"
    r"\frac{\tilde a_{ij}}{\sqrt{\tilde d_i\tilde d_j}}\,Wh_j\Big)",
    "graphsage": r"h_i'=\frac{\mathrm{ReLU}(u_i)}{\lVert\cdot\rVert},"
    r"\quad u_i=W^sh_i+W^n\,\mathrm{AGG}\{h_j:j\in\mathcal N(i)\}+b",
    "gat": r"h_i'=\mathrm{ELU}\Big(b+\sum_{j\in\mathcal N(i)\cup i}\alpha_{ij}\,Wh_j\Big)",
}


def messages(scene: Scene) -> None:
    """The whole section."""
    st.header(t("graph_networks.messages"), anchor="messages")
    st.markdown(t("graph_networks.messages.about"))
    edge = scene.net == "message_passing" and scene.config["form"] != "linear"
    st.latex(FORMULAS["edge" if edge else scene.net])
    seen = inside_at(scene, look_now(scene))
    say_moment(scene, seen)
    _choose(scene)
    node, layer = node_now(scene), round_now(scene)
    h = seen.reads(scene, layer)
    made = round_of(scene.net, scene.config, seen.state, h, scene.edges, layer, node)
    channel = channel_now(made)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _graph(scene, seen, made, channel)
    with right:
        _strips(scene, made, channel)
    _worked(scene, seen, made, channel)
    _check(scene, seen, made)
    source = source_of(SOURCES[scene.net])
    if source is not None:
        with st.expander(t("inside.source", path=source.path, line=source.line)):
            st.code(source.text, language="python")


def _choose(scene: Scene) -> None:
    """Round and stage."""
    left, right = st.columns([1, 2], gap="medium")
    layers = int(scene.config["layers"])
    left.segmented_control(
        t("graph_networks.round"),
        range(1, layers + 1),
        required=True,
        help=t("graph_networks.round.help"),
        **state.bind(ROUND, range(1, layers + 1)),
    )
    right.segmented_control(
        t("graph_networks.stage"),
        STAGES,
        format_func=lambda stage: t(f"graph_networks.stage.{stage}"),
        required=True,
        **state.bind(STAGE),
    )


# ---------------------------------------------------------------- what is shown of a round


def width_of(made: Round) -> int:
    """Channels of the stage that is shown."""
    return len(made.out) if state.get(STAGE) == "update" else made.value.shape[1]


def channel_now(made: Round) -> int:
    """The channel that is worked out: the chosen one, else that of the largest number."""
    chosen = state.get(CHANNEL)
    if 0 <= chosen < width_of(made):
        return chosen
    return int(np.abs(made.out if state.get(STAGE) == "update" else made.gathered).argmax())


def shown_channels(made: Round, channel: int) -> list[int]:
    """The columns: of attention one head, of many channels those with the largest numbers."""
    count = width_of(made)
    if made.net == "gat" and made.heads > 1 and state.get(STAGE) != "update":
        each = count // made.heads
        first = channel // each * each
        return list(range(first, first + each))
    if count <= COLUMNS:
        return list(range(count))
    values = np.abs(made.out if state.get(STAGE) == "update" else made.gathered)
    return sorted({channel, *np.argsort(-values, kind="stable")[: COLUMNS - 1].tolist()})


def sender_now(made: Round) -> int:
    """The place of the sender that is worked out; -1 where nobody sends."""
    at = np.flatnonzero(made.sender == state.get(SENDER))
    if len(at):
        return int(at[0])
    return int(made.size.argmax()) if len(made.sender) else -1


def name_of(scene: Scene, made: Round, m: int) -> str:
    """A sender's name; the node itself is marked as such."""
    name = scene.graph.names[int(made.sender[m])]
    return t("graph_networks.itself", name=name) if made.loop[m] else name


def feature_names(scene: Scene, layer: int, count: int) -> list[str]:
    """LaTeX names of what a layer reads: nodes where the features are their numbers, else channels."""
    first = layer == 0 and scene.net != "message_passing"
    if first and scene.run is not None and scene.run.kind == "identity":
        return [tex(name) for name in scene.graph.names]
    return [str(f) for f in range(count)]


def _coefficient(scene: Scene, made: Round, m: int, channel: int) -> str:
    """The factor of a message as a short number; "" where there is none."""
    if scene.net == "graphsage" and scene.config["aggregator"] != "mean":
        return ""
    if scene.net == "message_passing" and scene.config["form"] != "linear":
        return f"{made.weight[m]:.3g}"
    return f"{made.coefficient[m, channel if channel < made.value.shape[1] else 0]:.3f}"


def _graph(scene: Scene, seen: Seen, made: Round, channel: int) -> None:
    """The node and those it hears: the wider a line, the longer the message."""
    order = np.argsort(-made.size, kind="stable")
    top = float(made.size.max(initial=0.0)) or 1.0
    m = sender_now(made)
    listening(
        scene,
        "graph_networks.messages.graph",
        made.node,
        made.sender[order].tolist(),
        made.size[order] / top,
        [_coefficient(scene, made, int(k), channel) for k in order],
        look=seen.look,
        title=t("graph_networks.messages.alt", name=scene.graph.names[made.node], n=len(made.sender)),
        picked=int(made.sender[m]) if m >= 0 and state.get(STAGE) == "message" else None,
    )
    st.caption(t("graph_networks.messages.graph"))


def _strips(scene: Scene, made: Round, channel: int) -> None:
    """The numbers of the stage as colours; a click chooses a channel or a sender."""
    stage, columns = state.get(STAGE), shown_channels(made, channel)
    name = scene.graph.names[made.node]
    st.markdown(
        t(
            f"graph_networks.stage.{stage}.about",
            name=state.plain(name),
            n=len(made.sender),
            round=made.layer + 1,
            channels=width_of(made),
        )
    )
    rows = (
        _update_rows(scene, made, columns)
        if stage == "update"
        else _message_rows(scene, made, columns, channel)
    )
    m = sender_now(made)
    picked = f"s{int(made.sender[m])}" if m >= 0 and stage == "message" else ""

    def take(part: str) -> None:
        number = int(part[1:])
        state.put(CHANNEL if part[0] == "c" else SENDER, number)

    drawing(
        responsive(
            lambda width: strips(
                rows,
                title=t("graph_networks.strips.alt"),
                column=t("graph_networks.channel"),
                channels=columns,
                chosen=channel,
                picked=picked,
                width=width,
            )
        ),
        "graph_networks.strips",
        selected=f"c{channel}",
        on_pick=take,
    )
    st.caption(t("graph_networks.strips.hint"))


def _message_rows(scene: Scene, made: Round, columns: Sequence[int], channel: int) -> list[Strip]:
    """One row a sender, the longest messages first, the others together; then the aggregate."""
    at = list(columns)
    if scene.net == "graphsage" and scene.config["aggregator"] == "lstm":
        order = np.arange(len(made.sender))  # it reads them in the order of the edge list
    else:
        order = np.argsort(-made.size, kind="stable")
    rows = [
        Strip(
            name_of(scene, made, int(m)),
            _coefficient(scene, made, int(m), channel),
            made.message[m, at],
            f"s{int(made.sender[m])}",
        )
        for m in order[:ROWS]
    ]
    others = order[ROWS:]
    if len(others) and scene.net == "graphsage" and scene.config["aggregator"] != "mean":
        rows.append(Strip(t("graph_networks.others", n=len(others)), "", made.message[others][:, at].max(0)))
    elif len(others):
        rows.append(Strip(t("graph_networks.others", n=len(others)), "Σ", made.message[others][:, at].sum(0)))
    word = scene.config["aggregator"] if scene.net == "graphsage" else "sum"
    rows.append(Strip(t(f"graph_networks.aggregate.{word}"), "", made.gathered[at], apart=True, strong=True))
    return rows


def _update_rows(scene: Scene, made: Round, columns: Sequence[int]) -> list[Strip]:
    """What is added up for the new h_i."""
    at, rows = list(columns), []
    if scene.net in ("gcn", "gat"):
        aggregate = (
            made.gathered.reshape(made.heads, -1).mean(0)
            if made.net == "gat" and made.last
            else made.gathered
        )
        rows.append(Strip(t("graph_networks.row.aggregate"), "", aggregate[at]))
        rows.append(Strip(t("graph_networks.row.bias"), "", (made.before - aggregate)[at]))
    else:
        assert made.own is not None
        gru = scene.net == "message_passing" and scene.config["form"] != "linear"
        own = "graph_networks.row.kept" if gru else "graph_networks.row.own"
        rest = made.out - made.own if gru else made.before - made.own
        rows.append(Strip(t(own), "", made.own[at]))
        rows.append(Strip(t("graph_networks.row.new" if gru else "graph_networks.row.heard"), "", rest[at]))
    if made.net != "graphsage":
        rows.append(Strip(t("graph_networks.row.before"), "", made.before[at], apart=True))
    rows.append(
        Strip(t("graph_networks.row.out"), "", made.out[at], apart=made.net == "graphsage", strong=True)
    )
    return rows


# ---------------------------------------------------------------- the numbers


def _worked(scene: Scene, seen: Seen, made: Round, channel: int) -> None:
    """The stage's number in the chosen channel, worked out."""
    stage, config, names = state.get(STAGE), scene.config, scene.graph.names
    feature = feature_names(scene, made.layer, len(made.h))
    if stage == "update":
        stored = seen.taps[out_tap(scene.net, config, made.layer)][made.node, channel]
        _sum(update_sum(made, config, seen.state, channel, feature), float(stored))
        return
    if stage == "aggregate":
        found = gather_sum(made, config, channel, lambda v: tex(names[v]))
        tap = gathered_tap(scene.net, made.layer)
        own = float(seen.taps[tap][made.node, channel]) if tap else None
        if found is None:
            _lstm(scene, seen, made, own, channel)
            return
        _sum(found, own)
        if own is None:
            st.caption(t("graph_networks.no_tap"))
        return
    m = sender_now(made)
    if m < 0:
        st.info(t("graph_networks.alone"))
        return
    sender = int(made.sender[m])
    st.markdown(
        t(
            "graph_networks.one_message",
            sender=state.plain(names[sender]),
            node=state.plain(names[made.node]),
            channel=channel,
        )
    )
    _factor(scene, made, m, channel)
    found = value_sum(made, config, seen.state, m, channel, feature)
    if found is None:
        st.markdown(t("graph_networks.as_it_is", value=f"{made.value[m, channel]:.6g}"))
        return
    tap = value_tap(scene.net, made.layer)
    _sum(found, float(seen.taps[tap][sender].reshape(-1)[channel]) if tap else None)
    st.latex(
        rf"m_{{ij}}={made.coefficient[m, channel]:.6g}\cdot({made.value[m, channel]:.6g})"
        rf"={made.message[m, channel]:.6g}"
    )


def _sum(found: Sum, expected: float | None) -> None:
    worked_sum(
        found.terms,
        found.bias,
        expected,
        symbol=found.symbol,
        formula=found.formula,
        activation=found.activation,
        slack=found.slack,
    )


def _factor(scene: Scene, made: Round, m: int, channel: int) -> None:
    """Where the factor of one message comes from."""
    if scene.net == "gcn":
        degree = loop_degrees(scene.edges, scene.config)
        st.latex(norm_latex(made, m, float(degree[made.node]), float(degree[made.sender[m]])))
    elif scene.net == "gat":
        st.latex(alpha_latex(made, m, channel // (made.value.shape[1] // made.heads)))
    elif scene.net == "graphsage" and scene.config["aggregator"] == "mean":
        st.latex(
            rf"\frac{{1}}{{|\mathcal N(i)|}}=\frac{{1}}{{{len(made.sender)}}}={1 / len(made.sender):.6g}"
        )
    elif scene.net == "message_passing":
        st.latex(rf"w_{{ij}}={made.weight[m]:.6g}")


def _lstm(scene: Scene, seen: Seen, made: Round, own: float | None, channel: int) -> None:
    """The aggregating LSTM: its state after each neighbour, and what another order would have made of them."""
    states = lstm_states(
        scene.config, {n: v.astype(np.float64) for n, v in seen.state.items()}, made.layer, made.value
    )
    if not len(states):
        st.info(t("graph_networks.alone"))
        return
    back = lstm_states(
        scene.config, {n: v.astype(np.float64) for n, v in seen.state.items()}, made.layer, made.value[::-1]
    )
    columns = shown_channels(made, channel)
    rows = [
        Strip(
            t("graph_networks.lstm.after", name=name_of(scene, made, m)),
            short(float(states[m, channel])),
            states[m, columns],
        )
        for m in range(min(len(states), ROWS))
    ]
    rows.append(
        Strip(
            t("graph_networks.lstm.back"),
            short(float(back[-1, channel])),
            back[-1, columns],
            apart=True,
            strong=True,
        )
    )
    drawing(
        responsive(
            lambda width: strips(
                rows,
                title=t("graph_networks.lstm.alt"),
                column=t("graph_networks.channel"),
                channels=columns,
                chosen=channel,
                width=width,
            )
        ),
        "graph_networks.lstm",
        on_pick=lambda part: state.put(CHANNEL, int(part[1:])) if part[0] == "c" else None,
    )
    change = float(np.linalg.norm(back[-1] - states[-1])) / max(float(np.linalg.norm(states[-1])), 1e-12)
    st.markdown(t("graph_networks.lstm.order", percent=f"{100 * change:.0f}"))
    if own is not None:
        st.caption(t("graph_networks.lstm.check", difference=f"{abs(own - states[-1, channel]):.1e}"))


def _check(scene: Scene, seen: Seen, made: Round) -> None:
    """All channels of the round against the network's own."""
    stored = seen.taps[out_tap(scene.net, scene.config, made.layer)][made.node].astype(np.float64)
    st.caption(
        ":material/check: "
        + t(
            "graph_networks.check",
            round=made.layer + 1,
            channels=len(stored),
            difference=f"{np.abs(stored - made.out).max():.1e}",
            by=t(f"graph_networks.by.{seen.by}"),
        )
    )

"""One round at one node: who sends, what arrives, what becomes of it. Pure functions over numpy arrays, float64.

A round is the same in all four networks: a message from each neighbour, one aggregate of them, an update.

    MPNN        m_ij = w_ij W_2 h_j  (or A(w_ij) h_j)   Σ        ReLU(W_1 h_i + b + m_i)  (or GRU)
    GCN         m_ij = â_ij W h_j                        Σ        ReLU(b + m_i)
    GraphSAGE   m_ij = h_j  (or ReLU(W_p h_j + b))       mean, max, LSTM    ReLU(W_s h_i + W_n m_i + b), to length 1
    GAT         m_ij = α_ij W h_j, for each head         Σ        ELU(b + m_i)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from app.widgets.formula import Activation, Term
from pages.graph_networks_parts.forward import (
    Arrays,
    Config,
    Edges,
    degrees,
    edge_matrices,
    elu,
    gat_edges,
    gat_scores,
    gcn_edges,
    gru_gates,
    linear,
    lstm_states,
    normalised,
    softmax,
)

Name = Callable[[int], str]


@dataclass(frozen=True, eq=False)
class Round:
    """What node `node` does in round `layer` (from 0). M senders, C channels of the messages, D of the result.

    edge: int64 (M,), the number of each message in the net's own list. sender: int64 (M,). loop: bool (M,), the node
    itself as a sender. weight: (M,), of the edge.
    coefficient: (M, C), the factor between value and message (of one head: equal along its channels).
    value: (M, C), what a sender has to say. message: (M, C) = coefficient * value.
    gathered: (C,). own: (D,), what the node adds of its own, or None. before: (D,), before the activation.
    out: (D,), the new h_i. h: (F,), the old one. heads: of the messages' channels.
    """

    net: str
    layer: int
    last: bool
    node: int
    edge: np.ndarray
    sender: np.ndarray
    loop: np.ndarray
    weight: np.ndarray
    coefficient: np.ndarray
    value: np.ndarray
    message: np.ndarray
    gathered: np.ndarray
    own: np.ndarray | None
    before: np.ndarray
    out: np.ndarray
    h: np.ndarray
    read: np.ndarray
    heads: int = 1
    score: np.ndarray | None = None

    @property
    def size(self) -> np.ndarray:
        """(M,): the length of each message."""
        return np.linalg.norm(self.message, axis=1)


def before_tap(net: str, layer: int) -> str:
    """The tap that holds what round `layer` reads; "" for the features themselves."""
    if layer:
        return f"layers.{layer - 1}.out"
    return "encoded" if net == "message_passing" else ""


def out_tap(net: str, config: Config, layer: int) -> str:
    """The tap that holds what round `layer` makes."""
    last = layer == config["layers"] - 1
    return "logits" if last and net in ("gcn", "gat") else f"layers.{layer}.out"


def gathered_tap(net: str, layer: int) -> str:
    """The tap of the aggregate, "" where the net has none of its own."""
    word = {"message_passing": "gathered", "graphsage": "aggregated"}.get(net, "")
    return f"layers.{layer}.{word}" if word else ""


def value_tap(net: str, layer: int) -> str:
    """The tap of what a sender has to say, "" where that is no tap of its own."""
    word = {"gcn": "transformed", "gat": "values"}.get(net, "")
    return f"layers.{layer}.{word}" if word else ""


def needed(net: str, config: Config) -> tuple[str, ...]:
    """The taps that a scene keeps: everything by node, and the shares by edge; messages are made from these."""
    names = ["encoded", "readout"] if net == "message_passing" else ["norm"] if net == "gcn" else []
    for k in range(config["layers"]):
        found = (value_tap(net, k), gathered_tap(net, k), out_tap(net, config, k))
        names += [name for name in found if name]
        if net == "gat":
            names += [f"layers.{k}.scores", f"layers.{k}.weights"]
    return tuple(dict.fromkeys([*names, "logits"]))


def round_of(
    net: str, config: Config, state: Arrays, h: np.ndarray, edges: Edges, layer: int, node: int
) -> Round:
    """The round of one node in float64. h: (N, F), what the layer reads. edges: of the graph, without added loops."""
    state = {
        name: value.astype(np.float64) for name, value in state.items() if name.startswith(f"layers.{layer}.")
    }
    h = np.asarray(h, np.float64)
    made = {"message_passing": _mpnn, "gcn": _gcn, "graphsage": _sage, "gat": _gat}[net]
    return made(config, state, h, edges, layer, node)


def _gcn(config: Config, state: Arrays, h: np.ndarray, edges: Edges, k: int, node: int) -> Round:
    looped = gcn_edges(edges, config.get("loops", "keep"))
    at = looped.arriving(node)
    at = at[looped.weight[at] != 0]  # the added loop of a node that had one is no message
    sender, last = looped.source[at], k == config["layers"] - 1
    value = linear(state, f"layers.{k}.linear", h[sender])
    coefficient = np.repeat(normalised(looped)[at][:, None], value.shape[1], axis=1)
    gathered = (coefficient * value).sum(0)
    before = gathered + state[f"layers.{k}.bias"]
    return Round(
        "gcn", k, last, node, at, sender, sender == node, looped.weight[at], coefficient, value, coefficient * value,
        gathered, None, before, before if last else np.maximum(before, 0), h[node], h[sender],
    )  # fmt: skip


def _gat(config: Config, state: Arrays, h: np.ndarray, edges: Edges, k: int, node: int) -> Round:
    looped, left_out = gat_edges(edges)
    at = looped.arriving(node)
    at = at[~left_out[at]]
    sender, last = looped.source[at], k == config["layers"] - 1
    # only the edges of this node: their ends are numbered anew, the node itself first
    nodes = np.concatenate([[node], sender])
    few = Edges(np.arange(1, len(nodes)), np.zeros(len(sender), np.int64), looped.weight[at], len(nodes))
    values, scores = gat_scores(config, state, k, h[nodes], few)
    _, heads, channels = values.shape
    share = softmax(scores.T).T  # (M, heads)
    value = values[1:].reshape(len(sender), -1)
    coefficient = np.repeat(share, channels, axis=1)
    gathered = (coefficient * value).sum(0)
    own = gathered.reshape(heads, channels).mean(0) if last else gathered
    before = own + state[f"layers.{k}.bias"]
    return Round(
        "gat", k, last, node, at, sender, sender == node, looped.weight[at], coefficient, value, coefficient * value,
        gathered, None, before, before if last else elu(before), h[node], h[sender], heads, scores,
    )  # fmt: skip


def _sage(config: Config, state: Arrays, h: np.ndarray, edges: Edges, k: int, node: int) -> Round:
    at = edges.arriving(node)
    sender, last, kind = edges.source[at], k == config["layers"] - 1, config["aggregator"]
    value, share = h[sender], 1.0
    if kind == "max":
        value = np.maximum(linear(state, f"layers.{k}.aggregate.linear", value), 0)
        gathered = value.max(0, initial=0.0)
    elif kind == "mean":
        share = 1 / max(len(at), 1)
        gathered = value.sum(0) * share
    else:
        states = lstm_states(config, state, k, value)
        gathered = states[-1] if len(states) else np.zeros(h.shape[1])
        sender, at, value = sender[: len(states)], at[: len(states)], value[: len(states)]
    coefficient = np.full(value.shape, share)
    own = linear(state, f"layers.{k}.self_linear", h[node])
    before = own + linear(state, f"layers.{k}.neighbour_linear", gathered)
    out = before if last else np.maximum(before, 0)
    if config.get("normalise", True):
        out = out / max(float(np.linalg.norm(out)), 1e-12)
    return Round(
        "graphsage", k, last, node, at, sender, sender == node, edges.weight[at], coefficient, value,
        coefficient * value, gathered, own, before, out, h[node], h[sender],
    )  # fmt: skip


def _mpnn(config: Config, state: Arrays, h: np.ndarray, edges: Edges, k: int, node: int) -> Round:
    at = edges.arriving(node)
    sender, weight, last = edges.source[at], edges.weight[at], k == config["layers"] - 1
    if config["form"] == "linear":
        value = linear(state, f"layers.{k}.message.linear", h[sender])
        coefficient = np.repeat(weight[:, None], value.shape[1], axis=1)
    else:
        matrices = edge_matrices(state, k, weight, h.shape[1])
        value = (h[sender][:, None, :] @ matrices)[:, 0]
        coefficient = np.ones(value.shape)
    gathered = (coefficient * value).sum(0)
    if config["form"] == "linear":
        own = linear(state, f"layers.{k}.update.linear", h[node])
        before = own + gathered
        out = np.maximum(before, 0)
    else:
        _, z, n = (gate[0] for gate in gru_gates(state, f"layers.{k}.update.cell", gathered[None], h[[node]]))
        own, before = z * h[node], n
        out = (1 - z) * n + own
    return Round(
        "message_passing", k, last, node, at, sender, sender == node, weight, coefficient, value, coefficient * value,
        gathered, own, before, out, h[node], h[sender],
    )  # fmt: skip


# ---------------------------------------------------------------- one number as a sum


@dataclass(frozen=True)
class Sum:
    """A number as a sum of products, for widgets.formula. expected: the network's own, None where it keeps none."""

    terms: list[Term]
    bias: float
    symbol: str
    formula: str
    activation: Activation = ""
    slack: float = 8.0  # what is summed went through float32 itself


def tex(name: str) -> str:
    """A node's name for LaTeX: letters, digits, spaces and a few signs, cut to twelve."""
    plain = re.sub(r"[^\w .\-]", "", name).replace("_", r"\_")
    return rf"\text{{{plain[:12] or '?'}}}"


def value_sum(
    made: Round, config: Config, state: Arrays, sender: int, channel: int, feature: Sequence[str]
) -> Sum | None:
    """What the sender at place `sender` has to say in one channel, from its old h_j. None where it is h_j itself.

    feature: names of the entries of h_j.
    """
    k, read = made.layer, made.read[sender]
    if made.net == "graphsage":
        if config["aggregator"] != "max":
            return None
        name, bias, activation, left = f"layers.{k}.aggregate.linear", True, "relu", r"p_{jc}"
        formula = r"p_{jc}=\mathrm{ReLU}\big(\textstyle\sum_f W^p_{cf}\,h_{jf}+b_c\big)"
    elif made.net == "message_passing":
        if config["form"] != "linear":
            weight = float(made.weight[sender])
            matrix = edge_matrices(
                {n: v.astype(np.float64) for n, v in state.items()}, k, np.array([weight]), len(read)
            )
            terms = [_term(feature[f], matrix[0, f, channel], read[f]) for f in range(len(read))]
            return Sum(terms, 0.0, r"m_{ijc}", r"m_{ijc}=\textstyle\sum_f h_{jf}\,A(w_{ij})_{fc}")
        name, bias, activation, left = f"layers.{k}.message.linear", False, "", r"(W_2h_j)_c"
        formula = r"(W_2h_j)_c=\textstyle\sum_f (W_2)_{cf}\,h_{jf}"
    else:
        name = f"layers.{k}.linear" if made.net == "gcn" else f"layers.{k}.scores.linear"
        bias, activation, left = f"{name}.bias" in state, "", r"(Wh_j)_c"
        formula = r"(Wh_j)_c=\textstyle\sum_f W_{cf}\,h_{jf}"
    row = state[f"{name}.weight"][channel].astype(np.float64)
    terms = [_term(feature[f], row[f], read[f]) for f in np.flatnonzero(read).tolist()]
    offset = float(state[f"{name}.bias"][channel]) if bias else 0.0
    return Sum(terms, offset, left, formula, "relu" if activation == "relu" else "")


def gather_sum(made: Round, config: Config, channel: int, name: Name) -> Sum | None:
    """The aggregate in one channel, over the senders. None for the LSTM, which is no sum."""
    if made.net == "graphsage":
        if config["aggregator"] == "lstm":
            return None
        if config["aggregator"] == "max":
            best = int(made.value[:, channel].argmax()) if len(made.sender) else 0
            terms = (
                [_term(name(int(made.sender[best])), 1.0, made.value[best, channel])]
                if len(made.sender)
                else []
            )
            return Sum(terms, 0.0, r"a_{ic}", r"a_{ic}=\max_{j\in\mathcal N(i)}\,p_{jc}")
        formula = r"a_{ic}=\frac{1}{|\mathcal N(i)|}\textstyle\sum_{j\in\mathcal N(i)} h_{jc}"
        symbol = r"a_{ic}"
    else:
        symbol, formula = r"m_{ic}", {
            "gcn": r"m_{ic}=\textstyle\sum_{j\in\mathcal N(i)\cup i}\hat a_{ij}\,(Wh_j)_c",
            "gat": r"m_{ic}=\textstyle\sum_{j\in\mathcal N(i)\cup i}\alpha_{ij}\,(Wh_j)_c",
            "message_passing": r"m_{ic}=\textstyle\sum_{j\in\mathcal N(i)} w_{ij}\,(W_2h_j)_c",
        }[made.net]  # fmt: skip
        if made.net == "message_passing" and config["form"] != "linear":
            formula = r"m_{ic}=\textstyle\sum_{j\in\mathcal N(i)} m_{ijc}"
    terms = [
        _term(name(int(v)), made.coefficient[m, channel], made.value[m, channel])
        for m, v in enumerate(made.sender)
    ]
    return Sum(terms, 0.0, symbol, formula)


def update_sum(made: Round, config: Config, state: Arrays, channel: int, feature: Sequence[str]) -> Sum:
    """The new h_i in one channel. channel: of the result."""
    k = made.layer
    if made.net == "gcn":
        bias = float(state[f"layers.{k}.bias"][channel])
        formula = r"m_{ic}+b_c" if made.last else r"\mathrm{ReLU}(m_{ic}+b_c)"
        terms = [_term("m", 1.0, made.gathered[channel])]
        return Sum(terms, bias, "h'_{ic}", rf"h'_{{ic}}={formula}", "" if made.last else "relu")
    if made.net == "gat":
        bias = float(state[f"layers.{k}.bias"][channel])
        if made.last:
            each = made.gathered.reshape(made.heads, -1)[:, channel]
            terms = [_term(f"{n + 1}", 1 / made.heads, v) for n, v in enumerate(each)]
            formula = r"h'_{ic}=\frac1H\textstyle\sum_{\mathrm{head}} m^{\mathrm{head}}_{ic}+b_c"
            return Sum(terms, bias, "h'_{ic}", formula)
        terms = [_term("m", 1.0, made.gathered[channel])]
        return Sum(terms, bias, "h'_{ic}", r"h'_{ic}=\mathrm{ELU}(m_{ic}+b_c)", "elu")
    if made.net == "message_passing":
        if config["form"] != "linear":
            _, z, n = (
                gate[0, channel]
                for gate in gru_gates(
                    {name: v.astype(np.float64) for name, v in state.items()},
                    f"layers.{k}.update.cell",
                    made.gathered[None],
                    made.h[None],
                )
            )
            terms = [_term("n", 1 - z, n), _term("h", z, made.h[channel])]
            # z and n have gone through two matrix products, a tanh and sigmoids in float32
            return Sum(terms, 0.0, "h'_{ic}", r"h'_{ic}=(1-z_c)\,n_c+z_c\,h_{ic}", slack=64.0)
        row = state[f"layers.{k}.update.linear.weight"][channel].astype(np.float64)
        terms = [_term("m", 1.0, made.gathered[channel])]
        terms += [_term(feature[f], row[f], made.h[f]) for f in range(len(row))]
        bias = float(state[f"layers.{k}.update.linear.bias"][channel])
        formula = r"h'_{ic}=\mathrm{ReLU}\big(m_{ic}+\textstyle\sum_f (W_1)_{cf}\,h_{if}+b_c\big)"
        return Sum(terms, bias, "h'_{ic}", formula, "relu")
    own = state[f"layers.{k}.self_linear.weight"][channel].astype(np.float64)
    other = state[f"layers.{k}.neighbour_linear.weight"][channel].astype(np.float64)
    length = 1.0
    if config.get("normalise", True):  # dividing the terms divides their sum, and a length is never negative
        before = made.before if made.last else np.maximum(made.before, 0)
        length = max(float(np.linalg.norm(before)), 1e-12)
    terms = [
        _term(f"h_{{{feature[f]}}}", own[f] / length, made.h[f]) for f in np.flatnonzero(made.h).tolist()
    ]
    terms += [
        _term(f"a_{{{feature[f]}}}", other[f] / length, made.gathered[f])
        for f in np.flatnonzero(made.gathered).tolist()
    ]
    bias = float(state[f"layers.{k}.neighbour_linear.bias"][channel]) / length
    inner = r"\textstyle\sum_f W^s_{cf}h_{if}+\sum_f W^n_{cf}a_{if}+b_c"
    inner = inner if made.last else rf"\mathrm{{ReLU}}\big({inner}\big)"
    scaled = rf"h'_{{ic}}=\frac{{1}}{{L}}\,\Big({inner}\Big),\quad L=\lVert\cdot\rVert={length:.5g}"
    return Sum(
        terms, bias, "h'_{ic}", scaled if config.get("normalise", True) else rf"h'_{{ic}}={inner}",
        "" if made.last else "relu",
    )  # fmt: skip


def _term(label: str, a: float, b: float) -> Term:
    return label, float(a), float(b)


# ---------------------------------------------------------------- the coefficient of one message


def norm_latex(made: Round, m: int, degree_i: float, degree_j: float) -> str:
    """â_ij of GCN with its numbers."""
    value = float(made.coefficient[m, 0])
    return (
        rf"\hat a_{{ij}}=\frac{{\tilde a_{{ij}}}}{{\sqrt{{\tilde d_i\,\tilde d_j}}}}"
        rf"=\frac{{{made.weight[m]:.4g}}}{{\sqrt{{{degree_i:.4g}\cdot{degree_j:.4g}}}}}={value:.6g}"
    )


def loop_degrees(edges: Edges, config: Config) -> np.ndarray:
    """float64 (N,): d~, what arrives at each node with its loop."""
    return degrees(gcn_edges(edges, config.get("loops", "keep")))


def alpha_latex(made: Round, m: int, head: int) -> str:
    """α_ij of GAT with its numbers."""
    assert made.score is not None
    score = made.score[:, head]
    channels = made.value.shape[1] // made.heads
    top = float(score.max())
    total = float(np.exp(score - top).sum())
    share = float(made.coefficient[m, head * channels])
    return (
        rf"\alpha_{{ij}}=\frac{{e^{{e_{{ij}}}}}}{{\sum_k e^{{e_{{ik}}}}}}"
        rf"=\frac{{e^{{{score[m]:.4g}-({top:.4g})}}}}{{{total:.5g}}}={share:.6g}"
    )

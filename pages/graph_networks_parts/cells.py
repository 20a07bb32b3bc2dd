"""Any number of any tap of the four networks, from the numbers that it is made of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pages.graph_networks_parts.forward import Arrays, gat_edges, gcn_edges, linear, readout
from pages.graph_networks_parts.messages import feature_names
from pages.graph_networks_parts.rounds import (
    Round,
    Sum,
    alpha_latex,
    gather_sum,
    loop_degrees,
    norm_latex,
    round_of,
    tex,
    update_sum,
    value_sum,
)
from pages.graph_networks_parts.view import Scene, Seen


@dataclass(frozen=True)
class Cell:
    """One number: the tap, the row (a node's or a message's number) and the column, heads and channels flattened."""

    tap: str
    row: int
    column: int


def layer_of(name: str) -> tuple[int, str]:
    """ "layers.1.out" → (1, "out"); (-1, name) for a tap of no layer."""
    parts = name.split(".")
    return (int(parts[1]), parts[2]) if parts[0] == "layers" else (-1, name)


def _round(scene: Scene, seen: Seen, layer: int, node: int) -> Round:
    return round_of(scene.net, scene.config, seen.state, seen.reads(scene, layer), scene.edges, layer, node)


def _message(scene: Scene, seen: Seen, cell: Cell, layer: int) -> tuple[Round, int] | None:
    """The round that a message belongs to, and its place among the senders."""
    edges = scene.edges
    if scene.net == "gcn":
        edges = gcn_edges(edges, scene.config.get("loops", "keep"))
    elif scene.net == "gat":
        edges = gat_edges(edges)[0]
    made = _round(scene, seen, layer, int(edges.target[cell.row]))
    at = np.flatnonzero(made.edge == cell.row)
    return (made, int(at[0])) if len(at) else None  # a loop that is left out


def cell_latex(scene: Scene, seen: Seen, cell: Cell) -> str:
    """The formula with numbers of what is no sum of products: a normalised weight, a share; "" for the rest."""
    layer, word = layer_of(cell.tap)
    if cell.tap == "norm":
        found = _message(scene, seen, cell, 0)
        if found is None:
            return ""
        made, m = found
        degree = loop_degrees(scene.edges, scene.config)
        return norm_latex(made, m, float(degree[made.node]), float(degree[made.sender[m]]))
    if scene.net == "gat" and word == "weights":
        found = _message(scene, seen, cell, layer)
        return "" if found is None else alpha_latex(found[0], found[1], cell.column)
    return ""


def cell_sum(scene: Scene, seen: Seen, cell: Cell) -> Sum | None:
    """The number as a sum of products; None for what is none (an LSTM, set2set's state, a loop that is left out)."""
    layer, word = layer_of(cell.tap)
    last = int(scene.config["layers"]) - 1
    names = scene.graph.names
    if cell.tap == "logits" and scene.net in ("gcn", "gat"):
        layer, word = last, "out"
    if cell.tap == "norm":
        return _norm(scene, seen, cell)
    if layer < 0:
        return _outside(scene, seen, cell)
    if word in ("scores", "weights"):
        return _attention(scene, seen, cell, layer, word)
    if word == "messages":
        return _sent(scene, seen, cell, layer)
    made = _round(scene, seen, layer, cell.row)
    feature = feature_names(scene, layer, len(made.h))
    if word == "out":
        return update_sum(made, scene.config, seen.state, cell.column, feature)
    if word in ("gathered", "aggregated"):
        return gather_sum(made, scene.config, cell.column, lambda v: tex(names[v]))
    return _transformed(scene, seen, cell, layer, feature)


def _norm(scene: Scene, seen: Seen, cell: Cell) -> Sum | None:
    """â_ij as a product."""
    found = _message(scene, seen, cell, 0)
    if found is None:
        return None
    made, m = found
    degree = loop_degrees(scene.edges, scene.config)
    terms = [_term("", made.weight[m] / degree[made.node] ** 0.5, degree[made.sender[m]] ** -0.5)]
    formula = r"\hat a_{ij}=\frac{\tilde a_{ij}}{\sqrt{\tilde d_i}}\cdot\frac{1}{\sqrt{\tilde d_j}}"
    return Sum(terms, 0.0, r"\hat a_{ij}", formula)


def _attention(scene: Scene, seen: Seen, cell: Cell, layer: int, word: str) -> Sum | None:
    """e_ij or α_ij of a GAT, in the head that the column names."""
    found = _message(scene, seen, cell, layer)
    if found is None:
        return None
    made, m = found
    assert made.score is not None
    if word == "weights":
        score = made.score[:, cell.column]
        power = np.exp(score - score.max())
        terms = [_term("", power[m], 1 / power.sum())]
        formula = r"\alpha_{ij}=e^{e_{ij}-\max}\cdot\frac{1}{\sum_k e^{e_{ik}-\max}}"
        return Sum(terms, 0.0, r"\alpha_{ij}", formula, slack=64.0)
    name, slope = f"layers.{layer}.scores", float(scene.config.get("slope", 0.2))
    weights = {n: v.astype(np.float64) for n, v in seen.state.items() if n.startswith(name)}
    head, size = cell.column, made.value.shape[1] // made.heads
    own, sent = _projected(weights, f"{name}.linear", made.h), made.value[m]
    channels = slice(head * size, (head + 1) * size)
    if scene.config["version"] == 1:
        parts = (
            own[channels] @ weights[f"{name}.attend_target"][head],
            sent[channels] @ weights[f"{name}.attend_source"][head],
        )
        weighed = float(made.weight[m]) * weights.get(f"{name}.attend_edge", np.zeros(head + 1))[head]
        k = 1.0 if sum(parts) + weighed > 0 else slope
        terms = [_term(r"a_t^\top Wh_i", k, parts[0]), _term(r"a_s^\top Wh_j", k, parts[1])]
        if weighed:
            terms.append(_term(r"a_e w_{ij}", k, weighed))
        formula = r"e_{ij}=\mathrm{LeakyReLU}\big(a_t^\top Wh_i+a_s^\top Wh_j\big)"
        return Sum(terms, 0.0, "e_{ij}", formula, slack=64.0)
    asked = _projected(weights, f"{name}.target_linear", made.h)[channels]
    pairs = (
        asked
        + sent[channels]
        + made.weight[m] * weights.get(f"{name}.edge", np.zeros((head + 1, size)))[head]
    )
    bent = np.where(pairs > 0, pairs, slope * pairs)
    terms = [
        _term(str(c), a, b)
        for c, (a, b) in enumerate(zip(weights[f"{name}.attend"][head], bent, strict=True))
    ]
    formula = r"e_{ij}=\textstyle\sum_c a_c\,\mathrm{LeakyReLU}(W_th_i+W_sh_j)_c"
    return Sum(terms, 0.0, "e_{ij}", formula, slack=64.0)


def _projected(weights: Arrays, name: str, h: np.ndarray) -> np.ndarray:
    return linear(weights, name, h[None])[0]


def _term(label: str, a: float, b: float) -> tuple[str, float, float]:
    return label, float(a), float(b)


def _sent(scene: Scene, seen: Seen, cell: Cell, layer: int) -> Sum | None:
    """One number of a message: its factor times what the sender has to say, itself a sum."""
    found = _message(scene, seen, cell, layer)
    if found is None:
        return None
    made, m = found
    value = value_sum(
        made, scene.config, seen.state, m, cell.column, feature_names(scene, layer, len(made.h))
    )
    assert value is not None  # GraphSAGE, whose senders say what they are, has no tap of messages
    factor = float(made.coefficient[m, cell.column])
    formula = {
        "gcn": r"m_{ijc}=\hat a_{ij}\textstyle\sum_f W_{cf}\,h_{jf}",
        "gat": r"m_{ijc}=\alpha_{ij}\big(\textstyle\sum_f W_{cf}\,h_{jf}+b_c\big)",
        "message_passing": r"m_{ijc}=w_{ij}\textstyle\sum_f (W_2)_{cf}\,h_{jf}",
    }[scene.net]
    if scene.net == "message_passing" and scene.config["form"] != "linear":
        formula = value.formula
    terms = [(label, factor * a, b) for label, a, b in value.terms]
    return Sum(terms, factor * value.bias, "m_{ijc}", formula, slack=64.0)


def _transformed(scene: Scene, seen: Seen, cell: Cell, layer: int, feature: list[str]) -> Sum:
    """(W h_j)_c of a GCN or GAT."""
    name = f"layers.{layer}.linear" if scene.net == "gcn" else f"layers.{layer}.scores.linear"
    h = seen.reads(scene, layer)[cell.row]
    found = _linear(seen.state, name, h, cell.column, feature)
    return Sum(found.terms, found.bias, r"(Wh_j)_c", r"(Wh_j)_c=\textstyle\sum_f W_{cf}\,h_{jf}")


def _linear(state: Arrays, name: str, h: np.ndarray, column: int, feature: list[str]) -> Sum:
    row = state[f"{name}.weight"][column].astype(np.float64)
    terms = [(feature[f], float(row[f]), float(h[f])) for f in np.flatnonzero(h).tolist()]
    bias = float(state[f"{name}.bias"][column]) if f"{name}.bias" in state else 0.0
    return Sum(terms, bias, "y_c", r"y_c=\textstyle\sum_f W_{cf}\,h_f+b_c")


def _outside(scene: Scene, seen: Seen, cell: Cell) -> Sum | None:
    """A tap of no layer: the encoder, the head, the readout."""
    last = int(scene.config["layers"]) - 1
    if cell.tap == "encoded":
        known = scene.run is not None and scene.run.kind == "identity"
        feature = [tex(n) for n in scene.graph.names] if known else [str(f) for f in range(scene.x.shape[1])]
        return _linear(seen.state, "encode", scene.x[cell.row], cell.column, feature)
    h = seen.taps[f"layers.{last}.out"]
    if cell.tap == "logits":
        return _linear(seen.state, "head", h[cell.row], cell.column, [str(f) for f in range(h.shape[1])])
    if cell.tap == "readout" and scene.config.get("readout", "sum") == "sum":
        terms = [(tex(name), 1.0, float(h[v, cell.column])) for v, name in enumerate(scene.graph.names)]
        return Sum(terms, 0.0, "R_c", r"R_c=\textstyle\sum_i h_{ic}")
    if cell.tap == "readout" and cell.column >= h.shape[1]:  # the second half is what the last look gathered
        weights = {n: v.astype(np.float64) for n, v in seen.state.items() if n.startswith("readout.")}
        _, share = readout(scene.config, weights, h.astype(np.float64))
        column = cell.column - h.shape[1]
        terms = [
            (tex(name), float(share[v]), float(h[v, column])) for v, name in enumerate(scene.graph.names)
        ]
        return Sum(terms, 0.0, "r_c", r"r_c=\textstyle\sum_i a_i\,h_{ic}", slack=64.0)
    return None

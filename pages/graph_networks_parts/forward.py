"""The four graph networks once more, in numpy: what every number of them can be checked against.

`forward` gives the taps of models/graph/{message_passing,gcn,graphsage,gat}.py under the same names, in the precision
of `x`. It serves two ends: numbers on the page are worked out again in float64 beside the engine's, and a moment of a
recorded training is still shown where there is no PyTorch to run its weights. Weights carry the names of the
state dict. Where a sentence of a paper stands behind a line, it is written in the model's own file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from models.graph.graph import Graph
from models.neighbours import Sample

Arrays = Mapping[str, np.ndarray]
Config = Mapping[str, Any]
NETS = ("message_passing", "gcn", "graphsage", "gat")


@dataclass(frozen=True, eq=False)
class Edges:
    """Messages run from source to target: int64 (E,) each, weight float64 (E,), between `count` nodes."""

    source: np.ndarray
    target: np.ndarray
    weight: np.ndarray
    count: int

    @classmethod
    def of(cls, graph: Graph) -> Edges:
        """The edges of a graph; an undirected one lists each from both ends."""
        return cls(graph.row, graph.indices, graph.data, graph.count)

    def arriving(self, node: int) -> np.ndarray:
        """int64: the numbers of the edges that end at a node."""
        return np.flatnonzero(self.target == node)

    def looped(self, weight: np.ndarray) -> Edges:
        """These edges, then a loop at every node with the given weights (N,)."""
        node = np.arange(self.count)
        return Edges(
            np.concatenate([self.source, node]),
            np.concatenate([self.target, node]),
            np.concatenate([self.weight, weight]),
            self.count,
        )


def sum_at(messages: np.ndarray, target: np.ndarray, count: int) -> np.ndarray:
    """(count, …): the sum of the messages (E, …) that arrive at each node."""
    flat = messages.reshape(len(messages), int(np.prod(messages.shape[1:], dtype=np.int64)))
    columns = [np.bincount(target, weights=column, minlength=count) for column in flat.T]
    out = np.stack(columns, axis=1) if columns else np.zeros((count, 0))
    return out.reshape(count, *messages.shape[1:]).astype(messages.dtype)


def softmax_at(scores: np.ndarray, target: np.ndarray, count: int) -> np.ndarray:
    """(E, heads): exp(score) over the sum of it at the same target; a score of -inf gives 0."""
    largest = np.full((count, scores.shape[1]), -np.inf, scores.dtype)
    np.maximum.at(largest, target, scores)
    power = np.exp(scores - largest[target])
    return power / sum_at(power, target, count)[target]


def sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.where(x >= 0, 1, np.exp(-np.abs(x))) / (1 + np.exp(-np.abs(x))), x.dtype)


def elu(x: np.ndarray) -> np.ndarray:
    return np.asarray(np.where(x > 0, x, np.expm1(np.minimum(x, 0))), x.dtype)


def softmax(x: np.ndarray) -> np.ndarray:
    """Over the last axis."""
    power = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(power / power.sum(-1, keepdims=True))


# ---------------------------------------------------------------- the edges of GCN and GAT


def gcn_edges(edges: Edges, loops: str = "keep") -> Edges:
    """A~: the edges as they are, then a loop at every node; with "keep" it weighs 0 where there was one."""
    added = np.ones(edges.count)
    if loops == "keep":
        own = edges.source == edges.target
        added = (np.bincount(edges.target[own], minlength=edges.count) == 0).astype(np.float64)
    return edges.looped(added)


def degrees(edges: Edges) -> np.ndarray:
    """float64 (N,): the weight that arrives at each node, the diagonal of D (of D~ where the edges have loops)."""
    return np.bincount(edges.target, weights=edges.weight, minlength=edges.count)


def normalised(edges: Edges) -> np.ndarray:
    """float64 (E,): a_ij / sqrt(d_i d_j), 0 where a degree is 0."""
    degree = degrees(edges)
    root = np.zeros(edges.count)
    np.divide(1.0, np.sqrt(degree), out=root, where=degree > 0)
    return root[edges.target] * edges.weight * root[edges.source]


def gat_edges(edges: Edges) -> tuple[Edges, np.ndarray]:
    """The edges, then each node's own loop, and which are left out (E + N,): the loops that were listed."""
    listed = edges.source == edges.target
    others = (~listed).astype(np.float64)
    degree = np.bincount(edges.target, weights=others, minlength=edges.count)
    own = np.bincount(edges.target, weights=edges.weight * others, minlength=edges.count)
    looped = edges.looped(own / np.maximum(degree, 1))
    return looped, np.concatenate([listed, np.zeros(edges.count, bool)])


def matrix(edges: Edges, values: np.ndarray) -> np.ndarray:
    """float64 (N, N): row i holds what stands on the edges that arrive at i. For small graphs."""
    table = np.zeros((edges.count, edges.count))
    np.add.at(table, (edges.target, edges.source), values)
    return table


# ---------------------------------------------------------------- the four nets


def forward(net: str, config: Config, state: Arrays, x: np.ndarray, edges: Edges) -> dict[str, np.ndarray]:
    """Every tap of the net in the precision of x (N, F); "logits" (N, C) is the last."""
    weights = {name: value.astype(x.dtype) for name, value in state.items()}
    run = {"message_passing": _mpnn, "gcn": _gcn, "graphsage": _sage, "gat": _gat}[net]
    return run(config, weights, x, edges)


def linear(state: Arrays, name: str, x: np.ndarray) -> np.ndarray:
    """x W^T + b, where there is a b."""
    out = x @ state[f"{name}.weight"].T
    return out + state[f"{name}.bias"] if f"{name}.bias" in state else out


def _gcn(config: Config, state: Arrays, x: np.ndarray, edges: Edges) -> dict[str, np.ndarray]:
    looped = gcn_edges(edges, config.get("loops", "keep"))
    norm = normalised(looped).astype(x.dtype)
    taps, h, last = {"norm": norm}, x, config["layers"] - 1
    for k in range(config["layers"]):
        transformed = linear(state, f"layers.{k}.linear", h)
        messages = transformed[looped.source] * norm[:, None]
        total = sum_at(messages, looped.target, edges.count) + state[f"layers.{k}.bias"]
        h = total if k == last else np.maximum(total, 0)
        taps |= {f"layers.{k}.transformed": transformed, f"layers.{k}.messages": messages}
        taps["logits" if k == last else f"layers.{k}.out"] = h
    return taps


def gat_scores(
    config: Config, state: Arrays, k: int, h: np.ndarray, edges: Edges
) -> tuple[np.ndarray, np.ndarray]:
    """W h (N, heads, C) and e (M, heads) of layer k for any edges; see models/graph/gat.py."""
    name, slope = f"layers.{k}.scores", config.get("slope", 0.2)
    attend = state[f"{name}.attend" if config["version"] == 2 else f"{name}.attend_source"]
    heads, channels = attend.shape
    values = linear(state, f"{name}.linear", h).reshape(-1, heads, channels)
    weight = edges.weight.astype(h.dtype)
    if config["version"] == 1:
        scores = (values * state[f"{name}.attend_target"]).sum(-1)[edges.target]
        scores = scores + (values * attend).sum(-1)[edges.source]
        if f"{name}.attend_edge" in state:
            scores = scores + weight[:, None] * state[f"{name}.attend_edge"]
        return values, np.where(scores > 0, scores, slope * scores)
    asked = linear(state, f"{name}.target_linear", h).reshape(-1, heads, channels)
    pairs = asked[edges.target] + values[edges.source]
    if f"{name}.edge" in state:
        pairs = pairs + weight[:, None, None] * state[f"{name}.edge"]
    return values, (np.where(pairs > 0, pairs, slope * pairs) * attend).sum(-1)


def _gat(config: Config, state: Arrays, x: np.ndarray, edges: Edges) -> dict[str, np.ndarray]:
    looped, left_out = gat_edges(edges)
    taps: dict[str, np.ndarray] = {}
    h, last = x, config["layers"] - 1
    for k in range(config["layers"]):
        values, scores = gat_scores(config, state, k, h, looped)
        masked = np.where(left_out[:, None], -np.inf, scores).astype(h.dtype)
        weights = softmax_at(masked, looped.target, edges.count)
        messages = values[looped.source] * weights[:, :, None]
        total, bias = sum_at(messages, looped.target, edges.count), state[f"layers.{k}.bias"]
        h = total.mean(1) + bias if k == last else elu(total.reshape(edges.count, -1) + bias)
        taps |= {f"layers.{k}.values": values, f"layers.{k}.scores": scores}
        taps |= {f"layers.{k}.weights": weights, f"layers.{k}.messages": messages}
        taps["logits" if k == last else f"layers.{k}.out"] = h
    return taps


def lstm_step(
    state: Arrays, name: str, x: np.ndarray, hidden: np.ndarray, cell: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """One step of an LSTM cell, (n, F) each: the new state and cell. Gates in PyTorch's order i, f, g, o."""
    gates = x @ state[f"{name}.weight_ih"].T + state[f"{name}.bias_ih"]
    gates = gates + hidden @ state[f"{name}.weight_hh"].T + state[f"{name}.bias_hh"]
    i, f, g, o = np.split(gates, 4, axis=1)
    cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(cell), cell


def gru_gates(
    state: Arrays, name: str, m: np.ndarray, h: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gates r and z and the candidate n of a GRU cell with input m and state h, (N, F) each."""
    a = m @ state[f"{name}.weight_ih"].T + state[f"{name}.bias_ih"]
    b = h @ state[f"{name}.weight_hh"].T + state[f"{name}.bias_hh"]
    (ar, az, an), (br, bz, bn) = np.split(a, 3, axis=1), np.split(b, 3, axis=1)
    r, z = sigmoid(ar + br), sigmoid(az + bz)
    return r, z, np.tanh(an + r * bn)


def lstm_states(config: Config, state: Arrays, k: int, h: np.ndarray) -> np.ndarray:
    """(n, F): the state of the aggregating LSTM of layer k after each of the neighbours h (n, F), in their order."""
    hidden = cell = np.zeros((1, h.shape[1]), h.dtype)
    states = []
    for row in h[: config.get("most", 25)]:
        hidden, cell = lstm_step(state, f"layers.{k}.aggregate.cell", row[None], hidden, cell)
        states.append(hidden[0])
    return np.stack(states) if states else np.zeros((0, h.shape[1]), h.dtype)


def _aggregate(config: Config, state: Arrays, k: int, h: np.ndarray, edges: Edges) -> np.ndarray:
    """(count, F): the summary of the neighbours of each of the first `edges.count` nodes."""
    kind, count = config["aggregator"], edges.count
    degree = np.bincount(edges.target, minlength=count)
    if kind == "mean":
        total = sum_at(h[edges.source], edges.target, count)
        return np.asarray(total / np.maximum(degree, 1)[:, None].astype(h.dtype))
    if kind == "max":
        seen = np.maximum(linear(state, f"layers.{k}.aggregate.linear", h), 0)
        out = np.zeros((count, h.shape[1]), h.dtype)
        np.maximum.at(out, edges.target, seen[edges.source])
        return out
    order = np.argsort(edges.target, kind="stable")
    first = np.cumsum(degree) - degree
    hidden = cell = np.zeros((count, h.shape[1]), h.dtype)
    for step in range(min(config.get("most", 25), int(degree.max(initial=0)))):
        there = np.flatnonzero(step < degree)
        read = h[edges.source[order[first[there] + step]]]
        new, inner = lstm_step(state, f"layers.{k}.aggregate.cell", read, hidden[there], cell[there])
        hidden, cell = hidden.copy(), cell.copy()
        hidden[there], cell[there] = new, inner
    return hidden


def _sage_layer(
    config: Config, state: Arrays, k: int, h: np.ndarray, edges: Edges
) -> tuple[np.ndarray, np.ndarray]:
    """What layer k makes of the first `edges.count` nodes: the summary of their neighbours, and their new h."""
    aggregated = _aggregate(config, state, k, h, edges)
    out = linear(state, f"layers.{k}.self_linear", h[: edges.count])
    out = out + linear(state, f"layers.{k}.neighbour_linear", aggregated)
    if k < config["layers"] - 1:
        out = np.maximum(out, 0)
    if config.get("normalise", True):
        out = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-12)
    return aggregated, out


def _sage(config: Config, state: Arrays, x: np.ndarray, edges: Edges) -> dict[str, np.ndarray]:
    taps: dict[str, np.ndarray] = {}
    h = x
    for k in range(config["layers"]):
        aggregated, h = _sage_layer(config, state, k, h, edges)
        taps |= {f"layers.{k}.aggregated": aggregated, f"layers.{k}.out": h}
    return taps | {"logits": linear(state, "head", h)}


def sampled_embedding(config: Config, state: Arrays, x: np.ndarray, drawn: Sample) -> np.ndarray:
    """(count, hidden): GraphSAGE's embedding of the wanted nodes of a sample. x: (N, F), of the whole graph."""
    h = x[drawn.nodes]
    for k, hop in enumerate(drawn.hops):
        _, h = _sage_layer(
            config, state, k, h, Edges(hop.source, hop.target, np.ones(len(hop.source)), hop.count)
        )
    return h


def edge_matrices(state: Arrays, k: int, weight: np.ndarray, hidden: int) -> np.ndarray:
    """(E, F, F): A(e_ij) of layer k for edges of these weights (E,)."""
    name = f"layers.{k}.message.edge"
    inner = np.maximum(linear(state, f"{name}.0", weight[:, None]), 0)
    return linear(state, f"{name}.2", inner).reshape(-1, hidden, hidden)


def _mpnn(config: Config, state: Arrays, x: np.ndarray, edges: Edges) -> dict[str, np.ndarray]:
    h = linear(state, "encode", x)
    taps, weight = {"encoded": h}, edges.weight.astype(x.dtype)
    for k in range(config["layers"]):
        if config["form"] == "linear":
            messages = weight[:, None] * linear(state, f"layers.{k}.message.linear", h)[edges.source]
        else:
            kinds, which = np.unique(weight, return_inverse=True)  # edges of one weight share their matrix
            matrices = edge_matrices(state, k, kinds, h.shape[1])
            messages = np.empty((len(weight), h.shape[1]), h.dtype)
            for number in range(len(kinds)):
                chosen = np.flatnonzero(which == number)
                messages[chosen] = h[edges.source[chosen]] @ matrices[number]
        gathered = sum_at(messages, edges.target, edges.count)
        if config["form"] == "linear":
            h = np.maximum(linear(state, f"layers.{k}.update.linear", h) + gathered, 0)
        else:
            _, z, n = gru_gates(state, f"layers.{k}.update.cell", gathered, h)
            h = (1 - z) * n + z * h
        taps |= {f"layers.{k}.messages": messages, f"layers.{k}.gathered": gathered, f"layers.{k}.out": h}
    taps["readout"] = readout(config, state, h)[0]
    return taps | {"logits": linear(state, "head", h)}


def readout(config: Config, state: Arrays, h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What an MPNN says of the whole graph, (F,) or (2F,), and how much of it each node gives (N,)."""
    if config.get("readout", "sum") == "sum":
        return h.sum(0), np.ones(len(h))
    hidden = cell = np.zeros((1, h.shape[1]), h.dtype)
    seen, share = np.zeros((1, 2 * h.shape[1]), h.dtype), np.zeros(len(h))
    for _ in range(config.get("looks", 3)):
        hidden, cell = lstm_step(state, "readout.cell", seen, hidden, cell)
        share = softmax(h @ hidden[0])
        seen = np.concatenate([hidden, (share @ h)[None]], axis=1)
    return seen[0], share

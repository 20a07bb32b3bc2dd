"""What every reader of graph files shares: the refusal, cells of text, and the builder that makes the graph."""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

import numpy as np

from app.settings import settings
from models.graph.graph import Graph

LONGEST_NAME = 500  # characters of a node's name
LONGEST_QUOTE = 40  # characters of the file that a sentence repeats
MOST_LABELS = 50  # different values that still make an attribute a label


class BadGraph(ValueError):
    """A file that is not taken. `reason` is a message id, `details` the numbers and names in its sentence."""

    def __init__(self, reason: str, **details: object):
        super().__init__(f"{reason}: {details}" if details else reason)
        self.reason, self.details = reason, details


@dataclass(frozen=True)
class Note:
    """Something the reader should know about the file: a message id and what stands in its sentence."""

    id: str
    details: Mapping[str, object] = field(default_factory=dict)


def quote(value: object) -> str:
    """A piece of the file for a sentence."""
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def tidy(name: str) -> str:
    return name.strip().encode("utf-8", "replace").decode()


def number_in(text: str) -> float | None:
    """A finite number, or None. Python's own extras ("1_000", "nan") are none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


class Builder:
    """Collects nodes and edges from any reader and makes the graph."""

    def __init__(self, directed: bool | None) -> None:
        self.directed = directed
        self.most_nodes = int(settings().max_graph_nodes)
        self.most_edges = int(settings().max_graph_edges)
        self.index: dict[str, int] = {}
        self.titles: dict[str, dict[int, str]] = {}  # names to show, by the attribute they come from
        self.attributes: dict[str, dict[int, str]] = {}
        self.ends = array("q")
        self.weights = array("d")
        self.one_way = array("b")  # 1 directed, 0 undirected, -1 not said
        self.says_direction = False
        self.zero = 0
        self.notes: list[Note] = []

    def node(self, name: str) -> int:
        """The number of a node, new or known."""
        found = self.index.get(name)
        if found is None:
            name = tidy(name)
            if not name:
                raise BadGraph("graph.empty_name")
            if len(name) > LONGEST_NAME:
                raise BadGraph("graph.long_name", name=quote(name), limit=LONGEST_NAME)
            found = self.index.setdefault(name, len(self.index))
            if len(self.index) > self.most_nodes:
                raise BadGraph("graph.too_many_nodes", limit=f"{self.most_nodes:,}")
        return found

    def new_node(self, name: str) -> int:
        """A node that a file declares: twice is a mistake."""
        before = len(self.index)
        number = self.node(name)
        if number != before:
            raise BadGraph("graph.twice", name=quote(name))
        return number

    def known(self, name: str) -> int:
        """The node that an edge ends at, where the file has declared its nodes."""
        found = self.index.get(name)
        if found is None:
            found = self.index.get(tidy(name))
        if found is None:
            raise BadGraph("graph.unknown_node", name=quote(name))
        return found

    def attribute(self, node: int, title: str, value: str) -> None:
        self.attributes.setdefault(title, {})[node] = value.strip()

    def edge(self, source: int, target: int, weight: float = 1.0, one_way: int = -1) -> None:
        if weight == 0:
            self.zero += 1
            return
        if len(self.weights) >= 2 * self.most_edges:  # a list may name each edge from both ends
            self.too_many_edges()
        self.ends.append(source)
        self.ends.append(target)
        self.weights.append(weight)
        self.one_way.append(one_way)

    def weight(self, text: str, line: int | None = None) -> float:
        """A weight as the file writes it. Raises BadGraph where it is no number or negative."""
        value = number_in(text)
        if value is not None and value >= 0:
            return value
        quoted, negative = quote(text), value is not None
        if line is None:
            raise BadGraph("graph.negative_weight" if negative else "graph.bad_weight", value=quoted)
        reason = "graph.negative_weight_in_line" if negative else "graph.bad_weight_in_line"
        raise BadGraph(reason, value=quoted, line=f"{line:,}")

    def too_many_edges(self) -> NoReturn:
        raise BadGraph("graph.too_many_edges", limit=f"{self.most_edges:,}")

    def build(self) -> tuple[Graph, tuple[Note, ...]]:
        if not self.index:
            raise BadGraph("graph.no_nodes")
        source, target = np.array(self.ends, dtype=np.int64).reshape(-1, 2).T
        weight = np.array(self.weights)
        one_way = np.array(self.one_way)
        if not np.any(source != target):
            raise BadGraph("graph.no_edges", nodes=f"{len(self.index):,}")
        self.says_direction = bool(np.all(one_way >= 0))
        one_way[one_way < 0] = bool(self.directed)
        directed = bool(one_way.any())
        if directed and not one_way.all():  # both kinds: an undirected edge leads both ways
            both = np.flatnonzero((one_way == 0) & (source != target))
            source, target = np.append(source, target[both]), np.append(target, source[both])
            weight = np.append(weight, weight[both])
            self.notes.append(Note("graph.note.mixed"))
        given = len(source)
        with np.errstate(over="ignore"):
            try:
                graph = Graph.of(source, target, weight, names=self._names(), directed=directed)
            except ValueError:  # finite weights whose sum is not
                raise BadGraph("graph.huge_weights") from None
        if graph.edges > self.most_edges:
            self.too_many_edges()
        counts = {
            "graph.note.zero": self.zero,
            "graph.note.merged": given - graph.edges,
            "graph.note.loops": int(np.count_nonzero(graph.source == graph.target)),
            "graph.note.isolated": int(np.count_nonzero(_touched(graph) == 0)),
        }
        notes = [Note(name, {"n": f"{n:,}"}) for name, n in counts.items() if n]
        return graph, tuple(self.notes + notes)

    def _names(self) -> list[str]:
        """What the nodes are called: a declared title that all have and that is unique, else their ids."""
        for title in ("label", "name"):
            shown = self.titles.get(title) or self.attributes.get(title, {})
            values = [tidy(shown.get(v, "")) for v in range(len(self.index))]
            if all(0 < len(value) <= LONGEST_NAME for value in values) and len(set(values)) == len(values):
                return values
        return list(self.index)

    def label_candidates(self) -> dict[str, tuple[str, ...]]:
        return candidates(self.attributes, len(self.index))


def _touched(graph: Graph) -> np.ndarray:
    """int64 (N,): how many edges end at each node, from either side."""
    return np.bincount(graph.source, minlength=graph.count) + np.bincount(graph.target, minlength=graph.count)


def candidates(attributes: Mapping[str, Mapping[int, str]], count: int) -> dict[str, tuple[str, ...]]:
    """The attributes with few enough different values to be labels."""
    found = {}
    for title, values in attributes.items():
        different = {tidy(value) for value in values.values()} - {""}
        if 2 <= len(different) <= MOST_LABELS and len(different) < count:
            found[tidy(title)] = tuple(tidy(values.get(v, "")) for v in range(count))
    return found

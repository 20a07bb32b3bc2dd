"""Graph files in, `Graph` out. numpy and the standard library only.

Read are edge lists and adjacency matrices as text (comma, semicolon, tab or blanks between the columns; with or
without a header), GraphML, GEXF and JSON (node-link, or a list of pairs). What a file is, its content tells, never
its name. Everything that cannot be read is answered with a BadGraph whose reason is a message id.

What becomes of odd graphs: self-loops and isolated nodes stay, parallel edges are one with the sum of their weights,
edges of weight 0 are left out, directions are kept where the file states them. Negative weights are refused.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn
from xml.parsers import expat

import numpy as np

from app.settings import settings
from models.graph.graph import NONE, Graph

LONGEST_NAME = 500  # characters of a node's name
LONGEST_QUOTE = 40  # characters of the file that a sentence repeats
MOST_LABELS = 50  # different values that still make an attribute a label
PREFERRED = ("label", "class", "club", "group", "community", "category", "type", "modularity_class", "role")

SOURCES = frozenset({"source", "src", "from", "start", "node1", "node_1", "u", "head", "id1", "fromnodeid"})
TARGETS = frozenset({"target", "dst", "dest", "to", "end", "node2", "node_2", "v", "tail", "id2", "tonodeid"})
WEIGHTS = frozenset({"weight", "w", "value", "count", "strength"})
NOT_READ = (  # (bytes at the start, what the file is)
    (b"PK\x03\x04", "ZIP, XLSX"),
    (b"\x1f\x8b", "GZIP"),
    (b"BZh", "BZIP2"),
    (b"\xfd7zXZ", "XZ"),
    (b"%PDF", "PDF"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"\xd0\xcf\x11\xe0", "XLS"),
)


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


@dataclass(frozen=True, eq=False)
class GraphFile:
    """A file that was read.

    kind: "edges", "matrix", "graphml", "gexf" or "json". attributes: the node attributes that can serve as labels, each
    with N values ("" where a node has none). label: the one in use, "" for none. sha: SHA-256 of the file.
    """

    graph: Graph
    kind: str
    attributes: Mapping[str, tuple[str, ...]]
    label: str
    notes: tuple[Note, ...]
    sha: str
    says_direction: bool = False  # whether the file itself says that its edges are directed or not


def read(data: bytes, *, directed: bool | None = None) -> GraphFile:
    """Read a graph file. directed: how to take edges that do not say so themselves (None: as undirected).

    Raises BadGraph, and nothing else, where the file is empty, too large (bytes, nodes, edges), no graph, of a kind
    that is not read, damaged, or has weights that are no positive numbers.
    """
    text = _text(data)
    start = text.lstrip()[:1]
    builder = _Builder(directed)
    try:
        if start == "<":
            kind = _read_xml(text, builder)
        elif start and start in "{[":
            kind = _read_json(text, builder)
        else:
            kind = _read_table(text, builder)
        graph, notes = builder.build()
    except MemoryError:
        raise BadGraph("graph.out_of_memory") from None
    attributes = builder.label_candidates()
    digest = hashlib.sha256(data).hexdigest()
    found = GraphFile(graph, kind, attributes, "", notes, digest, builder.says_direction)
    return labelled(found, _preferred(attributes))


def labelled(file: GraphFile, attribute: str) -> GraphFile:
    """The same file with another attribute as the labels of its nodes; "" takes them away."""
    if not attribute:
        return replace(file, graph=file.graph.with_labels(None), label="")
    values = file.attributes[attribute]
    names = sorted({value for value in values if value}, key=_natural)
    number = {name: k for k, name in enumerate(names)} | {"": NONE}
    labels = np.array([number[value] for value in values], dtype=np.int64)
    return replace(file, graph=file.graph.with_labels(labels, names), label=attribute)


def with_node_table(file: GraphFile, data: bytes) -> GraphFile:
    """The file with attributes from a second one: a table whose first column names nodes, with a header.

    Nodes that the table leaves out have no label. Raises BadGraph where nothing in it fits.
    """
    rows = _rows(_text(data), _separator(_text(data)))
    first = next(rows, None)
    if first is None or len(first[1]) < 2:
        raise BadGraph("graph.table.columns")
    titles = [title.strip() or str(k + 1) for k, title in enumerate(first[1])]
    index = {name: v for v, name in enumerate(file.graph.names)}
    found: dict[str, dict[int, str]] = {title: {} for title in titles[1:]}
    unknown = 0
    if first[1][0].strip() in index:  # no header: the very first row names a node
        rows = iter([first, *rows])
        found = {f"{k + 1}": {} for k in range(1, len(titles))}
    for _, cells in rows:
        node = index.get(_tidy(cells[0]))
        if node is None:
            unknown += 1
            continue
        for title, cell in zip(found, cells[1:], strict=False):
            found[title][node] = cell.strip()
    attributes = _candidates(found, file.graph.count)
    if not attributes:
        raise BadGraph("graph.table.nothing", unknown=unknown)
    notes = file.notes + ((Note("graph.note.table_unknown", {"n": unknown}),) if unknown else ())
    merged = {**file.attributes, **attributes}
    return labelled(replace(file, attributes=merged, notes=notes), _preferred(attributes))


# ---------------------------------------------------------------- bytes and cells


def _text(data: bytes) -> str:
    limit = settings().max_upload_mb
    if len(data) > limit * 1e6:
        raise BadGraph("graph.too_many_bytes", megabytes=f"{len(data) / 1e6:.3g}", limit=f"{limit:.3g}")
    if not data.strip():
        raise BadGraph("graph.empty_file")
    for magic, kind in NOT_READ:
        if data.startswith(magic):
            raise BadGraph("graph.not_read", kind=kind)
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError:
        start = data[:4096]
        binary = b"\0" in start or sum(c < 9 or 13 < c < 32 for c in start) > len(start) / 50
        raise BadGraph("graph.not_a_graph" if binary else "graph.not_utf8") from None
    if "\0" in text:
        raise BadGraph("graph.not_a_graph")
    return text


def _quote(value: object) -> str:
    """A piece of the file for a sentence."""
    text = " ".join(str(value).split())
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"


def _tidy(name: str) -> str:
    return name.strip().encode("utf-8", "replace").decode()


def _natural(name: str) -> tuple[Any, ...]:
    """Sorts "2" before "10" and numbers before words."""
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, name)


def _number(text: str) -> float | None:
    """A finite number, or None. Python's own extras ("1_000", "nan") are none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) and "_" not in text else None


class _Builder:
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
            name = _tidy(name)
            if not name:
                raise BadGraph("graph.empty_name")
            if len(name) > LONGEST_NAME:
                raise BadGraph("graph.long_name", name=_quote(name), limit=LONGEST_NAME)
            found = self.index.setdefault(name, len(self.index))
            if len(self.index) > self.most_nodes:
                raise BadGraph("graph.too_many_nodes", limit=f"{self.most_nodes:,}")
        return found

    def new_node(self, name: str) -> int:
        """A node that a file declares: twice is a mistake."""
        before = len(self.index)
        number = self.node(name)
        if number != before:
            raise BadGraph("graph.twice", name=_quote(name))
        return number

    def known(self, name: str) -> int:
        """The node that an edge ends at, where the file has declared its nodes."""
        found = self.index.get(name)
        if found is None:
            found = self.index.get(_tidy(name))
        if found is None:
            raise BadGraph("graph.unknown_node", name=_quote(name))
        return found

    def attribute(self, node: int, title: str, value: str) -> None:
        self.attributes.setdefault(title, {})[node] = value.strip()

    def edge(self, source: int, target: int, weight: float = 1.0, one_way: int = -1) -> None:
        if weight == 0:
            self.zero += 1
            return
        if len(self.weights) >= 2 * self.most_edges:  # a list may name each edge from both ends
            self._too_many_edges()
        self.ends.append(source)
        self.ends.append(target)
        self.weights.append(weight)
        self.one_way.append(one_way)

    def weight(self, text: str, line: int | None = None) -> float:
        """A weight as the file writes it. Raises BadGraph where it is no number or negative."""
        value = _number(text)
        if value is not None and value >= 0:
            return value
        quoted, negative = _quote(text), value is not None
        if line is None:
            raise BadGraph("graph.negative_weight" if negative else "graph.bad_weight", value=quoted)
        reason = "graph.negative_weight_in_line" if negative else "graph.bad_weight_in_line"
        raise BadGraph(reason, value=quoted, line=f"{line:,}")

    def _too_many_edges(self) -> NoReturn:
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
            self._too_many_edges()
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
            values = [_tidy(shown.get(v, "")) for v in range(len(self.index))]
            if all(0 < len(value) <= LONGEST_NAME for value in values) and len(set(values)) == len(values):
                return values
        return list(self.index)

    def label_candidates(self) -> dict[str, tuple[str, ...]]:
        return _candidates(self.attributes, len(self.index))


def _touched(graph: Graph) -> np.ndarray:
    """int64 (N,): how many edges end at each node, from either side."""
    return np.bincount(graph.source, minlength=graph.count) + np.bincount(graph.target, minlength=graph.count)


def _candidates(attributes: Mapping[str, Mapping[int, str]], count: int) -> dict[str, tuple[str, ...]]:
    """The attributes with few enough different values to be labels."""
    found = {}
    for title, values in attributes.items():
        different = {_tidy(value) for value in values.values()} - {""}
        if 2 <= len(different) <= MOST_LABELS and len(different) < count:
            found[_tidy(title)] = tuple(_tidy(values.get(v, "")) for v in range(count))
    return found


def _preferred(attributes: Mapping[str, object]) -> str:
    by_name = {title.lower(): title for title in attributes}
    for name in PREFERRED:
        if name in by_name:
            return by_name[name]
    return next(iter(attributes), "")


# ---------------------------------------------------------------- tables: edge lists and matrices


def _separator(text: str) -> str:
    """What stands between the columns: the candidate that splits the first lines into the same number of cells."""
    lines = [line for _, line in zip(range(20), _lines(text), strict=False)]
    for mark in ("\t", ",", ";", "|"):
        counts = {line.count(mark) for line in lines}
        if len(counts) == 1 and counts != {0}:
            return mark
    present = [mark for mark in ("\t", ";", ",") if lines and mark in lines[0]]
    return present[0] if present else " "


def _lines(text: str) -> Iterator[str]:
    """The lines that say something: no blank ones, no remarks (# and % as in SNAP's and KONECT's files)."""
    for line in io.StringIO(text):
        if (bare := line.strip()) and bare[0] not in "#%":
            yield line.rstrip("\r\n")


def _rows(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """(line number, cells) for each row that says something."""
    if separator == " ":
        for number, line in enumerate(io.StringIO(text), 1):
            if (cells := line.split()) and cells[0][0] not in "#%":
                yield number, cells
        return
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error:
            raise BadGraph("graph.damaged_line", line=f"{reader.line_num:,}") from None
        if (
            any(cells)
            and any(cell.strip() for cell in cells)
            and not cells[0].lstrip().startswith(("#", "%"))
        ):
            yield reader.line_num, cells


def _read_table(text: str, builder: _Builder) -> str:
    separator = _separator(text)
    head = [row for row, _ in zip(_rows(text, separator), range(50), strict=False)]
    if not head:
        raise BadGraph("graph.no_nodes")
    form = _matrix_form(text, head)
    if form:
        _read_matrix(text, separator, form == "named", builder)
        return "matrix"
    _read_edges(_rows(text, separator), separator, head, builder)
    return "edges"


@dataclass(frozen=True)
class _Columns:
    """Where in a row of an edge list what stands. pairs: node attributes as (title, column of source, of target)."""

    header: bool
    source: int = 0
    target: int = 1
    weight: int | None = None
    kind: int | None = None
    sure: bool = False  # whether the header itself names the weight
    pairs: tuple[tuple[str, int, int], ...] = ()
    ignored: tuple[str, ...] = ()


def _columns(head: Sequence[tuple[int, list[str]]], separator: str) -> _Columns:
    first = [cell.strip() for cell in head[0][1]]
    words = [cell.lower().lstrip("#") for cell in first]
    rest = [cells for _, cells in head[1:]]
    width = len(first)

    def of(names: frozenset[str]) -> int | None:
        return next((k for k, word in enumerate(words) if word in names), None)

    source, target, weight, kind = of(SOURCES), of(TARGETS), of(WEIGHTS), of(frozenset({"type"}))
    named = source is not None and target is not None and source != target
    if not named:
        source, target, kind = 0, 1, None
        weight = weight if weight is not None and weight >= 2 else None

    def numeric(column: int, rows: Iterable[list[str]]) -> bool:
        cells = [cells[column] for cells in rows if column < len(cells)]
        return bool(cells) and all(_number(_decimal(cell, separator)) is not None for cell in cells)

    header = (
        named
        or weight is not None
        or (width > 2 and numeric(2, rest) and not numeric(2, [first]))
        or (numeric(0, rest) and numeric(1, rest) and not numeric(0, [first]) and not numeric(1, [first]))
    )
    sure = header and weight is not None
    if weight is None and width > 2 and not named:
        rows = rest if header else [first, *rest]
        cells = [row[2] for row in rows if len(row) > 2]
        weight = 2 if any(_number(_decimal(cell, separator)) is not None for cell in cells) else None
    pairs = _attribute_pairs(words, first) if named else ()
    used = {source, target, weight, kind} | {k for _, a, b in pairs for k in (a, b)}
    ignored = tuple(first[k] if header else str(k + 1) for k in range(width) if k not in used)
    return _Columns(header, source or 0, 1 if target is None else target, weight, kind, sure, pairs, ignored)


def _attribute_pairs(words: Sequence[str], first: Sequence[str]) -> tuple[tuple[str, int, int], ...]:
    """Columns such as source_group and target_group: an attribute of the nodes at both ends."""
    found = []
    for k, word in enumerate(words):
        match = re.fullmatch(r"(?:source|from|src)[_ .-](.+)", word)
        if match:
            partner = [
                j
                for j, other in enumerate(words)
                if re.fullmatch(rf"(?:target|to|dst)[_ .-]{re.escape(match[1])}", other)
            ]
            if partner:
                found.append((match[1], k, partner[0]))
    return tuple(found)


def _decimal(cell: str, separator: str) -> str:
    """A number as a European spreadsheet writes it ("0,5") between semicolons."""
    return cell.replace(",", ".") if separator == ";" and cell.count(",") == 1 and "." not in cell else cell


def _read_edges(
    rows: Iterator[tuple[int, list[str]]],
    separator: str,
    head: Sequence[tuple[int, list[str]]],
    builder: _Builder,
) -> None:
    columns = _columns(head, separator)
    width = len(head[0][1])
    if width < 2 and not any(len(cells) > 1 for _, cells in head):
        raise BadGraph("graph.one_column")
    width = max(width, 2) if width > 1 else max(len(cells) for _, cells in head)
    if separator == " " and width > 2 and (columns.weight is None or width > 4) and not columns.sure:
        raise BadGraph("graph.prose")  # words with blanks between them
    if columns.header:
        next(rows)
    source, target, weight, kind = columns.source, columns.target, columns.weight, columns.kind
    for line, cells in rows:
        if len(cells) == 1 or (len(cells) <= width and not any(cell.strip() for cell in cells[1:])):
            builder.node(cells[0])  # a node on its own
            continue
        if len(cells) != width and not (len(cells) > width and not any(cells[width:])):
            raise BadGraph("graph.ragged", line=f"{line:,}", found=len(cells), expected=width)
        try:
            u, v = builder.node(cells[source]), builder.node(cells[target])
        except BadGraph as error:
            if error.reason == "graph.empty_name":
                raise BadGraph("graph.empty_name_in_line", line=f"{line:,}") from None
            raise
        w = 1.0 if weight is None else builder.weight(_decimal(cells[weight].strip(), separator), line)
        one_way = -1
        if kind is not None:
            one_way = {"directed": 1, "undirected": 0}.get(cells[kind].strip().lower(), -1)
        builder.edge(u, v, w, one_way)
        for title, at_source, at_target in columns.pairs:
            builder.attribute(u, title, cells[at_source])
            builder.attribute(v, title, cells[at_target])
    if columns.ignored:
        shown = ", ".join(_quote(name) for name in columns.ignored[:4])
        builder.notes.append(Note("graph.note.ignored", {"columns": shown}))


def _matrix_form(text: str, head: Sequence[tuple[int, list[str]]]) -> str:
    """Whether a table is an adjacency matrix: "named" where a header repeats the row names, "bare" for a square.

    Three bare columns and three rows are read as an edge list with weights: both would be possible.
    """
    first = [cell.strip() for cell in head[0][1]]
    names = [cells[0].strip() for _, cells in head[1:]]
    if len(names) >= 2 and len(first) > 2 and first[0] not in names:
        shown = first[1 : 1 + len(names)]
        if shown == names[: len(shown)]:
            return "named"
    if len(first) < 4 or any(cell and _number(cell) is None for cell in first):
        return ""
    square = all(len(cells) == len(first) for _, cells in head) and sum(1 for _ in _lines(text)) == len(first)
    return "bare" if square else ""


def _read_matrix(text: str, separator: str, named: bool, builder: _Builder) -> None:
    """Rows are where edges start. A symmetric matrix is an undirected graph, unless directed edges were asked for."""
    rows = _rows(text, separator)
    count = sum(1 for _ in _lines(text))
    names, extra = [str(v) for v in range(count)], [""][:0]
    if named:
        first, count = [cell.strip() for cell in next(rows)[1]], count - 1
        names, extra = first[1 : 1 + count], first[1 + count :]
    if len(names) != count:
        raise BadGraph("graph.not_square", rows=count, columns=len(names))
    for name in names:
        builder.new_node(name)
    matrix = np.zeros((count, count))  # no larger than the file, which has a cell for each
    for v, (line, cells) in enumerate(rows):
        if named:
            if v >= count or cells[0].strip() != names[v]:
                raise BadGraph("graph.matrix_names", line=f"{line:,}", found=_quote(cells[0]))
            cells = cells[1:]
        if v >= count or len(cells) != count + len(extra):
            raise BadGraph("graph.ragged", line=f"{line:,}", found=len(cells), expected=count + len(extra))
        for u, cell in enumerate(cells[:count]):
            if cell and cell != "0" and (cell := cell.strip()):
                matrix[v, u] = builder.weight(_decimal(cell, separator), line)
        for title, cell in zip(extra, cells[count:], strict=True):
            builder.attribute(v, title, cell)
    symmetric = np.array_equal(matrix, matrix.T)
    one_way = int(not symmetric) if builder.directed is None else int(builder.directed)
    if not one_way:  # each pair once; where the halves differ, their sum
        matrix = np.triu(matrix if symmetric else matrix + np.tril(matrix, -1).T)
    for u, v in np.argwhere(matrix):
        builder.edge(int(u), int(v), float(matrix[u, v]), one_way)


# ---------------------------------------------------------------- JSON


def _read_json(text: str, builder: _Builder) -> str:
    try:
        found = json.loads(text)
    except RecursionError:
        raise BadGraph("graph.json_form") from None
    except json.JSONDecodeError as error:
        raise BadGraph("graph.json_damaged", line=f"{error.lineno:,}") from None
    except ValueError:  # a number of thousands of digits
        raise BadGraph("graph.json_form") from None
    if isinstance(found, list):
        _json_pairs(found, builder)
        return "json"
    if isinstance(found.get("graph"), dict) and "nodes" in found["graph"]:
        found = found["graph"]
    if isinstance(found.get("elements"), dict):  # Cytoscape wraps each entry in "data"
        found = {**found, **found["elements"]}
    nodes, links = found.get("nodes"), found.get("links", found.get("edges"))
    if not isinstance(nodes, list) or not isinstance(links, list):
        raise BadGraph("graph.json_form")
    ids = _json_nodes(nodes, builder)
    directed = found.get("directed")
    one_way = int(directed) if isinstance(directed, bool) else -1
    for link in links:
        entry = _unwrapped(link)
        u, v = (_json_end(entry, name, ids, builder) for name in ("source", "target"))
        builder.edge(u, v, _json_weight(entry.get("weight", entry.get("value", 1)), builder), one_way)
    return "json"


def _unwrapped(entry: object) -> dict[str, Any]:
    if isinstance(entry, dict) and isinstance(entry.get("data"), dict):
        entry = entry["data"]
    if not isinstance(entry, dict):
        raise BadGraph("graph.json_form")
    return entry


def _word(value: object) -> str:
    """An id or attribute of a JSON file as text. Raises BadGraph for an object."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return str(value).lower() if value is not None else ""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else f"{value:.6e}" if abs(value) < 10**300 else ""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, list) and len(value) <= 8 and not any(isinstance(v, list | dict) for v in value):
        return "(" + ", ".join(_word(v) for v in value) + ")"  # networkx writes the nodes of a grid so
    raise BadGraph("graph.json_form")


def _json_nodes(nodes: list[Any], builder: _Builder) -> bool:
    """Take the nodes over; returns whether they have ids (otherwise links count them from 0)."""
    ids = False
    for k, node in enumerate(nodes):
        if not isinstance(node, dict):
            builder.new_node(_word(node))
            ids = True
            continue
        entry = _unwrapped(node)
        key = next((key for key in ("id", "key", "name") if key in entry), None)
        ids |= key in ("id", "key")
        number = builder.new_node(_word(entry[key]) if key else str(k))
        for title, value in entry.items():
            if title != key and isinstance(value, str | int | float | bool):
                builder.attribute(number, title, _word(value))
    return ids


def _json_end(entry: Mapping[str, Any], name: str, ids: bool, builder: _Builder) -> int:
    if name not in entry:
        raise BadGraph("graph.json_form")
    value = entry[name]
    if isinstance(value, dict):  # d3 writes the whole node here
        value = value.get("id", value.get("name"))
    if not ids and isinstance(value, int) and not isinstance(value, bool):
        if 0 <= value < len(builder.index):
            return value
        raise BadGraph("graph.unknown_node", name=_quote(value))
    return builder.known(_word(value))


def _json_weight(value: object, builder: _Builder) -> float:
    return builder.weight(_word(value) if not isinstance(value, float) else repr(value))


def _json_pairs(pairs: list[Any], builder: _Builder) -> None:
    """[["a", "b"], ["b", "c", 0.5], …]"""
    for pair in pairs:
        if not isinstance(pair, list) or not 2 <= len(pair) <= 3:
            raise BadGraph("graph.json_form")
        u, v = builder.node(_word(pair[0])), builder.node(_word(pair[1]))
        builder.edge(u, v, _json_weight(pair[2], builder) if len(pair) == 3 else 1.0)


# ---------------------------------------------------------------- XML: GraphML and GEXF


def _read_xml(text: str, builder: _Builder) -> str:
    """Either format in one pass. Entity declarations are refused: that is how a small file grows without end."""
    reader = _XmlReader(builder)
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = reader.entity
    try:
        parser.Parse(re.sub(r"^\s*<\?xml[^>]*\?>", "", text, count=1).encode("utf-8", "replace"), True)
    except expat.ExpatError as error:
        raise BadGraph("graph.xml_damaged", line=f"{error.lineno:,}") from None
    if not reader.kind:
        raise BadGraph("graph.xml_form", root=_quote(reader.root))
    return reader.finish()


class _XmlReader:
    """Handlers of one parse. Nodes inside nodes count as nodes; a second graph in the file is left out."""

    def __init__(self, builder: _Builder) -> None:
        self.builder = builder
        self.root = self.kind = ""
        self.graphs = self.depth = 0
        self.one_way = -1
        self.keys: dict[str, tuple[str, str]] = {}  # id -> (for what, name)
        self.defaults: dict[str, str] = {}
        self.nodes: list[int] = []  # the nodes that are open, innermost last
        self.edge: dict[str, str] | None = None
        self.edges: list[tuple[str, str, str, int]] = []  # ends may be declared later
        self.data: str | None = None  # key of the text that comes
        self.words: list[str] = []
        self.declared = ""  # key whose declaration is open: a default may follow
        self.attributes_of = ""

    def entity(self, *_: object) -> None:
        raise BadGraph("graph.xml_entities")

    def start(self, tag: str, values: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if not self.root:
            self.root = name
            self.kind = name if name in ("graphml", "gexf") else ""
            if not self.kind:
                raise BadGraph("graph.xml_form", root=_quote(name))
        if name == "graph":
            self.depth += 1
            self.graphs += self.depth == 1
            if self.depth == 1 and self.graphs == 1:
                said = values.get("edgedefault", values.get("defaultedgetype", "")).lower()
                self.one_way = {"directed": 1, "undirected": 0, "mutual": 0}.get(said, -1)
        elif name == "key":
            self.declared = values.get("id", "")
            self.keys[self.declared] = (values.get("for", "all"), values.get("attr.name", self.declared))
        elif name == "attributes":
            self.attributes_of = values.get("class", "node")
        elif name == "attribute":
            self.declared = values.get("id", "")
            self.keys[self.declared] = (self.attributes_of, values.get("title", self.declared))
        elif name == "default":
            self.data, self.words = self.declared, []
        elif self.graphs <= 1:
            self._inside(name, values)

    def _inside(self, name: str, values: dict[str, str]) -> None:
        if name == "node":
            number = self.builder.new_node(values.get("id", ""))
            self.nodes.append(number)
            if self.kind == "gexf" and "label" in values:
                self.builder.titles.setdefault("label", {})[number] = values["label"]
        elif name == "edge":
            self.edge = values
        elif name == "hyperedge":
            raise BadGraph("graph.hyperedges")
        elif name == "data":
            self.data, self.words = values.get("key", ""), []
        elif name == "attvalue":
            self._value(values.get("for", values.get("id", "")), values.get("value", ""))

    def text(self, words: str) -> None:
        if self.data is not None:
            self.words.append(words)

    def end(self, tag: str) -> None:
        name = tag.rpartition(" ")[2]
        if name == "graph":
            self.depth -= 1
        elif name == "data" and self.data is not None:
            self._value(self.data, "".join(self.words))
            self.data = None
        elif name == "default" and self.data is not None:
            self.defaults[self.data] = "".join(self.words)
            self.data = None
        elif name == "node" and self.nodes and self.graphs <= 1:
            self.nodes.pop()
        elif name == "edge" and self.edge is not None:
            values = self.edge
            said = values.get("directed", values.get("type", "")).lower()
            one_way = {"true": 1, "directed": 1, "false": 0, "undirected": 0, "mutual": 0}.get(
                said, self.one_way
            )
            ends = values.get("source", ""), values.get("target", "")
            if len(self.edges) >= 2 * self.builder.most_edges:
                self.builder._too_many_edges()
            self.edges.append((*ends, values.get("weight", ""), one_way))
            self.edge = None

    def _value(self, key: str, value: str) -> None:
        title = self.keys.get(key, ("", key))[1]
        if self.edge is not None:
            if title.lower() == "weight":
                self.edge["weight"] = value
        elif self.nodes and title:
            self.builder.attribute(self.nodes[-1], title, value)

    def finish(self) -> str:
        builder = self.builder
        usual = "1"
        for key, value in self.defaults.items():
            of, title = self.keys.get(key, ("", ""))
            if of in ("edge", "all") and title.lower() == "weight":
                usual = value
            if of in ("node", "all") and title:
                given = builder.attributes.setdefault(title, {})
                for node in range(len(builder.index)):
                    given.setdefault(node, value.strip())
        for source, target, weight, one_way in self.edges:
            w = builder.weight((weight or usual).strip())
            builder.edge(builder.known(source), builder.known(target), w, one_way)
        if self.graphs > 1:
            builder.notes.append(Note("graph.note.first_graph"))
        return self.kind

"""Graph files in, `Graph` out. numpy and the standard library only.

Read are edge lists and adjacency matrices as text (comma, semicolon, tab or blanks between the columns; with or
without a header), GraphML, GEXF and JSON (node-link, or a list of pairs). What a file is, its content tells, never
its name. Everything that cannot be read is answered with a BadGraph whose reason is a message id.

What becomes of odd graphs: self-loops and isolated nodes stay, parallel edges are one with the sum of their weights,
edges of weight 0 are left out, directions are kept where the file states them. Negative weights are refused.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.graph_files.build import BadGraph, Builder, Note, candidates, tidy
from app.graph_files.node_link import read_json
from app.graph_files.tables import read_table, rows_of, separator_of
from app.graph_files.xml import read_xml
from app.settings import settings
from models.graph.graph import NONE, Graph

__all__ = ["BadGraph", "GraphFile", "Note", "labelled", "read", "with_node_table"]

PREFERRED = ("label", "class", "club", "group", "community", "category", "type", "modularity_class", "role")
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
    text = text_of(data)
    start = text.lstrip()[:1]
    builder = Builder(directed)
    try:
        if start == "<":
            kind = read_xml(text, builder)
        elif start and start in "{[":
            kind = read_json(text, builder)
        else:
            kind = read_table(text, builder)
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
    rows = rows_of(text_of(data), separator_of(text_of(data)))
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
        node = index.get(tidy(cells[0]))
        if node is None:
            unknown += 1
            continue
        for title, cell in zip(found, cells[1:], strict=False):
            found[title][node] = cell.strip()
    attributes = candidates(found, file.graph.count)
    if not attributes:
        raise BadGraph("graph.table.nothing", unknown=unknown)
    notes = file.notes + ((Note("graph.note.table_unknown", {"n": unknown}),) if unknown else ())
    merged = {**file.attributes, **attributes}
    return labelled(replace(file, attributes=merged, notes=notes), _preferred(attributes))


def text_of(data: bytes) -> str:
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


def _natural(name: str) -> tuple[Any, ...]:
    """Sorts "2" before "10" and numbers before words."""
    try:
        return (0, float(name), name)
    except ValueError:
        return (1, name)


def _preferred(attributes: Mapping[str, object]) -> str:
    by_name = {title.lower(): title for title in attributes}
    for name in PREFERRED:
        if name in by_name:
            return by_name[name]
    return next(iter(attributes), "")

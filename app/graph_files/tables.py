"""Edge lists and adjacency matrices as text, with commas, semicolons, tabs or blanks between the columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.graph_files.build import BadGraph, Builder, Note, number_in, quote

SOURCES = frozenset({"source", "src", "from", "start", "node1", "node_1", "u", "head", "id1", "fromnodeid"})
TARGETS = frozenset({"target", "dst", "dest", "to", "end", "node2", "node_2", "v", "tail", "id2", "tonodeid"})
WEIGHTS = frozenset({"weight", "w", "value", "count", "strength"})


def separator_of(text: str) -> str:
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


def rows_of(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
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


def read_table(text: str, builder: Builder) -> str:
    separator = separator_of(text)
    head = [row for row, _ in zip(rows_of(text, separator), range(50), strict=False)]
    if not head:
        raise BadGraph("graph.no_nodes")
    form = _matrix_form(text, head)
    if form:
        _read_matrix(text, separator, form == "named", builder)
        return "matrix"
    _read_edges(rows_of(text, separator), separator, head, builder)
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
        return bool(cells) and all(number_in(_decimal(cell, separator)) is not None for cell in cells)

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
        weight = 2 if any(number_in(_decimal(cell, separator)) is not None for cell in cells) else None
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
    builder: Builder,
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
        shown = ", ".join(quote(name) for name in columns.ignored[:4])
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
    if len(first) < 4 or any(cell and number_in(cell) is None for cell in first):
        return ""
    square = all(len(cells) == len(first) for _, cells in head) and sum(1 for _ in _lines(text)) == len(first)
    return "bare" if square else ""


def _read_matrix(text: str, separator: str, named: bool, builder: Builder) -> None:
    """Rows are where edges start. A symmetric matrix is an undirected graph, unless directed edges were asked for."""
    rows = rows_of(text, separator)
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
                raise BadGraph("graph.matrix_names", line=f"{line:,}", found=quote(cells[0]))
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

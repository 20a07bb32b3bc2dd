"""The drawing of an architecture, laid out from the blocks of its card.

Nodes stand in columns by how far they are from the input (the longest way through the acyclic graph); columns
run left to right and wrap into rows. A connection to the next column is a plain arrow; one that skips columns or
rows runs in a lane of its own in the gutters between the rows, never through a node. Nodes `a.b.layer.j` under a
node `a.b` form a group that is drawn as one stack until it is opened.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from app.figures.charts import FONT, INK
from app.figures.overlay import number
from models.card import Block

LANE = 9.0  # between two lanes of a gutter
GUTTER = 26.0  # a gutter without lanes
MARGIN = 10.0

# kind of block: name of the theme's colour pair, fallback for the fill and for the letters
KINDS: dict[str, tuple[str, str, str]] = {
    "input": ("gray", "#eceff3", "#4b5563"),
    "output": ("gray", "#eceff3", "#4b5563"),
    "conv": ("blue", "#e2eefb", "#1d5ea8"),
    "block": ("blue", "#e2eefb", "#1d5ea8"),
    "attention": ("violet", "#ede7fb", "#5b3aa6"),
    "mask": ("red", "#fbe6e6", "#a83232"),
    "add": ("green", "#e2f5e9", "#1f7a45"),
    "pool": ("yellow", "#fbf3d6", "#8a6a00"),
    "linear": ("orange", "#fdeadb", "#a4501a"),
    "upsample": ("orange", "#fdeadb", "#a4501a"),
}
OTHER = ("gray", "#eceff3", "#4b5563")


@dataclass(frozen=True)
class Node:
    """A block as drawn. hidden: how many blocks a closed group stands for (0 for a plain node or an open group)."""

    name: str
    label: str
    kind: str
    inputs: tuple[str, ...]
    hidden: int = 0


@dataclass(frozen=True)
class Box:
    """Where a node stands, in units of the drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x <= self.x + self.width and self.y <= y <= self.y + self.height


@dataclass(frozen=True)
class Drawing:
    """svg: an <svg> element with `data-id` on every block. boxes: where each stands. width, height: its viewBox."""

    svg: str
    boxes: Mapping[str, Box]
    width: float
    height: float
    edges: tuple[tuple[str, str], ...] = field(default=())

    def block_at(self, x: float, y: float) -> str | None:
        """Name of the block under a point, None between blocks."""
        return next((name for name, box in self.boxes.items() if box.holds(x, y)), None)


# ---------------------------------------------------------------- groups


def parent_of(name: str, names: Sequence[str] | frozenset[str]) -> str | None:
    """The nearest node whose name begins this one's, dot by dot: "rstb.0" of "rstb.0.layer.3"."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        candidate = ".".join(parts[:end])
        if candidate in names:
            return candidate
    return None


def groups(blocks: Sequence[Block]) -> dict[str, tuple[str, ...]]:
    """Members of every group by the name of its head, in the order of the card."""
    names = frozenset(block.name for block in blocks)
    found: dict[str, list[str]] = defaultdict(list)
    for block in blocks:
        parent = parent_of(block.name, names)
        if parent is not None:
            found[parent].append(block.name)
    return {head: tuple(members) for head, members in found.items()}


def collapse(blocks: Sequence[Block], opened: frozenset[str] | set[str] = frozenset()) -> tuple[Node, ...]:
    """The nodes to draw: every closed group is its head alone, fed by whatever feeds its members from outside."""
    names = frozenset(block.name for block in blocks)

    def shown_as(name: str) -> str:
        """The outermost closed group around a block, else the block itself."""
        shown, parent = name, parent_of(name, names)
        while parent is not None:
            if parent not in opened:
                shown = parent
            parent = parent_of(parent, names)
        return shown

    stands_for = {block.name: shown_as(block.name) for block in blocks}
    feeds: dict[str, list[str]] = {}
    hidden: dict[str, int] = defaultdict(int)
    for block in blocks:
        name = stands_for[block.name]
        into = feeds.setdefault(name, [])
        if name != block.name:
            hidden[name] += 1
        for source in block.inputs:
            source = stands_for.get(source, source)
            if source != name and source not in into:
                into.append(source)
    by_name = {block.name: block for block in blocks}
    return tuple(
        Node(name, by_name[name].label or name, by_name[name].kind, tuple(into), hidden[name])
        for name, into in feeds.items()
    )


def distances(nodes: Sequence[Node]) -> dict[str, int]:
    """The longest way from an input to every node, in edges.

    Raises ValueError for an unknown feeder and for a cycle.
    """
    feeders = {node.name: node.inputs for node in nodes}
    for node in nodes:
        for source in node.inputs:
            if source not in feeders:
                raise ValueError(f"{node.name} is fed by {source!r}, which is no block")
    found: dict[str, int] = {}
    waiting = list(feeders)
    while waiting:
        ready = [name for name in waiting if all(source in found for source in feeders[name])]
        if not ready:
            raise ValueError(f"the blocks form a cycle: {waiting}")
        for name in ready:
            found[name] = max((found[source] + 1 for source in feeders[name]), default=0)
        waiting = [name for name in waiting if name not in found]
    return found


def main_line(nodes: Sequence[Node]) -> tuple[str, ...]:
    """The longest chain, from an input to the node furthest from it; of equal ones the card's first."""
    far = distances(nodes)
    feeders = {node.name: node.inputs for node in nodes}
    at = max(far, key=far.__getitem__)
    line = [at]
    while feeders[at]:
        at = next(source for source in feeders[at] if far[source] == far[at] - 1)
        line.append(at)
    return tuple(reversed(line))


def columns_of(nodes: Sequence[Node]) -> list[list[str]]:
    """Names by column: the longest way from an input; the main line uppermost, else in the order of the card."""
    far, main = distances(nodes), frozenset(main_line(nodes))
    columns: list[list[str]] = [[] for _ in range(max(far.values()) + 1)]
    for node in nodes:
        columns[far[node.name]].append(node.name)
    return [sorted(column, key=lambda name: name not in main) for column in columns]


# ---------------------------------------------------------------- routes


@dataclass(frozen=True)
class _Place:
    row: int
    column: int
    level: int  # 0 is the uppermost of its column
    levels: int


@dataclass
class _Lanes:
    """Lanes of one gutter or margin: a lane belongs to one source, and is shared where spans do not overlap."""

    taken: list[list[tuple[float, float, str]]] = field(default_factory=list)

    def take(self, start: float, end: float, source: str) -> int:
        low, high = min(start, end), max(start, end)
        for i, spans in enumerate(self.taken):
            if all(owner == source or high < a or low > b for a, b, owner in spans):
                spans.append((low, high, source))
                return i
        self.taken.append([(low, high, source)])
        return len(self.taken) - 1


def rounded(points: Sequence[tuple[float, float]], radius: float = 7.0) -> str:
    """A path through the points whose corners are rounded; points on one spot are dropped."""
    kept = [points[0]]
    for point in points[1:]:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) > 0.01:
            kept.append(point)
    path = f"M{number(kept[0][0])} {number(kept[0][1])}"
    for before, corner, after in zip(kept, kept[1:], kept[2:], strict=False):
        ways = []
        for end in (before, after):
            dx, dy = end[0] - corner[0], end[1] - corner[1]
            length = (dx * dx + dy * dy) ** 0.5
            reach = min(radius, length / 2) / length
            ways.append((corner[0] + dx * reach, corner[1] + dy * reach))
        (ax, ay), (bx, by) = ways
        path += (
            f"L{number(ax)} {number(ay)}Q{number(corner[0])} {number(corner[1])} {number(bx)} {number(by)}"
        )
    return path + f"L{number(kept[-1][0])} {number(kept[-1][1])}"


def draw(
    blocks: Sequence[Block],
    *,
    opened: frozenset[str] | set[str] = frozenset(),
    selected: str | None = None,
    labels: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    across: int = 6,
    title: str = "",
    node_width: float = 132.0,
    css_class: str = "wide",
) -> Drawing:
    """Lay out and draw the blocks of a card.

    opened: heads of groups to show with all their members. selected: the block to mark. labels: names to show instead
    of the card's. notes: a short second line. across: most columns in a row. title: for those who cannot see it.
    """
    nodes = collapse(blocks, opened)
    if not nodes:
        raise ValueError("an architecture needs at least one block")
    by_name = {node.name: node for node in nodes}
    columns = columns_of(nodes)
    across = max(1, min(across, len(columns)))
    rows = -(-len(columns) // across)
    across = -(-len(columns) // rows)  # rows of about one length
    place = {
        name: _Place(i // across, i % across, level, len(column))
        for i, column in enumerate(columns)
        for level, name in enumerate(column)
    }
    height, gap_x, gap_y = 46.0, 30.0, 12.0
    levels = [max((p.levels for p in place.values() if p.row == row), default=1) for row in range(rows)]
    edges = [(source, node.name) for node in nodes for source in node.inputs]

    # which gutter each edge runs in (gutter r lies above row r; the last one below the last row)
    def plain(a: _Place, b: _Place) -> bool:
        return a.row == b.row and b.column == a.column + 1

    gutters = [_Lanes() for _ in range(rows + 1)]
    margin = _Lanes()
    routes: dict[tuple[str, str], tuple[str, list[tuple[int, int]], int]] = {}
    for source, name in edges:
        start, end = place[source], place[name]
        if plain(start, end):
            continue
        low = start.level > 0 and start.level == start.levels - 1  # the lowest of several leaves downwards
        if start.row == end.row:
            gutter = start.row + 1 if low else start.row
            lane = gutters[gutter].take(start.column, end.column, source)
            routes[source, name] = ("below" if low else "above", [(gutter, lane)], 0)
        elif end.row == start.row + 1 and (start.level == start.levels - 1 or _ends(start, place)):
            gutter = end.row
            lane = gutters[gutter].take(end.column - 0.5, start.column + 0.5, source)
            routes[source, name] = (
                "wrap" if _ends(start, place) and not low else "down",
                [(gutter, lane)],
                0,
            )
        else:
            first = start.row + 1 if low or start.levels == 1 else start.row
            lane = gutters[first].take(-1, start.column, source)
            other = gutters[end.row].take(-1, end.column, source)
            side = margin.take(first, end.row, source)
            routes[source, name] = ("far", [(first, lane), (end.row, other)], side)

    left = MARGIN + (len(margin.taken) * LANE + 8 if margin.taken else 0)
    tops: list[float] = []
    gutter_top: list[float] = []
    y = MARGIN
    for row in range(rows):
        gutter_top.append(y)
        lanes = len(gutters[row].taken)
        y += (GUTTER + lanes * LANE) if row else (lanes * LANE + (10 if lanes else 0))
        tops.append(y)
        y += levels[row] * height + (levels[row] - 1) * gap_y
    gutter_top.append(y)
    bottom = len(gutters[rows].taken)
    y += bottom * LANE + (10 if bottom else 0)
    total_w = left + across * node_width + (across - 1) * gap_x + MARGIN + 14
    total_h = y + MARGIN

    boxes = {
        name: Box(
            left + p.column * (node_width + gap_x),
            tops[p.row] + p.level * (height + gap_y),
            node_width,
            height,
        )
        for name, p in place.items()
    }

    def lane_y(gutter: int, lane: int) -> float:
        if gutter == 0:
            return gutter_top[0] + lane * LANE + 2
        return gutter_top[gutter] + 10 + lane * LANE

    def from_the_side(box: Box, level: float) -> list[tuple[float, float]]:
        x = box.x - (gap_x / 2 if box.x > left else 6)
        return [(x, level), (x, box.middle[1]), (box.x - 1, box.middle[1])]

    arrows: list[str] = []
    for source, name in edges:
        a, b = boxes[source], boxes[name]
        lit = selected in (source, name)
        if (source, name) not in routes:
            (ax, ay), (bx, by) = (a.x + a.width, a.middle[1]), (b.x - 1, b.middle[1])
            if abs(ay - by) < 0.5:
                path = f"M{number(ax)} {number(ay)}H{number(bx)}"
            else:
                half = (ax + bx) / 2
                path = rounded([(ax, ay), (half, ay), (half, by), (bx, by)])
            arrows.append(_arrow(path, lit, False))
            continue
        how, lanes_used, side = routes[source, name]
        gutter, lane = lanes_used[0]
        level = lane_y(gutter, lane)
        # skip arrows leave and enter a little beside the middle, so that they do not run into one another
        out_x, in_x = a.middle[0] + 18, b.middle[0] - 18
        if how == "above":
            points = [(out_x, a.y), (out_x, level), (in_x, level), (in_x, b.y - 1)]
        elif how == "below":
            under = b.y + b.height + (7 if by_name[name].hidden else 1)
            points = [
                (out_x, a.y + a.height), (out_x, level), (in_x, level), (in_x, under)
            ]  # fmt: skip
            below = [
                n
                for n, box in boxes.items()
                if box.x == b.x and box.y > b.y and place[n].row == place[name].row
            ]
            if below:  # something stands under it
                points[-2:] = from_the_side(b, level)
        elif how == "wrap":
            right = a.x + a.width
            points = [
                (right, a.middle[1]), (right + 12, a.middle[1]), (right + 12, level), (b.middle[0], level),
                (b.middle[0], b.y - 1),
            ]  # fmt: skip
        elif how == "down":
            points = [(a.middle[0], a.y + a.height), (a.middle[0], level), (in_x, level), (in_x, b.y - 1)]
        else:
            second = lane_y(*lanes_used[1])
            x = MARGIN + side * LANE
            leave = a.y + a.height if gutter > place[source].row else a.y
            points = [
                (out_x, leave),
                (out_x, level),
                (x, level),
                (x, second),
                (in_x, second),
                (in_x, b.y - 1),
            ]
        if how != "below" and place[name].level:  # something stands over it
            points[-2:] = from_the_side(b, points[-2][1])
        arrows.append(_arrow(rounded(points), lit, how != "wrap"))

    frames = _frames(groups(blocks), opened, boxes, place)
    shapes = [
        node_shape(by_name[name], box, labels or {}, notes or {}, name == selected)
        for name, box in boxes.items()
    ]
    head = f'role="group" aria-label="{escape(title, quote=True)}"' if title else ""
    marker = f"arrow-{css_class}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{css_class}" viewBox="0 0 {number(total_w)} '
        f'{number(total_h)}" {head} style="width:100%;height:auto;max-width:{number(total_w * 1.3)}px" '
        f'font-family="{FONT}" color="{INK}" fill="currentColor">'
        f'<defs><marker id="{marker}" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="6" markerHeight="6" '
        f'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>'
        f"{''.join(frames)}{''.join(arrows).replace('url(#arrow)', f'url(#{marker})')}{''.join(shapes)}</svg>"
    )
    return Drawing(svg, boxes, total_w, total_h, tuple(edges))


def _ends(a: _Place, place: Mapping[str, _Place]) -> bool:
    """Whether nothing stands to the right of a place in its row."""
    return all(p.column <= a.column for p in place.values() if p.row == a.row)


def _arrow(path: str, lit: bool, skip: bool) -> str:
    colour = "var(--st-primary-color,#0f766e)" if lit else INK
    opacity = 1 if lit else 0.42 if skip else 0.6
    dash = ' stroke-dasharray="5 3"' if skip else ""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{1.9 if lit else 1.4}" '
        f'stroke-opacity="{opacity}"{dash} marker-end="url(#arrow)"/>'
    )


def _frames(
    heads: Mapping[str, tuple[str, ...]],
    opened: frozenset[str] | set[str],
    boxes: Mapping[str, Box],
    place: Mapping[str, _Place],
) -> list[str]:
    """A tinted field behind an open group, one for each row that it touches."""
    parts = []
    for head, members in heads.items():
        if head not in opened:
            continue
        by_row: dict[int, list[Box]] = defaultdict(list)
        for name in (*members, head):
            by_row[place[name].row].append(boxes[name])
        for found in by_row.values():
            x, y = min(b.x for b in found) - 8, min(b.y for b in found) - 8
            w = max(b.x + b.width for b in found) + 8 - x
            h = max(b.y + b.height for b in found) + 8 - y
            parts.append(
                f'<rect x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}" rx="12" '
                f'fill="var(--st-secondary-background-color,#f2f3f6)" stroke="var(--st-border-color,#d0d3da)"/>'
            )
    return parts


@dataclass(frozen=True)
class Print:
    """How a node is set: radius of its corners, largest letters and the room left beside them, and with a note below,
    how far the label goes up, the note down, and the note's letters."""

    radius: int = 9
    letters: float = 13.0
    beside: float = 12
    up: float = 3
    down: float = 13
    small: float = 11


def node_shape(
    node: Node,
    box: Box,
    labels: Mapping[str, str],
    notes: Mapping[str, str],
    selected: bool,
    style: Print = Print(),
) -> str:
    """SVG of a node in its place: what can be clicked, named for a screen reader by its label and note."""
    colour, fill, ink = KINDS.get(node.kind, OTHER)
    label, note = labels.get(node.name, node.label), notes.get(node.name, "")
    stroke = "var(--st-primary-color,#0f766e)" if selected else f"var(--st-{colour}-color,{ink})"
    size = f'width="{number(box.width)}" height="{number(box.height)}" rx="{style.radius}"'
    paper = "var(--st-background-color,#ffffff)"
    stack = "".join(
        f'<rect x="{number(box.x + d)}" y="{number(box.y + d)}" {size} fill="{paper}" stroke="{stroke}" '
        f'stroke-opacity="0.55"/>'
        for d in ((6, 3) if node.hidden else ())
    )
    mx, my = box.middle
    font = min(style.letters, (box.width - style.beside) / (0.56 * max(1, wide(label))))
    letters = (
        f'<text x="{number(mx)}" y="{number(my + (-style.up if note else 4.5))}" text-anchor="middle" '
        f'font-size="{number(font)}" font-weight="600" '
        f'fill="var(--st-{colour}-text-color,{ink})">{escape(label)}</text>'
    )
    if note:
        letters += (
            f'<text x="{number(mx)}" y="{number(my + style.down)}" text-anchor="middle" font-size="{style.small}" '
            f'fill="{INK}">{escape(note)}</text>'
        )
    spoken = escape(", ".join(filter(None, (label, note))), quote=True)
    return (
        f'<g data-id="{escape(node.name, quote=True)}" aria-label="{spoken}">{stack}'
        f'<rect class="paper" x="{number(box.x)}" y="{number(box.y)}" {size} fill="{paper}"/>'
        f'<rect class="box" x="{number(box.x)}" y="{number(box.y)}" {size} '
        f'fill="var(--st-{colour}-background-color,{fill})" stroke="{stroke}" '
        f'stroke-width="{2.6 if selected else 1.2}"/>{letters}</g>'
    )


def wide(text: str) -> int:
    """Width of a text in letters: those of Chinese, Japanese and Korean count double."""
    return sum(2 if "\u2e80" <= letter <= "\uffef" else 1 for letter in text)

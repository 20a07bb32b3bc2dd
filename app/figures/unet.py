"""The drawing of a U-Net: down on the left, up on the right, every skip a straight arrow across.

Works for any card whose longest chain has nested jumps: what leaves first arrives last. What feeds many blocks
from outside of the chain (the time embedding) is drawn as a badge on each of them instead of a tangle of lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from app.figures.architecture import (
    INK,
    MARGIN,
    Box,
    Drawing,
    Node,
    Print,
    collapse,
    main_line,
    node_shape,
    rounded,
    wide,
)
from app.figures.charts import FONT
from app.figures.overlay import number
from models.card import Block

HEIGHT = 34.0  # of a node
ROW = 48.0  # from one row to the next
PRINT = Print(radius=8, letters=12.5, beside=10, up=2, down=11.5, small=10.5)
BADGE = 8.5  # radius of the badge of what comes from outside


def skips_of(nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """The jumps (from, to) of the longest chain, the outermost first.

    Raises ValueError where they are not nested, or where there is none: then it is no U.
    """
    line = main_line(nodes)
    place = {name: i for i, name in enumerate(line)}
    jumps = sorted(
        (place[source], place[node.name])
        for node in nodes
        if node.name in place
        for source in node.inputs
        if source in place and place[node.name] - place[source] > 1
    )
    if not jumps:
        raise ValueError("a U needs skips")
    for (a, b), (c, d) in zip(jumps, jumps[1:], strict=False):
        if not a < c <= d < b:
            raise ValueError(f"the skips {line[a]} to {line[b]} and {line[c]} to {line[d]} are not nested")
    return [(line[a], line[b]) for a, b in jumps]


def _rows(line: Sequence[str], skips: Sequence[tuple[str, str]]) -> tuple[dict[str, float], tuple[str, ...]]:
    """Row of every node of the two sides, and the names at the bottom, from left to right.

    A skip's two ends share a row. What stands between two of them is spread evenly over the rows between.
    """
    place = {name: i for i, name in enumerate(line)}
    anchors = [(place[a], place[b]) for a, b in skips]
    row: dict[str, float] = {}
    left, right, at = -1, len(line), -1.0  # the anchors before: left index, right index, row
    for a, b in anchors:
        between = max(a - left - 1, right - b - 1)
        here = at + between + 1
        for side, count in ((line[left + 1 : a], a - left - 1), (line[b + 1 : right][::-1], right - b - 1)):
            for i, name in enumerate(side):
                # above the first anchor nodes hang on it; further down they are spread evenly
                row[name] = here - count + i if left < 0 else at + (here - at) * (i + 1) / (count + 1)
        row[line[a]] = row[line[b]] = here
        left, right, at = a, b, here
    return row, tuple(line[left + 1 : right])


def draw_u(
    blocks: Sequence[Block],
    *,
    selected: str | None = None,
    labels: Mapping[str, str] | None = None,
    notes: Mapping[str, str] | None = None,
    skip_notes: Mapping[tuple[str, str], str] | None = None,
    badge: str = "t",
    title: str = "",
    node_width: float = 138.0,
    indent: float = 34.0,
    gap: float = 30.0,
    css_class: str = "wide",
) -> Drawing:
    """Lay out and draw the blocks of a U-Net's card.

    skip_notes: words on a skip's arrow, by (from, to). badge: letter on blocks that are fed from outside of the
    chain. indent: how far each halving of the resolution moves inwards. The others are those of `architecture.draw`.
    Raises ValueError where the blocks are no U.
    """
    nodes = collapse(blocks, frozenset(block.name for block in blocks))
    by_name = {node.name: node for node in nodes}
    line = main_line(nodes)
    skips = skips_of(nodes)
    rows, bottom = _rows(line, skips)
    others = [node.name for node in nodes if node.name not in line]

    depth, level = {}, 0  # by the resolution of what leaves the block
    for name in line:
        level += {"pool": 1, "upsample": -1}.get(by_name[name].kind, 0)
        depth[name] = level
    deepest = max(depth.values())
    middle_w = max(len(bottom) - 2, 1) * (node_width + gap) - gap
    width = 2 * (node_width + gap + deepest * indent) + middle_w
    turn = line.index(skips[-1][0])
    last_row = max(rows.values()) + 1.25
    boxes: dict[str, Box] = {}
    for i, name in enumerate(line):
        if name in bottom:
            j, count = bottom.index(name), len(bottom)
            inner = width - node_width - 2 * deepest * indent
            x = deepest * indent + (inner * j / (count - 1) if count > 1 else inner / 2)
            boxes[name] = Box(MARGIN + x, MARGIN + last_row * ROW, node_width, HEIGHT)
        else:
            x = depth[name] * indent
            x = x if i <= turn else width - node_width - x
            boxes[name] = Box(MARGIN + x, MARGIN + rows[name] * ROW, node_width, HEIGHT)
    for i, name in enumerate(others):  # from outside: in the middle, above the first skip
        boxes[name] = Box(MARGIN + (width - node_width) / 2, MARGIN + i * ROW, node_width, HEIGHT)
    total_w, total_h = (
        width + 2 * MARGIN,
        MARGIN * 2 + (last_row if bottom else last_row - 1) * ROW + HEIGHT + 4,
    )

    edges: list[tuple[str, str]] = []
    arrows: list[str] = []
    words: list[str] = []
    badges: list[str] = []
    for node in nodes:
        for source in node.inputs:
            lit = selected in (source, node.name)
            a, b = boxes[source], boxes[node.name]
            if node.name in line and source not in line:
                badges.append(
                    _badge(b, badge, lit, rising=line.index(node.name) > turn and node.name not in bottom)
                )
                continue
            edges.append((source, node.name))
            if (source, node.name) in skips:
                path = f"M{number(a.x + a.width)} {number(a.middle[1])}H{number(b.x - 1)}"
                arrows.append(_arrow(path, lit, skip=True))
                note = (skip_notes or {}).get((source, node.name), "")
                words.append(_on_arrow(total_w / 2, a.middle[1], note, lit) if note else "")
            else:
                arrows.append(_arrow(_path(a, b), lit, skip=False))

    shapes = [
        node_shape(by_name[name], box, labels or {}, notes or {}, name == selected, PRINT)
        for name, box in boxes.items()
    ]
    head = f'role="group" aria-label="{escape(title, quote=True)}"' if title else ""
    marker = f"arrow-{css_class}"
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{css_class}" viewBox="0 0 {number(total_w)} '
        f'{number(total_h)}" {head} style="width:100%;height:auto;max-width:{number(total_w * 1.15)}px;margin:0 auto" '
        f'font-family="{FONT}" color="{INK}" fill="currentColor">'
        f'<defs><marker id="{marker}" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="6" markerHeight="6" '
        f'orient="auto-start-reverse"><path d="M0 0L8 4L0 8z" fill="context-stroke"/></marker></defs>'
        f"{''.join(arrows).replace('url(#arrow)', f'url(#{marker})')}{''.join(words)}{''.join(shapes)}"
        f"{''.join(badges)}</svg>"
    )
    return Drawing(svg, boxes, total_w, total_h, tuple(edges))


def _path(a: Box, b: Box) -> str:
    """From one node to the next of the chain: down, up, or along the bottom."""
    (ax, ay), (bx, by) = a.middle, b.middle
    if abs(ay - by) < 1:
        if bx > ax:
            return f"M{number(a.x + a.width)} {number(ay)}H{number(b.x - 1)}"
        return f"M{number(a.x)} {number(ay)}H{number(b.x + b.width + 1)}"
    down = by > ay
    start, end = (a.y + a.height, b.y - 1) if down else (a.y, b.y + b.height + 1)
    if abs(ax - bx) < 1:
        return f"M{number(ax)} {number(start)}V{number(end)}"
    half = (start + end) / 2
    return rounded([(ax, start), (ax, half), (bx, half), (bx, end)], 6.0)


def _arrow(path: str, lit: bool, skip: bool) -> str:
    colour = "var(--st-primary-color,#0f766e)" if lit else INK
    dash = ' stroke-dasharray="6 4"' if skip else ""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{2.2 if lit else 1.4}" '
        f'stroke-opacity="{1 if lit else 0.5}"{dash} marker-end="url(#arrow)"/>'
    )


def _on_arrow(x: float, y: float, text: str, lit: bool) -> str:
    """Words in the middle of a skip, on a piece of paper so that the line does not strike them through."""
    half = 3.4 * wide(text) + 6
    return (
        f'<rect x="{number(x - half)}" y="{number(y - 9)}" width="{number(2 * half)}" height="18" rx="9" '
        f'fill="var(--st-background-color,#ffffff)"/>'
        f'<text x="{number(x)}" y="{number(y + 4)}" text-anchor="middle" font-size="11.5" '
        f'font-weight="{600 if lit else 400}" fill="{INK}">{escape(text)}</text>'
    )


def _badge(box: Box, letter: str, lit: bool, rising: bool) -> str:
    """A round badge on the outer corner of a block: something from outside comes in here."""
    x, y = (box.x + box.width - 2 if rising else box.x + 2), box.y + 1
    stroke = "var(--st-primary-color,#0f766e)" if lit else "var(--st-orange-color,#a4501a)"
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{BADGE}" fill="var(--st-background-color,#ffffff)" '
        f'stroke="{stroke}" stroke-width="{2 if lit else 1.2}" pointer-events="none"/>'
        f'<text x="{number(x)}" y="{number(y + 4)}" text-anchor="middle" font-size="12" font-style="italic" '
        f'fill="{INK}" pointer-events="none">{escape(letter)}</text>'
    )

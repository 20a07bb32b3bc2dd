"""Drawings of graphs: SVG whose nodes can be clicked for small ones, a picture with sampled edges for large ones.

Both draw the same things from the same arguments: nodes at places in [0, 1] × [0, 1] (y upwards, as
app.engine.layout gives them; an embedding scaled by `fitted` does as well), coloured by label or value, and marks on
top: a chosen node, its neighbours, a walk, spokes whose width is a weight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np
from PIL import Image, ImageDraw

from app.figures.charts import CHOSEN, FONT, INK
from app.figures.colour import colormap, hex_of, kind_of
from app.figures.overlay import number
from models.graph.graph import Graph

SVG_NODES, SVG_EDGES = 700, 4000  # beyond them a picture is lighter for the browser
DRAWN_EDGES = 20_000  # of a picture; more only blacken it
NAMED = 45  # nodes that all carry their name
STRONGEST = 14  # of a larger graph the names of so many nodes with the highest degree
MARGIN = 22
LINE = "var(--st-gray-color,#8a8f99)"
GROUND = "var(--st-background-color,#ffffff)"
PLAIN = (110, 118, 132)  # nodes without a label
# Okabe and Ito's colours, which every common colour blindness tells apart, the yellow a little darker; then others.
PALETTE = np.array(
    [
        [0, 114, 178],
        [213, 94, 0],
        [0, 158, 115],
        [204, 121, 167],
        [86, 180, 233],
        [214, 170, 0],
        [120, 94, 240],
        [128, 64, 32],
        [70, 90, 40],
        [170, 30, 60],
    ],
    dtype=np.uint8,
)


@dataclass(frozen=True)
class Marks:
    """What is drawn on top.

    chosen: a node with a thick ring. near: nodes with a thin one. walk: nodes in the order they are visited.
    spokes: node -> value in [0, 1], drawn as a line from that node to the chosen one, the wider the larger.
    notes: node -> a few letters beside it, a number for instance. Everything unmarked fades while there are marks.
    """

    chosen: int | None = None
    near: Sequence[int] = ()
    walk: Sequence[int] = ()
    spokes: Mapping[int, float] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)

    @property
    def nodes(self) -> set[int]:
        """Every marked node."""
        chosen = [] if self.chosen is None else [self.chosen]
        return {int(v) for v in (*chosen, *self.near, *self.walk, *self.spokes, *self.notes)}


def is_small(graph: Graph) -> bool:
    """Whether `svg` suits this graph; otherwise `picture`."""
    return graph.count <= SVG_NODES and graph.edges <= SVG_EDGES


# ---------------------------------------------------------------- colours and places


def class_colours(classes: int) -> np.ndarray:
    """uint8 (classes, 3): a colour for each; after the ten of the palette lighter ones follow."""
    rounds = np.arange(classes) // len(PALETTE)
    base = PALETTE[np.arange(classes) % len(PALETTE)].astype(np.float64)
    lighter = 1 - 0.6 ** rounds[:, None]
    return np.round(base + (235 - base) * lighter).astype(np.uint8)


def node_colours(graph: Graph, values: np.ndarray | None = None) -> np.ndarray:
    """uint8 (N, 3): by value where values (N,) are given, else by label, else one colour."""
    if values is not None:
        return colormap(np.asarray(values), kind_of(np.asarray(values)))
    if graph.labels is None:
        return np.tile(PALETTE[0], (graph.count, 1))
    table = np.concatenate([class_colours(len(graph.label_names)), [PLAIN]]).astype(np.uint8)
    return table[graph.labels]


def fitted(points: np.ndarray) -> np.ndarray:
    """float32 (N, 2) in [0, 1]: any finite points, both axes of one scale. A third coordinate is left out."""
    points = np.asarray(points, dtype=np.float64)[:, :2]
    low, high = points.min(0), points.max(0)
    side = float((high - low).max()) or 1.0
    return ((points - (low + high) / 2) / side + 0.5).astype(np.float32)


@dataclass(frozen=True)
class Frame:
    """The page that places in [0, 1] are drawn on, in pixels: as wide as asked for and as high as the shape needs."""

    width: int
    height: int
    scale: float
    low: tuple[float, float]

    @classmethod
    def around(cls, place: np.ndarray, width: int, tallest: float = 0.8, flattest: float = 0.3) -> Frame:
        """tallest, flattest: bounds of height / width."""
        low, high = place.min(0), place.max(0)
        wide, high_ = (max(float(v), 1e-6) for v in high - low)
        room = width - 2 * MARGIN
        height = min(max(room * high_ / wide, flattest * width), tallest * width - 2 * MARGIN)
        scale = min(room / wide, height / high_)
        middle = (low + high) / 2
        height = round(height) + 2 * MARGIN
        return cls(width, height, scale, (middle[0] - width / 2 / scale, middle[1] + height / 2 / scale))

    def pixels(self, place: np.ndarray) -> np.ndarray:
        """float64 (N, 2): x to the right, y downwards."""
        return (np.asarray(place, dtype=np.float64) - self.low) * [self.scale, -self.scale]


def nearest(place: np.ndarray, frame: Frame, x: float, y: float, within: float = 14.0) -> int | None:
    """The node that was clicked at pixel (x, y), None where none is within so many pixels."""
    away = np.linalg.norm(frame.pixels(place) - (x, y), axis=1)
    node = int(away.argmin())
    return node if away[node] <= within else None


def radius_of(count: int) -> float:
    """Pixels: the circle of a node of a graph with so many nodes."""
    return float(np.clip(34 / np.sqrt(count) + 2.0, 1.4, 10.0))


# ---------------------------------------------------------------- SVG


def svg(
    graph: Graph,
    place: np.ndarray,
    *,
    title: str,
    colours: np.ndarray | None = None,
    words: Sequence[str] | None = None,
    marks: Marks | None = None,
    edges: bool = True,
    pick: bool = True,
    width: int = 640,
    tallest: float = 0.8,
) -> str:
    """The graph as SVG text. title: what is seen, for those who cannot see it. words: N texts shown under the pointer.

    pick: each node is a thing to click, with the node's number as `data-id`. edges: False for the points alone.
    """
    marks = marks or Marks()
    frame = Frame.around(place, width, tallest)
    at = frame.pixels(place)
    colours = node_colours(graph) if colours is None else colours
    radius = radius_of(graph.count)
    marked = marks.nodes
    parts = []
    if edges:
        parts.append(_edges(graph, at, radius, 0.16 if marked else 0.42))
    parts += _walk(marks.walk, at, radius)
    parts += _spokes(marks, at, radius)
    for v in sorted(range(graph.count), key=lambda v: v in marked):  # the marked ones on top
        parts.append(
            _node(
                graph,
                v,
                at[v],
                radius,
                hex_of(colours[v]),
                marks,
                words,
                pick,
                bool(marked) and v not in marked,
            )
        )
    parts += _names(graph, at, radius, marks)
    parts += [_note(text, at[v], radius) for v, text in marks.notes.items()]
    role = "group" if pick else "img"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {frame.width} {frame.height}" role="{role}" '
        f'aria-label="{escape(title, quote=True)}" style="width:100%;height:auto;display:block" '
        f'font-family="{FONT}" font-size="11" fill="{INK}">{"".join(parts)}</svg>'
    )


def _edges(graph: Graph, at: np.ndarray, radius: float, opacity: float) -> str:
    """All edges, in up to three widths by weight; heads where directed; loops as small circles."""
    loop = graph.source == graph.target
    start, end = at[graph.source], at[graph.target]
    if graph.directed:
        start, end = _shortened(start, end, radius)
    level = np.zeros(graph.edges, dtype=np.int64)
    if graph.weighted:
        share = np.log(graph.weight)
        share = (share - share.min()) / max(float(np.ptp(share)), 1e-12)
        level = np.minimum((share * 3).astype(np.int64), 2)
    parts = []
    for k, stroke in enumerate((1.0, 1.9, 3.0)):
        chosen = np.flatnonzero((level == k) & ~loop)
        path = "".join(
            f"M{number(a)} {number(b)}L{number(c)} {number(d)}"
            for a, b, c, d in np.concatenate([start[chosen], end[chosen]], axis=1).tolist()
        )
        if path:
            parts.append(f'<path d="{path}" stroke-width="{stroke}"/>')
    for v in graph.source[loop]:
        x, y = at[v]
        parts.append(f'<circle cx="{number(x)}" cy="{number(y - 1.6 * radius)}" r="{number(radius)}"/>')
    if graph.directed:
        parts.append(f'<path d="{_heads(start[~loop], end[~loop])}" fill="{LINE}" stroke="none"/>')
    return f'<g stroke="{LINE}" fill="none" opacity="{opacity}">{"".join(parts)}</g>'


def _shortened(start: np.ndarray, end: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray]:
    """Ends at the rims of the circles, and a little to the right, so that both directions are seen."""
    along = end - start
    unit = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    aside = unit[:, ::-1] * [-1, 1] * 1.5
    return start + unit * radius + aside, end - unit * (radius + 1) + aside


def _heads(start: np.ndarray, end: np.ndarray, length: float = 6.0) -> str:
    along = end - start
    unit = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    side = unit[:, ::-1] * [-1, 1]
    corners = np.stack(
        [end, end - length * unit + side * length / 2.6, end - length * unit - side * length / 2.6], 1
    )
    return "".join(
        "M" + "L".join(f"{number(x)} {number(y)}" for x, y in head) + "Z" for head in corners.tolist()
    )


def _walk(walk: Sequence[int], at: np.ndarray, radius: float) -> list[str]:
    """A walk as one line, later steps stronger, with numbers where a node is first visited (the first 30 steps)."""
    parts = []
    for k, (u, v) in enumerate(zip(walk[:-1], walk[1:], strict=True)):
        (x, y), (z, w) = at[u], at[v]
        opacity = 0.35 + 0.6 * (k + 1) / len(walk)
        parts.append(
            f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(z)}" y2="{number(w)}" stroke="{CHOSEN}" '
            f'stroke-width="3" stroke-linecap="round" opacity="{opacity:.2f}"/>'
        )
    seen: set[int] = set()
    for k, v in enumerate(walk[:30]):
        if v not in seen:
            seen.add(v)
            parts.append(_note(str(k), at[v], radius, CHOSEN))
    return parts


def _spokes(marks: Marks, at: np.ndarray, radius: float) -> list[str]:
    if marks.chosen is None:
        return []
    x, y = at[marks.chosen]
    return [
        f'<line x1="{number(at[v][0])}" y1="{number(at[v][1])}" x2="{number(x)}" y2="{number(y)}" stroke="{CHOSEN}" '
        f'stroke-width="{number(1 + 9 * float(np.clip(value, 0, 1)))}" stroke-linecap="round" opacity="0.7"/>'
        for v, value in marks.spokes.items()
        if v != marks.chosen
    ]


def _node(
    graph: Graph,
    v: int,
    at: np.ndarray,
    radius: float,
    colour: str,
    marks: Marks,
    words: Sequence[str] | None,
    pick: bool,
    faded: bool,
) -> str:
    x, y = number(at[0]), number(at[1])
    name = (
        graph.names[v] if words is None else f"{graph.names[v]} · {words[v]}" if words[v] else graph.names[v]
    )
    ring = f'stroke="{GROUND}" stroke-width="1"'
    if v == marks.chosen:
        ring = f'stroke="{CHOSEN}" stroke-width="4"'
    elif v in marks.near:
        ring = f'stroke="{INK}" stroke-width="2.5"'
    size = radius * (1.35 if v == marks.chosen else 1.0)
    circle = (
        f'<circle class="box" cx="{x}" cy="{y}" r="{number(size)}" fill="{colour}" {ring}'
        f"{' opacity=' + chr(34) + '0.35' + chr(34) if faded else ''}><title>{escape(_cut(name, 120))}</title></circle>"
    )
    if not pick:
        return circle
    reach = (
        f'<circle cx="{x}" cy="{y}" r="{number(max(radius, 9))}" fill="transparent"/>' if radius < 9 else ""
    )
    return f'<g data-id="{v}" aria-label="{escape(_cut(name, 120), quote=True)}">{circle}{reach}</g>'


def _names(graph: Graph, at: np.ndarray, radius: float, marks: Marks) -> list[str]:
    """The names that have room: those of marked nodes first, then by degree. Short ones stand in their circles."""
    if graph.count <= NAMED and radius > 6 and max(map(len, graph.names)) <= 2:
        return [
            f'<text x="{number(x)}" y="{number(y + 3)}" text-anchor="middle" font-size="8.5" fill="#ffffff" '
            f'pointer-events="none">{escape(name)}</text>'
            for name, (x, y) in zip(graph.names, at.tolist(), strict=True)
        ]
    by_degree = [int(v) for v in np.argsort(-graph.degree, kind="stable")]
    chosen = [] if marks.chosen is None else [marks.chosen]
    wanted = [*chosen, *(v for v in by_degree if v in marks.nodes)]
    if not wanted or graph.count <= NAMED:
        wanted += by_degree[: graph.count if graph.count <= NAMED else STRONGEST]
    taken: list[tuple[float, float]] = []  # centre and width; every name is as high
    widths: list[float] = []
    parts = []
    for v in dict.fromkeys(wanted):
        text = _cut(graph.names[v], 18)
        x, y = float(at[v][0]), float(at[v][1]) - radius - 3
        width = sum(5.9 if ord(letter) < 0x2E80 else 11 for letter in text)
        if any(
            abs(y - b) < 12 and abs(x - a) < (width + other) / 2
            for (a, b), other in zip(taken, widths, strict=True)
        ):
            continue
        taken.append((x, y))
        widths.append(width)
        parts.append(_outlined(escape(text), x, y, "middle", INK))
    return parts


def _note(text: str, at: np.ndarray, radius: float, colour: str = INK) -> str:
    return _outlined(
        escape(_cut(text, 14)), at[0] + radius + 2, at[1] + radius + 8, "start", colour, bold=True
    )


def _outlined(text: str, x: float, y: float, anchor: str, colour: str, bold: bool = False) -> str:
    """Letters with a rim in the colour of the ground, so that lines below do not cross them out."""
    return (
        f'<text x="{number(x)}" y="{number(y)}" text-anchor="{anchor}" font-size="10.5" fill="{colour}" '
        f'stroke="{GROUND}" stroke-width="3" paint-order="stroke" pointer-events="none"'
        f"{' font-weight=' + chr(34) + '700' + chr(34) if bold else ''}>{text}</text>"
    )


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"


def legend(names: Sequence[str], colours: np.ndarray, rest: int = 0) -> str:
    """HTML: a coloured dot and a word for each class. rest: how many further ones are left out."""
    items = [
        '<span style="display:inline-flex;align-items:center;gap:.35rem">'
        f'<span style="width:.7rem;height:.7rem;border-radius:50%;background:{hex_of(colour)}"></span>'
        f"{escape(_cut(name, 28))}</span>"
        for name, colour in zip(names, colours, strict=False)
    ]
    more = f"<span>+ {rest}</span>" if rest else ""
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.85rem">'
        + "".join(items)
        + more
        + "</div>"
    )


# ---------------------------------------------------------------- pictures


def sampled_edges(graph: Graph, most: int = DRAWN_EDGES) -> np.ndarray:
    """int64: the edges that a picture draws: all, or `most` of them at random, always the same ones."""
    if graph.edges <= most:
        return np.arange(graph.edges)
    return np.sort(np.random.default_rng(0).choice(graph.edges, most, replace=False))


def picture(
    graph: Graph,
    place: np.ndarray,
    *,
    colours: np.ndarray | None = None,
    marks: Marks | None = None,
    edges: bool = True,
    width: int = 900,
    tallest: float = 0.8,
    dark: bool = False,
    frame: Frame | None = None,
) -> np.ndarray:
    """uint8 (H, W, 3): the graph, smoothed. `nearest` finds a click in `Frame.around(place, width)`.

    frame: instead of one around these places, for pictures that shall fit each other.
    """
    marks = marks or Marks()
    frame = frame or Frame.around(place, width, tallest)
    at = frame.pixels(place) * 2
    colours = node_colours(graph) if colours is None else colours
    ground, line = ((14, 17, 23), (120, 126, 138)) if dark else ((255, 255, 255), (150, 156, 168))
    sheet = Image.new("RGB", (2 * frame.width, 2 * frame.height), ground)
    pen = ImageDraw.Draw(sheet, "RGBA")
    if edges:
        shown = sampled_edges(graph)
        alpha = int(np.clip(255 * 60 / np.sqrt(len(shown) + 1), 18, 170)) // (2 if marks.nodes else 1)
        for a, b, c, d in np.concatenate([at[graph.source[shown]], at[graph.target[shown]]], axis=1).tolist():
            pen.line((a, b, c, d), fill=(*line, alpha), width=1)
    strong = (15, 118, 110)
    for u, v in zip(marks.walk[:-1], marks.walk[1:], strict=True):
        pen.line((*at[u], *at[v]), fill=(*strong, 220), width=6)
    if marks.chosen is not None:
        for v, value in marks.spokes.items():
            pen.line((*at[v], *at[marks.chosen]), fill=(*strong, 190), width=2 + round(14 * float(value)))
    radius = 2 * radius_of(graph.count)
    for (x, y), colour in zip(at.tolist(), colours.tolist(), strict=True):
        pen.ellipse((x - radius, y - radius, x + radius, y + radius), fill=(*colour, 255))
    for v in sorted(marks.nodes, key=lambda v: v == marks.chosen):
        x, y = at[v]
        size, rim, colour = (radius + 6, 4, tuple(255 - c for c in ground))
        if v == marks.chosen:
            size, rim, colour = radius + 12, 7, strong
            pen.ellipse((x - size - 5, y - size - 5, x + size + 5, y + size + 5), fill=(*ground, 255))
        pen.ellipse(
            (x - size, y - size, x + size, y + size),
            fill=tuple(colours[v].tolist()),
            outline=colour,
            width=rim,
        )
    return np.asarray(sheet.resize((frame.width, frame.height), Image.Resampling.BOX))

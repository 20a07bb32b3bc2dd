"""Points that move through the moments of a training: one cloud, or several side by side under one slider.

All moments are sent once (at most 2 MB) and drawn in the browser, interpolated between two moments; slider, playing,
dragging over the picture and pointing at nodes cost no rerun. A picked node comes back for one rerun of the fragment
that the cloud stands in, and with `report=True` the moment, a quarter of a second after it came to rest.

    seen = cloud(
        [Cloud("deepwalk", "DeepWalk", points)],  # float32 (S, N, 2), as app.engine.project gives them
        "embedding.cloud",
        names=graph.names,
        colours=node_colours(graph),
        positions=[t("graph_embeddings.epoch", n=n) for n in run.epochs],
        curve=(t("graph_embeddings.loss"), run.loss),
        alt=t("graph_embeddings.cloud.alt"),
        pick_param=NODE,
        marks=Marks(chosen=node, near=nearest_nodes),
    )

Keyboard: arrow keys, Home and End on the slider, space plays and pauses; the picture is reached by Tab, arrow keys
go from node to node, letters jump to a name, Enter picks, Escape lets go, Page Up and Page Down change the moment.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from app.figures.colour import hex_of
from app.figures.graph import NAMED, PALETTE, STRONGEST, Marks, radius_of
from app.text import t
from app.widgets import state, steps
from app.widgets.packing import Encoded, content_id
from app.widgets.picture import component
from app.widgets.steps import MOST_STEPS, Held, checked, heights, set_step

__all__ = ["Cloud", "CloudState", "Marks", "cloud", "last_cloud", "set_step"]

MOST_POINTS = 4000  # of a cloud: more only hide one another
MOST_EDGES = 4000
MOST_EXTRA = 400  # marked nodes that are drawn although they are not in the sample
MOST_BYTES = 1_400_000  # of all positions
MOST_WORDS = 450_000  # bytes of all names and words; with the rest a message stays below 2 MB
HEIGHT = 460  # most CSS pixels of a cloud
FLATTEST = 0.5  # least height / width


@dataclass(frozen=True, eq=False)
class Cloud:
    """A cloud of N points through S moments.

    points: finite floats (S, N, 2), x to the right and y up; both axes get one scale, the same at every moment.
    near: nodes ringed in this cloud only (the neighbours that this method found, where two are compared).
    """

    id: str
    title: str
    points: np.ndarray
    near: Sequence[int] = ()

    def __post_init__(self) -> None:
        shape = np.shape(self.points)
        if len(shape) != 3 or shape[2] != 2 or 0 in shape:
            raise ValueError(f"a cloud is (moments, nodes, 2), not {shape}")
        if shape[0] > MOST_STEPS:
            raise ValueError(f"{shape[0]} moments; a cloud has at most {MOST_STEPS}: keep fewer snapshots")
        if not np.isfinite(self.points).all():
            raise ValueError(f"the points of {self.id!r} are not all finite")


@dataclass(frozen=True)
class CloudState:
    """The moment as Python knows it (see `report`), and the picked node, None where there is none."""

    step: int
    node: int | None = None


def last_cloud(key: str, pick_param: state.Param[int | None] | None = None) -> CloudState | None:
    """What `cloud` returned, or will return in this run; None before it has been shown."""
    held = steps.last(key)
    if held is None:
        return None
    return CloudState(held.step, held.pick if pick_param is None else state.get(pick_param))


# ---------------------------------------------------------------- what is sent


@dataclass(frozen=True, eq=False)
class Sample:
    """The nodes that are drawn: `base` never changes for one graph, `extra` are marked ones that are not among them."""

    base: np.ndarray
    extra: np.ndarray
    count: int

    @property
    def shown(self) -> np.ndarray:
        """int64: base, then extra."""
        return np.concatenate([self.base, self.extra])

    def places(self) -> np.ndarray:
        """int64 (count,): where a node stands among the shown ones, -1 where it is not drawn."""
        found = np.full(self.count, -1)
        found[self.shown] = np.arange(len(self.shown))
        return found


def sample_of(count: int, moments: int, keep: Sequence[int] = ()) -> Sample:
    """All nodes, or as many as fit, always the same ones at random, and those of `keep` besides.

    moments: of all clouds together; a node costs four bytes in each.
    """
    most = min(MOST_POINTS, MOST_BYTES // (4 * moments))
    if count <= most:
        return Sample(np.arange(count), np.arange(0), count)
    base = np.sort(np.random.default_rng(0).choice(count, most, replace=False))
    kept = np.array(sorted({int(v) for v in keep if 0 <= v < count}), dtype=np.int64)
    return Sample(base, kept[~np.isin(kept, base)][:MOST_EXTRA], count)


@dataclass(frozen=True)
class Frame:
    """How points become 16-bit numbers: `side` is the width of the page, `ratio` its height / width."""

    middle: tuple[float, float]
    side: float
    ratio: float

    def coded(self, points: np.ndarray) -> np.ndarray:
        """Little-endian uint16, of the shape of points: x from the left, y from the top, the width being 65535."""
        share = (points - self.middle) / self.side * [1.0, -1.0] + [0.5, self.ratio / 2]
        return np.rint(np.clip(share, 0, [1.0, self.ratio]) * 65535).astype("<u2")


def frames_of(clouds: Sequence[np.ndarray]) -> list[Frame]:
    """One for each cloud, each with a scale of its own, all of one shape: that of the tallest one."""
    lows = [points.min((0, 1)).astype(np.float64) for points in clouds]
    highs = [points.max((0, 1)).astype(np.float64) for points in clouds]
    sizes = [high - low for low, high in zip(lows, highs, strict=True)]
    flat = [float(high / wide) if wide > 0 else 1.0 for wide, high in sizes]
    ratio = min(1.0, max(FLATTEST, *flat))
    found = []
    for low, high, (wide, tall) in zip(lows, highs, sizes, strict=True):
        x, y = ((low + high) / 2).tolist()
        found.append(Frame((x, y), max(float(wide), float(tall) / ratio) or 1.0, ratio))
    return found


def _file(data: bytes, mime: str = "application/octet-stream") -> Encoded:
    return Encoded(data, mime, 0, 0, hashlib.blake2b(data, digest_size=8).hexdigest())


@st.cache_data(max_entries=24, show_spinner=False)
def _positions(name: str, most: int, _points: np.ndarray, _frame: Frame, _nodes: np.ndarray) -> Encoded:
    """The shown nodes of one cloud, coded once for each content."""
    return _file(_frame.coded(_points[:, _nodes]).tobytes())


@st.cache_data(max_entries=24, show_spinner=False)
def _frames(names: Sequence[str], _clouds: Sequence[np.ndarray]) -> list[Frame]:
    return frames_of(_clouds)


def _texts(names: Sequence[str], words: Sequence[str] | None, nodes: np.ndarray) -> Encoded:
    """JSON [[name, words], …] of the shown nodes; long ones are cut so that all of them travel."""
    shown = [(names[v], "" if words is None else words[v]) for v in nodes.tolist()]
    data = b""
    for most in (120, 60, 30, 15):
        texts = [[_cut(name, most), _cut(more, most)] for name, more in shown]
        data = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()
        if len(data) <= MOST_WORDS:
            break
    return _file(data, "application/json")


def _cut(text: str, letters: int) -> str:
    return text if len(text) <= letters else text[: letters - 1] + "…"


def shown_edges(edges: np.ndarray, sample: Sample) -> np.ndarray:
    """uint16 (E', 2): the edges between nodes that are drawn, by their places; at most MOST_EDGES, sampled evenly."""
    places = sample.places()
    found = places[np.asarray(edges, dtype=np.int64).reshape(-1, 2)]
    found = found[(found >= 0).all(1) & (found[:, 0] != found[:, 1])]
    if len(found) > MOST_EDGES:
        chosen = np.random.default_rng(0).choice(len(found), MOST_EDGES, replace=False)
        found = found[np.sort(chosen)]
    return found.astype("<u2")


# ---------------------------------------------------------------- what comes back


def _on_pick(
    key: str, count: int, step_param: state.Param[int] | None, pick_param: state.Param[int | None] | None,
    on_pick: Callable[[int | None], None] | None,
) -> Callable[[], None]:  # fmt: skip
    """The callback of a pick: a trigger lives for one run only, so it is written down before that run begins."""

    def taken() -> None:
        sent = st.session_state[key].get("pick")
        if not isinstance(sent, dict) or not all(type(sent.get(name)) is int for name in ("node", "step")):
            return  # not sent by our own script
        node = sent["node"] if 0 <= sent["node"] < count else None
        held: Held = st.session_state[steps.shelf(key)]
        held.pick = node
        if pick_param is not None:
            state.put(pick_param, node)
        steps.reported(held, sent["step"], step_param)
        if on_pick is not None:
            on_pick(node)

    return taken


# ---------------------------------------------------------------- on the page


def cloud(
    clouds: Sequence[Cloud],
    key: str,
    *,
    alt: str,
    names: Sequence[str] | None = None,
    words: Sequence[str] | None = None,
    colours: np.ndarray | None = None,
    legend: Sequence[tuple[str, Any]] = (),
    edges: np.ndarray | None = None,
    positions: Sequence[str] = (),
    readouts: Mapping[str, Sequence[str]] | None = None,
    curve: tuple[str, Sequence[float]] | None = None,
    marks: Marks | None = None,
    labels_shown: bool = True,
    pick: bool = True,
    start: int = -1,
    seconds: float | None = None,
    autoplay: bool = False,
    report: bool = False,
    height: int = HEIGHT,
    hint: str | None = None,
    step_param: state.Param[int] | None = None,
    pick_param: state.Param[int | None] | None = None,
    on_pick: Callable[[int | None], None] | None = None,
) -> CloudState:
    """Show clouds of the same N nodes under one slider; returns the moment and the node that Python knows of.

    A cloud with fewer moments than the longest goes through them in the same time: first with first, last with last.
    alt: what can be seen, for those who cannot. names: N, by default their numbers; words: N more, shown under the
    pointer after the name. colours: uint8 (N, 3). legend: names and colours of classes, as buttons that let one class
    stand out. edges: int (E, 2), drawn faintly, at most 4000. positions: what each moment is called ("epoch 3");
    readouts: label → one short text a moment; curve: label and a number a moment, drawn over the slider (the loss):
    all three count the moments of the longest cloud.
    marks: near nodes, spokes and notes as in graph_view; the chosen node is the picked one where marks name no other.
    labels_shown: names beside the points that have room: all of a small graph, the best connected of a larger one.
    start: the first moment shown, -1 for the last. seconds: how long playing takes, by default as suits the moments.
    autoplay: once at the first sight and after each `set_step`, unless the reader asked for less motion.
    report: tell Python the moment once it rests. height: most CSS pixels. hint: words below, "" for none.
    step_param, pick_param: keep both in the link (-1 = last moment; a click on the ground lets the node go: None);
    pick_param=graph_view.NODE keeps a graph beside it in step. on_pick: called with the node before the rerun.
    Raises ValueError for clouds of different nodes and for other numbers of words than nodes or moments.
    """
    count = len(clouds[0].points[0])
    if any(len(c.points[0]) != count for c in clouds):
        raise ValueError("clouds under one slider show the same nodes")
    moments = max(len(c.points) for c in clouds)
    names = [str(v) for v in range(count)] if names is None else names
    for what, given in (("names", names), ("words", words), ("colours", colours)):
        if given is not None and len(given) != count:
            raise ValueError(f"{len(given)} {what} for {count} nodes")
    held = steps.recall(key, moments, start, step_param)
    node = held.pick if pick_param is None else state.get(pick_param)
    node = node if node is not None and node < count else None
    marks = marks or Marks()
    marks = marks if marks.chosen is not None else replace(marks, chosen=node)
    near = [[int(v) for v in (*marks.near, *c.near)] for c in clouds]
    keep = [*marks.nodes, *(v for nodes in near for v in nodes)]
    sample = sample_of(count, sum(len(c.points) for c in clouds), keep)
    places = sample.places()
    files, layout = _files(clouds, names, words, colours, edges, sample)
    header: dict[str, Any] = layout | {
        "count": moments,
        "start": held.start,
        "turn": held.turn,
        "chosen": (_at(places, [] if marks.chosen is None else [marks.chosen]) or [-1])[0],
        "near": [_at(places, n) for n in near],
        "spokes": [[_at(places, [v])[0], float(w)] for v, w in marks.spokes.items() if _at(places, [v])],
        "notes": [[_at(places, [v])[0], text] for v, text in marks.notes.items() if _at(places, [v])],
        "marked": bool(marks.nodes) or any(near),
        "radius": round(radius_of(len(sample.shown)), 2),
        "labels": (NAMED if len(sample.shown) <= NAMED else STRONGEST) if labels_shown else 0,
        "legend": [[name, _hex(colour)] for name, colour in legend],
        "readouts": [[label, checked(label, values, moments)] for label, values in (readouts or {}).items()],
        "positions": checked("positions", positions, moments) if positions else [],
        "curve": None if curve is None else [curve[0], heights(checked(curve[0], curve[1], moments))],
        "alt": alt,
        "pick": pick,
        "seconds": min(10.0, max(3.0, 0.2 * moments)) if seconds is None else seconds,
        "autoplay": autoplay,
        "report": report,
        "max_height": height,
        "words": _words(
            (t("cloud.hint") if pick else "") if hint is None else hint,
            moments,
            sample,
            layout["edges"],
            edges,
        ),
    }
    component("cloud", "steps", "points")(
        data=steps.message(held, header, files),
        key=key,
        on_step_change=steps.on_step(key, step_param),
        on_pick_change=_on_pick(key, count, step_param, pick_param, on_pick),
        on_need_change=steps.on_need(key),
    )
    return CloudState(held.step, node)


def _files(
    clouds: Sequence[Cloud], names: Sequence[str], words: Sequence[str] | None, colours: np.ndarray | None,
    edges: np.ndarray | None, sample: Sample,
) -> tuple[list[Encoded], dict[str, Any]]:  # fmt: skip
    """The files, and where in their list the browser finds what.

    Each cloud has one file for the base and one for the extra nodes: a pick then resends a few kilobytes only.
    """
    contents = [content_id(c.points) for c in clouds]
    frames = _frames(contents, [c.points for c in clouds])
    files: list[Encoded] = []
    described = []
    for c, content, frame in zip(clouds, contents, frames, strict=True):
        name = f"{content} {frame}"
        files.append(_positions(name, len(sample.base), c.points, frame, sample.base))
        files.append(_file(frame.coded(c.points[:, sample.extra]).tobytes()))
        described.append({"id": c.id, "title": c.title, "moments": len(c.points)})
    shown = sample.shown
    lines = shown_edges(np.zeros((0, 2)) if edges is None else edges, sample)
    tint = np.tile(PALETTE[0], (len(shown), 1)) if colours is None else np.asarray(colours)[shown]
    files += [
        _texts(names, words, shown),
        _file(tint.astype(np.uint8).tobytes()),
        _file(lines.tobytes()),
        _file(shown.astype("<u4").tobytes()),
    ]
    layout = {
        "clouds": described,
        "ratio": round(frames[0].ratio, 4),
        "base": len(sample.base),
        "extra": len(sample.extra),
        "edges": len(lines),
    }
    return files, layout


def _at(places: np.ndarray, nodes: Sequence[int]) -> list[int]:
    return [int(places[v]) for v in dict.fromkeys(nodes) if 0 <= v < len(places) and places[v] >= 0]


def _hex(colour: Any) -> str:
    return colour if isinstance(colour, str) else hex_of(colour)


def _words(hint: str, moments: int, sample: Sample, drawn: int, edges: np.ndarray | None) -> dict[str, str]:
    """What the browser says; places such as {name} are filled there."""
    shown, all_edges = len(sample.shown), 0 if edges is None else len(edges)
    notes = [hint] if hint else []
    if shown < sample.count:
        notes.append(t("cloud.sampled", shown=f"{shown:,}", count=f"{sample.count:,}"))
    if drawn < all_edges and drawn == MOST_EDGES:
        notes.append(t("cloud.edges_sampled", shown=f"{drawn:,}", count=f"{all_edges:,}"))
    return {
        "play": t("scrubber.play"),
        "pause": t("scrubber.pause"),
        "step": t("cloud.moment"),
        "of": t("scrubber.step_of", step="{step}", count="{count}"),
        "keys": t("cloud.keys"),
        "picked": t("cloud.picked", name="{name}"),
        "released": t("cloud.released"),
        "only": t("cloud.only", name="{name}"),
        "hint": " ".join(notes),
    }

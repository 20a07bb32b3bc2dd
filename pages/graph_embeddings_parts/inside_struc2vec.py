"""Inside Struc2vec: the rings of two nodes, the layers they lead to, and the nodes that no distance can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from app.figures import embed as draw
from app.figures.charts import bars, responsive
from app.figures.graph import PLAIN, Marks, class_colours
from app.figures.printed import Printed
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number
from app.widgets.graph_view import NODE, graph_view
from app.widgets.inside import drawing
from models.graph import struc2vec
from models.graph.graph import Graph
from pages.graph_embeddings_parts import structure
from pages.graph_embeddings_parts.lesson import OTHER, other_node
from pages.graph_embeddings_parts.scene import (
    Scene,
    agreement,
    code,
    latex_name,
    not_yet,
    plain,
    too_large,
)
from pages.graph_embeddings_parts.walks import distances

MOST_NODES = 150  # of a graph whose every two nodes are compared while the page waits
MOST_RING = 220  # nodes of a ring that is laid onto another one
LISTED = 10  # bars of one chart
TERMS = 8  # of a worked sum
STEPS = 24  # of the walk through the layers

RING = state.Param("ring_k", 1, state.parse_whole(0, 30), str)
LAYER = state.Param("layer_k", 0, state.parse_whole(0, 30), str)
WALK = state.Param("layer_walk", 0, state.parse_whole(0, 9999), str)


def config_of(scene: Scene) -> struc2vec.Config:
    """The settings of the run, the defaults while there is none; every two nodes compared."""
    config = scene.run.config if scene.run is not None else struc2vec.Config()
    assert isinstance(config, struc2vec.Config)
    return replace(config, opt2="off")


@dataclass(frozen=True, eq=False)
class Compared:
    """Every two nodes compared. table: f_k (K, N, N). depth: the last ring of each node (N,). context: the layers."""

    table: np.ndarray
    depth: np.ndarray
    context: struc2vec.Context


@st.cache_resource(show_spinner=False, max_entries=8)
def _compared(_graph: Graph, key: str, layers: int, opt1: bool) -> Compared:
    """key: names the graph in the cache."""
    found = struc2vec.distances(_graph, struc2vec.Config(layers=layers, opt1=opt1, opt2="off"))
    table = structure.table_of(found, _graph.count)
    return Compared(table, structure.depths(_graph, layers), struc2vec.context_graph(_graph.count, found))


def compared(scene: Scene) -> Compared | None:
    """None for a graph where this would take long."""
    if not 1 < scene.graph.count <= MOST_NODES:
        return None
    config = config_of(scene)
    found: Compared = _compared(scene.graph, scene.source.key, config.layers, config.opt1)
    return found


# ---------------------------------------------------------------- rings


def rings(scene: Scene) -> None:
    """Ring by ring around two nodes: their degrees in order, laid onto each other, and what that adds to f."""
    st.markdown(t("embed_inside.rings.about"))
    found = compared(scene)
    alike = (
        _same_degree(scene)
        if found is None
        else structure.nearest(found.table, found.depth, distances(scene.graph, scene.node), scene.node)
    )
    other = other_node(scene, alike)
    config = config_of(scene)
    if structure.longest_ring(scene.graph, scene.node, other, config.layers) > MOST_RING:
        too_large(MOST_RING, "ring")
        return
    levels = structure.levels(scene.graph, scene.node, other, config.layers, config.opt1)
    most = len(levels) - 1
    k = min(state.get(RING), most)
    if most:
        if state.get(RING) > most:
            state.put(RING, most)
        k = int(st.slider(t("embed_inside.rings.k"), 0, most, **state.bind(RING)))
    level = levels[k]
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(t("embed_inside.rings.one", name=plain(scene.name(scene.node))))
        _ring_view(scene, scene.node, level.first, NODE, "one", k)
    with right:
        st.markdown(t("embed_inside.rings.two", name=plain(scene.name(other))))
        _ring_view(scene, other, level.second, OTHER, "two", k)
    st.caption(t("embed_inside.rings.hint"))
    _warped(scene, level, other, k)
    _levels_table(scene, levels, other, found)
    code("models.graph.struc2vec:dtw", "models.graph.struc2vec:degree_cost")


def _same_degree(scene: Scene) -> int:
    """Another node of the nearest degree."""
    apart = np.abs(scene.graph.degree - scene.graph.degree[scene.node]).astype(np.float64)
    apart[scene.node] = np.inf
    return int(np.argmin(apart))


def _ring_view(
    scene: Scene, node: int, ring: np.ndarray, param: state.Param[int | None], side: str, k: int
) -> None:
    level = np.log1p(scene.graph.degree.astype(np.float64))
    graph_view(
        scene.graph,
        f"embed_inside:ring.{side}",
        place=scene.place,
        colours=draw.heat(level, (0.0, float(level.max()))),
        words=[t("embed_inside.rings.degree", n=int(d)) for d in scene.graph.degree],
        marks=Marks(
            chosen=node,
            near=ring.tolist(),
            notes={int(v): str(int(scene.graph.degree[v])) for v in ring} if len(ring) <= 30 else {},
        ),
        param=param,
        alt=t("embed_inside.rings.alt", name=scene.name(node), k=k, count=len(ring)),
    )


def _words(part: struc2vec.Sequence) -> list[str]:
    """ "3" for a degree, "3×4" for one that is there four times."""
    return [
        f"{degree:g}" + (f"×{times:.0f}" if times > 1 else "")
        for degree, times in zip(part.degree, part.times, strict=True)
    ]


def _warped(scene: Scene, level: structure.Level, other: int, k: int) -> None:
    """The table of costs with the cheapest way through it, and the sum along that way."""
    costs = struc2vec.degree_cost(level.a.degree[:, None], level.b.degree)
    costs = costs * np.maximum(level.a.times[:, None], level.b.times)
    path = [(int(i), int(j)) for i, j in level.warp.path]
    left, right = st.columns([3, 2], gap="large")
    with left:
        title = t("embed_inside.rings.table", k=k)
        svg = draw.warp_table(_words(level.a), _words(level.b), costs, path, title=title)
        drawing(svg, "embed_inside:warp")
        names = {"one": plain(scene.name(scene.node)), "two": plain(scene.name(other))}
        st.caption(t("embed_inside.rings.warp", **names))
    with right:
        st.latex(r"c(a,b)=\frac{\max(a,b)}{\min(a,b)}-1")
        shown = [(i, j) for i, j in path if costs[i, j] > 0][:TERMS]
        pieces = [_piece(level, costs, i, j) for i, j in shown]
        rest = float(sum(costs[i, j] for i, j in path)) - float(sum(costs[i, j] for i, j in shown))
        if rest > 1e-12:
            pieces.append(latex_number(rest))
        total = latex_number(float(level.warp.cost), 6)
        body = r"\\&\quad+".join(pieces) + r"\\&=" if pieces else ""
        st.latex(rf"\begin{{aligned}}g_{{{k}}}&={body}{total}\end{{aligned}}")
        agreement(float(sum(costs[i, j] for i, j in path)), level.warp.cost)


def _piece(level: structure.Level, costs: np.ndarray, i: int, j: int) -> str:
    a, b = float(level.a.degree[i]), float(level.b.degree[j])
    times = float(max(level.a.times[i], level.b.times[j]))
    ratio = rf"\Big(\tfrac{{{max(a, b):g}}}{{{min(a, b):g}}}-1\Big)"
    return ratio + (rf"\cdot{times:.0f}" if times > 1 else "")


def _levels_table(
    scene: Scene, levels: Sequence[structure.Level], other: int, found: Compared | None
) -> None:
    """f_k and the weight of the edge in each layer; the last f once more, as the training computes it."""
    st.latex(r"f_k(u,v)=f_{k-1}(u,v)+g_k\big(s(R_k(u)),s(R_k(v))\big),\qquad w_k(u,v)=e^{-f_k(u,v)}")
    st.dataframe(
        {
            "k": list(range(len(levels))),
            t("embed_inside.rings.sizes"): [f"{len(x.first)} | {len(x.second)}" for x in levels],
            "g": [round(float(x.warp.cost), 4) for x in levels],
            "f": [round(x.f, 4) for x in levels],
            "w": [round(float(np.exp(-x.f)), 4) for x in levels],
        },
        hide_index=True,
    )
    if found is not None:
        st.caption(t("embed_inside.rings.both"))
        agreement(levels[-1].f, float(found.table[len(levels) - 1, scene.node, other]))


# ---------------------------------------------------------------- layers


def layers(scene: Scene) -> None:
    """The context graph around the chosen node: its edges in one layer, the ways up and down, and one walk."""
    st.markdown(t("embed_inside.layers.about"))
    found = compared(scene)
    if found is None:
        too_large(MOST_NODES, "nodes")
        return
    k, most = 0, min(int(found.depth[scene.node]), found.context.layers - 1)
    if most:
        if state.get(LAYER) > most:
            state.put(LAYER, most)
        k = int(st.slider(t("embed_inside.layers.k"), 0, most, **state.bind(LAYER)))
    others, chance = found.context.neighbours(k, scene.node)
    order = np.argsort(-chance, kind="stable")[:LISTED]
    weight = np.exp(-found.table[k, scene.node])
    left, right = st.columns([3, 2], gap="large")
    with left:
        graph_view(
            scene.graph,
            "embed_inside:layer",
            place=scene.place,
            colours=draw.heat(weight, (0.0, 1.0)),
            words=[f"w = {w:.4f}" if np.isfinite(w) else "–" for w in weight],
            marks=Marks(),
            alt=t("embed_inside.layers.alt", name=scene.name(scene.node), k=k),
        )
        st.caption(t("embed_inside.layers.hint"))
    with right:
        st.markdown(t("embed_inside.layers.bars", name=plain(scene.name(scene.node)), k=k))
        title = t("embed_inside.layers.bars.alt", name=scene.name(scene.node), k=k)
        texts = [f"{v:.4f}" for v in chance[order]]
        names = scene.names(others[order])
        drawing(bars(chance[order], names, title=title, texts=texts, width=420), "embed_inside:layer.bars")
        st.latex(r"P_k(v\mid u)=\frac{e^{-f_k(u,v)}}{\sum_x e^{-f_k(u,x)}}")
    _moves(scene, found, k)
    code("models.graph.struc2vec:context_graph")
    _drawn_walk(scene, found.context)


def _moves(scene: Scene, found: Compared, k: int) -> None:
    """Stay, up, down: the three things that a walk may do here, with their numbers."""
    gamma, mean = structure.heavy(found.table[k], scene.node)
    upward = float(np.log(gamma + np.e))
    stay, up = config_of(scene).stay, float(found.context.up[k, scene.node])
    u = latex_name(scene.name(scene.node))
    st.latex(
        rf"\Gamma_{{{k}}}({u})={gamma},\qquad w_\uparrow=\log(\Gamma_{{{k}}}({u})+e)={latex_number(upward, 5)},"
        r"\qquad w_\downarrow=1"
    )
    st.markdown(
        t(
            "embed_inside.layers.moves",
            stay=f"{100 * stay:.1f}",
            up=f"{100 * (1 - stay) * up:.1f}",
            down=f"{100 * (1 - stay) * (1 - up):.1f}",
            gamma=gamma,
            mean=f"{mean:.4f}",
        )
    )
    if 0 < up < 1:
        agreement(upward / (upward + 1), up)
    else:
        st.caption(t("embed_inside.layers.only.up" if up else "embed_inside.layers.only.down"))


def another_layered() -> None:
    state.put(WALK, (state.get(WALK) + 1) % 10_000)


def _drawn_walk(scene: Scene, context: struc2vec.Context) -> None:
    """One walk as training draws it, with the layers it passes through."""
    st.subheader(t("embed_inside.layers.walk"), anchor=False)
    rng = np.random.default_rng(state.get(WALK))
    nodes, floors = struc2vec.walk_from(context, np.array([scene.node]), STEPS, config_of(scene).stay, rng)
    names, colours = scene.names(nodes[0]), scene.colours()[nodes[0]]

    def chart(width: int) -> str:
        title = t("embed_inside.layers.walk.alt", name=scene.name(scene.node))
        axis = t("embed_inside.layers.walk.axis")
        return draw.layered_walk(names, floors[0].tolist(), colours, title=title, axis=axis, width=width)

    drawing(responsive(chart, wide=760, narrow=360), "embed_inside:layered")
    st.button(
        t("embed_inside.walk.another"),
        key="embed_inside:another.layers",
        on_click=another_layered,
        icon=":material/casino:",
    )
    st.caption(t("embed_inside.layers.walk.about"))


# ---------------------------------------------------------------- look-alikes


def mirror(scene: Scene) -> None:
    """Which nodes have the same surroundings as far as the layers reach, and whether their vectors say so."""
    st.markdown(t("embed_inside.mirror.about"))
    found = compared(scene)
    if found is None:
        too_large(MOST_NODES, "nodes")
        return
    classes = structure.look_alikes(found.table, found.depth)
    sizes = np.bincount(classes)
    shared = int((sizes > 1).sum())
    palette = np.concatenate([class_colours(max(shared, 1)), [PLAIN]]).astype(np.uint8)
    colours = palette[np.where(sizes[classes] > 1, np.minimum(classes, shared), len(palette) - 1)]
    mine = np.flatnonzero(classes == classes[scene.node])
    graph_view(
        scene.graph,
        "embed_inside:mirror",
        place=scene.place,
        colours=colours,
        words=[t("embed_inside.mirror.word", n=int(sizes[c])) for c in classes],
        marks=Marks(chosen=scene.node, near=mine.tolist()),
        alt=t("embed_inside.mirror.alt", count=shared),
    )
    st.caption(t("embed_inside.mirror.hint"))
    layers_count = found.context.layers - 1
    if len(mine) > 1:
        others = t("embed_inside.join").join(plain(scene.name(int(v))) for v in mine[mine != scene.node][:12])
        words = {"name": plain(scene.name(scene.node)), "others": others, "count": len(mine) - 1}
        st.markdown(t("embed_inside.mirror.has", layers=layers_count, **words))
    else:
        st.markdown(t("embed_inside.mirror.none", name=plain(scene.name(scene.node)), layers=layers_count))
    if scene.vectors is None:
        not_yet()
        return
    measured = structure.alike(scene.graph, scene.vectors, classes)
    kinds = (("same", measured.same), ("joined", measured.joined), ("everyone", measured.everyone))
    st.dataframe(
        {
            t("embed_inside.mirror.pairs"): [t(f"embed_inside.mirror.{name}") for name, _ in kinds],
            t("embed_inside.mirror.cosine"): ["–" if np.isnan(v) else f"{Printed(v):.3f}" for _, v in kinds],
        },
        hide_index=True,
    )
    st.caption(t("embed_inside.mirror.reading"))

"""Inside LINE: a pair in first and in second order, one step of training, and both orders on the same nodes."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures.charts import bars
from app.figures.graph import Marks, fitted
from app.figures.printed import Printed
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number, worked_sum
from app.widgets.graph_view import graph_view
from app.widgets.inside import drawing
from models.graph import line
from models.graph.graph import Graph
from pages.graph_embeddings_parts import proximity as sums
from pages.graph_embeddings_parts.chance import alias_view
from pages.graph_embeddings_parts.lesson import DRAW, OTHER, draw_again, other_node, show_lesson
from pages.graph_embeddings_parts.scene import Scene, agreement, code, latex_name, not_yet, plain, too_large

LISTED, STRANGERS = 10, 4  # bars of one chart, and those of them without an edge to the chosen node
NOTED = 12  # neighbours that all carry their number
MOST_NODES = 20_000  # whose probabilities are summed while the page waits
LOOKED_AT = 5000  # pairs without an edge, to compare with those that have one


def _absent(scene: Scene, part: str) -> None:
    """The part was not trained: nothing was yet, or the settings leave it out."""
    if scene.run is None:
        not_yet()
    else:
        st.info(t(f"embed_inside.line.absent.{part}"), icon=":material/tune:")


@st.cache_resource(show_spinner=False, max_entries=4)
def _hopped(_graph: Graph, key: str, below: int) -> Graph:
    """key: names the graph in the cache."""
    return line.with_second_hop(_graph, below)


def learned_from(scene: Scene) -> Graph:
    """The graph whose edges are drawn: with second-hop edges where the settings ask for them."""
    below = int(scene.setting("second_hop", 0))
    found: Graph = _hopped(scene.graph, scene.source.key, below) if below else scene.graph
    return found


# ---------------------------------------------------------------- the pair


def listed(scene: Scene, score: np.ndarray) -> np.ndarray:
    """The nodes of a chart: neighbours first, then the strangers of the highest scores, each by its score."""
    others = np.argsort(-score, kind="stable")
    others = others[others != scene.node]
    near = scene.graph.has_edge(np.full(len(others), scene.node), others)
    return np.concatenate([others[near][: LISTED - STRANGERS], others[~near][:STRANGERS]])


def _show(scene: Scene, score: np.ndarray, order: str, said: np.ndarray | None = None) -> int:
    """The graph with the chosen node's edges as wide as their score, beside bars to pick the other node from."""
    nodes = listed(scene, score)
    other = other_node(scene, int(nodes[0]))
    left, right = st.columns([3, 2], gap="large")
    with left:
        _spokes(scene, score, other, order)
    with right:
        st.markdown(t(f"embed_inside.line.{order}.bars", name=plain(scene.name(scene.node))))
        near = scene.graph.has_edge(np.full(len(nodes), scene.node), nodes)
        stranger = t("embed_inside.line.stranger")
        labels = [
            name if joined else f"{name} · {stranger}"
            for name, joined in zip(scene.names(nodes), near, strict=True)
        ]
        texts = [f"{score[v]:.3f}" + ("" if said is None else f" | {said[v]:.3f}") for v in nodes]
        chart = bars(
            score[nodes],
            labels,
            title=t("embed_inside.line.bars", name=scene.name(scene.node)),
            chosen=next((k for k, v in enumerate(nodes) if v == other), None),
            ids=[str(int(v)) for v in nodes],
            texts=texts,
            width=480,
        )
        drawing(
            chart,
            f"embed_inside:bars.{order}",
            selected=str(other),
            on_pick=lambda name: state.put(OTHER, int(name)),
        )
    return other


def _spokes(scene: Scene, score: np.ndarray, other: int, order: str) -> None:
    near = scene.graph.neighbours(scene.node)
    near = near[near != scene.node]
    noted = near if len(near) <= NOTED else np.array([other])
    top = max(float(score[near].max(initial=0)), 1e-9)
    graph_view(
        scene.graph,
        f"embed_inside:spokes.{order}",
        place=scene.place,
        marks=Marks(
            chosen=scene.node,
            near=[other],
            spokes={int(v): float(score[v]) / top for v in near},
            notes={int(v): f"{score[v]:.2f}" for v in noted},
        ),
        label_names=scene.source.label_names,
        alt=t("embed_inside.line.alt", name=scene.name(scene.node), other=scene.name(other)),
    )
    st.caption(t("embed_inside.line.hint"))


def _title(scene: Scene, other: int) -> tuple[str, str]:
    """The heading of a pair, and both names for formulas."""
    one, two = scene.name(scene.node), scene.name(other)
    st.subheader(t("embed_inside.line.worked", one=plain(one), two=plain(two)), anchor=False)
    return latex_name(one), latex_name(two)


# ---------------------------------------------------------------- first order


def first(scene: Scene) -> None:
    """p1 of the chosen node and each other, beside the weight of their edge; one dot product worked out."""
    st.markdown(t("embed_inside.line.first.about"))
    u = scene.table("first")
    if u is None:
        _absent(scene, "first")
        return
    other = _show(scene, line.joint_probability(u, u[scene.node][None]), "first")
    _first_worked(scene, u, other)
    _first_all(scene, u)
    code("models.graph.line:joint_probability", "models.graph.line:first_order_objective")


def _first_worked(scene: Scene, u: np.ndarray, other: int) -> None:
    """The dot product, p1 of it, and the edge's part of the objective."""
    i, j = _title(scene, other)
    pairs = zip(u[scene.node].tolist(), u[other].tolist(), strict=True)
    terms = [(rf"k={k}", a, b) for k, (a, b) in enumerate(pairs)]
    worked = worked_sum(terms, symbol=rf"\vec u_{{{i}}}^{{\top}}\vec u_{{{j}}}", shown=6)
    again = float(sums.sigmoid(worked.exact))
    st.latex(
        rf"p_1({i},{j})=\frac{{1}}{{1+\exp(-\vec u_i^{{\top}}\vec u_j)}}"
        rf"=\frac{{1}}{{1+e^{{{latex_number(-worked.exact)}}}}}={latex_number(again, 6)}"
    )
    agreement(again, float(line.joint_probability(u[scene.node], u[other])))
    graph = learned_from(scene)
    at = int(graph.position(np.array([scene.node]), np.array([other]))[0])
    if at < 0:
        st.caption(t("embed_inside.line.no_edge"))
        return
    weight, total = float(graph.data[at]), float(graph.weight.sum())
    cost = -weight * float(sums.log_sigmoid(worked.exact))
    st.latex(
        rf"\hat p_1({i},{j})=\frac{{w_{{ij}}}}{{W}}=\frac{{{latex_number(weight)}}}{{{latex_number(total, 6)}}}"
        rf"={latex_number(weight / total)},\qquad -w_{{ij}}\log p_1({i},{j})={latex_number(cost)}"
    )


def _first_all(scene: Scene, u: np.ndarray) -> None:
    """O1 over all edges, and p1 of pairs with an edge and without."""
    graph, rng = learned_from(scene), np.random.default_rng(0)
    joined = line.joint_probability(u[graph.source], u[graph.target])
    a, b = rng.integers(graph.count, size=(2, LOOKED_AT))
    free = (a != b) & ~graph.has_edge(a, b)
    others = float(line.joint_probability(u[a[free]], u[b[free]]).mean()) if free.any() else float("nan")
    st.markdown(
        t(
            "embed_inside.line.first.all",
            objective=f"{line.first_order_objective(graph, u):.2f}",
            edges=f"{float(joined.mean()):.3f}",
            others="–" if np.isnan(others) else f"{others:.3f}",
        )
    )


# ---------------------------------------------------------------- second order


def second(scene: Scene) -> None:
    """p2(.|i) over all contexts beside w_ij / d_i; one of them worked out; what the notes' form would give."""
    st.markdown(t("embed_inside.line.second.about"))
    u, contexts = scene.table("second"), scene.table("context")
    if u is None or contexts is None:
        _absent(scene, "second")
        return
    if scene.graph.count > MOST_NODES:
        too_large(MOST_NODES, "nodes")
        return
    dots = contexts.astype(np.float64) @ u[scene.node].astype(np.float64)
    chance = sums.softmax(dots)
    graph = learned_from(scene)
    said = np.zeros(graph.count)
    said[graph.neighbours(scene.node)] = graph.weights_of(scene.node)
    said = said / max(said.sum(), 1e-300)
    other = _show(scene, chance, "second", said)
    i, j = _title(scene, other)
    raised = np.exp(dots)
    st.latex(
        rf"\begin{{aligned}}p_2({j}\mid {i})&=\frac{{\exp(\vec u_{{{j}}}^{{\prime\top}}\vec u_{{{i}}})}}"
        rf"{{\sum_k\exp(\vec u_k^{{\prime\top}}\vec u_{{{i}}})}}\\"
        rf"&=\frac{{e^{{{latex_number(float(dots[other]))}}}}}{{{latex_number(float(raised.sum()), 6)}}}"
        rf"={latex_number(float(chance[other]), 5)}\end{{aligned}}"
    )
    agreement(float(chance[other]), float(line.conditional_probability(u[scene.node], contexts)[other]))
    st.markdown(
        t(
            "embed_inside.line.second.all",
            total=f"{Printed(float(chance.sum())):.9f}",
            notes=f"{Printed(float((raised / np.exp(-dots).sum()).sum())):.4g}",
            distance=f"{sums.apart(said, chance):.4f}",
            weight=f"{float(graph.strength[scene.node]):.4g}",
            name=plain(scene.name(scene.node)),
        )
    )
    _twin(scene, u)
    code("models.graph.line:conditional_probability", "models.graph.line:second_order_objective")


def _twin(scene: Scene, u: np.ndarray) -> None:
    """The stranger whose vector points most the same way, and how many neighbours the two share."""
    cosine = line.unit(u).astype(np.float64) @ line.unit(u)[scene.node]
    near = scene.graph.neighbours(scene.node)
    cosine[scene.node], cosine[near] = -np.inf, -np.inf
    who = int(np.argmax(cosine))
    if not np.isfinite(cosine[who]):
        return
    st.markdown(
        t(
            "embed_inside.line.second.twin",
            name=plain(scene.name(scene.node)),
            twin=plain(scene.name(who)),
            cosine=f"{Printed(float(cosine[who])):.3f}",
            shared=len(np.intersect1d(near, scene.graph.neighbours(who))),
            of=len(near),
        )
    )


# ---------------------------------------------------------------- one step of training


def training(scene: Scene) -> None:
    """An edge is drawn, K nodes are drawn against it, and both ends move."""
    st.markdown(t("embed_inside.line.training.about"))
    graph, negatives = learned_from(scene), int(scene.setting("negatives", 5))
    noise = line.noise(graph)
    rng = np.random.default_rng([state.get(DRAW), 1])
    at = int(rng.choice(len(graph.data), p=graph.data / graph.data.sum()))
    i, j = int(graph.row[at]), int(graph.indices[at])
    drawn = rng.choice(graph.count, size=negatives, p=noise)
    left, right = st.columns([3, 2], gap="large")
    with left:
        graph_view(
            scene.graph,
            "embed_inside:training",
            place=scene.place,
            marks=Marks(
                chosen=i,
                near=[j, *drawn.tolist()],
                spokes={j: 0.8},
                notes={int(v): "−" for v in drawn} | {j: "+"},
            ),
            alt=t("embed_inside.line.training.alt", one=scene.name(i), two=scene.name(j)),
        )
        st.caption(t("embed_inside.line.training.hint", count=negatives, shared=line.SHARED))
    with right:
        st.latex(r"P(i,j)=\frac{w_{ij}}{W},\qquad P_n(v)\propto d_v^{3/4}")
        words = {"one": plain(scene.name(i)), "two": plain(scene.name(j))}
        share = float(graph.data[at] / graph.weight.sum())
        st.markdown(t("embed_inside.line.training.chances", edge=f"{share:.5f}", **words))
        st.button(
            t("embed_inside.line.training.again"),
            key="embed_inside:again",
            on_click=draw_again,
            icon=":material/casino:",
        )
    u, contexts = scene.table("second"), scene.table("context")
    if u is None or contexts is None:
        u = contexts = scene.table("first")  # first order: both ends have the same kind of vector
    if u is None or contexts is None:
        not_yet()
    else:
        show_lesson(scene, u[i], contexts, np.concatenate([[j], drawn]))
    code("models.graph.line:gradients")
    alias_view(noise, scene.graph.names, "noise", t("embed_inside.alias.noise.line"))


# ---------------------------------------------------------------- first against second


def orders(scene: Scene) -> None:
    """The same nodes by each order alone, and what both say of ties and of twins."""
    st.markdown(t("embed_inside.orders.about"))
    if scene.source.sample_id != "orders":
        st.caption(t("embed_inside.orders.sample"))
    parts = {name: scene.table(name) for name in ("first", "second")}
    if any(u is None for u in parts.values()):
        _absent(scene, "both")
        return
    found: dict[str, sums.Kinds] = {}
    for column, (name, u) in zip(st.columns(2, gap="large"), parts.items(), strict=True):
        assert u is not None
        found[name] = sums.kinds(scene.graph, u)
        with column:
            st.markdown(f"**{t(f'embed_inside.orders.{name}')}**")
            graph_view(
                scene.graph,
                f"embed_inside:orders.{name}",
                place=fitted(_plane(u)),
                alt=t(f"embed_inside.orders.alt.{name}"),
                tallest=0.9,
                marks=Marks(),
            )
    count = found["first"]
    st.dataframe(
        {
            t("embed_inside.orders.pairs"): [
                t("embed_inside.orders.tied", count=f"{count.tied:,}"),
                t("embed_inside.orders.twins", count=f"{count.twins:,}"),
                t("embed_inside.orders.all"),
            ],
            **{t(f"embed_inside.orders.{name}"): _cosines(kinds) for name, kinds in found.items()},
        },
        hide_index=True,
    )
    st.caption(t("embed_inside.orders.reading"))


def _cosines(found: sums.Kinds) -> list[str]:
    values = (found.cosine_tied, found.cosine_twins, found.cosine_all)
    return ["–" if np.isnan(v) else f"{Printed(v):.3f}" for v in values]


def _plane(vectors: np.ndarray) -> np.ndarray:
    """float64 (N, 2): the two principal directions of the vectors brought to length 1, as LINE joins them."""
    centred = line.unit(vectors).astype(np.float64)
    centred -= centred.mean(0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    flat: np.ndarray = centred @ axes[:2].T
    return flat

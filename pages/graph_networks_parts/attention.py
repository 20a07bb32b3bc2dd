"""GAT: how much a node listens to each neighbour, head by head, and whether that depends on who listens."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures.charts import bars, responsive
from app.text import t
from app.widgets import state
from app.widgets.tensor import drawing
from pages.graph_networks_parts.forward import Edges, gat_edges, gat_scores
from pages.graph_networks_parts.listening import listening
from pages.graph_networks_parts.matrix import HEAD
from pages.graph_networks_parts.rounds import tex
from pages.graph_networks_parts.view import Scene, Seen, inside_at, look_now, node_now, round_now, say_moment

BARS = 12
ALL_PAIRS = 200  # nodes up to which every pair is scored


def attention(scene: Scene) -> None:
    """The whole section; only for GAT."""
    st.header(t("graph_networks.attention"), anchor="attention")
    st.markdown(t("graph_networks.attention.about"))
    seen = inside_at(scene, look_now(scene))
    say_moment(scene, seen)
    node, layer = node_now(scene), round_now(scene)
    weights = seen.taps[f"layers.{layer}.weights"].astype(np.float64)
    scores = seen.taps[f"layers.{layer}.scores"].astype(np.float64)
    heads = weights.shape[1]
    head = 0
    if heads > 1:
        st.segmented_control(
            t("graph_networks.head"), range(heads), required=True, **state.bind(HEAD, range(heads))
        )
        head = state.get(HEAD, range(heads))
    else:
        st.caption(t("graph_networks.attention.one", round=layer + 1))
    looped, left_out = gat_edges(scene.edges)
    at = looped.arriving(node)
    at = at[~left_out[at]]
    order = at[np.argsort(-weights[at, head], kind="stable")]
    _pictures(scene, seen, node, looped, order, weights[:, head])
    _score(scene, seen, layer, head, looped, order, scores, weights)
    _entropy(looped, left_out, weights)
    _static(scene, seen, layer, head)


def _pictures(
    scene: Scene, seen: Seen, node: int, looped: Edges, order: np.ndarray, share: np.ndarray
) -> None:
    """The shares on the edges of the graph, and as bars beside what equal shares would be."""
    names, senders = scene.graph.names, looped.source[order]
    left, right = st.columns(2, gap="medium")
    with left:
        listening(
            scene,
            "graph_networks.attention.graph",
            node,
            senders.tolist(),
            share[order] / float(share[order].max()),
            [f"{value:.3f}" for value in share[order]],
            look=seen.look,
            title=t("graph_networks.attention.alt", name=names[node]),
        )
    with right:
        labels = [
            t("graph_networks.itself", name=names[v]) if v == node else names[v] for v in senders[:BARS]
        ]
        drawing(
            responsive(
                lambda width: bars(
                    share[order[:BARS]], labels, title=t("graph_networks.attention.bars"), width=width
                )
            ),
            "graph_networks.attention.bars",
        )
        st.caption(t("graph_networks.attention.uniform", n=len(order), share=f"{1 / len(order):.3f}"))


def _score(
    scene: Scene, seen: Seen, layer: int, head: int, looped: Edges, order: np.ndarray, scores: np.ndarray,
    weights: np.ndarray,
) -> None:  # fmt: skip
    """The score and the share of the strongest message, worked out from the layer's vectors."""
    e = int(order[0])
    i, j = int(looped.target[e]), int(looped.source[e])
    h = seen.reads(scene, layer).astype(np.float64)
    state_ = {n: v.astype(np.float64) for n, v in seen.state.items() if n.startswith(f"layers.{layer}.")}
    names = scene.graph.names
    pair = Edges(np.array([1]), np.array([0]), looped.weight[[e]], 2)
    values, again = gat_scores(scene.config, state_, layer, h[[i, j]], pair)
    who = rf"i={tex(names[i])},\;j={tex(names[j])}"
    if scene.config["version"] == 1:
        prefix = f"layers.{layer}.scores"
        left = float(values[0, head] @ state_[f"{prefix}.attend_target"][head])
        right = float(values[1, head] @ state_[f"{prefix}.attend_source"][head])
        st.latex(
            rf"\begin{{aligned}}&{who}:\\ e_{{ij}}&=\mathrm{{LeakyReLU}}\big(\underbrace{{{left:.4g}}}"
            rf"_{{a_t^\top Wh_i}}+\underbrace{{{right:.4g}}}_{{a_s^\top Wh_j}}\big)\\&={again[0, head]:.6g}"
            rf"\end{{aligned}}"
        )
    else:
        st.latex(
            rf"\begin{{aligned}}&{who}:\\ e_{{ij}}&=a^\top\,\mathrm{{LeakyReLU}}(W_th_i+W_sh_j)\\"
            rf"&={again[0, head]:.6g}\end{{aligned}}"
        )
    total = float(np.exp(scores[order, head] - scores[e, head]).sum())
    st.latex(
        rf"\alpha_{{ij}}=\frac{{e^{{e_{{ij}}}}}}{{\sum_k e^{{e_{{ik}}}}}}=\frac{{1}}{{{total:.5g}}}={1 / total:.6g}"
    )
    st.caption(
        ":material/check: "
        + t(
            "graph_networks.attention.check",
            score=f"{abs(again[0, head] - scores[e, head]):.1e}",
            share=f"{abs(1 / total - weights[e, head]):.1e}",
            by=t(f"graph_networks.by.{seen.by}"),
        )
    )


def entropies(looped: Edges, left_out: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(heads,): the mean over nodes with two or more messages of the entropy of their shares, 1 being equal shares."""
    terms = np.where(weights > 0, -weights * np.log(np.maximum(weights, 1e-300)), 0)
    count = np.bincount(looped.target[~left_out], minlength=looped.count)
    many = count > 1
    found = [
        np.bincount(looped.target, weights=column, minlength=looped.count)[many] / np.log(count[many])
        for column in terms.T
    ]
    return np.array([values.mean() if len(values) else 1.0 for values in found])


def _entropy(looped: Edges, left_out: np.ndarray, weights: np.ndarray) -> None:
    found = entropies(looped, left_out, weights)
    listed = ", ".join(
        t("graph_networks.attention.of_head", n=n, value=f"{v:.3f}") for n, v in enumerate(found)
    )
    st.markdown(t("graph_networks.attention.entropy", listed=listed))


def orders(scores: np.ndarray) -> int:
    """How many different orders the rows of a table (targets, sources) put their columns in."""
    return len(np.unique(np.argsort(-scores, axis=1, kind="stable"), axis=0))


def _static(scene: Scene, seen: Seen, layer: int, head: int) -> None:
    """Every node scores every node: does the order of the senders depend on the receiver?"""
    count = scene.graph.count
    if count > ALL_PAIRS:
        return
    state_ = {n: v.astype(np.float64) for n, v in seen.state.items() if n.startswith(f"layers.{layer}.")}
    target, source = (side.ravel() for side in np.indices((count, count)))
    every = Edges(source, target, np.ones(count * count), count)
    _, scores = gat_scores(scene.config, state_, layer, seen.reads(scene, layer).astype(np.float64), every)
    table = scores[:, head].reshape(count, count)
    different = orders(np.round(table, 12))
    favourites = len(np.unique(table.argmax(1)))
    st.markdown(
        t(
            f"graph_networks.attention.static.{scene.config['version']}",
            count=count,
            orders=different,
            favourites=favourites,
            head=head,
        )
    )

"""What skip-gram learns from the walks: the way down a Huffman tree, or one true context against a few drawn ones."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import embed as draw
from app.figures.charts import bars, responsive
from app.figures.printed import Printed
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number
from app.widgets.inside import drawing
from models.graph import skipgram
from pages.graph_embeddings_parts import proximity
from pages.graph_embeddings_parts.chance import alias_view
from pages.graph_embeddings_parts.corpus import MOST_COMPARED, frequency_of
from pages.graph_embeddings_parts.lesson import DRAW, OTHER, draw_again, other_node, show_lesson
from pages.graph_embeddings_parts.scene import Scene, agreement, code, latex_name, not_yet, plain, too_large

LISTED = 10  # bars of one chart
MOST_NODES = 3000  # whose paths are all walked down while the page waits


def loss(scene: Scene) -> None:
    """What was trained: the view of the loss that the run used."""
    if scene.run is None or scene.vectors is None:
        not_yet()
    elif scene.graph.count > MOST_NODES or frequency_of(scene) is None:
        too_large(MOST_COMPARED if scene.method == "struc2vec" else MOST_NODES, "nodes")
    elif scene.run.config.loss == "hs":
        softmax(scene)
    else:
        negatives(scene)


def _other(scene: Scene, ranked: np.ndarray) -> int:
    return other_node(scene, int(next(v for v in ranked if v != scene.node)))


def _contexts(scene: Scene, chance: np.ndarray, chosen: int) -> None:
    """The likeliest contexts as bars; one of them is picked, and is worked out below."""
    order = np.argsort(-chance, kind="stable")[:LISTED]
    if chosen not in order:
        order = np.append(order[:-1], chosen)
    chart = bars(
        chance[order],
        scene.names(order),
        title=t("embed_inside.softmax.bars", name=scene.name(scene.node)),
        chosen=int(np.flatnonzero(order == chosen)[0]),
        ids=[str(int(v)) for v in order],
        texts=[f"{chance[v]:.4f}" for v in order],
        width=460,
    )
    st.markdown(t("embed_inside.softmax.contexts", name=plain(scene.name(scene.node))))
    drawing(
        chart, "embed_inside:contexts.of", selected=str(chosen), on_pick=lambda v: state.put(OTHER, int(v))
    )


# ---------------------------------------------------------------- hierarchical softmax


def softmax(scene: Scene) -> None:
    """The path of a context in the Huffman tree of the walks, every turn with its probability."""
    st.markdown(t("embed_inside.softmax.about"))
    vectors, inner, frequency = scene.vectors, scene.table("inner"), frequency_of(scene)
    assert vectors is not None and frequency is not None
    if inner is None or len(inner) != scene.graph.count - 1:
        not_yet()
        return
    tree = skipgram.huffman(frequency)
    chance = skipgram.path_probabilities(tree, vectors[scene.node], inner)
    other = _other(scene, np.argsort(-chance, kind="stable"))
    turns, dots = turns_of(tree, frequency, vectors[scene.node], inner, other)
    left, right = st.columns([3, 2], gap="large")
    with left:
        svg = responsive(
            lambda width: draw.tree_path(
                turns,
                scene.name(other),
                title=t("embed_inside.softmax.alt", name=scene.name(other)),
                width=width,
            ),
            wide=560,
            narrow=360,
        )
        drawing(svg, "embed_inside:tree")
    with right:
        _contexts(scene, chance, other)
    u, v = latex_name(scene.name(scene.node)), latex_name(scene.name(other))
    st.latex(
        r"p(v\mid u)=\prod_{j\,\in\,\text{path}(v)}\sigma(s_j\,\vec w_j^{\,\top}\vec h_u),\qquad s_j=+1\ (0),\ -1\ (1)"
    )
    factors = r"\cdot".join(latex_number(turn.probability) for turn in turns[:8])
    more = r"\cdots" if len(turns) > 8 else ""
    product = float(np.prod([turn.probability for turn in turns]))
    st.latex(rf"p({v}\mid {u})={factors}{more}={latex_number(product, 6)}")
    agreement(product, float(chance[other]))
    with st.expander(t("embed_inside.softmax.table")):
        st.dataframe(
            {
                t("embed_inside.softmax.inner"): [turn.node for turn in turns],
                t("embed_inside.softmax.bit"): [turn.bit for turn in turns],
                "w·h": [round(float(d), 5) for d in dots],
                "σ(±w·h)": [round(turn.probability, 5) for turn in turns],
                t("embed_inside.softmax.product"): np.cumprod([turn.probability for turn in turns])
                .round(7)
                .tolist(),
            },
            hide_index=True,
        )
    share = frequency / frequency.sum()
    entropy = float(-(share[share > 0] * np.log2(share[share > 0])).sum())
    st.markdown(
        t(
            "embed_inside.softmax.says",
            total=f"{Printed(float(chance.sum())):.9f}",
            turns=len(turns),
            nodes=f"{scene.graph.count:,}",
            mean=f"{float((share * tree.lengths).sum()):.2f}",
            entropy=f"{entropy:.2f}",
        )
    )
    code("models.graph.skipgram:huffman", "models.graph.skipgram:path_probabilities")


def turns_of(
    tree: skipgram.Tree, frequency: np.ndarray, h: np.ndarray, inner: np.ndarray, leaf: int
) -> tuple[list[draw.Turn], np.ndarray]:
    """The turns on the way to a leaf, and the dot product w_j · h at each."""
    depth = int(tree.lengths[leaf])
    path, left = tree.paths[leaf, :depth], tree.left[leaf, :depth]
    dots = inner[path].astype(np.float64) @ h.astype(np.float64)
    sure = proximity.sigmoid(np.where(left, dots, -dots))
    total = float(max(frequency.sum(), 1))
    turns = []
    for k in range(depth):
        beyond = (tree.paths[:, k] == path[k]) & (tree.left[:, k] != left[k])
        words = t(
            "embed_inside.softmax.beyond",
            count=int(beyond.sum()),
            share=f"{100 * float(frequency[beyond].sum()) / total:.1f}",
        )
        turns.append(draw.Turn(str(int(path[k])), 0 if left[k] else 1, float(sure[k]), words))
    return turns, dots


# ---------------------------------------------------------------- negative sampling


def negatives(scene: Scene) -> None:
    """One pair and K nodes drawn against it; every term of the loss; what the dot products have come to mean."""
    st.markdown(t("embed_inside.negatives.about"))
    vectors, contexts, frequency = scene.vectors, scene.table("context"), frequency_of(scene)
    assert vectors is not None and frequency is not None and scene.run is not None
    if contexts is None or contexts.shape != vectors.shape:
        not_yet()
        return
    dots = contexts.astype(np.float64) @ vectors[scene.node].astype(np.float64)
    chance = proximity.sigmoid(dots)
    other = _other(scene, np.argsort(-chance, kind="stable"))
    noise = np.maximum(frequency, 1e-12) ** skipgram.NOISE_POWER
    rng = np.random.default_rng([state.get(DRAW), 2])
    drawn = rng.choice(len(noise), size=int(scene.run.config.negatives), p=noise / noise.sum())
    drawn = drawn[drawn != other]  # a negative that is the context itself is left out, as in training
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_lesson(scene, vectors[scene.node], contexts, np.concatenate([[other], drawn]))
        st.button(
            t("embed_inside.negatives.again"), key="embed_inside:negatives", on_click=draw_again,
            icon=":material/casino:",
        )  # fmt: skip
    with right:
        _contexts(scene, chance, other)
    code("models.graph.skipgram:NegativeSampling", "models.graph.skipgram:gradients")
    alias_view(noise, scene.names(np.arange(scene.graph.count)), "noise", t("embed_inside.alias.noise.walks"))

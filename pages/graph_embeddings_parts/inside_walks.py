"""Inside DeepWalk and node2vec: one walk step by step, where many walks go, and the pairs they are read as."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.figures import embed as draw
from app.figures.charts import bars, responsive
from app.figures.graph import Marks
from app.figures.plots import Line, lines
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number
from app.widgets.graph_view import graph_view
from app.widgets.inside import drawing
from models.graph import skipgram
from pages.graph_embeddings_parts import walks as sums
from pages.graph_embeddings_parts.chance import alias_view
from pages.graph_embeddings_parts.corpus import Choice, choice_at, drawn_from
from pages.graph_embeddings_parts.scene import Scene, code, fit_words, latex_name, plain, too_large

SHOWN = 40  # nodes of the walk that is drawn
DRAWS = 20_000  # of one step, against its probabilities
MANY, LONG = 300, 20  # walks from one node, to see where they go
LISTED = 12  # bars of one chart
MANY_EDGES = 30_000  # of a graph on which only the walk itself is drawn: tables of all steps take their time
EXACT_WORK = 2_000_000  # edges times steps that are multiplied while the page waits
BIASES = (0.25, 0.5, 1.0, 2.0, 4.0)
KINDS = ("return", "common", "away")

SEED = state.Param("walk_seed", 0, state.parse_whole(0, 9999), str)
STEP = state.Param("walk_step", 6, state.parse_whole(0, SHOWN - 1), str)
CENTRE = state.Param("walk_centre", 5, state.parse_whole(0, SHOWN - 1), str)
P = state.Param(
    "p_walk", -1.0, state.parse_number(-1.0, 1000.0), state.format_number
)  # -1: as it was trained
Q = state.Param("q_walk", -1.0, state.parse_number(-1.0, 1000.0), state.format_number)


@dataclass(frozen=True, eq=False)
class Moment:
    """Where a walk stands: its nodes, the place of the step that is looked at, p and q, and the choice that is made."""

    steps: np.ndarray
    at: int
    p: float
    q: float
    choice: Choice

    @property
    def now(self) -> int:
        return int(self.steps[self.at])

    @property
    def before(self) -> int | None:
        return int(self.steps[self.at - 1]) if self.at else None

    @property
    def after(self) -> int | None:
        """None at the last node that is shown."""
        return int(self.steps[self.at + 1]) if self.at + 1 < len(self.steps) else None


def biases(scene: Scene) -> tuple[float, float]:
    """p and q of the walks that are shown, with a slider each for node2vec; DeepWalk's are 1."""
    if scene.method != "node2vec":
        return 1.0, 1.0
    p, q = (_bias(scene, name, param) for name, param in (("p", P), ("q", Q)))
    return p, q


def _bias(scene: Scene, name: str, param: state.Param[float]) -> float:
    trained = float(scene.setting(name, 1.0))
    options = tuple(sorted({*BIASES, trained}))
    if state.get(param) not in (*options, -1.0):
        state.forget(param)
    return float(
        st.select_slider(
            t(f"embed_inside.walk.{name}"),
            options,
            format_func=lambda v: f"{v:g}",
            help=t(f"embed_inside.walk.{name}.help"),
            **state.follow(param, trained),
        )
    )


def one_walk(scene: Scene, p: float, q: float) -> np.ndarray:
    """int64 (steps,): the walk that is shown, cut where it ended."""
    found = drawn_from(scene, scene.node, 1, SHOWN, p, q, state.get(SEED))[0]
    return found[found >= 0]


def another_walk() -> None:
    state.put(SEED, (state.get(SEED) + 1) % 10_000)


def next_step() -> None:
    state.put(STEP, min(state.get(STEP) + 1, SHOWN - 1))


# ---------------------------------------------------------------- one walk


def walk(scene: Scene) -> None:
    """One walk on the graph, the probabilities of its next step, and where many walks go."""
    st.markdown(t(f"embed_inside.walk.about.{scene.method}"))
    left, right = st.columns([3, 2], gap="large")
    with right:
        moment = _moment(scene)
        if moment is None:
            return
        _choice(scene, moment)
    with left:
        _on_the_graph(scene, moment)
    if moment.after is None:
        st.caption(t("embed_inside.walk.end"))
    else:
        _worked(scene, moment, moment.after)
    if scene.method == "node2vec":
        code("models.graph.node2vec:transitions", "models.graph.node2vec:random_walks")
    else:
        code("models.graph.deepwalk:transitions", "models.graph.deepwalk:random_walks")
    if scene.graph.edges <= MANY_EDGES:
        _far(scene, moment.p, moment.q)
    else:
        too_large(MANY_EDGES, "edges")
    names = scene.names(moment.choice.neighbours)
    alias_view(moment.choice.weight, names, "step", t("embed_inside.alias.step"))


def _moment(scene: Scene) -> Moment | None:
    """The controls, and what they say. None, and a sentence, where the chosen node leads nowhere."""
    p, q = biases(scene)
    steps = one_walk(scene, p, q)
    if len(steps) < 2:
        st.info(t("embed_inside.walk.alone", name=plain(scene.name(scene.node))))
        return None
    at = int(st.slider(t("embed_inside.walk.step"), 0, SHOWN - 1, **state.bind(STEP)))
    with st.container(horizontal=True):
        st.button(
            t("embed_inside.walk.next"), key="embed_inside:next", on_click=next_step, icon=":material/step:"
        )
        _another("walk")
    at = min(at, len(steps) - 1)
    before = int(steps[at - 1]) if at else None
    return Moment(steps, at, p, q, choice_at(scene, before, int(steps[at]), p, q))


def _another(where: str) -> None:
    st.button(
        t("embed_inside.walk.another"),
        key=f"embed_inside:another.{where}",
        on_click=another_walk,
        icon=":material/casino:",
    )


def _on_the_graph(scene: Scene, m: Moment) -> None:
    pairs = zip(m.choice.neighbours, m.choice.probability, strict=True)
    graph_view(
        scene.graph,
        "embed_inside:walk",
        place=scene.place,
        marks=Marks(
            chosen=m.now,
            walk=[int(v) for v in m.steps[: m.at + 1]],
            spokes={int(v): float(w) for v, w in pairs},
        ),
        label_names=scene.source.label_names,
        alt=t("embed_inside.walk.alt", start=scene.name(scene.node), now=scene.name(m.now), step=m.at),
    )
    st.caption(t("embed_inside.walk.hint"))


def _choice(scene: Scene, m: Moment) -> None:
    """A bar for each neighbour: how likely the next step goes there. The one it took is marked."""
    neighbours, chance = m.choice.neighbours, m.choice.probability
    if not len(neighbours):
        return
    shown = np.argsort(-chance, kind="stable")[:LISTED]
    if m.after is not None and m.after not in neighbours[shown]:
        shown = np.append(shown[:-1], np.flatnonzero(neighbours == m.after))
    labels = scene.names(neighbours[shown])
    if m.choice.kind is not None:
        kinds = [t(f"embed_inside.kind.{KINDS[k]}") for k in m.choice.kind[shown]]
        labels = [f"{name} · {kind}" for name, kind in zip(labels, kinds, strict=True)]
    chart = bars(
        chance[shown],
        labels,
        title=t("embed_inside.walk.bars", name=scene.name(m.now)),
        chosen=None if m.after is None else int(np.flatnonzero(neighbours[shown] == m.after)[0]),
        texts=[f"{v:.4f}" for v in chance[shown]],
        width=400,
    )
    st.markdown(t("embed_inside.walk.from", name=plain(scene.name(m.now))))
    drawing(chart, "embed_inside:choice")
    if len(neighbours) > len(shown):
        rest = 1 - float(chance[shown].sum())
        st.caption(t("embed_inside.walk.rest", count=len(neighbours) - len(shown), share=f"{rest:.3f}"))


# ---------------------------------------------------------------- its numbers


def _worked(scene: Scene, m: Moment, after: int) -> None:
    """The probability of the step that was taken, with its numbers; and the sampler's own frequencies."""
    found = m.choice
    k = int(np.flatnonzero(found.neighbours == after)[0])
    now, then = latex_name(scene.name(m.now)), latex_name(scene.name(after))
    weight, total = float(found.weight[k]), float(found.weight.sum())
    if found.kind is None or m.before is None:
        st.latex(
            r"P(x\mid v)=\frac{w_{vx}}{\sum_k w_{vk}}" + ("" if scene.graph.weighted else r"=\frac{1}{d_v}")
        )
        left, under = rf"P(x={then}\mid v={now})", ""
    else:
        st.latex(
            r"\pi_{vx}=\alpha_{pq}(t,x)\,w_{vx},\qquad\alpha_{pq}(t,x)="
            r"\begin{cases}1/p&d_{tx}=0\\1&d_{tx}=1\\1/q&d_{tx}=2\end{cases}"
        )
        left = rf"P(x={then}\mid t={latex_name(scene.name(m.before))},\,v={now})"
        under = _kinds_summed(found.kind, found.weight, m.p, m.q)
    above = rf"\frac{{{latex_number(weight)}}}"
    long = rf"{above}{{{under}}}\\&=" if under else ""
    st.latex(
        rf"\begin{{aligned}}{left}&={long}{above}{{{latex_number(total, 6)}}}"
        rf"={latex_number(float(found.probability[k]), 5)}\end{{aligned}}"
    )
    drawn = frequencies(scene, m)
    if drawn is not None:
        st.caption(
            fit_words(drawn.fits)
            + t(
                "embed_inside.walk.drawn",
                draws=f"{drawn.draws:,}",
                apart=f"{drawn.apart:.4f}",
                chi2=f"{drawn.chi2:.1f}",
                freedom=drawn.freedom,
                bound=f"{drawn.bound:.1f}",
            )
        )


def _kinds_summed(kind: np.ndarray, weight: np.ndarray, p: float, q: float) -> str:
    """The normaliser as LaTeX: for each kind of neighbour the sum of its edges' weights times its alpha."""
    pieces = []
    for number, alpha in enumerate((1 / p, 1.0, 1 / q)):
        mine = weight[kind == number]
        if mine.size:
            word = rf"{mine.size}\times\text{{{t(f'embed_inside.kind.{KINDS[number]}')}}}"
            product = rf"{latex_number(float(mine.sum()) / alpha)}\cdot{latex_number(alpha)}"
            pieces.append(rf"\underbrace{{{product}}}_{{{word}}}")
    return "+".join(pieces)


def frequencies(scene: Scene, m: Moment) -> sums.Fit | None:
    """Many draws of this very step; None where they would be too few to say anything."""
    if len(m.choice.neighbours) < 2 or scene.graph.edges > MANY_EDGES:
        return None
    if m.choice.kind is None or m.before is None:
        landed = drawn_from(scene, m.now, DRAWS, 2, m.p, m.q, 7)[:, 1]
    else:
        drawn = drawn_from(scene, m.before, DRAWS, 3, m.p, m.q, 7)
        landed = drawn[drawn[:, 1] == m.now, 2]
    landed = landed[landed >= 0]
    if len(landed) < 200:
        return None
    counts = np.bincount(landed, minlength=scene.graph.count)[m.choice.neighbours]
    return sums.fit(counts, m.choice.probability)


# ---------------------------------------------------------------- many walks


def _far(scene: Scene, p: float, q: float) -> None:
    """Where many walks from the chosen node go: on the graph by colour, and how far by step."""
    st.subheader(t("embed_inside.far.title"), anchor=False)
    words = {"many": MANY, "long": LONG, "name": plain(scene.name(scene.node))}
    st.markdown(t(f"embed_inside.far.about.{scene.method}", **words))
    mine = drawn_from(scene, scene.node, MANY, LONG, p, q, 1)
    share = sums.visits(scene.graph, mine)
    level = np.log10(np.maximum(share, 1e-4))
    left, right = st.columns(2, gap="large")
    with left:
        graph_view(
            scene.graph,
            "embed_inside:far",
            place=scene.place,
            colours=draw.heat(level, (-4.0, max(float(level.max()), -1.0))),
            words=[percent(float(v)) for v in share],
            marks=Marks(),
            alt=t("embed_inside.far.alt", name=scene.name(scene.node)),
        )
        st.caption(t("embed_inside.far.hint"))
    with right:
        _distance_chart(scene, p, q, mine)
        later = mine[:, 2:] >= 0
        back = float((mine[:, 2:] == mine[:, :-2])[later].mean()) if later.any() else 0.0
        distinct = float(np.mean([len(set(w[w >= 0].tolist())) for w in mine]))
        st.caption(
            t("embed_inside.far.numbers", back=f"{100 * back:.0f}", distinct=f"{distinct:.1f}", long=LONG)
        )


def _distance_chart(scene: Scene, p: float, q: float, mine: np.ndarray) -> None:
    """Mean distance from the start by step; for node2vec beside a near-sighted and a far-sighted walk."""
    away = sums.mean_distance(scene.graph, scene.node, mine)
    if scene.method != "node2vec":
        series = [Line(t("embed_inside.far.walks"), range(LONG), away)]
    else:
        series = [Line(f"p = {p:g}, q = {q:g}", range(LONG), away)]
        for (a, b), colour in (((1.0, 4.0), "second"), ((1.0, 0.25), "third")):
            if (a, b) != (p, q):
                other = drawn_from(scene, scene.node, MANY, LONG, a, b, 1)
                away = sums.mean_distance(scene.graph, scene.node, other)
                series.append(Line(f"p = {a:g}, q = {b:g}", range(LONG), away, colour, dashed=True))

    def chart(width: int) -> str:
        return lines(
            series,
            title=t("embed_inside.far.chart"),
            x_label=t("embed_inside.walk.step"),
            y_label=t("embed_inside.far.y"),
            width=width,
            height=260,
        )

    drawing(responsive(chart, wide=480), "embed_inside:distance")


# ---------------------------------------------------------------- pairs in the window


def pairs(scene: Scene) -> None:
    """One walk with its window, the pairs it gives, and how often each context comes over many walks."""
    st.markdown(t("embed_inside.pairs.about"))
    p, q = biases(scene)
    window, length = int(scene.setting("window", 5)), int(scene.setting("length", 40))
    steps = one_walk(scene, p, q)
    if len(steps) < 2:
        st.info(t("embed_inside.walk.alone", name=plain(scene.name(scene.node))))
        return
    centre = min(state.get(CENTRE), len(steps) - 1)
    strip_colours = scene.colours()[steps]

    def strip(width: int) -> str:
        title = t("embed_inside.pairs.alt")
        names = scene.names(steps)
        return draw.walk_strip(names, strip_colours, title=title, centre=centre, window=window, width=width)

    drawing(
        responsive(strip),
        "embed_inside:strip",
        selected=str(centre),
        on_pick=lambda name: state.put(CENTRE, int(name)),
    )
    st.caption(t("embed_inside.pairs.hint", window=window))
    every = len(skipgram.window_pairs(steps[None], window).node)
    near = range(max(0, centre - window), min(len(steps), centre + window + 1))
    mine = [
        (plain(scene.name(int(steps[centre]))), plain(scene.name(int(steps[c])))) for c in near if c != centre
    ]
    words = t("embed_inside.join").join(f"({one}, {two})" for one, two in mine)
    st.markdown(t("embed_inside.pairs.list", count=len(mine), pairs=words, all=every, steps=len(steps)))
    _another("pairs")
    _contexts(scene, p, q, window, length)
    code("models.graph.skipgram:window_pairs")


def _contexts(scene: Scene, p: float, q: float, window: int, length: int) -> None:
    """How often each node is a context of the chosen one: counted, and for first-order walks exactly."""
    graph = scene.graph
    if graph.edges * (length + window) > EXACT_WORK:
        return
    st.subheader(t("embed_inside.contexts.title", name=plain(scene.name(scene.node))), anchor=False)
    counted = _counted(scene, p, q, window, length)
    share = counted / max(counted.sum(), 1)
    first_order = p == q == 1
    exact = sums.exact_contexts(graph, scene.node, length, window, reduced=True) if first_order else share
    order = np.argsort(-exact, kind="stable")[:LISTED]
    texts = [f"{share[v]:.4f}" + (f" | {exact[v]:.4f}" if first_order else "") for v in order]
    title = t("embed_inside.contexts.alt", name=scene.name(scene.node))
    drawing(
        bars(share[order], scene.names(order), title=title, texts=texts, width=560), "embed_inside:contexts"
    )
    found = f"{int(counted.sum()):,}"
    if not first_order:
        st.caption(t("embed_inside.contexts.counted", pairs=found))
        return
    st.latex(
        r"\#(v,c)=\sum_{r=1}^{w}\tfrac{w-r+1}{w}\Big(m_r(v)\,(P^r)_{vc}+m_r(c)\,(P^r)_{cv}\Big),"
        r"\qquad P_{vc}=\frac{w_{vc}}{d_v}"
    )
    apart = float(np.abs(share - exact).max())
    st.caption(t("embed_inside.contexts.exact", pairs=found, apart=f"{apart:.4f}"))


def _counted(scene: Scene, p: float, q: float, window: int, length: int) -> np.ndarray:
    """int64 (N,): contexts of the chosen node over walks from every node, the window shrunk as in training."""
    graph = scene.graph
    rounds = int(np.clip(60_000 // (graph.count * length), 1, 40))
    drawn = drawn_from(scene, -1, rounds, length, p, q, 3)
    found = skipgram.window_pairs(drawn, window, np.random.default_rng(3))
    return np.bincount(found.context[found.node == scene.node], minlength=graph.count)

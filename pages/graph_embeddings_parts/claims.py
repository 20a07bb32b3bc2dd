"""Two claims of the study notes, tried on graphs that are made for them: several seeds, trained when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

import streamlit as st

from app.engine import embed_scores
from app.engine.embed_scores import Progress, Result, Trial
from app.figures import embed as draw
from app.figures.charts import responsive
from app.text import t
from app.widgets.inside import drawing
from app.widgets.progress import job
from models.graph.evaluate import ClassScores, DegreeScores, Spread
from models.graph.samples import barbell, lfr, sbm
from models.registry import METHODS
from pages.graph_embeddings_parts.errata import FOLDER

BOUNDS = (1, 4, 8, 1000)  # neighbours of a node: few, some, many
SEEDS = (0, 1, 2)
SHARE = 0.5  # of the labels that are learned from
DIM = 32
HOP = 10  # nodes of fewer neighbours are given second-hop edges
BIASES = (0.25, 1.0, 4.0)  # q of node2vec: leaves, neither, stays
RANGES = ("few", "some", "many")
TESTS = {
    "degree": ("test_line.py::test_second_order_is_bad_at_nodes_of_low_degree_and_the_second_hop_helps",),
    "roles": (
        "test_roles.py::test_node2vec_puts_communities_together_and_not_roles",
        "test_roles.py::test_struc2vec_puts_roles_together_and_not_communities",
    ),
}


@cache
def degree_trials() -> tuple[Trial, ...]:
    """LINE, LINE with second-hop edges, and DeepWalk on communities whose nodes have very different degrees."""
    graph = lfr(count=600, degree=5.0, mixing=0.25)
    second = {"dim": DIM, "order": "second"}
    return (
        Trial("line", "line", second, graph),
        Trial("hop", "line", second | {"second_hop": HOP}, graph),
        Trial("deepwalk", "deepwalk", {"dim": DIM}, graph),
    )


@cache
def role_trials() -> tuple[Trial, ...]:
    """node2vec with both kinds of bias, and Struc2vec, asked for communities and for roles."""
    found = []
    for task, graph in (("groups", sbm(3, 30, 0.2, 0.05, seed=1)), ("roles", barbell(10, 10))):
        for q in BIASES:
            found.append(Trial(f"{task} {q:g}", "node2vec", {"dim": DIM, "p": 1.0, "q": q}, graph))
        found.append(Trial(f"{task} struc2vec", "struc2vec", {"dim": DIM}, graph))
    return tuple(found)


def named_tests(names: Sequence[str]) -> None:
    """The tests that keep what was said."""
    st.caption(" · ".join(f"`{FOLDER}/{name}`" for name in names))


def low_degree() -> None:
    """LINE where nodes have few neighbours."""
    st.subheader(t("embed_inside.claim.degree.title"), anchor=False)
    trials = degree_trials()
    graph = trials[0].graph
    st.markdown(t("embed_inside.claim.degree.about", nodes=graph.count, hop=HOP))
    named_tests(TESTS["degree"])
    outcome = job(
        "embed_claim_degree",
        tuple(trial.signature for trial in trials),
        lambda cancel: embed_scores.scores_by_degree(trials, BOUNDS, SHARE, SEEDS, cancel),
        text=_words,
        autostart=False,
        button=t("embed_inside.claim.start"),
        note=t("embed_inside.claim.note", runs=len(trials) * len(SEEDS)),
    )
    if outcome.result is None:
        return
    found = cast("dict[str, tuple[tuple[DegreeScores, ...], ...]]", outcome.result)
    groups = []
    for number, word in enumerate(RANGES):
        for who, colour in (("line", "accent"), ("hop", "second"), ("deepwalk", "third")):
            label = t(f"embed_inside.claim.degree.{who}", range=t(f"embed_inside.claim.degree.{word}"))
            groups.append(draw.Scores(label, [each[number].right.mean for each in found[who]], colour))
    _chart(groups, "degree", None)


def roles() -> None:
    """Close to each other, or alike in their place: what p and q can do about it."""
    st.subheader(t("embed_inside.claim.roles.title"), anchor=False)
    st.markdown(t("embed_inside.claim.roles.about"))
    named_tests(TESTS["roles"])
    found = _trained("embed_claim_roles", role_trials())
    if found is None:
        return
    for task in ("groups", "roles"):
        st.markdown(t(f"embed_inside.claim.roles.{task}"))
        biased = [_micro(found[f"{task} {q:g}"]) for q in BIASES]
        groups = [
            draw.Scores(f"node2vec, q = {q:g}", scores, "accent")
            for q, scores in zip(BIASES, biased, strict=True)
        ]
        groups.append(draw.Scores(METHODS["struc2vec"].title, _micro(found[f"{task} struc2vec"]), "second"))
        _chart(groups, f"roles.{task}", _majority(found[f"{task} 1"]))
        means = [Spread.of(scores) for scores in biased]
        st.caption(
            t(
                "embed_inside.claim.roles.says",
                moved=f"{max(m.mean for m in means) - min(m.mean for m in means):.3f}",
                sd=f"{max(m.sd for m in means):.3f}",
            )
        )


def _trained(key: str, trials: tuple[Trial, ...]) -> dict[str, Result] | None:
    outcome = job(
        key,
        tuple(trial.signature for trial in trials),
        lambda cancel: embed_scores.scores(trials, "labels", SHARE, SEEDS, cancel),
        text=_words,
        autostart=False,
        button=t("embed_inside.claim.start"),
        note=t("embed_inside.claim.note", runs=len(trials) * len(SEEDS)),
    )
    return cast("dict[str, Result] | None", outcome.result)


def _words(item: Progress) -> str:
    return t("embed_inside.claim.step", percent=f"{item.done / 10:.0f}")


def _micro(results: Result) -> list[float]:
    return [r.micro for r in cast("Sequence[ClassScores]", results)]


def _majority(results: Result) -> float:
    """What always answering the largest class would reach."""
    return Spread.of([r.majority_micro for r in cast("Sequence[ClassScores]", results)]).mean


def _chart(groups: Sequence[draw.Scores], key: str, marked: float | None) -> None:
    axis = t("embed_inside.evaluate.average.micro")

    def chart(width: int) -> str:
        return draw.seeds(
            groups, title=t("embed_inside.evaluate.alt", score=axis), axis=axis, marked=marked, width=width
        )

    drawing(responsive(chart, wide=760, narrow=360), f"embed_inside:claim.{key}")

"""How good the embedding is: hidden edges or hidden labels, several seeds, beside what needs no embedding at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import streamlit as st

from app.engine import embed_scores
from app.engine.embed import defaults
from app.engine.embed_scores import Progress, Result, Task, Trial
from app.figures import embed as draw
from app.figures.charts import responsive
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.graph_input import Source
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.progress import job
from models.graph.evaluate import BASELINES, SCORES, ClassScores, LinkScores, Spread
from models.registry import METHODS
from pages.graph_embeddings_parts.scene import code

TASKS: tuple[Task, ...] = ("links", "labels")
SEEDS = (3, 5, 10)
SHARES = {"links": (0.1, 0.2, 0.3, 0.5), "labels": (0.1, 0.3, 0.5, 0.8)}

TASK: state.Param[str] = state.Param("ev_task", "links", allowed=TASKS)
WHO: state.Param[str] = state.Param("ev_who", "one", allowed=("one", "all"))
MANY = state.Param("ev_seeds", 5, int, str, allowed=SEEDS)
HIDE = state.Param("ev_hide", 0.2, float, state.format_number, allowed=SHARES["links"])
LEARN = state.Param("ev_learn", 0.5, float, state.format_number, allowed=SHARES["labels"])
SCORE: state.Param[str] = state.Param("ev_score", "auc", allowed=("auc", "average_precision"))
AVERAGE: state.Param[str] = state.Param("ev_average", "micro", allowed=("micro", "macro"))


def evaluation(source: Source, method: str, settings: Mapping[str, Any]) -> None:
    """The whole section; it waits for a press before it trains anything."""
    st.header(t("embed_inside.evaluate.title"), anchor="evaluation")
    st.markdown(t("embed_inside.evaluate.about"))
    with st.container(horizontal=True, vertical_alignment="bottom", key="v-embed-evaluate"):
        task = cast(Task, _segments(TASK, TASKS, "task"))
        who = _segments(WHO, ("one", "all"), "who", one=METHODS[method].title)
        hide = HIDE if task == "links" else LEARN
        share = st.segmented_control(
            t(f"embed_inside.evaluate.share.{task}"), SHARES[task], required=True,
            format_func=percent, **state.bind(hide),
        )  # fmt: skip
        many = st.segmented_control(
            t("embed_inside.evaluate.seeds"), SEEDS, required=True, format_func=str, **state.bind(MANY)
        )
    share, many = float(share or hide.default), int(many or MANY.default)
    no = embed_scores.refusal(source.graph, task, share)
    if no:
        st.info(t(no), icon=":material/info:")
        return
    trials = _trials(source, method, settings, who == "all")
    seeds = tuple(range(many))
    outcome = job(
        "embed_scores",
        (source.key, task, share, seeds, tuple(trial.signature for trial in trials)),
        lambda cancel: embed_scores.scores(trials, task, share, seeds, cancel),
        text=_progress_words,
        autostart=False,
        button=t("embed_inside.evaluate.start"),
        note=t(
            "embed_inside.evaluate.note." + task,
            runs=len(trials) * many,
            share=f"{100 * share:.0f}",
        ),
    )
    if outcome.result is not None:
        _results(outcome.result, task, share)
    code("models.graph.evaluate:link_scores" if task == "links" else "models.graph.evaluate:class_scores")


def _segments(param: state.Param[str], options: Sequence[str], word: str, **values: str) -> str:
    chosen = st.segmented_control(
        t(f"embed_inside.evaluate.{word}"),
        options,
        required=True,
        format_func=lambda v: t(f"embed_inside.evaluate.{word}.{v}", **values),
        **state.bind(param, allowed=tuple(options)),
    )
    return str(chosen or param.default)


def _trials(source: Source, method: str, settings: Mapping[str, Any], everyone: bool) -> list[Trial]:
    """The current method as it is set; with `everyone` the others too, with their defaults and the same dimension."""
    settings = {name: value for name, value in settings.items() if name != "seed"}  # each trial has several
    if not everyone:
        return [Trial(method, method, settings, source.graph)]
    chosen = {slug: {**defaults(slug), "dim": settings.get("dim", 64)} for slug in METHODS}
    if source.graph.directed:
        chosen["line"]["order"] = "second"  # the first is for undirected graphs
    chosen[method] = dict(settings)
    return [Trial(slug, slug, chosen[slug], source.graph) for slug in METHODS]


def _progress_words(item: Progress) -> str:
    return t("embed_inside.evaluate.step", method=METHODS[item.name].title, percent=f"{item.done / 10:.0f}")


@fragment
def _results(found: Mapping[str, Result], task: Task, share: float) -> None:
    """The chosen score of every method and baseline, a dot a seed; below it the table of means and deviations."""
    if task == "links":
        links = {method: cast("tuple[LinkScores, ...]", result) for method, result in found.items()}
        _links(links)
    else:
        classes = {method: cast("tuple[ClassScores, ...]", result) for method, result in found.items()}
        _classes(classes, share)


def _links(found: Mapping[str, tuple[LinkScores, ...]]) -> None:
    score = _segments(SCORE, ("auc", "average_precision"), "score")
    groups: list[draw.Scores] = []
    for method, results in found.items():
        for way in SCORES if len(found) == 1 else ("cosine", "hadamard"):
            label = f"{METHODS[method].title}, {t(f'embed_inside.evaluate.way.{way}')}"
            groups.append(draw.Scores(label, [getattr(r, score)[way] for r in results]))
    first = next(iter(found.values()))
    for name in BASELINES:
        values = [getattr(r, score)[name] for r in first]
        groups.append(draw.Scores(t(f"embed_inside.evaluate.baseline.{name}"), values, "faint"))
    low = min(0.4, *(min(g.values) for g in groups))
    _chart(groups, t(f"embed_inside.evaluate.score.{score}"), low, 0.5)
    hidden = Spread.of([r.hidden for r in first])
    st.caption(t("embed_inside.evaluate.hidden", hidden=f"{hidden.mean:.0f}", asked=first[0].asked))
    if hidden.mean < first[0].asked:
        st.caption(t("embed_inside.evaluate.forest"))
    _table(groups)


def _classes(found: Mapping[str, tuple[ClassScores, ...]], share: float) -> None:
    average = _segments(AVERAGE, ("micro", "macro"), "average")
    groups = [
        draw.Scores(METHODS[method].title, [getattr(r, average) for r in results])
        for method, results in found.items()
    ]
    first = next(iter(found.values()))
    largest = [getattr(r, f"majority_{average}") for r in first]
    groups.append(draw.Scores(t("embed_inside.evaluate.baseline.majority"), largest, "faint"))
    low = min(0.4, *(min(g.values) for g in groups))
    _chart(groups, t(f"embed_inside.evaluate.average.{average}"), low, None)
    st.caption(t("embed_inside.evaluate.nodes", known=first[0].trained, asked=first[0].tested))
    _table(groups)


def _chart(groups: Sequence[draw.Scores], axis: str, low: float, marked: float | None) -> None:
    def chart(width: int) -> str:
        return draw.seeds(
            groups,
            title=t("embed_inside.evaluate.alt", score=axis),
            axis=axis,
            low=low,
            marked=marked,
            width=width,
        )

    drawing(responsive(chart, wide=760, narrow=360), "embed_inside:scores")


def _table(groups: Sequence[draw.Scores]) -> None:
    """Mean, deviation and every seed, to be read, sorted and saved."""
    with st.expander(t("embed_inside.evaluate.table")):
        columns: dict[str, list[Any]] = {
            t("embed_inside.evaluate.who"): [g.label for g in groups],
            t("embed_inside.evaluate.mean"): [round(Spread.of(g.values).mean, 4) for g in groups],
            t("embed_inside.evaluate.sd"): [round(Spread.of(g.values).sd, 4) for g in groups],
        }
        for k in range(len(groups[0].values)):
            columns[t("embed_inside.evaluate.seed", n=k)] = [round(g.values[k], 4) for g in groups]
        st.dataframe(columns, hide_index=True)

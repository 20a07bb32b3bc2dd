"""How good the network is, over several seeds, beside what needs no graph: logistic regression, the largest class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import streamlit as st

from app.engine import Cancel, train_gnn
from app.engine.train_gnn import Progress, Scores
from app.text import t
from app.widgets import state
from app.widgets.progress import job
from pages.graph_networks_parts.view import Scene, as_recorded, config_now, settings_now, variant_now

SEEDS = state.Param("seeds", 10, state.parse_whole(2, 50), str, allowed=(5, 10, 20, 50))


def evaluation(scene: Scene) -> None:
    """The whole section, in the body of the page."""
    st.header(t("graph_networks.scores"), anchor="scores")
    st.markdown(t("graph_networks.scores.about"))
    found = _found(scene)
    if found is not None:
        _table(scene, found)


def _found(scene: Scene) -> Scores | None:
    graph, net = scene.graph, scene.net
    if graph.labels is None:
        st.info(t("graph_networks.no_labels.short"), icon=":material/info:")
        return None
    recorded = train_gnn.recorded_scores(net, graph, variant_now(net)) if as_recorded() else None
    if not train_gnn.available():
        st.caption(t("graph_networks.scores.recorded" if recorded else "graph_networks.scores.no_torch"))
        return recorded
    offered = (5, 10, 20, 50)
    st.segmented_control(
        t("graph_networks.scores.seeds"), offered, required=True, **state.bind(SEEDS, offered)
    )
    count = state.get(SEEDS, offered)
    if recorded is not None and len(recorded.seeds) == count:
        st.caption(t("graph_networks.scores.recorded"))
        return recorded
    config, settings = config_now(net), settings_now(net, graph)

    def start(cancel: Cancel) -> Iterator[Progress]:
        return train_gnn.scores(net, config, graph, settings, tuple(range(count)), cancel)

    outcome = job(
        "graph_networks.scores",
        (net, scene.source.key, repr(config), repr(settings), count),
        start,
        text=lambda item: t("graph_networks.scores.progress", done=item.done, total=item.total),
        autostart=False,
        button=t("graph_networks.scores.start", n=count),
    )
    return outcome.result


def spread(values: np.ndarray) -> str:
    """Mean and standard deviation in per cent."""
    mean, deviation = float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return f"{100 * mean:.1f} ± {100 * deviation:.1f}"


def _table(scene: Scene, found: Scores) -> None:
    rows = [
        (scene.card.title, found.micro, found.macro),
        (t("graph_networks.scores.logistic"), found.logistic_micro, found.logistic_macro),
        (t("graph_networks.scores.majority"), found.majority_micro, found.majority_macro),
    ]
    lines = [f"| {name} | {spread(micro)} | {spread(macro)} |" for name, micro, macro in rows]
    head = f"| | {t('graph_networks.scores.micro')} | {t('graph_networks.scores.macro')} |"
    st.markdown("\n".join([head, "|:---|---:|---:|", *lines]))
    st.caption(t("graph_networks.scores.said", seeds=len(found.seeds), tested=found.tested))
    identity = scene.run is not None and scene.run.kind == "identity"
    if identity:
        st.markdown(t("graph_networks.scores.identity"))

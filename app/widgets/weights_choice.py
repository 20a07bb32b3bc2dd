"""Which weights a model runs with: the embedded ones, or the authors', fetched or dropped as a file.

    weights_id = weights_choice(card) or card.weights[0].id

The choice is kept in the link (`?weights=classical_x2`). Weights that are not on this machine are offered, never
fetched unasked: a download shows its progress and can be stopped, a file of one's own is checked before it is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from app.text import has, t
from app.widgets import state
from app.widgets.header import number, score
from app.widgets.progress import job
from models import checkpoints
from models.card import ModelCard, Weights
from models.weights_io import BadWeights

LARGEST_FILE = 600  # MB


def weights_param(card: ModelCard) -> state.Param[str]:
    """The choice in the link; the first weights of the card by default."""
    return state.Param("weights", card.weights[0].id, allowed=tuple(w.id for w in card.weights if w.offered))


def weights_choice(card: ModelCard, key: str = "weights") -> str | None:
    """Show the choice; the id of the chosen weights if their file is here, else None (and the ways to get it).

    Call it in the body of a page, not inside a fragment: a download that ends runs the page again.
    """
    param = weights_param(card)
    ids = [weights.id for weights in card.weights if weights.offered]
    here = {weights.id: checkpoints.locate(card, weights) is not None for weights in card.weights}
    chosen = st.selectbox(
        t("choice.label"),
        ids,
        format_func=lambda i: _option(card, card.weights_by_id(i)),
        help=t("choice.help"),
        **state.bind(param, allowed=ids),
    )
    weights = card.weights_by_id(chosen)
    _facts(card, weights)
    if chosen_file(card, chosen) is not None:
        _yours(card, chosen)
        return str(chosen)
    if here[chosen]:
        return str(chosen)
    if weights.origin == "embedded":
        st.error(t("choice.embedded_missing", name=_name(card, weights)))
        return None
    with st.container(border=True, key=f"v-{key}-get"):
        return _get(card, weights, key)


def _name(card: ModelCard, weights: Weights) -> str:
    return t(f"{card.slug}.weights.{weights.id}")


def _option(card: ModelCard, weights: Weights) -> str:
    """The name in the list, and whose weights they are. It must not change while a page is open: the browser
    answers with these words, and a choice whose words are gone falls back to the first."""
    return f"{_name(card, weights)} · {t(f'choice.{weights.origin}')}"


def _slot(card: ModelCard, weights_id: str) -> str:
    return f"weights.yours.{card.slug}.{weights_id}"


def chosen_file(card: ModelCard, weights_id: str) -> Path | None:
    """The file that this visitor gave for these weights, where its hash did not prove it official; else None."""
    path = st.session_state.get(_slot(card, weights_id))
    return path if path is not None and path.is_file() else None


def _yours(card: ModelCard, weights_id: str) -> None:
    """Say that the weights are the visitor's own, and let go of them at a click."""
    st.info(t("choice.yours"), icon=":material/draft:")
    st.button(
        t("choice.yours.forget"),
        key=f"{_slot(card, weights_id)}.forget",
        on_click=lambda: st.session_state.pop(_slot(card, weights_id), None),
    )


@lru_cache(maxsize=16)
def _read(path: Path, stamp: int) -> Mapping[str, Any]:
    report = json.loads(path.read_text("utf-8"))
    return report if isinstance(report, dict) else {}


def _facts(card: ModelCard, weights: Weights) -> None:
    """Licence, size and measured score, in one line; what the weights are for, where the catalogue says it."""
    path = card.report_path(weights)
    report = _read(path, path.stat().st_mtime_ns) if path.is_file() else {}
    config = dict(weights.config) | dict(report.get("config", {}))
    facts = [
        t("choice.parameters", n=number(card.parameters(config))),
        t("choice.licence", licence=weights.licence),
    ]
    measured = score(card.slug, report)
    if measured:
        facts.append(measured)
    st.caption(" · ".join(facts))
    about = f"{card.slug}.weights.{weights.id}.about"
    if has(about):
        st.caption(t(about))


def _get(card: ModelCard, weights: Weights, key: str) -> str | None:
    """Offer the download and the drop of a file. The id once the file is here."""
    name = _name(card, weights)
    st.markdown(t("choice.get", name=name, host=_host(weights)))
    obstacle = checkpoints.obstacle(weights)
    if obstacle is not None:
        st.info(t(obstacle))
    else:
        size = (
            t("choice.size", megabytes=round(weights.size / 1e6))
            if weights.size
            else t("choice.size_unknown")
        )
        outcome = job(
            f"{key}.get.{weights.id}",
            (card.slug, weights.id),
            lambda cancel: checkpoints.download(card, weights, cancel),
            text=_progress,
            autostart=False,
            button=t("choice.download"),
            note=size,
        )
        if outcome.state == "done" and checkpoints.locate(card, weights) is not None:
            return weights.id
    _drop(card, weights, key)
    return None


def _host(weights: Weights) -> str:
    from urllib.parse import urlsplit

    return urlsplit(weights.url).hostname or ""


def _progress(item: Any) -> str:
    """How far a download is, in megabytes."""
    if not item.total:
        return t("choice.received", done=f"{item.done / 1e6:.1f}")
    return t("choice.progress", done=f"{item.done / 1e6:.1f}", total=f"{item.total / 1e6:.1f}")


def _drop(card: ModelCard, weights: Weights, key: str) -> None:
    """Take a file that the visitor has. A refused one is explained, and nothing is changed."""
    counter = f"{key}.round"
    widget = f"{key}.file.{weights.id}.{st.session_state.get(counter, 0)}"

    def taken() -> None:
        file = st.session_state.get(widget)
        if file is None:
            return
        st.session_state[counter] = st.session_state.get(counter, 0) + 1  # lets go of the uploader's copy
        try:
            path = checkpoints.accept(card, weights, file.getvalue())
        except BadWeights as error:
            st.session_state[f"{key}.refused"] = t(error.reason, **error.details)
        else:
            st.session_state.pop(f"{key}.refused", None)
            if path != checkpoints.locate(card, weights):
                st.session_state[_slot(card, weights.id)] = path

    refused = st.session_state.pop(f"{key}.refused", None)
    if refused:
        st.error(refused, icon=":material/report:")
    st.file_uploader(
        t("choice.drop"),
        type=["safetensors", "pth", "pt"],
        key=widget,
        on_change=taken,
        max_upload_size=LARGEST_FILE,
        help=t("choice.drop.help"),
    )

"""Drawing in constant time: the alias table of a distribution, a throw at it, and what 100 000 throws give."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.figures import embed as draw
from app.figures.charts import responsive
from app.figures.graph import class_colours
from app.figures.printed import small
from app.text import t
from app.widgets import state
from app.widgets.inside import drawing
from models.graph.alias import Alias
from pages.graph_embeddings_parts import walks as sums
from pages.graph_embeddings_parts.scene import code, fit_words, plain

COLUMNS = 24  # of a table that is drawn; of more outcomes the likeliest
THROWS = 100_000
DART = state.Param("ns_at", 0, state.parse_whole(0, 9999), str)


def throw_again() -> None:
    state.put(DART, (state.get(DART) + 1) % 10_000)


def alias_view(weights: np.ndarray, labels: Sequence[str], key: str, words: str) -> None:
    """weights: (n,), in any scale. labels: one each. words: what is drawn here, a sentence."""
    kept = np.flatnonzero(np.asarray(weights) > 0)
    if len(kept) < 2:
        return
    if len(kept) > COLUMNS:
        kept = np.sort(kept[np.argsort(-weights[kept], kind="stable")[:COLUMNS]])
    mine = np.asarray(weights, np.float64)[kept]
    names = [labels[int(k)] for k in kept]
    st.subheader(t("embed_inside.alias.title"), anchor=False)
    st.markdown(words)
    if len(kept) < np.count_nonzero(weights):
        st.caption(t("embed_inside.alias.some", count=len(kept), all=f"{np.count_nonzero(weights):,}"))
    table = Alias.of(mine)
    rng = np.random.default_rng([state.get(DART), 5])
    place = float(rng.random()) * len(mine)
    column, height = int(place), place - int(place)
    got = column if height < table.accept[column] else int(table.other[column])
    svg = responsive(
        lambda width: draw.alias_table(
            table.accept, table.other, names, class_colours(len(mine)), title=t("embed_inside.alias.alt"),
            dart=(column, height), width=width,
        )
    )  # fmt: skip
    drawing(svg, f"embed_inside:alias.{key}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t("embed_inside.alias.throw"),
            key=f"embed_inside:throw.{key}",
            on_click=throw_again,
            icon=":material/casino:",
        )
        st.markdown(
            t(
                "embed_inside.alias.thrown",
                n=len(mine),
                place=f"{place:.4f}",
                column=plain(names[column]),
                height=f"{height:.4f}",
                accept=f"{table.accept[column]:.4f}",
                got=plain(names[got]),
            )
        )
    share = mine / mine.sum()
    if np.ptp(mine) == 0:
        st.caption(t("embed_inside.alias.even"))
    apart = float(np.abs(table.probabilities() - share).max())
    drawn = np.bincount(table.draw(np.random.default_rng(11), THROWS), minlength=len(mine))
    found = sums.fit(drawn, share)
    st.caption(
        fit_words(found.fits and apart < 1e-12)
        + t(
            "embed_inside.alias.check",
            apart=small(apart),
            throws=f"{THROWS:,}",
            off=f"{found.apart:.4f}",
            chi2=f"{found.chi2:.1f}",
            freedom=found.freedom,
            bound=f"{found.bound:.1f}",
        )
    )
    code("models.graph.alias:Alias")

"""The view into a network: the drawing of its blocks, and every tensor in the view that suits its kind.

`architecture` draws a card; a click on a block selects it. `tap_view` shows one recorded array: what it is in
a sentence, its formula, the lines of our source that compute it, the tensor itself, and the number of the cell
that is picked. Both rerun only what surrounds them: call them inside one `st.fragment` of the page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from app.figures.architecture import draw, groups
from app.figures.charts import for_file
from app.text import has, t
from app.widgets import share, state
from app.widgets.tap_views import VIEWS, view_any, view_vector
from app.widgets.tensor import (
    Save,
    Seen,
    axis_word,
    drawing,
    explain,
    legend,
    shape_words,
    source_of,
    statistics,
)
from models.card import Block, ModelCard, TapSpec

__all__ = [
    "Seen",
    "architecture",
    "architecture_svg",
    "axis_word",
    "drawing",
    "explain",
    "legend",
    "shape_words",
    "source_of",
    "statistics",
    "tap_view",
    "taps_of_block",
]

# ---------------------------------------------------------------- the drawing of the blocks


def default_block(blocks: Sequence[Block], taps: Sequence[TapSpec]) -> str:
    """The first block that has a tensor to show, else the first one."""
    with_taps = {tap.block for tap in taps}
    return next((block.name for block in blocks if block.name in with_taps), blocks[0].name)


# Words of the cards' labels that the catalogues have. All else in a label is a formula, a size, or a name that the
# field keeps as it is (BN, W-MSA, PixelShuffle).
WORDS = {
    "Context": "context",
    "Conv": "conv",
    "conv": "conv.small",
    "ConvT": "conv_t",
    "Coupling": "coupling",
    "Embedding": "embedding",
    "Linear": "linear",
    "Max pool": "max_pool",
    "Mean": "mean",
    "Nearest": "nearest",
    "Self-attention": "self_attention",
    "Shift mask": "shift_mask",
    "channel": "channel",
    "checkerboard": "checkerboard",
    "heads": "heads",
    "layer": "layer",
    "mean word": "mean_word",
    "skip": "skip",
}
_WORD = re.compile(r"\b(?:" + "|".join(WORDS) + r")\b")


def label_words(label: str) -> str:
    """A card's label in the language of the page."""
    return _WORD.sub(lambda found: t(f"architecture.word.{WORDS[found[0]]}"), label)


def block_words(blocks: Sequence[Block]) -> dict[str, str]:
    """Names of the blocks as drawn: the card's label, or the word for what has none (input, output)."""
    return {
        block.name: label_words(block.label)
        or (t(key) if has(key := f"architecture.kind.{block.kind}") else block.name)
        for block in blocks
    }


def opened_for(blocks: Sequence[Block], selected: str) -> frozenset[str]:
    """The group to show open: the selected one, or the one the selected block is in."""
    heads = groups(blocks)
    inside = {member: head for head, members in heads.items() for member in members}
    head = selected if selected in heads else inside.get(selected)
    return frozenset() if head is None else frozenset({head})


def architecture(
    card: ModelCard,
    config: Mapping[str, Any],
    key: str,
    *,
    selected: str | None = None,
    param: state.Param[str] | None = None,
) -> str:
    """Draw the blocks of a model; the name of the selected one comes back.

    A click, a tap or Enter on a block selects it and opens its group; clicking an open group's head again closes it.
    selected: the block at first. param: keeps the choice in the link (a value that is no block is passed over).
    The taps of the block are `taps_of_block(card, config, name)`.
    """
    blocks, taps = card.blocks(config), card.taps(config)
    names = tuple(block.name for block in blocks)
    store, closed = f"vitrine.block:{key}", f"vitrine.closed:{key}"
    first = selected if selected in names else default_block(blocks, taps)
    now = state.get(param) if param is not None else st.session_state.get(store, first)
    if now not in names:
        now = first

    def select(name: str) -> None:
        st.session_state[closed] = name if name == now and st.session_state.get(closed) != name else None
        if param is not None:
            state.put(param, name)
        else:
            st.session_state[store] = name

    opened = frozenset() if st.session_state.get(closed) == now else opened_for(blocks, now)
    counts = Counter(tap.block for tap in taps)
    heads = groups(blocks)
    notes = {name: t("architecture.tensors", n=count) for name, count in counts.items()}
    notes |= {
        head: t("architecture.stack", n=len(members)) for head, members in heads.items() if head not in opened
    }
    words = block_words(blocks)
    title = t("architecture.alt", name=card.title)
    sizes = (("wide", 6, 132.0), ("narrow", 2, 150.0))
    svg = "".join(
        draw(
            blocks, opened=opened, selected=now, labels=words, notes=notes, across=across, node_width=width,
            title=title, css_class=name,
        ).svg
        for name, across, width in sizes
    )  # fmt: skip
    drawing(svg, key, selected=now, on_pick=select)
    st.caption(t("architecture.hint") + (" " + t("architecture.hint.groups") if heads else ""))
    return str(now)


def architecture_svg(card: ModelCard, config: Mapping[str, Any], selected: str | None = None) -> str:
    """The drawing as a file, every group open: for take-away and documents."""
    blocks = card.blocks(config)
    opened = frozenset(groups(blocks))
    return for_file(
        draw(blocks, opened=opened, selected=selected, labels=block_words(blocks), title=card.title).svg
    )


def taps_of_block(card: ModelCard, config: Mapping[str, Any], block: str) -> tuple[TapSpec, ...]:
    """What can be looked at in one block, in the order in which the model computes it."""
    return tuple(tap for tap in card.taps(config) if tap.block == block)


# ---------------------------------------------------------------- a tensor


def tap_view(
    model: Any,
    spec: TapSpec,
    array: np.ndarray,
    key: str,
    *,
    image: Any = None,
    labels: Sequence[str] | None = None,
    sample: int = 0,
    name: str = "",
    take_away: bool = True,
    explained: bool = True,
) -> Seen:
    """Show one tap in the view of its kind, with everything around it.

    model: app.engine.Model (only its card's slug is read, for file names; may be None). spec: what the array is.
    key: of all widgets. image: the input (uint8 picture), laid under the large channel. labels: names of the classes
    of logits, of the tokens that attention reads. sample: which of the batch. Call it inside a fragment; returns what
    is on show.
    """
    if array.ndim != len(spec.axes):
        raise ValueError(f"tap {spec.name} has shape {array.shape} but axes {spec.axes}")
    if explained:
        explain(spec, array)
    view = VIEWS.get(spec.kind, view_vector if array.ndim <= 2 else view_any)
    seen, save = view(spec, array, key, image, labels, sample)
    if take_away:
        slug = name or getattr(getattr(model, "card", None), "slug", "tensor")
        _take_away(key, f"{slug}-{spec.name}", spec, array, save)
    return seen


def _take_away(key: str, name: str, spec: TapSpec, array: np.ndarray, save: Save) -> None:
    share.take_away(
        f"{key}.take",
        name.replace("/", "-"),
        png=save.png,
        svg=save.svg,
        tensor=lambda: array,
        axes=spec.axes,
    )

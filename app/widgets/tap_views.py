"""The view of a tensor by its kind: feature maps and tokens, attention, masks, heads, nodes, edges, vectors, logits.

Every view has one signature: what the tap is, its array, the key of its widgets, the input picture, names of classes,
and which of the batch. It draws, and returns what is on show and how to take it away. `VIEWS` is the whole list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from app.figures.atlas import Atlas, Cell, atlas, channels_first, enlarge
from app.figures.charts import bars, for_file, histogram, responsive
from app.figures.colour import Kind, Limits, colormap, kind_of, limits_of
from app.figures.overlay import Rect, Style, to_svg
from app.figures.printed import percent
from app.text import t
from app.widgets.picture import Pick, picture, set_pick
from app.widgets.state import plain
from app.widgets.tensor import Save, Seen, axis_word, drawing, numbers_line
from models.card import TapSpec

MOST_ROWS = 400  # of a graph's nodes or edges in one picture


def _choose(key: str, label: str, count: int, default: int = 0) -> int:
    """A number from 0 to count-1, remembered under `key`; nothing is shown where there is no choice."""
    if count <= 1:
        st.session_state.pop(key, None)
        return 0
    now = int(st.session_state.get(key, default))
    if not 0 <= now < count:
        now = default
    st.session_state[key] = now
    return int(
        st.number_input(label, 0, count - 1, step=1, key=key, help=t("inside.choose_help", count=count))
    )


def view_maps(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """Feature maps and tokens: the atlas, and one channel large with a cell picked."""
    maps = channels_first(array, spec.axes, sample)
    count, rows, cols = maps.shape
    kind = kind_of(maps)
    sorted_key, channel_key, cell_key = f"{key}.order", f"{key}.channel", f"{key}.cell"
    orders = ("index", "norm")

    left, right = st.columns([3, 2], gap="large")
    with left:
        order = st.segmented_control(
            t("inside.order"),
            orders,
            default="index",
            format_func=lambda o: t(f"inside.order.{o}"),
            key=sorted_key,
        )
        sheet = _sheet(maps, kind, "norm" if order == "norm" else "index")

        def from_sheet(pick: Pick) -> None:
            cell = sheet.cell_at(*pick)
            if cell is not None:
                st.session_state[channel_key] = cell.channel
                set_pick(cell_key, (cell.column, cell.row))

        channel = int(st.session_state.get(channel_key, sheet.order[0]))
        channel = channel if 0 <= channel < count else sheet.order[0]
        x, y = sheet.corner_of(channel)
        frame = Rect(x=x, y=y, width=sheet.tile_w, height=sheet.tile_h, style=Style(width=2.5))
        picture(
            sheet.image,
            f"{key}.atlas",
            t("inside.atlas_alt", count=count, rows=rows, columns=cols),
            overlays=[frame],
            pixelated=True,
            show_pick=False,
            step=sheet.tile_w + sheet.pad,
            tiles=sheet.tiles(lambda c: t("inside.channel_n", n=c)),
            hint=t("inside.atlas_hint"),
            scale=(kind, sheet.limits),
            on_pick=from_sheet,
        )
        if sheet.reduce > 1:
            st.caption(t("inside.reduced", k=sheet.reduce))
    with right:
        channel = _choose(channel_key, t("inside.channel"), count, channel)
        own = st.toggle(t("inside.own_limits"), key=f"{key}.own", help=t("inside.own_limits_help"))
        one = maps[channel]
        limits = limits_of(one, kind) if own else sheet.limits
        colours = colormap(one, kind, limits)
        at = picture(
            colours,
            cell_key,
            t("inside.channel_alt", n=channel, rows=rows, columns=cols),
            pixelated=True,
            layer=image,
            layer_opacity=0.0,
            layer_label=t("inside.input_layer"),
            height=420,
            hint=t("inside.cell_hint"),
            scale=(kind, limits),
        )
        value = None
        where = {"channel": channel}
        if at is not None:
            value = float(one[at[1], at[0]])
            where |= {"row": at[1], "column": at[0]}
            st.markdown(t("inside.cell", channel=channel, row=at[1], column=at[0], value=f"{value:.6g}"))
        numbers_line(one)
        drawing(
            responsive(
                lambda w: histogram(one, title=t("inside.histogram", n=channel), marked=value, width=w)
            ),
            f"{key}.histogram",
        )
    save = Save(
        lambda: enlarge(sheet.image), lambda: to_svg(sheet.image, [frame], pixelated=True, title=spec.name)
    )
    return Seen(one, where, value), save


def _sheet(maps: np.ndarray, kind: Kind, order: Any) -> Atlas:
    return atlas(maps, kind=kind, order=order)


def _pick_axes(
    spec: TapSpec, array: np.ndarray, key: str, sample: int, leave: int
) -> tuple[np.ndarray, dict[str, int]]:
    """Choose an index of every axis but the last `leave` ones; the batch is `sample`."""
    chosen: dict[str, int] = {}
    lead = spec.axes[: len(spec.axes) - leave]
    wanted = [
        (axis, size) for axis, size in zip(lead, array.shape, strict=False) if axis != "batch" and size > 1
    ]
    places = iter(st.columns(len(wanted))) if wanted else iter(())
    index: list[int] = []
    for axis, size in zip(lead, array.shape, strict=False):
        if axis == "batch":
            index.append(min(sample, size - 1))
        elif size <= 1:
            index.append(0)
            chosen[axis] = 0
        else:
            with next(places):
                chosen[axis] = _choose(f"{key}.{axis}", axis_word(axis), size)
            index.append(chosen[axis])
    return array[tuple(index)], chosen


def side_of(count: int) -> int | None:
    """The side of a square window of so many positions, None where it is no square."""
    side = round(count**0.5)
    return side if side * side == count else None


def view_attention(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """Attention: the matrix query x key of one head, and the row of one query laid out over its window.

    Where the keys are tokens, labels are their words: the row is a bar each, and what is behind them is left out; if
    the queries are the places of a square map, the matrix is a map for each word.
    """
    matrix, chosen = _pick_axes(spec, array, key, sample, 2)
    words = labels if spec.axes[-1] == "token" else None
    places: int | None = None
    if words is not None:
        each_other = matrix.shape[0] == matrix.shape[1]
        places = None if each_other else side_of(len(matrix))
        matrix = matrix[: len(words) if each_other else None, : len(words)]
    queries, keys = matrix.shape
    kind = kind_of(matrix)
    limits = limits_of(matrix, kind)
    side = None if words is not None else side_of(keys)
    query_key = f"{key}.query"
    query = int(st.session_state.get(query_key, queries // 2))
    query = query if 0 <= query < queries else queries // 2

    left, right = st.columns(2, gap="large")
    with left:
        if words is not None and places is not None:
            sheet = _sheet(np.ascontiguousarray(matrix.T.reshape(keys, places, places)), kind, "index")
            shown, frames = _maps_of_words(sheet, words, query, key, query_key), [_cell(sheet, 0, query)]
        else:
            shown, frames = (
                colormap(matrix, kind, limits),
                [Rect(x=0, y=query, width=keys, height=1, style=Style(width=1.5))],
            )
            _whole_matrix(shown, frames[0], matrix.shape, key, query_key, (kind, limits))
    row = matrix[query]
    at: int | None = None
    with right:
        if words is not None:
            said = t("inside.row_over_words", query=query)
            st.caption(said)
            drawing(
                responsive(
                    lambda width: bars(
                        row, words, title=said, texts=[percent(float(v)) for v in row], width=width
                    ),
                    wide=460,
                ),
                f"{key}.row",
            )
        elif side is None:
            st.caption(t("inside.row", query=query))
            drawing(
                responsive(lambda w: histogram(row, title=t("inside.row", query=query), width=w)),
                f"{key}.row",
            )
        else:
            st.caption(t("inside.row_over_window", query=query))
            grid = row.reshape(side, side)
            row_limits = limits_of(grid, kind)

            def from_grid(pick: Pick) -> None:
                st.session_state[query_key] = pick[1] * side + pick[0]

            qy, qx = divmod(query, side)
            mark = Rect(x=qx, y=qy, width=1, height=1, style=Style(colour="second"), label="Q")
            picture(
                colormap(grid, kind, row_limits),
                f"{key}.grid",
                t("inside.grid_alt", query=query, side=side),
                overlays=[mark],
                pixelated=True,
                show_pick=False,
                step=max(1, side // 2),
                height=380,
                hint=t("inside.grid_hint"),
                scale=(kind, row_limits),
                on_pick=from_grid,
            )
    best = int(np.argmax(row))
    at = best
    st.markdown(
        t(
            "inside.attention_row",
            query=query,
            best=best if words is None else words[best],
            value=f"{float(row[best]):.6g}",
            total=f"{float(row.astype(np.float64).sum()):.6g}",
        )
    )
    numbers_line(row)
    save = Save(lambda: enlarge(shown), lambda: to_svg(shown, frames, pixelated=True, title=spec.name))
    return Seen(row, chosen | {"query": query, "key": at}, float(row[at])), save


def _whole_matrix(
    colours: np.ndarray,
    row_frame: Rect,
    shape: tuple[int, ...],
    key: str,
    query_key: str,
    scale: tuple[Kind, Limits],
) -> None:
    """Every query against every key; a row is picked."""
    st.caption(t("inside.matrix"))

    def from_matrix(pick: Pick) -> None:
        st.session_state[query_key] = pick[1]

    picture(
        colours,
        f"{key}.matrix",
        t("inside.matrix_alt", queries=shape[0], keys=shape[1]),
        overlays=[row_frame],
        pixelated=True,
        show_pick=False,
        height=380,
        hint=t("inside.matrix_hint"),
        tiles=_plain_tiles(colours, t("inside.matrix_cell")),
        scale=scale,
        on_pick=from_matrix,
    )


def _cell(sheet: Atlas, channel: int, place: int) -> Rect:
    """The frame of a place on the map of a channel."""
    row, column = divmod(place, sheet.cols)
    x, y = sheet.pixel_of(Cell(channel, row, column))
    return Rect(x=x, y=y, width=1, height=1, style=Style(width=1.5))


def _maps_of_words(sheet: Atlas, words: Sequence[str], query: int, key: str, query_key: str) -> np.ndarray:
    """For each word, how much every place takes of it; a place, the query, is picked."""
    st.caption(t("inside.maps_of_words") + ": " + " · ".join(words))

    def from_map(pick: Pick) -> None:
        cell = sheet.cell_at(*pick)
        if cell is not None:
            st.session_state[query_key] = cell.row * sheet.cols + cell.column

    picture(
        sheet.image,
        f"{key}.maps",
        t("inside.maps_of_words_alt", words=", ".join(words)),
        overlays=[_cell(sheet, channel, query) for channel in sheet.order],
        pixelated=True,
        show_pick=False,
        height=380,
        hint=t("inside.grid_hint"),
        tiles=sheet.tiles(lambda channel: words[channel]),
        scale=(sheet.kind, sheet.limits),
        on_pick=from_map,
    )
    return sheet.image


def _plain_tiles(values: np.ndarray, words: str) -> dict[str, Any]:
    """The whole picture as one tile, so that the words under it name its axes."""
    height, width = values.shape[:2]
    return {
        "columns": 1,
        "step_x": width,
        "step_y": height,
        "width": width,
        "height": height,
        "scale": 1,
        "names": [words],
    }


def mask_classes(mask: np.ndarray) -> list[int]:
    """The first window of each different mask (window, query, key), in order: at most four in a shifted picture."""
    seen: dict[bytes, int] = {}
    for i, one in enumerate(mask):
        seen.setdefault((one == 0).tobytes(), i)
    return sorted(seen.values())


def view_mask(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """A mask: white where a pair may attend, black where it must not, one window of each kind at a click."""
    mask = array.reshape(-1, *array.shape[-2:])
    classes = mask_classes(mask)
    window_key = f"{key}.window"
    if len(classes) > 1:
        shown = st.segmented_control(
            t("inside.mask_class"),
            classes,
            format_func=lambda w: t("inside.window_n", n=w),
            default=classes[-1],
            key=f"{key}.class",
        )
        if shown is not None and st.session_state.get(f"{key}.class_before") != shown:
            st.session_state[f"{key}.class_before"] = shown
            st.session_state[window_key] = shown
    window = _choose(window_key, axis_word("window"), len(mask), classes[-1])
    one = mask[window]
    blocked = one != 0
    colours = np.where(blocked[..., None], np.uint8(24), np.uint8(244)) + np.zeros(3, np.uint8)
    at = picture(
        colours,
        f"{key}.mask",
        t("inside.mask_alt", window=window, blocked=int(blocked.sum()), pairs=blocked.size),
        pixelated=True,
        height=420,
        hint=t("inside.mask_hint"),
        step=side_of(one.shape[0]) or 8,
        tiles=_plain_tiles(one, t("inside.matrix_cell")),
    )
    st.caption(
        t(
            "inside.mask_numbers",
            window=window,
            blocked=int(blocked.sum()),
            pairs=blocked.size,
            percent=f"{100 * blocked.mean():.1f}",
            kinds=len(classes),
        )
    )
    where, value = {"window": window}, None
    if at is not None:
        value = float(one[at[1], at[0]])
        where |= {"query": at[1], "key": at[0]}
        st.markdown(t("inside.mask_cell", query=at[1], key=at[0], value=f"{value:g}"))
    return Seen(one, where, value), Save(
        lambda: enlarge(colours), lambda: to_svg(colours, pixelated=True, title=spec.name)
    )


def view_heads(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """One head's matrix position x channel."""
    matrix, chosen = _pick_axes(spec, array, key, sample, 2)
    return _matrix(spec, matrix, chosen, key)


def view_tokens(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """Tokens that are the places of a square map are feature maps again; tokens of a text are rows, labels their words.

    Rows without a word, the padding, are left out.
    """
    at = spec.axes.index("position") if "position" in spec.axes else None
    side = None if at is None else side_of(array.shape[at])
    if at is not None and side is not None:
        spec = replace(spec, axes=(*spec.axes[:at], "row", "column", *spec.axes[at + 1 :]))
        array = array.reshape(*array.shape[:at], side, side, *array.shape[at + 1 :])
    if {"row", "column"} <= set(spec.axes):
        return view_maps(spec, array, key, image, labels, sample)
    matrix, chosen = _pick_axes(spec, array, key, sample, 2)
    return _matrix(spec, matrix if labels is None else matrix[: len(labels)], chosen, key, labels)


def view_rows(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """Numbers of a graph's nodes, edges or messages: one row each. labels: names of the rows; sample: the marked one.

    Of many rows some hundred are shown at once, those about the marked one first.
    """
    if array.ndim == 1:
        return view_vector(spec, array, key, image, labels, sample)
    axes = tuple(spec.axes)
    if array.ndim > 2:  # the head is chosen, and stands in front for that
        array, axes = np.moveaxis(array, 0, -2), (*axes[1:-1], axes[0], axes[-1])
    spec = replace(spec, axes=axes)
    matrix, chosen = _pick_axes(spec, array, key, 0, 2)
    blocks = -(-len(matrix) // MOST_ROWS)
    marked = min(max(sample, 0), len(matrix) - 1)
    block = _choose(f"{key}.block", t("inside.rows_block", n=MOST_ROWS), blocks, marked // MOST_ROWS)
    first = block * MOST_ROWS
    return _matrix(spec, matrix[first : first + MOST_ROWS], chosen, key, labels, first, marked)


def _matrix(
    spec: TapSpec,
    matrix: np.ndarray,
    chosen: dict[str, int],
    key: str,
    names: Sequence[str] | None = None,
    first: int = 0,
    marked: int | None = None,
) -> tuple[Seen, Save]:
    """A matrix with a cell picked. names: of all rows; first: the number of the first one here; marked: one of all."""
    kind = kind_of(matrix)
    limits = limits_of(matrix, kind)
    colours = colormap(matrix, kind, limits)
    rows_word, columns_word = (axis_word(axis) for axis in spec.axes[-2:])
    frame = []
    if marked is not None and first <= marked < first + len(matrix):
        frame = [Rect(x=0, y=marked - first, width=matrix.shape[1], height=1, style=Style(width=1.5))]
    left, right = st.columns(2, gap="large")
    with left:
        at = picture(
            colours,
            f"{key}.cells",
            t(
                "inside.heads_alt",
                rows=matrix.shape[0],
                columns=matrix.shape[1],
                row=rows_word,
                column=columns_word,
            ),
            overlays=frame,
            pixelated=True,
            height=480,
            hint=t("inside.heads_hint", row=rows_word, column=columns_word),
            tiles=_plain_tiles(matrix, f"{rows_word} × {columns_word}"),
            scale=(kind, limits),
        )
    value = None
    with right:
        if at is not None:
            row = at[1] + first
            value = float(matrix[at[1], at[0]])
            chosen |= {spec.axes[-2]: row, spec.axes[-1]: at[0]}
            st.markdown(
                t(
                    "inside.matrix_value",
                    row_word=rows_word,
                    row=plain(names[row]) if names is not None and row < len(names) else row,
                    column_word=columns_word,
                    column=at[0],
                    value=f"{value:.6g}",
                )
            )
        numbers_line(matrix)
        drawing(
            responsive(lambda w: histogram(matrix, title=t("inside.histogram_all"), marked=value, width=w)),
            f"{key}.histogram",
        )
    return Seen(matrix, chosen, value), Save(
        lambda: enlarge(colours), lambda: to_svg(colours, frame, pixelated=True, title=spec.name)
    )


def view_vector(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """A vector or logits: the largest numbers as bars, all of them as a histogram."""
    vector = (
        array.reshape(-1, array.shape[-1])[min(sample, int(np.prod(array.shape[:-1])) - 1)]
        if array.ndim > 1
        else array
    )
    count = vector.shape[0]
    chosen_key = f"{key}.index"
    chosen = st.session_state.get(chosen_key)
    size = vector if spec.kind == "logits" else np.abs(vector)
    shown = [int(i) for i in np.argsort(-np.nan_to_num(size, nan=-np.inf), kind="stable")[: min(12, count)]]
    axis = axis_word(spec.axes[-1])

    def word(i: int) -> str:
        return labels[i] if labels is not None and i < len(labels) else f"{axis} {i}"

    def from_bar(part: str) -> None:
        st.session_state[chosen_key] = int(part)

    def figure(width: int) -> str:
        return bars(
            vector[shown],
            [word(i) for i in shown],
            title=t("inside.bars_title", count=len(shown), total=count),
            ids=[str(i) for i in shown],
            chosen=shown.index(chosen) if chosen in shown else None,
            width=width,
        )

    drawn = for_file(figure(640))
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.caption(t("inside.bars_title", count=len(shown), total=count))
        drawing(
            responsive(figure),
            f"{key}.bars",
            selected=None if chosen is None else str(chosen),
            on_pick=from_bar,
        )
    where: dict[str, int] = {}
    value = None
    with right:
        if isinstance(chosen, int) and 0 <= chosen < count:
            value = float(vector[chosen])
            where = {spec.axes[-1]: chosen}
            st.markdown(t("inside.element", name=word(chosen), value=f"{value:.6g}"))
        numbers_line(vector)
        drawing(
            responsive(lambda w: histogram(vector, title=t("inside.histogram_all"), marked=value, width=w)),
            f"{key}.histogram",
        )
    return Seen(vector, where, value), Save(None, lambda: drawn)


def view_any(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """A kind without a view of its own: the last two axes as a matrix, a choice for every other."""
    return view_heads(spec, array, key, image, labels, sample)


View = Callable[[TapSpec, np.ndarray, str, Any, "Sequence[str] | None", int], tuple[Seen, Save]]
VIEWS: dict[str, View] = {
    "feature_map": view_maps,
    "tokens": view_tokens,
    "attention": view_attention,
    "mask": view_mask,
    "heads": view_heads,
    "vector": view_vector,
    "logits": view_vector,
    "nodes": view_rows,
    "edges": view_rows,
}

"""The view into a network: the drawing of its blocks, and every tensor in the view that suits its kind.

`architecture` draws a card; a click on a block selects it. `tap_view` shows one recorded array: what it is in
a sentence, its formula, the lines of our source that compute it, the tensor itself, and the number of the cell
that is picked. Both rerun only what surrounds them: call them inside one `st.fragment` of the page.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from app.figures.architecture import draw, groups
from app.figures.atlas import Atlas, atlas, channels_first, enlarge
from app.figures.charts import bars, for_file, histogram, responsive, short
from app.figures.colour import Kind, Limits, colormap, css_gradient, kind_of, limits_of
from app.figures.overlay import Rect, Style, to_svg
from app.text import has, t
from app.widgets import share, state
from app.widgets.picture import Pick, component, picture, set_pick
from models.card import Block, ModelCard, TapSpec

ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------- words about a tensor


def axis_word(axis: str) -> str:
    """The word of an axis in the current language; the axis itself where there is none."""
    key = f"axis.{axis}"
    return t(key) if has(key) else axis


def shape_words(shape: Sequence[int], axes: Sequence[str]) -> str:
    """ "batch 1 × channel 64 × row 32 × column 32"."""
    if len(shape) != len(axes):
        return " × ".join(str(size) for size in shape)
    return " × ".join(f"{axis_word(axis)} {size}" for axis, size in zip(axes, shape, strict=True))


@dataclass(frozen=True)
class Source:
    """Lines of one function or class: the file's path from the repository's root, its first line, the text."""

    path: str
    line: int
    text: str


@cache
def source_of(name: str, root: Path = ROOT) -> Source | None:
    """The source of "package.module:Class.method", read as text: nothing is imported or run.

    None where the module or the name is not there, or lies outside of `models` and `app`.
    """
    module, _, qualified = name.partition(":")
    parts = module.split(".")
    if parts[0] not in ("models", "app") or not all(part.isidentifier() for part in parts):
        return None
    path = root.joinpath(*parts).with_suffix(".py")
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    node: ast.AST = ast.parse(text)
    for part in filter(None, qualified.split(".")):
        found = [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.FunctionDef | ast.ClassDef) and child.name == part
        ]
        if not found:
            return None
        node = found[-1]
    shown = path.relative_to(root).as_posix()
    if isinstance(node, ast.Module):
        return Source(shown, 1, text)
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    lines = text.splitlines()[first - 1 : node.end_lineno]
    return Source(shown, first, "\n".join(lines))


@dataclass(frozen=True)
class Statistics:
    """Of the finite numbers of an array; `odd` counts the others."""

    size: int
    minimum: float
    maximum: float
    mean: float
    deviation: float
    norm: float
    zeros: float
    odd: int


def statistics(array: np.ndarray) -> Statistics:
    """Computed in float64. An array without a finite number has zeros everywhere."""
    values = np.asarray(array, np.float64).ravel()
    finite = values[np.isfinite(values)]
    odd = int(values.size - finite.size)
    if finite.size == 0:
        return Statistics(int(values.size), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, odd)
    return Statistics(
        int(values.size),
        float(finite.min()),
        float(finite.max()),
        float(finite.mean()),
        float(finite.std()),
        float(np.sqrt((finite**2).sum())),
        float((finite == 0).mean()),
        odd,
    )


# ---------------------------------------------------------------- small pieces


def drawing(
    svg: str, key: str, selected: str | None = None, on_pick: Callable[[str], None] | None = None
) -> None:
    """Show an SVG of ours; parts with `data-id` call `on_pick(id)` before the rerun when clicked or entered."""

    def taken() -> None:
        sent = st.session_state[key].get("pick")
        if isinstance(sent, str) and on_pick is not None:
            on_pick(sent)

    component("drawing")(data={"svg": svg, "selected": selected or ""}, key=key, on_pick_change=taken)


def legend(kind: Kind, limits: Limits) -> None:
    """The colour scale under a picture, with the numbers at its ends."""
    low, high = limits
    middle = "<span>0</span>" if kind == "diverging" else ""
    st.html(
        f'<div style="display:flex;justify-content:space-between;font-size:.75rem;font-variant-numeric:tabular-nums">'
        f"<span>{short(low)}</span>{middle}<span>{short(high)}</span></div>"
        f'<div style="height:.5rem;border-radius:.25rem;background:{css_gradient(kind)}"></div>'
    )


def numbers_line(array: np.ndarray) -> None:
    """The statistics of an array in one line."""
    s = statistics(array)
    words = t(
        "inside.statistics",
        minimum=short(s.minimum),
        maximum=short(s.maximum),
        mean=short(s.mean),
        deviation=short(s.deviation),
        norm=short(s.norm),
        zeros=f"{100 * s.zeros:.1f}",
    )
    st.caption(words + (" " + t("inside.odd", count=s.odd) if s.odd else ""))


def explain(spec: TapSpec, array: np.ndarray) -> None:
    """What a tensor is: its sentence, its shape, its formula and the lines that compute it."""
    st.markdown(t(spec.text))
    st.caption(
        t("inside.shape", name=spec.name, shape=shape_words(array.shape, spec.axes), dtype=str(array.dtype))
    )
    if spec.formula:
        st.latex(spec.formula)
    source = source_of(spec.source) if spec.source else None
    if source is not None:
        with st.expander(t("inside.source", path=source.path, line=source.line)):
            st.code(source.text, language="python", line_numbers=True)


@dataclass(frozen=True)
class Seen:
    """What a tap view shows: indices by axis word (those that apply) and the number of the picked cell.

    array: the piece on show (a channel, one query's row, a head's matrix). value: None where nothing is picked.
    """

    array: np.ndarray
    at: Mapping[str, int]
    value: float | None


# ---------------------------------------------------------------- the drawing of the blocks


def default_block(blocks: Sequence[Block], taps: Sequence[TapSpec]) -> str:
    """The first block that has a tensor to show, else the first one."""
    with_taps = {tap.block for tap in taps}
    return next((block.name for block in blocks if block.name in with_taps), blocks[0].name)


def block_words(blocks: Sequence[Block]) -> dict[str, str]:
    """Names of the blocks as drawn: the card's label, or the word for what has none (input, output)."""
    return {
        block.name: block.label or (t(key) if has(key := f"architecture.kind.{block.kind}") else block.name)
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
    st.caption(t("architecture.hint"))
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


# ---------------------------------------------------------------- views by kind


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
    of logits. sample: which of the batch. Call it inside a fragment; returns what is on show.
    """
    if array.ndim != len(spec.axes):
        raise ValueError(f"tap {spec.name} has shape {array.shape} but axes {spec.axes}")
    if explained:
        explain(spec, array)
    view = VIEWS.get(spec.kind, _view_vector if array.ndim <= 2 else _view_any)
    seen, save = view(spec, array, key, image, labels, sample)
    if take_away:
        slug = name or getattr(getattr(model, "card", None), "slug", "tensor")
        _take_away(key, f"{slug}-{spec.name}", spec, array, save)
    return seen


@dataclass(frozen=True)
class Save:
    """How the view is taken away: its picture and its drawing, made only when asked for."""

    png: Callable[[], np.ndarray] | None
    svg: Callable[[], str]


def _take_away(key: str, name: str, spec: TapSpec, array: np.ndarray, save: Save) -> None:
    share.take_away(
        f"{key}.take",
        name.replace("/", "-"),
        png=save.png,
        svg=save.svg,
        tensor=lambda: array,
        axes=spec.axes,
    )


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


def _view_maps(
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


def _view_attention(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """Attention: the matrix query x key of one head, and the row of one query laid out over its window."""
    matrix, chosen = _pick_axes(spec, array, key, sample, 2)
    queries, keys = matrix.shape
    kind = kind_of(matrix)
    limits = limits_of(matrix, kind)
    side = side_of(keys)
    query_key = f"{key}.query"
    query = int(st.session_state.get(query_key, queries // 2))
    query = query if 0 <= query < queries else queries // 2

    left, right = st.columns(2, gap="large")
    with left:
        st.caption(t("inside.matrix"))

        def from_matrix(pick: Pick) -> None:
            st.session_state[query_key] = pick[1]

        row_frame = Rect(x=0, y=query, width=keys, height=1, style=Style(width=1.5))
        picture(
            colormap(matrix, kind, limits),
            f"{key}.matrix",
            t("inside.matrix_alt", queries=queries, keys=keys),
            overlays=[row_frame],
            pixelated=True,
            show_pick=False,
            height=380,
            hint=t("inside.matrix_hint"),
            tiles=_plain_tiles(matrix, t("inside.matrix_cell")),
            scale=(kind, limits),
            on_pick=from_matrix,
        )
    row = matrix[query]
    at: int | None = None
    with right:
        st.caption(t("inside.row_over_window", query=query))
        if side is None:
            drawing(
                responsive(lambda w: histogram(row, title=t("inside.row_over_window", query=query), width=w)),
                f"{key}.row",
            )
        else:
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
            best=best,
            value=f"{float(row[best]):.6g}",
            total=f"{float(row.astype(np.float64).sum()):.6g}",
        )
    )
    numbers_line(row)
    colours = colormap(matrix, kind, limits)
    save = Save(
        lambda: enlarge(colours), lambda: to_svg(colours, [row_frame], pixelated=True, title=spec.name)
    )
    return Seen(row, chosen | {"query": query, "key": at}, float(row[at])), save


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


def _view_mask(
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


def _view_heads(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """One head's matrix position x channel."""
    matrix, chosen = _pick_axes(spec, array, key, sample, 2)
    kind = kind_of(matrix)
    limits = limits_of(matrix, kind)
    colours = colormap(matrix, kind, limits)
    rows_word, columns_word = (axis_word(axis) for axis in spec.axes[-2:])
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
            pixelated=True,
            height=480,
            hint=t("inside.heads_hint", row=rows_word, column=columns_word),
            tiles=_plain_tiles(matrix, f"{rows_word} × {columns_word}"),
            scale=(kind, limits),
        )
    value = None
    with right:
        if at is not None:
            value = float(matrix[at[1], at[0]])
            chosen |= {spec.axes[-2]: at[1], spec.axes[-1]: at[0]}
            st.markdown(
                t(
                    "inside.matrix_value",
                    row_word=rows_word,
                    row=at[1],
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
        lambda: enlarge(colours), lambda: to_svg(colours, pixelated=True, title=spec.name)
    )


def _view_vector(
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


def _view_any(
    spec: TapSpec, array: np.ndarray, key: str, image: Any, labels: Sequence[str] | None, sample: int
) -> tuple[Seen, Save]:
    """A kind without a view of its own: the last two axes as a matrix, a choice for every other."""
    return _view_heads(spec, array, key, image, labels, sample)


View = Callable[[TapSpec, np.ndarray, str, Any, "Sequence[str] | None", int], tuple[Seen, Save]]
VIEWS: dict[str, View] = {
    "feature_map": _view_maps,
    "tokens": _view_maps,
    "attention": _view_attention,
    "mask": _view_mask,
    "heads": _view_heads,
    "vector": _view_vector,
    "logits": _view_vector,
}

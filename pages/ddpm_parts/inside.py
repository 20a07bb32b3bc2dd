"""Inside the U-Net at one moment of a path: the choice of a view, the whole net, and its skips.

Attention and the clock have files of their own. Every view follows the step that is chosen above it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import streamlit as st

from app.figures import ddpm_inside as figures
from app.figures.architecture import collapse
from app.figures.ddpm import to_rgb
from app.figures.overlay import Label, Rect, Shape, Style
from app.figures.printed import small
from app.figures.unet import draw_u, skips_of
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number, worked_sum
from app.widgets.inside import drawing, tap_view, taps_of_block
from app.widgets.picture import Pick, picture
from app.widgets.tensor import Seen, explain
from models.card import TapSpec
from pages.ddpm_parts import sums
from pages.ddpm_parts.attention import attention, pair_sum
from pages.ddpm_parts.clock import clock
from pages.ddpm_parts.moment import Moment, moment_of
from pages.ddpm_parts.run import taps_at
from pages.ddpm_parts.view import Scene, class_name

VIEWS = ("network", "skips", "attention", "clock")
VIEW: state.Param[str] = state.Param("inside", VIEWS[0], allowed=VIEWS)
BLOCK: state.Param[str] = state.Param("block", "down.1.attention.0")
TAP: state.Param[str] = state.Param("tap", "")
SKIP = state.Param("skip", 1, state.parse_whole(0, 99), str)


def inside(scene: Scene, frame: int, sample: int) -> None:
    """One of four views into the net at the chosen step of the chosen sample."""
    m = moment_of(scene, frame, sample)
    st.header(t("ddpm_inside.title"), anchor="inside")
    st.markdown(
        t(
            "ddpm_inside.lead",
            step=int(m.path.step[m.frame]) + 1,
            steps=m.path.steps,
            t=m.shown_t,
            name=state.plain(class_name(m.model, m.label)),
        )
    )
    view = st.segmented_control(
        t("ddpm_inside.view"),
        VIEWS,
        required=True,
        format_func=lambda v: t(f"ddpm_inside.view.{v}"),
        label_visibility="collapsed",
        **state.bind(VIEW),
    )
    {"network": network, "skips": skips, "attention": attention, "clock": clock}[view or VIEWS[0]](m)


# ---------------------------------------------------------------- the whole net


def block_names(m: Moment) -> tuple[dict[str, str], dict[str, str]]:
    """What each block is called in the drawing, and the shape that leaves it."""
    side = m.x.shape[-1]
    labels, notes = {}, {}
    for block in m.model.card.blocks(m.model.config):
        kind = block.name if block.name in ("time", "step", "conv_in", "conv_out") else block.kind
        labels[block.name] = t(f"ddpm_inside.block.{kind}")
    wide, level = m.model.config["block_out_channels"], 0
    notes["input"] = notes["output"] = notes["conv_out"] = f"{m.x.shape[1]} × {side} × {side}"
    notes["conv_in"] = f"{wide[0]} × {side} × {side}"
    notes["time"] = f"{4 * wide[0]}"
    for name, feed in sums.wiring(m.model.config).items():
        level += {"down": 1, "up": -1}.get(feed.kind, 0)
        part, _, number = name.partition(".")
        i = int(number.split(".")[0]) if part in ("down", "up") else len(wide) - 1
        channels = wide[i] if part != "up" else wide[len(wide) - 1 - i]
        cells = side >> level
        notes[name] = f"{channels} × {cells} × {cells}"
    return labels, notes


def net_drawing(m: Moment, selected: str) -> str:
    """The U at two widths, as SVG."""
    blocks = m.model.card.blocks(m.model.config)
    labels, notes = block_names(m)
    sources = sums.skip_sources(m.model.config)
    nodes = collapse(blocks, frozenset(block.name for block in blocks))
    words = {pair: t("ddpm_inside.skip_n", n=sources.index(pair[0])) for pair in skips_of(nodes)}
    shapes = (("wide", 138.0, 34.0, 30.0), ("narrow", 104.0, 0.0, 16.0))
    return "".join(
        draw_u(
            blocks, selected=selected, labels=labels, notes=notes, skip_notes=words,
            title=t("ddpm_inside.net.alt"), node_width=width, indent=indent, gap=gap, css_class=name,
        ).svg
        for name, width, indent, gap in shapes
    )  # fmt: skip


def network(m: Moment) -> None:
    """The drawing of the whole net: a click on a block shows its tensors, and the sum behind one of their numbers."""
    st.markdown(t("ddpm_inside.net.about"))
    names = tuple(block.name for block in m.model.card.blocks(m.model.config))
    block = state.get(BLOCK, allowed=names)
    drawing(
        net_drawing(m, block), "ddpm_inside:net", selected=block, on_pick=lambda name: state.put(BLOCK, name)
    )
    st.caption(t("ddpm_inside.net.hint"))
    labels, notes = block_names(m)
    st.subheader(labels[block] + (f" · {notes[block]}" if block in notes else ""), anchor=False)
    mine = taps_of_block(m.model.card, m.model.config, block)
    if not mine:
        _without_taps(m, block)
        return
    by_name = {spec.name: spec for spec in mine}
    name = _tap_choice(block, tuple(by_name))
    show_tap(m, by_name[name], f"ddpm_inside:tap.{name}")


def _tap_choice(block: str, names: tuple[str, ...]) -> str:
    """Which tensor of a block: the chosen one, else its output. Only a choice is written into the link."""
    own = f"{block}.out" if f"{block}.out" in names else names[-1]
    chosen = state.get(TAP)
    key = f"ddpm_inside:tap:{block}"
    wanted = chosen if chosen in names else own
    if st.session_state.get(key) != wanted:
        st.session_state[key] = wanted

    def taken() -> None:
        state.put(TAP, st.session_state[key])

    return str(
        st.segmented_control(
            t("ddpm_inside.net.tap"),
            names,
            required=True,
            format_func=lambda n: (
                t("ddpm_inside.skip_n", n=n[5:]) if n.startswith("skip.") else n.removeprefix(f"{block}.")
            ),
            key=key,
            on_change=taken,
        )
    )


def _without_taps(m: Moment, block: str) -> None:
    """Input and step have no tensor of their own: what they hand in."""
    if block == "step":
        st.markdown(
            t(
                "ddpm_inside.net.step",
                t=m.t,
                shown=m.shown_t,
                label=m.label,
                name=state.plain(class_name(m.model, m.label)),
            )
        )
        return
    st.html(
        figures.gallery(
            [
                figures.Cell(
                    to_rgb(m.x[0]),
                    t("ddpm_inside.net.input", t=m.shown_t),
                    t("ddpm_inside.net.input", t=m.shown_t),
                )
            ],
            t("ddpm_inside.net.input", t=m.shown_t),
            most=220,
        )
    )


def show_tap(m: Moment, spec: TapSpec, key: str) -> None:
    """One tensor in the view of its kind, and one of its numbers worked out again."""
    twin = twin_of(m, spec.name)
    wanted = sums.needed(m.model.config, twin) or ()
    found = taps_at(m, (spec.name, *wanted))
    array = found[spec.name]
    if spec.kind == "heads":
        seen = heads_view(m, spec, array, key)
    else:
        seen = tap_view(m.model, spec, array, key, image=to_rgb(m.x[0]))
    worked(m, spec, found, seen)


def twin_of(m: Moment, tap: str) -> str:
    """The tap whose numbers these are: a skip is a copy of what its giver puts out, every other tap is its own."""
    if tap.startswith("skip.") and tap != "skip.0":
        return f"{sums.skip_sources(m.model.config)[int(tap[5:])]}.out"
    return tap


def heads_view(m: Moment, spec: TapSpec, array: np.ndarray, key: str) -> Seen:
    """Numbers by head and position (1, heads, N, d), laid out as what they are: d small maps of one head."""
    explain(spec, array)
    _, heads, positions, channels = array.shape
    side = round(positions**0.5)
    head = int(
        st.segmented_control(
            t("axis.head"), range(heads), default=0, required=True, format_func=str, key=f"{key}.head"
        )
        or 0
    )
    maps = array[:, head].transpose(0, 2, 1).reshape(1, channels, side, side)
    drawn = replace(spec, axes=("batch", "channel", "row", "column"), kind="feature_map")
    seen = tap_view(
        m.model, drawn, maps, f"{key}.{head}", image=to_rgb(m.x[0]), explained=False, name=f"ddpm-head{head}"
    )
    at = {"head": head, "channel": seen.at["channel"]}
    if "row" in seen.at:
        at["position"] = seen.at["row"] * side + seen.at["column"]
    return Seen(seen.array, at, seen.value)


# ---------------------------------------------------------------- worked numbers


def cell_of(spec: TapSpec, array: np.ndarray, seen: Seen) -> dict[str, int]:
    """The number to work out: the picked one, else the largest of what is on show."""
    cell = {axis: int(value) for axis, value in seen.at.items()}
    open_axes = [axis for axis in spec.axes if axis != "batch" and axis not in cell]
    if open_axes:
        index = tuple(0 if axis == "batch" else cell.get(axis, slice(None)) for axis in spec.axes)
        piece = np.abs(array[index])
        place = np.unravel_index(int(np.argmax(piece)), piece.shape)
        cell |= {axis: int(value) for axis, value in zip(open_axes, place, strict=True)}
    return cell


def cell_words(cell: Mapping[str, int]) -> str:
    """ "channel 3, row 4, column 7"."""
    return t("ddpm_inside.join").join(f"{t(f'axis.{axis}')} {value}" for axis, value in cell.items())


def worked(m: Moment, spec: TapSpec, taps: sums.Arrays, seen: Seen) -> None:
    """The sum behind one number, with its largest terms, recomputed against the net's own."""
    cell = cell_of(spec, taps[spec.name], seen)
    if spec.name == "time.sinusoid":
        st.subheader(t("ddpm_inside.worked"), anchor=False)
        wave(m, cell["channel"], float(taps[spec.name][0, cell["channel"]]))
        return
    if spec.name.endswith(".weights"):
        block = spec.name.removesuffix(".weights")
        st.subheader(t("ddpm_inside.worked"), anchor=False)
        pair_sum(taps, block, cell["head"], cell["query"], cell["key"])
        return
    twin = twin_of(m, spec.name)
    found = sums.sum_of(m.model.state, m.model.config, taps, twin, cell, m.x)
    if found is None:
        st.caption(t("ddpm_inside.no_sum"))
        return
    st.subheader(t("ddpm_inside.worked"), anchor=False)
    if twin != spec.name:
        st.markdown(t("ddpm_inside.worked.copy", name=spec.name, twin=twin))
    st.markdown(t("ddpm_inside.worked.cell", name=spec.name, cell=cell_words(cell)))
    show_sum(found)


def show_sum(found: sums.Sum) -> None:
    worked_sum(
        found.terms,
        found.bias,
        found.expected,
        symbol=found.symbol,
        formula=found.formula,
        slack=found.slack,
    )


def wave(m: Moment, channel: int, stored: float) -> None:
    """One number of the sinusoid: no sum, one cosine or sine of t times a frequency."""
    channels = m.model.config["block_out_channels"][0]
    half = channels // 2
    name, k = (r"\cos", channel) if channel < half else (r"\sin", channel - half)
    frequency = float(np.exp(-np.log(10000) * k / half))
    again = float(sums.sinusoid(m.t, channels)[channel])
    st.latex(
        rf"s_{{{channel}}}={name}\!\left(t\cdot10000^{{-{k}/{half}}}\right)"
        rf"={name}({m.t}\cdot{latex_number(frequency, 6)})={latex_number(again, 7)}"
    )
    difference = abs(again - stored)
    st.caption(
        t("ddpm_inside.agreement", again=f"{again:.8g}", stored=f"{stored:.8g}", apart=small(difference))
    )


# ---------------------------------------------------------------- skips


def skips(m: Moment) -> None:
    """What each skip carries across the U at this step: a map each, and the channels of the chosen one."""
    st.markdown(t("ddpm_inside.skips.about"))
    count = len(sums.skip_sources(m.model.config))
    names = tuple(f"skip.{i}" for i in range(count))
    found = taps_at(m, names)
    sheet = figures.skip_sheet([found[name][0] for name in names])
    chosen = state.get(SKIP, allowed=range(count))

    def picked(pick: Pick) -> None:
        index = sheet.at(*pick)
        if index is not None:
            state.put(SKIP, index)

    shapes: list[Shape] = []
    for i, name in enumerate(names):
        x, y = sheet.corner(i)
        style = Style(width=2.5) if i == chosen else Style(colour="plain", width=0.5)
        shapes.append(Rect(x=x, y=y, width=sheet.side, height=sheet.side, style=style))
        _, channels, rows, _ = found[name].shape
        words = t("ddpm_inside.skips.tile", n=i, channels=channels, rows=rows)
        shapes.append(Label(x=x + 0.6, y=y + 0.6, text=words, below=True, size=12))
    picture(
        sheet.image,
        "ddpm_inside:skips",
        t("ddpm_inside.skips.alt", count=count),
        overlays=shapes,
        pixelated=True,
        show_pick=False,
        step=sheet.side + sheet.gap,
        height=420,
        hint=t("ddpm_inside.skips.hint"),
        on_pick=picked,
    )
    spec = next(s for s in m.model.card.taps(m.model.config) if s.name == names[chosen])
    labels, _ = block_names(m)
    source = sums.skip_sources(m.model.config)[chosen]
    st.subheader(t("ddpm_inside.skips.one", n=chosen, source=labels[source]), anchor=False)
    show_tap(m, spec, f"ddpm_inside:skip.{chosen}")

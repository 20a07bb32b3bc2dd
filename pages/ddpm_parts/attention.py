"""Self-attention of one pixel at one step: which parts of the noisy picture it reads from, head by head."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import ddpm_inside as figures
from app.figures.atlas import atlas
from app.figures.ddpm import to_rgb
from app.figures.overlay import Grid, Rect, Shape, Style
from app.figures.printed import small
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number, worked_sum
from app.widgets.picture import Pick, last_pick, picture, set_pick
from app.widgets.share import take_away
from pages.ddpm_parts import sums
from pages.ddpm_parts.moment import Moment
from pages.ddpm_parts.run import taps_at

LAYER: state.Param[str] = state.Param("attention", "up.1.attention.1")
HEAD = state.Param("head", 0, state.parse_whole(0, 63), str)
AT: state.Param[Pick | None] = state.Param("at", None, state.parse_pick, state.format_pick)
KEY = state.Param("key", -1, state.parse_whole(-1, 99999), str)
OVER: state.Param[str] = state.Param("over", "x0", allowed=("x0", "x_t"))
PARTS = ("q", "k", "v", "weights", "heads")


def layer_words(config: dict[str, object], name: str, side: int) -> str:
    """ "down 14 × 14", "up 7 × 7, second"."""
    way, place = name.split(".")[0], name.split(".")
    level = 0
    for block, feed in sums.wiring(config).items():
        level += {"down": 1, "up": -1}.get(feed.kind, 0)
        if block == name:
            break
    cells = side >> level
    words = t(f"ddpm_inside.way.{way}", cells=cells)
    same = [n for n in sums.attentions(config) if n.split(".")[:2] == place[:2]]
    return words + (t("ddpm_inside.way.nth", n=same.index(name) + 1) if len(same) > 1 else "")


def attention(m: Moment) -> None:
    """Where one pixel's features are read from, over the picture, in every head, and the numbers behind it."""
    st.markdown(t("ddpm_inside.attention.about"))
    side = m.x.shape[-1]
    layers = sums.attentions(m.model.config)
    layer = st.selectbox(
        t("ddpm_inside.attention.layer"),
        layers,
        format_func=lambda name: layer_words(m.model.config, name, side),
        width=320,
        **state.bind(LAYER, allowed=layers),
    )
    found = taps_at(m, [f"{layer}.{part}" for part in PARTS])
    weights = found[f"{layer}.weights"][0]  # (heads, N, N)
    heads, tokens = weights.shape[0], weights.shape[-1]
    cells = round(tokens**0.5)
    pixels = side // cells
    head = min(state.get(HEAD), heads - 1)
    pick = last_pick("ddpm_inside:attention", AT, within=(side, side)) or ink(m)
    query = (pick[1] // pixels) * cells + pick[0] // pixels
    row = weights[head, query]
    where, close = st.columns(2, gap="large")
    with where:
        _over_the_picture(m, row.reshape(cells, cells), query, pixels)
    with close:
        _heads(weights[:, query].reshape(heads, cells, cells), head, query)
        _words(weights[:, query], head, query, cells)
    st.subheader(t("ddpm_inside.worked"), anchor=False)
    key = state.get(KEY)
    key = key if 0 <= key < tokens else int(np.argmax(row))
    pair, output = st.tabs([t("ddpm_inside.attention.pair"), t("ddpm_inside.attention.output")])
    with pair:
        pair_sum(found, layer, head, query, key)
    with output:
        gathered = found[f"{layer}.heads"][0, head, query]
        cell = {"head": head, "position": query, "channel": int(np.argmax(np.abs(gathered)))}
        made = sums.sum_of(m.model.state, m.model.config, found, f"{layer}.heads", cell, m.x)
        st.markdown(t("ddpm_inside.attention.gathers", head=head + 1, channel=cell["channel"]))
        assert made is not None
        worked_sum(
            made.terms, made.bias, made.expected, symbol=made.symbol, formula=made.formula, slack=made.slack
        )
    take_away(
        "ddpm_inside:attention",
        f"ddpm-{layer}-t{m.shown_t}",
        png=lambda: np.kron(
            _sheet(weights[:, query].reshape(heads, cells, cells)).image, np.ones((16, 16, 1), np.uint8)
        ),
        tensor=weights,
        axes=("head", "query", "key"),
    )


def ink(m: Moment) -> Pick:
    """Where to look at first: the pixel of the predicted picture that differs most from its ground."""
    picture_ = m.x0[0]
    ground = np.median(np.concatenate([picture_[:, 0], picture_[:, -1]], axis=1), axis=1)[:, None, None]
    far = np.abs(picture_ - ground).mean(axis=0)
    y, x = np.unravel_index(int(np.argmax(far)), far.shape)
    return int(x), int(y)


def _over_the_picture(m: Moment, weights: np.ndarray, query: int, pixels: int) -> None:
    """The picture with one head's weights as a film; a click asks for another pixel."""
    over = st.segmented_control(
        t("ddpm_inside.attention.over"),
        ("x0", "x_t"),
        required=True,
        format_func=lambda v: t(f"ddpm_inside.over.{v}"),
        label_visibility="collapsed",
        **state.bind(OVER),
    )
    side = m.x.shape[-1]
    image = to_rgb((m.x0 if over == "x0" else m.x)[0])

    def picked(pick: Pick) -> None:
        set_pick("ddpm_inside:attention", pick, AT)
        state.put(KEY, -1)

    shapes: list[Shape] = [
        Grid(step=pixels, style=Style(width=0.6, opacity=0.3, colour="plain", halo=False)),
        figures.token_rect(query, weights.shape[1], pixels),
    ]
    picture(
        image,
        "ddpm_inside:attention",
        t("ddpm_inside.attention.alt", t=m.shown_t),
        overlays=shapes,
        layer=figures.attention_layer(weights, side, side, float(weights.max())),
        layer_opacity=0.6,
        layer_label=t("ddpm_inside.attention.film"),
        pixelated=True,
        show_pick=False,
        step=pixels,
        height=400,
        hint=t("ddpm_inside.attention.hint"),
        param=AT,
        on_pick=picked,
        scale=("sequential", (0.0, float(weights.max()))),
    )


def _sheet(maps: np.ndarray) -> figures.Sheet:
    """Every head's map beside the others, in the same colours."""
    peak = float(maps.max())
    columns = len(maps) if len(maps) < 4 else 2
    made = atlas(maps, columns=columns, pad=1, kind="sequential", limits=(0.0, peak))
    return figures.Sheet(made.image, made.tile_w, made.pad, made.columns, len(maps))


def _heads(maps: np.ndarray, head: int, query: int) -> None:
    """All heads; a click chooses head and key."""
    sheet = _sheet(maps)
    cells = maps.shape[-1]

    def picked(pick: Pick) -> None:
        index = sheet.at(*pick)
        if index is not None:
            x, y = sheet.corner(index)
            state.put(HEAD, index)
            state.put(KEY, (pick[1] - y) * cells + pick[0] - x)

    shapes: list[Shape] = []
    for i in range(len(maps)):
        x, y = sheet.corner(i)
        style = Style(width=2.5) if i == head else Style(colour="plain", width=0.5)
        name = t("ddpm_inside.attention.head", n=i + 1)
        shapes.append(Rect(x=x, y=y, width=cells, height=cells, style=style, label=name))
        row, column = divmod(query, cells)
        shapes.append(
            Rect(x=x + column, y=y + row, width=1, height=1, style=Style(colour="second", width=1.5))
        )
    st.caption(t("ddpm_inside.attention.heads", count=len(maps)))
    picture(
        sheet.image,
        "ddpm_inside:heads",
        t("ddpm_inside.attention.heads.alt", count=len(maps)),
        overlays=shapes,
        pixelated=True,
        show_pick=False,
        step=cells + sheet.gap,
        height=400,
        hint=t("ddpm_inside.attention.heads.hint"),
        on_pick=picked,
        scale=("sequential", (0.0, float(maps.max()))),
    )


def _words(rows: np.ndarray, head: int, query: int, cells: int) -> None:
    """What the chosen head does, in a sentence."""
    row = rows[head].astype(np.float64)
    down, across = np.divmod(np.arange(len(row)), cells)
    far = np.hypot(down - query // cells, across - query % cells)
    st.markdown(
        t(
            "ddpm_inside.attention.says",
            head=head + 1,
            number=f"{float(figures.entropy(row)):.1f}",
            tokens=len(row),
            best=f"{100 * float(row.max()):.1f}",
            itself=f"{100 * float(row[query]):.1f}",
            far=f"{float((row * far).sum()):.1f}",
            even=f"{float(far.mean()):.1f}",
        )
    )


def place(position: int, side: int) -> str:
    """ "row 2, column 6" of a position of a square map."""
    row, column = divmod(position, side)
    return f"{t('axis.row')} {row}{t('ddpm_inside.join')}{t('axis.column')} {column}"


def pair_sum(taps: sums.Arrays, block: str, head: int, query: int, key: int) -> None:
    """q·k / sqrt(d) of one pair with its terms, then the softmax, recomputed against the net's weight."""
    q, k = taps[f"{block}.q"][0, head, query], taps[f"{block}.k"][0, head]
    every, side = sums.scores(q, k), round(len(k) ** 0.5)
    st.markdown(
        t("ddpm_inside.attention.of_pair", head=head + 1, query=place(query, side), key=place(key, side))
    )
    worked_sum(
        [(rf"d={d}", float(q[d]), float(k[key, d]) / float(np.sqrt(q.size))) for d in range(q.size)],
        symbol="S_{ij}",
        formula=r"S_{ij}=\sum_d q_{id}\,\tfrac{k_{jd}}{\sqrt d}",
    )
    again, stored = float(sums.softmax(every)[key]), float(taps[f"{block}.weights"][0, head, query, key])
    st.latex(
        rf"A_{{ij}}=\frac{{e^{{S_{{ij}}}}}}{{\sum_{{j'=1}}^{{{len(every)}}}e^{{S_{{ij'}}}}}}"
        rf"=\frac{{{latex_number(float(np.exp(every[key])))}}}{{{latex_number(float(np.exp(every).sum()))}}}"
        rf"={latex_number(again, 6)}"
    )
    st.caption(
        t(
            "ddpm_inside.agreement",
            again=f"{again:.8g}",
            stored=f"{stored:.8g}",
            apart=small(abs(again - stored)),
        )
    )

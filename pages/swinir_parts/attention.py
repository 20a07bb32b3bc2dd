"""What one pixel of SwinIR listened to: on the picture, head by head, through the mask, and worked out again."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import Model, upscale as tiled
from app.figures import swinir as draw
from app.figures.overlay import Label, Rect, Shape, Style, to_svg
from app.figures.printed import percent
from app.figures.swinir_windows import (
    Crop,
)
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number, worked_sum
from app.widgets.inside import legend
from app.widgets.picture import picture
from app.widgets.share import take_away
from pages.swinir_parts.numbers import (
    Attention,
    attention_at,
    entropy,
    plain_minus,
    score_words,
    unmasked_weights,
    weights_of,
)
from pages.swinir_parts.view import (
    HEAD,
    KEY,
    LAYER,
    Layer,
    Pick,
    Scene,
    attention_taps,
    choose_pixel,
    crop_for,
    layer_choice,
    layers_of,
    short_name,
    through_depth,
    trace,
    windows_of,
)

DEPTH = state.Param("depth", False, state.parse_flag, state.format_flag)
CHANNEL = state.Param("channel", 0, state.parse_whole(0, 4095), str)


def attention(model: Model, scene: Scene) -> None:
    """Which pixels the picked one listened to: on the picture, head by head, and the sums behind it."""
    st.markdown(t("swinir.attention.about"))
    layer = layer_choice(model, "attention")
    x, y = scene.pick()
    crop = crop_for(model, scene, (x, y))
    found = trace(model, scene, crop, attention_taps(layer.block))
    grid = windows_of(model, crop.height, crop.width, layer.shift)
    at = attention_at(found.taps, layer.block, grid, *crop.inside(x, y))
    head = min(state.get(HEAD), at.heads - 1)
    if not crop.whole:
        st.caption(t("swinir.crop", width=crop.width, height=crop.height))
    where, close = st.columns([5, 4], gap="large")
    with where:
        _on_the_picture(scene, crop, at, head)
    with close:
        _close_up(scene, crop, at, head)
    _heads(at, head)
    _through_the_layers(model, scene, crop, layer, head)
    if at.silenced.any():
        _silenced(at, head)
    elif layer.shift:
        way_to_a_seam(scene, "attention")
    _worked(at, head)
    take_away(
        "swinir.attention",
        f"swinir-{layer.block}-x{x}-y{y}",
        png=lambda: _sheet(at),
        svg=lambda: to_svg(draw.heat(at.weights[head]), _grid_shapes(at, at.weights[head]), pixelated=True),
        tensor=np.stack([at.scores, at.weights], axis=0),
        axes=("scores_weights", "head", "key"),
    )


def _sheet(at: Attention) -> np.ndarray:
    """All heads side by side, for a file."""
    maps = [np.kron(draw.heat(at.weights[h]), np.ones((32, 32, 1), np.uint8)) for h in range(at.heads)]
    return draw.tiles(maps, gap=16, columns=min(3, at.heads))


def _on_the_picture(scene: Scene, crop: Crop, at: Attention, head: int) -> None:
    """The layer's windows over the picture, the pieces of this window in colour, attention as a film."""

    def picked(pick: Pick) -> None:
        choose_pixel(crop.x + pick[0], crop.y + pick[1])

    row, column = at.pixels[at.position]
    weights = at.weights[head]
    picture(
        crop.cut(scene.shown(scene.image)),
        "swinir.where",
        t("swinir.where.alt"),
        overlays=[*draw.window_shapes(at.windows, at.window)],
        marks=[draw.pick_mark(int(column), int(row))],
        layer=draw.attention_layer(at.windows, at.pixels, weights, float(weights.max())),
        layer_opacity=0.85,
        layer_label=t("swinir.where.film"),
        pixelated=True,
        show_pick=False,
        step=at.size,
        zoom=True,
        height=430,
        hint=t("swinir.where.hint"),
        on_pick=picked,
    )


def _close_up(scene: Scene, crop: Crop, at: Attention, head: int) -> None:
    """The window as the layer gathers it, and what can be said about the picked pixel in words."""
    around = draw.surroundings(crop.cut(scene.shown(scene.image)), at.windows, at.window)
    weights = at.weights[head]

    def picked(pick: Pick) -> None:
        pixel = draw.unrolled(around, at.windows, *pick)
        if pixel is not None:
            choose_pixel(crop.x + pixel[0], crop.y + pixel[1])

    inner = [*draw.seams(at.windows, at.window), *draw.hatch(at.silenced), draw.cell(at.position, at.size)]
    frame = Rect(
        x=around.x, y=around.y, width=at.size, height=at.size, style=Style(colour="plain", width=1.5)
    )
    picture(
        around.image,
        "swinir.window",
        t("swinir.window.alt", size=at.size),
        overlays=[frame, *draw.moved(inner, around.x, around.y)],
        layer=draw.close_film(around, at.size, weights, float(weights.max())),
        layer_opacity=0.75,
        layer_label=t("swinir.where.film"),
        pixelated=True,
        show_pick=False,
        step=at.size,
        height=430,
        hint=t("swinir.window.hint"),
        on_pick=picked,
    )
    best = int(np.argmax(weights))
    words = t(
        "swinir.listened",
        head=head + 1,
        share=f"{100 * float(weights[best]):.0f}",
        place=offset_words(at, best),
        number=f"{entropy(weights):.1f}",
        tokens=at.windows.tokens,
    )
    if at.silenced.any():
        lost = float(unmasked_weights(at, head)[at.silenced].sum())
        words += " " + t("swinir.would_have", count=int(at.silenced.sum()), share=f"{100 * lost:.0f}")
    if at.padding.any():
        words += " " + t("swinir.padded", count=int(at.padding.sum()))
    st.markdown(words)
    st.caption(
        t(
            "swinir.place",
            window=at.window + 1,
            count=at.windows.count,
            kind=t(f"swinir.class.{at.kind}"),
            row=at.position // at.size + 1,
            column=at.position % at.size + 1,
        )
    )


def offset_words(at: Attention, key: int) -> str:
    """Where a key lies from the query, in the window: "the pixel itself", "the pixel 2 up, 1 left"."""
    down = key // at.size - at.position // at.size
    across = key % at.size - at.position % at.size
    if not down and not across:
        return t("swinir.offset.itself")
    parts = []
    if down:
        parts.append(t("swinir.offset.down" if down > 0 else "swinir.offset.up", n=abs(down)))
    if across:
        parts.append(t("swinir.offset.right" if across > 0 else "swinir.offset.left", n=abs(across)))
    return t("swinir.offset.pixel", place=t("swinir.offset.join").join(parts))


def _grid_shapes(at: Attention, values: np.ndarray, texts: list[str] | None = None) -> list[Shape]:
    """Numbers in the cells, silenced ones hatched, the query framed."""
    numbers = draw.percents(values) if texts is None else texts
    return [
        *draw.hatch(at.silenced),
        *draw.cell_numbers(numbers, at.size),
        draw.cell(at.position, at.size),
    ]


def _heads(at: Attention, head: int) -> None:
    """Every head's attention over the window, in percent; a click chooses head and pair."""
    st.subheader(t("swinir.heads"), anchor=False)
    st.caption(t("swinir.heads.about"))
    limit = float(at.weights.max())
    key = chosen_key(at, head)
    for start in range(0, at.heads, 3):
        for h, column in zip(range(start, min(start + 3, at.heads)), st.columns(3), strict=False):
            with column:
                _one_head(at, h, head, key, limit)
    legend("sequential", (0.0, limit), percent)


def _one_head(at: Attention, h: int, head: int, key: int, limit: float) -> None:
    def picked(pick: Pick) -> None:
        state.put(HEAD, h)
        state.put(KEY, pick[1] * at.size + pick[0])

    chosen = h == head
    shapes = _grid_shapes(at, at.weights[h])
    if chosen:
        shapes.append(draw.cell(key, at.size, "second"))
    name = t("swinir.head_n", n=h + 1)
    st.markdown(f"**{name} ●**" if chosen else name)
    picture(
        draw.heat(at.weights[h], limit),
        f"swinir.head.{h}",
        t("swinir.head.alt", n=h + 1, share=f"{100 * float(at.weights[h].max()):.0f}"),
        overlays=shapes,
        pixelated=True,
        show_pick=False,
        step=at.size // 2,
        height=330,
        hint="",
        on_pick=picked,
    )


def _through_the_layers(model: Model, scene: Scene, crop: Crop, layer: Layer, head: int) -> None:
    """On demand: the picked pixel's attention in every layer and head, and how narrow it is."""
    if not st.toggle(t("swinir.depth"), help=t("swinir.depth.help"), **state.bind(DEPTH)):
        return
    with st.spinner(t("swinir.running")):
        weights = through_depth(model, scene, crop, scene.pick())  # (layers, heads, N)
    layers, heads = layers_of(model), weights.shape[1]
    size, gap, columns = tiled.window_of(model), 1, len(layers)
    maps = [draw.heat(weights[i, h]) for h in range(heads) for i in range(columns)]
    step = size + gap
    left, top = size + size // 2, size // 2  # room for the names of heads and layers
    shapes: list[Shape] = [
        *(
            Label(x=left + i * step + size / 2, y=top / 2, text=short_name(one), centred=True, size=11)
            for i, one in enumerate(layers)
        ),
        *(
            Label(
                x=left / 2,
                y=top + h * step + size / 2,
                text=t("swinir.head_n", n=h + 1),
                centred=True,
                size=11,
            )
            for h in range(heads)
        ),
    ]
    for i, one in enumerate(layers):
        for h in range(heads):
            if weights[i, h].any():
                x, y = left + i * step + size / 2, top + h * step + size - 1.1
                number = f"{entropy(weights[i, h]):.0f}"
                shapes.append(Label(x=x, y=y, text=number, centred=True, size=10.5))
        if one.block == layer.block:
            frame = Style(width=2.5)
            shapes.append(Rect(x=left + i * step, y=top + head * step, width=size, height=size, style=frame))

    def picked(pick: Pick) -> None:
        x, y = pick[0] - left, pick[1] - top
        index = None if min(x, y) < 0 else draw.tile_at(x, y, size, size, gap, columns, len(maps))
        if index is not None:
            state.put(LAYER, layers[index % columns].block)
            state.put(HEAD, index // columns)
            state.put(KEY, -1)

    st.caption(t("swinir.depth.about", tokens=weights.shape[2]))
    picture(
        draw.with_margin(draw.tiles(maps, gap, columns), left, top),
        "swinir.depth.map",
        t("swinir.depth.alt", layers=columns, heads=heads),
        overlays=shapes,
        pixelated=True,
        show_pick=False,
        step=step,
        height=480,
        hint=t("swinir.depth.hint"),
        on_pick=picked,
    )


def chosen_key(at: Attention, head: int) -> int:
    """The key of the pair that is looked at: the chosen one, else the one most listened to."""
    key = state.get(KEY)
    return key if 0 <= key < at.windows.tokens else int(np.argmax(at.weights[head]))


def _silenced(at: Attention, head: int) -> None:
    """Before the mask, without it, and with it: who would have been heard."""
    st.subheader(t("swinir.silenced"), anchor=False)
    st.markdown(t("swinir.silenced.about", kind=t(f"swinir.class.{at.kind}")))
    free, kept = unmasked_weights(at, head), at.weights[head]
    limit = float(max(free.max(), kept.max()))
    scores = at.scores[head]
    panels = (
        ("scores", draw.signed_heat(scores), [score_words(float(v)) for v in scores]),
        ("free", draw.heat(free, limit), draw.percents(free)),
        ("kept", draw.heat(kept, limit), draw.percents(kept)),
    )
    for column, (name, image, texts) in zip(st.columns(3), panels, strict=True):
        with column:
            st.markdown(t(f"swinir.silenced.{name}"))
            picture(
                image,
                f"swinir.silenced.{name}",
                t(f"swinir.silenced.{name}.alt"),
                overlays=_grid_shapes(at, free, texts),
                marks=draw.seams(at.windows, at.window),
                pixelated=True,
                pick=False,
                show_pick=False,
                height=330,
                hint="",
            )


def way_to_a_seam(scene: Scene, key: str) -> None:
    """This window lies inside the picture; offer one that the mask touches."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(t("swinir.no_mask_here"), width="content")
        st.button(
            t("swinir.to_the_corner"),
            key=f"swinir.corner.{key}",
            on_click=choose_pixel,
            args=(scene.width - 2, scene.height - 2),
            icon=":material/south_east:",
        )


def _worked(at: Attention, head: int) -> None:
    """Two numbers worked out again: the weight of one pair, and one channel of what the head says."""
    key, d = chosen_key(at, head), at.query.shape[1]
    channel = min(state.get(CHANNEL), d - 1)
    st.subheader(t("swinir.worked"), anchor=False)
    pair, output = st.tabs([t("swinir.worked.pair"), t("swinir.worked.output")])
    with pair:
        score_sum(at, head, key)
    with output:
        st.number_input(
            t("swinir.channel"),
            0,
            d - 1,
            step=1,
            width=240,
            **state.bind(CHANNEL, allowed=range(d), suffix="worked"),
        )
        output_sum(at, head, channel)


def score_sum(at: Attention, head: int, key: int) -> None:
    """S = q·k / sqrt(d) + B with its largest terms, then mask and softmax; recomputed against the taps."""
    q = at.query[head].astype(np.float64)
    k = at.keys[head, key].astype(np.float64) / np.sqrt(q.size)
    st.markdown(t("swinir.pair", place=offset_words(at, key), head=head + 1))
    worked_sum(
        [(rf"c={c}", float(q[c]), float(k[c])) for c in range(q.size)],
        float(at.bias[head, key]),
        float(at.scores[head, key]),
        symbol="S_{ij}",
        formula=r"S_{ij}=\sum_c q_{ic}\,\tfrac{k_{jc}}{\sqrt d}+B_{ij}",
        bias_label="B_{ij}",
        slack=2.0,  # the net rounds q / sqrt(d) first
    )
    again, stored = float(weights_of(at, head)[key]), float(at.weights[head, key])
    st.latex(
        rf"A_{{ij}}=\frac{{e^{{S_{{ij}}+M_{{ij}}}}}}{{\sum_{{j'}}e^{{S_{{ij'}}+M_{{ij'}}}}}}={latex_number(again, 6)},"
        rf"\quad M_{{ij}}={float(at.mask[key]):.0f}"
    )
    st.caption(
        t(
            "swinir.agreement",
            again=f"{again:.8g}",
            stored=f"{stored:.8g}",
            apart=plain_minus(f"{abs(again - stored):.1e}"),
        )
    )


def output_sum(at: Attention, head: int, channel: int) -> None:
    """O = sum of A v over the window, one channel, with its largest terms; recomputed against the tap."""
    weights, values = at.weights[head], at.values[head][:, channel]
    st.markdown(t("swinir.output", head=head + 1, channel=channel))
    worked_sum(
        [
            (rf"{j // at.size + 1},{j % at.size + 1}", float(weights[j]), float(values[j]))
            for j in range(at.windows.tokens)
        ],
        expected=float(at.out[head, channel]),
        symbol=rf"O_{{i,{channel}}}",
        formula=r"O_{ic}=\sum_j A_{ij}v_{jc}",
    )

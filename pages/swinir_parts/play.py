"""Play with SwinIR's mask, and what the study notes say about it."""

from __future__ import annotations

import streamlit as st

from app.engine import Model, upscale as tiled
from app.figures import swinir as draw
from app.figures.printed import percent
from app.figures.swinir_windows import (
    MASKED,
    Crop,
)
from app.text import t
from app.widgets import state
from app.widgets.inside import legend
from app.widgets.picture import picture
from app.widgets.share import take_away
from pages.swinir_parts.attention import way_to_a_seam
from pages.swinir_parts.numbers import (
    attention_at,
    difference,
    leak,
)
from pages.swinir_parts.view import (
    HEAD,
    Layer,
    Pick,
    Scene,
    attention_taps,
    crop_for,
    current_block,
    layer_name,
    layers_of,
    output_of,
    trace,
    windows_of,
)

STRENGTHS = (1.0, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01, 0.0)  # the softmax forgets anything beyond about -15
MASK = state.Param("mask", 1.0, state.parse_number(0.0, 1.0), state.format_number, allowed=STRENGTHS)
ERRATA = ("E66", "E67", "E68", "E69", "E70", "E71", "E72", "E73", "E74")
NOTE_TESTS = "tests/models/vision/test_swinir_errata.py"


def added(strength: float) -> str:
    """What the mask adds to the score of a pair that must not meet."""
    return f"−{-MASKED * strength:g}" if strength else "0"


def _switch(whole: bool) -> None:
    """One button: drop the mask, or put it back."""
    name, icon = ("drop", ":material/grid_off:") if whole else ("restore", ":material/grid_on:")
    st.button(
        t(f"swinir.play.{name}"),
        key=f"swinir.{name}",
        on_click=state.put,
        args=(MASK, 0.0 if whole else 1.0),
        icon=icon,
    )


def play(model: Model, scene: Scene) -> None:
    """Weaken or drop the mask: what leaks across the edges, and what the picked pixel hears then."""
    st.header(t("swinir.play"), anchor=False)
    st.markdown(t("swinir.play.about"))
    strength = float(
        st.select_slider(
            t("swinir.play.strength"),
            STRENGTHS,
            format_func=added,
            help=t("swinir.play.strength.help"),
            **state.bind(MASK),
        )
    )
    if strength >= 1.0:
        st.caption(t("swinir.play.whole"))
    _switch(strength >= 1.0)
    if strength >= 1.0:
        return
    scale = tiled.scale_of(model)
    x, y = scene.pick()
    crop = crop_for(model, scene, (x, y))
    layer = next(layer for layer in layers_of(model) if layer.block == current_block(model))
    taps = attention_taps(layer.block)
    masked, leaky = trace(model, scene, crop, taps), trace(model, scene, crop, taps, strength)
    delta = difference(output_of(masked, crop, scale), output_of(leaky, crop, scale))
    found = leak(delta, tiled.window_of(model) * scale)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown(t("swinir.leak.title", added=added(strength)))
        picture(
            draw.leak_picture(delta, found.largest),
            "swinir.leak",
            t("swinir.leak.alt"),
            layer=scene.shown(crop.cut(scene.image)) if crop.whole else crop.cut(scene.image),
            layer_opacity=0.0,
            layer_label=t("swinir.leak.picture"),
            pick=False,
            show_pick=False,
            height=420,
            hint="",
        )
        legend("sequential", (0.0, found.largest), lambda value: f"{255 * value:.{1 if value else 0}f} / 255")
    with right:
        with st.container(horizontal=True, key="v-swinir-leak"):
            st.metric(t("swinir.leak.largest"), f"{255 * found.largest:.1f} / 255")
            st.metric(
                t("swinir.leak.changed"),
                percent(found.changed),
                help=t("swinir.leak.changed.help"),
            )
        st.markdown(
            t(
                "swinir.leak.words",
                mean=f"{255 * found.mean:.3f}",
                share=f"{100 * found.edge_share:.0f}",
                area=f"{100 * found.edge_area:.0f}",
            )
        )
        if not crop.whole:
            st.caption(t("swinir.leak.crop", width=crop.width, height=crop.height))
    _leaky_attention(model, scene, crop, layer, (x, y), strength)
    take_away(
        "swinir.leak",
        f"swinir-leak-{strength:g}",
        png=lambda: draw.leak_picture(delta, found.largest),
        tensor=delta,
        axes=("row", "column"),
    )


def _leaky_attention(
    model: Model, scene: Scene, crop: Crop, layer: Layer, pick: Pick, strength: float
) -> None:
    """The picked pixel's attention with the mask and with the weakened one."""
    x, y = pick
    grid = windows_of(model, crop.height, crop.width, layer.shift)
    taps = attention_taps(layer.block)
    before = attention_at(trace(model, scene, crop, taps).taps, layer.block, grid, *crop.inside(x, y))
    after = attention_at(
        trace(model, scene, crop, taps, strength).taps, layer.block, grid, *crop.inside(x, y), strength
    )
    head = min(state.get(HEAD), before.heads - 1)
    hidden = before.mask < 0
    st.markdown(t("swinir.leak.pick", layer=layer_name(layer), head=head + 1))
    if not hidden.any():
        way_to_a_seam(scene, "play")
    limit = float(max(before.weights[head].max(), after.weights[head].max()))
    for column, at, name in zip(st.columns(2), (before, after), ("with", "without"), strict=True):
        with column:
            values = at.weights[head]
            st.markdown(t(f"swinir.leak.{name}", added=added(strength)))
            picture(
                draw.heat(values, limit),
                f"swinir.leak.{name}",
                t(f"swinir.leak.{name}", added=added(strength)),
                overlays=[
                    *(draw.hatch(hidden) if name == "with" else []),
                    *draw.cell_numbers(draw.percents(values), at.size),
                    draw.cell(at.position, at.size),
                ],
                marks=draw.seams(at.windows, at.window),
                pixelated=True,
                pick=False,
                show_pick=False,
                height=330,
                hint="",
            )
    if hidden.any():
        st.caption(t("swinir.leak.heard", share=f"{100 * float(after.weights[head][hidden].sum()):.1f}"))


def notes(model: Model) -> None:
    """What the study notes say, where they differ from paper and code, and the tests that show it."""
    st.header(t("swinir.notes"), anchor=False)
    st.markdown(t("swinir.notes.about"))
    st.latex(model.card.formula)
    for erratum in ERRATA:
        st.markdown(f"- **{erratum}** {t(f'swinir.erratum.{erratum}')}")
    st.caption(t("swinir.notes.tests", path=NOTE_TESTS))
    st.markdown(t("swinir.links", paper=model.card.paper.url))

"""Inside SwinIR: the choice of a view, the bias table, features RSTB by RSTB, the whole net.

Each function draws one view inside the page's one fragment; all of them follow the picked pixel and the layer.
"""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import Model, upscale as tiled
from app.figures import swinir as draw
from app.figures.overlay import Rect, Shape, Style, to_svg
from app.figures.swinir_windows import (
    Crop,
    locate,
    pad,
)
from app.text import t
from app.widgets import state
from app.widgets.inside import architecture, legend, tap_view, taps_of_block
from app.widgets.picture import picture
from app.widgets.share import take_away
from pages.swinir_parts.attention import attention
from pages.swinir_parts.grids import windows
from pages.swinir_parts.numbers import (
    bias_by_offset,
    bias_table_key,
    norm_map,
    plain_minus,
    signed,
)
from pages.swinir_parts.view import (
    HEAD,
    Pick,
    Scene,
    crop_for,
    current_block,
    layer_choice,
    layers_of,
    trace,
    windows_of,
)

VIEWS = ("attention", "windows", "bias", "features", "network")
VIEW: state.Param[str] = state.Param("inside", VIEWS[0], allowed=VIEWS)
BLOCK: state.Param[str] = state.Param("block", "")
STAGE: state.Param[str] = state.Param("stage", "fused")


def inside(model: Model, scene: Scene) -> None:
    """One of five views of what happened; all of them follow the picked pixel."""
    st.header(t("swinir.inside"), anchor=False)
    view = st.segmented_control(
        t("swinir.view"),
        VIEWS,
        required=True,
        format_func=lambda v: t(f"swinir.view.{v}"),
        label_visibility="collapsed",
        **state.bind(VIEW),
    )
    {
        "attention": attention,
        "windows": windows,
        "bias": bias,
        "features": features,
        "network": network,
    }[view or VIEWS[0]](model, scene)


def bias(model: Model, scene: Scene) -> None:
    """The learned bias by where the key lies from the query, one table a head."""
    st.markdown(t("swinir.bias.about"))
    layer = layer_choice(model, "bias")
    table = model.state[bias_table_key(layer.block)]
    by_offset = bias_by_offset(table)  # (heads, 2M-1, 2M-1)
    size = (by_offset.shape[1] + 1) // 2
    limit = float(np.abs(by_offset).max())
    for start in range(0, len(by_offset), 3):
        for h, column in zip(range(start, min(start + 3, len(by_offset))), st.columns(3), strict=False):
            with column:
                _bias_of(by_offset[h], h, size, limit)
    legend("diverging", (-limit, limit))
    take_away(
        "swinir.bias",
        f"swinir-bias-{layer.block}",
        png=lambda: draw.tiles(
            [np.kron(draw.bias_picture(one, limit), np.ones((24, 24, 1), np.uint8)) for one in by_offset],
            16,
            3,
        ),
        svg=lambda: to_svg(draw.bias_picture(by_offset[0], limit), draw.bias_shapes(size), pixelated=True),
        tensor=by_offset,
        axes=("head", "down", "right"),
    )


def _bias_of(values: np.ndarray, h: int, size: int, limit: float) -> None:
    key = f"swinir.bias.{h}"
    st.markdown(t("swinir.head_n", n=h + 1))
    at = picture(
        draw.bias_picture(values, limit),
        key,
        t(
            "swinir.bias.alt",
            n=h + 1,
            low=plain_minus(f"{values.min():.2f}"),
            high=plain_minus(f"{values.max():.2f}"),
        ),
        overlays=draw.bias_shapes(size),
        pixelated=True,
        step=size // 2,
        height=300,
        hint="",
    )
    if at is not None:
        down, across = at[1] - size + 1, at[0] - size + 1
        st.caption(
            t(
                "swinir.bias.cell",
                down=signed(down, 0) if down else "0",
                across=signed(across, 0) if across else "0",
                value=signed(float(values[at[1], at[0]]), 4),
            )
        )
    else:
        st.caption(t("swinir.bias.hint"))


def stages_of(model: Model) -> tuple[str, ...]:
    """Taps that show what the picture has become: after the first conv, each RSTB, the body, and the sum."""
    return ("shallow", *(f"rstb.{i}.out" for i in range(len(model.config["depths"]))), "deep", "fused")


def stage_name(stage: str) -> str:
    if stage.startswith("rstb."):
        return t("swinir.stage.rstb", n=int(stage.split(".")[1]) + 1)
    return t(f"swinir.stage.{stage}")


@st.cache_data(max_entries=16, show_spinner=False)
def _norms(
    key: str, scene: str, crop: Crop, stages: tuple[str, ...], _model: Model, _scene: Scene
) -> list[np.ndarray]:
    """(h, w) length of every feature vector, stage by stage, of the crop without its padding."""
    found = trace(_model, _scene, crop, stages)
    maps = []
    for name in stages:
        x = found.taps[name]
        tokens = x if name.startswith("rstb.") else x.transpose(0, 2, 3, 1)
        maps.append(norm_map(tokens)[: crop.height, : crop.width].astype(np.float32))
    return maps


def features(model: Model, scene: Scene) -> None:
    """RSTB by RSTB: how long each pixel's feature vector is, then every channel of the chosen stage."""
    st.markdown(t("swinir.features.about"))
    stages = stages_of(model)
    crop = crop_for(model, scene, scene.pick())
    if not crop.whole:
        st.caption(t("swinir.crop", width=crop.width, height=crop.height))
    maps = _norms(model.key, scene.id, crop, stages, model, scene)
    columns, gap = 4 if len(stages) > 6 else 3, max(2, crop.width // 40)
    sheet = draw.tiles([draw.norm_picture(one) for one in maps], gap, columns)
    stage = state.get(STAGE, allowed=stages)

    def picked(pick: Pick) -> None:
        index = draw.tile_at(*pick, crop.height, crop.width, gap, columns, len(stages))
        if index is not None:
            state.put(STAGE, stages[index])

    shapes: list[Shape] = []
    for i, name in enumerate(stages):
        left, top = (i % columns) * (crop.width + gap), (i // columns) * (crop.height + gap)
        chosen = name == stage
        style = Style(colour="accent" if chosen else "plain", width=2.5 if chosen else 0.5)
        label = stage_name(name)
        shapes.append(Rect(x=left, y=top, width=crop.width, height=crop.height, label=label, style=style))
    picture(
        sheet,
        "swinir.norms",
        t("swinir.norms.alt", names=", ".join(stage_name(name) for name in stages)),
        overlays=shapes,
        pixelated=True,
        show_pick=False,
        step=crop.width + gap,
        height=460,
        hint=t("swinir.norms.hint"),
        on_pick=picked,
    )
    spec = next(s for s in model.card.taps(model.config) if s.name == stage)
    st.subheader(stage_name(stage), anchor=False)
    array = trace(model, scene, crop, stages).taps[stage]
    tap_view(
        model, spec, array, f"swinir.stage.{stage}", image=pad(crop.cut(scene.image), tiled.window_of(model))
    )


def network(model: Model, scene: Scene) -> None:
    """The drawing of the whole net: a click on a block shows its tensors."""
    st.markdown(t("swinir.network.about"))
    block = architecture(
        model.card, model.config, "swinir.network", selected=current_block(model), param=BLOCK
    )
    mine = taps_of_block(model.card, model.config, block)
    if not mine:
        st.caption(t("swinir.network.none"))
        return
    names = [spec.name for spec in mine]
    name = st.segmented_control(
        t("swinir.network.tap"),
        names,
        default=names[0],
        required=True,
        format_func=lambda n: n.removeprefix(f"{block}."),
        key=f"swinir.network.tap.{block}",
    )
    spec = next(s for s in mine if s.name == name)
    crop = crop_for(model, scene, scene.pick())
    if not crop.whole:
        st.caption(t("swinir.crop", width=crop.width, height=crop.height))
    array = trace(model, scene, crop, (spec.name,)).taps[spec.name]
    key = f"swinir.tap.{spec.name}"
    follow_pick(model, scene, crop, spec.block, key)
    tap_view(
        model,
        spec,
        array,
        key,
        image=pad(crop.cut(scene.image), tiled.window_of(model)),
    )


def follow_pick(model: Model, scene: Scene, crop: Crop, block: str, key: str) -> None:
    """Open a layer's tensors at the picked pixel's window, query and head, until the visitor chooses others."""
    layer = next((one for one in layers_of(model) if one.block == block), None)
    wanted = (scene.pick(), state.get(HEAD))
    if layer is None or st.session_state.get(f"{key}.followed") == wanted:
        return
    st.session_state[f"{key}.followed"] = wanted
    place = locate(windows_of(model, crop.height, crop.width, layer.shift), *crop.inside(*scene.pick()))
    st.session_state[f"{key}.window"] = place.window
    st.session_state[f"{key}.query"] = place.position
    st.session_state[f"{key}.head"] = min(state.get(HEAD), model.config["num_heads"][layer.rstb] - 1)

"""Inside encoder and decoder at picture A or B: the drawing, any tensor, and one of its numbers worked out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from app.engine import Model, run
from app.figures import vae as draw
from app.text import t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.guard import fragment
from app.widgets.inside import architecture, tap_view, taps_of_block
from app.widgets.packing import content_id
from app.widgets.picture import last_pick, set_pick
from models.card import TapSpec
from pages.vae_parts import cell as worked, view
from pages.vae_parts.view import Pair, Scene

NETS = ("encoder", "decoder")
NET = state.Param("net", "encoder", allowed=NETS)
OF = state.Param("of", "vae", allowed=("vae", "ae"))
BLOCK = state.Param("block", "")
CHANNEL = state.Param("channel", -1, state.parse_whole(-1, 4095), str)
CELL = state.Param("cell", None, state.parse_pick, state.format_pick)
FIRST = {"encoder": "conv2", "decoder": "conv1"}
MAP, VECTOR = "vae.map", "vae.vector"


@st.cache_data(max_entries=16, show_spinner=False)
def _taps(key: str, name: str, _model: Model, _inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    specs = _model.card.taps(_model.config)
    return dict(run(_model, _inputs, [spec.name for spec in specs]).taps)


def everything(model: Model, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """All taps of one sample: they are small (about 100 kB)."""
    return _taps(model.key, "".join(content_id(a) for a in inputs.values()), model, inputs)


@fragment
def inside(scene: Scene) -> None:
    """The section."""
    st.header(t("vae.inside.title"), anchor="inside")
    st.markdown(t("vae.inside.about"))
    with st.container(horizontal=True, key="v-vae-inside"):
        st.segmented_control(
            t("vae.inside.net"),
            NETS,
            required=True,
            format_func=lambda name: t(f"vae.{name}"),
            **state.bind(NET),
        )
        st.segmented_control(
            t("vae.inside.of"),
            ("vae", "ae"),
            required=True,
            format_func=lambda name: t(f"vae.{name}.short"),
            **state.bind(OF),
        )
        view.choose_one(scene, "inside")
    net = state.get(NET)
    nets = scene.vae if state.get(OF) == "vae" else scene.ae
    model, inputs = reading(nets, net, scene.one)
    block = architecture(model.card, model.config, f"vae.{net}", selected=FIRST[net], param=BLOCK)
    specs = taps_of_block(model.card, model.config, block)
    if not specs:
        st.caption(t(f"vae.inside.{net}.input" if block in ("input", "latent") else "vae.inside.output"))
        return
    taps = everything(model, inputs)
    spec = specs[0]
    if spec.kind == "feature_map":
        _map(scene, net, model, spec, taps, inputs)
    else:
        _vector(net, model, spec, taps, inputs)


def reading(nets: Pair, net: str, x: np.ndarray) -> tuple[Model, dict[str, np.ndarray]]:
    """The net, and what it reads: the picture, or the picture's code."""
    if net == "encoder":
        return nets.encoder, {"x": x}
    return nets.decoder, {"latent": np.ascontiguousarray(view.encode(nets, x).mean, np.float32)}


def liveliest(maps: np.ndarray) -> int:
    """The channel of (C, H, W) with the largest variance: something to see at once."""
    return int(maps.reshape(len(maps), -1).var(axis=1).argmax())


def _map(
    scene: Scene,
    net: str,
    model: Model,
    spec: TapSpec,
    taps: Mapping[str, np.ndarray],
    inputs: dict[str, np.ndarray],
) -> None:
    """A feature map, and how the picked number comes about. Channel and cell follow the link, else the strongest."""
    array = taps[spec.name]
    _, channels, rows, columns = array.shape
    session, channel_key, cell_key = st.session_state, f"{MAP}.channel", f"{MAP}.cell"
    mark = (net, spec.name, model.key, content_id(scene.one))
    lively, linked = liveliest(array[0]), state.get(CHANNEL)
    if session.get(f"{MAP}.for") != mark or linked != session.get(f"{MAP}.linked"):
        session[channel_key] = linked if 0 <= linked < channels else lively
        set_pick(cell_key, state.get(CELL))
    session.setdefault(channel_key, lively)
    session[channel_key] = min(int(session[channel_key]), channels - 1)
    peak = int(np.abs(array[0, session[channel_key]]).argmax())
    strongest = (peak % columns, peak // columns)
    if last_pick(cell_key, within=(columns, rows)) is None:
        set_pick(cell_key, strongest)
    seen = tap_view(model, spec, array, MAP, image=draw.frames(scene.one)[0])
    column, row = last_pick(cell_key, within=(columns, rows)) or strongest
    channel = int(seen.at["channel"])
    if session.get(f"{MAP}.for") == mark:  # not at first sight: what nobody chose stays out of the link
        chosen = (channel, (column, row))
        if chosen != session.get(f"{MAP}.chosen"):
            state.put(CHANNEL, channel)
            state.put(CELL, (column, row))
    session[f"{MAP}.for"], session[f"{MAP}.chosen"] = mark, (channel, (column, row))
    session[f"{MAP}.linked"] = state.get(CHANNEL)
    _number(net, model, spec, taps, inputs, (channel, row, column))


def _vector(
    net: str, model: Model, spec: TapSpec, taps: Mapping[str, np.ndarray], inputs: dict[str, np.ndarray]
) -> None:
    """A vector, and how the chosen number comes about."""
    array = taps[spec.name]
    key = f"{VECTOR}.{net}.{spec.name}"
    labels = [f"z{i + 1}" for i in range(array.shape[1])] if spec.axes[-1] == "latent" else None
    tap_view(model, spec, array, key, labels=labels)
    index = st.session_state.get(f"{key}.index")
    if not isinstance(index, int) or not 0 <= index < array.shape[1]:
        index = int(np.abs(array[0]).argmax())
    _number(net, model, spec, taps, inputs, (index,))


def _number(
    net: str,
    model: Model,
    spec: TapSpec,
    taps: Mapping[str, np.ndarray],
    inputs: dict[str, np.ndarray],
    at: worked.Place,
) -> None:
    """The picked number: every term."""
    st.subheader(t("vae.number.title"), anchor=False)
    found = worked.work_out(net, model.state, inputs, taps, spec.name, at)
    place = ", ".join(str(i) for i in at)
    st.markdown(t(f"vae.number.{found.kind}", place=place, terms=len(found.terms)))
    worked_sum(
        list(found.terms),
        found.bias,
        found.expected,
        symbol=rf"y_{{{place}}}",
        activation=found.activation,
        slack=8.0,
    )

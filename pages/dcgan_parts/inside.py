"""Inside both nets at the chosen sample: the drawing, any tensor, and one of its numbers worked out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from app.engine import Model, run
from app.figures import dcgan as draw
from app.figures.charts import responsive
from app.text import t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.guard import fragment
from app.widgets.inside import architecture, drawing, tap_view, taps_of_block
from app.widgets.packing import content_id
from app.widgets.picture import last_pick, picture, set_pick
from models.card import TapSpec
from pages.dcgan_parts import cell as worked
from pages.dcgan_parts.view import Scene

NETS = ("generator", "discriminator")
NET = state.Param("net", "generator", allowed=NETS)
BLOCK = state.Param("block", "up1")
TAP = state.Param("tap", "")
CHANNEL: state.Param[int | None] = state.Param(
    "channel", None, lambda raw: state.parse_whole(0, 4095)(raw), lambda v: "" if v is None else str(v)
)
CELL = state.Param("cell", None, state.parse_pick, state.format_pick)
FIRST = {"generator": "up1", "discriminator": "down2"}
MAP = "dcgan.map"


@st.cache_data(max_entries=8, show_spinner=False)
def _taps(key: str, name: str, _model: Model, _inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    specs = _model.card.taps(_model.config)
    return dict(run(_model, _inputs, [spec.name for spec in specs]).taps)


def everything(model: Model, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """All taps of one sample: they are small (about 100 kB)."""
    return _taps(model.key, "".join(content_id(a) for a in inputs.values()), model, inputs)


@fragment
def inside(scene: Scene) -> None:
    """The section."""
    st.header(t("dcgan.inside.title"), anchor="inside")
    st.markdown(t("dcgan.inside.about", n=scene.chosen))
    which = st.segmented_control(
        t("dcgan.inside.net"),
        NETS,
        required=True,
        format_func=lambda name: t(f"dcgan.net.{name}"),
        **state.bind(NET),
    ) or state.get(NET)
    chosen = scene.chosen
    if which == "generator":
        model, inputs = scene.nets.generator, {"latent": scene.z[chosen : chosen + 1]}
    else:
        model, inputs = scene.nets.discriminator, {"picture": scene.pictures[chosen : chosen + 1]}
    block = architecture(model.card, model.config, f"dcgan.{which}", selected=FIRST[which], param=BLOCK)
    specs = taps_of_block(model.card, model.config, block)
    if not specs:
        _input(scene, which)
        return
    names = [spec.name for spec in specs]
    key, linked = f"dcgan.inside.{block}", state.get(TAP)
    st.session_state[key] = linked if linked in names else st.session_state.get(key, names[0])
    tap = (
        st.segmented_control(
            t("dcgan.inside.tap"),
            names,
            required=True,
            format_func=lambda name: t(f"dcgan.part.{name.rsplit('.', 1)[-1]}"),
            key=key,
            on_change=lambda: state.put(TAP, st.session_state[key] or names[0]),
        )
        or names[0]
    )
    spec = next(spec for spec in specs if spec.name == tap)
    taps = everything(model, inputs)
    if spec.kind == "feature_map":
        _map(scene, which, model, spec, taps)
    else:
        tap_view(model, spec, taps[tap], "dcgan.vector", labels=["s"])
        _number(scene, which, model, spec, taps, (0, 0, 0))


def _input(scene: Scene, which: str) -> None:
    """The block that has no tensor: z, or the picture."""
    chosen = scene.chosen
    if which == "generator":
        st.caption(t("dcgan.inside.z"))
        return
    picture(
        draw.frames(scene.pictures[chosen : chosen + 1])[0],
        "dcgan.inside.picture",
        t("dcgan.closer.alt", n=chosen),
        pixelated=True,
        pick=False,
        height=230,
        hint="",
    )


def liveliest(maps: np.ndarray) -> int:
    """The channel of (C, H, W) with the largest variance: something to see at once."""
    return int(maps.reshape(len(maps), -1).var(axis=1).argmax())


def _map(scene: Scene, which: str, model: Model, spec: TapSpec, taps: Mapping[str, np.ndarray]) -> None:
    """A feature map, and how the picked number comes about. Channel and cell follow the link, else the strongest."""
    array = taps[spec.name]
    _, channels, rows, columns = array.shape
    channel_key, cell_key = f"{MAP}.channel", f"{MAP}.cell"
    session, mark = st.session_state, (which, spec.name, scene.seed, scene.chosen)
    lively, own = liveliest(array[0]), state.get(CHANNEL)
    if own is None and session.get(f"{MAP}.for") != mark:
        session[channel_key] = lively
    elif own is not None and session.get(f"{MAP}.linked") != own:
        session[channel_key] = own
    if not 0 <= session.get(channel_key, lively) < channels:
        session[channel_key] = lively
    session.setdefault(channel_key, lively)
    session[f"{MAP}.for"] = mark
    peak = int(np.abs(array[0, session[channel_key]]).argmax())
    strongest, picked = (peak % columns, peak // columns), state.get(CELL)
    if picked is not None and session.get(f"{cell_key}.linked") != picked:
        set_pick(cell_key, picked)
    pick = last_pick(cell_key, within=(columns, rows))
    if pick is None or (picked is None and pick == session.get(f"{cell_key}.auto")):
        set_pick(cell_key, strongest)  # nobody has picked: the strongest number of this channel
        session[f"{cell_key}.auto"] = strongest

    under = draw.frames(scene.pictures[scene.chosen : scene.chosen + 1])[0]
    seen = tap_view(model, spec, array, MAP, image=under)
    column, row = last_pick(cell_key, within=(columns, rows)) or strongest
    channel = int(seen.at["channel"])
    if own is not None or channel != lively:
        state.put(CHANNEL, channel)
    if picked is not None or (column, row) != strongest:
        state.put(CELL, (column, row))
    session[f"{MAP}.linked"], session[f"{cell_key}.linked"] = state.get(CHANNEL), state.get(CELL)
    _number(scene, which, model, spec, taps, (channel, row, column))


def _number(
    scene: Scene, which: str, model: Model, spec: TapSpec, taps: Mapping[str, np.ndarray], at: worked.Place
) -> None:
    """The picked number: which cells it hears, and every term."""
    st.subheader(t("dcgan.number.title"), anchor=False)
    channel, row, column = at
    chosen = scene.chosen
    if which == "generator":
        found = worked.generator_cell(model.state, scene.z[chosen], taps, spec.name, at)
    else:
        found = worked.discriminator_cell(model.state, scene.pictures[chosen], taps, spec.name, at)
    st.markdown(
        t(f"dcgan.number.{found.kind}", channel=channel, row=row, column=column, terms=len(found.terms))
    )
    left, right = st.columns([2, 3], gap="large") if found.kind == "transposed" else (None, st.container())
    if left is not None:
        with left:
            size = taps[worked.before(spec.name)].shape[2]
            words = {
                name: t(f"dcgan.heard.{name}", size=size) for name in ("input", "kernel", "output", "title")
            }
            drawing(
                responsive(lambda width: draw.transposed_drawing(row, column, size, words, width), wide=460),
                "dcgan.heard",
            )
            st.caption(t("dcgan.heard.about"))
    with right:
        if found.kind == "tanh":
            _tanh(found)
            return
        letter = {"logit": "s", "evidence": "e"}.get(found.kind, "y" if spec.name.endswith(".out") else "a")
        worked_sum(
            list(found.terms),
            found.bias,
            found.expected,
            symbol="s" if letter == "s" else rf"{letter}_{{{channel},{row},{column}}}",
            bias_label=r"\beta-\mu\gamma/\sigma",
            activation=found.activation,
            slack=found.slack,
        )


def _tanh(found: worked.Worked) -> None:
    """The last step of the generator: one number, squeezed."""
    a = found.terms[0][1]
    value = float(np.tanh(a))
    st.latex(rf"\tanh({a:.6f})={value:.6f}")
    difference = f"{abs(value - found.expected):.1e}"
    st.caption(t("dcgan.number.net", value=draw.minus(found.expected, 6), difference=difference))

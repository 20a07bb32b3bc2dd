"""Inside the four nets at the chosen moment: the drawing, and any tensor."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import Model, run
from app.engine.paint import read
from app.figures.ddpm import to_rgb
from app.text import t
from app.widgets import state
from app.widgets.inside import architecture, tap_view, taps_of_block
from app.widgets.packing import content_id
from pages.latent_diffusion_parts.run import pixels
from pages.latent_diffusion_parts.view import Scene, piece_words

NETS = ("unet", "text", "encoder", "decoder")
FIRST = {
    "unet": "mid.attention.0",
    "text": "layer.0",
    "encoder": "down.0.resnet.0",
    "decoder": "up.2.resnet.0",
}
NET = state.Param("net", "unet", allowed=NETS)
BLOCK: state.Param[str] = state.Param("block", "")
TAP: state.Param[str] = state.Param("tap", "")


def reading(scene: Scene, net: str) -> tuple[Model, dict[str, np.ndarray]]:
    """A net, and what it reads: the moment; the words; the finished picture; the finished latents."""
    studio = scene.studio
    final = np.ascontiguousarray(scene.path.samples[scene.sample][None], np.float32)
    if net == "unet":
        told = {"x": scene.x, "timestep": np.array([scene.t], np.int64)}
        return studio.unet, dict(scene.condition().asked) | told
    if net == "text":
        return studio.text, {"tokens": read(studio, [scene.text])[0].numbers[None]}
    if net == "encoder":
        return studio.encoder, {"x": pixels(studio, final)}
    return studio.decoder, {"latent": final / np.float32(studio.scale)}


@st.cache_data(max_entries=24, show_spinner=False)
def _taps(
    key: str, name: str, names: tuple[str, ...], _model: Model, _inputs: dict[str, np.ndarray]
) -> dict[str, np.ndarray]:
    return dict(run(_model, _inputs, names).taps)


def inside(scene: Scene) -> None:
    """The net, the block, the tensor."""
    st.markdown(t("latent_diffusion.inside.about"))
    net = st.segmented_control(
        t("latent_diffusion.inside.net"),
        NETS,
        required=True,
        format_func=lambda n: t(f"latent_diffusion.net.{n}"),
        **state.bind(NET),
    )
    net = net or NETS[0]
    model, inputs = reading(scene, net)
    if state.get(BLOCK) not in {"", *(each.name for each in model.card.blocks(model.config))}:
        state.put(BLOCK, "")  # of another net
    block = architecture(
        model.card, model.config, f"latent_diffusion.net.{net}", selected=FIRST[net], param=BLOCK
    )
    specs = {spec.name: spec for spec in taps_of_block(model.card, model.config, block)}
    if state.get(TAP) and state.get(TAP) not in specs:
        state.put(TAP, "")  # of another block: no part of this view's link
    if not specs:
        st.caption(t("latent_diffusion.inside.none"))
        return
    name = _choose(block, tuple(specs))
    array = _taps(model.key, "".join(content_id(a) for a in inputs.values()), (name,), model, inputs)[name]
    if net in ("unet", "text"):
        st.caption(t("latent_diffusion.inside.tokens", words=scene.listed))
    final = pixels(scene.studio, scene.path.samples[scene.sample][None])[0]
    labels = [piece_words(piece) for piece in scene.pieces] if "token" in specs[name].axes else None
    tap_view(
        model, specs[name], array, f"latent_diffusion.tap.{net}.{name}", image=to_rgb(final), labels=labels
    )


def _choose(block: str, names: tuple[str, ...]) -> str:
    """Which tensor of a block: the chosen one, else its last. Only a choice is written into the link."""
    key, chosen = f"latent_diffusion.tap:{block}", state.get(TAP)
    wanted = chosen if chosen in names else names[-1]
    if len(names) == 1:
        return wanted
    if st.session_state.get(key) != wanted:
        st.session_state[key] = wanted
    return str(
        st.segmented_control(
            t("latent_diffusion.inside.tap"),
            names,
            required=True,
            format_func=lambda n: n.removeprefix(f"{block}."),
            key=key,
            on_change=lambda: state.put(TAP, st.session_state[key] or ""),
        )
    )

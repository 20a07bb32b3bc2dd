"""Where each word looks: cross-attention over the picture, step by step, and how one place mixes its words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.engine import run
from app.engine.paint import cross_taps
from app.figures import latent_diffusion as draw
from app.figures.charts import bars, responsive
from app.figures.ddpm import to_rgb
from app.figures.plots import Line, lines
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.inside import drawing
from app.widgets.packing import content_id
from app.widgets.picture import Pick
from app.widgets.scrubber import Pick as Picked, Strip, scrubber
from pages.latent_diffusion_parts.run import clean, key_of, pixels, word_maps
from pages.latent_diffusion_parts.view import STEP, Scene, piece_words, positions

MOST_STRIPS = 7  # words with a strip of their own
COLOURS = ("accent", "second", "third", "faint")
PLACE: state.Param[Pick | None] = state.Param("place", None, state.parse_pick, state.format_pick)
LAYER: state.Param[str] = state.Param("layer", "mid.attention.0")


def words(scene: Scene) -> None:
    """The maps under the slider; the share of each word by step; one place in numbers."""
    st.markdown(t("latent_diffusion.words.about"))
    maps, pieces = word_maps(scene), scene.pieces
    shown = range(min(len(pieces), MOST_STRIPS))
    expected = to_rgb(pixels(scene.studio, clean(scene.path, scene.frames))[:, scene.sample])
    lows, highs = maps.min((0, 1, 2)), maps.max((0, 1, 2))
    column, row = place_of(scene, maps)
    cell = scene.studio.side // maps.shape[1]
    strips = [Strip("x_0", t("latent_diffusion.strip.expected"), expected)]
    strips += [
        Strip(
            f"word{k}",
            piece_words(pieces[k]),
            draw.glow(expected, maps[..., k] - lows[k], float(highs[k] - lows[k])),
        )
        for k in shown
    ]
    scrubber(
        strips,
        "latent_diffusion.words",
        positions=positions(scene.path, scene.frames),
        alt=t("latent_diffusion.words.alt", count=len(shown)),
        param=STEP,
        report=True,
        pick=True,
        cell=cell,
        picked=_marked(column, row),
        on_pick=_picked,
        hint=t("latent_diffusion.words.hint"),
        height=200,
    )
    st.caption(t("latent_diffusion.words.scale"))
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(t("latent_diffusion.words.place", row=row, column=column))
        shares = maps[scene.moment, row, column, : len(pieces)]
        drawing(
            responsive(
                lambda width: bars(
                    shares,
                    [piece_words(piece) for piece in pieces],
                    title=t("latent_diffusion.words.place", row=row, column=column),
                    texts=[percent(float(share)) for share in shares],
                    width=width,
                ),
                wide=460,
            ),
            "latent_diffusion.words.place",
        )
    if len(pieces) > 1:
        with right:
            st.markdown(t("latent_diffusion.words.by_step"))
            _by_step(scene, maps)
    _worked(scene, row, column, maps.shape[1])


def _picked(pick: Picked) -> None:
    state.put(PLACE, (pick.x, pick.y))
    st.session_state["latent_diffusion.words.strip"] = pick.strip


def _marked(column: int, row: int) -> Picked:
    """The place that is spoken of, on the strip that was clicked last, at first on the expected picture."""
    return Picked(st.session_state.get("latent_diffusion.words.strip", "x_0"), column, row)


def place_of(scene: Scene, maps: np.ndarray) -> tuple[int, int]:
    """The picked place (column, row); at first where the words are listened to most."""
    picked, side = state.get(PLACE), maps.shape[1]
    if picked is not None and max(picked) < side:
        return picked
    if picked is not None:
        state.put(PLACE, None)  # no such place: out of the link with it
    start = maps[scene.moment, :, :, 0]
    row, column = divmod(int(np.argmin(start)), side)
    return column, row


def _by_step(scene: Scene, maps: np.ndarray) -> None:
    """The mean share of each word over the whole picture, step by step."""
    at, pieces = scene.path.step[scene.frames] + 1, scene.pieces
    mean = maps[:-1].mean((1, 2))
    drawing(
        responsive(
            lambda width: lines(
                [
                    Line(piece_words(piece), at, 100 * mean[:, k], COLOURS[k % len(COLOURS)], dashed=k >= 4)
                    for k, piece in enumerate(pieces[:MOST_STRIPS])
                ],
                title=t("latent_diffusion.words.by_step.alt"),
                x_label=t("latent_diffusion.step"),
                y_label="%",
                x_range=(1, max(2, scene.path.steps)),
                marked=float(scene.path.step[scene.frame] + 1),
                width=width,
                height=240,
            ),
            wide=460,
        ),
        "latent_diffusion.words.by_step",
    )


# ---------------------------------------------------------------- one number of what a place hears


@dataclass(frozen=True, eq=False)
class Heard:
    """A transformer's cross-attention at a place: weights (heads, tokens); out (channels,), what it adds there."""

    weights: np.ndarray
    out: np.ndarray


def layer_words(layer: str) -> str:
    """Where in the U-Net a transformer stands: "up.0.attention.1" -> "way up, 2nd of level 0"."""
    where, *numbers = (part for part in layer.split(".") if part != "attention")
    if where == "mid":
        return t("latent_diffusion.layer.mid")
    return t(f"latent_diffusion.layer.{where}", level=numbers[0], n=numbers[1])


def module_of(tap: str) -> str:
    """A tap's layer as its tensors are called.

    'up.0.attention.1.cross.weights' -> 'up_blocks.0.attentions.1.transformer_blocks.0.attn2'
    """
    block = tap.removesuffix(".cross.weights").replace(".attention.", ".attentions.")
    for short in ("down", "up"):
        block = block.replace(f"{short}.", f"{short}_blocks.", 1) if block.startswith(f"{short}.") else block
    return block.replace("mid.", "mid_block.", 1) + ".transformer_blocks.0.attn2"


@st.cache_data(max_entries=24, show_spinner=False)
def _heard(key: str, x: str, at: int, layer: str, text: str, _scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    inputs = dict(_scene.condition().asked) | {"x": _scene.x, "timestep": np.array([at], np.int64)}
    names = (f"{layer}.cross.weights", f"{layer}.cross.out")
    taps = run(_scene.studio.unet, inputs, names).taps
    return taps[names[0]][0], taps[names[1]][0]


def heard(scene: Scene, layer: str, row: int, column: int, across: int) -> Heard:
    """What the transformer says at the place of its own map, coarser or equal, under a place of one `across` wide."""
    weights, out = _heard(key_of(scene.studio), content_id(scene.x), scene.t, layer, scene.text, scene)
    side = round(weights.shape[1] ** 0.5)
    factor = across // side
    position = (row // factor) * side + column // factor
    return Heard(weights[:, position], out[position])


def values_of(scene: Scene, layer: str, channel: int, heads: int) -> np.ndarray:
    """(heads, tokens) float64: what each token would put into one channel of a place that hears it alone, by head."""
    tensors, module = scene.studio.unet.state, module_of(layer + ".cross.weights")
    context = scene.condition().asked["context"][0].astype(np.float64)  # (tokens, D)
    v = context @ tensors[f"{module}.to_v.weight"].astype(np.float64).T  # (tokens, channels)
    mix = tensors[f"{module}.to_out.0.weight"][channel].astype(np.float64)  # (channels,)
    return np.asarray((v * mix).reshape(len(v), heads, -1).sum(-1).T)


def _worked(scene: Scene, row: int, column: int, across: int) -> None:
    """One number of what a place hears, as a sum over heads and words, against the net's own."""
    st.subheader(t("latent_diffusion.words.worked"), anchor=False)
    layers = [name.removesuffix(".cross.weights") for name in cross_taps(scene.studio.unet)]
    called = {layer: layer_words(layer) for layer in layers}
    layer = st.selectbox(
        t("latent_diffusion.words.layer"),
        layers,
        width=320,
        format_func=called.__getitem__,
        **state.bind(LAYER, allowed=layers),
    )
    said = heard(scene, layer, row, column, across)
    heads, pieces = len(said.weights), scene.pieces
    channel = int(np.abs(said.out).argmax())
    values = values_of(scene, layer, channel, heads)
    bias = float(scene.studio.unet.state[f"{module_of(layer + '.cross.weights')}.to_out.0.bias"][channel])
    kind = "sum" if len(pieces) > 1 else "sum.alone"
    st.markdown(t(f"latent_diffusion.words.{kind}", channel=channel, heads=heads, words=len(pieces)))
    worked_sum(
        [
            (rf"\text{{{piece_words(piece)}}}_{{{h}}}", float(said.weights[h, k]), float(values[h, k]))
            for k, piece in enumerate(pieces)
            for h in range(heads)
        ],
        bias,
        float(said.out[channel]),
        symbol=rf"o_{{{channel}}}",
        formula=r"o_c=b_c+\sum_{h}\sum_{w}A_{hw}\,\big(W_O^{(h)}V_w^{(h)}\big)_c",
        slack=16.0,
    )

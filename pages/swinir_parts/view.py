"""What the SwinIR page works on, and its answers: the scene, the part of it that is looked at, the cached runs.

A scene is the picture that the net is given: an upload, a sample, or the reduction of one (then the original is the
truth to compare with), cut to the area that was chosen. Everything heavy is cached by the model's key and the scene's
id, bounded by entries; the session holds choices only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from app.assets.samples import FOLDER as ASSETS, SKIMAGE, Sample
from app.engine import Cancel, Model, Trace, run, tap_bytes, upscale as tiled
from app.engine.base import finish
from app.engine.metrics import psnr_y, ssim_y
from app.figures.swinir_windows import Crop, Windows, crop_around, locate
from app.images import Picture, resize, shrink
from app.settings import settings
from app.text import t
from app.widgets import state
from app.widgets.image_input import Source
from pages.swinir_parts.numbers import ATTENTION_PARTS

FOLDER = ASSETS / "swinir"
METHODS = ("bicubic", "lanczos", "nearest")
BORDER = 4  # pixels left off each side when a picture is scored, as in the training report
INSTANT = 20_000  # input pixels of the embedded weights that take well under a second
SECONDS = 3.0  # what may run without being asked for
SLIM = 16  # a strip this many times longer than wide can still be looked at as a whole
SHOWN = 4_000_000  # output pixels that are sent to the screen

SAMPLES = (
    Sample("astronaut", FOLDER / "astronaut.png", "swinir.sample.astronaut", "NASA, public domain", SKIMAGE),
    Sample("chelsea", FOLDER / "chelsea.png", "swinir.sample.chelsea", "Stéfan van der Walt, CC0", SKIMAGE),
    Sample("coffee", FOLDER / "coffee.png", "swinir.sample.coffee", "Rachel Michetti, CC0", SKIMAGE),
    Sample("rocket", FOLDER / "rocket.png", "swinir.sample.rocket", "SpaceX, public domain", SKIMAGE),
    Sample("jpeg", FOLDER / "astronaut_jpeg.jpg", "swinir.sample.jpeg", "NASA, public domain", SKIMAGE),
)
FIRST_LOOK = {  # where each sample is first looked at, as shares of width and height
    "chelsea": (0.295, 0.47),
    "astronaut": (0.33, 0.52),
    "coffee": (0.62, 0.72),
    "rocket": (0.36, 0.76),
    "jpeg": (0.42, 0.43),
}


# ---------------------------------------------------------------- choices, kept in the link


def parse_area(raw: str) -> tuple[int, int, int, int] | None:
    """ "x,y,width,height" in pixels of the picture; the empty text is no area. Raises ValueError."""
    if not raw:
        return None
    x, y, width, height = (int(part) for part in raw.split(","))
    if not (0 <= x <= 10**6 and 0 <= y <= 10**6 and 1 <= width <= 10**6 and 1 <= height <= 10**6):
        raise ValueError(raw)
    return x, y, width, height


def format_area(area: tuple[int, int, int, int] | None) -> str:
    return "" if area is None else ",".join(str(part) for part in area)


SHRINK: state.Param[str] = state.Param("shrink", "", allowed=("", "0", "1"))  # "": as suits the picture
AREA = state.Param("area", None, parse_area, format_area)
PICK = state.Param("at", None, state.parse_pick, state.format_pick)  # in pixels of the net's input
COMPARE: state.Param[str] = state.Param("compare", METHODS[0], allowed=METHODS)
LAYER: state.Param[str] = state.Param("layer", "rstb.2.layer.1")
HEAD = state.Param("head", 0, state.parse_whole(0, 63), str)
KEY = state.Param("key", -1, state.parse_whole(-1, 4095), str)  # position in the window, -1: the strongest

Pick = tuple[int, int]


def choose_pixel(x: int, y: int) -> None:
    """Take over a picked pixel of the input; the pair that was looked at belongs to the old one."""
    state.put(PICK, (x, y))
    state.put(KEY, -1)


# ---------------------------------------------------------------- the scene


@dataclass(frozen=True, eq=False)
class Scene:
    """What the net is given. picture: its pixels (in the file's own colours), alpha and profile; truth: uint8
    (scale*H, scale*W, 3) where the original is known. id: names the pixels.
    part: whether it is a part of the visitor's picture.
    """

    picture: Picture
    truth: np.ndarray | None
    id: str
    look: tuple[float, float] = (0.5, 0.5)
    part: bool = False

    @property
    def image(self) -> np.ndarray:
        """uint8 (H, W, 3)."""
        return self.picture.rgb

    @property
    def height(self) -> int:
        return self.picture.height

    @property
    def width(self) -> int:
        return self.picture.width

    @property
    def pixels(self) -> int:
        return self.height * self.width

    def shown(self, rgb: np.ndarray) -> np.ndarray:
        """Pixels as the screen should show them: sRGB, laid on white where transparent."""
        return self.picture.with_pixels(rgb).flattened()

    def pick(self) -> tuple[int, int]:
        """The picked pixel, by default where the eye goes first; kept inside of the picture."""
        chosen = state.get(PICK)
        x, y = chosen or (round(self.look[0] * self.width), round(self.look[1] * self.height))
        return min(x, self.width - 1), min(y, self.height - 1)


def new_source(source: Source) -> None:
    """Another picture has come: what was chosen for the one before does not fit it."""
    before = st.session_state.get("swinir.source")
    if before is not None and before != source.sha:
        for param in (SHRINK, AREA, PICK):
            state.forget(param)
    st.session_state["swinir.source"] = source.sha


def has_gone(source: Source) -> bool:
    """Whether another picture has come since. A widget of the old one may still report: where a new picture interrupts
    a run, Streamlit has let go of the old widget's value, gets it again from the browser and takes it for a change.
    """
    return bool(st.session_state.get("swinir.source") != source.sha)


def shrinks(source: Source) -> bool:
    """Whether the picture is reduced first: samples are (their original is the truth), uploads are not."""
    chosen = state.get(SHRINK)
    if chosen:
        return chosen == "1"
    return source.sample_id not in (None, "jpeg")


def cut(picture: Picture, area: tuple[int, int, int, int]) -> Picture:
    """A part of a picture; area = (x, y, width, height), clipped to it."""
    x, y, width, height = area
    x, y = min(x, picture.width - 1), min(y, picture.height - 1)
    part = np.s_[y : y + height, x : x + width]
    alpha = None if picture.alpha is None else np.ascontiguousarray(picture.alpha[part])
    return replace(picture, rgb=np.ascontiguousarray(picture.rgb[part]), alpha=alpha)


@st.cache_resource(max_entries=4, show_spinner=False)
def _scene(
    sha: str,
    scale: int,
    reduced: bool,
    area: tuple[int, int, int, int] | None,
    sample: str,
    _picture: Picture,
) -> Scene:
    picture = _picture if area is None else cut(_picture, area)
    truth = None
    if reduced:
        small, truth = shrink(picture.rgb, scale)
        alpha = picture.alpha
        if alpha is not None:
            alpha = resize(alpha[: truth.shape[0], : truth.shape[1]], (small.shape[1], small.shape[0]))
        picture = replace(picture, rgb=small, alpha=alpha)
    name = f"{sha[:24]}-{scale if reduced else 1}-{format_area(area)}"
    return Scene(picture, truth, name, FIRST_LOOK.get(sample, (0.5, 0.5)), area is not None)


def scene_of(source: Source, scale: int, area: tuple[int, int, int, int] | None) -> Scene:
    """The scene of the current choices. Raises BadImage where the picture is too small to be reduced."""
    return _scene(source.sha, scale, shrinks(source), area, source.sample_id or "", source.picture)


# ---------------------------------------------------------------- how much at once


def is_light(model: Model) -> bool:
    """The embedded weights: a picture of INSTANT pixels runs at once on any machine."""
    return model.weights.origin == "embedded"


def at_once(model: Model) -> int:
    """Input pixels that run without being asked for: about SECONDS of work, measured for heavy weights and GPUs."""
    if is_light(model) and model.device == "CPU":
        return 4 * INSTANT
    return int(min(max(SECONDS / tiled.measure(model), 48 * 48), 600_000))


def is_strip(width: int, height: int) -> bool:
    """Whether nothing can be seen of the picture as a whole: it would be a line on the screen."""
    return max(width, height) > max(3 * SLIM * min(width, height), 1000)


def centre_area(width: int, height: int, pixels: int) -> tuple[int, int, int, int]:
    """(x, y, width, height) of a part of at most `pixels` pixels in the middle, sides multiples of 8 where possible.

    Of a long strip a part is taken that is no more than SLIM times as long as it is wide.
    """
    fair = min(width, SLIM * height), min(height, SLIM * width)
    factor = min(1.0, (pixels / (fair[0] * fair[1])) ** 0.5)
    wide, high = (max(8, int(side * factor) // 8 * 8) for side in fair)
    wide, high = min(wide, width), min(high, height)
    return (width - wide) // 2, (height - high) // 2, wide, high


def crop_for(model: Model, scene: Scene, pick: tuple[int, int]) -> Crop:
    """The part of the scene whose inner tensors are recorded: all of it where they fit, else windows round the pick."""
    size, heads = tiled.window_of(model), max(model.config["num_heads"])
    tokens, dim = size * size, model.config["embed_dim"]
    each = 4 * (2 * heads * tokens * tokens + 4 * tokens * dim)  # bytes: scores and weights; q, k, v and out
    by_memory = int(0.95 * settings().max_taps_mb * 1e6 / each)
    by_time = (INSTANT if is_light(model) else at_once(model)) // tokens
    return crop_around(scene.height, scene.width, *pick, size=size, most=max(16, min(by_memory, by_time)))


# ---------------------------------------------------------------- layers


@dataclass(frozen=True)
class Layer:
    """One Swin layer: its block name, the RSTB and the layer in it (from 0), its shift."""

    block: str
    rstb: int
    index: int
    shift: int


def layers_of(model: Model) -> tuple[Layer, ...]:
    """Every layer, in order. Odd ones are shifted by half a window, unless the net was trained on one window."""
    config = model.config
    shifts = config["img_size"] > config["window_size"]
    return tuple(
        Layer(f"rstb.{i}.layer.{j}", i, j, config["window_size"] // 2 if shifts and j % 2 else 0)
        for i, depth in enumerate(config["depths"])
        for j in range(depth)
    )


def short_name(layer: Layer) -> str:
    return f"{layer.rstb + 1}.{layer.index + 1}"


def layer_name(layer: Layer) -> str:
    return f"{short_name(layer)} {'SW-MSA' if layer.shift else 'W-MSA'}"


def current_block(model: Model) -> str:
    """The layer that is looked at."""
    return state.get(LAYER, allowed=[layer.block for layer in layers_of(model)])


def layer_choice(model: Model, suffix: str) -> Layer:
    """The layer that is looked at: one slider for all of them."""
    layers = {layer.block: layer for layer in layers_of(model)}
    chosen = st.select_slider(
        t("swinir.layer"),
        list(layers),
        format_func=lambda block: layer_name(layers[block]),
        help=t("swinir.layer.help"),
        **state.bind(LAYER, allowed=list(layers), suffix=suffix),
    )
    return layers[str(chosen)]


def windows_of(model: Model, height: int, width: int, shift: int) -> Windows:
    return Windows(height=height, width=width, size=tiled.window_of(model), shift=shift)


def attention_taps(block: str) -> tuple[str, ...]:
    return tuple(f"{block}.attn.{part}" for part in ATTENTION_PARTS)


# ---------------------------------------------------------------- runs


@st.cache_resource(max_entries=3, show_spinner=False)
def _trace(
    key: str,
    scene: str,
    crop: Crop,
    taps: tuple[str, ...],
    strength: float,
    _model: Model,
    _image: np.ndarray,
) -> Trace:
    padded = tiled.pad(crop.cut(_image), tiled.window_of(_model))
    return run(
        _model, {"image": tiled.to_net(padded), "mask_strength": np.asarray(strength, np.float32)}, taps
    )


def trace(model: Model, scene: Scene, crop: Crop, taps: tuple[str, ...], strength: float = 1.0) -> Trace:
    """One run of a crop with these taps, the last few kept. Its output covers the padded crop."""
    return _trace(model.key, scene.id, crop, taps, strength, model, scene.image)


@st.cache_data(max_entries=32, show_spinner=False)
def _depth(key: str, scene: str, crop: Crop, x: int, y: int, _model: Model, _scene: Scene) -> np.ndarray:
    layers = layers_of(_model)
    padded = tiled.to_net(tiled.pad(crop.cut(_scene.image), tiled.window_of(_model)))
    heads, rows = max(_model.config["num_heads"]), []
    each = tap_bytes(_model, {"image": padded.shape}, [f"{layers[0].block}.attn.weights"])
    at_a_time = max(1, int(0.95 * settings().max_taps_mb * 1e6 / each))
    for start in range(0, len(layers), at_a_time):
        part = layers[start : start + at_a_time]
        found = run(_model, {"image": padded}, [f"{layer.block}.attn.weights" for layer in part])
        for layer in part:
            place = locate(windows_of(_model, crop.height, crop.width, layer.shift), x, y)
            weights = found.taps[f"{layer.block}.attn.weights"][0, place.window, :, place.position]
            rows.append(np.pad(weights, ((0, heads - len(weights)), (0, 0))))
    return np.stack(rows)


def through_depth(model: Model, scene: Scene, crop: Crop, pick: Pick) -> np.ndarray:
    """(layers, heads, N) attention of one pixel in every layer: a few runs, for all layers at once are too large."""
    return _depth(model.key, scene.id, crop, *crop.inside(*pick), model, scene)


def output_of(found: Trace, crop: Crop, scale: int) -> np.ndarray:
    """(1, 3, scale*h, scale*w) float, the padding cut off."""
    return found.output[:, :, : crop.height * scale, : crop.width * scale]


@dataclass(frozen=True)
class Answer:
    """An upscaled picture, uint8 (scale*H, scale*W, 3), and the seconds it took."""

    result: np.ndarray
    seconds: float


@st.cache_data(max_entries=24, show_spinner=False)
def _instant(key: str, scene: str, _model: Model, _scene: Scene, _block: str) -> tuple[np.ndarray, float]:
    crop = crop_for(_model, _scene, (0, 0))
    found = trace(_model, _scene, crop, attention_taps(_block) if crop.whole else ())
    if crop.whole:
        return tiled.to_picture(output_of(found, crop, tiled.scale_of(_model))[0]), found.seconds
    start = time.perf_counter()
    return finish(tiled.upscale(_model, _scene.image)), time.perf_counter() - start


def is_instant(model: Model, scene: Scene) -> bool:
    """Whether the answer comes before a progress bar would be worth showing."""
    return is_light(model) and scene.pixels <= INSTANT


def instant(model: Model, scene: Scene, block: str) -> Answer:
    """The answer of a small scene. The run also records the layer that is looked at, so that it need not run twice."""
    return Answer(*_instant(model.key, scene.id, model, scene, block))


def steps(model: Model, image: np.ndarray, cancel: Cancel) -> Iterator[Any]:
    """The work of a larger scene, tile by tile."""
    return tiled.upscale(model, image, cancel)


# ---------------------------------------------------------------- scores


@st.cache_data(max_entries=64, show_spinner=False)
def _enlarged(scene: str, width: int, height: int, method: str, _scene: Scene) -> np.ndarray:
    return np.asarray(resize(_scene.image, (width, height), method))


def enlarged(scene: Scene, width: int, height: int, method: str) -> np.ndarray:
    """What a picture viewer would make of the scene."""
    return _enlarged(scene.id, width, height, method, scene)


@dataclass(frozen=True)
class Score:
    """Against the original, on Y, BORDER pixels left off: PSNR in dB and SSIM (None for tiny pictures)."""

    psnr: float
    ssim: float | None


@st.cache_data(max_entries=128, show_spinner=False)
def _score(name: str, _truth: np.ndarray, _guess: np.ndarray) -> Score | None:
    least = min(_truth.shape[:2]) - 2 * BORDER
    if least < 1:
        return None
    return Score(psnr_y(_truth, _guess, BORDER), ssim_y(_truth, _guess, BORDER) if least >= 11 else None)


def score(name: str, truth: np.ndarray, guess: np.ndarray) -> Score | None:
    """name: of both pictures. None where the picture is nothing but border."""
    return _score(name, truth, guess)


def shrink_choice(source: Source) -> None:
    """The switch between "make mine larger" and "shrink mine first, then compare with the original"."""
    key = f"swinir.shrink.{source.sha[:12]}"
    now = shrinks(source)
    if st.session_state.get(key) != now:
        st.session_state[key] = now

    def taken() -> None:
        value = st.session_state.get(key)
        if value is None or has_gone(source):
            return
        state.put(SHRINK, state.format_flag(bool(value)))
        state.forget(PICK)

    st.toggle(t("swinir.shrink_first"), key=key, on_change=taken, help=t("swinir.shrink_first.help"))

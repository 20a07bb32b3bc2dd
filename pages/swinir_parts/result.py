"""The result of the SwinIR page: before and after under one divider, the score, the file to take home."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from app.engine import Model, upscale as tiled
from app.figures import swinir as draw
from app.images import EXTENSION, MIME, BadImage, encode
from app.text import t
from app.widgets import state
from app.widgets.picture import before_after
from pages.swinir_parts.numbers import (
    BLOCKY,
    blockiness,
    signed,
)
from pages.swinir_parts.view import (
    COMPARE,
    METHODS,
    SHOWN,
    Answer,
    Pick,
    Scene,
    choose_pixel,
    enlarged,
    score,
)


def result(model: Model, scene: Scene, answer: Answer, stem: str) -> None:
    """Before and after under one divider, what it scored, and the file to take home."""
    scale = tiled.scale_of(model)
    height, width = answer.result.shape[:2]
    zoom = scale * min(1.0, (SHOWN / (height * width)) ** 0.5)  # screen pixels for one pixel of the input
    wide, high = max(1, round(scene.width * zoom)), max(1, round(scene.height * zoom))
    method = state.get(COMPARE)
    before = scene.shown(enlarged(scene, wide, high, method))
    after = scene.shown(
        answer.result if (high, wide) == (height, width) else _shrunk(answer.result, wide, high)
    )
    x, y = scene.pick()

    def picked(pick: Pick) -> None:
        choose_pixel(min(int(pick[0] / zoom), scene.width - 1), min(int(pick[1] / zoom), scene.height - 1))

    left, right = st.columns([5, 2], gap="large")
    with left:
        before_after(
            before,
            after,
            "swinir.result",
            t("swinir.result.alt", method=t(f"swinir.method.{method}"), scale=scale),
            (t(f"swinir.method.{method}"), t("swinir.ours", scale=scale)),
            marks=[draw.pick_mark(x, y, zoom)],
            show_pick=False,
            step=max(1, round(8 * zoom)),
            height=620,
            hint=t("swinir.result.hint"),
            on_pick=picked,
        )
    with right:
        st.segmented_control(
            t("swinir.compare"),
            METHODS,
            required=True,
            format_func=lambda m: t(f"swinir.method.{m}"),
            **state.bind(COMPARE),
        )
        if scene.truth is None:
            st.markdown(t("swinir.size", width=scene.width, height=scene.height, wide=width, high=height))
            st.caption(t("swinir.no_truth"))
        else:
            _scores(model, scene, answer, method)
        _honest_word(model, scene)
        _save(scene, answer, f"{stem}_x{scale}")


@st.cache_data(max_entries=4, show_spinner=False)
def _shrunk_cached(name: str, wide: int, high: int, _image: np.ndarray) -> np.ndarray:
    from app.images import resize

    return np.asarray(resize(_image, (wide, high), "lanczos"))


def _shrunk(image: np.ndarray, wide: int, high: int) -> np.ndarray:
    """A large result as the screen shows it."""
    from app.widgets.packing import content_id

    return _shrunk_cached(content_id(image[::8, ::8]), wide, high, image)


def decibels(psnr: float) -> str:
    """ "34.69 dB", or "∞ dB" for two equal pictures."""
    return f"{psnr:.2f} dB" if math.isfinite(psnr) else "∞ dB"


def gain(ours: float, theirs: float) -> str:
    """The difference of the two figures as they are shown, so that a reader's own subtraction agrees."""
    if math.isfinite(ours) and math.isfinite(theirs):
        return f"{signed(round(ours, 2) - round(theirs, 2), 2)} dB"
    return "±0 dB" if ours == theirs else f"{'+' if ours > theirs else '−'}∞ dB"


def _arrow(difference: float) -> dict[str, Any]:
    """Arrow and colour of a metric's difference: Streamlit reads them from a leading hyphen, which we do not write."""
    if not difference or math.isnan(difference):  # nan: both are infinite
        return {"delta_color": "off", "delta_arrow": "off"}
    return {"delta_color": "normal"} if difference > 0 else {"delta_color": "inverse", "delta_arrow": "down"}


def _scores(model: Model, scene: Scene, answer: Answer, method: str) -> None:
    """PSNR and SSIM against the original, for the net and for the method it is compared with."""
    truth = scene.truth
    assert truth is not None
    ours = score(f"{scene.id}-{model.key}", truth, answer.result)
    theirs = score(f"{scene.id}-{method}", truth, enlarged(scene, truth.shape[1], truth.shape[0], method))
    if ours is None or theirs is None:
        return
    name = t(f"swinir.method.{method}")
    with st.container(horizontal=True, key="v-swinir-scores"):
        st.metric(
            t("swinir.psnr"),
            decibels(ours.psnr),
            t("swinir.over", value=gain(ours.psnr, theirs.psnr), method=name),
            help=t("swinir.psnr.help"),
            **_arrow(ours.psnr - theirs.psnr),
        )
        if ours.ssim is not None and theirs.ssim is not None:
            st.metric(
                t("swinir.ssim"),
                f"{ours.ssim:.4f}",
                t("swinir.over", value=signed(round(ours.ssim, 4) - round(theirs.ssim, 4), 4), method=name),
                help=t("swinir.ssim.help"),
                **_arrow(ours.ssim - theirs.ssim),
            )
    st.caption(
        t("swinir.truth", width=scene.width, height=scene.height, method=name, theirs=decibels(theirs.psnr))
    )


@st.cache_data(max_entries=64, show_spinner=False)
def _blockiness(name: str, _image: np.ndarray) -> float:
    return blockiness(_image)


def _honest_word(model: Model, scene: Scene) -> None:
    """What the weights learned from and what they cannot do; a warning where the picture is of another kind."""
    report = model.report
    measured = report.get("score", {})
    if "mean_gain" in measured and "data" in report:
        photographs = sum(int(part.get("photographs", 0)) for part in report["data"])
        st.caption(
            t(
                "swinir.trained",
                photographs=photographs,
                minutes=f"{float(report.get('minutes', 0)):.0f}",
                gain=signed(float(measured["mean_gain"]), 2),
                count=len(measured.get("images", {})),
            )
        )
    kind = "real" if model.weights.id.startswith("real") else "clean"
    st.caption(t(f"swinir.limits.{kind}"))
    if kind == "clean" and scene.truth is None:
        found = _blockiness(scene.id, scene.image)
        if found > BLOCKY:
            st.warning(t("swinir.blocky", value=f"{found:.2f}"), icon=":material/grid_on:")


def stem_of(name: str) -> str:
    """The name of a visitor's file without its ending, in what every system takes: letters, digits, - and _."""
    stem = name.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return re.sub(r"[^A-Za-z0-9_-]+", "-", stem)[:60].strip("-_") or "vitrine"


def _save(scene: Scene, answer: Answer, name: str) -> None:
    """The upscaled picture as a file, in three formats; made when it is asked for."""
    label = t("swinir.save.part" if scene.part else "swinir.save")
    with st.popover(label, icon=":material/download:", width="stretch"):
        if scene.part:
            height, width = answer.result.shape[:2]
            st.caption(t("swinir.save.part.about", width=width, height=height))
        st.caption(t("swinir.save.about"))
        for fmt in ("PNG", "JPEG", "WEBP"):
            st.download_button(
                fmt,
                _file(scene, answer, fmt),
                f"{name}.{EXTENSION[fmt]}",
                MIME[fmt],
                key=f"swinir.save.{fmt}",
                on_click="ignore",
                width="stretch",
            )


def _file(scene: Scene, answer: Answer, fmt: str) -> Callable[[], bytes]:
    """Bytes of the file, when they are wanted: transparency and colour profile kept, no location."""
    picture_, pixels = scene.picture, answer.result

    def make() -> bytes:
        try:
            return encode(picture_.with_pixels(pixels), fmt)
        except BadImage:  # too long a side for this format
            return encode(picture_.with_pixels(pixels), "PNG")

    return make

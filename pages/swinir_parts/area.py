"""Which part of a large picture is worked on, and its upscaling: at once where it is quick, else with an estimate."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import EngineError, Model, upscale as tiled
from app.figures.overlay import Rect, Style
from app.images import resize
from app.settings import settings
from app.text import t
from app.widgets import state
from app.widgets.image_input import Source
from app.widgets.picture import picture
from app.widgets.progress import job, time_left
from pages.swinir_parts.view import (
    AREA,
    INSTANT,
    Answer,
    Scene,
    at_once,
    centre_area,
    has_gone,
    instant,
    is_instant,
    is_light,
    is_strip,
    shrinks,
    steps,
)

Area = tuple[int, int, int, int]  # x, y, width, height in pixels of the picture
THUMBNAIL = 720  # pixels of its longer side


def choose_area(model: Model, source: Source) -> Area | None:
    """The part of the picture to work on, None for all of it; a choice is shown for large pictures only."""
    width, height = source.picture.width, source.picture.height
    reduction = tiled.scale_of(model) ** 2 if shrinks(source) else 1
    limit = at_once(model) * reduction  # pixels of the picture
    large, strip = width * height > limit, is_strip(width, height)
    if not (large or strip):
        return None
    first = INSTANT * reduction if is_light(model) else limit
    area = clipped(state.get(AREA) or centre_area(width, height, first), width, height)
    st.subheader(t("swinir.area"), anchor=False)
    st.markdown(t("swinir.area.strip" if strip else "swinir.area.about", width=width, height=height))
    if strip:  # a picture of it would be a line
        words = st.container()
    else:
        left, words = st.columns([3, 2], gap="large")
        with left:
            _thumbnail(source, area)
    with words:
        _sliders(source, area)
        x, y, wide, high = area
        scale = 1 if reduction > 1 else tiled.scale_of(model)
        st.caption(t("swinir.area.size", width=wide, height=high, wide=wide * scale, high=high * scale))
        output = width * height * scale**2 / 1e6
        if output <= settings().max_output_megapixels:
            st.button(
                t("swinir.area.whole"),
                key="swinir.area.whole",
                on_click=state.put,
                args=(AREA, (0, 0, width, height)),
                disabled=area == (0, 0, width, height),
            )
        else:
            most = settings().max_output_megapixels
            st.caption(t("swinir.area.limit", megapixels=f"{output:.0f}", limit=f"{most:.0f}"))
    return None if area == (0, 0, width, height) else area


def clipped(area: Area, width: int, height: int) -> Area:
    """The area inside of a picture of this size; at least one pixel."""
    x, y = min(area[0], width - 1), min(area[1], height - 1)
    return x, y, min(area[2], width - x), min(area[3], height - y)


def centred_at(area: Area, x: int, y: int, width: int, height: int) -> Area:
    """The area moved so that (x, y) is in its middle, as far as the picture allows; corners at multiples of 8."""
    _, _, wide, high = area
    left = min(max(0, x - wide // 2), width - wide) // 8 * 8
    top = min(max(0, y - high // 2), height - high) // 8 * 8
    return left, top, wide, high


@st.cache_data(max_entries=8, show_spinner=False)
def _small(sha: str, _source: Source) -> np.ndarray:
    rgb = _source.picture.flattened()
    factor = min(1.0, THUMBNAIL / max(rgb.shape[:2]))
    return np.asarray(
        resize(rgb, (max(1, round(rgb.shape[1] * factor)), max(1, round(rgb.shape[0] * factor))), "bicubic")
    )


def _thumbnail(source: Source, area: Area) -> None:
    """The whole picture with the part framed; a click moves the frame."""
    small = _small(source.sha, source)
    factor = small.shape[1] / source.picture.width

    def picked(pick: tuple[int, int]) -> None:
        x, y = round(pick[0] / factor), round(pick[1] / factor)
        state.put(AREA, centred_at(area, x, y, source.picture.width, source.picture.height))

    x, y, wide, high = (part * factor for part in area)
    picture(
        small,
        "swinir.area.map",
        t("swinir.area.alt"),
        overlays=[Rect(x=x, y=y, width=wide, height=high, style=Style(width=2.5, fill=0.12))],
        show_pick=False,
        height=380,
        hint=t("swinir.area.hint"),
        on_pick=picked,
    )


def _sliders(source: Source, area: Area) -> None:
    """Both edges of the part along each side, as sliders."""
    x, y, wide, high = area
    for name, total, now in (
        ("columns", source.picture.width, (x, x + wide)),
        ("rows", source.picture.height, (y, y + high)),
    ):
        key = f"swinir.area.{name}.{source.sha[:8]}"
        if st.session_state.get(key) != now:
            st.session_state[key] = now
        if total < 2:
            continue

        def moved() -> None:
            if has_gone(source):
                return
            state.put(AREA, _from_sliders(source, area))

        st.slider(t(f"swinir.area.{name}"), 0, total, key=key, on_change=moved)


def _from_sliders(source: Source, area: Area) -> Area:
    """The area that both sliders show now."""
    x, y, wide, high = area
    left, right = st.session_state.get(f"swinir.area.columns.{source.sha[:8]}", (x, x + wide))
    top, bottom = st.session_state.get(f"swinir.area.rows.{source.sha[:8]}", (y, y + high))
    return clipped(
        (left, top, max(8, right - left), max(8, bottom - top)), source.picture.width, source.picture.height
    )


def upscaled(model: Model, scene: Scene, block: str) -> Answer | None:
    """The scene's answer, or None while it is not there (a start button or a progress bar is shown instead).

    block: the layer that will be looked at; a small scene's one run records it too.
    """
    if is_instant(model, scene):
        with st.spinner(t("swinir.running"), show_time=False):
            return instant(model, scene, block)
    quick = scene.pixels <= at_once(model)
    try:
        note = "" if quick else _estimate(model, scene)
    except EngineError as error:
        st.warning(t(error.reason, **error.details), icon=":material/crop:")
        return None
    outcome = job(
        "swinir.upscale",
        (model.key, scene.id),
        lambda cancel: steps(model, scene.image, cancel),
        text=lambda item: t("swinir.progress", done=item.done, total=item.total),
        autostart=quick,
        button=t("swinir.start"),
        note=note,
    )
    return None if outcome.result is None else Answer(outcome.result, outcome.seconds)


def _estimate(model: Model, scene: Scene) -> str:
    """How long it will take and how large the result will be. Raises EngineError where it would be too large."""
    plan = tiled.plan(scene.height, scene.width, model)
    return t(
        "swinir.estimate",
        time=time_left(plan.seconds_estimate),
        megapixels=f"{plan.megapixels:.1f}",
        tiles=len(plan.tiles),
        device=model.device,
    )

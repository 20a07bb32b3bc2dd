"""Windows, the cyclic shift and its masks, on the visitor's picture."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine import Model, upscale as tiled
from app.figures import swinir as draw
from app.figures.overlay import to_svg
from app.figures.swinir_windows import (
    CLASSES,
    Windows,
    blocked_pairs,
    class_counts,
    class_of,
    locate,
)
from app.text import t
from app.widgets.picture import picture
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import take_away
from pages.swinir_parts.view import (
    Pick,
    Scene,
    choose_pixel,
    layers_of,
    windows_of,
)


def windows(model: Model, scene: Scene) -> None:
    """The two grids on the picture, the shift as a film, and the masks that follow from it."""
    st.markdown(t("swinir.windows.about"))
    size, shift = tiled.window_of(model), max(layer.shift for layer in layers_of(model))
    x, y = scene.pick()
    for column, moved in zip(st.columns(2, gap="medium"), (0, shift), strict=True):
        with column:
            _grid(scene, windows_of(model, scene.height, scene.width, moved), x, y)
    st.subheader(t("swinir.shift"), anchor=False)
    film, words = st.columns([3, 2], gap="large")
    words.markdown(t("swinir.shift.about", shift=shift))
    frames, labels = _film(scene, size, shift)
    with film:
        scrubber(
            [Strip("shift", "", frames)],
            "swinir.shift",
            positions=labels,
            alt=t("swinir.shift.alt", shift=shift),
            start=0,
            fps=6.0,
            loop=True,
            pixelated=False,
            height=420,
        )
    st.subheader(t("swinir.masks"), anchor=False)
    st.markdown(t("swinir.masks.about"))
    whole = windows_of(model, scene.height, scene.width, shift)
    place = locate(whole, x, y)
    counts = class_counts(whole)
    for column, kind in zip(st.columns(4), CLASSES, strict=True):
        with column:
            here = class_of(whole, place.window) == kind
            _mask(size, shift, kind, counts[kind], place.position if here else None)
    take_away(
        "swinir.windows",
        f"swinir-windows-{size}-shift-{shift}",
        png=lambda: draw.tiles(
            [np.kron(draw.mask_picture(size, shift, k), np.ones((6, 6, 1), np.uint8)) for k in CLASSES], 12, 2
        ),
        svg=lambda: to_svg(
            scene.image, [*draw.wrapped_shapes(whole), *draw.window_shapes(whole, place.window)]
        ),
    )


def _grid(scene: Scene, grid: Windows, x: int, y: int) -> None:
    """One grid over the picture with the pick's window in the colours of its pieces."""
    place = locate(grid, x, y)
    shifted = "shifted" if grid.shift else "plain"
    st.markdown(t(f"swinir.grid.{shifted}", count=grid.count, shift=grid.shift))

    def picked(pick: Pick) -> None:
        choose_pixel(*pick)

    picture(
        scene.shown(scene.image),
        f"swinir.grid.{shifted}",
        t(f"swinir.grid.{shifted}.alt", size=grid.size),
        overlays=[*draw.wrapped_shapes(grid), *draw.window_shapes(grid, place.window)],
        marks=[draw.pick_mark(x, y)],
        show_pick=False,
        step=grid.size,
        height=380,
        hint=t("swinir.grid.hint"),
        on_pick=picked,
    )
    st.caption(
        t(
            "swinir.grid.place",
            window=place.window + 1,
            kind=t(f"swinir.class.{class_of(grid, place.window)}"),
            row=place.position // grid.size + 1,
            column=place.position % grid.size + 1,
        )
    )


@st.cache_data(max_entries=8, show_spinner=False)
def _frames(scene: str, size: int, shift: int, _image: np.ndarray) -> tuple[list[np.ndarray], list[float]]:
    return draw.shift_frames(draw.toy(_image, size), size, shift)


def _film(scene: Scene, size: int, shift: int) -> tuple[list[np.ndarray], list[str]]:
    """Frames of the shift and the words beside each."""
    frames, moved = _frames(scene.id, size, shift, scene.shown(scene.image))
    labels = [t("swinir.shift.moved", n=f"{distance:.1f}") for distance in moved]
    labels[0], labels[-1] = t("swinir.shift.start"), t("swinir.shift.cut")
    return frames, labels


def _mask(size: int, shift: int, kind: str, count: int, position: int | None) -> None:
    """One class of windows: its pieces, its mask, how many pairs are silenced."""
    blocked = blocked_pairs(size, shift, kind)
    st.markdown(t(f"swinir.class.{kind}.title"))
    picture(
        draw.piece_picture(size, shift, kind),
        f"swinir.piece.{kind}",
        t("swinir.piece.alt", kind=t(f"swinir.class.{kind}")),
        overlays=[] if position is None else [draw.cell(position, size, "plain")],
        pixelated=True,
        pick=False,
        height=110,
        hint="",
    )
    picture(
        draw.mask_picture(size, shift, kind),
        f"swinir.mask.{kind}",
        t("swinir.mask.alt", kind=t(f"swinir.class.{kind}"), blocked=blocked, pairs=size**4),
        overlays=[] if position is None else draw.row_shapes(size, position),
        pixelated=True,
        pick=False,
        height=300,
        hint="",
    )
    st.caption(t("swinir.mask.numbers", count=count, blocked=blocked, pairs=size**4))

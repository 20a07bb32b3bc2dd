"""Pictures that answer: pick a pixel, compare before and after.

Streamlit components v2, drawn wholly in the browser: dragging and zooming never rerun the page. A
pick reruns it once (only the fragment, where the picture stands in one) and is remembered in the session, or
in a `state.Param`, so that the link restores it. `last_pick` tells it before the picture is drawn, so that
shapes over the picture can follow it in the same run:

    at = last_pick("photo", PICK, within=(width, height))
    picture(photo, key="photo", alt=t("swinir.photo"), overlays=[window_of(at)], param=PICK)

Every picture can be used by mouse, touch and keyboard: arrow keys move a crosshair (with shift by `step`),
Enter picks, Escape leaves; the divider is a native range input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from app.figures.charts import short
from app.figures.colour import Kind, Limits, css_gradient
from app.figures.overlay import COLOURS, Dot, Grid, Label, Polygon, Rect, Shape, Style, fragment, to_svg
from app.text import t
from app.widgets import state
from app.widgets.packing import Encoded, as_uint8, content_id, encode, pack

__all__ = [
    "COLOURS",
    "Dot",
    "Grid",
    "Label",
    "Pick",
    "Polygon",
    "Rect",
    "Shape",
    "Style",
    "before_after",
    "last_pick",
    "picture",
    "set_pick",
    "to_svg",
]

Pick = tuple[int, int]
PickParam = state.Param[Pick | None]

FRONTEND = Path(__file__).parent / "frontend"
MAX_HEIGHT = 560  # CSS pixels


def _source(name: str) -> str:
    return (FRONTEND / name).read_text(encoding="utf-8")


@cache
def component(name: str, *shared: str) -> Any:
    """The mounting command of one of our components; its files are `frontend/<name>.html|css|js`.

    shared: names of scripts, and of style sheets where there are some, that go before its own.
    """
    sheets = [f"{part}.css" for part in shared if (FRONTEND / f"{part}.css").exists()]
    return st.components.v2.component(
        f"vitrine_{name}",
        html=_source(f"{name}.html"),
        css="".join(_source(sheet) for sheet in [*sheets, f"{name}.css"]),
        js="".join(_source(f"{part}.js") for part in ["common", *shared, name]),
    )


# ---------------------------------------------------------------- the last pick


def _shelf(key: str) -> str:
    return f"vitrine.pick:{key}"


def last_pick(key: str, param: PickParam | None = None, within: tuple[int, int] | None = None) -> Pick | None:
    """The pixel (x, y) that was last picked on the picture `key`, None before the first pick.

    within: (width, height) of the picture; a pick outside of it (a link may carry any) is none.
    """
    pick: Any = state.get(param) if param is not None else st.session_state.get(_shelf(key))
    if pick is None:
        return None
    found = (int(pick[0]), int(pick[1]))
    return found if within is None else _inside(found, *within)


def set_pick(key: str, pick: Pick | None, param: PickParam | None = None) -> None:
    """Choose a pixel in Python: a default, or one that follows from another view."""
    if param is not None:
        state.put(param, pick)
    else:
        st.session_state[_shelf(key)] = pick


def _take_over(
    key: str, param: PickParam | None, on_pick: Callable[[Pick], None] | None
) -> Callable[[], None]:
    """The callback of a pick: a trigger lives for one run only, so it is written down before that run begins."""

    def taken() -> None:
        sent = st.session_state[key].get("pick")
        if not (isinstance(sent, dict) and all(isinstance(sent.get(axis), int) for axis in "xy")):
            return  # not sent by our own script
        pick = (sent["x"], sent["y"])
        set_pick(key, pick, param)
        if on_pick is not None:
            on_pick(pick)

    return taken


def _inside(pick: Pick | None, width: int, height: int) -> Pick | None:
    return pick if pick is not None and 0 <= pick[0] < width and 0 <= pick[1] < height else None


# ---------------------------------------------------------------- pictures


@st.cache_data(max_entries=48, show_spinner=False)
def _encoded(name: str, exact: bool, _image: np.ndarray) -> Encoded:
    """Encoded once for each content: encoding on every run would be felt at every click."""
    return encode(_image, exact)


def _file(image: np.ndarray, exact: bool) -> Encoded:
    return _encoded(content_id(image), exact, image)


def _words(**more: str) -> dict[str, str]:
    """What the browser says; places such as {x} are filled there."""
    return {
        "keys": t("picture.keys"),
        "bar": t("picture.bar"),
        "fit": t("picture.fit"),
        "zoom": t("picture.zoom"),
        "at": t("picture.at", x="{x}", y="{y}"),
        "picked": t("picture.picked", at="{at}"),
        **more,
    }


def _mount(
    key: str,
    images: Sequence[np.ndarray],
    exact: bool,
    header: dict[str, Any],
    shapes: Sequence[Shape],
    param: PickParam | None,
    on_pick: Callable[[Pick], None] | None,
) -> Pick | None:
    height, width = images[0].shape[:2]
    at = last_pick(key, param, (width, height))
    files = [_file(image, exact) for image in images]
    message = pack(
        {"width": width, "height": height, "svg": fragment(shapes, width, height), "picked": at} | header,
        files,
    )
    component("picture")(data=message, key=key, on_pick_change=_take_over(key, param, on_pick))
    return at


def picture(
    image: Any,
    key: str,
    alt: str,
    *,
    overlays: Sequence[Shape] = (),
    marks: Sequence[Shape] = (),
    layer: Any = None,
    layer_opacity: float = 0.55,
    layer_label: str = "",
    pixelated: bool = False,
    grid: int | None = None,
    step: int | None = None,
    pick: bool = True,
    show_pick: bool = True,
    zoom: bool = False,
    height: int = MAX_HEIGHT,
    hint: str | None = None,
    tiles: dict[str, Any] | None = None,
    scale: tuple[Kind, Limits] | None = None,
    param: PickParam | None = None,
    on_pick: Callable[[Pick], None] | None = None,
) -> Pick | None:
    """Show a picture; the last picked pixel (x, y) comes back, None before the first pick.

    image: PIL picture or array (H, W), (H, W, 3), (H, W, 4); uint8, or floats in [0, 1].
    alt: what can be seen, for those who cannot. overlays, marks: shapes of app/figures/overlay.py in image pixels.
    layer: a second picture stretched over the first (a heat map, say), with a native slider for its opacity.
    pixelated: show pixels as squares (feature maps, masks), sent without loss.
    grid: draw lines every so many pixels; also the step of shift + arrow. step: that step without the lines.
    zoom: buttons fit, 1:1, ×2, ×4. height: most CSS pixels. hint: words under the picture, "" for none.
    tiles: how the picture divides into tiles, so that the words under it name them (`Atlas.tiles`).
    scale: the colour map and its limits, drawn under the picture with the numbers at its ends.
    param: keeps the pick in the link. on_pick: called with the pick before the rerun.
    """
    base = as_uint8(image)
    shapes: list[Shape] = [*overlays, *marks]
    if grid is not None:
        shapes.insert(0, Grid(step=grid))
    images = [base] if layer is None else [base, as_uint8(layer)]
    header: dict[str, Any] = {
        "mode": "single" if layer is None else "layer",
        "alt": alt,
        "opacity": layer_opacity,
        "pixelated": pixelated,
        "step": step or grid or 10,
        "pick": pick,
        "show_pick": show_pick,
        "zoom": zoom,
        "max_height": height,
        "words": _words(
            hint=(t("picture.hint") if pick else "") if hint is None else hint,
            mix=layer_label or t("picture.mix"),
            at_tile=t("picture.at_tile", name="{name}", x="{x}", y="{y}"),
        ),
    }
    if tiles is not None:
        header["tiles"] = tiles
    if scale is not None:
        kind, (low, high) = scale
        middle = "0" if kind == "diverging" else ""
        header["scale"] = {"css": css_gradient(kind), "ends": [short(low), middle, short(high)]}
    return _mount(key, images, pixelated, header, shapes, param, on_pick)


def before_after(
    before: Any,
    after: Any,
    key: str,
    alt: str,
    labels: tuple[str, str] | None = None,
    *,
    overlays: Sequence[Shape] = (),
    marks: Sequence[Shape] = (),
    pick: bool = True,
    show_pick: bool = True,
    step: int = 10,
    zoom: bool = True,
    pixelated: bool = False,
    height: int = MAX_HEIGHT,
    hint: str | None = None,
    param: PickParam | None = None,
    on_pick: Callable[[Pick], None] | None = None,
) -> Pick | None:
    """Two pictures under one divider: `before` on the left of it, `after` on the right.

    The pixels of picks, shapes and zoom are those of `after`; `before` is stretched over it (a smaller one shows
    larger pixels). Returns the last picked pixel (x, y) of `after`, None before the first pick. The other
    arguments are those of `picture`.
    """
    left, right = labels or (t("picture.before"), t("picture.after"))
    header: dict[str, Any] = {
        "mode": "pair",
        "alt": alt,
        "pixelated": pixelated,
        "step": step,
        "pick": pick,
        "show_pick": show_pick,
        "zoom": zoom,
        "max_height": height,
        "words": _words(
            hint=t("picture.pair_hint") if hint is None else hint,
            before=left,
            after=right,
            split=t("picture.split", before=left, after=right),
            split_value=t("picture.split_value", before=left, percent="{percent}"),
        ),
    }
    images = [as_uint8(after), as_uint8(before)]
    return _mount(key, images, True, header, [*overlays, *marks], param, on_pick)


def window_rect(pick: Pick, size: int, label: str = "", style: Style | None = None) -> Rect:
    """The whole window of `size` pixels in which a picked pixel lies."""
    x, y = (v // size * size for v in pick)
    return Rect(x=x, y=y, width=size, height=size, label=label, style=replace(style or Style()))

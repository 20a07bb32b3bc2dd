"""One number through one coupling, worked out both ways; and the coupling's Jacobian by brute force."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import realnvp as draw
from app.figures.overlay import Rect, Style
from app.figures.printed import small
from app.figures.realnvp_places import Layer, lay, nothing, pixels, state_before
from app.text import t
from app.widgets import state
from app.widgets.formula import latex_number, worked_sum
from app.widgets.guard import fragment
from app.widgets.picture import picture
from pages.realnvp_parts import coupling, view
from pages.realnvp_parts.view import Scene, layer_words, signed

PIXEL = state.Param("pixel", None, state.parse_pick, state.format_pick)
WHATS = ("y", "x", "scale", "shift")
WHAT = state.Param("what", "y", allowed=WHATS)
Place = tuple[int, int, int]


def brightest(scale: np.ndarray, table: np.ndarray) -> tuple[int, int]:
    """(x, y) of the pixel whose number is stretched or shrunk most: something to see at once."""
    size = np.where(table >= 0, np.abs(scale.ravel())[np.maximum(table, 0)], -1.0)
    row, column = np.unravel_index(int(size.argmax()), table.shape)
    return int(column), int(row)


@fragment
def numbers(scene: Scene) -> None:
    """The section: coupling, pixel, number, Jacobian."""
    st.header(t("realnvp.numbers.title"), anchor="numbers")
    st.markdown(t("realnvp.numbers.about"))
    layer = view.choose_layer(scene, "numbers")
    st.caption(layer_words(layer))
    way = scene.passage
    taps = {name: way.taps[f"coupling.{layer.index}.{name}"][0] for name in ("scale", "shift", "state")}
    before = state_before(way.taps, way.x, scene.nets.layers, layer.index)
    table = pixels(layer, view.SIDE)
    first = brightest(taps["scale"], table)
    pick = state.get(PIXEL) or first
    if not all(0 <= v < view.SIDE for v in pick) or table[pick[1], pick[0]] < 0:
        pick = first
    place = tuple(int(i) for i in np.unravel_index(table[pick[1], pick[0]], layer.shape))
    at: Place = (place[0], place[1], place[2])
    left, right = st.columns([2, 3], gap="large")
    with left:
        _seen(layer, taps["scale"], pick)
    with right:
        _number(scene, layer, before, taps, at)
    _jacobian(scene, layer, before, at)


def _seen(layer: Layer, scale: np.ndarray, pick: tuple[int, int]) -> None:
    """s at the pixels; a click picks a number."""
    laid, mask = (lay(part, layer.group, nothing(view.SIDE)) for part in (scale, layer.mask))
    picture(
        draw.parted(laid, mask, max(0.1, float(np.nanmax(np.abs(laid))))),
        "realnvp.pixel",
        t("realnvp.numbers.alt", n=layer.index + 1),
        overlays=[Rect(x=pick[0], y=pick[1], width=1, height=1, style=Style(width=2.0))],
        pixelated=True,
        show_pick=False,
        step=1,
        height=320,
        hint=t("realnvp.numbers.hint"),
        on_pick=lambda found: state.put(PIXEL, found),
    )
    st.caption(t("realnvp.numbers.picture"))


def _number(scene: Scene, layer: Layer, before: np.ndarray, taps: dict[str, np.ndarray], at: Place) -> None:
    """The picked number: y from x, x from y, s or t from the last hidden layer."""
    what = st.segmented_control(
        t("realnvp.numbers.what"),
        WHATS,
        required=True,
        format_func=lambda w: t(f"realnvp.what.{w}"),
        **state.bind(WHAT),
    ) or state.get(WHAT)
    c, i, j = at
    gamma, b = coupling.gamma(scene.nets.there.state, layer, c)
    x, s, shift, y = float(before[at]), *(float(taps[name][at]) for name in ("scale", "shift", "state"))
    stays = bool(layer.mask[at] == 1)
    st.markdown(
        t(
            "realnvp.numbers.stays" if stays else "realnvp.numbers.changes",
            c=c,
            i=i,
            j=j,
            s=signed(s, 3),
            b=signed(b, 3),
            t=signed(shift, 3),
            gamma=f"{gamma:.3f}",
            times=f"{gamma * np.exp(s):.3f}",
        )
    )
    place = f"{c},{i},{j}"
    if what == "y":
        worked_sum(
            [(r"\gamma e^{s}\,x", gamma * np.exp(s), x), (r"\gamma e^{s}\,b", gamma * np.exp(s), b)],
            shift,
            y,
            symbol=f"y_{{{place}}}",
            formula=r"y=\gamma(x+b)\,e^{s}+t",
            bias_label="t",
            slack=16.0,
        )
    elif what == "x":
        expected = float(
            state_before(scene.passage.back_taps, scene.passage.again, scene.nets.layers, layer.index)[at]
        )
        undo = float(np.exp(-s)) / gamma
        worked_sum(
            [(r"\frac{e^{-s}}{\gamma}\,y", undo, y), (r"\frac{e^{-s}}{\gamma}(-t)", undo, -shift)],
            -b,
            expected,
            symbol=f"x_{{{place}}}",
            formula=r"x=\frac{(y-t)\,e^{-s}}{\gamma}-b",
            bias_label="-b",
            slack=256.0,
        )
        st.caption(t("realnvp.numbers.undo"))
    elif stays:
        st.info(t("realnvp.numbers.none"))
    else:
        _from_net(scene, layer, before, taps, at, what)


def _from_net(
    scene: Scene, layer: Layer, before: np.ndarray, taps: dict[str, np.ndarray], at: Place, what: str
) -> None:
    """s or t from the last hidden layer of the coupling's own net, which was computed here in float64."""
    weights = scene.nets.there.state
    passed = coupling.run(weights, layer, before[None])
    terms, bias = coupling.head_terms(weights, layer, passed, at, what)
    place = ",".join(str(v) for v in at)
    if what == "shift":
        worked_sum(list(terms), bias, float(taps["shift"][at]), symbol=f"t_{{{place}}}", slack=64.0)
        return
    worked = worked_sum(list(terms), bias, symbol=f"a_{{{place}}}")
    reach = float(coupling.tensors(weights, layer.index)["reach"][0, at[0], 0, 0])
    scale = reach * float(np.tanh(worked.exact))
    st.latex(
        rf"s_{{{place}}}=r\tanh(a)={latex_number(reach)}\cdot\tanh({latex_number(worked.exact)})"
        rf"={latex_number(scale, 7)}"
    )
    st.caption(
        t(
            "realnvp.numbers.scale",
            net=f"{float(taps['scale'][at]):.7g}",
            difference=small(abs(scale - float(taps["scale"][at]))),
        )
    )


def _jacobian(scene: Scene, layer: Layer, before: np.ndarray, at: Place) -> None:
    """The triangle, and its determinant in two ways."""
    st.subheader(t("realnvp.jacobian.title"), anchor="jacobian")
    found = coupling.piece(scene.nets.there.state, layer, before, at)
    stay, size = found.stay, len(found.places)
    left, right = st.columns([2, 3], gap="large")
    with left:
        picture(
            draw.matrix(found.jacobian),
            "realnvp.jacobian",
            t("realnvp.jacobian.alt", size=size),
            pixelated=True,
            pick=False,
            show_pick=False,
            height=300,
            hint="",
            scale=("diverging", (-float(np.abs(found.jacobian).max()), float(np.abs(found.jacobian).max()))),
        )
    with right:
        st.markdown(t("realnvp.jacobian.about", size=size, stay=stay, change=size - stay))
        st.latex(
            r"J=\begin{pmatrix}\mathrm{diag}(\gamma)&0\\ "
            r"\partial y_2/\partial x_1&\mathrm{diag}(\gamma e^{s})\end{pmatrix}"
        )
        with st.container(horizontal=True, key="v-realnvp-jacobian"):
            st.metric(
                t("realnvp.jacobian.brute"),
                f"{found.log_det:.8f}",
                help=t("realnvp.jacobian.brute.help", size=size),
            )
            st.metric(
                t("realnvp.jacobian.sum"), f"{found.from_scales:.8f}", help=t("realnvp.jacobian.sum.help")
            )
        above = float(np.abs(found.jacobian[:stay, stay:]).max()) if 0 < stay < size else 0.0
        st.caption(
            t(
                "realnvp.jacobian.says",
                difference=small(abs(found.log_det - found.from_scales)),
                above=small(above),
            )
        )
        whole = float(scene.passage.taps[f"coupling.{layer.index}.log_det"][0])
        st.caption(t("realnvp.jacobian.whole", total=signed(whole, 2), numbers=int(np.prod(layer.shape))))

"""The map: every place of a code of two numbers decoded, the VAE's beside the autoencoder's, with the codes on it."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import vae as draw
from app.figures.colour import hex_of
from app.figures.graph import class_colours
from app.figures.overlay import Dot, Polygon, Shape, Style
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.picture import last_pick, picture
from app.widgets.share import take_away
from pages.vae_parts import view
from pages.vae_parts.view import Pair, Scene, signed

CELLS = 21
SHOWN = state.Param("codes", True, state.parse_flag, state.format_flag)
PLACES = {
    "digits2": state.Param("zv", None, state.parse_pick, state.format_pick),
    "ae2": state.Param("za", None, state.parse_pick, state.format_pick),
}


@st.cache_data(max_entries=8, show_spinner=False)
def _tiles(key: str, _nets: Pair, _codes: np.ndarray) -> np.ndarray:
    return view.decode(_nets, _codes)[:, 0]


def map_of(nets: Pair) -> draw.Map:
    """The square that holds nearly all held-out codes."""
    return draw.around(view.held_codes(nets).mean, CELLS)


@fragment
def plane(scene: Scene) -> None:
    """Both maps."""
    st.header(t("vae.plane.title"), anchor="map")
    st.markdown(t("vae.plane.about"))
    with st.container(horizontal=True, vertical_alignment="center", key="v-vae-plane"):
        st.toggle(t("vae.plane.codes"), **state.bind(SHOWN))
        if state.get(SHOWN):
            _classes()
    for place, name in zip(st.columns(2, gap="large"), ("digits2", "ae2"), strict=True):
        with place:
            _map(scene, view.pair(name, scene.engine))


def _classes() -> None:
    """Which colour is which digit."""
    chips = "".join(
        f'<span><i style="background:{hex_of(colour)}"></i>{digit}</span>'
        for digit, colour in enumerate(class_colours(10))
    )
    st.html(
        "<style>.vae-classes{display:flex;flex-wrap:wrap;gap:.25rem .75rem;font-size:.875rem}"
        ".vae-classes i{display:inline-block;width:.7rem;height:.7rem;border-radius:50%;margin-right:.3rem}"
        f'</style><div class="vae-classes">{chips}</div>'
    )


def _map(scene: Scene, nets: Pair) -> None:
    """One map: a click decodes the place."""
    place = map_of(nets)
    held, labels = view.held_codes(nets), view.held()[1]
    tiles = _tiles(nets.key, nets, place.codes())
    shown = state.get(SHOWN)
    image = draw.painted(tiles, place, held.mean if shown else None, labels if shown else None)
    own = view.encode(nets, scene.both)
    st.subheader(t(f"vae.net.{nets.name}"), anchor=False)
    param = PLACES[nets.name]
    if last_pick(f"vae.map.{nets.name}", param, (place.side, place.side)) is None:
        state.put(param, None)
    pick = picture(
        image,
        f"vae.map.{nets.name}",
        t("vae.plane.alt", net=t(f"vae.net.{nets.name}"), cells=CELLS),
        overlays=_ways(place, own, nets.name),
        step=draw.SIDE,
        height=560,
        hint=t("vae.plane.hint"),
        param=param,
    )
    means, spread = held.mean.mean(0), held.mean.std(0)
    st.caption(
        t(
            f"vae.plane.says.{nets.name}",
            m1=signed(float(means[0])),
            m2=signed(float(means[1])),
            s1=f"{spread[0]:.2f}",
            s2=f"{spread[1]:.2f}",
            sigma=f"{held.sigma.mean():.3f}",
        )
    )
    z = (own.mean[0] + own.mean[1]) / 2 if pick is None else place.code(*pick)
    _closer(scene, nets, z, pick is not None)
    take_away(
        f"vae.map.{nets.name}.take",
        f"vae-map-{nets.name}",
        png=lambda: image,
        tensor=np.concatenate([held.mean, labels[:, None].astype(np.float32)], axis=1),
        axes=("digit", "z1_z2_label"),
        link=False,
    )


def _ways(place: draw.Map, own: view.Code, name: str) -> list[Shape]:
    """A, B, the straight way between them and, for the VAE, the arc and the ellipses of two sigma."""
    shares = np.linspace(0, 1, 33)
    shapes: list[Shape] = []
    if name == "digits2":
        bow = place.pixel(view.arc(own.mean[0], own.mean[1], shares))
        style = Style(colour="second", width=2.0, dashed=True)
        shapes.append(Polygon(points=points_of(bow), closed=False, style=style))
    shapes.append(Polygon(points=points_of(place.pixel(own.mean)), closed=False, style=Style(width=2.5)))
    for i, word in enumerate("AB"):
        if name == "digits2":
            line = place.pixel(draw.ellipse(own.mean[i], own.sigma[i]))
            shapes.append(Polygon(points=points_of(line), style=Style(colour="plain", width=1.5)))
        x, y = place.pixel(own.mean[i])
        shapes.append(Dot(x=float(x), y=float(y), radius=6.0, label=word, style=Style(width=3.0)))
    return shapes


def points_of(line: np.ndarray) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in line)


def _closer(scene: Scene, nets: Pair, z: np.ndarray, picked: bool) -> None:
    """The decoded place beside its numbers."""
    one = view.decode(nets, z[None])
    left, right = st.columns([1, 2], vertical_alignment="center")
    with left:
        picture(
            draw.frames(one)[0],
            f"vae.map.{nets.name}.one",
            t("vae.plane.one.alt"),
            pixelated=True,
            pick=False,
            show_pick=False,
            height=140,
            hint="",
        )
    held, labels = view.held_codes(nets).mean, view.held()[1]
    near = np.argsort(((held - z) ** 2).sum(1))[:10]
    digits = " ".join(str(d) for d in labels[near].tolist())
    with right:
        st.markdown(
            t(
                "vae.plane.one" if picked else "vae.plane.middle",
                z1=signed(float(z[0])),
                z2=signed(float(z[1])),
                judge=view.verdict(view.read(scene.judge, one)[0]),
                digits=digits,
            )
        )

"""Take away: the link, the film (GIF, WebP), the sheet of the path (PNG), its numbers (NPZ)."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import streamlit as st

from app.engine.diffuse import Path, Request
from app.engine.film import MIME, film, frames_of
from app.figures import ddpm as draw
from app.text import t
from app.widgets.share import as_png, copy_link, file_stem
from pages.ddpm_parts.view import Scene


def stem_of(scene: Scene) -> str:
    """A name that says how to draw the same again."""
    request = scene.request
    labels = "-".join(str(label) for label in request.labels)
    return file_stem(f"ddpm-{scene.model.weights.id}-c{labels}-seed{request.seed}-{request.steps}steps")


def as_npz(path: Path, request: Request) -> bytes:
    """The whole path without pickle: x (S + 1, N, C, H, W), x0 and epsilon (S, …), step, t, alpha_bar; and what was
    asked for. t counts from 0 as the net's input does."""
    out = io.BytesIO()
    np.savez_compressed(
        out,
        x=path.x,
        x0=path.x0,
        epsilon=path.epsilon,
        step=path.step,
        t=path.t,
        alpha_bar=path.alpha_bar,
        labels=np.array(request.labels),
        seed=np.array(request.seed),
        steps=np.array(request.steps),
        eta=np.array(request.eta),
        guidance=np.array(request.guidance),
        sampler=np.array(request.sampler, np.str_),
    )
    return out.getvalue()


def take_away(scene: Scene) -> None:
    """A row of buttons; every file is made when its button is pressed."""
    st.header(t("ddpm.take"), anchor=False)
    st.markdown(t("ddpm.take.about"))
    path, request, stem = scene.path, scene.request, stem_of(scene)
    with st.container(horizontal=True, vertical_alignment="center", key="v-take-ddpm"):
        copy_link("ddpm.take.link")
        for name in ("GIF", "WEBP"):
            _button(name, t("ddpm.take.film"), _film(path, name), f"{stem}.{name.lower()}", MIME[name])
        _button(
            "PNG",
            t("ddpm.take.sheet"),
            lambda: as_png(draw.sheet(path.x, path.x0)),
            f"{stem}.png",
            "image/png",
        )
        _button(
            "NPZ", t("ddpm.take.numbers"), lambda: as_npz(path, request), f"{stem}.npz", "application/zip"
        )


def _film(path: Path, name: str) -> Callable[[], bytes]:
    return lambda: film(frames_of(path, show=("x", "x0")), name, seconds=4.0)


def _button(label: str, help_: str, data: Callable[[], bytes], file: str, mime: str) -> None:
    st.download_button(
        label,
        data,
        file,
        mime,
        key=f"ddpm.take.{label}",
        help=help_,
        on_click="ignore",
        icon=":material/download:",
        width="content",
    )

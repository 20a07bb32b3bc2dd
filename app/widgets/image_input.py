"""A picture to work on: a sample one click away, or one's own by upload, clipboard or camera.

There is always a picture: the first sample at the start, and whatever was there before when a new one is refused.
The link carries a sample's id, or the beginning of the hash of a picture of one's own; such a picture never
travels, so the page asks for the file and takes it when the hash is the same.
"""

from __future__ import annotations

import base64
import binascii
import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from app.assets.samples import Sample
from app.images import STRIP_NOTE, BadImage, Picture, decode, resize
from app.settings import settings
from app.text import t
from app.widgets import state
from app.widgets.packing import encode, pack
from app.widgets.picture import component
from app.widgets.pictures import SHELF, Brought

__all__ = ["Sample", "Source", "image_input"]

SHA = 16  # hexadecimal digits of the hash in a link
PASTE_MB = 15.0  # a pasted picture comes as text through the socket, whose messages are limited
THUMB = (176, 132)  # pixels: twice the size shown


@dataclass(frozen=True, eq=False)
class Source:
    """The current picture. sample_id: None for a picture of one's own. sha: SHA-256 of the file."""

    picture: Picture
    name: str
    sample_id: str | None
    sha: str


def parse_sha(raw: str) -> str:
    """The beginning of a hash: SHA hexadecimal digits, or nothing. Raises ValueError."""
    if raw and (len(raw) != SHA or not set(raw) <= set(string.hexdigits)):
        raise ValueError(raw)
    return raw.lower()


def own_param(slot: str = "") -> state.Param[str]:
    """The hash of a picture of one's own in the link."""
    return state.Param(f"sha{slot}", "", parse=parse_sha)


def sample_param(samples: Sequence[Sample], slot: str = "") -> state.Param[str]:
    return state.Param(f"sample{slot}", samples[0].id, allowed=tuple(sample.id for sample in samples))


def image_input(
    key: str,
    samples: Sequence[Sample],
    *,
    camera: bool = True,
    slot: str = "",
    strips: bool = False,
    keeps_alpha: bool = False,
) -> Source:
    """Show the ways in and return the current picture.

    samples: at least one; the first is there before the visitor does anything. slot: tells the choices of two inputs
    of one page apart in the link. strips: say what upscaling and a classifier make of a very long strip, where the
    page is one of them; others frame the ink or cut a square themselves. keeps_alpha: the page gives transparency back,
    or says itself what it lays the picture on; others lay it on white, which is said of one's own. Raises ValueError
    without a sample.
    """
    if not samples:
        raise ValueError("image_input needs a sample: a page shows a result before it is touched")
    chosen, own = sample_param(samples, slot), own_param(slot)
    sample_id, wanted = state.get(chosen), state.get(own)
    brought = SHELF.get(state.user_token(), wanted)
    _gallery(key, samples, chosen, own, None if brought else sample_id)
    _ways_in(key, camera, own)
    _say(key, own, brought)
    if brought is not None:
        source = Source(brought.picture, brought.name, None, brought.picture.sha)
    else:
        sample = next(s for s in samples if s.id == sample_id)
        picture = sample_picture(sample.path)
        st.caption(f"{t(sample.alt)} · {t('input.credit', credit=state.plain(sample.credit))}")
        source = Source(picture, sample.path.name, sample.id, picture.sha)
    for note in source.picture.notes:
        if strips or note != STRIP_NOTE:
            st.caption(t(note))
    if brought is not None and brought.picture.alpha is not None and not keeps_alpha:
        st.caption(t("input.transparent"))
    return source


@lru_cache(maxsize=32)
def sample_picture(path: Path) -> Picture:
    """A sample, decoded once a process (its arrays are read-only)."""
    return decode(path.read_bytes(), path.name)


# -- samples ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _thumbnail(path: Path) -> Any:
    """A small picture of a sample, cut to the shape of THUMB."""
    rgb = sample_picture(path).flattened()
    height, width = rgb.shape[:2]
    scale = max(THUMB[0] / width, THUMB[1] / height)
    size = max(THUMB[0], round(width * scale)), max(THUMB[1], round(height * scale))
    small = np.asarray(resize(rgb, size, "lanczos"))
    top, left = (small.shape[0] - THUMB[1]) // 2, (small.shape[1] - THUMB[0]) // 2
    cut = small[top : top + THUMB[1], left : left + THUMB[0]]
    return encode(cut)


def _gallery(
    key: str,
    samples: Sequence[Sample],
    chosen: state.Param[str],
    own: state.Param[str],
    current: str | None,
) -> None:
    """The samples as a row of pictures to press."""
    name = f"{key}.samples"

    def take_over() -> None:
        picked = getattr(st.session_state.get(name), "sample", None)
        if picked in {sample.id for sample in samples}:
            state.put(chosen, picked)
            state.forget(own)
            forget_answer(key)

    header = {
        "label": t("input.samples"),
        "current": current,
        "items": [
            {"id": s.id, "alt": t(s.alt), "title": t("input.credit", credit=s.credit)} for s in samples
        ],
    }
    component("gallery")(
        data=pack(header, [_thumbnail(s.path) for s in samples]), key=name, on_sample_change=take_over
    )


# -- one's own --------------------------------------------------------------------------------------------------


def _ways_in(key: str, camera: bool, own: state.Param[str]) -> None:
    """Upload, paste and camera."""
    limit = settings().max_upload_mb
    round_ = st.session_state.setdefault(
        f"{key}.round", 0
    )  # a new key empties the uploader: its copy is let go
    upload, snap, paste = f"{key}.upload.{round_}", f"{key}.snap.{round_}", f"{key}.paste"

    def uploaded(widget: str) -> None:
        file = st.session_state.get(widget)
        if file is not None:
            _take(key, own, file.getvalue(), file.name)

    def pasted() -> None:
        message = getattr(st.session_state.get(paste), "pasted", None)
        if isinstance(message, dict):
            _take_pasted(key, own, message)

    with st.container(key=f"v-ways-{key}"):
        uploader_words()
        st.file_uploader(
            t("input.upload"),
            key=upload,
            on_change=uploaded,
            args=(upload,),
            # twice our limit, so that what is a little too large gets our sentence and not Streamlit's English one
            max_upload_size=max(1, round(2 * limit)),
            help=t("input.upload.help", limit=f"{limit:g}"),
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            component("paste")(
                data={
                    "label": t("input.paste"),
                    "hint": t("input.paste.hint"),
                    "none": t("input.paste.none"),
                    "large": t("input.paste.large", limit=f"{PASTE_MB:g}"),
                    "limit": min(PASTE_MB, limit) * 1e6,
                },
                key=paste,
                width="content",
                on_pasted_change=pasted,
            )
            wants_camera = camera and st.toggle(
                t("input.camera"), key=f"{key}.camera", help=t("input.camera.help")
            )
        if wants_camera:
            st.camera_input(t("input.camera.label"), key=snap, on_change=uploaded, args=(snap,))


def uploader_words() -> None:
    """Streamlit's own words on the uploader are English only: the catalogue's stand in for them."""
    words = {"button": t("input.upload.button"), "drop": t("input.upload.drop")}
    css = {name: "".join(c for c in word if c not in '"\\<>{}') for name, word in words.items()}
    st.html(
        "<style>"
        '[data-testid="stFileUploaderDropzone"] button [data-testid="stMarkdownContainer"] p { font-size: 0; }'
        '[data-testid="stFileUploaderDropzone"] button [data-testid="stMarkdownContainer"] p::after'
        f' {{ content: "{escape(css["button"], quote=False)}"; font-size: 1rem; }}'
        '[data-testid="stFileUploaderDropzoneInstructions"] > * { display: none; }'
        '[data-testid="stFileUploaderDropzoneInstructions"]::after'
        f' {{ content: "{escape(css["drop"], quote=False)}"; }}'
        "</style>"
    )


def _take_pasted(key: str, own: state.Param[str], message: dict[str, Any]) -> None:
    """A message of the paste component: a file in base64."""
    text = message.get("data")
    if not isinstance(text, str) or len(text) > PASTE_MB * 1.4e6:
        return
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return
    _take(key, own, data, t("input.paste.name"))


def _take(key: str, own: state.Param[str], data: bytes, name: str) -> None:
    """Take a file over as the current picture, or keep the old one and say why."""
    st.session_state[f"{key}.round"] = st.session_state.get(f"{key}.round", 0) + 1
    st.session_state[f"{key}.camera"] = False
    forget_answer(key)
    try:
        picture = decode(data, name)
    except BadImage as error:
        answer(key, "error", t(error.reason, **error.details))
        return
    asked = state.get(own)
    if asked and SHELF.get(state.user_token(), asked) is None and not picture.sha.startswith(asked):
        answer(key, "warning", t("input.link.other", name=state.plain(name)))
    SHELF.put(state.user_token(), Brought(picture, name))
    state.put(own, picture.sha[:SHA])


# -- what is said -----------------------------------------------------------------------------------------------


def answer(key: str, kind: str, words: str) -> None:
    """Keep what is said of the last file, an "error" or a "warning", until the next one comes."""
    st.session_state[f"{key}.message"] = (kind, words)


def forget_answer(key: str) -> None:
    st.session_state.pop(f"{key}.message", None)


def show_answer(key: str, icon: str) -> None:
    message = st.session_state.get(f"{key}.message")
    if message is not None:
        kind, words = message
        (st.error if kind == "error" else st.warning)(words, icon=icon)


def _say(key: str, own: state.Param[str], brought: Brought | None) -> None:
    """The answer to the last file, and the question for a link's picture."""
    show_answer(key, ":material/image_not_supported:")
    wanted = state.get(own)
    if brought is not None:
        st.caption(
            t(
                "input.current",
                name=state.plain(brought.name),
                width=brought.picture.width,
                height=brought.picture.height,
            )
        )
    elif wanted:
        st.info(t("input.link.ask", sha=wanted), icon=":material/link:")
        st.button(t("input.link.without"), key=f"{key}.without", on_click=state.forget, args=(own,))

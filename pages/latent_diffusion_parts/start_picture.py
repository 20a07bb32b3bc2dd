"""The picture that img2img and the image VAE begin with: a sample or one's own, as the encoder reads it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.assets.samples import EMOJI, PHOTOS
from app.engine.classify import framed
from app.engine.paint import Studio, encode
from app.text import t
from app.widgets.image_input import image_input
from app.widgets.packing import content_id
from pages.latent_diffusion_parts.run import key_of

SAMPLES = (*EMOJI, *(photo for photo in PHOTOS if photo.id in ("chelsea", "coffee", "flower")))


@dataclass(frozen=True, eq=False)
class Given:
    """rgb: uint8 (S, S, 3). x: the same as the encoder reads it, float32 (1, 3, S, S) in [-1, 1]."""

    rgb: np.ndarray
    name: str

    @property
    def stem(self) -> str:
        """Its name without the kind of file."""
        return self.name.rsplit(".", 1)[0]

    @property
    def x(self) -> np.ndarray:
        return (self.rgb.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)[None]


def given(studio: Studio) -> Given:
    """The ways in; the picture comes back on white, its middle square, in the model's size."""
    source = image_input("latent_diffusion.start", SAMPLES, slot="_in")
    rgb = framed(source.picture.flattened(), {"size": studio.side, "resize": studio.side})
    st.caption(t("latent_diffusion.picture.framed", side=studio.side))
    return Given(rgb, source.name)


@st.cache_data(max_entries=24, show_spinner=False)
def _codes(key: str, name: str, _studio: Studio, _x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return encode(_studio, _x)


def codes(studio: Studio, picture: Given) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of the picture's scaled latents, (1, C, h, w) each."""
    return _codes(key_of(studio), content_id(picture.rgb), studio, picture.x)

"""The nets, and finished paths: from the shelf, at once where it is quick, else with a progress bar."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import streamlit as st

from app.engine import Cancel
from app.engine.base import finish
from app.engine.diffuse import Path, Progress
from app.engine.paint import Request, Studio, attention_maps, decode, load_studio, paint
from app.text import t
from app.widgets import state
from app.widgets.packing import content_id
from app.widgets.progress import job
from app.widgets.results import Results
from pages.latent_diffusion_parts.view import Scene

WEIGHTS = "emoji"
AT_ONCE = 1.2  # seconds of work that a visitor waits for without a progress bar
GUESS = 0.004  # seconds a sample and step before anything was measured
SHELF: Results[Path] = Results()


def studio_of(engine: str) -> Studio:
    """The nets on an engine. Raises EngineError where they are not here."""
    return load_studio(WEIGHTS, engine)


def key_of(studio: Studio) -> str:
    """Names the nets in caches."""
    return "|".join(model.key for model in (studio.unet, studio.text, studio.encoder, studio.decoder))


def name_of(studio: Studio, request: Request) -> str:
    """Names what a request makes of these weights; a path depends on nothing else, so visitors may share it."""
    picture = "" if request.picture is None else content_id(request.picture)
    said = repr((key_of(studio), replace(request, picture=None, start=None), picture))
    return hashlib.blake2b(said.encode(), digest_size=12).hexdigest()


def seconds_for(studio: Studio, request: Request) -> float:
    """How long a run will take, from the last one measured."""
    rate = float(studio.unet.notes.get("seconds_per_sample_step", GUESS))
    return rate * len(request.texts) * (1 if request.guidance in (0, 1) else 2) * request.steps


def path_now(studio: Studio, request: Request) -> Path:
    """The path of a request from the shelf, or made while the visitor waits."""
    name = name_of(studio, request)
    path = SHELF.get(name)
    if path is None:
        path = finish(paint(studio, request))
        SHELF.put(name, path)
    return path


def run_path(key: str, studio: Studio, request: Request) -> Path | None:
    """The path of a request; None while a longer one is worked on, and where it was stopped. key: of the job."""
    name = name_of(studio, request)
    if SHELF.get(name) is not None or seconds_for(studio, request) <= AT_ONCE:
        with st.spinner(t("latent_diffusion.running"), show_time=False):
            return path_now(studio, request)

    def start(cancel: Cancel) -> Iterator[Progress]:
        for item in paint(studio, request, cancel):
            if item.result is not None:
                SHELF.put(name, item.result)
            yield item

    outcome = job(
        key, name, start, text=lambda item: t("latent_diffusion.progress", done=item.done, total=item.total)
    )
    found: Path | None = outcome.result
    return found


def sampled(studio: Studio, request: Request) -> Scene | None:
    """The scene of a request. While a longer one is worked on, and where it was stopped, the one before stays."""
    path = run_path("latent_diffusion.sample", studio, request)
    if path is not None:
        st.session_state["latent_diffusion.last"] = (studio, request)
        return Scene(studio, request, path, name_of(studio, request))
    before = st.session_state.get("latent_diffusion.last")
    if before is None:
        return None
    old, asked = before
    kept = SHELF.get(name_of(old, asked))
    if kept is None:
        return None
    st.caption(
        t("latent_diffusion.before", text=state.plain(asked.texts[0]), seed=asked.seed, steps=asked.steps)
    )
    return Scene(old, asked, kept, name_of(old, asked))


# ---------------------------------------------------------------- pixels and maps of a path


@st.cache_data(max_entries=24, show_spinner=False)
def _pixels(key: str, name: str, _studio: Studio, _latents: np.ndarray) -> np.ndarray:
    return decode(_studio, _latents)


def pixels(studio: Studio, latents: np.ndarray) -> np.ndarray:
    """Scaled latents (..., C, h, w) as pictures (..., 3, H, W) in [-1, 1], kept for a while."""
    latents = np.ascontiguousarray(latents, np.float32)
    return _pixels(key_of(studio), content_id(latents), studio, latents)


def clean(path: Path, frames: np.ndarray) -> np.ndarray:
    """(F + 1, N, C, h, w): the latents that are expected at each moment, then the finished ones."""
    return np.concatenate([path.x0[frames], path.x[-1:]])


@st.cache_data(max_entries=24, show_spinner=False)
def _maps(name: str, sample: int, _scene: Scene) -> np.ndarray:
    path, frames = _scene.path, _scene.frames
    x = path.x[frames, sample]
    found = attention_maps(_scene.studio, _scene.condition(), x, [int(path.t[f]) for f in frames])
    return np.concatenate([found, found[-1:]])  # the finished picture has no evaluation of its own


def word_maps(scene: Scene) -> np.ndarray:
    """(F + 1, h, w, tokens): how much each place of the looked-at sample listens to each token, at every moment."""
    return _maps(scene.id, scene.sample, scene)

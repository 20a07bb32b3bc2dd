"""Pictures from nothing: random codes decoded by the VAE, whose KL term prepared for them, and by the autoencoder."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import vae as draw
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.picture import picture
from app.widgets.share import take_away
from models.generative.schedule import noise
from pages.vae_parts import view
from pages.vae_parts.view import Pair, Scene

COUNT = 32
COLUMNS = 8
MEASURED = 400  # codes behind the shares
MEASURED_SEED = 1_000_005
SEED = state.Param("seed", 1, state.parse_whole(0, view.LARGEST_SEED), str)


def normal(seed: int, count: int, size: int) -> np.ndarray:
    """(count, size) float32 standard normal; row i depends on seed and i alone."""
    return np.stack([noise(seed, i, (size,)) for i in range(count)]).astype(np.float32)


def fitted(nets: Pair, z: np.ndarray) -> np.ndarray:
    """Standard normal codes (N, d) turned into those of a normal with the mean and covariance of held-out codes."""
    codes = view.held_codes(nets).mean.astype(np.float64)
    factor = np.linalg.cholesky(np.cov(codes.T) + 1e-9 * np.eye(codes.shape[1]))
    return (codes.mean(0) + z @ factor.T).astype(np.float32)


@st.cache_data(max_entries=16, show_spinner=False)
def _shares(key: str, _scene: Scene) -> dict[str, float]:
    z = normal(MEASURED_SEED, MEASURED, _scene.vae.latent)
    kinds = {
        "vae": view.decode(_scene.vae, z),
        "ae": view.decode(_scene.ae, z),
        "fitted": view.decode(_scene.ae, fitted(_scene.ae, z)),
    }
    return {
        name: float((view.read(_scene.judge, pictures).max(1) >= view.SURE).mean())
        for name, pictures in kinds.items()
    }


@fragment
def prior(scene: Scene) -> None:
    """The section."""
    st.header(t("vae.prior.title"), anchor="prior")
    st.markdown(t("vae.prior.about"))
    with st.container(horizontal=True, vertical_alignment="bottom", key="v-vae-seed"):
        st.number_input(t("vae.prior.seed"), 0, view.LARGEST_SEED, step=1, width=180, **state.bind(SEED))
        st.button(
            t("vae.prior.next"),
            on_click=lambda: state.put(SEED, (state.get(SEED) + 1) % (view.LARGEST_SEED + 1)),
            icon=":material/casino:",
        )
    z = normal(state.get(SEED), COUNT, scene.vae.latent)
    shares = _shares(f"{scene.vae.key}|{scene.ae.key}|{scene.judge.key}", scene)
    codes = {"vae": (scene.vae, z), "ae": (scene.ae, z), "fitted": (scene.ae, fitted(scene.ae, z))}
    sheets = {}
    for place, (name, (nets, latents)) in zip(st.columns(3, gap="medium"), codes.items(), strict=True):
        sheets[name] = draw.sheet(view.decode(nets, latents)[:, 0], COLUMNS).image
        with place:
            st.markdown(t(f"vae.prior.{name}"))
            picture(
                sheets[name],
                f"vae.prior.{name}",
                t("vae.prior.alt", count=COUNT, kind=t(f"vae.prior.{name}.short")),
                pixelated=True,
                pick=False,
                show_pick=False,
                height=280,
                hint="",
            )
            st.caption(t("vae.prior.sure", share=percent(shares[name]), count=MEASURED))
    says = "vae.prior.two" if scene.vae.latent == 2 else "vae.prior.says"
    st.markdown(t(says, **{name: percent(share) for name, share in shares.items()}))
    take_away(
        "vae.prior.take",
        f"vae-prior-{scene.vae.name}-{state.get(SEED)}",
        png=lambda: np.concatenate(list(sheets.values()), axis=1).repeat(3, axis=0).repeat(3, axis=1),
        tensor=z,
        axes=("sample", "latent"),
        link=False,
    )

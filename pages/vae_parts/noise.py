"""The noise of the code: z = mu + sigma * epsilon for one picture, stretched; VAE beside autoencoder (E12)."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import vae as draw
from app.figures.charts import responsive
from app.figures.plots import Line, lines
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.scrubber import Strip, scrubber
from models.generative import elbo
from models.generative.schedule import noise
from pages.vae_parts import view
from pages.vae_parts.view import Scene

DRAWS = 16  # samples of epsilon
STRETCH = np.round(np.arange(0, 6.01, 0.2), 1)  # times the sigma that the encoder gave
USUAL = int(np.flatnonzero(STRETCH == 1.0)[0])
EPSILON = 90_001  # seed
STEP = state.Param("stretch", USUAL, state.parse_whole(0, len(STRETCH) - 1), str)
LOGVAR = np.linspace(-8, 4, 97)


def epsilon(latent: int) -> np.ndarray:
    """(DRAWS, latent) float32, always the same."""
    return np.stack([noise(EPSILON, i, (latent,)) for i in range(DRAWS)]).astype(np.float32)


def clouds(scene: Scene) -> dict[str, np.ndarray]:
    """Decoded samples at every stretch, (len(STRETCH), DRAWS, 1, 28, 28) for the VAE and for the autoencoder.

    The autoencoder has no sigma of its own. It is given the VAE's as a share of the spread of the codes: the same
    noise, in the units of its own map.
    """
    code, plain = view.encode(scene.vae, scene.one), view.encode(scene.ae, scene.one)
    share = float(code.sigma.mean()) / float(view.held_codes(scene.vae).mean.std())
    sigmas = {
        "vae": (scene.vae, code.mean[0], code.sigma[0]),
        "ae": (scene.ae, plain.mean[0], np.full_like(plain.mean[0], share * spread_of(scene))),
    }
    found = {}
    for name, (nets, mean, sigma) in sigmas.items():
        e = epsilon(nets.latent)
        z = mean + STRETCH[:, None, None] * sigma * e
        pictures = view.decode(nets, z.reshape(-1, nets.latent))
        found[name] = pictures.reshape(len(STRETCH), DRAWS, 1, draw.SIDE, draw.SIDE)
    return found


def spread_of(scene: Scene) -> float:
    """Standard deviation of the autoencoder's codes of held-out digits, over all of its numbers."""
    return float(view.held_codes(scene.ae).mean.std())


def kept(scene: Scene, pictures: np.ndarray) -> list[int]:
    """How many of the samples at each stretch the judge reads as it reads the one without noise."""
    flat = pictures.reshape(-1, 1, draw.SIDE, draw.SIDE)
    digits = view.read(scene.judge, flat).argmax(1).reshape(len(STRETCH), DRAWS)
    return [int(n) for n in (digits == digits[0, 0]).sum(1)]


@fragment
def cloud(scene: Scene) -> None:
    """The section."""
    st.header(t("vae.noise.title"), anchor="noise")
    st.markdown(t("vae.noise.about"))
    view.choose_one(scene, "noise")
    found = clouds(scene)
    count = {name: kept(scene, pictures) for name, pictures in found.items()}
    left, right = st.columns([3, 2], gap="large")
    with left:
        scrub = scrubber(
            [Strip(name, t(f"vae.noise.{name}"), draw_samples(pictures)) for name, pictures in found.items()],
            "vae.noise",
            readouts={
                t("vae.noise.kept", net=t(f"vae.{name}.short")): [f"{n} / {DRAWS}" for n in count[name]]
                for name in found
            },
            positions=[t("vae.noise.at", times=f"{s:g}") for s in STRETCH],
            alt=t("vae.noise.alt", count=DRAWS),
            start=USUAL,
            report=True,
            marks={0: "σ = 0", USUAL: t("vae.noise.usual")},
            height=260,
            param=STEP,
        )
        st.caption(t("vae.noise.units"))
    with right:
        stretch = float(STRETCH[scrub.step])
        code = view.encode(scene.vae, scene.one)
        sigma = code.sigma[0]
        shown = int(sigma.argmin())
        st.latex(
            rf"z_{{{shown + 1}}}=\mu+{stretch:g}\,\sigma\epsilon="
            rf"{code.mean[0, shown]:.3f}+{stretch:g}\cdot{sigma[shown]:.3f}\,\epsilon"
        )
        drawing(
            responsive(lambda width: kl_chart(code, stretch, width), wide=460),
            "vae.noise.kl",
        )
        with np.errstate(divide="ignore"):
            stretched = float(elbo.kl(code.mean, code.logvar + 2 * np.log(max(stretch, 1e-4))).sum())
        st.markdown(
            t(
                "vae.noise.says",
                usual=f"{float(elbo.kl(code.mean, code.logvar).sum()):.1f}",
                now=f"{stretched:.1f}",
                times=f"{stretch:g}",
            )
        )


def draw_samples(pictures: np.ndarray) -> np.ndarray:
    """(S, N, 1, H, W) in [0, 1] to the scrubber's uint8 (S, N, H, W, 1)."""
    return (np.clip(pictures, 0, 1) * 255 + 0.5).astype(np.uint8).transpose(0, 1, 3, 4, 2)


def kl_chart(code: view.Code, stretch: float, width: int) -> str:
    """KL of one number against its log variance, mean 0; the picture's middle log variance is marked, stretched."""
    flat = np.zeros_like(LOGVAR)

    def within(values: np.ndarray) -> np.ndarray:
        return np.where((values >= -1) & (values <= 6), values, np.nan)

    series = [
        Line(t("vae.noise.kl.line"), LOGVAR, within(elbo.kl(flat, LOGVAR)), "accent"),
        Line("−½ log σ²", LOGVAR, within(-0.5 * LOGVAR), "faint", True),
        Line("½ σ²", LOGVAR, within(0.5 * np.exp(LOGVAR)), "second", True),
    ]
    middle = float(np.median(code.logvar)) + 2 * np.log(max(stretch, 1e-3))
    return lines(
        series,
        title=t("vae.noise.kl.title"),
        x_label="log σ²",
        y_label="KL",
        y_range=(-1.0, 6.0),
        marked=middle,
        width=width,
        height=230,
    )

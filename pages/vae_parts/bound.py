"""The bound in numbers for one picture: KL in closed form and by drawing, reconstruction, ELBO, tighter bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.figures.charts import bars, responsive
from app.figures.plots import Line, lines
from app.text import t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.packing import content_id
from app.widgets.share import take_away
from models.generative import elbo
from models.generative.schedule import noise
from pages.vae_parts import view
from pages.vae_parts.view import Code, Scene, signed

DRAWS = 512  # samples of z
SEED = 90_002
POWERS = tuple(range(10))  # K = 2 ** power
POWER = state.Param("k", 6, state.parse_whole(0, POWERS[-1]), str)


@dataclass(frozen=True, eq=False)
class Bound:
    """One picture's code and DRAWS samples of it.

    reconstruction, log_q, log_p (DRAWS,): log p(x|z), log q(z|x), log p(z) in nats. kl (d,): closed form.
    """

    code: Code
    kl: np.ndarray
    reconstruction: np.ndarray
    log_q: np.ndarray
    log_p: np.ndarray

    @property
    def weights(self) -> np.ndarray:
        return self.reconstruction + self.log_p - self.log_q

    @property
    def elbo(self) -> float:
        """Reconstruction averaged over the samples, minus KL in closed form."""
        return float(self.reconstruction.mean() - self.kl.sum())

    def sampled_kl(self, count: int) -> tuple[float, float]:
        """KL as the mean of log q - log p over the first samples, and its standard error."""
        difference = (self.log_q - self.log_p)[:count]
        error = float(difference.std(ddof=1) / np.sqrt(count)) if count > 1 else float("nan")
        return float(difference.mean()), error

    def importance(self, count: int) -> float:
        """log of the mean of `count` weights, averaged over as many groups as there are."""
        groups = self.weights[: DRAWS // count * count].reshape(-1, count)
        return float(elbo.importance_bound(groups.T).mean())


@st.cache_data(max_entries=32, show_spinner=False)
def _bound(key: str, name: str, _scene: Scene, _x: np.ndarray) -> Bound:
    code = view.encode(_scene.vae, _x)
    mean, logvar = code.mean[0].astype(np.float64), code.logvar[0].astype(np.float64)
    epsilon = np.stack([noise(SEED, i, mean.shape) for i in range(DRAWS)]).astype(np.float64)
    z = elbo.reparameterise(mean, logvar, epsilon)
    made = view.logits(_scene.vae, z).astype(np.float64)
    return Bound(
        code,
        elbo.kl(mean, logvar),
        elbo.log_bernoulli(made, np.repeat(_x, DRAWS, axis=0)),
        elbo.log_normal(z, mean, logvar),
        elbo.log_normal(z),
    )


def bound_of(scene: Scene) -> Bound:
    """The numbers of the chosen picture."""
    return _bound(scene.vae.key, content_id(scene.one), scene, scene.one)


@fragment
def numbers(scene: Scene) -> None:
    """The section."""
    st.header(t("vae.bound.title"), anchor="bound")
    st.markdown(t("vae.bound.about"))
    st.latex(view.CARD.formula)
    view.choose_one(scene, "bound")
    found = bound_of(scene)
    power = state.get(POWER)
    count = 2**power
    with st.container(horizontal=True, key="v-vae-bound"):
        names = ("reconstruction", "kl", "elbo", "importance")
        values = (found.reconstruction.mean(), found.kl.sum(), found.elbo, found.importance(count))
        for name, value in zip(names, values, strict=True):
            st.metric(
                t(f"vae.bound.{name}", count=count),
                signed(float(value), 1),
                help=t(f"vae.bound.{name}.help", draws=DRAWS),
            )
    st.select_slider(
        t("vae.bound.k"),
        POWERS,
        format_func=lambda p: f"{2**p}",
        help=t("vae.bound.k.help"),
        **state.bind(POWER),
    )
    left, right = st.columns(2, gap="large")
    with left:
        _kl(found, count)
    with right:
        _tighter(found, power)
    _worked(found)
    take_away(
        "vae.bound.take",
        f"vae-bound-{scene.vae.name}",
        tensor=np.stack([found.reconstruction, found.log_q, found.log_p], axis=1),
        axes=("sample", "reconstruction_logq_logp"),
        link=False,
    )


def _kl(found: Bound, count: int) -> None:
    """KL of each number of the code, and of all of them by drawing."""
    order = np.argsort(-found.kl)
    drawing(
        responsive(
            lambda width: bars(
                found.kl[order],
                [f"z{i + 1}" for i in order],
                title=t("vae.bound.kl.chart"),
                width=width,
                texts=[f"{v:.2f}" for v in found.kl[order]],
            ),
            wide=460,
        ),
        "vae.bound.kl",
    )
    sampled, error = found.sampled_kl(count)
    exact = float(found.kl.sum())
    st.markdown(
        t("vae.bound.kl.one", exact=f"{exact:.3f}", sampled=f"{sampled:.3f}")
        if count == 1
        else t(
            "vae.bound.kl.says",
            exact=f"{exact:.3f}",
            sampled=f"{sampled:.3f}",
            error=f"{error:.3f}",
            off=f"{abs(sampled - exact) / error:.1f}" if error else "0",
            count=count,
        )
    )


def _tighter(found: Bound, power: int) -> None:
    """The importance-weighted bound as K grows."""
    bounds = [found.importance(2**p) for p in POWERS]
    series = [
        Line(t("vae.bound.iw"), POWERS, bounds, "accent"),
        Line(t("vae.bound.elbo.line"), (POWERS[0], POWERS[-1]), (found.elbo, found.elbo), "second", True),
    ]
    drawing(
        responsive(
            lambda width: lines(
                series,
                title=t("vae.bound.iw.chart"),
                x_label=t("vae.bound.iw.x"),
                y_label=t("vae.bound.nats"),
                marked=float(power),
                width=width,
            ),
            wide=460,
        ),
        "vae.bound.iw",
    )
    st.markdown(
        t(
            "vae.bound.iw.says",
            elbo=signed(found.elbo, 1),
            best=signed(bounds[-1], 1),
            gain=f"{round(bounds[-1], 1) - round(found.elbo, 1):.1f}",
            most=2 ** POWERS[-1],
        )
    )


def _worked(found: Bound) -> None:
    """The number with the largest KL written out."""
    with st.expander(t("vae.bound.worked")):
        i = int(found.kl.argmax())
        mean, logvar = float(found.code.mean[0, i]), float(found.code.logvar[0, i])
        st.markdown(t("vae.bound.worked.about", i=i + 1, mean=signed(mean, 4), logvar=signed(logvar, 4)))
        worked_sum(
            [
                (r"\mu^2/2", 0.5, mean**2),
                (r"\sigma^2/2", 0.5, float(np.exp(logvar))),
                (r"-\log\sigma^2/2", -0.5, logvar),
            ],
            -0.5,
            float(found.kl[i]),
            symbol=rf"\mathrm{{KL}}_{{{i + 1}}}",
            formula=r"\mathrm{KL}_i=\tfrac12\left(\mu_i^2+\sigma_i^2-1-\log\sigma_i^2\right)",
            bias_label=r"-1/2",
        )

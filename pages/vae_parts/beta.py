"""Beta, the weight of the KL term: what four trainings made of it, in numbers and on the two pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from app.figures import vae as draw
from app.figures.charts import responsive
from app.figures.plots import Line, lines
from app.text import t
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.picture import picture
from models.generative import elbo
from pages.vae_parts import view
from pages.vae_parts.noise import epsilon
from pages.vae_parts.view import Pair, Scene

TRAINED = ("ae16", "beta025", "digits16", "beta4")  # beta 0 without noise, 0.25, 1, 4


def held_out(report: Mapping[str, Any]) -> tuple[float, float] | None:
    """(KL, minus the reconstruction) in nats for each held-out digit; None for an autoencoder."""
    part = report.get("score", {}).get("grey")
    return (float(part["kl"]), -float(part["reconstruction"])) if isinstance(part, Mapping) else None


def beta_of(nets: Pair) -> str:
    """ "0.25"; "–" for the autoencoder, which has no noise and no such term."""
    return f"{nets.encoder.report['beta']:g}" if nets.encoder.report.get("noise") else "–"


@fragment
def beta(scene: Scene) -> None:
    """The section."""
    st.header(t("vae.beta.title"), anchor="beta")
    st.markdown(t("vae.beta.about"))
    trained = [view.pair(name, scene.engine) for name in TRAINED]
    _table(scene, trained)
    pictures, curve = st.columns([2, 1], gap="large")
    with pictures:
        _pictures(scene, trained)
    with curve:
        _curve(trained)


def _table(scene: Scene, trained: list[Pair]) -> None:
    rows = []
    for nets in trained:
        report = nets.encoder.report.get("score", {})
        grey = report.get("grey", {})
        code = view.encode(nets, scene.both)
        noisy = bool(grey)
        rows.append(
            {
                t("vae.beta.net"): t(f"vae.net.{nets.name}"),
                "β": beta_of(nets),
                t("vae.beta.kl"): f"{grey['kl']:.2f}" if noisy else "–",
                t("vae.beta.reconstruction"): f"{-grey['reconstruction']:.2f}" if noisy else "–",
                "ELBO": f"{grey['elbo']:.2f}".replace("-", "−") if noisy else "–",
                t("vae.beta.active"): f"{report['active_units']} / {nets.latent}" if noisy else "–",
                t("vae.beta.error"): f"{report['mean_squared_error_of_the_mean_code']:.4f}",
                t("vae.beta.yours"): " · ".join(f"{v:.1f}" for v in elbo.kl(code.mean, code.logvar).sum(1))
                if noisy
                else "–",
            }
        )
    st.dataframe(rows, hide_index=True, width="stretch")
    st.caption(t("vae.beta.table", count=trained[0].encoder.report.get("score", {}).get("held_out", 0)))


def _curve(trained: list[Pair]) -> None:
    """Rate against distortion."""
    points = sorted(p for nets in trained if (p := held_out(nets.encoder.report)) is not None)
    if len(points) < 2:
        return
    rate, distortion = zip(*points, strict=True)
    drawing(
        responsive(
            lambda width: lines(
                [Line(t("vae.beta.line"), rate, distortion, "accent")],
                title=t("vae.beta.chart"),
                x_label=t("vae.beta.rate"),
                y_label=t("vae.beta.distortion"),
                width=width,
            ),
            wide=340,
        ),
        "vae.beta.curve",
    )
    st.caption(t("vae.beta.says"))


def _pictures(scene: Scene, trained: list[Pair]) -> None:
    """A and B by each of them: the mean decoded, then four samples of the code decoded."""
    for place, (which, x) in zip(st.columns(2, gap="large"), (("a", scene.a), ("b", scene.b)), strict=True):
        rows = []
        for nets in trained:
            code = view.encode(nets, x)
            z = np.concatenate([code.mean, code.mean + code.sigma * epsilon(nets.latent)[:5]])
            rows.append(np.concatenate([x[:, 0], view.decode(nets, z)[:, 0]]))
        columns = len(rows[0])
        with place:
            st.markdown(f"**{t(f'vae.{which}')}**")
            picture(
                draw.sheet(np.concatenate(rows), columns).image,
                f"vae.beta.{which}",
                t("vae.beta.alt", name=t(f"vae.{which}")),
                pixelated=True,
                pick=False,
                show_pick=False,
                height=300,
                hint="",
            )
    st.caption(t("vae.beta.rows"))

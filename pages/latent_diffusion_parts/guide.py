"""Guidance: the same noise without the words, with them, and with them exaggerated; one number of it worked out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from app.engine import run
from app.engine.diffuse import prediction_of
from app.figures import latent_diffusion as draw
from app.figures.ddpm import to_rgb
from app.figures.ddpm_inside import Cell, gallery
from app.figures.printed import Printed, small
from app.text import t
from app.widgets.formula import factor, latex_number
from app.widgets.packing import content_id
from app.widgets.scrubber import Strip, scrubber
from models.generative.schedule import to_x0
from pages.latent_diffusion_parts.run import clean, key_of, pixels, run_path
from pages.latent_diffusion_parts.view import MOST_GUIDANCE, STEP, Scene, positions


def amounts(chosen: float) -> tuple[float, ...]:
    """Guidances to compare: none, the words alone, the chosen one, twice that."""
    return tuple(sorted({0.0, 1.0, chosen, min(2 * chosen, MOST_GUIDANCE)}))


def guide(scene: Scene) -> None:
    """The paths side by side, then the two predictions that guidance is made of."""
    st.markdown(t("latent_diffusion.guide.about"))
    sample, chosen = scene.sample, scene.request.guidance
    strips = []
    for amount in amounts(chosen):
        if amount == chosen:
            latents = clean(scene.path, scene.frames)[:, sample]
        else:
            request = replace(scene.request, texts=(scene.text,), index=(sample,), guidance=amount)
            path = run_path(f"latent_diffusion.guide.{amount:g}", scene.studio, request)
            if path is None:
                return
            latents = clean(path, scene.frames)[:, 0]
        kind = {0.0: "none", 1.0: "alone"}.get(amount, "more")
        label = t(f"latent_diffusion.guide.{kind}", amount=f"{amount:g}")
        strips.append(Strip(f"w{amount:g}", label, to_rgb(pixels(scene.studio, latents))))
    scrubber(
        strips,
        "latent_diffusion.guide",
        positions=positions(scene.path, scene.frames),
        alt=t("latent_diffusion.guide.alt", count=len(strips)),
        param=STEP,
        report=True,
        height=220,
    )
    _numbers(scene)


@st.cache_data(max_entries=24, show_spinner=False)
def _both(key: str, x: str, at: int, text: str, _scene: Scene) -> np.ndarray:
    told = _scene.condition()
    inputs = {name: np.concatenate([told.without[name], told.asked[name]]) for name in told.asked}
    inputs |= {"x": np.repeat(_scene.x, 2, 0), "timestep": np.array([at, at], np.int64)}
    return run(_scene.studio.unet, inputs).output


def both(scene: Scene) -> np.ndarray:
    """(2, C, h, w): what the net puts out at this moment without and with the words."""
    return _both(key_of(scene.studio), content_id(scene.x), scene.t, scene.text, scene)


def _numbers(scene: Scene) -> None:
    """Where the words change the prediction, and the most changed number put together again."""
    st.subheader(t("latent_diffusion.guide.numbers"), anchor=False)
    without, asked = both(scene).astype(np.float64)
    amount = scene.request.guidance
    guided = without + amount * (asked - without)
    cells = [
        Cell(draw.mosaic(without), t("latent_diffusion.guide.v_none"), t("latent_diffusion.guide.v_none")),
        Cell(draw.mosaic(asked), t("latent_diffusion.guide.v_words"), t("latent_diffusion.guide.v_words")),
        Cell(
            draw.mosaic(guided),
            t("latent_diffusion.guide.v_guided", amount=f"{amount:g}"),
            t("latent_diffusion.guide.v_guided", amount=f"{amount:g}"),
            strong=True,
        ),
        Cell(
            draw.heat(np.sqrt(((asked - without) ** 2).mean(0)), 2),
            t("latent_diffusion.guide.where"),
            t("latent_diffusion.guide.where"),
        ),
    ]
    st.html(gallery(cells, t("latent_diffusion.guide.numbers"), most=180, columns=4))
    channel, row, column = np.unravel_index(int(np.abs(asked - without).argmax()), asked.shape)
    a, b, made = (float(v[channel, row, column]) for v in (without, asked, guided))
    st.latex(
        r"\begin{aligned}\hat v&=v_\varnothing+w\,(v_c-v_\varnothing)\\&="
        rf"{latex_number(a, 6)}+{amount:g}\,\big({latex_number(b, 6)}-{factor(a, 6)}\big)\\&="
        rf"{latex_number(made, 6)}\end{{aligned}}"
    )
    level = float(scene.path.alpha_bar[scene.frame])
    again = float(to_x0(prediction_of(scene.studio.unet), scene.x[0], guided, level)[channel, row, column])
    stored = float(scene.path.x0[scene.frame, scene.sample, channel, row, column])
    st.caption(
        t(
            "latent_diffusion.guide.agreement",
            channel=int(channel),
            row=int(row),
            column=int(column),
            again=f"{Printed(again):.6g}",
            stored=f"{Printed(stored):.6g}",
            apart=small(abs(again - stored)),
        )
    )

"""The image VAE on one's own picture: four maps of latents, back to pixels, what is lost (E23's scale)."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.figures import latent_diffusion as draw
from app.figures.ddpm import enlarge, to_rgb
from app.figures.ddpm_inside import Cell, gallery
from app.figures.printed import Printed
from app.text import t
from app.widgets import state
from app.widgets.share import take_away
from pages.latent_diffusion_parts.run import pixels
from pages.latent_diffusion_parts.start_picture import Given, codes
from pages.latent_diffusion_parts.view import Scene

SILENT = state.Param("silent", -1, state.parse_whole(-1, 3), str)  # the map that is set to 0, -1: none


def image_vae(scene: Scene, picture: Given) -> None:
    """Encode, look at the maps, decode; with one map silenced to see what it carried."""
    studio = scene.studio
    mean, sd = codes(studio, picture)
    channels, side = mean.shape[1], mean.shape[-1]
    st.markdown(
        t(
            "latent_diffusion.vae.about",
            pixels=f"{picture.x.size:,}",
            numbers=f"{mean.size:,}",
            share=f"{picture.x.size / mean.size:.0f}",
            side=side,
        )
    )
    silent = st.segmented_control(
        t("latent_diffusion.vae.silent"),
        list(range(-1, channels)),
        format_func=lambda c: t("latent_diffusion.vae.no_map") if c < 0 else str(c),
        required=True,
        help=t("latent_diffusion.vae.silent.help"),
        **state.bind(SILENT, allowed=list(range(-1, channels))),
    )
    code = mean.copy()
    if silent is not None and silent >= 0:
        code[:, silent] = 0
    back = pixels(studio, code)[0]
    apart = np.abs(back - picture.x[0]).mean(0)
    quality = draw.psnr(back, picture.x[0])
    cells = [Cell(picture.rgb, t("latent_diffusion.img2img.given"), picture.name)]
    cells += [
        Cell(
            enlarge(draw.maps(code[0, c]), 4),
            t("latent_diffusion.vae.map", n=c),
            t(
                "latent_diffusion.vae.map.alt",
                n=c,
                low=f"{Printed(code[0, c].min()):.1f}",
                high=f"{Printed(code[0, c].max()):.1f}",
            ),
        )
        for c in range(channels)
    ]
    decoded, lost = t("latent_diffusion.vae.back", psnr=f"{quality:.1f}"), t("latent_diffusion.vae.lost")
    cells += [Cell(to_rgb(back), decoded, decoded, strong=True), Cell(draw.heat(apart), lost, lost)]
    st.html(gallery(cells, t("latent_diffusion.vae.alt"), most=150))
    held = studio.decoder.report.get("score", {}).get("unseen_style", {})
    if "psnr" in held:
        st.caption(
            t("latent_diffusion.vae.held_out", psnr=f"{held['psnr']:.1f}", count=f"{held['pictures']:,}")
        )
    st.markdown(
        t(
            "latent_diffusion.vae.scale",
            scale=f"{studio.scale:.4g}",
            raw=f"{float((mean / studio.scale).std()):.2f}",
            scaled=f"{float(mean.std()):.2f}",
            sd=f"{float(sd.mean()):.3f}",
        )
    )
    take_away(
        "latent_diffusion.vae",
        f"latents-{picture.stem}",
        png=lambda: enlarge(draw.mosaic(code[0]), 8),
        tensor=code[0],
        axes=("channel", "row", "column"),
        link=False,
    )

"""From noise to pictures: samples of a seed at any temperature, and the way from one digit's z to another's."""

from __future__ import annotations

import numpy as np
import streamlit as st

from app.engine.latent import spherical
from app.figures import dcgan, realnvp as draw
from app.figures.charts import responsive
from app.figures.plots import Line, lines
from app.figures.printed import percent
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.picture import picture
from app.widgets.scrubber import Strip, scrubber
from app.widgets.share import film_files, take_away
from models.generative.schedule import noise
from pages.realnvp_parts import inputs, view
from pages.realnvp_parts.view import Nets, Scene

COUNT = 32
SEED = state.Param("seed", 1, state.parse_whole(0, view.LARGEST_SEED), str)
HEATS = (0.0, 0.3, 0.5, 0.7, 0.85, 1.0, 1.2)
HEAT = state.Param("temperature", 0.7, state.parse_number(0.0, 1.2), state.format_number, allowed=HEATS)
STEPS = 25
CHANCE = 0.2  # ten digits: whoever knows nothing says 0.1
ALONG = state.Param("at", 12, state.parse_whole(-1, STEPS - 1), str)
ARC = state.Param("way", "arc", allowed=("arc", "straight"))


def latents(seed: int, count: int = COUNT) -> np.ndarray:
    """Standard normal (count, 1, 28, 28); the n-th depends on the seed and on n alone."""
    return np.stack([noise(seed, n, (1, view.SIDE, view.SIDE)) for n in range(count)]).astype(np.float32)


def drawn(nets: Nets, temperature: float, seed: int = 1) -> np.ndarray:
    """Samples, uint8 (COUNT, 28, 28)."""
    return view.paint(nets.back, temperature * latents(seed))


@fragment
def samples(scene: Scene) -> None:
    """A sheet of samples with their bits."""
    st.header(t("realnvp.samples.title"), anchor="samples")
    st.markdown(t("realnvp.samples.about"))
    with st.container(horizontal=True, vertical_alignment="bottom", key="v-realnvp-samples"):
        st.number_input(t("realnvp.seed"), 0, view.LARGEST_SEED, step=1, width=180, **state.bind(SEED))
        st.button(
            t("realnvp.seed.next"),
            key="realnvp.seed.next",
            on_click=lambda: state.put(SEED, (state.get(SEED) + 1) % (view.LARGEST_SEED + 1)),
            icon=":material/casino:",
        )
        st.segmented_control(
            t("realnvp.temperature"),
            HEATS,
            required=True,
            format_func=lambda v: f"{v:g}",
            help=t("realnvp.temperature.help"),
            **state.bind(HEAT),
        )
    seed, heat = state.get(SEED), state.get(HEAT)
    greys = drawn(scene.nets, heat, seed)
    bits = view.bits_of(scene.nets.there, greys)
    sure = view.read(scene.nets.judge, greys).max(1) >= view.SURE
    sheet = dcgan.sheet(greys / 127.5 - 1.0, 8)
    picture(
        sheet.image,
        "realnvp.sheet",
        t("realnvp.samples.alt", count=COUNT, seed=seed),
        pixelated=True,
        show_pick=False,
        step=sheet.cell + sheet.gap,
        height=340,
        hint=t("realnvp.samples.hint"),
        tiles=sheet.tiles([t("realnvp.samples.one", n=i + 1, bits=f"{v:.2f}") for i, v in enumerate(bits)]),
    )
    st.markdown(
        t(
            "realnvp.samples.says",
            temperature=f"{heat:g}",
            bits=f"{bits.mean():.2f}",
            sure=int(sure.sum()),
            count=COUNT,
            least=percent(view.SURE),
        )
    )
    st.caption(t("realnvp.samples.honest", minutes=f"{float(scene.nets.there.report.get('minutes', 0)):.0f}"))
    take_away(
        "realnvp.samples.take",
        f"realnvp-samples-{seed}-{heat:g}",
        png=lambda: sheet.image.repeat(4, axis=0).repeat(4, axis=1),
        tensor=(heat * latents(seed))[:, 0],
        axes=("sample", "row", "column"),
        link=False,
    )


def between(a: np.ndarray, b: np.ndarray, way: str) -> np.ndarray:
    """(STEPS, 1, 28, 28): from z to z on the arc or straight."""
    shares = np.linspace(0, 1, STEPS)
    if way == "arc":
        return spherical(a.ravel(), b.ravel(), shares).reshape(-1, 1, view.SIDE, view.SIDE).astype(np.float32)
    return np.concatenate([(1 - s) * a + s * b for s in shares]).astype(np.float32)


@fragment
def walk(scene: Scene) -> None:
    """From the reader's picture to another digit: through z, and by mixing pixels."""
    st.header(t("realnvp.walk.title"), anchor="walk")
    st.markdown(t("realnvp.walk.about"))
    left, right = st.columns([2, 3], gap="large")
    with left:
        other = inputs.other()
        way = st.segmented_control(
            t("realnvp.walk.way"),
            ("arc", "straight"),
            required=True,
            format_func=lambda w: t(f"realnvp.walk.{w}"),
            help=t("realnvp.walk.way.help"),
            **state.bind(ARC),
        )
    way = way or "arc"
    a, b = scene.passage, view.passage(scene.nets, other.grey, state.get(view.NOISE))
    z = between(a.z, b.z, way)
    shares = np.linspace(0, 1, STEPS)
    mixed = np.stack([(1 - s) * a.grey + s * b.grey + 0.5 for s in shares]).astype(np.uint8)
    through = view.paint(scene.nets.back, z)
    costs = {"z": view.bits_of(scene.nets.there, through), "pixels": view.bits_of(scene.nets.there, mixed)}
    judged = {name: view.read(scene.nets.judge, p) for name, p in (("z", through), ("pixels", mixed))}
    with right:
        scrub = scrubber(
            [
                Strip("z", t("realnvp.walk.z"), draw.greys(through)),
                Strip("pixels", t("realnvp.walk.pixels"), draw.greys(mixed)),
            ],
            "realnvp.walk",
            readouts={
                t("realnvp.walk.bits", way=t("realnvp.walk.z")): [f"{v:.2f}" for v in costs["z"]],
                t("realnvp.walk.bits", way=t("realnvp.walk.pixels")): [f"{v:.2f}" for v in costs["pixels"]],
                t("realnvp.walk.judge", way=t("realnvp.walk.z")): [_verdict(p) for p in judged["z"]],
                t("realnvp.walk.judge", way=t("realnvp.walk.pixels")): [
                    _verdict(p) for p in judged["pixels"]
                ],
                "‖z‖": [f"{float(np.linalg.norm(v)):.1f}" for v in z],
            },
            positions=[t("realnvp.walk.share", share=percent(float(s))) for s in shares],
            alt=t("realnvp.walk.alt"),
            param=ALONG,
            report=True,
            height=240,
        )
    drawing(
        responsive(
            lambda width: lines(
                [
                    Line(t("realnvp.walk.z"), shares, costs["z"], "accent"),
                    Line(t("realnvp.walk.pixels"), shares, costs["pixels"], "faint", True),
                ],
                title=t("realnvp.walk.chart"),
                x_label=t("realnvp.walk.x"),
                y_label=t("realnvp.bits"),
                marked=float(shares[scrub.step]),
                width=width,
                height=220,
            ),
            wide=760,
        ),
        "realnvp.walk.chart",
    )
    middle = STEPS // 2
    st.markdown(
        t(
            "realnvp.walk.says",
            z=f"{costs['z'][middle]:.2f}",
            pixels=f"{costs['pixels'][middle]:.2f}",
            length=f"{float(np.linalg.norm(z[middle])):.1f}",
            typical=f"{float(np.sqrt(a.z.size)):.0f}",
        )
    )
    film_files(
        "realnvp.walk.film",
        "realnvp-walk",
        lambda: draw.greys(through).repeat(8, axis=1).repeat(8, axis=2),
        seconds=3,
    )


def _verdict(probabilities: np.ndarray) -> str:
    """ "7 · 96%"; near chance it names no digit."""
    if probabilities.max() < CHANCE:
        return t("realnvp.judge.none")
    return f"{int(probabilities.argmax())} · {percent(float(probabilities.max()))}"

"""Ask the discriminator: a sample, or a picture of one's own, beside what it says of real and of generated digits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st

from app.figures import dcgan as draw
from app.figures.charts import responsive
from app.figures.framing import Framed
from app.figures.printed import percent
from app.text import t
from app.widgets.inside import drawing
from app.widgets.share import take_away
from models.generative.digit_files import HELD_OUT_FILE, held_out_digits
from models.generative.gan_losses import sigmoid
from pages.dcgan_parts import view
from pages.dcgan_parts.gallery import evidence, evidence_legend, evident
from pages.dcgan_parts.view import EDGE, Nets, Scene

ASKED = 300  # digits of each kind whose scores are drawn
BINS = 40
SEED = 1_000_003  # of the generated ones: other z than those of any seed on the page


@dataclass(frozen=True, eq=False)
class Scores:
    """D's logits of digits that nobody trained on, and of generated ones."""

    real: np.ndarray
    generated: np.ndarray

    @property
    def ranked(self) -> float:
        """Share of all pairs of a real and a generated digit in which D gives the real one more (half for a tie)."""
        more = self.real[:, None] > self.generated
        return float(more.mean() + 0.5 * (self.real[:, None] == self.generated).mean())

    @property
    def edges(self) -> np.ndarray:
        """Edges of BINS + 1 equal bins that hold nearly all scores."""
        both = np.concatenate([self.real, self.generated])
        low, high = np.percentile(both, [0.5, 99.5])
        pad = max(0.05 * (high - low), 0.25)
        return np.linspace(low - pad, high + pad, BINS + 1)

    def counts(self, which: str) -> np.ndarray:
        """How many fall into each bin; what lies beyond the ends counts at the ends."""
        edges = self.edges
        return np.histogram(np.clip(getattr(self, which), edges[0], edges[-1]), edges)[0]


def padded(digits: np.ndarray) -> np.ndarray:
    """uint8 (N, 28, 28), white ink on black, as the nets' (N, 1, 32, 32) in [-1, 1]."""
    values = digits.astype(np.float32) / 127.5 - 1.0
    return np.pad(values, ((0, 0), (EDGE, EDGE), (EDGE, EDGE)), constant_values=-1.0)[:, None]


@st.cache_resource(max_entries=8, show_spinner=False)
def _scores(generator: str, discriminator: str, stamp: float, _nets: Nets) -> Scores:
    real, _ = held_out_digits()
    real = real[np.linspace(0, len(real) - 1, min(ASKED, len(real))).astype(int)]
    pictures, _ = view.paint(_nets.generator, view.latents(SEED, ASKED, _nets.latent))
    return Scores(view.score(_nets.discriminator, padded(real)), view.score(_nets.discriminator, pictures))


def scores(nets: Nets) -> Scores:
    """Asked once for each pair of nets."""
    return _scores(nets.generator.key, nets.discriminator.key, HELD_OUT_FILE.stat().st_mtime, nets)


def ask(scene: Scene, own: Framed, name: str) -> None:
    """What D makes of the chosen sample and of the visitor's picture, between the histograms."""
    chosen = scene.chosen
    logit = float(view.score(scene.nets.discriminator, own.input)[0])
    left, right = st.columns([1, 2], gap="large")
    with left:
        _own(scene, own, logit, name)
    with right:
        found = scores(scene.nets)
        marks = [(float(scene.logits[chosen]), t("dcgan.sample", n=chosen)), (logit, t("dcgan.ask.yours"))]
        parts = [
            (t("dcgan.ask.real"), found.counts("real"), draw.REAL),
            (t("dcgan.ask.generated"), found.counts("generated"), draw.GENERATED),
        ]

        def chart(width: int) -> str:
            return draw.score_chart(
                found.edges, parts, marks, title=t("dcgan.ask.title"), x_name="D(x)", width=width
            )

        svg = chart(620)
        drawing(responsive(chart, wide=620), "dcgan.scores")
        st.markdown(_says(found))
        take_away(
            "dcgan.scores.take",
            f"dcgan-scores-{scene.nets.discriminator.weights.id}",
            svg=lambda: svg,
            tensor=np.stack([found.counts("real"), found.counts("generated")]).astype(np.float64),
            axes=("kind", "bin"),
            link=False,
        )


def _says(found: Scores) -> str:
    """What the two histograms show."""
    return t(
        "dcgan.ask.says",
        real=percent(float(sigmoid(found.real).mean())),
        generated=percent(float(sigmoid(found.generated).mean())),
        ranked=percent(found.ranked),
        count=len(found.real),
    )


def _own(scene: Scene, own: Framed, logit: float, name: str) -> None:
    """The visitor's picture as D sees it, what was done to it, and the verdict with its evidence."""
    st.markdown(t("dcgan.own", name=name))
    layer, limit = evidence(scene, own.input)
    evident("dcgan.own", own.input, t("dcgan.own.alt"), layer, opacity=0.0)
    evidence_legend(limit)
    with st.container(horizontal=True, key="v-dcgan-own"):
        st.metric("D(x)", percent(float(sigmoid(logit))), help=t("dcgan.d.help"))
        digit, sure = view.digit_of(view.read(scene.nets.judge, own.input)[0])
        st.metric(t("dcgan.judge"), f"{digit} · {percent(sure)}", help=t("dcgan.judge.help"))
    st.caption(t("dcgan.own.inverted" if own.inverted else "dcgan.own.framed"))
    if own.empty:
        st.warning(t("dcgan.own.empty"), icon=":material/check_box_outline_blank:")
    st.caption(t("dcgan.own.limits"))

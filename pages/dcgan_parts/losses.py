"""The two losses of a generator over D(G(z)), and how strongly each of them pulls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st

from app.figures.charts import responsive
from app.figures.dcgan import minus
from app.figures.plots import Line, lines
from app.figures.printed import power_of_ten
from app.text import t
from app.widgets import state
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from models.generative.gan_losses import generator_gradient, generator_loss, sigmoid

LOGITS = tuple(range(-10, 11))
LOGIT = state.Param("s", -4, state.parse_whole(-10, 10), str)
GRID = np.concatenate([np.linspace(-12, -4, 33), np.linspace(-3.8, 3.8, 77), np.linspace(4, 12, 33)])


def share(logit: float) -> str:
    """D of a logit with as many digits as it takes: "0.0000454", "0.018", "0.5", "0.99995"."""
    p = float(sigmoid(logit))
    if p > 0.99:
        return f"{p:.{max(3, int(np.ceil(-np.log10(1 - p))) + 1)}f}"
    return f"{p:.3g}" if p >= 1e-4 else f"{p:.7f}"


@fragment
def losses() -> None:
    """Both losses and both gradients, at a D(G(z)) to choose."""
    st.header(t("dcgan.loss.title"), anchor="losses")
    st.markdown(t("dcgan.loss.about"))
    st.latex(
        r"\begin{aligned}L_{\text{sat}}&=\log\left(1-D(G(z))\right)&\tfrac{\partial L}{\partial s}&=-D\\"
        r"L_{\text{ns}}&=-\log D(G(z))&\tfrac{\partial L}{\partial s}&=-(1-D)\end{aligned}"
    )
    logit = float(
        st.select_slider(
            t("dcgan.loss.slider"),
            LOGITS,
            format_func=lambda s: f"D = {share(s)}",
            help=t("dcgan.loss.slider.help"),
            **state.bind(LOGIT, allowed=LOGITS),
        )
    )
    p = float(sigmoid(logit))
    with st.container(horizontal=True, key="v-dcgan-losses"):
        for name in ("saturating", "non_saturating"):
            st.metric(
                t(f"dcgan.loss.{name}"),
                minus(float(generator_loss(logit, name)), 4),
                t("dcgan.loss.gradient", value=tiny(float(generator_gradient(logit, name)))),
                delta_color="off",
                delta_arrow="off",
            )
    _chart("loss", generator_loss, (-5.0, 5.0), p)
    _chart("gradient", generator_gradient, (-1.05, 0.05), p)
    ratio = float(generator_gradient(logit, "non_saturating") / generator_gradient(logit, "saturating"))
    name = "early" if logit < 0 else ("even" if logit == 0 else "late")
    st.markdown(t(f"dcgan.loss.says.{name}", ratio=times(ratio), d=share(logit)))


def _chart(key: str, of: Callable[..., np.ndarray], y_range: tuple[float, float], p: float) -> None:
    """Both curves of one kind over D(G(z)), with a line at the chosen one. What lies beyond the range is left out."""
    d = sigmoid(GRID)
    series = []
    for loss, colour in (("saturating", "third"), ("non_saturating", "second")):
        values = of(GRID, loss)
        values = np.where((values < y_range[0]) | (values > y_range[1]), np.nan, values)
        series.append(Line(t(f"dcgan.loss.{loss}"), d, values, colour))

    def chart(width: int) -> str:
        return lines(
            series,
            title=t(f"dcgan.loss.chart.{key}"),
            x_label="D(G(z))",
            y_label=t(f"dcgan.loss.y.{key}"),
            x_range=(0.0, 1.0),
            y_range=y_range,
            marked=p,
            width=width,
            height=230,
        )

    drawing(responsive(chart, wide=900), f"dcgan.loss.{key}")


def tiny(value: float) -> str:
    """A gradient with a true minus; as a power of ten where it is tiny: "−4.54 · 10⁻⁵"."""
    if 0 < abs(value) < 1e-3:
        mantissa, exponent = f"{value:.2e}".split("e")
        return f"{mantissa.replace('-', '−')} · {power_of_ten(int(exponent))}"
    return minus(value, 5 if abs(value) > 0.99 else 4)


def times(ratio: float) -> str:
    """ "54", "1.6", "22 000"."""
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"

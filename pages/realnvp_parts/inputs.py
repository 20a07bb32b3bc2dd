"""The reader's picture, and the digit at the other end of the walk."""

from __future__ import annotations

from app.assets.samples import DIGITS, EMOJI
from app.text import t
from app.widgets import digit_input
from app.widgets.digit_input import Given

WAY = digit_input.way_param("from")
SAMPLES = DIGITS + tuple(s for s in EMOJI if s.id in ("fox", "hamburger"))
DIGIT = digit_input.digit_param("digit", 3)
OTHER = digit_input.digit_param("other", 8)


def given() -> Given:
    """The reader's picture."""
    return digit_input.take(
        "realnvp",
        digit_input.way(t("realnvp.input.way"), WAY),
        DIGIT,
        sheet=t("realnvp.input.sheet", count=digit_input.COUNT),
        canvas=t("realnvp.input.canvas"),
        samples=SAMPLES,
    )


def other() -> Given:
    """The other end of the walk."""
    return digit_input.digits("realnvp.walk.other", OTHER, t("realnvp.walk.sheet", count=digit_input.COUNT))

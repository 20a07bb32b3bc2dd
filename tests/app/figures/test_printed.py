"""Numbers as a reader takes them in."""

from __future__ import annotations

import pytest

from app.figures.printed import Printed, percent


@pytest.mark.parametrize(
    ("share", "words"),
    [(0.0, "0%"), (1e-9, "< 0.01%"), (0.0004, "0.04%"), (0.012, "1.2%"), (0.05, "5%"), (0.0999, "10%")]
    + [(0.5, "50%"), (0.62, "62%"), (0.9, "90%"), (0.95, "95%"), (0.984, "98.4%"), (0.995, "99.5%")]
    + [(0.9995, "99.95%"), (0.99999, "> 99.99%"), (1.0, "100%")],
)
def test_percent(share: float, words: str) -> None:
    """Precise near none and all, and never "100%" for less than all."""
    assert percent(share) == words == f"{Printed(share):%}"


def test_printed() -> None:
    assert f"{Printed(-4e-5):.1e}" == "−4.0 × 10⁻⁵" and f"{Printed(-0.5):.1f}" == "−0.5"

"""Numbers as they are printed: a true minus, powers of ten as powers, shares as percentages."""

from __future__ import annotations

import math

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Printed(float):
    """A number whose formats are for readers: f"{Printed(-4e-5):.1e}" is "−4.0 × 10⁻⁵", of zero simply "0", and
    f"{Printed(0.62):%}" is "62%"."""

    def __format__(self, spec: str) -> str:
        if spec == "%":
            return percent(self)
        words = float.__format__(self, spec)
        mantissa, e, power = words.partition("e")
        if e:
            words = f"{mantissa} × {power_of_ten(int(power))}" if self else "0"
        return words.replace("-", "−")


def percent(share: float) -> str:
    """A share as a reader takes it in: "62%", "4.9%", "98.4%", "< 0.01%"; "0%" and "100%" are none and all."""
    if 0 < share < 0.0001:
        return "< 0.01%"
    if 0.9999 < share < 1:
        return "> 99.99%"
    places = 0 if 0.1 <= share <= 0.9 else 1 if 0.01 <= share <= 0.99 else 2
    digits = f"{100 * share:.{places}f}"
    return (digits.rstrip("0").rstrip(".") if places else digits) + "%"


def power_of_ten(exponent: float) -> str:
    """ "10⁻⁴⁴⁴"."""
    return "10" + f"{exponent:.0f}".translate(RAISED)


def significant(value: float) -> str:
    """Three figures, in powers of ten only where nothing else is short: 0.0123, 1.23, 8.1e-5."""
    if not math.isfinite(value):
        return "∞"
    if value and abs(value) < 1e-3:
        mantissa, power = f"{value:.1e}".split("e")
        return f"{mantissa}e{int(power)}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"


def small(value: float) -> str:
    """A difference that should be near zero: "1.9 × 10⁻⁹"."""
    return f"{Printed(value):.1e}"

"""Numbers as they are printed: a true minus, and powers of ten as powers."""

from __future__ import annotations

RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Printed(float):
    """A number whose formats are for readers: f"{Printed(-4e-5):.1e}" is "−4.0 × 10⁻⁵", of zero simply "0"."""

    def __format__(self, spec: str) -> str:
        words = float.__format__(self, spec)
        mantissa, e, power = words.partition("e")
        if e:
            words = f"{mantissa} × {power_of_ten(int(power))}" if self else "0"
        return words.replace("-", "−")


def power_of_ten(exponent: float) -> str:
    """ "10⁻⁴⁴⁴"."""
    return "10" + f"{exponent:.0f}".translate(RAISED)


def small(value: float) -> str:
    """A difference that should be near zero: "1.9 × 10⁻⁹"."""
    return f"{Printed(value):.1e}"

"""The worked sum: exact arithmetic, largest terms first, rounding told from mistakes."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from app.widgets.formula import UNIT, latex_number, work, worked_latex

NUMBERS = st.floats(-1e6, 1e6, width=32)
TERMS = st.lists(st.tuples(st.just("t"), NUMBERS, NUMBERS), max_size=40)


@settings(max_examples=150, deadline=None)
@given(TERMS, NUMBERS, st.integers(1, 10))
def test_the_parts_make_the_whole(terms, bias, shown):
    worked = work(terms, bias, shown=shown)
    true = sum((Fraction(a) * Fraction(b) for _, a, b in terms), Fraction(bias))
    size = float(sum((abs(Fraction(a) * Fraction(b)) for _, a, b in terms), abs(Fraction(bias))))
    assert worked.total == pytest.approx(float(true), abs=1e-12 * size + 1e-300, rel=0)
    parts = math.fsum([*(p.value for p in worked.largest), worked.rest, worked.bias])
    assert parts == pytest.approx(worked.total, abs=1e-12 * size + 1e-300, rel=0)
    n = len(terms) + 2
    assert abs(worked.single - float(true)) <= n * UNIT / (1 - n * UNIT) * size + 1e-40  # Higham's worst case
    assert len(worked.largest) + worked.rest_count == len(terms)


@given(TERMS)
def test_the_largest_come_first_and_nothing_larger_is_in_the_rest(terms):
    worked = work(terms, shown=8)
    sizes = [abs(p.value) for p in worked.largest]
    assert sizes == sorted(sizes, reverse=True)
    shown = {p.index for p in worked.largest}
    others = [abs(a * b) for i, (_, a, b) in enumerate(terms) if i not in shown]
    assert max(others, default=0) <= min(sizes, default=math.inf)


@pytest.mark.parametrize("n", [1, 9, 64, 576, 4608])
def test_float32_sums_of_any_order_agree_and_a_wrong_term_does_not(n):
    rng = np.random.default_rng(n)
    a, b = rng.normal(size=(2, n)).astype(np.float32)
    terms = [(f"x_{{{i}}}", float(u), float(v)) for i, (u, v) in enumerate(zip(a, b, strict=True))]
    for order in (np.arange(n), np.argsort(a), np.argsort(-np.abs(a * b))):
        for network in (np.dot(a[order], b[order]), np.cumsum(a[order] * b[order], dtype=np.float32)[-1]):
            assert work(terms, expected=float(network)).agrees
    middle = float(np.median(np.abs(a * b)))
    assert work(terms, expected=float(a @ b) + max(middle, 1e-3)).agrees is False


def test_slack_widens_the_bound():
    tight = work([("x", 1.0, 1.0)], expected=1.0 + 1e-6)
    assert tight.agrees is False
    assert work([("x", 1.0, 1.0)], expected=1.0 + 1e-6, slack=100).agrees


def test_elu_is_applied_before_comparing():
    below = work([("x", 1.0, -2.0)], 0.5, float(np.expm1(np.float32(-1.5))), activation="elu")
    assert below.exact == pytest.approx(-0.7768698) and below.agrees
    assert work([("x", 1.0, 2.0)], 0.5, 2.5, activation="elu").agrees
    assert r"\mathrm{ELU}" in worked_latex(below)


def test_silu_is_applied_before_comparing():
    for total in (-2.5, 1.5):
        net = np.float32(total) / (1 + np.exp(-np.float32(total)))
        assert work([("x", 1.0, total - 0.5)], 0.5, float(net), activation="silu", slack=2.0).agrees
    assert r"\mathrm{SiLU}\big(" in worked_latex(work([("x", 1.0, 2.0)], activation="silu"))


def test_relu_is_applied_before_comparing():
    below = work([("x", 1.0, -2.0)], 0.5, 0.0, activation="relu")
    assert below.total == -1.5 and below.exact == below.single == 0.0 and below.agrees
    assert r"\mathrm{ReLU}" in worked_latex(below)


def test_no_terms_and_no_expected_number():
    worked = work([], 0.0)
    assert worked.exact == 0.0 and worked.agrees is None and worked.difference is None
    assert "y&=0" in worked_latex(worked)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_odd_numbers_are_refused(bad):
    with pytest.raises(ValueError, match="finite"):
        work([("x", bad, 1.0)])
    with pytest.raises(ValueError, match="finite"):
        work([], bad)


def test_latex():
    worked = work([("w_0x_0", 2.0, -0.5), ("w_1x_1", 1e-7, 1.0), ("w_2x_2", 3.0, 1.0)], -0.25, shown=2)
    latex = worked_latex(worked, "z", rest_label="r")
    assert latex.startswith(
        r"\begin{aligned}z&=\underbrace{3\cdot1}_{w_2x_2}+\underbrace{2\cdot(-0.5)}_{w_0x_0}"
    )
    assert r"\underbrace{1\times10^{-7}}_{r}+\underbrace{(-0.25)}_{b}" in latex
    assert latex.endswith(r"\\&=1.75\end{aligned}")
    assert latex.count("{") == latex.count("}")


def test_long_terms_have_a_line_of_their_own():
    worked = work([("a", 0.5, 0.25), ("b", 0.5, 0.125), ("c", -1.234e-5, -1.234e-6), ("d", 1.234e-7, -1e-6)])
    lines = worked_latex(worked).split(r"\\&")
    assert [line.count(r"\underbrace") for line in lines] == [2, 1, 1, 0]


@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_numbers_in_latex_keep_their_value(value):
    text = latex_number(value, 9).replace(r"\times10^{", "e").replace("}", "")
    assert np.float32(float(text)) == np.float32(value)

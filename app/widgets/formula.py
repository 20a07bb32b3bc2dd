"""A formula with the numbers of one cell put in: the largest terms, the rest, the sum, and the network's own number.

`work` is the arithmetic (numpy only); `worked_latex` writes it down; `worked_sum` shows both in a page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import streamlit as st

from app.figures.printed import Printed
from app.text import t

ROOM = 34  # letters of a sum that a phone has on one line
UNIT = 2.0**-24  # unit roundoff of float32
Term = tuple[str, float, float]
Activation = Literal["", "relu", "elu", "silu"]
WRITTEN = {"relu": r"\mathrm{ReLU}", "elu": r"\mathrm{ELU}", "silu": r"\mathrm{SiLU}"}


@dataclass(frozen=True)
class Product:
    """One term a * b. index: its place in the sum."""

    index: int
    label: str
    a: float
    b: float
    value: float


@dataclass(frozen=True)
class Worked:
    """A sum of products, recomputed.

    largest: the terms of largest |a b|, first the largest. rest_count, rest: how many others, and their sum.
    exact: the total in float64, activation applied; single: the same in float32. expected: the network's own number.
    difference: |exact - expected|, None without one. bound: what float32 rounding costs at most in a sum of this
    length and size, all but surely: 2 sqrt(n) u times the sum of |a b| (Higham and Mary 2019, theorem 2.4; the worst
    case n u of the textbooks would let a wrong term pass in a long sum).
    """

    largest: tuple[Product, ...]
    rest_count: int
    rest: float
    bias: float
    total: float
    exact: float
    single: float
    expected: float | None
    difference: float | None
    bound: float
    activation: Activation = ""

    @property
    def agrees(self) -> bool | None:
        """Whether the network's number is the recomputed one within float32 rounding; None without one."""
        return None if self.difference is None else self.difference <= self.bound


def work(
    terms: Sequence[Term],
    bias: float = 0.0,
    expected: float | None = None,
    *,
    shown: int = 8,
    activation: Activation = "",
    slack: float = 1.0,
) -> Worked:
    """Recompute sum a_i b_i + bias, in float64 and in float32.

    terms: (label as LaTeX, a, b). shown: how many terms stand by themselves. activation: applied before it is
    compared. slack: widens the bound, for an expected number that went through more roundings than this sum.
    Raises ValueError for a number that is not finite.
    """
    a = np.array([term[1] for term in terms], np.float64)
    b = np.array([term[2] for term in terms], np.float64)
    products = a * b
    if not (np.isfinite(products).all() and np.isfinite(bias)):
        raise ValueError("a worked sum needs finite numbers")
    order = np.argsort(-np.abs(products), kind="stable")
    first, others = order[:shown], order[shown:]
    total = float(products.sum() + bias)
    single = np.float32(bias)
    with np.errstate(over="ignore", invalid="ignore"):
        for x, y in zip(a.astype(np.float32), b.astype(np.float32), strict=True):
            single = np.float32(single + np.float32(x * y))
    exact, single_out = (_activated(value, activation) for value in (total, float(single)))
    n = len(products) + 2  # a product's own rounding and that of the stored result
    size = float(np.abs(products).sum() + abs(bias))
    bound = slack * (2 * n**0.5 * UNIT * size + float(np.finfo(np.float32).smallest_subnormal) * n)
    difference = None if expected is None else abs(exact - float(expected))
    return Worked(
        largest=tuple(
            Product(int(i), terms[i][0], float(a[i]), float(b[i]), float(products[i])) for i in first
        ),
        rest_count=len(others),
        rest=float(products[others].sum()),
        bias=float(bias),
        total=total,
        exact=exact,
        single=single_out,
        expected=None if expected is None else float(expected),
        difference=difference,
        bound=float(bound),
        activation=activation,
    )


def _activated(value: float, activation: Activation) -> float:
    """ReLU, ELU or SiLU of a number.

    The first two are nowhere steeper than 1: a difference before them grows no larger. SiLU is at most a tenth
    steeper: give its sums a slack of 1.1 and more.
    """
    if activation == "silu":
        return value * 0.5 * (1 + math.tanh(0.5 * value))
    if activation == "" or value > 0:
        return value
    return math.expm1(value) if activation == "elu" else 0.0


def latex_number(value: float, digits: int = 4) -> str:
    r"""A number as LaTeX: 0.1235, 12.3, 1.2\times10^{-5}."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text:
        mantissa, exponent = text.split("e")
        return rf"{mantissa}\times10^{{{int(exponent)}}}"
    return text


def factor(value: float, digits: int = 4) -> str:
    """A number as LaTeX where another stands before it: the negative in brackets."""
    text = latex_number(value, digits)
    return f"({text})" if text.startswith("-") else text


def _rows(pieces: Sequence[str], most: int) -> list[list[str]]:
    """The terms line by line: at most so many, and no more than ROOM letters."""
    rows: list[list[str]] = [[]]
    for piece in pieces:
        if rows[-1] and (len(rows[-1]) == most or sum(map(_letters, (*rows[-1], piece))) > ROOM):
            rows.append([])
        rows[-1].append(piece)
    return rows


def _letters(latex: str) -> int:
    """How wide a term is, about: the letters that are set, what stands under the brace left out."""
    above = latex.split("}_{")[0]
    return len(re.sub(r"\\underbrace|[{}^\\]", "", above.replace(r"\times", "×").replace(r"\cdot", "·")))


def worked_latex(
    worked: Worked, symbol: str = "y", *, bias_label: str = "b", rest_label: str = "", a_line: int = 2
) -> str:
    """The sum as LaTeX on several lines, `a_line` terms on each, fewer where they are long: it fits a phone.

    symbol: the left side. rest_label: words under the sum of the rest, as LaTeX.
    """
    pieces = [
        rf"\underbrace{{{factor(p.a)}\cdot{factor(p.b)}}}_{{{p.label}}}"
        if p.label
        else rf"{factor(p.a)}\cdot{factor(p.b)}"
        for p in worked.largest
    ]
    if worked.rest_count:
        pieces.append(rf"\underbrace{{{factor(worked.rest)}}}_{{{rest_label or rf'{worked.rest_count}'}}}")
    if worked.bias:
        pieces.append(rf"\underbrace{{{factor(worked.bias)}}}_{{{bias_label}}}")
    if not pieces:
        pieces = ["0"]
    lines = ["+".join(row) for row in _rows(pieces, a_line)]
    left = rf"{symbol}&="
    if worked.activation:
        lines[0] = WRITTEN[worked.activation] + r"\big(" + lines[0]
        lines[-1] += r"\big)"
    body = left + (r"\\&\quad+").join(lines)
    return rf"\begin{{aligned}}{body}\\&={latex_number(worked.exact, 7)}\end{{aligned}}"


def worked_sum(
    terms: Sequence[Term],
    bias: float = 0.0,
    expected: float | None = None,
    *,
    symbol: str = "y",
    formula: str = "",
    bias_label: str = "b",
    activation: Activation = "",
    shown: int = 8,
    slack: float = 1.0,
) -> Worked:
    """Show a cell's number worked out: the formula, the numbers put in, the recomputed total, and the difference.

    terms: (label as LaTeX, a, b), all of them. expected: the network's own number for this cell.
    formula: the general formula, above. The other arguments are those of `work` and `worked_latex`.
    """
    worked = work(terms, bias, expected, shown=shown, activation=activation, slack=slack)
    if formula:
        st.latex(formula)
    rest_label = rf"\text{{{t('formula.rest', count=worked.rest_count)}}}"
    st.latex(worked_latex(worked, symbol, bias_label=bias_label, rest_label=rest_label))
    with st.container(horizontal=True):  # a number that does not fit goes to the next line as a whole
        st.metric(t("formula.float64"), f"{Printed(worked.exact):.8g}", border=True, width="content")
        st.metric(t("formula.float32"), f"{Printed(worked.single):.8g}", border=True, width="content")
        if worked.expected is not None:
            st.metric(t("formula.network"), f"{Printed(worked.expected):.8g}", border=True, width="content")
    if worked.expected is not None:
        values = {"difference": f"{worked.difference:.2e}", "bound": f"{worked.bound:.2e}"}
        if worked.agrees:
            st.caption(":material/check: " + t("formula.agrees", **values))
        else:
            st.caption(":material/warning: " + t("formula.differs", **values))
    return worked

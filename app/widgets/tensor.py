"""What can be said of a recorded tensor: its words, its numbers, the source that computes it, small drawings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

import numpy as np
import streamlit as st

from app.figures.charts import short
from app.figures.colour import Kind, Limits, css_gradient
from app.text import has, t
from app.widgets.picture import component
from models.card import TapSpec

ROOT = Path(__file__).resolve().parents[2]


# ---------------------------------------------------------------- words about a tensor


def axis_word(axis: str) -> str:
    """The word of an axis in the current language; the axis itself where there is none."""
    key = f"axis.{axis}"
    return t(key) if has(key) else axis


def shape_words(shape: Sequence[int], axes: Sequence[str]) -> str:
    """ "batch 1 × channel 64 × row 32 × column 32"."""
    if len(shape) != len(axes):
        return " × ".join(str(size) for size in shape)
    return " × ".join(f"{axis_word(axis)} {size}" for axis, size in zip(axes, shape, strict=True))


@dataclass(frozen=True)
class Source:
    """Lines of one function or class: the file's path from the repository's root, its first line, the text."""

    path: str
    line: int
    text: str


@cache
def source_of(name: str, root: Path = ROOT) -> Source | None:
    """The source of "package.module:Class.method", read as text: nothing is imported or run.

    None where the module or the name is not there, or lies outside of `models` and `app`.
    """
    module, _, qualified = name.partition(":")
    parts = module.split(".")
    if parts[0] not in ("models", "app") or not all(part.isidentifier() for part in parts):
        return None
    path = root.joinpath(*parts).with_suffix(".py")
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8")
    node: ast.AST = ast.parse(text)
    for part in filter(None, qualified.split(".")):
        found = [
            child
            for child in ast.iter_child_nodes(node)
            if isinstance(child, ast.FunctionDef | ast.ClassDef) and child.name == part
        ]
        if not found:
            return None
        node = found[-1]
    shown = path.relative_to(root).as_posix()
    if isinstance(node, ast.Module):
        return Source(shown, 1, text)
    assert isinstance(node, ast.FunctionDef | ast.ClassDef)
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    lines = text.splitlines()[first - 1 : node.end_lineno]
    return Source(shown, first, "\n".join(lines))


@dataclass(frozen=True)
class Statistics:
    """Of the finite numbers of an array; `odd` counts the others."""

    size: int
    minimum: float
    maximum: float
    mean: float
    deviation: float
    norm: float
    zeros: float
    odd: int


def statistics(array: np.ndarray) -> Statistics:
    """Computed in float64. An array without a finite number has zeros everywhere."""
    values = np.asarray(array, np.float64).ravel()
    finite = values[np.isfinite(values)]
    odd = int(values.size - finite.size)
    if finite.size == 0:
        return Statistics(int(values.size), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, odd)
    return Statistics(
        int(values.size),
        float(finite.min()),
        float(finite.max()),
        float(finite.mean()),
        float(finite.std()),
        float(np.sqrt((finite**2).sum())),
        float((finite == 0).mean()),
        odd,
    )


# ---------------------------------------------------------------- small pieces


def drawing(
    svg: str, key: str, selected: str | None = None, on_pick: Callable[[str], None] | None = None
) -> None:
    """Show an SVG of ours; parts with `data-id` call `on_pick(id)` before the rerun when clicked or entered.

    Each click is taken once and in order, also those made while the page was still being rerun.
    """

    def taken() -> None:
        sent = st.session_state[key].get("pick") or {}
        mount, last = st.session_state.get(f"{key}.taken", ("", 0))
        if sent.get("mount") != mount:
            mount, last = sent.get("mount"), 0
        for number, name in sent.get("picks", []):
            if number > last and on_pick is not None:
                on_pick(str(name))
                last = number
        st.session_state[f"{key}.taken"] = (mount, last)

    component("drawing")(data={"svg": svg, "selected": selected or ""}, key=key, on_pick_change=taken)


def legend(kind: Kind, limits: Limits, words: Callable[[float], str] | None = None) -> None:
    """The colour scale under a picture, with the numbers at its ends; words: how they are written, with their unit."""
    low, high = ((words or short)(limit).replace("-", "−") for limit in limits)
    middle = "<span>0</span>" if kind == "diverging" else ""
    st.html(
        f'<div style="display:flex;justify-content:space-between;font-size:.75rem;font-variant-numeric:tabular-nums">'
        f"<span>{escape(low)}</span>{middle}<span>{escape(high)}</span></div>"
        f'<div style="height:.5rem;border-radius:.25rem;background:{css_gradient(kind)}"></div>'
    )


def numbers_line(array: np.ndarray) -> None:
    """The statistics of an array in one line."""
    s = statistics(array)
    words = t(
        "inside.statistics",
        minimum=short(s.minimum).replace("-", "−"),
        maximum=short(s.maximum).replace("-", "−"),
        mean=short(s.mean).replace("-", "−"),
        deviation=short(s.deviation),
        norm=short(s.norm),
        zeros=f"{100 * s.zeros:.1f}",
    )
    st.caption(words + (" " + t("inside.odd", count=s.odd) if s.odd else ""))


def explain(spec: TapSpec, array: np.ndarray) -> None:
    """What a tensor is: its sentence, its shape, its formula and the lines that compute it."""
    st.markdown(t(spec.text))
    st.caption(
        t("inside.shape", name=spec.name, shape=shape_words(array.shape, spec.axes), dtype=str(array.dtype))
    )
    if spec.formula:
        st.latex(spec.formula)
    source = source_of(spec.source) if spec.source else None
    if source is not None:
        with st.expander(t("inside.source", path=source.path, line=source.line)):
            st.code(source.text, language="python")


@dataclass(frozen=True)
class Seen:
    """What a tap view shows: indices by axis word (those that apply) and the number of the picked cell.

    array: the piece on show (a channel, one query's row, a head's matrix). value: None where nothing is picked.
    """

    array: np.ndarray
    at: Mapping[str, int]
    value: float | None


@dataclass(frozen=True)
class Save:
    """How the view is taken away: its picture and its drawing, made only when asked for."""

    png: Callable[[], np.ndarray] | None
    svg: Callable[[], str]

"""The sections of the ResNet18 page. Each draws itself, and reruns alone where it has widgets of its own.

What a run computed is kept in a small cache of the process, by weights, engine and picture; never in the session.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from app.engine import Model, gradient_input, load, run
from app.engine.classify import (
    frame_box,
    framed,
    grad_cam,
    in_domain,
    log_sum_exp,
    normalise,
    softmax,
)
from app.figures import resnet18 as figures
from app.figures.atlas import atlas
from app.figures.charts import responsive
from app.figures.colour import colormap, limits_of
from app.figures.overlay import Dot, Grid, Rect, Shape, Style, to_svg
from app.figures.printed import percent
from app.text import language, t
from app.widgets import state
from app.widgets.formula import worked_sum
from app.widgets.guard import fragment
from app.widgets.image_input import Source
from app.widgets.inside import architecture, drawing, tap_view, taps_of_block
from app.widgets.picture import Pick, last_pick, picture, set_pick
from app.widgets.weights_choice import chosen_file
from models.card import TapSpec
from models.cnn.resnet18_card import BLOCKS, CARD
from pages.resnet18_parts import view

TOP = 5
SMALL = 380  # CSS pixels: most height of the pictures beside text

# ---------------------------------------------------------------- what the link remembers


def parse_blocks(raw: str) -> list[str]:
    """ "layer1.0,layer2.1". Raises ValueError for a block that is not there."""
    found = [part for part in raw.split(",") if part]
    if not set(found) <= set(BLOCKS):
        raise ValueError(raw)
    return sorted(set(found))


def format_blocks(blocks: list[str]) -> str:
    return ",".join(blocks)


def optional(value: int | None) -> str:
    return "" if value is None else str(value)


CLASS = state.Param("class", -1, parse=state.parse_whole(0, 9999))
STAGE = state.Param("stage", "layer4.1.out", allowed=view.STAGE_ENDS)
BLOCK = state.Param("block", "layer1.1")
TAP = state.Param("tap", "layer1.1.out")
CHANNEL: state.Param[int | None] = state.Param(
    "channel", None, parse=state.parse_whole(0, 9999), format=optional
)
CELL: state.Param[Pick | None] = state.Param("cell", None, state.parse_pick, state.format_pick)
PAIR = state.Param("pair", "layer2.0", allowed=BLOCKS)
PAIR_CHANNEL: state.Param[int | None] = state.Param(
    "pair_channel", None, parse=state.parse_whole(0, 9999), format=optional
)
FILTER = state.Param("filter", 0, parse=state.parse_whole(0, 9999))
INFLUENCE = state.Param("influence", False, state.parse_flag, state.format_flag)
PLACE: state.Param[Pick | None] = state.Param("place", None, state.parse_pick, state.format_pick)
TERMS = state.Param("terms", "position", allowed=("position", "channel"))
NO_F: state.Param[list[str]] = state.Param("no_f", [], parse_blocks, format_blocks)
NO_X: state.Param[list[str]] = state.Param("no_x", [], parse_blocks, format_blocks)


# ---------------------------------------------------------------- what the net computed, cached


@dataclass(frozen=True, eq=False)
class Shown:
    """One picture in one model. image: uint8 (S, S, 3), what the net sees. x: the same, normalised (1, 3, S, S).

    The model is looked up by name, so that a page left open does not keep it in memory.
    """

    weights_id: str
    engine: str
    sha: str
    image: np.ndarray
    x: np.ndarray
    file: Path | None  # weights that the visitor gave

    @property
    def model(self) -> Model:
        return load(CARD.slug, self.weights_id, self.engine, self.file)

    @property
    def key(self) -> tuple[str, str]:
        return self.model.key, self.sha

    @property
    def side(self) -> int:
        return int(self.image.shape[0])

    @property
    def labels(self) -> tuple[view.ClassLabel, ...]:
        model = self.model
        return _labels(model.key, language(), model)


@st.cache_resource(max_entries=16, show_spinner=False)
def _labels(key: str, code: str, _model: Model) -> tuple[view.ClassLabel, ...]:
    return view.class_labels(_model, code)


@st.cache_data(max_entries=64, show_spinner=False)
def _framed(sha: str, preprocess: str, _source: Source, _model: Model) -> np.ndarray:
    return framed(_source.picture.flattened(), _model.preprocess)


def shown(model: Model, source: Source) -> Shown:
    """Cut and scale a picture as these weights ask."""
    image = _framed(source.sha, repr(sorted(model.preprocess.items())), source, model)
    x = normalise(image, model.preprocess)
    return Shown(model.weights.id, model.engine, source.sha, image, x, chosen_file(CARD, model.weights.id))


@st.cache_data(max_entries=256, show_spinner=False)
def _logits(
    key: tuple[str, str], no_f: tuple[str, ...], no_x: tuple[str, ...], _shown: Shown
) -> tuple[np.ndarray, float]:
    inputs = {"image": _shown.x}
    if no_f or no_x:
        inputs |= {"residual_strength": view.strengths(no_f), "shortcut_strength": view.strengths(no_x)}
    trace = run(_shown.model, inputs)
    return trace.output[0], trace.seconds


def logits(s: Shown, no_f: tuple[str, ...] = (), no_x: tuple[str, ...] = ()) -> np.ndarray:
    """(classes,) with the named branches taken out."""
    return _logits(s.key, no_f, no_x, s)[0]


def seconds(s: Shown) -> float:
    """Of the plain run."""
    return _logits(s.key, (), (), s)[1]


@st.cache_resource(max_entries=4, show_spinner=False)
def _taps(key: tuple[str, str], _shown: Shown) -> dict[str, np.ndarray]:
    names = [spec.name for spec in _shown.model.card.taps(_shown.model.config)]
    return run(_shown.model, {"image": _shown.x}, taps=names).taps


def taps(s: Shown) -> dict[str, np.ndarray]:
    """Every tap of one run, batch included: 3 MB for a picture of 96², 17 MB for 224²."""
    return _taps(s.key, s)


@st.cache_data(max_entries=128, show_spinner=False)
def _cam(key: tuple[str, str], tap: str, target: int, _shown: Shown) -> np.ndarray:
    return grad_cam(_shown.model, _shown.x, tap, target)


@st.cache_data(max_entries=64, show_spinner=False)
def _influence(key: tuple[str, str], tap: str, cell: tuple[int, int, int], _shown: Shown) -> np.ndarray:
    found = gradient_input(_shown.model, {"image": _shown.x}, tap, (0, *cell))
    return np.abs(found[0]).sum(axis=0)


@st.cache_data(max_entries=64, show_spinner=False)
def _removals(key: tuple[str, str], target: int, _shown: Shown) -> list[view.Removal]:
    def logits_of(residual: np.ndarray, shortcut: np.ndarray) -> np.ndarray:
        inputs = {"image": _shown.x, "residual_strength": residual, "shortcut_strength": shortcut}
        return run(_shown.model, inputs).output[0]

    return view.removals(logits_of, target)


@st.cache_data(max_entries=32, show_spinner=False)
def _balances(key: tuple[str, str], _shown: Shown) -> list[figures.Balance]:
    found = taps(_shown)
    return [figures.balance(b, found[f"{b}.residual"], found[f"{b}.shortcut"]) for b in BLOCKS]


# ---------------------------------------------------------------- result


def best(scores: np.ndarray, count: int = TOP) -> list[int]:
    return [int(i) for i in np.argsort(-scores, kind="stable")[:count]]


def result(s: Shown, source: Source) -> None:
    """What the net says, how sure it is, and whether the picture is like those it was trained on."""
    scores = logits(s)
    p = softmax(scores)
    asked = (s.weights_id, s.sha)
    if st.session_state.get("resnet18.answered") not in (None, asked):
        state.forget(CLASS)  # another picture: its own first class
    st.session_state["resnet18.answered"] = asked
    top = best(scores)
    first = s.labels[top[0]]
    name = state.plain(first.name)
    st.header(
        t(
            f"resnet18.says.{confidence(p, in_domain(scores, s.model.report))}",
            name=name,
            p=percent(float(p[top[0]])),
        ),
        anchor="result",
    )
    left, right = st.columns([2, 5], gap="medium")
    with left:
        picture(
            s.image,
            "resnet18.seen",
            t("resnet18.seen.alt", side=s.side),
            pick=False,
            pixelated=True,
            height=220,
        )
    with right:
        bars = [figures.Bar(s.labels[i].name, s.labels[i].icon, float(p[i])) for i in top]
        st.html(figures.answer_html(bars, t("resnet18.bars.alt")))
        st.caption(
            t("resnet18.hesitates", n=f"{view.entropy_classes(p):.1f}", classes=len(p)),
            help=t("resnet18.hesitates.help"),
        )
    st.caption(how_cut(s, source))
    familiarity(s, scores)


def confidence(p: np.ndarray, familiar: bool | None = None) -> str:
    """ "sure", "rather" or "torn": the word for how certain an answer is; "strange" for a picture out of domain."""
    if familiar is False:
        return "strange"
    first = float(p.max())
    return "sure" if first >= 0.8 else "rather" if first >= 0.4 else "torn"


def how_cut(s: Shown, source: Source) -> str:
    """What became of the picture on its way into the net."""
    height, width = source.picture.height, source.picture.width
    left, top, right, bottom = frame_box(height, width, s.model.preprocess)
    kept = min(right - left, width) * min(bottom - top, height) / (width * height)
    sizes = dict(width=width, height=height, side=s.side)
    if kept > 0.995:
        return t("resnet18.cut.none", **sizes)
    return t("resnet18.cut", **sizes, kept=f"{100 * kept:.0f}")


def familiarity(s: Shown, scores: np.ndarray) -> None:
    """Out-of-domain: the score against the threshold, in words, as a scale, with the measured rates."""
    rule: dict[str, Any] = s.model.report.get("ood") or {}
    energy = log_sum_exp(scores)
    familiar = in_domain(scores, s.model.report)
    if familiar is None:
        st.caption(t("resnet18.ood.unmeasured", energy=f"{energy:.1f}"))
        return
    score = float(scores.max()) if rule.get("score") == "max_logit" else energy
    threshold = float(rule["threshold"])
    if familiar:
        st.success(t("resnet18.ood.inside"), icon=":material/check_circle:")
    else:
        st.warning(t("resnet18.ood.outside"), icon=":material/help:")
    kind = t(f"resnet18.ood.{'max_logit' if rule.get('score') == 'max_logit' else 'energy'}")
    st.html(
        figures.score_html(
            score,
            threshold,
            span=max(6.0, abs(threshold)),
            inside=t("resnet18.ood.like"),
            outside=t("resnet18.ood.unlike"),
            here=t("resnet18.ood.here", kind=kind, score=f"{score:.1f}", threshold=f"{threshold:.1f}"),
        )
    )
    flags = rule.get("flags") or {}
    if flags:
        rates = {name: f"{100 * float(flags.get(name, 0)):.0f}" for name in ("photos", "digits", "noise")}
        st.caption(t("resnet18.ood.rates", keeps=f"{100 * float(rule.get('keeps', 0.95)):.0f}", **rates))


# ---------------------------------------------------------------- where it looked


@fragment
def looked(s: Shown) -> None:
    """Grad-CAM of any of the likeliest classes, and the logit as the sum of its evidence."""
    st.header(t("resnet18.cam.title"), anchor="cam")
    st.markdown(t("resnet18.cam.lead"))
    scores = logits(s)
    top = best(scores)
    linked = state.get(CLASS)
    if 0 <= linked < len(scores) and linked not in top:
        top.append(linked)
    target = st.pills(
        t("resnet18.cam.class"),
        top,
        format_func=lambda i: state.plain(s.labels[i].name),
        required=True,
        wrap=True,
        **state.bind(CLASS, allowed=top),
    )
    target = state.get(CLASS, allowed=top) if target is None else int(target)
    tap = view.LAST
    if s.engine == "torch":
        tap = st.segmented_control(
            t("resnet18.cam.stage"),
            view.STAGE_ENDS,
            format_func=lambda name: t("resnet18.stage", n=name[5]),
            **state.bind(STAGE),
        ) or state.get(STAGE)
    else:
        st.caption(t("resnet18.cam.torch"))
    cam = _cam(s.key, tap, target, s)
    left, right = st.columns(2, gap="large")
    with left:
        at = _cam_picture(s, cam, target, exact=tap == view.LAST)
    with right:
        _logit_worked(s, target, float(scores[target]), at if tap == view.LAST else None)


def _cam_picture(s: Shown, cam: np.ndarray, target: int, exact: bool) -> tuple[int, int] | None:
    """The map over the picture; returns the picked position (row, column) of the map.

    exact: at the last stage every position is marked with what it adds to the logit.
    """
    key = "resnet18.cam"
    rows, columns = cam.shape
    pick = last_pick(key, PLACE, within=(s.side, s.side))
    at = None
    shapes: list[Shape] = []
    if exact:
        shares = view.evidence(s.model.state, taps(s)[view.LAST][0], target)
        shapes = [
            Grid(step=s.side / columns, style=Style(width=0.7, opacity=0.35, colour="plain", halo=False))
        ]
        shapes += figures.share_labels(shares, s.side)
    if pick is not None and exact:
        at = pick[1] * rows // s.side, pick[0] * columns // s.side
        shapes.append(cell_rect(at, cam.shape, s.side))
    picture(
        s.image,
        key,
        t("resnet18.cam.alt", name=s.labels[target].name),
        layer=figures.cam_overlay(s.image, cam),
        layer_opacity=1.0,
        layer_label=t("resnet18.cam.layer"),
        overlays=shapes,
        show_pick=False,
        step=max(1, s.side // columns),
        height=SMALL,
        hint=t("resnet18.cam.hint") if exact else "",
        pick=exact,
        param=PLACE,
    )
    st.caption(
        t("resnet18.cam.size", rows=rows, columns=columns) + (" " + t("resnet18.cam.shares") if exact else "")
    )
    if not cam.any():
        st.info(t("resnet18.cam.empty", name=state.plain(s.labels[target].name)))
    return at


def cell_rect(at: tuple[int, int], shape: tuple[int, ...], side: int) -> Rect:
    """The part of the picture that a cell (row, column) of a map stands over."""
    height, width = side / shape[0], side / shape[1]
    return Rect(x=at[1] * width, y=at[0] * height, width=width, height=height, style=Style(width=2.5))


def _logit_worked(s: Shown, target: int, stored: float, at: tuple[int, int] | None) -> None:
    """The logit as a sum over positions or over channels."""
    last = taps(s)[view.LAST][0]
    name = state.plain(s.labels[target].name)
    st.markdown(t("resnet18.logit.lead", name=name))
    by = st.segmented_control(
        t("resnet18.logit.by"),
        ("position", "channel"),
        format_func=lambda v: t(f"resnet18.logit.by.{v}"),
        **state.bind(TERMS),
    ) or state.get(TERMS)
    if by == "position":
        formula = r"z=\sum_{i,j}\Big(\tfrac1{HW}\sum_c w_c\,y_{cij}\Big)+b"
        show_worked(view.worked_evidence(s.model.state, last, target, stored), "z", formula)
    else:
        formula = r"z=\sum_c w_c f_c+b,\qquad f_c=\tfrac1{HW}\sum_{i,j}y_{cij}"
        show_worked(view.worked_logit(s.model.state, taps(s)["features"][0], target, stored), "z", formula)
    if at is not None:
        share = view.evidence(s.model.state, last, target)[at]
        st.markdown(t("resnet18.logit.here", row=at[0], column=at[1], value=f"{share:+.3f}"))


def show_worked(worked: view.Worked, symbol: str, formula: str = "", bias: str = "b") -> None:
    """One number taken apart: the eight largest terms and the rest, recomputed, beside the net's own number."""
    if worked.outer in ("", "relu") and not worked.plain:
        labels = (view.latex_name(name) for name in worked.names)
        worked_sum(
            list(zip(labels, worked.left.tolist(), worked.right.tolist(), strict=True)),
            worked.bias,
            worked.stored,
            symbol=symbol,
            formula=formula,
            bias_label=bias,
            activation="relu" if worked.outer == "relu" else "",
            slack=16,  # batch norm and convolution were rounded one after the other
        )
        return
    if formula:
        st.latex(formula)
    order = np.argsort(-np.abs(worked.terms), kind="stable")
    table = [f"| {t('resnet18.term')} | {t('resnet18.product')} |", "|:--|--:|"]
    shown = 8 if len(order) > 9 else len(order)  # a rest of one is no rest
    table += [f"| {worked.names[i]} | {worked.terms[i]:+.5f} |" for i in order[:shown]]
    rest = worked.terms[order[shown:]]
    if len(rest) and worked.outer != "max":
        table.append(f"| {t('resnet18.rest', n=len(rest))} | {rest.sum():+.5f} |")
    if worked.bias:
        table.append(f"| {t('resnet18.bias')} | {worked.bias:+.5f} |")
    st.markdown("\n".join(table))
    st.markdown(
        t(
            f"resnet18.worked.{worked.outer or 'sum'}",
            before=f"{worked.before:.6f}",
            value=f"{worked.value:.6f}",
            stored=f"{worked.stored:.6f}",
            difference=f"{abs(worked.difference):.1e}",
        )
    )


# ---------------------------------------------------------------- inside


@fragment
def inside(s: Shown) -> None:
    """The architecture, any of its tensors, what a cell sees, and how its number comes about."""
    st.header(t("resnet18.inside.title"), anchor="inside")
    st.markdown(t("resnet18.inside.lead"))
    block = architecture(CARD, s.model.config, "resnet18.drawing", selected="layer1.1", param=BLOCK)
    specs = taps_of_block(CARD, s.model.config, block)
    if not specs:  # the picture itself
        picture(
            s.image,
            "resnet18.input",
            t("resnet18.seen.alt", side=s.side),
            height=SMALL,
            pick=False,
            pixelated=True,
        )
        return
    names = [spec.name for spec in specs]
    if state.get(TAP) not in names:
        state.put(TAP, names[-1])
    tap = state.get(TAP)
    if len(names) > 1:
        tap = st.segmented_control(
            t("resnet18.inside.tap"),
            names,
            format_func=lambda name: t(f"resnet18.part.{name.rsplit('.', 1)[-1]}"),
            **state.bind(TAP, allowed=names),
        ) or state.get(TAP)
    spec = next(spec for spec in specs if spec.name == tap)
    if spec.kind == "feature_map":
        _feature_map(s, spec)
    else:
        labels = [label.name for label in s.labels] if spec.kind == "logits" else None
        tap_view(s.model, spec, taps(s)[tap], "resnet18.vector", labels=labels)


def _feature_map(s: Shown, spec: TapSpec) -> None:
    """A feature map, with what its picked cell sees and how its number comes about."""
    key = "resnet18.map"
    channel_key, cell_key = f"{key}.channel", f"{key}.cell"
    array = taps(s)[spec.name]
    _, channels, rows, columns = array.shape
    lively = liveliest(array[0])
    _follow(CHANNEL, channel_key, lively, channels, (spec.name, s.key))
    channel = int(st.session_state[channel_key])
    peak = int(np.abs(array[0, channel]).argmax())
    strongest = (peak % columns, peak // columns)
    own, auto_key = state.get(CELL), f"{cell_key}.auto"
    if own is not None and st.session_state.get(f"{cell_key}.linked") != own:
        set_pick(cell_key, own)
    pick = last_pick(cell_key, within=(columns, rows))
    if pick is None or (own is None and pick == st.session_state.get(auto_key)):
        set_pick(cell_key, strongest)  # nobody has picked a cell: the strongest one of this channel
        st.session_state[auto_key] = strongest

    seen = tap_view(s.model, spec, array, key, image=s.image)
    column, row = last_pick(cell_key) or strongest
    channel = int(seen.at["channel"])
    _keep(CHANNEL, channel_key, channel, lively)
    if own is not None or (column, row) != strongest:
        state.put(CELL, (column, row))
    st.session_state[f"{cell_key}.linked"] = state.get(CELL)

    left, right = st.columns(2, gap="large")
    with left:
        _what_it_sees(s, spec.name, (channel, row, column), (rows, columns), cell_key)
    with right:
        st.subheader(t("resnet18.number.title"), anchor=False)
        st.markdown(t("resnet18.number.lead", channel=channel, row=row, column=column))
        x, maps = s.x[0], {name: a[0] for name, a in taps(s).items()}
        worked = view.worked_cell(s.model.state, x, maps, spec.name, (channel, row, column))
        if not worked.plain:
            st.caption(t("resnet18.number.folded"))
        show_worked(worked, f"y_{{{channel},{row},{column}}}", spec.formula, bias="b'")


def liveliest(maps: np.ndarray) -> int:
    """The channel with the largest variance, padding's traces at the edges left out: something to see at once."""
    inner = maps[:, 1:-1, 1:-1] if min(maps.shape[1:]) > 4 else maps
    return int(inner.reshape(len(maps), -1).var(axis=1).argmax())


def _follow(param: state.Param[int | None], key: str, auto: int, count: int, mark: object) -> None:
    """Bring a choice of one of `count` into a widget's key, before the widget is made.

    The visitor's own choice, or the link's, stays; without one, `auto` stands, anew for every `mark`.
    """
    own, session = state.get(param), st.session_state
    if own is None:
        if key not in session or session.get(f"{key}.for") != mark:
            session[key] = auto
    elif key not in session or session.get(f"{key}.linked") != own:
        session[key] = own
    if not 0 <= session[key] < count:
        session[key] = auto
    session[f"{key}.for"], session[f"{key}.linked"] = mark, own


def _keep(param: state.Param[int | None], key: str, value: int, auto: int) -> None:
    """Write a widget's value into the link, unless it is what stands there by itself."""
    if state.get(param) is not None or value != auto:
        state.put(param, value)
        st.session_state[f"{key}.linked"] = value


FIELD_FORMULA = (
    r"\begin{aligned}r_\ell&=r_{\ell-1}+(k_\ell-1)\,j_{\ell-1}\\"
    r"a_\ell&=a_{\ell-1}-p_\ell\,j_{\ell-1}\\ j_\ell&=s_\ell\,j_{\ell-1}\end{aligned}"
)


def _what_it_sees(
    s: Shown, tap: str, cell: tuple[int, int, int], shape: tuple[int, int], cell_key: str
) -> None:
    """The receptive field of a cell over the picture: exact by arithmetic, and by gradient where torch is."""
    st.subheader(t("resnet18.field.title"), anchor=False)
    field = figures.field_of(tap)
    _, row, column = cell
    (top, bottom), (left, right) = field.span(row), field.span(column)
    y0, y1 = figures.clipped((top, bottom), s.side)
    x0, x1 = figures.clipped((left, right), s.side)
    cut = (x0, y0, x1, y1) != (left, top, right, bottom)
    shapes: list[Shape] = [
        Rect(
            x=x0,
            y=y0,
            width=max(0, x1 - x0 + 1),
            height=max(0, y1 - y0 + 1),
            label=f"{field.size} × {field.size}",
            style=Style(width=2.5, fill=0.12, dashed=cut),
        ),
        Dot(x=field.centre(column) + 0.5, y=field.centre(row) + 0.5, radius=4, style=Style(colour="second")),
    ]
    rows, columns = shape

    def from_image(pick: Pick) -> None:
        set_pick(cell_key, (field.cell_at(pick[0], columns), field.cell_at(pick[1], rows)))

    layer, strength = None, 0.0
    if s.engine == "torch" and st.toggle(
        t("resnet18.field.effect"), help=t("resnet18.field.effect.help"), **state.bind(INFLUENCE)
    ):
        influence = _influence(s.key, tap, cell, s)
        if not influence.any():
            st.caption(t("resnet18.field.silent"))
        layer, strength = figures.cam_overlay(s.image, influence), 1.0
    picture(
        s.image,
        "resnet18.field",
        t("resnet18.field.alt", row=row, column=column, x0=x0, x1=x1, y0=y0, y1=y1),
        overlays=shapes,
        layer=layer,
        layer_opacity=strength,
        layer_label=t("resnet18.field.layer"),
        show_pick=False,
        step=field.stride,
        height=SMALL,
        hint=t("resnet18.field.hint"),
        on_pick=from_image,
    )
    seen = (x1 - x0 + 1) * (y1 - y0 + 1) / s.side**2
    st.markdown(
        t(
            "resnet18.field.says",
            size=field.size,
            stride=field.stride,
            share=f"{100 * seen:.0f}",
            x0=figures.whole(left),
            x1=figures.whole(right),
            y0=figures.whole(top),
            y1=figures.whole(bottom),
        )
        + (" " + t("resnet18.field.cut") if cut else "")
    )
    with st.expander(t("resnet18.field.how")):
        st.latex(FIELD_FORMULA)
        st.latex(figures.size_formula(tap))
        st.markdown(field_table(tap))
        st.caption(t("resnet18.field.table"))
    if s.engine != "torch":
        st.caption(t("resnet18.field.torch"))


def field_table(tap: str) -> str:
    """Every layer on the way with its kernel, stride and padding and the field after it, as a Markdown table."""
    rows = [f"| {t('resnet18.layer')} | $k$ | $s$ | $p$ | $r$ | $j$ | $a$ |", "|:--|--:|--:|--:|--:|--:|--:|"]
    for layer, _, after in figures.field_steps(tap):
        rows.append(
            f"| {layer.name} | {layer.kernel} | {layer.stride} | {layer.padding} | {after.size} | {after.stride} "
            f"| {figures.whole(after.first)} |"
        )
    return "\n".join(rows)


# ---------------------------------------------------------------- the two branches


@fragment
def branches(s: Shown) -> None:
    """F(x) beside the shortcut, block by block."""
    st.header(t("resnet18.branches.title"), anchor="branches")
    st.markdown(t("resnet18.branches.lead"))
    everything = taps(s)
    balances = _balances(s.key, s)
    block = st.pills(
        t("resnet18.branches.block"), BLOCKS, required=True, wrap=True, **state.bind(PAIR)
    ) or state.get(PAIR)
    here = balances[BLOCKS.index(block)]
    residual, shortcut = everything[f"{block}.residual"][0], everything[f"{block}.shortcut"][0]
    key = "resnet18.pair.channel"
    count, lively = len(residual), liveliest(np.maximum(residual + shortcut, 0))
    _follow(PAIR_CHANNEL, key, lively, count, (block, s.key))
    left, right = st.columns([3, 2], gap="large")
    with left:
        channel = int(
            st.number_input(
                t("inside.channel"), 0, count - 1, step=1, key=key, help=t("inside.choose_help", count=count)
            )
        )
        _keep(PAIR_CHANNEL, key, channel, lively)
        _four(residual[channel], shortcut[channel], block, channel)
        st.caption(
            t("resnet18.branches.projection" if view.has_projection(block) else "resnet18.branches.identity")
        )
        one, two, three = st.columns(3)
        one.metric(t("resnet18.branches.ratio"), f"{here.ratio:.2f}", help=t("resnet18.branches.ratio.help"))
        two.metric(
            t("resnet18.branches.cosine"), f"{here.cosine:+.2f}", help=t("resnet18.branches.cosine.help")
        )
        three.metric(
            t("resnet18.branches.cut"), f"{100 * here.cut:.0f}%", help=t("resnet18.branches.cut.help")
        )
    with right:
        words = {name: t(f"resnet18.chart.{name}") for name in ("residual", "shortcut", "ratio", "title")}
        drawing(
            responsive(lambda width: figures.balance_chart(balances, words, block, width), wide=460),
            "resnet18.balance",
            selected=block,
            on_pick=lambda name: state.put(PAIR, name),
        )
        most = max(balances, key=lambda b: b.ratio)
        least = min(balances, key=lambda b: b.ratio)
        st.markdown(
            t(
                "resnet18.branches.says",
                most=most.block,
                most_ratio=f"{most.ratio:.2f}",
                least=least.block,
                least_ratio=f"{least.ratio:.2f}",
            )
        )


def _four(residual: np.ndarray, shortcut: np.ndarray, block: str, channel: int) -> None:
    """F(x), the shortcut, their sum and what ReLU leaves, of one channel, all in the same colours."""
    total = residual + shortcut
    sheet = atlas(
        np.stack([residual, shortcut, total, np.maximum(total, 0)]), columns=4, pad=2, kind="diverging"
    )
    names = ("F(x)", "s(x)" if view.has_projection(block) else "x", t("resnet18.sum"), "ReLU")
    st.html(
        '<div style="display:grid;grid-template-columns:repeat(4,1fr);text-align:center;font-size:.85rem">'
        + "".join(f"<span>{name}</span>" for name in names)
        + "</div>"
    )
    picture(
        sheet.image,
        "resnet18.four",
        t("resnet18.four.alt", channel=channel, block=block),
        pixelated=True,
        show_pick=False,
        step=sheet.tile_w + sheet.pad,
        tiles=sheet.tiles(lambda i: names[i]),
        hint=t("resnet18.four.hint"),
        scale=("diverging", sheet.limits),
    )


# ---------------------------------------------------------------- first-layer filters


@fragment
def filters(s: Shown) -> None:
    """The 7×7 filters as colour pictures; a click shows what one of them answers to the picture."""
    st.header(t("resnet18.filters.title"), anchor="filters")
    st.markdown(t("resnet18.filters.lead"))
    weights = s.model.state["conv1.weight"]
    sheet = _sheet(s.model.key, weights)
    chosen = min(state.get(FILTER), len(weights) - 1)

    def from_sheet(pick: Pick) -> None:
        index = sheet.at(*pick)
        if index is not None:
            state.put(FILTER, index)

    left, right = st.columns(2, gap="large")
    with left:
        x, y = sheet.corner(chosen)
        picture(
            sheet.image,
            "resnet18.filters",
            t("resnet18.filters.alt", count=len(weights)),
            overlays=[Rect(x=x, y=y, width=sheet.cell, height=sheet.cell, style=Style(width=3))],
            pixelated=True,
            show_pick=False,
            step=sheet.cell + sheet.gap,
            height=440,
            hint=t("resnet18.filters.hint"),
            on_pick=from_sheet,
        )
        st.caption(t("resnet18.filters.grey"))
    with right:
        response = taps(s)["stem"][0, chosen]
        picture(
            colormap(response, "sequential", limits_of(response)),
            "resnet18.response",
            t("resnet18.filters.response.alt", n=chosen),
            layer=s.image,
            layer_opacity=0.0,
            layer_label=t("inside.input_layer"),
            pixelated=True,
            pick=False,
            height=SMALL,
            hint=t("resnet18.filters.response", n=chosen),
            scale=("sequential", limits_of(response)),
        )
        w = weights[chosen]
        st.caption(
            t(
                "resnet18.filters.numbers",
                n=chosen,
                low=f"{w.min():+.3f}",
                high=f"{w.max():+.3f}",
                sum=f"{w.sum():+.3f}",
                grey=f"{100 * colourless(w):.0f}",
                off=f"{100 * np.mean(response <= 0):.0f}",
            )
        )


@st.cache_resource(max_entries=8, show_spinner=False)
def _sheet(key: str, _weights: np.ndarray) -> figures.Sheet:
    """The sheet of a model's filters, drawn once."""
    return figures.filter_sheet(_weights)


def colourless(weights: np.ndarray) -> float:
    """Share of a filter's energy that is the same in red, green and blue: 1 for a filter that sees no colour."""
    total = float((weights.astype(np.float64) ** 2).sum())
    grey = 3 * float((weights.astype(np.float64).mean(axis=0) ** 2).sum())
    return grey / total if total else 1.0


# ---------------------------------------------------------------- play


@fragment
def play(s: Shown) -> None:
    """Switch branches off and see what becomes of the answer."""
    st.header(t("resnet18.play.title"), anchor="play")
    st.markdown(t("resnet18.play.lead"))

    def put_back() -> None:
        state.put(NO_F, [])
        state.put(NO_X, [])

    def switch(part: str) -> None:
        kind, _, block = part.partition(":")
        param = NO_F if kind == "f" else NO_X
        now: list[str] = state.get(param)
        state.put(param, sorted({*now} ^ {block}))

    words = {name: t(f"resnet18.play.{name}") for name in ("residual", "shortcut", "on", "off")}
    words["title"] = t("resnet18.play.drawing")
    off: tuple[list[str], list[str]] = (state.get(NO_F), state.get(NO_X))
    no_f, no_x = tuple(off[0]), tuple(off[1])
    wide = figures.circuit(BLOCKS, no_f, no_x, words)
    narrow = figures.circuit(BLOCKS, no_f, no_x, words, columns=4, width=352)
    drawing(
        f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>',
        "resnet18.circuit",
        on_pick=switch,
    )
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(t("resnet18.play.how"))
        st.button(
            t("resnet18.play.reset"),
            on_click=put_back,
            disabled=not (no_f or no_x),
            icon=":material/restart_alt:",
        )
        st.caption(t("resnet18.play.theory"))
    before = softmax(logits(s))
    after = softmax(logits(s, no_f, no_x))
    first = int(before.argmax())
    with right:
        st.markdown(_what_became(s, no_f, no_x, before, after))
        shown_classes = list(dict.fromkeys([*best(after), first]))[:6]
        bars = [
            figures.Bar(s.labels[i].name, s.labels[i].icon, float(after[i]), float(before[i]))
            for i in shown_classes
        ]
        st.html(figures.answer_html(bars, t("resnet18.play.bars.alt")))
        st.caption(t("resnet18.play.tick"))


def _what_became(
    s: Shown, no_f: tuple[str, ...], no_x: tuple[str, ...], before: np.ndarray, after: np.ndarray
) -> str:
    """One sentence about the answer with the branches taken out."""
    first, now = int(before.argmax()), int(after.argmax())
    if not no_f and not no_x:
        return t("resnet18.play.whole", name=state.plain(s.labels[first].name))
    values = dict(
        first=state.plain(s.labels[first].name),
        before=percent(float(before[first])),
        after=percent(float(after[first])),
        now=state.plain(s.labels[now].name),
    )
    return t("resnet18.play.stays" if first == now else "resnet18.play.flips", **values)


@fragment
def one_by_one(s: Shown) -> None:
    """Every branch of every block taken out alone: sixteen runs."""
    target = int(logits(s).argmax())
    whole = float(softmax(logits(s))[target])
    found = _removals(s.key, target, s)
    without = {
        branch: [r.probability for r in found if r.branch == branch] for branch in ("residual", "shortcut")
    }
    name = s.labels[target].name
    words = {name: t(f"resnet18.removal.{name}") for name in ("residual", "shortcut", "whole", "title")}
    st.markdown(t("resnet18.removal.lead", name=state.plain(name)))

    def switch(block: str) -> None:
        now: list[str] = state.get(NO_F)
        state.put(NO_F, sorted({*now} ^ {block}))

    drawing(
        responsive(lambda width: figures.removal_chart(BLOCKS, without, whole, words, width), wide=760),
        "resnet18.removal",
        on_pick=switch,
    )
    flips = {
        branch: sum(r.winner != target for r in found if r.branch == branch)
        for branch in ("residual", "shortcut")
    }
    worst = min(found, key=lambda r: r.probability)
    st.markdown(
        t(
            "resnet18.removal.says",
            residual=flips["residual"],
            shortcut=flips["shortcut"],
            block=worst.block,
            branch=t(f"resnet18.removal.{worst.branch}"),
            after=percent(worst.probability),
            winner=state.plain(s.labels[worst.winner].name),
        )
    )


# ---------------------------------------------------------------- notes, take away

ERRATA = {
    "E06": "test_E06_with_F_zero_the_block_is_relu_and_not_the_identity",
    "E07": "test_E07_the_projection_carries_the_stride_and_a_batch_norm",
    "E63": "test_E63_gradients_of_a_deep_plain_net_with_batch_norm_do_not_vanish",
}
ERRATA_FILE = "tests/models/cnn/test_resnet18_errata.py"
PAPERS = (
    ("He, Zhang, Ren, Sun", "Deep Residual Learning for Image Recognition", 2015, "1512.03385", "residual"),
    ("He, Zhang, Ren, Sun", "Identity Mappings in Deep Residual Networks", 2016, "1603.05027", "identity"),
    ("Veit et al.", "Residual Networks Behave Like Ensembles of Relatively Shallow Networks",
     2016, "1605.06431", "ensemble"),
    ("Selvaraju et al.", "Grad-CAM: Visual Explanations from Deep Networks", 2016, "1610.02391", "cam"),
    ("Luo, Li, Urtasun, Zemel", "Understanding the Effective Receptive Field", 2017, "1701.04128", "field"),
    ("Liu, Wang, Owens, Li", "Energy-based Out-of-distribution Detection", 2020, "2010.03759", "energy"),
)  # fmt: skip


def notes() -> None:
    """What the study notes say otherwise, with the test that shows it, and the papers."""
    st.header(t("resnet18.notes.title"), anchor="notes")
    for erratum, test in ERRATA.items():
        with st.container(border=True):
            st.markdown(f"**{erratum}** · {t(f'resnet18.note.{erratum}')}")
            st.caption(t("resnet18.notes.test", test=test, file=ERRATA_FILE))
    lines = [
        f"- {authors}: [{title}](https://arxiv.org/abs/{number}), {year}. {t(f'resnet18.paper.{word}')}"
        for authors, title, year, number, word in PAPERS
    ]
    st.markdown("\n".join(lines))


@fragment
def take_away(s: Shown) -> None:
    """The class activation map with the picture, the logits, and the link."""
    from app.widgets import share

    st.header(t("resnet18.take.title"), anchor="take")
    st.markdown(t("resnet18.take.lead"))
    scores = logits(s)
    target = state.get(CLASS)
    target = target if 0 <= target < len(scores) else int(scores.argmax())
    cam = _cam(s.key, view.LAST, target, s)
    title = f"Grad-CAM: {s.labels[target].name}"

    def overlay() -> np.ndarray:  # runs when the button is pressed, outside of the page
        return figures.cam_overlay(figures.enlarge(s.image, 480), cam)

    share.take_away(
        "resnet18.take",
        f"resnet18-{s.weights_id}-{s.sha[:8]}",
        png=overlay,
        svg=lambda: to_svg(overlay(), title=title),
        tensor=scores,
        axes=("class",),
    )

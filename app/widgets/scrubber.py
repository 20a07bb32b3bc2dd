"""Step through a path in the browser: several strips side by side, with the numbers of the step under them.

Everything is sent once (at most 2 MB); slider, playing, dragging over the pictures and the numbers that change with
the step cost no rerun. Two things may come back, each for one rerun of the fragment that the scrubber stands in:
the step, a quarter of a second after it came to rest (`report=True`), and a place that was picked (`pick`). They are
remembered in the session, the step in a `state.Param` too if one is given, so that a link restores it:

    chosen = scrubber(
        [Strip("x_t", t("ddpm.strip.x"), x), Strip("x_0", t("ddpm.strip.x0"), x0)],
        "ddpm.path",
        readouts={"t": [...], "SNR": [...]},
        positions=[f"t = {t}" for t in path.t],
        alt=t("ddpm.path.alt"),
        report=True,
        pick=True,
        param=STEP,
    )

Keyboard: arrow keys, Home and End on the slider, space plays and pauses; a picture that can be picked is reached by
Tab, arrow keys move a frame in it, Enter picks, Escape leaves, Page Up and Page Down change the step.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import streamlit as st

from app.figures.film_strip import Mosaic, Sheet, Strip, as_frames, flat, mosaic_of, pack as pack_sheets
from app.text import t
from app.widgets import state, steps
from app.widgets.packing import Encoded, content_id
from app.widgets.picture import component
from app.widgets.steps import Held, checked, heights, set_step

__all__ = ["Pick", "Scrub", "Strip", "last_scrub", "scrubber", "set_step"]

HEIGHT = 300  # most CSS pixels of a picture


class Pick(NamedTuple):
    """A picked place: the strip's id, the pixel (from the sample's corner, where frames hold several), the sample."""

    strip: str
    x: int
    y: int
    sample: int = 0


@dataclass(frozen=True)
class Scrub:
    """The step as Python knows it (see `report`), and the last pick, None before the first."""

    step: int
    pick: Pick | None = None


def last_scrub(key: str) -> Scrub | None:
    """What `scrubber` returned, or will return in this run; None before it has been shown."""
    held = steps.last(key)
    return None if held is None else Scrub(held.step, held.pick)


def _on_pick(
    key: str, mosaics: Mapping[str, Mosaic | None], sizes: Mapping[str, tuple[int, int]],
    param: state.Param[int] | None, on_pick: Callable[[Pick], None] | None, cell: int,
) -> Callable[[], None]:  # fmt: skip
    """The callback of a pick: a trigger lives for one run only, so it is written down before that run begins."""

    def taken() -> None:
        sent = st.session_state[key].get("pick")
        if not isinstance(sent, dict) or sent.get("strip") not in sizes:
            return  # not sent by our own script
        if not all(isinstance(sent.get(name), int) for name in ("x", "y", "step")):
            return
        strip, x, y = str(sent["strip"]), int(sent["x"]), int(sent["y"])
        height, width = sizes[strip]
        mosaic = mosaics[strip]
        place = mosaic.at(x, y) if mosaic is not None else (0, x, y)
        if place is None or not (0 <= x < width and 0 <= y < height):
            return
        held: Held = st.session_state[steps.shelf(key)]
        held.pick = Pick(strip, place[1] // cell, place[2] // cell, place[0])
        steps.reported(held, int(sent["step"]), param)
        if on_pick is not None:
            on_pick(held.pick)

    return taken


@st.cache_data(max_entries=24, show_spinner=False)
def _sheets(name: str, pixelated: bool, alike: bool, _strips: Sequence[np.ndarray]) -> list[Sheet]:
    """Packed once for each content: packing on every run would be felt at every click."""
    return pack_sheets(_strips, pixelated=pixelated, alike=alike)


def _file(sheet: Sheet) -> Encoded:
    name = hashlib.blake2b(sheet.data, digest_size=8).hexdigest()
    return Encoded(sheet.data, sheet.mime, sheet.sheet_width, sheet.sheet_height, name)


def _described(strip: Strip, frames: np.ndarray, sheet: Sheet, mosaic: Mosaic | None) -> dict[str, Any]:
    """What the browser needs to know of a strip."""
    tiles = None
    if mosaic is not None:
        tiles = dict(count=mosaic.count, columns=mosaic.columns, width=mosaic.width, height=mosaic.height)
        tiles |= {"gap": mosaic.gap}
    return {
        "id": strip.id,
        "label": strip.label,
        "width": frames.shape[2],
        "height": frames.shape[1],
        "columns": sheet.columns,
        "frame": [sheet.width, sheet.height],
        "step": [sheet.step_x, sheet.step_y],
        "tiles": tiles,
    }


def _on_frame(
    pick: Pick | None, strips: Sequence[Strip], mosaics: Sequence[Mosaic | None], cell: int
) -> dict[str, Any] | None:
    """A pick as the browser speaks of it: in pixels of the whole frame. None where its place is gone."""
    for strip, mosaic in zip(strips, mosaics, strict=True):
        if pick is not None and strip.id == pick.strip and pick.sample < (mosaic.count if mosaic else 1):
            row, column = mosaic.corner(pick.sample) if mosaic else (0, 0)
            return {"strip": strip.id, "point": [column + pick.x * cell, row + pick.y * cell]}
    return None


def scrubber(
    strips: Sequence[Strip],
    key: str,
    *,
    readouts: Mapping[str, Sequence[str]] | None = None,
    positions: Sequence[str] = (),
    alt: str = "",
    start: int = -1,
    fps: float = 12.0,
    pixelated: bool = True,
    report: bool = False,
    pick: bool | Literal["sample"] = False,
    cell: int = 1,
    picked: Pick | None = None,
    marks: Mapping[int, str] | None = None,
    curve: tuple[str, Sequence[float]] | None = None,
    compare: tuple[str, str] | None = None,
    autoplay: bool = False,
    loop: bool = False,
    height: int = HEIGHT,
    hint: str | None = None,
    param: state.Param[int] | None = None,
    on_pick: Callable[[Pick], None] | None = None,
) -> Scrub:
    """Show strips of frames under one slider; returns the step and the last pick that Python knows of.

    strips: each with one frame a step, at most 200 steps (ValueError beyond, and where 2 MB are not enough).
    readouts: label → one short text a step, under the pictures. positions: what each step is called ("t = 999").
    start: the first step shown, -1 for the last; when the frames change the step stays, the last stays the last.
    report: tell Python the step once it rests; else `step` is that of `start` or of the last pick.
    pick: clicks, taps and Enter pick a pixel; "sample" picks a whole sample of frames that hold several.
    cell: so many pixels across are one place, picked, marked and counted as one. picked: the place that is marked,
    instead of the last pick.
    marks: steps with a tick under the slider, and what each means. curve: (label, one number a step) drawn over it.
    compare: ids of two strips whose difference |a − b| is shown beside them, computed in the browser.
    loop: playing starts again after the last step. autoplay: from `start`, and after each `set_step`, unless the reader
    asked for less motion.
    pixelated: enlarged pixels are squares. height: most CSS pixels of a picture. hint: words below, "" for none.
    param: keeps the step in the link (-1 = last); it wins over `start`. on_pick: called before the rerun.
    """
    raw = [as_frames(strip.frames) for strip in strips]
    mosaics = [mosaic_of(frames) for frames in raw]
    frames = [flat(f, mosaic) for f, mosaic in zip(raw, mosaics, strict=True)]
    sheets = _sheets("".join(content_id(f) for f in frames), pixelated, compare is not None, frames)
    count = len(frames[0])
    shapes = [f.shape for s, f in zip(strips, frames, strict=True) if compare is not None and s.id in compare]
    if compare is not None and (len(shapes) != 2 or shapes[0] != shapes[1]):
        raise ValueError(f"no two strips of one size are called {compare}")
    held = steps.recall(key, count, start, param)
    files = [_file(sheet) for sheet in sheets]
    header: dict[str, Any] = {
        "strips": [_described(*of) for of in zip(strips, frames, sheets, mosaics, strict=True)],
        "count": count,
        "start": held.start,
        "turn": held.turn,
        "readouts": [[label, checked(label, values, count)] for label, values in (readouts or {}).items()],
        "positions": checked("positions", positions, count) if positions else [],
        "alt": alt,
        "fps": fps,
        "pixelated": pixelated,
        "report": report,
        "pick": pick,
        "cell": cell,
        "picked": _on_frame(picked or held.pick, strips, mosaics, cell),
        "marks": [[step, words] for step, words in (marks or {}).items() if 0 <= step < count],
        "curve": None if curve is None else [curve[0], heights(checked(curve[0], curve[1], count))],
        "compare": list(compare or ()),
        "autoplay": autoplay,
        "loop": loop,
        "max_height": height,
        "words": _words(_hint(pick) if hint is None else hint, cell),
    }
    component("scrubber", "steps")(
        data=steps.message(held, header, files),
        key=key,
        on_step_change=steps.on_step(key, param),
        on_pick_change=_on_pick(
            key,
            {s.id: m for s, m in zip(strips, mosaics, strict=True)},
            {s.id: f.shape[1:3] for s, f in zip(strips, frames, strict=True)},
            param,
            on_pick,
            cell,
        ),
        on_need_change=steps.on_need(key),
    )
    return Scrub(held.step, held.pick)


def _hint(pick: bool | str) -> str:
    if not pick:
        return ""
    return t("scrubber.hint_sample") if pick == "sample" else t("scrubber.hint")


def _words(hint: str, cell: int) -> dict[str, str]:
    """What the browser says; places such as {x} are filled there. Larger places are rows and columns, not pixels."""
    places = {name: f"{{{name}}}" for name in ("strip", "sample", "x", "y")}
    return {
        "play": t("scrubber.play"),
        "pause": t("scrubber.pause"),
        "step": t("scrubber.step"),
        "of": t("scrubber.step_of", step="{step}", count="{count}"),
        "keys": t("scrubber.keys"),
        "at": t("scrubber.at" if cell == 1 else "scrubber.at_cell", **places),
        "at_in_sample": t("scrubber.at_in_sample", **places),
        "at_sample": t("scrubber.at_sample", **places),
        "picked": t("scrubber.picked", at="{at}"),
        "difference": t("scrubber.difference"),
        "hint": hint,
    }

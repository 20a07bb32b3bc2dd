"""Take away: a link to this very view, the figure as PNG and SVG, the shown tensor as NPZ and CSV.

Every file is made when its button is pressed, not on each run of the page. A plotly chart is saved by the browser
that draws it, so that no second browser has to be installed on the server.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import streamlit as st
from PIL import Image

from app import text
from app.engine.film import film
from app.figures.charts import for_file
from app.text import t
from app.widgets.picture import component

CSV_ROWS = 200_000
Figure = Image.Image | np.ndarray | bytes


def take_away(
    key: str,
    name: str,
    *,
    png: Callable[[], Figure] | None = None,
    svg: Callable[[], str] | None = None,
    tensor: np.ndarray | Callable[[], np.ndarray] | None = None,
    axes: Sequence[str] = (),
    chart: str = "",
    link: bool = True,
) -> None:
    """A row of buttons.

    name: stem of the files. png, svg: make the figure as it is shown. tensor: the shown numbers, one name in `axes`
    for each dimension. chart: key of a `st.plotly_chart`, saved as PNG and SVG by the browser. link: the copy-link
    button. The callables run outside of the page: no Streamlit command and no `t` inside.
    """
    stem = file_stem(name)
    with st.container(horizontal=True, vertical_alignment="center", key=f"v-take-{key}"):
        if link:
            copy_link(f"{key}.link")
        if png is not None:
            file_button(
                f"{key}.png", "PNG", t("share.png"), lambda: as_png(png()), f"{stem}.png", "image/png"
            )
        if svg is not None:
            file_button(
                f"{key}.svg",
                "SVG",
                t("share.svg"),
                lambda: for_file(svg()).encode(),
                f"{stem}.svg",
                "image/svg+xml",
            )
        if chart:
            chart_files(f"{key}.chart", chart, stem)
        if tensor is not None:
            _numbers(key, stem, tensor, tuple(axes))
    if tensor is not None and not callable(tensor) and tensor.size > CSV_ROWS:
        st.caption(t("share.csv.large", numbers=tensor.size, limit=CSV_ROWS))


def copy_link(key: str) -> None:
    """Puts the address of this view, with its language, on the clipboard; a text field where that is not allowed."""
    component("copy_link")(
        data={
            "label": t("share.link"),
            "done": t("share.link.done"),
            "by_hand": t("share.link.by_hand"),
            "hint": t("share.link.help"),
            "query": {text.PARAMETER: text.language()},
        },
        key=key,
        width="content",
    )


def film_files(key: str, stem: str, frames: Callable[[], np.ndarray], seconds: float) -> None:
    """Frames (S, H, W, 3) as a file that plays, in two formats; drawn and made when a button is pressed."""
    with st.container(horizontal=True, key=f"v-{key}"):
        for kind, mime in (("GIF", "image/gif"), ("WEBP", "image/webp")):
            st.download_button(
                t("share.film", kind=kind),
                partial(_film, frames, kind, seconds),
                f"{file_stem(stem)}.{kind.lower()}",
                mime,
                key=f"{key}.{kind}",
                help=t("share.film.help"),
                on_click="ignore",
                icon=":material/movie:",
            )


def _film(frames: Callable[[], np.ndarray], kind: str, seconds: float) -> bytes:
    return film(frames(), kind, seconds)


def chart_files(key: str, chart: str, stem: str) -> None:
    """Two buttons that save a plotly chart of this page, found by the key of its `st.plotly_chart`."""
    component("chart_files")(
        data={
            "chart": chart,
            "stem": stem,
            "png": t("share.png"),
            "svg": t("share.svg"),
            "none": t("share.chart.none"),
            "labels": {"png": t("share.chart.png"), "svg": t("share.chart.svg")},
        },
        key=key,
        width="content",
    )


def _numbers(
    key: str, stem: str, tensor: np.ndarray | Callable[[], np.ndarray], axes: tuple[str, ...]
) -> None:
    def values() -> np.ndarray:
        return tensor() if callable(tensor) else tensor

    file_button(
        f"{key}.npz", "NPZ", t("share.npz"), lambda: as_npz(values(), axes), f"{stem}.npz", "application/zip"
    )
    if callable(tensor) or tensor.size <= CSV_ROWS:
        help_ = t("share.csv", limit=CSV_ROWS)
        file_button(f"{key}.csv", "CSV", help_, lambda: as_csv(values(), axes), f"{stem}.csv", "text/csv")


def file_button(key: str, label: str, help_: str, data: Callable[[], bytes], file: str, mime: str) -> None:
    """A button that saves a file, which is made when it is pressed; pressing it costs no rerun."""
    st.download_button(
        label,
        data,
        file,
        mime,
        key=key,
        help=help_,
        on_click="ignore",
        icon=":material/download:",
        width="content",
    )


# -- files ------------------------------------------------------------------------------------------------------


def file_stem(name: str) -> str:
    """A name that every file system takes: "rstb.0 / layer 1" → "rstb.0-layer-1"."""
    return re.sub(r"[^\w.]+", "-", name, flags=re.ASCII).strip("-.")[:80] or "vitrine"


def as_png(figure: Figure) -> bytes:
    """PNG of a PIL picture or a uint8 array (H, W), (H, W, 3) or (H, W, 4); bytes are taken as a PNG file."""
    if isinstance(figure, bytes):
        return figure
    image = Image.fromarray(np.ascontiguousarray(figure)) if isinstance(figure, np.ndarray) else figure
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def as_npz(values: np.ndarray, axes: Sequence[str]) -> bytes:
    """`values` and the names of its axes, without pickle: np.load reads it as it is."""
    out = io.BytesIO()
    np.savez_compressed(out, values=values, axes=np.array(_axes(values, axes), dtype=np.str_))
    return out.getvalue()


def as_csv(values: np.ndarray, axes: Sequence[str]) -> bytes:
    """One row a number: its index on each axis, then the value (nine digits: float32 comes back exactly).

    Of a tensor with more than CSV_ROWS numbers the first CSV_ROWS, and a last line that says so.
    """
    rows = min(values.size, CSV_ROWS)
    flat = np.ascontiguousarray(values).reshape(-1)[:rows]
    index = np.unravel_index(np.arange(rows), values.shape) if values.ndim else ()
    out = io.StringIO()
    out.write(",".join([*_axes(values, axes), "value"]) + "\n")
    digits = "%.9g" if values.dtype != np.float64 else "%.17g"
    columns = [*(i.astype(np.int64).tolist() for i in index), [digits % v for v in flat.tolist()]]
    out.writelines(",".join(map(str, row)) + "\n" for row in zip(*columns, strict=True))
    if rows < values.size:
        out.write(f"# {rows} of {values.size}\n")
    return out.getvalue().encode()


def _axes(values: np.ndarray, axes: Sequence[str]) -> list[str]:
    """The names given, completed to one a dimension."""
    return [axes[i] if i < len(axes) else f"axis{i}" for i in range(values.ndim)]

"""One evaluation of the net at a moment of a path, kept for a while, so that a click does not wait for it twice."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
import streamlit as st

from app.engine import Model, run
from app.engine.diffuse import inside, prediction_of, schedule_of
from app.widgets.packing import content_id
from models.generative.schedule import to_epsilon, to_x0
from pages.ddpm_parts.moment import Moment


def taps_at(m: Moment, names: Collection[str], label: int | None = None) -> dict[str, np.ndarray]:
    """Taps of the net at this moment, each with a batch of one. label: another class than the one asked for."""
    y = m.label if label is None else label
    return _taps(m.model.key, content_id(m.x), m.t, y, tuple(sorted(set(names))), m)


@st.cache_resource(max_entries=24, show_spinner=False)
def _taps(
    key: str, x: str, t: int, label: int, names: tuple[str, ...], _moment: Moment
) -> dict[str, np.ndarray]:
    return inside(_moment.model, _moment.x, t, label, names).taps


def told(m: Moment, times: Collection[int]) -> tuple[np.ndarray, np.ndarray]:
    """The clean picture (N, C, H, W) and the noise that the net finds in this x when it is told other times."""
    found = _told(m.model.key, content_id(m.x), m.label, tuple(times), m)
    return _read(m.model, np.repeat(m.x, len(found), 0), found, list(times))


@st.cache_data(max_entries=24, show_spinner=False)
def _told(key: str, x: str, label: int, times: tuple[int, ...], _moment: Moment) -> np.ndarray:
    n = len(times)
    inputs: Mapping[str, np.ndarray] = {
        "x": np.repeat(_moment.x, n, 0),
        "timestep": np.array(times, np.int64),
        "label": np.full(n, label, np.int64),
    }
    return run(_moment.model, inputs).output


def with_labels(m: Moment, labels: Collection[int]) -> tuple[np.ndarray, np.ndarray]:
    """The clean picture (N, C, H, W) and the noise that the net finds in this x for other classes."""
    found = _labelled(m.model.key, content_id(m.x), m.t, tuple(labels), m)
    return _read(m.model, np.repeat(m.x, len(found), 0), found, [m.t] * len(found))


@st.cache_data(max_entries=24, show_spinner=False)
def _labelled(key: str, x: str, t: int, labels: tuple[int, ...], _moment: Moment) -> np.ndarray:
    return inside(_moment.model, np.repeat(_moment.x, len(labels), 0), t, labels, ()).output


def _read(model: Model, x: np.ndarray, output: np.ndarray, times: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """x0 and epsilon (N, C, H, W) that outputs at these times mean."""
    level = schedule_of(model).alpha_bar[times][:, None, None, None]
    prediction = prediction_of(model)
    output = output.astype(np.float64)
    return to_x0(prediction, x, output, level), to_epsilon(prediction, x, output, level)

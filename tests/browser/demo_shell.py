"""A page with the shell's widgets and nothing else, for the browser test."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import plotly.graph_objects as go
import streamlit as st

from app.assets.samples import PHOTOS
from app.widgets import state, style
from app.widgets.guard import guard
from app.widgets.image_input import image_input
from app.widgets.progress import job
from app.widgets.share import take_away

PULSE = Path(sys.argv[1])  # touched by the running job


@dataclass(frozen=True)
class Step:
    done: int
    total: int
    eta: float | None = None
    result: Any = None


def work(cancel: Any) -> Iterator[Step]:
    for i in range(1, 101):
        cancel.check()
        PULSE.touch()
        time.sleep(0.2)
        yield Step(i, 100, (100 - i) * 0.2, "finished" if i == 100 else None)


state.sync_language()
style.apply()
state.enter("demo")
with guard():
    st.title("Demo")
    source = image_input("in", PHOTOS)
    st.markdown(f"now {source.sample_id or source.name} {source.sha[:16]}")
    st.plotly_chart(go.Figure(go.Bar(x=["a", "b"], y=[1, 3])), key="bars", height=240)
    rgb = source.picture.srgb
    take_away(
        "t",
        "the numbers",
        png=lambda: rgb,
        svg=lambda: "<svg xmlns='http://www.w3.org/2000/svg'/>",
        tensor=rgb[:8, :9],
        axes=("row", "column", "channel"),
        chart="bars",
    )
    st.markdown(f"job {job('w', source.sha, work, autostart=False).state}")

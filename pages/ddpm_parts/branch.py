"""Branch: go back to a step of the path, change the class or the noise from there on, and compare both ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from app.engine.diffuse import Path, Request, branch as forked
from app.figures import ddpm as draw
from app.figures.printed import percent, significant
from app.text import t
from app.widgets import state
from app.widgets.scrubber import Strip, scrubber
from pages.ddpm_parts.judge import judge, verdicts
from pages.ddpm_parts.numbers import apart, same_steps
from pages.ddpm_parts.view import (
    BRANCH,
    BRANCH_ETA,
    BRANCH_LABEL,
    BRANCH_SEED,
    BRANCH_SHOW,
    MIX,
    MOST_SEED,
    SAMPLER,
    Scene,
    class_name,
    classes,
    frame_now,
    is_digits,
    name_of,
    position_words,
    run_path,
)

OPEN = 0.1  # alpha-bar at which a picture begins to form: where a fork is suggested


def suggested(path: Path) -> int:
    """The kept frame at which a change still matters and can already be seen."""
    return int(np.abs(path.alpha_bar - OPEN).argmin())


def branch(scene: Scene) -> None:
    """The section. The fork is where the slider stands; for one that stands at the finished picture a step is
    suggested."""
    frame = frame_now(scene)
    if frame == scene.frames:
        frame = suggested(scene.path)
    st.header(t("ddpm.branch"), anchor=False)
    st.markdown(t("ddpm.branch.about"))
    fork = min(state.get(BRANCH), scene.frames - 1)
    _start(scene, frame, fork)
    if fork < 0:
        return
    _choices(scene)
    request = _request(scene, fork)
    if _same(scene.request, request):
        st.info(t("ddpm.branch.same"), icon=":material/call_split:")
        return
    if not _seed_counts(request) and request.seed != scene.request.seed:
        st.info(t("ddpm.branch.no_noise"), icon=":material/casino:")
    path = run_path("ddpm.branch", name_of(scene.model, request, scene.id, fork), scene.model, request)
    if path is not None:
        _compare(scene, path, request, fork)


def _start(scene: Scene, frame: int, fork: int) -> None:
    """Choose the fork: the step that the slider above shows."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t("ddpm.branch.here", step=int(scene.path.step[frame]) + 1, t=scene.shown_t(frame)),
            key="ddpm.branch.here",
            type="primary" if fork < 0 else "secondary",
            icon=":material/call_split:",
            on_click=_fork_at,
            args=(scene, frame),
            disabled=fork == frame,
        )
        if fork >= 0:
            st.button(t("ddpm.branch.drop"), key="ddpm.branch.drop", on_click=state.forget, args=(BRANCH,))
            st.markdown(
                t(
                    "ddpm.branch.at",
                    step=int(scene.path.step[fork]) + 1,
                    t=scene.shown_t(fork),
                    steps=scene.path.steps,
                )
            )
    if fork < 0:
        st.caption(t("ddpm.branch.hint"))


def _fork_at(scene: Scene, frame: int) -> None:
    """Fork here. The first time something is changed at once, so that there is a difference to see: the class."""
    untouched = state.get(BRANCH_LABEL) == MIX and state.get(BRANCH_SEED) < 0 and state.get(BRANCH_ETA) < 0
    state.put(BRANCH, frame)
    if untouched:
        state.put(BRANCH_LABEL, (scene.labels[0] + 5) % classes(scene.model))


def _choices(scene: Scene) -> None:
    """The class, the noise and how much of it from the fork on."""
    legal = [MIX, *range(classes(scene.model) + 1)]
    st.pills(
        t("ddpm.branch.class"),
        legal,
        format_func=lambda label: (
            t("ddpm.branch.as_it_was") if label == MIX else class_name(scene.model, label)
        ),
        required=True,
        wrap=True,
        **state.bind(BRANCH_LABEL, allowed=legal),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            t("ddpm.branch.seed"),
            0,
            MOST_SEED,
            step=1,
            width=190,
            help=t("ddpm.branch.seed.help"),
            **state.follow(BRANCH_SEED, scene.request.seed),
        )
        st.button(
            t("ddpm.branch.dice"),
            key="ddpm.branch.dice",
            icon=":material/casino:",
            on_click=_dice,
            args=(scene,),
            help=t("ddpm.branch.dice.help"),
        )
        if scene.request.sampler == "ddim":
            _eta(scene)


def _eta(scene: Scene) -> None:
    """How much fresh noise each step of the branch adds (DDIM only; DDPM always adds all)."""
    st.slider(
        t("ddpm.branch.eta"),
        0.0,
        1.0,
        step=0.05,
        format="%g",
        width=260,
        help=t("ddpm.eta.help"),
        **state.follow(BRANCH_ETA, scene.request.eta),
    )


def _dice(scene: Scene) -> None:
    """Other noise from here on, and enough of it to be felt."""
    before = state.get(BRANCH_SEED)
    state.put(BRANCH_SEED, (before if before >= 0 else scene.request.seed) % MOST_SEED + 1)
    eta = state.get(BRANCH_ETA)
    if state.get(SAMPLER) == "ddim" and (scene.request.eta if eta < 0 else eta) == 0:
        state.put(BRANCH_ETA, 1.0)


def _request(scene: Scene, fork: int) -> Request:
    """What the branch asks for."""
    changes: dict[str, Any] = {}
    label, seed, eta = state.get(BRANCH_LABEL), state.get(BRANCH_SEED), state.get(BRANCH_ETA)
    if label != MIX:
        changes["labels"] = (label,) * scene.count
    if seed >= 0:
        changes["seed"] = seed
    if eta >= 0 and scene.request.sampler == "ddim":
        changes["eta"] = eta
    return forked(scene.request, scene.path, fork, **changes)


def _seed_counts(request: Request) -> bool:
    """Whether a seed changes anything once the start is given."""
    return request.sampler == "ddpm" or request.eta > 0


def _same(a: Request, b: Request) -> bool:
    return (a.labels, a.seed, a.eta) == (b.labels, b.seed, b.eta)


# ---------------------------------------------------------------- both paths


def joined(path: Path, other: Path, fork: int) -> tuple[np.ndarray, np.ndarray]:
    """The branch on the frames of the path it left: x (S + 1, …) and x0 (S, …), equal to the path's before the fork."""
    match = same_steps(path.t[fork:], other.t)
    x = np.concatenate([path.x[:fork], other.x[:-1][match], other.x[-1:]])
    x0 = np.concatenate([path.x0[:fork], other.x0[match]])
    return x, x0


def _compare(scene: Scene, path: Path, request: Request, fork: int) -> None:
    """Both paths under one slider, their difference named at each step, and both ends read by the judge."""
    x, x0 = joined(scene.path, path, fork)
    what = st.segmented_control(
        t("ddpm.branch.show"),
        ("x_0", "x_t"),
        format_func=lambda name: t(f"ddpm.strip.{name}"),
        required=True,
        **state.bind(BRANCH_SHOW),
    )
    if what == "x_t":
        before, after = scene.path.x, x
    else:
        before, after = np.concatenate([scene.path.x0, scene.path.x[-1:]]), np.concatenate([x0, x[-1:]])
    gap = apart(before, after)
    scrubber(
        [
            Strip("before", t("ddpm.branch.before"), draw.to_rgb(before)),
            Strip("after", t("ddpm.branch.after"), draw.to_rgb(after)),
        ],
        "ddpm.branch.path",
        readouts={
            t("ddpm.branch.gap"): [significant(float(g)) for g in gap],
        },
        positions=position_words(scene),
        alt=t("ddpm.branch.alt"),
        compare=("before", "after"),
        marks={fork: t("ddpm.branch.mark")},
        curve=(t("ddpm.branch.gap"), gap.tolist()),
        hint=t("ddpm.branch.path.hint"),
    )
    _ends(scene, path, request, fork)


def _ends(scene: Scene, path: Path, request: Request, fork: int) -> None:
    """Each sample with and without the change, in a sentence."""
    reader = judge(scene.model.engine) if is_digits(scene.model) else None
    if reader is not None:
        before = verdicts(reader, scene.path.samples, scene.labels)
        after = verdicts(reader, path.samples, request.labels)
        lines = [
            t(
                "ddpm.branch.ends",
                n=n + 1,
                before=a.digit,
                sure=percent(a.probability),
                after=b.digit,
                surer=percent(b.probability),
            )
            for n, (a, b) in enumerate(zip(before, after, strict=True))
        ]
        st.markdown("\n".join(f"- {line}" for line in lines))
    share = float(scene.path.alpha_bar[fork])
    key = "early" if share < 0.1 else "late" if share > 0.7 else "middle"
    st.caption(t(f"ddpm.branch.{key}"))

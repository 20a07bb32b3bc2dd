"""What a visitor of the latent diffusion page can choose, all of it in the link; and the scene that follows from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from app.engine.diffuse import Condition, Path
from app.engine.paint import Request, Studio, condition_of, read
from app.figures.ddpm import kept
from app.figures.printed import significant
from app.text import language, t
from app.widgets import state

MOST_SAMPLES = 4
MOST_SEED = 2**31 - 1
MOST_STEPS = 100
MOST_GUIDANCE = 12.0
LETTERS = 120  # of the text
SHOWN = 21  # moments of a path under the slider, the finished picture not counted
OPEN = "latent_diffusion.names.open"  # whether the list of things is open
STEPS_OFFERED = (5, 10, 15, 20, 30, 50, 100)

SEED = state.Param("seed", 3, state.parse_whole(0, MOST_SEED), str)
STEPS = state.Param("steps", 20, state.parse_whole(5, MOST_STEPS), str)
GUIDANCE = state.Param("guidance", -1.0, state.parse_number(0.0, MOST_GUIDANCE), state.format_number)
SAMPLES = state.Param("samples", 2, state.parse_whole(1, MOST_SAMPLES), str)
STEP = state.Param(
    "step", -1, state.parse_whole(-1, SHOWN), str
)  # of the shown moments, -1: the finished picture
LOOK = state.Param("look", 0, state.parse_whole(0, MOST_SAMPLES - 1), str)  # the sample that is looked into


def parse_text(raw: str) -> str:
    """A text as it may stand in a link: printable, not too long. Raises Unfit."""
    if len(raw) > LETTERS or not raw.isprintable():
        raise state.Unfit("latent_diffusion.text.unfit", most=str(LETTERS))
    return raw


state.known("text")  # of which there is one for each language


def text_param() -> state.Param[str]:
    """The words; at first something in the visitor's language."""
    return state.Param("text", t("latent_diffusion.first"), parse_text)


# ---------------------------------------------------------------- the scene


@dataclass(frozen=True, eq=False)
class Scene:
    """A path from noise to latents, what it was asked for, and its name in caches."""

    studio: Studio
    request: Request
    path: Path
    id: str

    @property
    def count(self) -> int:
        """Samples."""
        return len(self.request.texts)

    @property
    def text(self) -> str:
        return self.request.texts[0]

    @property
    def frames(self) -> np.ndarray:
        """Which of the path's kept steps stand under the slider, F of them; the finished picture is one more."""
        return kept(len(self.path.t), SHOWN) if len(self.path.t) else np.zeros(0, int)

    @property
    def sample(self) -> int:
        """The sample that is looked into."""
        return min(state.get(LOOK), self.count - 1)

    @property
    def moment(self) -> int:
        """Where the slider stands: 0 ... F, F being the finished picture."""
        step = state.get(STEP)
        return len(self.frames) if step < 0 else min(step, len(self.frames))

    @property
    def frame(self) -> int:
        """The kept step that the sections look at; at the finished picture the last one."""
        return int(self.frames[min(self.moment, len(self.frames) - 1)])

    @property
    def t(self) -> int:
        """What the net is told at that step."""
        return int(self.path.t[self.frame])

    @property
    def x(self) -> np.ndarray:
        """(1, C, h, w): the latents of the sample before that step."""
        return np.asarray(self.path.x[self.frame, self.sample][None], np.float32)

    @property
    def heard(self) -> str:
        """What of the text the net hears, as one reads it; empty where it hears nothing."""
        pieces = self.pieces[1:]
        return "".join(pieces) if not any(piece.isascii() for piece in pieces) else " ".join(pieces)

    @property
    def pieces(self) -> tuple[str, ...]:
        """The tokens of the text, its start first."""
        return read(self.studio, [self.text])[0].pieces

    @property
    def listed(self) -> str:
        """The tokens with their numbers, as a line."""
        return " · ".join(f"{k} {piece_words(piece)}" for k, piece in enumerate(self.pieces))

    def condition(self) -> Condition:
        """What the net is told of one sample's words."""
        return condition_of(self.studio, Request((self.text,)))


def piece_words(piece: str) -> str:
    """A token as it is called: the word itself; the start has a name."""
    return t("latent_diffusion.start_token") if piece.startswith("<") else piece


def recommended(studio: Studio) -> float:
    """The guidance with which the weights were scored."""
    return float(studio.unet.report.get("guidance", 3.0))


def request_of(studio: Studio) -> Request:
    """What the choices of this moment ask for."""
    guidance = state.get(GUIDANCE)
    return Request(
        texts=(state.get(text_param()),) * state.get(SAMPLES),
        seed=state.get(SEED),
        steps=state.get(STEPS),
        guidance=recommended(studio) if guidance < 0 else guidance,
    )


# ---------------------------------------------------------------- the controls


def say_words(studio: Studio) -> None:
    """The text, some to begin with, and all things there are words for."""
    param = text_param()
    st.text_input(
        t("latent_diffusion.text"),
        max_chars=LETTERS,
        help=t("latent_diffusion.text.help"),
        **state.bind(param),
    )
    with st.container(horizontal=True, gap="xsmall", key="v-latent-examples"):
        for i, example in enumerate(t("latent_diffusion.examples").split("|")):
            put: Callable[[], None] = partial(state.put, param, example)
            st.button(example, key=f"latent_diffusion.example.{i}", on_click=put)
        names = names_of(studio)
        with st.popover(t("latent_diffusion.names", count=len(names)), key=OPEN, on_change="rerun"):
            colours = t("latent_diffusion.comma").join(studio.text.report["colours"][language()])
            st.caption(t("latent_diffusion.names.about", colours=colours))
            st.pills(
                t("latent_diffusion.names", count=len(names)),
                names,
                key="latent_diffusion.names",
                label_visibility="collapsed",
                on_change=_take_name,
            )


def names_of(studio: Studio) -> list[str]:
    """What the nets were taught to draw, by its usual name in the visitor's language."""
    return list(studio.text.report["names"][language()])


def _take_name() -> None:
    """The pressed name becomes the text, and the list is put away; pressed again, it is to work again."""
    name = st.session_state["latent_diffusion.names"]
    if name is not None:
        state.put(text_param(), name)
        st.session_state["latent_diffusion.names"] = None
        st.session_state[OPEN] = False


def say_tokens(studio: Studio) -> None:
    """What of the text the model reads, and what it does not know."""
    found = read(studio, [state.get(text_param())])[0]
    known = found.pieces[1:]
    if known:
        listed = " ".join(f"`{piece}`" for piece in known)
        st.caption(t("latent_diffusion.reads", words=listed))
    elif found.unknown:
        st.caption(t("latent_diffusion.reads.nothing"))
    else:
        st.caption(t("latent_diffusion.reads.empty"))
    if found.unknown:
        listed = t("latent_diffusion.comma").join(map(state.plain, dict.fromkeys(found.unknown)))
        st.info(
            t("latent_diffusion.unknown", words=listed, count=len(studio.words) - 2),
            icon=":material/help:",
        )
    if found.cut:
        st.info(t("latent_diffusion.cut", most=studio.tokens - 1), icon=":material/content_cut:")


def _dice() -> None:
    """Another seed: the next of a fixed shuffle, so that a class in front of a projector can repeat it."""
    state.put(SEED, (state.get(SEED) * 48271 + 11) % 10_000)


def choose(studio: Studio) -> None:
    """Noise, number of samples, steps, guidance."""
    left, right = st.columns(2, gap="large")
    with left, st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        st.number_input(
            t("latent_diffusion.seed"), 0, MOST_SEED, step=1, width=140,
            help=t("latent_diffusion.seed.help"), **state.bind(SEED),
        )  # fmt: skip
        st.button(
            t("latent_diffusion.dice"), key="latent_diffusion.dice", icon=":material/casino:", on_click=_dice
        )
    with left:
        st.segmented_control(
            t("latent_diffusion.samples"),
            list(range(1, MOST_SAMPLES + 1)),
            required=True,
            **state.bind(SAMPLES),
        )
    with right:
        offered = sorted({*STEPS_OFFERED, state.get(STEPS)})  # a link may hold a number in between
        st.select_slider(
            t("latent_diffusion.steps"), offered, help=t("latent_diffusion.steps.help"), **state.bind(STEPS)
        )
        st.slider(
            t("latent_diffusion.guidance"),
            0.0,
            MOST_GUIDANCE,
            step=0.5,
            format="%g",
            help=t("latent_diffusion.guidance.help"),
            **state.follow(GUIDANCE, recommended(studio)),
        )


def choose_sample(scene: Scene) -> None:
    """Which sample the sections below are about."""
    if scene.count > 1:
        st.segmented_control(
            t("latent_diffusion.look"),
            list(range(scene.count)),
            format_func=lambda n: t("latent_diffusion.sample", n=n + 1),
            required=True,
            **state.bind(LOOK, allowed=list(range(scene.count))),
        )


# ---------------------------------------------------------------- words for numbers


def positions(path: Path, frames: np.ndarray) -> list[str]:
    """What each moment under the slider is called, the finished picture last. t counts as the paper does, from 1."""
    return [f"t = {int(path.t[f]) + 1}" for f in frames] + [t("latent_diffusion.done")]


def readouts(path: Path, frames: np.ndarray) -> dict[str, list[str]]:
    """Alpha-bar and signal-to-noise of each moment, the finished picture last."""
    return {
        t("latent_diffusion.read.alpha_bar"): [*(significant(float(path.alpha_bar[f])) for f in frames), "1"],
        t("latent_diffusion.read.snr"): [*(significant(float(path.snr[f])) for f in frames), "∞"],
    }

"""A GAN of points in the plane, stepped by hand or played in a film, with D beside the best D there is."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import streamlit as st

from app.figures import plane as draw
from app.figures.charts import responsive
from app.figures.dcgan import minus
from app.figures.plots import Line, lines
from app.figures.strokes import read_places, write_places
from app.text import t
from app.widgets import state
from app.widgets.draw import PLACES, draw_places
from app.widgets.guard import fragment
from app.widgets.inside import drawing
from app.widgets.scrubber import Strip, scrubber, set_step
from app.widgets.share import film_files, take_away
from models.generative.gan_losses import LOSSES, UNDECIDED
from pages.dcgan_parts import plane
from pages.dcgan_parts.losses import times
from pages.dcgan_parts.plane import Chapter, Game, Moment, Settings
from pages.dcgan_parts.view import rounded

AIM = state.Param("target", "ring", allowed=plane.TARGETS)
STORY: state.Param[tuple[Chapter, ...]] = state.Param("story", (), plane.read_story, plane.write_story)
START = state.Param("start", 0, state.parse_whole(0, 999), str)
K = state.Param("k", 1, state.parse_whole(1, 10), str)
LOSS = state.Param("loss", "non_saturating", allowed=LOSSES)
LR_D = state.Param("lrd", 4, state.parse_whole(0, len(plane.RATES) - 1), str)
LR_G = state.Param("lrg", 3, state.parse_whole(0, len(plane.RATES) - 1), str)
PACES = (1, 5, 10, 30)
PACE = state.Param("pace", 10, state.parse_whole(1, 30), str, allowed=PACES)

GAME, TODO, PLAYS = "dcgan.live.game", "dcgan.live.todo", "dcgan.live.plays"
FILM, CANVAS = "dcgan.live.film", "dcgan.live.canvas"
LONGEST = 180  # letters of a story that go into a link
ALONE = 20  # D steps from one moment to the next while D learns alone
RECIPES = {
    "learns": (Settings(), 30),
    "collapses": (Settings(lr_d=1, lr_g=6), 5),
    "fades": (Settings(k=5, loss="saturating", lr_d=6, lr_g=2), 10),
}


def settings_now() -> Settings:
    """What the widgets say."""
    loss = state.get(LOSS)
    return Settings(
        state.get(K),
        "saturating" if loss == "saturating" else "non_saturating",
        state.get(LR_D),
        state.get(LR_G),
    )


# ---------------------------------------------------------------- the game of this visitor


def linked(game: Game) -> tuple[Chapter, ...]:
    """What a link can tell of a game: all of its story, or nothing where that is too long."""
    fits = len(plane.write_story(game.story)) <= LONGEST and plane.length(game.story) <= plane.MOST_STEPS
    return game.story if fits else ()


def current() -> Game:
    """The game of this session; played anew where the link or a choice asks for another one."""
    name, own, seed = state.get(AIM), state.get(PLACES), state.get(START)
    held: Game | None = st.session_state.get(GAME)
    story = state.get(STORY)
    same = held is not None and (held.name, write_places(held.own), held.seed) == (name, own, seed)
    if held is None or not same or story != linked(held):
        with st.spinner(t("dcgan.live.replaying")):
            held = plane.replay(name, read_places(own), seed, story)
        st.session_state[GAME] = held
        set_step(FILM, -1)
    return held


def keep(game: Game) -> Game:
    """The game as it stands now; the link follows."""
    st.session_state[GAME] = game
    state.put(STORY, linked(game))
    return game


def ask(kind: str) -> None:
    """Something to do in the run that follows: a button's callback. Quick presses wait in line."""
    st.session_state.setdefault(TODO, []).append(kind)


def cook(name: str) -> None:
    """Set a recipe and start it from untrained nets."""
    settings, pace = RECIPES[name]
    for param, value in ((K, settings.k), (LR_D, settings.lr_d), (LR_G, settings.lr_g), (PACE, pace)):
        state.put(param, value)
    state.put(LOSS, settings.loss)
    state.put(STORY, ())
    st.session_state.pop(GAME, None)
    ask("run")


def restart() -> None:
    """Untrained nets before the same target."""
    state.put(STORY, ())
    st.session_state.pop(GAME, None)


def another() -> None:
    """Untrained nets with other first weights."""
    state.put(START, (state.get(START) + 1) % 1000)
    restart()


def done(game: Game) -> Game:
    """Do what buttons asked for."""
    waiting: list[str] = st.session_state.pop(TODO, [])
    st.session_state[PLAYS] = bool(waiting) and waiting[-1] in ("run", "alone")
    for todo in waiting:
        if todo in ("d", "g", "r"):
            game = keep(plane.by_hand(game, settings_now(), todo))
            set_step(FILM, -1)
        else:
            with st.spinner(t("dcgan.live.running")):
                kind, count = ("r", state.get(PACE)) if todo == "run" else ("d", ALONE)
                *_, game = plane.run(game, settings_now(), kind, count)
            keep(game)
            set_step(FILM, 0)
    return game


# ---------------------------------------------------------------- on the page


@fragment
def live() -> None:
    """The whole section."""
    st.header(t("dcgan.live.title"), anchor="live")
    st.markdown(t("dcgan.live.about"))
    _recipes()
    left, right = st.columns([1, 2], gap="large")
    with left:
        _target()
        _settings()
    with right:
        _buttons()
        game = done(current())
        _film(game)
    _history(game)
    _says(game)
    stem = f"dcgan-plane-{game.name}-{game.steps}"
    take_away(
        "dcgan.live.take",
        stem,
        png=lambda: np.concatenate(both(game, game.now), axis=1),
        tensor=game.now.fake,
        axes=("point", "coordinate"),
        link=False,
    )
    if len(game.film) > 1:
        film_files("dcgan.live.save", stem, lambda: side_by_side(game), seconds=len(game.film) / 8)


def _recipes() -> None:
    """One press: settings, fresh nets, and a film."""
    with st.container(horizontal=True, vertical_alignment="center", key="v-dcgan-recipes"):
        st.markdown(t("dcgan.live.recipes"), width="content")
        for name, icon in (("learns", "check_circle"), ("collapses", "compress"), ("fades", "trending_flat")):
            st.button(
                t(f"dcgan.live.recipe.{name}"),
                key=f"dcgan.recipe.{name}",
                on_click=cook,
                args=(name,),
                icon=f":material/{icon}:",
                help=t(f"dcgan.live.recipe.{name}.help"),
            )


def _target() -> None:
    """Which distribution is to be learned; a canvas for one's own."""
    name = st.pills(
        t("dcgan.live.target"),
        plane.TARGETS,
        required=True,
        wrap=True,
        format_func=lambda n: t(f"dcgan.live.target.{n}"),
        **state.bind(AIM, on_change=restart),
    )
    if name != "own":
        return
    draw_places(CANVAS, alt=t("dcgan.live.canvas"), on_change=restart)
    if not state.get(PLACES):
        st.caption(t("dcgan.live.own"))


def _settings() -> None:
    """k, the loss and both learning rates."""
    st.slider(t("dcgan.live.k"), 1, 10, help=t("dcgan.live.k.help"), **state.bind(K))
    st.segmented_control(
        t("dcgan.live.loss"),
        LOSSES,
        required=True,
        format_func=lambda n: t(f"dcgan.loss.{n}"),
        help=t("dcgan.live.loss.help"),
        **state.bind(LOSS),
    )
    for param, net in ((LR_D, "D"), (LR_G, "G")):
        st.select_slider(
            t("dcgan.live.rate", net=net),
            range(len(plane.RATES)),
            format_func=lambda i: f"{plane.RATES[i]:g}",
            **state.bind(param, allowed=range(len(plane.RATES))),
        )
    st.segmented_control(
        t("dcgan.live.pace"), PACES, required=True, help=t("dcgan.live.pace.help"), **state.bind(PACE)
    )


def _buttons() -> None:
    with st.container(horizontal=True, key="v-dcgan-moves"):
        for kind, icon in (("d", "visibility"), ("g", "brush"), ("r", "sync_alt")):
            st.button(
                t(f"dcgan.live.{kind}", k=state.get(K)),
                key=f"dcgan.move.{kind}",
                on_click=ask,
                args=(kind,),
                icon=f":material/{icon}:",
                help=t(f"dcgan.live.{kind}.help"),
            )
        rounds = plane.FRAMES * state.get(PACE)
        st.button(
            t("dcgan.live.run", rounds=rounds),
            key="dcgan.run",
            type="primary",
            on_click=ask,
            args=("run",),
            icon=":material/play_arrow:",
            help=t("dcgan.live.run.help"),
        )
        st.button(
            t("dcgan.live.alone"),
            key="dcgan.alone",
            on_click=ask,
            args=("alone",),
            icon=":material/visibility:",
            help=t("dcgan.live.alone.help", steps=plane.FRAMES * ALONE),
        )
        st.button(
            t("dcgan.live.restart"), key="dcgan.restart", on_click=restart, icon=":material/restart_alt:"
        )
        st.button(
            t("dcgan.live.another"),
            key="dcgan.another",
            on_click=another,
            icon=":material/casino:",
            help=t("dcgan.live.another.help"),
        )


@lru_cache(maxsize=8)
def _real(aim: plane.Target) -> draw.Image.Image:
    return draw.dots(aim.points[:200], plane.REACH, draw.REAL)


@lru_cache(maxsize=72)
def _both(aim: plane.Target, moment: Moment) -> tuple[np.ndarray, np.ndarray]:
    points = draw.pushed(moment.fake, moment.pull, plane.REACH)
    learned = draw.contour(moment.surface, draw.surface(moment.surface))
    return draw.laid(learned, _real(aim), points), draw.laid(draw.surface(moment.best), _real(aim), points)


def both(game: Game, moment: Moment) -> tuple[np.ndarray, np.ndarray]:
    """The two pictures of a moment: D as it is, and D*."""
    return _both(game.aim, moment)


def side_by_side(game: Game) -> np.ndarray:
    """Every moment of the film with both pictures in one frame, drawn when a file is asked for."""
    return np.stack([np.concatenate(both(game, moment), axis=1) for moment in game.film])


def _film(game: Game) -> None:
    """The moments in the scrubber, with their numbers."""
    film = game.film
    pairs = [both(game, moment) for moment in film]
    scrubber(
        [
            Strip("d", t("dcgan.live.strip.d"), np.stack([a for a, _ in pairs])),
            Strip("best", t("dcgan.live.strip.best"), np.stack([b for _, b in pairs])),
        ],
        FILM,
        readouts={
            "V": [minus(m.value, 3) for m in film],
            "V(D*)": [minus(m.bound, 3) for m in film],
            t("dcgan.live.d_real"): [f"{m.d_real:.2f}" for m in film],
            t("dcgan.live.d_fake"): [f"{m.d_fake:.2f}" for m in film],
            t("dcgan.live.covered"): [rounded(m.covered) for m in film],
            t("dcgan.live.on"): [rounded(m.on) for m in film],
            t("dcgan.live.gradient.saturating"): [f"{m.gradients[0]:.3g}" for m in film],
            t("dcgan.live.gradient.non_saturating"): [f"{m.gradients[1]:.3g}" for m in film],
        },
        positions=[t("dcgan.live.at", d=m.d_steps, g=m.g_steps) for m in film],
        alt=t("dcgan.live.alt", target=t(f"dcgan.live.target.{game.name}")),
        fps=8,
        pixelated=False,
        autoplay=bool(st.session_state.get(PLAYS)),
        height=340,
        hint=t("dcgan.live.hint"),
    )
    st.caption(t("dcgan.live.legend"))


def _history(game: Game) -> None:
    """V since the start, between -2 ln 2 and V(D*)."""
    if len(game.past) < 2:
        return
    x, v, bound = (np.array(column, np.float64) for column in zip(*game.past, strict=True))
    series = [
        Line("V(D, G)", x, v, "accent"),
        Line(t("dcgan.live.bound"), x, bound, "third"),
        Line("−2 ln 2", x, np.full(len(x), UNDECIDED), "faint", True),
    ]
    drawing(
        responsive(
            lambda width: lines(
                series,
                title=t("dcgan.live.chart"),
                x_label=t("dcgan.live.x"),
                y_range=(min(-1.6, float(np.percentile(v, 5)) - 0.05), 0.0),
                width=width,
                height=200,
            ),
            wide=900,
        ),
        "dcgan.live.history",
    )


def _says(game: Game) -> None:
    """Where the game stands, in a sentence."""
    now = game.now
    if game.fresh:
        name = "fresh"
    elif now.covered >= 0.9 and now.on >= 0.6:
        name = "good"
    elif now.covered < 0.5 and now.g_steps >= 50:
        name = "crowded"
    else:
        name = "between"
    st.markdown(
        t(
            f"dcgan.live.says.{name}",
            covered=rounded(now.covered),
            on=rounded(now.on),
            value=minus(now.value, 3),
            bound=minus(now.bound, 3),
            undecided=minus(UNDECIDED, 3),
        )
    )
    weak, strong = now.gradients
    if weak > 0:
        st.caption(t("dcgan.live.pull", ratio=times(strong / weak)))
    if game.story and not linked(game):
        st.caption(t("dcgan.live.long"))

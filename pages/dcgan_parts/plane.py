"""The game of the page's 2-D GAN: targets, moves, moments kept for the scrubber, and the story that a link carries.

No Streamlit here. Coordinates lie in about [-REACH, REACH], y upwards. A Game never changes; a move returns a new one.

The story is a text such as "K1n42-r480-d1-g1": settings (k, loss, learning rates), then moves: r rounds, d or g steps.
Played again from the same seed and target it gives the same game, number for number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from app.figures.strokes import REACH
from models.generative import gan2d, gan_losses
from models.generative.gan_losses import Loss

TARGETS = ("ring", "grid", "line", "moons", "own")
POINTS = 512  # of the target
SHOWN = 256  # generated points that are drawn and measured
WIDTH = 0.1  # of the kernel densities behind D*
FLOOR = 0.01  # density that both clouds are given everywhere: D* fades to 1/2 where neither is
CELLS = 41  # of the surfaces, a side
RATES = (1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 5e-3, 1e-2, 2e-2)
MOST_STEPS = 8_000  # of both nets together: what a link's story may ask for
BY_HAND = 12  # moments kept while stepping by hand
FRAMES = 40  # moments of a run
NEAR = 0.2  # within this distance a point is covered


# ---------------------------------------------------------------- targets


def target(name: str, own: Sequence[tuple[float, float]] = ()) -> np.ndarray:
    """(POINTS, 2) float32. own: places of one's own drawing; empty falls back to the ring.

    Raises KeyError for another name.
    """
    random = np.random.Generator(np.random.Philox(key=[7, TARGETS.index(name) if name in TARGETS else 0]))
    at = random.permutation(POINTS)  # so that any part of the points is like the whole
    if name == "ring" or (name == "own" and not len(own)):
        return gan2d.ring(POINTS)[at]
    if name == "grid":
        centres = np.stack([at % 3 - 1, at // 3 % 3 - 1], axis=1).astype(np.float64)
        points = centres + 0.06 * random.standard_normal((POINTS, 2))
    elif name == "line":
        along = 2.3 * (at / (POINTS - 1) - 0.5)
        points = np.stack([along, 0.6 * along], axis=1) + 0.04 * random.standard_normal((POINTS, 2))
    elif name == "moons":
        half = at % 2
        angle = np.pi * random.random(POINTS)
        upper = np.stack([np.cos(angle) - 0.5, np.sin(angle) - 0.25], axis=1)
        lower = np.stack([0.5 - np.cos(angle), 0.25 - np.sin(angle)], axis=1)
        points = 0.85 * np.where(half[:, None] == 0, upper, lower) + 0.05 * random.standard_normal(
            (POINTS, 2)
        )
    elif name == "own":
        places = np.asarray(own, np.float64)
        points = places[at % len(places)] + 0.03 * random.standard_normal((POINTS, 2))
    else:
        raise KeyError(name)
    return points.astype(np.float32)


# ---------------------------------------------------------------- settings and moves


@dataclass(frozen=True)
class Settings:
    """k: D steps a round. lr_d, lr_g: indices into RATES."""

    k: int = 1
    loss: Loss = "non_saturating"
    lr_d: int = 4
    lr_g: int = 3

    @property
    def recipe(self) -> gan2d.Recipe:
        return gan2d.Recipe(
            loss=self.loss, d_steps=self.k, lr_d=RATES[self.lr_d], lr_g=RATES[self.lr_g], batch=128
        )


Move = tuple[str, int]  # ("d", 1), ("g", 1), ("r", 480)
Chapter = tuple[Settings, tuple[Move, ...]]
_SETTINGS = re.compile(r"K([1-9]|10)([ns])([0-7])([0-7])")
_MOVE = re.compile(r"([dgr])([1-9]\d{0,4})")


def write_story(chapters: Sequence[Chapter]) -> str:
    """The story as a link carries it."""
    parts = []
    for settings, moves in chapters:
        parts.append(f"K{settings.k}{settings.loss[0]}{settings.lr_d}{settings.lr_g}")
        parts += [f"{kind}{count}" for kind, count in moves]
    return "-".join(parts)


def read_story(raw: str) -> tuple[Chapter, ...]:
    """The inverse of `write_story`. Raises ValueError for another text, and for more than MOST_STEPS steps."""
    chapters: list[tuple[Settings, list[Move]]] = []
    for part in raw.split("-") if raw else []:
        if found := _SETTINGS.fullmatch(part):
            k, loss, lr_d, lr_g = found.groups()
            name: Loss = "saturating" if loss == "s" else "non_saturating"
            chapters.append((Settings(int(k), name, int(lr_d), int(lr_g)), []))
        elif (found := _MOVE.fullmatch(part)) and chapters:
            chapters[-1][1].append((found[1], int(found[2])))
        else:
            raise ValueError(raw)
    story = tuple((settings, tuple(moves)) for settings, moves in chapters)
    if length(story) > MOST_STEPS:
        raise ValueError(raw)
    return story


def length(story: Sequence[Chapter]) -> int:
    """Steps of both nets together."""
    return sum(
        count * (settings.k + 1 if kind == "r" else 1) for settings, moves in story for kind, count in moves
    )


def told(story: tuple[Chapter, ...], settings: Settings, move: Move) -> tuple[Chapter, ...]:
    """The story with one more move; equal moves in a row become one."""
    if not story or story[-1][0] != settings:
        return (*story, (settings, (move,)))
    moves = story[-1][1]
    if moves and moves[-1][0] == move[0]:
        move = (move[0], moves[-1][1] + move[1])
        moves = moves[:-1]
    return (*story[:-1], (settings, (*moves, move)))


# ---------------------------------------------------------------- moments


@dataclass(frozen=True, eq=False)
class Moment:
    """What is drawn of one moment.

    kind: the last move, "" at the start. fake (SHOWN, 2); pull (SHOWN, 2): where a G step would push each point;
    surface, best (CELLS, CELLS): D and D* from the lower left on, rows are y. value: V. bound: V(D*). covered: share
    of the target with a generated point near it. on: share of the generated points near the target. gradients: norm of
    G's gradient under the (saturating, non-saturating) loss.
    """

    kind: str
    d_steps: int
    g_steps: int
    fake: np.ndarray
    pull: np.ndarray
    surface: np.ndarray
    best: np.ndarray
    value: float
    bound: float
    d_real: float
    d_fake: float
    covered: float
    on: float
    gradients: tuple[float, float]


@lru_cache(maxsize=1)
def plane() -> np.ndarray:
    """(CELLS², 2) the places of a surface, row by row from below."""
    axis = np.linspace(-REACH, REACH, CELLS, dtype=np.float32)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class Target:
    """The real points, and their density on the plane, which no move changes."""

    points: np.ndarray
    density: np.ndarray = field(repr=False)

    @classmethod
    def of(cls, points: np.ndarray) -> Target:
        return cls(points, gan2d.density(points, plane(), WIDTH))


def covering(real: np.ndarray, fake: np.ndarray) -> tuple[float, float]:
    """(share of the real points with a generated one within NEAR, share of the generated ones near a real one)."""
    far = ((real[:, None].astype(np.float64) - fake[None]) ** 2).sum(-1)
    close = far < NEAR**2
    return float(close.any(1).mean()), float(close.any(0).mean())


def look(state: gan2d.State, aim: Target, loss: Loss, kind: str = "") -> Moment:
    """Everything that is drawn and told of a state, on points and z that never change."""
    z = gan2d.noise(state.seed, SHOWN, state.latent)
    fake = gan2d.generate(state, z)
    real = aim.points[:SHOWN]
    on_real, on_fake = gan2d.logits(state, real), gan2d.logits(state, fake)
    q = gan2d.density(fake, plane(), WIDTH)
    covered, on = covering(real, fake)
    return Moment(
        kind,
        state.discriminator.steps,
        state.generator.steps,
        fake,
        gan2d.pull(state, fake, loss),
        gan2d.discriminate(state, plane()).reshape(CELLS, CELLS),
        gan_losses.optimum(aim.density + FLOOR, q + FLOOR).reshape(CELLS, CELLS),
        gan_losses.value(on_real, on_fake),
        gan2d.best_value(real, fake, WIDTH),
        float(gan_losses.sigmoid(on_real).mean()),
        float(gan_losses.sigmoid(on_fake).mean()),
        covered,
        on,
        (
            gan2d.g_gradient(state, z, "saturating")[1].gradient,
            gan2d.g_gradient(state, z, "non_saturating")[1].gradient,
        ),
    )


# ---------------------------------------------------------------- the game


@dataclass(frozen=True, eq=False)
class Game:
    """name, own, seed: what it began from. film: the moments in the scrubber. past: (steps of both nets, V, V(D*))."""

    name: str
    own: tuple[tuple[float, float], ...]
    seed: int
    aim: Target
    state: gan2d.State
    film: tuple[Moment, ...]
    past: tuple[tuple[int, float, float], ...]
    story: tuple[Chapter, ...] = ()

    @property
    def now(self) -> Moment:
        return self.film[-1]

    @property
    def steps(self) -> int:
        return self.now.d_steps + self.now.g_steps

    @property
    def fresh(self) -> bool:
        return not self.story


def begin(name: str, own: tuple[tuple[float, float], ...] = (), seed: int = 0) -> Game:
    """An untrained pair of nets before a target."""
    aim = Target.of(target(name, own))
    state = gan2d.new(seed)
    first = look(state, aim, "non_saturating")
    return Game(name, own, seed, aim, state, (first,), ((0, first.value, first.bound),))


def by_hand(game: Game, settings: Settings, kind: str) -> Game:
    """One step of D ("d") or of G ("g"), or one round ("r")."""
    state = moved(game.state, game.aim, settings, kind, 1)
    moment = look(state, game.aim, settings.loss, kind)
    film = (*game.film[-(BY_HAND - 1) :], moment) if len(game.film) <= BY_HAND else (game.now, moment)
    return _after(game, state, film, told(game.story, settings, (kind, 1)), 1)


def run(game: Game, settings: Settings, kind: str, count: int, frames: int = FRAMES) -> Iterator[Game]:
    """`frames` moments, `count` rounds or steps from one to the next; yields the game after each, the result last."""
    state, film = game.state, [game.now]
    for i in range(frames):
        state = moved(state, game.aim, settings, kind, count)
        film.append(look(state, game.aim, settings.loss, kind))
        story = told(game.story, settings, (kind, count * (i + 1)))
        yield _after(game, state, tuple(film), story, i + 1)


def moved(state: gan2d.State, aim: Target, settings: Settings, kind: str, count: int) -> gan2d.State:
    """The state after `count` steps of D ("d") or of G ("g"), or rounds of both ("r")."""
    recipe = settings.recipe
    if kind == "r":
        return gan2d.play(state, aim.points, recipe, count)[0]
    for _ in range(count):
        if kind == "d":
            state, _ = gan2d.d_step(state, aim.points, lr=recipe.lr_d, batch=recipe.batch)
        else:
            state, _ = gan2d.g_step(state, recipe.loss, lr=recipe.lr_g, batch=recipe.batch)
    return state


def _after(
    game: Game, state: gan2d.State, film: tuple[Moment, ...], story: tuple[Chapter, ...], new: int
) -> Game:
    past = tuple((m.d_steps + m.g_steps, m.value, m.bound) for m in film[-new:])
    return replace(game, state=state, film=film, story=story, past=(*game.past, *past)[-2000:])


def replay(name: str, own: tuple[tuple[float, float], ...], seed: int, story: tuple[Chapter, ...]) -> Game:
    """The game that a link tells of; its last move is kept as a film where it was a run."""
    game = begin(name, own, seed)
    moves = [(settings, kind, count) for settings, chapter in story for kind, count in chapter]
    for i, (settings, kind, count) in enumerate(moves):
        pieces = min(count, FRAMES)
        if i < len(moves) - 1:  # only what the last move did is looked at in between
            state = moved(game.state, game.aim, settings, kind, count)
            film = (look(state, game.aim, settings.loss, kind),)
            game = _after(game, state, film, told(game.story, settings, (kind, count)), 1)
            continue
        film_of: list[Moment] = [game.now]
        begun = game
        for j in range(pieces):
            part = count * (j + 1) // pieces - count * j // pieces
            state = moved(game.state, game.aim, settings, kind, part)
            film_of.append(look(state, game.aim, settings.loss, kind))
            told_so_far = told(begun.story, settings, (kind, count * (j + 1) // pieces))
            game = _after(game, state, tuple(film_of), told_so_far, 1)
    return game

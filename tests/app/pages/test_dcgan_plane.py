"""The 2-D GAN of the page: targets, moves by hand, stories that a link carries and that play again exactly."""

from __future__ import annotations

import numpy as np
import pytest

from app.figures import plane as draw, strokes
from models.generative import gan2d
from pages.dcgan_parts import plane
from pages.dcgan_parts.plane import Settings


@pytest.mark.parametrize("name", plane.TARGETS)
def test_targets_lie_in_view_and_any_part_is_like_the_whole(name: str):
    points = plane.target(name, ((0.5, 0.5), (-0.5, 0.0)))
    assert points.shape == (plane.POINTS, 2) and points.dtype == np.float32
    assert np.abs(points).max() < plane.REACH
    half = points[: plane.POINTS // 2]
    assert np.abs(half.mean(0) - points.mean(0)).max() < 0.1


def test_an_unknown_target_is_refused():
    with pytest.raises(KeyError):
        plane.target("circle")


def test_places_of_a_drawing_go_into_a_link_and_back():
    places = [(0.0, 0.0), (-1.6, 1.6), (0.73, -1.1)]
    raw = strokes.write_places(places)
    assert len(raw) == 6
    assert np.abs(np.array(strokes.read_places(raw)) - places).max() <= plane.REACH / 31.5 / 2 + 1e-9
    assert strokes.write_places(strokes.read_places(raw)) == raw
    assert (
        len(strokes.read_places(strokes.write_places([(0.01 * i, 0.0) for i in range(500)])))
        == strokes.MOST_PLACES
    )
    for bad in ("A", "A!", "AA" * (strokes.MOST_PLACES + 1)):
        with pytest.raises(ValueError):
            strokes.read_places(bad)


def test_a_story_goes_into_a_link_and_back():
    story: tuple[plane.Chapter, ...] = ()
    for kind in "ddgrr":
        story = plane.told(story, Settings(), (kind, 1))
    story = plane.told(story, Settings(k=10, loss="saturating", lr_d=7, lr_g=0), ("r", 240))
    assert plane.write_story(story) == "K1n43-d2-g1-r2-K10s70-r240"
    assert plane.read_story(plane.write_story(story)) == story
    assert plane.length(story) == 2 + 1 + 4 + 240 * 11
    assert plane.read_story("") == ()


@pytest.mark.parametrize(
    "bad",
    [
        "r5",
        "K1n43-x3",
        "K0n43-r1",
        "K11n43-r1",
        "K1z43-r1",
        "K1n99-r1",
        "K1n43-r0",
        "K10n43-r99999",
        "K1n43-r5-",
    ],
)
def test_a_bad_story_is_refused(bad: str):
    with pytest.raises(ValueError):
        plane.read_story(bad)


def test_a_game_played_again_from_its_story_is_the_same_game():
    game = plane.begin("moons", seed=3)
    fast = Settings(k=2, lr_g=5)
    for kind in "dgr":
        game = plane.by_hand(game, Settings(), kind)
    *_, game = plane.run(game, fast, "r", 2, frames=3)
    *_, game = plane.run(game, fast, "d", 2, frames=2)
    again = plane.replay("moons", (), 3, plane.read_story(plane.write_story(game.story)))
    assert again.story == game.story
    np.testing.assert_array_equal(again.now.fake, game.now.fake)
    np.testing.assert_array_equal(again.now.surface, game.now.surface)
    assert (again.now.d_steps, again.now.g_steps) == (game.now.d_steps, game.now.g_steps) == (18, 8)


def test_E11_a_d_step_moves_the_surface_and_not_one_point():
    game = plane.begin("ring")
    after_d = plane.by_hand(game, Settings(), "d")
    np.testing.assert_array_equal(after_d.now.fake, game.now.fake)
    assert np.abs(after_d.now.surface - game.now.surface).max() > 1e-4
    after_g = plane.by_hand(after_d, Settings(), "g")
    assert np.abs(after_g.now.fake - game.now.fake).max() > 1e-4
    np.testing.assert_array_equal(after_g.now.surface, after_d.now.surface)


def test_by_hand_keeps_a_few_moments_and_a_run_keeps_its_own():
    game = plane.begin("line")
    for _ in range(plane.BY_HAND + 3):
        game = plane.by_hand(game, Settings(), "d")
    assert len(game.film) == plane.BY_HAND
    *_, game = plane.run(game, Settings(), "r", 1, frames=20)
    assert len(game.film) == 21 and len(game.past) == 1 + plane.BY_HAND + 3 + 20
    assert len(plane.by_hand(game, Settings(), "g").film) == 2


def test_the_recipe_for_collapse_collapses_and_the_good_one_covers():
    from pages.dcgan_parts.live import RECIPES

    ends = {}
    for name in ("learns", "collapses"):
        settings, pace = RECIPES[name]
        *_, game = plane.run(plane.begin("ring"), settings, "r", pace)
        ends[name] = game.now
    assert ends["learns"].covered > 0.9 and gan2d.modes_found(ends["learns"].fake) == 8
    assert ends["collapses"].covered < 0.5 and gan2d.modes_found(ends["collapses"].fake) <= 2
    assert ends["learns"].bound < ends["collapses"].bound  # what D* could still gain


def test_E11_d_alone_comes_near_the_best_d():
    game = plane.begin("ring")
    before = np.abs(game.now.surface - game.now.best).mean()
    *_, game = plane.run(game, Settings(lr_d=5), "d", 40, frames=10)
    near = (game.now.best > 0.9) | (game.now.best < 0.1)  # where one of the clouds is
    assert np.abs(game.now.surface - game.now.best)[near].mean() < 0.6 * before
    assert game.now.value > game.past[0][1]


def test_pictures_of_a_moment():
    game = plane.begin("ring")
    now = game.now
    ground = draw.contour(now.surface, draw.surface(now.surface))
    picture = draw.laid(
        ground,
        draw.dots(game.aim.points, plane.REACH, draw.REAL),
        draw.pushed(now.fake, now.pull, plane.REACH),
    )
    assert picture.shape == (draw.SIDE, draw.SIDE, 3) and picture.dtype == np.uint8
    # upwards is up: a surface that is 1 in its highest row is blue at the top and orange at the bottom
    slope = np.repeat(np.linspace(0, 1, plane.CELLS)[:, None], plane.CELLS, 1)
    shown = draw.surface(slope).astype(int)
    assert shown[0, 0, 2] > shown[0, 0, 0] and shown[-1, 0, 0] > shown[-1, 0, 2]
    np.testing.assert_allclose(draw.places(np.array([[0.0, 1.6]]), 1.6, 100), [[50.0, 0.0]])


def test_arrows_without_any_pull():
    assert np.all(draw.arrows(np.zeros((3, 2)), 1.6, 100) == 0)
    assert np.all(np.isfinite(draw.arrows(np.array([[1e-30, 0.0], [2.0, 1.0]]), 1.6, 100)))

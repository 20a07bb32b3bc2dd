"""The DDPM page: what it says, what its choices do, links good and bad, branch, forward, both languages and engines."""

from __future__ import annotations

import io
import time
from functools import partial

import numpy as np
import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from app.engine.diffuse import MAX_GUIDANCE
from app.engine.film import film, frames_of
from app.figures.printed import significant
from app.text import t, using
from app.widgets import state
from pages.ddpm_parts import view
from pages.ddpm_parts.view import GUIDANCE, SHELF, STEPS, Scene, labels_of, name_of
from tests.app.pages.driver import ENGINES, asked, opened, refused, settled, visit, words

start = partial(opened, "ddpm")

QUICK = {"steps": "6", "samples": "2"}


def button(page: AppTest, key: str) -> AppTest:
    next(b for b in page.button if b.key == key).click()
    return settled(page)


def choose(page: AppTest, kind: str, key: str, value: object) -> AppTest:
    next(w for w in page.get(kind) if w.key == key).set_value(value)
    return settled(page)


def scene_of(page: AppTest) -> Scene:
    """What the page shows, from its shelf."""
    slug, weights, engine, request = page.session_state["ddpm.last"]
    model = view.load(slug, weights, engine)
    path = SHELF.get(name_of(model, request))
    assert path is not None
    return Scene(model, request, path)


# ---------------------------------------------------------------- the first look


@pytest.mark.parametrize("which", ENGINES)
def test_a_result_stands_before_any_click(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    page = start(monkeypatch, which)
    assert page.title[0].value == "DDPM"
    assert not page.error
    shown = words(page)
    for n in (1, 2):
        assert t("ddpm.sample.bold", n=n) in shown
    read = [
        t(f"ddpm.verdict.{k}", digit="§", percent="", asked="").split("§")[0] for k in ("agrees", "unsure")
    ]
    assert sum(shown.count(words_) for words_ in read) == 2
    for header in ("ddpm.branch", "ddpm.forward", "ddpm.take"):
        assert t(header) in shown
    scene = scene_of(page)
    assert scene.frames == 25 and scene.request.labels == (3, 3)
    mine = {param.name for param in vars(view).values() if isinstance(param, state.Param)}
    assert not mine & set(page.query_params), "defaults do not stand in the address"


def test_in_chinese_with_a_branch_and_everything_else_from_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    link = {"class": "5", "seed": "11", "sampler": "ddpm", "guidance": "3.5", "samples": "3", "step": "2"}
    link |= {"clip": "0", "look": "1", "branch": "3", "branch_class": "8", "t": "137", "steps": "6"}
    with using("zh"):
        page = start(monkeypatch, lang="zh", **link)
        assert not page.error
        shown = words(page)
        at = scene_of(page).shown_t(3)
        assert t("ddpm.branch.at", step=4, steps=6, t=at) in shown
        assert t("ddpm.branch.ends", n=3, before="§", sure="", after="", surer="").split("§")[0] in shown
        assert "t = 137" in shown
    request = scene_of(page).request
    assert (request.labels, request.seed, request.steps) == ((5, 5, 5), 11, 6)
    assert (request.sampler, request.guidance, request.clip, request.eta) == ("ddpm", 3.5, False, 0.0)
    for name, value in link.items():  # the link stays what it was
        assert asked(page, name) == value


# ---------------------------------------------------------------- links that ask too much


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", "-1"),
        ("seed", "99999999999999999999"),
        ("steps", "4"),
        ("steps", "1001"),
        ("eta", "1.5"),
        ("eta", "nan"),
        ("guidance", "-2"),
        ("samples", "17"),
        ("samples", "many*"),
    ],
)
def test_a_bad_link_is_answered_in_a_sentence(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    page = start(monkeypatch, **QUICK | {name: value})
    assert not page.error
    assert f"{name} = {value}" in refused(page)
    assert t("ddpm.sample.bold", n=1) in words(page)


def test_nonsense_elsewhere_in_a_link_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = {"class": "77", "step": "-9", "look": "9", "branch": "x"}
    odd |= {"t": "1e9", "sampler": "euler", "clip": "perhaps", "weights": "cats"}
    unread = {"branch_class": "99", "branch_seed": "§", "branch_eta": "2"}  # there is no branch
    page = start(monkeypatch, **QUICK, **odd, **unread)
    assert not page.error
    said = refused(page)
    assert [name for name, value in odd.items() if f"{name} = {value}" not in said] == []
    assert scene_of(page).request.labels == (3, 3)


def test_the_sentence_goes_when_something_else_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, samples="2", steps="1001")
    assert t("link.whole", name="steps", value="1001", least=5, most=1000) in refused(page)
    choose(page, "select_slider", "ddpm.steps", 10)
    assert not refused(page) and scene_of(page).path.steps == 10


# ---------------------------------------------------------------- choices


def test_another_seed_brings_another_picture_and_the_old_one_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = start(monkeypatch, **QUICK)
    first = scene_of(page).path.samples
    button(page, "ddpm.dice")
    second = scene_of(page).path.samples
    assert np.abs(first - second).mean() > 0.05
    choose(page, "number_input", "ddpm.seed", 7)
    assert np.array_equal(scene_of(page).path.samples, first)


def test_steps_sampler_and_class_are_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK)
    choose(page, "select_slider", "ddpm.steps", 10)
    assert scene_of(page).frames == 10
    choose(page, "slider", "ddpm.eta", 0.5)
    assert scene_of(page).request.eta == 0.5
    choose(page, "slider", "ddpm.guidance", 0.0)
    assert scene_of(page).request.guidance == 0
    assert asked(page, "steps") == "10"


def test_no_class_and_mixed_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK, **{"class": "10"})
    shown = words(page)
    assert t("ddpm.verdict.free", digit="§", percent="", asked="").split("§")[1] in shown or (
        t("ddpm.verdict.unsure", digit="§", percent="", asked="").split("§")[0] in shown
    )
    model = scene_of(page).model
    assert labels_of(model, view.MIX, 4, 8) == (8, 9, 0, 1)


def test_a_long_run_shows_its_progress_and_the_picture_before(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK)
    before = scene_of(page).request
    monkeypatch.setattr(view, "AT_ONCE", 0.0)
    next(s for s in page.get("select_slider") if s.key == "ddpm.steps").set_value(1000)
    page.run()
    assert page.get("progress")
    assert t("ddpm.before", seed="7", steps="6", guidance=f"{before.guidance:g}") in words(page)
    assert t("ddpm.sample.bold", n=1) in words(page), "the picture before is gone"
    time.sleep(1)
    next(b for b in page.button if b.key == "ddpm.sample.cancel").click()
    page.run()
    time.sleep(1)
    page.run()
    assert t("progress.cancelled") in words(page)
    assert scene_of(page).request == before


# ---------------------------------------------------------------- branch


def test_a_link_to_a_long_run_shows_few_steps_of_it_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after it was stopped: the page is never empty."""
    page = visit("ddpm", monkeypatch, steps="1000", seed="123").run()
    assert page.get("progress")
    assert t("ddpm.meanwhile", steps=25) in words(page)
    next(b for b in page.button if b.key == "ddpm.sample.cancel").click()
    settled(page)
    assert t("progress.cancelled") in words(page) and t("ddpm.meanwhile", steps=25) in words(page)
    assert t("ddpm.sample.bold", n=1) in words(page)


def test_a_branch_to_another_class(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK, step="1")
    button(page, "ddpm.branch.here")
    assert asked(page, "branch") == "1"
    assert asked(page, "branch_class") == "8", "something is changed at once, so that there is a difference"
    shown = words(page)
    assert t("ddpm.branch.ends", n=2, before="§", sure="", after="", surer="").split("§")[0] in shown
    button(page, "ddpm.branch.drop")
    assert "branch" not in page.query_params
    assert t("ddpm.branch.hint") in words(page)


def test_a_seed_alone_changes_nothing_where_no_noise_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK, branch="2", branch_seed="5")
    assert t("ddpm.branch.no_noise") in words(page)
    button(page, "ddpm.branch.dice")
    assert t("ddpm.branch.no_noise") not in words(page)
    assert asked(page, "branch_eta") == "1"


def test_at_the_end_of_the_path_a_step_in_the_middle_is_suggested(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, steps="25")
    button(page, "ddpm.branch.here")
    assert 5 <= int(asked(page, "branch")) <= 20


def test_an_unchanged_branch_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK, branch="2")
    assert t("ddpm.branch.same") in words(page)


# ---------------------------------------------------------------- forward


def test_a_picture_of_ones_own_drowns(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK)
    out = io.BytesIO()
    Image.fromarray(np.tile(np.arange(200, dtype=np.uint8), (100, 1))).save(out, "PNG")
    chooser = page.file_uploader[0]
    chooser.set_value(("mine.png", out.getvalue(), "image/png"))
    settled(page)
    assert t("input.current", name="mine\\.png", width=200, height=100) in words(page)
    choose(page, "number_input", "ddpm.forward.t", 333)
    assert asked(page, "t") == "333"
    assert "t = 333" in words(page)
    choose(page, "number_input", "ddpm.forward.t", 0)
    assert t("ddpm.forward.zero") in words(page)


def test_a_damaged_picture_is_answered_and_the_path_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK)
    page.file_uploader[0].set_value(("x.jpg", b"\xff\xd8\xff\xe0 broken", "image/jpeg"))
    settled(page)
    assert len(page.error) == 1
    assert t("ddpm.sample.bold", n=1) in words(page)


# ---------------------------------------------------------------- files and small words


def test_the_film_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, **QUICK)
    path = scene_of(page).path
    for kind in ("GIF", "WEBP"):
        with Image.open(io.BytesIO(film(frames_of(path, show=("x", "x0")), kind))) as picture:
            assert picture.format == kind and getattr(picture, "n_frames", 1) > 3
    assert {b.label for b in page.get("download_button")} >= {"GIF", "WEBP", "PNG", "NPZ"}


def test_small_numbers_are_short() -> None:
    assert [significant(v) for v in (0, 0.5, 1, 0.0123456, 8.12e-5, 12345.6, float("inf"))] == [
        "0", "0.5", "1", "0.0123", "8.1e-5", "12346", "∞",
    ]  # fmt: skip


def test_the_page_asks_for_no_more_than_the_sampler_gives() -> None:
    assert GUIDANCE.parse("10") <= MAX_GUIDANCE
    assert STEPS.parse("5") == 5

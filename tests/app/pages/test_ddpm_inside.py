"""Inside, play and notes of the DDPM page: every view, both languages and engines, and the effect of each choice.

Where the embedded weights are not there, random ones of their shapes stand in.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import app.engine as engine
from app.engine import load
from app.engine.base import finish
from app.engine.diffuse import Request, sample
from app.figures import ddpm_inside as figures
from app.figures.architecture import collapse
from app.figures.printed import Printed, small
from app.figures.unet import draw_u, skips_of
from app.text import t, using
from models import checkpoints
from models.card import Block
from models.generative.ddpm_card import CARD
from models.generative.schedule import Schedule
from models.weights_io import save_weights
from pages.ddpm_parts import errata, sums
from pages.ddpm_parts.compare import COUNTS, KINDS, ends_of, requests_of
from pages.ddpm_parts.moment import Moment
from pages.ddpm_parts.play import format_skips, parse_skips
from tests.app.pages.driver import ROOT, visit, words

LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
VIEWS = ("network", "skips", "attention", "clock")
QUICK = {"steps": "5", "samples": "1"}


@pytest.fixture(autouse=True, scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Random stand-ins for embedded weights that are missing."""
    patch, folder = pytest.MonkeyPatch(), tmp_path_factory.mktemp("weights")
    made: dict[str, Path] = {}
    for one in CARD.weights:
        if not CARD.embedded_path(one).is_file():
            rng = np.random.default_rng(0)
            made[one.id] = folder / f"{one.id}.safetensors"
            shapes = checkpoints.expected_shapes(CARD, one)
            save_weights(
                made[one.id], {n: 0.05 * rng.standard_normal(s, np.float32) for n, s in shapes.items()}
            )
    if made:
        find, locate = engine.find_weights, checkpoints.locate
        patch.setattr(
            engine, "find_weights", lambda c, w: (made.get(w.id) if c is CARD else None) or find(c, w)
        )
        patch.setattr(
            checkpoints, "locate", lambda c, w: (made.get(w.id) if c is CARD else None) or locate(c, w)
        )
    yield
    patch.undo()


def start(monkeypatch: pytest.MonkeyPatch, which: str = "onnx", **query: str) -> AppTest:
    page = visit("ddpm", monkeypatch, which, **(QUICK | query))
    code = query.get("lang", "en")
    return until(sound(page.run()), said("ddpm_inside.play", code), code)


def until(page: AppTest, sentence: str, code: str = "en") -> AppTest:
    """Rerun until a sentence has come: on a busy machine a path is a job with a progress bar."""
    for _ in range(300):
        if sentence in words(page):
            return page
        with using(code):  # AppTest asks for the words of options on its own
            page = sound(page.run())
        time.sleep(0.2)
    raise AssertionError(f"{sentence!r} never came")


def sound(page: AppTest) -> AppTest:
    assert not page.exception, [e.message for e in page.exception]
    assert not page.error, [e.value for e in page.error]
    return page


def said(key: str, code: str = "en", **values: object) -> str:
    with using(code):
        return t(key, **values)


# ---------------------------------------------------------------- the page


@pytest.mark.parametrize(
    ("which", "code"), [("onnx", "en"), pytest.param("torch", "zh", marks=pytest.mark.torch)]
)
def test_the_views_on_both_engines_and_in_both_languages(monkeypatch, which, code):
    page = start(monkeypatch, which, lang=code, step="2")
    about = {
        "network": "net.about",
        "skips": "skips.about",
        "attention": "attention.about",
        "clock": "adds.about",
    }
    for view in VIEWS if which == "onnx" else VIEWS[2:]:
        page.query_params["inside"] = view
        text = words(until(page, said(f"ddpm_inside.{about[view]}", code), code))
        for key in ("title", "play", "cut", "guide", "schedule", "samplers", "notes", about[view]):
            assert said(f"ddpm_inside.{key}", code) in text
        assert disagreement(code) not in text
    for key in errata.NUMBERS:
        assert said(f"ddpm_inside.note.{key}", code) in text


def agreement(code: str = "en") -> str:
    """The beginning of the sentence under a sum that is the network's own number."""
    return said("formula.agrees", code, difference="@", bound="@").partition("@")[0]


def disagreement(code: str = "en") -> str:
    """The part that only the sentence under a wrong sum has."""
    return said("formula.differs", code, difference="@", bound="@").split("@")[1]


TENSORS = (
    ("time", "time.sinusoid"),
    ("time", "embedding"),
    ("input", ""),
    ("step", ""),
    ("conv_in", "skip.0"),
    ("down.0.resnet.0", "skip.1"),
    ("down.1.resnet.0", "down.1.resnet.0.hidden"),
    ("mid.attention.0", "mid.attention.0.weights"),
    ("mid.attention.0", "mid.attention.0.v"),
    ("up.0.sample", "up.0.sample.out"),
    ("output", "output"),
    ("no.such.block", "nor.such.tap"),
)


def test_blocks_and_tensors_from_the_link(monkeypatch):
    page = start(monkeypatch, step="1")
    for block, tap in TENSORS:
        page.query_params["block"], page.query_params["tap"] = block, tap
        text = words(sound(page.run()))
        assert disagreement() not in text, tap
        if tap not in ("", "time.sinusoid", "mid.attention.0.weights"):
            assert agreement() in text, tap
        if tap == "skip.1":
            assert said("ddpm_inside.worked.copy", name="skip.1", twin="down.0.resnet.0.out") in text


def test_guidance_is_the_paths_own_and_a_cut_skip_changes_the_rest_of_it(monkeypatch):
    page = start(monkeypatch, step="2", guidance="3")
    text = words(page)
    assert said("ddpm_inside.cut.none") in text
    assert set(page.query_params) <= {*QUICK, "step", "guidance", "lang"}, (
        "the link holds what was chosen, no more"
    )
    # the guided noise of this step is the path's own
    begin = said("ddpm_inside.guide.agreement", x="@", y="@", stored="@", apart="@").partition("@")[0]
    line = next(line for line in text.split("\n") if line.startswith(begin) and "apart" in line)
    apart = line.rsplit(":", 1)[1].removesuffix(" apart.").strip()
    assert apart == "0" or int(apart.partition("× 10⁻")[2].translate(LOWERED)) >= 4, apart
    page.query_params["skips"], page.query_params["from"] = "1,99", "40"
    end = said("ddpm_inside.cut.says", gap="@").partition("@")[0]
    text = words(until(sound(page.run()), end))
    assert said("ddpm_inside.cut.none") not in text
    line = next(line for line in text.split("\n") if line.startswith(end))
    assert float(line.removeprefix(end).split()[0]) > 0.001


def test_samplers_run_on_demand(monkeypatch):
    page = start(monkeypatch)
    button = next(b for b in page.button if b.label == said("ddpm_inside.samplers.button", runs=15))
    until(sound(button.click().run()), said("ddpm_inside.samplers.says", n=100))


def test_every_erratum_of_the_card_has_its_entry_and_its_test(monkeypatch):
    text = words(start(monkeypatch))
    tests = (ROOT / errata.TESTS_FILE).read_text("utf-8")
    assert set(errata.NUMBERS) == set(errata.TESTS) == set(CARD.errata)
    for erratum, name in errata.TESTS.items():
        assert f"**{erratum}**" in text and name in text
        assert f"def {name}(" in tests and name.startswith(f"test_{erratum}_")


# ---------------------------------------------------------------- what it is made of


def test_the_numbers_of_the_errata_are_those_of_the_table():
    n = {erratum: found() for erratum, found in errata.NUMBERS.items()}
    assert n["E13"]["right"] == pytest.approx(4.0358e-5, rel=1e-4)
    assert n["E13"]["notes"] == pytest.approx(0.34969, abs=1e-5)
    assert n["E13"]["signal"] == pytest.approx(59, abs=0.5)
    assert (n["E14"]["exact"], n["E14"]["right"], n["E14"]["notes"]) == pytest.approx(
        (0.28, 0.28, 0.533), rel=0.02
    )
    assert (n["E15"]["first"], n["E15"]["middle"]) == pytest.approx((0.9999, 0.078587), abs=1e-6)
    assert n["E16"]["right"] < 1e-9 and n["E16"]["notes"] > 1
    assert (n["E17"]["right"], n["E17"]["notes"]) == pytest.approx((1, 2), abs=1e-6)
    assert (n["E18"]["mean"], n["E18"]["variance"]) == pytest.approx((0.837350, 0.0714286), abs=1e-6)
    assert (n["E18"]["square"], n["E18"]["literal"]) == pytest.approx((8, -1.6747), abs=1e-4)
    assert (n["E19"]["second"], n["E19"]["beta"]) == pytest.approx((5.4532e-5, 1.1992e-4), rel=1e-4)
    assert n["E19"]["first"] == 0
    assert n["E20"]["found"] == pytest.approx(n["E20"]["root"], rel=0.02)
    assert n["E21"]["stays"] == pytest.approx(0.5, abs=1e-4) and n["E21"]["falls"] < 1e-8
    assert n["E22"]["last"] == 0 and n["E22"]["before"] > 0.01


def test_the_u_has_its_skips_level_and_nothing_overlaps():
    for one in CARD.weights:
        blocks = CARD.blocks(one.config)
        nodes = collapse(blocks, frozenset(b.name for b in blocks))
        skips = skips_of(nodes)
        assert [a for a, _ in skips] == list(sums.skip_sources(one.config))
        for width, indent, gap in ((138.0, 34.0, 30.0), (104.0, 0.0, 16.0)):
            drawn = draw_u(blocks, selected="mid.attention.0", node_width=width, indent=indent, gap=gap)
            assert set(drawn.boxes) == {b.name for b in blocks}
            for a, b in skips:
                assert drawn.boxes[a].middle[1] == drawn.boxes[b].middle[1]
                assert drawn.boxes[a].x < drawn.boxes[b].x
            boxes = list(drawn.boxes.values())
            for i, one_box in enumerate(boxes):
                end = one_box.x + one_box.width, one_box.y + one_box.height
                assert one_box.x >= 0 and end[0] <= drawn.width and end[1] <= drawn.height
                for other in boxes[i + 1 :]:
                    apart = (
                        end[0] <= other.x or other.x + other.width <= one_box.x
                        or end[1] <= other.y or other.y + other.height <= one_box.y
                    )  # fmt: skip
                    assert apart
            for block in blocks:
                assert drawn.svg.count(f'data-id="{block.name}"') == 1


def test_a_chain_is_no_u():
    chain = [Block(name=str(i), inputs=(str(i - 1),) if i else (), kind="conv") for i in range(3)]
    with pytest.raises(ValueError, match="skips"):
        draw_u(chain)
    crossed = [
        *chain,
        Block(name="3", inputs=("2", "0"), kind="conv"),
        Block(name="4", inputs=("3", "1"), kind="conv"),
    ]
    with pytest.raises(ValueError, match="nested"):
        draw_u(crossed)


def test_skips_in_the_link():
    assert parse_skips("3,1,1") == [1, 3] and format_skips([1, 3]) == "1,3" and parse_skips("") == []
    for bad in ("-1", "100", "a", "1.5"):
        with pytest.raises(ValueError, match=r".*"):
            parse_skips(bad)


def test_a_sheet_of_skips_finds_its_tiles_again():
    skips = [np.full((2, side, side), i + 1.0) for i, side in enumerate((8, 8, 4, 2))]
    sheet = figures.skip_sheet(skips, columns=3)
    for i in range(4):
        x, y = sheet.corner(i)
        assert sheet.at(x, y) == i and sheet.at(x + sheet.side - 1, y + sheet.side - 1) == i
    assert (
        sheet.at(sheet.side, 0) is None and sheet.at(sheet.side + sheet.gap, sheet.image.shape[0] - 1) is None
    )


def test_entropy_counts_what_is_listened_to():
    assert figures.entropy(np.full(49, 1 / 49)) == pytest.approx(49)
    assert figures.entropy(np.eye(5)[2]) == pytest.approx(1)


def test_numbers_are_printed_for_readers():
    assert small(4.0358e-5) == "4.0 × 10⁻⁵" and small(0.0) == "0"
    assert f"{Printed(-1.6747):.2f}" == "−1.67" and f"{Printed(-2e13):.0e}" == "−2 × 10¹³"


def test_a_gallery_is_plain_and_says_what_it_shows():
    html = figures.gallery([figures.Cell(np.zeros((2, 2, 3), np.uint8), "a <b>", 'c "d"')], "all & more")
    assert "a &lt;b&gt;" in html and 'alt="c &quot;d&quot;"' in html and "all &amp; more" in html
    assert "data:image/png;base64," in html


def test_the_notes_schedule_leaves_the_picture_in_the_noise():
    x0 = np.where(np.indices((1, 28, 28)).sum(0) % 8 < 4, 1.0, -1.0)
    for schedule, share in ((Schedule.linear(), 0.01), (Schedule.linear(end=0.002), 0.59)):
        x = errata.drowned(x0, 999, schedule)
        assert float((x * x0).mean()) == pytest.approx(share, abs=0.12)


def test_series_of_runs_are_the_runs():
    model = load(CARD.slug, "digits", "onnx")
    path = finish(sample(model, Request(labels=(1, 2), seed=3, steps=5)))
    m = Moment(model, Request(labels=(1, 2), seed=3, steps=5), path, 1, 2)
    assert (m.label, m.shown_t) == (2, int(path.t[2]) + 1)
    requests = requests_of(m.request, 1)
    assert [r.steps for r in requests] == list(COUNTS) * len(KINDS)
    assert all(r.labels == (2,) and r.index == (1,) for r in requests)
    items = list(ends_of(model, [requests[0], requests[0]]))
    assert [item.done for item in items][-1] == items[-1].total == 10
    assert items[-1].result is not None and items[-1].result.shape[0] == 2
    np.testing.assert_array_equal(items[-1].result[0], path.samples[1])

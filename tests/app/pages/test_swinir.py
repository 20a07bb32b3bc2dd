"""The SwinIR page: what it says, what its choices do, links, both languages and engines, odd pictures.

Where the embedded weights are not there, random ones of their shapes stand in.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import app.engine as engine
from app.figures.swinir_windows import Windows, locate
from app.images import decode
from app.text import t, using
from app.widgets.image_input import Source
from app.widgets.progress import DESK
from models import checkpoints
from models.card import ModelCard, Weights
from models.vision.swinir_card import CARD
from models.weights_io import save_weights
from pages.swinir_parts import view as looks
from pages.swinir_parts.result import decibels, gain, stem_of
from pages.swinir_parts.view import SAMPLES, Layer, centre_area, cut, format_area, layer_name, parse_area
from tests.app.pages.driver import ENGINES, opened, png, sound, words

start = partial(opened, "swinir")

VIEWS = ("attention", "windows", "bias", "features", "network")


@pytest.fixture(autouse=True, scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Random stand-ins for embedded weights that are missing."""
    patch = pytest.MonkeyPatch()
    folder = tmp_path_factory.mktemp("weights")
    made: dict[str, Path] = {}
    for weights in CARD.weights[:2]:
        if not CARD.embedded_path(weights).is_file():
            rng = np.random.default_rng(0)
            shapes = checkpoints.expected_shapes(CARD, weights)
            made[weights.id] = folder / f"{weights.id}.safetensors"
            save_weights(
                made[weights.id], {n: 0.05 * rng.standard_normal(s, np.float32) for n, s in shapes.items()}
            )
    if made:
        find, locate_ = engine.find_weights, checkpoints.locate
        patch.setattr(engine, "find_weights", lambda c, w: made.get(w.id) or find(c, w))
        patch.setattr(checkpoints, "locate", lambda c, w: made.get(w.id) or locate_(c, w))
    yield
    patch.undo()


def upload(page: AppTest, data: bytes, name: str = "mine.png") -> AppTest:
    chooser = next(f for f in page.file_uploader if f.label == t("input.upload"))
    sound(chooser.set_value((name, data, "application/octet-stream")).run())
    return settled(page)


def settled(page: AppTest) -> AppTest:
    """Wait for what is worked on in a thread (pictures that are not small), and run the page again."""
    for _ in range(20):
        running = [job for slot, job in list(DESK._running.items()) if slot[1].endswith("swinir.upscale")]
        if not running:
            break
        running[0].finished.wait(300)
        sound(page.run())
    return sound(page.run())


def photo(height: int, width: int, seed: int = 0) -> np.ndarray:
    """A smooth picture with an edge; not a photograph, but no noise either."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    wave = 0.5 + 0.4 * np.sin(x / 7 + seed) * np.cos(y / 11)
    return (255 * np.clip(np.stack([wave, wave * (x > width / 2), 1 - wave], -1), 0, 1)).astype(np.uint8)


# ---------------------------------------------------------------- the first look


@pytest.mark.parametrize("which", ENGINES)
def test_a_result_stands_before_any_click(monkeypatch: pytest.MonkeyPatch, which: str) -> None:
    page = start(monkeypatch, which)
    assert page.title[0].value == "SwinIR"
    assert not page.error
    metrics = {metric.label: metric.value for metric in page.metric}
    assert metrics[t("swinir.psnr")].endswith(" dB")
    assert 0 < float(metrics[t("swinir.ssim")]) <= 1
    shown = words(page)
    assert t("swinir.attention.about") in shown
    assert t("swinir.limits.clean") in shown
    for erratum in CARD.errata:
        assert t(f"swinir.erratum.{erratum}") in shown


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_in_chinese_with_the_mask_dropped(monkeypatch: pytest.MonkeyPatch, view: str) -> None:
    with using("zh"):
        page = start(
            monkeypatch, lang="zh", inside=view, mask="0", at="157,101", weights="x4", sample="rocket"
        )
        assert not page.error
        assert [h.value for h in page.header] == [t("swinir.inside"), t("swinir.play"), t("swinir.notes")]
        assert t(f"swinir.{view}.about") in words(page)
        assert any(metric.label == t("swinir.leak.largest") for metric in page.metric)


# ---------------------------------------------------------------- choices


def test_the_picked_pixel_and_layer_of_a_link_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(
        monkeypatch,
        at="3,101",
        layer="rstb.0.layer.1",
        head="2",
        key="5",
        channel="7",
        compare="lanczos",
        sample="coffee",
    )
    place = locate(Windows(height=104, width=160, size=8, shift=4), 3, 101)
    shown = words(page)
    assert f"**{place.window + 1}**" in shown and t("swinir.class.corner") in shown
    assert t("swinir.output", head=3, channel=7) in shown
    assert t("swinir.silenced") in shown
    sliders = {s.label: s.value for s in page.select_slider}
    assert sliders[t("swinir.layer")] == "rstb.0.layer.1"
    assert t("swinir.method.lanczos") in next(m.delta for m in page.metric if m.label == t("swinir.psnr"))


def test_another_layer_gives_another_attention(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch)
    before = words(page)
    slider = next(s for s in page.select_slider if s.label == t("swinir.layer"))
    sound(slider.set_value("rstb.0.layer.0").run())
    after = words(page)
    assert before != after
    assert page.query_params["layer"] == "rstb.0.layer.0"
    numbers = [m.value for m in page.metric if m.label == t("formula.network")]
    assert len(numbers) == 2


def test_worked_numbers_agree_with_the_net(monkeypatch: pytest.MonkeyPatch) -> None:
    for at in ("80,50", "159,103"):  # inside, and in the corner behind the mask
        shown = words(start(monkeypatch, at=at))
        assert shown.count(":material/check:") == 2, shown
        assert ":material/warning:" not in shown


def test_the_way_to_a_masked_window(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, at="80,50")
    assert t("swinir.silenced") not in words(page)
    sound(page.button(key="swinir.corner.attention").click().run())
    assert t("swinir.silenced") in words(page)
    assert page.query_params["at"] == "158,102"


def test_dropping_the_mask_changes_the_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch)
    assert t("swinir.play.whole") in words(page)
    sound(page.button(key="swinir.drop").click().run())
    assert page.query_params["mask"] == "0"
    assert any(metric.label == t("swinir.leak.changed") for metric in page.metric)
    assert t("swinir.leak.pick", layer=layer_name(Layer("", 2, 1, 4)), head=1) in words(page)
    assert t("swinir.leak.title", added="0") in words(page)
    sound(page.button(key="swinir.restore").click().run())
    assert "mask" not in page.query_params and t("swinir.play.whole") in words(page)


def test_without_shrinking_there_is_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, weights="x4")
    toggle = next(s for s in page.toggle if s.label == t("swinir.shrink_first"))
    assert toggle.value
    page = settled(start(monkeypatch, shrink="0", weights="x4"))
    assert t("swinir.no_truth") in words(page)


def test_weights_that_are_not_here_are_offered_and_nothing_breaks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("VITRINE_CACHE", str(tmp_path))
    page = start(monkeypatch, weights="lightweight_x2")
    shown = words(page)
    assert t("choice.get", name=t("swinir.weights.lightweight_x2"), host="github.com") in shown
    assert t("swinir.attention.about") in shown  # the embedded ones still work
    drop = next(f for f in page.file_uploader if f.label == t("choice.drop"))
    sound(drop.set_value(("weights.safetensors", b"not safetensors", "application/octet-stream")).run())
    assert page.error
    assert t("swinir.attention.about") in words(page)


# ---------------------------------------------------------------- pictures of one's own


@pytest.mark.parametrize(("height", "width"), [(1, 1), (3, 700), (20, 11), (64, 64)])
def test_pictures_of_any_shape(monkeypatch: pytest.MonkeyPatch, height: int, width: int) -> None:
    page = upload(start(monkeypatch), png(photo(height, width)))
    assert not page.error
    assert t("swinir.size", width=width, height=height, wide=2 * width, high=2 * height) in words(page)
    for view in VIEWS[1:]:
        chooser = next(s for s in page.segmented_control if s.label == t("swinir.view"))
        sound(chooser.set_value(view).run())
        assert t(f"swinir.{view}.about") in words(page)


def test_a_medium_picture_is_looked_into_by_a_crop(monkeypatch: pytest.MonkeyPatch) -> None:
    page = upload(start(monkeypatch), png(photo(200, 300)))
    shown = words(page)
    assert t("swinir.size", width=300, height=200, wide=600, high=400) in shown
    assert any(caption.value.startswith(t("swinir.crop", width=0, height=0)[:40]) for caption in page.caption)


def test_a_large_picture_asks_for_a_part_and_starts_nothing_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = upload(start(monkeypatch), png(photo(900, 1200)))
    shown = words(page)
    assert t("swinir.area.about", width=1200, height=900) in shown
    assert t("swinir.attention.about") in shown  # a part of it was answered at once
    sound(page.button(key="swinir.area.whole").click().run())
    assert page.query_params["area"] == "0,0,1200,900"
    assert page.button(key="swinir.upscale.start")
    assert t("swinir.attention.about") not in words(page)


def test_a_picture_beyond_the_limit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRINE_MAX_OUTPUT_MEGAPIXELS", "1")
    page = upload(start(monkeypatch), png(photo(600, 800)))
    assert t("swinir.area.limit", megapixels="2", limit="1") in words(page)
    page.query_params["area"] = "0,0,800,600"
    sound(page.run())
    assert any(t("upscale.too_large", megapixels="1.9", limit="1.0")[:24] in w.value for w in page.warning)


def test_too_small_to_shrink_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    page = upload(start(monkeypatch), png(photo(1, 1)))
    toggle = next(s for s in page.toggle if s.label == t("swinir.shrink_first"))
    sound(toggle.set_value(True).run())
    assert page.error[0].value == t("image.too_small", width=1, height=1, limit=2)


def test_a_bad_file_is_answered_and_the_result_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch)
    chooser = next(f for f in page.file_uploader if f.label == t("input.upload"))
    sound(chooser.set_value(("broken.png", b"\x89PNG\r\n\x1a\nbroken", "image/png")).run())
    assert page.error
    assert any(metric.label == t("swinir.psnr") for metric in page.metric)


def test_jpeg_damage_is_pointed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch, sample="jpeg")
    assert any(w.value.startswith(t("swinir.blocky", value="")[:40]) for w in page.warning)
    assert not start(monkeypatch, sample="rocket").warning


# ---------------------------------------------------------------- numbers and choices that belong together


def test_a_picture_of_ones_own_is_not_shrunk_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    page = start(monkeypatch)
    upload(page, b"words and no picture", "text.png")
    assert page.error
    upload(page, png(photo(60, 90)), "coffee.png")
    toggle = next(one for one in page.toggle if one.label == t("swinir.shrink_first"))
    assert toggle.value is False and "shrink" not in page.query_params
    sound(toggle.set_value(True).run())
    assert page.query_params["shrink"] == "1"
    upload(page, png(photo(64, 80, seed=3)), "another.png")
    toggle = next(one for one in page.toggle if one.label == t("swinir.shrink_first"))
    assert toggle.value is False and "shrink" not in page.query_params


def test_the_switch_of_a_picture_that_has_gone_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    source = Source(decode(png(photo(32, 32)), "a.png"), "a.png", SAMPLES[0].id, "a" * 64)
    session = {"swinir.source": source.sha, f"swinir.shrink.{source.sha[:12]}": True}
    callbacks, chosen = [], []
    monkeypatch.setattr(looks.st, "session_state", session)
    monkeypatch.setattr(looks.st, "toggle", lambda *_, on_change, **__: callbacks.append(on_change))
    monkeypatch.setattr(looks.state, "get", lambda param: param.default)
    monkeypatch.setattr(looks.state, "put", lambda param, value: chosen.append((param.name, value)))
    looks.shrink_choice(source)
    session["swinir.source"] = "b" * 64
    callbacks[0]()
    assert not chosen
    session["swinir.source"] = source.sha
    callbacks[0]()
    assert ("shrink", "1") in chosen


def test_the_damaged_sample_is_another_picture_than_the_clean_ones() -> None:
    means = [decode(sample.path.read_bytes(), sample.path.name).rgb.mean(axis=(0, 1)) for sample in SAMPLES]
    apart = [np.abs(a - b).max() for i, a in enumerate(means) for b in means[:i]]
    assert min(apart) > 5


def test_shown_differences_are_the_differences_of_the_shown_figures() -> None:
    for ours, theirs in ((31.404, 28.646), (34.694, 33.486), (30.0049, 30.0051), (28.1, 31.25)):
        shown = float(decibels(ours).removesuffix(" dB")) - float(decibels(theirs).removesuffix(" dB"))
        said = gain(ours, theirs).removesuffix(" dB").replace("−", "-").replace("±", "")
        assert float(said) == pytest.approx(shown, abs=1e-6), (ours, theirs)
    assert gain(28.1, 31.25) == "−3.15 dB"
    assert gain(float("inf"), float("inf")) == "±0 dB"
    assert gain(float("inf"), 30.0) == "+∞ dB" and gain(30.0, float("inf")) == "−∞ dB"


def test_equal_pictures_are_scored_without_nan_or_inf(monkeypatch: pytest.MonkeyPatch) -> None:
    page = upload(start(monkeypatch), png(np.full((64, 96, 3), 128, np.uint8)), "flat.png")
    toggle = next(one for one in page.toggle if one.label == t("swinir.shrink_first"))
    sound(toggle.set_value(True).run())
    figures = [f"{metric.value} {metric.delta}" for metric in page.metric]
    assert any(t("swinir.psnr") == metric.label for metric in page.metric)
    assert not any(odd in text.lower() for text in (*figures, words(page)) for odd in ("nan", "inf "))


def test_the_net_view_opens_at_the_picked_window_query_and_head(monkeypatch: pytest.MonkeyPatch) -> None:
    block = "rstb.1.layer.1"
    page = start(monkeypatch, inside="network", sample="coffee", layer=block, at="87,55", head="2")
    place = locate(Windows(height=104, width=160, size=8, shift=4), 87, 55)
    sound(page.segmented_control(key=f"swinir.network.tap.{block}").set_value(f"{block}.attn.weights").run())
    key = f"swinir.tap.{block}.attn.weights"
    found = {name: page.session_state[f"{key}.{name}"] for name in ("window", "query", "head")}
    assert found == {"window": place.window, "query": place.position, "head": 2}


def test_saved_files_are_named_after_the_picture() -> None:
    assert stem_of("coffee.png") == "coffee"
    assert stem_of("../../etc/My photo (2).final.jpeg") == "My-photo-2-final"
    assert stem_of("C:\\pictures\\a b.png") == "a-b"
    assert stem_of("照片.png") == stem_of("") == stem_of("...") == "vitrine"
    assert len(stem_of("x" * 300 + ".png")) == 60


def test_saving_says_whether_it_is_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    page = upload(start(monkeypatch), png(photo(240, 400)), "large.png")
    assert any(caption.value.startswith("Only the chosen part is saved") for caption in page.caption)
    page = upload(page, png(photo(40, 60)), "small.png")
    assert not any(caption.value.startswith("Only the chosen part is saved") for caption in page.caption)


@pytest.mark.parametrize(("height", "width"), [(10, 20_000), (10, 2_000)])
def test_of_a_long_strip_a_part_is_shown(monkeypatch: pytest.MonkeyPatch, height: int, width: int) -> None:
    page = upload(start(monkeypatch), png(photo(height, width)), "strip.png")
    assert not page.error
    assert t("swinir.area.strip", width=width, height=height) in words(page)
    assert t("swinir.size", width=160, height=8, wide=320, high=16) in words(page)


# ---------------------------------------------------------------- the pieces below


def test_areas() -> None:
    assert parse_area("") is None
    assert parse_area(format_area((1, 2, 30, 40))) == (1, 2, 30, 40)
    for bad in ("1,2,3", "a,b,c,d", "0,0,0,5", "-1,0,5,5"):
        with pytest.raises(ValueError):
            parse_area(bad)
    for width, height in ((4000, 3000), (20000, 10), (9, 9)):
        x, y, wide, high = centre_area(width, height, 20_000)
        assert x >= 0 and x + wide <= width and y >= 0 and y + high <= height
        assert wide * high <= max(20_000, 8 * wide, 8 * high)


def test_a_part_keeps_its_alpha() -> None:
    rgba = np.dstack([photo(10, 12), np.arange(120, dtype=np.uint8).reshape(10, 12)])
    part = cut(decode(png(rgba)), (2, 3, 50, 4))
    assert part.rgb.shape == (4, 10, 3)
    assert part.alpha is not None and (part.alpha == rgba[3:7, 2:12, 3]).all()


def test_samples_can_be_halved_and_quartered() -> None:
    for sample in SAMPLES:
        picture = decode(sample.path.read_bytes())
        assert picture.width % 8 == picture.height % 8 == 0


def test_embedded_weights_are_named_in_both_languages() -> None:
    card: ModelCard = CARD
    for code in ("en", "zh"):
        with using(code):
            names: list[Weights] = list(card.weights)
            assert len({t(f"swinir.weights.{w.id}") for w in names}) == len(names)

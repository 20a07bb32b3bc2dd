"""The latent diffusion page: both languages, both engines, what its choices do, links good and bad, own pictures.

Whether the pictures show what was asked for is measured when the weights are trained; nothing here depends on it.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from app.engine.paint import load_studio, read
from app.text import t, using
from pages.latent_diffusion_parts import view
from pages.latent_diffusion_parts.closer import SECTIONS
from pages.latent_diffusion_parts.notes import TESTS
from pages.latent_diffusion_parts.words import module_of
from tests.app.pages.driver import ENGINES, ROOT, checked, opened, png, refused, words

SHORT = {"steps": "5", "samples": "1"}


start = partial(opened, "latent_diffusion")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("code", ["en", "zh"])
def test_the_page_stands_before_any_click(monkeypatch, engine: str, code: str) -> None:
    app = start(monkeypatch, engine, lang=code)
    with using(code):
        shown = words(app)
        assert [h.value for h in app.header] == [
            t(f"latent_diffusion.{part}") for part in ("closer", "picture", "notes", "take")
        ]
        assert app.text_input[0].value == t("latent_diffusion.first")
        first = t("latent_diffusion.first")
        assert t("latent_diffusion.reads", words=f"`{first}`") in shown
        assert t("latent_diffusion.words.about") in shown
        assert "0.0046601" in shown, "E23"
        assert "37" in t("latent_diffusion.note.E24", left=37, none=0, steps=50)
        assert t("latent_diffusion.note.E24", left=37, none=0, steps=50) in shown, "E24"
    assert not app.error
    assert set(app.query_params) <= {"lang"}, "what nobody chose stays out of the link"


@pytest.mark.parametrize("view", SECTIONS)
def test_every_view_stands(monkeypatch, view: str) -> None:
    app = start(monkeypatch, view=view, lang="zh", **SHORT)
    assert not app.error and not app.warning
    lead = {
        "words": "words.about",
        "weigh": "weigh.about",
        "guide": "guide.about",
        "language": "language.near",
        "inside": "inside.about",
    }[view]
    with using("zh"):
        labels = "\n".join(str(w.label) for w in (*app.slider, *app.get("button_group")))
        assert t(f"latent_diffusion.{lead}", word=t("latent_diffusion.first")) in words(app) + labels


def test_unknown_words_are_said_and_left_out(monkeypatch) -> None:
    app = start(monkeypatch, text="a zebrafish-like cat 龘", **SHORT)
    info = "\n".join(i.value for i in app.info)
    assert "zebrafish" in info and "龘" in info
    assert "`cat`" in words(app) and "`zebrafish`" not in words(app)
    checked(app.text_input[0].set_value("").run())
    assert t("latent_diffusion.reads.empty") in words(app) and not app.info
    assert t("latent_diffusion.img2img.about.silent") in words(app)
    checked(app.text_input[0].set_value("ｇｒａｙ zorp ☂").run())
    assert "`grey`" in words(app) and t("latent_diffusion.img2img.about", text="grey") in words(app)
    assert any("zorp, ☂" in i.value for i in app.info)
    checked(app.text_input[0].set_value("☂").run())
    assert t("latent_diffusion.reads.nothing") in words(app)
    checked(app.text_input[0].set_value("cat " * 20).run())
    assert t("latent_diffusion.cut", most=15) in words(app)


def test_an_example_is_one_press_away_and_stands_in_the_link(monkeypatch) -> None:
    app = start(monkeypatch, **SHORT)
    first = t("latent_diffusion.examples").split("|")[0]
    checked(app.button(key="latent_diffusion.example.0").click().run())
    assert app.text_input[0].value == first
    assert app.query_params["text"] in (first, [first])


@pytest.mark.parametrize("code", ["en", "zh"])
def test_every_thing_is_one_press_away(monkeypatch, code: str) -> None:
    app = start(monkeypatch, lang=code, **SHORT)
    with using(code):
        studio = load_studio("emoji", "onnx")
        names = view.names_of(studio)
        assert len(names) == studio.unet.report["things"] > 200
        assert not any(each.unknown or each.cut for each in read(studio, names))
    group = next(g for g in app.get("button_group") if g.key == "latent_diffusion.names")
    checked(group.set_value(names[7]).run())
    assert app.text_input[0].value == names[7]
    assert next(g for g in app.get("button_group") if g.key == "latent_diffusion.names").value is None


def test_a_link_restores_what_it_names_and_refuses_what_it_must(monkeypatch) -> None:
    app = start(monkeypatch, text="猫", steps="6", samples="2", seed="11", guidance="2.5", look="1", step="2")
    assert app.text_input[0].value == "猫"
    assert app.number_input[0].value == 11
    assert t("latent_diffusion.closer.here", n=2, step=3, steps=6, t=667) in words(app)
    app = start(monkeypatch, steps="4000", samples="1", seed="-2", guidance="nan", text="x" * 500)
    said = refused(app)
    assert "steps = 4000" in said and "seed = -2" in said and "guidance = nan" in said
    assert app.text_input[0].value == t("latent_diffusion.first")
    assert t("latent_diffusion.text.unfit", most=view.LETTERS) in said


def test_a_silenced_word_changes_the_picture_and_a_factor_of_one_does_not(monkeypatch) -> None:
    from pages.latent_diffusion_parts import run

    seen: list[np.ndarray] = []
    real = run.run_path

    def noted(key, studio, request):
        path = real(key, studio, request)
        seen.append(path.samples)
        return path

    monkeypatch.setattr("pages.latent_diffusion_parts.weigh.run_path", noted)
    start(monkeypatch, view="weigh", factor="1", **SHORT)
    start(monkeypatch, view="weigh", factor="0", **SHORT)
    start(monkeypatch, view="weigh", factor="1", **SHORT)
    same, silenced, again = seen
    assert np.array_equal(same, again)
    assert np.abs(same - silenced).max() > 1e-3


def test_one_number_of_cross_attention_is_put_together_again(monkeypatch) -> None:
    app = start(monkeypatch, view="words", place="3,4", text="red car", **SHORT)
    assert t("latent_diffusion.words.place", row=4, column=3) in words(app)
    captions = [c.value for c in app.caption]
    assert any(c.startswith(":material/check:") for c in captions)
    assert not any(c.startswith(":material/warning:") for c in captions)
    assert app.query_params["place"] in ("3,4", ["3,4"])
    app = start(monkeypatch, view="words", place="99,99", **SHORT)
    assert "place" not in app.query_params, "no such place"


def test_guidance_is_put_together_as_the_path_has_it(monkeypatch) -> None:
    app = start(monkeypatch, view="guide", step="1", text="red car", **SHORT)
    said = next(c.value for c in app.caption if "ẑ₀ =" in c.value)
    again, stored = (
        float(part.replace("−", "-"))
        for part in (said.split("ẑ₀ = ")[1].split(";")[0], said.split(" has ")[1].split(",")[0])
    )
    assert again == pytest.approx(stored, abs=1e-3)


@pytest.mark.parametrize("engine", ENGINES)
def test_ones_own_picture_is_encoded_and_drawn_over(monkeypatch, engine: str) -> None:
    app = start(monkeypatch, engine, view="language", strength="0.6", **SHORT)
    noise = np.random.default_rng(1).integers(0, 255, (90, 120, 3), np.uint8)
    checked(app.file_uploader[0].upload("mine.png", png(noise), "image/png").run())
    shown = words(app)
    assert t("latent_diffusion.img2img.steps", strength="0.6", steps=5, left=3) in shown
    assert "sha_in" in app.query_params
    checked(app.slider(key="latent_diffusion.strength").set_value(0.0).run())
    assert t("latent_diffusion.img2img.none") in words(app)
    checked(app.segmented_control(key="latent_diffusion.way").set_value("vae").run())
    assert t("latent_diffusion.vae.scale", scale="", raw="", scaled="", sd="")[:30] in words(app)
    checked(app.file_uploader[0].upload("broken.png", b"no picture", "image/png").run())
    assert len(app.error) == 1


@pytest.mark.parametrize(
    ("net", "block", "tap"),
    [
        ("unet", "mid.attention.0", "mid.attention.0.cross.weights"),
        ("unet", "time", "time.sinusoid"),
        ("unet", "mid.attention.0", "mid.attention.0.cross.out"),
        ("text", "layer.1", "layer.1.attention.weights"),
        ("text", "layer.1", "layer.1.out"),
        ("encoder", "output", "logvar"),
        ("decoder", "up.2.resnet.0", "up.2.resnet.0.hidden"),
    ],
)
def test_a_tensor_of_each_net_from_a_link(monkeypatch, net: str, block: str, tap: str) -> None:
    app = start(monkeypatch, view="inside", net=net, block=block, tap=tap, **SHORT)
    assert not app.error
    assert any(tap in str(c.value) for c in (*app.markdown, *app.caption, *app.code, *app.subheader))
    if tap.endswith(("cross.weights", "attention.weights")):
        assert any(t("inside.row_over_words", query=0)[:12] in c.value for c in app.caption), (
            "words, no window"
        )


def test_changing_the_net_leaves_no_junk_in_the_link(monkeypatch) -> None:
    app = start(monkeypatch, view="inside", tap="mid.attention.0.cross.weights", **SHORT)
    for net in ("text", "decoder", "unet"):
        checked(app.segmented_control(key="latent_diffusion.net").set_value(net).run())
        assert "None" not in str(dict(app.query_params))


def test_the_tests_that_the_notes_name_are_there() -> None:
    for name in (each for names in TESTS.values() for each in names):
        file, test = name.split("::")
        assert f"def {test}(" in (ROOT / file).read_text("utf-8")


def test_layers_are_found_under_the_names_of_their_tensors() -> None:
    tail = ".transformer_blocks.0.attn2"
    assert module_of("mid.attention.0.cross.weights") == f"mid_block.attentions.0{tail}"
    assert module_of("down.1.attention.0.cross.weights") == f"down_blocks.1.attentions.0{tail}"
    assert module_of("up.0.attention.1.cross.weights") == f"up_blocks.0.attentions.1{tail}"


@pytest.mark.parametrize("bad", ["x" * 121, "tab\tin it", "\u202ebackwards"])
def test_texts_that_no_link_may_hold(bad: str) -> None:
    with pytest.raises(ValueError):
        view.parse_text(bad)

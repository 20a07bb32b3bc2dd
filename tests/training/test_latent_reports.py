"""What the reports of the image VAE and of latent diffusion say, and that the app finds the same on ONNX Runtime."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from app import engine
from app.assets.samples import EMOJI
from app.engine.base import finish
from app.engine.classify import classify, framed
from app.engine.paint import Request, Studio, decode, encode, load_studio, paint
from app.figures.ddpm import to_rgb
from app.images import decode as open_image
from models.card import WEIGHTS_ROOT
from models.training import captions, emoji

HALVES = ("autoencoder_kl_encoder", "autoencoder_kl_decoder")
SLUGS = (*HALVES, "latent_diffusion", "text_encoder")


def report(slug: str) -> dict[str, Any]:
    return json.loads((WEIGHTS_ROOT / slug / "emoji.json").read_text(encoding="utf-8"))


def studio() -> Studio:
    return load_studio("emoji", "onnx")


def test_both_halves_have_one_report_and_lose_little() -> None:
    assert report(HALVES[0]) == report(HALVES[1])
    score = report(HALVES[0])["score"]
    for unseen in (score["unseen_style"], score["unseen_emoji"]):
        assert unseen["psnr"] > 26 and unseen["psnr"] > unseen["psnr_of_shrinking_to_18"] + 3


def test_a_drawing_comes_back_as_the_report_says() -> None:
    psnr = []
    for sample in EMOJI:
        rgb = framed(open_image(sample.path.read_bytes()).flattened(), {"size": 64, "resize": 64})
        x = (rgb.astype(np.float32) / 127.5 - 1).transpose(2, 0, 1)[None]
        again = decode(studio(), encode(studio(), x)[0])
        psnr.append(10 * np.log10(4 / np.mean((again - x) ** 2)))
    assert abs(np.mean(psnr) - report(HALVES[0])["score"]["unseen_style"]["psnr"]) < 3


def test_the_reports_belong_to_one_training() -> None:
    net, text = report("latent_diffusion"), report("text_encoder")
    for name in ("seed", "steps", "minutes", "things", "script"):
        assert net[name] == text[name]
    assert net["config"]["cross_attention_dim"] == text["config"]["channels"]
    assert net["config"]["max_tokens"] == text["config"]["max_tokens"]
    assert text["names"]["en"] == [thing.en[0] for thing in captions.things()]
    assert len(text["names"]["zh"]) == text["things"]
    pieces = (WEIGHTS_ROOT / "text_encoder" / "vocabulary.txt").read_text(encoding="utf-8").split()
    assert pieces == captions.vocabulary_pieces()


def test_what_is_asked_for_is_drawn() -> None:
    score = report("latent_diffusion")["score"]
    assert score["samples"] == 400
    assert score["agrees_of_20"] >= 0.6
    assert score["agrees_of_20"] < score["ceiling"]["unseen_style_through_the_vae"]
    assert score["colours"]["pairs_never_seen_in_training"]["both"] > 0


def test_the_app_draws_as_well_as_the_report_says() -> None:
    """Every third class, asked by word, by the app's own loop, decoder and judge: the asked against 19 others."""
    judge = engine.load("resnet18", "emoji", "onnx")
    asked = np.arange(0, 120, 3)
    texts = [captions.usual_name(emoji.load_classes()[k]["code"]) for k in asked]
    random, right = np.random.default_rng(0), []
    for first in range(0, len(asked), 8):
        some = slice(first, first + 8)
        request = Request(
            tuple(texts[some]), seed=5, steps=20, guidance=report("latent_diffusion")["guidance"]
        )
        pictures = to_rgb(decode(studio(), finish(paint(studio(), request)).samples))
        for k, picture in zip(asked[some], pictures, strict=True):
            logits = classify(judge, picture).logits
            others = random.permutation(np.delete(np.arange(120), k))[:19]
            right.append(logits[k] > logits[others].max())
    # 40 samples: three standard deviations are 0.23
    assert np.mean(right) > report("latent_diffusion")["score"]["agrees_of_20"] - 0.23


def test_the_files_are_small() -> None:
    files = [path for slug in SLUGS for path in (WEIGHTS_ROOT / slug).glob("*")]
    assert sum(path.stat().st_size for path in files) <= 4e6

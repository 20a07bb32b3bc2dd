"""What the committed reports of the judge, the diffusion models and the GAN say, and how large the files are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from models.card import WEIGHTS_ROOT
from models.weights_io import load_weights

FILES = sorted(
    path.relative_to(WEIGHTS_ROOT).as_posix()
    for folder in ("digit_judge", "ddpm", "dcgan_generator", "dcgan_discriminator")
    for path in (WEIGHTS_ROOT / folder).glob("*.safetensors")
)


def report(name: str) -> dict:
    return json.loads((WEIGHTS_ROOT / name).read_text(encoding="utf-8"))


def size(*patterns: str) -> int:
    return sum(path.stat().st_size for pattern in patterns for path in WEIGHTS_ROOT.glob(pattern))


def test_judge() -> None:
    score = report("digit_judge/digits.json")["score"]
    assert score["held_out"]["accuracy"] >= 0.985
    assert score["digits_of_the_generative_half"]["accuracy"] >= 0.985  # digits of which it saw none
    assert score["sure"]["held_out_digits"] >= 0.93 and score["sure"]["no_digits"] <= 0.02


def test_digits_are_those_asked_for_varied_and_no_copies() -> None:
    score = report("ddpm/digits.json")["score"]
    assert score["samples"] >= 1000 and "50 steps" in score["sampler"] and "seed" in score
    assert score["agreement"] >= 0.95
    assert score["diversity_pixels"]["ratio"] >= 0.8
    assert score["copies"]["samples_below_real_5_percent"] <= 0.05  # what unseen real digits would have


def test_emoji_are_of_the_group_asked_for() -> None:
    score = report("ddpm/emoji.json")["score"]
    assert score["nearest_in_group"] >= 0.7  # by chance 0.1
    assert score["diversity_pixels"]["ratio"] >= 0.6


def test_classes_have_two_languages() -> None:
    for name in ("digits", "emoji"):
        classes = report(f"ddpm/{name}.json")["classes"]
        assert len(classes) == report(f"ddpm/{name}.json")["config"]["num_classes"]
        assert all(entry["en"] and re.search("[\u4e00-\u9fff]", entry["zh"]) for entry in classes)


def test_gan_covers_all_classes_and_gets_better() -> None:
    whole = report("dcgan_generator/digits.json")
    assert whole["score"]["classes_covered"] == 10
    assert whole["score"]["diversity_pixels"]["ratio"] >= 0.8
    story = whole["snapshots"]
    assert [entry["id"] for entry in story] == [f"s{i:02d}" for i in range(12)]
    steps = [entry["step"] for entry in story]
    assert steps[0] == 0 and steps == sorted(set(steps))
    assert story[0]["judge"] < 0.05 and story[-1]["judge"] > story[6]["judge"] > story[0]["judge"]


def test_discriminator_says_what_it_can_tell() -> None:
    scores = report("dcgan_discriminator/digits.json")["scores"]
    assert len(scores["edges"]) == len(scores["real"]) + 1 == len(scores["generated"]) + 1
    assert sum(scores["real"]) == scores["n_real"] and sum(scores["generated"]) == scores["n_generated"]
    assert 0.6 <= scores["accuracy"] < 1
    called = scores["called_real"]
    assert abs(called["training_digits"] - called["held_out_digits"]) < 0.1  # it knows no digit by heart


@pytest.mark.parametrize("name", FILES)
def test_every_file_has_its_finished_report(name: str) -> None:
    about = report(name.replace(".safetensors", ".json"))
    assert about["id"] == Path(name).stem and about["model"] == Path(name).parent.name
    assert about["licence"] and not about.get("unfinished")
    state = load_weights(WEIGHTS_ROOT / name)
    trained = {n: v for n, v in state.items() if "running_" not in n}
    assert sum(v.size for v in trained.values()) == about["parameters"]


def test_budget() -> None:
    assert size("ddpm/digits.safetensors") <= 1_800_000 and size("ddpm/emoji.safetensors") <= 1_800_000
    assert size("dcgan_*/*.safetensors") <= 2_200_000
    assert size("digit_judge/*.safetensors") <= 150_000
    assert size("ddpm/digits_*.npz", "ddpm/emoji_train.npz") <= 1_300_000
    everything = size("ddpm/*", "dcgan_*/*", "digit_judge/*")
    assert everything <= 6_000_000

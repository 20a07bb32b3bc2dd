"""What the reports of the digit VAEs say, and that what they say is the case on held-out digits of the repository."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from models.card import WEIGHTS_ROOT
from models.generative import elbo
from models.generative.digit_files import HELD_OUT_FILE, read_digits
from models.generative.vae_encoder_card import LATENTS

BY_BETA = ("beta025", "digits16", "beta4")


def report(name: str) -> dict[str, Any]:
    return json.loads((WEIGHTS_ROOT / "vae_encoder" / f"{name}.json").read_text(encoding="utf-8"))


def test_both_nets_of_a_pair_have_one_report() -> None:
    for name, latent in LATENTS.items():
        theirs = (WEIGHTS_ROOT / "vae_decoder" / f"{name}.json").read_text(encoding="utf-8")
        assert json.loads(theirs) == report(name)
        assert report(name)["config"]["latent"] == latent and report(name)["id"] == name
        assert report(name)["noise"] == (not name.startswith("ae"))


def test_the_bound_lies_under_the_tighter_one() -> None:
    for name in LATENTS:
        for kind in ("grey", "binary"):
            score = report(name)["score"].get(kind)
            if report(name)["noise"]:
                assert score["elbo"] == pytest.approx(score["reconstruction"] - score["kl"], abs=0.02)
                assert score["elbo"] < score["importance_bound_64"] < 0


def test_beta_trades_kl_for_reconstruction() -> None:
    scores = [report(name)["score"]["grey"] for name in BY_BETA]
    kl, reconstruction = [s["kl"] for s in scores], [s["reconstruction"] for s in scores]
    assert kl[0] > kl[1] > kl[2] and reconstruction[0] > reconstruction[1] > reconstruction[2]
    assert scores[1]["elbo"] > max(scores[0]["elbo"], scores[2]["elbo"]), (
        "the bound is best where it was trained"
    )


def test_an_autoencoder_copies_better_and_strays_further() -> None:
    ae, variational = report("ae16")["score"], report("digits16")["score"]
    assert ae["mean_squared_error_of_the_mean_code"] < variational["mean_squared_error_of_the_mean_code"]
    assert ae["spread_of_codes"] > 1.5 * variational["spread_of_codes"]


def test_the_files_are_small() -> None:
    files = [path for slug in ("vae_encoder", "vae_decoder") for path in (WEIGHTS_ROOT / slug).glob("*")]
    assert sum(path.stat().st_size for path in files) <= 1.3e6


@pytest.mark.parametrize("name", LATENTS)
def test_held_out_digits_again(name: str) -> None:
    """From the digits that ship through ONNX Runtime: error of the mean code, and the two parts of the bound.

    They have 16 greys where the report had 256, hence the room.
    """
    from app import engine

    digits, _ = read_digits(HELD_OUT_FILE)
    x = digits[:, None].astype(np.float32) / 255.0
    there, back = (engine.load(slug, name, "onnx") for slug in ("vae_encoder", "vae_decoder"))
    mean, logvar = engine.run(there, {"x": x}).output.transpose(1, 0, 2)
    score = report(name)["score"]
    made = 1 / (1 + np.exp(-engine.run(back, {"latent": mean}).output))
    assert ((made - x) ** 2).mean() == pytest.approx(score["mean_squared_error_of_the_mean_code"], abs=1e-3)
    if report(name)["noise"]:
        noise = np.random.default_rng(0).standard_normal(mean.shape).astype(np.float32)
        z = elbo.reparameterise(mean, logvar, noise).astype(np.float32)
        said = elbo.log_bernoulli(engine.run(back, {"latent": z}).output.astype(np.float64), x).mean()
        assert elbo.kl(mean, logvar).sum(1).mean() == pytest.approx(score["grey"]["kl"], abs=0.1)
        assert said == pytest.approx(score["grey"]["reconstruction"], abs=2.5)

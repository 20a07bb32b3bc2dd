"""Parts of the trainers of the VAEs and of latent diffusion that need no data; what captions say and never say."""

from __future__ import annotations

import copy
import re
from contextlib import nullcontext

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from models.generative import elbo  # noqa: E402
from models.generative.autoencoder_kl import AutoencoderConfig  # noqa: E402
from models.generative.latent_diffusion import LatentUNetConfig  # noqa: E402
from models.generative.text_encoder import TextEncoderConfig  # noqa: E402
from models.generative.vae import VAEConfig  # noqa: E402
from models.generative.words import Vocabulary  # noqa: E402
from models.training import (  # noqa: E402
    autoencoder_kl,
    captions,
    common,
    emoji,
    emoji_words,
    latent_diffusion,
    vae,
)
from models.training.captions import COLOURS, KINDS, TINTS, WHITE, Facts, Thing  # noqa: E402

THINGS = captions.things()
WORDS = Vocabulary.of(captions.vocabulary_pieces())
CAT = next(thing for thing in THINGS if thing.en[0] == "cat")


# ---------------------------------------------------------------- captions


def test_things_have_names_in_two_languages_and_are_named_once() -> None:
    names = [name for thing in THINGS for name in (*thing.en, *thing.zh)]
    assert len(names) == len(set(names)) and len({thing.code for thing in THINGS}) == len(THINGS)
    for thing in THINGS:
        assert all(re.fullmatch("[a-z ]+", name) for name in thing.en)
        assert all(re.fullmatch("[\u4e00-\u9fff]+", name) for name in thing.zh)
        assert not thing.kind or thing.kind in KINDS
    assert {row["code"] for row in emoji.load_classes()} <= {thing.code for thing in THINGS}


def test_every_caption_is_in_the_word_list_and_fits() -> None:
    random = np.random.default_rng(0)
    for _ in range(3000):
        thing = THINGS[random.integers(len(THINGS))]
        line = bool(random.random() < 0.2)
        tint = -1 if thing.coloured or line else int(random.choice(TINTS))
        facts = Facts(thing, tint, int(random.integers(len(COLOURS))), line)
        text = captions.caption(facts, random)
        encoded = WORDS.encode(text, LatentUNetConfig().max_tokens)
        assert not encoded.unknown and not encoded.cut, text


def test_captions_say_what_is_there() -> None:
    facts = Facts(CAT, 4, 2, False)
    assert captions.english(facts, "cat", ground=True, article=True) == "a blue cat on yellow"
    assert captions.chinese(facts, "猫", ground=True, article=False) == "蓝色的猫黄色背景"
    assert captions.english(Facts(CAT, -1, WHITE, True), "cat", ground=False, article=False) == (
        "cat line drawing"
    )
    random = np.random.default_rng(1)
    said = [captions.caption(Facts(CAT, -1, 4, False), random) for _ in range(200)]
    assert all("blue" in text or "蓝色" in text for text in said), "a ground that is not white is always said"
    assert any("animal" in text for text in said) and any("动物" in text for text in said)
    assert not any("line" in text or "线稿" in text for text in said)


def test_pairs_that_are_kept_apart_are_never_drawn() -> None:
    unseen = captions.unseen_pairs(len(THINGS))
    assert unseen.shape == (len(THINGS), len(TINTS)) and 0.05 < unseen.mean() < 0.15
    random = np.random.default_rng(0)
    rgba = np.full((64, 64, 4), 200, np.uint8)
    never = np.ones(len(TINTS), bool)
    never[3] = False
    for _ in range(5):
        pictures, said = latent_diffusion.variants_of(rgba, CAT, False, never, random)
        assert pictures.shape == (latent_diffusion.VARIANTS, 3, 64, 64)
        assert {tint for tint, _ in said} == {-1, TINTS[3]}
        assert sum(ground == WHITE for _, ground in said) >= 9
        assert all(ground != tint for tint, ground in said)
    heart = Thing("2764", ("red heart",), ("红心",), "")
    for thing, line in ((heart, False), (CAT, True)):
        _, said = latent_diffusion.variants_of(rgba, thing, line, np.zeros(len(TINTS), bool), random)
        assert {tint for tint, _ in said} == {-1}


def test_tinting_keeps_light_and_transparency() -> None:
    ramp = np.zeros((1, 256, 4), np.uint8)
    ramp[..., :3] = np.arange(256)[None, :, None]
    ramp[..., 3] = np.arange(256)
    blue = captions.tinted(ramp, (66, 128, 220))
    assert np.array_equal(blue[..., 3], ramp[..., 3])
    assert blue[0, 0, :3].tolist() == [0, 0, 0] and blue[0, 255, :3].tolist() == [255, 255, 255]
    assert np.all(np.diff(blue[0, :, :3].astype(int).sum(-1)) >= 0)
    assert np.all(blue[0, 20:230, 2] > blue[0, 20:230, 0])


def test_one_caption_in_ten_is_dropped() -> None:
    count = 40
    bank = latent_diffusion.Bank(
        np.zeros((count, 4, 2, 2), np.float16),
        np.arange(count) % len(THINGS),
        np.where(np.arange(count) < 20, -1, 4),
        np.full(count, WHITE),
        np.zeros(count, bool),
        np.ones(count),
    )
    batches = latent_diffusion.Batches(bank, WORDS, 16)
    latents, numbers = batches.draw(np.random.default_rng(0), 2000)
    assert latents.shape == (2000, 4, 2, 2) and numbers.shape == (2000, 16)
    empty = (numbers == torch.from_numpy(batches.empty)).all(1).float().mean()
    assert float(empty) == pytest.approx(latent_diffusion.DROPPED, abs=0.03)


# ---------------------------------------------------------------- drawings


def test_a_drawing_is_fitted_and_laid_on_its_ground() -> None:
    rgba = np.zeros((144, 144, 4), np.uint8)
    rgba[10:50, 100:120] = (255, 0, 0, 255)
    picture = emoji_words.fitted(rgba)
    assert picture is not None
    drawn = np.argwhere(picture[..., 3] > 128)
    assert drawn.min(0).tolist() == [3, 17] and drawn.max(0).tolist() == [60, 45], "58 x 29, centred"
    laid = emoji_words.on_ground(picture[None], np.array([[0.0, 0.0, 255.0]]))[0]
    assert laid[:, 32, 32].tolist() == [1, -1, -1] and laid[:, 0, 0].tolist() == [-1, -1, 1]
    assert emoji_words.fitted(np.zeros((144, 144, 4), np.uint8)) is None


def test_a_tenth_of_the_other_emoji_is_held_out() -> None:
    codes = [f"{i:x}" for i in range(300)]
    held = emoji_words.held_out(codes, set(codes[:100]))
    assert held.sum() == 20 and not held[:100].any()
    assert np.array_equal(held, emoji_words.held_out(codes, set(codes[:100])))


# ---------------------------------------------------------------- nets while training


def both() -> latent_diffusion.Both:
    torch.manual_seed(0)
    text = TextEncoderConfig.tiny()
    return latent_diffusion.Both(
        LatentUNetConfig.tiny(cross_attention_dim=text.channels, max_tokens=text.max_tokens), text
    ).eval()


@torch.no_grad()
def test_the_quick_attention_says_the_same() -> None:
    slow = both()
    quick = latent_diffusion.quicken(copy.deepcopy(slow))
    x, t = torch.randn(2, 4, 8, 8), torch.tensor([3, 700])
    numbers = torch.tensor([[1, 5, 0, 0, 0, 0], [1, 4, 6, 7, 2, 3]])
    assert torch.allclose(slow(x, t, numbers), quick(x, t, numbers), atol=1e-5)
    pair = autoencoder_kl.Pair(AutoencoderConfig.tiny()).eval()
    fast = autoencoder_kl.quicken(copy.deepcopy(pair))
    picture = torch.randn(1, 3, 16, 16)
    assert torch.allclose(pair.encode(picture), fast.encode(picture), atol=1e-5)
    z = torch.randn(1, 4, 4, 4)
    assert torch.allclose(pair.decode(z), fast.decode(z), atol=1e-5)


@torch.no_grad()
def test_calm_starts() -> None:
    model = both()
    latent_diffusion.start_calm(model)
    model.unet.conv_out.bias.zero_()
    out = model(torch.randn(1, 4, 8, 8), torch.tensor([9]), torch.tensor([[1, 5, 0, 0, 0, 0]]))
    assert torch.equal(out, torch.zeros_like(out))
    torch.manual_seed(0)
    pair = autoencoder_kl.Pair(AutoencoderConfig())
    autoencoder_kl.start_calm(pair)
    _, logvar = pair.encode(torch.randn(2, 3, 32, 32)).chunk(2, dim=1)
    assert float(logvar.mean()) == pytest.approx(autoencoder_kl.FIRST_LOGVAR, abs=0.3)


@torch.no_grad()
def test_an_autoencoder_has_no_noise_and_a_vae_loses_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "autocast", lambda *_, **__: nullcontext())  # products in 32 bits, to compare
    torch.manual_seed(0)
    pair = vae.Pair(VAEConfig.tiny()).eval()
    x = torch.rand(4, 1, 8, 8)
    mean, logvar = pair.encode(x).unbind(1)
    entropy, kl = vae.losses(pair, vae.Recipe(latent=3), x, torch.Generator().manual_seed(5))
    noise = torch.randn(mean.shape, generator=torch.Generator().manual_seed(5)).numpy()
    z = elbo.reparameterise(mean.numpy(), logvar.numpy(), noise)
    said = elbo.log_bernoulli(pair.decode(torch.from_numpy(z)).numpy(), x.numpy())
    assert np.allclose(entropy.numpy(), -said, rtol=1e-5)
    assert np.allclose(kl.numpy(), elbo.kl(mean.numpy(), logvar.numpy()).sum(1), rtol=1e-5)
    vae.silence(pair)
    assert torch.equal(pair.encode(x)[:, 1], torch.full((4, 3), vae.NO_NOISE))
    assert not pair.encode.logvar.weight.requires_grad


# ---------------------------------------------------------------- scores


def test_agreement_is_chance_for_noise_and_whole_for_the_right_logits() -> None:
    random = np.random.default_rng(0)
    asked = random.integers(120, size=4000)
    logits = random.normal(size=(4000, 120))
    assert latent_diffusion.agreement(logits, asked, 1).mean() == pytest.approx(1 / 20, abs=0.012)
    logits[np.arange(4000), asked] = 10
    assert latent_diffusion.agreement(logits, asked, 1).all()


def test_the_hue_of_a_tinted_drawing_is_found() -> None:
    ramp = np.zeros((8, 64, 4), np.uint8)
    ramp[..., :3] = np.linspace(0, 255, 64)[None, :, None]
    ramp[..., 3] = 255
    stack = np.stack([captions.tinted(ramp, COLOURS[i].rgb) for i in TINTS])
    pictures = emoji_words.on_ground(stack, np.full((len(TINTS), 3), 255.0, np.float32))
    white = np.ones((len(TINTS), 3, 30, 64), np.float32)
    found = latent_diffusion.nearest_tint(np.concatenate([pictures, white], axis=2))
    assert found.tolist() == list(TINTS)


def test_psnr_and_what_it_is_compared_with() -> None:
    white = np.ones((2, 3, 64, 64), np.float32)
    assert autoencoder_kl.psnr(white - 0.2, white) == pytest.approx(20)
    assert autoencoder_kl.psnr(autoencoder_kl.shrunk(white), white) > 90, "nothing is lost of a plain ground"
    noise = np.random.default_rng(0).uniform(-1, 1, (1, 3, 64, 64)).astype(np.float32)
    assert autoencoder_kl.psnr(autoencoder_kl.shrunk(noise), noise) < 15


def test_a_pause_does_not_count_as_training(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(common.time, "monotonic", lambda: now[0])
    clock = common.Clock(minutes=1.0, spent=6.0)
    for gap in (0.5, 600.0, 0.5):
        now[0] += gap
        clock.advance()
    assert clock.spent == 7.0 and clock.progress == pytest.approx(7 / 60)

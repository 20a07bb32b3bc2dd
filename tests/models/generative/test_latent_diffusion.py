"""Latent diffusion: what the words may and may not do, and the errata of the notes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from models.generative.autoencoder_kl import AutoencoderConfig, ImageEncoder
from models.generative.latent_diffusion import LatentUNet, LatentUNetConfig
from models.generative.text_encoder import TextEncoder, TextEncoderConfig
from models.generative.words import PAD, START, Vocabulary, pieces_of
from models.taps import record

CONFIG = LatentUNetConfig.tiny()
WORDS = Vocabulary.of(["a", "bus", "cat", "红", "色", "猫"])


def net() -> LatentUNet:
    torch.manual_seed(0)
    return LatentUNet(CONFIG).eval()


def inputs(batch: int = 2) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    torch.manual_seed(1)
    kept = torch.tensor([[1, 1, 1, 0, 0, 0]]).repeat(batch, 1)
    return (
        torch.randn(batch, 4, 8, 8),
        torch.full((batch,), 500),
        torch.randn(batch, CONFIG.max_tokens, CONFIG.cross_attention_dim),
        kept,
    )


@torch.no_grad()
def test_what_stands_behind_the_end_of_the_text_is_not_read() -> None:
    x, t, context, kept = inputs()
    other = context.clone()
    other[:, 3:] = 100.0
    model = net()
    assert torch.equal(model(x, t, context, kept), model(x, t, other, kept))
    other[:, 2] += 1
    assert not torch.equal(model(x, t, context, kept), model(x, t, other, kept))


@torch.no_grad()
def test_strength_multiplies_the_attention_to_a_token() -> None:
    x, t, context, kept = inputs()
    model = net()
    strength = torch.ones(CONFIG.max_tokens)
    strength[1] = 3.0
    first = "down.1.attention.0.cross.weights"  # nothing before it reads the words
    with record([first]) as plain:
        model(x, t, context, kept)
    with record([first]) as stronger:
        model(x, t, context, kept, strength)
    assert torch.allclose(stronger[first][..., 1], 3 * plain[first][..., 1])
    assert torch.equal(stronger[first][..., 0], plain[first][..., 0])


@torch.no_grad()
def test_one_text_does_not_touch_another_in_the_batch() -> None:
    x, t, context, kept = inputs()
    model = net()
    alone = model(x[:1], t[:1], context[:1], kept[:1])
    assert torch.allclose(model(x, t, context, kept)[:1], alone, atol=1e-5)


@torch.no_grad()
def test_E23_queries_come_from_the_picture_keys_from_the_words() -> None:
    x, t, context, kept = inputs()
    with record(["mid.attention.0.cross.weights"]) as taps:
        net()(x, t, context, kept)
    weights = taps["mid.attention.0.cross.weights"]  # (B, heads, places, tokens)
    assert weights.shape == (2, 2, 4 * 4, CONFIG.max_tokens)
    assert torch.allclose(weights.sum(-1), torch.ones(2, 2, 16), atol=1e-5)
    assert weights[..., 3:].max() < 1e-6


@torch.no_grad()
def test_E23_stable_diffusions_factor_and_channels() -> None:
    """512 x 512 pixels become 4 x 64 x 64 numbers with four levels; ours with three, 64 pixels 4 x 16 x 16."""
    eight = AutoencoderConfig.tiny(block_out_channels=(4, 4, 4, 4))
    assert (
        ImageEncoder(eight)(torch.zeros(1, 3, 128, 128)).shape == (1, 8, 16, 16) and 512 // eight.factor == 64
    )
    assert ImageEncoder(AutoencoderConfig())(torch.zeros(1, 3, 64, 64)).shape == (1, 8, 16, 16)


def test_E23_guidance_1_is_the_conditional_model() -> None:
    told, untold = np.random.default_rng(0).normal(size=(2, 4, 8, 8))
    assert np.allclose(untold + 1.0 * (told - untold), told)


def test_E24_no_picture_is_an_input_of_the_net() -> None:
    """What img2img starts from reaches the net as x alone: it takes latents, step and words."""
    with pytest.raises(TypeError):
        net()(*inputs(), None, torch.zeros(2, 3, 32, 32))


# ---------------------------------------------------------------- text


@torch.no_grad()
def test_padding_changes_no_word() -> None:
    torch.manual_seed(0)
    text = TextEncoder(TextEncoderConfig.tiny()).eval()
    tokens = torch.tensor([[START, 5, 7, PAD, PAD, PAD]])
    before = text(tokens)[:, :3]
    text.token_embedding.weight[PAD] += 10
    assert torch.allclose(text(tokens)[:, :3], before, atol=1e-6)


def test_texts_become_numbers() -> None:
    encoded = WORDS.encode("A red-hot Cats, 红色的猫!", 6)
    assert encoded.pieces == ("<start>", "a", "cat", "红", "色", "猫")
    assert encoded.numbers.tolist() == [START, *(WORDS.numbers[p] for p in encoded.pieces[1:])]
    assert encoded.unknown == ("red", "hot", "的") and encoded.cut == ()
    assert encoded.kept.tolist() == [1] * 6
    assert pieces_of("猫cat2cats") == ["猫", "cat", "2", "cats"]
    assert pieces_of("Kätze, ｃａｔ! 😀 don't (b)") == ["kätze", "cat", "😀", "don", "t", "b"]
    assert Vocabulary.of(["grey", "cat"]).encode("gray cats 😀 ёж", 4).pieces == ("<start>", "grey", "cat")
    assert Vocabulary.of(["grey"]).encode("gray 😀 ёж 3", 4).unknown == ("😀", "ёж", "3")


def test_plurals_are_read_as_singulars() -> None:
    assert WORDS.known("cats") == "cat" and WORDS.known("buses") == "bus" and WORDS.known("bus") == "bus"
    assert WORDS.known("dogs") is None and WORDS.known("s") is None


def test_empty_and_long_texts() -> None:
    empty = WORDS.encode("", 4)
    assert empty.numbers.tolist() == [START, PAD, PAD, PAD] and empty.kept.sum() == 1
    long = WORDS.encode("a cat a bus", 4)
    assert long.pieces == ("<start>", "a", "cat", "a") and long.cut == ("bus",)


def test_a_piece_stands_once() -> None:
    with pytest.raises(ValueError, match="twice"):
        Vocabulary.of(["cat", "cat"])


def test_sizes_that_do_not_fit() -> None:
    for changes, message in (
        ({"attention": (True,)}, "one entry"),
        ({"norm_num_groups": 3}, "norm_num_groups"),
        ({"num_attention_heads": 3}, "num_attention_heads"),
    ):
        with pytest.raises(ValueError, match=message):
            LatentUNetConfig.tiny(**changes)
    with pytest.raises(ValueError, match="heads"):
        TextEncoderConfig.tiny(heads=5)

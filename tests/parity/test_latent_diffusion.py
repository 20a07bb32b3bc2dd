"""The latent U-Net gives what diffusers' UNet2DConditionModel gives, cross-attention and its mask included; the text
encoder gives what torch's own transformer layers give."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from diffusers.models.attention_processor import Attention, AttnProcessor
from torch import Tensor, nn

from models.generative.latent_diffusion import LatentUNet, LatentUNetConfig
from models.generative.text_encoder import TextEncoder, TextEncoderConfig
from models.taps import record
from tests.close import PARITY, distance
from tests.peers import diffusers_latent_unet

CONFIGS = {
    "emoji": LatentUNetConfig(),
    "tiny": LatentUNetConfig.tiny(),
    "deep": LatentUNetConfig.tiny(
        in_channels=3,
        layers_per_block=2,
        block_out_channels=(8, 16, 24, 32),
        attention=(True, False, True, True),
    ),
}
each_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


def reference(config: LatentUNetConfig) -> Any:
    """diffusers' model, random weights, norms that do something, attention computed step by step."""
    torch.manual_seed(0)
    model = diffusers_latent_unet(config)
    for module in model.modules():
        if isinstance(module, nn.GroupNorm | nn.LayerNorm):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.1)
        if isinstance(module, Attention):
            module.set_processor(AttnProcessor())
    return model


def converted(theirs: Any, config: LatentUNetConfig) -> LatentUNet:
    ours = LatentUNet(config).eval()
    ours.load_state_dict(theirs.state_dict())
    return ours


def inputs(config: LatentUNetConfig) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Latents, steps from first to last, words, and where their texts end: after one token, and at the very end."""
    side = 2 ** (len(config.block_out_channels) - 1)
    kept = torch.ones(2, config.max_tokens).long()
    kept[0, 1:] = 0
    return (
        torch.randn(2, config.in_channels, 2 * side, 3 * side),
        torch.tensor([0, 999]),
        torch.randn(2, config.max_tokens, config.cross_attention_dim),
        kept,
    )


def said_by(theirs: Any, x: Tensor, t: Tensor, context: Tensor, kept: Tensor) -> Tensor:
    """Their output, told the mean of the words that are to be read as class."""
    mean = torch.stack([words[:n].mean(0) for words, n in zip(context, kept.sum(1).tolist(), strict=True)])
    return theirs(x, t, context, class_labels=mean, encoder_attention_mask=kept.float()).sample


@each_config
def test_output_is_diffusers(config: LatentUNetConfig) -> None:
    theirs = reference(config)
    ours = converted(theirs, config)
    x, t, context, kept = inputs(config)
    with torch.no_grad():
        expected = said_by(theirs, x, t, context, kept)
        assert distance(ours(x, t, context, kept), expected) <= PARITY
        ones = torch.ones(config.max_tokens)
        assert distance(ours(x, t, context, kept, ones), expected) <= PARITY


@each_config
def test_attention_to_words_is_diffusers(config: LatentUNetConfig) -> None:
    theirs = reference(config)
    ours = converted(theirs, config)
    found: dict[str, Tensor] = {}

    def keep(name: str, module: Attention) -> None:
        scores, heads = module.get_attention_scores, module.heads

        def get(*given: Any) -> Tensor:
            result = scores(*given)  # (B * heads, N, L)
            found[name] = result.view(-1, heads, *result.shape[1:])
            return result

        module.get_attention_scores = get  # type: ignore[method-assign,assignment]

    for name, module in theirs.named_modules():
        if isinstance(module, Attention):
            short = name.replace("_blocks.", ".").replace("_block.", ".").replace("attentions", "attention")
            short = short.replace(".transformer.0.attn1", ".self").replace(".transformer.0.attn2", ".cross")
            keep(f"{short}.weights", module)
    x, t, context, kept = inputs(config)
    with torch.no_grad(), record() as taps:
        ours(x, t, context, kept)
        said_by(theirs, x, t, context, kept)
    assert found and set(found) == {name for name in taps if name.endswith(".weights")}
    for name, weights in found.items():
        assert distance(taps[name], weights) <= PARITY, name
        assert distance(taps[name].sum(-1), torch.ones(weights.shape[:-1])) <= PARITY, name


@pytest.mark.parametrize("config", [TextEncoderConfig.tiny(), TextEncoderConfig()], ids=["tiny", "emoji"])
def test_text_encoder_is_torchs_transformer(config: TextEncoderConfig) -> None:
    torch.manual_seed(0)
    ours = TextEncoder(config).eval()
    layer = nn.TransformerEncoderLayer(
        config.channels,
        config.heads,
        4 * config.channels,
        0.0,
        "gelu",
        batch_first=True,
        norm_first=True,
    )
    theirs = nn.TransformerEncoder(
        layer, config.layers, nn.LayerNorm(config.channels), enable_nested_tensor=False
    ).eval()
    for mine, other in zip(ours.layers, theirs.layers, strict=True):
        other.load_state_dict(as_torchs(mine))
    theirs.norm.load_state_dict(ours.final_norm.state_dict())
    tokens = torch.randint(2, config.vocab_size, (3, config.max_tokens))
    tokens[0, 1:], tokens[1, 4:] = 0, 0
    with torch.no_grad():
        embedded = ours.token_embedding(tokens) + ours.position_embedding.weight
        expected = theirs(embedded, src_key_padding_mask=tokens == 0)
        kept = tokens != 0
        assert distance(ours(tokens)[kept], expected[kept]) <= PARITY


def as_torchs(layer: nn.Module) -> dict[str, Tensor]:
    """State of one of our layers under the names of torch's."""
    state = layer.state_dict()
    parts = ("to_q", "to_k", "to_v")
    named = {name: value for name, value in state.items() if not name.startswith("attention.")}
    for kind in ("weight", "bias"):
        named[f"self_attn.in_proj_{kind}"] = torch.cat([state[f"attention.{part}.{kind}"] for part in parts])
        named[f"self_attn.out_proj.{kind}"] = state[f"attention.to_out.{kind}"]
    return named

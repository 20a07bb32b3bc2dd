"""The image VAE gives what diffusers' AutoencoderKL gives, either way."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from models.generative.autoencoder_kl import AutoencoderConfig, ImageDecoder, ImageEncoder
from models.taps import record
from tests.close import PARITY, distance
from tests.peers import diffusers_autoencoder

CONFIGS = {
    "emoji": AutoencoderConfig(block_out_channels=(32, 48, 64)),
    "tiny": AutoencoderConfig.tiny(),
    "deep": AutoencoderConfig.tiny(
        in_channels=1, latent_channels=3, layers_per_block=2, block_out_channels=(8, 16, 24, 24)
    ),
}
each_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


def three(config: AutoencoderConfig) -> tuple[Any, ImageEncoder, ImageDecoder]:
    """Theirs with random weights and norms that do something, and ours with the same."""
    torch.manual_seed(0)
    theirs = diffusers_autoencoder(config)
    for module in theirs.modules():
        if isinstance(module, nn.GroupNorm):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.1)
    state = theirs.state_dict()
    encoder, decoder = ImageEncoder(config).eval(), ImageDecoder(config).eval()
    ours = set(encoder.state_dict()) | set(decoder.state_dict())
    assert ours == set(state) and not set(encoder.state_dict()) & set(decoder.state_dict())
    encoder.load_state_dict({name: state[name] for name in encoder.state_dict()})
    decoder.load_state_dict({name: state[name] for name in decoder.state_dict()})
    return theirs, encoder, decoder


@each_config
def test_both_ways_are_diffusers(config: AutoencoderConfig) -> None:
    theirs, encoder, decoder = three(config)
    f = config.factor
    x = torch.randn(2, config.in_channels, 4 * f, 5 * f)
    z = torch.randn(2, config.latent_channels, 4, 5)
    with torch.no_grad():
        moments, said = encoder(x), theirs.encode(x).latent_dist
        assert moments.shape == (2, 2 * config.latent_channels, 4, 5)
        assert distance(moments, torch.cat([said.mean, said.logvar], dim=1)) <= PARITY
        assert distance(decoder(z), theirs.decode(z).sample) <= PARITY


@each_config
def test_moments_are_the_taps(config: AutoencoderConfig) -> None:
    _, encoder, _ = three(config)
    x = torch.randn(1, config.in_channels, 4 * config.factor, 4 * config.factor)
    with torch.no_grad(), record(["mean", "logvar", "mid.attention.0.weights"]) as taps:
        moments = encoder(x)
    assert torch.equal(torch.cat([taps["mean"], taps["logvar"]], dim=1), moments)
    assert distance(taps["mid.attention.0.weights"].sum(-1), torch.ones(1, 1, 16)) <= PARITY


def test_channels_must_divide_into_groups() -> None:
    with pytest.raises(ValueError, match="multiples of norm_num_groups"):
        AutoencoderConfig(block_out_channels=(12, 32, 64))

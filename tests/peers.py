"""Other libraries' models, of the sizes of ours, for the tests and the benchmarks."""

from __future__ import annotations

from typing import Any

from models.generative.autoencoder_kl import AutoencoderConfig
from models.generative.ddpm import UNetConfig
from models.generative.latent_diffusion import LatentUNetConfig


def diffusers_unet(config: UNetConfig) -> Any:
    """diffusers' UNet2DModel of these sizes, random weights, in eval mode; tensor names as ours."""
    from diffusers import UNet2DModel

    model: Any = UNet2DModel(
        sample_size=config.sample_size,
        in_channels=config.in_channels,
        out_channels=config.in_channels,
        block_out_channels=config.block_out_channels,
        layers_per_block=config.layers_per_block,
        down_block_types=tuple("AttnDownBlock2D" if has else "DownBlock2D" for has in config.attention),
        up_block_types=tuple("AttnUpBlock2D" if has else "UpBlock2D" for has in reversed(config.attention)),
        norm_num_groups=config.norm_num_groups,
        attention_head_dim=config.attention_head_dim,
        num_class_embeds=config.num_classes + 1,
    )
    return model.eval()


def diffusers_autoencoder(config: AutoencoderConfig) -> Any:
    """diffusers' AutoencoderKL of these sizes, random weights, in eval mode; tensor names as ours."""
    from diffusers import AutoencoderKL

    levels = len(config.block_out_channels)
    model: Any = AutoencoderKL(
        in_channels=config.in_channels,
        out_channels=config.in_channels,
        down_block_types=("DownEncoderBlock2D",) * levels,
        up_block_types=("UpDecoderBlock2D",) * levels,
        block_out_channels=config.block_out_channels,
        layers_per_block=config.layers_per_block,
        latent_channels=config.latent_channels,
        norm_num_groups=config.norm_num_groups,
        sample_size=config.sample_size,
    )
    return model.eval()


def diffusers_latent_unet(config: LatentUNetConfig) -> Any:
    """diffusers' UNet2DConditionModel of these sizes, random weights, in eval mode; tensor names as ours."""
    from diffusers import UNet2DConditionModel

    model: Any = UNet2DConditionModel(
        sample_size=config.sample_size,
        in_channels=config.in_channels,
        out_channels=config.in_channels,
        block_out_channels=config.block_out_channels,
        layers_per_block=config.layers_per_block,
        down_block_types=tuple("CrossAttnDownBlock2D" if has else "DownBlock2D" for has in config.attention),
        up_block_types=tuple(
            "CrossAttnUpBlock2D" if has else "UpBlock2D" for has in reversed(config.attention)
        ),
        cross_attention_dim=config.cross_attention_dim,
        class_embed_type="simple_projection",
        projection_class_embeddings_input_dim=config.cross_attention_dim,
        # diffusers' name for the number of heads
        attention_head_dim=config.num_attention_heads,
        norm_num_groups=config.norm_num_groups,
    )
    return model.eval()

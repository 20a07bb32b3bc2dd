"""DDPM's U-Net gives what diffusers' UNet2DModel gives, hidden states and attention included."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from diffusers.models.attention_processor import Attention, AttnProcessor
from torch import Tensor, nn

from models.generative.ddpm import UNet, UNetConfig
from models.generative.ddpm_card import DIGITS, EMOJI
from models.taps import record
from tests.close import PARITY, distance
from tests.peers import diffusers_unet

CONFIGS = {
    "digits": UNetConfig(**DIGITS),
    "emoji": UNetConfig(**EMOJI),
    "tiny": UNetConfig.tiny(),
    "deep": UNetConfig.tiny(
        in_channels=2,
        layers_per_block=2,
        block_out_channels=(16, 24, 32, 48),
        attention=(False, True, False, True),
    ),
}
each_config = pytest.mark.parametrize("config", CONFIGS.values(), ids=CONFIGS.keys())


def reference(config: UNetConfig) -> Any:
    """diffusers' model of these sizes, random weights, norms that do something, attention computed step by step."""
    torch.manual_seed(0)
    model = diffusers_unet(config)
    for module in model.modules():
        if isinstance(module, nn.GroupNorm):
            nn.init.uniform_(module.weight, 0.5, 1.5)
            nn.init.normal_(module.bias, 0, 0.1)
        if isinstance(module, Attention):
            module.set_processor(AttnProcessor())
    return model


def converted(theirs: Any, config: UNetConfig) -> UNet:
    """Our net with their weights: the names are the same."""
    ours = UNet(config).eval()
    ours.load_state_dict(theirs.state_dict())
    return ours


def inputs(config: UNetConfig, batch: int, height: int, width: int) -> tuple[Tensor, Tensor, Tensor]:
    """Noisy pictures, steps from first to last, and classes, the null class among them."""
    x = torch.randn(batch, config.in_channels, height, width)
    timestep = torch.linspace(0, 999, batch).long()
    return (
        x,
        timestep,
        torch.arange(config.num_classes, config.num_classes - batch, -1) % (config.num_classes + 1),
    )


def our_name(theirs: str) -> str:
    """Name of our tap for the output of a module of theirs: up_blocks.0.resnets.1 -> up.0.resnet.1.out."""
    name = theirs.replace("_blocks.", ".").replace("_block.", ".")
    name = name.replace("resnets", "resnet").replace("attentions", "attention")
    return name.replace("downsamplers.0", "sample").replace("upsamplers.0", "sample") + ".out"


def hidden_states(model: Any, *arguments: Tensor) -> dict[str, Tensor]:
    """Outputs of diffusers' blocks, embeddings and attention under our taps' names."""
    found: dict[str, Tensor] = {}

    def keep(name: str) -> Callable[[nn.Module, Any, Tensor], None]:
        return lambda _module, _input, output: found.__setitem__(name, output.clone())

    def kept_scores(name: str, scores: Callable[..., Tensor], heads: int) -> Callable[..., Tensor]:
        def get(*given: Any) -> Tensor:
            result = scores(*given)  # (B * heads, N, N)
            found[name] = result.unflatten(0, (-1, heads)).clone()
            return result

        return get

    blocks = ("resnets", "attentions", "downsamplers", "upsamplers")
    for path, module in model.named_modules():
        if path.count(".") >= 2 and path.split(".")[-2] in blocks:
            module.register_forward_hook(keep(our_name(path)))
        if path.startswith("mid_block.") and path.count(".") == 2:
            module.register_forward_hook(keep(our_name(path)))
        if isinstance(module, Attention):
            name = our_name(path).removesuffix("out") + "weights"
            attention: Any = module
            attention.get_attention_scores = kept_scores(
                name, attention.get_attention_scores, attention.heads
            )
        if path.endswith("time_emb_proj"):
            module.register_forward_hook(
                keep(our_name(path.removesuffix(".time_emb_proj")).replace("out", "shift"))
            )
    model.time_proj.register_forward_hook(keep("time.sinusoid"))
    model.time_embedding.register_forward_hook(keep("time.embedding"))
    model.class_embedding.register_forward_hook(keep("label.embedding"))
    model.conv_in.register_forward_hook(keep("skip.0"))
    found["output"] = model(*arguments).sample
    return found


@each_config
@pytest.mark.parametrize("shape", [(1, 16, 16), (3, 8, 24)], ids=str)
def test_output_attention_and_every_block(config: UNetConfig, shape: tuple[int, int, int]):
    theirs = reference(config)
    ours = converted(theirs, config)
    arguments = inputs(config, *shape)
    with torch.inference_mode():
        expected = hidden_states(theirs, *arguments)
        with record() as taps:
            output = ours(*arguments)
    assert distance(output, expected["output"]) <= PARITY
    attentions = {name for name in taps if name.endswith(".weights")}
    assert attentions and attentions <= set(expected)
    outs = {name for name in taps if name.endswith((".out", ".shift"))}
    assert outs <= set(expected)
    for name, value in expected.items():
        assert distance(taps[name], value) <= PARITY, name


@each_config
def test_same_keys_and_shapes(config: UNetConfig):
    theirs, ours = reference(config).state_dict(), UNet(config).state_dict()
    assert {k: v.shape for k, v in theirs.items()} == {k: v.shape for k, v in ours.items()}


@each_config
def test_skips_left_alone_change_nothing_and_a_missing_one_does(config: UNetConfig):
    ours = converted(reference(config), config)
    arguments = inputs(config, 2, 16, 16)
    with torch.inference_mode():
        plain = ours(*arguments)
        assert torch.equal(ours(*arguments, torch.ones(config.num_skips)), plain)
        for i in range(config.num_skips):
            strength = torch.ones(config.num_skips)
            strength[i] = 0
            with record([f"skip.{i}"]) as taps:
                changed = ours(*arguments, strength)
            assert not taps[f"skip.{i}"].any()
            assert distance(changed, plain) > 1e-4


def test_what_the_taps_say_adds_up():
    """The block's output from its own parts, the attention's rows, the embedding from time and class."""
    config = CONFIGS["digits"]
    ours = converted(reference(config), config)
    with torch.inference_mode(), record() as taps:
        output = ours(*inputs(config, 2, 16, 16))
        block: Any = ours.mid_block.resnets[0]
        rebuilt = taps["down.2.attention.0.out"] + block.conv2(taps["mid.resnet.0.norm"])
        assert distance(rebuilt, taps["mid.resnet.0.out"]) <= PARITY
        weights = taps["mid.attention.0.weights"]
        assert distance(weights.sum(-1), torch.ones(weights.shape[:3])) <= PARITY
        assert distance(weights @ taps["mid.attention.0.v"], taps["mid.attention.0.heads"]) <= PARITY
        assert distance(taps["time.embedding"] + taps["label.embedding"], taps["embedding"]) <= PARITY
        assert distance(ours.conv_out(taps["final"]), output) <= PARITY


def test_the_step_matters():
    """Without t (E22) the net could not know how much noise there is: another t is another prediction."""
    config = CONFIGS["tiny"]
    ours = converted(reference(config), config)
    x, timestep, label = inputs(config, 2, 8, 8)
    with torch.inference_mode():
        assert distance(ours(x, timestep, label), ours(x, timestep.flip(0), label)) > 1e-4
        assert distance(ours(x, timestep, label), ours(x, timestep, label.flip(0))) > 1e-4


def test_gradients_agree():
    config = CONFIGS["tiny"]
    theirs = reference(config)
    ours = converted(theirs, config)
    x, timestep, label = inputs(config, 2, 8, 8)
    ours(x, timestep, label).square().sum().backward()
    theirs(x, timestep, label).sample.square().sum().backward()
    gradients = {name: value.grad for name, value in theirs.named_parameters()}
    for name, value in ours.named_parameters():
        assert distance(value.grad, gradients[name]) <= 10 * PARITY, name


@pytest.mark.parametrize(
    "changes",
    [dict(attention=(True,)), dict(block_out_channels=(8, 16, 18)), dict(attention_head_dim=6)],
    ids=["levels", "groups", "heads"],
)
def test_sizes_that_do_not_fit_are_refused(changes: dict):
    with pytest.raises(ValueError, match="must"):
        UNetConfig.tiny(**changes)

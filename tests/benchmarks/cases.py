"""What is compared with what. Every case builds its two callables, of equal output, on equal threads."""

from __future__ import annotations

import copy
import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from app import engine
from models.card import ModelCard
from models.checkpoints.swinir_keys import our_key
from models.generative.autoencoder_kl import AutoencoderConfig
from models.generative.latent_diffusion import LatentUNetConfig
from models.registry import MODELS
from models.taps import Tap
from models.weights_io import save_weights
from tests.benchmarks.embeddings import line_samples
from tests.benchmarks.graph_nets import gcn_epochs
from tests.benchmarks.timing import Comparison, compare
from tests.close import PARITY, distance
from tests.peers import diffusers_autoencoder, diffusers_latent_unet, diffusers_unet

PAIRS = 21
SAMPLES = 1e-3  # between two engines after all steps of a sampler


def saved(folder: Path, card: ModelCard, weights_id: str, model: nn.Module) -> Path:
    """A weights file with this model's tensors, for the engine to load."""
    state = {k: v.detach().numpy() for k, v in model.state_dict().items() if v.is_floating_point()}
    file = folder / f"{card.slug}-{weights_id}.safetensors"
    save_weights(file, state, float32=list(state))
    return file


def resnet18(folder: Path, pairs: int = PAIRS, quick: bool = False) -> Iterator[Comparison]:
    """Ours on torch, and on ONNX Runtime as the app runs it, against torchvision's eager model."""
    from torchvision.models import resnet18 as theirs

    from models.cnn.resnet18 import ResNet18, ResNet18Config

    torch.manual_seed(0)
    side = 64 if quick else 224
    card = MODELS["resnet18"]
    peer = theirs().eval()
    ours = ResNet18(ResNet18Config()).eval()
    ours.load_state_dict(peer.state_dict())
    x = torch.rand(1, 3, side, side)
    with torch.inference_mode():
        assert distance(ours(x), peer(x)) <= PARITY
        yield compare(
            f"ResNet18, {side}²: torch, ours / torchvision", lambda: ours(x), lambda: peer(x), pairs
        )
        model = engine.load(
            "resnet18", "imagenet", "onnx", weights_file=saved(folder, card, "imagenet", ours)
        )
        feed = {"image": x.numpy()}
        assert distance(engine.run(model, feed).output, peer(x)) <= 10 * PARITY
        yield compare(
            f"ResNet18, {side}²: ONNX, ours / torchvision on torch",
            lambda: engine.run(model, feed),
            lambda: peer(x),
            pairs,
            target=1.0,
        )
        bare = without_taps(ours)
        yield compare(
            f"ResNet18, {side}²: torch, with taps, none recorded / taps taken out",
            lambda: ours(x),
            lambda: bare(x),
            pairs,
        )
    taps = [spec.name for spec in card.taps(card.weights_by_id("imagenet").config)]
    yield compare(
        f"ResNet18, {side}²: ONNX, last stage recorded / plain",
        lambda: engine.run(model, feed, ["layer4.1.out"]),
        lambda: engine.run(model, feed),
        pairs,
    )
    yield compare(
        f"ResNet18, {side}²: ONNX, every tap recorded / plain",
        lambda: engine.run(model, feed, taps),
        lambda: engine.run(model, feed),
        pairs,
    )
    engine.unload_all()


def same(x: Any) -> Any:
    return x


def without_taps(model: nn.Module) -> nn.Module:
    """A copy whose taps are a bare function that returns its argument."""
    bare = copy.deepcopy(model)
    for module in bare.modules():
        for name in [name for name, child in module.named_children() if isinstance(child, Tap)]:
            delattr(module, name)
            setattr(module, name, same)
    return bare


def swinir(folder: Path, pairs: int = PAIRS, quick: bool = False) -> Iterator[Comparison]:
    """Ours on torch against spandrel's SwinIR (the authors' code), lightweight x2; ONNX and taps beside."""
    importlib.import_module("spandrel.architectures.SwinIR")
    Reference: Any = importlib.import_module("spandrel.architectures.SwinIR.__arch.SwinIR").SwinIR
    from models.vision.swinir import SwinIR, SwinIRConfig

    torch.manual_seed(0)
    side = 64 if quick else 128
    card = MODELS["swinir"]
    weights = card.weights_by_id("lightweight_x2")
    config = SwinIRConfig(**weights.config)
    peer = Reference(
        img_size=config.img_size,
        embed_dim=config.embed_dim,
        depths=list(config.depths),
        num_heads=list(config.num_heads),
        window_size=config.window_size,
        mlp_ratio=config.mlp_ratio,
        upscale=config.scale,
        upsampler=config.upsampler,
    ).eval()
    ours = SwinIR(config).eval()
    renamed = {our_key(k, config.upsampler): v for k, v in peer.state_dict().items()}
    ours.load_state_dict({k: v for k, v in renamed.items() if k})
    x = torch.rand(1, 3, side, side)
    name = f"SwinIR lightweight ×2, {side}² tile"
    with torch.inference_mode():
        assert distance(ours(x), peer(x)) <= PARITY
        yield compare(f"{name}: torch, ours / spandrel", lambda: ours(x), lambda: peer(x), pairs, target=1.10)
        model = engine.load("swinir", weights.id, "onnx", weights_file=saved(folder, card, weights.id, ours))
        feed = {"image": x.numpy()}
        assert distance(engine.run(model, feed).output, peer(x)) <= 10 * PARITY
        yield compare(
            f"{name}: ONNX, ours / spandrel on torch", lambda: engine.run(model, feed), lambda: peer(x), pairs
        )
    yield compare(
        f"{name}: ONNX, one attention recorded / plain",
        lambda: engine.run(model, feed, ["rstb.1.layer.1.attn.weights"]),
        lambda: engine.run(model, feed),
        pairs,
    )
    engine.unload_all()


def ddpm(folder: Path, pairs: int = PAIRS, quick: bool = False) -> Iterator[Comparison]:
    """The app's whole DDIM sampling of 16 digits against diffusers' UNet2DModel and DDIMScheduler, eager."""
    from diffusers import DDIMScheduler

    from app.engine.base import finish
    from app.engine.diffuse import Request, noise, sample
    from models.generative.ddpm import UNet, UNetConfig

    steps, labels = (5 if quick else 50), tuple(i % 10 for i in range(16))
    card = MODELS["ddpm"]
    model = engine.load("ddpm", "digits", "onnx")  # the shipped weights: both sides must draw the same digits
    config = UNetConfig(**model.config)
    peer = diffusers_unet(config)
    ours = UNet(config).eval()
    peer.load_state_dict({name: torch.from_numpy(array) for name, array in model.state.items()})
    ours.load_state_dict(peer.state_dict())
    scheduler: Any = DDIMScheduler(
        num_train_timesteps=model.preprocess["steps"],
        beta_start=1e-4,
        beta_end=0.02,
        beta_schedule=dict(linear="linear", cosine="squaredcos_cap_v2")[model.preprocess["schedule"]],
        prediction_type=dict(epsilon="epsilon", v="v_prediction", x0="sample")[
            model.preprocess["prediction"]
        ],
        timestep_spacing="trailing",
    )
    scheduler.set_timesteps(steps)
    shape = (config.in_channels, config.sample_size, config.sample_size)
    start = torch.from_numpy(np.stack([noise(0, i, shape) for i in range(len(labels))]).astype(np.float32))
    classes = torch.tensor(labels)
    request = Request(labels=labels, seed=0, steps=steps, guidance=1.0)

    def our_digits() -> np.ndarray:
        return finish(sample(model, request)).samples

    def their_digits() -> np.ndarray:
        x = start
        for t in scheduler.timesteps:
            out = peer(x, t, classes).sample
            x = scheduler.step(out, t, x, use_clipped_model_output=True).prev_sample
        return x.numpy()

    name = f"DDPM digits, 16 samples, {steps} DDIM steps"
    with torch.inference_mode():
        assert distance(our_digits(), their_digits()) <= SAMPLES
        yield compare(
            f"{name}: the app on ONNX / diffusers on torch",
            our_digits,
            their_digits,
            pairs,
            target=1.0,
        )
        t = torch.full((len(labels),), 500)
        assert distance(ours(start, t, classes), peer(start, t, classes).sample) <= PARITY
        yield compare(
            "DDPM digits, 16 samples, one step: torch, ours / diffusers",
            lambda: ours(start, t, classes),
            lambda: peer(start, t, classes),
            pairs,
        )
    feed = {"x": start.numpy(), "timestep": t.numpy(), "label": classes.numpy()}
    taps = [spec.name for spec in card.taps(model.config) if spec.name.endswith(".weights")]
    yield compare(
        "DDPM digits, 16 samples, one step: ONNX, every attention recorded / plain",
        lambda: engine.run(model, feed, taps),
        lambda: engine.run(model, feed),
        pairs,
    )
    engine.unload_all()


def latent_diffusion(folder: Path, pairs: int = PAIRS, quick: bool = False) -> Iterator[Comparison]:
    """Words to decoded pictures, as on the page, against diffusers' U-Net, scheduler and VAE, eager, told the same."""
    from diffusers import DDIMScheduler

    from app.engine.base import finish
    from app.engine.diffuse import noise
    from app.engine.paint import Request, condition_of, decode, load_studio, paint

    steps, guidance = (5 if quick else 20), 3.0
    studio = load_studio("emoji", "onnx")
    config = LatentUNetConfig(**studio.unet.config)
    peer, vae = (
        diffusers_latent_unet(config),
        diffusers_autoencoder(AutoencoderConfig(**studio.decoder.config)),
    )
    for module, state in (
        (peer, studio.unet.state),
        (vae, {**studio.encoder.state, **studio.decoder.state}),
    ):
        module.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})
    scheduler: Any = DDIMScheduler(
        num_train_timesteps=studio.unet.preprocess["steps"],
        beta_start=0.00085,
        beta_end=0.012,
        beta_schedule="scaled_linear",
        prediction_type="v_prediction",
        timestep_spacing="trailing",
        clip_sample=False,
    )
    scheduler.set_timesteps(steps)
    request = Request(("red car", "猫", "pizza", "heart"), seed=1, steps=steps, guidance=guidance)
    told = condition_of(studio, request)
    context, kept = (
        torch.from_numpy(np.concatenate([told.without[name], told.asked[name]]))
        for name in ("context", "kept")
    )
    mean = (context * kept[..., None]).sum(1) / kept.sum(1, keepdim=True)
    shape = (config.in_channels, config.sample_size, config.sample_size)
    start = torch.from_numpy(
        np.stack([noise(request.seed, i, shape) for i in range(len(request.texts))]).astype(np.float32)
    )

    def ours() -> np.ndarray:
        return decode(studio, finish(paint(studio, request)).samples)

    def theirs() -> np.ndarray:
        x = start
        for t in scheduler.timesteps:
            both = peer(torch.cat([x, x]), t, context, class_labels=mean, encoder_attention_mask=kept).sample
            without, asked = both.chunk(2)
            x = scheduler.step(without + guidance * (asked - without), t, x).prev_sample
        return vae.decode(x / studio.scale).sample.clamp(-1, 1).numpy()

    with torch.inference_mode():
        assert distance(ours(), theirs()) <= SAMPLES
        yield compare(
            f"Latent diffusion, 4 pictures, {steps} guided DDIM steps, decoded: the app on ONNX / diffusers on torch",
            ours,
            theirs,
            pairs,
        )
    engine.unload_all()


CASES: dict[str, Callable[..., Iterator[Comparison]]] = {
    "resnet18": resnet18,
    "swinir": swinir,
    "ddpm": ddpm,
    "latent_diffusion": latent_diffusion,
    "line": line_samples,
    "gcn": gcn_epochs,
}

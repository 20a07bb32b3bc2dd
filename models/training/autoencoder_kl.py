"""Train the image VAE of latent diffusion on drawn emoji, on a CPU, within a fixed time.

    python -m models.training.autoencoder_kl --minutes 25     # train (or go on), then score and write the weights
    python -m models.training.autoencoder_kl --score-only

Loss: mean |x - y| + (x - y)^2, and a little KL, which keeps the latents near a normal cloud: what diffusion later
makes is never exact, and a decoder that has met noise forgives it. The weights start so that the net keeps the size of
what passes, with quiet residual branches and little noise in the latents; from torch's usual start it takes many times
longer until anything but the ground's colour comes through.
What ships is a moving average of the weights. A run continues from its state file.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor, nn

from models.generative.autoencoder_kl import (
    AutoencoderConfig,
    ImageDecoder,
    ImageEncoder,
    PlaceAttention,
    ResnetBlock,
)
from models.training import emoji, emoji_words
from models.training.common import (
    WEIGHTS,
    Clock,
    average_into,
    learning_rate,
    machine,
    ramp,
    read_back,
    run_folder,
    save_state,
    today,
    write_report,
    write_weights,
)

RUN = "autoencoder_kl"
FOLDERS = {"encode": WEIGHTS / "autoencoder_kl_encoder", "decode": WEIGHTS / "autoencoder_kl_decoder"}
FILE = "emoji.safetensors"
CONFIG = AutoencoderConfig(block_out_channels=(32, 48, 64))
SEED = 20261130
BATCH, PEAK_LR, WARM_UP, EMA = 8, 1e-3, 50, 0.998
KL = 1e-3  # weight in the loss of the mean over latent numbers
FIRST_LOGVAR = -5.0
WHITE, SWAPPED, SHIFT = 0.4, 0.25, 3  # shares of white grounds and of exchanged colour channels; pixels


class Pair(nn.Module):
    """Encoder and decoder together, for one optimiser and one average."""

    def __init__(self, config: AutoencoderConfig):
        super().__init__()
        self.encode, self.decode = ImageEncoder(config), ImageDecoder(config)


def batches() -> Callable[[torch.Generator, int], Tensor]:
    """Training drawings on plain grounds, mirrored, shifted, some with their colour channels exchanged."""
    whole = emoji_words.drawn()
    chosen = whole.training()
    pictures = whole.pictures

    def batch_of(rng: torch.Generator, count: int) -> Tensor:
        picked = chosen[torch.randint(len(chosen), (count,), generator=rng).numpy()]
        ground = torch.randint(256, (count, 3), generator=rng).numpy()
        ground[torch.rand(count, generator=rng).numpy() < WHITE] = 255
        shifts = torch.randint(-SHIFT, SHIFT + 1, (count, 2), generator=rng).tolist()
        mirrored = torch.rand(count, generator=rng).numpy() < 0.5
        stack = pictures[picked]
        for i, (down, right) in enumerate(shifts):
            stack[i] = np.roll(stack[i], (down, right), (0, 1))  # the rim is empty, so nothing wraps around
        stack[mirrored] = stack[mirrored, :, ::-1]
        x = torch.from_numpy(emoji_words.on_ground(stack, ground.astype(np.float32)))
        for i in torch.nonzero(torch.rand(count, generator=rng) < SWAPPED).flatten().tolist():
            x[i] = x[i, torch.randperm(3, generator=rng)]
        return x

    return batch_of


def losses(pair: Pair, x: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """Mean |error| and squared error of pixels, mean KL of a latent number, for a batch (B, 3, H, W)."""
    mean, logvar = pair.encode(x).chunk(2, dim=1)
    z = mean + torch.exp(0.5 * logvar) * torch.randn(mean.shape, generator=rng)
    error = pair.decode(z) - x
    kl = 0.5 * (mean.square() + logvar.exp() - 1 - logvar).mean()
    return error.abs().mean(), error.square().mean(), kl


@torch.no_grad()
def start_calm(pair: Pair) -> None:
    """Keep the spread of what passes, hush the residual branches, and put little noise into the latents."""
    for module in pair.modules():
        if isinstance(module, nn.Conv2d | nn.Linear):
            nn.init.normal_(module.weight, std=module.weight[0].numel() ** -0.5)
            nn.init.zeros_(module.get_parameter("bias"))
    for module in pair.modules():
        if isinstance(module, ResnetBlock):
            module.conv2.weight.mul_(0.1)
        elif isinstance(module, PlaceAttention):
            nn.init.zeros_(module.to_out[0].get_parameter("weight"))
    half = pair.encode.config.latent_channels
    pair.encode.quant_conv.weight[half:] *= 0.1
    pair.encode.quant_conv.get_parameter("bias")[half:] = FIRST_LOGVAR


def quicken(pair: Pair) -> Pair:
    """Fused attention while training: nothing is tapped."""
    for net in (pair.encode.encoder.mid_block, pair.decode.decoder.mid_block):
        net.attentions[0].__class__ = QuickAttention
    return pair


def train(minutes: float, write_every: float) -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    rng = torch.Generator().manual_seed(SEED)
    batch_of = batches()
    pair = Pair(CONFIG)
    start_calm(pair)
    quicken(pair)
    average = copy.deepcopy(pair).eval()
    optimiser = torch.optim.AdamW(pair.parameters(), betas=(0.9, 0.99), weight_decay=0.0)
    step, spent, shown = 0, 0.0, np.zeros(3)
    state_file = run_folder(RUN) / "state.pt"
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        pair.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent = state["step"], state["spent"]
        rng.manual_seed(SEED + step)
    clock, saved = Clock(minutes, spent), time.monotonic()
    while clock.progress < 1:
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, clock.progress, PEAK_LR, WARM_UP, floor=0.02)
        absolute, squared, kl = losses(pair, batch_of(rng, BATCH), rng)
        optimiser.zero_grad()
        (absolute + squared + KL * kl).backward()
        nn.utils.clip_grad_norm_(pair.parameters(), 1.0)
        optimiser.step()
        average_into(average, pair, ramp(step, EMA))
        step += 1
        shown = 0.98 * shown + 0.02 * np.array([absolute.item(), squared.item(), kl.item()])
        clock.advance()
        if step % 50 == 0:
            print({"step": step, "seconds": round(clock.spent), "loss": shown.round(4).tolist()}, flush=True)
        if time.monotonic() - saved > write_every * 60 or clock.progress >= 1:
            state = {"model": pair.state_dict(), "average": average.state_dict()}
            state |= {"optimiser": optimiser.state_dict(), "step": step, "spent": clock.spent}
            save_state(state_file, state)
            sheet(average, run_folder(RUN) / f"sheet-{step:06d}.png")
            saved = time.monotonic()
            clock.tick = saved  # looking does not count


class QuickAttention(nn.Module):
    """The same function with the softmax fused."""

    group_norm: nn.Module
    to_q: nn.Module
    to_k: nn.Module
    to_v: nn.Module
    to_out: nn.ModuleList

    def forward(self, x: Tensor) -> Tensor:
        b, c, h, w = x.shape
        places = self.group_norm(x).flatten(2).transpose(1, 2)
        y = F.scaled_dot_product_attention(self.to_q(places), self.to_k(places), self.to_v(places))
        return x + self.to_out[0](y).transpose(1, 2).reshape(b, c, h, w)


# ---------------------------------------------------------------- looking and scoring


def held_out_pictures() -> dict[str, np.ndarray]:
    """float32 (N, 3, 64, 64) on white: an unseen style, and unseen emoji in the seen styles."""
    whole = emoji_words.drawn()
    fluent = whole.style == emoji_words.STYLES.index(emoji.HELD_OUT_STYLE)
    parts = {"unseen_style": fluent, "unseen_emoji": whole.held[whole.which] & ~fluent}
    return {
        name: emoji_words.on_ground(whole.pictures[mask], np.full((int(mask.sum()), 3), 255.0, np.float32))
        for name, mask in parts.items()
    }


@torch.inference_mode()
def decoded(pair: Pair, pictures: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Reconstructions from the means, clipped, and the means: float32 (N, 3, H, W), (N, z, h, w)."""
    made, means = [], []
    for start in range(0, len(pictures), 32):
        mean = pair.encode(torch.from_numpy(pictures[start : start + 32])).chunk(2, dim=1)[0]
        means.append(mean.numpy())
        made.append(pair.decode(mean).clamp(-1, 1).numpy())
    return np.concatenate(made), np.concatenate(means)


def psnr(a: np.ndarray, b: np.ndarray) -> float:
    """Mean over pictures of 10 log10(1 / MSE), RGB in 0 .. 1. a, b (N, 3, H, W) in [-1, 1]."""
    error = ((a - b) / 2) ** 2
    return float(np.mean(-10 * np.log10(np.maximum(error.mean((1, 2, 3)), 1e-10))))


def shrunk(pictures: np.ndarray, side: int = 18) -> np.ndarray:
    """What is left of pictures that are shrunk to side x side and enlarged again (bicubic).

    18 x 18 x 3 = 972 numbers: about as many as the 16 x 16 x 4 latent ones.
    """
    small = F.interpolate(
        torch.from_numpy(pictures), (side, side), mode="bicubic", antialias=True, align_corners=False
    )
    large = F.interpolate(small, pictures.shape[2:], mode="bicubic", align_corners=False)
    return large.clamp(-1, 1).numpy()


def sheet(pair: Pair, path: Path, count: int = 16) -> None:
    """Held-out pictures above their reconstructions."""
    rows = []
    for pictures in held_out_pictures().values():
        some = pictures[:: len(pictures) // count][:count]
        rows += [some, decoded(pair, some)[0]]
    grid = np.stack(rows).transpose(0, 3, 1, 4, 2).reshape(len(rows) * 64, count * 64, 3)
    Image.fromarray(((grid + 1) * 127.5).round().astype(np.uint8)).save(path)


def finish(int8: bool) -> None:
    """Write the averaged weights, read them back, score what was read."""
    torch.set_num_threads(1)
    state = torch.load(run_folder(RUN) / "state.pt", weights_only=True)
    pair = Pair(CONFIG)
    pair.load_state_dict(state["average"])
    pair.eval()
    spread = latent_spread(pair)
    config = replace(CONFIG, scaling_factor=round(1 / spread, 5))
    shipped = Pair(config)
    for name, folder in FOLDERS.items():
        write_weights(folder / FILE, getattr(pair, name), int8=int8, metadata={"model": RUN})
        read_back(folder / FILE, getattr(shipped, name))
    report = describe(config, state) | {"score": score(shipped.eval())}
    for folder in FOLDERS.values():
        write_report((folder / FILE).with_suffix(".json"), report)
    print(json.dumps(report["score"], indent=2), flush=True)


def latent_spread(pair: Pair, count: int = 512) -> float:
    """Standard deviation of the latent numbers (mean and noise) of training pictures."""
    rng = torch.Generator().manual_seed(SEED)
    with torch.inference_mode():
        mean, logvar = pair.encode(batches()(rng, count)).chunk(2, dim=1)
        return float((mean.var() + logvar.exp().mean()).sqrt())


def score(pair: Pair) -> dict[str, Any]:
    """PSNR of held-out pictures, beside that of shrinking to about as many numbers."""
    result: dict[str, Any] = {"metric": "PSNR in dB, RGB in 0 .. 1, mean over pictures; from the means"}
    for name, pictures in held_out_pictures().items():
        result[name] = {
            "pictures": len(pictures),
            "psnr": round(psnr(decoded(pair, pictures)[0], pictures), 2),
            "psnr_of_shrinking_to_18": round(psnr(shrunk(pictures), pictures), 2),
        }
    return result


def describe(config: AutoencoderConfig, state: dict[str, Any]) -> dict[str, Any]:
    used = [emoji.PACKAGES[key] for key in (*(s for s in emoji_words.STYLES if s in emoji.PACKAGES), "words")]
    return {
        "id": "emoji",
        "model": RUN,
        "config": asdict(config),
        "parameters": sum(p.numel() for p in Pair(config).parameters()),
        "input": "RGB in [-1, 1], 64 x 64",
        "data": [
            {"package": p.name, "version": p.version, "licence": p.licence, "author": p.author} for p in used
        ],
        "split": "models/training/emoji_words.py: a tenth of the emoji outside of the 120 classes, and Fluent's style",
        "trained_on": len(emoji_words.drawn().training()),
        "augmentation": (
            f"plain grounds ({WHITE:.0%} white), mirrored, shifted by up to {SHIFT} pixels, "
            f"{SWAPPED:.0%} with colour channels exchanged"
        ),
        "loss": f"mean of |x - y| + (x - y)^2, + {KL} * mean KL of a latent number",
        "licence": "CC-BY-SA-4.0",
        "script": "models/training/autoencoder_kl.py",
        "seed": SEED,
        "steps": state["step"],
        "batch": BATCH,
        "average": EMA,
        "minutes": round(state["spent"] / 60, 1),
        "machine": machine(),
        "date": today(),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=25.0)
    parser.add_argument("--write-every", type=float, default=4.0, help="minutes between saved states")
    parser.add_argument("--score-only", action="store_true")
    parser.add_argument("--float16", action="store_true")
    args = parser.parse_args(arguments)
    if not args.score_only:
        train(args.minutes, args.write_every)
    finish(not args.float16)


if __name__ == "__main__":
    main()

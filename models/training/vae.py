"""Train the digit VAEs, and the plain autoencoders beside them, on a CPU, some minutes each.

    python -m models.training.vae digits2     # one of RECIPES, or "all"; then score and write; five minutes each

The same nets, data and steps for all; what differs is the size of z and beta, the weight of the KL term
(Higgins et al. 2017; 1 is the bound itself). For an autoencoder beta is 0 and z carries no noise. Binary cross entropy
of grey levels, summed over pixels; digits are shifted by up to a pixel. What ships is a moving average of the weights.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.generative import elbo
from models.generative.vae import Decoder, Encoder, VAEConfig
from models.training import digits
from models.training.common import (
    WEIGHTS,
    average_into,
    learning_rate,
    machine,
    ramp,
    read_back,
    today,
    write_report,
    write_weights,
)

FOLDERS = {"encode": WEIGHTS / "vae_encoder", "decode": WEIGHTS / "vae_decoder"}
SEED, SCORE_SEED = 20261130, 7
BATCH, PEAK_LR, WARM_UP, EMA = 64, 2e-3, 50, 0.998
NO_NOISE = -20.0  # log variance of an autoencoder's code
SAMPLES = 64  # of the importance-weighted bound


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """latent: numbers of z. beta: weight of KL. noisy: False for an autoencoder."""

    latent: int
    beta: float = 1.0
    noisy: bool = True


RECIPES = {
    "digits2": Recipe(latent=2),
    "ae2": Recipe(latent=2, beta=0.0, noisy=False),
    "digits16": Recipe(latent=16),
    "ae16": Recipe(latent=16, beta=0.0, noisy=False),
    "beta025": Recipe(latent=16, beta=0.25),
    "beta4": Recipe(latent=16, beta=4.0),
}


class Pair(nn.Module):
    """Encoder and decoder together, for one optimiser and one average."""

    def __init__(self, config: VAEConfig):
        super().__init__()
        self.encode, self.decode = Encoder(config), Decoder(config)


def unit(pictures: np.ndarray) -> np.ndarray:
    """uint8 (N, 28, 28) -> float32 (N, 1, 28, 28) in [0, 1]."""
    return pictures[:, None].astype(np.float32) / 255.0


def losses(pair: Pair, recipe: Recipe, x: Tensor, rng: torch.Generator) -> tuple[Tensor, Tensor]:
    """Cross entropy and KL of each picture, summed over pixels and over latent numbers: (B,), (B,) in nats."""
    with torch.autocast("cpu", dtype=torch.bfloat16):  # products in 16 bits, sums and weights in 32
        mean, logvar = pair.encode(x).float().unbind(1)
        z = mean
        if recipe.noisy:
            z = mean + torch.exp(0.5 * logvar) * torch.randn(mean.shape, generator=rng)
        logits = pair.decode(z).float()
    entropy = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum((1, 2, 3))
    kl = 0.5 * (mean.square() + logvar.exp() - 1 - logvar).sum(1)
    return entropy, kl


def train(name: str, steps: int) -> tuple[Pair, float]:
    """Train one pair. Returns its average and the seconds."""
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    recipe = RECIPES[name]
    torch.manual_seed(SEED)
    rng = torch.Generator().manual_seed(SEED)
    pictures = torch.from_numpy(unit(digits.split().train.pictures))
    padded = F.pad(pictures, (1, 1, 1, 1))
    pair = Pair(VAEConfig(latent=recipe.latent)).to(memory_format=torch.channels_last)
    if not recipe.noisy:
        silence(pair)
    average = copy.deepcopy(pair).eval()
    trained = [p for p in pair.parameters() if p.requires_grad]
    optimiser = torch.optim.Adam(trained, betas=(0.9, 0.99))
    began, running = time.monotonic(), np.zeros(2)
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate(step, step / steps, PEAK_LR, WARM_UP, floor=0.01)
        chosen = torch.randint(len(pictures), (BATCH,), generator=rng)
        top, left = torch.randint(3, (2,), generator=rng).tolist()
        x = padded[chosen, :, top : top + 28, left : left + 28]
        entropy, kl = losses(pair, recipe, x, rng)
        optimiser.zero_grad()
        (entropy + recipe.beta * kl).mean().backward()
        nn.utils.clip_grad_norm_(trained, 100.0)
        optimiser.step()
        average_into(average, pair, ramp(step, EMA))
        running = 0.99 * running + 0.01 * np.array([entropy.mean().item(), kl.mean().item()])
        if step % 500 == 499:
            print(name, {"step": step + 1, "loss": running.round(2).tolist()}, flush=True)
    return average, time.monotonic() - began


def silence(pair: Pair) -> None:
    """An autoencoder: the log variance is a constant, as good as no noise, and not trained."""
    for parameter, value in ((pair.encode.logvar.weight, 0.0), (pair.encode.logvar.bias, NO_NOISE)):
        nn.init.constant_(parameter, value)
        parameter.requires_grad_(False)


# ---------------------------------------------------------------- scores


@torch.inference_mode()
def score(pair: Pair, recipe: Recipe) -> dict[str, Any]:
    """Bound, its parts, and the importance-weighted bound of held-out digits, in nats; the error of the means."""
    part = digits.split().held
    grey = unit(part.pictures)
    random = np.random.Generator(np.random.PCG64(SCORE_SEED))
    binary = (random.random(grey.shape) < grey).astype(np.float32)
    mean, logvar = pair.encode(torch.from_numpy(grey)).numpy().transpose(1, 0, 2)
    made = torch.sigmoid(pair.decode(torch.from_numpy(mean))).numpy()
    result: dict[str, Any] = {
        "held_out": len(part),
        "mean_squared_error_of_the_mean_code": round(float(((made - grey) ** 2).mean()), 5),
        "spread_of_codes": round(float(mean.std()), 3),
    }
    if not recipe.noisy:
        return result
    for kind, x in (("grey", grey), ("binary", binary)):
        result[kind] = bounds(pair, x, random)
    kl = elbo.kl(mean, logvar)
    result["elbo"] = result["grey"]["elbo"]  # what the badge says
    result["active_units"] = int((kl.mean(0) > 0.01).sum())
    return result | {
        "metric": "nats for each digit, 28 x 28, held out; ELBO from one z each, averaged over 64; bound by 64 z",
        "preprocess": {
            "grey": "grey levels in 0 .. 1 as chances of white",
            "binary": "pixels drawn once from the grey levels",
        },
        "seed": SCORE_SEED,
    }


def bounds(pair: Pair, x: np.ndarray, random: np.random.Generator) -> dict[str, float]:
    """x (N, 1, 28, 28)."""
    mean, logvar = pair.encode(torch.from_numpy(x)).numpy().transpose(1, 0, 2)
    weights, reconstructions = [], []
    for _ in range(SAMPLES):
        z = elbo.reparameterise(mean, logvar, random.standard_normal(mean.shape).astype(np.float32))
        reconstruction = elbo.log_bernoulli(pair.decode(torch.from_numpy(z)).numpy().astype(np.float64), x)
        reconstructions.append(reconstruction)
        weights.append(elbo.log_weights(reconstruction, z, mean, logvar))
    stack = np.stack(weights)
    kl = float(elbo.kl(mean, logvar).sum(1).mean())
    mean_reconstruction = float(np.mean(reconstructions))
    return {
        "elbo": round(mean_reconstruction - kl, 2),
        "reconstruction": round(mean_reconstruction, 2),
        "kl": round(kl, 2),
        "importance_bound_64": round(float(elbo.importance_bound(stack).mean()), 2),
    }


def finish(name: str, steps: int, average: Pair, spent: float) -> None:
    """Write both nets, read them back, score what was read."""
    recipe = RECIPES[name]
    config = VAEConfig(latent=recipe.latent)
    shipped = Pair(config)
    for part, folder in FOLDERS.items():
        path = folder / f"{name}.safetensors"
        write_weights(path, getattr(average, part), int8=True, metadata={"model": "vae", "weights": name})
        read_back(path, getattr(shipped, part))
    report = {
        "id": name,
        "model": "vae",
        "config": asdict(config),
        "beta": recipe.beta,
        "noise": recipe.noisy,
        "parameters": {
            part: sum(p.numel() for p in getattr(shipped, part).parameters()) for part in ("encode", "decode")
        },
        "input": "grey levels in [0, 1], white ink on black, 28 x 28",
        "data": [digits.source()],
        "split": "models/training/digits.py; this model: the generative half",
        "trained_on": len(digits.split().train),
        "augmentation": "shifted by up to a pixel",
        "licence": "MIT",
        "script": "models/training/vae.py",
        "seed": SEED,
        "steps": steps,
        "batch": BATCH,
        "loss": "binary cross entropy summed over pixels + beta * KL",
        "average": EMA,
        "minutes": round(spent / 60, 1),
        "machine": machine(),
        "date": today(),
        "score": score(shipped.eval(), recipe),
    }
    for folder in FOLDERS.values():
        write_report(folder / f"{name}.json", report)
    print(name, json.dumps(report["score"], indent=2), flush=True)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=(*RECIPES, "all"))
    parser.add_argument("--steps", type=int, default=10_000)
    args = parser.parse_args(arguments)
    for name in RECIPES if args.name == "all" else (args.name,):
        finish(name, args.steps, *train(name, args.steps))


if __name__ == "__main__":
    main()

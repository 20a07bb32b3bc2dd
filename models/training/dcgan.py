"""Train the embedded DCGAN on handwritten digits, on a CPU, within a fixed time, with snapshots on the way.

    python -m models.training.dcgan --minutes 18
    python -m models.training.dcgan --score-only      # write and score the last saved state again

The layers and the optimiser are the paper's (Radford et al. 2016: Adam, 2e-4, beta1 0.5), the loss is the
non-saturating one (Goodfellow et al. 2014), and what ships is a moving average of the generator. With 4 500 digits the
discriminator would soon know them by heart, so both kinds of pictures are shifted at random before it sees them (Zhao
et al. 2020, "Differentiable Augmentation"). Twelve snapshots of the average are kept, the first before any step.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from models.generative.dcgan import Discriminator, DiscriminatorConfig, Generator, GeneratorConfig
from models.generative.schedule import noise
from models.training import digit_judge, digits, samples
from models.training.common import (
    WEIGHTS,
    Clock,
    average_into,
    machine,
    ramp,
    read_back,
    run_folder,
    save_state,
    today,
    write_report,
    write_weights,
)
from models.training.ddpm import sheet

G_FOLDER, D_FOLDER = WEIGHTS / "dcgan_generator", WEIGHTS / "dcgan_discriminator"
SEED = 20261130
BATCH, RATE, BETA1, EMA, SHIFT = 64, 2e-4, 0.5, 0.998, 3
MOMENTS = (
    0.0,
    0.004,
    0.01,
    0.02,
    0.04,
    0.07,
    0.12,
    0.2,
    0.32,
    0.5,
    0.75,
    1.0,
)  # share of the time at a snapshot
CONFIDENT = digit_judge.CONFIDENT
INT8 = True


def padded(pictures: np.ndarray) -> Tensor:
    """uint8 (N, 28, 28) -> (N, 1, 32, 32) in [-1, 1], black around."""
    return F.pad(torch.from_numpy(digits.to_net(pictures)), (2, 2, 2, 2), value=-1.0)


def cut(pictures: Tensor) -> Tensor:
    """(N, 1, 32, 32) -> the middle (N, 1, 28, 28), which is what the judge knows."""
    return pictures[:, :, 2:-2, 2:-2]


def shifted(pictures: Tensor, rng: torch.Generator, limit: int = SHIFT) -> Tensor:
    """Each picture moved by up to `limit` pixels both ways, black moving in. Gradients pass."""
    count, _, height, width = pictures.shape
    around = F.pad(pictures, (limit,) * 4, value=-1.0)
    rows = torch.randint(2 * limit + 1, (count, 1), generator=rng) + torch.arange(height)
    columns = torch.randint(2 * limit + 1, (count, 1), generator=rng) + torch.arange(width)
    one = torch.arange(count)[:, None, None]
    return around[one, 0, rows[:, :, None], columns[:, None, :]][:, None]


def losses_of_d(real: Tensor, fake: Tensor) -> Tensor:
    """-mean log D(x) - mean log(1 - D(G(z))), from logits (B, 1)."""
    return F.softplus(-real).mean() + F.softplus(fake).mean()


def loss_of_g(fake: Tensor) -> Tensor:
    """Non-saturating: -mean log D(G(z)), from logits (B, 1)."""
    return F.softplus(-fake).mean()


@torch.no_grad()
def refresh_batch_norm(model: nn.Module, batches: Sequence[Tensor]) -> None:
    """Measure the running statistics afresh, as a plain mean over the batches."""
    norms = [m for m in model.modules() if isinstance(m, nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    model.train()
    for batch in batches:
        model(batch)
    for norm in norms:
        norm.momentum = 0.1
    model.eval()


def latents(count: int, seed: int, length: int) -> Tensor:
    """Counted noise, as the page draws it: (count, length)."""
    return torch.from_numpy(np.stack([noise(seed, i, (length,)) for i in range(count)]))


def batches_of_z(count: int = 16) -> list[Tensor]:
    rng = torch.Generator().manual_seed(SEED + 1)
    return [torch.randn(128, GeneratorConfig().latent, generator=rng) for _ in range(count)]


@torch.inference_mode()
def paint(generator: nn.Module, z: Tensor, batch: int = 250) -> Tensor:
    return torch.cat([generator(z[i : i + batch]) for i in range(0, len(z), batch)])


def train(minutes: float) -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    rng = torch.Generator().manual_seed(SEED)
    part = digits.split().train
    pictures = padded(part.pictures)
    generator, discriminator = Generator(GeneratorConfig()), Discriminator(DiscriminatorConfig())
    average = copy.deepcopy(generator).eval()
    of_g = torch.optim.Adam(generator.parameters(), RATE, (BETA1, 0.999))
    of_d = torch.optim.Adam(discriminator.parameters(), RATE, (BETA1, 0.999))
    length = generator.config.latent
    folder = run_folder("dcgan")
    clock, step, taken, saved = Clock(minutes), 0, 0, time.monotonic()
    now = {"loss_d": float("nan"), "loss_g": float("nan"), "d_real": float("nan"), "d_fake": float("nan")}
    story: list[dict[str, Any]] = []

    def keep_snapshot() -> None:
        kept = copy.deepcopy(average)
        if step:
            refresh_batch_norm(kept, batches_of_z())
        story.append({"id": f"s{taken:02d}", "step": step, "pictures": step * BATCH} | rounded(now))
        state = {"story": story, "average": kept.state_dict(), "discriminator": discriminator.state_dict()}
        save_state(folder / f"s{taken:02d}.pt", state | {"step": step, "spent": clock.spent})
        write_weights(
            G_FOLDER / f"s{taken:02d}.safetensors", kept, int8=INT8, metadata={"model": "dcgan_generator"}
        )
        preview(kept, discriminator, story, step)
        print(story[-1], flush=True)

    while True:
        if taken < len(MOMENTS) and clock.progress >= MOMENTS[taken]:
            keep_snapshot()
            taken, clock.tick = taken + 1, time.monotonic()
        if clock.progress >= 1:
            break
        real = pictures[torch.randint(len(pictures), (BATCH,), generator=rng)]
        fake = generator(torch.randn(BATCH, length, generator=rng))
        seen_real = discriminator(shifted(real, rng))
        seen_fake = discriminator(shifted(fake.detach(), rng))
        loss_d = losses_of_d(seen_real, seen_fake)
        of_d.zero_grad()
        loss_d.backward()
        of_d.step()

        loss_g = loss_of_g(discriminator(shifted(fake, rng)))
        of_g.zero_grad()
        loss_g.backward()
        of_g.step()
        average_into(average, generator, ramp(step, EMA))
        step += 1
        fresh = {
            "loss_d": loss_d.item(),
            "loss_g": loss_g.item(),
            "d_real": float(seen_real.sigmoid().mean()),
            "d_fake": float(seen_fake.sigmoid().mean()),
        }
        mix = 1.0 if step == 1 else 0.05
        now = {
            name: value if step == 1 else (1 - mix) * now[name] + mix * value for name, value in fresh.items()
        }
        clock.advance()
        if time.monotonic() - saved > 60:
            saved = time.monotonic()
            print({"step": step, "seconds": round(clock.spent)} | rounded(now), flush=True)


def rounded(numbers: dict[str, float]) -> dict[str, float | None]:
    return {name: None if np.isnan(value) else round(value, 4) for name, value in numbers.items()}


def preview(average: Generator, discriminator: Discriminator, story: list[dict[str, Any]], step: int) -> None:
    """What there is so far, for whoever looks at the page meanwhile."""
    write_weights(G_FOLDER / "digits.safetensors", average, int8=INT8, metadata={"model": "dcgan_generator"})
    write_weights(
        D_FOLDER / "digits.safetensors", discriminator, int8=INT8, metadata={"model": "dcgan_discriminator"}
    )
    write_report(G_FOLDER / "digits.json", {"id": "digits", "unfinished": True, "snapshots": story})
    z = latents(100, 1, average.config.latent)
    sheet(cut(paint(average, z)).numpy(), 20, run_folder("dcgan") / f"sheet-{step:06d}.png")


# ---------------------------------------------------------------- scores


def verdicts(judge: nn.Module, pictures: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """The judge's best class and its belief in it, for (N, 1, 32, 32)."""
    belief = digit_judge.logits_of(judge, cut(pictures)).softmax(1).numpy()
    return belief.argmax(1), belief.max(1)


def measure(generator: Generator, count: int, seed: int) -> dict[str, Any]:
    """How sure the judge is of samples, which classes come, Frechet distance and diversity against held-out digits."""
    judge, parts = digit_judge.load_judge(), digits.split()
    made = paint(generator, latents(count, seed, generator.config.latent))
    labels, belief = verdicts(judge, made)
    real_labels, real_belief = verdicts(judge, padded(parts.held.pictures))
    features = digit_judge.features_of(judge, cut(made))
    real = digit_judge.features_of(judge, torch.from_numpy(digits.to_net(parts.held.pictures)))
    train = digit_judge.features_of(judge, torch.from_numpy(digits.to_net(parts.train.pictures)))
    as_bytes = samples.to_bytes(cut(made).numpy())
    share = np.bincount(labels, minlength=10) / count
    return {
        "metric": f"share of samples that the judge gives {CONFIDENT:g} or more to one class",
        "samples": count,
        "seed": seed,
        "confident": round(float((belief >= CONFIDENT).mean()), 4),
        "confident_of_held_out_digits": round(float((real_belief >= CONFIDENT).mean()), 4),
        "class_shares": [round(float(s), 4) for s in share],
        "classes_covered": int((share >= 0.02).sum()),
        "frechet_features": round(samples.frechet(features, real), 3),
        "frechet_of_training_digits": round(samples.frechet(train, real), 3),
        "diversity_pixels": diversity(as_bytes, labels, parts),
        "copies": samples.copies(as_bytes, parts),
    }


def diversity(as_bytes: np.ndarray, labels: np.ndarray, parts: digits.Split) -> dict[str, Any] | None:
    """As for the diffusion model, with the judge's classes; None where a class has fewer than two samples."""
    if np.bincount(labels, minlength=10).min() < 2:
        return None
    return samples.diversity(as_bytes, labels, parts.held.pictures, parts.held.labels)


@torch.inference_mode()
def discriminator_scores(discriminator: Discriminator, generator: Generator) -> dict[str, Any]:
    """Histograms of the logit of held-out digits and of samples, and how often its sign is right."""
    parts = digits.split()
    real = discriminator(padded(parts.held.pictures))[:, 0].numpy()
    known = discriminator(padded(parts.train.pictures))[:, 0].numpy()
    fake = discriminator(paint(generator, latents(1000, samples.SEED, generator.config.latent)))[:, 0].numpy()
    low, high = np.floor(min(real.min(), fake.min())), np.ceil(max(real.max(), fake.max()))
    edges = np.linspace(low, high, 41)
    return {
        "edges": [round(float(e), 4) for e in edges],
        "real": np.histogram(real, edges)[0].tolist(),
        "generated": np.histogram(fake, edges)[0].tolist(),
        "n_real": len(real),
        "n_generated": len(fake),
        "accuracy": round(float(((real > 0).mean() + (fake <= 0).mean()) / 2), 4),
        "called_real": {
            "held_out_digits": round(float((real > 0).mean()), 4),
            "training_digits": round(float((known > 0).mean()), 4),
            "generated": round(float((fake > 0).mean()), 4),
        },
    }


def common_report(step: int, spent: float) -> dict[str, Any]:
    parts = digits.split()
    return {
        "data": [digits.source()],
        "split": "models/training/digits.py; this model: the generative half",
        "trained_on": len(parts.train),
        "augmentation": f"what the discriminator sees, real or not, is shifted by up to {SHIFT} pixels",
        "script": "models/training/dcgan.py",
        "seed": SEED,
        "steps": step,
        "batch": BATCH,
        "loss": "non-saturating",
        "optimiser": f"Adam, {RATE:g}, beta1 {BETA1:g}",
        "average": EMA,
        "minutes": round(spent / 60, 1),
        "machine": machine(),
        "date": today(),
        "licence": "MIT",
    }


def finish() -> None:
    """Write everything, read it back, score what was read; the other number format beside."""
    torch.set_num_threads(1)
    folder, judge = run_folder("dcgan"), digit_judge.load_judge()
    last = torch.load(folder / f"s{len(MOMENTS) - 1:02d}.pt", weights_only=True)
    story: list[dict[str, Any]] = last["story"]
    for entry in story:
        net = Generator(GeneratorConfig())
        net.load_state_dict(torch.load(folder / f"{entry['id']}.pt", weights_only=True)["average"])
        path = G_FOLDER / f"{entry['id']}.safetensors"
        write_weights(path, net, int8=INT8, metadata={"model": "dcgan_generator"})
        made = paint(
            read_back(path, Generator(GeneratorConfig())), latents(512, samples.SEED, net.config.latent)
        )
        entry["judge"] = round(float((verdicts(judge, made)[1] >= CONFIDENT).mean()), 4)
    generator, path = Generator(GeneratorConfig()), G_FOLDER / "digits.safetensors"
    generator.load_state_dict(last["average"])
    discriminator = Discriminator(DiscriminatorConfig())
    discriminator.load_state_dict(last["discriminator"])
    settle(discriminator, generator)
    other, d_path = folder / "other.safetensors", D_FOLDER / "digits.safetensors"
    write_weights(path, generator, int8=INT8, metadata={"model": "dcgan_generator"})
    write_weights(other, generator, int8=not INT8, metadata={"model": "dcgan_generator"})
    write_weights(d_path, discriminator, int8=INT8, metadata={"model": "dcgan_discriminator"})
    shipped = read_back(path, Generator(GeneratorConfig()))
    assert isinstance(shipped, Generator)
    score = measure(shipped, 1000, samples.SEED)
    unshipped = read_back(other, Generator(GeneratorConfig()))
    assert isinstance(unshipped, Generator)
    kind = "float16" if INT8 else "int8"
    beside = measure(unshipped, 1000, samples.SEED)
    score[f"as_{kind}"] = {
        name: beside[name] for name in ("confident", "classes_covered", "frechet_features")
    }
    common = common_report(last["step"], last["spent"])
    report = {
        "id": "digits",
        "model": "dcgan_generator",
        "config": asdict(generator.config),
        "parameters": sum(p.numel() for p in generator.parameters()),
        **common,
        "score": score,
        "snapshots": story,
        "bytes": {"shipped": path.stat().st_size, kind: other.stat().st_size},
    }
    write_report(path.with_suffix(".json"), report)
    for entry in story:
        write_snapshot_report(G_FOLDER / f"{entry['id']}.json", report, entry)
    checked = read_back(d_path, Discriminator(DiscriminatorConfig()))
    assert isinstance(checked, Discriminator)
    scores = discriminator_scores(checked, shipped)
    write_report(
        d_path.with_suffix(".json"),
        {
            "id": "digits",
            "model": "dcgan_discriminator",
            "config": asdict(discriminator.config),
            "parameters": sum(p.numel() for p in discriminator.parameters()),
            **common,
            "scores": scores,
            "score": {
                "metric": "share of held-out digits and of samples that it tells right",
                "accuracy": scores["accuracy"],
                "called_real": scores["called_real"],
            },
        },
    )
    print(json.dumps({"generator": score, "discriminator": scores, "snapshots": story}, indent=2), flush=True)


def settle(discriminator: Discriminator, generator: Generator, steps: int = 400, rate: float = 1e-4) -> None:
    """Let it learn a little more with real and painted pictures in one batch, the generator standing still.

    While training, each batch is all real or all painted, and batch norm lets it tell the whole batch at once. Whoever
    looks at one picture has only the running statistics: measured then, it called 98 % of samples real.
    """
    rng = torch.Generator().manual_seed(SEED + 2)
    pictures = padded(digits.split().train.pictures)
    made = paint(generator, torch.randn(8 * BATCH * 8, generator.config.latent, generator=rng))
    half = BATCH // 2
    optimiser = torch.optim.Adam(discriminator.parameters(), rate, (BETA1, 0.999))

    def mixed() -> Tensor:
        real = pictures[torch.randint(len(pictures), (half,), generator=rng)]
        fake = made[torch.randint(len(made), (half,), generator=rng)]
        return shifted(torch.cat([real, fake]), rng, limit=1)

    discriminator.train()
    for step in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * (1 - step / steps)
        real, fake = discriminator(mixed()).chunk(2)
        loss = losses_of_d(real, fake)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        refresh_batch_norm(discriminator, [mixed() for _ in range(64)])


def write_snapshot_report(path: Path, report: dict[str, Any], entry: dict[str, Any]) -> None:
    """A snapshot's own short report: the sizes, and when it was taken."""
    kept = {
        name: report[name] for name in ("model", "config", "parameters", "script", "seed", "date", "licence")
    }
    write_report(path, {"id": entry["id"], **kept, "snapshot": entry})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=18.0)
    parser.add_argument("--score-only", action="store_true")
    args = parser.parse_args()
    if not args.score_only:
        train(args.minutes)
    finish()


if __name__ == "__main__":
    main()

"""Train latent diffusion, U-Net and text encoder together, on drawn emoji and their words, on a CPU.

    python -m models.training.latent_diffusion --minutes 90     # train (or go on), then score and write
    python -m models.training.latent_diffusion --score-only

Needs the trained image VAE (models/training/autoencoder_kl.py). Its latents are computed once: every training drawing
in VARIANTS forms (mirrored, shifted, tinted, on plain grounds), with what can be said of each; the words themselves are
chosen anew each time. The loss is the plain squared error of v: weighted by min(SNR, 5) the noisiest steps would hardly
count, and it is there that the words say most. Word vectors, each of which is met now and then only, take larger steps.
One caption in ten is dropped, for guidance. What ships is a moving average of the weights. A run continues from its
state.
"""

from __future__ import annotations

import argparse
import copy
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from torch import Tensor, nn

from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.generative import latent_diffusion, schedule
from models.generative.autoencoder_kl import AutoencoderConfig, ImageDecoder, ImageEncoder
from models.generative.ddpm import ResnetBlock
from models.generative.latent_diffusion import LatentUNet, LatentUNetConfig, SpatialTransformer
from models.generative.text_encoder import TextEncoder, TextEncoderConfig
from models.generative.words import Vocabulary
from models.training import autoencoder_kl, captions, emoji, emoji_words
from models.training.common import (
    WEIGHTS,
    Clock,
    asked_to_stop,
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
from models.training.ddpm import spread_steps, target_and_weight
from models.training.photos import cache_dir

RUN = "latent_diffusion"
FOLDERS = {"unet": WEIGHTS / "latent_diffusion", "text": WEIGHTS / "text_encoder"}
FILE = "emoji.safetensors"
SEED, SCORE_SEED = 20261130, 7  # settings were looked at with other seeds
STEPS, PREDICTION, SCHEDULE = 1000, "v", "scaled_linear"
BATCH, PEAK_LR, WARM_UP, EMA, DROPPED = 32, 1.5e-3, 200, 0.9993, 0.1
VARIANTS, SHIFT = 16, 2
OF_WORDS = 4.0  # learning rate of the word vectors against that of all else
TINTED = 0.5  # how often a tinted form is drawn, against one in its own colours
UNET = LatentUNetConfig()
GUIDANCES = (1.0, 2.0, 3.0, 5.0, 7.5)
CHOICES = 20  # words the judge chooses among

# ---------------------------------------------------------------- data


@dataclass(frozen=True)
class Bank:
    """latents float16 (N, z, h, w), scaled; thing, tint, ground, line (N,): see captions.Facts; chance (N,)."""

    latents: np.ndarray
    thing: np.ndarray
    tint: np.ndarray
    ground: np.ndarray
    line: np.ndarray
    chance: np.ndarray


def vae() -> tuple[ImageEncoder, ImageDecoder]:
    """The image VAE as written (read back from its files)."""
    there, back = autoencoder_kl.FOLDERS.values()
    sizes = json.loads((there / autoencoder_kl.FILE).with_suffix(".json").read_text("utf-8"))["config"]
    sizes["block_out_channels"] = tuple(sizes["block_out_channels"])
    config = AutoencoderConfig(**sizes)
    encoder, decoder = ImageEncoder(config), ImageDecoder(config)
    read_back(there / autoencoder_kl.FILE, encoder)
    read_back(back / autoencoder_kl.FILE, decoder)
    return encoder.eval(), decoder.eval()


def variants_of(
    rgba: np.ndarray, thing: captions.Thing, line: bool, unseen: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Forms of one drawing: float32 (VARIANTS, 3, 64, 64), and tint and ground of each.

    The first 6 are plain on white; then 4 on other grounds, 3 tinted on white, 3 tinted on other grounds. Black lines,
    and things whose name says a colour, are not tinted.
    """
    pictures, said = [], []
    allowed = [i for i, never in zip(captions.TINTS, unseen, strict=True) if not never]
    if thing.coloured or line:
        allowed = []
    for form in range(VARIANTS):
        tint = int(random.choice(allowed)) if form >= 10 and allowed else -1
        ground = captions.WHITE if form < 6 or 10 <= form < 13 else int(random.integers(captions.WHITE))
        if ground == tint:
            ground = captions.WHITE
        picture = np.roll(rgba, random.integers(-SHIFT, SHIFT + 1, 2), (0, 1))
        picture = picture[:, ::-1] if random.random() < 0.5 else picture
        if tint >= 0:
            picture = captions.tinted(picture, captions.COLOURS[tint].rgb)
        pictures.append(picture)
        said.append((tint, ground))
    grounds = np.array([captions.COLOURS[ground].rgb for _, ground in said], np.float32)
    return emoji_words.on_ground(np.stack(pictures), grounds), said


@torch.inference_mode()
def make_bank() -> Bank:
    """Latents of every training drawing of every thing, from the cache or computed anew."""
    file = cache_dir() / "latents.npz"
    if not file.exists():
        encoder, _ = vae()
        whole, things = emoji_words.drawn(), captions.things()
        fluent = emoji_words.STYLES.index(emoji.HELD_OUT_STYLE)
        line_style = emoji_words.STYLES.index("openmoji-line")
        unseen = captions.unseen_pairs(len(things))
        random = np.random.Generator(np.random.PCG64(SEED))
        latents, rows = [], []
        for number, thing in enumerate(things):
            drawings = np.flatnonzero(
                (whole.which == whole.codes.index(thing.code)) & (whole.style != fluent)
            )
            share = np.where(whole.style[drawings] == line_style, 0.5, 1.0)
            share /= share.sum()
            for i, weight in zip(drawings, share, strict=True):
                line = bool(whole.style[i] == line_style)
                pictures, said = variants_of(whole.pictures[i], thing, line, unseen[number], random)
                mean = encoder(torch.from_numpy(pictures)).chunk(2, dim=1)[0]
                latents.append((mean * encoder.config.scaling_factor).numpy().astype(np.float16))
                rows += [(number, tint, ground, line, weight / VARIANTS) for tint, ground in said]
        columns = [np.array(column) for column in zip(*rows, strict=True)]
        names = ("thing", "tint", "ground", "line", "chance")
        np.savez(
            file,
            allow_pickle=False,
            latents=np.concatenate(latents),
            **dict(zip(names, columns, strict=True)),
        )
    with np.load(file) as stored:
        return Bank(**{name: stored[name] for name in stored.files})


class Batches:
    """Latents and the numbers of freshly chosen words."""

    def __init__(self, bank: Bank, vocabulary: Vocabulary, length: int):
        self.bank, self.vocabulary, self.length = bank, vocabulary, length
        chance = bank.chance * np.where(bank.tint >= 0, TINTED, 1.0)
        self.sums = np.cumsum(chance / chance.sum())
        self.things = captions.things()
        self.empty = vocabulary.encode("", length).numbers

    def draw(self, random: np.random.Generator, count: int) -> tuple[Tensor, Tensor]:
        """(count, z, h, w) float32, (count, length) int64."""
        chosen = np.minimum(np.searchsorted(self.sums, random.random(count)), len(self.sums) - 1)
        numbers = np.stack([self.say(i, random) for i in chosen])
        return torch.from_numpy(self.bank.latents[chosen].astype(np.float32)), torch.from_numpy(numbers)

    def say(self, i: int, random: np.random.Generator) -> np.ndarray:
        if random.random() < DROPPED:
            return self.empty
        bank = self.bank
        facts = captions.Facts(
            self.things[bank.thing[i]], int(bank.tint[i]), int(bank.ground[i]), bool(bank.line[i])
        )
        return self.vocabulary.encode(captions.caption(facts, random), self.length).numbers


# ---------------------------------------------------------------- training


class Both(nn.Module):
    """U-Net and text encoder, for one optimiser and one average."""

    def __init__(self, unet: LatentUNetConfig, text: TextEncoderConfig):
        super().__init__()
        self.unet, self.text = LatentUNet(unet), TextEncoder(text)

    def forward(self, x: Tensor, t: Tensor, numbers: Tensor) -> Tensor:
        return self.unet(x, t, self.text(numbers), (numbers != 0).long())


class QuickAttention(latent_diffusion.Attention):
    """The same function with the softmax fused: nothing is tapped while training."""

    def forward(
        self, x: Tensor, context: Tensor, bias: Tensor | None = None, strength: Tensor | None = None
    ) -> Tensor:
        b, n, c = x.shape
        q, k, v = self.split(self.to_q(x)), self.split(self.to_k(context)), self.split(self.to_v(context))
        with torch.autocast("cpu", enabled=False):  # a CPU's way back through it is slow in 16 bits
            heads = F.scaled_dot_product_attention(q.float(), k.float(), v.float(), attn_mask=bias)
        return self.to_out[0](heads.transpose(1, 2).reshape(b, n, c))


def quicken(model: Both) -> Both:
    """Let the attention blocks of a U-Net take the fused path."""
    for module in model.modules():
        if isinstance(module, latent_diffusion.Attention):
            module.__class__ = QuickAttention
    return model


@torch.no_grad()
def start_calm(model: Both) -> None:
    """Every residual branch and the output begin at zero; word vectors begin small."""
    for module in model.modules():
        if isinstance(module, ResnetBlock):
            module.conv2.weight.zero_()
        elif isinstance(module, SpatialTransformer):
            module.proj_out.weight.zero_()
    model.unet.conv_out.weight.zero_()
    nn.init.normal_(model.text.token_embedding.weight, std=0.3)
    nn.init.normal_(model.text.position_embedding.weight, std=0.05)


def vocabulary() -> Vocabulary:
    """The word list."""
    return Vocabulary.of(captions.vocabulary_pieces())


def fresh() -> Both:
    text = TextEncoderConfig(
        vocab_size=len(vocabulary()), max_tokens=UNET.max_tokens, channels=UNET.cross_attention_dim
    )
    return Both(UNET, text)


def levels() -> Tensor:
    return torch.from_numpy(schedule.named(SCHEDULE, STEPS).alpha_bar.copy()).float()


def train(minutes: float, write_every: float) -> None:
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    torch.manual_seed(SEED)
    alpha_bar = levels()
    batches = Batches(make_bank(), vocabulary(), UNET.max_tokens)
    model = fresh()
    start_calm(model)
    quicken(model).to(memory_format=torch.channels_last)
    average = copy.deepcopy(model).eval()
    words = model.text.token_embedding.weight
    others = [p for p in model.parameters() if p is not words]
    groups: list[dict[str, Any]] = [{"params": others}, {"params": [words]}]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.99), weight_decay=0.0)
    step, spent, running = 0, 0.0, 0.0
    state_file = run_folder(RUN) / "state.pt"
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        model.load_state_dict(state["model"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        step, spent, running = state["step"], state["spent"], state["loss"]
    rng = torch.Generator().manual_seed(SEED + step)
    random = np.random.Generator(np.random.PCG64([SEED, step]))
    clock, saved, stop = Clock(minutes, spent), time.monotonic(), asked_to_stop()
    while clock.progress < 1:
        rate = learning_rate(step, clock.progress, PEAK_LR, WARM_UP, floor=0.02)
        for group, times in zip(optimiser.param_groups, (1.0, OF_WORDS), strict=True):
            group["lr"] = rate * times
        latents, numbers = batches.draw(random, BATCH)
        t = spread_steps(BATCH, rng)
        noise = torch.randn(latents.shape, generator=rng)
        level = alpha_bar[t].view(-1, 1, 1, 1)
        x_t = level.sqrt() * latents + (1 - level).sqrt() * noise
        target, _ = target_and_weight(PREDICTION, latents, noise, alpha_bar[t])
        with torch.autocast("cpu", dtype=torch.bfloat16):  # products in 16 bits, sums and weights in 32
            predicted = model(x_t, t, numbers)
        loss = (predicted.float() - target).square().mean()
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        average_into(average, model, ramp(step, EMA))
        step += 1
        running = loss.item() if running == 0 else 0.99 * running + 0.01 * loss.item()
        clock.advance()
        if step % 100 == 0:
            print({"step": step, "seconds": round(clock.spent), "loss": round(running, 5)}, flush=True)
        due = time.monotonic() - saved > write_every * 60
        if due or stop.is_set() or clock.progress >= 1:
            state = {"model": model.state_dict(), "average": average.state_dict()}
            state |= {
                "optimiser": optimiser.state_dict(),
                "step": step,
                "spent": clock.spent,
                "loss": running,
            }
            save_state(state_file, state)
            if stop.is_set():
                raise SystemExit(f"stopped at step {step}; the same command goes on")
            preview(average, step)
            saved = time.monotonic()
            clock.tick = saved  # looking does not count


# ---------------------------------------------------------------- sampling


@torch.inference_mode()
def sample(
    model: Both,
    texts: Sequence[str],
    *,
    steps: int,
    guidance: float,
    seed: int,
    batch: int = 64,
) -> np.ndarray:
    """One latent for each text by DDIM (eta 0, trailing steps, no clipping): float32 (N, z, h, w), scaled."""
    config = model.unet.config
    words = vocabulary()
    shape = (config.in_channels, config.sample_size, config.sample_size)
    plan = schedule.named(SCHEDULE, STEPS)
    visited = schedule.timesteps(plan, steps)
    out = np.empty((len(texts), *shape), np.float32)
    empty = words.encode("", config.max_tokens).numbers
    for first in range(0, len(texts), batch):
        some = texts[first : first + batch]
        asked = [words.encode(text, config.max_tokens).numbers for text in some]
        numbers = torch.from_numpy(np.stack([*asked, *[empty] * len(some)]))
        context, kept = model.text(numbers), (numbers != 0).long()
        x = np.stack([schedule.noise(seed, first + i, shape) for i in range(len(some))])
        for i, t in enumerate(visited):
            before = int(visited[i + 1]) if i + 1 < len(visited) else -1
            twice = torch.from_numpy(np.concatenate([x, x]))
            told, untold = model.unet(twice, torch.full((len(twice),), int(t)), context, kept).chunk(2)
            predicted = (untold + guidance * (told - untold)).numpy()
            step = schedule.ddim_step(plan, PREDICTION, predicted, x, int(t), before, clip=False)
            x = step.previous.astype(np.float32)
        out[first : first + batch] = x
    return out


@torch.inference_mode()
def decoded(decoder: ImageDecoder, latents: np.ndarray) -> np.ndarray:
    """Scaled latents -> pictures float32 (N, 3, H, W) in [-1, 1]."""
    z = torch.from_numpy(latents) / decoder.config.scaling_factor
    return torch.cat([decoder(part).clamp(-1, 1) for part in z.split(32)]).numpy()


@torch.inference_mode()
def judged(pictures: np.ndarray) -> np.ndarray:
    """Logits (N, 120) of the emoji classifier for pictures in [-1, 1]."""
    net = read_back(WEIGHTS / "resnet18" / "emoji.safetensors", ResNet18(ResNet18Config(num_classes=120)))
    found = []
    for part in torch.from_numpy(pictures).split(32):
        large = F.interpolate((part + 1) / 2, (96, 96), mode="bicubic", antialias=True).clamp(0, 1)
        found.append(net((large - 0.5) / 0.25))
    return torch.cat(found).numpy()


def agreement(logits: np.ndarray, asked: np.ndarray, seed: int) -> np.ndarray:
    """(N,) bool: the asked class beats CHOICES - 1 others drawn for each picture."""
    random = np.random.Generator(np.random.PCG64(seed))
    right = np.empty(len(asked), bool)
    for i, k in enumerate(asked):
        others = random.permutation(np.delete(np.arange(logits.shape[1]), k))[: CHOICES - 1]
        right[i] = logits[i, k] > logits[i, others].max()
    return right


SHOWN = (
    "cat",
    "dog",
    "heart",
    "blue heart",
    "smile",
    "pizza",
    "bus",
    "airplane",
    "apple",
    "banana",
    "tree",
    "sun",
    "blue cat",
    "pink elephant",
    "green fish on black",
    "cat on yellow",
    "猫",
    "红色的鱼",
    "房子线稿",
    "rose",
    "car",
    "penguin",
    "rocket on blue",
    "book",
)


def preview(model: Both, step: int, guidance: float = 3.0) -> None:
    """A sheet of samples, and how often the judge agrees with 96 of them."""
    _, decoder = vae()
    pictures = decoded(decoder, sample(model, [*SHOWN, *SHOWN], steps=25, guidance=guidance, seed=1))
    sheet(pictures, 12, run_folder(RUN) / f"sheet-{step:06d}.png")
    asked = np.arange(0, 120, 120 / 96).astype(int)
    names = [captions.usual_name(row["code"]) for row in emoji.load_classes()]
    made = decoded(decoder, sample(model, [names[k] for k in asked], steps=20, guidance=guidance, seed=2))
    logits = judged(made)
    print(
        {
            "step": step,
            "agrees_of_20": round(float(agreement(logits, asked, 1).mean()), 3),
            "agrees_of_120": round(float((logits.argmax(1) == asked).mean()), 3),
        },
        flush=True,
    )


def sheet(pictures: np.ndarray, columns: int, path: Path, zoom: int = 1) -> None:
    """pictures (N, 3, H, W) in [-1, 1] as a grid."""
    count, _, height, width = pictures.shape
    rows = -(-count // columns)
    grid = np.ones((rows * columns, 3, height, width), np.float32)
    grid[:count] = pictures
    grid = grid.reshape(rows, columns, 3, height, width).transpose(0, 3, 1, 4, 2)
    image = ((grid.reshape(rows * height, columns * width, 3) + 1) * 127.5).round().astype(np.uint8)
    Image.fromarray(image).resize(
        (image.shape[1] * zoom, image.shape[0] * zoom), Image.Resampling.NEAREST
    ).save(path)


# ---------------------------------------------------------------- scores


def score(model: Both, guidance: float, count: int, steps: int = 50) -> dict[str, Any]:
    """Does the emoji classifier recognise the asked word, in English and in Chinese? Does a colour come with it?"""
    _, decoder = vae()
    by_code = {thing.code: i for i, thing in enumerate(captions.things())}
    numbers = [by_code[row["code"]] for row in emoji.load_classes()]
    things = [captions.things()[i] for i in numbers]
    asked = np.arange(count) % len(things)
    half = count // 2
    texts = [things[k].en[0] if i < half else things[k].zh[0] for i, k in enumerate(asked)]
    logits = judged(decoded(decoder, sample(model, texts, steps=steps, guidance=guidance, seed=SCORE_SEED)))
    right = agreement(logits, asked, SCORE_SEED)
    return {
        "metric": f"share of samples whose asked word the emoji classifier prefers to {CHOICES - 1} others at random",
        "samples": count,
        "sampler": f"DDIM, {steps} steps, eta 0",
        "guidance": guidance,
        "seed": SCORE_SEED,
        "agrees_of_20": round(float(right.mean()), 4),
        "agrees_of_20_english": round(float(right[:half].mean()), 4),
        "agrees_of_20_chinese": round(float(right[half:].mean()), 4),
        "agrees_of_120": round(float((logits.argmax(1) == asked).mean()), 4),
        "chance_of_20": 1 / CHOICES,
        "ceiling": ceiling(),
        "colours": {
            "metric": "asked: a colour and a class, as in 'blue cat'; thing: as above; colour: the nearest hue of "
            f"{len(captions.TINTS)}",
            "pairs_seen_in_training": colours(model, guidance, steps, seen=True),
            "pairs_never_seen_in_training": colours(model, guidance, steps, seen=False),
        },
    }


def colours(model: Both, guidance: float, steps: int, *, seen: bool, count: int = 100) -> dict[str, float]:
    """Does the model put a colour and a thing together, also where training never showed the two together?"""
    _, decoder = vae()
    things = captions.things()
    classes = [row["code"] for row in emoji.load_classes()]
    apart = captions.unseen_pairs(len(things))
    pairs = [
        (classes.index(thing.code), tint)
        for i, thing in enumerate(things)
        for j, tint in enumerate(captions.TINTS)
        if thing.code in classes and not thing.coloured and apart[i, j] != seen
    ]
    random = np.random.Generator(np.random.PCG64(SCORE_SEED))
    chosen = [pairs[k] for k in random.permutation(len(pairs))[:count]]
    asked, tints = (np.array(column) for column in zip(*chosen, strict=True))
    texts = [f"{captions.COLOURS[j].en} {captions.usual_name(classes[k])}" for k, j in chosen]
    made = decoded(decoder, sample(model, texts, steps=steps, guidance=guidance, seed=SCORE_SEED))
    thing_right = agreement(judged(made), asked, SCORE_SEED)
    colour_right = nearest_tint(made) == tints
    return {
        "samples": len(chosen),
        "thing_of_20": round(float(thing_right.mean()), 4),
        "colour": round(float(colour_right.mean()), 4),
        "both": round(float((thing_right & colour_right).mean()), 4),
    }


def hues(rgb: np.ndarray) -> np.ndarray:
    """(..., 3) in 0 .. 1 -> complex (...): angle is the hue, length the chroma, 0 for grey."""
    turn = np.exp(2j * np.pi * np.arange(3) / 3)
    chroma = rgb.max(-1) - rgb.min(-1)
    angle = rgb @ turn
    size = np.abs(angle)
    return np.where(size > 1e-6, angle / np.maximum(size, 1e-6), 0) * chroma


def nearest_tint(pictures: np.ndarray) -> np.ndarray:
    """The tint whose hue is nearest to a picture's mean hue: (N, 3, H, W) in [-1, 1] -> (N,) indices in COLOURS."""
    found = hues((pictures.transpose(0, 2, 3, 1) + 1) / 2)
    mean = np.where(np.abs(found) > 0.15, found, 0).sum((1, 2))  # what is nearly grey says nothing
    tones = hues(np.array([captions.COLOURS[i].rgb for i in captions.TINTS]) / 255)
    near = (mean[:, None] * np.conj(tones / np.abs(tones))).real
    return np.array(captions.TINTS)[near.argmax(1)]


def ceiling() -> dict[str, float]:
    """The same measure on drawings: of the unseen style, as they are and through the VAE."""
    encoder, decoder = vae()
    whole = emoji_words.drawn()
    classes = [row["code"] for row in emoji.load_classes()]
    fluent = emoji_words.STYLES.index(emoji.HELD_OUT_STYLE)
    rows = [
        (i, classes.index(whole.codes[w]))
        for i, (w, s) in enumerate(zip(whole.which, whole.style, strict=True))
        if s == fluent and whole.codes[w] in classes
    ]
    index, asked = map(np.array, zip(*rows, strict=True))
    drawn = emoji_words.on_ground(whole.pictures[index], np.full((len(index), 3), 255.0, np.float32))
    with torch.inference_mode():
        mean = encoder(torch.from_numpy(drawn)).chunk(2, dim=1)[0].numpy()
    through = decoded(decoder, mean * encoder.config.scaling_factor)
    return {
        "unseen_style": round(float(agreement(judged(drawn), asked, SCORE_SEED).mean()), 4),
        "unseen_style_through_the_vae": round(float(agreement(judged(through), asked, SCORE_SEED).mean()), 4),
    }


def by_guidance(model: Both, steps: int = 25) -> dict[str, float]:
    """Share of 120 samples, one a class, in which the judge prefers the asked word to 19 others, by guidance.

    Another seed and fewer steps than the score's: the guidance is chosen by this.
    """
    _, decoder = vae()
    names = [captions.usual_name(row["code"]) for row in emoji.load_classes()]
    asked = np.arange(len(names))
    found = {}
    for guidance in GUIDANCES:
        latents = sample(model, names, steps=steps, guidance=guidance, seed=SCORE_SEED + 1)
        right = agreement(judged(decoded(decoder, latents)), asked, SCORE_SEED + 1)
        found[f"{guidance:g}"] = round(float(right.mean()), 4)
    return found


def finish(guidance: float | None, count: int) -> None:
    """Write the averaged weights, read them back, choose the guidance where none is given, score what was read."""
    torch.set_num_threads(1)
    state = torch.load(run_folder(RUN) / "state.pt", weights_only=True)
    model = fresh()
    model.load_state_dict(state["average"])
    model.eval()
    shipped = fresh()
    for name, folder in FOLDERS.items():
        write_weights(folder / FILE, getattr(model, name), int8=True, metadata={"model": folder.name})
        read_back(folder / FILE, getattr(shipped, name))
    pieces = captions.vocabulary_pieces()
    (FOLDERS["text"] / "vocabulary.txt").write_text("\n".join(pieces) + "\n", encoding="utf-8")
    quicken(shipped).eval()
    tried = by_guidance(shipped) if guidance is None else {}
    chosen = float(max(tried, key=lambda g: tried[g])) if guidance is None else guidance
    report = describe(state) | {"guidance": chosen, "agrees_of_20_by_guidance": tried}
    report["score"] = score(shipped, chosen, count)
    write_report((FOLDERS["unet"] / FILE).with_suffix(".json"), report)
    write_report((FOLDERS["text"] / FILE).with_suffix(".json"), of_the_text(report, shipped.text))
    print(json.dumps(report["score"], indent=2), flush=True)


def of_the_text(report: dict[str, Any], text: TextEncoder) -> dict[str, Any]:
    """The text encoder's part of the report."""
    shared = (
        "id",
        "things",
        "data",
        "licence",
        "script",
        "seed",
        "steps",
        "batch",
        "average",
        "minutes",
        "machine",
        "date",
    )
    return {name: report[name] for name in shared} | {
        "model": "text_encoder",
        "trained_with": RUN,
        "config": asdict(text.config),
        "parameters": sum(p.numel() for p in text.parameters()),
        "names": {
            "en": [thing.en[0] for thing in captions.things()],
            "zh": [thing.zh[0] for thing in captions.things()],
        },
        "colours": {"en": [c.en for c in captions.COLOURS], "zh": [c.zh for c in captions.COLOURS]},
    }


def describe(state: dict[str, Any]) -> dict[str, Any]:
    used = [
        emoji.PACKAGES[key] for key in (*(s for s in emoji.TRAINING_STYLES if s in emoji.PACKAGES), "words")
    ]
    model = fresh()
    return {
        "id": "emoji",
        "model": RUN,
        "config": asdict(UNET),
        "parameters": sum(p.numel() for p in model.unet.parameters()),
        "preprocess": {"schedule": SCHEDULE, "prediction": PREDICTION, "steps": STEPS},
        "things": len(captions.things()),
        "data": [
            {"package": p.name, "version": p.version, "licence": p.licence, "author": p.author} for p in used
        ],
        "split": "Fluent's style is held out; a tenth of the pairs of thing and colour is never drawn (captions.py)",
        "augmentation": f"{VARIANTS} forms of every drawing: mirrored, shifted, tinted, on plain grounds",
        "licence": "CC-BY-SA-4.0",
        "script": "models/training/latent_diffusion.py",
        "seed": SEED,
        "steps": state["step"],
        "batch": BATCH,
        "loss": "squared error of v",
        "caption_dropped": DROPPED,
        "average": EMA,
        "minutes": round(state["spent"] / 60, 1),
        "machine": machine(),
        "date": today(),
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=90.0)
    parser.add_argument("--write-every", type=float, default=8.0, help="minutes between saved states")
    parser.add_argument("--score-only", action="store_true")
    parser.add_argument("--train-only", action="store_true")
    parser.add_argument("--guidance", type=float, help="by default the best of a few is taken")
    parser.add_argument("--count", type=int, default=400)
    args = parser.parse_args(arguments)
    if not args.score_only:
        train(args.minutes, args.write_every)
    if not args.train_only:
        finish(args.guidance, args.count)


if __name__ == "__main__":
    main()

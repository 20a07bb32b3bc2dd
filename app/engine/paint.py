"""Draw from words with latent diffusion: text -> context -> latents, cleaned step by step -> pictures.

    studio = load_studio("emoji")
    for progress in paint(studio, Request(texts=("red car", "猫"), seed=1)):
        print(progress.done, progress.total, progress.eta)
    pixels = decode(studio, progress.result.samples)  # (2, 3, H, W) in [-1, 1]

The loop, its noise, its fairness and its branches are those of app/engine/diffuse.py; here is what is new: what the net
is told, where a picture to start from comes in, and how latents become pixels. Latents are scaled: of about unit size.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.engine import Cancel, Model, load, run
from app.engine.diffuse import (
    MAX_SAMPLES,
    MAX_STRENGTH,
    BadRequest,
    Condition,
    Path,
    Progress,
    Start,
    check_plan,
    noises,
    sample_shape,
    schedule_of,
    walk,
    within,
)
from models.generative.schedule import add_noise, timesteps
from models.generative.words import PAD, Encoded, Vocabulary

TEXT_LETTERS = 400  # of one text
AT_ONCE = 16  # pictures that go through a net together

# ---------------------------------------------------------------- the four nets


@dataclass(frozen=True, eq=False)
class Studio:
    """What latent diffusion consists of: U-Net, text encoder with its words, both halves of the image VAE."""

    unet: Model
    text: Model
    encoder: Model
    decoder: Model
    words: Vocabulary

    @property
    def scale(self) -> float:
        """What latents are multiplied with, so that they are about as large as the noise (E23: 0.18215 in SD)."""
        return float(self.decoder.config["scaling_factor"])

    @property
    def tokens(self) -> int:
        """How many tokens a text may have, its start among them."""
        return int(self.unet.config["max_tokens"])

    @property
    def side(self) -> int:
        """Rows and columns of a picture."""
        return int(self.decoder.config["sample_size"])


def load_studio(weights: str, engine: str | None = None) -> Studio:
    """The four nets of one training, and the words it knows. Raises EngineError as `load`."""
    unet, text, encoder, decoder = (
        load(slug, weights, engine)
        for slug in ("latent_diffusion", "text_encoder", "autoencoder_kl_encoder", "autoencoder_kl_decoder")
    )
    words = Vocabulary.read(text.card.folder / "vocabulary.txt")
    return Studio(unet, text, encoder, decoder, words)


# ---------------------------------------------------------------- what is asked for


@dataclass(frozen=True, eq=False)
class Request:
    """What to draw.

    texts: what each sample shall show, 1 to 16; "" asks for nothing. seed, steps, eta, guidance, index: as in
    diffuse.Request. picture: scaled latents (C, h, w) of a picture to begin with, which is noised to the step that
    `strength` names: int(strength * steps) steps remain (E24). token_strength: what multiplies the attention to each
    token of the text. start: go on from a step of another path.
    """

    texts: tuple[str, ...]
    seed: int = 0
    steps: int = 50
    eta: float = 0.0
    guidance: float = 4.0
    picture: np.ndarray | None = None
    strength: float = 0.75
    token_strength: tuple[float, ...] | None = None
    start: Start | None = None
    index: tuple[int, ...] = ()
    sampler: str = "ddim"
    clip: bool = False  # latents have no bounds
    spacing: str = "trailing"
    variance: str = "fixed_small"


def check(studio: Studio, request: Request) -> None:
    """Raises BadRequest for what cannot be drawn, before anything is done."""
    samples, shape = len(request.texts), sample_shape(studio.unet)
    within("diffuse.samples", samples, 1, MAX_SAMPLES, whole=True)
    for text in request.texts:
        within("diffuse.text", len(text), 0, TEXT_LETTERS, whole=True)
    check_plan(studio.unet, request, request.index, samples)
    within("diffuse.strength", request.strength, 0, 1)
    for array, wanted in (
        (request.picture, shape),
        (request.start.x if request.start else None, (samples, *shape)),
    ):
        if array is not None and (array.shape != wanted or not np.all(np.isfinite(array))):
            raise BadRequest("diffuse.start_picture", given=str(array.shape), wanted=str(wanted))
    if request.start is not None:
        within("diffuse.start", request.start.step, 0, request.steps - 1, whole=True)
    if request.token_strength is not None:
        if len(request.token_strength) != studio.tokens:
            raise BadRequest("diffuse.tokens", count=len(request.token_strength), tokens=studio.tokens)
        for strength in request.token_strength:
            within("diffuse.token", strength, -MAX_STRENGTH, MAX_STRENGTH)


# ---------------------------------------------------------------- words


def read(studio: Studio, texts: Sequence[str]) -> tuple[Encoded, ...]:
    """The tokens of each text, and what of it was not known or had no room."""
    return tuple(studio.words.encode(text, studio.tokens) for text in texts)


def condition_of(studio: Studio, request: Request, cancel: Cancel | None = None) -> Condition:
    """What the U-Net is told: the context of each text, and that of the empty text. Raises as `run`."""
    texts = tuple(dict.fromkeys((*request.texts, "")))  # each once
    tokens = np.stack([each.numbers for each in read(studio, texts)])
    context = run(studio.text, {"tokens": tokens}, (), cancel).output
    kept = (tokens != PAD).astype(np.int64)
    rows = [texts.index(text) for text in request.texts]
    nothing = [texts.index("")] * len(rows)
    always = {}
    if request.token_strength is not None:
        always["token_strength"] = np.array(request.token_strength, np.float32)
    return Condition(
        {"context": context[rows], "kept": kept[rows]},
        {"context": context[nothing], "kept": kept[nothing]},
        always,
    )


# ---------------------------------------------------------------- the loop


def steps_left(strength: float, steps: int) -> int:
    """How many of the steps img2img makes: int(strength * steps), as the paper's code has it (E24)."""
    return min(int(strength * steps), steps)


def begin(studio: Studio, request: Request) -> tuple[int, np.ndarray]:
    """The first step and x before it, (B, C, h, w) float32: pure noise, or a picture noised to that step."""
    index = request.index or tuple(range(len(request.texts)))
    if request.start is not None:
        return request.start.step, np.ascontiguousarray(request.start.x, np.float32)
    noise = noises(request.seed, index, sample_shape(studio.unet))
    if request.picture is None:
        return 0, noise
    first = request.steps - steps_left(request.strength, request.steps)
    if first == request.steps:
        return first, np.broadcast_to(request.picture, noise.shape).astype(np.float32)
    schedule = schedule_of(studio.unet)
    t = int(timesteps(schedule, request.steps, request.spacing)[first])
    return first, add_noise(request.picture.astype(np.float64), noise, schedule.alpha_bar[t]).astype(
        np.float32
    )


def paint(studio: Studio, request: Request, cancel: Cancel | None = None) -> Iterator[Progress]:
    """Draw latents, a step for each item; the last one has the path. With no step left the picture is the path's end.

    What comes out depends on the request and the weights alone. Raises BadRequest; Cancelled; EngineError as `run`.
    """
    check(studio, request)
    first, x = begin(studio, request)
    if first == request.steps:
        nothing = np.zeros(0)
        shape = (0, *x.shape)
        empty = np.zeros(shape, np.float32)
        path = Path(
            nothing.astype(int), nothing.astype(int), nothing, nothing, x[None], empty, empty, 0.0, first
        )
        yield Progress(0, 0, 0.0, 0.0, path)
        return
    condition = condition_of(studio, request, cancel)
    index = request.index or tuple(range(len(request.texts)))
    yield from walk(studio.unet, request, lambda step: condition, x, first, index, cancel)


# ---------------------------------------------------------------- latents and pixels


def encode(studio: Studio, pixels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pictures (B, 3, H, W) in [-1, 1] -> mean and standard deviation of their scaled latents, (B, C, h, w) each."""
    moments = run(studio.encoder, {"x": np.asarray(pixels, np.float32)}).output
    mean, logvar = np.split(moments, 2, axis=1)
    return mean * studio.scale, np.exp(0.5 * logvar) * studio.scale


def decode(studio: Studio, latents: np.ndarray, cancel: Cancel | None = None) -> np.ndarray:
    """Scaled latents (..., C, h, w) -> pictures (..., 3, H, W) in [-1, 1], a few at once."""
    flat = np.asarray(latents, np.float32).reshape(-1, *latents.shape[-3:]) / np.float32(studio.scale)
    parts = []
    for first in range(0, len(flat), AT_ONCE):
        if cancel is not None:
            cancel.check()
        parts.append(run(studio.decoder, {"latent": flat[first : first + AT_ONCE]}, (), cancel).output)
    pixels = np.clip(np.concatenate(parts), -1, 1)
    return pixels.reshape(*latents.shape[:-3], *pixels.shape[1:])


# ---------------------------------------------------------------- where each word looks


def cross_taps(unet: Model) -> tuple[str, ...]:
    """The taps that hold the cross-attention of each transformer, in the net's order."""
    return tuple(spec.name for spec in unet.card.taps(unet.config) if spec.name.endswith(".cross.weights"))


def attention_maps(
    studio: Studio, condition: Condition, x: np.ndarray, t: Sequence[int], cancel: Cancel | None = None
) -> np.ndarray:
    """How much every place listens to every token: (S, h, w, tokens) float32, over the tokens they add up to 1.

    x (S, C, H, W): one sample before each of S steps, t its times; the condition is of one text. Means over the heads
    of all transformers; h and w are the places of the largest map that one works on, smaller ones are enlarged. Token
    strengths are not among what is seen: a weighted word has the map it had.
    """
    found = []
    taps = cross_taps(studio.unet)
    for first in range(0, len(x), AT_ONCE):
        if cancel is not None:
            cancel.check()
        part = np.asarray(x[first : first + AT_ONCE], np.float32)
        inputs = {name: np.repeat(array[:1], len(part), 0) for name, array in condition.asked.items()}
        inputs |= {"x": part, "timestep": np.array(t[first : first + len(part)], np.int64)}
        trace = run(studio.unet, inputs, taps, cancel)
        places = max(trace.taps[name].shape[2] for name in taps)
        factor = math.isqrt(x.shape[-2] * x.shape[-1] // places)
        sides = x.shape[-2] // factor, x.shape[-1] // factor
        found.append(np.mean([_on_the_map(trace.taps[name], sides) for name in taps], axis=0))
    return np.concatenate(found).astype(np.float32)


def _on_the_map(weights: np.ndarray, sides: tuple[int, ...]) -> np.ndarray:
    """(S, heads, places, tokens) -> (S, h, w, tokens), means over heads, places repeated where they are fewer."""
    mean = weights.mean(1)
    factor = math.isqrt(sides[0] * sides[1] // mean.shape[1])
    maps = mean.reshape(len(mean), sides[0] // factor, sides[1] // factor, -1)
    return maps.repeat(factor, 1).repeat(factor, 2)

"""Words to pictures: the loop around the nets of latent diffusion, with nets written as functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.engine import Cancel, Cancelled, Model
from app.engine.base import finish
from app.engine.diffuse import BadRequest, Path, Start
from app.engine.paint import (
    Request,
    Studio,
    attention_maps,
    begin,
    condition_of,
    cross_taps,
    decode,
    encode,
    paint,
    read,
    steps_left,
)
from app.engine.queue import FairQueue
from app.text import catalogue
from models.card import ModelCard
from models.generative.autoencoder_kl_decoder_card import CARD as DECODER
from models.generative.autoencoder_kl_encoder_card import CARD as ENCODER
from models.generative.latent_diffusion_card import CARD as UNET
from models.generative.schedule import add_noise, named, noise, timesteps
from models.generative.text_encoder_card import CARD as TEXT
from models.generative.words import Vocabulary
from tests.app.engine.test_diffuse import Fake, Feeds, same

WORDS = Vocabulary.of(["red", "car", "cat", "猫"])
SCALE = 0.5
SHAPE = (4, 8, 8)


def model_of(card: ModelCard, runner: Any, **sizes: Any) -> Model:
    said = {"schedule": "scaled_linear", "prediction": "v", "steps": 1000}
    return Model(
        card, card.weights[0], "onnx", "CPU", dict(card.tiny) | sizes, said, {}, {}, 0, "fake",
        runner=runner, queue=FairQueue(64),
    )  # fmt: skip


def listening(feeds: Feeds) -> np.ndarray:
    """Depends on everything the U-Net is told, on each sample by itself."""
    heard = (feeds["context"] * feeds["kept"][..., None]).sum((1, 2)) / 50
    strength = feeds["token_strength"].sum() / 100 if "token_strength" in feeds else 0.16
    later = np.cos(feeds["timestep"] / 500.0)
    return 0.2 * feeds["x"] + ((heard + strength) * later)[:, None, None, None]


def saying(feeds: Feeds) -> np.ndarray:
    return np.repeat(feeds["tokens"][..., None].astype(np.float32), 12, axis=2)


class Looking(Fake):
    """Its taps say that each place listens to the token whose number is the place's, modulo the tokens."""

    def run(self, feeds: Feeds, taps: Any, cancel: Cancel | None) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        output, _ = super().run(feeds, taps, cancel)
        weights = np.zeros((len(feeds["x"]), 2, 16, 16), np.float32)
        weights[:, :, np.arange(16), np.arange(16)] = 1
        return output, dict.fromkeys(taps, weights)


@pytest.fixture
def studio() -> Studio:
    return Studio(
        model_of(UNET, Looking(listening)),
        model_of(TEXT, Fake(saying), max_tokens=16, vocab_size=len(WORDS)),
        model_of(ENCODER, Fake(lambda feeds: np.concatenate([feeds["x"][:, [0, 1, 2, 0], ::2, ::2]] * 2, 1))),
        model_of(DECODER, Fake(lambda f: f["latent"][:, :3].repeat(2, 2).repeat(2, 3)), scaling_factor=SCALE),
        WORDS,
    )


def runs(model: Model) -> list[Feeds]:
    runner = model.runner
    assert isinstance(runner, Fake)
    return runner.runs


def drawn(studio: Studio, **changes: Any) -> Path:
    fields: dict[str, Any] = {"texts": ("red car",), "steps": 10} | changes
    return finish(paint(studio, Request(**fields)))


# ---------------------------------------------------------------- words


def test_the_net_is_told_the_words_and_the_empty_text(studio: Studio) -> None:
    condition = condition_of(studio, Request(texts=("red car", "猫", "red car")))
    assert condition.asked["kept"].sum(1).tolist() == [3, 2, 3] and condition.without["kept"].sum() == 3
    assert np.array_equal(condition.asked["context"][0], condition.asked["context"][2])
    assert condition.asked["context"][1, :2, 0].tolist() == [1, WORDS.numbers["猫"]]
    assert [len(feeds["tokens"]) for feeds in runs(studio.text)] == [3]  # each text once, and the empty one
    (known,) = read(studio, ["two red cars, please"])
    assert known.pieces == ("<start>", "red", "car") and known.unknown == ("two", "please")


# ---------------------------------------------------------------- guidance


def test_guidance_of_one_is_the_conditional_model(studio: Studio) -> None:
    """E23: w = 1 gives the words' own prediction, and only that is computed; 0 hears no words."""
    one, none, empty = (
        drawn(studio, guidance=g, texts=(text,)) for g, text in ((1, "cat"), (0, "cat"), (1, ""))
    )
    assert {len(feeds["x"]) for feeds in runs(studio.unet)} == {1}
    assert same(none, empty) and not same(one, none)
    runs(studio.unet).clear()
    more = drawn(studio, guidance=3.0, texts=("cat",))
    assert {len(feeds["x"]) for feeds in runs(studio.unet)} == {2} and not same(more, one)
    told, untold = (feeds := runs(studio.unet)[0])["context"]
    assert feeds["kept"].tolist()[1] == [1] + [0] * 15 and not np.array_equal(told, untold)


def test_E23_the_schedule_is_linear_in_the_root_of_beta(studio: Studio) -> None:
    assert named("scaled_linear").alpha_bar[-1] == pytest.approx(0.0046601, abs=5e-8)
    assert drawn(studio).alpha_bar[0] == pytest.approx(0.0046601, abs=5e-8)


def test_without_eta_the_seed_decides_alone(studio: Studio) -> None:
    assert same(drawn(studio, seed=3), drawn(studio, seed=3))
    assert not same(drawn(studio, seed=3), drawn(studio, seed=4))
    assert not same(drawn(studio, seed=3, eta=1.0), drawn(studio, seed=3))
    assert np.array_equal(drawn(studio, seed=3).x[0, 0], noise(3, 0, SHAPE))


def test_latents_are_not_clipped(studio: Studio) -> None:
    assert np.abs(drawn(studio, guidance=20.0).x0).max() > 1


# ---------------------------------------------------------------- beginning with a picture


@pytest.mark.parametrize(
    ("strength", "steps", "left"), [(0.75, 50, 37), (0, 50, 0), (1, 50, 50), (0.5, 5, 2)]
)
def test_E24_img2img_denoises_int_strength_steps(
    studio: Studio, strength: float, steps: int, left: int
) -> None:
    picture = np.linspace(-1, 1, 256, dtype=np.float32).reshape(SHAPE)
    request = Request(texts=("cat", "car"), seed=5, steps=steps, picture=picture, strength=strength)
    assert steps_left(strength, steps) == left
    path = finish(paint(studio, request))
    assert len(path.t) == left and path.x.shape == (left + 1, 2, *SHAPE)
    if not left:
        assert np.array_equal(path.samples, np.stack([picture, picture]))
        return
    schedule = named("scaled_linear")
    t = timesteps(schedule, steps)[steps - left]
    expected = add_noise(picture.astype(np.float64), noise(5, 1, SHAPE), schedule.alpha_bar[t])
    assert path.t[0] == t and np.allclose(path.x[0, 1], expected, atol=1e-6)


def test_E24_the_picture_is_no_input_of_the_net(studio: Studio) -> None:
    drawn(studio, picture=np.ones(SHAPE, np.float32), strength=0.5)
    told = {name for feeds in runs(studio.unet) for name in feeds}
    assert told == {"x", "timestep", "context", "kept", "token_strength"}
    assert begin(studio, Request(texts=("cat",)))[0] == 0  # text to image starts from pure noise


# ---------------------------------------------------------------- users, branches


def test_two_users_at_once_get_what_they_get_alone(studio: Studio) -> None:
    asked = [Request(texts=("cat", "car"), seed=1, steps=9), Request(texts=("猫",), seed=2, steps=7, eta=0.5)]
    alone = [finish(paint(studio, request)) for request in asked]
    running = [paint(studio, request) for request in asked]
    ended: list[Path | None] = [None, None]
    while any(path is None for path in ended):
        for k, steps in enumerate(running):
            progress = next(steps, None)
            ended[k] = ended[k] or (progress.result if progress else None)
    assert all(path is not None and same(path, was) for path, was in zip(ended, alone, strict=True))
    one = finish(paint(studio, Request(texts=("car",), seed=1, steps=9, index=(1,))))
    assert np.array_equal(one.samples[0], alone[0].samples[1])


def test_a_branch_goes_on_exactly_and_may_change_its_words(studio: Studio) -> None:
    request = Request(texts=("cat", "car"), seed=1, steps=10, eta=0.3)
    path = finish(paint(studio, request))
    again = finish(paint(studio, Request(texts=("car",), seed=1, steps=10, eta=0.3, index=(1,),
                                         start=branch_start(path, 4, 1))))  # fmt: skip
    assert np.array_equal(again.samples[0], path.samples[1])
    other = finish(paint(studio, Request(texts=("cat",), seed=1, steps=10, eta=0.3, index=(1,),
                                         start=branch_start(path, 4, 1))))  # fmt: skip
    assert not np.array_equal(other.samples[0], path.samples[1])


def branch_start(path: Path, frame: int, sample: int) -> Start:
    return Start(int(path.step[frame]), path.x[frame][[sample]])


def test_a_cancelled_run_stops_before_the_next_step(studio: Studio) -> None:
    cancel = Cancel()
    steps = paint(studio, Request(texts=("cat",), steps=50), cancel)
    for _ in range(4):
        next(steps)
    cancel.set()
    before = len(runs(studio.unet))
    with pytest.raises(Cancelled):
        next(steps)
    assert len(runs(studio.unet)) == before


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"texts": ()}, "diffuse.samples"),
        ({"texts": ("cat",) * 17}, "diffuse.samples"),
        ({"texts": ("c" * 401,)}, "diffuse.text"),
        ({"steps": 4}, "diffuse.steps"),
        ({"guidance": 21.0}, "diffuse.guidance"),
        ({"eta": -0.1}, "diffuse.eta"),
        ({"strength": 1.5}, "diffuse.strength"),
        ({"strength": float("nan")}, "diffuse.strength"),
        ({"picture": np.zeros((4, 4, 4), np.float32)}, "diffuse.start_picture"),
        ({"picture": np.full(SHAPE, np.nan, np.float32)}, "diffuse.start_picture"),
        ({"token_strength": (1.0,)}, "diffuse.tokens"),
        ({"token_strength": (99.0,) * 16}, "diffuse.token"),
        ({"index": (1, 2)}, "diffuse.index"),
        ({"seed": -1}, "diffuse.seed"),
    ],
)
def test_what_cannot_be_drawn_is_said_before_any_work(
    studio: Studio, changes: dict[str, Any], reason: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        drawn(studio, **changes)
    assert caught.value.reason == reason and not runs(studio.unet) and not runs(studio.text)
    for language in ("en", "zh"):
        assert catalogue(language)[reason].format(**caught.value.details)


# ---------------------------------------------------------------- latents, pixels, maps


def test_latents_are_scaled_on_the_way_in_and_out(studio: Studio) -> None:
    pixels = np.linspace(-1, 1, 2 * 3 * 16 * 16, dtype=np.float32).reshape(2, 3, 16, 16)
    mean, deviation = encode(studio, pixels)
    half = pixels[:, [0, 1, 2, 0], ::2, ::2]
    assert np.allclose(mean, half * SCALE) and np.allclose(deviation, np.exp(half / 2) * SCALE, rtol=1e-6)
    back = decode(studio, np.stack([mean, mean]))
    assert back.shape == (2, 2, 3, 16, 16) and np.allclose(back[1, :, :, ::2, ::2], half[:, :3])
    many = np.zeros((5, 7, *SHAPE), np.float32)
    runs(studio.decoder).clear()
    assert decode(studio, many).shape == (5, 7, 3, 16, 16)
    assert [len(feeds["latent"]) for feeds in runs(studio.decoder)] == [16, 16, 3]
    assert decode(studio, many + 9).max() <= 1


def test_words_are_seen_where_the_places_listen(studio: Studio) -> None:
    path = drawn(studio, steps=20)
    condition = condition_of(studio, Request(texts=("red car",)))
    maps = attention_maps(studio, condition, path.x[:-1, 0], path.t.tolist())
    assert maps.shape == (20, 4, 4, 16) and np.allclose(maps.sum(-1), 1)
    for place in range(16):
        assert np.all(maps[:, place // 4, place % 4, place] == 1)
    assert len(cross_taps(studio.unet)) >= 3


def test_word_strength_reaches_the_net(studio: Studio) -> None:
    plain, weighted = drawn(studio), drawn(studio, token_strength=(1.0, 4.0) + (1.0,) * 14)
    assert not same(plain, weighted)
    assert runs(studio.unet)[-1]["token_strength"].tolist()[:2] == [1.0, 4.0]

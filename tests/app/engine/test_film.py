"""A film decodes and plays: every frame with its pixels, for as long as it should."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageSequence

from app.engine import EngineError
from app.engine.diffuse import Path
from app.engine.film import FORMATS, MIME, durations, enlargement, evenly, film, frames_of
from app.text import catalogue


def played(data: bytes) -> tuple[list[np.ndarray], list[int], Image.Image]:
    """Frames as (H, W, 3) and their milliseconds, as a player would show them."""
    picture = Image.open(io.BytesIO(data))
    frames, times = [], []
    for frame in ImageSequence.Iterator(picture):
        frames.append(np.asarray(frame.convert("RGB")))
        times.append(int(frame.info["duration"]))
    return frames, times, picture


def noise(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def path_of(steps: int, samples: int, channels: int, side: int) -> Path:
    rng = np.random.default_rng(0)
    x, x0, epsilon = (
        rng.uniform(-1, 1, (n, samples, channels, side, side)).astype(np.float32)
        for n in (steps + 1, steps, steps)
    )
    t = np.arange(steps)[::-1]
    return Path(np.arange(steps), t, t / steps, t / steps, x, x0, epsilon, 1.0, steps)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("colour", [False, True], ids=["grey", "colour"])
def test_plays_every_frame_for_its_time(format: str, colour: bool) -> None:
    frames = noise(12, 10, 14, 3) if colour else noise(12, 10, 14)
    data = film(frames, format, seconds=1.2, hold=0.8)
    shown, times, picture = played(data)
    assert picture.format == format and MIME[format] == Image.MIME[format]
    assert picture.info["loop"] == 0  # for ever
    assert len(shown) == 12 and times == [100] * 11 + [900]
    factor = enlargement(10, 14)
    assert picture.size == (14 * factor, 10 * factor)
    for before, after in zip(frames, shown, strict=True):
        wanted = before if colour else np.stack([before] * 3, axis=-1)
        # 140 colours at most: the palette of a frame holds them all
        assert np.array_equal(after[factor // 2 :: factor, factor // 2 :: factor], wanted)
        assert np.array_equal(after, wanted.repeat(factor, 0).repeat(factor, 1))


@pytest.mark.parametrize("format", FORMATS)
def test_many_colours_stay_close(format: str) -> None:
    frames = noise(3, 32, 32, 3)
    shown, _, _ = played(film(frames, format, scale=1))
    for before, after in zip(frames, shown, strict=True):
        assert np.abs(before.astype(int) - after).mean() < (0.001 if format == "WEBP" else 16)


def test_long_films_are_thinned_and_short_frames_stretched() -> None:
    frames = np.arange(200, dtype=np.uint8).reshape(200, 1, 1) + np.zeros((200, 8, 8), np.uint8)
    shown, times, _ = played(film(frames, "GIF", seconds=4, hold=1, scale=2))
    assert len(shown) == 100 and sum(times) == 5000
    assert shown[0][0, 0, 0] == 0 and shown[-1][0, 0, 0] == 199
    assert min(durations(100, 0.1, 0)) == 20 and sum(durations(100, 0.1, 0)) == 2000
    assert sum(durations(7, 1, 0.5)) == 1500 and all(ms % 10 == 0 for ms in durations(7, 1, 0.5))
    assert evenly(5, 100).tolist() == [0, 1, 2, 3, 4] and evenly(1000, 3).tolist() == [0, 500, 999]


@pytest.mark.parametrize("format", FORMATS)
def test_equal_frames_last_as_long_as_all_of_them(format: str) -> None:
    a, b = noise(2, 8, 8)
    shown, times, _ = played(film(np.stack([a, a, a, b, b, a]), format, seconds=0.6, hold=0))
    assert len(shown) == 3 and times == [300, 200, 100]


@pytest.mark.parametrize("format", FORMATS)
def test_one_frame(format: str) -> None:
    picture = Image.open(io.BytesIO(film(noise(1, 8, 8), format, scale=1)))
    assert picture.size == (8, 8) and getattr(picture, "n_frames", 1) == 1


def test_refused_with_a_sentence() -> None:
    bad = [
        noise(0, 8, 8),
        noise(8, 8),
        noise(2, 8, 8, 4),
        noise(2, 8, 0),
        np.zeros((2, 8, 8)),
        noise(1, 1, 4097),
    ]
    for frames in bad:
        with pytest.raises(EngineError) as caught:
            film(frames)
        assert caught.value.reason == "diffuse.film"
        assert all(catalogue(code)["diffuse.film"].format_map(caught.value.details) for code in ("en", "zh"))
    with pytest.raises(EngineError) as caught:
        film(noise(2, 8, 8), "MP4")
    assert caught.value.reason == "diffuse.choice" and "GIF" in str(caught.value)


def test_enlargement_suits_a_screen() -> None:
    assert enlargement(28, 28) == 11 and enlargement(32, 32) == 10
    assert (
        enlargement(28, 115) == 6 and enlargement(57, 115) == 4
    )  # four digits side by side, one row and two
    assert enlargement(8, 400) == 1
    assert enlargement(500, 900) == 1


def test_frames_of_a_path() -> None:
    path = path_of(6, 3, 1, 8)
    frames = frames_of(path)
    assert frames.shape == (7, 8, 3 * 8 + 2) and frames.dtype == np.uint8
    assert np.all(frames[:, :, [8, 17]] == 255)
    expected = np.round((path.x[:, 1, 0] + 1) * 127.5)
    assert np.array_equal(frames[:, :, 9:17], expected)
    rows = frames_of(path, samples=[2, 0], show=("x", "x0", "epsilon"))
    assert rows.shape == (7, 3 * 8 + 2, 2 * 8 + 1)
    assert np.array_equal(rows[:6, 9:17, :8], np.round((path.x0[:, 2, 0] + 1) * 127.5))
    assert np.array_equal(rows[5, 9:17], rows[6, 9:17])  # the last x0 stays beside the picture
    assert np.abs(rows[:6, 18:, :8] - (path.epsilon[:, 2, 0] / 3 + 1) * 127.5).max() <= 0.51
    colour = frames_of(path_of(4, 2, 3, 8), show=("x", "x0"))
    assert colour.shape == (5, 17, 17, 3)


def test_film_of_a_path_is_small_enough_to_send() -> None:
    frames = frames_of(path_of(100, 4, 1, 28))
    for format in FORMATS:
        size = len(film(frames, format)) / 1e6
        print(f"{format}: 101 frames of four digits {size:.1f} MB")
        assert size < 5

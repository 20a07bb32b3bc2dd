"""The numbers of the DDPM page: neighbours, the forward chain against the closed form, paths that part, pictures."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from app.engine import available_engines
from app.engine.diffuse import Path, Request
from app.figures import ddpm as draw
from models.generative.digit_files import held_out_digits, train_digits
from models.generative.emoji_files import train_emoji
from models.generative.schedule import Schedule
from pages.ddpm_parts.branch import joined
from pages.ddpm_parts.forward import at_param, grid_of
from pages.ddpm_parts.judge import judge, verdicts
from pages.ddpm_parts.numbers import (
    BINS,
    agreement,
    apart,
    drawn,
    draws_of,
    histogram,
    jump,
    jumps,
    neighbours,
    same_steps,
    usual,
    walk,
)
from pages.ddpm_parts.takeaway import as_npz


def path_of(t: list[int], seed: int = 0, samples: int = 2) -> Path:
    rng = np.random.default_rng(seed)
    steps = len(t)

    def draw_(n: int) -> np.ndarray:
        return rng.standard_normal((n, samples, 1, 4, 4), np.float32)

    alpha_bar = np.linspace(0.01, 0.99, steps)
    return Path(
        step=np.arange(steps),
        t=np.array(t),
        alpha_bar=alpha_bar,
        snr=alpha_bar / (1 - alpha_bar),
        x=draw_(steps + 1),
        x0=draw_(steps),
        epsilon=draw_(steps),
        seconds=1.0,
        steps=steps,
    )


# ---------------------------------------------------------------- a sample or a copy


def test_a_copy_is_at_no_distance_and_a_real_digit_at_a_usual_one() -> None:
    pictures, labels = train_digits()
    near = neighbours(pictures[[5, 17], None].astype(np.float32) / 127.5 - 1)
    assert [int(n.distance[0] * 1000) for n in near] == [0, 0]
    assert np.array_equal(near[0].pictures[0, ..., 2], pictures[5]) and near[0].labels[0] == labels[5]
    assert 0 <= near[1].distance[0] <= near[1].distance[1] <= near[1].distance[2]
    held_out, kinds = held_out_digits()
    for label in (1, 8):
        real = usual(1, label)
        assert 0 < real.low <= real.quarter <= real.median <= real.three_quarters
        own = [n.distance[0] for n in neighbours(held_out[kinds == label, None] / 127.5 - 1)]
        assert np.mean(np.array(own) < real.low) == pytest.approx(0.05, abs=0.04)
    assert usual(1, 1).median < usual(1, 8).median  # which is why each class has its own measure


def test_a_mirrored_drawing_counts_as_a_copy() -> None:
    pictures, labels = train_emoji()
    mirrored = pictures[[7], :, ::-1].transpose(0, 3, 1, 2).astype(np.float32) / 127.5 - 1
    (near,) = neighbours(mirrored, 1)
    assert near.distance[0] < 0.01 and near.labels[0] == labels[7]
    assert usual(3, 0).low > 0


# ---------------------------------------------------------------- forward


def picture() -> np.ndarray:
    x0 = np.full((1, 28, 28), -1, np.float32)
    x0[:, 6:22, 10:18] = 0.8
    return x0


def test_a_jump_is_the_closed_form_and_none_at_0() -> None:
    schedule, x0 = Schedule.linear(), picture()
    one = np.ones_like(x0)
    assert np.array_equal(jump(schedule, x0, 0, one), x0)
    level = schedule.alpha_bar[299]
    assert np.allclose(jump(schedule, x0, 300, one), level**0.5 * x0 + (1 - level) ** 0.5)


@pytest.mark.parametrize("name", ["linear", "cosine"])
def test_the_walk_and_the_jump_agree_in_distribution(name: str) -> None:
    schedule = Schedule.linear() if name == "linear" else Schedule.cosine()
    x0 = picture()
    chain = walk(schedule, x0)
    assert chain.first.shape == (1001, 1, 28, 28) and np.array_equal(chain.first[0], x0)
    found = [agreement(chain, jumps(schedule, x0, t), t) for t in range(10, 1001, 45)]
    assert (
        sum(not f.agrees for f in found) <= 2
    )  # one in a hundred tries may be further apart, by chance alone
    assert max(abs(f.mean) for f in found) < 0.04
    assert max(abs(f.deviation - 1) for f in found) < 0.03


def test_a_wrong_walk_is_found_out() -> None:
    """E13: with beta up to 0.002 the signal is still there at the end; the histograms say so."""
    x0 = picture()
    notes = walk(Schedule.linear(1000, 1e-4, 0.002), x0)
    assert not agreement(notes, jumps(Schedule.linear(), x0, 1000), 1000).agrees


def test_histograms_keep_every_value() -> None:
    values = np.array([-9.0, -5, 0, 4.99, 5, 9])
    counts = histogram(values)
    assert counts.sum() == 6 and counts[0] == 2 and counts[-1] == 3 and counts[BINS // 2] == 1
    middle, edges = drawn(counts)
    assert middle.sum() == 1 and len(edges) == len(middle) + 1 and edges[-1] == 3.5
    assert draws_of(28 * 28) == 16 and draws_of(3 * 64 * 64) == 2


def test_any_t_of_a_link_is_a_frame() -> None:
    grid = grid_of(1000, 137)
    assert len(grid) == 102 and {0, 137, 1000} <= set(grid)
    param = at_param(grid, 1000)
    assert grid[param.parse("137")] == 137 and param.format(param.parse("137")) == "137"
    assert grid[param.parse("996")] == 1000
    for bad in ("-1", "1001", "x", ""):
        with pytest.raises(ValueError):
            param.parse(bad)


# ---------------------------------------------------------------- two paths


def test_a_branch_is_laid_on_the_frames_it_left() -> None:
    path = path_of([900, 700, 500, 300, 100])
    other = path_of([500, 400, 300, 200, 100], seed=1)
    x, x0 = joined(path, other, 2)
    assert x.shape == path.x.shape and x0.shape == path.x0.shape
    assert np.array_equal(x[:2], path.x[:2])
    assert np.array_equal(x[2:5], other.x[[0, 2, 4]]) and np.array_equal(x[-1], other.x[-1])
    gap = apart(path.x, x)
    assert gap[0] == gap[1] == 0 and gap[2] > 0


def test_the_nearest_step_stands_in_where_one_was_not_kept() -> None:
    assert same_steps(np.array([90, 61, 10]), np.array([95, 88, 60, 30, 5])).tolist() == [1, 2, 4]


# ---------------------------------------------------------------- pictures and files


def test_pictures_are_clipped_and_grey_for_no_noise() -> None:
    x = np.array([-3.0, -1, 0, 1, 3]).reshape(1, 1, 5)
    assert draw.to_rgb(x)[0, :, 0].tolist() == [0, 0, 128, 255, 255]
    assert draw.noise_rgb(np.zeros((2, 3, 4, 4))).shape == (2, 4, 4, 3)
    assert np.all(draw.noise_rgb(np.zeros((3, 4, 4))) == 128)
    assert np.isfinite(draw.to_rgb(np.full((1, 2, 2), np.nan))).all()


def test_the_sheet_has_two_rows_a_sample() -> None:
    path = path_of([900, 700, 500, 300, 100])
    sheet = draw.sheet(path.x, path.x0, columns=4, factor=2)
    assert sheet.shape == (4 * 12 + 4, 4 * 12 + 4, 3)


def test_the_numbers_can_be_read_without_pickle() -> None:
    path = path_of([900, 700, 500])
    data = np.load(io.BytesIO(as_npz(path, Request(labels=(3, 3), seed=5))), allow_pickle=False)
    assert np.array_equal(data["x"], path.x) and np.array_equal(data["epsilon"], path.epsilon)
    assert int(data["seed"]) == 5 and str(data["sampler"]) == "ddim"


def test_neighbours_stand_beside_with_clear_gaps() -> None:
    sample, others = np.zeros((28, 28, 3), np.uint8), np.full((3, 28, 28, 3), 9, np.uint8)
    picture_ = draw.beside(sample, others)
    assert picture_.shape[2] == 4 and picture_[0, 90, 3] == 0 and picture_[0, -1, 0] == 9
    Image.fromarray(picture_)


# ---------------------------------------------------------------- the judge


def test_the_judge_reads_real_digits_and_is_not_sure_of_noise() -> None:
    reader = judge("onnx" if "onnx" in available_engines() else "torch")
    assert reader is not None
    pictures, labels = held_out_digits()
    real = pictures[:32, None].astype(np.float32) / 127.5 - 1
    found = verdicts(reader, real, tuple(int(label) for label in labels[:32]))
    assert np.mean([v.digit == label for v, label in zip(found, labels[:32], strict=True)]) > 0.9
    assert np.mean([v.sure for v in found]) > 0.8
    noise = np.random.default_rng(0).standard_normal((16, 1, 28, 28)).astype(np.float32)
    free = verdicts(reader, noise, (10,) * 16)
    assert not any(v.sure for v in free) and all(v.asked == v.probability for v in free)

"""Schedules and steps: equal to diffusers' schedulers step for step, exact conversions, and the errata of the notes."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from diffusers import DDIMScheduler, DDPMScheduler
from hypothesis import given, settings, strategies as st

from models.generative.schedule import (
    PREDICTIONS,
    SCHEDULES,
    SPACINGS,
    VARIANCES,
    Schedule,
    add_noise,
    ddim_step,
    ddpm_step,
    forward_step,
    last_steps,
    named,
    noise,
    posterior,
    snr,
    timesteps,
    to_epsilon,
    to_v,
    to_x0,
)

THEIR_SCHEDULE = {"linear": "linear", "cosine": "squaredcos_cap_v2"}
THEIR_PREDICTION = {"epsilon": "epsilon", "x0": "sample", "v": "v_prediction"}
PATHS = ((1000, True), (50, False), (50, True), (7, True))  # steps, and whether x0 is clipped
TOLERANCE = 1e-6  # of max(1, largest value), at every single step


def double(scheduler: Any) -> Any:
    """Diffusers' scheduler with its constants in float64, from the same betas, so that its own rounding is out."""
    scheduler.betas = torch.tensor(named_as(scheduler).beta)
    scheduler.alphas = 1 - scheduler.betas
    scheduler.alphas_cumprod = torch.cumprod(scheduler.alphas, 0)
    scheduler.one = torch.tensor(1.0, dtype=torch.float64)
    if hasattr(scheduler, "final_alpha_cumprod"):
        scheduler.final_alpha_cumprod = torch.tensor(1.0, dtype=torch.float64)
    return scheduler


def named_as(scheduler: Any) -> Schedule:
    name = scheduler.config["beta_schedule"]
    return named(next(ours for ours, theirs in THEIR_SCHEDULE.items() if theirs == name))


def single(scheduler: Any) -> Schedule:
    """Diffusers' own float32 constants in our Schedule: steps then compute in float32, as theirs do."""
    arrays = scheduler.betas, scheduler.alphas, scheduler.alphas_cumprod
    return Schedule("theirs", *(array.numpy() for array in arrays))


def make(kind: Any, schedule: str, prediction: str, count: int, spacing: str, clip: bool, **more: Any) -> Any:
    scheduler = kind(
        beta_schedule=THEIR_SCHEDULE[schedule],
        prediction_type=THEIR_PREDICTION[prediction],
        timestep_spacing=spacing,
        clip_sample=clip,
        **more,
    )
    scheduler.set_timesteps(count)
    return scheduler


def off(ours: np.ndarray, theirs: torch.Tensor, scale: float = 1.0) -> float:
    """Largest difference, of max(1, largest value, scale)."""
    reference = theirs.numpy()
    return float(np.abs(ours - reference).max() / max(1.0, np.abs(reference).max(), scale))


def cancelling(prediction: str, x: np.ndarray, alpha_bar: float) -> float:
    """Size of the terms whose difference x0 is: (x - ...) / sqrt(alpha_bar), 157 |x| where alpha_bar is 4e-5.

    Float32 rounds those terms, so that nobody's x0 is better than 1e-7 of them; in float64 it does not matter.
    """
    return (
        float(np.abs(x).max() / np.sqrt(alpha_bar))
        if prediction == "epsilon" and x.dtype == np.float32
        else 1.0
    )


def outputs(prediction: str, x: np.ndarray, alpha_bar: float, step: int) -> np.ndarray:
    """What a net might say of x: of a picture that is not quite in [-1, 1], so that clipping does something."""
    x0 = 1.3 * np.sin(np.arange(x.size).reshape(x.shape) + step)
    return {"epsilon": to_epsilon, "v": to_v, "x0": to_x0}[prediction]("x0", x, x0, alpha_bar)


# ---------------------------------------------------------------- equal to diffusers


@pytest.mark.parametrize("name", ["linear", "cosine"])
def test_schedule_is_diffusers(name: str) -> None:
    theirs: Any = DDPMScheduler(beta_schedule=THEIR_SCHEDULE[name])
    ours = named(name)
    for mine, other in ((ours.beta, theirs.betas), (ours.alpha_bar, theirs.alphas_cumprod)):
        assert np.abs(mine - other.numpy()).max() <= TOLERANCE
    assert ours.steps == 1000 and ours.alpha_bar_at(-1) == 1 and ours.alpha_bar_before(0) == 1
    assert ours.alpha_bar_before(7) == ours.alpha_bar[6]


def test_spacings_are_diffusers() -> None:
    for spacing in SPACINGS:
        scheduler: Any = DDPMScheduler(timestep_spacing=spacing)
        for count in (1, 2, 3, 5, 7, 10, 20, 27, 50, 81, 100, 243, 333, 500, 729, 999, 1000):
            scheduler.set_timesteps(count)
            ours = timesteps(named("linear"), count, spacing)
            assert ours.tolist() == scheduler.timesteps.tolist(), (spacing, count)


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_ddpm_is_diffusers_step_for_step(
    schedule: str, prediction: str, precision: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every step of every path within 1e-6. "single": against diffusers as it is, in float32, ours computing in float32
    with the same constants; "double": both in float64.

    At the last step, when it is not t = 0, theirs adds noise and the paper does not: there both get none.
    """
    worst, steps = 0.0, 0
    given_noise: list[np.ndarray] = [np.zeros(())]
    monkeypatch.setattr(
        "diffusers.schedulers.scheduling_ddpm.randn_tensor", lambda *a, **k: torch.from_numpy(given_noise[0])
    )
    for spacing, variance, (count, clip) in product(SPACINGS, VARIANCES, PATHS):
        if count == 1000 and (spacing != "leading" or prediction != "epsilon"):
            continue  # with every t visited the spacings are all the same
        scheduler = make(DDPMScheduler, schedule, prediction, count, spacing, clip, variance_type=variance)
        ours = single(scheduler) if precision == "single" else named_as(double(scheduler))
        dtype = ours.beta.dtype
        x = noise(1, 0, (2, 1, 3, 3)).astype(dtype)
        visited = scheduler.timesteps.tolist()
        for i, (t, before) in enumerate(zip(visited, [*visited[1:], -1], strict=True)):
            given_noise[0] = noise(1, 0, x.shape, t).astype(dtype) * (before >= 0)
            output = outputs(prediction, x, float(ours.alpha_bar[t]), i).astype(dtype)
            mine = ddpm_step(ours, prediction, output, x, t, before, given_noise[0], variance, clip)
            theirs = scheduler.step(torch.from_numpy(output), t, torch.from_numpy(x))
            scale = cancelling(prediction, x, float(ours.alpha_bar[t]))
            worst = max(worst, off(mine.previous, theirs.prev_sample))
            worst = max(worst, off(mine.x0, theirs.pred_original_sample, scale))
            x = mine.previous
            assert x.dtype == dtype
            steps += 1
    print(f"DDPM {schedule} {prediction} {precision}: largest difference {worst:.2e} in {steps} steps")
    assert worst <= TOLERANCE


@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_ddim_is_diffusers_step_for_step(schedule: str, prediction: str, precision: str) -> None:
    """As above, with eta from 0 to 1. Theirs always leaps T // count back, whatever the spacing; ours goes where it is
    told, which the sampler makes the next t of its list. So `before` is theirs here."""
    worst, steps = 0.0, 0
    for spacing, eta, (count, clip) in product(SPACINGS, (0.0, 0.3, 1.0), PATHS):
        if count == 1000 and (spacing != "leading" or eta != 0.3 or prediction != "epsilon"):
            continue
        scheduler = make(DDIMScheduler, schedule, prediction, count, spacing, clip)
        ours = single(scheduler) if precision == "single" else named_as(double(scheduler))
        dtype, consistent = ours.beta.dtype, eta == 0.3
        x = noise(2, 0, (2, 1, 3, 3)).astype(dtype)
        for i, t in enumerate(scheduler.timesteps.tolist()):
            before = max(t - 1000 // count, -1)
            extra = noise(2, 0, x.shape, t).astype(dtype)
            output = outputs(prediction, x, float(ours.alpha_bar[t]), i).astype(dtype)
            mine = ddim_step(ours, prediction, output, x, t, before, eta, extra, clip, consistent)
            theirs = scheduler.step(
                torch.from_numpy(output), t, torch.from_numpy(x),
                eta=eta, use_clipped_model_output=consistent, variance_noise=torch.from_numpy(extra),
            )  # fmt: skip
            scale = cancelling(prediction, x, float(ours.alpha_bar[t]))
            worst = max(worst, off(mine.previous, theirs.prev_sample))
            worst = max(worst, off(mine.x0, theirs.pred_original_sample, scale))
            x = mine.previous
            assert x.dtype == dtype
            steps += 1
    print(f"DDIM {schedule} {prediction} {precision}: largest difference {worst:.2e} in {steps} steps")
    assert worst <= TOLERANCE


def test_add_noise_and_velocity_are_diffusers() -> None:
    scheduler: Any = DDPMScheduler()
    ours = single(scheduler)
    x0, eps = noise(1, 0, (4, 1, 5, 5)), noise(2, 0, (4, 1, 5, 5))
    t = np.array([0, 10, 500, 999])
    level = ours.alpha_bar[t].reshape(-1, 1, 1, 1)
    a, b, c = torch.from_numpy(x0), torch.from_numpy(eps), torch.from_numpy(t)
    x_t = add_noise(x0, eps, level)
    assert off(x_t, scheduler.add_noise(a, b, c)) <= TOLERANCE
    v = add_noise(eps, -x0, level)  # sqrt(alpha_bar) epsilon - sqrt(1 - alpha_bar) x0
    assert off(v, scheduler.get_velocity(a, b, c)) <= TOLERANCE
    assert off(to_v("x0", x_t.astype(np.float64), x0, level.astype(np.float64)), torch.from_numpy(v)) <= 1e-4


# ---------------------------------------------------------------- conversions

CONVERT = {"epsilon": to_epsilon, "v": to_v, "x0": to_x0}
numbers = st.floats(-3, 3, allow_subnormal=False)
levels = st.floats(4e-5, 1 - 1e-4)  # of the linear schedule


@given(numbers, numbers, levels)
def test_every_prediction_says_the_same(x0: float, eps: float, alpha_bar: float) -> None:
    x_t = add_noise(np.array(x0), np.array(eps), np.array(alpha_bar))
    v = np.sqrt(alpha_bar) * eps - np.sqrt(1 - alpha_bar) * x0
    truth = {"epsilon": eps, "v": v, "x0": x0}
    for given_as in PREDICTIONS:
        for wanted in PREDICTIONS:
            found = CONVERT[wanted](given_as, x_t, np.array(truth[given_as]), np.array(alpha_bar))
            assert found == pytest.approx(truth[wanted], abs=1e-9), (given_as, wanted)


@given(numbers, numbers, levels, st.sampled_from(PREDICTIONS), st.sampled_from(PREDICTIONS))
def test_there_and_back(x_t: float, output: float, alpha_bar: float, one: str, other: str) -> None:
    there = CONVERT[other](one, np.array(x_t), np.array(output), np.array(alpha_bar))
    back = CONVERT[one](other, np.array(x_t), there, np.array(alpha_bar))
    assert back == pytest.approx(output, abs=1e-9)


@given(
    st.integers(1, 999).flatmap(lambda t: st.tuples(st.just(t), st.integers(-1, t - 1))),
    st.sampled_from(PREDICTIONS),
    st.sampled_from(["linear", "cosine"]),
    numbers,
    numbers,
)
@settings(max_examples=200)
def test_a_step_is_the_same_whatever_is_predicted(
    leap: tuple[int, int], prediction: str, name: str, x0: float, eps: float
) -> None:
    """And with the true x0 and no noise, DDIM lands on the same line: sqrt(a') x0 + sqrt(1 - a') epsilon."""
    t, before = leap
    schedule = named(name)
    now, then = schedule.alpha_bar[t], schedule.alpha_bar_at(before)
    x_t = add_noise(np.array(x0), np.array(eps), now)
    output = CONVERT[prediction]("x0", x_t, np.array(x0), now)
    tolerance = 1e-9 / np.sqrt(now)  # a number far from x0 says little of it
    found = ddim_step(schedule, prediction, output, x_t, t, before, clip=False)
    assert found.previous == pytest.approx(add_noise(np.array(x0), np.array(eps), then), abs=tolerance)
    assert found.x0 == pytest.approx(x0, abs=tolerance) and found.epsilon == pytest.approx(eps, abs=tolerance)
    ddpm = ddpm_step(schedule, prediction, output, x_t, t, before, clip=False)
    assert ddpm.previous == pytest.approx(
        posterior(schedule, np.array(x0), x_t, t, before).mean, abs=tolerance
    )


@given(st.integers(0, 999), st.floats(-1, 1), st.floats(-3, 3), st.floats(-3, 3))
def test_ddim_with_eta_1_is_ddpm_with_the_smaller_variance(t: int, x0: float, x_t: float, z: float) -> None:
    schedule = named("linear")
    a = ddim_step(schedule, "x0", np.array(x0), np.array(x_t), t, eta=1, noise=np.array(z))
    b = ddpm_step(schedule, "x0", np.array(x0), np.array(x_t), t, noise=np.array(z))
    assert a.previous == pytest.approx(b.previous, abs=1e-9)


def test_wrong_words_and_counts_are_refused() -> None:
    schedule, x = named("linear"), np.zeros(1)
    for convert in CONVERT.values():
        with pytest.raises(ValueError, match="no prediction 'sample'"):
            convert("sample", x, x, 0.5)
    with pytest.raises(ValueError, match="no schedule"):
        named("sigmoid")
    with pytest.raises(ValueError, match="no spacing"):
        timesteps(schedule, 5, "log")
    with pytest.raises(ValueError, match="no variance"):
        ddpm_step(schedule, "epsilon", x, x, 5, variance="learned")
    with pytest.raises(ValueError, match="needs noise"):
        ddim_step(schedule, "epsilon", x, x, 5, eta=0.5)
    for count in (0, 1001):
        with pytest.raises(ValueError, match="from 1 to 1000"):
            timesteps(schedule, count)
    for beta in ([], [0.1, 1.0], [0.0], [[0.1]], [np.nan]):
        with pytest.raises(ValueError, match="between 0 and 1"):
            Schedule.of(np.array(beta))
    with pytest.raises(ValueError, match="read-only"):
        schedule.beta[0] = 0.5


@given(st.integers(1, 1000), st.sampled_from(SPACINGS))
def test_spacing_visits_each_t_once_falling(count: int, spacing: str) -> None:
    t = timesteps(1000, count, spacing)
    assert len(t) == count and np.all(np.diff(t) < 0) and t[-1] >= 0 and t[0] <= 999
    if spacing == "trailing" or (spacing == "linspace" and count > 1):
        assert t[0] == 999
    if spacing != "trailing":
        assert t[-1] == 0


def test_signal_to_noise() -> None:
    assert snr(np.array([0.5, 0.9, 1.0])) == pytest.approx([1, 9, np.inf])
    for name in SCHEDULES:
        assert np.all(np.diff(snr(named(name).alpha_bar)) < 0)


def test_scaled_linear_is_diffusers() -> None:
    theirs: Any = DDPMScheduler(beta_schedule="scaled_linear", beta_start=0.00085, beta_end=0.012)
    ours = named("scaled_linear")
    assert np.abs(ours.beta - theirs.betas.numpy()).max() <= TOLERANCE
    assert np.abs(ours.alpha_bar - theirs.alphas_cumprod.numpy()).max() <= TOLERANCE


# ---------------------------------------------------------------- noise


def test_noise_is_counted_not_drawn() -> None:
    """The same numbers give the same noise, whatever was asked before; recorded, since links promise a picture."""
    first = noise(7, 3, (2, 5), 40)
    noise(8, 0, (100,))
    assert np.array_equal(noise(7, 3, (2, 5), 40), first) and first.dtype == np.float32
    assert np.array_equal(noise(7, 3, (10,), 40), first.ravel())
    others = [noise(8, 3, (10,), 40), noise(7, 4, (10,), 40), noise(7, 3, (10,), 41), noise(7, 3, (10,))]
    for other in others:
        assert not np.any(np.isclose(other, first.ravel()))
    assert noise(20261130, 1, (5,), 999) == pytest.approx(RECORDED, abs=1e-6)
    assert noise(0, 0, (3,)).shape == (3,) and noise(2**53, 2**53, ()).shape == ()


RECORDED = [1.0558832, -0.8018716, 1.4283507, -2.2254651, 0.0428802]


def test_noise_is_standard_normal_and_unrelated() -> None:
    n = 200_000
    z = np.stack([noise(1, 0, (n,)), noise(1, 0, (n,), 0), noise(1, 1, (n,)), noise(2, 0, (n,))]).astype(
        float
    )
    margin = 5 / np.sqrt(n)  # five standard errors
    assert np.abs(z.mean(axis=1)).max() < margin
    assert np.abs(z.var(axis=1) - 1).max() < margin * np.sqrt(2)
    assert np.abs((z**4).mean(axis=1) - 3).max() < margin * np.sqrt(96)
    assert np.abs(np.corrcoef(z) - np.eye(4)).max() < margin
    assert abs(np.corrcoef(z[0, :-1], z[0, 1:])[0, 1]) < margin


# ---------------------------------------------------------------- the errata


def test_E13_beta_ends_at_0_02() -> None:
    schedule = Schedule.linear()
    assert (schedule.beta[0], schedule.beta[-1]) == (1e-4, 0.02)
    assert schedule.alpha_bar[-1] == pytest.approx(4.0358e-5, rel=1e-4)
    notes = Schedule.linear(end=0.002)
    assert notes.alpha_bar[-1] == pytest.approx(0.34969, abs=1e-5)
    assert np.sqrt(notes.alpha_bar[-1]) == pytest.approx(0.59, abs=0.005)  # still 59 % signal


def test_E14_the_variances_of_two_independent_noises_add() -> None:
    schedule = Schedule.of(np.array([0.1, 0.2]))  # alpha_1 = 0.9, alpha_2 = 0.8
    n = 200_000
    z1, z2 = noise(1, 0, (n,), 0).astype(float), noise(1, 0, (n,), 1).astype(float)
    two = forward_step(schedule, forward_step(schedule, np.zeros(n), z1, 0), z2, 1)
    wanted = 0.8 * (1 - 0.9) + 1 - 0.8
    assert wanted == pytest.approx(0.28) and 1 - schedule.alpha_bar[1] == pytest.approx(0.28)
    margin = 5 * np.sqrt(2 / n)  # five standard errors of a variance, relative
    assert two.var() == pytest.approx(0.28, rel=margin)
    shared = forward_step(schedule, forward_step(schedule, np.zeros(n), z1, 0), z1, 1)
    assert shared.var() == pytest.approx((np.sqrt(0.08) + np.sqrt(0.2)) ** 2, rel=margin)
    assert (np.sqrt(0.08) + np.sqrt(0.2)) ** 2 == pytest.approx(0.533, abs=5e-4)


def test_E15_alpha_bar_is_the_product_up_to_t() -> None:
    alpha_bar = Schedule.linear().alpha_bar
    assert alpha_bar[0] == pytest.approx(0.9999) and alpha_bar[499] == pytest.approx(0.078587, abs=5e-7)
    assert np.all(np.diff(alpha_bar) < 0)
    assert alpha_bar[123] == pytest.approx(np.prod(1 - Schedule.linear().beta[:124]))


def test_E16_epsilon_is_the_summed_noise_not_that_of_step_t() -> None:
    schedule = Schedule.linear()
    x0 = np.linspace(-1, 1, 64)
    epsilon = noise(5, 0, (64,)).astype(float)
    for t in (0, 250, 999):
        x_t = add_noise(x0, epsilon, schedule.alpha_bar[t])
        assert np.abs(to_x0("epsilon", x_t, epsilon, schedule.alpha_bar[t]) - x0).max() <= 1e-4
    # along a chain, the noise in x_t is made of all steps' noise; the last step's explains only a part of it
    x = x0
    for t in range(500):
        last = noise(5, 1, (64,), t).astype(float)
        x = forward_step(schedule, x, last, t)
    summed = to_epsilon("x0", x, x0, schedule.alpha_bar[499])
    assert np.abs(to_x0("epsilon", x, summed, schedule.alpha_bar[499]) - x0).max() <= 1e-9
    assert np.abs(to_x0("epsilon", x, last, schedule.alpha_bar[499]) - x0).max() > 1


def test_E17_the_density_is_divided_by_sigma() -> None:
    sigma = 2.0
    x = np.linspace(-40, 40, 80_001)
    bell = np.exp(-(x**2) / (2 * sigma**2)) / np.sqrt(2 * np.pi)
    assert np.trapezoid(bell / sigma, x) == pytest.approx(1, abs=1e-9)
    assert np.trapezoid(bell, x) == pytest.approx(2, abs=1e-9)  # the form of the notes


def test_E18_posterior_has_all_three_terms_in_the_exponent() -> None:
    schedule = Schedule.of(np.array([0.1, 0.2]))
    found = posterior(schedule, np.array(1), np.array(0.5), 1)
    assert found.mean == pytest.approx(0.837350, abs=5e-7)
    assert found.variance == pytest.approx(0.0714286, abs=5e-8)
    # by Bayes on a grid: q(x_1 | x_2, x_0) is proportional to q(x_2 | x_1) q(x_1 | x_0)
    x = np.linspace(-4, 6, 200_001)
    a = (0.5 - np.sqrt(0.8) * x) ** 2 / 0.2
    b = (x - np.sqrt(0.9)) ** 2 / 0.1
    c = (0.5 - np.sqrt(0.72)) ** 2 / 0.28
    density = np.exp(-0.5 * (a + b - c))
    density /= np.trapezoid(density, x)
    mean = np.trapezoid(x * density, x)
    assert mean == pytest.approx(float(found.mean), abs=1e-6)
    assert np.trapezoid((x - mean) ** 2 * density, x) == pytest.approx(float(found.variance), abs=1e-6)


def test_E19_posterior_variance() -> None:
    schedule = Schedule.linear()
    zero = np.zeros(1)
    assert posterior(schedule, zero, zero, 1).variance == pytest.approx(5.4532e-5, rel=1e-5)
    assert schedule.beta[1] == pytest.approx(1.19920e-4, rel=1e-5)
    assert posterior(schedule, zero, zero, 0).variance == 0  # beta~_1
    smaller = np.array([posterior(schedule, zero, zero, t).variance for t in range(1000)])
    assert np.all(smaller < schedule.beta)


def test_E20_the_reverse_noise_has_a_fixed_standard_deviation() -> None:
    """sqrt(beta_t) or sqrt(beta~_t), never beta_t."""
    schedule, t, n = Schedule.linear(), 100, 100_000
    z = noise(3, 0, (n,), t).astype(float)
    still = np.zeros(n)
    expected = {
        "fixed_large": np.sqrt(schedule.beta[t]),
        "fixed_small": np.sqrt(posterior(schedule, still, still, t).variance),
    }
    for variance, sigma in expected.items():
        found = ddpm_step(schedule, "x0", still, still, t, noise=z, variance=variance).previous
        assert found.std() == pytest.approx(sigma, rel=5 / np.sqrt(2 * n))
    assert (
        expected["fixed_small"] < expected["fixed_large"] and schedule.beta[t] < 0.1 * expected["fixed_large"]
    )


def test_E21_beta_below_1_does_not_bring_alpha_bar_to_0() -> None:
    n = np.arange(1, 200_001)
    assert Schedule.of(1 / (n + 1.0) ** 2).alpha_bar[-1] == pytest.approx(0.5, abs=1e-5)  # the sum converges
    assert Schedule.of(np.full(2000, 0.01)).alpha_bar[-1] < 1e-8  # it diverges


def test_E22_no_noise_at_the_last_step() -> None:
    """Two samplers with different seeds and the same x_1 give the same x_0; the predicted x0 is clipped to [-1, 1]."""
    schedule = Schedule.linear()
    x_1, output = noise(1, 0, (1, 1, 4, 4)), 3 * noise(2, 0, (1, 1, 4, 4))
    for t in (0, 19):  # the end of 1000 steps, and of 50 steps with trailing spacing
        ends = [
            step(schedule, "x0", output, x_1, t, -1, noise=noise(seed, 0, x_1.shape, t), **more).previous
            for step, more in ((ddpm_step, {"variance": "fixed_large"}), (ddim_step, {"eta": 1.0}))
            for seed in (10, 11)
        ]
        for end in ends:
            assert np.abs(end - np.clip(output, -1, 1)).max() < 1e-12
    raw = ddpm_step(schedule, "x0", output, x_1, 0, clip=False)
    assert np.abs(raw.previous - output).max() < 1e-12 and np.abs(output).max() > 1


def test_E23_the_schedule_of_latent_diffusion_is_linear_in_the_root_of_beta() -> None:
    schedule = named("scaled_linear")
    assert np.ptp(np.diff(np.sqrt(schedule.beta))) < 1e-12
    assert schedule.beta[[0, -1]] == pytest.approx([0.00085, 0.012])
    assert schedule.alpha_bar[-1] == pytest.approx(0.0046601, abs=1e-7)
    assert Schedule.linear(1000, 0.00085, 0.012).alpha_bar[-1] != pytest.approx(0.0046601, rel=0.1)


def test_E24_strength_says_how_many_of_the_last_steps_are_run() -> None:
    visited = timesteps(named("scaled_linear"), 50)
    assert len(last_steps(visited, 0.75)) == 37
    assert len(last_steps(visited, 0.0)) == 0
    assert last_steps(visited, 1.0).tolist() == visited.tolist()
    assert last_steps(visited, 0.75).tolist() == visited[13:].tolist(), "the least noisy ones"
    with pytest.raises(ValueError, match="from 0 to 1"):
        last_steps(visited, 1.2)

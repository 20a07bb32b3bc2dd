"""The numbers behind the corrections of the study notes' diffusion section, worked out by our own schedule.

Plain numpy, quick enough to be computed while the page is drawn. The same facts are asserted in the tests.
"""

from __future__ import annotations

import numpy as np

from models.generative.schedule import (
    Schedule,
    add_noise,
    ddpm_step,
    forward_step,
    noise,
    posterior,
    to_epsilon,
    to_x0,
)

DRAWS = 50_000  # of a distribution whose variance is shown

TESTS = {
    "E13": "test_E13_beta_ends_at_0_02",
    "E14": "test_E14_the_variances_of_two_independent_noises_add",
    "E15": "test_E15_alpha_bar_is_the_product_up_to_t",
    "E16": "test_E16_epsilon_is_the_summed_noise_not_that_of_step_t",
    "E17": "test_E17_the_density_is_divided_by_sigma",
    "E18": "test_E18_posterior_has_all_three_terms_in_the_exponent",
    "E19": "test_E19_posterior_variance",
    "E20": "test_E20_the_reverse_noise_has_a_fixed_standard_deviation",
    "E21": "test_E21_beta_below_1_does_not_bring_alpha_bar_to_0",
    "E22": "test_E22_no_noise_at_the_last_step",
}
TESTS_FILE = "tests/models/test_schedule.py"


def beta_end() -> dict[str, float]:
    """E13: alpha_bar at the end of 1000 steps for both ends of beta, and the share of the picture that is left."""
    right, notes = Schedule.linear().alpha_bar[-1], Schedule.linear(end=0.002).alpha_bar[-1]
    return {"right": right, "notes": notes, "signal": 100 * np.sqrt(notes), "left": 100 * np.sqrt(right)}


def two_noises() -> dict[str, float]:
    """E14: the variance of two steps' noise, alpha = 0.9 then 0.8, with two noises and with one used twice."""
    schedule, clean = Schedule.of(np.array([0.1, 0.2])), np.zeros(DRAWS)
    first, second = (noise(1, 0, (DRAWS,), t).astype(np.float64) for t in (0, 1))
    after = forward_step(schedule, clean, first, 0)
    return {
        "exact": 1 - schedule.alpha_bar[1],
        "right": forward_step(schedule, after, second, 1).var(),
        "notes": forward_step(schedule, after, first, 1).var(),
    }


def product_to_t() -> dict[str, float]:
    """E15: alpha_bar at the first step, in the middle, at the end; the notes' product is the last for every t."""
    alpha_bar = Schedule.linear().alpha_bar
    return {"first": alpha_bar[0], "middle": alpha_bar[499], "last": alpha_bar[999]}


def summed_noise() -> dict[str, float]:
    """E16: error of x0 read back from x_500 with all of its noise, and with that of the last step alone."""
    schedule, x0 = Schedule.linear(), np.linspace(-1, 1, 64)
    x, last = x0, x0
    for t in range(500):
        last = noise(5, 1, (64,), t).astype(np.float64)
        x = forward_step(schedule, x, last, t)
    level = schedule.alpha_bar[499]
    summed = to_epsilon("x0", x, x0, level)
    return {
        "right": float(np.abs(to_x0("epsilon", x, summed, level) - x0).max()),
        "notes": float(np.abs(to_x0("epsilon", x, last, level) - x0).max()),
    }


def density() -> dict[str, float]:
    """E17: integral over a Gaussian of sigma = 2, with sigma in front of the root and without."""
    x = np.linspace(-40, 40, 8001)
    bell = np.exp(-(x**2) / 8) / np.sqrt(2 * np.pi)
    return {"right": float(np.trapezoid(bell / 2, x)), "notes": float(np.trapezoid(bell, x))}


def brackets() -> dict[str, float]:
    """E18: mean and variance of the posterior at alpha = (0.9, 0.8), x0 = 1, x2 = 0.5; the notes' lines as printed.

    square: coefficient of x1^2 in the exponent of the first line, negative in any density. literal: the mean that
    the second line gives.
    """
    schedule, x0, x2 = Schedule.of(np.array([0.1, 0.2])), 1.0, 0.5
    found = posterior(schedule, np.asarray(x0), np.asarray(x2), 1)
    (_, beta), (before, _) = schedule.beta, schedule.alpha_bar
    alpha = schedule.alpha[1]
    square = -0.5 * alpha / beta + 1 / (1 - before)
    linear = 2 * np.sqrt(alpha) / beta * x2 + 2 * np.sqrt(before) / (1 - before) * x0
    literal = -linear / (alpha / beta + 1 / (1 - before))
    return {
        "mean": float(found.mean),
        "variance": float(found.variance),
        "square": square,
        "literal": literal,
    }


def posterior_variance() -> dict[str, float]:
    """E19: beta and the posterior's variance at t = 2, and the latter at t = 1, as the paper counts."""
    schedule, zero = Schedule.linear(), np.zeros(1)
    return {
        "beta": schedule.beta[1],
        "second": float(posterior(schedule, zero, zero, 1).variance),
        "first": float(posterior(schedule, zero, zero, 0).variance),
    }


def reverse_noise() -> dict[str, float]:
    """E20: the spread that one reverse step adds at t = 101, beside the root of beta and beta itself."""
    schedule, t, still = Schedule.linear(), 100, np.zeros(DRAWS)
    z = noise(3, 0, (DRAWS,), t).astype(np.float64)
    found = ddpm_step(schedule, "x0", still, still, t, noise=z, variance="fixed_large").previous
    return {"found": float(found.std()), "root": float(np.sqrt(schedule.beta[t])), "beta": schedule.beta[t]}


def limit() -> dict[str, float]:
    """E21: alpha_bar after 200 000 steps of beta = 1 / (t + 1)^2, and after 2000 of beta = 0.01."""
    n = np.arange(1, 200_001)
    return {
        "stays": float(Schedule.of(1 / (n + 1.0) ** 2).alpha_bar[-1]),
        "falls": float(Schedule.of(np.full(2000, 0.01)).alpha_bar[-1]),
    }


def last_step() -> dict[str, float]:
    """E22: how far samplers with two seeds end from each other, given the same x_1, and one step earlier."""
    schedule, x, output = Schedule.linear(), noise(1, 0, (16,)), noise(2, 0, (16,))

    def apart(t: int) -> float:
        a, b = (
            ddpm_step(
                schedule, "epsilon", output, x, t, noise=noise(seed, 0, (16,), t), variance="fixed_large"
            ).previous
            for seed in (10, 11)
        )
        return float(np.abs(a - b).max())

    return {"last": apart(0), "before": apart(1)}


NUMBERS = {
    "E13": beta_end,
    "E14": two_noises,
    "E15": product_to_t,
    "E16": summed_noise,
    "E17": density,
    "E18": brackets,
    "E19": posterior_variance,
    "E20": reverse_noise,
    "E21": limit,
    "E22": last_step,
}


def drowned(x0: np.ndarray, t: int, schedule: Schedule, seed: int = 0) -> np.ndarray:
    """A picture (C, H, W) at step t of a schedule, in closed form, always with the same noise."""
    return add_noise(x0, noise(seed, 0, x0.shape), schedule.alpha_bar[t])

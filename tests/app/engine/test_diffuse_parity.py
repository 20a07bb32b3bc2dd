"""Whole paths of the sampler are those of diffusers' schedulers driven by the same net and noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from diffusers import DDIMScheduler, DDPMScheduler

from app.engine import Model
from app.engine.base import finish
from app.engine.diffuse import Request, noise, predict, sample, sample_shape
from tests.app.engine.test_diffuse import Fake, Feeds, fake
from tests.models.test_schedule import THEIR_PREDICTION, THEIR_SCHEDULE, double


def waves(feeds: Feeds) -> np.ndarray:
    """A net of no sense that depends on everything it is given."""
    x, t, label = feeds["x"], feeds["timestep"][:, None, None, None], feeds["label"][:, None, None, None]
    return 0.6 * x + 0.5 * np.sin(2 * x.mean(axis=(2, 3), keepdims=True) + x[..., ::-1] + t / 300 + label)


def theirs(kind: Any, model: Model, ask: Request, **more: Any) -> np.ndarray:
    """x before every step and after the last, by diffusers' loop, in float64."""
    scheduler = kind(
        beta_schedule=THEIR_SCHEDULE[model.preprocess["schedule"]],
        prediction_type=THEIR_PREDICTION[model.preprocess["prediction"]],
        timestep_spacing=ask.spacing,
        clip_sample=ask.clip,
    )
    scheduler.set_timesteps(ask.steps)
    double(scheduler)
    shape = sample_shape(model)
    x = [np.stack([noise(ask.seed, i, shape) for i in range(len(ask.labels))]).astype(np.float64)]
    for t in scheduler.timesteps.tolist():
        output = predict(model, x[-1], t, ask.labels, ask.guidance)
        made = scheduler.step(torch.from_numpy(output), t, torch.from_numpy(x[-1]), **more)
        x.append(made.prev_sample.numpy())
    return np.stack(x)


@pytest.mark.parametrize("prediction", ["epsilon", "v", "x0"])
@pytest.mark.parametrize("schedule", ["linear", "cosine"])
@pytest.mark.parametrize("clip", [True, False])
def test_fifty_steps_of_ddim(schedule: str, prediction: str, clip: bool) -> None:
    """Within float32's rounding between the steps. Where x0 is clipped, the direction is taken from it, as theirs does
    with `use_clipped_model_output`."""
    model = fake(Fake(waves), schedule=schedule, prediction=prediction)
    ask = Request(labels=(0, 3), seed=6, steps=50, guidance=1.5, clip=clip)
    path = finish(sample(model, ask))
    reference = theirs(DDIMScheduler, model, ask, eta=0.0, use_clipped_model_output=clip)
    difference = np.abs(path.x - reference).max() / max(1, np.abs(reference).max())
    print(f"{schedule} {prediction} clip {clip}: largest difference {difference:.1e}")
    assert difference <= 1e-5


def test_a_thousand_steps_of_ddpm(monkeypatch: pytest.MonkeyPatch) -> None:
    """With our counted noise in place of theirs; the last frames and the samples."""
    model = fake(Fake(waves))
    ask = Request(labels=(0, 3), seed=6, steps=1000, sampler="ddpm", guidance=1)
    path = finish(sample(model, ask))
    left = iter(range(999, 0, -1))

    def counted(shape: Any, **_: Any) -> torch.Tensor:
        t = next(left)
        return torch.from_numpy(np.stack([noise(6, i, tuple(shape[1:]), t) for i in range(shape[0])]))

    monkeypatch.setattr("diffusers.schedulers.scheduling_ddpm.randn_tensor", counted)
    reference = theirs(DDPMScheduler, model, ask)
    difference = np.abs(path.x - reference[[*path.step, 1000]]).max()
    print(f"largest difference {difference:.1e}")
    assert difference <= 1e-4

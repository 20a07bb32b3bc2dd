"""One moment of a path from noise to picture: which path, which of its samples, which step.

What the sections of the diffusion page look at. All arrays are float32 in the net's own range, [-1, 1] for pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from app.engine import Model
from app.engine.diffuse import Path, Request


class Scene(Protocol):
    """What a moment is cut out of: the model and a finished path of a request."""

    @property
    def model(self) -> Model: ...
    @property
    def request(self) -> Request: ...
    @property
    def path(self) -> Path: ...


@dataclass(frozen=True, eq=False)
class Moment:
    """One sample of a path at one kept step.

    sample: index in the batch. frame: index of the kept frame, 0 is pure noise.
    """

    model: Model
    request: Request
    path: Path
    sample: int
    frame: int

    @property
    def t(self) -> int:
        """What the net is told: 0 .. steps of training - 1."""
        return int(self.path.t[self.frame])

    @property
    def shown_t(self) -> int:
        """The same as the paper counts, as the page shows it: 1 .. steps of training."""
        return self.t + 1

    @property
    def alpha_bar(self) -> float:
        return float(self.path.alpha_bar[self.frame])

    @property
    def label(self) -> int:
        """The class that was asked for; the number of classes is the null class."""
        return int(self.request.labels[self.sample])

    @property
    def x(self) -> np.ndarray:
        """(1, C, H, W) the picture before the step."""
        return np.asarray(self.path.x[self.frame, self.sample][None], np.float32)

    @property
    def x0(self) -> np.ndarray:
        """(1, C, H, W) the clean picture that was predicted at this step."""
        return np.asarray(self.path.x0[self.frame, self.sample][None], np.float32)

    @property
    def epsilon(self) -> np.ndarray:
        """(1, C, H, W) the noise that was predicted at this step."""
        return np.asarray(self.path.epsilon[self.frame, self.sample][None], np.float32)


def moment_of(scene: Scene, frame: int, sample: int) -> Moment:
    """The chosen step of the chosen sample; what lies outside of the path is brought to its nearest end."""
    path = scene.path
    return Moment(
        model=scene.model,
        request=scene.request,
        path=path,
        sample=min(max(0, sample), path.x.shape[1] - 1),
        frame=min(max(0, frame), len(path.t) - 1),
    )

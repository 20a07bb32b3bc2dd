"""Example inputs of any card, for exporting, probing and testing. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from models.card import InputSpec


def example(
    spec: InputSpec, config: Mapping[str, Any], lengths: Mapping[str, int], seed: int = 0
) -> np.ndarray:
    """A random input: floats in [0, 1), integers in their range, an optional input near its default.

    lengths: of the axes that may have any; those that may not follow the config.
    """
    random = np.random.default_rng(seed)
    if spec.default is not None:
        return np.asarray(spec.default + 0.25 * random.random(spec.shape), np.float32)
    known = {**lengths, **spec.fixed(config)}
    shape = [known[axis] for axis in spec.axes]
    if spec.dtype == "int64":
        return random.integers(spec.limit(config, known), size=shape)
    return random.random(shape, dtype=np.float32)

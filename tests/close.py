"""One measure of closeness for every comparison: the largest difference against the larger of 1 and the values."""

from __future__ import annotations

from typing import Any

import numpy as np

PARITY = 1e-5  # with a reference library, in float32
ENGINES = 1e-4  # between torch and ONNX Runtime


def distance(a: Any, b: Any) -> float:
    """max |a - b| / max(1, max |b|); infinite where shapes differ or a value is not finite."""
    a, b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if a.shape != b.shape or not np.isfinite(a).all():
        return float("inf")
    return float(np.abs(a - b).max(initial=0.0) / max(1.0, np.abs(b).max(initial=0.0)))

"""Names of the 1000 ImageNet classes, in the order of the official weights' outputs.

English: torchvision's list (BSD-3-Clause). Chinese: our own translation.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("imagenet_classes.json")


@cache
def imagenet_classes(language: str) -> tuple[str, ...]:
    """1000 names in "en" or "zh"; English for another language."""
    names = json.loads(FILE.read_text("utf-8"))
    return tuple(names.get(language, names["en"]))

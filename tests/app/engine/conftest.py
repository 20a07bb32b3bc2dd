"""Tiny models with exported graphs, made once."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.engine import Model, load, unload_all
from models.registry import MODELS
from tests.app.engine import helpers
from tests.app.engine.helpers import random_weights

ROOT = Path(__file__).parents[3]

ANY_WEIGHTS = {"swinir": "x2", "resnet18": "emoji", "ddpm": "digits"}


def sources() -> str:
    """Hash of everything the exported graphs follow from."""
    digest = hashlib.sha256()
    for path in sorted((ROOT / "models").rglob("*.py")):
        if "training" not in path.parts and "checkpoints" not in path.parts:
            digest.update(path.read_bytes())
    digest.update(Path(helpers.__file__).read_bytes())
    return digest.hexdigest()[:16]


@pytest.fixture(scope="session")
def tiny_folder(pytestconfig: pytest.Config) -> Path:
    """<slug>.onnx.gz and <slug>.safetensors of the cards' tiny presets.

    Exporting takes ten seconds, so they lie in pytest's cache and are made again when a model's source changes.
    """
    assert pytestconfig.cache is not None
    folder = pytestconfig.cache.mkdir("vitrine-tiny") / sources()
    if not folder.exists():
        from models.export import export

        new = folder.with_name(f"{folder.name}.{os.getpid()}")
        for slug in ANY_WEIGHTS:
            export(MODELS[slug], dict(MODELS[slug].tiny), new / f"{slug}.onnx.gz")
            random_weights(new / f"{slug}.onnx.gz", new / f"{slug}.safetensors")
        try:
            new.rename(folder)  # at once, so that no other worker sees half of it
        except OSError:
            shutil.rmtree(new)  # another worker was quicker
    return folder


@pytest.fixture
def tiny(tiny_folder: Path) -> Iterator[Callable[[str, str], Model]]:
    """tiny(slug, engine) -> a loaded model of the tiny preset."""

    def make(slug: str, engine: str) -> Model:
        return load(
            slug,
            ANY_WEIGHTS[slug],
            engine,
            weights_file=tiny_folder / f"{slug}.safetensors",
            graph_file=tiny_folder / f"{slug}.onnx.gz",
            config=MODELS[slug].tiny,
        )

    yield make
    unload_all()

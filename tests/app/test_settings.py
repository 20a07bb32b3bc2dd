"""Settings come from the environment, and a wrong value names its variable."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.settings import Settings, cores, settings


def test_defaults() -> None:
    read = Settings.read({})
    assert read == Settings()
    assert read.engine == "" and read.threads == cores() and read.cache.is_absolute()


def test_values() -> None:
    read = Settings.read(
        {"VITRINE_ENGINE": "ONNX", "VITRINE_THREADS": "3", "VITRINE_CACHE": "/c", "VITRINE_TILE": " "}
    )
    assert (read.engine, read.threads, read.cache, read.tile) == ("onnx", 3, Path("/c"), 0)
    assert Settings.read({"VITRINE_MAX_TAPS_MB": "0.5"}).max_taps_mb == 0.5


@pytest.mark.parametrize("value", ["many", "-1", "nan"])
def test_wrong_value_names_the_variable(value: str) -> None:
    with pytest.raises(ValueError, match="VITRINE_MAX_TAPS_MB"):
        Settings.read({"VITRINE_MAX_TAPS_MB": value})


def test_follows_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRINE_QUEUE_LENGTH", "5")
    assert settings().queue_length == 5
    monkeypatch.setenv("VITRINE_QUEUE_LENGTH", "6")
    assert settings().queue_length == 6

"""The folder that downloaded weights go to: paths, a lock between processes, and the hashes that were recorded.

<cache>/weights/<slug>/<id>.safetensors     converted, checked, ready for both engines
<cache>/weights/<slug>/<id>.part            what a download has got so far, with <id>.part.json: where it is from
<cache>/weights/<slug>/dropped/…           files given by hand whose hash proves nothing, each under its own hash
<cache>/weights/hashes.json                 SHA-256 of every official file at its first download
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedRandom
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save_file

from models.card import ModelCard, Weights
from models.weights_io import BadWeights

try:
    import fcntl
except (
    ImportError
):  # Windows: two downloads at once may both fetch; the file is still put in place in one step
    fcntl = None  # type: ignore[assignment]


def cache_dir() -> Path:
    """VITRINE_CACHE, or ~/.cache/vitrine. Not made here."""
    return Path(os.environ.get("VITRINE_CACHE", "").strip() or "~/.cache/vitrine").expanduser() / "weights"


def path_of(card: ModelCard, weights: Weights, suffix: str = ".safetensors") -> Path:
    """A file of these weights in the cache. Slug and id are names from a card, never a user's."""
    return cache_dir() / card.slug / f"{weights.id}{suffix}"


def dropped_path(card: ModelCard, weights: Weights, digest: str) -> Path:
    """A file given by hand, by the hash of what was given."""
    return cache_dir() / card.slug / "dropped" / f"{weights.id}-{digest[:32]}.safetensors"


def keep_newest(folder: Path, count: int = 4) -> None:
    """Remove all but the newest weights files of a folder: what visitors drop must not fill the disk."""
    files = sorted(folder.glob("*.safetensors"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in files[count:]:
        path.unlink(missing_ok=True)


def make_folder(folder: Path) -> None:
    """Raises BadWeights("weights.cache_not_writable") where it cannot be made or written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadWeights("weights.cache_not_writable") from error
    if not os.access(folder, os.W_OK):
        raise BadWeights("weights.cache_not_writable")


class Lock:
    """A lock on a file, between threads and between processes; the system frees it when its holder dies."""

    def __init__(self, path: Path):
        self.path = path
        self._file: BufferedRandom | None = None

    def acquire(self) -> bool:
        """Take it if it is free, at once. Raises BadWeights where the lock file cannot be opened."""
        try:
            file = self.path.open("a+b")
        except OSError as error:
            raise BadWeights("weights.cache_not_writable") from error
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                return False
        self._file = file
        return True

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """A path to write to; when all went well it takes the target's place in one step, otherwise it is removed."""
    temporary = target.with_name(f".{target.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_state(target: Path, state: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Store float32 weights. Raises BadWeights("weights.disk_full" or "weights.cache_not_writable")."""
    make_folder(target.parent)
    try:
        with replacing(target) as temporary:
            save_file(dict(state), str(temporary), metadata=dict(metadata))
    except (OSError, SafetensorError) as error:
        raise writing_failed(error, sum(a.nbytes for a in state.values()), target.parent) from error


def writing_failed(error: Exception, needed: int, folder: Path) -> BadWeights:
    """The sentence for a failed write: no room, or no permission."""
    free = free_bytes(folder)
    if free < needed or "No space left" in str(error):
        return BadWeights("weights.disk_full", needed=round(needed / 1e6), free=round(free / 1e6))
    return BadWeights("weights.cache_not_writable")


def free_bytes(folder: Path) -> int:
    stat = os.statvfs(folder) if hasattr(os, "statvfs") else None
    return stat.f_bavail * stat.f_frsize if stat else 1 << 62


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def recorded_hashes() -> dict[str, str]:
    """SHA-256 of each official file as first downloaded here, by "<slug>/<id>"."""
    try:
        found = json.loads((cache_dir() / "hashes.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


def record_hash(name: str, digest: str) -> None:
    """Write down the hash of a first download; one that stands already is kept."""
    lock = Lock(cache_dir() / "hashes.lock")
    while not lock.acquire():  # held for one small write
        time.sleep(0.01)
    try:
        hashes = recorded_hashes()
        hashes.setdefault(name, digest)
        with replacing(cache_dir() / "hashes.json") as temporary:
            temporary.write_text(json.dumps(hashes, indent=1, sort_keys=True) + "\n", "utf-8")
    except OSError as error:
        raise writing_failed(error, 4096, cache_dir()) from error
    finally:
        lock.release()

"""Official weights: where they are, how they are fetched, checked and given our names.

A checkpoint becomes a safetensors file of float32 tensors in the cache, which both engines read:

    locate(card, weights)            the file, if it is on this machine
    download(card, weights, cancel)  fetch, check the hash, convert; yields Steps
    accept(card, weights, file)      the same for a file that the user has (safetensors, or .pth where torch is)

Everything that can go wrong is a BadWeights whose reason is a message id. Imports neither torch nor an HTTP client
before they are needed.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from models.card import ModelCard, Weights
from models.checkpoints import store
from models.weights_io import BadWeights

if TYPE_CHECKING:
    from models.checkpoints.fetch import Cancel, Step

__all__ = ["accept", "download", "expected_shapes", "forget", "locate", "obstacle", "url_of"]


def locate(card: ModelCard, weights: Weights) -> Path | None:
    """The safetensors file of these weights on this machine, or None."""
    path = card.embedded_path(weights) if weights.origin == "embedded" else store.path_of(card, weights)
    return path if path.is_file() else None


def obstacle(weights: Weights) -> str | None:
    """Message id of what stands against a download on this machine, to be said before it is offered; or None."""
    from models.checkpoints.convert import torch_is_here

    return "weights.pth_needs_torch" if weights.url.endswith(".pth") and not torch_is_here() else None


def url_of(weights: Weights) -> str:
    """Where the file comes from: the card's address, or the same file name below VITRINE_WEIGHTS_MIRROR."""
    mirror = os.environ.get("VITRINE_WEIGHTS_MIRROR", "").strip().rstrip("/")
    return f"{mirror}/{weights.url.rsplit('/', 1)[-1]}" if mirror else weights.url


def expected_shapes(card: ModelCard, weights: Weights) -> dict[str, tuple[int, ...]]:
    """Name and shape of every tensor that these weights must have."""
    from models.checkpoints import convert

    return convert.expected_shapes(card, weights)


def download(card: ModelCard, weights: Weights, cancel: Cancel | None = None) -> Iterator[Step]:
    """Fetch official weights into the cache. Yields Steps; the last one carries the finished file.

    A second caller, in this process or another, waits for the first and gets its file. Cancelled, or closed half way,
    it ends without a result and goes on from there the next time. Raises BadWeights.
    """
    from models.checkpoints import convert, fetch

    reason = obstacle(weights)
    if reason is not None:
        raise BadWeights(reason)
    target, part = store.path_of(card, weights), store.path_of(card, weights, ".part")
    store.make_folder(target.parent)
    lock = store.Lock(store.path_of(card, weights, ".lock"))
    try:
        while not lock.acquire():
            if cancel is not None and cancel.is_set():
                return
            yield fetch.Step(part.stat().st_size if part.is_file() else 0, weights.size)
            time.sleep(fetch.TICK)
        if not target.is_file():
            complete = yield from fetch.fetch(url_of(weights), part, cancel)
            if not complete:
                return
            try:
                digest = store.sha256(part)
                verified = _check_hash(card, weights, digest)
                state = convert.to_ours(card, weights, convert.read_checkpoint(part))
                store.write_state(target, state, dict(source="download", sha256=digest, verified=verified))
                if not weights.sha256:
                    store.record_hash(f"{card.slug}/{weights.id}", digest)
            except BadWeights as error:
                if error.reason != "weights.disk_full":  # otherwise it need not be fetched twice
                    fetch.forget(part)
                raise
            fetch.forget(part)
        size = target.stat().st_size
        yield fetch.Step(size, size, 0.0, target)
    finally:
        lock.release()


def _check_hash(card: ModelCard, weights: Weights, digest: str) -> str:
    """ "published" or "recorded": what the file's hash was held against. Raises BadWeights where it differs."""
    if weights.sha256:
        if not digest.startswith(weights.sha256.lower()):
            raise BadWeights("weights.wrong_hash", expected=weights.sha256, got=digest[: len(weights.sha256)])
        return "published"
    known = store.recorded_hashes().get(f"{card.slug}/{weights.id}", digest)
    if known != digest:
        raise BadWeights("weights.hash_changed", expected=known[:16], got=digest[:16])
    return "recorded"


def accept(card: ModelCard, weights: Weights, source: Path | bytes) -> Path:
    """Take a file that the user has for these weights, under official names or ours. Returns the converted file.

    Keys, shapes and values are checked. Where the file's hash is the published or recorded one, it becomes the
    official weights of this machine, which `locate` finds. Any other file may hold any numbers: it is kept apart,
    under its own hash, and only who is told the path uses it. Raises BadWeights; what was there before then stays.
    """
    from models.checkpoints import convert

    digest = store.sha256(source) if isinstance(source, Path) else hashlib.sha256(source).hexdigest()
    proven = _proven(card, weights, digest)
    target = store.path_of(card, weights) if proven else store.dropped_path(card, weights, digest)
    store.make_folder(target.parent)
    if isinstance(source, Path):
        tensors = convert.read_checkpoint(source)
    else:
        temporary = target.with_name(f".{weights.id}.{os.getpid()}.{secrets.token_hex(4)}.dropped")
        try:
            temporary.write_bytes(source)
            tensors = convert.read_checkpoint(temporary)
        except OSError as error:
            raise store.writing_failed(error, len(source), target.parent) from error
        finally:
            temporary.unlink(missing_ok=True)
    verified = "hash" if proven else "shapes"
    store.write_state(target, convert.to_ours(card, weights, tensors), dict(source="file", verified=verified))
    if not proven:
        store.keep_newest(target.parent)
    return target


def _proven(card: ModelCard, weights: Weights, digest: str) -> bool:
    """Whether a file with this hash is the official one."""
    if weights.sha256:
        return digest.startswith(weights.sha256.lower())
    return store.recorded_hashes().get(f"{card.slug}/{weights.id}") == digest


def forget(card: ModelCard, weights: Weights) -> None:
    """Remove downloaded weights from the cache. The recorded hash stays."""
    from models.checkpoints import fetch

    store.path_of(card, weights).unlink(missing_ok=True)
    fetch.forget(store.path_of(card, weights, ".part"))

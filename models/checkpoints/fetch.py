"""Fetch one large file over HTTP: with progress, resumed where it stopped, cancelled at any time.

Only https; plain http is taken from this machine alone (a mirror set by VITRINE_WEIGHTS_MIRROR). What has arrived
stays in `<name>.part`; beside it `<name>.part.json` notes where it came from and the server's mark (ETag or date)
of that version, so that two versions are never glued together.
"""

from __future__ import annotations

import errno
import json
import re
import time
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urljoin, urlsplit

import requests  # Streamlit needs it too; it brings its own certificates, which Python on macOS does not

from models.checkpoints.store import free_bytes, writing_failed
from models.weights_io import BadWeights

MAX_BYTES = 1 << 30  # far above every file that a card names
CHUNK = 1 << 14
TIMEOUT = (10.0, 20.0)  # seconds to connect, and without a byte
ATTEMPTS = 4  # a cut connection is taken up again
PAUSE = 0.4  # seconds before the second attempt, doubled each time
REDIRECTS = 5
TICK = 0.1  # seconds between two reports


class Cancel(Protocol):
    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class Step:
    """How far a download is. done, total: bytes (total 0 where the server does not say). eta: seconds or None.

    result: the finished file, in the last step only.
    """

    done: int
    total: int
    eta: float | None = None
    result: Path | None = None


class _Cut(Exception):
    """The connection broke or the server faltered: worth another attempt."""

    def __init__(self, failure: BadWeights):
        super().__init__(failure.reason)
        self.failure = failure


def fetch(url: str, part: Path, cancel: Cancel | None = None) -> Generator[Step, None, bool]:
    """Fill `part` with the file at `url`. The generator's value is False where it was cancelled.

    Raises BadWeights: "weights.no_connection", "weights.not_found", "weights.http_status", "weights.bad_reply",
    "weights.not_https", "weights.too_large", "weights.download_broken", "weights.disk_full",
    "weights.cache_not_writable".
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return (yield from _transfer(url, part, cancel))
        except _Cut as cut:
            if attempt == ATTEMPTS:
                raise cut.failure from cut
        until = time.monotonic() + PAUSE * 2 ** (attempt - 1)
        while time.monotonic() < until:
            if cancel is not None and cancel.is_set():
                return False
            time.sleep(min(TICK, PAUSE))
    raise AssertionError("every attempt returns or raises")


def _transfer(url: str, part: Path, cancel: Cancel | None) -> Generator[Step, None, bool]:
    """One connection: take up `part` where that is safe, start it again otherwise."""
    host = urlsplit(url).hostname or url
    note = _read_note(part)
    have = part.stat().st_size if part.is_file() else 0
    mark = note.get("mark") if note.get("url") == url else None
    start = have if mark else 0
    headers = {"User-Agent": "vitrine", "Accept-Encoding": "identity"}
    if start:
        headers |= {"Range": f"bytes={start}-", "If-Range": str(mark)}
    with closing(_open(url, headers)) as response:
        status = response.status_code
        if status == 416 and start and note.get("total") == start:
            return True  # it was complete already
        if status in (404, 410):
            raise BadWeights("weights.not_found", host=host)
        if status == 416 or status == 429 or status >= 500:
            if status == 416:
                forget(part)
            raise _Cut(BadWeights("weights.http_status", host=host, status=status))
        if status not in (200, 206):
            raise BadWeights("weights.http_status", host=host, status=status)
        if response.headers.get("Content-Encoding", "identity") != "identity" or response.headers.get(
            "Content-Type", ""
        ).startswith("text/"):
            raise BadWeights("weights.bad_reply", host=host)  # the sign-in page of a network, for example
        total = _length(response)
        if status == 206:
            first, total = _content_range(response)
            if first != start or total != note.get("total") or _mark(response) not in (None, mark):
                forget(part)
                raise _Cut(BadWeights("weights.bad_reply", host=host))
        else:
            start = 0
        if total > MAX_BYTES:
            raise _too_large(total)
        needed = 2 * total - start  # the rest of the file, and its conversion
        if free_bytes(part.parent) < needed:
            free = round(free_bytes(part.parent) / 1e6)
            raise BadWeights("weights.disk_full", needed=round(needed / 1e6), free=free)
        return (yield from _receive(response, url, part, start, total, cancel))


def _receive(
    response: requests.Response, url: str, part: Path, start: int, total: int, cancel: Cancel | None
) -> Generator[Step, None, bool]:
    """Write the body of a reply behind the first `start` bytes of `part`."""
    host = urlsplit(url).hostname or url
    done, began, reported = start, time.monotonic(), 0.0
    blocks = response.iter_content(CHUNK)
    try:
        file = part.open("r+b" if start else "wb", buffering=0)
        _write_note(part, dict(url=url, mark=_mark(response), total=total))
    except OSError as error:
        raise writing_failed(error, total, part.parent) from error
    with file:
        file.seek(start)
        while True:
            if cancel is not None and cancel.is_set():
                return False
            try:
                block = next(blocks, b"")
            except (requests.RequestException, OSError) as error:
                raise _Cut(_broken(host, done, total)) from error
            if not block:
                break
            done += len(block)
            if done > MAX_BYTES:
                forget(part)
                raise _too_large(done)
            try:
                if file.write(block) != len(block):
                    raise OSError(errno.ENOSPC, "No space left on device")
            except OSError as error:
                raise writing_failed(error, max(0, total - done), part.parent) from error
            now = time.monotonic()
            if now - reported >= TICK:
                reported = now
                rate = (done - start) / max(now - began, 1e-3)
                yield Step(done, total, (total - done) / rate if total and rate else None)
    if done < total:
        raise _Cut(_broken(host, done, total))
    yield Step(done, total or done, 0.0)
    return True


def _too_large(size: int) -> BadWeights:
    return BadWeights("weights.too_large", megabytes=round(size / 1e6), limit=round(MAX_BYTES / 1e6))


def _broken(host: str, done: int, total: int) -> BadWeights:
    return BadWeights(
        "weights.download_broken", host=host, done=f"{done / 1e6:.1f}", total=f"{total / 1e6:.1f}"
    )


def _open(url: str, headers: dict[str, str]) -> requests.Response:
    """GET, redirects followed as long as they stay on https (or on this machine)."""
    here = _is_local(url)
    for _ in range(REDIRECTS + 1):
        parts = urlsplit(url)
        host = parts.hostname or url
        if parts.scheme != "https" and not (here and _is_local(url)):
            raise BadWeights("weights.not_https", host=host)
        try:
            response = requests.get(
                url, headers=headers, stream=True, allow_redirects=False, timeout=TIMEOUT, auth=_no_login
            )
        except (requests.ConnectionError, requests.Timeout) as error:
            raise _Cut(BadWeights("weights.no_connection", host=host)) from error
        except (requests.RequestException, ValueError) as error:
            raise BadWeights("weights.no_connection", host=host) from error
        if response.status_code not in (301, 302, 303, 307, 308):
            return response
        url = urljoin(url, response.headers.get("Location", ""))
        response.close()
    raise BadWeights("weights.bad_reply", host=urlsplit(url).hostname or url)


def _no_login(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """Send no name or password, not even one that a .netrc holds for this host."""
    return request


def _is_local(url: str) -> bool:
    parts = urlsplit(url)
    return parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1", "::1")


def _length(response: requests.Response) -> int:
    text = response.headers.get("Content-Length", "")
    return int(text) if text.isdigit() else 0


def _content_range(response: requests.Response) -> tuple[int, int]:
    """(first byte, total) of a partial reply; (-1, 0) where it does not say."""
    found = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", response.headers.get("Content-Range", ""))
    return (int(found[1]), int(found[2])) if found else (-1, 0)


def _mark(response: requests.Response) -> str | None:
    """What names this version of the file: a strong ETag, or the date of its last change."""
    etag = response.headers.get("ETag", "")
    return etag if etag.startswith('"') else response.headers.get("Last-Modified")


def _note_path(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _read_note(part: Path) -> dict[str, Any]:
    try:
        note = json.loads(_note_path(part).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return note if isinstance(note, dict) else {}


def _write_note(part: Path, note: dict[str, object]) -> None:
    temporary = part.with_name(f"{part.name}.json.new")
    temporary.write_text(json.dumps(note), "utf-8")
    temporary.replace(_note_path(part))


def forget(part: Path) -> None:
    """Remove a partial download and its note."""
    part.unlink(missing_ok=True)
    _note_path(part).unlink(missing_ok=True)

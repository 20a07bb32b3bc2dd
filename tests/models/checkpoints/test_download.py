"""Fetching official weights: resumed, held to its hash, cancelled, and every failure answered by a message id."""

from __future__ import annotations

import hashlib
import io
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from models import checkpoints
from models.card import ModelCard, Weights
from models.checkpoints import fetch, store
from models.cnn.resnet18 import ResNet18, ResNet18Config
from models.cnn.resnet18_card import CARD
from models.weights_io import BadWeights, load_weights
from tests.models.checkpoints.server import FileServer

CONFIG: dict[str, int] = dict(num_classes=7, width=16)


def official_bytes(seed: int = 0) -> bytes:
    """A small ResNet18 in torchvision's layout, as torch.save writes it (about 800 kB)."""
    torch.manual_seed(seed)
    state = dict(ResNet18(ResNet18Config(**CONFIG)).state_dict())
    assert "bn1.num_batches_tracked" in state
    buffer = io.BytesIO()
    torch.save(state, buffer)
    return buffer.getvalue()


BODY = official_bytes()


def weights_of(body: bytes | None = BODY, prefix: int = 8) -> Weights:
    """An official entry of that size; with a published hash prefix, or none."""
    return Weights(
        id="small",
        origin="official",
        config=CONFIG,
        graph="no-such-graph",
        url="https://example.invalid/models/small-0000.pth",
        sha256="" if body is None else hashlib.sha256(body).hexdigest()[:prefix],
        layout="torchvision",
    )


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FileServer]:
    monkeypatch.setenv("VITRINE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(fetch, "PAUSE", 0.01)
    with FileServer(BODY).running() as running:
        monkeypatch.setenv("VITRINE_WEIGHTS_MIRROR", running.url)
        yield running


def finish(weights: Weights, card: ModelCard = CARD) -> Path:
    steps = list(checkpoints.download(card, weights))
    assert steps[-1].result is not None
    return steps[-1].result


def reason(weights: Weights) -> BadWeights:
    with pytest.raises(BadWeights) as caught:
        list(checkpoints.download(CARD, weights))
    assert checkpoints.locate(CARD, weights) is None
    return caught.value


def part_of(weights: Weights) -> Path:
    return store.path_of(CARD, weights, ".part")


def test_download_converts_and_stays(server: FileServer) -> None:
    weights = weights_of()
    assert checkpoints.locate(CARD, weights) is None
    steps = list(checkpoints.download(CARD, weights))
    path = checkpoints.locate(CARD, weights)
    assert path is not None and steps[-1].result == path
    counted = [step.done for step in steps[:-1]]
    assert counted == sorted(counted) and counted[-1] == len(BODY) == steps[-2].total
    state = load_weights(path)
    assert all(value.dtype == np.float32 for value in state.values())
    assert not any("num_batches" in name for name in state)
    model = ResNet18(ResNet18Config(**CONFIG))
    model.load_state_dict({k: torch.from_numpy(v) for k, v in state.items()}, strict=False)
    assert server.requests == [("/small-0000.pth", "")]
    assert finish(weights) == path  # again: nothing is fetched
    assert len(server.requests) == 1
    assert not part_of(weights).exists()
    assert sorted(p.name for p in path.parent.iterdir()) == ["small.lock", "small.safetensors"]


def test_cut_connection_goes_on_where_it_stopped(server: FileServer) -> None:
    cut = 12 * fetch.CHUNK
    server.cut_at, server.cuts = cut, 2
    finish(weights_of())
    assert [asked for _, asked in server.requests] == ["", f"bytes={cut}-", f"bytes={2 * cut}-"]


def test_cut_for_good_keeps_what_arrived_and_the_next_try_goes_on(server: FileServer) -> None:
    weights = weights_of()
    cut = 6 * fetch.CHUNK
    server.cut_at, server.cuts = cut, fetch.ATTEMPTS
    error = reason(weights)
    assert error.reason == "weights.download_broken"
    assert error.details == dict(host="127.0.0.1", done="0.4", total=f"{len(BODY) / 1e6:.1f}")
    assert part_of(weights).stat().st_size == cut * fetch.ATTEMPTS
    server.requests.clear()
    finish(weights)
    assert server.requests == [("/small-0000.pth", f"bytes={cut * fetch.ATTEMPTS}-")]


def test_a_server_without_ranges_starts_again(server: FileServer) -> None:
    server.ranges, server.cut_at, server.cuts = False, 300_000, 1
    finish(weights_of())
    assert len(server.requests) == 2


def test_a_new_version_is_never_glued_to_the_old_one(server: FileServer) -> None:
    weights = weights_of(None)
    server.cut_at, server.cuts = 100_000, fetch.ATTEMPTS
    assert reason(weights).reason == "weights.download_broken"
    server.body, server.etag = official_bytes(seed=1), '"two"'
    path = finish(weights)
    assert store.recorded_hashes() == {"resnet18/small": hashlib.sha256(server.body).hexdigest()}
    assert load_weights(path)["fc.weight"].shape == (7, 128)


def test_a_server_that_ignores_if_range_is_noticed(server: FileServer) -> None:
    weights = weights_of(None)
    server.cut_at, server.cuts = 100_000, fetch.ATTEMPTS
    assert reason(weights).reason == "weights.download_broken"
    server.body, server.etag, server.honours_if_range = official_bytes(seed=1), '"two"', False
    finish(weights)
    assert store.recorded_hashes()["resnet18/small"] == hashlib.sha256(server.body).hexdigest()


def test_without_a_version_mark_it_starts_again(server: FileServer) -> None:
    server.etag, server.cut_at, server.cuts = "", 100_000, 1
    finish(weights_of())
    assert [asked for _, asked in server.requests] == ["", ""]


def test_a_part_that_was_complete_already(server: FileServer) -> None:
    weights = weights_of()
    part = part_of(weights)
    store.make_folder(part.parent)
    part.write_bytes(BODY)
    note = dict(url=checkpoints.url_of(weights), mark='"one"', total=len(BODY))
    part.with_name("small.part.json").write_text(json.dumps(note))
    finish(weights)
    assert server.requests == [("/small-0000.pth", f"bytes={len(BODY)}-")]


def test_unknown_length(server: FileServer) -> None:
    server.chunked = True
    steps = list(checkpoints.download(CARD, weights_of()))
    assert steps[0].total == 0 and steps[-1].result is not None


def test_redirects_are_followed_on_this_machine(server: FileServer) -> None:
    server.redirect = "/moved/small.pth"
    finish(weights_of())
    assert [path for path, _ in server.requests] == ["/small-0000.pth", "/moved/small.pth"]


def test_redirects_do_not_leave_encryption(server: FileServer) -> None:
    server.redirect = "http://example.invalid/x.pth"
    error = reason(weights_of())
    assert (error.reason, error.details) == ("weights.not_https", dict(host="example.invalid"))


def test_a_circle_of_redirects_ends(server: FileServer) -> None:
    server.redirect = "/small-0000.pth"
    assert reason(weights_of()).reason == "weights.bad_reply"
    assert len(server.requests) == fetch.REDIRECTS + 1


@pytest.mark.parametrize("mirror", ["http://example.invalid", "ftp://example.invalid", "file:///etc"])
def test_only_https_or_this_machine(server: FileServer, monkeypatch: pytest.MonkeyPatch, mirror: str) -> None:
    monkeypatch.setenv("VITRINE_WEIGHTS_MIRROR", mirror)
    assert reason(weights_of()).reason == "weights.not_https"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (404, "weights.not_found"),
        (410, "weights.not_found"),
        (403, "weights.http_status"),
        (503, "weights.http_status"),
    ],
)
def test_errors_of_the_server(server: FileServer, status: int, expected: str) -> None:
    server.status, server.errors = status, -1
    error = reason(weights_of())
    assert error.reason == expected and error.details["host"] == "127.0.0.1"


def test_a_passing_error_is_tried_again(server: FileServer) -> None:
    server.status, server.errors = 503, 2
    finish(weights_of())


def test_no_server(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VITRINE_WEIGHTS_MIRROR", "http://127.0.0.1:9")
    assert reason(weights_of()).reason == "weights.no_connection"


def test_a_stalled_server(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "TIMEOUT", (0.2, 0.2))
    monkeypatch.setattr(fetch, "ATTEMPTS", 2)
    server.delay = 0.6
    assert reason(weights_of()).reason == "weights.download_broken"


def test_a_sign_in_page_is_not_a_model(server: FileServer) -> None:
    server.content_type = "text/html; charset=utf-8"
    assert reason(weights_of()).reason == "weights.bad_reply"
    server.content_type, server.encoding = "application/octet-stream", "gzip"
    assert reason(weights_of()).reason == "weights.bad_reply"


def test_wrong_bytes_are_deleted(server: FileServer) -> None:
    weights = weights_of()
    server.body = official_bytes(seed=1)
    error = reason(weights)
    assert error.reason == "weights.wrong_hash" and error.details["expected"] == weights.sha256
    assert not part_of(weights).exists()
    server.body, server.etag = BODY, '"right"'
    finish(weights)


def test_the_first_hash_is_recorded_and_held_to(server: FileServer) -> None:
    weights = weights_of(None)
    finish(weights)
    assert store.recorded_hashes() == {"resnet18/small": hashlib.sha256(BODY).hexdigest()}
    checkpoints.forget(CARD, weights)
    server.body = official_bytes(seed=1)
    assert reason(weights).reason == "weights.hash_changed"
    server.body = BODY
    finish(weights)


def test_nothing_is_recorded_of_a_file_that_does_not_fit(server: FileServer) -> None:
    server.body = b"<html>no model</html>"
    assert reason(weights_of(None)).reason == "weights.unknown_file"
    assert store.recorded_hashes() == {}


def test_cancel_and_go_on(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "TICK", 0.0)
    server.delay = 0.005
    weights, cancel, seen = weights_of(), threading.Event(), 0
    for step in checkpoints.download(CARD, weights, cancel):
        seen = step.done
        if seen > 100_000:
            cancel.set()
    assert checkpoints.locate(CARD, weights) is None
    assert 100_000 < part_of(weights).stat().st_size < len(BODY)
    server.requests.clear()
    finish(weights)
    assert server.requests[0][1].startswith("bytes=")


def test_a_closed_tab_frees_the_lock(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "TICK", 0.0)
    weights = weights_of()
    steps = checkpoints.download(CARD, weights)
    next(steps)
    steps.close()  # type: ignore[attr-defined]
    finish(weights)


def test_two_at_once_fetch_once(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.delay = 0.002
    weights, found = weights_of(), []
    threads = [threading.Thread(target=lambda: found.append(finish(weights))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1
    assert len(server.requests) == 1


def test_the_lock_holds_between_processes(tmp_path: Path) -> None:
    lock = store.Lock(tmp_path / "x.lock")
    assert lock.acquire()
    code = "import sys; from pathlib import Path; from models.checkpoints.store import Lock; "
    code += f"sys.exit(3 if Lock(Path({str(tmp_path / 'x.lock')!r})).acquire() else 4)"
    command = [sys.executable, "-c", code]
    assert subprocess.run(command, timeout=120).returncode == 4
    lock.release()
    assert subprocess.run(command, timeout=120).returncode == 3


def test_a_full_disk_is_said_before_the_download(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "free_bytes", lambda folder: 1_000_000)
    error = reason(weights_of())
    assert error.reason == "weights.disk_full" and error.details["free"] == 1


def test_a_disk_that_fills_up(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    full = OSError(28, "No space left on device")

    def failing(*_: object, **__: object) -> None:
        raise full

    monkeypatch.setattr(store, "save_file", failing)
    weights = weights_of()
    assert reason(weights).reason == "weights.disk_full"
    assert part_of(weights).stat().st_size == len(BODY)  # need not be fetched twice
    monkeypatch.undo()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_disk_that_fills_up_while_fetching(server: FileServer, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = Path.open
    full = "/dev/full"

    def on_a_full_disk(path: Path, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        return opened(Path(full) if path.suffix == ".part" and mode == "wb" else path, mode, *args, **kwargs)

    monkeypatch.setattr(Path, "open", on_a_full_disk)
    assert reason(weights_of()).reason == "weights.disk_full"


def test_a_cache_that_is_a_file(server: FileServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("VITRINE_CACHE", str(tmp_path / "taken"))
    with pytest.raises(BadWeights) as caught:
        list(checkpoints.download(CARD, weights_of()))
    assert caught.value.reason == "weights.cache_not_writable"


def test_without_torch_it_is_said_before_anything_is_fetched(
    server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert checkpoints.obstacle(weights_of()) == "weights.pth_needs_torch"
    assert reason(weights_of()).reason == "weights.pth_needs_torch"
    assert server.requests == []
    easy = replace(weights_of(), url="https://example.invalid/small.safetensors")
    assert checkpoints.obstacle(easy) is None


def test_no_login_is_sent(server: FileServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    seen: list[str | None] = []
    answer = server.answer

    def watched(to: BaseHTTPRequestHandler) -> None:
        seen.append(to.headers.get("Authorization"))
        answer(to)

    monkeypatch.setattr(server, "answer", watched)
    finish(weights_of())
    assert seen == [None]

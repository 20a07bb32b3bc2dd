"""A file server on this machine that misbehaves on demand."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class FileServer:
    """Serves `body` at every path that ends in `.pth`. The attributes may be changed while it runs.

    ranges: answer Range requests. cut_at: break the connection after that many bytes of a reply, `cuts` times.
    status: answer with this error, `errors` times (-1: always). redirect: send the first path to this address.
    delay: seconds before every block. etag: the version mark ("" for none). content_type, encoding: headers.
    requests: (path, Range or "") of each request.
    """

    def __init__(self, body: bytes):
        self.body = body
        self.ranges, self.cut_at, self.cuts = True, 0, 0
        self.status, self.errors, self.redirect = 0, 0, ""
        self.delay, self.etag, self.content_type, self.encoding = 0.0, '"one"', "application/octet-stream", ""
        self.honours_if_range = True
        self.chunked = False
        self.requests: list[tuple[str, str]] = []
        self.url = ""

    @contextmanager
    def running(self) -> Iterator[FileServer]:
        files = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                files.answer(self)

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()

    def answer(self, to: BaseHTTPRequestHandler) -> None:
        asked = to.headers.get("Range", "")
        self.requests.append((to.path, asked))
        if self.redirect and "moved" not in to.path:
            to.send_response(302)
            to.send_header("Location", self.redirect)
            to.send_header("Content-Length", "0")
            to.end_headers()
            return
        if self.status and self.errors:
            self.errors -= 1
            to.send_response(self.status)
            to.send_header("Content-Length", "0")
            to.end_headers()
            return
        start = 0
        same = not self.honours_if_range or to.headers.get("If-Range") == self.etag
        if self.ranges and asked and same:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
            if start >= len(self.body):
                to.send_response(416)
                to.send_header("Content-Range", f"bytes */{len(self.body)}")
                to.send_header("Content-Length", "0")
                to.end_headers()
                return
            to.send_response(206)
            to.send_header("Content-Range", f"bytes {start}-{len(self.body) - 1}/{len(self.body)}")
        else:
            to.send_response(200)
        body = self.body[start:]
        if self.chunked:
            to.send_header("Transfer-Encoding", "chunked")
        else:
            to.send_header("Content-Length", str(len(body)))
        for name, value in (
            ("ETag", self.etag),
            ("Content-Type", self.content_type),
            ("Content-Encoding", self.encoding),
        ):
            if value:
                to.send_header(name, value)
        to.end_headers()
        stop = len(body)
        if self.cut_at and self.cuts:
            self.cuts -= 1
            stop = min(stop, self.cut_at)
        try:
            for at in range(0, stop, 1 << 14):
                time.sleep(self.delay)
                block = body[at : min(at + (1 << 14), stop)]
                to.wfile.write(b"%x\r\n%s\r\n" % (len(block), block) if self.chunked else block)
                to.wfile.flush()
            if self.chunked and stop == len(body):
                to.wfile.write(b"0\r\n\r\n")
        except OSError:
            pass
        if stop < len(body):
            to.close_connection = True

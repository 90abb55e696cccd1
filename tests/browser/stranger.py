"""The web server of a stranger: any page, and redirections of what is sent there to the box."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote

_PAGE = b"<!doctype html><title>Win a prize</title><body>"


class _Stranger(BaseHTTPRequestHandler):
    """GET / is a page, GET /worker.js a script; what is sent to /to/URL is sent on to that URL, body and all."""

    def do_GET(self) -> None:
        if self.path.startswith("/to/"):
            self._send_on()
        elif self.path == "/worker.js":
            self._answer(b"", "text/javascript")
        else:
            self._answer(_PAGE, "text/html")

    def do_POST(self) -> None:
        self._send_on()

    def do_OPTIONS(self) -> None:
        self.send_response(204)
        for what in ("Origin", "Methods", "Headers"):
            self.send_header(f"Access-Control-Allow-{what}", "*")
        self.end_headers()

    def _send_on(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(307)
        self.send_header("Location", unquote(self.path.removeprefix("/to/")))
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def serve_stranger() -> Iterator[int]:
    """A stranger's web server on 127.0.0.1; its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Stranger) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()

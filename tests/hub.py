"""Hubs for tests: a download in the layout of the hub library's cache, and a small hub on this machine."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def cached(home: Path, repository: str, files: Mapping[str, bytes], commit: str = COMMIT, ref: str = "main") -> Path:
    """The repository's folder under ``home``: blobs by hash, a snapshot of links to them, a reference."""
    folder = home / f"datasets--{repository.replace('/', '--')}"
    (folder / "blobs").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        blob = folder / "blobs" / hashlib.sha256(content).hexdigest()
        blob.write_bytes(content)
        link = folder / "snapshots" / commit / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(Path(*[".."] * (len(Path(name).parts) + 1), "blobs", blob.name))
    if ref:
        (folder / "refs").mkdir(exist_ok=True)
        (folder / "refs" / ref).write_text(commit)
    return folder


@dataclass
class SmallHub:
    """What a hub on this machine has and was asked. ``pause_s`` is waited between pieces of a file."""

    repository: str
    files: Mapping[str, bytes]
    commit: str = COMMIT
    pause_s: float = 0.0
    url: str = ""
    paths: list[str] = field(default_factory=list)
    ranges: list[str] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)
    sent: int = 0
    whole: list[str] = field(default_factory=list)

    def answer(self, request: BaseHTTPRequestHandler, *, body: bool) -> None:
        path = unquote(urlsplit(request.path).path)
        self.paths.append(path)
        self.tokens.add(request.headers.get("Authorization", ""))
        api, resolve = f"/api/datasets/{self.repository}", f"/datasets/{self.repository}/resolve/"
        if path in (api, f"{api}/revision/main", f"{api}/revision/{self.commit}"):
            names = [{"rfilename": name} for name in self.files]
            self._json(request, {"id": self.repository, "sha": self.commit, "siblings": names}, body=body)
        elif path.startswith(f"{api}/tree/{self.commit}"):
            tree = [
                {"type": "file", "path": name, "size": len(content), "oid": _oid(content)}
                for name, content in self.files.items()
            ]
            self._json(request, tree, body=body)
        elif path.startswith(resolve) and (name := path.removeprefix(resolve).partition("/")[2]) in self.files:
            self._file(request, name, body=body)
        else:
            request.send_response(404)
            code = "RepoNotFound" if self.repository not in path else "RevisionNotFound"
            request.send_header("X-Error-Code", code)
            request.send_header("Content-Length", "0")
            request.end_headers()

    def _json(self, request: BaseHTTPRequestHandler, document: Any, *, body: bool) -> None:
        content = json.dumps(document).encode()
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        if body:
            request.wfile.write(content)

    def _file(self, request: BaseHTTPRequestHandler, name: str, *, body: bool) -> None:
        content, start = self.files[name], 0
        if wanted := request.headers.get("Range", ""):
            self.ranges.append(wanted)
            start = int(wanted.removeprefix("bytes=").partition("-")[0] or 0)
        request.send_response(206 if start else 200)
        request.send_header("X-Repo-Commit", self.commit)
        request.send_header("ETag", f'"{_oid(content)}"')
        request.send_header("Accept-Ranges", "bytes")
        request.send_header("Content-Length", str(len(content) - start))
        if start:
            request.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        request.end_headers()
        if not body:
            return
        piece = 1 << 16
        for at in range(start, len(content), piece):
            request.wfile.write(content[at : at + piece])
            request.wfile.flush()
            self.sent += len(content[at : at + piece])
            time.sleep(self.pause_s)
        self.whole.append(name)


def _oid(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()


@contextmanager
def small_hub(repository: str, files: Mapping[str, bytes], pause_s: float = 0.0) -> Iterator[SmallHub]:
    """A hub at ``url`` for as long as the block runs."""
    hub = SmallHub(repository, files, pause_s=pause_s)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            try:
                hub.answer(self, body=body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

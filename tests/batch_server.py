"""A scripted Batch API in this process: files, batches and live completions over one FaultServer.

async with BatchServer() as server:
    server.answer = lambda body: says("B")          # one completion, for batches and live calls alike
    server.shape = lambda done, failed: ...          # what the result files hold, in which order
    server.status = "expired"                        # how batches end; "in_progress" never does
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from tests.servers import FaultServer, Received, Reply, fails, says

Lines = list[Any]
"""Result lines: objects are written as JSON, texts as they stand."""


class BatchServer:
    """``hook`` is asked first and may answer in the server's place; ``batches`` are in the order of their making."""

    def __init__(self) -> None:
        self.answer: Callable[[Any], Reply] = lambda body: says("no idea")
        self.shape: Callable[[Lines, Lines], tuple[Lines, Lines]] = lambda done, failed: (done, failed)
        self.status = "completed"
        self.refusals: list[dict[str, Any]] = []
        self.hook: Callable[[Received], Reply | Awaitable[Reply] | None] = lambda received: None
        self.created_at = 1_900_000_000
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.uploads: list[bytes] = []
        self.asked: Counter[str] = Counter()
        self.live = 0
        self.server = FaultServer(self._serve)

    async def __aenter__(self) -> Self:
        await self.server.__aenter__()
        return self

    async def __aexit__(self, *why: object) -> None:
        await self.server.__aexit__(*why)

    @property
    def url(self) -> str:
        return self.server.url

    def requests(self, batch: int = -1) -> list[Any]:
        """The lines of the n-th batch."""
        made = list(self.batches.values())[batch]
        return [json.loads(line) for line in self.files[made["input_file_id"]].splitlines()]

    # -- the server

    async def _serve(self, received: Received) -> Reply:
        hooked = self.hook(received)
        if hooked is not None:
            return hooked if isinstance(hooked, Reply) else await hooked
        return self.plainly(received)

    def plainly(self, received: Received) -> Reply:
        """What a server without faults does."""
        place = urlsplit(received.path)
        match received.method, place.path.removeprefix("/v1/").split("/"):
            case "POST", ["chat", "completions"]:
                self.live += 1
                self.asked[json.dumps(received.body)] += 1
                return self.answer(received.body)
            case "POST", ["files"]:
                return self._upload(received)
            case "GET", ["files", name, "content"]:
                return Reply(self.files[name].decode()) if name in self.files else fails(404, "No such File")
            case "POST", ["batches"]:
                return self._create(received.body)
            case "GET", ["batches"]:
                return self._list(parse_qs(place.query))
            case "GET", ["batches", name]:
                if name not in self.batches:
                    return fails(404, f"No batch found with id {name!r}")
                self._end(self.batches[name])
                return Reply(self.batches[name])
        return fails(404, f"no such door: {received.method} {received.path}")

    def _upload(self, received: Received) -> Reply:
        assert received.body["purpose"] == ["batch"]
        ((_, _, content),) = received.body["file"]
        name = f"file-{len(self.files) + 1}"
        self.files[name] = content
        self.uploads.append(content)
        return Reply({"id": name, "object": "file", "purpose": "batch", "bytes": len(content)})

    def _create(self, body: Any) -> Reply:
        assert body["endpoint"] == "/v1/chat/completions"
        assert body["completion_window"] == "24h"
        name = f"batch_{len(self.batches) + 1}"
        self.batches[name] = {
            "id": name,
            "object": "batch",
            "status": "validating",
            "input_file_id": body["input_file_id"],
            "metadata": body["metadata"],
            "created_at": self.created_at,
        }
        return Reply(self.batches[name])

    def _list(self, query: dict[str, list[str]]) -> Reply:
        newest = list(reversed(self.batches))
        after = query.get("after")
        start = newest.index(after[0]) + 1 if after else 0
        page = newest[start : start + min(2, int(query["limit"][0]))]  # small pages: there is always a next one
        return Reply({"data": [self.batches[name] for name in page], "has_more": start + len(page) < len(newest)})

    def _end(self, batch: dict[str, Any]) -> None:
        if batch["status"] in ("completed", "expired", "cancelled", "failed"):
            return
        batch["status"] = self.status
        if self.status == "failed":
            batch["errors"] = {"object": "list", "data": self.refusals}
        if self.status not in ("completed", "expired", "cancelled"):
            return
        done: Lines = []
        failed: Lines = []
        for raw in self.files[batch["input_file_id"]].splitlines():
            request = json.loads(raw)
            assert (request["method"], request["url"]) == ("POST", "/v1/chat/completions")
            reply = self.answer(request["body"])
            response = {"status_code": reply.status, "request_id": "r", "body": reply.body}
            line = {"id": "x", "custom_id": request["custom_id"], "response": response, "error": None}
            (done if reply.status == 200 else failed).append(line)
        done, failed = self.shape(done, failed)
        for line in done:
            if isinstance(line, dict) and line.get("error") is None:
                self.asked[line["custom_id"]] += 1
        for field, lines in (("output_file_id", done), ("error_file_id", failed)):
            if lines:
                name = f"file-{len(self.files) + 1}"
                texts = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
                self.files[name] = "".join(text + "\n" for text in texts).encode()
                batch[field] = name
        batch["request_counts"] = {"total": len(done) + len(failed), "completed": len(done), "failed": len(failed)}


def unanswered(lines: Lines, code: str) -> Lines:
    """The same requests as the batch's end left them."""
    error = {"code": code, "message": "This request could not be executed before the completion window expired."}
    return [{**line, "response": None, "error": error} for line in lines]

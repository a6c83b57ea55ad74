"""What a call costs in CPU by the way it is posted: as here, and as the openai client can post it.

Requests of 105 KB (three pictures of 26 KB), 64 at once, against a server that answers after 100 ms.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import httpx2

from core.respondents.addresses import CHAT
from core.respondents.endpoint import connect
from core.respondents.extras import Extras
from core.respondents.patience import Clock
from core.respondents.secret import Secret
from core.respondents.settings import ServerSettings
from tests.performance.bench_servers import AT_ONCE, slow_server
from tests.performance.figures import figure

ROUNDS: Final = 3
CALLS: Final = 6
"""One after the other, of each of those at once."""


async def cpu(post: Callable[[], Awaitable[Any]]) -> float:
    """Milliseconds of this process for one call."""

    async def several() -> None:
        for _ in range(CALLS):
            await post()

    before = time.process_time()
    await asyncio.gather(*(several() for _ in range(AT_ONCE)))
    return (time.process_time() - before) / (CALLS * AT_ONCE) * 1e3


async def measure(url: str) -> None:
    """Print the least of some rounds for each way."""
    settings = ServerSettings(model="m", concurrency=AT_ONCE)
    (endpoint,) = connect((url,), Secret("", ""), settings, Clock(), Extras())
    poster, client = endpoint._poster, endpoint._client
    messages: list[Any] = [{"role": "user", "content": "x" * 105_000}]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    kind = {"headers": {"Content-Type": "application/json"}}

    async def through_client() -> Any:
        return await client.post(CHAT, cast_to=httpx2.Response, content=body, options=kind)  # type: ignore[arg-type]

    ways: dict[str, Callable[[], Awaitable[Any]]] = {
        "as here (core.respondents.posting)": lambda: poster.post(CHAT, body),
        "client.post, its reply left raw": through_client,
        "with_raw_response.create": lambda: client.chat.completions.with_raw_response.create(
            model="m", messages=messages
        ),
        "chat.completions.create": lambda: client.chat.completions.create(model="m", messages=messages),
    }
    for post in ways.values():
        await post()
    rounds = [{way: await cpu(post) for way, post in ways.items()} for _ in range(ROUNDS)]
    least = {way: min(one[way] for one in rounds) for way in ways}
    ours, *others = ways
    figure(f"{ours}, CPU a call", least[ours], "ms")
    for way in others:
        figure(f"{way}, CPU a call", least[way], "ms", against="as here", base=least[ours])
    await endpoint.close()


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder, slow_server(Path(folder)) as url:
        asyncio.run(measure(url))


if __name__ == "__main__":
    main()

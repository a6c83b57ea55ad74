"""A worker as a process: its terms, then words, on standard input; its words on standard output."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from core.workers.process import HEAD
from core.workers.worker import Worker


async def main() -> None:
    """Until the driver says stop, or is gone."""
    loop = asyncio.get_running_loop()
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what anybody prints is no word
    reader = asyncio.StreamReader(limit=1 << 20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(out, "wb", buffering=0))
    worker = Worker(lambda data: transport.write(HEAD.pack(len(data)) + data))

    async def frame() -> bytes:
        return await reader.readexactly(HEAD.unpack(await reader.readexactly(HEAD.size))[0])

    async def listen() -> None:
        try:
            worker.begin(await frame())
            worker.settle_in()
            while True:
                worker.hear(await frame())
        except (asyncio.IncompleteReadError, ConnectionError):
            os._exit(0)  # the driver is gone, and whatever a model computes is nobody's

    listening = asyncio.ensure_future(listen())
    ended = asyncio.ensure_future(worker.ended.wait())
    await asyncio.wait((listening, ended), return_when=asyncio.FIRST_COMPLETED)
    if listening.done():
        listening.result()
    while transport.get_write_buffer_size():
        await asyncio.sleep(0.005)
    os._exit(0)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the driver's
    asyncio.run(main())

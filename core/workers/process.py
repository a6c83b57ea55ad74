"""Workers that are processes of this machine. They end with the driver, however that ends."""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

from core.workers.links import LinkLostError

HEAD: Final = struct.Struct("!Q")
ENDS_S: Final = 1.0
_CHUNK: Final = 1 << 20
_GPUS: Final = Path("/proc/driver/nvidia/gpus")
_ROOT: Final = Path(__file__).parents[2]


class Processes:
    """``count`` of them; each has ``gpus`` of this machine's GPUs to itself as far as there are enough."""

    def __init__(self, count: int, gpus: float = 0.0) -> None:
        self.count = count
        self._gpus = gpus

    @property
    def words(self) -> str:
        return f"{self.count} process{'es' if self.count != 1 else ''}"

    async def hire(self, number: int, terms: bytes) -> ProcessLink:
        """A process in a session of its own: what is typed at the terminal goes to the driver alone."""
        safe = ["-P"] if sys.flags.safe_path else []
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, *safe, "-m", "core.workers"),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
            limit=_CHUNK,
            env=self._environment(number),
        )
        link = ProcessLink(process)
        try:
            await link.send(terms)
        except BaseException:
            await link.end()
            raise
        return link

    async def watch(self) -> NoReturn:
        """This machine is there as long as the driver is."""
        while True:
            await asyncio.sleep(3600)

    def explained(self, error: Exception, number: int, host: str) -> Exception:
        """It is the same here."""
        return error

    async def close(self) -> None:
        """Nothing is shared."""

    def _environment(self, number: int) -> dict[str, str]:
        paths = [str(_ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        if self._gpus and (shown := gpus_of(number, self.count, self._gpus, here())):
            environment["CUDA_VISIBLE_DEVICES"] = shown
        if self._gpus and "OMP_NUM_THREADS" not in os.environ:  # each would take all cores
            environment["OMP_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) // self.count))
        return environment


class ProcessLink:
    """Frames over its standard input and output."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self.pid = process.pid

    async def send(self, data: bytes) -> None:
        """Raises LinkLostError."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(HEAD.pack(len(data)) + data)
            await self._process.stdin.drain()
        except (ConnectionError, RuntimeError):
            raise LinkLostError(await self._why()) from None

    async def receive(self) -> bytes:
        """Raises LinkLostError."""
        assert self._process.stdout is not None
        try:
            head = await self._process.stdout.readexactly(HEAD.size)
            return await self._process.stdout.readexactly(HEAD.unpack(head)[0])
        except (asyncio.IncompleteReadError, ConnectionError):
            raise LinkLostError(await self._why()) from None

    async def end(self) -> None:
        """Its input ends, which ends it; killed where it does not."""
        with suppress(OSError, RuntimeError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), ENDS_S)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()

    async def _why(self) -> str:
        try:
            status = await asyncio.wait_for(self._process.wait(), ENDS_S)
        except TimeoutError:
            return "it closed its line"
        if status >= 0:
            return f"it ended with status {status}"
        with suppress(ValueError):
            return f"killed by {signal.Signals(-status).name}"
        return f"killed by signal {-status}"


def here() -> list[str]:
    """This machine's NVIDIA GPUs, as far as this process may use them, by the names that CUDA takes."""
    shown = os.environ.get("CUDA_VISIBLE_DEVICES")
    if shown is not None:
        return [name for name in shown.split(",") if name.strip()]
    with suppress(OSError):
        return [str(number) for number in range(len(list(_GPUS.iterdir())))]
    return []


def gpus_of(number: int, workers: int, gpus: float, there: list[str]) -> str:
    """Which of the GPUs that are there are this worker's, counted round; "" where there are none.

    A worker that takes a part of one shares it with its neighbours.
    """
    if not there:
        return ""
    if gpus < 1:
        return there[int(number * gpus) % len(there)]
    each = int(gpus)
    return ",".join(dict.fromkeys(there[(number * each + place) % len(there)] for place in range(each)))

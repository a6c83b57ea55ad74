"""Workers that are actors of a Ray cluster. Ray places them and tells of their end; words go over lines of their own.

Where there can be no line Ray carries them, call by call, which costs both ends about ten times as much.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, NoReturn

from core.errors import PhoropterError, VariableError
from core.workers.lines import Exchange, Line, Ticket, reach
from core.workers.links import Link, LinkLostError
from core.workers.ray_watch import TLS, RayWatch
from core.workers.worker import Worker

LOOKED_S: Final = 30.0
PLACED_S: Final = 600.0
TOLD_S: Final = 5.0
"""How long Ray may take to tell why an actor is gone whose line has ended."""

ARRIVES_S: Final = 1.0
"""How long what an actor said before its end may take to arrive."""


class Actor:
    """A worker in an actor: with a line of its own, or ``push`` brings it words, and ``pull`` waits for what it says,
    b"" when it has ended."""

    def __init__(self) -> None:
        self._said: deque[bytes] = deque()
        self._early: dict[int, bytes] = {}
        self._heard = 0
        self._more = asyncio.Event()
        self._line: Line | None = None
        self._worker = Worker(self._say)

    async def begin(self, terms: bytes, ticket: Ticket | None) -> str:
        """Its terms; why it has no line, though there is a ticket for one."""
        why = ""
        if ticket is not None:
            try:
                self._line = await reach(ticket)
                self._listening = asyncio.ensure_future(self._listen(self._line))
            except OSError as error:
                why = getattr(error, "strerror", None) or str(error) or type(error).__name__
        self._worker.begin(terms)
        self._worker.settle_in()
        return why

    async def ended(self) -> None:
        """Once it has said its last; raises what kept it from hearing."""
        over = asyncio.ensure_future(self._worker.ended.wait())
        await asyncio.wait((over, self._listening), return_when=asyncio.FIRST_COMPLETED)
        if self._listening.done():
            self._listening.result()
        await over
        assert self._line is not None
        await self._line.close()

    async def push(self, number: int, data: bytes) -> None:
        """Words of the driver, heard in the order of their numbers: Ray does not promise any."""
        self._early[number] = data
        while (data_next := self._early.pop(self._heard, None)) is not None:
            self._heard += 1
            self._worker.hear(data_next)
        if self._worker.stopping:
            await self._worker.ended.wait()
            self._more.set()

    async def pull(self) -> bytes:
        """One call at a time waits here."""
        while not self._said:
            if self._worker.ended.is_set():
                return b""
            await self._more.wait()
            self._more.clear()
        return self._said.popleft()

    def _say(self, data: bytes) -> None:
        if self._line is not None:
            self._line.write(data)
            return
        self._said.append(data)
        self._more.set()

    async def _listen(self, line: Line) -> None:
        try:
            while True:
                self._worker.hear(await line.read())
        except OSError:
            if not self._worker.stopping:
                os._exit(0)  # the driver is gone, and whatever a model computes is nobody's


class Actors:
    """``count`` actors that take ``cpus`` and ``gpus`` each."""

    def __init__(self, ray: Any, count: int, cpus: float, gpus: float, tell: Callable[[str], None]) -> None:
        self.count = count
        self.gpus = gpus
        self._ray = ray
        self._tell = tell
        self._exchange = Exchange()
        self._opening: asyncio.Future[None] | None = None
        self._told = False
        self._watch = RayWatch(ray, {name: of for name, of in (("CPU", cpus), ("GPU", gpus)) if of}, tell)
        self._kind = ray.remote(Actor).options(
            num_cpus=cpus, num_gpus=gpus, max_restarts=0, max_task_retries=0, max_concurrency=16
        )

    @property
    def words(self) -> str:
        of = f" of {self.gpus:g} GPU{'s' if self.gpus != 1 else ''} each" if self.gpus else ""
        return f"{self.count} Ray actor{'s' if self.count != 1 else ''}{of}"

    async def hire(self, number: int, terms: bytes) -> Link:
        """Waits until Ray has found a place for it, and says so where that takes long. Raises LinkLostError."""
        await self._watch.there()
        ticket = await self._ticket()
        calls = Calls(self._ray, self._kind.remote())
        began = asyncio.ensure_future(calls.call("begin", terms, ticket))
        until = time.monotonic() + PLACED_S
        try:
            while not (await asyncio.wait((began,), timeout=LOOKED_S))[0]:
                if time.monotonic() > until:
                    raise LinkLostError(f"Ray found no place for it in {PLACED_S:.0f} s")
                if not self._watch.wrong:  # else that was said
                    self._tell(f"worker {number + 1} waits for a place: {self._watch.why_no_place()}")
            why = began.result()
            if ticket is None:
                return calls
            if not why:
                return ActorLink(calls, await self._line(ticket))
        except BaseException:
            began.cancel()
            await calls.end()
            raise
        finally:
            if ticket is not None:
                self._exchange.forget(ticket)
        self._tell(
            f"worker {number + 1} does not reach {ticket.host}, port {ticket.port} ({why}): its words go through Ray"
        )
        return calls

    async def watch(self) -> NoReturn:
        """Raises RespondentError once the cluster is gone."""
        await self._watch.until_lost()

    def explained(self, error: Exception, number: int, host: str) -> Exception:
        """With where it happened; a variable is set where Ray was started, not where the command was."""
        if isinstance(error, PhoropterError):
            at = f"worker {number + 1} on {host}"
            error.where = f"{error.where}, {at}" if error.where else at
        if isinstance(error, VariableError):
            error.remedy = f"Set it where `ray start` is called on {host}: no key is sent to a worker"
        return error

    async def close(self) -> None:
        """The cluster is the command's."""
        await self._exchange.close()

    async def _ticket(self) -> Ticket | None:
        """None where Ray is to carry the words: it hides what it carries, or nobody can listen here."""
        if os.environ.get(TLS, "0") not in ("", "0"):
            return None
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._exchange.open(self._ray.util.get_node_ip_address()))
        try:
            await asyncio.shield(self._opening)
        except OSError as error:
            if not self._told:
                self._told = True
                self._tell(
                    f"words go through Ray: this machine cannot be reached by itself ({error.strerror or error})"
                )
            return None
        return self._exchange.expect()

    async def _line(self, ticket: Ticket) -> Line:
        try:
            return await self._exchange.line(ticket)
        except TimeoutError:
            raise LinkLostError("its line did not come") from None


class ActorLink:
    """A line of its own."""

    def __init__(self, calls: Calls, line: Line) -> None:
        self._calls = calls
        self._line = line
        self._ended = asyncio.ensure_future(calls.call("ended"))
        self._ended.add_done_callback(self._on_end)

    async def send(self, data: bytes) -> None:
        """Raises LinkLostError."""
        try:
            self._line.write(data)
            await self._line.drain()
        except (ConnectionError, RuntimeError) as error:
            raise LinkLostError(await self._why() or str(error)) from None

    async def receive(self) -> bytes:
        """Raises LinkLostError."""
        try:
            return await self._line.read()
        except ConnectionError as error:
            raise LinkLostError(await self._why() or str(error)) from None

    async def end(self) -> None:
        """Kill it; never raises."""
        self._ended.cancel()
        self._line.cut()
        await self._calls.end()

    def _on_end(self, ended: asyncio.Future[None]) -> None:
        """A machine that is gone closes no line: whoever receives is to hear of it, after what still arrives."""
        if not ended.cancelled() and ended.exception() is not None:
            asyncio.get_running_loop().call_later(ARRIVES_S, self._line.cut)

    async def _why(self) -> str:
        await asyncio.wait((self._ended,), timeout=TOLD_S)
        if not self._ended.done() or self._ended.cancelled():
            return ""
        return str(self._ended.exception() or "it ended")


class Calls:
    """Calls of one actor, which can carry words as well."""

    def __init__(self, ray: Any, actor: Any) -> None:
        self._ray = ray
        self._actor = actor
        self._pushed = 0

    async def call(self, method: str, *about: Any) -> Any:
        """Raises LinkLostError where the actor is gone."""
        try:
            return await getattr(self._actor, method).remote(*about)
        except self._ray.exceptions.RayError as error:
            raise LinkLostError(_why(error)) from None

    async def send(self, data: bytes) -> None:
        """Raises LinkLostError."""
        self._actor.push.options(num_returns=0).remote(self._pushed, data)  # whoever receives hears of its end
        self._pushed += 1

    async def receive(self) -> bytes:
        """Raises LinkLostError."""
        said: bytes = await self.call("pull")
        if not said:
            raise LinkLostError("it ended")
        return said

    async def end(self) -> None:
        """Kill it; never raises."""
        with suppress(Exception):
            self._ray.kill(self._actor)


def _why(error: Exception) -> str:
    """Ray's reason in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:2])[:200] if lines else type(error).__name__

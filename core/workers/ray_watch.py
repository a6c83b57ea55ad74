"""Whether a Ray cluster is still there. Ray itself waits for its head for a while, and then ends the driver's process
without a word to it; for a machine it waits for ever."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, NoReturn

from core.errors import RespondentError, UsageError

EVERY_S: Final = 5.0
LOOK_S: Final = 15.0
"""How long Ray may take to answer one look."""

PATIENCE_S: Final = 30.0
"""How long a cluster may be gone: less than Ray waits, which :mod:`core.workers.on_ray` sets."""

REACHED_S: Final = 10.0
"""How long a cluster's port may take to answer: Ray itself would try for minutes, and hear no signal meanwhile."""

TLS: Final = "RAY_USE_TLS"

_HEAD: Final = b"\0\0\0\4\0\0\0\0\0"
"""Of HTTP/2's frame of settings, which is the first that either side sends: the fourth byte says what it is."""
_HELLO: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + _HEAD


class RayWatch:
    """Looks at the cluster of ``ray`` every few seconds, in threads that may hang. ``needs`` is what one worker
    takes, by Ray's names of resources; ``tell`` takes lines for the user."""

    def __init__(self, ray: Any, needs: Mapping[str, float], tell: Callable[[str], None]) -> None:
        self._ray = ray
        self._needs = needs
        self._tell = tell
        self._address = str(ray.get_runtime_context().gcs_address)
        self._free: Mapping[str, float] = {}
        self._looking: asyncio.Future[str] | None = None
        self.wrong = ""
        """What is wrong with it, as it was seen last."""

    async def until_lost(self) -> NoReturn:
        """Raises RespondentError once the cluster has been gone for longer than one that comes back."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while True:
            await asyncio.sleep(EVERY_S)
            began, told = loop.time(), self.wrong
            self.wrong = await self._look()
            if not self.wrong:
                if told:
                    self._tell("the cluster is there again")
            elif not told:
                since = began
                self._tell(f"{self.wrong}; if that lasts for {PATIENCE_S:.0f} s, the run ends")
            elif loop.time() - since >= PATIENCE_S:
                raise RespondentError(
                    f"the Ray cluster is lost: {self.wrong}",
                    where=f"--on ray:{self._address}",
                    remedy="Start it again, and then the same command; all that was answered before is kept",
                )

    async def there(self) -> None:
        """Once it is there: Ray keeps the whole process waiting where it is not."""
        while await self._look():
            await asyncio.sleep(EVERY_S)

    def why_no_place(self) -> str:
        """Why a worker waits, as far as that was seen."""
        if any(self._free.get(name, 0.0) < amount for name, amount in self._needs.items()):
            return "all of the cluster's CPUs or GPUs are taken"
        return "Ray has not placed it yet"

    # -- parts

    async def _look(self) -> str:
        """What is wrong; whoever asks meanwhile is told the same."""
        if self._looking is None or self._looking.done():
            self._looking = asyncio.ensure_future(self._look_once())
        return await asyncio.shield(self._looking)

    async def _look_once(self) -> str:
        loop = asyncio.get_running_loop()
        found: asyncio.Future[str] = loop.create_future()

        def settle(wrong: str) -> None:
            if not found.done():
                found.set_result(wrong)

        def look() -> None:
            wrong = self._looked()
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(settle, wrong)

        threading.Thread(target=look, name="watch of Ray", daemon=True).start()
        try:
            return await asyncio.wait_for(found, LOOK_S)
        except TimeoutError:
            return "Ray does not answer"

    def _looked(self) -> str:
        try:
            reach(self._address)
        except UsageError:
            return "the cluster's head does not answer any more"
        try:
            machines = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
            self._free = self._ray.available_resources()
        except Exception as error:  # noqa: BLE001  (Ray raises what it likes)
            return f"Ray cannot say what there is ({type(error).__name__})"
        if not machines:
            return "no machine of the cluster lives any more"
        if not any(all(machine.get(name, 0.0) >= of for name, of in self._needs.items()) for machine in machines):
            return "no machine that is left of the cluster has room for a worker"
        return ""


def reach(address: str) -> None:
    """Raises UsageError where nobody listens at HOST:PORT, or nobody who speaks HTTP/2, as Ray does: Ray itself would
    try for minutes. What is no such address is Ray's to judge."""
    host, _, port = address.rpartition(":")
    if not (host and port.isdecimal()):
        return
    said, why = b"", "something else than Ray answers there"
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=REACHED_S) as connection:
            if os.environ.get(TLS, "0") not in ("", "0"):
                return
            connection.sendall(_HELLO)
            while len(said) < len(_HEAD) and (more := connection.recv(len(_HEAD) - len(said))):
                said += more
    except (OSError, OverflowError, UnicodeError) as error:
        told = getattr(error, "strerror", None) or str(error)
        why = f"nobody answers there: {told}" if not said else why
    if said[3:4] != _HEAD[3:4]:
        raise UsageError(
            f"there is no Ray cluster to be had ({why})",
            where=f"--on ray:{address}",
            remedy="Check the address, and that `ray start --head` runs there",
        )

"""One worker as the driver sees it: what it has to do, what it holds, what it may still have to pay."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from core.executors import Home
from core.recalling import Key, Recalling
from core.records import Trajectory
from core.respondents.budget import Budget
from core.workers.errand import Errand
from core.workers.links import Link, LinkLostError
from core.workers.words import (
    Ask,
    Begin,
    Broken,
    Drop,
    LetGo,
    Paid,
    Ready,
    Reply,
    Said,
    Stop,
    Word,
    pack,
    unpack,
)


class NoPlanError(Exception):
    """``error`` keeps the worker on ``host`` from its work."""

    def __init__(self, error: Exception, host: str) -> None:
        super().__init__(str(error))
        self.error = error
        self.host = host


class Hand:
    """``room`` is how many trajectories it may have, those that it has not begun with them."""

    def __init__(
        self, number: int, link: Link, room: int, budget: Budget | None, tell: Callable[[str], None]
    ) -> None:
        self.number = number
        self.link = link
        self.room = room
        self.ready: Ready | None = None
        self.errands: dict[int, Errand] = {}
        self._budget = budget
        self._tell = tell
        self._out: list[Word] = []
        self._more = asyncio.Event()
        self._sending = asyncio.ensure_future(self._send())
        self._asked: set[asyncio.Future[None]] = set()
        self._held: dict[Key, Recalling] = {}
        self._reserved: list[float] = []

    @property
    def free(self) -> int:
        """For how many more there is room."""
        return self.room - len(self.errands) if self.ready is not None else 0

    # -- to the worker

    def begin(self, errand: Errand) -> None:
        """Hand it over."""
        self.errands[errand.job] = errand
        self.say(Begin(errand.job, errand.trajectory))

    def leave(self, errand: Errand, *, drop: bool) -> None:
        """It is no errand of this worker's any more; ``drop``: the worker does not know."""
        errand.close()
        if self.errands.pop(errand.job, None) is not None and drop:
            self.say(Drop(errand.job))

    def stop(self) -> None:
        """Ask it to end by itself."""
        self.say(Stop())

    def say(self, word: Word) -> None:
        """With whatever else there is to say by then."""
        self._out.append(word)
        self._more.set()

    # -- from the worker

    async def listen(self, on_ready: Callable[[Hand], None]) -> None:
        """Until it is gone: raises LinkLostError then, or NoPlanError where it cannot do its work."""
        while True:
            for word in unpack(await self.link.receive()):
                match word:
                    case Ready():
                        self.ready = word
                        on_ready(self)
                    case Broken(error=error, host=host):
                        raise NoPlanError(error, host)
                    case Said(line=line):
                        self._tell(line)
                    case Paid():
                        self._pay(word)
                    case Ask(what="recall" | "reserve"):
                        self._answer(word)
                    case _:
                        self._pass_on(word)

    async def lost(self) -> None:
        """It is gone: its errands hear of it, after all that it said, and what it held is free."""
        self._sending.cancel()
        for asked in self._asked:
            asked.cancel()
        errands = list(self.errands.values())
        for errand in errands:
            errand.hear(None)
        if errands:
            await asyncio.wait([errand.done for errand in errands])
        for key in list(self._held):
            self._let_go(key)
        for amount in self._reserved:  # on its way, and nobody knows what it came to
            assert self._budget is not None
            self._budget.settle(amount, None)
        self._reserved.clear()
        await self.link.end()

    def errand(self, job: int, trajectory: Trajectory, home: Home) -> Errand:
        """A new one for this worker."""
        return Errand(job, trajectory, home, self.say, self._let_go)

    # -- parts

    async def _send(self) -> None:
        with suppress(LinkLostError):  # whoever listens hears of it too
            while True:
                await self._more.wait()
                self._more.clear()
                words, self._out = self._out, []
                await self.link.send(pack(words))

    def _pass_on(self, word: Any) -> None:
        errand = self.errands.get(word.job)
        if errand is not None:
            errand.hear(word)
        elif isinstance(word, LetGo):
            self._let_go(word.key)
        elif isinstance(word, Ask):
            self.say(Reply(word.question))

    def _answer(self, word: Ask) -> None:
        asked = asyncio.ensure_future(self._answered(word))
        self._asked.add(asked)
        asked.add_done_callback(self._asked.discard)

    async def _answered(self, word: Ask) -> None:
        try:
            value = await (self._reserve(*word.about) if word.what == "reserve" else self._recall(word, *word.about))
        except Exception as error:  # noqa: BLE001  (the worker's to meet, as if it had happened there)
            self.say(Reply(word.question, error=error))
        else:
            self.say(Reply(word.question, value))

    async def _reserve(self, amount: float) -> None:
        assert self._budget is not None
        await self._budget.reserve(amount)
        self._reserved.append(amount)

    async def _recall(self, word: Ask, key: Key) -> Any:
        errand = self.errands.get(word.job)
        if errand is None:  # taken from it meanwhile
            return None
        recalling = errand.home.recalling
        await recalling.hold(key)
        self._held[key] = recalling
        return await recalling.look_up(key)

    def _let_go(self, key: Key) -> None:
        if (recalling := self._held.pop(key, None)) is not None:
            recalling.let_go(key)

    def _pay(self, word: Paid) -> None:
        assert self._budget is not None
        self._reserved.remove(word.amount)
        if word.charged:
            self._budget.settle(word.amount, word.cost, word.counted)
        else:
            self._budget.release(word.amount)

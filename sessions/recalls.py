"""Finding what a request was answered before: the store as the exact cache."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeAlias

from core.interventions import what_if
from core.records import Answer, Recalled
from sessions import encoding
from sessions.replay import Replay, answer_of

_Key: TypeAlias = tuple[str | bytes, int]  # the hash of the request as it is stored, and the repeat
_Waiting: TypeAlias = dict[_Key, list[asyncio.Future[bool]]]

_AT_ONCE: Final = 64

# of the steps that one call serves, the one that it was made for comes first
_ASKED: Final = (
    "SELECT lanes.label, calls.id, calls.created, runs.name, s.status, s.text, s.reasoning, sent.content,"
    " drawn.content FROM calls JOIN steps AS s ON s.call = calls.id"
    " JOIN lanes ON lanes.id = s.lane LEFT JOIN runs ON runs.id = calls.run"
    " LEFT JOIN picture_sets AS sent ON sent.id = s.sent LEFT JOIN picture_sets AS drawn ON drawn.id = s.picture"
    " WHERE calls.request_hash = ?1 AND calls.repeat = ?2 AND calls.pending = 0 AND calls.error = ''"
    " AND (?3 IS NULL OR calls.run = ?3) ORDER BY calls.id DESC, s.id"
)


class Recalls:
    """What one run recalls. ``anew_in``: that run's own answers alone. ``replay`` reads in the calling thread.

    Most requests of a run were never asked before, and a statement for each of them costs the event loop more than
    its own time: it lets go of the interpreter, and has to get it back from the writing thread. So those that are
    looked for in one turn of the loop are looked for in one statement.
    """

    def __init__(self, replay: Callable[[], Replay], anew_in: int | None) -> None:
        self._replay = replay
        self._anew_in = anew_in
        self._waiting: dict[asyncio.AbstractEventLoop, _Waiting] = {}

    async def answer(self, request_hash: str, repeat: int, behind: str | None) -> Answer | None:
        """See ``core.journal.Journal.recall``."""
        key = (encoding.to_hash(request_hash), repeat)
        if not await self._asked(key):
            return None
        replay = self._replay()
        for lane, call, asked, run, *said in replay.db.execute(_ASKED, (*key, self._anew_in)):
            if behind in (None, what_if(encoding.from_text(lane))):
                answer = answer_of(*said)
                if answer.picture is not None:  # whoever looks at what was made needs it whole
                    data = replay.picture(answer.picture.hash) or b""
                    answer = replace(answer, picture=replace(answer.picture, data=data))
                return replace(answer, recalled=Recalled(call, asked, encoding.from_text(run)))
        return None

    # -- parts

    async def _asked(self, key: _Key) -> bool:
        """Whether anybody ever asked it and was answered."""
        loop = asyncio.get_running_loop()
        found: asyncio.Future[bool] = loop.create_future()
        waiting = self._waiting.get(loop)
        if waiting is None:
            loop.call_soon(self._look, loop)  # before others join: else an interrupt between leaves them waiting
            waiting = self._waiting[loop] = {}
        waiting.setdefault(key, []).append(found)
        return await found

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        waiting = self._waiting.pop(loop, {})
        try:
            asked = self._among(list(waiting))
        except Exception as error:  # noqa: BLE001  (whatever it is, it is those who wait that must hear of it)
            for future in (future for futures in waiting.values() for future in futures if not future.done()):
                future.set_exception(error)
            return
        for key, futures in waiting.items():
            for future in futures:
                if not future.done():  # else cancelled meanwhile
                    future.set_result(key in asked)

    def _among(self, keys: list[_Key]) -> set[_Key]:
        asked: set[_Key] = set()
        for start in range(0, len(keys), _AT_ONCE):
            some = keys[start : start + _AT_ONCE]
            values: list[str | bytes | int | None] = [
                value for number, key in enumerate(some) for value in (number, *key)
            ]
            size = 1 << (len(some) - 1).bit_length()  # few statements, all of them kept ready
            values += [None] * (3 * (size - len(some)))
            (found,) = self._replay().db.execute(_which(size), values).fetchone()
            if found is not None:
                asked.update(some[int(number)] for number in found.split(","))
        return asked


def _which(size: int) -> str:
    """The numbers of those of so many requests that were answered before."""
    return (
        f"WITH wanted (number, hash, repeat) AS (VALUES {','.join(['(?, ?, ?)'] * size)})"  # noqa: S608
        " SELECT group_concat(number) FROM wanted WHERE EXISTS (SELECT 1 FROM calls WHERE request_hash = wanted.hash"
        " AND repeat = wanted.repeat AND pending = 0 AND error = '')"
    )

"""A run that is stopped says what the store says: what failed by itself failed, what was cut off is open."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from core.config import Config
from core.errors import CallError
from core.events import Event, Failed, StepDone
from core.planning import Request, prepare
from core.records import Answer
from core.respondents.base import OnDelta
from core.respondents.base import Request as Asking
from core.respondents.settings import ServerSettings
from core.totals import Totals
from sessions.opening import open_prepared
from sessions.runs import runs
from sessions.store import Store
from tests.servers import FaultServer, Received, Reply, fails
from tests.voila_data import small_voila_file

ITEMS = 6


def stored(store: Store) -> tuple[int, int, int]:
    """Finished, failed and open, as ``runs`` lists them."""
    (summary,) = runs(store)
    return summary.done, summary.failed, summary.open


def told(totals: Totals) -> tuple[int, int, int]:
    """The same as ``run`` ends."""
    return totals.finished, totals.failed, ITEMS - totals.finished - totals.failed


@pytest.mark.parametrize("others", ["fail", "answer", "are asked"])
async def test_what_is_being_stored_when_a_run_is_stopped_is_counted(
    others: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others come to their end in the very moment in which the first's failure stops the run."""
    stopping, begun = asyncio.Event(), list[str]()

    async def answer(_: object, asking: Asking, on_delta: OnDelta | None = None) -> Answer:
        begun.append(asking.item.id)
        if len(begun) == ITEMS:
            raise CallError("no such model", fatal=True)
        await stopping.wait()
        if others == "are asked":
            await asyncio.Event().wait()
        if others == "fail":
            raise CallError("no such model", fatal=True)
        return Answer(asking.turn.gold_text)

    def hear(event: Event) -> None:
        heard.append(event)
        if isinstance(event, Failed):
            stopping.set()

    heard: list[Event] = []
    data = small_voila_file(tmp_path, ITEMS, "ND")
    prepared = prepare(
        Request("voila:ND", data=data, protocol="direct", pictures="drawn", respondent="oracle"), Config()
    )
    monkeypatch.setattr(type(prepared.plan.respondent), "answer", answer)
    with Store.open(tmp_path / "p.db") as store:
        engine = open_prepared(store, prepared).engine(hear)
        with pytest.raises(CallError, match="no such model"):
            await engine.run(prepared.selection, in_flight=ITEMS)
        wanted = {"fail": (0, 6, 0), "answer": (5, 1, 0), "are asked": (0, 1, 5)}[others]
        assert told(engine.totals) == wanted
        in_store = dict(store.reader().execute("SELECT progress, count(*) FROM trajectories GROUP BY progress"))
        assert sum(in_store.values()) == ITEMS - (5 if others == "are asked" else 0)
        assert stored(store)[:2] == wanted[:2]
        assert sum(isinstance(event, StepDone) for event in heard) == wanted[0]


async def test_a_server_that_refuses_all_that_is_in_flight(tmp_path: Path) -> None:
    received: list[Received] = []
    all_here = asyncio.Event()

    async def refuse(one: Received) -> Reply:
        received.append(one)
        if len(received) == ITEMS:
            all_here.set()
        await all_here.wait()
        return fails(400, "no such parameter")

    data = small_voila_file(tmp_path, ITEMS, "ND")
    async with FaultServer(refuse) as server:
        settings = ServerSettings(model="m", base_url=(server.url,))
        config = Config(respondents={"served": settings})
        prepared = prepare(
            Request("voila:ND", data=data, protocol="direct", pictures="drawn", respondent="served"), config
        )
        with Store.open(tmp_path / "p.db") as store:
            engine = open_prepared(store, prepared).engine()
            with pytest.raises(CallError, match="no such parameter"):
                await engine.run(prepared.selection, in_flight=ITEMS)
            await prepared.close()
            assert len(received) == ITEMS
            assert stored(store)[:2] == told(engine.totals)[:2]
            assert engine.totals.failed >= 1

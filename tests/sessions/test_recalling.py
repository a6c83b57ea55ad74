"""The store as the exact cache: what is recalled from it, by which runs, and what deleting a run leaves of that."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from core.config import load_config
from core.errors import StoreError
from core.planning import Request, prepare
from core.records import Answer, Call, Origin, Progress, SentPicture, Trajectory, Usage
from core.respondents.settings import ServerSettings
from core.selection import Filter
from core.totals import Totals
from sessions import reading
from sessions.doctor import examine
from sessions.journal import StoreJournal
from sessions.opening import open_prepared
from sessions.runs import Run, delete_run, find_run, rename_run
from sessions.store import Store
from tests.servers import FaultServer, Received, Reply, fails, says
from tests.stored import a_run, a_step, an_item, walk
from tests.voila_data import small_voila_file

CALL = Call("answer", "hash", {"q": 1}, {"a": 1}, "m", 2, 0.5, Usage(10, 4, 0.25))


def tables(store: Store) -> dict[str, int]:
    names = ("runs", "items", "trajectories", "steps", "scores", "calls", "prompts", "pictures", "texts")
    return {name: store.reader().execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in names}


async def stored(journal: StoreJournal, number: int, answer: Answer, **changes: Any) -> Trajectory:
    trajectory = await journal.take_up(an_item(number), 0)
    return await journal.add_step(trajectory, a_step(answer=answer, **changes))


async def test_a_request_is_recalled_as_it_was_answered_for_the_same_repeat_alone(store: Store) -> None:
    journal = StoreJournal(store, a_run(store, "first"))
    await stored(journal, 0, Answer("x", reasoning="since", call=CALL))
    failed = replace(CALL, reply=None, error="500")
    await journal.finish(await journal.take_up(an_item(1), 0), Progress.FAILED, "500", failed, step="describe")
    known = await journal.recall("hash", 0)
    assert known is not None
    assert known.recalled is not None
    assert known == Answer("x", reasoning="since", recalled=known.recalled)
    assert (known.recalled.run, known.recalled.asked > 1_600_000_000_000) == ("first", True)
    assert await journal.recall("hash", 1) is None
    assert await journal.recall("other", 0) is None


async def test_what_is_looked_for_together_is_found_each_for_itself(store: Store) -> None:
    journal = StoreJournal(store, a_run(store, "first"))
    hashes = [f"{number:064x}" for number in range(150)]
    for number, digest in enumerate(hashes[::3]):
        await stored(journal, number, Answer(digest, call=replace(CALL, request_hash=digest)))
    statements: list[str] = []
    store.reader().set_trace_callback(statements.append)
    found = await asyncio.gather(*(journal.recall(digest, repeat) for digest in hashes for repeat in (0, 1)))
    again = asyncio.ensure_future(journal.recall(hashes[1], 0))
    await asyncio.sleep(0)
    again.cancel()
    assert await journal.recall(hashes[1], 0) is None, "whoever gives up disturbs nobody"
    store.reader().set_trace_callback(None)
    assert [known.text if known is not None else "" for known in found[::2]] == [
        digest if number % 3 == 0 else "" for number, digest in enumerate(hashes)
    ]
    assert found[1::2] == [None] * 150
    assert sum("wanted" in statement for statement in statements) <= 7


async def test_trouble_in_reading_reaches_everyone_who_looks(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    looking = [asyncio.ensure_future(journal.recall(name, 0)) for name in ("a", "b")]
    await asyncio.sleep(0)
    store.close()
    found = await asyncio.gather(*looking, return_exceptions=True)
    assert [type(error) for error in found] == [StoreError] * 2


async def test_a_picture_that_was_made_is_recalled_whole(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    made = SentPicture("ab" * 32, "image/png", (2, 3), (2, 3), "made", data=b"its bytes")
    await stored(journal, 0, Answer("", picture=made, call=CALL))
    known = await journal.recall("hash", 0)
    assert known is not None
    assert known.picture is not None
    assert (known.picture, known.picture.data) == (made, b"its bytes")


async def test_the_latest_asking_counts_and_a_failed_one_never(store: Store) -> None:
    first, second = (StoreJournal(store, a_run(store, name)) for name in ("first", "second"))
    await stored(first, 0, Answer("old", call=CALL))
    await stored(second, 0, Answer("new", call=CALL))
    await stored(second, 1, Answer("refused", call=replace(CALL, error="content_filter")))
    known = await first.recall("hash", 0)
    assert known is not None
    assert known.text == "new"


async def test_only_what_stands_behind_the_same_interventions_is_recalled(store: Store) -> None:
    journal = StoreJournal(store, a_run(store))
    await stored(journal, 0, Answer("gold behind", call=CALL), lane="describe=gold")
    assert await journal.recall("hash", 0, "") is None
    await stored(journal, 1, Answer("plain", call=CALL), lane="describe=@other", origin=Origin.OTHER)
    await stored(journal, 2, Answer("sham behind", call=CALL), lane="describe=sham")
    found = [await journal.recall("hash", 0, behind) for behind in ("", "describe=gold", "describe=wrong", None)]
    assert [known.text if known is not None else None for known in found] == [
        "plain",
        "gold behind",
        None,
        "sham behind",
    ]


async def test_a_recalled_step_points_at_the_call_that_was_paid_and_says_so_when_read(store: Store) -> None:
    first, second = (StoreJournal(store, a_run(store, name)) for name in ("first", "second"))
    await stored(first, 0, Answer("x", call=CALL))
    known = await second.recall("hash", 0)
    assert known is not None
    trajectory = await stored(second, 0, known)
    twice = await second.add_step(trajectory, a_step("relate", answer=known))  # the same asked twice in one path
    assert tables(store)["calls"] == 1
    rename_run(store, "first", "another name")
    (read,) = await StoreJournal(store, second.run).all_on(an_item())
    expected = replace(known.recalled, run="another name") if known.recalled is not None else None
    assert [step.answer.recalled for step in read.steps] == [expected, expected]
    assert all(step.answer.call is None for step in read.steps)
    raw = reading.trajectory(store, twice.id, calls=True)
    assert raw is not None
    assert raw[1].steps[0].answer.call == CALL
    (origin,) = await first.all_on(an_item())
    assert origin.steps[0].answer.recalled is None
    tree = reading.tree(store, second.run.id, reading.find_items(store, "voila-0")[0])
    assert [node.step.answer.recalled for node in tree.nodes] == [expected, expected]


async def test_deleting_the_run_that_asked_leaves_what_was_recalled_from_it(store: Store) -> None:
    """Nothing is left of either run in the end, whichever goes first."""
    for order in (["first", "second"], ["second", "first"]):
        first, second = (StoreJournal(store, a_run(store, name)) for name in ("first", "second"))
        long = replace(CALL, request={"q": "a long text " * 40})
        await stored(first, 0, Answer("x", call=long))
        known = await second.recall("hash", 0)
        assert known is not None
        trajectory = await stored(second, 0, known)
        await walk(second, an_item(3))
        delete_run(store, order[0])
        assert store.reader().execute("PRAGMA foreign_key_check").fetchall() == []
        if order[0] == "first":
            third = StoreJournal(store, a_run(store, "third"))
            again = await third.recall("hash", 0)
            assert again is not None
            assert again.recalled is not None
            assert (again.text, again.recalled.run) == ("x", "")
            raw = reading.trajectory(store, trajectory.id, calls=True)
            assert raw is not None
            assert raw[1].steps[0].answer.call == long
            assert raw[1].steps[0].answer.recalled == again.recalled
            delete_run(store, "third")
        else:
            assert await first.recall("hash", 0) == known
        assert not [finding for finding in examine(store.path) if finding.state != "ok"]
        delete_run(store, order[1])
        assert set(tables(store).values()) == {0}


# -- whole runs against a server


class Bench:
    """Runs of one small data set against one server; the server answers by what stands last in the conversation."""

    def __init__(self, home: Path, store: Store, url: str) -> None:
        self.store = store
        self.home = home
        self.url = url
        self.settings: dict[str, object] = {}
        self.data = small_voila_file(home, 7, "ND")
        self.pictures = home / "pictures"
        self.pictures.mkdir()
        with self.data.open(encoding="utf-8", newline="") as stream:
            names = {row[name] for row in csv.DictReader(stream) for name in ("img1", "img2", "img3")}
        for number, name in enumerate(sorted(names)):
            Image.new("RGB", (8, 8), (number, 0, 7)).save(self.pictures / name)

    def config(self) -> Any:
        return replace(load_config(None), respondents={"model": self.server()})

    def server(self) -> ServerSettings:
        return ServerSettings(**{"model": "m", "base_url": (self.url,), "attempts": 1, **self.settings})  # type: ignore[arg-type]

    def request(self, **changes: Any) -> Request:
        given = {"data": self.data, "pictures": str(self.pictures), "respondent": "model", **changes}
        return Request("voila:ND", **given)

    async def run(self, name: str | None = None, *, fresh: bool = False, **changes: Any) -> tuple[Run, Totals]:
        prepared = prepare(self.request(**changes), self.config())
        opened = open_prepared(self.store, prepared, name, fresh=fresh)
        try:
            return opened.run, await opened.engine().run(prepared.selection)
        finally:
            await prepared.close()


def answer(received: Received) -> Reply:
    return says(f"The answer is number = two, subject = dogs, action = walking ({len(received.messages)})")


@pytest.fixture
async def server() -> AsyncIterator[FaultServer]:
    async with FaultServer(answer) as running:
        yield running


@pytest.fixture
def bench(tmp_path: Path, store: Store, server: FaultServer) -> Bench:
    return Bench(tmp_path, store, server.url)


ALL = 7 * 3


async def test_a_second_run_of_the_same_is_recalled_whole(bench: Bench, server: FaultServer, store: Store) -> None:
    first, paid = await bench.run("first")
    asked = len(server.received)
    assert paid.recalled == ALL - asked  # items of the file may show and ask the same
    second, totals = await bench.run("second")
    assert len(server.received) == asked
    assert (totals.finished, totals.steps, totals.recalled, totals.prompt_tokens) == (7, ALL, ALL, 0)
    assert [c for _, c in sorted(cells(store, second).items())] == [c for _, c in sorted(cells(store, first).items())]
    spent = store.reader().execute("SELECT count(*), sum(prompt_tokens) FROM calls").fetchone()
    assert spent == (asked, paid.prompt_tokens)
    journal = StoreJournal(store, second)
    item = next(iter(prepare(bench.request(), bench.config()).selection))
    (read,) = await journal.all_on(item)
    assert {step.answer.recalled.run for step in read.steps if step.answer.recalled is not None} == {"first"}
    assert all(step.answer.sent for step in read.steps[:1])


def cells(store: Store, run: Run) -> dict[Any, int]:
    return {(t.step, t.status, t.right, t.scored): t.count for t in reading.tallies(store, [run.id])}


async def test_whatever_changes_is_asked_anew(bench: Bench, server: FaultServer) -> None:
    """ca01, ca02, ca05, ca08: nothing of another configuration is taken up, and what differs is named."""
    await bench.run("plain")
    asked = len(server.received)
    for number, settings in enumerate(
        (
            {"temperature": 0.7},
            {"model": "n"},
            {"max_tokens": 77},
            {"seed": 3},
            {"system": "Look well."},
            {"extra_body": {"top_k": 3}},
        ),
        1,
    ):
        bench.settings = settings
        await bench.run()
        assert len(server.received) == (number + 1) * asked, settings
    bench.settings = {"temperature": 0.9}
    opened = open_prepared(bench.store, prepare(bench.request(), bench.config()))
    assert opened.resumption.line(opened.run.name).endswith(": temperature 0.7 -> 0.9")
    bench.settings = {"concurrency": 3, "timeout_s": 60.0, "price_in": 1.0}
    _, totals = await bench.run("as at first")
    assert totals.recalled == ALL


async def test_another_server_with_a_model_of_the_same_name_is_asked(bench: Bench, server: FaultServer) -> None:
    await bench.run("first")
    async with FaultServer(answer) as other:
        bench.url = other.url
        _, totals = await bench.run("second")
        assert len(other.received) == ALL - totals.recalled > 0
        bench.settings = {"base_url": (server.url, other.url)}
        before = len(server.received) + len(other.received)
        await bench.run("replicas")
        assert len(server.received) + len(other.received) == before


async def test_a_picture_written_over_is_asked_about_anew(bench: Bench, server: FaultServer) -> None:
    """ca06: the same prompt and id, other bytes."""
    prepared = prepare(bench.request(), bench.config())
    items = list(prepared.selection)
    await bench.run("first")
    before = len(server.received)
    picture = items[3].pictures[0]
    Image.new("RGB", (8, 8), "white").save(picture.path)
    touched = [item for item in items if picture.name in {p.name for p in item.pictures}]
    await bench.run("second")
    assert len(server.received) - before == 3 * len(touched)


async def test_a_fresh_run_asks_everything_itself_also_when_it_is_resumed(bench: Bench, server: FaultServer) -> None:
    await bench.run()
    asked = len(server.received)
    half, totals = await bench.run(fresh=True, filter=Filter({}, limit=3))
    assert (totals.finished, len(server.received) > asked) == (3, True)
    resumed, totals = await bench.run()
    assert (resumed.id, totals.before, totals.finished) == (half.id, 3, 4)
    assert len(server.received) == 2 * asked
    _, totals = await bench.run("third")
    assert (totals.recalled, len(server.received)) == (ALL, 2 * asked)
    third = find_run(bench.store, "third")
    item = next(iter(prepare(bench.request(), bench.config()).selection))
    (read,) = await StoreJournal(bench.store, third).all_on(item)
    assert {s.answer.recalled.run for s in read.steps if s.answer.recalled is not None} == {half.name}


async def test_what_failed_is_asked_again_by_every_run(bench: Bench, server: FaultServer) -> None:
    server.script = lambda _: fails(500)
    _, totals = await bench.run("first")
    assert totals.failed == 7
    server.script = answer
    _, totals = await bench.run("second")
    assert (totals.finished, totals.failed) == (7, 0)
    assert totals.steps - totals.recalled == len(server.received) - 7


async def test_a_resumed_run_asks_for_the_rest_alone_and_the_store_hardly_grows(
    bench: Bench, server: FaultServer
) -> None:
    """re02, re05, re07: an empty run between hides nothing, what was done is kept, resuming twice adds nothing."""
    _, first = await bench.run(filter=Filter({}, limit=4))
    asked = len(server.received)
    assert (first.finished, first.steps) == (4, 12)
    open_prepared(bench.store, prepare(bench.request(), bench.config()))  # killed at once
    _, rest = await bench.run()
    assert (rest.before, rest.finished, rest.steps) == (4, 3, 9)
    assert len(server.received) - asked == 9 - rest.recalled
    size = whole_size(bench.store)
    for _ in range(2):
        _, again = await bench.run()
        assert (again.before, again.steps) == (7, 0)
    assert whole_size(bench.store) <= 1.1 * size


def whole_size(store: Store) -> int:
    with sqlite3.connect(store.path) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    return store.path.stat().st_size

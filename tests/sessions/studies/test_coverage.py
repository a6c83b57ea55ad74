"""A study as large as the paper's: 440 items, three answers each, forty people; some do not come to the end."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

from core.study.definition import Design
from core.study.preparing import Prepared
from core.study.simulating import Simulated
from sessions.store import Store
from sessions.studies import people
from sessions.studies.book import StudyRecord
from sessions.studies.claims import claim
from sessions.studies.clock import SetClock
from sessions.studies.coverage import coverage
from sessions.studies.simulated import Sat, sit_through
from tests.sessions.studies.sitting import shut_out
from tests.studies import kept, voila_study

ITEMS, RATERS, PEOPLE, EACH = 440, 3, 40, 33


def sit(
    store: Store, record: StudyRecord, prepared: Prepared, names: list[str], stop: dict[str, int] | None = None
) -> list[Sat]:
    """These people all sit at once; ``stop`` says who leaves after how many items."""
    sittings = [claim(store, record, people.find(store, name), prepared=prepared, clock=SetClock()) for name in names]

    async def together() -> list[Sat]:
        return await asyncio.gather(
            *(
                sit_through(
                    sitting,
                    Simulated(record.study, 0.8, sitting.person.pseudonym),
                    stop_after=(stop or {}).get(sitting.person.pseudonym),
                )
                for sitting in sittings
            )
        )

    done = asyncio.run(together())
    for sitting in sittings:
        sitting.close()
    return done


def valid_answers(store: Store, excluded: set[int]) -> Counter[str]:
    """By item: how many different people answered it in sessions that stand, from trials and steps themselves."""
    marks = ",".join(map(str, excluded)) or "0"
    rows = store.reader().execute(
        "SELECT items.key, count(DISTINCT s.participant) FROM trials AS t JOIN sessions AS s ON s.id = t.session"
        " JOIN items ON items.id = t.item JOIN trajectories AS p ON p.id = t.trajectory AND p.progress = 1"
        f" JOIN steps ON steps.id = p.head WHERE t.kind = 'main' AND s.kind = 'main' AND s.id NOT IN ({marks})"
        " GROUP BY items.key"
    )
    return Counter(dict(rows.fetchall()))


def test_every_item_ends_with_exactly_three_valid_answers(store: Store, tmp_path: Path) -> None:
    design = Design(raters=RATERS, per_session=EACH, stratify="rule")
    record, prepared = kept(store, voila_study(tmp_path, ITEMS // 2, times=2, design=design))
    names = [f"P{number:02d}" for number in range(1, PEOPLE + 1)]
    stop = {names[number]: 16 for number in (3, 9, 17, 22, 38)}
    first = sit(store, record, prepared, names, stop)
    assert [sat.slot for sat in first] == list(range(PEOPLE))
    assert sorted(Counter(sat.answered for sat in first).items()) == [(16, 5), (33, 35)]

    excluded = {first[number].session for number in (0, 12, 31)}
    for session in excluded:
        assert shut_out(store, session) == EACH
    found = coverage(store, record)
    assert (found.done, found.free, found.sitting) == (1320 - 5 * 17 - 3 * 33, 5 * 17 + 3 * 33, 0)

    more = sit(store, record, prepared, [f"R{number}" for number in range(8)])
    assert sorted(sat.answered for sat in more) == [17] * 5 + [33] * 3
    found = coverage(store, record)
    assert found.complete
    assert found.by_answers() == {RATERS: ITEMS}
    answers = valid_answers(store, excluded)
    assert len(answers) == ITEMS
    assert set(answers.values()) == {RATERS}
    assert found.sessions == {"ended": 43, "left": 5}

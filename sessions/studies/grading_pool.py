"""Which answers of stored runs people can judge, and in which order each of them meets these."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from core.benchmarks import registry
from core.errors import UsageError
from core.records import Layout, Origin, Status
from core.scoring import RULE
from sessions import encoding
from sessions.cells import common_name
from sessions.runs import Run, by_uid
from sessions.store import Store
from sessions.studies.reading import MAIN, Found


@dataclass(frozen=True, slots=True)
class Gradable:
    """An answer that can be judged: its step's row, and the bits of the step's ``layout`` that are asked about."""

    step: int
    run: int
    name: str
    layout: Layout
    bits: tuple[int, ...]

    def place_of(self, bit: int) -> tuple[int, str]:
        """Which unit (from 1; 0 where there is one only) and which property a bit stands for."""
        unit, index = divmod(bit.bit_length() - 1, len(self.layout.properties))
        return unit + 1 if self.layout.units > 1 else 0, self.layout.properties[index]


_ANSWERS: Final = (
    "SELECT s.id, t.run, n.name, ifnull((SELECT c.scored FROM scores AS c JOIN scorers AS v ON v.id = c.scorer"
    "  WHERE c.step = s.id AND v.name = ?4 ORDER BY c.scorer DESC LIMIT 1), 0)"
    " FROM trajectories AS t JOIN runs AS r ON r.id = t.run JOIN items AS i ON i.id = t.item"
    " JOIN steps AS s ON s.trajectory = t.id JOIN step_names AS n ON n.id = s.name"
    " WHERE t.run IN (SELECT value FROM json_each(?1)) AND t.parent IS NULL AND s.lane = 1 AND s.origin = ?2"
    " AND s.status IN (SELECT value FROM json_each(?3)) AND (s.picture IS NOT NULL OR trim(s.text) <> '')"
    " AND EXISTS (SELECT 1 FROM scores WHERE step = s.id)"
    " AND NOT EXISTS (SELECT 1 FROM scores WHERE step = s.id AND counted <> ?5)"
    " ORDER BY r.identity, r.uid, i.hash, t.repeat, s.id"
)
_SAID: Final = encoding.to_json([encoding.STATUS_CODE[status] for status in (Status.OK, Status.TRUNCATED)])


def gradable(store: Store, runs: Sequence[Run], only: str = "") -> list[Gradable]:
    """The respondents' own answers in these runs, in an order that holds wherever the runs are merged to.

    Left out are refused and empty answers (they say nothing), forks, interventions, and what somebody went back on.
    ``only`` is the one property to ask about. Raises UsageError where no step has it, or nothing is left.
    """
    by_row = {run.id: run for run in runs}
    rows = store.reader().execute(
        _ANSWERS,
        (
            encoding.to_json(list(by_row)),
            encoding.ORIGIN_CODE[Origin.RESPONDENT],
            _SAID,
            RULE,
            encoding.OWN,
        ),
    )
    known: dict[str, None] = {}
    out = []
    for step, run, stored, scored in rows:
        name = common_name(by_row[run], encoding.from_text(stored))
        layout = registry.get(by_row[run].config.benchmark).layout(name)
        known |= dict.fromkeys(layout.properties)
        bits = tuple(_bits(layout, scored or layout.mask, only))
        if bits:
            out.append(Gradable(step, run, name, layout, bits))
    if only and known and only not in known:
        raise UsageError(
            f"no answer has a property {only!r}", where="--property", remedy=f"There are: {', '.join(known)}"
        )
    if not out:
        raise UsageError("there is no answer to judge in " + _few([run.name for run in runs]))
    return out


def _bits(layout: Layout, mask: int, only: str) -> Iterator[int]:
    for unit in range(layout.units):
        for name in layout.properties:
            bit = layout.bit(name, unit)
            if mask & bit and only in ("", name):
                yield bit


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def sampled(found: Sequence[Gradable], count: int, seed: int) -> list[Gradable]:
    """So many of them, the same for everybody who names this seed; all where ``count`` is 0."""
    if not count or count >= len(found):
        return list(found)
    chosen = random.Random(f"grade/{seed}").sample(range(len(found)), count)
    return [found[index] for index in sorted(chosen)]


def shuffled(found: Sequence[Gradable], seed: int, author: str) -> list[Gradable]:
    """The order in which that person judges them: it follows from seed and pseudonym alone, respondents mixed."""
    out = list(found)
    random.Random(f"grade/{seed}/{author}").shuffle(out)
    return out


def runs_of_people(store: Store, found: Found) -> list[Run]:
    """The runs with the main trials of a study's sessions that are not excluded."""
    db = store.reader()
    rows = db.execute(
        "SELECT DISTINCT r.uid FROM trials AS t JOIN trajectories AS j ON j.id = t.trajectory"
        " JOIN runs AS r ON r.id = j.run WHERE t.kind = ?"
        " AND t.session IN (SELECT value FROM json_each(?)) ORDER BY r.uid",
        (MAIN, encoding.to_json([session.id for session in found.kept])),
    ).fetchall()
    return [by_uid(db, uid) for (uid,) in rows]

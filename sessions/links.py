"""Do rows that say the same in other words agree? Steps with the steps they follow, with their prompts, lanes and
calls; runs with what identifies them."""

# ruff: noqa: S608  (only identifiers from constants of this house are put into SQL; values are parameters)

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Final

from core.benchmarks import registry
from core.errors import PhoropterError
from core.interventions import ORIGINS, from_stored
from core.records import Origin, digest
from core.respondents.addresses import as_identified
from core.respondents.batch_book import Standing
from sessions import encoding
from sessions.contents import Wrong, compared
from sessions.identity import UID
from sessions.shape import BY_SQLITE_UTILS
from sessions.values import odd

_RESPONDENT: Final = encoding.ORIGIN_CODE[Origin.RESPONDENT]
_OF_A_FORK: Final = "t.parent IS NOT NULL"
_BASED: Final = (
    "EXISTS (SELECT 1 FROM runs AS r WHERE r.id = t.run AND CASE WHEN json_valid(r.configuration)"
    " THEN ifnull(json_extract(r.configuration, '$.base_run'), '') <> '' END)"
)

# table, sentence after the count, query for the rows
_LINKED: Final = (
    (
        "steps",
        "steps were asked with the prompt of a step of another name",
        "SELECT s.id FROM steps AS s JOIN prompts AS p ON p.id = s.prompt WHERE p.step <> s.name",
    ),
    (
        "steps",
        "steps follow a step of another item",
        "SELECT s.id FROM steps AS s JOIN steps AS p ON p.id = s.parent JOIN trajectories AS t ON t.id = s.trajectory"
        " JOIN trajectories AS o ON o.id = p.trajectory WHERE p.trajectory <> s.trajectory AND o.item <> t.item",
    ),
    # a fork stands on what it was forked from, a run with --from on another run; nothing else leaves its trajectory
    (
        "steps",
        "steps follow a step of a trajectory that theirs was not forked from",
        "SELECT s.id FROM steps AS s JOIN steps AS p ON p.id = s.parent JOIN trajectories AS t ON t.id = s.trajectory"
        " JOIN trajectories AS o ON o.id = p.trajectory WHERE p.trajectory <> s.trajectory AND"
        f" CASE WHEN o.run = t.run THEN NOT ({_OF_A_FORK}) ELSE NOT ({_BASED}) AND NOT ({_OF_A_FORK}) END",
    ),
    (
        "steps",
        "steps begin a trajectory that has begun with a step of another name",
        "SELECT s.id FROM steps AS s WHERE s.parent IS NULL AND s.trajectory IS NOT NULL AND EXISTS (SELECT 1"
        " FROM steps AS o WHERE o.trajectory = s.trajectory AND o.id < s.id AND o.parent IS NULL"
        " AND o.name <> s.name)",
    ),
    (
        "steps",
        "steps follow nothing, and their trajectory was forked after a step",
        "SELECT s.id FROM steps AS s JOIN trajectories AS t ON t.id = s.trajectory"
        f" WHERE s.parent IS NULL AND {_OF_A_FORK} AND t.fork > 0",
    ),
    # what a person went back on counts no more
    (
        "scores",
        "scores count as the respondent's own, or do not, against whose answer they are of",
        "SELECT c.step FROM scores AS c JOIN steps AS s ON s.id = c.step JOIN trajectories AS t"
        f" ON t.id = s.trajectory WHERE c.counted <> CASE WHEN s.origin <> {_RESPONDENT:d} THEN {encoding.NOT_OWN:d}"
        f" WHEN {_OF_A_FORK} THEN {encoding.OWN_ON_FORK:d} ELSE {encoding.OWN:d} END"
        f" AND NOT (c.counted = {encoding.NOT_OWN:d} AND t.id IN (SELECT trajectory FROM trials))",
    ),
    (
        "calls",
        "calls have been settled and hold neither a reply nor an error",
        f"SELECT id FROM calls WHERE pending = {Standing.SETTLED:d} AND reply IS NULL AND error = ''",
    ),
    (
        "calls",
        "calls hold no hash of their request",
        "SELECT id FROM calls WHERE typeof(request_hash) = 'blob'"
        " AND (length(request_hash) < 16 OR request_hash = zeroblob(length(request_hash)))",
    ),
    (
        "calls",
        "calls name a request by the hash of one with other words",
        "SELECT c.id FROM calls AS c JOIN (SELECT request_hash AS hash, min(ifnull(texts, '')) AS words FROM calls"
        " WHERE request IS NOT NULL GROUP BY request_hash HAVING count(DISTINCT ifnull(texts, '')) > 1) AS o"
        " ON o.hash = c.request_hash WHERE c.request IS NOT NULL AND ifnull(c.texts, '') <> o.words",
    ),
    (
        "calls",
        "calls were made for a trajectory of another run",
        "SELECT c.id FROM calls AS c JOIN trajectories AS t ON t.id = c.trajectory WHERE c.run <> t.run",
    ),
    (
        "steps",
        "steps were answered by a call that was made for another trajectory, where no step names it",
        "SELECT s.id FROM steps AS s JOIN calls AS c ON c.id = s.call WHERE c.trajectory IS NOT NULL"
        " AND c.trajectory IS NOT s.trajectory AND NOT EXISTS"
        " (SELECT 1 FROM steps AS m WHERE m.call = c.id AND m.trajectory = c.trajectory)",
    ),
    (
        "steps",
        "steps were recalled, and say something else than the step that they were recalled from",
        "SELECT s.id FROM steps AS s JOIN calls AS c ON c.id = s.call JOIN steps AS m ON m.call = c.id"
        " AND m.trajectory = c.trajectory WHERE s.trajectory IS NOT c.trajectory AND s.text <> m.text",
    ),
    (
        "pictures",
        "pictures are of another kind or size than was sent",
        "SELECT DISTINCT substr(p.hash, 1, 12) FROM (SELECT content FROM picture_sets WHERE typeof(content) = 'text')"
        " AS s, json_each(CASE WHEN json_valid(s.content) THEN s.content ELSE '[]' END) AS e JOIN pictures AS p"
        " ON p.hash = json_extract(e.value, '$[0]') WHERE p.mime <> '' AND (p.mime <> json_extract(e.value, '$[1]')"
        " OR p.width <> json_extract(e.value, '$[2]') OR p.height <> json_extract(e.value, '$[3]'))",
    ),
)
_HEARD: Final = (
    "SELECT DISTINCT run FROM (SELECT run, served_model FROM calls WHERE served_model <> '' AND run IS NOT NULL"
    " AND purpose <> 'judge' EXCEPT SELECT run, model FROM served)"
)


def contradiction(db: sqlite3.Connection) -> str:
    """The first that is found wrong in a current store's cells, or between them, in words; "" where all agree."""
    checks = (compared, odd, unlinked, misnamed)
    return next((wrong.what for check in checks for wrong in check(db)), "")


def unlinked(db: sqlite3.Connection) -> Iterator[Wrong]:
    """What contradicts itself between rows."""
    for table, what, query in _LINKED:
        if rows := tuple(row for (row,) in db.execute(query)):
            yield Wrong(table, what, rows)
    upgraded = db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (BY_SQLITE_UTILS,)).fetchone()
    if upgraded is None and (rows := tuple(row for (row,) in db.execute(_HEARD))):  # kept since the second version
        yield Wrong("served", "runs have calls that a model answered which is not among those heard in them", rows)
    yield from _lanes(db)


# -- lanes: each step's is the one before it, with what was put in at this step

_LANES: Final = (
    "FROM steps AS s JOIN lanes AS l ON l.id = s.lane JOIN step_names AS n ON n.id = s.name"
    " LEFT JOIN steps AS b ON b.id = s.parent LEFT JOIN lanes AS p ON p.id = b.lane"
)
_ALIKE: Final = f"SELECT DISTINCT l.label, p.label, n.name, s.origin {_LANES}"
_THOSE: Final = f"SELECT s.id {_LANES} WHERE l.label = ? AND p.label IS ? AND n.name = ? AND s.origin = ?"
_IN_RUNS: Final = (
    "SELECT DISTINCT t.run, l.label FROM trajectories AS t JOIN steps AS s ON s.trajectory = t.id"
    " JOIN lanes AS l ON l.id = s.lane WHERE t.parent IS NULL AND s.lane <> ?"
)
_PUT_IN: Final[dict[str, int]] = {kind: encoding.ORIGIN_CODE[origin] for kind, origin in ORIGINS.items()}
_BY_WORDS: Final = frozenset({encoding.ORIGIN_CODE[origin] for origin in (Origin.GOLD, Origin.WRONG, Origin.EDITED)})


def _lanes(db: sqlite3.Connection) -> Iterator[Wrong]:
    odd: list[int] = []
    for label, before, name, origin in db.execute(_ALIKE).fetchall():
        words = encoding.from_text(label), encoding.from_text(before), encoding.from_text(name)
        if not _follows(*words, origin):
            odd += [step for (step,) in db.execute(_THOSE, (label, before, name, origin))]
    if odd:
        what = "steps stand in a lane that does not follow from the one before and from whose answer they hold"
        yield Wrong("lanes", what, tuple(odd))
    planned = {
        run: _planned(configuration) for run, configuration in db.execute("SELECT id, configuration FROM runs")
    }
    strange = [
        run
        for run, label in db.execute(_IN_RUNS, (encoding.PLAIN_LANE,))
        if planned.get(run) is not None and not _made_of(encoding.from_text(label), planned[run] or ())
    ]
    if strange:
        yield Wrong("lanes", "runs have steps in lanes that their interventions do not make", tuple(strange))


def _follows(label: str, before: str, name: str, origin: int) -> bool:
    """Whether a step of this name and origin can stand in this lane after one in the lane ``before``."""
    if label == before:
        return origin not in _BY_WORDS
    if not label.startswith(f"{before}+" if before else ""):
        return False
    here = label[len(before) + 1 if before else 0 :]
    if not here.startswith(f"{name}="):
        return False
    # words stand behind whoever was asked, and behind a changed turn
    word = here.rpartition(f"{name}=")[2].partition(":")[0]
    return origin == _PUT_IN[word] if word in _PUT_IN else origin not in _BY_WORDS


def _planned(configuration: str) -> list[str] | None:
    """What a run's own trajectories can have put in; None where this program cannot tell."""
    try:
        stored = encoding.from_json(configuration)
        if registry.get(stored["benchmark"]).pipeline:
            return None
        others = stored.get("respondents_at", {})
        labels = [one.label for one in from_stored(stored.get("interventions"))]
        return [*labels, *(f"{step}=@{other['name']}" for step, other in others.items())]
    except (PhoropterError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _made_of(label: str, labels: Iterable[str]) -> bool:
    known = sorted(labels, key=len, reverse=True)
    while label:
        found = next((one for one in known if label == one or label.startswith(f"{one}+")), None)
        if found is None:
            return False
        label = label[len(found) + 1 :]
    return True


# -- runs


_COPIED: Final = ("benchmark", "subset", "protocol", "respondent", "respondent_kind", "data_digest")


def misnamed(db: sqlite3.Connection) -> Iterator[Wrong]:
    """Runs whose columns say another thing than their configuration, or that their identity does not name."""
    unlike, other, nameless = [], [], []
    for run, uid, identity, options, configuration, *copies in db.execute(
        f"SELECT id, uid, identity, options, configuration, {', '.join(_COPIED)} FROM runs"
    ):
        try:
            stored = encoding.from_json(configuration)
            named = [encoding.from_text(value) for value in copies]
            same = named == [stored[name] for name in _COPIED] and encoding.from_json(options) == stored["options"]
            unlike += [] if same else [run]
            told = digest(stored | {"respondent": as_identified(stored["respondent"])})
            other += [] if told == identity else [run]
        except (ValueError, TypeError, LookupError, AttributeError):
            continue  # told where cells are looked at
        nameless += [] if isinstance(uid, str) and UID.fullmatch(uid) else [run]
    for rows, what in (
        (unlike, "runs say something else in their columns than in their configuration"),
        (other, "runs are named by an identity that is not their configuration's"),
        (nameless, "runs have a uid that no run is given"),
    ):
        if rows:
            yield Wrong("runs", what, tuple(rows))

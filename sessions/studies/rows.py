"""A study as rows of tables: its answers, its participants, its sessions, what happened in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core.columns import Column
from core.records import Layout
from core.study.tables import Table
from sessions import encoding
from sessions.answers import Answers, answers_of
from sessions.paths import steps_on
from sessions.store import Store
from sessions.studies.doings import active_ms, groups_of
from sessions.studies.reading import (
    Found,
    Responded,
    Sat,
    SatTrial,
    responses_of,
    trials_of,
)

_YES_NO: Final = {"true": "yes", "false": "no"}

TRIALS: Final = (
    Column("study", "text", "Name of the study"),
    Column("study_version", "integer", "Version of the study's file that the session sat under"),
    Column("study_digest", "text", "SHA-256 of that version: file, prompts, items"),
    Column("session", "text", "Unique id of the session"),
    Column("session_kind", "text", "main, pilot or simulated", levels={
        "main": "counts", "pilot": "a pilot, never counted", "simulated": "nobody sat there: made-up answers",
    }),
    Column("participant", "text", "Pseudonym"),
    Column("excluded", "boolean", "The session does not count; see sessions", levels=_YES_NO),
    Column("condition", "text", "Condition of the study, empty where there is one only"),
    Column("position", "integer", "Place of the trial in the session, from 0, practice first"),
    Column("trial_kind", "text", "main, practice, catch or repeat; main alone counts in accuracy"),
    Column("block", "integer", "Block of the session, from 0"),
    Column("item", "text", "Id of the item"),
    Column("item_hash", "text", "SHA-256 of the item as it was shown"),
    Column("step", "text", "Step of the protocol; missing where the trial ended without any answer"),
    Column("counts", "boolean", "False for an answer that was gone back over and given anew", levels=_YES_NO),
    Column("answer", "text", "The answer in canonical words, as models' answers are scored"),
    Column("typed", "text", "What was typed, where words were typed"),
    Column("right", "boolean", "Everything that was scored is right (rule scorer)", levels=_YES_NO),
    Column("units_right", "integer", "Bits of the score that are right"),
    Column("units_scored", "integer", "Bits of the score"),
    Column("first_ms", "integer", "From the turn on screen to the first answer, pauses taken out", "ms"),
    Column("final_ms", "integer", "From the turn on screen to the final answer, pauses taken out", "ms"),
    Column("paused_ms", "integer", "Paused time before the final answer", "ms"),
    Column("zoom_ms", "integer", "Time within the turn in which a picture was enlarged", "ms"),
    Column("wall_ms", "integer", "From the turn on screen to its answer on disk, pauses and all", "ms"),
    Column("revisions", "integer", "How often a value was changed before it was final"),
    Column("anticipations", "integer", "Keys that came before the turn was on screen (dropped)"),
    Column("timed_out", "boolean", "The time was out before an answer", levels=_YES_NO),
    Column("confidence", "number", "On the study's scale, from 1"),
    Column("why", "text", "The reason given in words"),
    Column("onset", "time", "When the turn was on screen, UTC"),
    Column("answered", "time", "When the answer was on disk, UTC"),
    Column("trial_shown", "time", "When the trial was first shown, UTC"),
    Column("trial_ended", "time", "When the trial ended, UTC; missing where it did not"),
    Column("terminal", "text", "The terminal program"),
    Column("terminal_cells", "text", "Its size in cells, width x height"),
    Column("terminal_pixels", "text", "Its size in pixels, width x height"),
    Column("picture_protocol", "text", "How pictures were drawn: kitty, sixel, iterm2, halfcell, unicode"),
    Column("pictures_shown", "text", "Size in pixels at which each picture was shown, width x height each"),
)  # fmt: skip

SESSIONS: Final = (
    Column("session", "text", "Unique id of the session"),
    Column("study", "text", "Name of the study"),
    Column("study_version", "integer", "Version of the study's file"),
    Column("study_digest", "text", "SHA-256 of that version"),
    Column("session_kind", "text", "main, pilot or simulated"),
    Column("participant", "text", "Pseudonym"),
    Column("state", "text", "open, paused, ended, or left (ended early)"),
    Column("excluded", "boolean", "Whether it does not count", levels=_YES_NO),
    Column("exclusion_rules", "text", "Rules of the study's file that it breaks, ; between them"),
    Column("exclusion_reasons", "text", "Why, in words, ; between them"),
    Column("slot", "integer", "Which share of the items it was given"),
    Column("seed", "integer", "Order and choice follow from this and the slot"),
    Column("station", "text", "Where it was held"),
    Column("experimenter", "text", "Who held it"),
    Column("started", "time", "UTC"),
    Column("ended", "time", "UTC; missing where it did not end"),
    Column("trials", "integer", "Main trials that were ended"),
)

PARTICIPANTS: Final = (
    Column("participant", "text", "Pseudonym"),
    Column("sessions", "integer", "Sessions in this study"),
    Column("excluded_sessions", "integer", "Of these, how many do not count"),
    Column("trials", "integer", "Main trials that were ended, in sessions that count"),
    Column("first_seen", "time", "When the first session began, UTC"),
)

EVENTS: Final = (
    Column("session", "text", "Unique id of the session"),
    Column("participant", "text", "Pseudonym"),
    Column("position", "integer", "Place of the trial in the session; missing where it belongs to none"),
    Column("at", "time", "UTC"),
    Column("event", "text", "What happened"),
    Column("details", "text", "JSON"),
)


def tables_of(store: Store, found: Found) -> tuple[Table, ...]:
    """Trials, participants, sessions and events of these sessions."""
    trials = trials_of(store, found.sessions, ended=False)
    return (
        _trials(store, found, trials),
        _participants(store, found, trials),
        _sessions(found, trials),
        _events(store, found, trials),
    )


def _trials(store: Store, found: Found, trials: Sequence[SatTrial]) -> Table:
    records = {record.id: record for record in found.records}
    sessions = {session.id: session for session in found.sessions}
    responses = responses_of(store, trials)
    rows_of = [trial.trajectory for trial in trials if trial.trajectory is not None]
    answers = answers_of(store, rows_of, "rule", found.benchmark)
    counting = steps_on(store.reader(), rows_of)
    groups = groups_of(store, {trial.item for trial in trials})
    texts = _texts(store, [r.step for of_trial in responses.values() for r in of_trial if r.step is not None])
    rows: list[dict[str, Any]] = []
    for trial in trials:
        session = sessions[trial.session]
        record = records[session.study]
        common = {
            "study": record.name,
            "study_version": record.version,
            "study_digest": record.digest,
            "session": session.uid,
            "session_kind": session.kind,
            "participant": session.person,
            "excluded": session.excluded,
            "condition": trial.condition,
            "position": trial.position,
            "trial_kind": trial.kind,
            "block": trial.details.get("block"),
            "item": trial.key,
            "item_hash": trial.item_hash,
            "trial_shown": trial.shown,
            "trial_ended": trial.ended,
            **_display(trial.details),
            **{f"group.{name}": value for name, value in groups[trial.item].items()},
        }
        own = answers.get(trial.trajectory or 0)
        of_trial = responses.get(trial.id, ())
        for response in of_trial:
            own_step = own if response.step in counting else None
            rows.append(common | _response(response)
                        | {"answer": texts.get(response.step or 0), "counts": response.step in counting}
                        | _scored(own_step, response.name, found.benchmark.layout))  # fmt: skip
        if not of_trial:
            rows.append(common | {"timed_out": trial.timed_out})
    known = {column.name for column in TRIALS}
    extra = list(dict.fromkeys(name for row in rows for name in row if name not in known))
    more = tuple(_more(name) for name in sorted(extra, key=_kind_of))
    return Table("trials", "One row for each answer to a step of a trial", (*TRIALS, *more), tuple(rows))


def _kind_of(name: str) -> int:
    return ("group", "said", "gold", "right").index(name.partition(".")[0])


def _more(name: str) -> Column:
    what, _, field = name.partition(".")
    if what == "group":
        return Column(name, "text", f"The item's {field}")
    if what == "right":
        return Column(name, "boolean", f"Whether {field} is right", levels=_YES_NO)
    return Column(name, "text", f"{'The value given' if what == 'said' else 'The right value'}: {field}")


def _display(details: Mapping[str, Any]) -> dict[str, Any]:
    def size(name: str) -> str | None:
        found = details.get(name)
        return f"{found[0]}x{found[1]}" if found and all(found) else None

    pictures = details.get("pictures")
    return {
        "terminal": details.get("terminal"),
        "terminal_cells": size("cells"),
        "terminal_pixels": size("pixels"),
        "picture_protocol": details.get("protocol"),
        "pictures_shown": " ".join(f"{width}x{height}" for _, width, height in pictures) if pictures else None,
    }


def _response(response: Responded) -> dict[str, Any]:
    first, final = active_ms(response)
    details = response.details
    return {
        "step": response.name or details.get("study_step"),
        "typed": response.form.get("text"),
        "first_ms": first,
        "final_ms": final,
        "paused_ms": response.paused_ms,
        "zoom_ms": details.get("zoom_ms"),
        "wall_ms": details.get("wall_ms"),
        "revisions": response.revisions,
        "anticipations": details.get("anticipations"),
        "timed_out": response.timed_out,
        "confidence": response.confidence,
        "why": details.get("why"),
        "onset": details.get("onset_utc"),
        "answered": response.created,
    }


def _scored(answers: Answers | None, step: str, layout_of: Any) -> dict[str, Any]:
    said = answers.said.get(step) if answers is not None else None
    if said is None or answers is None:
        return {}
    layout: Layout = layout_of(step)
    out: dict[str, Any] = {
        "right": said.right == said.scored if said.scored else None,
        "units_right": said.right.bit_count(),
        "units_scored": said.scored.bit_count(),
    }
    for name, bit in _fields(layout):
        if bit in said.values:
            out[f"said.{name}"] = said.values[bit]
        if bit in answers.golds.get(step, {}):
            out[f"gold.{name}"] = answers.golds[step][bit]
        if said.scored & bit:
            out[f"right.{name}"] = bool(said.right & bit)
    return out


def _fields(layout: Layout) -> Iterator[tuple[str, int]]:
    for unit in range(layout.units):
        for name in layout.properties:
            yield f"{unit + 1}.{name}" if layout.units > 1 else name, layout.bit(name, unit)


def _texts(store: Store, steps: Sequence[int]) -> dict[int, str]:
    rows = store.reader().execute(
        "SELECT id, text FROM steps WHERE id IN (SELECT value FROM json_each(?))", (encoding.to_json(list(steps)),)
    )
    return {row: encoding.from_text(text) for row, text in rows}


def _sessions(found: Found, trials: Sequence[SatTrial]) -> Table:
    records = {record.id: record for record in found.records}
    done = _done(trials)
    rows = tuple(
        {
            "session": session.uid,
            "study": records[session.study].name,
            "study_version": records[session.study].version,
            "study_digest": records[session.study].digest,
            "session_kind": session.kind,
            "participant": session.person,
            "state": session.state,
            "excluded": session.excluded,
            "exclusion_rules": "; ".join(each.rule or "by hand" for each in session.exclusions),
            "exclusion_reasons": "; ".join(each.reason for each in session.exclusions),
            "slot": session.slot,
            "seed": session.seed,
            "station": session.station,
            "experimenter": session.experimenter,
            "started": session.created,
            "ended": session.ended,
            "trials": done[session.id],
        }
        for session in found.sessions
    )
    return Table("sessions", "One row for each session", SESSIONS, rows)


def _done(trials: Sequence[SatTrial]) -> dict[int, int]:
    out: dict[int, int] = defaultdict(int)
    for trial in trials:
        out[trial.session] += trial.kind == "main" and trial.ended is not None
    return out


def _participants(store: Store, found: Found, trials: Sequence[SatTrial]) -> Table:
    done = _done(trials)
    said: dict[str, dict[str, str]] = defaultdict(dict)
    persons = {session.id: session.person for session in found.sessions}
    asked: dict[str, str] = {}
    for part, kind in (("gate", "gate"), ("before", "before"), ("after", "after")):
        for question in getattr(found.record.study, kind):
            asked[f"{part}.{question.id}"] = question.text
    for session, part, question, value in store.reader().execute(
        "SELECT session, part, question, value FROM questionnaires WHERE session IN"
        " (SELECT value FROM json_each(?)) ORDER BY id",
        (encoding.to_json(list(persons)),),
    ):
        name = f"{part}.{encoding.from_text(question)}"
        asked.setdefault(name, name)
        said[persons[session]][name] = encoding.from_text(value)
    by_person: dict[str, list[Sat]] = defaultdict(list)
    for one in found.sessions:
        by_person[one.person].append(one)
    rows = tuple(
        {
            "participant": person,
            "sessions": len(own),
            "excluded_sessions": sum(one.excluded for one in own),
            "trials": sum(done[one.id] for one in own if not one.excluded),
            "first_seen": own[0].created,
            **said[person],
        }
        for person, own in by_person.items()
    )
    more = tuple(Column(name, "text", text) for name, text in asked.items())
    return Table("participants", "One row for each participant", (*PARTICIPANTS, *more), rows)


def _events(store: Store, found: Found, trials: Sequence[SatTrial]) -> Table:
    sessions = {session.id: session for session in found.sessions}
    positions = {trial.id: trial.position for trial in trials}
    rows = tuple(
        {
            "session": sessions[session].uid,
            "participant": sessions[session].person,
            "position": positions.get(trial),
            "at": at,
            "event": encoding.from_text(kind),
            "details": encoding.from_text(details),
        }
        for session, trial, at, kind, details in store.reader().execute(
            "SELECT session, trial, at_ms, kind, details FROM events WHERE session IN"
            " (SELECT value FROM json_each(?)) ORDER BY session, at_ms, id",
            (encoding.to_json(list(sessions)),),
        )
    )
    return Table("events", "One row for each thing that happened in a session", EVENTS, rows)

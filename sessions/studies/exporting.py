"""A study written out: tables that other programs read, with a dictionary of what they hold, and the checklist."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from core.columns import write_parquet
from core.errors import UsageError
from core.moments import utc
from core.records import Json
from core.study.tables import Table, as_csv, as_tsv, dictionary
from core.version import own_version
from sessions import encoding
from sessions.store import Store
from sessions.studies.collected import checklist
from sessions.studies.reading import Found, Kind
from sessions.studies.reporting import StudyReport, report
from sessions.studies.rows import tables_of

KIND: Final = "study"
"""``exports.kind`` of these."""

_UNFIT: Final = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class Form:
    """How it is written. ``bom`` and ``formula_safe`` are for CSV alone; ``kind`` is that of the sessions."""

    bom: bool = False
    formula_safe: bool = False
    parquet: bool = False
    kind: Kind = "main"


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: the folder, its files, and how many rows each table has."""

    folder: Path
    files: tuple[str, ...]
    rows: Mapping[str, int]


def export(store: Store, name: str, folder: Path, form: Form | None = None) -> Written:
    """Write a study into a new folder that its owner alone can read, and note the export down in the store.

    It is there whole or not at all. Raises UsageError where something lies there already, or nothing was collected.
    """
    form = form or Form()
    folder = folder.absolute()
    if folder.exists():
        raise UsageError("there is something of that name already", where=str(folder), remedy="Name a new folder")
    told = report(store, name, kind=form.kind)
    found = told.found
    if not found.sessions:
        raise UsageError(
            f"there are no {form.kind} sessions of this study", where=name, remedy="`phoropter study sit` holds them"
        )
    with store.snapshot():
        tables = tables_of(store, found)
        files = _files(store, told, tables, form)
    _place(folder, files, tables if form.parquet else ())
    written = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    _note(store, found, folder, written)
    return Written(folder, tuple(written), {table.name: len(table.rows) for table in tables})


def _files(store: Store, told: StudyReport, tables: Sequence[Table], form: Form) -> dict[str, bytes]:
    found = told.found
    files = {f"{table.name}.csv": as_csv(table, bom=form.bom, formula_safe=form.formula_safe) for table in tables}
    files["data_dictionary.json"] = _json(_about(found, tables, form))
    files["study.json"] = _json(
        [
            {"version": each.version, "digest": each.digest, "study": each.study.to_json() | {"experimenter_key": ""}}
            for each in found.records
        ]
    )
    files["report.json"] = _json(told.to_json())
    files["checklist.md"] = _checklist(store, told).encode("utf-8", "backslashreplace")
    return files | _bids(found, tables)


def _about(found: Found, tables: Sequence[Table], form: Form) -> Json:
    return {
        "study": found.record.name,
        "sessions": found.kind,
        "made_with": f"phoropter {own_version()}",
        "made": utc(encoding.now_ms(), exact=True),
        "encoding": "UTF-8 with a byte order mark" if form.bom else "UTF-8",
        "missing": "empty in CSV, n/a in TSV, null in parquet",
        "times": "UTC, ISO 8601, milliseconds, ending in Z",
        "formula_safe": "an apostrophe stands before texts that begin with = + - @, a tab or a return"
        if form.formula_safe
        else "no: texts are as they were given; do not open them in a spreadsheet that runs formulas",
        "response_times": "terminals and keyboards add tens of milliseconds",
        "tables": {table.name: {"about": table.means, "columns": dictionary(table)} for table in tables},
    }


def _json(value: Json) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "backslashreplace")


def _checklist(store: Store, told: StudyReport) -> str:
    lines = [f"# Reporting checklist: {told.found.record.name}", "", "After arXiv 2506.13776.", ""]
    stage = ""
    for each in checklist(store, told):
        if each.entry.stage != stage:
            lines += [""] if stage else []
            stage = each.entry.stage
            lines += [f"## {stage.capitalize()}", ""]
        lines.append(f"- [{'x' if each.said else ' '}] **{each.entry.asks}** {each.answer}")
    return "\n".join([*lines, ""])


# -- BIDS


def _bids(found: Found, tables: Sequence[Table]) -> dict[str, bytes]:
    """Behavioural files after the Brain Imaging Data Structure: a folder a participant, a file a session."""
    trials, participants = tables[0], tables[1]
    task = _UNFIT.sub("", found.record.name) or "study"
    labels = _labels([session.person for session in found.sessions])
    several = len({session.person for session in found.sessions}) < len(found.sessions)
    files = {
        "bids/dataset_description.json": _json(
            {"Name": found.record.name, "BIDSVersion": "1.9.0", "DatasetType": "raw",
             "GeneratedBy": [{"Name": "phoropter", "Version": own_version()}]}
        ),
        f"bids/task-{task}_beh.json": _json({"TaskName": found.record.name} | dictionary(trials)),
        "bids/participants.json": _json(_renamed(dictionary(participants))),
    }  # fmt: skip
    columns = (replace(participants.columns[0], name="participant_id"), *participants.columns[1:])
    rows = tuple({**row, "participant_id": f"sub-{labels[row['participant']]}"} for row in participants.rows)
    files["bids/participants.tsv"] = as_tsv(replace(participants, columns=columns, rows=rows))
    number: dict[str, int] = {}
    for session in found.sessions:
        label = labels[session.person]
        number[label] = number.get(label, 0) + 1
        own = tuple(row for row in trials.rows if row["session"] == session.uid)
        place, name = f"bids/sub-{label}", f"sub-{label}"
        if several:
            place, name = f"{place}/ses-{number[label]:02d}", f"{name}_ses-{number[label]:02d}"
        files[f"{place}/beh/{name}_task-{task}_beh.tsv"] = as_tsv(replace(trials, rows=own))
    return files


def _renamed(columns: dict[str, Json]) -> dict[str, Json]:
    return {("participant_id" if name == "participant" else name): said for name, said in columns.items()}


def _labels(persons: Sequence[str]) -> dict[str, str]:
    """Letters and digits alone, as BIDS wants labels, and still one a person."""
    out: dict[str, str] = {}
    for person in dict.fromkeys(persons):
        label, number = _UNFIT.sub("", person), 1
        while label in out.values():
            number += 1
            label = f"{_UNFIT.sub('', person)}x{number}"
        out[person] = label
    return out


# -- on disk


def _place(folder: Path, files: Mapping[str, bytes], parquet: Sequence[Table]) -> None:
    """All of it in a folder beside, which then takes its name. Raises UsageError where it cannot be written."""
    try:
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    except OSError as error:
        raise UsageError(f"the folder cannot be made ({error.strerror})", where=str(folder)) from None
    try:
        for name, data in files.items():
            _write(beside / name, data)
        for table in parquet:
            _write(beside / f"{table.name}.parquet", b"")
            write_parquet(table.columns, table.values(), beside / f"{table.name}.parquet")
        beside.rename(folder)
    except OSError as error:
        raise UsageError(f"the export cannot be written ({error.strerror})", where=str(folder)) from None
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def _write(file: Path, data: bytes) -> None:
    for parent in reversed(file.parents):
        parent.mkdir(mode=0o700, exist_ok=True)
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:  # noqa: PTH123
        stream.write(data)


def _note(store: Store, found: Found, folder: Path, written: Sequence[str]) -> None:
    """What was written where, so that a withdrawal can name it. Nobody's pseudonym is in it."""
    hashes = hashlib.sha256()
    for name in written:
        hashes.update(f"{name}\0".encode() + hashlib.sha256((folder / name).read_bytes()).digest())
    details = {"files": len(written), "sessions": found.kind, "version": found.record.version}

    def change(db: sqlite3.Connection) -> None:
        db.execute(
            "INSERT INTO exports (kind, target, digest, study, details, created) VALUES (?, ?, ?, ?, ?, ?)",
            (
                KIND,
                encoding.to_text(str(folder)),
                hashes.hexdigest(),
                found.record.id,
                encoding.to_json(details),
                encoding.now_ms(),
            ),
        )

    store.write(change, full=True)

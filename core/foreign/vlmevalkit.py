"""VLMEvalKit's predictions: a table with ``index``, ``question``, ``prediction``, as xlsx, tsv, csv or JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.foreign.reading import as_json, as_lines, read_file, whole_of
from core.foreign.replies import Reply, Results
from core.foreign.workbook import sheet

TOOL: Final = "vlmevalkit"
FAILED: Final = "Failed to obtain answer"
"""What it writes where a reply should stand and the call failed."""
_PREDICTION: Final = "prediction"
_REMEDY: Final = "Name the table of predictions that VLMEvalKit wrote (MODEL_DATASET.xlsx)"


def read_results(path: Path) -> Results:
    """The replies of one model to one data set. Raises UsageError for a file of another kind, naming the row."""
    data, digest = read_file(path)
    if data.startswith(b"\x80"):
        raise UsageError(
            "a pickle can run programs and is not opened",
            where=str(path),
            remedy="Let VLMEvalKit write PRED_FORMAT=tsv, or name its xlsx",
        )
    rows = list(_rows(data, path))
    if not rows:
        raise UsageError("the table has no rows", where=str(path), remedy=_REMEDY)
    if _PREDICTION not in rows[0]:
        raise UsageError("the table has no column prediction", where=str(path), remedy=_REMEDY)
    first = min((number for row in rows if (number := whole_of(row.get("index"))) is not None), default=0)
    replies = [_reply(row, f"{path.name}, row {place + 1}", min(first, 1)) for place, row in enumerate(rows)]
    failed = sum(bool(reply.failed) for reply in replies)
    slips = []
    if failed:
        slips.append(f"{failed} predictions say that the call failed: they are no answers and count as failed here")
    return Results(TOOL, path.name, digest, path.stem.rpartition("_")[0] or path.stem, tuple(replies), tuple(slips))


def _reply(row: Mapping[str, Any], where: str, first: int) -> Reply:
    text = row.get(_PREDICTION)
    said = "" if text is None or text != text else str(text)  # an empty cell may come as NaN
    number = whole_of(row.get("index"))
    identifier = "" if row.get("index") is None else str(row["index"])
    return Reply(
        said,
        where,
        item=str(row["id"]) if isinstance(row.get("id"), str) else identifier,
        row=None if number is None else number - first,
        question=_word(row, "question"),
        target=_word(row, "answer"),
        failed=said.strip()[:200] if said.startswith(FAILED) else "",
        raw={key: value for key, value in row.items() if isinstance(value, str | int | float | bool | None)},
    )


def _word(row: Mapping[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _rows(data: bytes, path: Path) -> Iterator[Mapping[str, Any]]:
    if data.startswith(b"PK\x03\x04"):
        yield from sheet(data, path, _REMEDY)
    elif data.lstrip()[:1] in (b"[", b"{"):
        yield from _objects(data, path)
    else:
        yield from _separated(data, path)


def _objects(data: bytes, path: Path) -> Iterator[Mapping[str, Any]]:
    """A list of objects, an object of columns (lists, or objects by row), or JSON lines."""
    if data.lstrip()[:1] == b"{" and _is_lines(data):
        stored: Any = [entry for _, entry in as_lines(data, path)]
    else:
        stored = as_json(data, path)
    if isinstance(stored, dict) and isinstance(stored.get(_PREDICTION), str):
        stored = [stored]
    elif isinstance(stored, dict):
        columns = {key: list(held.values()) if isinstance(held, dict) else held for key, held in stored.items()}
        if not columns or not all(isinstance(held, list) for held in columns.values()):
            raise UsageError("this is no table", where=str(path), remedy=_REMEDY)
        stored = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=False)]
    if not all(isinstance(row, dict) for row in stored):
        raise UsageError("this is no table", where=str(path), remedy=_REMEDY)
    yield from stored


def _is_lines(data: bytes) -> bool:
    first, _, rest = data.strip().partition(b"\n")
    return first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")


def _separated(data: bytes, path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"this is not UTF-8 (byte {error.start})", where=str(path), remedy=_REMEDY) from None
    first = text.partition("\n")[0]
    delimiter = "\t" if "\t" in first else ","
    if "\0" in text or delimiter not in first:
        raise UsageError("this is no table", where=str(path), remedy=_REMEDY)
    limit = csv.field_size_limit(len(data) + 1)  # images in base64 are cells too
    try:
        yield from csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    except csv.Error as error:
        raise UsageError(f"the table cannot be read ({error})", where=str(path), remedy=_REMEDY) from None
    finally:
        csv.field_size_limit(limit)

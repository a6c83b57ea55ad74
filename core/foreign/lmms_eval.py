"""lmms-eval's logged samples: JSON lines (``*_samples_TASK.jsonl``), or the older JSON with ``logs``.

Of each sample: ``doc_id`` is the row in the data, ``doc`` (where it was kept) the row itself, ``resps`` the replies,
``filtered_resps`` what its filters made of them, ``target`` the right answer, ``input`` the prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.foreign.reading import as_json, as_lines, read_file, text_of, whole_of
from core.foreign.replies import Reply, Results
from core.records import Json

TOOL: Final = "lmms-eval"
_IDS: Final = ("id", "question_id", "sample_id", "idx", "index")
_REMEDY: Final = "Name a file that lmms-eval wrote with --log_samples (..._samples_TASK.jsonl)"
_DATED: Final = re.compile(r"\d{8}_\d{6}_samples_|_samples_")


def read_results(path: Path) -> Results:
    """The replies of one model to one task. Raises UsageError for a file of another kind, naming the line."""
    data, digest = read_file(path)
    samples = list(_samples(data, path))
    replies = [reply for where, sample in samples for reply in _replies(sample, where)]
    slips = []
    filtered = sum("resps" not in sample for _, sample in samples)
    if filtered:
        slips.append(
            f"{filtered} samples keep only what their filters left of the reply (it was the same, or is not told)"
        )
    return Results(TOOL, path.name, digest, _model(path), tuple(replies), tuple(slips))


def _samples(data: bytes, path: Path) -> Iterator[tuple[str, Mapping[str, Json]]]:
    if data.lstrip()[:1] == b"{" and b'"logs"' in data and b'"doc_id"' in data and _is_document(data):
        stored = as_json(data, path)
        logs = stored.get("logs") if isinstance(stored, dict) else None
        entries = [(f"{path.name}, sample {place + 1}", entry) for place, entry in enumerate(_list(logs, path))]
    else:
        entries = [(f"{path.name}, line {number}", entry) for number, entry in as_lines(data, path)]
    for where, entry in entries:
        if not isinstance(entry, dict) or not {"resps", "filtered_resps"} & set(entry):
            raise UsageError("this is no sample: it has no resps", where=where, remedy=_REMEDY)
        yield where, entry


def _is_document(data: bytes) -> bool:
    return b"\n" not in data.strip() or not data.split(b"\n", 1)[0].rstrip().endswith(b"}")


def _list(value: Any, path: Path) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError("this holds no logs", where=str(path), remedy=_REMEDY)
    return value


def _replies(sample: Mapping[str, Json], where: str) -> Iterator[Reply]:
    kept = sample.get("doc")
    doc: Mapping[str, Json] = kept if isinstance(kept, dict) else {}
    identifier = next((str(doc[name]) for name in _IDS if isinstance(doc.get(name), str | int)), "")
    question = doc.get("question")
    asked = sample.get("input")
    target = sample.get("target")
    raw = {key: value for key, value in sample.items() if key != "doc"}
    row = whole_of(sample.get("doc_id"))
    if row is None and not identifier and not isinstance(question, str):
        raise UsageError("nothing says which item it is: no doc_id and no doc", where=where, remedy=_REMEDY)
    given = sample["resps"] if "resps" in sample else sample["filtered_resps"]
    several = given if isinstance(given, list) and given else [given]
    for repeat, value in enumerate(several):
        text = text_of(value)
        if text is None:
            raise UsageError("resps holds no text", where=where, remedy=_REMEDY)
        yield Reply(
            text,
            where,
            item=identifier,
            row=row,
            question=question if isinstance(question, str) else "",
            target=target if isinstance(target, str) else "",
            repeat=repeat,
            asked=asked if isinstance(asked, str) else "",
            raw=raw,
        )


def _model(path: Path) -> str:
    """The folder that lmms-eval makes for each model."""
    name = path.absolute().parent.name if _DATED.search(path.name) else path.stem
    return name.replace("__", "/") or path.stem

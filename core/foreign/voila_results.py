"""The JSON of the VOILA authors' inference script, and the batch output of their judge.

The inference script writes a list with one object an item: ``query0``, ``query1`` and ``query2`` with ``row_index``,
``query`` and ``generated_text``. Their scorer sends those to a judge and reads an OpenAI batch output. The two do not
fit each other in places; what is meant is taken, and where that differs from what their code does it is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from core.errors import UsageError
from core.foreign.reading import as_json, as_lines, read_file, text_of, whole_of
from core.foreign.replies import Judged, Reply, Results, Verdicts
from core.records import Json

STEPS: Final = {"query0": "describe", "query1": "relate", "query2": "apply"}
TOOL: Final = "voila-results"
_PROPERTIES: Final = {"number": "number", "subject_type": "subject", "action": "action"}
_NUMBERED: Final = re.compile(r"question_?(\d+)", re.IGNORECASE)
_STEP_NAME: Final = re.compile(r"step_?([123])", re.IGNORECASE)
_NONE: Final = "the judge said nothing"


def read_results(path: Path) -> Results:
    """The replies of one model. Raises UsageError for a file of another kind, naming the entry."""
    data, digest = read_file(path)
    stored = as_json(data, path)
    if not isinstance(stored, list) or not stored or not all(isinstance(entry, dict) for entry in stored):
        raise UsageError("this is no list of objects", where=str(path), remedy=_REMEDY)
    replies, seen = [], _Seen()
    for place, entry in enumerate(stored):
        queries = [name for name in STEPS if name in entry]
        if not queries:
            raise UsageError(f"entry {place + 1} has no query0, query1 or query2", where=str(path), remedy=_REMEDY)
        for name in queries:
            replies.append(_reply(entry[name], f"{path.name}, entry {place + 1}, {name}", STEPS[name], str(path)))
            seen.note(entry[name], place)
    wd = any("any" in reply.asked.casefold() for reply in replies if reply.step == "apply")
    asked = any(reply.asked for reply in replies if reply.step == "apply")
    subset = ("WD" if wd else "ND") if asked else ""
    return Results(TOOL, path.name, digest, path.stem, tuple(replies), tuple(seen.slips()), subset)


_REMEDY: Final = "Name the JSON that the authors' inference script wrote"


class _Seen:
    """What their scorer would make of the entries."""

    def __init__(self) -> None:
        self._texts = 0
        self._unnumbered = 0
        self._out_of_place = 0

    def note(self, entry: Mapping[str, Json], place: int) -> None:
        self._texts += isinstance(entry.get("generated_text"), str)
        self._unnumbered += "question" not in entry
        row = whole_of(entry.get("row_index"))
        self._out_of_place += row is not None and row != place

    def slips(self) -> Iterator[str]:
        if self._texts:
            yield (
                f"their scorer sends the judge the first letter alone of {self._texts} replies, which it takes for"
                " lists: whole replies are scored here"
            )
        if self._unnumbered:
            yield (
                f"their scorer wants a question's number, which {self._unnumbered} entries lack:"
                " matched by row_index here"
            )
        if self._out_of_place:
            yield (
                f"their scorer pairs replies with golds by place in the file, which {self._out_of_place} row numbers"
                " contradict: matched by row here"
            )


def _reply(entry: Json, where: str, step: str, path: str) -> Reply:
    if not isinstance(entry, dict):
        raise UsageError("this is no object", where=where, remedy=_REMEDY)
    text = text_of(entry.get("generated_text"))
    number, row = whole_of(entry.get("question")), whole_of(entry.get("row_index"))
    if text is None and entry.get("generated_text") is not None:
        raise UsageError("generated_text is no text", where=where, remedy=_REMEDY)
    if number is None and row is None:
        raise UsageError("neither row_index nor question says which item it is", where=where, remedy=_REMEDY)
    query = entry.get("query")
    return Reply(
        text or "",
        where,
        step,
        item=f"voila-{number}" if number is not None else "",
        row=row,
        asked=query if isinstance(query, str) else "",
        failed="" if text is not None else "there is no reply",
        raw=entry,
    )


def read_verdicts(path: Path, step: str = "") -> Verdicts:
    """The batch output of their judge on one step: the one named, else the one that the file's name tells
    (``_step1`` ...). Raises UsageError."""
    data, digest = read_file(path)
    step = step or _step_of(path)
    judged, models, slips = [], [], _JudgeSlips()
    for number, line in as_lines(data, path):
        where = f"{path.name}, line {number}"
        found, model = _verdict(line, step, where, slips)
        judged.append(found)
        if model:
            models.append(model)
    if not models:
        raise UsageError("no line of it is a judge's reply", where=str(path), remedy=_JUDGE_REMEDY)
    slips.count(judged)
    if len(set(models)) > 1:
        slips.told.append(f"several models judged: {', '.join(sorted(set(models)))}")
    return Verdicts(path.name, digest, models[0], step, tuple(judged), tuple(slips.told))


_JUDGE_REMEDY: Final = "Name the batch output that the authors' scorer saves (results_step1.jsonl ...)"


def _step_of(path: Path) -> str:
    found = _STEP_NAME.search(path.stem)
    if found is None:
        raise UsageError(
            "the file's name does not say which step was judged",
            where=str(path),
            remedy="Say it: --judged describe=FILE, relate=FILE or apply=FILE",
        )
    return list(STEPS.values())[int(found[1]) - 1]


class _JudgeSlips:
    """What their calculation would make of the lines."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._beyond = 0
        self._renamed = 0

    def note(self, values: Mapping[str, int], *, renamed: bool) -> None:
        self._beyond += any(value not in (0, 1) for value in values.values())
        self._renamed += renamed

    def count(self, judged: list[Judged]) -> None:
        errors = sum(bool(one.error) for one in judged)
        twice = len(judged) - len({one.item for one in judged})
        if errors:
            self.told.append(
                f"their calculation counts {errors} lines without a verdict as wrong, or as the line before:"
                " they are named and left out here"
            )
        if self._beyond:
            self.told.append(f"{self._beyond} verdicts hold other values than 0 and 1: only 1 is right here")
        if self._renamed:
            self.told.append(
                f"{self._renamed} verdicts name one question inside and another outside: the outer (custom_id) counts"
            )
        if twice:
            self.told.append(f"{twice} questions are judged twice: the last verdict counts")


def _verdict(line: Json, step: str, where: str, slips: _JudgeSlips) -> tuple[Judged, str]:
    custom = line.get("custom_id") if isinstance(line, dict) else None
    found = _NUMBERED.fullmatch(custom) if isinstance(custom, str) else None
    if found is None:
        raise UsageError("there is no custom_id such as question12", where=where, remedy=_JUDGE_REMEDY)
    item = f"voila-{int(found[1])}"
    response: Any = line.get("response")
    body = response.get("body") if isinstance(response, dict) else None
    named = body.get("model") if isinstance(body, dict) else None
    model = named if isinstance(named, str) else ""
    try:
        content = as_json(
            response["body"]["choices"][0]["message"]["content"].encode("utf-8", "surrogatepass"), Path(where)
        )
        values = dict(_values(content, step))
    except UsageError:
        return Judged(item, step, where, error="the judge's reply is no JSON", raw=line), model
    except (KeyError, IndexError, TypeError, AttributeError, ValueError):
        return Judged(item, step, where, error=_NONE, raw=line), model
    inside = whole_of(content.get("question"))
    slips.note(values, renamed=inside is not None and inside != int(found[1]))
    return Judged(item, step, where, {name: int(value == 1) for name, value in values.items()}, raw=line), model


def _values(content: Any, step: str) -> Iterator[tuple[str, int]]:
    """Field of the step's layout and the judge's number. Raises KeyError, TypeError or ValueError."""
    if step == "describe":
        for unit in (1, 2, 3):
            for theirs, ours in _PROPERTIES.items():
                yield f"{unit}.{ours}", _number(content[f"image_{unit}"][theirs])
    else:
        for theirs, ours in _PROPERTIES.items():
            yield ours, _number(content[theirs])


def _number(value: Any) -> int:
    found = whole_of(value)
    if found is None:
        raise ValueError(value)
    return found

"""One row of an MMRA file to an item, or to everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any, TypeVar

from core.benchmarks.folders import Inside
from core.benchmarks.mmra import values
from core.benchmarks.mmra.described import Described
from core.benchmarks.mmra.question import CHOICE, YES_NO, Question
from core.benchmarks.mmra.sources import Raw
from core.errors import Problem
from core.records import Item, Picture

T = TypeVar("T")


class RowReader:
    """Rows of one file. ``columns`` are its names of the fields, ``inside`` the folder its pictures lie in."""

    def __init__(self, columns: Mapping[str, str], inside: Inside, described: Described) -> None:
        self._columns = columns
        self._inside = inside
        self._described = described

    def read(self, raw: Raw, running: int) -> Item | list[Problem]:
        """The item; ``running`` is its id where the row has none."""
        if isinstance(raw.row, list):
            return raw.row
        row, problems = raw.row, list[Problem]()

        def take(field: str, read: Callable[[Any], T]) -> T | None:
            try:
                return read(row.get(self._columns.get(field, field)))
            except values.UnreadableError as error:
                problems.append(Problem(str(raw.file), raw.number, self._columns.get(field, field), str(error)))
                return None

        item_id = take("id", values.text) or str(running)
        subtask = take("subtask", lambda value: raw.hint if _blank(value) and raw.hint else values.subtask(value))
        kind = take("QA_type", values.kind)
        text = take("question", values.needed)
        options: dict[str, str] | None = {}
        if kind == CHOICE:
            options = take("options", values.options)
        answers = tuple(options or {}) if kind == CHOICE else YES_NO
        answer = take("answer", lambda value: values.answer(value, answers) if kind and answers else "")
        pictures = [take(f"image{k}", partial(self._picture, item_id, k)) for k in (1, 2)]
        told = [take(f"description{k}", values.text) or "" for k in (1, 2)]
        marks = take("marks", lambda value: values.marks(value, options or {}))
        first, second = pictures
        if problems or first is None or second is None:
            return problems
        assert subtask is not None
        assert kind is not None
        assert text is not None
        assert answer is not None
        assert options is not None
        assert marks is not None
        descriptions = (told[0] or self._described.of(first), told[1] or self._described.of(second))
        view = Question(subtask, kind, text, answer, options, descriptions, marks)
        return Item("mmra", "", item_id, (first, second), view.groups(), view.to_facts())

    def _picture(self, item_id: str, number: int, value: Any) -> Picture:
        """From a path, from bytes, or from the hub's struct of both."""
        data, name = value, ""
        if isinstance(value, dict):
            data, name = value.get("bytes"), values.text(value.get("path"))
        if isinstance(data, bytes | bytearray | memoryview):
            if not len(data):
                raise values.UnreadableError("the picture is empty (0 bytes)")
            return Picture(PurePosixPath(name).name or f"{item_id}-{number}", data=bytes(data))
        name = name or values.text(data)
        if not name:
            raise values.UnreadableError(f"the {'first' if number == 1 else 'second'} picture is missing")
        path = self._inside.named(name)
        if path is None:
            raise values.UnreadableError(
                f"{values.short(name)} leads out of the data's folder; name the one they lie in with --pictures"
            )
        return Picture(name, path)


def _blank(value: Any) -> bool:
    return value is None or value == ""

"""One row of a VOILA file to an item, or to everything that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from core.benchmarks.tables import Row
from core.benchmarks.voila.columns import FIELDS, Columns
from core.benchmarks.voila.contents import Contents, file_name, parse_content, parse_file_name, says
from core.benchmarks.voila.question import Question, solve
from core.benchmarks.voila.rules import RULES, fits, rules_of, structure_of
from core.benchmarks.voila.vocabulary import ACTIONS, NUMBERS, PLURALS, Content
from core.errors import Problem
from core.records import Item, Picture

Cells = dict[str, str]

Placer = Callable[[str], str | None]
"""A picture's name to the path where it should lie, None where that is out of the folder of pictures."""


class RowReader:
    """One row to an item, to its problems, or to None where it is of another subset."""

    def __init__(self, file: str, subset: str, columns: Columns, place: Placer) -> None:
        self.file = file
        self.subset = subset
        self.columns = columns
        self.place = place
        self.rules = frozenset(rules_of(subset))
        self.fields = tuple(columns.by_field.items())
        self.question = columns["question"] or ""

    def read(self, number: int, row: Row) -> Item | list[Problem] | None:
        cells = self._cells(row)
        rule_text = cells["rule"]
        rule = parse_rule(rule_text)
        if rule is not None and rule in RULES and rule not in self.rules:
            return None
        problems: list[Problem] = []
        if rule is None:
            problems.append(self._problem(number, f"{_short(rule_text)} is no whole number", "rule"))
        elif rule not in RULES:
            problems.append(self._problem(number, f"there is no rule {rule}; they are 1 to 19", "rule"))
        contents = self._contents(number, cells, problems)
        named = [self._picture_name(number, cells, place, problems) for place in (1, 2, 3)]
        if contents is None:
            return problems
        answer = solve(contents)
        self._check_answer(number, cells, answer, problems)
        if rule is not None and rule in RULES and not fits(rule, contents, answer):
            fitting = ", ".join(f"{fit} ({RULES[fit]})" for fit in structure_of(contents, answer))
            what = f"rule {rule} ({RULES[rule]}) does not fit the three pictures; rule {fitting or 'none'} does"
            problems.append(self._problem(number, what if fitting else what.replace("rule none", "none"), "rule"))
        if problems or rule is None:
            return problems
        facts = Question(contents, answer, rule).to_facts()
        facts["collage"] = cells["question"]
        facts["relations"] = cells["relations"]
        return Item(
            benchmark="voila",
            subset=self.subset,
            id=f"voila-{self.number(number, row)}",
            pictures=tuple(
                self._picture(row, place, *names, content)
                for place, names, content in zip((1, 2, 3), named, contents, strict=True)
            ),
            groups={"rule": str(rule), "structure": RULES[rule]},
            facts=facts,
        )

    def number(self, row_number: int, row: Row) -> int:
        """The number in the question column (``image_questions_12.png``), else the row's."""
        found = _NUMBER.fullmatch(cell_text(row.get(self.question)))
        return int(found[1]) if found else row_number

    def _contents(self, number: int, cells: Cells, problems: list[Problem]) -> Contents | None:
        found = []
        for place in (1, 2, 3):
            described, named = cells[f"desc_img{place}"], _name(cells, place)
            content = parse_content(described) if described else parse_file_name(named)
            if content is None:
                field = f"desc_img{place}" if described or not named else f"img{place}"
                problems.append(self._problem(number, _why_no_content(described or named), field, f"desc_img{place}"))
                continue
            shown = parse_file_name(named) if described and named else None
            if shown is not None and shown != content:
                what = f"the picture is called {_short(named)}, its description says {_short(described)}"
                problems.append(self._problem(number, what, f"img{place}", f"image{place}"))
            found.append(content)
        return (found[0], found[1], found[2]) if len(found) == 3 else None

    def _check_answer(self, number: int, cells: Cells, answer: Content, problems: list[Problem]) -> None:
        field = "desc_im4" if cells["desc_im4"] else "img4"
        text = cells[field]
        if not text:
            what = f"the answer is empty; the three pictures give {answer.text()!r}"
            problems.append(self._problem(number, what, "desc_im4", "img4"))
        elif not says(text, answer) and (field != "img4" or parse_file_name(text) != answer):
            what = f"the answer is {_short(text)}, but the three pictures give {answer.text()!r}"
            problems.append(self._problem(number, what, field))

    def _picture_name(self, number: int, cells: Cells, place: int, problems: list[Problem]) -> tuple[str, str]:
        """Its name, and the path where it should lie; "" for what is not told."""
        name = _name(cells, place)
        path = self.place(name) if name else ""
        if path is None:
            what = f"{_short(name)} leads out of the folder of pictures"
            problems.append(self._problem(number, what, f"img{place}", f"image{place}"))
        return name, path or ""

    def _picture(self, row: Row, place: int, name: str, path: str, content: Content) -> Picture:
        data = _embedded(row.get(self.columns[f"image{place}"] or ""))
        where = path if data is None else ""
        return Picture(name=name or file_name(content), path=where, depicts=content.text(), data=data)

    def _cells(self, row: Row) -> Cells:
        """The row's text by field; "" where the file has no such column."""
        cells = dict(_NO_CELLS)
        for field, column in self.fields:
            cells[field] = cell_text(row.get(column))
        return cells

    def _problem(self, number: int, what: str, *fields: str) -> Problem:
        return Problem(self.file, number, self.columns.name(*fields), what)


_NO_CELLS: Final = dict.fromkeys(FIELDS, "")
_NUMBER: Final = re.compile(r"(?:\S*?[^\s0-9])?([0-9]{1,15})(?:\.\w+)?", re.ASCII)
_RULE: Final = re.compile(r"([0-9]{1,9})(?:\.0+)?", re.ASCII)


def parse_rule(text: str) -> int | None:
    """A whole number, also as ``7.0``, which spreadsheets make of it."""
    found = _RULE.fullmatch(text)
    return int(found[1]) if found else None


def cell_text(cell: Any) -> str:
    """A cell as text; of an embedded picture, its name."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, dict):
        return str(cell.get("path") or "").strip()
    return "" if cell is None or isinstance(cell, bytes) else str(cell)


def _name(cells: Cells, place: int) -> str:
    return cells[f"img{place}"] or cells[f"image{place}"]


def _embedded(cell: Any) -> bytes | None:
    """A parquet cell's picture: bytes, or the hub's struct of bytes and path."""
    data = cell.get("bytes") if isinstance(cell, dict) else cell
    return data if isinstance(data, bytes) and data else None


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else text[:79] + "…")


def _why_no_content(text: str) -> str:
    """Which part is outside the vocabulary."""
    if not text:
        return "the picture has neither description nor name"
    head = f"{_short(text)} is none of VOILA's 728 contents"
    number, _, rest = " ".join(text.split()).casefold().partition(" ")
    if number not in NUMBERS:
        return f"{head}: it must begin with one, two, three or four"
    action = next((action for action in ACTIONS if rest.endswith(action)), None)
    if action is None:
        return f"{head}: it must end with one of the 13 actions"
    subject = rest.removesuffix(action).strip()
    if subject not in PLURALS and subject not in PLURALS.values():
        return f"{head}: {_short(subject)} is none of the 14 subjects"
    return head

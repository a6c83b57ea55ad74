"""One row of a V-REX file to an item, or to everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from core.benchmarks.folders import Inside
from core.benchmarks.vrex.fields import Fields
from core.benchmarks.vrex.question import (
    GOLD,
    KINDS,
    LONGEST,
    TAXONOMY,
    ChainStep,
    Choice,
    PlanChoice,
    PlanOption,
    Question,
)
from core.errors import Problem
from core.records import Item, Picture

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PLAN_LETTERS: Final = LETTERS[:6]
"""The printed planning prompt asks for a letter from A to F."""

_CATEGORY_OF: Final = {scenario: category for category, names in TAXONOMY.items() for scenario in names}
_SPELLINGS: Final = {
    "".join(name.split()).casefold(): name for category, names in TAXONOMY.items() for name in (category, *names)
}

T = TypeVar("T")
Tell = Callable[[str, str], None]
"""Tells a problem: (field, what)."""


class RowReader:
    """One row to an item, or to its problems. ``serves`` is the part of each step that a protocol cannot do without.

    That is ``planning``, ``following``, or "" where the final question is enough.
    """

    def __init__(self, file: str, fields: Fields, inside: Inside, serves: str = "") -> None:
        self.file = file
        self.fields = fields
        self.inside = inside
        self.serves = serves

    def identity(self, number: int, row: Mapping[str, Any]) -> str:
        """The row's own id, else one from its number."""
        return _text(self.fields.get(row, "id")) or f"vrex-{number}"

    def read(self, number: int, row: Mapping[str, Any]) -> Item | list[Problem]:
        problems: list[Problem] = []

        def tell(field: str, what: str) -> None:
            problems.append(Problem(self.file, number, field, what))

        get = self.fields.get
        item_id = self.identity(number, row)
        words = self._words(get(row, "question"), "question", tell)
        final = self._choice(get(row, "options"), get(row, "answer"), "options", "answer", tell)
        steps = self._steps(get(row, "steps"), tell)
        picture = self._picture(get(row, "image"), item_id, tell)
        groups = _groups(_text(get(row, "category")), _text(get(row, "scenario")))
        if problems or final is None or picture is None:
            return problems
        facts = Question(words, final, tuple(steps)).to_facts()
        return Item("vrex", "", item_id, (picture,), groups, facts)

    def _words(self, value: Any, field: str, tell: Tell) -> str:
        words = _text(value)
        if not words:
            tell(field, _missing(value, "text"))
        return words

    # -- options

    def _choice(self, options: Any, answer: Any, where: str, answer_where: str, tell: Tell) -> Choice | None:
        found = self._options(options, where, LETTERS, _option_text, tell)
        if found is None:
            return None
        letter = _letter(answer, found)
        if letter is None:
            tell(answer_where, _no_option(answer, found))
            return None
        return Choice(found, letter)

    def _options(
        self, options: Any, where: str, letters: str, read: Callable[[Any, str, Tell], T | None], tell: Tell
    ) -> dict[str, T] | None:
        """Options by letter, in the file's order; None, and told why, where any is unusable."""
        if not isinstance(options, Mapping):
            tell(where, _missing(options, "an object of options by letter"))
            return None
        given = {str(key).strip(): value for key, value in options.items() if value is not None}
        foreign = [key for key in given if len(key) != 1 or key.upper() not in letters]
        if foreign:
            tell(where, f"{_short(foreign[0])} is no letter from A to {letters[-1]}")
            return None
        if len({key.upper() for key in given}) < len(given):
            tell(where, "a letter stands twice")
            return None
        if len(given) < 2:
            tell(where, f"holds {len(given)} option{'' if len(given) == 1 else 's'}; a choice needs at least two")
            return None
        found = {key.upper(): read(value, f"{where}.{key}", tell) for key, value in given.items()}
        usable = {letter: option for letter, option in found.items() if option is not None}
        return usable if len(usable) == len(found) else None

    # -- steps

    def _steps(self, steps: Any, tell: Tell) -> list[ChainStep]:
        if steps is None:
            steps = []
        if not isinstance(steps, list):
            tell("steps", _missing(steps, "an array of steps"))
            return []
        if len(steps) > LONGEST:
            tell("steps", f"holds {len(steps)} steps before the final question; at most {LONGEST} can be asked")
        if not steps and self.serves:
            tell("steps", f"there are none, and {self.serves} asks the steps before the final question")
        read = (self._step(step, f"steps[{number}]", tell) for number, step in enumerate(steps, 1))
        return [step for step in read if step is not None]

    def _step(self, step: Any, where: str, tell: Tell) -> ChainStep | None:
        if not isinstance(step, Mapping):
            tell(where, _missing(step, "an object"))
            return None
        get = self.fields.get
        words = self._words(get(step, "steps.question"), f"{where}.question", tell)
        following, planning = self._following(step, where, tell), self._planning(step, where, tell)
        answer = _text(get(step, "steps.answer"))
        if not answer and following is not None:
            answer = following.options[following.answer]
        elif not answer and planning is not None:
            answer = planning.options[planning.answer].answer
        return ChainStep(words, answer, following, planning)

    def _following(self, step: Mapping[str, Any], where: str, tell: Tell) -> Choice | None:
        options, answer = self._part(step, "following", where, tell)
        if options is None and answer is None:
            return None
        there = f"{where}.following"
        return self._choice(options, answer, f"{there}.options", f"{there}.answer", tell)

    def _planning(self, step: Mapping[str, Any], where: str, tell: Tell) -> PlanChoice | None:
        options, answer = self._part(step, "planning", where, tell)
        if options is None and answer is None:
            return None
        there = f"{where}.planning"
        found = self._options(options, f"{there}.options", PLAN_LETTERS, self._plan_option, tell)
        if found is None:
            return None
        letter = _letter(answer, {key: option.question for key, option in found.items()})
        gold = [key for key, option in found.items() if option.kind == GOLD]
        if not any(option.kind for option in found.values()):
            gold = [letter] if letter is not None else []
        unkind = [key for key, option in found.items() if not option.kind and key not in gold]
        if answer is None and len(gold) == 1:
            letter = gold[0]
        if letter is None:
            tell(f"{there}.answer", _no_option(answer, found))
        elif not gold:
            tell(f"{there}.options", "none of the options is of kind gold")
        elif len(gold) > 1:
            tell(f"{there}.options", f"{' and '.join(gold)} are both of kind gold")
        elif gold != [letter]:
            tell(f"{there}.answer", f"is {letter}, but the option of kind gold is {gold[0]}")
        elif unkind and len(unkind) < len(found) - 1:
            tell(f"{there}.options.{unkind[0]}.kind", "is missing, while other options have one")
        else:
            return PlanChoice(found, letter)
        return None

    def _part(self, step: Mapping[str, Any], name: str, where: str, tell: Tell) -> tuple[Any, Any]:
        """Options and answer of ``following`` or ``planning``; (None, None) where the step has no such part."""
        get = self.fields.get
        options, answer = get(step, f"steps.{name}.options"), get(step, f"steps.{name}.answer")
        part = get(step, f"steps.{name}")
        if options is None and answer is None and (part is not None or self.serves == name):
            tell(f"{where}.{name}", _missing(part, "an object of options and answer"))
        return options, answer

    def _plan_option(self, option: Any, where: str, tell: Tell) -> PlanOption | None:
        if not isinstance(option, Mapping):
            tell(where, _missing(option, "an object of question, answer and kind"))
            return None
        get = self.fields.get
        kind = get(option, "steps.planning.options.kind")
        known = str(kind).strip().casefold() if kind is not None else ""
        if known not in ("", *KINDS):
            tell(f"{where}.kind", f"{_short(kind)} is none of {', '.join(KINDS)}")
        asked = self._words(get(option, "steps.planning.options.question"), f"{where}.question", tell)
        told = self._words(get(option, "steps.planning.options.answer"), f"{where}.answer", tell)
        return PlanOption(asked, told, known) if known in ("", *KINDS) else None

    # -- the picture

    def _picture(self, value: Any, item_id: str, tell: Tell) -> Picture | None:
        """A file's name, or what a parquet file embeds: bytes, or the hub's struct of bytes and path."""
        data = value.get("bytes") if isinstance(value, Mapping) else value
        name = value.get("path") if isinstance(value, Mapping) else value
        name = name.strip() if isinstance(name, str) else ""
        if isinstance(data, bytes) and data:
            return Picture(name or item_id, data=data)
        if not name:
            tell("image", _missing(value, "the name of a picture"))
            return None
        path = self.inside.named(name)
        if path is None:
            tell("image", f"{_short(name)} leads out of the folder of pictures")
            return None
        return Picture(name, path)


def _groups(category: str, scenario: str) -> dict[str, str]:
    """As the paper spells them; a category that the file leaves out follows from the scenario."""
    scenario = _SPELLINGS.get("".join(scenario.split()).casefold(), scenario)
    category = _SPELLINGS.get("".join(category.split()).casefold(), category) or _CATEGORY_OF.get(scenario, "")
    return {"category": category, "scenario": scenario}


def _text(value: Any) -> str:
    """Words, or a number as words; "" for anything else."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


def _option_text(value: Any, where: str, tell: Tell) -> str | None:
    words = _text(value)
    if not words:
        tell(where, _missing(value, "text"))
        return None
    return words


def _letter(answer: Any, options: Mapping[str, Any]) -> str | None:
    """The letter that an answer names: itself, in parentheses, or by the words of exactly one option."""
    words = _text(answer)
    bare = words.removeprefix("(").removesuffix(")").strip().upper()
    if bare in options:
        return bare
    by_words = [letter for letter, text in options.items() if words and text == words]
    return by_words[0] if len(by_words) == 1 else None


def _no_option(answer: Any, options: Mapping[str, Any]) -> str:
    if answer is None:
        return "is missing"
    return f"{_short(answer)} is none of the options {', '.join(options)}"


def _missing(value: Any, wanted: str) -> str:
    return "is missing" if value is None or value == "" else f"{_short(value)} is not {wanted}"


def _short(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else shown[:79] + "…"

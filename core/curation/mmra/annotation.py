"""A question about two pictures as an annotator writes it, before letters are dealt (paper section 2.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.benchmarks.mmra.question import CHOICE, NO, TRUE_FALSE, YES, YES_NO, Kind
from core.curation.replies import the_object, words
from core.curation.wording import normal, tells_itself
from core.errors import UsageError
from core.records import Json

BLANK: Final = "question: \nright: \nwrong: \nwrong: \nwrong: "
"""The form before anything is written."""

FEWEST: Final = 2
MOST: Final = 3
"""Wrong options of a choice: the published questions have three, some two."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """``wrong`` is empty where the answer is Yes or No."""

    question: str
    right: str
    wrong: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        return CHOICE if self.wrong else TRUE_FALSE

    def to_json(self) -> dict[str, Json]:
        return {"fits": True, "question": self.question, "right": self.right, "wrong": list(self.wrong)}

    def text(self) -> str:
        """The form in which people read and edit it."""
        lines = [f"question: {self.question}", f"right: {self.right}"]
        return "\n".join([*lines, *(f"wrong: {option}" for option in self.wrong)])


@dataclass(frozen=True, slots=True)
class Said:
    """What an annotator's answer holds: an annotation, or that none fits, or why it cannot be used."""

    annotation: Annotation | None = None
    fits: bool = True
    problem: str = ""
    by: str = ""


def read(text: str) -> Said:
    """An annotator's answer."""
    held = the_object(text)
    by = words(held.get("by"))
    if held.get("fits") in (False, "false", 0, "no"):
        return Said(fits=False, by=by)
    found = of_json(held)
    if found is None:
        return Said(problem="it holds no question with its right answer", by=by)
    problems = faults(found)
    return Said(found, problem=problems[0] if problems else "", by=by)


def of_json(held: Mapping[str, Json]) -> Annotation | None:
    """The annotation in a reply or a stored edit; None where question or answer is missing."""
    question, right, wrong = words(held.get("question")), words(held.get("right")), held.get("wrong") or []
    if not question or not right or not isinstance(wrong, Sequence) or isinstance(wrong, str):
        return None
    options = tuple(said for option in wrong if (said := words(option)))
    by_fold = {answer.casefold(): answer for answer in YES_NO}
    return Annotation(question, right if options else by_fold.get(right.casefold(), right), options)


def faults(annotation: Annotation) -> list[str]:
    """What must be mended before it can be accepted."""
    out = []
    if not annotation.wrong and annotation.right not in YES_NO:
        out.append(f"without wrong options the answer is {YES} or {NO}")
    if annotation.wrong and not FEWEST <= len(annotation.wrong) <= MOST:
        out.append(f"a choice has {FEWEST} or {MOST} wrong options, not {len(annotation.wrong)}")
    options = [normal(option) for option in (annotation.right, *annotation.wrong)]
    if len(set(options)) < len(options):
        out.append("two options are the same")
    if annotation.wrong and tells_itself(annotation.question, annotation.right):
        out.append("the question holds its own answer")
    return out


def read_text(text: str) -> Annotation:
    """The form after a person changed it. Raises UsageError that names the line or what is wrong with the whole."""
    question, right, wrong = "", "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        name, colon, rest = line.partition(":")
        said = " ".join(rest.split())
        if not line.strip() or (colon and not said):
            continue
        field = name.strip().casefold()
        if not colon or field not in ("question", "right", "wrong"):
            raise UsageError("a line begins with question:, right: or wrong:", where=f"line {number}")
        if (field == "question" and question) or (field == "right" and right):
            raise UsageError(f"there are two lines {field}:", where=f"line {number}")
        if field == "wrong":
            wrong.append(said)
        elif field == "right":
            right = said
        else:
            question = said
    found = of_json({"question": question, "right": right, "wrong": wrong})
    if found is None:
        raise UsageError("question: and right: are needed", remedy="For Yes or No leave the lines wrong: empty")
    problems = faults(found)
    if problems:
        raise UsageError(problems[0])
    return found

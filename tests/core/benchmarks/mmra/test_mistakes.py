"""Kinds of wrong choices: marked in the data, told by an option's words, counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.benchmarks.mmra.measures import measures
from core.benchmarks.mmra.mistakes import mistake, says_nothing
from core.benchmarks.mmra.question import Question, question
from core.errors import DataError
from core.measures import RunOutcomes
from core.outcomes import Outcome, StepOutcome
from core.records import Item
from core.statistics import wilson
from tests.mmra_data import every_subtask, items_of, made_rows

OPTIONS = {
    "A": "a beer",
    "B": "a cup",
    "C": "there are no entities of the same material in fig1 and fig2",
    "D": "a tray",
}


def an_item(**marks: str) -> Item:
    view = Question("RP", "choice", "Which?", "B", OPTIONS, marks=marks)
    return Item("mmra", "", "x", (), view.groups(), view.to_facts())


def test_a_mark_counts_before_an_options_words() -> None:
    item = an_item(A="absent")
    kinds = [mistake(item, "answer", {"answer": letter}) for letter in "ACD"]
    assert kinds == ["absent", "no relation", "another option"]
    assert mistake(an_item(C="absent", D="no relation"), "answer", {"answer": "C"}) == "absent"
    assert mistake(an_item(D="no relation"), "answer", {"answer": "D"}) == "no relation"
    assert mistake(item, "answer", {"answer": "E"}) == "another option"  # the option that sequence perception adds
    assert mistake(item, "answer", {"answer": "Yes"}) == mistake(item, "answer", {}) == ""


@pytest.mark.parametrize(
    ("words", "nothing"),
    [
        ("There is no similarity between the two images", True),
        ("No relation", True),
        ("None of the objects are alike", True),
        ("neither of them", True),
        ("not related", True),
        ("a noble knight", False),
        ("nonetheless red", False),
        ("The cup is not there", False),
        ("No. 3 and No. 4", False),
    ],
)
def test_options_that_say_nothing_relates(words: str, nothing: bool) -> None:
    assert says_nothing(words) is nothing


def an_outcome(item: str, subtask: str, kind: str, *, right: bool = False, parsed: bool = True) -> Outcome:
    level = "entity" if subtask in ("RP", "SM") else "image"
    groups = {"subtask": subtask, "level": level, "qa": "choice", "options": "4"}
    return Outcome(item, groups, 0, (StepOutcome("answer", right, parsed, kind),))


def test_shares_of_the_wrong_choices_by_kind() -> None:
    wrong = [
        an_outcome("1", "RP", "absent"),
        an_outcome("2", "RP", "no relation"),
        an_outcome("3", "SM", "no relation"),
        an_outcome("4", "LO", "another option"),
        an_outcome("5", "LO", "", parsed=False),
        an_outcome("6", "LO", "", right=True),
    ]
    out = measures([RunOutcomes("iq", "", "iq", {}, "m", "model", "rule", wrong)])
    values = {(m.name, m.group): (m.value, m.n) for m in out if m.name.startswith("mistakes")}
    assert values["mistakes_absent", "all"] == (1 / 5, 5)
    assert values["mistakes_no_relation", "all"] == (2 / 5, 5)
    assert values["mistakes_no_relation", "RP"] == (1 / 2, 2)
    assert values["mistakes_no_relation", "entity"] == (2 / 3, 3)
    assert values["mistakes_another_option", "LO"] == (1 / 2, 2)
    assert values["mistakes_unread", "image"] == (1 / 2, 2)
    (one,) = (m for m in out if (m.name, m.group) == ("mistakes_no_relation", "all"))
    assert (one.low, one.high, one.interval) == wilson(2, 5)
    assert "4.5" in one.note


def test_marks_are_read_from_the_data_and_checked(tmp_path: Path) -> None:
    rows = made_rows(every_subtask(2))
    rows[0]["marks"] = {"A": "absent"}
    rows[1]["option_marks"] = None
    first, *rest = items_of(rows, tmp_path)
    assert question(first).marks == {"A": "absent"}
    assert not any("marks" in item.facts for item in rest)  # items without keep the hash they always had
    for bad, said in (
        ({"Z": "absent"}, "no such option"),
        ({"A": "gone"}, "the mark of A is 'gone'"),
        ([1], "a list"),
    ):
        rows[0]["marks"] = bad
        with pytest.raises(DataError, match=said):
            items_of(rows, tmp_path)

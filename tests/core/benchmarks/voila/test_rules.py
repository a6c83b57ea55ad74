"""The structures, what they allow, and the counts."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks.voila.question import Question, solve
from core.benchmarks.voila.rules import (
    LETTERS,
    ND_RULES,
    READINGS,
    RULES,
    cases,
    counts,
    fits,
    quadruples,
    rules_of,
    structure_of,
)
from core.benchmarks.voila.vocabulary import ACTIONS, ANY, NUMBERS, SUBJECTS, Content
from core.errors import UsageError

TABLE_5 = """
1 Change Stable Stable|2 Change Stable Distraction|3 Change Distraction Stable|4 Change Distraction Distraction
5 Stable Change Stable|6 Stable Change Distraction|7 Distraction Change Stable|8 Distraction Change Distraction
9 Stable Stable Arithmetic|10 Stable Distraction Arithmetic|11 Distraction Stable Arithmetic
12 Distraction Distraction Arithmetic|13 Change Change Stable|14 Change Change Distraction
15 Stable Change Arithmetic|16 Distraction Change Arithmetic|17 Change Stable Arithmetic
18 Change Distraction Arithmetic|19 Change Change Arithmetic
"""


@st.composite
def made(draw: st.DrawFn) -> Question:
    """Any question that a structure can give, the whole space."""
    rule = draw(st.sampled_from(sorted(RULES)))
    values = {name: draw(st.sampled_from(quadruples(rule, name))) for name in LETTERS}
    four = [Content(values["number"][i], values["subject"][i], values["action"][i]) for i in range(4)]
    return Question((four[0], four[1], four[2]), four[3], rule)


contents = st.builds(Content, st.sampled_from(NUMBERS), st.sampled_from(SUBJECTS), st.sampled_from(ACTIONS))


def test_the_structures_are_those_of_table_5() -> None:
    lines = TABLE_5.strip().replace("\n", "|").split("|")
    printed = {int(line.split()[0]): "".join(word[0] for word in line.split()[1:]) for line in lines}
    assert dict(RULES) == printed


def test_nd_is_the_structures_without_distraction() -> None:
    assert tuple(rule for rule, letters in RULES.items() if "D" not in letters) == ND_RULES == rules_of("ND")
    assert rules_of("WD") == tuple(range(1, 20))


def test_an_unknown_subset_is_refused_naming_the_known() -> None:
    with pytest.raises(UsageError, match=r"WD .* ND"):
        rules_of("nd")


@pytest.mark.parametrize(
    ("reading", "total"),
    [
        ("table 7", 11_518_747_968),
        ("table 7, action and subject capped", 9_199_008),
        ("table 7, all capped", 7_495_488),
        ("text", 6_473_376),
    ],
)
def test_each_reading_of_the_paper_gives_its_total(reading: str, total: int) -> None:
    assert sum(counts("WD", reading).values()) == total


def test_every_reading_says_what_it_counts() -> None:
    assert set(READINGS) == {"made", *(reading for reading in READINGS if reading.startswith(("table 7", "text")))}
    assert all(READINGS.values())


def test_there_are_28_arithmetic_quadruples_and_16_in_rule_19() -> None:
    everything = {
        (a, b, c, c + b - a) for a, b, c in product(range(1, 5), repeat=3) if a != b and 1 <= c + b - a <= 4
    }
    for rule in (9, 15, 17):
        found = {tuple(NUMBERS.index(value) + 1 for value in values) for values in quadruples(rule, "number")}
        assert found == everything
        assert len(found) == 28
    assert len(quadruples(19, "number")) == 16 == cases(19, "number", "table 7")
    assert all(v1 != v3 for v1, _, v3, _ in quadruples(19, "number"))
    assert sum(len({a, b, c}) == 3 for a, b, c, _ in everything) == 12


def test_tables_7s_24_is_six_triples_times_four_values_of_the_fourth_picture() -> None:
    triples = quadruples(2, "number")
    assert len(triples) == 6
    assert len(triples) * len(NUMBERS) == cases(2, "number", "table 7") == 24
    for v1, v2, v3, v4 in triples:
        a, b, c = (NUMBERS.index(value) + 1 for value in (v1, v2, v3))
        assert len({a, b, c}) == 3
        assert c + (b - a) < 1
        assert v4 == ANY


def test_what_is_made_matches_table_7_where_the_paper_and_the_maker_count_the_same() -> None:
    assert len(quadruples(1, "action")) == cases(1, "action", "table 7") == 156
    assert len(quadruples(5, "subject")) == cases(5, "subject", "table 7") == 182
    assert len(quadruples(7, "action")) * len(ACTIONS) == cases(7, "action", "table 7") == 22_308
    assert len(quadruples(3, "subject")) * len(SUBJECTS) == cases(3, "subject", "table 7") == 30_576


def test_the_made_counts_are_the_numbers_of_distinct_picture_triples() -> None:
    for rule in (14, 19):
        four = product(*(quadruples(rule, name) for name in LETTERS))
        triples = {(action[:3], subject[:3], number[:3]) for action, subject, number in four}
        assert len(triples) == counts("WD")[rule]


def test_a_count_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="table 7"):
        counts("WD", "all")


@given(made())
def test_a_made_question_fits_its_rule_and_no_other(question: Question) -> None:
    assert structure_of(question.contents, question.answer) == {question.rule}
    assert solve(question.contents) == question.answer


@given(made(), st.data())
def test_another_answer_fits_no_rule(question: Question, data: st.DataObject) -> None:
    other = data.draw(contents.filter(lambda content: content != question.answer))
    assert structure_of(question.contents, other) == set()


@given(contents, contents, contents)
def test_any_three_pictures_fit_at_most_one_structure(first: Content, second: Content, third: Content) -> None:
    assert len(structure_of((first, second, third), solve((first, second, third)))) <= 1


def test_a_repeated_pair_is_no_question_of_rule_19() -> None:
    one, two = Content("one", "cat", "walking"), Content("two", "dog", "running")
    assert structure_of((one, two, one), two) == set()


def test_a_number_that_would_fall_below_one_is_distraction_even_where_it_repeats() -> None:
    cats = [
        Content(number, subject, "walking") for number, subject in (("two", "cat"), ("one", "dog"), ("one", "cat"))
    ]
    assert not fits(6, (cats[0], cats[1], cats[2]), Content(ANY, "dog", "walking"))  # walking three times: not Stable
    moved = Content("one", "cat", "typing")
    assert fits(6, (cats[0], cats[1], moved), Content(ANY, "dog", "typing"))

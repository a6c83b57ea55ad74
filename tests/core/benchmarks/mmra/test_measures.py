"""MMRA's tables and figures from outcomes worked out by hand, and the test for leakage."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping

import pytest

from core.benchmarks.mmra.leakage import adjusted, tail
from core.benchmarks.mmra.measures import measures
from core.benchmarks.mmra.question import SUBTASKS
from core.measures import Measure, RunOutcomes
from core.outcomes import Outcome, StepOutcome
from core.records import RespondentKind
from tests.mmra_data import PAPER_SIZES


def outcome(item: str, subtask: str, *, right: bool, options: int = 4, repeat: int = 0) -> Outcome:
    qa = "true-false" if options == 2 else "choice"
    groups = {"subtask": subtask, "level": SUBTASKS[subtask][1], "qa": qa, "options": str(options)}
    return Outcome(item, groups, repeat, (StepOutcome("answer", right, parsed=True),))


def a_run(
    outcomes: Iterable[Outcome],
    protocol: str = "iq",
    *,
    name: str = "",
    kind: RespondentKind = "model",
    scorer: str = "rule",
    **options: str,
) -> RunOutcomes:
    return RunOutcomes(name or protocol, "", protocol, options, "someone", kind, scorer, list(outcomes))


def shares(rights: Mapping[str, tuple[int, int]]) -> list[Outcome]:
    """So many right of so many in each subtask."""
    return [
        outcome(f"{subtask}-{number}", subtask, right=number < right)
        for subtask, (right, n) in rights.items()
        for number in range(n)
    ]


def found(all_of: Iterable[Measure], name: str, group: str = "all", run: str = "") -> Measure:
    (one,) = (m for m in all_of if m.name == name and m.group == group and run in ("", m.run))
    return one


def test_overall_is_over_samples_and_levels_are_too() -> None:
    out = measures([a_run(shares({"RP": (1, 2), "OA": (6, 6), "SubE": (0, 4)}))])
    assert found(out, "accuracy").value == pytest.approx(7 / 12)
    assert found(out, "accuracy", "entity").value == 0.5
    assert found(out, "accuracy", "image").value == pytest.approx(6 / 10)
    assert found(out, "accuracy", "RP").value == 0.5
    assert [m.group for m in out] == ["RP", "SubE", "OA", "entity", "image", "all"]
    assert found(out, "accuracy").interval == "wilson"
    assert found(out, "accuracy").note == "table 2"


def test_the_papers_overall_comes_back_from_its_subtasks_and_sizes() -> None:
    """GPT4o in table 2: 67.29 from its eleven columns; counts are the nearest to the printed shares."""
    printed = {
        "RP": 45.68, "US": 66.67, "MS": 65.17, "SM": 44.34, "AS": 68.89, "NSE": 63.49,
        "Env": 88.89, "LO": 47.78, "SimE": 77.78, "SubE": 97.00, "OA": 70.75,
    }  # fmt: skip
    counts = {name: (round(share * PAPER_SIZES[name] / 100), PAPER_SIZES[name]) for name, share in printed.items()}
    value = found(measures([a_run(shares(counts))]), "accuracy").value
    assert value is not None
    assert 100 * value == pytest.approx(67.29, abs=0.1)


def test_repeats_hang_together_by_item() -> None:
    answers = [outcome("x", "RP", right=bool(repeat), repeat=repeat) for repeat in range(3)]
    answers += [outcome("y", "RP", right=True, repeat=repeat) for repeat in range(3)]
    one = found(measures([a_run(answers)]), "accuracy")
    assert (one.value, one.n, one.interval) == (pytest.approx(5 / 6), 6, "bootstrap over clusters")


def test_sequence_perceptions_overall_is_the_plain_mean_of_its_four_subtasks() -> None:
    """Idefics2 in table 4: 65.43, 78.30, 82.54 and 13.49 give 59.94."""
    counts = {"RP": (53, 81), "SM": (83, 106), "NSE": (52, 63), "OA": (17, 126)}
    out = measures([a_run(shares(counts), swap="yes")])
    assert {m.name for m in out} == {"sequence_accuracy", "sequence_overall"}
    assert [m.group for m in out] == ["RP", "SM", "NSE", "OA", "all"]
    value = found(out, "sequence_overall").value
    assert value is not None
    assert round(100 * value, 2) == 59.94
    partial = found(measures([a_run(shares({"RP": (1, 2)}), swap="yes")]), "sequence_overall")
    assert "here only RP" in partial.note


def test_the_gain_is_over_the_mean_of_the_question_only_models() -> None:
    seeing = a_run(shares({"RP": (3, 4), "OA": (2, 2)}))
    blind = [
        a_run(shares({"RP": (1, 4), "OA": (0, 2)}), "qo", name="qo1"),
        a_run(shares({"RP": (2, 4), "OA": (1, 2)}), "qo", name="qo2"),
    ]
    out = measures([seeing, *blind])
    assert found(out, "gain_over_question_only", "RP").value == pytest.approx(0.75 - 0.375)
    assert found(out, "gain_over_question_only").value == pytest.approx(5 / 6 - 2 / 6)
    assert {m.run for m in out if m.name == "gain_over_question_only"} == {"iq"}
    assert "2 question-only runs" in found(out, "gain_over_question_only").note


def test_gains_mix_neither_models_with_baselines_nor_scorers() -> None:
    seeing = a_run(shares({"RP": (3, 4)}))
    for other in (
        a_run(shares({"RP": (1, 4)}), "qo", kind="baseline"),
        a_run(shares({"RP": (1, 4)}), "qo", scorer="published"),
    ):
        assert not [m for m in measures([seeing, other]) if m.name == "gain_over_question_only"]
    person = a_run(shares({"RP": (4, 4)}), kind="human")
    out = measures([person, a_run(shares({"RP": (1, 4)}), "qo")])
    assert found(out, "gain_over_question_only").value == 0.75


def test_a_gain_is_taken_on_the_items_that_all_hold() -> None:
    seeing = a_run([outcome("a", "RP", right=True), outcome("b", "RP", right=False)])
    blind = a_run([outcome("a", "RP", right=False)], "qo")
    one = found(measures([seeing, blind]), "gain_over_question_only")
    assert (one.value, one.n) == (1.0, 1)


# -- leakage


def test_the_tail_is_the_binomials_for_equal_chances_and_exact_for_unequal_ones() -> None:
    for n, k, chance in ((10, 4, 0.25), (99, 40, 0.25), (20, 15, 0.5), (5, 0, 0.25), (5, 5, 1 / 3)):
        exact = sum(math.comb(n, i) * chance**i * (1 - chance) ** (n - i) for i in range(k, n + 1))
        assert tail(k, [chance] * n) == pytest.approx(exact, rel=1e-9)
    assert tail(2, [0.25, 0.5]) == pytest.approx(0.125)
    assert tail(1, [0.25, 0.5]) == pytest.approx(1 - 0.75 * 0.5)


def test_holms_correction() -> None:
    assert adjusted({"a": 0.01, "b": 0.04, "c": 0.03}) == pytest.approx({"a": 0.03, "c": 0.06, "b": 0.06})
    assert adjusted({"a": 0.9}) == {"a": 0.9}


def blind_run(leak: Mapping[str, float], chances: random.Random, protocol: str = "qo", **options: str) -> RunOutcomes:
    """A guesser on a set of the paper's sizes, with a higher share right where something leaks."""
    answers = []
    for subtask, size in PAPER_SIZES.items():
        for number in range(size):
            count = (4, 4, 4, 3, 2)[number % 5]
            right = chances.random() < leak.get(subtask, 1 / count)
            answers.append(outcome(f"{subtask}-{number}", subtask, right=right, options=count))
    return a_run(answers, protocol, **options)


def flagged(run: RunOutcomes, name: str = "leakage") -> set[str]:
    return {m.group for m in measures([run]) if m.name == name and m.value is not None and m.value < 0.05}


def test_a_subtask_built_to_leak_is_flagged_and_no_other() -> None:
    run = blind_run({"US": 0.62, "Env": 0.6}, random.Random(1))
    assert flagged(run) == {"US", "Env"}
    summary = found(measures([run]), "leakage_flags")
    assert (summary.value, summary.n) == (2.0, 11)
    assert "US (" in summary.note
    assert "31.5% by chance" in summary.note


def test_shuffled_sets_raise_a_false_alarm_in_at_most_five_of_a_hundred() -> None:
    """Seeded: 200 guessers on sets of the paper's sizes; a flag anywhere is an alarm."""
    chances = random.Random(2)
    alarms = sum(bool(flagged(blind_run({}, chances))) for _ in range(200))
    assert alarms <= 10, alarms


def test_what_saw_pictures_is_not_tested_and_descriptions_are_no_leak() -> None:
    leak = dict.fromkeys(SUBTASKS, 0.9)
    chances = random.Random(3)
    assert flagged(blind_run(leak, chances, "iq")) == set()
    assert flagged(blind_run(leak, chances, "iq", pictures="blank")) == set(SUBTASKS)
    described = blind_run(leak, chances, "dq")
    assert flagged(described) == set()
    assert flagged(described, "descriptions_beat_chance") == set(SUBTASKS)


def test_only_an_items_first_asking_counts_against_chance() -> None:
    once = [outcome(f"{n}", "US", right=n < 12) for n in range(20)]
    again = [outcome(f"{n}", "US", right=True, repeat=1) for n in range(20)]
    one, both = (found(measures([a_run(a, "qo")]), "leakage", "US") for a in (once, [*once, *again]))
    assert one.value == both.value

"""VOILA's contrasts worked out by hand: which runs are set against each other, over which items, by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from core.benchmarks.voila.measures import contrasts
from core.measures import Answered, Measure, RunAnswers
from core.statistics import paired_difference, unpaired_difference, wilson

NUMBER, SUBJECT, ACTION, ALL = 1, 2, 4, 7
Answers = Mapping[str, Sequence[tuple[int, int]]]


def a_run(
    name: str,
    answers: Answers,
    protocol: str = "l2m",
    subset: str = "WD",
    structures: Mapping[int, str] | None = None,
    **options: str,
) -> RunAnswers:
    """``answers``: by step (item, right bits)."""

    def read(step: str) -> list[Answered]:
        scored = 511 if step == "describe" else ALL
        return [Answered(item, right, scored) for item, right in answers.get(step, ())]

    about = (name, subset, protocol, options, "GPT-4o", "model", "rule")
    return RunAnswers(*about, read, lambda group: structures or {})  # type: ignore[arg-type]


def found(measures: Sequence[Measure], name: str, group: str = "all") -> Measure:
    (one,) = (measure for measure in measures if measure.name == name and measure.group == group)
    return one


def test_steps_against_direct_over_the_items_of_both() -> None:
    l2m = a_run("steps", {"apply": [(1, ALL), (2, ALL), (3, NUMBER), (4, 0), (9, ALL)]})
    direct = a_run("direct", {"apply": [(1, ALL), (2, 0), (3, ALL), (4, 0), (8, ALL)]}, "direct")
    out = contrasts([l2m, direct])
    one = found(out, "gain_of_steps_apply")
    # all: right of four 2 and 2; number: 3 and 2
    assert (one.value, one.n, one.run, one.respondent) == (0.0, 4, "steps vs direct", "GPT-4o")
    assert found(out, "gain_of_steps_apply", "number").value == 1 / 4
    assert found(out, "gain_of_steps_apply", "subject").value == 0.0
    assert one.note == "apply; 5.3, tables 3 and 9; 2 items of one run alone left out"
    bounds = paired_difference({(0.0, 1): 2, (1.0, 1): 1, (-1.0, 1): 1})
    assert (one.low, one.high, one.interval) == bounds
    assert {measure.name for measure in out} == {"gain_of_steps_apply"}


def test_runs_asked_otherwise_are_not_contrasted_and_it_is_said() -> None:
    def asked(run: RunAnswers, **told: str) -> RunAnswers:
        return replace(run, asked={name.replace("_", " "): value for name, value in told.items()})

    answers = {"apply": [(1, ALL), (2, 0)]}
    l2m = asked(a_run("steps", answers), prompt_apply="new", pictures_max_side="512")
    first = asked(a_run("first", answers, "direct"), prompt_apply="new", pictures_max_side="512", prompt_direct="x")
    later = asked(a_run("later", answers, "direct"), prompt_apply="old", pictures_max_side="64")
    alike = found(contrasts([l2m, first, later]), "gain_of_steps_apply")
    assert (alike.run, alike.value) == ("steps vs first", 0.0)  # not the later one, which was asked otherwise
    (none,) = contrasts([l2m, later])
    assert (none.name, none.run, none.value, none.n) == ("gain_of_steps_apply", "steps vs later", None, 0)
    assert none.note == "undefined: not asked alike: pictures max side, prompt apply; 5.3, tables 3 and 9"


def test_the_collage_by_picture_and_as_a_share() -> None:
    sequence = a_run("sequence", {"describe": [(1, 511), (2, 0b111)], "apply": [(1, ALL), (2, ALL), (3, 0)]})
    collage = a_run(
        "collage", {"describe": [(1, 0b111), (2, 0)], "apply": [(1, ALL), (2, 0), (3, 0)]}, images="collage"
    )
    out = contrasts([sequence, collage])
    # describing: pictures right 3 and 1 of two items against 1 and 0
    assert found(out, "gain_of_sequence_describe").value == pytest.approx((4 - 1) / 6)
    assert found(out, "gain_of_sequence_apply").value == pytest.approx(1 / 3)
    assert found(out, "change_to_collage_apply").value == pytest.approx(-1 / 2)
    assert "5.4" in found(out, "change_to_collage_apply").note
    none = contrasts([a_run("s", {"apply": [(1, 0)]}), a_run("c", {"apply": [(1, ALL)]}, images="collage")])
    assert found(none, "change_to_collage_apply").value is None
    assert "nothing is right in sequence" in found(none, "change_to_collage_apply").note


@pytest.mark.parametrize(
    ("name", "step", "of", "less"),
    [
        ("gain_of_text", "apply", ("direct", {"input": "text"}), ("direct", {"input": "images"})),
        ("gain_of_subprompts", "relate", ("l2m", {"subprompts": "yes"}), ("l2m", {})),
        ("gain_of_worked_examples", "apply", ("l2m", {"cot": "yes"}), ("l2m", {"cot": "no"})),
        ("gain_of_examples", "apply", ("direct", {"examples": "yes"}), ("direct", {})),
        ("examples_over_steps", "apply", ("direct", {"examples": "yes"}), ("l2m", {})),
    ],
)
def test_each_ablation_sets_its_two_conditions_against_each_other(
    name: str, step: str, of: tuple[str, dict[str, str]], less: tuple[str, dict[str, str]]
) -> None:
    first = a_run("of", {step: [(1, ALL), (2, SUBJECT), (3, ALL)]}, of[0], **of[1])
    second = a_run("less", {step: [(1, ALL), (2, ALL), (3, 0)]}, less[0], **less[1])
    one = found(contrasts([second, first]), f"{name}_{step}", "subject")
    assert (one.value, one.n, one.run) == (pytest.approx(1 / 3), 3, "of vs less")


def test_runs_that_differ_in_more_than_the_condition_are_not_contrasted() -> None:
    plain = {"apply": [(1, ALL)]}
    collage = a_run("collage", plain, images="collage")
    assert contrasts([a_run("cot", plain, cot="yes"), collage]) == []
    assert contrasts([a_run("direct", plain, "direct"), collage]) == []
    assert contrasts([a_run("nd", plain, "direct", "ND"), a_run("wd", plain)]) == []
    drawn = contrasts([a_run("drawn", plain, generate="yes"), a_run("direct", plain, "direct")])
    assert {one.name for one in drawn} == {"gain_of_steps_apply"}  # what is made later changes no earlier step


def test_of_several_runs_under_one_condition_the_last_counts() -> None:
    direct = a_run("direct", {"apply": [(1, 0)]}, "direct")
    out = contrasts([a_run("first", {"apply": [(1, 0)]}), a_run("second", {"apply": [(1, ALL)]}), direct])
    assert found(out, "gain_of_steps_apply").run == "second vs direct"
    assert found(out, "gain_of_steps_apply").value == 1.0


def test_distraction_is_a_difference_of_other_items() -> None:
    nd = a_run("nd", {"apply": [(n, ALL if n < 3 else 0) for n in range(10)]}, subset="ND")
    wd = a_run("wd", {"apply": [(n, ALL if n < 1 else 0) for n in range(20, 40)]})
    one = found(contrasts([wd, nd]), "loss_by_distraction_apply")
    assert (one.value, one.n) == (pytest.approx(3 / 10), 30)
    bounds = unpaired_difference((3 / 10, wilson(3, 10)), (0.0, wilson(0, 20)))
    assert (one.low, one.high, one.interval) == (pytest.approx(bounds.low), pytest.approx(bounds.high), bounds.name)


def test_by_the_letter_that_a_structure_gives_each_property() -> None:
    """CSD: action C, subject S, number D. SSA: action S, subject S, number A."""
    run = a_run("run", {"apply": [(1, NUMBER), (2, SUBJECT), (3, ALL)]}, structures={1: "CSD", 2: "CSD", 3: "SSA"})
    out = contrasts([run], by="structure")
    values = {one.group: (one.value, one.n) for one in out}
    assert values == {
        "number A": (1.0, 1), "number D": (1 / 2, 2), "subject S": (2 / 3, 3),
        "action C": (0.0, 2), "action S": (1.0, 1),
    }  # fmt: skip
    assert (out[0].low, out[0].high) == wilson(1, 1)[:2]
    assert contrasts([run]) == contrasts([run], by="rule") == []


def test_repeats_hang_together_by_item() -> None:
    l2m = a_run("steps", {"apply": [(1, ALL), (1, 0), (2, ALL), (2, ALL)]})
    direct = a_run("direct", {"apply": [(1, 0), (2, ALL)]}, "direct")
    one = found(contrasts([l2m, direct]), "gain_of_steps_apply")
    assert (one.value, one.n) == (pytest.approx(((1 / 2 - 0) + (1 - 1)) / 2), 2)
    run = a_run("run", {"apply": [(1, ALL), (1, 0), (2, ALL), (2, ALL)]}, structures={1: "CSS", 2: "CSS"})
    number = found(contrasts([run], by="structure"), "apply_by_letter", "number S")
    assert (number.value, number.n, number.interval) == (3 / 4, 4, "bootstrap over clusters")

"""Two scorers on the same answers: the paper's tables of B.5."""

from __future__ import annotations

from math import isclose

from core.agreement import Agreement, PairRow, agreements
from core.benchmarks.voila.question import layout
from core.cells import ALL


def found(*rows: PairRow) -> dict[str, Agreement]:
    return {row.property: row for row in agreements(layout, rows)}


def test_table_12_of_the_paper_is_what_its_counts_make() -> None:
    """Describing, "Question": FP 6, FN 7, TP + TN 137 of 150 pictures, 91 %; the reference are people."""
    every = 0b111
    rows = found(
        PairRow("", "apply", every, every, 0, every, 6),
        PairRow("", "apply", 0, every, every, every, 7),
        PairRow("", "apply", every, every, every, every, 100),
        PairRow("", "apply", 0, every, 0, every, 37),
    )
    question = rows[ALL]
    assert (question.fp, question.fn, question.tp + question.tn, question.n) == (6, 7, 137, 150)
    assert f"{question.accuracy:.0%}" == "91%"
    assert question.to_json()["agree"] == 137


def test_properties_are_told_apart_and_all_is_all_of_them_together() -> None:
    rows = found(PairRow("", "apply", 0b011, 0b111, 0b110, 0b111))
    assert [(name, row.tp, row.tn, row.fp, row.fn) for name, row in rows.items()] == [
        ("number", 0, 0, 1, 0),
        ("subject", 1, 0, 0, 0),
        ("action", 0, 0, 0, 1),
        (ALL, 0, 1, 0, 0),  # neither holds the whole right
    ]


def test_pictures_are_counted_one_by_one() -> None:
    rows = found(PairRow("", "describe", 0b111_111_000, 0b111_111_111, 0b111_000_000, 0b111_111_111, 2))
    assert (rows[ALL].n, rows[ALL].tp, rows[ALL].fp, rows[ALL].tn) == (6, 2, 2, 2)
    assert isclose(rows[ALL].accuracy, 2 / 3)


def test_only_what_both_have_scored_counts() -> None:
    """The rule scores nothing of a made picture, and a part of a step scores one property."""
    assert found(PairRow("", "generate", 0b111, 0b111, 0, 0)) == {}
    rows = found(PairRow("", "relate.number", 0b001, 0b001, 0b001, 0b001, 3))
    assert {name: row.n for name, row in rows.items()} == {"number": 3}


def test_lanes_and_steps_stand_apart() -> None:
    rows = list(agreements(layout, [PairRow("", "apply", 7, 7, 7, 7), PairRow("describe=gold", "apply", 7, 7, 0, 7)]))
    assert {(row.interventions, row.accuracy) for row in rows} == {("", 1.0), ("describe=gold", 0.0)}

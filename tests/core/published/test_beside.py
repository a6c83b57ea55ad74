"""Published rows beside a run's own: only what was asked the same way, and what was not is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.cells import Cell
from core.published.beside import Block, beside, labelled

OWN = Cell(
    step="apply",
    property="all",
    right=7,
    n=14,
    accuracy=0.5,
    low=0.3,
    high=0.7,
    interval="wilson",
    unparsed=0,
    refused=0,
    unscored=0,
    failed=0,
    accuracy_strict=0.5,
    scorer="rule",
    run="mine",
    benchmark="voila",
    subset="ND",
    protocol="l2m",
    options="cot=no,generate=no,images=sequence,input=images,subprompts=no",
    respondent="some-model",
)


def block(**changed: object) -> Block:
    (found,) = beside([replace(OWN, **changed)])  # type: ignore[arg-type]
    return found


def values(found: Block) -> dict[str, str]:
    return {each.row.model: each.row.value for each in found.published}


def test_the_same_question_asked_the_same_way_stands_beside() -> None:
    found = block()
    assert values(found) == {
        "people": "69.69",
        "MolmoE": "1.00",
        "Qwen2-VL": "5.20",
        "GPT-4o": "29.03",
        "SEED-LLaMa": "2.35",
    }
    assert [note.key for note in found.footnotes] == ["qwen-nd", "seed-size"]
    assert any(reason.startswith("direct with images=collage: tables 3, 8") for reason in found.left_out)


@pytest.mark.parametrize(
    ("changed", "best"),
    [
        ({"options": "images=collage"}, ("GPT-4o", "19.43")),
        ({"protocol": "direct", "options": "images=sequence"}, ("GPT-4o", "16.94")),
        ({"protocol": "direct", "options": "images=sequence,input=text"}, ("GPT-4o", "49")),
        ({"subset": "WD", "options": "cot=yes,images=sequence"}, ("GPT-4o", "5.96")),
        ({"subset": "WD", "interventions": "relate=gold"}, ("GPT-4o", "17")),
    ],
)
def test_an_option_or_intervention_of_the_papers_finds_its_own_rows(
    changed: dict[str, object], best: tuple[str, str]
) -> None:
    found = values(block(**changed))
    assert found[best[0]] == best[1]


def test_people_stand_beside_every_protocol_but_not_beside_what_was_put_in() -> None:
    assert "people" in values(block(protocol="direct", options="images=collage"))
    assert "people" not in values(block(interventions="relate=gold", subset="WD"))


def test_a_condition_that_no_paper_has_finds_no_model() -> None:
    assert set(values(block(options="images=collage,cot=yes"))) == {"people"}
    unknown = block(benchmark="elsewhere")
    assert (unknown.published, unknown.left_out) == ((), ("no results of elsewhere were published",))


def test_a_group_of_the_run_alone_is_named_and_not_filled() -> None:
    found = block(group_by="rule", group="19")
    assert found.published == ()
    assert any("over all items" in reason for reason in found.left_out)


def test_subtasks_compare_under_their_long_names_too() -> None:
    own = {"benchmark": "mmra", "subset": "", "step": "answer", "property": "answer", "group_by": "subtask"}
    found = block(**own, protocol="iq", options="pictures=shown,swap=no", group="ObservationAngle")
    assert values(found)["GPT4o"] == "70.75"
    assert {each.group for each in found.published} == {"ObservationAngle"}
    swapped = block(**own, protocol="iq", options="swap=yes", group="OA")
    assert values(swapped)["Idefics2"] == "13.49"
    assert block(**own, protocol="iq", options="pictures=none,swap=no", group="OA").published == ()


def test_misplaced_columns_are_never_set_beside_a_subtask() -> None:
    own = {"benchmark": "mmra", "subset": "", "step": "answer", "property": "answer", "protocol": "dq", "options": ""}
    assert block(**own, group_by="subtask", group="RP").published == ()
    assert values(block(**own))["Qwen2-72B-Chat"] == "62.17"


def test_vrexs_categories_compare_and_its_plain_mean_is_not_taken_for_the_samples() -> None:
    own = {"benchmark": "vrex", "subset": "", "protocol": "planning", "options": "on_unparsed=continue"}
    own |= {"step": "plan", "property": "answer"}
    assert values(block(**own, group_by="category", group="Guessing"))["GPT-5"] == "91.8"
    assert block(**own).published == ()


def test_rows_for_a_table_are_marked_published_with_their_footnotes() -> None:
    shown = labelled(block())
    assert shown[0].run == "mine"
    assert [cell.run for cell in shown if "Qwen2-VL" in cell.run] == ["Qwen2-VL (published) [1]"]
    assert {cell.protocol for cell in shown} == {"l2m"}
    assert all(cell.source for cell in shown[1:])

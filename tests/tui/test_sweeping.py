"""An intervention over the items: the requests, the commands, what came of them."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from core.flips import Change, Flips
from core.interventions import parse
from core.planning import Request, interventions_of, make_protocol
from core.selection import Filter
from sessions.flips import Intervened
from tests.tui.stage import Told, choosing, stepping
from tui.state import sweeping

BASE = Request("voila:WD", respondent="seeing:0.8", filter=Filter({"rule": ("19",)}, sample=20, seed=4))


async def test_what_can_be_put_in_is_what_a_batch_takes() -> None:
    state = stepping(Told())
    await state.open_item(0)
    found = sweeping.specs(state)
    assert found[:2] == ("describe=gold", "describe=gold:number")
    assert "describe=pictures:2,1,3" in found
    assert "describe=pictures:1,blank,3" in found
    assert found[-1] == "describe=pictures:blank,blank,blank"
    for spec in found:
        parse(spec, ("describe",), ("number", "subject", "action"))
        assert sweeping.spec_words(spec)


async def test_a_step_of_one_choice_has_gold_and_a_wrong_answer() -> None:
    state = choosing("vrex:planning", Told("(A)"), first="flowchart-001")
    await state.open_item(0)
    assert sweeping.specs(state) == ("plan.1=gold", "plan.1=wrong:answer", "plan.1=pictures:blank")


def test_both_runs_start_from_the_plain_one_and_differ_in_the_sham_alone() -> None:
    made = sweeping.sweep(BASE, "base", "describe=gold")
    assert made.treatment.base_run == "base"
    assert made.treatment.filter == BASE.filter
    assert (made.treatment.sham, made.control.sham) == (False, True)
    benchmark_protocol = make_protocol_of(made.treatment)
    (treatment,), (sham,) = (interventions_of(*benchmark_protocol, request) for request in made.requests)
    assert (treatment.kind, sham.kind, sham.step) == ("gold", "sham", "describe")


def make_protocol_of(request: Request):  # type: ignore[no-untyped-def]
    from core.benchmarks import registry

    benchmark, subset = registry.parse_name(request.benchmark)
    return benchmark, make_protocol(benchmark, subset, request)


def test_a_filter_on_the_screen_becomes_ids() -> None:
    made = sweeping.sweep(BASE, "base", "describe=gold", ("voila-3", "voila-7"))
    assert dict(made.treatment.filter.where) == {"id": ("voila-3", "voila-7")}
    assert made.treatment.filter.sample == 0


def test_only_finished_items_are_started_from() -> None:
    assert sweeping.over(["a", "b"], None, 2) is None
    assert sweeping.over(["a", "b"], None, 3) == ("a", "b")
    assert sweeping.over(["a", "b"], ("b", "c"), 3) == ("b",)
    assert sweeping.over(["a", "b"], (), 3) == ()  # a filter that leaves nothing is not no filter
    assert sweeping.over([], None, 3) == ()


def test_the_commands_say_the_same_as_the_requests() -> None:
    base = Request(
        "voila:ND", data=Path("/a b/f.csv"), pictures="drawn", options={"cot": "yes"}, respondent="m", repeats=3,
        filter=Filter({"rule": ("19", "2")}, sample=5, seed=7),
    )  # fmt: skip
    treatment, control, report = sweeping.commands(sweeping.sweep(base, "my run", "describe=gold"), "/s.db")
    assert shlex.split(treatment) == [
        "phoropter", "run", "voila:ND", "--data", "/a b/f.csv", "--pictures", "drawn", "--respondent", "m",
        "--set", "cot=yes", "--intervene", "describe=gold", "--from", "my run", "--where", "rule=19,2",
        "--sample", "5", "--seed", "7", "--repeats", "3", "--store", "/s.db",
    ]  # fmt: skip
    assert control == treatment.replace("--from", "--sham --from")
    assert shlex.split(report) == ["phoropter", "report", "--store", "/s.db"]


def test_own_prompts_are_told() -> None:
    assert not sweeping.has_own_prompts(BASE)
    assert sweeping.has_own_prompts(Request("voila:ND", prompt_texts={"relate": "Other words."}))


def test_before_and_after_come_from_the_counted_pairs() -> None:
    change = Change(
        right_right=3, right_wrong=1, wrong_right=4, wrong_wrong=2, n=10, items=10, change=0.3, low=-0.1, high=0.6,
        interval="bootstrap", p=0.375,
    )  # fmt: skip
    row = Flips("after", "base", "intervention - plain", "describe=gold", "rule", "apply", "all", change)
    (found,) = sweeping.outcomes([Intervened("after", "describe=gold", "base", "", (row,))])
    assert (found.what, found.step, found.n) == ("what-if", "apply", 10)
    assert (found.before, found.after) == (40.0, 70.0)
    assert (found.low, found.high) == (pytest.approx(-10), pytest.approx(60))

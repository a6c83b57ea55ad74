"""MMRA under the engine: baselines in every setting, and descriptions asked once a picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from core.benchmarks import registry
from core.engine import Engine
from core.interventions import Intervention
from core.plan import Plan
from core.prompts import prompts_for
from core.records import Answer, Call, Item, Json, Progress, RespondentKind, Step, digest
from core.respondents.base import OnDelta, Request, Respondent
from core.respondents.baselines import make_baseline
from core.scoring import scorers_of
from core.statistics import wilson
from core.tally import Tally
from tests.memory_journal import MemoryJournal
from tests.mmra_data import PAPER_SIZES, every_subtask, items_of, loaded, made_rows, pack

MMRA = registry.get("mmra")

SETTINGS: list[tuple[str, dict[str, str]]] = [
    ("iq", {}),
    ("iq", {"swap": "yes"}),
    ("iq", {"pictures": "none"}),
    ("iq", {"pictures": "blank"}),
    ("iq", {"pictures": "swapped"}),
    ("dq", {}),
    ("dq", {"descriptions": "asked", "swap": "yes"}),
    ("idq", {}),
    ("idq", {"descriptions": "asked", "pictures": "swapped"}),
    ("qo", {}),
]


def plan_of(
    respondent: Respondent | None, name: str, at: dict[str, Respondent] | None = None, **more: object
) -> Plan:
    assert respondent is not None
    options = {key: str(value) for key, value in more.items()}
    protocol = MMRA.protocols[name]("", options, prompts_for("mmra"))
    return Plan(MMRA, protocol, respondent, scorers_of(MMRA), at or {})


async def steps_of(plan: Plan, items: list[Item]) -> list[list[Step]]:
    journal = MemoryJournal()
    totals = await Engine(plan, journal).run(items)
    assert totals.failed == 0
    return [list(trajectory.steps) for trajectory in journal.trajectories.values()]


def tallied(trajectories: list[list[Step]]) -> Tally:
    tally = Tally(MMRA.layout)
    for steps in trajectories:
        for index in range(len(steps)):
            tally.add_last(steps[: index + 1])
    return tally


@pytest.mark.parametrize(("name", "options"), SETTINGS)
async def test_the_oracle_is_right_in_every_cell(tmp_path: Path, name: str, options: dict[str, str]) -> None:
    items = items_of(made_rows(every_subtask(10)), tmp_path)
    cells = list(tallied(await steps_of(plan_of(make_baseline("oracle"), name, **options), items)).cells())
    assert {cell.step for cell in cells} == {"answer"}, "descriptions make no cells"
    assert {cell.scorer for cell in cells} == {"rule", "published"}
    assert {cell.accuracy for cell in cells} == {1.0}


@pytest.mark.parametrize(("name", "options"), SETTINGS)
async def test_chance_is_chance(tmp_path: Path, name: str, options: dict[str, str]) -> None:
    items = items_of(made_rows(PAPER_SIZES), tmp_path)
    trajectories = [
        steps for steps in await steps_of(plan_of(make_baseline("random"), name, **options), items) if steps
    ]
    expected = sum(1 / len(steps[-1].turn.form[0].options) for steps in trajectories)
    for cell in tallied(trajectories).cells():
        interval = wilson(cell.right, cell.n)
        assert interval.low <= expected / len(trajectories) <= interval.high, (cell, expected)


class Captioner:
    """Describes whatever it is shown, and counts."""

    name = "captioner"
    kind: RespondentKind = "model"
    looks = True
    draws = False
    in_flight = 8
    identity: dict[str, Json] = {}  # noqa: RUF012

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.steps: Counter[str] = Counter()

    async def preview(self, request: Request) -> Json:
        shown = [request.item.pictures[show.of[0]].name for show in request.turn.shows]
        return {"text": request.turn.text, "pictures": shown, "history": len(request.history)}

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        sent = await self.preview(request)
        if (known := await request.recalled(digest(sent), ())) is not None:
            return known
        self.asked[sent["pictures"][0] if sent["pictures"] else "none"] += 1
        self.steps[request.turn.step] += 1
        text = f"Picture {sent['pictures'][0]}." if request.turn.step.startswith("describe") else "[A]"
        return replace(Answer(text), call=Call("answer", digest(sent), sent, {}))

    async def close(self) -> None: ...


async def test_each_picture_is_described_once_by_whom_the_plan_names(tmp_path: Path) -> None:
    items = items_of(made_rows(every_subtask(10)), tmp_path)
    names = {picture.name for item in items for picture in item.pictures}
    captioner = Captioner()
    plan = plan_of(make_baseline("oracle"), "dq", {"describe": captioner})
    trajectories = await steps_of(plan, items)
    assert captioner.asked == Counter(names)
    assert len(trajectories) == 110
    for item, steps in zip(items, sorted(trajectories, key=lambda s: s[0].id), strict=True):
        told = steps[-1].turn.text
        assert f"first image, described: Picture {item.pictures[0].name}.\n" in told
        assert f"second image, described: Picture {item.pictures[1].name}.\n" in told
        assert all(score.scored == 0 for step in steps[:2] for score in step.scores)


async def test_by_default_the_respondent_describes_for_itself(tmp_path: Path) -> None:
    items = items_of(made_rows({"RP": 1}), tmp_path)
    captioner = Captioner()
    (steps,) = await steps_of(plan_of(captioner, "idq"), items)
    assert [step.turn.step for step in steps] == ["describe.1", "describe.2", "answer"]
    assert captioner.steps == {"describe.1": 1, "describe.2": 1, "answer": 1}


async def test_one_picture_can_be_described_by_somebody_else(tmp_path: Path) -> None:
    items = items_of(made_rows({"RP": 1}), tmp_path)
    first, both = Captioner(), Captioner()
    await steps_of(plan_of(make_baseline("oracle"), "dq", {"describe.1": first, "describe": both}), items)
    assert (first.steps, both.steps) == ({"describe.1": 1}, {"describe.2": 1})


async def test_given_descriptions_ask_nobody(tmp_path: Path) -> None:
    items = list(loaded(pack(tmp_path, described=True)))
    captioner = Captioner()
    trajectories = await steps_of(plan_of(make_baseline("oracle"), "idq", {"describe": captioner}), items)
    assert not captioner.asked
    assert {len(steps) for steps in trajectories} == {1}


async def test_a_wrong_description_put_in_goes_into_the_question(tmp_path: Path) -> None:
    items = items_of(made_rows({"RP": 1}), tmp_path)
    plan = replace(plan_of(Captioner(), "dq"), interventions=(Intervention("describe.1", "text", text="A lie."),))
    (steps,) = await steps_of(plan, items)
    assert "first image, described: A lie.\n" in steps[-1].turn.text


async def test_where_nothing_is_known_to_be_right_gold_cannot_be_put_in(tmp_path: Path) -> None:
    items = items_of(made_rows({"RP": 1}), tmp_path)
    for kind, name in (("gold", ""), ("wrong", "answer")):
        intervention = Intervention("describe.1", kind, property_name=name)  # type: ignore[arg-type]
        plan = replace(plan_of(Captioner(), "dq"), interventions=(intervention,))
        journal = MemoryJournal()
        totals = await Engine(plan, journal).run(items)
        assert totals.failed == 1
        (trajectory,) = journal.trajectories.values()
        assert trajectory.progress is Progress.FAILED
        assert "nothing is known to be right at describe.1" in trajectory.reason


async def test_the_gold_of_the_answer_can_be_put_in_or_kept_out(tmp_path: Path) -> None:
    items = items_of(made_rows(every_subtask()), tmp_path)
    for kind, right in (("gold", True), ("wrong", False)):
        name = "answer" if kind == "wrong" else ""
        intervention = Intervention("answer", kind, property_name=name)  # type: ignore[arg-type]
        plan = replace(plan_of(make_baseline("random"), "iq"), interventions=(intervention,))
        for (step,) in await steps_of(plan, items):
            assert all(score.correct is right for score in step.scores)

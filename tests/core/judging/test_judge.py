"""What a judge is asked, what its reply makes of an answer, and who cannot be one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks import registry
from core.config import Config
from core.errors import CallError, ConfigError, UsageError
from core.judging.judge import Judge, Judgement, make_judge
from core.packs import pack
from core.planning import Request as Asking
from core.planning import load
from core.prompts import prompts_for
from core.records import Answer, Call, Item, Parse, SentPicture, Show, Status, Step, Turn, Usage
from core.respondents.base import OnDelta, Request
from core.respondents.settings import ServerSettings
from tests.core.questions import change_of_all, distracted

VOILA = registry.get("voila")
PICTURE = SentPicture("abc", "image/png", (8, 8), (8, 8), "made", b"bytes of a picture")


class Model:
    """Replies what a function says; keeps what it was asked."""

    name = "gpt"
    kind = "model"
    looks = True
    draws = False
    in_flight = 4

    def __init__(self, say: Callable[[Request], str | Answer | Exception], **identity: object) -> None:
        self.say = say
        self.identity = {"model": "m", **identity}
        self.asked: list[Request] = []

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        self.asked.append(request)
        said = self.say(request)
        if isinstance(said, Exception):
            raise said
        call = Call("judge", "h", {}, {}, usage=Usage(10, 2, 0.5))
        return replace(said, call=call) if isinstance(said, Answer) else Answer(said, call=call)

    async def preview(self, request: Request) -> None:
        pass

    async def close(self) -> None:
        pass


def a_judge(say: Callable[[Request], Any], benchmark: str = "voila", **identity: object) -> tuple[Judge, Model]:
    model = Model(say, **identity)
    return Judge(model, registry.get(benchmark), prompts_for("judge")), model  # type: ignore[arg-type]


def turns(item: Item, protocol: str = "l2m", **options: str) -> dict[str, Turn]:
    """All turns of an item whose answers are the gold ones."""
    benchmark = registry.get(item.benchmark)
    made = benchmark.protocols[protocol](item.subset, options, prompts_for(item.benchmark))
    steps: tuple[Step, ...] = ()
    while (turn := made.next_turn(item, steps)) is not None:
        score = benchmark.score(item, turn, turn.gold_text)
        steps = (*steps, Step(turn, Answer(turn.gold_text), (score,), choice=made.choice(item, turn, score)))
    return {step.turn.step: step.turn for step in steps}


def keys(request: Request) -> list[str]:
    assert request.schema is not None
    return list(request.schema.schema["properties"])


def all_right(request: Request) -> str:
    return json.dumps(dict.fromkeys(keys(request), 1))


async def judged(judge: Judge, item: Item, turn: Turn, answer: Answer) -> Judgement:
    return await judge.judge(item, turn, answer)


async def test_describing_is_judged_picture_by_picture() -> None:
    item = change_of_all()
    turn = turns(item)["describe"]
    judge, model = a_judge(lambda r: json.dumps({key: int(key != "image_2_subject") for key in keys(r)}))
    found = await judged(judge, item, turn, Answer("two dogs, {gold} and two mice"))
    assert found.score is not None
    layout = VOILA.layout("describe")
    assert found.score.right == layout.mask & ~layout.bit("subject", 1)
    assert (found.score.scored, found.score.scorer, found.score.status) == (layout.mask, "gpt", Parse.OK)
    (asked,) = model.asked
    assert "Image 2: three cats running." in asked.turn.text
    assert "two dogs, {gold} and two mice" in asked.turn.text
    assert keys(asked)[:4] == ["image_1_number", "image_1_subject", "image_1_action", "image_2_number"]
    assert len(keys(asked)) == 9
    assert asked.turn.shows == ()
    assert asked.schema is not None
    assert asked.schema.schema["required"] == keys(asked)
    assert asked.schema.schema["additionalProperties"] is False


async def test_a_part_of_a_step_is_judged_on_its_own_property() -> None:
    item = change_of_all()
    turn = turns(item, subprompts="yes")["relate.subject"]
    judge, model = a_judge(all_right)
    found = await judged(judge, item, turn, Answer("It changed."))
    assert found.score is not None
    assert found.score.right == found.score.scored == VOILA.layout("relate").bit("subject")
    assert keys(model.asked[0]) == ["subject"]
    assert "changed from dogs to cats" in model.asked[0].turn.text


async def test_a_judge_is_told_that_any_is_right_only_where_any_is_said() -> None:
    item = distracted()
    judge, model = a_judge(all_right)
    await judged(judge, item, turns(item)["apply"], Answer("any"))
    assert "number = any, subject = any" in model.asked[0].turn.text
    assert 'Where "any" is right' in model.asked[0].turn.text


async def test_a_made_picture_is_judged_by_three_questions_about_it_alone() -> None:
    item = distracted()
    turn = turns(item, generate="yes")["generate"]
    judge, model = a_judge(lambda r: '{"number": 1, "subject": 1, "action": 0}')
    found = await judged(judge, item, turn, Answer("", picture=PICTURE))
    assert found.score is not None
    assert found.score.right == 0b011
    (asked,) = model.asked
    assert [picture.data for picture in asked.item.pictures] == [PICTURE.data]
    assert asked.turn.content[0] == Show((0,))
    assert "number: Is there at least one living subject" in asked.turn.text
    assert "action: Is what the picture shows them doing typing?" in asked.turn.text
    item = change_of_all()
    await judged(judge, item, turns(item, generate="yes")["generate"], Answer("", picture=PICTURE))
    assert "number: Does the picture show exactly two subjects?" in model.asked[1].turn.text
    assert "subject: Does it show cats, and no other kind of subject?" in model.asked[1].turn.text


@pytest.mark.parametrize(
    ("name", "protocol", "step", "gold"),
    [("vrex", "planning", "plan.1", ""), ("vrex", "following", "final", ""), ("mmra", "iq", "answer", "")],
)
async def test_a_choice_is_judged_by_the_right_option(name: str, protocol: str, step: str, gold: str) -> None:
    _, _, dataset = load(Asking(name, data=pack(name, "")))
    item = next(iter(dataset))
    turn = turns(item, protocol)[step]
    judge, model = a_judge(all_right, name)
    found = await judged(judge, item, turn, Answer("the first, I think"))
    assert found.score is not None
    assert found.score.correct
    offer = registry.get(name).offer(item, turn)
    assert offer is not None
    letter = turn.gold["answer"]
    right = f"{letter}: {offer.options[letter].text}" if offer.options[letter].text else letter
    assert f"The right option: {right}\n" in model.asked[0].turn.text
    assert all(option.text in model.asked[0].turn.text for option in offer.options.values())


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (Answer("I will not.", Status.REFUSAL), Parse.REFUSAL),
        (Answer("", Status.EMPTY), Parse.NO_ANSWER),
        (Answer(" ", Status.TRUNCATED), Parse.NO_ANSWER),
    ],
)
async def test_what_says_nothing_needs_no_judge_and_is_wrong(answer: Answer, status: Parse) -> None:
    item = change_of_all()
    judge, model = a_judge(all_right)
    found = await judged(judge, item, turns(item)["apply"], answer)
    assert found.score is not None
    assert (found.score.right, found.score.scored, found.score.status) == (0, 7, status)
    assert (found.asked, model.asked) == (False, [])
    pictured = turns(item, generate="yes")["generate"]
    found = await judged(judge, item, pictured, replace(answer, text=answer.text))
    assert found.score is not None
    assert (found.score.right, found.score.scored) == (0, 7)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (CallError("HTTP 503: no luck", call=Call("judge", "h", {}, None, error="HTTP 503")), "503"),
        ("-1/-1", "no JSON"),
        ('{"number": -1, "subject": -1, "action": -1}', "neither 1 nor 0"),
        (Answer("I cannot", Status.REFUSAL), "refused to judge"),
        (Answer("", Status.EMPTY), "said nothing"),
    ],
    ids=["sc05 sc07 503", "sc05 ratio", "sc05 -1", "refusal", "sc07 empty"],
)
async def test_a_failed_judgement_is_an_error_and_no_score(said: Any, why: str) -> None:
    """Cases sc05 and sc07: an outage of the grader was stored as FAIL, or as 100 %."""
    item = change_of_all()
    judge, _ = a_judge(lambda _: said)
    found = await judged(judge, item, turns(item)["apply"], Answer("two dogs"))
    assert found.score is None
    assert why in found.error
    assert found.call is not None
    assert found.call.error  # so that nothing recalls the reply as an answer


async def test_a_fatal_failure_is_raised() -> None:
    item = change_of_all()
    judge, _ = a_judge(lambda _: CallError("HTTP 401", fatal=True))
    with pytest.raises(CallError):
        await judged(judge, item, turns(item)["apply"], Answer("two dogs"))


def test_the_version_is_of_who_is_asked_what(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[judge]\nvoila_apply = "Is {answer} {gold}?"\n', encoding="utf-8")
    plain = a_judge(all_right)[0].version
    assert a_judge(all_right)[0].version == plain
    assert a_judge(all_right, temperature=1)[0].version != plain
    other = Judge(Model(all_right), VOILA, prompts_for("judge", file))  # type: ignore[arg-type]
    assert other.version != plain
    vrex = registry.get("vrex")
    with_prompt = Judge(Model(all_right), vrex, prompts_for("judge", file))  # type: ignore[arg-type]
    assert with_prompt.version == a_judge(all_right, "vrex")[0].version  # asks nothing with that prompt


def test_a_prompts_file_for_something_else_leaves_a_judges_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[voila]\nrelate = "What differs?"\n', encoding="utf-8")
    judge = make_judge("random", Config(), VOILA, ("apply",), file)
    assert judge.version == make_judge("random", Config(), VOILA, ("apply",)).version
    file.write_text('[judge]\nvoila_aply = "x"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="Did you mean voila_apply"):
        make_judge("random", Config(), VOILA, ("apply",), file)


@pytest.mark.parametrize(
    ("name", "steps", "why"),
    [
        ("oracle", ("apply",), "answers from the gold"),
        ("seeing:0.8", ("apply",), "answers from the gold"),
        ("rule", ("apply",), "another scorer"),
        ("published", ("apply",), "another scorer"),
        ("blind", ("apply", "generate"), "sees no pictures"),
        ("noisy:0.9", ("apply", "generate"), "sees no pictures"),
        ("gtp", ("apply",), "no respondent"),
    ],
)
def test_who_cannot_judge_is_refused_with_what_to_do(name: str, steps: tuple[str, ...], why: str) -> None:
    known = {
        "rule": ServerSettings(model="m", base_url=("http://127.0.0.1:1/v1",)),
        "published": ServerSettings(model="m", base_url=("http://127.0.0.1:1/v1",)),
        "blind": ServerSettings(model="m", base_url=("http://127.0.0.1:1/v1",), looks=False),
    }
    with pytest.raises(UsageError, match=why) as refused:
        make_judge(name, Config(respondents=known), VOILA, steps)
    assert refused.value.remedy


def test_a_text_only_model_judges_words() -> None:
    known = {"blind": ServerSettings(model="m", base_url=("http://127.0.0.1:1/v1",), looks=False)}
    assert make_judge("blind", Config(respondents=known), VOILA, ("describe", "relate", "apply")).name == "blind"


def test_the_same_judge_elsewhere_keeps_its_name_and_version() -> None:
    here, there = (make_judge(f"openai:m@http://127.0.0.1:{port}/v1", Config(), VOILA, ("apply",)) for port in (1, 2))
    assert here.name == "openai:m"
    assert (here.name, here.version) == (there.name, there.version)


async def test_baselines_judge_as_well_as_the_rule_or_by_chance(tmp_path: Path) -> None:
    item = change_of_all()
    turn = turns(item)["apply"]
    answer = Answer("The answer is number = two, subject = dogs, action = running")
    file = tmp_path / "verdicts.jsonl"
    verdict = json.dumps({"number": 0, "subject": 1, "action": 0})
    file.write_text(json.dumps({"item": item.id, "step": "apply", "text": verdict}), encoding="utf-8")
    rights = {}
    for name in ("noisy:1", "noisy:0", f"replay:{file}"):
        found = await judged(make_judge(name, Config(), VOILA, ("apply",)), item, turn, answer)
        assert found.score is not None
        rights[name.partition(":")[0] + name[-2:]] = found.score.right
    assert list(rights.values()) == [0b101, 0b010, 0b010]
    seen = set()
    for number in range(40):
        other = change_of_all(number)
        found = await judged(make_judge("random", Config(), VOILA, ("apply",)), other, turn, answer)
        assert found.score is not None
        seen.add(found.score.right)
    assert len(seen) > 4

"""A check asks the largest turn, and says of each thing whether it works by what the server does."""

from __future__ import annotations

from typing import Any

import pytest

from core.checking import Report, Verdict, check
from core.checking.largest import largest
from core.checking.probes import pictures_request, read_order, read_structured
from core.config import Config
from core.errors import RespondentError, UsageError
from core.records import Answer
from core.respondents.settings import ServerSettings
from tests.core.checking.conftest import Check, Seeing
from tests.servers import Reply, fails, says, texts

NO, YES, UNKNOWN, NONE = Verdict.NO, Verdict.YES, Verdict.UNKNOWN, Verdict.NONE


def verdicts(report: Report) -> dict[str, Verdict]:
    return {line.name: line.verdict for line in report.lines}


def what(report: Report, name: str) -> str:
    """What a line says, with its remedy."""
    line = report.line(name)
    assert line is not None
    return f"{line.what} -> {line.remedy}"


# -- the largest turn


@pytest.mark.parametrize(
    ("benchmark", "protocol", "step", "shown", "before"),
    [
        ("voila", "l2m", "apply", (1, 1, 1), 2),
        ("voila:WD", "direct", "apply", (1, 1, 1), 0),
        ("", "planning", "final", (1,), 5),
        ("vrex", "direct", "final", (1,), 0),
        ("mmra", "iq", "answer", (1, 1), 0),
        ("mmra", "qo", "answer", (), 0),
    ],
)
def test_the_largest_turn_has_most_pictures_and_then_the_longest_history(
    benchmark: str, protocol: str, step: str, shown: tuple[int, ...], before: int
) -> None:
    found = largest(benchmark, protocol, {})
    assert (found.request.turn.step, found.shown, found.before) == (step, shown, before)


def test_a_collage_is_one_picture_of_three() -> None:
    assert largest("voila", "l2m", {"images": "collage"}).shown == (3,)


def test_names_that_are_none_are_refused() -> None:
    for arguments in (("voila", "l3m", {}), ("viola", "", {}), ("voila:XX", "", {}), ("voila", "l2m", {"a": "b"})):
        with pytest.raises(UsageError):
            largest(*arguments)


# -- servers


async def test_a_server_that_can_do_everything_is_told_so(checked: Check) -> None:
    can = Seeing(
        headers={"x-ratelimit-limit-requests": "500"},
        models={"data": [{"id": "served", "max_model_len": 32768}]},
    )
    server, report = await checked(can)
    assert set(verdicts(report).values()) == {YES}
    assert report.usable
    assert "all 3 pictures seen, in their order" in what(report, "pictures")
    assert "A 0.905" in what(report, "log-probabilities")
    assert "32,768" in what(report, "limits")
    assert "x-ratelimit-limit-requests 500" in what(report, "limits")
    assert report.text.startswith("The answer is")
    roles = [role for role, _ in texts(server.bodies[0]["messages"])]
    assert roles == ["user", "assistant", "user", "assistant", "user"]
    assert len([part for part in texts(server.bodies[0]["messages"])[0][1] if part.startswith("data:image")]) == 3
    assert len(server.received) == 5


async def test_a_server_that_ignores_things_is_told_so(checked: Check) -> None:
    _, report = await checked(Seeing(odds=False, structured=False, streams=False, usage=False))
    assert report.usable
    assert verdicts(report) == {
        "reachable": YES,
        "largest turn": YES,
        "pictures": YES,
        "streaming": NO,
        "usage": NO,
        "log-probabilities": NO,
        "structured output": NO,
        "limits": UNKNOWN,
        "served model": YES,
    }


@pytest.mark.parametrize("most", [1, 0])
async def test_a_server_started_for_fewer_pictures_is_told_with_its_switch(checked: Check, most: int) -> None:
    """vLLM takes one picture a prompt unless it is started otherwise."""
    _, report = await checked(Seeing(most=most))
    assert not report.usable
    assert (verdicts(report)["reachable"], verdicts(report)["largest turn"]) == (YES, NO)
    for name in ("largest turn", "pictures"):
        assert f"At most {most} image(s)" in what(report, name)
        assert "--limit-mm-per-prompt '{\"image\": 3}'" in what(report, name)
        assert "images=collage" in what(report, name)
    assert ("one alone: the picture is seen" in what(report, "pictures")) == (most == 1)
    assert verdicts(report)["structured output"] is YES, "what is no matter of pictures is still looked at"
    _, collage = await checked(Seeing(most=1), options={"images": "collage"})
    assert collage.usable


async def test_an_order_that_is_lost_is_told(checked: Check) -> None:
    _, report = await checked(Seeing(order=lambda seen: seen[::-1]))
    assert verdicts(report)["pictures"] is NO
    assert "another order" in what(report, "pictures")
    assert report.usable
    _, report = await checked(Seeing(order=lambda seen: seen[-1:]))
    assert "1 of 3 pictures told" in what(report, "pictures")


@pytest.mark.parametrize("name", ["log-probabilities", "structured output"])
async def test_what_a_server_refuses_is_told_in_its_words(checked: Check, name: str) -> None:
    key = {"log-probabilities": "logprobs", "structured output": "response_format"}[name]

    def refuse(body: Any) -> Reply | None:
        return fails(400, f"{key} is not for this model") if key in body else None

    _, report = await checked(Seeing(refuse=refuse))
    assert [line.name for line in report.lines if line.verdict is NO] == [name]
    assert f"refused: HTTP 400: {key} is not for this model" in what(report, name)
    assert report.usable


async def test_the_servers_name_for_the_token_limit_is_told(checked: Check) -> None:
    def refuse(body: Any) -> Reply | None:
        return fails(400, "Use 'max_completion_tokens' instead.") if "max_tokens" in body else None

    _, report = await checked(Seeing(refuse=refuse))
    assert "takes max_completion_tokens" in what(report, "limits")
    assert report.usable


@pytest.mark.parametrize(
    ("script", "says_why", "asked"),
    [
        (lambda _: fails(401, "bad key"), "HTTP 401: bad key", 1),
        (lambda _: fails(404, "no such model"), "HTTP 404: no such model", 1),
        (lambda _: fails(500, "worker died"), "HTTP 500: worker died", None),
        (lambda _: Reply("<html>login</html>"), "no JSON", None),
        (lambda _: says(None), "the answer is empty", None),
        (lambda _: says("I can't", "content_filter"), "refused", None),
        (lambda _: says("<think>hm", "length"), "max_tokens", None),
    ],
    ids=["401", "404", "500", "html", "empty", "filtered", "thinking"],
)
async def test_a_server_that_answers_nothing_useful_is_not_usable(
    checked: Check, script: Any, says_why: str, asked: int | None
) -> None:
    server, report = await checked(script)
    assert not report.usable
    assert verdicts(report)["reachable"] is YES
    assert says_why in what(report, "largest turn")
    assert asked is None or len(server.received) == asked, "after that nothing more is asked"


async def test_a_server_that_answers_nothing_is_not_said_to_lack_what_was_never_answered(checked: Check) -> None:
    _, report = await checked(lambda _: fails(500, "worker died"))
    found = verdicts(report)
    assert {name for name, verdict in found.items() if verdict is NO} == {"largest turn"}
    assert {found[name] for name in ("pictures", "log-probabilities", "structured output")} == {UNKNOWN}
    assert "could not tell, nothing was answered" in what(report, "pictures")


async def test_nobody_there_is_one_line(checked: Check) -> None:
    _, report = await checked(Seeing(), base_url=("http://127.0.0.1:9/v1",))
    assert [(line.name, line.verdict) for line in report.lines] == [("reachable", NO)]
    assert "Check base_url" in what(report, "reachable")
    assert not report.usable


async def test_a_model_set_to_look_at_nothing_is_shown_nothing(checked: Check) -> None:
    server, report = await checked(Seeing(most=0), looks=False)
    assert report.usable
    assert verdicts(report)["pictures"] is NONE
    assert not any("data:image" in str(body) for body in server.bodies)


async def test_a_key_that_is_not_set_is_bad_input() -> None:
    config = Config(respondents={"m": ServerSettings(model="m", api_key_env="NOT_SET")})
    with pytest.raises(RespondentError, match="NOT_SET"):
        await check("m", config, environment={})


# -- baselines


@pytest.mark.parametrize("name", ["oracle", "random", "seeing:0.5"])
@pytest.mark.parametrize("benchmark", ["voila", "vrex", "mmra"])
async def test_a_baseline_answers_and_the_rest_does_not_apply(name: str, benchmark: str) -> None:
    report = await check(name, Config(), benchmark=benchmark)
    assert report.usable
    assert list(verdicts(report).values()) == [YES, YES, *[NONE] * 7]
    assert report.text


# -- the order of pictures


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("blue, yellow, red", YES),
        ("Picture 1 is Blue, picture 2 YELLOW and picture 3 red.", YES),
        ("I see a blue one, a yellow one, a red one. So: blue, yellow, red", YES),
        ("red, yellow, blue", NO),
        ("blue, yellow", NO),
        ("blue blue blue", NO),
        ("The pictures are lovely.", UNKNOWN),
        ("", UNKNOWN),
        ("blueish, reddish", UNKNOWN),
    ],
)
def test_the_reply_about_the_order_is_read(said: str, verdict: Verdict) -> None:
    _, colours = pictures_request((1, 1, 1))
    assert colours == ("blue", "yellow", "red")
    assert read_order(Answer(said), colours).verdict is verdict


def test_an_answer_that_is_nested_without_end_keeps_to_no_schema() -> None:
    line = read_structured(Answer("[" * 100_000))
    assert line.verdict is Verdict.NO

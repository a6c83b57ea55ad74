"""What travels between driver and worker comes back as it was; a terms' bytes hold no key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from core.errors import CallError, DataError, PhoropterError, Problem, UsageError
from core.planning import Request, prepare
from core.records import EMPTY, Answer, Call, Parse, Picture, Recalled, Score, SentPicture, Step, Usage
from core.respondents.registry import settings_of
from core.respondents.settings import LocalSettings, ServerSettings
from core.selection import Filter
from core.workers.process import gpus_of
from core.workers.terms import staff_of, terms_of
from core.workers.words import Added, Begin, Over, pack, unpack
from tests.core.workers.loops import Config, Ran, prepared

KEY = "sk-secret-of-the-tests-0123456789"


async def test_steps_come_back_as_they_were() -> None:
    ran = await Ran().go(prepared(limit=3))
    steps = [step for steps in ran.steps().values() for step in steps]
    assert unpack(pack([Added(1, (), step, False) for step in steps])) == [Added(1, (), s, False) for s in steps]
    begins = [Begin(job, trajectory) for job, trajectory in ran.journal.trajectories.items()]
    assert unpack(pack(begins)) == begins


def test_records_with_everything_in_them_come_back_as_they_were() -> None:
    ready = prepared(limit=1)
    (item, *_) = ready.selection
    turn = ready.protocol.next_turn(item, ())
    assert turn is not None
    item = replace(item, pictures=(Picture("a.png", data=b"\x00\xff"),), facts=MappingProxyType({"a": [1, None]}))
    sent = SentPicture("hash", "image/png", (1, 2), (3, 4), "a", b"bytes")
    call = Call("answer", "h", {"a": "\ud800"}, None, usage=Usage(1, 2, 0.5), error="no", id=7)
    answer = Answer("\ud83d", reasoning="so", picture=sent, sent=(sent,), call=call, recalled=Recalled(1, 2, "r"))
    step = Step(turn, answer, (Score("rule", "1", Parse.OK, 1, 3, {"a": "b"}, {"a": (1, 2)}),), lane="x", repeat=3)
    back = unpack(pack(Added(1, (step,), step, True)))
    assert back.step == step
    assert back.step.answer.picture.data == b"bytes"
    assert back.step.answer.call.id == 7
    assert unpack(pack(item)) == item
    assert unpack(pack(Answer("a").text)) == "a"
    assert unpack(pack(EMPTY)) is EMPTY


@pytest.mark.parametrize(
    "error",
    [
        CallError("it failed", where="gpt", remedy="Again", fatal=True, call=Call("answer", "h", {}, {})),
        UsageError("no", where="--on"),
        DataError([Problem("file", 3, "field", "bad")], remedy="Mend it"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_come_back_with_all_they_say(error: PhoropterError) -> None:
    back = unpack(pack(Over(1, error))).error
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


def test_what_several_share_goes_once() -> None:
    (item, *_) = prepared(limit=1).selection
    one = len(pack([item]))
    assert len(pack([item] * 100)) < one + 100 * 8


# -- terms


def server(monkeypatch: pytest.MonkeyPatch, **settings: object) -> Config:
    monkeypatch.setenv("TESTS_KEY", KEY)
    monkeypatch.setenv("TESTS_HEADER", KEY)
    base = {"model": "m", "base_url": ("http://localhost:1/v1",), "api_key_env": "TESTS_KEY"}
    made = ServerSettings(**{**base, "headers": {"X-Mine": "env:TESTS_HEADER"}, **settings})  # type: ignore[arg-type]
    return Config(respondents={"mine": made})


def asked_of(config: Config, respondent: str = "mine", **more: object):  # type: ignore[no-untyped-def]
    return prepare(Request("voila:ND", respondent=respondent, filter=Filter({}, limit=2), **more), config)  # type: ignore[arg-type]


def test_a_key_never_travels(monkeypatch: pytest.MonkeyPatch) -> None:
    config = server(monkeypatch)
    ready = asked_of(config)
    terms = terms_of(ready, config, staff_of(ready, config), 2, 0)
    sent = pack(terms)
    assert KEY.encode() not in sent
    assert b"TESTS_KEY" in sent
    assert KEY not in repr(terms)


@pytest.mark.parametrize("workers", [1, 2, 3, 7])
def test_limits_of_a_server_are_divided(monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    config = server(monkeypatch, concurrency=17, requests_per_minute=600.0, tokens_per_minute=90_000.0)
    ready = asked_of(config)
    staff = staff_of(ready, config)
    terms = [terms_of(ready, config, staff, workers, number) for number in range(workers)]
    shares = [settings_of("mine", each.config) for each in terms]
    assert all(isinstance(share, ServerSettings) for share in shares)
    assert sum(share.concurrency for share in shares) == 17  # type: ignore[union-attr]
    assert sum(each.at_once for each in terms) == 17
    assert sum(share.requests_per_minute for share in shares) == pytest.approx(600)  # type: ignore
    assert sum(share.tokens_per_minute for share in shares) == pytest.approx(90_000)  # type: ignore
    assert staff.most == 11  # of 8,000 tokens each
    assert terms[0].make().respondent.identity == ready.plan.respondent.identity


def test_the_users_own_concurrency_is_divided_too(monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(server(monkeypatch), concurrency=5)
    ready = asked_of(config)
    staff = staff_of(ready, config, 5)
    assert [terms_of(ready, config, staff, 2, number).at_once for number in (0, 1)] == [3, 2]
    baseline = asked_of(Config(), "oracle")
    assert staff_of(baseline, Config()).at_once(4, 3) == 64
    assert staff_of(baseline, Config(), 8).at_once(4, 3) == 2


def test_the_address_of_the_drivers_environment_goes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:9/v1")
    ready = asked_of(Config(), "openai:some-model")
    terms = terms_of(ready, Config(), staff_of(ready, Config()), 2, 0)
    monkeypatch.delenv("OPENAI_BASE_URL")
    settings = settings_of("openai:some-model", terms.config)
    assert isinstance(settings, ServerSettings)
    assert settings.base_url == ("http://localhost:9/v1",)


def test_gpus_are_the_models_own_number() -> None:
    settings = LocalSettings(model="somewhere", gpus=2, batch_size=4)
    config = Config(respondents={"local": settings})
    staff = staff_of(replace(asked_of(Config(), "oracle"), request=Request("voila:ND", respondent="local")), config)
    assert (staff.gpus, staff.most, staff.shared) == (2, None, False)
    assert staff_of(asked_of(Config(), "oracle"), Config()).gpus == 0


def test_a_worker_whose_file_differs_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text('{"item": "voila-1", "step": "describe", "text": "two dogs"}\n', encoding="utf-8")
    ready = asked_of(Config(), f"replay:{file}")
    terms = unpack(pack(terms_of(ready, Config(), staff_of(ready, Config()), 1, 0)))
    assert terms.make().respondent.identity == ready.plan.respondent.identity
    file.write_text('{"item": "voila-1", "step": "describe", "text": "one dog"}\n', encoding="utf-8")
    with pytest.raises(UsageError, match="would ask otherwise"):
        terms.make()


@pytest.mark.parametrize(
    ("workers", "gpus", "there", "shown"),
    [
        (2, 1, ["0", "1"], ["0", "1"]),
        (4, 1, ["0", "1"], ["0", "1", "0", "1"]),
        (2, 2, ["0", "1", "2", "3"], ["0,1", "2,3"]),
        (2, 2, ["3", "5", "7"], ["3,5", "7,3"]),
        (4, 0.5, ["0", "1"], ["0", "0", "1", "1"]),
        (1, 2, ["0"], ["0"]),
        (2, 1, [], ["", ""]),
    ],
)
def test_processes_share_the_gpus_of_a_machine(workers: int, gpus: float, there: list[str], shown: list[str]) -> None:
    assert [gpus_of(number, workers, gpus, there) for number in range(workers)] == shown

"""Replies of a given form: asked for as strictly as the server allows, and part of what identifies a request."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from core.errors import CallError
from core.pictures import Pictures
from core.respondents.base import Request, Schema
from core.respondents.local.asking import prepare as prepare_local
from core.respondents.request_body import prepare
from core.respondents.settings import LocalSettings, ServerSettings
from tests.core.respondents.conftest import Talk
from tests.servers import FaultServer, Received, Reply, fails, says

SCHEMA = Schema("judgement", {"type": "object", "properties": {"number": {"type": "integer", "enum": [0, 1]}}})


def kinds(server: FaultServer) -> list[str | None]:
    return [body.get("response_format", {}).get("type") for body in server.bodies]


@pytest.fixture
def formed(request_: Request) -> Request:
    return replace(request_, schema=SCHEMA)


async def test_the_schema_is_sent_whole_and_strict(talk: Talk, formed: Request) -> None:
    server, model = await talk(lambda _: says('{"number": 1}'))
    answer = await model.answer(formed)
    assert server.bodies[0]["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "judgement", "strict": True, "schema": dict(SCHEMA.schema)},
    }
    assert answer.text == '{"number": 1}'


async def test_ordinary_turns_ask_for_no_form(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: says("B"))
    await model.answer(request_)
    assert kinds(server) == [None]


@pytest.mark.parametrize(
    "words",
    [
        "'response_format' of type 'json_schema' is not supported with this model.",
        "Extra inputs are not permitted: body.response_format",
        "Invalid parameter: structured outputs need a newer model",
        "json_schema: unknown field",
    ],
)
async def test_a_server_that_refuses_is_asked_less_strictly_and_that_is_remembered(
    talk: Talk, formed: Request, words: str
) -> None:
    def script(received: Received) -> Reply:
        kind = received.body.get("response_format", {}).get("type")
        return fails(400, words) if kind == "json_schema" else says("{}")

    server, model = await talk(script)
    first = await model.answer(formed)
    await model.answer(formed)
    assert kinds(server) == ["json_schema", "json_object", "json_object"]
    assert first.call is not None
    assert first.call.error == ""


async def test_a_server_that_takes_no_form_at_all_is_asked_by_words_alone(talk: Talk, formed: Request) -> None:
    def script(received: Received) -> Reply:
        if "response_format" in received.body:
            return fails(422, "unknown field response_format")
        return says("{}")

    server, model = await talk(script)
    answers = await asyncio.gather(*(model.answer(formed) for _ in range(4)))
    assert all(answer.text == "{}" for answer in answers)
    await model.answer(formed)
    assert kinds(server)[-1] is None
    assert len(server.bodies) <= 4 * 3 + 1


async def test_another_refusal_teaches_nothing(talk: Talk, formed: Request) -> None:
    server, model = await talk(lambda _: fails(400, "no such model"))
    with pytest.raises(CallError):
        await model.answer(formed)
    assert kinds(server) == ["json_schema"]


async def test_an_ordinary_turn_learns_nothing_of_forms(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: fails(400, "response_format is unknown"))
    with pytest.raises(CallError):
        await model.answer(request_)
    assert len(server.bodies) == 1


@pytest.mark.parametrize(("structured", "kind"), [("json_object", "json_object"), ("none", None)])
async def test_what_is_known_of_a_server_can_be_set(
    talk: Talk, formed: Request, structured: str, kind: str | None
) -> None:
    server, model = await talk(lambda _: says("{}"), structured=structured)
    await model.answer(formed)
    assert kinds(server) == [kind]


async def test_extra_body_goes_before(talk: Talk, formed: Request) -> None:
    own = {"response_format": {"type": "text"}}
    server, model = await talk(lambda _: says("{}"), extra_body=own, structured="none")
    await model.answer(formed)
    assert kinds(server) == ["text"]


def test_the_hash_holds_the_schema_and_not_what_the_server_takes_of_it(formed: Request, request_: Request) -> None:
    settings, pictures = ServerSettings(model="m"), Pictures()
    other = replace(formed, schema=Schema("judgement", {"type": "object"}))
    hashes = [prepare(request, settings, pictures).hash for request in (request_, formed, other)]
    assert len(set(hashes)) == 3
    weaker = prepare(formed, replace(settings, structured="none"), pictures)
    assert weaker.hash == hashes[1]
    local = LocalSettings(model="m")
    of_local = {prepare_local(request, local, pictures, "w").hash for request in (request_, formed, other)}
    assert len(of_local) == 3

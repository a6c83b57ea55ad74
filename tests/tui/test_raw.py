"""The screen of a call as it went: whole, scrollable, inert, copyable, also before anything is asked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.config import Config
from core.interventions import answered_by
from core.pictures import Pictures
from core.planning import Request as Wanted
from core.planning import prepare
from core.records import Answer, Call, Json, SentPicture, Usage
from core.respondents.addresses import Address
from core.respondents.base import OnDelta, Request
from core.respondents.curl import UNKNOWN
from core.respondents.settings import ServerSettings
from sessions import reading
from sessions.opening import open_prepared
from sessions.store import Store
from tests.servers import FaultServer, says
from tests.tui.pilots import app_on, press, words
from tests.tui.stage import Told, choosing, stepping
from tests.tui.stored import opened
from tui.cli.raw import RawShow
from tui.rawtext import Raw, tokens, weighed
from tui.screens.raw import RawScreen
from tui.screens.stepping import SteppingScreen
from tui.state.crew import Crew
from tui.state.raw import raw_of

PICTURE = SentPicture("a" * 64, "image/png", (1024, 1024), (2048, 2048), "p.png", bytes(811_300))
NASTY = "[bold]\x1b]52;c;aGk=\x07 \x9b31m [/] \u202e"


class Served(Told):
    """Keeps its requests as a server's respondent does."""

    name = "served"
    address = Address("http://127.0.0.1:8000/v1/chat/completions", "MY_KEY", "max_completion_tokens")

    def recorded(self, request: Request) -> dict[str, Json]:
        content = [{"type": "image_url", "image_url": {"picture": PICTURE.hash}}, {"type": "text", "text": NASTY}]
        content.append({"type": "text", "text": request.turn.text})
        return {"model": "m", "messages": [{"role": "user", "content": content}], "max_tokens": 5}

    async def preview(self, request: Request) -> Any:
        return self.recorded(request)

    async def answer(self, request: Request, on_delta: OnDelta | None = None) -> Answer:
        call = Call("answer", "h", self.recorded(request), {"said": NASTY}, "m", 1, 0.5, Usage(1312, 57))
        return replace(await super().answer(request, on_delta), call=call, sent=(PICTURE,))


async def test_a_call_is_shown_whole_and_inert_on_a_small_screen() -> None:
    async with app_on(stepping(Served(NASTY))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "p", "p")
        assert isinstance(pilot.app.screen, RawScreen)
        said = words(pilot)
        assert "sent 1024x1024, 811 kB image/png" in said
        assert "1,312 prompt tokens, 57 answer tokens" in said
        assert 'curl http://127.0.0.1:8000/v1/chat/completions -H "Content-Type: application/json"' in said
        assert '-H "Authorization: Bearer $MY_KEY" --data-binary @request.json' in said
        area = pilot.app.screen.query_one("#raw")
        assert area.max_scroll_y > 0
        await press(pilot, "end")
        assert area.scroll_y == area.max_scroll_y
        await press(pilot, "home", "down", "pagedown")
        assert area.scroll_y > 0
        strips = pilot.app.screen._compositor.render_strips()
        shown = "".join(segment.text for line in strips for segment in line)
        assert not [c for c in shown if ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or c == "\u202e"]
        await press(pilot, "escape")
        assert isinstance(pilot.app.screen, SteppingScreen)


async def test_what_is_copied_is_whole_and_inert() -> None:
    async with app_on(stepping(Served(NASTY))).run_test(size=(80, 24)) as pilot:
        await press(pilot, "space", "p", "p", "c")
        assert pilot.app.clipboard.startswith("curl http://127.0.0.1:8000")
        await press(pilot, "y")
        assert '"picture": "' + PICTURE.hash in pilot.app.clipboard
        assert "\x1b" not in pilot.app.clipboard
        assert "␛]52" in pilot.app.clipboard


async def test_before_it_is_asked_the_request_is_a_preview() -> None:
    state = stepping(served := Served())
    async with app_on(state).run_test(size=(120, 40)) as pilot:
        await press(pilot, "p", "p")
        said = words(pilot)
        assert "not asked yet: this is what would be sent" in said
        assert '"max_completion_tokens": 5' in said
        assert "For each of the three images" in said
        assert served.asked == 0


@pytest.mark.parametrize("asked", [False, True])
async def test_a_baseline_says_that_it_sends_nothing(asked: bool) -> None:
    async with app_on(choosing("mmra:iq")).run_test(size=(80, 24)) as pilot:
        await press(pilot, *(["space"] if asked else []), "p", "p")
        assert "a baseline answers without a request" in words(pilot)
        await press(pilot, "c")
        assert pilot.app.clipboard == ""


def test_the_rendered_prompt_of_a_local_model_is_a_section_of_its_own() -> None:
    request = {"messages": [{"role": "user", "content": "Hi"}], "dtype": "auto", "prompt": "<|im_start|>user\nHi"}
    sections = dict(Raw(request, Call("answer", "h", request, {"text": "Ho"})).sections())
    assert sections["prompt"] == "<|im_start|>user\nHi"
    assert sections["messages"] == "[user]\nHi"
    assert json.loads(sections["request"]) == {key: request[key] for key in ("messages", "dtype")}
    assert "curl" not in sections


@pytest.mark.parametrize(("count", "said"), [(640, "640 B"), (811_300, "811 kB"), (1_249_000, "1.2 MB")])
def test_weights_are_said_in_round_numbers(count: int, said: str) -> None:
    assert weighed(replace(PICTURE, data=bytes(count))) == f"1024x1024, {said} image/png"


@pytest.mark.parametrize(("cost", "said"), [(None, ""), (0.0000001234, ", $0.000000123"), (1234.5, ", $1,234.50")])
def test_what_a_call_cost_is_shown_like_every_sum(cost: float | None, said: str) -> None:
    assert tokens(Usage(1312, 57, cost)) == f"1,312 prompt tokens, 57 answer tokens{said}"


async def test_a_step_sent_to_somebody_else_on_a_fork_is_told_as_theirs(tmp_path: Path) -> None:
    """On the screen and by the command: where it went, or that it is a baseline, or that nobody knows."""
    reply = says("two dogs running")
    async with FaultServer(lambda received: reply) as first, FaultServer(lambda received: reply) as second:
        named = {
            "first": ServerSettings(model="a", base_url=(first.url,)),
            "second+": ServerSettings(model="b", base_url=(second.url,), api_key_env="PATH"),
        }
        config = Config(respondents=named)
        with Store.open(tmp_path / "store.db") as store:
            prepared = prepare(Wanted("voila:ND", pictures="drawn", respondent="first"), config)
            run = open_prepared(store, prepared).run
            state = (await opened(store, run, config)).stepping
            assert state.crew is not None
            await state.next()
            main = state.current

            async def both(known: Config) -> tuple[Raw, Raw]:
                found = reading.trajectory(store, state.current.id, calls=True)
                assert found is not None
                return await raw_of(state), RawShow(store, known).raw(run, found[1], found[1].steps[0])

            async def sent_to(name: str) -> tuple[Raw, Raw]:
                assert state.crew is not None
                state.current, state.cursor = main, 0
                await state.ask_other(state.crew.get(name))
                assert answered_by(state.current.steps[0], "first") == name
                return await both(config)

            for raw in await both(config):
                assert first.url in raw.curl()
            for raw in await sent_to("second+"):
                assert second.url in raw.curl()
                assert "$PATH" in raw.curl()
            fork = state.current
            for raw in await sent_to("oracle"):
                assert (raw.request, raw.why) == (None, "a baseline answers without a request")
            for raw in await sent_to(f"openai:x+y@{second.url}"):
                assert second.url in raw.curl()
            await state.crew.close()
            state.current, state.crew = fork, Crew(Config(), Pictures())
            assert [raw.address for raw in await both(Config())] == [UNKNOWN, UNKNOWN]
            await prepared.plan.respondent.close()
            await state.plan.respondent.close()


def test_an_unknown_respondent_leaves_its_address_to_the_shell() -> None:
    request: Mapping[str, Json] = {"model": "m", "messages": []}
    assert 'curl "$BASE_URL/chat/completions"' in Raw(request, None, UNKNOWN).curl()

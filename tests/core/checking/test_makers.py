"""A maker of pictures is checked by the picture that it is to make, and never by a turn that asks for words."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pytest
from PIL import Image

from core.checking import Report, Verdict, check
from core.config import Config
from core.errors import UsageError
from core.respondents.patience import Clock
from core.respondents.settings import DiffusersSettings, ImagesSettings, ServerSettings
from tests.core.checking.conftest import Check, Seeing
from tests.servers import FaultServer, Received, Reply, Script, fails, makes

NO, YES, UNKNOWN, NONE = Verdict.NO, Verdict.YES, Verdict.UNKNOWN, Verdict.NONE


def picture(_: Received) -> Reply:
    buffer = io.BytesIO()
    Image.new("RGB", (6, 4), "teal").save(buffer, "PNG")
    return makes(buffer.getvalue())


async def at_once(_: float) -> None:
    """Nobody waits in a test."""


async def checked(
    script: Script, *, options: Mapping[str, str] | None = None, benchmark: str = "", protocol: str = "", **given: Any
) -> tuple[FaultServer, Report]:
    async with FaultServer(script) as server:
        settings = ImagesSettings(**{"model": "served", "base_url": (server.url,), **given})
        config = Config(respondents={"painter": settings})
        report = await check(
            "painter", config, benchmark=benchmark, protocol=protocol, options=options or {}, environment={},
            clock=Clock(sleep=at_once),
        )  # fmt: skip
    return server, report


def what(report: Report, name: str) -> str:
    line = report.line(name)
    assert line is not None
    return f"{line.what} -> {line.remedy}"


@pytest.mark.parametrize(
    "named",
    [
        {},
        {"benchmark": "voila:ND"},
        {"benchmark": "voila", "protocol": "l2m", "options": {"generate": "yes"}},
        {"protocol": "direct", "options": {"generate": "yes"}},
    ],
)
async def test_it_is_asked_for_the_picture_of_the_fourth_step_at_the_images_endpoint(named: Any) -> None:
    server, report = await checked(picture, **named)
    assert [received.path for received in server.received] == ["/v1/images/generations"]
    assert report.usable
    assert (report.step, report.draws) == ("generate", True)
    assert report.protocol == named.get("protocol", "l2m")
    assert report.asked_for.endswith("(--respondent-at generate=painter)")
    assert "a picture of 6x4, image/png" in what(report, "largest turn")
    assert {line.name: line.verdict for line in report.lines} == {
        "reachable": YES,
        "largest turn": YES,
        "pictures": NONE,
        "streaming": NONE,
        "usage": NO,
        "log-probabilities": NONE,
        "structured output": NONE,
        "limits": UNKNOWN,
        "served model": YES,
    }


async def test_one_that_edits_is_sent_the_three_pictures() -> None:
    server, report = await checked(picture, mode="edit", price_picture=0.04)
    assert [received.path for received in server.received] == ["/v1/images/edits"]
    assert len(server.bodies[0]["image[]"]) == 3
    assert "an edit of 3 pictures" in what(report, "largest turn")
    assert "3 sent with the words and taken" in what(report, "pictures")
    assert "price_picture" in what(report, "usage")
    server, _ = await checked(picture, mode="edit", options={"images": "collage"})
    assert len(server.bodies[0]["image"]) == 1


@pytest.mark.parametrize(
    "named",
    [
        {"benchmark": "voila:ND", "protocol": "l2m"},
        {"protocol": "l2m"},
        {"benchmark": "voila", "options": {"generate": "no"}},
        {"benchmark": "vrex"},
        {"benchmark": "mmra", "protocol": "iq"},
    ],
)
async def test_words_are_refused_as_a_run_refuses_them(named: Any) -> None:
    def nobody(received: Received) -> Reply:
        raise AssertionError("it is not to be asked")

    with pytest.raises(UsageError, match=r"painter makes pictures and nothing else, and step [\w.]+ asks for words"):
        await checked(nobody, **named)


@pytest.mark.parametrize(
    ("script", "says_why"),
    [
        (lambda _: fails(401, "bad key"), "HTTP 401: bad key"),
        (lambda _: fails(404, "no such page"), "HTTP 404: no such page"),
        (lambda _: fails(400, "blocked", "moderation_blocked"), "refused"),
        (lambda _: Reply({"data": []}), "no picture came back"),
        (lambda _: Reply("<html>login</html>"), "no JSON"),
        (lambda _: makes(b"<svg>"), "cannot be used"),
    ],
    ids=["401", "404", "blocked", "none", "html", "svg"],
)
async def test_one_that_makes_no_picture_is_not_usable(script: Script, says_why: str) -> None:
    _, report = await checked(script)
    assert (report.usable, report.tried) == (False, True)
    assert says_why in what(report, "largest turn")


async def test_nobody_there_is_one_line() -> None:
    _, report = await checked(picture, base_url=("http://127.0.0.1:9/v1",))
    assert [(line.name, line.verdict) for line in report.lines] == [("reachable", NO)]
    assert "Check base_url" in what(report, "reachable")


async def test_an_edit_where_nothing_was_shown_is_not_usable() -> None:
    server, report = await checked(picture, mode="edit", options={"input": "text"})
    assert server.received == []
    assert (report.usable, report.tried) == (False, True)
    assert "no picture to edit" in what(report, "largest turn")


async def test_an_answerer_of_words_is_told_of_the_step_that_it_cannot_answer(checked: Check) -> None:
    _, report = await checked(Seeing(), protocol="l2m", options={"generate": "yes"})
    assert report.usable
    assert "--respondent-at generate=NAME" in what(report, "step generate")


async def test_weights_that_are_not_here_are_not_fetched_for_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.respondents.diffusers_local.need", lambda *_: None)
    config = Config(respondents={"painter": DiffusersSettings(model="nobody/nothing-at-all")})
    report = await check("painter", config)
    assert [(line.name, line.verdict) for line in report.lines] == [("reachable", UNKNOWN)]
    assert (report.usable, report.tried) == (False, False)
    with pytest.raises(UsageError, match="painter makes pictures and nothing else"):
        await check("painter", config, protocol="l2m")


async def test_a_plain_server_is_no_maker() -> None:
    config = Config(respondents={"m": ServerSettings(model="m", base_url=("http://127.0.0.1:9/v1",))})
    assert not (await check("m", config, environment={}, clock=Clock(sleep=at_once))).draws

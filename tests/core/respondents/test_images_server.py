"""A maker of pictures behind a server: what goes out, what comes back, and what is no picture."""

from __future__ import annotations

import base64
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from core.errors import CallError, RespondentError
from core.pictures import Pictures
from core.records import Item, Show, Status, Text, Turn
from core.respondents.base import Exchange, Request
from core.respondents.images.server import ImagesServer, make_images_server
from core.respondents.settings import ImagesSettings
from tests.core.respondents.conftest import FakeTime
from tests.servers import FaultServer, Reply, Script, fails, in_turn, makes

Make = Callable[..., Awaitable[tuple[FaultServer, ImagesServer]]]
KEY = "sk-a-key-that-nobody-may-see"


def png(size: tuple[int, int] = (6, 4), mode: str = "RGB") -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 1 if mode == "1" else "teal").save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture
async def maker(time: FakeTime) -> AsyncIterator[Make]:
    """``await maker(script, **settings)``: a running server and the maker behind it."""
    async with AsyncExitStack() as stack:

        async def make(script: Script, **settings: Any) -> tuple[FaultServer, ImagesServer]:
            server = await stack.enter_async_context(FaultServer(script))
            environment = settings.pop("environment", {})
            made = ImagesSettings(**{"model": "m", "base_url": (server.url,), **settings})
            respondent = make_images_server("maker", made, Pictures(), environment=environment, clock=time.clock)
            stack.push_async_callback(respondent.close)
            return server, respondent

        yield make


@pytest.fixture
def asking(item: Item) -> Request:
    """The fourth step, after a conversation that showed the pictures."""
    shown = Turn("describe", (Text("Look."), Show((0,)), Show((1,)), Show((2,))))
    turn = Turn("generate", (Text("Make this: two dogs walking"),), makes="picture")
    return Request(
        item, turn, (Exchange(shown, "Image 1: two dogs."), Exchange(Turn("apply", ()), "two dogs walking"))
    )


async def test_words_go_out_and_a_picture_comes_back_as_it_was_made(maker: Make, asking: Request) -> None:
    data = png()
    server, model = await maker(
        lambda _: makes(data), size="1024x1024", quality="low", background="opaque", extra_body={"moderation": "low"}
    )
    answer = await model.answer(asking)
    assert server.received[0].path == "/v1/images/generations"
    assert server.bodies == [
        {
            "model": "m",
            "prompt": "Make this: two dogs walking",
            "n": 1,
            "size": "1024x1024",
            "quality": "low",
            "background": "opaque",
            "moderation": "low",
        }
    ]
    assert answer.picture is not None
    assert (answer.picture.data, answer.picture.mime, answer.picture.size) == (data, "image/png", (6, 4))
    assert (answer.text, answer.status, answer.sent) == ("", Status.OK, ())
    assert answer.call is not None
    assert (answer.call.served_model, answer.call.request) == ("served", server.bodies[0])
    stands = {"sha256": answer.picture.hash, "bytes": len(data)}
    assert answer.call.reply["data"] == [{"b64_json": stands}], "the picture is kept once, not in the ledger too"
    assert await model.preview(asking) == server.bodies[0]


async def test_an_edit_sends_every_picture_of_the_conversation_in_its_order(maker: Make, asking: Request) -> None:
    server, model = await maker(lambda _: makes(png()), mode="edit", extra_body={"output_compression": 80})
    answer = await model.answer(asking)
    assert server.received[0].path == "/v1/images/edits"
    form = server.bodies[0]
    files = form.pop("image[]")
    assert form == {
        "model": ["m"],
        "prompt": ["Make this: two dogs walking"],
        "n": ["1"],
        "output_compression": ["80"],
    }
    assert [sent.name for sent in answer.sent] == ["red.png", "green.png", "blue.png"]
    assert [(mime, data) for _, mime, data in files] == [("image/png", sent.data) for sent in answer.sent]
    assert answer.call is not None
    assert answer.call.request["image"] == [sent.hash for sent in answer.sent]


async def test_one_picture_to_edit_goes_out_under_the_plain_name(maker: Make, asking: Request, item: Item) -> None:
    server, model = await maker(lambda _: makes(png()), mode="edit")
    collage = Exchange(Turn("describe", (Show((0, 1, 2)),)), "")
    await model.answer(replace(asking, history=(collage,)))
    assert len(server.bodies[0]["image"]) == 1


async def test_an_edit_without_pictures_says_what_to_do(maker: Make, asking: Request) -> None:
    server, model = await maker(lambda _: makes(png()), mode="edit")
    with pytest.raises(RespondentError, match=r"no picture to edit.*mode"):
        await model.answer(replace(asking, history=()))
    assert server.received == []


async def test_a_turn_that_asks_for_words_is_refused(maker: Make, item: Item) -> None:
    _, model = await maker(lambda _: makes(png()))
    with pytest.raises(RespondentError, match="maker makes pictures and nothing else"):
        await model.answer(Request(item, Turn("apply", (Text("Say it."),))))


@pytest.mark.parametrize("code", ["moderation_blocked", "content_policy_violation"])
async def test_what_the_policy_blocks_is_a_refusal(maker: Make, asking: Request, code: str) -> None:
    server, model = await maker(lambda _: fails(400, "blocked by our safety system", code))
    answer = await model.answer(asking)
    assert (answer.status, answer.picture, len(server.received)) == (Status.REFUSAL, None, 1)
    assert answer.call is not None
    assert "safety system" in answer.call.error


@pytest.mark.parametrize(
    "entry",
    [{"content_filter_results": {"violence": {"filtered": True}}}, {"raiFilteredReason": "people"}],
)
async def test_a_picture_held_back_inside_a_reply_is_a_refusal(maker: Make, asking: Request, entry: Any) -> None:
    _, model = await maker(lambda _: makes(None, **entry))
    assert (await model.answer(asking)).status is Status.REFUSAL


async def test_no_picture_is_an_empty_answer(maker: Make, asking: Request) -> None:
    _, model = await maker(lambda _: Reply({"data": []}))
    answer = await model.answer(asking)
    assert (answer.status, answer.picture) == (Status.EMPTY, None)


@pytest.mark.parametrize(
    "garbage",
    [Reply({}), Reply({"data": None}), Reply({"data": ["x"]}), Reply({"data": [{}]}), Reply("<html>"), Reply("[")],
)
async def test_a_reply_without_a_picture_in_it_is_asked_again(maker: Make, asking: Request, garbage: Reply) -> None:
    server, model = await maker(in_turn(garbage, makes(png())))
    assert (await model.answer(asking)).picture is not None
    assert len(server.received) == 2


BAD_PICTURES = {
    "no base64": ("%%%%", "no base64"),
    "half base64": ("QUJDR", "no base64"),
    "no picture": (b"<svg onload=alert(1)>", "no picture"),
    "a torn picture": (png((64, 64))[:-30], "torn"),
    "a bomb": (png((8_001, 8_001), "1"), "too many"),
    "an archive": (b"PK\x03\x04" + bytes(100), "no picture"),
}


@pytest.mark.parametrize("kind", BAD_PICTURES)
async def test_what_is_no_picture_fails_its_item_and_is_paid_once(maker: Make, asking: Request, kind: str) -> None:
    data, says = BAD_PICTURES[kind]
    server, model = await maker(lambda _: makes(data, usage={"input_tokens": 5, "output_tokens": 9}))
    with pytest.raises(CallError, match=says) as caught:
        await model.answer(asking)
    assert len(server.received) == 1
    assert not caught.value.fatal
    assert caught.value.call is not None
    assert caught.value.call.error


async def test_too_many_bytes_are_refused(maker: Make, asking: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.pictures.incoming.MADE_BYTES", 50)
    _, model = await maker(lambda _: makes(png()))
    with pytest.raises(CallError, match="bytes are too many"):
        await model.answer(asking)


async def test_an_address_is_never_fetched(maker: Make, asking: Request) -> None:
    """A server could name any: that of a machine inside, of a file."""
    server, model = await maker(lambda received: makes(None, url=f"http://{received.headers['host']}/v1/picture.png"))
    with pytest.raises(CallError, match=r"address.*b64_json") as caught:
        await model.answer(asking)
    assert caught.value.fatal
    assert [received.path for received in server.received] == ["/v1/images/generations"]


async def test_a_picture_inside_an_address_needs_no_fetching(maker: Make, asking: Request) -> None:
    data = png()
    url = f"data:image/png;base64,{base64.b64encode(data).decode()}"
    _, model = await maker(lambda _: makes(None, url=url))
    answer = await model.answer(asking)
    assert answer.picture is not None
    assert answer.picture.data == data


async def test_what_not_every_reader_sees_alike_is_kept_as_png_on_white(maker: Make, asking: Request) -> None:
    buffer = io.BytesIO()
    Image.new("RGBA", (5, 5), (255, 0, 0, 0)).save(buffer, "WEBP", lossless=True)
    _, model = await maker(lambda _: makes(buffer.getvalue()))
    answer = await model.answer(asking)
    assert answer.picture is not None
    assert answer.picture.mime == "image/png"
    assert Image.open(io.BytesIO(answer.picture.data)).convert("RGB").getpixel((2, 2)) == (255, 255, 255)


async def test_a_busy_server_is_waited_for(maker: Make, asking: Request, time: FakeTime) -> None:
    server, model = await maker(in_turn(fails(429, "slow down", retry_after="7"), makes(png())))
    answer = await model.answer(asking)
    assert answer.picture is not None
    assert len(server.received) == 2
    assert sum(time.waits) >= 7


async def test_an_unknown_model_stops_the_run_and_says_where_to_look(maker: Make, asking: Request) -> None:
    _, model = await maker(lambda _: fails(404, "no such model"))
    with pytest.raises(CallError, match=r"no such model.*Check model \(m\)") as caught:
        await model.answer(asking)
    assert caught.value.fatal


async def test_the_key_is_sent_and_never_told(maker: Make, asking: Request) -> None:
    server, model = await maker(
        in_turn(makes(png(), revised_prompt=f"as {KEY} said")),
        api_key_env="MAKER_KEY",
        environment={"MAKER_KEY": KEY},
    )
    answer = await model.answer(asking)
    assert server.received[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(answer)
    assert KEY not in repr(model)
    server.script = lambda _: fails(401, f"bad key {KEY}")
    with pytest.raises(CallError, match="MAKER_KEY") as caught:
        await model.answer(asking)
    assert KEY not in str(caught.value)


USAGE = {"input_tokens": 110, "output_tokens": 1000, "input_tokens_details": {"text_tokens": 10, "image_tokens": 100}}


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ({}, None),
        ({"price_picture": 0.04}, 0.04),
        ({"price_in": 5.0, "price_out": 40.0}, (110 * 5 + 1000 * 40) / 1e6),
        ({"price_in": 5.0, "price_in_pictures": 10.0}, (10 * 5 + 100 * 10) / 1e6),
        ({"price_out": 40.0, "price_picture": 0.01}, 0.04 + 0.01),
    ],
)
async def test_usage_is_priced_by_token_and_by_picture(
    maker: Make, asking: Request, prices: dict[str, float], cost: float | None
) -> None:
    _, model = await maker(lambda _: makes(png(), usage=USAGE), **prices)
    answer = await model.answer(asking)
    assert answer.call is not None
    usage = answer.call.usage
    assert (usage.prompt_tokens, usage.completion_tokens) == (110, 1000)
    assert usage.cost == pytest.approx(cost) if cost is not None else usage.cost is None


async def test_what_changes_the_picture_identifies_the_maker(maker: Make) -> None:
    _, plain = await maker(lambda _: makes(png()))
    assert (plain.draws, plain.looks, plain.kind) == (True, False, "model")
    seen = [plain.identity]
    for changed in ({"mode": "edit"}, {"size": "64x64"}, {"quality": "high"}, {"extra_body": {"seed": 1}}):
        _, model = await maker(lambda _: makes(png()), **changed)
        assert model.identity not in seen
        seen.append(model.identity)
    _, same = await maker(lambda _: makes(png()), concurrency=3, price_picture=1.0, timeout_s=9.0)
    assert same.identity == plain.identity

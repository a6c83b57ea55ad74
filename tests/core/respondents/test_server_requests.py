"""What goes out: the turn's words and pictures in order, every setting, and nothing told that is not history."""

from __future__ import annotations

import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest
from PIL import Image

from core.errors import CallError
from core.pictures import Pictures
from core.records import Item, Picture, SentPicture, Show, Text, Turn
from core.respondents.base import Exchange, Request
from tests.core.respondents.conftest import Talk
from tests.servers import Received, Reply, fails, says, texts

PNG = "data:image/png;base64"


async def test_words_and_pictures_go_out_in_the_turns_order(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: says("B"))
    answer = await model.answer(request_)
    assert texts(server.bodies[0]["messages"]) == [("user", ["Look.", PNG, "Then\nhere.", PNG, "ANSWER: X"])]
    urls = [part["image_url"]["url"] for part in server.bodies[0]["messages"][0]["content"] if "image_url" in part]
    assert [base64.b64decode(url.split(",")[1]) for url in urls] == [sent.data for sent in answer.sent]
    assert [sent.name for sent in answer.sent] == ["red.png", "green.png"]


async def test_a_collage_is_one_picture(talk: Talk, item: Item) -> None:
    server, model = await talk(lambda _: says("B"))
    answer = await model.answer(Request(item, Turn("describe", (Text("Row:"), Show((0, 1, 2))))))
    assert texts(server.received[0].messages) == [("user", ["Row:", PNG])]
    assert answer.sent[0].size == (8 * 3 + 16 * 2, 8)


async def test_words_alone_go_out_as_plain_text(talk: Talk, item: Item) -> None:
    server, model = await talk(lambda _: says("B"))
    await model.answer(Request(item, Turn("relate", (Text("One."), Text("Two.")), answer_format="ANSWER: X")))
    assert texts(server.received[0].messages) == [("user", "One.\nTwo.\nANSWER: X")]


async def test_history_is_told_as_turns_with_their_pictures(talk: Talk, item: Item, turn: Turn) -> None:
    server, model = await talk(lambda _: says("B"), system="You look.")
    later = Turn("relate", (Text("And now?"),))
    await model.answer(Request(item, later, (Exchange(turn, "two dogs"), Exchange(later, ""))))
    assert texts(server.received[0].messages) == [
        ("system", "You look."),
        ("user", ["Look.", PNG, "Then\nhere.", PNG, "ANSWER: X"]),
        ("assistant", "two dogs"),
        ("user", "And now?"),
        ("assistant", ""),
        ("user", "And now?"),
    ]


async def test_a_turn_afresh_tells_nothing_of_before(talk: Talk, item: Item, turn: Turn) -> None:
    server, model = await talk(lambda _: says("B"))
    fresh = Turn("relate", (Text("Anew."),), afresh=True)
    await model.answer(Request(item, fresh, (Exchange(turn, "two dogs"),)))
    assert texts(server.received[0].messages) == [("user", "Anew.")]
    after = Turn("apply", (Text("On."),))
    await model.answer(Request(item, after, (Exchange(turn, "two dogs"), Exchange(fresh, "yes"))))
    assert texts(server.received[1].messages) == [("user", "Anew."), ("assistant", "yes"), ("user", "On.")]


async def test_every_setting_is_sent_and_extra_fields_as_they_stand(talk: Talk, request_: Request) -> None:
    server, model = await talk(
        lambda _: says("B"),
        temperature=0.7,
        top_p=0.9,
        max_tokens=77,
        seed=5,
        stop=("END",),
        extra_body={"top_k": 20, "chat_template_kwargs": {"enable_thinking": False}},
    )
    await model.answer(replace(request_, repeat=2))
    body = {key: value for key, value in server.bodies[0].items() if key != "messages"}
    assert body == {
        "model": "m",
        "temperature": 0.7,
        "top_p": 0.9,
        "max_tokens": 77,
        "seed": 7,
        "stop": ["END"],
        "top_k": 20,
        "chat_template_kwargs": {"enable_thinking": False},
    }


async def test_a_draw_is_from_all_tokens_unless_something_else_was_set(talk: Talk, request_: Request) -> None:
    """vLLM takes top_p from the model's generation_config.json where a request names none."""
    for settings, sent in (
        ({"temperature": 0.7}, 1.0),
        ({"temperature": 0.7, "top_p": 0.5}, 0.5),
        ({"temperature": 0.7, "extra_body": {"top_p": 0.4}}, 0.4),
        ({"temperature": 0.0}, None),
        ({"temperature": 0.7, "unsent": ("top_p",)}, None),
        ({"temperature": 1.0, "unsent": ("temperature",)}, None),
        ({"temperature": 1.0, "reasoning_effort": "low"}, None),
    ):
        server, model = await talk(lambda _: says("B"), **settings)
        await model.answer(request_)
        assert server.bodies[0].get("top_p") == sent, settings


async def test_what_a_server_refuses_can_be_left_out(talk: Talk, request_: Request) -> None:
    def script(received: Received) -> Reply:
        if "temperature" in received.body:
            return fails(400, "Unsupported parameter: 'temperature' is not supported with this model.")
        return says("B")

    _, refused = await talk(script)
    with pytest.raises(CallError, match=r'unsent = \["temperature"\]'):
        await refused.answer(request_)
    server, model = await talk(script, unsent=("temperature",), reasoning_effort="high")
    assert (await model.answer(request_)).text == "B"
    assert server.bodies[0]["reasoning_effort"] == "high"
    assert "temperature" not in model.identity


async def test_penalties_detail_and_log_probabilities_are_sent_where_they_are_set(
    talk: Talk, request_: Request
) -> None:
    settings = {"presence_penalty": 0.5, "frequency_penalty": -1.0, "logprobs": True, "top_logprobs": 4}
    server, model = await talk(lambda _: says("B"), detail="original", **settings)
    answer = await model.answer(request_)
    assert {key: server.bodies[0][key] for key in settings} == settings
    parts = [part["image_url"] for part in server.bodies[0]["messages"][0]["content"] if "image_url" in part]
    assert [part["detail"] for part in parts] == ["original", "original"]
    assert all(part["url"].startswith("data:image/png;base64,") for part in parts)
    assert answer.call is not None
    recorded = answer.call.request["messages"][0]["content"][1]["image_url"]
    assert recorded == {"picture": answer.sent[0].hash, "detail": "original"}


async def test_pictures_are_sent_in_the_format_that_was_set(talk: Talk, request_: Request, item: Item) -> None:
    shown = {}
    for name, settings in (
        ("as it is", {}),
        ("png", {"picture_format": "png"}),
        ("fine", {"picture_format": "jpeg", "picture_quality": 95}),
        ("coarse", {"picture_format": "jpeg", "picture_quality": 5}),
    ):
        server, model = await talk(lambda _: says("B"), **settings)
        answer = await model.answer(request_)
        url = server.bodies[0]["messages"][0]["content"][1]["image_url"]["url"]
        mime, data = url.removeprefix("data:").split(";base64,")
        assert base64.b64decode(data) == answer.sent[0].data
        with Image.open(io.BytesIO(answer.sent[0].data)) as image:
            assert f"image/{image.format.lower()}" == mime == answer.sent[0].mime  # type: ignore[union-attr]
        shown[name] = answer.sent[0].data
    assert shown["as it is"] == shown["png"] == Path(item.pictures[0].path).read_bytes()
    assert len({shown["png"], shown["fine"], shown["coarse"]}) == 3


async def test_a_file_of_the_wanted_format_goes_as_it_is(talk: Talk, tmp_path: Path) -> None:
    Image.new("RGB", (9, 9), "teal").save(tmp_path / "photo.jpg", quality=40)
    item = Item("voila", "t", "1", (Picture("photo.jpg", str(tmp_path / "photo.jpg")),), {}, {})
    _, model = await talk(lambda _: says("B"), picture_format="jpeg", picture_quality=90)
    answer = await model.answer(Request(item, Turn("describe", (Show((0,)),))))
    assert answer.sent[0].data == (tmp_path / "photo.jpg").read_bytes()


async def test_a_setting_that_is_not_set_is_no_part_of_a_runs_identity(talk: Talk) -> None:
    """Runs made before there were such settings are still the same runs."""
    before = {
        "kind": "openai",
        "model": "m",
        "system": "",
        "looks": True,
        "max_pixels": None,
        "extra_body": {},
        "max_tokens": 2048,
    }
    _, plain = await talk(lambda _: says("B"))
    assert dict(plain.identity) == {**before, "temperature": 0.0}
    _, drawn = await talk(lambda _: says("B"), temperature=0.7, picture_quality=50, top_logprobs=3)
    assert dict(drawn.identity) == {**before, "temperature": 0.7}
    for name, value in (
        ("detail", "low"),
        ("picture_format", "png"),
        ("reasoning_effort", "low"),
        ("logprobs", True),
        ("presence_penalty", 0.0),
        ("frequency_penalty", 0.5),
    ):
        _, changed = await talk(lambda _: says("B"), **{name: value})
        assert changed.identity[name] == value
    _, formed = await talk(lambda _: says("B"), picture_format="jpeg", picture_quality=50)
    assert formed.identity["picture_quality"] == 50


async def test_a_temperature_of_zero_is_sent(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: says("B"))
    await model.answer(request_)
    assert (server.bodies[0]["temperature"], server.bodies[0]["max_tokens"]) == (0.0, 2048)


async def test_a_model_that_does_not_look_gets_no_pictures(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: says("B"), looks=False)
    answer = await model.answer(request_)
    assert texts(server.received[0].messages) == [("user", "Look.\nThen\nhere.\nANSWER: X")]
    assert (answer.sent, model.looks) == ((), False)


async def test_the_record_names_pictures_by_hash_and_holds_all_else(talk: Talk, request_: Request) -> None:
    server, model = await talk(lambda _: says("B"), extra_body={"top_k": 3})
    answer = await model.answer(request_)
    assert answer.call is not None
    recorded = json.loads(json.dumps(answer.call.request))
    parts = recorded["messages"][0]["content"]
    assert parts[1]["image_url"] == {"picture": answer.sent[0].hash}
    assert "base64" not in json.dumps(recorded)
    assert {**recorded, "messages": None} == {**server.bodies[0], "messages": None}
    assert answer.call.reply == says("B").body


async def test_the_hash_tells_requests_apart_by_all_that_is_sent(
    talk: Talk, request_: Request, tmp_path: Path
) -> None:
    """ca01, ca02, ca05, ca06: sampling, words, history, the pictures' bytes and the server are in the key; streaming
    is not, nor are further replicas."""
    server, other = "http://one:8000/v1", "http://two:8000/v1"

    async def key(request: Request = request_, **settings: object) -> str:
        _, model = await talk(lambda _: says("B"), **{"base_url": (server,), **settings})
        return (await model.prepare(request)).hash

    plain = await key()
    assert plain == await key()
    assert plain == await key(concurrency=3, timeout_s=5.0, max_tokens_field="max_completion_tokens")
    assert plain == await key(base_url=(server + "/", other))
    others = [
        await key(base_url=(other,)),
        await key(temperature=0.7),
        await key(model="n"),
        await key(max_tokens=5),
        await key(seed=1),
        await key(replace(request_, repeat=1), seed=1),
        await key(extra_body={"top_k": 1}),
        await key(system="x"),
        await key(replace(request_, turn=replace(request_.turn, answer_format="else"))),
        await key(replace(request_, history=(Exchange(request_.turn, "a"),))),
    ]
    Image.new("RGB", (8, 8), "black").save(tmp_path / "red.png")
    others.append(await key())
    assert len({plain, *others}) == len(others) + 1


async def test_a_servers_wish_for_the_newer_name_of_max_tokens_is_met_once(talk: Talk, request_: Request) -> None:
    def script(received: Received) -> Reply:
        if "max_tokens" in received.body:
            return fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return says("B")

    server, model = await talk(script, attempts=1)
    answers = [await model.answer(request_), await model.answer(request_)]
    assert [answer.text for answer in answers] == ["B", "B"]
    assert len(server.received) == 3
    assert server.bodies[-1]["max_completion_tokens"] == 2048
    assert answers[0].call is not None
    assert answers[1].call is not None
    assert answers[0].call.request_hash == answers[1].call.request_hash


async def test_each_picture_is_encoded_once_a_chain(talk: Talk, item: Item, turn: Turn) -> None:
    class Counting(Pictures):
        texts: ClassVar[dict[int, bytes]] = {}

        def base64(self, sent: SentPicture) -> bytes:
            text = super().base64(sent)
            self.texts[id(text)] = text
            return text

    pictures = Counting()
    _, model = await talk(lambda _: says("B"), pictures=pictures)
    history: tuple[Exchange, ...] = ()
    for _ in range(4):
        answer = await model.answer(Request(item, turn, history))
        history = (*history, Exchange(turn, answer.text))
    assert len(pictures.texts) == 2


async def test_whatever_a_text_says_the_pictures_stand_in_their_places(talk: Talk, item: Item) -> None:
    server, model = await talk(lambda _: says("B"))
    words = '"image_url": {"picture": "%s"} \\ \ud83d\u00e9 {"url": "data:image/png;base64,"}'
    turn = Turn("describe", (Text(words), Show((0,)), Text("é"), Show((0,)), Show((2,))))
    answer = await model.answer(Request(item, turn, (Exchange(turn, words),)))
    parts = server.received[0].messages[2]["content"]
    assert [part["text"] for part in parts if part["type"] == "text"] == [words, "é"]
    urls = [part["image_url"]["url"].partition(",")[2] for part in parts if part["type"] == "image_url"]
    assert [base64.b64decode(url) for url in urls] == [sent.data for sent in answer.sent]
    assert server.received[0].messages[1]["content"] == words


async def test_replicas_share_the_calls(talk: Talk, request_: Request) -> None:
    one, _ = await talk(lambda _: says("1"))
    two, _ = await talk(lambda _: says("2"))
    _, model = await talk(lambda _: says("x"), base_url=(one.url, two.url))
    said = [(await model.answer(request_)).text for _ in range(4)]
    assert said == ["1", "2", "1", "2"]
    assert "base_url" not in json.dumps(dict(model.identity))

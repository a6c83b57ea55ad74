"""Answers that are drawn by chance, and letters chosen by their odds."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
import torch

from core.records import Answer, Recalled, Status, digest
from core.respondents.local.letters import tokens_of
from core.respondents.local.steering import Draw
from core.respondents.transformers_local import LocalModel
from tests.local.asking import items, lettered, requests

Make = Callable[..., LocalModel]


async def test_what_is_drawn_depends_on_seed_item_step_and_repeat_and_not_on_the_batch(model: Make) -> None:
    asked = requests(4)
    alone = model(temperature=1.0)
    singles = [(await alone.answer(request)).text for request in asked]
    together = model(temperature=1.0, batch_size=4)
    answers = await asyncio.gather(*(together.answer(request) for request in asked))
    assert [answer.text for answer in answers] == singles
    pieces: list[str] = []
    assert (await together.answer(asked[0], pieces.append)).text == singles[0]
    again, other_seed = replace(asked[0], repeat=1), replace(asked[0], seed=5)
    drawn = {singles[0], (await alone.answer(again)).text, (await alone.answer(other_seed)).text}
    assert len(drawn) == 3


async def test_a_shared_turn_is_drawn_alike_for_every_item_that_asks_it(model: Make) -> None:
    one = items(1)[0]
    turn = replace(requests(1)[0].turn, shared=True)
    tiny = model(temperature=1.0)
    first = await tiny.preview(replace(requests(1)[0], turn=turn))
    other = await tiny.preview(replace(requests(1)[0], turn=turn, item=replace(one, id="voila-999")))
    assert first == other


async def test_what_was_recalled_is_not_asked_and_a_draw_is_never_recalled_as_greedy(model: Make) -> None:
    """ca05: how answers are drawn, and the seed of a draw, are in the key; a draw of another item is another one."""
    request = requests(1)[0]
    kept: dict[str, Answer] = {}

    async def recall(request_hash: str) -> Answer | None:
        return kept.get(request_hash)

    greedy, drawn = model(), model(temperature=1.0)
    first = await greedy.answer(request)
    assert first.call is not None
    kept[first.call.request_hash] = Answer("as it was", call=None, recalled=Recalled(1, 0))
    asking = replace(request, recall=recall)
    known = await model().answer(asking)
    assert (known.text, known.sent, known.call) == ("as it was", first.sent, None)
    for other in (drawn, model(max_tokens=5), model(system="Look.")):
        assert (await other.answer(asking)).recalled is None
    keys = [drawn, *(model(temperature=1.0, seed=number) for number in (1, 2))]
    hashes = {digest(await one.preview(each)) for one in keys for each in (request, replace(request, repeat=1))}
    assert len(hashes) == 6


@pytest.mark.parametrize("top_p", [None, 0.6])
def test_draws_have_the_odds_that_temperature_and_top_p_give(top_p: float | None) -> None:
    odds = torch.tensor([0.5, 0.25, 0.15, 0.1])
    logits = odds.log() * 2  # at temperature 2 these are the odds
    draw = Draw([7], 2.0, top_p)
    count = 4000
    found = Counter(int(draw(None, logits[None]).argmax()) for _ in range(count))
    expected = [0.5, 0.25, 0.15, 0.1] if top_p is None else [2 / 3, 1 / 3, 0, 0]
    for token, share in enumerate(expected):
        deviation = math.sqrt(share * (1 - share) / count)
        assert abs(found[token] / count - share) <= 4 * deviation


async def test_the_odds_of_letters_are_those_of_the_first_token(model: Make) -> None:
    """Against a forward pass of the model itself, without batch or padding."""
    from transformers import AutoModelForImageTextToText, AutoProcessor

    tiny = model()
    item = items(1)[0]
    letters = ("A", "B", "C", "D")
    odds = await tiny.letters(lettered(item), letters)
    assert list(odds) == list(letters)
    processor = AutoProcessor.from_pretrained(tiny.settings.model)
    reference = AutoModelForImageTextToText.from_pretrained(tiny.settings.model, dtype=torch.float32).eval()
    request = lettered(item)
    asked = await tiny._prepared(request)
    inputs = processor.apply_chat_template(
        asked.chat(in_parts=True), add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
    )
    with torch.inference_mode():
        logs = reference(**inputs, logits_to_keep=1).logits[0, -1].log_softmax(-1)
    for letter, ids in tokens_of(processor.tokenizer, letters).items():
        assert odds[letter] == pytest.approx(float(logs[ids].logsumexp(0)), abs=1e-4)


async def test_constrained_letters_answer_with_the_likeliest_letter_in_any_batch(model: Make) -> None:
    asked = [lettered(item) for item in items(5)]
    alone = model(constrain="letters")
    together = model(constrain="letters", batch_size=4)
    singles = [await alone.answer(request) for request in asked]
    answers = await asyncio.gather(*(together.answer(request) for request in asked))
    for one, other in zip(singles, answers, strict=True):
        assert one.call is not None
        odds = one.call.reply["letters"]
        assert one.status is Status.OK
        assert one.text == other.text == max(odds, key=odds.__getitem__)


async def test_constrained_letters_leave_other_turns_free(model: Make) -> None:
    request = requests(1)[0]
    assert (await model(constrain="letters").answer(request)).text == (await model().answer(request)).text

"""What a study's participants are told beside the protocol's turns reaches a model as well, and only that changes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import UsageError
from core.interventions import prompted, rearranged, shown
from core.plan import Plan
from core.planning import Request, gold_walk, load, make_protocol, protocol_name
from core.records import Item, Show, Text, Turn
from core.scoring import scorers_of
from core.study.told import WORDS, Telling, Told

TOLD = Told("people", "d1", "paper", ("voila-1", "voila-2"), lists=True, picture_px=96)


def asked(benchmark: str, told: Told | None, protocol: str = "", **options: str) -> tuple[list[Item], Telling]:
    request = Request(benchmark, protocol=protocol, options=options, told=told)
    known, subset, dataset = load(request, protocol_name(request))
    made = make_protocol(known, subset, request)
    return list(dataset), made  # type: ignore[return-value]


def first(benchmark: str, told: Told | None, at: int, protocol: str = "", **options: str) -> tuple[Item, Turn]:
    items, protocol_ = asked(benchmark, told, protocol, **options)
    turn = protocol_.next_turn(items[at], ())
    assert turn is not None
    return items[at], turn


def test_examples_come_first_with_their_own_pictures_and_right_answers() -> None:
    item, turn = first("voila:WD", TOLD, 5, "direct")
    _, plain = first("voila:WD", None, 5, "direct")
    items, _ = asked("voila:WD", None, "direct")
    sources = [show.source for show in turn.shows]
    assert sources == [items[0].pictures] * 3 + [items[1].pictures] * 3 + [()] * 3
    assert [picture.name for show in turn.shows[6:] for picture in show.pictures(item)] == [
        picture.name for picture in item.pictures
    ]
    text = turn.text
    for number in (0, 1):
        gold = make_gold("voila:WD", items[number], "direct")
        assert gold in text
    assert text.index("Worked example 2") < text.index(WORDS["told_now"]) < text.index("You are shown three images")
    at = turn.content.index(Text(WORDS["told_now"])) + 1
    assert turn.content[at : at + len(plain.content)] == plain.content, "the protocol's own turn stands there whole"
    assert (turn.form, turn.gold, turn.answer_format) == (plain.form, plain.gold, plain.answer_format)


def make_gold(benchmark: str, item: Item, protocol: str) -> str:
    request = Request(benchmark, protocol=protocol)
    known, subset, _ = load(request, protocol)
    return gold_walk(known, make_protocol(known, subset, request), item)[-1].turn.gold_text


def test_lists_hold_the_values_of_the_form_and_only_where_the_turn_does_not_list_them() -> None:
    lists = replace(TOLD, examples=())
    _, turn = first("voila:WD", lists, 5, "direct")
    assert "Number: one, two, three, four, any. Subject: cat, dog" in turn.text
    assert turn.text.count("cat, dog, fox") == 1
    _, listed = first("voila:WD", lists, 5, "direct", examples="yes")
    assert "Take each value from its list" not in listed.text
    assert listed.text.count("cat, dog, fox") == 1
    _, without = first("voila:WD", replace(lists, lists=False), 5, "direct")
    assert "cat, dog, fox" not in without.text
    for benchmark, protocol in (("mmra", ""), ("vrex", ""), ("vrex", "following")):
        _, plain = first(benchmark, None, 4, protocol)
        _, same = first(benchmark, lists, 4, protocol)
        assert same == plain, "letters, yes and no stand in the turn already"


def test_in_a_conversation_examples_are_told_once() -> None:
    items, protocol = asked("voila:ND", TOLD, "l2m")
    walk = gold_walk(load(Request("voila:ND"))[0], protocol, items[6])
    texts = [step.turn.text for step in walk]
    assert ["Worked example 1" in text for text in texts] == [True, False, False]
    assert [len(step.turn.shows) for step in walk] == [9, 0, 0]
    assert "describe: Image 1:" in texts[0]
    assert "apply: The answer is" in texts[0]
    assert "Number: one, two" in texts[2]


def test_examples_of_chains_tell_questions_and_the_words_behind_letters() -> None:
    items, _ = asked("vrex", None)
    told = replace(TOLD, examples=(items[2].id,))
    item, turn = first("vrex", told, 8)
    example = turn.text.partition(WORDS["told_now"])[0]
    view = items[2].facts
    assert view["question"] in example
    for letter in (step["planning"]["answer"] for step in view["steps"]):
        assert f"({letter})" in example
    assert [show.source for show in turn.shows] == [items[2].pictures, ()]
    assert item.id != items[2].id


def test_whoever_is_asked_scores_and_identity_stay_those_of_the_protocol() -> None:
    items, protocol = asked("voila:WD", TOLD, "direct")
    _, plain = asked("voila:WD", None, "direct")
    assert (protocol.name, protocol.steps, protocol.options) == (plain.name, plain.steps, plain.options)
    assert set(protocol.prompts) - set(plain.prompts) == set(WORDS)
    benchmark = load(Request("voila:WD"))[0]
    Plan(benchmark, protocol, None, scorers_of(benchmark), {}, (), 1, 0)  # type: ignore[arg-type]
    turn = protocol.next_turn(items[4], ())
    assert turn is not None
    assert benchmark.score(items[4], turn, turn.gold_text).correct


def test_what_a_stored_run_was_told_is_told_again() -> None:
    request = Request("voila:WD", protocol="direct", told=TOLD)
    again = Request.from_json(request.to_json())
    assert again.told == TOLD
    assert Request.from_json({**request.to_json(), "told": None}).told is None
    assert TOLD.options == {"lists": "yes", "worked": "voila-1,voila-2", "picture_px": "96"}
    known, subset, dataset = load(request, "direct")
    words = {"told_now": "And now yours."}
    protocol = make_protocol(known, subset, replace(request, prompt_texts=words))
    turn = protocol.next_turn(next(iter(dataset)), ())
    assert turn is not None
    assert "And now yours." in turn.text


def test_an_example_that_is_gone_is_named() -> None:
    items, protocol = asked("voila:WD", replace(TOLD, examples=("voila-1", "nobody")), "direct")
    with pytest.raises(UsageError, match="there is no item nobody"):
        protocol.next_turn(items[3], ())


def test_interventions_change_the_items_pictures_alone() -> None:
    item, turn = first("voila:WD", TOLD, 5, "direct")
    assert shown(turn) == 3
    turned = rearranged(turn, "3,2,1")
    assert turned.shows[:6] == turn.shows[:6]
    assert [show.of for show in turned.shows[6:]] == [(2,), (1,), (0,)]
    assert prompted(turn, "New words").shows == turn.shows[6:]
    assert item.pictures


def test_a_picture_of_an_example_is_the_examples(tmp_path: Path) -> None:
    from PIL import Image

    from core.pictures import Pictures
    from core.records import Picture

    for name, size in (("own.png", (300, 200)), ("example.png", (50, 400))):
        Image.new("RGB", size, (9, 9, 9)).save(tmp_path / name)
    own, other = (Picture(name, str(tmp_path / name)) for name in ("own.png", "example.png"))
    item = Item("mmra", "", "x", (own,), {}, {})
    plain, small = Pictures(), Pictures(max_side=100)
    assert plain.sent(item, Show((0,))).size == (300, 200)
    assert plain.sent(item, Show((0,), source=(other,))).size == (50, 400)
    assert small.sent(item, Show((0,))).size == (100, 67)
    assert small.sent(item, Show((0,))).original_size == (300, 200)
    assert max(small.sent(item, Show((0,), source=(other,))).size) == 100
    assert small.identity != plain.identity
    assert "max_side" not in plain.identity

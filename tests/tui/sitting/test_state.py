"""What happens in a sitting, without a terminal: keys too early, clocks, forms, what is read, how room is shared."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks import registry
from core.benchmarks.base import LoadOptions
from core.benchmarks.voila.protocol import APPLY_FORM, DESCRIBE_FORM, RELATE_FORM
from core.packs import pack
from core.prompts import prompts_for
from core.records import Answer, Field, Item, Origin, Step
from core.study.definition import Study, Texts
from core.study.texts import Wording
from tui.fitting import fit
from tui.imaging import Cell
from tui.sitting.state.answering import Answering, asked, choices_of
from tui.sitting.state.clock import TurnClock
from tui.sitting.state.guard import GRACE_S, REPEAT_DELAY_S, Guard
from tui.sitting.state.layout import shared_out
from tui.sitting.state.text import reflowed
from tui.sitting.state.turn import put

WORDING = Wording(Study("s", "voila:ND"))
GERMAN = Wording(
    Study("s", "voila:ND", language="de", text={"de": Texts(labels={"one": "eins", "woman": "Frau", "any": "egal"})})
)


# -- keys that count for nothing


def held(guard: Guard, key: str, begin: float, delay: float, gap: float, count: int) -> list[bool]:
    """A key held down: its first press and the repeats that a terminal sends."""
    times = [begin, *(begin + delay + gap * number for number in range(count))]
    return [guard.admits(key, at) for at in times]


def test_keys_before_the_paint_and_right_after_it_are_dropped_and_noted() -> None:
    guard = Guard()
    assert not guard.admits("a", 10.0)
    guard.painted(10.5)
    assert not guard.admits("b", 10.4), "pressed before it was painted, handled after it"
    assert not guard.admits("c", 10.5 + GRACE_S - 0.01)
    assert guard.admits("d", 10.5 + GRACE_S)
    assert [(each.key, each.at) for each in guard.taken()] == [("a", 10.0), ("b", 10.4), ("c", 10.5 + GRACE_S - 0.01)]
    assert guard.taken() == ()


@pytest.mark.parametrize(("delay", "gap"), [(0.25, 0.03), (0.5, 0.033), (0.66, 0.025), (0.95, 0.1), (0.5, 0.3)])
def test_a_key_held_over_screens_answers_one_of_them(delay: float, gap: float) -> None:
    guard = Guard()
    guard.painted(0.0)
    assert guard.admits("enter", 1.0)
    guard.shut()
    guard.painted(1.05)
    assert not any(held(guard, "enter", 1.0 + delay, gap, gap, 200)), "however long it is held"
    dropped = guard.taken()
    assert len(dropped) == 201
    assert all(each.held for each in dropped)


def test_a_key_that_was_let_go_counts_again() -> None:
    guard = Guard()
    guard.painted(0.0)
    assert guard.admits("enter", 1.0)
    guard.shut()
    guard.painted(1.1)
    assert guard.admits("enter", 1.0 + REPEAT_DELAY_S + 0.01)


def test_another_key_ends_the_holding() -> None:
    guard = Guard()
    guard.painted(0.0)
    assert guard.admits("enter", 1.0)
    guard.shut()
    guard.painted(1.1)
    assert guard.admits("2", 1.5)
    assert guard.admits("enter", 1.6)


def test_a_key_held_since_before_the_paint_stays_without_effect() -> None:
    guard = Guard()
    guard.shut()
    early = held(guard, "y", 0.0, 0.5, 0.03, 10)
    guard.painted(0.6)
    assert not any([*early, *(guard.admits("y", 0.8 + 0.03 * number) for number in range(60))])


# -- the clock


def test_first_final_and_paused_time_are_three_and_active_never_exceeds_wall() -> None:
    clock = TurnClock(limit=30.0)
    clock.painted(100.0)
    clock.changed(102.0)
    clock.pause(103.0)
    assert clock.active(110.0) == 3.0
    clock.painted(113.0)
    clock.changed(115.0)
    assert (clock.first, clock.final, clock.paused) == (102.0, 115.0, 10.0)
    assert clock.active(120.0) == 10.0
    assert clock.left(120.0) == 20.0
    clock.zoom(116.0, on=True)
    clock.zoom(118.5, on=False)
    assert clock.zoomed == 2.5


@given(st.lists(st.tuples(st.sampled_from(["paint", "pause", "change"]), st.floats(0, 5)), max_size=30))
def test_active_time_is_within_wall_time_whatever_happens(steps: list[tuple[str, float]]) -> None:
    clock, now = TurnClock(), 50.0
    clock.painted(now)
    for what, seconds in steps:
        now += seconds
        {"paint": clock.painted, "pause": clock.pause, "change": clock.changed}[what](now)
        assert 0.0 <= clock.active(now) <= now - 50.0 + 1e-9
        assert clock.onset == 50.0


# -- forms


def typed(form: Answering, keys: str, start: float = 0.0) -> Answering:
    for number, char in enumerate(keys):
        form.type(char, start + number)
    return form


def apply_form(subset: str = "ND", wording: Wording = WORDING) -> Answering:
    return Answering(asked(APPLY_FORM[subset], wording))


def test_voila_is_answered_by_number_and_typed_words() -> None:
    form = typed(apply_form(), "2")
    assert form.at == 1, "a key of its own chooses and goes on"
    typed(form, "senior w")
    assert not form.enter()
    typed(form, "dig")
    assert form.enter()
    assert form.values == {"number": "two", "subject": "senior woman", "action": "digging a hole"}


def test_any_has_zero_and_canonical_values_are_kept_in_every_language() -> None:
    form = typed(apply_form("WD", GERMAN), "0")
    typed(form, "frau")
    form.enter()
    typed(form, "egal")
    assert form.values == {"number": "any", "subject": "woman", "action": "any"}
    assert form.fields[1].shown == "Frau"


def test_a_word_that_another_begins_with_is_taken_when_typed_whole() -> None:
    form = Answering(asked([Field("x", tuple(f"{n}" for n in range(1, 13)))], WORDING))
    assert typed(form, "1").values == {"x": "1"}
    assert typed(form, "2").values == {"x": "12"}


def test_ambiguous_words_choose_nothing_and_arrows_go_through_what_fits() -> None:
    form = apply_form()
    form.point(1)
    typed(form, "s")
    assert form.missing == ("Number", "Subject", "Action")
    assert not form.enter()
    form.turn(1, 9.0)
    assert form.values == {"subject": "senior man"}
    form.turn(1, 9.0)
    assert form.values == {"subject": "senior woman"}
    form.turn(1, 9.0)
    assert form.values == {"subject": "senior man"}


def test_what_fits_nothing_is_left_out_but_begins_anew_after_a_choice() -> None:
    form = apply_form()
    form.point(1)
    typed(form, "zx")
    assert form.here.typed == ""
    typed(form, "ca")
    assert form.values == {"subject": "cat"}
    typed(form, "dog")
    assert form.values == {"subject": "dog"}


def test_every_change_is_noted_with_its_time_and_erasing_takes_back() -> None:
    form = apply_form()
    form.type("2", 1.0)
    form.point(-1)
    form.type("3", 2.0)
    form.point(-1)
    form.erase(3.0)
    form.point(0)
    form.type("3", 4.0)
    assert form.revisions == [(1.0, "number", "two"), (2.0, "number", "three"), (3.0, "number", ""),
                              (4.0, "number", "three")]  # fmt: skip


def test_letters_yes_no_and_relations_have_keys() -> None:
    letters = Answering(asked([Field("answer", ("A", "B", "C", "D"))], WORDING, {"A": "a dog", "B": "a cat"}))
    assert typed(letters, "b").values == {"answer": "B"}
    assert letters.enter()
    yes = Answering(asked([Field("answer", ("Yes", "No"))], WORDING))
    assert [choice.key for choice in yes.here.choices] == ["y", "n"]
    assert typed(yes, "n").values == {"answer": "No"}
    assert typed(yes, "1").values == {"answer": "Yes"}
    relate = Answering(asked(tuple(RELATE_FORM.values()), WORDING))
    assert typed(relate, "scs").values == {"number": "same", "subject": "changed", "action": "same"}


def test_three_pictures_of_three_properties_are_asked_one_after_the_other() -> None:
    form = Answering(asked(DESCRIBE_FORM, WORDING))
    assert form.here.label == "Picture 1 number"
    for _ in range(3):
        typed(form, "1")
        for words in ("fox", "read"):
            typed(form, words)
            last = form.enter()
    assert last
    assert len(form.values) == 9


@given(st.lists(st.sampled_from([*"abcdefgmnorstw0123 ", "enter", "up", "down", "erase", "next"]), max_size=60))
def test_no_keys_give_a_value_that_is_not_offered(keys: list[str]) -> None:
    form = apply_form("WD")
    for at, key in enumerate(keys):
        if key == "enter":
            form.enter()
        elif key in ("up", "down"):
            form.turn(1 if key == "down" else -1, at)
        elif key == "erase":
            form.erase(at)
        elif key == "next":
            form.point(1)
        else:
            form.type(key, at)
    offered = {field.name: field.options for field in APPLY_FORM["WD"]}
    assert all(value in offered[name] for name, value in form.values.items())
    last = {name: value for _, name, value in form.revisions}
    assert {name: value for name, value in last.items() if value} == form.values


def test_keys_of_few_choices_differ() -> None:
    for options in (("one", "two", "three"), ("yes", "yet"), tuple("ABCDEF"), tuple(f"o{n}" for n in range(9))):
        keys = [choice.key for choice in choices_of(options, options)]
        assert len(set(keys)) == len(options)


# -- what is read


def first_turn(benchmark: str, protocol: str, subset: str = "", number: int = 0) -> tuple[Item, Step]:
    one = registry.get(benchmark)
    dataset = one.load(pack(benchmark, subset), subset, LoadOptions())
    item = list(dataset)[number]
    turn = one.protocols[protocol](dataset.subset, {}, prompts_for(benchmark)).next_turn(item, ())
    assert turn is not None
    return item, Step(turn, Answer(turn.gold_text), (one.score(item, turn, turn.gold_text),), Origin.RESPONDENT)


def test_the_words_before_pictures_are_their_captions_and_the_models_form_is_left_out() -> None:
    item, step = first_turn("voila", "direct", "ND")
    read = put(registry.get("voila"), item, step.turn, (), WORDING)
    assert read.captions == ("Image 1", "Image 2", "Image 3")
    assert "Image 1:" not in read.words
    assert "{number}" not in read.words
    assert "Give the number" in read.words


def test_options_stand_in_the_form_and_not_in_the_words() -> None:
    item, step = first_turn("mmra", "iq")
    read = put(registry.get("mmra"), item, step.turn, (), WORDING)
    assert read.words == item.facts["question"]
    assert dict(read.texts) == item.facts["options"]
    item, step = first_turn("vrex", "planning")
    read = put(registry.get("vrex"), item, step.turn, (), WORDING)
    assert read.texts
    assert not any(text in read.words for text in read.texts.values())
    assert item.facts["question"] in read.words


def test_earlier_answers_of_the_item_stay_readable() -> None:
    item, step = first_turn("vrex", "following")
    vrex = registry.get("vrex")
    protocol = vrex.protocols["following"]("", {}, prompts_for("vrex"))
    following = protocol.next_turn(item, (step,))
    assert following is not None
    (before,) = put(vrex, item, following, (step,), WORDING).before
    assert before[0] == item.facts["steps"][0]["question"]


def test_in_planning_the_question_chosen_and_what_was_told_of_it_stay_readable() -> None:
    item, first = first_turn("vrex", "planning")
    vrex = registry.get("vrex")
    protocol = vrex.protocols["planning"]("", {}, prompts_for("vrex"))

    def answered(*steps: Step) -> Step:
        turn = protocol.next_turn(item, steps)
        assert turn is not None
        score = vrex.score(item, turn, turn.gold_text)
        choice = protocol.choice(item, turn, score)
        return Step(turn, Answer(turn.gold_text), (score,), Origin.RESPONDENT, choice=choice)

    first = answered()
    second = answered(first)
    offer = vrex.offer(item, first.turn)
    assert offer is not None
    chosen = offer.options[first.turn.gold["answer"]]
    assert chosen.told
    assert put(vrex, item, second.turn, (first,), WORDING).before == (), "the turn itself tells the last one"
    third = protocol.next_turn(item, (first, second))
    assert third is not None
    assert put(vrex, item, third, (first, second), WORDING).before == ((chosen.text, chosen.told),)


def test_lines_that_an_editor_ended_flow_and_others_stay() -> None:
    long, rest = "word " * 20, "and the end of it."
    assert reflowed(f"{long.strip()}\n{rest}\n\nWho: me\nWhy: so\n") == f"{long}{rest}\n\nWho: me\nWhy: so"
    assert reflowed(f"{long.strip()}\n- one\n- two") == f"{long.strip()}\n- one\n- two"
    assert reflowed("a\nb") == "a\nb"


# -- room


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (160, 48), (100, 30), (60, 20)])
@pytest.mark.parametrize("pictures", [0, 1, 2, 3])
def test_nothing_is_given_more_room_than_there_is(size: tuple[int, int], pictures: int) -> None:
    chances = random.Random(1)
    for _ in range(50):
        words, form = chances.randint(1, 20), chances.randint(1, 14)
        room = shared_out(size, pictures, words=words, form=form, cell=Cell(), side=True)
        used = room.rows + (1 if room.rows else 0) + room.words + room.form
        assert used <= size[1] - 2
        assert room.side + pictures * (room.columns + 2) <= size[0]


def test_a_picture_is_never_larger_than_the_study_allows() -> None:
    cell = Cell(8, 17)
    room = shared_out((160, 48), 1, words=4, form=6, cell=cell, picture_px=200)
    columns, rows = fit((512, 512), room.columns, room.rows, cell)
    assert columns * cell.width <= 200
    assert rows * cell.height <= 200
